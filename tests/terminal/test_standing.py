"""The `standing` command of a person at the hot seat."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Table, header_of
from leuthen.terminal.instructing import Instructing
from leuthen.terminal.person import Person
from tests.campaigns.positions import BORDER, at_reaction, order, position
from tests.seats import Script
from tests.terminal.typist import Typist, hotseat_at
from tests.toy import Toy

OWNER: Final = 1


def typed(table: Table, *lines: str) -> str:
    """What a person who leads the coalition sees, after the first prompt, when he types these lines and leaves."""
    typist = Typist(*lines)
    hotseat = hotseat_at(table, typist, OWNER)
    Game(table, (Script(), Person(hotseat, OWNER)), Key.from_seed(1).dice()).play()
    return typist.screen.getvalue()[len(typist.screens[0]) :]


@pytest.fixture
def table() -> Table:
    """The coalition is asked whether it reacts."""
    return Table(load("campaigns"), at_reaction())


def test_clauses_are_added_shown_and_dropped(table: Table) -> None:
    text = typed(table, "standing", "standing add hold", "standing add feed always", "standing drop 1", "standing off")
    assert text.count("No standing instruction.") == 2
    assert text.count("In force, until something happens that no clause foresees.") == 3
    assert "  1  feed always\n     Forces in need are fed where they could be (R9.7)" in text
    assert table.instructions[OWNER].lines == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("standing sideways", "«sideways» is not understood"),
        ("standing add jump", "«jump» is no clause"),
        ("standing add", "«» is no clause"),
        ("standing drop 1", "«1» is no clause: there are 0"),
        ("standing add react Keith attack", "Keith is no leader of yours (R7.2)"),
    ],
)
def test_a_slip_is_explained_and_changes_nothing(table: Table, line: str, words: str) -> None:
    assert words in typed(table, line)
    assert table.instructions[OWNER].lines == ()


def test_completion_goes_on_into_clauses(table: Table) -> None:
    person = Person(hotseat_at(table, Typist(), OWNER), OWNER)
    assert person._complete("standing ") == ["add", "drop", "again", "off"]
    assert "break-off" in person._complete("standing add b")
    assert person._complete("standing add break-off at 1") == ["10", "15", "100"]


def met(line: str) -> Typist:
    """What the person of the coalition sees when Keith comes and this was said beforehand."""
    table = Table(load("campaigns"), position(*BORDER))
    table.instruct(OWNER, line)
    typist = Typist()
    march = order(table.state, 0, "march Keith 2940-2941")
    Game(table, (Script(march), Person(hotseat_at(table, typist, OWNER), OWNER)), Key.from_seed(1).dice()).play()
    return typist


def test_it_answers_in_place_of_the_person() -> None:
    assert met("hold other").prompts == []


def test_a_surprise_is_told_and_the_person_is_asked() -> None:
    typist = met("ignore of 0-19")
    assert len(typist.prompts) == 1
    assert "Your standing instruction is in force no longer: At 2941 the enemy has 20 TP" in typist.screen.getvalue()


def test_he_is_told_of_it_once(table: Table) -> None:
    table.instruct(OWNER, "hold other")
    table.instruct(OWNER, "stop Thorn fell")
    typist = Typist()
    standing = Instructing(hotseat_at(table, typist, OWNER), OWNER)
    standing.tell_stop()
    standing.tell_stop()
    assert typist.screen.getvalue().count("in force no longer: Thorn fell") == 1


def test_there_are_none_in_a_game_without(toy: Toy) -> None:
    table = Table(toy, toy.new_game("parley", {"rounds": "1"}))
    typist = Typist("standing", "standing add hold")
    Game(table, (Person(hotseat_at(table, typist, 0), 0), Script()), Key.from_seed(1).dice()).play()
    assert typist.screen.getvalue().count("there are no standing instructions in this game") == 2


def test_a_game_that_is_resumed_has_it(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "game.leuthen"
    game = load("campaigns")
    with Writer.create(path, header_of(game, "1757", {}, ("human", "human"))) as writer:
        fresh = Table(game, game.new_game("1757", {}), record=writer)
        fresh.instruct(OWNER, "hold other; feed always")
    assert Replay(game, read(path)).run().instructions[OWNER].lines == ("hold other", "feed always")
