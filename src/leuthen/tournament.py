"""The command that says which of two bots is better."""

from __future__ import annotations

import argparse
import sys

from leuthen import arguments


def add_ladder(commands: arguments.Commands) -> None:
    """Adds the command."""
    text = "Plays two bots in pairs of games, sides changed on the same fates, until it is certain which is better."
    ladder = arguments.command(commands, "ladder", "which of two bots is better", text, _ladder)
    ladder.add_argument("bots", metavar="BOT", nargs=2, type=arguments.player, help="or module:Class of your own")
    ladder.add_argument("--ruleset", metavar="NAME", type=arguments.ruleset)
    arguments.add_game(ladder)
    ladder.add_argument("--pairs", metavar="N", type=arguments.positive, default=200, help="at most so many")
    ladder.add_argument("--all", action="store_true", help="plays all of them, also when it is certain sooner")
    ladder.add_argument("--seed", metavar="S", default="ladder", help="the same fates for the same seed")
    arguments.add_resuming(ladder)
    arguments.add_isolated(ladder)


def _ladder(args: argparse.Namespace) -> int:
    from leuthen.bots import expect_player
    from leuthen.load import DEFAULT, load
    from leuthen.simulate.game import Match
    from leuthen.simulate.ladder import climb

    ruleset = load(args.ruleset or DEFAULT)
    for bot in args.bots:
        expect_player(bot)
    options, standing = dict(args.options), None
    ruleset.new_game(args.scenario, options)
    match = Match(ruleset.name, ruleset.digest, args.scenario, options, (args.bots[0], args.bots[1]), args.seed)
    ways = {"all_pairs": args.all, "isolated": args.isolated, "patience": args.patience}
    for standing in climb(ruleset, match, args.pairs, args.jobs, args.keep, args.on, **ways):
        print(standing, file=sys.stderr, flush=True)
    print(f"{args.bots[0]} against {args.bots[1]}, {ruleset.name} {args.scenario}: {standing}")
    return 0
