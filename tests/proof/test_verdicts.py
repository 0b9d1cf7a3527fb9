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
from tests.proof.attacks import BOTH, HOST, PLAYER, STRANGER, Attack, attacks, reseal
from tests.proof.test_check import resign, toy_game
from tests.proof.umpire import Umpire
from tests.proof.vectors import FOLDER, HOME, line_by_program, load_verifier, read_vector, small_game, unlinked
from tools.node import find_node

EXITS = {"whole": 0, "broken": 1, "unusable": 1, "sound": 3}
GAMES: list[dict[str, Any]] = [
    game for name in ("games", "paces") for game in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
]
MIN_ATTACKS = {HOST: 15, PLAYER: 10, BOTH: 10, STRANGER: 10}


@cache
def small_attacks() -> tuple[Attack, ...]:
    return tuple(attacks(small_game(), small_game(is_strict=True)))


def verify_in_page(files: Iterable[tuple[bytes, Sequence[str]]]) -> list[dict[str, Any]]:
    asked = [{"file": b64encode(file).decode(), "receipts": list(receipts)} for file, receipts in files]
    command = [find_node(), str(Path(__file__).with_name("all_checkers.mjs"))]
    lines = "".join(f"{json.dumps(one)}\n" for one in asked)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def verify_by_command(folder: Path, file: bytes, receipts: Sequence[str] = ()) -> int:
    path, options = folder / "game.leuthen", list[str]()
    path.write_bytes(file)
    for number, text in enumerate(receipts):
        (folder / f"receipt-{number}").write_text(text, encoding="utf-8")
        options += ["--receipt", str(folder / f"receipt-{number}")]
    return run(["verify", str(path), *options])


# --- what is forged ---------------------------------------------------------------------------------------------------


def test_each_kind_of_attacker_tries_many_attacks() -> None:
    counts = Counter(attack.actor for attack in small_attacks())
    published = Counter(one["name"].partition(": ")[0] for one in GAMES)
    for actor, number in MIN_ATTACKS.items():
        assert min(counts[actor], published[actor]) >= number, actor


def test_all_four_verifiers_agree_on_every_attack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = verify_in_page((attack.file, attack.receipts) for attack in small_attacks())
    for attack, page in zip(small_attacks(), pages, strict=True):
        verdict, line, why, holds, left = load_verifier().verify(attack.file, list(attack.receipts))
        assert verdict == attack.verdict, attack.name
        assert page == {"verdict": verdict, "line": line, "why": why, "holds": holds, "left": left}, attack.name
        code = verify_by_command(tmp_path, attack.file, attack.receipts)
        assert code == EXITS[attack.by_rules or attack.verdict], f"{attack.name}: {capsys.readouterr().out}"


def test_all_four_verifiers_agree_on_every_vector(tmp_path: Path) -> None:
    pages = verify_in_page((read_vector(one), one["receipts"]) for one in GAMES)
    for one, page in zip(GAMES, pages, strict=True):
        assert page == {word: one[word] for word in ("verdict", "line", "why", "holds", "left")}, one["name"]
        code = verify_by_command(tmp_path, read_vector(one), one["receipts"])
        assert code == 1 or one["verdict"] == "sound", one["name"]


def test_all_verifiers_find_any_changed_byte() -> None:
    data, rng = small_game(is_strict=True).file().encode(), Random("bytes")
    files = [change_byte(rng, data) for _ in range(150)]
    for file, page in zip(files, verify_in_page((file, ()) for file in files), strict=True):
        verdict, line, why, *_ = load_verifier().verify(file)
        assert (page["verdict"], page["line"], page["why"]) == (verdict, line, why)
        assert verdict in ("broken", "unusable"), file
        assert line_by_program(file, []) >= 0, file


def test_all_verifiers_refuse_an_overlong_record() -> None:
    text = small_game().file()
    many = [f"{number:>5} prussia done" for number in range(61, 100_002)]
    file = reseal(text, lambda lines: [*lines[:-1], *many])
    assert len(file) < 16_000_000
    assert verify_in_page([(file, ())])[0]["why"] == load_verifier().verify(file)[2] == "no record is so long"
    assert line_by_program(file, []) == 100_001


def change_byte(rng: Random, data: bytes) -> bytes:
    at, how = rng.randrange(len(data)), rng.randrange(3)
    other = bytes([data[at] ^ 1 << rng.randrange(8)])
    return data[:at] + (other, b"", other + data[at : at + 1])[how] + data[at + 1 :]


# --- what is whole ----------------------------------------------------------------------------------------------------


def test_a_game_is_whole_only_after_checking_the_rules(tmp_path: Path) -> None:
    umpire = small_game(is_strict=True)
    file = umpire.file().encode()
    assert verify_by_command(tmp_path, file, umpire.receipts[-2:]) == 0
    verdict, *_, left = load_verifier().verify(file, umpire.receipts[-2:])
    assert verdict == "sound"
    assert left[0] == f"lines not compared with the rules, nor how chance was asked: {len(umpire.entries)}"
    assert left[1].startswith("draws checked by the answers that the proof lists")


def test_a_game_with_other_data_is_not_fully_checked(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text(small_game().file(), encoding="utf-8")
    assert run(["verify", str(file), "--data", str(tmp_path / "nowhere")]) == 3


def test_an_error_in_the_rules_leaves_a_game_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise KeyError

    file = small_game().file().encode()
    monkeypatch.setattr("leuthen.play.replay.carry_out", fails)
    assert verify_by_command(tmp_path, file) == 3
    assert "The rules failed at line 1 of the record (KeyError)." in capsys.readouterr().out


def test_chosen_orders_without_a_link_are_unproved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_by_command(tmp_path, unlinked().file().encode()) == 3
    assert "without a link" in capsys.readouterr().out.partition("Not checked:")[2]


def test_the_orders_of_a_human_without_a_chain_are_unproved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    umpire = Umpire(load("campaigns"), seed="alone", chains=(True, False))
    umpire.play_at_random(Random(7), requests=30)
    umpire.say(0, "resign")
    assert verify_by_command(tmp_path, umpire.file().encode()) == 0, "a machine proves none anyway"
    person = Umpire(load("campaigns"), seed="alone", chains=(True, False), is_person=True)
    person.play_at_random(Random(7), requests=30)
    person.say(0, "resign")
    assert verify_by_command(tmp_path, person.file().encode()) == 3
    assert "coalition acted" in capsys.readouterr().out


# --- what a program says ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", ["verify.py", "verify.mjs"])
def test_the_exit_code_of_a_verifier_is_the_verdict(program: str, tmp_path: Path) -> None:
    start = [sys.executable, "-I"] if program.endswith("py") else [find_node()]
    umpire, file, receipt = small_game(), tmp_path / "game", tmp_path / "receipt"
    receipt.write_text(umpire.receipts[-1], encoding="utf-8")
    for data, code, first in (
        (umpire.file().encode(), 3, "Sound, but not fully checked: links of prussia: "),
        (small_attacks()[0].file, 1, "Broken at line "),
        (b"\xef\xbb\xbf" + umpire.file().encode(), 1, "Cannot be checked: "),
    ):
        file.write_bytes(data)
        command = [*start, str(HOME / program), str(file), str(receipt)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout[: len(first)], done.stderr) == (code, first, "")
    done = subprocess.run([*start, str(HOME / program), "nowhere"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "Not read: nowhere is not there, or too large.\n")


# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_a_roll_of_two_dice_has_the_distribution_of_two_dice() -> None:
    assert [shown(6, number) for number in range(6)] == [1, 2, 3, 4, 5, 6]
    sums = Counter(shown(36, number) for number in range(36))
    assert sums == Counter(one + other for one in range(1, 7) for other in range(1, 7))
    assert [shown(36, number) for number in range(36)] == sorted(sums.elements())


def test_only_the_rules_can_check_a_draw_with_uneven_odds() -> None:
    umpire = resign(toy_game())
    assert [line for line in umpire.proof if line.endswith(" 0 6")], "the toy's die is uneven, and has no list"
    *_, left = load_verifier().verify(umpire.file().encode())
    assert "answers of chance that only the rules can check: 1" in left
