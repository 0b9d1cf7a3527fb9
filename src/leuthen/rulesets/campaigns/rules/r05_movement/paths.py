"""Paths: what is asked of one hex by hex, and what is left open in one, filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from leuthen.engine.choice import Refusal
from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.state import SIDES, Position
from leuthen.wargame import paths
from leuthen.wargame.board import Hex, bit
from leuthen.wargame.paths import Care


class Pace(NamedTuple):
    """Where a path has come to while it is asked for: hex and MP left; what each question of it is about."""

    here: Hex
    left: int
    onward: Callable[[Hex, int], Mapping[Hex, int]]
    """The hexes that may be entered from a hex with so many MP left, with the MP that are left then."""
    why: Callable[[Hex, Hex, int], Refusal]
    """Why a hex is not among them: from which, to which, the MP left."""


def fill_in(pos: Position, actor: Side, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """A path without its first hex and without gaps, round enemies in the field if there is a way. Raises Invalid."""
    foes = pos.census.fields[OTHER[actor]] if actor in SIDES else 0
    return paths.fill_in(pos.data.board, hexes, lambda there: (Care(barred=foes & ~bit(there)), Care()))
