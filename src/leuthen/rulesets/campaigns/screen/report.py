"""A view put into words: what the modules of this folder have in common."""

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
    """Command, initiative, combat and morale, as on a counter: «4-5-3-10» (R2.1)."""
    return f"{leader.command}-{leader.initiative}-{leader.combat}-{leader.morale}"


def asked_hex(pos: Position) -> Hex:
    """Return the hex of the innermost decision: of a mover, a retreat, a battle; NOWHERE if it has none."""
    for frame in reversed(pos.frames[-2:]):
        lead = pos.units.get(getattr(frame, "lead", NO_LEADER))
        here = getattr(frame, "hex", NOWHERE) if lead is None else lead.hex
        if isinstance(here, int) and here >= 0:
            return Hex(here)
    battle = next((frame for frame in reversed(pos.frames) if isinstance(frame, Battle)), None)
    return battle.hex if battle is not None else NOWHERE


def when(clock: int) -> str:
    """A turn since 1756 as a date: «early May 1757»."""
    year, turn = divmod(clock - 1, TURNS)
    return f"{half_month(turn + 1)} {1756 + year}"


class Report(Reporter[GameData, View]):
    """A view with the names of its game, and a position that shows as much: what it knows may be asked of the rules.

    Numbers of hidden forces in that position are no more than likely: what is told of them comes from the view.
    """

    SIDE_NAMES = SIDE_NAMES

    def __init__(self, data: GameData, view: View, state: State | None = None) -> None:
        """`state` is the position of the view, if it is at hand: where nothing is hidden it is asked itself."""
        is_open = state is not None and all(map(view.knows, SIDES))
        super().__init__(data, view)
        self.pos: Position = state if state is not None and is_open else complete_view(data, view, OUTLINE)
        self.names = Names(data)

    @cached_property
    def shared(self) -> object:
        """Stands for what all counters depend on: the options, how leaders rank, who is senior, what is known."""
        pos, nations = self.pos, ALL_NATIONS
        seniors = tuple([senior(pos, nation) for nation in nations])
        known = self.knows(0), self.knows(1)
        return memo_of(self.data, "shared").once((pos.options, pos.ranks, seniors, known), object)

    @cached_property
    def crowds(self) -> tuple[tuple[Hexes, Hexes], tuple[Hexes, Hexes]]:
        """Where forces of each side are seen, in the field and inside."""
        found = [[0, 0], [0, 0]]
        for force in self.view.stacks:
            found[force.side][force.inside] |= 1 << force.hex
        return (found[0][0], found[0][1]), (found[1][0], found[1][1])

    @cached_property
    def besieged(self) -> Hexes:
        """The strongholds where one side is inside and the other in the field: elsewhere there is no siege."""
        there = self.pos.census
        met = (there.fields[0] & there.insides[1]) | (there.fields[1] & there.insides[0])
        return met & self.data.places_held

    @cached_property
    def stirred(self) -> Hexes:
        """Where somebody marches, fights or besieges just now."""
        found, units = self.besieged, self.pos.units
        for frame in self.pos.frames:
            if isinstance(frame, Battle | Retreating):
                found |= bit(frame.hex)
            elif isinstance(frame, Activation):
                found |= hex_set(units[number].hex for number in frame.group if number in units)
        return found

    def at(self, here: Hex, side: Side, *, inside: bool) -> SeenForce | None:
        """The force of a side in a hex, as it is seen."""
        where = here, side, inside
        return next((f for f in self.view.stacks if (f.hex, f.side, f.inside) == where), None)

    def tp_of(self, force: SeenForce) -> str:
        """How strong a force is, as far as that is known: «12 TP», «4–9 TP», «strength not known»."""
        return self.known(force).strength

    def known(self, force: SeenForce, commander: str = "", *, inside: bool = False) -> KnownForce:
        """A force as it is known."""
        return KnownForce(commander, inside, self.place(force.hex), force.least, force.most, "TP")

    def tp_inside(self, here: Hex, side: Side) -> str:
        """The TP inside a place, as far as they are known."""
        force = self.at(here, side, inside=True)
        return "0 TP" if force is None or force.alone else self.tp_of(force)

    def present(self, here: Hex) -> Iterator[Side]:
        return (force.side for force in self.view.stacks if force.hex == here)

    def name(self, number: LeaderId) -> str:
        """Return a leader's name, or «wagon P1»."""
        return self.names.unit(number)

    def ratings(self, number: LeaderId) -> str:
        return ratings(self.data.leaders[number])

    def tp(self, tp: Bag) -> str:
        """TP by nation: «12 Prussian, 3 Hanoverian»."""
        return ", ".join(f"{of(tp, n)} {ADJECTIVES[n]}" for n in powers(tp))

    def force(self, units: Iterable[Unit]) -> str:
        """Who commands how many TP: «Daun, 38 TP», of a hidden force «Daun, 20–40 TP»."""
        found = list(units)
        chief = commander(self.pos, found)
        who = self.name(chief) if chief >= 0 else self.names.units(unit.number for unit in found) or "no leader"
        strength = sum(unit.strength for unit in found)
        seen = self.at(found[0].hex, self.pos.side(found[0].number), inside=found[0].inside) if found else None
        if seen is not None and not self.knows(seen.side):
            return f"{who}, {self.tp_of(seen)}"
        return f"{who}, {strength} TP" if strength else who

    def ranked(self, force: SeenForce) -> list[LeaderId]:
        """The leaders of a force, its commander first, then from the highest Sr down, wagons last (R2.2)."""
        chief = commander(self.pos, self.units(force))
        ranked = by_seniority(self.pos, force.units)
        return [chief, *(number for number in ranked if number != chief)] if chief >= 0 else ranked

    def units(self, force: SeenForce) -> list[Unit]:
        """The leaders and wagons of a force."""
        return [self.pos.units[number] for number in force.units]

    def garrison(self, force: SeenForce) -> Bag:
        """The TP of a force that stand under no leader (R1.4)."""
        return self.pos.garrisons.get(force.hex, EMPTY) if force.inside else EMPTY


@cache
def place_key(here: Hex, side: Side, inside: bool) -> str:
    """The key of a piece: hex, side, field or inside."""
    return f"{hex_name(here)}-{side}{'fi'[inside]}"
