"""C8.6–C8.8, C8.10: re-deployment, and the placing of new SP and leaders."""

from __future__ import annotations

from functools import partial
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.actions import Done, Place
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events.grand import Redeployed, Reinforced
from leuthen.rulesets.frederick.model.stacks import detach, join_stack, make_stack
from leuthen.rulesets.frederick.rules.c07_commitment import room_for
from leuthen.rulesets.frederick.rules.c08_redeployment import landings
from leuthen.rulesets.frederick.rules.c08_redeployment.new_leaders import LeaderRolls, leaders_in
from leuthen.rulesets.frederick.rules.c08_redeployment.placing import (
    all_fortresses,
    is_power,
    pick_inside,
    pick_leaders,
    pick_points,
)
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, StackKey, as_hex, hex_name
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, as_power, bag, of


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


Ways: TypeAlias = tuple[dict[PowerId, landings.Landings], dict[PowerId, tuple[int, ...]]]
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
        return (yield from self._move(pos, power, start, landings.without(places[power], start, self.side)))

    def _ways(self, pos: state.Position) -> Ways:
        """By power, where its men may go, and the stacks that they may leave."""
        return pos.known.once(("re-deployment", self.side), lambda: self._find_ways(pos))

    def _find_ways(self, pos: state.Position) -> Ways:
        places: dict[PowerId, landings.Landings] = {
            power: landings.destinations(pos, self.side, power) for power in ALL_POWERS
        }
        return places, {power: self._starts(pos, power, places[power]) for power in places}

    def _move(self, pos: state.Position, power: PowerId, start: StackKey, places: landings.Landings) -> Script[Place]:
        pool, most = movable(pos, pos.stacks[start], power)
        alone = landings.without(landings.for_leaders(pos, places, self.side), start, self.side)
        leaders = yield from pick_leaders(pos, pool, must=not most, rule="C8.6")
        least = int(not leaders or not alone) if most else 0
        points = yield from pick_points(power, least, most, "C8.6", "are there that have not been moved yet")
        open_to = places if points else alone
        refuse = partial(landings.not_a_landing, pos, self.side, power, "C8.6")
        here = as_hex((yield Slot("hex", tuple(open_to), refuse, refused=lambda: all_fortresses(pos))))
        inside = yield Slot("inside", open_to[here], lambda token: self._not_so(pos, here))
        return Place(power, here, bool(inside), leaders, bag(power, points), start)

    def _starts(self, pos: state.Position, power: PowerId, places: landings.Landings) -> tuple[int, ...]:
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

    def _may_leave(self, pos: state.Position, stack: state.Stack, power: PowerId, places: landings.Landings) -> bool:
        pool, points = movable(pos, stack, power)
        if not (pool or points) or is_shut_in(pos, stack):
            return False
        return bool(
            landings.without(places if points else landings.for_leaders(pos, places, self.side), stack.key, self.side)
        )

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
        if not landings.destinations(pos, self.side, token):
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


def is_shut_in(pos: state.Position, stack: state.Stack) -> bool:
    """Whether a garrison is besieged and, by the option `besieged-redeployment`, sends nobody (C8.7)."""
    if pos.options.besieged_redeployment == "allowed" or not stack.inside:
        return False
    return is_besieged(pos, stack.hex, stack.side)


def movable(pos: state.Position, stack: state.Stack, power: PowerId) -> tuple[tuple[LeaderId, ...], Bag]:
    """The leaders, in the order of the data, and the SP of a power in a stack that have not been moved yet (C8.6)."""
    leaders = (n for n in stack.leaders if n not in pos.spent and pos.leader(n).power == power)
    return tuple(sorted(leaders)), of(stack.sp - stack.marched, power)


def redeploy(draft: state.Draft, action: Place) -> None:
    """SP and leaders leave one stack and join another; it is seen, their strength is not (C8.6, O3.4)."""
    stack = draft.stacks[StackKey(action.start)]
    force = detach(draft, stack, action.leaders, action.sp)
    force = msgspec.structs.replace(force, hex=action.hex, inside=action.inside)
    join_stack(draft, force, spent=True)
    draft.spent = {**draft.spent, **dict.fromkeys(action.leaders, state.DONE)}
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
        places = landings.arrivals(pos, self.side, power)
        if not points:
            places = landings.for_leaders(pos, places, self.side)
        refuse = partial(landings.not_a_landing, pos, self.side, power, "C8.7")
        here = as_hex((yield Slot("hex", tuple(places), refuse, refused=lambda: all_fortresses(pos))))
        inside = yield from pick_inside(here, 1 in places[here], "C8.7", outside=0 in places[here])
        return Place(power, here, inside, leaders, bag(power, points))

    def _comes(self, pos: state.Position, power: PowerId) -> bool:
        if pos.side_of(power) != self.side or not any(newcomers(pos, power)):
            return False
        return bool(landings.arrivals(pos, self.side, power))

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
    return leaders_in(pos, power, state.WAITING), points


def reinforce(draft: state.Draft, side: OwnerId, action: Place) -> None:
    """New SP and leaders join whoever stands there (C8.7)."""
    force = make_stack(draft, action.hex, side, action.inside, action.sp, action.leaders)
    by = "" if landings.garrisoned(draft, side, action.power) else "C8.8"
    draft.waiting -= action.sp
    for leader in action.leaders:
        draft.set_roster(leader, state.ON_MAP)
    join_stack(draft, force)
    draft.emit(Reinforced.of(side, action.power, force.commander, action, by=by))
    draft.learn(state.enemy_of(side), WATCHER)


STEPS: Final[tuple[Decision, ...]] = (
    LeaderRolls(),  # C8.9
    Redeploying(state.AUSTRIAN),  # C8.6
    Redeploying(state.PRUSSIAN),
    Reinforcing(state.AUSTRIAN),  # C8.7
    Reinforcing(state.PRUSSIAN),
)
