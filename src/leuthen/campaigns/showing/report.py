"""A view put into words: what the parts of the show window have in common."""

from __future__ import annotations

from collections.abc import Iterable

from leuthen.campaigns.forces import by_seniority, commander
from leuthen.campaigns.gamedata import ADJECTIVES, GameData, Leader
from leuthen.campaigns.names import SIDE_NAMES, Names
from leuthen.campaigns.state import Position, Unit
from leuthen.campaigns.view import SeenForce, View
from leuthen.campaigns.worlds import world_of
from leuthen.core.board import Hex, hex_name
from leuthen.core.showing import NO_BOUND
from leuthen.core.strength import EMPTY, Bag, of, powers


def ratings(leader: Leader) -> str:
    """Command, initiative, combat and morale, as on a counter: «4-5-3-10» (R2.1)."""
    return f"{leader.command}-{leader.initiative}-{leader.combat}-{leader.morale}"


def band(low: int, high: int) -> str:
    """What is known of a strength: «–» of none, «12», «4–9», «10+» or «?»."""
    if low == high:
        return str(low) if low else "–"
    if high >= NO_BOUND:
        return f"{low}+" if low > 1 else "?"
    return f"{low}–{high}"


def begun(text: str) -> str:
    """A text as it begins a sentence: with a capital."""
    return text[:1].upper() + text[1:]


class Report:
    """A view with the names of its game, and a position that shows as much: what it knows may be asked of the rules."""

    def __init__(self, data: GameData, view: View) -> None:
        self.data = data
        self.view = view
        self.pos: Position = world_of(data, view)
        self.names = Names(data)

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides that something is about: the viewer's own, for a watcher both."""
        return (self.view.viewer,) if self.view.viewer in (0, 1) else (0, 1)

    def place(self, here: Hex) -> str:
        """A hex with its town: «1623 Dresden»."""
        return self.names.hex(here)

    def name(self, number: int) -> str:
        """A leader's name, or «wagon P1»."""
        return self.names.unit(number)

    def leader(self, number: int) -> str:
        """A leader with his ratings: «Keith 3-3-1-9»."""
        return f"{self.names.unit(number)} {ratings(self.data.leaders[number])}"

    def side(self, side: int) -> str:
        """A side by name: «Prussian side»."""
        return SIDE_NAMES[side]

    def tp(self, tp: Bag) -> str:
        """TP by nation: «12 Prussian, 3 Hanoverian»."""
        return ", ".join(f"{of(tp, n)} {ADJECTIVES[n]}" for n in powers(tp))

    def force(self, units: Iterable[Unit]) -> str:
        """Who commands how many TP: «Daun, 38 TP»."""
        found = list(units)
        strength = sum(unit.strength for unit in found)
        chief = commander(self.pos, found)
        who = self.name(chief) if chief >= 0 else self.names.units(unit.number for unit in found) or "no leader"
        return f"{who}, {strength} TP" if strength else who

    def ranked(self, force: SeenForce) -> list[int]:
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


def place_key(here: Hex, side: int, inside: bool) -> str:
    """The key of a piece: hex, side, field or inside."""
    return f"{hex_name(here)}-{side}{'fi'[inside]}"
