"""What never changes in the rule set, for a client: nations, leaders, strongholds, tables, options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from leuthen.campaigns.gamedata import KINDS, GameData, Leader
from leuthen.campaigns.rules.victory import PLACES
from leuthen.campaigns.state import TURNS, WINTER
from leuthen.core.board import hex_name
from leuthen.core.lookup import simplify
from leuthen.core.showing import (
    FortressCard,
    LeaderCard,
    OptionCard,
    PowerCard,
    ScenarioCard,
    Setting,
    TableCard,
    Town,
)

if TYPE_CHECKING:
    from leuthen.campaigns.game import Campaigns

TITLE: Final = "The campaigns, with Einhorn's variant"
EXPLAINED: Final = {
    "rules": "The variant, or the base game without it",
    "need25": "V3: 1 SP for 25 TP to the nearest whole, instead of 20 rounded down",
    "recoverReduced": "V8.1: troops recover by the reduced morale",
}
MONTHS: Final = ("April", "May", "June", "July", "August", "September", "October", "November", "December", "January")
YEARS: Final = (1756, 1762)


def make_setting(game: Campaigns) -> Setting:
    """All of it."""
    data = game.data
    return Setting(
        ruleset=game.name,
        title=TITLE,
        version=game.version,
        sides=("Prussian side", "Coalition"),
        powers=tuple(PowerCard(nation.name, nation.letter, nation.side, True) for nation in data.nations),
        leaders=tuple(_leader(data, number, leader) for number, leader in enumerate(data.leaders)),
        fortresses=tuple(_fortresses(data)),
        towns=tuple(_towns(data)),
        tables=tuple(_tables(data)),
        layers=(),
        scenarios=tuple(ScenarioCard(name, text) for name, text in game.scenarios.items()),
        options=tuple(OptionCard(name, values, EXPLAINED[name]) for name, values in game.options.items()),
        years=YEARS,
        turns=tuple(half_month(turn) for turn in range(1, TURNS + 1)),
        winter=tuple(range(WINTER - 1, TURNS)),
    )


def half_month(turn: int) -> str:
    """The date of a turn (R1.1): turn 1 is late April, turn 2 early May."""
    return f"{'late' if turn % 2 else 'early'} {MONTHS[turn // 2]}"


def _leader(data: GameData, number: int, leader: Leader) -> LeaderCard:
    facts = (
        ("command", str(leader.command)),
        ("initiative", str(leader.initiative)),
        ("combat", str(leader.combat)),
        ("morale", str(leader.morale)),
    )
    name = f"wagon {leader.name}" if data.is_wagon(number) else leader.name
    return LeaderCard(name, leader.nation, ratings(leader), facts)


def ratings(leader: Leader) -> str:
    """C-I-K-M, as on a counter."""
    return f"{leader.command}-{leader.initiative}-{leader.combat}-{leader.morale}"


def _fortresses(data: GameData) -> list[FortressCard]:
    return [
        FortressCard(
            place.name,
            hex_name(here),
            data.areas[place.area].name,
            place.nation,
            KINDS[place.kind],
            PLACES.get(place.kind, 0),
            False,
        )
        for here, place in data.strongholds.items()
    ]


def _towns(data: GameData) -> list[Town]:
    forts = [(place.name, here) for here, place in data.strongholds.items()]
    named = {(simplify(name), here): name for name, here in reversed([*forts, *data.places.items()])}
    return [Town(name, hex_name(here)) for (_, here), name in sorted(named.items())]


def _tables(data: GameData) -> list[TableCard]:
    def siege(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[str, ...], ...]:
        return tuple((KINDS[kind], *map(str, numbers)) for kind, numbers in enumerate(rows))

    def line(name: str, values: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
        return ((name, *map(str, values)),)

    last = len(data.combat) - 1
    return [
        TableCard("commitment", "Commitment", "R12.3", ("result", "≤1", *"23456", "7+"), line("%", data.commitment)),
        TableCard(
            "combat", "Combat", "R12.4", ("result", "≤0", *map(str, range(1, last)), f"{last}+"), line("%", data.combat)
        ),
        TableCard("breach", "Breach", "R11.3", ("siege turn", *"12345", "6+"), siege(data.breach)),
        TableCard("surrender", "Surrender", "R11.4", ("breaches", *"123"), siege(data.surrender)),
        TableCard("attrition", "Attrition", "V3.5", ("die", *"12345", "6+"), line("%", data.attrition)),
        TableCard(
            "replacements",
            "Replacements",
            "R15.1",
            ("nation", *"123456"),
            tuple((data.nations[n].name, *map(str, row)) for n, row in enumerate(data.replacements)),
        ),
    ]
