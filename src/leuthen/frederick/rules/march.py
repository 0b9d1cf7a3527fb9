"""O5: the March Phase, and what a marching force may do hex by hex. The Force March (O6) uses the same march."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, ClassVar

import msgspec

from leuthen.core.board import Hex, Hexes, around, hex_name
from leuthen.core.choice import STOP, Script, Slot, Token
from leuthen.core.refusal import Refusal
from leuthen.core.ruleset import WATCHER
from leuthen.core.strength import Bag
from leuthen.frederick.actions import Done, Drop, Go, Halt, March, Shift, Take
from leuthen.frederick.decisions import Decision, DieRoll
from leuthen.frederick.events.operations import Halted, Marched, Overwhelmed, Regrouped, Rolled
from leuthen.frederick.gamedata import NOBODY
from leuthen.frederick.rules.allegiance import Reaction, violate
from leuthen.frederick.rules.control import in_zone
from leuthen.frederick.rules.forces import ask_leaders, ask_sp
from leuthen.frederick.rules.fortresses import imprison, settle
from leuthen.frederick.rules.supply import is_besieged, is_supplied, path_length, supply, violated_by
from leuthen.frederick.state import (
    DONE,
    Draft,
    Position,
    Stack,
    changed,
    detach,
    field_key,
    inside_key,
    join_stack,
    locate,
    make_stack,
)

MOST = 6
"""Nobody ever has more movement points (O5.2)."""


def initiative(pos: Position, stack: Stack) -> int:
    """The initiative of a stack as it counts: its commander's, 0 without one (O8.4) or demoralized (O11.1)."""
    if stack.commander < 0 or stack.demoralized:
        return 0
    return pos.leader(stack.commander).initiative


def allowance(pos: Position, die: int, force: Stack) -> int:
    """Movement points: die and initiative, 6 at the most (O5.2), in winter 1 less after that (O5.5)."""
    return min(MOST, die + initiative(pos, force)) - pos.is_winter


def enemy_in_field(pos: Position, here: Hex, side: int) -> Stack | None:
    """The field stack with SP that a force of `side` meets in a hex; a neutral's if it is violated there (O5.19)."""
    enemy = pos.stacks.get(field_key(here, 1 - side))
    if enemy is not None and enemy.sp:
        return enemy
    neutral = pos.stacks.get(field_key(here, NOBODY))
    if neutral is not None and neutral.sp and violated_by(pos, here) == neutral.nation:
        return neutral
    return None


def enemy_sp_at(pos: Position, here: Hex, side: int) -> bool:
    """Whether SP of the enemy, or of a neutral whom one would violate, are in a hex (O5.18)."""
    if enemy_in_field(pos, here, side) is not None:
        return True
    inside = pos.stacks.get(inside_key(here, 1 - side))
    if inside is not None and inside.sp:
        return True
    neutral = pos.stacks.get(inside_key(here, NOBODY))
    return neutral is not None and neutral.sp > 0 and violated_by(pos, here) == neutral.nation


def enemy_leaders_at(pos: Position, here: Hex, side: int) -> bool:
    """Whether enemy leaders without SP are in a hex, so that they roll when a force with SP enters (O5.10)."""
    for key in (field_key(here, 1 - side), inside_key(here, 1 - side)):
        stack = pos.stacks.get(key)
        if stack is not None and not stack.sp:
            return True
    return False


class Walk:
    """A force on its way, as far as a script has thought it out: where it is and what it has left."""

    __slots__ = ("allowance", "ended", "first", "force", "forced", "here", "pos", "sally", "side", "spent", "tether")

    def __init__(
        self, pos: Position, force: Stack, spent: int, points: int, *, first: bool, forced: bool, sally: bool
    ) -> None:
        self.pos = pos
        self.force = force
        self.side = force.side
        self.here = force.hex
        self.spent = spent
        self.allowance = points
        self.first = first
        self.forced = forced
        self.sally = sally
        self.tether: Hexes | None = None
        self.ended = False

    def cost(self, there: Hex) -> int:
        """Movement points to enter a neighbour (O5.3); zones count once (O5.16)."""
        return self.pos.data.board.steps[self.here][there] + in_zone(self.pos, there, self.side)

    def forbids(self, there: Hex) -> Refusal | None:
        """The rule that bars the next hex, or None."""
        pos, here = self.pos, self.here
        price = pos.data.board.steps[here].get(there)
        if price is None:
            return barrier(pos, here, there)
        if self.sally:
            return Refusal("O13.7", "a besieged garrison leaves the hex only by overwhelming the besieger", (), here)
        if self.force.demoralized and enemy_in_field(pos, there, self.side):
            return Refusal("O5.15", "a demoralized force may not enter a hex with an enemy field stack", (), there)
        if not self.force.sp and enemy_sp_at(pos, there, self.side):
            return Refusal("O5.18", "leaders without SP may not enter a hex with enemy SP", (), there)
        if self.tether is not None and not self.tether >> there & 1:
            return Refusal("O10.6", "a commander with initiative 0 may not leave supply", (), there)
        if self.spent + price + in_zone(pos, there, self.side) > self.allowance and not self.has_minimum:
            return self._too_dear(there)
        return None

    @property
    def has_minimum(self) -> bool:
        """Whether the force may go one hex, whatever it costs (O5.6)."""
        return self.first and self.allowance >= 1

    def _too_dear(self, there: Hex) -> Refusal:
        side = self.pos.data.board.side(self.here, there)
        marks = "".join(
            (
                ": river +1" if side.river else "",
                ": pass +1" if side.pass_ else "",
                ": enemy zone +1" if in_zone(self.pos, there, self.side) else "",
            )
        )
        left = max(0, self.allowance - self.spent)
        return Refusal("O5.3", "needs {} MP{}, has {}", (self.cost(there), marks, left), there)

    def enter(self, there: Hex) -> None:
        """The force is in the next hex; the leg ends where something intervenes."""
        cost = self.cost(there)
        if self.spent + cost > self.allowance:
            cost = self.allowance - self.spent  # O5.6: nothing is left for more
        self.spent += cost
        self.first = False
        self.here = there
        self.ended = interrupts(self.pos, there, self.side)

    def may_overwhelm(self, *, here: bool) -> Refusal | None:
        """The rule that forbids an overwhelming attack in the hex just entered, or where the march begins (O5.17)."""
        pos, price = self.pos, 1
        if self.forced:
            return Refusal("O6.1", "nobody overwhelms in a force march", (), self.here)
        if self.force.demoralized:
            return Refusal("O5.17", "a demoralized force does not overwhelm", (), self.here)
        if not self.force.sp or enemy_in_field(pos, self.here, self.side) is None:
            return Refusal("O5.9", "there is no enemy field stack to overwhelm", (), self.here)
        if self.spent + price > self.allowance:
            left = max(0, self.allowance - self.spent)
            return Refusal("O5.9", "an overwhelming attack needs 1 MP more, {} left", (left,), self.here)
        return None


def interrupts(pos: Position, there: Hex, side: int) -> bool:
    """Whether a leg ends in a hex: an enemy field stack (O5.8), lone leaders (O5.10), a violation (C3.3)."""
    return (
        enemy_in_field(pos, there, side) is not None
        or violated_by(pos, there) >= 0
        or enemy_leaders_at(pos, there, side)
    )


def barrier(pos: Position, here: Hex, there: Hex) -> Refusal:
    """Why a hex cannot be entered from another at all (O5.4)."""
    board = pos.data.board
    if there not in around(here):
        return Refusal("O5.13", "{} is not next to {}", (_name(there), hex_name(here)), there)
    if not board.in_play(there):
        what = "water" if board.terrain.get(there, "water") == "water" else "outside the theatre"
        return Refusal("O5.4", "{} is {}", (hex_name(there), what), there)
    what = "water" if board.side(here, there).water else "a ridge without a pass"
    return Refusal("O5.4", "{} lies between {} and {}", (what, hex_name(here), hex_name(there)), there)


def _name(there: Hex) -> str:
    return hex_name(there) if there >= 0 else "that"


def tether(pos: Position, force: Stack, *, was_supplied: bool) -> Hexes | None:
    """The hexes that a commander with initiative 0 may enter: those in supply, unless he set out of it (O10.6, O10.12).

    `pos` is the position without the force.
    """
    if not was_supplied or initiative(pos, force):
        return None
    power = force.nation if force.sp else pos.leader(force.commander).power
    return supply(pos, force.side)[path_length(pos, force.sp, power)]


def ask_path(walk: Walk, *, here_too: bool) -> Generator[Slot, Token, tuple[tuple[Hex, ...], bool]]:
    """Asks for a leg, hex by hex, and whether it ends in an overwhelming attack (O5.9).

    With `here_too` the attack may be where the march begins: the path is then that hex (O5.17).
    """
    path: list[Hex] = []
    start = walk.here
    while True:
        values = _next_hexes(walk, start, here_too and not path)
        if path:
            values.append(STOP)
        token = yield Slot("path", values, _why(walk, bool(path)), index=len(path), canon=_canon(path, values),
                           refused=lambda: around(walk.here), price=lambda there: _price(walk, there))  # fmt: skip
        if token == STOP:
            break
        path.append(int(token))
        if token == start and len(path) == 1:
            walk.ended = True
        else:
            walk.enter(int(token))
    overwhelm = yield _ask_overwhelm(walk, path == [start])
    return tuple(path), bool(overwhelm)


def _next_hexes(walk: Walk, start: Hex, here_too: bool) -> list[Token]:
    if walk.ended:
        return []
    values: list[Token] = [there for there in walk.pos.data.board.neighbours[walk.here] if walk.forbids(there) is None]
    if here_too and walk.may_overwhelm(here=True) is None:
        values.append(start)
    return values


def _canon(path: list[Hex], values: list[Token]) -> list[Token]:
    """Iteration goes hex by hex: a leg equals its hexes one by one."""
    return [STOP] if path else values


def _price(walk: Walk, there: Token) -> str:
    if there == STOP or there == walk.here:
        return ""
    cost = walk.cost(int(there))
    return f"{cost} MP, {max(0, walk.allowance - walk.spent - cost)} left"


def _why(walk: Walk, has_path: bool) -> Any:
    def refuse(token: Token) -> Refusal:
        if token == STOP:
            return Refusal("O5.13", "a march is at least one hex")
        if walk.ended:
            return Refusal("O5.8", "the leg ends at {}", (hex_name(walk.here),), walk.here)
        if token == walk.here and not has_path:
            return walk.may_overwhelm(here=True) or Refusal("O5.13", "a march is at least one hex")
        return walk.forbids(int(token)) or Refusal("O5.13", "the leg cannot go there")

    return refuse


def _ask_overwhelm(walk: Walk, in_place: bool) -> Slot:
    refusal = walk.may_overwhelm(here=in_place) if not in_place else None
    values = (1,) if in_place else (0,) if refusal else (0, 1)
    return Slot("overwhelm", values, lambda token: refusal or Refusal("O5.17", "the attack must be declared"))


class MarchPhase(Decision, frozen=True, gc=False, tag="march-phase"):
    """The phasing side marches its forces one after another (O5.13)."""

    RULE: ClassVar[str] = "O5.13"
    NAME: ClassVar[str] = "March"
    side: int
    die: int = 0

    def actors(self, pos: Position) -> tuple[int, ...]:
        """The side, once the die is cast (O5.2)."""
        return (self.side,) if self.die or pos.options.march_die == "force" else ()

    def step(self, draft: Draft) -> None:
        """One die for the whole phase (O5.2)."""
        draft.push(MarchDie(self.side))

    def script(self, pos: Position, actor: int) -> Script[Any]:
        """A march, a change between field and fortress, or the end of the phase."""
        return phase_script(pos, self.side, self.die, forced=False)

    def answer(self, draft: Draft, actor: int, action: Any) -> None:
        """Carries it out."""
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Shift):
            shift(draft, self.side, action)
        else:
            set_out(draft, self.side, action, self.die)

    def prompt(self, pos: Position, actor: int) -> str:
        """What is asked."""
        return (
            f"March Phase, die {self.die}: march a force, or done" if self.die else "March Phase: name a force, or done"
        )


class MarchDie(DieRoll, frozen=True, gc=False, tag="march-die"):
    """The die of the March Phase (O5.2)."""

    RULE: ClassVar[str] = "O5.2"
    NAME: ClassVar[str] = "March die"
    side: int

    def rolled(self, draft: Draft, die: int) -> None:
        """It holds for every force of the phase."""
        draft.emit(Rolled(side=self.side, die=die))
        draft.swap(MarchPhase(self.side, die))


class ForceDie(DieRoll, frozen=True, gc=False, tag="force-die"):
    """A die for one force as it sets out (O5.2, option `march-die`)."""

    RULE: ClassVar[str] = "O5.2"
    NAME: ClassVar[str] = "March die of a force"
    side: int
    march: Marching

    def rolled(self, draft: Draft, die: int) -> None:
        """The force has its movement points."""
        force = draft.moving
        assert force is not None
        points = allowance(draft, die, force)
        draft.emit(Rolled(side=self.side, die=die, leader=force.commander, points=points))
        draft.push(msgspec.structs.replace(self.march, die=die))


def phase_script(pos: Position, side: int, die: int, *, forced: bool) -> Script[Any]:
    """What may be done in a March or Force March Phase."""
    marchers = available(pos, side, forced=forced)
    gates = fortress_changes(pos, side, forced=forced)
    kinds: list[Token] = ["done"]
    if marchers:
        kinds.append("march")
    if gates:
        kinds.append("shift")
    kind = yield Slot("do", kinds, _no_such_kind)
    if kind == "done":
        return Done()
    if kind == "shift":
        return (yield from shift_script(pos, side, gates, forced=forced))
    return (yield from march_script(pos, side, marchers, die, forced=forced))


def _no_such_kind(token: Token) -> Refusal:
    if token == "march":
        return Refusal("O5.13", "no leader is left who could march")
    if token == "shift":
        return Refusal("O5.20", "nobody may go inside or come out now")
    return Refusal("O4.2", "this is not the phase for «{}»", (token,))


def available(pos: Position, side: int, *, forced: bool) -> list[int]:
    """The leaders who may still set out, in the order of the data."""
    spent, limit = pos.spent, 1 if forced else MOST
    found: list[int] = []
    for stack in pos.stacks.values():
        if stack.side == side and stack.leaders and not stack.quartered:  # O14.1
            if forced and stack.inside and is_besieged(pos, stack.hex, side):  # O13.7
                continue
            found.extend(leader for leader in stack.leaders if spent.get(leader, 0) < limit)
    found.sort()
    return found


def _why_not_available(pos: Position, side: int, token: Token) -> Refusal:
    if not isinstance(token, int) or not 0 <= token < len(pos.data.leaders):
        return Refusal("O2.2", "there is no such leader")
    name, stack = pos.leader(token).name, locate(pos, token)
    if stack is None or stack.side != side:
        return Refusal("O2.5", "{} commands nothing of yours on the map", (name,))
    if stack.quartered:
        return Refusal("O14.1", "{} is in winter quarters", (name,), stack.hex)
    if token in pos.spent:
        return Refusal("O5.13", "{} has no movement points left in this phase", (name,), stack.hex)
    return Refusal("O13.7", "{} is besieged", (name,), stack.hex)


def march_script(pos: Position, side: int, marchers: list[int], die: int, *, forced: bool) -> Script[March]:
    """Who marches, with whom and how many SP (O5.15), and the first leg; where a die is still to come, no leg yet."""
    leader = int((yield Slot("leader", marchers, lambda token: _why_not_available(pos, side, token))))
    stack = locate(pos, leader)
    assert stack is not None
    pool = [n for n in stack.leaders if n != leader and n in marchers]
    companions = yield from ask_leaders(pos, stack, pool, field="companions", whole=stack.demoralized)
    leaders = (leader, *companions)
    sp = yield from ask_sp(pos, stack, stack.sp - stack.marched, leaders, whole=stack.demoralized)
    if forced or not die:
        return March(leader, companions, sp)
    walk = _walk_from(pos, stack, leaders, sp, die, forced=forced)
    path, overwhelm = yield from ask_path(walk, here_too=True)
    return March(leader, companions, sp, path, overwhelm)


def _walk_from(pos: Position, stack: Stack, leaders: tuple[int, ...], sp: Bag, die: int, *, forced: bool) -> Walk:
    force = make_stack(pos, stack.hex, stack.side, stack.inside, sp, leaders, stack)
    used = max(pos.spent.get(leader, 0) for leader in leaders)
    sally = stack.inside and is_besieged(pos, stack.hex, stack.side)
    walk = Walk(pos, force, used, allowance(pos, die, force), first=not used, forced=forced, sally=sally)
    if not initiative(pos, force) and is_supplied(pos, stack):
        apart = Draft(pos)
        detach(apart, stack, leaders, sp)
        walk.tether = tether(apart, force, was_supplied=True)
    return walk


class Marching(Decision, frozen=True, gc=False, tag="marching"):
    """A march stays open for more legs, dropping and picking up (O5.7), until its owner ends it or it is stopped."""

    RULE: ClassVar[str] = "O5.7"
    NAME: ClassVar[str] = "March of a force"
    side: int
    die: int
    spent: int
    first: bool
    forced: bool
    supplied: bool
    """Whether the force set out in supply (O10.12)."""
    sally: bool = False
    stopped: bool = False
    violated: tuple[int, ...] = ()

    def actors(self, pos: Position) -> tuple[int, ...]:
        """The owner, unless the march ends by itself: stopped, or no MP left and nowhere to go inside."""
        force = pos.moving
        assert force is not None
        if not force.leaders or self.stopped:
            return ()
        over = self.spent >= allowance(pos, self.die, force) and not self.first
        return () if over and pos.owners.get(force.hex) != self.side else (self.side,)

    def step(self, draft: Draft) -> None:
        """The march ends where it is."""
        halt(draft, self, inside=False)

    def script(self, pos: Position, actor: int) -> Script[Any]:
        """Another leg, a halt, dropping or picking up."""
        return marching_script(pos, self)

    def answer(self, draft: Draft, actor: int, action: Any) -> None:
        """Carries it out."""
        if isinstance(action, Halt):
            halt(draft, self, inside=action.inside)
        elif isinstance(action, Go):
            walk_leg(draft, self, action.path, action.overwhelm)
        elif isinstance(action, Drop):
            drop(draft, self, action)
        else:
            take(draft, self, action)

    def prompt(self, pos: Position, actor: int) -> str:
        """What is asked."""
        force = pos.moving
        assert force is not None
        left = max(0, allowance(pos, self.die, force) - self.spent)
        return f"{pos.leader(force.commander).name} at {hex_name(force.hex)}, {left} MP left: go, drop, take or halt"


def marching_script(pos: Position, march: Marching) -> Script[Any]:
    """What an open march may do."""
    force = pos.moving
    assert force is not None
    walk = Walk(
        pos, force, march.spent, allowance(pos, march.die, force),
        first=march.first, forced=march.forced, sally=march.sally,
    )  # fmt: skip
    walk.tether = tether(pos, force, was_supplied=march.supplied)
    kind = yield Slot("do", _march_kinds(pos, march, walk), lambda token: _not_in_march(pos, march, token))
    if kind == "go":
        path, overwhelm = yield from ask_path(walk, here_too=False)
        return Go(path, overwhelm)
    if kind == "halt":
        inside = yield _ask_inside(pos, force.hex, march.side)
        return Halt(bool(inside))
    if kind == "drop":
        return (yield from drop_script(pos, force))
    return (yield from take_script(pos, march, force))


def _march_kinds(pos: Position, march: Marching, walk: Walk) -> list[Token]:
    force = walk.force
    kinds: list[Token] = ["halt"]
    if walk.spent < walk.allowance or walk.has_minimum:
        kinds.append("go")
    if not force.demoralized and len(force.leaders) + force.strength > 1 and not march.sally:  # O5.15
        kinds.append("drop")
    if any(fresh_here(pos, march, inside) for inside in (False, True)):
        kinds.append("take")
    return kinds


def _not_in_march(pos: Position, march: Marching, token: Token) -> Refusal:
    if token == "drop":
        return Refusal("O5.15", "nothing can be dropped by this force")
    if token == "take":
        return Refusal("O5.7", "nobody is here who could be picked up")
    if token == "go":
        return Refusal("O5.13", "its movement points are spent")
    return Refusal("O5.13", "a march is in progress: «{}» must wait until it halts", (token,))


def _ask_inside(pos: Position, here: Hex, side: int) -> Slot:
    """Whether to end inside: only in a friendly fortress (O5.11)."""
    values = (0, 1) if pos.owners.get(here) == side else (0,)
    return Slot("inside", values, lambda token: Refusal("O5.11", "there is no friendly fortress here", (), here))


def drop_script(pos: Position, force: Stack) -> Script[Drop]:
    """Leaves part of the force behind, in the field or inside; at least one leader goes on (O5.7, O5.14)."""
    inside = yield _ask_inside(pos, force.hex, force.side)
    pool = _droppable(pos, force)
    leaders = yield from ask_leaders(pos, force, pool, field="leaders", whole=False, some=not force.sp)
    rest = [number for number in force.leaders if number not in leaders]
    if not rest:
        yield Slot("leaders", (), lambda _: Refusal("O5.1", "a leader must go on with the march"), index=len(leaders))
    sp = yield from ask_sp(pos, force, force.sp, None, some=not leaders)
    return Drop(bool(inside), leaders, sp)


def _droppable(pos: Position, force: Stack) -> list[int]:
    return list(force.leaders) if len(force.leaders) > 1 else []


def fresh_here(pos: Position, march: Marching, inside: bool) -> Stack | None:
    """A friendly stack here of which somebody may be picked up (O5.7, O5.14)."""
    force = pos.moving
    assert force is not None
    stack = pos.stacks.get(force.hex << 3 | march.side << 1 | inside)
    if stack is None or stack.quartered or (inside and is_besieged(pos, force.hex, march.side)):
        return None
    return stack if stack.sp != stack.marched or fresh_leaders(pos, stack, march) else None


def fresh_leaders(pos: Position, stack: Stack, march: Marching) -> list[int]:
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


def set_out(draft: Draft, side: int, action: March, die: int, *, forced: bool = False) -> None:
    """A force leaves its stack and goes its first leg, or waits for its die."""
    stack = locate(draft, action.leader)
    assert stack is not None
    leaders = (action.leader, *action.companions)
    used = max(draft.spent.get(leader, 0) for leader in leaders)
    sally = stack.inside and is_besieged(draft, stack.hex, side)
    march = Marching(side, die, used, not used, forced, is_supplied(draft, stack), sally)
    divided = action.sp != stack.sp or len(leaders) != len(stack.leaders)
    draft.moving = msgspec.structs.replace(detach(draft, stack, leaders, action.sp), inside=False, marched=0)
    draft.learn(1 - side, WATCHER)  # what leaves and what stays is seen
    if divided and not action.sp:
        draft.learn(1 - side, WATCHER)
    if forced or not die:
        draft.push(march_die(side, march, forced=forced))
        return
    draft.push(march)
    walk_leg(draft, march, action.path, action.overwhelm)


def march_die(side: int, march: Marching, *, forced: bool) -> Decision:
    """The die of a single force: of a force march (O6.1), or by the option `march-die`."""
    from leuthen.frederick.rules.force_march import ForceMarchDie

    return ForceMarchDie(side, march) if forced else ForceDie(side, march)


def walk_leg(draft: Draft, march: Marching, path: tuple[Hex, ...], overwhelm: bool) -> None:
    """A leg, hex by hex (O5.13); `march` is the innermost decision."""
    force = draft.moving
    assert force is not None
    start, leader, companions, sp = force.hex, force.commander, force.leaders, force.sp
    before = march.spent
    if path != (start,):
        for there in path:
            march = enter(draft, march, there)
    if overwhelm:
        march = msgspec.structs.replace(march, spent=march.spent + 1)  # O5.9
    draft.swap(march)
    others = tuple(number for number in companions if number != leader)
    draft.emit(
        Marched(
            side=march.side,
            leader=leader,
            companions=others,
            sp=sp,
            start=start,
            path=path,
            points=march.spent - before,
        )  # fmt: skip
    )
    draft.learn(1 - march.side, WATCHER)
    if overwhelm:
        attack_overwhelming(draft, march)
    settle(draft)


def enter(draft: Draft, march: Marching, there: Hex) -> Marching:
    """The marching force enters a hex: violation first (C3.3), then the enemy in it (O5.8)."""
    force = draft.moving
    assert force is not None
    points = allowance(draft, march.die, force)
    cost = draft.data.board.steps[force.hex][there] + in_zone(draft, there, march.side)
    spent = min(march.spent + cost, max(points, march.spent))
    neutral = violated_by(draft, there)
    draft.touched.add(force.hex)
    draft.moving = msgspec.structs.replace(force, hex=there)
    violated = march.violated
    if neutral >= 0:
        violate(draft, neutral, march.side, there)
        violated = (*violated, neutral)
    draft.touched.add(there)
    stopped = enemy_in_field(draft, there, march.side) is not None
    return msgspec.structs.replace(march, spent=spent, first=False, violated=violated, stopped=stopped)


def attack_overwhelming(draft: Draft, march: Marching) -> None:
    """Strengths are shown; at four to one the enemy in the field lays down his arms, else the force stops (O5.17)."""
    force = draft.moving
    assert force is not None
    enemy = enemy_in_field(draft, force.hex, march.side)
    assert enemy is not None
    success = force.strength >= 4 * enemy.strength  # O5.9
    draft.emit(
        Overwhelmed(side=march.side, hex=force.hex, force=force.strength, against=enemy.strength, success=success)
    )
    draft.learn(0, 1, WATCHER)  # O3.2
    draft.moving = shown(draft, force)
    if success:
        overwhelm(draft, enemy)
        draft.swap(msgspec.structs.replace(march, stopped=False, sally=False))
        return
    draft.put(shown(draft, enemy))
    draft.bound |= {force.hex}
    draft.swap(msgspec.structs.replace(march, stopped=True))


def shown(pos: Position, stack: Stack) -> Stack:
    """The stack, its strength now known to the other side (O3.2, O3.3)."""
    return msgspec.structs.replace(stack, low=stack.strength, high=stack.strength, since=pos.now)


def overwhelm(draft: Draft, enemy: Stack) -> None:
    """The SP become prisoners, leaders are captured, depots are lost (O5.9)."""
    from leuthen.frederick.rules.depots import lose_depot

    draft.remove(enemy)
    imprison(draft, enemy)
    lose_depot(draft, enemy.hex, enemy.side)


def halt(draft: Draft, march: Marching, *, inside: bool) -> None:
    """The march ends: its SP are done, and whom an enemy stopped as well (O5.13); then neutrals react (C5.7)."""
    force = draft.moving
    assert force is not None
    draft.moving = None
    draft.pop()
    done = march.stopped or march.forced or march.sally
    spent = DONE if done else march.spent
    draft.spent = {**draft.spent, **dict.fromkeys(force.leaders, max(spent, 1))}
    if force.sp or force.leaders:
        join_stack(draft, msgspec.structs.replace(force, inside=inside), spent=True)
        draft.emit(Halted(side=march.side, leader=force.commander, hex=force.hex, inside=inside))
    draft.learn(1 - march.side, WATCHER)
    if draft.year > 1756:  # C3.4
        for _ in march.violated:
            draft.push(Reaction(march.side))


def drop(draft: Draft, march: Marching, action: Drop) -> None:
    """Leaders and SP stay here; what the force has used counts for them (O5.7)."""
    force = draft.moving
    assert force is not None
    rest = tuple(number for number in force.leaders if number not in action.leaders)
    left = make_stack(draft, force.hex, force.side, action.inside, action.sp, action.leaders, force)
    band = (force.low, force.high, force.since) if not action.sp else (1, 999, 0)
    draft.moving = changed(draft, force, force.sp - action.sp, rest, band)
    draft.spent = {**draft.spent, **dict.fromkeys(action.leaders, max(1, march.spent))}
    join_stack(draft, left, spent=True)
    _regrouped(draft, march, "leaves", action.inside, action.leaders, action.sp)


def take(draft: Draft, march: Marching, action: Take) -> None:
    """Leaders and fresh SP join; the force has spent as much as whoever of it spent most (O5.14)."""
    force = draft.moving
    assert force is not None
    stack = draft.stacks[force.hex << 3 | march.side << 1 | action.inside]
    comers = detach(draft, stack, action.leaders, action.sp)
    demoralized = force.demoralized or comers.demoralized
    like = msgspec.structs.replace(force, demoralized=demoralized, hungry=max(force.hungry, comers.hungry))
    band = (force.low, force.high, force.since) if not action.sp else (1, 999, 0)
    leaders = (*force.leaders, *action.leaders)
    draft.moving = make_stack(draft, force.hex, force.side, False, force.sp + action.sp, leaders, like, band)
    used = max([march.spent, *(draft.spent.get(number, 0) for number in action.leaders)])
    draft.swap(msgspec.structs.replace(march, spent=used, first=march.first and not used))
    _regrouped(draft, march, "picks up", action.inside, action.leaders, action.sp)


def _regrouped(draft: Draft, march: Marching, how: str, inside: bool, leaders: tuple[int, ...], sp: Bag) -> None:
    force = draft.moving
    assert force is not None
    draft.emit(Regrouped(side=march.side, how=how, hex=force.hex, inside=inside, leaders=leaders, sp=sp))
    draft.learn(1 - march.side, WATCHER)
    settle(draft)


def fortress_changes(pos: Position, side: int, *, forced: bool) -> list[tuple[Hex, bool]]:
    """Where somebody may go in (True) or come out (False) without a march (O5.11, O5.20)."""
    found: list[tuple[Hex, bool]] = []
    owners, shifted = pos.owners, pos.shifted
    for key, stack in pos.stacks.items():
        here = key >> 3
        if stack.side != side or owners.get(here) != side or here in shifted or stack.quartered:
            continue
        if _may_change(pos, stack, forced=forced):
            found.append((here, not stack.inside))
    found.sort()
    return found


def _may_change(pos: Position, stack: Stack, *, forced: bool) -> bool:
    """Not at a besieged fortress (O5.11), save for a sally in the own March Phase (O13.7)."""
    if is_besieged(pos, stack.hex, stack.side) and (forced or not stack.inside):
        return False
    return bool(_changing_sp(pos, stack) or _changing_leaders(pos, stack))


def _changing_sp(pos: Position, stack: Stack) -> Bag:
    """Who entered a hex with an enemy field stack in this phase cannot go inside in it (O5.20)."""
    entered = not stack.inside and enemy_in_field(pos, stack.hex, stack.side) is not None
    return stack.sp - stack.marched if entered else stack.sp


def _changing_leaders(pos: Position, stack: Stack) -> list[int]:
    entered = not stack.inside and enemy_in_field(pos, stack.hex, stack.side) is not None
    return [number for number in stack.leaders if not entered or pos.spent.get(number, 0) < DONE]


def shift_script(pos: Position, side: int, gates: list[tuple[Hex, bool]], *, forced: bool) -> Script[Shift]:
    """Who goes inside or comes out (O5.20); a demoralized stack goes whole."""
    places = list(dict.fromkeys(here for here, _ in gates))
    here = int((yield Slot("hex", places, lambda token: _no_gate(pos, side, token))))
    ways = [int(inside) for there, inside in gates if there == here]
    inside = int((yield Slot("inside", ways, lambda token: Refusal("O5.20", "nobody there may do that", (), here))))
    stack = pos.stacks[here << 3 | side << 1 | (not inside)]
    pool, whole = _changing_leaders(pos, stack), stack.demoralized
    leaders = yield from ask_leaders(pos, stack, pool, field="leaders", whole=whole, some=not stack.sp)
    sp = yield from ask_sp(pos, stack, _changing_sp(pos, stack), None, whole=whole, some=not leaders)
    if not leaders and not sp:
        yield Slot("sp", (), lambda _: Refusal("O5.20", "nobody moves"), index=stack.nation)
    return Shift(here, bool(inside), leaders, sp)


def _no_gate(pos: Position, side: int, token: Token) -> Refusal:
    here = int(token) if isinstance(token, int) else -1
    if pos.owners.get(here) != side:
        return Refusal("O5.11", "there is no friendly fortress", (), here)
    if here in pos.shifted:
        return Refusal("O5.20", "somebody went in or out there in this phase already", (), here)
    if is_besieged(pos, here, side):
        return Refusal("O5.11", "the fortress is besieged", (), here)
    return Refusal("O5.20", "nobody there may go in or out", (), here)


def shift(draft: Draft, side: int, action: Shift) -> None:
    """The change itself; who sallies from a besieged fortress is done for the phase (O13.7)."""
    stack = draft.stacks[action.hex << 3 | side << 1 | (not action.inside)]
    sally = stack.inside and is_besieged(draft, action.hex, side)
    marched = stack.marched
    part = detach(draft, stack, action.leaders, action.sp)
    part = msgspec.structs.replace(part, inside=action.inside)
    if marched:
        part = msgspec.structs.replace(part, marched=_marched_part(stack, action.sp))
    join_stack(draft, part, spent=sally)
    if sally:
        draft.spent = {**draft.spent, **dict.fromkeys(action.leaders, DONE)}
    draft.shifted |= {action.hex}
    how = "goes" if action.inside else "comes out:"
    draft.emit(
        Regrouped(side=side, how=how, hex=action.hex, inside=action.inside, leaders=action.leaders, sp=action.sp)
    )
    draft.learn(1 - side, WATCHER)
    settle(draft)


def _marched_part(stack: Stack, sp: Bag) -> Bag:
    """Of the SP that change, as few as possible are taken to have marched."""
    from leuthen.core.strength import bag, of, powers

    fresh = stack.sp - stack.marched
    return sum(bag(power, max(0, of(sp, power) - of(fresh, power))) for power in powers(sp))
