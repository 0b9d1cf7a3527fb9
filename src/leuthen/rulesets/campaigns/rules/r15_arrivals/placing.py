"""TP and leaders that come onto the map: to a leader or the garrison in a home stronghold (R14.2, R15.1, V7.3)."""

from __future__ import annotations

from typing import ClassVar, Self

import msgspec

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Appear, Assign
from leuthen.rulesets.campaigns.model.data import SIDE_OF
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.turns import LeaderCame, TpPlaced
from leuthen.rulesets.campaigns.model.forces import is_besieged, is_friendly, units_at
from leuthen.rulesets.campaigns.model.knowledge import forget, give_away
from leuthen.rulesets.campaigns.model.state import AT_WAR, COMING, Coming, Draft, Position
from leuthen.rulesets.campaigns.rules.r02_leaders.seniority import is_bound, leaders_of, why_not_shift
from leuthen.rulesets.campaigns.rules.r02_leaders.stragglers import place_leader
from leuthen.wargame.board import Hex, as_hex, stack_key
from leuthen.wargame.strength import EMPTY, LeaderId, PowerId, as_leader, bag


def homes_open(pos: Position, nation: PowerId) -> list[Hex]:
    """The friendly home strongholds of a nation that are not besieged; of Russia, those where it joins (R18.4)."""
    side = SIDE_OF[nation]
    return [
        here for here in pos.data.musters(nation) if is_friendly(pos, here, side) and not is_besieged(pos, here, side)
    ]


class Placing(Decision[Assign], name="Arrivals", neutral=None):
    """TP of a nation are shared out over its home strongholds; each source of them is a class with its rule."""

    IS_FREED: ClassVar[bool] = False
    """Whether they are freed men, who may travel with a wagon (V7.4), and are bound by V2.2."""
    IN_ONE: ClassVar[bool] = False
    """Whether all go to one place."""
    nation: PowerId
    points: int

    def kept(self, pos: Position) -> Self | None:
        """Nothing, if the nation has left the war: they are struck off (R17.5)."""
        return self if pos.status[self.nation] == AT_WAR else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, as long as there is something to place and a place for it."""
        return (SIDE_OF[self.nation],) if self.points and homes_open(pos, self.nation) else ()

    def step(self, draft: Draft) -> None:
        """All are placed; or there is no place, and they wait (V7.3, R18.4)."""
        draft.pop()
        if self.points:
            waiting = Coming(draft.clock + 1, self.nation, self.points, freed=self.IS_FREED)
            draft.coming = (*draft.coming, waiting)

    def script(self, pos: Position, actor: Side) -> Script[Assign]:
        yield Slot("do", ("assign",), lambda token: Refusal(self.rule(pos), "TP have come: say where they go"))
        homes = homes_open(pos, self.nation)
        here = as_hex(
            (yield Slot("hex", homes, lambda t: Refusal(self.rule(pos), "no open home stronghold", (), int(t))))
        )
        takers = self.takers(pos, here)
        leader = yield Slot("leader", takers, lambda token: self._no_taker(pos, here, token))
        most = self.most(pos, as_leader(leader))
        values = (self.points,) if self.IN_ONE and most == self.points else range(1, most + 1)
        points = yield Slot(
            "points",
            values,
            lambda t: Refusal("V2.2" if most < self.points else self.rule(pos), "{} TP at most", (most,), here),
            canon=(values[-1],),
        )
        return Assign(self.nation, int(points), here, as_leader(leader))

    def _no_taker(self, pos: Position, here: Hex, token: Token) -> Refusal:
        """Why a leader gets none of the men: he is not there, or his force may not grow (V2.2)."""
        unit = pos.chosen(token)
        if unit is None or unit.hex != here or pos.leader(unit.number).nation != self.nation:
            return Refusal(self.rule(pos), "no leader of the nation is there", (), here)
        return self.why_not_more(pos, unit.number, 1) or Refusal(self.rule(pos), "wagons get no men here", (), here)

    def takers(self, pos: Position, here: Hex) -> list[int]:
        """The garrison (-1), and the leaders of the nation there (V2.2)."""
        side = SIDE_OF[self.nation]
        own = [
            unit.number
            for unit in units_at(pos, here, side)
            if pos.leader(unit.number).nation == self.nation and not pos.data.is_wagon(unit.number)
        ]
        return [STOP, *(number for number in own if self.most(pos, number))]

    def most(self, pos: Position, leader: LeaderId) -> int:
        """How many may go to a leader: freed men may not make a force larger than the senior's (V2.2)."""
        if leader < 0 or not self.IS_FREED or not is_bound(pos, self.nation):
            return self.points
        able = (points for points in range(self.points, 0, -1) if self.why_not_more(pos, leader, points) is None)
        return next(able, 0)

    def why_not_more(self, pos: Position, leader: LeaderId, points: int) -> Refusal | None:
        """The rule that keeps so many freed men from a leader, or None (V2.2)."""
        before = leaders_of(pos, self.nation)
        if leader not in before or not self.IS_FREED or not is_bound(pos, self.nation):
            return None
        at, tp = before[leader]
        return why_not_shift(pos, self.nation, before, {**before, leader: (at, tp + points)})

    def answer(self, draft: Draft, actor: Side, action: Assign) -> None:
        part = bag(self.nation, action.points)
        inside = draft.units[action.leader].inside if action.leader >= 0 else True
        give_away(draft, SIDE_OF[self.nation])  # a force may show other colours
        forget(draft, stack_key(action.hex, SIDE_OF[self.nation], inside))
        if action.leader >= 0:
            draft.change(action.leader, tp=draft.units[action.leader].tp + part)
        else:
            draft.set_garrison(action.hex, draft.garrisons.get(action.hex, EMPTY) + part)
            if self.IS_FREED and draft.options.einhorn:
                draft.set_freed(action.hex, draft.freed.get(action.hex, EMPTY) + part)
        draft.swap(msgspec.structs.replace(self, points=self.points - action.points))
        side = SIDE_OF[self.nation]
        draft.emit(
            TpPlaced(
                side=side,
                nation=self.nation,
                points=action.points,
                hex=action.hex,
                leader=action.leader,
                by=self.rule(draft),
            )
        )

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{self.points} TP of {pos.data.nations[self.nation].name} have come: say where they go"


class FreedMen(Placing, rule="V7.3"):
    """Prisoners who were exchanged come home (V7.3, in the base game R14.2)."""

    IS_FREED = True

    def rule(self, pos: Position) -> str:
        """That of the variant, or of the base game."""
        return self.RULE if pos.options.einhorn else "R14.2"


class Replacements(Placing, rule="R15.1"):
    """Replacements of the base game, all to one place (R15.1)."""

    IN_ONE = True


class Recruits(Placing, rule="R18.4"):
    """Half of the reinforcements of a year (R18.4)."""


class Displaced(Placing, rule="R3.1"):
    """A garrison that the scenario brings, and whose place is in enemy hands (R3.1)."""


class Appearing(Decision[Appear], rule="R14.3", name="A leader returns", neutral=None):
    """A freed leader appears in a home stronghold (R14.3)."""

    leader: LeaderId

    def kept(self, pos: Position) -> Self | None:
        """Nothing, if his nation has left the war (R17.5)."""
        return self if pos.status[pos.leader(self.leader).nation] == AT_WAR else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, if there is a place."""
        nation = pos.leader(self.leader).nation
        return (SIDE_OF[nation],) if homes_open(pos, nation) else ()

    def step(self, draft: Draft) -> None:
        draft.pop()
        nation = draft.leader(self.leader).nation
        draft.coming = (*draft.coming, Coming(draft.clock + 1, nation, 0, self.leader))

    def script(self, pos: Position, actor: Side) -> Script[Appear]:
        yield Slot("do", ("appear",), lambda token: Refusal("R14.3", "a leader has come: say where he goes"))
        homes = homes_open(pos, pos.leader(self.leader).nation)
        here = yield Slot("hex", homes, lambda t: Refusal("R14.3", "no open home stronghold", (), int(t)))
        yield Slot("leader", (self.leader,), _another)
        return Appear(self.leader, as_hex(here))

    def answer(self, draft: Draft, actor: Side, action: Appear) -> None:
        draft.pop()
        place_leader(draft, self.leader, action.hex, inside=False)
        draft.emit(LeaderCame(side=actor, leader=self.leader, hex=action.hex, tp=0, by=self.RULE))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{pos.leader(self.leader).name} has come: say where he goes"


def _another(token: Token) -> Refusal:
    return Refusal("R14.3", "another leader has come")


def receive(draft: Draft) -> None:
    """Who is due is placed by his owner, the Prussian side's first: the freed, and who waits (V7.3, R14.2, R18.4)."""
    due = [one for one in draft.coming if one.due <= draft.clock and draft.status[one.nation] == AT_WAR]
    draft.coming = tuple(one for one in draft.coming if one not in due)
    due.sort(key=lambda one: (one.nation, one.leader))
    for one in reversed(due):
        if one.leader >= 0 and draft.roster[one.leader] == COMING:
            draft.push(Appearing(one.leader))
        elif one.leader < 0:
            draft.push(_arriving(draft, one))


def _arriving(pos: Position, one: Coming) -> Placing:
    """By which rule TP that were on the way are placed."""
    if one.freed:
        return FreedMen(one.nation, one.tp)
    return (Recruits if pos.options.einhorn else Replacements)(one.nation, one.tp)
