from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor
from random import Random

import pytest
from msgspec.structs import replace

from leuthen.rulesets.campaigns.rules.r12_battle.fight import Account, default_split, legal_splits
from leuthen.wargame.strength import LeaderId


def rounds(seed: int) -> Iterator[tuple[list[Account], list[int], int]]:
    rng = Random(seed)
    accounts = [Account(LeaderId(number), rng.randrange(1, 25)) for number in range(rng.randrange(1, 4))]
    for _ in range(4):
        now = [account.start - account.lost for account in accounts]
        points = rng.randrange(0, 8)
        if points > sum(now):
            return
        yield accounts, now, points
        split = rng.choice(legal_splits(accounts, now, points))
        accounts = [replace(account, lost=account.lost + lost) for account, lost in zip(accounts, split, strict=True)]


def is_near(points: int, share: Fraction) -> bool:
    return floor(share) <= points <= ceil(share)


@pytest.mark.parametrize("seed", range(60))
def test_the_splits_are_those_near_the_shares(seed: int) -> None:
    for accounts, now, points in rounds(seed):
        whole = sum(account.start for account in accounts)
        total = points + sum(account.lost for account in accounts)
        every = [split for split in product(*(range(n + 1) for n in now)) if sum(split) == points]
        fair = [
            split
            for split in every
            if all(is_near(n + a.lost, Fraction(total * a.start, whole)) for n, a in zip(split, accounts, strict=True))
        ]
        of_this_round = [
            split
            for split in fair
            if all(is_near(n, Fraction(points * a.start, whole)) for n, a in zip(split, accounts, strict=True))
        ]
        found = legal_splits(accounts, now, points)
        assert set(found) == set(of_this_round or fair or found)
        assert found[1:] == [] or fair
        assert all(sum(split) == points for split in found)


@pytest.mark.parametrize(
    ("starts", "lost", "points", "wanted"),
    [
        ((20, 5), (0, 0), 3, (2, 1)),
        ((20, 5), (2, 1), 2, (2, 0)),
        ((20, 5), (3, 0), 2, (1, 1)),
        ((10, 30), (0, 0), 2, (1, 1)),
        ((30, 10), (0, 0), 2, (2, 0)),
        ((10, 30), (0, 0), 3, (1, 2)),
        ((1, 1, 1), (0, 0, 0), 2, (1, 1, 0)),
        ((1, 1, 1), (0, 0, 1), 1, (0, 1, 0)),
        ((20, 5), (0, 3), 1, (1, 0)),
        ((20, 5), (0, 3), 3, (3, 0)),
        ((9, 9), (0, 6), 4, (4, 0)),
        ((9, 9, 9), (6, 0, 0), 3, (0, 2, 1)),
    ],
)
def test_what_is_lost_by_the_largest_remainder(
    starts: tuple[int, ...], lost: tuple[int, ...], points: int, wanted: tuple[int, ...]
) -> None:
    accounts = [Account(LeaderId(n), start, gone) for n, (start, gone) in enumerate(zip(starts, lost, strict=True))]
    now = [account.start - account.lost for account in accounts]
    assert default_split(legal_splits(accounts, now, points), accounts, points) == wanted
