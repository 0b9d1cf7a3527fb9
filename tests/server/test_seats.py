import asyncio
import http.client
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import msgspec
import pytest

from leuthen.server.session import device_sessions
from leuthen.server.session.device_sessions import DeviceSession
from leuthen.server.session.streams import Subscriber
from leuthen.storage.rows import DeviceRow, SeatRow, first
from leuthen.storage.tables import SqlRows
from tests.server.conftest import (
    GameClients,
    NewServer,
    SeatClient,
    create_game,
    events,
    never_finish,
    new_caller,
    secret_of,
    take_seat,
)
from tests.server.harness import HttpClient, StreamClient, TestServer
from tests.toy_presenter import replace_presenter

ROUTES = (("GET", ""), ("GET", "/stream"), ("POST", "/link"), ("GET", "/devices"), ("DELETE", "/devices"))


def try_to_take(caller: HttpClient, link: str) -> Any:
    return caller.post("/api/take", {"secret": secret_of(link)})


def devices(client: SeatClient) -> list[Any]:
    found: list[Any] = client.get("/devices").json["devices"]
    return found


def read_to_end(stream: StreamClient) -> bytes:
    stream._reader.join(30)
    assert not stream._reader.is_alive()
    return stream.received


def invitation_of(client: SeatClient, **how: Any) -> str:
    answer = client.post("/link", how)
    assert answer.status == 200, answer.body
    link: str = answer.json["link"]
    return link


class Friends(NamedTuple):
    creator: SeatClient
    friend: SeatClient
    link: str


@pytest.fixture
def friends(server: TestServer) -> Friends:
    caller, made = create_game(server, ("me", "link"))
    link = made["seats"][1]["link"]
    return Friends(SeatClient(caller, made["seats"][0]["seat"], 0), take_seat(server, link, 1), link)


@pytest.fixture
def friend(friends: Friends) -> SeatClient:
    return friends.friend


# --- an invitation works once -----------------------------------------------------------------------------------------


def test_a_used_invitation_gives_the_inviter_no_access(friends: Friends) -> None:
    maker, friend, link = friends
    friend.orders("bid 2")
    for caller in (maker.caller, new_caller(maker.caller.port)):
        answer = try_to_take(caller, link)
        assert (answer.status, answer.json["title"]) == (410, "The seat is taken")
    program = new_caller(maker.caller.port, secret_of(link))
    for caller in (maker.caller, program):
        for method, path in ROUTES:
            assert caller.ask(method, friend.base + path, {} if method == "POST" else None).status == 404, path
    assert maker.post("/link", {"side": 1}).status == 403
    assert len(devices(friend)) == 1
    assert friend.n == 1


def test_a_player_can_open_the_own_invitation_again(friends: Friends) -> None:
    _, friend, link = friends
    again = try_to_take(friend.caller, link)
    assert (again.status, again.json["seat"], again.json["link"]) == (200, friend.seat, "")
    assert len(devices(friend)) == 1
    link = invitation_of(friend)
    assert try_to_take(friend.caller, link).status == 200
    assert try_to_take(new_caller(friend.caller.port), link).status == 200, "the owner has not used it up"


def test_only_one_of_simultaneous_takers_gets_the_seat(server: TestServer) -> None:
    for _ in range(5):
        _, made = create_game(server, ("me", "link"))
        callers, barrier = [new_caller(server.port) for _ in range(4)], threading.Barrier(4)

        def take_at_once(
            caller: HttpClient, link: str = made["seats"][1]["link"], barrier: threading.Barrier = barrier
        ) -> Any:
            barrier.wait(30)
            return try_to_take(caller, link).status

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(take_at_once, callers)) == [200, 410, 410, 410]


def test_a_program_can_repeat_a_take_without_an_answer(server: TestServer) -> None:
    _, made = create_game(server, ("link", "link"))
    body = {"secret": secret_of(made["seats"][0]["link"]), "key": "the-programs-own-secret-1"}
    first, again = (new_caller(server.port).post("/api/take", body) for _ in range(2))
    assert first.json["seat"] == again.json["seat"]
    assert new_caller(server.port).post("/api/take", body | {"key": "another-programs-secret-2"}).status == 410
    assert new_caller(server.port).post("/api/take", body | {"key": "too-short"}).status == 400


def test_a_browser_can_repeat_a_take_without_an_answer(server: TestServer) -> None:
    _, made = create_game(server, ("me", "link"))
    caller = new_caller(server.port)
    assert caller.post("/api/browser", {}).json == {"what": "a browser"}
    lost = HttpClient(server.port)
    lost.cookies = dict(caller.cookies)
    assert try_to_take(lost, made["seats"][1]["link"]).status == 200
    lost.close()
    assert try_to_take(caller, made["seats"][1]["link"]).status == 200, "the answer to the first try was lost"


def test_a_program_plays_a_rematch_with_the_same_key(new_server: NewServer) -> None:
    server: TestServer = new_server(run=never_finish)
    _, made = create_game(server, ("link", "random"))
    program = new_caller(server.port, "the-programs-own-secret-1")
    body = {"secret": secret_of(made["seats"][0]["link"]), "key": program.secret}
    client = SeatClient(program, program.post("/api/take", body).json["seat"], 0)
    assert client.move("resign").status == 200
    assert program.cookies == {}
    again = client.post("/rematch", {}).json["seats"][1]
    assert SeatClient(program, again["seat"], 1).snapshot["side"] == 1


# --- an invitation that was lost --------------------------------------------------------------------------------------


def test_a_player_can_replace_a_lost_invitation(server: TestServer) -> None:
    maker, made = create_game(server, ("me", "link"))
    host, first = SeatClient(maker, made["seats"][0]["seat"], 0), made["seats"][1]["link"]
    second = invitation_of(host, side=1)
    assert try_to_take(new_caller(server.port), first).status == 410
    assert take_seat(server, second, 1).snapshot["side"] == 1
    assert host.post("/link", {"side": 1}).status == 403, "the seat is taken now"
    assert host.post("/link", {"side": 3}).status == 400


def test_the_seat_of_a_bot_has_no_invitation(server: TestServer) -> None:
    maker, made = create_game(server, ("me", "random"))
    assert SeatClient(maker, made["seats"][0]["seat"], 0).post("/link", {"side": 1}).status == 404


# --- spectators -------------------------------------------------------------------------------------------------------


def test_any_number_can_watch_by_one_link(server: TestServer) -> None:
    _, made = create_game(server, ("me", "link"))
    spectators = [take_seat(server, made["watch"], 2) for _ in range(3)]
    assert [len(devices(client)) for client in spectators] == [1, 1, 1], "each sees only the own device"
    own, other = spectators[:2]
    number, of_other = (devices(client)[0]["number"] for client in (own, other))
    assert own.delete(f"/devices/{of_other}").status == 404
    assert own.delete(f"/devices/{number}").status == 204
    assert [own.get("").status, other.get("").status] == [404, 200]


def test_only_a_player_renews_the_link_of_spectators(game: GameClients) -> None:
    other = game.spectator
    for path, body in (("/link", {}), ("/link", {"side": 2}), ("/link", {"side": 0})):
        assert other.post(path, body).status == 403
    assert other.delete("/devices").status == 403
    stream = other.subscribe(0)
    stream.wait_for(b"event: presence")
    more = invitation_of(game.prussia, side=2, ends=False)
    assert take_seat(game.server, more, 2).snapshot["side"] == 2
    assert other.snapshot["side"] == 2
    link = invitation_of(game.austria, side=2)
    assert events(read_to_end(stream))[-1][0] == "problem"
    assert other.get("").status == 404
    assert try_to_take(new_caller(game.server.port), more).json["title"] == "No longer valid"
    assert take_seat(game.server, link, 2, other.caller).snapshot["side"] == 2, (
        "a removed spectator can return by the new link"
    )


def test_the_creator_of_a_game_of_bots_renews_the_link(server: TestServer) -> None:
    caller, made = create_game(server, ("random", "random"))
    (line,) = caller.get("/api/home").json["games"]
    host = SeatClient(caller, line["seats"][2]["seat"], 2)
    spectator = take_seat(server, made["watch"], 2)
    assert spectator.post("/link", {"side": 2}).status == 403
    invitation_of(host, side=2)
    assert spectator.get("").status == 404
    assert host.snapshot["side"] == 2


def test_a_player_is_notified_of_another_device(friend: SeatClient, server: TestServer) -> None:
    stream = friend.subscribe(0)
    link = invitation_of(friend, ends=False)
    server.tick(3600)
    phone = new_caller(server.port)
    phone.post("/api/browser", {})
    phone._line.request(
        "POST",
        "/api/take",
        msgspec.json.encode({"secret": secret_of(link)}),
        phone.headers(True) | {"Sec-CH-UA-Platform": '"Linux"'},
    )
    assert phone._answer(phone._line.getresponse()).status == 200
    notice = [data for event, data in events(stream.wait_for(b"a browser on Linux")) if event == "devices"][-1]
    mine, other = notice["devices"]
    assert (mine["is_this"], mine["is_new"], other["is_this"], other["is_new"]) == (True, False, False, True)
    assert (other["what"], other["since"]) == ("a browser on Linux", "2026-01-01T01:00:00+00:00")
    assert devices(friend)[1]["is_new"], "the notice waits for an absent player"
    assert friend.post("/devices/known", {"number": other["number"]}).status == 204
    assert not devices(friend)[1]["is_new"]
    assert not any(device["is_new"] for device in devices(SeatClient(phone, friend.seat, 1)))


def test_devices_list_when_they_were_last_active(friend: SeatClient, server: TestServer) -> None:
    phone = take_seat(server, invitation_of(friend), 1)
    server.tick(3600)
    assert phone.get("").status == 200
    assert [device["seen"][11:16] for device in devices(friend)] == ["01:00", "01:00"]
    server.tick(7200)
    assert [device["seen"][11:16] for device in devices(friend)] == ["02:00", "01:00"]


def test_a_device_that_is_signed_out_receives_nothing(friend: SeatClient, server: TestServer) -> None:
    thief = take_seat(server, invitation_of(friend), 1)
    link = invitation_of(thief, ends=False)
    stream, other = thief.subscribe(0), friend.subscribe(0)
    stream.wait_for(b"event: presence")
    other.wait_for(b"event: presence")
    number = next(device["number"] for device in devices(friend) if not device["is_this"])
    assert friend.delete(f"/devices/{number}").status == 204
    friend.orders("bid 2")
    received = read_to_end(stream)
    assert events(received)[-1][0] == "problem"
    assert b"sealed" not in received
    assert thief.get("").status == 404
    assert thief.order("bid 1", 0).status == 404
    assert try_to_take(new_caller(server.port), link).status == 410, "an invitation by that device is void too"
    assert len(devices(friend)) == 1
    assert b"sealed" in other.wait_for(b"sealed"), "the stream of the owner stays open"


@pytest.mark.parametrize("how", ["link", "others"])
def test_a_player_can_sign_out_all_other_devices(friend: SeatClient, server: TestServer, how: str) -> None:
    others = [take_seat(server, invitation_of(friend, ends=False), 1) for _ in range(2)]
    streams = [client.subscribe(0) for client in others]
    for stream in streams:
        stream.wait_for(b"event: presence")
    if how == "link":
        invitation_of(friend)
    else:
        assert friend.delete("/devices").status == 204
    for client, stream in zip(others, streams, strict=True):
        assert events(read_to_end(stream))[-1][0] == "problem"
        assert client.get("").status == 404
    assert friend.snapshot["side"] == 1


@pytest.mark.parametrize("count", [3, 100])
def test_signing_out_drops_queued_messages(count: int) -> None:
    device = DeviceSession(SeatRow("seat", "game", 1, "person", True), DeviceRow("seat", 1, "", "", "", "", 1))
    subscriber = Subscriber("seat", 1, "", frozenset())
    device.subscribers.add(subscriber)
    for _ in range(count):
        subscriber.send(b"a draft")
    device.end()
    waiting = [subscriber._queue.get_nowait() for _ in range(subscriber._queue.qsize())]
    assert len(waiting) == 2
    assert b"Signed out" in (waiting[0] or b"")
    assert waiting[1] is None
    assert not subscriber.fell_behind


def test_signing_out_cancels_the_answer_to_a_long_request(
    friend: SeatClient, server: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    thief = take_seat(server, invitation_of(friend, ends=False), 1)
    has_begun, may_continue = threading.Event(), threading.Event()

    def slow(*_: Any) -> Any:
        has_begun.set()
        may_continue.wait(30)
        return ()

    replace_presenter(monkeypatch, left_undone=slow)
    monkeypatch.setattr(server.registry.looking, "_run", asyncio.to_thread)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(thief.get, "/left")
        assert has_begun.wait(30)
        assert friend.delete("/devices").status == 204
        may_continue.set()
        answer = asked.result(30)
    assert (answer.status, answer.json["title"]) == (404, "No such seat")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/orders", {"seen": 0, "key": "late-order", "order": "bid 1"}),
        ("PUT", "/notes", {"text": "I was here."}),
        ("POST", "/link", {"ends": True}),
    ],
)
def test_a_body_that_arrives_after_signing_out_is_ignored(
    friend: SeatClient, server: TestServer, method: str, path: str, body: Any
) -> None:
    thief = take_seat(server, invitation_of(friend, ends=False), 1)
    data = msgspec.json.encode(body)
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    line.putrequest(method, f"{thief.base}{path}")
    for name, value in (thief.caller.headers(True) | {"Content-Length": str(len(data))}).items():
        line.putheader(name, value)
    line.endheaders(data[:5])
    wait_for_session(server, friend.seat, 2)
    assert friend.delete("/devices").status == 204
    line.send(data[5:])
    assert line.getresponse().status == 404
    line.close()
    assert friend.n == 0
    assert friend.get("/notes").json["text"] == ""
    assert not friend.get("/devices").json["has_link"]


def wait_for_session(server: TestServer, seat: str, count: int) -> None:
    spectator = new_caller(server.port)
    for _ in range(1000):
        if len(server.registry.devices._open[seat]) >= count:
            return
        spectator.get("/healthz")
    raise TimeoutError


def test_a_device_read_while_signed_out_is_not_cached(
    friend: SeatClient, server: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    thief = take_seat(server, invitation_of(friend, ends=False), 1)
    lock = next(device.lock for device in _rows(server, friend.seat) if device.number == 2)
    has_begun, may_continue = threading.Event(), threading.Event()

    def slow(rows: Any, kind: Any, **where: Any) -> Any:
        found = first(rows, kind, **where)
        if where.get("lock") == lock and found is not None:
            has_begun.set()
            may_continue.wait(30)
        return found

    monkeypatch.setattr(device_sessions, "first", slow)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(thief.get, "")
        assert has_begun.wait(30)
        assert friend.delete("/devices").status == 204
        may_continue.set()
        assert asked.result(30).status == 404
    assert thief.get("").status == 404


def _rows(server: TestServer, seat: str) -> Any:
    with server.store._reading.connect() as connection:
        return SqlRows(connection).find(DeviceRow, seat=seat, ended="")


def test_a_player_who_signs_out_can_return(friends: Friends, server: TestServer) -> None:
    maker, friend, _ = friends
    refused = maker.delete("/devices/1")
    assert (refused.status, refused.json["title"]) == (409, "No way back")
    link = invitation_of(maker)
    assert maker.delete("/devices/1").status == 204
    assert maker.get("").status == 404
    assert maker.caller.get("/api/home").json == {"games": []}
    back = take_seat(server, link, 0, maker.caller)
    assert back.seat == maker.seat
    assert devices(back)[0]["number"] == 2, "device numbers are not reused"
    assert friend.delete("/devices/9").status == 404


def test_each_seat_of_a_hot_seat_player_has_its_devices(server: TestServer) -> None:
    caller, made = create_game(server, ("me", "me"))
    one, other = (SeatClient(caller, seat["seat"], side) for side, seat in enumerate(made["seats"]))
    phone = take_seat(server, invitation_of(one, ends=False), 0)
    assert (len(devices(one)), len(devices(other))) == (2, 1)
    assert phone.caller.get(other.base).status == 404
    assert one.delete("/devices").status == 204
    assert other.snapshot["side"] == 1


# --- storage ----------------------------------------------------------------------------------------------------------


def test_devices_survive_a_restart(new_server: NewServer) -> None:
    server = new_server()
    maker, made = create_game(server, ("me", "link"))
    host, client = SeatClient(maker, made["seats"][0]["seat"], 0), take_seat(server, made["seats"][1]["link"], 1)
    thief = take_seat(server, invitation_of(host), 0)
    host.delete("/devices")
    port = new_server().port
    for caller in (host.caller, client.caller, thief.caller):
        caller.connect_to(port)
    assert (host.get("").status, client.get("").status, thief.get("").status) == (200, 200, 404)
    assert try_to_take(new_caller(port), made["seats"][1]["link"]).status == 410


@pytest.mark.parametrize(
    ("platform", "label"),
    [('"Windows"', "a browser on Windows"), ('"Chrome OS"', "a browser on Chrome OS"), ("", "a browser"),
     ('"<b>"', "a browser"), ("Windows; x", "a browser")],
)  # fmt: skip
def test_a_device_label_contains_only_known_words(server: TestServer, platform: str, label: str) -> None:
    caller = new_caller(server.port)
    caller._line.request("POST", "/api/browser", b"{}", caller.headers(True) | {"Sec-CH-UA-Platform": platform})
    assert caller._answer(caller._line.getresponse()).json == {"what": label}
