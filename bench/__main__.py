"""`make bench`: prints every figure, and what has become slower since the figures were last kept.

`ARGS=--keep` keeps them in `bench/history.csv`; `ARGS=--profile` shows where the time of random play goes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections.abc import Sequence

from bench.client import client_figures
from bench.door import Campaigns, counts, door
from bench.engine import engine
from bench.history import History, commit_here
from bench.load import load_figures
from bench.measure import calibration_rate, heading, line_of
from bench.midgame import midgame
from bench.rest import rest
from bench.sealing import sealing
from leuthen.load import RULESETS, load
from leuthen.screen.presenter import TableRuleset

GAMES, SECONDS = 40, 20.0
"""Of the load."""
PACE = 100.0
"""Actions a second at which it is measured how long each takes; before that, as many as are answered."""
FIRST = next(iter(RULESETS))
"""The rule set whose insides are measured too."""


def main() -> None:
    """Measures everything."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--ruleset", choices=list(RULESETS), help="this one alone; default all, side by side")
    parser.add_argument("--scenario", default="campaign")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--rules", action="store_true", help="the rule sets alone, without server and client")
    parser.add_argument("--keep", action="store_true", help="adds the figures to bench/history.csv")
    args = parser.parse_args()
    rulesets = [load(name) for name in ([args.ruleset] if args.ruleset else RULESETS)]
    if args.profile:
        for ruleset in rulesets:
            _profile(Campaigns(ruleset, args.scenario))
        return
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps a second; a thousand is the unit below")
    history = History()
    _door(rulesets, args.scenario, history)
    print(f"\n{heading(FIRST)}")
    for name, figures in ((FIRST, engine(load(FIRST))), ("", rest()), ("", sealing())):
        for figure in figures:
            history.note(name, figure)
            print(figure.line, flush=True)
    print("", *history.slower(), sep="\n", flush=True)
    if args.keep:
        history.keep(commit_here())
    if not args.rules:
        _around()


def _around() -> None:
    """Client and server."""
    for lines in (client_figures(), load_figures(GAMES, SECONDS), load_figures(GAMES, SECONDS, PACE)):
        print()
        for line in lines:
            print(line, flush=True)


def _door(rulesets: Sequence[TableRuleset], scenario: str, history: History) -> None:
    """The functions of the door, and what is asked for in the middle of a war, of all rule sets side by side."""
    for ruleset in rulesets:
        print(f"{ruleset.name}: {counts(ruleset, scenario)}")
    print(heading(*(ruleset.name for ruleset in rulesets)))
    for figures in (door, midgame):
        for same in zip(*(figures(ruleset, scenario) for ruleset in rulesets), strict=True):
            for ruleset, figure in zip(rulesets, same, strict=True):
                history.note(ruleset.name, figure)
            print(line_of(same), flush=True)


def _profile(campaigns: Campaigns) -> None:
    profile = cProfile.Profile()
    profile.runcall(campaigns.play)
    pstats.Stats(profile).sort_stats("tottime").print_stats(30)


main()
