"""C11.1: the exchange of prisoners on each even turn."""

from __future__ import annotations

from collections.abc import Generator

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import refuse_with
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Free, Offer
from leuthen.rulesets.frederick.model.decisions import Decision, SideDecision
from leuthen.rulesets.frederick.model.events import ExchangeAgreed, Freed, Offered
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, ON_MAP, PRUSSIAN, SIDES, UNSEEN
from leuthen.rulesets.frederick.model.stacks import join_stack, make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c02_setup import is_power, pick_fortress, pick_some
from leuthen.rulesets.frederick.rules.c07_commitment import room_for
from leuthen.rulesets.frederick.rules.c08_redeployment import empty_homes, garrisoned_hexes
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, chosen_hex
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, as_leader, as_power, bag, of, powers


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
    room = room_for(pos, power) - of(pos.waiting, power)
    return max(0, min(held, room))


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
            number = min(sum(countable(draft, side).values()) for side in SIDES)
            draft.emit(ExchangeAgreed(what="prisoners", number=number))
            draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)  # it tells both something of what the other has (O3.6)
            if number:
                draft.push(Freeing(AUSTRIAN, number))
                draft.push(Freeing(PRUSSIAN, number))


class Freeing(SideDecision[Free], rule="C11.1", name="Freed prisoners", neutral=None):
    """The owner chooses which of his nationalities are freed, and where they return (C11.1)."""

    PROMPT = "Prisoner exchange: choose the power and place of {0.left} returning SP"
    left: int

    def script(self, pos: Position, actor: Side) -> Script[Free]:
        counts = countable(pos, self.side)
        yield Slot("do", ("free",), refuse_with("C11.1", '"{}" is not possible now: {} SP must be freed', self.left))
        power = as_power((yield Slot("power", tuple(counts), lambda token: self._none_held(pos, token))))
        points = yield from pick_some("C11.1", "{} SP: from 1 to {} return", counts[power], self.left)
        return Free(power, points, (yield from pick_haven(pos, self.side, power)))

    def _none_held(self, pos: Position, token: Token) -> Refusal:
        if not is_power(token, pos):
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
        number = min(len(offerable(draft, captor)) for captor in SIDES)
        draft.emit(ExchangeAgreed(what="leaders", number=number))
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)
        if number:
            draft.push(LeaderOffers(number))


class LeaderOffers(Decision[Offer], rule="C11.1", name="Offered leaders", neutral=None):
    """The captor chooses whom he offers, the Prussian side first (C11.1). `offered` by captor."""

    PROMPT = "Exchange of leaders, {0.number} for {0.number}: offer a captive"
    number: int
    offered: tuple[tuple[LeaderId, ...], tuple[LeaderId, ...]] = ((), ())

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (PRUSSIAN,) if len(self.offered[PRUSSIAN]) < self.number else (AUSTRIAN,)

    def script(self, pos: Position, actor: Side) -> Script[Offer]:
        yield Slot("do", ("offer",), refuse_with("C11.1", '"{}" is not possible now: offer captive leaders'))
        captives = tuple(n for n in offerable(pos, actor) if n not in self.offered[actor])
        leader = yield Slot("leader", captives, lambda token: self._not_him(pos, actor, token))
        return Offer(as_leader(leader))

    def _not_him(self, pos: Position, captor: Side, token: Token) -> Refusal:
        if not isinstance(token, int) or token not in pos.captives[captor]:
            return Refusal("C11.1", "he is not your prisoner")
        name = pos.leader(LeaderId(token)).name
        if token in self.offered[captor]:
            return Refusal("C11.1", "{} is already offered", (name,))
        return Refusal("C11.1", "{} has no place to return to", (name,))

    def answer(self, draft: Draft, actor: Side, action: Offer) -> None:
        """After both have offered, the owners take their leaders back, the Prussian side first."""
        draft.emit(Offered(side=actor, leader=action.leader))
        first, second = self.offered
        if actor == PRUSSIAN:
            first = (*first, action.leader)
        else:
            second = (*second, action.leader)
        draft.swap(LeaderOffers(self.number, (first, second)))
        if len(second) == self.number:
            draft.swap(LeaderReturn(AUSTRIAN, first))
            draft.push(LeaderReturn(PRUSSIAN, second))


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
        draft.set_roster(action.leader, ON_MAP)
        send_back(draft, self.side, action, EMPTY, (action.leader,))


def send_back(draft: Draft, side: OwnerId, action: Free, sp: Bag, leaders: tuple[LeaderId, ...]) -> None:
    """Put freed SP and leaders inside (O15.2); the exchange is open, so both know the number."""
    band = (action.points, action.points, draft.now) if sp else UNSEEN
    join_stack(draft, make_stack(draft, action.hex, side, True, sp, leaders, None, band))
    draft.emit(Freed(side=side, power=action.power, points=action.points, leader=action.leader, hex=action.hex))
    draft.learn(OTHER[side], WATCHER)
    resolve_hexes(draft)


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

    return (yield from pick_fortress(pos, havens(pos, side, power), refuse))
