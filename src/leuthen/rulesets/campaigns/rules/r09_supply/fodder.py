"""V3.5: what a group pays as it first moves. Who leaves a hex by the same hexside pays together, and nobody twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from leuthen.engine.ruleset import Side
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.events.moving import Paid
from leuthen.rulesets.campaigns.model.forces import strength
from leuthen.rulesets.campaigns.model.knowledge import give_away
from leuthen.rulesets.campaigns.model.state import FRESH, HUNGRY, PAID, Draft, Position, Unit
from leuthen.rulesets.campaigns.rules.r09_supply.supply import need, pay
from leuthen.wargame.board import Hex


class Owed(NamedTuple):
    """The SP that a group owes as it first moves: `usual`, and what is due where others have gone before it."""

    usual: int
    others: Mapping[Hex, int]

    def by(self, there: Hex) -> int:
        """What is due if the first hex is this one."""
        return self.others.get(there, self.usual)

    @property
    def least(self) -> int:
        """What is due at least."""
        return min(self.usual, *self.others.values()) if self.others else self.usual

    @property
    def most(self) -> int:
        """What is due at most."""
        return max(self.usual, *self.others.values()) if self.others else self.usual


NOTHING = Owed(0, {})


def owed_by(pos: Position, units: Sequence[Unit]) -> Owed:
    """What a group owes: the need of those who are far and have yet to pay; the others were fed at their depot."""
    due = [unit for unit in units if owes(pos, unit)]
    if not due:
        return NOTHING
    now, here = strength(due), units[0].hex
    gone = gone_before(pos, pos.side(units[0].number), here) if all(unit.start == here for unit in due) else {}
    return Owed(need(pos, now), {there: need(pos, tp + now) - need(pos, tp) for there, tp in gone.items()})


def owes(pos: Position, unit: Unit) -> bool:
    """Whether a unit has to pay, or go hungry, as it first moves: it is far, and has a need (V3.5)."""
    return pos.options.einhorn and unit.fodder == FRESH and unit.far and _is_led(pos, unit)


def _is_led(pos: Position, unit: Unit) -> bool:
    """Whether it is a leader, or a wagon with men: no other has a need."""
    return bool(unit.tp) or not pos.data.is_wagon(unit.number)


def gone_before(pos: Position, side: Side, here: Hex) -> dict[Hex, int]:
    """The TP that have been paid for as they left a hex of the snapshot, by the first hex that they entered."""
    return once(pos.known, ("gone", side, here), lambda: _gone_before(pos, side, here))


def _gone_before(pos: Position, side: Side, here: Hex) -> dict[Hex, int]:
    found: dict[Hex, int] = {}
    for number, unit in pos.units.items():
        if unit.fed and unit.start == here and unit.via not in (-1, here) and pos.side(number) == side:
            found[unit.via] = found.get(unit.via, 0) + unit.fed
    return found


def forage_values(pos: Position, units: Sequence[Unit]) -> list[bool]:
    """Whether a group may pay as it first moves (False), or go without (True), as far as that is a question."""
    owed = owed_by(pos, units)
    if not owed.most:
        return [False]
    return [False, True] if sum(unit.sp for unit in units) >= owed.least else [True]


def count_move(draft: Draft, units: Iterable[Unit]) -> None:
    """A group moves: that counts for each in it (V4)."""
    for unit in units:
        draft.change(unit.number, moves=unit.moves + 1)


def set_off(draft: Draft, side: Side, units: Sequence[Unit], there: Hex, *, forage: bool) -> None:
    """A group sets off into its first hex; it pays if it must, or is hungry. Without a way `there` is its own hex."""
    give_away(draft, side)  # a wagon may be used up
    owed = owed_by(draft, units)
    if owed is NOTHING:
        return
    due, numbers = owed.by(there), tuple(unit.number for unit in units)
    if due:
        draft.emit(Paid(side=side, units=numbers, points=due, hungry=forage))
    hungry = forage and due > 0
    for unit in units:
        if not owes(draft, unit):
            continue
        if hungry:
            draft.change(unit.number, fodder=HUNGRY)
        else:
            draft.change(unit.number, fodder=PAID, via=there, fed=unit.strength)
    if due and not forage:
        pay(draft, numbers, due)
