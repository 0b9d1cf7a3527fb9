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
from typing import Any

import msgspec
import pytest

from bench.history import History
from bench.measure import Figure
from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.load import RULESETS, load
from leuthen.play.dice import Key
from leuthen.play.table import LIMIT
from leuthen.simulate import bulk
from leuthen.simulate import run as running
from leuthen.simulate.bulk import LEAST, Pair, add_line, begin, locked, play_pairs, read_results, run_ladder, verdict
from leuthen.simulate.run import GameFailed, GameTask, Match, play_many, play_one
from tests.failing_bots import KILLED_FOLDER
from tests.toy import Toy
from tools import pars

MATCH = Match("toy", "", "parley", {"rounds": "3"}, ("random", "random"), "seed")
KILLED_MATCH = msgspec.structs.replace(MATCH, bots=("tests.failing_bots:KilledBot", "random"))


def tasks(games: Iterable[int], match: Match = MATCH, limit: int = LIMIT) -> list[GameTask]:
    return [GameTask(match, game, None, limit) for game in games]


def without_seconds(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def test_workers_start_before_the_first_result(toy: Toy) -> None:
    lines = play_many(toy, tasks(range(3)), jobs=2)
    assert len(multiprocessing.active_children()) == 2
    assert len(list(lines)) == 3


def test_a_result_line_describes_the_game(toy: Toy) -> None:
    line = play_one(toy, GameTask(MATCH, 0))
    assert set(line) == {"game", "winner", "how", "year", "vp", "actions", "chances", "seconds"}
    assert line["winner"] in ("prussia", "austria", None)
    assert (line["how"], line["year"], line["chances"]) == ("points", 1759, 3)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_fails_is_named(jobs: int) -> None:
    with pytest.raises(GameFailed, match=r"game 3 broke off: ActionLimitExceeded: after 100 actions.*\(table.py:\d+\)"):
        list(play_many(Toy(endless=True), tasks([3, 4], limit=100), jobs))


def test_a_simulation_with_an_unknown_bot_is_refused(toy: Toy) -> None:
    with pytest.raises(GameFailed, match='"nobody" is not a valid bot'):
        play_one(toy, GameTask(msgspec.structs.replace(MATCH, bots=("random", "nobody")), 0))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_games_of_a_killed_process_are_repeated(
    toy: Toy, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "METHOD", method)
    monkeypatch.setenv(KILLED_FOLDER, str(tmp_path))
    lines = list(play_many(toy, tasks(range(12), KILLED_MATCH), jobs=2))
    assert any(tmp_path.iterdir()), "some processes were killed"
    assert without_seconds(lines) == without_seconds(list(play_many(toy, tasks(range(12)))))


def test_a_game_that_always_kills_its_process_is_named(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KILLED_FOLDER, raising=False)
    with pytest.raises(GameFailed, match="game 0 broke off: its process was killed 3 times"):
        list(play_many(toy, tasks([0, 1], KILLED_MATCH), jobs=2))


def test_a_stopped_simulation_continues_from_its_file(toy: Toy, tmp_path: Path) -> None:
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
def test_an_unsuitable_results_file_is_unchanged(written: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(written)
    with pytest.raises(Invalid, match=re.escape(told)):
        begin(file, MATCH)
    assert file.read_bytes() == written


@pytest.mark.usefixtures("toy_data")
def test_a_results_file_has_one_writer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    toy = ["--ruleset", "toy", "--scenario", "parley", "--keep", str(file)]
    with locked(file):
        for command in (["simulate", "--prussia", "random", "--austria", "random"], ["ladder", "random", "random"]):
            assert run([*command, *toy]) == 2
            assert "games.jsonl: another run is writing to this file" in capsys.readouterr().err
    assert not file.exists()
    assert run(["simulate", "--prussia", "random", "--austria", "random", *toy]) == 0


@pytest.mark.usefixtures("toy_data")
def test_missing_parquet_support_is_reported_before_playing(
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


def match_options(ruleset: str, bots: tuple[str, str] = BOTS[0]) -> list[str]:
    seats = [word for side, bot in zip(load(ruleset).sides, bots, strict=True) for word in (f"--{side}", bot)]
    return [*SHORT[ruleset], *seats]


def simulate(hash_seed: str, *argv: object) -> list[dict[str, object]]:
    command = [sys.executable, "-m", "leuthen", "simulate", *map(str, argv)]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(line.pop("seconds") >= 0 for line in lines)
    return lines


@cache
def records(ruleset: str, bots: tuple[str, str], hash_seed: str) -> list[bytes]:
    with TemporaryDirectory() as folder:
        simulate(hash_seed, *match_options(ruleset, bots), "--seed", "hash", "--games", 2, "--records", folder)
        return [path.read_bytes() for path in sorted(Path(folder).iterdir())]


@pytest.mark.parametrize("bots", BOTS, ids="-".join)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_does_not_depend_on_the_hash_seed(ruleset: str, bots: tuple[str, str]) -> None:
    one, two = records(ruleset, bots, "1"), records(ruleset, bots, "4242")
    assert one == two
    assert one[0].splitlines()[-1] != one[1].splitlines()[-1]


def without_times(pairs: list[Pair]) -> list[tuple[int, tuple[float, float], tuple[str, str]]]:
    return [(pair.number, pair.scores, pair.ends) for pair in pairs]


def test_a_pair_does_not_depend_on_its_run(toy: Toy) -> None:
    alone = without_times(list(play_pairs(toy, GameTask(MATCH, 0), range(6))))
    assert without_times(list(play_pairs(toy, GameTask(MATCH, 0), range(6), jobs=2))) == alone
    assert without_times(list(play_pairs(toy, GameTask(MATCH, 0), [4]))) == alone[4:5]


def test_a_bot_against_itself_scores_half_of_each_pair(toy: Toy) -> None:
    assert {pair.score for pair in play_pairs(toy, GameTask(MATCH, 0), range(12))} == {0.5}


def test_a_ladder_match_ends_with_a_verdict() -> None:
    assert verdict([1.0] * (LEAST - 1)) == ""
    assert verdict([1.0] * LEAST) == "better by a level"
    assert verdict([0.0] * LEAST) == "not better by a level"
    assert verdict([0.5, 0.6] * 10) == ""
    assert verdict([0.5] * 40) == "not better by a level"


def test_a_verdict_is_seldom_wrong() -> None:
    assert sum(_match(0.5, number) == "better by a level" for number in range(200)) < 20
    assert sum(_match(0.6, number) == "not better by a level" for number in range(200)) < 20


def _match(score: float, number: int) -> str:
    dice, scores = Key.from_seed("ladder", number).bot_seed, list[float]()
    while len(scores) < 400 and not verdict(scores):
        wins = [dice(f"{len(scores)} {side}") % 1000 < 1000 * score for side in (0, 1)]
        scores.append(sum(wins) / 2)
    return verdict(scores)


def test_a_stopped_ladder_continues(toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pairs.jsonl"
    whole = list(run_ladder(toy, GameTask(MATCH, 0), 6, 1, None))
    list(run_ladder(toy, GameTask(MATCH, 0), 3, 1, file))
    played = bulk.play_pairs

    def watched(toy: Toy, task: GameTask, numbers: list[int], jobs: int, on: str) -> object:
        assert numbers == [3, 4, 5]
        return played(toy, task, numbers, jobs, on)

    monkeypatch.setattr(bulk, "play_pairs", watched)
    assert list(run_ladder(toy, GameTask(MATCH, 0), 6, 1, file)) == whole
    assert [pair.number for pair in read_results(file, Pair)] == list(range(6))


def test_a_ladder_ends_at_its_verdict_unless_all_are_requested(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "verdict", lambda scores: "better by a level" if len(scores) >= 3 else "")
    assert [row.pairs for row in run_ladder(toy, GameTask(MATCH, 0), 6, 1, None)] == [1, 2, 3]
    assert [row.pairs for row in run_ladder(toy, GameTask(MATCH, 0), 6, 1, None, all_pairs=True)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.usefixtures("toy_data")
def test_the_ladder_command_prints_its_result(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["ladder", "random", "random", "--ruleset", "toy", "--scenario", "parley", "--pairs", "2"]
    assert run([*command, "--all", "--keep", str(tmp_path / "pairs.jsonl")]) == 0
    out = capsys.readouterr()
    assert "random against random, toy parley: 2 pairs: 50.0%" in out.out
    assert "1 pairs" in out.err
    assert run(["ladder", "random", "nobody", "--ruleset", "toy", "--scenario", "parley"]) == 2


def test_the_benchmark_reports_slower_figures(tmp_path: Path) -> None:
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


@pytest.fixture
def par_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[tuple[str, str], list[int]]]:
    found: list[dict[tuple[str, str], list[int]]] = []
    monkeypatch.setattr(pars, "GAMES", tmp_path / "pars.jsonl")
    monkeypatch.setattr(pars, "write", lambda _bot, margins: found.append(margins))
    return found


def run_pars(games: int) -> None:
    pars.main(["--bot", "random", "--scenario", "bohemia", "--scenario", "prague", "--games", str(games)])


def test_a_stopped_run_continues(
    par_tables: list[dict[tuple[str, str], list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = list[pars.ParGame]()

    def play(duel: pars.ParGame) -> pars.Margin:
        played.append(duel)
        return pars.Margin(duel, duel.game)

    monkeypatch.setattr(pars, "play", play)
    run_pars(1)
    pars.GAMES.write_bytes(pars.GAMES.read_bytes() + b'{"match":{"rul')
    run_pars(2)
    assert [(duel.scenario, duel.game) for duel in played] == [
        ("bohemia", 0),
        ("prague", 0),
        ("bohemia", 1),
        ("prague", 1),
    ]
    assert par_tables[-1] == {("frederick", "bohemia"): [0, 1], ("campaigns", "prague"): [0, 1]}


def test_only_games_of_the_current_set_up_count(
    par_tables: list[dict[tuple[str, str], list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_pars(1)
    assert all(len(margins) == 1 for margins in par_tables[-1].values())
    data: Any = load("frederick")
    plan = data.data.scenarios["bohemia"]
    other = msgspec.structs.replace(plan, last_turn=plan.last_turn + 1)
    assert pars.setup_of("frederick", plan) == pars.setup_of("frederick", msgspec.structs.replace(plan, par=99))
    assert pars.setup_of("frederick", plan) != pars.setup_of("frederick", other)
    monkeypatch.setattr(pars, "setup_of", lambda _game, _plan: "another")
    run_pars(1)
    assert len(pars.GAMES.read_text().splitlines()) == 4
    assert all(len(margins) == 1 for margins in par_tables[-1].values())


def test_a_par_is_the_median_to_the_nearest_five() -> None:
    assert pars.par_of([-3, 18, 22]) == 20
    assert pars.par_of([-40, -30]) == -35
