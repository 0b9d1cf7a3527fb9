"""The fit of the new troops (R18.4) and the measure of what stands on the map, on springs made by hand."""

from __future__ import annotations

import pytest

from leuthen.load import read_data
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.rulesets.campaigns.model.events import RaisedTp
from leuthen.rulesets.campaigns.model.pieces import TURNS
from leuthen.rulesets.campaigns.rules.r15_arrivals import bring_recruits
from leuthen.rulesets.campaigns.ruleset import Campaigns
from leuthen.wargame.strength import PowerId, bag
from tests.campaigns.kit import rules
from tools.strengths import __main__ as command
from tools.strengths.__main__ import Mean
from tools.strengths.games import YEARLY, Numbers, Task, play_to, strengths_of, yearly_text

PRUSSIA, AUSTRIA = "prussia", "austria"


def game_with(numbers: Numbers) -> Campaigns:
    """The rule set with these numbers of R18.4 instead of its own."""
    return Campaigns({**read_data("campaigns"), YEARLY: yearly_text(numbers)})


def means(strengths: dict[tuple[int, str], float]) -> dict[tuple[int, str], Mean]:
    return {key: Mean(value, 1.0, 30) for key, value in strengths.items()}


def missed(nation: str, bare: float, numbers: Numbers) -> float:
    """By how much a nation that would have so many men in each spring misses the war with these numbers of new ones."""
    lasting = {0: 0.5, **{years: command.LASTING**years for years in range(1, 6)}}
    found = 0.0
    for (spring, whose), goal in command.targets().items():
        if whose == nation:
            come = sum(
                n * lasting[spring - year] for (year, who), n in numbers.items() if who == nation and year <= spring
            )
            found += ((bare + come) / goal - 1) ** 2
    return found


@pytest.mark.parametrize("bare", [10, 60, 120])
def test_no_number_beside_a_fitted_one_comes_nearer_to_the_war(monkeypatch: pytest.MonkeyPatch, bare: int) -> None:
    monkeypatch.setattr(command, "read_table", dict)
    numbers = command.fit(means({key: bare for key in command.targets() if key[1] == AUSTRIA}))
    best = missed(AUSTRIA, bare, numbers)
    assert best < missed(AUSTRIA, bare, {})
    for year in command.YEARS:
        for other in (numbers[year, AUSTRIA] - 6, numbers[year, AUSTRIA] + 6):
            assert other < 0 or missed(AUSTRIA, bare, {**numbers, (year, AUSTRIA): other}) > best


def test_what_is_as_it_was_in_the_war_and_who_is_at_war_in_no_game_keeps_its_numbers() -> None:
    on_file = command.read_table()
    assert command.fit({}) == on_file
    assert command.fit(means({key: float(goal) for key, goal in command.targets().items()})) == on_file


def test_the_numbers_of_a_fit_are_those_of_the_game() -> None:
    game = game_with({(1757, PRUSSIA): 7})
    state = game.new_game("campaign", {})
    assert state.data.yearly == {(1757, NATIONS.index(PRUSSIA)): 7}


@pytest.mark.parametrize(("turn", "points"), [(1, 3), (2, 0), (7, 2)])
def test_the_odd_one_comes_on_turn_1(turn: int, points: int) -> None:
    game = game_with({(1756, PRUSSIA): 5})
    draft = game.draft(game.new_game("campaign", {}))
    draft.turn = turn
    draft.joined = tuple(-TURNS for _ in draft.joined)
    bring_recruits(draft)
    assert [fact.points for fact in draft.facts if isinstance(fact, RaisedTp)] == [points] * bool(points)


def test_a_game_reaches_the_spring_before_and_after_the_arrivals() -> None:
    game = game_with({(1757, PRUSSIA): 2})
    spring = play_to(game, Task(None, 1757, "one", "cadet"))
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


def test_numbers_on_which_cases_stand_are_held() -> None:
    numbers = command.fit(means({key: 10.0 for key in command.targets() if key[1] == PRUSSIA}))
    on_file = command.read_table()
    assert {key: numbers[key] for key in command.HELD} == {key: on_file[key] for key in command.HELD}
    assert numbers[1759, PRUSSIA] > on_file[1759, PRUSSIA]
