from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby, islice
from random import Random
from statistics import mean, stdev
from typing import Any, Final, TypeAlias

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import CHANCE, Side, as_side, as_viewer
from leuthen.load import ruleset, sample_likely_state, value_of
from leuthen.rulesets.frederick.bot import captain, situation
from leuthen.rulesets.frederick.bot.captain import QUESTION, Searcher, Way, alternative_plans, idle_armies
from leuthen.rulesets.frederick.bot.goals import mission_of
from leuthen.rulesets.frederick.bot.situation import Estimate, estimates, expected_total
from leuthen.rulesets.frederick.bot.weights import CAPTAIN
from leuthen.rulesets.frederick.knowledge import View, complete_view, make_view
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.wargame.board import stack_key
from leuthen.wargame.bot.value import Draw, estimate_win_chance
from leuthen.wargame.missions import Mission, Plan, Thought, decode_thought
from leuthen.wargame.search import Stream, seed_of, sequential_halving
from leuthen.wargame.strength import PowerId, bag
from tests.bots.frederick_positions import Position
from tests.bots.wars import War
from tests.frederick.handmade import game_data, hexagon, random_state, some_state


def noise(*parts: int) -> float:
    return Stream(seed_of(*parts)).random()


def test_halving_finds_the_best_candidate() -> None:
    worth = (0.4, 0.5, 0.9, 0.3, 0.6)
    verdict = sequential_halving(5, 80, lambda one, world: worth[one] + 0.2 * noise(one, world) + noise(world))
    assert verdict.best == 2
    assert verdict.gain == pytest.approx(0.5, abs=0.1)
    assert verdict.gain > verdict.error


def test_the_first_candidate_wins_unless_clearly_beaten() -> None:
    wins = sum(sequential_halving(4, 40, partial(noise, case)).best != 0 for case in range(200))
    assert wins < 100  # the best of three, at one standard error, where all are alike
    assert sequential_halving(2, 2, lambda one, world: float(one)).best == 0  # one world says nothing


@pytest.mark.parametrize(("candidates", "rollouts"), [(1, 50), (2, 7), (3, 1), (5, 64), (9, 100)])
def test_halving_stays_within_its_rollouts(candidates: int, rollouts: int) -> None:
    requests: list[tuple[int, int]] = []

    def payoff(one: int, world: int) -> float:
        requests.append((one, world))
        return 0.0

    sequential_halving(candidates, rollouts, payoff)
    assert len(requests) <= rollouts
    assert len(set(requests)) == len(requests)
    assert all((0, world) in requests for _, world in requests)


def test_a_random_stream_is_uniform_and_reproducible() -> None:
    numbers = [Stream(seed).random() for seed in range(2000)]
    assert mean(numbers) == pytest.approx(0.5, abs=0.03)
    assert stdev(numbers) == pytest.approx(12**-0.5, abs=0.02)
    assert Stream(7).random() == Stream(7).random() != Stream(8).random()
    assert seed_of(b"ab", b"c") != seed_of(b"a", b"bc")


Decision: TypeAlias = tuple[State, Side, bytes]
RULES: Final = ruleset("frederick")
SCENARIO: Final = "bohemia"
SAMPLES: Final = 6
SAMPLE_STEP: Final = 4


def answer(state: State, side: Side, before: bytes) -> tuple[Action, bytes]:
    general = Searcher(RULES, value_of("frederick"), as_side(side), 3)
    general.thought = before
    pending = next(one for one in RULES.pending(state) if one.actor == side)
    action = general.choose(lambda: RULES.view(state, side), RULES.legal_actions(state, side), pending)
    return action, general.thought


def decisions() -> Iterator[Decision]:
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
            yield state, side, before
        state = RULES.apply(state, side, action).state


@pytest.fixture(scope="module", autouse=True)
def small_search() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ORDERS", "OTHER_GOALS"):
            patch.setattr(captain, name, 2)
        yield


@pytest.fixture(scope="module")
def marches() -> list[Decision]:
    found = (one for one in decisions() if isinstance(one[0].frames[-1], MarchPhase) and one[2])
    return list(islice(found, SAMPLES * SAMPLE_STEP))


def test_a_searcher_that_peeks_is_detected(marches: list[Decision], monkeypatch: pytest.MonkeyPatch) -> None:
    truth: list[State] = []

    def peek(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
        strongest = max(stack.strength for stack in truth[0].own(as_side(1 - way[1].side)))
        return float(strongest % 2) * any(mission.kind == "hold" for mission in way[1].plan.missions)

    monkeypatch.setattr(Searcher, "payoff", peek)
    found = set[tuple[int, bytes]]()
    for number, (state, side, before) in enumerate(marches[::SAMPLE_STEP]):
        for seed in range(SAMPLES):
            truth[:] = [RULES.sample_state(RULES.view(state, side), Random(seed))]
            found.add((number, answer(truth[0], side, before)[1]))
    assert len(found) > SAMPLES


def test_the_search_prefers_only_a_better_mission(marches: list[Decision], monkeypatch: pytest.MonkeyPatch) -> None:
    state, side, before = marches[0]

    def chosen_plan(better: float) -> Plan:
        def payoff(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
            return better * any(mission.kind == "hold" for mission in way[1].plan.missions)

        monkeypatch.setattr(Searcher, "payoff", payoff)
        return decode_thought(answer(state, side, before)[1]).plan

    assert any(mission.kind == "hold" for mission in chosen_plan(1.0).missions)
    assert not any(mission.kind == "hold" for mission in chosen_plan(0.0).missions)


def test_a_rollout_begins_with_the_tried_order(marches: list[Decision], monkeypatch: pytest.MonkeyPatch) -> None:
    state, side, _ = marches[0]
    view, mind = RULES.view(state, side), Thought("frederick", side, 3)
    orders = list(islice(RULES.legal_actions(state, side), SAMPLES))
    started: list[State] = []

    def worth(self: Searcher, state: State, side: Side) -> float:
        started.append(state)
        return 0.0

    monkeypatch.setattr(Searcher, "worth", worth)
    general = Searcher(RULES, value_of("frederick"), side, 3)
    for first in (None, *orders):
        general.payoff(view, (first, mind), lambda state: True, 1)
    assert [RULES.dump(one) for one in started[1:]] == [
        RULES.dump(RULES.apply(started[0], side, first).state) for first in orders
    ]
    assert len({RULES.dump(one) for one in started}) == len(orders) + 1


def test_the_searcher_invades_saxony_only_if_better(monkeypatch: pytest.MonkeyPatch) -> None:
    state = RULES.new_game("campaign", {})

    def invades(better: float) -> bool:
        def payoff(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
            return better * way[1].plan.council[QUESTION]

        monkeypatch.setattr(Searcher, "payoff", payoff)
        return bool(decode_thought(answer(state, 0, b"")[1]).plan.council[QUESTION])

    assert invades(1.0)
    assert not invades(0.0)
    assert not invades(-1.0)


@pytest.fixture(scope="module")
def idle_march() -> Decision:
    for state, side, before in decisions():
        if not isinstance(state.frames[-1], MarchPhase) or not before:
            continue
        general = Searcher(RULES, value_of("frederick"), side, 3)
        view, mind = RULES.view(state, side), decode_thought(before)
        s = general.situation(view, mind)
        order = next(general.orders(view, s, mind, RULES.legal_actions(state, side)))
        if isinstance(order, Done) and idle_armies(s):
            return state, side, before
    raise AssertionError("no army is idle")


def test_the_search_moves_an_idle_army_only_if_better(idle_march: Decision, monkeypatch: pytest.MonkeyPatch) -> None:
    state, side, before = idle_march

    def order(better: float) -> Action:
        def payoff(self: Any, view: Any, way: Way, is_over: Any, seed: int) -> float:
            return better * isinstance(way[0], March)

        monkeypatch.setattr(Searcher, "payoff", payoff)
        return answer(state, side, before)[0]

    assert isinstance(order(1.0), March)
    assert isinstance(order(0.0), Done)


def test_the_search_never_overrides_a_signed_mission(idle_march: Decision) -> None:
    state, side, before = idle_march
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


@pytest.fixture(scope="module")
def war() -> list[State]:
    decided = War("frederick", "campaign", (1757, 9)).positions(4)
    return [next(turn)[0] for _, turn in groupby(decided, lambda one: RULES.date(one[0]))]


def test_a_believed_world_has_the_same_view(war: list[State]) -> None:
    for number, state in enumerate(war):
        for side in (0, 1):
            view = RULES.view(state, side)
            world = situation.sample_likely_state(RULES.data, view, Random(number))
            assert RULES.view(world, side) == view
            assert all(one.low <= one.strength <= one.high for one in world.own(as_side(1 - side)) if one.sp)


def test_believed_worlds_are_closer_to_the_truth(war: list[State]) -> None:
    late = [state for state in war if state.year > 1756]
    believed = mean(map(partial(error, lambda view, rng: situation.sample_likely_state(RULES.data, view, rng)), late))
    assert believed < 0.8 * mean(map(partial(error, RULES.sample_state), late))


def test_win_estimates_from_beliefs_are_more_accurate(war: list[State]) -> None:
    value = value_of("frederick")

    def wrong(draw: Draw, state: State) -> float:
        chances = [
            estimate_win_chance(RULES, draw, value, RULES.encode_view(RULES.view(state, side)), side) for side in (0, 1)
        ]
        return abs(chances[0] - value.chance(state)) + abs(1 - chances[1] - value.chance(state))

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
def test_an_estimated_state_has_the_same_view(seed: int, side: int) -> None:
    view = make_view(random_state(seed), as_viewer(side))
    assert make_view(complete_view(game_data(), view, Estimate(CAPTAIN)), as_viewer(side)) == view


def test_estimates_stay_within_the_bands() -> None:
    view = make_view(some_state(), PRUSSIAN)
    strengths = estimates(game_data(), view)
    for stack in view.stacks:
        if stack.side == AUSTRIAN and not stack.alone:
            assert max(1, stack.low) <= strengths[stack.key] <= stack.high


def test_armies_are_estimated_above_garrisons() -> None:
    war = Position(garrisons=False)
    war.put("1230", AUSTRIAN, bag(AUSTRIA, 5), "Daun")
    war.put("1125", AUSTRIAN, bag(AUSTRIA, 5), inside=True)
    strengths = estimates(game_data(), make_view(war.state(), PRUSSIAN))
    assert strengths[stack_key(hexagon("1230"), AUSTRIAN, 0)] > 3 * strengths[stack_key(hexagon("1125"), AUSTRIAN, 1)]


def test_spent_points_and_prisoners_change_the_estimate() -> None:
    def total(power: PowerId, **more: object) -> float:
        return expected_total(game_data(), make_view(Position().state(year=1758, **more), PRUSSIAN), power)

    assert total(AUSTRIA, rp=(22, 10)) > total(AUSTRIA, rp=(22, 30))
    assert total(AUSTRIA, prisoners=(bag(AUSTRIA, 9), 0)) == total(AUSTRIA, prisoners=(0, 0)) - 9
    assert total(FRANCE) == pytest.approx(total(FRANCE, rp=(0, 0)))
    assert total(PRUSSIA) >= 1
