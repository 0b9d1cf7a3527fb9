from collections.abc import Iterator

import pytest

from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, POOL, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import Deployment, Placement, SetupPlan
from leuthen.rulesets.frederick.rules.c04_sequence import (
    GrandStrategy,
    NextYear,
)
from leuthen.rulesets.frederick.rules.c05_council import EnvoyChoice, EnvoysSealed
from leuthen.rulesets.frederick.screen.scene import make_scene, make_stages
from leuthen.screen.values import Piece, Scene
from leuthen.wargame.strength import bag
from tests.frederick.handmade import game_data, hexagon, leader, random_state, some_state
from tests.laws.games import Moment, shared
from tests.prove.sample import sample_games

VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)


def scene(viewer: int = PRUSSIAN, state: State | None = None) -> Scene:
    return make_scene(game_data(), make_view(state or some_state(), as_viewer(viewer)))


def piece(key: str, viewer: int = PRUSSIAN, state: State | None = None) -> Piece:
    return scene(viewer, state).pieces[key]


def codes(of: Piece) -> set[str]:
    return {badge.code for badge in of.badges}


def test_only_the_owner_sees_a_stack_out_of_supply() -> None:
    owners = dict.fromkeys(game_data().fortresses, AUSTRIAN)
    state = some_state(depots={}, owners=owners)
    assert "unsupplied" in codes(piece("1126-0f", PRUSSIAN, state))
    assert "unsupplied" not in codes(piece("1126-0f", AUSTRIAN, state))


def test_an_incomplete_depot_is_marked_for_its_side_only() -> None:
    own, other = scene(AUSTRIAN).markers, scene(PRUSSIAN).markers
    assert own["1129-1works"].text == "Depot of Austria under construction, 1129"
    assert not [key for key in other if key.endswith("works")]
    assert (other["1228-1depot"].kind, other["1228-1depot"].mark, other["1228-1depot"].power) == ("depot", "D", AUSTRIA)
    assert set(other) == {"1125-0depot", "1228-1depot", "3742-2depot"}


def unfinished_deployment() -> State:
    lots = (
        Placement(hexagon("0232"), True, (leader("Daun"),), bag(AUSTRIA, 7)),
        Placement(hexagon("0232"), True, (leader("Lacy"),), bag(AUSTRIA, 2)),
        Placement(hexagon("1125"), False, (), bag(AUSTRIA, 3)),
    )
    frame = load("frederick").new_game("campaign", {}).frames[-1]
    assert isinstance(frame, Deployment)
    pooled = tuple(POOL for _ in some_state().roster)
    return some_state(frames=(frame,), stacks={}, roster=pooled, sealed=(None, SetupPlan(False, lots, hexagon("1230"))))


def test_an_unfinished_deployment_is_shown_to_its_owner() -> None:
    own = scene(AUSTRIAN, unfinished_deployment())
    vienna = own.pieces["0232-1pi"]
    assert (vienna.title, vienna.strength, codes(vienna)) == ("Daun", "9", {"planned"})
    assert [chip.name for chip in vienna.leaders] == ["Daun", "Lacy"]
    assert own.pieces["1125-1pf"].title == "Austrian troops"
    assert own.markers["1230-1plan"].kind == "plan"
    assert any("must still place" in note and "20 SP" in note for note in own.notes)
    assert own.phase == "Deployment"
    assert ("Deployment", "now") in [(stage.name, stage.when) for stage in own.stages]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", range(8))
def test_every_random_position_has_a_scene(seed: int, viewer: int) -> None:
    state = random_state(seed)
    shown = scene(viewer, state)
    assert len(shown.pieces) == len(state.stacks) + (state.moving is not None)
    assert all(len(one.spoken) > 10 and one.lines and one.strength for one in shown.pieces.values())


def test_only_the_owner_reads_a_sealed_choice() -> None:
    state = some_state(frames=(EnvoyChoice(),), sealed=(EnvoysSealed(True, (2, 0, 0, 0, 0, 0)), None))
    assert (
        scene(PRUSSIAN, state).notes[0] == "Diplomacy Points: the Prussian side has sealed its choice: France 2 (C5.1)"
    )
    for viewer in (AUSTRIAN, WATCHER):
        assert scene(viewer, state).notes[0] == "Diplomacy Points: the Prussian side has sealed its choice (C5.1)"


def test_the_stages_of_the_last_year_end_the_war() -> None:
    state = some_state(frames=(NextYear(), GrandStrategy(3)), year=1762, turn=18, phasing=2)
    stages = [stage.name for stage in make_stages(make_view(state, PRUSSIAN))]
    assert stages == ["Attrition at the year's end", "Victory check", "End of the war"]


SEATS = (0, 1, WATCHER)
SEEDS = sample_games(range(3))


def moments(seed: int) -> Iterator[Moment]:
    return shared("frederick", seed, often=250)


def test_the_text_of_a_decision_is_shown_to_its_actor_only() -> None:
    for moment in moments(2):
        for viewer in (*SEATS, EVERYTHING):
            shown = moment.game.presenter.asked(moment.pending, viewer)
            assert (shown.actor, shown.decision, shown.rule) == (
                moment.actor,
                moment.pending.decision,
                moment.pending.rule,
            )
            own = viewer == moment.actor and viewer != CHANCE
            assert shown.text == (moment.pending.text if own else "")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_moment_of_a_game_has_a_scene(seed: int) -> None:
    phases: set[str] = set()
    last: Moment | None = None
    for moment in moments(seed):
        for viewer in (*SEATS, EVERYTHING):
            scene = moment.game.presenter.scene(moment.game.view(moment.state, viewer))
            assert scene.viewer == viewer
            assert scene.phase
            assert not scene.result
            assert all(key.startswith(piece.place) for key, piece in scene.pieces.items())
            now = [index for index, stage in enumerate(scene.stages) if stage.when == "now"]
            assert len(now) == 1
            assert {stage.when for stage in scene.stages[: now[0]]} <= {"past"}
            assert {stage.when for stage in scene.stages[now[0] + 1 :]} <= {"next"}
        phases.add(scene.phase.partition(" of the ")[0].partition(":")[0])
        last = moment
    assert {"Deployment", "March", "Force March", "Attrition"} <= phases
    assert last is not None
    ended = last.game.apply(last.state, last.actor, last.action).state
    while pending := last.game.pending(ended):
        answers = last.game.chances(ended)
        action = answers[0][0] if answers else last.game.legal_actions(ended, pending[0].actor).default()
        ended = last.game.apply(ended, pending[0].actor, action).state
    for viewer in (*SEATS, EVERYTHING):
        assert last.game.presenter.scene(last.game.view(ended, viewer)).result
