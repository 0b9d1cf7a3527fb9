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
from tests.report.test_report import judgement_digest, remainder, side_report
from tests.report.wars import SMALL_SAMPLING, War, play_war

RULES: Final = load("campaigns")
HIDDEN_OPTION: Final = {"hidden": "yes"}
ORDERS: Final = 45
TOLERANCE: Final = 1e-9


@cache
def war() -> War:
    return play_war("campaigns", 0, ("prague", HIDDEN_OPTION), often=0.15, most=ORDERS)


@cache
def course() -> Course:
    return course_of(RULES, war().recorded)


@cache
def headquarters() -> Headquarters:
    return Headquarters(RULES)


@cache
def report() -> WarReport:
    work = work_here(headquarters(), SMALL_SAMPLING.seed)
    return make_report(RULES, course(), SMALL_SAMPLING, work, lambda stage, done, total: None)


def test_chances_add_up_to_a_resignation() -> None:
    accounts: list[ChanceAccount] = [report().account, *(account for _, account in report().years)]
    assert [account for account in accounts if abs(remainder(account)) > TOLERANCE] == []
    assert (report().account.final, report().outcome) == (0.0, "coalition, resignation, 1757")


def test_a_side_s_report_is_the_same_in_another_world() -> None:
    rng = Random(3)
    for side in SIDES:
        acts = [act._replace(before=RULES.sample_state(RULES.view(act.before, side), rng)) for act in course().acts]
        other = course()._replace(acts=tuple(acts))
        assert any(one.before != two.before for one, two in zip(acts, course().acts, strict=True))
        told = [
            msgspec.json.encode(side_report(headquarters(), one, side, SMALL_SAMPLING)) for one in (other, course())
        ]
        assert told[0] == told[1]


def test_a_belief_is_compared_with_the_true_strength() -> None:
    analyst, state = headquarters().analyst, RULES.new_game("prague", {})
    found = analyst.strengths(state, 0)
    assert found["Frederick at Dresden"] > 20
    assert sum(found.values()) == sum((*state.census.field[0].values(), *state.census.inside[0].values()))
    beliefs = beliefs_of(headquarters(), course().acts[-1].before, 0, "seed")
    assert any(belief.least < belief.most for belief in beliefs)
    enemies = analyst.strengths(course().acts[-1].before, 1)
    assert {belief.force: belief.truth for belief in beliefs}.items() <= enemies.items()
    assert beliefs_of(headquarters(), state, 0, "seed") == ()


def test_a_changed_judgement_needs_a_new_method_number() -> None:
    assert (METHOD, judgement_digest(report(), war().recorded)) == (4, "b1f41fcc186b9561")
