"""The situation as text, from a view only."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.knowledge.complete import MIDDLE, complete_view
from leuthen.rulesets.campaigns.knowledge.view import SeenForce, View
from leuthen.rulesets.campaigns.model.data import ADJECTIVES, KINDS, NATIONS, GameData
from leuthen.rulesets.campaigns.model.names import SIDE_NAMES, Names, name_book
from leuthen.rulesets.campaigns.model.pieces import UNKNOWN
from leuthen.rulesets.campaigns.model.state import AT_WAR, ON_MAP, SIDES, Unit
from leuthen.rulesets.campaigns.rules.r16_victory import score, victory_points
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.case_words import band_text
from leuthen.wargame.strength import EMPTY


def describe(data: GameData, view: View, topic: str = "") -> str:
    """The situation, or one hex, town or leader of it. Raises Invalid or Ambiguous for an unknown topic."""
    told = Account(data, view)
    if not topic.strip():
        return "\n".join(told.whole())
    taken = name_book(data).leaders.take(topic.split())
    if taken is not None and taken[1] == len(topic.split()):
        return told.of_leader(taken[0])
    return "\n".join(told.place(name_book(data).hex(topic)))


class Account:
    """A view with the names of its game. Of hidden forces as much is told as it says (R1.8)."""

    def __init__(self, data: GameData, view: View) -> None:
        self.data = data
        self.view = view
        self.pos = complete_view(data, view, MIDDLE)
        self.names = Names(data)
        self.units = view.units

    def whole(self) -> Iterator[str]:
        """Victory points, all forces, who is at war."""
        pos = self.pos
        mine, theirs = victory_points(pos)
        yield f"{pos.year}, turn {pos.turn}: {mine} VP to {theirs}, score {score(pos):+d}"
        for side in SIDES:
            yield f"{SIDE_NAMES[side]}:"
            for here in sorted({force.hex for force in self.view.stacks if force.side == side}):
                there = list(self.forces(here, side))
                if there:
                    yield f"  {self.names.hex(here)}: {', '.join(there)}"
        war = [pos.data.nations[n].name for n in range(len(NATIONS)) if pos.status[n] == AT_WAR]
        yield f"At war: {', '.join(war)}"

    def forces(self, here: Hex, side: int) -> Iterator[str]:
        """Who of a side is in a hex; garrisons without leaders only where they are hidden."""
        there = [force for force in self.view.stacks if (force.hex, force.side) == (here, side)]
        hidden = [force for force in there if force.most and not self.view.knows(side)]
        yield from map(self.hidden, hidden)
        seen = sorted(number for force in there if force not in hidden for number in force.units)
        yield from (self.unit(self.units[number]) for number in seen)

    def hidden(self, force: SeenForce) -> str:
        """«Daun 14-20 TP moved», «garrison ? TP», with whoever else is seen there."""
        chief = force.commander
        who = self.names.unit(chief) if chief >= 0 else f"{ADJECTIVES[force.nation]} garrison"
        known = "?" if force.most >= UNKNOWN and force.least <= 1 else band_text(force.least, force.most)
        marks = [word for word, flag in _flags(self.units[chief]) if flag] if chief >= 0 else ["inside"]
        others = [self.names.unit(number) for number in force.units if number != chief]
        return ", ".join([" ".join([who, known, "TP", *marks]), *others])

    def unit(self, unit: Unit) -> str:
        """A leader or a wagon that is known in full, or has no TP."""
        parts = [self.names.unit(unit.number)]
        parts += [f"{unit.strength} TP"] if unit.tp else []
        parts += [f"{unit.sp} SP"] if unit.sp else []
        return " ".join([*parts, *(word for word, flag in _flags(unit) if flag)])

    def of_leader(self, number: int) -> str:
        """His nation and ratings, where he is and with what."""
        leader, unit = self.pos.leader(number), self.units.get(number)
        ratings = f"{leader.command}-{leader.initiative}-{leader.combat}-{leader.morale}"
        who = f"{self.names.unit(number)}, {self.names.nation(leader.nation)}, {ratings}"
        if unit is None:
            return f"{who}: {'on the map, not seen' if self.view.roster[number] == ON_MAP else 'not on the map'}"
        side = self.pos.side(number)
        told = self.unit(unit) if self.view.knows(side) else ", ".join(self.forces(unit.hex, side))
        return f"{who}: {self.names.hex(unit.hex)}: {told}"

    def place(self, here: Hex) -> Iterator[str]:
        """A hex: its ground, its stronghold, its depot, who is there."""
        pos, names = self.pos, self.names
        if not pos.data.board.in_play(here):
            raise Invalid(f"«{hex_name(here)}» is not in play")
        yield f"{names.hex(here)}: {pos.data.board.terrain[here]}, {pos.data.board.territory[here]}"
        place = pos.data.strongholds.get(here)
        if place is not None:
            home = names.nation(place.nation)
            yield f"{place.name}: {KINDS[place.kind]} of {home}, held by {SIDE_NAMES[pos.owners[here]]}"
            if pos.owners[here] not in SIDES or self.view.knows(pos.owners[here]):
                yield f"Garrison: {names.tp(self.view.garrisons.get(here, EMPTY))}"
        if here in pos.depots:
            yield f"Depot of {names.nation(pos.depots[here].nation)}"
        for side in SIDES:
            yield from (f"{SIDE_NAMES[side]}: {force}" for force in self.forces(here, side))


def _flags(unit: Unit) -> tuple[tuple[str, object], ...]:
    return ("inside", unit.inside), ("moved", unit.moved), ("shaken", unit.shaken), ("daunted", unit.daunted)
