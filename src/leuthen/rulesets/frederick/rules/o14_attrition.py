"""O10.8, O11, O14: attrition in every season, winter quarters, and the recovery of demoralized stacks."""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Quarter
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, Phase, next_of, refuse_in_phase
from leuthen.rulesets.frederick.model.events import AllRecovered, Quartered, Recovered, Starved
from leuthen.rulesets.frederick.model.pieces import SIDES, UNKNOWN, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules import o12_fortresses as fortresses
from leuthen.rulesets.frederick.rules.o09_combat import percent_of
from leuthen.rulesets.frederick.rules.o10_supply import feeds, is_besieged, is_supplied, own_depots, supply
from leuthen.wargame.board import Hex, StackKey, as_hex
from leuthen.wargame.strength import EMPTY, lose


class MoraleRecoveryPhase(Decision, rule="O11.2", name="Morale Recovery", tag="morale-phase"):
    """Each demoralized stack of the phasing side with a commander rolls once (O11.2, O11.5)."""

    side: Side
    left: tuple[StackKey, ...] | None = None

    def step(self, draft: Draft) -> None:
        shaken = tuple([stack.key for stack in draft.own(self.side) if stack.demoralized and stack.commander >= 0])
        key = next_of(draft, self, shaken if self.left is None else [key for key in self.left if key in shaken])
        if key is not None:
            draft.push(MoraleRoll(key))


class MoraleRoll(DieRoll, rule="O11.2", name="Morale"):
    """Die + printed initiative of the commander: the target or more recovers (O11.2, option `morale-target`)."""

    stack: StackKey

    def has_lapsed(self, pos: Position) -> bool:
        return self.stack not in pos.stacks or not pos.stacks[self.stack].sp

    def rolled(self, draft: Draft, die: int) -> None:
        stack = draft.stacks[self.stack]
        printed, target = draft.leader(stack.commander).initiative, draft.options.morale_target
        success = die + printed >= target
        draft.emit(Recovered.of(stack, die=die, initiative=printed, target=target, success=success))
        if success:
            rally(draft, stack)


def rally(draft: Draft, stack: Stack) -> None:
    draft.put(msgspec.structs.replace(stack, demoralized=False))
    draft.touched.discard(stack.hex)


class Rally(Decision, rule="O11.3", name="Recovery of all"):
    """All recover in the Grand Strategic sequence (O11.3)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        shaken = [stack for stack in draft.stacks.values() if stack.demoralized]
        for stack in shaken:
            rally(draft, stack)
        if shaken:
            draft.emit(AllRecovered())


class ReinforcementPhase(Phase[Quarter], rule="O14.1", name="Reinforcement", neutral=Done()):
    """From turn 15 on stacks may go into winter quarters (O14.1)."""

    PROMPT = "Winter: send stacks into quarters"

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if pos.is_winter else ()

    def is_evident(self, pos: Position, actor: Side) -> bool:
        """No stack is where quarters could be, supply aside."""
        return not any(fortresses.is_near_quarters(pos, stack) for stack in pos.own(self.side))

    def script(self, pos: Position, actor: Side) -> Script[Quarter | Done]:
        able = [stack for stack in pos.own(self.side) if fortresses.why_not_quarter(pos, stack) is None]
        kinds: tuple[Token, ...] = ("done", "quarter") if able else ("done",)
        if (yield Slot("do", kinds, partial(refuse_in_phase, _NO_QUARTERS), refused=lambda: ("quarter",))) == "done":
            return Done()
        places, refuse = list(dict.fromkeys(stack.hex for stack in able)), partial(self._no_quarters, pos)
        free = dict.fromkeys([stack.hex for stack in pos.own(self.side) if stack.sp and not stack.quartered])
        here = as_hex((yield Slot("hex", places, lambda token: refuse(as_hex(token)), refused=lambda: list(free))))
        ways = [int(stack.inside) for stack in able if stack.hex == here]
        inside = yield Slot("inside", ways, lambda token: self._no_quarters(pos, here, int(token)))
        return Quarter(here, bool(inside))

    def _no_quarters(self, pos: Position, here: Hex, *ways: int) -> Refusal:
        stack = next((stack for stack in pos.stacks_at(here, self.side) if not ways or stack.inside in ways), None)
        if stack is None:
            return Refusal("O14.1", "you have no stack there", (), here)
        return fortresses.why_not_quarter(pos, stack) or Refusal("O14.1", "there are no quarters there", (), here)

    def act(self, draft: Draft, action: Quarter) -> None:
        """A stack in quarters recovers at once (O11.5)."""
        stack = draft.stack_at(action.hex, self.side, action.inside)
        rally(draft, msgspec.structs.replace(stack, quartered=True))
        draft.emit(Quartered.of(stack, enters=True, recovers=stack.demoralized))


_NO_QUARTERS: Final = {"quarter": Refusal("O14.1", "no stack can go into winter quarters")}


class AttritionPhase(Decision, rule="O10.8", name="Attrition"):
    """The side that is not phasing rolls for its stacks out of supply (O10.8), in winter for nearly all (O14.2)."""

    side: Side
    left: tuple[tuple[StackKey, bool], ...] | None = None
    """Keys of stacks, each with whether it is out of supply."""

    def step(self, draft: Draft) -> None:
        """Supply is judged once, as the phase begins (O4.4)."""
        found = next_of(draft, self, _judge(draft, self.side) if self.left is None else _with_sp(draft, self.left))
        if found is not None:
            draft.push(AttritionRoll(*found))


def _with_sp(pos: Position, left: tuple[tuple[StackKey, bool], ...]) -> tuple[tuple[StackKey, bool], ...]:
    """Keep stacks that still have SP: a power may have surrendered since supply was judged (C11.3)."""
    return tuple((key, hungry) for key, hungry in left if key in pos.stacks and pos.stacks[key].sp)


def _judge(draft: Draft, side: OwnerId) -> tuple[tuple[StackKey, bool], ...]:
    found: list[tuple[StackKey, bool]] = []
    for stack in draft.own(side):
        if not stack.sp:
            continue
        hungry = not is_supplied(draft, stack)
        if stack.inside and is_besieged(draft, stack.hex, side):
            # whether a besieged garrison goes hungry tells if it is larger than the place feeds (O13.6)
            most = feeds(draft, stack.hex)
            low, high = (most + 1, UNKNOWN) if stack.strength > most else (1, most)
            if draft.narrow_band(stack, low, high):
                draft.learn(OTHER[side], WATCHER)
        if must_roll(draft, stack, hungry=hungry):
            found.append((stack.key, hungry))
        elif stack.hungry:
            draft.put(msgspec.structs.replace(draft.stacks[stack.key], hungry=0))
    # whether depots under construction have supply when their side rolls attrition (O10.10)
    begun = [(here, depot) for here, depot in own_depots(draft, side) if depot.fed and not depot.complete]
    for here, depot in begun:
        if not supply(draft, side)[draft.data.powers[depot.power].supply] >> here & 1:
            draft.set_depot(here, msgspec.structs.replace(depot, fed=False))
    return tuple(found)


def must_roll(pos: Position, stack: Stack, *, hungry: bool) -> bool:
    """Return whether a stack with SP rolls for attrition: out of supply (O10.8), in winter also in the open (O14.2)."""
    return hungry or (pos.is_winter and not fortresses.is_sheltered(pos, stack))


class AttritionRoll(DieRoll, rule="O10.8", name="Attrition roll"):
    """The die of a stack: +1 for each earlier turn out of supply (O10.8), in winter +1 if out of it (O14.2)."""

    stack: StackKey
    hungry: bool
    more: int = 0
    """+2 at the year's end (O14.6)."""

    def has_lapsed(self, pos: Position) -> bool:
        return not _with_sp(pos, ((self.stack, self.hungry),))

    def rolled(self, draft: Draft, die: int) -> None:
        stack = draft.stacks[self.stack]
        earlier = stack.hungry if self.hungry else 0
        added = earlier + (self.more or int(draft.is_winter and self.hungry))
        percent = attrition_percent(draft, die + added)
        loss = attrition_loss(stack.strength, percent, again=earlier > 0)
        by = "O14.6" if self.more else "" if self.hungry else "O14.2"
        draft.emit(Starved.of(stack, by=by, die=die, added=added, percent=percent, loss=loss))
        # A strength that is known stays known: the loss follows from it (O3.3).
        low = max(1, stack.low - attrition_loss(stack.low, percent, again=earlier > 0))
        high = stack.high
        if high < UNKNOWN:
            high = max(1, high - attrition_loss(high, percent, again=earlier > 0))
        left = draft.with_troops(stack, stack.sp - lose(stack.sp, loss), stack.leaders, (low, high, stack.since))
        draft.put(msgspec.structs.replace(left, hungry=stack.hungry + 1 if self.hungry else 0))
        draft.learn(OTHER[stack.side], WATCHER)  # what vanishes is seen, and what does not
        if loss:
            fortresses.resolve_hexes(draft)
        else:
            draft.touched.discard(stack.hex)


def attrition_percent(pos: Position, roll: int) -> int:
    """Return the percentage for a modified die; the last line of the table holds for all above (O10.8)."""
    table = pos.data.attrition
    return table[min(roll, len(table)) - 1]


def attrition_loss(strength: int, percent: int, *, again: bool) -> int:
    """Return SP lost: nearest whole, halves up, at least 1 from the second turn on and at 10 % or more (O10.8)."""
    least = 1 if percent >= 10 or (again and percent) else 0
    return min(strength, max(least, percent_of(percent, strength)))


class YearsEndAttrition(Decision, rule="O14.6", name="Attrition at the year's end"):
    """Each field stack out of supply rolls once more, with +2; then counts of turns lapse (O14.6)."""

    left: tuple[StackKey, ...] | None = None

    def step(self, draft: Draft) -> None:
        keys = self.left
        if keys is None:
            field = [stack for side in SIDES for stack in draft.own(side) if stack.sp and not stack.inside]
            keys = tuple(stack.key for stack in field if not is_supplied(draft, stack))
        key = next_of(draft, self, [key for key in keys if key in draft.stacks and draft.stacks[key].sp])  # C11.3
        if key is not None:
            draft.push(AttritionRoll(key, True, 2))
            return
        for stack in list(draft.stacks.values()):
            draft.stacks[stack.key] = msgspec.structs.replace(
                stack, hungry=0, quartered=False, marched=EMPTY, resting=EMPTY, resters=()
            )
        draft.forget()
