"""The layers that may be laid over the map; `layers` makes them."""

from __future__ import annotations

from typing import Final

from leuthen.screen import LayerCard

LAYER_CARDS: Final = (
    LayerCard("supply", "s", "Supply", "Depots and their range, and which forces are out of it (R9.6, V3.5)"),
    LayerCard(
        "zones", "z", "Austrian zones", "Where Austrian field forces cut the supply of the Prussian side (V3.2a)"
    ),
    LayerCard("reach", "r", "Reach of a force", "Where the leaders of a hex can march, with the MP left (R5.1)", True),
    LayerCard("threat", "e", "Enemy reach", "Where enemy forces could march, or react to a march (R5.1, R7.1)"),
    LayerCard("holders", "v", "Holders and VP", "Who controls each stronghold, its VP, its area (R10.2, R16.1, R16.2)"),
)
