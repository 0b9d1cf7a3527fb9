"""What the words of the command line may be; wrong ones are told as argparse tells them."""

from __future__ import annotations

import argparse
import os
import sys


def player(text: str) -> str:
    """A player; the module of one's own bot is looked for in the present folder too, after all others."""
    if ":" in text and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return text


def ruleset(text: str) -> str:
    """The name of a rule set; one of one's own, `module:SHELF`, is made known to this process and its children."""
    from leuthen.engine.refusal import Invalid
    from leuthen.load import OTHERS, add_rulesets

    if ":" not in text:
        return text
    try:
        (name,) = add_rulesets(player(text))
    except Invalid as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    os.environ[OTHERS] = ",".join(dict.fromkeys([*filter(None, [os.environ.get(OTHERS)]), text]))
    return name


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


def port(text: str) -> int:
    """The number of a port."""
    number = _number(text, 0)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"«{text}» is no port: 0 to 65535")
    return number


def _number(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise argparse.ArgumentTypeError(f"«{text}» is no whole number from {least} up")
    return int(text)
