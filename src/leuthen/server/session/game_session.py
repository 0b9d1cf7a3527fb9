"""A game that is being played: one thing at a time, on disk before anybody is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

import msgspec

from leuthen.engine.ruleset import CHANCE, SIDES, WATCHER, ActorId, Ruleset, SeatSide, Side, ViewerId, is_side
from leuthen.play.dice import Key
from leuthen.play.record import RESIGN, STANDING
from leuthen.play.transaction import Falls
from leuthen.server.session import answers, going_on, proposals, requests, talk
from leuthen.server.session.addresses import metered
from leuthen.server.session.broadcaster import Broadcaster
from leuthen.server.session.device_session import DeviceSession
from leuthen.server.session.following import order_both
from leuthen.server.session.history import GameHistory
from leuthen.server.session.idempotency import Keyed, fingerprint, once
from leuthen.server.session.problems import FOREIGN, UNKNOWN, fault, stale
from leuthen.server.session.seal import GameSeal, Sealing, ending
from leuthen.server.session.seat_view import SeatView
from leuthen.server.session.staffs import Staffs
from leuthen.server.session.status import changed_status
from leuthen.server.session.subscriber import message
from leuthen.server.session.transaction import GameTransaction
from leuthen.storage import games as kept
from leuthen.storage import thoughts
from leuthen.storage.faults import AlreadyThere
from leuthen.storage.rows import ActionRow, AnswerRow, GameRow, KeptGame, Rows, SeatRow, Storage, ThoughtRow

T = TypeVar("T")
CarryOut: TypeAlias = Callable[[GameTransaction, Side, Falls], proposals.Proposals | None]
"""Tries what a side asks for, with what answers for chance; gives what is offered then, None if that is as before."""
Found: TypeAlias = tuple[KeptGame, GameHistory, GameSeal | None]
"""A game as the database has it, played again."""
BASE_WEIGHT, LINE_WEIGHT = 300_000, 600
"""Bytes of memory that a game takes, and each line of its record."""
_log = logging.getLogger(__name__)


class GameSession:
    """A game, its seats, and those who listen."""

    def __init__(
        self,
        storage: Storage,
        history: GameHistory,
        game: GameRow,
        seats: Sequence[SeatRow],
        clock: Callable[[], str],
        key: Key,
        seal: GameSeal | None = None,
    ) -> None:
        """`seal`: None where nothing is proved, and the key alone makes the dice."""
        self.id = game.id
        self.history = history
        self.ruleset: Ruleset = history.ruleset
        self.seat_view = SeatView(history, game)
        self.seat_view.seal = seal
        self.broadcaster = Broadcaster(self.seat_view, seats)
        self.staffs = Staffs(storage, self.broadcaster)
        self.on_change: Callable[[GameSession], None] = lambda session: None
        """Called after whatever changed the game."""
        self.on_watched: Callable[[GameSession], None] = lambda session: None
        """Called when a stream opens on a game of machines, which rest while nobody watches."""
        self.look_again: Callable[[str], Awaitable[Found]] = _never
        """Gives the game as the database has it now."""
        self.storage = storage
        self._clock = clock
        self._dice = key.dice()
        self._lock = asyncio.Lock()
        self._scores: dict[tuple[ViewerId, int], dict[str, tuple[int, int]]] = {}

    @property
    def is_idle(self) -> bool:
        """Whether it may be put away."""
        return not self.broadcaster.subscribers and not self._lock.locked()

    def content(self, side: SeatSide, eyes: ViewerId) -> tuple[object, ...] | None:
        """What changes as soon as a seat may be told anything else of the game so far, by what that viewer knows alone.

        None while something may look different of which he has not been told.
        """
        history, seal = self.history, self.seat_view.seal
        own, seen = history.logs[side], history.logs[eyes]
        if own.is_stirred or seen.is_stirred:
            return None
        ended = history.outcome and (len(history.record), seal and seal.length)
        return own.n, seen.n, ended, history.stranded, self.broadcaster.seats

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return BASE_WEIGHT + LINE_WEIGHT * len(self.history.record)

    @property
    def bots(self) -> dict[Side, str]:
        """The sides that machines lead, and which."""
        led = ((seat.side, seat.who) for seat in self.broadcaster.seats)
        return {side: who for side, who in led if is_side(side) and who != "person"}

    @property
    def is_of_machines(self) -> bool:
        """Whether no person leads a side."""
        return len(self.bots) == len(SIDES)

    @property
    def is_attended(self) -> bool:
        """Whether a person leads a side or somebody watches: else machines rest."""
        return not self.is_of_machines or bool(self.broadcaster.subscribers)

    def reseat(self, seat: SeatRow) -> None:
        """Somebody has taken a seat, or is called otherwise. Everybody is told, if that is news."""
        seats = tuple(seat if other.id == seat.id else other for other in self.broadcaster.seats)
        if seats != self.broadcaster.seats:
            self.broadcaster.seats = seats
            self.broadcaster.refresh()
        self.broadcaster.tell_watchers()

    def scores_at(self, viewer: ViewerId, line: int) -> Iterator[dict[str, tuple[int, int]] | None]:
        """The scores as a viewer saw them after a line of the record, in small steps: the last one gives them."""
        key = viewer, line
        if key not in self._scores:
            table, steps = self.history.way_to(line)
            for _ in steps:
                yield None
            scene = self.seat_view.scene_of(table.state, viewer)
            self._scores[key] = {score.id: score.values for score in scene.scores}
        yield self._scores[key]

    async def order(self, device: DeviceSession, order: requests.Order) -> answers.Acted:
        """Carries out an order. Raises Fault if the seat had not seen everything, Invalid, Illegal, StorageError."""

        def carry_out(transaction: GameTransaction, side: Side, falls: Falls) -> None:
            self._expect_going_on()
            order_both(transaction, side, order.order, order.halt or "", falls)

        return await self.alone(lambda: self._answer(device, order, carry_out))

    async def move(self, device: DeviceSession, move: requests.TableMove) -> answers.Acted:
        """Carries out what is no action of the rules. Raises as `order` does."""

        def carry_out(transaction: GameTransaction, side: Side, falls: Falls) -> proposals.Proposals | None:
            self._expect_no_die_awaited(move)
            if move.do == "undo" and self.seat_view.is_die_awaited:
                return proposals.undo_waiting(transaction, self.seat_view.proposals, side, falls)
            if move.do == "go-on":
                self._expect_going_on()
                going_on.go_on(transaction, side, move.until, falls, move.theatres)
                return None
            offered, bots = self.seat_view.proposals, self.bots
            return proposals.carry_out(transaction, offered, side, move, bots)

        return await self.alone(lambda: self._answer(device, move, carry_out))

    async def instruct(self, device: DeviceSession, instruct: requests.Instruct) -> answers.Acted:
        """Keeps a seat's standing instruction. Raises as `order` does."""

        def carry_out(transaction: GameTransaction, side: Side, _: Falls) -> None:
            self._expect_going_on()
            transaction.say(side, f"{STANDING} {transaction.table.words_for(side, instruct.clauses)}")

        return await self.alone(lambda: self._answer(device, instruct, carry_out))

    def _expect_going_on(self) -> None:
        if self.history.stranded:
            raise proposals.stranded(self.history)

    def _expect_no_die_awaited(self, move: requests.TableMove) -> None:
        offers = self.seat_view.proposals.values()
        is_granted = move.do == "accept" and any(offer.kind == proposals.TAKEBACK for offer in offers)
        if self.seat_view.seal is not None and (is_granted or move.do == "ask-takeback"):
            self.seat_view.seal.expect_nothing_falls()

    @property
    def is_instructed(self) -> bool:
        """Whether a side has a standing instruction in force that may have something to do."""
        given = () if self.history.stranded else self.history.table.instructions
        return any(
            one.alarm or (one.is_armed and self.seat_view.is_asked(side))
            for side, one in zip(SIDES, given, strict=False)
        )

    async def stand_in(self) -> bool:
        """Lets a standing instruction answer as its owner would, or stop; False if none has anything to do."""

        async def stand_in() -> bool:
            table = self.history.table
            for side in SIDES:
                answer = table.instructed(side)
                if answer is not None:
                    transaction = GameTransaction(self.history)
                    transaction.stand_in(side, answer)
                    await self._commit(transaction, self._proceed(transaction, self._by_itself(side)))
                    return True
            return False

        return await self.alone(stand_in)

    async def thought_of(self, side: Side) -> bytes:
        """What the machine that leads a side took along from its last decision."""
        return await self.storage.read(lambda rows: thoughts.last_thought(rows, self.broadcaster.seats[side].id))

    async def play(self, side: Side, text: str | None, line: int, thought: bytes = b"") -> bool:
        """Carries out a bot's order or resignation, or what commits least, and keeps its thought with the seat.

        False if something has happened since line `line` of the record.
        """

        async def play() -> bool:
            if len(self.history.record) != line:
                return False
            seat, had = self.broadcaster.seats[side].id, ThoughtRow(len(self.history.table.log), thought)
            order = self.least(side) if text is None else text
            await self.act_for(side, order, lambda rows: thoughts.add_thought(rows, seat, had))
            return True

        return await self.alone(play)

    async def act_for(self, side: Side, text: str, also: Callable[[Rows], None]) -> None:
        """Carries out an order that no device gave, while nothing else is done; `also` is written with it."""
        transaction = GameTransaction(self.history)
        (transaction.say if text == RESIGN else transaction.act)(side, text)
        await self._commit(transaction, self._proceed(transaction, self._by_itself(side)), also=also)

    async def settle_draw(self, side: Side, accepts: bool) -> bool:
        """A machine accepts a draw or declines it. False if none is offered any more."""

        async def settle() -> bool:
            transaction = GameTransaction(self.history)
            left = proposals.answer_draw(transaction, self.seat_view.proposals, side, accepts)
            if left is not None:
                await self._commit(transaction, self._watching(transaction, self._by_itself(side)), left)
            return left is not None

        return await self.alone(settle)

    def least(self, side: Side) -> str:
        """The order of a side that commits least."""
        position = self.history.position(side)
        return self.ruleset.format_action(position, side, self.ruleset.legal_actions(position, side).default())

    async def proceed(self) -> None:
        """Lets chance answer if it is asked, and who has only one answer."""

        async def proceed() -> None:
            transaction = GameTransaction(self.history)
            sealing = self._proceed(transaction, self._by_itself(CHANCE))
            if transaction.lines:
                await self._commit(transaction, sealing)

        await self.alone(proceed)

    async def say(self, device: DeviceSession, said: requests.Say) -> answers.ChatLine:
        """Says something to all at the table. Raises Fault for the gallery before the end."""
        if device.seat.side == WATCHER and self.history.outcome is None:
            raise fault(FOREIGN, "You only watch", "Whoever watches may speak when the game has ended.")
        row, is_new = await self.storage.write(lambda rows: talk.say(rows, self.id, device.seat, self._clock(), said))
        if is_new:
            self.broadcaster.broadcast(message("chat", answers.chat_line(row)))
        return answers.chat_line(row)

    async def remark(self, side: Side, text: str) -> None:
        """A machine says something to all at the table."""
        row = await self.storage.write(lambda rows: talk.remark(rows, self.id, side, self._clock(), text))
        if row is not None:
            self.broadcaster.broadcast(message("chat", answers.chat_line(row)))

    async def alone(self, work: Callable[[], Awaitable[T]]) -> T:
        """Does one thing at a time, and to its end even if whoever asked for it has gone."""

        async def locked() -> T:
            async with self._lock:
                return await work()

        return await asyncio.shield(asyncio.ensure_future(metered(locked())))

    async def _answer(self, device: DeviceSession, asked: Keyed, carry_out: CarryOut) -> answers.Acted:
        device.expect_open()
        seat, side = device.seat.id, device.player("orders to give")
        n = await once(self.storage, seat, asked, lambda: self._try(seat, side, asked, carry_out))
        return answers.Acted(n, self.seat_view.sealed(side))

    async def _try(self, seat: str, side: Side, asked: Keyed, carry_out: CarryOut) -> int:
        n = self.history.logs[side].n
        if asked.seen != n:
            raise stale(n)
        transaction = GameTransaction(self.history)
        seal = self.seat_view.seal
        sealing = self._watching(transaction, seal.sealing().asked(side, asked.share) if seal else None)
        falls = sealing or self._dice
        offered = carry_out(transaction, side, falls)
        transaction.proceed(falls)
        answer = AnswerRow(transaction.n(side), fingerprint(asked))
        await self._commit_or_stale(
            transaction, sealing, side, offered, lambda rows: rows.add(answer, seat=seat, key=asked.key)
        )
        await self.staffs.heed(side, transaction.lines)
        return answer.n

    async def _commit_or_stale(
        self,
        transaction: GameTransaction,
        sealing: Sealing | None,
        side: Side,
        offered: proposals.Proposals | None = None,
        also: Callable[[Rows], None] = lambda rows: None,
    ) -> None:
        """As `_commit`. Raises Fault if another program has written in the game meanwhile."""
        try:
            await self._commit(transaction, sealing, offered, also)
        except AlreadyThere:
            raise stale(self.history.logs[side].n) from None

    async def _commit(
        self,
        transaction: GameTransaction,
        sealing: Sealing | None,
        offered: proposals.Proposals | None = None,
        also: Callable[[Rows], None] = lambda rows: None,
    ) -> None:
        """Writes what was tried, and then tells of it."""
        seat_view, stranded = self.seat_view, bool(self.history.stranded)
        status = changed_status(transaction, seat_view.game, is_stranded=stranded, now=self._clock)
        if transaction.table.outcome is not None:
            offered = proposals.after_the_end(seat_view.proposals if offered is None else offered)
        first, at, name = len(self.history.record), self._clock(), transaction.table.name
        lines = [ActionRow(first + n, name(actor), text) for n, (actor, text) in enumerate(transaction.lines)]
        self._bind(sealing, transaction)

        def write(rows: Rows) -> None:
            also(rows)
            if transaction.left is not None:
                thoughts.forget_thoughts(rows, [seat.id for seat in self.broadcaster.seats], transaction.left)
            rows.add(*lines, game=self.id, at=at)
            if sealing is not None:
                kept.add_proof(rows, self.id, sealing.first, sealing.ledger.added)
            if status is not None:
                rows.change(GameRow, msgspec.structs.asdict(status), id=self.id)
            if offered is not None and offered != seat_view.proposals:
                proposals.keep(rows, self.id, offered)

        try:
            await self.storage.write(write)
        except AlreadyThere:
            await self._catch_up()
            raise
        if sealing is not None and seat_view.seal is not None:
            seat_view.seal.accept(sealing)
        seat_view.proposals = seat_view.proposals if offered is None else offered
        if status is not None:
            seat_view.game = msgspec.structs.replace(seat_view.game, **msgspec.structs.asdict(status))
        self._tell(transaction)

    def _tell(self, transaction: GameTransaction) -> None:
        """Tells of what is on disk."""
        self.history.accept(transaction)
        try:
            self.broadcaster.publish(transaction.notifications)
        except Exception:  # it is on disk all the same: whoever listens comes back and is told anew
            _log.exception("game %s: nobody could be told of what happened", self.id)
            self.broadcaster.end()
        self.on_change(self)

    async def _catch_up(self) -> None:
        """Takes in what another program has written in this game, if there is such a thing."""
        there = len(self.history.record) - 1, self.seat_view.seal.length - 1 if self.seat_view.seal else -1
        if there == await self.storage.read(lambda rows: kept.ends_of(rows, self.id)):
            return
        found, history, seal = await self.look_again(self.id)
        _log.warning("game %s: another program has written in it; it was read again", self.id)
        self.history = self.seat_view.history = history
        self.seat_view.seal = seal
        self.broadcaster.seats, self.seat_view.game = found.seats, found.game
        self.seat_view.proposals = {offer.side: offer for offer in found.proposals}
        self.staffs.take(found.thoughts)
        self.seat_view.forget()
        self._scores.clear()
        self.broadcaster.refresh()

    # --- the seal ----------------------------------------------------------------------------------------------------

    async def take_part(self, device: DeviceSession, begin: Callable[[GameSeal, Side], Sealing | None]) -> GameSeal:
        """A device does its part for the seal, if there is any to do, and what waited for it goes on. Raises Fault."""

        async def take_part() -> GameSeal:
            device.expect_open()
            seal, side = self.seat_view.seal, device.seat.side
            if not is_side(side) or seal is None:
                raise fault(UNKNOWN, "Nothing to take part in", "This seat has no part in dice that are proved.")
            if (sealing := begin(seal, side)) is not None:
                transaction = GameTransaction(self.history)
                await self._commit_or_stale(transaction, self._proceed(transaction, sealing), side)
            return seal

        return await self.alone(take_part)

    def _bind(self, sealing: Sealing | None, transaction: GameTransaction) -> None:
        if sealing is not None:
            end = ending(transaction.table, is_stranded=bool(self.history.stranded))
            sealing.finish(is_told=bool(transaction.notifications[WATCHER]), end=end)

    def _by_itself(self, side: ActorId) -> Sealing | None:
        """Goes on with the seal at no request: what comes a side's machine or instruction brings about, or chance."""
        return self.seat_view.seal.sealing().by_itself(side) if self.seat_view.seal else None

    def _proceed(self, transaction: GameTransaction, sealing: Sealing | None) -> Sealing | None:
        """Lets chance answer what the transaction has brought about, and who has only one answer."""
        transaction.proceed(self._watching(transaction, sealing) or self._dice)
        return sealing

    def _watching(self, transaction: GameTransaction, sealing: Sealing | None) -> Sealing | None:
        if sealing is not None:
            sealing.watch(transaction, len(self.history.record))
        return sealing


async def _never(game: str) -> Found:
    raise LookupError(game)
