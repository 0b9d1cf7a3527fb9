"""What the general sees when he bends over the map: who stands where, what places are worth, where danger is."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from leuthen.bots.campaigner.belief import imagine
from leuthen.bots.campaigner.odds import Cache, Corps, Odds, battle, corps_of
from leuthen.bots.ways import FAR, Ways
from leuthen.campaigns.forces import field_tp, inside_tp, is_besieged, muster
from leuthen.campaigns.gamedata import SIDE_OF, GameData
from leuthen.campaigns.rules.victory import PLACES
from leuthen.campaigns.state import AT_WAR, Position, Unit
from leuthen.campaigns.view import View
from leuthen.core.board import Board, Hex

if TYPE_CHECKING:
    from leuthen.bots.campaigner.goals import Goal

STRIKE: Final = 6
"""Movement points over which an army is taken to strike within a turn."""
USE: Final = 0.4
"""What any place is worth, beside its points: depots, roads, nothing left to the enemy."""
CONQUEST: Final = 3.0
"""What the last place of a nation is worth on top (R17.7)."""


class Memory:
    """Tables that were worked out before and are true in any position: odds of battles, ways over the board."""

    def __init__(self, board: Board) -> None:
        self.odds: Cache = {}
        self.ways = Ways(board)


class Force(NamedTuple):
    """The units with TP of a side in the field of a hex."""

    hex: Hex
    units: tuple[Unit, ...]
    tp: int


class Situation:
    """One position in thought; whatever is computed is kept."""

    def __init__(self, data: GameData, view: View, off: Set[str] = frozenset(), memory: Memory | None = None) -> None:
        self.data = data
        self.side = view.viewer
        self.foe = 1 - view.viewer
        self.off = off
        self.memory = Memory(data.board) if memory is None else memory
        self.pos: Position = imagine(data, view)
        self.board: Board = data.board
        self.plan: dict[int, Goal] | None = None
        """What each own leader is for, once somebody has asked."""

    def has(self, habit: str) -> bool:
        """Whether a habit is switched on."""
        return habit not in self.off

    @cached_property
    def generals(self) -> list[Unit]:
        """Own leaders with TP, the strongest first."""
        found = [
            unit for number, unit in self.pos.units.items()
            if unit.tp and self.pos.side(number) == self.side and not self.data.is_wagon(number)
        ]  # fmt: skip
        return sorted(found, key=lambda unit: (-unit.strength, unit.number))

    @cached_property
    def wagons(self) -> list[tuple[int, Unit]]:
        """Own wagons, by number."""
        return [
            (n, unit) for n, unit in self.pos.units.items() if self.data.is_wagon(n) and self.pos.side(n) == self.side
        ]

    @cached_property
    def foes(self) -> list[Force]:
        """Enemy forces in the field, in the order of the board."""
        found = []
        for here in sorted({unit.hex for unit in self.pos.units.values() if self.pos.side(unit.number) == self.foe}):
            units = self.field(here, self.foe)
            if units:
                found.append(Force(here, units, sum(unit.strength for unit in units)))
        return found

    def field(self, here: Hex, side: int) -> tuple[Unit, ...]:
        """The units with TP of a side in the field of a hex."""
        there = muster(self.pos).units.get(here, ())
        return tuple(unit for unit in there if unit.tp and not unit.inside and self.pos.side(unit.number) == side)

    def way(self, here: Hex, there: Hex) -> int:
        """Movement points between two places, enemies left out of account."""
        return self.memory.ways.table(there)[here]

    def distance(self, here: Hex, there: Hex) -> int:
        """Hexes between two places over land."""
        return self.board.distances(there).get(here, FAR)

    def guards(self, here: Hex) -> int:
        """The enemy TP inside a place."""
        return inside_tp(self.pos, here, self.foe)

    @cached_property
    def worths(self) -> dict[Hex, float]:
        """What each place is worth that can be taken, in VP (R16.2)."""
        return {here: self._weigh(here) for here in self.data.strongholds if self._is_target(here)}

    def _is_target(self, here: Hex) -> bool:
        return self.pos.owners[here] != self.side and not self.pos.is_enemy_ground(here)

    def _weigh(self, here: Hex) -> float:
        place = self.data.strongholds[here]
        area = self.data.areas[place.area]
        value = USE + self._share_of_area(place.area, area.nation, area.points)
        if place.nation >= 0 and (SIDE_OF[place.nation] == self.foe or self.pos.owners[here] == self.foe):
            value += PLACES.get(place.kind, 0)
        return value + self._conquest(place.nation)

    def _share_of_area(self, area: int, nation: int, points: int) -> float:
        places = self.data.places_of(area)
        if nation < 0:
            return 0.0
        if SIDE_OF[nation] == self.foe:
            missing = sum(self.pos.owners[there] != self.side for there in places)
            return points / missing
        held = sum(self.pos.owners[there] == self.foe for there in places)
        return points * held / len(places) ** 2

    def _conquest(self, nation: int) -> float:
        if nation < 0 or SIDE_OF[nation] != self.foe or self.pos.status[nation] != AT_WAR:
            return 0.0
        forts = [here for here in self.data.homes(nation) if self.data.kind_at(here).inside]
        lost = sum(self.pos.owners[here] == self.side for here in forts)
        return CONQUEST * lost / len(forts) if forts else 0.0

    def threat(self, here: Hex) -> int:
        """The enemy field TP that could strike in a hex within a turn."""
        way = self.memory.ways.table(here)
        return sum(force.tp for force in self.foes if way[force.hex] <= STRIKE)

    @cached_property
    def _reaches(self) -> list[tuple[Force, bytes]]:
        """Enemy forces, each with the movement points to every hex."""
        return [(force, self.memory.ways.table(force.hex)) for force in self.foes]

    def corps(self, units: Sequence[Unit]) -> Corps:
        """What counts of some units in a battle."""
        return corps_of(self.pos, units)

    def fight(self, attacker: Sequence[Unit], defender: Sequence[Unit], here: Hex, *, crossed: bool = False) -> Odds:
        """The odds of a battle."""
        ground = bool(self.board.mountains >> here & 1), crossed
        return battle(self.pos, self.corps(attacker), self.corps(defender), ground, self.memory.odds)

    def gain(self, attacker: Sequence[Unit], defender: Sequence[Unit], here: Hex, *, crossed: bool = False) -> float:
        """What an attacker gains by a battle, in TP."""
        odds = self.fight(attacker, defender, here, crossed=crossed)
        return odds.gain(_tp(attacker), _tp(defender))

    def danger(self, units: Sequence[Unit], here: Hex) -> float:
        """What the enemy would gain by attacking units in a hex with the strongest force that can strike there."""
        coming = [force for force, way in self._reaches if force.hex != here and way[here] <= STRIKE]
        if not coming:
            return 0.0
        lead = max(coming, key=lambda force: (force.tp, force.hex))
        return max(0.0, self.gain(lead.units, self.with_friends(units, here), here))

    def with_friends(self, units: Sequence[Unit], here: Hex) -> tuple[Unit, ...]:
        """Units together with the friends in the field of a hex."""
        numbers = {unit.number for unit in units}
        return (*units, *(unit for unit in self.field(here, self.side) if unit.number not in numbers))

    def is_besieged(self, here: Hex) -> bool:
        """Whether an own place is besieged."""
        return is_besieged(self.pos, here, self.side)

    def holds_field(self, here: Hex) -> bool:
        """Whether enemies stand in the field of a hex."""
        return field_tp(self.pos, here, self.foe) > 0


def _tp(units: Sequence[Unit]) -> int:
    return sum(unit.strength for unit in units)
