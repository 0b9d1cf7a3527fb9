"""The numbers of powers and leaders, and bags: strength points by power, packed into one integer (O2.1, O2.3).

Sixteen bits a power: bags add and subtract like numbers, and their sum is the remainder modulo 65,535.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NewType, TypeAlias, cast

from leuthen.engine.choice import Token

PowerId = NewType("PowerId", int)
"""The number of a power or a nation, in the order in which the rule set names them."""
as_power: Final = cast("Callable[[Token], PowerId]", int)
"""The power that was chosen."""
LeaderId = NewType("LeaderId", int)
"""The number of a leader, or of a wagon, in the order of the data."""
NO_LEADER: Final = LeaderId(-1)
as_leader: Final = cast("Callable[[Token], LeaderId]", int)
"""The leader who was chosen."""
Bag: TypeAlias = int

EMPTY: Bag = 0
NO_BOUND: Final = 999
"""The upper bound of a strength of which nothing is known."""
_BITS = 16
_MASK = 0xFFFF
ALL_SP: Final = _MASK
"""The remainder of a bag by this number is the sum of its SP."""


def bag(power: PowerId, points: int) -> Bag:
    """The bag that holds `points` SP of one power."""
    return points << _BITS * power


def all_of(powers: Iterable[PowerId]) -> Bag:
    """The bag whose common bits with another are what that has of these powers."""
    return sum(bag(power, _MASK) for power in powers)


def of(sp: Bag, power: PowerId) -> int:
    """How many SP of `power` the bag holds."""
    return sp >> _BITS * power & _MASK


def total(sp: Bag) -> int:
    """All SP of the bag together."""
    return sp % ALL_SP


def powers(sp: Bag) -> Iterator[PowerId]:
    """The powers that have SP in the bag, in the order of C1.1."""
    power: Any = 0  # no call, because bags are gone through by the million
    while sp > 0:
        if sp & _MASK:
            yield power
        sp >>= _BITS
        power += 1


def is_mixed(sp: Bag) -> bool:
    """Whether the bag holds SP of more than one power."""
    return len(by_power(sp)) > 1


@lru_cache(maxsize=8192)
def by_power(sp: Bag) -> tuple[tuple[PowerId, int], ...]:
    """The SP of a bag as pairs of power and number, in the order of C1.1."""
    return tuple([(power, of(sp, power)) for power in powers(sp)])


def largest(sp: Bag) -> PowerId:
    """The power with most SP in the bag; equal: the first in the order of C1.1. The bag is not empty."""
    top = sp.bit_length() - 1 >> 4
    if sp >> _BITS * top << _BITS * top == sp:
        return PowerId(top)
    return max(powers(sp), key=lambda power: (of(sp, power), -power))


def lose(sp: Bag, points: int) -> Bag:
    """What `points` losses take out of the bag: one at a time from the power with most SP left in it (O2.9)."""
    if not sp or points <= 0:
        return EMPTY
    top = sp.bit_length() - 1 >> 4
    if sp >> _BITS * top << _BITS * top == sp:
        return min(points, total(sp)) << _BITS * top
    left = sp
    for _ in range(min(points, total(sp))):
        left -= bag(largest(left), 1)
    return sp - left


def common(sp: Bag, other: Bag) -> Bag:
    """The most that both bags hold, power by power."""
    return sum(bag(power, min(of(sp, power), of(other, power))) for power in powers(sp))
