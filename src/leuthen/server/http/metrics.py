"""Metrics for Prometheus, at a separate address that no game address leads to.

They count and time events without naming seats, games, browsers or addresses.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from leuthen.engine.refusal import Invalid
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.http.app import ROUTES
from leuthen.server.session.registry import GameRegistry

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
_KINDS: Final = frozenset(
    next(word for word in reversed(path.split("/")) if "{" not in word) for route in ROUTES for path in route.paths
)


class Metrics(Collector):
    """The collector of the server's metrics."""

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
        weight = sum(session.weight for session in sessions)
        yield _gauge("games_bytes", "Estimated memory of these games, in bytes.", weight)
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
