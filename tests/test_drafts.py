from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, WATCHER, ActorId, Outcome, Side
from leuthen.engine.seat import TakeBack
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.record import CONSENT, FREE, NEVER, Record, RecordError, Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import NothingToUndo, Table, make_header
from leuthen.screen.presenter import TableRuleset
from tests.seats import RecordingObserver, ScriptedPlayer, toy_in_move
from tests.toy import Bid, Die, Done, Peek, Reopen, Step, Toy


@pytest.fixture
def frederick() -> TableRuleset:
    return load("frederick")


@pytest.fixture
def table(frederick: TableRuleset, tmp_path: Path) -> Iterator[Table]:
    header = make_header(frederick, "campaign", {}, ("human", "human"), game="g1")
    with Writer.create(tmp_path / "game", header, durable=False) as record:
        yield Table(frederick, frederick.new_game("campaign", {}), record=record)


def get_order(table: Table, side: Side, number: int = 0) -> Any:
    actions = (action for action in table.ruleset.legal_actions(table.state, side) if action.do == "place")
    for _ in range(number):
        next(actions)
    return next(actions)


def test_each_side_undoes_its_own_secret_drafts(table: Table) -> None:
    start = table.state
    mine, theirs = get_order(table, 0), get_order(table, 1)
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


def test_a_copied_table_leaves_its_original_unchanged(table: Table) -> None:
    table.act(0, get_order(table, 0))
    before = len(table.log), len(table.drafts), table.state
    table.copy().act(0, get_order(table, 0))
    assert (len(table.log), len(table.drafts), table.state) == before


def test_a_record_restores_the_drafts_of_both_sides(table: Table) -> None:
    assert isinstance(table.record, Writer)
    orders: list[tuple[Side, int]] = [(0, 0), (1, 3), (0, 5)]
    for side, number in orders:
        table.act(side, get_order(table, side, number))
    table.undo(0)
    table.undo(1)
    table.act(1, get_order(table, 1, 7))
    again = Replay(table.ruleset, read(table.record.path)).run()
    assert again.state == table.state
    assert again.log == table.log


def test_sealing_commits_the_drafts_of_one_side(table: Table) -> None:
    diary = RecordingObserver()
    table.observers.append(diary)
    table.act(1, get_order(table, 1))
    while any(pending.actor == 0 for pending in table.ruleset.pending(table.state)):
        table.act(0, table.ruleset.legal_actions(table.state, 0).default())
        table.commit_finished_drafts()
    assert not table.can_undo(0), "sealed, and told to the other; it may be reopened instead"
    assert table.can_undo(1)
    assert diary.lines[-1].startswith("committed place")
    table.undo(1)
    assert table.ruleset.view(table.state, 1).sealed[0] is not None


def test_a_viewer_does_not_see_drafts_of_a_side(toy: Toy) -> None:
    table = toy_in_move(toy)
    before = table.state
    table.act(0, Step("north", 2))
    table.commit_finished_drafts()
    assert table.visible_state(0) is table.state
    assert table.visible_state(1) is before
    assert table.visible_state(WATCHER) is before
    table.act(0, Done())
    table.commit_finished_drafts()
    assert table.visible_state(1) is table.state, "the phase is over: it stands"
    assert not table.can_undo(0)


def test_a_reopened_bid_is_committed(toy: Toy) -> None:
    table = new_table(toy)
    table.act(0, Bid(2))
    table.commit_finished_drafts()
    assert not table.can_undo(0)
    table.act(0, Reopen())
    table.commit_finished_drafts()
    assert not table.can_undo(0)


def test_a_resignation_ends_the_game(toy: Toy, tmp_path: Path) -> None:
    with new_record(toy, tmp_path / "game") as record:
        table = toy_in_move(toy, record=record)
        table.resign(0)
        assert table.outcome == Outcome(1, "resignation", "", 1759)
        for end in (table.resign, table.agree):
            with pytest.raises(Invalid, match="has ended"):
                end(1)
    assert Replay(toy, read(tmp_path / "game")).run().outcome == table.outcome


def test_an_agreed_draw_ends_the_game(toy: Toy, tmp_path: Path) -> None:
    with new_record(toy, tmp_path / "game") as record:
        table = toy_in_move(toy, record=record)
        table.agree(1)
    outcome = Replay(toy, read(tmp_path / "game")).run().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.how) == (None, "agreement")


def test_a_takeback_can_undo_rolls(toy: Toy, tmp_path: Path) -> None:
    with new_record(toy, tmp_path / "game") as record:
        table = toy_in_move(toy, record=record)
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
def test_a_forged_table_command_is_refused(toy: Toy, tmp_path: Path, line: str) -> None:
    path = tmp_path / "game"
    with new_record(toy, path) as record:
        record.write(*line.split(" ", 1))
    with pytest.raises(RecordError, match="line 10"):
        Replay(toy, read(path)).run()


def new_record(toy: Toy, path: Path) -> Writer:
    return Writer.create(path, make_header(toy, "parley", {}, ("a", "b"), game="g1"), durable=False)


def new_table(toy: Toy, record: Writer | None = None) -> Table:
    return Table(toy, toy.new_game("parley", {}), record=record)


BIDS = list(product((1, 2, 3), repeat=2))


def table_with(toy: Toy, takebacks: str, *actions: tuple[ActorId, Action]) -> Table:
    table = Table(toy, toy.new_game("parley", {"rounds": "3"}), takebacks=takebacks)
    for actor, action in actions:
        table.act(actor, action)
    return table


ROLLED: tuple[tuple[ActorId, Action], ...] = (0, Bid(1)), (1, Bid(2)), (CHANCE, Die(1))


def test_different_orders_roll_the_same_die(toy: Toy) -> None:
    dice = Key.from_seed("shop").dice()
    table, seen = table_with(toy, FREE), []
    for mine, theirs in BIDS:
        first, second = ScriptedPlayer(Bid(mine)), ScriptedPlayer(Bid(theirs))
        Game(table, (first, second), dice).play()
        seen.append(table.log[2].action)
        table.take_back(0, 0)
    assert len(set(seen)) == 1
    assert table.place == 0


def test_undone_and_reopened_orders_do_not_change_the_die(toy: Toy) -> None:
    dice = Key.from_seed("shop").dice()
    faces = set()
    for reopened in range(4):
        table = table_with(toy, FREE, *(pair for _ in range(reopened) for pair in ((0, Bid(1)), (0, Reopen()))))
        table.act(0, Bid(3))
        table.undo(0)
        Game(table, (ScriptedPlayer(Bid(1)), ScriptedPlayer(Bid(1))), dice).play()
        faces.add(table.log[-1].action)
    assert len(faces) == 1


def test_a_takeback_restores_the_place_of_the_next_die(toy: Toy) -> None:
    table = table_with(toy, CONSENT, *ROLLED, (0, Done()), (1, Done()), *ROLLED)
    assert table.place == 2
    table.take_back(1, 6)
    assert table.place == 1
    table.take_back(0, 2)
    assert table.place == 0
    assert table.chances == 2, "which were rolled, whatever became of them"


def test_a_player_may_take_back_a_roll_when_takebacks_are_free(toy: Toy) -> None:
    table = table_with(toy, FREE)
    prussia = ScriptedPlayer(Bid(1), TakeBack(0, 0), Bid(3))
    Game(table, (prussia, ScriptedPlayer(Bid(2), Bid(2))), Key.from_seed(1).dice()).play()
    assert [done.action for done in table.log[:2]] == [Bid(3), Bid(2)]
    assert table.place == 1


# --- never after a die ------------------------------------------------------------------------------------------------


def test_a_takeback_after_a_die_is_refused(toy: Toy) -> None:
    table = table_with(toy, NEVER, *ROLLED, (0, Step("north", 1)), (0, Done()))
    before = table.state
    for kept in (0, 1, 2):
        with pytest.raises(Invalid, match="that cannot be taken back: a die was rolled since"):
            table.take_back(1, kept)
    assert table.state is before
    table.take_back(1, 3)
    assert len(table.log) == 3


def test_a_takeback_after_learning_a_secret_is_refused(toy: Toy) -> None:
    table = table_with(toy, NEVER, *ROLLED, (0, Peek()), (0, Done()), (1, Step("north", 1)))
    with pytest.raises(Invalid, match="something hidden was revealed since"):
        table.take_back(1, 3)
    table.take_back(0, 3)  # the other side has to act: it has learned nothing
    assert len(table.log) == 3


def test_a_refused_takeback_does_not_reveal_drafts(toy: Toy) -> None:
    table = table_with(toy, NEVER, *ROLLED, (0, Done()))
    table.act(1, Step("north", 1))
    table.log = [*table.log[:-1], table.log[-1]._replace(learned=0b01)]
    assert table.revealed_since(0, 3) == ""
    table.commit()
    assert table.revealed_since(0, 3) == "something hidden was revealed since"


def test_a_forbidden_takeback_in_a_record_is_refused(toy: Toy, tmp_path: Path) -> None:
    recorded = record_with(toy, tmp_path, NEVER, "take-back 2")
    with pytest.raises(RecordError, match='line 13: "take-back 2": that cannot be taken back: a die'):
        Replay(toy, recorded).run()
    table = Replay(toy, record_with(toy, tmp_path / "other", CONSENT, "take-back 2")).run()
    assert (len(table.log), table.place, table.takebacks) == (2, 0, CONSENT)


def record_with(toy: Toy, folder: Path, takebacks: str, word: str) -> Record:
    header = make_header(toy, "parley", {}, ("human", "human"), game="abc", takebacks=takebacks)
    with Writer.create(folder / "game", header, durable=False) as writer:
        for line in ("prussia bid 1", "austria bid 2", "chance die 1", f"austria {word}"):
            writer.write(*line.split(" ", 1))
    return read(folder / "game")


# --- the record -------------------------------------------------------------------------------------------------------


def test_a_record_names_the_game_and_its_takeback_rule(toy: Toy, tmp_path: Path) -> None:
    recorded = record_with(toy, tmp_path, FREE, "take-back 2")
    assert recorded.lines[4:6] == ("game abc", "takebacks free")
    assert (recorded.header.game, recorded.header.takebacks) == ("abc", FREE)


def test_an_unknown_takeback_rule_is_refused(toy: Toy, tmp_path: Path) -> None:
    header = make_header(toy, "parley", {}, ("human", "human"), takebacks="often", game="g1")
    Writer.create(tmp_path / "game", header, durable=False).close()
    with pytest.raises(RecordError, match='line 6: "often" is not a takeback rule: never, consent, free'):
        read(tmp_path / "game")
