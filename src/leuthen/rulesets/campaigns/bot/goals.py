"""Targets, their value for each army, missions that last, and their reasons.

Values are reused between decisions while the facts that they depend on stay the same.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from itertools import chain
from math import ceil
from typing import Final, NamedTuple, TypeAlias

import msgspec

from leuthen.rulesets.campaigns.bot.situation import (
    DELAY,
    HORIZON,
    LEAST_WIN,
    MARCH,
    MARCH_POINTS,
    STRIKE,
    BattleMeans,
    Situation,
    corps_of,
    is_astray,
    might,
)
from leuthen.rulesets.campaigns.model.data import CITY, FORT, FORTRESS
from leuthen.rulesets.campaigns.model.forces import inside_tp, strength
from leuthen.rulesets.campaigns.model.pieces import TURNS, Unit
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range, is_near, need
from leuthen.rulesets.campaigns.rules.r11_siege import BOLD, CROWD
from leuthen.wargame.board import FAR, NOWHERE, Hex, Hexes, Ways
from leuthen.wargame.bot.value import NOTES
from leuthen.wargame.missions import Kind, Limits, Mission, Plan, Reason, Thought, date_number
from leuthen.wargame.search import NO_GOAL, Goal
from leuthen.wargame.strength import EMPTY, LeaderId, PowerId

SIEGE_TURNS: Final = {
    CITY: (1.0, 1.2, 1.5, 2.0, 3.0),
    FORT: (1.8, 2.2, 3.0, 4.5, 7.0),
    FORTRESS: (2.5, 3.5, 4.7, 8.0, 14.0),
}
"""turns of a siege with -2, -1, 0, 1, 2 on its rolls"""
HUNT: Final = 0.8  # discount because enemies move
GUARD: Final = {CITY: 0.8, FORT: 0.6, FORTRESS: 0.4}
"""value of guarding a place as a share of the cost of its loss; a long siege leaves time for help"""
CHECK: Final = 0.7  # value of driving an enemy off as a share of the threat
CARRIED: Final = 4  # SP that an army carries in a wagon, beside its own
WALK_IN: Final = 0.3  # share of nearby enemy might that matters for an empty place
WASTE: Final = 0.012  # discount for each TP of an army that takes an empty place
LOYALTY: Final = 1.6  # factor for a siege by an army that is already there
LEAST_VALUE: Final = 0.02
MARCHED: Final = tuple(MARCH ** (points / MARCH_POINTS) for points in range(FAR + 1))
"""discount by distance in movement points"""


class Target(NamedTuple):
    """A possible goal: its worth in VP, garrison, least TP to besiege it, and nearby enemy might."""

    kind: str
    hex: Hex
    worth: float
    guards: int = 0
    least: int = 1
    threat: float = 0.0
    begun: int = 0  # siege turns so far
    near: bool = True  # whether a depot feeds the besiegers
    blockade: float = 0.0  # value of shutting in a larger garrison
    fear: float = WALK_IN  # share of nearby enemy might that matters


class Sent(NamedTuple):
    tp: int = 0
    might: float = 0.0


class Arm(NamedTuple):
    """A leader without a goal: TP, might, and the might of all such leaders in the same hex."""

    tp: int
    might: float
    company: float


NOBODY_SENT: Final = Sent()


def gain(target: Target, arm: Arm, already: Sent) -> float:
    """Return the increase in the target's chance from sending a leader.

    Against an enemy that is the leader's share of what all leaders in the hex add together.
    """
    power, part = (arm.might, 1.0) if target.kind == "take" else (arm.company, arm.might / arm.company)
    after = fitness(target, already.tp + arm.tp, already.might + power)
    return part * (after - fitness(target, already.tp, already.might))


def promise(s: Situation, unit: Unit, target: Target, way: float) -> float:
    """Return the discount of a target for a leader, by turns of marching and siege."""
    left = s.turns_left
    if target.kind != "take":
        return float(s.weights.delay_factor**way) * finish_chance(way, way, left)
    siege = siege_turns(s, unit, target)
    turns = way + siege
    due, fed = need(s.pos, unit.strength) * turns, 1.0
    if due and not target.near:  # for so much of the time the army can be fed where no depot is (V3)
        fed = min(1.0, (unit.sp + CARRIED) / due)
    value = float(MARCH**way * DELAY**siege) * finish_chance(turns, way, left) * fed
    value *= s.communication(s.pos.leader(unit.number).nation, target.hex)
    if not target.guards:
        value *= 1 - WASTE * unit.strength
    if target.guards and unit.hex == target.hex:
        value *= LOYALTY
    return value


def finish_chance(turns: float, way: float, left: int) -> float:
    if turns <= left:
        return 1.0
    return max(0.0, (left - way) / (turns - way)) ** 1.5 if turns > way else 0.0


def siege_turns(s: Situation, unit: Unit, target: Target) -> float:
    """Return the expected turns of a siege, with the turn of arrival (R11, V5)."""
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


def fitness(target: Target, tp: int, power: float) -> float:
    """Return the chance that a force is strong enough for a target and for nearby enemies."""
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


NEARNESS: Final = tuple(1.0 if way <= STRIKE else 0.4 if way <= 2 * STRIKE else 0.0 for way in range(FAR + 1))
"""weight of an enemy force by its distance in movement points; it may come during a siege"""


def places(s: Situation) -> Iterator[Target]:
    for here, worth in s.worths.items():
        place, guards = s.data.strongholds[here], s.guards(here)
        least = s.data.kinds[place.kind].besieger if guards else 1
        about = sum([force.might * NEARNESS[force.way[here]] for force in s.foes])
        near, blockade = is_near(s.pos, here, s.side, False), s.weights.blockade_factor * (here in s.shut)
        about += s.shut.get(here, 0.0)
        fear, siege = s.weights.enemy_strength_factor if guards else WALK_IN, s.pos.sieges.get(here)
        begun = siege.turns if siege is not None else 0
        yield Target("take", here, worth + guards / 5, guards, least, about, begun, near, blockade, fear)


def threatened(s: Situation) -> Iterator[Target]:
    for force in s.foes:
        if force.hex in s.stakes:
            yield Target("hunt", force.hex, 1.0 + s.stakes[force.hex], threat=force.might)


def guarded(s: Situation) -> Iterator[Target]:
    """Yield own places that enemies are likely to attack; an army there keeps them out (R10.5)."""
    found: dict[Hex, tuple[float, float]] = {}
    for menace in s.menaces:
        cost, power = found.get(menace.hex, (0.0, 0.0))
        found[menace.hex] = max(cost, menace.cost), max(power, menace.force.might)
    for here, (cost, power) in found.items():
        if not s.field(here, s.foe):
            yield Target("guard", here, GUARD[s.data.strongholds[here].kind] * cost, threat=power)


def pursuit_goals(s: Situation) -> Iterator[Target]:
    """Yield enemy forces, by the VP of a battle and the threat that it would end."""
    feared: dict[Hex, float] = {}
    for menace in s.menaces:
        feared[menace.force.hex] = max(menace.cost, feared.get(menace.force.hex, 0.0))
    for force in s.foes:
        about = sum(
            other.might for other in s.foes
            if other.hex != force.hex and force.way[other.hex] <= STRIKE
        )  # fmt: skip
        great = 2.0 * (force.tp >= 20)
        weak = 1.5 if force.corps.shaken else 1.0
        worth = HUNT * weak * (great + force.tp / 12) + CHECK * feared.get(force.hex, 0.0)
        yield Target("hunt", force.hex, worth, threat=force.might + about / 2)


Bound: TypeAlias = tuple[float, int, int]  # upper bound of the value, negated; the number of the target; its distance


class Outlook:
    """Targets and their values, reused while everything but the leaders stays the same."""

    def __init__(self, targets: Sequence[Target], ways: Ways) -> None:
        self.targets = targets
        self._tables = [ways.table(target.hex) for target in targets]
        self._bounds: dict[tuple[int, Hexes, Hex], list[Bound]] = {}

    def bounds(self, s: Situation, nation: PowerId, here: Hex) -> list[Bound]:
        place = nation, s.bases(nation), here
        if place not in self._bounds:
            self._bounds[place] = sorted(self._bounds_of(s, nation, here))
        return self._bounds[place]

    def _bounds_of(self, s: Situation, nation: PowerId, here: Hex) -> Iterator[Bound]:
        for number, (target, table) in enumerate(zip(self.targets, self._tables, strict=True)):
            far = table[here]
            left: float = MARCHED[far]
            if target.kind != "take":
                left = max(left, float(s.weights.delay_factor ** (far / MARCH_POINTS)))
            most = target.worth * left * (1.0 if far else LOYALTY)
            if most <= LEAST_VALUE or far >= FAR:
                continue
            if target.kind == "take":
                most *= s.communication(nation, target.hex)
            if most > LEAST_VALUE:
                yield -most, number, far


def outlook_of(s: Situation) -> Outlook:
    """Return the cached outlook of bots with these weights, if it is still valid."""
    pos = s.pos
    facts = (
        pos.options, s.turns_left, pos.is_first, pos.is_winter, pos.status, pos.owners, pos.census.inside, pos.sieges,
        depot_range(pos, s.side), [(force.hex, force.tp, force.might, force.corps.shaken) for force in s.foes], s.shut,
    )  # fmt: skip
    targets = chain(places(s), threatened(s), guarded(s), pursuit_goals(s))
    return s.memory.outlooks.get_latest((s.side, s.weights), facts, lambda: Outlook(list(targets), s.memory.ways))


# --- missions: what was begun goes on until it is done or refuted -----------------------------------------------------

PATIENCE: Final = 4  # turns for which a failed mission is not repeated
VAIN: Final = 0.2  # discount of a failed mission until then
LEAST_STEP: Final = 4.0  # movement points that an army should make each turn
KINDS: Final[Mapping[str, str]] = {
    "besiege": "take", "raid": "take", "cover": "guard", "hunt": "hunt", "relieve": "hunt", "join": "join",
}  # fmt: skip
"""Goals of missions; other missions lead nowhere."""


def think(s: Situation, before: Thought) -> Thought:
    """Return the thought with a new plan, if a march or a new turn begins, else as it was."""
    now = date_number(s.pos.year, s.pos.turn)
    if before.date == now and not isinstance(s.pos.frames[-1], Orders):
        return before
    notes = valid_notes(s, before, now)
    return msgspec.structs.replace(before, date=now, plan=propose(s, before.plan, notes, now), notes=notes)


def valid_notes(s: Situation, before: Thought, now: int) -> dict[str, int]:
    """Return the notes without expired ones, with missions that failed."""
    notes = {name: until for name, until in before.notes.items() if until > now or name in NOTES}
    later = min(now + PATIENCE, now // 100 * 100 + TURNS)  # the winter ends what was not to be
    for mission in before.plan.missions:
        if mission.limits.due and now > mission.limits.due and mission.kind in KINDS:
            for number in mission.army:
                if number in s.pos.units and s.pos.units[number].hex != mission.place:
                    notes[note_of(number, KINDS[mission.kind], mission.place)] = later
    return notes


def note_of(number: LeaderId, kind: str, place: Hex) -> str:
    return f"{number} {kind} {place}"


def goals_in(s: Situation, plan: Plan) -> dict[LeaderId, Goal]:
    found = {
        number: Goal(KINDS[mission.kind], mission.place, 1.0)
        for mission in plan.missions if mission.kind in KINDS
        for number in mission.army
    }  # fmt: skip
    return {unit.number: found.get(unit.number, NO_GOAL) for unit in s.generals}


def propose(s: Situation, before: Plan, notes: Mapping[str, int], now: int) -> Plan:
    """Return the plan: current missions go on unless something clearly better turns up."""
    kept = {number: mission for mission in before.missions for number in mission.army}
    outlook, armies = outlook_of(s), armies_of(s)
    promises = {
        army.chief.number: Promises(s, army, outlook, kept.get(army.chief.number), notes)
        for army in armies if is_corps(s, army)
    }  # fmt: skip
    goals = match(s, promises)
    for army in armies:
        goals.update(dict.fromkeys(army.numbers, goals.get(army.chief.number, NO_GOAL)))
    goals.update(detachment_goals(s, armies))
    signed = [mission for one in before.missions if one.signed and (mission := still_open(s, one)) is not None]
    taken = {number for mission in signed for number in mission.army}
    return Plan(missions=(*signed, *missions_of(s, goals, kept, now, taken)))


def still_open(s: Situation, mission: Mission) -> Mission | None:
    """Return a mission with those of its army who still have TP; None if it is done or impossible."""
    army = tuple([number for number in mission.army if number in s.pos.units and s.pos.units[number].tp])
    if army[:1] != mission.army[:1]:
        return None
    if mission.kind in ("besiege", "raid") and mission.place not in s.worths:
        return None
    return mission if army == mission.army else msgspec.structs.replace(mission, army=army)


class Promises:
    """Values of targets for one army, computed on demand."""

    def __init__(
        self, s: Situation, army: Army, outlook: Outlook, mission: Mission | None, notes: Mapping[str, int]
    ) -> None:
        self.army = army
        self._s, self._unit, self._targets, self._notes = s, army.whole, outlook.targets, notes
        self._nation = s.pos.leader(army.chief.number).nation
        self._loyal = (KINDS.get(mission.kind, ""), mission.place) if mission is not None else None
        self._bounds: Sequence[Bound] = outlook.bounds(s, self._nation, army.chief.hex)
        if self._loyal is not None:
            self._bounds = sorted((most * s.weights.loyalty, number, far) for most, number, far in self._bounds)
        self._known: list[float] = []

    def best(self, arm: Arm, sent: Mapping[tuple[str, Hex], Sent]) -> Goal:
        best = NO_GOAL
        for number, (bound, place, far) in enumerate(self._bounds):
            if -bound <= best.value:
                break
            target = self._targets[place]
            if number == len(self._known):
                self._known.append(self._discounted_value(target, far))
            if self._known[number] > best.value:
                value = self._known[number] * gain(target, arm, sent.get((target.kind, target.hex), NOBODY_SENT))
                if value > max(best.value, LEAST_VALUE):
                    best = Goal(target.kind, target.hex, value)
        return best

    def _discounted_value(self, target: Target, far: int) -> float:
        s, unit = self._s, self._unit
        value = target.worth * promise(s, unit, target, far / MARCH_POINTS)
        if is_astray(s.data, self._nation, target.hex):
            value *= s.weights.abroad_factor
        if note_of(unit.number, target.kind, target.hex) in self._notes:
            value *= VAIN
        return value * s.weights.loyalty if self._loyal == (target.kind, target.hex) else value


def match(s: Situation, promises: Mapping[LeaderId, Promises]) -> dict[LeaderId, Goal]:
    """Return a goal for each army: the best match first, with less value for targets already assigned."""
    armies = {number: one.army for number, one in promises.items()}
    power = {number: might(corps_of(s.pos, [army.whole])) for number, army in armies.items()}
    sent: dict[tuple[str, Hex], Sent] = {}
    free: dict[Hex, float] = {}
    for number, army in armies.items():
        free[army.chief.hex] = free.get(army.chief.hex, 0.0) + power[number]

    def weigh(number: LeaderId) -> Goal:
        army = armies[number]
        return promises[number].best(Arm(army.whole.strength, power[number], free[army.chief.hex]), sent)

    best = {number: weigh(number) for number in armies}
    found: dict[LeaderId, Goal] = {}
    while best:
        number = max(best, key=lambda n: (best[n].value, -n))
        goal = found[number] = best.pop(number)
        key, army = (goal.kind, goal.hex), armies[number]
        before = sent.get(key, NOBODY_SENT)
        free[army.chief.hex] -= power[number]
        if goal.hex >= 0:
            sent[key] = Sent(before.tp + army.whole.strength, before.might + power[number])
            best.update({n: weigh(n) for n in best if best[n][:2] == key})
    return found


def missions_of(
    s: Situation,
    goals: Mapping[LeaderId, Goal],
    kept: Mapping[LeaderId, Mission],
    now: int,
    taken: Set[LeaderId] = frozenset(),
) -> Iterator[Mission]:
    """Yield missions: leaders in one hex with the same goal are an army, the strongest first."""
    armies: dict[tuple[Hex, str, Hex], list[LeaderId]] = {}
    for unit in s.generals:
        if unit.number not in taken:
            goal = goals.get(unit.number, NO_GOAL)
            armies.setdefault((unit.hex, goal.kind, goal.hex), []).append(unit.number)
    for (here, kind, place), army in armies.items():
        named = kind_of(s, kind, place)
        old = kept.get(army[0])
        if old is not None and (old.kind, old.place, old.army) == (named, place, tuple(army)):
            yield old
            continue
        since = old.since if old is not None and (old.kind, old.place) == (named, place) else now
        due = since + 1 + ceil(s.way(here, place) / LEAST_STEP) if place >= 0 else 0
        yield Mission(named, tuple(army), place, Limits(LEAST_WIN, due=due), reason_of(s, named, army, place), since)


def kind_of(s: Situation, kind: str, place: Hex) -> Kind:
    kinds: dict[str, Kind] = {
        "take": "besiege" if s.guards(place) else "raid",
        "hunt": "relieve" if place in s.stakes else "hunt",
        "guard": "cover",
        "join": "join",
    }
    return kinds.get(kind, "winter" if s.pos.is_winter else "hold")


ARMY: Final = 15  # TP of a force that is worth joining
NEAR_ARMY: Final = 24  # movement points to an army that is joined
ERRAND_TP: Final = 2  # TP that may go on an errand
ERRAND: Final = 9  # movement points of an errand
POST: Final = 2.0  # VP of an own place that deserves a guard
WATCH: Final = 0.5  # value of a guard as a share of the cost of the loss
PRIZE: Final = 0.5  # VP of an empty place that is worth an errand


class Army(NamedTuple):
    """A leader and the smaller corps of the same nation in the hex; `whole` is the leader with all their TP and SP."""

    chief: Unit
    juniors: tuple[Unit, ...]
    whole: Unit

    @property
    def numbers(self) -> tuple[LeaderId, ...]:
        return (self.chief.number, *[unit.number for unit in self.juniors])


def armies_of(s: Situation) -> list[Army]:
    """Return the armies, the strongest first; a demoralized leader goes home alone (V8.2)."""
    chiefs: dict[tuple[int, Hex, bool], Unit] = {}
    juniors: dict[LeaderId, list[Unit]] = {}
    for unit in s.generals:
        if unit.daunted:
            continue
        chief = chiefs.setdefault((s.pos.leader(unit.number).nation, unit.hex, unit.inside), unit)
        if chief is unit or unit.strength >= s.weights.min_corps:
            juniors[unit.number] = []
        else:
            juniors[chief.number].append(unit)
    found = []
    for number, others in juniors.items():
        chief, men = s.pos.units[number], sum((unit.tp for unit in others), EMPTY)
        whole = msgspec.structs.replace(chief, tp=chief.tp + men, sp=chief.sp + sum(unit.sp for unit in others))
        found.append(Army(chief, tuple(others), whole))
    return sorted(found, key=lambda army: (-army.whole.strength, army.chief.number))


def is_corps(s: Situation, army: Army) -> bool:
    return army.whole.strength >= s.weights.min_corps


def detachment_goals(s: Situation, armies: Sequence[Army]) -> Iterator[tuple[LeaderId, Goal]]:
    """Yield goals of small corps: a nearby empty place, or the next army. A guard inside a place stays."""
    taken: set[Hex] = set()
    for army in armies:
        for unit in army.juniors if is_corps(s, army) else (army.chief, *army.juniors):
            errand = errand_of(s, unit, taken)
            if errand.hex >= 0:
                taken.add(errand.hex)
                yield unit.number, errand
            elif unit not in army.juniors and not unit.inside:
                hosts = [other.chief for other in armies if other.whole.strength >= ARMY]
                near = [h.hex for h in hosts if h.hex != unit.hex and s.way(unit.hex, h.hex) <= NEAR_ARMY
                        and s.pos.leader(h.number).nation == s.pos.leader(unit.number).nation]  # fmt: skip
                _, host = min([(s.way(unit.hex, there), there) for there in near], default=(0, NOWHERE))
                yield unit.number, Goal("join", host, 1.0) if host >= 0 else NO_GOAL


def errand_of(s: Situation, unit: Unit, taken: Container[Hex]) -> Goal:
    """Return the most valuable empty place nearby without an enemy in reach."""
    if unit.strength < ERRAND_TP or unit.inside:
        return NO_GOAL
    way = s.memory.ways.table(unit.hex)
    found = [
        Goal(kind, here, worth / (4 + way[here])) for kind, here, worth in empty_places(s)
        if way[here] <= ERRAND and here not in taken and not s.threat(here)
    ]  # fmt: skip
    return max(found, key=lambda goal: (goal.value, -goal.hex), default=NO_GOAL)


def empty_places(s: Situation) -> Iterator[tuple[str, Hex, float]]:
    for here, worth in s.worths.items():
        if worth > PRIZE and not s.guards(here):
            yield "take", here, worth
    for here, stake in s.stakes.items():
        if stake >= POST and not inside_tp(s.pos, here, s.side) and any(force.way[here] <= HORIZON for force in s.foes):
            yield "guard", here, WATCH * stake


RULES: Final[Mapping[str, str]] = {
    "besiege": "R11.1", "raid": "R5.6", "cover": "R10.5", "relieve": "R10.5", "hunt": "R6.1", "join": "R3.2",
    "hold": "R9.6", "winter": "R17.6",
}  # fmt: skip
WORDS: Final[Mapping[str, str]] = {
    "besiege": "take {} by siege", "raid": "take {} while it is empty", "cover": "keep the enemy away from {}",
    "relieve": "drive the enemy away from {}", "hunt": "beat the enemy at {}", "join": "join the army at {}",
    "hold": "stay", "winter": "spend the winter in quarters",
}  # fmt: skip


def reason_of(s: Situation, kind: Kind, army: Sequence[LeaderId], place: Hex) -> Reason:
    units = [s.pos.units[number] for number in army]
    enemy = s.field(place, s.foe) if kind in ("hunt", "relieve") else ()
    fight = s.fight(units, enemy, place) if enemy else None
    premises = tuple(_premises(s, kind, strength(units), place, fight))
    odds = None if fight is None else round(fight.attacker_wins, 2)
    return Reason(WORDS[kind].format(s.data.book.fort_or_place(place)), premises, RULES[kind], odds)


def _premises(s: Situation, kind: Kind, tp: int, place: Hex, fight: BattleMeans | None) -> Iterator[str]:
    if kind == "besiege":
        yield f"{s.guards(place)} TP are inside, {tp} TP besiege"
        yield f"it is worth {s.worths.get(place, 0.0):.0f} VP"
        yield "a depot is near" if is_near(s.pos, place, s.side, False) else "no depot is near"
    elif kind == "raid":
        yield "it has no garrison"
        threat = s.threat(place)
        yield f"{threat} enemy TP could come within a turn" if threat else "no enemy is within a turn's march"
    elif kind == "cover":
        yield f"its loss would cost {s.stakes.get(place, 0.0):.0f} VP"
        yield f"{s.threat(place)} enemy TP could come within a turn"
    elif kind in ("hunt", "relieve"):
        yield f"{strength(s.field(place, s.foe))} enemy TP are there, {tp} TP attack them"
        if fight is not None:
            yield f"a battle costs about {fight.attacker_loss:.0f} TP, and the enemy {fight.defender_loss:.0f}"
    elif kind == "join":
        yield f"too weak alone ({tp} TP)"
