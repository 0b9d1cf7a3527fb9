"""A side's position looked over before it ends a phase, and a line about something left undone."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.ruleset import OTHER, OwnerId
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.state import Position, Stack
from leuthen.rulesets.frederick.screen.hunger import Hungry
from leuthen.rulesets.frederick.screen.reporter import band
from leuthen.wargame.board import Hex
from leuthen.wargame.names import LeaderId


class Review:
    """A side's position before it ends a phase."""

    def __init__(self, data: GameData, pos: Position, side: OwnerId) -> None:
        self.data = data
        self.pos = pos
        self.side = side
        self.book = data.book

    def place(self, here: Hex) -> str:
        return self.book.place(here)

    def name(self, leader: LeaderId) -> str:
        return self.data.leaders[leader].name

    def stack(self, stack: Stack) -> str:
        """A stack of one's own: «Keith, 8 SP, at 1623 Dresden»."""
        who = self.name(stack.commander) if stack.commander >= 0 else "no leader"
        return f"{who}, {stack.strength} SP, {'inside' if stack.inside else 'at'} {self.place(stack.hex)}"

    def enemy(self, stack: Stack) -> str:
        """An enemy stack as it is known."""
        who = self.name(stack.commander) if stack.commander >= 0 else "no leader"
        return f"{who} with {band(stack.low, stack.high)} SP"

    def facing(self) -> Iterator[tuple[Stack, Stack]]:
        """Own field stacks with SP that share a hex with enemy ones."""
        for stack in self.pos.own(self.side):
            enemy = None if stack.inside or not stack.sp else self.pos.field(stack.hex, OTHER[self.side])
            if enemy is not None and enemy.sp:
                yield stack, enemy


def hunger_rule(hungry: Hungry) -> str:
    """The rule by which a stack rolls for attrition: out of supply, or in the open in winter."""
    return "O10.8" if hungry.is_unsupplied else "O14.2"
