"""The fit of the new troops (R18.4) and the measure of what stands on the map, on springs made by hand."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import cast

import pytest
from rich.progress import Progress

from leuthen.engine.ruleset import Ruleset
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.rulesets.campaigns.model.events.turns import RaisedTp
from leuthen.rulesets.campaigns.model.state import TURNS
from leuthen.rulesets.campaigns.rules.r15_arrivals.arrivals import bring_recruits
from leuthen.rulesets.campaigns.ruleset import Campaigns
from leuthen.wargame.strength import PowerId, bag
from tests.campaigns.kit import rules
from tools.strengths import __main__ as command
from tools.strengths.games import Numbers, Spring, Strengths, Task, game_with, play_to, strengths_of

ARGS = argparse.Namespace(games=4, jobs=1, seed="test")
PRUSSIA = "prussia"


def fitted(monkeypatch: pytest.MonkeyPatch, strengths: Strengths) -> dict[tuple[int, str], int]:
    """The fit to games that reach each spring with the same strengths."""

    def played(tasks: Sequence[Task], numbers: Numbers | None, jobs: int) -> Iterator[Spring | None]:
        return (Spring(b"", strengths) for _ in tasks)

    monkeypatch.setattr(command, "play_all", played)
    with Progress(disable=True) as progress:
        return command.fit(ARGS, progress)


def test_half_of_the_years_troops_fills_the_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = fitted(monkeypatch, {PRUSSIA: 100, "hanover": 40, "russia": 400})
    assert [numbers[year, "hanover"] for year in command.YEARS[1:]] == [20, 70, 80, 100, 100]
    assert numbers[1758, "russia"] == 0


def test_a_strength_that_falls_is_aimed_at_from_below(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = fitted(monkeypatch, {PRUSSIA: 100})
    assert [numbers[year, PRUSSIA] for year in command.YEARS] == [142, 106, 70, 24, 30, 40]


def test_who_is_at_war_in_no_game_gets_what_he_got_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fitted(monkeypatch, {PRUSSIA: 190})[1762, "sweden"] == 0
    monkeypatch.setattr(command, "targets", lambda: {(1758, "sweden"): 17, (1759, "sweden"): 15})

    def played(tasks: Sequence[Task], numbers: Numbers | None, jobs: int) -> Iterator[Spring | None]:
        return (Spring(b"", {"sweden": 10} if task.year == 1758 else {}) for task in tasks)

    monkeypatch.setattr(command, "play_all", played)
    with Progress(disable=True) as progress:
        assert command.fit(ARGS, progress) == {(1758, "sweden"): 10, (1759, "sweden"): 10}


def test_the_numbers_of_a_fit_are_those_of_the_game() -> None:
    game = game_with({(1757, PRUSSIA): 7})
    state = game.new_game("campaign", {})
    assert state.data.yearly == {(1757, NATIONS.index(PRUSSIA)): 7}


@pytest.mark.parametrize(("turn", "points"), [(1, 3), (2, 0), (7, 2)])
def test_the_odd_one_comes_on_turn_1(turn: int, points: int) -> None:
    game = cast(Campaigns, game_with({(1756, PRUSSIA): 5}))
    draft = game.draft(game.new_game("campaign", {}))
    draft.turn = turn
    draft.joined = tuple(-TURNS for _ in draft.joined)
    bring_recruits(draft)
    assert [fact.points for fact in draft.facts if isinstance(fact, RaisedTp)] == [points] * bool(points)


def test_a_game_reaches_the_spring_before_and_after_the_arrivals() -> None:
    game: Ruleset = game_with({(1757, PRUSSIA): 2})
    spring = play_to(game, Task(None, 1757, "one"))
    assert spring is not None
    before = game.restore(spring.state)
    assert game.date(before) <= (1757, 1)
    assert spring.strengths[PRUSSIA] == strengths_of(before)[PRUSSIA] + 1


def test_garrisons_are_counted_and_who_joined_this_year_is_not() -> None:
    state = rules().draft(rules().new_game("campaign", {}))
    prussia = NATIONS.index(PRUSSIA)
    before = strengths_of(state)[PRUSSIA]
    state.set_garrison(
        next(iter(state.garrisons)), state.garrisons[next(iter(state.garrisons))] + bag(PowerId(prussia), 30)
    )
    assert strengths_of(state)[PRUSSIA] == before + 30
    state.joined = tuple(state.clock if n == prussia else joined for n, joined in enumerate(state.joined))
    assert PRUSSIA not in strengths_of(state)


def test_the_page_shows_the_numbers_on_file() -> None:
    rows = [line.split("|") for line in command.PAGE.read_text().splitlines() if line.startswith("| 17")]
    shown = {(int(row[1]), row[2].strip().lower()): int(row[5]) for row in rows}
    assert shown == command.read_table()
