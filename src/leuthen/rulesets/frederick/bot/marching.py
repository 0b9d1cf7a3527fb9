"""Marches, garrisons, depots and winter quarters; battles, sieges and retreats."""

from collections.abc import Iterator
from itertools import islice
from math import inf
from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.bot.goals import HANDFUL, all_goals, goal_of, is_ordered, mission_of
from leuthen.rulesets.frederick.bot.situation import Situation, merit, siege_chance
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.rules import o09_combat as combat
from leuthen.rulesets.frederick.rules import o10_supply as supply
from leuthen.rulesets.frederick.rules.o05_forces import MOST, allowance, barred_to, interrupts, tether
from leuthen.rulesets.frederick.rules.o05_march import Marching
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice
from leuthen.rulesets.frederick.rules.o13_siege import Departure, Occupation, SiegePhase, why_not_besiege
from leuthen.wargame.board import ENDLESS, FAR, NOWHERE, Hex
from leuthen.wargame.search import Goal, Scorer
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, bag, largest, of, powers

NEVER: Final = -500.0
HUNGER: Final = 3.0  # cost of ending a march out of supply
WAY_BACK: Final = 0.8  # cost of each hex of the way back into supply
EMPTY_FORTRESS: Final = 0.55  # share of its worth that an empty fortress adds to a hex
LEAST_GAIN: Final = 0.6  # SP that a battle must promise before a force marches into it
LEAST_CHANCE: Final = 0.42  # chance of victory that such a battle must offer
CONTAGION: Final = 0.5  # cost of being demoralized by friends, as a share of the force
FEW: Final = 3  # fewer SP take no risks
ALONE: Final = 3.0  # extra gain that a force march of so few SP must bring
FACES: Final = 6
LEAST_LED: Final = 6  # fewer SP do not get a leader
LONGEST_WAY: Final = 4.0  # turns that a leader travels at most
LEAST_PART: Final = 10  # SP of a detachment
SIEGE_DANGER: Final = 1.8  # danger in SP that besiegers accept
BESIEGERS: Final = 5  # SP needed for a siege (O10.4)
GAINED: Final = 2  # hexes by which a depot must extend supply
KEPT: Final = 6  # hexes from every army beyond which a depot is useless
QUIET: Final = 1.0  # danger in SP at which a depot may be begun
QUARTERS: Final = 15  # first turn with quarters (O14.1)
HARD: Final = 17  # turn from which half of winter is over
LAST_TURN: Final = 18  # O1.2
LEAST_IN_WINTER: Final = 9  # SP from which an army may winter in the field: each attrition costs at least one
RISK: Final = 2.0  # danger in SP that besiegers accept in winter


# --- where it is good to stand ----------------------------------------------------------------------------------------


class Prospects(Scorer):
    """Scores of hexes for a force with a goal; terms that are the same for all hexes are computed once."""

    def __init__(self, s: Situation, force: Stack, goal: Goal) -> None:
        self._s = s
        self._force = force
        self._roads = s.roads(force, goal.hex) if goal.hex >= 0 else None
        self._hexes = s.board.distances(goal.hex) if goal.hex >= 0 else {}
        self._gaps = s.gaps(force) if force.sp else None
        self._is_sound = force.sp > 0 and not force.demoralized and force.commander >= 0
        self._dangers: dict[tuple[int, bool], float] = {}
        mission = mission_of(s.plan, force)
        self._place = mission.place if mission is not None else NOWHERE
        looks_home = s.pos.turn >= s.weights.homeward_turn and force.sp and takes_quarters(s, force)
        self._warm = s.shelters & s.supplied(force) if looks_home else 0
        self._homeward = s.memory.ways.gaps(self._warm) if self._warm else None
        self._shelter = s.weights.cold_share * force.strength * (1.0 if s.pos.turn < HARD else 0.5)

    def at_best(self, here: Hex) -> float:
        if self._s.enemies.hexes >> here & 1:
            return inf
        nearness = 0.0 if self._roads is None else -float(min(ENDLESS, self._hexes.get(here, ENDLESS)))
        return nearness + self._supply_term(here) + self._walk_in_term(here) + self._quarters_term(here)

    def score(self, here: Hex) -> float:
        nearness = 0.0 if self._roads is None else -float(min(ENDLESS, self._roads.far(here)))
        value = nearness + self._supply_term(here) + self._walk_in_term(here) + self._meeting_term(here)
        return value + self.aversion(here) + self._quarters_term(here)

    def _supply_term(self, here: Hex) -> float:
        gap = 0 if self._gaps is None else self._gaps[here]
        return -HUNGER - self._s.weights.hunger_per_sp * self._force.strength - WAY_BACK * gap if gap else 0.0

    def _walk_in_term(self, here: Hex) -> float:
        s = self._s
        owner = s.pos.owners.get(here)
        if owner is None or owner == s.side or not self._force.sp or s.held(here, s.foe) or s.neutral >> here & 1:
            return 0.0
        return EMPTY_FORTRESS * s.worth(here)

    def _meeting_term(self, here: Hex) -> float:
        s = self._s
        enemy = s.pos.field(here, s.foe) if s.enemies.hexes >> here & 1 else None
        if enemy is None:
            danger, coming = 0.0, s.enemies.coming(here) if self._force.sp else 0
            if coming and here in s.friends:
                danger = s.danger(self._force, here)
            elif coming:
                key = coming, bool(s.board.mountains >> here & 1)
                if key not in self._dangers:
                    self._dangers[key] = s.danger(self._force, here)
                danger = self._dangers[key]
            return -s.weights.danger_per_sp * max(0.0, danger)
        if not self._is_sound:
            return NEVER
        mine = s.joined(self._force, here)
        odds = s.fight(mine, enemy, here)
        gain = odds.gain(mine.strength, enemy.strength, s.weights.rout_share)
        if gain < LEAST_GAIN or odds.attacker_wins < LEAST_CHANCE:
            return NEVER
        return s.weights.march_battle_value * gain

    def aversion(self, here: Hex) -> float:
        """Return the penalty for returning to a recent halt, or for joining demoralized friends (O11.1)."""
        s, force = self._s, self._force
        if here == force.hex:
            return 0.0
        back = s.weights.return_penalty if here in s.halts.get(force.commander, ()) and here != self._place else 0.0
        return -back - (CONTAGION * force.strength if not force.demoralized and s.is_shaken(here) else 0.0)

    def _quarters_term(self, here: Hex) -> float:
        if self._homeward is None:
            return 0.0
        return self._shelter if self._warm >> here & 1 else -self._s.weights.quarters_per_hex * self._homeward[here]


class Reach:
    """The hexes within a force's reach, its own included, with the movement points that each costs."""

    def __init__(self, s: Situation, force: Stack, points: int, *, first: bool, supplied: bool = True) -> None:
        """Search from the force's hex; the `first` march always reaches a neighbour (O5.6).

        Neutral ground is closed, and for some forces enemy hexes or hexes out of supply (O10.6).
        """
        self._s, self._start, self._points = s, force.hex, points
        barred = s.neutral | barred_to(s.pos, force)
        leash = tether(s.pos, force, was_supplied=supplied)
        if leash is not None:
            barred |= s.board.land & ~leash
        self.found: dict[Hex, int] = s.board.reach(force.hex, max(points, 0), s.zone, s.enemies.hexes, barred)
        if first and points >= 1:
            for there in s.board.neighbours[force.hex]:
                if there not in self.found and not barred >> there & 1:
                    self.found[there] = points

    def leg(self, there: Hex) -> tuple[Hex, ...]:
        """Return a cheapest path without its start, up to the first hex where the march is interrupted (O5.8).

        Return () if there is none.
        """
        path = [there]
        while path[0] != self._start:
            before = self._before(path[0])
            if before < 0:
                return (there,) if len(path) == 1 and there in self._s.board.steps[self._start] else ()
            path.insert(0, before)
        for number, here in enumerate(path[1:], 1):
            if interrupts(self._s.pos, here, self._s.side):
                return tuple(path[1 : number + 1])
        return tuple(path[1:])

    def _before(self, last: Hex) -> Hex:
        s = self._s
        for here in s.board.neighbours[last]:
            spent = self.found.get(here)
            if spent is not None and (here == self._start or not s.enemies.hexes >> here & 1):
                cost = s.board.steps[here].get(last, 99) + (s.zone >> last & 1)
                if spent + cost == self.found[last]:
                    return here
        return NOWHERE

    def overwhelms(self, force: Stack, there: Hex) -> bool:
        enemy = self._s.pos.field(there, self._s.foe)
        if enemy is None or not enemy.sp or not force.sp:
            return False
        return force.strength >= 4 * enemy.strength and self.found[there] + 1 <= self._points


def legs(
    s: Situation,
    force: Stack,
    points: int,
    *,
    first: bool,
    supplied: bool,
    goal: Goal | None = None,
    price: float = 0.0,
) -> list[tuple[tuple[Hex, ...], bool]]:
    """Return the paths to the two best hexes that are better than staying by at least `price`.

    Each with whether it ends in an overwhelming attack (O5.9).
    """
    reach = Reach(s, force, points, first=first, supplied=supplied)
    prospects = Prospects(s, force, goal or goal_of(s, force))
    places = [there for there in reach.found if there != force.hex]
    better = prospects.better(places, prospects.score(force.hex), max(price, s.weights.min_march_gain))
    paths = [(reach.leg(there), there) for _, there in islice(better, 2)]
    return [(path, path[-1:] == (there,) and reach.overwhelms(force, there)) for path, there in paths]


# --- who marches ------------------------------------------------------------------------------------------------------


def march_actions(s: Situation, die: int) -> Iterator[Action]:
    yield from lead_actions(s, die)
    yield from shift_action(s)
    for stack in movers(s, forced=False):
        force = force_of(s, stack)
        if force is None:
            continue
        part = detachment(s, force)
        if part is not None:
            yield from march_to(s, part[0], die, part[1], stack)
        yield from march_to(s, force, die, None, stack)


def movers(s: Situation, *, forced: bool) -> list[Stack]:
    limit = 1 if forced else MOST
    found = [
        stack for stack in s.mine
        if any(s.pos.spent.get(leader, 0) < limit for leader in stack.leaders)
        and not stack.quartered and (stack.sp - stack.marched or not stack.sp)
        and not (stack.inside and s.is_besieged(stack.hex)) and not stays(s, stack)
    ]  # fmt: skip
    return sorted(found, key=lambda stack: (-stack.strength, stack.key))


def stays(s: Situation, stack: Stack) -> bool:
    """Return whether a stack stays where it is: a governor, a besieger with a depot (O13.1), or a depot's builder
    (O10.4).
    """
    if stack.inside:
        return bool(stack.sp) and stack.strength <= max(FEW, wanted(s, stack.hex))
    depot = s.pos.depots.get(stack.hex)
    if depot is None or not s.is_begun(stack.hex) or stack.demoralized:
        return False
    serves = not depot.complete or bool(s.garrison(stack.hex, s.foe))
    return serves and s.danger(stack, stack.hex) <= SIEGE_DANGER


def force_of(s: Situation, stack: Stack, *, forced: bool = False) -> Stack | None:
    """Return the part of a stack that would march: all leaders and SP that may, except a garrison."""
    limit = 1 if forced else MOST
    leaders = tuple(leader for leader in stack.leaders if s.pos.spent.get(leader, 0) < limit)
    if stack.demoralized and len(leaders) < len(stack.leaders):
        return None
    led = {s.data.leaders[leader].power for leader in leaders}
    fresh = stack.sp - stack.marched
    sp = sum(bag(power, of(fresh, power)) for power in powers(fresh) if power in led)
    if not stack.demoralized:
        depot = s.pos.depots.get(stack.hex)
        begun = depot is not None and not depot.complete and s.pos.side_of(depot.power) == s.side
        safe = not any(reached >> stack.hex & 1 for _, reached in s.enemies.strikers)
        if stack.inside:
            sp -= some(sp, wanted(s, stack.hex))
        elif begun and safe and stack.strength > 2:
            sp -= some(sp, 1)
    if not leaders or (stack.sp and not sp):
        return None
    return s.pos.make_stack(stack.hex, s.side, stack.inside, sp, leaders, stack)


def march_to(s: Situation, force: Stack, die: int, goal: Goal | None, whole: Stack) -> Iterator[Action]:
    """Yield marches of a force, taken from the stack `whole`, towards a goal or the best hex."""
    used = max(s.pos.spent.get(leader, 0) for leader in force.leaders)
    points, fed = allowance(s.pos, die, force) - used, supply.is_supplied(s.pos, whole)
    for path, overwhelm in legs(s, force, points, first=not used, supplied=fed, goal=goal):
        if path:
            yield do.March(force.commander, _companions(force), force.sp, path, overwhelm)


def _companions(force: Stack) -> tuple[LeaderId, ...]:
    return tuple(sorted(number for number in force.leaders if number != force.commander))


def open_march_actions(s: Situation, march: Marching) -> Iterator[Action]:
    force = s.pos.force
    here, own = force.hex, s.pos.owners.get(force.hex) == s.side
    if own and not force.demoralized and force.strength >= 3 and not s.garrison(here, s.side):
        # A fortress that the force takes or passes gets a man inside if it has none.
        yield do.Drop(True, (), some(force.sp, min(2 if s.data.fortresses[here].great else 1, force.strength // 3)))
    spent = march.spent(s.pos, force)
    points = allowance(s.pos, march.die, force) - spent
    yield from (do.Go(*leg) for leg in legs(s, force, points, first=not spent, supplied=march.supplied) if leg[0])
    goes_inside = own
    if own and force.sp:
        fits = force.strength + s.garrison(here, s.side) <= s.data.fortresses[here].vp
        goes_inside = fits and (force.strength < HANDFUL or s.danger(force, here) > 1.0)
    yield do.Halt(goes_inside)
    yield do.Halt(False)
    yield do.Halt(True)  # who has not marched stays where he was (O5.20)


def force_march_actions(s: Situation) -> Iterator[Action]:
    """Yield force marches that pay off with a middling die roll."""
    for stack in movers(s, forced=True):
        force = force_of(s, stack, forced=True)
        if force is None or not force.sp:
            continue
        points, fed = allowance(s.pos, 3, force), supply.is_supplied(s.pos, force)
        if legs(s, force, points, first=True, supplied=fed, price=force_march_price(s, force)):
            yield do.March(force.commander, _companions(force), force.sp)


def force_march_price(s: Situation, force: Stack) -> float:
    """Return the gain that a force march must bring, because it costs SP (O6.1): more for an able commander."""
    weights, able = s.weights, s.data.leaders[force.commander].initiative
    price = weights.force_march_price + weights.force_march_risk_price * min(able, FACES) / FACES
    price += ALONE if force.strength < FEW else 0.0
    mission = mission_of(s.plan, force)
    if mission is None or mission.kind not in ("hunt", "relieve"):
        return price
    return price * (weights.force_march_hunt_factor if mission.kind == "hunt" else weights.force_march_relief_factor)


def detachment(s: Situation, force: Stack) -> tuple[Stack, Goal] | None:
    """Return a part of a large army under its best junior leader, with a goal that no other army has."""
    is_large = force.strength >= s.weights.min_divided_army and len(force.leaders) > 1
    if not is_large or force.demoralized or is_ordered(s, force):
        return None
    junior = max((n for n in force.leaders if n != force.commander), key=lambda n: (merit(s, n), -n))
    power = s.data.leaders[junior].power
    points = min(of(force.sp, power), round(s.weights.detached_share * force.strength))
    if points < LEAST_PART or s.data.leaders[junior].initiative < 1:
        return None
    part = s.pos.make_stack(force.hex, s.side, force.inside, bag(power, points), (junior,), force)
    left = tuple(leader for leader in force.leaders if leader != junior)
    rest = s.pos.make_stack(force.hex, s.side, force.inside, force.sp - part.sp, left, force)
    if s.danger(rest, force.hex) > max(SIEGE_DANGER, s.danger(force, force.hex)):  # the rest would be exposed to defeat
        return None
    taken = {mission.place for mission in s.plan.missions} | {goal_of(s, force).hex}
    goals = [goal for goal in all_goals(s, part) if goal.kind in ("siege", "relief", "hunt")]
    free = [goal for goal in goals if goal.hex not in taken]
    best = max(free, key=lambda goal: (goal.value, -goal.hex), default=None)
    if best is None or best.value < s.weights.min_detached_value * max(goal.value for goal in goals):
        return None
    return None if s.distance(best.hex, force.hex) < 2 else (part, best)


# --- men without a general --------------------------------------------------------------------------------------------


def leaderless(s: Situation) -> list[Stack]:
    found = [stack for stack in s.mine if not stack.inside and not stack.leaders and stack.strength >= LEAST_LED]
    return sorted(found, key=lambda stack: (-stack.strength, stack.hex))


def lead_actions(s: Situation, die: int) -> Iterator[Action]:
    """Yield orders that bring leaders to stacks without one: out of a fortress in the same hex (O5.20), or by a march.

    The nearest leader goes; of several the ablest.
    """
    sent: set[LeaderId] = set()
    for men in leaderless(s):
        coming = [
            (-(-s.distance(start.hex, men.hex) // s.weights.points_per_turn), -merit(s, leader), leader, start)
            for leader, start in volunteers(s, men) if leader not in sent
        ]  # fmt: skip
        turns, _, leader, start = min(coming, key=lambda one: one[:3], default=(inf, 0.0, NO_LEADER, men))
        if turns > LONGEST_WAY:
            continue
        sent.add(leader)
        if s.pos.spent.get(leader, 0) >= MOST:
            continue
        if start.hex == men.hex:
            yield do.Shift(men.hex, False, (leader,), EMPTY)
            continue
        alone = s.pos.make_stack(start.hex, s.side, start.inside, EMPTY, (leader,), start)
        yield from march_to(s, alone, die, Goal("lead", men.hex, float(men.strength)), start)


def volunteers(s: Situation, men: Stack) -> Iterator[tuple[LeaderId, Stack]]:
    """Yield leaders of the same power who can be spared and have no orders from the player, each with his stack."""
    for start in s.mine:
        if start.demoralized or (start.inside and s.is_besieged(start.hex)) or is_ordered(s, start):
            continue
        for leader in start.leaders:
            is_needed = start.sp and not start.inside and leader == start.commander
            if s.data.leaders[leader].power == largest(men.sp) and not is_needed:
                yield leader, start


# --- garrisons and depots ---------------------------------------------------------------------------------------------


def wanted(s: Situation, here: Hex) -> int:
    """Return the SP that a fortress should hold: one, and more near an enemy army that can besiege it (O13.2)."""
    if s.enemies.near(here, s.weights.threat_hexes) < BESIEGERS:
        return 1
    return s.weights.great_garrison if s.data.fortresses[here].great else s.weights.garrison


def some(sp: Bag, points: int) -> Bag:
    taken = EMPTY
    while points > 0 and sp - taken:
        power = largest(sp - taken)
        step = min(points, of(sp - taken, power))
        taken += bag(power, step)
        points -= step
    return taken


def shift_action(s: Situation) -> Iterator[Action]:
    for stack in s.mine:
        if stack.inside or not stack.sp or s.pos.owners.get(stack.hex) != s.side or stack.demoralized:
            continue
        lack = wanted(s, stack.hex) - s.garrison(stack.hex, s.side)
        points = min(lack, stack.strength - 1 if stack.leaders else stack.strength)
        if points > 0 and stack.hex not in s.pos.shifted:
            yield do.Shift(stack.hex, True, (), some(stack.sp, points))


def depot_actions(s: Situation) -> Iterator[Action]:
    """Yield the orders of the Depot Phase, best first.

    An army that will leave before the depot is complete begins none (O10.4). At the limit of depots the power removes
    the one farthest from all armies.
    """
    able = (army for army in s.armies if supply.why_not_build(s.pos, army.hex, s.side) is None)
    safe = [army for army in able if s.danger(army, army.hex) <= QUIET]
    yield from (do.Build(army.hex) for army in safe if is_tethered(s, army))
    yield from (do.Build(army.hex) for army in safe if wants_depot(s, army))
    depots = [(here, depot.power) for here, depot in supply.own_depots(s.pos, s.side)]
    for here, power in depots:
        nearest = min((s.distance(army.hex, here) for army in s.armies), default=FAR)
        if sum(other == power for _, other in depots) >= supply.MOST_DEPOTS - 1 and nearest > KEPT:
            yield do.Remove(here)
    yield Done()


def is_tethered(s: Situation, army: Stack) -> bool:
    """Return whether an army that may not leave supply (O10.6) has reached its limit short of its goal."""
    if army.demoralized or s.data.leaders[army.commander].initiative:
        return False
    goal = goal_of(s, army)
    if goal.kind not in ("siege", "relief", "hunt") or goal.hex == army.hex:
        return False
    far, fed = s.roads(army, goal.hex).far, s.supplied(army)
    nearer = [there for there in s.board.neighbours[army.hex] if far(there) < far(army.hex)]
    return not any(fed >> there & 1 for there in nearer)


def wants_depot(s: Situation, army: Stack) -> bool:
    """Return whether an army needs a depot here: for its siege, or where supply ends on the way to one."""
    here = army.hex
    if s.garrison(here, s.foe):
        return True
    if here in s.data.fortresses and s.pos.is_home(here, s.side):
        return False
    goal = goal_of(s, army)
    if goal.kind != "siege" or s.supplied(army) >> goal.hex & 1:
        return False
    now, length = s.gaps(army)[goal.hex], supply.path_length(s.pos, army.sp, army.nation)
    return now > 0 and max(0, s.distance(here, goal.hex) - length) <= now - min(now, GAINED)


# --- winter quarters --------------------------------------------------------------------------------------------------


def quarter_actions(s: Situation) -> Iterator[Action]:
    for stack in s.mine:
        if stack.sp and not stack.quartered and takes_quarters(s, stack):
            yield do.Quarter(stack.hex, stack.inside)


def takes_quarters(s: Situation, army: Stack) -> bool:
    """Return whether an army goes into winter quarters as soon as possible.

    It stays out only where this year's remaining gains outweigh winter attrition.
    """
    mission = mission_of(s.plan, army)
    if mission is None or army.strength < LEAST_IN_WINTER or army.demoralized or army.inside:
        return True
    if mission.kind == "besiege":
        frost = s.weights.winter_loss_share * army.strength * (LAST_TURN + 1 - max(s.pos.turn, QUARTERS))
        promise = s.worth(mission.place) * _chance_to_fall(s, army, mission.place)
        return promise <= frost or s.danger(army, army.hex) >= RISK
    if mission.kind != "hunt":
        return True
    enemy, turns = s.pos.field(mission.place, s.foe), max(1, LAST_TURN - s.pos.turn)
    if enemy is None or s.roads(army, army.hex).far(mission.place) > s.weights.points_per_turn * turns:
        return s.weights.min_winter_gain >= 0
    return s.attack_gain(army, enemy, mission.place) <= s.weights.min_winter_gain


def _chance_to_fall(s: Situation, army: Stack, fort: Hex) -> float:
    far = s.roads(army, army.hex).far(fort)
    turns = LAST_TURN - s.pos.turn - int(-(-far // s.weights.points_per_turn)) if far < FAR else -1
    if turns < 0:
        return 0.0
    garrison = s.pos.inside(fort, s.foe)
    if garrison is None or not garrison.sp:
        return 1.0
    begun = s.is_begun(fort)
    complete = begun and s.pos.depots[fort].complete
    chance = siege_chance(s.pos, msgspec.structs.replace(army, hex=fort), garrison)
    return float(1.0 - (1.0 - chance) ** ((turns + begun + complete) // 2))


MIN_ATTACK_GAIN: Final = 0.2  # SP
FORESTALLS: Final = 0.5  # SP by which attacking must be better than being attacked


def attack_actions(s: Situation, phase: combat.CombatPhase) -> Iterator[Action]:
    """Yield forced attacks, then attacks that gain SP or lose less than the enemy's attack would, best first."""
    answered, taken = phase.declaring == phase.side, {here for _, here in phase.declared}
    gains: list[tuple[float, Hex]] = []
    for here in combat.possible_attacks(s.pos, s.side):
        if here in taken:
            continue
        if answered and here in s.pos.bound:
            yield do.Attack(here)
        gains.append((s.attack_gain(s.pos.stack_at(here, s.side), s.pos.stack_at(here, s.foe), here), here))
    for gain, here in sorted(gains, key=lambda one: -one[0]):
        if gain > MIN_ATTACK_GAIN:
            yield do.Attack(here)
        elif answered and combat.why_not_attack(s.pos, here, s.foe) is None:
            theirs = s.attack_gain(s.pos.stack_at(here, s.foe), s.pos.stack_at(here, s.side), here)
            if gain > -theirs + FORESTALLS:
                yield do.Attack(here)
    yield Done()


def pursuit_actions(s: Situation, pursuit: combat.Pursuit) -> Iterator[Action]:
    """Pursue only if no fortress has to be held here and no stronger enemy can strike."""
    stack = s.pos.stack_at(pursuit.battle, s.side)
    is_free = pursuit.battle not in s.data.fortresses and stack.strength > 3
    if is_free and s.supplied(stack) >> pursuit.first & 1 and s.danger(stack, pursuit.first) <= 0.5:
        yield do.Follow(stack.leaders, stack.sp)
    yield Done()


def rout_actions(s: Situation, frame: combat.Routed) -> Iterator[Action]:
    strength = s.pos.stack_at(frame.hex, s.side).strength
    if strength + s.garrison(frame.hex, s.side) <= supply.feeds(s.pos, frame.hex):
        yield do.Shelter(True)
    yield Done()
    yield do.Shelter(True)


def retreat_actions(s: Situation, frame: combat.Retreating) -> Iterator[Action]:
    """Retreat to the first safe place, else away from enemies and towards an own fortress, avoiding other friends."""
    force = s.pos.force
    here = force.hex
    if s.pos.owners.get(here) == s.side and force.strength + s.garrison(here, s.side) <= supply.feeds(s.pos, here):
        yield do.Shelter(True)

    def burden(there: Hex) -> tuple[float, int, Hex]:
        friend = s.pos.field(there, s.side)
        sound = friend.strength if friend is not None and not friend.demoralized else 0
        forts = min((s.distance(there, fort) for fort in s.forts if not s.is_besieged(fort)), default=FAR)
        return s.enemies.near(there, 2) + sound + 2.0 * forts, forts, there

    yield from (do.Retreat(there) for there in sorted(s.board.neighbours[here], key=burden))
    yield do.Shelter(False)
    yield do.Shelter(True)


def refuge_actions(s: Situation, frame: RefugeChoice) -> Iterator[Action]:

    def size(haven: tuple[Hex, bool]) -> tuple[int, Hex]:
        stack = s.pos.at(haven[0], s.side, haven[1])
        return -(stack.strength if stack is not None else 0), haven[0]

    for here, inside in sorted(frame.havens, key=size):
        yield do.Refuge(here, inside)


def siege_actions(s: Situation, phase: SiegePhase) -> Iterator[Action]:
    """Roll in every siege that allows it: each roll improves the next one."""
    for army in sorted(s.mine, key=lambda stack: stack.hex):
        if not army.inside and army.hex not in phase.rolled and why_not_besiege(s.pos, army.hex, s.side) is None:
            yield do.Besiege(army.hex)
    yield Done()


def occupation_actions(s: Situation, fallen: Occupation) -> Iterator[Action]:
    camp = s.pos.stack_at(fallen.hex, s.side)
    points = min(max(2, wanted(s, fallen.hex)), camp.strength - 1)
    if camp.demoralized:
        yield do.Garrison(tuple(sorted(camp.leaders)), camp.sp)
    if points > 0:
        yield do.Garrison((), some(camp.sp, points))
    yield Done()


def departure_actions(s: Situation, frame: Departure) -> Iterator[Action]:
    for here in sorted(s.forts, key=lambda here: (s.enemies.near(here, 4), s.garrison(here, s.side), here)):
        yield do.Refuge(here, True)
