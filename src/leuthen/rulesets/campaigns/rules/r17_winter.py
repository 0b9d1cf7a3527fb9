"""R17.8: the winter between two years of the campaign: quarters, the council of each nation, the new year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Final, Self

import msgspec

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import OTHER, ActorId, Side, ViewerId
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.actions import Quarter
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, COALITION, NATIONS, PRUSSIAN, SIDE_OF
from leuthen.rulesets.campaigns.model.decisions import Decision, SideDecision
from leuthen.rulesets.campaigns.model.events import AllRecovered, Arranged, DepotChanged, LeaderCame, Quartered
from leuthen.rulesets.campaigns.model.forces import is_friendly
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, UNUSED, Depot
from leuthen.rulesets.campaigns.model.state import Draft, Position, forget, give_away
from leuthen.rulesets.campaigns.rules.r02_leaders import is_bound, leaders_of, place_leader, why_not_part, why_not_shift
from leuthen.rulesets.campaigns.rules.r04_command.command import FRESHLY
from leuthen.rulesets.campaigns.rules.r05_hex_actions import garrison_room
from leuthen.rulesets.campaigns.rules.r09_supply import load_limit
from leuthen.rulesets.campaigns.rules.r15_arrivals import LEAVERS, ReplacementRoll, can_leave, remove_leader
from leuthen.rulesets.campaigns.rules.r18_setup import give_wagons
from leuthen.wargame.board import Hex, as_hex, bit, hex_name, hexes_of, stack_key
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, PowerId, as_leader, bag, of

BROUGHT: Final = 2  # unused leaders for each nation (R17.8)


@memoized("lasting")
def _holders(pos: Position, nation: PowerId) -> dict[int, int]:
    own: dict[int, int] = {number: tp for number, (_, tp) in leaders_of(pos, nation).items()}
    posts = _posts(pos, SIDE_OF[nation])
    return {**own, **{do.GARRISON + here: of(pos.garrisons.get(here, EMPTY), nation) for here in posts}}


def _posts(pos: Position, side: Side) -> list[Hex]:
    return [here for here in pos.data.strongholds if is_friendly(pos, here, side)]


class Council(Decision[do.CouncilAction], rule="R17.8", name="Winter council", neutral=Done(), veiled={"moved": ()}):
    """A nation redistributes TP, moves depots, changes leaders (R17.8)."""

    nation: PowerId
    brought: int = 0
    dismissed: bool = False
    moved: tuple[int, ...] = ()  # who has received TP: once each

    def after_removal(self, pos: Position) -> Self | None:
        return self if pos.status[self.nation] == AT_WAR else None

    @property
    def side(self) -> Side:
        return SIDE_OF[self.nation]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,)

    def holders(self, pos: Position) -> dict[int, int]:
        return _holders(pos, self.nation)

    def room(self, pos: Position, taker: int) -> int:
        return (
            forces.room(pos, LeaderId(taker)) if taker < do.GARRISON else garrison_room(pos, Hex(taker - do.GARRISON))
        )

    def takers(self, pos: Position, giver: int) -> list[int]:
        return [taker for taker in self.holders(pos) if self._why_not(pos, giver, taker, 1) is None]

    def amounts(self, pos: Position, giver: int, taker: int) -> list[int]:
        """Return the TP that may pass; a legal number makes smaller ones legal (V2.1, V2.2, R10.1)."""
        most = min(self.holders(pos)[giver], self.room(pos, taker))
        return list(takewhile(lambda n: self._why_not(pos, giver, taker, n) is None, range(1, most + 1)))

    def _why_not(self, pos: Position, giver: int, taker: int, points: int) -> Refusal | None:
        held = self.holders(pos)
        if giver not in held or taker not in held or giver == taker:
            return Refusal("R17.8", "TP pass between two leaders and garrisons of this nation")
        if taker in self.moved:
            return Refusal("R17.8", "each may receive TP only once")
        if giver in self.moved:
            return Refusal("R17.8", "a unit that has received TP cannot give any")
        if points > (most := min(held[giver], self.room(pos, taker))):
            return Refusal("R17.8", "at most {} TP can pass", (most,))
        if not is_bound(pos, self.nation):
            return None
        before = leaders_of(pos, self.nation)
        after = dict(before)
        for number, change in ((giver, -points), (taker, points)):
            if number < do.GARRISON:
                leader = LeaderId(number)
                at, tp = after[leader]
                after[leader] = (at, tp + change)
        return why_not_shift(pos, self.nation, before, after)

    def givers(self, pos: Position) -> Iterator[int]:
        able = self.holders(pos)
        for giver, points in able.items():
            has_men = points and giver not in self.moved
            if has_men and any(self._why_not(pos, giver, taker, 1) is None for taker in able):
                yield giver

    def depots(self, pos: Position) -> list[Hex]:
        return [here for here, depot in pos.depots.items() if depot.nation == self.nation]

    def sites(self, pos: Position) -> list[Hex]:
        """Return friendly strongholds with TP where a depot may be set up."""
        if len(self.depots(pos)) >= pos.data.nations[self.nation].depots:
            return []
        with_tp = pos.census.insides[self.side] | pos.census.fields[self.side]
        return [here for here in _posts(pos, self.side) if with_tp >> here & 1 and here not in pos.depots]

    def unused(self, pos: Position) -> list[LeaderId]:
        if self.brought >= BROUGHT or self.nation in pos.conquered:
            return []
        return [n for n in pos.data.generals[self.nation] if n < pos.data.named and pos.roster[n] == UNUSED]

    def dismissable(self, pos: Position) -> list[LeaderId]:
        """Return the leaders who may be removed: another unit must take over their TP (R2.5)."""
        own = list(leaders_of(pos, self.nation))
        return [n for n in own if can_leave(pos, n)] if not self.dismissed and len(own) > 1 else []

    def script(self, pos: Position, actor: Side) -> Script[do.CouncilAction]:
        homes = _posts(pos, self.side)
        kinds: list[Token] = ["done"]
        kinds += ["transfer"] if any(True for _ in self.givers(pos)) else []
        kinds += ["found"] if self.sites(pos) else []
        kinds += ["remove"] if self.depots(pos) else []
        kinds += ["bring"] if self.unused(pos) and homes else []
        kinds += ["dismiss"] if self.dismissable(pos) else []
        ask = partial(self._ask, pos)
        kind = yield ask("do", kinds)
        if kind == "transfer":
            giver = int((yield ask("giver", list(self.givers(pos)))))
            taker = int((yield ask("taker", self.takers(pos, giver))))
            values = self.amounts(pos, giver, taker)
            return do.Transfer(giver, taker, int((yield ask("points", values, canon=values[-1:]))))
        if kind == "found":
            return do.Found(as_hex((yield ask("hex", self.sites(pos)))))
        if kind == "remove":
            return do.Remove(as_hex((yield ask("hex", self.depots(pos)))))
        if kind == "bring":
            leader = as_leader((yield ask("leader", self.unused(pos))))
            return do.Bring(leader, as_hex((yield ask("hex", homes, canon=homes[:1]))))
        if kind == "dismiss":
            return do.Dismiss(as_leader((yield ask("leader", self.dismissable(pos)))))
        return Done()

    def _ask(self, pos: Position, name: str, values: Sequence[Token], canon: Sequence[Token] | None = None) -> Slot:
        refuse = Refusal("R17.8", "that is not possible in this council")
        return Slot(name, values, lambda token: refuse, canon=canon, explain=lambda action: self._why_none(pos, action))

    def _why_none(self, pos: Position, action: Action) -> Refusal | None:
        if isinstance(action, do.Transfer):
            return self._why_not(pos, action.giver, action.taker, action.points)
        if isinstance(action, do.Found):
            name, most = pos.data.nations[self.nation].name, pos.data.nations[self.nation].depots
            if len(self.depots(pos)) >= most:
                return Refusal("R17.8", "{} already has all its depots in use: {}", (name, most), action.hex)
            if action.hex in pos.depots:
                return Refusal("R9.1", "there is already a depot", (), action.hex)
            if action.hex not in _posts(pos, self.side):
                return Refusal("R17.8", "a depot needs a friendly stronghold", (), action.hex)
            return Refusal("R17.8", "friendly TP must be in the hex", (), action.hex)
        if isinstance(action, do.Bring):
            if self.nation in pos.conquered:
                return Refusal("R17.7", "a conquered nation gets no new leaders")
            if self.brought >= BROUGHT:
                return Refusal("R17.8", "{} leaders have already come", (BROUGHT,))
            if action.leader not in pos.data.leader_ids[: pos.data.named]:
                return None
            leader = pos.leader(action.leader)
            if leader.nation != self.nation or pos.roster[action.leader] != UNUSED:
                return Refusal("R17.8", "{} is not an unused leader of this nation", (leader.name,))
            return Refusal("R17.8", "he comes to a stronghold of yours", (), action.hex)
        if not isinstance(action, do.Dismiss):
            return None
        if self.dismissed:
            return Refusal("R17.8", "a leader has already been dismissed")
        reason = "no leader or garrison can take over the men of {}"
        known = action.leader in leaders_of(pos, self.nation)
        return Refusal("R17.8", reason, (pos.leader(action.leader).name,)) if known else None

    def answer(self, draft: Draft, actor: Side, action: do.CouncilAction) -> None:
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, do.Transfer):
            self._transfer(draft, action)
        elif isinstance(action, do.Found | do.Remove):
            draft.set_depot(action.hex, Depot(self.nation) if isinstance(action, do.Found) else None)
            what = "is set up" if isinstance(action, do.Found) else "is removed"
            draft.emit(DepotChanged(side=self.side, hex=action.hex, nation=self.nation, what=what, by=self.RULE))
        elif isinstance(action, do.Bring):
            place_leader(draft, action.leader, action.hex, inside=False)
            draft.swap(msgspec.structs.replace(self, brought=self.brought + 1))
            draft.emit(LeaderCame(side=self.side, leader=action.leader, hex=action.hex, tp=0, by=self.RULE))
        else:
            remove_leader(draft, action.leader, by=self.RULE)
            draft.swap(msgspec.structs.replace(self, dismissed=True))

    def _transfer(self, draft: Draft, action: do.Transfer) -> None:
        give_away(draft, self.side)  # a garrison may show other colours
        for holder, change in ((action.giver, -action.points), (action.taker, action.points)):
            if holder >= do.GARRISON:
                here = Hex(holder - do.GARRISON)
                draft.set_garrison(here, draft.garrisons.get(here, EMPTY) + bag(self.nation, change))
                forget(draft, stack_key(here, self.side, True))
            else:
                unit = draft.units[LeaderId(holder)]
                forget(draft, stack_key(unit.hex, self.side, unit.inside))
                draft.change(unit.number, tp=unit.tp + bag(self.nation, change))
        draft.swap(msgspec.structs.replace(self, moved=(*self.moved, action.taker)))
        named = [LeaderId(n) for n in (action.giver, action.taker) if n < do.GARRISON]
        points = tuple(draft.units[n].strength for n in named)
        here = draft.units[named[0]].hex if named else Hex(action.taker - do.GARRISON)
        draft.emit(Arranged(side=self.side, hex=here, units=tuple(named), points=points, garrison=-1, by=self.RULE))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Winter council of {pos.data.nations[self.nation].name}: transfer TP, depots and leaders"


RAISED: Final = 6  # rolls for replacements in the base game (R17.8)


class Interlude(Decision, rule="R17.8", name="Winter"):
    """Sieges end, all recover; quarters, councils, and the next year (R17.8)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.sieges = {}
        for here, depot in draft.depots.items():
            draft.set_depot(here, Depot(depot.nation))
        for number in list(draft.units):
            draft.change(number, **FRESHLY, moved=False, hunger=0, rolls=0, shaken=0, daunted=0)
        draft.emit(AllRecovered())
        draft.push(NewYear())
        for nation in reversed(ALL_NATIONS):
            if draft.status[nation] == AT_WAR:
                draft.push(Council(nation))
        draft.push(Quartering(PRUSSIAN))
        draft.push(Quartering(COALITION))


class NewYear(Decision, rule="R17.8", name="New year"):
    """Wagons and SP are filled up, leaders leave, and the year begins (R17.8)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        leaver = draft.data.leader_named(LEAVERS[draft.year]) if draft.year in LEAVERS else NO_LEADER
        if leaver in draft.units:
            remove_leader(draft, leaver, by=self.RULE)
        give_wagons(draft)
        for number, unit in list(draft.units.items()):
            draft.change(number, sp=max(unit.sp, load_limit(draft, draft.units[number])))
        draft.year += 1
        draft.turn = 0
        draft.raised = (0,) * len(NATIONS)
        if not draft.options.einhorn:
            for nation in reversed(ALL_NATIONS):
                if draft.status[nation] == AT_WAR and nation not in draft.conquered:
                    for _ in range(RAISED):
                        draft.push(ReplacementRoll(nation))


@memoized("lasting")
def _quarters(pos: Position, side: Side, here: Hex) -> list[Hex]:
    there = pos.census
    passable = pos.data.board.land & ~(there.fields[OTHER[side]] | there.insides[OTHER[side]])
    seen = edge = bit(here)
    while edge:
        edge = pos.data.board.spread(edge) & passable & ~seen
        seen |= edge
    return [goal for goal in hexes_of(seen & pos.data.places_held) if is_friendly(pos, goal, side)]


class Quartering(SideDecision[Quarter], rule="R17.8", name="Winter quarters"):
    """Each force of a side goes to a friendly stronghold that it can reach (R17.8)."""

    done: tuple[LeaderId, ...] = ()

    def mask_for(self, pos: Position, viewer: ViewerId) -> Self:
        """The opponent sees which forces have gone whole, by their commander or lone units (R1.8)."""
        if viewer == self.side:
            return self
        done: list[int] = []
        places = {(unit.hex, unit.inside) for n, unit in pos.units.items() if pos.side(n) == self.side}
        for here, inside in sorted(places):
            units = forces.force_at(pos, here, self.side, inside)
            if all(unit.number in self.done for unit in units):
                chief = forces.commander(pos, units)
                alone = [] if inside or any(unit.tp for unit in units) else [unit.number for unit in units]
                done += [chief] if chief >= 0 else alone
        return msgspec.structs.replace(self, done=tuple(done))

    def fill_hidden(self, pos: Position, viewer: ViewerId) -> Self:
        """Count units beside one that has gone as gone."""
        if viewer == self.side:
            return self
        gone = {(pos.units[n].hex, pos.units[n].inside) for n in self.done if n in pos.units}
        own = (n for n, unit in pos.units.items() if pos.side(n) == self.side and (unit.hex, unit.inside) in gone)
        return msgspec.structs.replace(self, done=(*self.done, *(n for n in own if n not in self.done)))

    def next(self, pos: Position) -> tuple[Hex, bool] | None:
        sides = pos.data.sides
        left = [unit for n, unit in pos.units.items() if sides[n] == self.side and n not in self.done]
        return min([(unit.hex, unit.inside) for unit in left], default=None)

    def goals(self, pos: Position, here: Hex) -> list[Hex]:
        return _quarters(pos, self.side, here)

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        place = self.next(pos)
        return (self.side,) if place is not None and self.goals(pos, place[0]) else ()

    def step(self, draft: Draft) -> None:
        place = self.next(draft)
        if place is None:
            draft.pop()
            return
        draft.swap(msgspec.structs.replace(self, done=(*self.done, *self._members(draft, place))))

    def _members(self, pos: Position, place: tuple[Hex, bool]) -> list[LeaderId]:
        here, inside = place
        force = [unit.number for unit in forces.force_at(pos, here, self.side, inside)]
        wagons = [unit.number for unit in forces.wagons_at(pos, here, self.side)]
        return [n for n in dict.fromkeys([*force, *(wagons if not inside else [])]) if n not in self.done]

    def neutral(self, pos: Position, actor: Side) -> Quarter | None:
        place = self.next(pos)
        return None if place is None else Quarter(*place)

    def script(self, pos: Position, actor: Side) -> Script[Quarter]:
        place = self.next(pos)
        assert place is not None
        yield Slot("do", ("quarter",), lambda token: Refusal("R17.8", "the force at {} goes", (hex_name(place[0]),)))
        quarters = self.quarters(pos, place)
        values = [place[0]] * (place[0] in quarters) + [here for here in quarters if here != place[0]]
        here = as_hex((yield Slot("hex", values, lambda token: self._why_not(pos, place, token), canon=values[:2])))
        inside = yield Slot("inside", quarters[here], lambda token: self._why_not(pos, place, here, bool(token)))
        return Quarter(here, bool(inside))

    def quarters(self, pos: Position, place: tuple[Hex, bool]) -> dict[Hex, list[int]]:
        """Return a force's goals, in the field (0) or inside (1); V2.2 is ignored if it would leave none."""
        able = {here: self._ways_in(pos, here, place) for here in self.goals(pos, place[0])}
        members = self._members(pos, place)
        return {
            here: found
            for here, ways in able.items()
            if (found := [way for way in ways if not why_not_part(pos, members, (here, bool(way)))])
        } or able

    def _ways_in(self, pos: Position, here: Hex, place: tuple[Hex, bool]) -> list[int]:
        own = sum(pos.units[n].strength for n in self._members(pos, place)) if place == (here, True) else 0
        return [0, 1] if pos.data.kind_at(here).inside and forces.inside_tp(pos, here, self.side) > own else [0]

    def _why_not(self, pos: Position, place: tuple[Hex, bool], token: Token, inside: bool = False) -> Refusal:
        if token not in self.goals(pos, place[0]):
            return Refusal("R17.8", "no free path leads from {} to a place of yours", (hex_name(place[0]),))
        here = as_hex(token)
        if int(inside) not in self._ways_in(pos, here, place):
            return Refusal("R10.3", "the force cannot winter there", (), here)
        refusal = why_not_part(pos, self._members(pos, place), (here, inside))
        return refusal or Refusal("R17.8", "the force cannot winter there", (), here)

    def answer(self, draft: Draft, actor: Side, action: Quarter) -> None:
        place = self.next(draft)
        assert place is not None
        members = self._members(draft, place)
        give_away(draft, self.side)  # who has gone whole
        for number in members:
            inside = action.inside and forces.can_be_inside(draft, draft.units[number])
            draft.change(number, hex=action.hex, inside=inside)
        draft.swap(msgspec.structs.replace(self, done=(*self.done, *members)))
        chief = forces.commander(draft, [draft.units[number] for number in members])
        lead = chief if chief >= 0 else members[0]
        draft.emit(Quartered(side=self.side, lead=lead, hex=action.hex, inside=draft.units[lead].inside))

    def prompt(self, pos: Position, actor: Side) -> str:
        place = self.next(pos)
        assert place is not None
        return f"Winter quarters for the force at {hex_name(place[0])}: name a stronghold"
