from typing import Any

import pytest

from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, WATCHER
from leuthen.load import load, read_rulebook, ruleset
from leuthen.rulebook import Rulebook
from leuthen.rulesets.frederick.model.pieces import SIDES
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o10_supply import is_supplied
from leuthen.rulesets.frederick.screen.layers import LAYERS
from leuthen.rulesets.frederick.screen.setting import combat_spot
from leuthen.screen.values import TableCard
from leuthen.wargame.board import hex_name
from tests.frederick.handmade import game_data

GAME: Any = load("frederick")
SETTING = GAME.presenter.setting()
TABLES: dict[str, TableCard] = {card.id: card for card in SETTING.tables}


def cell(table: str, row: str, column: str) -> str:
    card = TABLES[table]
    return next(line for line in card.rows if line[0] == row)[card.columns.index(column)]


def test_every_table_card_is_complete() -> None:
    numbers = {rule.number for rule in Rulebook(read_rulebook("frederick")).rules}
    assert len(TABLES) == len(SETTING.tables)
    for card in SETTING.tables:
        assert card.rule in numbers or card.rule == "C2"
        assert all(len(row) == len(card.columns) for row in card.rows), card.id
        assert len({row[0] for row in card.rows}) == len(card.rows) or card.id in ("setup", "fortresses")
        assert len(card.rows) > 1
        assert len(set(card.columns)) == len(card.columns)


def test_the_combat_table_shows_the_data() -> None:
    data = game_data()
    for (die, column), (attacker, defender) in data.combat.items():
        spot = combat_spot(data, die, column)
        shown = cell("combat", spot.row, spot.column)
        assert tuple(int(part.removesuffix("L")) for part in shown.split("/")) == (attacker, defender)
        assert [part.endswith("L") for part in shown.split("/")] == [attacker >= 25, defender >= 25]
    assert combat_spot(data, 3, 83).column == "66–99"
    assert combat_spot(data, 3, 399).column == "300–399"


FREDERICK = ruleset("frederick")
STARTS = [name for name, plan in FREDERICK.data.scenarios.items() if plan.par is not None]


def new_position(name: str) -> State:
    return FREDERICK.new_game(name, {})


@pytest.mark.parametrize("name", STARTS)
def test_every_scenario_starts_in_supply(name: str) -> None:
    pos = new_position(name)
    armies = [stack for side in SIDES for stack in pos.own(side) if stack.sp and not stack.inside]
    assert armies
    assert [hex_name(stack.hex) for stack in armies if not is_supplied(pos, stack)] == []
    assert all(pos.data.board.is_in_play(stack.hex) for stack in armies)


@pytest.mark.parametrize("name", STARTS)
def test_every_scenario_has_all_screens(name: str) -> None:
    pos, shown = new_position(name), FREDERICK.presenter
    here = next(hex_name(stack.hex) for stack in pos.own(0) if stack.leaders and not stack.inside)
    for viewer in (*SIDES, WATCHER, EVERYTHING):
        view = FREDERICK.view(pos, viewer)
        assert len(shown.scene(view).holdings) == len(pos.owners)
        assert all(shown.layer(view, layer, here) for layer in LAYERS)
        assert shown.about(view, here).lines
    side = FREDERICK.pending(pos)[0].actor
    assert shown.form(pos, side, {}).fields
    assert digest_of(FREDERICK, FREDERICK.restore(FREDERICK.dump(pos))) == digest_of(FREDERICK, pos)


def test_only_a_scenario_is_limited_to_its_part_of_the_map() -> None:
    pos = new_position("bohemia")
    assert {"Vienna", "Berlin"}.isdisjoint(fort.name for fort in pos.data.fortresses.values())
    assert {"Prague", "Wittenberg"} <= {fort.name for fort in pos.data.fortresses.values()}
    assert new_position("1757").data is FREDERICK.data


def test_a_scenario_refuses_another_last_year() -> None:
    with pytest.raises(Invalid, match="last-year"):
        FREDERICK.new_game("1758", {"last-year": "1760"})


def test_a_fortress_without_an_owner_is_called_unowned() -> None:
    layer = FREDERICK.presenter.layer(FREDERICK.view(new_position("1757"), 0), "holders")
    assert layer.shades["1811"].text == "1811 Cassel, 5 VP: unowned (C12.2)"
