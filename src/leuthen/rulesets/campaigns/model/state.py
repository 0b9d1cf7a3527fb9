"""The position of a game: an immutable `State`, and the `Draft` of the next one that rules change.

Leaders and wagons are units with a hex of their own; a force is all that one side has in one hex in one state (R1.5)
and is found by looking (`forces`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from leuthen.engine import state
from leuthen.engine.choice import Token
from leuthen.engine.fields import Values
from leuthen.engine.ruleset import OwnerId, Side
from leuthen.engine.state import Cache, Drafting, Frozen
from leuthen.rulesets.campaigns.model.census import Census
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, GameData, Leader
from leuthen.rulesets.campaigns.model.fields import FIELDS as FIELDS
from leuthen.rulesets.campaigns.model.fields import TABLE as TABLE
from leuthen.rulesets.campaigns.model.fields import Fields
from leuthen.rulesets.campaigns.model.pieces import AT_WAR as AT_WAR
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE as CAPTIVE
from leuthen.rulesets.campaigns.model.pieces import COMING as COMING
from leuthen.rulesets.campaigns.model.pieces import FRESH as FRESH
from leuthen.rulesets.campaigns.model.pieces import GONE as GONE
from leuthen.rulesets.campaigns.model.pieces import HUNGRY as HUNGRY
from leuthen.rulesets.campaigns.model.pieces import NEUTRAL as NEUTRAL
from leuthen.rulesets.campaigns.model.pieces import ON_MAP as ON_MAP
from leuthen.rulesets.campaigns.model.pieces import OUT as OUT
from leuthen.rulesets.campaigns.model.pieces import PAID as PAID
from leuthen.rulesets.campaigns.model.pieces import SIDES as SIDES
from leuthen.rulesets.campaigns.model.pieces import TURNS as TURNS
from leuthen.rulesets.campaigns.model.pieces import UNUSED as UNUSED
from leuthen.rulesets.campaigns.model.pieces import WINTER as WINTER
from leuthen.rulesets.campaigns.model.pieces import Captive as Captive
from leuthen.rulesets.campaigns.model.pieces import Coming as Coming
from leuthen.rulesets.campaigns.model.pieces import Depot as Depot
from leuthen.rulesets.campaigns.model.pieces import Siege as Siege
from leuthen.rulesets.campaigns.model.pieces import Sight as Sight
from leuthen.rulesets.campaigns.model.pieces import Unit as Unit
from leuthen.wargame.board import Hex, StackKey
from leuthen.wargame.strength import Bag, LeaderId, PowerId, bag, of

T = TypeVar("T")


class Position(Fields, state.Position):
    """Everything that describes a game at one instant."""

    FIELDS = FIELDS
    CACHES = (*state.Position.CACHES, "lasting", "mustered")
    lasting: Cache
    """What was computed from who stands where with how many TP, the places, their owners and depots, who is at war and
    how leaders rank: it outlasts what changes in marks and SP."""
    mustered: Cache
    """The forces by place as they were last seen, in this position or those before it, with what they were made of."""
    data: GameData
    _census: Census

    @property
    def census(self) -> Census:
        """Who stands where."""
        found = self._census
        if found.stale:
            found.count(self)
        return found

    @property
    def clock(self) -> int:
        """The turns since the beginning of 1756; they run on over the years."""
        return (self.year - 1756) * TURNS + self.turn

    @property
    def is_winter(self) -> bool:
        """Whether it is turn 14 or later (R1.1)."""
        return self.turn >= WINTER

    @property
    def is_first(self) -> bool:
        """Whether it is the first turn of the scenario (R9.6)."""
        return self.clock == self.first

    def leader(self, number: LeaderId) -> Leader:
        """The ratings of a leader or a wagon (R2.1, R18.1)."""
        return self.data.leaders[number]

    def side(self, number: LeaderId) -> Side:
        """The side of a leader or a wagon (R1.3)."""
        return self.data.sides[number]

    def chosen(self, token: Token | None) -> Unit | None:
        """The unit that an answer names; None if it is not on the map."""
        return self.units.get(LeaderId(token)) if isinstance(token, int) else None

    def is_enemy_ground(self, here: Hex) -> bool:
        """Whether a stronghold's home nation is neutral, so that it cannot be taken or used (R5.6)."""
        home = self.data.strongholds[here].nation
        return home >= 0 and self.status[home] == NEUTRAL


class State(Frozen, Position):
    """A position between two actions."""

    __slots__ = ()


def state_of(data: GameData, values: Values) -> State:
    """The state with these values of all its fields."""
    census = Census({number: unit.hex for number, unit in values["units"].items()}, values["garrisons"])
    kept = {"known": {}, "lasting": {}, "mustered": {}, "_census": census}
    return State.of({**{name: values[name] for name in FIELDS}, "data": data, **kept})


class Draft(Drafting[State], Position):
    """The next state while the rules make it."""

    __slots__ = ("parted", "snapshot", "touched")

    STATE = State
    parted: bool
    """Whether somebody has left the map, so that what is open must be put right."""
    touched: set[Hex]
    """Where a lone leader or wagon may have been left among enemies."""
    snapshot: Mapping[StackKey, tuple[int, ...]] | None
    """Who had TP in which force when sights were last updated; None if they have not been."""

    def __init__(self, before: Position) -> None:
        self.__dict__.update(before.__dict__)
        self.units = before.units.copy()
        self._census = before._census.copy()
        self.facts = []
        self.learned = 0
        self.touched = set()
        self.parted = False
        self.snapshot = None

    def put(self, unit: Unit) -> None:
        """A unit stands where it says."""
        unit = self._unmarked(unit)
        before = self.units.get(unit.number)
        if before == unit:
            return
        self.known = {}
        self.units[unit.number] = unit
        if before is None:
            self.units = dict(sorted(self.units.items()))
            self._census.enter(unit.number, unit.hex)
            self._shifted(unit.hex)
        elif before.hex != unit.hex:
            self._census.leave(unit.number, before.hex)
            self._census.enter(unit.number, unit.hex)
            self._shifted(before.hex, unit.hex)
        elif before.tp != unit.tp or before.inside != unit.inside:
            self._shifted(unit.hex)

    def _shifted(self, *hexes: Hex) -> None:
        """In these hexes others stand now, or with other TP."""
        self.recompute()
        self._census.stale.update(hexes)
        self.touched.update(hexes)

    def recompute(self) -> None:
        """What was computed of the position is forgotten: something has changed that much depends on."""
        self.known = {}
        self.lasting = {}

    def _unmarked(self, unit: Unit) -> Unit:
        """A wagon without men has no marks, and is inside by R9.3 alone (V8.2)."""
        if unit.tp or not self.data.is_wagon(unit.number):
            return unit
        if not (unit.inside or unit.shaken or unit.daunted or unit.cornered or unit.hunger or unit.rolls):
            return unit
        return msgspec.structs.replace(unit, inside=False, shaken=0, daunted=0, cornered=False, hunger=0, rolls=0)

    def change(self, number: LeaderId, **values: object) -> Unit:
        """A unit with other values."""
        self.put(msgspec.structs.replace(self.units[number], **values))
        return self.units[number]

    def remove(self, number: LeaderId) -> None:
        """A unit is gone from the map; what becomes of its TP has been settled before."""
        here = self.units.pop(number).hex
        self._census.leave(number, here)
        self._shifted(here)
        self.parted = True

    def set_garrison(self, here: Hex, tp: Bag) -> None:
        """The garrison of a stronghold (R1.4); of freed men as many stay as are left (V7.4)."""
        self._shifted(here)
        self.garrisons = {**self.garrisons, here: tp}
        if not tp:
            del self.garrisons[here]
        self.garrisons = dict(sorted(self.garrisons.items()))
        if here in self.freed:
            left = sum(bag(n, min(of(self.freed[here], n), of(tp, n))) for n in ALL_NATIONS)
            self.set_freed(here, left)

    def set_freed(self, here: Hex, tp: Bag) -> None:
        """The freed men in a garrison."""
        self.freed = dict(sorted({**self.freed, here: tp}.items()))
        if not tp:
            del self.freed[here]

    def set_owner(self, here: Hex, side: OwnerId) -> None:
        """A stronghold is controlled by a side."""
        self.recompute()
        self.owners = {**self.owners, here: side}

    def set_depot(self, here: Hex, depot: Depot | None) -> None:
        """A depot stands in a hex, or none."""
        self.recompute()
        self.depots = dict(sorted({**self.depots, here: depot}.items())) if depot else without(self.depots, here)

    def set_siege(self, here: Hex, siege: Siege) -> None:
        """How far a siege has come."""
        self.sieges = dict(sorted({**self.sieges, here: siege}.items()))
        if siege == Siege():
            del self.sieges[here]

    def set_roster(self, leader: LeaderId, status: int) -> None:
        """Where a leader is now."""
        self.roster = (*self.roster[:leader], status, *self.roster[leader + 1 :])

    def set_joined(self, nation: PowerId, turn: int) -> None:
        """A nation joins, from that turn on."""
        self.joined = (*self.joined[:nation], turn, *self.joined[nation + 1 :])

    def set_status(self, nation: PowerId, status: int) -> None:
        """What a nation is now."""
        self.recompute()
        self.status = (*self.status[:nation], status, *self.status[nation + 1 :])

    def bury(self, tp: Bag) -> None:
        """TP are lost for good."""
        self.dead += tp


def without(table: Mapping[Hex, T], here: Hex) -> dict[Hex, T]:
    """A table without one entry."""
    return {key: value for key, value in table.items() if key != here}


def of_side(pair: tuple[T, T], side: Side, value: T) -> tuple[T, T]:
    """A pair with another value for a side."""
    return (value, pair[1]) if side == 0 else (pair[0], value)
