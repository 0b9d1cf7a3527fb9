from pathlib import Path
from typing import Any

import msgspec
import pytest

from leuthen.load import load
from tools import pars


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
