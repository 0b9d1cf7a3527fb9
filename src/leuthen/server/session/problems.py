"""Errors as they are answered: a status, a sentence, and what helps. They contain no secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.load import UnreadableFile
from leuthen.server.session.messages import Problem
from leuthen.storage.faults import LockLost, StorageAway, StorageBusy, StorageError, StorageFull, StorageGone, Unfit
from leuthen.wargame.board import hex_name

BAD: Final = 400
FOREIGN: Final = 403
UNKNOWN: Final = 404
STALE: Final = 409
GONE: Final = 410
SIGNED_OUT: Final = 401
ILLEGAL: Final = 422
TOO_MANY: Final = 429
LONGEST: Final = 1000
"""Maximum length of a message that may quote the request."""


class Fault(Exception):
    """A request that is refused. `wait` is the number of seconds after which it may be repeated, or 0."""

    def __init__(self, problem: Problem, wait: int = 0) -> None:
        super().__init__(problem.title)
        self.problem = problem
        self.wait = wait


def fault(status: int, title: str, detail: str, *, n: int = -1, wait: int = 0) -> Fault:
    return Fault(Problem(status, title, detail, n=n), wait)


def unknown(what: str = "seat") -> Fault:
    """Return the error for something that does not exist or belongs to others, without telling which."""
    return fault(UNKNOWN, f"No such {what}", f"There is no such {what}, or it is not yours.")


def stale(n: int) -> Fault:
    return fault(STALE, "The game has changed", "The game has changed since you looked. Check it and try again.", n=n)


def problem_of(error: Exception) -> Fault | None:
    """Return the answer to an error that a request may cause; None for a fault of the server."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, Illegal):
        refusal = error.refusal
        place = hex_name(refusal.place) if refusal.place >= 0 else ""
        return Fault(Problem(ILLEGAL, "The rules forbid it", refusal.text, refusal.rule, place))
    if isinstance(error, Invalid) and not isinstance(error, UnreadableFile):
        return fault(BAD, "Not understood", str(error)[:LONGEST])
    if isinstance(error, StorageError):
        status, title, detail, wait = _KINDS.get(type(error), _BROKEN)
        return fault(status, title, detail, wait=wait)
    return None


_NOTHING: Final = "Nothing was changed or lost."
_KINDS: Final[Mapping[type[StorageError], tuple[int, str, str, int]]] = {
    StorageFull: (507, "The disk is full", f"The server's disk is full. {_NOTHING}", 10),
    StorageBusy: (
        503,
        "The database is busy",
        f"Another program has locked the server's database. {_NOTHING} Try again.",
        2,
    ),
    StorageGone: (
        503,
        "The games are missing",
        "The server cannot find its games. It accepts no orders until they are back.",
        60,
    ),
    LockLost: (
        503,
        "Another server takes over",
        f"Another server may have taken over the games. {_NOTHING} Send it again.",
        1,
    ),
    StorageAway: (
        503,
        "No database connection",
        "The server's database cannot be reached. Send it again: it counts only once.",
        2,
    ),
    Unfit: (BAD, "Not understood", f"The database cannot store this text. {_NOTHING}", 0),
}
_BROKEN: Final = (
    503,
    "The database is damaged",
    "The server cannot use its database. Nothing was changed. The host can restore a backup.",
    60,
)
