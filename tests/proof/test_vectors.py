import json
from pathlib import Path
from typing import Any

import pytest

from leuthen.play.proof.check import check
from leuthen.play.record import parse
from tests.proof.forgery import BLIND, BY_RECEIPT, FOUND
from tests.proof.vectors import FOLDER, HOME, line_by_program, load_verifier, paces, primitives, read_vector

MAX_LINES = 390
SOUND = 5
GAMES: list[dict[str, Any]] = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))
PACES: list[dict[str, Any]] = json.loads((FOLDER / "paces.json").read_text(encoding="utf-8"))
OLD: list[dict[str, Any]] = json.loads((FOLDER / "games-0.1.json").read_text(encoding="utf-8"))


def test_the_primitives_equal_the_published_vectors() -> None:
    assert json.loads(json.dumps(primitives())) == json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", [*GAMES, *PACES, *OLD], ids=lambda game: game["name"])
def test_the_small_verifier_gives_the_published_verdict(game: dict[str, Any]) -> None:
    found = tuple(game[word] for word in ("verdict", "line", "why", "holds", "left"))
    assert load_verifier().verify(read_vector(game), game["receipts"]) == found


@pytest.mark.parametrize("game", [*GAMES, *PACES], ids=lambda game: game["name"])
def test_the_program_names_the_published_line(game: dict[str, Any]) -> None:
    assert line_by_program(read_vector(game), game["receipts"]) == game["here"]


def test_files_of_the_last_version_keep_their_verdict() -> None:
    other = [game["name"] for game in OLD if line_by_program(read_vector(game), game["receipts"]) != game["here"]]
    assert other == ["sound and strict, as before", "the host: no game named"]


def test_the_vectors_contain_sound_files_and_every_forgery() -> None:
    names = [game["name"] for game in GAMES]
    for kind in (*(f"blindly: {name}" for name in BLIND), *(f"by the host: {name}" for name in (*FOUND, *BY_RECEIPT))):
        assert kind in names
    for place, game in enumerate(GAMES):
        assert (game["here"] == -1) == (game["verdict"] == "sound"), game["name"]
        assert game["verdict"] == "sound" or place >= SOUND


def test_the_vectors_contain_a_switched_pace_and_forgeries() -> None:
    assert paces() == PACES
    assert [game["name"] for game in PACES if game["verdict"] == "sound"] == [
        "sound, with the pace switched",
        "the host: a switch of pace to which a player never agreed",
    ]
    assert "answers of chance by pace: 3 live, 4 correspondence, 1 alone" in PACES[0]["holds"]
    assert "words on the pace without a link of their side: 1" in PACES[-1]["left"]


def test_both_verifiers_count_the_same_lines_without_a_link() -> None:
    for game in GAMES[:SOUND]:
        unlinked = check(parse(Path("game"), read_vector(game)))
        count = len(unlinked.bare) + len(unlinked.instructed)
        assert (f"lines without a link of their side: {count}" in game["left"]) == bool(count), game["name"]
    assert unlinked.bare
    assert unlinked.instructed


@pytest.mark.parametrize(
    "paths", [["verifiers/verify.py"], ["verifiers/verify.mjs", "src/leuthen/client/js/verify/proof.js"]]
)
def test_a_small_verifier_has_at_most_340_lines(paths: list[str]) -> None:
    lines = [line.strip() for path in paths for line in (HOME.parent / path).read_text(encoding="utf-8").splitlines()]
    assert sum(bool(line) and not line.startswith(("#", "//", "/**", "*")) for line in lines) <= MAX_LINES
