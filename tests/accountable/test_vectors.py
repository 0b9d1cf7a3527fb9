import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.play.proof.check import check
from leuthen.play.record import parse
from tests.accountable.forgery import BLIND, BY_RECEIPT, FOUND, Book
from tests.accountable.vectors import FOLDER, HOME, file_of, line_here, small, verifier, words

MOST_LINES = 340
SOUND = 5
GAMES: list[dict[str, Any]] = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))
OLD: list[dict[str, Any]] = json.loads((FOLDER / "games-0.1.json").read_text(encoding="utf-8"))


def test_each_word_is_made_as_published() -> None:
    assert json.loads(json.dumps(words())) == json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", [*GAMES, *OLD], ids=lambda game: game["name"])
def test_a_published_file_is_judged_as_published(game: dict[str, Any]) -> None:
    found = tuple(game[word] for word in ("verdict", "line", "why", "holds", "left"))
    assert verifier().verify(file_of(game), game["receipts"]) == found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["name"])
def test_this_program_names_the_published_line(game: dict[str, Any]) -> None:
    assert line_here(file_of(game), game["receipts"]) == game["here"]


def test_files_of_before_are_judged_as_they_were_then() -> None:
    other = [game["name"] for game in OLD if line_here(file_of(game), game["receipts"]) != game["here"]]
    assert other == ["sound and strict, as before", "the host: no game named"]


def test_sound_files_and_every_forgery_are_among_the_vectors() -> None:
    names = [game["name"] for game in GAMES]
    for kind in (*(f"blindly: {name}" for name in BLIND), *(f"by the host: {name}" for name in (*FOUND, *BY_RECEIPT))):
        assert kind in names
    for place, game in enumerate(GAMES):
        assert (game["here"] == -1) == (game["verdict"] == "sound"), game["name"]
        assert game["verdict"] == "sound" or place >= SOUND


def test_lines_without_a_link_are_counted_as_this_program_counts_them() -> None:
    for game in GAMES[:SOUND]:
        unlinked = check(parse(Path("game"), file_of(game))).unlinked
        count = len(unlinked.bare) + len(unlinked.instruction_answer)
        assert (f"lines without a link of their side: {count}" in game["left"]) == bool(count), game["name"]
    assert unlinked.bare
    assert unlinked.instruction_answer


def test_all_readers_agree_on_what_is_sound() -> None:
    umpire, rng, reader = small(is_strict=True), Random("agree"), verifier()
    text = umpire.file()
    for name in (*BLIND, *FOUND):
        for _ in range(4):
            if name in BLIND:
                other = "\n".join(BLIND[name](rng, text.splitlines())) + "\n"
            else:
                book = Book(umpire)
                other = book.file() if FOUND[name](rng, book) else text
            is_sound = line_here(other.encode(), []) == -1
            assert (reader.verify(other.encode())[2] == "") == is_sound, (name, other)


@pytest.mark.parametrize(
    "paths", [["verifiers/verify.py"], ["verifiers/verify.mjs", "src/leuthen/client/js/verify/proof.js"]]
)
def test_a_verifier_can_be_read_at_one_sitting(paths: list[str]) -> None:
    lines = [line.strip() for path in paths for line in (HOME.parent / path).read_text(encoding="utf-8").splitlines()]
    assert sum(bool(line) and not line.startswith(("#", "//", "/**", "*")) for line in lines) <= MOST_LINES
