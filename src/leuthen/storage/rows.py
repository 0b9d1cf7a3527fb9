"""What is kept, as values, and the few verbs with which it is kept: a database has them, and a dict can have them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Final, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from leuthen.engine.ruleset import SeatSide, Side

R = TypeVar("R", bound=msgspec.Struct)
Wanted: TypeAlias = str | int | Collection[str] | Collection[int]
"""The value of a column, or several of which it is one."""
T = TypeVar("T")
Str20: TypeAlias = Annotated[str, Meta(max_length=20)]
Str40: TypeAlias = Annotated[str, Meta(max_length=40)]
"""An id, or a time in ISO 8601."""
Str64: TypeAlias = Annotated[str, Meta(max_length=64)]
"""A hash."""
Str80: TypeAlias = Annotated[str, Meta(max_length=80)]


class GameRow(msgspec.Struct, frozen=True):
    """A game. `helps` is whether players may ask for advice, `maker` a browser's hash, `before` the game of which this
    is the rematch, or "", `takebacks` what may be taken back.

    `date`, `waiting` (a bit for each side that is asked), `since` and `result` are what everybody may know.
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
    """A seat: its public id, its side (2: the watchers' gallery), and who sits there; of a person also the name and the
    colour that he goes by at this table, or ""."""

    id: Str40
    game: str
    side: SeatSide
    who: Str80
    is_taken: bool
    player: Str40 = ""
    colour: Str20 = ""


class DeviceRow(msgspec.Struct, frozen=True):
    """A browser or program that sits on a seat: its number there, which is never given twice, the hash of its key, what
    it is in plain words, since when it sits there and when it was last seen, up to which number it has been shown the
    seat's devices, and when it was signed out, or "". In the gallery, where everybody has a seat to himself, also the
    name and the colour that who watches goes by, or ""."""

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
    """A link to a seat: the hash of its secret, and when it was made, and used up or made void ("" if it is open)."""

    lock: Str64
    seat: str
    made: Str40
    used: Str40 = ""


class DiceKeyRow(msgspec.Struct, frozen=True):
    """The secret of a game's dice, made once and told to nobody."""

    game: str
    key: bytes


class SealRow(msgspec.Struct, frozen=True):
    """A game that can be checked, and the secret key of the signature under its checkpoints. It is never opened, unlike
    the key of the dice."""

    game: str
    signing: bytes


class ProofRow(msgspec.Struct, frozen=True):
    """A line of the proof of a game, as its record has it at the end."""

    number: int
    text: str


class AnswerRow(msgspec.Struct, frozen=True):
    """What a request was answered, and the hash of the request ("" if that was not kept)."""

    n: int
    request: Str64


class ActionRow(msgspec.Struct, frozen=True):
    """A line of a record."""

    number: int
    actor: Str40
    text: str


class ProposalRow(msgspec.Struct, frozen=True):
    """What a side offers or asks: `draw` or `takeback`; of a takeback, how many actions would be left."""

    side: Side
    kind: Str20
    to: int = 0


class ChatRow(msgspec.Struct, frozen=True):
    """Something that was said."""

    number: int
    side: SeatSide
    at: Str40
    text: str


class NotesRow(msgspec.Struct, frozen=True):
    """A seat's private notes and plans, as JSON."""

    papers: str


class ThoughtRow(msgspec.Struct, frozen=True):
    """What a machine that leads a seat took along from a decision: after how many actions that count it was asked, and
    the bytes of its thought. They are shown to nobody."""

    number: int
    thought: bytes


class ReportRow(msgspec.Struct, frozen=True):
    """The staff's report on a game that has ended, as JSON, and the version of who gave its chances."""

    game: str
    version: Str80
    report: str


class MarkRow(msgspec.Struct, frozen=True):
    """A word by which the store tells that its writes reach this database."""

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
"""What tells the rows of a kind apart."""


class GameStatus(msgspec.Struct, frozen=True):
    """What the list of games tells of a game, as everybody may know it."""

    date: str
    waiting: int
    since: str
    result: str = ""
    has_ended: bool = False


class KeptGame(msgspec.Struct, frozen=True):
    """All that a game is made of again. `key` is the secret of its dice, `signing` that of its signature (empty if it
    has no seal), `thoughts` what those whom people lead by side had planned."""

    game: GameRow
    seats: tuple[SeatRow, ...]
    actions: tuple[ActionRow, ...]
    proposals: tuple[ProposalRow, ...]
    key: bytes
    signing: bytes = b""
    proof: tuple[str, ...] = ()
    thoughts: Mapping[Side, bytes] = {}


class Rows(Protocol):
    """Rows by their kinds, in one transaction. `where` has names of columns with the value, or the values, wanted.

    A row may leave out the columns by which it is found: they are given beside it when it is added.
    """

    def find(self, kind: type[R], /, **where: Wanted) -> list[R]:
        """All such rows, by their keys."""
        ...

    def last(self, kind: type[R], by: str, /, **where: Wanted) -> R | None:
        """The one of them whose column `by` is highest."""
        ...

    def add(self, *rows: msgspec.Struct, **beside: object) -> None:
        """Adds rows of one kind, or none. Raises AlreadyThere, at the latest when all is written, if a key is taken."""
        ...

    def change(self, kind: type[msgspec.Struct], values: Mapping[str, object], /, **where: Wanted) -> None:
        """Gives such rows other values."""
        ...

    def remove(self, kind: type[msgspec.Struct], /, **where: Wanted) -> None:
        """Takes such rows away."""
        ...


Work: TypeAlias = Callable[[Rows], T]


class Storage(Protocol):
    """Where games are kept. All of a work is done or nothing."""

    async def read(self, work: Work[T]) -> T:
        """What a work finds. Raises StorageError."""
        ...

    async def write(self, work: Work[T]) -> T:
        """What a work gives, once all that it wrote is safe. It may be done twice. Raises StorageError."""
        ...


def first(rows: Rows, kind: type[R], **where: Wanted) -> R | None:
    """One such row, or None."""
    return next(iter(rows.find(kind, **where)), None)
