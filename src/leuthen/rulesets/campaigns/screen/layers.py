"""Layers over the map, made from a view, the reach of a group, and warnings before a decision ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from leuthen.engine.choice import ByKind
from leuthen.engine.refusal import Invalid, Refusal
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, Side, is_side
from leuthen.rulesets.campaigns.knowledge import View
from leuthen.rulesets.campaigns.model.data import AUSTRIA, COALITION, KINDS, NO_NATION, PRUSSIAN, GameData
from leuthen.rulesets.campaigns.model.forces import SeenForce, field_tp, inside_tp, limit, strength, troops_at
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.model.state import Decision
from leuthen.rulesets.campaigns.rules import r09_supply as supply
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders, is_shut, why_not_move
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching, pace_of
from leuthen.rulesets.campaigns.rules.r05_hex_actions import why_not_seize
from leuthen.rulesets.campaigns.rules.r05_walk import REACTION, Pace, Walk, allowance
from leuthen.rulesets.campaigns.rules.r07_reaction import reaction_range, why_not_react
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r16_victory import PLACES, is_area_controlled
from leuthen.rulesets.campaigns.screen.forces import Report
from leuthen.screen.forces import Undone, collect_leftovers, note
from leuthen.screen.forms import Entry, Leg, find_reach
from leuthen.screen.values import Layer, Left, Place, Shade, Trace
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
        working = [here for here in depots if supply.is_working(report.pos, here)]
        near = min(working, key=lambda here: away.get(here, 99), default=NOWHERE)
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
        pace = pace_of(walk, walk.here, walk.left, gone=False)
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


def left_undone(data: GameData, view: View) -> tuple[Left, ...]:
    if view.viewer not in SIDES or view.outcome is not None or not view.frames:
        return ()
    review = Report(data, view)
    frame = review.pos.frames[-1]
    return collect_leftovers(review, (frame,), _BY_DECISION) if view.viewer in frame.actors(review.pos) else ()


def _orders(review: Report, orders: Orders) -> Iterator[Undone]:
    """Leaders of the present chit who have not moved, hungry forces, and undefended places (R4.2)."""
    pos, side = review.pos, review.side_asked
    for number in orders.able(pos):
        unit = pos.units[number]
        where = review.place(unit.hex)
        if pos.options.einhorn and unit.daunted and not unit.inside:
            yield note(f"{review.name(number)} is demoralized: he must march to a fort first", "V8.2", unit.hex, 50)
        elif is_shut(pos, unit):
            yield note(f"{review.name(number)} is besieged at {where}: he can only make a sortie", "R10.7", unit.hex)
        elif not review.data.is_wagon(number):
            yield note(f"{review.force([unit])} at {where} has not moved", "R4.2", unit.hex, unit.strength / 100)
        elif unit.sp:
            yield note(f"{review.name(number)} with {unit.sp} SP at {where} has not moved", "R9.3", unit.hex)
    for here in sorted({pos.units[number].hex for number in orders.able(pos)}):
        yield from _unfed(review, here, side)
        units = troops_at(pos, here, side, False)
        if units and not why_not_seize(pos, here, side, units):
            yield note(f"{review.place(here)} is undefended: any march, even without MP, can take it", "R5.6", here, 2)


def _unfed(review: Report, here: Hex, side: Side) -> Iterator[Undone]:
    """A force out of depot range pays in step H, or rolls for attrition (R9.7, V3.5)."""
    pos = review.pos
    units = [unit for unit in troops_at(pos, here, side, False) if not unit.left]
    if not units or supply.is_near(pos, here, side, False):
        return
    due, have = supply.need(pos, strength(units)), supply.stock(units)
    what = f"{have} of {due} SP" if have < due else f"{due} SP, and it has {have}"
    cost = 0.058 * strength(units) if have < due else 0
    if due:
        yield note(f"{review.force(units)} stays out of depot range: it needs {what}", "V3.5", here, cost)


def _march(review: Report, march: Marching) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    units = [pos.units[number] for number in march.members(pos)]
    here = units[0].hex
    if march.left:
        yield note(f"{march.left} MP left", "R5.1", here)
    if not why_not_seize(pos, here, side, units):
        yield note(f"{review.place(here)} is undefended and not yours: taking it costs 1 MP", "R5.6", here, 2)
    if not supply.is_near(pos, here, side, units[0].inside) and strength(units):
        due, have = supply.need(pos, strength(units)), supply.stock(units)
        if have < due:
            text = f"{hex_name(here)} is out of depot range: the group has {have} of {due} SP"
            yield note(text, "V3.5", here, 0.058 * strength(units))


def _sieges(review: Report, step: SiegeStep) -> Iterator[Undone]:
    """Without a roll the siege ends and a breach is repaired (R11.2)."""
    for here in step.open(review.pos):
        siege = review.pos.sieges.get(here, Siege())
        lost = f": siege turn {siege.turns} ends, a breach is repaired" if siege.turns else " yet"
        yield note(f"No siege roll at {review.place(here)}{lost}", "R11.2", here, 1 + siege.turns)


def _supplying(review: Report, step: supply.SupplyStep) -> Iterator[Undone]:
    pos = review.pos
    for here in step.creatable(pos):
        nation = review.names.nation(pos.depots[here].nation)
        yield note(f"{nation} can make a full wagon at {review.place(here)}", "R9.3", here, 1)
    for number in step.builders(pos):
        here = pos.units[number].hex
        yield note(f"{review.name(number)} at {review.place(here)} can become a depot", "R9.1", here, 0.5)
    for number in step.loads(pos):
        unit = pos.units[number]
        load = f"{unit.sp} of {supply.load_limit(pos, unit)} SP"
        text = f"{review.name(number)} at {review.place(unit.hex)} carries {load}; a wagon is there"
        yield note(text, "R9.5", unit.hex, 0.2)
    for here, depot in pos.depots.items():
        if review.data.nations[depot.nation].side == review.side_asked and supply.is_cut(pos, here):
            text = f"The depot at {review.place(here)} is cut off ({depot.cut} of 3 times)"
            yield note(text, "R9.2", here, depot.cut)


def _feeding(review: Report, feeding: supply.Feeding) -> Iterator[Undone]:
    units = feeding.units(review.pos)
    turns = max((unit.rolls for unit in units), default=0)
    text = f"{review.force(units)} at {review.place(feeding.hex)} needs {feeding.due} SP, or it rolls for attrition"
    more = f" at +{turns}" if turns else ""
    yield note(f"{text}{more}", "V3.5", feeding.hex, 0.058 * strength(units))


def _occupying(review: Report, frame: Occupying) -> Iterator[Undone]:
    if not inside_tp(review.pos, frame.hex, review.side_asked):
        text = f"{review.place(frame.hex)} has fallen and is empty: an enemy there can take it"
        yield note(text, "R5.6", frame.hex, 2)


def _arranging(review: Report, frame: Arranging) -> Iterator[Undone]:
    """Leaders over their limit, and own places without a garrison (R3.2, V2.1)."""
    pos = review.pos
    for unit in [unit for n, unit in pos.units.items() if pos.side(n) == review.side_asked]:
        most = limit(pos, unit.number)
        if unit.strength > most:
            text = f"{review.name(unit.number)} has {unit.strength} TP, {unit.strength - most} over his limit"
            yield note(text, "V2.1", unit.hex, 1)
    for here, owner in pos.owners.items():
        near = field_tp(pos, here, review.side_asked)
        if owner == review.side_asked and near and not inside_tp(pos, here, review.side_asked):
            yield note(f"{review.place(here)} has no garrison, but your force there can leave one", "R10.4", here, 0.5)


_BY_DECISION: Final[ByKind[Decision, Report, Iterator[Undone]]] = {
    Orders: _orders,
    Marching: _march,
    SiegeStep: _sieges,
    supply.SupplyStep: _supplying,
    supply.Feeding: _feeding,
    Occupying: _occupying,
    Arranging: _arranging,
}
