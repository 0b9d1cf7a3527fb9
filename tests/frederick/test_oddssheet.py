from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import WATCHER, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA, RUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.odds import battle as odds
from leuthen.rulesets.frederick.odds import dice as diceodds
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase
from leuthen.rulesets.frederick.screen.odds import make_odds
from leuthen.rulesets.frederick.screen.setting import make_setting
from leuthen.screen.values import Odds, OddsCase, OddsResult
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import bag
from tests.frederick.handmade import Table, game_data, hexagon
from tests.properties.armies import armies
from tests.properties.games import positions

TOPICS = ("attack", "defend", "siege", "overwhelm", "attrition", "morale", "march")
HERE = "1126"


def scene() -> Table:
    table = Table()
    table.put(HERE, PRUSSIAN, bag(PRUSSIA, 24), "Frederick")
    table.put(HERE, AUSTRIAN, bag(AUSTRIA, 20), "Daun", low=15, high=25, since=175702)
    table.put("1125", PRUSSIAN, bag(PRUSSIA, 9), "Schwerin", demoralized=True)
    table.put("1125", AUSTRIAN, bag(AUSTRIA, 4), "Browne", inside=True)
    return table


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


def test_every_distribution_is_whole_and_exact() -> None:
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


def test_every_spot_is_a_cell_of_a_table() -> None:
    door: Any = load("frederick")
    cards = {card.id: card for card in make_setting(door, door.data).tables}
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
    return scene().state(allegiance=(0, 1, 2, 2, 2, 2, 1, 2))


def test_a_battle_has_the_numbers_of_the_engine() -> None:
    found = sheet(scene().state(), f"attack {HERE}")
    band = odds.battle_band(scene().state(), PRUSSIAN, hexagon(HERE), AUSTRIAN, 15, 25)
    assert [case.label for case in found.cases] == [f"{points} SP, {one.ratio} %" for points, one in band.items()]
    for case, one in zip(found.cases, band.values(), strict=True):
        assert [Fraction(part.odds) for part in case.results] == [one.win, one.draw, one.lose]
        lost = {spread.label: spread for spread in case.spreads}
        for who, whose in enumerate(("we", "they")):
            lines = lost[f"SP that {whose} lose"].parts
            assert sum(part.value * Fraction(part.odds) for part in lines if part.value) == odds.mean(one.gone(who))
        fate = {part.label: Fraction(part.odds) for part in lost["our commander"].parts}
        assert fate.get("killed", 0) == one.killed[0]
        assert fate.get("captured", 0) == one.captured[0]
    assert found.notes == (
        "Beaten, we retreat 4 to 6 hexes; they retreat 2 to 6 hexes (O9.7)",
        "Enemy strength 15 to 25. The enemy's strength is not known: "
        "the odds go from one end of what you know to the other.",
    )


def test_the_defender_sees_it_from_his_side() -> None:
    found = sheet(scene().state(), f"defend {HERE}")
    (case,) = [case for case in found.cases if case.label.startswith("20 ")] or found.cases[:1]
    assert [spread.side for spread in case.spreads if spread.label.startswith("SP that we")] == [PRUSSIAN]
    attack = sheet(scene().state(), f"attack {HERE}", AUSTRIAN)
    assert "Daun" in attack.title
    assert found.title.startswith("At 1126")


def test_a_siege_and_an_overwhelming_attack() -> None:
    siege = sheet(scene().state(), "siege 1125")
    assert [case.label for case in siege.cases] == ["1 to 2 SP inside", "3 to 4 SP inside", "5 or more SP inside"]
    assert siege.cases[1].results[0].odds == "2/3"
    assert siege.cases[1].results[0].label == "repulse: the besieger loses 1 SP"
    certain = sheet(scene().state(), f"overwhelm {HERE}")
    assert [(case.label, case.results[0].label) for case in certain.cases] == [
        ("15 to 25 SP", "fails, and an attack must follow")
    ]


def test_recovery_attrition_and_diplomacy() -> None:
    state = neutral()
    recovery = sheet(state, "morale Schwerin")
    assert recovery.cases[0].results[0].odds == "1/3"
    assert recovery.cases[0].rolls[4] == "5 + 2: recovers"
    attrition = sheet(state, f"attrition {HERE}")
    assert attrition.cases[0].results[0] == OddsResult("no loss", "1/6", 1 / 6)
    assert attrition.cases[0].rolls[5] == "6 (= 6): 10 %, 2 SP"
    russia = sheet(state, "diplomacy Russia 1 2").cases[0]
    chances = diceodds.diplomacy_odds(state, RUSSIA, 1, 2)
    assert [Fraction(part.odds) for part in russia.results] == list(chances)


def test_a_stack_that_cannot_retreat_would_surrender() -> None:
    table = Table()
    table.put("1128", PRUSSIAN, bag(PRUSSIA, 10), "Keith")
    table.put("1128", AUSTRIAN, bag(AUSTRIA, 10), "Daun")
    for there in game_data().board.neighbours[hexagon("1128")]:
        table.put(hex_name(there), AUSTRIAN, bag(AUSTRIA, 1))
    assert sheet(table.state(), "attack 1128").notes[0].startswith("Beaten, we cannot retreat and surrender; they")


@pytest.mark.parametrize("text", ["", "moon", "attack 1127", "siege 1126", "a"])
def test_what_cannot_be_answered(text: str) -> None:
    with pytest.raises((Invalid, Ambiguous)):
        sheet(scene().state(), text)
    with pytest.raises(Invalid):
        sheet(scene().state(), f"attack {HERE}", WATCHER)


def test_sheets_tell_nothing_hidden() -> None:
    def shown(theirs: int, garrison: int) -> list[bytes]:
        table = Table()
        table.put(HERE, PRUSSIAN, bag(PRUSSIA, 24), "Frederick")
        table.put(HERE, AUSTRIAN, bag(AUSTRIA, theirs), "Daun", low=2, high=99, since=175702)
        table.put("1125", PRUSSIAN, bag(PRUSSIA, 9), "Schwerin")
        table.put("1125", AUSTRIAN, bag(AUSTRIA, garrison), inside=True)
        texts = (f"attack {HERE}", f"defend {HERE}", f"overwhelm {HERE}", "siege 1125", "march Frederick")
        return [msgspec.json.encode(sheet(table.state(), text)) for text in texts]

    assert shown(3, 2) == shown(20, 5) == shown(77, 30)


def test_without_a_hex_the_question_names_it() -> None:
    combat = scene().state(frames=(CombatPhase(PRUSSIAN, PRUSSIAN),))
    assert sheet(combat, "attack") == sheet(combat, f"attack {HERE}")
    assert sheet(combat, "defend", AUSTRIAN) == sheet(combat, f"defend {HERE}", AUSTRIAN)
    sieges = scene().state(frames=(SiegePhase(PRUSSIAN),))
    assert sheet(sieges, "siege") == sheet(sieges, "siege 1125")
    with pytest.raises(Invalid, match="a hex"):
        sheet(scene().state(), "attack")
    table = scene()
    table.put("1128", PRUSSIAN, bag(PRUSSIA, 9), "Keith")
    table.put("1128", AUSTRIAN, bag(AUSTRIA, 9))
    with pytest.raises(Ambiguous, match="name a hex: 1126, 1128"):
        sheet(table.state(frames=(CombatPhase(PRUSSIAN, PRUSSIAN),)), "attack")
