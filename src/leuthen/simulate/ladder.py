"""Two bots in paired games: each pair is played with sides changed on the same fates, until a test is certain."""

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

EQUAL, BETTER = 0.5, 0.6
"""The scores between which the test decides: as good as the other, and a level above him."""
SURE: Final = math.log(19)
"""Where the test ends: an error of one in twenty either way (Wald's sequential probability ratio test)."""
LEAST: Final = 8
"""Pairs before it may end."""
LEAST_SPREAD: Final = 0.02
"""The variance of a pair's score is taken to be at least this: few pairs that are alike prove nothing."""
LEVEL: Final = 1.96


class Pair(msgspec.Struct, frozen=True):
    """Two games on the same fates: what the first bot scored on either side, a draw as half, and how they ended."""

    match: Match
    number: int
    scores: tuple[float, float]
    ends: tuple[str, str]
    seconds: float
    leads: tuple[float, float] | None = None
    """By how many VP he was ahead in the end, on either side; None where nobody wrote it down."""

    @property
    def score(self) -> float:
        """Of the first bot, over both sides."""
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
    """The pairs of these numbers, in their order, as by `play_many`. Raises GameFailed when a game breaks off."""
    other_way = msgspec.structs.replace(match, bots=match.bots[::-1])
    ways = [(way, number) for number in numbers for way in (match, other_way)]
    tasks = [GameTask(way, number, isolated=isolated, patience=patience) for way, number in ways]
    lines = play_many(ruleset, tasks, jobs, on)
    for number, one, other in zip(numbers, lines, lines, strict=True):
        scores = _score(one, ruleset.sides[0]), _score(other, ruleset.sides[1])
        ends = _end(one), _end(other)
        seconds = round(float(str(one["seconds"])) + float(str(other["seconds"])), 3)
        yield Pair(match, number, scores, ends, seconds, _leads(one, other))


def _score(line: Line, side: str) -> float:
    return 0.5 if line["winner"] is None else float(line["winner"] == side)


def _leads(one: Line, other: Line) -> tuple[float, float] | None:
    """Of the player who was the first side in one game and the second in the other."""
    ahead = [_ahead(line) for line in (one, other)]
    return None if ahead[0] is None or ahead[1] is None else (ahead[0], -ahead[1])


def _ahead(line: Line) -> float | None:
    """By how many VP the first side was ahead, in a game that counts them."""
    points = line.get("vp")
    if not isinstance(points, Sequence):
        return None
    mine, theirs = (float(str(one)) for one in points)
    return mine - theirs


def _end(line: Line) -> str:
    return f"{line['winner'] or 'nobody'}, {line['how']}, {line['year']}"


class LadderRow(NamedTuple):
    """What some pairs say of the first bot: their number, his score by side and over both, half of its 95 % interval,
    the verdict, "" as long as there is none, and by how many VP he was ahead, give or take, where that is known."""

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
        return f"{found}; {self.verdict or 'nothing is certain yet'}"


def standing(pairs: Sequence[Pair]) -> LadderRow:
    """Where the match stands. Raises Invalid for no pairs at all."""
    if not pairs:
        raise Invalid("a match needs at least one pair")
    scores = [pair.score for pair in pairs]
    by_side = tuple(statistics.mean(pair.scores[side] for pair in pairs) for side in (0, 1))
    spread = LEVEL * math.sqrt(_variance(scores) / len(scores))
    lead = _lead([sum(pair.leads) / 2 for pair in pairs if pair.leads is not None])
    return LadderRow(len(pairs), (by_side[0], by_side[1]), statistics.mean(scores), spread, verdict(scores), lead)


def _lead(leads: Sequence[float]) -> tuple[float, float] | None:
    """The mean of some leads, and half of its 95 % interval; None for fewer than two."""
    if len(leads) < 2:
        return None
    return statistics.mean(leads), LEVEL * statistics.stdev(leads) / math.sqrt(len(leads))


def verdict(scores: Sequence[float]) -> str:
    """Which of the two hypotheses the scores of pairs decide for; "" if it is not certain."""
    if len(scores) < LEAST:
        return ""
    ratio = _log_ratio(scores)
    if ratio >= SURE:
        return "better by a level"
    return "not better by a level" if ratio <= -SURE else ""


def _log_ratio(scores: Sequence[float]) -> float:
    """How much more probable the scores are if the bot is a level better, as a logarithm; by normal distributions."""
    middle = (EQUAL + BETTER) / 2
    return len(scores) * (BETTER - EQUAL) * (statistics.mean(scores) - middle) / _variance(scores)


def _variance(scores: Sequence[float]) -> float:
    return max(LEAST_SPREAD, statistics.variance(scores)) if len(scores) > 1 else 0.25


def climb(
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
    """Plays pairs until the test is certain or there are `most`, and says after each where the match stands.

    Who stops when it is certain is a little flattered; `all_pairs` plays all of them.
    Pairs that the file has of the same match are not played again; the others are added to it, each as a line of JSON.
    Raises Invalid for a file that cannot be read or written, has a pair twice or is another run's; GameFailed when a
    game breaks off.
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
