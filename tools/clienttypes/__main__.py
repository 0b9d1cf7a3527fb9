"""`python -m tools.clienttypes` writes the client's types."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from leuthen.core import showing
from leuthen.server import wire
from tools.clienttypes.interfaces import interfaces, structs_of

FILE: Final = Path(__file__).parents[2] / "src" / "leuthen" / "client" / "types.d.ts"
ASKED: Final = (wire.NewGame, wire.Take, wire.Order, wire.Move, wire.Ask, wire.Say, wire.Papers)
HEAD: Final = "// What goes over the wire. Made by `python -m tools.clienttypes`; do not edit.\n\n"


def client_types() -> str:
    """The text of types.d.ts."""
    return HEAD + interfaces([*structs_of(showing, showing.Shown), *structs_of(wire, wire.Message)], ASKED)


if __name__ == "__main__":
    FILE.write_text(client_types(), encoding="utf-8")
