"""Layers over the map: supply, zones of control, reach, threat, and who holds what. From a view, and saying so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER, OwnerId, as_side, is_side
from leuthen.rulesets.frederick.knowledge.view import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model.data import NOBODY, TERRITORIES, GameData
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.state import AUSTRIAN, PRUSSIAN, SIDES, Position
from leuthen.rulesets.frederick.rules.c12_victory import holder, vp_of
from leuthen.rulesets.frederick.rules.o07_zones import casts_zone, in_zone, zone_for_supply
from leuthen.rulesets.frederick.rules.o10_supply.supply import (
    is_supplied,
    links,
    open_hexes,
    path_length,
    sources,
    supply,
)
from leuthen.rulesets.frederick.screen.hunger import hunger_rule, hungry_stacks
from leuthen.rulesets.frederick.screen.reach import WORST, Ranged, ranges, threats
from leuthen.screen import Layer, Place, Shade, Trace
from leuthen.wargame.board import Hex, Hexes, hex_name, hexes_of, stack_key
from leuthen.wargame.names import counted
from leuthen.wargame.strength import LeaderId


class LayerSource:
    """What a layer is made from: a view as a position, with the names of its game."""

    def __init__(self, data: GameData, view: View) -> None:
        self.data = data
        self.view = view
        self.pos: Position = complete_view(data, view, AT_LEAST)
        self.book = data.book

    @property
    def sides(self) -> tuple[OwnerId, ...]:
        """The sides that the layer is about: the viewer's own, for a watcher both."""
        return (as_side(self.view.viewer),) if is_side(self.view.viewer) else SIDES

    def sides_at(self, place: Place) -> tuple[OwnerId, ...]:
        """The side of a stack in a place, if one is named and somebody stands there. Raises Invalid."""
        if not place:
            return self.sides
        here = self.book.hex(place.partition("-")[0])
        found = tuple(side for side in SIDES for inside in (0, 1) if stack_key(here, side, inside) in self.pos.stacks)
        own = [side for side in found if side in self.sides]
        return tuple(own or found[:1]) or self.sides

    def place(self, here: Hex) -> str:
        """A hex with its town."""
        return self.book.place(here)

    def who(self, commander: LeaderId) -> str:
        """A commander's name."""
        return self.data.leaders[commander].name if commander >= 0 else "SP without a leader"


def make_layer(data: GameData, view: View, name: str, place: Place = "") -> Layer:
    """A layer over the map. Raises Invalid for an unknown layer or place."""
    if name not in LAYERS:
        raise Invalid(f"«{name}» is no layer: {', '.join(LAYERS)}")
    return LAYERS[name](LayerSource(data, view), place)


def _supply(sheet: LayerSource, place: Place) -> Layer:
    """The viewer's own supply; of the enemy, as far as it is seen, if the place is one of his."""
    pos, shades, lines, notes = sheet.pos, dict[str, Shade](), list[Trace](), list[str]()
    for side in dict.fromkeys(sheet.sides_at(place)):
        shades |= _supplied(sheet, side)
        lines += [_supply_line(sheet, line) for line in supply_lines(pos, side)]
        if sheet.view.knows(side):
            notes += _hungry(sheet, side, shades)
    notes.append(
        "Judged by where the enemy's SP are seen now; his zones by the colours that his stacks show (O7.5, O10.3)."
    )
    return Layer("supply", "Supply", shades, tuple(lines), tuple(notes))


def _supplied(sheet: LayerSource, side: OwnerId) -> dict[str, Shade]:
    """Sources 4, working links 3, hexes in supply 2 (over 4 hexes as well as 5) or 1 (over 5 only).

    A stack that will roll for attrition is marked over that, with nobody's colour.
    """
    fields = supply(sheet.pos, side)
    near, far = fields[min(_lengths(sheet))], fields[max(_lengths(sheet))]
    shades: dict[str, Shade] = {}
    for here in hexes_of(far):
        is_near = near >> here & 1
        text = "in supply" if is_near else f"in supply over {counted(max(_lengths(sheet)), 'hex')} only"
        shades[hex_name(here)] = Shade(2 if is_near else 1, side, text)
    for here, kind in working_places(sheet.pos, side):
        level = 4 if kind == "source" else 3
        shades[hex_name(here)] = Shade(level, side, f"{sheet.place(here)}: {kind}")
    return shades


def _lengths(sheet: LayerSource) -> set[int]:
    return {power.supply for power in sheet.data.powers}


def _supply_line(sheet: LayerSource, line: SupplyLine) -> Trace:
    start, end = sheet.place(line.path[0]), sheet.place(line.path[-1])
    text = f"{start} from {end}: {len(line.path) - 1} of {line.most} hexes"
    return Trace(tuple(map(hex_name, line.path)), line.side, text)


def _hungry(sheet: LayerSource, side: OwnerId, shades: dict[str, Shade]) -> Iterator[str]:
    for hungry in hungry_stacks(sheet.pos, side):
        stack = hungry.stack
        who = f"{sheet.who(stack.commander)}, {stack.strength} SP at {sheet.place(stack.hex)}"
        text = f"{who}: {hungry.text} ({hunger_rule(hungry)})"
        shades[hex_name(stack.hex)] = Shade(4, NOBODY, text)
        yield f"{text}."


def _zones(sheet: LayerSource, place: Place) -> Layer:
    pos, blocked = sheet.pos, zone_for_supply(sheet.pos)
    shades: dict[str, Shade] = {}
    for stack in pos.own(AUSTRIAN):
        if stack.inside or not casts_zone(stack):
            continue
        shades.setdefault(hex_name(stack.hex), Shade(4, AUSTRIAN, f"{sheet.who(stack.commander)} has a zone (O7.1)"))
        for there in pos.data.board.neighbours[stack.hex]:
            shades[hex_name(there)] = _zone_shade(sheet, there, blocked)
    notes = (
        "Only Austrian field stacks have a zone, and only the Prussian side meets it (O7.1).",
        "A stack is Austrian by the colours that it shows (O7.5).",
    )
    return Layer("zones", "Zones of control", shades, (), notes)


def _zone_shade(sheet: LayerSource, here: Hex, blocked: Hexes) -> Shade:
    if not in_zone(sheet.pos, here, PRUSSIAN):
        return Shade(1, AUSTRIAN, f"{sheet.place(here)}: no zone reaches into a fortress held by SP (O7.2)")
    if blocked >> here & 1:
        return Shade(3, AUSTRIAN, f"{sheet.place(here)}: +1 MP (O5.3), and no supply passes (O10.3)")
    return Shade(2, AUSTRIAN, f"{sheet.place(here)}: +1 MP (O5.3); supply passes, a stack is there (O7.4)")


def _reach(sheet: LayerSource, place: Place) -> Layer:
    here = sheet.book.hex(place.partition("-")[0])
    found = ranges(sheet.pos, here, sheet.view.viewer)
    if found is None:
        raise Invalid(f"nobody at {sheet.place(here)} could march")
    who, least = found
    shades = {hex_name(there): _reach_shade(*needed, who.side) for there, needed in least.items()}
    hidden = () if sheet.view.knows(who.side) else ("Leaders whom you do not see may be faster.",)
    notes = (
        f"{sheet.who(who.leader)} with all that may go along, fresh, initiative {who.initiative}: by the least die.",
        "A march ends at an enemy field stack; what others do meanwhile is not foreseen.",
        *hidden,
    )
    return Layer("reach", f"Reach from {sheet.place(here)}", shades, (), notes)


def _reach_shade(die: int, points: int, side: OwnerId) -> Shade:
    """Level 4 for what a 1 reaches, down to 1 from a 4 on."""
    text = "whatever the die" if die == 1 else f"with a {die} or more" if die < WORST else f"only with a {die}"
    return Shade(max(1, 5 - die), side, f"{points} MP: {text}", points)


def _threat(sheet: LayerSource, place: Place) -> Layer:
    shades: dict[str, Shade] = {}
    for side in sheet.sides:
        for there, ranged in threats(sheet.pos, OTHER[side]).items():
            shades[hex_name(there)] = _threat_shade(sheet, ranged, OTHER[side])
    notes = (
        "The worst for you: every enemy stack with a leader in sight rolls a 6 (6 MP, in winter 5).",
        "Faintest: only by a force march in your turn on top of a march in his own (O6.1).",
        "Stacks without a leader stay where they are unless a leader comes to fetch them (O8.4, O5.7).",
    )
    return Layer("threat", "Threat", shades, (), notes)


def _threat_shade(sheet: LayerSource, ranged: Ranged, side: OwnerId) -> Shade:
    who = f"{sheet.who(ranged.leader)} from {sheet.place(ranged.start)}"
    if ranged.is_twice:
        return Shade(1, side, f"{who}: by a march and a force march")
    level = 4 if ranged.points <= 2 else 3 if ranged.points <= 4 else 2
    return Shade(level, side, f"{who}: {ranged.points} MP", ranged.points)


def _holders(sheet: LayerSource, place: Place) -> Layer:
    pos, board = sheet.pos, sheet.data.board
    shades: dict[str, Shade] = {}
    for territory, power in TERRITORIES.items():
        side = pos.side_of(power)
        text = f"{sheet.data.powers[power].name}: {SIDE_NAMES[side] if side in SIDES else 'neutral'}"
        if side in SIDES:
            shades |= {hex_name(here): Shade(1, side, text) for here in hexes_of(board.region(territory))}
    for here, fort in sheet.data.fortresses.items():
        owner, points = pos.owners[here], vp_of(pos, here)
        held = "held" if holder(pos, here) != NOBODY else "empty: its VP count for nobody"
        state = f"{SIDE_NAMES[owner]}, {held}" if owner in SIDES else "neutral"
        level = 4 if fort.great else 3 if points >= 5 else 2
        shades[hex_name(here)] = Shade(level, owner, f"{sheet.place(here)}, {points} VP: {state} (C12.2)")
    notes = ("A fortress counts for the side that it belongs to and whose SP hold it (C12.2).",)
    return Layer("holders", "Who holds what", shades, (), notes)


LAYERS: Final[Mapping[str, Callable[[LayerSource, Place], Layer]]] = {
    "supply": _supply,
    "zones": _zones,
    "reach": _reach,
    "threat": _threat,
    "holders": _holders,
}


class SupplyLine(NamedTuple):
    """A way from whoever is supplied to a source or a working link, and how many hexes it may have at the most."""

    side: OwnerId
    path: tuple[Hex, ...]
    most: int


def working_links(pos: Position, side: OwnerId) -> list[tuple[Hex, int]]:
    """The links that have supply to pass on, each with the length of its own path."""
    fields = supply(pos, side)
    return [(here, length) for here, length in links(pos, side) if fields[length] >> here & 1]


def working_places(pos: Position, side: OwnerId) -> Iterator[tuple[Hex, str]]:
    """What supplies: the sources, then the working links, each with what it is."""
    for here in hexes_of(sources(pos, side)):
        yield here, "source"
    for here, _ in working_links(pos, side):
        yield here, "working depot" if here in pos.depots else "garrisoned fortress"


def supply_lines(pos: Position, side: OwnerId) -> list[SupplyLine]:
    """The shortest way of each link, then of each field stack in supply, to what supplies it."""
    passable, working = open_hexes(pos, side), sources(pos, side)
    found: list[SupplyLine] = []
    waiting = working_links(pos, side)
    while waiting:
        ways = [
            SupplyLine(side, way, most) for here, most in waiting if (way := _way(pos, here, working, passable, most))
        ]
        if not ways:
            break
        found += ways
        reached = {line.path[0] for line in ways}
        waiting = [(here, most) for here, most in waiting if here not in reached]
        for here in reached:
            working |= 1 << here
    for stack in pos.own(side):
        if stack.sp and not stack.inside and is_supplied(pos, stack):
            most = path_length(pos, stack.sp, stack.nation)
            way = _way(pos, stack.hex, working, passable, most)
            if len(way) > 1:
                found.append(SupplyLine(side, way, most))
    return found


def _way(pos: Position, start: Hex, working: Hexes, passable: Hexes, most: int) -> tuple[Hex, ...]:
    """A shortest way from a hex to one that supplies; empty if there is none of at most so many hexes."""
    if working >> start & 1:
        return (start,)
    before: dict[Hex, Hex] = {start: start}
    edge = [start]
    for _ in range(most):
        ahead: list[Hex] = []
        for here in edge:
            for there in pos.data.board.neighbours[here]:
                if there in before or not passable >> there & 1:
                    continue
                before[there] = here
                if working >> there & 1:
                    return _back(before, start, there)
                ahead.append(there)
        edge = ahead
    return ()


def _back(before: dict[Hex, Hex], start: Hex, end: Hex) -> tuple[Hex, ...]:
    path = [end]
    while path[0] != start:
        path.insert(0, before[path[0]])
    return tuple(path)
