"""The set-up of 1756 (C2): garrisons with governors, and the army where it has most to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.deployment import depot_site, first_garrison
from leuthen.rulesets.frederick.bot.generals.governors import governors, seats
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Place, PlaceDepot, Seal
from leuthen.rulesets.frederick.model.data import AUSTRIA
from leuthen.rulesets.frederick.rules.c02_setup import MAJORS, Deployment, deployment_hexes, fortresses_of, plan_of
from leuthen.wargame.board import Hex
from leuthen.wargame.ranking import any_of_the_best
from leuthen.wargame.strength import NO_LEADER, LeaderId, bag

NEARLY: Final = 0.08
"""The part by which a place may promise less than the best."""
EXTRA: Final = (0, 1)
"""By side: SP more in an exposed great fortress."""


def deployment_actions(s: Situation, frame: Deployment) -> Iterator[Action]:
    """Depot, garrisons with governors, the army, seal."""
    base = army_base(s)
    if frame.depot_left(s.pos, s.side):
        yield PlaceDepot(depot_site(s, base))
    left, leaders = frame.sp_left(s.pos, s.side), frame.leaders_left(s.pos, s.side)
    power = MAJORS[s.side]
    placed = {lot.hex for lot in plan_of(s.pos, s.side).placements if lot.inside}
    chosen = _chosen(s, frame)
    for here in fortresses_of(s.pos, power):
        if here not in placed:
            who = tuple(n for n in (chosen.get(here, NO_LEADER),) if n in leaders)
            yield Place(power, here, True, who, bag(power, min(left, _men(s, here))))
    if left or leaders:
        yield Place(power, base, False, leaders, bag(power, left))
    yield Seal()


def army_base(s: Situation) -> Hex:
    """Near to what can be taken, and to what must be held: one of those that promise nearly most."""
    places = sorted(deployment_hexes(s.pos, s.side))
    most = max(_promise(s, here) for here in places)
    return any_of_the_best(places, lambda here: _promise(s, here), NEARLY * most, s.chooser("set-up"))


def _promise(s: Situation, here: Hex) -> float:
    if here not in s.data.fortresses:
        return 0.0
    attack = sum(s.worth(there) / (1.0 + s.distance(here, there)) ** 2 for there in s.targets)
    own = fortresses_of(s.pos, MAJORS[s.side])
    return attack + 0.5 * sum(s.worth(there) / (3.0 + s.distance(here, there)) for there in own)


def _men(s: Situation, here: Hex) -> int:
    men = first_garrison(s, here)
    return men + (EXTRA[s.side] if s.data.fortresses[here].great and men > 1 else 0)


def _chosen(s: Situation, frame: Deployment) -> dict[Hex, LeaderId]:
    """The governors by fortress. Only Austria has leaders to spare for walls in 1756."""
    if MAJORS[s.side] != AUSTRIA:
        return {}
    return dict(
        zip(seats(s, fortresses_of(s.pos, AUSTRIA)), governors(s, sorted(frame.force(s.side).leaders)), strict=False)
    )
