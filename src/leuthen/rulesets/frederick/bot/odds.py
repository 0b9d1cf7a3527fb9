"""What a battle or a siege is likely to bring: the engine itself fights it in thought, with every die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from leuthen.rulesets.frederick.model.events.fighting import BattleFought, Overwhelmed
from leuthen.rulesets.frederick.model.state import Draft, Position, Stack
from leuthen.rulesets.frederick.odds.battle import told, unfold
from leuthen.rulesets.frederick.rules.o05_march.walk import initiative
from leuthen.rulesets.frederick.rules.o09_combat.combat import (
    BattleRoll,
    attack_bonus,
    defence_bonus,
    is_mountain,
    open_battle,
)
from leuthen.rulesets.frederick.rules.o13_siege import siege_modifiers, siege_result
from leuthen.wargame.board import Hex

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
        found = cache[key] = _fight(pos, attacker, defender, here)
    return found


def _fight(pos: Position, attacker: Stack, defender: Stack, here: Hex) -> Battle:
    """Lets the engine fight it with every die."""
    draft = Draft(pos)
    draft.frames = ()
    draft.set_moving(None)
    for stack in (attacker, defender):
        draft.put(msgspec.structs.replace(stack, hex=here, inside=False))
    open_battle(draft, attacker.side, here)
    crushed = told(draft, Overwhelmed)
    if crushed:
        won = crushed[0].side == attacker.side
        return Battle(0.0 if won else attacker.strength, defender.strength if won else 0.0, float(won), float(not won))
    return _mean([told(end, BattleFought)[0] for _, end in unfold(draft, (BattleRoll,))])


def _mean(fights: Sequence[BattleFought]) -> Battle:
    lost, killed, won, beaten = 0, 0, 0, 0
    for fight in fights:
        wins, loses = fight.winner == fight.side, fight.winner == 1 - fight.side
        lost += fight.losses[0] + fight.prisoners * loses
        killed += fight.losses[1] + fight.prisoners * wins
        won, beaten = won + wins, beaten + loses
    return Battle(lost / len(fights), killed / len(fights), won / len(fights), beaten / len(fights))


def siege_chance(pos: Position, camp: Stack, garrison: Stack, known: dict[int, float]) -> float:
    """How probably one roll takes a fortress (O13.2); `known` by what is added to the die."""
    added = sum(siege_modifiers(pos, camp, garrison))
    found = known.get(added)
    if found is None:
        found = sum(siege_result(pos, die + added) in ("honours", "surrender") for die in DICE) / 6
        known[added] = found
    return found
