from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, WATCHER, ActorId, Outcome, Side
from leuthen.load import load
from leuthen.play.record import RecordError, Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import NothingToUndo, Table, header_of
from leuthen.screen.presenter import TableRuleset
from tests.seats import Diary
from tests.toy import Bid, Die, Done, Reopen, Step, Toy


@pytest.fixture
def rules() -> TableRuleset:
    return load("frederick")


@pytest.fixture
def table(rules: TableRuleset, tmp_path: Path) -> Iterator[Table]:
    header = header_of(rules, "campaign", {}, ("human", "human"), game="g1")
    with Writer.create(tmp_path / "game", header, durable=False) as record:
        yield Table(rules, rules.new_game("campaign", {}), record=record)


def order(table: Table, side: Side, number: int = 0) -> Any:
    actions = (action for action in table.ruleset.legal_actions(table.state, side) if action.do == "place")
    for _ in range(number):
        next(actions)
    return next(actions)


def test_in_a_secret_choice_each_takes_back_his_own(table: Table) -> None:
    start = table.state
    mine, theirs = order(table, 0), order(table, 1)
    table.act(0, mine)
    table.act(1, theirs)
    assert table.can_undo(0), "the other's secret draft ends nobody's"
    table.undo(0)
    alone = table.ruleset.apply(start, 1, theirs).state
    assert table.state == alone
    assert table.can_undo(1)
    table.undo(1)
    assert table.state == start
    with pytest.raises(NothingToUndo):
        table.undo(0)


def test_what_a_copy_does_changes_nothing_of_its_table(table: Table) -> None:
    table.act(0, order(table, 0))
    before = len(table.log), len(table.drafts), table.state
    table.copy().act(0, order(table, 0))
    assert (len(table.log), len(table.drafts), table.state) == before


def test_a_record_brings_back_what_was_drafted_side_by_side(table: Table) -> None:
    assert isinstance(table.record, Writer)
    orders: list[tuple[Side, int]] = [(0, 0), (1, 3), (0, 5)]
    for side, number in orders:
        table.act(side, order(table, side, number))
    table.undo(0)
    table.undo(1)
    table.act(1, order(table, 1, 7))
    again = Replay(table.ruleset, read(table.record.path)).run()
    assert again.state == table.state
    assert again.log == table.log


def test_sealing_ends_the_drafts_of_one_side_alone(table: Table) -> None:
    diary = Diary()
    table.observers.append(diary)
    table.act(1, order(table, 1))
    while any(pending.actor == 0 for pending in table.ruleset.pending(table.state)):
        table.act(0, table.ruleset.legal_actions(table.state, 0).default())
        table.pass_on()
    assert not table.can_undo(0), "sealed, and told to the other; it may be reopened instead"
    assert table.can_undo(1)
    assert diary.lines[-1].startswith("stood place")
    table.undo(1)
    assert table.ruleset.view(table.state, 1).sealed[0] is not None


def test_nobody_is_shown_the_drafts_of_another(toy: Toy) -> None:
    table = table_in_move(toy)
    before = table.state
    table.act(0, Step("north", 2))
    table.pass_on()
    assert table.seen_by(0) is table.state
    assert table.seen_by(1) is before
    assert table.seen_by(WATCHER) is before
    table.act(0, Done())
    table.pass_on()
    assert table.seen_by(1) is table.state, "the phase is over: it stands"
    assert not table.can_undo(0)


def test_a_bid_reopened_stands_at_once(toy: Toy) -> None:
    table = new_table(toy)
    table.act(0, Bid(2))
    table.pass_on()
    assert not table.can_undo(0)
    table.act(0, Reopen())
    table.pass_on()
    assert not table.can_undo(0)


def test_a_side_may_resign(toy: Toy, tmp_path: Path) -> None:
    with Writer.create(tmp_path / "game", header_of(toy, "parley", {}, ("a", "b"), game="g1"), durable=False) as record:
        table = table_in_move(toy, record)
        table.resign(0)
        assert table.outcome == Outcome(1, "resignation", "", 1759)
        for end in (table.resign, table.agree):
            with pytest.raises(Invalid, match="has ended"):
                end(1)
    assert Replay(toy, read(tmp_path / "game")).run().outcome == table.outcome


def test_both_may_agree_on_a_draw(toy: Toy, tmp_path: Path) -> None:
    with Writer.create(tmp_path / "game", header_of(toy, "parley", {}, ("a", "b"), game="g1"), durable=False) as record:
        table = table_in_move(toy, record)
        table.agree(1)
    outcome = Replay(toy, read(tmp_path / "game")).run().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.how) == (None, "agreement")


def test_a_granted_takeback_goes_back_beyond_what_was_rolled(toy: Toy, tmp_path: Path) -> None:
    with Writer.create(tmp_path / "game", header_of(toy, "parley", {}, ("a", "b"), game="g1"), durable=False) as record:
        table = table_in_move(toy, record)
        at_move = table.state
        table.act(0, Step("north", 2))
        table.act(0, Done())
        table.act(1, Step("north", 1))
        table.take_back(1, 3)
        assert table.state == at_move
        assert len(table.log) == 3
        table.act(0, Step("north", 1))
        for kept in (4, 99, -1):
            with pytest.raises(Invalid, match="to go back to"):
                table.take_back(1, kept)
    again = Replay(toy, read(tmp_path / "game")).run()
    assert again.state == table.state


@pytest.mark.parametrize("line", ["prussia take-back", "prussia take-back x", "prussia take-back 9", "chance resign"])
def test_a_forged_word_of_the_table_is_refused(toy: Toy, tmp_path: Path, line: str) -> None:
    path = tmp_path / "game"
    with Writer.create(path, header_of(toy, "parley", {}, ("a", "b"), game="g1"), durable=False) as record:
        record.write(*line.split(" ", 1))
    with pytest.raises(RecordError, match="line 10"):
        Replay(toy, read(path)).run()


def new_table(toy: Toy, record: Writer | None = None) -> Table:
    return Table(toy, toy.new_game("parley", {}), record=record)


def table_in_move(toy: Toy, record: Writer | None = None) -> Table:
    table = new_table(toy, record)
    actions: list[tuple[ActorId, Action]] = [(0, Bid(2)), (1, Bid(3)), (CHANCE, Die(1))]
    for actor, action in actions:
        table.act(actor, action)
    return table
