"""The one place that knows SQLite: how a database is opened, and what its errors mean."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError

from leuthen.storage.faults import AlreadyThere, StorageBroken, StorageBusy, StorageError, StorageFull

FILE: Final = "leuthen.db"
BUSY_SECONDS: Final = 5.0
"""How long a write waits for somebody else who holds the database."""


def open_engine(folder: Path, *, to_write: bool) -> Engine:
    """The database in a folder: in WAL mode, every commit on disk when it returns.

    A transaction that writes takes the lock as it begins, so that it can wait for it.
    """
    engine = create_engine(f"sqlite:///{folder / FILE}", connect_args={"timeout": BUSY_SECONDS})
    begin = "BEGIN IMMEDIATE" if to_write else "BEGIN"
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _set_up(raw: Any, _: object) -> None:
    """The driver opens no transaction of its own accord, so that savepoints do what they should."""
    raw.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        raw.execute(f"PRAGMA {pragma}")


def is_fatal(error: BaseException) -> bool:
    """Whether nothing else can be written in this transaction either."""
    return isinstance(error, DBAPIError) and not isinstance(error, IntegrityError)


def translate(error: DBAPIError) -> StorageError:
    """The fault that an error of the driver means."""
    if isinstance(error, IntegrityError):
        return AlreadyThere("there is such a row already")
    name = getattr(error.orig, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return StorageFull("the disk is full")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StorageBusy("another program holds the database")
    return StorageBroken(f"the database cannot be used: {_reason(error.orig)}")


def _reason(error: BaseException | None) -> str:
    """The driver's words, which name no value."""
    return str(error) if isinstance(error, sqlite3.Error) else type(error).__name__
