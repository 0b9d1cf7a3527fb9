"""Games that outlive an upgrade: they keep their data, and their rulings until both sides agree to newer ones."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from leuthen import load
from leuthen.engine.ruleset import Ruleset
from leuthen.play.record import parse
from leuthen.server.bots.thinking import BotTask, answer
from tests.server.conftest import Party, call, new_party, take
from tests.server.house import House


@pytest.fixture
def ruled(house: House, shelf: Path) -> House:
    """A server whose toy has its ruling."""
    (shelf / "toy.csv").write_text("digest,abcd\nrulings\n")
    return house


def game_by(house: House, rulings: str = "") -> Party:
    """A game by the rulings up to that number, or by all; the Prussian side moves."""
    options = {"rulings": rulings} if rulings else {}
    body = {"players": ("link", "link"), "ruleset": "toy", "scenario": "parley", "options": options}
    made = call(house.port).post("/api/games", body).json
    links = [*(seat["link"] for seat in made["seats"]), made["watch"]]
    prussia, austria, watcher = (take(house, link, side) for side, link in enumerate(links))
    prussia.orders("bid 1")
    austria.orders("bid 2")
    return Party(made["game"], prussia, austria, watcher, house)


def test_a_new_game_is_played_by_the_newest(ruled: House) -> None:
    party = game_by(ruled)
    assert party.watcher.fresh["options"]["rulings"] == "1"
    party.prussia.orders("step north 3")


def test_a_game_keeps_its_own_until_both_agree(ruled: House) -> None:
    party = game_by(ruled, "0")
    assert party.prussia.order("step north 3").status == 422
    assert party.prussia.move("offer-rulings", 1).status == 200
    assert party.prussia.order("step north 3").status == 422, "an offer alone changes nothing"
    said = party.austria.fresh["proposals"][0]["text"]
    assert said == "Prussia proposes to play on by the rulings up to number 1."
    assert party.austria.move("accept").status == 200
    party.prussia.orders("step north 3")
    party.house.registry.sessions.clear()
    assert [guest.fresh["options"]["rulings"] for guest in party.guests] == ["1", "1", "1"]
    party.prussia.move("resign")
    recorded = parse(Path("x"), party.watcher.get("/record").body)
    assert recorded.header.options["rulings"] == "0"
    assert "adopt-rulings 1" in [entry.text for entry in recorded.entries]


@pytest.mark.parametrize(("number", "why"), [(0, "already"), (2, "no ruling"), (-1, "no ruling")])
def test_only_newer_rulings_are_offered(ruled: House, number: int, why: str) -> None:
    party = game_by(ruled, "0")
    answer = party.prussia.move("offer-rulings", number)
    assert (answer.status, why in answer.json["detail"]) == (400, True)


def test_an_offer_that_is_declined_changes_nothing(ruled: House) -> None:
    party = game_by(ruled, "0")
    party.prussia.move("offer-rulings", 1)
    assert party.austria.move("decline").status == 200
    assert party.austria.move("accept").status == 409
    assert party.prussia.order("step north 3").status == 422


def test_a_game_keeps_its_data_when_others_come(
    house: House, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setitem(load.RULESETS, "toy", msgspec.structs.replace(load.RULESETS["toy"], kept=kept))
    party = new_party(house, "3")
    party.prussia.orders("bid 1")
    (kept / "abcd").mkdir(parents=True)
    (kept / "abcd" / "toy.csv").write_text((shelf / "toy.csv").read_text())
    (shelf / "toy.csv").write_text("digest,ef01\n")
    load.load.cache_clear()
    house.registry.sessions.clear()
    party.austria.orders("bid 2")
    assert party.austria.fresh["stranded"] == ""
    assert house.session(party.game).ruleset.digest == "abcd"
    party.prussia.move("resign")
    assert parse(Path("x"), party.watcher.get("/record").body).header.data == "abcd"
    assert house.session(new_party(house).game).ruleset.digest == "ef01"


def test_data_are_found_by_their_digest_and_by_nothing_else(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(load.RULESETS, "toy", msgspec.structs.replace(load.RULESETS["toy"], kept=tmp_path / "kept"))
    (tmp_path / "kept" / "0000").mkdir(parents=True)
    (tmp_path / "kept" / "0000" / "toy.csv").write_text("digest,0000\n")
    assert load.load_with("toy", "0000").digest == "0000"
    for digest in ("abcd", "ffff", "..", "../kept/0000", "0000/", ""):
        assert load.load_with("toy", digest).digest == "abcd"


def test_a_machine_thinks_with_the_data_of_its_game(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def loaded(name: str, digest: str) -> Ruleset:
        asked.append(digest)
        return load.load_with(name, digest)

    monkeypatch.setattr("leuthen.server.bots.thinking.load_with", loaded)
    toy = load.load("toy")
    answer(BotTask("random", "toy", 0, toy.encode_view(toy.view(toy.new_game("parley", {}), 0)), 1, "0000"))
    assert asked == ["0000"]
