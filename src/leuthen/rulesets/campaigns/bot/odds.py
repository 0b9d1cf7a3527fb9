"""Expected results of a battle, round by round, by the tables (R12, R13)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from leuthen.engine.ruleset import SIDES
from leuthen.rulesets.campaigns.model.forces import commander, nations_in, percent_at, strength, tp_by_nation
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r12_battle import (
    GREAT,
    HUGE,
    LARGE,
    is_shaken,
    morale,
)

DICE: Final = range(1, 7)
TWO_DICE: Final = tuple(sum(1 for a in DICE for b in DICE if a + b > n) / 36 for n in range(13))
"""chance that two dice exceed a number"""
ROUNDS: Final = 6  # nearly every battle ends within these
ROUT: Final = 0.25  # value of a victory beside the losses, as a share of the beaten army
VICTORY: Final = 10.0  # value of winning a great battle, in TP: 2 VP (R16.2)


class Corps(NamedTuple):
    """A force in battle: TP, its commander's ratings and handicaps."""

    tp: int
    command: int
    combat: int
    morale: int
    shaken: bool
    mixed: bool

    def commitment(self, pos: Position) -> int:
        """Return the modifier of the commitment die (R12.3)."""
        size = (self.tp > LARGE) + (self.tp > HUGE) if pos.options.einhorn else 0
        return self.command - 2 - size - self.shaken - (self.mixed and self.command < 3)


class BattleMeans(NamedTuple):
    attacker_loss: float
    defender_loss: float
    attacker_wins: float
    defender_wins: float

    def gain(self, attackers: int, defenders: int) -> float:
        great = VICTORY * (min(attackers, defenders) >= GREAT)
        rout = self.attacker_wins * (ROUT * defenders + great) - self.defender_wins * (ROUT * attackers + great)
        return self.defender_loss - self.attacker_loss + rout


def corps_of(pos: Position, units: Sequence[Unit]) -> Corps:
    led = [unit for unit in units if unit.tp]
    number = commander(pos, led)
    if number < 0:
        return Corps(0, 1, 0, 5, False, False)
    leader = pos.leader(number)
    return Corps(
        strength(led), leader.command, leader.combat, morale(pos, number), is_shaken(pos, number),
        len(nations_in(tp_by_nation(led))) > 1,
    )  # fmt: skip


def battle(pos: Position, attacker: Corps, defender: Corps, ground: tuple[bool, bool]) -> BattleMeans:
    """Return the odds of an attack; `ground`: in a mountain hex, across a river or pass."""
    sides = attacker, defender
    lost, wins, going = [0.0, 0.0], [0.0, 0.0], 1.0
    for number in range(1, ROUNDS + 1):
        strokes = []  # what the enemy loses, by die
        for side, corps in zip(SIDES, sides, strict=True):
            hampered = 2 * ground[0] + (ground[1] and number <= 2) if side == 0 else 0
            tp = _share(pos, corps.commitment(pos), number) * max(0.0, corps.tp - lost[side])
            added = corps.combat - corps.shaken - hampered
            strokes.append([tp * percent_at(pos.data.combat, die + added, 0) / 100 for die in DICE])
        left, ends, mean = _round(sides, lost, strokes)
        wins = [wins[side] + going * ends[side] for side in (0, 1)]
        lost = [lost[side] + going * mean[side] for side in (0, 1)]
        going *= left
        if going < 0.02:
            break
    return BattleMeans(lost[0], lost[1], wins[0], wins[1])


def _share(pos: Position, added: int, number: int) -> float:
    shares = sorted(percent_at(pos.data.commitment, die + added, 1) for die in DICE)
    weights = [((n + 1) / 6) ** number - (n / 6) ** number for n in range(6)]
    return sum(share * weight for share, weight in zip(shares, weights, strict=True)) / 100


def _round(sides: tuple[Corps, Corps], lost: Sequence[float], strokes: Sequence[list[float]]) -> tuple[
    float, tuple[float, float], tuple[float, float]
]:  # fmt: skip
    goes_on, wins = 0.0, [0.0, 0.0]
    for mine in strokes[0]:
        for theirs in strokes[1]:
            breaks = [
                _breaks(sides[0], lost[0], theirs, mine < theirs),
                _breaks(sides[1], lost[1], mine, theirs < mine),
            ]
            both = breaks[0] * breaks[1]
            worse = (lost[0] + theirs) * sides[1].tp >= (lost[1] + mine) * sides[0].tp
            goes_on += (1 - breaks[0]) * (1 - breaks[1])
            wins[0] += breaks[1] - both * worse
            wins[1] += breaks[0] - both * (not worse)
    over = 1 + (1 - goes_on / 36)
    mean = sum(strokes[1]) / 6 * over, sum(strokes[0]) / 6 * over
    return goes_on / 36, (wins[0] / 36, wins[1] / 36), mean


def _breaks(corps: Corps, lost: float, hit: float, worse: bool) -> float:
    """Return the chance that a commander breaks after a loss (R13.1)."""
    if hit < 0.5:
        return 0.0
    if lost + hit >= corps.tp:
        return 1.0
    tenths = min(3, int(10 * (lost + hit) / corps.tp))
    return TWO_DICE[max(0, min(12, corps.morale - tenths - worse))]
