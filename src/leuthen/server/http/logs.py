"""The server's log and metrics.

Errors, sign-ins and refusals are always logged, all requests optionally: no query, header or body. A line is text, or
JSON for log collectors. Metrics for Prometheus are at a separate address that no game address leads to; they count and
time events without naming seats, games, browsers or addresses.
"""

import logging
import shutil
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Final, TypeAlias, cast
from urllib.parse import quote

import msgspec
from litestar.types import ASGIApp, LifeSpanScope, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from leuthen.engine.codec import JSON
from leuthen.engine.refusal import Invalid
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.http.app import ROUTES
from leuthen.server.security.request_guard import Bucket, Rate
from leuthen.server.session.limits import address_now, network_of
from leuthen.server.session.registry import GameRegistry
from leuthen.storage.rows import StorageError

Observe: TypeAlias = Callable[[str, str, int, float], None]
"""Receives each request: method, path, status, and seconds until the answer began."""
_Raised: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]"
REQUESTS: Final = logging.getLogger("leuthen.requests")
SERVER: Final = logging.getLogger("leuthen.server")
"""Start and end of the server."""
_REFUSED: Final = frozenset((401, 403, 408, 413, 415, 421, 429))
_SEATS: Final = "/api/seats/"
_TAKE: Final = "/api/take"
APART: Final = 60.0
"""Minimum seconds between two lines of one kind and address, so that strangers cannot fill the disk."""
ALL: Final = Rate(2, 200)
"""Limit for lines about all addresses."""
MOST: Final = 20_000
"""Maximum number of remembered kinds and addresses."""


class LogLimiter:
    """Limits log lines that strangers can cause to one per minute for each kind and address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._bucket = Bucket(clock)
        self._written: dict[tuple[str, str], tuple[float, int]] = {}
        """Time of the last line and number of omitted ones since, oldest first."""

    def omitted_before(self, kind: str, address: str) -> int | None:
        """Return the number of omitted lines before this one; None if this one is omitted."""
        now, key = self._clock(), (kind, address)
        at, count = self._written.get(key, (-APART, 0))
        if now - at < APART or self._bucket.take("", "log", ALL):
            if key in self._written:
                self._written[key] = at, count + 1
            return None
        self._written.pop(key, None)
        if len(self._written) >= MOST:
            self._written = dict(list(self._written.items())[MOST // 2 :])
        self._written[key] = now, 0
        return count

    def passes(self, record: logging.LogRecord) -> bool:
        """Return whether to log a line: always if no stranger caused it."""
        address = address_now.get()
        is_outer = record.name.startswith(("uvicorn", "asyncio"))  # they log input of unknown clients
        if record.name == REQUESTS.name or not (address or is_outer):
            return True
        raised = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        omitted_before = self.omitted_before(f"{record.name} {record.msg} {raised}", address)
        if omitted_before:
            record.msg, record.args = f"{record.getMessage()} ({omitted_before} like it before)", ()
        return omitted_before is not None


class Plain(logging.Formatter):
    """A text line: time in UTC, level, message.

    For errors it has the type and traceback. The message of an error is logged only for system and database errors:
    those of the game may quote an order or a secret.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%sZ%.0s"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    @override
    def formatException(self, ei: _Raised) -> str:
        parts, error = list[str](), ei[1]
        while error is not None:
            frames = "".join(traceback.format_tb(error.__traceback__))
            said = f": {error}" if isinstance(error, OSError | ImportError | StorageError) else ""
            parts.append(f"Traceback (most recent call last):\n{frames}{type(error).__name__}{said}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\n".join(reversed(parts))


class Json(Plain):
    """The same as JSON. A request has its method, path, status, milliseconds and address as fields."""

    default_msec_format = "%s.%03dZ"

    @override
    def format(self, record: logging.LogRecord) -> str:
        said = {"time": self.formatTime(record), "level": record.levelname, "logger": record.name}
        raised = {"error": self.formatException(record.exc_info)} if record.exc_info else {}
        request: dict[str, object] = getattr(record, "request", {})
        return msgspec.json.encode({**said, "message": record.getMessage(), **request, **raised}).decode()


def set_up(*, tell_requests: bool, as_json: bool = False) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if as_json else Plain())
    handler.addFilter(LogLimiter().passes)
    logging.getLogger().addHandler(handler)
    REQUESTS.setLevel(logging.INFO if tell_requests else logging.WARNING)
    SERVER.setLevel(logging.INFO)


def is_always_logged(method: str, path: str, status: int) -> bool:
    """Return whether a request is always logged: it granted or ended access, or was refused."""
    if status in _REFUSED or path == _TAKE:
        return True
    if not path.startswith(_SEATS):
        return False
    return status == 404 or (method, path.endswith("/link")) == ("POST", True) or method == "DELETE"


class RequestLog:
    """Logs requests with method, path, status and time to the answer.

    Requests that matter are warnings with the address, once a minute for each kind and address.
    """

    def __init__(self, app: ASGIApp, sparing: LogLimiter | None = None, observe: Observe | None = None) -> None:
        self.app = app
        self._sparing = sparing or LogLimiter()
        self._observe = observe

    def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> Awaitable[None]:
        start, head = perf_counter(), cast("dict[str, JSON]", scope)

        def note_status(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                self._note(head, message["status"], perf_counter() - start)
            return send(message)

        return self.app(cast("Scope", scope), receive, note_status)

    def _note(self, head: dict[str, JSON], status: int, seconds: float) -> None:
        method, path, took = head["method"], head["path"], round(1000 * seconds, 1)
        if self._observe is not None:
            self._observe(method, path, status, seconds)
        is_logged = is_always_logged(method, path, status)
        if not is_logged and not REQUESTS.isEnabledFor(logging.INFO):
            return
        said = {"method": method, "path": quote(path), "status": status, "ms": took}
        if not is_logged:
            REQUESTS.info("%s %s %d %.1f ms", *said.values(), extra={"request": said})
            return
        said["from"] = address = (head.get("client") or ("",))[0] or "here"
        # one of few kinds, so that strangers cannot create new ones
        kind = (
            path if path == _TAKE else "link" if path.endswith("/link") else "seat" if path.startswith(_SEATS) else ""
        )
        omitted_before = self._sparing.omitted_before(f"{kind} {status}", network_of(address))
        if omitted_before is None:
            return
        before = f" ({omitted_before} like it before)" if omitted_before else ""
        if omitted_before:
            said["left_out"] = omitted_before
        REQUESTS.warning("%s %s %d %.1f ms from %s%s", *list(said.values())[:5], before, extra={"request": said})


# --- metrics ----------------------------------------------------------------------------------------------------------


BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
_KINDS: Final = frozenset(
    next(word for word in reversed(path.split("/")) if "{" not in word) for route in ROUTES for path in route.paths
)


class Metrics(Collector):
    def __init__(self, registry: GameRegistry, drivers: BotDrivers, folder: Path | None) -> None:
        self._registry = registry
        self._drivers = drivers
        self._folder = folder
        self.all = CollectorRegistry()
        self._requests = Counter("leuthen_requests", "Requests answered.", ["kind", "status"], registry=self.all)
        text = "Seconds until the answer to a request began."
        self._seconds = Histogram("leuthen_request_seconds", text, ["kind"], buckets=BUCKETS, registry=self.all)
        ProcessCollector(registry=self.all)
        self.all.register(self)

    def observe(self, method: str, path: str, status: int, seconds: float) -> None:
        kind = kind_of(path)
        self._requests.labels(kind, str(status)).inc()
        self._seconds.labels(kind).observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """Yield the current values. It runs in another thread, so it only reads counts."""
        registry, sessions = self._registry, list(self._registry.sessions.values())
        yield CounterMetricFamily("leuthen_changes", "Game changes stored and published.", value=registry.changes)
        yield _gauge("streams", "Open streams.", registry.connection_limits.count)
        yield _gauge("games_in_memory", "Games in memory.", len(sessions))
        yield _gauge("games_bytes", "Estimated memory of these games, in bytes.", sum(one.weight for one in sessions))
        yield _gauge(
            "machines_thinking", "Games in which a bot or a standing instruction is acting.", self._drivers.count
        )
        family = GaugeMetricFamily("leuthen_slow_work", "Slow tasks running or queued, by queue.", labels=["lane"])
        for name, waiting in registry.work_queues.items():
            family.add_metric([name], waiting.count)
        yield family
        if self._folder is not None:
            free = shutil.disk_usage(self._folder).free
            yield _gauge("disk_free_bytes", "Free bytes on the disk that stores the games.", free)
            size = sum(path.stat().st_size for path in self._folder.glob("leuthen.db*"))
            yield _gauge("database_bytes", "Size of the database files, in bytes.", size)

    @contextmanager
    def serve_metrics(self, host: str, port: int) -> Iterator[None]:
        """Serve the metrics. Raise Invalid if the address cannot be used."""
        try:
            server, thread = start_http_server(port, host, self.all)
        except OSError as error:
            raise Invalid(f"cannot serve metrics at {host}, port {port}: {error.strerror}") from error
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def kind_of(path: str) -> str:
    """Return the kind of a request in one of a few words, without anything personal from its path."""
    return next((word for word in reversed(path.split("/")) if word in _KINDS), "other")


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"leuthen_{name}", text, value=value)
