"""Looking back at a game with a seat's knowledge: chronicle, turns, past positions, story, record and report.

In a lesson it also gets comments made from its view, in a drill the judgement of its answer by the rules.
"""

import asyncio
import logging
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from operator import itemgetter
from typing import Final

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, WATCHER, SeatSide, Side, ViewerId, as_viewer, is_side
from leuthen.load import analyst_of
from leuthen.play.record import STANDING
from leuthen.report import assemble
from leuthen.report.sampling import Effort, Sampling, TrialResult, doubtful_tasks, evaluator_of, first_tasks
from leuthen.report.values import WarReport
from leuthen.school.lessons import DRILL, Pupil, drills, is_allowed, lesson_of, lessons, progress, question
from leuthen.screen.story import DatedEntry, Moment, make_story
from leuthen.screen.values import Setting, Story
from leuthen.server.session import messages
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import ChronicleEntry, setting_of
from leuthen.server.session.limits import WorkQueue, end_all
from leuthen.server.session.messages import FOREIGN, STALE, UNKNOWN, fault
from leuthen.storage.rows import ReportRow, Rows, Storage, first

MOST: Final = 200
"""Maximum number of chronicle lines in an answer, exceeded only to keep the lines of one number together."""


def viewer_for(session: GameSession, side: SeatSide, viewer: int | None) -> ViewerId:
    """Return the viewer whose knowledge a seat may use: its own, after the end any. Raise Fault."""
    if viewer is None or viewer == side:
        return side
    if session.history.outcome is None or not 0 <= viewer <= EVERYTHING:
        raise fault(FOREIGN, "Not available", "Other views are available after the game has ended.")
    return as_viewer(viewer)


def chronicle(
    session: GameSession, side: SeatSide, before: int | None, count: int, viewer: int | None
) -> messages.ChroniclePage:
    """Return the last lines of a viewer's chronicle before a number of the seat, oldest first."""
    logs, entry_of = session.history.logs, session.entry_of
    own, lines = logs[side], logs[viewer_for(session, side, viewer)].lines

    def number(line: ChronicleEntry) -> int:
        return own.number_at(line.line) if lines is not own.lines else line.n

    end = len(lines) if before is None else bisect_left(lines, before, key=number)
    start = max(0, end - min(max(count, 1), MOST))
    while 0 < start < end and number(lines[start - 1]) == number(lines[start]):
        start -= 1
    page = [messages.ChronicleLine(number(line), line.turn, entry_of(line.what)) for line in lines[start:end]]
    return messages.ChroniclePage(tuple(page), start > 0)


async def _replay(session: GameSession, side: SeatSide, replaying: WorkQueue, steps: Iterable[None]) -> None:
    """Run steps in slices as work for a seat. Raise Fault if the queue is full or they take too long."""
    asker = session.seats[side].id
    with replaying.place(asker):
        await replaying.run_in_slices(asker, steps)


async def turns(session: GameSession, side: SeatSide, replaying: WorkQueue, viewer: int | None) -> messages.Turns:
    """Return the turns so far, with the scores as the viewer saw them then."""
    eyes, log, marks = viewer_for(session, side, viewer), session.history.logs[side], list[messages.TurnMark]()

    def steps() -> Iterator[None]:
        for year, turn, line in session.history.turns_of(side):
            key = eyes, line - 1
            if key not in session.scores:
                table, replay = session.history.steps_to(line - 1)
                yield from replay
                scene = session.scene_of(table.state, eyes)
                session.scores[key] = {score.id: score.values for score in scene.scores}
            marks.append(messages.TurnMark(log.number_at(line - 1), year, turn, session.scores[key]))
            yield

    await _replay(session, side, replaying, steps())
    return messages.Turns(tuple(marks))


async def past(
    session: GameSession, side: SeatSide, replaying: WorkQueue, n: int, viewer: int | None
) -> messages.PastScene:
    """Return the position after the seat's number `n`. Raise Fault."""
    history, eyes = session.history, viewer_for(session, side, viewer)
    log = history.logs[side]
    if not 0 <= n <= log.n:
        raise fault(UNKNOWN, "No such number", f"Your events are numbered from 0 to {log.n}.")
    table, steps = history.steps_to(line := log.news[n].line)
    await _replay(session, side, replaying, steps)
    return messages.PastScene(n, session.scene_of(history.state_as_known(table, line, eyes), eyes))


# --- the war as a story -----------------------------------------------------------------------------------------------


async def story(session: GameSession, side: SeatSide, replaying: WorkQueue, viewer: int | None) -> bytes:
    """Return the war so far as text, in JSON, from what the viewer knew."""
    eyes = viewer_for(session, side, viewer)

    async def make() -> bytes:
        marks, entries = (await turns(session, side, replaying, viewer)).turns, list[DatedEntry]()
        await _replay(session, side, replaying, add_dated_entries(entries, session, eyes, len(marks)))
        return msgspec.json.encode(make_war(session, eyes, marks, entries))

    return await session.cached_answer(("story", side, eyes), session.content(side, eyes), make)


def add_dated_entries(entries: list[DatedEntry], session: GameSession, eyes: ViewerId, turns: int) -> Iterator[None]:
    """Add a viewer's chronicle entries with their turns (at most `turns`), one per step."""
    for line in session.history.logs[eyes].lines[:]:  # the game may go on between two steps
        entries.append(DatedEntry(min(line.turn, turns), session.entry_of(line.what)))
        yield


def make_war(
    session: GameSession, eyes: ViewerId, marks: Sequence[messages.TurnMark], entries: Sequence[DatedEntry]
) -> Story:
    setting = setting_of(session.ruleset)
    now = session.scene_of(session.history.position(eyes), eyes)
    scores = {score.id: score.values for score in now.scores}
    moments = [Moment(mark.year, _date(setting, mark.turn), mark.scores) for mark in marks]
    moments.append(Moment(now.year, _date(setting, now.turn), scores))
    label, is_over = now.scores[0].label if now.scores else "", session.history.outcome is not None
    return make_story(setting.sides, moments, entries, label, is_over=is_over)


def _date(setting: Setting, turn: int) -> str:
    return setting.turns[turn - 1] if 0 < turn <= len(setting.turns) else str(turn)


# --- the record -------------------------------------------------------------------------------------------------------


async def record(session: GameSession, side: SeatSide, replaying: WorkQueue) -> bytes:
    """Return the whole record once the game has ended; before that, what the seat may know of it."""

    async def whole() -> bytes:
        return session.whole_record().encode()

    if session.history.outcome is not None:
        return await session.cached_answer("record", session.content(WATCHER, WATCHER), whole)
    lines = list[tuple[int, str]]()
    await _replay(session, side, replaying, add_account_lines(session, side, lines))
    return account(session, lines).encode()


def add_account_lines(session: GameSession, side: SeatSide, lines: list[tuple[int, str]]) -> Iterator[None]:
    """Add the lines of a running game that a seat may know: its own orders and its log entries.

    Each line has its notification number. Standing instructions have the last number before them.
    """
    history = session.history
    for before, (n, line, _, entries, *_) in pairwise(list(history.logs[side].news)):
        if line != before.line and line not in history.lost:
            actor, text = history.record[line]
            if is_side(side) and actor == side and not text.startswith(f"{STANDING} "):
                lines.append((n, f"{history.table.name(side)} {text}"))
        lines += ((n, f"* {session.entry_of(what).text}") for what in entries)
        yield
    for line, (actor, text) in enumerate(history.record):
        if is_side(actor) and actor == side and text.startswith(f"{STANDING} "):
            lines.append((history.logs[side].number_at(line), f"{history.table.name(actor)} {text}"))


def account(session: GameSession, lines: Sequence[tuple[int, str]]) -> str:
    row = session.row
    head = f"leuthen account, of a game that goes on\nruleset {row.ruleset} {row.version}\nscenario {row.scenario}\n"
    return head + "".join(f"{n:>5} {line}\n" for n, line in sorted(lines, key=itemgetter(0)))


# --- reports on games that have ended ---------------------------------------------------------------------------------

SEED: Final = "report"
AT_ONCE: Final = 4
"""Decisions sampled between two updates of the progress."""
_log = logging.getLogger(__name__)


class Reports:
    """The reports of a server; each game has at most one under way."""

    def __init__(self, storage: Storage, lane: WorkQueue) -> None:
        self._storage = storage
        self._lane = lane
        self.trial = Sampling(SEED, Effort())
        self._under_way: dict[str, messages.ReportStatus] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def of(self, session: GameSession, side: SeatSide) -> messages.ReportStatus:
        """Return the report on a game, its progress, or why there is none. Raise Fault for a running game."""
        version, why = _version(session)
        if why:
            return messages.ReportStatus("none", said=why)
        found = await self._storage.read(lambda rows: first(rows, ReportRow, game=session.id, version=version))
        if found is None:
            return self._under_way.get(session.id, messages.ReportStatus())
        report = msgspec.json.decode(found.report, type=WarReport)
        number_at = session.history.logs[side].number_at
        news = tuple(number_at(moment.line - 2) for moment in report.moments)
        return messages.ReportStatus("done", 1, 1, report, news)

    async def begin(self, session: GameSession, side: SeatSide) -> messages.ReportStatus:
        """Start a report unless it exists or is under way. Raise Fault as `of` does, or if the queue is full."""
        found = await self.of(session, side)
        if found.stage == "none":
            raise fault(UNKNOWN, "No report", found.said)
        if found.report is None and session.id not in self._tasks:
            place = ExitStack()
            place.enter_context(self._lane.place(session.id))
            self._under_way[session.id] = messages.ReportStatus("begun")
            self._tasks[session.id] = asyncio.ensure_future(self._make(session, place))
        return found if found.report is not None else self._under_way[session.id]

    async def _make(self, session: GameSession, place: ExitStack) -> None:
        game = session.id
        try:
            record, ruleset, trial, lane = session.whole_record(), session.ruleset, self.trial, self._lane
            rules = ruleset.name, ruleset.digest
            beginning = await lane.do(game, assemble.begin, *rules, record, trial)
            tasks, looks, closer = first_tasks(beginning, trial.effort), list[TrialResult](), list[TrialResult]()
            for part in (list(tasks[at : at + AT_ONCE]) for at in range(0, len(tasks), AT_ONCE)):
                self._under_way[game] = messages.ReportStatus("decisions", len(looks), len(tasks))
                looks += await lane.do(game, assemble.look, *rules, part, trial.seed)
            again = doubtful_tasks(tasks, looks, trial.effort)
            for task in again:
                self._under_way[game] = messages.ReportStatus("doubtful decisions", len(closer), len(again))
                closer += await lane.do(game, assemble.look, *rules, [task], trial.seed)
            report = await lane.do(game, assemble.finish, *rules, record, beginning, again, closer, trial)
            row = ReportRow(game, report.evaluator, msgspec.json.encode(report).decode())

            def keep(rows: Rows) -> None:
                rows.remove(ReportRow, game=game)
                rows.add(row)

            await self._storage.write(keep)
            self._under_way.pop(game, None)
        except Exception as error:
            _log.exception("the report on the game %s was not made", game)
            said = error.problem.detail if isinstance(error, messages.Fault) else "Something went wrong on the server."
            self._under_way[game] = messages.ReportStatus("failed", said=said)
        finally:
            del self._tasks[game]
            place.close()

    async def close(self) -> None:
        await end_all(self._tasks.values())


def _version(session: GameSession) -> tuple[str, str]:
    """Return the evaluator's version, and the reason why there is no report, or "". Raise Fault for a running game."""
    history, ruleset = session.history, session.ruleset
    if history.outcome is None:
        raise fault(STALE, "Game in progress", "The report reveals secrets: it is available after the game has ended.")
    if history.unplayable or history.data != ruleset.digest:
        return "", "No report is possible: the rules of this game are not installed."
    try:
        analyst_of(ruleset.name)
        return evaluator_of(ruleset.name), ""
    except Invalid as error:
        return "", f"There is no report on this game: {error}."


# --- lessons and drills at the table ----------------------------------------------------------------------------------


NONE: Final = "none"
"""The answer that none of the orders is allowed."""
MOST_TOLD: Final = 6
"""Maximum number of sentences about the effects of an order."""


def schooling(session: GameSession, side: SeatSide) -> messages.LessonState:
    """Return the pupil's progress. Raise Fault if the game is not the seat's lesson."""
    taught = lesson_of(session.row.scenario)
    if taught is None or not is_side(side) or side != taught.side:
        raise fault(UNKNOWN, "No lesson", "This game is not one of your lessons.")
    history, log = session.history, session.history.logs[side]
    own = [line for line in history.counting if history.record[line].actor == side]
    back = log.number_at(own[-1]) if own and history.outcome is None else 0
    pupil = Pupil(
        ruleset=session.ruleset,
        view=session.view(side),
        orders=[history.record[line].text for line in own],
        told=[session.entry_of(line.what) for line in log.lines],
        asked=next((asked.decision for asked in session.awaited(side) if asked.is_yours), ""),
        date=session.ruleset.date(history.position(side)),
        fresh=sum(1 for line in log.lines if line.n < back),
    )
    at = progress(taught, pupil)
    is_over = at.done == len(taught.steps)
    same = [one.name for one in lessons().values() if one.ruleset == taught.ruleset]
    lesson = messages.LessonState(
        name=taught.name,
        title=taught.title,
        goal=taught.goal,
        done=at.done,
        steps=len(taught.steps),
        say=taught.ending if is_over else taught.steps[at.done].say,
        stray=at.stray,
        remark=at.remark,
        back=back,
        next=_following(taught.name, same) if is_over else "",
        plain=taught.plain,
    )
    if is_over:
        return lesson
    step, position, ruleset = taught.steps[at.done], history.position(side), session.ruleset
    order = next((order for order in step.orders if is_allowed(ruleset, position, side, order)), "")
    choices = ruleset.presenter.choices(position, side, ruleset.parse_action(position, side, order)) if order else {}
    return msgspec.structs.replace(lesson, point=step.point, press=step.press, order=order, partial_order=choices)


async def see_lesson(session: GameSession, side: SeatSide) -> messages.LessonState:
    """Return the pupil's progress; the list of games shows a finished lesson until the next action. Raise Fault."""
    lesson = schooling(session, side)
    await session.set_result("lesson finished" if lesson.done == lesson.steps else "")
    return lesson


def script_order(session: GameSession, side: Side) -> str | None:
    """Return the order that the lesson's script gives the enemy now; None to commit least."""
    taught = lesson_of(session.row.scenario)
    given = {session.history.record[line].text for line in session.history.counting}
    ruleset, position = session.ruleset, session.history.position(side)
    for one in taught.enemy_orders if taught else ():
        is_due = one.since <= ruleset.date(position) and one.order not in given
        if is_due and is_allowed(ruleset, position, side, one.order):
            return one.order
    return None


def drill_progress(session: GameSession, side: SeatSide, answer: str) -> messages.DrillProgress:
    """Return a drill as the seat sees it, judged once answered. Raise Fault if the game is none of the seat's.

    Orders that were carried out are allowed; giving none is right if none is allowed.
    """
    scenario = session.row.scenario
    if not scenario.startswith(DRILL):
        raise fault(UNKNOWN, "No drill", "This game is not a drill.")
    asked = question(scenario.removeprefix(DRILL))
    if not is_side(side) or side != asked.side:
        raise fault(UNKNOWN, "No drill", "This drill is not open.")
    ruleset, drill = session.ruleset, asked.drill
    name = ruleset.sides[side].capitalize()
    leads = f"You lead the {name}" if name == "Coalition" else f"You lead {name}"
    first, *others = drill.orders.values()
    shown = messages.DrillProgress(
        name=drill.name,
        rules=drill.rules,
        say=f"{leads}. Which of these do the rules allow? Order one of them, or none."
        if others
        else f"{leads} and would like to {first}. Do the rules allow it?",
        orders=tuple(messages.DrillOrder(order, words) for order, words in drill.orders.items()),
        point=drill.point,
        next=_following(drill.name, [one.name for one in drills().values() if one.game == drill.game]),
    )
    has_ordered = any(session.history.record[line].actor == side for line in session.history.counting)
    if not has_ordered and answer != NONE:
        return shown
    allowed = tuple(order for order in drill.orders if is_allowed(ruleset, asked.state, side, order))
    entries = [ruleset.presenter.present_event(event) for event in (asked.events if asked.done else ())]
    return msgspec.structs.replace(
        shown,
        is_answered=True,
        is_right=has_ordered or not allowed,
        lesson=drill.consequence,
        allowed=allowed,
        done=drill.orders.get(asked.done, ""),
        came=tuple(line.text for line in entries if not line.is_small)[:MOST_TOLD],
    )


def _following(name: str, names: Sequence[str]) -> str:
    """Return the name after another one, "" after the last."""
    return "".join(names[names.index(name) + 1 :][:1])
