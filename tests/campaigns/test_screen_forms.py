from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import STOP, Action
from leuthen.engine.ruleset import CHANCE, WATCHER, Side, as_side
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.screen.forms import SPECIAL, WORDS, Questions
from leuthen.screen.values import Form
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import LeaderId
from tests.campaigns.kit import moments, play, rules
from tests.prove.sample import some
from tests.wished import partial_order_of

STEPS = 700
NOISE = ("", "-1", "0", "1", "7", "99999", "x", "1623", "9999", "Dresden", "1623-0f", "1821-1822", "march", "done", "-")
KEYS = (
    *("do", "leader", "companions.0", "leaders.1", "points", "points.1", "path", "path.0", "path.1", "hex", "at"),
    *("inside", "forage", "nation", "wagon", "giver", "taker", "tp.2", "concentrate", "moon"),
)


def composed(state: State, side: Side, rng: Random) -> Form:
    partial_order: dict[str, str] = {}
    for _ in range(300):
        found = rules().presenter.form(state, as_side(side), partial_order)
        if found.refused:  # a blind alley
            assert not found.order
            partial_order = {}
            continue
        changeable = [field for field in found.fields if len(field.choices) > 1]
        if found.order and (not changeable or rng.random() < 0.6):
            return found
        field = rng.choice(changeable) if found.order else found.fields[-1]
        before = found.fields[: found.fields.index(field)]
        partial_order = {one.key: one.value for one in before if one.is_given}
        partial_order[field.key] = rng.choice(field.choices).token
    raise AssertionError(f"no order comes of {partial_order}")


@pytest.mark.parametrize(("scenario", "options"), [("1757", {}), ("1759", {"rules": "base"}), ("1756", {})])
def test_a_game_is_played_through_forms_alone(scenario: str, options: dict[str, str]) -> None:
    game, rng = rules(), Random(scenario)
    state = game.new_game(scenario, options)
    seen: Counter[str] = Counter()
    for _ in range(STEPS):
        pending = game.pending(state)
        if not pending:
            break
        one = rng.choice(pending)
        if one.actor == CHANCE:
            action: Any = rng.choice(game.chances(state))[0]
        else:
            found = composed(state, one.actor, rng)
            assert found.fields[0].value == found.order.split()[0]
            action = game.parse_action(state, one.actor, found.order)
            assert game.format_action(state, one.actor, action) == found.order
            seen[action.do] += 1
        state = game.apply(state, one.actor, action).state  # raises Illegal for what is not legal
    assert seen["march"]
    assert len(seen) > 6


def wishes_for(state: State, side: Side, action: Action) -> dict[str, str]:
    return partial_order_of(rules().legal_actions(state, side), Questions(rules().data, state, as_side(side)), action)


GAMES: tuple[tuple[int, str, dict[str, str]], ...] = (
    (0, "1757", {}),
    (1, "1758", {"rules": "base"}),
    (4, "1756", {}),
    (6, "campaign", {}),
)


@pytest.mark.parametrize(("seed", "scenario", "options"), some(GAMES))
def test_every_legal_action_has_its_form_and_english(seed: int, scenario: str, options: dict[str, str]) -> None:
    for moment in islice((m for m in moments(seed, scenario, options) if m.actor != CHANCE), 120):
        sample = rules().legal_actions(moment.state, moment.actor).sample(moment.rng)
        for action in (moment.action, sample):
            partial_order = wishes_for(moment.state, as_side(moment.actor), action)
            found = rules().presenter.form(moment.state, as_side(moment.actor), partial_order)
            assert not found.refused, (found.refused, partial_order)
            assert rules().parse_action(moment.state, moment.actor, found.order) == action
            for field in found.fields:
                assert field.label
                if field.kind in ("word", "flag"):
                    assert all(" " in one.label or one.label[0].isupper() for one in field.choices), field


def test_all_words_are_said() -> None:
    assert {word for _, word in SPECIAL} <= set(WORDS)


@pytest.mark.parametrize("seed", [0, 2])
def test_wishes_that_make_no_sense_are_refused_and_never_raise(seed: int) -> None:
    rng = Random(seed)
    for moment in islice((m for m in moments(seed, "1757", {}) if m.actor != CHANCE), 60):
        for _ in range(12):
            partial_order = {rng.choice(KEYS): rng.choice(NOISE) for _ in range(rng.randrange(1, 4))}
            found = rules().presenter.form(moment.state, as_side(moment.actor), partial_order)
            assert not (found.refused and found.order)
            if found.order:
                rules().parse_action(moment.state, moment.actor, found.order)


def test_who_is_not_asked_has_nothing_to_fill_in() -> None:
    state = rules().new_game("1757")
    asked = rules().pending(state)[0].actor
    for actor in {0, 1, WATCHER, CHANCE} - {asked}:
        found = rules().presenter.form(state, as_side(actor), {"do": "done"})
        assert found.refused
        assert not found.fields
        assert not found.order


def first_march(seed: int) -> tuple[State, Side, Any]:
    for state, one, action, *_ in play(seed):
        if action.do == "march" and len(action.path) > 1:
            return state, as_side(one.actor), action
    raise AssertionError("nobody marches")


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_a_leg_to_a_place_takes_a_cheapest_way_and_tells_its_price(seed: int) -> None:
    state, side, action = first_march(seed)
    partial_order = {"do": "march", "leader": str(action.leader), "companions.0": str(STOP)}
    plain = rules().presenter.form(state, as_side(side), partial_order)
    assert plain.reach
    assert plain.start == hex_name(state.units[action.leader].hex)
    for place, entry in plain.reach.items():
        found = rules().presenter.form(state, as_side(side), {**partial_order, "path": place})
        assert found.order.endswith(place), (found.order, found.refused)
        assert any(line.startswith(f"{entry.spent} MP") for line in found.summary), (found.summary, entry)


def test_who_opens_a_march_is_asked_for_the_way() -> None:
    state, side, action = first_march(0)
    partial_order = {"do": "march", "leader": str(action.leader), "companions.0": str(STOP)}
    asked = rules().presenter.form(state, as_side(side), partial_order)
    assert (asked.order, asked.fields[-1].key, asked.fields[-1].value) == ("", "path.0", "")
    stays = rules().presenter.form(state, as_side(side), {**partial_order, "path.0": str(STOP)})
    assert getattr(rules().parse_action(state, side, stays.order), "path", None) == ()
    assert stays.summary[-1].startswith("It stays in its hex")


def test_a_leg_too_far_is_refused_by_the_rule() -> None:
    state, side, action = first_march(0)
    partial_order = {"do": "march", "leader": str(action.leader), "companions.0": str(STOP), "path": "Tilsit"}
    found = rules().presenter.form(state, as_side(side), partial_order)
    assert not found.order
    assert found.refused[0].rule == "R5.1"


def test_a_click_on_a_piece_names_its_leader() -> None:
    state, side, action = first_march(0)
    unit = state.units[action.leader]
    key = f"{hex_name(unit.hex)}-{side}{'fi'[unit.inside]}"
    found = rules().presenter.form(state, as_side(side), {"do": "march", "at": key})
    leader = next(field for field in found.fields if field.key == "leader")
    assert state.units[LeaderId(int(leader.value))].hex == unit.hex
