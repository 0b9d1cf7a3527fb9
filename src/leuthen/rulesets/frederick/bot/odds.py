"""What a battle or a siege is likely to bring: the rules are asked what every die brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from leuthen.engine.ruleset import OTHER, OwnerId
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o09_combat import (
    Result,
    attack_bonus,
    crushed_by,
    defence_bonus,
    is_mountain,
    result_of,
)
from leuthen.rulesets.frederick.rules.o13_siege import siege_modifiers, siege_result
from leuthen.wargame.board import Hex

DICE: Final = range(1, 7)


class Battle(NamedTuple):
    """Mean losses with prisoners, and how probably each side wins."""

    attacker_loss: float
    defender_loss: float
    attacker_wins: float
    defender_wins: float

    def gain(self, attackers: int, defenders: int, rout: float) -> float:
        """What the attacker gains by it on the whole, in SP; `rout`: what it is worth to win, a part of the beaten."""
        driven_off = rout * (self.attacker_wins * defenders - self.defender_wins * attackers)
        return self.defender_loss - self.attacker_loss + driven_off


Cache = dict[tuple[int, ...], Battle]


def battle(pos: Position, attacker: Stack, defender: Stack, here: Hex, cache: Cache) -> Battle:
    """The odds of one stack attacking another in a hex (O9)."""
    key = (
        attacker.strength, defender.strength, attack_bonus(pos, attacker), defence_bonus(pos, defender),
        initiative(pos, attacker), initiative(pos, defender), is_mountain(pos, here),
    )  # fmt: skip
    found = cache.get(key)
    if found is None:
        found = cache[key] = _fight(pos, attacker, defender, here)
    return found


def _fight(pos: Position, attacker: Stack, defender: Stack, here: Hex) -> Battle:
    """What the rules make of it with every die."""
    crushed = crushed_by(attacker.strength, defender.strength)
    if crushed is not None:
        lost = 0.0 if crushed else attacker.strength, defender.strength if crushed else 0.0
        return Battle(*lost, float(crushed), float(not crushed))
    return _mean(attacker.side, [result_of(pos, attacker, defender, here, die) for die in DICE])


def _mean(side: OwnerId, results: Sequence[Result]) -> Battle:
    lost, killed, won, beaten = 0, 0, 0, 0
    for result in results:
        wins, loses = result.winner == side, result.winner == OTHER[side]
        lost += result.losses[0] + result.prisoners * loses
        killed += result.losses[1] + result.prisoners * wins
        won, beaten = won + wins, beaten + loses
    return Battle(lost / len(results), killed / len(results), won / len(results), beaten / len(results))


def siege_chance(pos: Position, camp: Stack, garrison: Stack, known: dict[int, float]) -> float:
    """How probably one roll takes a fortress (O13.2); `known` by what is added to the die."""
    added = sum(siege_modifiers(pos, camp, garrison))
    found = known.get(added)
    if found is None:
        found = sum(siege_result(pos, die + added) in ("honours", "surrender") for die in DICE) / 6
        known[added] = found
    return found
