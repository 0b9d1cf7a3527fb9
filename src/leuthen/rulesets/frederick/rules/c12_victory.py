"""C12, C13: victory after each year from 1757, and at the end of the war."""

from __future__ import annotations

from typing import Final

from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import NOBODY, OTHER, Outcome, OwnerId
from leuthen.rulesets.frederick.model.data import FRANCE, GERMAN_STATES, HANOVER
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events import VictoryChecked, WarEnded
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.rulesets.frederick.model.state import Draft, Position, presence
from leuthen.wargame.board import Hex

FIRST_CHECK: Final = 1757
GREAT_NEEDED: Final = 4
SILESIA: Final = "silesia"
AUSTRIAN_SILESIA: Final = 2
"""Fortresses of Silesia that Austria needs at the end (C13.1)."""


def vp_of(pos: Position, here: Hex) -> int:
    """Return the VP of a fortress (O12.1); in the German States only if France and Hanover are enemies (C9.3)."""
    return _points(pos)[here]


@memoized("lasting")
def _points(pos: Position) -> dict[Hex, int]:
    """The VP of every fortress (O12.1); a surrendered power counts as on its last side (C9.3)."""
    counts, lands = {pos.allegiance[FRANCE], pos.allegiance[HANOVER]} == set(SIDES), pos.data.board.territory
    forts = pos.data.fortresses.items()
    return {here: 0 if lands[here] == GERMAN_STATES and not counts else fort.vp for here, fort in forts}


def holder(pos: Position, here: Hex) -> OwnerId:
    """Return the side that owns a fortress and has SP inside or in the field (C12.2, O12.5)."""
    return holders(pos)[here]


def holders(pos: Position) -> dict[Hex, OwnerId]:
    """Return the holder of every fortress (O12.5); neutral fortresses never count."""
    return _holders(pos, pos.marcher is not None)  # on a retreat that goes on a force does not count


@memoized("known")
def _holders(pos: Position, with_marcher: bool) -> dict[Hex, OwnerId]:
    men = [(field | inside) if side != NOBODY else 0 for side, (field, inside) in enumerate(presence(pos))]
    return {here: side if men[side] >> here & 1 else NOBODY for here, side in pos.owners.items()}


def victory_points(pos: Position) -> tuple[int, int]:
    """Return the VP of both sides (C12.2)."""
    points, worth = [0, 0, 0], _points(pos)
    for here, side in holders(pos).items():
        points[side] += worth[here]
    return points[PRUSSIAN], points[AUSTRIAN]


def great_fortresses(pos: Position) -> tuple[int, int]:
    """Return the number of great fortresses, of five, that each side holds (C12.3)."""
    held, forts = [0, 0, 0], pos.data.fortresses
    for here, side in holders(pos).items():
        held[side] += forts[here].great
    return held[PRUSSIAN], held[AUSTRIAN]


def silesian_fortresses(pos: Position) -> tuple[int, int, int]:
    """Return the fortresses of Silesia, with Glatz, owned by each side and none, garrisoned or not (C13.1)."""
    owned = [0, 0, 0]
    for here, fort in pos.data.fortresses.items():
        owned[pos.owners[here]] += fort.province == SILESIA
    return owned[PRUSSIAN], owned[AUSTRIAN], owned[NOBODY]


def victor(points: tuple[int, int], great: tuple[int, int]) -> OwnerId:
    """Return the side with more than twice the other's VP and four of five great fortresses, or NOBODY (C12.3)."""
    for side in SIDES:
        if points[side] > 2 * points[OTHER[side]] and great[side] >= GREAT_NEEDED:
            return side
    return NOBODY


def marginal_victor(points: tuple[int, int], silesia: tuple[int, int, int]) -> OwnerId:
    """Return the winner when the war ends of itself; NOBODY: drawn (C13.1)."""
    if points[PRUSSIAN] > points[AUSTRIAN] and silesia[PRUSSIAN] == sum(silesia):
        return PRUSSIAN
    if points[AUSTRIAN] > points[PRUSSIAN] and silesia[AUSTRIAN] >= AUSTRIAN_SILESIA:
        return AUSTRIAN
    return NOBODY


class VictoryCheck(Decision, rule="C12.3", name="Victory check"):
    """The check after 1757 and each later year, before anything else (C4.1, C12.3)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.year < FIRST_CHECK or draft.plan.area is not None:  # C14.4
            return
        points, great = victory_points(draft), great_fortresses(draft)
        draft.emit(VictoryChecked(points=points, great=great))
        winner = victor(points, great)
        if winner != NOBODY:
            draft.emit(WarEnded(winner=winner, by=self.RULE, how="decisive", points=points))
            draft.outcome = Outcome(winner, "decisive", self.RULE, draft.year)
