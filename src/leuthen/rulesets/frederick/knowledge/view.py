"""What a side, a watcher, or somebody who may know everything sees of a position, built up from nothing (O3)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, Outcome
from leuthen.rulesets.frederick.codec import FRAME, SECRET
from leuthen.rulesets.frederick.model.data import NOBODY
from leuthen.rulesets.frederick.model.decisions import Covered, Decision, Secret, covered
from leuthen.rulesets.frederick.model.options import GameOptions
from leuthen.rulesets.frederick.model.state import SIDES, Depot, Position, Stack
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching
from leuthen.rulesets.frederick.rules.o05_march.phase import ForceDie
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchDie
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, Bag, bag, of, powers

Points: TypeAlias = tuple[tuple[int, int], ...]
"""SP as pairs of power and number, in the order of C1.1; a bag that JSON can carry."""


@lru_cache(maxsize=8192)
def points_of(sp: Bag) -> Points:
    """The SP of a bag, as pairs."""
    return tuple((power, of(sp, power)) for power in powers(sp))


@lru_cache(maxsize=8192)
def bag_of(points: Points) -> Bag:
    """The bag of SP given as pairs."""
    return sum(bag(power, number) for power, number in points)


class SeenStack(msgspec.Struct, frozen=True, gc=False):
    """A stack as the viewer knows it (O3.1, O3.5).

    `low`, `high` and `since` are what the other side knows of its strength (O3.3); 0 for leaders `alone`. `sp`,
    `leaders`, `marched`, `resting` and `resters` are None where they are hidden from the viewer.
    """

    hex: Hex
    side: int
    inside: bool
    nation: int
    commander: int
    alone: bool
    demoralized: bool
    quartered: bool
    hungry: int
    low: int
    high: int
    since: int
    sp: Points | None = None
    leaders: tuple[int, ...] | None = None
    marched: Points | None = None
    resting: Points | None = None
    resters: tuple[int, ...] | None = None

    @property
    def key(self) -> int:
        """Where the stack stands in `Position.stacks`."""
        return self.hex << 3 | self.side << 1 | self.inside

    @property
    def bag(self) -> Bag:
        """Its SP; empty if they are hidden."""
        return bag_of(self.sp) if self.sp is not None else EMPTY

    @property
    def least(self) -> int:
        """The fewest SP that it can have, for all that the viewer knows."""
        return self.low if self.sp is None else sum(number for _, number in self.sp)

    @property
    def most(self) -> int:
        """The most SP that it can have, for all that the viewer knows."""
        return self.high if self.sp is None else self.least


class SeenDepot(msgspec.Struct, frozen=True, gc=False):
    """A depot. Of the enemy's only complete ones are seen (O3.1)."""

    hex: Hex
    power: int
    complete: bool
    fed: bool
    held: bool


class View(msgspec.Struct, frozen=True):
    """A position as `viewer` may know it: a value that a bot gets, and that worlds are drawn from.

    What is hidden stands in no field: strengths and junior leaders of the enemy, his depots under construction, his
    reinforcements, his sealed choices, the movement points of his leaders. Where leaders are (map, pool, prison), RP,
    prisoners and owners of fortresses are open (O3.5).
    """

    viewer: int
    options: GameOptions
    year: int
    turn: int
    phasing: int
    frames: tuple[Any, ...]
    """The decisions in progress, the innermost last."""
    allegiance: tuple[int, ...]
    surrendered: tuple[int, ...]
    invaded: tuple[int, ...]
    starred: tuple[int, ...]
    saxon_invader: int
    german_open: bool
    stacks: tuple[SeenStack, ...]
    """In the order of the board."""
    moving: SeenStack | None
    depots: tuple[SeenDepot, ...]
    owners: tuple[tuple[Hex, int], ...]
    rp: tuple[int, int]
    prisoners: tuple[Points, Points]
    captives: tuple[tuple[int, ...], tuple[int, ...]]
    roster: tuple[int, ...]
    arrival: tuple[int, ...]
    waiting: Points
    """Reinforcements of the viewer's own powers."""
    sealed: tuple[Any, Any]
    """The viewer's own secret choice; of another side only that it is sealed."""
    spent: tuple[tuple[int, int], ...]
    """Movement points that the viewer's own leaders have spent in this phase."""
    shifted: tuple[Hex, ...]
    """The viewer's own fortresses at which somebody went in or out in this phase."""
    bound: tuple[Hex, ...]
    sieges: tuple[tuple[Hex, int], ...]
    outcome: Outcome | None

    def side_of(self, power: int) -> int:
        """The side that a power fights on, or NOBODY."""
        return NOBODY if power in self.surrendered else self.allegiance[power]

    def knows(self, side: int) -> bool:
        """Whether the viewer knows all of a side: his own; a neutral's; or everything."""
        return knows(self.viewer, side)


def knows(viewer: int, side: int) -> bool:
    """Whether a viewer knows all of a side: his own; a neutral's; or everything."""
    return side in (viewer, NOBODY) or viewer == EVERYTHING


def make_view(pos: Position, viewer: int) -> View:
    """What a side (0, 1), WATCHER or EVERYTHING may know of a position."""
    return View(
        viewer=viewer,
        options=pos.options,
        year=pos.year,
        turn=pos.turn,
        phasing=pos.phasing,
        frames=tuple(see_frame(frame, viewer) for frame in pos.frames),
        allegiance=pos.allegiance,
        surrendered=tuple(sorted(pos.surrendered)),
        invaded=tuple(sorted(pos.invaded)),
        starred=tuple(sorted(pos.starred)),
        saxon_invader=pos.saxon_invader,
        german_open=pos.german_open,
        stacks=tuple(see_stack(pos.stacks[key], viewer) for key in sorted(pos.stacks)),
        moving=see_stack(pos.moving, viewer) if pos.moving is not None else None,
        depots=_see_depots(pos, viewer),
        owners=tuple(sorted(pos.owners.items())),
        rp=pos.rp,
        prisoners=(points_of(pos.prisoners[0]), points_of(pos.prisoners[1])),
        captives=pos.captives,
        roster=pos.roster,
        arrival=pos.arrival,
        waiting=tuple((power, number) for power, number in points_of(pos.waiting) if knows(viewer, pos.side_of(power))),
        sealed=(_see_secret(pos, 0, viewer), _see_secret(pos, 1, viewer)),
        spent=_see_spent(pos, viewer),
        shifted=tuple(sorted(here for here in pos.shifted if knows(viewer, pos.owners[here]))),
        bound=tuple(sorted(pos.bound)),
        sieges=tuple(sorted(pos.sieges.items())),
        outcome=pos.outcome,
    )


def see_stack(stack: Stack, viewer: int) -> SeenStack:
    """A stack as a viewer knows it (O3.1, O3.5)."""
    side, sp = stack.side, stack.sp
    band = (stack.low, stack.high, stack.since) if sp or viewer == EVERYTHING else (0, 0, 0)
    shape = stack.hex, side, stack.inside, stack.nation, stack.commander, not sp
    state = stack.demoralized, stack.quartered, stack.hungry
    if side != viewer and side != NOBODY and viewer != EVERYTHING:
        return SeenStack(*shape, *state, *band)
    own = points_of(sp), stack.leaders, points_of(stack.marched)
    return SeenStack(*shape, *state, *band, *own, points_of(stack.resting), stack.resters)


_SHOWN: Final = (True, True)


def _see_depots(pos: Position, viewer: int) -> tuple[SeenDepot, ...]:
    found: list[SeenDepot] = []
    for here, depot in sorted(pos.depots.items()):
        if knows(viewer, pos.side_of(depot.power)):
            found.append(SeenDepot(here, depot.power, depot.complete, depot.fed, depot.held))
        elif depot.complete:
            found.append(SeenDepot(here, depot.power, True, *_SHOWN))
    return tuple(found)


def _see_secret(pos: Position, side: int, viewer: int) -> Secret | None:
    secret: Secret | None = pos.sealed[side]
    return secret if side == viewer or viewer == EVERYTHING else covered(secret)


def _see_spent(pos: Position, viewer: int) -> tuple[tuple[int, int], ...]:
    table = pos.data.leaders
    seen = (item for item in pos.spent.items() if knows(viewer, pos.side_of(table[item[0]].power)))
    return tuple(sorted(seen))


def see_frame(frame: Decision, viewer: int) -> Decision:
    """A decision in progress as a viewer knows it: what a march of the enemy has left depends on hidden leaders."""
    if isinstance(frame, Marching):
        return frame if knows(viewer, frame.side) else hide_march(frame)
    if isinstance(frame, ForceDie | ForceMarchDie) and not knows(viewer, frame.side):
        return msgspec.structs.replace(frame, march=hide_march(frame.march))
    return frame


def hide_march(march: Marching) -> Marching:
    """A march without what the other side cannot know: whether a mixed force had supply."""
    return msgspec.structs.replace(march, supplied=True)


def encode_view(view: View) -> bytes:
    """The bytes of a view, as JSON."""
    plain = msgspec.to_builtins(msgspec.structs.replace(view, frames=(), sealed=(None, None)))
    plain["frames"] = [FRAME.write(frame) for frame in view.frames]
    plain["sealed"] = [None if secret is None else SECRET.write(secret) for secret in view.sealed]
    return msgspec.json.encode(plain)


def decode_view(text: bytes) -> View:
    """The view of some bytes. Raises Invalid."""
    try:
        view = msgspec.json.decode(text, type=View)
    except msgspec.MsgspecError as error:
        raise Invalid(f"view: {error}") from error
    frames = tuple(FRAME.read(frame) for frame in view.frames)
    secrets = tuple(None if secret is None else SECRET.read(secret) for secret in view.sealed)
    return msgspec.structs.replace(view, frames=frames, sealed=secrets)


__all__ = ["SIDES", "Covered", "Depot", "SeenDepot", "SeenStack", "View", "decode_view", "encode_view", "make_view"]
