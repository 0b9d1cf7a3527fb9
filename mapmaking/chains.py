"""Chains of corners, joined from hexsides."""

from collections import defaultdict
from collections.abc import Iterable

from mapmaking.board import Point, Side, ends

DIGITS = 4


def chains(sides: Iterable[Side]) -> list[list[Point]]:
    """Return the chains that the sides form, each walked to its end once; forks end a chain."""
    links = _links(sides)
    left = {frozenset((a, b)) for a in links for b in links[a]}
    starts = sorted(links, key=lambda p: (len(links[p]) == 2, p))
    pairs = ((start, there) for start in starts for there in sorted(links[start]))
    return [_walk(*pair, links, left) for pair in pairs if frozenset(pair) in left]


def _links(sides: Iterable[Side]) -> dict[Point, set[Point]]:
    links: dict[Point, set[Point]] = defaultdict(set)
    for here in sides:
        a, b = (_rounded(p) for p in ends(here))
        links[a].add(b)
        links[b].add(a)
    return links


def _rounded(point: Point) -> Point:
    return round(point[0], DIGITS), round(point[1], DIGITS)


def _walk(start: Point, there: Point, links: dict[Point, set[Point]], left: set[frozenset[Point]]) -> list[Point]:
    chain = [start]
    while frozenset((chain[-1], there)) in left:
        left.discard(frozenset((chain[-1], there)))
        chain.append(there)
        onward = [p for p in sorted(links[there]) if frozenset((there, p)) in left]
        if len(links[there]) != 2 or not onward:
            break
        there = onward[0]
    return chain
