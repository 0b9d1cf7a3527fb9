from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, SEATS, SIDES, ViewerId, is_side
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.screen.odds import steps
from leuthen.screen.values import Piece
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import NO_BOUND, total
from tests.campaigns.kit import moments, play, rules
from tests.campaigns.positions import BORDER, position
from tests.laws.games import Moment

HIDDEN = {"hidden": "yes"}
GAMES: tuple[tuple[int, str, dict[str, str]], ...] = ((0, "1757", HIDDEN), (1, "1758", HIDDEN | {"rules": "base"}))


def looked_at(seed: int, scenario: str, options: dict[str, str]) -> Iterator[Moment]:
    return islice(moments(seed, scenario, options, often=150), 20)


@pytest.mark.parametrize(("seed", "scenario", "options"), GAMES)
def test_scenes_and_forms_are_equal_in_all_worlds_of_a_view(seed: int, scenario: str, options: dict[str, str]) -> None:
    game, table = rules(), rules().presenter
    for moment in looked_at(seed, scenario, options):
        for viewer in SEATS:
            view = game.view(moment.state, viewer)
            other = game.worlds(view, Random(moment.rng.random()))
            assert table.scene(game.view(other, viewer)) == table.scene(view)
            assert table.layer(view, "supply", "") == table.layer(game.view(other, viewer), "supply", "")
            if is_side(viewer) and viewer == moment.actor:
                partial_order = {"do": moment.action.do}
                assert table.form(other, viewer, partial_order) == table.form(moment.state, viewer, partial_order)


def true_strength(state: State, piece: Piece) -> int:
    units = [u for n, u in state.units.items() if state.side(n) == piece.side and u.inside == piece.inside]
    led = sum(unit.strength for unit in units if hex_name(unit.hex) == piece.place)
    posts = [tp for here, tp in state.garrisons.items() if piece.inside and hex_name(here) == piece.place]
    return led + sum(map(total, posts))


def enemies(state: State, viewer: ViewerId) -> list[Piece]:
    pieces = rules().presenter.scene(rules().view(state, viewer)).pieces
    return [piece for piece in pieces.values() if piece.side != viewer]


def test_enemy_counters_show_bands_that_hold_the_truth_and_no_supply() -> None:
    bands = 0
    for moment in islice(moments(0, "1757", HIDDEN, often=40), 60):
        for viewer in SIDES:
            for piece in enemies(moment.state, viewer):
                assert not piece.load
                assert not piece.sp
                assert not any(char.isdigit() for char in piece.strength[1:]) or piece.strength[0] != "W"
                assert piece.low <= true_strength(moment.state, piece) <= piece.high
                bands += piece.low < piece.high
                if piece.high == NO_BOUND:
                    assert piece.strength.endswith(("?", "+"))
    assert bands > 20


def test_scores_and_the_order_of_battle_say_what_is_not_known() -> None:
    state = rules().new_game("1757", HIDDEN)
    scene = rules().presenter.scene(rules().view(state, 0))
    scores = {score.id: score.values for score in scene.scores}
    assert scores["sp"][0] > 0 > scores["sp"][1]
    austria = next(muster for muster in scene.musters if muster.power == 2)
    assert austria.entries[0].strength == "?"
    assert any("under whom is not known" in entry.text for entry in austria.entries)


def test_odds_go_from_one_end_of_what_is_not_known_to_the_other() -> None:
    assert steps(20, 20) == [20]
    assert steps(10, 50) == [10, 20, 30, 40, 50]
    assert steps(1, NO_BOUND)[-1] == 60
    for state, one, action, *_ in play(0, options=HIDDEN):
        if one.actor == CHANCE or not isinstance(state.frames[-1], Marching) or action.do != "go":
            continue
        order = rules().format_action(state, one.actor, action).split()[-1]
        form = rules().presenter.form(state, one.actor, {"do": "go", "path": order.partition("-")[2]})
        if form.odds and len(form.odds.cases) > 1:
            wins = [case.results[0].chance for case in form.odds.cases]
            assert wins == sorted(wins, reverse=True) or wins[0] > wins[-1]
            assert all(case.label.endswith(" TP") for case in form.odds.cases)
            return
    raise AssertionError("nobody marches at an enemy of whom he knows no number")


def test_what_a_march_of_the_enemy_has_left_is_not_told() -> None:
    game, pos = rules(), position("option hidden=yes", *BORDER[:3], "Keith 2940 20", "Daun 3444 20")
    state = game.apply(pos, 0, game.parse_action(pos, 0, "march Keith 2940-2840")).state
    notes = [game.presenter.scene(game.view(state, viewer)).notes for viewer in SIDES]
    assert "March of Keith: at 2840, 5 MP left (R4.4)" in notes[0]
    assert "March of Keith: at 2840 (R4.4)" in notes[1]


@pytest.mark.parametrize("text", ["attrition Daun", "force Daun", "capture A1"])
def test_there_are_no_odds_of_what_is_not_known(text: str) -> None:
    units = ("Keith 2940 20", "Daun 3444 20", "Lacy 3444 5", "A1 3444 4")
    for side, option in ((0, "hidden=yes"), (1, "hidden=yes"), (0, "hidden=no")):
        view = rules().view(position(f"option {option}", *BORDER[:3], *units), side)
        if (side, option) == (0, "hidden=yes"):
            with pytest.raises(Invalid, match=r"is not known \(R1.8\)"):
                rules().presenter.odds(view, text)
        else:
            assert rules().presenter.odds(view, text).cases
