"""R2: the senior commander's force (V2.2), and leaders without TP and wagons alone among enemies (R2.4, R2.5, R9.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Self, TypeAlias

from leuthen.engine.choice import Refusal
from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, SIDE_OF
from leuthen.rulesets.campaigns.model.events import LoneFate
from leuthen.rulesets.campaigns.model.forces import commander, field_tp, force_at, is_sheltered, senior
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE, ON_MAP, Captive, Unit
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position, SideRoll, with_side_value
from leuthen.rulesets.campaigns.rules.r12_fight import Fight
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId, bag, of

Place: TypeAlias = tuple[Hex, bool]
"""The place of a force: hex, and inside or not."""
Where: TypeAlias = Mapping[LeaderId, tuple[Place, int]]
"""The leaders of a nation with the place and TP of each."""
EXEMPT = "Frederick"


@memoized("lasting")
def leaders_of(pos: Position, nation: PowerId) -> Where:
    there = [pos.units[number] for number in pos.data.generals[nation] if number in pos.units]
    return {unit.number: ((unit.hex, unit.inside), of(unit.tp, nation) if unit.tp else 0) for unit in there}


def is_bound(pos: Position, nation: PowerId) -> bool:
    """Return whether V2.2 now applies to a nation."""
    first = senior(pos, nation) if pos.options.einhorn else NO_LEADER
    return first >= 0 and pos.data.leaders[first].name != EXEMPT


def why_not_shift(pos: Position, nation: PowerId, before: Where, after: Where) -> Refusal | None:
    """Return the rule that forbids a voluntary shift of TP between forces of a nation, or None (V2.2).

    (a) A force that grows must afterwards be no larger than the senior's; (b) if the senior's shrinks, it must
    afterwards be larger than any other. A force that moves to an empty place does not grow. The senior leader keeps
    that rank for this test even after giving all his men away: his force then counts as none.
    """
    first = senior(pos, nation)
    if first not in after:
        return None
    old, new = _sums(before), _sums(after)
    here, there = before[first][0] if first in before else None, after[first][0]
    name = pos.data.leaders[first].name
    leading = [n for n, (at, tp) in after.items() if tp and at == there and pos.ranks[n] <= pos.ranks[first]]
    mine = new.get(there, 0) if leading else 0  # it is none if nobody of his rank or above leads men in his place
    for place, points in new.items():
        if place != there and points > mine:
            joined = [old[before[n][0]] for n, (at, tp) in after.items() if at == place and tp and n in before]
            if points > (old.get(place) or max(joined, default=0)):  # earlier TP there, else of the force it came from
                reason = "{} TP would be there: more than the force of {}, the senior leader, with {}"
                return Refusal("V2.2", reason, (points, name, mine), place[0])
    if here is not None and mine < old.get(here, 0):
        most = max([points for place, points in new.items() if place != there], default=0)
        if most and mine <= most:
            reason = "{}, the senior leader, would have {} TP; another force would have {}"
            return Refusal("V2.2", reason, (name, mine, most))
    return None


def why_not_part(pos: Position, numbers: Collection[LeaderId], place: Place) -> Refusal | None:
    """Return the rule that forbids some leaders to leave their force for a place, or None (V2.2)."""
    generals = [number for number in numbers if not pos.data.is_wagon(number)]
    for nation in sorted({pos.leader(number).nation for number in generals}):
        before = leaders_of(pos, nation)
        gone = {n: (place, before[n][1]) for n in generals if n in before}
        if is_bound(pos, nation) and (refusal := why_not_shift(pos, nation, before, {**before, **gone})):
            return refusal
    return None


def why_not_gain(pos: Position, leader: LeaderId, points: int) -> Refusal | None:
    """Return the rule that forbids a leader to gain these TP (or to lose them, if negative), or None (V2.2)."""
    nation = pos.leader(leader).nation
    if pos.data.is_wagon(leader) or not is_bound(pos, nation):
        return None
    before = leaders_of(pos, nation)
    at, tp = before[leader]
    return why_not_shift(pos, nation, before, {**before, leader: (at, tp + points)})


def can_complete(
    chosen: tuple[LeaderId, ...], later: Sequence[LeaderId], why_not: Callable[[Sequence[LeaderId]], Refusal | None]
) -> bool:
    """Return whether these leaders may go, perhaps together with some of the later ones."""
    is_complete = bool(chosen) and not why_not(chosen)
    return is_complete or any(can_complete((*chosen, n), later[at + 1 :], why_not) for at, n in enumerate(later))


def _sums(where: Where) -> dict[Place, int]:
    found: dict[Place, int] = {}
    for place, points in where.values():
        found[place] = found.get(place, 0) + points
    return found


DOOMED = 3  # captured or destroyed at this die or below (R2.4, R9.4)


def resolve_hexes(draft: Draft) -> None:
    """Revise open decisions after a unit has gone, roll for lone units (not in a battle), and update sights."""
    if draft.parted:
        prune_decisions(draft)
    if draft.touched:
        _judge_hexes(draft)
    if draft.options.hidden:
        draft.update_knowledge()


def _judge_hexes(draft: Draft) -> None:
    for frame in draft.frames:
        if isinstance(frame, Fight):
            return
    without_men = _without_men(draft)
    for unit in without_men:
        if not unit.sp and draft.data.is_wagon(unit.number):  # R9.3
            draft.remove(unit.number)
    if draft.parted:
        prune_decisions(draft)
        without_men = _without_men(draft)
    draft.touched = set()
    asked = {frame.unit for frame in draft.frames if isinstance(frame, LoneRoll)}
    for unit in reversed(without_men):
        if is_lone(draft, unit) and unit.number not in asked:
            draft.push(LoneRoll(draft.side(unit.number), unit.number))


def _without_men(draft: Draft) -> list[Unit]:
    standing, units = draft.census.numbers, draft.units
    return [units[n] for n in sorted([n for here in draft.touched for n in standing.get(here, ())]) if not units[n].tp]


def is_lone(pos: Position, unit: Unit) -> bool:
    """Return whether a unit without TP shares a field hex with enemy TP and without friendly TP (R2.4, R9.4)."""
    if unit.tp or is_sheltered(pos, unit):
        return False
    side = pos.side(unit.number)
    return field_tp(pos, unit.hex, OTHER[side]) > 0 and not field_tp(pos, unit.hex, side)


class LoneRoll(SideRoll, rule="R2.4", name="Alone among enemies"):
    """The fate of a lone leader (R2.4) or wagon (R9.4)."""

    unit: LeaderId

    def after_removal(self, pos: Position) -> Self | None:
        """Drop the die if the unit has gone, or is no longer alone."""
        unit = pos.units.get(self.unit)
        return self if unit is not None and is_lone(pos, unit) else None

    def rule(self, pos: Position) -> str:
        return "R9.4" if pos.data.is_wagon(self.unit) else self.RULE

    def rolled(self, draft: Draft, die: int) -> None:
        """A leader is captured on 1-3, otherwise he escapes; a wagon is destroyed on 1-3, otherwise taken."""
        draft.give_away(0, 1)  # what a wagon carries, who was senior
        unit = draft.units.get(self.unit)
        if unit is None or not is_lone(draft, unit):
            return
        if draft.data.is_wagon(self.unit):
            fate = lose_wagon(draft, unit, taken=die > DOOMED)
        else:
            fate = "is captured" if die <= DOOMED else escape(draft, unit)
            if fate == "is captured":
                capture(draft, self.unit)  # without TP nobody is senior
        draft.emit(LoneFate(side=self.side, unit=self.unit, die=die, hex=unit.hex, fate=fate, by=self.rule(draft)))


def escape(draft: Draft, leader: Unit) -> str:
    """Move a leader to the nearest friendly force or garrison, on a tie the first; else he is captured (R2.4)."""
    side, here = draft.side(leader.number), leader.hex
    away, kind_at = draft.data.board.distances(here), draft.data.kind_at
    found = [
        (away[unit.hex], unit.hex, unit.inside)
        for unit in draft.units.values()
        if unit.tp and draft.side(unit.number) == side and unit.hex in away and (unit.hex != here or unit.inside)
    ]
    for there in draft.garrisons:
        able = kind_at(there).inside or not field_tp(draft, there, OTHER[side])  # R10.1
        if draft.owners[there] == side and there in away and able:
            found.append((away[there], there, kind_at(there).inside))
    if not found:
        return "is captured"
    _, there, inside = min(found)
    draft.change(leader.number, hex=there, inside=inside, left=True)
    return "escapes"


def seniors(pos: Position) -> frozenset[LeaderId]:
    return frozenset(senior(pos, nation) for nation in ALL_NATIONS)


def capture(draft: Draft, leader: LeaderId, *, was_senior: bool = False) -> None:
    """Make a leader a prisoner, marked if he was his nation's senior (R16.2); his SP are lost (R9.5)."""
    side = draft.side(leader)
    draft.remove(leader)
    draft.set_roster(leader, CAPTIVE)
    held = (*draft.captives[OTHER[side]], Captive(leader, was_senior))
    draft.captives = with_side_value(draft.captives, OTHER[side], held)


def lose_wagon(draft: Draft, unit: Unit, *, taken: bool) -> str:
    """Destroy a wagon, or give it with half its SP to a nation of the captor (R9.4); return its fate in words."""
    side = draft.side(unit.number)
    draft.remove(unit.number)
    if not taken:
        return "is destroyed"
    if unit.sp < 2:
        return "is captured, but half of its 1 SP is nothing: destroyed"
    chief = commander(draft, force_at(draft, unit.hex, OTHER[side], False))
    nation = draft.leader(chief).nation if chief >= 0 else PowerId(SIDE_OF.index(OTHER[side]))
    number = free_wagon(draft, nation)
    if number < 0:
        return f"is captured, but no wagon of {draft.data.nations[nation].name} is free: destroyed"
    draft.put(Unit(number, unit.hex, sp=unit.sp // 2, moved=True))
    return f"is taken with {unit.sp // 2} SP"


def free_wagon(pos: Position, nation: PowerId) -> LeaderId:
    """Return a number for a new wagon of a nation, or -1 at its limit (R9.3)."""
    free = [n for n in pos.data.wagon_ids[nation][: pos.data.nations[nation].wagons] if n not in pos.units]
    return free[0] if free else NO_LEADER


def place_leader(draft: Draft, leader: LeaderId, here: Hex, *, inside: bool, tp: int = 0) -> None:
    draft.put(Unit(leader, here, inside, bag(draft.leader(leader).nation, tp)))
    draft.set_roster(leader, ON_MAP)


def prune_decisions(draft: Draft) -> None:
    """Reduce each decision in progress to the remaining units, or drop it; a dropped battle drops all inside it."""
    draft.parted = False
    frames: list[Decision] = []
    for frame in draft.frames:
        left = frame.after_removal(draft)
        if left is not None:
            frames.append(left)
        elif isinstance(frame, Fight):
            break
    if len(frames) != len(draft.frames) or any(a is not b for a, b in zip(frames, draft.frames, strict=True)):
        draft.frames = tuple(frames)
