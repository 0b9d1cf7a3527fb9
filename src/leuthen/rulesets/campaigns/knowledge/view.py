"""What a side, a watcher, or somebody who may know everything sees of a position (R1.6, R1.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, Outcome
from leuthen.rulesets.campaigns.codec import FRAME
from leuthen.rulesets.campaigns.model.data import NATIONS, NOBODY, SIDE_OF
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.forces import commander
from leuthen.rulesets.campaigns.model.options import GameOptions
from leuthen.rulesets.campaigns.model.sights import UNSEEN
from leuthen.rulesets.campaigns.model.state import (
    FIELDS,
    SIDES,
    Captive,
    Coming,
    Depot,
    Position,
    Siege,
    Sight,
    Unit,
    force_key,
)
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Fight
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, Bag, bag, largest, of, total

TABLES: Final = ("garrisons", "freed", "owners", "depots", "sieges")
"""The fields that are tables by hex."""
SEEN_FIELDS: Final = tuple(name for name in FIELDS if name != "sights")
"""The fields that a view has too; sights stand in its forces."""
Pairs = tuple[tuple[int, int], ...]


class SeenForce(msgspec.Struct, frozen=True, gc=False):
    """A force as the viewer knows it: hex, side, in the field or inside, its units; all its TP, if he knows them.

    `units` are those that he sees: of a hidden force the commander, wagons, and whoever is named just now; all who are
    without TP in a force that has none. `low`, `high` and `since` are what the other side knows of its TP (R1.9).
    `commander` is -1 if nobody in it has TP; `nation` is that of the largest contingent, -1 without TP (R1.8).
    """

    hex: Hex
    side: int
    inside: bool
    units: tuple[int, ...]
    tp: int | None
    low: int
    high: int
    since: int
    commander: int
    nation: int

    @property
    def least(self) -> int:
        """The fewest TP that it can have, for all that the viewer knows."""
        return self.low if self.tp is None else self.tp

    @property
    def most(self) -> int:
        """The most TP that it can have, for all that the viewer knows."""
        return self.high if self.tp is None else self.tp

    @property
    def key(self) -> int:
        """Which force it is."""
        return force_key(self.hex, self.side, self.inside)

    @property
    def alone(self) -> bool:
        """Whether it has no TP."""
        return not self.most


class View(msgspec.Struct, frozen=True):
    """A position as `viewer` may know it: a value that a bot gets, and that worlds are drawn from.

    With the option `hidden` the other side's strengths, SP, junior leaders and what they have done stand in no field:
    `units` has of the enemy only whom the viewer sees, with those TP alone of which he knows (1 for «some»), and
    `garrisons`, `freed`, `dead` and `drawn` are his own.
    """

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

    def knows(self, side: int) -> bool:
        """Whether the viewer knows all of a side."""
        return knows(self.options, self.viewer, side)


def knows(options: GameOptions, viewer: int, side: int) -> bool:
    """Whether a viewer knows all of a side: his own, or everything; in an open game everybody does (R1.6)."""
    return not options.hidden or viewer in (side, EVERYTHING)


def make_view(pos: Position, viewer: int) -> View:
    """What a side (0, 1), WATCHER or EVERYTHING may know of a position."""
    values = {name: getattr(pos, name) for name in SEEN_FIELDS}
    values |= {name: tuple(getattr(pos, name).items()) for name in TABLES}
    values["units"] = tuple(pos.units.values())
    values["conquered"] = tuple(sorted(pos.conquered))
    values["drawn"] = tuple(sorted(pos.drawn))
    if not pos.options.hidden or viewer == EVERYTHING:
        return View(viewer=viewer, stacks=_stacks(pos, viewer, pos.units), **values)
    frames = tuple(frame.covered(pos, viewer) for frame in pos.frames)
    seen = seen_units(pos, viewer, frames)
    own = [side for side in SIDES if knows(pos.options, viewer, side)]
    posts = {here for here, tp in pos.garrisons.items() if SIDE_OF[largest(tp)] in own}
    values |= {
        "frames": frames,
        "units": tuple(seen.values()),
        "garrisons": tuple((here, tp) for here, tp in pos.garrisons.items() if here in posts),
        "freed": tuple((here, tp) for here, tp in pos.freed.items() if here in posts),
        "dead": sum(bag(n, of(pos.dead, n)) for n in range(len(NATIONS)) if SIDE_OF[n] in own),
        "drawn": tuple(key for key in values["drawn"] if pos.side(key % 1000) in own),
    }
    return View(viewer=viewer, stacks=_stacks(pos, viewer, seen), **values)


def _stacks(pos: Position, viewer: int, seen: Collection[int]) -> tuple[SeenForce, ...]:
    return tuple([_seen_force(pos, force, viewer, seen) for force in forces_of(pos)])


def seen_forces(pos: Position, viewer: int) -> tuple[SeenForce, ...]:
    """The forces that a viewer does not know in full, as he sees them."""
    seen = seen_units(pos, viewer, [frame.covered(pos, viewer) for frame in pos.frames])
    hidden = (force for force in forces_of(pos) if not knows(pos.options, viewer, force.side))
    return tuple([_seen_force(pos, force, viewer, seen) for force in hidden])


class Force(NamedTuple):
    """A force as it is: its leaders and wagons, its TP, who commands, whose colours it shows."""

    hex: Hex
    side: int
    inside: bool
    units: tuple[Unit, ...]
    tp: int
    commander: int
    nation: int


def forces_of(pos: Position) -> tuple[Force, ...]:
    """All forces in the order of the board, kept with the position (R1.5)."""
    found: tuple[Force, ...] | None = pos.known.get("forces")
    if found is None:
        members: dict[tuple[Hex, int, bool], list[Unit]] = {
            (here, side, True): [] for side in SIDES for here in pos.census.inside[side]
        }
        for number, unit in pos.units.items():
            members.setdefault((unit.hex, pos.side(number), unit.inside), []).append(unit)
        found = pos.known["forces"] = tuple([_force(pos, *place, units) for place, units in sorted(members.items())])
    return found


def _force(pos: Position, here: Hex, side: int, inside: bool, units: Sequence[Unit]) -> Force:
    """A force; its colours are those of most TP, garrisons counted, in the field its commander's (R1.8)."""
    chief = commander(pos, units)
    tp = sum((unit.tp for unit in units), pos.garrisons.get(here, EMPTY) if inside else EMPTY)
    colours = -1 if not tp else pos.leader(chief).nation if chief >= 0 and not inside else largest(tp)
    return Force(here, side, inside, tuple(units), total(tp), chief, colours)


def _seen_force(pos: Position, force: Force, viewer: int, seen: Collection[int]) -> SeenForce:
    here, side, inside, units, tp, chief, nation = force
    sight = Sight(tp, tp, 0)  # that it has no TP is open (R1.8)
    if tp and pos.options.hidden:
        sight = pos.sights.get(force_key(here, side, inside), UNSEEN)
    shown = tuple([unit.number for unit in units if unit.number in seen])
    known = tp if knows(pos.options, viewer, side) else None
    return SeenForce(here, side, inside, shown, known, sight.low, sight.high, sight.since, chief, nation)


def seen_units(pos: Position, viewer: int, frames: Sequence[Decision]) -> dict[int, Unit]:
    """The units that a viewer sees: his own whole; of the other side who commands, is alone, or is named (R1.8)."""
    named = {number for frame in frames for number in frame.named()}
    some = {number for frame in frames for number in frame.chiefs()}
    fighting = fighters_in(pos.frames)
    found: dict[int, Unit] = {}
    for force in forces_of(pos):
        if knows(pos.options, viewer, force.side):
            found |= {unit.number: unit for unit in force.units}
            continue
        for unit in force.units:
            n, is_chief = unit.number, unit.number == force.commander
            if not force.tp or is_chief or n in named or n in fighting or pos.data.is_wagon(n):
                found[n] = _seen(pos, unit, fights=n in fighting, has_tp=is_chief or n in some)
    return dict(sorted(found.items()))


def fighters_in(frames: Iterable[Decision]) -> set[int]:
    """The leaders whose strengths a battle in progress shows (R1.9)."""
    hosts = [host for frame in frames if isinstance(frame, Fight) for host in frame.hosts or ()]
    return {account.leader for host in hosts for account in host.accounts}


def _seen(pos: Position, unit: Unit, *, fights: bool, has_tp: bool) -> Unit:
    """An enemy unit with as much of it as is open: where it is, whether it has moved and is demoralized (R1.8)."""
    tp = unit.tp if fights else bag(pos.leader(unit.number).nation, int(has_tp and unit.tp > 0))
    seen = Unit(unit.number, unit.hex, unit.inside, tp, hunger=unit.hunger if fights else 0)
    if pos.data.is_wagon(unit.number):
        return seen
    return msgspec.structs.replace(seen, moved=unit.moved, shaken=unit.shaken, daunted=unit.daunted)


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


__all__ = ["NOBODY", "SeenForce", "View", "decode_view", "encode_view", "knows", "make_view", "seen_forces"]
