"""O11: demoralized stacks recover."""

from __future__ import annotations

import msgspec

from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll
from leuthen.rulesets.frederick.model.events import AllRecovered, Recovered
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.wargame.board import StackKey


class MoraleRecoveryPhase(Decision, rule="O11.2", name="Morale Recovery", tag="morale-phase"):
    """Each demoralized stack of the phasing side with a commander rolls once (O11.2, O11.5)."""

    side: Side
    left: tuple[StackKey, ...] | None = None

    def step(self, draft: Draft) -> None:
        shaken = tuple([stack.key for stack in draft.own(self.side) if stack.demoralized and stack.commander >= 0])
        keys = shaken if self.left is None else tuple(key for key in self.left if key in shaken)
        if not keys:
            draft.pop()
            return
        draft.swap(MoraleRecoveryPhase(self.side, keys[1:]))
        draft.push(MoraleRoll(keys[0]))


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
    """End the demoralization of a stack."""
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
