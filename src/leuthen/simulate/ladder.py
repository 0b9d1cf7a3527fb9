"""Matches of two bots: pairs of games with the same dice and changed sides, until a test decides."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from leuthen.bots.guard import PATIENCE
from leuthen.engine.refusal import Invalid
from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.bulk import add_line, expect_single, locked, read_results
from leuthen.simulate.game import GameTask, Line, Match
from leuthen.simulate.run import LOCAL, play_many

EQUAL, BETTER = 0.5, 0.6  # scores between which the test decides: equal, and better by a level
SURE: Final = math.log(19)  # threshold of Wald's sequential probability ratio test for an error rate of 1 in 20
LEAST: Final = 8  # pairs before the test may end
LEAST_SPREAD: Final = 0.02  # lower limit of the variance of a pair's score, because few equal pairs prove nothing
LEVEL: Final = 1.96


class Pair(msgspec.Struct, frozen=True):
    """Two games with the same dice: the first bot's scores on both sides, a draw as half, and the ends."""

    match: Match
    number: int
    scores: tuple[float, float]
    ends: tuple[str, str]
    seconds: float
    leads: tuple[float, float] | None = None  # VP by which the first bot led at the end, on both sides; None if unknown

    @property
    def score(self) -> float:
        return sum(self.scores) / 2


def play_pairs(
    ruleset: TableRuleset,
    match: Match,
    numbers: Sequence[int],
    jobs: int = 1,
    on: str = LOCAL,
    *,
    isolated: bool = False,
    patience: float = PATIENCE,
) -> Iterator[Pair]:
    """Yield the pairs of these numbers in order, played as by `play_many`. Raise GameFailed when a game breaks off."""
    other_way = msgspec.structs.replace(match, bots=match.bots[::-1])
    ways = [(way, number) for number in numbers for way in (match, other_way)]
    tasks = [GameTask(way, number, isolated=isolated, patience=patience) for way, number in ways]
    lines = play_many(ruleset, tasks, jobs, on)
    for number, one, other in zip(numbers, lines, lines, strict=True):
        scores = _score(one, ruleset.sides[0]), _score(other, ruleset.sides[1])
        ends = _end(one), _end(other)
        seconds = round(float(str(one["seconds"])) + float(str(other["seconds"])), 3)
        first, second = _ahead(one), _ahead(other)
        leads = None if first is None or second is None else (first, -second)
        yield Pair(match, number, scores, ends, seconds, leads)


def _score(line: Line, side: str) -> float:
    return 0.5 if line["winner"] is None else float(line["winner"] == side)


def _ahead(line: Line) -> float | None:
    points = line.get("vp")
    if not isinstance(points, Sequence):
        return None
    mine, theirs = (float(str(one)) for one in points)
    return mine - theirs


def _end(line: Line) -> str:
    return f"{line['winner'] or 'nobody'}, {line['how']}, {line['year']}"


class LadderRow(NamedTuple):
    """A summary of pairs for the first bot: scores, half of the 95 % interval, verdict or "", and mean lead in VP."""

    pairs: int
    by_side: tuple[float, float]
    score: float
    spread: float
    verdict: str
    lead: tuple[float, float] | None = None

    def __str__(self) -> str:
        sides = " and ".join(f"{score:.0%}" for score in self.by_side)
        found = f"{self.pairs} pairs: {self.score:.1%} ± {self.spread:.1%} ({sides} by side)"
        if self.lead is not None:
            found += f", {self.lead[0]:+.1f} ± {self.lead[1]:.1f} VP"
        return f"{found}; {self.verdict or 'no certain result yet'}"


def standing(pairs: Sequence[Pair]) -> LadderRow:
    """Return the summary of a match. Raise Invalid for no pairs."""
    if not pairs:
        raise Invalid("a match needs at least one pair")
    scores = [pair.score for pair in pairs]
    by_side = tuple(statistics.mean(pair.scores[side] for pair in pairs) for side in (0, 1))
    spread = LEVEL * math.sqrt(_variance(scores) / len(scores))
    leads = [sum(pair.leads) / 2 for pair in pairs if pair.leads is not None]
    lead = None
    if len(leads) > 1:
        lead = statistics.mean(leads), LEVEL * statistics.stdev(leads) / math.sqrt(len(leads))
    return LadderRow(len(pairs), (by_side[0], by_side[1]), statistics.mean(scores), spread, verdict(scores), lead)


def verdict(scores: Sequence[float]) -> str:
    """Return the hypothesis that the scores of pairs support; "" if the test has not decided."""
    if len(scores) < LEAST:
        return ""
    # The logarithm of how much more probable the scores are if the bot is a level better, by normal distributions.
    middle = (EQUAL + BETTER) / 2
    ratio = len(scores) * (BETTER - EQUAL) * (statistics.mean(scores) - middle) / _variance(scores)
    if ratio >= SURE:
        return "better by a level"
    return "not better by a level" if ratio <= -SURE else ""


def _variance(scores: Sequence[float]) -> float:
    return max(LEAST_SPREAD, statistics.variance(scores)) if len(scores) > 1 else 0.25


def run_ladder(
    ruleset: TableRuleset,
    match: Match,
    most: int,
    jobs: int,
    file: Path | None,
    on: str = LOCAL,
    *,
    all_pairs: bool = False,
    isolated: bool = False,
    patience: float = PATIENCE,
) -> Iterator[LadderRow]:
    """Play pairs until the test decides or there are `most`; yield the summary after each.

    Stopping early is slightly biased in favour of the leader; `all_pairs` plays all of them. Pairs of the same match in
    the file are not repeated; new ones are appended as JSON lines. Raise Invalid for a file that cannot be used or has
    a pair twice; GameFailed when a game breaks off.
    """
    with locked(file):
        played_before = read_results(file, Pair)
        expect_single(file, [(msgspec.json.encode(pair.match), pair.number) for pair in played_before], 1)
        known = {pair.number: pair for pair in played_before if pair.match == match}
        missing = [number for number in range(most) if number not in known]
        played = play_pairs(ruleset, match, missing, jobs, on, isolated=isolated, patience=patience)
        pairs: list[Pair] = []
        for pair in (known[number] if number in known else next(played) for number in range(most)):
            if file is not None and pair.number not in known:
                add_line(file, msgspec.json.encode(pair))
            pairs.append(pair)
            yield standing(pairs)
            if not all_pairs and verdict([one.score for one in pairs]):
                return
