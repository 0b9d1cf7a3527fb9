"""What many games cost in which little happens: `python -m bench.quiet` opens them, listens to them, and restarts.

Five hundred games, in a quarter of them against the machine, are played on for a while; then two listen to each,
without a word; then the server is started anew. Beside them a player asks again and again, so that every stall is seen.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from bench.crowd import resident
from bench.flood import BROWSER
from bench.httpline import HttpLine
from bench.load import BOT, MACHINE_EVERY, SCENARIO, Address, Chair, Player, Tally, address_of, take
from bench.measure import calibration_rate
from bench.wars import long
from leuthen.load import load
from tools.serving import Served

GAMES: Final = 500
PLAYED: Final = 30.0
"""Seconds for which all of them are played, before anything is measured."""
SILENCE: Final = 20.0
"""Seconds in which nobody says anything but the streams, that they still stand: each of them once."""
PAUSE: Final = 0.005
"""Seconds between two looks of whoever would notice a stall."""
SAMPLE: Final = 20
"""Games that are asked for after a restart, and one of so many actions."""
ACTIONS: Final = 2000


async def _open(address: Address, count: int) -> list[list[Chair]]:
    """Makes games; gives the chairs of each."""
    host, games = HttpLine(*address), list[list[Chair]]()
    for number in range(count):
        players = ["link", "link" if number % MACHINE_EVERY else BOT]
        made = (await host.post("/api/games", {"players": players, **SCENARIO})).json
        games.append([await take(host, seat["link"]) for seat in made["seats"] if seat["link"]])
    host.close()
    return games


async def _play(address: Address, games: Sequence[Sequence[Chair]], seconds: float) -> int:
    """Plays all of them for so long; how many actions were acknowledged."""
    tally = Tally()
    players = [Player(address, chair, tally, Random(n)) for n, game in enumerate(games) for chair in game]
    tasks = [asyncio.create_task(work) for player in players for work in (player.listen(), player.play())]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for player in players:
        player.close()
    return len(tally.acknowledged)


async def _listen(address: Address, games: Sequence[Sequence[Chair]], pid: int) -> Iterator[str]:
    """Two streams for each game, and somebody who would notice a stall."""
    host = HttpLine(*address, games[0][0].secret)
    for game in games:  # what is loaded for who asks is no cost of listening
        for chair in game:
            await HttpLine(*address, chair.secret).get(f"/api/seats/{chair.seat}")
    before = resident(pid)
    lines = [(HttpLine(*address, chair.secret), chair) for game in games for chair in (game[0], game[-1])]
    streams = [line.events(f"/api/seats/{chair.seat}/stream") for line, chair in lines]
    start = time.perf_counter()
    await asyncio.gather(*(anext(stream) for stream in streams))
    took, after = time.perf_counter() - start, resident(pid)
    waits, end = list[float](), time.perf_counter() + SILENCE
    while (now := time.perf_counter()) < end:
        await host.get(f"/api/seats/{games[0][0].seat}")
        waits.append(time.perf_counter() - now)
        await asyncio.sleep(PAUSE)
    for line, _ in [*lines, (host, None)]:
        line.close()
    waits.sort()
    return iter(
        (
            f"{len(lines)} streams joined in {took:.2f} s, {1e3 * took / len(lines):.2f} ms each;"
            f" they take {after - before:.0f} MB",
            f"while they are silent for {SILENCE:g} s: of {len(waits)} looks the longest took {1e3 * waits[-1]:.1f} ms,"
            f" p99 {1e3 * waits[len(waits) * 99 // 100]:.1f} ms",
        )
    )


async def _after_restart(address: Address, games: Sequence[Sequence[Chair]], seat: str) -> Iterator[str]:
    """How long the first page takes, and then games."""
    start = time.perf_counter()
    host = HttpLine(*address)
    await host.get("/")
    page = time.perf_counter() - start
    waits = list[float]()
    for chair in [game[0] for game in Random(1).sample(games, min(SAMPLE, len(games)))]:
        line, now = HttpLine(*address, chair.secret), time.perf_counter()
        await line.get(f"/api/seats/{chair.seat}")
        waits.append(time.perf_counter() - now)
        line.close()
    line, now = HttpLine(*address, browser=BROWSER), time.perf_counter()
    await line.get(seat)
    alone = time.perf_counter() - now
    for one in (host, line):
        one.close()
    return iter(
        (
            f"the first page came after {1e3 * page:.0f} ms more; of {len(waits)} games, asked for one after the other,"
            f" the first after {1e3 * waits[0]:.0f} ms, the slowest after {1e3 * max(waits):.0f} ms",
            f"a game of {ACTIONS} actions came after {1e3 * alone:.0f} ms",
        )
    )


async def _bring(address: Address, record: str) -> str:
    line = HttpLine(*address, browser=BROWSER)
    made = (await line.post_text("/api/import", record)).json
    line.close()
    return f"/api/seats/{made['seats'][0]['seat']}"


def quiet_figures(count: int = GAMES) -> Iterator[str]:
    """Starts a server of its own, and measures."""
    with TemporaryDirectory() as folder, Served(Path(folder) / "data") as server:
        address = address_of(server)
        games = asyncio.run(_open(address, count))
        seat = asyncio.run(_bring(address, long(load("frederick"), ACTIONS)))
        done = asyncio.run(_play(address, games, PLAYED))
        yield f"{count} games, of {done / count:.0f} actions of people each"
        yield from asyncio.run(_listen(address, games, server.pid))
        yield f"all in all the server has {resident(server.pid):.0f} MB"
        server.stop()
        start = time.perf_counter()
        server.start()
        yield f"started anew with {count + 1} games, it listens after {time.perf_counter() - start:.2f} s"
        yield from asyncio.run(_after_restart(address, games, seat))


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="bench.quiet", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    args = parser.parse_args()
    print(f"calibration loop: {calibration_rate():,.0f} thousand steps a second")
    for line in quiet_figures(args.games):
        print(line, flush=True)


if __name__ == "__main__":
    main()
