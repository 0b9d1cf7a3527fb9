"""R17.8: the winter between two years of the campaign."""

from __future__ import annotations

from typing import Final, Self

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.ruleset import OTHER, ActorId, Side, ViewerId
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.actions import Quarter
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, COALITION, NATIONS, PRUSSIAN
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.turns import AllRecovered, Quartered
from leuthen.rulesets.campaigns.model.knowledge import give_away
from leuthen.rulesets.campaigns.model.state import AT_WAR, FRESH, Depot, Draft, Position
from leuthen.rulesets.campaigns.rules.r02_leaders.seniority import why_not_part
from leuthen.rulesets.campaigns.rules.r09_supply.supply import load_limit
from leuthen.rulesets.campaigns.rules.r15_arrivals.arrivals import LEAVERS, ReplacementRoll, remove_leader
from leuthen.rulesets.campaigns.rules.r17_politics.council import Council
from leuthen.rulesets.campaigns.rules.r18_setup import give_wagons
from leuthen.wargame.board import Hex, as_hex, bit, hex_name, hexes_of
from leuthen.wargame.strength import LeaderId

RAISED: Final = 6
"""Rolls for replacements in the base game (R17.8)."""
CLEARED: Final[dict[str, object]] = {
    **dict.fromkeys(("moved", "left", "forced", "cornered"), False),
    **dict.fromkeys(("moves", "fed", "hunger", "rolls", "shaken", "daunted"), 0),
    "fodder": FRESH,
    "via": -1,
}
"""What is cleared of a unit: demoralization and all counts (R17.8)."""


class Interlude(Decision, rule="R17.8", name="Winter"):
    """Sieges end, all recover; quarters, councils, and the next year (R17.8)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.sieges = {}
        for here, depot in draft.depots.items():
            draft.set_depot(here, Depot(depot.nation))
        for number in list(draft.units):
            draft.change(number, **CLEARED)
        draft.emit(AllRecovered())
        draft.push(NewYear())
        for nation in reversed(ALL_NATIONS):
            if draft.status[nation] == AT_WAR:
                draft.push(Council(nation))
        draft.push(Quartering(PRUSSIAN))
        draft.push(Quartering(COALITION))


class NewYear(Decision, rule="R17.8", name="New year"):
    """Wagons and SP are filled up; who leaves goes; the year begins (R17.8)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        leaver = LEAVERS.get(draft.year)
        if leaver is not None and draft.data.leader_named(leaver) in draft.units:
            remove_leader(draft, draft.data.leader_named(leaver), by=self.RULE)
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


class Quartering(Decision[Quarter], rule="R17.8", name="Winter quarters"):
    """Each force of a side goes to a friendly stronghold that it can reach (R17.8)."""

    side: Side
    done: tuple[LeaderId, ...] = ()

    def covered(self, pos: Position, viewer: ViewerId) -> Self:
        """Which forces have gone whole is seen, by who commands or stands alone (R1.8)."""
        if viewer == self.side:
            return self
        done: list[int] = []
        for here, inside in sorted(self._places(pos)):
            units = forces.force_at(pos, here, self.side, inside)
            if all(unit.number in self.done for unit in units):
                chief = forces.commander(pos, units)
                alone = [] if inside or any(unit.tp for unit in units) else [unit.number for unit in units]
                done += [chief] if chief >= 0 else alone
        return msgspec.structs.replace(self, done=tuple(done))

    def restored(self, pos: Position, viewer: ViewerId) -> Self:
        """Whoever stands with one who has gone has gone too."""
        if viewer == self.side:
            return self
        gone = {(pos.units[n].hex, pos.units[n].inside) for n in self.done if n in pos.units}
        own = (n for n, unit in pos.units.items() if pos.side(n) == self.side and (unit.hex, unit.inside) in gone)
        return msgspec.structs.replace(self, done=(*self.done, *(n for n in own if n not in self.done)))

    def _places(self, pos: Position) -> set[tuple[Hex, bool]]:
        return {(unit.hex, unit.inside) for n, unit in pos.units.items() if pos.side(n) == self.side}

    def next(self, pos: Position) -> tuple[Hex, bool] | None:
        """The next force that has not gone yet."""
        sides = pos.data.sides
        left = [unit for n, unit in pos.units.items() if sides[n] == self.side and n not in self.done]
        return min([(unit.hex, unit.inside) for unit in left], default=None)

    def goals(self, pos: Position, here: Hex) -> list[Hex]:
        """The friendly strongholds to which a free path leads."""
        return once(pos.lasting, ("quarters", self.side, here), lambda: self._goals(pos, here))

    def _goals(self, pos: Position, here: Hex) -> list[Hex]:
        there = pos.census
        closed = there.fields[OTHER[self.side]] | there.insides[OTHER[self.side]]
        passable = pos.data.board.land & ~closed
        seen = edge = bit(here)
        while edge:
            edge = pos.data.board.spread(edge) & passable & ~seen
            seen |= edge
        return [h for h in hexes_of(seen & pos.data.places_held) if forces.is_friendly(pos, h, self.side)]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, if the next force has a place to go."""
        place = self.next(pos)
        return (self.side,) if place is not None and self.goals(pos, place[0]) else ()

    def step(self, draft: Draft) -> None:
        """The force stays; or all have gone."""
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
        """The next force stays where it is, if it may."""
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
        """Where a force may go, in the field (0) or inside (1); where V2.2 leaves nothing, it goes where it can."""
        able = {here: self._ways_in(pos, here, place) for here in self.goals(pos, place[0])}
        members = self._members(pos, place)
        free = {
            here: found
            for here, ways in able.items()
            if (found := [way for way in ways if not why_not_part(pos, members, (here, bool(way)))])
        }
        return free or able

    def _ways_in(self, pos: Position, here: Hex, place: tuple[Hex, bool]) -> list[int]:
        own = sum(pos.units[n].strength for n in self._members(pos, place)) if place == (here, True) else 0
        able = pos.data.kind_at(here).inside and forces.inside_tp(pos, here, self.side) > own
        return [0, 1] if able else [0]

    def _why_not(self, pos: Position, place: tuple[Hex, bool], token: Token, inside: bool = False) -> Refusal:
        """Why the force may not spend the winter there."""
        if token not in self.goals(pos, place[0]):
            return Refusal("R17.8", "no free path leads from {} to such a place of yours", (hex_name(place[0]),))
        here = as_hex(token)
        if int(inside) not in self._ways_in(pos, here, place):
            return Refusal("R10.3", "the force cannot be quartered like that", (), here)
        refusal = why_not_part(pos, self._members(pos, place), (here, inside))
        return refusal or Refusal("R17.8", "the force cannot be quartered like that", (), here)

    def answer(self, draft: Draft, actor: Side, action: Quarter) -> None:
        place = self.next(draft)
        assert place is not None
        members = self._members(draft, place)
        give_away(draft, self.side)  # who has gone whole
        for number in members:
            inside = action.inside and forces.may_be_inside(draft, draft.units[number])
            draft.change(number, hex=action.hex, inside=inside)
        draft.swap(msgspec.structs.replace(self, done=(*self.done, *members)))
        chief = forces.commander(draft, [draft.units[number] for number in members])
        lead = chief if chief >= 0 else members[0]
        draft.emit(Quartered(side=self.side, lead=lead, hex=action.hex, inside=draft.units[lead].inside))

    def prompt(self, pos: Position, actor: Side) -> str:
        place = self.next(pos)
        assert place is not None
        return f"Winter quarters for the force at {hex_name(place[0])}: name a stronghold"
