"""Exact odds: the rules answer every outcome of chance up to a player's next decision.

For an unknown enemy strength odds are computed for both ends of the known band, and wherever another column of the
combat table begins between them.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Final, TypeAlias, TypeVar

import msgspec

from leuthen.engine.events import Event
from leuthen.engine.ruleset import CHANCE, NOBODY, OTHER, Side, as_side
from leuthen.rulesets.frederick.model import events
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules import o09_combat as combat
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o05_march import ForceDie, ForceLoss, ForceMarchDie, Marching, attack_overwhelming
from leuthen.rulesets.frederick.rules.o10_supply import is_supplied
from leuthen.rulesets.frederick.rules.o14_attrition import AttritionRoll
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import bag

Spread: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Values with their probabilities, from the lowest up; the probabilities sum to one."""
E = TypeVar("E", bound=Event)
T = TypeVar("T")
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
        return combat.ratio_of(*self.strengths)

    def gone(self, who: int) -> Spread:
        """Return the total SP that the attacker (0) or the defender (1) loses: killed and taken."""
        if not self.fights:
            return self.prisoners[who]
        return spread(fight.losses[who] + _prisoners_lost(fight, who) for fight in self.fights)


def shares(values: Iterable[T]) -> dict[T, Fraction]:
    """Return the probabilities of equally likely values, in the order in which they first appear."""
    counts = Counter(values)
    return {value: Fraction(times, counts.total()) for value, times in counts.items()}


def spread(values: Iterable[int]) -> Spread:
    """Return the probabilities of equally likely numbers."""
    return tuple(sorted(shares(values).items()))


def throw(draft: Draft) -> list[Draft]:
    """Return the positions after each result of the die that is due, from 1 to 6."""
    ends, frame = list[Draft](), draft.frames[-1]
    for answer, _ in frame.chances(draft):
        end = Draft(draft)
        end.facts, end.touched = list(draft.facts), set(draft.touched)
        frame.answer(end, CHANCE, answer)
        ends.append(end)
    return ends


def ask(pos: Position, frame: Decision, *, moving: Stack | None = None) -> list[Draft]:
    """Return the results of one die, in a position without any other decision."""
    draft = Draft(pos)
    draft.frames = (frame,)
    draft.set_moving(moving)
    return throw(draft)


def events_of(draft: Draft, kind: type[E]) -> list[E]:
    return [fact for fact in draft.facts if isinstance(fact, kind)]


def rolls(pos: Position, frame: Decision, kind: type[E]) -> tuple[E, ...]:
    """Return the events of the dice 1 to 6 for a decision, such as a siege roll with the strengths in `pos` (O13.2)."""
    return rolls_of(ask(pos, frame), kind)


def rolls_of(ends: Iterable[Draft], kind: type[E]) -> tuple[E, ...]:
    return tuple([events_of(end, kind)[0] for end in ends])


def battle_odds(pos: Position, side: Side, here: Hex) -> BattleOdds:
    """Return the odds of an attack by the field stack of `side` in a hex, with the strengths in `pos` (O9)."""
    first, second = strengths = pos.stack_at(here, side).strength, pos.stack_at(here, OTHER[side]).strength
    draft = Draft(pos)
    draft.frames = ()
    draft.set_moving(None)
    combat.open_battle(draft, side, here)
    if overwhelmed := events_of(draft, events.Overwhelmed):  # O9.10
        won, never = Fraction(overwhelmed[0].side == side), Fraction(0)
        taken = spread([0 if won else first]), spread([second if won else 0])
        return BattleOdds(strengths, won, never, 1 - won, taken, (never, never), (1 - won, won), ())
    ends = throw(draft)
    fights = rolls_of(ends, events.BattleFought)
    winners = shares(fight.winner for fight in fights)

    def fate(word: str) -> tuple[Fraction, Fraction]:
        """Return the probabilities that the commanders meet a fate (O8.3)."""
        rolls = [frame for end in ends for frame in end.frames if isinstance(frame, combat.CommanderRoll)]
        fates = [(roll.side, combat.commander_fate(die, lost=roll.lost)) for roll in rolls for die in range(1, 7)]
        return Fraction(fates.count((side, word)), 36), Fraction(fates.count((OTHER[side], word)), 36)

    win, draw, lose = (winners.get(who, Fraction(0)) for who in (side, NOBODY, OTHER[side]))
    one, two = (spread(_prisoners_lost(fight, who) for fight in fights) for who in (0, 1))
    return BattleOdds(strengths, win, draw, lose, (one, two), fate("killed"), fate("captured"), fights)


def _prisoners_lost(fight: events.BattleFought, who: int) -> int:
    loser = NOBODY if fight.winner == NOBODY else int(fight.winner == fight.side)
    return fight.prisoners if loser == who else 0


def steps_of(pos: Position, mine: int, low: int, high: int, *, attacking: bool) -> list[int]:
    """Return enemy strengths from `low` to `high` at which another column of the combat table begins (O9.3)."""
    columns = (*pos.data.columns, 100 * CRUSHED)
    last = min(high, CRUSHED * mine + 1)

    def column(points: int) -> int:
        return bisect_right(columns, combat.ratio_of(mine, points) if attacking else combat.ratio_of(points, mine))

    firsts = [next(group) for _, group in groupby(range(low, last + 1), column)]
    return sorted({min(low, last), last, *firsts})


def battle_band(pos: Position, side: Side, here: Hex, foe: Side, low: int, high: int) -> Mapping[int, BattleOdds]:
    """Return the odds of an attack of `side` for strengths of `foe` from `low` to `high`, in steps of `steps_of`."""
    mine, theirs = pos.stack_at(here, OTHER[foe]), pos.stack_at(here, foe)
    steps = steps_of(pos, mine.strength, low, high, attacking=side != foe)
    return {points: battle_odds(with_strength(pos, theirs, points), side, here) for points in steps}


def with_stack(pos: Position, stack: Stack) -> Draft:
    """Return the position with a stack in its hex, in place of the one there."""
    draft = Draft(pos)
    draft.put(stack)
    draft.touched.clear()
    return draft


def with_strength(pos: Position, stack: Stack, points: int) -> Draft:
    """Return the position in which a stack has `points` SP, all of the nation that it shows."""
    band = points, points, pos.now
    return with_stack(pos, pos.with_troops(stack, bag(stack.nation, points), stack.leaders, band))


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


def march_odds(pos: Position, force: Stack, *, forced: bool) -> tuple[Spread, Spread]:
    """Return the movement points of a force by its own die, and the SP that it loses in a force march (O5.2, O6.1).

    It is the same die as that of a March Phase.
    """
    side, roll = as_side(force.side), ForceMarchDie if forced else ForceDie
    ends = ask(pos, roll(side, Marching(side, 0, forced, True)), moving=force)
    lost = [bool(events_of(end, events.SpLost)) or isinstance(end.frames[-1], ForceLoss) for end in ends]
    return spread(roll.points for roll in rolls_of(ends, events.Rolled)), spread(map(int, lost))


def overwhelm_odds(pos: Position, force: Stack, enemy: Stack) -> OverwhelmOdds:
    """Return whether a force overwhelms an enemy field stack, by the strengths that it may have (O5.9)."""
    march, most = Marching(as_side(force.side), 6, False, True), 0
    for points in range(enemy.low, min(enemy.high, force.strength) + 1):
        draft = with_strength(pos, enemy, points)
        draft.frames = (march,)
        draft.set_moving(msgspec.structs.replace(force, hex=enemy.hex, inside=False))
        attack_overwhelming(draft, march)
        if events_of(draft, events.Overwhelmed)[0].success:
            most = points
    return OverwhelmOdds(force.strength, enemy.low, enemy.high, most)


def retreat_odds(pos: Position, stack: Stack, bonus: int | None = None) -> Spread:
    """Return how many hexes a field stack retreats if beaten in its hex; 0 if it must surrender (O9.7).

    `bonus` is its initiative as it counted in the battle, if that is over.
    """
    ends = ask(
        pos, combat.RetreatRoll(as_side(stack.side), stack.hex, initiative(pos, stack) if bonus is None else bonus)
    )
    frames = (end.frames[-1] if end.frames else None for end in ends)
    return spread(frame.points if isinstance(frame, combat.Retreating) else 0 for frame in frames)


def attrition_rolls(pos: Position, stack: Stack) -> tuple[events.Starved, ...]:
    """Return the attrition rolls of a stack for the dice 1 to 6, if it rolls now (O10.8, O14.2)."""
    return rolls(pos, AttritionRoll(stack.key, not is_supplied(pos, stack)), events.Starved)
