from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import pytest

from bench.checks import SIEGES, TURNS, besiege
from leuthen.engine.choice import STOP
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, SEATS, SIDES, Side, ViewerId, as_side, is_side
from leuthen.rulesets.campaigns import odds as battles
from leuthen.rulesets.campaigns.model.actions import Hold, Withdraw
from leuthen.rulesets.campaigns.model.data import GameOptions
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.odds import (
    attrition_odds,
    battle_odds,
    first_faces,
    forced_odds,
    recovery_odds,
    rest_odds,
    siege_odds,
)
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r11_siege import LONG
from leuthen.rulesets.campaigns.rules.r12_battle import Declaring, Leaving, price
from leuthen.rulesets.campaigns.rules.r18_setup import blank
from leuthen.rulesets.campaigns.screen.odds import TOPICS, steps
from leuthen.screen.values import LogEntry, Odds, Piece
from leuthen.wargame.board import hex_name, parse_hex
from leuthen.wargame.strength import NO_BOUND, LeaderId, bag, total
from tests.campaigns.positions import BORDER, act, at_reaction, moments, play, position, rules
from tests.laws.games import Moment
from tests.prove.sample import sample_games

GAMES: tuple[tuple[int, str, dict[str, str]], ...] = (
    (0, "1757", {}),
    (1, "1758", {"rules": "base"}),
    (4, "1756", {}),
    (2, "1759", {}),
    (6, "campaign", {}),
)
MOST = 24


def sampled_moments(seed: int, scenario: str, options: dict[str, str]) -> Iterator[Moment]:
    return islice(moments(seed, scenario, options, often=150), MOST)


@pytest.mark.parametrize(("seed", "scenario", "options"), sample_games(GAMES))
def test_a_scene_shows_all_forces_with_their_strength(seed: int, scenario: str, options: dict[str, str]) -> None:
    for moment in sampled_moments(seed, scenario, options):
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


def test_a_whole_game_is_reported() -> None:
    game, entries = rules(), list[LogEntry]()
    state = None
    for _, _, _, step, _ in play(2):
        entries += [game.presenter.present_event(event) for event in step.events(0)]
        state = step.state
    assert state is not None
    assert game.presenter.scene(game.view(state, 1)).result
    assert {"battle", "siege"} <= {one.topic for one in entries}
    tables = {table.id: table for table in game.presenter.setting().tables}
    for one in entries:
        assert one.text[0].isupper() or one.text[0].isdigit(), one
        assert one.rule
        assert bool(one.dice) == bool(one.steps)
        assert all(0 <= luck.value <= 1 for luck in one.luck)
        if one.spot is not None:
            rows = {row[0] for row in tables[one.spot.table].rows}
            assert one.spot.row in rows
            assert not one.spot.column or one.spot.column in tables[one.spot.table].columns
        assert all(place.isdigit() for place in (*one.places, *one.path))


def test_unknown_layers_places_and_odds_are_refused() -> None:
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


def first_march(seed: int) -> tuple[State, Side, Any]:
    for state, one, action, *_ in play(seed):
        if action.do == "march" and len(action.path) > 1:
            return state, as_side(one.actor), action
    raise AssertionError("no march")


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_a_leg_takes_a_cheapest_path_and_states_its_cost(seed: int) -> None:
    state, side, action = first_march(seed)
    partial_order = {"do": "march", "leader": str(action.leader), "companions.0": str(STOP)}
    plain = rules().presenter.form(state, as_side(side), partial_order)
    assert plain.reach
    assert plain.start == hex_name(state.units[action.leader].hex)
    for place, entry in plain.reach.items():
        found = rules().presenter.form(state, as_side(side), {**partial_order, "path": place})
        assert found.order.endswith(place), (found.order, found.refused)
        assert any(line.startswith(f"{entry.spent} MP") for line in found.summary), (found.summary, entry)


HIDDEN = {"hidden": "yes"}
HIDDEN_GAMES: tuple[tuple[int, str, dict[str, str]], ...] = (
    (0, "1757", HIDDEN),
    (1, "1758", HIDDEN | {"rules": "base"}),
)


@pytest.mark.parametrize(("seed", "scenario", "options"), [*sample_games(GAMES), *HIDDEN_GAMES])
def test_scenes_and_forms_are_equal_in_every_world(seed: int, scenario: str, options: dict[str, str]) -> None:
    game, table = rules(), rules().presenter
    for moment in sampled_moments(seed, scenario, options):
        for viewer in SEATS:
            view = game.view(moment.state, viewer)
            assert table.scene(game.decode_view(game.encode_view(view))) == table.scene(view)
            other = game.sample_state(view, Random(moment.rng.random()))
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


def test_enemy_pieces_show_correct_bands_and_no_supply() -> None:
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


def test_odds_cover_every_strength_the_enemy_may_have() -> None:
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
    raise AssertionError("no march against an enemy of unknown strength")


@pytest.mark.parametrize("text", ["attrition Daun", "force Daun", "capture A1"])
def test_odds_about_hidden_facts_are_refused(text: str) -> None:
    units = ("Keith 2940 20", "Daun 3444 20", "Lacy 3444 5", "A1 3444 4")
    for side, option in ((0, "hidden=yes"), (1, "hidden=yes"), (0, "hidden=no")):
        view = rules().view(position(f"option {option}", *BORDER[:3], *units), side)
        if (side, option) == (0, "hidden=yes"):
            with pytest.raises(Invalid, match=r"is not known \(R1.8\)"):
                rules().presenter.odds(view, text)
        else:
            assert rules().presenter.odds(view, text).cases


def number(name: str) -> LeaderId:
    return rules().data.leader_named(name)


@pytest.mark.parametrize(("kind", "modifier", "given"), SIEGES)
def test_siege_odds_match_the_published_table(kind: str, modifier: int, given: tuple[int, ...]) -> None:
    state, here, side = besiege(rules(), kind, modifier)
    found = siege_odds(state, here, as_side(side)).by_turn
    for turn, percent in zip(TURNS, given, strict=True):
        computed = 100 * float(found[turn - 1])
        if turn < LONG:
            assert abs(computed - percent) < 1.2
        else:  # the table knows no long siege (R11.5)
            assert computed >= percent - 1.2


def facing(*there: tuple[str, int], einhorn: bool = True) -> State:
    draft = Draft(blank(rules().data, "1757", GameOptions(einhorn=einhorn)))
    for name, points in there:
        nation = rules().data.leaders[number(name)].nation
        draft.put(Unit(number(name), parse_hex("1819"), tp=bag(nation, points), sp=2))
    draft.frames = ()
    return draft.freeze()


def test_odds_of_single_leaders_follow_the_rules() -> None:
    state = facing(("Frederick", 33), ("Charles", 65))
    chances = {name: sum(forced_odds(state, number(name))[:2]) for name in ("Frederick", "Charles")}
    assert chances == {"Frederick": Fraction(5, 6), "Charles": Fraction(2, 6)}
    troops, courage = recovery_odds(state, number("Frederick"))
    assert troops == Fraction(33, 36)  # morale 10
    assert courage == Fraction(4, 6) * troops  # command 4
    unit = facing(("Frederick", 100)).units[number("Frederick")]
    found = attrition_odds(state, [unit])
    assert sum(value * chance for value, chance in found) == Fraction(35, 6)
    assert sum(chance for _, chance in found) == 1


def test_battle_odds_favour_frederick_at_leuthen() -> None:
    state = facing(("Frederick", 33), ("Charles", 65))
    odds = battle_odds(state, parse_hex("1819"), 0)
    assert odds.strengths == (33, 65)
    assert odds.wins[0] > Fraction(7, 10)  # Leuthen: 85 %
    assert sum(odds.wins) <= 1
    for losses in odds.losses:
        assert sum(chance for _, chance in losses) == 1


def test_the_sampled_dice_cover_all_triples() -> None:
    throws = [tuple(first_faces(number)) for number in range(battles.BATTLES)]
    for left_out in range(4):
        assert len({tuple(face for n, face in enumerate(throw) if n != left_out) for throw in throws}) == 6**3


def test_declining_free_concentration_gains_nothing() -> None:
    marks = set[tuple[bool, bool]]()
    for state, one, *_ in play(0):
        frame = state.frames[-1]
        if isinstance(frame, Declaring):
            choices = rules().presenter.form(state, as_side(one.actor), {}).fields[0].choices
            hold = next(choice for choice in choices if choice.token == "hold")
            marks.add((price(state, frame.side) == 0, hold.is_hopeless))
            assert rules().presenter.form(state, as_side(one.actor), {"do": "declare"}).order
    assert marks == {(True, True), (False, False)}


def test_withdrawal_never_raises_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "BATTLES", 20)
    for state, one, *_ in play(0):
        if isinstance(state.frames[-1], Leaving):
            fights = rest_odds(state, as_side(one.actor), Hold())
            assert rest_odds(state, as_side(one.actor), Withdraw()).wins[one.actor] <= fights.wins[one.actor]
            return
    raise AssertionError("no battle")


def odds(text: str, state: State, side: int = 0) -> Odds:
    return rules().presenter.odds(rules().view(state, side), text)


def test_odds_are_available_for_every_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "BATTLES", 10)
    state = facing(("Frederick", 33), ("Charles", 65))
    siege, _, besieger = besiege(rules(), "fortress", 0)
    sheets = {
        "attack": odds("attack 1819", state),
        "defend": odds("defend 1819", state),
        "siege": odds("siege Breslau", siege, besieger),
        "react": odds("react Charles 1819", state),
        "force": odds("force Frederick", state),
        "attrition": odds("attrition Frederick", state),
        "recover": odds("recover Frederick", state),
        "capture": odds("capture Frederick", state),
    }
    assert set(sheets) == set(TOPICS)
    for sheet in sheets.values():
        assert sheet.rule
        for case in sheet.cases[:1]:
            assert sum(Fraction(part.odds) for part in case.results[-2:]) <= 1
    assert "Frederick" in sheets["force"].title


def test_odds_default_to_the_hex_of_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "BATTLES", 10)
    reaction = at_reaction()
    expected = odds("react Daun 2941", reaction, 1)
    assert odds("react Daun", reaction, 1) == expected
    assert odds("react", reaction, 1) == expected
    meeting = act(reaction, 1, "hold").state
    meeting = act(meeting, 0, "go 2941-3041").state
    meeting = act(meeting, 1, "hold").state
    assert odds("attack", meeting) == odds("attack 3041", meeting)
    with pytest.raises(Invalid):
        odds("attack", facing(("Frederick", 33), ("Charles", 65)))
