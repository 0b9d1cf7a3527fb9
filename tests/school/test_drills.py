import asyncio
import re
from collections import Counter
from typing import Any

import pytest

from leuthen.cases.text import open_cases
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.load import RULESETS, load
from leuthen.school.drills import case_folder, chapters, drills, is_allowed, question
from leuthen.server.session.schooling import NONE, begin_drill, drill_progress, list_drills
from tests.school.pupil import PUPIL, Pupil
from tests.server.memory import MemoryStorage, registry_with

MAX_DRILLS = 120
MAX_LENGTH = 130


def test_each_drill_has_a_title_and_consequence_of_its_own() -> None:
    assert len(drills()) == sum(len(chapter.drills) for chapter in chapters()) <= MAX_DRILLS
    for words in ([drill.title for drill in drills().values()], [drill.consequence for drill in drills().values()]):
        assert not [said for said, times in Counter(words).items() if times > 1]
    assert all(0 < len(drill.title) < 40 and drill.title[-1] != "." for drill in drills().values())
    assert all(drill.consequence[-1] == "." and len(drill.consequence) <= MAX_LENGTH for drill in drills().values())
    assert {chapter.game for chapter in chapters()} == set(RULESETS)


@pytest.mark.parametrize("name", drills())
def test_a_drill_is_a_decision_of_its_case(name: str) -> None:
    drill, asked = drills()[name], question(name)
    wanted = f"{name}[{drill.row}]" if drill.row else name
    case = next(case for case in open_cases(case_folder() / drill.file) if case.name == wanted)
    assert (drill.game, drill.rules) == (case.game, case.rules)
    ruleset: Any = load(drill.game)
    said = [step.line.text.partition(" -- ")[0].strip() for step in case.steps[drill.step :]]
    assert all(f"{ruleset.sides[asked.side]} {order}" in said for order in drill.orders)
    assert any(pending.actor == asked.side for pending in ruleset.pending(asked.state))
    assert ruleset.forced(asked.state, asked.side) is None
    for order in drill.orders:
        ruleset.parse_action(asked.state, asked.side, order)


@pytest.mark.parametrize("name", drills())
def test_the_text_of_an_answer_names_its_leaders_and_numbers(name: str) -> None:
    drill = drills()[name]
    ruleset: Any = load(drill.game)
    leaders = {leader.name for leader in ruleset.data.leaders}
    for order, words in drill.orders.items():
        named = [*re.findall(r"(?<!\S)\+?(\d{1,3})(?!\S)", order), *(word for word in order.split() if word in leaders)]
        assert all(re.search(rf"\b{word}\b", words) for word in named)
    assert len(set(drill.orders.values())) == len(drill.orders)


async def begin(name: str, storage: MemoryStorage | None = None) -> Pupil:
    registry = registry_with(storage or MemoryStorage())
    made = await begin_drill(registry, PUPIL, name)
    return Pupil(registry, next(seat.seat for seat in made.seats if seat.seat))


@pytest.mark.parametrize("name", sorted(drills())[::6])
def test_a_drill_judges_an_order_by_the_rules(name: str) -> None:
    async def answer() -> None:
        asked = question(name)
        ruleset: Any = load(asked.drill.game)
        for order in asked.drill.orders:
            pupil = await begin(name)
            session = await pupil.session()
            shown = drill_progress(session, asked.side, "")
            assert (shown.is_answered, shown.lesson, shown.allowed, shown.came) == (False, "", (), ())
            assert session.seat_view.is_asked(asked.side)
            if is_allowed(ruleset, asked.state, asked.side, order):
                await pupil.order(order)
                judged = drill_progress(session, asked.side, "")
                assert judged.is_right
                assert order in judged.allowed
                assert judged.lesson == asked.drill.consequence
            else:
                with pytest.raises((Illegal, Invalid)):
                    await pupil.order(order)
                assert not drill_progress(session, asked.side, "").is_answered
        none = drill_progress(await (await begin(name)).session(), asked.side, NONE)
        assert none.is_right == (not none.allowed)

    asyncio.run(answer())


def test_an_abandoned_drill_is_ended() -> None:
    async def leave() -> None:
        storage = MemoryStorage()
        first, second = await begin("O5.8-a", storage), await begin("O5.8-b", storage)
        ended = [(await pupil.session()).row.has_ended for pupil in (first, second)]
        again = registry_with(storage)
        kept = [(await Pupil(again, pupil.seat).session()).row.has_ended for pupil in (first, second)]
        assert (ended, kept) == ([False, False], [True, False])

    asyncio.run(leave())


def test_drills_are_listed_by_chapter() -> None:
    listed = list_drills("frederick").chapters
    assert [chapter.title for chapter in listed] == [one.title for one in chapters() if one.game == "frederick"]
    assert "O5.8" in listed[1].drills[8].rules
    with pytest.raises(Invalid):
        list_drills("chess")
    with pytest.raises(Invalid):
        question("O5.3-zz")


def test_a_question_with_several_orders_lists_them() -> None:
    async def ask() -> None:
        one = drill_progress(await (await begin("O5.11-f")).session(), question("O5.11-f").side, "")
        assert one.say == (
            "You lead Prussia and would like to bring 2 SP out of the fortress at Breslau. Do the rules allow it?"
        )
        assert one.point == ("1733",)
        other = drill_progress(await (await begin("R11.1-a")).session(), 1, "")
        assert other.say.startswith("You lead the Coalition and would like to roll")
        many = drill_progress(await (await begin("O5.8-a")).session(), question("O5.8-a").side, "")
        assert "Which of these" in many.say

    asyncio.run(ask())


def test_an_answered_drill_shows_the_consequences() -> None:
    async def ask() -> None:
        name = "O5.9-a"
        asked, pupil = question(name), await begin(name)
        await pupil.order(asked.done)
        judged = drill_progress(await pupil.session(), asked.side, "")
        assert judged.done == judged.orders[0].text
        assert any("capture Browne" in line for line in judged.came), judged.came

    asyncio.run(ask())
