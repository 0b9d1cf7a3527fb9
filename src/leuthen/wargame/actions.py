"""What players answer to the decisions of a wargame: actions whose hexes and strengths a programmer can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from leuthen.engine import choice
from leuthen.engine.choice import Slot, Token
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.strength import EMPTY, Bag, PowerId, of, powers


def _place(here: Hex) -> str:
    return str(here) if here == NOWHERE else f"parse_hex({hex_name(here)!r})"


def _path(hexes: Sequence[Hex]) -> str:
    return f"({', '.join(map(_place, hexes))}{',' if len(hexes) == 1 else ''})"


def _strength(sp: Bag) -> str:
    return " + ".join([f"bag({power}, {of(sp, power)})" for power in powers(sp)]) or "0"


class WargameAction(choice.Action):
    """An action of a wargame: its expression names hexes by their printed numbers, and strengths by power."""

    READABLE: ClassVar = {"Hex": _place, "tuple[Hex, ...]": _path, "Bag": _strength}


class StrengthAction(WargameAction):
    """An action that names the strength of one or more powers, in a field of its own that is asked power by power."""

    def reply(self, slot: Slot) -> Token:
        """The answer to a question; a strength is asked power by power."""
        if slot.name in ("sp", "tp") and slot.index is not None:
            return of(getattr(self, slot.name, EMPTY), PowerId(slot.index))
        return choice.Action.reply(self, slot)
