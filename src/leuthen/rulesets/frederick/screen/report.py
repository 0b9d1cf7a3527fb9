"""A view in words, the common base of the display modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from leuthen.engine.ruleset import OwnerId, Side
from leuthen.rulesets.frederick.knowledge import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.events import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import SIDES, SeenStack, Stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c12_victory import holders
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.screen.forces import KnownForce, Reporter, band
from leuthen.wargame.board import Hex, stack_key
from leuthen.wargame.strength import Bag, LeaderId, PowerId, by_power

_MARCHES: Final = (MarchPhase, ForceMarchPhase)


class Report(Reporter[GameData, View]):
    """A view with the names of its game, and with a position that the rules can be asked about."""

    SIDE_NAMES = SIDE_NAMES

    def __init__(self, data: GameData, view: View) -> None:
        super().__init__(data, view)
        self.pos: State = complete_view(data, view, AT_LEAST)

    def present(self, here: Hex) -> Iterator[Side]:
        return (side for side in SIDES for inside in (0, 1) if stack_key(here, side, inside) in self.pos.stacks)

    @cached_property
    def all_stacks(self) -> tuple[SeenStack, ...]:
        """All stacks in the order of the board, the force on the march last."""
        moving = self.view.moving
        return (*self.view.stacks, moving) if moving is not None else self.view.stacks

    @cached_property
    def marching(self) -> frozenset[Side]:
        """The sides in a March or Force March Phase."""
        return frozenset(frame.side for frame in self.view.frames if isinstance(frame, _MARCHES))

    @cached_property
    def holders(self) -> dict[Hex, OwnerId]:
        return holders(self.pos)

    @cached_property
    def is_retreat(self) -> bool:
        return any(frame.RETREATS for frame in self.view.frames)

    def is_moving(self, stack: SeenStack) -> bool:
        return stack is self.view.moving

    def drawn(self, stack: SeenStack) -> Stack | None:
        """Return the stack in that position; it is exact only if the viewer knows its side."""
        return self.pos.moving if self.is_moving(stack) else self.pos.stacks.get(stack.key)

    def power(self, power: PowerId) -> str:
        return self.data.powers[power].name if power >= 0 else "–"

    def ratings(self, number: LeaderId) -> str:
        who = self.data.leaders[number]
        return f"{who.initiative}-{who.attack}-{who.defence}"

    def name(self, number: LeaderId) -> str:
        return self.data.leaders[number].name if number >= 0 else "no leader"

    def points(self, sp: Bag) -> str:
        """Return SP by power."""
        return ", ".join(f"{number} {self.power(power)}" for power, number in by_power(sp)) or "none"

    def strength(self, stack: SeenStack) -> str:
        known = self.known(stack, "")
        return band(known.least, known.most)

    def ranked(self, stack: SeenStack) -> tuple[LeaderId, ...]:
        """Return the known leaders of a stack, its commander first."""
        if stack.commander < 0:
            return ()
        return stack.commander, *(n for n in stack.leaders or () if n != stack.commander)

    def who(self, stack: SeenStack) -> str:
        return ", ".join(map(self.leader, self.ranked(stack))) or "no leader"

    def known(self, stack: SeenStack, commander: str) -> KnownForce:
        least, most = (0, 0) if stack.alone else (stack.least, stack.most)
        return KnownForce(commander, stack.inside, self.place(stack.hex), least, most, "SP")
