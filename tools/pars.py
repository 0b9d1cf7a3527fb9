"""Compute the pars of the scenarios and the tables of docs/scenarios.md: `make pars`.

A bot plays each scenario against itself. The par is the median Prussian lead in VP (C14.5, R16.5). Each game is
appended to `pars.jsonl` at once, so that an interrupted run can resume, with `--jobs` processes; games of an outdated
set-up or bot are ignored. Pars do not affect the bots' play. R16.5 fixes the pars of the campaigns' years; these
scenarios are measured, but their pars are not changed.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec

from leuthen import cli
from leuthen.load import RULESETS, ruleset
from leuthen.simulate.bulk import add_line, expect_single, locked, progress, read_results
from leuthen.simulate.run import GameTask, Match, play_one, run_tasks

ROOT: Final = Path(__file__).parents[1]
GAMES: Final = ROOT / "tools/pars.jsonl"
PAGE: Final = ROOT / "docs/scenarios.md"
HEAD: Final = "## How even they are\n"
RESAMPLES: Final = 2000
"""Number of bootstrap samples for the interval of a median."""
DRAW_MARGIN: Final = 5
"""Largest deviation from par, either way, that is a draw (C14.5, R16.4)."""
LAST_TURN: Final = 18
"""The last turn of a year. A scenario of the campaigns that ends earlier gets its par from this tool (R18.5)."""


class ParGame(msgspec.Struct, frozen=True):
    """Key of a game: the scenario with its set-up, the bot that leads both sides, and the game number."""

    ruleset: str
    scenario: str
    setup: str
    bot: str
    game: int


class Margin(msgspec.Struct, frozen=True):
    """Result of a game: the Prussian lead in VP."""

    match: ParGame
    margin: int


def main(words: Sequence[str] | None = None) -> None:
    """Play the missing games, then write the pars and the page from all games of this bot."""
    parser = argparse.ArgumentParser(prog="tools.pars", description=__doc__)
    parser.add_argument("--bot", default="captain")
    parser.add_argument("--games", type=cli.positive, default=150)
    parser.add_argument("--scenario", action="append", help="only this scenario; repeatable")
    cli.add_all(parser, *cli.WHERE)
    args = parser.parse_args(words)
    plans = {(game, plan.name): plan for game in RULESETS for plan in measured_scenarios(game)}
    asked = [
        ParGame(game, name, setup_of(game, plan), args.bot, number)
        for number, ((game, name), plan) in product(range(args.games), plans.items())
        if not args.scenario or name in args.scenario
    ]
    with locked(GAMES):
        known = [margin.match for margin in read_results(GAMES, Margin)]
        expect_single(GAMES, known, 1)
        missing = [match for match in asked if match not in known]
        for margin in progress(run_tasks(play, missing, args.jobs, args.on), 0, len(missing)):
            add_line(GAMES, msgspec.json.encode(margin))
    played = read_results(GAMES, Margin)
    found = {key: _margins(played, args.bot, key[0], plan) for key, plan in plans.items()}
    write(args.bot, {key: margins for key, margins in found.items() if margins})


def _data(game: str) -> Any:
    rules: Any = ruleset(game)
    return rules.data


def measured_scenarios(game: str) -> list[Any]:
    """Return the scenarios of a rule set that have a par, except `campaign`, the longest."""
    return [plan for plan in _data(game).scenarios.values() if plan.par is not None and plan.name != "campaign"]


def setup_of(game: str, plan: Any) -> str:
    """Return a digest of a scenario without its par. Games with another digest are ignored."""
    parts = [getattr(plan, name) for name in plan.__struct_fields__ if name not in ("par", "text")]
    if game == "campaigns":
        parts.append(_data(game).setups[plan.setup])
    return blake2b(repr(parts).encode(), digest_size=4).hexdigest()


def play(duel: ParGame) -> Margin:
    """Play a game and return its margin. Raise GameFailed."""
    match = Match(duel.ruleset, "", duel.scenario, {}, (duel.bot, duel.bot), f"pars {duel.scenario}")
    ours, theirs = msgspec.convert(play_one(ruleset(duel.ruleset), GameTask(match, duel.game))["vp"], tuple[int, int])
    return Margin(duel, ours - theirs)


def _margins(played: Sequence[Margin], bot: str, game: str, plan: Any) -> list[int]:
    wanted = (game, plan.name, setup_of(game, plan), bot)
    return [
        one.margin
        for one in played
        if (one.match.ruleset, one.match.scenario, one.match.setup, one.match.bot) == wanted
    ]


def par_of(margins: Sequence[int]) -> int:
    """Return the median, rounded to a multiple of 5, because VP come in fives."""
    return 5 * round(statistics.median(margins) / 5)


def interval(margins: Sequence[int]) -> tuple[float, float]:
    """Return the bootstrapped 95 % interval of the median."""
    draw = random.Random("interval")
    medians = sorted(statistics.median(draw.choices(margins, k=len(margins))) for _ in range(RESAMPLES))
    return medians[RESAMPLES // 40], medians[-RESAMPLES // 40]


def write(bot: str, found: Mapping[tuple[str, str], Sequence[int]]) -> None:
    """Write the pars into the tables of the rule sets, and the page."""
    for game in RULESETS:
        pars = {name: par_of(margins) for (its, name), margins in found.items() if its == game}
        _write_pars(game, {name: par for name, par in pars.items() if is_measured(game, name)})
    text = PAGE.read_text().partition(HEAD)[0]
    PAGE.write_text(text + HEAD + _page(bot, found))


def is_measured(game: str, name: str) -> bool:
    return game != "campaigns" or _data(game).scenarios[name].end < LAST_TURN


def _write_pars(game: str, pars: Mapping[str, int]) -> None:
    table = ROOT / f"src/leuthen/rulesets/{game}/data/scenarios.csv"
    lines = table.read_text().splitlines()
    column = next(line for line in lines if line.startswith("name,")).split(",").index("par")
    for number, line in enumerate(lines):
        cells = line.split(",")
        if cells[0] in pars:
            cells[column] = str(pars[cells[0]])
            lines[number] = ",".join(cells)
    table.write_text("\n".join(lines) + "\n")


def _page(bot: str, found: Mapping[tuple[str, str], Sequence[int]]) -> str:
    told = (
        f"\nMade by `make pars` from games of the {bot} against itself (`tools/pars.jsonl`). *Middle*: the median of\n"
        "the Prussian side's VP less the Austrian's, in brackets where it lies in 95 of 100 draws; *par* is that to\n"
        "the nearest 5, except that years of the campaigns use R16.5. The rest: how the games end\n"
        "by C14.5 and R16.4 with that par; a victory by C12.3 counts by its VP too.\n"
    )
    head = "| scenario | games | middle | par | Prussian side | draw | Austrian side |\n|---|---|---|---|---|---|---|\n"
    for game in RULESETS:
        rows = [_row(game, name, margins) for (its, name), margins in found.items() if its == game]
        told += f"\n{head}{''.join(rows)}" if rows else ""
    return told


def _row(game: str, name: str, margins: Sequence[int]) -> str:
    par = par_of(margins) if is_measured(game, name) else _data(game).scenarios[name].par
    low, high = interval(margins)
    scores = [margin - par for margin in margins]
    won, lost = (sum(sign * score > DRAW_MARGIN for score in scores) / len(scores) for sign in (1, -1))
    middle = f"{statistics.median(margins):+g} ({low:+g} to {high:+g})"
    return f"| {name} | {len(margins)} | {middle} | {par:+d} | {won:.0%} | {1 - won - lost:.0%} | {lost:.0%} |\n"


if __name__ == "__main__":
    main()
