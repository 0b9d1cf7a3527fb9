"""The layers that may be laid over the map; `layers` makes them."""

from __future__ import annotations

from typing import Final

from leuthen.screen import LayerCard

LAYER_CARDS: Final = (
    LayerCard(
        "supply",
        "s",
        "Supply",
        "Sources, links and paths with their length, hexes in supply, and who will roll for attrition (O10)",
    ),
    LayerCard("zones", "z", "Zones of control", "The zones of Austrian field stacks (O7)"),
    LayerCard(
        "reach",
        "r",
        "Reach of a stack",
        "Where the stack of a hex can go, for how many MP, and with which die at the least (O5)",
        True,
    ),
    LayerCard("threat", "e", "Enemy reach", "Where the enemy's stacks could go with the worst die for you (O5, O6)"),
    LayerCard("holders", "v", "Holders and VP", "To whom each fortress belongs, who holds it, its VP (O12, C12)"),
)
