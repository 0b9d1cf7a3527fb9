import json
import sys
from pathlib import Path

import pytest

from leuthen.load import load
from leuthen.play.record import read
from leuthen.play.replay import Replay
from tests.laws import course
from tests.laws.course import Turn
from tests.prove import ledger, proofs, sample
from tests.prove.__main__ import main
from tests.prove.games import plan_of, play, turns
from tests.prove.proofs import PROOFS, Line, Proof, game, interruption
from tests.prove.sample import commit_seed, describe_seed

SAMPLE = (
    *(("frederick", "random", number) for number in range(3)),
    *(("campaigns", "random", number) for number in range(2)),
    ("frederick", "captain", 0),
    ("campaigns", "captain", 0),
)


@pytest.mark.parametrize(("ruleset", "level", "number"), SAMPLE)
def test_the_laws_hold_over_a_game(ruleset: str, level: str, number: int) -> None:
    found = play(plan_of(ruleset, level, commit_seed()[0] + number, short=True))
    assert not found.fault, f'{describe_seed()}; {found.plan}, action {found.actions} "{found.line}": {found.fault}'
    assert found.outcome


def test_the_seed_comes_from_the_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seed, where = commit_seed()
    assert f"{seed:08x}" == where.removeprefix("commit ") or (seed, where) == (0, "no commit is known")
    monkeypatch.setattr("tests.prove.sample.HOME", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    commit_seed.cache_clear()
    assert describe_seed() == "games with the laws on: seed 0 (no commit is known)"
    commit_seed.cache_clear()


def test_a_run_plays_a_quarter_and_all_are_played_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "EVERY", False)
    games, seen = range(9), set[int]()
    for commit in range(20):
        monkeypatch.setattr(sample, "origin", lambda commit=commit: (commit, "a commit"))
        found = sample.sample_games(games)
        assert len(found) == 3
        seen |= {*found}
    assert seen == {*games}
    monkeypatch.setattr(sample, "EVERY", True)
    assert sample.sample_games(games) == [*games]


def test_a_plan_gives_one_game_and_another_seed_another() -> None:
    logs: list[list[object]] = [[], [], []]
    for log, seed in zip(logs, (1, 1, 2), strict=True):
        plan = plan_of("frederick", "random", seed, short=True)
        for turn, _ in zip(turns(plan, []), range(60), strict=False):
            log.append(turn.action)
    assert logs[0] == logs[1] != logs[2]


def breaks_on_turn_ten(turn: Turn) -> None:
    if turn.after.turn == 10:
        raise AssertionError("as planted")


def breaks_at_an_event(turn: Turn) -> None:
    assert turn.after is turn.before, "as planted"


@pytest.mark.parametrize("ruleset", ["frederick", "campaigns"])
def test_a_broken_law_is_told_so_that_it_can_be_replayed(
    ruleset: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(course, "LAWS", {breaks_on_turn_ten: 1})
    line = game(ruleset, "random", tmp_path, 5)
    assert line["fault"] == "breaks_on_turn_ten: as planted"
    assert (line["seed"], line["options"]) == (5, plan_of(ruleset, "random", 5).options)
    record = read(tmp_path / line["record"])
    replay = Replay(load(ruleset), record).run()
    with pytest.raises(AssertionError, match="as planted"):
        breaks_on_turn_ten(Turn(load(ruleset), None, -1, None, (), replay.state))
    assert line["line"] in (tmp_path / line["record"]).read_text(encoding="utf-8")


class Counter:
    def __init__(self) -> None:
        self.seen: list[int] = []

    def one(self, folder: Path, part: int) -> Line:
        self.seen.append(part)
        if part == 1 and len(self.seen) < 3:
            raise RuntimeError("out of breath")
        return {"fault": "as planted" if part == 2 else ""}


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    made = Counter()
    monkeypatch.setattr(proofs, "PROOFS", {"three": Proof(3, made.one)})
    monkeypatch.setattr("tests.prove.__main__.PROOFS", proofs.PROOFS)
    return made


def test_a_proof_goes_on_where_it_was_stopped(counter: Counter, tmp_path: Path) -> None:
    assert main(["--folder", str(tmp_path), "--parts", "1"]) == 0
    path = tmp_path / "three.jsonl"
    path.write_text(path.read_text() + '{"part": 1, "fau')  # as if it had been killed
    assert main(["--folder", str(tmp_path)]) == 1
    assert counter.seen == [0, 1, 2]
    kept = [json.loads(text) for text in path.read_text().splitlines() if text.endswith("}")]
    assert [line["part"] for line in kept] == [0, 1, 2]
    assert kept[1]["fault"] == "the proof breaks off with RuntimeError: out of breath"
    assert main(["--folder", str(tmp_path)]) == 1
    assert counter.seen == [0, 1, 2], "what is done is done"


def test_what_was_proved_of_another_program_counts_no_more(
    counter: Counter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["--folder", str(tmp_path), "--parts", "1"])
    monkeypatch.setattr(ledger, "program", lambda proof: "another")
    main(["--folder", str(tmp_path), "--parts", "1"])
    assert counter.seen == [0, 0]


def test_an_unknown_proof_is_refused(counter: Counter, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["four"])
    assert "unknown proof four; known: three" in capsys.readouterr().err


def test_all_proofs_are_there() -> None:
    assert {name: proof.parts for name, proof in PROOFS.items() if "-random" in name or "-captain" in name} == {
        "frederick-random": 2000,
        "frederick-captain": 200,
        "campaigns-random": 500,
        "campaigns-captain": 60,
    }


def test_a_command_proves_by_succeeding(tmp_path: Path) -> None:
    for code, words, fault in ((0, "so", ""), (3, "so", "so\n"), (3, "", "it ended with 3, without a word")):
        says = f"print('{words}', end='\\n' if '{words}' else ''); raise SystemExit({code})"
        assert proofs.command((sys.executable, "-c", says), {}).one(tmp_path, 0)["fault"] == fault


def test_an_interrupted_kind_is_a_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(proofs, "POSITIONS", 1)
    monkeypatch.setattr(proofs, "ACTIONS", 2)
    monkeypatch.setattr(course, "LAWS", {breaks_at_an_event: 1})
    line = interruption("frederick", tmp_path, 0)
    assert line["tried"] > 4
    assert "breaks_at_an_event: as planted" in line["fault"]
