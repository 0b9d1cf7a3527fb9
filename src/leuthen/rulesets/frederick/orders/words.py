"""The words of an order line and their meaning in a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import NOBODY, OTHER, Side
from leuthen.engine.texts import brief, number_of
from leuthen.rulesets.frederick.model.data import AUSTRIA, NO_POWER, PRUSSIA, GameData
from leuthen.rulesets.frederick.model.pieces import SIDES, Stack
from leuthen.rulesets.frederick.model.stacks import locate
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o10_supply import neutral_ground
from leuthen.wargame import paths
from leuthen.wargame.board import Hex, StackKey, bit, hex_set, hexes_of, stack_key
from leuthen.wargame.grammar import Values, WordReader
from leuthen.wargame.paths import Care
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, of, powers

INSIDE: Final = "inside"
OUT: Final = "out"
FROM: Final = "from"
BANG: Final = "!"
ALL: Final = -1
"""As a number of SP: all that may go along."""
OWN: Final = PowerId(-1)
"""As their power: the force's own."""


class Reader(WordReader):
    """The words of a line in a position, for an actor."""

    def __init__(self, data: GameData, pos: Position, actor: Side, words: Iterable[str] = ()) -> None:
        super().__init__(data.book, words)
        self.data = data
        self.pos = pos
        self.actor = actor

    def power_of(self, leader: LeaderId) -> PowerId:
        """Return the power of a leader, or the actor's major."""
        return self.data.leaders[leader].power if 0 <= leader < len(self.data.leaders) else self.major

    @property
    def major(self) -> PowerId:
        return AUSTRIA if self.actor == SIDES[1] else PRUSSIA

    def source(self, here: Hex, inside: bool) -> Stack | None:
        return self.pos.at(here, self.actor, inside)

    def key(self, here: Hex, inside: bool) -> StackKey:
        """Return the key of the actor's stack in a place."""
        return stack_key(here, self.actor if self.actor in SIDES else NOBODY, inside)

    def start(self, values: Values) -> Hex | None:
        """Return the hex where the path of an order begins."""
        stack = locate(self.pos, values["leader"]) if "leader" in values else self.pos.moving
        return stack.hex if stack is not None else None

    def fill_in(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        return fill_in(self.pos, self.actor, hexes)

    def likely(self) -> list[LeaderId]:
        stacks = [*self.pos.stacks.values(), *([self.pos.moving] if self.pos.moving is not None else [])]
        return [leader for stack in stacks if stack.side == self.actor for leader in stack.leaders]

    def captives(self, holder: int) -> list[LeaderId]:
        return list(self.pos.captives[holder]) if holder in SIDES else []

    def leader(self, likely: Iterable[LeaderId] | None = None) -> LeaderId:
        """Read a leader; the beginning of a name is enough. Raises Invalid or Ambiguous."""
        found = self.maybe_unit(self.likely() if likely is None else likely, strict=False)
        return found if found is not None else self.unit(())

    def count(self) -> int:
        """Read `+12` or `+all`. Raises Invalid."""
        text = self.next("a number of SP")[1:].casefold()
        if text == "all":
            return ALL
        count = number_of(text)
        if count is None:
            raise Invalid(f"«+{brief(text)}» is no number of SP: write +12 or +all")
        return count

    def force(
        self, likely: Iterable[LeaderId] | None = None, *, own: PowerId = NO_POWER
    ) -> tuple[list[LeaderId], dict[PowerId, int]]:
        """Read leaders and SP in any order; return the leaders, and SP by power with -1 for the force's own.

        If a path may follow, `own` is the force's own power: as the last word its name is a town's.
        """
        crowd = self.likely() if likely is None else list(likely)
        leaders: list[LeaderId] = []
        counts: dict[PowerId, int] = {}
        while self.words:
            if self.words[0].startswith("+"):
                points = self.count()
                counts[self._named_power(own)] = points
            elif (own != NO_POWER and self._is_goal(crowd)) or (leader := self.maybe_unit(crowd)) is None:
                break
            else:
                leaders.append(leader)
        return leaders, counts

    def _is_goal(self, crowd: list[LeaderId]) -> bool:
        """The last word is a town rather than a leader of that name, who is absent."""
        if len(self.words) > 1 or not self.book.towns.exact(self.words[0]):
            return False
        return not set(self.book.leaders.exact(self.words[0])) & set(crowd)

    def _named_power(self, own: PowerId) -> PowerId:
        found = self.book.powers.exact(self.words[0]) if self.words else []
        if not found or (len(self.words) == 1 and found == [own] and self.book.towns.exact(self.words[0])):
            return OWN
        self.words.pop(0)
        return found[0]

    def strength(self, counts: Mapping[PowerId, int], own: PowerId, most: Bag) -> Bag:
        """Return SP by power as a bag; `most` is the meaning of `+all`."""
        sp = EMPTY
        for named, points in counts.items():
            power = own if named == OWN else named
            if points != ALL:
                sp += bag(power, points)
            else:
                sp += bag(power, of(most, power)) if named != OWN else most
        return sp

    def led(self, sp: Bag, leaders: Iterable[LeaderId]) -> Bag:
        """Return the SP that have a leader of their power (O5.1)."""
        nations = {self.power_of(leader) for leader in leaders}
        return sum(bag(power, of(sp, power)) for power in powers(sp) if power in nations)


def fill_in(pos: Position, actor: Side, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """Complete a path without its first hex, around neutral ground and field enemies if possible. Raises Invalid."""

    def cares(there: Hex) -> Iterator[Care]:
        foes = pos.marks[OTHER[actor]][0] if actor in SIDES else 0
        near = hexes_of(pos.data.board.spread(foes)) if foes else ()
        zone = hex_set(there for there in near if in_zone(pos, there, actor))  # they cost one more (O5.3)
        yield Care(zone, foes, neutral_ground(pos) & ~bit(there))
        yield Care(zone)

    return paths.fill_in(pos.data.board, hexes, cares)
