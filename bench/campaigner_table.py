"""The tables of the second general in docs/bots.md: `python -m bench.campaigner_table` prints them as Markdown.

The planner of the campaigns plays `random` from either side of every scenario; itself; and itself without one habit.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bench.bots_table import RANDOM, wilson
from leuthen import arguments
from leuthen.bots.random import RandomBot
from leuthen.engine.seat import Player
from leuthen.load import bot_of, load
from leuthen.play.dice import Key
from leuthen.play.drafts import Step
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.rulesets.campaigns.bot import HABITS
from leuthen.rulesets.campaigns.model.events.fighting import BattleEnded, PlaceFell
from leuthen.rulesets.campaigns.model.events.moving import PlaceTaken
from leuthen.rulesets.campaigns.model.pieces import TURNS
from leuthen.simulate.resume import do_missing

SEED: Final = "the tables of the second general"
SCENARIOS: Final = ("1756", "1757", "1758", "1759", "campaign")
YEARS: Final = SCENARIOS[:-1]
SIDES: Final = ("Prussia", "Coalition")


OPTIONS: Final = {"einhorn": {}, "base": {"rules": "base"}, "hidden": {"hidden": "yes"}}
"""The variant, the base game, and the variant with hidden strengths."""
SOME: Final = 10
"""TP of either side in a battle of some size."""


class Match(NamedTuple):
    """A game: scenario, rules, what each side is without ("" for nothing, `random` for the other bot), its number."""

    scenario: str
    rules: str
    first: str
    second: str
    number: int


class Result(NamedTuple):
    """What came of a game: the winner, and by how many points; the years that were fought, and how."""

    match: Match
    winner: int | None
    score: int
    years: float
    battles: int
    great: int
    fallen: int
    taken: int


class Tally:
    """An observer that counts battles of some size, and places that changed hands."""

    def __init__(self) -> None:
        self.battles = self.fallen = self.taken = 0

    def acted(self, step: Step) -> None:
        """Counts what an action did."""
        for fact in step.transition.facts:
            self.battles += isinstance(fact, BattleEnded) and min(fact.began) >= SOME
            self.fallen += isinstance(fact, PlaceFell)
            self.taken += isinstance(fact, PlaceTaken)

    def undone(self, step: Step) -> None:
        """Bots do not take back."""

    def stood(self, steps: object) -> None:
        """Nothing to do."""


def play(match: Match) -> Result:
    """Plays one game; the same match gives the same game."""
    ruleset = load("campaigns")
    key = Key.from_seed(f"{SEED} {match.scenario} {match.rules}", match.number)
    tally = Tally()
    table = Table(ruleset, ruleset.new_game(match.scenario, OPTIONS[match.rules]), observers=[tally])
    first = table.state.clock
    outcome = Game(table, [_seat(match.first, match.number), _seat(match.second, match.number)], key.dice()).play()
    assert outcome is not None
    found = ruleset.summary(table.state)
    years = (table.state.clock - first + 1) / TURNS
    great = sum(found["battles"])
    return Result(match, outcome.winner, found["score"], years, tally.battles, great, tally.fallen, tally.taken)


def _seat(without: str, number: int) -> Player:
    return RandomBot(number) if without == RANDOM else bot_of("campaigns", "planner", frozenset({without} - {""}))


def matches(args: argparse.Namespace) -> Iterator[Match]:
    """All games of the tables."""
    for number in range(args.random):
        for scenario in SCENARIOS:
            for rules in OPTIONS if args.base else ("einhorn",):
                yield Match(scenario, rules, "", RANDOM, number)
                yield Match(scenario, rules, RANDOM, "", number)
    for number in range(args.itself):
        for scenario in SCENARIOS:
            yield from (Match(scenario, rules, "", "", number) for rules in (OPTIONS if args.base else ("einhorn",)))
    for number in range(args.games):
        for scenario in YEARS:
            for habit in HABITS:
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
    yield "| scenario | rules | games | Prussia wins | drawn | Coalition wins | mean score | spread of one game |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for scenario, rules in dict.fromkeys(r.match[:2] for r in results):
        mine = [r for r in results if r.match[:2] == (scenario, rules)]
        wins = " | ".join(str(sum(r.winner == side for r in mine)) for side in (0, None, 1))
        scores = [r.score for r in mine]
        spread = f"{statistics.stdev(scores):.0f}" if len(scores) > 1 else ""
        yield f"| {scenario} | `{rules}` | {len(mine)} | {wins} | {statistics.mean(scores):+.0f} | {spread} |"
    years = sum(r.years for r in results)
    if years:
        yield "\n| a year | second planner | the war |\n|---|--:|--:|"
        yield f"| battles with {SOME} TP or more on either side | {sum(r.battles for r in results) / years:.1f} | 5.3 |"
        yield f"| of these with 20 TP or more | {sum(r.great for r in results) / years:.1f} | |"
        yield f"| places that fell after a siege | {sum(r.fallen for r in results) / years:.1f} | 4.3 |"
        yield f"| places taken without one | {sum(r.taken for r in results) / years:.1f} | |"
    yield ""


def _without(results: list[Result]) -> Iterator[str]:
    """How far a side falls behind what the whole planner makes of the same games."""
    yield "### The second planner without one habit, against the whole one, 1756 to 1759\n"
    yield "| without | games | as Prussia | as Coalition | score | 95 % | VP ahead at the end | 95 % |"
    yield "|---|--:|--:|--:|--:|---|--:|---|"
    for habit in HABITS:
        sides = [[r for r in results if r.match[2 + side] == habit] for side in (0, 1)]
        if all(sides):
            yield _row(f"`{habit}`", sides)


def _row(name: str, sides: Sequence[list[Result]]) -> str:
    """A habit's line: wins from either side, and how many points ahead of the whole planner."""
    games = sum(len(mine) for mine in sides)
    wins = [sum(0.5 if r.winner is None else float(r.winner == side) for r in sides[side]) for side in (0, 1)]
    ahead = [r.score for r in sides[0]] + [-r.score for r in sides[1]]
    mean, half = statistics.mean(ahead), 1.96 * statistics.stdev(ahead) / games**0.5
    low, high = wilson(sum(wins), games)
    shares = " | ".join(f"{wins[side] / len(sides[side]):.0%}" for side in (0, 1))
    interval = f"{sum(wins) / games:.0%} | {low:.0%} to {high:.0%}"
    return f"| {name} | {games} | {shares} | {interval} | {mean:+.0f} | {mean - half:+.0f} to {mean + half:+.0f} |"


def main() -> None:
    """Plays all games and prints the tables."""
    parser = argparse.ArgumentParser(prog="bench.campaigner_table", description=__doc__)
    parser.add_argument("--random", type=int, default=10, help="games against random from either side of each scenario")
    parser.add_argument("--base", action="store_true", help="the base game and hidden strengths too")
    parser.add_argument("--itself", type=int, default=4, help="games of the planner against itself, of each scenario")
    parser.add_argument("--games", type=int, default=2, help="games without each habit from either side of each year")
    arguments.add_resuming(parser)
    args = parser.parse_args()
    for line in report(do_missing(play, list(matches(args)), Result, args.keep, args.jobs, args.on)):
        print(line)


if __name__ == "__main__":
    main()
