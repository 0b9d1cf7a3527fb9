"""What the store needs of a database, whichever it is."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from leuthen.storage.faults import StorageError


class Database(Protocol):
    """A database of games: brought up to date, opened, and what its errors mean."""

    folder: Path | None
    """Where it lies on this machine; None if it lies elsewhere."""

    beat: float | None
    """Seconds without a write after which the writer looks whether the lock is still held; None: it cannot be lost."""

    def hold(self, address: str) -> None:
        """Take the lock of the games for this server, which is at `address`.

        Raise GamesTaken while another server has it, Unreachable, or Invalid.
        """
        ...

    def release(self) -> None:
        """Let go of the lock."""
        ...

    def prepare(self) -> None:
        """Make the tables, or bring them up to date. Raise Invalid, which names the place and what to do."""
        ...

    def open(self, *, to_write: bool) -> Engine:
        """Return its connections, each for one transaction; a commit is safe when it returns.

        Those to write are given only while the lock is held, and raise LockLost when it is lost.
        """
        ...

    def expect(self) -> None:
        """Looks before a transaction whether what is written will be kept. Raises StorageGone."""
        ...

    def expect_kept(self) -> None:
        """Looks after a commit whether it was. Raises StorageGone."""
        ...

    def is_fatal(self, error: BaseException) -> bool:
        """Whether nothing else can be written in this transaction either."""
        ...

    def translate(self, error: DBAPIError) -> StorageError:
        """The fault that an error of the driver means."""
        ...
