import json
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.cli import run
from leuthen.load import load
from leuthen.play.proof.ledger import shown
from tests.accountable.attacks import BOTH, HOST, PLAYER, STRANGER, Attack, attacks, resealed
from tests.accountable.test_check import ended, game
from tests.accountable.umpire import Umpire
from tests.accountable.vectors import FOLDER, HOME, file_of, line_here, small, unlinked, verifier
from tools.node import find_node

EXITS = {"whole": 0, "broken": 1, "unusable": 1, "sound": 3}
GAMES: list[dict[str, Any]] = json.loads((FOLDER / "games.json").read_text(encoding="utf-8"))
AT_LEAST = {HOST: 15, PLAYER: 10, BOTH: 10, STRANGER: 10}


@cache
def forged() -> tuple[Attack, ...]:
    return tuple(attacks(small(), small(is_strict=True)))


def by_page(files: Iterable[tuple[bytes, Sequence[str]]]) -> list[dict[str, Any]]:
    asked = [{"file": b64encode(file).decode(), "receipts": list(receipts)} for file, receipts in files]
    command = [find_node(), str(Path(__file__).with_name("all_checkers.mjs"))]
    lines = "".join(f"{json.dumps(one)}\n" for one in asked)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_program(folder: Path, file: bytes, receipts: Sequence[str] = ()) -> int:
    path, options = folder / "game.leuthen", list[str]()
    path.write_bytes(file)
    for number, text in enumerate(receipts):
        (folder / f"receipt-{number}").write_text(text, encoding="utf-8")
        options += ["--receipt", str(folder / f"receipt-{number}")]
    return run(["verify", str(path), *options])


# --- what is forged ---------------------------------------------------------------------------------------------------


def test_each_actor_attacks_in_many_ways() -> None:
    counts = Counter(attack.actor for attack in forged())
    published = Counter(one["name"].partition(": ")[0] for one in GAMES)
    for actor, number in AT_LEAST.items():
        assert min(counts[actor], published[actor]) >= number, actor


def test_all_four_checkers_agree_on_every_attack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = by_page((attack.file, attack.receipts) for attack in forged())
    for attack, page in zip(forged(), pages, strict=True):
        verdict, line, why, holds, left = verifier().verify(attack.file, list(attack.receipts))
        assert verdict == attack.verdict, attack.name
        assert page == {"verdict": verdict, "line": line, "why": why, "holds": holds, "left": left}, attack.name
        code = by_program(tmp_path, attack.file, attack.receipts)
        assert code == EXITS[attack.by_rules or attack.verdict], f"{attack.name}: {capsys.readouterr().out}"


def test_all_four_checkers_agree_on_every_published_file(tmp_path: Path) -> None:
    pages = by_page((file_of(one), one["receipts"]) for one in GAMES)
    for one, page in zip(GAMES, pages, strict=True):
        assert page == {word: one[word] for word in ("verdict", "line", "why", "holds", "left")}, one["name"]
        code = by_program(tmp_path, file_of(one), one["receipts"])
        assert code == 1 or one["verdict"] == "sound", one["name"]


def test_any_other_byte_is_found_by_all() -> None:
    data, rng = small(is_strict=True).file().encode(), Random("bytes")
    files = [changed(rng, data) for _ in range(150)]
    for file, page in zip(files, by_page((file, ()) for file in files), strict=True):
        verdict, line, why, *_ = verifier().verify(file)
        assert (page["verdict"], page["line"], page["why"]) == (verdict, line, why)
        assert verdict in ("broken", "unusable"), file
        assert line_here(file, []) >= 0, file


def test_a_record_longer_than_any_game_is_refused_by_all() -> None:
    text = small().file()
    many = [f"{number:>5} prussia done" for number in range(61, 100_002)]
    file = resealed(text, lambda lines: [*lines[:-1], *many])
    assert len(file) < 16_000_000
    assert by_page([(file, ())])[0]["why"] == verifier().verify(file)[2] == "no record is so long"
    assert line_here(file, []) == 100_001


def changed(rng: Random, data: bytes) -> bytes:
    at, how = rng.randrange(len(data)), rng.randrange(3)
    other = bytes([data[at] ^ 1 << rng.randrange(8)])
    return data[:at] + (other, b"", other + data[at : at + 1])[how] + data[at + 1 :]


# --- what is whole ----------------------------------------------------------------------------------------------------


def test_only_the_rules_can_call_a_game_whole(tmp_path: Path) -> None:
    umpire = small(is_strict=True)
    file = umpire.file().encode()
    assert by_program(tmp_path, file, umpire.receipts[-2:]) == 0
    verdict, *_, left = verifier().verify(file, umpire.receipts[-2:])
    assert verdict == "sound"
    assert left[0] == f"lines not compared with the rules, nor how chance was asked: {len(umpire.entries)}"
    assert left[1].startswith("draws checked by the answers that the proof lists")


def test_a_game_that_goes_on_is_not_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    umpire = Umpire(load("campaigns"), seed="going").play_at_random(Random(4), requests=6)
    assert by_program(tmp_path, umpire.file().encode()) == 3
    assert "are sealed: the game goes on" in capsys.readouterr().out
    *_, left = verifier().verify(umpire.file().encode())
    assert f"lines sealed while the game goes on: {len(umpire.entries)}" in left


def test_data_that_nobody_has_are_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    attack = next(attack for attack in forged() if attack.name == "data that nobody has")
    assert by_program(tmp_path, attack.file) == 3
    out = capsys.readouterr().out
    assert "sound, but not fully checked" in out
    assert (
        "lines were not checked by the rules and data of the game: it was played with the data 0123456789abcdef" in out
    )


def test_other_data_in_a_folder_are_not_those_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text(small().file(), encoding="utf-8")
    assert run(["verify", str(file), "--data", str(tmp_path / "nowhere")]) == 3


def test_rules_that_fail_leave_a_game_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise KeyError

    file = small().file().encode()
    monkeypatch.setattr("leuthen.play.replay.carry_out", fails)
    assert by_program(tmp_path, file) == 3
    assert "The rules failed at line 1 of the record (KeyError)." in capsys.readouterr().out


def test_lines_without_a_link_and_a_choice_are_unproved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert by_program(tmp_path, unlinked().file().encode()) == 3
    assert "without a link" in capsys.readouterr().out.partition("Not checked:")[2]


def test_a_person_without_a_chain_proves_no_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    umpire = Umpire(load("campaigns"), seed="alone", chains=(True, False))
    umpire.play_at_random(Random(7), requests=30)
    umpire.say(0, "resign")
    assert by_program(tmp_path, umpire.file().encode()) == 0, "a machine proves none anyway"
    person = Umpire(load("campaigns"), seed="alone", chains=(True, False), is_person=True)
    person.play_at_random(Random(7), requests=30)
    person.say(0, "resign")
    assert by_program(tmp_path, person.file().encode()) == 3
    assert "coalition acted" in capsys.readouterr().out


# --- what a program says ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", ["verify.py", "verify.mjs"])
def test_the_exit_code_tells_the_verdict(program: str, tmp_path: Path) -> None:
    start = [sys.executable, "-I"] if program.endswith("py") else [find_node()]
    umpire, file, receipt = small(), tmp_path / "game", tmp_path / "receipt"
    receipt.write_text(umpire.receipts[-1], encoding="utf-8")
    for data, code, first in (
        (umpire.file().encode(), 3, "Sound, but not fully checked: links of prussia: "),
        (forged()[0].file, 1, "Broken at line "),
        (b"\xef\xbb\xbf" + umpire.file().encode(), 1, "Cannot be checked: "),
    ):
        file.write_bytes(data)
        command = [*start, str(HOME / program), str(file), str(receipt)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout[: len(first)], done.stderr) == (code, first, "")
    done = subprocess.run([*start, str(HOME / program), "nowhere"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "Not read: nowhere is not there, or too large.\n")


# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_two_dice_show_each_sum_as_often_as_two_dice_do() -> None:
    assert [shown(6, number) for number in range(6)] == [1, 2, 3, 4, 5, 6]
    sums = Counter(shown(36, number) for number in range(36))
    assert sums == Counter(one + other for one in range(1, 7) for other in range(1, 7))
    assert [shown(36, number) for number in range(36)] == sorted(sums.elements())


def test_a_draw_without_even_odds_is_left_to_the_rules() -> None:
    umpire = ended(game())
    assert [line for line in umpire.proof if line.endswith(" 0 6")], "the toy's die is uneven, and has no list"
    *_, left = verifier().verify(umpire.file().encode())
    assert "answers of chance that only the rules can check: 1" in left
