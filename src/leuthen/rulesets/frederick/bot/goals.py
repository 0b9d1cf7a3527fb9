"""What an army is for: the fortress to take, the fortress to relieve, the enemy to hunt, the friends to join."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final

import msgspec

from leuthen.rulesets.frederick.bot.situation import THREAT, Goal, Situation
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.rules.o10_supply import BUILDERS, depot_side
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.plans import Kind, Mission, Plan
from leuthen.wargame.ways import FAR

GOALS: Final[dict[Kind, str]] = {
    "besiege": "siege", "relieve": "relief", "cover": "relief", "hunt": "hunt", "join": "join", "hold": "hold",
    "winter": "refuge", "raid": "siege", "screen": "relief",
}  # fmt: skip
"""By mission, the goal of its army."""
MARGIN: Final = 1 + 1e-9
"""More than the error of the arithmetic."""
RALLY: Final = 14
"""Movement points over which small forces join a bigger one."""
NO_GOAL: Final = Goal("none", NOWHERE, 0.0)
AROUND_GOAL: Final = 5
"""Hexes about a goal within which armies on either side count."""
ABILITY: Final = 0.07
"""How much stronger an army is taken to be for each point of its commander."""
URGENT: Final = 1.2
"""What it is worth to save a fortress that is besieged, beside taking one."""
RESCUE: Final = 0.45
"""The chance to hold the field from which an army comes to save one."""
HANDFUL: Final = 6
"""Fewer SP than these do not campaign by themselves."""


def goal_of(s: Situation, army: Stack) -> Goal:
    """What the mission of its commander says, or of another leader with it; else the best that it finds."""
    mission = mission_of(s.plan, army)
    if mission is None or not army.sp or army.demoralized:
        return best_goal(s, army)
    if mission.place == army.hex and mission.kind in ("join", "winter"):
        return best_goal(s, army)
    return Goal(GOALS[mission.kind], mission.place, 1.0)


def mission_of(plan: Plan, army: Stack) -> Mission | None:
    """The mission of an army: that of its commander, or the first that one of its leaders has."""
    for leader in (army.commander, *army.leaders):
        mission = plan.mission_of(leader) if leader >= 0 else None
        if mission is not None:
            return mission
    return None


def best_goal(s: Situation, army: Stack) -> Goal:
    """The goal of highest value; equal: the nearest, then the order of the board."""
    found = s.goals.get(army)
    if found is None:
        found = s.goals[army] = _best_goal(s, army)
    return found


def _best_goal(s: Situation, army: Stack) -> Goal:
    goals = list(_goals(s, army, best_sieges))
    most = max([goal.value for goal in goals], default=0.0)
    best = [goal for goal in goals if goal.value == most]
    return min(best, key=lambda goal: (s.distance(army.hex, goal.hex), goal.hex), default=NO_GOAL)


def all_goals(s: Situation, army: Stack) -> Iterator[Goal]:
    """Everything that the army could be for."""
    return _goals(s, army, every_siege)


def _goals(s: Situation, army: Stack, sieges: Callable[[Situation, Stack], Iterator[Goal]]) -> Iterator[Goal]:
    if not army.sp:
        yield from leaderless_friends(s, army)
        return
    if army.demoralized:
        yield from refuges(s, army)
        return
    if army.strength < HANDFUL:
        yield from errands(s, army)
        return
    yield from sieges(s, army)
    yield from reliefs(s, army)
    yield from gatherings(s, army)
    yield from quarry(s, army)


def errands(s: Situation, force: Stack) -> Iterator[Goal]:
    """What a handful of men is good for: to join others, to walk into an empty fortress, to hold one."""
    yield from gatherings(s, force)
    near = [fort for fort in s.targets if s.distance(force.hex, fort) <= AROUND_GOAL and not s.held(fort, s.foe)]
    yield from _sieges_of(s, force, near)
    yield from (Goal("refuge", goal.hex, goal.value / 25) for goal in refuges(s, force))


def strength_of(s: Situation, stack: Stack) -> float:
    """SP, worth more under a good commander."""
    if stack.commander < 0:
        return stack.strength * 0.8
    leader = s.data.leaders[stack.commander]
    return stack.strength * (1 + ABILITY * (leader.attack + leader.defence + leader.initiative - 3))


def chance_against(ours: float, theirs: float) -> float:
    """A rough chance to hold the field."""
    if ours <= 0:
        return 0.0
    return max(0.0, min(1.0, 0.5 + 1.1 * (ours - theirs) / (ours + theirs)))


def every_siege(s: Situation, army: Stack) -> Iterator[Goal]:
    """Fortresses to take, by worth, chance and time."""
    return _sieges_of(s, army, s.targets)


def _sieges_of(s: Situation, army: Stack, forts: Iterable[Hex]) -> Iterator[Goal]:
    siege = SiegeWorth(s, army)
    for fort in forts:
        value = siege.value(fort)
        if value > 0:
            yield Goal("siege", fort, value)


def best_sieges(s: Situation, army: Stack) -> Iterator[Goal]:
    """Those of the sieges that may be worth most; most of them are ruled out by worth and distance alone."""
    siege, gaps, here = SiegeWorth(s, army), s.gaps(army), army.hex
    fades = faded_by_quarters(s.weights.siege_decay, s.weights.begun_siege_factor)
    bounds = [(prize * fades[_quarters(far.get(here, FAR), gaps[fort])], fort) for fort, prize, far in s.prizes]
    best = 0.0
    for bound, fort in sorted(bounds, reverse=True):
        if bound < best:
            return
        value = siege.value(fort, best)
        if value > 0:
            best = max(best, value)
            yield Goal("siege", fort, value)


class SiegeWorth:
    """What the fortresses are worth to an army, a turn of taking each with it and the friends near it."""

    def __init__(self, s: Situation, army: Stack) -> None:
        self._s = s
        self._army = army
        self._strength = strength_of(s, army)
        self._gaps = s.gaps(army)
        self._roads = s.roads(army, army.hex)
        self._camps = s.pos.field(army.hex, s.side) is not None

    def value(self, fort: Hex, least: float = 0.0) -> float:
        """The worth of a fortress; 0 if it is out of reach, or worth less than `least`."""
        s, army = self._s, self._army
        helpers = s.friends_near(fort, AROUND_GOAL, army.hex)
        garrison = s.pos.inside(fort, s.foe)
        held = garrison is not None and garrison.sp > 0
        if held and not _can_besiege(s, army, fort, helpers):
            return 0.0
        chance = chance_against(self._strength + s.weights.helper_share * helpers, s.foes_near(fort, AROUND_GOAL))
        if chance < s.weights.min_siege_chance:
            return 0.0
        patience = s.weights.begun_siege_factor if self._camps and fort == army.hex else 1.0
        prize = patience * (1.0 + s.worth(fort)) * chance
        sits = _siege_turns(s, army, fort, garrison) if garrison is not None and held else 0.0
        gap = self._gaps[fort]
        soonest = _quarters(s.distance(army.hex, fort), gap) / 4 + sits
        if MARGIN * prize * faded(soonest, s.weights.siege_decay) < least:
            return 0.0
        far = self._roads.far(fort)
        turns = far / s.weights.points_per_turn + gap / 2 + sits
        return prize * faded(turns, s.weights.siege_decay) if far < FAR else 0.0


def _quarters(far: int, gap: int) -> int:
    """Quarters of turns to a fortress so many hexes away at least: one a hex, and one more for each beyond supply."""
    return min(FADES, far + min(gap, far) + 2 * gap)


FADES: Final = 4 * FAR


def faded(turns: float, delay: float) -> float:
    """What is left of the worth of a fortress that takes so many turns, for each of them."""
    return float((1.0 - delay) ** turns) / (1.5 + turns)


@cache
def faded_by_quarters(delay: float, patience: float) -> tuple[float, ...]:
    """By quarters of turns: the most that may be left."""
    return tuple(patience * MARGIN * faded(quarters / 4, delay) for quarters in range(FADES + 1))


def _can_besiege(s: Situation, army: Stack, fort: Hex, helpers: float) -> bool:
    depot = s.pos.depots.get(fort)
    ready = depot is not None and depot_side(s.pos, depot) == s.side
    return ready or army.strength + helpers >= BUILDERS + 1


def _siege_turns(s: Situation, army: Stack, fort: Hex, garrison: Stack) -> float:
    """Two turns a roll: depot begun, depot complete."""
    camp = msgspec.structs.replace(army, hex=fort)
    chance = s.siege_chance(camp, garrison)
    depot = s.pos.depots.get(fort)
    begun = depot is not None and depot_side(s.pos, depot) == s.side
    return s.weights.turns_per_siege_roll / (chance + 0.2) - begun


def reliefs(s: Situation, army: Stack) -> Iterator[Goal]:
    """Own fortresses that are besieged, or that an enemy army stands near."""
    for fort in s.threatened:
        besieger = s.pos.field(fort, s.foe) if s.is_besieged(fort) else None
        threat = besieger.strength if besieger is not None else s.foes_near(fort, THREAT)
        far = s.roads(army, army.hex).far(fort)
        if not threat or far >= FAR:
            continue
        helpers = s.friends_near(fort, AROUND_GOAL, army.hex)
        chance = chance_against(strength_of(s, army) + s.weights.helper_share * helpers, threat)
        if besieger is not None and chance < RESCUE:
            continue
        urgency = URGENT if besieger is not None else s.weights.threatened_value
        yield Goal("relief", fort, urgency * (1.0 + s.worth(fort)) * chance / (2.0 + far / s.weights.points_per_turn))


def gatherings(s: Situation, army: Stack) -> Iterator[Goal]:
    """Small forces join bigger ones."""
    if army.strength > 2 * BUILDERS:
        return
    for friend in s.armies:
        bigger = (friend.strength, -friend.hex) > (army.strength, -army.hex)
        if not bigger or friend.hex == army.hex or s.distance(army.hex, friend.hex) > RALLY:
            continue
        far = s.roads(army, army.hex).far(friend.hex)
        if far <= RALLY:
            value = s.weights.joining_value / (army.strength + 2) / (1.0 + far / s.weights.points_per_turn)
            yield Goal("join", friend.hex, value)


def quarry(s: Situation, army: Stack) -> Iterator[Goal]:
    """Enemy armies that should be beaten."""
    for enemy in s.foes:
        far = s.distance(army.hex, enemy.hex)
        if far > s.weights.max_hunt_hexes or s.neutral >> enemy.hex & 1:
            continue
        helpers = s.friends_near(enemy.hex, 3, army.hex)
        odds = s.fight(army, enemy, enemy.hex)
        gain = odds.gain(army.strength, enemy.strength, s.weights.rout_share) + 0.1 * helpers
        if gain > 0.5 and odds.attacker_wins > 0.5:
            yield Goal("hunt", enemy.hex, s.weights.battle_value * gain / (1.0 + far / s.weights.points_per_turn))


def refuges(s: Situation, army: Stack) -> Iterator[Goal]:
    """Where a beaten army recovers: a friendly fortress out of the enemy's reach."""
    for fort in s.forts:
        far = s.distance(army.hex, fort)
        if far < FAR and not s.is_besieged(fort):
            yield Goal("refuge", fort, 5.0 / (1.0 + far / s.weights.points_per_turn + 0.3 * s.foes_near(fort, 3)))


def leaderless_friends(s: Situation, leader: Stack) -> Iterator[Goal]:
    """A lone leader goes to men who have none, or to the biggest army."""
    for stack in s.mine:
        far = s.distance(leader.hex, stack.hex)
        if stack.hex == leader.hex or not stack.sp or far >= FAR or s.foe_hexes >> stack.hex & 1:
            continue
        need = stack.strength if not stack.leaders else 0.3 * stack.strength
        if stack.inside:
            need *= 0.2
        yield Goal("lead", stack.hex, need / (1.0 + far / s.weights.points_per_turn))
