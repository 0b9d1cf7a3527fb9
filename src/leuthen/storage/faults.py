"""What can go wrong with a database, in words that do not depend on which one it is."""

from __future__ import annotations


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


class LeadLost(StorageError):
    """This server counts no longer as there: others may lead its games."""
