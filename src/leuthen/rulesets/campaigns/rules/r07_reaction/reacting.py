"""R7.4: a reaction that has succeeded, on its way."""

from __future__ import annotations

from typing import Self

import msgspec

from leuthen.engine.choice import STOP, Action, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import OTHER, ActorId, Side, ViewerId
from leuthen.rulesets.campaigns.model.actions import Hold, Move
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.moving import Moved, ReactionStayed
from leuthen.rulesets.campaigns.model.forces import field_tp, is_besieged, is_friendly, may_be_inside
from leuthen.rulesets.campaigns.model.knowledge import heads
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r04_command.activation import report_halt
from leuthen.rulesets.campaigns.rules.r04_command.passing import REACTING, pause
from leuthen.rulesets.campaigns.rules.r05_movement.paths import Pace
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION, Walk, crosses
from leuthen.rulesets.campaigns.rules.r09_supply.fodder import owed_by, set_off
from leuthen.rulesets.campaigns.rules.r12_battle.battle import open_battle
from leuthen.wargame.board import NOWHERE, Hex, as_hex, hex_name
from leuthen.wargame.strength import LeaderId


class Reacting(Decision[Move | Hold], rule="R7.4", name="Reaction move", neutral=Hold()):
    """A reaction that has succeeded: up to 3 MP (R7.4)."""

    side: Side
    hex: Hex
    group: tuple[LeaderId, ...]
    way: tuple[Hex, ...] | None = None
    """The hexes that are left to go, once the way has been said."""
    inside: bool = False
    came: Hex = NOWHERE
    """The hex from which it has entered the one where it is."""

    def covered(self, pos: Position, viewer: ViewerId) -> Self:
        """Its leader, and who commands (R1.11)."""
        return self if viewer == self.side else msgspec.structs.replace(self, group=heads(pos, self.group))

    def kept(self, pos: Position) -> Self | None:
        """Nobody reacts to a mover who has gone: who is on his way halts."""
        return super().kept(pos) if field_tp(pos, self.hex, OTHER[self.side]) else None

    def walk(self, pos: Position) -> Walk:
        """The group on its way: it meets no enemy but the mover; a demoralized one enters no other enemy hex (V8.2)."""
        owed = owed_by(pos, [pos.units[number] for number in self.group])
        walk = Walk(pos, self.group, self.group[0], REACTION, kind="reaction", fresh=False, owed=owed)
        there = pos.census
        closed = there.fields[OTHER[self.side]]
        if pos.options.einhorn and any(pos.units[number].daunted for number in self.group):
            closed |= there.insides[OTHER[self.side]]
        walk.__dict__["barred"] = closed & ~(1 << self.hex)
        return walk

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Its owner, until the way is said."""
        return (self.side,) if self.way is None else ()

    def script(self, pos: Position, actor: Side) -> Script[Move | Hold]:
        """A way with its end, or to stay where one is."""
        walk = self.walk(pos)
        own = walk.here == self.hex
        kinds: list[Token] = ["hold"]
        if own or any(self._ends(walk, here, left) for here, left in walk.reach.items()):
            kinds.append("move")
        kind = yield Slot(
            "do", kinds, lambda token: self._no_kind(walk, token), explain=lambda action: self._why_not(walk, action)
        )
        if kind == "hold":
            return Hold()
        return (yield from self._way_script(walk))

    def _no_kind(self, walk: Walk, token: Token) -> Refusal:
        """Why the reaction has no way: the rule that forbids the first end that R7.4 allows (V2.2, V3.1, V8.2)."""
        if token != "move":
            return Refusal("R7.4", "a way that ends as R7.4 says, or hold")
        ends = (here for here in walk.reach if self.why_not_here(walk, here) is None)
        bars = (walk.why_not_end(here, walk.reach[here], False) for here in ends)
        return next(filter(None, bars), Refusal("R7.4", "no way of 3 MP ends as R7.4 says", (), walk.here))

    def _why_not(self, walk: Walk, action: Action) -> Refusal | None:
        """Why the end that an action names is not allowed, where no other is either."""
        here = action.path[-1] if isinstance(action, Move) and action.path else walk.here
        if not isinstance(action, Move) or here not in walk.reach:
            return None
        return self._why_not_end(walk, here, walk.reach[here], inside=action.inside)

    def _ends(self, walk: Walk, here: Hex, left: int) -> list[int]:
        """Whether the reaction may end in a hex, in the field (0) and inside (1) (R7.4)."""
        found = []
        if self.why_not_here(walk, here) is None and walk.why_not_end(here, left, False) is None:
            found.append(0)
        if here != self.hex and walk.why_not_end(here, left, True) is None:
            found.append(1)
        return found

    def why_not_here(self, walk: Walk, here: Hex) -> Refusal | None:
        """The rule that forbids to end in a hex, or None (R7.4)."""
        away = walk.pos.data.board.distances(self.hex)
        if here == self.hex or is_friendly(walk.pos, here, self.side):
            return None
        if here != walk.here and away.get(here, 99) > away.get(walk.here, 99):
            return None
        reason = "{} is neither the mover's hex, nor a friendly stronghold, nor farther from him"
        return Refusal("R7.4", reason, (hex_name(here),), here)

    def _way_script(self, walk: Walk) -> Script[Move]:
        path: list[Hex] = []
        here, left = walk.here, walk.left
        while True:
            ends = self._ends(walk, here, left) if path or here in (self.hex, walk.here) else []
            onward = {} if path and here == self.hex else self._onward(walk, here, left)
            values: list[Token] = [STOP] if ends else []
            values += sorted(onward)

            def refuse(token: Token, here: Hex = here, left: int = left) -> Refusal:
                if token == STOP:
                    return self._why_not_end(walk, here, left, inside=False)
                return self._why_not_enter(walk, here, as_hex(token), left)

            canon = values if not path else [STOP, *values[:1]]
            token = yield Slot(
                "path", values, refuse, index=len(path), canon=canon, about=self._pace(walk, here, left, bool(path))
            )
            if token == STOP:
                break
            here, left = as_hex(token), onward[as_hex(token)]
            path.append(here)
        inside = yield Slot("inside", ends, lambda token: self._why_not_end(walk, here, left, inside=bool(token)))
        return Move(tuple(path), bool(inside))

    def _why_not_end(self, walk: Walk, here: Hex, left: int, *, inside: bool) -> Refusal:
        """Why the reaction may not end in a hex, in the field or inside."""
        if here == self.hex and inside:
            return Refusal("R7.4", "who comes to the mover's hex attacks there", (), here)
        refusal = None if inside else self.why_not_here(walk, here)
        return refusal or walk.why_not_end(here, left, inside) or walk.why_no_end(here, left)

    def _why_not_enter(self, walk: Walk, here: Hex, there: Hex, left: int) -> Refusal:
        if walk.pos.data.board.steps[here].get(there) is None or not walk.barred >> there & 1:
            return walk.why_not_enter(here, there, left, inside=False)
        if not walk.enemy_fields >> there & 1:
            reason = "a demoralized leader does not enter {}, where the enemy is"
            return Refusal("V8.2", reason, (hex_name(there),), there)
        return Refusal("R7.1", "another enemy field force is in {}", (hex_name(there),), there)

    def _pace(self, walk: Walk, start: Hex, points: int, gone: bool) -> Pace:
        """Where the reaction has come to; in the mover's hex it ends."""

        def onward(here: Hex, left: int) -> dict[Hex, int]:
            has_ended = here == self.hex and (gone or (here, left) != (start, points))
            return {} if has_ended else self._onward(walk, here, left)

        return Pace(start, points, onward, lambda a, b, left: self._why_not_enter(walk, a, b, left))

    def _onward(self, walk: Walk, here: Hex, left: int) -> dict[Hex, int]:
        found = walk.steps(here, left, inside=False, fresh=False)
        return {there: rest for there, rest in found.items() if self._leads(walk, there, rest)}

    def _leads(self, walk: Walk, here: Hex, left: int) -> bool:
        """Whether an end can follow."""
        if self._ends(walk, here, left):
            return True
        if here == self.hex:
            return False
        return any(
            self._leads(walk, there, rest) for there, rest in walk.steps(here, left, inside=False, fresh=False).items()
        )

    def answer(self, draft: Draft, actor: Side, action: Move | Hold) -> None:
        """The group stays, or sets out, and pays for either (V3.5); in each hex it may absorb SP (V3.4)."""
        path = () if isinstance(action, Hold) else action.path
        units = [draft.units[number] for number in self.group]
        set_off(draft, self.side, units, path[0] if path else units[0].hex, forage=False)
        if isinstance(action, Hold):
            draft.pop()
            here, lead = units[0].hex, self.group[0]
            draft.emit(ReactionStayed(side=self.side, lead=lead, units=self.group, hex=here))
            return
        group = tuple(number for number in self.group if number in draft.units)
        draft.swap(msgspec.structs.replace(self, group=group, way=path, inside=action.inside))
        self._pause(draft)

    def step(self, draft: Draft) -> None:
        """The next hex, or the end of the way."""
        here = draft.units[self.group[0]].hex
        if not self.way:
            draft.pop()
            self._arrive(draft, here)
            return
        for number in self.group:
            draft.change(number, hex=self.way[0], left=True)
        lead, there = self.group[0], self.way[0]
        draft.emit(Moved(side=self.side, lead=lead, units=self.group, came=here, hex=there, left=None, by=self.RULE))
        lift_siege(draft, here, self.side)
        draft.swap(msgspec.structs.replace(self, way=self.way[1:], came=here))
        self._pause(draft)

    def _pause(self, draft: Draft) -> None:
        if draft.options.einhorn:
            pause(draft, self.side, self.group, REACTING)

    def _arrive(self, draft: Draft, here: Hex) -> None:
        """The way ends; in the mover's hex with an attack (R7.4, R6.2)."""
        for number in self.group:
            draft.change(number, inside=self.inside and may_be_inside(draft, draft.units[number]))
        report_halt(draft, self.side, self.group[0], self.group, inside=self.inside, by=self.RULE)
        if here == self.hex:
            crossed = self.came >= 0 and crosses(draft, self.came, here)
            open_battle(draft, here, self.side, how="reaction", came=self.came, crossed=crossed)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{pos.leader(self.group[0]).name} reacts: up to {REACTION} MP, or hold"


def lift_siege(draft: Draft, here: Hex, side: Side) -> None:
    """A siege ends when a reacting force leaves it, unless those of its side who stay could besiege (R7.4, R11.1)."""
    siege = draft.sieges.get(here)
    if siege is None or draft.owners[here] == side:
        return
    if is_besieged(draft, here, OTHER[side]) and field_tp(draft, here, side) >= draft.data.kind_at(here).besieger:
        return
    draft.set_siege(here, msgspec.structs.replace(siege, turns=0))
