"""Run a private PostgreSQL server in a temporary folder, for tests and benchmarks."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

TIMEOUT: Final = 120
"""Timeout in seconds for starting and stopping a server."""
MISSING: Final = "PostgreSQL is not installed (on Debian and Ubuntu: apt install postgresql)"
PROGRAM_FOLDERS: Final = ("/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt")


class PostgresMissing(RuntimeError):
    """PostgreSQL is not installed on this machine."""


class TempPostgres:
    """A PostgreSQL server that listens only on a socket in its folder. As root, it runs under another user."""

    def __init__(self, *, is_durable: bool = False) -> None:
        """Prepare the server. With `is_durable`, every commit is flushed to disk, as in production. Raise
        PostgresMissing.
        """
        self._programs = find_programs()
        self._user = _user()
        self._folder = Path(tempfile.mkdtemp(prefix="leuthen-pg-"))
        self._data = self._folder / "data"
        if os.getuid() == 0:
            shutil.chown(self._folder, self._user)
        self._durable = "on" if is_durable else "off"
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        self._run("initdb", "--no-sync", "--no-locale", "-E", "UTF8", "-A", "trust", "-U", "leuthen", "-D", self._data)

    def __enter__(self) -> TempPostgres:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c fsync={self._durable}"
        options += f" -c full_page_writes={self._durable} -c max_connections=100 -c logging_collector=off"
        log = self._folder / "log"
        self._run("pg_ctl", "start", "-w", "-t", str(TIMEOUT), "-D", self._data, "-l", log, "-o", options)

    def stop(self, how: str = "immediate") -> None:
        """Stop the server: `immediate` simulates a crash, `fast` shuts down cleanly."""
        if self.is_running:
            self._run("pg_ctl", "stop", "-w", "-t", str(TIMEOUT), "-m", how, "-D", self._data)

    @property
    def is_running(self) -> bool:
        return (self._data / "postmaster.pid").exists()

    def pause(self) -> None:
        """Suspend all processes, so that the server exists but does not answer."""
        for process in self._processes():
            os.kill(process, signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume the processes."""
        for process in self._processes():
            os.kill(process, signal.SIGCONT)

    def new_database(self, like: str = "template0") -> str:
        """Create a database and return its address."""
        name = f"games_{next(self._numbers)}"
        self.ask("postgres", f'CREATE DATABASE {name} TEMPLATE "{like}"')
        return self.address(name)

    def address(self, name: str) -> str:
        """Return the address of a database."""
        return f"postgresql://leuthen@/{name}?host={self._folder}"

    def ask(self, database: str, query: str) -> list[str]:
        """Run a query with psql and return the lines of its output."""
        words = ("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self._folder, "-U", "leuthen")
        return self._run(*words, "-d", database, "-c", query).splitlines()

    def dump(self, database: str) -> str:
        """Return a whole database as SQL."""
        return self._run("pg_dump", "-h", self._folder, "-U", "leuthen", "--inserts", "--restrict-key=x", database)

    def name_of(self, address: str) -> str:
        """Return the name of the database at an address."""
        return urlsplit(address).path[1:]

    def copy(self, address: str) -> Path:
        """Back up a database in operation, as a host does, and return the file."""
        name = self.name_of(address)
        path = self._folder / f"{name}.dump"
        self._run("pg_dump", "-h", self._folder, "-U", "leuthen", "--format", "custom", "--file", path, name)
        return path

    def bring_back(self, copy: Path) -> str:
        """Restore a backup into a new database and return its address."""
        address = self.new_database()
        self._run("pg_restore", "-h", self._folder, "-U", "leuthen", "--dbname", self.name_of(address), copy)
        return address

    def _processes(self) -> Iterator[int]:
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        yield first
        for task in Path(f"/proc/{first}/task").iterdir():
            yield from map(int, (task / "children").read_text().split())

    def _run(self, program: str, *words: str | Path) -> str:
        command: Sequence[str | Path] = (self._programs / program, *words)
        user = self._user if os.getuid() == 0 else None
        with tempfile.TemporaryFile() as said:  # the running database would hold a pipe open
            done = subprocess.run(
                command, user=user, cwd="/", stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=TIMEOUT * 2
            )
            said.seek(0)
            text = said.read().decode(errors="replace")
        if done.returncode:
            raise RuntimeError(f"{program} failed: {text}")
        return text


def find_programs() -> Path:
    """Return the folder of the PostgreSQL programs. Raise PostgresMissing."""
    for place in map(Path, PROGRAM_FOLDERS):
        versions = sorted(place.glob("*/bin/initdb"), key=lambda path: [int(d) for d in path.parts if d.isdigit()])
        if versions:
            return versions[-1].parent
    found = shutil.which("initdb")
    if found is None:
        raise PostgresMissing(MISSING)
    return Path(found).resolve().parent


def _user() -> str:
    if os.getuid():
        return getpass.getuser()
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
