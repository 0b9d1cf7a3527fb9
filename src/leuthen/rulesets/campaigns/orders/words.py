"""A line of orders, word by word: what it names in a position."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.actions import GARRISON
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r05_movement.paths import fill_in
from leuthen.rulesets.campaigns.rules.r07_reaction.reacting import Reacting
from leuthen.rulesets.campaigns.rules.r09_supply.check import Toll
from leuthen.rulesets.campaigns.rules.r12_battle.losses import Losses
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.wargame.board import Hex
from leuthen.wargame.grammar import Values
from leuthen.wargame.line_reader import WordReader
from leuthen.wargame.strength import NO_LEADER, LeaderId

INSIDE: Final = "inside"
FORAGE: Final = "forage"
FORT: Final = "fort"
GARRISON_WORD: Final = "garrison"


class Reader(WordReader):
    """The words of a line, in a position, and who speaks."""

    UNIT = "leader or wagon"

    def __init__(self, data: GameData, pos: Position, actor: Side, words: Iterable[str] = ()) -> None:
        super().__init__(data.book, words)
        self.data = data
        self.pos = pos
        self.actor = actor

    def start(self, values: Values) -> Hex | None:
        """Where the path of a march, of a further leg, a reaction or a retreat begins."""
        if "leader" in values:
            return self._hex_of(values["leader"])
        frame = self.pos.frames[-1] if self.pos.frames else None
        if isinstance(frame, Marching):
            return self._hex_of(frame.lead)
        if isinstance(frame, Reacting):
            return self.pos.units[frame.group[0]].hex
        return frame.hex if isinstance(frame, Retreating) else None

    def _hex_of(self, number: LeaderId) -> Hex | None:
        unit = self.pos.units.get(number)
        return unit.hex if unit is not None else None

    def fill_in(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        """A path without its first hex and without gaps. Raises Invalid."""
        return fill_in(self.pos, self.actor, hexes)

    def losers(self) -> list[LeaderId]:
        """The leaders who lose TP now, in the order in which they are asked."""
        frame = self.pos.frames[-1] if self.pos.frames else None
        if isinstance(frame, Losses):
            return frame.leaders(self.pos)
        return list(frame.leaders) if isinstance(frame, Toll) else []

    def likely(self) -> list[LeaderId]:
        return [n for n in self.pos.units if self.pos.side(n) == self.actor]

    def is_goal(self, leader: LeaderId) -> bool:
        """Whether the last word is a town to which a leader goes: Schwerin, unless he stands with that leader."""
        if len(self.words) != 1 or not self.book.towns.exact(self.words[0]):
            return False
        near = self._hex_of(leader)
        return near is None or all(self._hex_of(number) != near for number in self.book.leaders.exact(self.words[0]))

    def holder(self) -> int:
        """A leader, or the hex of a garrison. Raises Invalid."""
        found = self.maybe_unit(self.likely())
        return GARRISON + self.hex() if found is None else found

    def shares(self, known: Container[int], other: str) -> dict[int, int]:
        """Names with their TP up to the end, -1 for a garrison, of those who are known. Raises Invalid."""
        points: dict[int, int] = {}
        while self.words:
            number = NO_LEADER if self.has(GARRISON_WORD) else self.unit()
            if number not in known:
                raise Invalid(f"{self.unit_name(number) if number >= 0 else 'the garrison'} {other}")
            points[number] = self.number("TP")
        return points
