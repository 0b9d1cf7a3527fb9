"""The Combat Phase: which attacks to declare; and what to do after a battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Attack, Done, Follow
from leuthen.rulesets.frederick.rules.o09_combat.combat import CombatPhase, may_attack, possible_attacks
from leuthen.rulesets.frederick.rules.o09_combat.retreat import Pursuit
from leuthen.wargame.board import Hex

WORTH_IT: Final = 0.2
FORESTALLS: Final = 0.5
"""How much better an attack must be than to be attacked."""


def attack_actions(s: Situation, phase: CombatPhase) -> Iterator[Action]:
    """The attacks that promise more than they cost, best first; those that are bound come first."""
    taken = {here for _, here in phase.declared}
    places = [here for here in possible_attacks(s.pos, s.side) if here not in taken]
    for here in places:
        if here in s.pos.bound and phase.declaring == phase.side:
            yield Attack(here)
    if s.has("battles"):
        for here in sorted(places, key=lambda here: -attack_gain(s, here)):
            if is_worth(s, here, answered=phase.declaring == phase.side):
                yield Attack(here)
    yield Done()


def is_worth(s: Situation, here: Hex, *, answered: bool) -> bool:
    """A gain, or at least less of a loss than to be attacked."""
    gain = attack_gain(s, here)
    if gain > WORTH_IT:
        return True
    foe = s.pos.field(here, s.foe)
    if not answered or foe is None or may_attack(s.pos, here, s.foe) is not None:
        return False
    return gain > -defence_loss(s, here) + FORESTALLS


def attack_gain(s: Situation, here: Hex) -> float:
    """What an attack in a hex should bring, in SP."""
    mine, foe = s.pos.field(here, s.side), s.pos.field(here, s.foe)
    if mine is None or foe is None:
        return 0.0
    return s.fight(mine, foe, here).gain(mine.strength, foe.strength)


def defence_loss(s: Situation, here: Hex) -> float:
    """What an attack of the enemy in a hex should cost, in SP."""
    mine, foe = s.pos.field(here, s.side), s.pos.field(here, s.foe)
    if mine is None or foe is None:
        return 0.0
    return s.fight(foe, mine, here).gain(foe.strength, mine.strength)


def pursuit_actions(s: Situation, pursuit: Pursuit) -> Iterator[Action]:
    """The victor follows only where nothing is left behind to hold, and no stronger enemy waits."""
    stack = s.pos.field(pursuit.battle, s.side)
    held = pursuit.battle in s.data.fortresses
    if s.has("pursuit") and stack is not None and not held and stack.strength > 3:
        fed = s.supplied(stack) >> pursuit.first & 1
        if fed and s.danger(stack, pursuit.first) <= 0.5:
            yield Follow(stack.leaders, stack.sp)
    yield Done()
