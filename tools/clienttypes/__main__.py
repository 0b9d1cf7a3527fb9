"""Write the client's types: `python -m tools.clienttypes`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from leuthen.report import values
from leuthen.screen import values as shown
from leuthen.server.session import messages
from leuthen.server.session.messages import (
    DisplayName,
    FormRequest,
    Instruct,
    Message,
    NewChain,
    NewGame,
    Notes,
    Order,
    Rename,
    Say,
    TableMove,
    TakeSeat,
)
from tools.clienttypes.interfaces import interfaces, structs_of

FILE: Final = Path(__file__).parents[2] / "src" / "leuthen" / "client" / "types.d.ts"
REQUESTS: Final = (
    NewGame,
    TakeSeat,
    Order,
    TableMove,
    FormRequest,
    Instruct,
    NewChain,
    Say,
    Notes,
    DisplayName,
    Rename,
)
HEAD: Final = "// What goes over the wire. Made by `python -m tools.clienttypes`; do not edit.\n\n"


def client_types() -> str:
    """Return the text of types.d.ts."""
    structs = (*structs_of(shown, shown.Shown), *structs_of(messages, Message), *structs_of(values, msgspec.Struct))
    return HEAD + interfaces(structs, REQUESTS)


if __name__ == "__main__":
    FILE.write_text(client_types(), encoding="utf-8")
