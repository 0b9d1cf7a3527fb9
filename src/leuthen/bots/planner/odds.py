"""What a battle or a siege is likely to bring, by enumeration of the die over the engine's own tables."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from leuthen.core.board import Hex
from leuthen.frederick.rules.combat import (
    attack_bonus,
    defence_bonus,
    is_mountain,
    losses_in_percent,
    modified,
    percent_of,
    ratio_of,
)
from leuthen.frederick.rules.siege import siege_modifiers, siege_result
from leuthen.frederick.rules.walk import initiative
from leuthen.frederick.state import Position, Stack

DICE: Final = range(1, 7)
ROUT: Final = 0.12
"""What a won battle is worth on top of the losses, as a part of the beaten army: demoralized, driven off."""


class Battle(NamedTuple):
    """Mean losses with prisoners, and how probably each side wins."""

    attacker_loss: float
    defender_loss: float
    attacker_wins: float
    defender_wins: float

    def gain(self, attackers: int, defenders: int) -> float:
        """What the attacker gains by it on the whole, in SP."""
        rout = ROUT * (self.attacker_wins * defenders - self.defender_wins * attackers)
        return self.defender_loss - self.attacker_loss + rout


Cache = dict[tuple[int, ...], Battle]


def battle(pos: Position, attacker: Stack, defender: Stack, here: Hex, cache: Cache) -> Battle:
    """The odds of one stack attacking another in a hex (O9)."""
    key = (
        attacker.strength, defender.strength, attack_bonus(pos, attacker), defence_bonus(pos, defender),
        initiative(pos, attacker), initiative(pos, defender), is_mountain(pos, here),
    )  # fmt: skip
    found = cache.get(key)
    if found is None:
        found = cache[key] = _fight(pos, msgspec.structs.replace(attacker, hex=here), defender)
    return found


def _fight(pos: Position, attacker: Stack, defender: Stack) -> Battle:
    mine, theirs = attacker.strength, defender.strength
    ratio = ratio_of(mine, theirs)
    if ratio >= 400:
        return Battle(0.0, float(theirs), 1.0, 0.0)
    if ratio < 25:
        return Battle(float(mine), 0.0, 0.0, 1.0)
    results = [_one_die(pos, attacker, defender, ratio, die) for die in DICE]
    means = [sum(column) / len(results) for column in zip(*results, strict=True)]
    return Battle(*means)


def _one_die(pos: Position, attacker: Stack, defender: Stack, ratio: int, die: int) -> tuple[float, ...]:
    mine, theirs = attacker.strength, defender.strength
    percents = losses_in_percent(pos, ratio, modified(pos, attacker, defender, die))
    lost, killed = percent_of(percents[0], mine), percent_of(percents[1], theirs)
    ahead = killed + initiative(pos, attacker) - lost - initiative(pos, defender)
    if ahead > 0:
        return float(lost), float(min(theirs, killed + ahead)), 1.0, 0.0
    return float(min(mine, lost - ahead)), float(killed), 0.0, float(ahead < 0)


def siege_chance(pos: Position, camp: Stack, garrison: Stack) -> float:
    """How probably one roll takes a fortress (O13.2)."""
    added = sum(siege_modifiers(pos, camp, garrison))
    return sum(siege_result(pos, die + added) in ("honours", "surrender") for die in DICE) / 6
