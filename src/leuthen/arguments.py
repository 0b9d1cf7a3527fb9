"""What the words of the command line may be; wrong ones are told as argparse tells them."""

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
    """Adds a command, which `run` carries out."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about, description=description)
    parser.set_defaults(command=run)
    return parser


def player(text: str) -> str:
    """A player; the module of one's own bot is looked for in the present folder too, after all others."""
    if ":" in text and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return text


def ruleset(text: str) -> str:
    """The name of a rule set; one in development, `module:PLUGIN`, is added to those of this process."""
    from leuthen.engine.refusal import Invalid
    from leuthen.load import add_ruleset

    if ":" not in text:
        return text
    try:
        return add_ruleset(player(text))
    except Invalid as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def option(text: str) -> tuple[str, str]:
    """An option of a game, NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"«{text}» is not of the form name=value")
    return name, value


def positive(text: str) -> int:
    """A number from 1."""
    return _number(text, 1)


def natural(text: str) -> int:
    """A number from 0."""
    return _number(text, 0)


def address(text: str) -> tuple[str, int]:
    """An address to listen at, [HOST:]PORT; without a host it is this machine's own."""
    host, _, number = text.rpartition(":")
    return host.strip("[]") or "127.0.0.1", port(number)


def add_game(parser: argparse.ArgumentParser) -> None:
    """Adds scenario and options of a rule set."""
    parser.add_argument("--scenario", metavar="NAME", default="campaign")
    words = "may be repeated"
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], type=option, dest="options", help=words
    )


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    """Adds the rule set and its data."""
    text = "its name, or module:PLUGIN of one that you write (docs/tutorial.md)"
    parser.add_argument("--ruleset", metavar="NAME", type=ruleset, help=text)
    add_data(parser)


def add_data(parser: argparse.ArgumentParser) -> None:
    """Adds the data of a rule set."""
    parser.add_argument("--data", metavar="DIR", type=Path, help="a folder instead of the game's own data")


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Adds the folder of a server's games."""
    parser.add_argument("--data-dir", metavar="DIR", type=Path, help="where games are kept")


def add_where(command: argparse.ArgumentParser) -> None:
    """Adds where many games are played, and by how many processes."""
    command.add_argument("--jobs", metavar="J", type=positive, default=1, help="how many processes")
    text = "local (the default); ray: with Ray on this machine; ray://HOST:PORT: on a cluster"
    command.add_argument("--on", metavar="WHERE", type=where, default="local", help=text)


def add_resuming(command: argparse.ArgumentParser) -> None:
    """Adds where many games are played, and the file with which a run goes on."""
    add_where(command)
    command.add_argument("--keep", metavar="FILE", type=Path, help="where games are kept; a run goes on from there")


def add_patience(command: argparse.ArgumentParser) -> None:
    """Adds the time that a bot has for a decision."""
    text = "seconds that a bot may think about one decision (default: 60)"
    command.add_argument("--patience", metavar="S", type=positive, default=60, help=text)


def add_isolated(command: argparse.ArgumentParser) -> None:
    """Adds how bots are asked: here, or in processes of their own, and how long each may think."""
    text = "each bot plays in a process of its own that gets no more than its side's view"
    command.add_argument("--isolated", action="store_true", help=text)
    add_patience(command)


def where(text: str) -> str:
    """Where many games are played."""
    if text not in ("local", "ray") and not text.startswith("ray://"):
        raise argparse.ArgumentTypeError(f"«{text}» is nowhere to play: local, ray, or ray://HOST:PORT")
    return text


def port(text: str) -> int:
    """The number of a port."""
    number = _number(text, 0)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"«{text}» is no port: 0 to 65535")
    return number


def _number(text: str, least: int) -> int:
    from leuthen.engine.texts import brief, number_of

    number = number_of(text, 9)
    if number is None or number < least:
        raise argparse.ArgumentTypeError(f"«{brief(text)}» is no whole number from {least} up")
    return number
