"""The stored rows, and the few verbs of a store: a database implements them, and a dict can."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Final, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from leuthen.engine.ruleset import SeatSide, Side

R = TypeVar("R", bound=msgspec.Struct)
Wanted: TypeAlias = str | int | Collection[str] | Collection[int]
"""The value of a column, or a collection of accepted values."""
T = TypeVar("T")
Str20: TypeAlias = Annotated[str, Meta(max_length=20)]
Str40: TypeAlias = Annotated[str, Meta(max_length=40)]
"""An id, or a time in ISO 8601."""
Str64: TypeAlias = Annotated[str, Meta(max_length=64)]
"""A hash."""
Str80: TypeAlias = Annotated[str, Meta(max_length=80)]


class GameRow(msgspec.Struct, frozen=True):
    """A game. `helps` allows advice, `maker` is the key hash of its browser, `before` the previous game of a rematch,
    or "".

    `date`, `waiting` (a bit for each side that must answer), `since` and `result` are public.
    """

    id: Str40
    ruleset: Str80
    version: Str80
    data: Str80
    scenario: Str80
    options: Mapping[str, str]
    title: Str80
    helps: bool
    maker: Str64
    made: Str40
    date: Str80
    waiting: int
    since: Str40
    before: Str40 = ""
    result: str = ""
    has_ended: bool = False
    takebacks: Str20 = "consent"


class SeatRow(msgspec.Struct, frozen=True):
    """A seat: public id, side (2: spectators), and `who` leads it; a person's name and colour at this table, or ""."""

    id: Str40
    game: str
    side: SeatSide
    who: Str80
    is_taken: bool
    player: Str40 = ""
    colour: Str20 = ""


class DeviceRow(msgspec.Struct, frozen=True):
    """A device on a seat: its number there, which is never reused, key hash, description, start, and last use; the
    number of the latest device that it has listed; and when it was signed out, or "". A spectator's device also has
    a name and colour, or ""."""

    seat: str
    number: int
    lock: Str64
    what: Str80
    since: Str40
    seen: Str40
    told: int
    ended: Str40 = ""
    player: Str40 = ""
    colour: Str20 = ""


class InvitationRow(msgspec.Struct, frozen=True):
    """An invitation to a seat: the hash of its secret, and when it was made and used or voided ("" while open)."""

    lock: Str64
    seat: str
    made: Str40
    used: Str40 = ""


class DiceKeyRow(msgspec.Struct, frozen=True):
    """The secret key of a game's dice."""

    game: str
    key: bytes


class SealRow(msgspec.Struct, frozen=True):
    """The signing key of a provable game. Unlike the dice key, it is never disclosed."""

    game: str
    signing: bytes


class ProofRow(msgspec.Struct, frozen=True):
    """A line of a game's proof."""

    number: int
    text: str


class AnswerRow(msgspec.Struct, frozen=True):
    """The answer to a request, and the request's hash ("" if unknown)."""

    n: int
    request: Str64


class ActionRow(msgspec.Struct, frozen=True):
    number: int
    actor: Str40
    text: str


class ProposalRow(msgspec.Struct, frozen=True):
    """A side's offer: `draw`, `takeback` or `rematch`; `to` is the number of actions left after a takeback."""

    side: Side
    kind: Str20
    to: int = 0


class ChatRow(msgspec.Struct, frozen=True):
    """A chat line."""

    number: int
    side: SeatSide
    at: Str40
    text: str


class NotesRow(msgspec.Struct, frozen=True):
    papers: str


class ThoughtRow(msgspec.Struct, frozen=True):
    """The encoded thought of a bot or staff after a number of actions that count. It is secret."""

    number: int
    thought: bytes


class ReportRow(msgspec.Struct, frozen=True):
    """The report on an ended game, as JSON, with the version of its evaluator."""

    game: str
    version: Str80
    report: str


class MarkRow(msgspec.Struct, frozen=True):
    """A value that the store writes to check its connection."""

    name: Str40
    value: str


KEYS: Final[Mapping[type[msgspec.Struct], tuple[str, ...]]] = {
    GameRow: ("id",),
    DiceKeyRow: ("game",),
    SealRow: ("game",),
    ProofRow: ("game", "number"),
    SeatRow: ("id",),
    InvitationRow: ("lock",),
    DeviceRow: ("seat", "number"),
    ActionRow: ("game", "number"),
    AnswerRow: ("seat", "key"),
    ProposalRow: ("game", "side"),
    NotesRow: ("seat",),
    ThoughtRow: ("seat", "number"),
    ChatRow: ("game", "number"),
    ReportRow: ("game",),
    MarkRow: ("name",),
}
"""The primary keys."""


class GameStatus(msgspec.Struct, frozen=True):
    """The public facts for the list of games."""

    date: str
    waiting: int
    since: str
    result: str = ""
    has_ended: bool = False


class StoredGame(msgspec.Struct, frozen=True):
    """All rows from which a game is restored.

    `key` is the secret of its dice, `signing` its signing key (empty without a seal), `thoughts` the staff states of
    the sides led by people.
    """

    game: GameRow
    seats: tuple[SeatRow, ...]
    actions: tuple[ActionRow, ...]
    proposals: tuple[ProposalRow, ...]
    key: bytes
    signing: bytes = b""
    proof: tuple[str, ...] = ()
    thoughts: Mapping[Side, bytes] = {}


class Rows(Protocol):
    """Rows by type, in one transaction. `where` maps column names to the wanted value or values.

    A row type may omit the columns of its key: they are passed separately when it is added.
    """

    def find(self, kind: type[R], /, **where: Wanted) -> list[R]:
        """Return all matching rows, ordered by key."""
        ...

    def last(self, kind: type[R], by: str, /, **where: Wanted) -> R | None:
        """Return the matching row with the highest value in column `by`."""
        ...

    def add(self, *rows: msgspec.Struct, **beside: object) -> None:
        """Add rows of one type. Raise AlreadyThere, at the latest on commit, if a key is taken."""
        ...

    def change(self, kind: type[msgspec.Struct], values: Mapping[str, object], /, **where: Wanted) -> None: ...

    def remove(self, kind: type[msgspec.Struct], /, **where: Wanted) -> None: ...


Work: TypeAlias = Callable[[Rows], T]


class Storage(Protocol):
    """A store of games. A unit of work is done completely or not at all."""

    async def read(self, work: Work[T]) -> T:
        """Return the result of a read. Raise StorageError."""
        ...

    async def write(self, work: Work[T]) -> T:
        """Return the result once everything is stored. The work may run twice. Raise StorageError."""
        ...


def first(rows: Rows, kind: type[R], **where: Wanted) -> R | None:
    return next(iter(rows.find(kind, **where)), None)
