"""C8.6–C8.8, C8.10: re-deployment, and the placing of new SP and leaders."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.decision import Done, never
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import CHANCE, NOBODY, WATCHER, ActorId, OwnerId, Side, as_side
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.actions import Draw, Place, Sack
from leuthen.rulesets.frederick.model.data import ALL_POWERS, AUSTRIA, MINORS, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll
from leuthen.rulesets.frederick.model.events.grand import LeaderDrawn, LeadersRolled, Redeployed, Reinforced, Sacked
from leuthen.rulesets.frederick.model.pieces import (
    AUSTRIAN,
    CAPTIVE,
    DONE,
    GONE,
    ON_MAP,
    POOL,
    PRUSSIAN,
    WAITING,
    Stack,
)
from leuthen.rulesets.frederick.model.stacks import changed, detach, join_stack, locate, make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, enemy_of, is_present
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import has_added_places
from leuthen.rulesets.frederick.rules.c07_commitment import room_for
from leuthen.rulesets.frederick.rules.c08_redeployment.placing import (
    all_fortresses,
    is_leader,
    is_power,
    pick_inside,
    pick_leaders,
    pick_points,
)
from leuthen.rulesets.frederick.rules.c11_allegiance.allegiance import home_fortresses
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, StackKey, as_hex, chosen_hex, hex_name, key_hex, key_inside
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, all_of, as_leader, as_power, bag, of

Landings: TypeAlias = Mapping[Hex, tuple[int, ...]]
"""Where somebody may arrive: by hex, in the order of the board, in the field (0) or inside (1)."""
BOTH: Final = (0, 1)
INSIDE: Final = (1,)
FIELD: Final = (0,)


def sp_at(pos: Position, here: Hex, side: OwnerId, power: PowerId) -> int:
    """How many SP of a power stand in a hex, in the field and inside; Saxon SP are no Imperial ones (C1.5)."""
    stacks = (pos.field(here, side), pos.inside(here, side))
    return sum(of(stack.sp, power) for stack in stacks if stack is not None)


def is_barred(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Whether enemy SP are in a hex, in the field or inside, or its fortress is the enemy's (O2.7, C5.9, C8.8)."""
    enemy = enemy_of(side)
    return pos.owners[here] == enemy or is_present(pos, here, enemy)


def gates(pos: Position, here: Hex, side: OwnerId) -> tuple[int, ...]:
    """How one arrives at a friendly fortress: if besieged inside only, or not at all (C8.7, C8.10)."""
    if not is_besieged(pos, here, side):
        return BOTH
    return INSIDE if pos.options.besieged_redeployment == "allowed" else ()


def garrisoned(pos: Position, side: OwnerId, power: PowerId) -> dict[Hex, tuple[int, ...]]:
    """The friendly fortress hexes with SP of a power, and how one arrives there (C8.6, C8.7, C8.10)."""
    theirs = all_of((power,))
    held = {stack.hex for stack in pos.own(side) if stack.sp & theirs and pos.owners.get(stack.hex) == side}
    return {here: gates(pos, here, side) for here in sorted(held)}


def added_places(pos: Position, side: OwnerId, power: PowerId) -> dict[Hex, tuple[int, ...]]:
    """The fortresses of C5.5, neither with enemy SP nor the enemy's own; SP of the power need not be there (C5.9)."""
    if not has_added_places(pos, power):
        return {}
    forts = sorted(here for here, fort in pos.data.fortresses.items() if fort.star == power)
    return {here: BOTH for here in forts if not is_barred(pos, here, side)}


def destinations(pos: Position, side: OwnerId, power: PowerId) -> Landings:
    """Where SP and leaders of a power may be re-deployed (C8.6)."""
    places = {**added_places(pos, side, power), **garrisoned(pos, side, power)}
    return {here: places[here] for here in sorted(places) if places[here]}


def arrivals(pos: Position, side: OwnerId, power: PowerId) -> Landings:
    """Where new SP and leaders of a power may come on the map (C8.7); with no SP on any fortress hex, C8.8."""
    places = garrisoned(pos, side, power)
    if places:
        return {here: ways for here, ways in places.items() if ways}
    return dict.fromkeys(empty_homes(pos, side, power), BOTH)


def empty_homes(pos: Position, side: OwnerId, power: PowerId) -> list[Hex]:
    """A power's home fortresses, without enemy SP, not the enemy's (C8.8); those of C5.5 while they are its (C5.9)."""
    forts = pos.data.fortresses
    homes = [here for here in home_fortresses(pos, power) if forts[here].power == power or pos.owners[here] == side]
    return sorted(here for here in homes if not is_barred(pos, here, side))


def for_leaders(pos: Position, places: Landings, side: OwnerId) -> Landings:
    """Leaders alone take nothing (O2.7), so they go inside only where the fortress is friendly."""
    return {here: ways if pos.owners[here] == side else FIELD for here, ways in places.items()}


def without(places: Landings, start: StackKey, side: OwnerId) -> Landings:
    """The landings that differ from where somebody stands."""
    here, inside = key_hex(start), key_inside(start)
    if here not in places:
        return places
    ways = tuple(way for way in places[here] if way != inside)
    return {**places, here: ways} if ways else {there: both for there, both in places.items() if there != here}


def not_a_landing(pos: Position, side: OwnerId, power: PowerId, rule: str, token: Token) -> Refusal:
    """Why somebody of a power cannot arrive in a hex."""
    here = chosen_hex(token)
    if here not in pos.data.fortresses:
        return Refusal(rule, "they go to fortress hexes only")
    name, fort = pos.data.powers[power].name, pos.data.fortresses[here].name
    opens = _opening(pos, side, power, here, rule)
    if pos.owners[here] != side:
        return Refusal(opens, "{} is not yours", (fort,), here)
    if opens != "C8.10" and is_present(pos, here, enemy_of(side)):
        return Refusal(opens, "enemy SP are at {}", (fort,), here)
    if not sp_at(pos, here, side, power):
        return Refusal(rule, "no SP of {} are at {}", (name, fort), here)
    if is_besieged(pos, here, side):
        return Refusal("C8.7", "{} is besieged", (fort,), here)
    return Refusal(rule, "they are at {} already", (fort,), here)


def _opening(pos: Position, side: OwnerId, power: PowerId, here: Hex, rule: str) -> str:
    """The rule that says to whom a fortress is open: those of C5.9 and C8.8 also without SP of the power there."""
    fort = pos.data.fortresses[here]
    if rule == "C8.6":
        return "C5.9" if fort.star == power and has_added_places(pos, power) else "C8.10"
    return "C8.8" if fort.power == power and not garrisoned(pos, side, power) else "C8.10"


ORDER: Final = (AUSTRIA, PRUSSIA, *MINORS)
"""Who rolls, one after the other (C8.9)."""


def leaders_in(pos: Position, power: PowerId, *places: int) -> tuple[LeaderId, ...]:
    """The leaders of a power that are in one of these places, in the order of the data."""
    return tuple(n for n in pos.data.generals[power] if pos.roster[n] in places)


class LeaderRolls(Decision, rule="C8.9", name="New leaders"):
    """Every power at war rolls for leaders, draws and sacks before the next one does (C8.1, C8.9)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        """The next power; neutral and surrendered ones do not roll."""
        if self.done == len(ORDER):
            draft.pop()
            return
        power = ORDER[self.done]
        draft.swap(LeaderRolls(self.done + 1))
        if draft.side_of(power) != NOBODY:
            draft.push(LeaderRoll(power))


class LeaderRoll(DieRoll, rule="C8.1", name="Leader roll"):
    """A power's die on the Leader Table (C8.1)."""

    power: PowerId

    def rolled(self, draft: Draft, die: int) -> None:
        if draft.data.powers[self.power].most_leaders:
            return one_leader(draft, self.power, die)
        new, sack = draft.data.leader_table[die - 1]
        here = leaders_in(draft, self.power, ON_MAP)
        sacks = sack > 0 and len(here) > 1  # C8.3: not the only one
        wanted = new if here else max(1, new)  # C8.4
        drawn = min(wanted, len(leaders_in(draft, self.power, POOL)))  # C8.9: a short pool gives what it has
        note = "none is left on the map" if not here and not new else "the pool is short" if drawn < new else ""
        self._tell(draft, die, drawn, sacks, note)
        if sacks:
            draft.push(Sacking(self.power))
        if drawn:
            draft.push(LeaderDraw(self.power, drawn))
        elif not here:
            send_nameless(draft, self.power)
        return None

    def _tell(self, draft: Draft, die: int, new: int, sacks: bool, note: str) -> None:
        side = draft.side_of(self.power)
        draft.emit(
            LeadersRolled(
                side=side,
                by={"none is left on the map": "C8.4", "the pool is short": "C8.9"}.get(note, ""),
                power=self.power,
                die=die,
                new=new,
                sack=sacks,
                note=note,
            )
        )

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Leaders: {pos.data.powers[self.power].name}"


def one_leader(draft: Draft, power: PowerId, die: int) -> None:
    """Sweden and the Empire: the die changes nothing; who was killed or captured returns (C8.5)."""
    side = draft.side_of(power)
    note = "the die changes nothing"
    draft.emit(LeadersRolled(side=side, by="C8.5", power=power, die=die, new=0, sack=False, note=note))
    if len(leaders_in(draft, power, ON_MAP, WAITING)) >= draft.data.powers[power].most_leaders:
        return
    gone = leaders_in(draft, power, GONE)
    if gone:
        come_into_play(draft, gone[0], "returns")
    elif leaders_in(draft, power, POOL):
        draft.push(LeaderDraw(power, 1))
    else:
        send_nameless(draft, power)


def send_nameless(draft: Draft, power: PowerId) -> None:
    """A power with no leader on the map and none in its pool receives one with ratings 0 (C8.4)."""
    leader = draft.data.nameless(power)
    if draft.roster[leader] == WAITING:
        return
    if draft.roster[leader] == CAPTIVE:
        first, second = (tuple(n for n in held if n != leader) for held in draft.captives)
        draft.captives = (first, second)
    come_into_play(draft, leader, "nameless")


def come_into_play(draft: Draft, leader: LeaderId, how: str) -> None:
    """A leader waits to be placed; at equal rank who came later is junior, and who returns keeps his place (C8.2)."""
    power = draft.leader(leader).power
    draft.set_roster(leader, WAITING)
    if how != "returns":
        arrival = list(draft.arrival)
        arrival[leader] = max(arrival) + 1
        draft.arrival = tuple(arrival)
    draft.emit(
        LeaderDrawn(
            side=draft.side_of(power),
            by={"returns": "C8.5", "nameless": "C8.4"}.get(how, ""),
            power=power,
            leader=leader,
            how=how,
        )
    )


class LeaderDraw(Decision[Draw], rule="C8.2", name="Leader draw"):
    """New leaders are drawn from the pool, all equally likely, and must be played (C8.2, C8.9)."""

    power: PowerId
    left: int

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (CHANCE,)

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        pool = leaders_in(pos, self.power, POOL)
        return tuple((Draw(leader), Fraction(1, len(pool))) for leader in pool)

    def answer(self, draft: Draft, actor: Side, action: Draw) -> None:
        """He waits to be placed; perhaps another follows."""
        draft.pop()
        come_into_play(draft, action.leader, "drawn")
        if self.left > 1:
            draft.push(LeaderDraw(self.power, self.left - 1))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"A leader is drawn for {pos.data.powers[self.power].name}"


class Sacking(Decision[Sack], rule="C8.3", name="Sacking", neutral=None):
    """The owner removes one of the power's leaders on the map for good (C8.3)."""

    power: PowerId

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (as_side(pos.side_of(self.power)),)

    def script(self, pos: Position, actor: Side) -> Script[Sack]:
        """A leader on the map; those drawn in this phase are not on it yet."""
        yield Slot("do", ("sack",), never("C8.3", "«{}» is not for now: a leader must be sacked"))
        leaders = leaders_in(pos, self.power, ON_MAP)
        leader = yield Slot("leader", leaders, lambda token: self._not_him(pos, token))
        return Sack(as_leader(leader))

    def _not_him(self, pos: Position, token: Token) -> Refusal:
        if not is_leader(token, pos):
            return Refusal("O2.2", "there is no such leader")
        name, power = pos.leader(token).name, pos.data.powers[self.power].name
        if pos.leader(token).power != self.power:
            return Refusal("C8.3", "{} is no leader of {}", (name, power))
        return Refusal("C8.3", "{} is not on the map", (name,))

    def answer(self, draft: Draft, actor: Side, action: Sack) -> None:
        draft.pop()
        sack(draft, action.leader)
        resolve_hexes(draft)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Sack one leader of {pos.data.powers[self.power].name}"


def sack(draft: Draft, leader: LeaderId) -> None:
    """A leader leaves the map for good; if he was seen in command, his successor is now seen."""
    stack = locate(draft, leader)
    assert stack is not None
    power = draft.leader(leader).power
    rest = tuple(number for number in stack.leaders if number != leader)
    draft.put(changed(draft, stack, stack.sp, rest, (stack.low, stack.high, stack.since)))
    draft.set_roster(leader, GONE)
    draft.emit(Sacked(side=stack.side, power=power, leader=leader))
    if leader == stack.commander:
        draft.learn(enemy_of(stack.side), WATCHER)


class RedeploymentPhase(Decision, rule="C8.9", name="Re-deployment Phase"):
    """The Re-deployment Phase: leader dice, then both sides re-deploy, then both place what is new (C8)."""

    done: int = 0

    def step(self, draft: state.Draft) -> None:
        if self.done == len(STEPS):
            rest_all(draft)
            draft.pop()
            return
        if not self.done:
            rest_all(draft)
        draft.swap(RedeploymentPhase(self.done + 1))
        draft.push(STEPS[self.done])


def rest_all(draft: state.Draft) -> None:
    """Nobody has moved: neither in this phase yet, nor, after it, in the year to come."""
    draft.spent, draft.known = {}, Memo()
    for key, stack in draft.stacks.items():
        if stack.marched:
            draft.stacks[key] = msgspec.structs.replace(stack, marched=EMPTY)


Ways: TypeAlias = tuple[dict[PowerId, Landings], dict[PowerId, tuple[int, ...]]]
"""By power, where its men may go, and the stacks that they may leave."""


class Redeploying(Decision[Place | Done], rule="C8.6", name="Re-deployment", neutral=Done()):
    """A side moves SP and leaders, its allies' included, to fortresses; each once, and nobody has to (C8.6).

    Depots are never moved, and what nobody moves stays as it is (C4.4).
    """

    side: Side

    def actors(self, pos: state.Position) -> tuple[ActorId, ...]:
        return (self.side,)

    def script(self, pos: state.Position, actor: Side) -> Script[Place | Done]:
        """Some SP and leaders of one power from one stack to one fortress, or done."""
        places, starts = self._ways(pos)
        movers = tuple(power for power in places if starts[power])
        kinds = ("done", "place") if movers else ("done",)
        kind = yield Slot("do", kinds, _not_here, refused=lambda: ("place",))
        if kind == "done":
            return Done()
        power = as_power(
            (yield Slot("power", movers, partial(self._cannot_move, pos), refused=lambda: range(len(places))))
        )
        refuse = partial(self._not_from, pos, power)
        start = StackKey(int((yield Slot("start", starts[power], refuse, refused=lambda: self._standing(pos, power)))))
        return (yield from self._move(pos, power, start, without(places[power], start, self.side)))

    def _ways(self, pos: state.Position) -> Ways:
        """By power, where its men may go, and the stacks that they may leave."""
        return pos.known.once(("re-deployment", self.side), lambda: self._find_ways(pos))

    def _find_ways(self, pos: state.Position) -> Ways:
        places: dict[PowerId, Landings] = {power: destinations(pos, self.side, power) for power in ALL_POWERS}
        return places, {power: self._starts(pos, power, places[power]) for power in places}

    def _move(self, pos: state.Position, power: PowerId, start: StackKey, places: Landings) -> Script[Place]:
        pool, most = movable(pos, pos.stacks[start], power)
        alone = without(for_leaders(pos, places, self.side), start, self.side)
        leaders = yield from pick_leaders(pos, pool, must=not most, rule="C8.6")
        least = int(not leaders or not alone) if most else 0
        points = yield from pick_points(power, least, most, "C8.6", "are there that have not been moved yet")
        open_to = places if points else alone
        refuse = partial(not_a_landing, pos, self.side, power, "C8.6")
        here = as_hex((yield Slot("hex", tuple(open_to), refuse, refused=lambda: all_fortresses(pos))))
        inside = yield Slot("inside", open_to[here], lambda token: self._not_so(pos, here))
        return Place(power, here, bool(inside), leaders, bag(power, points), start)

    def _starts(self, pos: state.Position, power: PowerId, places: Landings) -> tuple[int, ...]:
        """The stacks that SP or leaders of a power may leave, by key."""
        if not places:
            return ()
        return tuple(stack.key for stack in pos.stacks_of(self.side) if self._may_leave(pos, stack, power, places))

    def _standing(self, pos: state.Position, power: PowerId) -> list[StackKey]:
        """The stacks of the side with SP or leaders of a power, by key."""
        return [
            stack.key
            for stack in pos.own(self.side)
            if of(stack.sp, power) or any(pos.leader(leader).power == power for leader in stack.leaders)
        ]

    def _may_leave(self, pos: state.Position, stack: Stack, power: PowerId, places: Landings) -> bool:
        pool, points = movable(pos, stack, power)
        if not (pool or points) or is_shut_in(pos, stack):
            return False
        return bool(without(places if points else for_leaders(pos, places, self.side), stack.key, self.side))

    def answer(self, draft: state.Draft, actor: Side, action: Place | Done) -> None:
        """Carries the move out; each piece moves once."""
        if isinstance(action, Done):
            draft.pop()
            return
        redeploy(draft, action)
        resolve_hexes(draft)

    def _cannot_move(self, pos: state.Position, token: Token) -> Refusal:
        if not is_power(token, pos):
            return Refusal("C1.1", "there is no such power")
        name = pos.data.powers[token].name
        if pos.side_of(token) != self.side:
            return Refusal("C8.6", "{} is not on your side", (name,))
        if not destinations(pos, self.side, token):
            return Refusal("C8.6", "{} has no SP on a friendly fortress hex to re-deploy to", (name,))
        return Refusal("C8.6", "{} has nobody who could still be moved", (name,))

    def _not_from(self, pos: state.Position, power: PowerId, token: Token) -> Refusal:
        stack = pos.stacks.get(StackKey(token)) if isinstance(token, int) else None
        if stack is None or stack.side != self.side:
            return Refusal("C8.6", "no stack of yours is there")
        if is_shut_in(pos, stack):
            return Refusal("C8.7", "{} is besieged and sends nobody", (hex_name(stack.hex),), stack.hex)
        name = pos.data.powers[power].name
        return Refusal("C8.6", "nobody of {} is there who could still be moved", (name,), stack.hex)

    def _not_so(self, pos: state.Position, here: Hex) -> Refusal:
        if pos.owners[here] != self.side:
            return Refusal("O2.7", "leaders alone do not take a fortress", (), here)
        if is_besieged(pos, here, self.side):
            return Refusal("C8.7", "the fortress is besieged: whoever arrives goes inside", (), here)
        return Refusal("C8.6", "they are there already", (), here)

    def prompt(self, pos: state.Position, actor: Side) -> str:
        return "Re-deployment: move SP and leaders to fortresses"


def _not_here(token: Token) -> Refusal:
    if token == "place":
        return Refusal("C8.6", "nobody is left who could be re-deployed")
    return Refusal("C8.6", "«{}» is not for the Re-deployment Phase", (token,))


def is_shut_in(pos: state.Position, stack: Stack) -> bool:
    """Whether a garrison is besieged and, by the option `besieged-redeployment`, sends nobody (C8.7)."""
    if pos.options.besieged_redeployment == "allowed" or not stack.inside:
        return False
    return is_besieged(pos, stack.hex, stack.side)


def movable(pos: state.Position, stack: Stack, power: PowerId) -> tuple[tuple[LeaderId, ...], Bag]:
    """The leaders, in the order of the data, and the SP of a power in a stack that have not been moved yet (C8.6)."""
    leaders = (n for n in stack.leaders if n not in pos.spent and pos.leader(n).power == power)
    return tuple(sorted(leaders)), of(stack.sp - stack.marched, power)


def redeploy(draft: state.Draft, action: Place) -> None:
    """SP and leaders leave one stack and join another; it is seen, their strength is not (C8.6, O3.4)."""
    stack = draft.stacks[StackKey(action.start)]
    force = detach(draft, stack, action.leaders, action.sp)
    force = msgspec.structs.replace(force, hex=action.hex, inside=action.inside)
    join_stack(draft, force, spent=True)
    draft.spent = {**draft.spent, **dict.fromkeys(action.leaders, DONE)}
    draft.emit(Redeployed.of(stack.side, action.power, force.commander, action, start=stack.hex))
    draft.learn(state.enemy_of(stack.side), WATCHER)


class Reinforcing(Decision[Place | Done], rule="C8.7", name="Reinforcements", neutral=None):
    """A side places its new SP and leaders, as far as there is a place for them (C8.7, C8.8)."""

    side: Side

    def actors(self, pos: state.Position) -> tuple[ActorId, ...]:
        """The side, even if nothing waits: how much does is secret (C6.5)."""
        return (self.side,)

    def script(self, pos: state.Position, actor: Side) -> Script[Place | Done]:
        """Some SP and leaders of one power at one fortress; done when nobody can be placed."""
        comers = tuple(power for power in ALL_POWERS if self._comes(pos, power))
        yield Slot("do", ("place",) if comers else ("done",), lambda token: self._not_now(token, bool(comers)))
        if not comers:
            return Done()
        power = as_power((yield Slot("power", comers, partial(self._none_waits, pos))))
        pool, most = newcomers(pos, power)
        leaders = yield from pick_leaders(pos, pool, must=not most, rule="C8.7")
        points = yield from pick_points(power, int(not leaders and most > 0), most, "C8.7", "wait to be placed")
        places = arrivals(pos, self.side, power)
        if not points:
            places = for_leaders(pos, places, self.side)
        refuse = partial(not_a_landing, pos, self.side, power, "C8.7")
        here = as_hex((yield Slot("hex", tuple(places), refuse, refused=lambda: all_fortresses(pos))))
        inside = yield from pick_inside(here, 1 in places[here], "C8.7", outside=0 in places[here])
        return Place(power, here, inside, leaders, bag(power, points))

    def _comes(self, pos: state.Position, power: PowerId) -> bool:
        if pos.side_of(power) != self.side or not any(newcomers(pos, power)):
            return False
        return bool(arrivals(pos, self.side, power))

    def _not_now(self, token: Token, more: bool) -> Refusal:
        if token == "done" and more:
            return Refusal("C8.7", "new SP and leaders must be placed as long as there is a place for them")
        if token == "place":
            return Refusal("C8.8", "nobody waits who could be placed")
        return Refusal("C8.7", "«{}» is not for now: new SP and leaders are placed", (token,))

    def _none_waits(self, pos: state.Position, token: Token) -> Refusal:
        if not is_power(token, pos):
            return Refusal("C1.1", "there is no such power")
        name = pos.data.powers[token].name
        if pos.side_of(token) != self.side:
            return Refusal("C8.7", "{} is not on your side", (name,))
        if not any(newcomers(pos, token)):
            return Refusal("C8.7", "nobody of {} waits who may be placed", (name,))
        return Refusal("C8.8", "{} has no fortress to arrive at: they wait a year", (name,))

    def answer(self, draft: state.Draft, actor: Side, action: Place | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
            return
        reinforce(draft, self.side, action)
        resolve_hexes(draft)

    def prompt(self, pos: state.Position, actor: Side) -> str:
        return "Reinforcements: place new SP and leaders on fortresses"


def newcomers(pos: state.Position, power: PowerId) -> tuple[tuple[LeaderId, ...], Bag]:
    """The leaders and SP of a power that wait, the SP as far as the limit of C7.5 lets them on the map."""
    points = min(of(pos.waiting, power), max(0, room_for(pos, power)))
    return leaders_in(pos, power, WAITING), points


def reinforce(draft: state.Draft, side: OwnerId, action: Place) -> None:
    """New SP and leaders join whoever stands there (C8.7)."""
    force = make_stack(draft, action.hex, side, action.inside, action.sp, action.leaders)
    by = "" if garrisoned(draft, side, action.power) else "C8.8"
    draft.waiting -= action.sp
    for leader in action.leaders:
        draft.set_roster(leader, ON_MAP)
    join_stack(draft, force)
    draft.emit(Reinforced.of(side, action.power, force.commander, action, by=by))
    draft.learn(state.enemy_of(side), WATCHER)


STEPS: Final[tuple[Decision, ...]] = (
    LeaderRolls(),  # C8.9
    Redeploying(AUSTRIAN),  # C8.6
    Redeploying(PRUSSIAN),
    Reinforcing(AUSTRIAN),  # C8.7
    Reinforcing(PRUSSIAN),
)
