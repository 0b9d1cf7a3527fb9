"""Somebody who calls the server over a real socket, and keeps every byte of what it answers."""

from __future__ import annotations

import http.client
import re
import socket
from threading import Condition, Thread
from typing import Any, NamedTuple

import msgspec

PATIENCE = 60
UNSAID = re.compile(rb"^:.*\n\n?", re.MULTILINE)


class Answer(NamedTuple):
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Caller:
    def __init__(self, port: int, secret: str = "") -> None:
        self.port = port
        self.secret = secret
        self.cookies: dict[str, str] = {}
        self.said: dict[str, str] = {}
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, body: object) -> Answer:
        return self.ask("POST", path, body)

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        data = body if isinstance(body, bytes) else b"" if body is None else msgspec.json.encode(body)
        try:
            return self._ask(method, path, data)
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            self._line.close()  # the server hangs up on a line that was silent for long
            return self._ask(method, path, data)

    def _ask(self, method: str, path: str, data: bytes) -> Answer:
        self._line.request(method, path, data or None, self.headers(bool(data)))
        return self._answer(self._line.getresponse())

    def headers(self, has_body: bool = False) -> dict[str, str]:
        said = self.said | ({"Content-Type": "application/json"} if has_body else {})
        if self.secret:
            said["Authorization"] = f"Bearer {self.secret}"
        if self.cookies:
            said["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return said

    def _answer(self, response: http.client.HTTPResponse) -> Answer:
        for cookie in response.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        headers = tuple(field for field in response.getheaders() if field[0].lower() != "date")
        return Answer(response.status, headers, response.read())

    def listen(self, path: str) -> Ear:
        return Ear(self.port, path, self.headers())

    def close(self) -> None:
        self._line.close()


class Ear:
    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._line.request("GET", path, headers=headers)
        self._response = self._line.getresponse()
        self._data = b""
        self._came = Condition()
        self.headers = tuple(field for field in self._response.getheaders() if field[0].lower() != "date")
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def heard(self) -> bytes:
        with self._came:
            return UNSAID.sub(b"", self._data)

    def wait_for(self, what: bytes) -> bytes:
        with self._came:
            if not self._came.wait_for(lambda: what in self._data and self._data.endswith(b"\n\n"), PATIENCE):
                raise TimeoutError(f"{what!r} did not come: {self._data[-500:]!r}")
            return UNSAID.sub(b"", self._data)

    def _read(self) -> None:
        try:
            while data := self._response.read1():
                with self._came:
                    self._data += data
                    self._came.notify_all()
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            return  # the server was killed, or the test is over

    def close(self) -> None:
        if self._line.sock is not None:
            self._line.sock.shutdown(socket.SHUT_RDWR)
        self._reader.join(PATIENCE)
        self._response.close()
        self._line.close()
