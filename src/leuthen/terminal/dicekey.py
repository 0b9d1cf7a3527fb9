"""The secret key of all dice at this terminal, created once in the user's own folder.

The key of a game is derived from it and the id in the game's record. A record that is resumed, or copied and resumed,
therefore rolls the same dice at the same places, and holds no key.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.folders import user_folder
from leuthen.play.dice import KEY_BYTES, Key
from leuthen.play.record import Record

FILE: Final = "dice.key"
_SEEDED: Final = "seed-"
"""The prefix of a game id whose dice come from a seed."""


def new_game_id(seed: str | None) -> str:
    """Return the id of a new game; with a seed it is derived from the seed, so that the seed can be checked later."""
    return Key.fresh().game_id() if seed is None else f"{_SEEDED}{Key.from_seed(seed).game_id()}"


def key_of(game: str, seed: str | None) -> Key:
    """Return the dice key of a new game. Raises Invalid if the folder cannot be used."""
    return own_key().for_game(game) if seed is None else Key.from_seed(seed)


def resume_key(recorded: Record, seed: str | None) -> Key:
    """Return the dice key for resuming a record. Raises Invalid unless the seed is that of the record."""
    game = recorded.header.game
    if seed is None:
        if game.startswith(_SEEDED):
            raise Invalid("this game was started with --seed: resume it with the same --seed")
    elif game != new_game_id(seed):
        raise Invalid("this game does not use the dice of that seed" + ("" if _SEEDED in game else "; leave it out"))
    return key_of(game, seed)


def own_key() -> Key:
    """Return the key of this user, creating it if needed. Raises Invalid."""
    path = user_folder() / FILE
    try:
        if not path.exists():
            _make(path)
        secret = path.read_bytes()
    except OSError as error:
        raise Invalid(f"{path}: cannot use the dice key: {error.strerror}") from error
    if len(secret) != KEY_BYTES:
        raise Invalid(f"{path}: the dice key is damaged; if you delete it, unfinished games continue with other dice")
    return Key(secret)


def _make(path: Path) -> None:
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
