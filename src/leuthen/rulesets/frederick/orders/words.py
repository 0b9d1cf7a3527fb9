"""A line of orders, word by word: what it names in a position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.frederick.model.data import NO_POWER, NOBODY, GameData
from leuthen.rulesets.frederick.model.names import NameBook, name_book
from leuthen.rulesets.frederick.model.state import SIDES, Position, Stack
from leuthen.rulesets.frederick.orders.paths import fill_in
from leuthen.wargame.board import Hex
from leuthen.wargame.line_reader import WordReader
from leuthen.wargame.strength import EMPTY, Bag, bag, of, powers

INSIDE: Final = "inside"
OUT: Final = "out"
FROM: Final = "from"
BANG: Final = "!"
ALL: Final = -1
"""As a number of SP: all that may go along; as their power: the force's own."""


class Line:
    """A position with the names of its game, and who speaks."""

    def __init__(self, data: GameData, pos: Position, actor: int) -> None:
        self.data = data
        self.pos = pos
        self.actor = actor
        self.book: NameBook = name_book(data)

    def power_of(self, leader: int) -> int:
        """The power of a leader, or that of the actor's major."""
        return self.data.leaders[leader].power if 0 <= leader < len(self.data.leaders) else self.major

    @property
    def major(self) -> int:
        """The actor's major power."""
        return self.actor if self.actor in SIDES else 0

    @property
    def own_power(self) -> int:
        """The power whose SP stand without its name: of the force on the march, else the actor's major."""
        force = self.pos.moving
        return self.power_of(force.commander) if force is not None else self.major

    def source(self, here: Hex, inside: bool) -> Stack | None:
        """The actor's stack in a place."""
        return self.pos.stacks.get(here << 3 | self.actor << 1 | inside)

    def source_power(self, stack: Stack | None) -> int:
        """The power whose SP stand without its name when they leave a stack."""
        return stack.nation if stack is not None and stack.nation >= 0 else self.major

    def key(self, here: Hex, inside: bool) -> int:
        """The key of the actor's stack in a place."""
        return here << 3 | (self.actor if self.actor in SIDES else NOBODY) << 1 | inside


class Reader(WordReader, Line):
    """Reads a line, word by word."""

    def __init__(self, data: GameData, pos: Position, actor: int, words: Sequence[str]) -> None:
        Line.__init__(self, data, pos, actor)
        self.words = list(words)

    def power(self) -> int:
        """A power. Raises Invalid or Ambiguous."""
        return self.book.powers.find(self.next("a power"))

    def maybe_leader(self, likely: Iterable[int], *, strict: bool = True) -> int | None:
        """A leader, if the next words name one; the beginning of a name is enough for the likely. Raises Ambiguous."""
        if not self.words or self.words[0][:1] in ("+", BANG) or self.words[0][:1].isdigit():
            return None
        taken = self.book.leaders.take(self.words, list(likely), strict=strict)
        if taken is None:
            return None
        del self.words[: taken[1]]
        return taken[0]

    def leader(self, likely: Iterable[int] | None = None) -> int:
        """A leader. Raises Invalid or Ambiguous."""
        found = self.maybe_leader(self.comrades() if likely is None else likely, strict=False)
        if found is None:
            raise Invalid(f"«{self.next('a leader')}» is no leader of this game")
        return found

    def comrades(self) -> list[int]:
        """The actor's leaders on the map."""
        stacks = [*self.pos.stacks.values(), *([self.pos.moving] if self.pos.moving is not None else [])]
        return [leader for stack in stacks if stack.side == self.actor for leader in stack.leaders]

    def captives(self) -> list[int]:
        """The leaders whom the actor holds."""
        return list(self.pos.captives[self.actor]) if self.actor in SIDES else []

    def count(self) -> int:
        """SP: `+12` or `+all`. Raises Invalid."""
        text = self.next("a number of SP")[1:].casefold()
        if text == "all":
            return ALL
        if not text.isascii() or not text.isdigit() or len(text) > 4:
            raise Invalid(f"«+{text}» is no number of SP: write +12 or +all")
        return int(text)

    def force(self, likely: Iterable[int] | None = None, *, own: int = NO_POWER) -> tuple[list[int], dict[int, int]]:
        """Leaders and SP in any order: the leaders, and SP by power with -1 for the force's own.

        Where a path may follow, `own` is the force's own power: as the last word its name is a town's.
        """
        crowd = self.comrades() if likely is None else list(likely)
        leaders: list[int] = []
        counts: dict[int, int] = {}
        while self.words:
            if self.words[0].startswith("+"):
                points = self.count()
                counts[self._named_power(own)] = points
            elif (own != NO_POWER and self._is_goal(crowd)) or (leader := self.maybe_leader(crowd)) is None:
                break
            else:
                leaders.append(leader)
        return leaders, counts

    def _is_goal(self, crowd: list[int]) -> bool:
        """Whether the last word is a town rather than a leader of that name, who is not here."""
        if len(self.words) > 1 or not self.book.towns.exact(self.words[0]):
            return False
        return not set(self.book.leaders.exact(self.words[0])) & set(crowd)

    def _named_power(self, own: int) -> int:
        found = self.book.powers.exact(self.words[0]) if self.words else []
        if not found or (len(self.words) == 1 and found == [own] and self.book.towns.exact(self.words[0])):
            return ALL
        self.words.pop(0)
        return found[0]

    def strength(self, counts: Mapping[int, int], own: int, most: Bag) -> Bag:
        """The bag of SP by power; `most` is what `+all` means."""
        sp = EMPTY
        for named, points in counts.items():
            power = own if named == ALL else named
            if points != ALL:
                sp += bag(power, points)
            else:
                sp += bag(power, of(most, power)) if named != ALL else most
        return sp

    def led(self, sp: Bag, leaders: Iterable[int]) -> Bag:
        """Those SP that have a leader of their power (O5.1)."""
        nations = {self.power_of(leader) for leader in leaders}
        return sum(bag(power, of(sp, power)) for power in powers(sp) if power in nations)

    def leg(self, start: Hex | None) -> tuple[tuple[Hex, ...], bool]:
        """A path without its first hex, and whether it ends in an overwhelming attack. Raises Invalid."""
        text = " ".join(self.words)
        self.words = []
        overwhelm = text.endswith(BANG)
        text = text.rstrip(BANG).strip()
        hexes = self.book.hexes(text) if text else []
        if not hexes or hexes == [start]:
            return tuple(hexes), overwhelm
        if start is None:
            return tuple(hexes), overwhelm
        whole = hexes if hexes[0] == start else [start, *hexes]
        return fill_in(self.pos, self.actor, whole), overwhelm
