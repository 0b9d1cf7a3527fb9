"""A position as a bot sees it: who stands where, what places are worth, what the enemy is after, where danger is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from leuthen.engine.memo import Memo, memo_of, memoized
from leuthen.engine.ruleset import OTHER, Side, as_side
from leuthen.rulesets.campaigns.bot.belief import imagine
from leuthen.rulesets.campaigns.bot.odds import BattleMeans, Cache, Corps, battle, corps_of
from leuthen.rulesets.campaigns.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import View
from leuthen.rulesets.campaigns.model.data import CITY, FORT, FORTRESS, SIDE_OF, GameData, Leader, Stronghold
from leuthen.rulesets.campaigns.model.forces import (
    field_tp,
    force_at,
    inside_tp,
    is_besieged,
    strength,
    units_at,
    wagons_at,
)
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, TURNS, Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r09_supply import working_depots
from leuthen.rulesets.campaigns.rules.r16_victory import PER, PLACES
from leuthen.wargame.board import Board, Hex, Hexes, hex_set
from leuthen.wargame.bot.ranking import Goal
from leuthen.wargame.strength import LeaderId, PowerId
from leuthen.wargame.ways import FAR, Ways

STRIKE: Final = 6
"""Movement points over which an army is taken to strike within a turn."""
NEAR: Final = 5
"""Hexes from its own places that an army goes without fear for its communications."""
APART: Final = 0.9
"""What every hex farther takes from the worth of a place."""
OTHERS: Final = 0.5
"""How much the others count, beside the most dangerous of several enemies."""
SHUT: Final = 10
"""TP inside a place from which they are an army that may be shut in (R10.5)."""
WEAR: Final = 0.6
"""What is left of the might of demoralized troops."""
LEAST_WIN: Final = 0.55
LEAST_GAIN: Final = 1.0
MARCH_POINTS: Final = 5.0
"""Movement points that an army is taken to have a turn."""
DELAY: Final = 0.88
"""What a place is worth that falls a turn later."""
HOLDS: Final = {CITY: 0.9, FORT: 0.8, FORTRESS: 0.75}
"""What a siege takes from the worth of a place."""
MARCH: Final = 0.75
"""What is worth going to a turn farther away: until then much may change."""
LEAST_MENACE: Final = 0.3
CHOICES: Final = 2
"""Places that one force is taken to have in mind."""
HORIZON: Final = 20
"""Movement points beyond which nobody is feared."""
USE: Final = 0.4
"""What any place is worth, beside its points: depots, roads, nothing left to the enemy."""
CONQUEST: Final = 3.0
"""What the last place of a nation is worth on top (R17.7)."""
LABOUR: Final = {CITY: 1, FORT: 2, FORTRESS: 4}
"""The part of a place in the work of taking an area."""
FARTHER: Final = 3.0
"""So much work that is still to be done makes an area worth half."""


class FieldForce(NamedTuple):
    """The units with TP of a side in the field of a hex."""

    hex: Hex
    tp: int
    corps: Corps
    might: float
    way: bytes
    """Movement points to every hex."""


class Menace(NamedTuple):
    """An own place that an enemy force may be after, and how much it would cost, in VP."""

    hex: Hex
    force: FieldForce
    cost: float


class Memory:
    """What is true in any position: odds of battles, ways over the board, worth of places; all generals share it."""

    def __init__(self, board: Board) -> None:
        self.odds: Cache = {}
        self.ways = Ways(board)
        self.outlooks = Memo()
        """The last outlook of each side's bots, by their weights."""
        self.values: dict[tuple[int, tuple[int, ...], tuple[int, ...]], dict[Hex, float]] = {}


class Situation:
    """One position in thought; whatever is computed is kept."""

    def __init__(self, data: GameData, view: View, memory: Memory | None = None, weights: BotWeights = CAPTAIN) -> None:
        self.data = data
        self.weights = weights
        self.side = as_side(view.viewer)
        self.foe = OTHER[self.side]
        self.board: Board = data.board
        self.memory = memory or memo_of(data, "bots").once("memory", lambda: Memory(data.board))
        self.pos: Position = imagine(data, view)
        self.memo = Memo()
        self.plan: Mapping[LeaderId, Goal] = {}
        """The goal of each own leader with TP, by the plan that is being carried out."""

    @cached_property
    def _leaders(self) -> list[Unit]:
        data, pos = self.data, self.pos
        return [unit for n, unit in pos.units.items() if pos.side(n) == self.side and not data.is_wagon(n)]

    @cached_property
    def generals(self) -> list[Unit]:
        """Own leaders with TP, the strongest first."""
        return sorted([unit for unit in self._leaders if unit.tp], key=lambda unit: (-unit.strength, unit.number))

    @cached_property
    def idle(self) -> list[Unit]:
        return [unit for unit in self._leaders if not unit.tp]

    @cached_property
    def wagons(self) -> list[tuple[LeaderId, Unit]]:
        return [
            (n, unit) for n, unit in self.pos.units.items() if self.data.is_wagon(n) and self.pos.side(n) == self.side
        ]

    @cached_property
    def foes(self) -> list[FieldForce]:
        found = []
        for here in sorted({unit.hex for unit in self.pos.units.values() if self.pos.side(unit.number) == self.foe}):
            if units := self.field(here, self.foe):
                corps = self.corps(units)
                found.append(FieldForce(here, strength(units), corps, might(corps), self.memory.ways.table(here)))
        return found

    def field(self, here: Hex, side: Side) -> tuple[Unit, ...]:
        if not self.pos.census.fields[side] >> here & 1:
            return ()
        return tuple([unit for unit in units_at(self.pos, here, side) if unit.tp and not unit.inside])

    def way(self, here: Hex, there: Hex) -> int:
        return self.memory.ways.table(there)[here]

    def distance(self, here: Hex, there: Hex) -> int:
        return self.board.distances(there).get(here, FAR)

    @cached_property
    def turns_left(self) -> int:
        """The turns of this scenario that are left, but no more than a year."""
        plan = self.data.scenarios[self.pos.scenario]
        return TURNS if self.pos.year < plan.last else plan.end - self.pos.turn + 1

    @memoized("memo")
    def bases(self, nation: PowerId) -> Hexes:
        homes = [home for home in self.data.homes(nation) if self.pos.owners[home] == self.side]
        return hex_set((*homes, *working_depots(self.pos, self.side)))

    @memoized("memo")
    def communication(self, nation: PowerId, here: Hex) -> float:
        """What the way back leaves of the worth of a place: to the nation's own places, and depots of its side."""
        bases = self.bases(nation)
        return float(APART ** max(0, self.memory.ways.hexes(bases, here) - NEAR)) if bases else 1.0

    def guards(self, here: Hex) -> int:
        return inside_tp(self.pos, here, self.foe)

    @cached_property
    def shut(self) -> dict[Hex, float]:
        """Where enemy armies are inside that may be shut in, and the might of those who could fall out (V8.2)."""
        if not self.weights.blockade_factor:
            return {}
        found = {}
        for here, tp in self.pos.census.inside[self.foe].items():
            if tp > SHUT:
                able = [unit for unit in force_at(self.pos, here, self.foe, True) if not unit.daunted]
                found[here] = might(self.corps(able))
        return found

    @cached_property
    def worths(self) -> dict[Hex, float]:
        """What each place is worth that can be taken, in VP (R16.2)."""
        values, pos = self._values(self.side), self.pos
        open_ones = [here for here in self.data.strongholds if pos.owners[here] != self.side]
        return {here: values[here] for here in open_ones if not pos.is_enemy_ground(here)}

    @cached_property
    def stakes(self) -> dict[Hex, float]:
        """What the loss of each own place costs, in VP: what the enemy gains, and the men inside."""
        values = self._values(self.foe)
        return {
            here: values[here] + inside_tp(self.pos, here, self.side) / PER
            for here, owner in self.pos.owners.items()
            if owner == self.side
        }

    def _values(self, side: Side) -> dict[Hex, float]:
        """What each place that a side lacks is worth to it; that hangs on who holds which, and on who is at war."""
        key = side, self.pos.status, tuple(self.pos.owners[here] for here in self.data.strongholds)
        found = self.memory.values.get(key)
        if found is None:
            lacking = [here for here in self.data.strongholds if self.pos.owners[here] != side]
            found = self.memory.values[key] = {here: worth(self.pos, here, side) for here in lacking}
        return found

    def threat(self, here: Hex) -> int:
        if not self.struck >> here & 1:
            return 0
        return sum(force.tp for force in self.foes if force.way[here] <= STRIKE)

    @cached_property
    def struck(self) -> Hexes:
        found = 0
        for force in self.foes:
            found |= self.memory.ways.struck(force.hex, STRIKE)
        return found

    @cached_property
    def menaces(self) -> list[Menace]:
        """For each enemy force the own places that it threatens most."""
        found: list[Menace] = []
        for force in self.foes:
            feared = sorted(self._feared(force), key=lambda menace: (-menace.cost, menace.hex))
            found += feared[:CHOICES]
        return found

    def _feared(self, force: FieldForce) -> Iterator[Menace]:
        for here, stake in self.stakes.items():
            far = force.way[here]
            if far > HORIZON:
                continue
            place, guards = self.data.strongholds[here], inside_tp(self.pos, here, self.side)
            cost = stake * MARCH ** (far / MARCH_POINTS)
            if guards:
                least = self.data.kinds[place.kind].besieger
                cost *= HOLDS[place.kind] if force.tp >= least and force.tp > guards else 0.0
            if cost > LEAST_MENACE:
                yield Menace(here, force, cost)

    def corps(self, units: Sequence[Unit]) -> Corps:
        return corps_of(self.pos, units)

    def fight(
        self, attacker: Sequence[Unit], defender: Sequence[Unit], here: Hex, *, crossed: bool = False
    ) -> BattleMeans:
        return self._fight(self.corps(attacker), self.corps(defender), here, crossed=crossed)

    def _fight(self, attacker: Corps, defender: Corps, here: Hex, *, crossed: bool = False) -> BattleMeans:
        ground = bool(self.board.mountains >> here & 1), crossed
        return battle(self.pos, attacker, defender, ground, self.memory.odds)

    def is_good_attack(self, mine: Sequence[Unit], enemy: Sequence[Unit], here: Hex, *, crossed: bool = False) -> bool:
        if not mine or not enemy:
            return False
        odds = self.fight(mine, enemy, here, crossed=crossed)
        return odds.attacker_wins >= LEAST_WIN and odds.gain(strength(mine), strength(enemy)) >= LEAST_GAIN

    def danger(self, units: Sequence[Unit], here: Hex) -> float:
        """What the enemy would gain by attacking units in a hex with all who can strike there, one after another."""
        if not self.struck >> here & 1:
            return 0.0
        coming = [force for force in self.foes if force.hex != here and force.way[here] <= STRIKE]
        if not coming:
            return 0.0
        mine = self.with_friends(units, here)
        corps, tp = self.corps(mine), strength(mine)
        odds = [(force.tp, self._fight(force.corps, corps, here)) for force in coming]
        gains = sorted([max(0.0, one.gain(theirs, tp)) for theirs, one in odds], reverse=True)
        return gains[0] + OTHERS * sum(gains[1:])

    def with_friends(self, units: Sequence[Unit], here: Hex) -> tuple[Unit, ...]:
        numbers = {unit.number for unit in units}
        return (*units, *(unit for unit in self.field(here, self.side) if unit.number not in numbers))

    def is_trap(self, tp: int, here: Hex, within: int = STRIKE) -> bool:
        """Whether a force of so many TP would be shut in at a place by enemies within so many MP (R10.5)."""
        if tp < self.weights.max_shut_in:
            return False
        inside = max(tp, inside_tp(self.pos, here, self.side))
        about = sum(force.tp for force in self.foes if force.way[here] <= within)
        return about >= max(self.data.kind_at(here).besieger, inside / 2)

    def deserts(self, going: Sequence[LeaderId], leader: LeaderId) -> bool:
        """Whether wagons are left to themselves where a leader and others set out from."""
        here = self.pos.units[leader].hex
        stay = [unit for unit in self.field(here, self.side) if unit.number not in going and unit.number != leader]
        return not stay and bool(wagons_at(self.pos, here, self.side)) and not self.is_shelter(here)

    def is_shelter(self, here: Hex) -> bool:
        """Whether there is an own place with men inside that the enemy about cannot shut in."""
        if not inside_tp(self.pos, here, self.side):
            return False
        return self.threat(here) < self.data.kind_at(here).besieger

    def is_besieged(self, here: Hex) -> bool:
        return is_besieged(self.pos, here, self.side)

    def holds_field(self, here: Hex) -> bool:
        return field_tp(self.pos, here, self.foe) > 0


def might(corps: Corps) -> float:
    """What a force weighs in the field: its TP, more under a good commander, less if its troops are demoralized."""
    return corps.tp * skill(corps) * (WEAR if corps.shaken else 1.0)


def skill(leader: Corps | Leader) -> float:
    return 1 + 0.2 * (leader.combat - 1) + 0.15 * (leader.command - 2)


def worth(pos: Position, here: Hex, side: Side) -> float:
    """What a side gains by taking a place from the other or from nobody."""
    place = pos.data.strongholds[here]
    foe = OTHER[side]
    value = USE + _share_of_area(pos, place, side)
    if place.nation >= 0 and (SIDE_OF[place.nation] == foe or pos.owners[here] == foe):
        value += PLACES.get(place.kind, 0)
    if place.nation >= 0 and SIDE_OF[place.nation] != side and pos.status[place.nation] == AT_WAR:
        forts = [there for there in pos.data.homes(place.nation) if pos.data.kind_at(there).inside]
        lost = sum(pos.owners[there] == side for there in forts)
        value += CONQUEST * lost / len(forts) if forts else 0.0
    return value


def _share_of_area(pos: Position, place: Stronghold, side: Side) -> float:
    """The part of a place in its area, the smaller the more is missing; of an own area what the enemy holds counts."""
    area = pos.data.areas[place.area]
    if area.nation < 0:
        return 0.0
    work = {there: LABOUR[pos.data.strongholds[there].kind] for there in pos.data.places_of(place.area)}
    part = work[place.hex]
    if SIDE_OF[area.nation] != side:
        missing = sum(points for there, points in work.items() if pos.owners[there] != side)
        return area.points * part / missing / (1 + (missing - part) / FARTHER) if missing else 0.0
    lost = sum(points for there, points in work.items() if pos.owners[there] == OTHER[side])
    whole = sum(work.values())
    if lost == whole:
        return area.points * max(0.5, part / whole)
    return area.points * lost * part / whole**2
