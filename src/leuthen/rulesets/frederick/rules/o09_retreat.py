"""O9.7–O9.8, O9.15–O9.16: retreat of the loser and pursuit by the victor."""

from __future__ import annotations

from functools import partial

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Follow, Retreat, Shelter
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll
from leuthen.rulesets.frederick.model.events import (
    FollowDeclined,
    Followed,
    MoraleChanged,
    Retreated,
    RetreatMoved,
    StackSurrendered,
)
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import detach, free_sp, join_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, occupied_hexes
from leuthen.rulesets.frederick.rules.c11_allegiance import imprison
from leuthen.rulesets.frederick.rules.o05_forces import MOST, ask_leaders, ask_sp
from leuthen.rulesets.frederick.rules.o10_supply import depot_side, is_besieged, neutral_ground
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, Hexes, as_hex
from leuthen.wargame.names import format_count


class Routed(Decision[Shelter | Done], rule="O9.16", name="Beaten stack", neutral=None):
    """The loser, in the hex of a friendly fortress, may go inside instead of retreating (O9.16)."""

    PROMPT = "Beaten: go inside the fortress or retreat"
    side: Side
    hex: Hex
    initiative: int
    """As it counted in the battle (O9.7)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The loser, if a friendly fortress is there."""
        is_there = pos.owners.get(self.hex) == self.side and has_field_sp(pos, self.hex, self.side)
        return (self.side,) if is_there else ()

    def step(self, draft: Draft) -> None:
        """Roll for the retreat, if the stack still exists."""
        draft.pop()
        if has_field_sp(draft, self.hex, self.side):
            draft.push(RetreatRoll(self.side, self.hex, self.initiative))

    def script(self, pos: Position, actor: Side) -> Script[Shelter | Done]:
        """`done` lets the die decide how far the stack retreats."""
        kind = yield Slot("do", ("done", "shelter"), lambda token: Refusal("O9.16", "choose go inside or retreat"))
        if kind == "done":
            return Done()
        yield Slot("inside", (1,), lambda token: Refusal("O9.16", "shelter is inside the fortress", (), self.hex))
        return Shelter(True)

    def answer(self, draft: Draft, actor: Side, action: Shelter | Done) -> None:
        """Inside he is demoralized as well (O9.7)."""
        if isinstance(action, Done):
            self.step(draft)
            return
        stack = draft.stack_at(self.hex, self.side)
        draft.pop()
        draft.remove(stack)
        join_stack(draft, msgspec.structs.replace(stack, inside=True, demoralized=True, quartered=False))
        draft.emit(RetreatMoved(side=self.side, by="O9.16", start=self.hex, hex=self.hex, ends=True, inside=True))
        draft.emit(MoraleChanged(side=self.side, by="O9.7", hex=self.hex, inside=True, joined=False))
        resolve_hexes(draft)


class RetreatRoll(DieRoll, rule="O9.7", name="Retreat"):
    """Die + initiative in hexes, 6 at most (O9.7)."""

    side: Side
    hex: Hex
    initiative: int

    def has_lapsed(self, pos: Position) -> bool:
        return not has_field_sp(pos, self.hex, self.side)

    def rolled(self, draft: Draft, die: int) -> None:
        """A stack that cannot retreat at all surrenders."""
        side, here, bonus = self.side, self.hex, self.initiative
        stack = draft.stack_at(here, side)
        commander, leaders = stack.commander, stack.leaders
        draft.emit(Retreated(side=side, die=die, initiative=bonus, hex=here, commander=commander, leaders=leaders))
        draft.remove(stack)
        stack = msgspec.structs.replace(stack, demoralized=True, quartered=False)
        if next_hexes(draft, stack, here, (here,)):
            draft.push(Retreating(side, here, min(MOST, die + bonus), (here,)))
            draft.set_moving(stack)
        else:
            imprison(draft, stack)
            draft.emit(StackSurrendered(side=side, hex=here, sp=stack.sp, leaders=leaders))
            draft.learn(0, 1, WATCHER)
        resolve_hexes(draft)


def next_hexes(pos: Position, stack: Stack, battle: Hex, left: tuple[Hex, ...]) -> list[Hex]:
    """Return the next hexes of a retreat (O9.15): farther from the battle, else as far; then by the shortest way."""
    barred = barred_hexes(pos, stack.side, left)
    board, here = pos.data.board, stack.hex
    distances = board.distances(battle)
    near = [there for there in board.neighbours[here] if not barred >> there & 1]
    far = [there for there in near if distances[there] > distances[here]]
    found = far or [there for there in near if distances[there] == distances[here]]
    return _toward_shelter(pos, stack.side, found, barred)


def barred_hexes(pos: Position, side: OwnerId, left: tuple[Hex, ...]) -> Hexes:
    """Return hexes closed to a retreat: enemy SP, enemy fortresses, neutral ground, hexes already left (O9.15)."""
    enemy = occupied_hexes(pos)[OTHER[side]]
    barred = enemy[0] | enemy[1] | neutral_ground(pos)
    for here, owner in pos.owners.items():
        if owner == OTHER[side]:
            barred |= 1 << here
    for here in left:
        barred |= 1 << here
    return barred


def _toward_shelter(pos: Position, side: OwnerId, found: list[Hex], barred: Hexes) -> list[Hex]:
    """Of several, the shortest way to a friendly fortress that is not besieged, or a complete depot (O9.15)."""
    if len(found) < 2:
        return found
    board, edge, seen = pos.data.board, _shelters(pos, side) & ~barred, 0
    wanted = sum(1 << here for here in found)
    while edge:
        if edge & wanted:
            return [here for here in found if edge >> here & 1]
        seen |= edge
        edge = board.spread(edge) & ~seen & ~barred
    return found


def _shelters(pos: Position, side: OwnerId) -> Hexes:
    goals = 0
    for here, owner in pos.owners.items():
        if owner == side and not is_besieged(pos, here, side):
            goals |= 1 << here
    for here, depot in pos.depots.items():
        if depot.complete and depot_side(pos, depot) == side:
            goals |= 1 << here
    return goals


class Retreating(Decision[Retreat | Shelter], rule="O9.15", name="Retreat of a stack", retreats=True, neutral=None):
    """A retreat, hex by hex (O9.15)."""

    side: Side
    battle: Hex
    points: int
    left: tuple[Hex, ...]

    @property
    def passes(self) -> bool:
        """Away from the battle's hex it holds nothing until it ends (O12.4)."""
        return len(self.left) > 1

    def replacements(self, pos: Position) -> tuple[Decision, ...]:
        """If the force is gone, the victor may follow up to the hex that the retreat had reached (O9.8, C11.3)."""
        if pos.moving is not None:
            return (self,)
        return (Pursuit(OTHER[self.side], self.battle, self.left[1]),) if len(self.left) > 1 else ()

    def _ahead(self, pos: Position) -> list[Hex]:
        return next_hexes(pos, pos.force, self.battle, self.left) if self.points else []

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, where he has a choice."""
        ahead = self._ahead(pos)
        return (self.side,) if len(ahead) + len(self._ends(pos, ahead)) > 1 else ()

    def _ends(self, pos: Position, ahead: list[Hex]) -> list[int]:
        """Possible ends of the retreat here: in the field (0), inside a friendly fortress (1)."""
        here, away = pos.force.hex, pos.force.hex != self.battle
        if pos.owners.get(here) == self.side and away:
            return [0, 1]
        if not ahead:
            return [0]
        early = self.points == 1 and away and any(has_field_sp(pos, there, self.side) for there in ahead)
        return [0] if early else []

    def step(self, draft: Draft) -> None:
        ahead = self._ahead(draft)
        if ahead:
            self._advance(draft, ahead[0])
        else:
            self._end(draft, inside=False)

    def script(self, pos: Position, actor: Side) -> Script[Retreat | Shelter]:
        here, ahead = pos.force.hex, self._ahead(pos)
        ends = self._ends(pos, ahead)
        kinds: list[Token] = [*(["retreat"] if ahead else []), *(["shelter"] if ends else [])]
        goes_on = Refusal("O9.15", "the retreat must go on", (), here)
        kind = yield Slot("do", kinds, lambda _: goes_on, refused=lambda: ("retreat", "shelter"))
        if kind == "shelter":
            not_so = Refusal("O9.15", "the retreat cannot end in this way", (), here)
            return Shelter(bool((yield Slot("inside", ends, lambda _: not_so))))
        neighbours = pos.data.board.neighbours[here]
        there = yield Slot("hex", ahead, partial(self._not_there, pos), refused=lambda: neighbours)
        return Retreat(as_hex(there))

    def _not_there(self, pos: Position, token: Token) -> Refusal:
        here = as_hex(token)
        if here in self.left:
            return Refusal("O9.15", "a retreat does not return to a hex that it left", (), here)
        if barred_hexes(pos, self.side, ()) >> here & 1:
            return Refusal("O9.15", "enemy SP, an enemy fortress or neutral ground bar the way", (), here)
        return Refusal("O9.15", "a retreat goes away from the battle, by the shortest way to a shelter", (), here)

    def answer(self, draft: Draft, actor: Side, action: Retreat | Shelter) -> None:
        if isinstance(action, Shelter):
            self._end(draft, inside=action.inside)
        else:
            self._advance(draft, action.hex)

    def _advance(self, draft: Draft, there: Hex) -> None:
        force = draft.force
        draft.swap(Retreating(self.side, self.battle, self.points - 1, (*self.left, there)))
        draft.set_moving(msgspec.structs.replace(force, hex=there))
        draft.emit(RetreatMoved(side=self.side, start=force.hex, hex=there, ends=False))

    def _end(self, draft: Draft, *, inside: bool) -> None:
        """A retreat to friends in the field demoralizes them (O11.1); then the victor may follow (O9.8)."""
        force = draft.force
        draft.set_moving(None)
        join_stack(draft, msgspec.structs.replace(force, inside=inside))
        draft.emit(RetreatMoved(side=self.side, start=force.hex, hex=force.hex, ends=True, inside=inside))
        draft.swap(Pursuit(OTHER[self.side], self.battle, self.left[1]))
        resolve_hexes(draft)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Retreat, {format_count(self.points, 'hex')} left: choose the next hex or end it"


def has_field_sp(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a side has a stack with SP in the field of a hex, not counting a force under way."""
    return bool(pos.marks[side][0] >> here & 1)


class Pursuit(Decision[Follow | Done], rule="O9.8", name="Following", neutral=Done()):
    """A victor who is not demoralized may follow with a force into the first hex of the retreat (O9.8)."""

    PROMPT = "The enemy retreats: you may follow with a force"
    side: Side
    battle: Hex
    first: Hex

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The victor, if he has a leader and the way is free."""
        stack = pos.field(self.battle, self.side)
        able = stack is not None and stack.sp and stack.leaders and not stack.demoralized
        return (self.side,) if able and not has_field_sp(pos, self.first, OTHER[self.side]) else ()

    def script(self, pos: Position, actor: Side) -> Script[Follow | Done]:
        stack = pos.stack_at(self.battle, self.side)
        kinds = ("done", "follow") if free_sp(stack) else ("done",)
        kind = yield Slot("do", kinds, lambda token: Refusal("O9.8", "choose follow or done"))
        if kind == "done":
            return Done()
        able = [leader for leader in stack.leaders if leader not in stack.resters]  # O14.4
        leaders = yield from ask_leaders(pos, stack, able, field="leaders", whole=False, some=True)
        sp = yield from ask_sp(pos, stack, free_sp(stack), leaders, some=True)
        if not sp:
            yield Slot("sp", (), lambda _: Refusal("O9.8", "a force needs SP to follow"), index=stack.nation)
        return Follow(leaders, sp)

    def answer(self, draft: Draft, actor: Side, action: Follow | Done) -> None:
        draft.pop()
        if isinstance(action, Done):
            draft.emit(FollowDeclined(side=self.side, hex=self.battle))
            return
        force = detach(draft, draft.stack_at(self.battle, self.side), action.leaders, action.sp)
        join_stack(draft, msgspec.structs.replace(force, hex=self.first))
        draft.emit(Followed.of(force, leaders=action.leaders, start=self.battle, hex=self.first))
        draft.learn(OTHER[self.side], WATCHER)
        resolve_hexes(draft)
