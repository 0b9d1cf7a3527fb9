"""Run the real server in a child process: for browser tests, kill tests and load tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Final

ADDRESS: Final = re.compile(r"http://[\w.:\[\]]+")
TIMEOUT: Final = 20
"""Timeout in seconds for stopping a server."""


class ServerFault(RuntimeError):
    """The server did not start, or ended with an error; the text is its output."""


class Served:
    """A server with its own data folder. It keeps its address across restarts."""

    def __init__(
        self,
        folder: Path,
        *argv: str,
        env: dict[str, str] | None = None,
        python: str = sys.executable,
        database: str = "",
    ) -> None:
        """Create the server without starting it. `database`: address of a database to use instead of the folder."""
        self.folder = folder
        self.database = database
        self.python = python
        self.argv = argv
        self.env = os.environ | (env or {})
        self.url = ""
        self.said: list[str] = []
        """All lines of output since the first start."""
        self._process: subprocess.Popen[str] | None = None
        self._reader: Thread | None = None

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """Process id of the server."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server and wait until it listens. Raise ServerFault."""
        port = self.url.rpartition(":")[2] if self.url else "0"
        place = ("--database", self.database) if self.database else ("--data-dir", str(self.folder))
        command = [self.python, "-m", "leuthen", "serve", "--port", port, *place, *self.argv]
        self._process = process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.env
        )
        assert process.stdout is not None
        for line in process.stdout:
            self.said.append(line)
            if found := ADDRESS.search(line):
                self.url = found[0].rstrip("/")
                break
        else:
            raise ServerFault("".join(self.said))
        self._reader = Thread(target=self.said.extend, args=(process.stdout,), daemon=True)
        self._reader.start()

    def stop(self, with_signal: int = signal.SIGINT) -> int:
        """Stop the server as Ctrl-C does and return its exit code. Raise ServerFault if its output has a traceback."""
        code = self._end(with_signal)
        if any("Traceback" in line for line in self.said):
            raise ServerFault("".join(self.said))
        return code

    def kill(self) -> None:
        """Kill the server at once, as a power failure does."""
        self._end(signal.SIGKILL)

    def _end(self, with_signal: int) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(with_signal)
        try:
            code = process.wait(TIMEOUT)
        finally:
            process.kill()
        self._let_go(process)
        return code

    def _let_go(self, process: subprocess.Popen[str]) -> None:
        """Wait for the end of the output, which comes when all worker processes have ended."""
        assert process.stdout is not None
        if self._reader is not None:
            self._reader.join(TIMEOUT)
            if self._reader.is_alive():
                raise ServerFault("a worker process is still running after the server's end")
        process.stdout.close()
