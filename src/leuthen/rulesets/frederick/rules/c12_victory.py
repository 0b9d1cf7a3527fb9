"""C12–C14: victory after each year and at the end of the war; the beginning and end of scenarios.

The part of the map that is played is in the data (C14.4).
"""

from __future__ import annotations

from itertools import chain
from typing import Final

import msgspec

from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import NOBODY, OTHER, Outcome, OwnerId, Side
from leuthen.rulesets.frederick.model import data as model
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events import ScenarioEnded, VictoryChecked, WarEnded
from leuthen.rulesets.frederick.model.pieces import ABSENT, AUSTRIAN, GONE, ON_MAP, PRUSSIAN, SIDES, Depot
from leuthen.rulesets.frederick.model.state import Draft, Position, occupied_hexes, pools
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import bag

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
    counts = {pos.allegiance[model.FRANCE], pos.allegiance[model.HANOVER]} == set(SIDES)
    lands = pos.data.board.territory
    forts = pos.data.fortresses.items()
    return {here: 0 if lands[here] == model.GERMAN_STATES and not counts else fort.vp for here, fort in forts}


def holders(pos: Position) -> dict[Hex, OwnerId]:
    """Return the holder of every fortress: the side that owns it and has SP inside or in the field (C12.2, O12.5).

    Neutral fortresses never count.
    """
    return _holders(pos, pos.marcher is not None)  # on a retreat that goes on a force does not count


@memoized("known")
def _holders(pos: Position, with_marcher: bool) -> dict[Hex, OwnerId]:
    men = [(field | inside) if side != NOBODY else 0 for side, (field, inside) in enumerate(occupied_hexes(pos))]
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


RULE: Final = "C14.5"
LEVELS: Final = ((5, "draw"), (15, "marginal"), (30, "substantial"))
"""Highest score of each level; above, it is decisive (C14.5)."""


def start_position(
    data: model.GameData, plan: model.Scenario, options: model.GameOptions, frames: tuple[Decision, ...]
) -> state.State:
    """Return the first position of a scenario: forces are in their listed places, and both sides know the list (C14.1).

    `data` are those of the scenario.
    """
    # Listed leaders are on the map, senior in that order; the others are in their pools, or out of the game.
    roster, arrival = pools(data), [0] * len(data.leaders)
    for number in chain.from_iterable(data.generals[power] for power in plan.surrendered):
        roster[number] = ABSENT  # C11.3
    for number in plan.gone:
        roster[number] = GONE
    for place, number in enumerate(chain.from_iterable(force.leaders for force in plan.forces), 1):
        roster[number], arrival[number] = ON_MAP, place
    bare = state.make_state(  # allegiances, Resource Points, owners and leaders as they were (C14.2)
        data,
        scenario=plan.name,
        options=msgspec.structs.replace(options, last_year=plan.last),  # C14.6
        year=plan.year,
        turn=plan.turn,
        allegiance=plan.sides,
        surrendered=plan.surrendered,
        invaded=frozenset({model.SAXONY}),
        saxon_invader=PRUSSIAN,
        german_open=True,  # C9.2
        owners={here: owner_of(data, plan, here) for here in data.fortresses},
        rp=plan.rp,
        roster=tuple(roster),
        arrival=tuple(arrival),
    )
    draft = state.Draft(bare)
    draft.frames = frames
    for force in plan.forces:  # the strength of a listed force is known (C14.1, O3.3); its depot is complete
        side = draft.side_of(force.power)
        if force.sp or force.leaders:
            before = draft.at(force.hex, side, force.inside)
            sp = bag(force.power, force.sp) + (before.sp if before is not None else 0)
            leaders = (*(before.leaders if before is not None else ()), *force.leaders)
            draft.put(draft.with_open_strength(draft.make_stack(force.hex, side, force.inside, sp, leaders)))
        if force.depots:
            draft.set_depot(force.hex, Depot(force.power, complete=True))
    draft.touched.clear()
    return draft.freeze()


def owner_of(data: model.GameData, plan: model.Scenario, here: Hex) -> int:
    """Return the owner of a fortress: the side with listed SP there, else its home power's (C14.2, O12.2)."""
    held = [plan.sides[force.power] for force in plan.forces if force.hex == here and force.sp]
    home = data.fortresses[here].power
    if held or home < 0 or home in plan.surrendered:
        return held[0] if held else NOBODY
    return plan.sides[home]


def is_over(pos: state.Position, usual: int) -> bool:
    """Return whether a scenario ends here, in the middle of its last year (C14.5)."""
    return pos.year == pos.plan.last and pos.turn == pos.plan.last_turn < usual


def score(pos: state.Position) -> int:
    """Return the VP of the Prussian side, minus the Austrian, minus par (C14.5)."""
    mine, theirs = victory_points(pos)
    return mine - theirs - (pos.plan.par or 0)


def level(points: int) -> str:
    """Return the name of an end with that score (C14.5)."""
    return next((name for most, name in LEVELS if abs(points) <= most), "decisive")


def end_scenario(draft: state.Draft) -> None:
    """End the game by its score (C14.5)."""
    points = score(draft)
    how = level(points)
    winner: Side | None = None if how == "draw" else PRUSSIAN if points > 0 else AUSTRIAN
    side: OwnerId = NOBODY if winner is None else winner
    draft.emit(ScenarioEnded(side=side, points=victory_points(draft), par=draft.plan.par or 0, how=how))
    draft.outcome = Outcome(winner, how, RULE, draft.year)


class FinalVictory(Decision, rule="C13.1", name="End of the war"):
    """The war ends after the last year (C13.1), set by the option `last-year` (C13.2) or the scenario (C14.6)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.year < draft.options.last_year or draft.outcome is not None:  # C13.2
            return
        if draft.plan.par is not None:
            end_scenario(draft)
            return
        points, silesia = victory_points(draft), silesian_fortresses(draft)
        winner = marginal_victor(points, silesia)
        how = "draw" if winner == NOBODY else "marginal"
        draft.emit(WarEnded(winner=winner, how=how, points=points, silesia=silesia[:2]))
        draft.outcome = Outcome(None if winner == NOBODY else winner, how, self.RULE, draft.year)
