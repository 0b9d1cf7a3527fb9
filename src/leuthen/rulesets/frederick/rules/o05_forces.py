"""O5.1–O5.8, O5.15–O5.18: which forces may form, which hexes they may enter, and the cost."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Final

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId
from leuthen.rulesets.frederick.model.actions import March, Shift
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.model.pieces import DONE, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position, is_present, occupied_hexes
from leuthen.rulesets.frederick.rules import o10_supply as supply
from leuthen.wargame.board import NOWHERE, Hex, Hexes, around, as_hex, chosen_hex, hex_name, stack_key
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, as_leader, bag, common, of, powers

DEAREST = 4
"""Greatest cost of a hex: river, pass and zone on top of the hex (O5.3)."""
MOST = 6
"""Greatest number of movement points (O5.2)."""


def initiative(pos: Position, stack: Stack) -> int:
    """Return the initiative of a stack: its commander's, 0 without one (O8.4) or if demoralized (O11.1)."""
    if stack.commander < 0 or stack.demoralized:
        return 0
    return pos.data.leaders[stack.commander].initiative


def allowance(pos: Position, die: int, force: Stack) -> int:
    """Return movement points: die and initiative, 6 at most (O5.2), then 1 less in winter (O5.5)."""
    return min(MOST, die + initiative(pos, force)) - pos.is_winter


def enemy_in_field(pos: Position, here: Hex, side: OwnerId) -> Stack | None:
    """Return the field stack with SP that a force of `side` meets in a hex; a neutral one if it is violated (O5.19).

    Other neutral forces are passed, as the Imperial ones in the open German States (C9.6), and leaders alone (O2.7).
    """
    marks = pos.marks
    if marks[OTHER[side]][0] >> here & 1:
        return pos.stacks[stack_key(here, OTHER[side], 0)]
    if marks[NOBODY][0] >> here & 1:
        neutral = pos.stacks[stack_key(here, NOBODY, 0)]
        return neutral if supply.violated_by(pos, here) == neutral.nation else None
    return None


def barred_to(pos: Position, force: Stack) -> Hexes:
    """Return the hexes that a force may not enter because of the troops there.

    For leaders without SP those with SP of the enemy, or of a neutral whom they would violate (O5.18); for a
    demoralized force those with an enemy field stack (O5.15).
    """
    if force.sp and not force.demoralized:
        return 0
    enemy = occupied_hexes(pos)[OTHER[force.side]]
    neutral, violated = pos.marks[NOBODY], supply.neutral_ground(pos)  # O5.19
    barred = enemy[0] | neutral[0] & violated
    return barred if force.sp else barred | enemy[1] | neutral[1] & violated


def enemy_leaders_at(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether enemy leaders without SP are in a hex; they roll when a force with SP enters (O5.10)."""
    return any(not stack.sp for stack in pos.stacks_at(here, OTHER[side]))


class Walk:
    """A planned march: the force, its hex and its remaining movement points."""

    def __init__(self, pos: Position, force: Stack, spent: int, points: int, *, forced: bool, sally: bool) -> None:
        self.pos = pos
        self.force = force
        self.side = force.side
        self.here = force.hex
        self.spent = spent
        self.allowance = points
        self.forced = forced
        self.sally = sally
        self.barred = barred_to(pos, force)
        self.tether: Hexes | None = None
        self.leaving = NOWHERE
        """The hex in which something is judged as soon as the force has left it."""
        self.vacated = NOWHERE
        """The fortress hex that the force has left without SP of its side: a zone reaches into it (O7.2)."""
        self.stopped_by = ""
        """The rule that ends the leg in this hex, or ""."""

    def cost(self, there: Hex) -> int:
        """Return the movement points to enter a neighbour (O5.3); zones count once (O5.16)."""
        return self.pos.data.board.steps[self.here][there] + self.meets_zone(there)

    def meets_zone(self, there: Hex) -> bool:
        """Return whether a hex is in an enemy zone of control, now that the force has left its first hex (O7.1)."""
        if there == self.vacated:
            return supply.is_next_to_zone(self.pos, there)
        return supply.is_in_zone(self.pos, there, self.side)

    def next_hexes(self) -> list[Hex]:
        if self.sally:  # O13.7
            return []
        steps, barred = self.pos.data.board.steps[self.here], self.barred
        if self.tether is not None:
            barred |= ~self.tether  # O10.6
        left = self.allowance - self.spent
        if self.has_minimum or left >= DEAREST:
            return [there for there in steps if not barred >> there & 1] if barred else [*steps]
        return [
            there
            for there, price in steps.items()
            if not barred >> there & 1 and (price < left or (price == left and not self.meets_zone(there)))
        ]

    def forbids(self, there: Hex) -> Refusal:
        if there not in self.pos.data.board.steps[self.here]:
            return barrier(self.pos, self.here, there)
        if self.sally:
            return Refusal("O13.7", "a besieged garrison leaves only by overwhelming the besieger", (), self.here)
        if self.barred >> there & 1 and self.force.sp:
            return Refusal("O5.15", "a demoralized force may not enter a hex with an enemy field stack", (), there)
        if self.barred >> there & 1:
            if (power := supply.violated_by(self.pos, there)) >= 0:
                name = self.pos.data.powers[power].name
                reason = "leaders without SP may not enter a hex with SP of {}, whose neutrality they violate"
                return Refusal("O5.18", reason, (name,), there)
            return Refusal("O5.18", "leaders without SP may not enter a hex with enemy SP", (), there)
        if self.tether is not None and not self.tether >> there & 1:
            return Refusal("O10.6", "a commander with initiative 0 may not leave supply", (), there)
        return Refusal("O5.3", "needs {}, has {}", (self.price(there), max(0, self.allowance - self.spent)), there)

    @property
    def has_minimum(self) -> bool:
        """True if the force may go one hex at any cost (O5.6)."""
        return not self.spent and self.allowance >= 1

    def price(self, there: Hex) -> str:
        """Return the cost of a neighbour with its parts: "3 MP: river +1: enemy zone +1" (O5.3)."""
        side = self.pos.data.board.side(self.here, there)
        marks = (
            ": river +1" if side.river else "",
            ": pass +1" if side.pass_ else "",
            ": enemy zone +1" if self.meets_zone(there) else "",
        )
        return f"{self.cost(there)} MP{''.join(marks)}"

    def enter(self, there: Hex) -> None:
        """Enter the next hex; `stopped_by` says whether the leg ends there."""
        cost = self.cost(there)
        if self.spent + cost > self.allowance:
            cost = DONE  # O5.6: nothing is left for more
        self.spent += cost
        left, self.here = self.here, there
        self.stopped_by = "O4.4" if left == self.leaving else interrupts(self.pos, there, self.side)

    @property
    def ended(self) -> bool:
        """True if the leg ends here: the consequences are judged before the force goes on."""
        return bool(self.stopped_by)

    def why_not_overwhelm(self) -> Refusal | None:
        """Return the rule that forbids an overwhelming attack in this hex, or None (O5.17)."""
        if self.forced:
            return Refusal("O6.1", "a force march allows no overwhelming attack", (), self.here)
        if self.force.demoralized:
            return Refusal("O5.17", "a demoralized force cannot overwhelm", (), self.here)
        if not self.force.sp or enemy_in_field(self.pos, self.here, self.side) is None:
            return Refusal("O5.9", "there is no enemy field stack to overwhelm", (), self.here)
        if self.spent >= self.allowance:
            left = max(0, self.allowance - self.spent)
            return Refusal("O5.9", "an overwhelming attack needs 1 MP more, {} left", (left,), self.here)
        return None


def vacates(pos: Position, here: Hex, side: OwnerId, sp: Bag) -> Hex:
    """Return the hex if it is a fortress with no SP of the side but these, else NOWHERE (O7.2)."""
    if side != PRUSSIAN or here not in pos.data.fortresses:
        return NOWHERE
    return here if sum([stack.sp for stack in pos.stacks_at(here, side)]) == sp else NOWHERE


def is_coming_out(pos: Position, stack: Stack) -> bool:
    """Return whether a force from this stack comes out of a siege and must overwhelm the besieger to leave (O13.7).

    Troops that came out earlier in the phase have not ended the siege.
    """
    if not stack.inside:
        return False
    here, side = stack.hex, stack.side
    return supply.is_besieged(pos, here, side) or (here in pos.sallied and enemy_in_field(pos, here, side) is not None)


def is_abandoning(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Return whether a departing force leaves a fortress (O12.4) or leaders alone (O5.10) to the enemy.

    The consequences are judged before the force goes on. `pos` is the position without it.
    """
    if not is_present(pos, here, OTHER[side]):
        return False
    rest = [stack.sp for stack in pos.stacks_at(here, side)]
    return not all(rest) or (pos.owners.get(here) == side and not any(rest))


def interrupts(pos: Position, there: Hex, side: OwnerId) -> str:
    """Return the rule that ends a leg in a hex, or "": the consequences are judged first (C11.2, O10.6).

    A violation (C3.3), an enemy field stack or a fortress to take (O5.8), lone leaders (O5.10).
    """
    if supply.violated_by(pos, there) >= 0:
        return "C3.3"
    if pos.owners.get(there, side) != side or enemy_in_field(pos, there, side) is not None:
        return "O5.8"
    return "O5.10" if enemy_leaders_at(pos, there, side) else ""


def nobody_enters(pos: Position, there: Hex, name: str) -> Refusal | None:
    """Return why a hex is closed to all forces, or None (O5.4, C14.4); the reason calls it `name`."""
    board = pos.data.board
    if not pos.plan.is_played(there):
        return Refusal("C14.4", "{} is beyond the part of the map that is played", (name,), there)
    if board.is_in_play(there):
        return None
    what = "water" if board.terrain.get(there, "water") == "water" else "outside the theatre"
    return Refusal("O5.4", "{} is {}", (name, what), there)


def barrier(pos: Position, here: Hex, there: Hex) -> Refusal:
    """Return why a hex can never be entered from another (O5.4)."""
    board = pos.data.board
    if there not in around(here):
        name = hex_name(there) if there >= 0 else "that"
        return Refusal("O5.13", "{} is not next to {}", (name, hex_name(here)), there)
    if refusal := nobody_enters(pos, there, hex_name(there)):
        return refusal
    what = "water" if board.side(here, there).water else "a ridge without a pass"
    return Refusal("O5.4", "{} lies between {} and {}", (what, hex_name(here), hex_name(there)), there)


def is_supplied_at_start(pos: Position, stack: Stack, force: Stack) -> bool:
    """Return whether a departing force begins in supply: inside by the place, else by its own powers (O10.12)."""
    return supply.is_supplied(pos, stack if stack.inside else force)


def tether(pos: Position, force: Stack, *, was_supplied: bool) -> Hexes | None:
    """Return the hexes open to a commander with initiative 0: those in supply, unless he set out of it (O10.6, O10.12).

    None if all are open. Supply is judged without the force, which has left its place.
    """
    if not was_supplied or initiative(pos, force):
        return None
    power, apart = force.nation if force.sp else pos.leader(force.commander).power, Draft(pos)
    apart.set_moving(None)
    return supply.supply(apart, force.side)[supply.path_length(pos, force.sp, power)]


def ask_path(walk: Walk, *, here_too: bool) -> Generator[Slot, Token, tuple[tuple[Hex, ...], bool]]:
    """Ask for a leg, hex by hex, and whether it ends in an overwhelming attack (O5.9).

    With `here_too` the attack may be where the march begins: the path is then that hex (O5.17).
    """
    path: list[Hex] = []
    start = walk.here
    while True:
        values: list[Token] = [] if walk.stopped_by else [*walk.next_hexes()]
        if path:
            values.append(STOP)
        elif here_too and walk.why_not_overwhelm() is None:
            values.append(start)
        token = yield Slot(
            "path",
            values,
            partial(_why, walk, bool(path)),
            index=len(path),
            canon=[STOP] if path else values,
            refused=lambda: [there for there in around(walk.here) if there in walk.pos.data.board.terrain],
            price=lambda there: _price(walk, there),
            about=walk,
        )
        if token == STOP:
            break
        path.append(as_hex(token))
        if token == start and len(path) == 1:
            walk.stopped_by = "O5.17"
        else:
            walk.enter(as_hex(token))
    in_place = path == [start]
    refusal = None if in_place else walk.why_not_overwhelm()
    is_met = enemy_in_field(walk.pos, walk.here, walk.side) is not None
    overwhelm = yield Slot(
        "overwhelm",
        (1,) if in_place else (0,) if refusal else (0, 1),
        lambda token: refusal or Refusal("O5.17", "the attack must be declared"),
        refused=lambda: (1,) if is_met else (),
    )
    return tuple(path), bool(overwhelm)


def _price(walk: Walk, there: Token) -> str:
    if there == STOP or there == walk.here:
        return ""
    left = walk.allowance - walk.spent - walk.cost(as_hex(there))
    least = ", the one hex that is always allowed (O5.6)" if left < 0 else ""
    return f"{walk.price(as_hex(there))}{least}, {max(0, left)} left"


def _why(walk: Walk, has_path: bool, token: Token) -> Refusal:
    if token == STOP:
        return Refusal("O5.13", "a march is at least one hex")
    if walk.stopped_by:
        return why_ended(walk)
    if token == walk.here and not has_path:
        return walk.why_not_overwhelm() or Refusal("O5.13", "a march is at least one hex")
    return walk.forbids(as_hex(token))


_STOPS: Final = {
    "O4.4": "the leg ends at {}: it decides what stays behind",
    "O5.8": "an enemy stack or fortress is there: the leg ends at {}",
    "O5.10": "enemy leaders are alone there: the leg ends at {}",
}


def why_ended(walk: Walk) -> Refusal:
    here = hex_name(walk.here)
    if walk.stopped_by == "C3.3":
        name = walk.pos.data.powers[supply.violated_by(walk.pos, walk.here)].name
        return Refusal("C3.3", "this violates the neutrality of {}: the leg ends at {}", (name, here), walk.here)
    return Refusal(walk.stopped_by, _STOPS.get(walk.stopped_by, "the leg ends at {}"), (here,), walk.here)


def ask_leaders(
    pos: Position,
    stack: Stack,
    pool: Sequence[LeaderId],
    whole: bool = False,
    *,
    field: str = "leaders",
    some: bool = False,
    named: Sequence[LeaderId] = (),
) -> Generator[Slot, Token, tuple[LeaderId, ...]]:
    """Ask for leaders of `pool`, in ascending order; all of them with `whole`, at least one with `some`.

    `named` are those who go in any case.
    """
    left, chosen = sorted(pool), list[LeaderId]()

    def refuse(token: Token) -> Refusal:
        if token == STOP and whole:
            return Refusal("O11.1", "a demoralized stack does not divide: all its leaders go along")
        if token == STOP:
            return Refusal("O5.1", "strength points move only with a leader: name one")
        if token in chosen or token in named:
            return Refusal("O5.15", "{} is already named", (pos.leader(as_leader(token)).name,), stack.hex)
        return _not_here(pos, stack, as_leader(token), pool, chosen)

    def others() -> list[Token]:
        return [number for number in stack.leaders if number not in pool and number not in named]

    while True:
        values: list[Token] = [left[0]] if whole and left else [*left]
        if not left or not (whole or (some and not chosen)):
            values.append(STOP)
        token = yield Slot(field, values, refuse, index=len(chosen), refused=others)
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_leader(token))
        left = left[left.index(chosen[-1]) + 1 :]


def _not_here(
    pos: Position, stack: Stack, leader: LeaderId, pool: Sequence[int], chosen: Sequence[LeaderId]
) -> Refusal:
    if not 0 <= leader < len(pos.data.leaders):
        return Refusal("O2.2", "there is no such leader")
    name, last = pos.leader(leader).name, pos.leader(chosen[-1]).name if chosen else ""
    return first_refusal(
        stack.hex,
        (leader not in stack.leaders, "O5.15", "{} is not in that stack", name),
        (last and leader in pool, "O5.15", "name {} before {}", name, last),
        (leader in stack.resters, "O14.4", "{} was in quarters that others joined and cannot move yet", name),
    ) or Refusal("O5.13", "{} has finished moving for this phase", (name,), stack.hex)


def ask_sp(
    pos: Position,
    stack: Stack,
    fresh: Bag,
    leaders: Sequence[LeaderId] | None,
    *,
    whole: bool = False,
    some: bool = False,
) -> Generator[Slot, Token, Bag]:
    """Ask how many `fresh` SP go, power by power; only with a leader of it (O5.1), unless `leaders` is None.

    With `whole` all that may go, with `some` at least one, if any may.
    """
    led = None if leaders is None else {pos.leader(number).power for number in leaders}
    taken = EMPTY
    order = tuple(powers(stack.sp))
    for number, power in enumerate(order):
        most = of(fresh, power) if led is None or power in led else 0
        rest = any(of(fresh, later) and (led is None or later in led) for later in order[number + 1 :])
        least = most if whole else int(some and not taken and not rest and most > 0)
        taken += bag(power, int((yield _count(pos, stack, power, least, most, of(fresh, power), whole))))
    return taken


def would_divide(pos: Position, stack: Stack, leaders: Sequence[LeaderId], limit: int) -> bool:
    """Return whether a demoralized stack could leave only in part, because some of it is done (O5.15, O11.1).

    SP of a power without a leader among `leaders` stay in any case (O5.1); a leader goes with fewer than `limit` MP.
    """
    led = {pos.leader(number).power for number in leaders}
    tired = any(pos.spent.get(number, 0) >= limit for number in stack.leaders)
    return tired or any(power in led for power in powers(stack.marched))


def absent_sp(pos: Position, march: March) -> Refusal | None:
    """Return the refusal of SP of a power that has none in the stack, with the meaning of `+20` (O2.4)."""
    stack = pos.locate(march.leader)
    if stack is None:
        return None
    absent = [power for power in ALL_POWERS if of(march.sp, power) and not of(stack.sp, power)]
    if not absent:
        return None
    there = " or ".join(f'"+{of(stack.sp, power)} {pos.data.powers[power].name}"' for power in powers(stack.sp))
    name, points = pos.data.powers[absent[0]].name, of(march.sp, absent[0])
    text = 'there are no SP of {}: "+{}" means SP of the leader\'s power (write others as {})'
    return Refusal("O2.4", text, (name, points, there or '"+3 Hanover"'), stack.hex)


def _count(pos: Position, stack: Stack, power: PowerId, least: int, most: int, fresh: int, whole: bool) -> Slot:
    name = pos.data.powers[power].name

    def refuse(token: Token) -> Refusal:
        if not isinstance(token, int) or token < 0:
            return Refusal("O2.1", "a number of strength points is expected", (), stack.hex)
        resting = "only {} SP of {} were not in quarters that others joined"
        return first_refusal(
            stack.hex,
            (token > of(stack.sp, power), "O2.4", "there are only {} SP of {}", of(stack.sp, power), name),
            (token > fresh and of(stack.resting, power), "O14.4", resting, fresh, name),
            (token > fresh, "O5.7", "only {} SP of {} have not marched in this phase", fresh, name),
            (token > most, "O5.1", "SP of {} need a leader of {} in the force", name, name),
            (whole, "O11.1", "a demoralized stack does not divide: all {} SP go along", most),
        ) or Refusal("O5.15", "at least {} SP of {} must go", (least, name), stack.hex)

    return Slot("sp", range(least, most + 1), refuse, index=power, canon=sorted({least, most, max(least, most - 1)}))


def fortress_changes(pos: Position, side: OwnerId, *, forced: bool) -> Iterator[tuple[Hex, bool]]:
    """Yield where troops may go in (True) or come out (False) without a march (O5.11, O5.20)."""
    owners, shifted, met = pos.owners, pos.shifted, pos.marks[OTHER[side]][0] | pos.marks[NOBODY][0]
    for stack in pos.own(side):
        here = stack.hex
        if owners.get(here) != side or here in shifted or stack.quartered:  # O14.1
            continue
        if met >> here & 1 or stack.resting:
            # not at a besieged fortress (O5.11), save for a sally in the own March Phase (O13.7)
            if (forced or not stack.inside) and supply.is_besieged(pos, here, side):
                continue
            leaders, sp = _changing(pos, stack)
            if stack.demoralized and (sp != stack.sp or len(leaders) < len(stack.leaders)):  # O11.1
                continue
            if not (sp or leaders):
                continue
        yield here, not stack.inside


def _changing(pos: Position, stack: Stack) -> tuple[list[LeaderId], Bag]:
    """Return the leaders and SP of a stack that may go in or out.

    Troops that entered a hex with an enemy field stack in this phase cannot go inside in it (O5.20, O13.9).
    """
    sp, leaders = stack.free_sp, [number for number in stack.leaders if number not in stack.resters]
    if stack.inside or enemy_in_field(pos, stack.hex, stack.side) is None:
        return leaders, sp
    return [number for number in leaders if pos.spent.get(number, 0) < DONE], common(sp, stack.sp - stack.marched)


def shift_script(pos: Position, side: OwnerId, gates: list[tuple[Hex, bool]]) -> Script[Shift]:
    """Ask who goes inside or comes out, with or without a leader (O5.20, O8.6); a demoralized stack goes whole."""
    places = list(dict.fromkeys(here for here, _ in gates))
    held = (stack.hex for stack in pos.own(side) if pos.owners.get(stack.hex) == side)
    here = as_hex((yield Slot("hex", places, partial(_no_gate, pos, side), refused=lambda: list(dict.fromkeys(held)))))
    ways = [int(inside) for there, inside in gates if there == here]
    inside = int((yield Slot("inside", ways, lambda token: Refusal("O5.20", "no troops there can do that", (), here))))
    stack = pos.stack_at(here, side, not inside)
    (pool, free), whole = _changing(pos, stack), stack.demoralized
    leaders = yield from ask_leaders(pos, stack, pool, whole, some=not stack.sp)
    sp = yield from ask_sp(pos, stack, free, None, whole=whole, some=not leaders)
    if not leaders and not sp:
        yield Slot("sp", (), lambda _: Refusal("O5.20", "no troops are named"), index=stack.nation)
    return Shift(here, bool(inside), leaders, sp)


def _no_gate(pos: Position, side: OwnerId, token: Token) -> Refusal:
    here = chosen_hex(token)
    resting = [stack.quartered for stack in pos.own(side) if stack.hex == here]
    return first_refusal(
        here,
        (pos.owners.get(here) != side, "O5.11", "there is no friendly fortress"),
        (here in pos.shifted, "O5.20", "troops have already gone in or out there this phase"),
        (supply.is_besieged(pos, here, side), "O5.11", "the fortress is besieged"),
        (resting and all(resting), "O14.1", "a stack in winter quarters cannot move"),
    ) or Refusal("O5.20", "no troops there may go in or out", (), here)
