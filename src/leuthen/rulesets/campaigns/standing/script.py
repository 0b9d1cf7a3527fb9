"""Which clauses a side may give: asked slot by slot, as an action is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final

from leuthen.engine.choice import STOP, Script, Slot, Token
from leuthen.engine.refusal import Refusal
from leuthen.engine.standing import Clause
from leuthen.rulesets.campaigns.model.forces import held_back, is_friendly
from leuthen.rulesets.campaigns.model.state import HUNGRY, Position, Unit
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION
from leuthen.rulesets.campaigns.rules.r07_reaction.reaction import companions_for, ways_to
from leuthen.rulesets.campaigns.standing.clauses import (
    ALL,
    ANY,
    ATTACK,
    GO,
    INSIDE,
    NEVER,
    NONE,
    THESE,
    AttackClause,
    BreakOffClause,
    ConcentrateClause,
    FeedClause,
    HoldClause,
    IgnoreClause,
    JoinClause,
    LossesClause,
    ReactClause,
    ShareClause,
)
from leuthen.wargame.board import Hex, hex_name, hexes_of

KINDS: Final = ("hold", "ignore", "react", "share", "attack", "join", "concentrate", "break-off", "losses", "feed")
STEP: Final = 5
"""Odds and losses are named in steps of so many per cent."""
Asked = Generator[Slot, Token, tuple[int, ...]]


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


def clause_script(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    """A clause of a side. `foes` are the enemy leaders whom it sees."""
    kinds = [kind for kind in KINDS if kind != "react" or able(pos, side)]
    kind = yield Slot("do", kinds, lambda token: Refusal("R7.1", "nobody of yours could react"))
    make = _SCRIPTS[str(kind)]
    return (yield from make(pos, side, foes))


def able(pos: Position, side: int) -> list[int]:
    """The leaders who may be told to react."""
    return [n for n, unit in pos.units.items() if not _why_not_lead(pos, unit, side)]


def _why_not_lead(pos: Position, unit: Unit, side: int) -> Refusal | None:
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


def _react(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    def why(token: Token) -> Refusal:
        unit = pos.units.get(token) if isinstance(token, int) else None
        if unit is None:
            return Refusal("R7.2", "{} is not on the map", (_name(pos, token),))
        return _why_not_lead(pos, unit, side) or Refusal("R7.2", "not he")

    barred = [n for n, unit in pos.units.items() if pos.side(n) == side and unit.tp]
    leader = int((yield Slot("leader", able(pos, side), why, refused=lambda: barred)))
    others = [n for n in companions_for(pos, leader, side) if not _is_unsound(pos, n)]
    companions = yield from _list(
        "companions", sorted(others), lambda token: Refusal("R7.2", "{} cannot come along", (_name(pos, token),))
    )
    way = str((yield Slot("way", (ATTACK, GO, INSIDE), lambda token: Refusal("R7.4", "attack, to or inside"))))
    goals: tuple[int, ...] = ()
    if way != ATTACK:
        goals = yield from _goals(pos, leader, side, inside=way == INSIDE)
    movers = yield from _movers(pos, foes)
    hexes = yield from _hexes(pos, reacts_at(pos, leader, side), "R7.1", f"more than {REACTION} MP from him")
    within = int((yield Slot("within", tuple(range(REACTION, 0, -1)), lambda token: Refusal("R7.1", "1 to 3 MP"))))
    least, most = yield from _strength()
    odds = (yield from _odds()) if way == ATTACK else 0
    return ReactClause(
        leader=leader, companions=companions, way=way, goals=goals, movers=movers, hexes=hexes, within=within,
        least=least, most=most, odds=odds,
    )  # fmt: skip


def _is_unsound(pos: Position, number: int) -> bool:
    return not pos.data.is_wagon(number) and why_unsound(pos, pos.units[number]) is not None


def _name(pos: Position, token: Token) -> str:
    known = isinstance(token, int) and 0 <= token < len(pos.data.leaders)
    return pos.data.leaders[int(token)].name if known else str(token)


def reacts_at(pos: Position, leader: int, side: int) -> list[Hex]:
    """The hexes in which a mover is so near to a leader that he may react (R7.1)."""
    here = pos.units[leader].hex
    near = pos.data.board.reach(here, REACTION)
    return sorted(there for there in near if here in ways_to(pos, there, side))


def _goals(pos: Position, leader: int, side: int, *, inside: bool) -> Asked:
    """The hexes to which a reaction may lead (R7.4), in the order in which they are tried."""
    near = pos.data.board.reach(pos.units[leader].hex, REACTION)
    strongholds = {there for there in near if is_friendly(pos, there, side) and pos.data.kind_at(there).inside}
    left, chosen = sorted(strongholds if inside else near), list[int]()

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
        chosen.append(int(token))
        left = [there for there in left if there != token]


def _place(pos: Position, token: Token) -> str:
    return hex_name(token) if isinstance(token, int) and token in pos.data.board.terrain else str(token)


def _list(name: str, members: Sequence[int], why: Callable[[Token], Refusal]) -> Asked:
    """Any of these in their order, or nobody."""
    left, chosen = list(members), list[int]()
    while True:
        token = yield Slot(name, [STOP, *left], why, index=len(chosen), canon=[STOP, *left[:1]])
        if token == STOP:
            return tuple(chosen)
        chosen.append(int(token))
        left = left[left.index(int(token)) + 1 :]


def _movers(pos: Position, foes: Sequence[int]) -> Asked:
    """Against whom: nobody named, anybody."""
    why = "{} is no enemy leader whom you see"
    return _list("movers", sorted(foes), lambda token: Refusal("R7.1", why, (_name(pos, token),)))


def _hexes(pos: Position, members: Sequence[Hex], rule: str, why: str) -> Asked:
    """In which hexes: none named, any."""
    return _list("hexes", sorted(members), lambda token: Refusal(rule, "{} is {}", (_place(pos, token), why)))


def _strength() -> Generator[Slot, Token, tuple[int, int]]:
    least = int((yield Slot("least", range(ANY), lambda token: _no_tp(token, 0, ANY - 1), canon=(0,))))
    first = max(1, least)
    most = yield Slot("most", range(first, ANY + 1), lambda token: _no_tp(token, first, ANY), canon=(ANY,))
    return least, int(most)


def _no_tp(token: Token, least: int, most: int) -> Refusal:
    return Refusal("R7.1", "{} is no number of TP from {} to {}", (token, least, most))


def _odds() -> Generator[Slot, Token, int]:
    values = range(0, 101, STEP)
    return int((yield Slot("odds", values, lambda token: Refusal("R12.1", "0 to 100, by fives"), canon=(0,))))


def _ignore(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    movers = yield from _movers(pos, foes)
    near = {there for leader in _field(pos, side) for there in reacts_at(pos, leader, side)}
    hexes = yield from _hexes(pos, sorted(near), "R7.1", f"more than {REACTION} MP from all of yours")
    least, most = yield from _strength()
    return IgnoreClause(movers=movers, hexes=hexes, least=least, most=most)


def _field(pos: Position, side: int) -> list[int]:
    return [n for n, unit in pos.units.items() if unit.tp and not unit.inside and pos.side(n) == side]


def _meeting(pos: Position, side: int, foes: Sequence[int]) -> Generator[Slot, Token, dict[str, tuple[int, ...]]]:
    movers = yield from _movers(pos, foes)
    own = sorted(hexes_of(pos.census.fields[side]))
    hexes = yield from _hexes(pos, own, "R6.1", "without field TP of yours")
    return {"movers": movers, "hexes": hexes}


def _attack(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    where = yield from _meeting(pos, side, foes)
    least, most = yield from _strength()
    odds = yield from _odds()
    return AttackClause(**where, least=least, most=most, odds=odds)


def _share(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    where = yield from _meeting(pos, side, foes)
    least, most = yield from _strength()
    return ShareClause(**where, least=least, most=most)


def _join(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    leaders = [
        n for n, unit in pos.units.items()
        if unit.tp and unit.inside and pos.side(n) == side and not pos.data.is_wagon(n)
    ]  # fmt: skip
    kinds = (NONE, ALL, *([THESE] if leaders else []))
    who = str((yield Slot("who", kinds, lambda token: Refusal("R6.3", "nobody of yours is inside"))))
    if who != THESE:
        return JoinClause(who=who)
    first = int((yield Slot("leaders", leaders, lambda token: _not_inside(pos, token), index=0)))
    later = leaders[leaders.index(first) + 1 :]
    chosen = [first]
    while True:
        token = yield Slot("leaders", [STOP, *later], lambda token: _not_inside(pos, token), index=len(chosen))
        if token == STOP:
            return JoinClause(who=who, leaders=tuple(chosen))
        chosen.append(int(token))
        later = later[later.index(int(token)) + 1 :]


def _not_inside(pos: Position, token: Token) -> Refusal:
    return Refusal("R6.3", "{} is not inside with TP", (_name(pos, token),))


def _concentrate(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    first = yield Slot("concentrate", (0, 1), lambda token: Refusal("R12.2", "yes or no"))
    second = (0,) if pos.options.einhorn else (0, 1)
    rule = "V1" if pos.options.einhorn else "R12.2"
    intense = yield Slot("intense", second, lambda token: Refusal(rule, "there is no high intensity"))
    return ConcentrateClause(concentrate=bool(first), intense=bool(intense))


def _break_off(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    values = (*range(0, 101, STEP), NEVER)
    at = yield Slot("at", values, lambda token: Refusal("R12.8", "0 to 100 per cent, by fives, or never"))
    return BreakOffClause(at=int(at))


def _feed(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    feed = yield Slot("feed", (0, 1), lambda token: Refusal("R9.7", "always, or never"))
    return FeedClause(feed=bool(feed))


def _losses(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    yield from ()
    return LossesClause()


def _hold(pos: Position, side: int, foes: Sequence[int]) -> Script[Clause]:
    yield from ()
    return HoldClause()


_SCRIPTS: Final = {
    "react": _react,
    "ignore": _ignore,
    "attack": _attack,
    "share": _share,
    "join": _join,
    "concentrate": _concentrate,
    "break-off": _break_off,
    "feed": _feed,
    "losses": _losses,
    "hold": _hold,
}
