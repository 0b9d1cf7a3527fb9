"""What a line asks of the odds, worked out: attack, defend, siege, overwhelm, march, morale, attrition, diplomacy.

The terminal tells it as text (`oddstext`), a table as a sheet (`oddssheet`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, TypeAlias

import msgspec

from leuthen.core.board import Hex, hex_name
from leuthen.core.refusal import Ambiguous, Invalid
from leuthen.frederick.events.grand import Modifiers
from leuthen.frederick.gamedata import MINORS, GameData
from leuthen.frederick.odds import (
    BattleOdds,
    MarchOdds,
    OverwhelmOdds,
    SiegeOdds,
    Spread,
    as_seen,
    attrition_odds,
    battle_band,
    diplomacy_odds,
    force_march_odds,
    march_odds,
    overwhelm_odds,
    recovery_odds,
    siege_odds,
    with_strength,
)
from leuthen.frederick.rules.diplomacy import diplomacy_modifiers, is_rolled
from leuthen.frederick.stacks import locate, make_stack
from leuthen.frederick.state import SIDES, Draft, Position, Stack
from leuthen.frederick.view import View
from leuthen.frederick.words import BANG, Reader


class Fight(msgspec.Struct, frozen=True):
    """A battle in a hex, as `us` (0: the attacker, 1: the defender) asks for it; `foe` is the enemy, with his band."""

    stacks: tuple[Stack, Stack]
    us: int
    band: Mapping[int, BattleOdds]

    @property
    def foe(self) -> Stack:
        """The enemy's stack."""
        return self.stacks[1 - self.us]


class Siege(msgspec.Struct, frozen=True):
    """A siege roll: the odds, and the garrisons with which they hold, from the weakest; the last holds for more too."""

    camp: Stack
    garrison: Stack
    rows: tuple[tuple[SiegeOdds, tuple[int, ...]], ...]
    is_open: bool
    """Whether the garrison may be stronger than the last row says, with the same odds."""


class Overwhelming(msgspec.Struct, frozen=True):
    """An overwhelming attack in a hex."""

    hex: Hex
    odds: OverwhelmOdds


class March(msgspec.Struct, frozen=True):
    """The movement points of a force by the die of the phase and in a force march, as far as they are asked.

    If its path ends at an enemy in the field, what may come of that.
    """

    force: Stack
    plain: MarchOdds | None = None
    forced: MarchOdds | None = None
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

    power: int
    points: tuple[int, int]
    chances: tuple[Fraction, Fraction, Fraction]
    modifiers: Modifiers


class Diplomacy(msgspec.Struct, frozen=True):
    """The powers that roll for their allegiance."""

    powers: tuple[Courting, ...]


Asked: TypeAlias = Fight | Siege | Overwhelming | March | Recovery | Attrition | Diplomacy


def ask_odds(data: GameData, view: View, text: str) -> tuple[Position, Asked]:
    """What `text` asks, worked out in the position as it is seen. Raises Invalid or Ambiguous."""
    verb, *words = text.split() or [""]
    if view.viewer not in SIDES:
        raise Invalid("odds are told to a side")
    pos = as_seen(data, view)
    return pos, TOPICS[_topic(verb)](pos, Reader(data, pos, view.viewer, words))


def _topic(verb: str) -> str:
    found = [word for word in TOPICS if word.startswith(verb.casefold())] if verb else []
    if verb in TOPICS:
        return verb
    if not found:
        raise Invalid(f"odds of what? {', '.join(TOPICS)}")
    if len(found) > 1:
        raise Ambiguous(f"«{verb}» may be {', '.join(found)}")
    return found[0]


def _attack(pos: Position, line: Reader) -> Fight:
    here = line.hex()
    if line.words:
        pos = _with_force(pos, _named_force(pos, line, here))
    return fight_at(pos, line.actor, here, attacking=True)


def _defend(pos: Position, line: Reader) -> Fight:
    here = line.hex()
    line.end()
    return fight_at(pos, line.actor, here, attacking=False)


def _named_force(pos: Position, line: Reader, here: Hex) -> Stack:
    """A force by its leaders and SP, thought to stand in a hex; without SP, all that its leaders may take along."""
    leaders, counts = line.force()
    line.end()
    own = line.power_of(leaders[0]) if leaders else line.major
    stack = locate(pos, leaders[0]) if leaders else None
    most = line.led(stack.sp, leaders) if stack is not None else 0
    sp = line.strength(counts, own, most) if counts else most
    return make_stack(pos, here, line.actor, False, sp, tuple(leaders))


def _with_force(pos: Position, force: Stack) -> Position:
    draft = Draft(pos)
    draft.put(force)
    draft.touched.clear()
    return draft


def _pair(pos: Position, side: int, here: Hex) -> tuple[Stack, Stack]:
    mine, theirs = pos.field(here, side), pos.field(here, 1 - side)
    if theirs is None or not theirs.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(here)}")
    if mine is None or not mine.sp:
        raise Invalid(f"you have no field stack at {hex_name(here)}: name a force behind the hex, a leader and +SP")
    return mine, theirs


def fight_at(pos: Position, side: int, here: Hex, *, attacking: bool) -> Fight:
    """A battle of two field stacks, as `side` asks for it. Raises Invalid if there are none."""
    mine, theirs = _pair(pos, side, here)
    band = battle_band(pos, side if attacking else 1 - side, here, theirs.side, theirs.low, theirs.high)
    return Fight((mine, theirs) if attacking else (theirs, mine), 0 if attacking else 1, band)


def fight_of(pos: Position, force: Stack) -> Fight:
    """The attack of a force on the enemy in the hex where it is thought to stand. Raises Invalid."""
    return fight_at(_with_force(pos, force), force.side, force.hex, attacking=True)


def _siege(pos: Position, line: Reader) -> Siege:
    here = line.hex()
    line.end()
    return siege_at(pos, line.actor, here)


def siege_at(pos: Position, side: int, here: Hex) -> Siege:
    """A siege roll of a side in a hex. Raises Invalid if there is nobody to besiege."""
    camp, garrison = pos.field(here, side), pos.inside(here, 1 - side)
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise Invalid(f"a siege at {hex_name(here)} needs a field stack of yours and an enemy garrison (O13.1)")
    last = min(garrison.high, camp.strength + 1)
    found: dict[tuple[tuple[str, Fraction], ...], tuple[SiegeOdds, list[int]]] = {}
    for points in range(min(garrison.low, last), last + 1):
        odds = siege_odds(with_strength(pos, garrison, points), side, here)
        found.setdefault(odds.results, (odds, []))[1].append(points)
    rows = tuple((odds, tuple(points)) for odds, points in found.values())
    return Siege(camp, garrison, rows, last < garrison.high)


def _overwhelm(pos: Position, line: Reader) -> Overwhelming:
    here = line.hex()
    if line.words:
        pos = _with_force(pos, _named_force(pos, line, here))
    mine, _ = _pair(pos, line.actor, here)
    return overwhelming_of(pos, mine)


def overwhelming_of(pos: Position, force: Stack) -> Overwhelming:
    """An overwhelming attack of a force on the enemy field stack in its hex. Raises Invalid if there is none."""
    enemy = pos.field(force.hex, 1 - force.side)
    if enemy is None or not enemy.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(force.hex)}")
    return Overwhelming(force.hex, overwhelm_odds(pos, force, enemy, enemy.low, enemy.high))


def _march(pos: Position, line: Reader) -> March:
    overwhelm = bool(line.words) and line.words[-1].endswith(BANG)
    leader = line.leader()
    stack = locate(pos, leader)
    if stack is None:
        raise Invalid(f"{pos.leader(leader).name} is not on the map")
    companions, counts = line.force(stack.leaders, own=line.power_of(leader))
    leaders = (leader, *companions)
    most = line.led(stack.sp, leaders)
    sp = line.strength(counts, line.power_of(leader), most) if counts else most
    path, _ = line.leg(stack.hex)
    force = make_stack(pos, path[-1] if path else stack.hex, line.actor, False, sp, leaders, stack)
    march = March(force, march_odds(pos, force), force_march_odds(pos, force))
    enemy = pos.field(force.hex, 1 - line.actor)
    if not (path and enemy is not None and enemy.sp and sp):
        return march
    tried = overwhelming_of(pos, force) if overwhelm else None
    return msgspec.structs.replace(march, overwhelming=tried, fight=fight_of(pos, force))


def _go(pos: Position, line: Reader) -> Fight:
    force = pos.moving
    if force is None or force.side != line.actor:
        raise Invalid("no force of yours is on the march")
    path, _ = line.leg(force.hex)
    return fight_of(pos, msgspec.structs.replace(force, hex=path[-1] if path else force.hex))


def _own_stack(pos: Position, line: Reader) -> Stack:
    """A stack of the asker, by a leader in it or by its hex."""
    leader = line.maybe_leader(line.comrades())
    if leader is not None:
        stack = locate(pos, leader)
    else:
        here = line.hex()
        inside = line.has("inside")
        stack = line.source(here, inside) or (line.source(here, True) if not inside else None)
    line.end()
    if stack is None or stack.side != line.actor:
        raise Invalid("you have no stack there")
    return stack


def _recovery(pos: Position, line: Reader) -> Recovery:
    stack = _own_stack(pos, line)
    return Recovery(stack, recovery_odds(pos, stack))


def _attrition(pos: Position, line: Reader) -> Attrition:
    stack = _own_stack(pos, line)
    if not stack.sp:
        raise Invalid("leaders alone do not roll for attrition (O10.12)")
    return Attrition(stack, attrition_odds(pos, stack))


def _diplomacy(pos: Position, line: Reader) -> Diplomacy:
    """`diplomacy France 1 2`: with Prussian and Austrian Diplomacy Points; without a power, all that roll."""
    chosen = [line.power()] if line.words else [power for power in MINORS if is_rolled(pos, power)]
    if set(chosen) - set(MINORS):
        raise Invalid("Diplomacy Points go to minor powers (C5.1)")
    points = [line.number("a number of Diplomacy Points") if line.words else 0 for _ in SIDES]
    line.end()
    return Diplomacy(tuple(courting(pos, power, points[0], points[1]) for power in chosen))


def courting(pos: Position, power: int, prussian: int, austrian: int) -> Courting:
    """What a minor power may do with these Diplomacy Points on it."""
    chances = diplomacy_odds(pos, power, prussian, austrian)
    return Courting(power, (prussian, austrian), chances, diplomacy_modifiers(pos, power, prussian, austrian))


TOPICS: Final[Mapping[str, Callable[[Position, Reader], Asked]]] = {
    "attack": _attack,
    "defend": _defend,
    "siege": _siege,
    "besiege": _siege,
    "overwhelm": _overwhelm,
    "march": _march,
    "go": _go,
    "morale": _recovery,
    "recover": _recovery,
    "attrition": _attrition,
    "diplomacy": _diplomacy,
    "envoys": _diplomacy,
}
