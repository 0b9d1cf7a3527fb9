"""The pieces of a position: leaders and wagons, depots, sieges, captives, and what is known of forces."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import ALL_SP, EMPTY, NO_LEADER, Bag, LeaderId, PowerId

TURNS: Final = 18  # in a year (R1.1)
WINTER: Final = 14  # its first turn (R1.1)

UNUSED, ON_MAP, COMING, CAPTIVE, GONE = range(5)
"""The status of a leader: not yet in play, on the map, on his way, a prisoner, removed."""

NEUTRAL, AT_WAR, OUT = range(3)  # status of a nation (R1.3)

FRESH, PAID, HUNGRY = range(3)
"""The supply of a unit's first move of the turn: not yet due, paid, or not paid (V3.5)."""


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A leader or a wagon on the map.

    `tp`: the troop points under it; `sp`: its load. `moved`: its chit is used (R4.4). `moves`: moves this turn (V4).
    `start`: its hex in the snapshot of step F, -1 if it was not on the map; `far`: out of depot range then; `left`: it
    has left that hex. `fodder`: FRESH, PAID or HUNGRY; it has paid for `fed` TP on entering `via` first (its own hex
    after a reaction on the spot). `forced`: it has tried a forced march (R8). `cornered`: it could not retreat this
    turn (R12.9). `hunger`: consecutive turns out of supply; `rolls`: consecutive turns with an attrition roll.
    `shaken`: the turn since 1756 in which its troops were demoralized (R13.1), `daunted`: in which it lost leader
    morale (V8.2); 0 for neither.
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
        return self.tp % ALL_SP  # no call, because strengths are added up by the million


class Sight(msgspec.Struct, frozen=True, gc=False):
    """The opponent's knowledge of a force's TP: a band, and the turn since 1756 from which it dates (R1.9)."""

    low: int
    high: int
    since: int


UNKNOWN: Final = 999  # upper bound of a band without one
UNSEEN: Final = Sight(1, UNKNOWN, 0)  # the band of a force never seen


class Depot(msgspec.Struct, frozen=True, gc=False):
    """A depot of a nation; `cut`: consecutive steps D in which it was cut (R9.2)."""

    nation: PowerId
    cut: int = 0


class Siege(msgspec.Struct, frozen=True, gc=False):
    """A siege: consecutive steps G with rolls (R11.2), breaches, consecutive steps G under siege (R11.5)."""

    turns: int = 0
    breaches: int = 0
    shut: int = 0


class Captive(msgspec.Struct, frozen=True, gc=False):
    """A captured leader; `senior`: he was his nation's senior leader at capture (R16.2)."""

    leader: LeaderId
    senior: bool


class Coming(msgspec.Struct, frozen=True, gc=False):
    """TP or a leader on the way to their nation, due on a turn since 1756 (R14.2, V7.3).

    `freed`: former prisoners; otherwise recruits that wait for a place (R15.1, R18.4).
    """

    due: int
    nation: PowerId
    tp: int
    leader: LeaderId = NO_LEADER
    freed: bool = True
