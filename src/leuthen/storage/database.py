"""What the store needs of a database, whichever it is."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from leuthen.storage.faults import StorageError


class Database(Protocol):
    """A database of games: brought up to date, opened, and what its errors mean."""

    mark: str
    """The name under which this program notes that the database works; no other that uses it has the same."""

    folder: Path | None
    """Where it lies on this machine; None if it lies elsewhere."""

    def prepare(self) -> None:
        """Makes the tables, or brings them up to date. Raises Invalid, which names the place and what to do."""
        ...

    def open(self, *, to_write: bool) -> Engine:
        """Its connections, each for one transaction; a commit is safe when it returns."""
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
