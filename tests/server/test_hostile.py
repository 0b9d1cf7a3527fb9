import logging
import os
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from leuthen.server.http.app import make_routes
from leuthen.server.security.request_guard import HEADERS
from leuthen.storage.sqlite import FILE
from tests.prove.sample import commit_seed
from tests.rows import rows
from tests.server.conftest import TOY_GAME, GameClients, create_game, new_caller, secret_of
from tests.server.harness import DATABASES, Answer, TestServer
from tests.server.hostile import Attacker
from tests.toy_presenter import replace_presenter

REQUESTS = int(os.environ.get("LEUTHEN_HOSTILE", "800"))
SEED = int(os.environ.get("LEUTHEN_HOSTILE_SEED", str(commit_seed()[0])))


TOO_LONG = b'{"seen": 0, "key": "12345678", "order": "' + b"x" * 2001 + b'"}'
BAD_BODIES: tuple[bytes, ...] = (*rows("malformed-bodies"), TOO_LONG, b"[" * 50_000)


def is_problem(answer: Answer) -> bool:
    problem = answer.json
    return set(problem) >= {"status", "title", "detail"} and problem["status"] == answer.status


@pytest.mark.parametrize("route", ["orders", "moves", "form", "chat"])
@pytest.mark.parametrize("body", BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_a_malformed_body_changes_nothing(game: GameClients, route: str, body: bytes) -> None:
    before = game.prussia.get("")
    answer = game.prussia.caller.ask("POST", f"{game.prussia.base}/{route}", body)
    assert answer.status in (400, 409, 413, 415), answer
    assert is_problem(answer)
    assert b"Traceback" not in answer.body
    assert b"site-packages" not in answer.body
    assert game.prussia.get("") == before


def test_an_error_does_not_repeat_a_secret(game: GameClients) -> None:
    secret = "s3cr3t-of-a-seat"
    for body in ({"secret": [secret]}, {"secret": secret, "more": secret}, {secret: secret}, {"secret": secret * 9}):
        answer = game.prussia.caller.post("/api/take", body)
        assert answer.status == 400
        assert secret.encode() not in answer.body or secret in body, answer.body


def test_markup_in_a_title_stays_text(server: TestServer) -> None:
    title = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    caller, made = create_game(server, ("me", "link"), title=title)
    answer = caller.get("/api/home")
    assert answer.json["games"][0]["title"] == title
    assert dict(answer.headers)["content-type"] == "application/json"
    assert dict(answer.headers)["x-content-type-options"] == "nosniff"
    page = caller.get(f"/table/{made['seats'][0]['seat']}")
    assert b"alert(1)" not in page.body


@pytest.mark.parametrize("path", [*rows("malicious-paths"), "/api/seats/" + "x" * 5000])
def test_a_malicious_path_is_refused(server: TestServer, path: str) -> None:
    answer = new_caller(server.port).get(path.replace(" ", "%20"))
    assert answer.status in (400, 404), answer
    assert b"root:" not in answer.body
    assert b"import" not in answer.body
    assert {name: value for name, value in answer.headers if name in HEADERS} == HEADERS


def test_a_number_beyond_the_database_range_is_refused(game: GameClients) -> None:
    for number in (2**63, 2**70, -1):
        answer = game.prussia.post("/devices/known", {"number": number})
        assert answer.status == 400, number
        assert is_problem(answer)


@pytest.mark.parametrize("sign", ["\x00", "\x1b[2J", "\r\n", "\x7f"])
def test_control_characters_are_refused_in_public_texts(game: GameClients, sign: str) -> None:
    assert game.prussia.caller.post("/api/games", TOY_GAME | {"title": f"a{sign}b"}).status == 400
    assert game.prussia.post("/chat", {"key": "chat-0001", "text": f"a{sign}b"}).status == 400
    assert game.prussia.post("/chat", {"key": "chat-0002", "text": 'Straße, 10 – 20 "Ж"'}).status == 200


def test_a_request_with_two_hosts_is_refused(server: TestServer) -> None:
    line = new_caller(server.port)._line
    line.putrequest("GET", "/healthz", skip_host=True)
    for host in ("localhost", "evil.example"):
        line.putheader("Host", host)
    line.endheaders()
    assert line.getresponse().status == 400


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked",
        b"Content-Length: 2\r\nContent-Length: 3",
        b"Transfer-Encoding: xchunked",
    ],
)
def test_a_request_of_ambiguous_length_is_refused(server: TestServer, head: bytes) -> None:
    request = b"POST /api/take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + head + b"\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), 30) as line:
        line.sendall(request + b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b"".join(iter(lambda: line.recv(4096), b""))
    assert received.startswith(b"HTTP/1.1 400 ")
    assert received.count(b"HTTP/1.1") == 1, "the rest was not read as a second request"


def test_a_text_answer_names_its_charset_once(game: GameClients) -> None:
    for path in (f"{game.prussia.base}/record", "/", "/static/js/theme.js"):
        kind = dict(game.prussia.caller.get(path).headers)["content-type"]
        assert kind.startswith("text/"), path
        assert kind.endswith("; charset=utf-8"), path
        assert kind.count("charset") == 1, path


def test_another_method_is_refused(game: GameClients) -> None:
    for method in ("DELETE", "PATCH", "TRACE", "PUT"):
        answer = game.prussia.caller.ask(method, f"{game.prussia.base}/orders")
        assert answer.status == 405
        assert is_problem(answer)


def test_read_requests_do_not_change_a_game(game: GameClients, tmp_path: Path) -> None:
    if DATABASES:
        pytest.skip("the file of a database is compared")
    game.prussia.orders("bid 1")
    server, caller = game.server, game.prussia.caller
    paths = [route.path_format for route in make_routes().routes if "GET" in cast("Any", route).methods]
    paths = [path for path in paths if not path.endswith("/stream")]
    given = {"{seat}": game.prussia.seat, "{key}": "a-key-of-mine", "{name}": "toy", "{path}": "favicon.svg"}
    before = stored_rows(tmp_path / "games" / FILE)
    server.tick(3600)
    for path in paths:
        for word, value in given.items():
            path = path.replace(word, value)
        assert caller.get(path).status != 500
        assert caller.ask("HEAD", path).status != 500
    after = stored_rows(tmp_path / "games" / FILE)
    assert before.keys() == after.keys()
    changed = {name for name, rows in after.items() if rows != before[name]}
    assert changed == {"devices", "about"}
    assert [row[:5] + row[6:] for row in before["devices"]] == [row[:5] + row[6:] for row in after["devices"]]


def stored_rows(file: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(file)) as raw:
        names = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(raw.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}


def test_other_sites_get_no_cors_permission(server: TestServer) -> None:
    caller = new_caller(server.port)
    caller._line.request("OPTIONS", "/api/games", headers={"Origin": "https://evil.example"})
    answer = caller._answer(caller._line.getresponse())
    assert not any(name.startswith("access-control") for name, _ in answer.headers)


def test_api_answers_are_not_cached(game: GameClients) -> None:
    for path in ("", "/chronicle", "/record", "/notes", "/chat"):
        assert dict(game.prussia.get(path).headers)["cache-control"] == "no-store", path
    assert dict(game.prussia.caller.get("/api/home").headers)["cache-control"] == "no-store"


def test_an_internal_error_reveals_nothing(game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the secret is 42")

    replace_presenter(monkeypatch, about=fail)
    answer = game.prussia.get("/about?place=0000")
    assert answer.status == 500
    assert b"42" not in answer.body
    assert is_problem(answer)


def test_the_log_contains_no_secrets(
    server: TestServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    caller, made = create_game(server, ("me", "link"))
    secret = secret_of(made["seats"][1]["link"])
    stranger = new_caller(server.port, secret)
    stranger.post("/api/take", {"secret": secret})
    stranger.post("/api/take", {"secret": secret, "x": 1})
    stranger.get("/api/seats/none")
    monkeypatch.setattr("leuthen.server.session.device_sessions.DeviceSessions.take", lambda *_: 1 / 0)
    assert stranger.post("/api/take", {"secret": secret}).status == 500
    assert "a request failed" in caplog.text
    for key in (secret, *caller.cookies.values()):
        assert key not in caplog.text


def test_thousands_of_hostile_requests_change_nothing(game: GameClients) -> None:
    attacker = Attacker(game)
    try:
        found = attacker.attack(Random(SEED), REQUESTS)
    finally:
        attacker.close()
    assert set(found) >= {200, 400, 403, 404, 405, 409, 415, 421}, found


def test_the_attacker_detects_an_internal_error(game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("a fault")

    replace_presenter(monkeypatch, about=fail)
    attacker = Attacker(game)
    with pytest.raises(AssertionError):
        attacker.attack(Random(7), 2000)
    attacker.close()
