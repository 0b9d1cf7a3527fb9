"""The battles of the war go as docs/campaigns-checks.md says, and mostly as they went."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.checks import fight_often
from bench.war import WarFight, share, war_fights
from tests.campaigns.kit import rules

DOC = Path(__file__).parents[2] / "docs" / "campaigns-checks.md"
ROW = re.compile(r"\| ([\w-]+ 17\d\d) \|.*\| (\d+) %( \(!\))? \|")
TABLE = {name: (int(percent), bool(mark)) for name, percent, mark in ROW.findall(DOC.read_text(encoding="utf-8"))}
BATTLES = 250
"""So many of each: the share is then good to about 12 points, nearly four times its error."""


@pytest.mark.parametrize("one", list(war_fights(rules())), ids=lambda one: one.name)
def test_a_battle_of_the_war_goes_as_the_table_says(one: WarFight) -> None:
    percent, _ = TABLE[one.name]
    assert abs(share(one, fight_often(rules(), one.fight, BATTLES)) - percent) <= 12


def test_the_table_counts_who_is_the_favourite() -> None:
    favourites = [name for name, (_, is_other) in TABLE.items() if not is_other]
    assert {one.name for one in war_fights(rules())} == set(TABLE)
    assert f"is the favourite in {len(favourites)} of {len(TABLE)};" in DOC.read_text(encoding="utf-8")
    assert (len(favourites), len(TABLE)) == (10, 14)
    assert all((percent > 50) == (name in favourites) for name, (percent, _) in TABLE.items())
