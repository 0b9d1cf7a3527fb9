"""What the list of games tells of a game, as everybody may know it, and what never changes in a rule set."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from leuthen.engine.ruleset import CHANCE, WATCHER, Ruleset
from leuthen.load import read_rulings
from leuthen.play.in_words import outcome_in_words
from leuthen.screen import Setting
from leuthen.server.session.history import GameHistory
from leuthen.server.session.transaction import GameTransaction
from leuthen.storage.rows import GameRow, GameStatus


def status_of(game: GameTransaction | GameHistory, since: str) -> GameStatus:
    """What the list of games tells of a game, as everybody may know it."""
    table, ruleset = game.table, game.table.ruleset
    position = table.seen_by(WATCHER)
    asked = [pending.actor for pending in ruleset.pending(position) if pending.actor != CHANCE]
    waiting = 0 if table.outcome is not None else sum(1 << side for side in asked)
    return GameStatus(date_of(ruleset, position), waiting, since, result_of(game), table.outcome is not None)


def changed_status(
    transaction: GameTransaction, game: GameRow, *, is_stranded: bool, now: Callable[[], str]
) -> GameStatus | None:
    """What the list of games has to tell now, if that changed. Drafts make no difference to it."""
    old = GameStatus(game.date, game.waiting, game.since, game.result, game.has_ended)
    new = status_of(transaction, game.since)
    if is_stranded:
        new = msgspec.structs.replace(new, date=game.date, waiting=0)
    if transaction.notifications[WATCHER] or new.waiting != old.waiting:
        new = msgspec.structs.replace(new, since=now())
    return None if new == old else new


def date_of(ruleset: Ruleset, position: object) -> str:
    """The date of a position: «early April 1757». The January in which a year of war ends is the next year's."""
    year, turn = ruleset.date(position)
    turns = setting_of(ruleset).turns
    if not 0 < turn <= len(turns):
        return str(year)
    name = turns[turn - 1]
    return f"{name} {year + (turn == len(turns) and 'January' in name)}"


def result_of(game: GameTransaction | GameHistory) -> str:
    """How a game ended, as a sentence, or ""."""
    table = game.table
    return "" if table.outcome is None else outcome_in_words(table.ruleset, table.outcome)


_SETTINGS: dict[str, Setting] = {}


def setting_of(ruleset: Ruleset) -> Setting:
    """What never changes in a rule set, made once."""
    key = f"{ruleset.name} {ruleset.version} {ruleset.digest}"
    if key not in _SETTINGS:
        rulings = read_rulings(ruleset.name)
        _SETTINGS[key] = msgspec.structs.replace(ruleset.presenter.setting(), rulings=rulings)
    return _SETTINGS[key]
