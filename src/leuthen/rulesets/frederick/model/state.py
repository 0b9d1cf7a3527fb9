"""Positions: an immutable `State`, and the `Draft` of the next one that rules change.

Both are a `Position` with the same fields. `apply` makes a draft, the rules of the chapters change it, and it is frozen
into the next state. Values computed from a position are stored with it (`engine.memo`). Each field has its type, its
text form, its visibility and its first value. The text has hexes as RRCC, powers, sides and leaders by name, strengths
as SP by power. Decisions in progress are written by the types of their fields; leaders are numbers there, in the order
of the data.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.engine import codec, state
from leuthen.engine.codec import table
from leuthen.engine.memo import Memo, memoized
from leuthen.engine.ruleset import NOBODY, OTHER, Outcome, OwnerId, ViewerId
from leuthen.engine.state import DraftPosition, FieldTable, FrozenPosition, Values, field, show_sorted, show_to_all
from leuthen.rulesets.frederick.model import data as model
from leuthen.rulesets.frederick.model.decisions import Covered, Decision, Secret
from leuthen.rulesets.frederick.model.events import MoraleChanged
from leuthen.rulesets.frederick.model.pieces import (
    ABSENT,
    AUSTRIAN,
    POOL,
    PRUSSIAN,
    SIDES,
    UNKNOWN,
    UNSEEN,
    Depot,
    SeenStack,
    Stack,
    knows,
    see_stack,
    without_impossible_states,
)
from leuthen.wargame.board import Hex, Hexes, StackKey, hex_set, stack_key
from leuthen.wargame.ruleset import HEX, bag_codec
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId, bag, common, largest, of, powers

SIDE_WORDS: Final = ("prussian", "austrian", "nobody")
ROSTER_WORDS: Final = ("map", "pool", "waiting", "captive", "gone", "absent")
BAG: Final = bag_codec(model.POWERS)
SIDE: Final = codec.word(SIDE_WORDS, "side")
POWER: Final = codec.word(model.POWERS, "power")
WAYS: Final = codec.StructCodecs(
    {
        "Side": codec.NUMBER,
        "OwnerId": codec.NUMBER,
        "Hex": HEX,
        "Bag": BAG,
        "StackKey": codec.NUMBER,
        "PowerId": codec.NUMBER,
        "LeaderId": codec.NUMBER,
    },
    {Decision: "frame", Secret: "secret"},
)
FRAME: Final = WAYS.tagged_union(Decision)
SECRET: Final = WAYS.tagged_union(Secret)
DEPOT: Final = WAYS.of(Depot, power=POWER)


def _names(data: model.GameData) -> tuple[str, ...]:
    return tuple([leader.name for leader in data.leaders])


def _leader(data: model.GameData) -> codec.Codec:
    return codec.word(_names(data), "leader")


def _stack(data: model.GameData, kind: type[Stack | SeenStack] = Stack) -> codec.Codec:
    commander, nation = codec.optional_number(_leader(data)), codec.optional_number(POWER)
    crew = codec.list_of(_leader(data))
    if kind is SeenStack:  # who is hidden is None
        crew = codec.optional(crew)
    return WAYS.of(kind, side=SIDE, commander=commander, nation=nation, leaders=crew, resters=crew)


def _see_stacks(stacks: dict[StackKey, Stack], pos: Position, viewer: ViewerId) -> tuple[SeenStack, ...]:
    """Reuse the seen stacks of before where the stack is the same."""
    before: dict[StackKey, tuple[Stack, SeenStack]] = pos.lasting.get_or_compute(("seen", viewer), dict)
    found = []
    for key in sorted(stacks):
        stack, last = stacks[key], before.get(key)
        if last is None or last[0] is not stack:
            last = before[key] = stack, see_stack(stack, viewer)
        found.append(last[1])
    return tuple(found)


def _see_depots(depots: dict[Hex, Depot], pos: Position, viewer: ViewerId) -> dict[Hex, Depot]:
    """Of the enemy only complete depots are seen, and not how they are maintained (O3.1)."""
    found: dict[Hex, Depot] = {}
    for here, depot in sorted(depots.items()):
        if knows(viewer, pos.side_of(depot.power)):
            found[here] = depot
        elif depot.complete:
            found[here] = Depot(depot.power, True)
    return found


def _see_secrets(secrets: Secrets, pos: Position, viewer: ViewerId) -> Secrets:
    """Of the other side's choice is seen only that it is sealed."""
    one, two = (
        secret if knows(viewer, side) else Covered(True) if secret is not None and secret.sealed else None
        for side, secret in zip(SIDES, secrets, strict=True)
    )
    return one, two


Secrets: TypeAlias = tuple[Any, Any]
_POWERS: Final = codec.list_of(POWER, frozenset)
_HEXES: Final = codec.list_of(HEX, frozenset)


class SharedFields:
    """The fields with the same type in a position and in a view."""

    options: model.GameOptions = field(codec.plain(model.GameOptions), show_to_all)
    scenario: str = field(codec.plain(str), show_to_all, model.CAMPAIGN, is_spare=True)
    """The data are those of this scenario (C14)."""
    year: int = field(codec.NUMBER, show_to_all)
    turn: int = field(codec.NUMBER, show_to_all)
    phasing: OwnerId = field(SIDE, show_to_all, NOBODY)
    """The side whose player turn it is (O4.3), or NOBODY."""
    frames: tuple[Decision, ...] = field(
        codec.list_of(FRAME), lambda frames, pos, viewer: tuple([frame.mask_for(viewer) for frame in frames]), ()
    )
    """The decisions in progress, the innermost last."""
    allegiance: tuple[OwnerId, ...] = field(codec.tuple_by_name(model.POWERS, SIDE), show_to_all)
    """By power: its side or NOBODY; for a surrendered power its last side (C1.2)."""
    surrendered: frozenset[PowerId] = field(_POWERS, show_to_all, frozenset())
    invaded: frozenset[PowerId] = field(_POWERS, show_to_all, frozenset())
    """Powers violated in 1756 (C5.2)."""
    saxon_invader: OwnerId = field(SIDE, show_to_all, NOBODY)
    """The side that invaded Saxony in 1756, or NOBODY (C5.6)."""
    german_open: bool = field(codec.FLAG, show_to_all, False)
    """The German States are free to both sides (C9.2)."""
    depots: dict[Hex, Depot] = field(table(HEX, DEPOT), _see_depots, {})
    owners: dict[Hex, OwnerId] = field(table(HEX, SIDE), show_sorted)
    """The side of each fortress, or NOBODY (O12.2)."""
    rp: tuple[int, int] = field(codec.plain(tuple[int, int]), show_to_all, (0, 0))
    prisoners: tuple[Bag, Bag] = field(codec.row([BAG, BAG]), show_to_all, (EMPTY, EMPTY))
    """SP held by each side, by nationality (O15.3)."""
    captives: tuple[tuple[LeaderId, ...], tuple[LeaderId, ...]] = field(
        lambda data: codec.row([codec.list_of(_leader(data))] * 2), show_to_all, ((), ())
    )
    """Leaders held by each side."""
    roster: tuple[int, ...] = field(
        lambda data: codec.tuple_by_name(_names(data), codec.word(ROSTER_WORDS, "place of a leader")), show_to_all
    )
    """The place of each leader."""
    arrival: tuple[int, ...] = field(lambda data: codec.tuple_by_name(_names(data), codec.NUMBER), show_to_all)
    """The order in which leaders came into play, for seniority (C8.2)."""
    waiting: Bag = field(
        BAG,
        lambda sp, pos, viewer: sum(bag(p, of(sp, p)) for p in powers(sp) if knows(viewer, pos.side_of(p))),
        EMPTY,
    )
    """New SP that wait to be placed (C6.4, C8.8)."""
    sealed: Secrets = field(codec.row([codec.optional(SECRET)] * 2), _see_secrets, (None, None))
    """Simultaneous secret choices of both sides, until they are revealed."""
    spent: dict[LeaderId, int] = field(
        lambda data: table(_leader(data), codec.NUMBER),
        lambda spent, pos, viewer: {
            n: points for n, points in sorted(spent.items()) if knows(viewer, pos.side_of(pos.data.leaders[n].power))
        },
        {},
    )
    """Movement points of leaders in this phase (O5.14)."""
    shifted: frozenset[Hex] = field(
        _HEXES,
        lambda here, pos, viewer: frozenset([there for there in here if knows(viewer, pos.owners[there])]),
        frozenset(),
    )
    """Fortresses with a move in or out in this phase (O5.20)."""
    sallied: frozenset[Hex] = field(_HEXES, show_to_all, frozenset(), is_spare=True)
    """Besieged fortresses from which troops came out in this phase (O13.7)."""
    bound: frozenset[Hex] = field(_HEXES, show_to_all, frozenset())
    """Hexes in which an attack must follow a failed overwhelming attack (O5.17)."""
    sieges: dict[Hex, int] = field(table(HEX, codec.NUMBER), show_sorted, {})
    """Rolls made in each siege (O13.8)."""
    outcome: Outcome | None = field(codec.optional(codec.plain(Outcome)), show_to_all, None)
    starred: frozenset[PowerId] = field(_POWERS, show_to_all, frozenset())
    """Powers brought to their side by a starred result of the Diplomacy Table (C5.5)."""

    def side_of(self, power: PowerId) -> OwnerId:
        """Return the side a power fights on, or NOBODY if it is neutral or surrendered (C1.2, C11.3)."""
        return NOBODY if power in self.surrendered else self.allegiance[power]


class Fields(SharedFields):
    stacks: dict[StackKey, Stack] = field(
        lambda data: codec.list_by_key(_stack(data), "key", "two stacks of one side are in one place"),
        _see_stacks,
        {},
        seen_text=lambda data: codec.list_of(_stack(data, SeenStack)),
    )
    moving: Stack | None = field(
        lambda data: codec.optional(_stack(data)),
        lambda force, pos, viewer: None if force is None else see_stack(force, viewer),
        None,
        seen_text=lambda data: codec.optional(_stack(data, SeenStack)),
    )
    """The force on the march, in retreat or following; it is in no stack meanwhile."""


TABLE: Final = FieldTable(Fields)
FIELDS: Final = TABLE.names


Marks: TypeAlias = tuple[Hexes, Hexes]
"""Hexes of stacks with SP in the field, and of those inside."""


LASTING: Final = ("lasting", "by_owners", "by_depots")
"""The memos of a position that outlive a move."""


class Position(Fields, state.Position):
    FIELDS = FIELDS
    CACHES = (*state.Position.CACHES, *LASTING)
    data: model.GameData
    marks: tuple[Marks, ...]
    """Hexes with SP, by side and for neutrals, in the field and inside; updated with `stacks`."""
    austrians: Hexes
    """Hexes with an Austrian field stack with SP (O7.1); updated with `stacks`."""
    ordered: tuple[tuple[StackKey, ...], ...]
    """Keys of stacks by side and for neutrals, in the order of the board; updated with `stacks`."""
    lasting: Memo
    """Values computed from allegiances alone."""
    by_owners: Memo
    """Values computed from allegiances and owners."""
    by_depots: Memo
    """Values computed from allegiances and depots."""

    @property
    def plan(self) -> model.Scenario:
        """The scenario played (C2, C14)."""
        return self.data.scenarios[self.scenario]

    @property
    def now(self) -> int:
        return self.year * 100 + self.turn

    @property
    def is_winter(self) -> bool:
        """Turn 15 or later (O1.3)."""
        return self.turn >= model.FIRST_WINTER_TURN

    def leader(self, number: LeaderId) -> model.Leader:
        """Return a leader's ratings (O2.2)."""
        return self.data.leaders[number]

    def at(self, here: Hex, side: OwnerId, inside: int) -> Stack | None:
        return self.stacks.get(stack_key(here, side, inside))

    def field(self, here: Hex, side: OwnerId) -> Stack | None:
        return self.stacks.get(stack_key(here, side, 0))

    def inside(self, here: Hex, side: OwnerId) -> Stack | None:
        return self.stacks.get(stack_key(here, side, 1))

    def stacks_at(self, here: Hex, side: OwnerId) -> list[Stack]:
        return [stack for stack in (self.field(here, side), self.inside(here, side)) if stack is not None]

    def stack_at(self, here: Hex, side: OwnerId, inside: int = 0) -> Stack:
        return self.stacks[stack_key(here, side, inside)]

    @property
    def force(self) -> Stack:
        assert self.moving is not None
        return self.moving

    @property
    def marcher(self) -> Stack | None:
        """The force under way if it counts where it is: in a retreat that goes on it does not (O12.4)."""
        if self.moving is None:
            return None
        for frame in self.frames:
            if frame.RETREATS and frame.passes:
                return None
        return self.moving

    def own(self, side: OwnerId) -> tuple[Stack, ...]:
        known = self.known
        if side not in known:  # not by `memoized`, so that a draft can go on with the list of the other side
            stacks = self.stacks
            known[side] = tuple([stacks[key] for key in self.ordered[side]])
        own: tuple[Stack, ...] = known[side]
        return own

    def is_neutral(self, power: PowerId) -> bool:
        """Return whether a power is on no side; a surrendered one is not neutral (C7.3)."""
        return self.allegiance[power] == NOBODY and power not in self.surrendered

    @memoized("lasting")
    def homes(self, side: OwnerId) -> frozenset[Hex]:
        return frozenset(here for here in self.data.fortresses if self.is_home(here, side))

    def by_seniority(self, leaders: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
        """Return leaders by rank, then the order of C1.1, then time on the map (O2.5, O2.6, C8.2)."""
        table, arrival = self.data.leaders, self.arrival
        return tuple(sorted(leaders, key=lambda n: (table[n].rank, table[n].power, arrival[n])))

    def commander_of(self, sp: Bag, leaders: tuple[LeaderId, ...]) -> LeaderId:
        """Return the senior leader of the power with most SP that has both (O2.5, O2.6); -1 without leaders.

        `leaders` are sorted by seniority.
        """
        if len(leaders) < 2 or not sp:
            return leaders[0] if leaders else NO_LEADER
        table = self.data.leaders
        best, most = leaders[0], 0
        for number in leaders:
            points = of(sp, table[number].power)
            if points > most:
                best, most = number, points
        return best

    def nation_of(self, sp: Bag, commander: LeaderId) -> PowerId:
        """Return the power a stack shows: that of most SP, without SP the commander's (O3.1); Saxon SP are Saxon
        (C1.5).
        """
        if sp:
            return largest(sp)
        return self.data.leaders[commander].power if commander >= 0 else model.NO_POWER

    def make_stack(
        self,
        here: Hex,
        side: OwnerId,
        inside: bool,
        sp: Bag,
        leaders: tuple[LeaderId, ...],
        like: Stack | None = None,
        band: tuple[int, int, int] = UNSEEN,
        marched: Bag = EMPTY,
    ) -> Stack:
        """Return a stack with its commander (O2.5, O2.6) and its colours (O3.1), Saxon SP being Saxon (C1.5).

        Demoralization, quarters and hunger are those of `like`.

        Leaders without SP have none of these, and no strength that could be known (O10.12, O14.4, O2.7).
        """
        ranked = self.by_seniority(leaders) if len(leaders) > 1 else leaders
        commander = self.commander_of(sp, ranked) if len(ranked) > 1 else ranked[0] if ranked else NO_LEADER
        shape = here, side, inside, sp, ranked, commander, largest(sp) if sp else self.nation_of(sp, commander)
        if not sp:
            return Stack(*shape)
        if like is None:
            return Stack(*shape, False, False, 0, marched, *band)
        state = like.demoralized, like.quartered, like.hungry, marched, *band
        if not like.resting:
            return Stack(*shape, *state)
        return Stack(*shape, *state, common(like.resting, sp), tuple([n for n in like.resters if n in ranked]))

    def with_troops(
        self, stack: Stack, sp: Bag, leaders: tuple[LeaderId, ...], band: tuple[int, int, int] = UNSEEN
    ) -> Stack:
        """Return the stack with other SP and leaders; of the SP that have marched, those still present stay marched."""
        marched = common(stack.marched, sp) if stack.marched else EMPTY
        return self.make_stack(stack.hex, stack.side, stack.inside, sp, leaders, stack, band, marched)

    def remove_one_sp(self, stack: Stack, lost: Bag) -> Stack:
        """Return a stack without 1 SP, whose loss both sides see (O6.1, O13.2)."""
        high = stack.high - 1 if stack.high < UNKNOWN else UNKNOWN
        return self.with_troops(stack, stack.sp - lost, stack.leaders, (max(1, stack.low - 1), high, stack.since))

    def with_open_strength(self, stack: Stack) -> Stack:
        """Return the stack with its strength known to the other side (O3.2, O3.3)."""
        return stack.with_band((stack.strength, stack.strength, self.now))

    def locate(self, leader: LeaderId) -> Stack | None:
        return next((stack for stack in self.stacks.values() if leader in stack.leaders), None)

    def stack_of(self, leader: LeaderId) -> Stack:
        return next(stack for stack in self.stacks.values() if leader in stack.leaders)

    def on_map(self, power: PowerId) -> int:
        return of(sum([stack.sp for stack in self.stacks.values()]), power)

    def is_home(self, here: Hex, side: OwnerId) -> bool:
        """Return whether a fortress is in the home territory of a power of that side (O10.1, O10.13, O12.3, C5.9).

        A base counts as one (C14.3). A fortress of a surrendered power is no side's home (C11.5).
        """
        fort = self.data.fortresses[here]
        star = fort.star >= 0 and self.side_of(fort.star) == side and self.has_star(fort.star)
        return star or (fort.power >= 0 and self.side_of(fort.power) == side)

    def has_star(self, power: PowerId) -> bool:
        """Return whether the note of C5.5 holds: for France on Austria's side, for Hanover on Prussia's."""
        return self.side_of(power) == (AUSTRIAN if power == model.FRANCE else PRUSSIAN)


class State(FrozenPosition, Position):
    __slots__ = ()


def make_state(data: model.GameData, **fields: object) -> State:
    """Return a position with these fields; the others have their first values."""
    return state_of(data, TABLE.filled(**fields))


def state_of(data: model.GameData, values: Values, memos: Mapping[str, Memo] | None = None) -> State:
    """Return the state with these values of all fields; `memos` come from one that agrees in their facts.

    Its data are those of its scenario (C14).
    """
    fields = {name: values[name] for name in FIELDS}
    stacks: dict[StackKey, Stack] = fields["stacks"]
    austrian = [stack for stack in stacks.values() if stack.side == AUSTRIAN]
    computed = {
        "known": Memo(),
        **(memos or {name: Memo() for name in LASTING}),
        "marks": marks_of(stacks.values()),
        "austrians": hex_set(one.hex for one in austrian if one.nation == model.AUSTRIA and one.sp and not one.inside),
        "ordered": tuple([tuple(sorted([key for key in stacks if stacks[key].side == side])) for side in range(3)]),
    }
    return State.of({**fields, "data": data.of(values["scenario"]), **computed})


class Draft(DraftPosition[State], Position):
    """The next state while rules change it, with the hexes that were touched."""

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
        """Clear all memos, because board or allegiances have changed."""
        self.known, self.lasting, self.by_owners, self.by_depots = Memo(), Memo(), Memo(), Memo()

    def put(self, stack: Stack) -> None:
        """Place a stack in its hex, instead of the one there; an empty stack vanishes."""
        self._lapse(stack)
        key, is_there = stack.key, stack.sp > 0 or bool(stack.leaders)
        if is_there != (key in self.stacks):
            self._reorder(stack.side, key)
        if is_there:
            self.stacks[key] = without_impossible_states(stack)
        else:
            self.stacks.pop(key, None)
        self._mark(stack, stack.sp > 0)

    def remove(self, stack: Stack) -> None:
        self._lapse(stack)
        del self.stacks[stack.key]
        self._reorder(stack.side, stack.key)
        self._mark(stack, False)

    def _reorder(self, side: OwnerId, key: StackKey) -> None:
        """Add a key to those of a side, or remove it."""
        keys = self.ordered[side]
        place = bisect_left(keys, key)
        rest = keys[place + 1 :] if keys[place : place + 1] == (key,) else (key, *keys[place:])
        self.ordered = (*self.ordered[:side], keys[:place] + rest, *self.ordered[side + 1 :])

    def _lapse(self, stack: Stack) -> None:
        """Clear everything cached for this position except the opponent's stack list."""
        other = OTHER[stack.side]
        theirs = self.known.get(other)
        self.known = Memo()
        if theirs is not None:
            self.known[other] = theirs
        self.touched.add(stack.hex)

    def set_moving(self, force: Stack | None) -> None:
        """Set the force under way; None after it has joined a stack."""
        self.known = Memo()
        if self.moving is not None:
            self.touched.add(self.moving.hex)
        if force is not None:
            self.touched.add(force.hex)
        self.moving = without_impossible_states(force) if force is not None and (force.sp or force.leaders) else None

    def _mark(self, stack: Stack, present: bool) -> None:
        side, here = stack.side, 1 << stack.hex
        field, inside = before = self.marks[side]
        if stack.inside:
            inside = inside | here if present else inside & ~here
        else:
            field = field | here if present else field & ~here
            if side == AUSTRIAN:
                casts = present and stack.nation == model.AUSTRIA
                self.austrians = self.austrians | here if casts else self.austrians & ~here
        if (field, inside) != before:
            self.marks = (*self.marks[:side], (field, inside), *self.marks[side + 1 :])

    def join_stack(self, comer: Stack, *, spent: bool = False) -> Stack:
        """End the move of a force in its hex, where it joins the stack of its side, if there is one (O11.4, O10.12).

        SP of one power are interchangeable (O2.3), and no stack is too large, in the field or inside (O8.1, O8.2).
        If one of the two is demoralized, the joint stack is; the higher hunger counts; shared quarters are judged later
        (O14.4). With `spent` the SP are done for the phase (O5.7). Knowledge of either strength lapses (O3.3).
        """
        marched = comer.marched + (comer.sp - comer.marched if spent else EMPTY)
        here = self.stacks.get(comer.key)
        if here is None:
            stack = msgspec.structs.replace(comer, marched=marched)
        else:
            if here.demoralized != comer.demoralized and here.sp and comer.sp:
                self.emit(MoraleChanged.of(comer))
            band = here.band  # leaders alone do not change a strength that is known
            if comer.sp:
                band = UNSEEN if here.sp else comer.band
            joins = here.quartered and comer.sp > 0  # the former members of a stack in quarters are remembered (O14.4)
            like = msgspec.structs.replace(
                comer,
                demoralized=comer.demoralized or here.demoralized,
                quartered=here.quartered,
                hungry=max(comer.hungry, here.hungry),
                resting=here.sp if joins else here.resting + comer.resting,
                resters=here.leaders if joins else here.resters + comer.resters,
            )
            whole = comer.hex, comer.side, comer.inside, here.sp + comer.sp, here.leaders + comer.leaders
            stack = self.make_stack(*whole, like, band, here.marched + marched)
        self.put(stack)
        return stack

    def detach(self, stack: Stack, leaders: tuple[LeaderId, ...], sp: Bag) -> Stack:
        """Take a force out of a stack; it is in no stack until it joins one."""
        rest = tuple(number for number in stack.leaders if number not in leaders)
        whole = sp == stack.sp
        if rest or not whole:
            self.put(self.with_troops(stack, stack.sp - sp, rest, stack.band if not sp else UNSEEN))
        else:
            self.remove(stack)
        like = msgspec.structs.replace(stack, quartered=False, resting=EMPTY, resters=())
        return self.make_stack(stack.hex, stack.side, stack.inside, sp, leaders, like, stack.band if whole else UNSEEN)

    def narrow_band(self, stack: Stack, low: int, high: int) -> bool:
        """Let the other side learn that a stack has `low` to `high` SP (O3.2); return whether that is news."""
        band = max(stack.low, low), min(stack.high, high)
        if band == (stack.low, stack.high):
            return False
        self.put(stack.with_band((*band, self.now)))
        return True

    def remove_leader(self, leader: LeaderId) -> Stack:
        """Take a leader out of his stack, whose strength stays known; return the stack as it was."""
        stack = self.stack_of(leader)
        rest = tuple([number for number in stack.leaders if number != leader])
        self.put(self.with_troops(stack, stack.sp, rest, stack.band))
        return stack

    def set_depot(self, here: Hex, depot: Depot | None) -> None:
        """Place a depot in a hex, or remove it (O2.1)."""
        self.known, self.by_depots = Memo(), Memo()
        self.depots = {**self.depots}
        if depot is None:
            del self.depots[here]
        else:
            self.depots[here] = depot

    def set_owner(self, here: Hex, side: OwnerId) -> None:
        """Give a fortress to a side; a siege against its former owner ends (O13.8)."""
        if here in self.sieges and self.owners[here] != side:
            self.end_siege(here)
        self.known, self.by_owners = Memo(), Memo()
        self.owners = {**self.owners, here: side}

    def end_siege(self, here: Hex) -> None:
        self.sieges = {there: rolls for there, rolls in self.sieges.items() if there != here}

    def set_roster(self, leader: LeaderId, status: int) -> None:
        self.roster = (*self.roster[:leader], status, *self.roster[leader + 1 :])

    def hold(self, captor: OwnerId, sp: Bag) -> None:
        """Add to the prisoners of a side (O15.3)."""
        one, two = self.prisoners
        self.prisoners = (one + sp, two) if captor == PRUSSIAN else (one, two + sp)

    def hold_leader(self, captor: OwnerId, leader: LeaderId) -> None:
        one, two = self.captives
        self.captives = ((*one, leader), two) if captor == PRUSSIAN else (one, (*two, leader))

    def release(self, leaders: Collection[LeaderId]) -> None:
        one, two = (tuple([n for n in held if n not in leaders]) for held in self.captives)
        self.captives = one, two

    def set_allegiance(self, power: PowerId, side: OwnerId) -> None:
        self.forget()
        self.allegiance = (*self.allegiance[:power], side, *self.allegiance[power + 1 :])


def pools(data: model.GameData) -> list[int]:
    """Return a roster with all leaders in their pools; the nameless ones are in none (C8.4)."""
    nameless = {data.nameless(power) for power in model.ALL_POWERS}
    return [ABSENT if number in nameless else POOL for number in data.leader_ids]


def occupied_hexes(pos: Position) -> tuple[Marks, ...]:
    """Return the hexes with SP of each side and of neutrals, in the field and inside (O2.7).

    A force on the march counts in the field of its hex. Possession, sieges, depots, refuges, zones and supply all use
    this function (O4.4).
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
    """Return whether a side has SP in the field of a hex, on the march too."""
    return bool(occupied_hexes(pos)[side][0] >> here & 1)


def is_inside(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a side, or neutrals, have SP inside the fortress of a hex."""
    return bool(pos.marks[side][1] >> here & 1)


def is_present(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a side, or neutrals, have SP in a hex, in the field or inside."""
    field, inside = occupied_hexes(pos)[side]
    return bool((field | inside) >> here & 1)


def marks_of(stacks: Iterable[Stack]) -> tuple[Marks, ...]:
    marks = [[0, 0], [0, 0], [0, 0]]
    for stack in stacks:
        if stack.sp:
            marks[stack.side][stack.inside] |= 1 << stack.hex
    return tuple([(field, inside) for field, inside in marks])
