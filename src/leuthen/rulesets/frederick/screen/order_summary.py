"""What an order in the making would do: who commands, who stays behind, what the way costs and where it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.kind import ByKind
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import POINTS, EnvoyChoice
from leuthen.rulesets.frederick.rules.c06_increments import new_sp
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o05_march.walk import MOST, Walk, enemy_in_field, enemy_leaders_at, initiative
from leuthen.rulesets.frederick.rules.o10_supply.depots import MOST_DEPOTS
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_supplied, violated_by
from leuthen.rulesets.frederick.screen.questions import Questions
from leuthen.wargame.board import Hex, StackKey
from leuthen.wargame.strength import Bag, LeaderId, largest, of, powers


def summary_of(asked: Questions, action: Action | None) -> tuple[str, ...]:
    """The lines of a form's summary, as far as the order has come."""
    if asked.do in ("march", "go"):
        return tuple(_march(asked)) if asked.end is not None or action is not None else ()
    if action is None or type(action) not in _FINISHED:
        return ()
    return tuple(_FINISHED[type(action)](asked, action))


def _march(asked: Questions) -> Iterator[str]:
    source = asked.source
    if source is None or (not asked.sp and "sp" not in asked.given and asked.do == "march"):
        return
    force = asked.end.force if asked.end is not None else _part(asked, source, tuple(asked.leaders), asked.sp)
    yield _command(asked, force)
    if asked.do == "march":
        yield _rest(asked, source, force.leaders, force.sp)
    if asked.end is not None:
        yield _points(asked.pos, asked.end)
        yield from _way(asked, asked.end)


def _part(asked: Questions, source: Stack, leaders: tuple[LeaderId, ...], sp: Bag) -> Stack:
    return make_stack(asked.pos, source.hex, source.side, source.inside, sp, leaders, source)


def _command(asked: Questions, force: Stack) -> str:
    """«Frederick 3-3-3 commands 12 SP, with Keith»."""
    others = [asked.data.leaders[n].name for n in force.leaders if n != force.commander]
    with_them = f", with {', '.join(others)}" if others else ""
    shaken = "; demoralized: initiative counts 0 (O11.1)" if force.demoralized else ""
    return f"{asked.leader(force.commander)} commands {sp_text(asked, force.sp)}{with_them}{shaken}"


def sp_text(asked: Questions, sp: Bag) -> str:
    """«12 SP», of several powers «9 SP Prussia, 3 SP Hanover», «no SP»."""
    nations = list(powers(sp))
    if len(nations) < 2:
        return f"{of(sp, nations[0])} SP" if nations else "no SP"
    return ", ".join(f"{of(sp, power)} SP {asked.data.powers[power].name}" for power in nations)


def _rest(asked: Questions, source: Stack, leaders: tuple[LeaderId, ...], sp: Bag) -> str:
    """Who stays behind, and under whom."""
    rest = tuple(n for n in source.leaders if n not in leaders)
    left = source.sp - sp
    if not rest and not left:
        return "Nobody stays behind"
    if not rest:
        return f"{sp_text(asked, left)} stay behind without a leader (O8.6)"
    stay = _part(asked, source, rest, left)
    return f"{asked.leader(stay.commander)} stays behind with {sp_text(asked, left)}"


def _points(pos: Position, walk: Walk) -> str:
    """«MP: die 4 + initiative 3 = 7, at most 6; 2 spent, 4 left»."""
    die, bonus = _die_of(pos), initiative(pos, walk.force)
    cut = f", at most {MOST}" if die + bonus > MOST else ""
    winter = ", winter -1 (O5.5)" if pos.is_winter else ""
    spent = min(walk.spent, walk.allowance)
    return (
        f"MP: die {die} + initiative {bonus} = {die + bonus}{cut}{winter}; {spent} spent, {walk.allowance - spent} left"
    )


def _die_of(pos: Position) -> int:
    frame = pos.frames[-1]
    return frame.die if isinstance(frame, MarchPhase | Marching) else 0


def _way(asked: Questions, walk: Walk) -> Iterator[str]:
    """The path with its cost hex by hex, and why the leg ends where it does."""
    if not asked.steps:
        return
    for here, price in asked.steps:
        yield f"{asked.town(here)}: {price}"
    yield from _meets(asked, walk)
    pos = asked.pos
    there = msgspec.structs.replace(walk.force, hex=walk.here, inside=False)
    if there.sp and not is_supplied(pos, there):
        yield f"Out of supply at {asked.town(walk.here)}, as things stand (O10.2)"


def _meets(asked: Questions, walk: Walk) -> Iterator[str]:
    """What the force meets in the last hex of its path."""
    pos, here, side = asked.pos, walk.here, walk.side
    enemy = enemy_in_field(pos, here, side)
    if enemy is not None:
        seen = asked.seen.stacks.get(enemy.key)
        who = asked.stack(seen) if seen is not None else "an enemy stack"
        yield f"Meets {who}: the march ends there (O5.8)"
    if (neutral := violated_by(pos, here)) >= 0:
        yield f"Violates {asked.data.powers[neutral].name} (C3.3)"
    if here in pos.owners and pos.owners[here] == OTHER[side]:
        garrison = asked.seen.inside(here, OTHER[side])
        held = garrison is not None and garrison.sp
        yield (
            f"{asked.town(here)} is an enemy fortress: the leg ends there (O5.8)"
            if held or not walk.force.sp
            else f"{asked.town(here)} is an empty enemy fortress and is taken; the leg ends there (O12.2, O5.8)"
        )
    if enemy_leaders_at(pos, here, side):
        yield "Enemy leaders without SP are there: they roll, and the leg ends (O5.10)"


def _drop(asked: Questions, action: do.Drop) -> Iterator[str]:
    force = asked.source
    if force is None:
        return
    goes_on = _part(asked, force, tuple(n for n in force.leaders if n not in action.leaders), force.sp - action.sp)
    where = f"{_where(action.inside)} {asked.town(force.hex)}"
    yield f"Left {where}: {_who(asked, action.leaders, action.sp)}; the SP are done for the phase (O5.7)"
    yield f"The march goes on: {_command(asked, goes_on)}"


def _who(asked: Questions, leaders: tuple[LeaderId, ...], sp: Bag) -> str:
    names = [asked.data.leaders[number].name for number in leaders]
    return ", ".join([*names, *([sp_text(asked, sp)] if sp or not names else [])])


def _where(inside: bool) -> str:
    return "inside" if inside else "at"


def _take(asked: Questions, action: do.Take) -> Iterator[str]:
    force = asked.source
    if force is None:
        return
    yield f"Joins: {_who(asked, action.leaders, action.sp)}"
    yield _command(asked, _part(asked, force, (*force.leaders, *action.leaders), force.sp + action.sp))


def _halt(asked: Questions, action: do.Halt) -> Iterator[str]:
    force = asked.source
    if force is not None:
        yield _arrival(asked, force.hex, action.inside, force.leaders, force.sp)


def _arrival(asked: Questions, here: Hex, inside: bool, leaders: tuple[LeaderId, ...], sp: Bag) -> str:
    """Who commands in the place where somebody arrives."""
    stack = asked.pos.at(here, asked.actor, inside)
    where = f"{_where(inside)} {asked.town(here)}"
    if stack is None:
        whole = make_stack(asked.pos, here, asked.actor, inside, sp, leaders)
        names = "nobody leads" if whole.commander < 0 else f"{asked.leader(whole.commander)} commands"
        return f"{sp_text(asked, sp)} {where}: {names}"
    whole = make_stack(asked.pos, here, asked.actor, inside, stack.sp + sp, (*stack.leaders, *leaders))
    names = "nobody leads" if whole.commander < 0 else f"{asked.leader(whole.commander)} commands"
    friends = _who(asked, stack.leaders, stack.sp)
    return f"{_who(asked, leaders, sp)} to {friends} {where}: {names} {sp_text(asked, whole.sp)}"


def _shift(asked: Questions, action: do.Shift) -> Iterator[str]:
    source = asked.pos.at(action.hex, asked.actor, not action.inside)
    if source is not None:
        yield _arrival(asked, action.hex, action.inside, action.leaders, action.sp)
        yield _rest(asked, source, action.leaders, action.sp)


def _garrison(asked: Questions, action: do.Garrison | do.Follow) -> Iterator[str]:
    frame: Any = asked.frame
    here = frame.hex if isinstance(action, do.Garrison) else frame.battle
    source = asked.pos.field(here, asked.actor)
    if source is None:
        return
    to = here if isinstance(action, do.Garrison) else frame.first
    yield _arrival(asked, to, isinstance(action, do.Garrison), action.leaders, action.sp)
    yield _rest(asked, source, action.leaders, action.sp)


def _place(asked: Questions, action: do.Place) -> Iterator[str]:
    yield _arrival(asked, action.hex, action.inside, action.leaders, action.sp)
    source = asked.pos.stacks.get(StackKey(action.start))
    if source is not None:
        yield _rest(asked, source, action.leaders, action.sp)


def _envoys(asked: Questions, action: do.Envoys) -> Iterator[str]:
    if isinstance(asked.frame, EnvoyChoice):
        most = POINTS[asked.actor]
        placed = zip(MINORS, action.points, strict=True)
        on = ", ".join(f"{points} on {asked.data.powers[power].name}" for power, points in placed if points)
        left = most - sum(action.points)
        yield f"{on or 'No points'}; {f'{left} of {most} lost' if left else f'all {most} used'} (C5.1)"


def _build(asked: Questions, action: do.Build) -> Iterator[str]:
    stack = asked.pos.field(action.hex, asked.actor)
    if stack is not None:
        power = largest(stack.sp)
        begun = 1 + sum(depot.power == power for depot in asked.seen.depots.values())
        yield f"Depot {begun} of {MOST_DEPOTS} of {asked.data.powers[power].name} (O10.4, O10.11)"
        yield "It is complete in your next Depot Phase if SP stay there and the hex keeps its supply (O10.10)"


def _remove(asked: Questions, action: do.Remove) -> Iterator[str]:
    """Whom the depot supplies alone."""
    without = Draft(asked.pos)
    without.set_depot(action.hex, None)
    field = [stack for stack in asked.pos.own(asked.actor) if stack.sp and not stack.inside]
    cut = [stack for stack in field if is_supplied(asked.pos, stack) and not is_supplied(without, stack)]
    for stack in cut:
        yield f"Out of supply without it: {asked.stack(stack)}, at {asked.town(stack.hex)} (O10.2)"


def _besiege(asked: Questions, action: do.Besiege) -> Iterator[str]:
    yield f"The depot at {asked.town(action.hex)} is spent, whatever the die brings (O13.8)"


def _quarter(asked: Questions, action: do.Quarter) -> Iterator[str]:
    yield "Until the year is over the stack does not march, attack or build (O14.1)"


def _sack(asked: Questions, action: do.Sack) -> Iterator[str]:
    yield f"{asked.leader(action.leader)} leaves the map for ever (C8.3)"


def _raise(asked: Questions, action: do.Raise) -> Iterator[str]:
    raised, kept = new_sp(asked.pos, asked.actor, action.points), asked.pos.rp[asked.actor] - action.points
    yield f"{raised} new SP, placed in the Re-deployment Phase; {kept} RP are kept (C6.3, C6.4)"


def _seal(asked: Questions, action: do.Seal) -> Iterator[str]:
    yield "You may open it again until the other side has sealed its own (C2.4)"


_FINISHED: Final[ByKind[Action, Questions, Iterator[str]]] = {
    do.Drop: _drop,
    do.Take: _take,
    do.Halt: _halt,
    do.Shift: _shift,
    do.Garrison: _garrison,
    do.Follow: _garrison,
    do.Place: _place,
    do.Envoys: _envoys,
    do.Build: _build,
    do.Remove: _remove,
    do.Besiege: _besiege,
    do.Quarter: _quarter,
    do.Sack: _sack,
    do.Raise: _raise,
    do.Seal: _seal,
}
