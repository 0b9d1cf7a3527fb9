"""The forms of orders, with their questions, words and summaries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from leuthen.engine.choice import STOP, Action, ByKind, Slot, Token
from leuthen.engine.refusal import Refusal
from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.frederick.knowledge import AT_LEAST, complete_view, make_view
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.pieces import Depot, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position, State
from leuthen.rulesets.frederick.orders import GRAMMAR
from leuthen.rulesets.frederick.rules.c02_setup import Deployment, plan_of
from leuthen.rulesets.frederick.rules.c05_council import POINTS, new_sp
from leuthen.rulesets.frederick.rules.o05_forces import MOST, Walk, enemy_in_field, enemy_leaders_at, initiative
from leuthen.rulesets.frederick.rules.o05_march import Marching, MarchPhase, walk_from
from leuthen.rulesets.frederick.rules.o10_supply import MOST_DEPOTS, is_supplied, supply, violated_by
from leuthen.rulesets.frederick.screen.layers import ForceLeg
from leuthen.screen.forces import KnownForce
from leuthen.screen.forms import HALT, INSIDE, FormWords, Leg, OrderFormBuilder, first_available
from leuthen.screen.values import Choice
from leuthen.wargame.board import NOWHERE, Hex, StackKey, as_hex, hex_name, key_hex, key_inside, key_side, stack_key
from leuthen.wargame.grammar import kinds_of
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, as_leader, as_power, bag, largest, of, powers

WORDS: Final[Mapping[str, str]] = {
    "done": "End this decision",
    "march": "March a force",
    "go": "March on",
    "halt": "End this march",
    "drop": "Leave leaders or SP here",
    "take": "Pick up leaders or SP",
    "shift": "Go inside or come out",
    "attack": "Declare an attack",
    "besiege": "Roll for a siege",
    "garrison": "Put a garrison inside",
    "build": "Begin a depot",
    "remove": "Remove a depot",
    "quarter": "Send a stack into winter quarters",
    "retreat": "Retreat to the next hex",
    "shelter": "End the retreat",
    "follow": "Follow the enemy",
    "refuge": "Choose the destination",
    "place": "Place a force",
    "depot-at": "Place the depot",
    "seal": "Seal the deployment",
    "reopen": "Reopen the sealed choice",
    "clear": "Take everything back",
    "envoys": "Send envoys",
    "raise": "Raise new forces",
    "lose": "Take SP off the map",
    "sack": "Dismiss a leader",
    "free": "Bring back freed SP",
    "offer": "Offer a captive leader",
    "inside 0": "in the field",
    "inside 1": "inside the fortress",
    "overwhelm 0": "an ordinary march",
    "overwhelm 1": "overwhelm the enemy there",
}
"""Labels of actions and flags."""

SPECIAL: Final[Mapping[tuple[str, str], str]] = {
    ("march-phase", "done"): "End the March Phase",
    ("force-march-phase", "done"): "End the Force March Phase",
    ("force-march-phase", "march"): "Try a force march",
    ("depot-phase", "done"): "End the Depot Phase",
    ("combat-phase", "done"): "End the declarations",
    ("siege-phase", "done"): "End the Siege Phase",
    ("reinforcement-phase", "done"): "End winter quarters",
    ("routed", "done"): "Retreat (roll for distance)",
    ("routed", "shelter"): "Go inside the fortress",
    ("pursuit", "done"): "Do not follow",
    ("occupation", "done"): "Leave the fortress empty",
    ("redeploying", "done"): "End the re-deployment",
    ("redeploying", "place"): "Re-deploy a force",
    ("reinforcing", "done"): "End (nothing more can be placed)",
    ("reinforcing", "place"): "Place new forces",
    ("losses", "done"): "End (no SP left to lose)",
    ("leader-return", "free"): "Bring back a freed leader",
    ("departure", "refuge"): "Send the garrison away",
    ("refuge", "refuge"): "Send the leader to a stack",
    ("shift", "inside 0"): "come out into the field",
    ("shift", "inside 1"): "go inside the fortress",
}
"""Labels that differ in a decision or for a kind of action."""

ASKED: Final[Mapping[str, str]] = {
    "do": "Action",
    "leader": "Commander",
    "companions": "Leaders to march along",
    "leaders": "Leaders",
    "overwhelm": "Overwhelming attack",
    "inside": "Field or fortress",
    "hex": "Where",
    "power": "Power",
    "start": "Stack",
    "points": "Number",
    "sp": "SP of {}",
}

ASKED_FOR: Final[Mapping[tuple[str, str], str]] = {
    ("attack", "hex"): "Where to attack",
    ("besiege", "hex"): "Which fortress",
    ("build", "hex"): "Where to build",
    ("remove", "hex"): "Which depot",
    ("quarter", "hex"): "Which stack",
    ("retreat", "hex"): "Destination",
    ("refuge", "hex"): "Destination",
    ("shift", "hex"): "Fortress",
    ("shift", "inside"): "Direction",
    ("place", "hex"): "Fortress",
    ("free", "hex"): "Fortress",
    ("depot-at", "hex"): "Destination",
    ("sack", "leader"): "Leader to dismiss",
    ("offer", "leader"): "Leader to offer",
    ("free", "leader"): "Leader who returns",
    ("drop", "leaders"): "Leaders who stay",
    ("take", "leaders"): "Leaders to pick up",
    ("garrison", "leaders"): "Leaders who go inside",
    ("shift", "leaders"): "Leaders who go",
    ("follow", "leaders"): "Leaders who follow",
    ("place", "leaders"): "Leaders to place",
    ("drop", "sp"): "SP of {} that stay",
    ("take", "sp"): "SP of {} to pick up",
    ("garrison", "sp"): "SP of {} that go inside",
    ("raise", "points"): "Resource Points to spend",
    ("free", "points"): "SP that return",
    ("lose", "points"): "SP to remove",
    ("envoys", "points"): "Points on {}",
}
"""Questions by kind of action; `{}` is the power."""

LEAST: Final = ("drop", "garrison", "lose", "envoys", "raise")
"""The actions that take as few SP or points as possible by default; all others take the most."""


class Questions(OrderFormBuilder[Walk]):
    KINDS = kinds_of(GRAMMAR)
    WORDS = FormWords(WORDS, SPECIAL, ASKED, ASKED_FOR)

    def __init__(self, data: GameData, state: State, actor: Side) -> None:
        super().__init__(data.book, str(state.frames[-1].__struct_config__.tag))
        self.data = state.data
        self.pos = state
        self.actor = actor
        self.frame = state.frames[-1]
        self.leaders: list[LeaderId] = []
        self.sp = EMPTY

    @cached_property
    def seen(self) -> State:
        return complete_view(self.data, make_view(self.pos, self.actor), AT_LEAST)

    @property
    def source(self) -> Stack | None:
        """The stack that the force leaves, or the force on the march."""
        stack = self.pos.moving
        if self.do == "march":
            stack = self.pos.locate(as_leader(self.given["leader"])) if "leader" in self.given else None
        return stack if stack is not None and stack.side == self.actor else None

    @property
    def start(self) -> str:
        return hex_name(self.source.hex) if self.source is not None else ""

    def walk_of(self, slot: Slot) -> Walk | None:
        return slot.about if isinstance(slot.about, Walk) else None

    def leg_of(self, walk: Walk) -> Leg:
        return ForceLeg(walk)

    def price(self, walk: Walk, there: Hex) -> str | None:
        return walk.price(there) if there != walk.here else None

    def halts(self) -> tuple[Choice, ...]:
        end = self.end
        if end is None or self.given.get("overwhelm"):
            return ()
        if not self.steps:
            return (HALT,)
        is_own = self.pos.owners.get(end.here) == self.actor
        if end.ended or (end.spent >= end.allowance and not is_own):  # it has to be judged first, or is over by itself
            return ()
        return (HALT, INSIDE) if is_own else (HALT,)

    def leader(self, number: LeaderId) -> str:
        return f"{self.data.leaders[number].name} {self.data.leaders[number].ratings}"

    def stack(self, stack: Stack) -> str:
        """Return a stack as the actor knows it: "Keith, 8 SP", for an enemy "Daun, 4–9 SP"."""
        who = self.data.leaders[stack.commander].name if stack.commander >= 0 else ""
        bounds = (stack.strength, stack.strength) if stack.side == self.actor else (stack.low, stack.high)
        return KnownForce(who, bool(stack.inside), "", *bounds, "SP").summary if stack.sp else who

    # --- the text of a form -------------------------------------------------------------------------------------------

    def label(self, slot: Slot) -> str:
        text = super().label(slot)
        if slot.index is None or slot.name not in ("sp", "points"):
            return text
        return text.format(self.data.powers[MINORS[slot.index] if slot.name == "points" else slot.index].name)

    def as_leader(self, slot: Slot, token: Token) -> Choice:
        if not isinstance(token, int) or not 0 <= token < len(self.data.leaders):
            return Choice(str(token), "none")
        leader = LeaderId(token)
        stack = self.pos.locate(leader)
        where = hex_name(stack.hex) if stack is not None and stack.side == self.actor else ""
        points = self._points(leader) if slot.name == "leader" and token in slot.values else ""
        return Choice(str(token), self.leader(leader), points, where)

    def _points(self, leader: LeaderId) -> str:
        stack = self.pos.locate(leader)
        if stack is None or not isinstance(self.frame, MarchPhase) or not self.frame.die:
            return ""
        walk = walk_from(self.pos, stack, (leader,), EMPTY, self.frame.die, forced=False)
        return f"{max(0, walk.allowance - walk.spent)} MP"

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        if slot.name == "start":
            return self._start(token)
        here, stack = as_hex(token), None
        if slot.name == "hex" and self.do == "attack":
            stack = self.seen.field(here, OTHER[self.actor])
        elif slot.name == "hex" and self.do == "besiege":
            stack = self.seen.inside(here, OTHER[self.actor])
        elif slot.name == "hex" and self.do in ("build", "quarter", "refuge"):
            stack = self.pos.field(here, self.actor) or self.pos.inside(here, self.actor)
        who = f": {self.stack(stack)}" if stack is not None else ""
        return Choice(hex_name(here), f"{self.book.place(here)}{who}", place=hex_name(here))

    def _start(self, token: Token) -> Choice:
        key = StackKey(int(token))
        stack = self.pos.stacks.get(key) or self.pos.moving
        where = f"{self.book.place(key_hex(key))}{', inside' if key_inside(key) else ''}"
        own = stack is not None and stack.side == self.actor
        return Choice(
            piece_key(key), f"{where}: {self.stack(stack)}" if stack and own else where, place=hex_name(key_hex(key))
        )

    def place(self, slot: Slot, text: str) -> Token | None:
        if slot.name != "start":
            return self.hex_of(text)
        keys = self._keys_at(text)
        return next((key for key in keys if key in slot.values), keys[0] if keys else None)

    def _keys_at(self, text: str) -> list[StackKey]:
        place, _, which = text.partition("-")
        here = self.hex_of(place)
        keys = [stack_key(here, self.actor, inside) for inside in (0, 1)] if here is not None else []
        named = [key for key in keys if which in ("", piece_key(key)[5:])]
        moving = self.pos.moving.key if self.pos.moving is not None else -1
        return [key for key in named if key in self.pos.stacks or key == moving]

    def find(self, slot: Slot, place: str) -> Token | None:
        keys, here = self._keys_at(place), self.hex_of(place.partition("-")[0])
        if here is None:
            return None
        stacks = [self.pos.stacks[key] for key in keys if key in self.pos.stacks]
        meant: dict[str, list[Token]] = {
            "hex": [here],
            "start": [*keys],
            "leader": [leader for stack in stacks for leader in (stack.commander, *stack.leaders)],
        }
        return first_available(slot, meant.get(slot.name, []))

    def leg_through(self, slot: Slot, goals: Sequence[Hex]) -> Sequence[Token] | Refusal:
        walk = slot.about
        assert isinstance(walk, Walk)
        if set(goals) == {walk.here}:
            return (walk.here,) if walk.here in slot.values else slot.refusal(walk.here)
        return super().leg_through(slot, goals)

    def preset(self, slot: Slot) -> Token | None:
        if slot.name in ("sp", "points"):
            return min(slot.values) if self.do in LEAST else max(slot.values)
        if slot.name == "overwhelm" or (slot.name == "inside" and self.do != "shift"):
            return 0 if 0 in slot.values else None
        return None

    def record_answer(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        super().record_answer(slot, token, is_step)
        if token is not None and self.kind(slot) == "leader" and token != STOP:
            self.leaders.append(as_leader(token))
        if token is not None and slot.name == "sp" and slot.index is not None:
            self.sp += bag(PowerId(slot.index), int(token))


def piece_key(key: StackKey) -> str:
    """Return the key of a stack's piece: hex, side, field or inside."""
    return f"{hex_name(key_hex(key))}-{key_side(key)}{'i' if key_inside(key) else 'f'}"


def summary_of(asked: Questions, action: Action | None) -> tuple[str, ...]:
    if asked.do in ("march", "go"):
        return tuple(_march(asked)) if asked.end is not None or action is not None else ()
    if action is None:
        return ()
    return tuple(_FINISHED[type(action)](asked, action)) if type(action) in _FINISHED else ()


def _march(asked: Questions) -> Iterator[str]:
    source = asked.source
    if source is None or (not asked.sp and "sp" not in asked.given and asked.do == "march"):
        return
    walk = asked.end
    force = walk.force if walk is not None else _part(asked, source, tuple(asked.leaders), asked.sp)
    yield _command(asked, force)
    if asked.do == "march":
        yield _rest(asked, source, force.leaders, force.sp)
    if walk is None:
        return
    yield _points(asked.pos, walk)
    if asked.steps:
        for here, price in asked.steps:
            yield f"{asked.book.place(here)}: {price}"
        yield from _meets(asked, walk)
        there = msgspec.structs.replace(walk.force, hex=walk.here, inside=False)
        if there.sp and not is_supplied(asked.pos, there):
            yield f"Out of supply now at {asked.book.place(walk.here)} (O10.2)"


def _part(asked: Questions, source: Stack, leaders: tuple[LeaderId, ...], sp: Bag) -> Stack:
    return asked.pos.make_stack(source.hex, source.side, source.inside, sp, leaders, source)


def _command(asked: Questions, force: Stack) -> str:
    others = [asked.data.leaders[n].name for n in force.leaders if n != force.commander]
    with_them = f", with {', '.join(others)}" if others else ""
    shaken = "; demoralized: initiative counts 0 (O11.1)" if force.demoralized else ""
    return f"{asked.leader(force.commander)} commands {sp_text(asked, force.sp)}{with_them}{shaken}"


def sp_text(asked: Questions, sp: Bag) -> str:
    """Return SP by power: "12 SP", "9 SP Prussia, 3 SP Hanover", "no SP"."""
    nations = list(powers(sp))
    if len(nations) < 2:
        return f"{of(sp, nations[0])} SP" if nations else "no SP"
    return ", ".join(f"{of(sp, power)} SP {asked.data.powers[power].name}" for power in nations)


def _rest(asked: Questions, source: Stack, leaders: tuple[LeaderId, ...], sp: Bag) -> str:
    rest = tuple(n for n in source.leaders if n not in leaders)
    left = source.sp - sp
    if not rest and not left:
        return "Nothing stays behind"
    if not rest:
        return f"{sp_text(asked, left)} stay without a leader (O8.6)"
    commander = _part(asked, source, rest, left).commander
    return f"{asked.leader(commander)} stays behind with {sp_text(asked, left)}"


def _points(pos: Position, walk: Walk) -> str:
    frame, bonus = pos.frames[-1], initiative(pos, walk.force)
    die = frame.die if isinstance(frame, MarchPhase | Marching) else 0
    cut = f", at most {MOST}" if die + bonus > MOST else ""
    winter = ", winter -1 (O5.5)" if pos.is_winter else ""
    spent = min(walk.spent, walk.allowance)
    return (
        f"MP: die {die} + initiative {bonus} = {die + bonus}{cut}{winter}; {spent} spent, {walk.allowance - spent} left"
    )


def _meets(asked: Questions, walk: Walk) -> Iterator[str]:
    pos, here, side = asked.pos, walk.here, walk.side
    enemy = enemy_in_field(pos, here, side)
    if enemy is not None:
        seen = asked.seen.stacks.get(enemy.key)
        who = asked.stack(seen) if seen is not None else "an enemy stack"
        yield f"Meets {who}: the march ends there (O5.8)"
    if (neutral := violated_by(pos, here)) >= 0:
        yield f"Violates the neutrality of {asked.data.powers[neutral].name} (C3.3)"
    if here in pos.owners and pos.owners[here] == OTHER[side]:
        garrison = asked.seen.inside(here, OTHER[side])
        if (garrison is not None and garrison.sp) or not walk.force.sp:
            yield f"{asked.book.place(here)} is an enemy fortress: the leg ends there (O5.8)"
        else:
            yield f"{asked.book.place(here)} is an empty enemy fortress and is taken; the leg ends there (O12.2, O5.8)"
    if enemy_leaders_at(pos, here, side):
        yield "Enemy leaders without SP are there: they roll, and the leg ends (O5.10)"


def _drop(asked: Questions, action: do.Drop) -> Iterator[str]:
    force = asked.pos.force
    goes_on = _part(asked, force, tuple(n for n in force.leaders if n not in action.leaders), force.sp - action.sp)
    where = f"{'inside' if action.inside else 'at'} {asked.book.place(force.hex)}"
    yield f"Left {where}: {_who(asked, action.leaders, action.sp)}; these SP cannot march again this phase (O5.7)"
    yield f"Marches on: {_command(asked, goes_on)}"


def _who(asked: Questions, leaders: tuple[LeaderId, ...], sp: Bag) -> str:
    names = [asked.data.leaders[number].name for number in leaders]
    return ", ".join([*names, *([sp_text(asked, sp)] if sp or not names else [])])


def _take(asked: Questions, action: do.Take) -> Iterator[str]:
    force = asked.pos.force
    yield f"Joins: {_who(asked, action.leaders, action.sp)}"
    yield _command(asked, _part(asked, force, (*force.leaders, *action.leaders), force.sp + action.sp))


def _arrival(asked: Questions, here: Hex, inside: bool, leaders: tuple[LeaderId, ...], sp: Bag) -> str:
    stack = asked.pos.at(here, asked.actor, inside)
    where = f"{'inside' if inside else 'at'} {asked.book.place(here)}"
    friends = (stack.leaders, stack.sp) if stack is not None else ((), EMPTY)
    whole = asked.pos.make_stack(here, asked.actor, inside, friends[1] + sp, (*friends[0], *leaders))
    names = "no leader commands" if whole.commander < 0 else f"{asked.leader(whole.commander)} commands"
    if stack is None:
        return f"{sp_text(asked, sp)} {where}: {names}"
    return f"{_who(asked, leaders, sp)} to {_who(asked, *friends)} {where}: {names} {sp_text(asked, whole.sp)}"


def _divide(asked: Questions, action: do.Shift | do.Garrison | do.Follow) -> Iterator[str]:
    frame: Any = asked.frame
    if isinstance(action, do.Shift):
        start, to = (action.hex, not action.inside), (action.hex, action.inside)
    elif isinstance(action, do.Garrison):
        start, to = (frame.hex, False), (frame.hex, True)
    else:
        start, to = (frame.battle, False), (frame.first, False)
    yield _arrival(asked, *to, action.leaders, action.sp)
    yield _rest(asked, asked.pos.stack_at(start[0], asked.actor, start[1]), action.leaders, action.sp)


def _place(asked: Questions, action: do.Place) -> Iterator[str]:
    yield _arrival(asked, action.hex, action.inside, action.leaders, action.sp)
    source = asked.pos.stacks.get(StackKey(action.start))
    if source is not None:
        yield _rest(asked, source, action.leaders, action.sp)
    plan = plan_of(asked.pos, asked.actor)
    if isinstance(asked.frame, Deployment) and action.sp and plan.depot != NOWHERE:
        draft = Draft(asked.pos)
        draft.set_depot(plan.depot, Depot(as_power(asked.actor), complete=True))
        if not is_supplied(draft, draft.make_stack(action.hex, asked.actor, action.inside, action.sp, ())):
            yield f"Out of supply at {asked.book.place(action.hex)}: the army rolls for attrition (O10.8)"


def _place_depot(asked: Questions, action: do.PlaceDepot) -> Iterator[str]:
    fed = supply(asked.pos, asked.actor)[asked.data.powers[as_power(asked.actor)].supply]
    if not fed >> action.hex & 1:
        yield f"Out of supply: a depot at {asked.book.place(action.hex)} feeds no army (O10.1)"


def _envoys(asked: Questions, action: do.Envoys) -> Iterator[str]:
    most = POINTS[asked.actor]
    placed = zip(MINORS, action.points, strict=True)
    on = ", ".join(f"{points} on {asked.data.powers[power].name}" for power, points in placed if points)
    left = most - sum(action.points)
    yield f"{on or 'No points'}; {f'{left} of {most} unused and lost' if left else f'all {most} used'} (C5.1)"


def _build(asked: Questions, action: do.Build) -> Iterator[str]:
    power = largest(asked.pos.stack_at(action.hex, asked.actor).sp)
    begun = 1 + sum(depot.power == power for depot in asked.seen.depots.values())
    yield f"{asked.data.powers[power].name}: depot {begun} of {MOST_DEPOTS} (O10.4, O10.11)"
    yield "Complete in your next Depot Phase if SP stay and the hex is in supply (O10.10)"


def _remove(asked: Questions, action: do.Remove) -> Iterator[str]:
    without = Draft(asked.pos)
    without.set_depot(action.hex, None)
    field = [stack for stack in asked.pos.own(asked.actor) if stack.sp and not stack.inside]
    for stack in field:
        if is_supplied(asked.pos, stack) and not is_supplied(without, stack):
            yield f"Out of supply without it: {asked.stack(stack)}, at {asked.book.place(stack.hex)} (O10.2)"


def _raise(asked: Questions, action: do.Raise) -> Iterator[str]:
    raised, kept = new_sp(asked.pos, asked.actor, action.points), asked.pos.rp[asked.actor] - action.points
    yield f"{raised} new SP, placed in the Re-deployment Phase; {kept} RP saved (C6.3, C6.4)"


_FINISHED: Final[ByKind[Action, Questions, Iterable[str]]] = {
    do.Quarter: lambda asked, action: ("Until the year ends the stack cannot march, attack or build (O14.1)",),
    do.Seal: lambda asked, action: ("You can reopen it until your opponent has sealed too (C2.4)",),
    do.Drop: _drop,
    do.Take: _take,
    do.Halt: lambda asked, action: (
        _arrival(asked, force.hex, action.inside, force.leaders, force.sp) for force in (asked.source,) if force
    ),
    do.Shift: _divide,
    do.Garrison: _divide,
    do.Follow: _divide,
    do.Place: _place,
    do.PlaceDepot: _place_depot,
    do.Envoys: _envoys,
    do.Build: _build,
    do.Remove: _remove,
    do.Besiege: lambda asked, action: (
        f"The depot at {asked.book.place(action.hex)} is spent, whatever the roll (O13.8)",
    ),
    do.Sack: lambda asked, action: (f"{asked.leader(action.leader)} leaves the game (C8.3)",),
    do.Raise: _raise,
}
