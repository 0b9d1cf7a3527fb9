"""Leuthen: the campaign game of the Seven Years War, with an umpire who knows every rule and keeps every secret.

The library: `ruleset("frederick")` gives the rules with their data, a value whose few pure functions (`Ruleset`) take
and give immutable positions. `Table` and `Game` play them with `Seat`s, `Key` and `Dice` are the honest dice,
`read` and `Writer` the record of a game, `Replay` plays one again. Wrong input raises `Invalid`, forbidden actions
`Illegal`, which names the rule. Names are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from leuthen.bots import BOTS as BOTS
    from leuthen.bots import make_bot as make_bot
    from leuthen.core.choice import Action as Action
    from leuthen.core.choice import LegalSet as LegalSet
    from leuthen.core.choice import Options as Options
    from leuthen.core.refusal import Ambiguous as Ambiguous
    from leuthen.core.refusal import Illegal as Illegal
    from leuthen.core.refusal import Invalid as Invalid
    from leuthen.core.refusal import Refusal as Refusal
    from leuthen.core.ruleset import CHANCE as CHANCE
    from leuthen.core.ruleset import EVERYTHING as EVERYTHING
    from leuthen.core.ruleset import WATCHER as WATCHER
    from leuthen.core.ruleset import Outcome as Outcome
    from leuthen.core.ruleset import Pending as Pending
    from leuthen.core.ruleset import Ruleset as Ruleset
    from leuthen.core.ruleset import Transition as Transition
    from leuthen.dice import Dice as Dice
    from leuthen.dice import Key as Key
    from leuthen.drafts import Step as Step
    from leuthen.load import ruleset as ruleset
    from leuthen.play import Game as Game
    from leuthen.play import Leave as Leave
    from leuthen.play import Seat as Seat
    from leuthen.play import Undo as Undo
    from leuthen.record import Recorded as Recorded
    from leuthen.record import RecordError as RecordError
    from leuthen.record import Writer as Writer
    from leuthen.record import read as read
    from leuthen.replay import Replay as Replay
    from leuthen.table import Observer as Observer
    from leuthen.table import Table as Table

__version__ = "0.1.0"

_HOMES: Final = {
    "bots": ("BOTS", "make_bot"),
    "core.choice": ("Action", "LegalSet", "Options"),
    "core.refusal": ("Ambiguous", "Illegal", "Invalid", "Refusal"),
    "core.ruleset": ("CHANCE", "EVERYTHING", "WATCHER", "Outcome", "Pending", "Ruleset", "Transition"),
    "dice": ("Dice", "Key"),
    "drafts": ("Step",),
    "load": ("ruleset",),
    "play": ("Game", "Leave", "Seat", "Undo"),
    "record": ("RecordError", "Recorded", "Writer", "read"),
    "replay": ("Replay",),
    "table": ("Observer", "Table"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'leuthen' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"leuthen.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
