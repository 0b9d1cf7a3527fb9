from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from leuthen.bots import RandomBot
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.refusal import Illegal
from leuthen.engine.ruleset import CHANCE, ActorId, Pending, Transition
from leuthen.engine.seat import Undo
from leuthen.play.dice import Key
from leuthen.play.loop import ActionLimitExceeded, Game
from leuthen.play.record import RecordError, Writer, read
from leuthen.play.table import NothingToUndo, Table, make_header
from leuthen.play.table import Step as TableStep
from tests.seats import RecordingObserver, ScriptedPlayer, toy_in_move
from tests.toy import Bid, Die, Done, Peek, Step, Toy, ToyState


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


@pytest.mark.parametrize("seed", range(20))
def test_a_random_game_is_determined_by_its_seed(toy: Toy, seed: int) -> None:
    def final() -> object:
        table = new_table(toy, "3")
        key = Key.from_seed(seed)
        bots = [RandomBot(key.bot_seed(side)) for side in toy.sides]
        assert Game(table, bots, key.dice()).play() == toy.outcome(table.state)
        return table.state

    assert final() == final()


def test_the_thinking_of_a_bot_does_not_change_the_dice(toy: Toy) -> None:

    class Ponderer(RandomBot):
        def choose(self, look: Callable[[], Any], legal: LegalSet[Any], pending: Pending) -> Any:
            for _ in range(7):
                super().choose(look, legal, pending)
            return super().choose(look, legal, pending)

    def rolls(kind: type[RandomBot]) -> list[int]:
        key = Key.from_seed("shift")
        table = new_table(toy, "5")
        diary: list[int] = []

        class Ear(RecordingObserver):
            def on_action(self, step: TableStep) -> None:
                diary.extend([step.action.roll] if isinstance(step.action, Die) else [])

        table.observers.append(Ear())
        Game(table, [kind(key.bot_seed(side)) for side in toy.sides], key.dice()).play()
        return diary

    assert rolls(RandomBot) == rolls(Ponderer)
    assert len(rolls(RandomBot)) == 5


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


def test_a_header_contains_every_option(toy: Toy) -> None:
    assert make_header(toy, "parley", {}, ("human", "random"), game="g1").options == {"rounds": "3"}
    header = make_header(toy, "parley", {"rounds": "5"}, ("human", "random"), game="g1")
    assert header.options == {"rounds": "5"}
    assert header.seats == {"prussia": "human", "austria": "random"}
