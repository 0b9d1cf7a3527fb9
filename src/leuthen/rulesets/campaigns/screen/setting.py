"""The constant data for a client, and the tables of the game."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from leuthen.engine.ruleset_base import RulesetBase
from leuthen.rulesets.campaigns.model.data import (
    ALL_NATIONS,
    AUSTRIA,
    KINDS,
    NO_NATION,
    PRUSSIA,
    GameData,
    Holding,
    Stronghold,
)
from leuthen.rulesets.campaigns.model.events import SIDE_NAMES
from leuthen.rulesets.campaigns.model.pieces import TURNS, WINTER
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r05_walk import FORCED, MARCH, REACTION, RETREAT, WINTER_MARCH
from leuthen.rulesets.campaigns.rules.r16_victory import BATTLE, LEADER, LEVELS, PER, PLACES
from leuthen.rulesets.campaigns.screen.forces import ratings
from leuthen.screen.figures import make_card, scenario_card, theatre_cards, towns_of
from leuthen.screen.values import FortressCard, LayerCard, LeaderCard, OptionCard, PowerCard, Setting, Spot, TableCard
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import LeaderId, PowerId
from leuthen.wargame.war import half_month

DIE: Final = range(1, 7)


def _tables_of_movement(data: GameData) -> Iterator[TableCard]:
    yield make_card(
        *("movement", "Movement", "R5.1", ("Move or cost", "MP")),
        (
            ("march", f"{MARCH} MP, in winter {WINTER_MARCH} (R5.1)"),
            ("forced march", f"{FORCED} MP (R8)"),
            ("reaction", f"{REACTION} MP (R7.4)"),
            ("retreat", f"{RETREAT} MP (V8.4); base game 2 hexes (R12.9)"),
            ("a hex of any terrain", "1"),
            ("over a river side, over a pass", "+1 each"),
            ("leaving a hex with an enemy field force", "+2; not in a reaction"),
            ("into or out of a stronghold", "1"),
            ("taking an undefended stronghold", "1 (R5.6)"),
            ("hungry (V3.5), or in the base game out of supply (R9.8)", "−2 MP"),
        ),
    )
    added = (-2, 0, 1, 2, 3)
    initiatives = range(1, 1 + max(leader.initiative for leader in data.leaders))
    yield make_card(
        *("reaction", "Reaction", "R7.3"),
        ("Successful rolls of 6, by total modifier", "−2", "0", "+1", "+2", "+3"),
        (
            (f"initiative {rating}", *(sum(die != 6 and die + more <= rating for die in DIE) for more in added))
            for rating in initiatives
        ),
        "The mover is more than one hex away: +1. A river or a pass on the way: +1. Winter: +1. Moved already: +1.",
        "The mover entered the reacting leader's hex: −2. A natural 6 fails.",
    )

    def forced(command: int, die: int) -> str:
        return "–" if die == 6 or die > command + 1 else "4 MP" if die <= command else "4 MP, 5 % lost"

    commands = range(1, 1 + max(leader.command for leader in data.leaders))
    rows = ((f"command {command}", *(forced(command, die) for die in DIE)) for command in commands)
    yield make_card("forced", "Forced march", "R8.1", ("Die", *map(str, DIE)), rows, "No modifiers; once a turn.")


def _by_result(ident: str, title: str, rule: str, table: tuple[int, ...], first: int, *notes: str) -> TableCard:
    rows = ((heading, f"{value} %") for heading, value in zip(headings(table, first), table, strict=True))
    return make_card(ident, title, rule, ("Die, modified", "per cent"), rows, *notes)


def _tables_of_battle(data: GameData) -> Iterator[TableCard]:
    yield _by_result(
        *("commitment", "Commitment", "R12.3", data.commitment, 1),
        "Die, plus the commander's command less 2.",
        "More than 40 TP in the force −1, more than 60 −2 (V6.2); base game: each leader beyond two −1.",
        "Commander demoralized −1. Two nations or more, command below 3: −1. The higher of old and new share counts.",
    )
    yield _by_result(
        *("combat", "Combat", "R12.4", data.combat, 0),
        "Die + the commander's combat rating: the enemy loses that share of your committed TP.",
        "Attacker: mountain hex −2; came over a river or pass, rounds 1 and 2: −1.",
        "Concentration +1; base game: own high intensity +2, the enemy's +1, out of supply −1.",
        "Commander demoralized −1. Last round (V6.3): the retreating side −1, the other +1.",
    )
    yield make_card(
        *("morale", "Demoralization", "R13.1", ("Two dice above the leader's morale: he breaks", "")),
        (
            ("losses of 10, 20, 30 % of the side's TP", "+1 each"),
            ("the enemy lost fewer TP in this round", "+1"),
            ("troops demoralized", "morale −2"),
            ("recovery of troops (V8.1)", "2 dice at the printed morale or less, from the second turn after"),
            (
                "recovery of leader morale (V8.2)",
                "1 die at the commander's command or less, then 2 dice at his morale or less",
            ),
        ),
    )
    last = len(data.breach[0])
    columns = ("Roll at or below, by siege turn", *(turn_heading(turn, last) for turn in range(1, last + 1)))
    rows = ((KINDS[kind], *numbers) for kind, numbers in enumerate(data.breach))
    yield make_card("breach", "Breach", "R11.3", columns, rows, *_SIEGE_NOTES)
    columns = ("Roll at or below, by breaches", *"123")
    rows = ((KINDS[kind], *numbers) for kind, numbers in enumerate(data.surrender))
    yield make_card("surrender", "Surrender", "R11.4", columns, rows, *_SIEGE_NOTES)
    note = "Die, plus 1 for each turn in a row in which the force rolled before this one (V3.5)."
    yield _by_result("attrition", "Attrition", "V3.5", data.attrition, 1, note)


_SIEGE_NOTES: Final = (
    "Besieger not in supply +2. Winter +1. Combat rating 2 or more inside +1, of the besieging commander −1.",
    "4 TP or more for each inside −1. Besieger does not outnumber those inside +1 (V5). A weak place −1 (R10.8).",
    "Surrender only: besieged for 4 turns or more −1; 10 TP or more of the defender within 3 hexes +1.",
)


def _tables_of_places(data: GameData) -> Iterator[TableCard]:
    yield make_card(
        *("kinds", "Strongholds", "R10.1"),
        ("Stronghold", "largest garrison, TP", "leaders inside", "TP needed to besiege", "VP to an enemy (R16.2)"),
        (
            (KINDS[number], kind.garrison, "yes" if kind.inside else "no", kind.besieger, PLACES.get(number, 0))
            for number, kind in enumerate(data.kinds)
        ),
    )
    yield make_card(
        *("nations", "Nations", "R1.3"),
        (
            *("Nation", "wagons are named", "side", "base morale", "depots at most (R9.1)", "wagons at most (R9.3)"),
            "replacements a year (R15)",
        ),
        ((n.name, n.letter, SIDE_NAMES[n.side], n.morale, n.depots, n.wagons, n.replacements) for n in data.nations),
    )

    def home(nation: PowerId) -> str:
        return data.nations[nation].name if nation != NO_NATION else "–"

    def places(area: int) -> str:
        return ", ".join(data.strongholds[here].name for here in data.places_of[area])

    areas = ((area.name, home(area.nation), area.points, places(n)) for n, area in enumerate(data.areas))
    yield make_card("areas", "Areas", "R16.1", ("Area", "home of", "VP", "its places"), areas)
    years = sorted({year for place in data.strongholds.values() for year in place.holdings})

    def held(found: Holding | None) -> str:
        return "" if found is None else f"{data.nations[found.nation].letter}{found.tp}{'D' if found.depot else ''}"

    forts = (
        (
            *(place.name, hex_name(here), KINDS[place.kind], data.areas[place.area].name, home(place.nation)),
            *(held(place.holdings.get(year)) for year in years),
        )
        for here, place in data.strongholds.items()
    )
    note = "Nation, TP of the garrison, D with a depot; 0: controlled without TP."
    yield make_card("places", "Garrisons", "R10.8", ("Place", "hex", "kind", "area", "home of", *years), forts, note)
    bounds = [0, *(most + 1 for most, _ in LEVELS)]
    highs = [*(most for most, _ in LEVELS), None]
    names = (*(name for _, name in LEVELS), "decisive")
    yield make_card(
        *("victory", "Victory", "R16.4", ("Score of either side", "victory")),
        (
            *(
                (f"{low} to {high}" if high is not None else f"{low} or more", name)
                for low, high, name in zip(bounds, highs, names, strict=True)
            ),
            *((f"par of {name}", plan.par) for name, plan in data.scenarios.items()),
        ),
        f"An enemy fortress {PLACES[2]} VP, a fort {PLACES[1]}; a whole area by its table.",
        f"A great battle won {BATTLE} VP; {PER} enemy TP lost 1 VP; a captive senior leader {LEADER} VP.",
        "Score: VP of the Prussian side, less those of the Coalition, less par.",
    )


def _tables_of_armies(data: GameData) -> Iterator[TableCard]:
    years = sorted({year for year, _ in data.departures})

    def at_least(number: int | None) -> str:
        return f"{number} or more" if number else ""

    rows: Iterable[tuple[object, ...]] = (
        (
            data.nations[nation].name,
            at_least(data.alliances.get(nation)),
            *(at_least(data.departures.get((year, nation))) for year in years),
        )
        for nation in sorted({*data.alliances, *(nation for _, nation in data.departures)})
    )
    note = "Two dice on turns 1, 7 and 13 (R17.3); departures on turn 1 (R17.5)."
    columns = ("Nation", "joins at", *(f"leaves in {year} at" for year in years))
    yield make_card("alliances", "Ally determination", "R17.3", columns, rows, note)
    rows = ((data.nations[n].name, *row) for n, row in enumerate(data.replacements))
    note = "Base game; the variant has none (V1)."
    yield make_card("replacements", "Replacements", "R15.1", ("TP by die", *map(str, DIE)), rows, note)
    rows = (
        (year, *(data.yearly.get((year, n), 0) for n in ALL_NATIONS))
        for year in sorted({year for year, _ in data.yearly})
    )
    note = "In the variant: half on turn 1, with the odd TP, and half on turn 7."
    columns = ("TP of the year", *(nation.name for nation in data.nations))
    yield make_card("yearly", "Reinforcements of the campaign", "R18.4", columns, rows, note)
    rows = (
        (
            *(name, data.nations[entry.nation].name, entry.turn or "start"),
            *(hex_name(entry.hex) if entry.hex >= 0 else "", entry.what),
            *(data.leaders[entry.leader].name if entry.leader >= 0 else "", entry.tp or ""),
        )
        for name, entries in data.setups.items()
        for entry in entries
    )
    columns = ("Set-up", "nation", "turn", "hex", "what", "leader", "TP")
    yield make_card("setup", "Set-up and arrivals", "R18.2", columns, rows)


TABLES: Final = (_tables_of_movement, _tables_of_battle, _tables_of_places, _tables_of_armies)


def headings(table: Sequence[int], first: int) -> list[str]:
    """Return the headings of a table by modified dice: "1 or less", …, "7 or more"."""
    last = first + len(table) - 1
    return [f"{first} or less", *map(str, range(first + 1, last)), f"{last} or more"]


def percent_spot(ident: str, table: Sequence[int], result: int, first: int) -> Spot:
    """Return the line for a percentage roll (R12.3, R12.4, V3.5)."""
    return Spot(ident, headings(table, first)[max(0, min(len(table) - 1, result - first))])


def breach_spot(data: GameData, here: Hex, turn: int) -> Spot:
    """Return the cell of the breach table (R11.3)."""
    kind = data.strongholds[here].kind
    return Spot("breach", KINDS[kind], turn_heading(min(turn, len(data.breach[kind])), len(data.breach[kind])))


def turn_heading(turn: int, last: int) -> str:
    return str(turn) if turn < last else f"{turn} or later"


def surrender_spot(data: GameData, here: Hex, number: int) -> Spot:
    """Return the cell of the surrender table (R11.4); for a number in several cells the last one."""
    kind = data.strongholds[here].kind
    breaches = max((n for n, value in enumerate(data.surrender[kind], 1) if value == number), default=1)
    return Spot("surrender", KINDS[kind], str(breaches))


PACE: Final = 10
"""Estimated minutes per turn (docs/usability.md)."""
TITLE: Final = "The Campaigns of Frederick the Great, with Einhorn's variant"
EXPLAINED: Final = {
    "rules": "Play Einhorn's variant (V1 to V8.4) or the base game",
    "need25": "A force needs 1 SP per 25 TP, rounded to the nearest, instead of 1 per 20, rounded down (V3)",
    "recoverReduced": "Demoralized troops recover with their reduced morale instead of the printed one (V8.1)",
    "hidden": "Hide the opponent's strengths, supply and junior leaders until seen",
}
MAJORS: Final = (PRUSSIA, AUSTRIA)
YEARS: Final = (1756, 1762)


HINTS: Final = (
    (
        "Only leaders with the command of the drawn chit may act: keep strong armies under good leaders.",
        f"Fight large battles where you are stronger: with 20 TP on both sides the winner gets {BATTLE} VP.",
        "Stay within range of a depot or carry supply. The layer Supply shows the ranges.",
    ),
    (
        "Only leaders with the command of the drawn chit may act: place them well before it comes.",
        "A force near a marching enemy may react: wait in mountains and at rivers.",
        f"Take fortresses: each enemy one that you hold counts {PLACES[2]} VP, each fort {PLACES[1]}.",
    ),
)


def make_setting(game: RulesetBase[State, Draft], data: GameData) -> Setting:
    forts = [(place.name, here) for here, place in data.strongholds.items()]
    return Setting(
        ruleset=game.name,
        title=TITLE,
        version=game.version,
        sides=(SIDE_NAMES[0], SIDE_NAMES[1]),
        powers=tuple([PowerCard(n.name, n.letter, n.side, k in MAJORS) for k, n in enumerate(data.nations)]),
        leaders=tuple([_leader_card(data, number) for number in data.leader_ids]),
        fortresses=tuple([_fortress_card(data, place) for place in data.strongholds.values()]),
        towns=tuple(towns_of((*forts, *data.places.items()))),
        tables=tuple([table for make in TABLES for table in make(data)]),
        layers=LAYER_CARDS,
        scenarios=tuple(
            [
                scenario_card(s.name, s.text, (s.year, s.turn), (s.last, s.end), TURNS, s.par, PACE, HINTS)
                for s in data.scenarios.values()
            ]
        ),
        options=tuple([OptionCard(name, values, EXPLAINED.get(name, "")) for name, values in game.options.items()]),
        years=YEARS,
        turns=tuple([half_month(turn) for turn in range(1, TURNS + 1)]),
        winter=tuple(range(WINTER - 1, TURNS)),
        theatres=theatre_cards(data.board),
    )


def _leader_card(data: GameData, number: LeaderId) -> LeaderCard:
    leader = data.leaders[number]
    facts = tuple((name, str(getattr(leader, name))) for name in ("command", "initiative", "combat", "morale"))
    name = f"wagon {leader.name}" if data.is_wagon(number) else leader.name
    return LeaderCard(name, leader.nation, ratings(leader), facts)


def _fortress_card(data: GameData, place: Stronghold) -> FortressCard:
    area, kind, points = data.areas[place.area].name, KINDS[place.kind], PLACES.get(place.kind, 0)
    return FortressCard(place.name, hex_name(place.hex), area, place.nation, kind, points, False)


LAYER_CARDS: Final = (
    LayerCard("supply", "s", "Supply", "Depots with their range, and forces out of it (R9.6, V3.5)"),
    LayerCard("zones", "z", "Austrian zones", "Hexes where Austrian field forces cut Prussian-side supply (V3.2a)"),
    LayerCard("reach", "r", "Reach of a force", "Hexes that its leaders can reach, with the MP left (R5.1)", True),
    LayerCard("threat", "e", "Enemy reach", "Hexes that enemy forces can reach, or where they may react (R5.1, R7.1)"),
    LayerCard("holders", "v", "Holders and VP", "Owner, VP and area of each stronghold (R10.2, R16.1, R16.2)"),
)
