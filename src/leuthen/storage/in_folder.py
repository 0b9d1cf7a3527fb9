"""The database of one server: a file in a folder."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from leuthen.storage import sqlite
from leuthen.storage.faults import StorageError
from leuthen.storage.folder import DatabasePlace, hide_files
from leuthen.storage.lock import FolderLock
from leuthen.storage.migrate import migrate


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
