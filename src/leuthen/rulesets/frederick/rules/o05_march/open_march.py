"""O5.7–O5.10, O5.13–O5.14: an open march: its legs, overwhelming attacks, dropping and picking up, its end."""

from __future__ import annotations

from typing import Final, Self

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, Side, ViewerId
from leuthen.rulesets.frederick.model.actions import Drop, Go, Halt, MarchAction, Take
from leuthen.rulesets.frederick.model.decisions import Decision, reform
from leuthen.rulesets.frederick.model.events.fighting import Overwhelmed
from leuthen.rulesets.frederick.model.events.operations import Halted, Marched, MoraleChanged, Regrouped
from leuthen.rulesets.frederick.model.pieces import DONE, Stack, knows
from leuthen.rulesets.frederick.model.stacks import changed, detach, join_stack, make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, is_present
from leuthen.rulesets.frederick.rules.c11_allegiance.allegiance import Reaction, violate
from leuthen.rulesets.frederick.rules.o05_march.forces import ask_leaders, ask_sp, would_divide
from leuthen.rulesets.frederick.rules.o05_march.walk import (
    MOST,
    Walk,
    allowance,
    ask_path,
    enemy_in_field,
    initiative,
    leaves_something,
    tether,
    vacates,
)
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o08_captives import imprison
from leuthen.rulesets.frederick.rules.o10_supply.depots import lose_depot
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged, is_supplied, violated_by
from leuthen.rulesets.frederick.rules.o12_fortresses import judge_left, resolve_hexes
from leuthen.wargame.board import NOWHERE, Hex, StackKey, hex_name, key_hex, key_inside, stack_key
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, powers

NOBODY_NAMED: Final = StackKey(-1)
"""In place of a stack, of a march that has no die of its own."""


class Marching(Decision[MarchAction], rule="O5.7", name="March of a force", neutral=Halt()):
    """A march stays open for more legs, dropping and picking up (O5.7), until its owner ends it or it is stopped."""

    side: Side
    die: int
    forced: bool
    supplied: bool
    """Whether the force set out in supply (O10.12): asked only of a commander with initiative 0."""
    sally: bool = False
    stopped: bool = False
    violated: tuple[int, ...] = ()
    named: StackKey = NOBODY_NAMED
    """With a die of its own, the stack of which the force was named: from that hex it takes no more (O5.14, O6.3)."""
    begun: bool = False
    """Whether it has left its hex, or attacked in it: only then has it marched (O5.13)."""
    carried: int = 0
    """The MP that the SP in the force have used: they too are at most so many as a force may spend (O5.2, O5.7)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, unless the march ends by itself: stopped, cut off, or no MP left and nowhere to go inside."""
        force = pos.moving
        assert force is not None
        if not force.leaders or self.stopped or _is_cut_off(pos, force):
            return ()
        spent = self.spent(pos, force)
        over = spent >= allowance(pos, self.die, force) and spent > 0
        return () if over and pos.owners.get(force.hex) != self.side else (self.side,)

    def seen_by(self, viewer: ViewerId) -> Self:
        """The other side cannot know whether a mixed force had supply: that depends on its hidden leaders."""
        return self if knows(viewer, self.side) else msgspec.structs.replace(self, supplied=True, carried=0)

    def spent(self, pos: Position, force: Stack) -> int:
        """What the force has spent: as much as that leader in it who spent most (O5.14), and no less than its SP."""
        most = spent_by(pos, force)
        return max(most, self.carried) if force.sp else most

    def revised(self, pos: Position) -> tuple[Decision, ...]:
        """Where nobody marches any more, the neutrals whom the march has stirred react (C5.7)."""
        return (self,) if pos.moving is not None else self.reactions(pos)

    def reactions(self, pos: Position) -> tuple[Decision, ...]:
        """A round for each power violated, but not in 1756 (C3.4)."""
        return tuple(Reaction(self.side) for _ in self.violated) if pos.year > 1756 else ()

    def reformed(self, pos: Position, before: Stack) -> Decision:
        """A commander with initiative 0 who takes over on the way begins his march there (O10.12)."""
        force = pos.moving
        assert force is not None
        march = self if force.sp else msgspec.structs.replace(self, carried=0)
        same = before.commander == force.commander and not initiative(pos, before)
        if same or initiative(pos, force):
            return march
        return msgspec.structs.replace(march, supplied=is_supplied(pos, force))

    def step(self, draft: Draft) -> None:
        halt(draft, self, inside=False)

    def script(self, pos: Position, actor: Side) -> Script[MarchAction]:
        """Another leg, a halt, dropping or picking up."""
        return marching_script(pos, self)

    def answer(self, draft: Draft, actor: Side, action: MarchAction) -> None:
        if isinstance(action, Halt):
            halt(draft, self, inside=action.inside)
        elif isinstance(action, Go):
            walk_leg(draft, self, action.path, action.overwhelm)
        elif isinstance(action, Drop):
            drop(draft, self, action)
        else:
            take(draft, self, action)

    def prompt(self, pos: Position, actor: Side) -> str:
        force = pos.moving
        assert force is not None
        left = max(0, allowance(pos, self.die, force) - self.spent(pos, force))
        return (
            f"{pos.leader(force.commander).name} at {hex_name(force.hex)}, {left} MP left: go on, drop or take, or halt"
        )


def _is_cut_off(pos: Position, force: Stack) -> bool:
    """Leaders whom no SP are left with, among enemies: they march no more, and roll (O5.10)."""
    here, side = force.hex, force.side
    return not force.sp and is_present(pos, here, OTHER[side]) and not is_present(pos, here, side)


def spent_by(pos: Position, force: Stack) -> int:
    """What that leader in a force has spent who spent most (O5.14)."""
    return max([pos.spent.get(leader, 0) for leader in force.leaders], default=0)


def spend(draft: Draft, force: Stack, points: int) -> None:
    """Each leader keeps count of the movement points that he himself has used (O5.14)."""
    spent = draft.spent
    draft.spent = {**spent, **{leader: min(DONE, spent.get(leader, 0) + points) for leader in force.leaders}}


def marching_script(pos: Position, march: Marching) -> Script[MarchAction]:
    """What an open march may do."""
    force = pos.moving
    assert force is not None
    walk = Walk(
        pos, force, march.spent(pos, force), allowance(pos, march.die, force), forced=march.forced, sally=march.sally
    )
    walk.vacated = vacates(pos, force.hex, force.side, EMPTY)
    walk.tether = tether(pos, force, was_supplied=march.supplied)
    walk.leaving = force.hex if leaves_something(pos, force.hex, force.side) else NOWHERE
    kind = yield Slot(
        "do",
        _march_kinds(pos, march, walk),
        lambda token: _not_in_march(pos, march, token),
        refused=lambda: ("go", "drop", "take"),
    )
    if kind == "go":
        path, overwhelm = yield from ask_path(walk, here_too=not march.begun)  # with a die of its own (O5.2, O5.17)
        return Go(path, overwhelm)
    if kind == "halt":
        inside = yield _ask_inside(pos, march, force)
        return Halt(bool(inside))
    if kind == "drop":
        return (yield from drop_script(pos, march, force))
    return (yield from take_script(pos, march, force))


def _march_kinds(pos: Position, march: Marching, walk: Walk) -> list[Token]:
    force = walk.force
    kinds: list[Token] = ["halt"]
    if (walk.spent < walk.allowance or walk.has_minimum) and unled(pos, force) is None:
        kinds.append("go")
    if not force.demoralized and len(force.leaders) + force.strength > 1 and not march.sally:  # O5.15
        kinds.append("drop")
    if any(fresh_here(pos, march, inside) for inside in (False, True)):
        kinds.append("take")
    return kinds


def unled(pos: Position, force: Stack) -> PowerId | None:
    """The first power with SP and no leader in the force: they go no farther (O5.1, O5.14)."""
    led = {pos.leader(number).power for number in force.leaders}
    return next((power for power in powers(force.sp) if power not in led), None)


def _not_in_march(pos: Position, march: Marching, token: Token) -> Refusal:
    if token == "drop":
        return Refusal("O5.15", "nothing can be dropped by this force")
    if token == "take":
        return _why_nobody_joins(pos, march)
    if token == "go":
        return _why_no_farther(pos)
    return Refusal("O5.13", "a march is in progress: «{}» must wait until it halts", (token,))


def _why_no_farther(pos: Position) -> Refusal:
    force = pos.moving
    assert force is not None
    power = unled(pos, force)
    if power is None:
        return Refusal("O5.13", "its movement points are spent")
    name = pos.data.powers[power].name
    return Refusal("O5.1", "SP of {} need a leader of {} in the force: drop them, or halt", (name, name), force.hex)


def _why_nobody_joins(pos: Position, march: Marching) -> Refusal:
    if not is_where_named(pos, march):
        return Refusal("O5.7", "nobody is here who could be picked up")
    rule, force = "O6.3" if march.forced else "O5.14", pos.moving
    assert force is not None
    return Refusal(rule, "from the hex where it was named a force takes nobody after its die", (), force.hex)


def is_where_named(pos: Position, march: Marching) -> bool:
    """Whether the force is in the hex where it was named before its die (O5.14, O6.3)."""
    return march.named != NOBODY_NAMED and pos.moving is not None and pos.moving.hex == key_hex(march.named)


def _ask_inside(pos: Position, march: Marching, force: Stack) -> Slot:
    """Whether to end inside: only in a friendly fortress that is not besieged (O5.11); who has not marched by O5.20."""
    here, side = force.hex, march.side
    if pos.owners.get(here) != side:
        values: tuple[int, ...] = (0,)
    elif not march.begun and (here in pos.shifted or is_besieged(pos, here, side)):
        values = (int(key_inside(march.named)),)
    else:
        values = (0,) if is_besieged(pos, here, side) else (0, 1)
    return Slot("inside", values, lambda token: _not_there(pos, march, here), refused=lambda: (0, 1))


def _not_there(pos: Position, march: Marching, here: Hex) -> Refusal:
    """Why a force cannot end inside, or outside, where it is."""
    if pos.owners.get(here) != march.side:
        return Refusal("O5.11", "there is no friendly fortress here", (), here)
    if is_besieged(pos, here, march.side):
        return Refusal("O5.11", "the fortress is besieged", (), here)
    return Refusal("O5.20", "somebody went in or out there in this phase already", (), here)


def drop_script(pos: Position, march: Marching, force: Stack) -> Script[Drop]:
    """Leaves part of the force behind, in the field or inside; at least one leader goes on (O5.7, O5.14)."""
    inside = yield _ask_inside(pos, march, force)
    leaders = yield from ask_leaders(pos, force, force.leaders, field="leaders", whole=False, some=not force.sp)
    rest = [number for number in force.leaders if number not in leaders]
    if not rest:
        yield Slot("leaders", (), lambda _: Refusal("O5.1", "a leader must go on with the march"), index=len(leaders))
    sp = yield from ask_sp(pos, force, force.sp, None, some=not leaders)
    return Drop(bool(inside), leaders, sp)


def fresh_here(pos: Position, march: Marching, inside: bool) -> Stack | None:
    """A friendly stack here of which somebody may be picked up (O5.7, O5.14)."""
    force = pos.moving
    assert force is not None
    stack = pos.at(force.hex, march.side, inside)
    if stack is None or stack.quartered or is_where_named(pos, march):
        return None
    if inside and is_besieged(pos, force.hex, march.side):
        return None
    limit = 1 if march.forced else MOST
    if stack.demoralized and would_divide(pos, stack, (*force.leaders, *stack.leaders), limit):  # O11.1
        return None
    return stack if stack.sp != stack.marched or fresh_leaders(pos, stack, march) else None


def fresh_leaders(pos: Position, stack: Stack, march: Marching) -> list[LeaderId]:
    """The leaders of a stack who may join: with MP left, in a force march quite fresh (O6.3)."""
    limit = 1 if march.forced else MOST
    return [number for number in stack.leaders if pos.spent.get(number, 0) < limit]


def take_script(pos: Position, march: Marching, force: Stack) -> Script[Take]:
    """Picks up leaders and fresh SP; a demoralized stack comes whole (O5.7, O11.1)."""
    places = [int(inside) for inside in (False, True) if fresh_here(pos, march, inside)]
    inside = yield Slot("inside", places, lambda token: Refusal("O5.7", "nobody is there who could be picked up"))
    stack = fresh_here(pos, march, bool(inside))
    assert stack is not None
    whole = stack.demoralized
    leaders = yield from ask_leaders(pos, stack, fresh_leaders(pos, stack, march), field="leaders", whole=whole)
    led = (*force.leaders, *leaders)
    sp = yield from ask_sp(pos, stack, stack.sp - stack.marched, led, whole=whole, some=not leaders)
    if not sp and not leaders:
        yield Slot("sp", (), lambda _: Refusal("O5.7", "nobody is picked up"), index=force.nation)
    return Take(bool(inside), leaders, sp)


def walk_leg(draft: Draft, march: Marching, path: tuple[Hex, ...], overwhelm: bool) -> None:
    """A leg, hex by hex (O5.13); `march` is the innermost decision."""
    force = draft.moving
    assert force is not None
    start, leader, companions, sp = force.hex, force.commander, force.leaders, force.sp
    before = march.spent(draft, force)
    march = msgspec.structs.replace(march, begun=True)
    if path != (start,):
        for there in path:
            march = enter(draft, march, there)
    if overwhelm:
        march = pay(draft, march, force, 1)  # O5.9
    draft.swap(march)
    others = tuple(number for number in companions if number != leader)
    draft.emit(
        Marched(
            side=march.side,
            power=force.nation,
            leader=leader,
            companions=others,
            sp=sp,
            alone=not sp,
            start=start,
            path=path,
            points=min(MOST, march.spent(draft, force)) - before,
        )
    )
    draft.learn(OTHER[march.side], WATCHER)
    resolve_hexes(draft)  # whoever leaves the game by it overwhelms nobody (C11.2)
    if overwhelm and draft.moving is not None and draft.moving.sp:
        attack_overwhelming(draft, march)
        resolve_hexes(draft)


def enter(draft: Draft, march: Marching, there: Hex) -> Marching:
    """The marching force enters a hex: violation first (C3.3), then the enemy in it (O5.8)."""
    force = draft.moving
    assert force is not None
    before = march.spent(draft, force)
    cost = draft.data.board.steps[force.hex][there] + in_zone(draft, there, march.side)
    march = pay(draft, march, force, cost if before + cost <= allowance(draft, march.die, force) else DONE)  # O5.6
    neutral = violated_by(draft, there)
    draft.set_moving(msgspec.structs.replace(force, hex=there))
    judge_left(draft, force.hex)
    violated = march.violated
    if neutral >= 0:
        violate(draft, neutral, march.side, there)
        violated = (*violated, neutral)
    stopped = enemy_in_field(draft, there, march.side) is not None
    return msgspec.structs.replace(march, violated=violated, stopped=stopped)


def pay(draft: Draft, march: Marching, force: Stack, points: int) -> Marching:
    """Each leader of a force spends movement points, and so do its SP."""
    spend(draft, force, points)
    return msgspec.structs.replace(march, carried=min(DONE, march.carried + points)) if force.sp else march


def _change_march(draft: Draft, **changes: object) -> None:
    """The march goes on otherwise; leaders whom it left alone may have to roll before it does (O5.10)."""
    draft.frames = tuple(
        [msgspec.structs.replace(frame, **changes) if isinstance(frame, Marching) else frame for frame in draft.frames]
    )


def attack_overwhelming(draft: Draft, march: Marching) -> None:
    """Strengths are shown (O3.6); at four to one the enemy in the field is taken, else the force stops (O5.17)."""
    force = draft.moving
    assert force is not None
    enemy = enemy_in_field(draft, force.hex, march.side)
    assert enemy is not None
    success = force.strength >= 4 * enemy.strength  # O5.9
    draft.emit(
        Overwhelmed(
            side=march.side,
            by="" if success else "O5.17",
            hex=force.hex,
            force=force.strength,
            against=enemy.strength,
            success=success,
            leaders=enemy.leaders if success else (),
        )
    )
    draft.learn(0, 1, WATCHER)  # O3.2
    draft.set_moving(shown(draft, force))
    if success:
        overwhelm(draft, enemy)
        _change_march(draft, stopped=False, sally=False)
        return
    draft.put(shown(draft, enemy))
    draft.bound |= {force.hex}
    if march.sally:
        draft.sallied |= {force.hex}
    _change_march(draft, stopped=True)


def shown(pos: Position, stack: Stack) -> Stack:
    """The stack, its strength now known to the other side (O3.2, O3.3)."""
    return msgspec.structs.replace(stack, low=stack.strength, high=stack.strength, since=pos.now)


def overwhelm(draft: Draft, enemy: Stack) -> None:
    """The SP become prisoners, leaders are captured, depots are lost (O5.9)."""

    draft.remove(enemy)
    imprison(draft, enemy)
    lose_depot(draft, enemy.hex, enemy.side)


def halt(draft: Draft, march: Marching, *, inside: bool) -> None:
    """The march ends: its SP are done, and whom an enemy stopped as well (O5.13); then neutrals react (C5.7)."""
    force = draft.moving
    assert force is not None
    draft.set_moving(None)
    draft.pop()
    if march.stopped or march.forced or march.sally or not march.begun:
        spend(draft, force, DONE)
    _change_gate(draft, march, force, inside)
    join_stack(draft, msgspec.structs.replace(force, inside=inside), spent=True)
    draft.emit(
        Halted(
            side=march.side,
            power=force.nation,
            leader=force.commander,
            companions=tuple([number for number in force.leaders if number != force.commander]),
            sp=force.sp,
            alone=not force.sp,
            hex=force.hex,
            inside=inside,
        )
    )
    draft.learn(OTHER[march.side], WATCHER)
    draft.frames += march.reactions(draft)


def _change_gate(draft: Draft, march: Marching, force: Stack, inside: bool) -> None:
    """Who ends otherwise than he was named, and has not marched, has gone in or out (O5.20), or sallied (O13.7)."""
    if march.begun or inside == key_inside(march.named):
        return
    draft.shifted |= {force.hex}
    if march.sally:
        draft.sallied |= {force.hex}


def drop(draft: Draft, march: Marching, action: Drop) -> None:
    """Leaders and SP stay here; the SP are done, each leader has what he has left (O5.7, O5.13)."""
    force = draft.moving
    assert force is not None
    rest = tuple(number for number in force.leaders if number not in action.leaders)
    left = make_stack(draft, force.hex, force.side, action.inside, action.sp, action.leaders, force)
    band = (force.low, force.high, force.since) if not action.sp else (1, 999, 0)
    draft.set_moving(changed(draft, force, force.sp - action.sp, rest, band))
    if march.forced:
        spend(draft, left, DONE)  # O6.3: they had their try
    _change_gate(draft, march, force, action.inside)
    join_stack(draft, left, spent=True)
    reform(draft, force)
    _regrouped(draft, march, "leave", action.inside, action.leaders, action.sp)


def take(draft: Draft, march: Marching, action: Take) -> None:
    """Leaders and fresh SP join (O11.4); the force has spent as much as whoever of it spent most (O5.14)."""
    force = draft.moving
    assert force is not None
    stack = draft.stacks[stack_key(force.hex, march.side, action.inside)]
    comers = detach(draft, stack, action.leaders, action.sp)
    demoralized = force.demoralized or comers.demoralized
    if force.sp and comers.sp and force.demoralized != comers.demoralized:
        draft.emit(MoraleChanged(side=march.side, hex=force.hex, inside=False))
    like = msgspec.structs.replace(force, demoralized=demoralized, hungry=max(force.hungry, comers.hungry))
    band = (force.low, force.high, force.since) if not action.sp else (1, 999, 0)
    leaders = (*force.leaders, *action.leaders)
    draft.set_moving(make_stack(draft, force.hex, force.side, False, force.sp + action.sp, leaders, like, band))
    reform(draft, force)
    _regrouped(draft, march, "join", action.inside, action.leaders, action.sp)


def _regrouped(draft: Draft, march: Marching, how: str, inside: bool, leaders: tuple[LeaderId, ...], sp: Bag) -> None:
    force = draft.moving
    assert force is not None
    draft.emit(Regrouped(side=march.side, how=how, hex=force.hex, inside=inside, leaders=leaders, sp=sp))
    draft.learn(OTHER[march.side], WATCHER)
    resolve_hexes(draft)
