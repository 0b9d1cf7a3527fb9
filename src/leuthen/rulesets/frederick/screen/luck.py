"""How lucky a roll was: what each of the six faces would have brought, and where the one that came lies among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from leuthen.rulesets.frederick.model.data import NOBODY, GameData
from leuthen.rulesets.frederick.model.events import Event, grand
from leuthen.rulesets.frederick.model.events import fighting as fight
from leuthen.rulesets.frederick.model.events import operations as field
from leuthen.rulesets.frederick.model.state import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.rules.c05_diplomacy.table import diplomacy_result
from leuthen.rulesets.frederick.rules.c07_commitment import LOWEST
from leuthen.rulesets.frederick.rules.o05_march.walk import MOST
from leuthen.rulesets.frederick.rules.o09_combat.combat import HIGH_DIE, LOW_DIE, commander_fate, percent_of
from leuthen.rulesets.frederick.rules.o12_fortresses import CAUGHT
from leuthen.rulesets.frederick.screen.table_cells import DIE
from leuthen.screen import Luck
from leuthen.screen.figures import middle_rank
from leuthen.screen.log_entries import die_of, lucks

Worth = Callable[[GameData, Any, int], float]
"""What a face would have been worth: the more, the better for the side whose roll it is."""


def luck_of(data: GameData, event: Event) -> tuple[Luck, ...]:
    """The luck of a roll for its side, and for the other where what is good for one is bad for the other."""
    rolled = _WORTH.get(type(event))
    if rolled is None:
        return ()
    worth, is_shared, favoured = rolled
    side = event.side if favoured == NOBODY else favoured
    worths = [worth(data, event, face) for face in DIE]
    value = middle_rank(worths, worths[die_of(event) - 1])
    return lucks(side, value, is_shared)


def _battle(data: GameData, event: fight.BattleFought, face: int) -> float:
    """By how much the attacker's score would have been the higher (O9.6)."""
    bonus = event.attack - event.defence - 2 * event.mountain
    result = max(LOW_DIE, min(HIGH_DIE, face + bonus))
    column = max(lowest for lowest in data.columns if lowest <= event.ratio)
    first, second = (
        percent_of(percent, strength)
        for percent, strength in zip(data.combat[result, column], event.strengths, strict=True)
    )
    initiatives = (event.scores[0] - event.losses[1]) - (event.scores[1] - event.losses[0])
    return second - first + initiatives


def _siege(data: GameData, event: fight.SiegeRolled, face: int) -> float:
    total = event.total - event.die + face
    return sum(total >= lowest for lowest, _ in data.siege[1:])


def _commander(data: GameData, event: fight.CommanderFate, face: int) -> float:
    return {"killed": 0, "captured": 1}.get(commander_fate(face, lost=event.lost), 2)


def _stray(data: GameData, event: field.LeaderFate, face: int) -> float:
    is_lost = event.die > CAUGHT and event.fate == "captured"  # nobody is there to whom he could escape
    return float(face > CAUGHT and not is_lost)


def _morale(data: GameData, event: field.Recovered, face: int) -> float:
    return float(face + event.initiative >= event.target)


def _attrition(data: GameData, event: field.Starved, face: int) -> float:
    return -data.attrition[min(face + event.added, len(data.attrition)) - 1]


def _march(data: GameData, event: field.Rolled, face: int) -> float:
    return min(MOST, face + data.leaders[event.leader].initiative) if event.leader >= 0 else face


_PRUSSIAN_WORTH: Final = {PRUSSIAN: 1, NOBODY: 0, AUSTRIAN: -1}


def _reaction(data: GameData, event: field.Reacted, face: int) -> float:
    return _PRUSSIAN_WORTH[diplomacy_result(data, event.power, face, event.modifier)[1]]


def _diplomacy(data: GameData, event: grand.DiplomacyRolled, face: int) -> float:
    modifier = sum(number for _, number in event.modifiers)
    return _PRUSSIAN_WORTH[diplomacy_result(data, event.power, face, modifier)[1]]


def _commitment(data: GameData, event: grand.CommitmentRolled, face: int) -> float:
    row = max(LOWEST, face + sum(number for _, number in event.modifiers))
    percent, switches = data.commitment[row, event.power]
    return percent - 1000 * switches


def _leaders(data: GameData, event: grand.LeadersRolled, face: int) -> float:
    return 0 if data.powers[event.power].most_leaders else data.leader_table[face - 1][0]


def _subsidy(data: GameData, event: grand.SubsidyRolled, face: int) -> float:
    return data.subsidy[max(1, face + sum(number for _, number in event.modifiers)) - 1]


_WORTH: Final[Mapping[type[Event], tuple[Worth, bool, int]]] = {
    fight.BattleFought: (_battle, True, NOBODY),
    fight.SiegeRolled: (_siege, True, NOBODY),
    fight.CommanderFate: (_commander, False, NOBODY),
    field.LeaderFate: (_stray, False, NOBODY),
    field.Recovered: (_morale, False, NOBODY),
    field.Starved: (_attrition, False, NOBODY),
    field.Rolled: (_march, False, NOBODY),
    field.Reacted: (_reaction, True, PRUSSIAN),
    grand.DiplomacyRolled: (_diplomacy, True, PRUSSIAN),
    grand.CommitmentRolled: (_commitment, False, NOBODY),
    grand.LeadersRolled: (_leaders, False, NOBODY),
    grand.SubsidyRolled: (_subsidy, False, NOBODY),
}
"""What a face is worth; whether what is good for one side is bad for the other; and to whom, if not to its own side."""
