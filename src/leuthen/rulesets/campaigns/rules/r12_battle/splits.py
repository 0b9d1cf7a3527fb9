"""R1.2, R12.6, V6.1: how losses are spread over the leaders of a side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import msgspec

from leuthen.engine.choice import Refusal, Token
from leuthen.wargame.strength import LeaderId


class Account(msgspec.Struct, frozen=True, gc=False):
    """A leader in a battle: his TP when the count began, what he has lost since, whether he is broken (V6.1, V6.4)."""

    leader: LeaderId
    start: int
    lost: int = 0
    broken: bool = False


Split = tuple[int, ...]


def legal_splits(accounts: Sequence[Account], now: Sequence[int], points: int) -> list[Split]:
    """The splits of `points` over leaders with `now` TP that are allowed (V6.1).

    Each leader's total is the floor or the ceiling of his share of all losses so far; where that leaves a choice, so
    is his part of this round's. If no such split is left, points go one by one to whoever is furthest below his share.
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
        return [_one_by_one(accounts, now, points, total, whole)]
    close = [
        split
        for split in found
        if all(n in _around(points * a.start, whole) for n, a in zip(split, accounts, strict=True))
    ]
    return close or found


def free_splits(now: Sequence[int], points: int) -> list[Split]:
    """All splits of `points` over leaders with `now` TP: the owner spreads them as he likes (R9.7, R12.6)."""
    if not now:
        return [()] if not points else []
    return [(n, *rest) for n in range(min(now[0], points) + 1) for rest in free_splits(now[1:], points - n)]


def _around(numerator: int, denominator: int) -> tuple[int, int]:
    """Floor and ceiling of a fraction."""
    return numerator // denominator, -(-numerator // denominator)


def _one_by_one(accounts: Sequence[Account], now: Sequence[int], points: int, total: int, whole: int) -> Split:
    split = [0] * len(accounts)
    for _ in range(points):
        open_ = [n for n in range(len(accounts)) if split[n] < now[n]]
        n = max(open_, key=lambda n: (total * accounts[n].start - whole * (accounts[n].lost + split[n]), -n))
        split[n] += 1
    return tuple(split)


def largest_remainder(parts: Sequence[int], points: int) -> Split:
    """`points` in proportion to `parts`: what is left over goes where the remainder is largest, first those first."""
    whole = sum(parts)
    if not whole:
        return tuple(0 for _ in parts)
    shares = [points * part // whole for part in parts]
    order = sorted(range(len(parts)), key=lambda n: (-(points * parts[n] % whole), n))
    for n in order[: points - sum(shares)]:
        shares[n] += 1
    return tuple(shares)


def default_split(splits: Sequence[Split], accounts: Sequence[Account], points: int) -> Split:
    """The split by the largest remainder, if it is allowed; else the first."""
    lost = points + sum(account.lost for account in accounts)
    whole = largest_remainder([account.start for account in accounts], lost)
    split = tuple(n - account.lost for n, account in zip(whole, accounts, strict=True))
    return split if split in splits else splits[0]


def not_the_share(rule: str, name: str) -> Callable[[Token], Refusal]:
    """The refusal of a number of TP that a leader cannot lose."""
    return lambda token: Refusal(rule, "{} TP is not the share of {}", (token, name))


def charge(accounts: Sequence[Account], split: Sequence[int]) -> tuple[Account, ...]:
    """The accounts after these losses."""
    return tuple(
        msgspec.structs.replace(account, lost=account.lost + points)
        for account, points in zip(accounts, split, strict=True)
    )
