"""What players answer to the decisions of a wargame: actions whose hexes and strengths a programmer can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from leuthen.engine import choice
from leuthen.engine.choice import Slot, Token
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.strength import EMPTY, Bag, PowerId, of, powers


def _place(here: Hex) -> str | Hex:
    return here if here == NOWHERE else hex_name(here)


def _strength(sp: Bag) -> Mapping[int, int]:
    return {power: of(sp, power) for power in powers(sp)}


class WargameAction(choice.Action):
    """An action of a wargame: it shows hexes by their printed numbers and strengths by power."""

    READABLE: ClassVar = {
        "Hex": _place,
        "tuple[Hex, ...]": lambda path: tuple(map(_place, path)),
        "Bag": _strength,
    }


class StrengthAction(WargameAction):
    """An action that names the strength of one or more powers, in a field of its own that is asked power by power."""

    def reply(self, slot: Slot) -> Token:
        """The answer to a question; a strength is asked power by power."""
        if slot.name in ("sp", "tp") and slot.index is not None:
            return of(getattr(self, slot.name, EMPTY), PowerId(slot.index))
        return choice.Action.reply(self, slot)
