"""Layers over the map, made from a view, and the reach of a group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from leuthen.engine.refusal import Invalid, Refusal
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, Side, is_side
from leuthen.rulesets.campaigns.model.data import AUSTRIA, COALITION, KINDS, NO_NATION, PRUSSIAN
from leuthen.rulesets.campaigns.model.forces import SeenForce
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.rules import r09_supply as supply
from leuthen.rulesets.campaigns.rules.r04_command.command import is_shut, why_not_move
from leuthen.rulesets.campaigns.rules.r04_command.marching import pace_of
from leuthen.rulesets.campaigns.rules.r05_walk import REACTION, Pace, Walk, allowance
from leuthen.rulesets.campaigns.rules.r07_reaction import reaction_range, why_not_react
from leuthen.rulesets.campaigns.rules.r16_victory import PLACES, is_area_controlled
from leuthen.rulesets.campaigns.screen.forces import Report
from leuthen.screen.forms import Entry, Leg, find_reach
from leuthen.screen.values import Layer, Place, Shade, Trace
from leuthen.wargame.board import NOWHERE, Hex, hex_name, hexes_of
from leuthen.wargame.strength import of


class GroupLeg(Leg):
    """The rest of a group's path; `steps` are the MP from hex to hex."""

    def __init__(self, pace: Pace, steps: Sequence[Mapping[Hex, int]]) -> None:
        self.pace = pace
        self.here = pace.here
        self.most = pace.left
        self.steps = steps

    def reach(self) -> dict[Hex, Entry]:
        return reach(self.pace)

    def price(self, there: Hex, found: Mapping[Hex, Entry]) -> str:
        before = found.get(found[there].before)
        return f"{found[there].spent - (before.spent if before is not None else 0)} MP"

    def after(self, path: Sequence[Hex], entry: Entry) -> GroupLeg:
        return GroupLeg(self.pace._replace(here=path[-1], left=self.most - entry.spent), self.steps)

    def why_not(self, goal: Hex, found: Mapping[Hex, Entry]) -> Refusal:
        spent = {self.here: 0, **{here: entry.spent for here, entry in found.items() if not entry.stops}}
        near = [here for here in spent if goal in self.steps[here]]
        if near:
            here = min(near, key=lambda place: spent[place])
            return self.pace.why(here, goal, self.most - spent[here])
        return Refusal("R5.1", "{} is farther than {} MP", (hex_name(goal), self.most), goal)


def reach(pace: Pace) -> dict[Hex, Entry]:
    """Return all hexes that a path can continue to; a leg ends where no step leads on."""
    ends: set[Hex] = set()

    def onward(here: Hex, spent: int, settled: set[Hex]) -> Iterator[tuple[Hex, int, bool]]:
        entered = pace.onward(here, pace.left - spent)
        if not entered:
            ends.add(here)
        return ((there, pace.left - left, False) for there, left in entered.items())

    return {there: entry._replace(stops=there in ends) for there, entry in find_reach({pace.here: 0}, onward).items()}


SEEN: Final = "Based on the units you can see, and assuming that others stay."


def _supply(report: Report, place: Place) -> Layer:
    """Return the depot range of a side, with its depots and the forces out of range (R9.2, R9.6)."""
    shades: dict[str, Shade] = {}
    notes: list[str] = []
    for side in report.sides_at(place):
        for here in hexes_of(supply.depot_range(report.pos, side)):
            shades[hex_name(here)] = Shade(1, side, f"{report.place(here)}: in depot range (R9.6)")
        for here, depot in report.pos.depots.items():
            if report.data.nations[depot.nation].side == side:
                text = f"depot of {report.names.nation(depot.nation)}"
                text += ", cut off from home" if supply.is_cut(report.pos, here) else ""
                level = 3
                if not supply.is_working(report.pos, here):
                    level, text = 2, "depot out of action: besieged or lost (R9.2)"
                shades[hex_name(here)] = Shade(level, side, f"{report.place(here)}: {text}")
        for force in report.view.stacks:
            text = _hungry(report, force) if force.side == side else ""
            if text:
                shades[hex_name(force.hex)] = Shade(4, NOBODY, text)
                notes.append(f"{text}.")
    notes.append(f"Range: 2 hexes, not through enemies (R9.6) or Austrian zones (V3.2a). {SEEN}")
    return Layer("supply", "Supply", shades, tuple(_supply_lines(report, report.sides_at(place))), tuple(notes))


def _hungry(report: Report, force: SeenForce) -> str:
    units = [unit for unit in report.units(force) if unit.tp]
    if not units or supply.is_near(report.pos, force.hex, force.side, force.inside):
        return ""
    if not report.knows(force.side):
        return f"{report.force(units)} at {report.place(force.hex)}: out of depot range (R9.6)"
    due, have = supply.need(report.pos, sum(unit.strength for unit in units)), supply.stock(report.units(force))
    return f"{report.force(units)} at {report.place(force.hex)}: out of depot range, needs {due} SP, has {have} (V3)"


def _supply_lines(report: Report, sides: tuple[int, ...]) -> Iterator[Trace]:
    board = report.data.board
    for force in report.view.stacks:
        if force.side not in sides or force.inside or not force.most:
            continue
        if not supply.depot_range(report.pos, force.side) >> force.hex & 1:
            continue
        depots = [h for h, d in report.pos.depots.items() if report.data.nations[d.nation].side == force.side]
        away = board.distances(force.hex)
        near = min(
            (h for h in depots if supply.is_working(report.pos, h)), key=lambda h: away.get(h, 99), default=NOWHERE
        )
        if near >= 0 and 0 < away.get(near, 99) <= 2:
            path = [near, force.hex]
            if force.hex not in board.neighbours[near]:
                path.insert(1, next(h for h in board.neighbours[near] if force.hex in board.neighbours[h]))
            yield Trace(tuple(map(hex_name, path)), force.side, f"{report.place(near)}: {len(path) - 1} of 2 hexes")


def _zones(report: Report, place: Place) -> Layer:
    zone, pos = supply.austrian_zone(report.pos), report.pos
    shades = {
        hex_name(here): Shade(2, COALITION, f"{report.place(here)}: no Prussian-side supply path (V3.2a)")
        for here in hexes_of(zone)
    }
    for unit in pos.units.values():
        if not unit.inside and of(unit.tp, AUSTRIA):
            shades[hex_name(unit.hex)] = Shade(4, COALITION, f"{report.name(unit.number)} exerts a zone (V3.2a)")
    for here in {u.hex for n, u in pos.units.items() if u.tp and not u.inside and pos.side(n) == PRUSSIAN}:
        if zone >> here & 1:
            shades[hex_name(here)] = Shade(1, COALITION, f"{report.place(here)}: supply passes, a force is there")
    notes = (
        "Only Austrian field forces exert a zone; it bars Prussian-side supply, not marches (V3.2a, R5.5).",
        "A Prussian-side wagon enters it only with an escort or where friendly TP are (V3.2b).",
        *(() if pos.options.einhorn else ("The base game has no zones.",)),
    )
    return Layer("zones", "Austrian zones", shades, (), notes)


def _reach(report: Report, place: Place) -> Layer:
    here = report.hex_of(place)
    who = [u for n, u in report.pos.units.items() if u.hex == here and not is_shut(report.pos, u)]
    best = _best_of(report, who)
    if not best:
        raise Invalid(f"no leader at {report.place(here)} can march")
    shades = {}
    for there, (left, unit) in best.items():
        level = 4 if left >= 4 else 3 if left >= 2 else 2 if left else 1
        text = f"{report.name(unit.number)}: {left} MP left"
        shades[hex_name(there)] = Shade(level, report.pos.side(unit.number), text, left)
    tired = [report.name(unit.number) for unit in who if why_not_move(report.pos, unit)]
    notes = (
        "For each leader alone with his TP; enemies on the way may react (R7).",
        *((f"Cannot march again this turn: {', '.join(tired)} (R4.2, V4).",) if tired else ()),
    )
    return Layer("reach", f"Reach from {report.place(here)}", shades, (), notes)


def _best_of(report: Report, units: Iterable[Unit]) -> dict[Hex, tuple[int, Unit]]:
    best: dict[Hex, tuple[int, Unit]] = {}
    for unit in units:
        walk = Walk(report.pos, (unit.number,), unit.number, allowance(report.pos, [unit]))
        pace = pace_of(walk, walk.here, walk.left, inside=walk.inside, fresh=walk.fresh, gone=False)
        for there, entry in reach(pace).items():
            left = pace.left - entry.spent
            if there not in best or left > best[there][0]:
                best[there] = left, unit
    return best


def _threat(report: Report, place: Place) -> Layer:
    shades: dict[str, Shade] = {}
    for side in report.sides:
        foe, units = OTHER[side], report.pos.units.values()
        able = [u for u in units if report.pos.side(u.number) == foe and u.tp and not is_shut(report.pos, u)]
        for there, (left, who) in _best_of(report, able).items():
            text = f"{report.name(who.number)} can march here, {left} MP left"
            shades[hex_name(there)] = Shade(1 + bool(left), foe, text, left)
        shades |= _reaction_shades(report, OTHER[side])
    notes = (
        "Darkest: enemies may react to a march into the hex (R7.1). Others: enemy marches can end there.",
        f"For each leader alone, when his chit is drawn; a forced march adds 4 MP (R8). {SEEN}",
    )
    return Layer("threat", "Enemy reach", shades, (), notes)


def _reaction_shades(report: Report, side: Side) -> dict[str, Shade]:
    """Return the hexes in reaction range of a side's forces, with their names (R7.1, R7.2)."""
    pos = report.pos
    able = [u for n, u in pos.units.items() if pos.side(n) == side and why_not_react(pos, u, side) is None]
    near: set[Hex] = set()
    for unit in able:
        near |= {there for there, far in report.data.board.distances(unit.hex).items() if far <= REACTION}
    found: dict[str, Shade] = {}
    for there in near:
        ways = reaction_range(pos, there, side)
        names = [report.name(unit.number) for unit in able if unit.hex in ways]
        if names:
            found[hex_name(there)] = Shade(4, side, f"May react to a march to {hex_name(there)}: {', '.join(names)}")
    return found


def _holders(report: Report, place: Place) -> Layer:
    pos = report.pos
    shades: dict[str, Shade] = {}
    notes: list[str] = []
    for number, area in enumerate(report.data.areas):
        for side in SIDES:
            foreign = area.nation != NO_NATION and report.data.nations[area.nation].side != side
            if foreign and is_area_controlled(pos, number, side):
                notes.append(f"{area.name}, {area.points} VP: the {report.side(side)} controls all places (R16.1)")
    for here, stronghold in report.data.strongholds.items():
        owner, points = pos.owners[here], PLACES.get(stronghold.kind, 0)
        whose = report.side(owner) if owner in SIDES else "no owner"
        garrison = report.tp_inside(here, owner) if is_side(owner) else "0 TP"
        text = f"{report.place(here)}, {KINDS[stronghold.kind]}, {points} VP: {whose}, {garrison} inside (R10.2)"
        shades[hex_name(here)] = Shade(2 + stronghold.kind, owner, text)
    notes.append("Only enemy places give VP; a city counts only for its area (R16.2).")
    return Layer("holders", "Holders and VP", shades, (), tuple(notes))


LAYERS: Final[Mapping[str, Callable[[Report, Place], Layer]]] = {
    "supply": _supply,
    "zones": _zones,
    "reach": _reach,
    "threat": _threat,
    "holders": _holders,
}
