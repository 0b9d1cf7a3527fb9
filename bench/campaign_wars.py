"""How much the wars of the second rule set look like the war: `python -m bench.campaign_wars` prints a table.

Each figure stands beside the war's own, or beside what a general should reach. `--keep FILE` lets a run that was broken
off go on; the same seed gives the same games.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bench.campaign_tally import Tally, Year
from leuthen import arguments
from leuthen.bots import make_player
from leuthen.engine.ruleset import SIDES
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.simulate.resume import do_missing
from tools.strengths.__main__ import targets

RULESET: Final = "campaigns"
WAR: Final = 6.5
"""Years of the whole war, by which figures of a war are reckoned from those of a year."""
ONE_GAME: Final = 2


class Match(NamedTuple):
    """A game: scenario, the bots of either side, the run's seed and the game's number."""

    scenario: str
    bots: tuple[str, str]
    seed: str
    number: int


class War(NamedTuple):
    """A game that was played: who won (None: nobody), by how many points, and what happened in each year."""

    match: Match
    winner: int | None
    score: int
    years: tuple[Year, ...]


class Row(NamedTuple):
    """A line of the table: what is counted, by year; how it is to be; whether it is reckoned for a whole war."""

    name: str
    aim: str
    values: list[float]
    is_share: bool = False


def play(match: Match) -> War:
    """Plays one game; the same match gives the same game."""
    ruleset = load(RULESET)
    key = Key.from_seed(f"{match.seed} {match.scenario}", match.number)
    tally = Tally()
    table = Table(ruleset, ruleset.new_game(match.scenario, {}), observers=[tally])
    seats = [make_player(match.bots[side], ruleset, side, key.thinking(ruleset.sides[side])) for side in SIDES]
    outcome = Game(table, seats, key.dice()).play()
    assert outcome is not None
    score: int = ruleset.summary(table.state)["score"]
    return War(match, outcome.winner, score, tuple(tally.years))


def report(wars: Sequence[War]) -> Iterator[str]:
    """The tables, line by line."""
    yield from _results(wars)
    years = [year for war in wars for year in war.years]
    yield "| | n | mean | 95 % | to be |\n|---|--:|--:|---|---|"
    yield from (_line(row) for row in rows(years) if row.values)
    yield ""
    yield from _strengths(years)


def _results(wars: Sequence[War]) -> Iterator[str]:
    yield "| games | Prussia wins | drawn | Coalition wins | mean score |\n|--:|--:|--:|--:|--:|"
    wins = " | ".join(str(sum(war.winner == side for war in wars)) for side in (0, None, 1))
    yield f"| {len(wars)} | {wins} | {statistics.mean(war.score for war in wars):+.0f} |\n"


def rows(years: Sequence[Year]) -> list[Row]:
    """What is counted, a value for each year of each game."""
    return [
        Row("battles with 20 TP on each side, a year", "3 to 7", _a_year(years, "great")),
        Row("battles with 10 TP on each side, a year", "the war: 5.3", _a_year(years, "battles")),
        Row("places that fell after a siege, a year", "at most 8", _a_year(years, "fallen")),
        Row("places taken without one, a year", "", _a_year(years, "taken")),
        Row("wagons destroyed alone, a war", "at most 4", [WAR * value for value in _a_year(years, "wagons")]),
        Row("leaders without men, of leader turns", "at most 15 %", _shares(years, "idle", "leaders"), is_share=True),
        Row("forces outside their theatre", "rare", _shares(years, "astray", "forces"), is_share=True),
        Row("forces that end a turn of winter in the open", "", _shares(years, "open", "winterers"), is_share=True),
    ]  # fmt: skip


def _a_year(years: Sequence[Year], name: str) -> list[float]:
    return [getattr(year, name) * year.part for year in years if year.turns]


def _shares(years: Sequence[Year], part: str, whole: str) -> list[float]:
    return [getattr(year, part) / getattr(year, whole) for year in years if getattr(year, whole)]


def _line(row: Row) -> str:
    mean = statistics.mean(row.values)
    spread = 1.96 * statistics.stdev(row.values) / len(row.values) ** 0.5 if len(row.values) >= ONE_GAME else 0.0
    if row.is_share:
        return f"| {row.name} | {len(row.values)} | {mean:.0%} | ± {spread:.0%} | {row.aim} |"
    return f"| {row.name} | {len(row.values)} | {mean:.1f} | ± {spread:.1f} | {row.aim} |"


def _strengths(years: Sequence[Year]) -> Iterator[str]:
    """TP on the map on turn 1 of a year, of the war's own."""
    goals = targets()
    yield "| turn 1 of | nation | n | mean TP | the war | of it |\n|---|---|--:|--:|--:|--:|"
    for (when, nation), goal in goals.items():
        place = NATIONS.index(nation)
        found = [year.springs[place] for year in years if year.year == when and year.springs and year.springs[place]]
        if found:
            mean = statistics.mean(found)
            yield f"| {when} | {nation.title()} | {len(found)} | {mean:.0f} | {goal} | {mean / goal:.0%} |"


def main() -> None:
    """Plays all games and prints the tables."""
    parser = argparse.ArgumentParser(prog="bench.campaign_wars", description=__doc__)
    parser.add_argument("--bots", nargs=2, default=["captain", "captain"], metavar="BOT")
    parser.add_argument("--scenario", default="campaign")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", default="wars that look like the war")
    arguments.add_resuming(parser)
    args = parser.parse_args()
    wanted = [Match(args.scenario, (args.bots[0], args.bots[1]), args.seed, number) for number in range(args.games)]
    for line in report(do_missing(play, wanted, War, args.keep, args.jobs, args.on)):
        print(line)


if __name__ == "__main__":
    main()
