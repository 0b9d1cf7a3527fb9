"""Winter campaigns: an army that may still win something this year stays in the field when others go into quarters."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.o10_supply.supply import depot_side
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import Mission
from leuthen.wargame.ways import FAR

QUARTERS: Final = 15
"""The turn from which on there are quarters (O14.1)."""
END: Final = 18
"""The last turn (O1.2)."""
RISK: Final = 2.0
"""How much danger, in SP, besiegers stand in winter."""


def is_worth_a_winter(s: Situation, army: Stack, mission: Mission) -> bool:
    """Whether what an army may still win this year is worth the men whom the cold will cost."""
    if army.strength < s.temper.hardy or army.demoralized or army.inside:
        return False
    if mission.kind == "besiege":
        frost = s.temper.frost * army.strength * (END + 1 - max(s.pos.turn, QUARTERS))
        promise = s.worth(mission.place) * _chance_to_fall(s, army, mission.place)
        return promise > frost and s.danger(army, army.hex) < RISK
    if mission.kind == "hunt":
        return _gain_in_reach(s, army, mission.place) > s.temper.winter_gain
    return False


def _gain_in_reach(s: Situation, army: Stack, there: Hex) -> float:
    """What a battle that can still be fought this year should bring, in SP."""
    enemy, turns = s.pos.field(there, s.foe), max(1, END - s.pos.turn)
    if enemy is None or s.roads(army, army.hex).far(there) > s.temper.pace * turns:
        return 0.0
    return s.fight(army, enemy, there).gain(army.strength, enemy.strength, s.temper.rout)


def _chance_to_fall(s: Situation, army: Stack, fort: Hex) -> float:
    """How probably a fortress falls before the year ends."""
    far = s.roads(army, army.hex).far(fort)
    turns = END - s.pos.turn - int(-(-far // s.temper.pace)) if far < FAR else -1
    if turns < 0:
        return 0.0
    garrison = s.pos.inside(fort, s.foe)
    if garrison is None or not garrison.sp:
        return 1.0
    depot = s.pos.depots.get(fort)
    begun = depot is not None and depot_side(s.pos, depot) == s.side
    complete = begun and depot is not None and depot.complete
    chance = s.siege_chance(msgspec.structs.replace(army, hex=fort), garrison)
    return float(1.0 - (1.0 - chance) ** ((turns + begun + complete) // 2))
