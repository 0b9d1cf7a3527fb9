"""R3.1, R2.5, R2.6, R15: step C: reinforcements, replaced leaders, replacements."""

from __future__ import annotations

from typing import Final, Self

import msgspec

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, HANOVER, SIDE_OF, SetupEntry
from leuthen.rulesets.campaigns.model.decisions import Decision, DieRoll
from leuthen.rulesets.campaigns.model.events.turns import DepotChanged, LeaderCame, LeaderWent, RaisedTp, TpPlaced
from leuthen.rulesets.campaigns.model.forces import by_seniority, field_tp, force_at, inside_tp, is_friendly
from leuthen.rulesets.campaigns.model.knowledge import forget, give_away
from leuthen.rulesets.campaigns.model.state import AT_WAR, GONE, ON_MAP, TURNS, UNUSED, Depot, Draft, Position
from leuthen.rulesets.campaigns.rules.r02_leaders.seniority import leaders_of
from leuthen.rulesets.campaigns.rules.r02_leaders.stragglers import place_leader
from leuthen.rulesets.campaigns.rules.r05_movement.hex_actions import take_place
from leuthen.rulesets.campaigns.rules.r09_supply.supply import load_limit
from leuthen.rulesets.campaigns.rules.r15_arrivals.placing import Displaced, Recruits, Replacements, receive
from leuthen.wargame.board import NOWHERE, Hex, stack_key
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, PowerId, bag, of

THIRD: Final = 3
LEAVERS: Final = {1756: "Ferdinand of Brunswick", 1757: "Charles"}
"""Who leaves after which year (R17.8)."""
RECRUITING: Final = (1, 7)
"""The turns on which the TP of a year come, half each (R18.4)."""
CHANGE_OF_COMMAND: Final = TURNS + 15
"""The turn since 1756 from which Ferdinand commands for Hanover (R17.8)."""


class ArrivalStep(Decision, rule="R3.1", name="Arrivals"):
    """Step C: what the scenario brings, then replacements (R3.1, R15.1)."""

    def step(self, draft: Draft) -> None:
        """All that comes on this turn; in the variant no replacements (V1)."""
        draft.pop()
        give_away(draft, 0, 1)  # whose TP pass to whom, where a successor stands
        for entry in due_entries(draft):
            arrive(draft, entry)
        relieve_cumberland(draft)
        retire(draft)
        for nation in ALL_NATIONS:
            lead_nation(draft, nation)
        if draft.options.einhorn:
            bring_recruits(draft)
            return
        for nation in reversed(ALL_NATIONS):
            if draft.status[nation] == AT_WAR and nation not in draft.conquered:
                draft.push(ReplacementRoll(nation))
        receive(draft)


def bring_recruits(draft: Draft) -> None:
    """In the variant a year of the campaign brings TP, half on turn 1 and half on turn 7 (R18.4)."""
    if not is_campaign(draft) or draft.turn not in RECRUITING:
        return
    for nation in reversed(ALL_NATIONS):
        points = recruits_due(draft, nation)
        if points:
            draft.emit(RaisedTp(side=SIDE_OF[nation], nation=nation, points=points, by="R18.4"))
            draft.push(Recruits(nation, points))


def recruits_due(pos: Position, nation: PowerId) -> int:
    """Half of what the year brings a nation that was at war in the year before; odd TP come on turn 1 (R18.4)."""
    began = pos.clock - pos.turn + 1
    if pos.status[nation] != AT_WAR or nation in pos.conquered or pos.joined[nation] >= began:
        return 0
    points = pos.data.yearly.get((pos.year, nation), 0)
    return points - points // 2 if pos.turn == RECRUITING[0] else points // 2


def is_campaign(pos: Position) -> bool:
    """Whether the game goes on over several years (R17.1)."""
    plan = pos.data.scenarios[pos.scenario]
    return plan.last > plan.year


def relieve_cumberland(draft: Draft) -> None:
    """In the campaign Ferdinand replaces Cumberland on turn 15 of 1757, or when Hanover joins later (R17.8)."""
    if not is_campaign(draft) or draft.status[HANOVER] != AT_WAR or draft.clock < CHANGE_OF_COMMAND:
        return
    old, new = draft.data.leader_named("Cumberland"), draft.data.leader_named("Ferdinand")
    if old in draft.units:
        replace_leader(draft, new, old)


def due_entries(pos: Position) -> list[SetupEntry]:
    """The lines of the set-up for this turn, and of nations that have joined (R18.2, R18.3, R17.7)."""
    scenario = pos.data.scenarios[pos.scenario]
    found: list[SetupEntry] = []
    if pos.year == int(scenario.setup):
        found += [entry for entry in pos.data.setups[scenario.setup] if _is_due(pos, entry)]
    for entry in pos.data.setups["joining"]:
        joined = pos.joined[entry.nation]
        if joined and pos.clock == joined + entry.turn:
            found.append(entry)
    return [one for one in found if pos.status[one.nation] == AT_WAR and one.nation not in pos.conquered]


def _is_due(pos: Position, entry: SetupEntry) -> bool:
    """Whether a line is of this turn; who could not be replaced yet is later (R2.5)."""
    return entry.turn == pos.turn or (entry.what == "replace" and entry.turn < pos.turn and entry.instead in pos.units)


def arrive(draft: Draft, entry: SetupEntry) -> None:
    """A line of the set-up comes true (R3.1, R2.5)."""
    side = SIDE_OF[entry.nation]
    if entry.what == "replace":
        replace_leader(draft, entry.leader, entry.instead)
    elif entry.what == "above":
        rank_above(draft, entry.leader, entry.instead)
    elif entry.what == "garrison":
        draft.emit(RaisedTp(side=side, nation=entry.nation, points=entry.tp, by="R3.1"))
        here = (
            entry.hex
            if is_friendly(draft, entry.hex, side) and not field_tp(draft, entry.hex, OTHER[side])
            else NOWHERE
        )
        if here < 0 and inside_tp(draft, entry.hex, OTHER[side]) == 0 and not field_tp(draft, entry.hex, OTHER[side]):
            take_place(draft, entry.hex, side, by="R3.1")
            here = entry.hex
        if here >= 0:
            draft.set_garrison(here, draft.garrisons.get(here, EMPTY) + bag(entry.nation, entry.tp))
            forget(draft, stack_key(here, side, True))
            draft.emit(TpPlaced(side=side, nation=entry.nation, points=entry.tp, hex=here, leader=NO_LEADER, by="R3.1"))
        else:
            draft.push(Displaced(entry.nation, entry.tp))
    elif entry.what == "depot":
        if may_set_up(draft, entry.nation, entry.hex):
            draft.set_depot(entry.hex, Depot(entry.nation))
            draft.emit(DepotChanged(side=side, hex=entry.hex, nation=entry.nation, what="is set up", by="R3.1"))
    elif draft.roster[entry.leader] == UNUSED:
        bring_leader(draft, entry)


def may_set_up(pos: Position, nation: PowerId, here: Hex) -> bool:
    """Whether arrivals bring a depot there: no enemy has sent them elsewhere (R3.1), and their nation has one left."""
    side = SIDE_OF[nation]
    own = sum(depot.nation == nation for depot in pos.depots.values())
    is_free = is_friendly(pos, here, side) and not field_tp(pos, here, OTHER[side])
    return is_free and here not in pos.depots and own < pos.data.nations[nation].depots


def bring_leader(draft: Draft, entry: SetupEntry) -> None:
    """A leader arrives with his TP, in the nearest hex free of enemies (R3.1)."""
    side = SIDE_OF[entry.nation]
    here = free_hex(draft, entry.hex, side)
    if here in draft.data.strongholds and entry.tp and not is_friendly(draft, here, side):
        take_undefended(draft, here, side)
    inside = entry.what == "inside" and here == entry.hex and is_friendly(draft, here, side)
    place_leader(draft, entry.leader, here, inside=inside, tp=entry.tp)
    draft.change(entry.leader, sp=load_limit(draft, draft.units[entry.leader]))
    draft.emit(LeaderCame(side=side, leader=entry.leader, hex=here, tp=entry.tp))


def take_undefended(draft: Draft, here: Hex, side: Side) -> None:
    """Who arrives takes an undefended stronghold there (R3.1)."""
    if not inside_tp(draft, here, OTHER[side]) and not draft.is_enemy_ground(here):
        take_place(draft, here, side, by="R3.1")


def free_hex(pos: Position, here: Hex, side: Side) -> Hex:
    """The nearest hex without an enemy field force and without a stronghold that enemies hold; the first of several."""
    closed = pos.census.fields[OTHER[side]] | pos.census.insides[OTHER[side]]
    return next((there for there in pos.data.board.distances(here) if not closed >> there & 1), here)


def replace_leader(draft: Draft, leader: LeaderId, instead: LeaderId) -> None:
    """A successor takes over hex, TP and SP, ready and not demoralized (R2.5)."""
    if instead not in draft.units:
        if draft.roster[instead] == UNUSED:
            draft.set_roster(instead, GONE)
            draft.emit(LeaderWent(side=draft.side(instead), leader=instead, heir=NO_LEADER, by="R2.5"))
        return
    unit = draft.units[instead]
    side = draft.side(instead)
    if draft.roster[leader] == ON_MAP:
        remove_leader(draft, instead)
        return
    if draft.roster[leader] != UNUSED:
        return
    draft.remove(instead)
    draft.set_roster(instead, GONE)
    draft.put(msgspec.structs.replace(unit, number=leader, moved=False, shaken=0, daunted=0))
    draft.set_roster(leader, ON_MAP)
    draft.emit(LeaderCame(side=side, leader=leader, hex=unit.hex, tp=unit.strength, instead=instead, by="R2.5"))


def remove_leader(draft: Draft, number: LeaderId, by: str = "") -> None:
    """A leader goes by a rule; his TP and SP pass to leaders of his nation in the force, else to the garrison (R2.5).

    If neither is possible he stays.
    """
    unit = draft.units[number]
    give_away(draft, draft.side(number))  # where he stood, and who follows him
    if not can_leave(draft, number):
        return
    heirs = heirs_of(draft, number)
    heir = heirs[0] if heirs else NO_LEADER
    if heirs:
        other = draft.units[heir]
        draft.change(heir, tp=other.tp + unit.tp, sp=other.sp + unit.sp)
    elif unit.tp:
        forget(draft, stack_key(unit.hex, draft.side(number), True))
        draft.set_garrison(unit.hex, draft.garrisons.get(unit.hex, EMPTY) + unit.tp)
    draft.remove(number)
    draft.set_roster(number, GONE)
    draft.emit(LeaderWent(side=draft.side(number), leader=number, heir=heir if unit.tp else NO_LEADER, by=by))


def heirs_of(pos: Position, number: LeaderId) -> list[LeaderId]:
    """The leaders of his nation in a leader's force, from the highest Sr down (R2.5)."""
    unit, nation = pos.units[number], pos.leader(number).nation
    force = [one.number for one in force_at(pos, unit.hex, pos.side(number), unit.inside) if one.number != number]
    own = [n for n in force if pos.leader(n).nation == nation and not pos.data.is_wagon(n)]
    return by_seniority(pos, own)


def can_leave(pos: Position, number: LeaderId) -> bool:
    """Whether somebody can take over a leader's TP: others of his nation there, or a garrison (R2.5)."""
    unit = pos.units[number]
    return not unit.tp or bool(heirs_of(pos, number)) or is_friendly(pos, unit.hex, pos.side(number))


def retire(draft: Draft) -> None:
    """Who should have left in the campaign and could not, or was a prisoner, leaves as soon as he can (R17.8, R2.5)."""
    for year, name in LEAVERS.items():
        number = draft.data.leader_named(name)
        if is_campaign(draft) and draft.year > year and number in draft.units:
            remove_leader(draft, number, by="R17.8")


def rank_above(draft: Draft, leader: LeaderId, other: int) -> None:
    """A leader ranks above another from now on (R18.2)."""
    ranks = list(draft.ranks)
    ranks[leader], ranks[other] = min(ranks[leader], ranks[other]), max(ranks[leader], ranks[other])
    draft.ranks = tuple(ranks)
    draft.recompute()


def lead_nation(draft: Draft, nation: PowerId) -> None:
    """A nation with TP and no leader gets one in a stronghold with its TP (R2.6)."""
    if draft.status[nation] != AT_WAR:
        return
    if leaders_of(draft, nation):
        return
    places = [here for here, tp in draft.garrisons.items() if of(tp, nation)]
    if not places:
        return
    leader, here = draft.data.nameless(nation), places[0]
    come_again(draft, leader)
    place_leader(draft, leader, here, inside=draft.data.kind_at(here).inside)
    draft.emit(LeaderCame(side=SIDE_OF[nation], leader=leader, hex=here, tp=0, by="R2.6"))


def come_again(draft: Draft, leader: LeaderId) -> None:
    """A leader without a name who is a captive or on his way is so no more: each nation has one (R2.6)."""
    first, second = (tuple(one for one in held if one.leader != leader) for held in draft.captives)
    draft.captives = (first, second)
    draft.coming = tuple(one for one in draft.coming if one.leader != leader)


def captured_homes(pos: Position, nation: PowerId) -> int:
    """The full thirds of a nation's home strongholds in enemy hands (R15.1)."""
    homes = pos.data.homes(nation)
    lost = sum(pos.owners[here] == 1 - SIDE_OF[nation] for here in homes)
    return THIRD * lost // len(homes) if homes else 0


class ReplacementRoll(DieRoll, rule="R15.1", name="Replacements"):
    """Replacements of a nation in the base game (R15.1)."""

    nation: PowerId

    def kept(self, pos: Position) -> Self | None:
        """Nothing, if the nation has left the war or is conquered (R17.5, R17.7)."""
        return self if pos.status[self.nation] == AT_WAR and self.nation not in pos.conquered else None

    def rolled(self, draft: Draft, die: int) -> None:
        """-1 for each third of its homes that is lost; no more in a year than its limit."""
        result = die - captured_homes(draft, self.nation)
        table = draft.data.replacements[self.nation]
        most = draft.data.nations[self.nation].replacements - draft.raised[self.nation]
        points = min(most, table[result - 1] if result >= 1 else 0)
        raised = list(draft.raised)
        raised[self.nation] += points
        draft.raised = tuple(raised)
        draft.emit(RaisedTp(side=SIDE_OF[self.nation], nation=self.nation, points=points, die=die))
        if points:
            draft.push(Replacements(self.nation, points))
