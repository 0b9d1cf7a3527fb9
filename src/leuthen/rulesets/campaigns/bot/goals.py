"""What there is to go for: places to take, to guard or to relieve, enemies to hunt; and what each promises to whom.

What was worked out for the last decision holds for the next one while all that it depends on is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.campaigns.bot.situation import DELAY, MARCH, MARCH_POINTS, STRIKE, Situation, might
from leuthen.rulesets.campaigns.model.data import CITY, FORT, FORTRESS, GameOptions
from leuthen.rulesets.campaigns.model.forces import BySide
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range, is_near, need
from leuthen.rulesets.campaigns.rules.r11_siege import BOLD, CROWD
from leuthen.wargame.board import Hex, Hexes
from leuthen.wargame.strength import LeaderId, PowerId
from leuthen.wargame.ways import FAR, Ways

SIEGE_TURNS: Final = {
    CITY: (1.0, 1.2, 1.5, 2.0, 3.0),
    FORT: (1.8, 2.2, 3.0, 4.5, 7.0),
    FORTRESS: (2.5, 3.5, 4.7, 8.0, 14.0),
}
"""How long a siege takes on the whole, with -2, -1, 0, 1, 2 on its rolls."""
HUNT: Final = 0.8
"""Enemies do not stand still."""
GUARD: Final = {CITY: 0.8, FORT: 0.6, FORTRESS: 0.4}
"""What it is worth to stand before a place, of what its loss would cost; a long siege leaves time for help."""
CHECK: Final = 0.7
"""What it is worth to drive an enemy off, of what he threatens."""
CARRIED: Final = 4
"""SP that an army is taken to have with it, beside its own: a wagon."""
WALK_IN: Final = 0.3
"""How much of the might of those who are about is reckoned with in a walk into an empty place."""
WASTE: Final = 0.012
"""What it takes from a walk into an empty place that a larger army does it, for each TP."""
LOYALTY: Final = 1.6
"""What it adds to a siege that the army is there already."""
LEAST_VALUE: Final = 0.02
MARCHED: Final = tuple(MARCH ** (points / MARCH_POINTS) for points in range(FAR + 1))
"""By movement points: what is left of the worth of what is so far away."""


class Target(NamedTuple):
    """Something to go for: its worth in VP, who holds it, the might of those who are about, how long it has taken."""

    kind: str
    hex: Hex
    worth: float
    guards: int = 0
    least: int = 1
    threat: float = 0.0
    begun: int = 0
    """Siege turns that it has gone through."""
    near: bool = True
    """Whether a depot feeds who stands there."""
    blockade: float = 0.0
    """How well who shuts in more men than he has does his work."""
    fear: float = WALK_IN
    """How much of the might of those who are about is reckoned with."""


class Sent(NamedTuple):
    """What is on its way to a target already: TP, and might."""

    tp: int = 0
    might: float = 0.0


class Arm(NamedTuple):
    """A leader who is to be given a goal: TP and might, and the might of all in his hex who have none yet."""

    tp: int
    might: float
    company: float


NOBODY_SENT: Final = Sent()


def gain(target: Target, arm: Arm, already: Sent) -> float:
    """What a leader adds to the chances of what is on its way; against an enemy, his part of what all with him add."""
    power, part = (arm.might, 1.0) if target.kind == "take" else (arm.company, arm.might / arm.company)
    after = fitness(target, already.tp + arm.tp, already.might + power)
    return part * (after - fitness(target, already.tp, already.might))


def promise(s: Situation, unit: Unit, target: Target, way: float) -> float:
    """What is left of the worth of a target so many turns away, for this leader."""
    left = s.turns_left
    if target.kind != "take":
        return float(s.weights.delay_factor**way) * in_time(way, way, left)
    siege = siege_turns(s, unit, target)
    turns = way + siege
    value = float(MARCH**way * DELAY**siege) * in_time(turns, way, left) * provision(s, unit, target, turns)
    value *= s.communication(s.pos.leader(unit.number).nation, target.hex)
    if not target.guards:
        value *= 1 - WASTE * unit.strength
    if target.guards and unit.hex == target.hex:
        value *= LOYALTY
    return value


def provision(s: Situation, unit: Unit, target: Target, turns: float) -> float:
    """For how much of the time an army can be fed that goes where no depot is (V3)."""
    due = need(s.pos, unit.strength) * turns
    if not due or target.near:
        return 1.0
    return min(1.0, (unit.sp + CARRIED) / due)


def in_time(turns: float, way: float, left: int) -> float:
    """How probably what takes so many turns, the way included, is done in the turns that are left."""
    if turns <= left:
        return 1.0
    return max(0.0, (left - way) / (turns - way)) ** 1.5 if turns > way else 0.0


def siege_turns(s: Situation, unit: Unit, target: Target) -> float:
    """How long it should take a leader to take a place, the turn of arrival included (R11, V5)."""
    if target.kind != "take" or not target.guards:
        return 0.0
    bold = s.pos.leader(unit.number).combat >= BOLD
    added = s.pos.is_winter - bold - (unit.strength >= CROWD * target.guards)
    kind = s.data.strongholds[target.hex].kind
    there = unit.hex == target.hex
    if target.blockade and unit.strength <= target.guards:
        added += 1
    if not target.near and unit.sp < need(s.pos, unit.strength):
        added += 2
    return max(1.0, SIEGE_TURNS[kind][max(0, min(4, added + 2))] - target.begun) + 0.5 - 0.5 * there


def _begun(s: Situation, here: Hex) -> int:
    siege = s.pos.sieges.get(here)
    return siege.turns if siege is not None else 0


def fitness(target: Target, tp: int, power: float) -> float:
    """How well so many TP of such might suffice: enough to besiege, and to stand against those who are about."""
    if tp <= 0:
        return 0.0
    if target.kind == "guard":
        enough = min(1.0, target.threat / power) ** 0.5
        return float(enough * power**2 / (power**2 + (0.6 * target.threat) ** 2))
    if target.kind == "hunt":
        return float(power**5 / (power**5 + target.threat**5))
    fit = 1.0
    if target.guards:
        if tp < target.least or tp <= target.guards:
            fit = 0.15 * tp / max(target.least, target.guards)
            if target.blockade and tp >= target.least and 2 * tp >= target.guards:
                fit = target.blockade * tp / target.guards
        else:
            fit = 0.7 + 0.3 * min(1.0, tp / (4 * target.guards))
    return float(fit * power**2 / (power**2 + (target.fear * target.threat) ** 2))


def all_targets(s: Situation) -> Iterator[Target]:
    """Everything that an army could be for."""
    yield from places(s)
    yield from threatened(s)
    yield from guarded(s)
    yield from quarry(s)


def places(s: Situation) -> Iterator[Target]:
    """The places that could be taken."""
    powers = [(s.mights[force.hex], way) for force, way in s.reaches]
    for here, worth in s.worths.items():
        place, guards = s.data.strongholds[here], s.guards(here)
        least = s.data.kinds[place.kind].besieger if guards else 1
        about = sum([power * NEARNESS[way[here]] for power, way in powers])
        near, blockade = is_near(s.pos, here, s.side, False), s.weights.blockade_factor * (here in s.shut)
        about += s.shut.get(here, 0.0)
        fear = s.weights.enemy_strength_factor if guards else WALK_IN
        yield Target("take", here, worth + guards / 5, guards, least, about, _begun(s, here), near, blockade, fear)


def nearness(way: int) -> float:
    """How much of an enemy force counts who is so far away: it may come while the siege lasts."""
    return 1.0 if way <= STRIKE else 0.4 if way <= 2 * STRIKE else 0.0


NEARNESS: Final = tuple(nearness(points) for points in range(FAR + 1))


def threatened(s: Situation) -> Iterator[Target]:
    """Own places before which enemies stand."""
    for here, power in s.mights.items():
        if here in s.stakes:
            yield Target("hunt", here, 1.0 + s.stakes[here], threat=power)


def guarded(s: Situation) -> Iterator[Target]:
    """Own places that enemies are likely to go for; who stands there keeps them out (R10.5)."""
    found: dict[Hex, tuple[float, float]] = {}
    for menace in s.menaces:
        cost, power = found.get(menace.hex, (0.0, 0.0))
        found[menace.hex] = max(cost, menace.cost), max(power, s.mights[menace.force.hex])
    for here, (cost, power) in found.items():
        if here not in s.mights:
            yield Target("guard", here, GUARD[s.data.strongholds[here].kind] * cost, threat=power)


def quarry(s: Situation) -> Iterator[Target]:
    """Enemy forces that might be beaten: worth the VP of a battle, and that they threaten nothing any more."""
    feared: dict[Hex, float] = {}
    for menace in s.menaces:
        feared[menace.force.hex] = max(menace.cost, feared.get(menace.force.hex, 0.0))
    for force in s.foes:
        about = sum(
            s.mights[other.hex] for other in s.foes
            if other.hex != force.hex and s.way(other.hex, force.hex) <= STRIKE
        )  # fmt: skip
        great = 2.0 * (force.tp >= 20)
        weak = 1.5 if force.corps.shaken else 1.0
        worth = HUNT * weak * (great + force.tp / 12) + CHECK * feared.get(force.hex, 0.0)
        yield Target("hunt", force.hex, worth, threat=s.mights[force.hex] + about / 2)


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


Bound: TypeAlias = tuple[float, int, int]
"""How much a target promises at most, below zero; its place among the targets, and how far it is."""


class Outlook:
    """What there is to go for, and what it promises to whom: kept from one decision to the next while it is the same.

    `facts` are all that the targets and their promises hang on, but for the leaders.
    """

    def __init__(self, facts: Facts, targets: Sequence[Target], ways: Ways) -> None:
        self.facts = facts
        self.targets = targets
        self._tables = [ways.table(target.hex) for target in targets]
        self._bounds: dict[tuple[int, Hexes, Hex], list[Bound]] = {}

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
    """The outlook of the last decision of a bot with these weights, if it is still true."""
    facts, key = facts_of(s), (s.side, s.weights)
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
    return left if target.kind == "take" else max(left, float(s.weights.delay_factor ** (far / MARCH_POINTS)))
