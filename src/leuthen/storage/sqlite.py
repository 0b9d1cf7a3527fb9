"""SQLite: the folder of a database and its lock; opening, copying, checking and backing up its file.

A backup is one file with private permissions.
"""

import errno
import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote
from zlib import crc32

from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from leuthen.engine.refusal import Invalid
from leuthen.play.proof.ledger import SealMismatch, expect_bound
from leuthen.storage import rows
from leuthen.storage.tables import TABLES, Database, SqlRows, make_tables, newest, revision_of, upgrade

FILE: Final = "leuthen.db"
BESIDE: Final = ("-wal", "-shm")
"""Suffixes of the files beside an open or crashed database."""
BACKUPS: Final = "backups"
SERVED: Final = "served"
"""The file with the address of the server that uses the folder, beside its lock."""
BUSY_SECONDS: Final = 5.0
"""Seconds that a write waits for another program's lock."""
_TRIES: Final = 20
"""Number of times that a copy waits a quarter of a second for another program's lock."""
_FOLDER: Final = 0o700
_FILE: Final = 0o600
_log = logging.getLogger(__name__)


class FolderLock:
    """Locks a folder for this process. A file beside the lock has the server's address."""

    def __init__(self, folder: Path, address: str = "") -> None:
        """Lock the folder, which is created if needed, for a server at `address`.

        Raise GamesTaken, or Invalid if the folder or one of its files is not writable.
        """
        self._address = folder / SERVED
        self._lock = FileLock(folder / f"{SERVED}.lock", mode=_FILE, thread_local=False)
        try:
            folder.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
            if (folder / FILE).exists() or not any(folder.iterdir()):
                folder.chmod(_FOLDER)  # one with other things in it stays as open as it is
            for path in (folder, *sorted(folder.glob("*"))):
                if not path.name.startswith((".", BACKUPS)) and not os.access(path, os.R_OK | os.W_OK):
                    remedy = f"let its owner run: chown -R USER {folder}"
                    raise Invalid(f"{path}: this user may not read and write it; {remedy}")
            self._lock.acquire(blocking=False)
        except Timeout:
            served = ""
            with suppress(OSError):
                served = self._address.read_text(errors="replace")[:200].strip()
            raise rows.GamesTaken(folder, served) from None
        except OSError as error:
            raise Invalid(f"{self._address}: cannot be written: {error.strerror}") from error
        self._publish(address)

    def _publish(self, address: str) -> None:
        """Write the server's address. Failing on a full disk does no harm."""
        try:
            self._address.touch(_FILE)
            self._address.write_text(address)
        except OSError as error:
            _log.warning("%s: cannot be written: %s", self._address, error.strerror)

    def release(self) -> None:
        self._publish("")
        self._lock.release()


class Sqlite(Database):
    """The database in a folder.

    SQLite continues with a file that was deleted, and all that it writes is lost; therefore the files are checked
    before each transaction and after each commit.
    """

    def __init__(self, folder: Path) -> None:
        self.folder: Path = folder
        self._lock: FolderLock | None = None
        self._served: tuple[int, int] | None = None
        """Identity of the opened file; None before."""
        self._has_log = False
        """Whether there was a write-ahead log: not every file system supports one."""

    def hold(self, address: str) -> None:
        self._lock = FolderLock(self.folder, address)

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def prepare(self) -> None:
        """Create or migrate the tables; an older database is backed up first. Raise Invalid.

        A migration is atomic, even if the program is killed.
        """
        path = self.folder / FILE
        with translate_errors(path, "cannot be written"):
            engine = open_engine(self.folder, to_write=True, checks_keys=False)
            try:
                with engine.begin() as connection:
                    found = revision_of(connection)
                    connection.exec_driver_sql("PRAGMA user_version = 0")  # of a copy, whose rows will change now
                    if found is None:
                        make_tables(connection)
                    elif found != newest():
                        self._migrate(connection, found)
            finally:
                engine.dispose()
            for file in self.folder.glob(f"{FILE}*"):
                file.chmod(_FILE)
        self._served, self._has_log = _identity(path), False

    def _migrate(self, connection: Connection, found: str) -> None:
        backups = self.folder / BACKUPS
        try:
            backups.mkdir(mode=_FOLDER, exist_ok=True)
            copy = free_name(backups, f"before-{newest()}")
            copy_database(self.folder / FILE, copy)
        except (OSError, rows.StorageError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise Invalid(
                f"must be migrated from tables {found} to {newest()}; nothing was changed, because its backup"
                f" cannot be written to {backups}: {reason}"
            ) from error
        try:
            upgrade(connection)
        except Invalid:
            copy.unlink()
            raise
        _log.info("the database was migrated from %s to %s; backup: %s", found, newest(), copy)

    def open(self, *, to_write: bool) -> Engine:
        return open_engine(self.folder, to_write=to_write)

    def expect(self, *, is_after: bool = False) -> None:
        if self._served is not None and _identity(self.folder / FILE) != self._served:
            raise rows.StorageGone("the database's file is gone")
        if is_after:
            is_there = (self.folder / f"{FILE}-wal").exists()
            if self._has_log and not is_there:
                raise rows.StorageGone("the file with the newest commits is gone")
            self._has_log = is_there

    def fault_of(self, error: DBAPIError) -> rows.StorageError:
        return _fault(error.orig)


def _identity(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


def open_engine(folder: Path, *, to_write: bool, checks_keys: bool = True) -> Engine:
    """Return an engine in WAL mode; a commit is on disk when it returns.

    A writing transaction takes the lock as it begins, so that it can wait for it. Without `checks_keys` a table can be
    replaced while other rows refer to it.
    """
    url, timeout = URL.create("sqlite", database=str(folder / FILE)), {"timeout": BUSY_SECONDS}
    engine = create_engine(url, connect_args=timeout, hide_parameters=True)  # errors come into the log
    begin = "BEGIN IMMEDIATE" if to_write else "BEGIN"
    keys = f"foreign_keys = {'ON' if checks_keys else 'OFF'}"
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))

    @event.listens_for(engine, "connect")
    def set_up(raw: DBAPIConnection, _: object) -> None:
        raw.isolation_level = None  # the driver opens no transactions by itself: that would break savepoints
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", keys):
            raw.execute(f"PRAGMA {pragma}")

    return engine


def _reading(path: Path) -> sqlite3.Connection:
    """Open a database read-only, which does not even change the file's mode."""
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


# --- copies -----------------------------------------------------------------------------------------------------------


def copy_database(source: Path, target: Path, *, has_sum: bool = False) -> None:
    """Copy a database as it is at one instant, during writes; `has_sum` adds a checksum.

    It is copied in one step as a single reader, which neither delays writers nor sees their later writes. The copy is
    private, and gets its name when it is complete, on disk and checked. Raise StorageError, FileExistsError
    or OSError; no copy exists then.
    """
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=".part", dir=target.parent)
    os.close(handle)
    part, waits = Path(name), iter(range(_TRIES))

    def count(status: int, _left: int, _of: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and next(waits, None) is None:
            raise rows.StorageBusy("another program holds the database")

    try:
        with sqlite_faults():
            with closing(_reading(source)) as old, closing(sqlite3.connect(part, isolation_level=None)) as new:
                old.backup(new, progress=count)
                new.execute("PRAGMA journal_mode = DELETE")
                new.execute(f"PRAGMA user_version = {_sum_of(new) if has_sum else 0}")
            check_integrity(part)
        _flush(part)
        _name(part, target)
    finally:
        part.unlink(missing_ok=True)


def _sum_of(raw: sqlite3.Connection) -> int:
    found = 0
    for (table,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        for row in raw.execute(f'SELECT * FROM "{table}"'):
            found = crc32(repr(row).encode(), found)
    return found & 0x7FFFFFFF or 1


def check_integrity(path: Path) -> None:
    """Read every page of a database and check all references. Raise StorageBroken or sqlite3.Error."""
    is_whole = not path.with_name(f"{path.name}-wal").exists()  # else pages may stand beside it
    with closing(_reading(path)) as raw:
        pages, size = (int(raw.execute(f"PRAGMA {what}").fetchone()[0]) for what in ("page_count", "page_size"))
        if is_whole and path.stat().st_size < pages * size:
            raise rows.StorageBroken("the database is damaged: its end is missing")
        words = [str(line) for (line,) in raw.execute("PRAGMA integrity_check(3)")]
        if words != ["ok"]:
            raise rows.StorageBroken(f"the database is damaged: {words[0].splitlines()[0]}")
        if lost := raw.execute("PRAGMA foreign_key_check").fetchall():
            raise rows.StorageBroken(f"the database is damaged: {len(lost)} rows refer to nothing")


def _name(part: Path, target: Path) -> None:
    """Rename a file unless the target exists, also on file systems without hard links."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        part.rename(target)
    _flush(target.parent)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        with suppress(PermissionError):
            os.fsync(handle)
    finally:
        os.close(handle)


def give_to_owner(folder: Path) -> None:
    """Give files made by root to the folder's owner."""
    if os.name == "posix" and os.geteuid() == 0 and (owner := folder.stat()).st_uid:
        for path in [path for path in folder.rglob("*") if not path.is_symlink() and path.stat().st_uid == 0]:
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def free_name(folder: Path, stem: str) -> Path:
    """Return an unused path for a database, with a number if the name is taken."""
    path, number = folder / f"{stem}.db", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.db"
    return path


# --- backups during play, and their restoration -----------------------------------------------------------------------


def back_up(folder: Path, target: Path | None = None, at: datetime | None = None) -> Path:
    """Copy the games of a folder as they are at one instant, without delaying players; return the copy.

    Without `target` the copy goes to the folder's backups, named by the time. Raise Invalid; no copy exists then.
    """
    source = folder / FILE
    _expect_there(source)
    copy = target or _new_name(folder / BACKUPS, "games", at)
    with translate_errors(copy, "cannot be written"):
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with translate_errors(source, "cannot be read"):
        _expect_ours(source)
    with translate_errors(copy, "cannot be written"):
        copy_database(source, copy, has_sum=True)
        give_to_owner(folder)
    return copy


def restore(folder: Path, backup: Path, at: datetime | None = None) -> Path | None:
    """Replace a folder's games by a backup; return the file of the replaced games, if there were any.

    At every instant the folder contains one or the other. Raise GamesTaken while a server uses the folder, Invalid for
    a file that is damaged, newer than this program or not from Leuthen, and if a game differs from its proof; nothing
    has changed then.
    """
    _expect_there(backup)
    lock = FolderLock(folder)
    try:
        with translate_errors(backup, "cannot be restored"), sqlite_faults():
            _expect_ours(backup)
            check_integrity(backup)
            with closing(_reading(backup)) as raw:
                (found,) = raw.execute("PRAGMA user_version").fetchone()
                if found and found != _sum_of(raw):
                    raise rows.StorageBroken("it was changed after the backup")
            _expect_sealed(backup)
        ready = _new_name(folder, ".restored", at)
        with translate_errors(folder, "cannot be written"):
            copy_database(backup, ready)
            try:
                return _replace(folder / FILE, ready, _new_name(folder / BACKUPS, "replaced", at))
            finally:
                ready.unlink(missing_ok=True)
    finally:
        lock.release()
        with translate_errors(folder, "cannot be given to its owner"):
            give_to_owner(folder)


def _expect_ours(path: Path) -> None:
    with create_engine("sqlite://", creator=lambda: _reading(path), poolclass=NullPool).connect() as connection:
        if revision_of(connection) is None:
            raise Invalid("is an empty database")


def _expect_sealed(path: Path) -> None:
    """Raise Invalid if a game differs from its proof."""
    with create_engine("sqlite://", creator=lambda: _reading(path), poolclass=NullPool).connect() as connection:
        stored, tables = SqlRows(connection), set(inspect(connection).get_table_names())
        proved = select(TABLES[rows.ProofRow].c.game).distinct()
        for game in connection.scalars(proved) if {"seals", "proof"} <= tables else ():
            lines = [(action.number, action.actor, action.text) for action in stored.find(rows.ActionRow, game=game)]
            secret = b"".join(row.key for row in stored.find(rows.DiceKeyRow, game=game))
            proof = [line.text for line in stored.find(rows.ProofRow, game=game)]
            signing = b"".join(row.signing for row in stored.find(rows.SealRow, game=game))
            try:
                expect_bound(game, secret, signing, proof, lines)
            except SealMismatch as error:
                raise Invalid(f"{path}: the game {game} was changed: {error}") from error


def _replace(present: Path, ready: Path, kept: Path) -> Path | None:
    if not present.exists():
        ready.replace(present)
        return None
    kept.parent.mkdir(mode=0o700, exist_ok=True)
    with suppress(rows.StorageError), sqlite_faults():
        check_integrity(present)
        with closing(sqlite3.connect(present, isolation_level=None, timeout=BUSY_SECONDS)) as raw:
            raw.execute("PRAGMA journal_mode = DELETE").fetchall()  # merges the write-ahead log into the file
    for end in BESIDE:  # of one that is damaged, as it is: it must not fall to the new one
        if (beside := present.with_name(present.name + end)).exists():
            beside.replace(kept.with_name(kept.name + end))
    os.link(present, kept)
    kept.chmod(0o600)
    ready.replace(present)
    return kept


def _new_name(folder: Path, word: str, at: datetime | None) -> Path:
    return free_name(folder, f"{word}-{at or datetime.now(UTC):%Y%m%d-%H%M%S}")


def _expect_there(path: Path) -> None:
    if not path.is_file():
        raise Invalid(f"{path}: there is no such database")


# --- faults -----------------------------------------------------------------------------------------------------------


@contextmanager
def sqlite_faults() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _fault(error) from error


@contextmanager
def translate_errors(path: Path, cannot: str) -> Iterator[None]:
    """Translate errors to Invalid, which names the file."""
    try:
        yield
    except FileExistsError as error:
        raise Invalid(f"{path}: this file already exists; choose another name") from error
    except rows.StorageBroken as error:
        raise Invalid(f"{path}: {_full(path) or error}") from error
    except DBAPIError as error:
        raise Invalid(f"{path}: {_full(path) or _fault(error.orig)}") from error
    except rows.StorageError as error:
        raise Invalid(f"{path}: {cannot}: {error}") from error
    except OSError as error:
        raise Invalid(f"{path}: {cannot}: {error.strerror}") from error
    except Invalid as error:
        raise Invalid(f"{path}: {error}") from error


def _full(path: Path) -> str:
    """Return a message if the disk is full, which SQLite reports as a mere I/O error, else ""."""
    with suppress(OSError):
        if shutil.disk_usage(path if path.is_dir() else path.parent).free < 64 * 1024:
            return "the disk is full; make room and try again"
    return ""


def _fault(error: BaseException | None) -> rows.StorageError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return rows.StorageFull("the disk is full")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return rows.StorageBusy("another program holds the database")
    reason = str(error) if isinstance(error, sqlite3.Error) else type(error).__name__  # these words name no value
    return rows.StorageBroken(f"the database cannot be used: {reason}")
