"""Every case with an order is a drill, every clause that a player can meet has one, and the rules judge the answers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from leuthen.cases import open_cases
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.load import RULESETS, load, read_rulebook
from leuthen.rulebook import Rulebook
from leuthen.school.drills import INDEX, best_segment, case_folder, drills, drills_by_rule, is_allowed, question
from leuthen.server.session.schooling import NONE, begin_drill, drilling, list_drills
from tests.school.pupil import VISITOR, AtSchool
from tests.server.alone import registry_with
from tests.server.memory import MemoryStorage
from tools.drills import index

CASES = [case for path in sorted(case_folder().rglob("*.case")) for case in open_cases(path)]
NO_QUESTION = {"C13.1": "the war ends by itself once the last year is over; its one order ends a phase"}
"""Clauses whose cases have orders, and of which there can be no question all the same, with the reason."""


def test_the_index_is_fresh() -> None:
    assert INDEX.read_text(encoding="utf-8") == index(), "run python -m tools.drills"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_clause_has_a_drill_or_no_order_is_given_by_it(ruleset: str) -> None:
    """A clause without a drill is one that umpire and dice alone carry out: its cases have no order of a side."""
    ordered = {rule for case in CASES if case.game == ruleset and best_segment(case) for rule in case.rules}
    clauses = {rule.number for rule in Rulebook(read_rulebook(ruleset)).rules}
    without = clauses - set(drills_by_rule(ruleset))
    assert without & ordered <= set(NO_QUESTION)
    assert len(without) < len(clauses) / 5


async def sit(name: str, storage: MemoryStorage | None = None) -> AtSchool:
    registry = registry_with(storage or MemoryStorage())
    made = await begin_drill(registry, VISITOR, name)
    return AtSchool(registry, next(seat.seat for seat in made.seats if seat.seat))


@pytest.mark.parametrize("name", sorted(drills())[::25])
def test_a_drill_waits_for_an_order_and_is_judged_by_the_rules(name: str) -> None:
    async def answer() -> None:
        asked = question(name)
        ruleset: Any = load(asked.drill.game)
        for order in asked.orders:
            pupil = await sit(name)
            session = await pupil.session()
            assert not drilling(session, asked.side, "").is_answered
            assert session.seat_view.is_asked(asked.side)
            if is_allowed(ruleset, asked.state, asked.side, order):
                await pupil.order(order)
                judged = drilling(session, asked.side, "")
                assert judged.is_right
                assert order in judged.allowed
            else:
                with pytest.raises((Illegal, Invalid)):
                    await pupil.order(order)
                assert not drilling(session, asked.side, "").is_answered
        none = drilling(await (await sit(name)).session(), asked.side, NONE)
        assert none.is_right == (not none.allowed)

    asyncio.run(answer())


def test_drills_that_were_left_are_put_away() -> None:
    async def leave() -> None:
        storage = MemoryStorage()
        first, second = await sit("O5.3-a", storage), await sit("O5.3-b", storage)
        ended = [(await pupil.session()).row.has_ended for pupil in (first, second)]
        again = registry_with(storage)
        kept = [(await AtSchool(again, pupil.seat).session()).row.has_ended for pupil in (first, second)]
        assert (ended, kept) == ([False, False], [True, False])

    asyncio.run(leave())


def test_the_list_names_each_drill_by_its_rule() -> None:
    assert [line.title for line in list_drills("frederick").rules["O5.3"]]
    with pytest.raises(Invalid):
        list_drills("chess")
    with pytest.raises(Invalid):
        question("O5.3-zz")


def test_an_order_in_words_does_not_tell_whether_it_is_allowed() -> None:
    async def ask() -> None:
        name = next(name for name in drills() if 0 < sum(_allowed(name)) < len(_allowed(name)))
        shown = drilling(await (await sit(name)).session(), question(name).side, "")
        assert not shown.lesson
        assert not shown.allowed
        assert len({order.text for order in shown.orders}) == len(shown.orders)

    asyncio.run(ask())


def _allowed(name: str) -> list[bool]:
    asked = question(name)
    return [is_allowed(load(asked.drill.game), asked.state, asked.side, order) for order in asked.orders]
