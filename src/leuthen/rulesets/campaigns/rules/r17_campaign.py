"""R17: the campaign: nations that join or leave the war (R17.3-R17.7), and the winter between two years (R17.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Final, Self

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, ActorId, Outcome, Side, ViewerId, as_side
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model import data, events, forces
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, COALITION, NATIONS, PRUSSIAN, SIDE_OF
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, GONE, NEUTRAL, OUT, TURNS, UNUSED, Coming, Depot
from leuthen.rulesets.campaigns.model.state import Decision, DiceRoll, Draft, Position, SideDecision, with_side_value
from leuthen.rulesets.campaigns.rules import r02_leaders as leaders
from leuthen.rulesets.campaigns.rules import r15_arrivals as arrivals
from leuthen.rulesets.campaigns.rules.r04_command.command import FRESHLY
from leuthen.rulesets.campaigns.rules.r05_hex_actions import garrison_room, hand_over
from leuthen.rulesets.campaigns.rules.r09_supply import load_limit
from leuthen.rulesets.campaigns.rules.r12_fight import largest_remainder
from leuthen.rulesets.campaigns.rules.r16_victory import is_area_controlled
from leuthen.rulesets.campaigns.rules.r18_setup import give_wagons, hold, home_side
from leuthen.wargame.board import Hex, as_hex, bit, hex_name, hexes_of, key_side, stack_key
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, PowerId, as_leader, bag, by_power, of, total

ALLY_TURNS: Final = (1, 7, 13)
ORDER: Final = (data.FRANCE, data.RUSSIA, data.EMPIRE, data.SWEDEN, data.HANOVER)
"""The nations that may join or leave the war, in the order of their dice (R17.3, R17.5)."""
FIRST_YEAR: Final = 1756
SAXON_AREAS: Final = ("Saxony", "Lusatia")
JOINING_SETUP: Final = "1757"  # the column of R10.8 for nations that join (R18.3)


class AllyStep(Decision, rule="R17.3", name="Ally determination"):
    """Step A: nations enter, leave and join (R17.3-R17.5)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if not arrivals.is_campaign(draft):
            return
        for nation in ORDER:
            if draft.joined[nation] == draft.clock and draft.status[nation] == NEUTRAL:
                enter_war(draft, nation)
        if draft.turn in ALLY_TURNS:
            draft.push_in_order(map(AllyTurn, ORDER))
        if draft.turn == 1:
            for nation in (data.FRANCE, data.SWEDEN, data.RUSSIA):
                draft.push(LeaveTurn(nation))


class AllyTurn(Decision, rule="R17.3", name="Ally determination"):
    """A neutral nation's turn to roll (R17.3)."""

    nation: PowerId

    def step(self, draft: Draft) -> None:
        """Roll; Hanover joins without a roll once France has."""
        draft.pop()
        if draft.status[self.nation] != NEUTRAL or draft.joined[self.nation]:
            return
        if self.nation == data.HANOVER and draft.joined[data.FRANCE]:
            join(draft, data.HANOVER)
        else:
            draft.push(AllyRoll(self.nation))


def ally_modifiers(pos: Position, nation: PowerId) -> events.Modifiers:
    """Return the modifiers of a neutral nation's dice (R17.3)."""
    if nation == data.HANOVER:
        return ()
    at_home = [(n, SIDE_OF[area.nation], area.name) for n, area in enumerate(pos.data.areas) if area.nation >= 0]
    lost = sum(is_area_controlled(pos, n, COALITION) for n, side, _ in at_home if side == PRUSSIAN)
    won = sum(
        is_area_controlled(pos, n, PRUSSIAN)
        for n, side, name in at_home
        if side == COALITION and name not in SAXON_AREAS
    )
    battle = {PRUSSIAN: -1, COALITION: 1, NOBODY: 0}[pos.last_battle]
    at_war = [status == AT_WAR for status in pos.status]
    there = pos.census
    saxony = 2 * bool(pos.data.board.region("saxony") & (there.fields[PRUSSIAN] | there.insides[PRUSSIAN]))
    own = {
        data.FRANCE: saxony,
        data.RUSSIA: int(at_war[data.FRANCE]),
        data.EMPIRE: saxony + (data.SAXONY in pos.conquered),
        data.SWEDEN: 2 * at_war[data.RUSSIA] + at_war[data.FRANCE],
    }[nation]
    return events.nonzero(
        ("own reasons", own),
        ("Prussian areas lost", lost),
        ("areas taken by Prussia", -won),
        ("last battle", battle),
        ("after 1756", int(pos.year > FIRST_YEAR)),
    )


class AllyRoll(DiceRoll, rule="R17.3", name="Ally determination"):
    nation: PowerId

    def after_removal(self, pos: Position) -> Self | None:
        return self if pos.status[self.nation] == NEUTRAL else None

    def rolled(self, draft: Draft, die: int) -> None:
        found = ally_modifiers(draft, self.nation)
        number = draft.data.alliances[self.nation]
        joins = die + events.total_of(found) >= number
        what = "joins the war" if joins else "stays neutral"
        side, nation = SIDE_OF[self.nation], self.nation
        draft.emit(events.NationTurned(side=side, nation=nation, what=what, dice=die, number=number, modifiers=found))
        if joins:
            join(draft, self.nation)


def join(draft: Draft, nation: PowerId) -> None:
    """Let a nation join: in 1756 it enters on turn 1 of 1757, later at once (R17.4)."""
    draft.set_joined(nation, max(draft.clock, TURNS + 1))
    if draft.joined[nation] == draft.clock:
        enter_war(draft, nation)


def enter_war(draft: Draft, nation: PowerId) -> None:
    """Put a nation at war, with its home strongholds, garrisons and depots (R17.4, R18.3).

    Forces before them stay; the places belong to its side whatever is there.
    """
    draft.set_status(nation, AT_WAR)
    men = 0
    for here in draft.data.homes[nation]:
        if draft.owners[here] == NOBODY:
            draft.set_owner(here, SIDE_OF[nation])
        place = draft.data.strongholds[here]
        holding = place.holdings.get(JOINING_SETUP)
        if holding is not None and holding.nation == nation and draft.owners[here] == SIDE_OF[nation]:
            hold(draft, here, place, JOINING_SETUP)
            draft.forget(stack_key(here, SIDE_OF[nation], True))
            men += holding.tp
    draft.emit(events.NationTurned(side=SIDE_OF[nation], nation=nation, what="enters the war", by="R17.4"))
    draft.emit(events.RaisedTp(side=SIDE_OF[nation], nation=nation, points=men, by="R18.3"))
    leaders.prune_decisions(draft)


class LeaveTurn(Decision, rule="R17.5", name="Leaving the war"):
    """A nation that may leave the war (R17.5)."""

    nation: PowerId

    def step(self, draft: Draft) -> None:
        """Roll in the nation's year; Sweden only once Russia has left."""
        draft.pop()
        due = (draft.year, self.nation) in draft.data.departures and draft.status[self.nation] == AT_WAR
        if due and (self.nation != data.SWEDEN or draft.status[data.RUSSIA] == OUT):
            draft.push(LeaveRoll(self.nation))


class LeaveRoll(DiceRoll, rule="R17.5", name="Leaving the war"):
    """Two dice of a nation that is tired of the war (R17.5)."""

    nation: PowerId

    def rolled(self, draft: Draft, die: int) -> None:
        """The nation leaves at the number or more; Hanover leaves with France."""
        number = draft.data.departures[draft.year, self.nation]
        leaves = die >= number
        what = "leaves the war" if leaves else "fights on"
        side = SIDE_OF[self.nation]
        draft.emit(events.NationTurned(side=side, nation=self.nation, what=what, dice=die, number=number, by=self.RULE))
        if leaves:
            draft.give_away(0, 1)  # what its garrisons were made of
            leave_war(draft, self.nation)
            if self.nation == data.FRANCE and draft.status[data.HANOVER] == AT_WAR:
                leave_war(draft, data.HANOVER)


def leave_war(draft: Draft, nation: PowerId) -> None:
    """Remove a nation's pieces, garrison men, arrivals and prisoners; places that it held alone go back (R17.5)."""
    inside = dict(draft.garrisons)
    for unit in draft.units.values():
        if unit.inside and unit.tp:
            inside[unit.hex] = inside.get(unit.hex, EMPTY) + unit.tp
    foreign = [(here, tp) for here, tp in sorted(inside.items()) if draft.data.strongholds[here].nation != nation]
    alone = [here for here, tp in foreign if tp == bag(nation, of(tp, nation))]
    _report_leaving(draft, nation)
    draft.set_status(nation, OUT)
    strike_units(draft, nation)
    for here, tp in list(draft.garrisons.items()):
        if own := bag(nation, of(tp, nation)):
            draft.dead += own
            draft.set_garrison(here, tp - own)
            draft.forget(stack_key(here, SIDE_OF[nation], True))
    arriving = [frame for frame in draft.frames if isinstance(frame, arrivals.Placing) and frame.nation == nation]
    draft.dead += sum(bag(nation, frame.points) for frame in arriving)
    for here in [h for h, depot in draft.depots.items() if depot.nation == nation]:
        draft.set_depot(here, None)
    for here in alone:
        side = home_side(draft.data.strongholds[here], draft.status)
        if side != draft.owners[here]:
            hand_over(draft, here, as_side(side))
    for side in SIDES:  # its men and leaders in enemy hands, or on their way from there
        struck = bag(nation, of(draft.prisoners[side], nation))
        draft.dead += struck
        draft.prisoners = with_side_value(draft.prisoners, side, draft.prisoners[side] - struck)
        remaining = tuple(one for one in draft.captives[side] if draft.leader(one.leader).nation != nation)
        draft.captives = with_side_value(draft.captives, side, remaining)
    draft.dead += sum(bag(nation, one.tp) for one in draft.coming if one.nation == nation)
    draft.coming = tuple(one for one in draft.coming if one.nation != nation)
    draft.emit(events.NationTurned(side=SIDE_OF[nation], nation=nation, what="is out of the war", by="R17.5"))
    leaders.prune_decisions(draft)


def _report_leaving(draft: Draft, nation: PowerId) -> None:
    """Emit an event for each force with leaders, wagons or men of the leaving nation (R17.5)."""
    side = SIDE_OF[nation]
    places = {(unit.hex, unit.inside) for number, unit in draft.units.items() if draft.leader(number).nation == nation}
    places |= {(here, True) for here, tp in draft.garrisons.items() if of(tp, nation)}
    for here, inside in sorted(places):
        force = [unit for unit in forces.units_at(draft, here, side) if unit.inside == inside]
        own = [unit for unit in force if draft.leader(unit.number).nation == nation]
        garrison = draft.garrisons.get(here, EMPTY) if inside else EMPTY
        men = bag(nation, of(garrison, nation))
        lead = forces.commander(draft, own)
        if lead < 0 and own and not forces.strength(force) and not garrison:  # they are seen to be alone
            lead = own[0].number
        units, tp = tuple([unit.number for unit in own]), forces.strength(own) + total(men)
        whole = len(own) == len(force) and men == garrison
        draft.emit(
            events.ForceLeft(
                side=side, nation=nation, hex=here, inside=inside, lead=lead, units=units, tp=tp, whole=whole
            )
        )


def strike_units(draft: Draft, nation: PowerId) -> None:
    """Remove its leaders, wagons and men (R17.5); freed men of other nations wait for a place (V7.3)."""
    for number, unit in list(draft.units.items()):
        own = bag(nation, of(unit.tp, nation))
        draft.dead += own
        if draft.leader(number).nation == nation:
            waiting = [Coming(draft.clock + 1, other, points) for other, points in by_power(unit.tp - own)]
            draft.coming = (*draft.coming, *waiting)
            draft.remove(number)
        elif own:
            draft.change(number, tp=unit.tp - own)
    for number in draft.data.leader_ids[: draft.data.wagons]:
        if draft.leader(number).nation == nation and draft.roster[number] != UNUSED:
            draft.set_roster(number, GONE)


class ConquestCheck(Decision, rule="R17.7", name="Conquest"):
    """Step I: nations that have lost all their forts and fortresses (R17.7)."""

    def step(self, draft: Draft) -> None:
        """Half of its TP are removed; with Prussia or Austria the war is over."""
        draft.pop()
        if not arrivals.is_campaign(draft):
            return
        for nation in ALL_NATIONS:
            strong = [h for h in draft.data.homes[nation] if draft.data.strongholds[h].kind != data.CITY]
            lost = strong and all(draft.owners[here] == OTHER[SIDE_OF[nation]] for here in strong)
            if lost and draft.status[nation] == AT_WAR and nation not in draft.conquered:
                conquer(draft, nation)


def conquer(draft: Draft, nation: PowerId) -> None:
    """Remove half of the nation's TP, rounded up: leaders before garrisons, in proportion (R17.7)."""
    draft.conquered |= {nation}
    draft.give_away(0, 1)  # what its forces were made of
    draft.forget(*[key for key in draft.sights if key_side(key) == SIDE_OF[nation]])
    draft.emit(events.NationTurned(side=SIDE_OF[nation], nation=nation, what="is conquered", by="R17.7"))
    holders = [(number, of(unit.tp, nation)) for number, unit in draft.units.items() if of(unit.tp, nation)]
    posts = [(here, of(tp, nation)) for here, tp in draft.garrisons.items() if of(tp, nation)]
    parts = [points for _, points in (*holders, *posts)]
    shares = largest_remainder(parts, -(-sum(parts) // 2))
    for (number, _), share in zip(holders, shares[: len(holders)], strict=True):
        draft.change(number, tp=draft.units[number].tp - bag(nation, share))
    for (here, _), share in zip(posts, shares[len(holders) :], strict=True):
        draft.set_garrison(here, draft.garrisons.get(here, EMPTY) - bag(nation, share))
    draft.dead += bag(nation, sum(shares))
    leaders.prune_decisions(draft)
    if nation in (data.PRUSSIA, data.AUSTRIA):
        draft.outcome = Outcome(OTHER[SIDE_OF[nation]], "conquest", "R17.7", draft.year)


BROUGHT: Final = 2  # unused leaders for each nation (R17.8)


@memoized("lasting")
def _holders(pos: Position, nation: PowerId) -> dict[int, int]:
    own: dict[int, int] = {number: tp for number, (_, tp) in leaders.leaders_of(pos, nation).items()}
    posts = _posts(pos, SIDE_OF[nation])
    return {**own, **{do.GARRISON + here: of(pos.garrisons.get(here, EMPTY), nation) for here in posts}}


def _posts(pos: Position, side: Side) -> list[Hex]:
    return [here for here in pos.data.strongholds if forces.is_friendly(pos, here, side)]


class Council(Decision[do.CouncilAction], rule="R17.8", name="Winter council", neutral=Done(), veiled={"moved": ()}):
    """A nation redistributes TP, moves depots, changes leaders (R17.8)."""

    nation: PowerId
    brought: int = 0
    dismissed: bool = False
    moved: tuple[int, ...] = ()  # who has received TP: once each

    @property
    def side(self) -> Side:
        return SIDE_OF[self.nation]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,)

    def holders(self, pos: Position) -> dict[int, int]:
        return _holders(pos, self.nation)

    def room(self, pos: Position, taker: int) -> int:
        place = taker - do.GARRISON
        return forces.room(pos, LeaderId(taker)) if place < 0 else garrison_room(pos, Hex(place))

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
        if not leaders.is_bound(pos, self.nation):
            return None
        before = leaders.leaders_of(pos, self.nation)
        after = dict(before)
        for number, change in ((giver, -points), (taker, points)):
            if number < do.GARRISON:
                leader = LeaderId(number)
                at, tp = after[leader]
                after[leader] = (at, tp + change)
        return leaders.why_not_shift(pos, self.nation, before, after)

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
        own = pos.data.generals[self.nation] if self.brought < BROUGHT and self.nation not in pos.conquered else ()
        return [n for n in own if n < pos.data.named and pos.roster[n] == UNUSED]

    def dismissable(self, pos: Position) -> list[LeaderId]:
        """Return the leaders who may be removed: another unit must take over their TP (R2.5)."""
        own = list(leaders.leaders_of(pos, self.nation))
        return [n for n in own if arrivals.can_leave(pos, n)] if not self.dismissed and len(own) > 1 else []

    def script(self, pos: Position, actor: Side) -> Script[do.CouncilAction]:
        homes = _posts(pos, self.side)
        able = {
            "done": True,
            "transfer": any(True for _ in self.givers(pos)),
            "found": self.sites(pos),
            "remove": self.depots(pos),
            "bring": homes and self.unused(pos),
            "dismiss": self.dismissable(pos),
        }
        ask = partial(self._ask, pos)
        kind = yield ask("do", [kind for kind, choices in able.items() if choices])
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
        return Slot(name, values, refuse, canon=canon, explain=lambda action: self._why_none(pos, action))

    def _why_none(self, pos: Position, action: Action) -> Refusal | None:
        nation = pos.data.nations[self.nation]
        match action:
            case do.Transfer():
                return self._why_not(pos, action.giver, action.taker, action.points)
            case do.Found(hex=here):
                all_used = "{} already has all its depots in use: {}"
                return first_refusal(
                    here,
                    (len(self.depots(pos)) >= nation.depots, "R17.8", all_used, nation.name, nation.depots),
                    (here in pos.depots, "R9.1", "there is already a depot"),
                    (here not in _posts(pos, self.side), "R17.8", "a depot needs a friendly stronghold"),
                    (True, "R17.8", "friendly TP must be in the hex"),
                )
            case do.Bring(leader=number):
                is_named = number in pos.data.leader_ids[: pos.data.named]
                is_unused = is_named and pos.leader(number).nation == self.nation and pos.roster[number] == UNUSED
                name = pos.leader(number).name if is_named else ""
                return first_refusal(
                    -1,
                    (self.nation in pos.conquered, "R17.7", "a conquered nation gets no new leaders"),
                    (self.brought >= BROUGHT, "R17.8", "{} leaders have already come", BROUGHT),
                    (is_named and not is_unused, "R17.8", "{} is not an unused leader of this nation", name),
                ) or (Refusal("R17.8", "he comes to a stronghold of yours", (), action.hex) if is_named else None)
            case do.Dismiss(leader=number):
                is_known = number in leaders.leaders_of(pos, self.nation)
                reason = "no leader or garrison can take over the men of {}"
                return first_refusal(
                    -1,
                    (self.dismissed, "R17.8", "a leader has already been dismissed"),
                    (is_known, "R17.8", reason, pos.leader(number).name if is_known else ""),
                )
        return None

    def answer(self, draft: Draft, actor: Side, action: do.CouncilAction) -> None:
        match action:
            case Done():
                draft.pop()
            case do.Transfer():
                self._transfer(draft, action)
            case do.Found() | do.Remove():
                here, nation, is_new = action.hex, self.nation, isinstance(action, do.Found)
                draft.set_depot(here, Depot(nation) if is_new else None)
                what = "is set up" if is_new else "is removed"
                draft.emit(events.DepotChanged(side=self.side, hex=here, nation=nation, what=what, by=self.RULE))
            case do.Bring():
                leaders.place_leader(draft, action.leader, action.hex, inside=False)
                draft.amend(self, brought=self.brought + 1)
                draft.emit(events.LeaderCame(side=self.side, leader=action.leader, hex=action.hex, tp=0, by=self.RULE))
            case _:
                arrivals.remove_leader(draft, action.leader, by=self.RULE)
                draft.amend(self, dismissed=True)

    def _transfer(self, draft: Draft, action: do.Transfer) -> None:
        draft.give_away(self.side)  # a garrison may show other colours
        for holder, change in ((action.giver, -action.points), (action.taker, action.points)):
            if holder >= do.GARRISON:
                here = Hex(holder - do.GARRISON)
                draft.set_garrison(here, draft.garrisons.get(here, EMPTY) + bag(self.nation, change))
                draft.forget(stack_key(here, self.side, True))
            else:
                unit = draft.units[LeaderId(holder)]
                draft.forget(stack_key(unit.hex, self.side, unit.inside))
                draft.change(unit.number, tp=unit.tp + bag(self.nation, change))
        draft.amend(self, moved=(*self.moved, action.taker))
        units = tuple(LeaderId(n) for n in (action.giver, action.taker) if n < do.GARRISON)
        points = tuple(draft.units[n].strength for n in units)
        here = draft.units[units[0]].hex if units else Hex(action.taker - do.GARRISON)
        draft.emit(events.Arranged(side=self.side, hex=here, units=units, points=points, garrison=-1, by=self.RULE))

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
        draft.emit(events.AllRecovered())
        councils = [Council(nation) for nation in ALL_NATIONS if draft.status[nation] == AT_WAR]
        draft.push_in_order([Quartering(COALITION), Quartering(PRUSSIAN), *councils, NewYear()])


class NewYear(Decision, rule="R17.8", name="New year"):
    """Wagons and SP are filled up, leaders leave, and the year begins (R17.8)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        leaver = draft.data.leader_named(arrivals.LEAVERS[draft.year]) if draft.year in arrivals.LEAVERS else NO_LEADER
        if leaver in draft.units:
            arrivals.remove_leader(draft, leaver, by=self.RULE)
        give_wagons(draft)
        for number, unit in list(draft.units.items()):
            draft.change(number, sp=max(unit.sp, load_limit(draft, draft.units[number])))
        draft.year += 1
        draft.turn = 0
        draft.raised = (0,) * len(NATIONS)
        if not draft.options.einhorn:
            draft.push_in_order(roll for roll in arrivals.replacement_rolls(draft) for _ in range(RAISED))


@memoized("lasting")
def _quarters(pos: Position, side: Side, here: Hex) -> list[Hex]:
    there = pos.census
    passable = pos.data.board.land & ~(there.fields[OTHER[side]] | there.insides[OTHER[side]])
    seen = edge = bit(here)
    while edge:
        edge = pos.data.board.spread(edge) & passable & ~seen
        seen |= edge
    return [goal for goal in hexes_of(seen & pos.data.places_held) if forces.is_friendly(pos, goal, side)]


class Quartering(SideDecision[do.Quarter], rule="R17.8", name="Winter quarters"):
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
        return self.with_values(done=tuple(done))

    def fill_hidden(self, pos: Position, viewer: ViewerId) -> Self:
        """Count units beside one that has gone as gone."""
        if viewer == self.side:
            return self
        gone = {(pos.units[n].hex, pos.units[n].inside) for n in self.done if n in pos.units}
        own = (n for n, unit in pos.units.items() if pos.side(n) == self.side and (unit.hex, unit.inside) in gone)
        return self.with_values(done=(*self.done, *(n for n in own if n not in self.done)))

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
        draft.amend(self, done=(*self.done, *self._members(draft, place)))

    def _members(self, pos: Position, place: tuple[Hex, bool]) -> list[LeaderId]:
        here, inside = place
        force = [unit.number for unit in forces.force_at(pos, here, self.side, inside)]
        wagons = [unit.number for unit in forces.wagons_at(pos, here, self.side)]
        return [n for n in dict.fromkeys([*force, *(wagons if not inside else [])]) if n not in self.done]

    def neutral(self, pos: Position, actor: Side) -> do.Quarter | None:
        place = self.next(pos)
        return None if place is None else do.Quarter(*place)

    def script(self, pos: Position, actor: Side) -> Script[do.Quarter]:
        place = self.next(pos)
        assert place is not None
        yield Slot("do", ("quarter",), Refusal("R17.8", "the force at {} goes", (hex_name(place[0]),)))
        quarters = self.quarters(pos, place)
        values = [place[0]] * (place[0] in quarters) + [here for here in quarters if here != place[0]]
        here = as_hex((yield Slot("hex", values, lambda token: self._why_not(pos, place, token), canon=values[:2])))
        inside = yield Slot("inside", quarters[here], lambda token: self._why_not(pos, place, here, bool(token)))
        return do.Quarter(here, bool(inside))

    def quarters(self, pos: Position, place: tuple[Hex, bool]) -> dict[Hex, list[int]]:
        """Return a force's goals, in the field (0) or inside (1); V2.2 is ignored if it would leave none."""
        able = {here: self._ways_in(pos, here, place) for here in self.goals(pos, place[0])}
        members = self._members(pos, place)
        return {
            here: found
            for here, ways in able.items()
            if (found := [way for way in ways if not leaders.why_not_part(pos, members, (here, bool(way)))])
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
        refusal = leaders.why_not_part(pos, self._members(pos, place), (here, inside))
        return refusal or Refusal("R17.8", "the force cannot winter there", (), here)

    def answer(self, draft: Draft, actor: Side, action: do.Quarter) -> None:
        place = self.next(draft)
        assert place is not None
        members = self._members(draft, place)
        draft.give_away(self.side)  # who has gone whole
        for number in members:
            inside = action.inside and forces.can_be_inside(draft, draft.units[number])
            draft.change(number, hex=action.hex, inside=inside)
        draft.amend(self, done=(*self.done, *members))
        chief = forces.commander(draft, [draft.units[number] for number in members])
        lead = chief if chief >= 0 else members[0]
        draft.emit(events.Quartered(side=self.side, lead=lead, hex=action.hex, inside=draft.units[lead].inside))

    def prompt(self, pos: Position, actor: Side) -> str:
        place = self.next(pos)
        assert place is not None
        return f"Winter quarters for the force at {hex_name(place[0])}: name a stronghold"
