"""A view in words, the common base of the display modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import SIDES, Side
from leuthen.rulesets.campaigns.knowledge import OUTLINE, View, complete_view
from leuthen.rulesets.campaigns.model.data import ADJECTIVES, ALL_NATIONS, GameData, Leader
from leuthen.rulesets.campaigns.model.events import SIDE_NAMES, Names
from leuthen.rulesets.campaigns.model.forces import SeenForce, by_seniority, commander, senior
from leuthen.rulesets.campaigns.model.pieces import TURNS, Unit
from leuthen.rulesets.campaigns.model.state import Position, State
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.screen.forces import KnownForce, Reporter
from leuthen.wargame.board import NOWHERE, Hex, Hexes, bit, hex_name, hex_set
from leuthen.wargame.calendar import half_month
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, of, powers


def ratings(leader: Leader) -> str:
    """Return command, initiative, combat and morale as on the counter: "4-5-3-10" (R2.1)."""
    return f"{leader.command}-{leader.initiative}-{leader.combat}-{leader.morale}"


def asked_hex(pos: Position) -> Hex:
    """Return the hex of the innermost decision, or NOWHERE."""
    for frame in reversed(pos.frames[-2:]):
        lead = pos.units.get(getattr(frame, "lead", NO_LEADER))
        here = getattr(frame, "hex", NOWHERE) if lead is None else lead.hex
        if isinstance(here, int) and here >= 0:
            return Hex(here)
    battle = next((frame for frame in reversed(pos.frames) if isinstance(frame, Battle)), None)
    return battle.hex if battle is not None else NOWHERE


def when(clock: int) -> str:
    """Return a turn since 1756 as a date: "early May 1757"."""
    year, turn = divmod(clock - 1, TURNS)
    return f"{half_month(turn + 1)} {1756 + year}"


class Report(Reporter[GameData, View]):
    """A view with the names of its game, and with a position that the rules can be asked about.

    Numbers of hidden forces in that position are only likely ones: texts use the view.
    """

    SIDE_NAMES = SIDE_NAMES

    def __init__(self, data: GameData, view: View, state: State | None = None) -> None:
        is_open = state is not None and all(map(view.knows, SIDES))
        super().__init__(data, view)
        self.pos: Position = state if state is not None and is_open else complete_view(data, view, OUTLINE)
        self.names = Names(data)

    @cached_property
    def shared(self) -> object:
        """A token of everything that all counters depend on: options, ranks, senior leaders, knowledge."""
        pos, nations = self.pos, ALL_NATIONS
        seniors = tuple([senior(pos, nation) for nation in nations])
        known = self.knows(0), self.knows(1)
        return memo_of(self.data, "shared").once((pos.options, pos.ranks, seniors, known), object)

    @cached_property
    def crowds(self) -> tuple[tuple[Hexes, Hexes], tuple[Hexes, Hexes]]:
        """The hexes of each side's visible forces, in the field and inside."""
        found = [[0, 0], [0, 0]]
        for force in self.view.stacks:
            found[force.side][force.inside] |= 1 << force.hex
        return (found[0][0], found[0][1]), (found[1][0], found[1][1])

    @cached_property
    def besieged(self) -> Hexes:
        """The strongholds with one side inside and the other in the field: all sieges are among them."""
        there = self.pos.census
        met = (there.fields[0] & there.insides[1]) | (there.fields[1] & there.insides[0])
        return met & self.data.places_held

    @cached_property
    def stirred(self) -> Hexes:
        """The hexes with a march, battle or siege in progress."""
        found, units = self.besieged, self.pos.units
        for frame in self.pos.frames:
            if isinstance(frame, Battle | Retreating):
                found |= bit(frame.hex)
            elif isinstance(frame, Activation):
                found |= hex_set(units[number].hex for number in frame.group if number in units)
        return found

    def at(self, here: Hex, side: Side, *, inside: bool) -> SeenForce | None:
        where = here, side, inside
        return next((f for f in self.view.stacks if (f.hex, f.side, f.inside) == where), None)

    def tp_of(self, force: SeenForce) -> str:
        """Return the known strength of a force: "12 TP", "4–9 TP", "strength not known"."""
        return self.known(force).strength

    def known(self, force: SeenForce, commander: str = "", *, inside: bool = False) -> KnownForce:
        return KnownForce(commander, inside, self.place(force.hex), force.least, force.most, "TP")

    def tp_inside(self, here: Hex, side: Side) -> str:
        force = self.at(here, side, inside=True)
        return "0 TP" if force is None or force.alone else self.tp_of(force)

    def present(self, here: Hex) -> Iterator[Side]:
        return (force.side for force in self.view.stacks if force.hex == here)

    def name(self, number: LeaderId) -> str:
        """Return a leader's name, or "wagon P1"."""
        return self.names.unit(number)

    def ratings(self, number: LeaderId) -> str:
        return ratings(self.data.leaders[number])

    def tp(self, tp: Bag) -> str:
        """Return TP by nation: "12 Prussian, 3 Hanoverian"."""
        return ", ".join(f"{of(tp, n)} {ADJECTIVES[n]}" for n in powers(tp))

    def force(self, units: Iterable[Unit]) -> str:
        """Return a force as it is known: "Daun, 38 TP", "Daun, 20–40 TP"."""
        found = list(units)
        chief = commander(self.pos, found)
        who = self.name(chief) if chief >= 0 else self.names.units(unit.number for unit in found) or "no leader"
        strength = sum(unit.strength for unit in found)
        seen = self.at(found[0].hex, self.pos.side(found[0].number), inside=found[0].inside) if found else None
        if seen is not None and not self.knows(seen.side):
            return f"{who}, {self.tp_of(seen)}"
        return f"{who}, {strength} TP" if strength else who

    def ranked(self, force: SeenForce) -> list[LeaderId]:
        """Return the leaders of a force, its commander first, then by seniority, wagons last (R2.2)."""
        chief = commander(self.pos, self.units(force))
        ranked = by_seniority(self.pos, force.units)
        return [chief, *(number for number in ranked if number != chief)] if chief >= 0 else ranked

    def units(self, force: SeenForce) -> list[Unit]:
        return [self.pos.units[number] for number in force.units]

    def garrison(self, force: SeenForce) -> Bag:
        """Return the TP of a force without a leader (R1.4)."""
        return self.pos.garrisons.get(force.hex, EMPTY) if force.inside else EMPTY


@cache
def place_key(here: Hex, side: Side, inside: bool) -> str:
    """Return the key of a piece: hex, side, field or inside."""
    return f"{hex_name(here)}-{side}{'fi'[inside]}"
