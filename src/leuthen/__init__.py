"""Leuthen: the campaign game of the Seven Years War, with an umpire that knows every rule and keeps every secret.

The library: `ruleset("frederick")` returns the rules with their data, an object with a few pure functions (`Ruleset`)
on immutable positions. `Table` and `Game` play them with `Player`s, `Key` and `Dice` are verifiable dice, `read` and
`Writer` handle records, `Replay` replays them. `position` builds a position from text. `leuthen.frederick` and
`leuthen.campaigns` have the types of the rule sets; docs/library.md shows all of it at work. Invalid input raises
`Invalid`, a forbidden action `Illegal`, which names the rule. Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from leuthen.bots import BOTS as BOTS
    from leuthen.bots import make_bot as make_bot
    from leuthen.cases.run import position as position
    from leuthen.engine.choice import Action as Action
    from leuthen.engine.choice import LegalSet as LegalSet
    from leuthen.engine.choice import Options as Options
    from leuthen.engine.refusal import Ambiguous as Ambiguous
    from leuthen.engine.refusal import Illegal as Illegal
    from leuthen.engine.refusal import Invalid as Invalid
    from leuthen.engine.refusal import Refusal as Refusal
    from leuthen.engine.ruleset import CHANCE as CHANCE
    from leuthen.engine.ruleset import EVERYTHING as EVERYTHING
    from leuthen.engine.ruleset import WATCHER as WATCHER
    from leuthen.engine.ruleset import Outcome as Outcome
    from leuthen.engine.ruleset import Pending as Pending
    from leuthen.engine.ruleset import Ruleset as Ruleset
    from leuthen.engine.ruleset import Transition as Transition
    from leuthen.engine.seat import LeaveGame as LeaveGame
    from leuthen.engine.seat import Player as Player
    from leuthen.engine.seat import Undo as Undo
    from leuthen.load import ruleset as ruleset
    from leuthen.play.dice import Dice as Dice
    from leuthen.play.dice import Key as Key
    from leuthen.play.loop import Game as Game
    from leuthen.play.record import Record as Record
    from leuthen.play.record import RecordError as RecordError
    from leuthen.play.record import Writer as Writer
    from leuthen.play.record import read as read
    from leuthen.play.replay import Replay as Replay
    from leuthen.play.table import Observer as Observer
    from leuthen.play.table import Step as Step
    from leuthen.play.table import Table as Table
    from leuthen.play.table import make_header as make_header
    from leuthen.wargame.board import Hex as Hex
    from leuthen.wargame.board import hex_name as hex_name
    from leuthen.wargame.board import parse_hex as parse_hex
    from leuthen.wargame.strength import bag as bag

__version__ = "0.1.0"

_HOMES: Final = {
    "bots": ("BOTS", "make_bot"),
    "cases.run": ("position",),
    "engine.choice": ("Action", "LegalSet", "Options"),
    "engine.refusal": ("Ambiguous", "Illegal", "Invalid", "Refusal"),
    "engine.ruleset": ("CHANCE", "EVERYTHING", "WATCHER", "Outcome", "Pending", "Ruleset", "Transition"),
    "engine.seat": ("LeaveGame", "Player", "Undo"),
    "load": ("ruleset",),
    "play.dice": ("Dice", "Key"),
    "play.loop": ("Game",),
    "play.record": ("RecordError", "Record", "Writer", "read"),
    "play.replay": ("Replay",),
    "play.table": ("Observer", "Step", "Table", "make_header"),
    "wargame.board": ("Hex", "hex_name", "parse_hex"),
    "wargame.strength": ("bag",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'leuthen' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"leuthen.{_HOME_OF[name]}"), name)  # found without this next time
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
