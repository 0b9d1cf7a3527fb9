"""The folder of one server's games: its lock, who may look into it, and the database in it."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from leuthen.engine.refusal import Invalid
from leuthen.storage import sqlite
from leuthen.storage.faults import GamesTaken, StorageError, StorageGone
from leuthen.storage.migrate import migrate

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


SERVED: Final = "served"
_log = logging.getLogger(__name__)


class FolderLock:
    """Holds a folder for this process as long as it lives. Where it is stands beside the lock: others may read that."""

    def __init__(self, folder: Path, address: str = "") -> None:
        """`address` is where this server is. Raise GamesTaken, or Invalid if the folder cannot be written."""
        self._address = folder / SERVED
        self._lock = FileLock(folder / f"{SERVED}.lock", mode=_FILE, thread_local=False)
        try:
            make_folder(folder, sqlite.FILE)
            expect_access(folder)
            self._lock.acquire(blocking=False)
        except Timeout:
            raise GamesTaken(folder, _read(self._address)) from None
        except OSError as error:
            raise Invalid(f"{self._address}: cannot be written: {error.strerror}") from error
        self._tell(address)

    def _tell(self, address: str) -> None:
        """Write the server's address beside the lock; on a full disk others do not learn it."""
        try:
            self._address.touch(_FILE)
            self._address.write_text(address)
        except OSError as error:
            _log.warning("%s: cannot be written: %s", self._address, error.strerror)

    def release(self) -> None:
        """Let go of the folder."""
        self._tell("")
        self._lock.release()


def _read(path: Path) -> str:
    with suppress(OSError):
        return path.read_text(errors="replace")[:200].strip()
    return ""


class InFolder:
    """A database of SQLite in a folder, which is made if need be."""

    beat: float | None = None

    def __init__(self, folder: Path) -> None:
        self.folder: Path | None = folder
        self._path = folder / sqlite.FILE
        self._place: DatabasePlace | None = None
        self._lock: FolderLock | None = None

    def hold(self, address: str) -> None:
        """Lock the folder, which is made if need be. Raise GamesTaken, Invalid."""
        self._lock = FolderLock(self._path.parent, address)

    def release(self) -> None:
        """Let go of the folder."""
        if self._lock is not None:
            self._lock.release()

    def prepare(self) -> None:
        """Make the tables, or bring them up to date. Raise Invalid."""
        folder = self._path.parent
        with sqlite.plainly(self._path, "cannot be written"):
            migrate(folder)
            hide_files(folder, sqlite.FILE)
        self._place = DatabasePlace(self._path)

    def open(self, *, to_write: bool) -> Engine:
        """As `sqlite.open_engine`."""
        return sqlite.open_engine(self._path.parent, to_write=to_write)

    def expect(self) -> None:
        """Raises StorageGone if the file is not where it was."""
        if self._place is not None:
            self._place.expect()

    def expect_kept(self) -> None:
        """Raises StorageGone if the file with the newest commits is not where it was."""
        if self._place is not None:
            self._place.expect_log()

    def is_fatal(self, error: BaseException) -> bool:
        """As `sqlite.is_fatal`."""
        return sqlite.is_fatal(error)

    def translate(self, error: DBAPIError) -> StorageError:
        """As `sqlite.translate`."""
        return sqlite.translate(error)
