"""All games of a server: created, loaded on demand, and unloaded when idle.

Games are created on the home page, from a record, as a rematch, and for a lesson or a drill.
"""

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

import msgspec
from msgspec import UNSET

from leuthen.bots import BOTS, expect_bot
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER, SEATS, SIDES, WATCHER, SeatSide, Side, as_side, is_side
from leuthen.load import is_known, load, load_with
from leuthen.play.dice import KEY_BYTES, Key
from leuthen.play.proof.ledger import CORRESPONDENCE
from leuthen.play.record import FREE
from leuthen.school.lessons import DRILL, LESSON, SCRIPT, lesson, lesson_of, lessons, question
from leuthen.school.lessons import begin as begin_game
from leuthen.server.session import lookback, messages, players, proposals
from leuthen.server.session.device_sessions import DeviceCaller, DeviceSession, DeviceSessions
from leuthen.server.session.game_session import GameSession, LoadedGame
from leuthen.server.session.history import GameHistory, bare_record, cannot_continue, restore_stored, status_of, why_not
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
    games_of,
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
        self.work_queues = {name: queue for name, queue in vars(self).items() if isinstance(queue, WorkLimit)}

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
                        history.mark_unplayable([], cannot_continue("its proof does not match its record"))
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
        held = sum(one.weight for one in self.sessions.values())
        for game, one in list(self.sessions.items()):
            if held <= self._memory:
                break
            if one.is_idle and one is not session and not self.drivers.is_busy(game):
                held -= one.weight
                del self.sessions[game]
                gc.unfreeze()
        return session

    def _note_change(self, session: GameSession) -> None:
        self.changes += 1
        self._wake(session)

    def _wake(self, session: GameSession) -> None:
        if session.is_machine_due:
            self.drivers.wake(session)

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
NOBODY: Final = messages.DisplayName()
SEED: Final = "lesson"
"""Seed of the dice of lessons, together with the lesson's name and number."""


async def make_game(registry: GameRegistry, visitor: DeviceCaller, new: messages.NewGame) -> messages.CreatedGame:
    expect_players(new.players)
    ruleset = load(new.ruleset)
    history = GameHistory(ruleset, ruleset.new_game(new.scenario, new.options), new.takebacks)
    given = (sitter if who == ME else NOBODY for who, sitter in zip(new.players, new.sitting, strict=True))
    first, second = (messages.DisplayName(players.named(sitter.name), sitter.colour) for sitter in given)
    players.expect_distinct_name(first.name, [second.name])
    return await seat_game(registry, visitor, history, msgspec.structs.replace(new, sitting=(first, second)))


def expect_players(players: Sequence[str]) -> None:
    for who in players:
        if who not in (ME, LINK):
            expect_bot(who)


class Rematch(NamedTuple):
    """The game to be repeated, the devices that take their seats at once, and the players' names by side."""

    game: str
    sitting: Sequence[tuple[DeviceCaller, SeatSide]]
    sitters: tuple[messages.DisplayName, messages.DisplayName]


async def seat_game(
    registry: GameRegistry,
    visitor: DeviceCaller,
    history: GameHistory,
    new: messages.NewGame,
    rematch: Rematch | None = None,
    known: Key | None = None,
) -> messages.CreatedGame:
    """Store a game with its seats. With a `known` key the dice are predictable and not proved.

    Raise Fault if the browser has too many games, AlreadyThere for a second rematch.
    """
    key, storage, at = known or registry.new_key(), registry.storage, registry.clock()
    secrets = [new_secret() for _ in SEATS]
    options = history.ruleset.options
    before, others, sitters = rematch or ("", (), new.sitting)
    game = GameRow(
        id=new_id(),
        ruleset=history.ruleset.name,
        version=history.version,
        data=history.data,
        scenario=new.scenario,
        options=new.options if history.unplayable else {name: options[name][0] for name in options} | new.options,
        title=players.strip_direction_marks(new.title),
        helps=new.helps,
        maker=visitor.lock,
        made=at,
        since=at,
        before=before,
        takebacks=new.takebacks,
        **status_of(history),
    )
    led: list[tuple[DeviceCaller, SeatSide]] = [(visitor, side) for side in SIDES if new.players[side] == ME]
    sitting = list(dict.fromkeys([*(led or [(visitor, WATCHER)]), *others]))
    taken = {side for _, side in sitting}
    seats = list[SeatRow]()
    for side, who, sitter in zip(SEATS, (*new.players, "watcher"), (*sitters, NOBODY), strict=True):
        is_person = who in (ME, LINK)
        is_taken, kind = side in taken or not is_person, "person" if is_person else who
        seats.append(SeatRow(new_id(), game.id, side, kind, is_taken, sitter.name, sitter.colour))
    links = {  # to the gallery, and where nobody sits yet: who sits makes his own
        seat.id: secret
        for seat, secret in zip(seats, secrets, strict=True)
        if seat.side == WATCHER or not seat.is_taken
    }
    lines = [ActionRow(n, history.table.name(actor), text) for n, (actor, text) in enumerate(history.record)]
    seal = None if known else _sealed(history, new, game, seats, key.secret)

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
            rows.add(SealRow(game.id, seal.signing))
            rows.add(*itertools.starmap(ProofRow, enumerate((*seal.opening, *seal.lines))), game=game.id)
        rows.add(*(InvitationRow(hash_of(secret), seat, at) for seat, secret in links.items()))
        for who, side in sitting:
            add_device(rows, seats[side].id, *who, at)

    await storage.write(write)
    stored = StoredGame(game, tuple(seats), tuple(lines), (), key.secret)
    await registry.add(GameSession(storage, history, stored, registry.clock, seal)).proceed()
    mine = {seats[side].id for who, side in sitting if who == visitor}
    return _describe_created(history.ruleset.sides, seats, mine, links)


def _sealed(
    history: GameHistory, new: messages.NewGame, game: GameRow, seats: Sequence[SeatRow], secret: bytes
) -> GameSeal | None:
    """Return the seal of a new game; None if one browser leads both sides or none, or it is over or unplayable."""
    is_led_by_one = LINK not in new.players and new.players.count(ME) != 1
    if is_led_by_one or not history.goes_on:
        return None
    sides = history.ruleset.sides
    seal = begin(secret, token_bytes(KEY_BYTES), header_for(game, seats, sides), sides, new.pace)
    if history.record:
        seal.accept(seal.sealing().bind_import(history.record, history.table.name))
    if new.chain is not UNSET and new.players.count(ME) == 1:
        seal.accept(seal.sealing().give_chain(as_side(new.players.index(ME)), new.chain))
    return seal


def _describe_created(
    sides: Sequence[str], seats: Sequence[SeatRow], own: Collection[str], links: Mapping[str, str]
) -> messages.CreatedGame:
    """Describe a new game to its creator, with the invitations that other people need."""
    shown = {seat.id: link_of(links[seat.id], seat) for seat in seats if seat.id in links}
    made = (
        messages.CreatedSeat(
            seat.side, sides[seat.side], occupant_of(seat), seat.id if seat.id in own else "", shown.get(seat.id, "")
        )
        for seat in seats[:WATCHER]
    )
    return messages.CreatedGame(seats[WATCHER].game, tuple(made), shown.get(seats[WATCHER].id, ""))


def link_of(secret: str, seat: SeatRow | None = None) -> str:
    """Return the link of an invitation, with the game and side of a `seat` for another person.

    Browsers do not send the fragment to servers, logs or referrers.
    """
    return f"/seat/{seat.game}/{seat.side}#{secret}" if seat is not None else f"/seat#{secret}"


async def make_rematch(registry: GameRegistry, device: DeviceSession, session: GameSession) -> messages.CreatedGame:
    """Create the same game with the sides changed; a lesson keeps the pupil's side. A second request gets the existing
    rematch.

    Raise Fault while the first game goes on, without the opponent's consent, and for spectators.
    """
    side, visitor, game = device.seat.side, DeviceCaller(device.row.lock, device.row.what), session.row
    if not is_side(side):
        raise fault(FOREIGN, "You only watch", "Only players can ask for a rematch.")
    if session.history.outcome is None:
        raise fault(STALE, "Game in progress", "You can offer a rematch when this game has ended.")
    old, offer, read = session.seats[:2], session.proposals.get(OTHER[side]), registry.storage.read
    other = old[OTHER[side]]
    is_offered = offer is not None and offer.kind == proposals.REMATCH
    mine, there = await read(lambda rows: (seats_of(rows, visitor.lock), rematch_of(rows, game.id)))
    is_asked = other.who == "person" and other.is_taken and other.id not in mine
    if is_asked and not is_offered and there is None:
        raise fault(STALE, "A rematch is offered", "Offer it: the game is created when your opponent accepts.")
    try:
        if (taught := lesson_of(game.scenario)) is not None:
            previous = await _previous_players(registry, session, {side: taught.side})
            made = await begin_lesson(registry, visitor, taught.name, previous)
        else:
            first, second = (one.who if one.who in BOTS else ME if one.side == side else LINK for one in old)
            new = messages.NewGame(
                (second, first),
                game.ruleset,
                game.scenario,
                dict(game.options),
                game.title,
                game.helps,
                game.takebacks,
                pace=session.seal.ledger.pace if session.seal is not None else CORRESPONDENCE,
            )
            state = begin_game(session.ruleset, game.scenario, game.options)
            history = GameHistory(session.ruleset, state, game.takebacks)
            previous = await _previous_players(registry, session, {0: 1, 1: 0})
            made = await seat_game(registry, visitor, history, new, previous)
        if is_offered:
            offered = {side: ProposalRow(side, proposals.MADE)}
            await registry.storage.write(lambda rows: proposals.store(rows, game.id, offered))
            session.proposals = offered
            session.broadcaster.refresh()
        return made
    except AlreadyThere:
        again = await read(lambda rows: rematch_of(rows, game.id)) or ""
        mine, seats = await read(lambda rows: (seats_of(rows, visitor.lock), rows.find(SeatRow, game=again)))
        return _describe_created(session.ruleset.sides, sorted(seats, key=attrgetter("side")), mine, {})


async def _previous_players(registry: GameRegistry, session: GameSession, sides: Mapping[Side, Side]) -> Rematch:
    """Return the devices and names of the old sides for their new sides."""
    old, sitters = session.seats, [NOBODY, NOBODY]
    sitting: list[tuple[DeviceCaller, SeatSide]] = await registry.storage.read(
        lambda rows: [
            (DeviceCaller(device.lock, device.what), after)
            for before, after in sides.items()
            for device in rows.find(DeviceRow, seat=old[before].id, ended="")
        ]
    )
    for before, after in sides.items():
        sitters[after] = messages.DisplayName(old[before].player, old[before].colour)
    return Rematch(session.id, sitting, (sitters[0], sitters[1]))


async def begin_lesson(
    registry: GameRegistry, visitor: DeviceCaller, name: str, rematch: Rematch | None = None
) -> messages.CreatedGame:
    """Create a game of a lesson. Raise Invalid for an unknown one, Fault if the browser has too many games."""
    taught, scenario = lesson(name), LESSON + name
    ruleset, players = load(taught.ruleset), (taught.enemy, ME) if taught.side else (ME, taught.enemy)
    new = messages.NewGame(players, ruleset.name, scenario, dict(taught.options), taught.title, takebacks=FREE)
    history = GameHistory(ruleset, begin_game(ruleset, scenario, taught.options), FREE)
    return await seat_game(registry, visitor, history, new, rematch, Key.from_seed(SEED, name, taught.seed))


async def begin_drill(registry: GameRegistry, visitor: DeviceCaller, name: str) -> messages.CreatedGame:
    """Create a game of a drill and end the browser's earlier drills. Raise Invalid for an unknown one."""
    asked = question(name)
    ruleset, players = load(asked.drill.game), (SCRIPT, ME) if asked.side else (ME, SCRIPT)
    new = messages.NewGame(players, ruleset.name, DRILL + name, title=f"Drill {asked.drill.rules[0]}", takebacks=FREE)

    def end_earlier(rows: Rows) -> None:
        for game in rows.find(GameRow, maker=visitor.lock, has_ended=False):
            if game.scenario.startswith(DRILL):
                rows.change(GameRow, {"has_ended": True}, id=game.id)

    await registry.storage.write(end_earlier)
    return await seat_game(registry, visitor, GameHistory(ruleset, asked.state, FREE), new, known=registry.new_key())


async def school(registry: GameRegistry, browser: str) -> messages.School:
    """Return all lessons, with the seats where a browser has begun them."""
    mine, found = await registry.storage.read(lambda rows: games_of(rows, browser) if browser else (set(), []))
    begun = {  # in the latest unfinished game of each
        (game.scenario.removeprefix(LESSON), seat.side): seat.id
        for game, seats in sorted(found, key=lambda game: game[0].since)
        for seat in seats
        if game.scenario.startswith(LESSON) and seat.id in mine
        if not game.has_ended and not registry.unplayable(game)
    }
    cards = (
        (one.name, one.ruleset, one.title, one.about, one.minutes, begun.get((one.name, one.side), ""))
        for one in lessons().values()
    )
    return messages.School(tuple(messages.LessonCard(*card) for card in cards))
