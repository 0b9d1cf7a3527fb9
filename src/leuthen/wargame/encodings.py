"""How a wargame's values are written as plain JSON and read back: hexes as RRCC, strengths by the names of powers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from leuthen.engine.codec import JSON, Way, as_mapping, as_number, word
from leuthen.wargame.board import NOWHERE, Hex, hex_name, parse_hex
from leuthen.wargame.strength import EMPTY, Bag, bag, of, powers


@lru_cache(maxsize=4096)
def _write_hex(here: Hex) -> str:
    return hex_name(here) if here >= 0 else ""


@lru_cache(maxsize=4096)
def _read_hex(text: JSON) -> Hex:
    return parse_hex(str(text)) if text != "" else NOWHERE


HEX: Final = Way(_write_hex, _read_hex, str)


def bag_way(names: tuple[str, ...], kind: str = "power") -> Way:
    """A bag as numbers by the names of the powers."""
    power = word(names, kind).read

    @lru_cache(maxsize=4096)
    def write(sp: Bag) -> Mapping[str, int]:
        return dict(sorted((names[number], of(sp, number)) for number in powers(sp)))

    def read(named: JSON) -> Bag:
        if named == {}:
            return EMPTY
        sp = EMPTY
        for name, points in as_mapping(named).items():
            sp += bag(power(name), as_number(points))
        return sp

    return Way(write, read, dict[str, int])
