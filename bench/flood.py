"""What one who asks too much costs those who play: `python -m bench.flood`.

Two calm players act now and then, and look at the table meanwhile. Beside them somebody brings in records of takebacks,
asks for layers, has long games loaded, or wants the map before it was ever drawn; a stranger from elsewhere reads long
games again and again, or changes his name before a crowd of his own. The server is a real one, with its processes.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, cycle, repeat
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias

from bench import wars
from bench.httpline import HttpLine
from bench.load import SCENARIO, Address, Player, Tally, address_of, take
from bench.measure import calibration_rate
from leuthen.engine.ruleset import Ruleset
from leuthen.load import load
from tools.serving import Served

AT_ONCE: Final = 8
"""So many connections ask for too much, each as fast as it is answered."""
PAUSE: Final = 0.05
"""Seconds between two things that a calm player does, and after an answer that tells a flood to wait."""
TAKEBACKS: Final = (30, 186_000)
"""Actions before the takebacks, and bytes, of a record that is brought in."""
ACTIONS: Final = 2000
"""Of a long game."""
LAYERS: Final = ("supply", "zones", "threat", "holders")
BROWSER: Final = "a-browser-that-asks-much"
"""A key of the form that the server gives out."""
PATIENCE: Final = 120
"""Seconds within which all is answered to who asks only once."""
STRANGER: Final = "203.0.113.7"
"""An address elsewhere."""
CROWD: Final = 490
"""Streams that the stranger wants to have on one seat."""
Request: TypeAlias = tuple[str, str | dict[str, str]]
"""A path, and a text to be posted there, if any, or what is to be put there."""


class CalmTally(Tally):
    """What calm players waited for, layers by themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.layers: list[float] = []


class Calm(Player):
    """A player who takes his time, and looks at the table in between."""

    is_leaving = False
    tally: CalmTally

    async def play(self) -> None:
        """Acts when asked, and looks when not, until he is to leave."""
        eyes = HttpLine(self.line.host, self.line.port, self.line.secret)
        looking = asyncio.create_task(self._look())
        while not (self.is_leaving or self.has_ended):
            await asyncio.sleep(PAUSE)
            start = time.perf_counter()
            await eyes.get(self.base)
            self.tally.forms.append(time.perf_counter() - start)
            if self.is_asked.is_set() and (order := await self._order()):
                await self._post(order)
        await looking
        eyes.close()

    async def _look(self) -> None:
        """Has layers shown, one after the other: they stand in a lane with those of the flood."""
        eyes = HttpLine(self.line.host, self.line.port, self.line.secret)
        while not (self.is_leaving or self.has_ended):
            await asyncio.sleep(4 * PAUSE)
            start = time.perf_counter()
            await eyes.get(f"{self.base}/layer?name={LAYERS[0]}")
            self.tally.layers.append(time.perf_counter() - start)
        eyes.close()


class Flood(NamedTuple):
    """Somebody who asks for too much."""

    name: str
    asks: Callable[[int], Iterator[Request]]
    """What one of his connections asks for, by its number, one after the other."""
    is_once: bool = False
    """Whether this ends by itself, so that it can be told how soon all is answered."""
    behind: str = ""
    """The address from which it comes, if not from this machine."""
    key: str = ""
    """Of a program, if it is one."""


class Beside(NamedTuple):
    """What was measured beside a flood."""

    spent: list[float]
    """How long each request of the calm players took."""
    layers: list[float]
    """How long each of their layers took."""
    told: Counter[int]
    """What the flood was answered, by status."""
    took: float
    """Seconds until all was answered to a flood that asks only once."""


class Table:
    """A game of two calm players."""

    def __init__(self, players: list[Calm]) -> None:
        self.players = players
        self._listening = [asyncio.create_task(player.listen()) for player in players]
        self._playing = asyncio.gather(*(player.play() for player in players))

    async def end(self) -> None:
        """Lets every player finish what he is at, however long it takes."""
        for player in self.players:
            player.is_leaving = True
        await self._playing
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        for player in self.players:
            player.close()


async def beside(address: Address, flood: Flood, seconds: float) -> Beside:
    """Lets calm players play beside a flood for so long, and until all is answered to one that asks only once."""
    tally, told, host = CalmTally(), Counter[int](), HttpLine(*address)
    made = (await host.post("/api/games", {"players": ["link", "link"], **SCENARIO})).json
    chairs = [await take(host, seat["link"]) for seat in made["seats"]]
    host.close()
    table = Table([Calm(address, chair, tally, Random(1)) for chair in chairs])
    asked = asyncio.gather(*(_ask(address, flood, number, told) for number in range(AT_ONCE)))
    took = await _time(asked, PATIENCE if flood.is_once else seconds)
    await asyncio.sleep(seconds - took)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    await table.end()
    return Beside(tally.forms + tally.acknowledged, tally.layers, told, took if flood.is_once else 0)


async def _time(asked: asyncio.Future[list[None]], most: float) -> float:
    """How long something takes, looked at for so many seconds at most."""
    start = time.perf_counter()
    await asyncio.wait([asked], timeout=most)
    return time.perf_counter() - start


async def _ask(address: Address, flood: Flood, number: int, told: Counter[int]) -> None:
    line = HttpLine(*address, flood.key, BROWSER, flood.behind)
    try:
        for path, body in flood.asks(number):
            reply = await (
                line.put(path, body)
                if isinstance(body, dict)
                else line.post_text(path, body)
                if body
                else line.get(path)
            )
            told[reply.status] += 1
            if reply.status >= 400:
                await asyncio.sleep(PAUSE)
    finally:
        line.close()


class Long:
    """Long games, whose seats are all one browser's."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.record = wars.long(ruleset, ACTIONS)
        self._seats: list[str] = []

    async def bring(self, address: Address) -> None:
        """Brings them in. The server is to be started anew then, so that it has none in memory."""
        line = HttpLine(*address, browser=BROWSER)
        for _ in range(AT_ONCE):
            reply = await line.post_text("/api/import", self.record)
            self._seats.append(f"/api/seats/{reply.json['seats'][0]['seat']}")
        line.close()

    async def load(self, address: Address) -> None:
        """Has them all in memory."""
        line = HttpLine(*address, browser=BROWSER)
        for seat in self._seats:
            await line.get(seat)
        line.close()

    def loads(self, number: int) -> Iterator[Request]:
        """One is loaded."""
        yield self._seats[number], ""

    def reads(self, what: str) -> Callable[[int], Iterator[Request]]:
        """Something of one is read again and again."""
        return lambda number: repeat((f"{self._seats[number]}/{what}", ""))

    def layers(self, number: int) -> Iterator[Request]:
        """Layers of one."""
        return cycle((f"{self._seats[number]}/layer?name={layer}", "") for layer in LAYERS)


CROWDED: Final = "names before a crowd"


def floods(ruleset: Ruleset, games: Long) -> Iterator[Flood]:
    """Those that are measured, and nobody to compare them with."""
    takebacks = wars.of_takebacks(ruleset, *TAKEBACKS)
    yield Flood("nobody else", lambda _: iter(()))
    yield Flood("long games are loaded", games.loads, True)
    yield Flood("layers of these games", games.layers)
    yield Flood("a map never drawn before", lambda _: iter((("/map/frederick.svg", ""),)), True)
    yield Flood("records of takebacks", lambda _: repeat(("/api/import", takebacks)))
    for what in ("chronicle?count=5000", "story", "record"):
        yield Flood(what, games.reads(what), behind=STRANGER)


async def before_a_crowd(address: Address, games: Long, seconds: float) -> str:
    """A line of the report on a stranger who changes his name before listeners of his own."""
    host = HttpLine(*address, behind=STRANGER)
    made = (await host.post_text("/api/import?first=link", games.record)).json
    chair = await take(host, made["seats"][0]["link"])
    host.close()
    path, heard = f"/api/seats/{chair.seat}", Counter[str]()

    async def listen() -> None:
        line = HttpLine(*address, chair.secret, behind=STRANGER)
        try:
            async for _, data in line.events(f"{path}/stream"):
                heard["bytes"] += len(data)
        finally:
            line.close()

    def names(number: int) -> Iterator[Request]:
        return ((f"{path}/player", {"name": f"Anna {number} {n}"}) for n in count())

    crowd = asyncio.gather(*(listen() for _ in range(CROWD)), return_exceptions=True)
    await asyncio.sleep(8)
    heard.clear()
    found = await beside(address, Flood(CROWDED, names, behind=STRANGER, key=chair.secret), seconds)
    crowd.cancel()
    await asyncio.gather(crowd, return_exceptions=True)
    return f"{line_of(Flood(CROWDED, names), found)}; its listeners heard {heard['bytes'] / 1e6:.1f} MB"


def flood_figures(seconds: float, only: str = "") -> Iterator[str]:
    """Starts a server of its own, and measures calm players beside one flood after another."""
    ruleset = load("frederick")
    games = Long(ruleset)
    yield f"two calm players, {seconds:g} s beside each flood of {AT_ONCE} connections:"
    with TemporaryDirectory() as folder:
        env = {"XDG_CACHE_HOME": f"{folder}/cache"}  # where no map is kept
        with Served(Path(folder) / "data", env=env) as server:
            asyncio.run(games.bring(address_of(server)))
            server.stop()
            server.start()
            for flood in floods(ruleset, games):
                if only not in flood.name:
                    continue
                if flood.behind:
                    asyncio.run(games.load(address_of(server)))
                yield line_of(flood, asyncio.run(beside(address_of(server), flood, seconds)))
            if only in CROWDED:
                yield asyncio.run(before_a_crowd(address_of(server), games, seconds))
            server.kill()  # records are still being played


def line_of(flood: Flood, found: Beside) -> str:
    """A line of the report."""
    calm = f"{_times(found.spent)}; layers: {_times(found.layers)}"
    answers = ", ".join(f"{count} times {status}" for status, count in sorted(found.told.items()))
    end = f", after {found.took:.1f} s" if found.took else ""
    return f"{flood.name:<25}{calm}{f'; answered {answers}{end}' if answers else ''}"


def _times(spent: list[float]) -> str:
    if len(spent) < 2:
        return f"{len(spent)}, {1e3 * sum(spent):.1f} ms"
    hundredths = statistics.quantiles(spent, n=100, method="inclusive")
    times = [f"{1e3 * each:.1f} ms" for each in (hundredths[49], hundredths[98], max(spent))]
    return f"{len(spent)}, p50 {times[0]}, p99 {times[1]}, longest {times[2]}"


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="bench.flood", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--only", default="", help="a part of the names of those that are measured")
    args = parser.parse_args()
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps a second")
    for line in flood_figures(args.seconds, args.only):
        print(line, flush=True)


if __name__ == "__main__":
    main()
