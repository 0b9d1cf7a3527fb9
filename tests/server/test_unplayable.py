import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from leuthen import load
from leuthen.play.record import parse
from leuthen.play.replay import parse_outcome
from leuthen.screen.presenter import TableRuleset
from leuthen.server.bots.workers import Brief
from leuthen.server.bots.workers import answer as think
from leuthen.server.session.history import result_from
from leuthen.storage.sqlite import FILE
from tests.server.conftest import (
    GameClients,
    NewServer,
    SeatClient,
    create_game,
    never_finish,
    new_caller,
    start_game,
    take_seat,
)
from tests.server.harness import TestServer
from tests.server.test_connections import play_a_round
from tests.server.test_history import import_record

READ = ("", "/chronicle", "/turns", "/past?n=0", "/record", "/notes", "/chat")


@pytest.fixture
def played_game(server: TestServer) -> GameClients:
    game = start_game(server, "3")
    play_a_round(game)
    game.prussia.orders("bid 2")
    return game


def unload(server: TestServer, folder: Path, *changes: str) -> None:
    server.registry.sessions.clear()
    server.registry._alive.clear()  # Python may free unused objects late
    with closing(sqlite3.connect(folder / "games" / FILE)) as raw:
        for change in changes:
            raw.execute(change)
        raw.commit()


@pytest.fixture(params=["version", "data", "refused", "scenario", "proof"])
def unplayable(
    played_game: GameClients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> GameClients:
    changes = {
        "refused": "UPDATE actions SET text = 'step north 77' WHERE text = 'peek'",
        "scenario": "UPDATE games SET scenario = 'duel', version = '0'",
        "proof": "UPDATE proof SET text = replace(text, substr(text, -8), '00000000') WHERE text LIKE 'block%'",
    }
    unload(played_game.server, tmp_path, *([changes[request.param]] if request.param in changes else []))
    if request.param == "version":
        monkeypatch.setattr(load.load("toy"), "version", "2")
        monkeypatch.setattr(load.load("toy"), "north", 0)
    elif request.param == "data":
        monkeypatch.setattr(load.load("toy"), "digest", "abcdef")
    return played_game


def test_an_unplayable_game_can_be_read(unplayable: GameClients) -> None:
    for client in unplayable.clients:
        for path in READ:
            answer = client.get(path)
            assert answer.status == 200, (path, answer.body)
        assert client.snapshot["unplayable"].startswith("This game cannot continue here")
        assert client.snapshot["awaited"] == []
        assert client.snapshot["unplayable"] in client.entries()
        assert b"cannot continue here" in client.subscribe().wait_for(b'"unplayable":"T')
    line = unplayable.austria.caller.get("/api/home").json["games"][0]
    assert line["unplayable"].startswith("This game cannot continue here")
    assert (line["waiting"], line["is_your_turn"]) == ([], False)


def test_an_unplayable_game_keeps_its_secrets(unplayable: GameClients) -> None:
    prussia, austria, spectator = (
        client.get("/record").body + client.get("/chronicle").body for client in unplayable.clients
    )
    assert b"bid 2" in prussia
    assert b"bid 3" in austria
    for text, secrets in (
        (austria, (b"bid 2", b"77")),
        (spectator, (b"bid 2", b"bid 3", b"77")),
        (prussia, (b"bid 3",)),
    ):
        assert not any(secret in text for secret in secrets)


def test_an_unplayable_game_refuses_orders(unplayable: GameClients) -> None:
    austria, n = unplayable.austria, unplayable.austria.n
    for answer in (
        austria.order("bid 1", n),
        austria.move("undo", seen=n),
        austria.move("ask-takeback", 1, seen=n),
        austria.post("/form", {"partial_order": {}}),
    ):
        assert answer.status == 409, answer.body
        assert "cannot continue here" in answer.json["title"]
    assert austria.n == n
    assert unplayable.prussia.n == unplayable.prussia.snapshot["n"]


def test_players_can_agree_a_draw_in_an_unplayable_game(unplayable: GameClients, tmp_path: Path) -> None:
    is_position_known = "proof does not match" in unplayable.austria.snapshot["unplayable"]
    assert unplayable.austria.move("offer-draw").status == 200
    assert unplayable.prussia.move("accept").status == 200
    unload(unplayable.server, tmp_path)
    for client in unplayable.clients:
        assert client.snapshot["has_ended"]
        recorded = parse(Path("x"), client.get("/record").body)
        assert recorded.end.startswith("draw agreement 175")
        assert recorded.end.endswith(" -") != is_position_known
        assert [entry.text for entry in recorded.entries][-2:] == ["bid 2", "agree-draw"]
        assert "prussia accepts the draw." in [line.lower() for line in client.entries()]
    assert unplayable.prussia.caller.get("/api/home").json["games"][0]["result"].startswith("A draw: agreement")


def test_resigning_an_unplayable_game_reveals_everything(unplayable: GameClients) -> None:
    assert unplayable.prussia.move("resign").status == 200
    assert b"bid 3" in unplayable.spectator.get("/record").body
    assert "austria bid 3" in unplayable.spectator.get("/record").body.decode()
    assert unplayable.spectator.get("/chronicle?viewer=3").status == 200


def test_an_ended_unplayable_game_keeps_its_result(played_game: GameClients, tmp_path: Path) -> None:
    change = "UPDATE games SET has_ended = 1, result = 'Austria wins: points, 1758 (T4).'"
    unload(played_game.server, tmp_path, change, "UPDATE actions SET text = 'bid 9' WHERE text = 'bid 3'")
    snapshot = played_game.spectator.snapshot
    assert (snapshot["has_ended"], snapshot["scene"]["result"]) == (True, "Austria wins: points, 1758 (T4).")
    assert parse(Path("x"), played_game.spectator.get("/record").body).end == "austria points 1758 T4 -"


def test_a_game_of_a_missing_rule_set_has_only_its_record(played_game: GameClients, tmp_path: Path) -> None:
    unload(played_game.server, tmp_path, "UPDATE games SET ruleset = 'chess'")
    answer = played_game.prussia.get("")
    assert (answer.status, answer.json["title"]) == (410, "This game cannot be shown")
    assert "record" in answer.json["detail"]
    line = played_game.prussia.caller.get("/api/home").json["games"][0]
    assert "the rule set chess is not installed" in line["unplayable"]
    record = played_game.prussia.get("/record").body
    assert b"ruleset chess 1 " in record
    assert b"chance die" in record
    assert b"bid" not in record


def test_an_unplayable_game_rolls_no_dice(server: TestServer, tmp_path: Path) -> None:
    game = start_game(server, "3")
    game.prussia.orders("bid 1")
    game.austria.orders("bid 2")
    unload(server, tmp_path, "UPDATE games SET data = '0'", "DELETE FROM actions WHERE actor = 'chance'")
    game.prussia.move("offer-draw")
    assert not any("die shows" in line for line in game.prussia.entries())


def test_a_bot_accepts_a_draw_in_an_unplayable_game(new_server: NewServer, tmp_path: Path) -> None:

    server = new_server(run=never_finish)
    _, made = create_game(server, ("link", "random"))
    client = take_seat(server, made["seats"][0]["link"], 0)
    unload(server, tmp_path, "UPDATE games SET data = '0'")
    assert client.move("offer-draw").status == 200
    assert client.snapshot["scene"]["result"].startswith("A draw: agreement")


@pytest.mark.parametrize("words", ["", "nobody knows 17 R1 x", "draw agreement now - -"])
def test_a_text_without_an_outcome_is_parsed_as_none(words: str) -> None:
    assert parse_outcome(load.load("frederick"), words) is None
    assert result_from(load.load("frederick"), words) is None


def test_a_game_of_an_older_version_continues_if_still_legal(
    server: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start_game(server, "3")
    game.prussia.orders("bid 1")
    monkeypatch.setattr(load.load("toy"), "version", "2")
    server.registry.sessions.clear()
    game.austria.orders("bid 2")
    assert game.austria.snapshot["unplayable"] == ""
    assert game.prussia.caller.get("/api/home").json["games"][0]["unplayable"] == ""
    game.prussia.move("resign")
    record = game.spectator.get("/record").body
    assert b"ruleset toy 1 " in record
    bringer = new_caller(server.port)
    made = import_record(bringer, record)
    assert made.status == 201, made.body
    again = SeatClient(bringer, made.json["seats"][0]["seat"], 0)
    assert (again.snapshot["unplayable"], again.snapshot["has_ended"]) == ("", True)
    assert b"ruleset toy 1 " in again.get("/record").body


def test_a_game_keeps_its_data_after_an_upgrade(
    server: TestServer, toy_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setattr(load.RULESETS["toy"], "kept", kept)
    game = start_game(server, "3")
    game.prussia.orders("bid 1")
    (kept / "abcd").mkdir(parents=True)
    (kept / "abcd" / "toy.csv").write_text((toy_data / "toy.csv").read_text())
    (toy_data / "toy.csv").write_text("digest,ef01\n")
    load.load.cache_clear()
    server.registry.sessions.clear()
    game.austria.orders("bid 2")
    assert game.austria.snapshot["unplayable"] == ""
    assert server.session(game.id).ruleset.digest == "abcd"
    game.prussia.move("resign")
    assert parse(Path("x"), game.spectator.get("/record").body).header.data == "abcd"
    assert server.session(start_game(server).id).ruleset.digest == "ef01"


def test_data_are_found_only_by_their_digest(toy_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load.RULESETS["toy"], "kept", tmp_path / "kept")
    (tmp_path / "kept" / "0000").mkdir(parents=True)
    (tmp_path / "kept" / "0000" / "toy.csv").write_text("digest,0000\n")
    assert load.load_with("toy", "0000").digest == "0000"
    for digest in ("abcd", "ffff", "..", "../kept/0000", "0000/", ""):
        assert load.load_with("toy", digest).digest == "abcd"


def test_a_bot_uses_the_data_of_its_game(toy_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def loaded(name: str, digest: str) -> TableRuleset:
        asked.append(digest)
        return load.load_with(name, digest)

    monkeypatch.setattr("leuthen.server.bots.workers.load_with", loaded)
    toy = load.load("toy")
    think(Brief("toy", "0000", toy.encode_view(toy.view(toy.new_game("parley", {}), 0)), 0, b"", "random", 1))
    assert asked == ["0000"]
