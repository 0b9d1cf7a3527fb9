"""What never changes: powers, leaders, fortresses, towns, tables, options, dates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.model.data import (
    EXPLAINED,
    FIRST_WINTER_TURN,
    MINORS,
    NO_POWER,
    GameData,
    Leader,
    land,
    today,
)
from leuthen.rulesets.frederick.rules.c04_sequence import FIRST_YEAR, LAST_TURN
from leuthen.rulesets.frederick.rules.c12_victory import SILESIA
from leuthen.rulesets.frederick.screen.war_tables import FIELD_TABLES, WAR_TABLES
from leuthen.screen.setting import scenario_card, theatre_cards, towns_of
from leuthen.screen.values import FortressCard, LayerCard, LeaderCard, OptionCard, PowerCard, Setting, Town
from leuthen.wargame.board import hex_name
from leuthen.wargame.calendar import half_month

if TYPE_CHECKING:
    from leuthen.rulesets.frederick.ruleset import Frederick

PACE: Final = 4
"""Minutes that a turn takes, by a guess from what is asked in it (docs/usability.md)."""
TITLE: Final = "Frederick: the Seven Years War, 1756 to 1762"
LETTERS: Final = ("P", "A", "F", "H", "R", "Sw", "Sx", "E")
"""What stands for each power on its counters."""
LAST_YEAR: Final = 1762


def make_setting(game: Frederick) -> Setting:
    """All that a client has to know of the game before it draws."""
    data = game.data
    turns = range(1, LAST_TURN + 1)
    return Setting(
        ruleset=game.name,
        title=TITLE,
        version=game.version,
        sides=(data.powers[0].name, data.powers[1].name),
        powers=tuple(_powers(data)),
        leaders=tuple([_leader(leader) for leader in data.leaders]),
        fortresses=tuple(_fortresses(data)),
        towns=tuple(_towns(data)),
        tables=tuple([make(data) for make in (*FIELD_TABLES, *WAR_TABLES)]),
        layers=LAYER_CARDS,
        scenarios=tuple(
            [
                scenario_card(s.name, s.text, (s.year, s.turn), (s.last, s.last_turn), LAST_TURN, s.par, PACE)
                for s in data.scenarios.values()
            ]
        ),
        options=tuple([OptionCard(name, values, EXPLAINED[name]) for name, values in game.options.items()]),
        years=(FIRST_YEAR, LAST_YEAR),
        turns=tuple(map(half_month, turns)),
        winter=tuple([turn - 1 for turn in turns if turn >= FIRST_WINTER_TURN]),
        theatres=theatre_cards(data.board),
    )


def _powers(data: GameData) -> list[PowerCard]:
    return [
        PowerCard(power.name, LETTERS[n], NOBODY if n in MINORS else n, n not in MINORS)
        for n, power in enumerate(data.powers)
    ]


def _leader(leader: Leader) -> LeaderCard:
    facts = (
        ("rank", str(leader.rank)),
        ("initiative", str(leader.initiative)),
        ("attack bonus", str(leader.attack)),
        ("defence bonus", str(leader.defence)),
    )
    return LeaderCard(leader.name, leader.power, f"{leader.initiative}-{leader.attack}-{leader.defence}", facts)


def _fortresses(data: GameData) -> list[FortressCard]:
    return [
        FortressCard(
            fort.name,
            hex_name(here),
            land(fort.province),
            fort.power if fort.power != NO_POWER else -1,
            _kind(fort.great, fort.province),
            fort.vp,
            fort.great,
        )
        for here, fort in data.fortresses.items()
    ]


def _kind(is_great: bool, province: str) -> str:
    return "one of the five" if is_great else "Silesian" if province == SILESIA else ""


def _towns(data: GameData) -> list[Town]:
    """Every name to jump to, each once a hex: those of then before those of now, fortresses first."""
    forts = [(fort.name, here) for here, fort in data.fortresses.items()]
    modern = [(today(data, name), here) for name, here in data.places.items()]
    return towns_of((*forts, *data.places.items(), *modern))


LAYER_CARDS: Final = (
    LayerCard(
        "supply",
        "s",
        "Supply",
        "Sources, links and paths with their length, hexes in supply, and who will roll for attrition (O10)",
    ),
    LayerCard("zones", "z", "Zones of control", "The zones of Austrian field stacks (O7)"),
    LayerCard(
        "reach",
        "r",
        "Reach of a stack",
        "Where the stack of a hex can go, for how many MP, and with which die at the least (O5)",
        True,
    ),
    LayerCard("threat", "e", "Enemy reach", "Where the enemy's stacks could go with the worst die for you (O5, O6)"),
    LayerCard("holders", "v", "Holders and VP", "To whom each fortress belongs, who holds it, its VP (O12, C12)"),
)
