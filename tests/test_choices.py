from itertools import islice

import pytest

from leuthen.engine.ruleset import CHANCE
from leuthen.load import load
from tests.laws.games import GAMES, games

MOMENTS = 60


@pytest.mark.parametrize("name", GAMES)
def test_what_is_chosen_of_an_order_leads_to_that_order(name: str) -> None:
    presenter, kinds = load(name).presenter, set()
    for moment in islice(games(name, 0), MOMENTS):
        if moment.actor == CHANCE:
            continue
        chosen = presenter.choices(moment.state, moment.actor, moment.action)
        form = presenter.form(moment.state, moment.actor, chosen)
        assert form.order == moment.game.format_action(moment.state, moment.actor, moment.action), chosen
        kinds.add(moment.action.do)
    assert len(kinds) > 5
