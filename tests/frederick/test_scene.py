from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, Outcome, as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge import View, draw_world, make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.events import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, POOL, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import Deployment, Placement, SetupPlan
from leuthen.rulesets.frederick.rules.c04_sequence import (
    GAME_TURN,
    PLAYER_TURN,
    WINTER,
    Campaign,
    GameTurn,
    GrandStrategy,
    NextYear,
    PlayerTurn,
    War,
)
from leuthen.rulesets.frederick.rules.c05_diplomacy import EnvoyChoice, EnvoysSealed
from leuthen.rulesets.frederick.rules.c06_resources import RaiseChoice, RaiseSealed
from leuthen.rulesets.frederick.rules.c07_commitment import LossDue
from leuthen.rulesets.frederick.rules.c08_redeployment import STEPS, RedeploymentPhase
from leuthen.rulesets.frederick.rules.o05_march import Marching, MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o09_retreat import Retreating
from leuthen.rulesets.frederick.screen.forces import NEAR
from leuthen.rulesets.frederick.screen.report import Report
from leuthen.rulesets.frederick.screen.scene import make_scene, make_stages, phase_of
from leuthen.screen.values import Piece, Scene, Stage
from leuthen.wargame.board import Hex, hex_name, stack_key
from leuthen.wargame.strength import NO_BOUND, LeaderId, bag
from tests.frederick.handmade import game_data, hexagon, leader, random_state, some_state
from tests.laws.games import Moment, games, shared
from tests.prove.sample import some

VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)


def scene(viewer: int = PRUSSIAN, state: State | None = None) -> Scene:
    return make_scene(game_data(), make_view(state or some_state(), as_viewer(viewer)))


def piece(key: str, viewer: int = PRUSSIAN, state: State | None = None) -> Piece:
    return scene(viewer, state).pieces[key]


def codes(of: Piece) -> set[str]:
    return {badge.code for badge in of.badges}


def march(side: int = PRUSSIAN) -> Marching:
    return Marching(side=as_side(side), die=3, forced=False, supplied=True)


def test_a_counter_of_ones_own() -> None:
    own = piece("1126-0f")
    assert (own.place, own.side, own.inside, own.power) == ("1126", PRUSSIAN, False, PRUSSIA)
    assert (own.title, own.ratings, own.strength, own.low, own.high) == ("Frederick", "3-3-2", "24", 24, 24)
    assert own.sp == ((PRUSSIA, 24),)
    assert [chip.name for chip in own.leaders] == ["Frederick", "Keith", "Maurice"]
    assert own.lines[0] == "Prussia: 24 SP, in the field"
    assert "Frederick commands: initiative 3, attack 3, defence 2" in own.lines
    assert "With him: Keith 1-1-2, Maurice 1-2-1" in own.lines
    assert own.lines[-1] == "The enemy does not know its strength (O3.1)"
    assert own.spoken == "Frederick, 24 SP, at 1126; out of supply; 2 enemy stacks within 4 hexes"


def test_what_the_enemy_has_seen_of_ones_own() -> None:
    assert piece("1125-1i", AUSTRIAN).lines[-1] == "The enemy knows: 2–12 SP, since 1757, turn 2 (O3.3)"
    assert piece("1125-1i", EVERYTHING).lines[-1] == "The other side knows: 2–12 SP, since 1757, turn 2 (O3.3)"


def test_a_counter_of_the_enemy() -> None:
    daun = piece("1128-1f")
    assert (daun.title, daun.ratings, daun.strength, daun.low, daun.high) == ("Daun", "1-2-3", "?", 1, NO_BOUND)
    assert not daun.is_known
    assert daun.sp == ()
    assert [chip.name for chip in daun.leaders] == ["Daun"]
    assert "Junior leaders: not known (O3.1)" in daun.lines
    assert "strength not known" in daun.spoken
    seen = piece("1125-1i")
    assert (seen.strength, seen.low, seen.high, seen.since) == ("2–12", 2, 12, "1757, turn 2")
    assert seen.lines[0] == "Austria: 2–12 SP, inside, seen 1757, turn 2"


def test_leaders_alone_and_troops_without_a_leader() -> None:
    alone = piece("2209-1f")
    assert (alone.strength, alone.low, alone.high, alone.title) == ("–", 0, 0, "de Broglie")
    garrison = piece("1230-1i")
    assert (garrison.title, garrison.ratings, garrison.leaders) == ("Austrian garrison", "", ())


def test_a_mixed_stack_is_open_to_its_owner_alone() -> None:
    assert "7 SP (6 Prussia, 1 Hanover)" in piece("1125-0f").lines[0]
    assert piece("1125-0f").sp == ((PRUSSIA, 6), (HANOVER, 1))
    assert piece("1125-0f", AUSTRIAN).sp == ()


def test_badges() -> None:
    assert codes(piece("1125-0f")) == {"besieging", "unsupplied"}
    assert codes(piece("1125-1i")) == {"besieged"}
    assert codes(piece("2413-0f", AUSTRIAN)) == {"demoralized"}
    rules = {badge.code: (badge.mark, badge.rule) for badge in piece("1125-0f").badges}
    assert rules == {"besieging": ("S", "O13.1"), "unsupplied": ("U1", "O10.8")}


def test_out_of_supply_now_is_for_those_who_know_the_stack() -> None:
    owners = dict.fromkeys(game_data().fortresses, AUSTRIAN)
    state = some_state(depots={}, owners=owners)
    assert "unsupplied" in codes(piece("1126-0f", PRUSSIAN, state))
    assert "unsupplied" not in codes(piece("1126-0f", AUSTRIAN, state))


def test_who_has_marched_shows_while_his_side_marches() -> None:
    assert codes(piece("1126-0f")) == {"unsupplied"}
    marching = some_state(frames=(MarchPhase(PRUSSIAN, 3),))
    own = piece("1126-0f", state=marching)
    assert codes(own) == {"unsupplied", "part-marched"}
    assert "4 SP have marched (O5.7)" in own.lines
    assert "MP spent in this phase: Frederick 2 (O5.14)" in own.lines
    assert not codes(piece("1126-0f", AUSTRIAN, marching))
    assert codes(piece("1126-0f", state=some_state(frames=(MarchPhase(AUSTRIAN, 3),)))) == {"unsupplied"}
    assert not codes(piece("1623-0i"))


def test_the_force_on_the_march_is_a_counter() -> None:
    stacks = dict(some_state().stacks)
    force = stacks.pop(stack_key(hexagon("1126"), 0, 0))
    state = some_state(stacks=stacks, moving=force, frames=(MarchPhase(PRUSSIAN, 3), march()))
    own = piece("1126-0m", state=state)
    assert own.strength == "24"
    assert "moving" in codes(own)
    assert piece("1126-0m", AUSTRIAN, state).strength == "?"
    retreat = some_state(stacks=stacks, moving=force, frames=(Retreating(PRUSSIAN, hexagon("1125"), 2, ()),))
    assert "retreating" in codes(piece("1126-0m", state=retreat))


def test_who_must_attack() -> None:
    state = some_state(bound=frozenset({hexagon("1125")}))
    assert "bound" in codes(piece("1125-0f", state=state))
    assert "bound" not in codes(piece("1125-1i", state=state))


def test_depots_and_works() -> None:
    own, other = scene(AUSTRIAN).markers, scene(PRUSSIAN).markers
    assert own["1129-1works"].text == "Depot of Austria under construction, 1129"
    assert not [key for key in other if key.endswith("works")]
    assert (other["1228-1depot"].kind, other["1228-1depot"].mark, other["1228-1depot"].power) == ("depot", "D", AUSTRIA)
    assert set(other) == {"1125-0depot", "1228-1depot", "3742-2depot"}


def test_declared_attacks_are_marked() -> None:
    state = some_state(frames=(CombatPhase(PRUSSIAN, AUSTRIAN, ((PRUSSIAN, hexagon("1128")),)),))
    assert scene(WATCHER, state).markers["1128-0attack"].text == "The Prussian side has declared an attack, 1128 Kolin"


def plan() -> State:
    lots = (
        Placement(hexagon("0232"), True, (leader("Daun"),), bag(AUSTRIA, 7)),
        Placement(hexagon("0232"), True, (leader("Lacy"),), bag(AUSTRIA, 2)),
        Placement(hexagon("1125"), False, (), bag(AUSTRIA, 3)),
    )
    frame = load("frederick").new_game("campaign", {}).frames[-1]
    assert isinstance(frame, Deployment)
    nobody = tuple(POOL for _ in some_state().roster)
    return some_state(frames=(frame,), stacks={}, roster=nobody, sealed=(None, SetupPlan(False, lots, hexagon("1230"))))


def test_a_deployment_in_the_making_is_shown_to_its_owner() -> None:
    own = scene(AUSTRIAN, plan())
    vienna = own.pieces["0232-1pi"]
    assert (vienna.title, vienna.strength, codes(vienna)) == ("Daun", "9", {"planned"})
    assert [chip.name for chip in vienna.leaders] == ["Daun", "Lacy"]
    assert own.pieces["1125-1pf"].title == "Austrian troops"
    assert own.markers["1230-1plan"].kind == "plan"
    assert any("still to place" in note and "20 SP" in note for note in own.notes)
    assert own.phase == "Deployment"
    assert ("Deployment", "now") in [(stage.name, stage.when) for stage in own.stages]


@pytest.mark.parametrize("viewer", [PRUSSIAN, WATCHER])
def test_and_to_nobody_else(viewer: int) -> None:
    other = scene(viewer, plan())
    assert not [key for key in other.pieces if "p" in key]
    assert not [marker for marker in other.markers.values() if marker.kind == "plan"]
    assert not any("Daun" in note for note in other.notes)


def test_fortresses() -> None:
    holdings = scene().holdings
    prague = holdings["1125"]
    assert (prague.side, prague.is_held, prague.points) == (AUSTRIAN, True, 10)
    assert prague.siege == "besieged, 1 roll (the next has +1)"
    assert not holdings["0232"].is_held
    assert holdings["3742"].text == "Russian base: of Russia, neutral, 0 VP"
    assert len(holdings) == len(game_data().fortresses)


def test_fortresses_that_do_not_count() -> None:
    allegiance = (*some_state().allegiance[:2], 2, *some_state().allegiance[3:])
    text = scene(state=some_state(allegiance=allegiance)).holdings["2004"].text
    assert text == "Wesel: nobody's, 0 VP, 5 with France and Hanover on different sides (C9.3)"


def test_scores() -> None:
    scores = {score.id: score for score in scene().scores}
    assert scores["vp"].values == (20, 15)
    assert scores["vp"].text == "For more than double the other's the Prussian side lacks 11, the Austrian side 26."
    assert scores["sp"].values == (46, -1)
    assert scores["sp"].text == "By what is seen: Austrian side 5 or more."
    assert scores["rp"].values == (22, 27)
    assert scores["prisoners"].values == (2, 4)
    everything = {score.id: score for score in scene(EVERYTHING).scores}
    assert everything["sp"].values == (46, 51)
    assert {score.id: score.values for score in scene(WATCHER).scores}["sp"] == (-1, -1)


def test_the_order_of_battle() -> None:
    musters = scene().musters
    prussia = {entry.name: entry for entry in musters[PRUSSIA].entries}
    assert prussia["On the map"].strength == "35"
    frederick = prussia["Frederick 3-3-2"]
    assert (frederick.place, frederick.strength, frederick.text) == ("1126", "24", "commands at 1126")
    assert prussia["Keith 1-1-2"].text == "under Frederick at 1126"
    assert prussia["Seydlitz 2-3-1"].text == "in the pool (C2.5)"
    assert prussia["Prisoners"].strength == "3"
    austria = {entry.name: entry for entry in musters[AUSTRIA].entries}
    assert austria["On the map"].strength == "?"
    assert austria["Daun 1-2-3"].strength == "?"
    assert austria["Serbelloni 0-0-1"].text == "on the map; nobody sees with whom (O3.1)"
    assert austria["Serbelloni 0-0-1"].place == ""
    assert [muster.side for muster in musters] == [0, 1, 1, 0, 2, 2, 1, 2]


def test_reinforcements_are_their_owners() -> None:
    state = some_state(waiting=bag(AUSTRIA, 6))
    own = {entry.name: entry.strength for entry in scene(AUSTRIAN, state).musters[AUSTRIA].entries}
    assert own["Reinforcements"] == "6"
    for viewer in (PRUSSIAN, WATCHER):
        other = scene(viewer, state)
        assert "Reinforcements" not in {entry.name for entry in other.musters[AUSTRIA].entries}
        assert not any("wait" in note for note in other.notes)


def test_prisoners_by_name() -> None:
    state = some_state(captives=((leader("Lacy"),), ()))
    assert "Prisoners of the Prussian side: 2 Austria; leaders: Lacy 1-1-2 (O15.3)" in scene(WATCHER, state).notes


def test_standings() -> None:
    powers = scene(state=some_state(surrendered=frozenset({6}))).powers
    assert [power.side for power in powers] == [0, 1, 1, 0, 2, 2, 2, 2]
    assert powers[6].text.startswith("has surrendered, last on the Austrian side (C11.3)")
    assert powers[4].text == "neutral (C1.2)"


def test_title_and_end() -> None:
    assert scene().title == "1757, turn 4: early June"
    assert scene().result == ""
    ended = some_state(outcome=Outcome(AUSTRIAN, "decisive", "C12.3", 1760))
    assert scene(state=ended).result == "The Austrian side wins: a decisive victory, 1760 (C12.3)"
    assert scene(state=ended).phase == "The war has ended"
    drawn = some_state(outcome=Outcome(None, "draw", "C13.1", 1762))
    assert scene(state=drawn).result == "The war is drawn: peace without a victor, 1762 (C13.1)"
    assert not scene(state=drawn).stages


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", range(8))
def test_any_position_has_a_scene(seed: int, viewer: int) -> None:
    state = random_state(seed)
    shown = scene(viewer, state)
    assert len(shown.pieces) == len(state.stacks) + (state.moving is not None)
    assert all(len(one.spoken) > 10 and one.lines and one.strength for one in shown.pieces.values())


def test_sealed_choices_are_noted_in_full_for_their_owner_alone() -> None:
    state = some_state(frames=(EnvoyChoice(),), sealed=(EnvoysSealed(True, (2, 0, 0, 0, 0, 0)), None))
    assert (
        scene(PRUSSIAN, state).notes[0] == "Diplomacy Points: the Prussian side has sealed its choice: France 2 (C5.1)"
    )
    for viewer in (AUSTRIAN, WATCHER):
        assert scene(viewer, state).notes[0] == "Diplomacy Points: the Prussian side has sealed its choice (C5.1)"


def test_resource_points_and_losses_too() -> None:
    state = some_state(frames=(RaiseChoice(),), sealed=(None, RaiseSealed(True, 7)))
    assert scene(AUSTRIAN, state).notes[0] == "Resource Points: the Austrian side has sealed its choice: 7 RP (C6.2)"
    assert "7 RP" not in scene(PRUSSIAN, state).notes[0]
    due = some_state(sealed=(None, LossDue(left=3)))
    assert scene(AUSTRIAN, due).notes[0] == "SP still to be lost: 3 (C7.5)"
    assert not any("lost" in note for note in scene(PRUSSIAN, due).notes)


def test_what_the_years_end_would_bring() -> None:
    def forecasts(**more: object) -> list[str]:
        return [note for note in scene(state=some_state(**more)).notes if note.startswith("If the year ended now")]

    assert not forecasts()
    assert not forecasts(year=1756)
    assert forecasts(year=1762) == ["If the year ended now, the Prussian side would win marginally (C13.1)"]
    five = [here for here, fort in game_data().fortresses.items() if fort.great]
    held = {stack_key(here, 0, 1): stack_at(here) for here in five}
    nobody = tuple(POOL for _ in some_state().roster)
    owners = dict.fromkeys(game_data().fortresses, PRUSSIAN)
    won = forecasts(stacks=held, owners=owners, roster=nobody)
    assert won == ["If the year ended now, the Prussian side would win the war (C12.3)"]
    assert not forecasts(
        stacks=held, owners=owners, roster=nobody, outcome=Outcome(PRUSSIAN, "decisive", "C12.3", 1757)
    )


def stack_at(here: Hex) -> Stack:
    return Stack(here, PRUSSIAN, True, bag(PRUSSIA, 1), (), LeaderId(-1), PRUSSIA)


def in_turn(side: int, done: int, turn: int = 4) -> View:
    part = 2 + (side == AUSTRIAN)
    frames = (
        War(True),
        Campaign(True),
        GameTurn(part),
        PlayerTurn(as_side(side), done),
        PLAYER_TURN[done - 1](as_side(side)),
    )
    return make_view(some_state(frames=frames, turn=turn, phasing=side), PRUSSIAN)


def in_winter(year: int, done: int, *more: object) -> View:
    frames = (NextYear(), GrandStrategy(done), *more)
    return make_view(some_state(frames=frames, year=year, turn=18, phasing=2), PRUSSIAN)


def names(stages: tuple[Stage, ...]) -> list[str]:
    return [stage.name for stage in stages]


EIGHT = ["Reinforcement", "Morale Recovery", "Depots", "March", "Force March", "Combat", "Siege", "Attrition"]


def test_a_turn_has_two_player_turns_of_eight_phases() -> None:
    stages = make_stages(in_turn(PRUSSIAN, 4, turn=5))
    assert names(stages) == EIGHT + EIGHT
    assert [stage.group for stage in stages] == 8 * ["Prussian player turn"] + 8 * ["Austrian player turn"]
    assert [stage.side for stage in stages[:8]] == [0, 0, 0, 0, 1, 0, 0, 1]


def test_prisoners_are_exchanged_on_even_turns() -> None:
    assert names(make_stages(in_turn(PRUSSIAN, 1, turn=6)))[0] == "Prisoner exchange"


def test_past_now_and_next() -> None:
    stages = make_stages(in_turn(AUSTRIAN, 4))
    assert [stage.when for stage in stages] == 12 * ["past"] + ["now"] + 4 * ["next"]
    now = stages[12]
    assert (now.name, now.side, now.rule) == ("March", AUSTRIAN, "O5.13")
    assert GAME_TURN  # the list that it is made from


def test_the_phase_says_who_acts_and_what_is_asked_within_it() -> None:
    view = in_turn(PRUSSIAN, 6)
    assert phase_of(view, make_stages(view)) == "Force March of the Austrian side"
    frames = (*view.frames[:-2], PlayerTurn(PRUSSIAN, 8), CombatPhase(PRUSSIAN, PRUSSIAN))
    fighting = make_view(some_state(frames=frames, phasing=PRUSSIAN), PRUSSIAN)
    assert phase_of(fighting, make_stages(fighting)) == f"Combat of the {SIDE_NAMES[0]}"


def test_the_winter_after_1756_has_diplomacy_and_no_check() -> None:
    stages = make_stages(in_winter(1756, 5))
    assert names(stages)[:2] == ["Attrition at the year's end", "Diplomacy Phase"]
    assert "Victory check" not in names(stages)
    assert names(stages)[-1] == "Initiation"
    assert [stage.when for stage in stages[:3]] == ["past", "now", "next"]
    assert len(WINTER) == 9


def test_later_winters_have_the_check_and_no_diplomacy() -> None:
    stages = names(make_stages(in_winter(1758, 2)))
    assert "Victory check" in stages
    assert "Diplomacy Phase" not in stages
    assert "End of the war" not in stages


def test_after_the_last_year_there_is_peace() -> None:
    stages = names(make_stages(in_winter(1762, 3)))
    assert stages == ["Attrition at the year's end", "Victory check", "End of the war"]


def test_redeployment_step_by_step() -> None:
    stages = make_stages(in_winter(1757, 8, RedeploymentPhase(3)))
    steps = [(stage.name, stage.side, stage.when) for stage in stages][-len(STEPS) - 2 : -2]
    assert steps == [
        ("New leaders", 2, "past"),
        ("Re-deployment", AUSTRIAN, "past"),
        ("Re-deployment", PRUSSIAN, "now"),
        ("Reinforcements", AUSTRIAN, "next"),
        ("Reinforcements", PRUSSIAN, "next"),
    ]


def test_in_every_game_one_stage_is_now() -> None:
    for moment in games("frederick", 1, often=150):
        stages = make_stages(make_view(moment.state, 0))
        now = [index for index, stage in enumerate(stages) if stage.when == "now"]
        assert len(now) == 1
        assert {stage.when for stage in stages[: now[0]]} <= {"past"}
        assert {stage.when for stage in stages[now[0] + 1 :]} <= {"next"}


EYES = (0, 1, WATCHER)
SEEDS = some(range(3))


def moments(seed: int) -> Iterator[Moment]:
    return shared("frederick", seed, often=250)


def text_of(value: Any) -> bytes:
    return msgspec.json.encode(value)


def differences(seed: int) -> Iterator[str]:
    for moment in moments(seed):
        game, state = moment.game, moment.state
        for viewer in EYES:
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
        for viewer in EYES:
            view = moment.game.view(moment.state, viewer)
            assert not list(faults(moment.game.presenter.scene(view), view, moment.game.data))


def test_a_decision_of_another_side_tells_which_and_its_rule_and_no_more() -> None:
    for moment in moments(2):
        for viewer in (*EYES, EVERYTHING):
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
        for viewer in (*EYES, EVERYTHING):
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
    for viewer in (*EYES, EVERYTHING):
        assert last.game.presenter.scene(last.game.view(ended, viewer)).result


def test_keys_tell_pieces_apart() -> None:
    assert NEAR == 4
    for moment in moments(3):
        view = moment.game.view(moment.state, EVERYTHING)
        scene = moment.game.presenter.scene(view)
        planned = sum("p" in key for key in scene.pieces)
        assert len(scene.pieces) - planned == len(view.stacks) + (view.moving is not None)
