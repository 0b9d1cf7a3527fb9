import io
import json
import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import msgspec
import pytest

from bench.history import History
from bench.measure import Figure
from leuthen.cli import run
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.load import RULESETS, load
from leuthen.play.dice import Key
from leuthen.play.loop import LIMIT
from leuthen.play.record import read
from leuthen.play.replay import Replay
from leuthen.simulate import ladder
from leuthen.simulate import run as running
from leuthen.simulate.bulk import add_line, begin, locked, progress, read_results
from leuthen.simulate.game import GameFailed, GameTask, Line, Match, play_one
from leuthen.simulate.ladder import LEAST, Pair, play_pairs, run_ladder, standing, verdict
from leuthen.simulate.run import play_many
from tests.failing_bots import KILLED_FOLDER
from tests.toy import Toy

MATCH = Match("toy", "", "parley", {"rounds": "3"}, ("random", "random"), "seed")
MORTAL = msgspec.structs.replace(MATCH, bots=("tests.failing_bots:Mortal", "random"))


def tasks(games: Iterable[int], match: Match = MATCH, limit: int = LIMIT) -> list[GameTask]:
    return [GameTask(match, game, None, limit) for game in games]


def timeless(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def test_jobs_change_nothing_but_the_seconds(toy: Toy) -> None:
    alone = list(play_many(toy, tasks(range(30))))
    together = list(play_many(toy, tasks(range(30)), jobs=3))
    assert timeless(alone) == timeless(together)
    assert [line["game"] for line in together] == list(range(30))
    assert len({str(line["vp"]) for line in alone}) > 5, "they are different games"


def test_the_workers_begin_before_the_caller_has_threads(toy: Toy) -> None:
    lines = play_many(toy, tasks(range(3)), jobs=2)
    assert len(multiprocessing.active_children()) == 2
    assert len(list(lines)) == 3


def test_where_nothing_is_forked_the_same_games_are_played(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "METHOD", "spawn")
    assert timeless(list(play_many(toy, tasks(range(3)), jobs=2))) == timeless(list(play_many(toy, tasks(range(3)))))


def test_a_game_alone_is_the_game_of_the_run(toy: Toy) -> None:
    alone = play_one(toy, GameTask(MATCH, 7))
    assert timeless([alone]) == timeless(list(play_many(toy, tasks(range(5, 9)))))[2:3]


def test_a_line_says_how_the_game_went(toy: Toy) -> None:
    line = play_one(toy, GameTask(MATCH, 0))
    assert set(line) == {"game", "winner", "how", "year", "vp", "actions", "chances", "seconds"}
    assert line["winner"] in ("prussia", "austria", None)
    assert (line["how"], line["year"], line["chances"]) == ("points", 1759, 3)


def test_records_are_kept_if_wanted(toy: Toy, tmp_path: Path) -> None:
    line = play_one(toy, GameTask(MATCH, 12, tmp_path))
    recorded = read(tmp_path / "game-00012.leuthen")
    assert toy.summary(Replay(toy, recorded).run().state)["vp"] == line["vp"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_breaks_off_is_named(jobs: int) -> None:
    with pytest.raises(GameFailed, match=r"game 3 broke off: ActionLimitExceeded: after 100 actions.*\(loop.py:\d+\)"):
        list(play_many(Toy(endless=True), tasks([3, 4], limit=100), jobs))


def test_an_unknown_bot_is_named(toy: Toy) -> None:
    with pytest.raises(GameFailed, match='"nobody" is not a valid bot'):
        play_one(toy, GameTask(msgspec.structs.replace(MATCH, bots=("random", "nobody")), 0))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_killed_process_loses_no_game(toy: Toy, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "METHOD", method)
    monkeypatch.setenv(KILLED_FOLDER, str(tmp_path))
    lines = list(play_many(toy, tasks(range(12), MORTAL), jobs=2))
    assert any(tmp_path.iterdir()), "some processes were killed"
    assert timeless(lines) == timeless(list(play_many(toy, tasks(range(12)))))


def test_a_game_that_kills_its_process_again_and_again_is_named(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KILLED_FOLDER, raising=False)
    with pytest.raises(GameFailed, match="game 0 broke off: its process was killed 3 times"):
        list(play_many(toy, tasks([0, 1], MORTAL), jobs=2))


def test_a_run_that_was_stopped_goes_on_from_its_file(toy: Toy, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert begin(file, MATCH) == {}
    add_line(file, b'{"game":3,"winner":null}')
    with file.open("ab") as out:
        out.write(b'{"game":4,"win')
    assert begin(file, MATCH) == {3: {"game": 3, "winner": None}}
    add_line(file, b'{"game":4,"winner":"austria"}')
    assert sorted(begin(file, MATCH)) == [3, 4]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"{}\n", "line 1: it does not name its run"),
        (b"nonsense\n", "line 1: it does not name its run"),
        (msgspec.json.encode({"run": msgspec.structs.replace(MATCH, seed="t")}) + b"\n", "its seed is t, not seed"),
        (msgspec.json.encode({"run": MATCH}) + b'\n{"game":"x"}\n', "line 2: it is not the line of a game"),
        (msgspec.json.encode({"run": MATCH}) + b"\n{\n", "line 2: "),
        (
            msgspec.json.encode({"run": MATCH}) + b'\n{"game":3}\n{"game":4}\n{"game":3}\n',
            "line 4: the same game as in line 2; remove one of the two lines",
        ),
    ],
)
def test_a_file_that_does_not_fit_is_refused_and_stays(written: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(written)
    with pytest.raises(Invalid, match=re.escape(told)):
        begin(file, MATCH)
    assert file.read_bytes() == written


def test_a_folder_is_no_file_to_keep_games_in(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="cannot be read: Is a directory"):
        begin(tmp_path, MATCH)


def test_the_bar_counts_what_was_played_before() -> None:
    err, lines = io.StringIO(), [{"game": 1}, {"game": 2}]
    assert list(progress(cast(list[Line], lines), 1, 3, err)) == lines
    assert "3/3" in err.getvalue()


@pytest.mark.usefixtures("toy_data")
def test_a_second_run_of_the_same_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    toy = ["--ruleset", "toy", "--scenario", "parley", "--keep", str(file)]
    with locked(file):
        for command in (["simulate", "--prussia", "random", "--austria", "random"], ["ladder", "random", "random"]):
            assert run([*command, *toy]) == 2
            assert "games.jsonl: another run is writing to this file" in capsys.readouterr().err
    assert not file.exists()
    assert run(["simulate", "--prussia", "random", "--austria", "random", *toy]) == 0


@pytest.mark.usefixtures("toy_data")
def test_parquet_that_is_not_there_is_missed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    command = ["simulate", "--ruleset", "toy", "--scenario", "parley", "--prussia", "random", "--austria", "random"]
    assert run([*command, "--parquet", str(tmp_path / "games.parquet")]) == 2
    said = capsys.readouterr()
    assert "pip install 'leuthen[parquet]'" in said.err
    assert said.out == "", "no game was played"


SHORT = {
    "frederick": ["--ruleset", "frederick", "--option", "last-year=1756"],
    "campaigns": ["--ruleset", "campaigns", "--scenario", "1756"],
}
BOTS = [("random", "random"), ("cadet", "random")]


def asked(ruleset: str, bots: tuple[str, str] = BOTS[0]) -> list[str]:
    seats = [word for side, bot in zip(load(ruleset).sides, bots, strict=True) for word in (f"--{side}", bot)]
    return [*SHORT[ruleset], *seats]


def simulated(hash_seed: str, *argv: object) -> list[dict[str, object]]:
    command = [sys.executable, "-m", "leuthen", "simulate", *map(str, argv)]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(line.pop("seconds") >= 0 for line in lines)
    return lines


@cache
def records(ruleset: str, bots: tuple[str, str], hash_seed: str) -> list[bytes]:
    with TemporaryDirectory() as folder:
        simulated(hash_seed, *asked(ruleset, bots), "--seed", "hash", "--games", 2, "--records", folder)
        return [path.read_bytes() for path in sorted(Path(folder).iterdir())]


@pytest.mark.parametrize("bots", BOTS, ids="-".join)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_seed_is_the_same_game_under_any_hash_seed(ruleset: str, bots: tuple[str, str]) -> None:
    one, two = records(ruleset, bots, "1"), records(ruleset, bots, "4242")
    assert one == two
    assert one[0].splitlines()[-1] != one[1].splitlines()[-1]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_record_is_replayed_to_its_end(ruleset: str, tmp_path: Path) -> None:
    for number, record in enumerate(records(ruleset, BOTS[1], "1")):
        path = tmp_path / str(number)
        path.write_bytes(record)
        door, recorded = load(ruleset), read(path)
        table = Replay(door, recorded).run()
        assert door.outcome(table.state) is not None
        assert recorded.end.endswith(digest_of(door, table.state))


def without_times(pairs: list[Pair]) -> list[tuple[int, tuple[float, float], tuple[str, str]]]:
    return [(pair.number, pair.scores, pair.ends) for pair in pairs]


def test_a_pair_is_the_same_however_it_is_played(toy: Toy) -> None:
    alone = without_times(list(play_pairs(toy, MATCH, range(6))))
    assert without_times(list(play_pairs(toy, MATCH, range(6), jobs=2))) == alone
    assert without_times(list(play_pairs(toy, MATCH, [4]))) == alone[4:5]


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
    dice, scores = Key.from_seed("ladder", number).bot_seed, list[float]()
    while len(scores) < 400 and not verdict(scores):
        wins = [dice(f"{len(scores)} {side}") % 1000 < 1000 * score for side in (0, 1)]
        scores.append(sum(wins) / 2)
    return verdict(scores)


def test_a_run_that_was_broken_off_goes_on(toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pairs.jsonl"
    whole = list(run_ladder(toy, MATCH, 6, 1, None))
    list(run_ladder(toy, MATCH, 3, 1, file))
    played = ladder.play_pairs

    def watched(toy: Toy, match: Match, numbers: list[int], jobs: int, on: str, **ways: Any) -> object:
        assert numbers == [3, 4, 5]
        return played(toy, match, numbers, jobs, on, **ways)

    monkeypatch.setattr(ladder, "play_pairs", watched)
    assert list(run_ladder(toy, MATCH, 6, 1, file)) == whole
    assert [pair.number for pair in read_results(file, Pair)] == list(range(6))


def test_a_run_ends_when_it_is_certain_unless_all_pairs_are_asked_for(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "verdict", lambda scores: "better by a level" if len(scores) >= 3 else "")
    assert [row.pairs for row in run_ladder(toy, MATCH, 6, 1, None)] == [1, 2, 3]
    assert [row.pairs for row in run_ladder(toy, MATCH, 6, 1, None, all_pairs=True)] == [1, 2, 3, 4, 5, 6]


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text("{}\n")
    with pytest.raises(Invalid, match=r"pairs\.jsonl, line 1"):
        read_results(file, Pair)
    with pytest.raises(Invalid, match="at least one pair"):
        standing([])


def test_a_file_that_has_a_pair_twice_is_refused(toy: Toy, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    list(run_ladder(toy, MATCH, 2, 1, file, all_pairs=True))
    first, _ = lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines, first]))
    with pytest.raises(Invalid, match="line 3: the same game as in line 1"):
        list(run_ladder(toy, MATCH, 3, 1, file))


@pytest.mark.usefixtures("toy_data")
def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["ladder", "random", "random", "--ruleset", "toy", "--scenario", "parley", "--pairs", "2"]
    assert run([*command, "--all", "--keep", str(tmp_path / "pairs.jsonl")]) == 0
    out = capsys.readouterr()
    assert "random against random, toy parley: 2 pairs: 50.0%" in out.out
    assert "1 pairs" in out.err
    assert run(["ladder", "random", "nobody", "--ruleset", "toy", "--scenario", "parley"]) == 2


def test_what_has_become_slower_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    for commit, cost in (("first", 3.0), ("second", 1.0)):
        earlier = History(path)
        earlier.note("frederick", Figure("view", 1.0, cost))
        earlier.note("campaigns", Figure("view", 1.0, 2 * cost))
        earlier.keep(commit)
    now = History(path)
    now.note("frederick", Figure("view", 1.0, 1.2))
    now.note("campaigns", Figure("view", 1.0, 2.05))
    now.note("frederick", Figure("scene", 1.0, 9.0))
    assert list(now.slower()) == ["slower by 20% than at second: frederick view"]
    assert path.read_text(encoding="utf-8").splitlines()[:2] == ["commit,set,figure,cost", "first,frederick,view,3"]
