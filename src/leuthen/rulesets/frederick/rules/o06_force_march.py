"""O6: the Force March of the side that is not phasing."""

from __future__ import annotations

from leuthen.engine.choice import Refusal, Script, Slot
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, WATCHER, Side, as_side
from leuthen.rulesets.frederick.model.actions import Lose, PhaseAction, Shift
from leuthen.rulesets.frederick.model.decisions import SideDecision, reform
from leuthen.rulesets.frederick.model.events import SpLost
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import less_one
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.o05_forces import MOST, initiative
from leuthen.rulesets.frederick.rules.o05_march import (
    RunningDie,
    grant_points,
    is_at_rest,
    phase_script,
    set_out,
    shift,
)
from leuthen.wargame.strength import PowerId, as_power, bag, powers


class ForceMarchPhase(SideDecision[PhaseAction], rule="O6.1", name="Force March", neutral=Done()):
    """Each force of the side that is not phasing may try once (O6.1), out of an enemy's hex or into one (O6.2)."""

    PROMPT = "Force March Phase: choose a force that tries one"

    def is_evident(self, pos: Position, actor: Side) -> bool:
        return is_at_rest(pos, self.side)

    def script(self, pos: Position, actor: Side) -> Script[PhaseAction]:
        """Name a force (O6.3), go in or out of a fortress (O5.11), or end the phase."""
        return phase_script(pos, self.side, 0, forced=True)

    def answer(self, draft: Draft, actor: Side, action: PhaseAction) -> None:
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Shift):
            shift(draft, self.side, action)
        else:
            set_out(draft, self.side, action, 0, ForceMarchDie, forced=True)


class ForceMarchDie(RunningDie, rule="O6.1", name="Force march die"):
    def rolled(self, draft: Draft, die: int) -> None:
        """A sum above 6 costs the force 1 SP; the winter's MP come off later (O6.3)."""
        force = grant_points(draft, self.march, die)
        if die + initiative(draft, force) <= MOST or not force.sp:
            return
        first, *others = powers(force.sp)
        if others:
            draft.push(ForceLoss(as_side(force.side)))
        else:
            _lose_one(draft, force, first)


def _lose_one(draft: Draft, force: Stack, power: PowerId) -> None:
    draft.set_moving(less_one(draft, force, bag(power, 1)))
    reform(draft, force)
    draft.emit(SpLost(side=force.side, hex=force.hex, power=power))
    draft.learn(OTHER[force.side], WATCHER)


class ForceLoss(SideDecision[Lose], rule="O6.1", name="Loss of a force march", neutral=None):
    """The owner chooses which power loses the SP (O6.1)."""

    PROMPT = "Force march: choose of which power 1 SP is lost"

    def lapses(self, pos: Position) -> bool:
        """The force has left the game with its power (C11.3)."""
        return pos.moving is None

    def script(self, pos: Position, actor: Side) -> Script[Lose]:
        force = pos.force
        yield Slot("do", ("lose",), lambda token: Refusal("O6.1", "the loss of 1 SP comes first"))
        yield Slot("start", (force.key,), lambda token: Refusal("O6.1", "the force itself loses the SP", (), force.hex))
        nations = tuple(powers(force.sp))
        power = yield Slot("power", nations, lambda token: Refusal("O6.1", "that power has no SP here", (), force.hex))
        yield Slot("points", (1,), lambda token: Refusal("O6.1", "exactly 1 SP is lost", (), force.hex))
        return Lose(force.key, as_power(power), 1)

    def answer(self, draft: Draft, actor: Side, action: Lose) -> None:
        draft.pop()
        _lose_one(draft, draft.force, action.power)
