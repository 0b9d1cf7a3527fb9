"""What every army is to do: missions, proposed from what can be won and lost, kept until done or refuted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from math import ceil
from typing import Final

import msgspec

from leuthen.rulesets.campaigns.bot.generals.armies import armies_of, detached, is_corps
from leuthen.rulesets.campaigns.bot.generals.reasons import reason_of
from leuthen.rulesets.campaigns.bot.goals import LEAST_WIN, NO_GOAL, Goal, Target
from leuthen.rulesets.campaigns.bot.outlook import Bound, Prospects, marshal, match, outlook_of
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.theatres import is_astray
from leuthen.rulesets.campaigns.model.state import TURNS, Unit
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.wargame.board import Hex
from leuthen.wargame.bot.hope import NOTES
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Thought, date_number
from leuthen.wargame.strength import LeaderId

PATIENCE: Final = 4
"""Turns for which a mission is left alone that did not come off."""
VAIN: Final = 0.2
"""What it is worth until then."""
STEP: Final = 4.0
"""Movement points a turn that an army should make on its way."""
KINDS: Final[Mapping[str, str]] = {
    "besiege": "take", "raid": "take", "cover": "guard", "hunt": "hunt", "relieve": "hunt", "join": "join",
}  # fmt: skip
"""What a mission is as a goal of marches; other missions go nowhere."""


def think(s: Situation, before: Thought) -> Thought:
    """The thought after a look at the position: planned anew before marches and on a new turn, else as it was."""
    now = date_number(s.pos.year, s.pos.turn)
    if before.date == now and not isinstance(s.pos.frames[-1], Orders):
        return before
    notes = remembered(s, before, now)
    return msgspec.structs.replace(before, date=now, plan=propose(s, before.plan, notes, now), notes=notes)


def remembered(s: Situation, before: Thought, now: int) -> dict[str, int]:
    """What did not come off: by leader and target, until when it is left alone; and how his war stands."""
    notes = {name: until for name, until in before.notes.items() if until > now or name in NOTES}
    for mission in before.plan.missions:
        if mission.limits.due and now > mission.limits.due and mission.kind in KINDS:
            for number in mission.army:
                if number in s.pos.units and s.pos.units[number].hex != mission.place:
                    notes[note_of(number, KINDS[mission.kind], mission.place)] = later(now, PATIENCE)
    return notes


def note_of(number: LeaderId, kind: str, place: Hex) -> str:
    """The name of a note."""
    return f"{number} {kind} {place}"


def later(now: int, turns: int) -> int:
    """The date so many turns after another; the winter ends what was not to be."""
    return min(now + turns, now // 100 * 100 + TURNS)


def goals_in(s: Situation, plan: Plan) -> dict[LeaderId, Goal]:
    """What each leader with men is for by a plan."""
    found = {
        number: Goal(KINDS[mission.kind], mission.place, 1.0)
        for mission in plan.missions if mission.kind in KINDS
        for number in mission.army
    }  # fmt: skip
    return {unit.number: found.get(unit.number, NO_GOAL) for unit in s.generals}


def propose(s: Situation, before: Plan, notes: Mapping[str, int], now: int) -> Plan:
    """The plan of a position: what was begun goes on unless something clearly better is to be done."""
    kept = {number: mission for mission in before.missions for number in mission.army}

    outlook, armies = outlook_of(s), armies_of(s)
    marshals = {army.chief.number: marshal(s, army.whole) for army in armies if is_corps(s, army)}
    regards = {
        army.chief.number: Regard(s, army.whole, outlook.targets, outlook.bounds(s, marshals[army.chief.number]),
                                  kept.get(army.chief.number), notes)
        for army in armies if army.chief.number in marshals
    }  # fmt: skip
    goals = match(s, regards, list(marshals.values()))
    for army in armies:
        goals.update(dict.fromkeys(army.numbers, goals.get(army.chief.number, NO_GOAL)))
    goals.update(detached(s, armies))
    signed = [mission for one in before.missions if one.signed and (mission := still_open(s, one)) is not None]
    taken = {number for mission in signed for number in mission.army}
    return Plan(missions=(*signed, *missions_of(s, goals, kept, now, taken)))


def still_open(s: Situation, mission: Mission) -> Mission | None:
    """What a player has ordered, for those of the army who still have men; None if it is done or cannot be."""
    army = tuple([number for number in mission.army if number in s.pos.units and s.pos.units[number].tp])
    if army[:1] != mission.army[:1]:
        return None
    if mission.kind in ("besiege", "raid") and mission.place not in s.worths:
        return None
    return mission if army == mission.army else msgspec.structs.replace(mission, army=army)


class Regard(Prospects):
    """What the targets promise to a leader who has a country, and perhaps a mission already."""

    def __init__(
        self,
        s: Situation,
        unit: Unit,
        targets: Sequence[Target],
        bounds: Sequence[Bound],
        mission: Mission | None,
        notes: Mapping[str, int],
    ) -> None:
        self._notes = notes
        self._loyal = (KINDS.get(mission.kind, ""), mission.place) if mission is not None else None
        if self._loyal is not None:
            bounds = sorted((most * s.temper.loyalty, place, far) for most, place, far in bounds)
        super().__init__(unit, targets, bounds)

    def promised(self, s: Situation, target: Target, far: int) -> float:
        """Less where others should fight, more where he is at work."""
        value = super().promised(s, target, far)
        if is_astray(s.data, s.pos.leader(self._unit.number).nation, target.hex):
            value *= s.temper.abroad
        if note_of(self._unit.number, target.kind, target.hex) in self._notes:
            value *= VAIN
        return value * s.temper.loyalty if self._loyal == (target.kind, target.hex) else value


def missions_of(
    s: Situation,
    goals: Mapping[LeaderId, Goal],
    kept: Mapping[LeaderId, Mission],
    now: int,
    taken: Set[LeaderId] = frozenset(),
) -> Iterator[Mission]:
    """The goals as missions: leaders in one hex with the same goal are an army, the strongest first."""
    armies: dict[tuple[Hex, str, Hex], list[LeaderId]] = {}
    for unit in s.generals:
        if unit.number in taken:
            continue
        goal = goals.get(unit.number, NO_GOAL)
        armies.setdefault((unit.hex, goal.kind, goal.hex), []).append(unit.number)
    for (_, kind, place), army in armies.items():
        named = kind_of(s, kind, place)
        old = kept.get(army[0])
        if old is not None and (old.kind, old.place, old.army) == (named, place, tuple(army)):
            yield old
            continue
        since = old.since if old is not None and (old.kind, old.place) == (named, place) else now
        limits = Limits(LEAST_WIN, due=due_of(s, army[0], place, since))
        yield Mission(named, tuple(army), place, limits, reason_of(s, named, army, place), since)


def due_of(s: Situation, leader: LeaderId, place: Hex, since: int) -> int:
    """By when an army should be where it is to go."""
    if place < 0:
        return 0
    return since + 1 + ceil(s.way(s.pos.units[leader].hex, place) / STEP)


def kind_of(s: Situation, kind: str, place: Hex) -> Kind:
    """What a goal is called as a mission."""
    if kind == "take":
        return "besiege" if s.guards(place) else "raid"
    if kind == "hunt":
        return "relieve" if place in s.stakes else "hunt"
    if kind == "guard":
        return "cover"
    if kind == "join":
        return "join"
    return "winter" if s.pos.is_winter else "hold"
