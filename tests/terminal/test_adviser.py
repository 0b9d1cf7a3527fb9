import pytest

from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.terminal.person import Person
from tests.seats import Script
from tests.terminal.typist import Typist, hotseat_at
from tests.toy import Toy


def typed(table: Table, *lines: str) -> str:
    typist = Typist(*lines)
    Game(table, (Person(hotseat_at(table, typist, 0), 0), Script()), Key.from_seed(1).dice()).play()
    return typist.screen.getvalue()


def test_advise_proposes_a_legal_order_and_gives_none() -> None:
    rules = load("frederick")
    table = Table(rules, rules.new_game("campaign", {}))
    said = typed(table, "advise")
    order, why = said.partition("The captain would order: ")[2].split("\n")[:2]
    assert why.strip() == "The armies begin where most fortresses are covered, a man in each of the others (C2.1)."
    assert rules.parse_action(table.state, 0, order) in rules.legal_actions(table.state, 0)
    assert not table.actions


def test_auto_leaves_the_whole_set_up_to_the_captain_and_then_asks_again() -> None:
    rules = load("frederick")
    table = Table(rules, rules.new_game("campaign", {}))
    typed(table, "auto")
    assert [one.actor for one in rules.pending(table.state)] == [1], "Prussia has sealed, Austria is asked"


@pytest.mark.usefixtures("shelf")
def test_a_game_that_the_captain_does_not_know_has_no_adviser(toy: Toy) -> None:
    said = typed(Table(toy, toy.new_game("parley", {"rounds": "1"})), "advise", "auto")
    assert said.count("the captain does not know the rule set toy") == 2
