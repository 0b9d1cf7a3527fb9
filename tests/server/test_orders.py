import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from leuthen.storage import sqlite
from tests.server.conftest import NewServer, Party, SeatClient, call, for_ever, new_game, new_party, sentences
from tests.server.harness import Answer, TestServer


def actions_of(folder: Path, game: str) -> list[str]:
    with sqlite3.connect(folder / "games" / sqlite.FILE) as raw:
        rows = raw.execute(
            "SELECT actor || ' ' || text FROM actions WHERE game = ? ORDER BY number", (game,)
        ).fetchall()
    raw.close()
    return [row[0] for row in rows]


def test_an_order_is_on_disk_when_it_is_acknowledged(party: Party, tmp_path: Path) -> None:
    answer = party.prussia.order("bid 3")
    assert (answer.status, answer.json["n"]) == (200, 1)
    assert actions_of(tmp_path, party.game) == ["prussia bid 3"]


def test_chance_answers_in_the_same_commit(in_move: Party, tmp_path: Path) -> None:
    bid_one, bid_two, die = actions_of(tmp_path, in_move.game)
    assert [bid_one, bid_two] == ["prussia bid 1", "austria bid 2"]
    assert die.startswith("chance die ")
    assert in_move.prussia.fresh["awaited"][0]["is_yours"] is True


def test_the_same_request_counts_once(party: Party, tmp_path: Path) -> None:
    first = party.prussia.order("bid 3", 0, "the-same-key")
    again = party.prussia.order("bid 3", 0, "the-same-key")
    assert (first.status, again.status, first.body) == (200, 200, again.body)
    assert actions_of(tmp_path, party.game) == ["prussia bid 3"]


def test_the_same_request_counts_once_after_a_restart(party: Party, new_server: NewServer, tmp_path: Path) -> None:
    first = party.prussia.order("bid 3", 0, "the-same-key")
    party.prussia.caller.port = new_server().port
    again = as_it_is(party.prussia).order("bid 3", 0, "the-same-key")
    assert (again.status, again.body) == (200, first.body)
    assert actions_of(tmp_path, party.game) == ["prussia bid 3"]


def as_it_is(guest: SeatClient) -> SeatClient:
    caller = call(guest.caller.port)
    caller.cookies = guest.caller.cookies
    return SeatClient(caller, guest.seat, guest.side)


OTHERS: tuple[tuple[str, object], ...] = (
    ("/orders", {"seen": 0, "key": "the-same-key", "order": "bid 2"}),
    ("/orders", {"seen": 1, "key": "the-same-key", "order": "bid 3"}),
    ("/moves", {"seen": 1, "key": "the-same-key", "do": "resign"}),
    ("/moves", {"seen": 0, "key": "the-same-key", "do": "offer-draw"}),
)


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_key_is_bound_to_its_request(new_server: NewServer, is_restarted: bool) -> None:
    party = new_party(new_server())
    guest = party.prussia
    assert guest.order("bid 3", 0, "the-same-key").json["n"] == 1
    if is_restarted:
        guest.caller.port = new_server().port
        guest = as_it_is(guest)
    for path, body in OTHERS:
        other = guest.post(path, body)
        assert (other.status, other.json["title"]) == (422, "Key already used"), path
    assert guest.fresh["has_ended"] is False
    assert guest.fresh["proposals"] == []
    again = b'{ "order": "bid 3", "key": "the-same-key",\n "seen": 0}'
    assert guest.caller.ask("POST", f"{guest.base}/orders", again).json["n"] == 1, "the same, written otherwise"
    assert guest.n == 1


def test_what_was_withdrawn_is_withdrawn_once(party: Party) -> None:
    party.prussia.move("offer-draw")
    first, again = (party.prussia.move("withdraw", key="the-same-key") for _ in range(2))
    assert first == again
    assert first.status == 200


def test_a_key_of_the_chat_is_bound_to_what_was_said(party: Party) -> None:
    said = [party.prussia.post("/chat", {"key": "the-same-key", "text": text}).status for text in ("Yes", "No", "Yes")]
    assert said == [200, 422, 200]
    assert len(party.austria.get("/chat").json["lines"]) == 1


def test_who_has_not_seen_everything_is_told_so(in_move: Party) -> None:
    n = in_move.prussia.n
    answer = in_move.prussia.order("done", n - 1)
    assert (answer.status, answer.json["n"]) == (409, n)
    assert in_move.prussia.n == n


def test_of_two_orders_at_once_one_counts(in_move: Party) -> None:
    guest, n, barrier = in_move.prussia, in_move.prussia.n, Barrier(2)
    answers: list[Answer] = []

    def order(text: str) -> None:
        one = as_it_is(guest)
        barrier.wait()
        answers.append(one.order(text, n))

    threads = [Thread(target=order, args=(text,)) for text in ("step north 1", "step north 2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status for answer in answers) == [200, 409]
    assert guest.n == n + 1


def test_the_rule_that_forbids_it_is_named(in_move: Party) -> None:
    answer = in_move.prussia.order("step south 2")
    assert answer.status in (200, 422)
    answer = in_move.prussia.order("step north 9")
    assert (answer.status, answer.json["rule"]) == (422, "T3.2")
    assert "2 at most" in answer.json["detail"]
    assert dict(answer.headers)["content-type"] == "application/problem+json"


@pytest.mark.parametrize("text", ["dance", "step", "step north north north", "", "\x00", "<b>bid</b>", "die 6", "undo"])
def test_what_is_not_understood_changes_nothing(in_move: Party, text: str) -> None:
    before = in_move.prussia.fresh
    assert in_move.prussia.order(text).status in (400, 422)
    assert in_move.prussia.fresh == before


def test_who_is_not_asked_may_not_act(in_move: Party) -> None:
    before = in_move.austria.fresh
    assert in_move.austria.order("done").status == 422
    assert in_move.austria.fresh == before


def test_who_watches_may_not_act(party: Party) -> None:
    watcher = party.watcher
    assert watcher.order("bid 1", 0).status == 403
    assert watcher.move("resign", seen=0).status == 403
    assert watcher.post("/form", {"partial_order": {}}).status == 403
    assert party.prussia.fresh["has_ended"] is False


def test_an_order_is_made_in_a_form(party: Party) -> None:
    form = party.prussia.post("/form", {"partial_order": {}}).json
    assert [choice["token"] for choice in form["fields"][-1]["choices"]] == ["1", "2", "3"]
    form = party.prussia.post("/form", {"partial_order": {"points": "3"}}).json
    assert form["order"] == "bid 3"


# --- drafts -----------------------------------------------------------------------------------------------------------


def test_a_draft_is_told_to_nobody_else_and_undone_without_a_trace(in_move: Party) -> None:
    others = in_move.austria, in_move.watcher
    ears = [guest.listen(guest.n) for guest in others]
    before = [(guest.fresh, ear.wait_for(b"presence")) for guest, ear in zip(others, ears, strict=True)]
    in_move.prussia.orders("step north 1", "step north 2")
    assert in_move.prussia.move("undo").status == 200
    assert in_move.prussia.fresh["can_undo"] is True
    assert [guest.fresh for guest in others] == [fresh for fresh, _ in before]
    in_move.prussia.orders("done")
    for guest, ear, (_, heard) in zip(others, ears, before, strict=True):
        told = sentences(ear.wait_for(b"is done")[len(heard) :])
        assert told == ["prussia steps +1.", "prussia is done."], guest.side


def test_undo_is_told_to_its_own_side(in_move: Party) -> None:
    ear = in_move.prussia.listen(in_move.prussia.n)
    in_move.prussia.orders("step north 1")
    n = in_move.prussia.n
    before = in_move.prussia.told()
    answer = in_move.prussia.move("undo")
    assert (answer.status, answer.json["n"]) == (200, n + 1)
    heard = ear.wait_for(b'"dropped":1')
    assert b"id: %d\n" % (n + 1) in heard
    assert in_move.prussia.told() == before[:-1]
    assert in_move.prussia.fresh["can_undo"] is False


def test_what_was_revealed_cannot_be_undone(in_move: Party) -> None:
    in_move.prussia.orders("peek")
    answer = in_move.prussia.move("undo")
    assert answer.status == 400
    assert "nothing can be taken back" in answer.json["detail"]


def test_a_sealed_choice_is_hidden_until_both_have_sealed(party: Party) -> None:
    ears = [guest.listen(0) for guest in (party.austria, party.watcher)]
    party.prussia.orders("bid 3")
    for guest in (party.austria, party.watcher):
        fresh = guest.get("")
        assert b"bids 3" not in fresh.body
        assert "sealed (-1, 0)" in fresh.json["scene"]["notes"]
    assert "sealed (3, 0)" in party.prussia.fresh["scene"]["notes"]
    party.austria.orders("bid 1")
    for ear in ears:
        heard = ear.wait_for(b"The die shows")
        assert b"bids 3" not in heard
    assert party.prussia.told()[0] == "prussia bids 3."


def test_a_sealed_choice_may_be_opened_again(party: Party) -> None:
    party.prussia.orders("bid 3")
    assert party.prussia.order("reopen").status == 200
    party.prussia.orders("bid 1")
    party.austria.orders("bid 1")
    assert party.prussia.order("reopen").status == 422


def test_a_game_goes_on_as_it_was_after_a_restart(in_move: Party, new_server: NewServer) -> None:
    in_move.prussia.orders("step north 1", "step north 2")
    in_move.prussia.move("undo")
    before = [guest.fresh for guest in in_move.guests]
    told = [guest.told() for guest in in_move.guests]
    port = new_server().port
    again = []
    for guest in in_move.guests:
        guest.caller.port = port
        again.append(as_it_is(guest))
    assert [guest.fresh for guest in again] == before
    assert [guest.told() for guest in again] == told
    again[0].orders("done")


# --- faults of the disk -----------------------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_nothing_is_lost(in_move: Party, tmp_path: Path) -> None:
    store = in_move.server.store
    before, record = in_move.prussia.fresh, actions_of(tmp_path, in_move.game)
    with full_disk(store):
        answer = in_move.prussia.order("step north 1", key="the-same-key")
        assert (answer.status, answer.json["title"]) == (507, "The disk is full")
        assert dict(answer.headers)["retry-after"] == "10"
        assert in_move.prussia.fresh == before
    assert actions_of(tmp_path, in_move.game) == record
    assert in_move.prussia.order("step north 1", before["n"], "the-same-key").status == 200


@contextmanager
def full_disk(store: Any) -> Iterator[None]:
    engine = store._writing
    with engine.begin() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").all()
        connection.exec_driver_sql("CREATE TEMP TRIGGER full BEFORE INSERT ON main.actions BEGIN SELECT 1; END")
        connection.exec_driver_sql(
            "CREATE TEMP TRIGGER fill AFTER INSERT ON main.actions BEGIN "
            "INSERT INTO about VALUES ('filler', zeroblob(1000000)); END"
        )
    try:
        yield
    finally:
        with engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000").all()
            connection.exec_driver_sql("DROP TRIGGER fill")
            connection.exec_driver_sql("DROP TRIGGER full")


def test_a_locked_database_is_told_and_nothing_is_lost(
    new_server: NewServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    party = new_party(new_server())
    other = sqlite3.connect(tmp_path / "games" / sqlite.FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = party.prussia.order("bid 1", 0, "the-same-key")
    assert (answer.status, answer.json["title"]) == (503, "The database is busy")
    assert party.prussia.n == 0
    other.execute("COMMIT")
    other.close()
    assert party.prussia.order("bid 1", 0, "the-same-key").status == 200


# --- machines ---------------------------------------------------------------------------------------------------------


def test_a_machine_answers(server: TestServer) -> None:
    caller, made = new_game(server, ("me", "random"), "3")
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    ear = guest.listen(0)
    asked = 0
    while not guest.fresh["has_ended"]:
        if any(one["is_yours"] for one in guest.fresh["awaited"]):
            asked += guest.order(least_order(guest)).status == 200
    assert asked == 6, "a bid and a move in each of three rounds"
    assert guest.fresh["scene"]["result"]
    assert "austria is done." in sentences(ear.wait_for(b'"result"'))


def least_order(guest: SeatClient) -> str:
    partial_order: dict[str, str] = {}
    while not (form := guest.post("/form", {"partial_order": partial_order}).json).get("order"):
        field = form["fields"][-1]
        partial_order[field["key"]] = field["choices"][0]["token"]
    order: str = form["order"]
    return order


def test_two_machines_play_to_the_end(server: TestServer) -> None:
    caller, _ = new_game(server, ("random", "random"), "3")
    watcher = SeatClient(caller, caller.get("/api/home").json["games"][0]["seats"][2]["seat"], 2)
    ear = watcher.listen(0)
    ear.wait_for(b'"result"')
    assert caller.get("/api/home").json["games"][0]["result"], "the list of games knows it, too"


def test_a_machine_that_was_thinking_thinks_again(new_server: NewServer) -> None:
    caller, made = new_game(new_server(run=for_ever), ("me", "random"))
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    guest.orders("bid 1")
    assert guest.n == 1, "the machine is thinking"
    caller.port = new_server().port
    guest = as_it_is(guest)
    ear = guest.listen(0)
    ear.wait_for(b"The die shows")
