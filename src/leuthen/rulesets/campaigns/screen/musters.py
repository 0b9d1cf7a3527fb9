"""The order of battle: each nation's leaders, garrisons, wagons, depots, and who is not on the map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import SIDES
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, SIDE_OF
from leuthen.rulesets.campaigns.model.forces import commander, force_at, is_besieged, limit
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE, COMING, GONE, ON_MAP, UNUSED, Unit
from leuthen.rulesets.campaigns.rules.r09_supply import load_limit
from leuthen.rulesets.campaigns.screen.report import Report, band
from leuthen.screen.values import Muster, MusterEntry, begun
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import LeaderId, PowerId, of

_AWAY: Final = {UNUSED: "not in play yet", COMING: "freed, on his way (R14.3)", GONE: "removed"}


def make_musters(report: Report) -> tuple[Muster, ...]:
    """The order of battle by nation, in the order of R1.3."""
    pos, data = report.pos, report.data
    items = [tuple(table.items()) for table in (pos.garrisons, pos.freed, pos.depots)]
    lodged = memo_of(data, "lodged").once((*items, pos.prisoners, pos.captives, pos.roster), object)
    tp = sum((unit.tp for unit in pos.units.values()), sum(pos.garrisons.values()))
    chiefs = {(force.hex, force.side, force.inside): force.commander for force in report.view.stacks}
    units: list[list[object]] = [[] for _ in data.nations]
    for number, unit in pos.units.items():
        units[data.leaders[number].nation] += unit, chiefs.get((unit.hex, data.sides[number], unit.inside))
    return tuple([
        memo_of(data, "musters").once(
            (nation, report.shared, lodged, of(tp, nation), tuple(units[nation]), _unsure(report, nation),
             report.besieged),
            partial(_muster, report, nation, of(tp, nation)),
        )
        for nation in ALL_NATIONS
    ])  # fmt: skip


def _unsure(report: Report, nation: PowerId) -> object:
    """What a muster of a nation of which not all is known is made from."""
    return () if report.knows(SIDE_OF[nation]) else report.view.stacks


def _muster(report: Report, nation: PowerId, tp: int) -> Muster:
    return Muster(nation, SIDE_OF[nation], tuple(_entries(report, nation, tp)))


def _entries(report: Report, nation: PowerId, tp: int) -> Iterator[MusterEntry]:
    yield _whole(report, nation, tp)
    if report.knows(SIDE_OF[nation]):
        yield from _leaders(report, nation)
        yield from _garrisons(report, nation)
    else:
        yield from _seen_leaders(report, nation)
        yield from _seen_garrisons(report, nation)
    yield from _stores(report, nation)
    yield from _captives(report, nation)


def _whole(report: Report, nation: PowerId, tp: int) -> MusterEntry:
    """All TP on the map, and the depots and wagons that there may be (R9.1, R9.3)."""
    pos, nature = report.pos, report.data.nations[nation]
    depots = sum(depot.nation == nation for depot in pos.depots.values())
    wagons = sum(report.data.is_wagon(n) and pos.leader(n).nation == nation for n in pos.units)
    text = f"depots {depots} of {nature.depots} (R9.1), wagons {wagons} of {nature.wagons} (R9.3)"
    return MusterEntry("On the map", text, strength=str(tp) if report.knows(SIDE_OF[nation]) else "?")


def _seen_leaders(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    """The leaders of a nation of whom not all is known: those that are seen, and who else is on the map."""
    pos, data = report.pos, report.data
    for number in sorted((n for n in data.generals[nation] if n < data.named), key=pos.ranks.__getitem__):
        unit = pos.units.get(number)
        if unit is not None:
            force = report.at(unit.hex, pos.side(number), inside=unit.inside)
            where = f"{'inside' if unit.inside else 'at'} {report.place(unit.hex)}"
            leads = force is not None and force.commander == number
            strength = band(force.least, force.most) if force is not None and leads else ""
            yield MusterEntry(
                report.leader(number), f"{'commands ' if leads else ''}{where}", hex_name(unit.hex), strength
            )
        elif pos.roster[number] == ON_MAP:
            yield MusterEntry(report.leader(number), "on the map; under whom is not known (R1.8)")
        elif pos.roster[number] != CAPTIVE:
            yield MusterEntry(report.leader(number), _AWAY.get(pos.roster[number], "not on the map"))


def _seen_garrisons(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    for force in report.view.stacks:
        if force.nation == nation and force.commander < 0 and not force.alone:
            text = f"inside {report.place(force.hex)}"
            yield MusterEntry("Garrison", text, hex_name(force.hex), band(force.least, force.most))


def _leaders(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    pos, data, leading = report.pos, report.data, memo_of(report.data, "leading")
    own = sorted(data.generals[nation], key=pos.ranks.__getitem__)
    for number in own:
        unit = pos.units.get(number)
        if unit is not None:
            chief = commander(pos, force_at(pos, unit.hex, data.sides[number], unit.inside))
            yield leading.once((report.shared, unit, chief), partial(_leading, report, unit, chief))
    for number in own:
        if number not in pos.units and pos.roster[number] != CAPTIVE and number < data.named:
            yield MusterEntry(report.leader(number), _AWAY.get(pos.roster[number], "not on the map"))


def _leading(report: Report, unit: Unit, chief: LeaderId) -> MusterEntry:
    """A leader on the map: whom he commands or who commands him, what he carries."""
    pos, number = report.pos, unit.number
    duty = "commands" if chief == number else f"under {report.name(chief)}" if chief >= 0 else "without TP"
    where = f"{'inside' if unit.inside else 'at'} {report.place(unit.hex)}"
    load = f"; {unit.sp} of {load_limit(pos, unit)} SP, at most {limit(pos, number)} TP"
    strength = str(unit.strength) if unit.tp else ""
    return MusterEntry(report.leader(number), f"{duty} {where}{load}", hex_name(unit.hex), strength)


def _garrisons(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    for here, tp in report.pos.garrisons.items():
        if of(tp, nation):
            freed = of(report.pos.freed.get(here, 0), nation)
            men = f"; {freed} of them freed men (V7.4)" if freed else ""
            text = f"inside {report.place(here)}{men}"
            yield MusterEntry("Garrison", text, hex_name(here), str(of(tp, nation)))


def _stores(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    for number, unit in report.pos.units.items():
        if report.data.is_wagon(number) and report.pos.leader(number).nation == nation:
            load = f"{unit.sp} of 4 SP" if report.knows(report.pos.side(number)) else "SP not known"
            where = "inside" if unit.inside or is_besieged(report.pos, unit.hex, SIDE_OF[nation]) else "at"
            text = f"{load}, {where} {report.place(unit.hex)}{', moved' if unit.moved else ''}"
            yield MusterEntry(begun(report.name(number)), text, hex_name(unit.hex))
    for here, depot in report.pos.depots.items():
        if depot.nation == nation:
            yield MusterEntry("Depot", f"at {report.place(here)}", hex_name(here))


def _captives(report: Report, nation: PowerId) -> Iterator[MusterEntry]:
    for side in SIDES:
        held = of(report.pos.prisoners[side], nation)
        if held:
            yield MusterEntry("Prisoners", f"held by the {report.side(side)} (R14.2)", strength=str(held))
        for captive in report.pos.captives[side]:
            if report.data.leaders[captive.leader].nation == nation:
                senior = ", taken as senior leader" if captive.senior else ""
                yield MusterEntry(report.leader(captive.leader), f"held by the {report.side(side)}{senior} (R14.3)")
