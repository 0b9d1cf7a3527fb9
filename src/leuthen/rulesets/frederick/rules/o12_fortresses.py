"""O12: possession of fortresses; O5.10: leaders left alone among enemies; O14.1, O14.4, O14.5: winter quarters.

All are judged whenever a force enters or leaves a hex: `resolve_hexes` does it for the hexes a draft has touched.
"""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot
from leuthen.engine.events import Event
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import NOBODY, OTHER, WATCHER, OwnerId, Side, as_side
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.actions import Refuge
from leuthen.rulesets.frederick.model.decisions import DieRoll, SideDecision, is_on_map, reform
from leuthen.rulesets.frederick.model.events import Fled, LeaderFate, Quartered, Taken
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, DONE, PRUSSIAN, SIDES, Stack
from leuthen.rulesets.frederick.rules.c11_allegiance import capture, check_surrender
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, is_supplied
from leuthen.wargame.board import Hex, as_hex, keys_at
from leuthen.wargame.strength import EMPTY, LeaderId, common


def why_not_quarter(pos: state.Position, stack: Stack) -> Refusal | None:
    """Return the rule that bars a stack from going into winter quarters, or None (O14.1)."""
    if stack.quartered or not stack.sp:
        return Refusal("O14.1", "that stack has no quarters to take", (), stack.hex)
    return has_quarters(pos, stack)


def has_quarters(pos: state.Position, stack: Stack) -> Refusal | None:
    """Return why a stack has no quarters in its hex, or None: all conditions of O14.1 except the phase (O14.4)."""
    here, side = stack.hex, stack.side
    if not _is_roof(pos, here, side):
        return Refusal("O14.1", "quarters are taken in or at a friendly fortress or working depot", (), here)
    if not is_supplied(pos, stack):
        return Refusal("O14.1", "the stack is out of supply", (), here)
    if _is_watched(pos, here, side):
        return Refusal("O14.1", "an enemy field stack is within 1 hex", (), here)
    return None


def _is_roof(pos: state.Position, here: Hex, side: OwnerId) -> bool:
    """A friendly fortress, or a working depot without enemies."""
    depot = pos.depots.get(here)
    works = depot is not None and depot.complete and pos.side_of(depot.power) == side
    return pos.owners.get(here) == side or (works and not state.is_present(pos, here, OTHER[side]))


def _is_watched(pos: state.Position, here: Hex, side: OwnerId) -> bool:
    return bool(state.occupied_hexes(pos)[OTHER[side]][0] & (pos.data.board.rings[here] | 1 << here))


def is_near_quarters(pos: state.Position, stack: Stack) -> bool:
    """Return whether a stack could have quarters by what both sides see; they may not know its supply (O10.12)."""
    here, side = stack.hex, stack.side
    free = bool(stack.sp) and not stack.quartered
    return free and _is_roof(pos, here, side) and not _is_watched(pos, here, side)


def is_sheltered(pos: state.Position, stack: Stack) -> bool:
    """Return whether a stack is in quarters, or inside an unbesieged fortress (O14.2, O14.5)."""
    return stack.quartered or (stack.inside and not is_besieged(pos, stack.hex, stack.side))


def all_in_quarters(pos: state.Position) -> bool:
    """Return whether every stack with SP is in winter quarters, which ends the year (C4.3, O14.3, O14.5).

    Never before turn 15, when quarters open.
    """
    stacks = (stack for side in SIDES for stack in pos.own(side) if stack.sp)
    return pos.is_winter and all(is_sheltered(pos, stack) for stack in stacks)


def judge_quarters(draft: state.Draft, here: Hex) -> None:
    """End quarters if an enemy field stack enters the hex, or too many join the stack (O14.4)."""
    for side in SIDES:
        for stack in draft.stacks_at(here, side):
            if not stack.quartered:
                continue
            if state.is_in_field(draft, here, OTHER[side]):
                _leave(draft, msgspec.structs.replace(stack, resting=EMPTY, resters=()))
            elif stack.resting and has_quarters(draft, stack) is None:
                _keep(draft, msgspec.structs.replace(stack, resting=EMPTY, resters=()))
            elif stack.resting:
                _leave(draft, stack)


def _leave(draft: state.Draft, stack: Stack) -> None:
    """Troops that were in the quarters before others joined stay in the hex (O14.4)."""
    marched = common(stack.sp, stack.marched + stack.resting) if stack.resting else stack.marched
    _keep(draft, msgspec.structs.replace(stack, quartered=False, marched=marched))
    draft.spent = {**draft.spent, **dict.fromkeys(stack.resters, DONE)}
    draft.emit(Quartered.of(stack, by="O14.4", enters=False))


def _keep(draft: state.Draft, stack: Stack) -> None:
    draft.put(stack)
    draft.touched.discard(stack.hex)


def release_resting(draft: state.Draft, side: OwnerId) -> None:
    """Free the troops that had to stay, as the Reinforcement Phase begins (O14.4)."""
    for stack in draft.own(side):
        if stack.resting and not stack.quartered:
            draft.stacks[stack.key] = msgspec.structs.replace(stack, resting=EMPTY, resters=())
            draft.known = Memo()


def resolve_hexes(draft: state.Draft) -> None:
    """Judge the touched hexes: possession, sieges, depots, quarters, lone leaders, and then surrender."""
    fallen, is_winter, marks = False, draft.is_winter, state.occupied_hexes(draft)
    hexes = sorted(draft.touched)
    draft.touched.clear()
    for here in hexes:
        if here in draft.data.fortresses:
            fallen |= _possess(draft, here, marks)
            _keep_siege(draft, here)
        if here in draft.depots:
            _keep_depot(draft, here)
        if is_winter:
            judge_quarters(draft, here)
        for key in keys_at(here):  # leaders without SP among enemies roll one after the other, each once (O5.10)
            stack = draft.stacks.get(key)
            if stack is not None and not stack.sp and state.is_present(draft, here, OTHER[stack.side]):
                waiting = {frame.leader for frame in draft.frames if isinstance(frame, StrayRoll)}
                for leader in reversed([number for number in stack.leaders if number not in waiting]):
                    draft.push(StrayRoll(leader))
                    draft.learn(OTHER[stack.side], WATCHER)  # juniors are named
    if fallen:
        check_surrender(draft)


def show_move(draft: state.Draft, event: Event) -> None:
    """Report what the other side sees move (O3.4), and judge the hexes that were touched."""
    draft.emit(event)
    draft.learn(OTHER[event.side], WATCHER)
    resolve_hexes(draft)


def _possess(draft: state.Draft, here: Hex, marks: tuple[state.Marks, ...]) -> bool:
    """A fortress belongs to the side whose SP are alone in its hex (O12.2, O12.4); in the German States too (C9.6)."""
    owner = draft.owners[here]
    prussian, austrian, neutral = [bool((field | inside) >> here & 1) for field, inside in marks]
    holder: Side = AUSTRIAN if austrian else PRUSSIAN
    if prussian == austrian or holder == owner or neutral:  # O5.19: neutral SP hold their own
        return False
    draft.set_owner(here, holder)
    draft.emit(Taken(side=holder, hex=here, before=owner))
    return True


def judge_left(draft: state.Draft, here: Hex) -> None:
    """Judge what lasts only while SP stay in a hex, as soon as a force has left it (O10.10, O13.8)."""
    _keep_siege(draft, here)
    if here in draft.depots:
        _keep_depot(draft, here)


def _keep_siege(draft: state.Draft, here: Hex) -> None:
    """A siege lasts while the besieger's field SP stay without a break, wherever the garrison fights (O13.7, O13.8)."""
    if here in draft.sieges and not state.is_in_field(draft, here, OTHER[draft.owners[here]]):
        draft.end_siege(here)


def _keep_depot(draft: state.Draft, here: Hex) -> None:
    """A depot is completed only if friendly field SP were there throughout (O10.10)."""
    depot = draft.depots[here]
    side = draft.side_of(depot.power)
    if not depot.complete and depot.held and side != NOBODY and not state.is_in_field(draft, here, side):
        draft.set_depot(here, msgspec.structs.replace(depot, held=False))


CAUGHT: Final = 2
"""Highest die with which a leader without SP among enemies is captured (O5.10)."""


class StrayRoll(DieRoll, rule="O5.10", name="Leader without troops"):
    """A leader without SP among enemies: captured on 1–2 (O5.10)."""

    leader: LeaderId

    def has_lapsed(self, pos: state.Position) -> bool:
        return not is_on_map(pos, self.leader)

    def rolled(self, draft: state.Draft, die: int) -> None:
        """He is captured, also if there are no friends; otherwise he reaches the nearest."""
        draft.learn(0, 1, WATCHER)
        stack = draft.locate(self.leader)
        if stack is None:
            return
        force = draft.detach(stack, (self.leader,), EMPTY)
        draft.touched.discard(stack.hex)  # the others there have their rolls before them already
        havens = nearest_friends(draft, force)
        caught = die <= CAUGHT or not havens
        fate = "captured" if caught else "escapes"
        draft.emit(LeaderFate(side=stack.side, leader=self.leader, hex=stack.hex, die=die, fate=fate))
        if caught:
            capture(draft, self.leader, OTHER[stack.side])
        elif len(havens) == 1:
            flee(draft, self.leader, stack.side, *havens[0])
        else:
            draft.push(RefugeChoice(as_side(stack.side), self.leader, tuple(havens)))


class RefugeChoice(SideDecision[Refuge], rule="O2.8", name="Refuge", tag="refuge", neutral=None):
    """The owner chooses among friendly stacks equally near (O2.8, O5.10)."""

    leader: LeaderId
    havens: tuple[tuple[Hex, bool], ...]

    def has_lapsed(self, pos: state.Position) -> bool:
        return not is_on_map(pos, self.leader)

    def script(self, pos: state.Position, actor: Side) -> Script[Refuge]:
        yield Slot("do", ("refuge",), lambda token: Refusal("O2.8", "name a refuge", (token,)))
        places = tuple(dict.fromkeys(here for here, _ in self.havens))
        here = yield Slot("hex", places, lambda token: Refusal("O2.8", "there is a nearer stack", (), int(token)))
        inner = tuple(inside for there, inside in self.havens if there == here)
        inside = yield Slot("inside", inner, lambda token: Refusal("O2.8", "there is no friendly stack", ()))
        return Refuge(as_hex(here), bool(inside))

    def answer(self, draft: state.Draft, actor: Side, action: Refuge) -> None:
        """His side may still have MP for a march that goes on."""
        draft.pop()
        draft.learn(self.side, WATCHER)
        flee(draft, self.leader, self.side, action.hex, action.inside)

    def prompt(self, pos: state.Position, actor: Side) -> str:
        return f"{pos.leader(self.leader).name} escapes: choose one of the nearest stacks"


def nearest_friends(pos: state.Position, force: Stack) -> list[tuple[Hex, bool]]:
    """Return hex and inside of the nearest friendly stacks with SP, not besieged, or marching (O5.10, O2.8)."""
    distances, march = pos.data.board.distances(force.hex), pos.marcher
    found: set[tuple[int, Hex, bool]] = set()
    for stack in (*pos.own(force.side), *([march] if march is not None and march.side == force.side else ())):
        shut = stack.inside and (stack.hex == force.hex or is_besieged(pos, stack.hex, force.side))
        if stack.sp and not shut and stack.hex in distances:
            found.add((distances[stack.hex], stack.hex, stack.inside))
    least = min(found, default=(0, 0, False))[0]
    return [(here, inside) for far, here, inside in sorted(found) if far == least]


def flee(draft: state.Draft, leader: LeaderId, side: OwnerId, here: Hex, inside: bool) -> None:
    """Move a leader to friends; to those on the march if there are no others in that hex."""
    stack, march = draft.at(here, side, inside), draft.marcher
    if (stack is not None and stack.sp) or inside or march is None or (march.hex, march.side) != (here, side):
        draft.join_stack(draft.make_stack(here, side, inside, EMPTY, (leader,)))
    else:
        draft.set_moving(draft.with_troops(march, march.sp, (*march.leaders, leader), march.band))
        reform(draft, march)
    draft.emit(Fled(side=side, leader=leader, hex=here))
