"""A running game: requests are handled one at a time and stored before anyone is notified."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import wraps
from hashlib import sha256
from typing import Concatenate, Final, ParamSpec, TypeAlias, TypeVar
from weakref import proxy

import msgspec

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, OTHER, SIDES, WATCHER, ActorId, SeatSide, Side, ViewerId, is_side
from leuthen.load import has_value
from leuthen.play.dice import Key
from leuthen.play.record import AGREE, RESIGN, STANDING, TAKE_BACK, text_of
from leuthen.play.table import NothingToUndo
from leuthen.screen.presenter import Standing
from leuthen.server.session import messages, proposals
from leuthen.server.session.device_sessions import DeviceSession
from leuthen.server.session.history import DiceSource, GameHistory, GameTransaction, RecordLine, changed_status
from leuthen.server.session.limits import charge_steps
from leuthen.server.session.messages import BAD, FOREIGN, ILLEGAL, STALE, TOO_MANY, UNKNOWN, Fault, fault, stale
from leuthen.server.session.players import strip_direction_marks
from leuthen.server.session.proposals import AFTER_THE_END, DECLINED, Proposals, unplayable
from leuthen.server.session.seal import GameSeal, Sealing, end_words_for, header_for, other_pace
from leuthen.server.session.staff import BEGUN, UNSIGNED, StaffAnswer, StaffState, decode, store_state
from leuthen.server.session.streams import Broadcaster, SeatView, Subscriber, message
from leuthen.storage.rows import (
    ActionRow,
    AlreadyThere,
    AnswerRow,
    ChatRow,
    GameRow,
    ProofRow,
    ProposalRow,
    Rows,
    SeatRow,
    Storage,
    StoredGame,
    ThoughtRow,
    add_thought,
    first,
    forget_thoughts,
    last_thought,
)

P = ParamSpec("P")
T = TypeVar("T")
Request: TypeAlias = messages.Order | messages.TableMove | messages.Instruct
LoadedGame: TypeAlias = tuple[StoredGame, GameHistory, GameSeal | None]
"""A stored game, replayed."""
BASE_WEIGHT, LINE_WEIGHT = 300_000, 1_500
"""Estimated bytes of memory per game, and per record line."""
MOST_SAID: Final = 5000
"""Maximum number of chat lines in a game."""
_log = logging.getLogger(__name__)


def _serialized(
    work: Callable[Concatenate[GameSession, P], Coroutine[object, object, T]],
) -> Callable[Concatenate[GameSession, P], Awaitable[T]]:
    """Serialize calls of a session's method; a call completes even if its request is cancelled."""

    @wraps(work)
    def alone(session: GameSession, /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        async def locked() -> T:
            async with session._lock:
                return await work(session, *args, **kwargs)

        return asyncio.shield(asyncio.ensure_future(charge_steps(locked())))

    return alone


class GameSession(SeatView):
    def __init__(
        self,
        storage: Storage,
        history: GameHistory,
        found: StoredGame,
        clock: Callable[[], str],
        seal: GameSeal | None = None,
    ) -> None:
        """Without a `seal`, the key alone decides the dice."""
        super().__init__(history, found, seal)
        self.id = found.game.id
        self.storage = storage
        self.bots = {side: self.seats[side].who for side in SIDES if self.seats[side].who != "person"}
        self.broadcaster = Broadcaster(proxy(self))  # so that a game that is put away is freed at once
        self.on_change: Callable[[GameSession], None] = lambda session: None
        self.on_watched: Callable[[GameSession], None] = lambda session: None
        """Called when a stream opens on a game between bots, which pause without spectators."""
        self.reload: Callable[[str], Awaitable[LoadedGame]]
        """Reloads the game from the database."""
        self._clock = clock
        self._dice = Key(found.key).dice()
        self._lock = asyncio.Lock()
        self._made: dict[object, tuple[object, bytes]] = {}
        """Cached answers, each with its version."""
        self.scores: dict[tuple[ViewerId, int], dict[str, tuple[int, int]]] = {}
        """Cached scores: as a viewer saw them after a record line."""

    # --- what a seat asks for ----------------------------------------------------------------------------------------

    @_serialized
    async def submit(self, device: DeviceSession, request: Request) -> messages.OrderResult:
        """Carry out a device's request exactly once; a repeated request gets the earlier answer.

        Raise Fault if the seat had not seen the latest number, Invalid, Illegal or StorageError; nothing has changed
        then.
        """
        device.expect_open()
        if isinstance(request, messages.Instruct):
            self.expect_standing(device)
        seat, side = device.seat.id, device.player("orders to give")
        try:
            if request.seen != (n := self.history.logs[side].n):
                raise stale(n)
            transaction = GameTransaction(self.history)
            sealing = self.seal.sealing(transaction).asked(side, request.share) if self.seal else None
            dice = sealing or self._dice
            offered = self._act(transaction, side, request, dice)
            if sealing is not None and offered is not None and isinstance(request, messages.TableMove):
                asked, asks = proposals.pace_asked(self.proposals), proposals.pace_asked(offered)
                is_agreed = request.do in ("accept", "ask-pace") and asked == OTHER[side] and asks is None
                sealing.settle_pace(side, asks, is_agreed=is_agreed)
            transaction.proceed(dice)
            answer = AnswerRow(transaction.n(side), _fingerprint(request))
            await self._commit(transaction, sealing, offered, lambda rows: rows.add(answer, seat=seat, key=request.key))
        except (Fault, Illegal, Invalid, AlreadyThere) as error:
            answered = await self.storage.read(lambda rows: _earlier_answer(rows, seat, request.key, request))
            if answered is None and isinstance(error, AlreadyThere):  # another program has written in the game
                raise stale(self.history.logs[side].n) from None
            if answered is None:
                raise
        else:
            answered = answer.n
            await self._on_player_action(side, transaction.lines)
        return messages.OrderResult(answered, self.seal.status(side) if self.seal else None)

    def _act(self, transaction: GameTransaction, side: Side, request: Request, dice: DiceSource) -> Proposals | None:
        """Carry out a request in the transaction; return the new proposals, None if they are unchanged."""
        history, offers, other = self.history, self.proposals, OTHER[side]
        do = request.do if isinstance(request, messages.TableMove) else ""
        if history.unplayable and do in ("", "go-on", "undo", "ask-takeback"):
            raise unplayable(history)
        is_granted = do == "accept" and any(offer.kind == proposals.TAKEBACK for offer in offers.values())
        if (is_granted or do == "ask-takeback") and self.is_die_awaited:
            # until the die falls only its own side can take back, by `undo`
            raise fault(STALE, "A roll is waiting", "Wait for the roll before you ask for or grant a takeback.")
        match request:
            case messages.Order() if request.halt:
                proposals.order_then_halt(transaction, side, request.order, request.halt, dice)
            case messages.Order():
                transaction.act(side, request.order)
            case messages.Instruct():
                transaction.say(side, f"{STANDING} {transaction.table.instruction_text(side, request.clauses)}")
            case messages.TableMove(do="go-on"):
                proposals.pass_until(transaction, side, request.until, dice, request.theatres)
            case messages.TableMove(do="roll-alone"):
                if not (isinstance(dice, Sealing) and dice.roll_alone(side)):
                    raise fault(STALE, "No roll waits", "No roll waits for your opponent's browser alone.")
            case messages.TableMove(do="undo") if self.is_die_awaited:
                if not dice.is_pending(transaction.table.place):
                    raise fault(STALE, "The die has been rolled", "The roll can no longer be taken back.")
                if (kept := transaction.table.waiting_order(side)) is None:
                    raise NothingToUndo
                transaction.say(side, f"{TAKE_BACK} {kept}")  # even if others know of it
                return {who: offer for who, offer in offers.items() if offer.kind != proposals.TAKEBACK}
            case messages.TableMove(do="undo"):
                transaction.undo(side)
            case messages.TableMove(do="resign"):
                transaction.say(side, RESIGN)
            case messages.TableMove(do="offer-draw") if history.unplayable and other in self.bots:
                transaction.say(other, AGREE)
                return {}
            case messages.TableMove(do="offer-draw"):
                if history.outcome is not None:
                    raise fault(STALE, "The game has ended", "The game has ended.")
                if other in self.bots and not has_value(self.ruleset.name):
                    raise fault(STALE, "No draw", "The machine plays on to the end.")
                return {**offers, side: ProposalRow(side, proposals.DRAW)}
            case messages.TableMove(do="offer-rematch"):
                if history.outcome is None:
                    raise fault(STALE, "Game in progress", "You can offer a rematch when this game has ended.")
                return {**offers, side: ProposalRow(side, proposals.REMATCH)}
            case messages.TableMove(do="ask-pace"):
                if not history.goes_on or self.bots or self.seal is None or not self.seal.ledger.can_switch:
                    raise fault(STALE, "No other pace", "The pace of this game cannot be switched.")
                asked = ProposalRow(side, f"{proposals.PACE}{other_pace(self.seal.ledger.pace)}")
                is_agreed = any(offer.kind == asked.kind for offer in offers.values())
                return {} if is_agreed else {**offers, side: asked}
            case messages.TableMove(do="ask-takeback"):
                return proposals.ask_takeback(transaction, offers, side, request.to, other in self.bots)
            case messages.TableMove(do="withdraw"):
                return proposals.without(offers, side)
            case messages.TableMove(do="accept" | "decline"):
                proposals.expect_same(history, offers, side, request)
                return proposals.answer(transaction, offers, side, accepts=do == "accept")
        return None

    async def _commit(
        self,
        transaction: GameTransaction,
        sealing: Sealing | None,
        offered: Proposals | None = None,
        also: Callable[[Rows], None] = lambda rows: None,
    ) -> None:
        """Seal, store, accept and publish a transaction. `also` is written in the same commit."""
        history, before = self.history, self.proposals
        offered = before if offered is None else offered
        outcome, end = transaction.table.outcome, ""
        if outcome is not None:
            left = (offer for offer in offered.values() if offer.kind.removeprefix(DECLINED) in AFTER_THE_END)
            offered = {offer.side: offer for offer in left}
            end = end_words_for(transaction.table, is_unplayable=bool(history.unplayable))
        status = changed_status(transaction, self.row, self._clock)
        at, name = self._clock(), transaction.table.name
        numbered = enumerate(transaction.lines, len(history.record))
        lines = [ActionRow(number, name(actor), text) for number, (actor, text) in numbered]
        if sealing is not None:
            sealing.finish(is_told=bool(transaction.notifications[WATCHER]), end=end)

        def write(rows: Rows) -> None:
            also(rows)
            if transaction.left is not None:
                forget_thoughts(rows, [seat.id for seat in self.seats], transaction.left)
            rows.add(*lines, game=self.id, at=at)
            if sealing is not None:
                rows.add(*itertools.starmap(ProofRow, enumerate(sealing.ledger.added, sealing.first)), game=self.id)
            if status:
                rows.change(GameRow, status, id=self.id)
            if offered != before:
                proposals.store(rows, self.id, offered)

        try:
            await self.storage.write(write)
        except AlreadyThere:
            await self._catch_up()
            raise
        if sealing is not None and self.seal is not None:
            self.seal.accept(sealing)
        self.proposals = offered
        self.row = msgspec.structs.replace(self.row, **status)
        history.accept(transaction)
        try:
            if self.broadcaster.subscribers:
                self.broadcaster.publish(transaction.notifications)
        except Exception:  # it is stored nevertheless: subscribers reconnect and get a snapshot
            _log.exception("game %s: a change could not be published", self.id)
            self.broadcaster.end()
        self.on_change(self)

    async def _catch_up(self) -> None:
        """Reload the game if another process has written to it."""
        last_line, last_proof = await self.storage.read(
            lambda rows: (rows.last(ActionRow, "number", game=self.id), rows.last(ProofRow, "number", game=self.id))
        )
        there = last_line.number + 1 if last_line else 0, last_proof.number + 1 if last_proof else 0
        if there == (len(self.history.record), self.seal.length if self.seal else 0):
            return
        found, self.history, self.seal = await self.reload(self.id)
        _log.warning("game %s: another program has written in it; it was read again", self.id)
        self._take(found)
        self.scenes.clear()
        self.scores.clear()
        self.broadcaster.refresh()

    # --- what a seat is shown ----------------------------------------------------------------------------------------

    def join(self, device: DeviceSession, subscriber: Subscriber, after: int) -> list[bytes]:
        """Open a stream after number `after`; return its first messages."""
        device.subscribers.add(subscriber)
        subscriber.watcher = device.watcher
        said = self.broadcaster.join(subscriber, after)
        if self.is_of_machines:
            self.on_watched(self)
        return said

    def is_alone(self, side: SeatSide) -> bool:
        """Return whether no opponent can place chosen text next to secrets of this seat (compression attack).

        Spectators receive nothing secret, an ended game has no secrets, and a bot cannot observe the connection.
        """
        return not is_side(side) or self.history.outcome is not None or self.seats[OTHER[side]].who != "person"

    def player(self, device: DeviceSession) -> Side:
        """Return the side of a device that can give orders. Raise Fault."""
        side = device.player("orders to give")
        if self.history.unplayable:
            raise unplayable(self.history)
        return side

    def worker_input(self, side: SeatSide) -> tuple[str, str, bytes]:
        """Return the input of a worker process: rule set, digest of its data, and the encoded view of a seat."""
        return self.ruleset.name, self.ruleset.digest, self.ruleset.encode_view(self.view(side))

    def expect_standing(self, device: DeviceSession) -> Standing:
        device.player("instructions to give")
        if self.ruleset.standing is None:
            raise fault(UNKNOWN, "No standing instructions", "There are no standing instructions in this game.")
        return self.ruleset.standing

    # --- dice of everybody's secrets ---------------------------------------------------------------------------------

    @_serialized
    async def take_part(self, device: DeviceSession, given: messages.NewChain | messages.Share) -> messages.SealCard:
        """Add a device's chain, or accept the link for which a die is pending, which is rolled. Raise Fault.

        Nothing happens if the chain is known and unused, or no link is awaited.
        """
        device.expect_open()
        seal, side = self.seal, device.seat.side
        if not is_side(side) or seal is None:
            raise fault(UNKNOWN, "No seeded rolls", "This seat does not help to seed rolls.")
        transaction = GameTransaction(self.history)
        sealing = seal.sealing(transaction)
        if isinstance(given, messages.Share):
            if not seal.is_waiting_for(side):
                return seal.card(side)
            sealing = sealing.asked(side, given)
        else:
            if any(links.last == given.top for links in seal.ledger.chains[seal.ledger.sides[side]]):
                return seal.card(side)
            sealing = sealing.give_chain(side, given)
        transaction.proceed(sealing)
        try:
            await self._commit(transaction, sealing)
        except AlreadyThere:
            raise stale(self.history.logs[side].n) from None
        return seal.card(side)

    # --- machines and standing instructions --------------------------------------------------------------------------

    @property
    def is_of_machines(self) -> bool:
        return len(self.bots) == len(SIDES)

    @property
    def is_attended(self) -> bool:
        return not self.is_of_machines or bool(self.broadcaster.subscribers)

    @property
    def is_machine_due(self) -> bool:
        """True if an instruction, a bot or a staff has something to answer and is allowed to."""
        is_asked = self.is_instructed or self.next_bot or self.draw_for_bot or self.next_staff
        return bool(is_asked) and self.is_attended

    @property
    def is_instructed(self) -> bool:
        given = zip(SIDES, self.history.table.instructions, strict=True)
        is_due = any(one.alarm or (one.is_armed and self.is_asked(side)) for side, one in given)
        return is_due and not self.history.unplayable

    @property
    def next_bot(self) -> tuple[Side, str] | None:
        """The side led by a bot that must answer now, and the bot's name."""
        return next((item for item in self.bots.items() if self.is_asked(item[0])), None)

    @property
    def next_staff(self) -> tuple[Side, StaffState] | None:
        """The side whose staff is at work and must answer now, and the staff's state."""
        at_work = (item for item in self.staffs.items() if item[1].is_at_work)
        return next((item for item in at_work if self.is_asked(item[0])), None)

    @property
    def draw_for_bot(self) -> tuple[Side, str] | None:
        """The side led by a bot that is offered a draw, and the bot's name."""
        offered = {OTHER[side] for side, offer in self.proposals.items() if offer.kind == proposals.DRAW}
        return next((item for item in self.bots.items() if item[0] in offered), None)

    def least(self, side: Side) -> str:
        position = self.history.position(side)
        return self.ruleset.format_action(position, side, self.ruleset.legal_actions(position, side).default())

    async def thought_of(self, side: Side) -> bytes:
        return await self.storage.read(lambda rows: last_thought(rows, self.seats[side].id))

    @_serialized
    async def answer_by_instruction(self) -> bool:
        """Let a standing instruction answer or stop; return False if none has anything to do."""
        for side in SIDES:
            answer = self.history.table.instruction_answer(side)
            if answer is not None:
                transaction = GameTransaction(self.history)
                transaction.answer_by_instruction(side, answer)
                await self._proceed(transaction, side)
                return True
        return False

    @_serialized
    async def play(self, side: Side, text: str | None, line: int, thought: bytes = b"") -> bool:
        """Carry out a bot's order or resignation (None: the order that commits least) and store its thought.

        Return False if the record has grown since line `line`.
        """
        if len(self.history.record) != line:
            return False
        seat, had = self.seats[side].id, ThoughtRow(len(self.history.table.log), thought)
        order = self.least(side) if text is None else text
        await self._act_for(side, order, lambda rows: add_thought(rows, seat, had))
        return True

    @_serialized
    async def settle_draw(self, side: Side, accepts: bool) -> bool:
        """Let a bot accept or decline a draw. Return False if none is offered any more."""
        if self.draw_for_bot != (side, self.bots[side]):
            return False
        transaction = GameTransaction(self.history)
        left = proposals.answer(transaction, self.proposals, side, accepts=accepts)
        await self._commit(transaction, self._sealing(transaction, side), left)
        return True

    @_serialized
    async def proceed(self) -> None:
        await self._proceed(GameTransaction(self.history), CHANCE)

    async def _act_for(self, side: Side, text: str, also: Callable[[Rows], None]) -> None:
        transaction = GameTransaction(self.history)
        (transaction.say if text == RESIGN else transaction.act)(side, text)
        await self._proceed(transaction, side, also)

    async def _proceed(
        self, transaction: GameTransaction, actor: ActorId, also: Callable[[Rows], None] = lambda rows: None
    ) -> None:
        """Commit what an actor did without a request, with the chance and forced answers that follow."""
        sealing = self._sealing(transaction, actor)
        transaction.proceed(sealing or self._dice)
        if transaction.lines:
            await self._commit(transaction, sealing, also=also)

    def _sealing(self, transaction: GameTransaction, actor: ActorId) -> Sealing | None:
        return self.seal.sealing(transaction).begin_unrequested(actor) if self.seal else None

    # --- staffs ------------------------------------------------------------------------------------------------------

    def staff_of(self, device: DeviceSession) -> StaffState:
        """Return the state of a seat's staff. Raise Fault if it has none or there is nothing to do."""
        side = device.player("staff")
        if not self.row.helps:
            raise fault(FOREIGN, "No staff", "This game was created without a staff.")
        if side not in self.staffs:
            raise fault(UNKNOWN, "No staff", "There is no staff in this game.")
        if self.history.unplayable:
            raise unplayable(self.history)
        if self.history.outcome is not None:
            raise fault(STALE, "The game has ended", "The game has ended.")
        return self.staffs[side]

    async def sign_plan(self, device: DeviceSession, signed: messages.SignPlan) -> None:
        """Let the staff continue. Raise Fault if the player had not seen everything, or not its question."""
        state, n = self.staff_of(device), self.history.logs[device.seat.side].n
        if signed.seen != n or signed.asks != state.asks:
            raise stale(n)
        await self.change_staff(device, state, state.signed())

    @_serialized
    async def change_staff(self, device: DeviceSession, before: StaffState, after: StaffState) -> None:
        """Replace the staff's state. Raise Fault if it has changed in the meantime."""
        device.expect_open()
        if self.staff_of(device) is not before:
            raise stale(self.history.logs[device.seat.side].n)
        await self._keep_staff(device.player("staff"), after)
        self.on_change(self)

    @_serialized
    async def serve(self, side: Side, before: StaffState, line: int, served: StaffAnswer | None) -> None:
        """Carry out the staff's order or ask its player; do nothing if the game has changed since line `line`.

        `served` is None if the worker process failed.
        """
        if len(self.history.record) != line or self.staffs.get(side) is not before:
            return
        if served is None:
            await self._keep_staff(side, StaffState(before.thought, before.turn, asks="the staff found no order"))
            return
        state = msgspec.structs.replace(before, thought=served.thought, word=served.word or before.word)
        after = state.stopped() if before.turn not in (BEGUN, served.turn) else state.after(served)
        if not after.is_at_work:
            await self._keep_staff(side, after)
            return
        try:
            seat, number = self.seats[side].id, len(self.history.table.log)
            await self._act_for(side, served.order, lambda rows: store_state(rows, seat, number, after))
        except (Invalid, Illegal) as error:
            _log.exception("game %s: the order of a staff is refused", self.id)
            asks = f"the rules refused its order: {error}"
            await self._keep_staff(side, StaffState(after.thought, after.turn, asks=asks))
        else:
            self._put_staff(side, after)

    async def _on_player_action(self, side: Side, lines: Iterable[RecordLine]) -> None:
        """Stop the staff of a side that acts by hand; after a takeback restore both staffs to their earlier states."""
        words = [text.split()[0] for _, text in lines]
        if TAKE_BACK in words:
            for one in self.staffs:
                await self._keep_staff(one, decode(await self.thought_of(one)).stopped())
        elif words and STANDING not in words and side in self.staffs and self.staffs[side].turn != UNSIGNED:
            await self._keep_staff(side, self.staffs[side].stopped())

    async def _keep_staff(self, side: Side, state: StaffState) -> None:
        seat, number = self.seats[side].id, len(self.history.table.log) - 1
        await self.storage.write(lambda rows: store_state(rows, seat, number, state))
        self._put_staff(side, state)

    def _put_staff(self, side: Side, state: StaffState) -> None:
        before, self.staffs[side] = self.staffs[side], state
        if before.card != state.card:
            self.broadcaster.publish({side: ()})

    # --- what is said ------------------------------------------------------------------------------------------------

    async def say(self, device: DeviceSession, said: messages.Say) -> messages.ChatLine:
        """Add a chat line once. Raise Fault for spectators before the end, and when the chat is full."""
        seat, key = device.seat, f"chat {said.key}"
        if seat.side == WATCHER and self.history.outcome is None:
            raise fault(FOREIGN, "You only watch", "Spectators may write after the game has ended.")

        def write(rows: Rows) -> tuple[ChatRow, bool]:
            at, number = self._clock(), _earlier_answer(rows, seat.id, key, said)
            if number is not None:
                return rows.find(ChatRow, game=self.id, number=number)[0], False
            text = strip_direction_marks(said.text)
            if not text.strip():
                raise fault(BAD, "Empty message", "Write something first.")
            row = self._add_chat(rows, seat.side, at, text)
            if row.number > MOST_SAID:
                raise fault(TOO_MANY, "Chat full", "The chat of this game is full.")
            rows.add(AnswerRow(row.number, _fingerprint(said)), seat=seat.id, key=key)
            return row, True

        row, is_new = await self.storage.write(write)
        if is_new:
            self.broadcaster.broadcast(message("chat", messages.chat_line(row)))
        return messages.chat_line(row)

    async def remark(self, side: Side, text: str) -> None:
        """Add a bot's chat line unless it repeats the last one or the chat is full."""

        def write(rows: Rows) -> ChatRow | None:
            at, last = self._clock(), rows.last(ChatRow, "number", game=self.id)
            if last is not None and (last.number >= MOST_SAID or (last.side, last.text) == (side, text)):
                return None
            return self._add_chat(rows, side, at, text)

        row = await self.storage.write(write)
        if row is not None:
            self.broadcaster.broadcast(message("chat", messages.chat_line(row)))

    def _add_chat(self, rows: Rows, side: SeatSide, at: str, text: str) -> ChatRow:
        last = rows.last(ChatRow, "number", game=self.id)
        said = ChatRow(last.number + 1 if last else 1, side, at, text)
        rows.add(said, game=self.id)
        return said

    # --- the game as a whole -----------------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        return not self.broadcaster.subscribers and not self._lock.locked()

    @property
    def weight(self) -> int:
        made = sum(len(answer) for _, answer in self._made.values())
        return BASE_WEIGHT + LINE_WEIGHT * len(self.history.record) + made

    def whole_record(self) -> str:
        history = self.history
        header = header_for(self.row, self.seats, self.ruleset.sides)
        end = end_words_for(history.table, is_unplayable=bool(history.unplayable))
        record = text_of(header, ((history.table.name(actor), text) for actor, text in history.record), end)
        return record if self.seal is None else record + self.seal.proof(is_over=history.outcome is not None)

    def content(self, side: SeatSide, eyes: ViewerId) -> tuple[object, ...] | None:
        """Return a value that changes whenever a seat may learn anything new, with the knowledge of `eyes`.

        None while a view differs from what its last notification showed.
        """
        history, seal = self.history, self.seal
        if history.has_unseen_change(side) or history.has_unseen_change(eyes):
            return None
        ended = history.outcome and (len(history.record), seal and seal.length)
        return history.logs[side].n, history.logs[eyes].n, ended, history.unplayable, self.seats

    async def cached_answer(self, about: object, content: object, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the cached answer for a key, or make it if the version differs or is None."""
        had = self._made.pop(about, None)
        answer = had[1] if had is not None and had[0] == content is not None else await make()
        if content is not None:
            self._made[about] = content, answer
        return answer

    def update_seat(self, seat: SeatRow) -> None:
        seats = tuple(seat if other.id == seat.id else other for other in self.seats)
        if seats != self.seats:
            self.seats = seats
            self.broadcaster.refresh()
        self.broadcaster.send_spectator_names()

    @_serialized
    async def set_result(self, result: str) -> None:
        """Show a result in the list of games until the next action."""
        if not self.row.has_ended and self.row.result != result:
            await self.storage.write(lambda rows: rows.change(GameRow, {"result": result}, id=self.id))
            self.row = msgspec.structs.replace(self.row, result=result)


# --- requests that count once -----------------------------------------------------------------------------------------


def _fingerprint(request: messages.Message) -> str:
    return sha256(type(request).__name__.encode() + b" " + msgspec.json.encode(request)).hexdigest()


def _earlier_answer(rows: Rows, seat: str, key: str, request: messages.Message) -> int | None:
    """Return the earlier answer to the same request. Raise Fault if its key was used for another request.

    See the IETF draft on the Idempotency-Key header.
    """
    found = first(rows, AnswerRow, seat=seat, key=key)
    if found is None:
        return None
    if found.request not in ("", _fingerprint(request)):
        detail = "This key was used for another request. Nothing was changed: use a new key."
        raise fault(ILLEGAL, "Key already used", detail)
    return found.n
