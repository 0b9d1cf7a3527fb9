"""The one place that knows SQLite: how a database is opened, copied and looked over, and what its errors mean."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote
from zlib import crc32

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import NullPool

from leuthen.engine.refusal import Invalid
from leuthen.storage.faults import AlreadyThere, StorageBroken, StorageBusy, StorageError, StorageFull

FILE: Final = "leuthen.db"
BESIDE: Final = ("-wal", "-shm")
"""What may lie beside a database while it is open, or after a crash."""
BUSY_SECONDS: Final = 5.0
"""How long a write waits for somebody else who holds the database."""
_ROOM: Final = 64 * 1024
"""Free bytes without which a database cannot be opened."""
_TRIES: Final = 20
"""A copy waits a quarter of a second so many times for somebody who holds the whole database."""


def open_engine(folder: Path, *, to_write: bool, checks_keys: bool = True) -> Engine:
    """The database in a folder: in WAL mode, every commit on disk when it returns.

    A transaction that writes takes the lock as it begins, so that it can wait for it. Without `checks_keys` a table may
    be made anew under rows that refer to it.
    """
    url, timeout = URL.create("sqlite", database=str(folder / FILE)), {"timeout": BUSY_SECONDS}
    engine = create_engine(url, connect_args=timeout, hide_parameters=True)  # errors come into the log
    begin = "BEGIN IMMEDIATE" if to_write else "BEGIN"
    keys = f"foreign_keys = {'ON' if checks_keys else 'OFF'}"
    event.listen(engine, "connect", lambda raw, _: _set_up(raw, keys))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _set_up(raw: DBAPIConnection, keys: str) -> None:
    """The driver opens no transaction of its own accord, so that savepoints do what they should."""
    raw.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", keys):
        raw.execute(f"PRAGMA {pragma}")


def open_to_look(path: Path) -> Engine:
    """A database that is only looked at: nothing of it is changed, not even its mode."""
    return create_engine("sqlite://", creator=lambda: _reading(path), poolclass=NullPool)


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


# --- copies -----------------------------------------------------------------------------------------------------------


def copy_database(source: Path, target: Path, *, has_sum: bool = False) -> None:
    """Copies a database as it stands at one instant, while others write in it; `has_sum`: with its check sum.

    The copy is one file for its owner's eyes; it comes to its name when it is whole, on disk and looked over. Raises
    StorageError, FileExistsError, OSError; there is no copy then.
    """
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=".part", dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        with sqlite_faults():
            _copy(source, part, has_sum=has_sum)
            look_over(part)
        _flush(part)
        _name(part, target)
    finally:
        part.unlink(missing_ok=True)


def _copy(source: Path, part: Path, *, has_sum: bool) -> None:
    """In one step, as one reader: nobody who writes is kept waiting, and nothing that he writes meanwhile gets in."""
    waits = iter(range(_TRIES))

    def count(status: int, _left: int, _of: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and next(waits, None) is None:
            raise StorageBusy("another program holds the database")

    with closing(_reading(source)) as old, closing(sqlite3.connect(part, isolation_level=None)) as new:
        old.backup(new, progress=count)
        new.execute("PRAGMA journal_mode = DELETE")
        new.execute(f"PRAGMA user_version = {_sum_of(new) if has_sum else 0}")


def expect_as_copied(path: Path) -> None:
    """Raises StorageBroken where a copy has a check sum that its rows do not make any more."""
    with closing(_reading(path)) as raw:
        (found,) = raw.execute("PRAGMA user_version").fetchone()
        if found and found != _sum_of(raw):
            raise StorageBroken("it was changed since it was copied")


def _sum_of(raw: sqlite3.Connection) -> int:
    """A number above 0 that any changed bit of any row changes."""
    found = 0
    tables = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for (table,) in tables:
        for row in raw.execute(f'SELECT * FROM "{table}"'):
            found = crc32(repr(row).encode(), found)
    return found & 0x7FFFFFFF or 1


def look_over(path: Path) -> None:
    """Reads every page of a database and follows every reference. Raises StorageBroken, sqlite3.Error."""
    is_whole = not path.with_name(f"{path.name}-wal").exists()  # else pages may stand beside it
    with closing(_reading(path)) as raw:
        pages, size = (int(raw.execute(f"PRAGMA {what}").fetchone()[0]) for what in ("page_count", "page_size"))
        if is_whole and path.stat().st_size < pages * size:
            raise StorageBroken("the database is damaged: its end is missing")
        words = [str(line) for (line,) in raw.execute("PRAGMA integrity_check(3)")]
        if words != ["ok"]:
            raise StorageBroken(f"the database is damaged: {words[0].splitlines()[0]}")
        if lost := raw.execute("PRAGMA foreign_key_check").fetchall():
            raise StorageBroken(f"the database is damaged: {len(lost)} rows refer to nothing")


def _name(part: Path, target: Path) -> None:
    """Gives a file its name unless there is such a file, also where a file can have but one name."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        part.rename(target)
    _flush(target.parent)


def fold_in(path: Path) -> None:
    """Makes a database that nobody has open one file, without anything beside it. Raises sqlite3.Error."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)) as raw:
        raw.execute("PRAGMA journal_mode = DELETE").fetchall()


def _flush(path: Path) -> None:
    """So that a file, or the names in a folder, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        with suppress(PermissionError):
            os.fsync(handle)
    finally:
        os.close(handle)


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


# --- faults -----------------------------------------------------------------------------------------------------------


def is_fatal(error: BaseException) -> bool:
    """Whether nothing else can be written in this transaction either."""
    return isinstance(error, DBAPIError) and not isinstance(error, IntegrityError)


def translate(error: DBAPIError) -> StorageError:
    """The fault that an error of the driver means."""
    if isinstance(error, IntegrityError):
        return AlreadyThere("there is such a row already")
    return _fault(error.orig)


@contextmanager
def sqlite_faults() -> Iterator[None]:
    """Raises StorageError for the driver's own errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise _fault(error) from error


@contextmanager
def plainly(path: Path, cannot: str) -> Iterator[None]:
    """Faults as Invalid that names the file."""
    try:
        yield
    except FileExistsError as error:
        raise Invalid(f"{path}: there is such a file already; choose another name") from error
    except StorageBroken as error:
        raise Invalid(f"{path}: {_full(path) or error}") from error
    except DBAPIError as error:
        raise Invalid(f"{path}: {_full(path) or translate(error)}") from error
    except StorageError as error:
        raise Invalid(f"{path}: {cannot}: {error}") from error
    except OSError as error:
        raise Invalid(f"{path}: {cannot}: {error.strerror}") from error
    except Invalid as error:
        raise Invalid(f"{path}: {error}") from error


def _full(path: Path) -> str:
    """Return what SQLite reports as a mere input or output error where the disk is full, else nothing."""
    with suppress(OSError):
        if shutil.disk_usage(path if path.is_dir() else path.parent).free < _ROOM:
            return "the disk is full; make room and try again"
    return ""


def _fault(error: BaseException | None) -> StorageError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return StorageFull("the disk is full")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StorageBusy("another program holds the database")
    return StorageBroken(f"the database cannot be used: {_reason(error)}")


def _reason(error: BaseException | None) -> str:
    """The driver's words, which name no value."""
    return str(error) if isinstance(error, sqlite3.Error) else type(error).__name__
