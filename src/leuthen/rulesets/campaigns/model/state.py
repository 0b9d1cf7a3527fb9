"""The position of a game: its fields, an immutable `State`, and the `Draft` of the next one that rules change.

It begins with the base of the decisions in progress; each chapter's module defines its own.

Each field is declared with its type, its notation, what each viewer sees of it, and its first value. The text names
hexes as RRCC, nations, sides and leaders by name, TP by nation. The types of a decision in progress define the notation
of its fields; leaders appear there as numbers, in the order of the data. Leaders and wagons are units with a hex of
their own; a force is all that one side has in one hex in one state (R1.5) (`forces`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import ClassVar, Final, Generic, Self, TypeAlias, TypeVar

import msgspec

from leuthen.engine import codec, decision, state
from leuthen.engine.choice import Action, Token
from leuthen.engine.decision import A, Roll
from leuthen.engine.memo import Memo, memoized
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, WATCHER, Outcome, OwnerId, Side, ViewerId, as_side
from leuthen.engine.state import DraftPosition, FieldTable, FrozenPosition, Values, field, show_sorted, show_to_all
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, NATIONS, SIDE_OF, GameData, GameOptions, Leader
from leuthen.rulesets.campaigns.model.pieces import (
    NEUTRAL,
    OUT,
    TURNS,
    WINTER,
    Captive,
    Coming,
    Depot,
    Siege,
    Sight,
    Unit,
)
from leuthen.wargame.board import Hex, StackKey, hexes_of, key_hex, key_inside, key_side, stack_key
from leuthen.wargame.ruleset import HEX, bag_codec
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, common, largest, of

TWO_DICE: Final[tuple[tuple[Action, Fraction], ...]] = tuple(
    (Roll(total), Fraction(6 - abs(7 - total), 36)) for total in range(2, 13)
)


D = TypeVar("D", bound="Decision")
_NAMING: Final = ("lead", "leader", "mover", "unit", "wagon", "only")  # fields that name one leader or wagon
_NAMING_SEVERAL: Final = ("group", "leaders")
_LISTS: Final = (*_NAMING_SEVERAL, "tried", "fought", "unfed")  # fields that list leaders and wagons


class Decision(decision.Decision["Position", "Draft", A], Generic[A]):
    """A decision of this rule set."""

    VARIANT: ClassVar[str] = ""  # the rule number in the variant, if different
    # fields that only the deciding side knows, as all others see them (R1.11)
    VEILED: ClassVar[Mapping[str, object]] = {}
    LEADERLESS: ClassVar[bool] = False  # the group continues without its leader

    def rule(self, pos: Position) -> str:
        return self.VARIANT if self.VARIANT and pos.options.einhorn else self.RULE

    def mask_for(self, pos: Position, viewer: ViewerId) -> Self:
        """Return the decision as a viewer sees it who may not know everything (R1.8, option `hidden`).

        Of a group, the viewer sees its leader and its commander (R1.11).
        """
        if viewer == getattr(self, "side", viewer):
            return self
        group = self._group()
        return self.with_values(**self.VEILED, **({} if group is None else {"group": forces.heads(pos, group)}))

    def fill_hidden(self, pos: Position, viewer: ViewerId) -> Self:
        """Return a covered decision completed for a position sampled from a viewer's view."""
        return self

    def after_removal(self, pos: Position) -> Self | None:
        """Return the rest of the decision after a unit has left the map or a nation the war (R17.5, R17.7).

        It is None without the nation, the leader or the only unit; a group keeps its remaining members.
        """
        values: dict[str, tuple[int, ...]] = {}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name in _NAMING and value >= 0 and value not in pos.units:
                return None
            if name in _LISTS:
                values[name] = tuple(number for number in value if number in pos.units)
            if name == "group" and values[name][:1] != value[:1] and not self.LEADERLESS:
                return None
            if (name == "leaders" and not values[name]) or (name == "nation" and pos.status[value] == OUT):
                return None
        return self.with_values(**values)

    def with_values(self, **values: object) -> Self:
        """Return the decision with other values, or itself if nothing differs."""
        same = all(getattr(self, name) == value for name, value in values.items())
        return self if same else msgspec.structs.replace(self, **values)

    def fighters(self) -> Iterable[LeaderId]:
        """The leaders whose strengths it reveals, because they fight (R1.9)."""
        return ()

    def named(self) -> tuple[LeaderId, ...]:
        """The leaders and wagons that it names; their positions are visible."""
        found: list[LeaderId] = []
        for name in self.__struct_fields__:
            if name in _NAMING or name in _NAMING_SEVERAL:
                value = getattr(self, name)
                found += [value] if name in _NAMING else value
        return tuple(found)

    def visible_commanders(self) -> tuple[LeaderId, ...]:
        """The named units that visibly have TP: the commander of a group on the move."""
        return (self._group() or ())[-1:]

    def _group(self) -> tuple[LeaderId, ...] | None:
        """The field `group`; in some decisions that name is a method."""
        group: tuple[LeaderId, ...] | None = getattr(self, "group", None)
        return group if "group" in self.__struct_fields__ else None


def innermost(frames: Sequence[Decision], kind: type[D]) -> D | None:
    return next((frame for frame in reversed(frames) if isinstance(frame, kind)), None)


class SideDecision(Decision[A]):
    side: Side


class DieRoll(decision.DieRoll["Position", "Draft"], Decision[Roll]):
    pass


class SideRoll(DieRoll):
    side: Side


class DiceRoll(DieRoll):
    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        return TWO_DICE


SIDE_WORDS: Final = ("prussian", "coalition", "nobody")
ROSTER_WORDS: Final = ("unused", "map", "coming", "captive", "gone")
STATUS_WORDS: Final = ("neutral", "war", "out")
PLACE_WORDS: Final = ("field", "inside")
BAG: Final = bag_codec(NATIONS, "nation")
SIDE: Final = codec.word(SIDE_WORDS, "side")
NATION: Final = codec.word(NATIONS, "nation")
PLACE: Final = codec.word(PLACE_WORDS, "place of a force")
PAIR: Final = codec.plain(tuple[int, int])
WAYS: Final = codec.StructCodecs(
    {"Hex": HEX, "Bag": BAG, "StackKey": codec.NUMBER, "PowerId": codec.NUMBER, "LeaderId": codec.NUMBER},
    {Decision: "frame"},
)
FRAME: Final = WAYS.tagged_union(Decision)
DEPOT: Final = WAYS.of(Depot, nation=NATION)
SIEGE: Final = WAYS.of(Siege)
SIGHT: Final = WAYS.of(Sight)
# the marks that a wagon without men lacks
UNMARKED: Final[Values] = {"inside": False, "cornered": False, "shaken": 0, "daunted": 0, "hunger": 0, "rolls": 0}
Pair: TypeAlias = tuple[int, int]


# "1623 coalition inside"
FORCE: Final = codec.Codec(
    lambda key: f"{HEX.write(key_hex(key))} {SIDE.write(key_side(key))} {PLACE.write(key_inside(key))}",
    lambda text: stack_key(*(way.read(word) for way, word in zip((HEX, SIDE, PLACE), text.split(), strict=True))),
)


def _written_options(options: GameOptions) -> dict[str, codec.JSON]:
    """Omit `hidden` in an open game, as in records from before that option."""
    written: dict[str, codec.JSON] = msgspec.to_builtins(options, order="sorted")
    if not options.hidden:
        del written["hidden"]
    return written


def _names(data: GameData) -> tuple[str, ...]:
    return tuple([leader.name for leader in data.leaders])


def _leader(data: GameData) -> codec.Codec:
    return codec.word(_names(data), "leader")


def _forces(data: GameData) -> codec.Codec:
    leader = _leader(data)
    ways = {
        "side": SIDE,
        "units": codec.list_of(leader),
        "commander": codec.optional_number(leader),
        "nation": codec.optional_number(NATION),
    }
    return codec.list_of(WAYS.of(forces.SeenForce, **ways))


def _in_order(way: codec.Codec, place: Callable[[Hex], int] = int) -> codec.Codec:
    """Sort the table on reading, by key or by `place`."""
    return codec.Codec(way.write, lambda text: dict(sorted(way.read(text).items(), key=lambda item: place(item[0]))))


def _see_garrisons(troops: dict[Hex, Bag], pos: Position, viewer: ViewerId) -> dict[Hex, Bag]:
    if not forces.is_veiled(pos, viewer):
        return dict(troops)
    own = pos.garrisons
    return {h: tp for h, tp in troops.items() if forces.knows(pos.options, viewer, SIDE_OF[largest(own[h])])}


class SharedFields:
    """Fields with the same type in a position and in a view of it."""

    options: GameOptions = field(codec.Codec(_written_options, codec.plain(GameOptions).read), show_to_all)
    scenario: str = field(codec.plain(str), show_to_all)
    year: int = field(codec.NUMBER, show_to_all)
    turn: int = field(codec.NUMBER, show_to_all)
    first: int = field(codec.NUMBER, show_to_all)
    """The first turn of the game, in turns since 1756 (R9.6)."""
    phasing: OwnerId = field(SIDE, show_to_all, NOBODY)
    """The owner of the drawn chit, or of this half of a step; else NOBODY."""
    frames: tuple[Decision, ...] = field(codec.list_of(FRAME), lambda _, pos, viewer: forces.mask_for(pos, viewer), ())
    status: tuple[int, ...] = field(codec.tuple_by_name(NATIONS, codec.word(STATUS_WORDS, "status")), show_to_all)
    """By nation: neutral, at war, or out (R1.3)."""
    ranks: tuple[int, ...] = field(lambda data: codec.tuple_by_name(_names(data), codec.NUMBER), show_to_all)
    """By leader, the order of seniority: the lowest number is the highest Sr (R2.1)."""
    units: dict[LeaderId, Unit] = field(
        lambda data: codec.list_by_key(WAYS.of(Unit, number=_leader(data)), "number", "a leader is in two places"),
        lambda units, pos, viewer: dict(forces.units_seen(pos, viewer)),
        {},
    )
    garrisons: dict[Hex, Bag] = field(_in_order(codec.table(HEX, BAG)), _see_garrisons, {})
    """TP in strongholds under no leader (R1.4)."""
    freed: dict[Hex, Bag] = field(_in_order(codec.table(HEX, BAG)), _see_garrisons, {})
    """Freed men in a garrison, who may travel with a wagon (V7.4)."""
    owners: dict[Hex, OwnerId] = field(
        lambda data: _in_order(codec.table(HEX, SIDE), {h: n for n, h in enumerate(data.strongholds)}.__getitem__),
        lambda owners, pos, viewer: dict(owners),
    )
    """The side that controls each stronghold, or NOBODY (R10.2)."""
    depots: dict[Hex, Depot] = field(_in_order(codec.table(HEX, DEPOT)), show_sorted, {})
    sieges: dict[Hex, Siege] = field(_in_order(codec.table(HEX, SIEGE)), show_sorted, {})
    prisoners: tuple[Bag, Bag] = field(codec.row([BAG, BAG]), show_to_all, (EMPTY, EMPTY))
    """TP in the hands of each side, by nation."""
    captives: tuple[tuple[Captive, ...], tuple[Captive, ...]] = field(
        lambda data: codec.row([codec.list_of(WAYS.of(Captive, leader=_leader(data)))] * 2), show_to_all, ((), ())
    )
    coming: tuple[Coming, ...] = field(
        lambda data: codec.list_of(WAYS.of(Coming, nation=NATION, leader=codec.optional_number(_leader(data)))),
        show_to_all,
        (),
    )
    roster: tuple[int, ...] = field(
        lambda data: codec.tuple_by_name(_names(data), codec.word(ROSTER_WORDS, "place of a leader")), show_to_all
    )
    dead: Bag = field(
        BAG,
        lambda dead, pos, viewer: sum(
            bag(n, of(dead, n)) for n in ALL_NATIONS if forces.knows(pos.options, viewer, SIDE_OF[n])
        ),
        EMPTY,
    )
    """TP lost for good; a viewer sees those of its own nations."""
    battles: Pair = field(PAIR, show_to_all, (0, 0))
    """Battles of 20 TP or more that each side has won (R16.2)."""
    killed: Pair = field(PAIR, show_to_all, (0, 0))
    """Enemy TP lost in battle or surrendered, by the side that gets the points (R16.2)."""
    last_battle: OwnerId = field(SIDE, show_to_all, NOBODY)
    """The side that won the last battle of 20 TP or more, or NOBODY (R17.3)."""
    joined: tuple[int, ...] = field(codec.tuple_by_name(NATIONS, codec.NUMBER), show_to_all, (0,) * len(NATIONS))
    """By nation: the turn since 1756 in which it joined, 0 if it was at war from the start or has not (R17.4)."""
    conquered: frozenset[int] = field(codec.list_of(NATION, frozenset), show_to_all, frozenset())
    """Nations that have lost all their forts and fortresses (R17.7)."""
    raised: tuple[int, ...] = field(codec.tuple_by_name(NATIONS, codec.NUMBER), show_to_all, (0,) * len(NATIONS))
    """Replacements of each nation this year (R15)."""
    drawn: frozenset[int] = field(
        codec.list_of(codec.NUMBER, frozenset),
        lambda drawn, pos, viewer: frozenset(
            [key for key in drawn if forces.knows(pos.options, viewer, pos.side(LeaderId(key % 1000)))]
        ),
        frozenset(),
    )
    """Leaders that a fort has given SP to this turn (V3.4), a viewer's own; hex and leader in one number."""
    outcome: Outcome | None = field(codec.optional(codec.plain(Outcome)), show_to_all, None)


class Fields(SharedFields):
    sights: dict[StackKey, Sight] = field(
        _in_order(codec.table(FORCE, SIGHT)),
        lambda sights, pos, viewer: tuple(forces.see_forces(pos, viewer)),
        {},
        seen_text=_forces,
        seen_as="stacks",
        is_spare=True,
    )
    """The opponent's knowledge of the TP of each force, by `stack_key` (R1.9).

    A viewer sees it with each force. Empty unless the option `hidden` is on.
    """


TABLE: Final = FieldTable(Fields)
FIELDS: Final = TABLE.names


T = TypeVar("T")


class Position(Fields, state.Position):
    """Everything that describes a game at one instant."""

    FIELDS = FIELDS
    CACHES = (*state.Position.CACHES, "lasting", "mustered")
    lasting: Memo
    """Memo for values that depend on positions and TP of units, on places, owners, depots, belligerents and ranks; it
    survives changes of marks and SP.
    """
    mustered: Memo
    """Memo for forces by place, across positions, with the values they were built from."""
    data: GameData
    census: forces.Census

    @property
    def clock(self) -> int:
        """Turns since the beginning of 1756."""
        return (self.year - 1756) * TURNS + self.turn

    @property
    def is_winter(self) -> bool:
        """Turn 14 or later (R1.1)."""
        return self.turn >= WINTER

    @property
    def is_first(self) -> bool:
        """The first turn of the scenario (R9.6)."""
        return (self.year - 1756) * TURNS + self.turn == self.first

    def leader(self, number: LeaderId) -> Leader:
        """Return the ratings of a leader or a wagon (R2.1, R18.1)."""
        return self.data.leaders[number]

    def side(self, number: LeaderId) -> Side:
        """Return the side of a leader or a wagon (R1.3)."""
        return self.data.sides[number]

    def chosen(self, token: Token | None) -> Unit | None:
        """Return the unit with that number; None if it is not on the map."""
        return self.units.get(LeaderId(token)) if isinstance(token, int) else None

    def is_enemy_ground(self, here: Hex) -> bool:
        """Return whether a stronghold's home nation is neutral, so that it cannot be taken or used (R5.6)."""
        home = self.data.strongholds[here].nation
        return home >= 0 and self.status[home] == NEUTRAL


class State(FrozenPosition, Position):
    """A position between two actions."""

    __slots__ = ()


def state_of(data: GameData, values: Values) -> State:
    census = forces.Census(data, values["units"], values["garrisons"])
    kept = {"known": Memo(), "lasting": Memo(), "mustered": Memo(), "census": census}
    return State.of({**{name: values[name] for name in FIELDS}, "data": data, **kept})


class Draft(DraftPosition[State], Position):
    """The next state while the rules make it."""

    __slots__ = ("parted", "snapshot", "touched")

    STATE = State
    parted: bool
    """A unit has left the map, so that open decisions must be revised."""
    touched: set[Hex]
    """Hexes where a lone leader or wagon may be among enemies."""
    snapshot: Mapping[StackKey, tuple[int, ...]] | None
    """The units with TP by force at the last update of sights; None before the first."""

    def __init__(self, before: Position) -> None:
        self.__dict__.update(before.__dict__)
        self.units = before.units.copy()
        self.census = before.census.copy()
        self.facts = []
        self.learned = 0
        self.touched = set()
        self.parted = False
        self.snapshot = None

    def put(self, unit: Unit) -> None:
        is_marked = unit.inside or unit.shaken or unit.daunted or unit.cornered or unit.hunger or unit.rolls
        if is_marked and not unit.tp and unit.number >= self.data.wagons:
            unit = msgspec.structs.replace(unit, **UNMARKED)  # a wagon is inside by R9.3 alone (V8.2)
        before = self.units.get(unit.number)
        if before == unit:
            return
        self.known = Memo()
        self.units[unit.number] = unit
        if before is None:
            self.units = dict(sorted(self.units.items()))
            self.census.enter(unit.number, unit.hex)
            self._update_census(unit.hex)
        elif before.hex != unit.hex:
            self.census.leave(unit.number, before.hex)
            self.census.enter(unit.number, unit.hex)
            self._update_census(before.hex, unit.hex)
        elif before.tp != unit.tp or before.inside != unit.inside:
            self._update_census(unit.hex)

    def _update_census(self, *hexes: Hex) -> None:
        """Update census and memos after a change of units or TP in these hexes."""
        self.recompute()
        self.touched.update(hexes)
        for here in hexes:
            self.census.count(self.data, self.units, self.garrisons, here)

    def amend(self, decision: D, **values: object) -> D:
        """Replace a decision in progress by one with other values, and return that one."""
        after = msgspec.structs.replace(decision, **values)
        self.frames = tuple([after if frame is decision else frame for frame in self.frames])
        return after

    def push_in_order(self, decisions: Iterable[Decision]) -> None:
        """Add decisions that come before those in progress, the first one first."""
        self.frames = (*self.frames, *reversed(list(decisions)))

    def recompute(self) -> None:
        """Clear the memos, after a change of something that many values depend on."""
        self.known = Memo()
        self.lasting = Memo()

    def change(self, number: LeaderId, **values: object) -> Unit:
        self.put(msgspec.structs.replace(self.units[number], **values))
        return self.units[number]

    def remove(self, number: LeaderId) -> None:
        """Take a unit off the map; the caller has accounted for its TP."""
        here = self.units.pop(number).hex
        self.census.leave(number, here)
        self._update_census(here)
        self.parted = True

    def set_garrison(self, here: Hex, tp: Bag) -> None:
        """Set the garrison of a stronghold (R1.4), and lower the freed men there to its size (V7.4)."""
        self.garrisons = with_entry(self.garrisons, here, tp or None)
        self._update_census(here)
        if here in self.freed:
            self.set_freed(here, common(self.freed[here], tp))

    def set_freed(self, here: Hex, tp: Bag) -> None:
        self.freed = with_entry(self.freed, here, tp or None)

    def set_owner(self, here: Hex, side: OwnerId) -> None:
        self.recompute()
        self.owners = {**self.owners, here: side}

    def set_depot(self, here: Hex, depot: Depot | None) -> None:
        self.recompute()
        self.depots = with_entry(self.depots, here, depot)

    def set_siege(self, here: Hex, siege: Siege) -> None:
        self.sieges = with_entry(self.sieges, here, siege if siege != Siege() else None)

    def set_roster(self, leader: LeaderId, status: int) -> None:
        self.roster = with_item(self.roster, leader, status)

    def set_joined(self, nation: PowerId, turn: int) -> None:
        self.joined = with_item(self.joined, nation, turn)

    def set_status(self, nation: PowerId, status: int) -> None:
        self.recompute()
        self.status = with_item(self.status, nation, status)

    def update_knowledge(self) -> None:
        """Drop sights of forces that have divided or joined (R1.9); reveal enemies in one hex to each other (R1.10)."""
        if not self.options.hidden:
            return
        now = snapshot_of(self)
        if self.snapshot is not None and self.snapshot != now:
            known = {self.snapshot[key]: sight for key, sight in self.sights.items() if key in self.snapshot}
            self.sights = dict(sorted((key, known[crew]) for key, crew in now.items() if crew in known))
        self.snapshot = now
        there = self.census
        for here in hexes_of((there.fields[0] | there.insides[0]) & (there.fields[1] | there.insides[1])):
            self.show([key for key in (stack_key(here, *place) for place in product(SIDES, (0, 1))) if key in now])

    def show(self, keys: Iterable[StackKey]) -> None:
        """Reveal the strengths of some forces to the opponent (R1.9)."""
        if not self.options.hidden:
            return
        seen = {key: Sight(tp, tp, self.clock) for key, tp in {key: tp_of(self, key) for key in keys}.items() if tp}
        self.sights = dict(sorted({**self.sights, **seen}.items()))
        if self.snapshot is not None:
            self.snapshot = {**self.snapshot, **{key: snapshot_of(self)[key] for key in seen}}

    def forget(self, *keys: StackKey) -> None:
        """Drop the sights of forces whose TP have changed unseen (R1.9)."""
        if self.options.hidden:
            self.sights = {key: sight for key, sight in self.sights.items() if key not in keys}

    def widen_sight(self, here: Hex, side: Side, inside: bool, percent: int) -> None:
        """Widen the sight of a force that has lost an unseen share of its TP, at most `percent` (R1.9)."""
        sight = self.sights.get(stack_key(here, side, inside))
        if sight is not None:
            low = max(1, sight.low - forces.percent_of(percent, sight.low))
            self.sights = {**self.sights, stack_key(here, side, inside): Sight(low, sight.high, sight.since)}

    def give_away(self, *sides: int) -> None:
        """Note that the actions of these sides, or their lack of action, may reveal something hidden (R1.11)."""
        if self.options.hidden:
            self.learn(*(OTHER[side] for side in sides), WATCHER)


def with_entry(table: Mapping[Hex, T], here: Hex, value: T | None) -> dict[Hex, T]:
    """Return a table in order with another value for a hex, or without the hex if the value is None."""
    left = dict(table)
    if value is None:
        left.pop(here, None)
    else:
        left[here] = value
    return dict(sorted(left.items()))


def with_item(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*row[:place], value, *row[place + 1 :])


def with_side_value(pair: tuple[T, T], side: Side, value: T) -> tuple[T, T]:
    return (value, pair[1]) if side == 0 else (pair[0], value)


@memoized("known")
def snapshot_of(pos: Position) -> Mapping[StackKey, tuple[int, ...]]:
    """Return the units with TP by force, by number; a garrison counts as a negative hex."""
    found: dict[StackKey, tuple[int, ...]] = {}
    for here in pos.garrisons:
        side = next(side for side in SIDES if pos.census.insides[side] >> here & 1)
        found[stack_key(here, side, True)] = (-1 - here,)
    for number, unit in pos.units.items():
        if unit.tp:
            key = stack_key(unit.hex, pos.side(number), unit.inside)
            found[key] = (*found.get(key, ()), number)
    return found


def tp_of(pos: Position, key: StackKey) -> int:
    return (forces.inside_tp if key_inside(key) else forces.field_tp)(pos, key_hex(key), as_side(key_side(key)))
