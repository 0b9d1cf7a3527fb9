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
from leuthen.engine.ruleset import CHANCE, NOBODY, OTHER, OwnerId, Side
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events import BattleFought, Overwhelmed
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import changed
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.o09_combat import (
    BattleRoll,
    CommanderRoll,
    commander_fate,
    open_battle,
    ratio_of,
)
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import bag

Spread: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Values with their probabilities, from the lowest up; the probabilities sum to one."""
E = TypeVar("E", bound=Event)
CRUSHED: Final = 4
"""Ratio that overwhelms (O9.10): beyond it a stronger enemy changes nothing."""


class BattleOdds(msgspec.Struct, frozen=True):
    """The odds of an attack (O9). Pairs are attacker and defender; `win` and `lose` are the attacker's.

    `losses` are SP killed and `prisoners` SP taken from each side; `killed` and `captured` the probabilities of its
    commander's fate. `crushed` is the side overwhelmed without a die (O9.10), or NOBODY. `fights` are the battles of
    the dice 1 to 6; empty if a side is crushed.
    """

    strengths: tuple[int, int]
    win: Fraction
    draw: Fraction
    lose: Fraction
    losses: tuple[Spread, Spread]
    prisoners: tuple[Spread, Spread]
    killed: tuple[Fraction, Fraction]
    captured: tuple[Fraction, Fraction]
    crushed: int
    fights: tuple[BattleFought, ...]

    @property
    def ratio(self) -> int:
        """The attacker's SP in per cent of the defender's (O9.3)."""
        return ratio_of(*self.strengths)

    def gone(self, who: int) -> Spread:
        """Return the total SP that the attacker (0) or the defender (1) loses: killed and taken."""
        if not self.fights:
            return self.prisoners[who]
        sums = [fight.losses[who] + _taken(fight, who) for fight in self.fights]
        return spread((points, Fraction(1, len(sums))) for points in sums)


def spread(parts: Iterable[tuple[int, Fraction]]) -> Spread:
    """Add up the probabilities of equal values."""
    sums: dict[int, Fraction] = {}
    for value, chance in parts:
        sums[value] = sums.get(value, Fraction(0)) + chance
    return tuple(sorted(sums.items()))


def mean(values: Spread) -> Fraction:
    return sum((value * chance for value, chance in values), Fraction(0))


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


def told(draft: Draft, kind: type[E]) -> list[E]:
    """Return the events of a kind in a draft."""
    return [fact for fact in draft.facts if isinstance(fact, kind)]


def battle_odds(pos: Position, side: Side, here: Hex) -> BattleOdds:
    """Return the odds of an attack by the field stack of `side` in a hex, with the strengths in `pos` (O9)."""
    stacks = [pos.field(here, who) for who in (side, OTHER[side])]
    strengths = tuple(stack.strength if stack is not None else 0 for stack in stacks)
    if not all(strengths):
        raise ValueError("two field stacks with SP are needed in the hex (O9.1)")
    draft = Draft(pos)
    draft.frames = ()
    draft.set_moving(None)
    open_battle(draft, side, here)
    if told(draft, Overwhelmed):
        return _crushed(draft, side, strengths)
    return _sum_up(list(unfold(draft, (BattleRoll,))), side, strengths)


def _crushed(draft: Draft, side: OwnerId, strengths: tuple[int, ...]) -> BattleOdds:
    strong, (first, second) = told(draft, Overwhelmed)[0].side, strengths
    won, never, nothing = Fraction(strong == side), Fraction(0), ((0, Fraction(1)),)
    taken = (nothing, ((second, Fraction(1)),)) if won else (((first, Fraction(1)),), nothing)
    caught = 1 - won, won
    return BattleOdds(
        (first, second), won, never, 1 - won, (nothing, nothing), taken, (never, never), caught, 1 - strong, ()
    )


def _taken(fight: BattleFought, who: int) -> int:
    loser = NOBODY if fight.winner == NOBODY else int(fight.winner == fight.side)
    return fight.prisoners if loser == who else 0


def _sum_up(ends: list[tuple[Fraction, Draft]], side: OwnerId, strengths: tuple[int, ...]) -> BattleOdds:
    fights = [(chance, told(end, BattleFought)[0]) for chance, end in ends]
    by_die = {fight.die: fight for _, fight in fights}
    sides = side, OTHER[side]

    def chance_of(winner: OwnerId) -> Fraction:
        return sum((chance for chance, fight in fights if fight.winner == winner), Fraction(0))

    def lost(who: int) -> Spread:
        return spread((fight.losses[who], chance) for chance, fight in fights)

    def fate(word: str) -> tuple[Fraction, Fraction]:
        one, two = (sum((chance * _fate(end, who, word) for chance, end in ends), Fraction(0)) for who in sides)
        return one, two

    return BattleOdds(
        (strengths[0], strengths[1]),
        chance_of(side),
        chance_of(NOBODY),
        chance_of(OTHER[side]),
        (lost(0), lost(1)),
        (spread((_taken(f, 0), c) for c, f in fights), spread((_taken(f, 1), c) for c, f in fights)),
        fate("killed"),
        fate("captured"),
        NOBODY,
        tuple(by_die[die] for die in sorted(by_die)),
    )


def _fate(end: Draft, side: OwnerId, word: str) -> Fraction:
    """The probability that a side's commander meets a fate, after a battle's die (O8.3)."""
    rolls = [frame for frame in end.frames if isinstance(frame, CommanderRoll) and frame.side == side]
    fates = [commander_fate(die, lost=roll.lost) for roll in rolls for die in range(1, 7)]
    return Fraction(fates.count(word), 6)


def steps_of(pos: Position, mine: int, low: int, high: int, *, attacking: bool) -> list[int]:
    """Return enemy strengths from `low` to `high` at which another column of the combat table begins (O9.3)."""
    columns = (*pos.data.columns, 100 * CRUSHED)
    last = min(high, CRUSHED * mine + 1)
    found = {min(low, last): None, last: None}
    before = -1
    for points in range(low, last + 1):
        ratio = ratio_of(mine, points) if attacking else ratio_of(points, mine)
        column = bisect_right(columns, ratio)
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
    draft.put(changed(pos, stack, bag(stack.nation, points), stack.leaders, (points, points, pos.now)))
    draft.touched.clear()
    return draft
