import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.server.caller import Caller, Ear
from tests.server.conftest import Guest, NewHouse, Party, call, events, for_ever, new_game, secret_of, take
from tests.server.house import House

ROUTES = (("GET", ""), ("GET", "/stream"), ("POST", "/link"), ("GET", "/devices"), ("DELETE", "/devices"))


def try_to_take(caller: Caller, link: str) -> Any:
    return caller.post("/api/take", {"secret": secret_of(link)})


def devices(guest: Guest) -> list[Any]:
    found: list[Any] = guest.get("/devices").json["devices"]
    return found


def ended(ear: Ear) -> bytes:
    ear._reader.join(30)
    assert not ear._reader.is_alive()
    return ear.heard


def link_of(guest: Guest, **how: Any) -> str:
    answer = guest.post("/link", how)
    assert answer.status == 200, answer.body
    link: str = answer.json["link"]
    return link


@pytest.fixture
def friends(house: House) -> tuple[Guest, Guest, str]:
    maker, made = new_game(house, ("me", "link"))
    link = made["seats"][1]["link"]
    return Guest(maker, made["seats"][0]["seat"], 0), take(house, link, 1), link


# --- an invitation works once -----------------------------------------------------------------------------------------


def test_the_inviter_who_kept_the_link_has_nothing_of_the_seat(friends: tuple[Guest, Guest, str]) -> None:
    maker, friend, link = friends
    friend.orders("bid 2")
    for caller in (maker.caller, call(maker.caller.port)):
        answer = try_to_take(caller, link)
        assert (answer.status, answer.json["title"]) == (410, "The seat is taken")
    program = call(maker.caller.port, secret_of(link))
    for caller in (maker.caller, program):
        for method, path in (
            ("GET", ""),
            ("GET", "/stream"),
            ("POST", "/link"),
            ("GET", "/devices"),
            ("DELETE", "/devices"),
        ):
            assert caller.ask(method, friend.base + path, {} if method == "POST" else None).status == 404, path
    assert maker.post("/link", {"side": 1}).status == 403
    assert len(devices(friend)) == 1
    assert friend.n == 1


def test_who_opens_his_link_again_stays(friends: tuple[Guest, Guest, str]) -> None:
    _, friend, link = friends
    again = try_to_take(friend.caller, link)
    assert (again.status, again.json["seat"], again.json["link"]) == (200, friend.seat, "")
    assert len(devices(friend)) == 1


def test_a_way_back_is_not_used_up_by_who_sits_there(friends: tuple[Guest, Guest, str]) -> None:
    _, friend, _ = friends
    link = link_of(friend)
    assert try_to_take(friend.caller, link).status == 200
    assert try_to_take(call(friend.caller.port), link).status == 200


def test_of_two_at_the_same_instant_one_wins(house: House) -> None:
    for _ in range(5):
        _, made = new_game(house, ("me", "link"))
        callers, connection_limits = [call(house.port) for _ in range(4)], threading.Barrier(4)

        def at_once(
            caller: Caller,
            link: str = made["seats"][1]["link"],
            connection_limits: threading.Barrier = connection_limits,
        ) -> int:
            connection_limits.wait(30)
            status: int = try_to_take(caller, link).status
            return status

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(at_once, callers))
        assert sorted(found) == [200, 410, 410, 410]


def test_a_program_that_hears_no_answer_takes_again(house: House) -> None:
    _, made = new_game(house, ("link", "link"))
    body = {"secret": secret_of(made["seats"][0]["link"]), "key": "the-programs-own-secret-1"}
    first, again = (call(house.port).post("/api/take", body) for _ in range(2))
    assert first.json["seat"] == again.json["seat"]
    assert call(house.port).post("/api/take", body | {"key": "another-programs-secret-2"}).status == 410
    assert call(house.port).post("/api/take", body | {"key": "too-short"}).status == 400


def test_a_browser_has_its_key_before_it_takes_a_seat(house: House) -> None:
    _, made = new_game(house, ("me", "link"))
    caller = call(house.port)
    assert caller.post("/api/browser", {}).json == {"what": "a browser"}
    lost = Caller(house.port)
    lost.cookies = dict(caller.cookies)
    assert try_to_take(lost, made["seats"][1]["link"]).status == 200
    lost.close()
    assert try_to_take(caller, made["seats"][1]["link"]).status == 200, "the answer to the first try was lost"


def test_a_rematch_gives_nobody_the_others_seat(party: Party) -> None:
    party.prussia.move("resign")
    assert party.prussia.move("offer-rematch").status == 200
    made = party.austria.post("/rematch", {}).json
    assert [seat["link"] for seat in made["seats"]] == ["", ""]
    (line,) = [game for game in party.prussia.caller.get("/api/home").json["games"] if game["game"] == made["game"]]
    (seat,) = [seat["seat"] for seat in line["seats"] if seat["seat"]]
    assert Guest(party.prussia.caller, seat, 1).fresh["side"] == 1
    assert len(devices(Guest(party.prussia.caller, seat, 1))) == 1


def test_a_program_sits_at_the_rematch_by_the_same_key(new_house: NewHouse) -> None:
    house: House = new_house(run=for_ever)
    _, made = new_game(house, ("link", "random"))
    program = call(house.port, "the-programs-own-secret-1")
    body = {"secret": secret_of(made["seats"][0]["link"]), "key": program.secret}
    guest = Guest(program, program.post("/api/take", body).json["seat"], 0)
    assert guest.move("resign").status == 200
    again = guest.post("/rematch", {}).json["seats"][1]
    assert Guest(program, again["seat"], 1).fresh["side"] == 1


# --- an invitation that was lost --------------------------------------------------------------------------------------


def test_a_lost_invitation_is_made_anew_by_a_player(house: House) -> None:
    maker, made = new_game(house, ("me", "link"))
    host, first = Guest(maker, made["seats"][0]["seat"], 0), made["seats"][1]["link"]
    second = link_of(host, side=1)
    assert try_to_take(call(house.port), first).status == 410
    assert take(house, second, 1).fresh["side"] == 1
    assert host.post("/link", {"side": 1}).status == 403, "it is taken now"
    assert host.post("/link", {"side": 3}).status == 400


def test_nobody_is_invited_to_the_machines_seat(house: House) -> None:
    maker, made = new_game(house, ("me", "random"))
    assert Guest(maker, made["seats"][0]["seat"], 0).post("/link", {"side": 1}).status == 404


# --- the gallery ------------------------------------------------------------------------------------------------------


def test_any_number_may_watch_by_one_link(house: House) -> None:
    _, made = new_game(house, ("me", "link"))
    watchers = [take(house, made["watch"], 2) for _ in range(3)]
    assert [len(devices(guest)) for guest in watchers] == [1, 1, 1], "of the others none is told"


def test_only_a_player_renews_the_gallerys_link(party: Party) -> None:
    other = party.watcher
    for path, body in (("/link", {}), ("/link", {"side": 2}), ("/link", {"side": 0})):
        assert other.post(path, body).status == 403
    assert other.caller.ask("DELETE", f"{other.base}/devices").status == 403
    ear = other.listen(0)
    ear.wait_for(b"event: presence")
    more = link_of(party.prussia, side=2, ends=False)
    assert take(party.house, more, 2).fresh["side"] == 2
    assert other.fresh["side"] == 2
    link = link_of(party.austria, side=2)
    assert events(ended(ear))[-1][0] == "problem"
    assert other.get("").status == 404
    assert try_to_take(call(party.house.port), more).json["title"] == "No longer valid"
    assert take(party.house, link, 2, other.caller).fresh["side"] == 2, "there is a way back"


def test_who_watches_may_leave(party: Party) -> None:
    other = party.watcher
    assert other.caller.ask("DELETE", f"{other.base}/devices/1").status == 404, "the maker's"
    assert other.caller.ask("DELETE", f"{other.base}/devices/2").status == 204
    assert other.get("").status == 404


def test_where_only_machines_play_the_maker_has_the_gallerys_link(house: House) -> None:
    caller, made = new_game(house, ("random", "random"))
    (line,) = caller.get("/api/home").json["games"]
    host = Guest(caller, line["seats"][2]["seat"], 2)
    watcher = take(house, made["watch"], 2)
    assert watcher.post("/link", {"side": 2}).status == 403
    link_of(host, side=2)
    assert watcher.get("").status == 404
    assert host.fresh["side"] == 2
