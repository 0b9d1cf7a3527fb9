"""What many cost: `python -m bench.crowd` has a crowd come to listen, and counts the memory of games that rest."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from bench import wars
from bench.flood import BROWSER
from bench.httpline import HttpLine
from bench.load import SCENARIO, Address, Chair, Player, Tally, address_of, processor, take
from bench.measure import calibration_rate
from leuthen.load import load
from leuthen.server.session.game_session import BASE_WEIGHT, LINE_WEIGHT
from leuthen.server.session.streams import TELLING
from tools.serving import Served

CROWDS: Final = (50, 100, 200, 400)
TURNS: Final = 3
"""Crowds of each size, one after the other; the quickest counts."""
TOLD: Final = 200
"""Who listen in the gallery while two play."""
WARMING, MEASURED = 50, 250
"""Actions before and while it is measured what listeners cost."""
RESTING: Final = 16
"""Games that rest in memory."""
FIRST: Final = 4
"""Games that are loaded before they are weighed: the first ones make caches and room that the others share."""
LONG: Final = 2000
"""Actions of each."""
LITTLE: Final = 16
"""MB that a server with little memory has for them."""
MB: Final = 1e6


def listener_figures() -> Iterator[str]:
    """How long it takes until everybody of a crowd in the gallery has heard how the game stands."""
    with TemporaryDirectory() as folder, Served(Path(folder) / "data") as server:
        address = address_of(server)
        chairs = asyncio.run(_gallery(address, max(CROWDS)))
        for size in CROWDS:
            took = min(asyncio.run(_join(address, chairs[:size])) for _ in range(TURNS))
            yield f"{size:>4} listeners: all have heard after {1e3 * took:,.0f} ms, {1e3 * took / size:.2f} ms each"


async def _gallery(address: Address, size: int) -> list[Chair]:
    """A game, and so many programs that watch it."""
    host = HttpLine(*address)
    made = (await host.post("/api/games", {"players": ["link", "link"], **SCENARIO})).json
    secret = urlsplit(made["watch"]).fragment
    chairs = [await take(host, made["watch"], f"{secret}-{number:04}") for number in range(size)]
    host.close()
    return chairs


async def _join(address: Address, chairs: Sequence[Chair]) -> float:
    lines = [HttpLine(*address, chair.secret) for chair in chairs]
    start = time.perf_counter()
    await asyncio.gather(*(_hear(line, chair) for line, chair in zip(lines, chairs, strict=True)))
    took = time.perf_counter() - start
    for line in lines:
        line.close()
    return took


async def _hear(line: HttpLine, chair: Chair) -> None:
    """Listens until the position has come."""
    async for event, _ in line.events(f"/api/seats/{chair.seat}/stream"):
        if event == "fresh":
            return


def telling_figures() -> Iterator[str]:
    """What each who listens costs when two play: processor of the server for an action, with and without a crowd."""
    spent = [_telling(size) for size in (0, TOLD)]
    each = (spent[1] - spent[0]) / TOLD
    yield (
        f"an action to which two listen costs {1e3 * spent[0]:.2f} ms of processor, with {TOLD} in the gallery"
        f" {1e3 * spent[1]:.2f} ms: {1e3 * each:.3f} ms for each of them; whoever acts pays {1e3 * TELLING:g} ms"
    )


def _telling(size: int) -> float:
    """Seconds of processor for an action with so many in the gallery; their joining does not count."""
    with TemporaryDirectory() as folder, Served(Path(folder) / "data") as server:
        return asyncio.run(_tell(address_of(server), size, server.pid))


async def _tell(address: Address, size: int, pid: int) -> float:
    host, tally = HttpLine(*address), Tally()
    made = (await host.post("/api/games", {"players": ["link", "link"], **SCENARIO})).json
    players = [Player(address, await take(host, seat["link"]), tally, Random(1)) for seat in made["seats"]]
    watchers = [await take(host, made["watch"], f"a-watcher-of-the-crowd-{number:04}") for number in range(size)]
    lines = [HttpLine(*address, chair.secret) for chair in watchers]
    streams = [line.events(f"/api/seats/{chair.seat}/stream") for line, chair in zip(lines, watchers, strict=True)]
    await asyncio.gather(*(anext(stream) for stream in streams))
    tasks = [asyncio.create_task(_drain(stream)) for stream in streams]
    tasks += [asyncio.create_task(work) for player in players for work in (player.listen(), player.play())]
    await _until(tally, WARMING)
    before, done = processor(pid), len(tally.acknowledged)
    await _until(tally, WARMING + MEASURED)
    spent = (processor(pid) - before) / (len(tally.acknowledged) - done)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for line in (*lines, host, *(line for player in players for line in (player.line, player.stream))):
        line.close()
    return spent


async def _drain(stream: AsyncIterator[tuple[str, bytes]]) -> None:
    async for _ in stream:
        pass


async def _until(tally: Tally, count: int) -> None:
    """Waits until so many actions are acknowledged."""
    while len(tally.acknowledged) < count:
        await asyncio.sleep(0.05)


def memory_figures() -> Iterator[str]:
    """How much memory games take that nobody looks at, and how much of it is left when they are let go."""
    record = wars.long(load("frederick"), LONG)
    weighed = (BASE_WEIGHT + LINE_WEIGHT * LONG) / MB
    each = _growth(record) / RESTING
    yield f"a resting game of {LONG} actions: {each:.1f} MB; the server reckons with {weighed:.1f} MB"
    little = _growth(record, "--memory", str(LITTLE))
    yield f"{RESTING} of them: {each * RESTING:.1f} MB; {little:.1f} MB where the server lets go beyond {LITTLE} MB"


def _growth(record: str, *argv: str) -> float:
    """MB by which a server grows that loads games, one after the other."""
    with TemporaryDirectory() as folder, Served(Path(folder) / "data", *argv) as server:
        seats = asyncio.run(_bring(address_of(server), record, RESTING + FIRST))
        server.stop()
        server.start()
        asyncio.run(_look(address_of(server), seats[:FIRST]))  # what they share is there from now on
        before = resident(server.pid)
        asyncio.run(_look(address_of(server), seats[FIRST:]))
        return resident(server.pid) - before


async def _bring(address: Address, record: str, count: int) -> list[str]:
    line = HttpLine(*address, browser=BROWSER)
    made = [(await line.post_text("/api/import", record)).json for _ in range(count)]
    line.close()
    return [f"/api/seats/{one['seats'][0]['seat']}" for one in made]


async def _look(address: Address, seats: Sequence[str]) -> None:
    line = HttpLine(*address, browser=BROWSER)
    for seat in seats:
        await line.get(seat)
    line.close()


def resident(process: int) -> float:
    """MB of memory that a process has."""
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], check=True, capture_output=True, text=True).stdout
    return int(told) * 1024 / MB


def crowd_figures() -> Iterator[str]:
    """All of them."""
    yield from listener_figures()
    yield from telling_figures()
    yield from memory_figures()


def main() -> None:
    """Prints the figures."""
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps a second")
    for line in crowd_figures():
        print(line, flush=True)


if __name__ == "__main__":
    main()
