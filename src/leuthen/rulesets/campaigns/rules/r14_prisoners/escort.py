"""V7.4: freed men who travel with a wagon join a leader of their nation."""

from __future__ import annotations

from leuthen.engine.choice import Script, Slot
from leuthen.engine.refusal import Refusal
from leuthen.engine.ruleset import Side
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.actions import Transfer
from leuthen.rulesets.campaigns.model.events.turns import Arranged
from leuthen.rulesets.campaigns.model.forces import by_seniority, force_at
from leuthen.rulesets.campaigns.model.knowledge import give_away
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r02_leaders.seniority import is_bound, leaders_of, why_not_shift
from leuthen.wargame.names import LeaderId, as_leader
from leuthen.wargame.strength import bag


def escorts(pos: Position, side: Side) -> dict[LeaderId, list[LeaderId]]:
    """The wagons with freed men, and the leaders of the nation in their hex whom these could join (V7.4)."""
    return once(pos.lasting, ("escorts", side), lambda: _escorts(pos, side))


def _escorts(pos: Position, side: Side) -> dict[LeaderId, list[LeaderId]]:
    wagons = [n for n, unit in pos.units.items() if unit.tp and pos.data.is_wagon(n) and pos.side(n) == side]
    found = {number: _able(pos, number) for number in wagons}
    return {number: able for number, able in found.items() if able}


def _able(pos: Position, wagon: LeaderId) -> list[LeaderId]:
    return [number for number in comrades(pos, wagon) if most_joining(pos, wagon, number)]


def comrades(pos: Position, wagon: LeaderId) -> list[LeaderId]:
    """The leaders of its nation in the force of a wagon with men, from the highest Sr down (V7.4)."""
    unit, nation = pos.units[wagon], pos.leader(wagon).nation
    there = [
        other.number
        for other in force_at(pos, unit.hex, pos.side(wagon), unit.inside)
        if pos.leader(other.number).nation == nation and not pos.data.is_wagon(other.number)
    ]
    return by_seniority(pos, there)


def most_joining(pos: Position, wagon: LeaderId, leader: LeaderId) -> int:
    """How many freed men of a wagon may join a leader (V7.4, V2.2); he may be over his limit then (V2.1)."""
    nation, men = pos.leader(leader).nation, pos.units[wagon].strength
    if not is_bound(pos, nation):
        return men
    before = leaders_of(pos, nation)
    at, tp = before[leader]
    fits = (
        n for n in range(men, 0, -1) if why_not_shift(pos, nation, before, {**before, leader: (at, tp + n)}) is None
    )
    return next(fits, 0)


def script(pos: Position, able: dict[LeaderId, list[LeaderId]]) -> Script[Transfer]:
    """Which wagon's men join whom, and how many."""
    refuse = Refusal("V7.4", "freed men join a leader of their nation in the hex of their wagon")
    giver = as_leader((yield Slot("giver", sorted(able), lambda token: refuse)))
    taker = as_leader((yield Slot("taker", able[giver], lambda token: refuse)))
    most = most_joining(pos, giver, taker)
    points = yield Slot("points", range(1, most + 1), lambda token: refuse, canon=(most,))
    return Transfer(giver, taker, int(points))


def join_leader(draft: Draft, action: Transfer) -> None:
    """They are with him."""
    giver, taker = LeaderId(action.giver), LeaderId(action.taker)
    part = bag(draft.leader(taker).nation, action.points)
    leader = draft.change(taker, tp=draft.units[taker].tp + part)
    wagon = draft.change(giver, tp=draft.units[giver].tp - part)
    if not wagon.sp and not wagon.tp:
        draft.remove(giver)
    side = draft.side(taker)
    give_away(draft, side)  # a wagon may be used up
    units, points = (taker,), (leader.strength,)
    draft.emit(Arranged(side=side, hex=leader.hex, units=units, points=points, garrison=-1, by="V7.4"))
