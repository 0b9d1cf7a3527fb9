"""What an action costs where two servers share a PostgreSQL, beside one server: `python -m bench.servers --pairs 20`.

Both are there all the time; the same number of orders is played with each in turn, over HTTP with forms and streams,
the players of a game at different servers where there are two. What counts is the time of the processor, which does
not depend on who else uses the machine as much as seconds do.

`--load` measures instead how much they carry: many games at once, as fast as they are answered, with one server and
with two in turn, and who took how much of the machine's cores meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from bench.httpline import HttpLine
from bench.load import SCENARIO, Address, Player, Tally, address_of, processor, run, take, times
from tools.postgres import TempPostgres
from tools.serving import Served

GAMES: Final = 2
REST: Final = 5.0
"""Seconds for which servers at rest are measured."""
WIDE: Final = 1.96
"""An interval of 95 %, where there are many pairs."""

SHARERS: Final = "servers", "their database", "players", "machines and all else"


class Cost(NamedTuple):
    """Milliseconds of processor: of the servers, and of the database."""

    servers: float
    database: float

    @property
    def all(self) -> float:
        """Of both."""
        return self.servers + self.database


def backends(postgres: TempPostgres, database: str) -> list[int]:
    """The processes that work for a database."""
    query = f"SELECT pid FROM pg_stat_activity WHERE datname = '{database}' AND pid <> pg_backend_pid()"
    return [int(line) for line in postgres.ask("postgres", query)]


async def play(addresses: Sequence[Address], orders: int, seed: int) -> None:
    """Plays games until so many orders are acknowledged."""
    tally, players = Tally(), list[Player]()
    for game in range(GAMES):
        host = HttpLine(*addresses[game % len(addresses)])
        made = (await host.post("/api/games", {"players": ["link", "link"], **SCENARIO})).json
        for side, seat in enumerate(made["seats"]):
            address = addresses[(game + side) % len(addresses)]
            players.append(Player(address, await take(host, seat["link"]), tally, Random(f"{seed} {game} {side}")))
        host.close()
    tasks = [asyncio.create_task(work) for player in players for work in (player.listen(), player.play())]
    while len(tally.acknowledged) < orders:
        done, _ = await asyncio.wait(tasks, timeout=0.02, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for player in players:
        player.close()


class Rig:
    """Servers that share a database."""

    def __init__(self, servers: Sequence[Served], postgres: TempPostgres) -> None:
        self._servers = servers
        self._postgres = postgres
        self._rest = Cost(0, 0)
        """Of a second in which nobody plays: servers say now and then that they are there."""

    def measure_rest(self, seconds: float) -> str:
        """Measures what servers cost to which nothing is sent."""
        begun, before = time.perf_counter(), self._now()
        time.sleep(seconds)
        took = time.perf_counter() - begun
        self._rest = Cost(*((now - was) / took for now, was in zip(self._now(), before, strict=True)))
        return f"{len(self._servers)} at rest: {self._rest.servers:.1f} + {self._rest.database:.1f} ms a second"

    def cost(self, orders: int, seed: int) -> Cost:
        """What an order costs beyond that, of so many."""
        begun, before = time.perf_counter(), self._now()
        asyncio.run(play([address_of(server) for server in self._servers], orders, seed))
        took, spent = time.perf_counter() - begun, zip(self._now(), before, self._rest, strict=True)
        return Cost(*((now - was - took * rest) / orders for now, was, rest in spent))

    @property
    def count(self) -> int:
        """How many servers there are."""
        return len(self._servers)

    def carry(self, games: int, seconds: float) -> tuple[Tally, list[float]]:
        """All that they can: what was done, and seconds of processor, those of the SHARERS."""
        return asyncio.run(run([address_of(server) for server in self._servers], games, seconds, self._meter))

    def _meter(self) -> Sequence[float]:
        named = [each / 1e3 for each in self._now()] + [time.process_time()]
        return [*named, _busy() - sum(named)]

    def _now(self) -> Cost:
        name = self._servers[0].database.partition("@/")[2].partition("?")[0]
        return Cost(_spent([server.pid for server in self._servers]), _spent(backends(self._postgres, name)))


def throughput_figures(games: int, seconds: float, turns: int) -> Iterator[str]:
    """Starts servers of its own, and lets one and two of them carry in turn all that they can."""
    found: dict[int, list[float]] = {1: [], 2: []}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        postgres = stack.enter_context(TempPostgres(is_durable=True))
        rigs = [_rig(stack, folder, postgres, count) for count in (1, 2)]
        yield f"{games} games, {2 * games} streams, {seconds:g} s a turn, {os.cpu_count()} cores"
        for turn in range(turns):
            for rig in rigs if turn % 2 else rigs[::-1]:
                tally, spent = rig.carry(games, seconds)
                found[rig.count].append(len(tally.acknowledged) / seconds)
                yield f"{rig.count} at turn {turn + 1}: {_carried(tally, spent, seconds)}"
    one, two = (statistics.fmean(found[count]) for count in (1, 2))
    yield f"acknowledged actions a second: {one:.0f} at one server, {two:.0f} at two"
    yield f"two beside one: {ratio(list(zip(found[1], found[2], strict=True)))}"


def _carried(tally: Tally, spent: Sequence[float], seconds: float) -> str:
    rates = f"{len(tally.acknowledged) / seconds:.0f} actions and {len(tally.forms) / seconds:.0f} forms a second"
    shares = ", ".join(f"{name} {each / seconds:.2f}" for name, each in zip(SHARERS, spent, strict=True))
    return f"{rates}, {times(tally.acknowledged)}; cores: {shares}"


def _busy() -> float:
    """Seconds of processor that anybody on this machine has taken since it was started."""
    told = Path("/proc/stat").read_text(encoding="ascii").split(maxsplit=9)
    user, nice, system, _, _, irq, softirq = map(int, told[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def _spent(processes: Sequence[int]) -> float:
    return 1e3 * sum(map(processor, processes))


def ratio(pairs: Sequence[tuple[float, float]]) -> str:
    """How many times the first the second is: the geometric mean of pairs, and its interval."""
    logs = [log(second / first) for first, second in pairs]
    middle = statistics.fmean(logs)
    wide = WIDE * statistics.stdev(logs) / sqrt(len(logs))
    return f"{exp(middle):.3f} ({exp(middle - wide):.3f} to {exp(middle + wide):.3f})"


def server_figures(pairs: int, orders: int) -> Iterator[str]:
    """Starts servers of its own, and measures them in turn."""
    found: list[tuple[Cost, Cost]] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        postgres = stack.enter_context(TempPostgres(is_durable=True))
        rigs = [_rig(stack, folder, postgres, count) for count in (1, 2)]
        for rig in rigs:
            rig.cost(orders, -1)  # what is read and made once
            yield rig.measure_rest(REST)
        for number in range(pairs):
            try:
                costs = {id(rig): rig.cost(orders, number) for rig in (rigs if number % 2 else rigs[::-1])}
            except KeyError:
                yield f"pair {number + 1}: left out; the machine is so busy that a server was held for dead"
                continue
            found.append((costs[id(rigs[0])], costs[id(rigs[1])]))
            yield _line(f"pair {number + 1}", found[-1])
    one, two = (statistics.fmean(pair[which].all for pair in found) for which in (0, 1))
    yield f"an order with its forms: {one:.2f} ms at one server, {two:.2f} ms at two, the database with it"
    yield f"two beside one: {ratio([(first.all, second.all) for first, second in found])}"
    yield f"the servers alone: {ratio([(first.servers, second.servers) for first, second in found])}"


def _rig(stack: ExitStack, folder: Path, postgres: TempPostgres, count: int) -> Rig:
    address = postgres.new_database()
    servers = [Served(folder / f"{count}-{number}", database=address) for number in range(count)]
    return Rig([stack.enter_context(server) for server in servers], postgres)


def _line(name: str, costs: tuple[Cost, Cost]) -> str:
    told = (f"{cost.servers:.2f} + {cost.database:.2f} ms" for cost in costs)
    return f"{name}: {' | '.join(told)}; {costs[1].all / costs[0].all:.3f}"


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="bench.servers", description=__doc__)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--orders", type=int, default=200)
    parser.add_argument("--load", action="store_true", help="what they carry, not what an order costs")
    parser.add_argument("--games", type=int, default=40, help="at once, with --load")
    parser.add_argument("--seconds", type=float, default=15, help="of each turn, with --load")
    parser.add_argument("--turns", type=int, default=4, help="of each, with --load")
    args = parser.parse_args()
    figures = (
        throughput_figures(args.games, args.seconds, args.turns)
        if args.load
        else server_figures(args.pairs, args.orders)
    )
    for line in figures:
        print(line, flush=True)


if __name__ == "__main__":
    main()
