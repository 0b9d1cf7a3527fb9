"""Battles and sieges: attacks, garrisons of captured fortresses, and retreats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.bot.marching import some, wanted
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Attack, Besiege, Follow, Garrison, Refuge, Retreat, Shelter
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase, possible_attacks, why_not_attack
from leuthen.rulesets.frederick.rules.o09_retreat import Pursuit, Retreating, Routed
from leuthen.rulesets.frederick.rules.o10_supply import feeds
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice
from leuthen.rulesets.frederick.rules.o13_siege import Departure, Occupation, SiegePhase, why_not_besiege
from leuthen.wargame.board import Hex
from leuthen.wargame.ways import FAR

MIN_ATTACK_GAIN: Final = 0.2  # SP
FORESTALLS: Final = 0.5  # SP by which attacking must be better than being attacked


def attack_actions(s: Situation, phase: CombatPhase) -> Iterator[Action]:
    """Yield forced attacks, then attacks that gain SP or lose less than the enemy's attack would, best first."""
    answered, taken = phase.declaring == phase.side, {here for _, here in phase.declared}
    gains: list[tuple[float, Hex]] = []
    for here in possible_attacks(s.pos, s.side):
        if here in taken:
            continue
        if answered and here in s.pos.bound:
            yield Attack(here)
        mine, foe = s.pos.field(here, s.side), s.pos.field(here, s.foe)
        gain = s.attack_gain(mine, foe, here) if mine is not None and foe is not None else 0.0
        gains.append((gain, here))
    for gain, here in sorted(gains, key=lambda one: -one[0]):
        if gain > MIN_ATTACK_GAIN or (answered and _forestalls(s, here, gain)):
            yield Attack(here)
    yield Done()


def _forestalls(s: Situation, here: Hex, gain: float) -> bool:
    mine, foe = s.pos.field(here, s.side), s.pos.field(here, s.foe)
    if foe is None or why_not_attack(s.pos, here, s.foe) is not None:
        return False
    return gain > -(s.attack_gain(foe, mine, here) if mine is not None else 0.0) + FORESTALLS


def pursuit_actions(s: Situation, pursuit: Pursuit) -> Iterator[Action]:
    """Pursue only if no fortress has to be held here and no stronger enemy can strike."""
    stack = s.pos.field(pursuit.battle, s.side)
    held = pursuit.battle in s.data.fortresses
    if stack is not None and not held and stack.strength > 3:
        fed = s.supplied(stack) >> pursuit.first & 1
        if fed and s.danger(stack, pursuit.first) <= 0.5:
            yield Follow(stack.leaders, stack.sp)
    yield Done()


def rout_actions(s: Situation, frame: Routed) -> Iterator[Action]:
    stack = s.pos.field(frame.hex, s.side)
    if stack is not None:
        inside = s.garrison(frame.hex, s.side)
        if stack.strength + inside <= feeds(s.pos, frame.hex):
            yield Shelter(True)
    yield Done()
    yield Shelter(True)


def retreat_actions(s: Situation, frame: Retreating) -> Iterator[Action]:
    """Retreat to the first safe place, else away from enemies and towards an own fortress, avoiding other friends."""
    force = s.pos.moving
    assert force is not None
    here = force.hex
    if s.pos.owners.get(here) == s.side and force.strength + s.garrison(here, s.side) <= feeds(s.pos, here):
        yield Shelter(True)

    def burden(there: Hex) -> tuple[float, int, Hex]:
        friend = s.pos.field(there, s.side)
        sound = friend.strength if friend is not None and not friend.demoralized else 0
        forts = min((s.distance(there, fort) for fort in s.forts if not s.is_besieged(fort)), default=FAR)
        return s.foes_near(there, 2) + sound + 2.0 * forts, forts, there

    yield from (Retreat(there) for there in sorted(s.board.neighbours[here], key=burden))
    yield Shelter(False)
    yield Shelter(True)


def refuge_actions(s: Situation, frame: RefugeChoice) -> Iterator[Action]:

    def size(haven: tuple[Hex, bool]) -> tuple[int, Hex]:
        stack = s.pos.at(haven[0], s.side, haven[1])
        return -(stack.strength if stack is not None else 0), haven[0]

    for here, inside in sorted(frame.havens, key=size):
        yield Refuge(here, inside)


def siege_actions(s: Situation, phase: SiegePhase) -> Iterator[Action]:
    """Roll in every siege that allows it: each roll improves the next one."""
    for army in sorted(s.mine, key=lambda stack: stack.hex):
        if not army.inside and army.hex not in phase.rolled and why_not_besiege(s.pos, army.hex, s.side) is None:
            yield Besiege(army.hex)
    yield Done()


def occupation_actions(s: Situation, fallen: Occupation) -> Iterator[Action]:
    camp = s.pos.field(fallen.hex, s.side)
    if camp is not None:
        points = min(max(2, wanted(s, fallen.hex)), camp.strength - 1)
        if camp.demoralized:
            yield Garrison(tuple(sorted(camp.leaders)), camp.sp)
        if points > 0:
            yield Garrison((), some(camp.sp, points))
    yield Done()


def departure_actions(s: Situation, frame: Departure) -> Iterator[Action]:
    """Choose the least threatened fortress with the smallest garrison."""
    for here in sorted(s.forts, key=lambda here: (s.foes_near(here, 4), s.garrison(here, s.side), here)):
        yield Refuge(here, True)
