"""How good it is for a force to stand in a hex: near to its goal, fed, out of danger, in a battle worth fighting."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import inf
from typing import Final

from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.bot.winter import QuartersTerm
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.board import Hex
from leuthen.wargame.ranking import best_first
from leuthen.wargame.ways import ENDLESS

NEVER: Final = -1000.0


class Prospects:
    """What each hex promises to a force with a goal; what is the same in all of them is looked up once."""

    def __init__(self, s: Situation, force: Stack, goal: Goal) -> None:
        self._s = s
        self._force = force
        self._roads = s.roads(force, goal.hex) if goal.hex >= 0 else None
        self._hexes = s.board.distances(goal.hex) if goal.hex >= 0 else {}
        self._gaps = s.gaps(force) if s.has("supply") and force.sp else None
        self._quarters = QuartersTerm(s, force)
        self._is_sound = force.sp > 0 and not force.demoralized and force.commander >= 0
        self._dangers: dict[tuple[int, bool], float] = {}
        self._taste = s.guide.taste(s, force) if s.guide is not None else None

    def better(self, places: Iterable[Hex], most: int, margin: float) -> list[tuple[float, Hex]]:
        """The best places that are better than where the force stands by more than `margin`, and by how much.

        At most so many; equal: the lower number first.

        What an enemy who comes may cost is asked only where it could still matter.
        """
        stay = self.score(self._force.hex)
        bounds = [(bound, here) for here in places if (bound := self._at_best(here)) - stay > margin]
        best = islice(best_first(bounds, self.score), most)
        return [(score - stay, here) for score, here in best if score - stay > margin]

    def _at_best(self, here: Hex) -> float:
        """What a hex does not score more than."""
        if self._s.foe_hexes >> here & 1:
            return inf
        nearness = 0.0 if self._roads is None else -float(min(ENDLESS, self._hexes.get(here, ENDLESS)))
        return nearness + self._supply_term(here) + self._walk_in_term(here) + self._quarters.at(here)

    def score(self, here: Hex) -> float:
        """The sum of what speaks for a hex, in SP or in hexes nearer to the goal."""
        value = self._nearness(here) + self._supply_term(here) + self._walk_in_term(here)
        value += self._meeting_term(here)
        if self._taste is not None:
            value += self._taste(here)
        return value + self._quarters.at(here)

    def _nearness(self, here: Hex) -> float:
        """A movement point nearer to the goal is worth one; ways out of supply are longer."""
        return 0.0 if self._roads is None else -float(min(ENDLESS, self._roads.far(here)))

    def _supply_term(self, here: Hex) -> float:
        """Out of supply an army melts; the way back counts too."""
        gap = 0 if self._gaps is None else self._gaps[here]
        temper = self._s.temper
        return -temper.hunger - temper.melting * self._force.strength - temper.way_back * gap if gap else 0.0

    def _walk_in_term(self, here: Hex) -> float:
        """A fortress without a garrison is taken by entering."""
        s = self._s
        owner = s.pos.owners.get(here)
        if owner is None or owner == s.side or not self._force.sp or s.held(here, s.foe) or s.neutral >> here & 1:
            return 0.0
        return s.temper.walk_in * s.worth(here)

    def _meeting_term(self, here: Hex) -> float:
        """A battle that should be won draws, one that should be lost repels, as does the reach of stronger armies."""
        s = self._s
        enemy = s.pos.field(here, s.foe) if s.foe_hexes >> here & 1 else None
        if enemy is None:
            return -s.temper.caution * max(0.0, self._danger(here)) if s.has("caution") else 0.0
        if not self._is_sound:
            return NEVER / 2
        mine = s.joined(self._force, here)
        odds = s.fight(mine, enemy, here)
        gain = odds.gain(mine.strength, enemy.strength, s.temper.rout)
        if not s.has("battles"):
            return 0.0 if odds.attacker_wins > 0.2 else NEVER / 2
        if gain < s.temper.least_gain or odds.attacker_wins < s.temper.battle_chance:
            return NEVER / 2
        return s.temper.meeting * gain

    def _danger(self, here: Hex) -> float:
        """As the situation has it; the same for all places where the same enemies can strike, friends apart."""
        s = self._s
        coming = s.enemies.coming(here)
        if not coming or not self._force.sp:
            return 0.0
        if here in s.friends:
            return s.danger(self._force, here)
        key = coming, bool(s.board.mountains >> here & 1)
        found = self._dangers.get(key)
        if found is None:
            found = self._dangers[key] = s.danger(self._force, here)
        return found
