"""What each army should do: missions that last, shared out over all armies so that none does another's work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.rulesets.frederick.bot.generals.intent import is_shaken, mission_of
from leuthen.rulesets.frederick.bot.generals.reasons import reason
from leuthen.rulesets.frederick.bot.goals import all_goals
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.c02_setup import MAJORS
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Thought, date_number

KINDS: Final[dict[str, Kind]] = {
    "siege": "besiege", "relief": "relieve", "hunt": "hunt", "join": "join", "refuge": "winter", "lead": "join",
}  # fmt: skip
"""By goal, the mission."""
NEXT: Final = 2
"""Hexes within which a crumb is picked up."""


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
    if old is not None and old.signed and still_open(s, old):
        return old
    best = max(
        candidates(s, army, old, given),
        key=lambda goal: (goal.value, -s.distance(army.hex, goal.hex), -goal.hex),
        default=None,
    )
    if best is None or best.value <= 0:
        return None
    return mission_for(s, army, best, old)


def mission_for(s: Situation, army: Stack, goal: Goal, old: Mission | None) -> Mission:
    """A goal as the mission of an army; it has it since when it had it before."""
    kind = KINDS[goal.kind]
    since = old.since if old is not None and (old.kind, old.place) == (kind, goal.hex) else today(s)
    return Mission(kind, army.leaders, goal.hex, Limits(), reason(s, army, goal), since)


def candidates(s: Situation, army: Stack, old: Mission | None, given: list[Mission]) -> Iterator[Goal]:
    """The goals of an army, worth more if they were its own before, less if another army has them."""
    temper = s.temper
    kept = {"besiege": temper.kept_siege, "relieve": temper.kept_relief}
    for goal in all_goals(s, army):
        if (goal.kind == "hunt" and is_crumb(s, army, goal)) or (goal.kind == "join" and is_shaken(s, goal.hex)):
            continue
        value = goal.value
        if old is not None and (old.kind, old.place) == (KINDS[goal.kind], goal.hex):
            value *= kept.get(old.kind, 1.0)
        if any(mission.place == goal.hex and mission.kind == KINDS[goal.kind] for mission in given):
            value *= temper.shared
        if is_abroad(s, army, goal):
            value *= temper.abroad
        yield goal._replace(value=value)


def is_crumb(s: Situation, army: Stack, goal: Goal) -> bool:
    """Whether an enemy is too small, and too far, for an army to run after."""
    enemy = s.pos.field(goal.hex, s.foe)
    return enemy is None or (enemy.strength * s.temper.crumb < army.strength and s.distance(army.hex, goal.hex) > NEXT)


def is_abroad(s: Situation, army: Stack, goal: Goal) -> bool:
    """Whether a place is far from all that an army's power calls home: an ally's theatre ends before it.

    A major goes there to take something, but not to save what is an ally's.
    """
    if army.nation in MAJORS and goal.kind != "relief":
        return False
    homes = [here for here, fort in s.data.fortresses.items() if army.nation in (fort.power, fort.star)]
    return all(s.distance(here, goal.hex) > s.temper.leash for here in homes)


def still_open(s: Situation, mission: Mission) -> bool:
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
