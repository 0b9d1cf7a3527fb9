"""What is asked for a clause, slot by slot, as for an action."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Final, TypeVar

from leuthen.engine.choice import STOP, Refusal, Slot, Token
from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.forces import held_back, is_friendly
from leuthen.rulesets.campaigns.model.state import HUNGRY, Position, Unit
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION
from leuthen.rulesets.campaigns.rules.r07_reaction.reaction import companions_for, ways_to
from leuthen.rulesets.campaigns.standing.parts import ANY
from leuthen.wargame.board import Hex, as_hex, chosen_hex, hex_name
from leuthen.wargame.strength import LeaderId, as_leader

STEP: Final = 5
"""Odds and losses are named in steps of so many per cent."""
N = TypeVar("N", bound=int)
"""Leaders, or hexes."""
AskedLeaders = Generator[Slot, Token, tuple[LeaderId, ...]]
AskedHexes = Generator[Slot, Token, tuple[Hex, ...]]


def why_unsound(pos: Position, unit: Unit) -> Refusal | None:
    """What keeps a leader from being relied on, or None: an instruction that names him is then in force no longer."""
    name = pos.leader(unit.number).name
    if not unit.tp:
        return Refusal("R7.2", "{} leads no TP", (name,), unit.hex)
    if unit.shaken or unit.daunted:
        return Refusal("V8.2" if pos.options.einhorn else "R13.3", "{} is demoralized", (name,), unit.hex)
    if unit.fodder == HUNGRY or unit.hunger:
        return Refusal("V3.5" if pos.options.einhorn else "R9.8", "{} is out of supply", (name,), unit.hex)
    return None


def able(pos: Position, side: Side) -> list[LeaderId]:
    """The leaders who may be told to react."""
    return [n for n, unit in pos.units.items() if not _why_not_lead(pos, unit, side)]


def _why_not_lead(pos: Position, unit: Unit, side: Side) -> Refusal | None:
    name = pos.leader(unit.number).name
    if pos.side(unit.number) != side or pos.data.is_wagon(unit.number):
        return Refusal("R7.2", "{} is no leader of yours", (name,), unit.hex)
    if refusal := why_unsound(pos, unit):
        return refusal
    if unit.inside:
        return Refusal("R7.2", "{} is inside, and does not react", (name,), unit.hex)
    if held_back(pos, unit.number):
        return Refusal("R18.2", "{} does not react yet", (name,), unit.hex)
    return None


def ask_leader(pos: Position, side: Side) -> Generator[Slot, Token, LeaderId]:
    """Who reacts."""

    def why(token: Token) -> Refusal:
        unit = pos.chosen(token)
        if unit is None:
            return Refusal("R7.2", "{} is not on the map", (_name(pos, token),))
        return _why_not_lead(pos, unit, side) or Refusal("R7.2", "not he")

    barred = [n for n, unit in pos.units.items() if pos.side(n) == side and unit.tp]
    return as_leader((yield Slot("leader", able(pos, side), why, refused=lambda: barred)))


def ask_companions(pos: Position, leader: LeaderId, side: Side) -> AskedLeaders:
    """Who goes with him."""
    others = [n for n in companions_for(pos, leader, side) if not _is_unsound(pos, n)]
    why = "{} cannot come along"
    return _list("companions", sorted(others), lambda token: Refusal("R7.2", why, (_name(pos, token),)))


def _is_unsound(pos: Position, number: LeaderId) -> bool:
    return not pos.data.is_wagon(number) and why_unsound(pos, pos.units[number]) is not None


def _name(pos: Position, token: Token) -> str:
    known = isinstance(token, int) and 0 <= token < len(pos.data.leaders)
    return pos.data.leaders[int(token)].name if known else str(token)


def reacts_at(pos: Position, leader: LeaderId, side: Side) -> list[Hex]:
    """The hexes in which a mover is so near to a leader that he may react (R7.1)."""
    key = "reacts at", leader, side
    if key not in pos.known:
        here = pos.units[leader].hex
        near = pos.data.board.reach(here, REACTION)
        pos.known[key] = sorted(there for there in near if here in ways_to(pos, there, side))
    found: list[Hex] = pos.known[key]
    return found


def ask_goals(pos: Position, leader: LeaderId, side: Side, *, inside: bool) -> AskedHexes:
    """The hexes to which a reaction may lead (R7.4), in the order in which they are tried."""
    near = pos.data.board.reach(pos.units[leader].hex, REACTION)
    strongholds = {there for there in near if is_friendly(pos, there, side) and pos.data.kind_at(there).inside}
    left, chosen = sorted(strongholds if inside else near), list[Hex]()

    def why(token: Token) -> Refusal:
        if token == STOP:
            return Refusal("R7.4", "to where? a hex is missing")
        where = f"a stronghold of yours within {REACTION} MP" if inside else f"within {REACTION} MP"
        return Refusal("R7.4", "{} is not {}", (_place(pos, token), where))

    while True:
        values: list[Token] = [*([STOP] if chosen else []), *left]
        token = yield Slot("goals", values, why, index=len(chosen), canon=values[:2])
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_hex(token))
        left = [there for there in left if there != token]


def _place(pos: Position, token: Token) -> str:
    return hex_name(here) if (here := chosen_hex(token)) in pos.data.board.terrain else str(token)


def _list(name: str, members: Sequence[N], why: Callable[[Token], Refusal]) -> Generator[Slot, Token, tuple[N, ...]]:
    """Some of these in their order, or nobody."""
    left, chosen = list(members), list[N]()
    while True:
        token = yield Slot(name, [STOP, *left], why, index=len(chosen), canon=[STOP, *left[:1]])
        if token == STOP:
            return tuple(chosen)
        chosen.append(next(member for member in left if member == token))
        left = left[left.index(chosen[-1]) + 1 :]


def ask_movers(pos: Position, foes: Sequence[LeaderId]) -> AskedLeaders:
    """Against whom: nobody named, anybody."""
    why = "{} is no enemy leader whom you see"
    return _list("movers", sorted(foes), lambda token: Refusal("R7.1", why, (_name(pos, token),)))


def ask_hexes(pos: Position, members: Iterable[Hex], rule: str, why: str) -> AskedHexes:
    """In which hexes: none named, any."""
    return _list("hexes", sorted(members), lambda t: Refusal(rule, "{} is {}", (_place(pos, t), why)))


def ask_strength() -> Generator[Slot, Token, tuple[int, int]]:
    """How strong the enemy is at least and at most."""
    least = int((yield Slot("least", range(ANY), lambda token: _no_tp(token, 0, ANY - 1), canon=(0,))))
    first = max(1, least)
    most = yield Slot("most", range(first, ANY + 1), lambda token: _no_tp(token, first, ANY), canon=(ANY,))
    return least, int(most)


def _no_tp(token: Token, least: int, most: int) -> Refusal:
    return Refusal("R7.1", "{} is no number of TP from {} to {}", (token, least, most))


def ask_odds() -> Generator[Slot, Token, int]:
    """From which odds on there is an attack, in per cent."""
    values = range(0, 101, STEP)
    return int((yield Slot("odds", values, lambda token: Refusal("R12.1", "0 to 100, by fives"), canon=(0,))))


def in_field(pos: Position, side: Side) -> list[LeaderId]:
    """The leaders with TP in the field."""
    return [n for n, unit in pos.units.items() if unit.tp and not unit.inside and pos.side(n) == side]


def inside(pos: Position, side: Side) -> list[LeaderId]:
    """The leaders with TP who are inside."""
    return [
        n for n, unit in pos.units.items()
        if unit.tp and unit.inside and pos.side(n) == side and not pos.data.is_wagon(n)
    ]  # fmt: skip


def ask_joining(pos: Position, leaders: Sequence[LeaderId]) -> AskedLeaders:
    """Which of these leaders come out: at least one."""
    left, chosen = list(leaders), list[LeaderId]()
    while True:
        values = [*([STOP] if chosen else []), *left]
        token = yield Slot("leaders", values, lambda token: _not_inside(pos, token), index=len(chosen))
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_leader(token))
        left = left[left.index(chosen[-1]) + 1 :]


def _not_inside(pos: Position, token: Token) -> Refusal:
    return Refusal("R6.3", "{} is not inside with TP", (_name(pos, token),))
