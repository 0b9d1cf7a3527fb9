from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Side, is_side
from leuthen.server.session.history import GameHistory, GameTransaction
from leuthen.server.session.proposals import order_then_halt
from tests.server.test_going_on import DICE, begun, order

DIE_A_FORCE = ("frederick", {"last-year": "1757", "march-die": "force"})
WARS = [("frederick", {"last-year": "1757"}), ("campaigns", {})]


def marching(history: GameHistory, rng: Random) -> tuple[Side, Action] | None:
    rules, state = history.ruleset, history.table.state
    side = min(pending.actor for pending in rules.pending(state))
    if not is_side(side) or not {"march", "go"} & set(rules.legal_actions(state, side).options().values):
        return None
    found = (rules.legal_actions(state, side).sample(rng) for _ in range(20))
    return next(((side, action) for action in found if str(action.__struct_config__.tag) in ("march", "go")), None)


def ordered(history: GameHistory, side: Side, action: Action, halt: str, state: Any = None) -> GameTransaction:
    transaction = GameTransaction(history)
    if state is not None:
        transaction.table.commit()
        transaction.table.state = state
    text = history.ruleset.format_action(transaction.table.state, side, action)
    order_then_halt(transaction, side, text, halt, DICE)
    transaction.proceed(DICE)
    return transaction


def texts(transaction: GameTransaction) -> list[str]:
    return [text for _, text in transaction.lines]


@pytest.mark.parametrize(("name", "options"), [*WARS, DIE_A_FORCE])
def test_a_halt_is_given_with_its_march_where_nothing_comes_between(name: str, options: dict[str, str]) -> None:
    history, rng = begun(name, options, 3, 4), Random(5)
    given, asked = 0, 0
    while min(given, asked) < 3:
        found = marching(history, rng)
        if found is not None:
            side, action = found
            alone, both = ordered(history, side, action, ""), ordered(history, side, action, "halt")
            assert texts(both)[: len(alone.lines)] == texts(alone)
            if texts(both)[len(alone.lines) :][:1] == ["halt"]:
                assert len(alone.lines) == 1
                takes_back(history, both, side)
                given += 1
            else:
                assert texts(both) == texts(alone)
                asked += 1
        order(history, rng)


def takes_back(history: GameHistory, both: GameTransaction, side: Side) -> None:
    undoing, table = both, both.table
    if not table.can_undo(side):
        return
    for _ in range(2):
        undoing.undo(side)
    assert table.state == history.table.state


@pytest.mark.parametrize(("name", "options"), WARS)
def test_what_commits_to_more_or_cannot_be_is_not_given(name: str, options: dict[str, str]) -> None:
    history, rng, tried = begun(name, options, 3, 4), Random(7), 0
    while tried < 3:
        found = marching(history, rng)
        if found is not None:
            side, action = found
            alone = ordered(history, side, action, "")
            rules, table = history.ruleset, alone.table
            if any(asked.actor == side for asked in rules.pending(table.state)):
                more = (rules.legal_actions(table.state, side).sample(rng) for _ in range(20))
                then = next((one for one in more if not one.IDLE), None)
                for text in ["nonsense", *([rules.format_action(table.state, side, then)] if then else [])]:
                    assert texts(ordered(history, side, action, text)) == texts(alone)
                tried += then is not None
        order(history, rng)


@pytest.mark.parametrize(("name", "options"), [WARS[0], ("campaigns", {"hidden": "yes"})])
def test_whether_it_is_given_tells_a_side_nothing_that_it_may_not_know(name: str, options: dict[str, str]) -> None:
    history, rng, compared = begun(name, options, 3, 4), Random(5), 0
    while compared < 20:
        found = marching(history, rng)
        if found is not None:
            side, action = found
            rules = history.ruleset
            world = rules.worlds(rules.view(history.table.state, side), rng)
            here, there = (ordered(history, side, action, "", state) for state in (None, world))
            if here.told(side) == there.told(side):
                after = [ordered(history, side, action, "halt", state) for state in (None, world)]
                assert texts(after[0]).count("halt") == texts(after[1]).count("halt")
                compared += 1
        order(history, rng)
