import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import leuthen
from leuthen.cli import run

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
YEAR = ["--option", "last-year=1756", "--seed", "1"]
OWN = "examples.attacker:Attacker"


def run_page(name: str) -> dict[str, Any]:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], name, "exec"), names)
    return names


def test_the_cookbook_runs_and_shows_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_page("library.md")
    said = capsys.readouterr().out
    assert "March Phase, die 3: march a force" in said
    assert "1125 Prague" in said
    assert "line 1: Prussia (prussia) cannot stand in one stack with Austria (austria)" in said
    assert names["near"][0][0] == 1
    assert all(isinstance(value, int) for value, _ in names["near"])
    assert names["scores"]
    assert "polyline" in (names["folder"] / "vp.svg").read_text()


def test_the_bots_of_the_page_play() -> None:
    names = run_page("own-bots.md")
    rules = leuthen.ruleset("frederick")
    key = leuthen.Key.from_seed(1)
    table = leuthen.Table(rules, rules.new_game("campaign", {"last-year": "1756"}))
    seats = [names["First"](rules, side, 1) for side in (0, 1)]
    assert leuthen.Game(table, seats, key.dice()).play() is not None
    state = leuthen.position("phase march prussia die 3 ; Prussia 1632 5 Keith")
    assert names["deepest"](rules, rules.view(state, 0), 0, Random(1)) in rules.legal_actions(state, 0)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_simulate_plays_a_bot_of_ones_own(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", *YEAR, "--prussia", OWN, "--austria", "random", "--jobs", jobs]) == 0
    assert '"game": 0' in capsys.readouterr().out


def test_a_record_with_a_bot_of_ones_own_runs_no_module(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.leuthen"
    assert run(["play", *YEAR, "--prussia", OWN, "--austria", "random", "--record", str(path)]) == 0
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-2]))  # neither the last action nor the end
    assert run(["resume", str(path), "--seed", "1"]) == 2
    assert f"a side of this game was played by {OWN}: say who plays it now" in capsys.readouterr().err
    assert run(["resume", str(path), "--seed", "1", "--prussia", OWN]) == 0


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nowhere.at_all:Bot", "nowhere.at_all:Bot: No module named 'nowhere'"),
        (
            "examples.attacker:Nobody",
            "examples.attacker:Nobody: the module examples.attacker has no class or function Nobody",
        ),
        (":Bot", ":Bot: a bot of your own is named module:Class"),
    ],
)
def test_a_bot_that_is_not_there_is_named(name: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("play", "simulate"):
        assert run([command, *YEAR, "--prussia", name, "--austria", "random"]) == 2
        assert capsys.readouterr().err == f"leuthen: {fault}\n"


def in_the_midst(name: str) -> tuple[Any, Any]:
    rules, rng = leuthen.ruleset(name), Random(4)
    state = rules.new_game(next(iter(rules.scenarios)), {})
    dice = leuthen.Key.from_seed(1).dice()
    for _ in range(500):
        actor = rules.pending(state)[0].actor
        action = (
            dice.pick(rules.chances(state))
            if actor == leuthen.CHANCE
            else rules.legal_actions(state, actor).sample(rng)
        )
        state = rules.apply(state, actor, action).state
    return rules, state


@pytest.mark.parametrize("name", ["frederick", "campaigns"])
def test_a_view_is_enough_for_the_words_of_an_action(name: str) -> None:
    rules, state = in_the_midst(name)
    rng, dice, kinds = Random(1), leuthen.Key.from_seed(2).dice(), set()
    for _ in range(400):
        side = rules.pending(state)[0].actor
        if side == leuthen.CHANCE:
            action = dice.pick(rules.chances(state))
        else:
            action = rules.legal_actions(state, side).sample(rng)
            kinds.add(action.do)
            view = rules.view(state, side)
            assert rules.format_action(view, side, action) == rules.format_action(state, side, action)
        state = rules.apply(state, side, action).state
    assert "march" in kinds


def test_a_position_names_the_line_that_cannot_be() -> None:
    with pytest.raises(leuthen.Invalid, match=r"^line 2: «Nobody» is not understood"):
        leuthen.position("Prussia 1632 5 Keith\nPrussia 1633 5 Nobody")
    with pytest.raises(leuthen.Invalid, match=r"line 1: Hanover \(prussia\) cannot stand in one stack with Austria"):
        leuthen.position("Hanover prussia ; Austria 1433 3 Cumberland")
    assert leuthen.position("year 1758", "campaigns") is not None
