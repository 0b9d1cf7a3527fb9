import pytest

from leuthen.engine.decision import Decision
from leuthen.load import load
from leuthen.rulesets.frederick.rules import c05_council
from tests.laws import course
from tests.laws.course import LEDGERS
from tests.laws.interruptions import (
    DECISIONS,
    WITHOUT_POSITION,
    events,
    fault_after,
    positions,
    possible_events,
    sample_positions,
)

POSITIONS = 1
ACTIONS = 5


@pytest.mark.parametrize(("name", "kind"), DECISIONS, ids=lambda one: getattr(one, "__name__", one))
def test_the_laws_hold_after_an_interruption(name: str, kind: type[Decision]) -> None:
    game = load(name)
    tried = {
        f"{event.word} of {event.power} {'during' if between else 'after'} position {number}": fault_after(
            game, state, event, number, ACTIONS, between=between
        )
        for number, state in enumerate(sample_positions(name, kind, POSITIONS))
        for event in possible_events(name, state)
        for between in (True, False)
    }
    assert not {which: fault for which, fault in tried.items() if fault}


@pytest.mark.parametrize("name", LEDGERS)
def test_every_kind_of_decision_has_a_position(name: str) -> None:
    missing = [kind.__name__ for ruleset, kind in DECISIONS if ruleset == name and not positions(name).get(kind)]
    assert not set(missing) - set(WITHOUT_POSITION), "no case asks for these, and no reason is given"


def test_a_broken_law_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "LAWS", {_breaks: 1})
    (state, *_) = positions("frederick")[c05_council.SubsidyRoll]
    event = next(events("frederick", state))
    assert fault_after(load("frederick"), state, event, 0, 0, between=True) == "_breaks: as planted"


def _breaks(turn: course.Turn) -> None:
    raise AssertionError("as planted")
