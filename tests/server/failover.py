"""A server and a standby that are killed, stopped or cut off from their database while orders come in.

In all cases, no acknowledged order is lost or sent twice, only the holder of the lock writes, and streams reconnect.
"""

import http.client
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

import msgspec

from tests.server.conftest import events
from tests.server.harness import Answer, Player, SeatKey, StreamClient, create_seats
from tools.postgres import TempPostgres
from tools.serving import Served

PLAYERS = (("link", "link"), ("link", "link"), ("link", "random"))
AFTER = 4
TIMEOUT = 600
PAUSE = 0.05
LOST = (OSError, http.client.HTTPException)
CUT = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
WRITERS = """CREATE TABLE writers (number SERIAL PRIMARY KEY, pid INTEGER);
    CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()) THEN
            RAISE EXCEPTION 'written without the lock';
        END IF;
        INSERT INTO writers (pid) VALUES (pg_backend_pid()); RETURN NEW; END $$;
    CREATE TRIGGER note_writer BEFORE INSERT ON actions FOR EACH ROW EXECUTE FUNCTION note_writer()"""


class Sent(NamedTuple):
    order: str
    n: int
    at: float


class Seat:
    def __init__(self, ports: Sequence[int], seat_key: SeatKey, number: int = 0) -> None:
        self.seat_key = seat_key
        self._players = [Player(port, seat_key, number) for port in ports]
        self._now = 0

    @property
    def player(self) -> Player:
        return self._players[self._now]

    def switch_server(self) -> None:
        self._now = 1 - self._now
        sleep(PAUSE)

    def ask(self, request: Callable[[Player], Answer]) -> dict[str, Any]:
        while True:
            try:
                answer = request(self.player)
            except LOST:
                self.switch_server()
                continue
            if answer.status in (200, 409):
                found: dict[str, Any] = answer.json
                return found
            assert answer.status == 503, answer
            assert dict(answer.headers)["retry-after"]
            self.switch_server()

    def close(self) -> None:
        for player in self._players:
            player.close()


class Sender(Thread):
    def __init__(self, ports: Sequence[int], seat_keys: Sequence[SeatKey], number: int) -> None:
        super().__init__(daemon=True)
        self.seats = [Seat(ports, seat_key, number) for seat_key in seat_keys]
        self.sent: list[list[Sent]] = [[] for _ in seat_keys]
        self.failed: list[BaseException] = []
        self.must_stop = False
        self.has_ended = False

    def run(self) -> None:
        try:
            while not (self.must_stop or self.has_ended):
                for seat, sent in zip(self.seats, self.sent, strict=True):
                    self._act(seat, sent)
        except BaseException as error:
            self.failed.append(error)

    def _act(self, seat: Seat, sent: list[Sent]) -> None:
        snapshot = seat.ask(lambda player: player.caller.get(player.base))
        self.has_ended = snapshot["has_ended"]
        if not any(awaited["is_yours"] for awaited in snapshot["awaited"]):
            return
        try:
            order = seat.player.random_order()
        except LOST:
            order = ""
        if not order:
            seat.switch_server()
            return
        key = f"{seat.seat_key.seat}-{len(sent):04}"
        answer = seat.ask(lambda player: player.post(order, key, snapshot["n"]))
        if answer.get("status") != 409:
            sent.append(Sent(order, answer["n"], monotonic()))


class Listener(Thread):
    def __init__(self, ports: Sequence[int], seat_key: SeatKey) -> None:
        super().__init__(daemon=True)
        self.seat = Seat(ports, seat_key)
        self.updates: list[tuple[int, str]] = []
        self.opened: list[float] = []
        self.must_stop = False
        self._stream: StreamClient | None = None
        self._last = 0

    def run(self) -> None:
        while not self.must_stop:
            player = self.seat.player
            try:
                stream = player.caller.subscribe(f"{player.base}/stream?after={self._last}")
            except LOST:
                self.seat.switch_server()
                continue
            while stream._reader.is_alive() and not self.must_stop:
                if stream.received and (not self.opened or stream is not self._stream):
                    self._stream = stream
                    self.opened.append(monotonic())
                stream._reader.join(0.02)
            self._take(stream.received)
            stream.close()
            self.seat.switch_server()

    def _take(self, received: bytes) -> None:
        if not received.startswith((b"retry", b"event")):
            return  # the standby's response
        for event, data in events(received[: received.rfind(b"\n\n") + 2]):
            if event in ("news", "fresh"):
                self._last = max(self._last, data["n"])
            if event == "news" and data["entries"]:
                self.updates.append((data["n"], msgspec.json.encode(data["entries"]).decode()))


class Round(NamedTuple):
    senders: list[Sender]
    listeners: list[Listener]

    def start(self) -> None:
        for thread in (*self.senders, *self.listeners):
            thread.start()

    def acknowledged(self) -> list[int]:
        return [sum(map(len, sender.sent)) for sender in self.senders]

    def wait_for(self, goals: Sequence[int]) -> None:
        end = monotonic() + TIMEOUT
        while any(
            n < goal and not sender.has_ended
            for n, goal, sender in zip(self.acknowledged(), goals, self.senders, strict=True)
        ):
            for sender in self.senders:
                assert not sender.failed, sender.failed
            assert monotonic() < end, f"a game does not continue: {self.acknowledged()}, {goals}"
            sleep(0.02)

    def end(self) -> None:
        for sender in self.senders:
            sender.must_stop = True
        for listener in self.listeners:
            listener.must_stop = True
        for thread in (*self.senders, *self.listeners):
            thread.join()


class Figures(NamedTuple):
    servers: list[float]
    orders: list[float]
    streams: list[float]


class Rig:
    def __init__(self, folder: Path, postgres: TempPostgres | None = None) -> None:
        self.postgres = postgres
        self.folder = folder
        self.database = postgres.new_database() if postgres else ""
        self.name = postgres.name_of(self.database) if postgres else ""
        self.servers = [Served(folder, "--standby", database=self.database) for _ in range(2)]
        self.figures = Figures([], [], [])

    @property
    def ports(self) -> list[int]:
        return [int(server.url.rpartition(":")[2]) for server in self.servers if server.url]

    def health(self, port: int) -> str:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            line.request("GET", "/healthz")
            found: str = msgspec.json.decode(line.getresponse().read()).get("status", "")
        except (*LOST, msgspec.MsgspecError):
            return ""
        finally:
            line.close()
        return found

    def wait_for_first(self) -> int:
        end = monotonic() + TIMEOUT
        while monotonic() < end:
            for number, port in enumerate(self.ports):
                if self.health(port) == "ok":
                    return number
            sleep(0.01)
        raise AssertionError("no server has the games")

    def play(self, number: int, event: Callable[[int], float]) -> None:
        rng, ports, first = Random(number), self.ports, self.wait_for_first()
        ordered = ports if first == 0 else ports[::-1]
        games = [create_seats(ports[first], *players) for players in PLAYERS]
        played = Round(
            [Sender(ordered, seat_keys, 10 * number + n) for n, seat_keys in enumerate(games)],
            [Listener(ordered, seat_key) for seat_keys in games for seat_key in seat_keys],
        )
        played.start()
        played.wait_for([rng.randrange(8)] * len(PLAYERS))
        sleep(rng.random() * 0.2)
        at = event(first)
        now = self.wait_for_first()
        self.figures.servers.append(monotonic() - at)
        if not self.servers[first].is_running:
            assert now != first
            self.servers[first].kill()
            self.servers[first].start()
        played.wait_for([n + AFTER for n in played.acknowledged()])
        played.end()
        for sender in played.senders:
            assert not sender.failed, sender.failed
            after = [sent.at for each in sender.sent for sent in each if sent.at > at]
            self.figures.orders.extend([min(after) - at] if after else [])
            self._check(sender, played.listeners)
        for listener in played.listeners:
            back = [opened for opened in listener.opened if opened > at]
            self.figures.streams.extend([min(back) - at] if back else [])

    def kill(self, first: int) -> float:
        at = monotonic()
        os.kill(self.servers[first].pid, signal.SIGKILL)
        return at

    def stop(self, first: int, seconds: float) -> float:
        os.kill(self.servers[first].pid, signal.SIGSTOP)
        end = monotonic() + seconds
        while monotonic() < end:
            assert self.health(self.ports[1 - first]) == "standby", "the lock is held by a stopped server"
            sleep(0.1)
        at = monotonic()
        os.kill(self.servers[first].pid, signal.SIGCONT)
        assert self.wait_for_first() == first
        return at

    def cut(self, _: int) -> float:
        assert self.postgres is not None
        at = monotonic()
        assert self.postgres.ask(self.name, CUT) == ["t"]
        return at

    def ask(self, query: str) -> list[str]:
        if self.postgres is not None:
            return self.postgres.ask(self.name, query)
        with closing(sqlite3.connect(f"file:{self.folder / 'leuthen.db'}?mode=ro", uri=True)) as raw:
            return [str(value) for (value,) in raw.execute(query)]

    def check_writers(self) -> int:
        pids = self.ask("SELECT pid FROM writers ORDER BY number")
        turns = [pid for pid, before in zip(pids, ["", *pids], strict=False) if pid != before]
        assert len(turns) == len(set(turns)), "a connection wrote after another one had the lock"
        return len(turns)

    def _check(self, sender: Sender, listeners: Sequence[Listener]) -> None:
        for seat, sent in zip(sender.seats, sender.sent, strict=True):
            side = ("prussia", "austria")[seat.seat_key.side]
            query = (
                "SELECT actions.text FROM actions JOIN seats ON seats.game = actions.game"
                f" WHERE seats.id = '{seat.seat_key.seat}' AND actor = '{side}'"
            )
            lines, orders = Counter(self.ask(query)), Counter(one.order for one in sent)
            assert all(lines[order] >= times for order, times in orders.items()), orders - lines
            assert [one.n for one in sent] == sorted(one.n for one in sent)
            keys = self.ask(f"SELECT count(*) FROM answers WHERE seat = '{seat.seat_key.seat}'")
            assert len(sent) <= int(keys[0]) <= len(sent) + 1
            received = next(one for one in listeners if one.seat.seat_key == seat.seat_key).updates
            assert len({n for n, _ in received}) == len(received), "a number was sent twice"
            seat.close()


@contextmanager
def rig(*, on_postgres: bool) -> Iterator[Rig]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="leuthen-failover-")))
        postgres = stack.enter_context(TempPostgres(is_durable=True)) if on_postgres else None
        found = Rig(folder / "games", postgres)
        stack.enter_context(found.servers[0])
        if postgres is not None:
            found.wait_for_first()
            postgres.ask(found.name, WRITERS)
        stack.enter_context(found.servers[1])
        yield found
