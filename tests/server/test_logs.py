import asyncio
import io
import logging
import re
import sys
from typing import Any

import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from leuthen.engine.refusal import Invalid
from leuthen.server.http.logs import REQUESTS, Json, Plain, Quiet, RequestLog, Sparing, matters, set_up
from leuthen.server.session.limits import address_now
from leuthen.storage.sqlite import open_engine

WROTE = "march Keith 1632-1633", "the-secret-of-a-seat"


def ask(log: RequestLog, path: str, client: str = "192.0.2.7") -> None:

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(_: Any) -> None:
        return

    scope: Any = {"type": "http", "method": "GET", "path": path, "client": (client, 1)}
    logged: Any = log(scope, receive, send)
    asyncio.run(logged)


def answering(status: int) -> Any:

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": status})

    return app


@pytest.mark.parametrize(
    ("method", "path", "status", "is_told"),
    [
        ("POST", "/api/take", 200, True),
        ("POST", "/api/take", 404, True),
        ("POST", "/api/seats/x/link", 200, True),
        ("DELETE", "/api/seats/x/devices/1", 204, True),
        ("GET", "/api/seats/x", 404, True),
        ("POST", "/api/games", 429, True),
        ("POST", "/api/games", 421, True),
        ("GET", "/api/seats/x", 200, False),
        ("GET", "/nowhere", 404, False),
    ],
)
def test_who_comes_in_and_who_is_refused_matters(method: str, path: str, status: int, is_told: bool) -> None:
    assert matters(method, path, status) is is_told


def test_what_matters_is_told_unasked_and_with_its_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, REQUESTS.name)
    ask(RequestLog(answering(200)), "/api/home")
    assert not caplog.messages
    ask(RequestLog(answering(404)), "/api/take")
    assert caplog.messages[0].startswith("GET /api/take 404 ")
    assert caplog.messages[0].endswith(" from 192.0.2.7")


def test_a_path_makes_no_line_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, REQUESTS.name)
    ask(RequestLog(answering(404)), "/x\n2026-01-01 INFO forged\x1b[2J")
    assert caplog.messages[0].startswith("GET /x%0A2026-01-01%20INFO%20forged%1B%5B2J 404")


def test_whoever_is_refused_often_does_not_fill_the_disk(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, REQUESTS.name)
    clock = Clock()
    log = RequestLog(answering(429), Sparing(clock))
    for number in range(50):
        ask(log, f"/api/home/{number}")
    assert len(caplog.messages) == 1, "whatever path he makes up"
    ask(RequestLog(answering(403), log._sparing), "/api/home")
    assert len(caplog.messages) == 2, "another kind"
    clock.now = 60
    ask(log, "/api/home")
    assert caplog.messages[-1].endswith(" from 192.0.2.7 (49 like it before)")
    for number in range(500):
        ask(log, "/api/home", f"198.51.{number // 250}.{number % 250}")
    assert len(caplog.messages) <= 203


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def record_of(name: str, message: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, "", 0, message, args, None)


def test_what_a_stranger_brings_about_is_written_once_a_minute() -> None:
    clock, written = Clock(), list[str]()
    quiet = Quiet(Sparing(clock))

    def log(name: str, message: str, *args: object) -> None:
        record = record_of(name, message, *args)
        if quiet.filter(record):
            written.append(record.getMessage())

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
    said = "the game {} cannot be shown"
    assert written == [said.format("x"), said.format("w"), said.format("v") + " (2 like it before)"]


def test_lines_that_were_left_out_are_not_remembered_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.http.logs.MOST", 10)
    sparing = Sparing(Clock())
    for number in range(100):
        sparing.left_out("kind", str(number))
    assert len(sparing._written) <= 10


def test_the_time_is_told_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    said, root = io.StringIO(), logging.getLogger()
    before = list(root.handlers), REQUESTS.level
    monkeypatch.setattr(sys, "stderr", said)
    try:
        set_up(tell_requests=False)
        new = [handler for handler in root.handlers if handler not in before[0]]
        record = logging.LogRecord("x", logging.WARNING, "", 0, "a fault", (), None)
        record.created = 1_700_000_000.0
        new[0].handle(record)
    finally:
        root.handlers[:] = before[0]
        REQUESTS.setLevel(before[1])
    assert said.getvalue() == "2023-11-14T22:13:20Z WARNING a fault\n"


def raised() -> logging.LogRecord:
    try:
        try:
            raise Invalid(WROTE[0])
        except Invalid as error:
            raise KeyError(WROTE[1]) from error
    except KeyError:
        return logging.LogRecord("leuthen.x", logging.ERROR, "", 0, "a request failed", (), sys.exc_info())


@pytest.mark.parametrize("formatter", [Plain(), Json()])
def test_an_error_is_told_by_its_place_and_not_by_what_it_quotes(formatter: logging.Formatter) -> None:
    said = formatter.format(raised())
    for told in ("a request failed", "Invalid", "KeyError", "test_logs.py"):
        assert told in said
    for secret in WROTE:
        assert secret not in said


def test_an_error_of_the_system_says_what_it_is() -> None:
    record = logging.LogRecord("x", logging.ERROR, "", 0, "no", (), (OSError, OSError(28, "No space left"), None))
    assert "No space left" in Plain().format(record)


def test_a_request_is_a_line_of_json_with_fields(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, REQUESTS.name)
    ask(RequestLog(answering(404)), '/x\n"forged')
    ask(RequestLog(answering(404)), "/api/take")
    first, second = (msgspec.json.decode(Json().format(record)) for record in caplog.records)
    assert (first["method"], first["path"], first["status"]) == ("GET", "/x%0A%22forged", 404)
    assert "from" not in first
    assert (second["from"], second["level"], second["logger"]) == ("192.0.2.7", "WARNING", "leuthen.requests")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first["time"])


def test_an_error_of_the_database_keeps_what_was_to_be_written_to_itself(tmp_path: Any) -> None:
    engine = open_engine(tmp_path, to_write=True)
    with engine.connect() as connection, pytest.raises(DBAPIError) as error:
        connection.execute(text("INSERT INTO nowhere VALUES (:order)"), {"order": "a secret march"})
    engine.dispose()
    assert "a secret march" not in str(error.value)
