import time
from collections.abc import Sequence
from typing import Any

import pytest

from leuthen.server.session import streams
from tests.server.caller import Ear
from tests.server.conftest import Guest, NewHouse, Party, call, events, new_game, new_party
from tests.server.house import House
from tests.server.test_orders import as_it_is


def merged(target: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def follow(table: dict[str, Any], heard: bytes, said: Sequence[str] = ()) -> tuple[dict[str, Any], list[str]]:
    told = list(said)
    for event, data in events(heard):
        if event == "fresh":
            table = data
        elif event == "news":
            assert data["n"] in (table["n"], table["n"] + 1), "no gap"
            assert not (data["n"] == table["n"] and data["entries"]), "no double"
            told = told[: len(told) - data["dropped"]] + [line["text"] for line in data["entries"]]
            rest = {name: data[name] for name in ("n", "awaited", "can_undo", "proposals")}
            table = {**table, **rest, "scene": merged(table["scene"], data["patch"])}
    return table, told


def same(table: dict[str, Any], guest: Guest) -> None:
    fresh = guest.fresh
    assert {key: table[key] for key in ("n", "scene", "awaited", "can_undo", "proposals")} == {
        key: fresh[key] for key in ("n", "scene", "awaited", "can_undo", "proposals")
    }


def play_a_round(party: Party) -> None:
    party.prussia.orders("bid 1")
    party.austria.orders("bid 3")
    party.prussia.orders("step north 2", "step south 1")
    assert party.prussia.move("undo").status == 200
    party.prussia.orders("peek", "done")
    party.austria.orders("step north 1", "done")


def test_a_page_that_listens_knows_the_table(house: House) -> None:
    party = new_party(house, "3")
    before = [guest.fresh for guest in party.guests]
    ears = [guest.listen(0) for guest in party.guests]
    play_a_round(party)
    for guest, table, ear in zip(party.guests, before, ears, strict=True):
        heard = ear.wait_for(b'"phase":"bid"')
        table, told = follow(table, heard)
        same(table, guest)
        assert told == guest.told()


@pytest.mark.parametrize("after", [0, 2, 5])
def test_who_was_away_goes_on_where_he_was(house: House, after: int) -> None:
    party = new_party(house, "3")
    table = party.prussia.fresh
    ear = party.prussia.listen(0)
    play_a_round(party)
    whole = ear.wait_for(b'"phase":"bid"')
    ear.close()
    table, told = follow(table, part(whole, after))
    table, told = follow(table, resume(party.prussia, after).wait_for(b"event: fresh"), told)
    same(table, party.prussia)
    assert told == party.prussia.told()


def part(heard: bytes, n: int) -> bytes:
    blocks = heard.split(b"\n\n")
    last = max(at for at, block in enumerate(blocks) if b"id: %d\n" % n in block)
    return b"\n\n".join(blocks[: last + 1]) + b"\n\n"


def resume(guest: Guest, last: int) -> Ear:
    ear = Ear(guest.caller.port, f"{guest.base}/stream?after=0", guest.caller.headers() | {"Last-Event-ID": str(last)})
    from tests.server import conftest

    conftest._open.append(ear)
    return ear


def test_who_missed_nothing_is_told_nothing_twice(in_move: Party) -> None:
    table = in_move.austria.fresh
    ear = resume(in_move.austria, table["n"])
    found = events(ear.wait_for(b"event: news"))
    assert [(event, data["entries"], data["patch"]) for event, data in found if event == "news"] == [("news", [], {})]
    assert "fresh" not in dict(found)


def test_drafts_of_others_leave_no_trace_in_a_stream_that_comes_back(in_move: Party) -> None:
    n = in_move.austria.n
    before = news(resume(in_move.austria, n).wait_for(b"event: news"))
    in_move.prussia.orders("step north 1")
    in_move.prussia.move("undo")
    in_move.prussia.orders("step north 2")
    assert news(resume(in_move.austria, n).wait_for(b"event: news")) == before


def news(heard: bytes) -> list[Any]:
    return [data for event, data in events(heard) if event == "news"]


def test_after_a_restart_nothing_is_missing(new_house: NewHouse) -> None:
    party = new_party(new_house(), "3")
    table = party.austria.fresh
    play_a_round(party)
    told = party.austria.told()
    party.austria.caller.port = new_house().port
    guest = as_it_is(party.austria)
    table, heard = follow(table, resume(guest, 0).wait_for(b"event: fresh"))
    same(table, guest)
    assert heard == told


def test_who_missed_too_much_gets_a_fresh_view(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_MISSED", 3)
    party = new_party(house, "3")
    play_a_round(party)
    for after in (0, 1000, -5):
        heard = party.prussia.listen(after).wait_for(b"event: fresh")
        assert [event for event, _ in events(heard) if event != "presence"] == ["fresh"], after


def test_who_reads_too_slowly_gets_a_fresh_view(in_move: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "DEPTH", 0)
    table = in_move.austria.fresh
    ear = in_move.austria.listen(table["n"])
    in_move.prussia.orders("step north 2", "done")
    heard = ear.wait_for(b'"is_yours":true')
    while b"event: fresh" not in heard:
        heard = ear.wait_for(b"event: fresh")
    table = [data for event, data in events(heard) if event == "fresh"][-1]
    same(table, in_move.austria)


def test_who_is_at_the_table_is_told(party: Party) -> None:
    ear = party.prussia.listen(0)
    ear.wait_for(b'{"sides":[0]}')
    other = party.austria.listen(0)
    ear.wait_for(b'{"sides":[0,1]}')
    other.close()
    wait_for(lambda: ear.heard.endswith(b'{"sides":[0]}\n\n'))


def wait_for(is_so: Any) -> None:
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    raise TimeoutError


def test_silence_is_broken_by_an_event_that_a_page_hears(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.server.http import seats

    monkeypatch.setattr(seats, "HEARTBEAT", 0.02)
    ear = party.prussia.listen(0)
    wait_for(lambda: ear._data.count(b"event: still\ndata: {}\n\n") > 2)


def test_ten_pages_of_a_browser_still_load(house: House) -> None:
    caller, made = new_game(house, ("me", "link"))
    guest = Guest(caller, made["seats"][0]["seat"], 0)
    ears = [guest.listen(0) for _ in range(10)]
    for ear in ears[:6]:
        assert events(ear.wait_for(b"Open elsewhere"))[-1][1]["status"] == 429
    guest.orders("bid 1")
    for ear in ears[6:]:
        ear.wait_for(b"bids 1")
    assert all(b"bids 1" not in ear.heard for ear in ears[:6])


def test_another_browser_has_streams_of_its_own(party: Party) -> None:
    ears = [guest.listen(0) for guest in party.guests for _ in range(4)]
    for ear in ears:
        assert b"problem" not in ear.wait_for(b"event: news")


def test_a_full_server_says_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.registry.connection_limits = streams.ConnectionLimits(per_seat=2)
    party = new_party(house)
    others = [as_it_is(party.watcher) for _ in range(2)]
    for other in others:
        other.listen(0).wait_for(b"event: news")
    heard = party.watcher.listen(0).wait_for(b"event: problem")
    assert events(heard)[-1][1]["title"] == "The table is full"
    assert b"retry: 30000" in heard


def test_an_end_of_the_server_ends_its_streams(house: House) -> None:
    party = new_party(house)
    ears = [guest.listen(0) for guest in party.guests]
    for ear in ears:
        ear.wait_for(b"event: news")
    start = time.monotonic()
    house.stop()
    for ear in ears:
        ear._reader.join(10)
        assert not ear._reader.is_alive()
    assert not house.is_alive()
    assert time.monotonic() - start < 30, "it does not wait for them for ever"


def test_a_closed_page_leaves_no_listener(party: Party) -> None:
    ears = [party.prussia.listen(0) for _ in range(3)]
    for ear in ears:
        ear.wait_for(b"event: news")
    session = party.house.session(party.game)
    assert len(session.broadcaster.subscribers) == 3
    for ear in ears:
        ear.close()
    wait_for(lambda: not session.broadcaster.subscribers and not party.house.registry.connection_limits._subscribers)


def test_a_watcher_sees_all_after_the_end(party: Party) -> None:
    party.prussia.orders("bid 3")
    table = party.watcher.fresh
    ear = party.watcher.listen(table["n"])
    party.prussia.move("resign")
    heard = ear.wait_for(b'"result"')
    table, told = follow(table, heard)
    assert told[-1] == "Prussia resigns."
    assert "sealed (3, 0)" in table["scene"]["notes"]
    same(table, party.watcher)


def test_a_new_face_is_told(house: House) -> None:
    caller, made = new_game(house, ("me", "link"))
    guest = Guest(caller, made["seats"][0]["seat"], 0)
    ear = guest.listen(0)
    ear.wait_for(b"event: news")
    call(house.port).post("/api/take", {"secret": made["seats"][1]["link"].removeprefix("/seat#")})
    heard = ear.wait_for(b"event: fresh")
    assert events(heard)[-1][1]["seats"][1]["who"] == "person"
