"""The questions of the drills are in plain words: each order has a phrase, which names all that the order names."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from leuthen.load import load
from leuthen.school.drills import drills, is_allowed, question
from leuthen.school.phrasing import phrase, places_of
from leuthen.server.session.schooling import drilling
from tests.school.test_drills import sit

PHRASED = {
    ("frederick", "march Keith +5 1733-1632-1631"): "send Keith with 5 SP from Breslau by way of 1632 to Schweidnitz",
    ("frederick", "place Austria Prague +2 from Vienna inside"): "place 2 SP of Austria at Prague, from Vienna",
    ("frederick", "follow Keith +5"): "follow the enemy with Keith and 5 SP",
    ("frederick", "take +1 +3 Hanover"): "take 1 SP and 3 SP of Hanover along",
    ("frederick", "envoys Empire 2 France 0"): "send envoys: 2 to the Empire and 0 to France",
    ("campaigns", "arrange Prague Austria Browne 43 garrison 10"): (
        "distribute the men of Austria at Prague anew: Browne 43 TP and garrison 10 TP"
    ),
    ("campaigns", "name 3 Austria 1 Russia"): "name who is freed: 3 TP of Austria and 1 TP of Russia",
    ("campaigns", "transfer P1 Frederick 11"): "transfer 11 TP from wagon P1 to Frederick",
    ("campaigns", "march Keith forage 2838-2839"): "march with Keith from 2838 to 2839 and live off the land",
}


@pytest.mark.parametrize(("order", "said"), PHRASED.items())
def test_an_order_is_put_into_plain_words(order: tuple[str, str], said: str) -> None:
    assert phrase(*order) == said


def test_every_order_of_a_drill_has_a_phrase_that_names_all_that_it_names() -> None:
    unphrased, unnamed = list[str](), list[tuple[str, str]]()
    for name in drills():
        asked = question(name)
        for order in asked.orders:
            said = phrase(asked.drill.game, order, "hold" if order.startswith("hold") else "«no phrase»")
            if "«" in said:
                unphrased.append(order)
            named = [*re.findall(r"(?<!\S)\+?(\d{1,3})(?!\S)", order), *_leaders(asked.drill.game, order)]
            if not all(re.search(rf"\b{name}\b", said) for name in named):
                unnamed.append((order, said))
    assert not unphrased
    assert not unnamed


def _leaders(game: str, order: str) -> list[str]:
    ruleset: Any = load(game)
    names = {leader.name for leader in ruleset.data.leaders}
    assert "Keith" in names
    return [word for word in order.split()[1:] if word in names]


def test_the_places_of_an_order_are_pointed_at() -> None:
    assert places_of("frederick", "march Keith +5 Breslau-1632") == ("1733", "1632")
    assert places_of("campaigns", "march Schwerin 1831-Liegnitz") == ("1831", "1830")
    assert places_of("frederick", "raise 5") == ()


def test_a_question_with_one_order_asks_about_it_and_one_with_several_lists_them() -> None:
    async def ask() -> None:
        one = drilling(await (await sit("O5.11-g")).session(), question("O5.11-g").side, "")
        assert (
            one.say
            == "You lead Prussia and would like to bring 2 SP into the fortress at Breslau. Do the rules allow it?"
        )
        assert one.point == ("1733",)
        other = drilling(await (await sit("V2.1-f")).session(), 1, "")
        assert other.say.startswith("You lead the Coalition and would like to distribute")
        name = next(name for name in drills() if len(question(name).orders) > 1)
        many = drilling(await (await sit(name)).session(), question(name).side, "")
        assert "Which of these" in many.say
        assert len({order.text for order in many.orders}) == len(many.orders) > 1

    asyncio.run(ask())


def test_who_has_answered_is_told_what_the_order_brings_about_in_the_case_and_nobody_before() -> None:
    async def ask() -> None:
        name = "O6.3-g"
        asked, pupil = question(name), await sit(name)
        assert not drilling(await pupil.session(), asked.side, "").came
        await pupil.order(asked.done)
        judged = drilling(await pupil.session(), asked.side, "")
        assert judged.done == judged.orders[0].text
        assert any("1 SP" in line for line in judged.came), judged.came

    asyncio.run(ask())


def test_of_a_table_each_row_with_another_answer_is_a_drill() -> None:
    families = {name.partition(":")[0] for name in drills() if ":" in name}
    assert families
    for family in families:
        answers = [_answer(name) for name in drills() if name.partition(":")[0] == family]
        assert len(set(answers)) == len(answers) > 1


def _answer(name: str) -> tuple[int, int]:
    asked = question(name)
    ruleset = load(asked.drill.game)
    return sum(is_allowed(ruleset, asked.state, asked.side, order) for order in asked.orders), len(asked.orders)
