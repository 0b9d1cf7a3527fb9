"""A line of orders, word by word: what it names in a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.model.actions import GARRISON
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.names import name_book
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r05_movement.paths import fill_in
from leuthen.rulesets.campaigns.rules.r07_reaction.reacting import Reacting
from leuthen.rulesets.campaigns.rules.r09_supply.attrition_losses import Toll
from leuthen.rulesets.campaigns.rules.r12_battle.losses import Losses
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.wargame.board import Hex
from leuthen.wargame.line_reader import WordReader
from leuthen.wargame.names import NameBook
from leuthen.wargame.strength import Bag, bag

INSIDE: Final = "inside"
FORAGE: Final = "forage"
FORT: Final = "fort"
GARRISON_WORD: Final = "garrison"
CHIT_SIDES: Final = ("prussia", "coalition")


class Line:
    """A position with the names of its game, and who speaks."""

    def __init__(self, data: GameData, pos: Position, actor: int) -> None:
        self.data = data
        self.pos = pos
        self.actor = actor
        self.book: NameBook = name_book(data)

    def start(self) -> Hex | None:
        """Where the path of a further leg, a reaction or a retreat begins."""
        frame = self.pos.frames[-1] if self.pos.frames else None
        if isinstance(frame, Marching):
            return self.pos.units[frame.lead].hex if frame.lead in self.pos.units else None
        if isinstance(frame, Reacting):
            return self.pos.units[frame.group[0]].hex
        return frame.hex if isinstance(frame, Retreating) else None

    def hex_of(self, number: int) -> Hex | None:
        """Where a unit stands."""
        unit = self.pos.units.get(number)
        return unit.hex if unit is not None else None

    def losers(self) -> list[int]:
        """The leaders who lose TP now, in the order in which they are asked."""
        frame = self.pos.frames[-1] if self.pos.frames else None
        if isinstance(frame, Losses):
            return frame.leaders(self.pos)
        return list(frame.leaders) if isinstance(frame, Toll) else []


class Reader(WordReader, Line):
    """Reads a line, word by word."""

    def __init__(self, data: GameData, pos: Position, actor: int, words: Sequence[str]) -> None:
        Line.__init__(self, data, pos, actor)
        self.words = list(words)

    def maybe_unit(self) -> int | None:
        """A leader or a wagon, if the next words name one; the beginning of a name is enough for one's own."""
        if not self.words or self.words[0][:1].isdigit():
            return None
        own = [n for n in self.pos.units if self.pos.side(n) == self.actor]
        taken = self.book.leaders.take(self.words, own, strict=True)
        if taken is None:
            return None
        del self.words[: taken[1]]
        return taken[0]

    def unit(self, what: str = "a leader or a wagon") -> int:
        """A leader or a wagon. Raises Invalid or Ambiguous."""
        found = self.maybe_unit()
        if found is None:
            raise Invalid(f"«{self.next(what)}» is no leader or wagon of this game")
        return found

    def units(self, *, before_path: int | None = None) -> tuple[int, ...]:
        """All leaders and wagons that come next, in ascending order; before this leader's path the last may be a town.

        Schwerin is a leader where he stands with that leader, else a town.
        """
        found: list[int] = []
        while self.words and not self._is_goal(before_path) and (number := self.maybe_unit()) is not None:
            found.append(number)
        return tuple(sorted(found))

    def _is_goal(self, leader: int | None) -> bool:
        """Whether the last word is a town to which a leader goes."""
        if leader is None or len(self.words) > 1 or not self.book.towns.exact(self.words[0]):
            return False
        near = self.hex_of(leader)
        return near is None or all(self.hex_of(number) != near for number in self.book.leaders.exact(self.words[0]))

    def nation(self) -> int:
        """A nation. Raises Invalid or Ambiguous."""
        return self.book.powers.find(self.next("a nation"))

    def tp(self) -> Bag:
        """TP by nation: `3 Prussia 2 Hanover`. Raises Invalid."""
        found: Bag = 0
        while self.words:
            points = self.number("TP")
            found += bag(self.nation(), points)
        return found

    def path(self, start: Hex | None) -> tuple[Hex, ...]:
        """A path without its first hex, and what is missing in it. Raises Invalid."""
        text = " ".join(self.words)
        self.words = []
        hexes = self.book.hexes(text) if text else []
        if not hexes or start is None:
            return tuple(hexes)
        whole = hexes if hexes[0] == start else [start, *hexes]
        return fill_in(self.pos, self.actor, whole)

    def way(self) -> tuple[tuple[Hex, ...], bool]:
        """A path, and whether it ends inside."""
        inside = bool(self.words) and self.words[-1].casefold() == INSIDE
        if inside:
            self.words.pop()
        return self.path(self.start()), inside

    def holder(self) -> int:
        """A leader, or the hex of a garrison. Raises Invalid."""
        if self.words and not self.words[0][:1].isdigit():
            found = self.maybe_unit()
            if found is not None:
                return found
        return GARRISON + self.hex()

    def shares(self, names: Sequence[int]) -> tuple[int, ...]:
        """Points by leader, or one number after the other. Raises Invalid."""
        if self.words and self.words[0][:1].isdigit():
            return tuple(self.number("TP") for _ in list(self.words))
        points = dict.fromkeys(names, 0)
        while self.words:
            number = self.unit()
            if number not in points:
                raise Invalid(f"{self.data.leaders[number].name} loses nothing here")
            points[number] = self.number("TP")
        return tuple(points.values())
