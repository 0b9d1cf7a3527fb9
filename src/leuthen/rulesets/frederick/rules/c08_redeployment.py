"""C8, C11.1: new leaders, re-deployment, the placing of new SP and leaders, and the exchange of prisoners."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from fractions import Fraction
from functools import partial
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.decision import Done, refuse_with
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import CHANCE, NOBODY, OTHER, WATCHER, ActorId, OwnerId, Side, as_side
from leuthen.rulesets.frederick.model import events, pieces
from leuthen.rulesets.frederick.model.actions import Draw, Free, Offer, Place, Sack
from leuthen.rulesets.frederick.model.data import ALL_POWERS, AUSTRIA, MINORS, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, Phase, SideDecision, next_step
from leuthen.rulesets.frederick.model.state import Draft, Position, is_present
from leuthen.rulesets.frederick.rules import c02_setup as setup
from leuthen.rulesets.frederick.rules.c05_council import has_added_places, room_for
from leuthen.rulesets.frederick.rules.c11_allegiance import home_fortresses
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes, show_move
from leuthen.wargame.board import Hex, StackKey, chosen_hex, hex_name, key_hex, key_inside
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, all_of, as_leader, as_power, bag, of, powers

Landings: TypeAlias = Mapping[Hex, tuple[int, ...]]
"""Possible arrivals: by hex, in the order of the board, in the field (0) or inside (1)."""
BOTH: Final = (0, 1)


def is_barred(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a hex has enemy SP, in the field or inside, or its fortress is the enemy's (O2.7, C5.9, C8.8)."""
    enemy = OTHER[side]
    return pos.owners[here] == enemy or is_present(pos, here, enemy)


def garrisoned_hexes(pos: Position, side: OwnerId, power: PowerId) -> dict[Hex, tuple[int, ...]]:
    """Return friendly fortress hexes with SP of a power, and the ways to arrive there (C8.6, C8.7, C8.10).

    At a besieged fortress they arrive only inside, or not at all (C8.7, C8.10). Saxon SP are no Imperial ones (C1.5).
    """
    shut: tuple[int, ...] = (1,) if pos.options.besieged_redeployment == "allowed" else ()
    theirs = all_of((power,))
    held = {stack.hex for stack in pos.own(side) if stack.sp & theirs and pos.owners.get(stack.hex) == side}
    return {here: shut if is_besieged(pos, here, side) else BOTH for here in sorted(held)}


def destinations(pos: Position, side: OwnerId, power: PowerId) -> Landings:
    """Return the landings of a power's re-deployment (C8.6).

    Also the fortresses of C5.5, without enemy SP and not the enemy's own, even without SP of the power there (C5.9).
    """
    places = garrisoned_hexes(pos, side, power)
    if has_added_places(pos, power):
        for here, fort in pos.data.fortresses.items():
            if fort.star == power and here not in places and not is_barred(pos, here, side):
                places[here] = BOTH
    return {here: places[here] for here in sorted(places) if places[here]}


def arrivals(pos: Position, side: OwnerId, power: PowerId) -> Landings:
    """Return the landings of a power's new SP and leaders (C8.7); with no SP on any fortress hex, those of C8.8."""
    places = garrisoned_hexes(pos, side, power)
    if places:
        return {here: ways for here, ways in places.items() if ways}
    return dict.fromkeys(empty_homes(pos, side, power), BOTH)


def empty_homes(pos: Position, side: OwnerId, power: PowerId) -> list[Hex]:
    """Return home fortresses without enemy SP, not the enemy's (C8.8); those of C5.5 while they are its own (C5.9)."""
    forts = pos.data.fortresses
    homes = [here for here in home_fortresses(pos, power) if forts[here].power == power or pos.owners[here] == side]
    return sorted(here for here in homes if not is_barred(pos, here, side))


def for_leaders(pos: Position, places: Landings, side: OwnerId) -> Landings:
    """Restrict landings for leaders alone, who take nothing (O2.7): inside only where the fortress is friendly."""
    return {here: ways if pos.owners[here] == side else (0,) for here, ways in places.items()}


def without(places: Landings, start: StackKey) -> Landings:
    here, inside = key_hex(start), key_inside(start)
    if here not in places:
        return places
    ways = tuple(way for way in places[here] if way != inside)
    return {**places, here: ways} if ways else {there: both for there, both in places.items() if there != here}


def not_a_landing(pos: Position, side: OwnerId, power: PowerId, rule: str, token: Token) -> Refusal:
    here = chosen_hex(token)
    if here not in pos.data.fortresses:
        return Refusal(rule, "they go only to fortress hexes")
    fort = pos.data.fortresses[here]
    opens = "C8.10"  # the rule that says to whom it is open: by C5.9 and C8.8 also without SP of the power there
    if rule == "C8.6" and fort.star == power and has_added_places(pos, power):
        opens = "C5.9"
    elif rule != "C8.6" and fort.power == power and not garrisoned_hexes(pos, side, power):
        opens = "C8.8"
    if pos.owners[here] != side:
        return Refusal(opens, "{} is not yours", (fort.name,), here)
    if opens != "C8.10" and is_present(pos, here, OTHER[side]):
        return Refusal(opens, "enemy SP are at {}", (fort.name,), here)
    if not any(of(stack.sp, power) for stack in pos.stacks_at(here, side)):
        return Refusal(rule, "no SP of {} are at {}", (pos.data.powers[power].name, fort.name), here)
    if is_besieged(pos, here, side):
        return Refusal("C8.7", "{} is besieged", (fort.name,), here)
    return Refusal(rule, "they are already at {}", (fort.name,), here)


ORDER: Final = (AUSTRIA, PRUSSIA, *MINORS)
"""Order of the leader rolls (C8.9)."""


def leaders_in(pos: Position, power: PowerId, *places: int) -> tuple[LeaderId, ...]:
    return tuple(n for n in pos.data.generals[power] if pos.roster[n] in places)


class LeaderRolls(Decision, rule="C8.9", name="New leaders"):
    """Every power at war rolls for leaders, draws and sacks before the next one does (C8.1, C8.9)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        power = next_step(draft, self, self.done, ORDER)
        if power is not None and draft.side_of(power) != NOBODY:
            draft.push(LeaderRoll(power))


class LeaderRoll(DieRoll, rule="C8.1", name="Leader roll"):
    PROMPT = "Leaders: {power}"
    power: PowerId

    def rolled(self, draft: Draft, die: int) -> None:
        if draft.data.powers[self.power].most_leaders:
            one_leader(draft, self.power, die)
            return
        new, sack = draft.data.leader_table[die - 1]
        here = leaders_in(draft, self.power, pieces.ON_MAP)
        sacks = sack > 0 and len(here) > 1  # C8.3: not the only one
        wanted = new if here else max(1, new)  # C8.4
        drawn = min(wanted, len(leaders_in(draft, self.power, pieces.POOL)))  # C8.9: a short pool gives what it has
        by, note = ("C8.9", "the pool is short") if drawn < new else ("", "")
        if not here and not new:
            by, note = "C8.4", "no leader is left on the map"
        side, power = draft.side_of(self.power), self.power
        draft.emit(events.LeadersRolled(side=side, by=by, power=power, die=die, new=drawn, sack=sacks, note=note))
        if sacks:
            draft.push(Sacking(self.power))
        if drawn:
            draft.push(LeaderDraw(self.power, drawn))
        elif not here:
            send_nameless(draft, self.power)


def one_leader(draft: Draft, power: PowerId, die: int) -> None:
    """Sweden and the Empire: the die changes nothing; a killed or captured leader returns (C8.5)."""
    side = draft.side_of(power)
    note = "the die changes nothing"
    draft.emit(events.LeadersRolled(side=side, by="C8.5", power=power, die=die, new=0, sack=False, note=note))
    if len(leaders_in(draft, power, pieces.ON_MAP, pieces.WAITING)) >= draft.data.powers[power].most_leaders:
        return
    gone = leaders_in(draft, power, pieces.GONE)
    if gone:
        come_into_play(draft, gone[0], "returns")
    elif leaders_in(draft, power, pieces.POOL):
        draft.push(LeaderDraw(power, 1))
    else:
        send_nameless(draft, power)


def send_nameless(draft: Draft, power: PowerId) -> None:
    """Give a power with no leader on the map and none in its pool one with ratings 0 (C8.4)."""
    leader = draft.data.nameless(power)
    if draft.roster[leader] == pieces.WAITING:
        return
    draft.release((leader,))
    come_into_play(draft, leader, "nameless")


def come_into_play(draft: Draft, leader: LeaderId, how: str) -> None:
    """Let a leader wait to be placed; at equal rank the later one is junior, a returning one keeps his place (C8.2)."""
    power, by = draft.leader(leader).power, {"returns": "C8.5", "nameless": "C8.4"}.get(how, "")
    draft.set_roster(leader, pieces.WAITING)
    if how != "returns":
        draft.arrival = (*draft.arrival[:leader], max(draft.arrival) + 1, *draft.arrival[leader + 1 :])
    draft.emit(events.LeaderDrawn(side=draft.side_of(power), by=by, power=power, leader=leader, how=how))


class LeaderDraw(Decision[Draw], rule="C8.2", name="Leader draw"):
    """New leaders are drawn from the pool, all equally likely, and must be played (C8.2, C8.9)."""

    PROMPT = "A leader is drawn for {power}"
    power: PowerId
    left: int

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (CHANCE,)

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        pool = leaders_in(pos, self.power, pieces.POOL)
        return tuple((Draw(leader), Fraction(1, len(pool))) for leader in pool)

    def answer(self, draft: Draft, actor: Side, action: Draw) -> None:
        draft.pop()
        come_into_play(draft, action.leader, "drawn")
        if self.left > 1:
            draft.push(LeaderDraw(self.power, self.left - 1))


class Sacking(Decision[Sack], rule="C8.3", name="Sacking", neutral=None):
    """The owner removes one of the power's leaders on the map for good (C8.3)."""

    PROMPT = "Dismiss one leader of {power}"
    power: PowerId

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (as_side(pos.side_of(self.power)),)

    def script(self, pos: Position, actor: Side) -> Script[Sack]:
        """Leaders drawn in this phase are not on the map yet."""
        yield Slot("do", ("sack",), refuse_with("C8.3", '"{}" is not possible now: dismiss a leader'))
        leaders = leaders_in(pos, self.power, pieces.ON_MAP)
        return Sack(as_leader((yield Slot("leader", leaders, lambda token: self._not_him(pos, token)))))

    def _not_him(self, pos: Position, token: Token) -> Refusal:
        if not setup.is_leader(token, pos):
            return Refusal("O2.2", "there is no such leader")
        name, power = pos.leader(token).name, pos.data.powers[self.power].name
        if pos.leader(token).power != self.power:
            return Refusal("C8.3", "{} is not a leader of {}", (name, power))
        return Refusal("C8.3", "{} is not on the map", (name,))

    def answer(self, draft: Draft, actor: Side, action: Sack) -> None:
        """If he commanded, his successor is now seen."""
        draft.pop()
        stack = draft.remove_leader(action.leader)
        draft.set_roster(action.leader, pieces.GONE)
        draft.emit(events.Sacked(side=stack.side, power=self.power, leader=action.leader))
        if action.leader == stack.commander:
            draft.learn(OTHER[stack.side], WATCHER)
        resolve_hexes(draft)


class RedeploymentPhase(Decision, rule="C8.9", name="Re-deployment Phase"):
    """The Re-deployment Phase: leader dice, then both sides re-deploy, then both place what is new (C8)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        """All are fresh, as the phase begins and again after it, for the year to come."""
        if self.done in (0, len(STEPS)):
            draft.spent, draft.known = {}, Memo()
            for key, stack in draft.stacks.items():
                if stack.marched:
                    draft.stacks[key] = msgspec.structs.replace(stack, marched=EMPTY)
        step = next_step(draft, self, self.done, STEPS)
        if step is not None:
            draft.push(step)


Ways: TypeAlias = tuple[dict[PowerId, Landings], dict[PowerId, tuple[int, ...]]]
"""By power, the landings of its troops, and the stacks that they may leave."""


class Redeploying(Phase[Place], rule="C8.6", name="Re-deployment", neutral=Done()):
    """A side moves SP and leaders, its allies' included, to fortresses; each once, all voluntarily (C8.6).

    Depots never move, and troops that do not move keep their state (C4.4).
    """

    PROMPT = "Re-deployment: move SP and leaders to fortresses"

    def script(self, pos: Position, actor: Side) -> Script[Place | Done]:
        places, starts = self._ways(pos)
        movers = tuple(power for power in places if starts[power])
        kinds = ("done", "place") if movers else ("done",)
        if (yield Slot("do", kinds, _not_here, refused=lambda: ("place",))) == "done":
            return Done()
        refuse = partial(self._cannot_move, pos)
        power = as_power((yield Slot("power", movers, refuse, refused=lambda: range(len(places)))))
        refuse = partial(self._not_from, pos, power)
        start = StackKey(int((yield Slot("start", starts[power], refuse, refused=lambda: self._standing(pos, power)))))
        return (yield from self._move(pos, power, start, without(places[power], start)))

    def _ways(self, pos: Position) -> Ways:

        def can_leave(stack: pieces.Stack, power: PowerId, places: Landings) -> bool:
            pool, points = movable(pos, stack, power)
            if not places or not (pool or points) or is_shut_in(pos, stack):
                return False
            return bool(without(places if points else for_leaders(pos, places, self.side), stack.key))

        def find() -> Ways:
            places: dict[PowerId, Landings] = {power: destinations(pos, self.side, power) for power in ALL_POWERS}
            stacks = pos.own(self.side)
            return places, {
                power: tuple([stack.key for stack in stacks if can_leave(stack, power, ways)])
                for power, ways in places.items()
            }

        return pos.known.get_or_compute(("re-deployment", self.side), find)

    def _move(self, pos: Position, power: PowerId, start: StackKey, places: Landings) -> Script[Place]:
        pool, most = movable(pos, pos.stacks[start], power)
        alone = without(for_leaders(pos, places, self.side), start)
        leaders = yield from setup.pick_leaders(pos, pool, must=not most, rule="C8.6")
        least = int(not leaders or not alone) if most else 0
        points = yield from setup.pick_points(power, least, most, "C8.6", "have not moved yet")
        open_to = places if points else alone
        here = yield from setup.pick_fortress(pos, open_to, partial(not_a_landing, pos, self.side, power, "C8.6"))
        inside = yield Slot("inside", open_to[here], lambda token: self._not_so(pos, here))
        return Place(power, here, bool(inside), leaders, bag(power, points), start)

    def _standing(self, pos: Position, power: PowerId) -> list[StackKey]:
        led = set(pos.data.generals[power])
        return [stack.key for stack in pos.own(self.side) if of(stack.sp, power) or led & {*stack.leaders}]

    def act(self, draft: Draft, action: Place) -> None:
        """Each piece moves once; it is seen, its strength is not (C8.6, O3.4)."""
        stack = draft.stacks[StackKey(action.start)]
        force = draft.detach(stack, action.leaders, action.sp)
        force = msgspec.structs.replace(force, hex=action.hex, inside=action.inside)
        draft.join_stack(force, spent=True)
        draft.spent = {**draft.spent, **dict.fromkeys(action.leaders, pieces.DONE)}
        show_move(draft, events.Redeployed.of(force, leaders=action.leaders, start=stack.hex))

    def _cannot_move(self, pos: Position, token: Token) -> Refusal:
        if not setup.is_power(token, pos):
            return Refusal("C1.1", "there is no such power")
        name = pos.data.powers[token].name
        if pos.side_of(token) != self.side:
            return Refusal("C8.6", "{} is not on your side", (name,))
        if not destinations(pos, self.side, token):
            return Refusal("C8.6", "{} has no SP on a friendly fortress hex to re-deploy to", (name,))
        return Refusal("C8.6", "{} has no more troops to move", (name,))

    def _not_from(self, pos: Position, power: PowerId, token: Token) -> Refusal:
        stack = pos.stacks.get(StackKey(token)) if isinstance(token, int) else None
        if stack is None or stack.side != self.side:
            return Refusal("C8.6", "no stack of yours is there")
        if is_shut_in(pos, stack):
            return Refusal("C8.7", "{} is besieged: its troops cannot leave", (hex_name(stack.hex),), stack.hex)
        return Refusal("C8.6", "{} has no more troops there to move", (pos.data.powers[power].name,), stack.hex)

    def _not_so(self, pos: Position, here: Hex) -> Refusal:
        if pos.owners[here] != self.side:
            return Refusal("O2.7", "leaders alone do not take a fortress", (), here)
        if is_besieged(pos, here, self.side):
            return Refusal("C8.7", "the fortress is besieged: arrivals must go inside", (), here)
        return Refusal("C8.6", "they are already there", (), here)


def _not_here(token: Token) -> Refusal:
    if token == "place":
        return Refusal("C8.6", "there are no more troops to re-deploy")
    return Refusal("C8.6", '"{}" is not possible in the Re-deployment Phase', (token,))


def is_shut_in(pos: Position, stack: pieces.Stack) -> bool:
    """Return whether a garrison is besieged and, by the option `besieged-redeployment`, cannot leave (C8.7)."""
    if pos.options.besieged_redeployment == "allowed" or not stack.inside:
        return False
    return is_besieged(pos, stack.hex, stack.side)


def movable(pos: Position, stack: pieces.Stack, power: PowerId) -> tuple[tuple[LeaderId, ...], Bag]:
    """Return the leaders and SP of a power in a stack that have not moved yet (C8.6)."""
    leaders = (n for n in stack.leaders if n not in pos.spent and pos.leader(n).power == power)
    return tuple(sorted(leaders)), of(stack.sp - stack.marched, power)


class Reinforcing(Phase[Place], rule="C8.7", name="Reinforcements", neutral=None):
    """A side places its new SP and leaders where there is a place for them (C8.7, C8.8).

    It is asked even if nothing waits: the number is secret (C6.5).
    """

    PROMPT = "Reinforcements: place new SP and leaders on fortresses"

    def script(self, pos: Position, actor: Side) -> Script[Place | Done]:
        waiting = [power for power in ALL_POWERS if pos.side_of(power) == self.side and any(newcomers(pos, power))]
        comers = tuple([power for power in waiting if arrivals(pos, self.side, power)])
        yield Slot("do", ("place",) if comers else ("done",), lambda token: self._not_now(token, bool(comers)))
        if not comers:
            return Done()
        power = as_power((yield Slot("power", comers, partial(self._none_waits, pos))))
        pool, most = newcomers(pos, power)
        leaders = yield from setup.pick_leaders(pos, pool, must=not most, rule="C8.7")
        points = yield from setup.pick_points(power, int(not leaders and most > 0), most, "C8.7", "wait to be placed")
        places = arrivals(pos, self.side, power)
        if not points:
            places = for_leaders(pos, places, self.side)
        here = yield from setup.pick_fortress(pos, places, partial(not_a_landing, pos, self.side, power, "C8.7"))
        inside = yield from setup.pick_inside(here, 1 in places[here], "C8.7", outside=0 in places[here])
        return Place(power, here, inside, leaders, bag(power, points))

    def _not_now(self, token: Token, more: bool) -> Refusal:
        if token == "done" and more:
            return Refusal("C8.7", "new SP and leaders must be placed while there is a place for them")
        if token == "place":
            return Refusal("C8.8", "no waiting troops can be placed")
        return Refusal("C8.7", '"{}" is not possible now: place new SP and leaders', (token,))

    def _none_waits(self, pos: Position, token: Token) -> Refusal:
        if not setup.is_power(token, pos):
            return Refusal("C1.1", "there is no such power")
        name = pos.data.powers[token].name
        if pos.side_of(token) != self.side:
            return Refusal("C8.7", "{} is not on your side", (name,))
        if not any(newcomers(pos, token)):
            return Refusal("C8.7", "{} has no waiting troops to place", (name,))
        return Refusal("C8.8", "{} has no fortress to arrive at: its troops wait a year", (name,))

    def act(self, draft: Draft, action: Place) -> None:
        force = draft.make_stack(action.hex, self.side, action.inside, action.sp, action.leaders)
        by = "" if garrisoned_hexes(draft, self.side, action.power) else "C8.8"
        draft.waiting -= action.sp
        for leader in action.leaders:
            draft.set_roster(leader, pieces.ON_MAP)
        draft.join_stack(force)
        show_move(draft, events.Reinforced.of(force, leaders=action.leaders, by=by))


def newcomers(pos: Position, power: PowerId) -> tuple[tuple[LeaderId, ...], Bag]:
    """Return the leaders and SP of a power that wait, the SP within the limit of C7.5."""
    return leaders_in(pos, power, pieces.WAITING), min(of(pos.waiting, power), max(0, room_for(pos, power)))


STEPS: Final[tuple[Decision, ...]] = (
    LeaderRolls(),  # C8.9
    Redeploying(pieces.AUSTRIAN),  # C8.6
    Redeploying(pieces.PRUSSIAN),
    Reinforcing(pieces.AUSTRIAN),  # C8.7
    Reinforcing(pieces.PRUSSIAN),
)


def havens(pos: Position, side: OwnerId, power: PowerId) -> tuple[Hex, ...]:
    """Return where freed men of a power go: friendly fortresses, not besieged, with SP of their nationality (C11.1).

    A power with no SP on any fortress hex: its friendly home fortresses that no enemy SP occupies (C8.8).
    """
    held = garrisoned_hexes(pos, side, power)
    if held:
        return tuple(here for here in held if not is_besieged(pos, here, side))
    return tuple(here for here in empty_homes(pos, side, power) if pos.owners[here] == side)


def countable_prisoners(pos: Position, side: OwnerId, power: PowerId) -> int:
    """Return the prisoners of a power that count: with a place to return to, within the limit of C7.5 (C11.1)."""
    held = of(pos.prisoners[OTHER[side]], power)
    if not held or pos.side_of(power) != side or not havens(pos, side, power):
        return 0
    return max(0, min(held, room_for(pos, power) - of(pos.waiting, power)))


def countable(pos: Position, side: OwnerId) -> dict[PowerId, int]:
    """Return the men of a side in enemy hands that count in the exchange, by power in the order of C1.1."""
    counts = {power: countable_prisoners(pos, side, power) for power in powers(pos.prisoners[OTHER[side]])}
    return {power: count for power, count in counts.items() if count}


def offerable(pos: Position, captor: Side) -> tuple[LeaderId, ...]:
    """Return the captive leaders who could return if offered, in the order of the data (C11.1)."""
    side = OTHER[captor]
    ours = (n for n in pos.captives[captor] if pos.side_of(pos.leader(n).power) == side)
    return tuple(sorted(n for n in ours if havens(pos, side, pos.leader(n).power)))


class PrisonerExchange(Decision, rule="C11.1", name="Prisoner exchange"):
    """On each even turn, in 1756 too (C3.5), before the player turns: SP for SP, then leader for leader (C11.1)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.turn % 2:
            return
        draft.push(LeaderExchange())
        if all(draft.prisoners):
            number = min(sum(countable(draft, side).values()) for side in pieces.SIDES)
            draft.emit(events.ExchangeAgreed(what="prisoners", number=number))
            draft.learn(0, 1, WATCHER)  # it tells both something of what the other has (O3.6)
            if number:
                draft.push(Freeing(pieces.AUSTRIAN, number))
                draft.push(Freeing(pieces.PRUSSIAN, number))


class Freeing(SideDecision[Free], rule="C11.1", name="Freed prisoners", neutral=None):
    """The owner chooses which of his nationalities are freed, and where they return (C11.1)."""

    PROMPT = "Prisoner exchange: choose the power and place of {0.left} returning SP"
    left: int

    def script(self, pos: Position, actor: Side) -> Script[Free]:
        counts = countable(pos, self.side)
        yield Slot("do", ("free",), refuse_with("C11.1", '"{}" is not possible now: {} SP must be freed', self.left))
        power = as_power((yield Slot("power", tuple(counts), lambda token: self._none_held(pos, token))))
        points = yield from setup.pick_some("C11.1", "{} SP: from 1 to {} return", counts[power], self.left)
        return Free(power, points, (yield from pick_haven(pos, self.side, power)))

    def _none_held(self, pos: Position, token: Token) -> Refusal:
        if not setup.is_power(token, pos):
            return Refusal("C1.1", "there is no such power")
        name, held = pos.data.powers[token].name, of(pos.prisoners[OTHER[self.side]], token)
        if pos.side_of(token) != self.side or not held:
            return Refusal("C11.1", "none of your men of {} are prisoners", (name,))
        if not havens(pos, self.side, token):
            return Refusal("C11.1", "the men of {} have no place to return to", (name,))
        return Refusal("C7.5", "{} already has its maximum of SP", (name,))

    def answer(self, draft: Draft, actor: Side, action: Free) -> None:
        draft.pop()
        freed = bag(action.power, action.points)
        draft.hold(OTHER[self.side], -freed)
        if self.left > action.points:
            draft.push(Freeing(self.side, self.left - action.points))
        send_back(draft, self.side, action, freed, ())


class LeaderExchange(Decision, rule="C11.1", name="Exchange of leaders"):
    """Leaders are exchanged one for one in the same way (C11.1)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if not all(draft.captives):
            return
        number = min(len(offerable(draft, captor)) for captor in pieces.SIDES)
        draft.emit(events.ExchangeAgreed(what="leaders", number=number))
        draft.learn(pieces.PRUSSIAN, pieces.AUSTRIAN, WATCHER)
        if number:
            draft.push(LeaderOffers(number))


class LeaderOffers(Decision[Offer], rule="C11.1", name="Offered leaders", neutral=None):
    """The captor chooses whom he offers, the Prussian side first (C11.1). `offered` by captor."""

    PROMPT = "Exchange of leaders, {0.number} for {0.number}: offer a captive"
    number: int
    offered: tuple[tuple[LeaderId, ...], tuple[LeaderId, ...]] = ((), ())

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (pieces.PRUSSIAN,) if len(self.offered[pieces.PRUSSIAN]) < self.number else (pieces.AUSTRIAN,)

    def script(self, pos: Position, actor: Side) -> Script[Offer]:
        yield Slot("do", ("offer",), refuse_with("C11.1", '"{}" is not possible now: offer captive leaders'))
        captives = tuple(n for n in offerable(pos, actor) if n not in self.offered[actor])
        return Offer(as_leader((yield Slot("leader", captives, lambda token: self._not_him(pos, actor, token)))))

    def _not_him(self, pos: Position, captor: Side, token: Token) -> Refusal:
        if not isinstance(token, int) or token not in pos.captives[captor]:
            return Refusal("C11.1", "he is not your prisoner")
        name = pos.leader(LeaderId(token)).name
        if token in self.offered[captor]:
            return Refusal("C11.1", "{} is already offered", (name,))
        return Refusal("C11.1", "{} has no place to return to", (name,))

    def answer(self, draft: Draft, actor: Side, action: Offer) -> None:
        """After both have offered, the owners take their leaders back, the Prussian side first."""
        draft.emit(events.Offered(side=actor, leader=action.leader))
        offered = list(self.offered)
        offered[actor] += (action.leader,)
        first, second = offered
        draft.swap(LeaderOffers(self.number, (first, second)))
        if len(second) == self.number:
            draft.swap(LeaderReturn(pieces.AUSTRIAN, first))
            draft.push(LeaderReturn(pieces.PRUSSIAN, second))


class LeaderReturn(SideDecision[Free], rule="C11.1", name="Freed leaders", neutral=None):
    """The owner chooses where his exchanged leaders return (C11.1)."""

    PROMPT = "Exchange of leaders: where do yours return?"
    leaders: tuple[LeaderId, ...]

    def script(self, pos: Position, actor: Side) -> Script[Free]:
        yield Slot("do", ("free",), refuse_with("C11.1", '"{}" is not possible now: choose where freed leaders return'))
        refuse = refuse_with("C11.1", "he is not one of the exchanged leaders")
        leader = as_leader((yield Slot("leader", self.leaders, refuse)))
        power = pos.leader(leader).power
        yield Slot("power", (power,), refuse_with("C11.1", "that is not his power"))
        yield Slot("points", (0,), refuse_with("C11.1", "leaders return without SP"))
        return Free(power, 0, (yield from pick_haven(pos, self.side, power)), leader)

    def answer(self, draft: Draft, actor: Side, action: Free) -> None:
        """He keeps his old seniority (C8.2)."""
        draft.pop()
        rest = tuple(n for n in self.leaders if n != action.leader)
        if rest:
            draft.push(LeaderReturn(self.side, rest))
        draft.release((action.leader,))
        draft.set_roster(action.leader, pieces.ON_MAP)
        send_back(draft, self.side, action, EMPTY, (action.leader,))


def send_back(draft: Draft, side: OwnerId, action: Free, sp: Bag, leaders: tuple[LeaderId, ...]) -> None:
    """Put freed SP and leaders inside (O15.2); the exchange is open, so both know the number."""
    band = (action.points, action.points, draft.now) if sp else pieces.UNSEEN
    draft.join_stack(draft.make_stack(action.hex, side, True, sp, leaders, None, band))
    power, points, leader = action.power, action.points, action.leader
    show_move(draft, events.Freed(side=side, power=power, points=points, leader=leader, hex=action.hex))


def pick_haven(pos: Position, side: OwnerId, power: PowerId) -> Generator[Slot, Token, Hex]:
    def refuse(token: Token) -> Refusal:
        here = chosen_hex(token)
        if here not in pos.data.fortresses:
            return Refusal("C11.1", "freed prisoners return to fortresses")
        fort, name = pos.data.fortresses[here].name, pos.data.powers[power].name
        if pos.owners[here] != side:
            return Refusal("C11.1", "{} is not yours", (fort,), here)
        if is_besieged(pos, here, side):
            return Refusal("C11.1", "{} is besieged", (fort,), here)
        return Refusal("C11.1", "no SP of {} are at {}", (name, fort), here)

    return (yield from setup.pick_fortress(pos, havens(pos, side, power), refuse))
