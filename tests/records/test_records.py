"""The corpus: no record is another than it was, and those of this version come to what they came to."""

from __future__ import annotations

from pathlib import Path

import pytest

from leuthen.load import load
from tests.records.make import HERE, digest_of_file, folder_of, kept_outcomes, outcome_of, readme
from tests.records.plans import PLANS

FOLDERS = sorted({path.parent for path in HERE.rglob("*.leuthen")})
PRESENT = [path for ruleset in PLANS for path in sorted(folder_of(ruleset, load(ruleset).version).glob("*.leuthen"))]


def shown(path: Path) -> str:
    return str(path.relative_to(HERE))


@pytest.mark.parametrize("folder", FOLDERS, ids=shown)
def test_no_record_was_changed_added_or_taken_away(folder: Path) -> None:
    found = {path.stem: digest_of_file(path) for path in folder.glob("*.leuthen")}
    assert found == {name: kept.file for name, kept in kept_outcomes(folder).items()}


@pytest.mark.parametrize("record", PRESENT, ids=shown)
def test_a_record_of_this_version_comes_to_what_it_came_to(record: Path) -> None:
    assert outcome_of(record) == kept_outcomes(record.parent)[record.stem]


def test_every_record_has_its_plan() -> None:
    """A version has the records of the plans of its time."""
    for folder in FOLDERS:
        assert set(kept_outcomes(folder)) <= {plan.name for plan in PLANS[folder.parent.name]}


def test_the_page_tells_what_each_covers() -> None:
    assert (HERE / "README.md").read_text() == readme()


def test_every_scenario_and_value_of_an_option_has_its_record() -> None:
    for name, plans in PLANS.items():
        ruleset = load(name)
        assert {plan.scenario for plan in plans} == set(ruleset.scenarios)
        played = {
            (option, plan.options.get(option, values[0]))
            for plan in plans
            for option, values in ruleset.options.items()
        }
        assert played == {(option, value) for option, values in ruleset.options.items() for value in values}
