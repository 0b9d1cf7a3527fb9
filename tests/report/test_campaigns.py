from functools import cache
from random import Random
from typing import Final

import msgspec

from leuthen.engine.ruleset import SIDES
from leuthen.load import load
from leuthen.report.assemble import beliefs_of, make_report, work_here
from leuthen.report.course import Course, course_of
from leuthen.report.sampling import METHOD, Headquarters
from leuthen.report.values import ChanceAccount, WarReport
from tests.report.test_report import judged_as, known_to, rest
from tests.report.wars import LITTLE, War, played

RULES: Final = load("campaigns")
HIDDEN: Final = {"hidden": "yes"}
ORDERS: Final = 45
CLOSE: Final = 1e-9


@cache
def war() -> War:
    return played("campaigns", 0, ("prague", HIDDEN), often=0.15, most=ORDERS)


@cache
def course() -> Course:
    return course_of(RULES, war().recorded)


@cache
def headquarters() -> Headquarters:
    return Headquarters(RULES)


@cache
def report() -> WarReport:
    work = work_here(headquarters(), LITTLE.seed)
    return make_report(RULES, course(), LITTLE, work, lambda stage, done, total: None)


def test_the_ledger_closes_and_a_resignation_gives_away_what_was_left() -> None:
    accounts: list[ChanceAccount] = [report().account, *(account for _, account in report().years)]
    assert [account for account in accounts if abs(rest(account)) > CLOSE] == []
    assert (report().account.final, report().outcome) == (0.0, "coalition, resignation, 1757")


def test_a_side_reads_the_same_in_another_world_of_its_views() -> None:
    rng = Random(3)
    for side in SIDES:
        acts = [act._replace(before=RULES.sample_state(RULES.view(act.before, side), rng)) for act in course().acts]
        other = course()._replace(acts=tuple(acts))
        assert any(one.before != two.before for one, two in zip(acts, course().acts, strict=True))
        told = [msgspec.json.encode(known_to(headquarters(), one, side, LITTLE)) for one in (other, course())]
        assert told[0] == told[1]


def test_what_was_believed_stands_beside_the_truth() -> None:
    analyst, state = headquarters().analyst, RULES.new_game("prague", {})
    found = analyst.strengths(state, 0)
    assert found["Frederick at Dresden"] > 20
    assert sum(found.values()) == sum((*state.census.field[0].values(), *state.census.inside[0].values()))
    beliefs = beliefs_of(headquarters(), course().acts[-1].before, 0, "seed")
    assert any(belief.least < belief.most for belief in beliefs)
    enemies = analyst.strengths(course().acts[-1].before, 1)
    assert {belief.force: belief.truth for belief in beliefs}.items() <= enemies.items()
    assert beliefs_of(headquarters(), state, 0, "seed") == ()


def test_who_judges_otherwise_is_another_evaluator() -> None:
    assert (METHOD, judged_as(report(), war().recorded)) == (4, "b1f41fcc186b9561")
