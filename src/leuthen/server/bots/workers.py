"""Work in processes of their own: views for players, bots, and staffs.

It delays no other request and is ended when it takes too long. A process gets only an encoded view and a thought, so
that a bot or staff cannot know more than its side: it samples a world from the view, whose legal set equals the real
one. Errors of the requester return as problems, because not all exceptions can be pickled.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeVar

import msgspec
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, ActorId, Ruleset, Side
from leuthen.load import (
    UnreadableFile,
    add_ruleset,
    added_rulesets,
    has_value,
    load_with,
    sample_likely_state,
    value_of,
)
from leuthen.play.record import RESIGN
from leuthen.screen.forms import mission_form
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import Form, FormField, LogEntry, PartialOrder
from leuthen.server.session.limits import Run, WorkerDied, end_all
from leuthen.server.session.messages import Fault, LeftUndone, Problem, StaffMission, StaffPlan, StaffStep, problem_of
from leuthen.server.session.staff import OFFICER, StaffAnswer
from leuthen.wargame.board import NOWHERE, parse_hex, place_name
from leuthen.wargame.bot.commander import Asked, Commander, Staff
from leuthen.wargame.bot.value import Value, accepts_draw, estimate_win_chance, is_judged, note_win_chance, resigns
from leuthen.wargame.missions import Assignment, Missions, goal_on_the_way, reasons_for, sentences

T = TypeVar("T")
NICE: Final = 10
"""Niceness of the processes."""
MEMORY: Final = 2 * 1024**3
"""Limit of a process's address space in bytes."""


async def in_process(work: Callable[..., T], /, *args: object) -> T:
    """Run work in a worker process, which is killed if the call is cancelled. Work queues limit their number."""
    try:
        return await to_process.run_sync(
            _do, added_rulesets(), work, args, cancellable=True, limiter=CapacityLimiter(1)
        )
    except BrokenWorkerProcess as error:
        raise WorkerDied from error


async def end_processes() -> None:
    """End all worker processes. The library would do so with the loop, but a signal comes first."""
    await end_all(task for task in asyncio.all_tasks() if task.get_name() == "AnyIO process pool shutdown task")


def expect_done(found: T | Problem) -> T:
    """Return the result. Raise Fault if it is a problem."""
    if isinstance(found, Problem):
        raise Fault(found)
    return found


# --- in the worker process --------------------------------------------------------------------------------------------

_prepared: list[bool] = []


def _do(added: Sequence[str], work: Callable[..., T], args: tuple[object, ...]) -> T:
    """Run work in the worker process. It raises only exceptions that the server can catch."""
    if not _prepared:
        _prepared.append(True)
        _prepare()
        for named in added:
            add_ruleset(named)
    try:
        return work(*args)
    except Exception:
        raise
    except BaseException as error:
        raise RuntimeError(type(error).__name__) from None


def _prepare() -> None:
    """Ignore Ctrl-C, lower the priority, limit the memory, and end with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        return
    import resource

    os.nice(NICE)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard), hard))
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(1.0)
    os._exit(1)


def look(ruleset: str, data: str, view: bytes, what: str, *words: str) -> bytes | Problem:
    rules = load_with(ruleset, data)
    try:
        found: Any = getattr(rules.presenter, what)(rules.decode_view(view), *words)
    except (Invalid, Illegal) as error:
        return as_problem(error)
    return msgspec.json.encode(LeftUndone(found) if what == "left_undone" else found)


def as_problem(error: Exception) -> Problem:
    """Return the problem of a requester's error. Raise RuntimeError for an error of the server."""
    fault = problem_of(error)
    if fault is None or isinstance(error, UnreadableFile):
        raise RuntimeError(str(error)) from error
    return fault.problem


# --- bots -------------------------------------------------------------------------------------------------------------


C = TypeVar("C")
WORKERS: Final = max(2, (os.cpu_count() or 2) - 1)
_log = logging.getLogger(__name__)


class BotTask(msgspec.Struct, frozen=True):
    """The input of a bot.

    `data` is the digest of the game's data, `before` the bot's thought after its last decision.
    """

    bot: str
    ruleset: str
    side: Side
    view: bytes
    seed: int
    data: str = ""
    before: bytes = b""


class Answer(msgspec.Struct, frozen=True):
    """A bot's order in the record's notation, or `resign`; its new thought; a word for the log."""

    order: str
    after: bytes = b""
    word: str = ""


class Thinkers:
    def __init__(self, run: Run, workers: int = WORKERS) -> None:
        self.workers = workers
        self._run = run

    async def think(self, thought: BotTask, patience: float) -> Answer | None:
        """Return the bot's answer; None if it fails, or its process dies twice.

        Raise TimeoutError after `patience` seconds; its process is ended then.
        """
        return await self.work(thought.bot, answer, thought, patience)

    async def accepts_draw(self, thought: BotTask, patience: float) -> bool:
        """Return whether the bot accepts a draw. Raise TimeoutError as `think` does."""
        return bool(await self.work(thought.bot, accepts, thought, patience))

    async def work(self, bot: str, work: Callable[[C], T], case: C, patience: float) -> T | None:
        """Run a bot's work. Return and raise as `think` does."""
        for _ in range(2):
            try:
                async with asyncio.timeout(patience):
                    return await self._run(work, case)
            except WorkerDied:
                _log.warning("a thinking process of the bot %s has died", bot)
            except TimeoutError:
                raise
            except Exception:
                _log.exception("the bot %s has failed", bot)
                return None
        return None


def answer(thought: BotTask) -> Answer:
    ruleset = load_with(thought.ruleset, thought.data)
    view = ruleset.decode_view(thought.view)
    rng = Random(thought.seed)
    world = ruleset.sample_state(view, rng)
    pending = next(pending for pending in ruleset.pending(world) if pending.actor == thought.side)
    bot = make_bot(thought.bot, thought.ruleset, thought.side, int(rng.random() * 2**32))
    if isinstance(bot, Commander):
        bot.thought = thought.before
    word = bot.word if isinstance(bot, Commander) else ""
    action = bot.choose(lambda: view, ruleset.legal_actions(world, thought.side), pending)
    if not isinstance(action, Action):
        raise TypeError(f"the bot {thought.bot} gives up")
    gives_up = isinstance(bot, Commander) and _gives_up(bot, ruleset, thought, ruleset.date(world))
    after = bot.thought if isinstance(bot, Commander) else b""
    order = RESIGN if gives_up else ruleset.format_action(world, thought.side, action)
    return Answer(order, after, word)


def accepts(thought: BotTask) -> bool:
    value = _value(thought.ruleset)
    if value is None:
        return False
    rules = load_with(thought.ruleset, thought.data)
    return accepts_draw(estimate_win_chance(rules, sample_likely_state, value, thought.view, thought.side))


def _gives_up(bot: Commander[Asked, object], ruleset: Ruleset, thought: BotTask, date: tuple[int, int]) -> bool:
    """Return whether a bot resigns; it reviews its chances once a turn."""
    value = None if is_judged(bot.mind, date) else _value(thought.ruleset)
    if value is not None:
        bot.take_up(
            note_win_chance(
                bot.mind, estimate_win_chance(ruleset, sample_likely_state, value, thought.view, thought.side), date
            )
        )
    return resigns(bot.mind)


def _value(ruleset: str) -> Value | None:
    """Return the learned value function; None without a usable file, so that the game goes on without it."""
    try:
        return value_of(ruleset) if has_value(ruleset) else None
    except Invalid as error:
        _log.warning("machines neither resign nor draw: %s", error)
        return None


# --- a player's staff -------------------------------------------------------------------------------------------------


SEED: Final = 0
"""Seed of the sampled world, so that equal views give equal plans."""
MOST: Final = 400
"""Maximum number of answers to look ahead."""
SUMMARY_KINDS: Final = frozenset({"hex", "flag"})
"""Kinds of fields that a form's summary may omit."""
NO: Final = "0"


class StaffBrief(msgspec.Struct, frozen=True):
    """The input of a staff's work. With `explains` it also returns reasons."""

    ruleset: str
    data: str
    view: bytes
    side: Side
    thought: bytes
    explains: bool = False


def plan(case: StaffBrief, words: str = "") -> tuple[bytes, StaffPlan] | Problem:
    """Return the staff's thought and plan, after giving, changing or dropping a mission if there are `words`."""
    rules, staff = _open(case)
    view, word = rules.decode_view(case.view), staff.word
    try:
        if words:
            staff.set_mission(view, words)
    except (Invalid, Illegal) as error:
        return as_problem(error)
    missions = staff.missions(view)
    thought, assigned = staff.thought, missions.assignments()
    steps = Trial(rules, staff, case.side, view).run()
    return thought, StaffPlan(tuple(_mission(missions, one, steps) for one in assigned), steps, missions.KINDS, word)


def form(case: StaffBrief, partial_order: PartialOrder) -> Form:
    """Return the form of a partial mission; its `order` gives the mission."""
    rules, staff = _open(case)
    return mission_form(staff.missions(rules.decode_view(case.view)), partial_order)


def serve(case: StaffBrief) -> StaffAnswer:
    rules, staff = _open(case)
    view, word = rules.decode_view(case.view), staff.word
    world = rules.sample_state(view, Random(SEED))
    action = _choose(rules, staff, world, view, case.side)
    text = _in_words(rules, world, case.side, action)
    order = rules.format_action(world, case.side, action)
    why = reasons_for(staff, view, order) if case.explains else ()
    doubt, topic = staff.doubt(view, action), staff.topic(view)
    return StaffAnswer(order, text, staff.thought, staff.turn(view), doubt, topic, word, why)


def _open(case: StaffBrief) -> tuple[TableRuleset, Staff]:
    staff = make_bot(OFFICER, case.ruleset, case.side, SEED)
    if not isinstance(staff, Commander):
        raise Invalid(f"the {OFFICER} of the rule set {case.ruleset} has no staff")
    staff.thought = case.thought
    return load_with(case.ruleset, case.data), staff


def _choose(rules: TableRuleset, staff: Staff, state: object, view: object, side: Side) -> Action:
    pending = next(pending for pending in rules.pending(state) if pending.actor == side)
    return staff.choose(lambda: view, rules.legal_actions(state, side), pending)


def _in_words(rules: TableRuleset, state: object, side: Side, action: Action) -> str:
    """Describe an order and its effects by the labels, answers and summary of its form."""
    chosen = rules.presenter.choices(state, side, action)
    if not chosen:
        return ""
    form = rules.presenter.form(state, side, chosen)
    what, *rest = form.fields
    given = [field for field in rest if field.kind in SUMMARY_KINDS or not form.summary]
    answers = [f"{field.label}: {_answer(field)}" for field in given if field.kind != "flag" or field.value != NO]
    return ". ".join([_answer(what), *answers, *form.summary])


def _answer(field: FormField) -> str:
    return next((choice.label for choice in field.choices if choice.token == field.value), field.value)


def _mission(missions: Missions, assignment: Assignment, steps: Sequence[StaffStep]) -> StaffMission:
    mission, at = assignment.mission, place_name(assignment.at)
    marches = [step for step in steps if step.path[:1] == (at,)]
    own = [step for step in marches if any(name in step.text for name in assignment.names)]
    why, path = mission.reason, next((step.path for step in own), ())
    return StaffMission(
        leader=assignment.names[0],
        names=assignment.names,
        men=assignment.men,
        at=at,
        path=path,
        kind=mission.kind,
        place=place_name(mission.place),
        goal=goal_on_the_way(missions, assignment, parse_hex(path[-1]) if path else NOWHERE),
        reasons=sentences(why),
        rule=why.rule,
        odds=None if why.odds is None else round(100 * why.odds),
        is_yours=mission.signed,
        price=assignment.price,
    )


class Trial:
    """A rehearsal of a turn in a sampled world: the enemy does nothing, and chance is random."""

    def __init__(self, rules: TableRuleset, staff: Staff, side: Side, view: object) -> None:
        self.steps: list[StaffStep] = []
        self._rules, self._staff, self._side = rules, staff, side
        self._rng = Random(SEED)
        self._state = rules.sample_state(view, self._rng)
        self._turn = staff.turn(view)

    def run(self) -> tuple[StaffStep, ...]:
        for _ in range(MOST):
            pending = self._rules.pending(self._state)
            own = next((one for one in pending if one.actor == self._side), None)
            if not pending or (own is not None and not self._answer()):
                break
            if own is None:
                self._pass(pending[0].actor)
        return tuple(self.steps)

    def _answer(self) -> bool:
        """Let the staff answer; return False if the turn is over."""
        rules, state, side = self._rules, self._state, self._side
        view = rules.view(state, side)
        if self._staff.turn(view) != self._turn:
            return False
        action = _choose(rules, self._staff, state, view, side)
        asks = self._staff.doubt(view, action)
        entries = self._apply(side, action)
        entry = next((entry for entry in entries if entry.side == side), None)
        if entry is not None and not action.IDLE and not self._goes_on(entries):
            self.steps.append(StaffStep(rules.format_action(state, side, action), entry.text, entry.rule, (), asks))
        self._follow(entries)
        return True

    def _pass(self, actor: ActorId) -> None:
        rules, state = self._rules, self._state
        if actor == CHANCE:
            odds = rules.chances(state)
            action = odds[int(self._rng.random() * len(odds))][0]
        else:
            action = rules.legal_actions(state, actor).default()
        self._follow(self._apply(actor, action))

    def _apply(self, actor: ActorId, action: Action) -> list[LogEntry]:
        found = self._rules.apply(self._state, actor, action)
        self._state = found.state
        return [self._rules.presenter.present_event(event) for event in found.events(self._side)]

    def _goes_on(self, entries: Sequence[LogEntry]) -> bool:
        path = next((entry.path for entry in entries if entry.path), ())
        return bool(self.steps and path and self.steps[-1].path[-1:] == path[:1])

    def _follow(self, entries: Sequence[LogEntry]) -> None:
        """Extend the last path by marches of the side that start at its end."""
        for entry in entries:
            if entry.path and entry.side == self._side and self.steps:
                last = self.steps[-1]
                if last.path[-1:] in ((), entry.path[:1]):
                    self.steps[-1] = msgspec.structs.replace(last, path=(*last.path[:-1], *entry.path))
