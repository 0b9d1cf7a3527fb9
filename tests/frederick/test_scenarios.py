import pytest

from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, WATCHER
from leuthen.load import ruleset
from leuthen.rulesets.frederick.model.data import SAXONY
from leuthen.rulesets.frederick.model.pieces import SIDES, WAITING
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.c14_scenarios import level
from leuthen.rulesets.frederick.rules.o10_supply import is_supplied
from leuthen.rulesets.frederick.screen.layers import LAYERS
from leuthen.wargame.board import hex_name

FREDERICK = ruleset("frederick")
STARTS = [name for name, plan in FREDERICK.data.scenarios.items() if plan.par is not None]


def begun(name: str) -> State:
    return FREDERICK.new_game(name, {})


@pytest.mark.parametrize("name", STARTS)
def test_everybody_begins_in_supply_on_ground_that_is_played(name: str) -> None:
    pos = begun(name)
    armies = [stack for side in SIDES for stack in pos.own(side) if stack.sp and not stack.inside]
    assert armies
    assert [hex_name(stack.hex) for stack in armies if not is_supplied(pos, stack)] == []
    assert all(pos.data.board.in_play(stack.hex) for stack in armies)


@pytest.mark.parametrize("name", STARTS)
def test_a_table_shows_it_to_everybody(name: str) -> None:
    pos, shown = begun(name), FREDERICK.presenter
    here = next(hex_name(stack.hex) for stack in pos.own(0) if stack.leaders and not stack.inside)
    for viewer in (*SIDES, WATCHER, EVERYTHING):
        view = FREDERICK.view(pos, viewer)
        assert len(shown.scene(view).holdings) == len(pos.owners)
        assert all(shown.layer(view, layer, here) for layer in LAYERS)
        assert shown.about(view, here).lines
    side = FREDERICK.pending(pos)[0].actor
    assert shown.form(pos, side, {}).fields
    assert digest_of(FREDERICK, FREDERICK.restore(FREDERICK.dump(pos))) == digest_of(FREDERICK, pos)


def test_a_part_of_the_map_is_the_board_of_its_scenario_alone() -> None:
    pos = begun("bohemia")
    assert {"Vienna", "Berlin"}.isdisjoint(fort.name for fort in pos.data.fortresses.values())
    assert {"Prague", "Wittenberg"} <= {fort.name for fort in pos.data.fortresses.values()}
    assert begun("1757").data is FREDERICK.data


@pytest.mark.parametrize(
    ("score", "called"),
    [
        (0, "draw"),
        (-5, "draw"),
        (6, "marginal"),
        (-15, "marginal"),
        (16, "substantial"),
        (30, "substantial"),
        (-31, "decisive"),
    ],
)
def test_what_an_end_is_called(score: int, called: str) -> None:
    assert level(score) == called


def test_a_scenario_has_an_end_of_its_own() -> None:
    with pytest.raises(Invalid, match="last-year"):
        FREDERICK.new_game("1758", {"last-year": "1760"})


def test_a_power_that_surrendered_on_no_side_is_told_so() -> None:
    scene = FREDERICK.presenter.scene(FREDERICK.view(begun("bohemia"), 0))
    assert scene.powers[SAXONY].text == "has surrendered (C11.3)"


def test_the_invasion_of_1756_is_told_in_1756_alone() -> None:
    first = Draft(begun("campaign"))
    first.invaded, first.saxon_invader = frozenset({SAXONY}), 0
    later = Draft(first)
    later.year = 1757
    now, then = (FREDERICK.presenter.scene(FREDERICK.view(draft.freeze(), 0)) for draft in (first, later))
    assert "invaded in 1756" in now.powers[SAXONY].text
    assert "invaded" not in then.powers[SAXONY].text
    assert ["invaded Saxony" in " ".join(scene.notes) for scene in (now, then)] == [True, False]


def test_a_fortress_of_nobody_is_not_called_neutral() -> None:
    layer = FREDERICK.presenter.layer(FREDERICK.view(begun("1757"), 0), "holders")
    assert layer.shades["1811"].text == "1811 Cassel, 5 VP: nobody's (C12.2)"


def test_leaders_who_wait_are_told_of() -> None:
    draft = Draft(begun("1757"))
    draft.set_roster(FREDERICK.data.leader_named("Seydlitz"), WAITING)
    for viewer in (*SIDES, WATCHER):
        notes = FREDERICK.presenter.scene(FREDERICK.view(draft.freeze(), viewer)).notes
        assert any(note.startswith("Leaders of the Prussian side who wait: Seydlitz ") for note in notes)
