"""R7: reactions to a march: the leaders who may try, the roll, and the move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, Self

import msgspec

from leuthen.engine.choice import STOP, Action, Refusal, Script, Slot, Token, ask_members
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, ActorId, Side
from leuthen.rulesets.campaigns.model import events, forces
from leuthen.rulesets.campaigns.model.actions import Hold, Move, React
from leuthen.rulesets.campaigns.model.pieces import HUNGRY, Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position, SideDecision, SideRoll
from leuthen.rulesets.campaigns.rules.r04_command import activation
from leuthen.rulesets.campaigns.rules.r05_walk import REACTION, Pace, Walk, ask_way
from leuthen.rulesets.campaigns.rules.r09_supply import MOST_MOVES, count_move, owed_by, set_off, stock
from leuthen.rulesets.campaigns.rules.r12_battle import open_battle
from leuthen.wargame.board import NOWHERE, Board, Hex, Hexes, bit, hex_name, hexes_of
from leuthen.wargame.strength import LeaderId, as_leader


class Reacting(SideDecision[Move | Hold], rule="R7.4", name="Reaction move", neutral=Hold()):
    """A reaction that has succeeded, up to 3 MP (R7.4)."""

    hex: Hex
    group: tuple[LeaderId, ...]
    way: tuple[Hex, ...] | None = None  # the hexes ahead; None before the answer
    inside: bool = False
    came: Hex = NOWHERE  # the previous hex

    def after_removal(self, pos: Position) -> Self | None:
        """End the reaction if the mover has gone; a group on its way halts."""
        return super().after_removal(pos) if forces.field_tp(pos, self.hex, OTHER[self.side]) else None

    def walk(self, pos: Position) -> Walk:
        """Return the walk: of the enemy it meets the mover only; demoralized, it enters no other enemy hex (V8.2)."""
        owed = owed_by(pos, [pos.units[number] for number in self.group])
        walk = Walk(pos, self.group, self.group[0], REACTION, kind="reaction", fresh=False, owed=owed)
        there = pos.census
        closed = there.fields[OTHER[self.side]]
        if pos.options.einhorn and any(pos.units[number].daunted for number in self.group):
            closed |= there.insides[OTHER[self.side]]
        walk.__dict__["barred"] = closed & ~(1 << self.hex)
        return walk

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if self.way is None else ()

    def script(self, pos: Position, actor: Side) -> Script[Move | Hold]:
        walk = self.walk(pos)
        goes = walk.here == self.hex or any(self._ends(walk, here, left) for here, left in walk.reach.items())
        kinds = ("hold", "move") if goes else ("hold",)

        def why_not(action: Action) -> Refusal | None:
            here = action.path[-1] if isinstance(action, Move) and action.path else walk.here
            if not isinstance(action, Move) or here not in walk.reach:
                return None
            return self._why_not_end(walk, here, walk.reach[here], inside=action.inside)

        if (yield Slot("do", kinds, lambda token: self._no_kind(walk, token), explain=why_not)) == "hold":
            return Hold()

        def onward(here: Hex, left: int) -> Mapping[Hex, int]:
            if here == self.hex and (here, left) != (walk.here, walk.left):
                return {}
            found = walk.steps(here, left)
            return {there: rest for there, rest in found.items() if self._leads(walk, there, rest)}

        path, inside = yield from ask_way(
            Pace(walk.here, walk.left, onward, partial(self._why_not_enter, walk)),
            partial(self._ends, walk),
            lambda here, left, token: self._why_not_end(walk, here, left, inside=token == 1),
            lambda values: [STOP, *values[:1]],
        )
        return Move(path, inside)

    def _no_kind(self, walk: Walk, token: Token) -> Refusal:
        """Return the rule against the first end that R7.4 allows (V2.2, V3.1, V8.2)."""
        if token != "move":
            return Refusal("R7.4", "choose a legal path or hold")
        ends = (here for here in walk.reach if self.why_not_here(walk, here) is None)
        bars = (walk.why_not_end(here, walk.reach[here], False) for here in ends)
        return next(filter(None, bars), Refusal("R7.4", "no path of 3 MP ends legally", (), walk.here))

    def _ends(self, walk: Walk, here: Hex, left: int) -> list[int]:
        """Return the legal ends in a hex: in the field (0) and inside (1) (R7.4)."""
        found = []
        if self.why_not_here(walk, here) is None and walk.why_not_end(here, left, False) is None:
            found.append(0)
        if here != self.hex and walk.why_not_end(here, left, True) is None:
            found.append(1)
        return found

    def why_not_here(self, walk: Walk, here: Hex) -> Refusal | None:
        """Return the rule that forbids to end in a hex, or None (R7.4)."""
        away = walk.pos.data.board.distances(self.hex)
        is_farther = here != walk.here and away.get(here, 99) > away.get(walk.here, 99)
        if is_farther or here == self.hex or forces.is_friendly(walk.pos, here, self.side):
            return None
        reason = "{} is neither the mover's hex, nor a friendly stronghold, nor farther from him"
        return Refusal("R7.4", reason, (hex_name(here),), here)

    def _why_not_end(self, walk: Walk, here: Hex, left: int, *, inside: bool) -> Refusal:
        if here == self.hex and inside:
            return Refusal("R7.4", "a group that enters the mover's hex attacks there", (), here)
        refusal = None if inside else self.why_not_here(walk, here)
        return refusal or walk.why_not_end(here, left, inside) or walk.why_no_end(here, left)

    def _why_not_enter(self, walk: Walk, here: Hex, there: Hex, left: int) -> Refusal:
        if walk.pos.data.board.steps[here].get(there) is None or not walk.barred >> there & 1:
            return walk.why_not_enter(here, there, left)
        if not walk.enemy_fields >> there & 1:
            reason = "a demoralized leader may not enter {}, where the enemy is"
            return Refusal("V8.2", reason, (hex_name(there),), there)
        return Refusal("R7.1", "another enemy field force is in {}", (hex_name(there),), there)

    def _leads(self, walk: Walk, here: Hex, left: int) -> bool:
        if self._ends(walk, here, left):
            return True
        if here == self.hex:
            return False
        found = walk.steps(here, left)
        return any(self._leads(walk, there, rest) for there, rest in found.items())

    def answer(self, draft: Draft, actor: Side, action: Move | Hold) -> None:
        """Stay or set out; either may cost SP (V3.5). In each hex the group may absorb SP (V3.4)."""
        path = () if isinstance(action, Hold) else action.path
        units = [draft.units[number] for number in self.group]
        set_off(draft, self.side, units, path[0] if path else units[0].hex, forage=False)
        if isinstance(action, Hold):
            draft.pop()
            here, lead = units[0].hex, self.group[0]
            draft.emit(events.ReactionStayed(side=self.side, lead=lead, units=self.group, hex=here))
            return
        group = tuple(number for number in self.group if number in draft.units)
        draft.amend(self, group=group, way=path, inside=action.inside)
        self._pause(draft)

    def step(self, draft: Draft) -> None:
        """Enter the next hex, or end the reaction; in the mover's hex with an attack (R7.4, R6.2)."""
        lead, here = self.group[0], draft.units[self.group[0]].hex
        if not self.way:
            draft.pop()
            for number in self.group:
                draft.change(number, inside=self.inside and forces.can_be_inside(draft, draft.units[number]))
            activation.report_halt(draft, self.side, lead, self.group, inside=self.inside, by=self.RULE)
            if here == self.hex:
                open_battle(draft, here, self.side, how="reaction", came=self.came)
            return
        there, by = self.way[0], self.RULE
        for number in self.group:
            draft.change(number, hex=there, left=True)
        draft.emit(events.Moved(side=self.side, lead=lead, units=self.group, came=here, hex=there, left=None, by=by))
        lift_siege(draft, here, self.side)
        draft.amend(self, way=self.way[1:], came=here)
        self._pause(draft)

    def _pause(self, draft: Draft) -> None:
        if draft.options.einhorn:
            activation.pause(draft, self.side, self.group, activation.REACTING)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{pos.leader(self.group[0]).name} reacts: up to {REACTION} MP or stay"


def lift_siege(draft: Draft, here: Hex, side: Side) -> None:
    """End a siege that a reacting force leaves, unless the remaining TP could besiege (R7.4, R11.1)."""
    siege = draft.sieges.get(here)
    if siege is None or draft.owners[here] == side:
        return
    least = draft.data.kind_at(here).besieger
    if forces.is_besieged(draft, here, OTHER[side]) and forces.field_tp(draft, here, side) >= least:
        return
    draft.set_siege(here, msgspec.structs.replace(siege, turns=0))


WAYS_KEPT: Final = 4096  # cached results of `ways_to`
OWN_HEX: Final = -2  # modifier if the mover has entered the reacting leader's hex (R7.3)


def reaction_range(pos: Position, here: Hex, side: Side) -> dict[Hex, tuple[int, bool]]:
    """Return the hexes within reaction range of a hex: MP, and whether the cheapest way crosses a river or pass.

    Only the first and last hex may hold an enemy field force (R7.1); among equal ways one without a river counts.
    """
    board = pos.data.board
    return _reaction_range(board, here, pos.census.fields[OTHER[side]] & board.within(here, REACTION - 1) & ~bit(here))


@lru_cache(maxsize=WAYS_KEPT)
def _reaction_range(board: Board, here: Hex, enemy: Hexes) -> dict[Hex, tuple[int, bool]]:
    found: dict[Hex, tuple[int, bool]] = {here: (0, False)}
    shells: list[list[Hex]] = [[here], *([] for _ in range(REACTION))]
    for cost, shell in enumerate(shells):
        for place in shell:
            if found[place][0] != cost or enemy >> place & 1:
                continue
            for there in board.neighbours[place]:
                price = board.steps[there][place]
                way = cost + price, found[place][1] or price > 1
                if way[0] <= REACTION and way < found.get(there, (99, True)):
                    found[there] = way
                    shells[way[0]].append(there)
    return found


def why_not_react(pos: Position, unit: Unit, side: Side) -> Refusal | None:
    """Return the rule that bars a unit from reacting, or None (R7.2, R7.5, V3.5, V4)."""
    name = pos.leader(unit.number).name
    if pos.side(unit.number) != side:
        return Refusal("R7.2", "{} is not yours", (name,))
    if not unit.tp or unit.inside:
        return Refusal("R7.2", "{} leads no TP of yours in the field", (name,), unit.hex)
    is_variant, waits = pos.options.einhorn, forces.is_held_back(pos, unit.number)
    return first_refusal(
        unit.hex,
        (waits, "R18.2", "{} does not react yet", name),
        (not is_variant and unit.shaken, "R13.3", "{} is demoralized", name),
        (not is_variant and unit.hunger, "R9.8", "{} is out of supply", name),
        (is_variant and unit.moves >= MOST_MOVES, "V4", "{} has moved twice", name),
        (is_variant and unit.fodder == HUNGRY, "V3.5", "{} is out of supply", name),
    )


class ReactionWindow(SideDecision[React | Hold], rule="R7.1", name="Reaction", neutral=Hold(), veiled={"tried": ()}):
    """The other side may react to a group that has entered a hex, one force after the other (R7.1)."""

    hex: Hex
    mover: LeaderId
    came: Hex
    tried: tuple[LeaderId, ...] = ()

    def _is_open(self, pos: Position) -> bool:
        unit = pos.units.get(self.mover)
        return unit is not None and unit.hex == self.hex and forces.field_tp(pos, self.hex, OTHER[self.side]) > 0

    def able(self, pos: Position) -> list[LeaderId]:
        """Return the leaders who may try (R7.1, R7.2)."""
        near = self._near(pos)
        if not near or not self._is_open(pos):
            return []
        ways, tried = reaction_range(pos, self.hex, self.side), self.leaders_tried(pos)
        there = [u for here in hexes_of(near) if here in ways for u in forces.force_at(pos, here, self.side, False)]
        able = [unit.number for unit in there if unit.tp and unit.number not in tried]
        able = [number for number in able if not why_not_react(pos, pos.units[number], self.side)]
        poor = [number for number in able if not is_paid(pos, (number,))]
        wagons = {n: [w for w in self._companions(pos, n) if is_bare_wagon(pos, w)] for n in poor}
        return sorted([n for n in able if n not in wagons or is_paid(pos, (n, *wagons[n]))])

    def _near(self, pos: Position) -> Hexes:
        return pos.census.fields[self.side] & pos.data.board.within(self.hex, REACTION)

    def _companions(self, pos: Position, leader: LeaderId) -> list[LeaderId]:
        """Return possible companions; each may take part in one try per march (R7.2)."""
        tried = self.leaders_tried(pos)
        return [number for number in companions_for(pos, leader, self.side) if number not in tried]

    def leaders_tried(self, pos: Position) -> tuple[LeaderId, ...]:
        """Return the leaders who have tried against this march (R7.2)."""
        march = activation.open_march(pos)
        return (*self.tried, *(march.tried if march is not None else ()))

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the other side while a leader may try; with `hidden` while it has TP in the field in range."""
        if pos.options.hidden:
            near = self._near(pos) if self._is_open(pos) else 0
            is_seen = near and any(near >> here & 1 for here in reaction_range(pos, self.hex, self.side))
            return (self.side,) if is_seen else ()
        return (self.side,) if self.able(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[React | Hold]:
        """Ask for a leader with companions, or hold (R7.2)."""
        if (yield Slot("do", ("hold", "react"), Refusal("R7.2", "choose react or hold"))) == "hold":
            return Hold()
        leader = as_leader((yield Slot("leader", self.able(pos), lambda token: self._not_able(pos, token))))
        pool = sorted(self._companions(pos, leader))

        def refuse(before: tuple[LeaderId, ...], token: Token) -> Refusal:
            if token == STOP:
                return why_unpaid(pos, (leader, *before))
            unit = pos.chosen(token)
            if unit is None:
                return Refusal("R7.2", "no leader of that name is on the map")
            name = pos.leader(unit.number).name
            if token in self.leaders_tried(pos):
                return Refusal("R7.2", "{} has already tried to react to this march", (name,), self.hex)
            if refusal := why_not_along(pos, leader, unit, self.side):
                return refusal
            if unit.number in (leader, *before) or (before and unit.number < before[-1]) or unit.number not in pool:
                return Refusal("R7.2", "{} is named twice or out of order", (name,), unit.hex)
            return why_unpaid(pos, (leader, *before, unit.number))

        def can_stop(chosen: tuple[LeaderId, ...]) -> bool:
            return is_paid(pos, (leader, *chosen))

        def can_add(chosen: tuple[LeaderId, ...], later: Sequence[LeaderId]) -> bool:
            """Return whether the group can pay, perhaps with wagons that may still be named."""
            return can_stop(chosen) or can_stop((*chosen, *[n for n in later if is_bare_wagon(pos, n)]))

        members = ask_members("companions", pool, refuse, can_add=can_add, can_stop=can_stop)
        return React(leader, (yield from members))

    def _not_able(self, pos: Position, token: Token) -> Refusal:
        unit = pos.chosen(token)
        if unit is None:
            return Refusal("R7.2", "no leader of that name is on the map")
        name, near = pos.leader(unit.number).name, reaction_range(pos, self.hex, self.side)
        tried = token in self.leaders_tried(pos)
        return (
            why_not_react(pos, unit, self.side)
            or first_refusal(
                unit.hex,
                (tried, "R7.2", "{} has already tried to react to this march", name),
                (unit.hex not in near, "R7.1", "{} has no path of 3 MP clear of the enemy", name),
            )
            or why_unpaid(pos, (unit.number,))
        )

    def answer(self, draft: Draft, actor: Side, action: React | Hold) -> None:
        if isinstance(action, Hold):
            draft.pop()
            draft.emit(events.ReactionDeclined(side=self.side, mover=self.mover, hex=self.hex))
            return
        group = (action.leader, *action.companions)
        draft.amend(self, tried=(*self.tried, *group))
        march = activation.open_march(draft)
        if march is not None:
            draft.amend(march, tried=(*march.tried, *group))
        draft.push(ReactionRoll(self.side, self.hex, self.came, group))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{pos.leader(self.mover).name} comes to {hex_name(self.hex)}: react or let him pass"


def companions_for(pos: Position, leader: LeaderId, side: Side) -> list[LeaderId]:
    """Return possible companions: leaders of the force with TP and the same command or less, its wagons (R7.2)."""
    here = pos.units[leader].hex
    wagons = [unit for unit in forces.wagons_at(pos, here, side) if not unit.tp]
    there = [*forces.force_at(pos, here, side, False), *wagons]
    return [u.number for u in there if u.number != leader and not why_not_along(pos, leader, u, side)]


def why_not_along(pos: Position, leader: LeaderId, unit: Unit, side: Side) -> Refusal | None:
    """Return the rule that keeps a unit from joining a leader's reaction, or None (R7.2, V4)."""
    name, first = pos.leader(unit.number).name, pos.units[leader]
    if unit.hex != first.hex or pos.side(unit.number) != side:
        return Refusal("R7.2", "{} is not in the force of {}", (name, pos.leader(leader).name), unit.hex)
    if is_bare_wagon(pos, unit.number):
        spent = pos.options.einhorn and unit.moves >= MOST_MOVES
        return Refusal("V4", "{} has moved twice", (name,), unit.hex) if spent else None
    if refusal := why_not_react(pos, unit, side):
        return refusal
    if pos.leader(unit.number).command > pos.leader(leader).command:
        return Refusal("R7.2", "{} has a higher command than {}", (name, pos.leader(leader).name), unit.hex)
    return None


def why_unpaid(pos: Position, group: Sequence[LeaderId]) -> Refusal:
    """Return the refusal for a group without the SP due for its first move (V3.5)."""
    units = [pos.units[number] for number in group]
    names = ", ".join(pos.leader(number).name for number in group)
    reason = "{} SP are due from the units of {} out of depot range; they have {}"
    return Refusal("V3.5", reason, (owed_by(pos, units).usual, names, stock(units)), units[0].hex)


def is_paid(pos: Position, group: Sequence[LeaderId]) -> bool:
    """Return whether a group can pay the SP due for its first move (V3.5)."""
    units = [pos.units[number] for number in group]
    return stock(units) >= owed_by(pos, units).usual


def is_bare_wagon(pos: Position, number: LeaderId) -> bool:
    """Return whether this is a wagon without men, which could come along and pay."""
    return pos.data.is_wagon(number) and not pos.units[number].tp


def modifiers(pos: Position, leader: LeaderId, here: Hex, side: Side) -> events.Modifiers:
    """Return the modifiers of a reaction die (R7.3)."""
    unit = pos.units[leader]
    own = unit.hex == here
    _, wet = reaction_range(pos, here, side)[unit.hex]
    return events.nonzero(
        ("distance", int(not own and not pos.data.board.rings[unit.hex] >> here & 1)),
        ("river or pass", int(wet)),
        ("winter", int(pos.is_winter)),
        ("moved", int(unit.moved)),
        ("own hex", OWN_HEX * own),
    )


def is_success(pos: Position, leader: LeaderId, die: int, added: int) -> bool:
    """Return whether a die is at the initiative or less; a natural 6 fails (R7.3)."""
    return die != 6 and die + added <= pos.leader(leader).initiative


class ReactionRoll(SideRoll, rule="R7.3", name="Reaction roll"):
    hex: Hex
    came: Hex
    group: tuple[LeaderId, ...]

    def after_removal(self, pos: Position) -> Self | None:
        """Drop the die if the mover has gone."""
        return super().after_removal(pos) if forces.field_tp(pos, self.hex, OTHER[self.side]) else None

    def rolled(self, draft: Draft, die: int) -> None:
        leader = self.group[0]
        found = modifiers(draft, leader, self.hex, self.side)
        success = is_success(draft, leader, die, events.total_of(found))
        draft.emit(
            events.ReactionTried(
                side=self.side,
                leader=leader,
                units=self.group,
                hex=self.hex,
                die=die,
                modifiers=found,
                initiative=draft.leader(leader).initiative,
                success=success,
            )
        )
        if success:
            count_move(draft, [draft.units[number] for number in self.group])
            draft.push(Reacting(self.side, self.hex, self.group))
