"""Reads what a line asks of the odds: attack, defend, siege, react, force, attrition, recover, capture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER, Side, as_side
from leuthen.rulesets.campaigns.knowledge.complete import OUTLINE, complete_view
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.forces import commander, field_tp, force_at
from leuthen.rulesets.campaigns.model.pieces import UNKNOWN
from leuthen.rulesets.campaigns.model.state import Draft, Position, Unit
from leuthen.rulesets.campaigns.odds.battle import FEW, battle_odds
from leuthen.rulesets.campaigns.orders.words import Reader
from leuthen.rulesets.campaigns.rules.r07_reaction.reaction import ways_to
from leuthen.rulesets.campaigns.rules.r11_siege import besiegers
from leuthen.rulesets.campaigns.screen.odds_sheet import (
    attrition_sheet,
    band_sheet,
    battle_sheet,
    capture_sheet,
    forced_sheet,
    reaction_sheet,
    recovery_sheet,
    siege_sheet,
)
from leuthen.screen import Odds
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.line_reader import begin
from leuthen.wargame.strength import bag


class OddsLine(Reader):
    """A line in a position as the viewer sees it."""

    def __init__(self, data: GameData, view: View, words: list[str]) -> None:
        super().__init__(data, complete_view(data, view, OUTLINE), as_side(view.viewer), words)
        self.view = view

    def on_map(self) -> Unit:
        """A leader or wagon on the map. Raises Invalid or Ambiguous."""
        rest = " ".join(self.words)
        number = self.maybe_unit(self.likely(), strict=False)
        if number is None or number not in self.pos.units:
            raise Invalid(f"«{rest}» names nobody on the map")
        return self.pos.units[number]

    def known_unit(self) -> Unit:
        """One of whom the viewer knows what he has. Raises Invalid or Ambiguous."""
        unit = self.on_map()
        self.expect_known(unit)
        return unit

    def expect_known(self, unit: Unit) -> None:
        """Raises Invalid if the viewer does not know what somebody has (option `hidden`)."""
        if not self.view.knows(self.pos.side(unit.number)):
            raise Invalid(f"what {self.pos.leader(unit.number).name} has with him is not known (R1.8)")


def make_odds(data: GameData, view: View, text: str) -> Odds:
    """The odds of what `text` names, as the viewer sees the position. Raises Invalid or Ambiguous."""
    ask, words = begin(text, TOPICS, "question of odds")
    if view.viewer not in (0, 1):
        raise Invalid("only a side is told odds")
    line = OddsLine(data, view, words)
    odds = ask(line)
    line.end()
    return odds


def _attack(line: OddsLine) -> Odds:
    """`attack 1623`, or `attack 1623` by leaders elsewhere: `attack Keith 1623`."""
    return _battle(line, line.actor)


def _defend(line: OddsLine) -> Odds:
    return _battle(line, OTHER[line.actor])


def _battle(line: OddsLine, attacker: Side) -> Odds:
    pos = line.pos
    movers: list[Unit] = []
    while line.words and not line.words[0][:1].isdigit() and len(line.words) > 1:
        movers.append(line.on_map())
    here = line.hex()
    if movers:
        draft = Draft(pos)
        for unit in movers:
            draft.change(unit.number, hex=here, inside=False)
        pos = draft
    for side in (0, 1):
        if not field_tp(pos, here, side):
            whose = "you have" if side == line.actor else "the enemy has"
            raise Invalid(f"{whose} no field force at {hex_name(here)}: name leaders before the hex")
    return seen_battle(line.view, pos, here, attacker, line.actor)


def _siege(line: OddsLine) -> Odds:
    here = line.hex()
    for side in (line.actor, OTHER[line.actor]):
        if line.pos.owners.get(here) == OTHER[side] and besiegers(line.pos, here, side):
            return siege_sheet(line.pos, here, side)
    raise Invalid(f"nobody could besiege {hex_name(here)} now (R11.1, V5)")


def _react(line: OddsLine) -> Odds:
    unit, here = line.on_map(), line.hex()
    side = line.pos.side(unit.number)
    if unit.hex not in ways_to(line.pos, here, side):
        raise Invalid(f"{line.pos.leader(unit.number).name} is more than 3 MP from {hex_name(here)} (R7.1)")
    return reaction_sheet(line.pos, unit.number, here, side)


def _force(line: OddsLine) -> Odds:
    unit = line.known_unit()
    if line.pos.data.is_wagon(unit.number):
        raise Invalid("wagons do not force their march (R8)")
    return forced_sheet(line.pos, unit.number)


def _attrition(line: OddsLine) -> Odds:
    unit = line.known_unit()
    force = [u for u in force_at(line.pos, unit.hex, line.pos.side(unit.number), unit.inside) if u.tp]
    if not force:
        raise Invalid(f"{line.pos.leader(unit.number).name} has no TP with him")
    return attrition_sheet(line.pos, force)


def _recover(line: OddsLine) -> Odds:
    return recovery_sheet(line.pos, line.on_map().number)


def _capture(line: OddsLine) -> Odds:
    unit = line.on_map()
    if line.pos.data.is_wagon(unit.number):
        line.expect_known(unit)
    return capture_sheet(line.pos, unit.number)


TOPICS: Final[Mapping[str, Callable[[OddsLine], Odds]]] = {
    "attack": _attack,
    "defend": _defend,
    "siege": _siege,
    "react": _react,
    "force": _force,
    "attrition": _attrition,
    "recover": _recover,
    "capture": _capture,
}
"""What may be asked."""


CASES: Final = 5
"""Strengths of which the odds are shown."""
LARGE: Final = 60
"""TP: few forces have more."""


def seen_battle(
    view: View, pos: Position, here: Hex, attacker: Side, us: Side, *, came: Hex = NOWHERE, crossed: bool = False
) -> Odds:
    """The odds of an attack in a hex where both sides stand in `pos`, as `us` may know them (R12, O3)."""
    foe = next((f for f in view.stacks if (f.hex, f.side, f.inside) == (here, OTHER[us], False)), None)
    if foe is None or foe.least == foe.most:
        return battle_sheet(pos, here, battle_odds(pos, here, attacker, came=came, crossed=crossed), us)
    band = {
        f"{points} TP": battle_odds(
            with_strength(pos, here, OTHER[us], points), here, attacker, came=came, crossed=crossed, battles=FEW
        )
        for points in steps(foe.least, foe.most)
    }
    return band_sheet(pos, here, band, us)


def steps(low: int, high: int) -> list[int]:
    """Some strengths from the lowest to the highest that is likely."""
    top = max(low, LARGE) if high >= UNKNOWN else high
    return sorted({low + (top - low) * number // (CASES - 1) for number in range(CASES)})


def with_strength(pos: Position, here: Hex, side: Side, points: int) -> Draft:
    """The position if the field force of a side in a hex had so many TP: its commander has more of them, or less."""
    draft = Draft(pos)
    chief = commander(draft, force_at(draft, here, side, False))
    rest = points - field_tp(draft, here, side) + draft.units[chief].strength
    draft.change(chief, tp=bag(draft.leader(chief).nation, max(1, rest)))
    return draft
