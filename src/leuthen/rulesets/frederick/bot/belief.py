"""The position as a general imagines it: of his own side the truth, of the enemy an estimate within what was seen.

It is made from the view alone and without any dice, so that equal views give equal thoughts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from leuthen.rulesets.frederick.knowledge.view import SeenStack, View, bag_of
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.state import Depot, Stack, State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS, make_state
from leuthen.rulesets.frederick.rules.c06_increments import GRANT
from leuthen.wargame.strength import EMPTY, bag, of

WASTAGE: Final = 0.93
"""What is left of a major's army after a year of war, new recruits apart."""
GROWTH: Final = 1.1
"""What becomes of a minor's army in a year, with recruits and losses."""
BY_RANK: Final = (12, 12, 8, 5, 4, 3, 3, 2, 2, 2)
"""How many SP a field commander of each rank leads, in proportion."""


def imagine(data: GameData, view: View) -> State:
    """A whole position that agrees with everything the viewer knows; enemy strengths are estimates."""
    guesses = estimates(data, view)
    seen = [_stack(stack, guesses) for stack in view.stacks]
    return make_state(
        data,
        options=view.options,
        year=view.year,
        turn=view.turn,
        phasing=view.phasing,
        frames=view.frames,
        allegiance=view.allegiance,
        surrendered=frozenset(view.surrendered),
        invaded=frozenset(view.invaded),
        starred=frozenset(view.starred),
        saxon_invader=view.saxon_invader,
        german_open=view.german_open,
        stacks={stack.key: stack for stack in seen},
        moving=_stack(view.moving, guesses) if view.moving is not None else None,
        depots={depot.hex: Depot(depot.power, depot.complete, depot.fed, depot.held) for depot in view.depots},
        owners=dict(view.owners),
        rp=view.rp,
        prisoners=(bag_of(view.prisoners[0]), bag_of(view.prisoners[1])),
        captives=view.captives,
        roster=view.roster,
        arrival=view.arrival,
        waiting=bag_of(view.waiting),
        sealed=view.sealed,
        spent=dict(view.spent),
        shifted=frozenset(view.shifted),
        bound=frozenset(view.bound),
        sieges=dict(view.sieges),
        outcome=view.outcome,
    )


def _stack(seen: SeenStack, guesses: dict[int, int]) -> Stack:
    if seen.sp is not None:
        sp, leaders = bag_of(seen.sp), seen.leaders or ()
    else:
        sp = EMPTY if seen.alone else bag(seen.nation, guesses[seen.key])
        leaders = (seen.commander,) if seen.commander >= 0 else ()
    marched = bag_of(seen.marched) if seen.marched else EMPTY
    return Stack(
        seen.hex, seen.side, seen.inside, sp, leaders, seen.commander, seen.nation, seen.demoralized,
        seen.quartered, seen.hungry, marched, seen.low, seen.high, seen.since,
        bag_of(seen.resting or ()), seen.resters or (),
    )  # fmt: skip


def estimates(data: GameData, view: View) -> dict[int, int]:
    """How many SP each hidden stack is taken to have: what its nation should have, shared out by commanders."""
    hidden = [stack for stack in _all_stacks(view) if stack.sp is None and not stack.alone]
    found: dict[int, int] = {}
    for nation in sorted({stack.nation for stack in hidden}):
        stacks = [stack for stack in hidden if stack.nation == nation]
        found.update(_share_out(data, stacks, expected_total(data, view, nation)))
    return found


def _all_stacks(view: View) -> Iterator[SeenStack]:
    yield from view.stacks
    if view.moving is not None:
        yield view.moving


def expected_total(data: GameData, view: View, power: int) -> float:
    """How many SP a power should have on the map, from what everybody knows: its start, its RP spent, prisoners."""
    start = sum(force.sp for force in data.scenarios["campaign"] if force.power == power)
    years = max(0.0, view.year - FIRST_YEAR - 1 + view.turn / 18)
    total: float
    if power in MAJORS:
        spent = max(0, GRANT[power] - view.rp[power]) if view.year > FIRST_YEAR else 0
        total = start * (1 + 0.1 * spent) * WASTAGE**years
    else:
        total = start * GROWTH**years
    held = sum(of(bag_of(points), power) for points in view.prisoners)
    return max(1.0, total - held)


def _share_out(data: GameData, stacks: Iterable[SeenStack], total: float) -> dict[int, int]:
    """Known strengths stand; the rest goes to the others by weight, within their bands."""
    found = {stack.key: stack.low for stack in stacks if stack.low == stack.high}
    open_ones = [stack for stack in stacks if stack.key not in found]
    left = total - sum(found.values())
    weights = {stack.key: weight_of(data, stack) for stack in open_ones}
    whole = sum(weights.values()) or 1.0
    for stack in open_ones:
        guess = round(left * weights[stack.key] / whole)
        found[stack.key] = max(stack.low, min(stack.high, guess, 60), 1)
    return found


def weight_of(data: GameData, stack: SeenStack) -> float:
    """How strong a stack looks: armies by the rank of their commander, garrisons little."""
    if stack.commander < 0:
        return 1.0
    weight = BY_RANK[data.leaders[stack.commander].rank]
    return weight / 3 if stack.inside else weight
