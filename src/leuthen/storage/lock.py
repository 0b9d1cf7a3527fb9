"""One server at a time serves a folder; a second one is told where the first is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.storage.folder import make_folder
from leuthen.storage.sqlite import FILE as DATABASE

FILE: Final = "served"


class FolderTaken(Invalid):
    """Another server serves this folder; `address` is where, if it has said so."""

    def __init__(self, folder: Path, address: str) -> None:
        where = f" at {address}" if address else ""
        super().__init__(f"{folder}: another Leuthen serves these games already{where}")
        self.address = address


class FolderLock:
    """Holds a folder for this process as long as it lives, where the system can."""

    def __init__(self, folder: Path) -> None:
        """Raises FolderTaken, or Invalid if the folder cannot be written."""
        path = folder / FILE
        try:
            make_folder(folder, DATABASE)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Invalid(f"{path}: cannot be written: {error.strerror}") from error
        if not _lock(self._file):
            address = os.read(self._file, 200).decode(errors="replace").strip()
            os.close(self._file)
            raise FolderTaken(folder, address)
        os.ftruncate(self._file, 0)

    def tell(self, address: str) -> None:
        """Writes down where the server is."""
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, f"{address}\n".encode())

    def release(self) -> None:
        """Lets go of the folder."""
        os.ftruncate(self._file, 0)
        os.close(self._file)


def _lock(file: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
