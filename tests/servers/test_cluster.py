"""Games that one of two servers leads are played through both, as if there were one."""

from __future__ import annotations

import pytest

from tests.server.conftest import call, events, new_game, new_key, secret_of, sentences, take
from tests.servers.conftest import Crossed, Pair, at

READS = (
    "",
    "/chronicle",
    "/turns",
    "/record",
    "/notes",
    "/chat",
    "/devices",
    "/standing",
    "/left",
    "/blocks",
    "/past",
)


def test_a_game_is_played_through_both(crossed: Crossed) -> None:
    prussia, austria, watcher = crossed.prussia, crossed.austria, crossed.watcher
    ears = [prussia.listen(0), austria.listen(0), watcher.listen(0)]
    prussia.orders("bid 1")
    austria.orders("bid 2")
    prussia.orders("step north 1", "done")
    for ear, guest in zip(ears, (prussia, austria, watcher), strict=True):
        ear.wait_for(b'"n":%d,' % guest.n)
        assert sentences(ear.heard) == guest.told()
    assert crossed.pair.ask("SELECT game, server FROM leads") == [
        f"{crossed.game}|{crossed.pair.id_of(crossed.pair.one)}"
    ]


@pytest.mark.parametrize("read", READS)
def test_every_answer_is_the_same_through_the_other(crossed: Crossed, read: str) -> None:
    crossed.prussia.orders("bid 1")
    there = at(crossed.pair.other, crossed.prussia)
    assert there.get(read) == crossed.prussia.get(read)


def test_refusals_are_the_same_through_the_other(crossed: Crossed) -> None:
    there = at(crossed.pair.other, crossed.prussia)
    for path, body in (
        ("/orders", {"seen": 0, "key": new_key(), "order": "fly"}),
        ("/orders", b"{"),
        ("/orders", b"x" * 70_000),
        ("/moves", {"seen": 99, "key": new_key(), "do": "resign"}),
        ("/no", {}),
    ):
        assert there.post(path, body) == crossed.prussia.post(path, body), path
    assert call(crossed.pair.other.port).get(f"/api/seats/{crossed.austria.seat}").status == 404


def test_a_device_that_is_signed_out_hears_no_more_wherever_it_listens(crossed: Crossed) -> None:
    link = crossed.austria.post("/link", {"side": 1}).json["link"]
    thief = take(crossed.pair.other, link, 1)
    ear = thief.listen(0)
    ear.wait_for(b"event: news")
    first = at(crossed.pair.one, crossed.austria)
    assert first.caller.ask("DELETE", f"{first.base}/devices").status == 204
    ear.wait_for(b"Signed out")
    crossed.prussia.orders("bid 1")
    assert thief.get("").status == 404
    assert events(ear.heard)[-1][0] == "problem"


def test_a_seat_is_taken_once_by_two_at_both(pair: Pair) -> None:
    _, made = new_game(pair.one, ("me", "link"))
    secret = secret_of(made["seats"][1]["link"])
    statuses = [call(house.port).post("/api/take", {"secret": secret}).status for house in (pair.other, pair.one)]
    assert statuses == [200, 410]


def test_a_request_sent_twice_counts_once_through_both(crossed: Crossed) -> None:
    key, there = new_key(), at(crossed.pair.other, crossed.prussia)
    first, again = crossed.prussia.order("bid 1", 0, key), there.order("bid 1", 0, key)
    assert (first.status, first.body) == (200, again.body)
    assert crossed.pair.ask("SELECT text FROM actions") == ["bid 1"]


def test_a_rematch_that_the_other_leads_is_told_of(crossed: Crossed) -> None:
    crossed.prussia.move("resign")
    crossed.prussia.move("offer-rematch")
    made = crossed.austria.post("/rematch", {})
    assert made.status == 201, made.body
    crossed.pair.ask(
        f"UPDATE leads SET server = '{crossed.pair.id_of(crossed.pair.other)}' WHERE game <> '{crossed.game}'"
    )
    again = crossed.prussia.post("/rematch", {})
    assert (again.status, again.json["game"]) == (201, made.json["game"])
