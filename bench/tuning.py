"""What each number of a captain's temper is worth: `python -m bench.tuning --pairs 2000 --keep FILE`.

In each pair of games every number is a little larger or smaller by a coin of its own; who plays with them meets one who
has all the other way, sides changed on the same fates. So every pair says something of every number, and a table tells
how much better the larger one scores than the smaller one.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from leuthen import arguments
from leuthen.engine.ruleset import SIDES, Ruleset
from leuthen.engine.seat import Player
from leuthen.load import DEFAULT, load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.simulate.resume import do_missing
from leuthen.wargame.search import Stream, seed_of

LEVEL: Final = 1.96
LARGER, SMALLER = "+", "-"
HALF: Final = 0.5


class Trial(NamedTuple):
    """A pair of games: what is played, by how much numbers differ, which ones (none named: all), seed and number."""

    ruleset: str
    scenario: str
    step: float
    names: tuple[str, ...]
    seed: str
    number: int


class Tried(NamedTuple):
    """What whoever had the larger numbers of `signs` scored in both games, and by how many VP he was ahead."""

    match: Trial
    signs: str
    score: float
    ahead: float


def play(trial: Trial) -> Tried:
    """Plays a pair; the same trial gives the same pair."""
    rules, names = load(trial.ruleset), names_of(trial)
    coin = Stream(seed_of(trial.seed, trial.number, "signs"))
    signs = "".join(LARGER if coin.random() < HALF else SMALLER for _ in names)
    other = signs.translate({ord(LARGER): SMALLER, ord(SMALLER): LARGER})
    one, two = (temper_of(trial, dict(zip(names, some, strict=True))) for some in (signs, other))
    first, second = _play(rules, trial, (one, two)), _play(rules, trial, (two, one))
    return Tried(trial, signs, (first[0] + 1 - second[0]) / 2, (first[1] - second[1]) / 2)


def names_of(trial: Trial) -> tuple[str, ...]:
    """The numbers that are tried."""
    numbers = captain_of(trial.ruleset).CAPTAIN._asdict()
    return trial.names or tuple(name for name, value in numbers.items() if not isinstance(value, bool))


def temper_of(trial: Trial, signs: Mapping[str, str]) -> Any:
    """The captain's temper with each number moved its way: a count by one at least."""
    temper = captain_of(trial.ruleset).CAPTAIN
    moved: dict[str, float] = {}
    for name, sign in signs.items():
        value = getattr(temper, name)
        by = value * trial.step if isinstance(value, float) else max(1, round(value * trial.step))
        moved[name] = value + by if sign == LARGER else value - by
    return temper._replace(**moved)


@cache
def captain_of(ruleset: str) -> Any:
    """The module of a rule set's captain."""
    return import_module(f"leuthen.rulesets.{ruleset}.bot.generals.commander")


def _play(rules: Ruleset, trial: Trial, tempers: Sequence[object]) -> tuple[float, float]:
    """What the first side scored, and by how many VP it was ahead."""
    key = Key.from_seed(trial.seed, trial.number)
    table = Table(rules, rules.new_game(trial.scenario, {}))
    captain, data = captain_of(trial.ruleset).Captain, vars(rules)["data"]
    players: list[Player] = [
        captain(data, side, key.thinking(rules.sides[side]), temper)
        for side, temper in zip(SIDES, tempers, strict=True)
    ]
    outcome = Game(table, players, key.dice()).play()
    assert outcome is not None
    ours, theirs = rules.summary(table.state)["vp"]
    return HALF if outcome.winner is None else float(outcome.winner == SIDES[0]), ours - theirs


def table(tried: Sequence[Tried]) -> Iterator[str]:
    """What the larger number scores against the smaller one, and by how many VP it is ahead, in Markdown."""
    names = names_of(tried[0].match)
    score, ahead = ([getattr(pair, what) for pair in tried] for what in ("score", "ahead"))
    spreads = [LEVEL * statistics.stdev(some) / len(tried) ** 0.5 for some in (score, ahead)]
    yield f"{len(tried)} pairs; each score is known to ± {spreads[0]:.1%}, each lead to ± {spreads[1]:.1f} VP (95 %)\n"
    yield "| number | larger scores | VP ahead |\n|---|--:|--:|"
    for place, name in enumerate(names):
        signs = [1 if pair.signs[place] == LARGER else -1 for pair in tried]
        gain = statistics.mean(sign * (one - HALF) for sign, one in zip(signs, score, strict=True))
        lead = statistics.mean(sign * one for sign, one in zip(signs, ahead, strict=True))
        yield f"| `{name}` | {HALF + gain:.1%} | {lead:+.1f} |"


def main() -> None:
    """Plays what the file has not yet, and prints the table."""
    parser = argparse.ArgumentParser(prog="bench.tuning", description=__doc__)
    parser.add_argument("--ruleset", default=DEFAULT)
    parser.add_argument("--scenario", default="campaign")
    parser.add_argument("--pairs", type=arguments.positive, default=2000)
    parser.add_argument("--step", type=float, default=0.25, help="the part of a number by which it is moved")
    parser.add_argument("--names", nargs="*", default=(), help="those numbers alone")
    parser.add_argument("--seed", default="tuning")
    arguments.add_resuming(parser)
    args = parser.parse_args()
    asked = [
        Trial(args.ruleset, args.scenario, args.step, tuple(args.names), args.seed, number)
        for number in range(args.pairs)
    ]
    print(*table(do_missing(play, asked, Tried, args.keep, args.jobs, args.on)), sep="\n")


if __name__ == "__main__":
    main()
