"""O9.7–O9.8, O9.15–O9.16: the loser retreats, and the victor may follow."""

from __future__ import annotations

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side
from leuthen.rulesets.frederick.model.actions import Follow, Retreat, Shelter
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll
from leuthen.rulesets.frederick.model.events.fighting import (
    FollowDeclined,
    Followed,
    Retreated,
    RetreatMoved,
    StackSurrendered,
)
from leuthen.rulesets.frederick.model.events.operations import MoraleChanged
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import detach, free_sp, join_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, presence
from leuthen.rulesets.frederick.rules.o05_march.forces import ask_leaders, ask_sp
from leuthen.rulesets.frederick.rules.o05_march.walk import MOST
from leuthen.rulesets.frederick.rules.o08_captives import imprison
from leuthen.rulesets.frederick.rules.o10_supply.supply import depot_side, is_besieged, neutral_ground
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, Hexes, as_hex
from leuthen.wargame.names import counted


class Routed(Decision[Shelter | Done], rule="O9.16", name="Beaten stack", neutral=None):
    """The loser, in the hex of a friendly fortress, may go inside instead of retreating (O9.16)."""

    side: Side
    hex: Hex
    initiative: int
    """As it counted in the battle (O9.7)."""

    def _stack(self, pos: Position) -> Stack | None:
        stack = pos.field(self.hex, self.side)
        return stack if stack is not None and stack.sp else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The loser, if a friendly fortress is there."""
        return (self.side,) if self._stack(pos) and pos.owners.get(self.hex) == self.side else ()

    def step(self, draft: Draft) -> None:
        """The die of the retreat, if there is anybody left."""
        draft.pop()
        if self._stack(draft):
            draft.push(RetreatRoll(self.side, self.hex, self.initiative))

    def script(self, pos: Position, actor: Side) -> Script[Shelter | Done]:
        """Inside, or away: `done` lets the die decide how far."""
        kind = yield Slot("do", ("done", "shelter"), lambda token: Refusal("O9.16", "go inside, or retreat"))
        if kind == "done":
            return Done()
        yield Slot("inside", (1,), lambda token: Refusal("O9.16", "shelter is inside the fortress", (), self.hex))
        return Shelter(True)

    def answer(self, draft: Draft, actor: Side, action: Shelter | Done) -> None:
        """Inside he is demoralized as well (O9.7)."""
        if isinstance(action, Done):
            self.step(draft)
            return
        stack = self._stack(draft)
        assert stack is not None
        draft.pop()
        draft.remove(stack)
        join_stack(draft, msgspec.structs.replace(stack, inside=True, demoralized=True, quartered=False))
        draft.emit(RetreatMoved(side=self.side, by="O9.16", start=self.hex, hex=self.hex, ends=True, inside=True))
        draft.emit(MoraleChanged(side=self.side, by="O9.7", hex=self.hex, inside=True, joined=False))
        resolve_hexes(draft)

    def prompt(self, pos: Position, actor: Side) -> str:
        return "Beaten: go inside the fortress, or retreat"


class RetreatRoll(DieRoll, rule="O9.7", name="Retreat"):
    """Die + initiative in hexes, 6 at most (O9.7)."""

    side: Side
    hex: Hex
    initiative: int

    def lapses(self, pos: Position) -> bool:
        stack = pos.field(self.hex, self.side)
        return stack is None or not stack.sp

    def rolled(self, draft: Draft, die: int) -> None:
        """The stack is on its way; one that cannot retreat at all surrenders."""
        stack = draft.field(self.hex, self.side)
        assert stack is not None
        draft.emit(
            Retreated(
                side=self.side,
                die=die,
                initiative=self.initiative,
                hex=self.hex,
                commander=stack.commander,
                leaders=stack.leaders,
            )
        )
        draft.remove(stack)
        stack = msgspec.structs.replace(stack, demoralized=True, quartered=False)
        if not next_hexes(draft, stack, self.hex, (self.hex,)):
            imprison(draft, stack)
            draft.emit(StackSurrendered(side=self.side, hex=self.hex, sp=stack.sp, leaders=stack.leaders))
            draft.learn(0, 1, WATCHER)
            resolve_hexes(draft)
            return
        draft.push(Retreating(self.side, self.hex, min(MOST, die + self.initiative), (self.hex,)))
        draft.set_moving(stack)
        resolve_hexes(draft)


def next_hexes(pos: Position, stack: Stack, battle: Hex, left: tuple[Hex, ...]) -> list[Hex]:
    """The hexes to which a retreat may go on (O9.15): farther from the battle, else as far; then the shortest way."""
    barred = barred_hexes(pos, stack.side, left)
    board, here = pos.data.board, stack.hex
    distances = board.distances(battle)
    near = [there for there in board.neighbours[here] if not barred >> there & 1]
    far = [there for there in near if distances[there] > distances[here]]
    found = far or [there for there in near if distances[there] == distances[here]]
    return _toward_shelter(pos, stack.side, found, barred)


def barred_hexes(pos: Position, side: OwnerId, left: tuple[Hex, ...]) -> Hexes:
    """Enemy SP, enemy fortresses, neutral ground, hexes already left (O9.15); ridges and water have no neighbours."""
    enemy = presence(pos)[OTHER[side]]
    barred = enemy[0] | enemy[1] | neutral_ground(pos)
    for here, owner in pos.owners.items():
        if owner == OTHER[side]:
            barred |= 1 << here
    for here in left:
        barred |= 1 << here
    return barred


def _toward_shelter(pos: Position, side: OwnerId, found: list[Hex], barred: Hexes) -> list[Hex]:
    """Among several: the shortest way to a friendly fortress that is not besieged, or a complete depot (O9.15)."""
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
        """Once it has left the hex of the battle it holds nothing till it ends (O12.4)."""
        return len(self.left) > 1

    def revised(self, pos: Position) -> tuple[Decision, ...]:
        """Where nobody retreats any more, the victor may follow as far as the retreat had come (O9.8, C11.3)."""
        if pos.moving is not None:
            return (self,)
        return (Pursuit(OTHER[self.side], self.battle, self.left[1]),) if len(self.left) > 1 else ()

    def _force(self, pos: Position) -> Stack:
        assert pos.moving is not None
        return pos.moving

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, where he has a choice."""
        force = self._force(pos)
        ahead = next_hexes(pos, force, self.battle, self.left) if self.points else []
        return (self.side,) if len(ahead) + len(self._ends(pos, ahead)) > 1 else ()

    def _ends(self, pos: Position, ahead: list[Hex]) -> list[int]:
        """How the retreat may end here: in the field (0), inside a friendly fortress (1)."""
        here = self._force(pos).hex
        friendly = pos.owners.get(here) == self.side and here != self.battle
        if friendly:
            return [0, 1]
        if not ahead:
            return [0]
        early = self.points == 1 and here != self.battle and any(_friends(pos, there, self.side) for there in ahead)
        return [0] if early else []

    def step(self, draft: Draft) -> None:
        ahead = next_hexes(draft, self._force(draft), self.battle, self.left) if self.points else []
        if ahead:
            self._advance(draft, ahead[0])
        else:
            self._end(draft, inside=False)

    def script(self, pos: Position, actor: Side) -> Script[Retreat | Shelter]:
        force = self._force(pos)
        ahead = next_hexes(pos, force, self.battle, self.left) if self.points else []
        ends = self._ends(pos, ahead)
        kinds: list[Token] = [*(["retreat"] if ahead else []), *(["shelter"] if ends else [])]
        kind = yield Slot(
            "do",
            kinds,
            lambda token: Refusal("O9.15", "the retreat goes on", (), force.hex),
            refused=lambda: ("retreat", "shelter"),
        )
        if kind == "shelter":
            inside = yield Slot(
                "inside", ends, lambda token: Refusal("O9.15", "the retreat cannot end like that", (), force.hex)
            )
            return Shelter(bool(inside))
        neighbours = pos.data.board.neighbours[force.hex]
        there = yield Slot("hex", ahead, lambda t: _no_retreat(pos, self, t), refused=lambda: neighbours)
        return Retreat(as_hex(there))

    def answer(self, draft: Draft, actor: Side, action: Retreat | Shelter) -> None:
        if isinstance(action, Shelter):
            self._end(draft, inside=action.inside)
        else:
            self._advance(draft, action.hex)

    def _advance(self, draft: Draft, there: Hex) -> None:
        force = self._force(draft)
        draft.swap(Retreating(self.side, self.battle, self.points - 1, (*self.left, there)))
        draft.set_moving(msgspec.structs.replace(force, hex=there))
        draft.emit(RetreatMoved(side=self.side, start=force.hex, hex=there, ends=False))

    def _end(self, draft: Draft, *, inside: bool) -> None:
        """Who retreats to friends in the field demoralizes them (O11.1); then the victor may follow (O9.8)."""
        force = self._force(draft)
        draft.set_moving(None)
        join_stack(draft, msgspec.structs.replace(force, inside=inside))
        draft.emit(RetreatMoved(side=self.side, start=force.hex, hex=force.hex, ends=True, inside=inside))
        draft.swap(Pursuit(OTHER[self.side], self.battle, self.left[1]))
        resolve_hexes(draft)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Retreat, {counted(self.points, 'hex')} left: choose the next hex, or end it"


def _friends(pos: Position, there: Hex, side: OwnerId) -> bool:
    stack = pos.field(there, side)
    return stack is not None and stack.sp > 0


def _no_retreat(pos: Position, retreat: Retreating, token: Token) -> Refusal:
    here = as_hex(token)
    if here in retreat.left:
        return Refusal("O9.15", "a retreat does not return to a hex that it left", (), here)
    if barred_hexes(pos, retreat.side, ()) >> here & 1:
        return Refusal("O9.15", "enemy SP, an enemy fortress or neutral ground bar the way", (), here)
    return Refusal("O9.15", "a retreat goes away from the battle, by the shortest way to a shelter", (), here)


class Pursuit(Decision[Follow | Done], rule="O9.8", name="Following", neutral=Done()):
    """A victor who is not demoralized may follow with a force into the first hex of the retreat (O9.8)."""

    side: Side
    battle: Hex
    first: Hex

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The victor, if he has a leader and the way is free."""
        stack, enemy = pos.field(self.battle, self.side), pos.field(self.first, OTHER[self.side])
        able = stack is not None and stack.sp and stack.leaders and not stack.demoralized
        return (self.side,) if able and not (enemy is not None and enemy.sp) else ()

    def script(self, pos: Position, actor: Side) -> Script[Follow | Done]:
        stack = pos.field(self.battle, self.side)
        assert stack is not None
        kinds = ("done", "follow") if free_sp(stack) else ("done",)
        kind = yield Slot("do", kinds, lambda token: Refusal("O9.8", "the victor may follow now, or say done"))
        if kind == "done":
            return Done()
        able = [leader for leader in stack.leaders if leader not in stack.resters]  # O14.4
        leaders = yield from ask_leaders(pos, stack, able, field="leaders", whole=False, some=True)
        sp = yield from ask_sp(pos, stack, free_sp(stack), leaders, some=True)
        if not sp:
            yield Slot("sp", (), lambda _: Refusal("O9.8", "a force needs SP to follow"), index=stack.nation)
        return Follow(leaders, sp)

    def answer(self, draft: Draft, actor: Side, action: Follow | Done) -> None:
        """The force stands in the first hex of the retreat."""
        draft.pop()
        if isinstance(action, Done):
            draft.emit(FollowDeclined(side=self.side, hex=self.battle))
            return
        stack = draft.field(self.battle, self.side)
        assert stack is not None
        force = detach(draft, stack, action.leaders, action.sp)
        join_stack(draft, msgspec.structs.replace(force, hex=self.first))
        draft.emit(
            Followed(
                side=self.side,
                power=force.nation,
                commander=force.commander,
                leaders=action.leaders,
                sp=action.sp,
                start=self.battle,
                hex=self.first,
            )
        )
        draft.learn(OTHER[self.side], WATCHER)
        resolve_hexes(draft)

    def prompt(self, pos: Position, actor: Side) -> str:
        return "The enemy retreats: you may follow with a force"
