import hashlib
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen import load as registry
from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, Side
from leuthen.load import RULESETS, analyst_of
from leuthen.play.record import Record, RecordError, parse, text_of
from leuthen.report import assemble, sampling
from leuthen.report.assemble import beliefs_of
from leuthen.report.course import Course, course_of
from leuthen.report.sampling import (
    METHOD,
    Disagreement,
    Effort,
    Headquarters,
    Sampling,
    WorldDice,
    compare_orders,
    first_tasks,
    gather_knowledge,
    side_reports,
)
from leuthen.report.text import report_lines
from leuthen.report.values import ChanceAccount, SideReport, WarReport, grade_of
from tests.report import wars
from tests.report.wars import War, play_war

TOLERANCE = 1e-9


def remainder(account: ChanceAccount) -> float:
    return account.final - account.initial - account.luck - sum(account.decisions) - account.evaluator


def side_report(headquarters: Headquarters, course: Course, side: Side, trial: Sampling) -> SideReport:
    told = [gather_knowledge(headquarters, course, side, trial)]
    tasks = first_tasks(told, trial.effort)
    looks = [compare_orders(headquarters, task.question, task.worlds, trial.seed) for task in tasks]
    return side_reports(headquarters, told, tasks, looks)[0]


@pytest.mark.parametrize(
    ("name", "final", "outcome"),
    [("frederick", 1.0, "prussia, marginal, 1756"), ("campaigns", 0.0, "coalition, resignation, 1757")],
)
def test_chances_add_up_over_the_war_and_each_year(name: str, final: float, outcome: str) -> None:
    report = wars.report(name)
    assert abs(remainder(report.account)) < TOLERANCE
    assert [year for year, account in report.years if abs(remainder(account)) > TOLERANCE] == []
    assert sum(account.luck for _, account in report.years) == pytest.approx(report.account.luck, abs=TOLERANCE)
    assert (report.account.final, report.outcome) == (final, outcome)
    assert report.account.initial == report.chances[0].open


def judgement_digest(report: WarReport, recorded: Record) -> str:
    lines = [(entry.actor, entry.text) for entry in recorded.entries]
    judged = [(one.line, one.staff, one.grade) for side in report.known for one in side.judged]
    return hashlib.sha256(repr((lines, judged)).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("name", "digest"), [("frederick", "f7a6b7a082d5501b"), ("campaigns", "b1f41fcc186b9561")])
def test_a_changed_judgement_needs_a_new_method_number(name: str, digest: str) -> None:
    assert (METHOD, judgement_digest(wars.report(name), wars.recorded(name))) == (4, digest)


def test_luck_is_a_die_compared_with_its_mean() -> None:
    rules, value, course = wars.rules(), wars.headquarters(), wars.course()
    die = next(act for act in course.acts if act.actor == CHANCE and act.line == wars.report().luck[0].line)
    answers = [
        (float(odds), value.chance(rules.apply(die.before, CHANCE, answer).state))
        for answer, odds in rules.chances(die.before)
    ]
    gain = value.chance(die.after) - sum(odds * chance for odds, chance in answers)
    assert wars.report().luck[0].gain == pytest.approx(gain)
    assert gain != 0
    steps = assemble.steps_of(value, course)
    assert sum(step.expected is not None for step in steps) == sum(act.actor == CHANCE for act in course.acts)


def test_a_resignation_counts_as_a_decision() -> None:
    rules = wars.rules()
    course = course_of(rules, parse(wars.PLACE, wars.record_with_resignation(60).encode()))
    assert (course.closing, len(course.acts)) == (0, 60)
    steps = assemble.steps_of(wars.headquarters(), course)
    given = assemble.concession(course, steps[-1].after)
    account = assemble.account(steps, [], given)
    assert given == (-steps[-1].after, 0.0)
    assert account.final == 0.0
    assert abs(remainder(account)) < TOLERANCE


@pytest.mark.parametrize("name", RULESETS)
def test_a_side_s_report_is_the_same_in_another_world(name: str) -> None:
    rules, course, rng = wars.rules(name), wars.course(name), Random(3)
    for side in SIDES:
        acts = [act._replace(before=rules.sample_state(rules.view(act.before, side), rng)) for act in course.acts]
        assert any(one.before != two.before for one, two in zip(acts, course.acts, strict=True))
        other, told = (
            msgspec.json.encode(side_report(wars.headquarters(name), one, side, wars.SMALL_SAMPLING))
            for one in (course._replace(acts=tuple(acts)), course)
        )
        assert other == told


def test_only_decisions_unlike_the_staff_s_are_judged() -> None:
    report = wars.report()
    for side in SIDES:
        asked = sum(act.actor == side for act in wars.course().acts)
        assert report.known[side].alike + report.known[side].tried == asked
    assert report.known[0].tried > 3
    assert report.known[1].tried == 0
    assert [one.worlds for one in report.known[0].judged] == [wars.SMALL_SAMPLING.effort.more] * len(
        report.known[0].judged
    )


def test_undone_orders_are_not_in_the_course() -> None:
    lines = [(entry.actor, entry.text) for entry in wars.recorded().entries[:30]]
    whole = wars.course_of_lines(*lines)
    on_undo = wars.course_of_lines(*lines[:3], ("prussia", "undo"), *lines[2:])
    granted = wars.course_of_lines(*lines, ("austria", "take-back 24"), *lines[24:])
    for course in (on_undo, granted):
        assert [act.action for act in course.acts] == [act.action for act in whole.acts]
        assert [act.after for act in course.acts] == [act.after for act in whole.acts]
    assert [act.line for act in on_undo.acts] == [1, 2, *range(5, 33)]
    assert [act.line for act in granted.acts] == [*range(1, 25), *range(32, 38)]


def test_a_reopened_set_up_is_judged_once() -> None:
    lines = [(entry.actor, entry.text) for entry in wars.recorded().entries[:24]]
    sealed = lines.index(("prussia", "seal")) + 1
    course = wars.course_of_lines(*lines[:sealed], ("prussia", "reopen"), ("prussia", "seal"), *lines[sealed:])
    told = gather_knowledge(wars.headquarters(), course, 0, wars.SMALL_SAMPLING)
    asked = sum(act.actor == 0 for act in course.acts)
    assert told.alike + len(told.questions) == asked - 1


def test_a_grade_depends_on_the_lost_chance() -> None:
    costs = {-3.0: "none", 0.49: "none", 0.5: "small", 2.99: "small", 3.0: "medium", 6.99: "medium", 7.0: "large"}
    assert {cost: grade_of(cost) for cost in costs} == costs


def test_a_report_is_printed_for_one_side_or_both() -> None:
    both = "\n".join(report_lines(wars.rules(), wars.report(), (0, 1)))
    own = "\n".join(report_lines(wars.rules(), wars.report(), (0,)))
    assert "Changes of the winning chance (Prussia), in points" in both
    assert "early January 1757" in both
    asked = wars.report().known[1].alike
    assert f"Austria: {asked} decisions, {asked} like the staff" in both
    assert f"Austria: {asked} decisions" not in own


def test_a_report_on_an_unsuitable_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = wars.recorded()
    with pytest.raises(RecordError, match="not finished"):
        course_of(wars.rules(), parse(wars.PLACE, text_of(recorded.header, [], "").encode()))
    monkeypatch.setattr(registry.RULESETS["campaigns"], "analyst", lambda: None)
    with pytest.raises(Invalid, match="games of campaigns have no reports yet"):
        analyst_of("campaigns")
    other = msgspec.structs.replace(recorded, header=msgspec.structs.replace(recorded.header, data="0123"))
    with pytest.raises(RecordError, match="the data 0123"):
        course_of(wars.rules(), other)


def test_a_marching_force_is_evaluated_in_its_hex() -> None:
    headquarters = wars.headquarters()
    marching = [act.after for act in wars.course().acts if act.after.moving is not None]
    settled: list[Any] = [headquarters.analyst.settled(state) for state in marching]
    assert len(marching) > 5
    assert all(state.moving is None for state in settled)
    men = [sum(stack.strength for side in SIDES for stack in state.own(side)) for state in settled]
    assert men == [
        state.moving.strength + sum(stack.strength for side in SIDES for stack in state.own(side)) for state in marching
    ]


def test_the_die_of_a_kind_does_not_depend_on_other_rolls() -> None:
    odds = wars.rules().chances(next(act.before for act in wars.course().acts if act.actor == CHANCE))
    one, other = WorldDice(7), WorldDice(7)
    first = [one.answer((1757, 3), "Siege roll", odds) for _ in range(20)]
    again = [
        (other.answer((1757, 3), "Battle", odds), other.answer((1757, 3), "Siege roll", odds))[1] for _ in range(20)
    ]
    assert first == again
    assert len(set(map(repr, first))) > 3


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "war.leuthen"
    path.write_text(wars.record_with_resignation(110), encoding="utf-8")
    return path


def test_a_report_does_not_depend_on_the_number_of_processes(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for jobs in ("1", "2"):
        assert run(["report", str(record), "--json", "--jobs", jobs]) == 0
        told.append(capsys.readouterr())
    assert told[0].out == told[1].out
    assert "decisions" in told[0].err
    report = msgspec.json.decode(told[0].out, type=WarReport)
    assert report.outcome == "austria, resignation, 1756"


def test_an_unsuitable_report_is_refused_in_one_line(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "letter.txt"
    wrong.write_text("Dear Sir,\n", encoding="utf-8")
    going_on = tmp_path / "going-on.leuthen"
    recorded = wars.recorded()
    lines = [(entry.actor, entry.text) for entry in recorded.entries[:9]]
    going_on.write_text(text_of(recorded.header, lines, ""), encoding="utf-8")
    refused = {
        ("report", str(wrong)): "letter.txt, line 1: is no record of Leuthen",
        ("report", str(tmp_path / "none")): "none: cannot be read",
        ("report", str(going_on)): "going-on.leuthen: this game is not finished: only finished games have reports",
        ("report", str(record), "--side", "france"): '"france" is not a valid side: prussia or austria',
    }
    for words, why in refused.items():
        assert run(words) == 2
        said = capsys.readouterr()
        assert (why in said.err, said.err.count("\n"), said.out) == (True, 1, "")


def test_a_game_at_the_terminal_names_the_report_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, bots = tmp_path / "war.leuthen", ["--prussia", "captain", "--austria", "captain"]
    assert run(["play", *bots, "--scenario", "liegnitz-torgau", "--record", str(path)]) == 0
    assert f"Get the staff report with: leuthen report {path}" in capsys.readouterr().out


def test_a_belief_is_compared_with_the_true_strength() -> None:
    headquarters, last = wars.headquarters("campaigns"), wars.course("campaigns").acts[-1].before
    analyst, state = headquarters.analyst, wars.rules("campaigns").new_game("prague", {})
    found = analyst.strengths(state, 0)
    assert found["Frederick at Dresden"] > 20
    assert sum(found.values()) == sum((*state.census.field[0].values(), *state.census.inside[0].values()))
    beliefs = beliefs_of(headquarters, last, 0, "seed")
    assert any(belief.least < belief.most for belief in beliefs)
    enemies = analyst.strengths(last, 1)
    assert {belief.force: belief.truth for belief in beliefs}.items() <= enemies.items()
    assert beliefs_of(headquarters, state, 0, "seed") == ()


WORLDS = range(8)


@pytest.fixture(scope="module")
def war() -> War:
    return play_war("frederick", 0, ("campaign", {"last-year": "1757"}))


@pytest.fixture(scope="module")
def questions(war: War) -> tuple[Disagreement, ...]:
    course = course_of(wars.rules(), war.recorded)
    return gather_knowledge(wars.headquarters(), course, 0, Sampling("seed", Effort(chance=1))).questions


def test_only_planted_orders_differ_from_the_staff_s(war: War, questions: tuple[Disagreement, ...]) -> None:
    assert {question.line for question in questions} <= war.planted
    assert len(questions) > len(war.planted) / 2


def test_two_seeds_find_the_same_large_mistake(questions: tuple[Disagreement, ...]) -> None:
    one, two = ([compare_orders(wars.headquarters(), asked, WORLDS, seed).cost for asked in questions] for seed in "ab")
    assert one != two
    assert min(max(one), max(two)) > 3
    assert two[one.index(max(one))] > 3


@pytest.mark.parametrize(("gain", "enough", "worlds"), [(0.05, 4, 4), (-0.2, 4, 8), (0.05, None, 8)])
def test_a_clear_comparison_uses_fewer_worlds(
    questions: tuple[Disagreement, ...], monkeypatch: pytest.MonkeyPatch, gain: float, enough: int | None, worlds: int
) -> None:
    chances = cycle((gain / 100, 0.0))  # after the staff's order, after the side's
    monkeypatch.setattr(sampling.Headquarters, "chance_after", lambda *_: next(chances))
    gains = compare_orders(wars.headquarters(), questions[0], range(8), "a", enough).gains
    assert gains == pytest.approx((gain,) * worlds)
