"""A device on a seat of a game: what a page or a program may ask of the game, now and looking back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, OTHER, WATCHER, Side, ViewerId, as_viewer, is_side
from leuthen.engine.standing import Standing
from leuthen.play.record import STANDING
from leuthen.screen.story import DatedEntry, Moment, make_story
from leuthen.screen.values import About, Form, Setting, Story
from leuthen.server.session import messages
from leuthen.server.session.device_sessions import DeviceSession
from leuthen.server.session.game_session import GameSession, SeatSight
from leuthen.server.session.history import Notification, Remembered, Turn, setting_of
from leuthen.server.session.limits import Lane
from leuthen.server.session.made import MadeAnswers
from leuthen.server.session.messages import Advice
from leuthen.server.session.problems import FOREIGN, STALE, UNKNOWN, fault
from leuthen.server.session.proposals import stranded
from leuthen.server.session.staff import StaffState
from leuthen.server.session.streams import Subscriber

MOST: Final = 200
"""Lines of the chronicle in one answer; a few more if they came with one number."""


class Seat:
    """A device on a seat of a game. What it may not do or see raises Fault."""

    def __init__(self, device: DeviceSession, session: GameSession) -> None:
        self.device = device
        self.id, self.side = device.seat.id, device.seat.side
        self.session = session

    @property
    def is_alone(self) -> bool:
        """Whether no other person can put a text of his own beside what he may not know.

        The gallery is told nothing that is secret, an ended game has no secrets, and a machine has no eye on the line.
        """
        if not is_side(self.side) or self.session.history.outcome is not None:
            return True
        return self.session.seats[OTHER[self.side]].who != "person"

    # --- now ---------------------------------------------------------------------------------------------------------

    def fresh(self, own: Iterable[str]) -> messages.Fresh:
        """All that the seat has to know. `own` are the public ids that this browser knows anyway."""
        return self.session.seat_view.fresh(self.side, own)

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

    def blocks(self, after: int) -> messages.Blocks:
        """What the seat may know of the blocks of the proof after a number."""
        return messages.Blocks(()) if self.session.seal is None else self.session.seal.after(after)

    def form(self, partial_order: Mapping[str, str]) -> Form:
        """An order in the making."""
        side, session = self.device.player("orders to give"), self.session
        if session.history.stranded:
            raise stranded(session.history)
        return session.ruleset.presenter.form(session.history.position(side), side, partial_order)

    def about(self, place: str) -> About:
        """All that the seat may know of a place."""
        return self.session.ruleset.presenter.about(self.session.seat_view.view(self.side), place)

    def sight(self) -> SeatSight:
        """What the seat sees now."""
        return self.session.sight(self.side)

    @property
    def staff(self) -> StaffState | None:
        """What the staff of the seat has, if there is one."""
        return self.session.staffs.get(self.side) if is_side(self.side) else None

    def expect_advice(self) -> Side:
        """The side that may be advised. Raise Fault unless the machine may help, and something is to be decided."""
        if not self.session.row.helps:
            raise fault(FOREIGN, "No advice", "This table was made without the machine's advice.")
        if not is_side(self.side) or not self.session.is_asked(self.side):
            raise fault(STALE, "You are not asked", "The machine has advice only when you have something to decide.")
        return self.side

    def advice(self, side: Side, order: str, text: str, reasons: tuple[str, ...] = ()) -> Advice:
        """An order that is advised, with what would be chosen in its form, and why."""
        position, ruleset = self.session.history.position(side), self.session.ruleset
        try:
            action = ruleset.parse_action(position, side, order)
        except Invalid:  # something has happened while the machine thought
            return Advice(order, text, reasons=reasons)
        return Advice(order, text, ruleset.presenter.choices(position, side, action), reasons)

    # --- standing instructions ---------------------------------------------------------------------------------------

    def standing(self) -> messages.StandingInstruction:
        """The seat's standing instruction, in force or stopped."""
        self._clauses()
        return self.session.seat_view.standing(self.side) or messages.StandingInstruction()

    async def instruct(self, instruct: messages.Instruct) -> messages.Acted:
        """Give a standing instruction instead of the one there is, or take it back."""
        self._clauses()
        return await self.session.submit(self.device, instruct)

    def clause_form(self, partial_order: Mapping[str, str]) -> Form:
        """A clause in the making."""
        return self._clauses().form(self.session.seat_view.view(self.side), partial_order)

    def _clauses(self) -> Standing:
        self.device.player("instructions to give")
        if self.session.ruleset.standing is None:
            raise fault(UNKNOWN, "No standing instructions", "There are no standing instructions in this game.")
        return self.session.ruleset.standing

    # --- looking back ------------------------------------------------------------------------------------------------

    def chronicle(self, before: int | None, count: int, viewer: int | None) -> messages.ChroniclePage:
        """Lines of a viewer's chronicle before a number of the seat's own news, the last ones of them, oldest first."""
        logs, told = self.session.history.logs, self.session.seat_view.told
        own, lines = logs[self.side], logs[self._eyes(viewer)].lines

        def number(line: Remembered) -> int:
            return own.number_at(line.line) if lines is not own.lines else line.n

        end = len(lines) if before is None else bisect_left(lines, before, key=number)
        start = max(0, end - min(max(count, 1), MOST))
        while 0 < start < end and number(lines[start - 1]) == number(lines[start]):
            start -= 1
        page = [messages.ChronicleLine(number(line), line.turn, told(line.what)) for line in lines[start:end]]
        return messages.ChroniclePage(tuple(page), start > 0)

    async def turns(self, replaying: Lane, viewer: int | None) -> messages.Turns:
        """The turns so far, with the scores as the viewer saw them then."""
        eyes, began, marks = self._eyes(viewer), self.session.history.turns_of(self.side), list[messages.TurnMark]()
        with replaying.place(self.id):
            steps = (step for turn in began for step in self._mark_turn(marks, eyes, turn))
            await replaying.gently(self.id, steps)
        return messages.Turns(tuple(marks))

    def _mark_turn(self, marks: list[messages.TurnMark], eyes: ViewerId, turn: Turn) -> Iterator[None]:
        """Add a turn as a viewer saw it begin, with the number of the seat's own news, in small steps."""
        for scores in self.session.scores_at(eyes, turn.line - 1):
            if scores is not None:
                n = self.session.history.logs[self.side].number_at(turn.line - 1)
                marks.append(messages.TurnMark(n, turn.year, turn.turn, scores))
            yield

    async def story(self, replaying: Lane, made: MadeAnswers, viewer: int | None) -> bytes:
        """The war so far in sentences, from what the viewer was told and the scores as he saw them; as JSON."""
        eyes = self._eyes(viewer)

        async def make() -> bytes:
            marks, entries = (await self.turns(replaying, viewer)).turns, list[DatedEntry]()
            with replaying.place(self.id):
                await replaying.gently(self.id, date_entries(entries, self.session, eyes, len(marks)))
            return msgspec.json.encode(make_war(self.session, eyes, marks, entries))

        about = "story", self.session.id, self.side, eyes
        return await made.get(about, self.session.content(self.side, eyes), make)

    async def past(self, replaying: Lane, n: int, viewer: int | None) -> messages.Past:
        """The position as it stood after the seat's news number `n`."""
        history, eyes = self.session.history, self._eyes(viewer)
        log = history.logs[self.side]
        if not 0 <= n <= log.n:
            raise fault(UNKNOWN, "No such number", f"Your news are numbered from 0 to {log.n}.")
        table, steps = history.way_to(line := log.news[n].line)
        with replaying.place(self.id):
            await replaying.gently(self.id, steps)
        return messages.Past(n, self.session.seat_view.scene_of(history.as_told(table, line, eyes), eyes))

    def _eyes(self, viewer: int | None) -> ViewerId:
        """The viewer with whose eyes the seat looks back."""
        if viewer is None or viewer == self.side:
            return self.side
        if self.session.history.outcome is None or not 0 <= viewer <= EVERYTHING:
            raise fault(FOREIGN, "Not for your eyes", "With other eyes one may look back only when the game has ended.")
        return as_viewer(viewer)

    # --- the record --------------------------------------------------------------------------------------------------

    async def record(self, replaying: Lane, made: MadeAnswers) -> bytes:
        """The whole record once the game has ended; while it goes on, what the seat may know of it."""
        session = self.session

        async def whole() -> bytes:
            return session.whole_record().encode()

        if session.history.outcome is not None:
            return await made.get(("record", session.id), session.content(WATCHER, WATCHER), whole)
        lines = list[tuple[int, str]]()
        with replaying.place(self.id):
            await replaying.gently(self.id, self.account_in_steps(lines))
        return self.account(lines).encode()

    def account_in_steps(self, lines: list[tuple[int, str]]) -> Iterator[None]:
        """Add what the seat may know of a running game: its own orders as the record has them, and what it was told.

        Each line has the number of the seat's news with which it came.
        """
        history = self.session.history
        for before, notification in pairwise(list(history.logs[self.side].news)):
            is_order = notification.line != before.line and notification.line not in history.lost
            lines += ((notification.n, line) for line in self._told(notification, is_order))
            yield
        lines += self._instructions()

    def account(self, lines: Sequence[tuple[int, str]]) -> str:
        """The text of a running game, of such lines."""
        row = self.session.row
        head = (
            f"leuthen account, of a game that goes on\nruleset {row.ruleset} {row.version}\nscenario {row.scenario}\n"
        )
        return head + "".join(f"{n:>5} {line}\n" for n, line in sorted(lines, key=itemgetter(0)))

    def _instructions(self) -> Iterator[tuple[int, str]]:
        """The seat's standing instructions, which have no number of their own, each with the last one before."""
        history = self.session.history
        for line, (actor, text) in enumerate(history.record):
            if is_side(actor) and actor == self.side and text.startswith(f"{STANDING} "):
                yield history.logs[self.side].number_at(line), f"{history.table.name(actor)} {text}"

    def _told(self, notification: Notification, is_order: bool) -> Iterator[str]:
        side, history = self.side, self.session.history
        actor, text = history.record[notification.line] if is_order else (WATCHER, "")
        if is_side(side) and actor == side and not text.startswith(f"{STANDING} "):
            yield f"{history.table.name(side)} {text}"
        for what in notification.told:
            yield f"* {self.session.seat_view.told(what).text}"


def date_entries(entries: list[DatedEntry], session: GameSession, eyes: ViewerId, turns: int) -> Iterator[None]:
    """Add the lines of a viewer's chronicle, each with the turn of `turns` in which it came, in small steps."""
    for line in session.history.logs[eyes].lines[:]:  # the game may go on between two steps
        entries.append(DatedEntry(min(line.turn, turns), session.seat_view.told(line.what)))
        yield


def make_war(
    session: GameSession, eyes: ViewerId, marks: Sequence[messages.TurnMark], entries: Sequence[DatedEntry]
) -> Story:
    """The story of a game as a viewer may know it: of his chronicle, and of the scores as he saw them."""
    setting = setting_of(session.ruleset)
    now = session.seat_view.scene_of(session.history.position(eyes), eyes)
    scores = {score.id: score.values for score in now.scores}
    moments = [Moment(mark.year, _date(setting, mark.turn), mark.scores) for mark in marks]
    moments.append(Moment(now.year, _date(setting, now.turn), scores))
    label, is_over = now.scores[0].label if now.scores else "", session.history.outcome is not None
    return make_story(setting.sides, moments, entries, label, is_over=is_over)


def _date(setting: Setting, turn: int) -> str:
    return setting.turns[turn - 1] if 0 < turn <= len(setting.turns) else str(turn)
