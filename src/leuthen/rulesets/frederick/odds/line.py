"""Questions about odds as a line: attack, defend, siege, overwhelm, march, morale, attrition, diplomacy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import OTHER, OwnerId, Side, as_side
from leuthen.rulesets.frederick.knowledge.view import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.events import DiplomacyRolled, Modifiers
from leuthen.rulesets.frederick.model.pieces import SIDES, Stack
from leuthen.rulesets.frederick.model.stacks import locate, make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, presence
from leuthen.rulesets.frederick.odds import dice
from leuthen.rulesets.frederick.odds.battle import BattleOdds, Spread, battle_band, with_strength
from leuthen.rulesets.frederick.odds.dice import attrition_odds, force_march_odds, march_odds, recovery_odds
from leuthen.rulesets.frederick.orders.notation import LEG
from leuthen.rulesets.frederick.orders.words import BANG, Reader
from leuthen.rulesets.frederick.rules.c05_diplomacy import diplomacy_modifiers, is_rolled
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase
from leuthen.wargame.board import Hex, hex_name, hexes_of
from leuthen.wargame.grammar import Given, begin
from leuthen.wargame.strength import LeaderId, PowerId


class Fight(msgspec.Struct, frozen=True):
    """A battle in a hex, as `us` (0: the attacker, 1: the defender) asks for it; `foe` is the enemy, with his band."""

    stacks: tuple[Stack, Stack]
    us: Side
    band: Mapping[int, BattleOdds]
    retreats: tuple[Spread, Spread]
    """Hexes that each would retreat if beaten; 0: it would have to surrender (O9.7)."""

    @property
    def foe(self) -> Stack:
        return self.stacks[OTHER[self.us]]


class SiegeQuestion(msgspec.Struct, frozen=True):
    """A siege roll: the odds, each with its garrisons, from the weakest; the last holds for stronger ones too."""

    camp: Stack
    garrison: Stack
    rows: tuple[tuple[dice.SiegeOdds, tuple[int, ...]], ...]
    is_open: bool
    """The garrison may be stronger than in the last row, with the same odds."""


class Overwhelming(msgspec.Struct, frozen=True):
    hex: Hex
    odds: dice.OverwhelmOdds


class MarchQuestion(msgspec.Struct, frozen=True):
    """The movement points of a force by the die of the phase and in a force march, as asked.

    If its path ends at an enemy in the field, also the odds of an attack there.
    """

    force: Stack
    plain: dice.MarchOdds | None = None
    forced: dice.MarchOdds | None = None
    overwhelming: Overwhelming | None = None
    fight: Fight | None = None


class Recovery(msgspec.Struct, frozen=True):
    stack: Stack
    chance: Fraction


class Attrition(msgspec.Struct, frozen=True):
    stack: Stack
    loss: Spread


class Courting(msgspec.Struct, frozen=True):
    """The odds of a minor power with these modifiers: joining Prussia, Austria, none."""

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
    """Return the position with a force in its hex, in place of the field stack there."""
    draft = Draft(pos)
    draft.put(force)
    draft.touched.clear()
    return draft


def facing(pos: Position, side: OwnerId, here: Hex) -> tuple[Stack, Stack]:
    """Return a side's field stack in a hex, and the enemy's. Raises Invalid if one has no SP."""
    mine, theirs = pos.field(here, side), pos.field(here, OTHER[side])
    if theirs is None or not theirs.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(here)}")
    if mine is None or not mine.sp:
        raise Invalid(f"you have no field stack at {hex_name(here)}: name a force behind the hex, a leader and +SP")
    return mine, theirs


def fight_at(pos: Position, side: Side, here: Hex, *, attacking: bool) -> Fight:
    """Return a battle of two field stacks, as `side` asks for it. Raises Invalid without them."""
    mine, theirs = facing(pos, side, here)
    band = battle_band(pos, side if attacking else OTHER[side], here, OTHER[side], theirs.low, theirs.high)
    first, second = stacks = (mine, theirs) if attacking else (theirs, mine)
    retreats = dice.retreat_odds(pos, first), dice.retreat_odds(pos, second)
    return Fight(stacks, 0 if attacking else 1, band, retreats)


def fight_of(pos: Position, force: Stack) -> Fight:
    """Return the attack of a force on the enemy in its assumed hex. Raises Invalid."""
    return fight_at(with_force(pos, force), as_side(force.side), force.hex, attacking=True)


def siege_at(pos: Position, side: Side, here: Hex) -> SiegeQuestion:
    """Return a siege roll of a side in a hex. Raises Invalid without a garrison to besiege."""
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
    """Return an overwhelming attack on the enemy field stack in the force's hex. Raises Invalid without one."""
    enemy = pos.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(force.hex)}")
    return Overwhelming(force.hex, dice.overwhelm_odds(pos, force, enemy, enemy.low, enemy.high))


def courting(pos: Position, power: PowerId, prussian: int, austrian: int) -> Courting:
    """Return the odds of a minor power with these Diplomacy Points on it."""
    points = prussian, austrian
    chances, rolls = dice.diplomacy_odds(pos, power, *points), dice.diplomacy_rolls(pos, power, *points)
    return Courting(power, points, chances, diplomacy_modifiers(pos, power, *points), rolls)


def ask_odds(data: GameData, view: View, text: str) -> tuple[Position, Asked]:
    """Return the answer to `text`, computed in the position as it is seen. Raises Invalid or Ambiguous."""
    ask, words = begin(text, TOPICS, "question of odds")
    if view.viewer not in SIDES:
        raise Invalid("only a side is told odds")
    pos = complete_view(data, view, AT_LEAST)
    return pos, ask(pos, Reader(data, pos, as_side(view.viewer), words))


def asked_hexes(pos: Position, side: Side) -> list[Hex]:
    """Return the hexes of the question being asked: possible attacks or sieges, or the place of the force under way."""
    if pos.moving is not None:
        return [pos.moving.hex]
    frame = pos.frames[-1] if pos.frames else None
    camps, (field, inside) = presence(pos)[side][0], presence(pos)[OTHER[side]]
    met = field if isinstance(frame, CombatPhase) else inside if isinstance(frame, SiegePhase) else 0
    return list(hexes_of(camps & met))


def _place(pos: Position, line: Reader) -> Hex:
    found = [] if line.words else asked_hexes(pos, line.actor)
    if len(found) > 1:
        raise Ambiguous(f"name a hex: {', '.join(map(hex_name, found))}")
    return found[0] if found else line.hex()


def _facing_at(pos: Position, line: Reader) -> tuple[Position, Hex]:
    """Read a hex, and perhaps a force assumed to be there; return the position with that force. Raises Invalid."""
    here = _place(pos, line)
    return with_force(pos, _named_force(pos, line, here)) if line.words else pos, here


def _attack(pos: Position, line: Reader) -> Fight:
    pos, here = _facing_at(pos, line)
    return fight_at(pos, line.actor, here, attacking=True)


def _defend(pos: Position, line: Reader) -> Fight:
    here = _place(pos, line)
    line.end()
    return fight_at(pos, line.actor, here, attacking=False)


def _named_force(pos: Position, line: Reader, here: Hex) -> Stack:
    """Read a force by its leaders and SP; without SP, all that its leaders may take along."""
    leaders, counts = line.force()
    line.end()
    own = line.power_of(leaders[0]) if leaders else line.major
    stack = locate(pos, leaders[0]) if leaders else None
    most = line.led(stack.sp, leaders) if stack is not None else 0
    sp = line.strength(counts, own, most) if counts else most
    return make_stack(pos, here, line.actor, False, sp, tuple(leaders))


def _siege(pos: Position, line: Reader) -> SiegeQuestion:
    here = _place(pos, line)
    line.end()
    return siege_at(pos, line.actor, here)


def _overwhelm(pos: Position, line: Reader) -> Overwhelming:
    pos, here = _facing_at(pos, line)
    return overwhelming_of(pos, facing(pos, line.actor, here)[0])


def _march(pos: Position, line: Reader) -> MarchQuestion:
    overwhelm = bool(line.words) and line.words[-1].endswith(BANG)
    leader = line.leader()
    stack = locate(pos, leader)
    if stack is None:
        raise Invalid(f"{pos.leader(leader).name} is not on the map")
    companions, counts = line.force(stack.leaders, own=line.power_of(leader))
    leaders = (leader, *companions)
    most = line.led(stack.sp, leaders)
    sp = line.strength(counts, line.power_of(leader), most) if counts else most
    path = _path(line, leader=leader)
    force = make_stack(pos, path[-1] if path else stack.hex, line.actor, False, sp, leaders, stack)
    march = MarchQuestion(force, march_odds(pos, force), force_march_odds(pos, force))
    enemy = pos.field(force.hex, OTHER[line.actor])
    if not (path and enemy is not None and enemy.sp and sp):
        return march
    tried = overwhelming_of(pos, force) if overwhelm else None
    return msgspec.structs.replace(march, overwhelming=tried, fight=fight_of(pos, force))


def _go(pos: Position, line: Reader) -> Fight:
    force = pos.moving
    if force is None or force.side != line.actor:
        raise Invalid("no force of yours is on the march")
    path = _path(line)
    return fight_of(pos, msgspec.structs.replace(force, hex=path[-1] if path else force.hex))


def _path(line: Reader, leader: LeaderId | None = None) -> tuple[Hex, ...]:
    given: Given = {} if leader is None else {"leader": leader}
    for part in LEG:
        part.read(line, given)
    path: tuple[Hex, ...] = given["path"]
    return path


def _own_stack(pos: Position, line: Reader) -> Stack:
    leader = line.maybe_unit(line.likely())
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
    chosen = [line.power()] if line.words else [power for power in MINORS if is_rolled(pos, power)]
    if set(chosen) - set(MINORS):
        raise Invalid("Diplomacy Points go to minor powers (C5.1)")
    points = [line.number("a number of Diplomacy Points") if line.words else 0 for _ in SIDES]
    line.end()
    return Diplomacy(tuple(courting(pos, power, points[0], points[1]) for power in chosen))


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
