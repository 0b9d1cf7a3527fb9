"""A position as a bot sees it: who stands where, what is in supply, where danger comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Final, NamedTuple

from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, as_side
from leuthen.rulesets.frederick.bot.belief import imagine
from leuthen.rulesets.frederick.bot.odds import Battle, Cache, battle, siege_chance
from leuthen.rulesets.frederick.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules.c12_victory import vp_of
from leuthen.rulesets.frederick.rules.o07_zones import casts_zone, in_zone
from leuthen.rulesets.frederick.rules.o10_supply import (
    Fields,
    depot_side,
    is_besieged,
    neutral_ground,
    path_length,
    supply,
)
from leuthen.wargame.board import Board, Hex, Hexes, bit, hex_set, hexes_of
from leuthen.wargame.plans import Plan
from leuthen.wargame.search import Stream, seed_of
from leuthen.wargame.strength import LeaderId, PowerId
from leuthen.wargame.ways import FAR, Search, Ways

REMEMBERED: Final = 50
"""Positions of the enemy."""
THREAT: Final = 2
"""Hexes from which an army threatens a fortress."""
STRIKE: Final = 4
"""Hexes over which an army is taken to strike within a turn."""
SILESIA_VALUE: Final = 3.0
SURRENDER_VALUE: Final = 8.0
"""What a fortress is worth beyond its VP: a Silesian one, and the last of a power (C11.2)."""


class Enemies:
    """The field stacks of a side with SP."""

    def __init__(self, stacks: Sequence[Stack], ways: Ways) -> None:
        self.stacks = stacks
        self.hexes: Hexes = hex_set(stack.hex for stack in stacks)
        self._ways = ways
        self._led = [(stack.hex, stack.strength) for stack in stacks if stack.commander >= 0]
        self._near: dict[tuple[Hex, int], int] = {}
        self._coming: dict[Hex, int] = {}
        self._attackers: dict[int, Stack] = {}

    @cached_property
    def strikers(self) -> list[tuple[Stack, Hexes]]:
        """The armies that may attack, each with the hexes that it may strike within a turn."""
        able = (stack for stack in self.stacks if stack.commander >= 0 and not stack.quartered)
        return [(stack, self._ways.near(stack.hex, STRIKE)) for stack in able]

    @cached_property
    def threatening(self) -> Hexes:
        """The hexes near which an army stands."""
        return reduce(or_, [self._ways.near(here, THREAT) for here, points in self._led if points], 0)

    def near(self, here: Hex, far: int) -> int:
        """The SP of those with a leader within some hexes."""
        found = self._near.get((here, far))
        if found is None:
            near = self._ways.near(here, far)
            found = self._near[here, far] = sum([points for there, points in self._led if near >> there & 1])
        return found

    def coming(self, here: Hex) -> int:
        """Who can strike in a hex: a bit for each of the strikers."""
        found = self._coming.get(here)
        if found is None:
            found = sum([1 << number for number, (_, reached) in enumerate(self.strikers) if reached >> here & 1])
            self._coming[here] = found
        return found

    def attacker(self, pos: Position, coming: int, here: Hex) -> Stack:
        """Those who can strike in a hex as one stack, under the leaders of the strongest."""
        found = self._attackers.get(coming)
        if found is None:
            armies = [stack for number, (stack, _) in enumerate(self.strikers) if coming >> number & 1]
            lead = max(armies, key=lambda stack: stack.strength)
            sp = sum(stack.sp for stack in armies)
            found = self._attackers[coming] = make_stack(pos, here, lead.side, False, sp, lead.leaders)
        return found


class Memory:
    """Tables that were worked out before and are true in any position: odds of battles, ways over the board.

    All generals of a rule set share one.
    """

    def __init__(self, board: Board) -> None:
        self.odds: Cache = {}
        self.ways = Ways(board)
        self.siege_chances: dict[int, float] = {}
        self.enemies = Memo.bounded(REMEMBERED)


class Goal(NamedTuple):
    """Why and where an army goes; `value` compares goals of one army."""

    kind: str
    hex: Hex
    value: float


class Situation:
    """One position in thought. Strengths of the enemy are estimates; whatever is computed is kept."""

    def __init__(
        self,
        data: GameData,
        view: View,
        memory: Memory | None = None,
        weights: BotWeights = CAPTAIN,
        invaded: Hexes = 0,
        seed: int = 0,
    ) -> None:
        """`invaded`: neutral ground that he means to enter all the same (C3.3). `seed`: the general's own."""
        self.data = data
        self.invaded = invaded
        self.seed = seed
        self.weights = weights
        self.side = as_side(view.viewer)
        self.foe = OTHER[self.side]
        self.memory = Memory(data.board) if memory is None else memory
        self.pos: Position = imagine(data, view, weights)
        self.board: Board = data.board
        self._worth: dict[Hex, float] = self.pos.by_owners.once(("worth", weights.great_fortress_value), dict)
        self._roads: dict[tuple[int, Hex], Search] = {}
        self._around: dict[tuple[Hex, int], list[tuple[Hex, int]]] = {}
        self.goals: dict[Stack, Goal] = {}
        """What each army is for by itself, once somebody has asked."""
        self.plan = Plan()
        """The plan that is being carried out."""
        self.halts: Mapping[LeaderId, tuple[Hex, ...]] = {}
        """The hexes in which leaders halted in the last turns."""

    def chooser(self, what: str) -> Stream:
        """The general's own chance for something of this year: the same whenever he is asked."""
        return Stream(seed_of(self.seed, what, self.pos.year))

    @cached_property
    def mine(self) -> list[Stack]:
        """Own stacks in the order of the board."""
        return list(self.pos.stacks_of(self.side))

    @cached_property
    def armies(self) -> list[Stack]:
        """Own field stacks with SP and a leader, the strongest first."""
        found = [stack for stack in self.mine if stack.sp and stack.leaders and not stack.inside]
        return sorted(found, key=lambda stack: (-stack.strength, stack.hex))

    @cached_property
    def enemies(self) -> Enemies:
        """The enemy field stacks with SP, as they were known before if they stand as they did."""
        found = tuple([stack for stack in self.pos.own(self.foe) if stack.sp and not stack.inside])
        return self.memory.enemies.once((self.pos.arrival, found), lambda: Enemies(found, self.memory.ways))

    @property
    def foes(self) -> Sequence[Stack]:
        """Enemy field stacks with SP."""
        return self.enemies.stacks

    @cached_property
    def foe_hexes(self) -> Hexes:
        """Where enemy field stacks stand."""
        return self.enemies.hexes

    @cached_property
    def led_friends(self) -> list[tuple[Hex, int]]:
        """Where own armies stand, and how many SP they have."""
        return [(stack.hex, stack.strength) for stack in self.armies]

    @cached_property
    def friends(self) -> frozenset[Hex]:
        """Where own stacks stand in the field."""
        return frozenset(stack.hex for stack in self.mine if not stack.inside)

    @cached_property
    def fields(self) -> Fields:
        """The hexes in supply, by length of path."""
        return supply(self.pos, self.side)

    @cached_property
    def forts(self) -> list[Hex]:
        """The fortresses of this side."""
        return [here for here, owner in self.pos.owners.items() if owner == self.side]

    @cached_property
    def zone(self) -> Hexes:
        """The hexes that cost one more because of enemy zones."""
        if self.side != PRUSSIAN:
            return 0
        near = 0
        for stack in self.foes:
            if stack.side == AUSTRIAN and casts_zone(stack):
                near |= self.board.spread(bit(stack.hex))
        return sum(1 << here for here in hexes_of(near) if in_zone(self.pos, here, self.side))

    @cached_property
    def neutral(self) -> Hexes:
        """Neutral ground that is to stay so."""
        return neutral_ground(self.pos) & ~self.invaded

    def supplied(self, force: Stack) -> Hexes:
        """The hexes in which a force would be in supply."""
        return self.fields[path_length(self.pos, force.sp, force.nation)]

    def gaps(self, force: Stack) -> bytes:
        """How many hexes each place lies beyond the supply of a force, up to `BEYOND`."""
        return self.memory.ways.gaps(self.supplied(force))

    def roads(self, force: Stack, start: Hex) -> Search:
        """Movement points from one hex to every other for a force; where it has no supply, a hex costs one more."""
        length = path_length(self.pos, force.sp, force.nation) if force.sp else 0
        found = self._roads.get((length, start))
        if found is None:
            slow = self.board.land & ~self.fields[length] if length else 0
            found = self.memory.ways.search(start, slow, self.neutral & ~bit(start))
            self._roads[length, start] = found
        return found

    def distance(self, here: Hex, there: Hex) -> int:
        """Hexes between two places over land."""
        return self.board.distances(there).get(here, FAR)

    def held(self, here: Hex, side: OwnerId) -> bool:
        """Whether SP of a side are in a hex."""
        pos = self.pos
        return any(stack is not None and stack.sp for stack in (pos.field(here, side), pos.inside(here, side)))

    def garrison(self, here: Hex, side: OwnerId) -> int:
        """The SP of a side inside a fortress."""
        stack = self.pos.inside(here, side)
        return stack.strength if stack is not None else 0

    def is_besieged(self, here: Hex) -> bool:
        """Whether an own fortress is besieged."""
        return is_besieged(self.pos, here, self.side)

    @cached_property
    def targets(self) -> list[Hex]:
        """The fortresses that could be taken without violating anybody, or nobody whom he does not mean to."""
        barred = self.neutral | (self.pos.marks[NOBODY][1] & ~self.invaded)
        return [here for here, owner in self.pos.owners.items() if owner != self.side and not barred >> here & 1]

    @cached_property
    def prizes(self) -> list[tuple[Hex, float, Mapping[Hex, int]]]:
        """The targets, each with one more than its worth, and how many hexes away every other is."""
        return [(here, 1.0 + self.worth(here), self.board.distances(here)) for here in self.targets]

    @cached_property
    def threatened(self) -> list[Hex]:
        """Own fortresses that are besieged, or near which an enemy army stands."""
        return [here for here in self.forts if self.enemies.threatening >> here & 1 or self.is_besieged(here)]

    def worth(self, here: Hex) -> float:
        """What a fortress is worth: VP, the great ones more, Silesia, and what brings a power to surrender."""
        if here not in self._worth:
            self._worth[here] = self._weigh(here)
        return self._worth[here]

    def _weigh(self, here: Hex) -> float:
        fort = self.data.fortresses[here]
        value = vp_of(self.pos, here) + fort.great * self.weights.great_fortress_value
        value += (fort.province == "silesia") * SILESIA_VALUE
        if fort.power >= 0:
            value += SURRENDER_VALUE * self._fallen(fort.power)
        return value

    def _fallen(self, power: PowerId) -> float:
        """How much of a power's home is in its enemies' hands."""
        homes = [here for here, fort in self.data.fortresses.items() if fort.power == power]
        side = self.pos.side_of(power)
        return sum(self.pos.owners[here] == OTHER[side] for here in homes) / len(homes) if side < NOBODY else 0.0

    @cached_property
    def shelters(self) -> Hexes:
        """The hexes with winter quarters, away from the enemy (O14.1)."""
        near = self.foe_hexes | self.board.spread(self.foe_hexes)
        return (hex_set(self.forts) | hex_set(self._working_depots())) & ~near

    def _working_depots(self) -> Iterator[Hex]:
        for here, depot in self.pos.depots.items():
            if depot.complete and depot_side(self.pos, depot) == self.side and not self.held(here, self.foe):
                yield here

    def foes_near(self, here: Hex, far: int) -> int:
        """The SP of led enemy field stacks within some hexes."""
        return self.enemies.near(here, far)

    def friends_near(self, here: Hex, far: int, apart: Hex) -> int:
        """The SP of own armies within some hexes, that in `apart` left out."""
        found = self._around.get((here, far))
        if found is None:
            near = self.memory.ways.near(here, far)
            found = self._around[here, far] = [army for army in self.led_friends if near >> army[0] & 1]
        return sum([points for there, points in found if there != apart])

    def fight(self, attacker: Stack, defender: Stack, here: Hex) -> Battle:
        """The odds of a battle."""
        return battle(self.pos, attacker, defender, here, self.memory.odds)

    def joined(self, force: Stack, here: Hex) -> Stack:
        """The force together with the friends who stand in the field of a hex."""
        friend = self.pos.field(here, self.side)
        if friend is None or friend.hex == force.hex or not force.sp:
            return force
        leaders = tuple(dict.fromkeys((*friend.leaders, *force.leaders)))
        return make_stack(self.pos, here, self.side, False, friend.sp + force.sp, leaders)

    def siege_chance(self, camp: Stack, garrison: Stack) -> float:
        """How probably one roll takes a fortress (O13.2)."""
        return siege_chance(self.pos, camp, garrison, self.memory.siege_chances)

    def danger(self, force: Stack, here: Hex) -> float:
        """What the enemy would gain by attacking a force in a hex with the armies that can strike there, in SP."""
        coming = self.enemies.coming(here)
        if not coming or not force.sp:
            return 0.0
        attacker, mine = self.enemies.attacker(self.pos, coming, here), self.joined(force, here)
        return self.fight(attacker, mine, here).gain(attacker.strength, mine.strength, self.weights.rout_share)


def situation_of(
    data: GameData,
    view: View,
    weights: BotWeights = CAPTAIN,
    invaded: Hexes = 0,
    seed: int = 0,
) -> Situation:
    """A view in thought, on the part of the map that its scenario plays on (C14.4), with what all generals remember."""
    data = data.of(view.scenario)
    memory: Memory | None = data.__dict__.get("memory")
    if memory is None:
        memory = data.__dict__["memory"] = Memory(data.board)
    return Situation(data, view, memory, weights, invaded, seed)


def merit(s: Situation, leader: LeaderId) -> float:
    """What a leader is worth; a bad one of high rank is a burden, because he commands."""
    man = s.data.leaders[leader]
    skill = man.initiative * 1.2 + man.attack + man.defence
    return skill - (3.0 - skill) * (6 - man.rank) * 0.3
