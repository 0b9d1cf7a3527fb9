from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bench import checks
from bench.checks import FIGHTS, SIEGES, Fight, fall_chances, sample_battles
from leuthen.engine.ruleset import CHANCE, SIDES
from leuthen.load import load, read_data, read_rulebook
from leuthen.play.dice import Key
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, CITY, FORT, FORTRESS, NATIONS
from leuthen.rulesets.campaigns.model.events import RaisedTp
from leuthen.rulesets.campaigns.model.forces import percent_at, ranked
from leuthen.rulesets.campaigns.model.pieces import TURNS
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.rules.r02_leaders import leaders_of
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range
from leuthen.rulesets.campaigns.rules.r11_siege import breach_number, surrender_number
from leuthen.rulesets.campaigns.rules.r12_battle import prisoners_taken
from leuthen.rulesets.campaigns.rules.r12_fight import Account, default_split, legal_splits
from leuthen.rulesets.campaigns.rules.r14_prisoners import RANSOM
from leuthen.rulesets.campaigns.rules.r15_arrivals import bring_recruits
from leuthen.rulesets.campaigns.ruleset import Campaigns
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import LeaderId
from tests.campaigns.positions import rules
from tests.rows import rows

STATE = rules().new_game("1757", {})
BASE = rules().new_game("1757", {"rules": "base"})


def test_the_commitment_table_matches_the_rules() -> None:
    found = [percent_at(STATE.data.commitment, result, 1) for result in range(-1, 10)]
    assert found == [25, 25, 25, 40, 50, 60, 75, 90, 100, 100, 100]


def test_the_combat_table_matches_the_rules() -> None:
    found = [percent_at(STATE.data.combat, result, 0) for result in range(-3, 13)]
    assert found == [2, 2, 2, 2, 4, 6, 8, 10, 12, 14, 17, 20, 23, 26, 26, 26]


def test_the_attrition_table_matches_the_rules() -> None:
    assert [percent_at(STATE.data.attrition, result, 1) for result in range(1, 10)] == [0, 5, 5, 5, 10, 10, 10, 10, 10]
    means = [sum(percent_at(STATE.data.attrition, die + added, 1) for die in range(1, 7)) / 6 for added in range(3)]
    assert [round(mean, 1) for mean in means] == [5.8, 7.5, 8.3]


@pytest.mark.parametrize(
    ("place", "kind", "breach", "surrender"),
    [("1830", CITY, "666666", "355"), ("2030", FORT, "234555", "245"), ("1733", FORTRESS, "123344", "134")],
)
def test_the_siege_tables_match_the_rules(place: str, kind: int, breach: str, surrender: str) -> None:
    here = parse_hex(place)
    assert rules().data.strongholds[here].kind == kind
    assert [breach_number(STATE, here, turn) for turn in range(1, 9)] == [*map(int, breach), *[int(breach[-1])] * 2]
    assert [surrender_number(STATE, here, breaches) for breaches in (1, 2, 3)] == [*map(int, surrender)]


def test_the_number_of_prisoners_follows_the_rules() -> None:
    assert [prisoners_taken(STATE, won, lost) for won, lost in ((4, 13), (9, 8), (0, 1), (5, 5))] == [5, 0, 1, 0]
    assert [prisoners_taken(BASE, 0, lost) for lost in (1, 4, 5, 8)] == [1, 1, 2, 2]
    assert RANSOM == 5


def test_losses_match_the_published_example() -> None:
    first = [Account(LeaderId(0), 20), Account(LeaderId(1), 5)]
    assert set(legal_splits(first, [20, 5], 3)) == {(3, 0), (2, 1)}
    assert legal_splits([Account(LeaderId(0), 20, 3), Account(LeaderId(1), 5, 0)], [17, 5], 2) == [(1, 1)]
    assert legal_splits([Account(LeaderId(0), 20, 2), Account(LeaderId(1), 5, 1)], [18, 4], 2) == [(2, 0)]


def test_the_replacement_table_matches_the_rules() -> None:
    rows = {"prussia": "112233", "austria": "122334", "france": "011223", "russia": "001123", "hanover": "001112"}
    for number, name in enumerate(NATIONS):
        assert rules().data.replacements[number] == tuple(map(int, rows.get(name, "000011")))


HEAD = "year,nation,points,mark\n"


@pytest.mark.parametrize(("turn", "points"), [(1, 3), (2, 0), (7, 2)])
def test_an_odd_reinforcement_arrives_on_turn_1(turn: int, points: int) -> None:
    game = Campaigns({**read_data("campaigns"), "tables/yearly.csv": f"{HEAD}1756,prussia,5,X\n"})
    draft = game.draft(game.new_game("campaign", {}))
    assert draft.data.yearly == {(1756, NATIONS.index("prussia")): 5}
    draft.turn = turn
    draft.joined = tuple(-TURNS for _ in draft.joined)
    bring_recruits(draft)
    assert [fact.points for fact in draft.facts if isinstance(fact, RaisedTp)] == [points] * bool(points)


def test_the_rulebook_lists_the_reinforcements_of_the_data() -> None:
    chapter = read_rulebook("campaigns")["base-18-scenarios.md"]
    table = chapter[chapter.index("**R18.4**") : chapter.index("**R18.5**")].splitlines()
    heads, *rows = ([cell.strip() for cell in row.strip("|").split("|")] for row in table if row.startswith("| "))
    found = {
        (int(row[0]), NATIONS.index(nation.lower())): int(points)
        for row in rows
        for nation, points in zip(heads[1:], row[1:], strict=True)
    }
    yearly = rules().data.yearly
    assert {key: one for key, one in found.items() if one} == {key: one for key, one in yearly.items() if one}


def rounds(seed: int) -> Iterator[tuple[list[Account], list[int], int]]:
    rng = Random(seed)
    accounts = [Account(LeaderId(number), rng.randrange(1, 25)) for number in range(rng.randrange(1, 4))]
    for _ in range(4):
        now = [account.start - account.lost for account in accounts]
        points = rng.randrange(0, 8)
        if points > sum(now):
            return
        yield accounts, now, points
        split = rng.choice(legal_splits(accounts, now, points))
        accounts = [replace(account, lost=account.lost + lost) for account, lost in zip(accounts, split, strict=True)]


def is_near(points: int, share: Fraction) -> bool:
    return floor(share) <= points <= ceil(share)


@pytest.mark.parametrize("seed", range(60))
def test_legal_splits_are_close_to_the_shares(seed: int) -> None:
    for accounts, now, points in rounds(seed):
        whole = sum(account.start for account in accounts)
        total = points + sum(account.lost for account in accounts)
        every = [split for split in product(*(range(n + 1) for n in now)) if sum(split) == points]
        fair = [
            split
            for split in every
            if all(is_near(n + a.lost, Fraction(total * a.start, whole)) for n, a in zip(split, accounts, strict=True))
        ]
        of_this_round = [
            split
            for split in fair
            if all(is_near(n, Fraction(points * a.start, whole)) for n, a in zip(split, accounts, strict=True))
        ]
        found = legal_splits(accounts, now, points)
        assert set(found) == set(of_this_round or fair or found)
        assert found[1:] == [] or fair
        assert all(sum(split) == points for split in found)


@pytest.mark.parametrize(
    ("starts", "lost", "points", "expected"), rows("campaigns-tables-what-is-lost-by-the-largest-remainder")
)
def test_the_default_split_uses_the_largest_remainder(
    starts: tuple[int, ...], lost: tuple[int, ...], points: int, expected: tuple[int, ...]
) -> None:
    accounts = [Account(LeaderId(n), start, gone) for n, (start, gone) in enumerate(zip(starts, lost, strict=True))]
    now = [account.start - account.lost for account in accounts]
    assert default_split(legal_splits(accounts, now, points), accounts, points) == expected


ACTIONS = 250


@pytest.fixture(scope="module")
def states() -> list[tuple[State, State]]:
    game: Any = load("campaigns")
    rng, dice = Random(5), Key.from_seed("census").dice()
    state = game.new_game("1757")
    found = []
    for _ in range(ACTIONS):
        actor = game.pending(state)[0].actor
        is_chance = actor == CHANCE
        action = dice.pick(game.chances(state)) if is_chance else game.legal_actions(state, actor).sample(rng)
        state = game.apply(state, actor, action).state
        found.append((state, game.restore(game.dump(state))))
    return found


def test_incremental_values_equal_recomputed_ones(states: list[tuple[State, State]]) -> None:
    for current, fresh in states:
        for part in ("numbers", "field", "inside", "fields", "insides"):
            assert getattr(current.census, part) == getattr(fresh.census, part)
        for side in SIDES:
            assert depot_range(current, side) == depot_range(fresh, side)
        for nation in ALL_NATIONS:
            assert ranked(current, nation) == ranked(fresh, nation)
            assert leaders_of(current, nation) == leaders_of(fresh, nation)


def test_a_scene_from_memos_equals_a_new_one(states: list[tuple[State, State]]) -> None:
    seen: Any = load("campaigns")
    for current, _ in states[::25]:
        blank: Any = load.__wrapped__("campaigns")
        view = seen.view(current, 0)
        assert seen.presenter.scene(view) == blank.presenter.scene(view)


BATTLES = 120


@pytest.mark.parametrize(("kind", "modifier", "percentages"), SIEGES)
def test_sieges_fall_as_in_the_published_table(kind: str, modifier: int, percentages: tuple[int, ...]) -> None:
    exact = fall_chances(rules(), kind, modifier)
    for turn, percent in zip(checks.TURNS, percentages, strict=True):
        assert abs(100 * float(exact[turn - 1]) - percent) < 1.2, (turn, float(exact[turn - 1]))


@pytest.mark.parametrize("fight", FIGHTS, ids=lambda fight: fight.name)
def test_battles_end_as_in_the_published_table(fight: Fight) -> None:
    result = sample_battles(rules(), fight, BATTLES)
    won, rounds, mine, theirs = fight.expected
    assert abs(result.won - won) <= 14
    assert abs(result.rounds - rounds) <= 0.5
    assert abs(result.losses[0] - mine) <= 1.4
    assert abs(result.losses[1] - theirs) <= 2.6
