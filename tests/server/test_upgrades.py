from pathlib import Path

import pytest

from leuthen import load
from leuthen.play.record import parse
from leuthen.screen.presenter import TableRuleset
from leuthen.server.bots.workers import BotTask, answer
from tests.server.conftest import SeatClient, new_caller, start_game
from tests.server.harness import TestServer
from tests.server.test_history import import_record


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
    answer(BotTask("random", "toy", 0, toy.encode_view(toy.view(toy.new_game("parley", {}), 0)), 1, "0000"))
    assert asked == ["0000"]
