"""How good it is for a force to stand in a hex: near to its goal, fed, out of danger, in a battle worth fighting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import inf
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.intent import aversion, takes_quarters
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.actions import Quarter
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.wargame.board import Hex
from leuthen.wargame.ranking import best_first
from leuthen.wargame.ways import ENDLESS

NEVER: Final = -1000.0
HUNGER: Final = 3.0
WAY_BACK: Final = 0.8
"""What it costs to end a march out of supply: at all, and for each hex of the way back."""
HARD: Final = 17
"""From this turn on half the winter is over."""


class Prospects:
    """What each hex promises to a force with a goal; what is the same in all of them is looked up once."""

    def __init__(self, s: Situation, force: Stack, goal: Goal) -> None:
        self._s = s
        self._force = force
        self._roads = s.roads(force, goal.hex) if goal.hex >= 0 else None
        self._hexes = s.board.distances(goal.hex) if goal.hex >= 0 else {}
        self._gaps = s.gaps(force) if force.sp else None
        self._quarters = QuartersTerm(s, force)
        self._is_sound = force.sp > 0 and not force.demoralized and force.commander >= 0
        self._dangers: dict[tuple[int, bool], float] = {}
        self._aversion = aversion(s, force)

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
        return value + self._aversion(here) + self._quarters.at(here)

    def _nearness(self, here: Hex) -> float:
        """A movement point nearer to the goal is worth one; ways out of supply are longer."""
        return 0.0 if self._roads is None else -float(min(ENDLESS, self._roads.far(here)))

    def _supply_term(self, here: Hex) -> float:
        """Out of supply an army melts; the way back counts too."""
        gap = 0 if self._gaps is None else self._gaps[here]
        return -HUNGER - self._s.weights.hunger_per_sp * self._force.strength - WAY_BACK * gap if gap else 0.0

    def _walk_in_term(self, here: Hex) -> float:
        """A fortress without a garrison is taken by entering."""
        s = self._s
        owner = s.pos.owners.get(here)
        if owner is None or owner == s.side or not self._force.sp or s.held(here, s.foe) or s.neutral >> here & 1:
            return 0.0
        return s.weights.empty_fortress_value * s.worth(here)

    def _meeting_term(self, here: Hex) -> float:
        """A battle that should be won draws, one that should be lost repels, as does the reach of stronger armies."""
        s = self._s
        enemy = s.pos.field(here, s.foe) if s.foe_hexes >> here & 1 else None
        if enemy is None:
            return -s.weights.danger_per_sp * max(0.0, self._danger(here))
        if not self._is_sound:
            return NEVER / 2
        mine = s.joined(self._force, here)
        odds = s.fight(mine, enemy, here)
        gain = odds.gain(mine.strength, enemy.strength, s.weights.rout_share)
        if gain < s.weights.min_battle_gain or odds.attacker_wins < s.weights.min_battle_chance:
            return NEVER / 2
        return s.weights.march_battle_value * gain

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


class QuartersTerm:
    """Towards winter a place with quarters is worth what the open would cost a force."""

    def __init__(self, s: Situation, force: Stack) -> None:
        looks = s.pos.turn >= s.weights.homeward_turn and force.sp and takes_quarters(s, force)
        self._warm = s.shelters & s.supplied(force) if looks else 0
        self._homeward = s.memory.ways.gaps(self._warm) if self._warm else None
        self._way_home = s.weights.quarters_per_hex
        self._shelter = s.weights.cold_share * force.strength * (1.0 if s.pos.turn < HARD else 0.5)

    def at(self, here: Hex) -> float:
        """What speaks for a hex."""
        if self._homeward is None:
            return 0.0
        return self._shelter if self._warm >> here & 1 else -self._way_home * self._homeward[here]


def quarter_actions(s: Situation) -> Iterator[Action]:
    """Everybody who may go into quarters does so."""
    for stack in s.mine:
        if stack.sp and not stack.quartered and takes_quarters(s, stack):
            yield Quarter(stack.hex, stack.inside)
