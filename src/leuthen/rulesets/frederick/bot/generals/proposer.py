"""What each army should do: missions that last, shared out over all armies so that none does another's work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.rulesets.frederick.bot.generals.intent import mission_of
from leuthen.rulesets.frederick.bot.goals import all_goals
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Reason, Thought, date_number

KINDS: Final[dict[str, Kind]] = {
    "siege": "besiege", "relief": "relieve", "hunt": "hunt", "join": "join", "refuge": "winter", "lead": "join",
}  # fmt: skip
"""By goal, the mission."""
RULES: Final = {"siege": "O13.1", "relief": "O13.9", "hunt": "O9.6", "join": "O5.14", "refuge": "O14.1", "lead": "O5.1"}
KEPT: Final = 1.5
"""How much more a mission is worth that an army has already."""
SHARED: Final = 0.55
"""What is left of the worth of a goal that another army has."""


def propose(s: Situation, before: Thought) -> Plan:
    """The plan for this turn: who is given what, the strongest army first."""
    missions: list[Mission] = []
    for army in s.armies:
        mission = _mission(s, army, before.plan, missions)
        if mission is not None:
            missions.append(mission)
    return Plan(before.plan.theatres, tuple(missions), before.plan.council)


def _mission(s: Situation, army: Stack, plan: Plan, given: list[Mission]) -> Mission | None:
    old = mission_of(plan, army)
    if old is not None and old.signed and still_open(s, army, old):
        return old
    goals = list(candidates(s, army, old, given))
    best = max(goals, key=lambda goal: (goal.value, -s.distance(army.hex, goal.hex), -goal.hex), default=None)
    if best is None or best.value <= 0:
        return None
    kind = KINDS[best.kind]
    since = old.since if old is not None and (old.kind, old.place) == (kind, best.hex) else today(s)
    return Mission(kind, army.leaders, best.hex, Limits(), reason(s, army, best), since)


def candidates(s: Situation, army: Stack, old: Mission | None, given: list[Mission]) -> Iterator[Goal]:
    """The goals of an army, worth more if they were its own before, less if another army has them."""
    for goal in all_goals(s, army):
        value = goal.value
        if old is not None and (old.kind, old.place) == (KINDS[goal.kind], goal.hex):
            value *= KEPT
        if any(mission.place == goal.hex and mission.kind == KINDS[goal.kind] for mission in given):
            value *= SHARED
        yield goal._replace(value=value)


def still_open(s: Situation, army: Stack, mission: Mission) -> bool:
    """Whether a mission can still be carried out."""
    if mission.limits.due and today(s) > mission.limits.due:
        return False
    if mission.kind in ("besiege", "raid"):
        return s.pos.owners.get(mission.place) != s.side
    if mission.kind in ("relieve", "cover", "hold", "screen"):
        return s.pos.owners.get(mission.place, s.side) == s.side
    if mission.kind == "hunt":
        return bool(s.foe_hexes >> mission.place & 1)
    return True


def today(s: Situation) -> int:
    """The date as a number."""
    return date_number(s.pos.year, s.pos.turn)


def reason(s: Situation, army: Stack, goal: Goal) -> Reason:
    """Why an army has a goal, in words."""
    fort = s.data.fortresses.get(goal.hex)
    where = fort.name if fort is not None else ""
    return Reason(f"{goal.kind} {where}".strip(), (), RULES[goal.kind])
