"""The canonical text of a position, and back."""

from __future__ import annotations

from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.fields import TABLE
from leuthen.rulesets.frederick.model.state import Position, State, state_of


def dump(state: Position) -> bytes:
    """The canonical text of a position, as UTF-8."""
    return TABLE.dump(state)


def restore(data: GameData, text: bytes) -> State:
    """The position of a canonical text. Raises Invalid, naming the place in it."""
    return state_of(data, TABLE.restore(data, text))
