"""O9.3–O9.6, O9.9, O9.10, O9.14: what the die of a battle brings, by the combat table."""

from __future__ import annotations

from typing import Final, NamedTuple

from leuthen.engine.ruleset import OTHER, OwnerId
from leuthen.rulesets.frederick.model.data import NOBODY
from leuthen.rulesets.frederick.model.state import Position, Stack
from leuthen.rulesets.frederick.rules.o05_march.walk import initiative
from leuthen.wargame.board import Hex

LOW_DIE, HIGH_DIE = -1, 9
"""The limits of the modified die (O9.4)."""
CRUSHING: Final = 400
"""The ratio in per cent from which the stronger side crushes the weaker (O9.10)."""
CRUSHED: Final = 25
"""The ratio below which it is the attacker who is crushed."""


def percent_of(percent: int, strength: int) -> int:
    """SP lost: a percentage of a strength to the nearest whole, halves up (O9.5)."""
    return (strength * percent + 50) // 100


def ratio_of(attackers: int, defenders: int) -> int:
    """The attacker's SP in per cent of the defender's, fractions dropped (O9.3)."""
    return attackers * 100 // defenders


def crushed_by(attackers: int, defenders: int) -> bool | None:
    """Whether the attacker crushes the defender without a die, or is crushed (O9.10); None if a die is rolled."""
    ratio = ratio_of(attackers, defenders)
    return ratio >= CRUSHING or (False if ratio < CRUSHED else None)


def modified(pos: Position, attacker: Stack, defender: Stack, here: Hex, die: int) -> int:
    """The die with both bonuses and the mountain, between −1 and 9 (O9.4)."""
    bonus = attack_bonus(pos, attacker) - defence_bonus(pos, defender) - 2 * is_mountain(pos, here)
    return max(LOW_DIE, min(HIGH_DIE, die + bonus))


def attack_bonus(pos: Position, stack: Stack) -> int:
    """The commander's attack bonus."""
    return pos.leader(stack.commander).attack if stack.commander >= 0 else 0


def defence_bonus(pos: Position, stack: Stack) -> int:
    """The commander's defence bonus, 0 without one (O8.4)."""
    return pos.leader(stack.commander).defence if stack.commander >= 0 else 0


def is_mountain(pos: Position, here: Hex) -> bool:
    """Whether a hex is mountain."""
    return bool(pos.data.board.mountains >> here & 1)


def losses_in_percent(pos: Position, ratio: int, result: int) -> tuple[int, int]:
    """What the combat table says: per cent for attacker and defender (O9.9), in the column that holds the ratio."""
    column = max(lowest for lowest in pos.data.columns if lowest <= ratio)
    return pos.data.combat[result, column]


class Result(NamedTuple):
    """What a battle's die brings; pairs are attacker and defender. `winner` is a side or NOBODY."""

    ratio: int
    result: int
    """The modified die (O9.4)."""
    percents: tuple[int, int]
    losses: tuple[int, int]
    scores: tuple[int, int]
    winner: OwnerId
    prisoners: int
    """Taken from the loser."""


def result_of(pos: Position, attacker: Stack, defender: Stack, here: Hex, die: int) -> Result:
    """What a die brings to two stacks in a hex (O9.3–O9.7)."""
    ratio = ratio_of(attacker.strength, defender.strength)
    result = modified(pos, attacker, defender, here, die)
    percents = losses_in_percent(pos, ratio, result)
    losses = percent_of(percents[0], attacker.strength), percent_of(percents[1], defender.strength)
    scores = losses[1] + initiative(pos, attacker), losses[0] + initiative(pos, defender)  # O9.6
    left = attacker.strength - losses[0], defender.strength - losses[1]
    winner = _winner(attacker.side, scores, left)
    taken = min(abs(scores[0] - scores[1]), left[winner == attacker.side]) if winner < NOBODY else 0
    return Result(ratio, result, percents, losses, scores, winner, taken)


def _winner(side: OwnerId, scores: tuple[int, int], left: tuple[int, int]) -> OwnerId:
    """The higher score wins, equal: nobody (O9.6); a side without SP left is never the victor (O9.14)."""
    if not left[0] and not left[1]:
        return NOBODY
    if not left[0] or not left[1]:
        return side if left[0] else OTHER[side]
    if scores[0] == scores[1]:
        return NOBODY
    return side if scores[0] > scores[1] else OTHER[side]
