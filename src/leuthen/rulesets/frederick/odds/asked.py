"""What may be asked of the odds, worked out for what is known of the enemy.

`line.py` reads what is asked for; `screen/odds_sheet.py` shows what comes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER, OwnerId, Side, as_side
from leuthen.rulesets.frederick.model.events.grand import DiplomacyRolled, Modifiers
from leuthen.rulesets.frederick.model.state import Draft, Position, Stack
from leuthen.rulesets.frederick.odds import dice
from leuthen.rulesets.frederick.odds.battle import BattleOdds, Spread, battle_band, with_strength
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import diplomacy_modifiers
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import PowerId


class Fight(msgspec.Struct, frozen=True):
    """A battle in a hex, as `us` (0: the attacker, 1: the defender) asks for it; `foe` is the enemy, with his band."""

    stacks: tuple[Stack, Stack]
    us: Side
    band: Mapping[int, BattleOdds]
    retreats: tuple[Spread, Spread]
    """How many hexes each would retreat if beaten; 0: it would have to surrender (O9.7)."""

    @property
    def foe(self) -> Stack:
        """The enemy's stack."""
        return self.stacks[OTHER[self.us]]


class SiegeQuestion(msgspec.Struct, frozen=True):
    """A siege roll: the odds, and the garrisons with which they hold, from the weakest; the last holds for more too."""

    camp: Stack
    garrison: Stack
    rows: tuple[tuple[dice.SiegeOdds, tuple[int, ...]], ...]
    is_open: bool
    """Whether the garrison may be stronger than the last row says, with the same odds."""


class Overwhelming(msgspec.Struct, frozen=True):
    """An overwhelming attack in a hex."""

    hex: Hex
    odds: dice.OverwhelmOdds


class MarchQuestion(msgspec.Struct, frozen=True):
    """The movement points of a force by the die of the phase and in a force march, as far as they are asked.

    If its path ends at an enemy in the field, what may come of that.
    """

    force: Stack
    plain: dice.MarchOdds | None = None
    forced: dice.MarchOdds | None = None
    overwhelming: Overwhelming | None = None
    fight: Fight | None = None


class Recovery(msgspec.Struct, frozen=True):
    """The recovery of a demoralized stack."""

    stack: Stack
    chance: Fraction


class Attrition(msgspec.Struct, frozen=True):
    """A roll for attrition."""

    stack: Stack
    loss: Spread


class Courting(msgspec.Struct, frozen=True):
    """What a minor power may do with these modifiers: join Prussia, Austria, nobody."""

    power: PowerId
    points: tuple[int, int]
    chances: tuple[Fraction, Fraction, Fraction]
    modifiers: Modifiers
    rolls: tuple[DiplomacyRolled, ...]


class Diplomacy(msgspec.Struct, frozen=True):
    """The powers that roll for their allegiance."""

    powers: tuple[Courting, ...]


Asked: TypeAlias = Fight | SiegeQuestion | Overwhelming | MarchQuestion | Recovery | Attrition | Diplomacy


def with_force(pos: Position, force: Stack) -> Position:
    """The position if a force stood in its hex, in place of the field stack there."""
    draft = Draft(pos)
    draft.put(force)
    draft.touched.clear()
    return draft


def facing(pos: Position, side: OwnerId, here: Hex) -> tuple[Stack, Stack]:
    """A side's field stack in a hex, and the enemy's. Raises Invalid if one has no SP."""
    mine, theirs = pos.field(here, side), pos.field(here, OTHER[side])
    if theirs is None or not theirs.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(here)}")
    if mine is None or not mine.sp:
        raise Invalid(f"you have no field stack at {hex_name(here)}: name a force behind the hex, a leader and +SP")
    return mine, theirs


def fight_at(pos: Position, side: Side, here: Hex, *, attacking: bool) -> Fight:
    """A battle of two field stacks, as `side` asks for it. Raises Invalid if there are none."""
    mine, theirs = facing(pos, side, here)
    band = battle_band(pos, side if attacking else OTHER[side], here, OTHER[side], theirs.low, theirs.high)
    stacks = (mine, theirs) if attacking else (theirs, mine)
    return Fight(
        stacks, 0 if attacking else 1, band, (dice.retreat_odds(pos, stacks[0]), dice.retreat_odds(pos, stacks[1]))
    )


def fight_of(pos: Position, force: Stack) -> Fight:
    """The attack of a force on the enemy in the hex where it is thought to stand. Raises Invalid."""
    return fight_at(with_force(pos, force), as_side(force.side), force.hex, attacking=True)


def siege_at(pos: Position, side: Side, here: Hex) -> SiegeQuestion:
    """A siege roll of a side in a hex. Raises Invalid if there is nobody to besiege."""
    camp, garrison = pos.field(here, side), pos.inside(here, OTHER[side])
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise Invalid(f"a siege at {hex_name(here)} needs a field stack of yours and an enemy garrison (O13.1)")
    last = min(garrison.high, camp.strength + 1)
    found: dict[tuple[tuple[str, Fraction], ...], tuple[dice.SiegeOdds, list[int]]] = {}
    for points in range(min(garrison.low, last), last + 1):
        odds = dice.siege_odds(with_strength(pos, garrison, points), side, here)
        found.setdefault(odds.results, (odds, []))[1].append(points)
    rows = tuple((odds, tuple(points)) for odds, points in found.values())
    return SiegeQuestion(camp, garrison, rows, last < garrison.high)


def overwhelming_of(pos: Position, force: Stack) -> Overwhelming:
    """An overwhelming attack of a force on the enemy field stack in its hex. Raises Invalid if there is none."""
    enemy = pos.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(force.hex)}")
    return Overwhelming(force.hex, dice.overwhelm_odds(pos, force, enemy, enemy.low, enemy.high))


def courting(pos: Position, power: PowerId, prussian: int, austrian: int) -> Courting:
    """What a minor power may do with these Diplomacy Points on it."""
    points = prussian, austrian
    chances, rolls = dice.diplomacy_odds(pos, power, *points), dice.diplomacy_rolls(pos, power, *points)
    return Courting(power, points, chances, diplomacy_modifiers(pos, power, *points), rolls)
