"""Bulk play: the same games for the same seed, whatever the number of processes."""

from __future__ import annotations

import io
import json
import multiprocessing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from leuthen.play.record import read
from leuthen.play.replay import Replay
from leuthen.simulate import run
from leuthen.simulate.game import GameFailed, Plan, play_one
from leuthen.simulate.run import play_many, report
from tests.toy import Toy

PLAN = Plan("parley", {"rounds": "3"}, ("random", "random"), "seed")


def timeless(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def test_jobs_change_nothing_but_the_seconds(toy: Toy) -> None:
    alone = list(play_many(toy, PLAN, range(30)))
    together = list(play_many(toy, PLAN, range(30), jobs=3))
    assert timeless(alone) == timeless(together)
    assert [line["game"] for line in together] == list(range(30))
    assert len({str(line["vp"]) for line in alone}) > 5, "they are different games"


def test_the_workers_begin_before_the_caller_has_threads(toy: Toy) -> None:
    """A progress bar draws itself in a thread; a fork after that would copy its locks as they happen to stand."""
    lines = play_many(toy, PLAN, range(3), jobs=2)
    assert len(multiprocessing.active_children()) == 2
    assert len(list(lines)) == 3


def test_where_nothing_is_forked_the_same_games_are_played(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_METHOD", "spawn")
    assert timeless(list(play_many(toy, PLAN, range(3), jobs=2))) == timeless(list(play_many(toy, PLAN, range(3))))


def test_a_game_alone_is_the_game_of_the_run(toy: Toy) -> None:
    alone = play_one(toy, PLAN, 7)
    assert timeless([alone]) == timeless(list(play_many(toy, PLAN, range(5, 9))))[2:3]


def test_another_seed_gives_other_games(toy: Toy) -> None:
    other = Plan("parley", {"rounds": "3"}, ("random", "random"), "another")
    assert timeless(list(play_many(toy, PLAN, range(9)))) != timeless(list(play_many(toy, other, range(9))))


def test_a_line_says_how_the_game_went(toy: Toy) -> None:
    line = play_one(toy, PLAN, 0)
    assert set(line) == {"game", "winner", "how", "year", "vp", "actions", "chances", "seconds"}
    assert line["winner"] in ("prussia", "austria", None)
    assert (line["how"], line["year"], line["chances"]) == ("points", 1759, 3)


def test_records_are_kept_if_wanted(toy: Toy, tmp_path: Path) -> None:
    plan = Plan("parley", {}, ("random", "random"), "seed", records=tmp_path)
    line = play_one(toy, plan, 12)
    recorded = read(tmp_path / "game-00012.leuthen")
    assert toy.summary(Replay(toy, recorded).run().state)["vp"] == line["vp"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_breaks_off_is_named(jobs: int) -> None:
    plan = Plan("parley", {}, ("random", "random"), "seed", limit=100)
    with pytest.raises(GameFailed, match=r"game 3 broke off: Runaway: after 100 actions.*\(loop.py:\d+\)"):
        list(play_many(Toy(endless=True), plan, [3, 4], jobs))


def test_an_unknown_bot_is_named(toy: Toy) -> None:
    with pytest.raises(GameFailed, match="«nobody» is no bot"):
        play_one(toy, Plan("parley", {}, ("random", "nobody"), "seed"), 0)


def test_the_report_is_json_by_lines_and_the_bar_stands_apart() -> None:
    out, err = io.StringIO(), io.StringIO()
    report([{"game": 0, "winner": None}, {"game": 1, "winner": "austria"}], 2, out, err)
    assert [json.loads(line)["winner"] for line in out.getvalue().splitlines()] == [None, "austria"]
    assert "2/2" in err.getvalue()
