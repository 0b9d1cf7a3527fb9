import pytest

from leuthen.engine.ruleset import EVERYTHING, WATCHER, Outcome, as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, POOL, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import Deployment, Placement, SetupPlan
from leuthen.rulesets.frederick.rules.c05_diplomacy import EnvoyChoice, EnvoysSealed
from leuthen.rulesets.frederick.rules.c06_resources import RaiseChoice, RaiseSealed
from leuthen.rulesets.frederick.rules.c07_commitment import LossDue
from leuthen.rulesets.frederick.rules.o05_march import Marching, MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o09_retreat import Retreating
from leuthen.rulesets.frederick.screen.scene import make_scene
from leuthen.screen.values import Piece, Scene
from leuthen.wargame.board import Hex, stack_key
from leuthen.wargame.strength import NO_BOUND, LeaderId, bag
from tests.frederick.handmade import game_data, hexagon, leader, random_state, some_state

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
