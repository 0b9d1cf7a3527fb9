"""A position drawn from all those that a view allows: what its viewer cannot see is drawn anew (R1.8, option `hidden`).

Strengths keep within the bands that the viewer knows; each force keeps its colours and its commander. The view of every
such position is the view that it was drawn from. Without `hidden` there is but one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from leuthen.engine.choice import Chooser
from leuthen.engine.ruleset import EVERYTHING
from leuthen.rulesets.campaigns.knowledge.view import SEEN_FIELDS, TABLES, SeenForce, View, fighters_in
from leuthen.rulesets.campaigns.model.data import NATIONS, SIDE_OF, GameData
from leuthen.rulesets.campaigns.model.forces import by_seniority, limit
from leuthen.rulesets.campaigns.model.sights import UNKNOWN
from leuthen.rulesets.campaigns.model.state import HUNGRY, ON_MAP, Draft, Sight, State, Unit, state_of
from leuthen.rulesets.campaigns.rules.r04_command.command import MOST_MOVES
from leuthen.rulesets.campaigns.rules.r09_supply.supply import WAGON_LOAD, load_limit
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Fight
from leuthen.wargame.strength import EMPTY, Bag, bag, largest, of, total

JUNIOR_SHARE: Final = 0.5
"""How much of what is left a junior leader may be given, at most."""


RARE: Final = 0.25
"""How often somebody has done something that is not seen."""


class Steady:
    """Draws the middle of everything: an estimate without dice."""

    def random(self) -> float:
        """One half."""
        return 0.5


def world_of(data: GameData, view: View, rng: Chooser | None = None) -> State:
    """A position with just this view; `rng` decides what the viewer cannot see, without it the middle is taken."""
    values: dict[str, Any] = {name: getattr(view, name) for name in SEEN_FIELDS}
    values |= {name: dict(values[name]) for name in TABLES}
    values["units"] = {unit.number: unit for unit in view.units}
    values["conquered"] = frozenset(view.conquered)
    values["drawn"] = frozenset(view.drawn)
    values["sights"] = {f.key: Sight(f.low, f.high, f.since) for f in view.stacks if f.most and f.high < UNKNOWN}
    if not view.options.hidden:
        values["sights"] = {}
    world = state_of(data, values)
    if not view.options.hidden or view.viewer == EVERYTHING:
        return world
    return Drawing(world, view, rng or Steady()).finished()


class Drawing:
    """A position in the making: forces are filled one after the other."""

    def __init__(self, start: State, view: View, rng: Chooser) -> None:
        self.draft = Draft(start)
        self.view = view
        self.rng = rng
        self.seen = frozenset(unit.number for unit in view.units)
        self.fighting = fighters_in(view.frames)
        self.hidden = [force for force in view.stacks if not view.knows(force.side)]

    def finished(self) -> State:
        """The position."""
        for leader in self._unseen():
            self._lodge(leader)
        for force in self.hidden:
            if force.most:
                self._fill(force)
        self._equip()
        draft = self.draft
        fallen = sum((self._fallen(frame) for frame in self.view.frames if isinstance(frame, Fight)), EMPTY)
        draft.dead += fallen
        draft.recompute()
        draft.frames = tuple(frame.restored(draft, self.view.viewer) for frame in draft.frames)
        return draft.freeze()

    def _fallen(self, battle: Fight) -> Bag:
        """Who has fallen in a battle in progress, of the sides whose dead are not known."""
        fallen = sum((host.fallen for host in battle.hosts or ()), EMPTY)
        return sum(bag(n, of(fallen, n)) for n in range(len(NATIONS)) if not self.view.knows(SIDE_OF[n]))

    def _unseen(self) -> list[int]:
        """Leaders on the map of whom the viewer does not know where they stand, the most senior first."""
        seen, draft = set(self.draft.units), self.draft
        on_map = (n for n, status in enumerate(self.view.roster) if status == ON_MAP and n not in seen)
        return by_seniority(draft, (n for n in on_map if not self.view.knows(draft.side(n))))

    def _lodge(self, leader: int) -> None:
        """A junior stands in some force of his side that has TP, rather one of his nation."""
        nation = self.draft.leader(leader).nation
        able = [f for f in self.hidden if f.most and f.side == SIDE_OF[nation] and self._has_room(f)]
        own = [force for force in able if force.nation == nation]
        pool = own or able
        force = pool[int(self.rng.random() * len(pool))]
        self.draft.put(Unit(leader, force.hex, force.inside))

    def _has_room(self, force: SeenForce) -> bool:
        """Whether leaders may stand so: not inside a city (R10.1)."""
        return not force.inside or self.draft.data.kind_at(force.hex).inside

    def _fill(self, force: SeenForce) -> None:
        """A force gets its TP: those known to have some first, then its commander and garrison, then its juniors."""
        units = [u for u in self.draft.units.values() if self._is_in(u, force)]
        points = {u.number: u.strength for u in units if u.tp}
        chief = force.commander
        led = sum((u.tp for u in units), EMPTY)
        if chief >= 0:
            nation = self.draft.leader(chief).nation
            more = _lacking(led, nation)
            points[chief] = points.get(chief, 0) + more
            led += bag(nation, more)
        posts = _lacking(led, force.nation) if force.inside else 0
        left = self._strength(force, total(led) + posts) - total(led) - posts
        if chief < 0 or (force.inside and force.nation != self.draft.leader(chief).nation):
            posts, left = posts + left, 0
        elif force.inside:
            part = int(left * self.rng.random())
            posts, left = posts + part, left - part
        if chief >= 0:
            left = self._share(units, chief, points, left)
            points[chief] += left
        for number, tp in points.items():
            self.draft.change(number, tp=bag(self.draft.leader(number).nation, tp))
        if posts:
            self.draft.set_garrison(force.hex, bag(force.nation, posts))

    def _share(self, units: Sequence[Unit], chief: int, points: dict[int, int], left: int) -> int:
        """Juniors get some of the TP that are left; what is left then."""
        for unit in units:
            if chief not in self.fighting and self._may_have(unit, chief):
                part = int(left * JUNIOR_SHARE * self.rng.random())
                points[unit.number] = part
                left -= part
        return left

    def _is_in(self, unit: Unit, force: SeenForce) -> bool:
        return (unit.hex, self.draft.side(unit.number), unit.inside) == (force.hex, force.side, force.inside)

    def _may_have(self, unit: Unit, chief: int) -> bool:
        """Whether a junior may have TP without commanding (R2.2): one of the commander's nation, and below him."""
        draft, number = self.draft, unit.number
        if number == chief or draft.data.is_wagon(number) or draft.data.is_wagon(chief) or unit.tp:
            return False
        if draft.leader(number).nation != draft.leader(chief).nation or number in self.seen:
            return False
        return draft.ranks[number] > draft.ranks[chief]

    def _strength(self, force: SeenForce, floor: int) -> int:
        """TP within the band, and as many as a force with such a commander may have."""
        low = max(force.least, floor)
        if force.most < UNKNOWN:
            return low + int(max(0, force.most - low + 1) * self.rng.random())
        chief = force.commander
        if chief in self.fighting:
            return low
        most = limit(self.draft, chief, is_senior=False) if chief >= 0 else self.draft.data.kind_at(force.hex).garrison
        return max(low, int(most * (0.3 + self.rng.random())))

    def _equip(self) -> None:
        """What is carried, and what everybody has done and suffered this turn."""
        draft = self.draft
        for number, unit in list(draft.units.items()):
            if self.view.knows(draft.side(number)):
                continue
            is_wagon = draft.data.is_wagon(number)
            most = WAGON_LOAD if is_wagon else load_limit(draft, unit)
            values = {"sp": max(int(is_wagon), round(most * self.rng.random())), "start": unit.hex}
            values |= {name: self._now_and_then() for name in ("far", "left")}
            values |= {"moves": MOST_MOVES * self._now_and_then(), "fodder": HUNGRY * self._now_and_then()}
            values["rolls"] = int(self._now_and_then())
            if number not in self.fighting:
                values["hunger"] = int(self._now_and_then())
            if is_wagon or number not in self.seen:
                values["moved"] = self._now_and_then()
            if number not in self.seen:
                values |= dict.fromkeys(("shaken", "daunted"), draft.clock * self._now_and_then())
            draft.put(msgspec.structs.replace(unit, **values))

    def _now_and_then(self) -> bool:
        return self.rng.random() < RARE


def _lacking(tp: Bag, nation: int) -> int:
    """How many TP a nation lacks so that it has the most, and any at all."""
    lacking = int(not of(tp, nation))
    while largest(tp + bag(nation, lacking)) != nation:
        lacking += 1
    return lacking
