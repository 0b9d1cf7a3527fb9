"""The published vectors are what this program makes, and the Python verifier finds in them what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.play.accountable.check import check
from leuthen.play.record import parse
from tests.accountable.forgery import BLIND, BY_RECEIPT, FOUND, Book
from tests.accountable.vectors import FOLDER, HOME, line_here, small, verifier, words

MOST_LINES = 200
SOUND = 5
"""So many of the files are sound, and come first."""
GAMES: list[dict[str, Any]] = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))


def test_each_word_is_made_as_published() -> None:
    assert json.loads(json.dumps(words())) == json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["name"])
def test_a_published_file_is_judged_as_published(game: dict[str, Any]) -> None:
    line, why, holds = verifier().verify(game["file"].encode(), game["receipts"])
    assert (line, why, holds) == (game["line"], game["why"], game["holds"])
    assert line_here(game["file"], game["receipts"]) == game["here"]


def test_sound_files_and_every_forgery_are_among_the_vectors() -> None:
    names = [game["name"] for game in GAMES]
    for kind in (*(f"blindly: {name}" for name in BLIND), *(f"by the host: {name}" for name in (*FOUND, *BY_RECEIPT))):
        assert kind in names
    assert [game["here"] for game in GAMES[:SOUND]] == [-1] * SOUND
    assert all(game["here"] >= 0 and game["why"] for game in GAMES[SOUND:])


def test_lines_without_a_link_are_counted_as_this_program_counts_them() -> None:
    for game in GAMES[:SOUND]:
        unlinked = check(parse(Path("game"), game["file"].encode())).unlinked
        count = len(unlinked.bare) + len(unlinked.instructed)
        assert f"lines without a link of their side: {count}" in game["holds"], game["name"]
    assert unlinked.bare
    assert unlinked.instructed


def test_all_readers_agree_on_what_is_sound() -> None:
    """The program and the small verifier, on forgeries that differ from run to run of the list."""
    umpire, rng, reader = small(is_strict=True), Random("agree"), verifier()
    text = umpire.file()
    for name in (*BLIND, *FOUND):
        for _ in range(4):
            if name in BLIND:
                other = "\n".join(BLIND[name](rng, text.splitlines())) + "\n"
            else:
                book = Book(umpire)
                other = book.file() if FOUND[name](rng, book) else text
            is_sound = line_here(other, []) == -1
            if not is_only_a_check(text, other):
                assert (reader.verify(other.encode())[1] == "") == is_sound, (name, other)


def is_only_a_check(text: str, other: str) -> bool:
    """Whether nothing differs but the checks behind #, at which the small verifiers do not look."""
    return [line.rpartition("  #")[0] or line for line in text.splitlines()] == [
        line.rpartition("  #")[0] or line for line in other.splitlines()
    ]


def test_the_verifier_is_a_program_of_its_own(tmp_path: Path) -> None:
    sound, forged = tmp_path / "sound", tmp_path / "forged"
    sound.write_text(GAMES[0]["file"], encoding="utf-8")
    forged.write_text(GAMES[-1]["file"], encoding="utf-8")
    receipt = tmp_path / "receipt"
    receipt.write_text(GAMES[0]["receipts"][0], encoding="utf-8")
    command = [sys.executable, "-I", str(HOME / "verify.py")]
    good = subprocess.run([*command, str(sound), str(receipt)], capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout[:6]) == (0, "Whole:")
    bad = subprocess.run([*command, str(forged), str(receipt)], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stderr[:6]) == (1, "Broken")


@pytest.mark.parametrize(
    "paths", [["verifiers/verify.py"], ["verifiers/verify.mjs", "src/leuthen/client/js/verify/proof.js"]]
)
def test_a_verifier_can_be_read_at_one_sitting(paths: list[str]) -> None:
    lines = [line.strip() for path in paths for line in (HOME.parent / path).read_text(encoding="utf-8").splitlines()]
    assert sum(bool(line) and not line.startswith(("#", "//", "/**", "*")) for line in lines) <= MOST_LINES
