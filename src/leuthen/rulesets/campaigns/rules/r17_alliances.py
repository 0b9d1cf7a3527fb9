"""R17.3-R17.5, R17.7: nations that join or leave the war, or are conquered."""

from __future__ import annotations

from typing import Final, Self

from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, Outcome, as_side
from leuthen.rulesets.campaigns.model import data
from leuthen.rulesets.campaigns.model.decisions import Decision, DiceRoll
from leuthen.rulesets.campaigns.model.events import ForceLeft, Modifiers, NationTurned, RaisedTp, nonzero
from leuthen.rulesets.campaigns.model.forces import commander, nations_in, strength, units_at
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, GONE, NEUTRAL, OUT, TURNS, UNUSED, Coming
from leuthen.rulesets.campaigns.model.state import Draft, Position, forget, give_away, with_side_value
from leuthen.rulesets.campaigns.rules.r02_leaders import prune_decisions
from leuthen.rulesets.campaigns.rules.r05_hex_actions import hand_over
from leuthen.rulesets.campaigns.rules.r12_battle.fight import largest_remainder
from leuthen.rulesets.campaigns.rules.r15_arrivals import Placing, is_campaign
from leuthen.rulesets.campaigns.rules.r16_victory import is_area_controlled
from leuthen.rulesets.campaigns.rules.r18_setup import hold, home_side
from leuthen.wargame.board import Hex, key_side, stack_key
from leuthen.wargame.strength import EMPTY, PowerId, bag, of, total

ALLY_TURNS: Final = (1, 7, 13)
ORDER: Final = (data.FRANCE, data.RUSSIA, data.EMPIRE, data.SWEDEN, data.HANOVER)
FIRST_YEAR: Final = 1756
SAXON_AREAS: Final = ("Saxony", "Lusatia")
JOINING_SETUP: Final = "1757"  # the column of R10.8 for nations that join (R18.3)


class AllyStep(Decision, rule="R17.3", name="Ally determination"):
    """Step A: nations enter, leave and join (R17.3-R17.5)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if not is_campaign(draft):
            return
        for nation in ORDER:
            if draft.joined[nation] == draft.clock and draft.status[nation] == NEUTRAL:
                enter_war(draft, nation)
        if draft.turn in ALLY_TURNS:
            for nation in reversed(ORDER):
                draft.push(AllyTurn(nation))
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


def ally_modifiers(pos: Position, nation: PowerId) -> Modifiers:
    """Return the modifiers of a neutral nation's dice (R17.3)."""
    if nation == data.HANOVER:
        return ()
    at_home = [(n, data.SIDE_OF[area.nation], area.name) for n, area in enumerate(pos.data.areas) if area.nation >= 0]
    lost = sum(is_area_controlled(pos, n, data.COALITION) for n, side, _ in at_home if side == data.PRUSSIAN)
    won = sum(
        is_area_controlled(pos, n, data.PRUSSIAN)
        for n, side, name in at_home
        if side == data.COALITION and name not in SAXON_AREAS
    )
    battle = {data.PRUSSIAN: -1, data.COALITION: 1, NOBODY: 0}[pos.last_battle]
    at_war = [status == AT_WAR for status in pos.status]
    there = pos.census
    saxony = 2 * bool(pos.data.board.region("saxony") & (there.fields[data.PRUSSIAN] | there.insides[data.PRUSSIAN]))
    own = {
        data.FRANCE: saxony,
        data.RUSSIA: int(at_war[data.FRANCE]),
        data.EMPIRE: saxony + (data.SAXONY in pos.conquered),
        data.SWEDEN: 2 * at_war[data.RUSSIA] + at_war[data.FRANCE],
    }[nation]
    return nonzero(
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
        joins = die + sum(value for _, value in found) >= number
        what = "joins the war" if joins else "stays neutral"
        side, nation = data.SIDE_OF[self.nation], self.nation
        draft.emit(NationTurned(side=side, nation=nation, what=what, dice=die, number=number, modifiers=found))
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
            draft.set_owner(here, data.SIDE_OF[nation])
        place = draft.data.strongholds[here]
        holding = place.holdings.get(JOINING_SETUP)
        if holding is not None and holding.nation == nation and draft.owners[here] == data.SIDE_OF[nation]:
            hold(draft, here, place, JOINING_SETUP)
            forget(draft, stack_key(here, data.SIDE_OF[nation], True))
            men += holding.tp
    draft.emit(NationTurned(side=data.SIDE_OF[nation], nation=nation, what="enters the war", by="R17.4"))
    draft.emit(RaisedTp(side=data.SIDE_OF[nation], nation=nation, points=men, by="R18.3"))
    prune_decisions(draft)


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

    def after_removal(self, pos: Position) -> Self | None:
        return self if pos.status[self.nation] == AT_WAR else None

    def rolled(self, draft: Draft, die: int) -> None:
        """The nation leaves at the number or more; Hanover leaves with France."""
        number = draft.data.departures[draft.year, self.nation]
        leaves = die >= number
        what = "leaves the war" if leaves else "fights on"
        side = data.SIDE_OF[self.nation]
        draft.emit(NationTurned(side=side, nation=self.nation, what=what, dice=die, number=number, by=self.RULE))
        if leaves:
            give_away(draft, 0, 1)  # what its garrisons were made of
            leave_war(draft, self.nation)
            if self.nation == data.FRANCE and draft.status[data.HANOVER] == AT_WAR:
                leave_war(draft, data.HANOVER)


def leave_war(draft: Draft, nation: PowerId) -> None:
    """Remove a nation's pieces, garrison men, arrivals and prisoners; places that it held alone go back (R17.5)."""
    alone = _places_held_alone(draft, nation)
    _report_leaving(draft, nation)
    draft.set_status(nation, OUT)
    strike_units(draft, nation)
    for here, tp in list(draft.garrisons.items()):
        if own := bag(nation, of(tp, nation)):
            draft.add_dead(own)
            draft.set_garrison(here, tp - own)
            forget(draft, stack_key(here, data.SIDE_OF[nation], True))
    arriving = sum(frame.points for frame in draft.frames if isinstance(frame, Placing) and frame.nation == nation)
    draft.add_dead(bag(nation, arriving))
    for here in [h for h, depot in draft.depots.items() if depot.nation == nation]:
        draft.set_depot(here, None)
    for here in alone:
        side = home_side(draft.data.strongholds[here], draft.status)
        if side != draft.owners[here]:
            hand_over(draft, here, as_side(side))
    for side in SIDES:  # its men and leaders in enemy hands, or on their way from there
        struck = bag(nation, of(draft.prisoners[side], nation))
        draft.add_dead(struck)
        draft.prisoners = with_side_value(draft.prisoners, side, draft.prisoners[side] - struck)
        remaining = tuple(one for one in draft.captives[side] if draft.leader(one.leader).nation != nation)
        draft.captives = with_side_value(draft.captives, side, remaining)
    draft.add_dead(sum(bag(nation, one.tp) for one in draft.coming if one.nation == nation))
    draft.coming = tuple(one for one in draft.coming if one.nation != nation)
    draft.emit(NationTurned(side=data.SIDE_OF[nation], nation=nation, what="is out of the war", by="R17.5"))
    prune_decisions(draft)


def _report_leaving(draft: Draft, nation: PowerId) -> None:
    """Emit an event for each force with leaders, wagons or men of the leaving nation (R17.5)."""
    side = data.SIDE_OF[nation]
    places = {(unit.hex, unit.inside) for number, unit in draft.units.items() if draft.leader(number).nation == nation}
    places |= {(here, True) for here, tp in draft.garrisons.items() if of(tp, nation)}
    for here, inside in sorted(places):
        force = [unit for unit in units_at(draft, here, side) if unit.inside == inside]
        own = [unit for unit in force if draft.leader(unit.number).nation == nation]
        garrison = draft.garrisons.get(here, EMPTY) if inside else EMPTY
        men = bag(nation, of(garrison, nation))
        lead = commander(draft, own)
        if lead < 0 and own and not strength(force) and not garrison:  # they are seen to be alone
            lead = own[0].number
        units, tp = tuple([unit.number for unit in own]), strength(own) + total(men)
        whole = len(own) == len(force) and men == garrison
        draft.emit(
            ForceLeft(side=side, nation=nation, hex=here, inside=inside, lead=lead, units=units, tp=tp, whole=whole)
        )


def strike_units(draft: Draft, nation: PowerId) -> None:
    """Remove its leaders, wagons and men (R17.5); freed men of other nations wait for a place (V7.3)."""
    for number, unit in list(draft.units.items()):
        own = bag(nation, of(unit.tp, nation))
        draft.add_dead(own)
        if draft.leader(number).nation == nation:
            others = unit.tp - own
            waiting = [Coming(draft.clock + 1, other, of(others, other)) for other in nations_in(others)]
            draft.coming = (*draft.coming, *waiting)
            draft.remove(number)
        elif own:
            draft.change(number, tp=unit.tp - own)
    for number in draft.data.leader_ids[: draft.data.wagons]:
        if draft.leader(number).nation == nation and draft.roster[number] != UNUSED:
            draft.set_roster(number, GONE)


def _places_held_alone(pos: Position, nation: PowerId) -> list[Hex]:
    """Return foreign places in which all TP inside are the nation's (R17.5)."""
    found = dict(pos.garrisons)
    for unit in pos.units.values():
        if unit.inside and unit.tp:
            found[unit.hex] = found.get(unit.hex, EMPTY) + unit.tp
    foreign = [(here, tp) for here, tp in sorted(found.items()) if pos.data.strongholds[here].nation != nation]
    return [here for here, tp in foreign if tp == bag(nation, of(tp, nation))]


class ConquestCheck(Decision, rule="R17.7", name="Conquest"):
    """Step I: nations that have lost all their forts and fortresses (R17.7)."""

    def step(self, draft: Draft) -> None:
        """Half of its TP are removed; with Prussia or Austria the war is over."""
        draft.pop()
        if not is_campaign(draft):
            return
        for nation in data.ALL_NATIONS:
            strong = [h for h in draft.data.homes[nation] if draft.data.strongholds[h].kind != data.CITY]
            lost = strong and all(draft.owners[here] == OTHER[data.SIDE_OF[nation]] for here in strong)
            if lost and draft.status[nation] == AT_WAR and nation not in draft.conquered:
                conquer(draft, nation)


def conquer(draft: Draft, nation: PowerId) -> None:
    """Remove half of the nation's TP, rounded up: leaders before garrisons, in proportion (R17.7)."""
    draft.conquered |= {nation}
    give_away(draft, 0, 1)  # what its forces were made of
    forget(draft, *[key for key in draft.sights if key_side(key) == data.SIDE_OF[nation]])
    draft.emit(NationTurned(side=data.SIDE_OF[nation], nation=nation, what="is conquered", by="R17.7"))
    holders = [(number, of(unit.tp, nation)) for number, unit in draft.units.items() if of(unit.tp, nation)]
    posts = [(here, of(tp, nation)) for here, tp in draft.garrisons.items() if of(tp, nation)]
    parts = [points for _, points in (*holders, *posts)]
    shares = largest_remainder(parts, -(-sum(parts) // 2))
    for (number, _), share in zip(holders, shares[: len(holders)], strict=True):
        draft.change(number, tp=draft.units[number].tp - bag(nation, share))
    for (here, _), share in zip(posts, shares[len(holders) :], strict=True):
        draft.set_garrison(here, draft.garrisons.get(here, EMPTY) - bag(nation, share))
    draft.add_dead(bag(nation, sum(shares)))
    prune_decisions(draft)
    if nation in (data.PRUSSIA, data.AUSTRIA):
        draft.outcome = Outcome(OTHER[data.SIDE_OF[nation]], "conquest", "R17.7", draft.year)
