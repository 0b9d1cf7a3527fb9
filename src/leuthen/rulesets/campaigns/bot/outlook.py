"""The goals of all armies: what there is to go for, what it promises to whom, and the best match of both.

What was worked out for the last decision holds for the next one while all that it hangs on is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.campaigns.bot.goals import (
    LEAST_VALUE,
    LOYALTY,
    MARCHED,
    NO_GOAL,
    NOBODY_SENT,
    Arm,
    Goal,
    Sent,
    Target,
    all_targets,
    gain,
    promise,
)
from leuthen.rulesets.campaigns.bot.menaces import STEP
from leuthen.rulesets.campaigns.bot.situation import Situation, might
from leuthen.rulesets.campaigns.model.data import GameOptions
from leuthen.rulesets.campaigns.model.forces import BySide
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range
from leuthen.wargame.board import Hex, Hexes
from leuthen.wargame.strength import LeaderId, PowerId
from leuthen.wargame.ways import FAR, Ways


class Marshal(NamedTuple):
    """All that counts of a leader who is to be given a goal, with the places from which he can be supplied."""

    number: LeaderId
    nation: PowerId
    bases: Hexes
    hex: Hex
    tp: int
    sp: int
    might: float


def marshal(s: Situation, unit: Unit) -> Marshal:
    """What counts of a leader."""
    nation = s.pos.leader(unit.number).nation
    power = might(s.corps([unit]))
    return Marshal(unit.number, nation, s.bases(nation), unit.hex, unit.strength, unit.sp, power)


def plan(s: Situation) -> Mapping[LeaderId, Goal]:
    """A goal for each own leader with TP: that of the last decision, if nothing has changed that counts."""
    outlook, marshals = outlook_of(s), tuple([marshal(s, unit) for unit in s.generals])
    found = outlook.plans.get(marshals)
    if found is None:
        prospects = {one.number: outlook.prospects(s, one) for one in marshals}
        found = outlook.plans[marshals] = match(s, prospects, marshals)
    return found


def match(s: Situation, prospects: Mapping[LeaderId, Prospects], marshals: Sequence[Marshal]) -> dict[LeaderId, Goal]:
    """A goal for each leader, by what there is for him: the best match first; what is taken care of draws less."""
    who = {one.number: one for one in marshals}
    sent: dict[tuple[str, Hex], Sent] = {}
    free: dict[Hex, float] = {}
    for one in marshals:
        free[one.hex] = free.get(one.hex, 0.0) + one.might

    def weigh(one: Marshal) -> Goal:
        return prospects[one.number].best(s, Arm(one.tp, one.might, free[one.hex]), sent)

    best = {one.number: weigh(one) for one in marshals}
    found: dict[LeaderId, Goal] = {}
    while best:
        number = max(best, key=lambda n: (best[n].value, -n))
        goal = found[number] = best.pop(number)
        key, one = (goal.kind, goal.hex), who[number]
        before = sent.get(key, NOBODY_SENT)
        free[one.hex] -= one.might
        if goal.hex >= 0 and s.has("sharing"):
            sent[key] = Sent(before.tp + one.tp, before.might + one.might)
            best.update({n: weigh(who[n]) for n in best if best[n][:2] == key})
    return found


Bound: TypeAlias = tuple[float, int, int]
"""How much a target promises at most, below zero; its place among the targets, and how far it is."""


class Outlook:
    """What there is to go for, and what it promises to whom: kept from one decision to the next while it is the same.

    `facts` are all that the targets and their promises hang on, but for the leaders.
    """

    def __init__(self, facts: Facts, targets: Sequence[Target], ways: Ways) -> None:
        self.facts = facts
        self.plans: dict[tuple[Marshal, ...], dict[LeaderId, Goal]] = {}
        self.targets = targets
        self._tables = [ways.table(target.hex) for target in targets]
        self._bounds: dict[tuple[int, Hexes, Hex], list[Bound]] = {}
        self._prospects: dict[tuple[int, Hexes, Hex, int, int], Prospects] = {}

    def prospects(self, s: Situation, one: Marshal) -> Prospects:
        """What the targets promise to a leader."""
        key = one.number, one.bases, one.hex, one.tp, one.sp
        found = self._prospects.get(key)
        if found is None:
            found = self._prospects[key] = Prospects(s.pos.units[one.number], self.targets, self.bounds(s, one))
        return found

    def bounds(self, s: Situation, one: Marshal) -> list[Bound]:
        """What the targets may promise to him at most."""
        place = one.nation, one.bases, one.hex
        if place not in self._bounds:
            self._bounds[place] = bounds_of(s, one.nation, one.hex, self.targets, self._tables)
        return self._bounds[place]


class Facts(NamedTuple):
    """What an outlook is made of."""

    options: GameOptions
    turns_left: int
    is_first: bool
    is_winter: bool
    status: tuple[int, ...]
    owners: Mapping[Hex, OwnerId]
    inside: BySide
    sieges: Mapping[Hex, Siege]
    depots: Hexes
    """The range of those that work."""
    foes: Sequence[tuple[Hex, int, float, bool]]
    """Where they stand; their TP, their might, and whether they are demoralized."""
    shut: Mapping[Hex, float]
    """Where armies of theirs may be shut in, and their might."""


def facts_of(s: Situation) -> Facts:
    """What there is to be known for a plan."""
    pos = s.pos
    foes = [(force.hex, force.tp, s.mights[force.hex], force.corps.shaken) for force in s.foes]
    return Facts(
        pos.options, s.turns_left, pos.is_first, pos.is_winter, pos.status, pos.owners, pos.census.inside, pos.sieges,
        depot_range(pos, s.side), foes, s.shut,
    )  # fmt: skip


def outlook_of(s: Situation) -> Outlook:
    """That of the last decision of a general with these habits, if it is still true."""
    facts, key = facts_of(s), (s.side, frozenset(s.off), s.temper)
    last: Outlook | None = s.memory.outlooks.get(key)
    if last is None or last.facts != facts:
        last = s.memory.outlooks[key] = Outlook(facts, list(all_targets(s)), s.memory.ways)
    return last


def bounds_of(
    s: Situation, nation: PowerId, here: Hex, targets: Sequence[Target], tables: Sequence[bytes]
) -> list[Bound]:
    """What the targets may promise at most to a leader of a nation in a hex, those first that may promise most."""
    found: list[Bound] = []
    for place, (target, table) in enumerate(zip(targets, tables, strict=True)):
        far = table[here]
        most = target.worth * left_of(s, target, far) * (1.0 if far else LOYALTY)
        if most <= LEAST_VALUE or far >= FAR:
            continue
        if target.kind == "take":
            most *= s.communication(nation, target.hex)
        if most > LEAST_VALUE:
            found.append((-most, place, far))
    return sorted(found)


def left_of(s: Situation, target: Target, far: int) -> float:
    """What is left at most of the worth of what is so many MP away."""
    left: float = MARCHED[far]
    return left if target.kind == "take" else max(left, float(s.temper.haste ** (far / STEP)))


class Prospects:
    """What the targets promise to one leader, those first that may promise most; worked out when it is asked."""

    def __init__(self, unit: Unit, targets: Sequence[Target], bounds: Sequence[Bound]) -> None:
        self._unit = unit
        self._bounds, self._targets = bounds, targets
        self._known: list[float] = []
        self._alone: dict[Arm, Goal] = {}
        """The best by what the leader has, where nothing is on its way."""

    def best(self, s: Situation, arm: Arm, sent: Mapping[tuple[str, Hex], Sent]) -> Goal:
        """The best for the leader, where so much is on its way already."""
        if sent:
            return self._weigh(s, arm, sent)
        found = self._alone.get(arm)
        if found is None:
            found = self._alone[arm] = self._weigh(s, arm, sent)
        return found

    def _weigh(self, s: Situation, arm: Arm, sent: Mapping[tuple[str, Hex], Sent]) -> Goal:
        best = NO_GOAL
        for number, (bound, place, far) in enumerate(self._bounds):
            if -bound <= best.value:
                break
            target = self._targets[place]
            if number == len(self._known):
                self._known.append(self.promised(s, target, far))
            if self._known[number] > best.value:
                value = self._known[number] * gain(target, arm, sent.get((target.kind, target.hex), NOBODY_SENT))
                if value > max(best.value, LEAST_VALUE):
                    best = Goal(target.kind, target.hex, value)
        return best

    def promised(self, s: Situation, target: Target, far: int) -> float:
        """What a target so many MP away promises, whoever is on his way to it."""
        return target.worth * promise(s, self._unit, target, far / STEP)
