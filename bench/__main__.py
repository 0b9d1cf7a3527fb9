"""Print all benchmark figures, and those that are slower than when last stored: `make bench`.

`ARGS=--keep` stores the figures in `bench/history.csv`; `ARGS=--profile` profiles random play.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections.abc import Sequence

from bench.client import client_figures
from bench.engine import engine_figures
from bench.history import History, current_commit
from bench.load import load_figures
from bench.measure import calibration_rate, header_line, line_of
from bench.midgame import midgame_figures
from bench.other import other_figures
from bench.ruleset import Campaigns, ruleset_figures, state_counts
from bench.sealing import sealing_figures
from leuthen.load import RULESETS, load
from leuthen.screen.presenter import TableRuleset

GAMES, SECONDS = 40, 20.0
"""Size and length of the load test."""
ACTIONS_A_SECOND = 100.0
"""Actions per second in the second load test; the first one has no limit."""
FIRST_RULESET = next(iter(RULESETS))
"""The rule set whose internals are measured too."""


def main() -> None:
    """Run all benchmarks."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--ruleset", choices=list(RULESETS), help="only this rule set; default: all, in columns")
    parser.add_argument("--scenario", default="campaign")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--rules", action="store_true", help="only the rule sets, without server and client")
    parser.add_argument("--keep", action="store_true", help="store the figures in bench/history.csv")
    args = parser.parse_args()
    rulesets = [load(name) for name in ([args.ruleset] if args.ruleset else RULESETS)]
    if args.profile:
        for ruleset in rulesets:
            _profile(Campaigns(ruleset, args.scenario))
        return
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps per second; a thousand are the unit below")
    history = History()
    print_ruleset_figures(rulesets, args.scenario, history)
    print(f"\n{header_line(FIRST_RULESET)}")
    for name, figures in (
        (FIRST_RULESET, engine_figures(load(FIRST_RULESET))),
        ("", other_figures()),
        ("", sealing_figures()),
    ):
        for figure in figures:
            history.note(name, figure)
            print(figure.line, flush=True)
    print("", *history.slower(), sep="\n", flush=True)
    if args.keep:
        history.keep(current_commit())
    if not args.rules:
        print_other_figures()


def print_other_figures() -> None:
    """Print the figures of client and server."""
    for lines in (client_figures(), load_figures(GAMES, SECONDS), load_figures(GAMES, SECONDS, ACTIONS_A_SECOND)):
        print()
        for line in lines:
            print(line, flush=True)


def print_ruleset_figures(rulesets: Sequence[TableRuleset], scenario: str, history: History) -> None:
    """Print the figures of the `Ruleset` interface and of mid-war play, with the rule sets in columns."""
    for ruleset in rulesets:
        print(f"{ruleset.name}: {state_counts(ruleset, scenario)}")
    print(header_line(*(ruleset.name for ruleset in rulesets)))
    for figures in (ruleset_figures, midgame_figures):
        for same in zip(*(figures(ruleset, scenario) for ruleset in rulesets), strict=True):
            for ruleset, figure in zip(rulesets, same, strict=True):
                history.note(ruleset.name, figure)
            print(line_of(same), flush=True)


def _profile(campaigns: Campaigns) -> None:
    profile = cProfile.Profile()
    profile.runcall(campaigns.play)
    pstats.Stats(profile).sort_stats("tottime").print_stats(30)


main()
