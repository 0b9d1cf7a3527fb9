"""All that a viewer may know of a place: the ground, its hexsides, its fortress, who stands there."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import TERRITORIES, GameData, find_place, land, title
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN, SeenStack
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o10_supply.supply import violated_by
from leuthen.rulesets.frederick.screen.pieces import conditions, title_of
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.rulesets.frederick.screen.scores import holding
from leuthen.screen.values import About
from leuthen.wargame.board import MOUNTAIN, WATER, Hex, hex_name, hexsides


def make_about(data: GameData, view: View, place: str) -> About:
    """A hex or a town, by its number or any beginning of its name. Raises Invalid or Ambiguous."""
    report = Reporter(data, view)
    here = find_place(data, report.book, place)
    return About(hex_name(here), title(data, here), tuple(_lines(report, here)))


def ground(report: Reporter, here: Hex) -> Iterator[str]:
    """Terrain, whose land it is, and what entering it does."""
    board = report.data.board
    if not board.in_play(here):
        yield "Water: nobody enters (O5.4)" if board.terrain[here] == WATER else "Outside the theatre of war (O5.4)"
        return
    territory = board.territory[here]
    power = TERRITORIES.get(territory)
    whose = f"land of {report.power(power)}" if power is not None else "open to everybody (C9.1)"
    kind = "Mountain: −2 to the die of a battle (O9.4)" if board.terrain[here] == MOUNTAIN else "Clear"
    yield f"{kind}; {land(territory)}, {whose}"
    violated = violated_by(report.pos, here)
    if violated >= 0:
        yield f"Neutral: whoever enters violates {report.power(violated)} (C3.3)"
    if in_zone(report.pos, here, PRUSSIAN):
        yield "In an Austrian zone of control: +1 MP for the Prussian side (O5.3)"


def _lines(report: Reporter, here: Hex) -> Iterator[str]:
    yield from ground(report, here)
    if here in report.data.fortresses:
        fort = report.data.fortresses[here]
        home = f", in the home territory of {report.power(fort.power)}" if fort.power >= 0 else ""
        yield f"Fortress {holding(report, here, report.view.owners.get(here, NOBODY)).text}{home}"
    if depot := report.view.depots.get(here):
        yield f"Depot of {report.power(depot.power)}{'' if depot.complete else ', under construction'} (O10.4)"
    yield from [stack_line(report, stack) for stack in report.all_stacks if stack.hex == here]
    yield from hexsides(report.data.board, here, report.place, "O5.4")


def stack_line(report: Reporter, stack: SeenStack) -> str:
    """«Frederick 3-3-2, Keith 1-1-2: 24 SP, inside; demoralized»."""
    strength = report.strength(stack)
    much = {"–": "no SP", "?": "strength not known"}.get(strength, f"{strength} SP")
    who = report.who(stack) if stack.commander >= 0 else title_of(report, stack)
    words = [f"{who}: {much}{', inside' if stack.inside else ''}", *(state.word for state in conditions(report, stack))]
    return "; ".join(words)
