"""What a player's staff works out in a process of its own: its plan, a changed mission, the next order.

Like a bot it gets the bytes of its side's view and of its thought, so that nothing else can be in its plan.
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
from leuthen.screen.missions import mission_form
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import Form, FormField, LogEntry, PartialOrder
from leuthen.server.bots.processes import as_problem
from leuthen.server.session import messages
from leuthen.server.session.messages import StaffMission, StaffPlan, StaffStep
from leuthen.server.session.staff import OFFICER, Served
from leuthen.wargame.board import NOWHERE, parse_hex, place_name
from leuthen.wargame.missions import Assignment, Missions
from leuthen.wargame.staff import Staff, goal_on_the_way, reasons_for, sentences

SEED: Final = 0
"""Of the worlds in which a plan is tried: the same for the same view."""
MOST: Final = 400
"""Answers that are looked ahead."""
TELLING: Final = frozenset({"hex", "flag"})
"""Kinds of answers that the summary of a form may leave out."""
NO: Final = "0"
"""The token of a flag that is not set."""


class StaffBrief(msgspec.Struct, frozen=True):
    """What a staff has to work on: its rule set with the digest of the data, its side, the view and its thought; and
    whether it is to say why."""

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
    """The staff's plan, with a mission that is given, changed or dropped if there are `words`."""
    rules, staff = _open(case)
    view, word = rules.decode_view(case.view), staff.word
    try:
        if words:
            staff.obey(view, words)
    except (Invalid, Illegal) as error:
        return as_problem(error)
    missions = staff.missions(view)
    thought, assigned = staff.thought, missions.assignments()
    steps = Trial(rules, staff, case.side, view).run()
    return Worked(
        thought, StaffPlan(tuple(_mission(missions, one, steps) for one in assigned), steps, missions.KINDS, word)
    )


def form(case: StaffBrief, partial_order: PartialOrder) -> Form:
    """A mission in the making; its `order` is the line that gives it."""
    rules, staff = _open(case)
    return mission_form(staff.missions(rules.decode_view(case.view)), partial_order)


def serve(case: StaffBrief) -> Served:
    """The next order of the plan to what the side is asked."""
    rules, staff = _open(case)
    view, word = rules.decode_view(case.view), staff.word
    world = rules.worlds(view, Random(SEED))
    action = _choose(rules, staff, world, view, case.side)
    text = _in_words(rules, world, case.side, action)
    order = rules.format_action(world, case.side, action)
    why = reasons_for(staff, view, order) if case.explains else ()
    doubt, affair = staff.doubt(view, action), staff.affair(view)
    return Served(order, text, staff.thought, staff.turn(view), doubt, affair, word, why)


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
    """What an order does and comes to: what its form calls it, and what the form says of it or was answered in it."""
    chosen = rules.presenter.choices(state, side, action)
    if not chosen:
        return ""
    form = rules.presenter.form(state, side, chosen)
    what, *rest = form.fields
    given = [field for field in rest if field.kind in TELLING or not form.summary]
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
    """A turn carried out in thought: in a world that the view allows, the enemy does nothing and dice fall anyhow."""

    def __init__(self, rules: TableRuleset, staff: Staff[object], side: Side, view: object) -> None:
        self.steps: list[StaffStep] = []
        self._rules, self._staff, self._side = rules, staff, side
        self._rng = Random(SEED)
        self._state = rules.worlds(view, self._rng)
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
        """The staff answers; False if the turn is over."""
        rules, state, side = self._rules, self._state, self._side
        view = rules.view(state, side)
        if self._staff.turn(view) != self._turn:
            return False
        action = _choose(rules, self._staff, state, view, side)
        asks = self._staff.doubt(view, action)
        told = self._apply(side, action)
        entry = next((entry for entry in told if entry.side == side), None)
        if entry is not None and not action.IDLE and not self._goes_on(told):
            self.steps.append(StaffStep(rules.format_action(state, side, action), entry.text, entry.rule, (), asks))
        self._follow(told)
        return True

    def _pass(self, actor: ActorId) -> None:
        """Somebody else answers: chance anything, the enemy what commits least."""
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

    def _goes_on(self, told: Sequence[LogEntry]) -> bool:
        """Whether an order only goes on with the march of the last one."""
        path = next((entry.path for entry in told if entry.path), ())
        return bool(self.steps and path and self.steps[-1].path[-1:] == path[:1])

    def _follow(self, told: Sequence[LogEntry]) -> None:
        """The way of the last order grows by the marches of its side that begin where it ends."""
        for entry in told:
            if entry.path and entry.side == self._side and self.steps:
                last = self.steps[-1]
                if last.path[-1:] in ((), entry.path[:1]):
                    way = (*last.path[:-1], *entry.path)
                    self.steps[-1] = msgspec.structs.replace(last, path=way)
