"""The moments of a war: the decisions that cost most and the dice that brought most, with beliefs beside the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.report.course import Position
from leuthen.report.playing import Headquarters
from leuthen.report.values import Belief, DieLuck, Judgement, KeyMoment
from leuthen.wargame.search import mean, seed_of

MOMENTS: Final = 10
MOST_DICE: Final = 4
"""Moments of luck among them at most."""
BELIEFS: Final = 5
"""Forces of which a moment tells, those first of which least was known."""
WORLDS: Final = 16
"""Worlds in which beliefs are looked at."""
LEAST: Final = 0.5
"""Points from which on a decision or a die is a moment."""


def moments_of(judged: Iterable[Judgement], luck: Iterable[DieLuck]) -> list[KeyMoment]:
    """The moments, those that mattered most first; dice come only so many times."""
    errors = [KeyMoment(one.line, one.cost, judged=one) for one in judged if one.cost >= LEAST]
    dice = [KeyMoment(one.line, abs(one.gain) * 100, luck=one) for one in luck if abs(one.gain) * 100 >= LEAST]
    dice = sorted(dice, key=_weight)[:MOST_DICE]
    return sorted([*errors, *dice], key=_weight)[:MOMENTS]


def _weight(moment: KeyMoment) -> tuple[float, int]:
    return -moment.points, moment.line


def beliefs_of(headquarters: Headquarters, state: Position, side: Side, seed: str) -> tuple[Belief, ...]:
    """How strong a side took the enemy's forces to be, beside the truth, those first that it was most wrong of.

    What it knew is left out.
    """
    ruleset, view = headquarters.ruleset, headquarters.ruleset.view(state, side)
    truth = headquarters.analyst.strengths(state, OTHER[side])
    marks = (seed_of(seed, ruleset.encode_view(view), number, "belief") for number in range(WORLDS))
    worlds = [headquarters.analyst.strengths(headquarters.world(view, mark), OTHER[side]) for mark in marks]
    found = [one for force, points in truth.items() if not _is_known(one := _belief(force, points, worlds))]
    return tuple(sorted(found, key=lambda one: (-abs(one.mean - one.truth), one.force))[:BELIEFS])


def _belief(force: str, truth: int, worlds: Sequence[Mapping[str, int]]) -> Belief:
    guesses = [world.get(force, 0) for world in worlds]
    return Belief(force, mean(guesses), min(guesses), max(guesses), truth)


def _is_known(belief: Belief) -> bool:
    return belief.least == belief.most == belief.truth
