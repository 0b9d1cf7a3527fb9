"""Players and their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side


class PlayFailed(RuntimeError):
    """A game that cannot go on, by a fault of a player or the program. `trace` is the traceback to show, or ""."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message, trace)
        self.trace = trace

    def __str__(self) -> str:
        return str(self.args[0])


class Undo(msgspec.Struct, frozen=True):
    """An answer that takes back the seat's last action."""


class LeaveGame(msgspec.Struct, frozen=True):
    """An answer that leaves the game, which stays stored."""


class TakeBack(msgspec.Struct, frozen=True):
    """An answer that keeps only the first `kept` actions. `by` is the side that agrees to it, or that takes them back
    alone.
    """

    by: Side
    kept: int


Answer: TypeAlias = Action | Undo | TakeBack | LeaveGame
Look: TypeAlias = Callable[[], Any]


class Player(Protocol):
    """A person, bot or script that answers for a side."""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        """Answer a decision. `look()` returns the side's view."""
        ...


class Thinker(Player, Protocol):
    """A player with a thought that lasts from one decision to the next.

    Answer and new thought follow from the view's bytes, the thought before and the seed alone, so another process can
    continue with the stored bytes.
    """

    thought: bytes  # empty before the first decision; secret, because it holds the side's knowledge and plans
    word: str  # a message for the player if an old thought could not be used, else ""
