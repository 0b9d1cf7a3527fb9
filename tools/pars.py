"""`make pars` makes the pars of the scenarios of *Frederick*, and the table of docs/scenarios.md.

The machine plays each scenario against itself. A par is the median of what the Prussian side's VP exceed the other's by
(C14.5). Every game is written down at once in `pars.csv`, so that a run goes on where it was stopped; games of a set-up
or a bot that are no more do not count. The pars themselves change nothing of how the bots play.
"""

from __future__ import annotations

import argparse
import csv
import random
import statistics
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.load import ruleset
from leuthen.rulesets.frederick.model.data import Scenario
from leuthen.simulate.game import Plan, play_one

ROOT: Final = Path(__file__).parents[1]
GAMES: Final = ROOT / "tools/pars.csv"
TABLE: Final = ROOT / "src/leuthen/rulesets/frederick/data/scenarios.csv"
PAGE: Final = ROOT / "docs/scenarios.md"
HEAD: Final = "## How even they are\n"
RESAMPLED: Final = 2000
"""How often the games are drawn again for the interval of a median."""


class Margin(NamedTuple):
    """A game: of which scenario and set-up, between which bots, its number, Prussian VP less Austrian."""

    scenario: str
    setup: str
    bot: str
    game: int
    margin: int


def main(words: Sequence[str] | None = None) -> None:
    """Plays what is missing; then, unless only that is wanted, writes pars and page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bot", default="planner")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--scenario", action="append", help="only this one; may be given several times")
    args = parser.parse_args(words)
    frederick = ruleset("frederick")
    plans = [plan for plan in frederick.data.scenarios.values() if plan.par is not None]
    for plan in plans:
        if not args.scenario or plan.name in args.scenario:
            _play(plan, args.bot, args.games)
    found = {plan.name: _margins(plan, args.bot) for plan in plans}
    _write_pars({name: par_of(margins) for name, margins in found.items() if margins})
    _write_page(args.bot, found)


def setup_of(plan: Scenario) -> str:
    """A digest of all that a scenario is but for its par: games of another one do not count."""
    parts = [getattr(plan, name) for name in plan.__struct_fields__ if name not in ("par", "text")]
    return blake2b(repr(parts).encode(), digest_size=4).hexdigest()


def _play(plan: Scenario, bot: str, games: int) -> None:
    done = {one.game for one in _read() if one[:3] == (plan.name, setup_of(plan), bot)}
    for game in range(games):
        if game not in done:
            line = play_one(ruleset("frederick"), Plan(plan.name, {}, (bot, bot), f"pars {plan.name}"), game)
            vp = line["vp"]
            assert isinstance(vp, list)
            _add(Margin(plan.name, setup_of(plan), bot, game, vp[0] - vp[1]))
    print(f"{plan.name}: {games} games of {bot}", flush=True)


def _read() -> Iterator[Margin]:
    if GAMES.exists():
        for row in csv.reader(GAMES.read_text().splitlines()):
            yield Margin(row[0], row[1], row[2], int(row[3]), int(row[4]))


def _add(margin: Margin) -> None:
    with GAMES.open("a") as file:
        csv.writer(file, lineterminator="\n").writerow(margin)


def _margins(plan: Scenario, bot: str) -> list[int]:
    return [one.margin for one in _read() if one[:3] == (plan.name, setup_of(plan), bot)]


def par_of(margins: Sequence[int]) -> int:
    """The median, to the nearest 5: VP come in fives."""
    return 5 * round(statistics.median(margins) / 5)


def interval(margins: Sequence[int]) -> tuple[float, float]:
    """Between what the median lies in 95 of 100 draws from the same games."""
    draw = random.Random("interval")
    medians = sorted(statistics.median(draw.choices(margins, k=len(margins))) for _ in range(RESAMPLED))
    return medians[RESAMPLED // 40], medians[-RESAMPLED // 40]


def _write_pars(pars: dict[str, int]) -> None:
    lines = TABLE.read_text().splitlines()
    column = next(line for line in lines if line.startswith("name,")).split(",").index("par")
    for number, line in enumerate(lines):
        cells = line.split(",")
        if cells[0] in pars:
            cells[column] = str(pars[cells[0]])
            lines[number] = ",".join(cells)
    TABLE.write_text("\n".join(lines) + "\n")


def _write_page(bot: str, found: dict[str, list[int]]) -> None:
    text = PAGE.read_text().partition(HEAD)[0]
    PAGE.write_text(text + HEAD + _page(bot, found))


def _page(bot: str, found: dict[str, list[int]]) -> str:
    rows = [_row(name, margins) for name, margins in found.items() if margins]
    return (
        f"\nMade by `make pars` from games of the {bot} against itself (`tools/pars.csv`). *Middle*: the median of\n"
        "the Prussian side's VP less the Austrian's, in brackets where it lies in 95 of 100 draws; par is that to the\n"
        "nearest 5. The rest: how the games end by C14.5 with that par; a victory by C12.3 counts by its VP too.\n\n"
        "| scenario | games | middle | par | Prussian side | draw | Austrian side |\n|---|---|---|---|---|---|---|\n"
    ) + "".join(rows)


def _row(name: str, margins: Sequence[int]) -> str:
    par, (low, high) = par_of(margins), interval(margins)
    scores = [margin - par for margin in margins]
    won, lost = (sum(sign * score > 5 for score in scores) / len(scores) for sign in (1, -1))
    middle = f"{statistics.median(margins):+g} ({low:+g} to {high:+g})"
    return f"| {name} | {len(margins)} | {middle} | {par:+d} | {won:.0%} | {1 - won - lost:.0%} | {lost:.0%} |\n"


if __name__ == "__main__":
    main()
