"""R9, R10.1, R10.8, R15-R18 read back against a second transcription: strongholds, leaders, set-ups, nations."""

from __future__ import annotations

import pytest

from leuthen.load import read_rulebook
from leuthen.rulesets.campaigns.model.data import KINDS, NATIONS, SIDE_OF, SetupEntry, nation_named
from leuthen.wargame.board import NOWHERE, Hex, hex_name, parse_hex
from leuthen.wargame.strength import LeaderId, PowerId
from tests.campaigns.kit import rules

DATA = rules().data
LETTERS = "PHAFREWS"
"""Of the nations, in the order of R1.3."""
YEARS = ("1756", "1757", "1758", "1759")

STRONGHOLDS = """
East Prussia: Prussia 5
  Königsberg | 3741 fortress P1D P1D R3D R2D
  Memel | 4241 fort P2 P2 R1 R1
  Tilsit | 3944 city . . R0 R0
Pomerania: Prussia 5
  Stettin | 2926 fortress P3 P3 P3D P3D
  Colberg | 3328 fortress P1 P1 P1 P1
  Anklam | 3123 city . . . .
Brandenburg: Prussia 5
  Berlin | 2422 city P1D P1 P1 P1
  Spandau | 2322 fort P1 P1 P1 P1
  Cüstrin | 2425 fortress P2 P2 P3 P3
  Frankfurt a.d. Oder | 2325 city . . . .
  Peitz | 2025 fort P1 P1 P1 P1
Magdeburg: Prussia 5
  Magdeburg | 2217 fortress P4D P4D P3D P3
  Halle | 1818 city . . . .
  Halberstadt | 2117 city . . . .
Lower Silesia: Prussia 10
  Breslau | 1733 fortress P3D P3D P4D P4D
  Schweidnitz | 1631 fortress P2 P2D P2D P2D
  Glogau | 2030 fort P2 P2 P1 P1
  Liegnitz | 1830 city . . . .
  Landeshut | 1531 city . . . .
Upper Silesia: Prussia 5
  Neisse | 1434 fortress P2D P2 P3 P3D
  Brieg | 1634 fort P1 P1 P1 P1
  Cosel | 1436 fort P2 P2 P2 P2
Glatz: Prussia 5
  Glatz | 1432 fortress P1 P1 P1 P1
Westphalia: Prussia 5
  Wesel | 2004 fortress P4 F2D F2D F2D
  Lippstadt | 1909 fort P1 H1 H2 H2
  Minden | 2210 fort P1 H1D H1 H1 weak
  Bielefeld | 2109 city . . . .
  Münster | 2107 fortress . . H2D H2D homeless
Hanover: Hanover 10
  Hanover | 2413 city . H2D H1D H1D
  Hameln | 2212 fortress . H2 H2 H2
  Stade | 3011 fort . H2 H1 H1
  Nienburg | 2411 city . . . .
  Göttingen | 1913 fort . H1 H1 H1
  Brunswick | 2415 fort . H1 H1 H1
Hesse: Hanover 5
  Cassel | 1811 fort . H2 H1 H1D
  Ziegenhain | 1511 city . . . .
  Marburg | 1510 city . . . .
Rhine: - 0
  Venlo | 1802 fort . . . .
  Roermond | 1702 fort . . . .
  Düsseldorf | 1804 fort . F1 F1 F1
  Cologne | 1604 city . F0 F0 F0
  Frankfurt a.M. | 1109 city . . F1D F1D
  Giessen | 1409 fort . . . .
France: France 5
  Metz | 0703 fortress . F1 F1 F1
  Strasburg | 0406 fortress . F1 F1 F1
Saxony: Saxony 10
  Dresden | 1623 fortress . P4D P4D P4D
  Torgau | 1821 fort . P2D P2D P2D
  Wittenberg | 2020 fort . P1 P1 P1
  Pirna | 1624 fort S1D P1 P1 P1
  Leipzig | 1720 city . P1 P0 P1
  Freiberg | 1622 city . P0 P0 P0
  Chemnitz | 1522 city . P0 P0 P0
Lusatia: Saxony 5
  Bautzen | 1726 city . P0 P0 P0
  Görlitz | 1727 city . P0 P0 P0
  Zittau | 1626 city . P0 P0 P0
North Bohemia: Austria 10
  Prague | 1125 fortress A4D A5D A5D A4D
  Königgrätz | 1230 fort A1D A1D A1D A1D
  Leitmeritz | 1424 city . . . .
  Jungbunzlau | 1327 city . A1D . .
  Kolin | 1128 city . . . .
West Bohemia: Austria 5
  Eger | 1121 fort A1 A1D A1D A1
  Pilsen | 0923 city . . . .
  Budweis | 0526 city . . . .
Moravia: Austria 5
  Olmütz | 1034 fortress A3D A4D A8D A4D
  Brünn | 0733 fort A2 A2 A3D A2D
  Troppau | 1136 city . . . .
  Iglau | 0829 city . . . .
Austria: Austria 10
  Vienna | 0232 fortress A4D A4D A4D A4D
  Linz | 0225 city . . . .
Swedish Pomerania: Sweden 5
  Stralsund | 3321 fortress . W2D W2D W2D
  Wolgast | 3223 city . . . .
Franconia: Empire 5
  Bamberg | 1015 city . E0D E0 E0D
  Nuremberg | 0816 city . . . .
  Kronach | 1217 fort . E1 E1 E1
Thuringia: Empire 5
  Erfurt | 1616 fort . . . .
  Gotha | 1615 city . . . .
Poland: - 0
  Posen | 2432 city . . . .
  Thorn | 2836 fort . . . .
  Elbing | 3438 city . . R0 R0D
"""
"""R10.8: area with home nation and VP; place, hex, kind, who holds it in each year."""

LEADERS = """
Prussia: Frederick 4-5-3-10; Schwerin 3-4-2-9; Keith 3-3-1-9; Henry 3-4-2-9; Ferdinand of Brunswick 3-4-2-9;
    Moritz 2-3-1-9; Bevern 2-2-1-9; Lehwaldt 2-2-1-9; Winterfeldt 2-4-1-9; Fouqué 2-2-1-9; Zieten 2-4-2-9;
    Seydlitz 2-4-2-9; Finck 2-3-1-8; Hülsen 2-3-1-9; Dohna 2-2-1-8; Württemberg 1-3-1-8; Wedell 1-3-0-8;
    Manteuffel 1-2-0-8
Hanover: Ferdinand 3-4-2-9; Cumberland 1-2-1-8; Erbprinz 2-4-2-9; Granby 2-3-1-9; Spörcken 2-2-1-8; Imhoff
    1-2-0-8; Zastrow 1-1-0-8
Austria: Charles 1-2-0-8; Daun 2-3-2-8; Browne 3-3-2-8; Laudon 3-4-2-9; Lacy 2-3-1-8; Nadasdy 2-3-1-8; Hadik
    2-4-1-8; O'Donnell 2-2-1-8; Maquire 2-2-1-8; Beck 2-4-1-8; Königsegg 1-2-0-8; De Ville 1-2-0-8; Harsch
    1-2-0-8; Buccow 1-2-0-8; Piccolomini 1-1-1-8; Serbelloni 1-1-0-8; Arenberg 1-1-0-8
Empire: Zweibrücken 1-2-0-6; Hildburghausen 1-1-0-6; Stolberg 1-2-0-6
France: d'Estrees 2-2-1-7; Richelieu 1-2-1-7; Clermont 1-1-0-7; Contades 2-2-1-7; Soubise 1-2-1-7; Broglie
    3-3-2-7; Chevert 2-3-1-8; St. Germain 2-3-1-7; d'Armentieres 1-2-0-7
Russia: Apraxin 1-1-0-9; Fermor 1-2-1-9; Saltykov 2-2-2-9; Buturlin 1-1-0-9; Rumyantsev 3-3-2-9; Chernyshev
    2-3-1-9; George Browne 1-2-1-9; Tottleben 2-4-0-8
Sweden: Ungern-Sternberg 1-1-0-7; Rosen 1-2-0-7; Hamilton 1-2-0-7; Lantingshausen 1-1-0-7; Ehrensvärd 1-2-0-7
Saxony: Rutowski 1-1-0-7
"""
"""R18.1: command, initiative, combat, morale, from the highest Sr down."""

SETUPS = {
    "1756": """
Prussia: 2322: Frederick 30 + Keith 15; 1818: Ferdinand of Brunswick 15; 2325: Bevern 18 + Moritz; 1434: Schwerin 27;
    1432 in: Fouqué 3; 3741: Lehwaldt 25
Saxony: 1624 in: Rutowski 18 until 13
Austria: 1128: Browne 32; 1230: Piccolomini 22 + Nadasdy; T15 1125: 8 TP garrison
""",
    "1757": """
Prussia: 1623: Frederick 30 + Keith 10 + Henry; 1522: Moritz 19; 1626: Bevern 18; 1531: Schwerin 30 +
    Winterfeldt 6; 1432 in: Fouqué 3; 3741: Lehwaldt 28; T6 1623: Zieten + Seydlitz + Hülsen
Hanover: 2210: Cumberland 25 + Spörcken 15; T15 Ferdinand replaces Cumberland
Austria: 1125: Browne 24 + Charles 12; 1121: Arenberg 20; 1528: Königsegg 20; 1230: Serbelloni 24; 1034: Nadasdy
    12; T2 1230: Daun 10; T5 1034: Hadik 6
France: 2004: d'Estrees 40 + Chevert 25 + d'Armentieres 15; T8 Richelieu replaces d'Estrees; T8 1109: Soubise
    24, garrison 1, depot
Empire: T8 1015: Hildburghausen 25
Russia: T5 3944: Apraxin 40, depot; T5 4241: Fermor 15
Sweden: T10 3321: Ungern-Sternberg 17
""",
    "1758": """
Prussia: 1631: Frederick 40 + Keith 15 + Moritz + Zieten; 1432 in: Fouqué 8; 1623: Henry 22 + Seydlitz + Hülsen;
    3321: Dohna 20
Hanover: 2107: Ferdinand 35 + Erbprinz + Imhoff + Spörcken
Austria: 1230: Daun 40 + Buccow 10 + Lacy; 1430: Laudon 6; 1125: Harsch 10; 0733: De Ville 12; T3 1121:
    Serbelloni 12; T5 1125: 15 TP garrison; T9 1125: Hadik 8
Empire: T3 1121: Zweibrücken 20
France: 2004: Clermont 30 + Contades 20 + Chevert; 1109: Soubise 25 + Broglie; T6 Contades replaces Clermont
Russia: 3741: Fermor 25 + Rumyantsev 20; T6 2836: George Browne 12, depot
Sweden: 3321 in: Rosen 12
""",
    "1759": """
Prussia: 1531: Frederick 40 + Seydlitz 4 + Zieten; 1623: Henry 30 + Finck 8; 1434: Fouqué 13; 2926: Dohna 18 +
    Hülsen; T7 Wedell replaces Dohna
Hanover: 1811: Ferdinand 40; 1510: Erbprinz 12; 2107: Imhoff 15
Austria: 1230: Daun 40 + Lacy 15; 1430: Laudon 16; 1424: Hadik 10; 1528: Beck 7; 0733: De Ville 16 + Harsch
Empire: 1015: Zweibrücken 22
France: 2004: Contades 40 + d'Armentieres 20 + Chevert; 1109: Broglie 28
Russia: 3438: Rumyantsev 8; T3 2432: Fermor 30 + Saltykov 15 + Tottleben 5, depot; T6 Saltykov ranks above
    Fermor
Sweden: 3321: Lantingshausen 9
""",
    "joining": """
France: 1804: d'Estrees 40 + Chevert 25 + d'Armentieres 15, garrison 1, depot; T7 1109: Soubise 24, garrison 1, depot
Hanover: 2413: Cumberland 25 + Spörcken 15
Russia: T4 3944: Apraxin 40, depot; T4 4241: Fermor 15
Empire: 1015: Hildburghausen 25
Sweden: 3321: Ungern-Sternberg 17
""",
}
"""R18.2; in R18.3 Tn is n turns later."""


def paragraphs(text: str) -> list[tuple[str, list[str]]]:
    """Nation, and what stands behind it between semicolons."""
    lines = text.replace("\n    ", " ").strip().splitlines()
    found = [line.partition(": ") for line in lines]
    return [(nation.lower(), rest.split("; ")) for nation, _, rest in found]


def test_strongholds() -> None:
    area, home, rows = -1, -1, 0
    for line in STRONGHOLDS.strip().splitlines():
        if not line.startswith("  "):
            name, _, rest = line.partition(": ")
            nation, points = rest.split()
            area, home = area + 1, -1 if nation == "-" else nation_named(nation)
            found = DATA.areas[area]
            assert (found.name, found.nation, found.points) == (name, home, int(points))
            continue
        name, _, rest = line.strip().partition(" | ")
        here, kind, *held = rest.split()
        place = DATA.strongholds[parse_hex(here)]
        assert (place.name, KINDS[place.kind], place.area) == (name, kind, area)
        assert place.nation == (-1 if "homeless" in held else home)
        assert place.weak == ("weak" in held)
        assert place.port == (name in ("Stralsund", "Stade"))
        assert [word_of(here, year) for year in YEARS] == held[:4], name
        rows += 1
    assert area + 1 == len(DATA.areas) == 22
    assert rows == len(DATA.strongholds) == 79


def word_of(here: str, year: str) -> str:
    """Nation, TP and depot, as the table has them."""
    holding = DATA.strongholds[parse_hex(here)].holdings.get(year)
    if holding is None:
        return "."
    return f"{LETTERS[holding.nation]}{holding.tp}{'D' * holding.depot}"


def test_leaders() -> None:
    found = [
        (NATIONS[one.nation], f"{one.name} {one.command}-{one.initiative}-{one.combat}-{one.morale}")
        for one in DATA.leaders[: DATA.named]
    ]
    assert found == [(nation, leader) for nation, leaders in paragraphs(LEADERS) for leader in leaders]
    wagon = DATA.leaders[DATA.wagon(PowerId(0), 0)]
    assert (wagon.command, wagon.initiative, wagon.combat, wagon.morale) == (1, 1, 0, 5)


def test_leaders_without_a_name_have_the_base_morale() -> None:
    morale = {"prussia": 9, "russia": 9, "hanover": 8, "austria": 8, "france": 7, "sweden": 7, "saxony": 7, "empire": 6}
    for nation, name in enumerate(NATIONS):
        one = DATA.leaders[DATA.nameless(PowerId(nation))]
        assert (one.command, one.initiative, one.combat, one.morale) == (1, 1, 0, morale[name])


def entries_of(nation: str, text: str) -> list[SetupEntry]:
    """The lines of the data that one item of a set-up stands for."""
    number = nation_named(nation)
    turn, until = 0, 0
    if text[0] == "T" and text[1].isdigit():
        first, _, text = text.partition(" ")
        turn = int(first[1:])
    for word, what in ((" replaces ", "replace"), (" ranks above ", "above")):
        if word in text:
            new, _, old = text.partition(word)
            return [SetupEntry(turn, NOWHERE, what, number, DATA.leader_named(new), 0, DATA.leader_named(old), 0)]
    place, _, men = text.partition(": ")
    here, state = parse_hex(place[:4]), "inside" if place.endswith(" in") else "field"
    if " until " in men:
        men, _, turns = men.partition(" until ")
        until = int(turns)
    found = []
    for part in men.replace(", ", " + ").split(" + "):
        words = part.split()
        tp = int(words[-1]) if words[-1].isdigit() else 0
        if part.endswith("TP garrison"):
            found.append(SetupEntry(turn, here, "garrison", number, LeaderId(-1), int(words[0]), LeaderId(-1), 0))
        elif words[0] in ("garrison", "depot"):
            found.append(SetupEntry(turn, here, words[0], number, LeaderId(-1), tp, LeaderId(-1), 0))
        else:
            leader = DATA.leader_named(" ".join(words[:-1] if tp else words))
            found.append(SetupEntry(turn, here, state, number, leader, tp, LeaderId(-1), until))
    return found


@pytest.mark.parametrize("setup", SETUPS)
def test_set_up(setup: str) -> None:
    wanted = [
        entry for nation, items in paragraphs(SETUPS[setup]) for item in items for entry in entries_of(nation, item)
    ]
    assert sorted(wanted, key=str) == sorted(DATA.setups[setup], key=str)


def test_what_a_kind_holds() -> None:
    found = [(kind.garrison, kind.inside, kind.besieger) for kind in DATA.kinds]
    assert found == [(3, False, 1), (6, True, 5), (10, True, 10)]


def test_limits_of_nations() -> None:
    depots = {"prussia": 6, "austria": 6, "france": 4, "russia": 3, "hanover": 3, "empire": 2, "sweden": 2, "saxony": 1}
    wagons = {"prussia": 4, "austria": 4, "france": 3, "russia": 3, "hanover": 2, "empire": 1, "sweden": 1, "saxony": 1}
    most = {"prussia": 36, "austria": 45, "france": 27, "russia": 20, "hanover": 15}
    for name, nation in zip(NATIONS, DATA.nations, strict=True):
        assert (nation.depots, nation.wagons, nation.replacements) == (depots[name], wagons[name], most.get(name, 6))
    assert NATIONS == ("prussia", "hanover", "austria", "france", "russia", "empire", "sweden", "saxony")
    assert SIDE_OF == (0, 0, 1, 1, 1, 1, 1, 1)


def test_who_joins_and_who_leaves_at_which_number() -> None:
    numbers = {"france": 8, "russia": 8, "empire": 8, "sweden": 9, "hanover": 10}
    assert {NATIONS[nation]: number for nation, number in DATA.alliances.items()} == numbers
    russia = {(1760, "russia"): 12, (1761, "russia"): 11, (1762, "russia"): 8}
    sweden = {(year, "sweden"): 7 for year in (1760, 1761, 1762)}
    found = {(year, NATIONS[nation]): number for (year, nation), number in DATA.departures.items()}
    assert found == {**russia, **sweden, (1762, "france"): 10}


def test_the_rulebook_has_the_reinforcements_of_the_data() -> None:
    """They are fitted (R18.4), so that no list of ours says what they should be."""
    chapter = read_rulebook("campaigns")["base-18-scenarios.md"]
    table = chapter[chapter.index("**R18.4**") : chapter.index("**R18.5**")].splitlines()
    heads, *rows = ([cell.strip() for cell in row.strip("|").split("|")] for row in table if row.startswith("| "))
    found = {
        (int(row[0]), nation.lower()): int(points)
        for row in rows
        for nation, points in zip(heads[1:], row[1:], strict=True)
    }
    yearly = {(year, NATIONS[nation]): points for (year, nation), points in DATA.yearly.items()}
    assert {key: points for key, points in found.items() if points} == {
        key: points for key, points in yearly.items() if points
    }


def test_scenarios() -> None:
    found = {name: (one.year, one.turn, one.last, one.par, len(one.nations)) for name, one in DATA.scenarios.items()}
    assert found == {
        "1756": (1756, 9, 1756, 25, 3),
        "1757": (1757, 1, 1757, 0, 8),
        "1758": (1758, 1, 1758, 20, 8),
        "1759": (1759, 1, 1759, 5, 8),
        "campaign": (1756, 9, 1762, 0, 3),
        "prague": (1757, 1, 1757, 30, 3),
        "olmutz": (1758, 1, 1758, 30, 3),
    }
    early = (nation_named("prussia"), nation_named("austria"), nation_named("saxony"))
    assert set(DATA.scenarios["1756"].nations) == set(DATA.scenarios["campaign"].nations) == set(early)


def wagons_at(scenario: str) -> list[tuple[str, Hex]]:
    """The wagons of a set-up: their number, and where they stand."""
    state = rules().new_game(scenario, {})
    return [(DATA.leaders[n].name, u.hex) for n, u in state.units.items() if DATA.is_wagon(n)]


def test_a_full_wagon_at_each_depot_in_the_order_of_the_table() -> None:
    for year in YEARS:
        wanted, count = set(), dict.fromkeys(LETTERS, 0)
        for line in STRONGHOLDS.strip().splitlines():
            if line.startswith("  "):
                here, _, *held = line.partition(" | ")[2].split()
                word = held[YEARS.index(year)]
                if word.endswith("D") and count[word[0]] < DATA.nations[LETTERS.index(word[0])].wagons:
                    count[word[0]] += 1
                    wanted.add((f"{word[0]}{count[word[0]]}", here))
        assert {(name, hex_name(here)) for name, here in wagons_at(year)} == wanted, year
