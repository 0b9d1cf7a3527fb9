"""Two armies do more than one that is larger than it needs to be."""

from __future__ import annotations

from typing import Final

from leuthen.rulesets.frederick.bot.captives import merit
from leuthen.rulesets.frederick.bot.goals import all_goals, best_goal
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.strength import bag, of

LARGE: Final = 36
"""SP from which an army may send a part away."""
SHARE: Final = 0.42
WORTH_IT: Final = 0.5
"""How good the goal of the part must be beside that of the whole."""


def detachment(s: Situation, force: Stack) -> tuple[Stack, Goal] | None:
    """A part of a large army under its best junior, and what it goes for; None if all stay together."""
    if s.guide is not None:
        return s.guide.part(s, force)
    if not s.has("detachments") or force.strength < LARGE or force.demoralized or len(force.leaders) < 2:
        return None
    junior = max((n for n in force.leaders if n != force.commander), key=lambda n: (merit(s, n), -n))
    power = s.data.leaders[junior].power
    points = min(of(force.sp, power), round(SHARE * force.strength))
    if s.data.leaders[junior].initiative < 1 or points < 15:
        return None
    part = make_stack(s.pos, force.hex, s.side, force.inside, bag(power, points), (junior,), force)
    whole = best_goal(s, force)
    others = [goal for goal in all_goals(s, part) if goal.hex != whole.hex]
    goals = [goal for goal in others if goal.kind in ("siege", "relief", "hunt")]
    best = max(goals, key=lambda goal: (goal.value, -goal.hex), default=None)
    if best is None or best.value < WORTH_IT * whole.value or s.distance(best.hex, force.hex) < 2:
        return None
    return part, best
