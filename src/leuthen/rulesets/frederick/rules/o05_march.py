"""O5, O6: the March Phase and the Force March; a march with its legs, overwhelming attacks, dropping and picking up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, Self

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side, ViewerId, as_side
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.model import events
from leuthen.rulesets.frederick.model.actions import Drop, Go, Halt, Lose, March, MarchAction, PhaseAction, Shift, Take
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, Phase, SideDecision, reform, refuse_in_phase
from leuthen.rulesets.frederick.model.pieces import DONE, UNSEEN, Stack, knows
from leuthen.rulesets.frederick.model.state import Draft, Position, is_present
from leuthen.rulesets.frederick.rules import o05_forces as walking
from leuthen.rulesets.frederick.rules.c11_allegiance import Reaction, imprison, violate
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, is_in_zone, is_supplied, lose_depot, violated_by
from leuthen.rulesets.frederick.rules.o12_fortresses import judge_left, resolve_hexes, show_move
from leuthen.wargame.board import NOWHERE, Hex, StackKey, hex_name, key_hex, key_inside, stack_key
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, as_leader, as_power, bag, of, powers


def shift(draft: Draft, side: OwnerId, action: Shift) -> None:
    """Move troops in or out (O5.20); those that sally from a besieged fortress are done for the phase (O13.7)."""
    here, inside, sp = action.hex, action.inside, action.sp
    stack = draft.stack_at(here, side, not inside)
    sally = stack.inside and is_besieged(draft, here, side)
    fresh = stack.sp - stack.marched  # of the SP that change, as few as possible are taken to have marched
    marched = sum(bag(power, max(0, of(sp, power) - of(fresh, power))) for power in powers(sp))
    part = msgspec.structs.replace(draft.detach(stack, action.leaders, sp), inside=inside, marched=marched)
    draft.join_stack(part, spent=sally)
    if sally:
        draft.spent = {**draft.spent, **dict.fromkeys(action.leaders, DONE)}
        draft.sallied |= {here}
    draft.shifted |= {here}
    by, how = "O13.7" if sally else "O5.11", "enter" if inside else "come"
    show_move(draft, events.Regrouped.of(part, by=by, how=how, leaders=action.leaders))


NOBODY_NAMED: Final = StackKey(-1)
"""Key of no stack, for a march without a die of its own."""


class Marching(SideDecision[MarchAction], rule="O5.7", name="March of a force", neutral=Halt()):
    """A march stays open for more legs, dropping and picking up (O5.7), until its owner ends it or it is stopped."""

    die: int
    forced: bool
    supplied: bool
    """The force set out in supply (O10.12); this concerns only a commander with initiative 0."""
    sally: bool = False
    stopped: bool = False
    violated: tuple[int, ...] = ()
    named: StackKey = NOBODY_NAMED
    """With a die of its own, the force's first stack: in that hex it picks up no more (O5.14, O6.3)."""
    begun: bool = False
    """It has left its hex, or attacked in it: only then has it marched (O5.13)."""
    carried: int = 0
    """MP that the SP in the force have used: the limit of a force holds for them too (O5.2, O5.7)."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, unless the march ends by itself: stopped, cut off, or no MP left and nowhere to go inside."""
        force = pos.force
        here, side = force.hex, force.side
        # leaders without SP among enemies march no more, and roll (O5.10)
        is_cut_off = not force.sp and is_present(pos, here, OTHER[side]) and not is_present(pos, here, side)
        if not force.leaders or self.stopped or is_cut_off:
            return ()
        spent = self.spent(pos, force)
        over = spent >= walking.allowance(pos, self.die, force) and spent > 0
        return () if over and pos.owners.get(force.hex) != self.side else (self.side,)

    def mask_for(self, viewer: ViewerId) -> Self:
        """The other side cannot know whether a mixed force had supply: that depends on its hidden leaders."""
        return self if knows(viewer, self.side) else msgspec.structs.replace(self, supplied=True, carried=0)

    def spent(self, pos: Position, force: Stack) -> int:
        """Return the MP spent by the force: those of its most tired leader (O5.14), and no less than its SP."""
        most, spent = self.carried if force.sp else 0, pos.spent
        for leader in force.leaders:
            if leader in spent and spent[leader] > most:
                most = spent[leader]
        return most

    def replacements(self, pos: Position) -> tuple[Decision, ...]:
        """If the force is gone, the neutrals stirred by the march react (C5.7)."""
        return (self,) if pos.moving is not None else self.reactions(pos)

    def reactions(self, pos: Position) -> tuple[Decision, ...]:
        """Return a round of reactions for each power violated, but not in 1756 (C3.4)."""
        return tuple(Reaction(self.side) for _ in self.violated) if pos.year > 1756 else ()

    def with_changed_force(self, pos: Position, before: Stack) -> Decision:
        """A commander with initiative 0 who takes over on the way begins his march there (O10.12)."""
        force = pos.force
        march = self if force.sp else msgspec.structs.replace(self, carried=0)
        is_same = before.commander == force.commander and not walking.initiative(pos, before)
        if is_same or walking.initiative(pos, force):
            return march
        return msgspec.structs.replace(march, supplied=is_supplied(pos, force))

    def step(self, draft: Draft) -> None:
        halt(draft, self, inside=False)

    def script(self, pos: Position, actor: Side) -> Script[MarchAction]:
        force = pos.force
        spent, points = self.spent(pos, force), walking.allowance(pos, self.die, force)
        walk = walking.Walk(pos, force, spent, points, forced=self.forced, sally=self.sally)
        walk.vacated = walking.vacates(pos, force.hex, force.side, EMPTY)
        walk.tether = walking.tether(pos, force, was_supplied=self.supplied)
        walk.leaving = force.hex if walking.is_abandoning(pos, force.hex, force.side) else NOWHERE
        kinds: list[Token] = ["halt"]
        if (walk.spent < walk.allowance or walk.has_minimum) and unled_power(pos, force) is None:
            kinds.append("go")
        if not force.demoralized and len(force.leaders) + force.strength > 1 and not self.sally:  # O5.15
            kinds.append("drop")
        if any(fresh_here(pos, self, inside) for inside in (False, True)):
            kinds.append("take")
        kind = yield Slot("do", kinds, partial(_not_in_march, pos, self), refused=lambda: ("go", "drop", "take"))
        if kind == "go":
            # in its own hex only with a die of its own (O5.2, O5.17)
            return Go(*(yield from walking.ask_path(walk, here_too=not self.begun)))
        if kind == "halt":
            return Halt(bool((yield _ask_inside(pos, self, force))))
        if kind == "drop":
            return (yield from drop_script(pos, self, force))
        return (yield from take_script(pos, self, force))

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
        force = pos.force
        left = max(0, walking.allowance(pos, self.die, force) - self.spent(pos, force))
        name = pos.leader(force.commander).name
        return f"{name} at {hex_name(force.hex)}, {left} MP left: march on, leave or pick up troops, or halt"


def spend(draft: Draft, force: Stack, points: int) -> None:
    """Count the movement points of each leader of a force (O5.14)."""
    spent = draft.spent
    draft.spent = {**spent, **{leader: min(DONE, spent.get(leader, 0) + points) for leader in force.leaders}}


def unled_power(pos: Position, force: Stack) -> PowerId | None:
    """Return the first power with SP and no leader in the force: they go no farther (O5.1, O5.14)."""
    led = {pos.leader(number).power for number in force.leaders}
    return next((power for power in powers(force.sp) if power not in led), None)


def _not_in_march(pos: Position, march: Marching, token: Token) -> Refusal:
    if token == "drop":
        return Refusal("O5.15", "nothing can be dropped by this force")
    if token == "take" and is_where_named(pos, march):
        rule, here = "O6.3" if march.forced else "O5.14", pos.force.hex
        return Refusal(rule, "a force cannot pick up troops in its first hex after its die", (), here)
    if token == "take":
        return Refusal("O5.7", "there are no troops here to pick up")
    if token == "go":
        power = unled_power(pos, pos.force)
        if power is None:
            return Refusal("O5.13", "it has no MP left")
        reason, name = "SP of {} need a leader of {} in the force: drop them or halt", pos.data.powers[power].name
        return Refusal("O5.1", reason, (name, name), pos.force.hex)
    return Refusal("O5.13", 'a march is in progress: "{}" is possible after it halts', (token,))


def is_where_named(pos: Position, march: Marching) -> bool:
    """Return whether the force is in the hex where it was named before its die (O5.14, O6.3)."""
    return march.named != NOBODY_NAMED and pos.force.hex == key_hex(march.named)


def _ask_inside(pos: Position, march: Marching, force: Stack) -> Slot:
    """Inside only in a friendly fortress that is not besieged (O5.11); before the march has begun by O5.20."""
    here, side = force.hex, march.side
    if pos.owners.get(here) != side:
        values: tuple[int, ...] = (0,)
    elif not march.begun and (here in pos.shifted or is_besieged(pos, here, side)):
        values = (int(key_inside(march.named)),)
    else:
        values = (0,) if is_besieged(pos, here, side) else (0, 1)

    def refuse(token: Token) -> Refusal:
        if pos.owners.get(here) != side:
            return Refusal("O5.11", "there is no friendly fortress here", (), here)
        if is_besieged(pos, here, side):
            return Refusal("O5.11", "the fortress is besieged", (), here)
        return Refusal("O5.20", "troops have already gone in or out there this phase", (), here)

    return Slot("inside", values, refuse, refused=lambda: (0, 1))


def drop_script(pos: Position, march: Marching, force: Stack) -> Script[Drop]:
    """Ask which part stays behind, in the field or inside; at least one leader goes on (O5.7, O5.14)."""
    inside = yield _ask_inside(pos, march, force)
    leaders = yield from walking.ask_leaders(pos, force, force.leaders, some=not force.sp)
    if set(force.leaders) <= set(leaders):
        yield Slot("leaders", (), lambda _: Refusal("O5.1", "a leader must go on with the march"), index=len(leaders))
    return Drop(bool(inside), leaders, (yield from walking.ask_sp(pos, force, force.sp, None, some=not leaders)))


def fresh_here(pos: Position, march: Marching, inside: bool) -> Stack | None:
    """Return the friendly stack here if any of it may be picked up (O5.7, O5.14)."""
    force = pos.force
    stack = pos.stacks.get(stack_key(force.hex, march.side, inside))
    if stack is None or stack.quartered or is_where_named(pos, march):
        return None
    if inside and is_besieged(pos, force.hex, march.side):
        return None
    limit = 1 if march.forced else walking.MOST
    if stack.demoralized and walking.would_divide(pos, stack, (*force.leaders, *stack.leaders), limit):  # O11.1
        return None
    return stack if stack.sp != stack.marched or fresh_leaders(pos, stack, march) else None


def fresh_leaders(pos: Position, stack: Stack, march: Marching) -> list[LeaderId]:
    """Return the leaders of a stack who may join: with MP left, in a force march all fresh (O6.3)."""
    limit = 1 if march.forced else walking.MOST
    return [number for number in stack.leaders if pos.spent.get(number, 0) < limit]


def take_script(pos: Position, march: Marching, force: Stack) -> Script[Take]:
    """Ask for leaders and fresh SP to pick up; a demoralized stack comes whole (O5.7, O11.1)."""
    places = [int(inside) for inside in (False, True) if fresh_here(pos, march, inside)]
    inside = yield Slot("inside", places, lambda token: Refusal("O5.7", "there are no troops there to pick up"))
    stack = pos.stack_at(force.hex, march.side, int(inside))
    whole = stack.demoralized
    leaders = yield from walking.ask_leaders(pos, stack, fresh_leaders(pos, stack, march), whole)
    led = (*force.leaders, *leaders)
    sp = yield from walking.ask_sp(pos, stack, stack.sp - stack.marched, led, whole=whole, some=not leaders)
    if not sp and not leaders:
        yield Slot("sp", (), lambda _: Refusal("O5.7", "no troops are named"), index=force.nation)
    return Take(bool(inside), leaders, sp)


def walk_leg(draft: Draft, march: Marching, path: tuple[Hex, ...], overwhelm: bool) -> None:
    """March a leg, hex by hex (O5.13); `march` is the innermost decision."""
    force = draft.force
    start, before = force.hex, march.spent(draft, force)
    march = msgspec.structs.replace(march, begun=True)
    if path != (start,):
        for there in path:
            march = enter(draft, march, there)
    if overwhelm:
        march = pay(draft, march, force, 1)  # O5.9
    draft.swap(march)
    points = min(walking.MOST, march.spent(draft, force)) - before
    # whoever leaves the game by it overwhelms nobody (C11.2)
    show_move(draft, events.Marched.of(force, start=start, path=path, points=points))
    if overwhelm and draft.moving is not None and draft.moving.sp:
        attack_overwhelming(draft, march)
        resolve_hexes(draft)


def enter(draft: Draft, march: Marching, there: Hex) -> Marching:
    """Enter a hex: first violation (C3.3), then the enemy in it (O5.8)."""
    force = draft.force
    before = march.spent(draft, force)
    cost = draft.data.board.steps[force.hex][there] + is_in_zone(draft, there, march.side)
    is_enough = before + cost <= walking.allowance(draft, march.die, force)
    march = pay(draft, march, force, cost if is_enough else DONE)  # O5.6
    neutral = violated_by(draft, there)
    draft.set_moving(msgspec.structs.replace(force, hex=there))
    judge_left(draft, force.hex)
    violated = march.violated
    if neutral >= 0:
        violate(draft, neutral, march.side, there)
        violated = (*violated, neutral)
    stopped = walking.enemy_in_field(draft, there, march.side) is not None
    return msgspec.structs.replace(march, violated=violated, stopped=stopped)


def pay(draft: Draft, march: Marching, force: Stack, points: int) -> Marching:
    spend(draft, force, points)
    return msgspec.structs.replace(march, carried=min(DONE, march.carried + points)) if force.sp else march


def _change_march(draft: Draft, **changes: object) -> None:
    """Change the open march, above which leaders left alone may have to roll first (O5.10)."""
    draft.frames = tuple(
        [msgspec.structs.replace(frame, **changes) if isinstance(frame, Marching) else frame for frame in draft.frames]
    )


def attack_overwhelming(draft: Draft, march: Marching) -> None:
    """Show strengths (O3.6); at four to one the enemy in the field is taken, else the force stops (O5.17)."""
    force = draft.force
    enemy = walking.enemy_in_field(draft, force.hex, march.side)
    assert enemy is not None
    success = force.strength >= 4 * enemy.strength  # O5.9
    by, taken = ("", enemy.leaders) if success else ("O5.17", ())
    draft.emit(events.Overwhelmed.of(force, by=by, against=enemy.strength, success=success, leaders=taken))
    draft.learn(0, 1, WATCHER)  # O3.2
    draft.set_moving(draft.with_open_strength(force))
    if success:
        overwhelm(draft, enemy)
        _change_march(draft, stopped=False, sally=False)
        return
    draft.put(draft.with_open_strength(enemy))
    draft.bound |= {force.hex}
    if march.sally:
        draft.sallied |= {force.hex}
    _change_march(draft, stopped=True)


def overwhelm(draft: Draft, enemy: Stack) -> None:
    """Make SP prisoners, capture leaders and remove the depot (O5.9)."""
    draft.remove(enemy)
    imprison(draft, enemy)
    lose_depot(draft, enemy.hex, enemy.side)


def halt(draft: Draft, march: Marching, *, inside: bool) -> None:
    """End the march: its SP are done, and so are leaders whom an enemy stopped (O5.13); then neutrals react (C5.7)."""
    force = draft.force
    draft.set_moving(None)
    draft.pop()
    if march.stopped or march.forced or march.sally or not march.begun:
        spend(draft, force, DONE)
    _change_gate(draft, march, force, inside)
    draft.join_stack(msgspec.structs.replace(force, inside=inside), spent=True)
    draft.emit(events.Halted.of(force, inside=inside))
    draft.learn(OTHER[march.side], WATCHER)
    draft.frames += march.reactions(draft)


def _change_gate(draft: Draft, march: Marching, force: Stack, inside: bool) -> None:
    """Without a march, ending elsewhere than named is a change in or out (O5.20), or a sally (O13.7)."""
    if march.begun or inside == key_inside(march.named):
        return
    draft.shifted |= {force.hex}
    if march.sally:
        draft.sallied |= {force.hex}


def drop(draft: Draft, march: Marching, action: Drop) -> None:
    """Leave leaders and SP here; the SP are done, the leaders are not (O5.7, O5.13)."""
    force = draft.force
    rest = tuple(number for number in force.leaders if number not in action.leaders)
    left = draft.make_stack(force.hex, force.side, action.inside, action.sp, action.leaders, force)
    band = UNSEEN if action.sp else force.band
    draft.set_moving(draft.with_troops(force, force.sp - action.sp, rest, band))
    if march.forced:
        spend(draft, left, DONE)  # O6.3: they had their try
    _change_gate(draft, march, force, action.inside)
    draft.join_stack(left, spent=True)
    reform(draft, force)
    _regroup(draft, "leave", action)


def take(draft: Draft, march: Marching, action: Take) -> None:
    """Join leaders and fresh SP to the force (O11.4), which has spent as much as the most tired of them (O5.14)."""
    force = draft.force
    comers = draft.detach(draft.stack_at(force.hex, march.side, action.inside), action.leaders, action.sp)
    demoralized = force.demoralized or comers.demoralized
    if force.sp and comers.sp and force.demoralized != comers.demoralized:
        draft.emit(events.MoraleChanged.of(force, inside=False))
    like = msgspec.structs.replace(force, demoralized=demoralized, hungry=max(force.hungry, comers.hungry))
    band = UNSEEN if action.sp else force.band
    leaders = (*force.leaders, *action.leaders)
    draft.set_moving(draft.make_stack(force.hex, force.side, False, force.sp + action.sp, leaders, like, band))
    reform(draft, force)
    _regroup(draft, "join", action)


def _regroup(draft: Draft, how: str, action: Drop | Take) -> None:
    more: Values = {"inside": action.inside, "leaders": action.leaders, "sp": action.sp}
    show_move(draft, events.Regrouped.of(draft.force, how=how, **more))


class MarchPhase(Phase[March | Shift], rule="O5.13", name="March", neutral=Done()):
    """The phasing side marches its forces one after another (O5.13)."""

    die: int = 0

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, once the die is cast (O5.2)."""
        return (self.side,) if self.die or pos.options.march_die == "force" else ()

    def step(self, draft: Draft) -> None:
        """One die for the whole phase (O5.2)."""
        draft.push(MarchDie(self.side))

    def is_evident(self, pos: Position, actor: Side) -> bool:
        return is_at_rest(pos, self.side)

    def script(self, pos: Position, actor: Side) -> Script[PhaseAction]:
        return phase_script(pos, self.side, self.die, forced=False)

    def act(self, draft: Draft, action: March | Shift) -> None:
        if isinstance(action, Shift):
            shift(draft, self.side, action)
        else:
            set_out(draft, self.side, action, self.die)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"March Phase, die {self.die}: march a force" if self.die else "March Phase: choose a force"


class MarchDie(DieRoll, rule="O5.2", name="March die"):
    side: Side

    def rolled(self, draft: Draft, die: int) -> None:
        """The die holds for every force of the phase, and both sides see it (O3.5)."""
        draft.emit(events.Rolled(side=self.side, die=die))
        draft.swap(MarchPhase(self.side, die))


class RunningDie(DieRoll):
    side: Side
    march: Marching

    def mask_for(self, viewer: ViewerId) -> Self:
        return self if knows(viewer, self.side) else msgspec.structs.replace(self, march=self.march.mask_for(viewer))

    def has_lapsed(self, pos: Position) -> bool:
        return pos.moving is None


class ForceDie(RunningDie, rule="O5.2", name="March die of a force"):
    """A die for one force as it sets out (O5.2, option `march-die`)."""

    def rolled(self, draft: Draft, die: int) -> None:
        grant_points(draft, self.march, die)
        draft.learn(OTHER[self.side], WATCHER)  # whether it still moves tells what its juniors have spent


def grant_points(draft: Draft, march: Marching, die: int) -> Stack:
    """Give a force that has set out its movement points by a die of its own (O5.2, O6.1)."""
    force, by = draft.force, "O6.1" if march.forced else ""
    points = walking.allowance(draft, die, force)
    draft.emit(events.Rolled(side=march.side, by=by, die=die, leader=force.commander, points=points))
    draft.push(msgspec.structs.replace(march, die=die))
    return force


def phase_script(pos: Position, side: OwnerId, die: int, *, forced: bool) -> Script[PhaseAction]:
    """Ask for an action of a March or Force March Phase; `done` is always possible (C3.2)."""
    kinds: list[Token] = ["done"]
    marchers = available(pos, side, forced=forced)
    if marchers:
        kinds.append("march")
    changes = walking.fortress_changes(pos, side, forced=forced)
    first = next(changes, None)
    if first:
        kinds.append("shift")
    kind = yield Slot("do", kinds, partial(refuse_in_phase, _NOT_NOW), refused=lambda: ("march", "shift"))
    if kind == "done":
        return Done()
    if first and kind == "shift":
        return (yield from walking.shift_script(pos, side, [first, *changes]))
    return (yield from march_script(pos, side, marchers, die, forced=forced))


_NOT_NOW: Final = {
    "march": Refusal("O5.13", "no leader can still march"),
    "shift": Refusal("O5.20", "no troops can go inside or come out now"),
}


def available(pos: Position, side: OwnerId, *, forced: bool) -> dict[LeaderId, Stack]:
    """Return the leaders who may still set out, each with his stack; SP alone stay (O8.4).

    An enemy in their hex does not hold them (O5.12).
    """
    spent, limit = pos.spent, 1 if forced else walking.MOST
    found: dict[LeaderId, Stack] = {}
    for stack in pos.own(side):
        if not stack.leaders or stack.quartered:  # O14.1
            continue
        if forced and stack.inside and is_besieged(pos, stack.hex, side):  # O13.7
            continue
        if stack.demoralized and walking.would_divide(pos, stack, stack.leaders, limit):  # O11.1
            continue
        for leader in stack.leaders:
            if leader not in spent or spent[leader] < limit:
                found[leader] = stack
    return found


def is_at_rest(pos: Position, side: OwnerId) -> bool:
    """Return whether both sides see that no stack can move: quartered, or leaderless away from its fortresses."""
    return all(stack.quartered or (not stack.leaders and pos.owners.get(stack.hex) != side) for stack in pos.own(side))


def _why_not_available(pos: Position, side: OwnerId, token: Token, *, forced: bool) -> Refusal:
    if not isinstance(token, int) or not 0 <= token < len(pos.data.leaders):
        return Refusal("O2.2", "there is no such leader")
    leader = LeaderId(token)
    name, stack = pos.leader(leader).name, pos.locate(leader)
    if stack is None or stack.side != side:
        return Refusal("O2.5", "{} commands no force of yours on the map", (name,))
    divides = stack.demoralized and walking.would_divide(pos, stack, stack.leaders, 1 if forced else walking.MOST)
    return first_refusal(
        stack.hex,
        (stack.quartered, "O14.1", "{} is in winter quarters", name),
        (token in stack.resters, "O14.4", "{} was in quarters that others joined and cannot move yet", name),
        (divides, "O11.1", "a demoralized stack cannot divide, and part of it has marched"),
        (token in pos.spent and forced, "O6.3", "{} has already taken part in a force march", name),
        (token in pos.spent, "O5.13", "{} has no movement points left in this phase", name),
    ) or Refusal("O13.7", "{} is besieged", (name,), stack.hex)


def march_script(
    pos: Position, side: OwnerId, marchers: Mapping[LeaderId, Stack], die: int, *, forced: bool
) -> Script[March]:
    """Ask for leader, companions, SP (O5.15) and the first leg; before a die of its own there is no leg."""

    refuse = partial(_why_not_available, pos, side, forced=forced)
    whom = yield Slot("leader", sorted(marchers), refuse, refused=lambda: [n for s in pos.own(side) for n in s.leaders])
    leader = as_leader(whom)
    stack = marchers[leader]
    pool = [n for n in stack.leaders if n != leader and n in marchers]
    companions = yield from walking.ask_leaders(
        pos, stack, pool, stack.demoralized, field="companions", named=(leader,)
    )
    leaders = (leader, *companions)
    sp = yield from walking.ask_sp(pos, stack, stack.sp - stack.marched, leaders, whole=stack.demoralized)
    if forced or not die:
        return March(leader, companions, sp)
    walk = walk_from(pos, stack, leaders, sp, die, forced=forced)
    return March(leader, companions, sp, *(yield from walking.ask_path(walk, here_too=True)))


def walk_from(
    pos: Position, stack: Stack, leaders: tuple[LeaderId, ...], sp: Bag, die: int, *, forced: bool
) -> walking.Walk:
    """Return the walk of a force that could set out, with its points by a die (O5.2, O5.14)."""
    force = pos.make_stack(stack.hex, stack.side, stack.inside, sp, leaders, stack)
    used, points = max(pos.spent.get(leader, 0) for leader in leaders), walking.allowance(pos, die, force)
    walk = walking.Walk(pos, force, used, points, forced=forced, sally=walking.is_coming_out(pos, stack))
    walk.vacated = walking.vacates(pos, stack.hex, stack.side, sp)
    tethered = not walking.initiative(pos, force) and walking.is_supplied_at_start(pos, stack, force)
    if tethered or is_present(pos, stack.hex, OTHER[stack.side]):
        apart = Draft(pos)
        apart.detach(stack, leaders, sp)
        walk.leaving = stack.hex if walking.is_abandoning(apart, stack.hex, stack.side) else NOWHERE
        walk.tether = walking.tether(apart, force, was_supplied=tethered)
    return walk


def set_out(draft: Draft, side: Side, action: March, die: int, *, forced: bool = False) -> None:
    """Take a force out of its stack for its first leg, or for a die of its own (O5.2, O6.1)."""
    stack = draft.stack_of(action.leader)
    leaders = (action.leader, *action.companions)
    force = draft.make_stack(stack.hex, side, stack.inside, action.sp, leaders, stack)
    is_tethered = walking.initiative(draft, force) == 0  # O10.12 asks nobody else
    supplied = not is_tethered or walking.is_supplied_at_start(draft, stack, force)
    named = NOBODY_NAMED if die and not forced else stack.key
    march = Marching(side, die, forced, supplied, walking.is_coming_out(draft, stack), named=named)
    draft.set_moving(msgspec.structs.replace(draft.detach(stack, leaders, action.sp), inside=False, marched=0))
    draft.learn(OTHER[side], WATCHER)  # what leaves and what stays is seen
    if forced or not die:
        draft.push(ForceMarchDie(side, march) if forced else ForceDie(side, march))
        return
    draft.push(march)
    walk_leg(draft, march, action.path, action.overwhelm)


class ForceMarchPhase(Phase[March | Shift], rule="O6.1", name="Force March", neutral=Done()):
    """Each force of the side that is not phasing may try once (O6.1), out of an enemy's hex or into one (O6.2)."""

    PROMPT = "Force March Phase: try a force march"

    def is_evident(self, pos: Position, actor: Side) -> bool:
        return is_at_rest(pos, self.side)

    def script(self, pos: Position, actor: Side) -> Script[PhaseAction]:
        """Name a force (O6.3), go in or out of a fortress (O5.11), or end the phase."""
        return phase_script(pos, self.side, 0, forced=True)

    def act(self, draft: Draft, action: March | Shift) -> None:
        if isinstance(action, Shift):
            shift(draft, self.side, action)
        else:
            set_out(draft, self.side, action, 0, forced=True)


class ForceMarchDie(RunningDie, rule="O6.1", name="Force march die"):
    def rolled(self, draft: Draft, die: int) -> None:
        """A sum above 6 costs the force 1 SP; the winter's MP come off later (O6.3)."""
        force = grant_points(draft, self.march, die)
        if die + walking.initiative(draft, force) <= walking.MOST or not force.sp:
            return
        first, *others = powers(force.sp)
        if others:
            draft.push(ForceLoss(as_side(force.side)))
        else:
            _lose_one(draft, force, first)


def _lose_one(draft: Draft, force: Stack, power: PowerId) -> None:
    draft.set_moving(draft.remove_one_sp(force, bag(power, 1)))
    reform(draft, force)
    draft.emit(events.SpLost.of(force, power=power))
    draft.learn(OTHER[force.side], WATCHER)


class ForceLoss(SideDecision[Lose], rule="O6.1", name="Loss of a force march", neutral=None):
    """The owner chooses which power loses the SP (O6.1)."""

    PROMPT = "Force march: choose the power that loses 1 SP"

    def has_lapsed(self, pos: Position) -> bool:
        return pos.moving is None

    def script(self, pos: Position, actor: Side) -> Script[Lose]:
        force = pos.force
        yield Slot("do", ("lose",), Refusal("O6.1", "choose the loss of 1 SP first"))
        yield Slot("start", (force.key,), Refusal("O6.1", "the force itself loses the SP", (), force.hex))
        nations = tuple(powers(force.sp))
        power = yield Slot("power", nations, Refusal("O6.1", "that power has no SP here", (), force.hex))
        yield Slot("points", (1,), Refusal("O6.1", "exactly 1 SP is lost", (), force.hex))
        return Lose(force.key, as_power(power), 1)

    def answer(self, draft: Draft, actor: Side, action: Lose) -> None:
        draft.pop()
        _lose_one(draft, draft.force, action.power)
