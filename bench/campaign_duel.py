"""Two machines of the second rule set against each other: `python -m bench.campaign_duel captain planner`.

Each game is played twice on the same fates, with sides changed. A score counts a draw as half a game; its interval is
Wilson's, and that of the points is of the means of pairs. `--keep FILE` lets a run that was broken off go on.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bench.bots_table import wilson
from bench.campaign_wars import Match, War, play_all

SCENARIOS: Final = ("1757", "1758", "1759")


def matches(args: argparse.Namespace) -> Iterator[Match]:
    """The games, pair by pair."""
    first, second = args.bots
    for number in range(args.pairs):
        for scenario in args.scenario:
            yield Match(scenario, (first, second), args.seed, number)
            yield Match(scenario, (second, first), args.seed, number)


def report(wars: Sequence[War], bot: str) -> Iterator[str]:
    """The table, line by line."""
    yield "| scenario | games | as Prussia | as Coalition | score | 95 % | VP ahead | 95 % |"
    yield "|---|--:|--:|--:|--:|---|--:|---|"
    groups = {name: [war for war in wars if war.match.scenario == name] for name in dict.fromkeys(_names(wars))}
    yield from (_row(name, mine, bot) for name, mine in groups.items())
    if len(groups) > 1:
        yield _row("all", wars, bot)


def _names(wars: Sequence[War]) -> list[str]:
    return [war.match.scenario for war in wars]


def _row(name: str, wars: Sequence[War], bot: str) -> str:
    """A line: wins from either side, and points ahead; games stand pair by pair."""
    points = [_points(war, bot) for war in wars]
    sides = [[p for p, war in zip(points, wars, strict=True) if war.match.bots[side] == bot] for side in (0, 1)]
    shares = " | ".join(f"{statistics.mean(mine):.0%}" for mine in sides)
    low, high = wilson(sum(points), len(points))
    leads = [war.score if war.match.bots[0] == bot else -war.score for war in wars]
    pairs = [(leads[n] + leads[n + 1]) / 2 for n in range(0, len(leads), 2)]
    half = 1.96 * statistics.stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else 0.0
    mean = statistics.mean(pairs)
    score = f"{statistics.mean(points):.0%} | {low:.0%} to {high:.0%}"
    return f"| {name} | {len(wars)} | {shares} | {score} | {mean:+.1f} | {mean - half:+.1f} to {mean + half:+.1f} |"


def _points(war: War, bot: str) -> float:
    """1 for a win of the bot, a half for a draw."""
    return 0.5 if war.winner is None else float(war.match.bots[war.winner] == bot)


def main() -> None:
    """Plays all pairs and prints the table."""
    parser = argparse.ArgumentParser(prog="bench.campaign_duel", description=__doc__)
    parser.add_argument("bots", nargs=2, metavar="BOT")
    parser.add_argument("--scenario", nargs="+", default=list(SCENARIOS))
    parser.add_argument("--pairs", type=int, default=10, help="pairs of each scenario")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", default="duel")
    parser.add_argument("--keep", type=Path, help="file of games played, with which a run that was broken off goes on")
    args = parser.parse_args()
    for line in report(play_all(list(matches(args)), args.jobs, args.keep), args.bots[0]):
        print(line)


if __name__ == "__main__":
    main()
