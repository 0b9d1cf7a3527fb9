"""The lock of a folder: one server at a time serves it, and a second one reads where the first is."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from leuthen.engine.refusal import Invalid
from leuthen.storage.faults import GamesTaken
from leuthen.storage.folder import expect_access, make_folder
from leuthen.storage.sqlite import FILE as DATABASE

FILE: Final = "served"
_PRIVATE: Final = 0o600
_log = logging.getLogger(__name__)


class FolderLock:
    """Holds a folder for this process as long as it lives. Where it is stands beside the lock: others may read that."""

    def __init__(self, folder: Path, address: str = "") -> None:
        """`address` is where this server is. Raise GamesTaken, or Invalid if the folder cannot be written."""
        self._address = folder / FILE
        self._lock = FileLock(folder / f"{FILE}.lock", mode=_PRIVATE, thread_local=False)
        try:
            make_folder(folder, DATABASE)
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
            self._address.touch(_PRIVATE)
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
