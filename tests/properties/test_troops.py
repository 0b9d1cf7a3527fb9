"""Random games of the second rule set: TP are conserved, every leader is in one place, the game ends."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from leuthen.campaigns.events.turns import LeaderCame, RaisedTp
from leuthen.campaigns.gamedata import COALITION, NATIONS, PRUSSIAN, SIDE_OF
from leuthen.campaigns.rules.placing import Appearing, Placing
from leuthen.campaigns.rules.supply import WAGON_LOAD
from leuthen.campaigns.state import CAPTIVE, COMING, ON_MAP, State
from leuthen.core.strength import largest, of
from tests.campaigns.kit import play, rules

SCENARIOS: tuple[tuple[str, dict[str, str]], ...] = (
    ("1756", {}),
    ("1757", {}),
    ("1757", {"rules": "base"}),
    ("1758", {}),
    ("1759", {}),
    ("1759", {"rules": "base"}),
)

SEEN = ("reaction-tried", "battle-opened", "combat-rolled", "losses-taken", "battle-ended", "retreat-made", "recovered")
"""What must happen in a war of some length, or little is tested."""


def men(state: State) -> Counter[int]:
    """All TP by nation: on the map, prisoners, on the way, to be placed, lost."""
    found: Counter[int] = Counter()
    bags = [unit.tp for unit in state.units.values()]
    for bag in (*bags, *state.garrisons.values(), *state.prisoners, state.dead):
        for nation in range(len(NATIONS)):
            found[nation] += of(bag, nation)
    for one in state.coming:
        found[one.nation] += one.tp
    for frame in state.frames:
        if isinstance(frame, Placing):
            found[frame.nation] += frame.points
    return found


@pytest.mark.parametrize(("scenario", "options"), SCENARIOS)
def test_tp_are_conserved_and_the_game_ends(scenario: str, options: dict[str, str]) -> None:
    for seed in (3, 7):  # these seeds play without zeal, and so to the end
        state = None
        for before, _, _, step, _ in play(seed, scenario, options):
            state = step.state
            came: Counter[int] = Counter()
            for fact in step.facts:
                if isinstance(fact, LeaderCame) and fact.instead < 0:
                    came[rules().data.leaders[fact.leader].nation] += fact.tp or 0
                elif isinstance(fact, RaisedTp):
                    came[fact.nation] += fact.points or 0
            assert men(state) - men(before) == +came
            assert not men(before) - men(state)
            check(state)
        assert state is not None
        assert state.outcome is not None


@pytest.mark.parametrize(("scenario", "options"), [*SCENARIOS, ("campaign", {})])
def test_tp_are_conserved_in_war(scenario: str, options: dict[str, str]) -> None:
    told: Counter[str] = Counter()
    for before, _, _, step, _ in islice(play(2, scenario, options), 700):
        came: Counter[int] = Counter()
        for fact in step.facts:
            if isinstance(fact, LeaderCame) and fact.instead < 0:
                came[rules().data.leaders[fact.leader].nation] += fact.tp or 0
            elif isinstance(fact, RaisedTp):
                came[fact.nation] += fact.points or 0
        assert men(step.state) - men(before) == +came
        check(step.state)
        told.update(str(fact.__struct_config__.tag) for fact in step.facts)
    assert not [word for word in SEEN if not told[word]], told


def check(state: State) -> None:
    """What no position may contradict."""
    data = state.data
    for number, unit in state.units.items():
        assert data.board.in_play(unit.hex)
        assert unit.sp >= 0
        if not data.is_wagon(number):
            assert of(unit.tp, data.leaders[number].nation) == unit.strength
        if unit.inside:
            assert state.owners[unit.hex] == state.side(number)
            assert data.kind_at(unit.hex).inside
    for here, tp in state.garrisons.items():
        assert SIDE_OF[largest(tp)] == state.owners[here]
    for here, depot in state.depots.items():
        assert state.owners[here] == SIDE_OF[depot.nation]
    for here, siege in state.sieges.items():
        assert here in data.strongholds
        assert 0 <= siege.breaches <= 3
    for here, tp in state.freed.items():
        assert all(of(tp, nation) <= of(state.garrisons[here], nation) for nation in range(len(NATIONS)))
    for side in (PRUSSIAN, COALITION):
        assert not any(of(state.prisoners[side], nation) for nation in range(len(NATIONS)) if SIDE_OF[nation] == side)
    check_leaders(state)


def check_leaders(state: State) -> None:
    """Every leader is in one place, and the roster says which; no wagon carries more than it can."""
    held = Counter(one.leader for captives in state.captives for one in captives)
    coming = Counter(one.leader for one in state.coming)
    coming += Counter(frame.leader for frame in state.frames if isinstance(frame, Appearing))
    for number, status in enumerate(state.roster):
        if state.data.is_wagon(number):
            assert number not in state.units or state.units[number].sp <= WAGON_LOAD
        else:
            places = number in state.units, held[number], coming[number]
            assert places == (status == ON_MAP, status == CAPTIVE, status == COMING), state.leader(number).name


def test_a_view_survives_its_bytes() -> None:
    game = rules()
    for state, *_ in islice(play(2, "1758"), 0, 900, 90):
        view = game.view(state, 0)
        assert game.decode_view(game.encode_view(view)) == view
