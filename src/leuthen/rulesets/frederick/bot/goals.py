"""Goals of armies, the missions that a plan makes of them, and their reasons."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

import msgspec

from leuthen.engine.memo import memoized
from leuthen.rulesets.frederick.bot.situation import THREAT, Situation, siege_chance
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.rules.c02_setup import MAJORS
from leuthen.rulesets.frederick.rules.o10_supply import BUILDERS
from leuthen.wargame.board import FAR, Hex
from leuthen.wargame.missions import Kind, Limits, Mission, Plan, Reason, Thought, date_number
from leuthen.wargame.search import NO_GOAL, Goal

GOALS: Final[Mapping[Kind, str]] = {
    "besiege": "siege", "relieve": "relief", "cover": "relief", "hunt": "hunt", "join": "join", "hold": "hold",
    "winter": "refuge", "raid": "siege", "screen": "relief",
}  # fmt: skip
KINDS: Final[Mapping[str, Kind]] = {
    "siege": "besiege", "relief": "relieve", "hunt": "hunt", "join": "join", "refuge": "winter", "lead": "join",
}  # fmt: skip
MARGIN: Final = 1 + 1e-9  # covers rounding errors
RALLY: Final = 14  # movement points over which a small force joins a larger one
AROUND_GOAL: Final = 5  # hexes around a goal within which both sides' armies count
ABILITY: Final = 0.07  # strength added for each point of the commander's ratings
URGENT: Final = 1.2  # weight of relieving a besieged fortress, relative to taking one
RESCUE: Final = 0.45  # least chance to win the field for a relief
BEGUN: Final = 1.65  # factor for a siege that the army has already begun
SIEGE_CHANCE: Final = 0.22  # least chance to win the field for a siege
HANDFUL: Final = 6  # fewer SP do not campaign alone
FADES: Final = 4 * FAR  # quarters of turns considered


def mission_of(plan: Plan, army: Stack) -> Mission | None:
    """Return the mission of an army's commander, or of the first of its leaders that has one."""
    leaders = (leader for leader in (army.commander, *army.leaders) if leader >= 0)
    return next((mission for leader in leaders if (mission := plan.mission_of(leader)) is not None), None)


def is_ordered(s: Situation, army: Stack) -> bool:
    mission = mission_of(s.plan, army)
    return mission is not None and mission.signed


def goal_of(s: Situation, army: Stack) -> Goal:
    """Return the goal of the army's mission, or the best goal if it has no usable mission."""
    mission = mission_of(s.plan, army)
    if mission is None or not army.sp or army.demoralized:
        return best_goal(s, army)
    if mission.place == army.hex and mission.kind in ("join", "winter"):
        return best_goal(s, army)
    return Goal(GOALS[mission.kind], mission.place, 1.0)


@memoized("memo")
def best_goal(s: Situation, army: Stack) -> Goal:
    return best_of(s, army, all_goals(s, army, best_sieges))


def best_of(s: Situation, army: Stack, goals: Iterator[Goal]) -> Goal:
    return max(goals, key=lambda goal: (goal.value, -s.distance(army.hex, goal.hex), -goal.hex), default=NO_GOAL)


def every_siege(s: Situation, army: Stack) -> Iterator[Goal]:
    return _sieges_of(s, army, s.targets)


def all_goals(
    s: Situation, army: Stack, sieges: Callable[[Situation, Stack], Iterator[Goal]] = every_siege
) -> Iterator[Goal]:
    if not army.sp:
        yield from leaderless_friends(s, army)
    elif army.demoralized:
        yield from refuges(s, army)
    elif army.strength < HANDFUL:
        # A handful of men joins others, walks into an empty fortress, or holds one.
        yield from gatherings(s, army)
        near = [fort for fort in s.targets if s.distance(army.hex, fort) <= AROUND_GOAL and not s.held(fort, s.foe)]
        yield from _sieges_of(s, army, near)
        yield from (Goal("refuge", goal.hex, goal.value / 25) for goal in refuges(s, army))
    else:
        yield from sieges(s, army)
        yield from reliefs(s, army)
        yield from gatherings(s, army)
        yield from pursuit_goals(s, army)


def strength_of(s: Situation, stack: Stack) -> float:
    if stack.commander < 0:
        return stack.strength * 0.8
    leader = s.data.leaders[stack.commander]
    return stack.strength * (1 + ABILITY * (leader.attack + leader.defence + leader.initiative - 3))


def chance_against(ours: float, theirs: float) -> float:
    return max(0.0, min(1.0, 0.5 + 1.1 * (ours - theirs) / (ours + theirs))) if ours > 0 else 0.0


def _sieges_of(s: Situation, army: Stack, forts: Iterable[Hex]) -> Iterator[Goal]:
    siege = SiegeWorth(s, army)
    return (Goal("siege", fort, value) for fort in forts if (value := siege.value(fort)) > 0)


def best_sieges(s: Situation, army: Stack) -> Iterator[Goal]:
    """Yield the most valuable sieges; skip fortresses whose worth and distance rule them out."""
    siege, gaps, here = SiegeWorth(s, army), s.gaps(army), army.hex
    fades = delay_discount_bounds(s.weights.siege_decay)
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
    def __init__(self, s: Situation, army: Stack) -> None:
        self._s = s
        self._army = army
        self._strength = strength_of(s, army)
        self._gaps = s.gaps(army)
        self._roads = s.roads(army, army.hex)
        self._camps = s.pos.field(army.hex, s.side) is not None

    def value(self, fort: Hex, least: float = 0.0) -> float:
        """Return the value of besieging a fortress; 0 if it is out of reach or below `least`."""
        s, army = self._s, self._army
        helpers = s.friends_near(fort, AROUND_GOAL, army.hex)
        garrison = s.pos.inside(fort, s.foe)
        held = garrison is not None and garrison.sp > 0
        if held and not s.is_begun(fort) and army.strength + helpers <= BUILDERS:
            return 0.0
        chance = chance_against(self._strength + s.weights.helper_share * helpers, s.enemies.near(fort, AROUND_GOAL))
        if chance < SIEGE_CHANCE:
            return 0.0
        prize = (BEGUN if self._camps and fort == army.hex else 1.0) * (1.0 + s.worth(fort)) * chance
        sits = 0.0
        if garrison is not None and held:  # two turns a roll: depot begun, depot complete
            falls = siege_chance(s.pos, msgspec.structs.replace(army, hex=fort), garrison)
            sits = s.weights.turns_per_siege_roll / (falls + 0.2) - s.is_begun(fort)
        gap = self._gaps[fort]
        soonest = _quarters(s.distance(army.hex, fort), gap) / 4 + sits
        if MARGIN * prize * delay_discount(soonest, s.weights.siege_decay) < least:
            return 0.0
        far = self._roads.far(fort)
        turns = far / s.weights.points_per_turn + gap / 2 + sits
        return prize * delay_discount(turns, s.weights.siege_decay) if far < FAR else 0.0


def _quarters(far: int, gap: int) -> int:
    return min(FADES, far + min(gap, far) + 2 * gap)


def delay_discount(turns: float, delay: float) -> float:
    """Return the discount of a fortress that takes this many turns to capture."""
    return float((1.0 - delay) ** turns) / (1.5 + turns)


@cache
def delay_discount_bounds(delay: float) -> tuple[float, ...]:
    """Return upper bounds of the discount by quarters of turns."""
    return tuple(BEGUN * MARGIN * delay_discount(quarters / 4, delay) for quarters in range(FADES + 1))


def reliefs(s: Situation, army: Stack) -> Iterator[Goal]:
    for fort in s.threatened:
        besieger = s.pos.field(fort, s.foe) if s.is_besieged(fort) else None
        threat = besieger.strength if besieger is not None else s.enemies.near(fort, THREAT)
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


def pursuit_goals(s: Situation, army: Stack) -> Iterator[Goal]:
    for enemy in s.enemies.stacks:
        far = s.distance(army.hex, enemy.hex)
        if far > s.weights.max_hunt_hexes or s.neutral >> enemy.hex & 1:
            continue
        odds, helpers = s.fight(army, enemy, enemy.hex), s.friends_near(enemy.hex, 3, army.hex)
        gain = odds.gain(army.strength, enemy.strength, s.weights.rout_share) + 0.1 * helpers
        if gain > 0.5 and odds.attacker_wins > 0.5:
            yield Goal("hunt", enemy.hex, s.weights.battle_value * gain / (1.0 + far / s.weights.points_per_turn))


def refuges(s: Situation, army: Stack) -> Iterator[Goal]:
    for fort in s.forts:
        far = s.distance(army.hex, fort)
        if far < FAR and not s.is_besieged(fort):
            yield Goal("refuge", fort, 5.0 / (1.0 + far / s.weights.points_per_turn + 0.3 * s.enemies.near(fort, 3)))


def leaderless_friends(s: Situation, leader: Stack) -> Iterator[Goal]:
    """Yield stacks without a leader, and the largest army, for a leader without SP."""
    for stack in s.mine:
        far = s.distance(leader.hex, stack.hex)
        if stack.hex == leader.hex or not stack.sp or far >= FAR or s.enemies.hexes >> stack.hex & 1:
            continue
        need = stack.strength if not stack.leaders else 0.3 * stack.strength
        if stack.inside:
            need *= 0.2
        yield Goal("lead", stack.hex, need / (1.0 + far / s.weights.points_per_turn))


# --- missions: goals that last, shared out so that no army does another's work ----------------------------------------

MAX_HUNT_RATIO: Final = 5.0  # ratio of strengths above which an enemy is too small to hunt
NEARBY: Final = 2  # hexes within which even a small enemy is hunted


def propose(s: Situation, before: Thought) -> Plan:
    """Return the plan for this turn, with missions assigned to the strongest armies first."""
    missions: list[Mission] = []
    for army in s.armies:
        old = mission_of(before.plan, army)
        if old is not None and old.signed and still_open(s, old):
            missions.append(old)
            continue
        best = best_of(s, army, candidates(s, army, old, missions))
        if best.value > 0:
            missions.append(mission_for(s, army, best, old))
    return Plan(tuple(missions), before.plan.council)


def mission_for(s: Situation, army: Stack, goal: Goal, old: Mission | None) -> Mission:
    kind = KINDS[goal.kind]
    since = old.since if old is not None and (old.kind, old.place) == (kind, goal.hex) else today(s)
    return Mission(kind, army.leaders, goal.hex, Limits(), reason(s, army, goal), since)


def candidates(s: Situation, army: Stack, old: Mission | None, given: list[Mission]) -> Iterator[Goal]:
    """Yield an army's goals, weighted up for its current mission and down for goals of other armies."""
    kept = {"besiege": s.weights.kept_siege_factor, "relieve": s.weights.kept_relief_factor}
    taken = {(mission.kind, mission.place) for mission in given}
    for goal in all_goals(s, army):
        if goal.kind == "hunt":
            enemy, is_far = s.pos.stack_at(goal.hex, s.foe), s.distance(army.hex, goal.hex) > NEARBY
            if is_far and enemy.strength * MAX_HUNT_RATIO < army.strength:
                continue
        if goal.kind == "join" and s.is_shaken(goal.hex):
            continue
        value, kind = goal.value, KINDS[goal.kind]
        if old is not None and (old.kind, old.place) == (kind, goal.hex):
            value *= kept.get(old.kind, 1.0)
        if (kind, goal.hex) in taken:
            value *= s.weights.shared_factor
        if is_abroad(s, army, goal):
            value *= s.weights.abroad_factor
        yield goal._replace(value=value)


def is_abroad(s: Situation, army: Stack, goal: Goal) -> bool:
    """Return whether a place is too far from the home fortresses of an army's power.

    A major power goes there to take a fortress, but not to save an ally's.
    """
    if army.nation in MAJORS and goal.kind != "relief":
        return False
    homes = [here for here, fort in s.data.fortresses.items() if army.nation in (fort.power, fort.star)]
    return all(s.distance(here, goal.hex) > s.weights.max_ally_hexes for here in homes)


def still_open(s: Situation, mission: Mission) -> bool:
    if mission.limits.due and today(s) > mission.limits.due:
        return False
    if mission.kind in ("besiege", "raid"):
        return s.pos.owners.get(mission.place) != s.side
    if mission.kind in ("relieve", "cover", "hold", "screen"):
        return s.pos.owners.get(mission.place, s.side) == s.side
    return mission.kind != "hunt" or bool(s.enemies.hexes >> mission.place & 1)


def today(s: Situation) -> int:
    return date_number(s.pos.year, s.pos.turn)


def reason(s: Situation, army: Stack, goal: Goal) -> Reason:
    here, name = goal.hex, s.data.book.fort_or_place(goal.hex)
    far = s.roads(army, army.hex).far(here)
    way = f"{far} MP away" if far < FAR else "out of reach for now"
    near = s.enemies.near(here, THREAT)
    if goal.kind == "siege":
        garrison, worth = s.pos.inside(here, s.foe), f"worth {s.data.fortresses[here].vp} VP"
        if garrison is None or not garrison.sp:
            return Reason(f"occupy {name}", (worth, "undefended", way), "O5.8", 1.0)
        inside = f"about {garrison.strength} SP inside" + (f", about {near} more in the field nearby" if near else "")
        field = chance_against(strength_of(s, army), near) if near else 1.0  # who is beaten besieges nothing
        odds = field * siege_chance(s.pos, msgspec.structs.replace(army, hex=here), garrison)
        return Reason(f"take {name}", (worth, inside, way), "O13.2", odds)
    if goal.kind == "relief":
        state = "it is besieged" if s.is_besieged(here) else f"about {near} enemy SP are near it"
        return Reason(f"save {name}", (state, way), "O13.9", chance_against(strength_of(s, army), near))
    if goal.kind == "hunt":
        enemy = s.pos.field(here, s.foe)
        if enemy is None:
            return Reason(f"find the enemy at {name}", (way,), "O9.1")
        fight = s.fight(army, enemy, here)
        price = f"a battle costs about {fight.attacker_loss:.0f} SP, and the enemy {fight.defender_loss:.0f}"
        there = f"about {enemy.strength} SP are there"
        return Reason(f"beat the enemy at {name}", (there, price), "O9.4", fight.attacker_wins)
    if goal.kind in ("join", "lead"):
        return Reason(f"join friends at {name}", (f"too weak alone ({army.strength} SP)", way), "O5.14")
    if goal.kind == "refuge":
        return Reason(f"recover at {name}", ("it offers supply and shelter", way), "O11.2")
    return Reason(f"hold {name}", (way,), "O5.13")
