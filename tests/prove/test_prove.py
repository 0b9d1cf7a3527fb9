import json
import sys
from pathlib import Path

import pytest

from leuthen.load import load
from leuthen.play.record import read
from leuthen.play.replay import Replay
from tests.laws import course
from tests.laws.course import Turn
from tests.proof.umpire import Umpire
from tests.prove import ledger, proofs, verification
from tests.prove.__main__ import main
from tests.prove.games import make_plan, play
from tests.prove.proofs import Proof, Result, interrupt, play_game
from tests.prove.sample import commit_seed, describe_seed

GAMES = (
    *(("frederick", "random", number) for number in range(3)),
    *(("campaigns", "random", number) for number in range(4)),
    ("frederick", "captain", 0),
    ("campaigns", "captain", 0),
)


@pytest.mark.parametrize(("ruleset", "level", "number"), GAMES)
def test_the_laws_hold_during_a_game(ruleset: str, level: str, number: int) -> None:
    result = play(make_plan(ruleset, level, commit_seed()[0] + number, short=True))
    assert not result.fault, (
        f'{describe_seed()}; {result.plan}, action {result.actions} "{result.line}": {result.fault}'
    )
    assert result.outcome


def law_broken_on_turn_ten(turn: Turn) -> None:
    if turn.after.turn == 10:
        raise AssertionError("as planted")


def law_broken_at_an_event(turn: Turn) -> None:
    assert turn.after is turn.before, "as planted"


@pytest.mark.parametrize("ruleset", ["frederick", "campaigns"])
def test_a_broken_law_is_reported_with_a_replayable_record(
    ruleset: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(course, "LAWS", {law_broken_on_turn_ten: 1})
    line = play_game(ruleset, "random", tmp_path, 5)
    assert line["fault"] == "law_broken_on_turn_ten: as planted"
    assert (line["seed"], line["options"]) == (5, make_plan(ruleset, "random", 5).options)
    record = read(tmp_path / line["record"])
    replay = Replay(load(ruleset), record).run()
    with pytest.raises(AssertionError, match="as planted"):
        law_broken_on_turn_ten(Turn(load(ruleset), None, -1, None, (), replay.state))
    assert line["line"] in (tmp_path / line["record"]).read_text(encoding="utf-8")


class CountingProof:
    def __init__(self) -> None:
        self.seen: list[int] = []

    def one(self, folder: Path, part: int) -> Result:
        self.seen.append(part)
        if part == 1 and len(self.seen) < 3:
            raise RuntimeError("out of breath")
        return {"fault": "as planted" if part == 2 else ""}


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> CountingProof:
    made = CountingProof()
    monkeypatch.setattr(proofs, "PROOFS", {"three": Proof(3, made.one)})
    monkeypatch.setattr("tests.prove.__main__.PROOFS", proofs.PROOFS)
    return made


def test_a_stopped_proof_continues_for_the_same_program(
    counter: CountingProof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--folder", str(tmp_path), "--parts", "1"]) == 0
    path = tmp_path / "three.jsonl"
    path.write_text(path.read_text() + '{"part": 1, "fau')  # as if it had been killed
    assert main(["--folder", str(tmp_path)]) == 1
    assert counter.seen == [0, 1, 2]
    kept = [json.loads(text) for text in path.read_text().splitlines() if text.endswith("}")]
    assert [line["part"] for line in kept] == [0, 1, 2]
    assert kept[1]["fault"] == "the proof breaks off with RuntimeError: out of breath"
    assert main(["--folder", str(tmp_path)]) == 1
    assert counter.seen == [0, 1, 2], "a finished part is not repeated"
    monkeypatch.setattr(ledger, "program", lambda proof: "another")
    main(["--folder", str(tmp_path), "--parts", "1"])
    assert counter.seen == [0, 1, 2, 0]


def test_a_command_that_fails_is_a_fault(tmp_path: Path) -> None:
    for code, words, fault in ((0, "so", ""), (3, "so", "so\n"), (3, "", "it ended with 3, without a word")):
        says = f"print('{words}', end='\\n' if '{words}' else ''); raise SystemExit({code})"
        assert proofs.run_command((sys.executable, "-c", says), {}).one(tmp_path, 0)["fault"] == fault


def test_a_broken_law_after_an_interruption_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(proofs, "POSITIONS", 1)
    monkeypatch.setattr(proofs, "ACTIONS", 2)
    monkeypatch.setattr(course, "LAWS", {law_broken_at_an_event: 1})
    line = interrupt("frederick", tmp_path, 0)
    assert line["tried"] > 4
    assert "law_broken_at_an_event: as planted" in line["fault"]


def test_sound_games_verify(tmp_path: Path) -> None:
    found = verification.sound_games(tmp_path, commit_seed()[0], 6)
    assert not found["fault"], f"{describe_seed()}; {found}"


def test_forgeries_are_found(tmp_path: Path) -> None:
    found = verification.forgeries(tmp_path, commit_seed()[0], 150)
    assert not found["fault"], f"{describe_seed()}; {found}"
    assert found["forged"] >= 100


def test_a_chosen_secret_gives_even_dice(tmp_path: Path) -> None:
    found = verification.ground_secrets(tmp_path, 0, 2**12)
    assert not found["fault"], found
    assert found["reckoned"] >= 3, "a good secret was found"


def test_an_unsound_game_is_reported_and_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Umpire, "file", lambda self: "leuthen record 1\n")
    found = verification.sound_games(tmp_path, 1, 1)
    assert "game 1-0: " in found["fault"]
    assert (tmp_path / "unsound-1-0.leuthen").exists()


def test_a_forgery_that_passes_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "find_fault", lambda text, receipts: None)
    assert "is not found: game forged-1" in verification.forgeries(tmp_path, 1, 3)["fault"]
