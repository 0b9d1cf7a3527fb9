from pathlib import Path
from typing import Any

import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.play.dice import Key
from leuthen.simulate import ladder
from leuthen.simulate.bulk import read_results
from leuthen.simulate.game import Match
from leuthen.simulate.ladder import LEAST, Pair, climb, play_pairs, standing, verdict
from tests.toy import Toy

MATCH = Match("toy", "", "parley", {"rounds": "3"}, ("random", "random"), "seed")


def timeless(pairs: list[Pair]) -> list[tuple[int, tuple[float, float], tuple[str, str]]]:
    return [(pair.number, pair.scores, pair.ends) for pair in pairs]


def test_a_pair_is_the_same_however_it_is_played(toy: Toy) -> None:
    alone = timeless(list(play_pairs(toy, MATCH, range(6))))
    assert timeless(list(play_pairs(toy, MATCH, range(6), jobs=2))) == alone
    assert timeless(list(play_pairs(toy, MATCH, [4]))) == alone[4:5]


def test_the_same_bot_on_both_sides_scores_half_in_every_pair(toy: Toy) -> None:
    assert {pair.score for pair in play_pairs(toy, MATCH, range(12))} == {0.5}


def test_a_match_ends_when_it_is_certain() -> None:
    assert verdict([1.0] * (LEAST - 1)) == ""
    assert verdict([1.0] * LEAST) == "better by a level"
    assert verdict([0.0] * LEAST) == "not better by a level"
    assert verdict([0.5, 0.6] * 10) == ""
    assert verdict([0.5] * 40) == "not better by a level"


def test_the_test_seldom_errs() -> None:
    assert sum(_match(0.5, number) == "better by a level" for number in range(200)) < 20
    assert sum(_match(0.6, number) == "not better by a level" for number in range(200)) < 20


def _match(score: float, number: int) -> str:
    dice, scores = Key.from_seed("ladder", number).thinking, list[float]()
    while len(scores) < 400 and not verdict(scores):
        wins = [dice(f"{len(scores)} {side}") % 1000 < 1000 * score for side in (0, 1)]
        scores.append(sum(wins) / 2)
    return verdict(scores)


def test_a_run_that_was_broken_off_goes_on(toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pairs.jsonl"
    whole = list(climb(toy, MATCH, 6, 1, None))
    list(climb(toy, MATCH, 3, 1, file))
    played = ladder.play_pairs

    def watched(toy: Toy, match: Match, numbers: list[int], jobs: int, on: str, **ways: Any) -> object:
        assert numbers == [3, 4, 5]
        return played(toy, match, numbers, jobs, on, **ways)

    monkeypatch.setattr(ladder, "play_pairs", watched)
    assert list(climb(toy, MATCH, 6, 1, file)) == whole
    assert [pair.number for pair in read_results(file, Pair)] == list(range(6))


def test_a_run_ends_when_it_is_certain_unless_all_pairs_are_asked_for(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "verdict", lambda scores: "better by a level" if len(scores) >= 3 else "")
    assert [row.pairs for row in climb(toy, MATCH, 6, 1, None)] == [1, 2, 3]
    assert [row.pairs for row in climb(toy, MATCH, 6, 1, None, all_pairs=True)] == [1, 2, 3, 4, 5, 6]


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text("{}\n")
    with pytest.raises(Invalid, match=r"pairs\.jsonl, line 1"):
        read_results(file, Pair)
    with pytest.raises(Invalid, match="at least one pair"):
        standing([])


def test_a_file_that_has_a_pair_twice_is_refused(toy: Toy, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    list(climb(toy, MATCH, 2, 1, file, all_pairs=True))
    first, _ = lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines, first]))
    with pytest.raises(Invalid, match="line 3: the same game as in line 1"):
        list(climb(toy, MATCH, 3, 1, file))


@pytest.mark.usefixtures("shelf")
def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["ladder", "random", "random", "--ruleset", "toy", "--scenario", "parley", "--pairs", "2"]
    assert run([*command, "--all", "--keep", str(tmp_path / "pairs.jsonl")]) == 0
    out = capsys.readouterr()
    assert "random against random, toy parley: 2 pairs: 50.0%" in out.out
    assert "1 pairs" in out.err
    assert run(["ladder", "random", "nobody", "--ruleset", "toy", "--scenario", "parley"]) == 2
