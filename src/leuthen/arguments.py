"""Arguments of the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[Any]"


def command(
    commands: Commands, name: str, about: str, description: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    """Add a command, which `run` carries out."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about, description=description)
    parser.set_defaults(command=run)
    return parser


def player(text: str) -> str:
    """Return a player's name; for a user's own bot, add the working directory to the module path."""
    if ":" in text and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return text


def ruleset(text: str) -> str:
    """Return the name of a rule set; add a plug-in in development, `module:PLUGIN`, to this process."""
    from leuthen.engine.refusal import Invalid
    from leuthen.load import add_ruleset

    if ":" not in text:
        return text
    try:
        return add_ruleset(player(text))
    except Invalid as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def option(text: str) -> tuple[str, str]:
    """Return the name and value of an option NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f'"{text}" is not of the form name=value')
    return name, value


def positive(text: str) -> int:
    return _number(text, 1)


def natural(text: str) -> int:
    return _number(text, 0)


def address(text: str) -> tuple[str, int]:
    """Return the host and port of [HOST:]PORT; the default host is this machine."""
    host, _, number = text.rpartition(":")
    return host.strip("[]") or "127.0.0.1", port(number)


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scenario", metavar="NAME", default="campaign")
    words = "may be repeated"
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], type=option, dest="options", help=words
    )


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    text = "the rule set, or module:PLUGIN of your own (docs/tutorial.md)"
    parser.add_argument("--ruleset", metavar="NAME", type=ruleset, help=text)
    add_data(parser)


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="DIR", type=Path, help="a folder to use instead of the game's own data")


def add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data-dir", metavar="DIR", type=Path, help="the folder in which games are stored")


def add_where(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jobs", metavar="J", type=positive, default=1, help="number of processes")
    text = "local (the default); ray: with Ray on this machine; ray://HOST:PORT: on a cluster"
    command.add_argument("--on", metavar="WHERE", type=where, default="local", help=text)


def add_resuming(command: argparse.ArgumentParser) -> None:
    add_where(command)
    command.add_argument(
        "--keep", metavar="FILE", type=Path, help="the file for the results; a repeated run continues it"
    )


def add_patience(command: argparse.ArgumentParser) -> None:
    text = "seconds a bot may think about one decision (default: 60)"
    command.add_argument("--patience", metavar="S", type=positive, default=60, help=text)


def add_isolated(command: argparse.ArgumentParser) -> None:
    text = "run each bot in its own process, which receives only its side's view"
    command.add_argument("--isolated", action="store_true", help=text)
    add_patience(command)


def where(text: str) -> str:
    if text not in ("local", "ray") and not text.startswith("ray://"):
        raise argparse.ArgumentTypeError(f'"{text}" is not a place to run: use local, ray or ray://HOST:PORT')
    return text


def port(text: str) -> int:
    number = _number(text, 0)
    if number > 65535:
        raise argparse.ArgumentTypeError(f'"{text}" is not a valid port: 0 to 65535')
    return number


def _number(text: str, least: int) -> int:
    from leuthen.engine.texts import number_of, shorten

    number = number_of(text, 9)
    if number is None or number < least:
        raise argparse.ArgumentTypeError(f'"{shorten(text)}" is not a valid whole number of {least} or more')
    return number
