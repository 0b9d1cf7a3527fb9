"""A game that is being played: one thing at a time, on disk before anybody is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection

from leuthen.engine.ruleset import CHANCE, WATCHER, Ruleset
from leuthen.load import read_rulings
from leuthen.play.dice import Key
from leuthen.screen import Setting
from leuthen.server import offers, wire
from leuthen.server.attempt import Attempt
from leuthen.server.course import Course
from leuthen.server.feed import Feed
from leuthen.server.glance import Glance
from leuthen.server.keys import answered, fingerprint
from leuthen.server.problems import FOREIGN, fault, stale
from leuthen.server.session import Session
from leuthen.storage import store as kept
from leuthen.storage.faults import AlreadyThere
from leuthen.storage.rows import ActionRow, AnswerRow, GameRow, Kept, SeatRow, Status
from leuthen.storage.store import Store

T = TypeVar("T")
Keyed: TypeAlias = wire.Order | wire.Move | wire.Instruct
"""What a seat asks for that counts once."""
BASE_WEIGHT, LINE_WEIGHT = 300_000, 2_300
"""Bytes of memory that a game takes, and each line of its record."""
_log = logging.getLogger(__name__)


class Room:
    """A game, its seats, and those who listen."""

    def __init__(
        self,
        store: Store,
        course: Course,
        game: GameRow,
        seats: Sequence[SeatRow],
        clock: Callable[[], str],
        key: Key,
    ) -> None:
        self.id = game.id
        self.course = course
        self.ruleset: Ruleset = course.ruleset
        self.glance = Glance(course, game)
        self.feed = Feed(self.glance, seats)
        self.on_change: Callable[[Room], None] = lambda room: None
        """Called after whatever changed the game."""
        self.look_again: Callable[[str], Awaitable[tuple[Kept, Course]]] = _never
        """Gives the game as the database has it now."""
        self._store = store
        self._clock = clock
        self._dice = key.dice()
        self._lock = asyncio.Lock()
        self._scores: dict[tuple[int, int], dict[str, tuple[int, int]]] = {}

    @property
    def is_idle(self) -> bool:
        """Whether it may be put away."""
        return not self.feed.listeners and not self._lock.locked()

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return BASE_WEIGHT + LINE_WEIGHT * len(self.course.record)

    @property
    def bots(self) -> dict[int, str]:
        """The sides that machines lead, and which."""
        return {seat.side: seat.who for seat in self.feed.seats if seat.who not in ("person", "watcher")}

    def take_seat(self, seat: str) -> None:
        """Somebody has taken a seat."""
        self.feed.seats = tuple(
            msgspec.structs.replace(other, is_taken=True) if other.id == seat else other for other in self.feed.seats
        )
        self.feed.refresh()

    def scores_at(self, side: int, line: int) -> Iterator[dict[str, tuple[int, int]] | None]:
        """The scores as a side saw them after a line of the record, in small steps: the last one gives them."""
        key = side, line
        if key not in self._scores:
            table, steps = self.course.way_to(line)
            for _ in steps:
                yield None
            scene = self.glance.scene_of(table.state, side)
            self._scores[key] = {score.id: score.values for score in scene.scores}
        yield self._scores[key]

    async def order(self, session: Session, order: wire.Order) -> wire.Acted:
        """Carries out an order. Raises Fault if the seat had not seen everything, Invalid, Illegal, StorageError."""

        def carry_out(attempt: Attempt) -> None:
            self._expect_going_on()
            attempt.act(session.seat.side, order.order)

        return await self._alone(lambda: self._answer(session, order, carry_out))

    async def move(self, session: Session, move: wire.Move) -> wire.Acted:
        """Carries out what is no action of the rules. Raises as `order` does."""

        def carry_out(attempt: Attempt) -> offers.Offers:
            bots = frozenset(self.bots)
            return offers.carry_out(self.course, attempt, self.glance.offers, session.seat.side, move, bots)

        return await self._alone(lambda: self._answer(session, move, carry_out))

    async def instruct(self, session: Session, instruct: wire.Instruct) -> wire.Acted:
        """Keeps a seat's standing instruction. Raises as `order` does."""
        side = session.seat.side

        def carry_out(attempt: Attempt) -> None:
            self._expect_going_on()
            attempt.instruct(side, attempt.table.words_for(side, instruct.clauses))

        return await self._alone(lambda: self._answer(session, instruct, carry_out))

    def _expect_going_on(self) -> None:
        if self.course.stranded:
            raise offers.stranded(self.course)

    @property
    def is_instructed(self) -> bool:
        """Whether a side has a standing instruction in force that may have something to do."""
        given = () if self.course.stranded else self.course.table.instructions
        return any(one.alarm or (one.is_armed and self.glance.is_asked(side)) for side, one in enumerate(given))

    async def stand_in(self) -> bool:
        """Lets a standing instruction answer as its owner would, or stop; False if none has anything to do."""

        async def stand_in() -> bool:
            table = self.course.table
            for side in (0, 1):
                answer = table.instructed(side)
                if answer is not None:
                    attempt = Attempt(self.course)
                    attempt.stand_in(side, answer)
                    attempt.roll(self._dice)
                    await self._commit(attempt)
                    return True
            return False

        return await self._alone(stand_in)

    async def play(self, side: int, text: str | None, line: int) -> bool:
        """Carries out a bot's order, or what commits least if it has none.

        False if something has happened since line `line` of the record.
        """

        async def play() -> bool:
            if len(self.course.record) != line:
                return False
            attempt = Attempt(self.course)
            attempt.act(side, self.least(side) if text is None else text)
            attempt.roll(self._dice)
            await self._commit(attempt)
            return True

        return await self._alone(play)

    def least(self, side: int) -> str:
        """The order of a side that commits least."""
        position = self.course.position(side)
        return self.ruleset.format_action(position, side, self.ruleset.default(position, side))

    async def roll(self) -> None:
        """Lets chance answer if it is asked."""

        async def roll() -> None:
            attempt = Attempt(self.course)
            attempt.roll(self._dice)
            if attempt.record:
                await self._commit(attempt)

        await self._alone(roll)

    async def _alone(self, work: Callable[[], Awaitable[T]]) -> T:
        """Does one thing at a time, and to its end even if whoever asked for it has gone."""

        async def locked() -> T:
            async with self._lock:
                return await work()

        return await asyncio.shield(asyncio.ensure_future(locked()))

    async def _answer(
        self, session: Session, asked: Keyed, carry_out: Callable[[Attempt], offers.Offers | None]
    ) -> wire.Acted:
        session.expect_open()
        seat = session.seat
        if seat.side == WATCHER:
            raise fault(FOREIGN, "You only watch", "This seat watches: it has no orders to give.")
        before = await self._answered(seat, asked)
        if before is not None:
            return wire.Acted(before)
        n = self.course.tracks[seat.side].n
        if asked.seen != n:
            raise stale(n)
        attempt = Attempt(self.course)
        offered = carry_out(attempt)
        attempt.roll(self._dice)
        answer = AnswerRow(attempt.n(seat.side), fingerprint(asked))
        try:
            await self._commit(
                attempt, offered, lambda connection: kept.add_answer(connection, seat.id, asked.key, answer)
            )
        except AlreadyThere:
            raise stale(self.course.tracks[seat.side].n) from None
        return wire.Acted(answer.n)

    async def _answered(self, seat: SeatRow, asked: Keyed) -> int | None:
        """What the same request was answered before, if it was."""
        return answered(
            await self._store.read(lambda connection: kept.find_answer(connection, seat.id, asked.key)), asked
        )

    async def _commit(
        self,
        attempt: Attempt,
        offered: offers.Offers | None = None,
        also: Callable[[Connection], None] = lambda connection: None,
    ) -> None:
        """Writes what was tried, and then tells of it."""
        status, glance = self._status(attempt), self.glance
        if attempt.table.outcome is not None:
            offered = {}
        first, at, name = len(self.course.record), self._clock(), attempt.table.name
        lines = [ActionRow(first + n, name(actor), text) for n, (actor, text) in enumerate(attempt.record)]

        def write(connection: Connection) -> None:
            also(connection)
            kept.add_actions(connection, self.id, lines, at)
            if status is not None:
                kept.set_status(connection, self.id, status)
            if offered is not None and offered != glance.offers:
                kept.set_proposals(connection, self.id, offered.values())

        try:
            await self._store.write(write)
        except AlreadyThere:
            await self._catch_up()
            raise
        self.course.accept(attempt)
        glance.offers = glance.offers if offered is None else offered
        if status is not None:
            glance.game = msgspec.structs.replace(glance.game, **msgspec.structs.asdict(status))
        try:
            self.feed.publish(attempt.heard)
        except Exception:  # it is on disk all the same: whoever listens comes back and is told anew
            _log.exception("game %s: nobody could be told of what happened", self.id)
            self.feed.end()
        self.on_change(self)

    async def _catch_up(self) -> None:
        """Takes in what another program has written in this game, if there is such a thing."""
        found, course = await self.look_again(self.id)
        if course.record == self.course.record:
            return
        _log.warning("game %s: another program has written in it; it was read again", self.id)
        self.course = self.glance.course = course
        self.feed.seats, self.glance.game = found.seats, found.game
        self.glance.offers = {offer.side: offer for offer in found.proposals}
        self.glance.forget()
        self._scores.clear()
        self.feed.refresh()

    def _status(self, attempt: Attempt) -> Status | None:
        """What the list of games has to tell now, if that changed. Drafts make no difference to it."""
        game = self.glance.game
        old = Status(game.date, game.waiting, game.since, game.result, game.has_ended)
        new = status_of(attempt, game.since)
        if self.course.stranded:
            new = msgspec.structs.replace(new, date=game.date, waiting=0)
        if attempt.heard[WATCHER] or new.waiting != old.waiting:
            new = msgspec.structs.replace(new, since=self._clock())
        return None if new == old else new


async def _never(game: str) -> tuple[Kept, Course]:
    raise LookupError(game)


def status_of(game: Attempt | Course, since: str) -> Status:
    """What the list of games tells of a game, as everybody may know it."""
    table, ruleset = game.table, game.table.ruleset
    position = table.seen_by(WATCHER)
    asked = [pending.actor for pending in ruleset.pending(position) if pending.actor != CHANCE]
    waiting = 0 if table.outcome is not None else sum(1 << side for side in asked)
    return Status(date_of(ruleset, position), waiting, since, result_of(game), table.outcome is not None)


def date_of(ruleset: Ruleset, position: Any) -> str:
    """The date of a position: «early April 1757»."""
    year, turn = ruleset.date(position)
    turns = setting_of(ruleset).turns
    return f"{turns[turn - 1]} {year}" if 0 < turn <= len(turns) else str(year)


def result_of(game: Attempt | Course) -> str:
    """How a game ended, as a sentence, or ""."""
    outcome = game.table.outcome
    if outcome is None:
        return ""
    rule = f" ({outcome.rule})" if outcome.rule else ""
    how = f"{outcome.how}, {outcome.year}{rule}."
    return f"A draw: {how}" if outcome.winner is None else f"{game.table.name(outcome.winner).capitalize()} wins: {how}"


_SETTINGS: dict[str, Setting] = {}


def setting_of(ruleset: Ruleset) -> Setting:
    """What never changes in a rule set, made once."""
    key = f"{ruleset.name} {ruleset.version} {ruleset.digest}"
    if key not in _SETTINGS:
        rulings = read_rulings(ruleset.name)
        _SETTINGS[key] = msgspec.structs.replace(ruleset.presenter.setting(), rulings=rulings)
    return _SETTINGS[key]
