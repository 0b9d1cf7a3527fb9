"""What the server says: faults always, who comes and who is refused too, all requests if wanted.

No query, header or body ever stands there. A line is text, or JSON for programs that gather lines.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Callable
from time import perf_counter
from types import TracebackType
from typing import Final, TypeAlias, cast
from urllib.parse import quote

import msgspec
from litestar.types import ASGIApp, LifeSpanScope, Message, Receive, Scope, Send
from typing_extensions import override

from leuthen.engine.codec import JSON
from leuthen.server.security.rate_limits import Bucket, Rate
from leuthen.server.session.addresses import network_of
from leuthen.storage.faults import StorageError

Observe: TypeAlias = Callable[[str, str, int, float], None]
"""Is told of each request: method, path, status, and the seconds until the answer began."""
_Raised: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]"
REQUESTS: Final = logging.getLogger("leuthen.requests")
SERVER: Final = logging.getLogger("leuthen.server")
"""The start and the end of the server."""
_REFUSED: Final = frozenset((401, 403, 408, 413, 415, 421, 429))
_SEATS: Final = "/api/seats/"
_TAKE: Final = "/api/take"
EACH: Final = Rate(0.2, 20)
ALL: Final = Rate(2, 200)
"""Lines about one address and about all: whoever asks for it to be written down cannot fill the disk."""


class Plain(logging.Formatter):
    """A line of text: the time in UTC, how grave it is, what it is.

    Of an error it has what it is and where it arose. What it says of itself is told only of errors of the system and of
    the database: those of the game may quote an order, or a secret.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%sZ%.0s"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    @override
    def formatException(self, ei: _Raised) -> str:
        """The error, and what it came of."""
        told, error = list[str](), ei[1]
        while error is not None:
            frames = "".join(traceback.format_tb(error.__traceback__))
            said = f": {error}" if isinstance(error, OSError | ImportError | StorageError) else ""
            told.append(f"Traceback (most recent call last):\n{frames}{type(error).__name__}{said}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\n".join(reversed(told))


class Json(Plain):
    """The same as a line of JSON. A request has its method, path, status, milliseconds and address as fields."""

    default_msec_format = "%s.%03dZ"

    @override
    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        said = {"time": self.formatTime(record), "level": record.levelname, "logger": record.name}
        raised = {"error": self.formatException(record.exc_info)} if record.exc_info else {}
        request: dict[str, object] = getattr(record, "request", {})
        return msgspec.json.encode({**said, "message": record.getMessage(), **request, **raised}).decode()


def set_up(*, tell_requests: bool, as_json: bool = False) -> None:
    """Writes to standard error, with the time in UTC."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if as_json else Plain())
    logging.getLogger().addHandler(handler)
    REQUESTS.setLevel(logging.INFO if tell_requests else logging.WARNING)
    SERVER.setLevel(logging.INFO)


def matters(method: str, path: str, status: int) -> bool:
    """Whether a request is told of in any case: it let somebody in or out, or was refused for what it tried."""
    if status in _REFUSED or path == _TAKE:
        return True
    if not path.startswith(_SEATS):
        return False
    return status == 404 or (method, path.endswith("/link")) == ("POST", True) or method == "DELETE"


class RequestLog:
    """Notes requests with method, path, status and how long the answer took to begin; of those that matter, from where.

    Those that matter are warnings, and come at a bounded pace.
    """

    def __init__(self, app: ASGIApp, bucket: Bucket | None = None, observe: Observe | None = None) -> None:
        self.app = app
        self._bucket = bucket or Bucket()
        self._observe = observe

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
        """Lets the request through."""
        start, head = perf_counter(), cast("dict[str, JSON]", scope)

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note(head, message["status"], perf_counter() - start)
            await send(message)

        await self.app(cast("Scope", scope), receive, noted)

    def _note(self, head: dict[str, JSON], status: int, seconds: float) -> None:
        method, path, took = head["method"], head["path"], round(1000 * seconds, 1)
        if self._observe is not None:
            self._observe(method, path, status, seconds)
        is_told = matters(method, path, status)
        if not is_told and not REQUESTS.isEnabledFor(logging.INFO):
            return
        said = {"method": method, "path": quote(path), "status": status, "ms": took}
        if not is_told:
            REQUESTS.info("%s %s %d %.1f ms", *said.values(), extra={"request": said})
            return
        said["from"] = address = (head.get("client") or ("",))[0] or "here"
        if not (self._bucket.take(network_of(address), "log", EACH) or self._bucket.take("", "log", ALL)):
            REQUESTS.warning("%s %s %d %.1f ms from %s", *said.values(), extra={"request": said})
