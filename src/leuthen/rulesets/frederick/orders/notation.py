"""One readable line for each action, and back: `march Frederick Keith +12 1821-1720-1623`.

A line begins with the action's word. Leaders stand by name, hexes as RRCC or (when read) by town, `+12` are SP of the
force's own power, `+3 Hanover` those of another, `+all` (when read) all that may go along. A path begins with the hex
where it starts; what is missing between two of its hexes is filled in (when read). `!` declares an overwhelming attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.stacks import locate
from leuthen.rulesets.frederick.model.state import SIDES, Position
from leuthen.rulesets.frederick.orders.words import ALL, BANG, FROM, INSIDE, OUT, Line, Reader
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.line_reader import begin
from leuthen.wargame.strength import EMPTY, Bag, of, powers


class Writer(Line):
    """Writes actions."""

    def sp(self, sp: Bag, own: int) -> list[str]:
        """SP: those of `own` as they are, others with their power."""
        words = [f"+{of(sp, own)}"] if of(sp, own) else []
        return words + [f"+{of(sp, power)} {self.data.powers[power].name}" for power in powers(sp) if power != own]

    def leaders(self, numbers: Iterable[int]) -> list[str]:
        """Leaders by name."""
        return [self.data.leaders[number].name for number in numbers]

    def force(self, action: Any, own: int) -> list[str]:
        """The SP and the leaders of an action."""
        return [*self.sp(action.sp, own), *self.leaders(action.leaders)]

    def leg(self, action: Any, start: Hex | None) -> list[str]:
        """A path with its first hex, and whether it ends in an overwhelming attack."""
        path = action.path
        if path and start is not None and path != (start,):
            path = (start, *path)
        words = ["-".join(map(hex_name, path))] if path else []
        return [*words, BANG] if action.overwhelm else words

    def place(self, key: int) -> list[str]:
        """Where a stack stands."""
        return [hex_name(key >> 3), *_inside(bool(key & 1))]


def _inside(inside: bool) -> list[str]:
    return [INSIDE] if inside else []


def _march(to: Writer, action: do.March) -> list[str]:
    stack = locate(to.pos, action.leader)
    start = stack.hex if stack is not None else None
    who = [*to.leaders((action.leader, *action.companions)), *to.sp(action.sp, to.power_of(action.leader))]
    return who + to.leg(action, start)


def _go(to: Writer, action: do.Go) -> list[str]:
    return to.leg(action, to.pos.moving.hex if to.pos.moving is not None else None)


def _drop(to: Writer, action: do.Drop | do.Take) -> list[str]:
    return [*_inside(action.inside), *to.force(action, to.own_power)]


def _shift(to: Writer, action: do.Shift) -> list[str]:
    own = to.source_power(to.source(action.hex, not action.inside))
    return [hex_name(action.hex), INSIDE if action.inside else OUT, *to.force(action, own)]


def _garrison(to: Writer, action: do.Garrison) -> list[str]:
    return to.force(action, to.major)


def _follow(to: Writer, action: do.Follow) -> list[str]:
    return [*to.leaders(action.leaders), *to.sp(action.sp, to.major)]


def _place(to: Writer, action: do.Place) -> list[str]:
    start = [FROM, *to.place(action.start)] if action.start >= 0 else []
    where = [to.data.powers[action.power].name, hex_name(action.hex), *_inside(action.inside)]
    return [*where, *to.force(action, action.power), *start]


def _lose(to: Writer, action: do.Lose) -> list[str]:
    return [to.data.powers[action.power].name, str(action.points), *to.place(action.start)]


def _free(to: Writer, action: do.Free) -> list[str]:
    if action.leader >= 0:
        return [*to.leaders((action.leader,)), hex_name(action.hex)]
    return [to.data.powers[action.power].name, str(action.points), hex_name(action.hex)]


def _envoys(to: Writer, action: do.Envoys) -> list[str]:
    named = zip(MINORS, action.points, strict=True)
    return [f"{to.data.powers[power].name} {points}" for power, points in named if points]


def _hex(to: Writer, action: Any) -> list[str]:
    return [hex_name(action.hex), *_inside(getattr(action, "inside", False))]


def _where(to: Writer, action: do.Halt | do.Shelter) -> list[str]:
    return _inside(action.inside)


def _leader(to: Writer, action: do.Sack | do.Offer | do.Draw) -> list[str]:
    return to.leaders((action.leader,))


def _points(to: Writer, action: do.Raise) -> list[str]:
    return [str(action.points)]


def _die(to: Writer, action: do.Roll) -> list[str]:
    return [str(action.die)]


_WRITERS: Final[Mapping[type[Action], Callable[[Writer, Any], list[str]]]] = {
    do.March: _march,
    do.Go: _go,
    do.Drop: _drop,
    do.Take: _drop,
    do.Halt: _where,
    do.Shift: _shift,
    do.Garrison: _garrison,
    do.Shelter: _where,
    do.Follow: _follow,
    do.Place: _place,
    do.Lose: _lose,
    do.Free: _free,
    do.Envoys: _envoys,
    do.Sack: _leader,
    do.Offer: _leader,
    do.Draw: _leader,
    do.Raise: _points,
    do.Roll: _die,
    **dict.fromkeys((do.Quarter, do.Build, do.Remove, do.Attack, do.Besiege, do.Retreat, do.Refuge), _hex),
    do.PlaceDepot: _hex,
    **dict.fromkeys((do.Done, do.Seal, do.Reopen, do.Clear), lambda to, action: []),
}


def format_action(data: GameData, pos: Position, actor: int, action: Action) -> str:
    """The line of an action, which `parse_action` reads back in the same position."""
    return " ".join([action.do, *_WRITERS[type(action)](Writer(data, pos, actor), action)])


def _read_march(line: Reader) -> do.March:
    leader = line.leader()
    stack = locate(line.pos, leader)
    companions, counts = line.force(stack.leaders if stack is not None else (), own=line.power_of(leader))
    fresh = stack.sp - stack.marched if stack is not None else EMPTY
    sp = line.strength(counts, line.power_of(leader), line.led(fresh, (leader, *companions)))
    path, overwhelm = line.leg(stack.hex if stack is not None else None)
    return do.March(leader, tuple(sorted(companions)), sp, path, overwhelm)


def _read_go(line: Reader) -> do.Go:
    force = line.pos.moving
    path, overwhelm = line.leg(force.hex if force is not None else None)
    if not path:
        raise Invalid("go where? a path is missing at the end of the line")
    return do.Go(path, overwhelm)


def _read_drop(line: Reader) -> do.Drop:
    inside = line.has(INSIDE)
    force = line.pos.moving
    leaders, counts = line.force(force.leaders if force is not None else None)
    sp = line.strength(counts, line.own_power, force.sp if force is not None else EMPTY)
    return do.Drop(inside, tuple(sorted(leaders)), sp)


def _read_take(line: Reader) -> do.Take:
    inside = line.has(INSIDE)
    force = line.pos.moving
    stack = line.source(force.hex, inside) if force is not None else None
    leaders, counts = line.force(stack.leaders if stack is not None else None)
    fresh = stack.sp - stack.marched if stack is not None else EMPTY
    led = line.led(fresh, (*leaders, *(force.leaders if force is not None else ())))
    return do.Take(inside, tuple(sorted(leaders)), line.strength(counts, line.own_power, led))


def _read_shift(line: Reader) -> do.Shift:
    here = line.hex()
    inside = line.has(INSIDE)
    if not inside and not line.has(OUT):
        raise Invalid(f"«{line.next('«inside» or «out»')}»: «inside» or «out» is expected after the hex")
    stack = line.source(here, not inside)
    leaders, counts = line.force(stack.leaders if stack is not None else None)
    sp = line.strength(counts, line.source_power(stack), stack.sp if stack is not None else EMPTY)
    return do.Shift(here, inside, tuple(sorted(leaders)), sp)


def _read_garrison(line: Reader) -> do.Garrison:
    leaders, counts = line.force()
    return do.Garrison(tuple(sorted(leaders)), line.strength(counts, line.major, _sp_at_hand(line)))


def _read_follow(line: Reader) -> do.Follow:
    leaders, counts = line.force()
    most = line.led(_sp_at_hand(line), leaders)
    return do.Follow(tuple(sorted(leaders)), line.strength(counts, line.major, most))


def _sp_at_hand(line: Reader) -> Bag:
    """The SP of the actor's field stack in the hex of the decision in progress."""
    frames = line.pos.frames
    here = getattr(frames[-1], "hex", None) if frames else None
    stack = line.source(here, False) if here is not None else None
    return stack.sp if stack is not None else EMPTY


def _read_place(line: Reader) -> do.Place:
    power = line.power()
    here = line.hex()
    inside = line.has(INSIDE)
    likely = [n for n, leader in enumerate(line.data.leaders) if leader.power == power]
    leaders, counts = line.force(likely)
    start = line.key(line.hex(), line.has(INSIDE)) if line.has(FROM) else -1
    stack = line.pos.stacks.get(start)
    most = stack.sp if stack is not None else line.pos.waiting
    sp = line.strength({power if p == ALL else p: n for p, n in counts.items()}, power, most)
    return do.Place(power, here, inside, tuple(sorted(leaders)), sp, start)


def _read_lose(line: Reader) -> do.Lose:
    power = line.power()
    points = line.number("a number of SP")
    return do.Lose(line.key(line.hex(), line.has(INSIDE)), power, points)


def _read_free(line: Reader) -> do.Free:
    held = line.pos.captives[1 - line.actor] if line.actor in SIDES else ()
    leader = None if line.words and line.book.powers.exact(line.words[0]) else line.maybe_leader(held)
    if leader is not None:
        return do.Free(line.power_of(leader), 0, line.hex(), leader)
    power = line.power()
    return do.Free(power, line.number("a number of SP"), line.hex())


def _read_envoys(line: Reader) -> do.Envoys:
    points = dict.fromkeys(MINORS, 0)
    while line.words:
        power = line.power()
        if power not in points:
            raise Invalid(f"{line.data.powers[power].name} takes no envoys")
        points[power] = line.number("a number of Diplomacy Points")
    return do.Envoys(tuple(points.values()))


_READERS: Final[Mapping[str, Callable[[Reader], Action]]] = {
    "march": _read_march,
    "go": _read_go,
    "drop": _read_drop,
    "take": _read_take,
    "halt": lambda line: do.Halt(line.has(INSIDE)),
    "shift": _read_shift,
    "attack": lambda line: do.Attack(line.hex()),
    "besiege": lambda line: do.Besiege(line.hex()),
    "garrison": _read_garrison,
    "build": lambda line: do.Build(line.hex()),
    "remove": lambda line: do.Remove(line.hex()),
    "quarter": lambda line: do.Quarter(line.hex(), line.has(INSIDE)),
    "retreat": lambda line: do.Retreat(line.hex()),
    "shelter": lambda line: do.Shelter(line.has(INSIDE)),
    "follow": _read_follow,
    "refuge": lambda line: do.Refuge(line.hex(), line.has(INSIDE)),
    "place": _read_place,
    "depot-at": lambda line: do.PlaceDepot(line.hex()),
    "seal": lambda line: do.Seal(),
    "reopen": lambda line: do.Reopen(),
    "clear": lambda line: do.Clear(),
    "envoys": _read_envoys,
    "raise": lambda line: do.Raise(line.number("a number of Resource Points")),
    "lose": _read_lose,
    "sack": lambda line: do.Sack(line.leader()),
    "free": _read_free,
    "offer": lambda line: do.Offer(line.leader(line.captives())),
    "done": lambda line: do.Done(),
    "roll": lambda line: do.Roll(line.number("the die")),
    "draw": lambda line: do.Draw(line.leader(())),
}
WORDS: Final = tuple(_READERS)
"""The words with which a line begins."""


def parse_action(data: GameData, pos: Position, actor: int, text: str) -> Action:
    """The action of a line. Raises Invalid or Ambiguous, naming the word; whether it is legal is not asked."""
    read, words = begin(text, _READERS)
    line = Reader(data, pos, actor, words)
    action = read(line)
    line.end()
    return action
