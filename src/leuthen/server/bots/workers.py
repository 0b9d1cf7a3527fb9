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
from functools import cache
from random import Random
from typing import Any, Final, TypeVar

import msgspec
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, Side
from leuthen.load import add_ruleset, added_rulesets, has_value, load_with, sample_likely_state, value_of
from leuthen.play.record import RESIGN
from leuthen.screen.forms import mission_form
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import Form, FormField, PartialOrder
from leuthen.server.session.limits import WorkerDied, end_all
from leuthen.server.session.messages import Fault, LeftUndone, Problem, StaffMission, StaffPlan, StaffStep, problem_of
from leuthen.server.session.staff import OFFICER, StaffAnswer
from leuthen.wargame.board import NOWHERE, parse_hex, place_name
from leuthen.wargame.bot.commander import Commander, Staff
from leuthen.wargame.bot.value import accepts_draw, estimate_win_chance, is_judged, note_win_chance, resigns
from leuthen.wargame.missions import Assignment, Missions, goal_on_the_way, reasons_for, sentences

T = TypeVar("T")
NICE: Final = 10
"""Niceness of the processes."""
MEMORY: Final = 2 * 1024**3
"""Limit of a process's address space in bytes."""


async def in_process(work: Callable[..., T], /, *args: object) -> T:
    """Run work in a worker process, which is killed if the call is cancelled. Work queues limit their number.

    Raise Fault for an error of the requester.
    """
    limiter = CapacityLimiter(1)
    try:
        found = await to_process.run_sync(_do, added_rulesets(), work, args, cancellable=True, limiter=limiter)
    except BrokenWorkerProcess as error:
        raise WorkerDied from error
    if isinstance(found, Problem):
        raise Fault(found)
    return found


async def end_processes() -> None:
    """End all worker processes. The library would do so with the loop, but a signal comes first."""
    await end_all(task for task in asyncio.all_tasks() if task.get_name() == "AnyIO process pool shutdown task")


# --- in the worker process --------------------------------------------------------------------------------------------


def _do(added: Sequence[str], work: Callable[..., T], args: tuple[object, ...]) -> T | Problem:
    """Run work in the worker process. It raises only exceptions that the server can catch."""
    _prepare(*added)
    try:
        return work(*args)
    except (Invalid, Illegal) as error:
        if (fault := problem_of(error)) is None:  # an error of the server
            raise RuntimeError(str(error)) from error
        return fault.problem
    except Exception:
        raise
    except BaseException as error:
        raise RuntimeError(type(error).__name__) from None


@cache
def _prepare(*added: str) -> None:
    """Ignore Ctrl-C, lower the priority, limit the memory, and end with the server."""
    for named in added:
        add_ruleset(named)
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


def look(ruleset: str, data: str, view: bytes, what: str, *words: str) -> bytes:
    rules = load_with(ruleset, data)
    found: Any = getattr(rules.presenter, what)(rules.decode_view(view), *words)
    return msgspec.json.encode(LeftUndone(found) if what == "left_undone" else found)


# --- bots -------------------------------------------------------------------------------------------------------------


SEED: Final = 0
"""Seed of a staff's sampled world, so that equal views give equal plans."""
WORKERS: Final = max(2, (os.cpu_count() or 2) - 1)
_log = logging.getLogger(__name__)


class Brief(msgspec.Struct, frozen=True):
    """The input of a bot's or a staff's work: what its side may know, and its own brief.

    `data` is the digest of the game's data, `thought` that after its last decision. A staff that `explains` also
    returns reasons.
    """

    ruleset: str
    data: str
    view: bytes
    side: Side
    thought: bytes = b""
    bot: str = OFFICER
    seed: int = SEED
    explains: bool = False


class Answer(msgspec.Struct, frozen=True):
    """A bot's order in the record's notation, or `resign`; its new thought; a word for the log."""

    order: str
    after: bytes = b""
    word: str = ""


def answer(brief: Brief) -> Answer:
    ruleset = load_with(brief.ruleset, brief.data)
    view = ruleset.decode_view(brief.view)
    rng = Random(brief.seed)
    world = ruleset.sample_state(view, rng)
    pending = next(pending for pending in ruleset.pending(world) if pending.actor == brief.side)
    bot = make_bot(brief.bot, brief.ruleset, brief.side, int(rng.random() * 2**32))
    if isinstance(bot, Commander):
        bot.thought = brief.thought
    word = bot.word if isinstance(bot, Commander) else ""
    action = bot.choose(lambda: view, ruleset.legal_actions(world, brief.side), pending)
    if not isinstance(action, Action):
        raise TypeError(f"the bot {brief.bot} gives up")
    order = ruleset.format_action(world, brief.side, action)
    if not isinstance(bot, Commander):
        return Answer(order)
    date = ruleset.date(world)
    chance = None if is_judged(bot.mind, date) else _win_chance(brief)  # it reviews its chances once a turn
    if chance is not None:
        bot.take_up(note_win_chance(bot.mind, chance, date))
    return Answer(RESIGN if resigns(bot.mind) else order, bot.thought, word)


def accepts(brief: Brief) -> bool:
    chance = _win_chance(brief)
    return chance is not None and accepts_draw(chance)


def _win_chance(brief: Brief) -> float | None:
    """Return a side's chance by the learned value; None without a usable file, so that the game goes on without it."""
    if not has_value(brief.ruleset):
        return None
    try:
        value = value_of(brief.ruleset)
    except Invalid as error:
        _log.warning("machines neither resign nor draw: %s", error)
        return None
    rules = load_with(brief.ruleset, brief.data)
    return estimate_win_chance(rules, sample_likely_state, value, brief.view, brief.side)


# --- a player's staff -------------------------------------------------------------------------------------------------


MOST: Final = 400
"""Maximum number of answers to look ahead."""
SUMMARY_KINDS: Final = frozenset({"hex", "flag"})
"""Kinds of fields that a form's summary may omit."""


def plan(case: Brief, words: str = "") -> tuple[bytes, StaffPlan]:
    """Return the staff's thought and plan, after giving, changing or dropping a mission if there are `words`."""
    rules, staff = _open(case)
    view, word = rules.decode_view(case.view), staff.word
    if words:
        staff.set_mission(view, words)
    missions = staff.missions(view)
    thought, assigned = staff.thought, missions.assignments()
    steps = rehearse(rules, staff, case.side, view)
    return thought, StaffPlan(tuple(_mission(missions, one, steps) for one in assigned), steps, missions.KINDS, word)


def form(case: Brief, partial_order: PartialOrder) -> Form:
    """Return the form of a partial mission; its `order` gives the mission."""
    rules, staff = _open(case)
    return mission_form(staff.missions(rules.decode_view(case.view)), partial_order)


def serve(case: Brief) -> StaffAnswer:
    rules, staff = _open(case)
    view, word = rules.decode_view(case.view), staff.word
    world = rules.sample_state(view, Random(SEED))
    action = _choose(rules, staff, world, view, case.side)
    text = _in_words(rules, world, case.side, action)
    order = rules.format_action(world, case.side, action)
    why = reasons_for(staff, view, order) if case.explains else ()
    doubt, topic = staff.doubt(view, action), staff.topic(view)
    return StaffAnswer(order, text, staff.thought, staff.turn(view), doubt, topic, word, why)


def _open(case: Brief) -> tuple[TableRuleset, Staff]:
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
    answers = [f"{field.label}: {_answer(field)}" for field in given if field.kind != "flag" or field.value != "0"]
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


def rehearse(rules: TableRuleset, staff: Staff, side: Side, view: object) -> tuple[StaffStep, ...]:
    """Return the staff's orders of a turn in a sampled world: the enemy does nothing, and chance is random.

    A march that goes on from the end of the last one is no step of its own: it extends that one's path.
    """
    rng, turn, steps = Random(SEED), staff.turn(view), list[StaffStep]()
    state = rules.sample_state(view, rng)
    for _ in range(MOST):
        pending = rules.pending(state)
        if not pending:
            break
        is_own = any(one.actor == side for one in pending)
        actor, asks = side if is_own else pending[0].actor, ""
        if is_own:
            seen = rules.view(state, side)
            if staff.turn(seen) != turn:
                break
            action = _choose(rules, staff, state, seen, side)
            asks = staff.doubt(seen, action)
        elif actor == CHANCE:
            odds = rules.chances(state)
            action = odds[int(rng.random() * len(odds))][0]
        else:
            action = rules.legal_actions(state, actor).default()
        done = rules.apply(state, actor, action)
        entries = [rules.presenter.present_event(event) for event in done.events(side)]
        own = next((entry for entry in entries if entry.side == side), None)
        path = next((entry.path for entry in entries if entry.path), ())
        goes_on = bool(steps and path and steps[-1].path[-1:] == path[:1])
        if is_own and own is not None and not action.IDLE and not goes_on:
            steps.append(StaffStep(rules.format_action(state, side, action), own.text, own.rule, (), asks))
        for entry in entries:
            if entry.path and entry.side == side and steps and steps[-1].path[-1:] in ((), entry.path[:1]):
                steps[-1] = msgspec.structs.replace(steps[-1], path=(*steps[-1].path[:-1], *entry.path))
        state = done.state
    return tuple(steps)
