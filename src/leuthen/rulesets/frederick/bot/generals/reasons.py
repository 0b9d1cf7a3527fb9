"""Why an army has its mission: the goal, what it rests on, the odds and the rule, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from leuthen.rulesets.frederick.bot.goals import chance_against, strength_of
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import Reason
from leuthen.wargame.ways import FAR

AROUND: Final = 2
"""Hexes within which an enemy threatens a fortress."""


def reason(s: Situation, army: Stack, goal: Goal) -> Reason:
    """Why an army goes for a goal."""
    return _REASONS.get(goal.kind, _stand)(s, army, goal.hex)


def where(s: Situation, here: Hex) -> str:
    """Return the name of a fortress, of another place its hex with its town."""
    fort = s.data.fortresses.get(here)
    return fort.name if fort is not None else s.data.book.place(here)


def _way(s: Situation, army: Stack, here: Hex) -> str:
    far = s.roads(army, army.hex).far(here)
    return f"{far} MP away" if far < FAR else "out of reach for now"


def _siege(s: Situation, army: Stack, here: Hex) -> Reason:
    garrison = s.pos.inside(here, s.foe)
    worth = f"worth {s.data.fortresses[here].vp} VP"
    if garrison is None or not garrison.sp:
        return Reason(f"walk into {where(s, here)}", (worth, "nobody holds it", _way(s, army, here)), "O5.8", 1.0)
    odds = s.siege_chance(msgspec.structs.replace(army, hex=here), garrison)
    inside = f"about {garrison.strength} SP inside"
    if near := s.foes_near(here, AROUND):
        inside += f", and about {near} in the field near it"
    return Reason(f"take {where(s, here)}", (worth, inside, _way(s, army, here)), "O13.2", odds)


def _relief(s: Situation, army: Stack, here: Hex) -> Reason:
    threat = s.foes_near(here, AROUND)
    odds = chance_against(strength_of(s, army), threat)
    state = "it is besieged" if s.is_besieged(here) else f"about {threat} SP of the enemy stand near it"
    return Reason(f"save {where(s, here)}", (state, _way(s, army, here)), "O13.9", odds)


def _hunt(s: Situation, army: Stack, here: Hex) -> Reason:
    enemy = s.pos.field(here, s.foe)
    if enemy is None:
        return Reason(f"find the enemy at {where(s, here)}", (_way(s, army, here),), "O9.1")
    fight = s.fight(army, enemy, here)
    price = f"a battle costs about {fight.attacker_loss:.0f} SP, and the enemy {fight.defender_loss:.0f}"
    there = f"about {enemy.strength} SP are there"
    return Reason(f"beat the enemy at {where(s, here)}", (there, price), "O9.4", fight.attacker_wins)


def _join(s: Situation, army: Stack, here: Hex) -> Reason:
    return Reason(
        f"join the friends at {where(s, here)}", (f"{army.strength} SP are few", _way(s, army, here)), "O5.14"
    )


def _stand(s: Situation, army: Stack, here: Hex) -> Reason:
    return Reason(f"stand at {where(s, here)}", (_way(s, army, here),), "O5.13")


def _refuge(s: Situation, army: Stack, here: Hex) -> Reason:
    return Reason(f"recover at {where(s, here)}", ("it feeds them and has walls", _way(s, army, here)), "O11.2")


_REASONS: Final[Mapping[str, Callable[[Situation, Stack, Hex], Reason]]] = {
    "siege": _siege,
    "relief": _relief,
    "hunt": _hunt,
    "join": _join,
    "refuge": _refuge,
    "lead": _join,
}
"""By goal."""
