"""Arguments of the command line."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Final, TypeAlias

from leuthen.engine.refusal import Invalid, number_of, shorten
from leuthen.load import add_ruleset

Argument: TypeAlias = tuple[tuple[str, ...], dict[str, Any]]


def argument(*names: str, **settings: Any) -> Argument:
    """Return an argument of a command, declared as for `argparse`."""
    return names, settings


def add_all(parser: argparse.ArgumentParser, *wanted: Argument) -> None:
    for names, settings in wanted:
        parser.add_argument(*names, **settings)


def player(text: str) -> str:
    """Return a player's name; for a user's own bot, add the working directory to the module path."""
    if ":" in text and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return text


def ruleset(text: str) -> str:
    """Return the name of a rule set; add a plug-in in development, `module:PLUGIN`, to this process."""
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
    number = number_of(text, 9)
    if number is None or number < least:
        raise argparse.ArgumentTypeError(f'"{shorten(text)}" is not a valid whole number of {least} or more')
    return number


GAME: Final = (
    argument("--scenario", metavar="NAME", default="campaign"),
    argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=option,
        dest="options",
        help="may be repeated",
    ),
)
DATA: Final = argument("--data", metavar="DIR", type=Path, help="a folder to use instead of the game's own data")
RULESET: Final = (
    argument(
        "--ruleset",
        metavar="NAME",
        type=ruleset,
        help="the rule set, or module:PLUGIN of your own (docs/tutorial.md)",
    ),
    DATA,
)
FOLDER: Final = argument("--data-dir", metavar="DIR", type=Path, help="the folder in which games are stored")
WHERE: Final = (
    argument("--jobs", metavar="J", type=positive, default=1, help="number of processes"),
    argument(
        "--on",
        metavar="WHERE",
        type=where,
        default="local",
        help="local (the default); ray: with Ray on this machine; ray://HOST:PORT: on a cluster",
    ),
)
RESUMING: Final = (
    *WHERE,
    argument("--keep", metavar="FILE", type=Path, help="the file for the results; a repeated run continues it"),
)
PATIENCE: Final = argument(
    "--patience",
    metavar="S",
    type=positive,
    default=60,
    help="seconds a bot may think about one decision (default: 60)",
)
ISOLATED: Final = (
    argument(
        "--isolated", action="store_true", help="run each bot in its own process, which receives only its side's view"
    ),
    PATIENCE,
)


def seats(prussia: str | None, austria: str | None) -> tuple[Argument, Argument]:
    """Return the arguments for the players of both sides, with their defaults."""
    first, second = ("--prussia", "--side-1"), ("--austria", "--coalition", "--side-2")
    text = "player of {} side: a bot, or module:Class of your own"
    return (
        argument(*first, metavar="PLAYER", default=prussia, type=player, help=text.format("Prussia's")),
        argument(*second, metavar="PLAYER", default=austria, type=player, help=text.format("Austria's")),
    )
