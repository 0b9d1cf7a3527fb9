"""The odds of a battle as a viewer sees it: against an enemy of whom he knows a band, from its one end to the other."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.forces import commander, field_tp, force_at
from leuthen.rulesets.campaigns.model.pieces import UNKNOWN
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.odds.battle import FEW, battle_odds
from leuthen.rulesets.campaigns.screen.odds_sheet import band_sheet, battle_sheet
from leuthen.screen import Odds
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import bag

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
