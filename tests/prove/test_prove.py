import json
import sys
from pathlib import Path

import pytest

from leuthen.load import load
from leuthen.play.record import read
from leuthen.play.replay import Replay
from tests.laws import course
from tests.laws.course import Turn
from tests.prove import ledger, proofs
from tests.prove.__main__ import main
from tests.prove.games import make_plan, play
from tests.prove.proofs import Proof, Result, interrupt, play_game
from tests.prove.sample import commit_seed, describe_seed

GAMES = (
    *(("frederick", "random", number) for number in range(3)),
    *(("campaigns", "random", number) for number in range(2)),
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
