import gc
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from leuthen.server.http.serve import address_of, spare
from leuthen.storage.postgres import Postgres
from tests.rows import rows
from tests.server.conftest import GameClients, NewServer, events, new_key, start_game
from tests.server.failover import CUT, LOST, rig
from tests.server.harness import DATABASES, Answer, HttpClient
from tests.server.test_limits import is_alive
from tools.postgres import TempPostgres
from tools.serving import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "games", "--log") as served:
        yield served


def port_of(served: Served) -> int:
    return int(served.url.rpartition(":")[2])


def leuthen(*argv: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "leuthen", *argv]
    quiet = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env = {"PYTHONWARNINGS": "always::ResourceWarning", **quiet, **env}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)
    assert "ResourceWarning" not in done.stderr
    return done


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
def test_a_server_stops_at_once_with_open_streams(served: Served, with_signal: signal.Signals) -> None:
    caller = HttpClient(port_of(served))
    made = caller.post("/api/games", {"players": ["me", "me"]}).json
    streams = [caller.subscribe(f"/api/seats/{seat['seat']}/stream?after=0") for seat in made["seats"]]
    for stream in streams:
        stream.wait_for(b"event: news")
    code = served.stop(with_signal)
    assert code in (0, -with_signal)
    for stream in streams:
        stream._reader.join(10)
        stream.close()
    caller.close()


def children_of(process: int) -> list[int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return [int(child) for child, parent in map(str.split, listed.splitlines()) if int(parent) == process]


def test_a_stopping_server_ends_its_stopped_workers(served: Served) -> None:
    caller = HttpClient(port_of(served))
    made = caller.post("/api/games", {"players": ["me", "me"]}).json
    assert caller.get(f"/api/seats/{made['seats'][0]['seat']}/left").status == 200, "a worker process computes this"
    workers = children_of(served.pid)
    assert workers
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    caller.close()
    served.stop(signal.SIGTERM)
    assert not any(map(is_alive, workers))


def test_a_second_server_names_the_address_of_the_first(served: Served, tmp_path: Path) -> None:
    folder = str(tmp_path / "games")
    second = leuthen("serve", "--port", "0", "--data-dir", folder)
    assert second.returncode == 2
    assert f"another Leuthen server already runs these games at {served.url}/" in second.stderr
    opened = leuthen("serve", "--open", "--port", "0", "--data-dir", folder)
    assert opened.returncode == 0
    assert f"The table is at {served.url}/. It was already running." in opened.stdout


def test_an_occupied_port_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = leuthen("serve", "--port", port, LEUTHEN_DATA=str(tmp_path))
    assert result.returncode == 2
    assert f"cannot listen at 127.0.0.1, port {port}" in result.stderr
    assert (tmp_path / "served").exists(), "the environment named the folder"


@pytest.mark.parametrize(("port", "file", "message"), rows("serve-wrong-settings"))
def test_a_wrong_setting_is_reported(port: str, file: str, message: str, tmp_path: Path) -> None:
    if file:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("no database at all, and long enough to be read as one" * 10)
    result = leuthen("serve", "--port", port, "--data-dir", str(tmp_path / "games"))
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_the_printed_address_can_be_opened() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert address_of(listening, "0.0.0.0") == f"http://localhost:{port}/"
        assert address_of(listening, "::1") == f"http://[::1]:{port}/"


def test_objects_that_outlive_a_collection_are_frozen() -> None:
    gc.unfreeze()
    gc.callbacks.append(spare)
    try:
        gc.collect(1)
        assert gc.get_freeze_count() == 0, "young objects are not frozen"
        gc.collect()
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.callbacks.remove(spare)
        gc.unfreeze()


def test_a_stopping_server_answers_and_sets_reconnect_times(
    after_bids: GameClients, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, prussia, has_begun, may_continue = after_bids.server, after_bids.prussia, Event(), Event()
    streams, write = [client.subscribe() for client in after_bids.clients], server.store._commit

    def commit(batch: Any) -> Any:
        has_begun.set()
        may_continue.wait(60)
        return write(batch)

    async def finish() -> None:
        is_waiting.set()
        await wait_for_tasks()

    is_waiting, wait_for_tasks = Event(), server._server._wait_tasks_to_complete
    monkeypatch.setattr(server._server, "_wait_tasks_to_complete", finish)
    monkeypatch.setattr(server.store, "_commit", commit)
    seen, answers = prussia.n, list[Answer]()
    giving = Thread(target=lambda: answers.append(prussia.move("resign", seen=seen)))
    giving.start()
    has_begun.wait(60)
    server._server.should_exit = True
    waits = {
        int(sentence.split(b'"wait":')[1].split(b"}")[0])
        for stream in streams
        for sentence in [stream.wait_for(b"again")]
    }
    assert is_waiting.wait(30)
    may_continue.set()
    giving.join(60)
    assert answers[0].status == 200, answers
    assert len(waits) == 3, "the clients reconnect at different times"


REQUESTS = (
    ("GET", "/"),
    ("GET", "/api/home"),
    ("POST", "/api/games"),
    ("PUT", "/api/seats/some/notes"),
    ("DELETE", "/x"),
)


def test_a_standby_refuses_requests_until_it_takes_over() -> None:
    with rig(on_postgres=False) as pair:
        first = pair.wait_for_first()
        standby = pair.ports[1 - first]
        caller = HttpClient(standby)
        for method, path in REQUESTS:
            answer = caller.ask(method, path)
            assert (answer.status, answer.json["title"]) == (503, "Server on standby"), (method, path)
            headers = dict(answer.headers)
            assert headers["retry-after"] == "1"
            assert headers["x-content-type-options"] == "nosniff"
        health = caller.get("/healthz")
        assert (health.status, health.json) == (503, {"status": "standby"})
        caller.close()
        words = ("serve", "--port", "0", "--data-dir", str(pair.folder))
        third = subprocess.run([sys.executable, "-m", "leuthen", *words], capture_output=True, text=True, timeout=60)
        assert third.returncode == 2
        assert f"another Leuthen server already runs these games at {pair.servers[first].url}/" in third.stderr
        pair.play(1, pair.kill)
        assert pair.health(standby) == "ok"
        assert max(pair.figures.servers) < 60


def test_a_server_without_its_lock_refuses_orders(
    new_server: NewServer, tmp_path: Path, postgres: TempPostgres, address: str
) -> None:
    DATABASES[tmp_path / "games"] = Postgres(address)
    server = new_server()
    game, key = start_game(server), new_key()
    game.prussia.orders("bid 1")
    streams, seen = [client.subscribe() for client in game.clients], game.austria.n
    for stream in streams:
        stream.wait_for(b"event: fresh")
    postgres.ask(postgres.name_of(address), CUT)
    try:
        refused = game.austria.order("bid 2", seen, key)
        assert refused.status == 503
        assert dict(refused.headers)["retry-after"]
    except LOST:
        pass  # the server has already stopped
    server.join(30)
    assert not server.is_alive()
    for stream in streams:
        stream._reader.join(30)
        assert events(stream.received)[-1][0] == "again"
    assert postgres.ask(postgres.name_of(address), "SELECT text FROM actions ORDER BY number") == ["bid 1"]
