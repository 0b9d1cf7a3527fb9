import shutil
from pathlib import Path

import pytest

from leuthen.load import map_folder
from leuthen.server.http import files, home
from tests.server.caller import Answer
from tests.server.conftest import NewHouse, call, new_game

ASKED = ("/api/rulesets/toy/rules", "/map/toy.svg", "/api/rulesets/toy", "/api/rulesets", "/api/home", "/healthz")


def said(answer: Answer) -> str:
    return answer.body.decode() + str(answer.headers)


@pytest.mark.parametrize("broken", ["rulebook", "data", "latin"])
def test_no_answer_names_a_file(
    new_house: NewHouse, shelf: Path, broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for cached in (home._rulebook, home._setting):
        cached.cache_clear()
    house = new_house()
    new_game(house, ("me", "me"))
    if broken == "latin":
        (shelf.parent / "rulebook" / "t.md").write_bytes(b"# T1 \xff")
    else:
        shutil.rmtree(shelf.parent / broken)
    if broken == "data":
        from leuthen.load import load

        load.cache_clear()
    answers = [call(house.port).get(path) for path in ASKED]
    game = {"players": ["me", "me"], "ruleset": "toy", "scenario": "parley"}
    answers.append(call(house.port).post("/api/games", game))
    assert 500 in {answer.status for answer in answers}
    for answer in answers:
        assert str(shelf.parent.parent) not in said(answer)
        assert "Traceback" not in said(answer)
        assert str(Path(files.__file__).parent.parent) not in said(answer)
    assert str(shelf.parent) in caplog.text, "whoever runs the server is told"


def test_no_map_is_told_without_a_path(new_house: NewHouse, shelf: Path) -> None:
    from leuthen.load import Unreadable

    with pytest.raises(Unreadable):
        map_folder("toy")
    answer = call(new_house().port).get("/map/toy.svg")
    assert str(shelf.parent) not in said(answer)
    assert call(new_house().port).get("/map/nowhere.svg").status == 404
