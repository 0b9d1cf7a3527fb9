"""Reports on games that have ended: made in the background, stored with the version of the evaluator."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final, TypeVar

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SeatSide
from leuthen.load import analyst_of
from leuthen.report import assemble
from leuthen.report.sampling import Effort, Look, Sampling, doubtful_tasks, evaluator_of, first_tasks
from leuthen.report.values import WarReport
from leuthen.screen.presenter import TableRuleset
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.limits import Lane, end_all
from leuthen.server.session.messages import ReportStatus
from leuthen.server.session.problems import STALE, UNKNOWN, Fault, fault
from leuthen.storage.rows import ReportRow, Rows, Storage, first

T = TypeVar("T")
SEED: Final = "report"
AT_ONCE: Final = 4
"""Decisions sampled between two updates of the progress."""
_log = logging.getLogger(__name__)


class Reports:
    """The reports of a server; each game has at most one under way."""

    def __init__(self, storage: Storage, lane: Lane, effort: Effort | None = None) -> None:
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
            await self._storage.write(lambda rows: _keep(rows, row))
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
        looks: list[Look] = []
        for part in _parts(tasks):
            self._under_way[game] = ReportStatus("decisions", len(looks), len(tasks))
            looks += await lane.do(game, assemble.look, *rules, part, trial.seed)
        again = doubtful_tasks(tasks, looks, trial.effort)
        closer: list[Look] = []
        for task in again:
            self._under_way[game] = ReportStatus("doubtful decisions", len(closer), len(again))
            closer += await lane.do(game, assemble.look, *rules, [task], trial.seed)
        return await lane.do(game, assemble.finish, *rules, record, beginning, again, closer, trial)

    async def close(self) -> None:
        await end_all(self._tasks.values())


def _keep(rows: Rows, row: ReportRow) -> None:
    rows.remove(ReportRow, game=row.game)
    rows.add(row)


def _parts(tasks: Sequence[T]) -> Iterator[list[T]]:
    return (list(tasks[at : at + AT_ONCE]) for at in range(0, len(tasks), AT_ONCE))


def _version(session: GameSession) -> tuple[str, str]:
    """Return the evaluator's version, and the reason why there is no report, or "". Raise Fault for a running game."""
    history, ruleset = session.history, session.ruleset
    if history.outcome is None:
        raise fault(STALE, "The game goes on", "The staff reports when it has ended: before, that would tell secrets.")
    if history.stranded or history.data != ruleset.digest:
        return "", "There is no report on this game: it was played by rules that are not here."
    try:
        analyst_of(ruleset.name)
        return evaluator_of(ruleset.name), ""
    except Invalid as error:
        return "", f"There is no report on this game: {error}."
