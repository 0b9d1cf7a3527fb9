"""What a rule set's books must show for the laws over whole games: who there is, where, and what events say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from leuthen.wargame.strength import Bag, of, powers

Men: TypeAlias = Counter[int]
"""How many men, by nation or by side."""
Facts: TypeAlias = tuple[Any, ...]
Judge: TypeAlias = Callable[[Any, Any], Iterator[str]]
"""What is wrong with whom a decision in progress names, in a position."""


class Told(NamedTuple):
    """What the events of a step say of men: what came and what was lost, by nation or, where they do not say, by side.

    `left`: nations that have left with all they had. `halved`: nations that lost a share which the events do not name.
    """

    came: Men
    lost: Men
    side_came: Men
    side_lost: Men
    left: frozenset[int] = frozenset()
    halved: frozenset[int] = frozenset()


class Ledger(NamedTuple):
    """How to read the books of a rule set."""

    nations: int
    men: Callable[[Any], Bag]
    """All men that there are: on the map, prisoners, on their way, waiting."""
    dead: Callable[[Any], Bag] | None
    """The men lost for good, if the position keeps account of them."""
    side_of: Callable[[Any, int], int]
    """The side of a nation, or NOBODY."""
    told: Callable[[Any, Facts], Told]
    """What events say that happened to a position."""
    places: Callable[[Any], Iterator[tuple[int, str]]]
    """Each leader, and where he is found: he is found once."""
    leaders: Callable[[Any], Mapping[int, str]]
    """Where each leader should be found, by the roster; who is nowhere is left out."""
    nation: Callable[[Any, int], int]
    """The nation of a leader."""
    ghosts: Callable[[Any], Iterator[str]]
    """Pieces and marks behind which is neither man nor leader."""
    judges: Mapping[type[Any], Judge]
    """For each kind of decision or step, what is wrong with whom it names while it is the innermost."""
    anywhere: Judge
    """What is wrong with whom a decision names, even while others come before it."""


def nobody(state: Any, frame: Any) -> Iterator[str]:
    """It names nobody, or judges anew who is there when its turn comes."""
    return iter(())


def counted(sp: Bag) -> Men:
    """The men of a bag by nation."""
    return Counter({nation: of(sp, nation) for nation in powers(sp)})


def named(fact: Any, fields: Iterable[str]) -> Iterator[int]:
    """Whom an event names in these fields."""
    for field in fields:
        value = getattr(fact, field, None)
        if isinstance(value, tuple):
            yield from value
        elif value is not None:
            yield value
