"""Features of a position for the learned value, from Prussia's point of view.

`FEATURES` names them. A feature of both sides is Prussia's number minus the Coalition's.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES
from leuthen.rulesets.campaigns.bot.situation import THEATRES, country, worth
from leuthen.rulesets.campaigns.model import data as nations
from leuthen.rulesets.campaigns.model.forces import forces_of
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, TURNS, Unit
from leuthen.rulesets.campaigns.model.state import Position, State
from leuthen.rulesets.campaigns.rules.r16_victory import PLACES, place_points, score
from leuthen.rulesets.campaigns.rules.r17_campaign import ORDER
from leuthen.wargame.board import Hexes, hex_name
from leuthen.wargame.bot.value import Analyst, ValueInput, force_name, side_difference
from leuthen.wargame.strength import by_power, total

STARTS: Final = ("1757", "1756", "1758", "1759", "prague", "olmutz")
"""Scenarios of at most a year; their par does not make them quite even between captains."""
NEAR: Final = 3  # hexes within which an army threatens a place
BESIEGERS: Final = 8  # TP of an army that attacks places
ARMY: Final = 15  # TP of a force that gives battle
FEW: Final = 2  # TP of a garrison that cannot hold a place for long
FEATURES: Final = (
    "years left", "urgency", "score", "score, urgent", "score, root", "places", "places, urgent",
    "tp, ratio", "tp, ratio, years", "tp in the field", "led tp", "shaken", "hungry", "largest", "armies",
    "leaders", "wagons", "sp", "depots", "coming", "prisoners", "captive merit",
    "besieged", "breached", "threatened", "bare",
    *(f"tp of {nation}" for nation in nations.NATIONS),
    *(f"{nations.NATIONS[nation]} at war" for nation in ORDER),
    *(f"tp in {theatre}" for theatre in THEATRES),
    *(f"places in {theatre}" for theatre in THEATRES),
    *(f"of {scenario}" for scenario in STARTS),
)  # fmt: skip


def features(state: State) -> ValueInput:
    """Return the features of a position. A war of one year has its own fit."""
    left = years_left(state)
    # victory (R16.4): places may fall again, points of battles stay
    urgency, over = 1.0 / (0.25 + left), score(state) / 10
    places = (place_points(state, nations.PRUSSIAN) - place_points(state, nations.COALITION)) / 10
    found = [
        left, urgency, over, over * urgency, over / math.sqrt(0.05 + left), places, places * urgency,
        *_armies(state, left), *_trains(state), *_walls(state), *_nations(state),
        *_theatres(state), *[left * (state.scenario == one) for one in STARTS],
    ]  # fmt: skip
    return ValueInput("year" if state.scenario in STARTS else "campaign", found)


def years_left(pos: Position) -> float:
    plan = pos.data.scenarios[pos.scenario]
    return max(0.0, plan.last - pos.year + (plan.end - pos.turn) / TURNS)


def _armies(pos: Position, left: float) -> Iterator[float]:
    led: list[list[Unit]] = [[], []]
    for unit in pos.units.values():
        if unit.tp:
            led[pos.side(unit.number)].append(unit)
    field = [[unit for unit in units if not unit.inside] for units in led]
    men = [sum((*pos.census.field[side].values(), *pos.census.inside[side].values())) for side in SIDES]
    ratio = math.log((men[nations.PRUSSIAN] + 1) / (men[nations.COALITION] + 1))
    led_well = [sum(unit.strength * _merit(pos.leader(unit.number)) for unit in units) for units in field]
    yield from (ratio, ratio * min(3.0, left))
    yield side_difference([sum(pos.census.field[side].values()) for side in SIDES]) / 10
    yield side_difference(led_well) / 10
    yield side_difference([sum(unit.strength for unit in units if unit.shaken) for units in led]) / 10
    yield side_difference([sum(unit.strength for unit in units if unit.hunger) for units in led]) / 10
    yield side_difference([max(pos.census.field[side].values(), default=0) for side in SIDES]) / 10
    yield side_difference([sum(points >= ARMY for points in pos.census.field[side].values()) for side in SIDES])
    yield side_difference([len(units) for units in led]) / 10


def _merit(man: nations.Leader) -> float:
    return (man.command + man.initiative + 2 * man.combat - 7) / 6


def _trains(pos: Position) -> Iterator[float]:
    wagons, supply, depots, coming = [0, 0], [0, 0], [0, 0], [0, 0]
    for unit in pos.units.values():
        side = pos.side(unit.number)
        wagons[side] += pos.data.is_wagon(unit.number)
        supply[side] += unit.sp
    for depot in pos.depots.values():
        depots[nations.SIDE_OF[depot.nation]] += 1
    for one in pos.coming:
        coming[nations.SIDE_OF[one.nation]] += one.tp
    held = [sum(1 + _merit(pos.leader(one.leader)) for one in pos.captives[side]) for side in SIDES]
    yield from (side_difference(wagons) / 5, side_difference(supply) / 10)
    yield from (side_difference(depots) / 5, side_difference(coming) / 10)
    yield from (side_difference(list(map(total, pos.prisoners))) / 10, side_difference(held))


def _walls(pos: Position) -> Iterator[float]:
    found = [[0.0, 0.0] for _ in range(4)]
    besieged, breached, threatened, bare = found
    near: list[Hexes] = [0, 0]
    for foe in SIDES:
        for here, tp in pos.census.field[foe].items():
            if tp >= BESIEGERS:
                near[foe] |= pos.data.board.within(here, NEAR)
    for here, side in pos.owners.items():
        if side == NOBODY or pos.is_enemy_ground(here):
            continue
        siege, men = pos.sieges.get(here), pos.census.inside[side].get(here, 0)
        if siege is not None:
            points = worth(pos, here, OTHER[side])
            besieged[side] += points / (1 + men / 4)
            breached[side] += points * siege.breaches
        elif near[OTHER[side]] >> here & 1:
            points = worth(pos, here, OTHER[side])
            threatened[side] += points
            bare[side] += points * (men <= FEW and pos.data.strongholds[here].kind != nations.CITY)
    yield from (-side_difference(pair) / 10 for pair in found)


def _nations(pos: Position) -> Iterator[float]:
    men = [0] * len(nations.NATIONS)
    for bag in (*(unit.tp for unit in pos.units.values()), *pos.garrisons.values()):
        for nation, points in by_power(bag):
            men[nation] += points
    yield from (points / 10 for points in men)
    yield from ((1.0 - 2.0 * nations.SIDE_OF[nation]) * (pos.status[nation] == AT_WAR) for nation in ORDER)


def _theatres(pos: Position) -> Iterator[float]:
    memo = memo_of(pos.data, "bots")
    lands = memo.get_or_compute("lands", lambda: [country(pos.data, names) for names in THEATRES.values()])
    men, places = [0.0] * len(lands), [0.0] * len(lands)

    def add(numbers: list[float], here: int, number: float) -> None:
        at = next((at for at, land in enumerate(lands) if land >> here & 1), None)
        if at is not None:
            numbers[at] += number

    for side in SIDES:
        for troops in (pos.census.field[side], pos.census.inside[side]):
            for here, points in troops.items():
                add(men, here, points * (1 - 2 * side))
    for here, place in pos.data.strongholds.items():
        owner = pos.owners[here]
        if owner != NOBODY and place.nation >= 0 and nations.SIDE_OF[place.nation] != owner:
            add(places, here, PLACES.get(place.kind, 0) * (1 - 2 * owner))
    yield from (number / 10 for number in (*men, *places))


class CampaignsAnalyst(Analyst[State]):
    def turn(self, state: State) -> int:
        """Return the number of the turn (R1.1); both sides act within one."""
        return state.clock

    def strengths(self, state: State, side: int) -> Mapping[str, int]:
        found = {}
        for force in forces_of(state):
            if force.side == side and force.tp:
                place, led = state.data.strongholds.get(force.hex), force.commander >= 0
                who = state.leader(force.commander).name if led else f"{nations.ADJECTIVES[force.nation]} troops"
                found[force_name(who, force.inside, hex_name(force.hex) if place is None else place.name)] = force.tp
        return found
