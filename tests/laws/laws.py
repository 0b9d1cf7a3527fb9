"""Laws of the `Ruleset` interface, for every moment of every game of every rule set. Each raises AssertionError."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Illegal
from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER
from leuthen.wargame.board import hex_name
from tests.laws.games import Moment, near_misses

WORLDS = 3
SIDES = (0, 1)
LEGS = ("march", "go")
"""The actions that carry a force along a path, and may be followed by another leg."""
MANY = 60
"""Number of actions compared in canonical order."""


def sample_states(moment: Moment, viewer: int, count: int = WORLDS) -> list[Any]:
    """Return some worlds that a viewer must consider possible."""
    view = moment.game.view(moment.state, viewer)
    return [moment.game.sample_state(view, Random(moment.rng.random())) for _ in range(count)]


def a_sampled_state_has_the_same_view(moment: Moment) -> None:
    game = moment.game
    for viewer in (*SIDES, WATCHER, EVERYTHING):
        view = game.view(moment.state, viewer)
        for world in sample_states(moment, viewer):
            assert game.view(world, viewer) == view
            assert hash(game.view(world, viewer)) == hash(view)


def every_world_has_the_same_pending_decisions(moment: Moment) -> None:
    expected = [(one.actor, one.decision, one.rule) for one in moment.game.pending(moment.state)]
    for viewer in (*SIDES, WATCHER):
        for world in sample_states(moment, viewer):
            there = moment.game.pending(world)
            assert [(one.actor, one.decision, one.rule) for one in there] == expected
            assert bool(moment.game.chances(world)) == (moment.actor == CHANCE)
            for pending in there if moment.actor != CHANCE else ():
                assert next(iter(moment.game.legal_actions(world, pending.actor)), None) is not None


def an_omniscient_view_allows_one_world(moment: Moment) -> None:
    assert sample_states(moment, EVERYTHING, 1) == [moment.state]


def a_spectator_knows_no_more_than_a_side(moment: Moment) -> None:
    seen = moment.game.view(moment.state, WATCHER)
    for side in SIDES:
        assert all(moment.game.view(world, WATCHER) == seen for world in sample_states(moment, side))


def legality_does_not_depend_on_hidden_facts(moment: Moment) -> None:
    """The actor's legal actions and refusals are the same in each world of his view."""
    if moment.actor == CHANCE:
        return
    legal = moment.game.legal_actions(moment.state, moment.actor)
    tried = [moment.action, legal.sample(moment.rng), *near_misses(moment.action, moment.rng)]
    refusals = [fresh(legal).why_not(action) for action in tried]
    first = list(islice(legal, MANY))
    for world in sample_states(moment, moment.actor):
        there = moment.game.legal_actions(world, moment.actor)
        assert there.options() == legal.options()
        assert [there.why_not(action) for action in tried] == refusals
        assert list(islice(there, MANY)) == first
        assert legal.why_not(there.sample(moment.rng)) is None
        assert moment.game.pending(world) == moment.game.pending(moment.state)


def fresh(legal: LegalSet[Any]) -> LegalSet[Any]:
    """Return the set with its cache cleared."""
    legal.vetted = None
    return legal


def viewer_result(moment: Moment, state: Any, viewer: int, action: Action) -> tuple[Any, Any, bool] | None:
    """Return the viewer's view and events after an action, and whether he learned something; None if it is illegal."""
    try:
        step = moment.game.apply(state, moment.actor, action)
    except Illegal:
        return None
    return moment.game.view(step.state, viewer), step.events(viewer), bool(step.learned >> viewer & 1)


def an_action_reveals_only_what_it_declares(moment: Moment) -> None:
    """A viewer's view and events after an action are the same in each world of his view, or `learned` includes him.

    This holds for his own actions, the enemy's and chance's.
    """
    for viewer in (*SIDES, WATCHER):
        here = viewer_result(moment, moment.state, viewer, moment.action)
        assert here is not None
        for world in sample_states(moment, viewer):
            there = viewer_result(moment, world, viewer, moment.action)
            if there is None:
                assert moment.actor != viewer
            elif here[:2] != there[:2]:
                assert here[2], f"{viewer} saw a difference: {difference(here, there)}"
                assert there[2], f"{viewer} saw a difference: {difference(there, here)}"


def difference(here: Any, there: Any) -> str:
    """Return the first difference between two results that a viewer sees."""
    for name in getattr(here[0], "__struct_fields__", None) or vars(here[0]):
        first, second = getattr(here[0], name), getattr(there[0], name)
        if first != second:
            odd = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]] if _is_row(first) else ""
            return f"{name}: {odd or (first, second)}"
    return f"events {here[1]} and {there[1]}"


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value)


def every_band_contains_the_true_strength(moment: Moment) -> None:
    """The strength range that a viewer sees contains the true strength."""
    for seen, true in known_and_true_stacks(moment):
        assert seen.least <= true.least <= seen.most, (seen, true)


def every_band_is_the_recorded_one(moment: Moment) -> None:
    """The strength range that a viewer sees is the one recorded in the position (O3.3)."""
    for seen, true in known_and_true_stacks(moment):
        assert seen.alone == (not true.least)
        assert seen.alone or (seen.low, seen.high, seen.since) == (true.low, true.high, true.since)


def known_and_true_stacks(moment: Moment) -> Iterator[tuple[Any, Any]]:
    """Yield each stack and marching force as the viewers see it, with the truth."""
    whole = moment.game.view(moment.state, EVERYTHING)
    if not hasattr(whole, "stacks"):
        return  # a game without ranges: unknown strengths are not shown
    true = {seen.key: seen for seen in whole.stacks}
    for viewer in (*SIDES, WATCHER):
        view = moment.game.view(moment.state, viewer)
        yield from ((seen, true[seen.key]) for seen in view.stacks)
        if view.moving is not None:
            yield view.moving, whole.moving


def the_default_action_is_legal(moment: Moment) -> None:
    if moment.actor == CHANCE:
        return
    action = moment.game.legal_actions(moment.state, moment.actor).default()
    assert fresh(moment.game.legal_actions(moment.state, moment.actor)).why_not(action) is None
    moment.game.apply(moment.state, moment.actor, action)


POSSESSIONS = (
    *("roster", "owners", "depots", "prisoners", "captives", "rp", "waiting", "sealed", "starred"),
    *("units", "garrisons", "freed", "coming", "sieges", "dead", "killed", "status"),
)
"""The fields of positions, in all rule sets, with a side's possessions."""


def possessions(pos: Any) -> dict[str, object]:
    """Return the possessions of the sides, and the total SP of all stacks."""
    found = {name: getattr(pos, name) for name in POSSESSIONS if hasattr(pos, name)}
    if hasattr(pos, "stacks"):
        moving = [pos.moving] if pos.moving is not None else []
        found["sp"] = sum(stack.sp for stack in (*pos.stacks.values(), *moving))
    if "units" in found:
        found["units"] = {number: (unit.hex, unit.inside, unit.tp) for number, unit in pos.units.items()}
    return found


def the_neutral_answer_changes_nothing(moment: Moment) -> None:
    """The neutral answer is legal and costs neither side anything; without one, the decision has several answers."""
    if moment.actor == CHANCE:
        return
    game, state, actor = moment.game, moment.state, moment.actor
    neutral, legal = game.neutral(state, actor), fresh(game.legal_actions(state, actor))
    if neutral is None:
        assert legal.only_action() is None
        return
    assert legal.why_not(neutral) is None
    if legal.only_action() is not None or neutral.do == "raise":  # C6.2: 0 points are sealed and remain
        return
    draft = game.draft(state)
    draft.frames[-1].answer(draft, actor, neutral)
    assert possessions(draft) == possessions(state)


def a_forced_answer_is_forced_in_every_world(moment: Moment) -> None:
    """A forced answer is the only legal one, and is forced in every world that any viewer considers possible."""
    if moment.actor == CHANCE:
        return
    game, actor = moment.game, moment.actor
    forced = game.forced(moment.state, actor)
    assert forced is None or list(islice(fresh(game.legal_actions(moment.state, actor)), 2)) == [forced]
    assert forced is not None or not moment.state.frames[-1].is_evident(moment.state, actor)
    for viewer in (*SIDES, WATCHER):
        assert all(game.forced(world, actor) == forced for world in sample_states(moment, viewer))


def a_leg_equals_its_single_steps(moment: Moment) -> None:
    """A leg reaches the same position as its hexes one by one; it ends wherever another decision comes up."""
    game, actor, action = moment.game, moment.actor, moment.action
    path: tuple[int, ...] = getattr(action, "path", ())
    if action.do not in LEGS or len(path) < 2:
        return
    whole = game.apply(moment.state, actor, action)
    overwhelms = bool(getattr(action, "overwhelm", False))
    first = {"path": path[:1], **({"overwhelm": False} if overwhelms else {})}
    step = game.apply(moment.state, actor, msgspec.structs.replace(action, **first))
    learned = step.learned
    for number, there in enumerate(path[1:], 2):
        if [one.actor for one in game.pending(step.state)] != [actor]:
            break
        if "go" not in game.legal_actions(step.state, actor).options().values:
            break
        bang = " !" if overwhelms and number == len(path) else ""
        step = game.apply(step.state, actor, game.parse_action(step.state, actor, f"go {hex_name(there)}{bang}"))
        learned |= step.learned
    assert game.dump(step.state) == game.dump(whole.state)
    assert learned == whole.learned


def a_refused_action_changes_nothing(moment: Moment) -> None:
    if moment.actor == CHANCE:
        return
    game, state = moment.game, moment.state
    before = game.dump(state)
    for action in near_misses(moment.action, moment.rng, 6):
        refusal = fresh(game.legal_actions(state, moment.actor)).why_not(action)
        if refusal is None:
            game.apply(state, moment.actor, action)
        else:
            assert refusal.text
            with pytest.raises(Illegal) as caught:
                game.apply(state, moment.actor, action)
            assert caught.value.refusal.rule
            assert caught.value.refusal == refusal or not refusal.rule
        assert game.dump(state) == before


def only_pending_actors_may_act(moment: Moment) -> None:
    game, state = moment.game, moment.state
    actors = {pending.actor for pending in game.pending(state)}
    for actor in {*SIDES, CHANCE} - actors:
        with pytest.raises(Illegal):
            game.apply(state, actor, moment.action)


def probabilities_sum_to_one(moment: Moment) -> None:
    answers = moment.game.chances(moment.state)
    assert bool(answers) == (moment.actor == CHANCE)
    if answers:
        assert sum(odds for _, odds in answers) == 1
        assert all(odds > 0 for _, odds in answers)
        assert len({action for action, _ in answers}) == len(answers)
        for action, _ in answers:
            moment.game.apply(moment.state, CHANCE, action)


def a_position_survives_its_dump(moment: Moment) -> None:
    """A restored position is equal, has the same view, and continues in the same way."""
    game, state = moment.game, moment.state
    again = game.restore(game.dump(state))
    assert again == state
    assert hash(again) == hash(state)
    assert digest_of(game, again) == digest_of(game, state)
    assert game.pending(again) == game.pending(state)
    here, there = game.apply(state, moment.actor, moment.action), game.apply(again, moment.actor, moment.action)
    assert game.dump(here.state) == game.dump(there.state)
    assert (here.facts, here.learned) == (there.facts, there.learned)


def an_action_survives_its_order_line(moment: Moment) -> None:
    game = moment.game
    for action in (moment.action, *near_misses(moment.action, moment.rng, 0)):
        line = game.format_action(moment.state, moment.actor, action)
        assert "\n" not in line
        assert game.parse_action(moment.state, moment.actor, line) == action


def every_event_has_a_log_text(moment: Moment) -> None:
    step = moment.game.apply(moment.state, moment.actor, moment.action)
    for viewer in (*SIDES, WATCHER, EVERYTHING):
        for event in step.events(viewer):
            assert moment.game.presenter.present_event(event).text.strip()


LAWS = (
    a_sampled_state_has_the_same_view,
    every_world_has_the_same_pending_decisions,
    an_omniscient_view_allows_one_world,
    a_spectator_knows_no_more_than_a_side,
    legality_does_not_depend_on_hidden_facts,
    an_action_reveals_only_what_it_declares,
    every_band_contains_the_true_strength,
    every_band_is_the_recorded_one,
    the_default_action_is_legal,
    the_neutral_answer_changes_nothing,
    a_forced_answer_is_forced_in_every_world,
    a_leg_equals_its_single_steps,
    a_refused_action_changes_nothing,
    only_pending_actors_may_act,
    probabilities_sum_to_one,
    a_position_survives_its_dump,
    an_action_survives_its_order_line,
    every_event_has_a_log_text,
)
