"""Exact odds of single dice and sieges: the rules' own numbers, counted over the faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.events import Modifiers
from leuthen.rulesets.campaigns.model.forces import percent_of, strength
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r07_reaction import modifiers as reaction_modifiers
from leuthen.rulesets.campaigns.rules.r07_reaction import succeeds
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL
from leuthen.rulesets.campaigns.rules.r09_steps import attrition_percent
from leuthen.rulesets.campaigns.rules.r11_siege import MOST_BREACHES, breach_number, surrender_number
from leuthen.rulesets.campaigns.rules.r11_siege import modifiers as siege_modifiers
from leuthen.rulesets.campaigns.rules.r12_battle.battle import SHAKEN
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId

DIE: Final = range(1, 7)
SIXTH: Final = Fraction(1, 6)
TURNS: Final = 8
"""Siege turns that are looked ahead."""


def at_most(number: int, added: int = 0) -> Fraction:
    """How probably a die with modifiers is `number` or less."""
    return Fraction(sum(die + added <= number for die in DIE), 6)


def two_at_most(number: int) -> Fraction:
    """How probably two dice are `number` or less."""
    return Fraction(sum(a + b <= number for a in DIE for b in DIE), 36)


def summed(found: Modifiers) -> int:
    """All modifiers together."""
    return sum(value for _, value in found)


class ReactionOdds(msgspec.Struct, frozen=True):
    """Whether a leader reacts (R7.3), with the modifiers, and each die."""

    chance: Fraction
    modifiers: Modifiers
    faces: tuple[bool, ...]


def reaction_odds(pos: Position, leader: LeaderId, here: Hex, side: Side) -> ReactionOdds:
    """The odds of a reaction of a leader to a mover in a hex (R7.3)."""
    found = reaction_modifiers(pos, leader, here, side)
    faces = tuple(succeeds(pos, leader, die, summed(found)) for die in DIE)
    return ReactionOdds(Fraction(sum(faces), 6), found, faces)


def forced_odds(pos: Position, leader: LeaderId) -> tuple[Fraction, Fraction, int]:
    """How probably a forced march succeeds freely, and at the price of TP; and that price (R8)."""
    command = pos.leader(leader).command
    free = Fraction(sum(die <= command and die != 6 for die in DIE), 6)
    strained = Fraction(int(command + 1 != 6 and command < 6), 6)
    return free, strained, percent_of(TOLL, pos.units[leader].strength)


def recovery_odds(pos: Position, leader: LeaderId) -> tuple[Fraction, Fraction]:
    """How probably a leader's troops recover (V8.1), and he himself with his force, as its commander (V8.2)."""
    who = pos.leader(leader)
    troops = two_at_most(who.morale - SHAKEN * pos.options.recover_reduced)
    return troops, at_most(who.command) * two_at_most(who.morale)


def attrition_odds(pos: Position, units: Sequence[Unit]) -> list[tuple[int, Fraction]]:
    """The TP that a force loses if it rolls for attrition now (V3.5)."""
    earlier = max((unit.rolls for unit in units), default=0)
    losses = (percent_of(attrition_percent(pos, die + earlier), strength(units)) for die in DIE)
    return spread((loss, SIXTH) for loss in losses)


def spread(parts: Iterable[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
    """Adds up the probabilities of equal values, from the lowest up."""
    sums: dict[int, Fraction] = {}
    for value, chance in parts:
        sums[value] = sums.get(value, Fraction(0)) + chance
    return sorted(sums.items())


class SiegeOdds(msgspec.Struct, frozen=True):
    """A siege roll: breach and fall in this turn, and the chance that the place has fallen by this turn, the next …

    The modifiers are those of now; that of a long siege (R11.5) comes in its time.
    """

    turn: int
    number: int
    modifiers: Modifiers
    breach: Fraction
    fall: Fraction
    by_turn: tuple[Fraction, ...]


def siege_odds(pos: Position, here: Hex, side: Side) -> SiegeOdds:
    """The odds of a siege, if it is rolled for in this turn and the next ones (R11)."""
    first = pos.sieges.get(here, Siege())
    found = siege_modifiers(pos, here, side, surrender=False)
    breach = at_most(breach_number(pos, here, first.turns + 1), summed(found))
    now: dict[Siege, Fraction] = {first: Fraction(1)}
    fallen, by_turn = Fraction(0), list[Fraction]()
    for _ in range(TURNS):
        later: dict[Siege, Fraction] = {}
        for siege, share in now.items():
            for after, chance in _one_turn(pos, here, side, siege):
                if after is None:
                    fallen += share * chance
                elif chance:
                    later[after] = later.get(after, Fraction(0)) + share * chance
        now = later
        by_turn.append(fallen)
    number = breach_number(pos, here, first.turns + 1)
    return SiegeOdds(first.turns + 1, number, found, breach, by_turn[0], tuple(by_turn))


def _one_turn(pos: Position, here: Hex, side: Side, siege: Siege) -> Iterable[tuple[Siege | None, Fraction]]:
    """What a siege turn brings; None: the place falls."""
    draft = Draft(pos)
    draft.set_siege(here, siege)
    turn = siege.turns + 1
    added = summed(siege_modifiers(draft, here, side, surrender=False))
    breach = at_most(breach_number(pos, here, turn), added)
    last = summed(siege_modifiers(draft, here, side, surrender=True))
    for more, chance in ((1, breach), (0, 1 - breach)):
        breaches = min(MOST_BREACHES, siege.breaches + more)
        falls = at_most(surrender_number(pos, here, breaches), last) if breaches else Fraction(0)
        yield None, chance * falls
        yield Siege(turn, breaches, siege.shut + 1), chance * (1 - falls)
