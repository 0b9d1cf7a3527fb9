from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.events import Event
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER
from leuthen.rulesets.campaigns.model import events
from leuthen.rulesets.campaigns.model.data import AUSTRIA
from leuthen.rulesets.campaigns.rules.r04_command.command import Command
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.screen.values import LogEntry, LostForce
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import LeaderId, bag, total
from tests.campaigns.kit import moments, play, rules
from tests.laws.games import Moment
from tests.prove.sample import some

VIEWERS = (0, 1, WATCHER)
GAMES: tuple[tuple[int, str, dict[str, str]], ...] = (
    (0, "1757", {}),
    (1, "1758", {"rules": "base"}),
    (4, "1756", {}),
    (2, "1759", {}),
    (6, "campaign", {}),
)
MOST = 24


def looked_at(seed: int, scenario: str, options: dict[str, str]) -> Iterator[Moment]:
    return islice(moments(seed, scenario, options, often=150), MOST)


@pytest.mark.parametrize(("seed", "scenario", "options"), some(GAMES))
def test_a_scene_shows_all_forces_and_keeps_its_numbers(seed: int, scenario: str, options: dict[str, str]) -> None:
    for moment in looked_at(seed, scenario, options):
        state = moment.state
        scene = rules().presenter.scene(rules().view(state, 0))
        there = sum(unit.strength for unit in state.units.values()) + sum(map(total, state.garrisons.values()))
        assert sum(piece.low for piece in scene.pieces.values()) == there
        assert sum(tp for piece in scene.pieces.values() for _, tp in piece.sp) == there
        assert {chip.id for piece in scene.pieces.values() for chip in piece.leaders} == set(state.units)
        assert len(scene.holdings) == len(state.data.strongholds)
        assert sum(marker.kind == "depot" for marker in scene.markers.values()) == len(state.depots)
        loads = [piece.load for piece in scene.pieces.values()]
        loads += [piece.strength[1:] for piece in scene.pieces.values() if piece.strength[0] == "W"]
        loads += [marker.mark[1:] for marker in scene.markers.values() if marker.kind == "wagon"]
        assert sum(map(int, filter(None, loads))) == sum(unit.sp for unit in state.units.values())
        for key, piece in scene.pieces.items():
            assert key == f"{piece.place}-{piece.side}{'fi'[piece.inside]}"
        assert sum(stage.when == "now" for stage in scene.stages) >= 1
        assert scene.phase


@pytest.mark.parametrize(("seed", "scenario", "options"), some(GAMES))
def test_scenes_are_equal_in_all_worlds_of_a_view(seed: int, scenario: str, options: dict[str, str]) -> None:
    game = rules()
    for moment in looked_at(seed, scenario, options):
        for viewer in VIEWERS:
            view = game.view(moment.state, viewer)
            world = game.worlds(view, Random(moment.rng.random()))
            other = game.view(world, viewer)
            assert msgspec.json.encode(game.presenter.scene(view)) == msgspec.json.encode(game.presenter.scene(other))
            again = game.decode_view(game.encode_view(view))
            assert game.presenter.scene(again) == game.presenter.scene(view)


def test_a_whole_game_is_told() -> None:
    game, told = rules(), list[LogEntry]()
    state = None
    for _, _, _, step, _ in play(2):
        told += [game.presenter.present_event(event) for event in step.events(0)]
        state = step.state
    assert state is not None
    assert game.presenter.scene(game.view(state, 1)).result
    assert {"battle", "siege"} <= {one.topic for one in told}
    tables = {table.id: table for table in game.presenter.setting().tables}
    for one in told:
        assert one.text[0].isupper() or one.text[0].isdigit(), one
        assert one.rule
        assert all(0 <= luck.value <= 1 for luck in one.luck)
        if one.spot is not None:
            rows = {row[0] for row in tables[one.spot.table].rows}
            assert one.spot.row in rows
            assert not one.spot.column or one.spot.column in tables[one.spot.table].columns
        assert all(place.isdigit() for place in (*one.places, *one.path))


def all_events() -> list[type[Event]]:
    return [
        kind
        for kind in vars(events).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
    ]


EXAMPLE: dict[str, Any] = {
    **dict.fromkeys(("hex", "came"), 791),
    **dict.fromkeys(("units", "leaders", "others"), (0, 1)),
    "points": (1, 2),
    "path": (791, 792),
    "commanders": (0, 30),
    "strengths": (20, 30),
    "began": (20, 30),
    "lost": (2, 3),
    "modifiers": (("winter", 1),),
    **dict.fromkeys(("how", "what", "fate", "source"), "is built"),
    "step": "A",
    "tp": 3,
}
ODD: dict[tuple[type[Event], str], Any] = {
    (events.ForceFed, "points"): 2,
    (events.SpMoved, "points"): 2,
    (events.RaisedTp, "points"): 2,
    (events.TpPlaced, "points"): 2,
    (events.Paid, "points"): 2,
    (events.Absorbed, "points"): 2,
    (events.ForcedMarch, "points"): 4,
    (events.ForcedMarch, "lost"): 2,
    (events.Declared, "points"): 1,
    (events.WagonRolled, "lost"): True,
    (events.PrisonersFreed, "leaders"): (),
}


@pytest.mark.parametrize("kind", all_events(), ids=lambda kind: kind.__name__)
def test_every_event_is_told(kind: type[Event]) -> None:
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.required:
            values[field.name] = ODD.get((kind, field.name), EXAMPLE.get(field.name, 1))
    event = kind(side=1, **values)
    told = rules().presenter.present_event(event)
    assert told.text
    assert told.rule
    assert bool(told.dice) == bool(told.steps)


@pytest.mark.parametrize(("seed", "scenario", "options"), GAMES[:3])
def test_layers_places_and_what_is_left_are_shown(seed: int, scenario: str, options: dict[str, str]) -> None:
    game, left = rules(), 0
    for moment in islice(looked_at(seed, scenario, options), 0, None, 4):
        view = game.view(moment.state, moment.actor if moment.actor != CHANCE else WATCHER)
        unit = moment.rng.choice(list(moment.state.units.values()))
        place = f"{unit.hex // 48:02d}{unit.hex % 48:02d}"
        for card in game.presenter.setting().layers:
            try:
                layer = game.presenter.layer(view, card.id, place if card.needs_place else "")
            except Invalid:
                assert card.id == "reach"
                continue
            assert layer.id == card.id
            assert layer.notes
        about = game.presenter.about(view, place)
        assert about.place == place
        assert len(about.lines) > 1
        left += len(game.presenter.left_undone(view))
    assert left


def test_unknown_layers_and_places_are_refused() -> None:
    view = rules().view(rules().new_game("1757"), 0)
    for call in (
        lambda: rules().presenter.layer(view, "moon"),
        lambda: rules().presenter.layer(view, "reach", "9999"),
        lambda: rules().presenter.about(view, "nowhere at all"),
        lambda: rules().presenter.odds(view, "moon 1623"),
        lambda: rules().presenter.odds(view, ""),
        lambda: rules().presenter.odds(view, "attack 1819"),
        lambda: rules().presenter.odds(view, "siege 1623"),
    ):
        with pytest.raises(Invalid):
            call()


def test_the_cup_and_the_chit_that_is_out_are_shown() -> None:
    for state, *_ in play(0):
        frames = [frame for frame in state.frames if isinstance(frame, Command)]
        if frames:
            scene = rules().presenter.scene(rules().view(state, EVERYTHING))
            cup = next(score for score in scene.scores if score.id == "cup")
            assert sum(cup.values) == len(frames[0].cup)
            assert sum(stage.group == "Chits in the cup" for stage in scene.stages) == len(frames[0].cup)
            return


def test_the_rounds_of_a_battle_are_shown_as_they_happen() -> None:
    names = set()
    for state, *_ in play(0):
        battles = [frame for frame in state.frames if isinstance(frame, Battle) and frame.hosts]
        if battles:
            scene = rules().presenter.scene(rules().view(state, 0))
            names |= {stage.name for stage in scene.stages if stage.when == "now" and "Battle" in stage.group}
            assert any(marker.kind == "attack" for marker in scene.markers.values())
            assert sum("committed" in note or " of " in note for note in scene.notes) >= 2
    assert {"Declaration", "Commitment", "Combat", "Demoralization", "Breaking off"} <= names


def test_what_the_story_takes_of_an_event() -> None:
    present = rules().presenter.present_event
    browne = rules().data.leader_named("Browne")
    taken: dict[str, Any] = {"side": 1, "hex": parse_hex("1125"), "tp": bag(AUSTRIA, 7)}
    whole = present(events.Cornered(whole=True, leaders=(browne,), **taken))
    assert whole.lost == LostForce(1, "at Prague", 7, "TP", "laid down its arms", "Browne")
    assert [fate.sentence for fate in whole.fates] == ["Browne is captured with his men at Prague"]
    assert present(events.Cornered(whole=False, **taken)).lost is None
    fell = present(events.PlaceFell(leaders=(browne,), **taken))
    assert (fell.gained, fell.lost, fell.fates) == ("Prague", None, whole.fates)
    alone: dict[str, Any] = {"side": 1, "unit": browne, "die": 2, "hex": parse_hex("1125")}
    (caught,) = present(events.LoneFate(fate="is captured", **alone)).fates
    assert caught.sentence == "Browne is captured at Prague"
    assert present(events.LoneFate(fate="escapes", **alone)).fates == ()
    free = present(events.PrisonersFreed(side=1, tp=0, leaders=(browne,)))
    assert [fate.sentence for fate in free.fates] == ["Browne comes back from captivity"]


def test_the_rating_of_command_is_recovered_with_one_die() -> None:
    present = rules().presenter.present_event
    nerve, command = (
        present(events.Recovered(side=0, leader=LeaderId(0), what=what, dice=2, number=4, success=True))
        for what in ("morale", "command")
    )
    assert (nerve.steps[0], nerve.is_sum, nerve.luck[0].value) == ("dice 2", True, 0.9167)
    assert (command.steps[0], command.is_sum, command.luck[0].value) == ("die 2", False, 0.6667)
