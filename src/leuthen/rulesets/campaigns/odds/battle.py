"""The odds of a battle: the rules fight it often, with dice that are always the same.

Nobody declares anything or leaves of his own will, losses go by the largest remainder, who stands inside stays there.
Of the first dice each shows each face equally often, and so do any two and any three of them together; the dice after
them come from a sequence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, sqrt
from typing import Final

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import CHANCE, Side
from leuthen.rulesets.campaigns.model.actions import Hold
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events import BattleEnded
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Declaring, Leaving, Losses, open_battle
from leuthen.rulesets.campaigns.rules.r12_battle.fight import current
from leuthen.wargame.board import NOWHERE, Hex

BATTLES: Final = 216
"""So many are fought: once for all that three dice may show."""
FEW: Final = 36
"""So many for each strength that an enemy may have: once for all that two dice may show."""
FACES: Final = 6


class FixedDice:
    """Numbers in [0, 1), the same every time, so that the same question has the same answer."""

    MODULUS, FACTOR, STEP = 2**32, 1664525, 1013904223

    def __init__(self) -> None:
        self.state = 1757

    def random(self) -> float:
        """The next number."""
        self.state = (self.FACTOR * self.state + self.STEP) % self.MODULUS
        return self.state / self.MODULUS


Spread = tuple[tuple[int, Fraction], ...]


class BattleOdds(msgspec.Struct, frozen=True):
    """What a battle may bring, of so many fought. Pairs are the Prussian side and the Coalition."""

    attacker: Side
    strengths: tuple[int, int]
    fought: int
    wins: tuple[Fraction, Fraction]
    losses: tuple[Spread, Spread]
    rounds: Fraction
    prisoners: Fraction
    """The mean of the TP taken by the winner."""

    @property
    def error(self) -> int:
        """By how many points in a hundred the chances to win may be off: a standard error, rounded up."""
        return max(ceil(100 * sqrt(win * (1 - win) / self.fought)) for win in self.wins)


def battle_odds(
    pos: Position, here: Hex, side: Side, *, came: Hex = NOWHERE, crossed: bool = False, battles: int = 0
) -> BattleOdds:
    """The odds of an attack by the field force of `side` in a hex, as things stand there (R12).

    `battles`: how many are fought, BATTLES if it is not said.
    """
    start = Draft(pos)
    start.frames = ()
    open_battle(start, here, side, how="march", came=came, crossed=crossed)
    return _counted(side, start, battles or BATTLES)


def rest_odds(pos: Position, actor: Side, action: Action) -> BattleOdds:
    """The odds of the battle in progress, after an answer in it."""
    battle = current(pos)
    start = Draft(pos)
    start.frames = pos.frames[pos.frames.index(battle) :]
    start.frames[-1].answer(start, actor, action)
    return _counted(battle.attacker, start, BATTLES)


def _counted(attacker: Side, start: Draft, battles: int) -> BattleOdds:
    dice, end = FixedDice(), _goes_on(start)
    ends = [end] if end else [fight_once(start, dice, first_faces(number, battles)) for number in range(battles)]
    many = len(ends)
    wins = [Fraction(sum(end.side == who for end in ends), many) for who in (0, 1)]
    losses = [_spread([end.lost[who] for end in ends]) for who in (0, 1)]
    return BattleOdds(
        attacker,
        ends[0].began,
        many,
        (wins[0], wins[1]),
        (losses[0], losses[1]),
        Fraction(sum(end.rounds for end in ends), many),
        Fraction(sum(end.prisoners for end in ends), many),
    )


def _spread(values: Sequence[int]) -> Spread:
    """How a number is distributed over the battles fought."""
    return tuple((value, Fraction(times, len(values))) for value, times in sorted(Counter(values).items()))


def first_faces(number: int, battles: int = BATTLES) -> Iterator[int]:
    """The first dice of a battle by its number: two of its digits in base 6, the sum of all, and the third of them.

    Of 36 battles the last one is left to the sequence: the other three show all that any two dice may.
    """
    one, two, three = number % FACES, number // FACES % FACES, number // FACES**2 % FACES
    return iter((one, two, (one + two + three) % FACES, three)[: 4 if battles > FEW else 3])


def fight_once(start: Draft, dice: FixedDice, first: Iterator[int]) -> BattleEnded:
    """One battle to its end; `first` has the faces of its first single dice, from 0."""
    draft = Draft(start)
    while (end := _goes_on(draft)) is None:
        frame = draft.frames[-1]
        chances = frame.chances(draft)
        face = next(first, None) if len(chances) == FACES else None
        frame.answer(draft, CHANCE, _rolled(chances, dice) if face is None else chances[face][0])
    return end


def _goes_on(draft: Draft) -> BattleEnded | None:
    """Goes on until chance is asked, or to the end."""
    while True:
        for fact in draft.facts:
            if isinstance(fact, BattleEnded):
                return fact
        draft.facts.clear()
        frame = draft.frames[-1]
        if isinstance(frame, Joining | Declaring | Leaving):
            frame.answer(draft, frame.side, Hold())
        elif isinstance(frame, Losses) or not (actors := frame.actors(draft)):
            frame.step(draft)
        elif actors[0] == CHANCE:
            return None
        else:
            frame.answer(draft, actors[0], _first(draft, frame, actors[0]))


def _rolled(chances: Sequence[tuple[Action, Fraction]], dice: FixedDice) -> Action:
    """An answer of chance."""
    drawn = dice.random()
    for answer, chance in chances:
        drawn -= chance.numerator / chance.denominator
        if drawn < 0:
            return answer
    return chances[-1][0]


def _first(draft: Draft, frame: Decision, actor: Side) -> Action:
    """The first of what may be answered: who has broken and leaves alone asks for a way (R13.2)."""
    answers: LegalSet[Action] = LegalSet(lambda: frame.script(draft, actor))
    return next(iter(answers))
