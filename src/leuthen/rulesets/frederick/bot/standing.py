"""How good it is for a force to stand in a hex: near to its goal, fed, out of danger, in a battle worth fighting."""

from __future__ import annotations

from typing import Final

from leuthen.rulesets.frederick.bot.goals import Goal
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.bot.winter import quarters_term
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.board import Hex
from leuthen.wargame.ways import ENDLESS

NEVER: Final = -1000.0
HUNGER: Final = 3.0
LEAST_GAIN: Final = 0.5
LEAST_CHANCE: Final = 0.5


def score(s: Situation, force: Stack, goal: Goal, here: Hex) -> float:
    """The sum of what speaks for a hex, in SP or in hexes nearer to the goal."""
    value = nearness(s, force, goal, here) + supply_term(s, force, here) + walk_in_term(s, force, here)
    value += meeting_term(s, force, here)
    return value + quarters_term(s, force, here)


def nearness(s: Situation, force: Stack, goal: Goal, here: Hex) -> float:
    """A movement point nearer to the goal is worth one; ways out of supply are longer."""
    if goal.hex < 0:
        return 0.0
    return -float(min(ENDLESS, s.way(force, goal.hex, here)))


def supply_term(s: Situation, force: Stack, here: Hex) -> float:
    """Out of supply an army melts; the way back counts too."""
    if not s.has("supply") or not force.sp:
        return 0.0
    gap = s.gap(force, here)
    return -HUNGER - 0.12 * force.strength - 0.8 * gap if gap else 0.0


def walk_in_term(s: Situation, force: Stack, here: Hex) -> float:
    """A fortress without a garrison is taken by entering."""
    owner = s.pos.owners.get(here)
    if owner is None or owner == s.side or not force.sp or s.held(here, s.foe) or s.neutral >> here & 1:
        return 0.0
    return 0.8 * s.worth(here)


def meeting_term(s: Situation, force: Stack, here: Hex) -> float:
    """A battle that should be won draws, one that should be lost repels, and so does the reach of stronger armies."""
    enemy = s.pos.field(here, s.foe)
    if enemy is None or not enemy.sp:
        return -max(0.0, s.danger(force, here)) if s.has("caution") else 0.0
    if not force.sp or force.demoralized or force.commander < 0:
        return NEVER / 2
    mine = s.joined(force, here)
    odds = s.fight(mine, enemy, here)
    gain = odds.gain(mine.strength, enemy.strength)
    if not s.has("battles"):
        return 0.0 if odds.attacker_wins > 0.2 else NEVER / 2
    if gain < LEAST_GAIN or odds.attacker_wins < LEAST_CHANCE:
        return NEVER / 2
    return gain
