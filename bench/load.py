"""Load test of many games on a real server: `python -m bench.load --games 40 --seconds 20`.

Each game has two open streams. In three of four games, two players act over HTTP as soon as they get a response, or all
players together at a pace (`--pace 100`, actions per second); in the fourth, one side is a bot. The report compares
acknowledged actions with the disk's limit, the rate of durable one-row commits, measured before and after in the same
run. It also has the processor time of the server's process.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import msgspec

from bench.httpline import HttpLine
from bench.measure import calibration_rate
from tools.serving import Served

SCENARIO: Final = {"ruleset": "frederick", "scenario": "campaign", "options": {"last-year": "1756"}}
MACHINE_EVERY: Final = 4
BOT: Final = "captain"
UNDOING_ORDERS: Final = ("clear", "reopen", "remove")
"""Orders that random players avoid, because they would keep a game from ending."""
COMMIT_SECONDS: Final = 1.0
"""Seconds of each disk measurement."""
WARM_UP_SECONDS: Final = 3.0
"""Seconds of warm-up, in which games are created and rules loaded."""


Address: TypeAlias = tuple[str, int]
"""Host and port of a server."""


class Tally:
    """Latencies of acknowledged orders and of forms, and the numbers of refused orders and finished games."""

    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        self.forms: list[float] = []
        self.refused = 0
        self.ended = 0

    def clear(self) -> None:
        """Start counting from zero."""
        self.acknowledged.clear()
        self.forms.clear()
        self.refused = self.ended = 0


class Pace:
    """A rate limiter with even intervals; without a rate it does not wait."""

    def __init__(self, rate: float = 0) -> None:
        self._rate = rate
        self._next = 0.0

    async def turn(self) -> None:
        """Wait for the next slot."""
        if self._rate:
            now = time.perf_counter()
            self._next = max(self._next + 1 / self._rate, now)
            await asyncio.sleep(self._next - now)


class TakenSeat(NamedTuple):
    """A seat of a game: its public id, and the key of the program that holds it."""

    seat: str
    secret: str


class Player:
    """A simulated player: it reads the seat's stream and answers each question with a random choice."""

    def __init__(self, address: Address, chair: TakenSeat, tally: Tally, rng: Random, pace: Pace | None = None) -> None:
        self.pace = pace or Pace()
        self.base = f"/api/seats/{chair.seat}"
        self.line = HttpLine(*address, chair.secret)
        self.stream = HttpLine(*address, chair.secret)
        self.tally = tally
        self.rng = rng
        self.n = 0
        self.is_asked = asyncio.Event()
        self.has_ended = False
        self._keys = 0

    async def listen(self) -> None:
        """Follow the stream."""
        fresh = (await self.line.get(self.base)).json
        self._heard(fresh)
        async for event, data in self.stream.events(f"{self.base}/stream?after={self.n}"):
            if event in ("news", "fresh"):
                self._heard(msgspec.json.decode(data))

    def _heard(self, news: dict[str, Any]) -> None:
        self.n = max(self.n, news["n"])
        self.has_ended = bool(news.get("has_ended") or news.get("patch", {}).get("result"))
        if any(awaited["is_yours"] for awaited in news["awaited"]):
            self.is_asked.set()
        else:
            self.is_asked.clear()

    async def play(self) -> None:
        """Act at each request until the game has ended."""
        while not self.has_ended:
            await self.is_asked.wait()
            await self.pace.turn()
            if order := await self._order():
                await self._post(order)

    async def _order(self) -> str:
        """Fill in a form, question by question, with random choices."""
        partial_order: dict[str, str] = {}
        while True:
            start = time.perf_counter()
            reply = await self.line.post(f"{self.base}/form", {"partial_order": partial_order})
            self.tally.forms.append(time.perf_counter() - start)
            if reply.status >= 400:
                await self._ask_again()
                return ""
            form = reply.json
            if form.get("order") or not form["fields"]:
                return str(form.get("order", ""))
            field = form["fields"][-1]
            if field.get("value") or not field["choices"]:
                partial_order = {}
            else:
                tokens = [choice["token"] for choice in field["choices"]]
                partial_order[field["key"]] = self.rng.choice(
                    [token for token in tokens if token not in UNDOING_ORDERS] or tokens
                )

    async def _post(self, order: str) -> None:
        self._keys += 1
        self.is_asked.clear()
        body = {"seen": self.n, "key": f"load-{self._keys:06}", "order": order}
        start = time.perf_counter()
        reply = await self.line.post(f"{self.base}/orders", body)
        if reply.status >= 400:
            self.tally.refused += 1
            await self._ask_again()
        else:
            self.tally.acknowledged.append(time.perf_counter() - start)

    async def _ask_again(self) -> None:
        """Read the open questions after a refusal, because the stream may send nothing new."""
        self._heard((await self.line.get(self.base)).json)

    def close(self) -> None:
        self.line.close()
        self.stream.close()


async def take_seat(host: HttpLine, link: str, key: str = "") -> TakenSeat:
    """Take the seat of a link, with the given program key or a new one."""
    secret = urlsplit(link).fragment
    key = key or f"{secret}-own"
    return TakenSeat((await host.post("/api/take", {"secret": secret, "key": key})).json["seat"], key)


async def play_table(addresses: Sequence[Address], number: int, tally: Tally, pace: Pace) -> None:
    """Play one game after another until cancelled, with each player on a different server."""
    rng = Random(number)
    host = HttpLine(*addresses[number % len(addresses)])
    has_machine = number % MACHINE_EVERY == 0
    while True:
        made = (await host.post("/api/games", {"players": ["link", BOT if has_machine else "link"], **SCENARIO})).json
        chairs = [await take_seat(host, seat["link"]) for seat in made["seats"] if seat["link"]]
        players = [
            Player(addresses[(number + side) % len(addresses)], chair, tally, rng, pace)
            for side, chair in enumerate(chairs)
        ]
        listening = [asyncio.create_task(player.listen()) for player in players]
        try:
            await asyncio.gather(*(player.play() for player in players))
            tally.ended += 1
        finally:
            for task in listening:
                task.cancel()
            for player in players:
                player.close()


def commit_rate(folder: Path) -> float:
    """Return the rate of durable one-row commits, one after another, on the folder's disk."""
    with closing(sqlite3.connect(folder / "commits.db", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE IF NOT EXISTS rows (number INTEGER PRIMARY KEY, text TEXT)")
        done, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < COMMIT_SECONDS:
            database.execute("INSERT INTO rows (text) VALUES (?)", ("prussia march Keith +5 1632-1633",))
            done += 1
    return done / spent


def address_of(server: Served) -> Address:
    """Return the host and port of a server."""
    host, _, port = server.url.removeprefix("http://").rpartition(":")
    return host, int(port)


async def run(
    addresses: Sequence[Address],
    games: int,
    seconds: float,
    meter: Callable[[], Sequence[float]],
    rate: float = 0,
) -> tuple[Tally, list[float]]:
    """Play on these servers for the given time after warming up. Return the tally and the increase of each meter."""
    tally, pace = Tally(), Pace(rate)
    tables = [asyncio.create_task(play_table(addresses, number, tally, pace)) for number in range(games)]
    await asyncio.wait(tables, timeout=WARM_UP_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
    tally.clear()
    before = meter()
    done, _ = await asyncio.wait(tables, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    spent = [now - was for now, was in zip(meter(), before, strict=True)]
    for task in tables:
        task.cancel()
    await asyncio.gather(*tables, return_exceptions=True)
    for task in done:
        task.result()
    return tally, spent


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process in seconds; NaN on systems other than Linux."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return math.nan
    return sum(map(int, told[11:13])) / os.sysconf("SC_CLK_TCK")


def report(tally: Tally, games: int, seconds: float, disk: float, spent: float) -> Iterator[str]:
    """Yield the lines of the report."""
    rate = len(tally.acknowledged) / seconds
    yield f"{games} games, {2 * games} streams, {seconds:g} s; {tally.ended} games ended, {tally.refused} refusals"
    yield f"durable commits of SQLite, one row each: {disk:,.0f} per second"
    yield f"acknowledged actions: {rate:,.1f} per second ({rate / disk:.3f} per commit), {latency(tally.acknowledged)}"
    yield f"forms: {len(tally.forms) / seconds:,.1f} per second, {latency(tally.forms)}"
    actions = max(1, len(tally.acknowledged))
    yield (
        f"server processor time: {spent / seconds:.2f} of a core, {1e3 * spent / actions:.2f} ms per action"
        f" with its {len(tally.forms) / actions:.1f} forms"
    )


def latency(spent: Sequence[float]) -> str:
    """Return the median and the 99th percentile of latencies, in milliseconds."""
    if len(spent) < 2:
        return "too few"
    hundredths = statistics.quantiles(spent, n=100)
    return f"p50 {1e3 * hundredths[49]:.1f} ms, p99 {1e3 * hundredths[98]:.1f} ms"


def load_figures(games: int, seconds: float, rate: float = 0) -> Iterator[str]:
    """Start a server, run the load, and yield the report."""
    with TemporaryDirectory() as folder:
        disk = commit_rate(Path(folder))
        with Served(Path(folder) / "data") as server:
            tally, (spent,) = asyncio.run(
                run([address_of(server)], games, seconds, lambda: [processor_seconds(server.pid)], rate)
            )
        yield from report(tally, games, seconds, (disk + commit_rate(Path(folder))) / 2, spent)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pace", type=float, default=0, help="actions per second; default: no limit")
    args = parser.parse_args()
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps per second")
    for line in load_figures(args.games, args.seconds, args.pace):
        print(line)


if __name__ == "__main__":
    main()
