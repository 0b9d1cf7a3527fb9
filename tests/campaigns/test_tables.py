import pytest

from leuthen.rulesets.campaigns.model.data import CITY, FORT, FORTRESS, NATIONS
from leuthen.rulesets.campaigns.rules.r09_steps import attrition_percent
from leuthen.rulesets.campaigns.rules.r09_supply import need
from leuthen.rulesets.campaigns.rules.r11_siege import breach_number, surrender_number
from leuthen.rulesets.campaigns.rules.r12_battle.battle import combat_percent, commitment_percent
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Account, legal_splits
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import prisoners_taken
from leuthen.rulesets.campaigns.rules.r14_prisoners import RANSOM
from leuthen.rulesets.campaigns.rules.r16_victory import level
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import LeaderId
from tests.campaigns.kit import rules

STATE = rules().new_game("1757", {})
BASE = rules().new_game("1757", {"rules": "base"})
NEED25 = rules().new_game("1757", {"need25": "yes"})


def test_commitment() -> None:
    found = [commitment_percent(STATE, result) for result in range(-1, 10)]
    assert found == [25, 25, 25, 40, 50, 60, 75, 90, 100, 100, 100]


def test_combat() -> None:
    found = [combat_percent(STATE, result) for result in range(-3, 13)]
    assert found == [2, 2, 2, 2, 4, 6, 8, 10, 12, 14, 17, 20, 23, 26, 26, 26]


def test_attrition() -> None:
    assert [attrition_percent(STATE, result) for result in range(1, 10)] == [0, 5, 5, 5, 10, 10, 10, 10, 10]
    means = [sum(attrition_percent(STATE, die + added) for die in range(1, 7)) / 6 for added in range(3)]
    assert [round(mean, 1) for mean in means] == [5.8, 7.5, 8.3]


@pytest.mark.parametrize(
    ("place", "kind", "breach", "surrender"),
    [("1830", CITY, "666666", "355"), ("2030", FORT, "234555", "245"), ("1733", FORTRESS, "123344", "134")],
)
def test_sieges(place: str, kind: int, breach: str, surrender: str) -> None:
    here = parse_hex(place)
    assert rules().data.strongholds[here].kind == kind
    assert [breach_number(STATE, here, turn) for turn in range(1, 9)] == [*map(int, breach), *[int(breach[-1])] * 2]
    assert [surrender_number(STATE, here, breaches) for breaches in (1, 2, 3)] == [*map(int, surrender)]


def test_need() -> None:
    assert [need(STATE, tp) for tp in (0, 19, 20, 39, 40, 65)] == [0, 0, 1, 1, 2, 3]
    assert [need(NEED25, tp) for tp in (12, 13, 37, 38, 62, 63)] == [0, 1, 1, 2, 2, 3]
    assert [need(BASE, tp) for tp in (1, 19, 20, 21, 40, 41)] == [1, 1, 1, 2, 2, 3]


def test_prisoners() -> None:
    assert [prisoners_taken(STATE, won, lost) for won, lost in ((4, 13), (9, 8), (0, 1), (5, 5))] == [5, 0, 1, 0]
    assert [prisoners_taken(BASE, 0, lost) for lost in (1, 4, 5, 8)] == [1, 1, 2, 2]
    assert RANSOM == 5


def test_losses_of_the_published_example() -> None:
    first = [Account(LeaderId(0), 20), Account(LeaderId(1), 5)]
    assert set(legal_splits(first, [20, 5], 3)) == {(3, 0), (2, 1)}
    assert legal_splits([Account(LeaderId(0), 20, 3), Account(LeaderId(1), 5, 0)], [17, 5], 2) == [(1, 1)]
    assert legal_splits([Account(LeaderId(0), 20, 2), Account(LeaderId(1), 5, 1)], [18, 4], 2) == [(2, 0)]


def test_levels() -> None:
    words = {5: "draw", 6: "marginal", 15: "marginal", 16: "substantial", 30: "substantial", 31: "decisive"}
    for points, word in words.items():
        assert level(points) == level(-points) == word


def test_replacements() -> None:
    rows = {"prussia": "112233", "austria": "122334", "france": "011223", "russia": "001123", "hanover": "001112"}
    for number, name in enumerate(NATIONS):
        assert rules().data.replacements[number] == tuple(map(int, rows.get(name, "000011")))
