"""The position of a game: an immutable `State`, and the `Draft` of the next one that rules change.

Both are a `Position`: the same fields, read by the same functions. `apply` makes a draft, the rules of the chapters
change it, and it is frozen into the next state. What is computed from a position is stored with it (`engine.memo`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from leuthen.engine import state
from leuthen.engine.fields import Values
from leuthen.engine.memo import Memo, memoized
from leuthen.engine.ruleset import OTHER, OwnerId, Side
from leuthen.engine.state import Drafting, Frozen
from leuthen.rulesets.frederick.model.calendar import FIRST_WINTER_TURN
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, GameData, Leader, Scenario
from leuthen.rulesets.frederick.model.data import NOBODY as NOBODY
from leuthen.rulesets.frederick.model.fields import FIELDS as FIELDS
from leuthen.rulesets.frederick.model.fields import TABLE as TABLE
from leuthen.rulesets.frederick.model.fields import Fields
from leuthen.rulesets.frederick.model.pieces import ABSENT as ABSENT
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN as AUSTRIAN
from leuthen.rulesets.frederick.model.pieces import CAPTIVE as CAPTIVE
from leuthen.rulesets.frederick.model.pieces import DONE as DONE
from leuthen.rulesets.frederick.model.pieces import GONE as GONE
from leuthen.rulesets.frederick.model.pieces import ON_MAP as ON_MAP
from leuthen.rulesets.frederick.model.pieces import POOL as POOL
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN as PRUSSIAN
from leuthen.rulesets.frederick.model.pieces import SIDES as SIDES
from leuthen.rulesets.frederick.model.pieces import UNKNOWN as UNKNOWN
from leuthen.rulesets.frederick.model.pieces import UNSEEN as UNSEEN
from leuthen.rulesets.frederick.model.pieces import WAITING as WAITING
from leuthen.rulesets.frederick.model.pieces import Depot as Depot
from leuthen.rulesets.frederick.model.pieces import Stack as Stack
from leuthen.rulesets.frederick.model.pieces import as_it_may_be
from leuthen.wargame.board import Hex, Hexes, StackKey, hex_set, stack_key
from leuthen.wargame.strength import LeaderId, PowerId

Marks: TypeAlias = tuple[Hexes, Hexes]
"""The hexes of somebody's stacks with SP in the field, and those inside."""


class Position(Fields, state.Position):
    """Everything that describes a game at one instant."""

    FIELDS = FIELDS
    CACHES = (*state.Position.CACHES, "lasting", "by_owners", "by_depots")
    data: GameData
    marks: tuple[Marks, ...]
    """The hexes with SP, by side and for neutrals, in the field and inside: kept up to date with `stacks`."""
    austrians: Hexes
    """The hexes with an Austrian field stack with SP (O7.1): kept up to date with `stacks`."""
    ordered: tuple[tuple[StackKey, ...], ...]
    """The keys of the stacks by side and for neutrals, in the order of the board: kept up to date with `stacks`."""
    lasting: Memo
    """Of what was computed from allegiances alone."""
    by_owners: Memo
    """From allegiances and owners."""
    by_depots: Memo
    """From allegiances and depots."""

    @property
    def plan(self) -> Scenario:
        """The scenario that is played (C2, C14)."""
        return self.data.scenarios[self.scenario]

    @property
    def now(self) -> int:
        """Year and turn as one number, YYYYTT."""
        return self.year * 100 + self.turn

    @property
    def is_winter(self) -> bool:
        """Whether it is turn 15 or later (O1.3)."""
        return self.turn >= FIRST_WINTER_TURN

    def leader(self, number: LeaderId) -> Leader:
        """The ratings of a leader (O2.2)."""
        return self.data.leaders[number]

    def at(self, here: Hex, side: OwnerId, inside: int) -> Stack | None:
        """A side's stack in a hex, in the field or inside."""
        return self.stacks.get(stack_key(here, side, inside))

    def field(self, here: Hex, side: OwnerId) -> Stack | None:
        """A side's stack in the field of a hex."""
        return self.stacks.get(stack_key(here, side, 0))

    def inside(self, here: Hex, side: OwnerId) -> Stack | None:
        """A side's stack inside the fortress of a hex."""
        return self.stacks.get(stack_key(here, side, 1))

    @property
    def marcher(self) -> Stack | None:
        """The force under way, as far as it counts where it is: on a retreat that goes on it does not (O12.4)."""
        if self.moving is None:
            return None
        for frame in self.frames:
            if frame.passes:
                return None
        return self.moving

    def stacks_of(self, side: OwnerId) -> Iterator[Stack]:
        """All stacks of a side, in the order of the board."""
        return iter(self.own(side))

    def own(self, side: OwnerId) -> tuple[Stack, ...]:
        """All stacks of a side, in the order of the board."""
        known = self.known
        if side not in known:  # not by `memoized`, so that a draft can go on with the list of the other side
            stacks = self.stacks
            known[side] = tuple([stacks[key] for key in self.ordered[side]])
        own: tuple[Stack, ...] = known[side]
        return own

    def side_of(self, power: PowerId) -> OwnerId:
        """The side that a power fights on, or NOBODY if it is neutral or surrendered (C1.2, C11.3)."""
        return NOBODY if power in self.surrendered else self.allegiance[power]

    @memoized("lasting")
    def homes(self, side: OwnerId) -> frozenset[Hex]:
        """All hexes of which `is_home` is true."""
        return frozenset(here for here in self.data.fortresses if self.is_home(here, side))

    def is_home(self, here: Hex, side: OwnerId) -> bool:
        """Whether a hex is a fortress in the home territory of a power of that side (O10.1, O10.13, O12.3, C5.9).

        A base is one (C14.3). Those of a surrendered power are nobody's home (C11.5).
        """
        fort = self.data.fortresses[here]
        star = fort.star >= 0 and self.side_of(fort.star) == side and self.has_star(fort.star)
        return star or (fort.power >= 0 and self.side_of(fort.power) == side)

    def has_star(self, power: PowerId) -> bool:
        """Whether the note of C5.5 holds for France or Hanover: France with Austria, Hanover with Prussia."""
        return self.side_of(power) == (AUSTRIAN if power == FRANCE else PRUSSIAN)


class State(Frozen, Position):
    """A position between two actions."""

    __slots__ = ()


_FIRST: Final = itemgetter(0)


def make_state(data: GameData, **fields: object) -> State:
    """A position with these fields; those not named are as they are while nothing has happened."""
    return state_of(data, TABLE.filled(**fields))


class Memos(NamedTuple):
    """Those memos of a position that outlive a move."""

    lasting: Memo
    by_owners: Memo
    by_depots: Memo


def state_of(data: GameData, values: Values, memos: Memos | None = None) -> State:
    """Return the state with these values of all its fields; `memos` are those of a position that agrees in their facts.

    Its data are those of its scenario (C14).
    """
    fields = {name: values[name] for name in FIELDS}
    stacks = fields["stacks"]
    lasting, by_owners, by_depots = memos or (Memo(), Memo(), Memo())
    computed = {
        "known": Memo(),
        "lasting": lasting,
        "by_owners": by_owners,
        "by_depots": by_depots,
        "marks": marks_of(stacks.values()),
        "austrians": austrians_of(stacks.values()),
        "ordered": ordered_of(stacks),
    }
    return State.of({**fields, "data": data.of(values["scenario"]), **computed})


class Draft(Drafting[State], Position):
    """The next state while the rules make it, with the hexes that were touched."""

    __slots__ = ("touched",)

    STATE = State
    touched: set[Hex]

    def __init__(self, before: Position) -> None:
        self.__dict__.update(before.__dict__)
        self.stacks = before.stacks.copy()
        self.facts = []
        self.learned = 0
        self.touched = set()

    def forget(self) -> None:
        """Begin empty memos: the board has changed, and whose lands are whose."""
        self.known, self.lasting, self.by_owners, self.by_depots = Memo(), Memo(), Memo(), Memo()

    def put(self, stack: Stack) -> None:
        """A stack stands where it says, in place of the one there; an empty one vanishes."""
        self._lapse(stack)
        key, is_there = stack.key, stack.sp > 0 or bool(stack.leaders)
        if is_there != (key in self.stacks):
            self._reorder(stack.side, key)
        if is_there:
            self.stacks[key] = as_it_may_be(stack)
        else:
            self.stacks.pop(key, None)
        self._mark(stack, stack.sp > 0)

    def remove(self, stack: Stack) -> None:
        """A stack is gone from where it stood."""
        self._lapse(stack)
        del self.stacks[stack.key]
        self._reorder(stack.side, stack.key)
        self._mark(stack, False)

    def _reorder(self, side: OwnerId, key: StackKey) -> None:
        """A key is one of those of a side now, or no longer."""
        keys = self.ordered[side]
        place = bisect_left(keys, key)
        rest = keys[place + 1 :] if keys[place : place + 1] == (key,) else (key, *keys[place:])
        self.ordered = (*self.ordered[:side], keys[:place] + rest, *self.ordered[side + 1 :])

    def _lapse(self, stack: Stack) -> None:
        """Where a stack was touched, nothing that was computed holds any more but the list of the other side's."""
        other = OTHER[stack.side]
        theirs = self.known.get(other)
        self.known = Memo()
        if theirs is not None:
            self.known[other] = theirs
        self.touched.add(stack.hex)

    def set_moving(self, force: Stack | None) -> None:
        """A force is under way, elsewhere or otherwise than before; or none is, and whoever was has joined a stack."""
        self.known = Memo()
        if self.moving is not None:
            self.touched.add(self.moving.hex)
        if force is not None:
            self.touched.add(force.hex)
        self.moving = as_it_may_be(force) if force is not None and (force.sp or force.leaders) else None

    def _mark(self, stack: Stack, present: bool) -> None:
        side, here = stack.side, 1 << stack.hex
        field, inside = before = self.marks[side]
        if stack.inside:
            inside = inside | here if present else inside & ~here
        else:
            field = field | here if present else field & ~here
            if side == AUSTRIAN:
                casts = present and stack.nation == AUSTRIA
                self.austrians = self.austrians | here if casts else self.austrians & ~here
        if (field, inside) != before:
            self.marks = (*self.marks[:side], (field, inside), *self.marks[side + 1 :])

    def set_depot(self, here: Hex, depot: Depot | None) -> None:
        """A depot stands in a hex, or none (O2.1)."""
        self.known, self.by_depots = Memo(), Memo()
        self.depots = {**self.depots}
        if depot is None:
            del self.depots[here]
        else:
            self.depots[here] = depot

    def set_owner(self, here: Hex, side: OwnerId) -> None:
        """A fortress belongs to a side; a siege of it was against its owner, and ends with him (O13.8)."""
        if here in self.sieges and self.owners[here] != side:
            self.end_siege(here)
        self.known, self.by_owners = Memo(), Memo()
        self.owners = {**self.owners, here: side}

    def end_siege(self, here: Hex) -> None:
        """Forget the rolls made in the siege of a hex."""
        self.sieges = {there: rolls for there, rolls in self.sieges.items() if there != here}

    def set_roster(self, leader: LeaderId, status: int) -> None:
        """Where a leader is now."""
        roster = list(self.roster)
        roster[leader] = status
        self.roster = tuple(roster)

    def set_allegiance(self, power: PowerId, side: OwnerId) -> None:
        """A power joins a side."""
        self.forget()
        self.allegiance = (*self.allegiance[:power], side, *self.allegiance[power + 1 :])


def enemy_of(side: OwnerId) -> Side:
    """The other side."""
    return OTHER[side]


def presence(pos: Position) -> tuple[Marks, ...]:
    """Who is where, by side: the hexes with its SP in the field, and those with its SP inside (O2.7).

    A force on the march counts in the field of its hex. Possession, sieges, depots, refuges, zones and supply all ask
    here (O4.4).
    """
    marks = pos.marks
    if pos.moving is None:
        return marks
    force = pos.marcher
    if force is None or not force.sp:
        return marks
    side = force.side
    field, inside = marks[side]
    return (*marks[:side], (field | 1 << force.hex, inside), *marks[side + 1 :])


def is_in_field(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Whether a side has SP in the field of a hex, on the march too."""
    return bool(presence(pos)[side][0] >> here & 1)


def is_inside(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Whether a side, or neutrals, have SP inside the fortress of a hex."""
    return bool(pos.marks[side][1] >> here & 1)


def is_present(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Whether a side, or neutrals, have SP in a hex, in the field or inside."""
    field, inside = presence(pos)[side]
    return bool((field | inside) >> here & 1)


def marks_of(stacks: Iterable[Stack]) -> tuple[Marks, ...]:
    """The hexes with SP, by side and for neutrals."""
    marks = [[0, 0], [0, 0], [0, 0]]
    for stack in stacks:
        if stack.sp:
            marks[stack.side][stack.inside] |= 1 << stack.hex
    return tuple([(field, inside) for field, inside in marks])


def ordered_of(stacks: Mapping[StackKey, Stack]) -> tuple[tuple[StackKey, ...], ...]:
    """The keys by side and for neutrals, in the order of the board."""
    keys: tuple[list[StackKey], ...] = ([], [], [])
    for key, stack in sorted(stacks.items(), key=_FIRST):
        keys[stack.side].append(key)
    return tuple([tuple(each) for each in keys])


def austrians_of(stacks: Iterable[Stack]) -> Hexes:
    """The hexes with an Austrian field stack with SP."""
    field = (one for one in stacks if one.side == AUSTRIAN and one.nation == AUSTRIA and not one.inside)
    return hex_set(one.hex for one in field if one.sp)
