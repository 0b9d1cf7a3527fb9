"""Folders of a user's own files."""

import os
from pathlib import Path

from leuthen.engine.refusal import Invalid


def user_folder() -> Path:
    """Return the folder of this user's games and keys. Raise Invalid if the user has no home folder."""
    from platformdirs import user_data_path

    try:
        return user_data_path("leuthen")
    except RuntimeError as error:
        raise Invalid("this user has no home folder; set HOME or XDG_DATA_HOME") from error


def server_folder(named: Path | None) -> Path:
    """Return the folder of a server's games: the named one, LEUTHEN_DATA, or the user's own."""
    if named is not None:
        return named
    if folder := os.environ.get("LEUTHEN_DATA"):
        return Path(folder)
    try:
        return user_folder()
    except Invalid as error:
        raise Invalid("this user has no home folder; name one for the games with --data-dir or LEUTHEN_DATA") from error
