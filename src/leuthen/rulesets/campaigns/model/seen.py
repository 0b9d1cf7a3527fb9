"""What a viewer sees of the forces of a position (R1.6, R1.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from leuthen.engine.ruleset import EVERYTHING, Side, ViewerId
from leuthen.rulesets.campaigns.model.data import NO_NATION, GameOptions
from leuthen.rulesets.campaigns.model.forces import commander
from leuthen.rulesets.campaigns.model.pieces import SIDES, UNSEEN, Sight, Unit
from leuthen.wargame.board import Hex, StackKey, stack_key
from leuthen.wargame.strength import EMPTY, LeaderId, PowerId, bag, largest, total

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.decisions import Decision
    from leuthen.rulesets.campaigns.model.state import Position


class SeenForce(msgspec.Struct, frozen=True, gc=False):
    """A force as the viewer knows it: hex, side, in the field or inside, its units; all its TP, if he knows them.

    `units` are those that he sees: of a hidden force the commander, wagons, and whoever is named just now; all who are
    without TP in a force that has none. `low`, `high` and `since` are what the other side knows of its TP (R1.9).
    `commander` is -1 if nobody in it has TP; `nation` is that of the largest contingent, -1 without TP (R1.8).
    """

    hex: Hex
    side: Side
    inside: bool
    units: tuple[LeaderId, ...]
    tp: int | None
    low: int
    high: int
    since: int
    commander: LeaderId
    nation: PowerId

    @property
    def least(self) -> int:
        """The fewest TP that it can have, for all that the viewer knows."""
        return self.low if self.tp is None else self.tp

    @property
    def most(self) -> int:
        """The most TP that it can have, for all that the viewer knows."""
        return self.high if self.tp is None else self.tp

    @property
    def key(self) -> StackKey:
        """Which force it is."""
        return stack_key(self.hex, self.side, self.inside)

    @property
    def alone(self) -> bool:
        """Whether it has no TP."""
        return not self.most


def knows(options: GameOptions, viewer: ViewerId, side: Side) -> bool:
    """Whether a viewer knows all of a side: his own, or everything; in an open game everybody does (R1.6)."""
    return not options.hidden or viewer in (side, EVERYTHING)


def is_veiled(pos: Position, viewer: ViewerId) -> bool:
    """Whether anything is hidden from a viewer."""
    return pos.options.hidden and viewer != EVERYTHING


class TrueForce(NamedTuple):
    """A force as it is: its leaders and wagons, its TP, who commands, whose colours it shows."""

    hex: Hex
    side: Side
    inside: bool
    units: tuple[Unit, ...]
    tp: int
    commander: LeaderId
    nation: PowerId


def forces_of(pos: Position) -> tuple[TrueForce, ...]:
    """All forces in the order of the board, kept with the position (R1.5)."""
    found: tuple[TrueForce, ...] | None = pos.known.get("forces")
    if found is None:
        members: dict[tuple[Hex, Side, bool], list[Unit]] = {
            (here, side, True): [] for side in SIDES for here in pos.census.inside[side]
        }
        for number, unit in pos.units.items():
            members.setdefault((unit.hex, pos.side(number), unit.inside), []).append(unit)
        found = pos.known["forces"] = tuple([_as_before(pos, place, units) for place, units in sorted(members.items())])
    return found


def _as_before(pos: Position, place: tuple[Hex, Side, bool], units: Sequence[Unit]) -> TrueForce:
    """The force of a place, made anew if others stand there than when somebody last looked, or rank otherwise."""
    made_of = units, pos.garrisons.get(place[0]), pos.ranks
    last: tuple[object, TrueForce] | None = pos.mustered.get(place)
    if last is None or last[0] != made_of:
        last = pos.mustered[place] = made_of, _force(pos, *place, units)
    return last[1]


def _force(pos: Position, here: Hex, side: Side, inside: bool, units: Sequence[Unit]) -> TrueForce:
    """A force; its colours are those of most TP, garrisons counted, in the field its commander's (R1.8)."""
    chief = commander(pos, units)
    tp = sum((unit.tp for unit in units), pos.garrisons.get(here, EMPTY) if inside else EMPTY)
    colours = NO_NATION if not tp else pos.leader(chief).nation if chief >= 0 and not inside else largest(tp)
    return TrueForce(here, side, inside, tuple(units), total(tp), chief, colours)


def see_forces(pos: Position, viewer: ViewerId) -> Iterator[SeenForce]:
    """The forces as a viewer sees them, in the order of the board."""
    seen = seen_units(pos, viewer) if is_veiled(pos, viewer) else pos.units
    return (_seen_force(pos, force, viewer, seen) for force in forces_of(pos))


def _seen_force(pos: Position, force: TrueForce, viewer: ViewerId, seen: Collection[int]) -> SeenForce:
    here, side, inside, units, tp, chief, nation = force
    sight = Sight(tp, tp, 0)  # that it has no TP is open (R1.8)
    if tp and pos.options.hidden:
        sight = pos.sights.get(stack_key(here, side, inside), UNSEEN)
    shown = tuple([unit.number for unit in units if unit.number in seen])
    known = tp if knows(pos.options, viewer, side) else None
    return SeenForce(here, side, inside, shown, known, sight.low, sight.high, sight.since, chief, nation)


def covered(pos: Position, viewer: ViewerId) -> tuple[Decision, ...]:
    """The decisions in progress as a viewer sees them."""
    return tuple([frame.covered(pos, viewer) for frame in pos.frames]) if is_veiled(pos, viewer) else pos.frames


def seen_units(pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    """The units that a viewer sees, kept with the position (R1.8)."""
    kept: tuple[object, dict[LeaderId, Unit]] | None = pos.known.get(("seen", viewer))
    if kept is None or kept[0] is not pos.frames:
        kept = pos.known["seen", viewer] = pos.frames, _seen_units(pos, viewer)
    return kept[1]


def _seen_units(pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    """His own whole; of the other side who commands, is alone, or is named (R1.8)."""
    frames = covered(pos, viewer)
    named = {number for frame in frames for number in frame.named()}
    some = {number for frame in frames for number in frame.chiefs()}
    fighting = fighters_in(pos.frames)
    found: dict[LeaderId, Unit] = {}
    for force in forces_of(pos):
        if knows(pos.options, viewer, force.side):
            found |= {unit.number: unit for unit in force.units}
            continue
        for unit in force.units:
            n, is_chief = unit.number, unit.number == force.commander
            if not force.tp or is_chief or n in named or n in fighting or pos.data.is_wagon(n):
                found[n] = _seen(pos, unit, fights=n in fighting, has_tp=is_chief or n in some)
    return dict(sorted(found.items()))


def fighters_in(frames: Iterable[Decision]) -> set[LeaderId]:
    """The leaders whose strengths a battle in progress shows (R1.9)."""
    return {number for frame in frames for number in frame.fighters()}


def _seen(pos: Position, unit: Unit, *, fights: bool, has_tp: bool) -> Unit:
    """An enemy unit with as much of it as is open: where it is, whether it has moved and is demoralized (R1.8)."""
    tp = unit.tp if fights else bag(pos.leader(unit.number).nation, int(has_tp and unit.tp > 0))
    seen = Unit(unit.number, unit.hex, unit.inside, tp, hunger=unit.hunger if fights else 0)
    if pos.data.is_wagon(unit.number):
        return seen
    return msgspec.structs.replace(seen, moved=unit.moved, shaken=unit.shaken, daunted=unit.daunted)
