"""The interface between a rule set and the laws over whole games: pieces, places, and changes reported by events."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from leuthen.wargame.strength import Bag, of, powers

Troops: TypeAlias = Counter[int]
Facts: TypeAlias = tuple[Any, ...]
Check: TypeAlias = Callable[[Any, Any], Iterator[str]]


class ReportedChanges(NamedTuple):
    came: Troops
    lost: Troops
    side_came: Troops
    side_lost: Troops
    left: frozenset[int] = frozenset()
    halved: frozenset[int] = frozenset()


class Ledger(NamedTuple):
    nations: int
    troops: Callable[[Any], Bag]
    dead: Callable[[Any], Bag] | None
    side_of: Callable[[Any, int], int]
    reported: Callable[[Any, Facts], ReportedChanges]
    places: Callable[[Any], Iterator[tuple[int, str]]]
    leaders: Callable[[Any], Mapping[int, str]]
    nation: Callable[[Any, int], int]
    invalid_pieces: Callable[[Any], Iterator[str]]
    checks: Mapping[type[Any], Check]
    check_any: Check


def no_check(state: Any, frame: Any) -> Iterator[str]:
    return iter(())


def counted(sp: Bag) -> Troops:
    return Counter({nation: of(sp, nation) for nation in powers(sp)})


def named(fact: Any, fields: Iterable[str]) -> Iterator[int]:
    for field in fields:
        value = getattr(fact, field, None)
        if isinstance(value, tuple):
            yield from value
        elif value is not None:
            yield value
