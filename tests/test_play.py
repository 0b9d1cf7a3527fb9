from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from leuthen.bots import RandomBot
from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, WATCHER, ActorId, Outcome, Side, Transition, Undo
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.record import CONSENT, NEVER, Record, RecordError, Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import ActionLimitExceeded, Game, NothingToUndo, Table, make_header
from leuthen.screen.presenter import TableRuleset
from tests.seats import RecordingObserver, ScriptedPlayer, toy_in_move
from tests.toy import Bid, Die, Done, Peek, Reopen, Step, Toy, ToyState


def new_table(toy: Toy, rounds: str = "1", record: Writer | None = None) -> Table:
    return Table(toy, toy.new_game("parley", {"rounds": rounds}), record=record)


def new_game(table: Table, *seats: ScriptedPlayer, seed: int = 1) -> Game:
    return Game(table, seats, Key.from_seed(seed).dice())


def test_sealed_decisions_are_hidden_from_the_opponent(toy: Toy) -> None:
    prussia, austria = ScriptedPlayer(Bid(3)), ScriptedPlayer(Bid(1))
    assert new_game(new_table(toy), prussia, austria).play() is None
    assert [pending.decision for pending in prussia.asked] == ["bid", "move"]
    assert austria.views[0].state.sealed == (-1, 0), "the enemy's bid is sealed to him"
    assert prussia.views[1].state.hidden == (3, -1)


def test_a_game_ends_with_its_outcome(toy: Toy) -> None:
    table = new_table(toy)
    outcome = new_game(table, ScriptedPlayer(Bid(3), Done()), ScriptedPlayer(Bid(1), Done())).play()
    assert outcome is not None
    assert (outcome.winner, outcome.how) == (0, "points")
    assert (table.actions, table.chances) == (4, 1)


def test_an_illegal_answer_of_a_seat_changes_nothing(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    before = table.state
    with pytest.raises(Illegal, match=r"5 is too far, 2 at most \(T3.2\)"):
        new_game(table, ScriptedPlayer(Step("north", 5)), ScriptedPlayer()).play()
    assert table.state is before
    assert len(table.drafts) == 0


def test_drafts_are_undone_one_by_one(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    before = table.state
    table.act(0, Step("north", 2))
    middle = table.state
    table.act(0, Step("north", 1))
    assert table.undo(0).action == Step("north", 1)
    assert table.state is middle
    table.undo(0)
    assert table.state is before
    assert not table.can_undo(0)


def test_an_action_that_revealed_a_secret_cannot_be_undone(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    table.act(0, Step("north", 2))
    table.act(0, Peek())
    with pytest.raises(NothingToUndo, match="revealed"):
        table.undo(0)
    table.act(0, Step("north", 1))
    assert table.can_undo(0), "what comes after it may be"


@pytest.mark.parametrize(("learned", "can_undo"), [(0b0001, 0), (0b0010, 1), (0b0100, 1), (0b1000, 1), (0, 1)])
def test_only_an_action_that_taught_its_actor_is_committed(toy: Toy, learned: int, can_undo: int) -> None:
    class Telling(Toy):
        def apply(self, state: ToyState, actor: ActorId, action: Action) -> Transition:
            return msgspec.structs.replace(super().apply(state, actor, action), learned=learned)

    table = toy_in_move(Telling(), rounds="1")
    table.act(0, Step("north", 1))
    assert table.can_undo(0) == can_undo


def test_an_action_before_chance_cannot_be_undone(toy: Toy) -> None:
    table = new_table(toy)
    table.act(0, Bid(2))
    assert table.can_undo(0)
    assert not table.can_undo(1)
    table.act(1, Bid(2))
    assert not table.can_undo(0)
    table.act(CHANCE, Die(3))
    assert not table.can_undo(1)


def test_a_decision_of_a_side_commits_the_opponent_s_drafts(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    table.act(0, Done())
    table.commit_others_drafts(0)
    assert table.can_undo(0)
    table.commit_others_drafts(1)
    assert not table.can_undo(0)


def test_a_refused_handover_undoes_the_last_draft(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    answers = [Undo(), None]
    asked: list[tuple[int, int]] = []

    def handover(leaves: int, comes: int) -> Undo | None:
        asked.append((leaves, comes))
        return answers.pop(0)

    prussia = ScriptedPlayer(Done(), Step("north", 1), Done())
    Game(table, (prussia, ScriptedPlayer()), Key.from_seed(1).dice(), handover=handover).play()
    assert asked == [(0, 1), (0, 1)]
    assert table.state.turn == 1
    assert table.state.steps == (2, 1)


def test_observers_receive_actions_undos_and_commits(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    diary = RecordingObserver()
    table.observers.append(diary)
    table.act(0, Step("north", 2))
    table.undo(0)
    table.act(0, Step("north", 1))
    table.act(0, Peek())
    table.act(0, Done())
    table.commit()
    heard = ["0 step", "0 undid step", "0 step", "0 peek", "committed step peek", "0 done", "committed done"]
    assert diary.lines == heard


def test_an_endless_game_is_ended() -> None:
    table = toy_in_move(Toy(endless=True), rounds="1")
    bots = [RandomBot(1), RandomBot(2)]
    with pytest.raises(ActionLimitExceeded, match="after 500 actions"):
        Game(table, bots, Key.from_seed(1).dice(), limit=500).play()


def test_an_action_that_cannot_be_written_does_not_count(toy: Toy, tmp_path: Path) -> None:
    record = Writer.create(tmp_path / "game.leuthen", make_header(toy, "parley", {}, ("a", "b"), game="g1"))
    table = new_table(toy, record=record)
    table.act(0, Bid(2))
    before = table.state
    record._file.close()
    with pytest.raises((RecordError, ValueError)):
        table.act(1, Bid(2))
    assert table.state is before
    assert [entry.text for entry in read(record.path).entries] == ["bid 2"]


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


def table_with(toy: Toy, takebacks: str, *actions: tuple[ActorId, Action]) -> Table:
    table = Table(toy, toy.new_game("parley", {"rounds": "3"}), takebacks=takebacks)
    for actor, action in actions:
        table.act(actor, action)
    return table


ROLLED: tuple[tuple[ActorId, Action], ...] = (0, Bid(1)), (1, Bid(2)), (CHANCE, Die(1))


def test_a_takeback_restores_the_place_of_the_next_die(toy: Toy) -> None:
    table = table_with(toy, CONSENT, *ROLLED, (0, Done()), (1, Done()), *ROLLED)
    assert table.place == 2
    table.take_back(1, 6)
    assert table.place == 1
    table.take_back(0, 2)
    assert table.place == 0
    assert table.chances == 2, "which were rolled, whatever became of them"


# --- never after a die ------------------------------------------------------------------------------------------------


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


def test_an_unknown_takeback_rule_is_refused(toy: Toy, tmp_path: Path) -> None:
    header = make_header(toy, "parley", {}, ("human", "human"), takebacks="often", game="g1")
    Writer.create(tmp_path / "game", header, durable=False).close()
    with pytest.raises(RecordError, match='line 6: "often" is not a takeback rule: never, consent, free'):
        read(tmp_path / "game")
