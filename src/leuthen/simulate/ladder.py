"""Two bots in paired games: each pair is played with sides changed on the same fates, until a test is certain."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Ruleset
from leuthen.simulate.game import Line, Plan
from leuthen.simulate.run import play_many

EQUAL, BETTER = 0.5, 0.6
"""The scores between which the test decides: as good as the other, and a level above him."""
SURE: Final = math.log(19)
"""Where the test ends: an error of one in twenty either way (Wald's sequential probability ratio test)."""
LEAST: Final = 8
"""Pairs before it may end."""
LEAST_SPREAD: Final = 0.02
"""The variance of a pair's score is taken to be at least this: few pairs that are alike prove nothing."""
LEVEL: Final = 1.96


class Match(msgspec.Struct, frozen=True):
    """What is played: the rule set with its data, scenario and options, both bots, the seed of all fates."""

    ruleset: str
    data: str
    scenario: str
    options: Mapping[str, str]
    bots: tuple[str, str]
    seed: str


class Pair(msgspec.Struct, frozen=True):
    """Two games on the same fates: what the first bot scored on either side, a draw as half, and how they ended."""

    match: Match
    number: int
    scores: tuple[float, float]
    ends: tuple[str, str]
    seconds: float

    @property
    def score(self) -> float:
        """Of the first bot, over both sides."""
        return sum(self.scores) / 2


def play_pairs(ruleset: Ruleset, match: Match, numbers: Sequence[int], jobs: int = 1) -> Iterator[Pair]:
    """The pairs of these numbers, in their order. Raises GameFailed when a game breaks off."""
    first, second = match.bots
    here = Plan(match.scenario, match.options, (first, second), match.seed)
    there = Plan(match.scenario, match.options, (second, first), match.seed)
    lines = zip(play_many(ruleset, here, numbers, jobs), play_many(ruleset, there, numbers, jobs), strict=True)
    for number, (one, other) in zip(numbers, lines, strict=True):
        scores = _score(one, ruleset.sides[0]), _score(other, ruleset.sides[1])
        ends = _end(one), _end(other)
        yield Pair(match, number, scores, ends, round(float(str(one["seconds"])) + float(str(other["seconds"])), 3))


def _score(line: Line, side: str) -> float:
    return 0.5 if line["winner"] is None else float(line["winner"] == side)


def _end(line: Line) -> str:
    return f"{line['winner'] or 'nobody'}, {line['how']}, {line['year']}"


class Standing(NamedTuple):
    """What some pairs say of the first bot: their number, his score by side and over both, half of its 95 % interval,
    and the verdict, "" as long as there is none."""

    pairs: int
    by_side: tuple[float, float]
    score: float
    spread: float
    verdict: str

    def __str__(self) -> str:
        sides = " and ".join(f"{score:.0%}" for score in self.by_side)
        found = f"{self.pairs} pairs: {self.score:.1%} ± {self.spread:.1%} ({sides} by side)"
        return f"{found}; {self.verdict or 'nothing is certain yet'}"


def standing(pairs: Sequence[Pair]) -> Standing:
    """Where the match stands. Raises Invalid for no pairs at all."""
    if not pairs:
        raise Invalid("a match needs at least one pair")
    scores = [pair.score for pair in pairs]
    by_side = tuple(statistics.mean(pair.scores[side] for pair in pairs) for side in (0, 1))
    spread = LEVEL * math.sqrt(_variance(scores) / len(scores))
    return Standing(len(pairs), (by_side[0], by_side[1]), statistics.mean(scores), spread, verdict(scores))


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


def climb(ruleset: Ruleset, match: Match, most: int, jobs: int, file: Path | None) -> Iterator[Standing]:
    """Plays pairs until the test is certain or there are `most`, and says after each where the match stands.

    Pairs that the file has of the same match are not played again; the others are added to it, each as a line of JSON.
    Raises Invalid for a file that cannot be read or written, GameFailed when a game breaks off.
    """
    known = {pair.number: pair for pair in read_pairs(file) if pair.match == match}
    pairs: list[Pair] = []
    for pair in _in_turn(ruleset, match, known, most, jobs):
        if pair.number not in known:
            _keep(file, pair)
        pairs.append(pair)
        yield standing(pairs)
        if verdict([one.score for one in pairs]):
            return


def _in_turn(ruleset: Ruleset, match: Match, known: Mapping[int, Pair], most: int, jobs: int) -> Iterator[Pair]:
    played = play_pairs(ruleset, match, [number for number in range(most) if number not in known], jobs)
    for number in range(most):
        yield known[number] if number in known else next(played)


def read_pairs(file: Path | None) -> list[Pair]:
    """The pairs of a file; none if there is no such file. Raises Invalid, naming the line that is damaged."""
    if file is None or not file.exists():
        return []
    return list(_pairs(file, file.read_bytes().splitlines()))


def _pairs(file: Path, lines: Iterable[bytes]) -> Iterator[Pair]:
    for number, line in enumerate(lines, 1):
        try:
            yield msgspec.json.decode(line, type=Pair)
        except msgspec.DecodeError as error:
            raise Invalid(f"{file}, line {number}: {error}") from error


def _keep(file: Path | None, pair: Pair) -> None:
    if file is None:
        return
    try:
        with file.open("ab") as out:
            out.write(msgspec.json.encode(pair) + b"\n")
    except OSError as error:
        raise Invalid(f"{file}: cannot be written: {error.strerror}") from error
