"""What a side, a watcher, or somebody who may know everything sees of a position (R1.6: everything is open)."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from leuthen.campaigns.codec import FRAME
from leuthen.campaigns.forces import muster
from leuthen.campaigns.gamedata import GameData
from leuthen.campaigns.gameoptions import GameOptions
from leuthen.campaigns.state import FIELDS, Captive, Coming, Depot, Position, Siege, State, Unit, state_of
from leuthen.core.board import Hex
from leuthen.core.refusal import Invalid
from leuthen.core.ruleset import Outcome
from leuthen.core.strength import Bag

TABLES: Final = ("garrisons", "freed", "owners", "depots", "sieges")
"""The fields that are tables by hex."""
Pairs = tuple[tuple[int, int], ...]


class SeenForce(msgspec.Struct, frozen=True, gc=False):
    """A force as the viewer knows it: hex, side, in the field or inside, its units, TP from least to most."""

    hex: Hex
    side: int
    inside: bool
    units: tuple[int, ...]
    least: int
    most: int

    @property
    def key(self) -> int:
        """Which force it is."""
        return self.hex << 3 | self.side << 1 | self.inside

    @property
    def alone(self) -> bool:
        """Whether it has no TP."""
        return not self.most

    low = property(lambda self: self.least)
    high = property(lambda self: self.most)
    since = 0


class View(msgspec.Struct, frozen=True):
    """A position as `viewer` may know it: a value that a bot gets, and that worlds are drawn from."""

    viewer: int
    options: GameOptions
    scenario: str
    year: int
    turn: int
    first: int
    phasing: int
    frames: tuple[Any, ...]
    status: tuple[int, ...]
    ranks: tuple[int, ...]
    units: tuple[Unit, ...]
    garrisons: Pairs
    freed: Pairs
    owners: Pairs
    depots: tuple[tuple[Hex, Depot], ...]
    sieges: tuple[tuple[Hex, Siege], ...]
    prisoners: tuple[Bag, Bag]
    captives: tuple[tuple[Captive, ...], tuple[Captive, ...]]
    coming: tuple[Coming, ...]
    roster: tuple[int, ...]
    dead: Bag
    battles: tuple[int, int]
    killed: tuple[int, int]
    last_battle: int
    joined: tuple[int, ...]
    conquered: tuple[int, ...]
    raised: tuple[int, ...]
    drawn: tuple[int, ...]
    outcome: Outcome | None
    stacks: tuple[SeenForce, ...] = ()
    """The forces, in the order of the board."""
    moving: None = None
    """No force stands outside of the board while it moves."""


def make_view(pos: Position, viewer: int) -> View:
    """What a side (0, 1), WATCHER or EVERYTHING may know of a position."""
    values = {name: getattr(pos, name) for name in FIELDS}
    values |= {name: tuple(getattr(pos, name).items()) for name in TABLES}
    values["units"] = tuple(pos.units.values())
    values["conquered"] = tuple(sorted(pos.conquered))
    values["drawn"] = tuple(sorted(pos.drawn))
    return View(viewer=viewer, stacks=_forces(pos), **values)


def _forces(pos: Position) -> tuple[SeenForce, ...]:
    there = muster(pos)
    members: dict[tuple[Hex, int, bool], list[int]] = {}
    for number, unit in pos.units.items():
        members.setdefault((unit.hex, pos.side(number), unit.inside), []).append(number)
    for here, side in there.inside:
        members.setdefault((here, side, True), [])
    found = []
    for here, side, inside in sorted(members):
        tp = (there.inside if inside else there.field).get((here, side), 0)
        found.append(SeenForce(here, side, inside, tuple(members[here, side, inside]), tp, tp))
    return tuple(found)


def world_of(data: GameData, view: View) -> State:
    """The position that a view shows: there is but one."""
    values: dict[str, Any] = {name: getattr(view, name) for name in FIELDS}
    values |= {name: dict(values[name]) for name in TABLES}
    values["units"] = {unit.number: unit for unit in view.units}
    values["conquered"] = frozenset(view.conquered)
    values["drawn"] = frozenset(view.drawn)
    return state_of(data, values)


def encode_view(view: View) -> bytes:
    """The bytes of a view, as JSON."""
    plain = msgspec.to_builtins(msgspec.structs.replace(view, frames=()))
    plain["frames"] = [FRAME.write(frame) for frame in view.frames]
    for name in BAGS:
        plain[name] = _hexed(plain[name])
    plain["units"] = [{**unit, "tp": hex(unit["tp"])} for unit in plain["units"]]
    return msgspec.json.encode(plain)


BAGS: Final = ("garrisons", "freed", "prisoners", "dead")
"""The fields that hold bags, whose numbers are too large for JSON."""


def _hexed(value: Any) -> Any:
    return [_hexed(one) for one in value] if isinstance(value, list | tuple) else hex(value)


def _unhexed(value: Any) -> Any:
    return [_unhexed(one) for one in value] if isinstance(value, list | tuple) else int(value, 16)


def decode_view(text: bytes) -> View:
    """The view of some bytes. Raises Invalid."""
    try:
        plain = msgspec.json.decode(text)
        frames = tuple(FRAME.read(frame) for frame in plain.pop("frames"))
        for name in BAGS:
            plain[name] = _unhexed(plain[name])
        for unit in plain["units"]:
            unit["tp"] = int(unit["tp"], 16)
        view = msgspec.convert({**plain, "frames": ()}, View)
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise Invalid(f"view: {error}") from error
    return msgspec.structs.replace(view, frames=frames)
