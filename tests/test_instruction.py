from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from leuthen.engine.choice import LegalSet
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER, SIDES, Answer, Look, Pending, Side
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.record import Record, Writer, read
from leuthen.play.replay import Replay, carry_out
from leuthen.play.table import LONGEST, MOST, ActionLimitExceeded, Game, Instruction, Table, make_header
from leuthen.screen.presenter import Surprise, TableRuleset, sentence_of
from leuthen.server.session.history import GameHistory, GameTransaction
from tests.campaigns.positions import BORDER, order, position
from tests.laws.games import draw
from tests.seats import ScriptedPlayer

GAME: TableRuleset = load("campaigns")
OWNER: Final = 1
ACTIONS = 400


def table() -> Table:
    return Table(GAME, position(*BORDER))


def march_keith(at: Table) -> None:
    at.act(0, order(at.state, 0, "march Keith 2940-2941"))


@pytest.fixture(scope="module")
def instructed_record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = tmp_path_factory.mktemp("records") / "game.leuthen"
    with Writer.create(path, make_header(GAME, "1757", {}, ("random", "random"), game="g1"), durable=False) as writer:
        at = Table(GAME, GAME.new_game("1757", {}), record=writer)
        seats = [InstructedPlayer(at, side) for side in SIDES]
        with pytest.raises(ActionLimitExceeded):
            Game(at, seats, Key.from_seed(1).dice(), limit=ACTIONS).play()
    return read(path)


class InstructedPlayer:
    def __init__(self, at: Table, side: Side) -> None:
        self.table = at
        self.side = side
        self.rng = Random(side)

    def choose(self, look: Look, legal: LegalSet[Any], pending: Pending) -> Answer:
        if not self.table.instructions[self.side].is_armed:
            self.table.instruct(self.side, self.table.instruction_text(self.side, ["hold", "losses", "feed always"]))
        return draw(GAME, self.table.state, self.side, self.rng, True)


def test_a_record_contains_the_instructions(instructed_record: Record) -> None:
    texts = [entry.text for entry in instructed_record.entries]
    assert texts.count("standing losses by-share; feed always; hold other") > 2
    assert sum(text.startswith("standing stop ") for text in texts) > 1
    at = Replay(GAME, instructed_record).run()
    assert all(one.lines == ("losses by-share", "feed always", "hold other") for one in at.instructions)


def test_a_record_replays_without_standing_instructions(
    instructed_record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = Replay(GAME, instructed_record).run()
    monkeypatch.setattr(GAME, "standing", None)
    at = Replay(GAME, instructed_record).run()
    assert GAME.dump(at.state) == GAME.dump(expected.state)
    assert [one.lines for one in at.instructions] == [one.lines for one in expected.instructions]


def test_an_instruction_changes_neither_position_nor_drafts() -> None:
    at = table()
    march_keith(at)
    before = at.state
    carry_out(at, "prussia", "standing hold other")
    assert at.state is before
    at.instruct(OWNER, at.instruction_text(OWNER, ["hold"]))
    assert at.can_undo(0)
    at.undo(0)
    assert at.instructions[0].is_armed


def test_a_waiting_side_can_give_an_instruction(tmp_path: Path) -> None:
    path = tmp_path / "game.leuthen"
    with Writer.create(path, make_header(GAME, "1757", {}, ("human", "human"), game="g1")) as writer:
        at = Table(GAME, GAME.new_game("1757", {}), record=writer)
        asked = GAME.pending(at.state)[0].actor
        at.act(asked, GAME.legal_actions(at.state, asked).default())
        again = GAME.pending(at.state)[0].actor
        at.act(again, GAME.legal_actions(at.state, again).default())
        at.instruct(OTHER[again], "hold other")
        at.undo(again)
    table = Replay(GAME, read(path)).run()
    assert table.state == at.state
    assert table.instructions == at.instructions


@pytest.mark.parametrize(
    "text", ["stop because", "", ";", "hold;", "hold; ;feed always", "; ".join(["hold"] * (MOST + 1))]
)
def test_a_malformed_instruction_is_refused(text: str) -> None:
    at = table()
    with pytest.raises(Invalid):
        at.instruct(OWNER, text)
    with pytest.raises(Invalid):
        at.instruct(OWNER, "x" * (LONGEST + 1))
    assert at.instructions[OWNER] == Instruction()


def test_a_stopped_instruction_can_be_renewed_or_withdrawn() -> None:
    at = table()
    at.instruct(OWNER, "hold other")
    at.instruct(OWNER, "stop the enemy took Thorn")
    assert at.instructions[OWNER].stopped == "the enemy took Thorn"
    with pytest.raises(Invalid):
        at.instruct(OWNER, "stop again")
    at.instruct(OWNER, "hold other")
    assert at.instructions[OWNER].is_armed
    at.instruct(OWNER, "off")
    assert at.instructions[OWNER] == Instruction()


def test_a_takeback_stops_the_instructions_of_both_sides() -> None:
    at = table()
    at.instruct(0, "feed always")
    at.instruct(OWNER, "hold other")
    march_keith(at)
    at.take_back(OWNER, 0)
    assert [one.stopped for one in at.instructions] == ["a takeback was granted"] * 2
    assert at.instruction_answer(OWNER) is None


def test_an_obsolete_clause_is_shown_and_stops_the_instruction() -> None:
    at = Table(GAME, position(*BORDER))
    at.instruct(OWNER, "hold other; march at once")
    view = GAME.view(at.state, OWNER)
    assert GAME.standing is not None
    shown = [sentence_of(GAME.standing, view, line) for line in at.instructions[OWNER].lines]
    assert shown[0].startswith("All else")
    assert shown[1].startswith('"march" is not a valid clause')
    at.act(0, order(at.state, 0, "march Keith 2940-2941"))
    at.commit_others_drafts(OWNER)
    assert at.instruction_answer(OWNER) == Surprise(shown[1])


HUNGRY = ("step H", "year 1757 turn 6", "Daun 3344 20 sp 2", "Lacy 3044 20 sp 2")


def test_an_undone_answer_stops_the_instruction(tmp_path: Path) -> None:
    state = position(*HUNGRY)
    history = GameHistory(GAME, state)
    transaction = GameTransaction(history)
    transaction.say(OWNER, "standing feed always")
    surprise = transaction.table.instruction_answer(OWNER)
    assert surprise is not None
    transaction.answer_by_instruction(OWNER, surprise)
    history.accept(transaction)
    transaction = GameTransaction(history)
    transaction.undo(OWNER)
    assert [line.text for line in transaction.lines] == ["undo", "standing stop an answer was taken back"]
    assert transaction.table.instruction_answer(OWNER) is None

    at = Table(GAME, state)
    at.instruct(OWNER, "feed always")
    at.act(OWNER, order(at.state, OWNER, "feed"))
    at.instruct(OWNER, "off")
    at.instruct(OWNER, "feed always")
    Game(at, (ScriptedPlayer(), ScriptedPlayer()), Key.from_seed(1).dice())._undo(OWNER)
    assert at.instructions[OWNER].stopped == "an answer was taken back"


def test_undoing_an_unrelated_order_keeps_the_instruction() -> None:
    at = table()
    at.instruct(0, "feed always")
    march_keith(at)
    Game(at, (ScriptedPlayer(), ScriptedPlayer()), Key.from_seed(1).dice())._undo(0)
    assert at.instructions[0].is_armed


def test_an_instruction_after_the_end_is_refused() -> None:
    at = table()
    at.instruct(OWNER, "hold other")
    at.resign(0)
    with pytest.raises(Invalid, match="ended"):
        at.instruct(OWNER, "feed always")
    assert at.instruction_answer(OWNER) is None


def test_a_rule_set_may_lack_standing_instructions(toy: TableRuleset) -> None:
    at = Table(toy, toy.new_game("parley", {}))
    with pytest.raises(Invalid, match="no standing instructions"):
        at.instruction_text(0, ["hold"])
