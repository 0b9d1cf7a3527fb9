"""The tables of docs/bots.md: `python -m bench.bots_table --jobs 2` prints them as Markdown.

The planner plays itself; then, for each of its habits, itself without that habit, as many games from either side.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from leuthen import arguments
from leuthen.bots.random import RandomBot
from leuthen.engine.ruleset import Ruleset
from leuthen.engine.seat import Player
from leuthen.load import bot_of, load
from leuthen.play.dice import Key
from leuthen.play.drafts import Step
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.rulesets.frederick.bot import HABITS
from leuthen.rulesets.frederick.model.events.fighting import BattleFought, SiegeRolled
from leuthen.rulesets.frederick.model.events.operations import Taken
from leuthen.rulesets.frederick.rules.c12_victory import victory_points
from leuthen.simulate.resume import do_missing

SHORT: Final = "1759"
"""The wars without a habit are shorter: the war is lost by then, or it was not the habit."""
RANDOM: Final = "random"
SEED: Final = "the tables of the bots"
FIRST_YEAR: Final = 10 / 18
"""1756 begins on turn 9 of 18."""


class Match(NamedTuple):
    """One game to play: what each side is without ("" for nothing, `random` for the other bot), and its number."""

    prussia: str
    austria: str
    number: int


class Result(NamedTuple):
    """What came of a game; `years` that were fought."""

    match: Match
    winner: int | None
    how: str
    years: float
    battles: int
    sieges: int
    taken: int
    points: tuple[int, int]


class Tally:
    """An observer that counts events."""

    def __init__(self) -> None:
        self.counts: Counter[type] = Counter()

    def acted(self, step: Step) -> None:
        """Counts what an action did."""
        self.counts.update(type(fact) for fact in step.transition.facts)

    def undone(self, step: Step) -> None:
        """Bots do not take back."""

    def stood(self, steps: object) -> None:
        """Nothing to do."""


def play(match: Match) -> Result:
    """Plays one game; the same match gives the same game."""
    ruleset: Ruleset = load("frederick")
    key, tally = Key.from_seed(SEED, match.number), Tally()
    options = {"last-year": SHORT} if any(match[:2]) and RANDOM not in match else {}
    table = Table(ruleset, ruleset.new_game("campaign", options), observers=[tally])
    outcome = Game(table, [_seat(match.prussia, match.number), _seat(match.austria, match.number)], key.dice()).play()
    assert outcome is not None
    counts = tally.counts
    return Result(
        match, outcome.winner, outcome.how, outcome.year - 1757 + FIRST_YEAR + 1, counts[BattleFought],
        counts[SiegeRolled], counts[Taken], victory_points(table.state),
    )  # fmt: skip


def _seat(without: str, number: int) -> Player:
    return RandomBot(number) if without == RANDOM else bot_of("frederick", "planner", frozenset({without} - {""}))


def matches(games: int, itself: int, against_random: int) -> Iterator[Match]:
    """All games of the tables."""
    for number in range(itself):
        yield Match("", "", number)
    for number in range(games):
        for habit in HABITS:
            yield Match(habit, "", number)
            yield Match("", habit, number)
    for number in range(against_random):
        yield Match(RANDOM, "", number)
        yield Match("", RANDOM, number)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's formula."""
    z = 1.96
    share, base = wins / games, 1 + z * z / games
    middle = (share + z * z / (2 * games)) / base
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / base
    return middle - half, middle + half


def score(results: Iterable[Result], side: int) -> float:
    """Games won by a side, a draw counted as half of one."""
    return sum(0.5 if result.winner is None else float(result.winner == side) for result in results)


def report(results: list[Result]) -> Iterator[str]:
    """The tables, line by line."""
    yield from _against_itself([result for result in results if not any(result.match[:2])])
    yield from _against_random(results)
    yield from _without_habits(results)


def _against_itself(results: list[Result]) -> Iterator[str]:
    games, ends = len(results), Counter((result.winner, result.how) for result in results)
    yield f"### The planner against itself, {games} games\n"
    yield "| winner | how | games | share |\n|---|---|--:|--:|"
    for (winner, how), number in sorted(ends.items(), key=lambda item: -item[1]):
        name = "nobody" if winner is None else ("Prussia", "Austria")[winner]
        yield f"| {name} | {how} | {number} | {number / games:.0%} |"
    years = sum(result.years for result in results)
    low, high = wilson(score(results, 0), games)
    yield f"\nPrussia scores {score(results, 0) / games:.0%} (95 %: {low:.0%} to {high:.0%}), a draw as half a game.\n"
    yield "| a year | planner | the war |\n|---|--:|--:|"
    yield f"| battles | {sum(r.battles for r in results) / years:.1f} | 5.3 |"
    yield f"| siege rolls | {sum(r.sieges for r in results) / years:.1f} | |"
    yield f"| fortresses that changed hands | {sum(r.taken for r in results) / years:.1f} | 4.3 |"
    yield f"| years fought | {years / games:.1f} | 6.5 |\n"


def _against_random(results: list[Result]) -> Iterator[str]:
    yield "### The planner against `random`\n"
    yield "| planner plays | games | won | drawn | lost |\n|---|--:|--:|--:|--:|"
    for side, name in enumerate(("Prussia", "Austria")):
        mine = [result for result in results if result.match[1 - side] == RANDOM]
        won, drawn = sum(r.winner == side for r in mine), sum(r.winner is None for r in mine)
        yield f"| {name} | {len(mine)} | {won} | {drawn} | {len(mine) - won - drawn} |"
    yield ""


def _without_habits(results: list[Result]) -> Iterator[str]:
    yield f"### Without one habit, against the whole planner, to the end of {SHORT}\n"
    yield "| without | games | as Prussia | as Austria | score | 95 % | VP ahead at the end | 95 % |"
    yield "|---|--:|--:|--:|--:|---|--:|---|"
    for habit in HABITS:
        prussian = [result for result in results if result.match.prussia == habit]
        austrian = [result for result in results if result.match.austria == habit]
        yield _row(f"`{habit}`", prussian, austrian)


def _row(name: str, prussian: list[Result], austrian: list[Result]) -> str:
    games = len(prussian) + len(austrian)
    wins = score(prussian, 0) + score(austrian, 1)
    low, high = wilson(wins, games)
    first, second = score(prussian, 0) / len(prussian), score(austrian, 1) / len(austrian)
    ahead = [r.points[0] - r.points[1] for r in prussian] + [r.points[1] - r.points[0] for r in austrian]
    mean, spread = statistics.mean(ahead), 1.96 * statistics.stdev(ahead) / math.sqrt(games)
    share = f"{first:.0%} | {second:.0%} | {wins / games:.0%} | {low:.0%} to {high:.0%}"
    return f"| {name} | {games} | {share} | {mean:+.0f} | {mean - spread:+.0f} to {mean + spread:+.0f} |"


def main() -> None:
    """Plays all games and prints the tables."""
    parser = argparse.ArgumentParser(prog="bench.bots_table", description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="games without each habit from either side")
    parser.add_argument("--itself", type=int, default=40, help="games of the planner against itself")
    parser.add_argument("--random", type=int, default=100, help="games against random from either side")
    arguments.add_resuming(parser)
    args = parser.parse_args()
    wanted = list(matches(args.games, args.itself, args.random))
    for line in report(do_missing(play, wanted, Result, args.keep, args.jobs, args.on)):
        print(line)


if __name__ == "__main__":
    main()
