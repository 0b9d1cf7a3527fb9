"""R12.1: a battle in progress: its two sides, their leaders and TP, and the splits of losses (R1.2, R12.6, V6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Self

import msgspec

from leuthen.engine.choice import Script, Slot
from leuthen.engine.decision import refuse_with
from leuthen.engine.ruleset import SIDES, Side
from leuthen.rulesets.campaigns.model.actions import Lose
from leuthen.rulesets.campaigns.model.forces import commander, nations_in, percent_of, strength, troops_at
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, bag, lose, of


class Account(msgspec.Struct, frozen=True, gc=False):
    """A leader in a battle: TP at the start of the count, losses since, and whether he is broken (V6.1, V6.4)."""

    leader: LeaderId
    start: int
    lost: int = 0
    broken: bool = False


Split = tuple[int, ...]


def legal_splits(accounts: Sequence[Account], now: Sequence[int], points: int) -> list[Split]:
    """Return the legal splits of `points` over leaders with `now` TP (V6.1).

    Each leader's total is the floor or ceiling of his share of all losses so far; among these splits, his part of this
    round's losses is too, if possible. If no such split exists, points go one by one to the leader furthest below his
    share.
    """
    points = min(points, sum(now))
    whole = sum(account.start for account in accounts)
    total = points + sum(account.lost for account in accounts)
    ranges = []
    for account, there in zip(accounts, now, strict=True):
        values = {n - account.lost for n in _around(total * account.start, whole)}
        ranges.append(sorted(n for n in values if 0 <= n <= there))
    found = [split for split in product(*ranges) if sum(split) == points]
    if not found:
        one_by_one = [0] * len(accounts)
        for _ in range(points):
            open_ = [n for n in range(len(accounts)) if one_by_one[n] < now[n]]
            lost = [account.lost + more for account, more in zip(accounts, one_by_one, strict=True)]
            one_by_one[max(open_, key=lambda n: (total * accounts[n].start - whole * lost[n], -n))] += 1
        return [tuple(one_by_one)]
    close = [
        split
        for split in found
        if all(n in _around(points * a.start, whole) for n, a in zip(split, accounts, strict=True))
    ]
    return close or found


def free_splits(now: Sequence[int], points: int) -> list[Split]:
    """Return all splits of `points` over leaders with `now` TP: the owner chooses freely (R9.7, R12.6)."""
    if not now:
        return [()] if not points else []
    return [(n, *rest) for n in range(min(now[0], points) + 1) for rest in free_splits(now[1:], points - n)]


def _around(numerator: int, denominator: int) -> tuple[int, int]:
    """Return floor and ceiling of a fraction."""
    return numerator // denominator, -(-numerator // denominator)


def largest_remainder(parts: Sequence[int], points: int) -> Split:
    """Return `points` in proportion to `parts`; the rest goes to the largest remainders, on a tie to the first."""
    whole = sum(parts)
    if not whole:
        return tuple(0 for _ in parts)
    shares = [points * part // whole for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda n: (-(points * parts[n] % whole), n))
    for n in by_remainder[: points - sum(shares)]:
        shares[n] += 1
    return tuple(shares)


def part_of(tp: Bag, points: int) -> Bag:
    """Return `points` of these TP, by nation in proportion."""
    nations = nations_in(tp)
    shares = largest_remainder([of(tp, nation) for nation in nations], points)
    return sum(bag(nation, share) for nation, share in zip(nations, shares, strict=True))


def default_split(splits: Sequence[Split], accounts: Sequence[Account], points: int) -> Split:
    """Return the split by the largest remainder if it is legal, otherwise the first."""
    lost = points + sum(account.lost for account in accounts)
    whole = largest_remainder([account.start for account in accounts], lost)
    split = tuple(n - account.lost for n, account in zip(whole, accounts, strict=True))
    return split if split in splits else splits[0]


def values_in(splits: Sequence[Split], chosen: Sequence[int]) -> list[int]:
    place = len(chosen)
    return sorted({split[place] for split in splits if split[:place] == tuple(chosen)})


def ask_shares(
    pos: Position,
    rule: str,
    leaders: Sequence[LeaderId],
    wanted: Split,
    values_after: Callable[[Sequence[int]], list[int]],
) -> Script[Lose]:
    """Ask for the TP that each leader loses, with `wanted` as the first choice."""
    chosen: list[int] = []
    for number, leader in enumerate(leaders):
        values = values_after(chosen)
        best = wanted[number] if wanted[number] in values else values[0]
        canon = [best, *(value for value in values if value != best)]
        refuse = refuse_with(rule, "{} TP is not the right share for {}", pos.leader(leader).name)
        chosen.append(int((yield Slot("points", values, refuse, index=number, canon=canon))))
    return Lose(tuple(chosen))


class Combatant(msgspec.Struct, frozen=True, gc=False):
    """One side of a battle.

    `began`: its TP at the start; `lost`: all its losses, `fallen` by nation; `hit`: those of this round. `share`: per
    cent engaged. `broke`: the commander has broken. `roll`: the loss from its combat roll of this round, -1 before.
    """

    commander: LeaderId
    accounts: tuple[Account, ...]
    began: int
    lost: int = 0
    fallen: Bag = EMPTY
    hit: int = 0
    share: int = 0
    concentrated: bool = False
    intense: bool = False
    broke: bool = False
    roll: int = -1


class Fight(Decision):
    """A battle in progress (R12.1). `stage`: the next one; `retreating`: the side that leaves, else -1."""

    hex: Hex
    attacker: Side
    how: str
    came: Hex = NOWHERE
    crossed: bool = False
    round: int = 1
    stage: str = "join"
    hosts: tuple[Combatant, Combatant] | None = None
    retreating: int = -1

    def fighters(self) -> Iterable[LeaderId]:
        return [account.leader for host in self.hosts or () for account in host.accounts]

    def after_removal(self, pos: Position) -> Self | None:
        """End the battle without a winner when all leaders of one side have left the map (R17.5)."""
        if self.hosts is None:
            return self if all(troops_at(pos, self.hex, side, False) for side in SIDES) else None
        hosts = (_host_left(pos, self.hosts[0]), _host_left(pos, self.hosts[1]))
        return None if None in hosts else self.with_values({"hosts": hosts})


def _host_left(pos: Position, host: Combatant) -> Combatant | None:
    """Return a side without leaders who have left the map; the commander may change (R2.2)."""
    accounts = tuple(account for account in host.accounts if account.leader in pos.units)
    if len(accounts) == len(host.accounts):
        return host
    if host.commander in pos.units:
        return msgspec.structs.replace(host, accounts=accounts)
    chief = commander(pos, [pos.units[account.leader] for account in accounts])
    return msgspec.structs.replace(host, accounts=accounts, commander=chief, broke=False) if chief >= 0 else None


def current(pos: Position) -> Fight:
    return next(frame for frame in reversed(pos.frames) if isinstance(frame, Fight))


def revise(draft: Draft, **values: object) -> Fight:
    battle = msgspec.structs.replace(current(draft), **values)
    place = max(n for n, frame in enumerate(draft.frames) if isinstance(frame, Fight))
    draft.frames = (*draft.frames[:place], battle, *draft.frames[place + 1 :])
    return battle


def hosts_of(battle: Fight) -> tuple[Combatant, Combatant]:
    assert battle.hosts is not None
    return battle.hosts


def revise_host(draft: Draft, side: Side, **values: object) -> Combatant:
    hosts = list(hosts_of(current(draft)))
    hosts[side] = msgspec.structs.replace(hosts[side], **values)
    revise(draft, hosts=(hosts[0], hosts[1]))
    return hosts[side]


def all_of(pos: Position, battle: Fight, side: Side) -> list[Unit]:
    return [
        pos.units[account.leader]
        for account in hosts_of(battle)[side].accounts
        if account.leader in pos.units and pos.units[account.leader].hex == battle.hex
    ]


def unbroken_units(pos: Position, battle: Fight, side: Side) -> list[Unit]:
    """Return the units of a side that are still committed (V6.4)."""
    broken = [account.leader for account in hosts_of(battle)[side].accounts if account.broken]
    return [unit for unit in all_of(pos, battle, side) if unit.number not in broken]


def all_tp(pos: Position, battle: Fight, side: Side) -> int:
    return strength(all_of(pos, battle, side))


def committed_tp(pos: Position, battle: Fight, side: Side) -> int:
    """Return the engaged TP of the units that are still committed (R12.3)."""
    return percent_of(hosts_of(battle)[side].share, strength(unbroken_units(pos, battle, side)))


def take_tp(draft: Draft, number: LeaderId, points: int) -> Bag:
    """Take TP from a unit, and return them by nation."""
    unit = draft.units[number]
    part = lose(unit.tp, points) if draft.data.is_wagon(number) else bag(draft.leader(number).nation, points)
    if points:
        draft.change(number, tp=unit.tp - part)
    return part
