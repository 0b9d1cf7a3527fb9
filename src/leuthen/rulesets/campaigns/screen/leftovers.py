"""Warnings before a decision ends, from the viewer's own knowledge."""

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import ByKind
from leuthen.engine.ruleset import SIDES, Side
from leuthen.rulesets.campaigns.knowledge import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.forces import field_tp, inside_tp, limit, strength, troops_at
from leuthen.rulesets.campaigns.model.pieces import Siege
from leuthen.rulesets.campaigns.model.state import Decision
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders, is_shut
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r05_hex_actions import why_not_seize
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, SupplyStep, units_to_feed
from leuthen.rulesets.campaigns.rules.r09_supply import is_cut, is_near, load_limit, need, stock
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.screen.forces import Report
from leuthen.screen.forces import Undone, collect_leftovers, note
from leuthen.screen.values import Left
from leuthen.wargame.board import Hex, hex_name


def left_undone(data: GameData, view: View) -> tuple[Left, ...]:
    """Return the warnings if the viewer ends the decision now; none if it is not the viewer's."""
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
        bound = pos.options.einhorn and unit.daunted and not unit.inside
        if bound:
            yield note(f"{review.name(number)} is demoralized: he must march to a fort first", "V8.2", unit.hex, 50)
        elif is_shut(pos, unit):
            yield note(f"{review.name(number)} is besieged at {where}: he can only make a sortie", "R10.7", unit.hex)
        elif not review.data.is_wagon(number):
            yield note(f"{review.force([unit])} at {where} has not moved", "R4.2", unit.hex, unit.strength / 100)
        elif unit.sp:
            yield note(f"{review.name(number)} with {unit.sp} SP at {where} has not moved", "R9.3", unit.hex)
    for here in sorted({pos.units[number].hex for number in orders.able(pos)}):
        yield from _hungry(review, here, side)
        units = troops_at(pos, here, side, False)
        if units and not why_not_seize(pos, here, side, units):
            yield note(f"{review.place(here)} is undefended: any march, even without MP, can take it", "R5.6", here, 2)


def _hungry(review: Report, here: Hex, side: Side) -> Iterator[Undone]:
    """A force out of depot range pays in step H, or rolls for attrition (R9.7, V3.5)."""
    pos = review.pos
    units = [unit for unit in troops_at(pos, here, side, False) if not unit.left]
    if not units or is_near(pos, here, side, False):
        return
    due, have = need(pos, strength(units)), stock(units)
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
    if not is_near(pos, here, side, units[0].inside) and strength(units):
        due, have = need(pos, strength(units)), stock(units)
        if have < due:
            text = f"{hex_name(here)} is out of depot range: the group has {have} of {due} SP"
            yield note(text, "V3.5", here, 0.058 * strength(units))


def _sieges(review: Report, step: SiegeStep) -> Iterator[Undone]:
    """Without a roll the siege ends and a breach is repaired (R11.2)."""
    for here in step.open(review.pos):
        siege = review.pos.sieges.get(here, Siege())
        lost = f": siege turn {siege.turns} ends, a breach is repaired" if siege.turns else " yet"
        yield note(f"No siege roll at {review.place(here)}{lost}", "R11.2", here, 1 + siege.turns)


def _supply(review: Report, step: SupplyStep) -> Iterator[Undone]:
    pos = review.pos
    for here in step.creatable(pos):
        nation = review.names.nation(pos.depots[here].nation)
        yield note(f"{nation} can make a full wagon at {review.place(here)}", "R9.3", here, 1)
    for number in step.builders(pos):
        here = pos.units[number].hex
        yield note(f"{review.name(number)} at {review.place(here)} can become a depot", "R9.1", here, 0.5)
    for number in step.loads(pos):
        unit = pos.units[number]
        text = f"{review.name(number)} at {review.place(unit.hex)} carries {unit.sp} of {load_limit(pos, unit)} SP"
        yield note(f"{text}; a wagon is there", "R9.5", unit.hex, 0.2)
    for here, depot in pos.depots.items():
        if review.data.nations[depot.nation].side == review.side_asked and is_cut(pos, here):
            yield note(
                f"The depot at {review.place(here)} is cut off ({depot.cut} of 3 times)", "R9.2", here, depot.cut
            )


def _feeding(review: Report, feeding: Feeding) -> Iterator[Undone]:
    units = units_to_feed(review.pos, feeding.side, (feeding.hex, feeding.inside))
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
    SupplyStep: _supply,
    Feeding: _feeding,
    Occupying: _occupying,
    Arranging: _arranging,
}
