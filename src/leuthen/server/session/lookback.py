"""Looking back at a game with a seat's knowledge: chronicle, turns, past positions, story, record and report."""

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
from leuthen.engine.ruleset import EVERYTHING, WATCHER, SeatSide, ViewerId, as_viewer, is_side
from leuthen.load import analyst_of
from leuthen.play.record import STANDING
from leuthen.report import assemble
from leuthen.report.sampling import Effort, Sampling, TrialResult, doubtful_tasks, evaluator_of, first_tasks
from leuthen.report.values import WarReport
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.story import DatedEntry, Moment, make_story
from leuthen.screen.values import Setting, Story
from leuthen.server.session import messages
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import ChronicleEntry, setting_of
from leuthen.server.session.limits import WorkQueue, end_all
from leuthen.server.session.messages import FOREIGN, STALE, UNKNOWN, Fault, ReportStatus, fault
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
    logs, entry_of = session.history.logs, session.seat_view.entry_of
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
            for scores in session.scores_at(eyes, line - 1):
                if scores is not None:
                    marks.append(messages.TurnMark(log.number_at(line - 1), year, turn, scores))
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
    return messages.PastScene(n, session.seat_view.scene_of(history.state_as_known(table, line, eyes), eyes))


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
        entries.append(DatedEntry(min(line.turn, turns), session.seat_view.entry_of(line.what)))
        yield


def make_war(
    session: GameSession, eyes: ViewerId, marks: Sequence[messages.TurnMark], entries: Sequence[DatedEntry]
) -> Story:
    setting = setting_of(session.ruleset)
    now = session.seat_view.scene_of(session.history.position(eyes), eyes)
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
        lines += ((n, f"* {session.seat_view.entry_of(what).text}") for what in entries)
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

    def __init__(self, storage: Storage, lane: WorkQueue, effort: Effort | None = None) -> None:
        self._storage = storage
        self._lane = lane
        self.trial = Sampling(SEED, effort or Effort())
        self._under_way: dict[str, ReportStatus] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def of(self, session: GameSession, side: SeatSide) -> ReportStatus:
        """Return the report on a game, its progress, or why there is none. Raise Fault for a running game."""
        version, why = _version(session)
        if why:
            return ReportStatus("none", said=why)
        found = await self._storage.read(lambda rows: first(rows, ReportRow, game=session.id, version=version))
        if found is None:
            return self._under_way.get(session.id, ReportStatus())
        report = msgspec.json.decode(found.report, type=WarReport)
        log = session.history.logs[side]
        return ReportStatus("done", 1, 1, report, tuple(log.number_at(moment.line - 2) for moment in report.moments))

    async def begin(self, session: GameSession, side: SeatSide) -> ReportStatus:
        """Start a report unless it exists or is under way. Raise Fault as `of` does, or if the queue is full."""
        found = await self.of(session, side)
        if found.stage == "none":
            raise fault(UNKNOWN, "No report", found.said)
        if found.report is None and session.id not in self._tasks:
            place = ExitStack()
            place.enter_context(self._lane.place(session.id))
            self._under_way[session.id] = ReportStatus("begun")
            self._tasks[session.id] = asyncio.ensure_future(self._make(session, place))
        return found if found.report is not None else self._under_way[session.id]

    async def _make(self, session: GameSession, place: ExitStack) -> None:
        game = session.id
        try:
            report = await self._steps(game, session.ruleset, session.whole_record())
            row = ReportRow(game, report.evaluator, msgspec.json.encode(report).decode())

            def keep(rows: Rows) -> None:
                rows.remove(ReportRow, game=game)
                rows.add(row)

            await self._storage.write(keep)
            self._under_way.pop(game, None)
        except Exception as error:
            _log.exception("the report on the game %s was not made", game)
            said = error.problem.detail if isinstance(error, Fault) else "Something went wrong on the server."
            self._under_way[game] = ReportStatus("failed", said=said)
        finally:
            del self._tasks[game]
            place.close()

    async def _steps(self, game: str, ruleset: TableRuleset, record: str) -> WarReport:
        rules, trial, lane = (ruleset.name, ruleset.digest), self.trial, self._lane
        beginning = await lane.do(game, assemble.begin, *rules, record, trial)
        tasks = first_tasks(beginning, trial.effort)
        looks: list[TrialResult] = []
        for part in (list(tasks[at : at + AT_ONCE]) for at in range(0, len(tasks), AT_ONCE)):
            self._under_way[game] = ReportStatus("decisions", len(looks), len(tasks))
            looks += await lane.do(game, assemble.look, *rules, part, trial.seed)
        again = doubtful_tasks(tasks, looks, trial.effort)
        closer: list[TrialResult] = []
        for task in again:
            self._under_way[game] = ReportStatus("doubtful decisions", len(closer), len(again))
            closer += await lane.do(game, assemble.look, *rules, [task], trial.seed)
        return await lane.do(game, assemble.finish, *rules, record, beginning, again, closer, trial)

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
