import pytest

from leuthen.load import read_data, read_rulebook
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.rulesets.campaigns.model.events import RaisedTp
from leuthen.rulesets.campaigns.model.pieces import TURNS
from leuthen.rulesets.campaigns.rules.r15_arrivals import bring_recruits
from leuthen.rulesets.campaigns.ruleset import Campaigns
from tests.campaigns.kit import rules

HEAD = "year,nation,points,mark\n"


@pytest.mark.parametrize(("turn", "points"), [(1, 3), (2, 0), (7, 2)])
def test_the_odd_one_comes_on_turn_1(turn: int, points: int) -> None:
    game = Campaigns({**read_data("campaigns"), "tables/yearly.csv": f"{HEAD}1756,prussia,5,X\n"})
    draft = game.draft(game.new_game("campaign", {}))
    assert draft.data.yearly == {(1756, NATIONS.index("prussia")): 5}
    draft.turn = turn
    draft.joined = tuple(-TURNS for _ in draft.joined)
    bring_recruits(draft)
    assert [fact.points for fact in draft.facts if isinstance(fact, RaisedTp)] == [points] * bool(points)


def test_the_rulebook_has_the_reinforcements_of_the_data() -> None:
    chapter = read_rulebook("campaigns")["base-18-scenarios.md"]
    table = chapter[chapter.index("**R18.4**") : chapter.index("**R18.5**")].splitlines()
    heads, *rows = ([cell.strip() for cell in row.strip("|").split("|")] for row in table if row.startswith("| "))
    found = {
        (int(row[0]), NATIONS.index(nation.lower())): int(points)
        for row in rows
        for nation, points in zip(heads[1:], row[1:], strict=True)
    }
    yearly = rules().data.yearly
    assert {key: one for key, one in found.items() if one} == {key: one for key, one in yearly.items() if one}
