import pytest

from leuthen.bots import bots_for, make_bot
from leuthen.load import load
from leuthen.rulesets.campaigns.bot.captain import Captain
from leuthen.rulesets.campaigns.bot.odds import Corps, battle
from leuthen.rulesets.campaigns.model.data import COALITION, PRUSSIAN
from leuthen.simulate.game import GameTask, Match, play_one
from tests.prove.sample import EVERY

RULES = load("campaigns")


@pytest.mark.parametrize(
    ("scenario", "side", "options"),
    [("1756", PRUSSIAN, {"hidden": "yes"}), ("1757", COALITION, {})]
    + ([("1758", PRUSSIAN, {}), ("1759", COALITION, {}), ("1758", COALITION, {"hidden": "yes"})] if EVERY else []),
)
def test_he_beats_the_random_bot(scenario: str, side: int, options: dict[str, str]) -> None:
    bots = ("captain", "random") if side == PRUSSIAN else ("random", "captain")
    line = play_one(RULES, GameTask(Match(RULES.name, "", scenario, options, bots, "random beaten"), 0))
    assert line["winner"] == RULES.sides[side]


@pytest.mark.parametrize("options", [{"rules": "base"}, {"need25": "yes"}, {"hidden": "yes"}])
def test_he_plays_by_every_option(options: dict[str, str]) -> None:
    match = Match(RULES.name, "", "prague", options, ("captain", "captain"), "options")
    assert play_one(RULES, GameTask(match, 0))["how"]


def test_the_registry_makes_him() -> None:
    assert bots_for("campaigns") == ["captain", "cadet", "random"]
    assert isinstance(make_bot("captain", "campaigns", PRUSSIAN, 1), Captain)


@pytest.mark.parametrize(
    ("attacker", "defender", "wins"),
    [
        (Corps(30, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.40, 0.56)),
        (Corps(60, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.65, 0.85)),
        (Corps(33, 4, 3, 10, False, False), Corps(65, 1, 0, 8, False, False), (0.75, 0.95)),
        (Corps(64, 4, 3, 10, False, False), Corps(62, 1, 0, 8, False, False), (0.85, 1.00)),
    ],
)
def test_the_odds_of_battles_are_about_those_of_the_check_table(
    attacker: Corps, defender: Corps, wins: tuple[float, float]
) -> None:
    state = RULES.new_game("1757", {})
    odds = battle(state, attacker, defender, (False, False), {})
    assert wins[0] <= odds.attacker_wins <= wins[1]
