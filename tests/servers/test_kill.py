"""Two servers behind a proxy, of which either is killed at any instant.

Nothing that was acknowledged is lost, nobody is told anything twice, and the other leads its games.
"""

from __future__ import annotations

import http.client
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

import msgspec
import pytest

from tests.server.caller import Answer
from tests.server.conftest import events
from tests.server.player import Chair, Player, new_game
from tests.servers.conftest import database_of
from tests.servers.proxy import Proxy
from tools.postgres import TempPostgres
from tools.serving import Served

KILLS = int(os.environ.get("LEUTHEN_SERVERS_KILLS", "1"))
"""How often; a hundred by `make test-postgres`."""
PLAYERS = (("link", "link"), ("link", "link"), ("link", "planner"))
"""Of each game; a machine thinks on wherever its game is led then."""
AFTER = 6
"""So many orders of each game must be acknowledged after a kill."""
REPORT = os.environ.get("LEUTHEN_SERVERS_REPORT", "")
"""A file for the number of kills, and the seconds from each to the first order acknowledged in each game after it."""


class Sent(NamedTuple):
    order: str
    n: int
    at: float


class Sender(Thread):
    """Plays both seats of a game through the proxy, whatever becomes of the servers, until it is told to stop."""

    def __init__(self, port: int, chairs: list[Chair], number: int) -> None:
        super().__init__(daemon=True)
        self.players = [Player(port, chair, number) for chair in chairs]
        self.sent: list[list[Sent]] = [[] for _ in chairs]
        self.failed: list[BaseException] = []
        self.must_stop = False
        self.ended = False

    def run(self) -> None:
        try:
            while not (self.must_stop or self.ended):
                for player, sent in zip(self.players, self.sent, strict=True):
                    self.act(player, sent)
        except BaseException as error:
            self.failed.append(error)

    def act(self, player: Player, sent: list[Sent]) -> None:
        fresh = again(lambda: player.caller.get(player.base))
        self.ended = fresh["has_ended"]
        if not any(awaited["is_yours"] for awaited in fresh["awaited"]):
            return
        order = calm(player.any_order)
        if not order:
            return
        key = f"{player.chair.seat}-{len(sent):04}"
        answer = again(lambda: player.post(order, key, fresh["n"]))
        if "n" in answer and answer.get("status") != 409:
            sent.append(Sent(order, answer["n"], monotonic()))


def again(ask: Callable[[], Answer]) -> dict[str, Any]:
    """What a request is answered at last: sent again as long as there is no server, or it says to."""
    while True:
        try:
            answer = ask()
        except (OSError, http.client.HTTPException):
            continue
        if answer.status in (200, 409):
            found: dict[str, Any] = answer.json
            return found
        assert answer.status == 503, answer


def calm(order: Callable[[], str]) -> str:
    try:
        return order()
    except (OSError, http.client.HTTPException):
        return ""


class Listener(Thread):
    """Follows a seat's stream through the proxy as a browser does: when it ends it comes back with its last number."""

    def __init__(self, port: int, chair: Chair) -> None:
        super().__init__(daemon=True)
        self.player = Player(port, chair)
        self.told: list[tuple[int, str]] = []
        self.last = 0
        self.must_stop = False

    def run(self) -> None:
        while not self.must_stop:
            try:
                ear = self.player.caller.listen(f"{self.player.base}/stream?after={self.last}")
            except (OSError, http.client.HTTPException):
                continue
            while ear._reader.is_alive() and not self.must_stop:
                ear._reader.join(0.05)
            self.take(ear.heard)
            ear.close()

    def take(self, heard: bytes) -> None:
        whole = heard[: heard.rfind(b"\n\n") + 2]
        for event, data in events(whole):
            if event in ("news", "fresh"):
                self.last = max(self.last, data["n"])
            if event == "news" and data["entries"]:
                self.told.append((data["n"], msgspec.json.encode(data["entries"]).decode()))


@pytest.fixture
def servers(tmp_path: Path, postgres: TempPostgres, address: str) -> Iterator[list[Served]]:
    with Served(tmp_path / "one", database=address) as one, Served(tmp_path / "other", database=address) as other:
        yield [one, other]


@pytest.fixture
def proxy(servers: list[Served]) -> Iterator[Proxy]:
    proxy = Proxy(lambda: [int(server.url.rpartition(":")[2]) for server in servers])
    proxy.start()
    yield proxy
    proxy.stop()


class Round(NamedTuple):
    """Games that are played while a server is killed."""

    senders: list[Sender]
    listeners: list[Listener]

    def begin(self) -> None:
        for thread in (*self.senders, *self.listeners):
            thread.start()

    def acknowledged(self) -> list[int]:
        """By game, how many orders."""
        return [sum(map(len, sender.sent)) for sender in self.senders]

    def wait_for(self, goals: Sequence[int]) -> None:
        """Until so many orders of each game were acknowledged, or the game has ended."""
        while any(n < goal for n, goal in zip(self.acknowledged(), goals, strict=True)):
            for sender in self.senders:
                assert not sender.failed, sender.failed
                sender.join(0.02)
            if all(sender.ended for sender in self.senders):
                return

    def end(self) -> None:
        for sender in self.senders:
            sender.must_stop = True
            sender.join()
        for listener in self.listeners:
            listener.must_stop = True
            listener.join()


def new_round(port: int, number: int) -> Round:
    games = [new_game(port, *players) for players in PLAYERS]
    senders = [Sender(port, chairs, 10 * number + n) for n, chairs in enumerate(games)]
    return Round(senders, [Listener(port, chair) for chairs in games for chair in chairs])


def test_either_may_be_killed_at_any_instant(
    servers: list[Served], proxy: Proxy, postgres: TempPostgres, address: str
) -> None:
    waits: list[float] = []
    for number in range(KILLS):
        rng, played = Random(number), new_round(proxy.port, number)
        played.begin()
        played.wait_for([rng.randrange(12)] * len(PLAYERS))
        for _ in range(rng.randrange(100_000)):
            pass
        servers[number % 2].kill()
        killed = monotonic()
        played.wait_for([n + AFTER for n in played.acknowledged()])
        servers[number % 2].start()
        played.end()
        for sender in played.senders:
            check(sender, played.listeners, postgres, database_of(address))
            waits += [min((s.at - killed for sent in sender.sent for s in sent if s.at > killed), default=0.0)]
        if REPORT:
            Path(REPORT).write_bytes(msgspec.json.encode([number + 1, sorted(waits)]))


def check(sender: Sender, listeners: list[Listener], postgres: TempPostgres, name: str) -> None:
    """Each order that was acknowledged stands in the record as often as it was, and each number was told once."""
    for player, sent in zip(sender.players, sender.sent, strict=True):
        assert not sender.failed
        side = ("prussia", "austria")[player.chair.side]
        query = (
            "SELECT actions.text FROM actions JOIN seats ON seats.game = actions.game"
            f" WHERE seats.id = '{player.chair.seat}' AND actor = '{side}'"
        )
        lines, orders = Counter(postgres.ask(name, query)), Counter(one.order for one in sent)
        assert all(lines[order] >= times for order, times in orders.items()), orders - lines
        assert [one.n for one in sent] == sorted(one.n for one in sent)
        keys = postgres.ask(name, f"SELECT count(*) FROM answers WHERE seat = '{player.chair.seat}'")
        assert int(keys[0]) >= len(sent)
        heard = next(one for one in listeners if one.player.chair == player.chair).told
        assert len({n for n, _ in heard}) == len(heard), "a number was told twice"
        player.close()
