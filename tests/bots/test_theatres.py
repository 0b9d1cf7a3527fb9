import pytest

from leuthen.load import load
from leuthen.rulesets.campaigns.bot.theatres import is_astray
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.wargame.strength import PowerId

RULES = load("campaigns")
DATA = RULES.new_game("1757", {}).data


@pytest.mark.parametrize(
    ("nation", "place", "astray"),
    [
        ("austria", "Gotha", True),
        ("austria", "Dresden", False),
        ("france", "Anklam", True),
        ("france", "Cassel", False),
        ("france", "Breslau", True),
        ("sweden", "Cosel", True),
        ("russia", "Cüstrin", False),
        ("russia", "Hanover", True),
        ("hanover", "Prague", True),
        ("prussia", "Olmütz", False),
        ("prussia", "Metz", True),
    ],
)
def test_every_nation_has_its_country(nation: str, place: str, astray: bool) -> None:
    here = next(here for here, one in DATA.strongholds.items() if one.name == place)
    assert is_astray(DATA, PowerId(NATIONS.index(nation)), here) is astray
