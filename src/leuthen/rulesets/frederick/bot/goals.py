"""What an army is for: the fortress to take, the fortress to relieve, the enemy to hunt, the friends to join."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.o10_supply.depots import BUILDERS
from leuthen.rulesets.frederick.rules.o10_supply.supply import depot_side
from leuthen.wargame.board import Hex
from leuthen.wargame.ways import FAR

STEP: Final = 4.0
"""Movement points that an army is taken to have a turn."""
DELAY: Final = 0.9
"""What a fortress is worth that falls a turn later: much may happen."""
NEIGHBOURHOOD: Final = 5
RALLY: Final = 14
"""Movement points over which small forces join a bigger one."""
SMALL: Final = 6
"""Fewer SP than these do not campaign by themselves."""
LEAST_CHANCE: Final = 0.25


NO_GOAL: Final = Goal("none", -1, 0.0)


def goal_of(s: Situation, army: Stack) -> Goal:
    """What the plan says that an army is for; without a plan, the best that it finds."""
    return best_goal(s, army) if s.guide is None else s.guide.goal(s, army)


def best_goal(s: Situation, army: Stack) -> Goal:
    """The goal of highest value; equal: the nearest, then the order of the board."""
    goals = list(all_goals(s, army))
    most = max([goal.value for goal in goals], default=0.0)
    best = [goal for goal in goals if goal.value == most]
    return min(best, key=lambda goal: (s.distance(army.hex, goal.hex), goal.hex), default=NO_GOAL)


def all_goals(s: Situation, army: Stack) -> Iterator[Goal]:
    """Everything that the army could be for."""
    if not army.sp:
        yield from leaderless_friends(s, army)
        return
    if army.demoralized:
        yield from refuges(s, army)
        return
    if army.strength < SMALL and s.has("concentration"):
        yield from errands(s, army)
        return
    if s.has("sieges"):
        yield from sieges(s, army)
    if s.has("relief"):
        yield from reliefs(s, army)
    if s.has("concentration"):
        yield from gatherings(s, army)
    if s.has("hunting"):
        yield from quarry(s, army)


def errands(s: Situation, force: Stack) -> Iterator[Goal]:
    """What a handful of men is good for: to join others, to walk into an empty fortress, to hold one."""
    yield from gatherings(s, force)
    for goal in sieges(s, force):
        if not s.held(goal.hex, s.foe) and s.distance(force.hex, goal.hex) <= NEIGHBOURHOOD:
            yield goal
    yield from (Goal("refuge", goal.hex, goal.value / 25) for goal in refuges(s, force))


def strength_of(s: Situation, stack: Stack) -> float:
    """SP, worth more under a good commander."""
    if stack.commander < 0:
        return stack.strength * 0.8
    leader = s.data.leaders[stack.commander]
    return stack.strength * (1 + 0.07 * (leader.attack + leader.defence + leader.initiative - 3))


def chance_against(ours: float, theirs: float) -> float:
    """A rough chance to hold the field."""
    if ours <= 0:
        return 0.0
    return max(0.0, min(1.0, 0.5 + 1.1 * (ours - theirs) / (ours + theirs)))


def sieges(s: Situation, army: Stack) -> Iterator[Goal]:
    """Fortresses to take, by worth, chance and time."""
    roads, gaps, strength = s.roads(army, army.hex), s.gaps(army), strength_of(s, army)
    for fort in s.targets:
        if roads[fort] < FAR:
            value = _siege_value(s, Siege(army, strength, fort, roads[fort], gaps[fort]))
            if value > 0:
                yield Goal("siege", fort, value)


class Siege(NamedTuple):
    """An army and what it counts for; a fortress, the movement points to it, the hexes that it is beyond supply."""

    army: Stack
    strength: float
    fort: Hex
    far: int
    gap: int


def _siege_value(s: Situation, siege: Siege) -> float:
    """Worth a turn of taking a fortress with an army and the friends near it."""
    army, strength, fort, far, gap = siege
    helpers = s.friends_near(fort, NEIGHBOURHOOD, army.hex)
    camp = s.pos.field(fort, s.side)
    garrison = s.pos.inside(fort, s.foe)
    if garrison is not None and garrison.sp and not _can_besiege(s, army, fort, helpers):
        return 0.0
    chance = chance_against(strength + 0.7 * helpers, s.foes_near(fort, NEIGHBOURHOOD))
    if chance < LEAST_CHANCE:
        return 0.0
    turns = far / STEP + gap / 2
    if garrison is not None and garrison.sp:
        turns += _siege_turns(s, army, fort, garrison)
    patience: float = 1.4 if camp is not None and camp.hex == army.hex else 1.0
    return patience * (1.0 + s.worth(fort)) * chance * float(DELAY**turns) / (1.5 + turns)


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
    return 2.0 / (chance + 0.2) - begun


def reliefs(s: Situation, army: Stack) -> Iterator[Goal]:
    """Own fortresses that are besieged, or that an enemy army stands near."""
    for fort in s.forts:
        besieger = s.pos.field(fort, s.foe) if s.is_besieged(fort) else None
        threat = besieger.strength if besieger is not None else s.foes_near(fort, 2)
        far = s.roads(army, army.hex)[fort]
        if not threat or far >= FAR:
            continue
        helpers = s.friends_near(fort, NEIGHBOURHOOD, army.hex)
        chance = chance_against(strength_of(s, army) + 0.7 * helpers, threat)
        if besieger is not None and chance < 0.45:
            continue
        urgency = 1.2 if besieger is not None else 0.5
        yield Goal("relief", fort, urgency * (1.0 + s.worth(fort)) * chance / (2.0 + far / STEP))


def gatherings(s: Situation, army: Stack) -> Iterator[Goal]:
    """Small forces join bigger ones."""
    if army.strength > 2 * BUILDERS:
        return
    for friend in s.armies:
        far = s.roads(army, army.hex)[friend.hex]
        bigger = (friend.strength, -friend.hex) > (army.strength, -army.hex)
        if bigger and friend.hex != army.hex and far <= RALLY:
            yield Goal("join", friend.hex, 14.0 / (army.strength + 2) / (1.0 + far / STEP))


def quarry(s: Situation, army: Stack) -> Iterator[Goal]:
    """Enemy armies that should be beaten."""
    for enemy in s.foes:
        far = s.distance(army.hex, enemy.hex)
        if far > 2 * NEIGHBOURHOOD or s.neutral >> enemy.hex & 1:
            continue
        helpers = s.friends_near(enemy.hex, 3, army.hex)
        odds = s.fight(army, enemy, enemy.hex)
        gain = odds.gain(army.strength, enemy.strength) + 0.1 * helpers
        if gain > 0.5 and odds.attacker_wins > 0.5:
            yield Goal("hunt", enemy.hex, 1.2 * gain / (1.0 + far / STEP))


def refuges(s: Situation, army: Stack) -> Iterator[Goal]:
    """Where a beaten army recovers: a friendly fortress out of the enemy's reach."""
    for fort in s.forts:
        far = s.distance(army.hex, fort)
        if far < FAR and not s.is_besieged(fort):
            yield Goal("refuge", fort, 5.0 / (1.0 + far / STEP + 0.3 * s.foes_near(fort, 3)))


def leaderless_friends(s: Situation, leader: Stack) -> Iterator[Goal]:
    """A lone leader goes to men who have none, or to the biggest army."""
    for stack in s.mine:
        far = s.distance(leader.hex, stack.hex)
        if stack.hex == leader.hex or not stack.sp or far >= FAR or s.foe_hexes >> stack.hex & 1:
            continue
        need = stack.strength if not stack.leaders else 0.3 * stack.strength
        if stack.inside:
            need *= 0.2
        yield Goal("lead", stack.hex, need / (1.0 + far / STEP))
