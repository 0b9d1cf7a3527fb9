"""Exact odds: the rules answer every outcome of chance up to a player's next decision.

For an unknown enemy strength odds are computed for both ends of the known band, and wherever another column of the
combat table begins between them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, TypeAlias, TypeVar

import msgspec

from leuthen.engine.events import Event
from leuthen.engine.ruleset import CHANCE, NOBODY, OTHER, Side, as_side
from leuthen.rulesets.frederick.model import events
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.pieces import SIDES, Stack
from leuthen.rulesets.frederick.model.stacks import with_troops
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c05_council import DiplomacyRoll
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o05_march import ForceDie, ForceLoss, ForceMarchDie, Marching, attack_overwhelming
from leuthen.rulesets.frederick.rules.o09_combat import (
    BattleRoll,
    CommanderRoll,
    Retreating,
    RetreatRoll,
    commander_fate,
    open_battle,
    ratio_of,
)
from leuthen.rulesets.frederick.rules.o10_supply import is_supplied
from leuthen.rulesets.frederick.rules.o13_siege import SiegeRoll
from leuthen.rulesets.frederick.rules.o14_attrition import AttritionRoll, MoraleRoll
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import PowerId, bag

Spread: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Values with their probabilities, from the lowest up; the probabilities sum to one."""
E = TypeVar("E", bound=Event)
CRUSHED: Final = 4
"""Ratio that overwhelms (O9.10): beyond it a stronger enemy changes nothing."""


class BattleOdds(msgspec.Struct, frozen=True):
    """The odds of an attack (O9). Pairs are attacker and defender; `win` and `lose` are the attacker's.

    `prisoners` are SP taken from each side; `killed` and `captured` the probabilities of its commander's fate. `fights`
    are the battles of the dice 1 to 6; empty if a side is overwhelmed without a die (O9.10).
    """

    strengths: tuple[int, int]
    win: Fraction
    draw: Fraction
    lose: Fraction
    prisoners: tuple[Spread, Spread]
    killed: tuple[Fraction, Fraction]
    captured: tuple[Fraction, Fraction]
    fights: tuple[events.BattleFought, ...]

    @property
    def ratio(self) -> int:
        """The attacker's SP in per cent of the defender's (O9.3)."""
        return ratio_of(*self.strengths)

    def gone(self, who: int) -> Spread:
        """Return the total SP that the attacker (0) or the defender (1) loses: killed and taken."""
        if not self.fights:
            return self.prisoners[who]
        sums = [fight.losses[who] + _prisoners_lost(fight, who) for fight in self.fights]
        return spread((points, Fraction(1, len(sums))) for points in sums)


def spread(parts: Iterable[tuple[int, Fraction]]) -> Spread:
    """Add up the probabilities of equal values."""
    sums: dict[int, Fraction] = {}
    for value, chance in parts:
        sums[value] = sums.get(value, Fraction(0)) + chance
    return tuple(sorted(sums.items()))


def unfold(draft: Draft, kinds: tuple[type[Decision], ...]) -> Iterator[tuple[Fraction, Draft]]:
    """Yield every outcome of chance for decisions of these kinds, with its probability."""
    frame = draft.frames[-1] if draft.frames else None
    if frame is None or not isinstance(frame, kinds):
        yield Fraction(1), draft
        return
    for answer, chance in frame.chances(draft):
        branch = Draft(draft)
        branch.facts, branch.touched = list(draft.facts), set(draft.touched)
        frame.answer(branch, CHANCE, answer)
        for rest, end in unfold(branch, kinds):
            yield chance * rest, end


def ask(pos: Position, frame: Decision, *, moving: Stack | None = None) -> list[tuple[Fraction, Draft]]:
    """Return the outcomes of one decision of chance, in a position without any other decision."""
    draft = Draft(pos)
    draft.frames = (frame,)
    draft.set_moving(moving)
    return list(unfold(draft, (type(frame),)))


def events_of(draft: Draft, kind: type[E]) -> list[E]:
    return [fact for fact in draft.facts if isinstance(fact, kind)]


def battle_odds(pos: Position, side: Side, here: Hex) -> BattleOdds:
    """Return the odds of an attack by the field stack of `side` in a hex, with the strengths in `pos` (O9)."""
    mine, theirs = pos.field(here, side), pos.field(here, OTHER[side])
    if mine is None or not mine.sp or theirs is None or not theirs.sp:
        raise ValueError("two field stacks with SP are needed in the hex (O9.1)")
    strengths = mine.strength, theirs.strength
    draft = Draft(pos)
    draft.frames = ()
    draft.set_moving(None)
    open_battle(draft, side, here)
    if overwhelmed := events_of(draft, events.Overwhelmed):  # O9.10
        won, never, nothing = Fraction(overwhelmed[0].side == side), Fraction(0), ((0, Fraction(1)),)
        taken = (nothing, ((strengths[1], Fraction(1)),)) if won else (((strengths[0], Fraction(1)),), nothing)
        return BattleOdds(strengths, won, never, 1 - won, taken, (never, never), (1 - won, won), ())
    ends = [end for _, end in unfold(draft, (BattleRoll,))]  # by the die, from 1 to 6
    fights = tuple(events_of(end, events.BattleFought)[0] for end in ends)
    winners = [fight.winner for fight in fights]

    def fate(word: str) -> tuple[Fraction, Fraction]:
        """Return the probabilities that the commanders meet a fate (O8.3)."""
        rolls = [frame for end in ends for frame in end.frames if isinstance(frame, CommanderRoll)]
        fates = [(roll.side, commander_fate(die, lost=roll.lost)) for roll in rolls for die in range(1, 7)]
        return Fraction(fates.count((side, word)), 36), Fraction(fates.count((OTHER[side], word)), 36)

    win, draw, lose = (Fraction(winners.count(who), 6) for who in (side, NOBODY, OTHER[side]))
    one, two = (spread((_prisoners_lost(fight, who), Fraction(1, 6)) for fight in fights) for who in (0, 1))
    return BattleOdds(strengths, win, draw, lose, (one, two), fate("killed"), fate("captured"), fights)


def _prisoners_lost(fight: events.BattleFought, who: int) -> int:
    loser = NOBODY if fight.winner == NOBODY else int(fight.winner == fight.side)
    return fight.prisoners if loser == who else 0


def steps_of(pos: Position, mine: int, low: int, high: int, *, attacking: bool) -> list[int]:
    """Return enemy strengths from `low` to `high` at which another column of the combat table begins (O9.3)."""
    columns = (*pos.data.columns, 100 * CRUSHED)
    last = min(high, CRUSHED * mine + 1)
    found = {min(low, last): None, last: None}
    before = -1
    for points in range(low, last + 1):
        column = bisect_right(columns, ratio_of(mine, points) if attacking else ratio_of(points, mine))
        if column != before:
            found[points] = None
        before = column
    return sorted(found)


def battle_band(pos: Position, side: Side, here: Hex, foe: Side, low: int, high: int) -> Mapping[int, BattleOdds]:
    """Return the odds of an attack of `side` for strengths of `foe` from `low` to `high`, in steps of `steps_of`."""
    mine, theirs = pos.field(here, OTHER[foe]), pos.field(here, foe)
    if mine is None or theirs is None:
        raise ValueError("two field stacks are needed in the hex (O9.1)")
    steps = steps_of(pos, mine.strength, low, high, attacking=side != foe)
    return {points: battle_odds(with_strength(pos, theirs, points), side, here) for points in steps}


def with_strength(pos: Position, stack: Stack, points: int) -> Draft:
    """Return the position in which a stack has `points` SP, all of the nation that it shows."""
    draft = Draft(pos)
    draft.put(with_troops(pos, stack, bag(stack.nation, points), stack.leaders, (points, points, pos.now)))
    draft.touched.clear()
    return draft


class SiegeOdds(msgspec.Struct, frozen=True):
    """Odds of a siege roll (O13.2): each result by name, and the rolls of the six dice."""

    results: tuple[tuple[str, Fraction], ...]
    rolls: tuple[events.SiegeRolled, ...]


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
    rolls = [(chance, events_of(end, events.SiegeRolled)[0]) for chance, end in ask(pos, SiegeRoll(side, here))]
    results: dict[str, Fraction] = {}
    for chance, roll in rolls:
        results[roll.result] = results.get(roll.result, Fraction(0)) + chance
    return SiegeOdds(tuple(results.items()), tuple(roll for _, roll in rolls))


def march_odds(pos: Position, force: Stack) -> MarchOdds:
    """Return the movement points of a force before the die of its March Phase (O5.2)."""
    return _march_odds(pos, force, ForceDie(as_side(force.side), Marching(as_side(force.side), 0, False, True)))


def force_march_odds(pos: Position, force: Stack) -> MarchOdds:
    """Return the movement points of a force in a force march, and the probability of losing 1 SP (O6.1)."""
    return _march_odds(pos, force, ForceMarchDie(as_side(force.side), Marching(as_side(force.side), 0, True, True)))


def _march_odds(pos: Position, force: Stack, frame: Decision) -> MarchOdds:
    ends = ask(pos, frame, moving=force)
    points = spread((events_of(end, events.Rolled)[0].points, chance) for chance, end in ends)
    loss = (chance for chance, end in ends if events_of(end, events.SpLost) or isinstance(end.frames[-1], ForceLoss))
    return MarchOdds(points, sum(loss, Fraction(0)))


def overwhelm_odds(pos: Position, force: Stack, enemy: Stack, low: int, high: int) -> OverwhelmOdds:
    """Return whether a force overwhelms an enemy field stack of `low` to `high` SP (O5.9)."""
    march, most = Marching(as_side(force.side), 6, False, True), 0
    for points in range(low, min(high, force.strength) + 1):
        draft = with_strength(pos, enemy, points)
        draft.frames = (march,)
        draft.set_moving(msgspec.structs.replace(force, hex=enemy.hex, inside=False))
        attack_overwhelming(draft, march)
        if events_of(draft, events.Overwhelmed)[0].success:
            most = points
    return OverwhelmOdds(force.strength, low, high, most)


def recovery_odds(pos: Position, stack: Stack) -> Fraction:
    """Return the probability that a demoralized stack recovers in its next phase (O11.2); 0 without a commander."""
    if stack.commander < 0:
        return Fraction(0)
    return Fraction(sum(roll.success for roll in recovery_rolls(pos, stack)), 6)


def recovery_rolls(pos: Position, stack: Stack) -> tuple[events.Recovered, ...]:
    """Return the morale rolls of a stack with a commander for the dice 1 to 6 (O11.2)."""
    return tuple(events_of(end, events.Recovered)[0] for _, end in ask(pos, MoraleRoll(stack.key)))


def retreat_odds(pos: Position, stack: Stack, bonus: int | None = None) -> Spread:
    """Return how many hexes a field stack retreats if beaten in its hex; 0 if it must surrender (O9.7).

    `bonus` is its initiative as it counted in the battle, if that is over.
    """
    ends = ask(pos, RetreatRoll(as_side(stack.side), stack.hex, initiative(pos, stack) if bonus is None else bonus))
    frames = ((end.frames[-1] if end.frames else None, chance) for chance, end in ends)
    return spread((frame.points if isinstance(frame, Retreating) else 0, chance) for frame, chance in frames)


def diplomacy_odds(pos: Position, power: PowerId, prussian: int, austrian: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the probabilities that a neutral power joins Prussia, Austria or none, with these points (C5.3, C5.4)."""
    results = [roll.result for roll in diplomacy_rolls(pos, power, prussian, austrian)]
    found = [Fraction(results.count(side), len(results)) for side in (*SIDES, NOBODY)]
    return found[0], found[1], found[2]


def diplomacy_rolls(pos: Position, power: PowerId, prussian: int, austrian: int) -> tuple[events.DiplomacyRolled, ...]:
    """Return the rolls of a power for the dice 1 to 6, with these Diplomacy Points on it (C5.3, C5.4)."""
    ends = ask(pos, DiplomacyRoll(power, prussian, austrian))
    return tuple(events_of(end, events.DiplomacyRolled)[0] for _, end in ends)


def attrition_odds(pos: Position, stack: Stack) -> Spread:
    """Return the SP that a stack may lose if it rolls for attrition now (O10.8, O14.2)."""
    return spread((roll.loss or 0, Fraction(1, 6)) for roll in attrition_rolls(pos, stack))


def attrition_rolls(pos: Position, stack: Stack) -> tuple[events.Starved, ...]:
    """Return the attrition rolls of a stack for the dice 1 to 6, if it rolls now (O10.8, O14.2)."""
    ends = ask(pos, AttritionRoll(stack.key, not is_supplied(pos, stack)))
    return tuple(events_of(end, events.Starved)[0] for _, end in ends)
