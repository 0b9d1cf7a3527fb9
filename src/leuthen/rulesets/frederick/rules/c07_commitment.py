"""C7: the commitment of each minor power, and Russia's change of sides (C7.6)."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done, refuse_with
from leuthen.engine.fields import Values
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import NOBODY, OTHER, WATCHER, Side, as_side
from leuthen.rulesets.frederick.model.actions import Lose
from leuthen.rulesets.frederick.model.data import FRANCE, HANOVER, MINORS
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, Secret, SideDecision, keep_secret
from leuthen.rulesets.frederick.model.events import CommitmentRolled, Disbanded, Modifiers
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, UNKNOWN
from leuthen.rulesets.frederick.model.stacks import band_of, on_map, with_troops
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c02_setup import pick_some
from leuthen.rulesets.frederick.rules.c06_resources import share_of
from leuthen.rulesets.frederick.rules.c11_allegiance import switch
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import StackKey, hex_name, key_hex
from leuthen.wargame.strength import PowerId, bag, of

LOWEST: Final = -1
"""Lowest row of the table (C7.2)."""
WEARY: Final = {1761: -1, 1762: -2}
"""Modifier by the year to come (C7.3)."""
PARTNERS: Final = {FRANCE: HANOVER, HANOVER: FRANCE}
"""Powers with a disadvantage while the other is neutral (C7.3)."""
LONELY: Final = -1


def commitment_modifiers(pos: Position, power: PowerId) -> Modifiers:
    """Return −1 before 1761, −2 before 1762; France and Hanover −1 if the other is neutral, not surrendered (C7.3)."""
    year = pos.year + 1
    parts = [(f"before {year}", WEARY.get(year, 0))]
    other = PARTNERS.get(power)
    if other is not None and pos.is_neutral(other):
        parts.append((f"{pos.data.powers[other].name} is neutral", LONELY))
    return tuple(part for part in parts if part[1])


def commitment(pos: Position, power: PowerId, die: int) -> tuple[int, int, bool]:
    """Return the row of the table, never below −1, its percentage, and whether Russia changes sides (C7.2, C7.6)."""
    row = max(LOWEST, die + sum(points for _, points in commitment_modifiers(pos, power)))
    return row, *pos.data.commitment[row, power]


def room_for(pos: Position, power: PowerId) -> int:
    """Return the number of SP that a power may add to those on the map (C7.5)."""
    limit = pos.data.powers[power].limit
    return limit - on_map(pos, power) if limit else UNKNOWN


def raised(pos: Position, power: PowerId, percent: int) -> int:
    """Return the SP that a power raises, within its limit; SP that wait count, prisoners do not (C7.4, C7.5)."""
    room = room_for(pos, power) - of(pos.waiting, power)
    return max(0, min(share_of(on_map(pos, power), percent), room))


def lost(pos: Position, power: PowerId, percent: int) -> int:
    """Return the SP that a power loses, fractions rounded up as well (C7.4)."""
    return share_of(on_map(pos, power), -percent)


class CommitmentPhase(Decision, rule="C7.1", name="Commitment Phase"):
    """One die for each minor power on a side, in the order of the table (C7.1)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        if self.done == len(MINORS):
            draft.pop()
            return
        power = MINORS[self.done]
        draft.swap(CommitmentPhase(self.done + 1))
        if draft.side_of(power) != NOBODY:
            draft.push(CommitmentRoll(power))


class CommitmentRoll(DieRoll, rule="C7.2", name="Commitment roll"):
    PROMPT = "Commitment: {power}"
    power: PowerId

    def has_lapsed(self, pos: Position) -> bool:
        return pos.side_of(self.power) == NOBODY  # C7.1

    def rolled(self, draft: Draft, die: int) -> None:
        """New SP wait for re-deployment; losses are chosen at once, and then Russia may change sides (C7.6)."""
        power = self.power
        row, percent, switches = commitment(draft, power, die)
        change = raised(draft, power, percent) if percent > 0 else -lost(draft, power, percent)
        side, had, modifiers = draft.side_of(power), on_map(draft, power), commitment_modifiers(draft, power)
        table: Values = {"modifiers": modifiers, "row": row, "percent": percent, "switches": switches}
        draft.emit(CommitmentRolled(side=side, power=power, die=die, **table, had=had, change=change))
        if switches:
            draft.push(RussiaSwitches())
        if percent > 0:
            draft.waiting += bag(power, change)
        elif percent < 0:
            begin_losses(draft, power, percent, -change)


class LossDue(Secret, frozen=True, gc=False, tag="loss-due"):
    """The number of SP a side has still to remove; only the owner knows (C6.5)."""

    left: int = 0


def begin_losses(draft: Draft, power: PowerId, percent: int, points: int) -> None:
    """Let the owner choose lost SP (C7.5); from now on the other side knows less of every stack (O3.3)."""
    side = as_side(draft.side_of(power))
    most = share_of(draft.data.powers[power].limit or UNKNOWN, -percent)
    stacks, draft.known = draft.own(side), Memo()
    for stack in stacks:
        draft.stacks[stack.key] = msgspec.structs.replace(stack, low=max(1, stack.low - most))
    keep_secret(draft, side, LossDue(False, points))
    draft.push(Losses(side, power, percent))


class Losses(SideDecision[Lose | Done], rule="C7.5", name="Losses", neutral=None):
    """The owner chooses which SP a power loses (C7.5); asked even if none can be lost, which is secret."""

    PROMPT = "Commitment: choose which SP of {power} are lost"
    power: PowerId
    percent: int

    def left(self, pos: Position) -> int:
        """Return the number of SP still to go: 0 for a power that has surrendered meanwhile (C11.3)."""
        due = pos.sealed[self.side]
        return min(due.left, on_map(pos, self.power)) if isinstance(due, LossDue) else 0

    def script(self, pos: Position, actor: Side) -> Script[Lose | Done]:
        left = self.left(pos)
        reason = '"{}" is not possible now: {} SP must still be lost' if left else "the loss is complete: choose done"
        refuse = refuse_with("C7.5", reason, left)
        yield Slot("do", ("lose",) if left else ("done",), refuse)
        if not left:
            return Done()
        keys = tuple(stack.key for stack in pos.own(self.side) if of(stack.sp, self.power))
        name = pos.data.powers[self.power].name

        def none_there(token: Token) -> Refusal:
            if not isinstance(token, int) or token < 0:
                return Refusal("C7.5", "a stack with SP of {} is expected", (name,))
            here = key_hex(StackKey(token))
            return Refusal("C7.5", "you have no SP of {} at {}", (name, hex_name(here)), here)

        start = StackKey(int((yield Slot("start", keys, none_there))))
        yield Slot("power", (self.power,), lambda _: Refusal("C7.5", "the SP lost must be those of {}", (name,)))
        points = yield from pick_some(
            "C7.5", "{} SP: from 1 to {} can go here", of(pos.stacks[start].sp, self.power), left
        )
        return Lose(start, self.power, points)

    def answer(self, draft: Draft, actor: Side, action: Lose | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
            keep_secret(draft, self.side, None)
            return
        stack, power, points = draft.stacks[StackKey(action.start)], action.power, action.points
        left = self.left(draft) - points
        keep_secret(draft, self.side, LossDue(False, left))
        # the other side's knowledge of the stack was widened beforehand (C7.5)
        draft.put(with_troops(draft, stack, stack.sp - bag(power, points), stack.leaders, band_of(stack)))
        draft.emit(Disbanded.of(stack, power=power, points=points, left=left))
        draft.learn(OTHER[stack.side], WATCHER)  # a stack may vanish, or show other colours
        resolve_hexes(draft)


class RussiaSwitches(Decision, rule="C7.6", name="Russia changes sides"):
    """Russia passes to the other side after its change of SP (C7.6)."""

    def step(self, draft: Draft) -> None:
        """Its forces follow C7.7; both sides learn their strength."""
        draft.pop()
        switch(draft)
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)
        resolve_hexes(draft)
