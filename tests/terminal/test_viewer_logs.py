import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, ActorId
from leuthen.play.table import Table
from leuthen.terminal.viewer_logs import ViewerLogs
from tests.toy import Bid, Die, Peek, Step, Toy


@pytest.fixture
def table(toy: Toy) -> Table:
    return Table(toy, toy.new_game("parley", {}))


@pytest.fixture
def logs(table: Table) -> ViewerLogs:
    logs = ViewerLogs(table.ruleset)
    table.observers.append(logs)
    return logs


def test_a_draft_is_told_to_its_own_side_only(table: Table, logs: ViewerLogs) -> None:
    table.act(0, Bid(3))
    assert logs.news(0) == ["prussia bids 3."]
    assert [logs.news(viewer) for viewer in (1, WATCHER, EVERYTHING)] == [[], [], []]
    table.act(1, Bid(1))
    assert logs.news(0) == []
    assert logs.news(1) == ["prussia seals a bid.", "austria bids 1."]


def test_secrets_are_told_to_those_who_may_know(table: Table, logs: ViewerLogs) -> None:
    actions: list[tuple[ActorId, Action]] = [(0, Bid(3)), (1, Bid(2)), (CHANCE, Die(1)), (0, Peek())]
    for actor, action in actions:
        table.act(actor, action)
    assert logs.last(0, 9) == ["prussia bids 3.", "austria seals a bid.", "The die shows 1.", "prussia sees 2."]
    assert logs.last(1, 2) == ["The die shows 1.", "prussia peeks."]
    assert logs.last(WATCHER, 2) == ["The die shows 1.", "prussia peeks."]
    assert logs.last(EVERYTHING, 9)[:2] == ["prussia bids 3.", "austria bids 2."]
    assert logs.last(0, 0) == []


def test_chance_is_told_once_to_everybody(table: Table, logs: ViewerLogs) -> None:
    actions: list[tuple[ActorId, Action]] = [(0, Bid(3)), (1, Bid(2)), (CHANCE, Die(2))]
    for actor, action in actions:
        table.act(actor, action)
    for viewer in (0, 1, WATCHER, EVERYTHING):
        assert logs.last(viewer, 9).count("The die shows 2.") == 1


def test_what_is_undone_was_never_told(table: Table, logs: ViewerLogs) -> None:
    actions: list[tuple[ActorId, Action]] = [(0, Bid(3)), (1, Bid(2)), (CHANCE, Die(2)), (0, Step("north", 2))]
    for actor, action in actions:
        table.act(actor, action)
    assert logs.news(0)[-1] == "prussia steps +2."
    table.undo(0)
    table.act(0, Step("north", 1))
    assert logs.news(0) == ["prussia steps +1."]
    assert logs.last(0, 2) == ["The die shows 2.", "prussia steps +1."]
    table.attend(1)
    assert [line for line in logs.news(1) if "steps" in line] == ["prussia steps +1."]
