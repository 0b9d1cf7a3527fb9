import ast
import inspect
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import leuthen
from leuthen import load
from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.load import load as load_rules
from leuthen.screen.values import ScenarioCard
from tests.rows import rows
from tests.toy import ToyPlugin


def test_a_rule_set_is_loaded_once(toy_data: Path) -> None:
    assert load.load("toy").digest == "abcd"
    assert load.load("toy") is load.load("toy")


def test_another_folder_replaces_the_data(toy_data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "toy.csv").write_text("digest,ef01\n")
    assert load.load("toy", other).digest == "ef01"


def test_a_later_data_folder_overrides_an_earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("below", "above"):
        (tmp_path / name / "map").mkdir(parents=True)
        (tmp_path / name / "map" / f"{name}.csv").write_text(name)
        (tmp_path / name / "both.csv").write_text(name)
    plugin = ToyPlugin(tmp_path / "below", tmp_path / "above", rulebook=tmp_path)
    monkeypatch.setattr(load, "RULESETS", {"toy": plugin})
    assert load.read_data("toy") == {"map/below.csv": "below", "map/above.csv": "above", "both.csv": "above"}


def test_rulings_are_read_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "rulings.md"
    page.write_text(
        "# Rulings\n\n| Rule | Option |\n|---|---|\n| T1 | x |\n\n| Rule | Question | Decision |\n|---|---|---|\n"
        "| T2 | May one? | One may. |\n\n| number | rules | question | decision |\n|---|---|---|---|\n"
        "| D1 | T3, T4 | Who? | Nobody. |\n"
    )
    monkeypatch.setattr(load, "RULESETS", {"toy": ToyPlugin(rulebook=tmp_path, rulings=page)})
    assert load.read_rulings("toy") == ("T2: May one? One may.", "T3, T4: Who? Nobody.")


def test_a_folder_without_data_is_named(toy_data: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(Invalid, match=r"has no \*.csv file"):
        load.load("toy", tmp_path / "empty")


def test_a_missing_rulebook_is_reported_without_its_path(toy_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(toy_data.parent / "rulebook")
    assert run(["rules", "T1"]) == 2
    assert capsys.readouterr().err.endswith('leuthen: no rule contains "T1"\n')
    assert run(["rules", "--ruleset", "toy", "T1"]) == 2
    said = capsys.readouterr().err
    assert said == "leuthen: the rulebook of toy is missing from this installation, or damaged\n"


@pytest.mark.parametrize(("ruleset", "name", "expected"), rows("scenario-cards"))
def test_a_scenario_card_has_length_and_par(
    ruleset: str, name: str, expected: tuple[str, int, int, int | None]
) -> None:
    cards: dict[str, ScenarioCard] = {card.name: card for card in load_rules(ruleset).presenter.setting().scenarios}
    card = cards[name]
    assert (card.kind, card.years, card.turns, card.par) == expected
    assert list(cards) == list(load_rules(ruleset).scenarios)


@pytest.mark.parametrize("name", leuthen.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    value = getattr(leuthen, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value)


def test_type_checkers_see_the_public_names() -> None:
    tree = ast.parse(Path(leuthen.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    seen = {
        alias.name: node.module for node in imports for alias in node.names if str(node.module).startswith("leuthen.")
    }
    assert seen == {name: f"leuthen.{home}" for name, home in leuthen._HOME_OF.items()}
    assert sorted(seen) == sorted(leuthen.__all__)


def test_an_unknown_public_name_raises() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        str(leuthen.nonsense)
    assert "ruleset" in dir(leuthen)


SOURCE = Path(leuthen.__file__).parent
PURE_MODULES = sorted(
    path for folder in ("engine", "wargame", "screen", "rulesets") for path in (SOURCE / folder).rglob("*.py")
)
assert len(PURE_MODULES) > 100
FORBIDDEN_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


def forbidden_code(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield f"line {node.lineno}: {node.func.id}()"
        if isinstance(node, ast.Global):
            yield f"line {node.lineno}: global"


@pytest.mark.parametrize("path", PURE_MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_pure_module_calls_no_input_or_output(path: Path) -> None:
    assert list(forbidden_code(path.read_text(encoding="utf-8"))) == []


def test_planted_input_and_output_is_found() -> None:
    found = list(forbidden_code("def f():\n    global x\n    open('x')\n    print(1)\n"))
    assert found == ["line 2: global", "line 3: open()", "line 4: print()"]
