"""How good it is for an army to stand in a hex: near to its goal, fed, out of danger, in a battle worth fighting."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from leuthen.rulesets.campaigns.bot.situation import LEAST_GAIN, LEAST_WIN, Goal, Situation
from leuthen.rulesets.campaigns.model.forces import strength
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.rules.r05_walk import GATE, UNABLE
from leuthen.rulesets.campaigns.rules.r09_supply import is_near, need, stock
from leuthen.wargame.board import Hex
from leuthen.wargame.ways import ENDLESS

NEVER: Final = -1000.0
HUNGER: Final = 0.12
"""For each TP that has nothing to eat tonight."""
TETHER: Final = 0.1
"""For each TP that has nothing to eat tomorrow, under a leader who may not march then."""
DANGER: Final = 0.8


def score(s: Situation, units: Sequence[Unit], goal: Goal, here: Hex, left: int) -> float:
    """The sum of what speaks for a hex with so many MP left, in MP nearer to the goal."""
    value = nearness(s, goal, here) + supply_term(s, units, here) + walk_in_term(s, here, left)
    return value + meeting_term(s, units, goal, here) + winter_term(s, units, here)


def at_best(s: Situation, units: Sequence[Unit], goal: Goal, here: Hex, left: int) -> float:
    """What a hex does not score more than: nobody comes to a hex without enemies who does any good."""
    if s.field(here, s.foe):
        return inf
    value = nearness(s, goal, here) + supply_term(s, units, here) + walk_in_term(s, here, left)
    return value + winter_term(s, units, here)


def nearness(s: Situation, goal: Goal, here: Hex) -> float:
    """A movement point nearer to the goal is worth one."""
    return 0.0 if goal.hex < 0 else -float(min(ENDLESS, s.way(here, goal.hex)))


def supply_term(s: Situation, units: Sequence[Unit], here: Hex) -> float:
    """Who cannot pay where no depot is near loses men."""
    tp = strength(units)
    if is_near(s.pos, here, s.side, False):
        return 0.0
    due = need(s.pos, tp)
    have = stock(units)
    if have < due:
        return -HUNGER * tp - 0.5
    if due > 0 and have < 2 * due and s.pos.options.einhorn and all(_is_bound(s, unit) for unit in units):
        return -TETHER * tp
    return -0.3 * due / max(1, have - due + 1)


def _is_bound(s: Situation, unit: Unit) -> bool:
    """Whether a leader may not end a march out of supply, so that he has to keep what the way back costs (V3.1)."""
    return s.pos.leader(unit.number).command <= UNABLE


def walk_in_term(s: Situation, here: Hex, left: int) -> float:
    """A place without men is taken by going in."""
    worth = s.worths.get(here, 0.0)
    if not worth or s.guards(here) or s.holds_field(here):
        return 0.0
    return worth if left >= GATE else 0.7 * worth


def meeting_term(s: Situation, units: Sequence[Unit], goal: Goal, here: Hex) -> float:
    """A battle that should be won draws, one that should be lost repels, and so does the reach of stronger armies."""
    enemy = s.field(here, s.foe)
    if not enemy:
        return -DANGER * s.danger(units, here)
    if here == units[0].hex:
        return 0.0
    mine = s.with_friends(units, here)
    odds = s.fight(mine, enemy, here)
    gain = odds.gain(strength(mine), strength(enemy))
    if gain < LEAST_GAIN or odds.attacker_wins < LEAST_WIN:
        return NEVER
    return gain


def winter_term(s: Situation, units: Sequence[Unit], here: Hex) -> float:
    """In winter an army stands by a depot or an own place (R17.6)."""
    if not s.pos.is_winter or s.pos.owners.get(here) == s.side:
        return 0.0
    return 0.0 if is_near(s.pos, here, s.side, False) else -s.weights.night_outside_cost * strength(units)
