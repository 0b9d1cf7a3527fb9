import pytest

from leuthen.bots import BOTS, make_bot
from leuthen.engine.refusal import Invalid
from leuthen.load import load
from leuthen.rulesets.frederick.bot.captain import Captain
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.simulate.run import GameTask, Match, play_one
from tests.bots.wars import War
from tests.prove.sample import EVERY

RULES = load("frederick")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("game", range(3 if EVERY else 1))
def test_the_captain_beats_the_random_bot(side: int, game: int) -> None:
    bots = ("captain", "random") if side == PRUSSIAN else ("random", "captain")
    line = play_one(RULES, GameTask(Match(RULES.name, "", "campaign", {}, bots, "random beaten"), game))
    assert line["winner"] == RULES.sides[side]


@pytest.mark.parametrize("option", [("march-die", "force"), ("besieged-redeployment", "barred"), ("last-year", "1756")])
def test_the_captain_plays_with_every_option(option: tuple[str, str]) -> None:
    options = {"last-year": "1757", **dict([option])}
    line = play_one(RULES, GameTask(Match(RULES.name, "", "campaign", options, ("captain", "captain"), "o"), 0))
    assert line["how"]


def test_the_registry_creates_the_captain() -> None:
    assert "captain" in BOTS
    assert isinstance(make_bot("captain", "frederick", PRUSSIAN, 1), Captain)
    with pytest.raises(Invalid, match="frederick"):
        make_bot("captain", "toy", AUSTRIAN, 1)


def test_the_deployment_garrisons_every_fortress() -> None:
    state = next(state for state, _ in War("frederick", "campaign", (1757, 0)).positions(1) if state.phasing in SIDES)
    held = [{stack.hex for stack in state.own(side) if stack.inside} for side in SIDES]
    for here, fort in state.data.fortresses.items():
        assert fort.power not in SIDES or here in held[fort.power], fort.name
