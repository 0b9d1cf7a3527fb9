"""Who answers for a side, and what he may answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side


class PlayFailed(RuntimeError):
    """A game cannot be played on, by a fault of a player or of the program. `trace` is the traceback to show, or ""."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message, trace)
        self.trace = trace

    def __str__(self) -> str:
        return str(self.args[0])


class Undo(msgspec.Struct, frozen=True):
    """A seat's answer: takes back its last action."""


class LeaveGame(msgspec.Struct, frozen=True):
    """A seat's answer: leaves the game, which stays on disk as it stands."""


class TakeBack(msgspec.Struct, frozen=True):
    """A seat's answer: only the first `kept` actions count. `by` is the side that grants it, or takes it for itself."""

    by: Side
    kept: int


Answer: TypeAlias = Action | Undo | TakeBack | LeaveGame
Look: TypeAlias = Callable[[], Any]


class Player(Protocol):
    """Whoever answers for a side: a person, a bot, a script."""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        """Answers one decision. `look()` gives the side's view, `legal` what it may do, `pending` what is asked."""
        ...


class Thinker(Player, Protocol):
    """A seat that takes a thought along from one decision to the next.

    What it answers, and the thought that it has then, follow from the bytes of the view, the thought before and the
    seed that it was made with, and from nothing else. Whoever keeps the bytes can go on in another process.
    """

    thought: bytes
    """Empty before the first decision. It is secret: it holds what the side knows and intends."""
    word: str
    """What the player should be told of the last answer: that an old thought could not be used. Empty mostly."""
