"""The odds of a battle: the rules fight it often, with dice from a sequence that is always the same.

Nobody declares anything or leaves of his own will, losses go by the largest remainder, who stands inside stays there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import msgspec

from leuthen.campaigns.actions import Hold
from leuthen.campaigns.decisions import Decision
from leuthen.campaigns.events.fighting import BattleEnded
from leuthen.campaigns.rules.battle import open_battle
from leuthen.campaigns.rules.fight import current
from leuthen.campaigns.rules.losses import Losses
from leuthen.campaigns.state import Draft, Position
from leuthen.core.board import Hex
from leuthen.core.choice import Action, LegalSet
from leuthen.core.ruleset import CHANCE

BATTLES: Final = 200
"""So many are fought: a probability is then good to about 3 points in a hundred."""


class Dice:
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

    attacker: int
    strengths: tuple[int, int]
    fought: int
    wins: tuple[Fraction, Fraction]
    losses: tuple[Spread, Spread]
    rounds: Fraction
    prisoners: Fraction
    """The mean of the TP taken by the winner."""


def battle_odds(pos: Position, here: Hex, side: int, *, came: Hex = -1, crossed: bool = False) -> BattleOdds:
    """The odds of an attack by the field force of `side` in a hex, as things stand there (R12)."""
    start = Draft(pos)
    start.frames = ()
    open_battle(start, here, side, how="march", came=came, crossed=crossed)
    return _counted(side, start)


def rest_odds(pos: Position, actor: int, action: Action) -> BattleOdds:
    """The odds of the battle in progress, after an answer in it."""
    battle = current(pos)
    start = Draft(pos)
    start.frames = pos.frames[pos.frames.index(battle) :]
    start.frames[-1].answer(start, actor, action)
    return _counted(battle.attacker, start)


def _counted(attacker: int, start: Draft) -> BattleOdds:
    dice = Dice()
    ends = [fight_once(start, dice) for _ in range(BATTLES)]
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


def fight_once(start: Draft, dice: Dice) -> BattleEnded:
    """One battle to its end."""
    draft = Draft(start)
    while True:
        frame = draft.frames[-1]
        actors = frame.actors(draft)
        if not actors:
            frame.step(draft)
        elif actors[0] == CHANCE:
            frame.answer(draft, CHANCE, _rolled(frame.chances(draft), dice))
        else:
            frame.answer(draft, actors[0], _plain(draft, frame, actors[0]))
        for fact in draft.facts:
            if isinstance(fact, BattleEnded):
                return fact
        draft.facts.clear()


def _rolled(chances: Sequence[tuple[Action, Fraction]], dice: Dice) -> Action:
    """An answer of chance."""
    drawn = dice.random()
    for answer, chance in chances:
        drawn -= float(chance)
        if drawn < 0:
            return answer
    return chances[-1][0]


def _plain(draft: Draft, frame: Decision, actor: int) -> Action:
    """What a side answers that declares nothing, stays, and loses by the largest remainder."""
    if isinstance(frame, Losses):
        losses: LegalSet[Action] = LegalSet(lambda: frame.script(draft, actor))
        return next(iter(losses))
    return Hold()
