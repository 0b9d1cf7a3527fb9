import re
from typing import Any

import pytest

from leuthen.load import load
from leuthen.school.lessons import LESSON, begin, lesson

FIRST = lesson("three-minutes")
WORDS_A_MINUTE = 200
SECONDS_A_CLICK = 4
CLICKS = 2 + 3 + 1 + 2


@pytest.mark.parametrize("die", range(1, 7))
def test_whatever_the_die_the_battle_is_won(die: int) -> None:
    ruleset: Any = load("frederick")
    state = begin(ruleset, LESSON + FIRST.name, {name: values[0] for name, values in ruleset.options.items()})

    def act(actor: int, text: str) -> Any:
        return ruleset.apply(state, actor, ruleset.parse_action(state, actor, text))

    for step in FIRST.steps:
        while ruleset.pending(state)[0].actor == 1:
            state = act(1, "done").state
        transition = act(0, step.orders[0])
        state = transition.state
    told = [ruleset.presenter.present_event(event) for event in act(2, f"roll {die}").events(0)]
    (battle,) = [line.battle for line in told if line.battle]
    assert battle.winner == FIRST.side


def test_the_first_battle_is_fought_within_three_minutes() -> None:
    said = " ".join([FIRST.about, FIRST.goal, *(step.say for step in FIRST.steps)])
    seconds = len(said.split()) * 60 / WORDS_A_MINUTE + CLICKS * SECONDS_A_CLICK
    assert seconds <= 180


def test_the_first_lesson_names_no_rule_and_shows_none() -> None:
    assert FIRST.plain
    said = " ".join([FIRST.ending, *(step.say for step in FIRST.steps)])
    assert not re.search(r"\b[A-Z]\d+\.\d+", said)
