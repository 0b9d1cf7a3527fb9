"""The stored rows, the few verbs of a store, its errors, and queries in these verbs.

A database implements the verbs, and a dict can.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Annotated, Final, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, SeatSide, Side


class StorageError(RuntimeError):
    """Nothing was written, and earlier data is safe."""


class StorageFull(StorageError):
    """The disk is full."""


class StorageBusy(StorageError):
    """Another program holds the database."""


class StorageBroken(StorageError):
    """The database cannot be read or written."""


class AlreadyThere(StorageError):
    """A row with this key exists."""


class StorageGone(StorageError):
    """The database file is no longer in its place: further writes would be lost."""


class StorageAway(StorageError):
    """The database cannot be reached, or was lost during a write, which may have succeeded."""


class Unfit(StorageError):
    """The database cannot store this value."""


class LockLost(StorageError):
    """The connection with the lock is lost: another server may write these games."""


class GamesTaken(Invalid):
    """Another server serves these games; `address` is its address, if known."""

    def __init__(self, place: object, address: str, host: str = "") -> None:
        where = f" at {address}{host and f' on {host}'}" if address else ""
        super().__init__(f"{place}: another Leuthen server already runs these games{where}")
        self.address = address


class Unreachable(Invalid):
    """The database does not answer, so it is unknown whether its games are taken."""


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
    kind: Str40
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


SCHEMA: Final[Mapping[type[msgspec.Struct], tuple[str, ...]]] = {
    GameRow: ("games", "id"),
    DiceKeyRow: ("dice_keys", "game"),
    SealRow: ("seals", "game"),
    ProofRow: ("proof", "game", "number"),
    SeatRow: ("seats", "id"),
    InvitationRow: ("invitations", "lock"),
    DeviceRow: ("devices", "seat", "number"),
    ActionRow: ("actions", "game", "number"),
    AnswerRow: ("answers", "seat", "key"),
    ProposalRow: ("proposals", "game", "side"),
    NotesRow: ("papers", "seat"),
    ThoughtRow: ("thoughts", "seat", "number"),
    ChatRow: ("chat", "game", "number"),
    ReportRow: ("reports", "game"),
    MarkRow: ("about", "name"),
}
"""By row type: the name of the table, and the columns of its primary key."""


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

    def last(self, kind: type[R], by: str, /, **where: Wanted) -> R | None:
        """Return the matching row with the highest value in column `by`."""

    def add(self, *rows: msgspec.Struct, **beside: object) -> None:
        """Add rows of one type. Raise AlreadyThere, at the latest on commit, if a key is taken."""

    def change(self, kind: type[msgspec.Struct], values: Mapping[str, object], /, **where: Wanted) -> None: ...

    def remove(self, kind: type[msgspec.Struct], /, **where: Wanted) -> None: ...


Work: TypeAlias = Callable[[Rows], T]


class Storage(Protocol):
    """A store of games. A unit of work is done completely or not at all."""

    async def read(self, work: Work[T]) -> T:
        """Return the result of a read. Raise StorageError."""

    async def write(self, work: Work[T]) -> T:
        """Return the result once everything is stored. The work may run twice. Raise StorageError."""


def first(rows: Rows, kind: type[R], **where: Wanted) -> R | None:
    return next(iter(rows.find(kind, **where)), None)


# --- games and seats --------------------------------------------------------------------------------------------------

THOUGHTS: Final = 100
"""Number of stored thoughts per seat, among which a takeback finds the one of that time."""


def find_game(rows: Rows, game: str) -> StoredGame | None:
    found, key = first(rows, GameRow, id=game), first(rows, DiceKeyRow, game=game)
    if found is None or key is None:
        return None
    seats, seal = _seats(rows, (game,)), first(rows, SealRow, game=game)
    return StoredGame(
        found,
        tuple(seats),
        tuple(rows.find(ActionRow, game=game)),
        tuple(rows.find(ProposalRow, game=game)),
        key.key,
        seal.signing if seal else b"",
        tuple(line.text for line in rows.find(ProofRow, game=game)),
        {side: last_thought(rows, seats[side].id) for side in SIDES if seats[side].who == "person"},
    )


def _seats(rows: Rows, of: Collection[str]) -> list[SeatRow]:
    return sorted(rows.find(SeatRow, game=of), key=lambda seat: (seat.game, seat.side))


def seats_of(rows: Rows, lock: str) -> set[str]:
    return {device.seat for device in rows.find(DeviceRow, lock=lock, ended="")}


def games_of(rows: Rows, lock: str) -> tuple[set[str], list[tuple[GameRow, list[SeatRow]]]]:
    """Return the seats of a browser, and its games with all their seats."""
    mine = seats_of(rows, lock)
    around: dict[str, list[SeatRow]] = {seat.game: [] for seat in rows.find(SeatRow, id=mine)}
    for seat in _seats(rows, set(around)):
        around[seat.game].append(seat)
    return mine, [(game, around[game.id]) for game in rows.find(GameRow, id=set(around))]


def seats_asked(rows: Rows, players: Sequence[str]) -> list[SeatRow]:
    """Return the seats of these players that must answer, in unfinished games with a person."""
    waiting = {game.id: game.waiting for game in rows.find(GameRow, has_ended=False) if game.waiting}
    with_a_person = {seat.game for seat in rows.find(SeatRow, who="person", side=SIDES)}
    led = rows.find(SeatRow, who=players, side=SIDES)
    return [seat for seat in led if waiting.get(seat.game, 0) >> seat.side & 1 and seat.game in with_a_person]


def rematch_of(rows: Rows, game: str) -> str | None:
    found = first(rows, GameRow, before=game)
    return found.id if found else None


def add_device(rows: Rows, seat: str, lock: str, what: str, at: str) -> int:
    """Give a device a seat; return its number, which is never reused."""
    last = rows.last(DeviceRow, "number", seat=seat)
    number = last.number + 1 if last else 1
    rows.add(DeviceRow(seat, number, lock, what, at, at, number))
    rows.change(SeatRow, {"is_taken": True}, id=seat)
    return number


# --- the thoughts of machines that lead a seat ------------------------------------------------------------------------


def last_thought(rows: Rows, seat: str) -> bytes:
    found = rows.last(ThoughtRow, "number", seat=seat)
    return found.thought if found else b""


def add_thought(rows: Rows, seat: str, thought: ThoughtRow) -> None:
    """Store a thought, unless it is empty or equals the last one; drop the oldest ones."""
    if thought.thought in (b"", last_thought(rows, seat)):
        return
    rows.remove(ThoughtRow, seat=seat, number=thought.number)
    rows.add(thought, seat=seat)
    for old in rows.find(ThoughtRow, seat=seat)[:-THOUGHTS]:
        rows.remove(ThoughtRow, seat=seat, number=old.number)


def forget_thoughts(rows: Rows, seats: Iterable[str], kept: int) -> None:
    """Remove the thoughts after the first `kept` actions, which a takeback has voided."""
    for seat in seats:
        void = {row.number for row in rows.find(ThoughtRow, seat=seat) if row.number >= kept}
        rows.remove(ThoughtRow, seat=seat, number=void)
