"""Storage errors, independent of the kind of database."""

from __future__ import annotations

from leuthen.engine.refusal import Invalid


class StorageError(RuntimeError):
    """Nothing was written, and earlier data is safe."""


class StorageFull(StorageError):
    """The disk is full."""


class StorageBusy(StorageError):
    """Another program holds the database."""


class StorageBroken(StorageError):
    """The database cannot be read or written."""


class AlreadyThere(StorageError):
    """A row with this key exists."""


class StorageGone(StorageError):
    """The database file is no longer in its place: further writes would be lost."""


class StorageAway(StorageError):
    """The database cannot be reached, or was lost during a write, which may have succeeded."""


class Unfit(StorageError):
    """The database cannot store this value."""


class LockLost(StorageError):
    """The connection with the lock is lost: another server may write these games."""


class GamesTaken(Invalid):
    """Another server serves these games; `address` is its address, if known."""

    def __init__(self, place: object, address: str, host: str = "") -> None:
        where = f" at {address}{host and f' on {host}'}" if address else ""
        super().__init__(f"{place}: another Leuthen server already runs these games{where}")
        self.address = address


class Unreachable(Invalid):
    """The database does not answer, so it is unknown whether its games are taken."""
