"""How even *Frederick* is: `python -m bench.balance --games 150 --bot captain --keep bench/balance.jsonl`.

Whole wars at 22 Prussian and so many Austrian Resource Points (C6.1), equal generals on both sides. How far from par
the years of the campaigns end is in docs/scenarios.md, by `make pars`.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import msgspec

from bench.bots_table import wilson
from leuthen import arguments
from leuthen.load import load
from leuthen.rulesets.frederick.ruleset import OPTIONS
from leuthen.simulate.game import GameTask, Match, play_one
from leuthen.simulate.resume import do_missing

POINTS: Final = tuple(map(int, OPTIONS["austrian-points"]))
"""Austrian Resource Points; 30 are the published ones."""


class War(msgspec.Struct, frozen=True):
    """What is played: with which data, Austrian points, bot, the number of the war."""

    data: str
    points: int
    bot: str
    game: int


class Ended(msgspec.Struct, frozen=True):
    """How a war ended: Prussia's score, a draw as half, and by how many VP it was ahead."""

    match: War
    score: float
    ahead: float
    seconds: float


def play(war: War) -> Ended:
    """Plays a war. The dice hang on its number alone, so that wars at other points have the same fates."""
    rules, options = load("frederick"), {"austrian-points": str(war.points)}
    line = play_one(
        rules, GameTask(Match(rules.name, "", "campaign", options, (war.bot, war.bot), "balance campaign"), war.game)
    )
    score = 0.5 if line["winner"] is None else float(line["winner"] == rules.sides[0])
    ours, theirs = msgspec.convert(line["vp"], tuple[float, float])
    return Ended(war, score, ours - theirs, float(str(line["seconds"])))


def table(ended: Sequence[Ended]) -> Iterator[str]:
    """How the wars ended at each number of points, in Markdown."""
    yield "| Austrian points | wars | Prussia scores | 95 % | VP ahead, median |\n|--:|--:|--:|---|--:|"
    for points in POINTS:
        yield from _row(str(points), [one for one in ended if one.match.points == points])


def _row(name: str, found: Sequence[Ended]) -> Iterator[str]:
    if found:
        won, ahead = sum(one.score for one in found), statistics.median(one.ahead for one in found)
        low, high = wilson(won, len(found))
        yield f"| {name} | {len(found)} | {won / len(found):.0%} | {low:.0%} to {high:.0%} | {ahead:+.0f} |"


def main() -> None:
    """Plays what the file has not yet, and prints the tables."""
    parser = argparse.ArgumentParser(prog="bench.balance", description=__doc__)
    parser.add_argument("--games", type=arguments.positive, default=150)
    parser.add_argument("--bot", default="captain")
    arguments.add_resuming(parser)
    args = parser.parse_args()
    data = load("frederick").digest
    asked = [War(data, points, args.bot, game) for game, points in product(range(args.games), POINTS)]
    print(*table(do_missing(play, asked, Ended, args.keep, args.jobs, args.on)), sep="\n")


if __name__ == "__main__":
    main()
