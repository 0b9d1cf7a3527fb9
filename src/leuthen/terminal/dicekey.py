"""The key of the dice of all games at this terminal: made once, kept in the user's own folder, told to nobody.

A game's own key is derived from it and the id in the game's record. So a record that is resumed, or copied and resumed,
rolls the same dice at the same places, and holds no key.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.folders import user_folder
from leuthen.play.dice import KEY_BYTES, Key
from leuthen.play.record import Recorded

FILE: Final = "dice.key"
_SEEDED: Final = "seed-"
"""What the id of a game begins with whose dice come from a seed."""


def new_game_id(seed: str | None) -> str:
    """The id of a new game: of a seed its mark, so that the seed is known again."""
    return Key.fresh().mark() if seed is None else f"{_SEEDED}{Key.from_seed(seed).mark()}"


def key_of(game: str, seed: str | None) -> Key:
    """The key of the dice of a new game. Raises Invalid if the folder cannot be used."""
    return own_key().of_game(game) if seed is None else Key.from_seed(seed)


def key_to_go_on(recorded: Recorded, seed: str | None) -> Key:
    """The key with which the dice of a record go on. Raises Invalid unless the seed is that of the record."""
    game = recorded.header.game
    if seed is None:
        if game.startswith(_SEEDED):
            raise Invalid("this game was begun with --seed: its dice go on with the same --seed")
    elif game != new_game_id(seed):
        raise Invalid(
            "the dice of this game are not those of that seed" + ("" if _SEEDED in game else "; leave it out")
        )
    return key_of(game, seed)


def own_key() -> Key:
    """The key of this user, made if there is none. Raises Invalid."""
    path = user_folder() / FILE
    try:
        if not path.exists():
            _make(path)
        secret = path.read_bytes()
    except OSError as error:
        raise Invalid(f"{path}: the key of the dice cannot be used: {error.strerror}") from error
    if len(secret) != KEY_BYTES:
        raise Invalid(
            f"{path}: the key of the dice is damaged; if you delete it, unfinished games go on with other dice"
        )
    return Key(secret)


def _make(path: Path) -> None:
    """It comes to its name when it is whole and on disk; of two that are made at once the first one stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{FILE}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(Key.fresh().secret)
            file.flush()
            os.fsync(file.fileno())
        if not path.exists():
            os.link(name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(name)
