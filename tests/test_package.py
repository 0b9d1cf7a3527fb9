import tomllib
from pathlib import Path

from leuthen.load import RULESETS

ROOT = Path(__file__).parent.parent
BUILDS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]


def test_the_package_has_no_symbolic_link() -> None:
    assert not [path for path in (ROOT / "src").rglob("*") if path.is_symlink()]


def test_rulebooks_rulings_and_data_go_into_wheel_and_sdist() -> None:
    shelves = RULESETS.values()
    wanted = {path for shelf in shelves for path in (*shelf.data, shelf.rulebook, shelf.rulings) if path is not None}
    assert len(wanted) > len(RULESETS) * 3
    for target, key in (("wheel", "only-include"), ("sdist", "include")):
        taken = [ROOT / path for path in BUILDS[target][key]]
        left = {path for path in wanted if not any(path.is_relative_to(folder) for folder in taken)}
        assert not left, f"the {target} lacks them"


def test_the_wheel_has_the_folders_where_they_are_looked_for() -> None:
    assert BUILDS["wheel"]["sources"] == {
        "src/leuthen": "leuthen",
        "docs": "leuthen/docs",
        "tests/cases": "leuthen/cases/files",
    }
