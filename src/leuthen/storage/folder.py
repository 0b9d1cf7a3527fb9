"""The folder of the games on the disk: its owner's alone, and whether it is still there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.storage.faults import StorageGone

_FOLDER: Final = 0o700
_FILE: Final = 0o600


def make_folder(folder: Path, file: str) -> None:
    """Makes the folder of a database if need be. What is ours, others may not look into.

    A folder is ours if it is new or empty, or has held our database before. Raises OSError.
    """
    folder.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
    if (folder / file).exists() or not any(folder.iterdir()):
        folder.chmod(_FOLDER)


def hide_files(folder: Path, file: str) -> None:
    """Lets nobody else read a database and what lies beside it under its name. Raises OSError."""
    for path in folder.glob(f"{file}*"):
        path.chmod(_FILE)


def expect_access(folder: Path) -> None:
    """Raise Invalid, which says what to do, for a file of the folder that this user may not read and write."""
    for path in (folder, *sorted(folder.glob("*"))):
        if path.name.startswith((".", "backups")) or os.access(path, os.R_OK | os.W_OK):
            continue
        raise Invalid(f"{path}: this user may not read and write it; let its owner run: chown -R USER {folder}")


def give_to_owner(folder: Path) -> bool:
    """Give what root has made in a folder to the folder's owner; True if there was anything to give."""
    if os.name != "posix" or os.geteuid() != 0 or not (owner := folder.stat()).st_uid:
        return False
    ours = [path for path in folder.rglob("*") if not path.is_symlink() and path.stat().st_uid == 0]
    for path in ours:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
    return bool(ours)


def free_name(folder: Path, stem: str) -> Path:
    """The path of a database of that name, or with a number behind it if there is such a one already."""
    path, number = folder / f"{stem}.db", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.db"
    return path


class DatabasePlace:
    """Where a database is. SQLite goes on with a file that was deleted, and all that it writes is lost."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = path.with_name(f"{path.name}-wal")
        self._mark = _mark(path)
        self._has_log = False
        """Whether it was there once: not every file system can have one."""

    def expect(self) -> None:
        """Raises StorageGone if the file is not there, or is another one."""
        if _mark(self._path) != self._mark:
            raise StorageGone("the database's file is gone")

    def expect_log(self) -> None:
        """The same after a commit, which stands beside the file at first. Raises StorageGone."""
        self.expect()
        is_there = self._log.exists()
        if self._has_log and not is_there:
            raise StorageGone("the file with the newest commits is gone")
        self._has_log = is_there


def _mark(path: Path) -> tuple[int, int] | None:
    """What tells a file from another of the same name; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
