"""A position as a bot sees it, with a belief about hidden strength, and expected results of battles and sieges.

One estimate, and random worlds close to the average war, follow from the view alone, so equal views give equal
decisions. The captain overestimates the enemy on purpose, because that wins more games. The averages come from 1,200
games (`tools/selfplay.py`): garrisons are small, most SP are with the armies, and a war wears powers out.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Final, NamedTuple

from leuthen.engine.choice import RandomSource
from leuthen.engine.memo import Memo, memo_of, memoized
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, as_side
from leuthen.rulesets.frederick.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.frederick.knowledge import Filler, RandomFill, View, complete_view
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SeenStack, Stack
from leuthen.rulesets.frederick.model.state import Position, State
from leuthen.rulesets.frederick.rules import o10_supply as supply
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS
from leuthen.rulesets.frederick.rules.c05_council import granted
from leuthen.rulesets.frederick.rules.c12_victory import vp_of
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o09_combat import attack_bonus, crushed_by, defence_bonus, is_mountain, result_of
from leuthen.rulesets.frederick.rules.o13_siege import siege_modifiers, siege_result
from leuthen.wargame.board import FAR, Board, Hex, Hexes, Search, StackKey, Ways, bit, hex_set, hexes_of
from leuthen.wargame.bot.value import Band, share_strength
from leuthen.wargame.missions import Plan
from leuthen.wargame.search import Stream, seed_of
from leuthen.wargame.strength import LeaderId, PowerId, of

WASTAGE: Final = 0.93  # factor by which a major power's army shrinks in a year of war, recruits apart
GROWTH: Final = 1.1  # factor by which a minor power's army grows in a year, recruits and losses included
BY_RANK: Final = (12, 12, 8, 5, 4, 3, 3, 2, 2, 2)  # relative SP of a field commander, by rank
WALLS: Final = 3.0  # divisor for the SP of a commander inside a fortress


class Estimate(Filler):
    def __init__(self, weights: BotWeights) -> None:
        self._weights = weights

    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        def guess() -> Sequence[int]:
            guesses = estimates(pos.data, view, self._weights)
            return [guesses.get(seen.key, 0) for seen in hidden]

        facts = view.year, view.turn, view.rp, view.prisoners, tuple(hidden), self._weights
        return pos.lasting.get_latest(("estimated", view.viewer), facts, guess)


def estimates(data: GameData, view: View, weights: BotWeights = CAPTAIN) -> dict[StackKey, int]:
    seen = view.stacks if view.moving is None else (*view.stacks, view.moving)
    hidden = [stack for stack in seen if stack.sp is None and not stack.alone]
    found: dict[StackKey, int] = {}
    for nation in sorted({stack.nation for stack in hidden}):
        bands = [
            Band(stack.key, stack.low, stack.high, weights.max_enemy_army, weight_of(data, stack))
            for stack in hidden if stack.nation == nation
        ]  # fmt: skip
        found.update(share_strength(bands, weights.enemy_strength_factor * expected_total(data, view, nation)))
    return found


def expected_total(data: GameData, view: View, power: PowerId) -> float:
    """Return the SP that a power should have on the map, from public facts: start, RP spent and prisoners."""
    plan = data.scenarios[view.scenario]
    # In the campaign nobody is raised before the spring of 1757.
    year, turn = (FIRST_YEAR + 1, 0) if plan.par is None else (plan.year, plan.turn)
    years = max(0.0, view.year - year + (view.turn - turn) / 18)
    total: float = plan.begun[power] * GROWTH**years
    if power in MAJORS:
        points = granted(view.options) if plan.par is None else plan.rp
        spent = max(0, points[power] - view.rp[power]) if view.year > FIRST_YEAR else 0
        total = plan.begun[power] * (1 + 0.1 * spent) * WASTAGE**years
    return max(1.0, total - sum(of(held, power) for held in view.prisoners))


def weight_of(data: GameData, stack: SeenStack) -> float:
    if stack.commander < 0:
        return 1.0
    weight = BY_RANK[data.leaders[stack.commander].rank]
    return weight / WALLS if stack.inside else weight


LED: Final[Mapping[int, float]] = {1: 22, 2: 28, 3: 19, 4: 18, 5: 16}
"""average SP of a field stack by the rank of its commander; `OTHERS` for other ranks"""
OTHERS: Final = 14.0
ALONE: Final = 16.0  # average SP of a field stack without a commander
GARRISON: Final = 1.4  # average SP inside a fortress without a leader
GOVERNED: Final = 1.7  # average SP inside a fortress with a leader
FIRST: Final = 0.82  # share of its expected SP that a major power has in 1756
LATER: Final = (0.67, 1.02)  # share that a major and a minor power have in 1757
YEARLY: Final = 0.12  # decline of that share each year
LEAST_LEFT: Final = (0.3, 0.4)  # its lower limit
NARROW: Final = 0.85
WIDE: Final = 0.3  # a world's total lies between NARROW and NARROW + WIDE of the expected one


def sample_likely_state(data: GameData, view: View, rng: RandomSource) -> State:
    return complete_view(data, view, Doubt(rng))


class Doubt(RandomFill):
    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        """Keep known strengths, draw usual garrisons, and divide the rest among the armies."""
        rng, data = self.rng, pos.data
        weights = [usual(data, stack) * (0.3 + 1.4 * rng.random()) for stack in hidden]
        found = [0 if stack.alone else max(1, stack.low) for stack in hidden]
        nations = sorted({stack.nation for stack in hidden})
        more = {nation: NARROW + WIDE * rng.random() for nation in nations}
        for nation in nations:
            camp = [n for n, stack in enumerate(hidden) if stack.nation == nation and not stack.alone]
            for n in camp:
                if hidden[n].inside:
                    found[n] = _clamp(hidden[n], weights[n])
            armies = [n for n in camp if not hidden[n].inside and hidden[n].low < hidden[n].high]
            left = present(data, view, nation) * more[nation] - sum(found[n] for n in camp if n not in armies)
            whole = sum(weights[n] for n in armies)
            for n in armies:
                found[n] = _clamp(hidden[n], left * weights[n] / whole)
        return found


def usual(data: GameData, stack: SeenStack) -> float:
    if stack.alone:
        return 0.0
    if stack.inside:
        return GARRISON if stack.commander < 0 else GOVERNED
    return ALONE if stack.commander < 0 else LED.get(data.leaders[stack.commander].rank, OTHERS)


def _clamp(stack: SeenStack, points: float) -> int:
    return max(1, stack.low, min(stack.high, round(points)))


def present(data: GameData, view: View, power: PowerId) -> float:
    """Return the SP that a power should have by now, worn down by the war."""
    total = expected_total(data, view, power)
    if power in MAJORS and view.year == FIRST_YEAR:
        return total * FIRST
    minor = power not in MAJORS
    return total * max(LEAST_LEFT[minor], LATER[minor] - YEARLY * (view.year - FIRST_YEAR - 1))


REMEMBERED: Final = 50  # sets of enemy stacks
THREAT: Final = 2  # hexes within which an army threatens a fortress
STRIKE: Final = 4  # hexes within which an army can strike in a turn
SILESIA_VALUE: Final = 3.0  # value of a Silesian fortress beyond its VP
SURRENDER_VALUE: Final = 8.0  # value of the last fortress of a power beyond its VP (C11.2)
DICE: Final = range(1, 7)


class Battle(NamedTuple):
    """Mean losses with prisoners, and each side's chance to win."""

    attacker_loss: float
    defender_loss: float
    attacker_wins: float
    defender_wins: float

    def gain(self, attackers: int, defenders: int, rout: float) -> float:
        """Return the attacker's expected gain in SP; `rout` values a victory as a share of the beaten army."""
        driven_off = rout * (self.attacker_wins * defenders - self.defender_wins * attackers)
        return self.defender_loss - self.attacker_loss + driven_off


def battle(pos: Position, attacker: Stack, defender: Stack, here: Hex) -> Battle:
    crushed = crushed_by(attacker.strength, defender.strength)
    if crushed is not None:
        lost, killed = (0, defender.strength) if crushed else (attacker.strength, 0)
        return Battle(lost, killed, float(crushed), float(not crushed))
    lost, killed, won, beaten = 0, 0, 0, 0
    for die in DICE:
        result = result_of(pos, attacker, defender, here, die)
        wins, loses = result.winner == attacker.side, result.winner == OTHER[attacker.side]
        lost += result.losses[0] + result.prisoners * loses
        killed += result.losses[1] + result.prisoners * wins
        won, beaten = won + wins, beaten + loses
    return Battle(lost / 6, killed / 6, won / 6, beaten / 6)


def siege_chance(pos: Position, camp: Stack, garrison: Stack) -> float:
    added = sum(siege_modifiers(pos, camp, garrison))
    return memo_of(pos.data, "bots").get_or_compute(
        ("siege", added),
        lambda: sum(siege_result(pos, die + added) in ("honours", "surrender") for die in DICE) / 6,
    )


class Enemies:
    def __init__(self, stacks: Sequence[Stack], ways: Ways) -> None:
        self.stacks = stacks
        self.hexes: Hexes = hex_set(stack.hex for stack in stacks)
        self.memo = Memo()
        self._ways = ways
        self._led = [(stack.hex, stack.strength) for stack in stacks if stack.commander >= 0]

    @cached_property
    def strikers(self) -> list[tuple[Stack, Hexes]]:
        able = (stack for stack in self.stacks if stack.commander >= 0 and not stack.quartered)
        return [(stack, self._ways.near(stack.hex, STRIKE)) for stack in able]

    @cached_property
    def threatening(self) -> Hexes:
        return reduce(or_, [self._ways.near(here, THREAT) for here, points in self._led if points], 0)

    @memoized("memo")
    def near(self, here: Hex, far: int) -> int:
        near = self._ways.near(here, far)
        return sum([points for there, points in self._led if near >> there & 1])

    @memoized("memo")
    def coming(self, here: Hex) -> int:
        """Return the strikers that can reach a hex, as a bit mask."""
        return sum([1 << number for number, (_, reached) in enumerate(self.strikers) if reached >> here & 1])

    def attacker(self, pos: Position, coming: int, here: Hex) -> Stack:
        """Return the strikers of a bit mask as one stack under the leaders of the strongest."""

        def merged() -> Stack:
            armies = [stack for number, (stack, _) in enumerate(self.strikers) if coming >> number & 1]
            lead = max(armies, key=lambda stack: stack.strength)
            return pos.make_stack(here, lead.side, False, sum(stack.sp for stack in armies), lead.leaders)

        return self.memo.get_or_compute(coming, merged)


class Memory:
    """Tables that hold in any position and are shared by all bots."""

    def __init__(self, board: Board) -> None:
        self.odds = Memo()
        self.ways = Ways(board)
        self.enemies = Memo.with_limit(REMEMBERED)


class Situation:
    """A position as one side estimates it. Computed values are cached."""

    def __init__(
        self, data: GameData, view: View, weights: BotWeights = CAPTAIN, invaded: Hexes = 0, seed: int = 0
    ) -> None:
        """Complete a view within the map of its scenario (C14.4).

        `invaded` is neutral ground that the bot means to enter (C3.3); `seed` is the bot's own.
        """
        self.data = data.of(view.scenario)
        self.invaded = invaded
        self.seed = seed
        self.weights = weights
        self.side = as_side(view.viewer)
        self.foe = OTHER[self.side]
        self.board: Board = self.data.board
        self.memory = memo_of(self.data, "bots").get_or_compute("memory", lambda: Memory(self.board))
        self.pos: Position = complete_view(self.data, view, Estimate(weights))
        self.memo = Memo()
        self.worths = self.pos.by_owners.get_or_compute(("worth", weights.great_fortress_value), Memo)
        self.plan = Plan()
        self.halts: Mapping[LeaderId, tuple[Hex, ...]] = {}  # hexes where leaders halted in the last turns

    def chooser(self, what: str) -> Stream:
        """Return the bot's random stream for a topic of this year; it is always the same."""
        return Stream(seed_of(self.seed, what, self.pos.year))

    @cached_property
    def mine(self) -> list[Stack]:
        return list(self.pos.own(self.side))

    @cached_property
    def armies(self) -> list[Stack]:
        found = [stack for stack in self.mine if stack.sp and stack.leaders and not stack.inside]
        return sorted(found, key=lambda stack: (-stack.strength, stack.hex))

    @cached_property
    def enemies(self) -> Enemies:
        found = tuple([stack for stack in self.pos.own(self.foe) if stack.sp and not stack.inside])
        return self.memory.enemies.get_or_compute((self.pos.arrival, found), lambda: Enemies(found, self.memory.ways))

    @cached_property
    def friends(self) -> frozenset[Hex]:
        return frozenset(stack.hex for stack in self.mine if not stack.inside)

    @cached_property
    def fields(self) -> supply.Fields:
        return supply.supply(self.pos, self.side)

    @cached_property
    def forts(self) -> list[Hex]:
        return [here for here, owner in self.pos.owners.items() if owner == self.side]

    @cached_property
    def zone(self) -> Hexes:
        """Hexes that cost one more movement point because of enemy zones."""
        if self.side != PRUSSIAN:
            return 0
        near = 0
        for stack in self.enemies.stacks:
            if stack.side == AUSTRIAN and supply.has_zone(stack):
                near |= self.board.spread(bit(stack.hex))
        return sum(1 << here for here in hexes_of(near) if supply.is_in_zone(self.pos, here, self.side))

    @cached_property
    def neutral(self) -> Hexes:
        return supply.neutral_ground(self.pos) & ~self.invaded

    def supplied(self, force: Stack) -> Hexes:
        return self.fields[supply.path_length(self.pos, force.sp, force.nation)]

    def gaps(self, force: Stack) -> bytes:
        """Return by hex the distance beyond a force's supply in hexes, up to `BEYOND`."""
        return self.memory.ways.gaps(self.supplied(force))

    def roads(self, force: Stack, start: Hex) -> Search:
        """Return movement points from a hex to all others; a hex out of supply costs one more."""
        return self._roads(supply.path_length(self.pos, force.sp, force.nation) if force.sp else 0, start)

    @memoized("memo")
    def _roads(self, length: int, start: Hex) -> Search:
        slow = self.board.land & ~self.fields[length] if length else 0
        return self.memory.ways.search(start, slow, self.neutral & ~bit(start))

    def distance(self, here: Hex, there: Hex) -> int:
        return self.board.distances(there).get(here, FAR)

    def held(self, here: Hex, side: OwnerId) -> bool:
        pos = self.pos
        return any(stack is not None and stack.sp for stack in (pos.field(here, side), pos.inside(here, side)))

    def garrison(self, here: Hex, side: OwnerId) -> int:
        stack = self.pos.inside(here, side)
        return stack.strength if stack is not None else 0

    def is_besieged(self, here: Hex) -> bool:
        return supply.is_besieged(self.pos, here, self.side)

    def is_begun(self, here: Hex) -> bool:
        depot = self.pos.depots.get(here)
        return depot is not None and self.pos.side_of(depot.power) == self.side

    def is_shaken(self, here: Hex) -> bool:
        """Return whether friends in a hex are demoralized and would demoralize a force that joins them (O11.1)."""
        friend = self.pos.field(here, self.side)
        return friend is not None and friend.demoralized

    @cached_property
    def targets(self) -> list[Hex]:
        """Fortresses that can be taken without entering neutral ground, except invaded ground."""
        barred = self.neutral | (self.pos.marks[NOBODY][1] & ~self.invaded)
        return [here for here, owner in self.pos.owners.items() if owner != self.side and not barred >> here & 1]

    @cached_property
    def prizes(self) -> list[tuple[Hex, float, Mapping[Hex, int]]]:
        return [(here, 1.0 + self.worth(here), self.board.distances(here)) for here in self.targets]

    @cached_property
    def threatened(self) -> list[Hex]:
        return [here for here in self.forts if self.enemies.threatening >> here & 1 or self.is_besieged(here)]

    @memoized("worths")
    def worth(self, here: Hex) -> float:
        """Return the worth of a fortress in VP, with additions for great ones, Silesia and a power's surrender."""
        fort = self.data.fortresses[here]
        value = vp_of(self.pos, here) + fort.great * self.weights.great_fortress_value
        value += (fort.province == "silesia") * SILESIA_VALUE
        if fort.power >= 0 and (side := self.pos.side_of(fort.power)) < NOBODY:
            homes = [there for there, other in self.data.fortresses.items() if other.power == fort.power]
            value += SURRENDER_VALUE * (sum(self.pos.owners[there] == OTHER[side] for there in homes) / len(homes))
        return value

    @cached_property
    def shelters(self) -> Hexes:
        """Hexes with winter quarters that are away from the enemy (O14.1)."""
        near = self.enemies.hexes | self.board.spread(self.enemies.hexes)
        depots = [
            here for here, depot in self.pos.depots.items()
            if depot.complete and self.is_begun(here) and not self.held(here, self.foe)
        ]  # fmt: skip
        return (hex_set(self.forts) | hex_set(depots)) & ~near

    def friends_near(self, here: Hex, far: int, apart: Hex) -> int:
        """Return the SP of own armies within some hexes, except those in the hex `apart`."""
        return sum([points for there, points in self._friends_around(here, far) if there != apart])

    @memoized("memo")
    def _friends_around(self, here: Hex, far: int) -> list[tuple[Hex, int]]:
        near = self.memory.ways.near(here, far)
        return [(army.hex, army.strength) for army in self.armies if near >> army.hex & 1]

    def fight(self, attacker: Stack, defender: Stack, here: Hex) -> Battle:
        pos = self.pos
        key = (
            attacker.strength, defender.strength, attack_bonus(pos, attacker), defence_bonus(pos, defender),
            initiative(pos, attacker), initiative(pos, defender), is_mountain(pos, here),
        )  # fmt: skip
        return self.memory.odds.get_or_compute(key, lambda: battle(pos, attacker, defender, here))

    def attack_gain(self, attacker: Stack, defender: Stack, here: Hex) -> float:
        return self.fight(attacker, defender, here).gain(attacker.strength, defender.strength, self.weights.rout_share)

    def joined(self, force: Stack, here: Hex) -> Stack:
        friend = self.pos.field(here, self.side)
        if friend is None or friend.hex == force.hex or not force.sp:
            return force
        leaders = tuple(dict.fromkeys((*friend.leaders, *force.leaders)))
        return self.pos.make_stack(here, self.side, False, friend.sp + force.sp, leaders)

    def danger(self, force: Stack, here: Hex) -> float:
        """Return the SP that the enemy would gain by attacking a force with all strikers."""
        coming = self.enemies.coming(here)
        if not coming or not force.sp:
            return 0.0
        return self.attack_gain(self.enemies.attacker(self.pos, coming, here), self.joined(force, here), here)


def merit(s: Situation, leader: LeaderId) -> float:
    """Return a leader's worth; a bad leader of high rank is a burden because that leader commands."""
    man = s.data.leaders[leader]
    skill = man.initiative * 1.2 + man.attack + man.defence
    return skill - (3.0 - skill) * (6 - man.rank) * 0.3
