import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from leuthen.storage import sqlite
from tests.server.conftest import (
    GameClients,
    NewServer,
    SeatClient,
    creator_of,
    entry_texts,
    never_finish,
    new_caller,
    start_game,
)
from tests.server.harness import Answer


def actions_of(folder: Path, game: str) -> list[str]:
    with sqlite3.connect(folder / "games" / sqlite.FILE) as raw:
        rows = raw.execute(
            "SELECT actor || ' ' || text FROM actions WHERE game = ? ORDER BY number", (game,)
        ).fetchall()
    raw.close()
    return [row[0] for row in rows]


def reconnect(client: SeatClient) -> SeatClient:
    caller = new_caller(client.caller.port)
    caller.cookies = client.caller.cookies
    return SeatClient(caller, client.seat, client.side)


OTHERS: tuple[tuple[str, object], ...] = (
    ("/orders", {"seen": 0, "key": "the-same-key", "order": "bid 2"}),
    ("/orders", {"seen": 1, "key": "the-same-key", "order": "bid 3"}),
    ("/moves", {"seen": 1, "key": "the-same-key", "do": "resign"}),
    ("/moves", {"seen": 0, "key": "the-same-key", "do": "offer-draw"}),
)


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_key_is_bound_to_its_request(new_server: NewServer, tmp_path: Path, is_restarted: bool) -> None:
    game = start_game(new_server())
    client = game.prussia
    first = client.order("bid 3", 0, "the-same-key")
    assert (first.status, first.json["n"]) == (200, 1)
    if is_restarted:
        game.move_to(new_server())
    for path, body in OTHERS:
        other = client.post(path, body)
        assert (other.status, other.json["title"]) == (422, "Key already used"), path
    assert client.snapshot["has_ended"] is False
    assert client.snapshot["proposals"] == []
    again = b'{ "order": "bid 3", "key": "the-same-key",\n "seen": 0}'
    assert client.caller.ask("POST", f"{client.base}/orders", again) == first, "the same request in another format"
    assert actions_of(tmp_path, game.id) == ["prussia bid 3"]


def test_a_chat_key_is_bound_to_its_message(game: GameClients) -> None:
    statuses = [
        game.prussia.post("/chat", {"key": "the-same-key", "text": text}).status for text in ("Yes", "No", "Yes")
    ]
    assert statuses == [200, 422, 200]
    assert len(game.austria.get("/chat").json["lines"]) == 1


def test_an_order_after_unseen_events_is_refused(after_bids: GameClients) -> None:
    n = after_bids.prussia.n
    answer = after_bids.prussia.order("done", n - 1)
    assert (answer.status, answer.json["n"]) == (409, n)
    assert after_bids.prussia.n == n


def test_only_one_of_two_simultaneous_orders_counts(after_bids: GameClients) -> None:
    client, n, barrier = after_bids.prussia, after_bids.prussia.n, Barrier(2)
    answers: list[Answer] = []

    def order(text: str) -> None:
        one = reconnect(client)
        barrier.wait()
        answers.append(one.order(text, n))

    threads = [Thread(target=order, args=(text,)) for text in ("step north 1", "step north 2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status for answer in answers) == [200, 409]
    assert client.n == n + 1


def test_a_refused_order_names_its_rule(after_bids: GameClients) -> None:
    answer = after_bids.prussia.order("step south 2")
    assert answer.status in (200, 422)
    answer = after_bids.prussia.order("step north 9")
    assert (answer.status, answer.json["rule"]) == (422, "T3.2")
    assert "2 at most" in answer.json["detail"]
    assert dict(answer.headers)["content-type"] == "application/problem+json"


@pytest.mark.parametrize("text", ["dance", "step", "step north north north", "", "\x00", "<b>bid</b>", "die 6", "undo"])
def test_an_invalid_order_changes_nothing(after_bids: GameClients, text: str) -> None:
    before = after_bids.prussia.snapshot
    assert after_bids.prussia.order(text).status in (400, 422)
    assert after_bids.prussia.snapshot == before


def test_a_spectator_cannot_act(game: GameClients) -> None:
    spectator = game.spectator
    assert spectator.order("bid 1", 0).status == 403
    assert spectator.move("resign", seen=0).status == 403
    assert spectator.post("/form", {"partial_order": {}}).status == 403
    assert game.prussia.snapshot["has_ended"] is False


# --- drafts -----------------------------------------------------------------------------------------------------------


def test_a_draft_is_invisible_to_others_and_undone_without_trace(after_bids: GameClients) -> None:
    others = after_bids.austria, after_bids.spectator
    streams = [client.subscribe(client.n) for client in others]
    before = [(client.snapshot, stream.wait_for(b"presence")) for client, stream in zip(others, streams, strict=True)]
    after_bids.prussia.orders("step north 1", "step north 2")
    assert after_bids.prussia.move("undo").status == 200
    assert after_bids.prussia.snapshot["can_undo"] is True
    assert after_bids.prussia.entries()[-1] == "prussia steps +1."
    assert [client.snapshot for client in others] == [snapshot for snapshot, _ in before]
    after_bids.prussia.orders("done")
    for client, stream, (_, received) in zip(others, streams, before, strict=True):
        entries = entry_texts(stream.wait_for(b"is done")[len(received) :])
        assert entries == ["prussia steps +1.", "prussia is done."], client.side


def test_a_revealed_order_cannot_be_undone(after_bids: GameClients) -> None:
    after_bids.prussia.orders("peek")
    answer = after_bids.prussia.move("undo")
    assert answer.status == 400
    assert "nothing can be taken back" in answer.json["detail"]


def test_a_sealed_bid_is_hidden_until_the_die(game: GameClients) -> None:
    streams = [client.subscribe(0) for client in (game.austria, game.spectator)]
    game.prussia.orders("bid 3")
    for client in (game.austria, game.spectator):
        snapshot = client.get("")
        assert b"bids 3" not in snapshot.body
        assert "sealed (-1, 0)" in snapshot.json["scene"]["notes"]
    assert "sealed (3, 0)" in game.prussia.snapshot["scene"]["notes"]
    game.austria.orders("bid 1")
    for stream in streams:
        received = stream.wait_for(b"The die shows")
        assert b"bids 3" not in received
    assert game.prussia.entries()[0] == "prussia bids 3."


def test_a_game_continues_unchanged_after_a_restart(after_bids: GameClients, new_server: NewServer) -> None:
    after_bids.prussia.orders("step north 1", "step north 2")
    after_bids.prussia.move("undo")
    before = [client.snapshot for client in after_bids.clients]
    entries = [client.entries() for client in after_bids.clients]
    after_bids.move_to(new_server())
    assert [client.snapshot for client in after_bids.clients] == before
    assert [client.entries() for client in after_bids.clients] == entries
    after_bids.prussia.orders("done")


# --- faults of the disk -----------------------------------------------------------------------------------------------


def test_a_full_disk_is_reported_and_loses_nothing(
    after_bids: GameClients, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, prussia = after_bids.server.store, after_bids.prussia
    before, record = prussia.snapshot, actions_of(tmp_path, after_bids.id)
    with full_disk(store):
        answers = [prussia.order("step north 1", key="the-same-key") for _ in range(3)]
        assert {(answer.status, answer.json["title"]) for answer in answers} == {(507, "The disk is full")}
        assert dict(answers[0].headers)["retry-after"] == "10"
        assert prussia.snapshot == before
        assert prussia.caller.get("/healthz").status == 507
    assert [line.message for line in caplog.records if "commit failed" in line.message] == [
        "a commit failed, and its orders were refused: the disk is full"
    ]
    assert actions_of(tmp_path, after_bids.id) == record
    assert prussia.caller.get("/healthz").status == 200
    assert prussia.order("step north 1", before["n"], "the-same-key").status == 200


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


def test_a_locked_database_is_reported_and_loses_nothing(
    new_server: NewServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    game = start_game(new_server())
    other = sqlite3.connect(tmp_path / "games" / sqlite.FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = game.prussia.order("bid 1", 0, "the-same-key")
    assert (answer.status, answer.json["title"]) == (503, "The database is busy")
    assert game.prussia.n == 0
    other.execute("COMMIT")
    other.close()
    assert game.prussia.order("bid 1", 0, "the-same-key").status == 200


# --- bots -------------------------------------------------------------------------------------------------------------


def test_a_bot_resumes_thinking_after_a_restart(new_server: NewServer) -> None:
    client = creator_of(new_server(run=never_finish), ("me", "random"))
    client.orders("bid 1")
    assert client.n == 1, "the bot is thinking"
    client.caller.connect_to(new_server().port)
    client.subscribe(0).wait_for(b"The die shows")


def test_a_typed_line_is_completed_and_read(game: GameClients) -> None:
    typed = game.prussia.get("/order-line?text=b").json
    assert typed["words"][0]["token"] == "bid"
    assert typed["refused"]["text"]
    assert game.prussia.get("/order-line?text=bid%203").json["order"] == "bid 3"
    assert game.prussia.get(f"/order-line?text={'x' * 301}").status == 400
    assert "Prussia has" in game.prussia.get("/front").json["text"]


def test_no_line_is_completed_for_a_side_that_waits(after_bids: GameClients) -> None:
    waiting = after_bids.austria.get("/order-line?text=s")
    assert (waiting.status, waiting.json["title"]) == (422, "The rules forbid it")
    assert after_bids.prussia.get("/order-line?text=").status == 200
