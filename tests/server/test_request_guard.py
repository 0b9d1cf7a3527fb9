import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from litestar import Litestar, Request, get, post
from litestar.response import Stream
from litestar.testing import TestClient

from leuthen.engine.refusal import Invalid
from leuthen.server.http.app import answer_error
from leuthen.server.security.request_guard import BODY, HEADERS, IMPORT_BODY, LOCAL, RequestGuard, names_of, origin_of
from leuthen.server.session.messages import Fault
from tests.rows import rows

SECRET = "s3cret"


@get("/look")
async def look() -> dict[str, str]:
    return {"here": SECRET}


@get("/follow")
async def follow() -> Stream:
    async def never_finish() -> AsyncIterator[bytes]:
        while True:
            yield b"data: {}\n\n"
            await asyncio.sleep(0.01)

    return Stream(never_finish())


@post("/act")
async def act(request: Request[Any, Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = await request.json()
    return found


@post("/api/import")
async def take_in(request: Request[Any, Any, Any]) -> int:
    return len(await request.body())


@pytest.fixture
def client() -> Iterator[TestClient[RequestGuard]]:
    app = Litestar([look, act, take_in], exception_handlers={Fault: answer_error})
    with TestClient(RequestGuard(app, (*LOCAL, "leuthen.local")), base_url="http://leuthen.local:8123") as client:
        yield client


def test_every_answer_has_the_headers(client: TestClient[RequestGuard]) -> None:
    for path in ("/look", "/nowhere"):
        answer = client.get(path)
        assert all(answer.headers[name] == value for name, value in HEADERS.items())
        assert answer.headers["cache-control"] == "no-store"
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "http" not in HEADERS["content-security-policy"], "nothing comes from another host"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:8123"])
def test_an_unknown_host_name_is_refused(client: TestClient[RequestGuard], host: str) -> None:
    answer = client.get("/look", headers={"host": host})
    assert answer.status_code == 421
    assert SECRET not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8123", "LOCALHOST:1"])
def test_local_host_names_are_accepted(client: TestClient[RequestGuard], host: str) -> None:
    assert client.get("/look", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("headers", rows("headers-of-foreign-pages"))
def test_a_page_of_another_site_cannot_act(client: TestClient[RequestGuard], headers: dict[str, str]) -> None:
    assert client.post("/act", json={"a": 1}, headers=headers).status_code == 403
    looked = client.get("/look", headers=headers).status_code
    assert looked == (403 if "origin" in headers else 200), "a link elsewhere may lead here; it names no origin"


@pytest.mark.parametrize("headers", [{}, {"sec-fetch-site": "same-origin", "origin": "http://leuthen.local:8123"}])
def test_an_own_page_and_a_program_can_act(client: TestClient[RequestGuard], headers: dict[str, str]) -> None:
    assert client.post("/act", json={"a": 1}, headers=headers).json() == {"a": 1}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_a_form_could_send_is_refused(client: TestClient[RequestGuard], kind: str) -> None:
    assert client.post("/act", content=b'{"a":1}', headers={"content-type": kind}).status_code == 415


def test_an_oversized_body_is_refused_whatever_its_length_header(client: TestClient[RequestGuard]) -> None:
    kind = {"content-type": "application/json"}
    big = b'{"a":"' + b"x" * BODY + b'"}'
    assert client.post("/act", content=big, headers=kind).status_code == 413

    def drops() -> Iterator[bytes]:
        yield from (big[at : at + 1000] for at in range(0, len(big), 1000))

    assert client.post("/act", content=drops(), headers=kind).status_code == 413
    assert client.post("/act", content=b'{"a":1}', headers=kind).status_code == 201
    assert client.post("/act", content=b'{"a":1}', headers=kind | {"content-length": "x"}).status_code == 400


def test_a_record_can_be_larger_and_must_be_text(client: TestClient[RequestGuard]) -> None:
    text = {"content-type": "text/plain; charset=utf-8"}
    assert client.post("/api/import", content=b"x" * (BODY + 1), headers=text).json() == BODY + 1
    assert client.post("/api/import", content=b"x" * (IMPORT_BODY + 1), headers=text).status_code == 413
    assert client.post("/api/import", json={}).status_code == 415


def ask_in_parts(method: str, path: str, came: list[Any]) -> int:
    sent: list[Any] = []

    async def receive() -> Any:
        return came.pop(0) if came else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"50")]
    scope: Any = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": headers if method == "POST" else headers[:1], "scheme": "http", "client": ("127.0.0.1", 1),
        "server": ("localhost", 80), "http_version": "1.1", "state": {},
    }  # fmt: skip
    app = Litestar([act, follow], exception_handlers={Fault: answer_error})
    answering: Any = RequestGuard(app, LOCAL)(scope, receive, send)
    asyncio.run(answering)
    return int(sent[0]["status"])


def test_a_truncated_body_is_an_error_of_the_client() -> None:
    assert ask_in_parts("POST", "/act", [{"type": "http.request", "body": b'{"a"', "more_body": True}]) == 400


def test_leaving_a_stream_at_once_is_not_an_error() -> None:
    assert ask_in_parts("GET", "/follow", []) == 200


# --- behind a proxy ---------------------------------------------------------------------------------------------------

PUBLIC = "https://play.example.org"
HSTS = "strict-transport-security"


@pytest.fixture
def proxied() -> Iterator[TestClient[RequestGuard]]:
    app = Litestar([look, act, take_in], exception_handlers={Fault: answer_error})
    guarded = RequestGuard(app, *names_of("127.0.0.1", [f"{PUBLIC}/"]))
    with TestClient(guarded, base_url="http://127.0.0.1:8756") as client:
        yield client


@pytest.mark.parametrize("host", ["play.example.org", "play.example.org:443", "PLAY.example.org", "127.0.0.1:8756"])
def test_a_page_behind_a_proxy_can_act(proxied: TestClient[RequestGuard], host: str) -> None:
    headers = {"host": host, "origin": PUBLIC, "sec-fetch-site": "same-origin"}
    assert proxied.post("/act", json={"a": 1}, headers=headers).status_code == 201


def test_only_answers_over_tls_have_hsts(proxied: TestClient[RequestGuard]) -> None:
    assert proxied.get("/look", headers={"host": "play.example.org"}).headers[HSTS] == "max-age=31536000"
    assert HSTS not in proxied.get("/look").headers
    assert proxied.get("/look", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("origin", ["http://play.example.org", "https://play.example.org:8443", "https://example.org"])
def test_a_page_of_another_scheme_or_port_is_foreign(proxied: TestClient[RequestGuard], origin: str) -> None:
    headers = {"host": "play.example.org", "origin": origin}
    assert proxied.post("/act", json={"a": 1}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("host", "public", "hosts"),
    [
        ("127.0.0.1", [], (*LOCAL, "127.0.0.1")),
        ("0.0.0.0", [], ()),
        ("0.0.0.0", [PUBLIC, "http://box.lan:8756"], (*LOCAL, "play.example.org", "box.lan")),
    ],
)
def test_accepted_host_names_follow_the_settings(host: str, public: list[str], hosts: tuple[str, ...]) -> None:
    assert names_of(host, public)[0] == hosts


@pytest.mark.parametrize(
    "url",
    ["play.example.org", "ftp://a.example", "https://", "https://a.example/b", "https://u@a.example", "http://a:x"],
)
def test_an_invalid_public_url_is_refused(url: str) -> None:
    with pytest.raises(Invalid, match=r"--public-url"):
        names_of("127.0.0.1", [url])


def test_origins_are_normalized_as_in_browsers() -> None:
    given = ["https://A.example:443", "http://a.example:80/", "https://a.example:444", "http://[::1]:8756"]
    wanted = ("https://a.example", "http://a.example", "https://a.example:444", "http://[::1]:8756")
    assert tuple(map(origin_of, given)) == wanted
