"""Leuthen: the campaign game of the Seven Years War, with an umpire that knows every rule and keeps every secret.

The library: `ruleset("frederick")` returns the rules with their data, an object with a few pure functions (`Ruleset`)
on immutable positions. `Table` and `Game` play them with `Player`s, `Key` and `Dice` are verifiable dice, `read` and
`Writer` handle records, `Replay` replays them. `position` builds a position from text. `leuthen.frederick` and
`leuthen.campaigns` have the types of the rule sets; docs/library.md shows all of it at work. Invalid input raises
`Invalid`, a forbidden action `Illegal`, which names the rule. Names are imported on first use.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from leuthen.bots import BOTS, make_bot
    from leuthen.cases.run import position
    from leuthen.engine.choice import Action, LegalSet, Options
    from leuthen.engine.refusal import Ambiguous, Illegal, Invalid, Refusal
    from leuthen.engine.ruleset import (
        CHANCE,
        EVERYTHING,
        WATCHER,
        LeaveGame,
        Outcome,
        Pending,
        Player,
        Ruleset,
        Transition,
        Undo,
    )  # fmt: skip
    from leuthen.load import ruleset
    from leuthen.play.dice import Dice, Key
    from leuthen.play.record import Record, RecordError, Writer, read
    from leuthen.play.replay import Replay
    from leuthen.play.table import Game, Observer, Step, Table, make_header
    from leuthen.wargame.board import Hex, hex_name, parse_hex
    from leuthen.wargame.strength import bag

__version__ = "0.1.0"

_HOMES: Final = {
    "bots": ("BOTS", "make_bot"),
    "cases.run": ("position",),
    "engine.choice": ("Action", "LegalSet", "Options"),
    "engine.refusal": ("Ambiguous", "Illegal", "Invalid", "Refusal"),
    "engine.ruleset": (
        "CHANCE", "EVERYTHING", "WATCHER", "LeaveGame", "Outcome", "Pending", "Player", "Ruleset", "Transition", "Undo",
    ),
    "load": ("ruleset",),
    "play.dice": ("Dice", "Key"),
    "play.record": ("RecordError", "Record", "Writer", "read"),
    "play.replay": ("Replay",),
    "play.table": ("Game", "Observer", "Step", "Table", "make_header"),
    "wargame.board": ("Hex", "hex_name", "parse_hex"),
    "wargame.strength": ("bag",),
}  # fmt: skip
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BOTS", "CHANCE", "EVERYTHING", "WATCHER", "Action", "Ambiguous", "Dice", "Game", "Hex", "Illegal", "Invalid",
    "Key", "LeaveGame", "LegalSet", "Observer", "Options", "Outcome", "Pending", "Player", "Record", "RecordError",
    "Refusal", "Replay", "Ruleset", "Step", "Table", "Transition", "Undo", "Writer", "bag", "hex_name", "make_bot",
    "make_header", "parse_hex", "position", "read", "ruleset",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'leuthen' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"leuthen.{_HOME_OF[name]}"), name)  # found without this next time
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
