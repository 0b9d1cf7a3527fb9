from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import CHANCE, NOBODY, WATCHER, Side, ViewerId, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick import odds
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.actions import Attack, Besiege
from leuthen.rulesets.frederick.model.data import AUSTRIA, HANOVER, PRUSSIA, RUSSIA
from leuthen.rulesets.frederick.model.events import BattleFought, CommanderFate, DiplomacyRolled, Recovered, SiegeRolled
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, Depot
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c04_sequence import Campaign, GameTurn, PlayerTurn, War
from leuthen.rulesets.frederick.rules.c05_council import DiplomacyRoll
from leuthen.rulesets.frederick.rules.o09_combat import BattleRoll, CombatPhase, CommanderRoll
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase, SiegeRoll
from leuthen.rulesets.frederick.rules.o14_attrition import MoraleRoll
from leuthen.rulesets.frederick.screen.odds import make_odds
from leuthen.rulesets.frederick.screen.setting import make_setting
from leuthen.screen.values import Odds, OddsCase, OddsResult
from leuthen.terminal.page import odds_lines
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import bag
from tests.frederick.handmade import PositionBuilder, game_data, hexagon
from tests.properties.armies import armies
from tests.properties.games import positions
from tests.rows import rows

HERE = "1126"
HALF, SIXTH, SURE, NEVER = Fraction(1, 2), Fraction(1, 6), Fraction(1), Fraction(0)
BELOW = (War(True), Campaign(True), GameTurn(2), PlayerTurn(PRUSSIAN, 10))


def mean(spread: odds.Spread) -> Fraction:
    return sum((value * chance for value, chance in spread), Fraction(0))


def facing(mine: int, theirs: int, who: str = "Frederick", against: str = "Daun", here: str = HERE) -> PositionBuilder:
    builder = PositionBuilder()
    builder.put(here, PRUSSIAN, bag(PRUSSIA, mine), *([who] if who else []))
    builder.put(here, AUSTRIAN, bag(AUSTRIA, theirs), *([against] if against else []))
    return builder


def all_outcomes(state: State, side: Side, here: str) -> Iterator[tuple[Fraction, tuple[object, ...]]]:
    rules = load("frederick")
    begun = rules.apply(state, side, Attack(hexagon(here)))
    open_branches = [(Fraction(1), begun.state, begun.facts)]
    while open_branches:
        chance, now, facts = open_branches.pop()
        if not isinstance(now.frames[-1], BattleRoll | CommanderRoll):
            yield chance, facts
            continue
        for action, share in rules.chances(now):
            after = rules.apply(now, CHANCE, action)
            open_branches.append((chance * share, after.state, (*facts, *after.facts)))


@pytest.mark.parametrize("here", [HERE, "1527"])
@pytest.mark.parametrize("strengths", [(24, 20), (10, 30), (30, 9), (1, 1), (7, 27), (16, 16)])
def test_battle_odds_match_all_possible_rolls(strengths: tuple[int, int], here: str) -> None:
    state = facing(*strengths, here=here).state(frames=(*BELOW, CombatPhase(PRUSSIAN, PRUSSIAN)))
    found = odds.battle_odds(state, PRUSSIAN, hexagon(here))
    shares = dict.fromkeys((PRUSSIAN, AUSTRIAN, NOBODY), Fraction(0))
    lost, hit = Fraction(0), [Fraction(0), Fraction(0)]
    for chance, facts in all_outcomes(state, PRUSSIAN, here):
        fight = next(fact for fact in facts if isinstance(fact, BattleFought))
        shares[fight.winner] += chance
        lost += chance * (fight.losses[1] + (fight.prisoners if fight.winner == PRUSSIAN else 0))
        for fate in (fact for fact in facts if isinstance(fact, CommanderFate)):
            hit[fate.side] += chance * (fate.fate in ("killed", "captured"))
    assert (found.win, found.lose, found.draw) == (shares[PRUSSIAN], shares[AUSTRIAN], shares[NOBODY])
    assert mean(found.gone(1)) == lost
    assert [found.killed[who] + found.captured[who] for who in (0, 1)] == hit
    for values in (*found.prisoners, found.gone(0), found.gone(1)):
        assert sum(chance for _, chance in values) == 1


@pytest.mark.parametrize(("mine", "theirs", "crushed"), [(20, 5, AUSTRIAN), (5, 21, PRUSSIAN), (5, 20, NOBODY)])
def test_a_ratio_of_four_to_one_needs_no_die(mine: int, theirs: int, crushed: int) -> None:
    found = odds.battle_odds(facing(mine, theirs).state(), PRUSSIAN, hexagon(HERE))
    assert (found.fights == ()) == (crushed != NOBODY)
    if crushed != NOBODY:
        assert (found.win, found.lose) == ((SURE, NEVER) if crushed == AUSTRIAN else (NEVER, SURE))
        assert found.gone(crushed) == ((min(mine, theirs), SURE),)
        assert found.captured[crushed] == 1


def test_a_band_has_odds_at_its_ends_and_column_changes() -> None:
    state = facing(20, 9).state()
    band = odds.battle_band(state, PRUSSIAN, hexagon(HERE), AUSTRIAN, 3, 200)
    assert list(band) == [3, 6, 7, 11, 14, 21, 31, 41, 61, 81]
    assert [band[points].captured for points in (3, 81)] == [(NEVER, SURE), (SURE, NEVER)]
    assert not band[3].fights + band[81].fights
    assert band[41].win <= band[21].win <= band[7].win
    assert list(odds.battle_band(state, PRUSSIAN, hexagon(HERE), AUSTRIAN, 9, 9)) == [9]
    assert list(odds.battle_band(state, AUSTRIAN, hexagon(HERE), AUSTRIAN, 3, 12)) == [3, 5, 7, 10, 12]


@pytest.mark.parametrize(("inside", "who"), [(2, ""), (5, "Browne"), (3, "Daun"), (9, "")])
def test_siege_odds_match_all_possible_rolls(inside: int, who: str) -> None:
    builder = PositionBuilder()
    builder.put("1125", PRUSSIAN, bag(PRUSSIA, 12), "Keith")
    builder.put("1125", AUSTRIAN, bag(AUSTRIA, inside), *([who] if who else []), inside=True)
    depots = {hexagon("1125"): Depot(PRUSSIA, True)}
    state = builder.state(frames=(*BELOW, SiegePhase(PRUSSIAN)), depots=depots, sieges={hexagon("1125"): 2})
    rules = load("frederick")
    rolling = rules.apply(state, PRUSSIAN, Besiege(hexagon("1125"))).state
    results: dict[str, Fraction] = {}
    for action, chance in rules.chances(rolling):
        facts = rules.apply(rolling, CHANCE, action).facts
        result = next(fact.result for fact in facts if isinstance(fact, SiegeRolled))
        results[result] = results.get(result, Fraction(0)) + chance
    assert (
        odds.shares(roll.result for roll in odds.rolls(state, SiegeRoll(PRUSSIAN, hexagon("1125")), SiegeRolled))
        == results
    )


def test_recovery_attrition_and_diplomacy_odds() -> None:
    builder = PositionBuilder()
    shaken = builder.put(HERE, PRUSSIAN, bag(PRUSSIA, 20), "Frederick", demoralized=True)
    builder.put("1127", PRUSSIAN, bag(PRUSSIA, 4), demoralized=True)
    state = builder.state(allegiance=(0, 1, 2, 2, 2, 2, 1, 2))
    assert odds.shares(roll.success for roll in odds.rolls(state, MoraleRoll(shaken.key), Recovered))[True] == HALF
    assert [part.chance for part in sheet(state, "morale 1127").cases[0].results] == [0, 1]
    lost = odds.spread(roll.loss or 0 for roll in odds.attrition_rolls(state, shaken))
    assert lost == ((0, SIXTH), (1, HALF), (2, Fraction(1, 3)))
    joins = odds.shares(roll.result for roll in odds.rolls(state, DiplomacyRoll(RUSSIA, 0, 0), DiplomacyRolled))
    assert joins == {PRUSSIAN: Fraction(1, 6), AUSTRIAN: HALF, NOBODY: Fraction(1, 3)}  # +1: Saxony
    assert len(odds.rolls(state, DiplomacyRoll(HANOVER, 2, 4), DiplomacyRolled)) == 6


def odds_text(state: State, text: str, viewer: ViewerId = PRUSSIAN) -> str:
    return "\n".join(odds_lines(make_odds(game_data(), make_view(state, as_viewer(viewer)), text)))


def scene() -> PositionBuilder:
    builder = facing(24, 20)
    builder.put("1125", PRUSSIAN, bag(PRUSSIA, 9), "Schwerin", demoralized=True)
    builder.put("1125", AUSTRIAN, bag(AUSTRIA, 4), "Browne", inside=True)
    builder.put("1128", AUSTRIAN, bag(AUSTRIA, 12), "Charles", low=8, high=14, since=175702)
    return builder


@pytest.mark.parametrize(("text", "words"), rows("frederick-odds-printed"))
def test_the_terminal_prints_odds(text: str, words: str) -> None:
    assert words in odds_text(scene().state(allegiance=(0, 1, 1, 0, 2, 2, 1, 2)), text)


@pytest.mark.parametrize("text", rows("frederick-odds-refused"))
def test_an_unanswerable_odds_question_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        odds_text(scene().state(), text)
    with pytest.raises(Invalid):
        odds_text(scene().state(), "attack 1126", viewer=WATCHER)


TOPICS = ("attack", "defend", "siege", "overwhelm", "attrition", "morale", "march")


def sheet_scene() -> PositionBuilder:
    builder = PositionBuilder()
    builder.put(HERE, PRUSSIAN, bag(PRUSSIA, 24), "Frederick")
    builder.put(HERE, AUSTRIAN, bag(AUSTRIA, 20), "Daun", low=15, high=25, since=175702)
    builder.put("1125", PRUSSIAN, bag(PRUSSIA, 9), "Schwerin", demoralized=True)
    builder.put("1125", AUSTRIAN, bag(AUSTRIA, 4), "Browne", inside=True)
    return builder


def sheet(state: State, text: str, viewer: int = PRUSSIAN) -> Odds:
    return make_odds(game_data(), make_view(state, as_viewer(viewer)), text)


def sheets() -> Iterator[tuple[State, str, Odds]]:
    states = [armies(seed) for seed in range(12)] + [state for _, state in positions(0, 499)]
    rng = Random(7)
    for state in states:
        for stack in rng.sample(list(state.stacks.values()), min(4, len(state.stacks))):
            for topic in TOPICS:
                who = state.leader(stack.commander).name if stack.commander >= 0 else "Frederick"
                text = f"{topic} {who if topic == 'march' else hex_name(stack.hex)}"
                with suppress(Invalid):
                    yield state, text, sheet(state, text, stack.side if stack.side < WATCHER else PRUSSIAN)


def parts(case: OddsCase) -> Iterator[tuple[OddsResult, ...]]:
    yield case.results
    yield from (spread.parts for spread in case.spreads)


def test_every_distribution_is_complete_and_exact() -> None:
    count = 0
    for _, text, found in sheets():
        for case in found.cases:
            for group in parts(case):
                count += 1
                assert sum((Fraction(part.odds) for part in group), Fraction(0)) == 1, (text, case.label)
                assert all(part.chance == float(Fraction(part.odds)) for part in group)
                values = [part.value for part in group if part.value is not None]
                assert values == sorted(set(values))
    assert count > 300


def test_every_table_reference_is_a_cell() -> None:
    rules: Any = load("frederick")
    cards = {card.id: card for card in make_setting(rules, rules.data).tables}
    seen = set()
    for _, _, found in sheets():
        for spot in found.spots:
            card = cards[spot.table]
            assert spot.row in [row[0] for row in card.rows], spot
            assert not spot.column or spot.column in card.columns, spot
            seen.add(spot.table)
    assert seen == {"combat", "siege", "attrition", "morale", "force-march"}
    (diplomacy,) = {spot.table for spot in sheet(neutral(), "diplomacy").spots}
    assert diplomacy == "diplomacy"
    for spot in sheet(neutral(), "diplomacy").spots:
        assert spot.column in cards["diplomacy"].columns


def neutral() -> State:
    return sheet_scene().state(allegiance=(0, 1, 2, 2, 2, 2, 1, 2))


def test_a_battle_sheet_shows_the_engine_odds() -> None:
    found = sheet(sheet_scene().state(), f"attack {HERE}")
    band = odds.battle_band(sheet_scene().state(), PRUSSIAN, hexagon(HERE), AUSTRIAN, 15, 25)
    assert [case.label for case in found.cases] == [f"{points} SP ({one.ratio} %)" for points, one in band.items()]
    for case, one in zip(found.cases, band.values(), strict=True):
        assert [Fraction(part.odds) for part in case.results] == [one.win, one.draw, one.lose]
        lost = {spread.label: spread for spread in case.spreads}
        for who, whose in enumerate(("we", "they")):
            lines = lost[f"SP that {whose} lose"].parts
            assert sum(part.value * Fraction(part.odds) for part in lines if part.value) == mean(one.gone(who))
        fate = {part.label: Fraction(part.odds) for part in lost["our commander"].parts}
        assert fate.get("killed", 0) == one.killed[0]
        assert fate.get("captured", 0) == one.captured[0]
    assert found.notes == (
        "If beaten, we retreat 4 to 6 hexes; they retreat 2 to 6 hexes (O9.7)",
        "Enemy strength 15 to 25. Odds for every strength the enemy may have.",
    )


def test_odds_reveal_nothing_hidden() -> None:
    def shown(theirs: int, garrison: int) -> list[bytes]:
        builder = PositionBuilder()
        builder.put(HERE, PRUSSIAN, bag(PRUSSIA, 24), "Frederick")
        builder.put(HERE, AUSTRIAN, bag(AUSTRIA, theirs), "Daun", low=2, high=99, since=175702)
        builder.put("1125", PRUSSIAN, bag(PRUSSIA, 9), "Schwerin")
        builder.put("1125", AUSTRIAN, bag(AUSTRIA, garrison), inside=True)
        texts = (f"attack {HERE}", f"defend {HERE}", f"overwhelm {HERE}", "siege 1125", "march Frederick")
        return [msgspec.json.encode(sheet(builder.state(), text)) for text in texts]

    assert shown(3, 2) == shown(20, 5) == shown(77, 30)


def test_odds_default_to_the_hex_of_the_decision() -> None:
    combat = sheet_scene().state(frames=(CombatPhase(PRUSSIAN, PRUSSIAN),))
    assert sheet(combat, "attack") == sheet(combat, f"attack {HERE}")
    assert sheet(combat, "defend", AUSTRIAN) == sheet(combat, f"defend {HERE}", AUSTRIAN)
    sieges = sheet_scene().state(frames=(SiegePhase(PRUSSIAN),))
    assert sheet(sieges, "siege") == sheet(sieges, "siege 1125")
    with pytest.raises(Invalid, match="a hex"):
        sheet(sheet_scene().state(), "attack")
    builder = sheet_scene()
    builder.put("1128", PRUSSIAN, bag(PRUSSIA, 9), "Keith")
    builder.put("1128", AUSTRIAN, bag(AUSTRIA, 9))
    with pytest.raises(Ambiguous, match="name a hex: 1126, 1128"):
        sheet(builder.state(frames=(CombatPhase(PRUSSIAN, PRUSSIAN),)), "attack")
