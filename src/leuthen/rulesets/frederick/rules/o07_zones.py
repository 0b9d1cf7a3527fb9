"""O7: zones of control. Only Austrian field stacks have one, so they affect only the Prussian side."""

from __future__ import annotations

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.data import AUSTRIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.state import Position, is_present, occupied_hexes
from leuthen.wargame.board import Hex, Hexes


def has_zone(stack: Stack | None) -> bool:
    """Return whether a field stack has a zone: SP, and its largest contingent Austrian (O7.1, O7.5)."""
    return stack is not None and stack.sp > 0 and stack.nation == AUSTRIA and stack.side == AUSTRIAN


def is_in_zone(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a hex lies in an enemy zone of control for `side` (O7.1–O7.3, O7.5). Zones do not add up (O5.16).

    None reaches into a fortress hex that holds SP of the Prussian side (O7.2).
    """
    if side == AUSTRIAN or not is_next_to_zone(pos, here):
        return False
    return here not in pos.data.fortresses or not is_present(pos, here, PRUSSIAN)


def is_next_to_zone(pos: Position, here: Hex) -> bool:
    """Return whether a hex is next to a stack that has a zone (O7.1, O7.2)."""
    return bool(pos.data.board.rings[here] & casters(pos))


def casters(pos: Position) -> Hexes:
    """Return the hexes of field stacks that have a zone, including one on the march (O7.1)."""
    force = pos.marcher
    return pos.austrians | 1 << force.hex if force is not None and has_zone(force) else pos.austrians


def zone_for_supply(pos: Position) -> Hexes:
    """Return zones closed to Prussian supply (O7.3, O10.3): not held fortresses (O7.2) nor own stacks (O7.4)."""
    casting = casters(pos)
    if not casting:
        return 0
    field, inside = occupied_hexes(pos)[PRUSSIAN]
    return pos.data.board.spread(casting) & ~(field | (inside & pos.data.fortress_hexes))
