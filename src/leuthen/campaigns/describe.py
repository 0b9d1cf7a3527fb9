"""The situation as text, from a view only."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.campaigns.forces import muster
from leuthen.campaigns.gamedata import KINDS, NATIONS, GameData
from leuthen.campaigns.names import SIDE_NAMES, Names, name_book
from leuthen.campaigns.rules.victory import score, victory_points
from leuthen.campaigns.state import AT_WAR, SIDES, Position, Unit
from leuthen.campaigns.view import View
from leuthen.campaigns.worlds import world_of
from leuthen.core.board import Hex, hex_name
from leuthen.core.refusal import Invalid


def describe(data: GameData, view: View, topic: str = "") -> str:
    """The situation, or one hex, town or leader of it. Raises Invalid or Ambiguous for an unknown topic."""
    pos = world_of(data, view)
    names = Names(data)
    if not topic.strip():
        return "\n".join(_whole(pos, names))
    taken = name_book(data).leaders.take(topic.split())
    if taken is not None and taken[1] == len(topic.split()):
        return _of_leader(pos, names, taken[0])
    return "\n".join(_place(pos, names, name_book(data).hex(topic)))


def _whole(pos: Position, names: Names) -> Iterator[str]:
    mine, theirs = victory_points(pos)
    yield f"{pos.year}, turn {pos.turn}: {mine} VP to {theirs}, score {score(pos):+d}"
    for side in SIDES:
        yield f"{SIDE_NAMES[side]}:"
        for here in sorted(muster(pos).units):
            units = [unit for unit in muster(pos).units[here] if pos.side(unit.number) == side]
            if units:
                yield f"  {names.hex(here)}: {', '.join(_unit(pos, names, unit) for unit in units)}"
    war = [pos.data.nations[n].name for n in range(len(NATIONS)) if pos.status[n] == AT_WAR]
    yield f"At war: {', '.join(war)}"


def _unit(pos: Position, names: Names, unit: Unit) -> str:
    parts = [names.unit(unit.number)]
    parts += [f"{unit.strength} TP"] if unit.tp else []
    parts += [f"{unit.sp} SP"] if unit.sp else []
    flags = (("inside", unit.inside), ("moved", unit.moved), ("shaken", unit.shaken), ("daunted", unit.daunted))
    return " ".join([*parts, *(word for word, flag in flags if flag)])


def _of_leader(pos: Position, names: Names, number: int) -> str:
    leader = pos.leader(number)
    ratings = f"{leader.command}-{leader.initiative}-{leader.combat}-{leader.morale}"
    unit = pos.units.get(number)
    where = f"{names.hex(unit.hex)}: {_unit(pos, names, unit)}" if unit is not None else "not on the map"
    return f"{names.unit(number)}, {names.nation(leader.nation)}, {ratings}: {where}"


def _place(pos: Position, names: Names, here: Hex) -> Iterator[str]:
    if not pos.data.board.in_play(here):
        raise Invalid(f"«{hex_name(here)}» is not in play")
    yield f"{names.hex(here)}: {pos.data.board.terrain[here]}, {pos.data.board.territory[here]}"
    place = pos.data.strongholds.get(here)
    if place is not None:
        home = names.nation(place.nation)
        yield f"{place.name}: {KINDS[place.kind]} of {home}, held by {SIDE_NAMES[pos.owners[here]]}"
        yield f"Garrison: {names.tp(pos.garrisons.get(here, 0))}"
    if here in pos.depots:
        yield f"Depot of {names.nation(pos.depots[here].nation)}"
    for unit in muster(pos).units.get(here, ()):
        yield f"{SIDE_NAMES[pos.side(unit.number)]}: {_unit(pos, names, unit)}"
