"""A list whose older part lies packed is a list like any other."""

from __future__ import annotations

from random import Random

import pytest

from leuthen.play.packed import PART, Packed


@pytest.mark.parametrize("seed", range(20))
def test_it_holds_what_a_list_holds(seed: int) -> None:
    rng, plain, packed = Random(seed), list[int](), Packed[int]()
    for _ in range(60):
        deed = rng.randrange(6)
        some = range(rng.randrange(2 * PART))
        if deed < 3:
            plain.extend(some)
            packed.extend(some)
        elif deed == 3:
            left = max(0, len(plain) - rng.choice((0, 1, PART, 3 * PART)))
            del plain[left:], packed[left:]
        elif deed == 4:
            packed.shut()
        elif plain:
            at = len(plain) - 1 - rng.randrange(min(len(plain), 2 * PART))
            del plain[at], packed[at]
        assert len(packed) == len(plain)
    first, last = sorted(rng.randrange(-len(plain) - 9, len(plain) + 9) for _ in range(2))
    assert packed == plain
    assert packed[first:last] == plain[first:last]
    assert [packed[at] for at in range(-len(plain), len(plain))] == plain + plain
    assert list(reversed(packed)) == plain[::-1]
    with pytest.raises(IndexError):
        packed[len(plain)]


def test_a_copy_goes_its_own_way() -> None:
    one = Packed(range(5 * PART))
    other = one.copy()
    del other[PART + 1 :]
    one.append(0)
    assert one[:] == [*range(5 * PART), 0]
    assert other[:] == list(range(PART + 1))
