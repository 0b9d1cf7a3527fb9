"""What is answered by the short way is what the routes answer: a path that ends with a stroke goes the long way."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from leuthen.server.http.short_way import HANDLERS
from leuthen.server.session.answers import Acted
from leuthen.server.session.game_session import GameSession
from tests.server.caller import Answer
from tests.server.conftest import Guest, Party, new_game, new_key, take
from tests.server.house import House

ORDER = {"seen": 0, "key": "request-same", "order": "bid 1"}
BAD: list[object] = [b"", b"{", b"[]", b'{"partial_order": 1}', {"x": 1}, {"partial_order": {}, "x": 1}, {"seen": "0"}]


def both(guest: Guest, what: str, body: object) -> tuple[Answer, Answer]:
    """What is answered by either way, headers in the order of their names."""
    short, long = guest.post(f"/{what}", body), guest.post(f"/{what}/", body)
    return short._replace(headers=tuple(sorted(short.headers))), long._replace(headers=tuple(sorted(long.headers)))


@pytest.mark.parametrize("what", HANDLERS)
def test_what_cannot_be_read_is_refused_alike(party: Party, what: str) -> None:
    for body in BAD:
        short, long = both(party.prussia, what, body)
        assert short == long
        assert short.status == 400, body


def test_a_form_is_the_same(party: Party) -> None:
    for partial_order in ({}, {"do": "nonsense"}, {"at": "1"}):
        short, long = both(party.prussia, "form", {"partial_order": partial_order})
        assert short == long
        assert short.status in (200, 201)
        assert short.json["fields"] or short.json["refused"]


def test_an_order_counts_once_by_either_way(party: Party) -> None:
    order = ORDER | {"seen": party.prussia.n, "order": "bid 1"}
    short, long = both(party.prussia, "orders", order)
    assert short == long
    assert short.status == 200
    assert both(party.prussia, "orders", order | {"key": new_key()})[0].status == 409


def test_who_may_not_is_refused_alike(party: Party) -> None:
    stranger = Guest(party.austria.caller, party.prussia.seat, 1)
    for guest, status in ((stranger, 404), (party.watcher, 403)):
        for what, body in (("orders", ORDER), ("form", {"partial_order": {}})):
            short, long = both(guest, what, body)
            assert short == long
            assert short.status == status


def test_whoever_is_signed_out_meanwhile_gets_no_answer(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    async def slow(*_: object) -> Acted:
        begun.set()
        await asyncio.to_thread(go_on.wait, 30)
        return Acted(1, None)

    monkeypatch.setattr(GameSession, "order", slow)
    other = take(party.house, party.prussia.post("/link", {}).json["link"], 0)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(other.post, "/orders", ORDER)
        assert begun.wait(30)
        assert party.prussia.caller.ask("DELETE", f"{party.prussia.base}/devices").status == 204
        go_on.set()
        assert asked.result(30).status == 404


def test_against_the_machine_a_form_is_small(house: House) -> None:
    maker, made = new_game(house, ("me", "random"))
    line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    path, headers = f"/api/seats/{made['seats'][0]['seat']}/form", maker.headers(True) | {"Accept-Encoding": "gzip"}
    bodies = []
    for end in ("", "/"):
        line.request("POST", path + end, msgspec.json.encode({"partial_order": {}}), headers)
        response = line.getresponse()
        assert response.headers["Vary"] == "Accept-Encoding"
        body = response.read()
        bodies.append(gzip.decompress(body) if response.headers["Content-Encoding"] else body)
    assert bodies[0] == bodies[1]
    line.close()
