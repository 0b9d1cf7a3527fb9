"""What an army is for: the place to take, the place to relieve, the enemy to hunt; shared out over all armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leuthen.bots.campaigner.situation import STRIKE, Situation
from leuthen.bots.ways import FAR
from leuthen.campaigns.gamedata import CITY, FORT, FORTRESS
from leuthen.campaigns.rules.siege import BOLD, CROWD
from leuthen.campaigns.rules.supply import is_near, need
from leuthen.campaigns.rules.victory import PLACES
from leuthen.campaigns.state import TURNS, Unit
from leuthen.core.board import Hex

STEP: Final = 5.0
"""Movement points that an army is taken to have a turn."""
DELAY: Final = 0.88
"""What a place is worth that falls a turn later."""
SIEGE_TURNS: Final = {
    CITY: (1.0, 1.2, 1.5, 2.0, 3.0),
    FORT: (1.8, 2.2, 3.0, 4.5, 7.0),
    FORTRESS: (2.5, 3.5, 4.7, 8.0, 14.0),
}
"""How long a siege takes on the whole, with -2, -1, 0, 1, 2 on its rolls."""
HUNT: Final = 0.5
"""Enemies do not stand still."""
WASTE: Final = 0.012
"""What it takes from a walk into an empty place that a larger army does it, for each TP."""
LOYALTY: Final = 1.6
"""What it adds to a siege that the army is there already."""
LEAST_VALUE: Final = 0.02
LEAST_WIN: Final = 0.55


class Goal(NamedTuple):
    """Why and where an army goes; `value` compares goals of one army, in VP."""

    kind: str
    hex: Hex
    value: float


class Target(NamedTuple):
    """Something to go for: its worth in VP, who holds it, who is about, and how long it takes."""

    kind: str
    hex: Hex
    worth: float
    guards: int
    least: int
    threat: int
    begun: int = 0
    """Siege turns that it has gone through."""


NO_GOAL: Final = Goal("none", -1, 0.0)


def plan(s: Situation) -> dict[int, Goal]:
    """A goal for each own leader with TP: the best match first, and what is taken care of draws less."""
    targets = sorted(all_targets(s), key=lambda target: (-target.worth, target.hex))
    ways = [(target, s.memory.ways.table(target.hex)) for target in targets]
    sent: dict[tuple[str, Hex], int] = {}
    best = {unit.number: _best(s, unit, ways, sent) for unit in s.generals}
    found: dict[int, Goal] = {}
    while best:
        number = max(best, key=lambda n: (best[n].value, -n))
        goal = found[number] = best.pop(number)
        key = goal.kind, goal.hex
        sent[key] = sent.get(key, 0) + s.pos.units[number].strength
        if goal.hex >= 0 and s.has("sharing"):
            best.update({n: _best(s, s.pos.units[n], ways, sent) for n in best if best[n][:2] == key})
    return found


def _best(s: Situation, unit: Unit, ways: Sequence[tuple[Target, bytes]], sent: Mapping[tuple[str, Hex], int]) -> Goal:
    """What a leader does best, where so many TP are on their way already."""
    best, left = NO_GOAL, turns_left(s)
    for target, way in ways:
        if target.worth * LOYALTY <= best.value:
            break
        far = way[unit.hex]
        most = target.worth * LOYALTY * DELAY ** (far / STEP)
        if far >= FAR or most <= max(best.value, LEAST_VALUE):
            continue
        turns = far / STEP + siege_turns(s, unit, target)
        already = sent.get((target.kind, target.hex), 0) if s.has("sharing") else 0
        more = fitness(target, already + unit.strength) - fitness(target, already)
        value = target.worth * DELAY**turns * more * in_time(turns, far / STEP, left)
        if not target.guards and s.has("detachments"):
            value *= 1 - WASTE * unit.strength
        if target.guards and unit.hex == target.hex and target.kind == "take":
            value *= LOYALTY
        if value > max(best.value, LEAST_VALUE):
            best = Goal(target.kind, target.hex, value)
    return best


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
    if s.has("supply") and not is_near(s.pos, target.hex, s.side, False) and unit.sp < need(s.pos, unit.strength):
        added += 2
    return max(1.0, SIEGE_TURNS[kind][max(0, min(4, added + 2))] - target.begun) + 0.5 - 0.5 * there


def _begun(s: Situation, here: Hex) -> int:
    siege = s.pos.sieges.get(here)
    return siege.turns if siege is not None else 0


def turns_left(s: Situation) -> int:
    """The turns of this scenario that are left, but no more than a year."""
    last = s.data.scenarios[s.pos.scenario].last
    return TURNS if s.pos.year < last else TURNS - s.pos.turn + 1


def fitness(target: Target, tp: int) -> float:
    """How well so many TP suffice: enough to besiege, and to stand against those who are about."""
    if tp <= 0:
        return 0.0
    if target.kind == "hunt":
        return tp**2 / (tp**2 + target.guards**2)
    fit = 1.0
    if target.guards:
        if tp < target.least or tp <= target.guards:
            fit = 0.15 * tp / max(target.least, target.guards)
        else:
            fit = 0.7 + 0.3 * min(1.0, tp / (4 * target.guards))
    return fit * tp**2 / (tp**2 + (0.8 * target.threat) ** 2)


def all_targets(s: Situation) -> Iterator[Target]:
    """Everything that an army could be for."""
    if s.has("sieges"):
        yield from places(s)
    if s.has("relief"):
        yield from threatened(s)
    if s.has("hunting"):
        yield from quarry(s)


def places(s: Situation) -> Iterator[Target]:
    """The places that could be taken."""
    for here, worth in s.worths.items():
        place, guards = s.data.strongholds[here], s.guards(here)
        least = s.data.kinds[place.kind].besieger if guards else 1
        yield Target("take", here, worth + guards / 5, guards, least, s.threat(here), _begun(s, here))


def threatened(s: Situation) -> Iterator[Target]:
    """Own places before which enemies stand."""
    for here, owner in s.pos.owners.items():
        if owner != s.side or not s.holds_field(here):
            continue
        tp = sum(force.tp for force in s.foes if force.hex == here)
        worth = 1.0 + PLACES.get(s.data.strongholds[here].kind, 0)
        yield Target("hunt", here, worth, tp, 1, tp)


def quarry(s: Situation) -> Iterator[Target]:
    """Enemy forces that might be beaten: worth the VP of a battle."""
    for force in s.foes:
        about = sum(other.tp for other in s.foes if other.hex != force.hex and s.way(other.hex, force.hex) <= STRIKE)
        great = 2.0 * (force.tp >= 20)
        weak = 1.5 if s.corps(force.units).shaken else 1.0
        tp = force.tp + about // 2
        yield Target("hunt", force.hex, HUNT * weak * (great + force.tp / 12), tp, 1, tp)
