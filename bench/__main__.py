"""`make bench`: prints every figure; `ARGS=--profile` shows where the time of random play goes."""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections.abc import Sequence

from bench.client import client_figures
from bench.crowd import crowd_figures
from bench.door import Campaigns, counts, door
from bench.engine import engine
from bench.flood import flood_figures
from bench.load import load_figures
from bench.measure import calibration_rate, heading, line_of
from bench.refusals import refusal_figures
from bench.rest import rest
from leuthen.engine.ruleset import Ruleset
from leuthen.load import RULESETS, load

GAMES, SECONDS = 40, 20.0
"""Of the load."""
FLOODED = 10.0
"""Seconds of calm players beside each flood."""
FIRST = next(iter(RULESETS))
"""The rule set whose insides are measured too."""


def main() -> None:
    """Measures everything."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--ruleset", choices=list(RULESETS), help="this one alone; default all, side by side")
    parser.add_argument("--scenario", default="campaign")
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    rulesets = [load(name) for name in ([args.ruleset] if args.ruleset else RULESETS)]
    if args.profile:
        for ruleset in rulesets:
            _profile(Campaigns(ruleset, args.scenario))
        return
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps a second; a thousand is the unit below")
    _door(rulesets, args.scenario)
    print(f"\n{heading(FIRST)}")
    for figures in (engine(load(FIRST)), rest()):
        for figure in figures:
            print(figure.line, flush=True)
    refusals = (refusal_figures(ruleset) for ruleset in rulesets)
    served = client_figures(), load_figures(GAMES, SECONDS), flood_figures(FLOODED), crowd_figures()
    for lines in (*refusals, *served):
        print()
        for line in lines:
            print(line, flush=True)


def _door(rulesets: Sequence[Ruleset], scenario: str) -> None:
    """The functions of the door, of all rule sets side by side."""
    for ruleset in rulesets:
        print(f"{ruleset.name}: {counts(ruleset, scenario)}")
    print(heading(*(ruleset.name for ruleset in rulesets)))
    for same in zip(*(door(ruleset, scenario) for ruleset in rulesets), strict=True):
        print(line_of(same), flush=True)


def _profile(campaigns: Campaigns) -> None:
    profile = cProfile.Profile()
    profile.runcall(campaigns.play)
    pstats.Stats(profile).sort_stats("tottime").print_stats(30)


main()
