"""A position as a bot sees it: who stands where, what places are worth, what the enemy is after, where danger is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from leuthen.engine.ruleset import OTHER, Side, as_side
from leuthen.rulesets.campaigns.bot.belief import imagine
from leuthen.rulesets.campaigns.bot.odds import BattleMeans, Cache, Corps, battle, corps_of
from leuthen.rulesets.campaigns.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import CITY, FORT, FORTRESS, SIDE_OF, GameData, Leader, Stronghold
from leuthen.rulesets.campaigns.model.forces import field_tp, force_at, inside_tp, is_besieged, units_at, wagons_at
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, TURNS, Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r09_supply import working_depots
from leuthen.rulesets.campaigns.rules.r16_victory import PER, PLACES
from leuthen.wargame.board import NOWHERE, Board, Hex, Hexes, hex_set
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


class Goal(NamedTuple):
    """Why and where an army goes; `value` compares goals of one army, in VP."""

    kind: str
    hex: Hex
    value: float


NO_GOAL: Final = Goal("none", NOWHERE, 0.0)


class FieldForce(NamedTuple):
    """The units with TP of a side in the field of a hex."""

    hex: Hex
    units: tuple[Unit, ...]
    tp: int
    corps: Corps


class Menace(NamedTuple):
    """An own place that an enemy force may be after, and how much it would cost, in VP."""

    hex: Hex
    force: FieldForce
    cost: float


class Memory:
    """What was worked out before and is true in any position: odds of battles, ways over the board, worth of places."""

    def __init__(self, board: Board) -> None:
        self.odds: Cache = {}
        self.ways = Ways(board)
        self.outlooks: dict[tuple[int, BotWeights], Any] = {}
        """The last outlook of each side's bots, by their weights."""
        self.values: dict[tuple[int, tuple[int, ...], tuple[int, ...]], dict[Hex, float]] = {}


def memory_of(data: GameData) -> Memory:
    """The tables of this data, which all generals share."""
    kept: dict[str, Memory] = data.__dict__
    if "campaigner" not in kept:
        kept["campaigner"] = Memory(data.board)
    return kept["campaigner"]


class Situation:
    """One position in thought; whatever is computed is kept."""

    def __init__(
        self,
        data: GameData,
        view: View,
        memory: Memory | None = None,
        weights: BotWeights = CAPTAIN,
    ) -> None:
        self.data = data
        self.weights = weights
        self.side = as_side(view.viewer)
        self.foe = OTHER[self.side]
        self.memory = Memory(data.board) if memory is None else memory
        self.pos: Position = imagine(data, view)
        self.board: Board = data.board
        self._bases: dict[int, Hexes] = {}
        self._tied: dict[tuple[int, Hex], float] = {}
        self.plan: Mapping[LeaderId, Goal] = {}
        """The goal of each own leader with TP, by the plan that is being carried out."""

    @cached_property
    def generals(self) -> list[Unit]:
        """Own leaders with TP, the strongest first."""
        found = [
            unit for number, unit in self.pos.units.items()
            if unit.tp and self.pos.side(number) == self.side and not self.data.is_wagon(number)
        ]  # fmt: skip
        return sorted(found, key=lambda unit: (-unit.strength, unit.number))

    @cached_property
    def idle(self) -> list[Unit]:
        """Own leaders without TP."""
        return [
            unit for number, unit in self.pos.units.items()
            if not unit.tp and self.pos.side(number) == self.side and not self.data.is_wagon(number)
        ]  # fmt: skip

    @cached_property
    def wagons(self) -> list[tuple[LeaderId, Unit]]:
        """Own wagons, by number."""
        return [
            (n, unit) for n, unit in self.pos.units.items() if self.data.is_wagon(n) and self.pos.side(n) == self.side
        ]

    @cached_property
    def foes(self) -> list[FieldForce]:
        """Enemy forces in the field, in the order of the board."""
        found = []
        for here in sorted({unit.hex for unit in self.pos.units.values() if self.pos.side(unit.number) == self.foe}):
            units = self.field(here, self.foe)
            if units:
                found.append(FieldForce(here, units, sum(unit.strength for unit in units), self.corps(units)))
        return found

    def field(self, here: Hex, side: Side) -> tuple[Unit, ...]:
        """The units with TP of a side in the field of a hex."""
        if not self.pos.census.fields[side] >> here & 1:
            return ()
        return tuple([unit for unit in units_at(self.pos, here, side) if unit.tp and not unit.inside])

    def way(self, here: Hex, there: Hex) -> int:
        """Movement points between two places, enemies left out of account."""
        return self.memory.ways.table(there)[here]

    def distance(self, here: Hex, there: Hex) -> int:
        """Hexes between two places over land."""
        return self.board.distances(there).get(here, FAR)

    @cached_property
    def turns_left(self) -> int:
        """The turns of this scenario that are left, but no more than a year."""
        plan = self.data.scenarios[self.pos.scenario]
        return TURNS if self.pos.year < plan.last else plan.end - self.pos.turn + 1

    def bases(self, nation: PowerId) -> Hexes:
        """The places from which a nation can be supplied: its own, and depots of its side."""
        found = self._bases.get(nation)
        if found is None:
            homes = [home for home in self.data.homes(nation) if self.pos.owners[home] == self.side]
            found = self._bases[nation] = hex_set((*homes, *working_depots(self.pos, self.side)))
        return found

    def communication(self, nation: PowerId, here: Hex) -> float:
        """What the way back leaves of the worth of a place: to the nation's own places, and depots of its side."""
        key = nation, here
        if key not in self._tied:
            bases = self.bases(nation)
            self._tied[key] = float(APART ** max(0, self.memory.ways.hexes(bases, here) - NEAR)) if bases else 1.0
        return self._tied[key]

    def guards(self, here: Hex) -> int:
        """The enemy TP inside a place."""
        return inside_tp(self.pos, here, self.foe)

    @cached_property
    def shut(self) -> dict[Hex, float]:
        """Where enemy armies are inside that may be shut in, and the might of those who could fall out (V8.2)."""
        if not self.weights.blockade_factor:
            return {}
        found = [here for here, tp in self.pos.census.inside[self.foe].items() if tp > SHUT]
        return {here: self._sally(here) for here in found}

    def _sally(self, here: Hex) -> float:
        able = [unit for unit in force_at(self.pos, here, self.foe, True) if not unit.daunted]
        return might(self.corps(able))

    @cached_property
    def worths(self) -> dict[Hex, float]:
        """What each place is worth that can be taken, in VP (R16.2)."""
        values = self._values(self.side)
        return {here: values[here] for here in self.data.strongholds if self._is_target(here)}

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

    def _is_target(self, here: Hex) -> bool:
        return self.pos.owners[here] != self.side and not self.pos.is_enemy_ground(here)

    def threat(self, here: Hex) -> int:
        """The enemy field TP that could strike in a hex within a turn."""
        if not self.struck >> here & 1:
            return 0
        return sum(force.tp for force, way in self.reaches if way[here] <= STRIKE)

    @cached_property
    def mights(self) -> dict[Hex, float]:
        """By hex, the might of the enemy force in the field."""
        return {force.hex: might(force.corps) for force in self.foes}

    @cached_property
    def reaches(self) -> list[tuple[FieldForce, bytes]]:
        """Enemy forces, each with the movement points to every hex."""
        return [(force, self.memory.ways.table(force.hex)) for force in self.foes]

    @cached_property
    def struck(self) -> Hexes:
        """The hexes where an enemy force could strike within a turn."""
        found = 0
        for force in self.foes:
            found |= self.memory.ways.struck(force.hex, STRIKE)
        return found

    @cached_property
    def menaces(self) -> list[Menace]:
        """For each enemy force the own places that it threatens most."""
        found: list[Menace] = []
        for force, way in self.reaches:
            feared = sorted(self._feared(force, way), key=lambda menace: (-menace.cost, menace.hex))
            found += feared[:CHOICES]
        return found

    def _feared(self, force: FieldForce, way: bytes) -> Iterator[Menace]:
        for here, stake in self.stakes.items():
            far = way[here]
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
        """What counts of some units in a battle."""
        return corps_of(self.pos, units)

    def fight(
        self, attacker: Sequence[Unit], defender: Sequence[Unit], here: Hex, *, crossed: bool = False
    ) -> BattleMeans:
        """The odds of a battle."""
        return self._fight(self.corps(attacker), self.corps(defender), here, crossed=crossed)

    def _fight(self, attacker: Corps, defender: Corps, here: Hex, *, crossed: bool = False) -> BattleMeans:
        ground = bool(self.board.mountains >> here & 1), crossed
        return battle(self.pos, attacker, defender, ground, self.memory.odds)

    def is_good_attack(self, mine: Sequence[Unit], enemy: Sequence[Unit], here: Hex, *, crossed: bool = False) -> bool:
        """Whether an attack should pay."""
        if not mine or not enemy:
            return False
        odds = self.fight(mine, enemy, here, crossed=crossed)
        return odds.attacker_wins >= LEAST_WIN and odds.gain(_tp(mine), _tp(enemy)) >= LEAST_GAIN

    def danger(self, units: Sequence[Unit], here: Hex) -> float:
        """What the enemy would gain by attacking units in a hex with all who can strike there, one after another."""
        if not self.struck >> here & 1:
            return 0.0
        coming = [force for force, way in self.reaches if force.hex != here and way[here] <= STRIKE]
        if not coming:
            return 0.0
        mine = self.with_friends(units, here)
        corps, tp = self.corps(mine), _tp(mine)
        odds = [(force.tp, self._fight(force.corps, corps, here)) for force in coming]
        gains = sorted([max(0.0, one.gain(theirs, tp)) for theirs, one in odds], reverse=True)
        return gains[0] + OTHERS * sum(gains[1:])

    def with_friends(self, units: Sequence[Unit], here: Hex) -> tuple[Unit, ...]:
        """Units together with the friends in the field of a hex."""
        numbers = {unit.number for unit in units}
        return (*units, *(unit for unit in self.field(here, self.side) if unit.number not in numbers))

    def is_trap(self, tp: int, here: Hex, within: int = STRIKE) -> bool:
        """Whether a force of so many TP would be shut in at a place by enemies within so many MP (R10.5)."""
        if tp < self.weights.max_shut_in:
            return False
        inside = max(tp, inside_tp(self.pos, here, self.side))
        about = sum(force.tp for force, way in self.reaches if way[here] <= within)
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
        """Whether an own place is besieged."""
        return is_besieged(self.pos, here, self.side)

    def holds_field(self, here: Hex) -> bool:
        """Whether enemies stand in the field of a hex."""
        return field_tp(self.pos, here, self.foe) > 0


def might(corps: Corps) -> float:
    """What a force weighs in the field: its TP, more under a good commander, less if its troops are demoralized."""
    return corps.tp * skill(corps) * (WEAR if corps.shaken else 1.0)


def skill(leader: Corps | Leader) -> float:
    """What a commander makes of his men."""
    return 1 + 0.2 * (leader.combat - 1) + 0.15 * (leader.command - 2)


def _tp(units: Sequence[Unit]) -> int:
    return sum(unit.strength for unit in units)


def worth(pos: Position, here: Hex, side: Side) -> float:
    """What a side gains by taking a place from the other or from nobody."""
    place = pos.data.strongholds[here]
    foe = OTHER[side]
    value = USE + _share_of_area(pos, place, side)
    if place.nation >= 0 and (SIDE_OF[place.nation] == foe or pos.owners[here] == foe):
        value += PLACES.get(place.kind, 0)
    return value + _conquest(pos, place.nation, side)


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


def _conquest(pos: Position, nation: PowerId, side: Side) -> float:
    """How near a nation is to conquest by a side."""
    if nation < 0 or SIDE_OF[nation] == side or pos.status[nation] != AT_WAR:
        return 0.0
    forts = [here for here in pos.data.homes(nation) if pos.data.kind_at(here).inside]
    lost = sum(pos.owners[here] == side for here in forts)
    return CONQUEST * lost / len(forts) if forts else 0.0
