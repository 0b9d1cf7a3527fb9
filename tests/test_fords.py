import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from leuthen import load
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE
from leuthen.load import add_ruleset
from tests.laws import games, laws
from tests.laws.finding import breaks, faults
from tests.plugins import FORDS, install
from tests.rows import rows

ROOT = Path(__file__).parent.parent
HOME = FORDS / "fords"
NAME = "fords.plugin:PLUGIN"
MAX_LINES = 1500


@pytest.fixture
def fords(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(load, "RULESETS", dict(load.RULESETS))
    monkeypatch.setattr(load, "_ADDED", [])
    monkeypatch.setitem(games.PLAYERS, "fords", games.Player({"move": 5, "press": 5}, lambda state, side: iter(())))
    add_ruleset(NAME)
    yield load.load("fords")
    load.load.cache_clear()


def test_the_example_is_small_and_unknown_to_the_program() -> None:
    whole = [path for path in HOME.rglob("*") if path.suffix in (".py", ".csv", ".md")]
    assert sum(len(path.read_text().splitlines()) for path in whole) <= MAX_LINES
    for path in (ROOT / "src" / "leuthen").rglob("*.*"):
        assert path.suffix not in (".py", ".js") or "fords" not in path.read_text().lower(), path


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_the_laws_hold_in_the_example(fords: Any, seed: int) -> None:
    moments = list(games.moments(fords, seed, "campaign", {}, often=4))
    kinds = {f"{moment.pending.decision} {moment.action.do}" for moment in moments}
    assert seed == 3 or {"Volley roll", "Battle withdraw", "Move move"} <= kinds, "an eager player fights"
    assert faults(f"fords, seed {seed}", moments) == []


def test_a_planted_leak_is_found(fords: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    law = laws.a_sampled_state_has_the_same_view
    assert not breaks(law, islice(games.moments(fords, 1, "campaign", {}, often=1), 120))
    honest = fords.view

    def leaky(state: Any, viewer: int) -> Any:
        return honest(state, viewer).replace(moves=sum(block.strength for block in state.blocks))

    monkeypatch.setattr(fords, "view", leaky)
    assert breaks(law, islice(games.moments(fords, 1, "campaign", {}, often=1), 120))


def test_a_planted_undeclared_learning_is_found(fords: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from fords.model import Draft

    law = laws.an_action_reveals_only_what_it_declares
    assert not breaks(law, islice(games.moments(fords, 1, "campaign", {}, often=1), 120))
    monkeypatch.setattr(Draft, "learn", lambda self, *viewers: None)
    assert breaks(law, islice(games.moments(fords, 1, "campaign", {}, often=1), 120))


def game_at(fords: Any, *lines: str) -> Any:
    state = fords.new_game("campaign", {})
    for line in lines:
        actor, _, order = line.partition(": ")
        who = {"n": 0, "s": 1, "c": CHANCE}[actor]
        state = fords.apply(state, who, fords.parse_action(state, who, order)).state
    return state


STRENGTHS = "4433322211"
HOMES = ("Holm Garth Fell", "Ross Quern Stow")


def set_up(side: int, last: str) -> list[str]:
    areas = [area for area in HOMES[side].split() for _ in range(3)]
    return [f"{'ns'[side]}: place {each} {area}" for each, area in zip(STRENGTHS, [*areas, last], strict=True)]


SET_UP = [*set_up(0, "Jarl"), *set_up(1, "Tarn")]


def test_a_saved_position_contains_names(fords: Any) -> None:
    state = game_at(fords, *SET_UP, "n: move b1 Mere")
    text = json.loads(fords.dump(state))
    block = {"area": "Mere", "came": "Holm", "full": 4, "is_open": False, "side": "north", "strength": 4}
    assert (text["blocks"][0], text["blocks"][1]["came"]) == (block, "")
    assert (text["owners"]["Mere"], text["owners"]["Larch"]) == ("north", "nobody")
    assert text["frames"][-1] == {"frame": "moves", "side": "north"}
    assert fords.restore(fords.dump(state)) == state


@pytest.mark.parametrize(("part", "other", "complaint"), rows("fords-damaged-positions"))
def test_a_damaged_position_is_refused_with_its_place(fords: Any, part: bytes, other: bytes, complaint: str) -> None:
    text = fords.dump(game_at(fords, *SET_UP, "n: done"))
    assert part in text
    with pytest.raises(Invalid, match=re.escape(complaint)):
        fords.restore(text.replace(part, other, 1))


def test_a_saved_view_contains_no_secrets(fords: Any) -> None:
    view = fords.view(game_at(fords, *SET_UP), 1)
    text = fords.encode_view(view)
    seen = [(block["full"], block["strength"]) for block in json.loads(text)["blocks"]]
    assert seen == [*[(0, 0)] * 10, *((int(each), int(each)) for each in STRENGTHS)]
    assert fords.decode_view(text) == view


@pytest.mark.parametrize(("actor", "line", "rule"), rows("fords-forbidden-orders"))
def test_a_forbidden_order_names_its_rule(fords: Any, actor: int, line: str, rule: str) -> None:
    state = game_at(fords, *SET_UP)
    with pytest.raises(Illegal) as caught:
        fords.apply(state, actor, fords.parse_action(state, actor, line))
    assert caught.value.refusal.rule == rule


def test_a_battle_over_a_ford_follows_the_rules(fords: Any) -> None:
    state = game_at(fords, *SET_UP, "n: move b1 Mere", "n: done", "s: move b11 Mere", "s: done", "c: roll 5")
    step = fords.apply(state, CHANCE, fords.parse_action(state, CHANCE, "roll 3"))
    fired = next(fact for fact in step.facts if fact.__struct_config__.tag == "fired")
    assert (fired.side, fired.need) == (1, 3)
    assert [block.strength for block in step.state.blocks if block.is_open] == [3, 4]
    back = fords.apply(step.state, 1, fords.parse_action(step.state, 1, "withdraw")).state
    assert fords.data.names[back.blocks[10].area] == "Ross"
    assert fords.view(back, 0).blocks[10].strength == 4
    assert fords.view(back, 0).blocks[11].strength == 0


def test_a_town_counts_for_its_last_sole_occupant(fords: Any) -> None:
    state = game_at(fords, *SET_UP, "n: move b1 Mere", "n: done", "s: done")
    assert (state.points(0), state.points(1)) == (7, 4)
    for _ in range(14):
        actor = fords.pending(state)[0].actor
        state = fords.apply(state, actor, fords.parse_action(state, actor, "done")).state
    assert (fords.outcome(state).winner, fords.outcome(state).rule) == (0, "F6.1")


def test_a_scene_contains_no_secret(fords: Any) -> None:
    state = game_at(fords, *SET_UP)
    own, foe = (fords.presenter.scene(fords.view(state, 0)).pieces[key] for key in ("Holm-0f", "Ross-1f"))
    assert (own.strength, own.is_known) == ("443", True)
    assert (foe.strength, foe.low, foe.high, foe.is_known) == ("???", 3, 12, False)
    assert "b11: ?" in fords.presenter.about(fords.view(state, 0), "Ross").lines


@pytest.mark.parametrize("named", ["nowhere.plugin:PLUGIN", "fords.plugin:NAME", "fords.plugin", ":PLUGIN"])
def test_an_invalid_plug_in_name_is_refused(fords: Any, named: str) -> None:
    with pytest.raises(Invalid, match="is not a valid rule set"):
        add_ruleset(named)


def test_the_code_of_the_tutorial_is_in_the_example() -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in [*sorted(HOME.glob("*.py")), FORDS / "pyproject.toml"]
    )
    *blocks, run_under_the_laws = re.findall(r"```(?:python|toml)\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 10
    assert "faults(" in run_under_the_laws, "tests/test_pages.py runs it"
    for block in blocks:
        for part in block.split("\n...\n"):
            assert part.strip("\n") in code, part


SEATS = ["--side-1", "random", "--side-2", "random", "--seed", "1"]
BROKEN_MODULE = "import nothing_of_this_name\n"
UNFIT_MODULE = """from leuthen.plugin import Plugin


class Unfit(Plugin):
    name = "unfit"
    data = ()
    rulebook = None


PLUGIN = Unfit()
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "broken.py").write_text(BROKEN_MODULE)
    (tmp_path / "unfit.py").write_text(UNFIT_MODULE)
    install(tmp_path, "fords.plugin:PLUGIN")
    install(tmp_path, "broken:PLUGIN", "broken", "leuthen-broken")
    install(tmp_path, "unfit:PLUGIN", "unfit", "leuthen-unfit")
    install(tmp_path, "fords.plugin:PLUGIN", "other", "leuthen-other")
    install(tmp_path, "fords.plugin:PLUGIN", "../frederick", "leuthen-odd")
    return tmp_path


def leuthen(site: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": f"{site}:{FORDS}"}
    return subprocess.run(
        [sys.executable, "-m", "leuthen", *argv], env=env, capture_output=True, text=True, check=False
    )


def test_an_installed_game_is_played_and_verified(site: Path) -> None:
    record = site / "fords.leuthen"
    assert leuthen(site, "play", "--ruleset", "fords", *SEATS, "--record", str(record)).returncode == 0
    assert leuthen(site, "replay", str(record), "--verify").returncode == 0
    assert leuthen(site, "rules", "F5.4").stdout.count("over a ford needs one less") == 1


def test_an_installed_game_is_simulated_in_processes(site: Path) -> None:
    lines = []
    for more in (["--isolated"], ["--jobs", "2"], []):
        done = leuthen(site, "simulate", "--ruleset", "fords", *SEATS, "--games", "2", *more)
        assert done.returncode == 0, done.stderr
        lines.append([{**json.loads(line), "seconds": 0} for line in done.stdout.splitlines()])
    assert lines[1] == lines[2]
    assert len(lines[0]) == 2


def test_a_broken_plug_in_leaves_other_rule_sets_usable(site: Path) -> None:
    done = leuthen(site, "rules", "O5.3")
    assert done.returncode == 0
    assert "O5.3" in done.stdout
    said = done.stderr.splitlines()
    assert len(said) == 4, said
    for text in (
        "the rule set ../frederick (fords.plugin:PLUGIN of leuthen-odd 1.0) is not used",
        "(broken:PLUGIN of leuthen-broken 1.0) is broken: ModuleNotFoundError: No module named 'nothing_of_this_name'",
        "the rule set unfit is skipped: AttributeError",
        "(fords.plugin:PLUGIN of leuthen-other 1.0) is broken: a Plugin with this name is expected",
    ):
        assert any(text in line for line in said), text


@pytest.mark.parametrize("name", ["broken", "other", "unfit"])
def test_a_command_for_a_broken_plug_in_is_refused(site: Path, name: str) -> None:
    done = leuthen(site, "simulate", "--ruleset", name, *SEATS)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"the rule set {name}" in done.stderr
    assert "is broken: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_plug_in_cannot_replace_a_built_in_rule_set(monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.rulesets.frederick.plugin import FrederickPlugin

    monkeypatch.setattr("leuthen.rulesets.frederick.plugin.AGAIN", FrederickPlugin(), raising=False)
    with pytest.raises(Invalid, match="there is a rule set frederick already"):
        load.add_ruleset("leuthen.rulesets.frederick.plugin:AGAIN")
