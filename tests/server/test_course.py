"""The course of a game: played again from its record it is the same in all that anybody was told."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, Ruleset
from leuthen.load import ruleset
from leuthen.play.dice import Dice, Key
from leuthen.server.attempt import Attempt
from leuthen.server.course import VIEWERS, Course
from tests.campaigns.positions import position
from tests.toy import Toy

INSTRUCTIONS: tuple[list[str], ...] = (
    ["hold", "losses", "feed always"],
    ["ignore of 0-10"],
    ["join always", "share"],
    [],
)


def new_course(rules: Ruleset, options: dict[str, str]) -> Course:
    scenario = next(iter(rules.scenarios))
    return Course(rules, rules.new_game(scenario, options))


def play(course: Course, seed: int, actions: int) -> list[dict[int, int]]:
    """Plays at random, with undo and takebacks; gives the numbers of all viewers after each step."""
    rng, dice = Random(seed), Key.from_seed("course", seed).dice()
    numbers = []
    for _ in range(actions):
        if course.outcome is not None:
            break
        attempt = Attempt(course)
        step(course, attempt, rng, dice)
        expected = {viewer: attempt.n(viewer) for viewer in VIEWERS}
        course.accept(attempt)
        assert {viewer: course.tracks[viewer].n for viewer in VIEWERS} == expected
        numbers.append(expected)
    return numbers


def step(course: Course, attempt: Attempt, rng: Random, dice: Dice) -> None:
    rules, table = course.ruleset, course.table
    side = rng.choice([pending.actor for pending in rules.pending(table.state) if pending.actor != CHANCE] or [CHANCE])
    undoers = [other for other in (0, 1) if table.can_undo(other)]
    answers = [(other, table.instructed(other)) for other in (0, 1)]
    said = next(((other, answer) for other, answer in answers if answer is not None), None)
    if said is not None:
        attempt.stand_in(*said)
    elif rules.standing is not None and rng.random() < 0.1:
        attempt.instruct(side % 2, table.words_for(side % 2, rng.choice(INSTRUCTIONS)))
    elif undoers and rng.random() < 0.2:
        attempt.undo(rng.choice(undoers))
    elif len(table.log) > 3 and rng.random() < 0.03:
        attempt.take_back(rng.randrange(2), rng.randrange(len(table.log) - 3, len(table.log)))
    elif side != CHANCE:
        action = rules.legal_actions(table.state, side).sample(rng)
        attempt.act(side, rules.format_action(table.state, side, action))
    attempt.roll(dice)


def all_of(course: Course) -> Any:
    """All that a course knows."""
    rules = course.ruleset
    return (
        rules.digest_of(course.table.state),
        course.outcome,
        course.turns,
        course.counting,
        course.open,
        [len(course.table.log), list(course.table.drafts)],
        {viewer: (track.news, track.lines, track.is_stirred) for viewer, track in course.tracks.items()},
        [rules.view(course.position(viewer), viewer) for viewer in VIEWERS],
    )


def again(course: Course, rules: Ruleset, options: dict[str, str]) -> Course:
    twin = new_course(rules, options)
    for line in course.record:
        attempt = Attempt(twin)
        attempt.carry_out(line)
        twin.accept(attempt)
    return twin


@pytest.mark.parametrize("seed", range(20))
def test_played_again_everybody_was_told_the_same(toy: Toy, seed: int) -> None:
    course = new_course(toy, {"rounds": "5"})
    play(course, seed, 60)
    twin = again(course, toy, {"rounds": "5"})
    for track in twin.tracks.values():
        track.is_stirred = False
    for track in course.tracks.values():
        track.is_stirred = False
    assert all_of(twin) == all_of(course)


@pytest.mark.parametrize(
    ("name", "options", "actions"),
    [("frederick", {"last-year": "1756"}, 400), ("campaigns", {}, 150), ("campaigns", {"hidden": "yes"}, 60)],
)
def test_a_campaign_played_again_is_the_same(name: str, options: dict[str, str], actions: int) -> None:
    rules = ruleset(name)
    course = new_course(rules, options)
    play(course, 7, actions)
    twin = again(course, rules, options)
    assert rules.digest_of(twin.table.state) == rules.digest_of(course.table.state)
    assert (twin.turns, twin.counting, twin.open) == (course.turns, course.counting, course.open)
    assert twin.table.instructions == course.table.instructions
    for viewer in VIEWERS:
        assert twin.tracks[viewer].news == course.tracks[viewer].news
        assert twin.tracks[viewer].lines == course.tracks[viewer].lines


@pytest.mark.parametrize("seed", range(5))
def test_every_position_is_found_again(toy: Toy, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.course.CHECKPOINT", 7)
    course = new_course(toy, {"rounds": "5"})
    states = {-1: course.table.state}
    rng, dice = Random(seed), Key.from_seed(seed).dice()
    while course.outcome is None:
        attempt = Attempt(course)
        step(course, attempt, rng, dice)
        course.accept(attempt)
        states[len(course.record) - 1] = course.table.state
    assert len(course.record) > 21
    for line, state in states.items():
        assert course.at(line).state == state
    assert course.table.state == states[len(course.record) - 1], "looking back changes nothing"


def test_what_was_tried_and_not_accepted_changes_nothing(toy: Toy) -> None:
    course = new_course(toy, {"rounds": "5"})
    play(course, 1, 12)
    before = all_of(course)
    for seed in range(10):
        attempt = Attempt(course)
        step(course, attempt, Random(seed), Key.from_seed(seed).dice())
        assert all_of(course) == before
    with pytest.raises(Invalid):
        Attempt(course).act(0, "dance")
    assert all_of(course) == before


def test_numbers_never_go_back_and_are_the_viewers_own(toy: Toy) -> None:
    course = new_course(toy, {"rounds": "5"})
    numbers = play(course, 3, 60)
    for viewer in VIEWERS:
        own = [n[viewer] for n in numbers]
        assert own == sorted(own)
        assert [heard.n for heard in course.tracks[viewer].news] == list(range(own[-1] + 1))
    assert len(set(numbers[-1].values())) > 1, "each counts for himself"


def test_a_draft_gives_nobody_else_a_number(toy: Toy) -> None:
    course = new_course(toy, {"rounds": "1"})
    for side, text in ((0, "bid 1"), (1, "bid 1")):
        attempt = Attempt(course)
        attempt.act(side, text)
        attempt.roll(Key.from_seed(1).dice())
        course.accept(attempt)
    before = {viewer: course.tracks[viewer].n for viewer in VIEWERS}
    attempt = Attempt(course)
    attempt.act(0, "step north 1")
    course.accept(attempt)
    after = {viewer: course.tracks[viewer].n for viewer in VIEWERS}
    assert after == {**before, 0: before[0] + 1}
    assert not any(course.tracks[viewer].is_stirred for viewer in (1, 2))


def test_what_begins_a_turn_stands_in_it() -> None:
    rules = ruleset("campaigns")
    course, dice = new_course(rules, {}), Key.from_seed("turns", 1).dice()
    while len(course.turns) < 3:
        attempt = Attempt(course)
        state = attempt.table.state
        side = rules.pending(state)[0].actor
        attempt.act(side, rules.format_action(state, side, rules.default(state, side)))
        attempt.roll(dice)
        course.accept(attempt)
    for viewer in VIEWERS:
        lines = course.tracks[viewer].lines
        begun = [at for at, line in enumerate(lines) if getattr(line.what, "BEGINS_TURN", False)]
        assert [(lines[at - 1].turn, lines[at].turn, lines[at + 1].turn) for at in begun] == [(0, 1, 1), (1, 2, 2)]


def course_from(*given: str) -> Course:
    return Course(ruleset("campaigns"), position(*given))


def accepted(course: Course, try_it: Callable[[Attempt], None]) -> Course:
    attempt = Attempt(course)
    try_it(attempt)
    course.accept(attempt)
    return course


def test_a_turn_that_a_draft_has_begun_is_known_to_nobody_else() -> None:
    prisoners = ("prisoners prussia 3 Austria", "prisoners coalition 3 Prussia")
    course = course_from("option rules=base", "step I", "Frederick 1821 20", "Keith 1821 10", *prisoners)
    accepted(course, lambda attempt: attempt.act(0, "done"))
    assert course.table.can_undo(0)
    assert [len(course.turns_of(viewer)) for viewer in VIEWERS] == [2, 1, 1, 1]
    accepted(course, lambda attempt: attempt.act(0, "done"))
    assert not course.table.can_undo(0)
    assert [len(course.turns_of(viewer)) for viewer in VIEWERS] == [2, 2, 2, 2]


def test_who_looks_back_to_where_his_instruction_stopped_sees_no_draft_of_others() -> None:
    course = course_from("first", "chit prussia-3", "cup coalition-2", "Keith 1821 20", "Daun 3041 20")
    accepted(course, lambda attempt: attempt.instruct(1, "hold other"))
    accepted(course, lambda attempt: attempt.act(0, "march Keith 1821-1822"))
    assert course.table.can_undo(0)
    accepted(course, lambda attempt: attempt.instruct(1, "stop a surprise"))
    line = course.tracks[1].news[-1].line
    at = course.at(line)
    assert course.as_told(at, line, 1) == course.position(1) == course.at(-1).state
    assert course.as_told(at, line, 0) == course.table.state
