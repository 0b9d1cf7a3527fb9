from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import CHANCE, Side, as_side
from leuthen.load import ruleset, value_of
from leuthen.rulesets.frederick.bot.captain import QUESTION
from leuthen.rulesets.frederick.bot.goals import mission_of
from leuthen.rulesets.frederick.bot.search import Searcher, Way, idle_armies, otherwise
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.wargame.plans import Mission, Plan, Thought, decode_thought

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
            truth[:] = [RULES.worlds(RULES.view(state, side), Random(seed))]
            found.add((number, answer(truth[0], side, before)[1]))
    assert len(found) > len(moments)


def test_a_mission_that_is_better_is_taken_and_one_that_is_as_good_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_other_goals_are_not_the_one_it_has_and_what_a_player_ordered_stands() -> None:
    state, side, before = next(quiet())
    general = Searcher(RULES, value_of("frederick"), side, 3)
    s, plan = general.situation(RULES.view(state, side), decode_thought(before)), decode_thought(before).plan
    (army, *_) = idle_armies(s)
    old = mission_of(plan, army)
    found = [mission_of(other, army) for other in otherwise(s, plan, army)]
    tried = [(one.kind, one.place) for one in found if one is not None]
    assert len(tried) == len(found) == len(set(tried))
    assert tried[-1] == ("hold", army.hex)
    assert old is None or (old.kind, old.place) not in tried
    ordered = plan.give(Mission("hold", army.leaders, army.hex, signed=True))
    assert list(otherwise(s, ordered, army)) == []
