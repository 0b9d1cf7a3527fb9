from random import Random
from typing import Any

import pytest

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import EVERYTHING, WATCHER
from leuthen.load import load
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, POOL, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import Placement, SetupPlan
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.terminal.situation import TOPICS, WIDTH, SeenPosition
from leuthen.wargame.strength import PowerId, bag
from tests.frederick.handmade import hexagon, leader, random_state, some_state

AUSTRIA = 1
VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)
NAMES = ("Prague", "1128", "Daun", "Austria", "Lacy", "Hanover", "Frederick")


def text(topic: str = "", viewer: int = PRUSSIAN, state: State | None = None) -> str:
    rules: Any = load("frederick")
    return SeenPosition(rules, rules.presenter.setting(), rules.view(state or some_state(), viewer)).tell(topic)


def line(of: str, found: str) -> str:
    return next(one for one in of.splitlines() if found in one)


def test_the_situation() -> None:
    page = text(state=some_state(frames=(MarchPhase(PRUSSIAN, 3),)))
    assert page.startswith("1757, turn 4: early June · March")
    assert line(page, "Victory points").split()[-2:] == ["20", "15"]
    assert line(page, "SP on the map").split()[-2:] == ["46", "?"]
    assert "Prussia: Prussia, Hanover" in page
    assert "On neither side: Russia, Sweden, Empire" in page
    assert "24  Frederick 3-3-2, Keith 1-1-2, Maurice 1-2-1; unsupplied" in page
    assert "Depot of Russia, 3742 Russian base" in page
    assert "Prisoners of the Austrian side: 3 Prussia, 1 Hanover" in page


def test_what_the_enemy_hides_is_a_question_mark() -> None:
    page = text()
    assert line(page, "Kolin").split() == ["1128", "Kolin", "?", "Daun", "1-2-3"]
    assert "Serbelloni" not in page
    assert "2–12  Browne 2-1-2; besieged; seen 1757, turn 2" in page
    assert "under construction" not in page
    other = text(viewer=AUSTRIAN)
    assert "20  Daun 1-2-3, Serbelloni 0-0-1, Nadasdy 2-2-1" in other
    assert "Depot of Austria under construction" in other
    assert "Keith" not in other


def test_a_watcher_is_told_neither() -> None:
    page = text(viewer=WATCHER)
    assert "Keith" not in page
    assert "Nadasdy" not in page


@pytest.mark.parametrize("topic", ["", *TOPICS, *NAMES])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_words_in_every_world_of_the_view(topic: str, seed: int) -> None:
    rules: Any = load("frederick")
    world = rules.worlds(rules.view(some_state(), PRUSSIAN), Random(seed))
    assert text(topic, state=world) == text(topic)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("topic", ["", *TOPICS, *NAMES])
def test_it_fits_the_terminal(topic: str, viewer: int) -> None:
    for seed in range(3):
        page = text(topic, viewer, random_state(seed))
        assert max(map(len, page.splitlines()), default=0) <= WIDTH


def test_a_hex() -> None:
    page = text("prague")
    assert page.startswith("Prague, today Praha")
    assert "river Moldau, 2 MP" in page
    assert "10 VP (one of the five great fortresses)" in page
    assert "Depot of Prussia" in page
    assert text("1125") == page


def test_a_leader() -> None:
    assert "rank 1, initiative 3, attack bonus 3, defence bonus 2" in text("fred")
    assert "nobody sees with whom" in text("Lacy")
    assert "under Browne inside 1125 Prague" in text("Lacy", AUSTRIAN)
    assert "in the pool" in text("Laudon")


def test_a_power() -> None:
    page = text("Russia")
    assert page.startswith("Russia: neutral (C1.2)")
    assert "at most 45 SP" in page
    assert "in the pool" in line(page, "Saltykov")
    assert text("Prussia").startswith("Prussia: Prussia")


def test_a_name_with_two_meanings_is_told_twice() -> None:
    page = text("Schwerin")
    assert "rank 2" in page
    assert "Schwerin · 3017" in page
    assert "at most 60 SP" in text("Hanover")
    assert "Hanover, today Hannover · 2413" in text("Hanover")


def test_topics() -> None:
    assert "Victory points: 20 to 15" in text("scores")
    assert "Fortresses of Silesia: 6 to 0" in text("Scores")
    assert "Keith" in text("armies")
    assert "1432 Glatz" in text("fortresses")
    assert "Depot of Austria, 1228" in text("markers")
    assert "1125 Prague" in text("sieges")
    rules: Any = load("frederick")
    assert "> Deployment (C2.4)" in text("sequence", state=rules.new_game("campaign", {}))
    nobody = tuple(POOL for _ in some_state().roster)
    assert text("sieges", state=some_state(stacks={}, roster=nobody)) == "Nothing is besieged."


def test_what_is_placed_so_far_in_the_set_up() -> None:
    lot = Placement(hexagon("0232"), True, (leader("Daun"),), bag(PowerId(AUSTRIA), 7))
    state = some_state(sealed=(None, SetupPlan(False, (lot,), hexagon("1230"))))
    assert line(text(viewer=AUSTRIAN, state=state), "0232 Vienna, inside").split()[3] == "7"
    assert "planned" not in text(viewer=PRUSSIAN, state=state)


def test_an_unknown_topic_names_what_there_is() -> None:
    with pytest.raises(Invalid, match="scores, armies, fortresses"):
        text("atlantis")
    with pytest.raises(Ambiguous):
        text("frankfurt")
    with pytest.raises(Invalid):
        text("9999")


def test_the_other_rule_set_is_told_in_the_same_way() -> None:
    rules: Any = load("campaigns")
    shown = SeenPosition(rules, rules.presenter.setting(), rules.view(rules.new_game("1757", {}), 0))
    assert line(shown.tell(), "1626 Zittau").split() == ["1626", "Zittau", "18", "Bevern", "2-2-1-9"]
    assert "in depot range" in shown.tell("Dresden").casefold()
    assert "morale 8" in shown.tell("Daun")
    for topic in ("", *TOPICS, "Frederick", "Austria"):
        assert max(map(len, shown.tell(topic).splitlines()), default=0) <= WIDTH
