"""Battles and sieges: which to begin, who garrisons what falls, and where to retreat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.bot.fortresses import some, wanted
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Attack, Besiege, Follow, Garrison, Refuge, Retreat, Shelter
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase, may_attack, possible_attacks
from leuthen.rulesets.frederick.rules.o09_retreat import Pursuit, Retreating, Routed
from leuthen.rulesets.frederick.rules.o10_supply import feeds
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice
from leuthen.rulesets.frederick.rules.o13_siege import Departure, Occupation, SiegePhase, may_besiege
from leuthen.wargame.board import Hex
from leuthen.wargame.ways import FAR

MIN_ATTACK_GAIN: Final = 0.2
"""SP that an attack must promise."""
FORESTALLS: Final = 0.5
"""How many SP better an attack must be than to be attacked."""


def attack_actions(s: Situation, phase: CombatPhase) -> Iterator[Action]:
    """The attacks that promise more than they cost, best first; those that are bound come first."""
    taken = {here for _, here in phase.declared}
    places = [here for here in possible_attacks(s.pos, s.side) if here not in taken]
    for here in places:
        if here in s.pos.bound and phase.declaring == phase.side:
            yield Attack(here)
    for here in sorted(places, key=lambda here: -attack_gain(s, here)):
        if is_worth(s, here, answered=phase.declaring == phase.side):
            yield Attack(here)
    yield Done()


def is_worth(s: Situation, here: Hex, *, answered: bool) -> bool:
    """A gain, or at least less of a loss than to be attacked."""
    gain = attack_gain(s, here)
    if gain > MIN_ATTACK_GAIN:
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
    return s.fight(mine, foe, here).gain(mine.strength, foe.strength, s.weights.rout_share)


def defence_loss(s: Situation, here: Hex) -> float:
    """What an attack of the enemy in a hex should cost, in SP."""
    mine, foe = s.pos.field(here, s.side), s.pos.field(here, s.foe)
    if mine is None or foe is None:
        return 0.0
    return s.fight(foe, mine, here).gain(foe.strength, mine.strength, s.weights.rout_share)


def pursuit_actions(s: Situation, pursuit: Pursuit) -> Iterator[Action]:
    """The victor follows only where nothing is left behind to hold, and no stronger enemy waits."""
    stack = s.pos.field(pursuit.battle, s.side)
    held = pursuit.battle in s.data.fortresses
    if stack is not None and not held and stack.strength > 3:
        fed = s.supplied(stack) >> pursuit.first & 1
        if fed and s.danger(stack, pursuit.first) <= 0.5:
            yield Follow(stack.leaders, stack.sp)
    yield Done()


def rout_actions(s: Situation, frame: Routed) -> Iterator[Action]:
    """Inside the fortress of the battle hex if it feeds all; else away."""
    stack = s.pos.field(frame.hex, s.side)
    if stack is not None:
        inside = s.garrison(frame.hex, s.side)
        if stack.strength + inside <= feeds(s.pos, frame.hex):
            yield Shelter(True)
    yield Done()
    yield Shelter(True)


def retreat_actions(s: Situation, frame: Retreating) -> Iterator[Action]:
    """Ends at the first place of safety, or goes on where it is safest."""
    force = s.pos.moving
    assert force is not None
    here = force.hex
    if s.pos.owners.get(here) == s.side and force.strength + s.garrison(here, s.side) <= feeds(s.pos, here):
        yield Shelter(True)
    yield from (Retreat(there) for there in ways(s, here))
    yield Shelter(False)
    yield Shelter(True)


def ways(s: Situation, here: Hex) -> list[Hex]:
    """The neighbours, the safest first: far from enemies, near to an own fortress, not among sound friends."""

    def burden(there: Hex) -> tuple[float, int, Hex]:
        friend = s.pos.field(there, s.side)
        shaken = friend.strength if friend is not None and not friend.demoralized else 0
        forts = min((s.distance(there, fort) for fort in s.forts if not s.is_besieged(fort)), default=FAR)
        return s.foes_near(there, 2) + shaken + 2.0 * forts, forts, there

    return sorted(s.board.neighbours[here], key=burden)


def refuge_actions(s: Situation, frame: RefugeChoice) -> Iterator[Action]:
    """A leader flees to the strongest of the nearest friends."""

    def size(haven: tuple[Hex, bool]) -> tuple[int, Hex]:
        stack = s.pos.at(haven[0], s.side, haven[1])
        return -(stack.strength if stack is not None else 0), haven[0]

    for here, inside in sorted(frame.havens, key=size):
        yield Refuge(here, inside)


def siege_actions(s: Situation, phase: SiegePhase) -> Iterator[Action]:
    """Rolls wherever it may: each roll makes the next one better."""
    for army in sorted(s.mine, key=lambda stack: stack.hex):
        if not army.inside and army.hex not in phase.rolled and may_besiege(s.pos, army.hex, s.side) is None:
            yield Besiege(army.hex)
    yield Done()


def occupation_actions(s: Situation, fallen: Occupation) -> Iterator[Action]:
    """Some of the besiegers go inside, as many as the place should have."""
    camp = s.pos.field(fallen.hex, s.side)
    if camp is not None:
        points = min(max(2, wanted(s, fallen.hex)), camp.strength - 1)
        if camp.demoralized:
            yield Garrison(tuple(sorted(camp.leaders)), camp.sp)
        if points > 0:
            yield Garrison((), some(camp.sp, points))
    yield Done()


def departure_actions(s: Situation, frame: Departure) -> Iterator[Action]:
    """To the fortress that is threatened least, and has fewest men."""
    for here in sorted(s.forts, key=lambda here: (s.foes_near(here, 4), s.garrison(here, s.side), here)):
        yield Refuge(here, True)
