import http.client
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import NamedTuple

import pytest

from tests.prove.sample import commit_seed
from tests.server.harness import Player, SeatKey, create_seats
from tools.serving import Served

KILLS = int(os.environ.get("LEUTHEN_SERVER_KILLS", "2"))
BEGIN = int(os.environ.get("LEUTHEN_FIRST_KILL", str(commit_seed()[0])))
MOST = 12
AT_ONCE = 6
SPINS = 100_000
UNDONE = 0.15
STALE = 409


class Sent(NamedTuple):
    seat_key: SeatKey
    key: str
    what: str
    seen: int
    n: int

    @property
    def is_undo(self) -> bool:
        return self.what == "undo"


class Sender(Thread):
    def __init__(self, port: int, seat_keys: list[SeatKey], number: int) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.seat_keys = seat_keys
        self.number = number
        self.rng = Random(number)
        self.sent: list[Sent] = []
        self.goal = self.rng.randrange(MOST)
        self.has_goal = Event()

    def run(self) -> None:
        players = [Player(self.port, seat_key, self.number) for seat_key in self.seat_keys]
        try:
            for player in cycle(players):
                if not self.act(player):
                    return
        except (OSError, http.client.HTTPException):
            pass  # killed
        finally:
            self.has_goal.set()
            for player in players:
                player.close()

    def act(self, player: Player) -> bool:
        snapshot = player.snapshot()
        if not any(awaited["is_yours"] for awaited in snapshot["awaited"]):
            return not snapshot["has_ended"]
        is_undo = snapshot["can_undo"] and self.rng.random() < UNDONE
        what = "undo" if is_undo else player.random_order()
        if what:
            self.send(player, what, snapshot["n"])
        return True

    def send(self, player: Player, what: str, seen: int) -> None:
        sent = Sent(player.seat_key, f"kill-{self.number:03}-{len(self.sent):04}", what, seen, -1)
        self.sent.append(sent)
        answer = player.move("undo", sent.key, seen) if sent.is_undo else player.post(what, sent.key, seen)
        assert answer.status < 300 or answer.status == STALE, answer.body
        if answer.status == STALE:
            self.sent.pop()  # the bot has sealed its set-up meanwhile
        else:
            self.sent[-1] = sent._replace(n=answer.json["n"])
        if len(self.sent) >= self.goal:
            self.has_goal.set()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "data") as server:
        yield server


def port_of(server: Served) -> int:
    return int(server.url.rpartition(":")[2])


def database(server: Served) -> Path:
    return next(server.folder.rglob("*.db"))


def record_lines(server: Served, player: Player) -> list[str]:
    name = ("prussia", "austria")[player.seat_key.side]
    with closing(sqlite3.connect(f"file:{database(server)}?mode=ro", uri=True)) as connection:
        query = "SELECT text FROM actions WHERE game = ? AND actor = ? ORDER BY number"
        return [text for (text,) in connection.execute(query, (player.snapshot()["game"], name))]


def test_a_killed_server_loses_no_acknowledged_order(served: Served) -> None:
    port = port_of(served)
    for number in range(BEGIN, BEGIN + KILLS):
        games = [
            create_seats(port, "link", "link"),
            create_seats(port, *(("link", "captain"), ("random", "link"))[number % 2]),
        ]
        senders = [Sender(port, seat_keys, 2 * number + n) for n, seat_keys in enumerate(games)]
        for sender in senders:
            sender.start()
        senders[number % 2].has_goal.wait()
        for _ in range(senders[0].rng.randrange(SPINS)):
            pass
        served.kill()
        for sender in senders:
            sender.join()
        served.start()
        for sender in senders:
            check_sender(served, sender)


def check_sender(server: Served, sender: Sender) -> None:
    for seat_key in sender.seat_keys:
        with closing(Player(port_of(server), seat_key, sender.number)) as player:
            mine = [sent for sent in sender.sent if sent.seat_key == seat_key]
            for sent in mine[-3:]:
                repeat_request(server, player, sent)
            lines, orders = record_lines(server, player), [sent.what for sent in mine if sent.n >= 0]
            for order in set(orders):
                assert lines.count(order) >= orders.count(order), order
            continue_game(player)


def repeat_request(server: Served, player: Player, sent: Sent) -> None:
    before = record_lines(server, player)
    answers, lines = [], []
    for _ in range(2):
        if sent.is_undo:
            answers.append(player.move("undo", sent.key, sent.seen))
        else:
            answers.append(player.post(sent.what, sent.key, sent.seen))
        lines.append(record_lines(server, player))
    if sent.n >= 0:
        assert [answer.json["n"] for answer in answers] == [sent.n, sent.n]
        assert lines == [before, before]
    else:
        assert answers[0] == answers[1]
        assert answers[0].status < 300 or answers[0].status == STALE, answers[0].body
        assert lines[0] == lines[1]


def continue_game(player: Player) -> None:
    snapshot = player.snapshot()
    if snapshot["has_ended"]:
        return
    if not any(awaited["is_yours"] for awaited in snapshot["awaited"]):
        machines = {line["side"] for line in snapshot["seats"] if line["who"] in ("captain", "random")}
        if not any(awaited["side"] in machines for awaited in snapshot["awaited"]):
            return
        stream = player.caller.subscribe(f"{player.base}/stream?after={snapshot['n']}")
        stream.wait_for(b'"is_yours":true')
        stream.close()
    snapshot = player.snapshot()
    if order := player.random_order():
        answer = player.post(order, f"on-{player.rng.getrandbits(64):016x}", snapshot["n"])
        assert answer.status < 300 or answer.status == STALE, answer.body


def test_a_server_stopped_under_load_answers_every_order(served: Served) -> None:
    port = port_of(served)
    senders = [Sender(port, create_seats(port, "link", "link"), BEGIN + number) for number in range(AT_ONCE)]
    for sender in senders:
        sender.start()
    for sender in senders:
        assert sender.has_goal.wait(120)
    assert served.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
    for sender in senders:
        sender.join(60)
    answered = {(one.seat_key.seat, one.key) for sender in senders for one in sender.sent if one.n >= 0}
    with closing(sqlite3.connect(f"file:{database(served)}?mode=ro", uri=True)) as connection:
        assert set(connection.execute("SELECT seat, key FROM answers")) == answered
    assert len(answered) >= sum(sender.goal for sender in senders)
