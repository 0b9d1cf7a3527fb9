"""A position as a side, a spectator or the umpire may know it, and whole positions that fit such a view (R1.6)."""

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from leuthen.engine.ruleset import EVERYTHING, Side, ViewerId
from leuthen.engine.state import PositionView, Values
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, SIDE_OF, GameData
from leuthen.rulesets.campaigns.model.forces import SeenForce, by_seniority, fighters_in, knows, limit, see_forces
from leuthen.rulesets.campaigns.model.pieces import HUNGRY, ON_MAP, UNKNOWN, Sight, Unit
from leuthen.rulesets.campaigns.model.state import FIELDS, TABLE, Draft, Position, SharedFields, State, state_of
from leuthen.rulesets.campaigns.rules.r09_supply import MOST_MOVES, WAGON_LOAD, load_limit
from leuthen.rulesets.campaigns.rules.r12_fight import Fight
from leuthen.wargame.strength import EMPTY, Bag, PowerId, bag, largest, of, total


class View(PositionView, SharedFields):
    """A position as `viewer` may know it: the input of a bot, and the base for sampled worlds.

    With the option `hidden`, no field holds the opponent's strengths, SP, junior leaders or past actions: `units` has
    only the enemy units that the viewer sees, with known TP (1 for "some"), and `garrisons`, `freed`, `dead` and
    `drawn` are the viewer's own.
    """

    stacks: tuple[SeenForce, ...]  # in board order
    moving = None  # no force leaves the board while it moves

    def knows(self, side: Side) -> bool:
        return knows(self.options, self.viewer, side)


def make_view(pos: Position, viewer: ViewerId) -> View:
    return View.of({**TABLE.seen(pos, viewer), "viewer": viewer})


def hidden_forces(pos: Position, viewer: ViewerId) -> list[SeenForce]:
    return [force for force in see_forces(pos, viewer) if not knows(pos.options, viewer, force.side)]


JUNIOR_SHARE: Final = 0.5  # largest part of the remaining TP for a junior leader


RARE: Final = 0.25  # how often an unseen unit has acted


class Filler(NamedTuple):
    """Chooses the values that a view hides: numbers in [0, 1), by default the middle of each range.

    `strength` returns the TP of a force, or None to leave them to chance. `shows_juniors`: unseen leaders hold TP too.
    """

    random: Callable[[], float] = lambda: 0.5
    strength: Callable[[SeenForce], int | None] = lambda force: None
    shows_juniors: bool = True


MIDDLE: Final = Filler()  # hidden forces have the middle of their range
OUTLINE: Final = Filler(shows_juniors=False)  # only leaders that the viewer sees hold TP


def complete_view(data: GameData, view: View, filler: Filler) -> State:
    """Return a position that has exactly this view; the filler chooses the rest."""
    values: Values = {name: getattr(view, name) for name in FIELDS if name != "sights"}
    known = [force for force in view.stacks if force.most and force.high < UNKNOWN] if view.options.hidden else []
    values["sights"] = {force.key: Sight(force.low, force.high, force.since) for force in known}
    world = state_of(data, values)
    if not view.options.hidden or view.viewer == EVERYTHING:
        return world
    return _Filling(world, view, filler).fill_rest()


class _Filling:
    """A position in the making: forces are filled one after the other."""

    def __init__(self, start: State, view: View, filler: Filler) -> None:
        self.draft = Draft(start)
        self.view = view
        self.filler = filler
        self.seen = frozenset(view.units)
        self.fighting = fighters_in(view.frames)
        self.hidden = [force for force in view.stacks if not view.knows(force.side)]

    def fill_rest(self) -> State:
        draft, roster = self.draft, self.view.roster
        unseen = [n for n in draft.data.leader_ids[: len(roster)] if roster[n] == ON_MAP and n not in draft.units]
        for leader in by_seniority(draft, unseen) if self.filler.shows_juniors else ():
            side, nation = draft.side(leader), draft.leader(leader).nation
            if not self.view.knows(side):  # in a force with TP, preferably of his nation; not in a city (R10.1)
                there = [force for force in self.hidden if force.most and force.side == side]
                able = [force for force in there if not force.inside or draft.data.kind_at(force.hex).inside]
                pool = [force for force in able if force.nation == nation] or able
                force = pool[int(self.filler.random() * len(pool))]
                draft.put(Unit(leader, force.hex, force.inside))
        for force in self.hidden:
            if force.most:
                self._fill(force)
        self._equip()
        hosts = [host for frame in self.view.frames if isinstance(frame, Fight) for host in frame.hosts or ()]
        fallen = sum((host.fallen for host in hosts), EMPTY)
        draft.dead += sum(bag(n, of(fallen, n)) for n in ALL_NATIONS if not self.view.knows(SIDE_OF[n]))
        draft.recompute()
        draft.frames = tuple(frame.fill_hidden(draft, self.view.viewer) for frame in draft.frames)
        return draft.freeze()

    def _fill(self, force: SeenForce) -> None:
        """Give a force its TP: first to units known to have some, then commander and garrison, then juniors."""
        place, side = (force.hex, force.side, force.inside), self.draft.side
        units = [u for u in self.draft.units.values() if (u.hex, side(u.number), u.inside) == place]
        points = {u.number: u.strength for u in units if u.tp}
        chief = force.commander
        led = sum((u.tp for u in units), EMPTY)
        if chief >= 0:
            nation = self.draft.leader(chief).nation
            more = _missing_tp(led, nation)
            points[chief] = points.get(chief, 0) + more
            led += bag(nation, more)
        posts = _missing_tp(led, force.nation) if force.inside else 0
        left = self._strength(force, total(led) + posts) - total(led) - posts
        if chief < 0 or (force.inside and force.nation != self.draft.leader(chief).nation):
            posts, left = posts + left, 0
        elif force.inside:
            part = int(left * self.filler.random())
            posts, left = posts + part, left - part
        if chief >= 0:
            ranks, own = self.draft.ranks, self.draft.data.generals[nation]
            able = [u.number for u in units if u.number in own and not u.tp and u.number not in self.seen]
            for number in able if chief in own and chief not in self.fighting else ():
                if ranks[number] > ranks[chief]:  # who may have TP without commanding (R2.2)
                    points[number] = int(left * JUNIOR_SHARE * self.filler.random())
                    left -= points[number]
            points[chief] += left
        for number, tp in points.items():
            more = tp - self.draft.units[number].strength  # a wagon shows whose men fight under it
            self.draft.change(number, tp=self.draft.units[number].tp + bag(self.draft.leader(number).nation, more))
        if posts:
            self.draft.set_garrison(force.hex, bag(force.nation, posts))

    def _strength(self, force: SeenForce, floor: int) -> int:
        given = self.filler.strength(force)
        if given is not None:
            return max(given, floor)
        low = max(force.least, floor)
        if force.most < UNKNOWN:
            return low + int(max(0, force.most - low + 1) * self.filler.random())
        chief = force.commander
        if chief in self.fighting:
            return low
        most = limit(self.draft, chief, is_senior=False) if chief >= 0 else self.draft.data.kind_at(force.hex).garrison
        return max(low, int(most * (0.3 + self.filler.random())))

    def _equip(self) -> None:
        draft = self.draft
        for number, unit in list(draft.units.items()):
            if self.view.knows(draft.side(number)):
                continue
            is_wagon = draft.data.is_wagon(number)
            most = WAGON_LOAD if is_wagon else load_limit(draft, unit)
            values = {"sp": max(int(is_wagon), round(most * self.filler.random())), "start": unit.hex}
            values |= {name: self._draw_rarely() for name in ("far", "left")}
            values |= {"moves": MOST_MOVES * self._draw_rarely(), "fodder": HUNGRY * self._draw_rarely()}
            values["rolls"] = int(self._draw_rarely())
            if number not in self.fighting:
                values["hunger"] = int(self._draw_rarely())
            if is_wagon or number not in self.seen:
                values["moved"] = self._draw_rarely()
            if number not in self.seen:
                values |= dict.fromkeys(("shaken", "daunted"), draft.clock * self._draw_rarely())
            draft.put(msgspec.structs.replace(unit, **values))

    def _draw_rarely(self) -> bool:
        return self.filler.random() < RARE


def _missing_tp(tp: Bag, nation: PowerId) -> int:
    """Return the TP that a nation needs to be the largest contingent."""
    lacking = int(not of(tp, nation))
    while largest(tp + bag(nation, lacking)) != nation:
        lacking += 1
    return lacking
