"""What follows from a plan: who stays, who is sent away, what a force avoids, who stays out in winter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from leuthen.rulesets.frederick.bot.fortresses import wanted
from leuthen.rulesets.frederick.bot.goals import all_goals, goal_of, mission_of
from leuthen.rulesets.frederick.bot.situation import Goal, Situation, merit
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.rules.o10_supply import depot_side
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.plans import Mission
from leuthen.wargame.strength import bag, of
from leuthen.wargame.ways import FAR

FEW: Final = 3
"""Fewer SP than these do not try their luck."""
ALONE: Final = 3.0
"""What a force march of such a force must bring on top."""
FACES: Final = 6
CONTAGION: Final = 0.5
"""What it costs a force to be demoralized by friends, as a part of it."""
LEAST_PART: Final = 10
"""SP that are sent away at least."""
QUARTERS: Final = 15
"""The turn from which on there are quarters (O14.1)."""
LAST_TURN: Final = 18
"""The last turn (O1.2)."""
RISK: Final = 2.0
"""How much danger, in SP, besiegers stand in winter."""


def stays(s: Situation, stack: Stack) -> bool:
    """Whether a stack is not to march at all.

    Governors stay in their fortress, besiegers where their depot is (O13.1), and who builds one (O10.4).
    """
    if stack.inside and stack.sp and stack.strength <= max(FEW, wanted(s, stack.hex)):
        return True
    return is_at_depot(s, stack) and s.danger(stack, stack.hex) <= s.weights.max_siege_danger


def aversion(s: Situation, force: Stack) -> Callable[[Hex], float]:
    """Return what speaks against a hex as the end of a march, at most 0.

    No force goes to and fro, and no sound one halts among demoralized friends (O11.1).
    """
    before = s.halts.get(force.commander, ())
    mission = mission_of(s.plan, force)
    place = mission.place if mission is not None else NOWHERE
    sound = CONTAGION * force.strength if not force.demoralized else 0.0

    def against(here: Hex) -> float:
        if here == force.hex:
            return 0.0
        back = s.weights.return_penalty if here in before and here != place else 0.0
        return -back - (sound if is_shaken(s, here) else 0.0)

    return against


def force_march_price(s: Situation, force: Stack) -> float:
    """What a force march must bring, for it costs men (O6.1): the abler the commander, the farther, and the sooner."""
    weights, able = s.weights, s.data.leaders[force.commander].initiative
    price = weights.force_march_price + weights.force_march_risk_price * min(able, FACES) / FACES
    price += ALONE if force.strength < FEW else 0.0
    mission = mission_of(s.plan, force)
    if mission is None or mission.kind not in ("hunt", "relieve"):
        return price
    return price * (weights.force_march_hunt_factor if mission.kind == "hunt" else weights.force_march_relief_factor)


def takes_quarters(s: Situation, force: Stack) -> bool:
    """Whether a force goes into winter quarters as soon as it may: nothing that it could still win is worth more."""
    mission = mission_of(s.plan, force)
    return mission is None or not is_worth_a_winter(s, force, mission)


def is_ordered(s: Situation, army: Stack) -> bool:
    """Whether a player has given an army its mission, so that nobody is to be taken from it."""
    mission = mission_of(s.plan, army)
    return mission is not None and mission.signed


def detachment(s: Situation, force: Stack) -> tuple[Stack, Goal] | None:
    """A part of a large army under its best junior, for a goal that nobody else has."""
    if force.strength < s.weights.min_divided_army or force.demoralized or len(force.leaders) < 2:
        return None
    if is_ordered(s, force):
        return None
    junior = max((n for n in force.leaders if n != force.commander), key=lambda n: (merit(s, n), -n))
    power = s.data.leaders[junior].power
    points = min(of(force.sp, power), round(s.weights.detached_share * force.strength))
    if points < LEAST_PART or s.data.leaders[junior].initiative < 1:
        return None
    part = make_stack(s.pos, force.hex, s.side, force.inside, bag(power, points), (junior,), force)
    if is_bared(s, force, part):
        return None
    return _errand(s, force, part)


def _errand(s: Situation, force: Stack, part: Stack) -> tuple[Stack, Goal] | None:
    whole = goal_of(s, force)
    taken = {mission.place for mission in s.plan.missions} | {whole.hex}
    goals = [goal for goal in all_goals(s, part) if goal.kind in ("siege", "relief", "hunt")]
    free = [goal for goal in goals if goal.hex not in taken]
    best = max(free, key=lambda goal: (goal.value, -goal.hex), default=None)
    rival = max(goals, key=lambda goal: goal.value, default=None)
    if best is None or rival is None or best.value < s.weights.min_detached_value * rival.value:
        return None
    return None if s.distance(best.hex, force.hex) < 2 else (part, best)


def is_bared(s: Situation, force: Stack, part: Stack) -> bool:
    """Whether the enemy could beat what is left of a force where it stands, once a part has gone, and not the whole."""
    left = tuple(leader for leader in force.leaders if leader not in part.leaders)
    rest = make_stack(s.pos, force.hex, s.side, force.inside, force.sp - part.sp, left, force)
    return s.danger(rest, force.hex) > max(s.weights.max_siege_danger, s.danger(force, force.hex))


def is_shaken(s: Situation, here: Hex) -> bool:
    """Whether friends in the field of a hex are demoralized, and would demoralize whoever joins them (O11.1)."""
    friend = s.pos.field(here, s.side)
    return friend is not None and friend.demoralized


def is_at_depot(s: Situation, stack: Stack) -> bool:
    """Whether a depot of its side is begun where a stack stands, or is there for a siege."""
    depot = s.pos.depots.get(stack.hex)
    if depot is None or s.pos.side_of(depot.power) != s.side or stack.inside or stack.demoralized:
        return False
    return not depot.complete or bool(s.garrison(stack.hex, s.foe))


def is_worth_a_winter(s: Situation, army: Stack, mission: Mission) -> bool:
    """Whether what an army may still win this year is worth the men whom the cold will cost."""
    if army.strength < s.weights.min_winter_army or army.demoralized or army.inside:
        return False
    if mission.kind == "besiege":
        frost = s.weights.winter_loss_share * army.strength * (LAST_TURN + 1 - max(s.pos.turn, QUARTERS))
        promise = s.worth(mission.place) * _chance_to_fall(s, army, mission.place)
        return promise > frost and s.danger(army, army.hex) < RISK
    if mission.kind == "hunt":
        return _gain_in_reach(s, army, mission.place) > s.weights.min_winter_gain
    return False


def _gain_in_reach(s: Situation, army: Stack, there: Hex) -> float:
    """What a battle that can still be fought this year should bring, in SP."""
    enemy, turns = s.pos.field(there, s.foe), max(1, LAST_TURN - s.pos.turn)
    if enemy is None or s.roads(army, army.hex).far(there) > s.weights.points_per_turn * turns:
        return 0.0
    return s.fight(army, enemy, there).gain(army.strength, enemy.strength, s.weights.rout_share)


def _chance_to_fall(s: Situation, army: Stack, fort: Hex) -> float:
    """How probably a fortress falls before the year ends."""
    far = s.roads(army, army.hex).far(fort)
    turns = LAST_TURN - s.pos.turn - int(-(-far // s.weights.points_per_turn)) if far < FAR else -1
    if turns < 0:
        return 0.0
    garrison = s.pos.inside(fort, s.foe)
    if garrison is None or not garrison.sp:
        return 1.0
    depot = s.pos.depots.get(fort)
    begun = depot is not None and depot_side(s.pos, depot) == s.side
    complete = begun and depot is not None and depot.complete
    chance = s.siege_chance(msgspec.structs.replace(army, hex=fort), garrison)
    return float(1.0 - (1.0 - chance) ** ((turns + begun + complete) // 2))
