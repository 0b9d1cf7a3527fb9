"""O5: the March Phase. The Force March (O6) uses the same march."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Self

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import OTHER, WATCHER, ActorId, OwnerId, Side, ViewerId
from leuthen.rulesets.frederick.model.actions import March, PhaseAction, Shift
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll
from leuthen.rulesets.frederick.model.events.operations import Rolled
from leuthen.rulesets.frederick.model.pieces import Stack, knows
from leuthen.rulesets.frederick.model.stacks import detach, locate, make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, is_present
from leuthen.rulesets.frederick.rules.o05_march.forces import (
    ask_leaders,
    ask_sp,
    fortress_changes,
    shift,
    shift_script,
    would_divide,
)
from leuthen.rulesets.frederick.rules.o05_march.open_march import NOBODY_NAMED, Marching, walk_leg
from leuthen.rulesets.frederick.rules.o05_march.walk import (
    MOST,
    Walk,
    allowance,
    ask_path,
    begins_supplied,
    comes_out,
    initiative,
    leaves_something,
    tether,
    vacates,
)
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.wargame.board import NOWHERE
from leuthen.wargame.strength import Bag, LeaderId, as_leader


class MarchPhase(Decision[PhaseAction], rule="O5.13", name="March", neutral=Done()):
    """The phasing side marches its forces one after another (O5.13)."""

    side: Side
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
        """A march, a change between field and fortress, or the end of the phase."""
        return phase_script(pos, self.side, self.die, forced=False)

    def answer(self, draft: Draft, actor: Side, action: PhaseAction) -> None:
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Shift):
            shift(draft, self.side, action)
        else:
            set_out(draft, self.side, action, self.die, ForceDie)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"March Phase, die {self.die}: march a force" if self.die else "March Phase: choose a force"


class MarchDie(DieRoll, rule="O5.2", name="March die"):
    """The die of the March Phase (O5.2)."""

    side: Side

    def rolled(self, draft: Draft, die: int) -> None:
        """It holds for every force of the phase, and both sides see it (O3.5)."""
        draft.emit(Rolled(side=self.side, die=die))
        draft.swap(MarchPhase(self.side, die))


class RunningDie(DieRoll):
    """A die of a force on the march."""

    side: Side
    march: Marching

    def seen_by(self, viewer: ViewerId) -> Self:
        """With the march as the viewer knows it."""
        return self if knows(viewer, self.side) else msgspec.structs.replace(self, march=self.march.seen_by(viewer))

    def lapses(self, pos: Position) -> bool:
        """The force has left the game with its power (C11.3)."""
        return pos.moving is None


class ForceDie(RunningDie, rule="O5.2", name="March die of a force"):
    """A die for one force as it sets out (O5.2, option `march-die`)."""

    def rolled(self, draft: Draft, die: int) -> None:
        grant_points(draft, self.march, die)
        draft.learn(OTHER[self.side], WATCHER)  # whether it still moves tells what its juniors have spent


def grant_points(draft: Draft, march: Marching, die: int) -> Stack:
    """A force that has set out gets its movement points by a die of its own (O5.2, O6.1)."""
    force = draft.moving
    assert force is not None
    points = allowance(draft, die, force)
    draft.emit(
        Rolled(side=march.side, by="O6.1" if march.forced else "", die=die, leader=force.commander, points=points)
    )
    draft.push(msgspec.structs.replace(march, die=die))
    return force


def phase_script(pos: Position, side: OwnerId, die: int, *, forced: bool) -> Script[PhaseAction]:
    """What may be done in a March or Force March Phase; nobody has to do anything (C3.2)."""
    kinds: list[Token] = ["done"]
    marchers = available(pos, side, forced=forced)
    if marchers:
        kinds.append("march")
    if next(fortress_changes(pos, side, forced=forced), None):
        kinds.append("shift")
    kind = yield Slot("do", kinds, _no_such_kind, refused=lambda: ("march", "shift"))
    if kind == "done":
        return Done()
    if kind == "shift":
        return (yield from shift_script(pos, side, list(fortress_changes(pos, side, forced=forced))))
    return (yield from march_script(pos, side, marchers, die, forced=forced))


def _no_such_kind(token: Token) -> Refusal:
    if token == "march":
        return Refusal("O5.13", "no leader is left who could march")
    if token == "shift":
        return Refusal("O5.20", "nobody may go inside or come out now")
    return Refusal("O4.2", "this is not the phase for «{}»", (token,))


def available(pos: Position, side: OwnerId, *, forced: bool) -> dict[LeaderId, Stack]:
    """The leaders who may still set out, each with his stack; SP alone stay (O8.4).

    An enemy in their hex holds nobody (O5.12).
    """
    spent, limit = pos.spent, 1 if forced else MOST
    found: dict[LeaderId, Stack] = {}
    for stack in pos.own(side):
        if not stack.leaders or stack.quartered:  # O14.1
            continue
        if forced and stack.inside and is_besieged(pos, stack.hex, side):  # O13.7
            continue
        if stack.demoralized and would_divide(pos, stack, stack.leaders, limit):  # O11.1
            continue
        for leader in stack.leaders:
            if leader not in spent or spent[leader] < limit:
                found[leader] = stack
    return found


def is_at_rest(pos: Position, side: OwnerId) -> bool:
    """Whether, as both sides see, no stack can march, go inside or come out: each is in quarters, or stands leaderless
    away from fortresses of its own."""
    return all(stack.quartered or (not stack.leaders and pos.owners.get(stack.hex) != side) for stack in pos.own(side))


def _why_not_available(pos: Position, side: OwnerId, token: Token, *, forced: bool) -> Refusal:
    if not isinstance(token, int) or not 0 <= token < len(pos.data.leaders):
        return Refusal("O2.2", "there is no such leader")
    leader = LeaderId(token)
    name, stack = pos.leader(leader).name, locate(pos, leader)
    if stack is None or stack.side != side:
        return Refusal("O2.5", "{} commands nothing of yours on the map", (name,))
    if stack.quartered:
        return Refusal("O14.1", "{} is in winter quarters", (name,), stack.hex)
    if token in stack.resters:
        return Refusal("O14.4", "{} was in quarters that others joined, and stays for now", (name,), stack.hex)
    if stack.demoralized and would_divide(pos, stack, stack.leaders, 1 if forced else MOST):
        return Refusal("O11.1", "a demoralized stack does not divide, and a part of it has marched", (), stack.hex)
    if token in pos.spent and forced:
        return Refusal("O6.3", "{} has taken part in a try already", (name,), stack.hex)
    if token in pos.spent:
        return Refusal("O5.13", "{} has no movement points left in this phase", (name,), stack.hex)
    return Refusal("O13.7", "{} is besieged", (name,), stack.hex)


def march_script(
    pos: Position, side: OwnerId, marchers: Mapping[LeaderId, Stack], die: int, *, forced: bool
) -> Script[March]:
    """Who marches, with whom and how many SP (O5.15), and the first leg; where a die is still to come, no leg yet."""
    leader = as_leader((yield _ask_leader(pos, side, marchers, forced=forced)))
    stack = marchers[leader]
    pool = [n for n in stack.leaders if n != leader and n in marchers]
    companions = yield from ask_leaders(pos, stack, pool, field="companions", whole=stack.demoralized, named=(leader,))
    leaders = (leader, *companions)
    sp = yield from ask_sp(pos, stack, stack.sp - stack.marched, leaders, whole=stack.demoralized)
    if forced or not die:
        return March(leader, companions, sp)
    walk = walk_from(pos, stack, leaders, sp, die, forced=forced)
    path, overwhelm = yield from ask_path(walk, here_too=True)
    return March(leader, companions, sp, path, overwhelm)


def _ask_leader(pos: Position, side: OwnerId, marchers: Iterable[int], *, forced: bool) -> Slot:
    return Slot(
        "leader",
        sorted(marchers),
        lambda token: _why_not_available(pos, side, token, forced=forced),
        refused=lambda: [leader for stack in pos.own(side) for leader in stack.leaders],
    )


def walk_from(pos: Position, stack: Stack, leaders: tuple[LeaderId, ...], sp: Bag, die: int, *, forced: bool) -> Walk:
    """A force that could set out, with what a die gives it (O5.2, O5.14)."""
    force = make_stack(pos, stack.hex, stack.side, stack.inside, sp, leaders, stack)
    used = max(pos.spent.get(leader, 0) for leader in leaders)
    walk = Walk(pos, force, used, allowance(pos, die, force), forced=forced, sally=comes_out(pos, stack))
    walk.vacated = vacates(pos, stack.hex, stack.side, sp)
    tethered = not initiative(pos, force) and begins_supplied(pos, stack, force)
    if tethered or is_present(pos, stack.hex, OTHER[stack.side]):
        apart = Draft(pos)
        detach(apart, stack, leaders, sp)
        walk.leaving = stack.hex if leaves_something(apart, stack.hex, stack.side) else NOWHERE
        walk.tether = tether(apart, force, was_supplied=tethered)
    return walk


def set_out(
    draft: Draft,
    side: Side,
    action: March,
    die: int,
    roll: Callable[[Side, Marching], Decision],
    *,
    forced: bool = False,
) -> None:
    """A force leaves its stack and goes its first leg, or waits for its die: the decision that `roll` makes."""
    stack = locate(draft, action.leader)
    assert stack is not None
    leaders = (action.leader, *action.companions)
    force = make_stack(draft, stack.hex, side, stack.inside, action.sp, leaders, stack)
    supplied = initiative(draft, force) > 0 or begins_supplied(draft, stack, force)  # O10.12 asks nobody else
    named = NOBODY_NAMED if die and not forced else stack.key
    march = Marching(side, die, forced, supplied, comes_out(draft, stack), named=named)
    draft.set_moving(msgspec.structs.replace(detach(draft, stack, leaders, action.sp), inside=False, marched=0))
    draft.learn(OTHER[side], WATCHER)  # what leaves and what stays is seen
    if forced or not die:
        draft.push(roll(side, march))
        return
    draft.push(march)
    walk_leg(draft, march, action.path, action.overwhelm)
