"""Odds of single dice: sieges, marches, overwhelming attacks, recovery, retreats, diplomacy, attrition."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from leuthen.engine.ruleset import NOBODY, OTHER, Side, as_side
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events import (
    DiplomacyRolled,
    Overwhelmed,
    Recovered,
    Rolled,
    SiegeRolled,
    SpLost,
    Starved,
)
from leuthen.rulesets.frederick.model.pieces import SIDES, Stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.odds.battle import Spread, ask, spread, told, with_strength
from leuthen.rulesets.frederick.rules.c05_diplomacy import DiplomacyRoll
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o05_march import ForceDie, Marching, attack_overwhelming
from leuthen.rulesets.frederick.rules.o06_force_march import ForceLoss, ForceMarchDie
from leuthen.rulesets.frederick.rules.o09_retreat import Retreating, RetreatRoll
from leuthen.rulesets.frederick.rules.o10_supply import is_supplied
from leuthen.rulesets.frederick.rules.o11_morale import MoraleRoll
from leuthen.rulesets.frederick.rules.o13_siege import SiegeRoll
from leuthen.rulesets.frederick.rules.o14_attrition import AttritionRoll
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import PowerId


class SiegeOdds(msgspec.Struct, frozen=True):
    """Odds of a siege roll (O13.2): each result by name, and the rolls of the six dice."""

    strengths: tuple[int, int]
    results: tuple[tuple[str, Fraction], ...]
    rolls: tuple[SiegeRolled, ...]


class MarchOdds(msgspec.Struct, frozen=True):
    """Movement points of a force (O5.2, O6.1), and the probability of losing 1 SP in a force march."""

    points: Spread
    loss: Fraction


class OverwhelmOdds(msgspec.Struct, frozen=True):
    """The outcome of an overwhelming attack (O5.9), which succeeds against up to `most` SP without a die."""

    force: int
    low: int
    high: int
    most: int

    @property
    def is_certain(self) -> bool:
        return self.high <= self.most

    @property
    def is_hopeless(self) -> bool:
        return self.low > self.most


def siege_odds(pos: Position, side: Side, here: Hex) -> SiegeOdds:
    """Return the odds of a siege roll of `side` in a hex, with the strengths in `pos` (O13.2)."""
    camp, garrison = pos.field(here, side), pos.inside(here, OTHER[side])
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise ValueError("a field stack and an enemy garrison are needed in the hex (O13.1)")
    rolls = [(chance, told(end, SiegeRolled)[0]) for chance, end in ask(pos, SiegeRoll(side, here))]
    results: dict[str, Fraction] = {}
    for chance, roll in rolls:
        results[roll.result] = results.get(roll.result, Fraction(0)) + chance
    return SiegeOdds((camp.strength, garrison.strength), tuple(results.items()), tuple(roll for _, roll in rolls))


def march_odds(pos: Position, force: Stack) -> MarchOdds:
    """Return the movement points of a force before the die of its March Phase (O5.2)."""
    return _march(pos, force, ForceDie(as_side(force.side), Marching(as_side(force.side), 0, False, True)))


def force_march_odds(pos: Position, force: Stack) -> MarchOdds:
    """Return the movement points of a force in a force march, and the probability of losing 1 SP (O6.1)."""
    return _march(pos, force, ForceMarchDie(as_side(force.side), Marching(as_side(force.side), 0, True, True)))


def _march(pos: Position, force: Stack, frame: Decision) -> MarchOdds:
    ends = ask(pos, frame, moving=force)
    points = spread((told(end, Rolled)[0].points, chance) for chance, end in ends)
    loss = (chance for chance, end in ends if told(end, SpLost) or isinstance(end.frames[-1], ForceLoss))
    return MarchOdds(points, sum(loss, Fraction(0)))


def overwhelm_odds(pos: Position, force: Stack, enemy: Stack, low: int, high: int) -> OverwhelmOdds:
    """Return whether a force overwhelms an enemy field stack of `low` to `high` SP (O5.9)."""
    march, most = Marching(as_side(force.side), 6, False, True), 0
    for points in range(low, min(high, force.strength) + 1):
        draft = with_strength(pos, enemy, points)
        draft.frames = (march,)
        draft.set_moving(msgspec.structs.replace(force, hex=enemy.hex, inside=False))
        attack_overwhelming(draft, march)
        if told(draft, Overwhelmed)[0].success:
            most = points
    return OverwhelmOdds(force.strength, low, high, most)


def recovery_odds(pos: Position, stack: Stack) -> Fraction:
    """Return the probability that a demoralized stack recovers in its next phase (O11.2); 0 without a commander."""
    if stack.commander < 0:
        return Fraction(0)
    return Fraction(sum(roll.success for roll in recovery_rolls(pos, stack)), 6)


def recovery_rolls(pos: Position, stack: Stack) -> tuple[Recovered, ...]:
    """Return the morale rolls of a stack with a commander for the dice 1 to 6 (O11.2)."""
    return tuple(told(end, Recovered)[0] for _, end in ask(pos, MoraleRoll(stack.key)))


def retreat_odds(pos: Position, stack: Stack, bonus: int | None = None) -> Spread:
    """Return how many hexes a field stack retreats if beaten in its hex; 0 if it must surrender (O9.7).

    `bonus` is its initiative as it counted in the battle, if that is over.
    """
    counts = initiative(pos, stack) if bonus is None else bonus
    ends = ask(pos, RetreatRoll(as_side(stack.side), stack.hex, counts))
    frames = ((end.frames[-1] if end.frames else None, chance) for chance, end in ends)
    return spread((frame.points if isinstance(frame, Retreating) else 0, chance) for frame, chance in frames)


def diplomacy_odds(pos: Position, power: PowerId, prussian: int, austrian: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the probabilities that a neutral power joins Prussia, Austria or none, with these points (C5.3, C5.4)."""
    results = [roll.result for roll in diplomacy_rolls(pos, power, prussian, austrian)]
    found = [Fraction(results.count(side), len(results)) for side in (*SIDES, NOBODY)]
    return found[0], found[1], found[2]


def diplomacy_rolls(pos: Position, power: PowerId, prussian: int, austrian: int) -> tuple[DiplomacyRolled, ...]:
    """Return the rolls of a power for the dice 1 to 6, with these Diplomacy Points on it (C5.3, C5.4)."""
    ends = ask(pos, DiplomacyRoll(power, prussian, austrian))
    return tuple(told(end, DiplomacyRolled)[0] for _, end in ends)


def attrition_odds(pos: Position, stack: Stack) -> Spread:
    """Return the SP that a stack may lose if it rolls for attrition now (O10.8, O14.2)."""
    return spread((roll.loss or 0, Fraction(1, 6)) for roll in attrition_rolls(pos, stack))


def attrition_rolls(pos: Position, stack: Stack) -> tuple[Starved, ...]:
    """Return the attrition rolls of a stack for the dice 1 to 6, if it rolls now (O10.8, O14.2)."""
    ends = ask(pos, AttritionRoll(stack.key, not is_supplied(pos, stack)))
    return tuple(told(end, Starved)[0] for _, end in ends)
