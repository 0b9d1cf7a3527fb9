from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random
from statistics import mean, stdev
from typing import Any, Final

import pytest

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import CHANCE, Pending, Side, as_side, as_viewer
from leuthen.engine.seat import Player
from leuthen.load import ruleset, sample_likely_state, value_of
from leuthen.rulesets.frederick.bot import belief
from leuthen.rulesets.frederick.bot.belief import estimate_state, estimates, expected_total
from leuthen.rulesets.frederick.bot.captain import QUESTION
from leuthen.rulesets.frederick.bot.goals import mission_of
from leuthen.rulesets.frederick.bot.search import Searcher, Way, alternative_plans, idle_armies
from leuthen.rulesets.frederick.bot.weights import CADET, CAPTAIN
from leuthen.rulesets.frederick.knowledge import View, make_view
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.wargame.board import stack_key
from leuthen.wargame.bot.win_estimate import Draw, estimate_win_chance
from leuthen.wargame.plans import Mission, Plan, Thought, decode_thought
from leuthen.wargame.search import Stream, seed_of, sequential_halving
from leuthen.wargame.strength import PowerId, bag
from tests.bots.positions import War
from tests.frederick.handmade import game_data, hexagon, random_state, some_state


def noise(*parts: int) -> float:
    return Stream(seed_of(*parts)).random()


def test_it_finds_the_best_of_many() -> None:
    worth = (0.4, 0.5, 0.9, 0.3, 0.6)
    verdict = sequential_halving(5, 80, lambda one, world: worth[one] + 0.2 * noise(one, world) + noise(world))
    assert verdict.best == 2
    assert verdict.gain == pytest.approx(0.5, abs=0.1)
    assert verdict.gain > verdict.error


def test_the_first_stands_unless_it_is_clearly_beaten() -> None:
    wins = sum(sequential_halving(4, 40, partial(noise, case)).best != 0 for case in range(200))
    assert wins < 100  # the best of three, at one standard error, where all are alike
    assert sequential_halving(2, 2, lambda one, world: float(one)).best == 0  # one world says nothing


@pytest.mark.parametrize(("candidates", "rollouts"), [(1, 50), (2, 7), (3, 1), (5, 64), (9, 100)])
def test_it_asks_for_no_more_rollouts_than_it_may(candidates: int, rollouts: int) -> None:
    asked: list[tuple[int, int]] = []

    def payoff(one: int, world: int) -> float:
        asked.append((one, world))
        return 0.0

    sequential_halving(candidates, rollouts, payoff)
    assert len(asked) <= rollouts
    assert len(set(asked)) == len(asked)
    assert all((0, world) in asked for _, world in asked)


def test_a_stream_follows_from_its_seed_and_is_even() -> None:
    numbers = [Stream(seed).random() for seed in range(2000)]
    assert mean(numbers) == pytest.approx(0.5, abs=0.03)
    assert stdev(numbers) == pytest.approx(12**-0.5, abs=0.02)
    assert Stream(7).random() == Stream(7).random() != Stream(8).random()
    assert seed_of(b"ab", b"c") != seed_of(b"a", b"bc")


RULES: Final = ruleset("frederick")
SCENARIO: Final = "bohemia"
SOME: Final = 6


def answer(state: State, side: Side, before: bytes) -> tuple[Action, bytes]:
    general = Searcher(RULES, value_of("frederick"), as_side(side), 3)
    general.thought = before
    pending = next(one for one in RULES.pending(state) if one.actor == side)
    action = general.choose(lambda: RULES.view(state, side), RULES.legal_actions(state, side), pending)
    return action, general.thought


def decisions() -> Iterator[tuple[State, Side, bytes, bytes]]:
    state: State
    state, rng, thoughts = RULES.new_game(SCENARIO, {}), Random(3), [b"", b""]
    while awaited := RULES.pending(state):
        side = awaited[0].actor
        if side == CHANCE:
            chances = RULES.chances(state)
            action = chances[int(rng.random() * len(chances))][0]
        else:
            before = thoughts[side]
            action, thoughts[side] = answer(state, side, before)
            yield state, side, before, thoughts[side]
        state = RULES.apply(state, side, action).state


def marches() -> Iterator[tuple[State, Side, bytes, bytes]]:
    return (one for one in decisions() if isinstance(one[0].frames[-1], MarchPhase) and one[2])


def test_he_who_looks_at_the_true_position_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = list(islice(marches(), 0, 4 * SOME, 4))
    truth: list[State] = []

    def peek(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
        strongest = max(stack.strength for stack in truth[0].own(as_side(1 - way[1].side)))
        return float(strongest % 2) * any(mission.kind == "hold" for mission in way[1].plan.missions)

    monkeypatch.setattr(Searcher, "payoff", peek)
    found = set[tuple[int, bytes]]()
    for number, (state, side, before, _) in enumerate(moments):
        for seed in range(SOME):
            truth[:] = [RULES.sample_state(RULES.view(state, side), Random(seed))]
            found.add((number, answer(truth[0], side, before)[1]))
    assert len(found) > len(moments)


def test_a_better_mission_is_taken_and_an_equal_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    state, side, before, _ = next(marches())

    def settles(better: float) -> Plan:
        def payoff(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
            return better * any(mission.kind == "hold" for mission in way[1].plan.missions)

        monkeypatch.setattr(Searcher, "payoff", payoff)
        return decode_thought(answer(state, side, before)[1]).plan

    assert any(mission.kind == "hold" for mission in settles(1.0).missions)
    assert not any(mission.kind == "hold" for mission in settles(0.0).missions)


def test_an_order_that_is_tried_is_given_first(monkeypatch: pytest.MonkeyPatch) -> None:
    state, side, _, _ = next(marches())
    view, mind = RULES.view(state, side), Thought("frederick", side, 3)
    orders = list(islice(RULES.legal_actions(state, side), SOME))
    begun: list[State] = []

    def worth(self: Searcher, state: State, side: Side) -> float:
        begun.append(state)
        return 0.0

    monkeypatch.setattr(Searcher, "worth", worth)
    general = Searcher(RULES, value_of("frederick"), side, 3)
    for first in (None, *orders):
        general.payoff(view, (first, mind), lambda state: True, 1)
    assert [RULES.dump(one) for one in begun[1:]] == [
        RULES.dump(RULES.apply(begun[0], side, first).state) for first in orders
    ]
    assert len({RULES.dump(one) for one in begun}) == len(orders) + 1


def test_saxony_is_invaded_where_that_is_found_better(monkeypatch: pytest.MonkeyPatch) -> None:
    state = RULES.new_game("campaign", {})

    def invades(better: float) -> bool:
        def payoff(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
            return better * way[1].plan.council[QUESTION]

        monkeypatch.setattr(Searcher, "payoff", payoff)
        return bool(decode_thought(answer(state, 0, b"")[1]).plan.council[QUESTION])

    assert invades(1.0)
    assert not invades(0.0)
    assert not invades(-1.0)


def quiet() -> Iterator[tuple[State, Side, bytes]]:
    for state, side, before, _ in marches():
        general = Searcher(RULES, value_of("frederick"), side, 3)
        view, mind = RULES.view(state, side), decode_thought(before)
        s = general.situation(view, mind)
        order = next(general.orders(view, s, mind, RULES.legal_actions(state, side)))
        if isinstance(order, Done) and idle_armies(s):
            yield state, side, before


def test_an_army_that_would_stay_is_sent_where_that_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    state, side, before = next(quiet())

    def order(better: float) -> Action:
        def payoff(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
            return better * isinstance(way[0], March)

        monkeypatch.setattr(Searcher, "payoff", payoff)
        return answer(state, side, before)[0]

    assert isinstance(order(1.0), March)
    assert isinstance(order(0.0), Done)


def test_what_a_player_ordered_stands_beside_other_goals() -> None:
    state, side, before = next(quiet())
    general = Searcher(RULES, value_of("frederick"), side, 3)
    s, plan = general.situation(RULES.view(state, side), decode_thought(before)), decode_thought(before).plan
    (army, *_) = idle_armies(s)
    old = mission_of(plan, army)
    found = [mission_of(other, army) for other in alternative_plans(s, plan, army)]
    tried = [(one.kind, one.place) for one in found if one is not None]
    assert len(tried) == len(found) == len(set(tried))
    assert tried[-1] == ("hold", army.hex)
    assert old is None or (old.kind, old.place) not in tried
    ordered = plan.give(Mission("hold", army.leaders, army.hex, signed=True))
    assert list(alternative_plans(s, ordered, army)) == []


def positions(seed: int) -> Iterator[State]:
    state, rng, before = RULES.new_game("campaign", {}), Random(seed), (0, 0)
    players = [make_bot("captain", "frederick", side, seed) for side in (0, 1)]
    while RULES.date(state) < (1757, 9):
        if RULES.date(state) != before:
            before = RULES.date(state)
            yield state
        pending = RULES.pending(state)[0]
        if pending.actor == CHANCE:
            action = rng.choice(RULES.chances(state))[0]
        else:
            action = answer_in(players[pending.actor], state, pending)
        state = RULES.apply(state, pending.actor, action).state


def answer_in(player: Player, state: State, pending: Pending) -> Action:
    side = pending.actor
    found = player.choose(lambda: RULES.view(state, side), RULES.legal_actions(state, side), pending)
    assert isinstance(found, Action)
    return found


@pytest.fixture(scope="module")
def war() -> list[State]:
    return list(positions(4))


def test_the_view_of_a_drawn_world_is_the_view_that_he_has(war: list[State]) -> None:
    for number, state in enumerate(war):
        for side in (0, 1):
            view = RULES.view(state, side)
            world = belief.sample_likely_state(RULES.data, view, Random(number))
            assert RULES.view(world, side) == view
            assert all(one.low <= one.strength <= one.high for one in world.own(as_side(1 - side)) if one.sp)


def test_his_worlds_are_nearer_the_truth_than_the_views(war: list[State]) -> None:
    late = [state for state in war if state.year > 1756]
    believed = mean(map(partial(error, lambda view, rng: belief.sample_likely_state(RULES.data, view, rng)), late))
    assert believed < 0.8 * mean(map(partial(error, RULES.sample_state), late))


def test_what_a_side_hopes_for_is_nearer_to_the_truth(war: list[State]) -> None:
    value = value_of("frederick")

    def wrong(draw: Draw, state: State) -> float:
        hopes = [
            estimate_win_chance(RULES, draw, value, RULES.encode_view(RULES.view(state, side)), side) for side in (0, 1)
        ]
        return abs(hopes[0] - value.chance(state)) + abs(1 - hopes[1] - value.chance(state))

    late = [state for state in war if state.year > 1756]
    any_world = mean(wrong(lambda rules, view, rng: rules.sample_state(view, rng), state) for state in late)
    assert mean(wrong(sample_likely_state, state) for state in late) < any_world


def error(draw: Callable[[View, Random], State], state: State) -> float:
    wrong = []
    for side in (0, 1):
        world = draw(RULES.view(state, side), Random(side))
        wrong += [
            abs(world.stacks[stack.key].strength - stack.strength) for stack in state.own(as_side(1 - side)) if stack.sp
        ]
    return mean(wrong)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(8))
def test_what_it_imagines_looks_the_same(seed: int, side: int) -> None:
    view = make_view(random_state(seed), as_viewer(side))
    assert make_view(estimate_state(game_data(), view), as_viewer(side)) == view


@pytest.mark.parametrize("side", SIDES)
def test_its_own_forces_are_the_true_ones(side: int) -> None:
    state = some_state()
    thought = estimate_state(game_data(), make_view(state, as_viewer(side)))
    for stack in state.own(as_side(side)):
        if stack.sp:
            assert thought.stacks[stack.key] == stack


def test_estimates_keep_within_the_bands() -> None:
    view = make_view(some_state(), PRUSSIAN)
    guesses = estimates(game_data(), view)
    for stack in view.stacks:
        if stack.side == AUSTRIAN and not stack.alone:
            assert max(1, stack.low) <= guesses[stack.key] <= stack.high


def test_armies_are_taken_to_be_stronger_than_garrisons() -> None:
    war = War(garrisons=False)
    war.put("1230", AUSTRIAN, bag(AUSTRIA, 5), "Daun")
    war.put("1125", AUSTRIAN, bag(AUSTRIA, 5), inside=True)
    guesses = estimates(game_data(), make_view(war.state(), PRUSSIAN))
    assert guesses[stack_key(hexagon("1230"), AUSTRIAN, 0)] > 3 * guesses[stack_key(hexagon("1125"), AUSTRIAN, 1)]


def test_points_spent_make_the_enemy_stronger_and_prisoners_weaker() -> None:
    def total(power: PowerId, **more: object) -> float:
        return expected_total(game_data(), make_view(War().state(year=1758, **more), PRUSSIAN), power)

    assert total(AUSTRIA, rp=(22, 10)) > total(AUSTRIA, rp=(22, 30))
    assert total(AUSTRIA, prisoners=(bag(AUSTRIA, 9), 0)) == total(AUSTRIA, prisoners=(0, 0)) - 9
    assert total(FRANCE) == pytest.approx(total(FRANCE, rp=(0, 0)))
    assert total(PRUSSIA) >= 1


def test_only_the_captain_believes_in_armies_above_sixty() -> None:
    war = War(garrisons=False)
    war.put("1230", AUSTRIAN, bag(AUSTRIA, 5), "Daun")
    view = make_view(war.state(year=1758, rp=(22, 0)), PRUSSIAN)
    believed = [
        estimates(game_data(), view, weights)[stack_key(hexagon("1230"), AUSTRIAN, 0)] for weights in (CADET, CAPTAIN)
    ]
    assert believed == [60, 110]
