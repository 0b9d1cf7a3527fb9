from __future__ import annotations

from random import Random

import pytest

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import EVERYTHING, WATCHER
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.knowledge.worlds import draw_world
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE
from leuthen.rulesets.frederick.model.state import AUSTRIAN, POOL, PRUSSIAN, State
from leuthen.rulesets.frederick.rules.c02_setup import Placement, SetupPlan
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.screen.describe import TOPICS, WIDTH, describe
from leuthen.rulesets.frederick.screen.reporter import band, date
from leuthen.wargame.strength import bag
from tests.frederick.handmade import game_data, hexagon, leader, random_state, some_state

VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)


def text(topic: str = "", viewer: int = PRUSSIAN, state: State | None = None) -> str:
    return describe(game_data(), make_view(state or some_state(), viewer), topic)


def line(of: str, found: str) -> str:
    return next(one for one in of.splitlines() if found in one)


def test_the_situation() -> None:
    page = text(state=some_state(frames=(MarchPhase(PRUSSIAN, 3),)))
    assert page.startswith("1757, turn 4 (early June) · Prussian side: March")
    assert "Prussian side   20 VP  1 great  22 RP  Prussia, Hanover" in page
    assert "neutral: Russia, Sweden, Empire" in page
    assert "24 SP  Frederick 3-3-2, Keith 1-1-2, Maurice 1-2-1" in page
    assert "6 Prussia, 1 Hanover; out of supply for 1" in page
    assert "Depots: 1125 Prague (Prussia), 1228 (Austria), 3742 Russian base (Russia)" in page
    assert "Prisoners of the Austrian side: 3 Prussia, 1 Hanover" in page


def test_what_the_enemy_hides_is_a_question_mark() -> None:
    page = text()
    assert "? SP  Daun 1-2-3" in line(page, "Kolin")
    assert "Serbelloni" not in page
    assert "2–12 SP  Browne 2-1-2 · besieged; seen 1757, turn 2" in page
    assert "under construction" not in page
    other = text(viewer=AUSTRIAN)
    assert "20 SP  Daun 1-2-3, Serbelloni 0-0-1, Nadasdy 2-2-1" in other
    assert "1129 (Austria, under construction)" in other
    assert "Keith" not in other
    assert "the enemy knows of 2–12" in " ".join(other.split())


def test_a_watcher_is_told_neither() -> None:
    page = text(viewer=WATCHER)
    assert "Keith" not in page
    assert "Nadasdy" not in page


@pytest.mark.parametrize("topic", ["", *TOPICS, "Prague", "1128", "Daun", "Austria", "Lacy"])
@pytest.mark.parametrize("seed", range(5))
def test_a_description_tells_nothing_that_is_hidden(topic: str, seed: int) -> None:
    """The same words in every world of the view."""
    view = make_view(some_state(), PRUSSIAN)
    world = draw_world(game_data(), view, Random(seed))
    assert text(topic, state=world) == text(topic)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("topic", ["", *TOPICS, "Hanover", "Prussia", "Frederick", "1125"])
def test_it_fits_the_terminal(topic: str, viewer: int) -> None:
    for seed in range(6):
        page = text(topic, viewer, random_state(seed))
        assert max(map(len, page.splitlines())) <= WIDTH


def test_a_hex() -> None:
    page = text("prague")
    assert page.startswith("1125 Prague: clear, bohemia")
    assert "river Moldau, 2 MP" in page
    assert "10 VP great Austrian side, garrisoned, besieged, 1 siege roll" in page
    assert "depot of Prussia" in page
    assert text("1125") == page
    assert "pass" in text("1423")


def test_a_leader() -> None:
    assert "rank 1, initiative 3, attack 3, defence 2" in text("fred")
    assert "has spent 2 MP" in text("Frederick")
    assert "nobody sees where" in text("Lacy")
    assert "1125 Prague, inside" in text("Lacy", AUSTRIAN)
    assert "in the pool" in text("Laudon")


def test_a_power() -> None:
    page = text("Russia")
    assert "Russia: neutral; supply over 4 hexes, at most 45 SP" in page
    assert "in the pool: Saltykov" in page
    assert "Prussian side" in text("Prussia")


def test_a_name_with_two_meanings_is_told_twice() -> None:
    page = text("Schwerin")
    assert "rank 2" in page
    assert "3017 Schwerin: clear, mecklenburg" in page
    assert "supply over 5 hexes" in text("Hanover")
    assert "2413 Hanover: clear" in text("Hanover")


def test_topics() -> None:
    assert "1623 Dresden 10, 2413 Hanover 10" in text("vp")
    assert "6 in Silesia" in text("VP")
    assert "3 Prussia, 1 Hanover" in text("prisoners")
    assert "on the map: Frederick 3-3-2" in text("leaders")
    assert "1432 Glatz" in text("fortresses")
    assert "1228 (Austria)" in text("depots")
    assert "Schwerin" in text("sieges")
    nobody = tuple(POOL for _ in some_state().roster)
    assert text("sieges", state=some_state(stacks={}, roster=nobody)) == "No fortress is besieged."


def test_what_is_placed_so_far_in_the_set_up() -> None:
    lot = Placement(hexagon("0232"), True, (leader("Daun"),), bag(AUSTRIA, 7))
    state = some_state(sealed=(None, SetupPlan(False, (lot,), hexagon("1230"))))
    assert "7 Austria" in line(text(viewer=AUSTRIAN, state=state), "0232 Vienna, inside   ")
    assert "Placed so far" not in text(viewer=PRUSSIAN, state=state)


def test_an_unknown_topic_names_what_there_is() -> None:
    with pytest.raises(Invalid, match="vp, prisoners, leaders"):
        text("atlantis")
    with pytest.raises(Ambiguous):
        text("frankfurt")
    with pytest.raises(Invalid):
        text("9999")


def test_dates() -> None:
    def when(turn: int) -> str:
        return date(make_view(some_state(turn=turn), PRUSSIAN))

    assert when(1) == "1757, turn 1 (late April)"
    assert when(9) == "1757, turn 9 (late August)"
    assert when(18) == "1757, turn 18 (early January)"


def test_bands() -> None:
    assert [band(5, 5), band(2, 12), band(1, 999), band(10, 999)] == ["5", "2–12", "?", "10+"]


def test_powers_of_a_mixed_stack_are_its_owners_alone() -> None:
    assert "2 Austria, 18 France" in " ".join(text(viewer=AUSTRIAN).split())
    assert "2 Austria, 18 France" not in text()
    assert FRANCE == 2
