"""The pieces of a position: leaders and wagons, depots, sieges, captives, and what is known of forces."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import ALL_SP, EMPTY, NO_LEADER, Bag, LeaderId, PowerId

TURNS: Final = 18
"""Turns of a year (R1.1)."""
WINTER: Final = 14
"""The first turn of winter (R1.1)."""

UNUSED, ON_MAP, COMING, CAPTIVE, GONE = range(5)
"""Where a leader is: not in play yet, on the map, freed or due and on his way, a prisoner, removed."""

NEUTRAL, AT_WAR, OUT = range(3)
"""What a nation is (R1.3)."""

FRESH, PAID, HUNGRY = range(3)
"""Whether a unit's group has paid for its first move of the turn, has gone without, or need not have paid (V3.5)."""


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A leader or a wagon on the map.

    `tp` are the troop points under it, `sp` what it carries. `moved`: its chit is used (R4.4). `moves` counts as V4 has
    it. `start`: its hex in the snapshot of step F, -1 if it was not there; `far`: it stood beyond the range of depots
    then; `left`: it has left that hex. `fodder`: FRESH, PAID or HUNGRY; who has paid did so for `fed` TP as it entered
    `via` first (its own hex: it reacted on the spot). `forced`: it has tried a forced march (R8).
    `cornered`: it had no way to retreat this turn (R12.9). `hunger`: turns in a row out of supply; `rolls`: turns in a
    row in which it rolled for attrition. `shaken`: since when its troops are demoralized (R13.1), `daunted`: since when
    its leader morale is gone (V8.2), in turns since 1756; 0 if they are not.
    """

    number: LeaderId
    hex: Hex
    inside: bool = False
    tp: Bag = EMPTY
    sp: int = 0
    moved: bool = False
    moves: int = 0
    start: Hex = NOWHERE
    far: bool = False
    left: bool = False
    fodder: int = FRESH
    via: Hex = NOWHERE
    fed: int = 0
    forced: bool = False
    cornered: bool = False
    hunger: int = 0
    rolls: int = 0
    shaken: int = 0
    daunted: int = 0

    @property
    def strength(self) -> int:
        """All its TP."""
        return self.tp % ALL_SP  # no call, because strengths are added up by the million


class Sight(msgspec.Struct, frozen=True, gc=False):
    """What the other side knows of the TP of a force: the least, the most, and since which turn since 1756 (R1.9)."""

    low: int
    high: int
    since: int


UNKNOWN: Final = 999
"""Instead of a most: there is no bound."""
UNSEEN: Final = Sight(1, UNKNOWN, 0)
"""What is known of TP of which nothing is known."""


class Depot(msgspec.Struct, frozen=True, gc=False):
    """A depot of a nation; `cut`: steps D in a row in which it was found cut (R9.2)."""

    nation: PowerId
    cut: int = 0


class Siege(msgspec.Struct, frozen=True, gc=False):
    """A siege: steps G in a row with rolls (R11.2), breaches, steps G in a row of being besieged (R11.5)."""

    turns: int = 0
    breaches: int = 0
    shut: int = 0


class Captive(msgspec.Struct, frozen=True, gc=False):
    """A captured leader; `senior`: he was his nation's senior leader when taken (R16.2)."""

    leader: LeaderId
    senior: bool


class Coming(msgspec.Struct, frozen=True, gc=False):
    """Who is on the way to his nation: TP or a leader, due at a turn since 1756 (R14.2, V7.3).

    `freed`: they were prisoners; else they were raised, and wait for a place (R15.1, R18.4).
    """

    due: int
    nation: PowerId
    tp: int
    leader: LeaderId = NO_LEADER
    freed: bool = True
