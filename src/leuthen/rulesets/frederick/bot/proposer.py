"""What each army should do, and why: missions that last, shared out so that no army does another's work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from leuthen.rulesets.frederick.bot.goals import all_goals, chance_against, mission_of, strength_of
from leuthen.rulesets.frederick.bot.intent import is_shaken
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.rules.c02_setup import MAJORS
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Reason, Thought, date_number
from leuthen.wargame.ways import FAR

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
    kept = {"besiege": s.weights.kept_siege_factor, "relieve": s.weights.kept_relief_factor}
    for goal in all_goals(s, army):
        if (goal.kind == "hunt" and is_crumb(s, army, goal)) or (goal.kind == "join" and is_shaken(s, goal.hex)):
            continue
        value = goal.value
        if old is not None and (old.kind, old.place) == (KINDS[goal.kind], goal.hex):
            value *= kept.get(old.kind, 1.0)
        if any(mission.place == goal.hex and mission.kind == KINDS[goal.kind] for mission in given):
            value *= s.weights.shared_factor
        if is_abroad(s, army, goal):
            value *= s.weights.abroad_factor
        yield goal._replace(value=value)


def is_crumb(s: Situation, army: Stack, goal: Goal) -> bool:
    """Whether an enemy is too small, and too far, for an army to run after."""
    enemy = s.pos.field(goal.hex, s.foe)
    if enemy is None:
        return True
    return enemy.strength * s.weights.max_hunt_ratio < army.strength and s.distance(army.hex, goal.hex) > NEXT


def is_abroad(s: Situation, army: Stack, goal: Goal) -> bool:
    """Whether a place is far from all that an army's power calls home: an ally's theatre ends before it.

    A major goes there to take something, but not to save what is an ally's.
    """
    if army.nation in MAJORS and goal.kind != "relief":
        return False
    homes = [here for here, fort in s.data.fortresses.items() if army.nation in (fort.power, fort.star)]
    return all(s.distance(here, goal.hex) > s.weights.max_ally_hexes for here in homes)


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


AROUND: Final = 2
"""Hexes within which an enemy threatens a fortress."""


def reason(s: Situation, army: Stack, goal: Goal) -> Reason:
    """Why an army goes for a goal."""
    return _REASONS.get(goal.kind, _why_stand)(s, army, goal.hex)


def where(s: Situation, here: Hex) -> str:
    """Return the name of a fortress, of another place its hex with its town."""
    fort = s.data.fortresses.get(here)
    return fort.name if fort is not None else s.data.book.place(here)


def _way(s: Situation, army: Stack, here: Hex) -> str:
    far = s.roads(army, army.hex).far(here)
    return f"{far} MP away" if far < FAR else "out of reach for now"


def _why_siege(s: Situation, army: Stack, here: Hex) -> Reason:
    garrison = s.pos.inside(here, s.foe)
    worth = f"worth {s.data.fortresses[here].vp} VP"
    if garrison is None or not garrison.sp:
        return Reason(f"walk into {where(s, here)}", (worth, "nobody holds it", _way(s, army, here)), "O5.8", 1.0)
    odds = s.siege_chance(msgspec.structs.replace(army, hex=here), garrison)
    inside = f"about {garrison.strength} SP inside"
    if near := s.foes_near(here, AROUND):
        inside += f", and about {near} in the field near it"
    return Reason(f"take {where(s, here)}", (worth, inside, _way(s, army, here)), "O13.2", odds)


def _why_relief(s: Situation, army: Stack, here: Hex) -> Reason:
    threat = s.foes_near(here, AROUND)
    odds = chance_against(strength_of(s, army), threat)
    state = "it is besieged" if s.is_besieged(here) else f"about {threat} SP of the enemy stand near it"
    return Reason(f"save {where(s, here)}", (state, _way(s, army, here)), "O13.9", odds)


def _why_hunt(s: Situation, army: Stack, here: Hex) -> Reason:
    enemy = s.pos.field(here, s.foe)
    if enemy is None:
        return Reason(f"find the enemy at {where(s, here)}", (_way(s, army, here),), "O9.1")
    fight = s.fight(army, enemy, here)
    price = f"a battle costs about {fight.attacker_loss:.0f} SP, and the enemy {fight.defender_loss:.0f}"
    there = f"about {enemy.strength} SP are there"
    return Reason(f"beat the enemy at {where(s, here)}", (there, price), "O9.4", fight.attacker_wins)


def _why_join(s: Situation, army: Stack, here: Hex) -> Reason:
    return Reason(
        f"join the friends at {where(s, here)}", (f"{army.strength} SP are few", _way(s, army, here)), "O5.14"
    )


def _why_stand(s: Situation, army: Stack, here: Hex) -> Reason:
    return Reason(f"stand at {where(s, here)}", (_way(s, army, here),), "O5.13")


def _why_refuge(s: Situation, army: Stack, here: Hex) -> Reason:
    return Reason(f"recover at {where(s, here)}", ("it feeds them and has walls", _way(s, army, here)), "O11.2")


_REASONS: Final[Mapping[str, Callable[[Situation, Stack, Hex], Reason]]] = {
    "siege": _why_siege,
    "relief": _why_relief,
    "hunt": _why_hunt,
    "join": _why_join,
    "refuge": _why_refuge,
    "lead": _why_join,
}
"""By goal."""
