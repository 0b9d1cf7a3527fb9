"""The enemy's armies: what follows from how they stand holds until one of them moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Final

from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Position, Stack
from leuthen.wargame.board import Hex, Hexes, hex_set
from leuthen.wargame.ways import Ways

THREAT: Final = 2
"""Hexes from which an army threatens a fortress."""


class Enemies:
    """The field stacks of a side with SP."""

    def __init__(self, stacks: Sequence[Stack], ways: Ways, reach: int) -> None:
        """`reach`: hexes over which an army is taken to strike within a turn."""
        self.stacks = stacks
        self.hexes: Hexes = hex_set(stack.hex for stack in stacks)
        self._ways = ways
        self._reach = reach
        self._led = [(stack.hex, stack.strength) for stack in stacks if stack.commander >= 0]
        self._near: dict[tuple[Hex, int], int] = {}
        self._coming: dict[Hex, int] = {}
        self._attackers: dict[int, Stack] = {}

    @cached_property
    def strikers(self) -> list[tuple[Stack, Hexes]]:
        """The armies that may attack, each with the hexes that it may strike within a turn."""
        able = (stack for stack in self.stacks if stack.commander >= 0 and not stack.quartered)
        return [(stack, self._ways.near(stack.hex, self._reach)) for stack in able]

    @cached_property
    def threatening(self) -> Hexes:
        """The hexes near which an army stands."""
        return reduce(or_, [self._ways.near(here, THREAT) for here, points in self._led if points], 0)

    def near(self, here: Hex, far: int) -> int:
        """The SP of those with a leader within some hexes."""
        found = self._near.get((here, far))
        if found is None:
            near = self._ways.near(here, far)
            found = self._near[here, far] = sum([points for there, points in self._led if near >> there & 1])
        return found

    def coming(self, here: Hex) -> int:
        """Who can strike in a hex: a bit for each of the strikers."""
        found = self._coming.get(here)
        if found is None:
            found = sum([1 << number for number, (_, reached) in enumerate(self.strikers) if reached >> here & 1])
            self._coming[here] = found
        return found

    def attacker(self, pos: Position, coming: int, here: Hex) -> Stack:
        """Those who can strike in a hex as one stack, under the leaders of the strongest."""
        found = self._attackers.get(coming)
        if found is None:
            armies = [stack for number, (stack, _) in enumerate(self.strikers) if coming >> number & 1]
            lead = max(armies, key=lambda stack: stack.strength)
            sp = sum(stack.sp for stack in armies)
            found = self._attackers[coming] = make_stack(pos, here, lead.side, False, sp, lead.leaders)
        return found
