"""R3.1, R2.5, R2.6, R15: step C: reinforcements, replaced leaders, replacements, and their places of arrival.

TP and leaders that arrive, freed ones too, go to a leader or the garrison in a home stronghold (R14.2, R15.1, V7.3).
"""

from __future__ import annotations

from typing import ClassVar, Final, Self

import msgspec

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import OTHER, ActorId, Side
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.actions import Appear, Assign
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, HANOVER, SIDE_OF, SetupEntry
from leuthen.rulesets.campaigns.model.events import DepotChanged, LeaderCame, LeaderWent, RaisedTp, TpPlaced
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, COMING, GONE, ON_MAP, TURNS, UNUSED, Coming, Depot
from leuthen.rulesets.campaigns.model.state import Decision, DieRoll, Draft, Position, with_item
from leuthen.rulesets.campaigns.rules.r02_leaders import leaders_of, place_leader, why_not_gain
from leuthen.rulesets.campaigns.rules.r05_hex_actions import take_place
from leuthen.rulesets.campaigns.rules.r09_supply import load_limit
from leuthen.wargame.board import Hex, as_hex, stack_key
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, PowerId, as_leader, bag, of


def open_homes(pos: Position, nation: PowerId) -> list[Hex]:
    """Return the friendly home strongholds of a nation that are not besieged; for Russia, where it joins (R18.4)."""
    side = SIDE_OF[nation]
    own = [here for here in pos.data.musters(nation) if forces.is_friendly(pos, here, side)]
    return [here for here in own if not forces.is_besieged(pos, here, side)]


class Placing(Decision[Assign], name="Arrivals", neutral=None):
    """TP of a nation are shared out over its home strongholds; a subclass for each source gives its rule."""

    IS_FREED: ClassVar[bool] = False  # freed men may travel with a wagon (V7.4), and V2.2 binds them
    IN_ONE: ClassVar[bool] = False  # all go to one place
    nation: PowerId
    points: int

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (SIDE_OF[self.nation],) if self.points and open_homes(pos, self.nation) else ()

    def step(self, draft: Draft) -> None:
        """End the placing; TP without a place wait (V7.3, R18.4)."""
        draft.pop()
        if self.points:
            draft.coming += (Coming(draft.clock + 1, self.nation, self.points, freed=self.IS_FREED),)

    def script(self, pos: Position, actor: Side) -> Script[Assign]:
        rule, homes = self.rule(pos), open_homes(pos, self.nation)
        yield Slot("do", ("assign",), Refusal(rule, "place the new TP first"))
        here = as_hex((yield Slot("hex", homes, lambda t: Refusal(rule, "no open home stronghold", (), int(t)))))

        def no_taker(token: Token) -> Refusal:
            unit = pos.chosen(token)
            if unit is None or unit.hex != here or pos.leader(unit.number).nation != self.nation:
                return Refusal(rule, "no leader of the nation is there", (), here)
            refusal = why_not_gain(pos, unit.number, 1) if self.IS_FREED else None
            return refusal or Refusal(rule, "wagons take no men here", (), here)

        leader = as_leader((yield Slot("leader", self.takers(pos, here), no_taker)))
        most = self.most(pos, leader)
        values = (self.points,) if self.IN_ONE and most == self.points else range(1, most + 1)
        much = Refusal("V2.2" if most < self.points else rule, "at most {} TP", (most,), here)
        points = int((yield Slot("points", values, much, canon=(values[-1],))))
        return Assign(self.nation, points, here, leader)

    def takers(self, pos: Position, here: Hex) -> list[int]:
        """Return the garrison (-1) and the leaders of the nation in the hex (V2.2)."""
        there = [unit.number for unit in forces.units_at(pos, here, SIDE_OF[self.nation])]
        return [STOP, *(n for n in there if n in pos.data.generals[self.nation] and self.most(pos, n))]

    def most(self, pos: Position, leader: LeaderId) -> int:
        """Return the TP that a leader may get: freed men do not make a force larger than the senior's (V2.2)."""
        if leader < 0 or not self.IS_FREED:
            return self.points
        return next((n for n in range(self.points, 0, -1) if why_not_gain(pos, leader, n) is None), 0)

    def answer(self, draft: Draft, actor: Side, action: Assign) -> None:
        part, side = bag(self.nation, action.points), SIDE_OF[self.nation]
        draft.give_away(side)  # a force may show other colours
        draft.forget(stack_key(action.hex, side, draft.units[action.leader].inside if action.leader >= 0 else True))
        if action.leader >= 0:
            draft.change(action.leader, tp=draft.units[action.leader].tp + part)
        else:
            draft.set_garrison(action.hex, draft.garrisons.get(action.hex, EMPTY) + part)
            if self.IS_FREED and draft.options.einhorn:
                draft.set_freed(action.hex, draft.freed.get(action.hex, EMPTY) + part)
        draft.amend(self, points=self.points - action.points)
        points, here, leader, by = action.points, action.hex, action.leader, self.rule(draft)
        draft.emit(TpPlaced(side=side, nation=self.nation, points=points, hex=here, leader=leader, by=by))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Place {self.points} new TP of {pos.data.nations[self.nation].name}"


class FreedMen(Placing, rule="R14.2", variant="V7.3"):
    """Prisoners who were exchanged come home (V7.3, in the base game R14.2)."""

    IS_FREED = True


class Replacements(Placing, rule="R15.1"):
    """Replacements of the base game, all to one place (R15.1)."""

    IN_ONE = True


class Recruits(Placing, rule="R18.4"):
    """Half of the reinforcements of a year (R18.4)."""


class Displaced(Placing, rule="R3.1"):
    """A garrison of the scenario whose place is in enemy hands (R3.1)."""


class Appearing(Decision[Appear], rule="R14.3", name="A leader returns", neutral=None):
    """A freed leader appears in a home stronghold (R14.3)."""

    leader: LeaderId

    def after_removal(self, pos: Position) -> Self | None:
        return self if pos.status[pos.leader(self.leader).nation] == AT_WAR else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (pos.side(self.leader),) if open_homes(pos, pos.leader(self.leader).nation) else ()

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.coming += (Coming(draft.clock + 1, draft.leader(self.leader).nation, 0, self.leader),)

    def script(self, pos: Position, actor: Side) -> Script[Appear]:
        yield Slot("do", ("appear",), Refusal("R14.3", "place the new leader first"))
        homes = open_homes(pos, pos.leader(self.leader).nation)
        here = yield Slot("hex", homes, lambda t: Refusal("R14.3", "no open home stronghold", (), int(t)))
        yield Slot("leader", (self.leader,), Refusal("R14.3", "a different leader has arrived"))
        return Appear(self.leader, as_hex(here))

    def answer(self, draft: Draft, actor: Side, action: Appear) -> None:
        draft.pop()
        place_leader(draft, self.leader, action.hex, inside=False)
        draft.emit(LeaderCame(side=actor, leader=self.leader, hex=action.hex, tp=0, by=self.RULE))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{pos.leader(self.leader).name} has arrived: choose his place"


def receive(draft: Draft) -> None:
    """Let the owners place freed men, leaders and waiting TP that are due, Prussia first (V7.3, R14.2, R18.4)."""
    due = [one for one in draft.coming if one.due <= draft.clock and draft.status[one.nation] == AT_WAR]
    draft.coming = tuple(one for one in draft.coming if one not in due)
    due.sort(key=lambda one: (one.nation, one.leader))
    for one in reversed(due):
        if one.leader >= 0 and draft.roster[one.leader] == COMING:
            draft.push(Appearing(one.leader))
        elif one.leader < 0:
            kind = FreedMen if one.freed else Recruits if draft.options.einhorn else Replacements
            draft.push(kind(one.nation, one.tp))


THIRD: Final = 3
LEAVERS: Final = {1756: "Ferdinand of Brunswick", 1757: "Charles"}  # who leaves after which year (R17.8)
RECRUITING: Final = (1, 7)  # turns on which half the TP of a year come (R18.4)
CHANGE_OF_COMMAND: Final = TURNS + 15  # from this turn Ferdinand commands for Hanover (R17.8)


class ArrivalStep(Decision, rule="R3.1", name="Arrivals"):
    """Step C: what the scenario brings, then replacements (R3.1, R15.1)."""

    def step(self, draft: Draft) -> None:
        """Bring all arrivals of this turn; in the variant no replacements (V1)."""
        draft.pop()
        draft.give_away(0, 1)  # whose TP pass to whom, where a successor stands
        for entry in due_entries(draft):
            arrive(draft, entry)
        if is_campaign(draft):
            replace_commanders(draft)
        for nation in ALL_NATIONS:
            lead_nation(draft, nation)
        if draft.options.einhorn:
            bring_recruits(draft)
            return
        draft.push_in_order(replacement_rolls(draft))
        receive(draft)


def bring_recruits(draft: Draft) -> None:
    """Raise half of the TP of the year on turns 1 and 7 of the variant's campaign; odd TP come first (R18.4).

    A nation must have been at war in the year before.
    """
    if not is_campaign(draft) or draft.turn not in RECRUITING:
        return
    for nation in reversed(ALL_NATIONS):
        whole = draft.data.yearly.get((draft.year, nation), 0)
        points = whole - whole // 2 if draft.turn == RECRUITING[0] else whole // 2
        is_old = draft.status[nation] == AT_WAR and draft.joined[nation] <= draft.clock - draft.turn
        if points and is_old and nation not in draft.conquered:
            draft.emit(RaisedTp(side=SIDE_OF[nation], nation=nation, points=points, by="R18.4"))
            draft.push(Recruits(nation, points))


def is_campaign(pos: Position) -> bool:
    """Return whether the game lasts several years (R17.1)."""
    plan = pos.data.scenarios[pos.scenario]
    return plan.last > plan.year


def replace_commanders(draft: Draft) -> None:
    """Replace Cumberland by Ferdinand on turn 15 of 1757, or when Hanover joins later (R17.8).

    A leader who should have left, but could not or was a prisoner, leaves as soon as he can (R17.8, R2.5).
    """
    old, new = draft.data.leader_named("Cumberland"), draft.data.leader_named("Ferdinand")
    if draft.status[HANOVER] == AT_WAR and draft.clock >= CHANGE_OF_COMMAND and old in draft.units:
        replace_leader(draft, new, old)
    for year, name in LEAVERS.items():
        number = draft.data.leader_named(name)
        if draft.year > year and number in draft.units:
            remove_leader(draft, number, by="R17.8")


def due_entries(pos: Position) -> list[SetupEntry]:
    """Return the set-up lines for this turn, and those of nations that have joined (R18.2, R18.3, R17.7)."""
    scenario = pos.data.scenarios[pos.scenario]
    found: list[SetupEntry] = []
    if pos.year == int(scenario.setup):
        for entry in pos.data.setups[scenario.setup]:
            waits = entry.what == "replace" and entry.turn < pos.turn and entry.instead in pos.units  # R2.5
            if entry.turn == pos.turn or waits:
                found.append(entry)
    for entry in pos.data.setups["joining"]:
        joined = pos.joined[entry.nation]
        if joined and pos.clock == joined + entry.turn:
            found.append(entry)
    return [one for one in found if pos.status[one.nation] == AT_WAR and one.nation not in pos.conquered]


def arrive(draft: Draft, entry: SetupEntry) -> None:
    """Carry out a line of the set-up (R3.1, R2.5)."""
    side = SIDE_OF[entry.nation]
    if entry.what == "replace":
        replace_leader(draft, entry.leader, entry.instead)
    elif entry.what == "above":
        ranks, both = list(draft.ranks), (entry.leader, entry.instead)  # he ranks above him from now on (R18.2)
        ranks[entry.leader], ranks[entry.instead] = sorted(draft.ranks[one] for one in both)
        draft.ranks = tuple(ranks)
        draft.recompute()
    elif entry.what == "garrison":
        draft.emit(RaisedTp(side=side, nation=entry.nation, points=entry.tp, by="R3.1"))
        here, is_free = entry.hex, not forces.field_tp(draft, entry.hex, OTHER[side])
        if is_free and not forces.is_friendly(draft, here, side) and not forces.inside_tp(draft, here, OTHER[side]):
            take_place(draft, here, side, by="R3.1")
        if is_free and forces.is_friendly(draft, here, side):
            draft.set_garrison(here, draft.garrisons.get(here, EMPTY) + bag(entry.nation, entry.tp))
            draft.forget(stack_key(here, side, True))
            draft.emit(TpPlaced(side=side, nation=entry.nation, points=entry.tp, hex=here, leader=NO_LEADER, by="R3.1"))
        else:
            draft.push(Displaced(entry.nation, entry.tp))
    elif entry.what == "depot":
        here = entry.hex  # no enemy has sent them elsewhere (R3.1), and their nation has a depot left
        own = sum(depot.nation == entry.nation for depot in draft.depots.values())
        is_free = forces.is_friendly(draft, here, side) and not forces.field_tp(draft, here, OTHER[side])
        if is_free and here not in draft.depots and own < draft.data.nations[entry.nation].depots:
            draft.set_depot(entry.hex, Depot(entry.nation))
            draft.emit(DepotChanged(side=side, hex=entry.hex, nation=entry.nation, what="is set up", by="R3.1"))
    elif draft.roster[entry.leader] == UNUSED:
        bring_leader(draft, entry)


def bring_leader(draft: Draft, entry: SetupEntry) -> None:
    """Bring a leader with his TP to the nearest hex without enemies (R3.1)."""
    side, there = SIDE_OF[entry.nation], draft.census
    closed = there.fields[OTHER[side]] | there.insides[OTHER[side]]
    here = next((hex_ for hex_ in draft.data.board.distances(entry.hex) if not closed >> hex_ & 1), entry.hex)
    is_foreign = here in draft.data.strongholds and entry.tp and not forces.is_friendly(draft, here, side)
    if is_foreign and not forces.inside_tp(draft, here, OTHER[side]) and not draft.is_enemy_ground(here):
        take_place(draft, here, side, by="R3.1")
    inside = entry.what == "inside" and here == entry.hex and forces.is_friendly(draft, here, side)
    place_leader(draft, entry.leader, here, inside=inside, tp=entry.tp)
    draft.change(entry.leader, sp=load_limit(draft, draft.units[entry.leader]))
    draft.emit(LeaderCame(side=side, leader=entry.leader, hex=here, tp=entry.tp))


def replace_leader(draft: Draft, leader: LeaderId, instead: LeaderId) -> None:
    """Let a successor take over hex, TP and SP, ready and not demoralized (R2.5)."""
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
    """Remove a leader; his TP and SP pass to leaders of his nation in the force, else to the garrison (R2.5).

    If neither is possible he stays.
    """
    unit = draft.units[number]
    draft.give_away(draft.side(number))  # where he stood, and who follows him
    if not can_leave(draft, number):
        return
    heirs = heirs_of(draft, number)
    heir = heirs[0] if heirs else NO_LEADER
    if heirs:
        other = draft.units[heir]
        draft.change(heir, tp=other.tp + unit.tp, sp=other.sp + unit.sp)
    elif unit.tp:
        draft.forget(stack_key(unit.hex, draft.side(number), True))
        draft.set_garrison(unit.hex, draft.garrisons.get(unit.hex, EMPTY) + unit.tp)
    draft.remove(number)
    draft.set_roster(number, GONE)
    draft.emit(LeaderWent(side=draft.side(number), leader=number, heir=heir if unit.tp else NO_LEADER, by=by))


def heirs_of(pos: Position, number: LeaderId) -> list[LeaderId]:
    """Return the leaders of his nation in a leader's force, from the highest Sr down (R2.5)."""
    unit, own = pos.units[number], pos.data.generals[pos.leader(number).nation]
    force = [one.number for one in forces.force_at(pos, unit.hex, pos.side(number), unit.inside)]
    return forces.by_seniority(pos, [n for n in force if n in own and n != number])


def can_leave(pos: Position, number: LeaderId) -> bool:
    """Return whether leaders of his nation or a garrison can take over a leader's TP (R2.5)."""
    unit = pos.units[number]
    return not unit.tp or bool(heirs_of(pos, number)) or forces.is_friendly(pos, unit.hex, pos.side(number))


def lead_nation(draft: Draft, nation: PowerId) -> None:
    """Give a nation with TP and no leader one, in a stronghold with its TP (R2.6)."""
    if draft.status[nation] != AT_WAR or leaders_of(draft, nation):
        return
    places = [here for here, tp in draft.garrisons.items() if of(tp, nation)]
    if not places:
        return
    leader, here = draft.data.nameless(nation), places[0]
    # he who is a captive or on his way is so no more: each nation has one without a name
    first, second = (tuple(one for one in held if one.leader != leader) for held in draft.captives)
    draft.captives = (first, second)
    draft.coming = tuple(one for one in draft.coming if one.leader != leader)
    place_leader(draft, leader, here, inside=draft.data.kind_at(here).inside)
    draft.emit(LeaderCame(side=SIDE_OF[nation], leader=leader, hex=here, tp=0, by="R2.6"))


class ReplacementRoll(DieRoll, rule="R15.1", name="Replacements"):
    """Replacements of a nation in the base game (R15.1)."""

    nation: PowerId

    def after_removal(self, pos: Position) -> Self | None:
        """Drop the roll if the nation has left the war or is conquered (R17.5, R17.7)."""
        return self if pos.status[self.nation] == AT_WAR and self.nation not in pos.conquered else None

    def rolled(self, draft: Draft, die: int) -> None:
        """-1 for each third of its homes that is lost; its limit holds for the year."""
        homes = draft.data.homes[self.nation]
        lost = sum(draft.owners[here] == OTHER[SIDE_OF[self.nation]] for here in homes)
        result = die - (THIRD * lost // len(homes) if homes else 0)
        most = draft.data.nations[self.nation].replacements - draft.raised[self.nation]
        points = min(most, draft.data.replacements[self.nation][result - 1] if result >= 1 else 0)
        draft.raised = with_item(draft.raised, self.nation, draft.raised[self.nation] + points)
        draft.emit(RaisedTp(side=SIDE_OF[self.nation], nation=self.nation, points=points, die=die))
        if points:
            draft.push(Replacements(self.nation, points))


def replacement_rolls(pos: Position) -> list[ReplacementRoll]:
    """Return a roll for each nation that gets replacements, in the order of R1.3 (R15.1, R17.7)."""
    able = [nation for nation in ALL_NATIONS if pos.status[nation] == AT_WAR and nation not in pos.conquered]
    return [ReplacementRoll(nation) for nation in able]
