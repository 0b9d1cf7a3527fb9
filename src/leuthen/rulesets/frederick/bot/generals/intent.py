"""A plan as the guide of a general's habits: the goal of each army, the men of each fortress, who is sent away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.rulesets.frederick.bot.captives import merit
from leuthen.rulesets.frederick.bot.generals.campaigning import is_worth_a_winter
from leuthen.rulesets.frederick.bot.generals.garrisons import garrison_of
from leuthen.rulesets.frederick.bot.goals import all_goals, best_goal
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.plans import Kind, Mission, Plan
from leuthen.wargame.strength import LeaderId, bag, of

GOALS: Final[dict[Kind, str]] = {
    "besiege": "siege", "relieve": "relief", "cover": "relief", "hunt": "hunt", "join": "join", "hold": "hold",
    "winter": "refuge", "raid": "siege", "screen": "relief",
}  # fmt: skip
"""By mission, the goal that the habits know."""
FEW: Final = 3
"""Fewer SP than these do not try their luck."""
ALONE: Final = 3.0
DICE: Final = 6


class Intent:
    """A plan that is being carried out."""

    def __init__(self, plan: Plan, halts: Mapping[LeaderId, tuple[Hex, ...]]) -> None:
        """`halts`: where leaders stood in the last turns."""
        self.plan = plan
        self._halts = halts

    def goal(self, s: Situation, army: Stack) -> Goal:
        """What the mission of its commander says, or of another leader with it; else the best that it finds."""
        mission = mission_of(self.plan, army)
        if mission is None or not army.sp or army.demoralized:
            return best_goal(s, army)
        if mission.place == army.hex and mission.kind in ("join", "winter"):
            return best_goal(s, army)
        return Goal(GOALS[mission.kind], mission.place, 1.0)

    def garrison(self, s: Situation, here: Hex) -> int:
        """By worth and danger."""
        return garrison_of(s, here)

    def stays(self, s: Situation, stack: Stack) -> bool:
        """Governors stay in their fortress, besiegers where their depot is (O13.1), and who builds one (O10.4)."""
        if stack.inside and stack.sp and stack.strength <= max(FEW, garrison_of(s, stack.hex)):
            return True
        return is_at_depot(s, stack) and s.danger(stack, stack.hex) <= s.temper.bold

    def taste(self, s: Situation, force: Stack) -> Callable[[Hex], float]:
        """Nobody goes to and fro, and no sound force halts among shaken friends (O11.1)."""
        before = self._halts.get(force.commander, ())
        mission = mission_of(self.plan, force)
        place = mission.place if mission is not None else NOWHERE
        sound = s.temper.contagion * force.strength if not force.demoralized else 0.0

        def taste(here: Hex) -> float:
            if here == force.hex:
                return 0.0
            back = s.temper.to_and_fro if here in before and here != place else 0.0
            return -back - (sound if is_shaken(s, here) else 0.0)

        return taste

    def price(self, s: Situation, force: Stack) -> float:
        """Men are lost by force marches (O6.1): the abler the commander, the farther, and the sooner."""
        able = s.data.leaders[force.commander].initiative
        price = s.temper.calm + s.temper.weary * min(able, DICE) / DICE + (ALONE if force.strength < FEW else 0.0)
        mission = mission_of(self.plan, force)
        if mission is None or mission.kind not in ("hunt", "relieve"):
            return price
        return price * (s.temper.forced_hunt if mission.kind == "hunt" else s.temper.forced_relief)

    def winters(self, s: Situation, force: Stack) -> bool:
        """Unless its mission may still be carried out this year, and is worth the men whom it costs."""
        mission = mission_of(self.plan, force)
        return mission is None or not is_worth_a_winter(s, force, mission)

    def is_ordered(self, army: Stack) -> bool:
        """By a mission that a player has signed."""
        mission = mission_of(self.plan, army)
        return mission is not None and mission.signed

    def part(self, s: Situation, force: Stack) -> tuple[Stack, Goal] | None:
        """A part of a large army under its best junior, for a goal that nobody else has."""
        if force.strength < s.temper.large or force.demoralized or len(force.leaders) < 2 or self.is_ordered(force):
            return None
        junior = max((n for n in force.leaders if n != force.commander), key=lambda n: (merit(s, n), -n))
        power = s.data.leaders[junior].power
        points = min(of(force.sp, power), round(s.temper.share * force.strength))
        if points < s.temper.least_part or s.data.leaders[junior].initiative < 1:
            return None
        part = make_stack(s.pos, force.hex, s.side, force.inside, bag(power, points), (junior,), force)
        if is_bared(s, force, part):
            return None
        return self._errand(s, force, part)

    def _errand(self, s: Situation, force: Stack, part: Stack) -> tuple[Stack, Goal] | None:
        whole = self.goal(s, force)
        taken = {mission.place for mission in self.plan.missions} | {whole.hex}
        goals = [goal for goal in all_goals(s, part) if goal.kind in ("siege", "relief", "hunt")]
        free = [goal for goal in goals if goal.hex not in taken]
        best = max(free, key=lambda goal: (goal.value, -goal.hex), default=None)
        rival = max(goals, key=lambda goal: goal.value, default=None)
        if (
            best is None
            or rival is None
            or best.value < s.temper.worth_a_part * rival.value
            or s.distance(best.hex, force.hex) < 2
        ):
            return None
        return part, best


def is_bared(s: Situation, force: Stack, part: Stack) -> bool:
    """Whether the enemy could beat what is left of a force where it stands, once a part has gone, and not the whole."""
    left = tuple(leader for leader in force.leaders if leader not in part.leaders)
    rest = make_stack(s.pos, force.hex, s.side, force.inside, force.sp - part.sp, left, force)
    return s.danger(rest, force.hex) > max(s.temper.bold, s.danger(force, force.hex))


def is_shaken(s: Situation, here: Hex) -> bool:
    """Whether friends in the field of a hex are demoralized, and would demoralize whoever joins them (O11.1)."""
    friend = s.pos.field(here, s.side)
    return friend is not None and friend.demoralized


def is_at_depot(s: Situation, stack: Stack) -> bool:
    """Whether a depot of its side is begun where a stack stands, or is there for a siege."""
    depot = s.pos.depots.get(stack.hex)
    if depot is None or s.pos.side_of(depot.power) != s.side or stack.inside or stack.demoralized:
        return False
    return not depot.complete or bool(s.garrison(stack.hex, s.foe))


def mission_of(plan: Plan, army: Stack) -> Mission | None:
    """The mission of an army: that of its commander, or the first that one of its leaders has."""
    for leader in (army.commander, *army.leaders):
        mission = plan.mission_of(leader) if leader >= 0 else None
        if mission is not None:
            return mission
    return None
