import io
import multiprocessing
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.play.loop import LIMIT
from leuthen.play.record import read
from leuthen.play.replay import Replay
from leuthen.simulate import run as running
from leuthen.simulate.bulk import add_line, begin, locked, progress
from leuthen.simulate.game import GameFailed, GameTask, Line, Match, play_one
from leuthen.simulate.run import play_many
from tests.mortal import KILLED
from tests.toy import Toy

MATCH = Match("toy", "", "parley", {"rounds": "3"}, ("random", "random"), "seed")
MORTAL = msgspec.structs.replace(MATCH, bots=("tests.mortal:Mortal", "random"))


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


def test_another_seed_gives_other_games(toy: Toy) -> None:
    other = msgspec.structs.replace(MATCH, seed="another")
    assert timeless(list(play_many(toy, tasks(range(9))))) != timeless(list(play_many(toy, tasks(range(9), other))))


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
    with pytest.raises(GameFailed, match=r"game 3 broke off: Runaway: after 100 actions.*\(loop.py:\d+\)"):
        list(play_many(Toy(endless=True), tasks([3, 4], limit=100), jobs))


def test_an_unknown_bot_is_named(toy: Toy) -> None:
    with pytest.raises(GameFailed, match="«nobody» is no bot"):
        play_one(toy, GameTask(msgspec.structs.replace(MATCH, bots=("random", "nobody")), 0))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_killed_process_loses_no_game(toy: Toy, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "METHOD", method)
    monkeypatch.setenv(KILLED, str(tmp_path))
    lines = list(play_many(toy, tasks(range(12), MORTAL), jobs=2))
    assert any(tmp_path.iterdir()), "some processes were killed"
    assert timeless(lines) == timeless(list(play_many(toy, tasks(range(12)))))


def test_a_game_that_kills_its_process_again_and_again_is_named(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KILLED, raising=False)
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
        (b"{}\n", "line 1: it does not say which run it is of"),
        (b"nonsense\n", "line 1: it does not say which run it is of"),
        (msgspec.json.encode({"run": msgspec.structs.replace(MATCH, seed="t")}) + b"\n", "its seed is t, not seed"),
        (msgspec.json.encode({"run": MATCH}) + b'\n{"game":"x"}\n', "line 2: it is no line of a game"),
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


@pytest.mark.usefixtures("shelf")
def test_a_second_run_of_the_same_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    toy = ["--ruleset", "toy", "--scenario", "parley", "--keep", str(file)]
    with locked(file):
        for command in (["simulate", "--prussia", "random", "--austria", "random"], ["ladder", "random", "random"]):
            assert run([*command, *toy]) == 2
            assert "games.jsonl: another run is writing to this file" in capsys.readouterr().err
    assert not file.exists()
    assert run(["simulate", "--prussia", "random", "--austria", "random", *toy]) == 0


@pytest.mark.usefixtures("shelf")
def test_parquet_that_is_not_there_is_missed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    command = ["simulate", "--ruleset", "toy", "--scenario", "parley", "--prussia", "random", "--austria", "random"]
    assert run([*command, "--parquet", str(tmp_path / "games.parquet")]) == 2
    said = capsys.readouterr()
    assert "pip install 'leuthen[parquet]'" in said.err
    assert said.out == "", "no game was played"
