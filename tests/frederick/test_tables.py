"""Every operational table a second time, typed from the specification, and read back through the engine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec
import pytest

from leuthen.engine.ruleset import as_side
from leuthen.rulesets.frederick.model.data import AUSTRIA, NO_POWER, POWERS, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_forces import allowance
from leuthen.rulesets.frederick.rules.o09_combat import losses_in_percent, modified, percent_of, ratio_of
from leuthen.rulesets.frederick.rules.o13_siege import siege_modifiers, siege_result
from leuthen.rulesets.frederick.rules.o14_attrition import attrition_loss, attrition_percent
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import bag
from tests.frederick.handmade import Table, game_data, leader

COLUMNS = ((25, 32), (33, 49), (50, 65), (66, 99), (100, 149), (150, 199), (200, 299), (300, 399))
COMBAT = """
-1  50/5   50/5   50/10  35/10  20/10  15/15  10/15  5/20
0   50/5   50/5   50/10  30/10  20/15  15/15  10/20  5/20
1   50/5   50/10  45/10  30/10  20/15  10/15  10/20  5/25
2   50/5   50/10  40/10  25/15  15/15  10/20  5/20   5/25
3   50/10  50/10  40/10  25/15  15/20  10/20  5/25   5/30
4   50/10  50/10  35/15  25/15  15/20  10/25  5/30   5/35
5   50/10  50/15  35/15  20/20  15/20  10/25  5/30   5/35
6   50/10  45/15  30/15  20/20  10/25  10/30  5/35   5/40
7   50/10  40/15  30/20  20/25  10/30  5/35   5/40   5/45
8   50/15  40/20  25/20  15/25  10/30  5/35   5/45   5/50
9   50/15  35/20  25/25  15/30  10/35  5/40   5/50   5/50
"""
LEADERS = {
    "prussia": """Frederick 1 3-3-2; Schwerin 2 2-2-1; Henry 2 2-1-2; Keith 3 1-1-2; Ferdinand 3 2-2-2; Maurice 4
        1-2-1; Brunswick 4 1-0-1; Winterfeldt 4 2-1-1; Lehwaldt 4 1-1-1; Fouqué 5 1-1-2; Dohna 5 1-1-1; Zieten 5
        2-2-1; Seydlitz 5 2-3-1; Hülsen 5 1-1-1; Finck 6 1-1-1; Wedell 6 1-0-0""",
    "austria": """Charles 1 1-0-1; Browne 2 2-1-2; Daun 2 1-2-3; Piccolomini 3 0-1-1; Serbelloni 3 0-0-1; Nadasdy 4
        2-2-1; Lacy 4 1-1-2; Harsch 4 0-1-1; O'Donnell 4 1-1-1; Laudon 5 2-2-2; Hadik 5 2-1-1; Beck 6 2-1-0; de Ville
        5 0-0-1; Arenberg 5 0-1-0""",
    "france": """Richelieu 1 1-1-1; d'Estrées 1 1-1-2; Contades 2 0-1-1; Clermont 2 0-0-0; Soubise 2 0-1-1; de Broglie
        3 2-2-2; Chevert 4 1-2-1; St. Germain 4 1-1-2; d'Armentières 4 1-1-0; Castries 5 1-1-2; du Muy 5 0-0-1""",
    "hanover": """Cumberland 1 0-0-1; Zastrow 4 0-0-1; Karl 3 2-2-0; Spörcken 3 1-1-1; Granby 4 1-2-1; Imhoff 4 1-0-1;
        Wangenheim 5 1-1-1""",
    "russia": """Apraxin 1 0-0-2; Saltykov 1 1-2-3; Buturlin 1 0-1-1; Fermor 2 1-1-2; Rumyantsev 3 2-2-1; Chernyshev 4
        1-1-1; Tottleben 5 2-0-0""",
    "sweden": "Hamilton 1 0-0-1; Rosen 1 0-0-1; Lantingshausen 2 0-1-0; Ehrensvärd 2 1-0-1",
    "saxony": "Rutowski 1 0-0-1; Xaver 2 1-1-1",
    "empire": "Zweibrücken 1 0-0-1; Hildburghausen 1 0-0-0; Stolberg 2 0-0-1",
}
START = {
    "prussia": "Frederick Schwerin Ferdinand Brunswick Keith Maurice",
    "austria": "Browne Piccolomini Serbelloni Lacy Nadasdy",
    "france": "d'Estrées,de Broglie,Chevert,Contades,St. Germain",
    "hanover": "Cumberland Karl Zastrow",
    "russia": "Apraxin Fermor",
    "sweden": "Hamilton",
    "saxony": "Rutowski",
    "empire": "Zweibrücken",
}
PLACES = """
Berlin 2422 prussia 5; Magdeburg 2217 prussia 10 great; Stettin 2926 prussia 5; Colberg 3328 prussia 5; Cüstrin 2425
prussia 5; Königsberg 3741 prussia 5; Breslau 1733 prussia 10 great; Glogau 2030 prussia 5; Schweidnitz 1631 prussia 5;
Neisse 1434 prussia 5; Glatz 1432 prussia 5; Cosel 1436 prussia 5; Prague 1125 austria 10 great; Vienna 0232 austria 10
great; Olmütz 1034 austria 5; Brünn 0733 austria 5; Königgrätz 1230 austria 5; Eger 1121 austria 5; Dresden 1623 saxony
10 great; Torgau 1821 saxony 5; Hanover 2413 hanover 10; Stade 3011 hanover 5; Metz 0703 france 5; Strasburg 0406
france 5; Stralsund 3321 sweden 5; Russian-base 3742 russia 0; Nuremberg 0816 empire 5; Wesel 2004 nobody 5 france;
Venlo 1802 nobody 5 france; Roermond 1702 nobody 5 france; Minden 2210 nobody 5 hanover; Münster 2107 nobody 5 hanover;
Cassel 1811 nobody 5
"""
SILESIA = {"Breslau", "Glogau", "Schweidnitz", "Neisse", "Glatz", "Cosel"}
CLEAR, MOUNTAINS = "1126", "1527"


def combat_cells() -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
    for line in COMBAT.strip().splitlines():
        die, *cells = line.split()
        for column, cell in zip(COLUMNS, cells, strict=True):
            attacker, defender = cell.split("/")
            yield int(die), column, (int(attacker), int(defender))


@pytest.fixture
def pos() -> State:
    return Table().state()


def stack(pos: State, side: int, points: int, who: str = "", here: str = CLEAR, *, inside: bool = False) -> Stack:
    power = (PRUSSIA, AUSTRIA)[side]
    return make_stack(pos, parse_hex(here), as_side(side), inside, bag(power, points), (leader(who),) if who else ())


def test_combat_table(pos: State) -> None:
    cells = list(combat_cells())
    assert len(cells) == 88
    for die, (low, high), losses in cells:
        assert losses_in_percent(pos, low, die) == losses
        assert losses_in_percent(pos, high, die) == losses
    assert len(pos.data.combat) == 88


def test_ratio_drops_fractions() -> None:
    assert [ratio_of(*pair) for pair in ((1, 4), (2, 3), (33, 100), (10, 3), (399, 100), (24, 100), (5, 15))] == [
        25, 66, 33, 333, 399, 24, 33,
    ]  # fmt: skip


def test_losses_round_halves_up() -> None:
    assert [percent_of(5, strength) for strength in (1, 9, 10, 29, 30, 49, 50)] == [0, 0, 1, 1, 2, 2, 3]
    assert [percent_of(50, strength) for strength in (1, 2, 3, 7)] == [1, 1, 2, 4]
    assert [percent_of(15, strength) for strength in (3, 4, 10, 17)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("who", "against", "here", "change"),
    [
        ("", "", CLEAR, 0),
        ("Frederick", "", CLEAR, 3),
        ("", "Daun", CLEAR, -3),
        ("", "", MOUNTAINS, -2),
        ("Frederick", "Daun", CLEAR, 0),
        ("Keith", "Browne", CLEAR, -1),
        ("Frederick", "", MOUNTAINS, 1),
        ("", "Daun", MOUNTAINS, -5),
        ("Wedell", "Daun", MOUNTAINS, -5),
        ("Frederick", "Daun", MOUNTAINS, -2),
        ("Seydlitz", "Beck", CLEAR, 3),
    ],
)
def test_die_with_its_modifiers(pos: State, who: str, against: str, here: str, change: int) -> None:
    attacker, defender = stack(pos, PRUSSIAN, 10, who, here), stack(pos, AUSTRIAN, 10, against, here)
    for die in range(1, 7):
        assert modified(pos, attacker, defender, attacker.hex, die) == max(-1, min(9, die + change))


def test_limits_of_the_die(pos: State) -> None:
    bold, wary = stack(pos, PRUSSIAN, 10, "Frederick"), stack(pos, AUSTRIAN, 10, "Daun", MOUNTAINS)
    assert modified(pos, bold, stack(pos, AUSTRIAN, 10), bold.hex, 6) == 9
    assert modified(pos, stack(pos, PRUSSIAN, 10, "", MOUNTAINS), wary, wary.hex, 1) == -1
    assert modified(pos, stack(pos, PRUSSIAN, 10, "", MOUNTAINS), wary, wary.hex, 4) == -1
    assert modified(pos, stack(pos, PRUSSIAN, 10, "", MOUNTAINS), wary, wary.hex, 5) == 0


def test_attrition_table(pos: State) -> None:
    assert [attrition_percent(pos, roll) for roll in range(1, 13)] == [0, 5, 5, 5, 10, 10, *[15] * 6]


def test_attrition_losses() -> None:
    assert [attrition_loss(n, 5, again=False) for n in (1, 9, 10, 29, 30)] == [0, 0, 1, 1, 2]
    assert [attrition_loss(n, 5, again=True) for n in (1, 9, 10, 30)] == [1, 1, 1, 2]
    assert [attrition_loss(n, 10, again=False) for n in (1, 4, 5, 14, 15, 25)] == [1, 1, 1, 1, 2, 3]
    assert [attrition_loss(n, 15, again=False) for n in (1, 3, 9, 10, 20)] == [1, 1, 1, 2, 3]
    assert attrition_loss(20, 0, again=True) == attrition_loss(20, 0, again=False) == 0


def test_siege_table(pos: State) -> None:
    names = {-5: "repulse", 1: "repulse", 2: "nothing", 3: "nothing", 4: "honours", 5: "honours"}
    for total, result in {**names, 0: "repulse", 6: "surrender", 7: "surrender", 12: "surrender"}.items():
        assert siege_result(pos, total) == result


@pytest.mark.parametrize(("besiegers", "inside"), [(19, 5), (20, 5), (10, 5), (9, 5), (4, 1), (1, 1), (2, 1), (3, 1)])
@pytest.mark.parametrize("who", ["", "Laudon", "Daun", "Beck"])
@pytest.mark.parametrize(("here", "great"), [("1125", 1), ("1121", 0)])
@pytest.mark.parametrize(("turn", "earlier"), [(4, 0), (14, 1), (15, 0), (18, 3)])
def test_siege_modifiers(besiegers: int, inside: int, who: str, here: str, great: int, turn: int, earlier: int) -> None:
    pos = Table().state(turn=turn, sieges={parse_hex(here): earlier} if earlier else {})
    camp = stack(pos, PRUSSIAN, besiegers, "Keith", here)
    garrison = stack(pos, AUSTRIAN, inside, who, here, inside=True)
    counts = {"": 0, "Laudon": 2, "Daun": 2, "Beck": 0}  # Daun's 3 counts as 2
    strength = 1 if besiegers >= 4 * inside else -1 if besiegers < 2 * inside else 0
    winter = 1 if turn >= 15 else 0
    assert siege_modifiers(pos, camp, garrison) == (-counts[who], strength, -great, -winter, earlier)


def test_movement_points() -> None:
    for die, (who, gains), turn in product(
        range(1, 7), (("", 0), ("Frederick", 3), ("Wedell", 1), ("Henry", 2)), (1, 14, 15, 18)
    ):
        pos = Table().state(turn=turn)
        force = stack(pos, PRUSSIAN, 10, who)
        winter = 1 if turn >= 15 else 0
        assert allowance(pos, die, force) == min(6, die + gains) - winter
        shaken = msgspec.structs.replace(force, demoralized=True)
        assert allowance(pos, die, shaken) == die - winter


def expected_leaders() -> Iterator[tuple[str, str, int, tuple[int, ...]]]:
    for power, text in LEADERS.items():
        for entry in text.split(";"):
            name, rank, ratings = " ".join(entry.split()).rsplit(" ", 2)
            yield power, name, int(rank), tuple(map(int, ratings.split("-")))


def test_leaders() -> None:
    data = game_data()
    found = [
        (POWERS[one.power], one.name, one.rank, (one.initiative, one.attack, one.defence)) for one in data.leaders[:64]
    ]
    assert sorted(found) == sorted(expected_leaders())
    assert len(found) == 64
    for nameless in data.leaders[64:]:
        assert (nameless.initiative, nameless.attack, nameless.defence) == (0, 0, 0)
        assert nameless.rank > max(one.rank for one in data.leaders[:64])


def test_leaders_at_the_start() -> None:
    data = game_data()
    for number, power in enumerate(POWERS):
        names = START[power].split("," if "," in START[power] else " ")
        own = sorted((one.start, one.name) for one in data.leaders if one.power == number and one.start)
        assert [name for _, name in own] == names


def test_fortresses() -> None:
    data = game_data()
    for entry in PLACES.strip().split(";"):
        name, here, power, points, *marks = entry.split()
        fort = data.fortresses[parse_hex(here)]
        assert (fort.name, fort.vp) == (name.replace("-", " "), int(points))
        assert fort.power == (NO_POWER if power == "nobody" else POWERS.index(power))
        assert fort.great == ("great" in marks)
        assert fort.star == (POWERS.index(marks[0]) if marks and marks[0] != "great" else NO_POWER)
    assert len(data.fortresses) == len(PLACES.split(";")) == 33
    assert {fort.name for fort in data.fortresses.values() if fort.province == "silesia"} == SILESIA


def test_lengths_of_supply() -> None:
    assert [power.supply for power in game_data().powers] == [5, 4, 4, 5, 4, 4, 4, 4]
    assert [power.limit for power in game_data().powers] == [0, 0, 80, 60, 45, 7, 11, 16]
