"""The set-up: every fortress a garrison, the army together where it has most to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Place, PlaceDepot, Seal
from leuthen.rulesets.frederick.rules import c02_setup as setup
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import bag
from leuthen.wargame.ways import FAR

BORDER: Final = 5
"""Hexes to the nearest enemy fortress within which a fortress lies on the border."""


def deployment_actions(s: Situation, frame: setup.Deployment) -> Iterator[Action]:
    """Depot, garrisons, the army, seal."""
    base = max(setup.deployment_hexes(s.pos, s.side), key=lambda here: (_promise(s, here), -here))
    if frame.depot_left(s.pos, s.side):
        yield PlaceDepot(depot_site(s, base))
    left, leaders = frame.sp_left(s.pos, s.side), frame.leaders_left(s.pos, s.side)
    power = setup.MAJORS[s.side]
    placed = {lot.hex for lot in setup.plan_of(s.pos, s.side).placements if lot.inside}
    if s.has("garrisons"):
        for here in setup.fortresses_of(s.pos, power):
            if here not in placed:
                yield Place(power, here, True, (), bag(power, min(left, first_garrison(s, here))))
    if left or leaders:
        yield Place(power, base, False, leaders, bag(power, left))
    yield Seal()


def enemy_homes(s: Situation) -> tuple[Hex, ...]:
    """The home fortresses of the enemy's major."""
    return setup.fortresses_of(s.pos, setup.MAJORS[s.foe])


def first_garrison(s: Situation, here: Hex) -> int:
    """One SP; on the border two, in a great fortress one more."""
    near = min(s.distance(here, there) for there in enemy_homes(s)) <= BORDER
    return 1 + near + (near and s.data.fortresses[here].great)


def _promise(s: Situation, here: Hex) -> float:
    if here not in s.data.fortresses:
        return 0.0
    attack = sum(s.worth(there) / (1.0 + s.distance(here, there)) ** 2 for there in enemy_homes(s))
    own = setup.fortresses_of(s.pos, setup.MAJORS[s.side])
    return attack + 0.5 * sum(s.worth(there) / (3.0 + s.distance(here, there)) for there in own)


def depot_site(s: Situation, base: Hex) -> Hex:
    """On the way from the base to the nearest great fortress of others, as far as supply goes."""
    goals = [here for here, fort in s.data.fortresses.items() if fort.great and fort.power != setup.MAJORS[s.side]]
    goal = min(goals, key=lambda there: (s.distance(base, there), there), default=base)
    return min(setup.depot_grounds(s.pos.data), key=lambda here: (_site_cost(s, here, goal), here))


def _site_cost(s: Situation, here: Hex, goal: Hex) -> int:
    own = setup.fortresses_of(s.pos, setup.MAJORS[s.side])
    supplied = min(s.distance(here, fort) for fort in own) <= s.data.powers[setup.MAJORS[s.side]].supply
    return min(FAR, s.distance(here, goal)) + (0 if supplied else FAR)
