"""Numbers of powers and leaders, and bags: strength points by power, packed into an integer (O2.1, O2.3).

Each power has sixteen bits: bags add and subtract like numbers, and the remainder modulo 65,535 is their sum.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NewType, TypeAlias, cast

from leuthen.engine.choice import Token

PowerId = NewType("PowerId", int)  # the number of a power or a nation, in the rule set's order
as_power: Final = cast("Callable[[Token], PowerId]", int)  # the power of a chosen token
LeaderId = NewType("LeaderId", int)  # the number of a leader or a wagon, in the order of the data
NO_LEADER: Final = LeaderId(-1)
as_leader: Final = cast("Callable[[Token], LeaderId]", int)  # the leader of a chosen token
Bag: TypeAlias = int

EMPTY: Bag = 0
NO_BOUND: Final = 999  # the upper bound of an unknown strength
_BITS = 16
_MASK = 0xFFFF
ALL_SP: Final = _MASK  # a bag modulo this number is the sum of its SP


def bag(power: PowerId, points: int) -> Bag:
    """Return a bag with SP of one power."""
    return points << _BITS * power


def all_of(powers: Iterable[PowerId]) -> Bag:
    """Return a mask that selects the SP of some powers from a bag."""
    return sum(bag(power, _MASK) for power in powers)


def of(sp: Bag, power: PowerId) -> int:
    return sp >> _BITS * power & _MASK


def total(sp: Bag) -> int:
    return sp % ALL_SP


def powers(sp: Bag) -> Iterator[PowerId]:
    """Yield the powers with SP in a bag, in the order of C1.1."""
    power: Any = 0  # no call, because bags are gone through by the million
    while sp > 0:
        if sp & _MASK:
            yield power
        sp >>= _BITS
        power += 1


def is_mixed(sp: Bag) -> bool:
    return len(by_power(sp)) > 1


@lru_cache(maxsize=8192)
def by_power(sp: Bag) -> tuple[tuple[PowerId, int], ...]:
    """Return the SP of a bag by power, in the order of C1.1."""
    return tuple([(power, of(sp, power)) for power in powers(sp)])


def largest(sp: Bag) -> PowerId:
    """Return the power with most SP in a bag that is not empty; ties: the first in the order of C1.1."""
    top = sp.bit_length() - 1 >> 4
    if sp >> _BITS * top << _BITS * top == sp:
        return PowerId(top)
    return max(powers(sp), key=lambda power: (of(sp, power), -power))


def lose(sp: Bag, points: int) -> Bag:
    """Return the SP lost from a bag: one at a time from the power with most SP left (O2.9)."""
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
    """Return the SP that both bags hold, power by power."""
    return sum(bag(power, min(of(sp, power), of(other, power))) for power in powers(sp))
