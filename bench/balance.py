"""How even the wars are: `python -m bench.balance --games 150 --bot captain --keep bench/balance.jsonl`.

*Frederick*: whole wars at 22 Prussian and so many Austrian Resource Points (C6.1), equal generals on both sides.
*Campaigns*: single years, and how far over par Prussia would have to stand for an even game (R16.4).
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from itertools import product

import msgspec

from bench.bots_table import wilson
from leuthen import arguments
from leuthen.load import load
from leuthen.rulesets.frederick.bot import belief
from leuthen.rulesets.frederick.knowledge import strengths
from leuthen.rulesets.frederick.rules import c06_increments
from leuthen.simulate.game import Line, Plan, play_one
from leuthen.simulate.resume import do_missing

PRUSSIAN = 22
POINTS = (21, 24, 27, 30, 33, 36, 39, 42)
"""Austrian Resource Points; 30 are the published ones."""
YEARS = ("1757", "1758", "1759")


class War(msgspec.Struct, frozen=True):
    """What is played: the rule set with its data, scenario, Austrian points (0 where there are none), bot, number."""

    ruleset: str
    data: str
    scenario: str
    points: int
    bot: str
    game: int


class Ended(msgspec.Struct, frozen=True):
    """How a war ended: Prussia's score, a draw as half, and by how many VP it was ahead, over par if there is one."""

    match: War
    score: float
    ahead: float
    seconds: float


def play(war: War) -> Ended:
    """Plays a war. The dice hang on scenario and number alone, so that wars at other points have the same fates."""
    rules = load(war.ruleset)
    if war.points:
        for module in (c06_increments, strengths, belief):
            vars(module)["GRANT"] = (PRUSSIAN, war.points)
    line = play_one(rules, Plan(war.scenario, {}, (war.bot, war.bot), f"balance {war.scenario}"), war.game)
    score = 0.5 if line["winner"] is None else float(line["winner"] == rules.sides[0])
    return Ended(war, score, _ahead(line), float(str(line["seconds"])))


def _ahead(line: Line) -> float:
    mine, theirs = map(float, line["vp"] if isinstance(line["vp"], Sequence) else ())
    return float(str(line.get("score", mine - theirs)))


def wars(bot: str, games: int) -> list[War]:
    """All that is played, so that a run that is stopped has a little of everything."""
    frederick, campaigns = load("frederick"), load("campaigns")
    found = [
        War(frederick.name, frederick.digest, "campaign", points, bot, game)
        for game, points in product(range(games), POINTS)
    ]
    return found + [
        War(campaigns.name, campaigns.digest, year, 0, bot, game) for game, year in product(range(games), YEARS)
    ]


def table(ended: Sequence[Ended]) -> Iterator[str]:
    """Both tables, in Markdown."""
    yield "| Austrian points | wars | Prussia scores | 95 % | VP ahead, median |\n|--:|--:|--:|---|--:|"
    for points in POINTS:
        yield from _row(str(points), [one for one in ended if one.match.points == points])
    yield "\n| year | games | Prussia scores | 95 % | VP over par, median |\n|---|--:|--:|---|--:|"
    for year in YEARS:
        yield from _row(year, [one for one in ended if not one.match.points and one.match.scenario == year])


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
    asked = wars(args.bot, args.games)
    print(*table(do_missing(play, asked, Ended, args.keep, args.jobs, args.on)), sep="\n")


if __name__ == "__main__":
    main()
