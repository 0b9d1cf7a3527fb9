"""The tables of the whole war: powers, diplomacy, commitment, leaders, fortresses, victory, set-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from leuthen.rulesets.frederick.model.data import CAMPAIGN, MINORS, NO_POWER, POWERS, GameData
from leuthen.rulesets.frederick.model.places import land
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import FRENCH, POINTS, SAXON
from leuthen.rulesets.frederick.rules.c07_commitment import LONELY, PARTNERS, WEARY
from leuthen.rulesets.frederick.rules.c10_subsidy import MODIFIERS as SUBSIDY_MODIFIERS
from leuthen.rulesets.frederick.rules.c12_victory import AUSTRIAN_SILESIA, GREAT_NEEDED
from leuthen.rulesets.frederick.screen.table_cells import diplomacy_rows, make_card, plus, signed
from leuthen.screen import TableCard
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import PowerId

SIDE_WORDS: Final = ("Prussia", "Austria", "neutral")


def _powers(data: GameData) -> TableCard:
    rows = (
        (
            power.name,
            str(power.limit or "–"),
            str(power.supply),
            str(power.most_leaders or "–"),
            "yes" if power.surrenders else "no",
        )
        for power in data.powers
    )
    columns = ("Power", "most SP (C7.5)", "supply path (O10.2)", "most leaders (C8.5)", "surrenders (C11.2)")
    return make_card("powers", "The powers", "C1.1", columns, rows)


def _diplomacy(data: GameData) -> TableCard:
    def cell(roll: int, power: PowerId) -> str:
        star = "*" if (roll, power) in data.stars else ""
        return f"{SIDE_WORDS[data.diplomacy[roll, power]]}{star}"

    rows = ((signed(roll), *(cell(roll, power) for power in MINORS)) for roll in diplomacy_rows(data))
    saxon = (
        f"{data.powers[power].name}, {SIDE_WORDS[side]} invaded Saxony in 1756: {plus(points)}."
        for (power, side), points in SAXON.items()
    )
    french = (f"Hanover, France is on {SIDE_WORDS[side]}'s side: {plus(points)}." for side, points in enumerate(FRENCH))
    notes = (
        f"Prussia has {POINTS[0]} Diplomacy Points, Austria {POINTS[1]} (C5.1).",
        "Each Austrian point on the power +1, each Prussian −1 (C5.3).",
        *saxon,
        *french,
        "Reaction to a violation: +2 if the Prussian side did it, −2 if the Austrian, and nothing else (C5.7).",
        "* opens places of re-deployment and the German States (C5.5).",
    )
    return make_card(
        "diplomacy", "Diplomacy", "C5.4", ("Roll", *(data.powers[power].name for power in MINORS)), rows, *notes
    )


def _commitment(data: GameData) -> TableCard:
    def cell(roll: int, power: PowerId) -> str:
        percent, switches = data.commitment[roll, power]
        return f"{plus(percent)}{' *' if switches else ''}"

    rolls = sorted({roll for roll, _ in data.commitment})
    rows = ((signed(roll), *(cell(roll, power) for power in MINORS)) for roll in rolls)
    notes = (
        "Change of the power's SP on the map in per cent, fractions up (C7.4).",
        "The most SP of each power stand in the table of the powers (C7.5).",
        *(f"The coming year is {year}: {plus(points)} (C7.3)." for year, points in WEARY.items()),
        *(
            f"{data.powers[one].name}, {data.powers[other].name} is neutral: {plus(LONELY)}."
            for one, other in PARTNERS.items()
        ),
        "* Russia goes over to the other side (C7.6).",
    )
    return make_card(
        "commitment", "Commitment", "C7.2", ("Roll", *(data.powers[power].name for power in MINORS)), rows, *notes
    )


def _leaders(data: GameData) -> TableCard:
    rows = ((str(die), str(new), str(sack)) for die, (new, sack) in enumerate(data.leader_table, 1))
    notes = ("A power with one leader keeps him (C8.3); one without draws in any case (C8.4).",)
    return make_card("leaders", "New leaders", "C8.1", ("Die", "new", "sacked"), rows, *notes)


def _subsidy(data: GameData) -> TableCard:
    rows = ((str(roll), str(points)) for roll, points in enumerate(data.subsidy, 1))
    notes = (
        *(f"After {year}: {plus(points)}." for year, points in SUBSIDY_MODIFIERS.items()),
        "1 at the least (C10.2).",
    )
    return make_card("subsidy", "British Subsidy", "C10.1", ("Die, modified", "RP"), rows, *notes)


def _fortresses(data: GameData) -> TableCard:
    rows = (
        (
            fort.name,
            hex_name(fort.hex),
            data.powers[fort.power].name if fort.power != NO_POWER else "–",
            land(fort.province),
            str(fort.vp),
            "yes" if fort.great else "",
            data.powers[fort.star].name if fort.star != NO_POWER else "",
        )
        for fort in sorted(data.fortresses.values(), key=lambda fort: (fort.power % (len(POWERS) + 1), fort.hex))
    )
    columns = ("Fortress", "hex", "home of", "province", "VP", "one of the five", "star of C5.5")
    notes = ("In the German States VP count only with France and Hanover on different sides (C9.3).",)
    return make_card("fortresses", "Fortresses", "O12.1", columns, rows, *notes)


def _victory(data: GameData) -> TableCard:
    rows = (
        (
            "decisive, after each year from 1757",
            "more than double the other's",
            f"{GREAT_NEEDED} of the five great fortresses",
        ),
        ("at the end: Prussian side", "more than the other's", "every fortress of Silesia belongs to it"),
        ("at the end: Austrian side", "more than the other's", f"{AUSTRIAN_SILESIA} fortresses of Silesia or more"),
        ("at once", "–", "the other major surrenders (C12.1)"),
    )
    return make_card("victory", "Victory", "C12.3", ("Victory", "VP", "and"), rows)


def _setup(data: GameData) -> TableCard:
    rows = (
        (
            data.powers[force.power].name,
            "in secret" if force.hex < 0 else hex_name(force.hex),
            "" if force.hex < 0 else "inside" if force.inside else "in the field",
            str(force.sp),
            ", ".join(data.leaders[number].name for number in force.leaders),
            str(force.depots or ""),
        )
        for force in data.scenarios[CAMPAIGN].forces
    )
    return make_card("setup", "Set-up", "C2", ("Power", "hex", "where", "SP", "leaders", "depots"), rows)


WAR_TABLES: Final[tuple[Callable[[GameData], TableCard], ...]] = (
    _powers,
    _diplomacy,
    _commitment,
    _leaders,
    _subsidy,
    _fortresses,
    _victory,
    _setup,
)
