"""What every army is to do, and why: missions, proposed from what can be won and lost, kept until done or refuted."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from math import ceil
from typing import Final, NamedTuple

import msgspec

from leuthen.rulesets.campaigns.bot.goals import (
    LEAST_VALUE,
    NOBODY_SENT,
    Arm,
    Bound,
    Marshal,
    Sent,
    Target,
    gain,
    marshal,
    outlook_of,
    promise,
)
from leuthen.rulesets.campaigns.bot.odds import BattleMeans
from leuthen.rulesets.campaigns.bot.situation import HORIZON, LEAST_WIN, MARCH_POINTS, NO_GOAL, Goal, Situation
from leuthen.rulesets.campaigns.bot.theatres import is_astray
from leuthen.rulesets.campaigns.model.forces import inside_tp
from leuthen.rulesets.campaigns.model.pieces import TURNS, Unit
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r09_supply import is_near
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.bot.hope import NOTES
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Reason, Thought, date_number
from leuthen.wargame.strength import EMPTY, LeaderId

PATIENCE: Final = 4
"""Turns for which a mission is left alone that did not come off."""
VAIN: Final = 0.2
"""What it is worth until then."""
LEAST_STEP: Final = 4.0
"""Movement points a turn that an army should make on its way."""
KINDS: Final[Mapping[str, str]] = {
    "besiege": "take", "raid": "take", "cover": "guard", "hunt": "hunt", "relieve": "hunt", "join": "join",
}  # fmt: skip
"""What a mission is as a goal of marches; other missions go nowhere."""


def think(s: Situation, before: Thought) -> Thought:
    """The thought after a look at the position: planned anew before marches and on a new turn, else as it was."""
    now = date_number(s.pos.year, s.pos.turn)
    if before.date == now and not isinstance(s.pos.frames[-1], Orders):
        return before
    notes = remembered(s, before, now)
    return msgspec.structs.replace(before, date=now, plan=propose(s, before.plan, notes, now), notes=notes)


def remembered(s: Situation, before: Thought, now: int) -> dict[str, int]:
    """What did not come off: by leader and target, until when it is left alone; and how his war stands."""
    notes = {name: until for name, until in before.notes.items() if until > now or name in NOTES}
    for mission in before.plan.missions:
        if mission.limits.due and now > mission.limits.due and mission.kind in KINDS:
            for number in mission.army:
                if number in s.pos.units and s.pos.units[number].hex != mission.place:
                    notes[note_of(number, KINDS[mission.kind], mission.place)] = later(now, PATIENCE)
    return notes


def note_of(number: LeaderId, kind: str, place: Hex) -> str:
    """The name of a note."""
    return f"{number} {kind} {place}"


def later(now: int, turns: int) -> int:
    """The date so many turns after another; the winter ends what was not to be."""
    return min(now + turns, now // 100 * 100 + TURNS)


def goals_in(s: Situation, plan: Plan) -> dict[LeaderId, Goal]:
    """What each leader with men is for by a plan."""
    found = {
        number: Goal(KINDS[mission.kind], mission.place, 1.0)
        for mission in plan.missions if mission.kind in KINDS
        for number in mission.army
    }  # fmt: skip
    return {unit.number: found.get(unit.number, NO_GOAL) for unit in s.generals}


def propose(s: Situation, before: Plan, notes: Mapping[str, int], now: int) -> Plan:
    """The plan of a position: what was begun goes on unless something clearly better is to be done."""
    kept = {number: mission for mission in before.missions for number in mission.army}
    outlook, armies = outlook_of(s), armies_of(s)
    marshals = {army.chief.number: marshal(s, army.whole) for army in armies if is_corps(s, army)}
    prospects = {
        number: Prospects(
            army.whole, outlook.targets, outlook.bounds(s, marshals[number]), kept.get(number), notes, s.weights.loyalty
        )
        for army in armies if (number := army.chief.number) in marshals
    }  # fmt: skip
    goals = match(s, prospects, list(marshals.values()))
    for army in armies:
        goals.update(dict.fromkeys(army.numbers, goals.get(army.chief.number, NO_GOAL)))
    goals.update(detached(s, armies))
    signed = [mission for one in before.missions if one.signed and (mission := still_open(s, one)) is not None]
    taken = {number for mission in signed for number in mission.army}
    return Plan(missions=(*signed, *missions_of(s, goals, kept, now, taken)))


def still_open(s: Situation, mission: Mission) -> Mission | None:
    """What a player has ordered, for those of the army who still have men; None if it is done or cannot be."""
    army = tuple([number for number in mission.army if number in s.pos.units and s.pos.units[number].tp])
    if army[:1] != mission.army[:1]:
        return None
    if mission.kind in ("besiege", "raid") and mission.place not in s.worths:
        return None
    return mission if army == mission.army else msgspec.structs.replace(mission, army=army)


class Prospects:
    """What the targets promise to a leader, who perhaps has a mission already; worked out when it is asked."""

    def __init__(
        self,
        unit: Unit,
        targets: Sequence[Target],
        bounds: Sequence[Bound],
        mission: Mission | None,
        notes: Mapping[str, int],
        loyalty: float,
    ) -> None:
        """`bounds`: what the targets promise at most, the best first. `notes`: what did not come off before."""
        self._unit, self._targets, self._notes = unit, targets, notes
        self._loyal = (KINDS.get(mission.kind, ""), mission.place) if mission is not None else None
        self._bounds = (
            bounds if self._loyal is None else sorted((most * loyalty, place, far) for most, place, far in bounds)
        )
        self._known: list[float] = []

    def best(self, s: Situation, arm: Arm, sent: Mapping[tuple[str, Hex], Sent]) -> Goal:
        """The best goal for the leader, where so much is on its way already."""
        best = NO_GOAL
        for number, (bound, place, far) in enumerate(self._bounds):
            if -bound <= best.value:
                break
            target = self._targets[place]
            if number == len(self._known):
                self._known.append(self._promised(s, target, far))
            if self._known[number] > best.value:
                value = self._known[number] * gain(target, arm, sent.get((target.kind, target.hex), NOBODY_SENT))
                if value > max(best.value, LEAST_VALUE):
                    best = Goal(target.kind, target.hex, value)
        return best

    def _promised(self, s: Situation, target: Target, far: int) -> float:
        """Less where others should fight, or where he failed before; more where he is at work."""
        value = target.worth * promise(s, self._unit, target, far / MARCH_POINTS)
        if is_astray(s.data, s.pos.leader(self._unit.number).nation, target.hex):
            value *= s.weights.abroad_factor
        if note_of(self._unit.number, target.kind, target.hex) in self._notes:
            value *= VAIN
        return value * s.weights.loyalty if self._loyal == (target.kind, target.hex) else value


def missions_of(
    s: Situation,
    goals: Mapping[LeaderId, Goal],
    kept: Mapping[LeaderId, Mission],
    now: int,
    taken: Set[LeaderId] = frozenset(),
) -> Iterator[Mission]:
    """The goals as missions: leaders in one hex with the same goal are an army, the strongest first."""
    armies: dict[tuple[Hex, str, Hex], list[LeaderId]] = {}
    for unit in s.generals:
        if unit.number in taken:
            continue
        goal = goals.get(unit.number, NO_GOAL)
        armies.setdefault((unit.hex, goal.kind, goal.hex), []).append(unit.number)
    for (_, kind, place), army in armies.items():
        named = kind_of(s, kind, place)
        old = kept.get(army[0])
        if old is not None and (old.kind, old.place, old.army) == (named, place, tuple(army)):
            yield old
            continue
        since = old.since if old is not None and (old.kind, old.place) == (named, place) else now
        limits = Limits(LEAST_WIN, due=due_of(s, army[0], place, since))
        yield Mission(named, tuple(army), place, limits, reason_of(s, named, army, place), since)


def due_of(s: Situation, leader: LeaderId, place: Hex, since: int) -> int:
    """By when an army should be where it is to go."""
    if place < 0:
        return 0
    return since + 1 + ceil(s.way(s.pos.units[leader].hex, place) / LEAST_STEP)


def kind_of(s: Situation, kind: str, place: Hex) -> Kind:
    """What a goal is called as a mission."""
    if kind == "take":
        return "besiege" if s.guards(place) else "raid"
    if kind == "hunt":
        return "relieve" if place in s.stakes else "hunt"
    if kind == "guard":
        return "cover"
    if kind == "join":
        return "join"
    return "winter" if s.pos.is_winter else "hold"


ARMY: Final = 15
"""TP of a force that is worth joining."""
NEAR_ARMY: Final = 24
"""Movement points to an army that is joined."""
ERRAND_TP: Final = 2
"""TP that may go on an errand."""
ERRAND: Final = 9
"""Movement points of an errand."""
POST: Final = 2.0
"""VP that the loss of an own place costs from which a man is to stand in it."""
WATCH: Final = 0.5
"""What his standing there is worth, of what the loss costs."""
PRIZE: Final = 0.5
"""VP for which it is worth one: a place that counts for nothing is not."""


class Army(NamedTuple):
    """A leader and the smaller corps of his nation beside him; `whole` is he with all their TP and SP."""

    chief: Unit
    juniors: tuple[Unit, ...]
    whole: Unit

    @property
    def numbers(self) -> tuple[LeaderId, ...]:
        """Its leaders, the first commands."""
        return (self.chief.number, *[unit.number for unit in self.juniors])


def armies_of(s: Situation) -> list[Army]:
    """The armies that may go somewhere, the strongest first; who is demoralized goes by himself (V8.2)."""
    chiefs: dict[tuple[int, Hex, bool], Unit] = {}
    juniors: dict[LeaderId, list[Unit]] = {}
    for unit in s.generals:
        if unit.daunted:
            continue
        place = s.pos.leader(unit.number).nation, unit.hex, unit.inside
        chief = chiefs.setdefault(place, unit)
        if chief is unit or unit.strength >= s.weights.min_corps:
            juniors[unit.number] = []
        else:
            juniors[chief.number].append(unit)
    found = [army_of(s.pos.units[number], tuple(others)) for number, others in juniors.items()]
    return sorted(found, key=lambda army: (-army.whole.strength, army.chief.number))


def army_of(chief: Unit, juniors: tuple[Unit, ...]) -> Army:
    """An army."""
    men = sum((unit.tp for unit in juniors), EMPTY)
    whole = msgspec.structs.replace(chief, tp=chief.tp + men, sp=chief.sp + sum(unit.sp for unit in juniors))
    return Army(chief, juniors, whole)


def is_corps(s: Situation, army: Army) -> bool:
    """Whether an army is large enough for a mission of its own."""
    return army.whole.strength >= s.weights.min_corps


def next_army(s: Situation, army: Army, armies: Sequence[Army]) -> Hex:
    """Where the nearest other army of the same nation is that is worth joining; -1 if none is near."""
    here, nation = army.chief.hex, s.pos.leader(army.chief.number).nation
    near = [
        other.chief.hex for other in armies
        if other.whole.strength >= ARMY and other.chief.hex != here and s.way(here, other.chief.hex) <= NEAR_ARMY
        and s.pos.leader(other.chief.number).nation == nation
    ]  # fmt: skip
    return min(near, key=lambda there: (s.way(here, there), there), default=NOWHERE)


def detached(s: Situation, armies: Sequence[Army]) -> Iterator[tuple[LeaderId, Goal]]:
    """Small corps: to an empty place at hand, or to the next army; a guard inside a place stays."""
    taken: set[Hex] = set()
    for army in armies:
        small = army.juniors if is_corps(s, army) else (army.chief, *army.juniors)
        for unit in small:
            errand = errand_of(s, unit, taken)
            if errand.hex >= 0:
                taken.add(errand.hex)
                yield unit.number, errand
            elif unit not in army.juniors and not unit.inside:
                host = next_army(s, army, armies)
                yield unit.number, Goal("join", host, 1.0) if host >= 0 else NO_GOAL


def errand_of(s: Situation, unit: Unit, taken: Container[Hex]) -> Goal:
    """The empty place at hand, with nobody about, that is worth most: to take, or to leave a man there."""
    if unit.strength < ERRAND_TP or unit.inside:
        return NO_GOAL
    way = s.memory.ways.table(unit.hex)
    found = [
        Goal(kind, here, worth / (4 + way[here])) for kind, here, worth in empty_places(s)
        if way[here] <= ERRAND and here not in taken and not s.threat(here)
    ]  # fmt: skip
    return max(found, key=lambda goal: (goal.value, -goal.hex), default=NO_GOAL)


def empty_places(s: Situation) -> Iterator[tuple[str, Hex, float]]:
    """Places of the enemy that count and have nobody inside, and own ones whose loss would cost much; their worth."""
    for here, worth in s.worths.items():
        if worth > PRIZE and not s.guards(here):
            yield "take", here, worth
    for here, stake in s.stakes.items():
        if stake >= POST and not inside_tp(s.pos, here, s.side) and any(way[here] <= HORIZON for _, way in s.reaches):
            yield "guard", here, WATCH * stake


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
        if goal.hex >= 0:
            sent[key] = Sent(before.tp + one.tp, before.might + one.might)
            best.update({n: weigh(who[n]) for n in best if best[n][:2] == key})
    return found


RULES: Final[Mapping[str, str]] = {
    "besiege": "R11.1", "raid": "R5.6", "cover": "R10.5", "relieve": "R10.5", "hunt": "R6.1", "join": "R3.2",
    "hold": "R9.6", "winter": "R17.6",
}  # fmt: skip
"""The rule that a mission lives by."""
WORDS: Final[Mapping[str, str]] = {
    "besiege": "take {} by siege", "raid": "take {} while it is empty", "cover": "keep the enemy away from {}",
    "relieve": "drive the enemy away from {}", "hunt": "beat the enemy at {}", "join": "join the army at {}",
    "hold": "stay", "winter": "spend the winter in quarters",
}  # fmt: skip


def reason_of(s: Situation, kind: Kind, army: Sequence[LeaderId], place: Hex) -> Reason:
    """The reason of a mission."""
    premises = tuple(PREMISES[kind](s, army, place)) if kind in PREMISES else ()
    return Reason(WORDS[kind].format(named(s, place)), premises, RULES[kind], odds_of(s, kind, army, place))


def named(s: Situation, place: Hex) -> str:
    """Return the name of a stronghold, of another place its hex with its town."""
    if place < 0:
        return ""
    stronghold = s.data.strongholds.get(place)
    return stronghold.name if stronghold is not None else s.data.book.place(place)


def odds_of(s: Situation, kind: Kind, army: Sequence[LeaderId], place: Hex) -> float | None:
    """The chance to win where the mission is a battle."""
    fight = _fight(s, army, place) if kind in ("hunt", "relieve") else None
    return None if fight is None else round(fight.attacker_wins, 2)


def _fight(s: Situation, army: Sequence[LeaderId], place: Hex) -> BattleMeans | None:
    """A battle against the enemy at a place; None if there is none."""
    enemy = s.field(place, s.foe)
    return s.fight([s.pos.units[number] for number in army], enemy, place) if enemy else None


def _men(s: Situation, army: Sequence[LeaderId]) -> int:
    return sum(s.pos.units[number].strength for number in army)


def _of_siege(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield f"{s.guards(place)} TP are inside, {_men(s, army)} TP besiege"
    yield f"it is worth {s.worths.get(place, 0.0):.0f} VP"
    yield "a depot is near" if is_near(s.pos, place, s.side, False) else "no depot is near"


def _of_raid(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield "nobody is inside"
    threat = s.threat(place)
    yield f"{threat} enemy TP could come within a turn" if threat else "no enemy is within a turn's march"


def _of_cover(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield f"its loss would cost {s.stakes.get(place, 0.0):.0f} VP"
    yield f"{s.threat(place)} enemy TP could come within a turn"


def _of_battle(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    enemy = sum(unit.strength for unit in s.field(place, s.foe))
    yield f"{enemy} enemy TP stand there, {_men(s, army)} TP go against them"
    if (fight := _fight(s, army, place)) is not None:
        yield f"a battle costs about {fight.attacker_loss:.0f} TP, and the enemy {fight.defender_loss:.0f}"


def _of_joining(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield f"{_men(s, army)} TP are too few to stand alone"


PREMISES: Final[Mapping[str, Callable[[Situation, Sequence[LeaderId], Hex], Iterator[str]]]] = {
    "besiege": _of_siege, "raid": _of_raid, "cover": _of_cover, "relieve": _of_battle, "hunt": _of_battle,
    "join": _of_joining,
}  # fmt: skip
"""By mission, what it rests on."""
