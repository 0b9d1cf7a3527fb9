"""A game as a device on one of its seats plays it and sees it: whatever a page or a program may ask, it asks here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, OTHER, WATCHER, Side, ViewerId, as_viewer, is_side
from leuthen.engine.standing import Standing
from leuthen.screen import About, Form
from leuthen.screen.story import DatedEntry
from leuthen.server.session import answers, lookback, requests
from leuthen.server.session.device_session import DeviceSession
from leuthen.server.session.drilling import drilling
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory
from leuthen.server.session.lanes import Lane
from leuthen.server.session.made import MadeAnswers
from leuthen.server.session.problems import FOREIGN, STALE, UNKNOWN, fault
from leuthen.server.session.proposals import stranded
from leuthen.server.session.school_answers import Drilling, Schooling
from leuthen.server.session.schooling import note_end, schooling
from leuthen.server.session.seat_view import SeatView
from leuthen.server.session.staff_answers import Advice
from leuthen.server.session.subscriber import Subscriber


class SeatSight(NamedTuple):
    """What a seat sees, for a process that has nothing else: rule set, digest of its data, the bytes of a view."""

    ruleset: str
    data: str
    view: bytes


class Seat:
    """A device on a seat of a game. What it may not do or see raises Fault."""

    def __init__(self, device: DeviceSession, session: GameSession) -> None:
        self.device = device
        self.id, self.side = device.seat.id, device.seat.side
        self.session = session
        self._ruleset = session.ruleset

    @property
    def _history(self) -> GameHistory:
        return self.session.history

    @property
    def _view(self) -> SeatView:
        return self.session.seat_view

    @property
    def is_alone(self) -> bool:
        """Whether no other person can put a text of his own beside what he may not know.

        The gallery is told nothing that is secret, an ended game has no secrets, and a machine has no eye on the line.
        """
        if not is_side(self.side) or self._history.outcome is not None:
            return True
        return self.session.broadcaster.seats[OTHER[self.side]].who != "person"

    # --- now ---------------------------------------------------------------------------------------------------------

    def fresh(self, own: Iterable[str]) -> answers.Fresh:
        """All that the seat has to know. `own` are the public ids that this browser knows anyway."""
        return self._view.fresh(self.side, self.session.broadcaster.seats, own)

    def join(self, subscriber: Subscriber, after: int) -> list[bytes]:
        """A stream of the seat begins after number `after`: what it has to tell first."""
        self.device.subscribers.add(subscriber)
        subscriber.watcher = self.device.watcher
        said = self.session.broadcaster.join(subscriber, after)
        if self.session.is_of_machines:
            self.session.on_watched(self.session)
        return said

    def fresh_for(self, subscriber: Subscriber) -> bytes:
        """All that a stream which fell behind has to tell."""
        return subscriber.caught_up(self.session.broadcaster.fresh(subscriber))

    def leave(self, subscriber: Subscriber) -> None:
        """A stream has ended."""
        self.device.subscribers.discard(subscriber)
        self.session.broadcaster.leave(subscriber)

    async def give_chain(self, chain: requests.NewChain) -> answers.SealCard:
        """The device begins to take part in the dice."""
        seal = await self.session.take_part(self.device, lambda seal, side: seal.with_chain(side, chain))
        return seal.card(self.side)

    async def give_share(self, share: requests.Share) -> answers.SealStatus:
        """The device gives the link for which chance waits."""
        seal = await self.session.take_part(self.device, lambda seal, side: seal.with_share(side, share))
        return seal.told(self.side)

    def note_seen(self, seen: requests.SeenBlock) -> None:
        """Tells the others at the table what the device has seen of the proof."""
        self.device.expect_open()
        if self._view.seal is None or self.side == WATCHER:
            raise fault(UNKNOWN, "Nothing to compare", "This seat has no part in a game that is proved.")
        self.session.broadcaster.note_seen(answers.LastSeenBlock(self.side, seen.blocks, seen.head))

    def blocks(self, after: int) -> answers.Blocks:
        """What the seat may know of the blocks of the proof after a number."""
        return answers.Blocks(()) if self._view.seal is None else self._view.seal.after(after)

    def form(self, partial_order: Mapping[str, str]) -> Form:
        """An order in the making."""
        side = self.device.player("orders to give")
        if self._history.stranded:
            raise stranded(self._history)
        return self._ruleset.presenter.form(self._history.position(side), side, partial_order)

    def about(self, place: str) -> About:
        """All that the seat may know of a place."""
        return self._ruleset.presenter.about(self._view.view(self.side), place)

    def sight(self) -> SeatSight:
        """What the seat sees now."""
        view = self._ruleset.encode_view(self._view.view(self.side))
        return SeatSight(self._ruleset.name, self._ruleset.digest, view)

    def expect_advice(self) -> Side:
        """The side that may be advised. Raises Fault unless the machine may help, and something is to be decided."""
        if not self._view.game.helps:
            raise fault(FOREIGN, "No advice", "This table was made without the machine's advice.")
        if not is_side(self.side) or not self._view.is_asked(self.side):
            raise fault(STALE, "You are not asked", "The machine has advice only when you have something to decide.")
        return self.side

    def advice(self, side: Side, order: str, text: str, reasons: tuple[str, ...] = ()) -> Advice:
        """An order that is advised, with what would be chosen in its form, and why."""
        position, ruleset = self._history.position(side), self._ruleset
        try:
            action = ruleset.parse_action(position, side, order)
        except Invalid:  # something has happened while the machine thought
            return Advice(order, text, reasons=reasons)
        return Advice(order, text, ruleset.presenter.choices(position, side, action), reasons)

    async def schooling(self) -> Schooling:
        """Where the seat stands in its lesson; the list of games is told once he has gone through it. Raises Fault if
        the game is none."""
        told = schooling(self.session, self.side)
        await note_end(self.session, told)
        return told

    def drilling(self, answer: str) -> Drilling:
        """The drill that the seat is asked, judged if it is answered. Raises Fault if the game is none."""
        return drilling(self.session, self.side, answer)

    # --- standing instructions ---------------------------------------------------------------------------------------

    def standing(self) -> answers.StandingInstruction:
        """The seat's standing instruction, in force or stopped."""
        self._clauses()
        return self._view.standing(self.side) or answers.StandingInstruction()

    async def instruct(self, instruct: requests.Instruct) -> answers.Acted:
        """Gives a standing instruction instead of the one there is, or takes it back."""
        self._clauses()
        return await self.session.instruct(self.device, instruct)

    def clause_form(self, partial_order: Mapping[str, str]) -> Form:
        """A clause in the making."""
        return self._clauses().form(self._view.view(self.side), partial_order)

    def _clauses(self) -> Standing:
        self.device.player("instructions to give")
        if self._ruleset.standing is None:
            raise fault(UNKNOWN, "No standing instructions", "There are no standing instructions in this game.")
        return self._ruleset.standing

    # --- looking back ------------------------------------------------------------------------------------------------

    def chronicle(self, before: int | None, count: int, viewer: int | None) -> answers.ChroniclePage:
        """Lines of the chronicle, oldest first."""
        return lookback.chronicle(self.session, self.side, self._eyes(viewer), before, count)

    async def turns(self, replaying: Lane, viewer: int | None) -> answers.Turns:
        """The turns so far, with the scores as the viewer saw them then."""
        eyes, began, marks = self._eyes(viewer), self._history.turns_of(self.side), list[answers.TurnMark]()
        with replaying.place(self.id):
            steps = (step for turn in began for step in lookback.mark_turn(marks, self.session, self.side, eyes, turn))
            await replaying.gently(self.id, steps)
        return answers.Turns(tuple(marks))

    async def story(self, replaying: Lane, made: MadeAnswers, viewer: int | None) -> bytes:
        """The war so far in sentences, from what the viewer was told and the scores as he saw them; as JSON."""
        eyes = self._eyes(viewer)

        async def make() -> bytes:
            marks, entries = (await self.turns(replaying, viewer)).turns, list[DatedEntry]()
            with replaying.place(self.id):
                await replaying.gently(self.id, lookback.date_entries(entries, self.session, eyes, len(marks)))
            return msgspec.json.encode(lookback.story(self.session, eyes, marks, entries))

        about = "story", self.session.id, self.side, eyes
        return await made.get(about, self.session.content(self.side, eyes), make)

    async def past(self, replaying: Lane, n: int, viewer: int | None) -> answers.Past:
        """The position as it stood after the seat's news number `n`."""
        history, log, eyes = self._history, self._history.logs[self.side], self._eyes(viewer)
        if not 0 <= n <= log.n:
            raise fault(UNKNOWN, "No such number", f"Your news are numbered from 0 to {log.n}.")
        table, steps = history.way_to(line := log.news[n].line)
        with replaying.place(self.id):
            await replaying.gently(self.id, steps)
        return answers.Past(n, self._view.scene_of(history.as_told(table, line, eyes), eyes))

    def _eyes(self, viewer: int | None) -> ViewerId:
        """With whose eyes the seat looks back."""
        if viewer is None or viewer == self.side:
            return self.side
        if self._history.outcome is None or not 0 <= viewer <= EVERYTHING:
            raise fault(FOREIGN, "Not for your eyes", "With other eyes one may look back only when the game has ended.")
        return as_viewer(viewer)
