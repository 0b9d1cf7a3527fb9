"""Makes docs/orders.md: every order of the record's notation, with examples (`python -m tools.orders`)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from leuthen.load import load

PAGE: Final = Path(__file__).parent.parent / "docs" / "orders.md"
HEAD: Final = """# The notation of orders

The lines of a [record](record.md), of the [HTTP interface](interface.md) and of the terminal. A line is a word and what
the order needs, separated by spaces: leaders and places by name or number, `+3` for strength points, `1632-1633` for a
path. A name may be cut short where it stays clear, and a town may stand for its hex. A
[form](interface.md#give-orders) leads to every order; at the terminal `options` lists what may come next in a line.
This page is made by `python -m tools.orders` from the grammars.
"""
EXAMPLES: Final[dict[str, dict[str, str]]] = {
    "frederick": {
        "march": "march Keith +5 1632-1633", "go": "go 1732-1632-1533", "drop": "drop inside Zieten",
        "take": "take inside +1 Harsch", "halt": "halt inside", "shift": "shift 1623 inside +12 Finck",
        "attack": "attack 2016", "besiege": "besiege Neisse", "garrison": "garrison +2 France", "build": "build 2007",
        "remove": "remove 1635", "quarter": "quarter 1702 inside", "retreat": "retreat 2940-2941",
        "shelter": "shelter inside",
        "follow": "follow Keith +5", "refuge": "refuge Breslau inside", "place": "place Prussia 1821 inside +3 Finck",
        "depot-at": "depot-at 2132", "seal": "seal", "reopen": "reopen", "clear": "clear",
        "envoys": "envoys France 2 Hanover 1", "raise": "raise 2", "lose": "lose Zieten 1 Finck 1 Dohna 0",
        "sack": "sack Karl", "free": "free Lacy Prague", "offer": "offer Lacy", "done": "done", "roll": "roll 3",
        "draw": "draw Dohna",
    },
    "campaigns": {
        "march": "march Zweibrücken Serbelloni A3 1121-1122", "go": "go 0732-0831", "halt": "halt inside", "out": "out",
        "seize": "seize", "absorb": "absorb 1 A2", "fill": "fill", "leave": "leave Daun 1", "take": "take +5",
        "drop": "drop F2", "sortie": "sortie Keith Zieten", "force": "force Daun", "attack": "attack",
        "hold": "hold", "react": "react Zieten", "move": "move 1816-1815", "join": "join Zieten",
        "declare": "declare concentration", "lose": "lose Serbelloni 1 Zweibrücken 0", "withdraw": "withdraw",
        "retreat": "retreat 0232-0231", "besiege": "besiege Thorn", "assign": "assign 2 Austria 1424 Hadik",
        "appear": "appear Henry Berlin", "load": "load Daun 1 A2", "build": "build 1732", "remove": "remove 1230",
        "create": "create 2004", "feed": "feed", "starve": "starve", "arrange": "arrange 1032 Austria Daun 18 Hadik 8",
        "hand": "hand A2 Daun 1", "name": "name 2 Austria", "claim": "claim Browne", "propose": "propose 3",
        "ransom": "ransom Lacy", "agree": "agree", "refuse": "refuse", "quarter": "quarter 1125 inside",
        "transfer": "transfer 1034 0526 2", "found": "found 1121", "bring": "bring Henry 1733",
        "dismiss": "dismiss Finck", "done": "done", "chit": "chit prussia 4", "roll": "roll 5",
    },
}  # fmt: skip


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The text of the page. Raises KeyError for an order without an example."""
    return "\n".join([HEAD, *(line for name in EXAMPLES for line in _table(name))]) + "\n"


def _table(name: str) -> Iterator[str]:
    rules: Any = load(name)
    yield from (f"## {name.capitalize()}", "", "| order | |", "|---|---|")
    for word, order in rules.GRAMMAR.items():
        told = (inspect.getdoc(order.action) or "").split("\n\n")[0].replace("\n", " ")
        yield f"| `{EXAMPLES[name][word]}` | {told} |"
    yield ""


if __name__ == "__main__":
    main()
