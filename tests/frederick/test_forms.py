from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, WATCHER, as_side
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase
from leuthen.rulesets.frederick.screen.forms import Questions
from leuthen.screen.values import Barred, Choice, Form, Objection
from leuthen.wargame.board import hex_name
from tests.frederick.formkit import door, marching
from tests.laws.games import Moment, shared
from tests.properties.armies import armies
from tests.properties.games import seeds
from tests.wished import partial_order_of

NOISE = ("", "-1", "0", "1", "7", "99999", "x", "1623", "9999", "Dresden", "1623-0f", "1821-1822", "march", "done", "-")
KEYS = (
    *("do", "leader", "companions.0", "leaders.1", "sp.0", "sp.1", "path", "path.0", "path.1", "hex", "start", "at"),
    *("inside", "overwhelm", "power", "points", "points.2", "moon"),
)


def composed(state: State, side: int, rng: Random) -> Form:
    partial_order: dict[str, str] = {}
    for _ in range(300):
        found: Form = door().presenter.form(state, as_side(side), partial_order)
        if found.refused:  # a blind alley, such as all leaders of a force left behind
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


@pytest.mark.parametrize("seed", seeds(2))
def test_a_war_is_played_through_forms_alone(seed: int) -> None:
    game, rng = door(), Random(seed)
    die = ("phase", "force")[seed % 2]
    state = game.new_game("campaign", {"last-year": "1757", "march-die": die})
    while pending := game.pending(state):
        one = rng.choice(pending)
        if one.actor == CHANCE:
            action = rng.choice(game.chances(state))[0]
        else:
            found = composed(state, one.actor, rng)
            assert found.fields[0].value == found.order.split()[0]
            action = game.parse_action(state, one.actor, found.order)
            assert game.format_action(state, one.actor, action) == found.order
        state = game.apply(state, one.actor, action).state  # raises Illegal for what is not legal


def sides_asked(seed: int, often: int = 40) -> Iterator[Moment]:
    return (moment for moment in shared("frederick", seed, often=often) if moment.actor != CHANCE)


def wishes_for(state: State, side: int, action: Action) -> dict[str, str]:
    return partial_order_of(door().legal_actions(state, side), Questions(door().data, state, as_side(side)), action)


@pytest.mark.parametrize("seed", seeds(3))
def test_every_legal_action_has_its_form(seed: int) -> None:
    for moment in sides_asked(seed):
        for action in (moment.action, *(draw(moment) for _ in range(3))):
            partial_order = wishes_for(moment.state, moment.actor, action)
            found = door().presenter.form(moment.state, as_side(moment.actor), partial_order)
            assert not found.refused
            assert door().parse_action(moment.state, moment.actor, found.order) == action


def draw(moment: Moment) -> Action:
    action: Action = door().legal_actions(moment.state, moment.actor).sample(moment.rng)
    return action


def some_partial_orders(moment: Moment) -> Iterator[dict[str, str]]:
    rng = moment.rng
    whole = wishes_for(moment.state, moment.actor, draw(moment))
    yield {}
    yield whole
    for _ in range(3):
        yield {**whole, rng.choice([*whole]): rng.choice(NOISE)}
        yield dict(list(whole.items())[: rng.randrange(len(whole) + 1)])
        yield {rng.choice(KEYS): rng.choice(NOISE) for _ in range(rng.randrange(1, 5))}
    stacks = [stack for stack in moment.state.stacks.values() if stack.side == moment.actor]
    here = hex_name(rng.choice(stacks).hex) if stacks else "1623"
    yield {"at": here}
    yield {**{key: value for key, value in whole.items() if not key.startswith("path")}, "path": here}


@pytest.mark.parametrize("seed", seeds(3))
def test_forms_are_the_same_in_every_world_that_the_actor_may_hold_true(seed: int) -> None:
    game = door()
    for moment in sides_asked(seed, often=80):
        view = game.view(moment.state, moment.actor)
        worlds = [game.worlds(view, Random(moment.rng.random())) for _ in range(2)]
        for partial_order in some_partial_orders(moment):
            shown = msgspec.json.encode(game.presenter.form(moment.state, as_side(moment.actor), partial_order))
            for world in worlds:
                assert msgspec.json.encode(game.presenter.form(world, as_side(moment.actor), partial_order)) == shown, (
                    partial_order
                )


def contacts(state: State, side: int) -> Iterator[dict[str, str]]:
    enemies = {hex_name(stack.hex) for stack in state.stacks.values() if stack.side == 1 - side}
    frame = state.frames[-1]
    if isinstance(frame, MarchPhase):
        for stack in state.own(as_side(side)):
            for number in stack.leaders[:2]:
                for place in enemies & {*door().presenter.form(state, as_side(side), {"leader": str(number)}).reach}:
                    yield {"leader": str(number), "path": place}
                    yield {"leader": str(number), "path": place, "overwhelm": "1"}
    else:
        yield from ({"at": place} for place in sorted(enemies))
        yield from ({"do": do, "hex": place} for place in sorted(enemies) for do in ("attack", "besiege"))


@pytest.mark.parametrize("seed", range(3))
def test_contact_with_the_enemy_tells_nothing_before_it_comes(seed: int) -> None:
    game, odds = door(), 0
    for side in (PRUSSIAN, AUSTRIAN):
        for frame in (MarchPhase(side, 6), CombatPhase(side, side), SiegePhase(side)):
            draft = Draft(armies(seed))
            draft.frames, draft.moving, draft.spent, draft.phasing = (frame,), None, {}, side
            state = draft.freeze()
            view = game.view(state, side)
            worlds = [game.worlds(view, Random(seed + number)) for number in range(3)]
            for partial_order in contacts(state, side):
                found = game.presenter.form(state, side, partial_order)
                odds += found.odds is not None
                shown = msgspec.json.encode(found)
                for world in worlds:
                    assert msgspec.json.encode(game.presenter.form(world, side, partial_order)) == shown, partial_order
    assert odds > 4


@pytest.mark.parametrize("seed", seeds(1))
def test_whatever_is_wished_a_form_comes_of_it(seed: int) -> None:
    for moment in sides_asked(seed + 7, often=30):
        for _ in range(12):
            partial_order = {moment.rng.choice(KEYS): moment.rng.choice(NOISE) for _ in range(moment.rng.randrange(6))}
            found = door().presenter.form(moment.state, as_side(moment.actor), partial_order)
            assert not (found.order and found.refused)
            if found.order:
                action = door().parse_action(moment.state, moment.actor, found.order)
                assert door().why_not(moment.state, moment.actor, action) is None


@pytest.mark.parametrize("seed", seeds(1))
def test_every_kind_of_decision_is_worded(seed: int) -> None:
    seen: Counter[str] = Counter()
    for moment in sides_asked(seed, often=60):
        seen[moment.pending.decision] += 1
        found = door().presenter.form(
            moment.state, as_side(moment.actor), wishes_for(moment.state, moment.actor, moment.action)
        )
        for field in found.fields:
            choices: tuple[Choice | Barred, ...] = (*field.choices, *field.barred)
            for choice in choices:
                assert choice.label, (field.key, choice.token)
                assert field.kind in ("count", "flag") or choice.label != choice.token or field.kind in ("hex", "path")
    assert len(seen) > 10


def test_who_is_not_asked_gets_no_form() -> None:
    state = marching()
    for side in (AUSTRIAN, WATCHER, CHANCE, 7):
        found = door().presenter.form(state, as_side(side), {"do": "march"})
        assert found == Form((), refused=(Objection("O4.2", "you are not being asked"),))
