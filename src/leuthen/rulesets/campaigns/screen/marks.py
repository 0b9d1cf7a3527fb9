"""The states of a force, as letters on its counter and as sentences: who moved, broke, hungers, is besieged, fights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.campaigns.knowledge.view import SeenForce
from leuthen.rulesets.campaigns.model.forces import inside_tp, is_besieged
from leuthen.rulesets.campaigns.model.state import HUNGRY, Siege, Unit
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r11_siege import why_not_besiege
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.screen.report import Report
from leuthen.screen import Badge
from leuthen.wargame.names import counted


def marks_of(report: Report, force: SeenForce) -> Iterator[Badge]:
    """The states of a force, the pressing ones first."""
    yield from _in_battle(report, force)
    yield from _on_the_move(report, force)
    yield from _besieging(report, force)
    yield from _worn(report, force)


def passing_marks(report: Report, force: SeenForce) -> Iterator[object]:
    """Of its states those that stand in no unit of it: its part in battles and sieges, who of it is on the march."""
    yield from _in_battle(report, force)
    yield from [unit.number for unit in _acting(report, force)]
    yield from _besieging(report, force)


def _who(report: Report, units: list[Unit], all_of: list[Unit]) -> str:
    """Whom a mark is about: nobody by name if it is about the whole force."""
    return "" if len(units) == len(all_of) else f"{report.names.units(unit.number for unit in units)}: "


def _in_battle(report: Report, force: SeenForce) -> Iterator[Badge]:
    for frame in report.pos.frames:
        if isinstance(frame, Retreating) and frame.hex == force.hex and frame.side == force.side and not force.inside:
            yield Badge("retreating", "←", "Beaten: it has to retreat", "R12.9")
        if isinstance(frame, Battle) and frame.hex == force.hex and frame.hosts and not force.inside:
            host = frame.hosts[force.side]
            text = f"In battle, {host.share} % committed" if host.share else "In battle, nothing committed yet"
            yield Badge("committed", "⚔", f"{text}{', concentrated' if host.concentrated else ''}", "R12.3")
            broken = [account.leader for account in host.accounts if account.broken]
            if broken:
                yield Badge("broken", "×", f"{report.names.units(broken)}: broken, no longer committed", "V6.4")


def _on_the_move(report: Report, force: SeenForce) -> Iterator[Badge]:
    units, acting = report.units(force), _acting(report, force)
    if acting:
        yield Badge("moving", "→", f"{_who(report, acting, units)}on the march", "R4.4")
    moved = [unit for unit in units if unit.moved]
    if units and len(moved) == len(units):
        yield Badge("marched", "M", "Moved: no chit this turn", "R4.4")
    elif moved:
        yield Badge("part-marched", "m", f"{report.names.units(unit.number for unit in moved)}: moved", "R4.4")


def _acting(report: Report, force: SeenForce) -> list[Unit]:
    active = {number for frame in report.pos.frames if isinstance(frame, Activation) for number in frame.group}
    return [unit for unit in report.units(force) if unit.number in active]


def _besieging(report: Report, force: SeenForce) -> Iterator[Badge]:
    pos, here, side = report.pos, force.hex, force.side
    if force.inside and is_besieged(pos, here, side):
        siege = pos.sieges.get(here, Siege())
        text = f"Besieged, {siege.breaches} of 3 breaches" if siege.breaches else "Besieged"
        yield Badge("besieged", "B", text, "R10.5")
    elif not force.inside and inside_tp(pos, here, OTHER[side]) and is_besieged(pos, here, OTHER[side]):
        refusal = why_not_besiege(pos, here, side)
        text = "Blockades the place" if refusal else "Besieges the place"
        yield Badge("besieging", "S", text, "R11.2" if refusal else "R11.1")


def _worn(report: Report, force: SeenForce) -> Iterator[Badge]:
    units = report.units(force)
    for code, mark, rule, has, what in _STATES:
        found = [unit for unit in units if has(unit)]
        if found:
            yield Badge(code, mark, f"{_who(report, found, units)}{what(found)}", rule)


def _hunger(units: list[Unit]) -> str:
    turns = max(unit.hunger for unit in units)
    return f"out of supply, {counted(turns, 'turn')} in a row"


_STATES: Final[tuple[tuple[str, str, str, Callable[[Unit], bool], Callable[[list[Unit]], str]], ...]] = (
    ("demoralized", "D", "R13.1", lambda unit: unit.shaken > 0, lambda _: "troops demoralized, morale 2 less"),
    ("daunted", "L", "V8.2", lambda unit: unit.daunted > 0, lambda _: "leader demoralized: he goes to a fort"),
    ("hungry", "H", "V3.5", lambda unit: unit.fodder == HUNGRY, lambda _: "hungry: marched without paying"),
    ("unfed", "U", "R9.7", lambda unit: unit.hunger > 0, _hunger),
    ("cornered", "!", "R12.9", lambda unit: unit.cornered, lambda _: "had no way out this turn"),
)
"""Code, letter, rule, whether a unit has it, and what is said."""
