"""What can go wrong with a database, in words that do not depend on which one it is."""

from __future__ import annotations

from leuthen.engine.refusal import Invalid


class StorageError(RuntimeError):
    """Nothing was written, and nothing that was written before is lost."""


class StorageFull(StorageError):
    """The disk is full."""


class StorageBusy(StorageError):
    """Somebody else holds the database."""


class StorageBroken(StorageError):
    """The database cannot be read or written."""


class AlreadyThere(StorageError):
    """There is such a row already."""


class StorageGone(StorageError):
    """The database's file is no longer where it was: what were written now would be lost."""


class StorageAway(StorageError):
    """The database cannot be reached, or went away in the middle: what was to be written then may be there."""


class Unfit(StorageError):
    """The database cannot hold such a value."""


class LockLost(StorageError):
    """The connection with the lock is gone: another server may write these games."""


class GamesTaken(Invalid):
    """Another server serves these games; `address` is where, if that is known."""

    def __init__(self, place: object, address: str, host: str = "") -> None:
        where = f" at {address}{host and f' on {host}'}" if address else ""
        super().__init__(f"{place}: another Leuthen serves these games already{where}")
        self.address = address


class Unreachable(Invalid):
    """The database does not answer, so that it is not known whether its games are taken."""
