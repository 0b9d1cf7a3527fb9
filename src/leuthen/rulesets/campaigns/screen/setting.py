"""What never changes in the rule set, for a client: nations, leaders, strongholds, towns, tables, options, dates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from leuthen.rulesets.campaigns.model.data import AUSTRIA, KINDS, PRUSSIA, GameData
from leuthen.rulesets.campaigns.model.names import SIDE_NAMES
from leuthen.rulesets.campaigns.model.pieces import TURNS, WINTER
from leuthen.rulesets.campaigns.rules.r16_victory import PLACES
from leuthen.rulesets.campaigns.screen.report import ratings
from leuthen.rulesets.campaigns.screen.tables import TABLES
from leuthen.screen.setting import scenario_card, theatre_cards, towns_of
from leuthen.screen.values import FortressCard, LayerCard, LeaderCard, OptionCard, PowerCard, Setting, Town
from leuthen.wargame.board import hex_name
from leuthen.wargame.calendar import half_month
from leuthen.wargame.strength import LeaderId

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.ruleset import Campaigns

PACE: Final = 10
"""Minutes that a turn takes, by a guess from what is asked in it (docs/usability.md)."""
TITLE: Final = "The Campaigns of Frederick the Great, with Einhorn's variant"
EXPLAINED: Final = {
    "rules": "«einhorn» plays the variant (V1 to V8.4), «base» the game without it",
    "need25": "A force needs 1 SP for 25 TP to the nearest whole, instead of 1 for 20 rounded down (V3)",
    "recoverReduced": "Demoralized troops recover by their reduced morale, not the printed one (V8.1)",
    "hidden": "Of the other side's strengths, supply and junior leaders only what has been seen is shown",
}
MAJORS: Final = (PRUSSIA, AUSTRIA)
YEARS: Final = (1756, 1762)


def make_setting(game: Campaigns) -> Setting:
    """All that a client has to know of the game before it draws."""
    data = game.data
    return Setting(
        ruleset=game.name,
        title=TITLE,
        version=game.version,
        sides=(SIDE_NAMES[0], SIDE_NAMES[1]),
        powers=tuple([PowerCard(n.name, n.letter, n.side, k in MAJORS) for k, n in enumerate(data.nations)]),
        leaders=tuple([_leader(data, number) for number in data.leader_ids]),
        fortresses=tuple(_fortresses(data)),
        towns=tuple(_towns(data)),
        tables=tuple([make(data) for make in TABLES]),
        layers=LAYER_CARDS,
        scenarios=tuple(
            [
                scenario_card(s.name, s.text, (s.year, s.turn), (s.last, s.end), TURNS, s.par, PACE)
                for s in data.scenarios.values()
            ]
        ),
        options=tuple([OptionCard(name, values, EXPLAINED.get(name, "")) for name, values in game.options.items()]),
        years=YEARS,
        turns=tuple([half_month(turn) for turn in range(1, TURNS + 1)]),
        winter=tuple(range(WINTER - 1, TURNS)),
        theatres=theatre_cards(data.board),
    )


def _leader(data: GameData, number: LeaderId) -> LeaderCard:
    leader = data.leaders[number]
    facts = (
        ("command", str(leader.command)),
        ("initiative", str(leader.initiative)),
        ("combat", str(leader.combat)),
        ("morale", str(leader.morale)),
    )
    name = f"wagon {leader.name}" if data.is_wagon(number) else leader.name
    return LeaderCard(name, leader.nation, ratings(leader), facts)


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
    """Every name to jump to, each once a hex, strongholds first."""
    forts = [(place.name, here) for here, place in data.strongholds.items()]
    return towns_of((*forts, *data.places.items()))


LAYER_CARDS: Final = (
    LayerCard("supply", "s", "Supply", "Depots and their range, and which forces are out of it (R9.6, V3.5)"),
    LayerCard(
        "zones", "z", "Austrian zones", "Where Austrian field forces cut the supply of the Prussian side (V3.2a)"
    ),
    LayerCard("reach", "r", "Reach of a force", "Where the leaders of a hex can march, with the MP left (R5.1)", True),
    LayerCard("threat", "e", "Enemy reach", "Where enemy forces could march, or react to a march (R5.1, R7.1)"),
    LayerCard("holders", "v", "Holders and VP", "Who controls each stronghold, its VP, its area (R10.2, R16.1, R16.2)"),
)
