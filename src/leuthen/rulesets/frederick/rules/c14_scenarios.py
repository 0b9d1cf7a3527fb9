"""C13, C14: the end of the war; the beginning and end of scenarios.

The part of the map that is played is in the data (C14.4).
"""

from __future__ import annotations

from itertools import chain
from typing import Final

import msgspec

from leuthen.engine.ruleset import NOBODY, Outcome, OwnerId, Side
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.data import SAXONY, Force, GameData, GameOptions, Scenario
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events import ScenarioEnded, WarEnded
from leuthen.rulesets.frederick.model.pieces import ABSENT, AUSTRIAN, GONE, ON_MAP, PRUSSIAN, Depot
from leuthen.rulesets.frederick.model.stacks import make_stack, pools, shown
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.rules.c12_victory import marginal_victor, silesian_fortresses, victory_points
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import bag

RULE: Final = "C14.5"
LEVELS: Final = ((5, "draw"), (15, "marginal"), (30, "substantial"))
"""Highest score of each level; above, it is decisive (C14.5)."""


def start_position(data: GameData, plan: Scenario, options: GameOptions, frames: tuple[Decision, ...]) -> state.State:
    """Return the first position of a scenario: forces are in their listed places, and both sides know the list (C14.1).

    `data` are those of the scenario.
    """
    roster, arrival = _leaders(data, plan)
    bare = state.make_state(  # allegiances, Resource Points, owners and leaders as they were (C14.2)
        data,
        scenario=plan.name,
        options=msgspec.structs.replace(options, last_year=plan.last),  # C14.6
        year=plan.year,
        turn=plan.turn,
        allegiance=plan.sides,
        surrendered=plan.surrendered,
        invaded=frozenset({SAXONY}),
        saxon_invader=PRUSSIAN,
        german_open=True,  # C9.2
        owners={here: owner_of(data, plan, here) for here in data.fortresses},
        rp=plan.rp,
        roster=roster,
        arrival=arrival,
    )
    draft = state.Draft(bare)
    draft.frames = frames
    for force in plan.forces:
        _put(draft, force)
    draft.touched.clear()
    return draft.freeze()


def owner_of(data: GameData, plan: Scenario, here: Hex) -> int:
    """Return the owner of a fortress: the side with listed SP there, else its home power's (C14.2, O12.2)."""
    held = [plan.sides[force.power] for force in plan.forces if force.hex == here and force.sp]
    home = data.fortresses[here].power
    if held or home < 0 or home in plan.surrendered:
        return held[0] if held else NOBODY
    return plan.sides[home]


def _leaders(data: GameData, plan: Scenario) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Listed leaders are on the map, senior in that order; the others are in their pools, or out of the game."""
    roster, arrival = pools(data), [0] * len(data.leaders)
    for number in chain.from_iterable(data.generals[power] for power in plan.surrendered):
        roster[number] = ABSENT  # C11.3
    for number in plan.gone:
        roster[number] = GONE
    listed = [number for force in plan.forces for number in force.leaders]
    for place, number in enumerate(listed, 1):
        roster[number], arrival[number] = ON_MAP, place
    return tuple(roster), tuple(arrival)


def _put(draft: state.Draft, force: Force) -> None:
    """The strength of a listed force is known (C14.1, O3.3). Its depot is complete."""
    side = draft.side_of(force.power)
    if force.sp or force.leaders:
        before = draft.at(force.hex, side, force.inside)
        sp = bag(force.power, force.sp) + (before.sp if before is not None else 0)
        leaders = (*(before.leaders if before is not None else ()), *force.leaders)
        stack = make_stack(draft, force.hex, side, force.inside, sp, leaders)
        draft.put(shown(draft, stack))
    if force.depots:
        draft.set_depot(force.hex, Depot(force.power, complete=True))


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
    par = draft.plan.par or 0
    side: OwnerId = NOBODY if winner is None else winner
    draft.emit(ScenarioEnded(side=side, points=victory_points(draft), par=par, how=how))
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
