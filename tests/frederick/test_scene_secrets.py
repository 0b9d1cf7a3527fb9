from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, as_side
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.knowledge.worlds import draw_world
from leuthen.rulesets.frederick.screen.forces import NEAR
from leuthen.rulesets.frederick.screen.report import Report
from leuthen.screen.values import Scene
from leuthen.wargame.board import hex_name
from tests.laws.games import Moment, shared
from tests.prove.sample import some

VIEWERS = (0, 1, WATCHER)
SEEDS = some(range(3))


def moments(seed: int) -> Iterator[Moment]:
    return shared("frederick", seed, often=250)


def text_of(value: Any) -> bytes:
    return msgspec.json.encode(value)


def differences(seed: int) -> Iterator[str]:
    for moment in moments(seed):
        game, state = moment.game, moment.state
        for viewer in VIEWERS:
            view = game.view(state, viewer)
            world = draw_world(game.data, view, Random(moment.rng.random()))
            if text_of(game.presenter.scene(view)) != text_of(game.presenter.scene(game.view(world, viewer))):
                yield f"{moment.pending.decision}: scene of {viewer}"
            asked = [game.presenter.asked(one, viewer) for one in game.pending(state)]
            if asked != [game.presenter.asked(one, viewer) for one in game.pending(world)]:
                yield f"{moment.pending.decision}: asked, {viewer}"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scene_is_the_same_in_every_world_that_its_viewer_allows(seed: int) -> None:
    assert not list(differences(seed))


def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Report.strength

    def make_leak(moment: Moment) -> None:
        def leaking(report: Report, stack: Any) -> str:
            return f"{honest(report, stack)}{moment.state.stacks}"

        monkeypatch.setattr(Report, "strength", leaking)

    for moment in moments(1):
        view = moment.game.view(moment.state, 0)
        world = draw_world(moment.game.data, view, Random(7))
        if any(world.stacks[key] != stack for key, stack in moment.state.stacks.items()):
            make_leak(moment)
            here = text_of(moment.game.presenter.scene(view))
            make_leak(moment._replace(state=world))
            assert here != text_of(moment.game.presenter.scene(moment.game.view(world, 0)))
            return
    pytest.fail("no moment with anything hidden")


def hidden_names(view: View, data: Any) -> set[int]:
    seen = {leader for stack in Report(data, view).all_stacks for leader in (stack.leaders or (stack.commander,))}
    return {n for n, status in enumerate(view.roster) if status == 0 and n not in seen}


def faults(scene: Scene, view: View, data: Any) -> Iterator[str]:
    chips = {chip.id for piece in scene.pieces.values() for chip in piece.leaders}
    if chips & hidden_names(view, data):
        yield "a junior leader is shown"
    for key, piece in scene.pieces.items():
        if not view.knows(as_side(piece.side)) and (piece.is_known or piece.sp):
            yield f"{key}: the strength is shown"
    known = {(hex_name(here), depot.complete) for here, depot in view.depots.items()}
    for marker in scene.markers.values():
        if marker.kind in ("depot", "works") and (marker.place, marker.kind == "depot") not in known:
            yield f"{marker.text}: not seen"
    for marker in scene.markers.values():
        if marker.kind == "works" and not view.knows(as_side(marker.side)):
            yield f"{marker.text}: of the other side"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scene_shows_neither_strengths_nor_juniors_nor_works_of_the_enemy(seed: int) -> None:
    for moment in moments(seed):
        for viewer in VIEWERS:
            view = moment.game.view(moment.state, viewer)
            assert not list(faults(moment.game.presenter.scene(view), view, moment.game.data))


def test_a_decision_of_another_side_tells_which_and_its_rule_and_no_more() -> None:
    for moment in moments(2):
        for viewer in (*VIEWERS, EVERYTHING):
            asked = moment.game.presenter.asked(moment.pending, viewer)
            assert (asked.actor, asked.decision, asked.rule) == (
                moment.actor,
                moment.pending.decision,
                moment.pending.rule,
            )
            own = viewer == moment.actor and viewer != CHANCE
            assert asked.text == (moment.pending.text if own else "")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_moment_has_a_scene_for_all_from_the_set_up_to_the_end(seed: int) -> None:
    phases: set[str] = set()
    last: Moment | None = None
    for moment in moments(seed):
        for viewer in (*VIEWERS, EVERYTHING):
            scene = moment.game.presenter.scene(moment.game.view(moment.state, viewer))
            assert scene.viewer == viewer
            assert scene.phase
            assert not scene.result
            assert all(key.startswith(piece.place) for key, piece in scene.pieces.items())
        phases.add(scene.phase.partition(" of the ")[0].partition(":")[0])
        last = moment
    assert {"Deployment", "March", "Force March", "Attrition"} <= phases
    assert last is not None
    ended = last.game.apply(last.state, last.actor, last.action).state
    while pending := last.game.pending(ended):
        answers = last.game.chances(ended)
        action = answers[0][0] if answers else last.game.legal_actions(ended, pending[0].actor).default()
        ended = last.game.apply(ended, pending[0].actor, action).state
    for viewer in (*VIEWERS, EVERYTHING):
        assert last.game.presenter.scene(last.game.view(ended, viewer)).result


def test_keys_tell_pieces_apart() -> None:
    assert NEAR == 4
    for moment in moments(3):
        view = moment.game.view(moment.state, EVERYTHING)
        scene = moment.game.presenter.scene(view)
        planned = sum("p" in key for key in scene.pieces)
        assert len(scene.pieces) - planned == len(view.stacks) + (view.moving is not None)
