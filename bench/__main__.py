"""`make bench`: prints every figure; `ARGS=--profile` shows where the time of random play goes."""

from __future__ import annotations

import argparse
import cProfile
import pstats

from bench.client import client_figures
from bench.door import Campaigns, counts, door
from bench.engine import engine
from bench.load import load_figures
from bench.measure import HEADING, calibration_rate
from bench.refusals import refusal_figures
from bench.rest import rest
from leuthen.load import load

GAMES, SECONDS = 40, 20.0
"""Of the load."""


def main() -> None:
    """Measures everything."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--ruleset", default="frederick")
    parser.add_argument("--scenario", default="campaign")
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    ruleset = load(args.ruleset)
    if args.profile:
        _profile(Campaigns(ruleset, args.scenario))
        return
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps a second; a thousand is the unit below")
    print(counts(ruleset, args.scenario))
    print(HEADING)
    for figures in (door(ruleset, args.scenario), engine(ruleset), rest()):
        for figure in figures:
            print(figure.line, flush=True)
    for lines in (refusal_figures(ruleset), client_figures(), load_figures(GAMES, SECONDS)):
        print()
        for line in lines:
            print(line, flush=True)


def _profile(campaigns: Campaigns) -> None:
    profile = cProfile.Profile()
    profile.runcall(campaigns.play)
    pstats.Stats(profile).sort_stats("tottime").print_stats(30)


main()
