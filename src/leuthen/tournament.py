"""The command that says which of two bots is better."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from leuthen import arguments

if TYPE_CHECKING:
    from leuthen.engine.ruleset import Ruleset

FAILED: Final = 1
"""The exit code when a game broke off."""


def add_ladder(commands: arguments.Commands) -> None:
    """Adds the command."""
    text = "Plays two bots in pairs of games, sides changed on the same fates, until it is certain which is better."
    ladder = arguments.command(commands, "ladder", "which of two bots is better", text, _ladder)
    ladder.add_argument("bots", metavar="BOT", nargs=2)
    ladder.add_argument("--ruleset", metavar="NAME", type=arguments.ruleset)
    arguments.add_game(ladder)
    ladder.add_argument("--pairs", metavar="N", type=arguments.positive, default=200, help="at most so many")
    ladder.add_argument("--all", action="store_true", help="plays all of them, also when it is certain sooner")
    ladder.add_argument("--seed", metavar="S", default="ladder", help="the same fates for the same seed")
    arguments.add_resuming(ladder)


def _ladder(args: argparse.Namespace) -> int:
    from leuthen.load import DEFAULT, load
    from leuthen.simulate.game import GameFailed

    ruleset = load(args.ruleset or DEFAULT)
    try:
        _climb(ruleset, args)
    except GameFailed as error:
        print(f"leuthen: {error}", file=sys.stderr)
        return FAILED
    return 0


def _climb(ruleset: Ruleset, args: argparse.Namespace) -> None:
    from leuthen.bots import expect_player
    from leuthen.simulate.game import Match
    from leuthen.simulate.ladder import climb

    for bot in args.bots:
        expect_player(bot)
    options, standing = dict(args.options), None
    ruleset.new_game(args.scenario, options)
    match = Match(ruleset.name, ruleset.digest, args.scenario, options, (args.bots[0], args.bots[1]), args.seed)
    for standing in climb(ruleset, match, args.pairs, args.jobs, args.keep, args.on, all_pairs=args.all):
        print(standing, file=sys.stderr, flush=True)
    print(f"{args.bots[0]} against {args.bots[1]}, {ruleset.name} {args.scenario}: {standing}")
