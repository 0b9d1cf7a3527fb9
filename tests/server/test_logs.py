import asyncio
import http.client
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import platformdirs
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.server.http.logs import (
    REQUESTS,
    Json,
    LogLimiter,
    Metrics,
    Plain,
    RequestLog,
    is_always_logged,
    kind_of,
)
from leuthen.server.session.limits import FairScheduler, address_now
from leuthen.storage.rows import GamesTaken
from leuthen.storage.sqlite import FolderLock, back_up, open_engine, restore
from leuthen.storage.store import Store
from tests.rows import rows
from tests.server.conftest import GameClients, NewServer, SeatClient, create_game, new_caller
from tests.server.harness import HttpClient, TestServer, free_port, wait_until
from tests.server.test_interface import BOT
from tests.server.test_limits import Clock, Turn, settle
from tools.serving import Served

SECRETS = "march Keith 1632-1633", "the-secret-of-a-seat"


def ask(log: RequestLog, path: str, client: str = "192.0.2.7") -> None:

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(_: Any) -> None:
        return

    scope: Any = {"type": "http", "method": "GET", "path": path, "client": (client, 1)}
    logged: Any = log(scope, receive, send)
    asyncio.run(logged)


def app_with(status: int) -> Any:

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": status})

    return app


@pytest.mark.parametrize(("method", "path", "status", "is_logged"), rows("logs-who-comes-in"))
def test_sign_ins_and_refusals_are_always_logged(method: str, path: str, status: int, is_logged: bool) -> None:
    assert is_always_logged(method, path, status) is is_logged


def test_a_path_cannot_forge_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, REQUESTS.name)
    ask(RequestLog(app_with(404)), "/x\n2026-01-01 INFO forged\x1b[2J")
    assert caplog.messages[0].startswith("GET /x%0A2026-01-01%20INFO%20forged%1B%5B2J 404")


def test_repeated_refusals_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, REQUESTS.name)
    clock = Clock()
    log = RequestLog(app_with(429), LogLimiter(clock))
    for number in range(50):
        ask(log, f"/api/home/{number}")
    assert len(caplog.messages) == 1, "whatever the path"
    ask(RequestLog(app_with(403), log._sparing), "/api/home")
    assert len(caplog.messages) == 2
    clock.now = 60
    ask(log, "/api/home")
    assert caplog.messages[-1].endswith(" from 192.0.2.7 (49 like it before)")
    for number in range(500):
        ask(log, "/api/home", f"198.51.{number // 250}.{number % 250}")
    assert len(caplog.messages) <= 203


def record_of(name: str, message: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, "", 0, message, args, None)


def test_an_error_caused_by_a_stranger_is_logged_once_a_minute() -> None:
    clock, written = Clock(), list[str]()
    quiet = LogLimiter(clock)

    def log(name: str, message: str, *args: object) -> None:
        record = record_of(name, message, *args)
        if quiet.passes(record):
            written.append(record.getMessage())

    address_now.set("")  # another test may have left its own
    for _ in range(5):
        log("uvicorn.error", "Invalid HTTP request received.")
        log("leuthen.server.session.registry", "the game %s cannot be shown", "x")
    assert len(written) == 1 + 5
    written.clear()
    address_now.set("203.0.113.7")
    for game in ("x", "y", "z"):
        log("leuthen.server.session.registry", "the game %s cannot be shown", game)
    address_now.set("203.0.113.8")
    log("leuthen.server.session.registry", "the game %s cannot be shown", "w")
    clock.now = 61
    address_now.set("203.0.113.7")
    log("leuthen.server.session.registry", "the game %s cannot be shown", "v")
    address_now.set("")
    line = "the game {} cannot be shown"
    assert written == [line.format("x"), line.format("w"), line.format("v") + " (2 like it before)"]


def test_the_memory_of_the_log_limiter_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.http.logs.MOST", 10)
    sparing = LogLimiter(Clock())
    for number in range(100):
        sparing.omitted_before("kind", str(number))
    assert len(sparing._written) <= 10


def test_log_times_are_in_utc() -> None:
    record = logging.LogRecord("x", logging.WARNING, "", 0, "a fault", (), None)
    record.created = 1_700_000_000.0
    assert Plain().format(record) == "2023-11-14T22:13:20Z WARNING a fault"


def log_record_of_error() -> logging.LogRecord:
    try:
        try:
            raise Invalid(SECRETS[0])
        except Invalid as error:
            raise KeyError(SECRETS[1]) from error
    except KeyError:
        return logging.LogRecord("leuthen.x", logging.ERROR, "", 0, "a request failed", (), sys.exc_info())


@pytest.mark.parametrize("formatter", [Plain(), Json()])
def test_a_logged_error_names_its_place_but_no_secret(formatter: logging.Formatter) -> None:
    line = formatter.format(log_record_of_error())
    for word in ("a request failed", "Invalid", "KeyError", "test_logs.py"):
        assert word in line
    for secret in SECRETS:
        assert secret not in line


def test_a_logged_system_error_keeps_its_message() -> None:
    record = logging.LogRecord("x", logging.ERROR, "", 0, "no", (), (OSError, OSError(28, "No space left"), None))
    assert "No space left" in Plain().format(record)


def test_a_request_is_logged_as_json(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, REQUESTS.name)
    ask(RequestLog(app_with(404)), '/x\n"forged')
    ask(RequestLog(app_with(404)), "/api/take")
    first, second = (msgspec.json.decode(Json().format(record)) for record in caplog.records)
    assert (first["method"], first["path"], first["status"]) == ("GET", "/x%0A%22forged", 404)
    assert "from" not in first
    assert (second["from"], second["level"], second["logger"]) == ("192.0.2.7", "WARNING", "leuthen.requests")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first["time"])


def test_a_database_error_contains_no_values(tmp_path: Any) -> None:
    engine = open_engine(tmp_path, to_write=True)
    with engine.connect() as connection, pytest.raises(DBAPIError) as error:
        connection.execute(text("INSERT INTO nowhere VALUES (:order)"), {"order": "a secret march"})
    engine.dispose()
    assert "a secret march" not in str(error.value)


def fetch(port: int, path: str = "/metrics", **headers: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, body


def metrics_in(text: str) -> dict[str, float]:
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Served, int]]:
    port = free_port()
    with Served(tmp_path / "games", "--metrics", str(port)) as server:
        yield server, port


def test_metrics_count_requests_without_naming_anyone(served: tuple[Served, int]) -> None:
    server, port = served
    caller = HttpClient(int(server.url.rpartition(":")[2]))
    made = caller.post("/api/games", {"players": ["me", "me"], "title": "a-title-of-mine"}).json
    seat = made["seats"][0]["seat"]
    stream = caller.subscribe(f"/api/seats/{seat}/stream")
    stream.wait_for(b"event: fresh")
    order = {"seen": 0, "key": "request-00000001", "order": "nonsense"}
    assert caller.post(f"/api/seats/{seat}/orders", order).status == 400
    status, text = fetch(port)
    found = metrics_in(text)
    assert status == 200
    assert found["leuthen_requests_total games 201"] == 1
    assert found["leuthen_requests_total orders 400"] == 1
    assert found["leuthen_request_seconds_count orders"] == 1
    assert found["leuthen_streams"] == 1
    assert found["leuthen_games_in_memory"] == 1
    assert found["leuthen_games_bytes"] > 100_000
    assert found["leuthen_slow_work replaying"] == 0
    assert found["leuthen_disk_free_bytes"] > found["leuthen_database_bytes"] > 0
    assert found["process_open_fds"] > 5
    for secret in (seat, made["game"], "a-title-of-mine", *caller.cookies.values(), "127.0.0.1"):
        assert secret not in text
    stream.close()
    caller.close()


@pytest.mark.parametrize(
    "headers",
    [{}, {"X_Forwarded_For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}, {"X_Original_URL": "/metrics"}],
)
def test_the_game_port_does_not_serve_metrics(served: tuple[Served, int], headers: dict[str, str]) -> None:
    server, _ = served
    port = int(server.url.rpartition(":")[2])
    for path in ("/metrics", "/metrics/", "//metrics", "/api/../metrics", "/schema/../metrics"):
        status, text = fetch(port, path, **headers)
        assert status == 404, path
        assert "leuthen_" not in text


def test_the_change_counter_counts_accepted_changes(after_bids: GameClients) -> None:
    registry = after_bids.server.registry
    before = registry.changes
    assert before >= 2, "both players have bid"
    assert after_bids.prussia.order("nonsense").status == 400
    assert registry.changes == before
    assert after_bids.prussia.move("resign").status == 200
    assert registry.changes == before + 1


def test_a_request_kind_contains_no_secret() -> None:
    assert kind_of("/api/seats/a-secret-name") == "seats"
    assert kind_of("/api/seats/a-secret-name/orders") == "orders"
    assert kind_of("/api/seats/a-secret-name/devices/3") == "devices"
    assert kind_of("/a-secret-name") == "other"


def test_an_occupied_metrics_address_is_reported(after_bids: GameClients) -> None:
    server = after_bids.server
    metrics = Metrics(server.registry, server.drivers, server.store.database.folder)
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(Invalid, match="cannot serve metrics at"),
        metrics.serve_metrics("127.0.0.1", taken.getsockname()[1]),
    ):
        pass


SERVICE = 54321


def lines_of(server: TestServer, game: str) -> int:
    return len(server.session(game).history.record)


def test_a_game_of_bots_runs_only_while_watched(new_server: NewServer) -> None:
    server = new_server()
    caller, made = create_game(server, ("random", "random"), "3")
    game = made["game"]
    time.sleep(0.2)
    assert lines_of(server, game) == 0
    assert server.drivers.count == 0
    seat = caller.get("/api/home").json["games"][0]["seats"][2]["seat"]
    SeatClient(caller, seat, 2).subscribe(0).wait_for(b'"result"')
    assert lines_of(server, game) > 3


def test_a_game_of_bots_pauses_when_the_last_spectator_leaves(
    new_server: NewServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = new_server()
    caller, made = create_game(server, ("random", "random"), "3")
    seat = caller.get("/api/home").json["games"][0]["seats"][2]["seat"]
    think = server.drivers.think

    async def slowly(*asked: Any, **more: Any) -> Any:
        await asyncio.sleep(0.3)
        return await think(*asked, **more)

    monkeypatch.setattr(server.drivers, "think", slowly)
    stream = SeatClient(caller, seat, 2).subscribe(0)
    wait_until(lambda: lines_of(server, made["game"]) > 0)
    stream.close()
    wait_until(lambda: server.drivers.count == 0)
    assert server.session(made["game"]).history.outcome is None


def test_a_restart_does_not_resume_games_of_bots(new_server: NewServer) -> None:
    _caller, made = create_game(new_server(), ("random", "random"), "3")
    server = new_server()
    assert new_caller(server.port).get("/healthz").status == 200
    time.sleep(0.2)
    assert made["game"] not in server.registry.sessions


async def test_games_of_bots_rank_behind_games_with_people() -> None:
    fair = FairScheduler(2)
    order = list[str]()

    async def think(game: str, *, is_behind: bool) -> None:
        async with fair.turn(game, is_behind=is_behind):
            order.append(game)

    held = Turn(fair, "held"), Turn(fair, "held too")
    await settle()
    waiting = [asyncio.ensure_future(think(f"show {n}", is_behind=True)) for n in range(3)]
    await settle()
    waiting.append(asyncio.ensure_future(think("person", is_behind=False)))
    await settle()
    for turn in held:
        await turn.end()
    await asyncio.gather(*waiting)
    assert order[0] == "person"


async def test_games_of_bots_leave_a_place_free() -> None:
    fair, end = FairScheduler(2), asyncio.Event()

    async def show(number: int) -> None:
        async with fair.turn(f"show {number}", is_behind=True):
            await end.wait()

    shows = [asyncio.ensure_future(show(number)) for number in range(4)]
    await settle()
    person = Turn(fair, "person")
    await settle()
    assert person.has_begun
    await person.end()
    end.set()
    await asyncio.gather(*shows)


def test_a_server_starts_even_if_its_address_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    lock = FolderLock(tmp_path / "games", "http://127.0.0.1:1/")
    with pytest.raises(GamesTaken):
        FolderLock(tmp_path / "games", "http://127.0.0.1:2/")
    lock.release()


@pytest.mark.parametrize("command", [("backup",), ("restore", "copy.db")])
def test_backups_of_postgres_are_refused(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEUTHEN_DATABASE", "postgresql://user@host/name")
    assert run(command) == 2
    assert "use pg_" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="root alone gives files away")
def test_root_restores_files_for_the_owner_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    Store(folder).close()
    copy = back_up(folder, tmp_path / "copy.db")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, SERVICE, SERVICE)
    restore(folder, copy)
    back_up(folder)
    assert {path.stat().st_uid for path in (folder, *folder.rglob("*"))} == {SERVICE}


def test_an_unwritable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    Store(tmp_path).close()
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("leuthen.db"))
    assert run(["serve", "--port", "0", "--data-dir", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "leuthen.db: this user may not read and write it" in message
    assert "chown" in message


@pytest.mark.parametrize("command", [["serve"], ["play"], ["resume"], ["backup"], ["restore", "copy.db"]])
def test_a_missing_home_folder_is_reported(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless(_: str) -> NoReturn:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(platformdirs, "user_data_path", homeless)
    monkeypatch.delenv("LEUTHEN_DATA", raising=False)
    assert run(command) == 2
    assert "no home folder" in capsys.readouterr().err


def test_start_and_stop_are_logged_as_json(tmp_path: Path) -> None:
    served = Served(tmp_path / "games", "--log-json")
    served.start()
    served.stop(signal.SIGTERM)
    messages = [json.loads(line)["message"] for line in served.said]
    assert f"serves at {served.url}/" in messages[0]
    assert messages[-1] == "the server has stopped"


def test_a_startup_error_is_logged_as_json(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    command = [sys.executable, "-m", "leuthen", "serve", "--log-json", "--data-dir", str(tmp_path / "file")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    line = json.loads(done.stderr)
    assert (line["level"], "cannot be written" in line["message"]) == ("CRITICAL", True)


def test_the_number_of_workers_is_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def drivers(_: object, workers: int) -> NoReturn:
        asked.append(workers)
        raise KeyboardInterrupt

    monkeypatch.setattr("leuthen.server.http.serve.BotDrivers", drivers)
    run(["serve", "--port", "0", "--workers", "7", "--data-dir", str(tmp_path)])
    assert asked == [7]


def test_the_example_bot_survives_a_server_restart(tmp_path: Path) -> None:
    with Served(tmp_path / "games") as served:
        caller = new_caller(int(served.url.rpartition(":")[2]))
        new = {"players": ["link", "random"], "ruleset": "frederick", "options": {"last-year": "1756"}}
        made = caller.post("/api/games", new).json
        secret = made["seats"][0]["link"].partition("#")[2]
        bot = subprocess.Popen(
            [sys.executable, str(BOT), served.url, secret], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            seat = next(one["seat"] for one in caller.get("/api/home").json["games"][0]["seats"] if one["side"] == 2)

            def lines() -> int:
                return int(caller.get(f"/api/seats/{seat}").json["n"])

            wait_until(lambda: lines() > 5)
            served.kill()
            served.start()
            before = lines()
            wait_until(lambda: bot.poll() is not None or lines() > before + 5)
            assert bot.poll() in (None, 0)
        finally:
            bot.kill()
            bot.communicate()
