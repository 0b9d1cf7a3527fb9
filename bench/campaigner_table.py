"""The tables of the second general in docs/bots.md: `python -m bench.campaigner_table` prints them as Markdown.

The planner of the campaigns plays `random` from either side of every scenario; itself; and itself without one habit.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from bench.bots_table import RANDOM, wilson
from leuthen.bots.campaigner import HABITS, planner
from leuthen.bots.random import RandomBot
from leuthen.dice import Key
from leuthen.load import load
from leuthen.play import Game, Seat, Table

SEED: Final = "the tables of the second general"
SCENARIOS: Final = ("1756", "1757", "1758", "1759", "campaign")
YEARS: Final = SCENARIOS[:-1]
SIDES: Final = ("Prussia", "Coalition")


class Match(NamedTuple):
    """A game: scenario, variant, what each side is without ("" for nothing, `random` for the other bot), its number."""

    scenario: str
    rules: str
    first: str
    second: str
    number: int


class Result(NamedTuple):
    """What came of a game: the winner, and by how many points."""

    match: Match
    winner: int | None
    score: int
    battles: int
    killed: int


def play(match: Match) -> Result:
    """Plays one game; the same match gives the same game."""
    ruleset = load("campaigns")
    key = Key.from_seed(f"{SEED} {match.scenario} {match.rules}", match.number)
    table = Table(ruleset, ruleset.new_game(match.scenario, {"rules": match.rules}))
    outcome = Game(table, [_seat(match.first, match.number), _seat(match.second, match.number)], key.dice()).play()
    assert outcome is not None
    found = ruleset.summary(table.state)
    return Result(match, outcome.winner, found["score"], sum(found["battles"]), sum(found["killed"]))


def _seat(without: str, number: int) -> Seat:
    return RandomBot(number) if without == RANDOM else planner(frozenset({without} - {""}))


def matches(args: argparse.Namespace) -> Iterator[Match]:
    """All games of the tables."""
    for number in range(args.random):
        for scenario in SCENARIOS:
            for rules in ("einhorn", "base")[: 1 + args.base]:
                yield Match(scenario, rules, "", RANDOM, number)
                yield Match(scenario, rules, RANDOM, "", number)
    for number in range(args.itself):
        yield from (Match(scenario, "einhorn", "", "", number) for scenario in SCENARIOS)
    for number in range(args.games):
        for habit in HABITS:
            for scenario in YEARS:
                yield Match(scenario, "einhorn", habit, "", number)
                yield Match(scenario, "einhorn", "", habit, number)


def report(results: list[Result]) -> Iterator[str]:
    """The tables, line by line."""
    yield from _against_random([r for r in results if RANDOM in r.match])
    yield from _against_itself([r for r in results if not r.match.first and not r.match.second])
    yield from _without(results)


def _against_random(results: list[Result]) -> Iterator[str]:
    yield "### The second planner against `random`\n"
    yield "| scenario | rules | planner plays | games | won | drawn | lost | least lead | mean lead |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|"
    groups = dict.fromkeys((r.match.scenario, r.match.rules, int(r.match.first == RANDOM)) for r in results)
    for scenario, rules, side in groups:
        mine = [r for r in results if (*r.match[:2], int(r.match.first == RANDOM)) == (scenario, rules, side)]
        won, drawn = sum(r.winner == side for r in mine), sum(r.winner is None for r in mine)
        leads = [r.score if side == 0 else -r.score for r in mine]
        counts = f"{len(mine)} | {won} | {drawn} | {len(mine) - won - drawn}"
        yield f"| {scenario} | `{rules}` | {SIDES[side]} | {counts} | {min(leads):+d} | {statistics.mean(leads):+.0f} |"
    yield ""


def _against_itself(results: list[Result]) -> Iterator[str]:
    yield "### The second planner against itself\n"
    yield "| scenario | games | Prussia wins | drawn | Coalition wins | mean score | great battles | TP lost |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for scenario in SCENARIOS:
        mine = [r for r in results if r.match.scenario == scenario]
        if mine:
            wins = [sum(r.winner == side for r in mine) for side in (0, None, 1)]
            means = [statistics.mean(getattr(r, name) for r in mine) for name in ("score", "battles", "killed")]
            ends = f"{wins[0]} | {wins[1]} | {wins[2]} | {means[0]:+.0f} | {means[1]:.1f} | {means[2]:.0f}"
            yield f"| {scenario} | {len(mine)} | {ends} |"
    yield ""


def _without(results: list[Result]) -> Iterator[str]:
    """How far a side falls behind what the whole planner makes of the same games."""
    yield "### The second planner without one habit, against the whole one, 1756 to 1759\n"
    yield "| without | games | score | 95 % | points ahead | 95 % |\n|---|--:|--:|---|--:|---|"
    for habit in HABITS:
        mine = [(r, int(r.match.second == habit)) for r in results if habit in (r.match.first, r.match.second)]
        if len(mine) < 2:
            continue
        wins = sum(0.5 if r.winner is None else float(r.winner == side) for r, side in mine)
        ahead = [r.score if side == 0 else -r.score for r, side in mine]
        mean, half = statistics.mean(ahead), 1.96 * statistics.stdev(ahead) / len(ahead) ** 0.5
        low, high = wilson(wins, len(mine))
        shares = f"{wins / len(mine):.0%} | {low:.0%} to {high:.0%}"
        yield f"| `{habit}` | {len(mine)} | {shares} | {mean:+.0f} | {mean - half:+.0f} to {mean + half:+.0f} |"


def main() -> None:
    """Plays all games and prints the tables."""
    parser = argparse.ArgumentParser(prog="bench.campaigner_table", description=__doc__)
    parser.add_argument("--random", type=int, default=10, help="games against random from either side of each scenario")
    parser.add_argument("--base", action="store_true", help="against random the base game too")
    parser.add_argument("--itself", type=int, default=4, help="games of the planner against itself, of each scenario")
    parser.add_argument("--games", type=int, default=2, help="games without each habit from either side of each year")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="file of games played, with which a run that was broken off goes on")
    args = parser.parse_args()
    load("campaigns")
    known = _read(args.keep)
    wanted = list(matches(args))
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        for result in pool.imap(play, [match for match in wanted if match not in known]):
            known[result.match] = result
            if args.keep is not None:
                with args.keep.open("ab") as file:
                    file.write(msgspec.json.encode(result) + b"\n")
    for line in report([known[match] for match in wanted]):
        print(line)


def _read(path: Path | None) -> dict[Match, Result]:
    if path is None or not path.exists():
        return {}
    results = [msgspec.json.decode(line, type=Result) for line in path.read_bytes().splitlines()]
    return {result.match: result for result in results}


if __name__ == "__main__":
    main()
