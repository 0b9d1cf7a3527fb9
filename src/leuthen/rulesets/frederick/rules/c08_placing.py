"""C2, C8, C11.1: questions of every action that puts troops on the map."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from typing import TypeGuard

from leuthen.engine.choice import STOP, Refusal, Slot, Token
from leuthen.engine.decision import never
from leuthen.rulesets.frederick.model.state import Position
from leuthen.wargame.board import Hex, as_hex
from leuthen.wargame.strength import LeaderId, PowerId, as_leader


def is_leader(token: Token, pos: Position) -> TypeGuard[LeaderId]:
    return isinstance(token, int) and 0 <= token < len(pos.data.leaders)


def is_power(token: Token, pos: Position) -> TypeGuard[PowerId]:
    return isinstance(token, int) and 0 <= token < len(pos.data.powers)


def counts_down(left: int) -> Callable[[Token], str]:
    """Return the price function "N left" for taking some of `left`."""
    return lambda token: f"{left - int(token)} left"


def pick_leaders(
    pos: Position, pool: Sequence[int], *, must: bool, rule: str
) -> Generator[Slot, Token, tuple[LeaderId, ...]]:
    """Ask for leaders of `pool`, in ascending order; at least one if `must`.

    Iteration tries no leader, each alone, and the first few of the pool.
    """
    left, chosen = tuple(pool), list[LeaderId]()
    refuse = partial(_no_such_newcomer, pos, pool, rule, chosen)
    while True:
        values = left if must and not chosen else (*left, STOP)
        first = chosen == list(pool[: len(chosen)])
        canon = values if not chosen else (*(left[:1] if first else ()), STOP)
        token = yield Slot("leaders", values, refuse, index=len(chosen), canon=canon)
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_leader(token))
        left = left[left.index(int(token)) + 1 :]


def _no_such_newcomer(
    pos: Position, pool: Sequence[int], rule: str, chosen: Sequence[LeaderId], token: Token
) -> Refusal:
    if token == STOP:
        return Refusal(rule, "somebody has to be named: a leader, or strength points")
    if not is_leader(token, pos):
        return Refusal("O2.2", "there is no such leader")
    if token in chosen:
        return Refusal(rule, "{} is named already", (pos.leader(token).name,))
    if token in pool:
        return Refusal(rule, "name {} before {}", (pos.leader(token).name, pos.leader(chosen[-1]).name))
    return Refusal(rule, "{} is not to be placed now", (pos.leader(token).name,))


def pick_points(power: PowerId, least: int, most: int, rule: str, what: str) -> Generator[Slot, Token, int]:
    """Ask for a number of SP of a power, from `least` to `most`."""

    def refuse(token: Token) -> Refusal:
        if isinstance(token, int) and token > most:
            return Refusal(rule, "only {} SP {}", (most, what))
        return Refusal(rule, "at least {} SP are expected", (least,))

    canon, values = sorted({least, most}), range(least, most + 1)
    return int((yield Slot("sp", values, refuse, index=power, canon=canon, price=counts_down(most))))


def pick_some(rule: str, reason: str, most: int, left: int) -> Generator[Slot, Token, int]:
    """Ask how many SP of one kind go of those `left` to go: at least one, at most `most`."""
    most = min(left, most)
    refuse, canon = never(rule, reason, most), sorted({1, most})
    return int((yield Slot("points", range(1, most + 1), refuse, canon=canon, price=counts_down(left))))


def pick_fortress(
    pos: Position, places: Iterable[Hex], refuse: Callable[[Token], Refusal]
) -> Generator[Slot, Token, Hex]:
    """Ask for one of some fortress hexes."""
    return as_hex((yield Slot("hex", tuple(places), refuse, refused=lambda: sorted(pos.data.fortresses))))


def pick_inside(here: Hex, is_fortress: bool, rule: str, *, outside: bool = True) -> Generator[Slot, Token, bool]:
    """Ask whether they go inside; only a fortress has an inside."""

    def refuse(token: Token) -> Refusal:
        if is_fortress:
            return Refusal(rule, "the fortress is besieged: whoever arrives goes inside", (), here)
        return Refusal(rule, "there is no friendly fortress to go inside", (), here)

    values = ((0, 1) if outside else (1,)) if is_fortress else (0,)
    return bool((yield Slot("inside", values, refuse)))
