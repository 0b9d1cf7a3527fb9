"""The work of a player's staff in a process of its own: its plan, a changed mission, the next order.

Like a bot it gets only the encoded view of its side and its own thought.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, ActorId, Side
from leuthen.load import load_with
from leuthen.screen.forms import mission_form
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import Form, FormField, LogEntry, PartialOrder
from leuthen.server.bots.processes import as_problem
from leuthen.server.session import messages
from leuthen.server.session.messages import StaffMission, StaffPlan, StaffStep
from leuthen.server.session.staff import OFFICER, StaffAnswer
from leuthen.wargame.board import NOWHERE, parse_hex, place_name
from leuthen.wargame.missions import Assignment, Missions, Staff, goal_on_the_way, reasons_for, sentences

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
    side: Side
    view: bytes
    thought: bytes
    explains: bool = False


class Worked(msgspec.Struct, frozen=True):
    """The thought after some work, and the plan."""

    thought: bytes
    plan: StaffPlan


def plan(case: StaffBrief, words: str = "") -> Worked | messages.Problem:
    """Return the staff's plan, after giving, changing or dropping a mission if there are `words`."""
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
    return Worked(
        thought, StaffPlan(tuple(_mission(missions, one, steps) for one in assigned), steps, missions.KINDS, word)
    )


def form(case: StaffBrief, partial_order: PartialOrder) -> Form:
    """Return the form of a partial mission; its `order` gives the mission."""
    rules, staff = _open(case)
    return mission_form(staff.missions(rules.decode_view(case.view)), partial_order)


def serve(case: StaffBrief) -> StaffAnswer:
    """Return the next order of the plan for the current question."""
    rules, staff = _open(case)
    view, word = rules.decode_view(case.view), staff.word
    world = rules.sample_state(view, Random(SEED))
    action = _choose(rules, staff, world, view, case.side)
    text = _in_words(rules, world, case.side, action)
    order = rules.format_action(world, case.side, action)
    why = reasons_for(staff, view, order) if case.explains else ()
    doubt, topic = staff.doubt(view, action), staff.topic(view)
    return StaffAnswer(order, text, staff.thought, staff.turn(view), doubt, topic, word, why)


def _open(case: StaffBrief) -> tuple[TableRuleset, Staff[object]]:
    staff = make_bot(OFFICER, case.ruleset, case.side, SEED)
    if not isinstance(staff, Staff):
        raise Invalid(f"the {OFFICER} of the rule set {case.ruleset} has no staff")
    staff.thought = case.thought
    return load_with(case.ruleset, case.data), staff


def _choose(rules: TableRuleset, staff: Staff[object], state: object, view: object, side: Side) -> Action:
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

    def __init__(self, rules: TableRuleset, staff: Staff[object], side: Side, view: object) -> None:
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
                    way = (*last.path[:-1], *entry.path)
                    self.steps[-1] = msgspec.structs.replace(last, path=way)
