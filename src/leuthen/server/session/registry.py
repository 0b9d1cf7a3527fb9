"""All games of a server: created, loaded on demand, and unloaded when idle.

Games are created on the home page, from a record, and as a rematch.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from operator import attrgetter
from secrets import token_bytes
from typing import Final, NamedTuple, Protocol
from weakref import WeakValueDictionary

from msgspec import UNSET

from leuthen.bots import BOTS, expect_bot
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER, SEATS, SIDES, WATCHER, SeatSide, Side, as_side, is_side
from leuthen.load import is_known, load, load_with
from leuthen.play.dice import KEY_BYTES, Key
from leuthen.play.proof.ledger import CORRESPONDENCE
from leuthen.play.record import FREE
from leuthen.school.lessons import LESSON, lesson, lesson_of
from leuthen.school.lessons import begin as begin_game
from leuthen.server.session import lookback, messages, players, proposals
from leuthen.server.session.device_sessions import DeviceCaller, DeviceSession, DeviceSessions
from leuthen.server.session.game_session import GameSession, LoadedGame
from leuthen.server.session.history import (
    MAY,
    GameHistory,
    bare_record,
    mark_unplayable,
    restore_stored,
    status_of,
    why_not,
)
from leuthen.server.session.limits import QueueLimits, Run, WorkLimit, WorkQueue, address_now, charge_steps
from leuthen.server.session.lookback import Reports
from leuthen.server.session.messages import FOREIGN, GONE, STALE, TOO_MANY, Fault, fault, unknown
from leuthen.server.session.seal import GameSeal, begin, header_for
from leuthen.server.session.seal import restore_stored as restore_seal
from leuthen.server.session.staff import decode
from leuthen.server.session.streams import ConnectionLimits, occupant_of
from leuthen.storage.rows import (
    ActionRow,
    AlreadyThere,
    DeviceRow,
    DiceKeyRow,
    GameRow,
    InvitationRow,
    ProofRow,
    ProposalRow,
    Rows,
    SealRow,
    SeatRow,
    Storage,
    StorageError,
    StoredGame,
    add_device,
    find_game,
    last_thought,
    rematch_of,
    seats_asked,
    seats_of,
)

MEMORY: Final = 192 * 1024**2
"""Bytes for games in memory. Above it, idle games are unloaded, least recently used first."""
WORKERS: Final = 2
"""Processes for each kind of slow work."""
_log = logging.getLogger(__name__)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_secret() -> str:
    """Return a secret of 144 random bits that may be used in a URL's fragment."""
    return secrets.token_urlsafe(18)


def new_id() -> str:
    return secrets.token_urlsafe(9)


def hash_of(secret: str) -> str:
    """Return the stored form of a secret. Secrets are random and long, so one round is enough."""
    return sha256(secret.encode()).hexdigest()


class Drivers(Protocol):
    def wake(self, session: GameSession, /) -> None:
        """Start answering in a game, unless that is under way."""

    def is_busy(self, game: str, /) -> bool: ...

    async def close(self) -> None: ...


class GameRegistry:
    def __init__(
        self,
        storage: Storage,
        drivers: Drivers,
        run: Run,
        clock: Callable[[], str] = now,
        new_key: Callable[[], Key] = Key.fresh,
        memory: int = MEMORY,
    ) -> None:
        """`new_key` makes the dice key of a new game; `run` does slow work in another process."""
        self.storage = storage
        self.clock = clock
        self.new_key = new_key
        self.sessions: OrderedDict[str, GameSession] = OrderedDict()
        self._alive: WeakValueDictionary[str, GameSession] = WeakValueDictionary()
        """Unloaded games that are still referenced, so that a game never exists twice."""
        self._memory = memory
        self._loading: dict[str, asyncio.Task[GameSession]] = {}
        self.changes = 0
        """Number of stored changes since the server began."""
        self.devices = DeviceSessions(storage, clock)
        self.drivers = drivers
        self.connection_limits = ConnectionLimits()
        self.looking = WorkQueue(WORKERS, 20, QueueLimits(), run)
        self.bringing = WorkQueue(1, 30, QueueLimits(2, 2, 16), run)
        self.imports: dict[tuple[str, str], messages.ImportProgress] = {}
        """The progress of running imports, by the requester's address and key."""
        self.replaying = WorkQueue(1, 60, QueueLimits(4, 8), run)
        self.advising = WorkLimit(QueueLimits(2, 8))
        self.reporting = WorkQueue(1, 120, QueueLimits(1, 2, 8), run)
        self.reports = Reports(storage, self.reporting)
        self.work_queues: dict[str, WorkLimit] = {
            "looking": self.looking,
            "bringing": self.bringing,
            "replaying": self.replaying,
            "advising": self.advising,
            "reporting": self.reporting,
        }

    async def session(self, game: str) -> GameSession:
        """Return a game, loaded if need be. Raise Fault if it cannot be."""
        if session := self.sessions.get(game):
            self.sessions.move_to_end(game)
            return session
        if session := self._alive.get(game):
            return self.add(session)
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = asyncio.ensure_future(charge_steps(self._load(game)))
            loading.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(loading)

    async def _load(self, game: str) -> GameSession:
        found, history, seal = await self._load_replayed(game)
        return self.add(GameSession(self.storage, history, found, self.clock, seal))

    async def record(self, device: DeviceSession) -> bytes:
        """Return the record that a seat may have, even of a game that cannot be shown any more."""
        seat = device.seat
        try:
            session = await self.session(seat.game)
        except Fault as error:
            found = await self.storage.read(lambda rows: find_game(rows, seat.game))
            if error.problem.status != GONE or found is None:
                raise
            return bare_record(found).encode()
        return await lookback.record(session, seat.side, self.replaying)

    def unplayable(self, game: GameRow) -> str:
        """Return the reason why a game is unplayable, as known without replaying it; "" if it is playable or over."""
        if game.has_ended:
            return ""
        if session := self.sessions.get(game.id):
            return session.history.unplayable
        if not is_known(game.ruleset):
            return f"This game cannot continue here: the rule set {game.ruleset} is not installed."
        return why_not(load_with(game.ruleset, game.data), game)

    async def _load_replayed(self, game: str) -> LoadedGame:
        """Load and replay a game. Raise Fault if it cannot be shown at all, or the queue is full."""
        with self.replaying.place(game):
            found = await self.storage.read(lambda rows: find_game(rows, game))
            if found is None:
                raise unknown("game")
            try:
                history, steps = restore_stored(found)
                await self.replaying.run_in_slices(address_now.get(), steps)
                try:
                    seal = restore_seal(found, history.ruleset.sides)
                except Invalid as error:
                    _log.error("the proof of the game %s does not fit its record: %s", game, error)
                    if not history.unplayable:
                        why = f"This game cannot continue here: its proof does not match its record. {MAY}"
                        mark_unplayable(history, [], why, None)
                    seal = None
            except Fault:
                raise
            except Exception as error:
                _log.exception("the game %s cannot be shown", game)
                detail = "The rules installed here cannot show this game. You can still download its record."
                raise fault(GONE, "This game cannot be shown", detail) from error
        return found, history, seal

    def add(self, session: GameSession) -> GameSession:
        """Register a game in memory, unloading others if there is no room."""
        self.sessions[session.id] = self._alive[session.id] = session
        session.on_change, session.on_watched, session.reload = self._note_change, self._wake, self._load_replayed
        self._wake(session)
        self._put_away(session)
        return session

    def _note_change(self, session: GameSession) -> None:
        self.changes += 1
        self._wake(session)

    def _wake(self, session: GameSession) -> None:
        if session.is_machine_due:
            self.drivers.wake(session)

    def _put_away(self, needed: GameSession) -> None:
        held = sum(session.weight for session in self.sessions.values())
        for game, session in list(self.sessions.items()):
            if held <= self._memory:
                return
            if session.is_idle and session is not needed and not self.drivers.is_busy(game):
                held -= session.weight
                del self.sessions[game]
                gc.unfreeze()

    async def resume(self, bots: list[str]) -> None:
        """Load all games that wait for a bot or for a staff at work."""
        seats, waiting = await self.storage.read(lambda rows: seats_asked(rows, [*bots, "person"])), set[str]()
        for seat in seats:  # their states are read one by one, so that other requests are answered in between
            is_bot = seat.who != "person"
            if is_bot or decode(await self.storage.read(partial(last_thought, seat=seat.id))).is_at_work:
                waiting.add(seat.game)
        for game in sorted(waiting):
            try:
                await self.session(game)
            except (Fault, StorageError) as error:
                _log.warning("the game %s is not gone on with for now: %s", game, error)
            except Exception:
                _log.exception("the game %s cannot be gone on with", game)

    def end_slow_work(self) -> None:
        """End slow work; its requesters get an error."""
        for lane in (self.looking, self.bringing, self.replaying, self.reporting):
            lane.end()

    async def close(self) -> None:
        await self.drivers.close()
        await self.reports.close()

    def update_seat(self, seat: SeatRow) -> None:
        """Show a changed seat in its game, if that is in memory."""
        if seat.game in self.sessions:
            self.sessions[seat.game].update_seat(seat)


# --- new games --------------------------------------------------------------------------------------------------------


OPEN_GAMES: Final = 200
"""Maximum number of unfinished games created by one browser."""
ME: Final = "me"
LINK: Final = "link"
SEED: Final = "lesson"
"""Seed of the dice of lessons, together with the lesson's name and number."""


async def make_game(registry: GameRegistry, visitor: DeviceCaller, new: messages.NewGame) -> messages.CreatedGame:
    expect_players(new.players)
    ruleset = load(new.ruleset)
    options = {name: values[0] for name, values in ruleset.options.items()} | new.options
    history = GameHistory(ruleset, ruleset.new_game(new.scenario, options), new.takebacks)
    return await seat_game(registry, visitor, history, new, options)


async def begin_lesson(
    registry: GameRegistry, visitor: DeviceCaller, name: str, rematch: Rematch | None = None
) -> messages.CreatedGame:
    """Create a game of a lesson. Raise Invalid for an unknown one, Fault if the browser has too many games."""
    taught = lesson(name)
    ruleset = load(taught.ruleset)
    options = {option: values[0] for option, values in ruleset.options.items()} | taught.options
    scenario = LESSON + name
    players = (taught.enemy, ME) if taught.side else (ME, taught.enemy)
    new = messages.NewGame(players, ruleset.name, scenario, title=taught.title, takebacks=FREE)
    history = GameHistory(ruleset, begin_game(ruleset, scenario, options), FREE)
    return await seat_game(registry, visitor, history, new, options, rematch, Key.from_seed(SEED, name, taught.seed))


def expect_players(players: Sequence[str]) -> None:
    for who in players:
        if who not in (ME, LINK):
            expect_bot(who)


async def seat_game(
    registry: GameRegistry,
    visitor: DeviceCaller,
    history: GameHistory,
    new: messages.NewGame,
    options: Mapping[str, str],
    rematch: Rematch | None = None,
    known: Key | None = None,
) -> messages.CreatedGame:
    """Store a game with its seats. With a `known` key the dice are predictable and not proved.

    Raise Fault if the browser has too many games, AlreadyThere for a second rematch.
    """
    key, storage = known or registry.new_key(), registry.storage
    secrets, before = [new_secret() for _ in (0, 1, WATCHER)], rematch.game if rematch else ""
    at = registry.clock()
    game = GameRow(
        id=new_id(),
        ruleset=history.ruleset.name,
        version=history.version,
        data=history.data,
        scenario=new.scenario,
        options=options,
        title=players.strip_direction_marks(new.title),
        helps=new.helps,
        maker=visitor.lock,
        made=at,
        since=at,
        before=before,
        takebacks=new.takebacks,
        **status_of(history),
    )
    led = [(visitor, side) for side in SIDES if new.players[side] == ME]
    sitting: list[tuple[DeviceCaller, SeatSide]] = [*led] if led else [(visitor, WATCHER)]
    sitting = list(dict.fromkeys([*sitting, *(rematch.sitting if rematch else ())]))
    seats = _seat_rows(game.id, new, {side for _, side in sitting}, rematch.sitters if rematch else _sitters(new))
    links = {  # to the gallery, and where nobody sits yet: who sits makes his own
        seat.id: secret
        for seat, secret in zip(seats, secrets, strict=True)
        if seat.side == WATCHER or not seat.is_taken
    }
    lines = [ActionRow(n, history.table.name(actor), text) for n, (actor, text) in enumerate(history.record)]
    seal, signing = (None, b"") if known else _sealed(history, new, game, seats, key.secret)

    def write(rows: Rows) -> None:
        if len(rows.find(GameRow, maker=visitor.lock, has_ended=False)) >= OPEN_GAMES:
            raise fault(TOO_MANY, "Too many games", f"You have {OPEN_GAMES} unfinished games. End some of them first.")
        if before and rematch_of(rows, before) is not None:
            raise AlreadyThere("there is a rematch already")
        rows.add(game)
        rows.add(DiceKeyRow(game.id, key.secret))
        rows.add(*seats)
        rows.add(*lines, game=game.id, at=at)
        if seal is not None:
            rows.add(SealRow(game.id, signing))
            rows.add(*itertools.starmap(ProofRow, enumerate((*seal.opening, *seal.lines))), game=game.id)
        rows.add(*(InvitationRow(hash_of(secret), seat, at) for seat, secret in links.items()))
        for who, side in sitting:
            add_device(rows, seats[side].id, *who, at)

    await storage.write(write)
    stored = StoredGame(game, tuple(seats), tuple(lines), (), key.secret)
    await registry.add(GameSession(storage, history, stored, registry.clock, seal)).proceed()
    mine = {seats[side].id for who, side in sitting if who == visitor}
    return _describe_created(history.ruleset.sides, game.id, seats, mine, links)


def _sealed(
    history: GameHistory, new: messages.NewGame, game: GameRow, seats: Sequence[SeatRow], secret: bytes
) -> tuple[GameSeal | None, bytes]:
    """Return the seal and signing key of a new game; none if one browser leads both sides or none, or the game is
    over or unplayable."""
    is_led_by_one = LINK not in new.players and new.players.count(ME) != 1
    if is_led_by_one or not history.goes_on:
        return None, b""
    signing, sides = token_bytes(KEY_BYTES), history.ruleset.sides
    seal = begin(secret, signing, header_for(game, seats, sides), sides, new.pace)
    if history.record:
        seal.accept(seal.sealing().bind_import(history.record, history.table.name))
    if new.chain is not UNSET and new.players.count(ME) == 1:
        seal.accept(seal.sealing().give_chain(as_side(new.players.index(ME)), new.chain))
    return seal, signing


class Rematch(NamedTuple):
    """The game to be repeated, the devices that take their seats at once, and the players' names by side."""

    game: str
    sitting: list[tuple[DeviceCaller, SeatSide]]
    sitters: list[messages.DisplayName]


def _sitters(new: messages.NewGame) -> list[messages.DisplayName]:
    given = [
        sitter if who == ME else messages.DisplayName() for who, sitter in zip(new.players, new.sitting, strict=True)
    ]
    called = [messages.DisplayName(players.named(sitter.name), sitter.colour) for sitter in given]
    players.expect_distinct_name(called[0].name, [called[1].name])
    return called


def _seat_rows(
    game: str, new: messages.NewGame, taken: Collection[int], sitters: Sequence[messages.DisplayName]
) -> list[SeatRow]:
    rows = []
    for side, who, sitter in zip(SEATS, (*new.players, "watcher"), (*sitters, messages.DisplayName()), strict=True):
        is_person = who in (ME, LINK)
        is_taken, kind = side in taken or not is_person, "person" if is_person else who
        rows.append(SeatRow(new_id(), game, side, kind, is_taken, sitter.name, sitter.colour))
    return rows


def _describe_created(
    sides: Sequence[str], game: str, seats: Sequence[SeatRow], own: Collection[str], links: Mapping[str, str]
) -> messages.CreatedGame:
    """Describe a new game to its creator, with the invitations that other people need."""
    shown = {seat.id: link_of(links[seat.id], seat) for seat in seats if seat.id in links}
    made = [
        messages.CreatedSeat(
            seat.side, sides[seat.side], occupant_of(seat), seat.id if seat.id in own else "", shown.get(seat.id, "")
        )
        for seat in seats
        if seat.side != WATCHER
    ]
    return messages.CreatedGame(game, tuple(made), shown.get(seats[WATCHER].id, ""))


def link_of(secret: str, seat: SeatRow | None = None) -> str:
    """Return the link of an invitation, with the game and side of a `seat` for another person.

    Browsers do not send the fragment to servers, logs or referrers.
    """
    return f"/seat/{seat.game}/{seat.side}#{secret}" if seat is not None else f"/seat#{secret}"


async def make_rematch(registry: GameRegistry, device: DeviceSession, session: GameSession) -> messages.CreatedGame:
    """Create the same game with the sides changed; a lesson keeps the pupil's side. A second request gets the existing
    rematch.

    Raise Fault while the first game goes on, and for spectators.
    """
    row, visitor = device.seat, DeviceCaller(device.row.lock, device.row.what)
    if not is_side(side := row.side):
        raise fault(FOREIGN, "You only watch", "Only players can ask for a rematch.")
    if session.history.outcome is None:
        raise fault(STALE, "Game in progress", "You can offer a rematch when this game has ended.")
    game = session.row
    is_offered = await _expect_consent(registry, visitor, session, side)
    try:
        if (taught := lesson_of(game.scenario)) is not None:
            pupil = await _previous_players(registry, session, {side: taught.side})
            made = await begin_lesson(registry, visitor, taught.name, pupil)
        else:
            made = await _play_again(registry, visitor, session, side)
        if is_offered:
            await session.set_proposals({side: ProposalRow(side, proposals.MADE)})
        return made
    except AlreadyThere:
        there = await registry.storage.read(lambda rows: rematch_of(rows, game.id)) or ""
        mine, seats = await registry.storage.read(
            lambda rows: (seats_of(rows, visitor.lock), rows.find(SeatRow, game=there))
        )
        return _describe_created(session.ruleset.sides, there, sorted(seats, key=attrgetter("side")), mine, {})


async def _play_again(
    registry: GameRegistry, visitor: DeviceCaller, session: GameSession, side: Side
) -> messages.CreatedGame:
    game, seal = session.row, session.seal
    first, second = (seat.who for seat in session.seats[:2])
    players = [who if who in BOTS else ME if was == side else LINK for who, was in ((second, 1), (first, 0))]
    new = messages.NewGame(
        (players[0], players[1]),
        game.ruleset,
        game.scenario,
        title=game.title,
        helps=game.helps,
        takebacks=game.takebacks,
        pace=seal.ledger.pace if seal is not None else CORRESPONDENCE,
    )
    history = GameHistory(session.ruleset, begin_game(session.ruleset, game.scenario, game.options), game.takebacks)
    rematch = await _previous_players(registry, session, {0: 1, 1: 0})
    return await seat_game(registry, visitor, history, new, game.options, rematch)


async def _previous_players(registry: GameRegistry, session: GameSession, sides: Mapping[Side, Side]) -> Rematch:
    """Return the devices and names of the old sides for their new sides."""
    old = session.seats
    sitting: list[tuple[DeviceCaller, SeatSide]] = await registry.storage.read(
        lambda rows: [
            (DeviceCaller(device.lock, device.what), after)
            for before, after in sides.items()
            for device in rows.find(DeviceRow, seat=old[before].id, ended="")
        ]
    )
    sitters = [messages.DisplayName(), messages.DisplayName()]
    for before, after in sides.items():
        sitters[after] = messages.DisplayName(old[before].player, old[before].colour)
    return Rematch(session.id, sitting, sitters)


async def _expect_consent(registry: GameRegistry, visitor: DeviceCaller, session: GameSession, side: Side) -> bool:
    """Return whether the opponent has offered the rematch. Raise Fault if consent is missing."""
    offer, other = session.proposals.get(OTHER[side]), session.seats[OTHER[side]]
    if offer is not None and offer.kind == proposals.REMATCH:
        return True
    mine, there = await registry.storage.read(lambda rows: (seats_of(rows, visitor.lock), rematch_of(rows, session.id)))
    if other.who == "person" and other.is_taken and other.id not in mine and there is None:
        raise fault(STALE, "A rematch is offered", "Offer it: the game is created when your opponent accepts.")
    return False
