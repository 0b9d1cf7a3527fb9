"""The interface between a rule set and the laws over whole games: pieces, places, and changes reported by events."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from leuthen.wargame.strength import Bag, of, powers

Men: TypeAlias = Counter[int]
Facts: TypeAlias = tuple[Any, ...]
Judge: TypeAlias = Callable[[Any, Any], Iterator[str]]


class Told(NamedTuple):
    came: Men
    lost: Men
    side_came: Men
    side_lost: Men
    left: frozenset[int] = frozenset()
    halved: frozenset[int] = frozenset()


class Ledger(NamedTuple):
    nations: int
    men: Callable[[Any], Bag]
    dead: Callable[[Any], Bag] | None
    side_of: Callable[[Any, int], int]
    told: Callable[[Any, Facts], Told]
    places: Callable[[Any], Iterator[tuple[int, str]]]
    leaders: Callable[[Any], Mapping[int, str]]
    nation: Callable[[Any, int], int]
    ghosts: Callable[[Any], Iterator[str]]
    judges: Mapping[type[Any], Judge]
    anywhere: Judge


def nobody(state: Any, frame: Any) -> Iterator[str]:
    return iter(())


def counted(sp: Bag) -> Men:
    return Counter({nation: of(sp, nation) for nation in powers(sp)})


def named(fact: Any, fields: Iterable[str]) -> Iterator[int]:
    for field in fields:
        value = getattr(fact, field, None)
        if isinstance(value, tuple):
            yield from value
        elif value is not None:
            yield value
