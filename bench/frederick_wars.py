"""How much the wars of the first rule set look like the war: `python -m bench.frederick_wars` prints a table.

Each figure stands beside what a general should reach. `--keep FILE` lets a run that was broken off go on; the same seed
gives the same games.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bench.frederick_tally import Tally, Year
from leuthen import arguments
from leuthen.bots import make_player
from leuthen.engine.ruleset import SIDES
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.simulate.resume import do_missing

RULESET: Final = "frederick"
FIRST: Final = 1756
FEW: Final = 2


class Match(NamedTuple):
    """A game: the bots of either side, the last year, the run's seed and the game's number."""

    bots: tuple[str, str]
    last: str
    seed: str
    number: int


class War(NamedTuple):
    """A game that was played: who won (None: nobody), how, and what happened in each year."""

    match: Match
    winner: int | None
    how: str
    years: tuple[Year, ...]


def play(match: Match) -> War:
    """Plays one game; the same match gives the same game."""
    ruleset = load(RULESET)
    key, tally = Key.from_seed(match.seed, match.number), Tally()
    table = Table(ruleset, ruleset.new_game("campaign", {"last-year": match.last}), observers=[tally])
    seats = [
        make_player(bot, ruleset, side, key.thinking(ruleset.sides[side]))
        for side, bot in zip(SIDES, match.bots, strict=True)
    ]
    outcome = Game(table, seats, key.dice()).play()
    assert outcome is not None
    return War(match, outcome.winner, outcome.how, tuple(tally.years))


def report(wars: Sequence[War]) -> Iterator[str]:
    """The tables, line by line."""
    years = [year for war in wars for year in war.years if year.turns]
    later = [year for year in years if year.year > FIRST]
    wins = " | ".join(str(sum(war.winner == side for war in wars)) for side in (0, None, 1))
    yield "| games | years | Prussia wins | drawn | Austria wins |\n|--:|--:|--:|--:|--:|"
    yield f"| {len(wars)} | {len(years)} | {wins} |\n"
    yield "| | n | found | 95 % | to be |\n|---|--:|--:|---|---|"
    yield _mean("battles a year, 1757 on", [year.battles * year.part for year in later], "3 to 6")
    yield _mean("fortresses that change hands a year", [year.taken * year.part for year in later], "3 to 6")
    yield _medians(years)
    yield _mean("Prussian armies of 8 or more SP in summer", [n for year in later for n in year.armies], "3 or more")
    yield _mean(
        "halts where the leader stood in his last four, a year", [y.circles * y.part for y in later], "at most 2"
    )
    yield _share("depots begun and given up", years, "given_up", "begun", "at most 10 %")
    yield _share("SP lost by force march, of those lost in battle", years, "forced", "fallen", "at most 15 %")
    yield _mean("lone SP overwhelmed, a war", [sum(year.lone for year in war.years) for war in wars], "at most 1")
    yield _wars(
        "wars in which somebody fights in December", [any(y.winter for y in war.years) for war in wars], "1 in 3"
    )
    yield _wars("Saxony entered in 1756", [any(y.saxony for y in war.years[:1]) for war in wars], "as it is found good")


def _mean(name: str, values: Sequence[float], aim: str) -> str:
    mean = statistics.mean(values) if values else 0.0
    spread = 1.96 * statistics.stdev(values) / len(values) ** 0.5 if len(values) >= FEW else 0.0
    return f"| {name} | {len(values)} | {mean:.1f} | ± {spread:.1f} | {aim} |"


def _medians(years: Sequence[Year]) -> str:
    sides = zip(*(sizes for year in years for sizes in year.largest), strict=True)
    found = " / ".join(f"{statistics.median(side):.0f}" for side in sides)
    return f"| median of a side's largest stack | {sum(len(y.largest) for y in years)} | {found} SP | | at most 28 |"


def _share(name: str, years: Sequence[Year], part: str, whole: str, aim: str) -> str:
    total = sum(getattr(year, whole) for year in years)
    return f"| {name} | {total} | {sum(getattr(year, part) for year in years) / max(1, total):.0%} | | {aim} |"


def _wars(name: str, found: Sequence[bool], aim: str) -> str:
    return f"| {name} | {len(found)} | {sum(found) / max(1, len(found)):.0%} | | {aim} |"


def main() -> None:
    """Plays all games and prints the tables."""
    parser = argparse.ArgumentParser(prog="bench.frederick_wars", description=__doc__)
    parser.add_argument("--bots", nargs=2, default=["captain", "captain"], metavar="BOT")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--last", default="1762", help="the last year of the war")
    parser.add_argument("--seed", default="wars that look like the war")
    arguments.add_resuming(parser)
    args = parser.parse_args()
    wanted = [Match((args.bots[0], args.bots[1]), args.last, args.seed, number) for number in range(args.games)]
    for line in report(do_missing(play, wanted, War, args.keep, args.jobs, args.on)):
        print(line)


if __name__ == "__main__":
    main()
