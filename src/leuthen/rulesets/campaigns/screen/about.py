"""All that a viewer may know of a place: the ground, its hexsides, its stronghold, who stands there."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.ruleset import SIDES
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.rules.r09_supply import austrian_zone, depot_range
from leuthen.rulesets.campaigns.screen.layers import hex_of
from leuthen.rulesets.campaigns.screen.pieces import is_within, make_markers, marks_of, unit_line
from leuthen.rulesets.campaigns.screen.report import Report
from leuthen.rulesets.campaigns.screen.scores import holding, siege_track
from leuthen.screen.values import About, begun
from leuthen.wargame.board import MOUNTAIN, WATER, Hex, hex_name, hexsides


def make_about(data: GameData, view: View, place: str) -> About:
    """A hex or a town, by its number or any beginning of its name. Raises Invalid or Ambiguous."""
    report = Report(data, view)
    here = hex_of(report, place)
    names = [name for name, there in data.places.items() if there == here]
    if here in data.strongholds and data.strongholds[here].name not in names:
        names = [data.strongholds[here].name, *names]
    return About(hex_name(here), " · ".join([*names, hex_name(here)]), tuple(_lines(report, here)))


def _ground(report: Report, here: Hex) -> Iterator[str]:
    board = report.data.board
    if not board.in_play(here):
        yield "Water: nobody enters (R1.7)" if board.terrain[here] == WATER else "Out of play (R1.7)"
        return
    mountain = board.terrain[here] == MOUNTAIN
    kind = "Mountain: −2 to the attacker's combat rolls (R12.4)" if mountain else "Clear"
    yield f"{kind}; {board.territory[here].replace('-', ' ').title()}"
    if austrian_zone(report.pos) >> here & 1:
        yield "Next to an Austrian field force: no supply path of the Prussian side (V3.2a)"
    ranged = [report.side(side) for side in SIDES if depot_range(report.pos, side) >> here & 1]
    if ranged:
        yield f"In depot range: {', '.join(ranged)} (R9.6)"


def _lines(report: Report, here: Hex) -> Iterator[str]:
    yield from _ground(report, here)
    if here in report.data.strongholds:
        kind = report.data.kind_at(here)
        inside = "leaders may go inside" if kind.inside else "no leaders inside"
        yield holding(report, here, siege_track(report, here)).text
        yield f"Garrison of at most {kind.garrison} TP, {inside}; besieged by {kind.besieger} TP or more (R10.1)"
    for force in report.view.stacks:
        if force.hex == here:
            yield from _force(report, here, force.key)
    for marker in make_markers(report).values():
        if marker.place == hex_name(here):
            yield marker.text
    yield from hexsides(report.data.board, here, report.place, "R1.7")


def _force(report: Report, here: Hex, key: int) -> Iterator[str]:
    force = next(force for force in report.view.stacks if force.key == key)
    where = "inside" if is_within(report, force) else "in the field"
    garrison = report.garrison(force)
    yield f"{begun(report.side(force.side))}, {where}: {report.tp_of(force)}"
    if garrison and report.knows(force.side):
        yield f"Garrison: {report.tp(garrison)} TP"
    for number in report.ranked(force):
        yield unit_line(report, report.pos.units[number])
    for mark in marks_of(report, force):
        yield f"{mark.text} ({mark.rule})"
