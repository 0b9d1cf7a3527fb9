"""Stacks and depots, and stacks as a viewer sees them."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.ruleset import EVERYTHING, NOBODY, OwnerId, Side, ViewerId
from leuthen.wargame.board import Hex, StackKey, stack_key
from leuthen.wargame.strength import ALL_SP, EMPTY, Bag, LeaderId, PowerId, total

PRUSSIAN: Final = 0
AUSTRIAN: Final = 1
SIDES: Final[tuple[Side, Side]] = (PRUSSIAN, AUSTRIAN)

UNKNOWN: Final = 999
"""Upper end of a band without a known limit."""
DONE: Final = 99
"""Movement points of a leader who is done for the phase."""
UNSEEN: Final = (1, UNKNOWN, 0)
"""Band of a stack whose strength the other side has never seen."""

ON_MAP, POOL, WAITING, CAPTIVE, GONE, ABSENT = range(6)
"""Places of a leader: on the map, in the pool, waiting to be placed, prisoner, killed or sacked, out with his power."""


class Stack(msgspec.Struct, frozen=True, gc=False):
    """All that one side, or one neutral power, has in the field of a hex, or inside its fortress (O2.4).

    `leaders` are sorted by seniority, `commander` is -1 if there is none (O2.5). `nation` is the power of the largest
    contingent, without SP the commander's (O3.1). `marched` are the SP that are done for the phase (O5.7). `hungry`
    counts turns in a row out of supply (O10.8). `low`, `high` and `since` are the other side's knowledge of the
    strength, and its turn (O3.3). `resting` SP and `resters` were in quarters when others joined them, and stay there
    until their side's next Reinforcement Phase (O14.4).
    """

    hex: Hex
    side: OwnerId
    inside: bool
    sp: Bag
    leaders: tuple[LeaderId, ...]
    commander: LeaderId
    nation: PowerId
    demoralized: bool = False
    quartered: bool = False
    hungry: int = 0
    marched: Bag = EMPTY
    low: int = 1
    high: int = UNKNOWN
    since: int = 0
    resting: Bag = EMPTY
    resters: tuple[LeaderId, ...] = ()

    @property
    def key(self) -> StackKey:
        return stack_key(self.hex, self.side, self.inside)

    @property
    def strength(self) -> int:
        return self.sp % ALL_SP

    @property
    def band(self) -> tuple[int, int, int]:
        """The other side's knowledge of the strength, and its turn (O3.3)."""
        return self.low, self.high, self.since

    @property
    def free_sp(self) -> Bag:
        """The SP that need not stay in place (O14.4)."""
        return self.sp - self.resting

    def with_band(self, band: tuple[int, int, int]) -> Stack:
        low, high, since = band
        return msgspec.structs.replace(self, low=low, high=high, since=since)


def without_impossible_states(stack: Stack) -> Stack:
    """Return the stack without impossible states: leaders without SP are never demoralized, hungry or in quarters
    (O11.1, O14.1).
    """
    if stack.sp:
        return stack
    return Stack(stack.hex, stack.side, stack.inside, EMPTY, stack.leaders, stack.commander, stack.nation)


class Depot(msgspec.Struct, frozen=True, gc=False):
    """A depot of a power (O10.4). `fed`: in supply when its side last rolled attrition; `held`: SP stayed (O10.10)."""

    power: PowerId
    complete: bool
    fed: bool = True
    held: bool = True


class SeenStack(msgspec.Struct, frozen=True, gc=False):
    """A stack as the viewer knows it (O3.1, O3.5).

    `low`, `high` and `since` are the other side's knowledge of its strength (O3.3); 0 for leaders `alone`. `sp`,
    `leaders`, `marched`, `resting` and `resters` are None if hidden from the viewer.
    """

    hex: Hex
    side: OwnerId
    inside: bool
    nation: PowerId
    commander: LeaderId
    alone: bool
    demoralized: bool
    quartered: bool
    hungry: int
    low: int
    high: int
    since: int
    sp: Bag | None = None
    leaders: tuple[LeaderId, ...] | None = None
    marched: Bag | None = None
    resting: Bag | None = None
    resters: tuple[LeaderId, ...] | None = None

    @property
    def key(self) -> StackKey:
        return stack_key(self.hex, self.side, self.inside)

    def completed(self, sp: Bag, leaders: tuple[LeaderId, ...]) -> Stack:
        """Return a stack that looks like this one, with these SP and leaders and no other hidden state."""
        band = (self.low, self.high, self.since) if self.low else UNSEEN
        return Stack(
            self.hex, self.side, self.inside, sp, leaders, self.commander, self.nation, self.demoralized,
            self.quartered, self.hungry, self.marched or EMPTY, *band, self.resting or EMPTY, self.resters or (),
        )  # fmt: skip

    @property
    def least(self) -> int:
        """The fewest SP it can have, as the viewer knows."""
        return self.low if self.sp is None else total(self.sp)

    @property
    def most(self) -> int:
        return self.high if self.sp is None else self.least


def knows(viewer: ViewerId, side: OwnerId) -> bool:
    """Return whether a viewer knows all about a side: his own, a neutral, or any side if he knows everything."""
    return side in (viewer, NOBODY) or viewer == EVERYTHING


def see_stack(stack: Stack, viewer: ViewerId) -> SeenStack:
    """Return a stack as a viewer knows it (O3.1, O3.5)."""
    side, sp = stack.side, stack.sp
    band = stack.band if sp or viewer == EVERYTHING else (0, 0, 0)
    shape = stack.hex, side, stack.inside, stack.nation, stack.commander, not sp
    state = stack.demoralized, stack.quartered, stack.hungry
    if not knows(viewer, side):
        return SeenStack(*shape, *state, *band)
    return SeenStack(*shape, *state, *band, sp, stack.leaders, stack.marched, stack.resting, stack.resters)
