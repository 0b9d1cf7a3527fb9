"""Reads what a line asks of the odds: attack, defend, siege, overwhelm, march, morale, attrition, diplomacy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import OTHER, Side, as_side
from leuthen.rulesets.frederick.knowledge.view import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.stacks import locate, make_stack
from leuthen.rulesets.frederick.model.state import SIDES, Position, Stack, presence
from leuthen.rulesets.frederick.odds import asked
from leuthen.rulesets.frederick.odds.dice import attrition_odds, force_march_odds, march_odds, recovery_odds
from leuthen.rulesets.frederick.orders.notation import LEG
from leuthen.rulesets.frederick.orders.words import BANG, Reader
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import is_rolled
from leuthen.rulesets.frederick.rules.o09_combat.combat import CombatPhase
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase
from leuthen.wargame.board import Hex, hex_name, hexes_of
from leuthen.wargame.grammar import Given
from leuthen.wargame.line_reader import begin
from leuthen.wargame.strength import LeaderId


def ask_odds(data: GameData, view: View, text: str) -> tuple[Position, asked.Asked]:
    """What `text` asks, worked out in the position as it is seen. Raises Invalid or Ambiguous."""
    ask, words = begin(text, TOPICS, "question of odds")
    if view.viewer not in SIDES:
        raise Invalid("only a side is told odds")
    pos = complete_view(data, view, AT_LEAST)
    return pos, ask(pos, Reader(data, pos, as_side(view.viewer), words))


def asked_hexes(pos: Position, side: Side) -> list[Hex]:
    """Return the hexes of the question being asked: where an attack or a siege may be declared, where a force is."""
    if pos.moving is not None:
        return [pos.moving.hex]
    frame = pos.frames[-1] if pos.frames else None
    camps, (field, inside) = presence(pos)[side][0], presence(pos)[OTHER[side]]
    met = field if isinstance(frame, CombatPhase) else inside if isinstance(frame, SiegePhase) else 0
    return list(hexes_of(camps & met))


def _place(pos: Position, line: Reader) -> Hex:
    """Read a hex; without one, return that of the question being asked. Raises Invalid or Ambiguous."""
    found = [] if line.words else asked_hexes(pos, line.actor)
    if len(found) > 1:
        raise Ambiguous(f"name a hex: {', '.join(map(hex_name, found))}")
    return found[0] if found else line.hex()


def _attack(pos: Position, line: Reader) -> asked.Fight:
    here = _place(pos, line)
    if line.words:
        pos = asked.with_force(pos, _named_force(pos, line, here))
    return asked.fight_at(pos, line.actor, here, attacking=True)


def _defend(pos: Position, line: Reader) -> asked.Fight:
    here = _place(pos, line)
    line.end()
    return asked.fight_at(pos, line.actor, here, attacking=False)


def _named_force(pos: Position, line: Reader, here: Hex) -> Stack:
    """A force by its leaders and SP, thought to stand in a hex; without SP, all that its leaders may take along."""
    leaders, counts = line.force()
    line.end()
    own = line.power_of(leaders[0]) if leaders else line.major
    stack = locate(pos, leaders[0]) if leaders else None
    most = line.led(stack.sp, leaders) if stack is not None else 0
    sp = line.strength(counts, own, most) if counts else most
    return make_stack(pos, here, line.actor, False, sp, tuple(leaders))


def _siege(pos: Position, line: Reader) -> asked.SiegeQuestion:
    here = _place(pos, line)
    line.end()
    return asked.siege_at(pos, line.actor, here)


def _overwhelm(pos: Position, line: Reader) -> asked.Overwhelming:
    here = _place(pos, line)
    if line.words:
        pos = asked.with_force(pos, _named_force(pos, line, here))
    mine, _ = asked.facing(pos, line.actor, here)
    return asked.overwhelming_of(pos, mine)


def _march(pos: Position, line: Reader) -> asked.MarchQuestion:
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
    march = asked.MarchQuestion(force, march_odds(pos, force), force_march_odds(pos, force))
    enemy = pos.field(force.hex, OTHER[line.actor])
    if not (path and enemy is not None and enemy.sp and sp):
        return march
    tried = asked.overwhelming_of(pos, force) if overwhelm else None
    return msgspec.structs.replace(march, overwhelming=tried, fight=asked.fight_of(pos, force))


def _go(pos: Position, line: Reader) -> asked.Fight:
    force = pos.moving
    if force is None or force.side != line.actor:
        raise Invalid("no force of yours is on the march")
    path = _path(line)
    return asked.fight_of(pos, msgspec.structs.replace(force, hex=path[-1] if path else force.hex))


def _path(line: Reader, leader: LeaderId | None = None) -> tuple[Hex, ...]:
    """The rest of a line: a path, perhaps with the mark of an overwhelming attack."""
    given: Given = {} if leader is None else {"leader": leader}
    for part in LEG:
        part.read(line, given)
    path: tuple[Hex, ...] = given["path"]
    return path


def _own_stack(pos: Position, line: Reader) -> Stack:
    """A stack of the asker, by a leader in it or by its hex."""
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


def _recovery(pos: Position, line: Reader) -> asked.Recovery:
    stack = _own_stack(pos, line)
    return asked.Recovery(stack, recovery_odds(pos, stack))


def _attrition(pos: Position, line: Reader) -> asked.Attrition:
    stack = _own_stack(pos, line)
    if not stack.sp:
        raise Invalid("leaders alone do not roll for attrition (O10.12)")
    return asked.Attrition(stack, attrition_odds(pos, stack))


def _diplomacy(pos: Position, line: Reader) -> asked.Diplomacy:
    """`diplomacy France 1 2`: with Prussian and Austrian Diplomacy Points; without a power, all that roll."""
    chosen = [line.power()] if line.words else [power for power in MINORS if is_rolled(pos, power)]
    if set(chosen) - set(MINORS):
        raise Invalid("Diplomacy Points go to minor powers (C5.1)")
    points = [line.number("a number of Diplomacy Points") if line.words else 0 for _ in SIDES]
    line.end()
    return asked.Diplomacy(tuple(asked.courting(pos, power, points[0], points[1]) for power in chosen))


TOPICS: Final[Mapping[str, Callable[[Position, Reader], asked.Asked]]] = {
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
