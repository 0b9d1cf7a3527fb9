"""Exact odds: the rules answer every outcome of chance up to a player's next decision.

For an unknown enemy strength odds are computed for both ends of the known band, and wherever another column of the
combat table begins between them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, TypeAlias, TypeVar

import msgspec

from leuthen.engine.events import Event
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import CHANCE, NOBODY, OTHER, OwnerId, Side, as_side
from leuthen.rulesets.frederick.knowledge import AT_LEAST, View, complete_view
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events import (
    BattleFought,
    DiplomacyRolled,
    Modifiers,
    Overwhelmed,
    Recovered,
    Rolled,
    SiegeRolled,
    SpLost,
    Starved,
)
from leuthen.rulesets.frederick.model.pieces import SIDES, Stack
from leuthen.rulesets.frederick.model.stacks import locate, make_stack, with_troops
from leuthen.rulesets.frederick.model.state import Draft, Position, occupied_hexes
from leuthen.rulesets.frederick.orders import BANG, LEG, Reader
from leuthen.rulesets.frederick.rules.c05_council import DiplomacyRoll, diplomacy_modifiers, is_rolled
from leuthen.rulesets.frederick.rules.o05_forces import initiative
from leuthen.rulesets.frederick.rules.o05_march import ForceDie, ForceLoss, ForceMarchDie, Marching, attack_overwhelming
from leuthen.rulesets.frederick.rules.o09_combat import (
    BattleRoll,
    CombatPhase,
    CommanderRoll,
    Retreating,
    RetreatRoll,
    commander_fate,
    open_battle,
    ratio_of,
)
from leuthen.rulesets.frederick.rules.o10_supply import is_supplied
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase, SiegeRoll
from leuthen.rulesets.frederick.rules.o14_attrition import AttritionRoll, MoraleRoll
from leuthen.wargame.board import Hex, hex_name, hexes_of
from leuthen.wargame.grammar import Given, begin
from leuthen.wargame.strength import LeaderId, PowerId, bag

Spread: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Values with their probabilities, from the lowest up; the probabilities sum to one."""
E = TypeVar("E", bound=Event)
CRUSHED: Final = 4
"""Ratio that overwhelms (O9.10): beyond it a stronger enemy changes nothing."""


class BattleOdds(msgspec.Struct, frozen=True):
    """The odds of an attack (O9). Pairs are attacker and defender; `win` and `lose` are the attacker's.

    `losses` are SP killed and `prisoners` SP taken from each side; `killed` and `captured` the probabilities of its
    commander's fate. `crushed` is the side overwhelmed without a die (O9.10), or NOBODY. `fights` are the battles of
    the dice 1 to 6; empty if a side is crushed.
    """

    strengths: tuple[int, int]
    win: Fraction
    draw: Fraction
    lose: Fraction
    losses: tuple[Spread, Spread]
    prisoners: tuple[Spread, Spread]
    killed: tuple[Fraction, Fraction]
    captured: tuple[Fraction, Fraction]
    crushed: int
    fights: tuple[BattleFought, ...]

    @property
    def ratio(self) -> int:
        """The attacker's SP in per cent of the defender's (O9.3)."""
        return ratio_of(*self.strengths)

    def gone(self, who: int) -> Spread:
        """Return the total SP that the attacker (0) or the defender (1) loses: killed and taken."""
        if not self.fights:
            return self.prisoners[who]
        sums = [fight.losses[who] + _prisoners_lost(fight, who) for fight in self.fights]
        return spread((points, Fraction(1, len(sums))) for points in sums)


def spread(parts: Iterable[tuple[int, Fraction]]) -> Spread:
    """Add up the probabilities of equal values."""
    sums: dict[int, Fraction] = {}
    for value, chance in parts:
        sums[value] = sums.get(value, Fraction(0)) + chance
    return tuple(sorted(sums.items()))


def mean(values: Spread) -> Fraction:
    return sum((value * chance for value, chance in values), Fraction(0))


def unfold(draft: Draft, kinds: tuple[type[Decision], ...]) -> Iterator[tuple[Fraction, Draft]]:
    """Yield every outcome of chance for decisions of these kinds, with its probability."""
    frame = draft.frames[-1] if draft.frames else None
    if frame is None or not isinstance(frame, kinds):
        yield Fraction(1), draft
        return
    for answer, chance in frame.chances(draft):
        branch = Draft(draft)
        branch.facts, branch.touched = list(draft.facts), set(draft.touched)
        frame.answer(branch, CHANCE, answer)
        for rest, end in unfold(branch, kinds):
            yield chance * rest, end


def ask(pos: Position, frame: Decision, *, moving: Stack | None = None) -> list[tuple[Fraction, Draft]]:
    """Return the outcomes of one decision of chance, in a position without any other decision."""
    draft = Draft(pos)
    draft.frames = (frame,)
    draft.set_moving(moving)
    return list(unfold(draft, (type(frame),)))


def events_of(draft: Draft, kind: type[E]) -> list[E]:
    """Return the events of a kind in a draft."""
    return [fact for fact in draft.facts if isinstance(fact, kind)]


def battle_odds(pos: Position, side: Side, here: Hex) -> BattleOdds:
    """Return the odds of an attack by the field stack of `side` in a hex, with the strengths in `pos` (O9)."""
    stacks = [pos.field(here, who) for who in (side, OTHER[side])]
    strengths = tuple(stack.strength if stack is not None else 0 for stack in stacks)
    if not all(strengths):
        raise ValueError("two field stacks with SP are needed in the hex (O9.1)")
    draft = Draft(pos)
    draft.frames = ()
    draft.set_moving(None)
    open_battle(draft, side, here)
    if events_of(draft, Overwhelmed):
        return _crushing_odds(draft, side, strengths)
    return _sum_up(list(unfold(draft, (BattleRoll,))), side, strengths)


def _crushing_odds(draft: Draft, side: OwnerId, strengths: tuple[int, ...]) -> BattleOdds:
    strong, (first, second) = events_of(draft, Overwhelmed)[0].side, strengths
    won, never, nothing = Fraction(strong == side), Fraction(0), ((0, Fraction(1)),)
    taken = (nothing, ((second, Fraction(1)),)) if won else (((first, Fraction(1)),), nothing)
    caught = 1 - won, won
    return BattleOdds(
        (first, second), won, never, 1 - won, (nothing, nothing), taken, (never, never), caught, 1 - strong, ()
    )


def _prisoners_lost(fight: BattleFought, who: int) -> int:
    loser = NOBODY if fight.winner == NOBODY else int(fight.winner == fight.side)
    return fight.prisoners if loser == who else 0


def _sum_up(ends: list[tuple[Fraction, Draft]], side: OwnerId, strengths: tuple[int, ...]) -> BattleOdds:
    fights = [(chance, events_of(end, BattleFought)[0]) for chance, end in ends]
    by_die = {fight.die: fight for _, fight in fights}
    sides = side, OTHER[side]

    def chance_of(winner: OwnerId) -> Fraction:
        return sum((chance for chance, fight in fights if fight.winner == winner), Fraction(0))

    def lost(who: int) -> Spread:
        return spread((fight.losses[who], chance) for chance, fight in fights)

    def fate(word: str) -> tuple[Fraction, Fraction]:
        one, two = (sum((chance * _fate(end, who, word) for chance, end in ends), Fraction(0)) for who in sides)
        return one, two

    return BattleOdds(
        (strengths[0], strengths[1]),
        chance_of(side),
        chance_of(NOBODY),
        chance_of(OTHER[side]),
        (lost(0), lost(1)),
        (spread((_prisoners_lost(f, 0), c) for c, f in fights), spread((_prisoners_lost(f, 1), c) for c, f in fights)),
        fate("killed"),
        fate("captured"),
        NOBODY,
        tuple(by_die[die] for die in sorted(by_die)),
    )


def _fate(end: Draft, side: OwnerId, word: str) -> Fraction:
    """The probability that a side's commander meets a fate, after a battle's die (O8.3)."""
    rolls = [frame for frame in end.frames if isinstance(frame, CommanderRoll) and frame.side == side]
    fates = [commander_fate(die, lost=roll.lost) for roll in rolls for die in range(1, 7)]
    return Fraction(fates.count(word), 6)


def steps_of(pos: Position, mine: int, low: int, high: int, *, attacking: bool) -> list[int]:
    """Return enemy strengths from `low` to `high` at which another column of the combat table begins (O9.3)."""
    columns = (*pos.data.columns, 100 * CRUSHED)
    last = min(high, CRUSHED * mine + 1)
    found = {min(low, last): None, last: None}
    before = -1
    for points in range(low, last + 1):
        ratio = ratio_of(mine, points) if attacking else ratio_of(points, mine)
        column = bisect_right(columns, ratio)
        if column != before:
            found[points] = None
        before = column
    return sorted(found)


def battle_band(pos: Position, side: Side, here: Hex, foe: Side, low: int, high: int) -> Mapping[int, BattleOdds]:
    """Return the odds of an attack of `side` for strengths of `foe` from `low` to `high`, in steps of `steps_of`."""
    mine, theirs = pos.field(here, OTHER[foe]), pos.field(here, foe)
    if mine is None or theirs is None:
        raise ValueError("two field stacks are needed in the hex (O9.1)")
    steps = steps_of(pos, mine.strength, low, high, attacking=side != foe)
    return {points: battle_odds(with_strength(pos, theirs, points), side, here) for points in steps}


def with_strength(pos: Position, stack: Stack, points: int) -> Draft:
    """Return the position in which a stack has `points` SP, all of the nation that it shows."""
    draft = Draft(pos)
    draft.put(with_troops(pos, stack, bag(stack.nation, points), stack.leaders, (points, points, pos.now)))
    draft.touched.clear()
    return draft


class SiegeOdds(msgspec.Struct, frozen=True):
    """Odds of a siege roll (O13.2): each result by name, and the rolls of the six dice."""

    strengths: tuple[int, int]
    results: tuple[tuple[str, Fraction], ...]
    rolls: tuple[SiegeRolled, ...]


class MarchOdds(msgspec.Struct, frozen=True):
    """Movement points of a force (O5.2, O6.1), and the probability of losing 1 SP in a force march."""

    points: Spread
    loss: Fraction


class OverwhelmOdds(msgspec.Struct, frozen=True):
    """The outcome of an overwhelming attack (O5.9), which succeeds against up to `most` SP without a die."""

    force: int
    low: int
    high: int
    most: int

    @property
    def is_certain(self) -> bool:
        return self.high <= self.most

    @property
    def is_hopeless(self) -> bool:
        return self.low > self.most


def siege_odds(pos: Position, side: Side, here: Hex) -> SiegeOdds:
    """Return the odds of a siege roll of `side` in a hex, with the strengths in `pos` (O13.2)."""
    camp, garrison = pos.field(here, side), pos.inside(here, OTHER[side])
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise ValueError("a field stack and an enemy garrison are needed in the hex (O13.1)")
    rolls = [(chance, events_of(end, SiegeRolled)[0]) for chance, end in ask(pos, SiegeRoll(side, here))]
    results: dict[str, Fraction] = {}
    for chance, roll in rolls:
        results[roll.result] = results.get(roll.result, Fraction(0)) + chance
    return SiegeOdds((camp.strength, garrison.strength), tuple(results.items()), tuple(roll for _, roll in rolls))


def march_odds(pos: Position, force: Stack) -> MarchOdds:
    """Return the movement points of a force before the die of its March Phase (O5.2)."""
    return _march_odds(pos, force, ForceDie(as_side(force.side), Marching(as_side(force.side), 0, False, True)))


def force_march_odds(pos: Position, force: Stack) -> MarchOdds:
    """Return the movement points of a force in a force march, and the probability of losing 1 SP (O6.1)."""
    return _march_odds(pos, force, ForceMarchDie(as_side(force.side), Marching(as_side(force.side), 0, True, True)))


def _march_odds(pos: Position, force: Stack, frame: Decision) -> MarchOdds:
    ends = ask(pos, frame, moving=force)
    points = spread((events_of(end, Rolled)[0].points, chance) for chance, end in ends)
    loss = (chance for chance, end in ends if events_of(end, SpLost) or isinstance(end.frames[-1], ForceLoss))
    return MarchOdds(points, sum(loss, Fraction(0)))


def overwhelm_odds(pos: Position, force: Stack, enemy: Stack, low: int, high: int) -> OverwhelmOdds:
    """Return whether a force overwhelms an enemy field stack of `low` to `high` SP (O5.9)."""
    march, most = Marching(as_side(force.side), 6, False, True), 0
    for points in range(low, min(high, force.strength) + 1):
        draft = with_strength(pos, enemy, points)
        draft.frames = (march,)
        draft.set_moving(msgspec.structs.replace(force, hex=enemy.hex, inside=False))
        attack_overwhelming(draft, march)
        if events_of(draft, Overwhelmed)[0].success:
            most = points
    return OverwhelmOdds(force.strength, low, high, most)


def recovery_odds(pos: Position, stack: Stack) -> Fraction:
    """Return the probability that a demoralized stack recovers in its next phase (O11.2); 0 without a commander."""
    if stack.commander < 0:
        return Fraction(0)
    return Fraction(sum(roll.success for roll in recovery_rolls(pos, stack)), 6)


def recovery_rolls(pos: Position, stack: Stack) -> tuple[Recovered, ...]:
    """Return the morale rolls of a stack with a commander for the dice 1 to 6 (O11.2)."""
    return tuple(events_of(end, Recovered)[0] for _, end in ask(pos, MoraleRoll(stack.key)))


def retreat_odds(pos: Position, stack: Stack, bonus: int | None = None) -> Spread:
    """Return how many hexes a field stack retreats if beaten in its hex; 0 if it must surrender (O9.7).

    `bonus` is its initiative as it counted in the battle, if that is over.
    """
    counts = initiative(pos, stack) if bonus is None else bonus
    ends = ask(pos, RetreatRoll(as_side(stack.side), stack.hex, counts))
    frames = ((end.frames[-1] if end.frames else None, chance) for chance, end in ends)
    return spread((frame.points if isinstance(frame, Retreating) else 0, chance) for frame, chance in frames)


def diplomacy_odds(pos: Position, power: PowerId, prussian: int, austrian: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the probabilities that a neutral power joins Prussia, Austria or none, with these points (C5.3, C5.4)."""
    results = [roll.result for roll in diplomacy_rolls(pos, power, prussian, austrian)]
    found = [Fraction(results.count(side), len(results)) for side in (*SIDES, NOBODY)]
    return found[0], found[1], found[2]


def diplomacy_rolls(pos: Position, power: PowerId, prussian: int, austrian: int) -> tuple[DiplomacyRolled, ...]:
    """Return the rolls of a power for the dice 1 to 6, with these Diplomacy Points on it (C5.3, C5.4)."""
    ends = ask(pos, DiplomacyRoll(power, prussian, austrian))
    return tuple(events_of(end, DiplomacyRolled)[0] for _, end in ends)


def attrition_odds(pos: Position, stack: Stack) -> Spread:
    """Return the SP that a stack may lose if it rolls for attrition now (O10.8, O14.2)."""
    return spread((roll.loss or 0, Fraction(1, 6)) for roll in attrition_rolls(pos, stack))


def attrition_rolls(pos: Position, stack: Stack) -> tuple[Starved, ...]:
    """Return the attrition rolls of a stack for the dice 1 to 6, if it rolls now (O10.8, O14.2)."""
    ends = ask(pos, AttritionRoll(stack.key, not is_supplied(pos, stack)))
    return tuple(events_of(end, Starved)[0] for _, end in ends)


class Fight(msgspec.Struct, frozen=True):
    """A battle in a hex, as `us` (0: the attacker, 1: the defender) asks for it; `foe` is the enemy, with his band."""

    stacks: tuple[Stack, Stack]
    us: Side
    band: Mapping[int, BattleOdds]
    retreats: tuple[Spread, Spread]
    """Hexes that each would retreat if beaten; 0: it would have to surrender (O9.7)."""

    @property
    def foe(self) -> Stack:
        return self.stacks[OTHER[self.us]]


class SiegeQuestion(msgspec.Struct, frozen=True):
    """A siege roll: the odds, each with its garrisons, from the weakest; the last holds for stronger ones too."""

    camp: Stack
    garrison: Stack
    rows: tuple[tuple[SiegeOdds, tuple[int, ...]], ...]
    is_open: bool
    """The garrison may be stronger than in the last row, with the same odds."""


class Overwhelming(msgspec.Struct, frozen=True):
    hex: Hex
    odds: OverwhelmOdds


class MarchQuestion(msgspec.Struct, frozen=True):
    """The movement points of a force by the die of the phase and in a force march, as asked.

    If its path ends at an enemy in the field, also the odds of an attack there.
    """

    force: Stack
    plain: MarchOdds | None = None
    forced: MarchOdds | None = None
    overwhelming: Overwhelming | None = None
    fight: Fight | None = None


class Recovery(msgspec.Struct, frozen=True):
    stack: Stack
    chance: Fraction


class Attrition(msgspec.Struct, frozen=True):
    stack: Stack
    loss: Spread


class Courting(msgspec.Struct, frozen=True):
    """The odds of a minor power with these modifiers: joining Prussia, Austria, none."""

    power: PowerId
    points: tuple[int, int]
    chances: tuple[Fraction, Fraction, Fraction]
    modifiers: Modifiers
    rolls: tuple[DiplomacyRolled, ...]


class Diplomacy(msgspec.Struct, frozen=True):
    """The powers that roll for their allegiance."""

    powers: tuple[Courting, ...]


Asked: TypeAlias = Fight | SiegeQuestion | Overwhelming | MarchQuestion | Recovery | Attrition | Diplomacy


def with_force(pos: Position, force: Stack) -> Position:
    """Return the position with a force in its hex, in place of the field stack there."""
    draft = Draft(pos)
    draft.put(force)
    draft.touched.clear()
    return draft


def facing_stacks(pos: Position, side: OwnerId, here: Hex) -> tuple[Stack, Stack]:
    """Return a side's field stack in a hex, and the enemy's. Raises Invalid if one has no SP."""
    mine, theirs = pos.field(here, side), pos.field(here, OTHER[side])
    if theirs is None or not theirs.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(here)}")
    if mine is None or not mine.sp:
        raise Invalid(f"you have no field stack at {hex_name(here)}: name a force behind the hex, a leader and +SP")
    return mine, theirs


def fight_at(pos: Position, side: Side, here: Hex, *, attacking: bool) -> Fight:
    """Return a battle of two field stacks, as `side` asks for it. Raises Invalid without them."""
    mine, theirs = facing_stacks(pos, side, here)
    band = battle_band(pos, side if attacking else OTHER[side], here, OTHER[side], theirs.low, theirs.high)
    first, second = stacks = (mine, theirs) if attacking else (theirs, mine)
    retreats = retreat_odds(pos, first), retreat_odds(pos, second)
    return Fight(stacks, 0 if attacking else 1, band, retreats)


def fight_of(pos: Position, force: Stack) -> Fight:
    """Return the attack of a force on the enemy in its assumed hex. Raises Invalid."""
    return fight_at(with_force(pos, force), as_side(force.side), force.hex, attacking=True)


def siege_at(pos: Position, side: Side, here: Hex) -> SiegeQuestion:
    """Return a siege roll of a side in a hex. Raises Invalid without a garrison to besiege."""
    camp, garrison = pos.field(here, side), pos.inside(here, OTHER[side])
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise Invalid(f"a siege at {hex_name(here)} needs a field stack of yours and an enemy garrison (O13.1)")
    last = min(garrison.high, camp.strength + 1)
    found: dict[tuple[tuple[str, Fraction], ...], tuple[SiegeOdds, list[int]]] = {}
    for points in range(min(garrison.low, last), last + 1):
        odds = siege_odds(with_strength(pos, garrison, points), side, here)
        found.setdefault(odds.results, (odds, []))[1].append(points)
    rows = tuple((odds, tuple(points)) for odds, points in found.values())
    return SiegeQuestion(camp, garrison, rows, last < garrison.high)


def overwhelming_of(pos: Position, force: Stack) -> Overwhelming:
    """Return an overwhelming attack on the enemy field stack in the force's hex. Raises Invalid without one."""
    enemy = pos.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp:
        raise Invalid(f"no enemy field stack with SP is at {hex_name(force.hex)}")
    return Overwhelming(force.hex, overwhelm_odds(pos, force, enemy, enemy.low, enemy.high))


def courting(pos: Position, power: PowerId, prussian: int, austrian: int) -> Courting:
    """Return the odds of a minor power with these Diplomacy Points on it."""
    points = prussian, austrian
    chances, rolls = diplomacy_odds(pos, power, *points), diplomacy_rolls(pos, power, *points)
    return Courting(power, points, chances, diplomacy_modifiers(pos, power, *points), rolls)


def ask_odds(data: GameData, view: View, text: str) -> tuple[Position, Asked]:
    """Return the answer to `text`, computed in the position as it is seen. Raises Invalid or Ambiguous."""
    ask, words = begin(text, TOPICS, "question of odds")
    if view.viewer not in SIDES:
        raise Invalid("only the two sides can see odds")
    pos = complete_view(data, view, AT_LEAST)
    return pos, ask(pos, Reader(data, pos, as_side(view.viewer), words))


def asked_hexes(pos: Position, side: Side) -> list[Hex]:
    """Return the hexes of the question being asked: possible attacks or sieges, or the place of the force under way."""
    if pos.moving is not None:
        return [pos.moving.hex]
    frame = pos.frames[-1] if pos.frames else None
    camps, (field, inside) = occupied_hexes(pos)[side][0], occupied_hexes(pos)[OTHER[side]]
    met = field if isinstance(frame, CombatPhase) else inside if isinstance(frame, SiegePhase) else 0
    return list(hexes_of(camps & met))


def _place(pos: Position, line: Reader) -> Hex:
    found = [] if line.words else asked_hexes(pos, line.actor)
    if len(found) > 1:
        raise Ambiguous(f"name a hex: {', '.join(map(hex_name, found))}")
    return found[0] if found else line.hex()


def _facing_at(pos: Position, line: Reader) -> tuple[Position, Hex]:
    """Read a hex, and perhaps a force assumed to be there; return the position with that force. Raises Invalid."""
    here = _place(pos, line)
    return with_force(pos, _named_force(pos, line, here)) if line.words else pos, here


def _attack(pos: Position, line: Reader) -> Fight:
    pos, here = _facing_at(pos, line)
    return fight_at(pos, line.actor, here, attacking=True)


def _defend(pos: Position, line: Reader) -> Fight:
    here = _place(pos, line)
    line.end()
    return fight_at(pos, line.actor, here, attacking=False)


def _named_force(pos: Position, line: Reader, here: Hex) -> Stack:
    """Read a force by its leaders and SP; without SP, all that its leaders may take along."""
    leaders, counts = line.force()
    line.end()
    own = line.power_of(leaders[0]) if leaders else line.major
    stack = locate(pos, leaders[0]) if leaders else None
    most = line.led(stack.sp, leaders) if stack is not None else 0
    sp = line.strength(counts, own, most) if counts else most
    return make_stack(pos, here, line.actor, False, sp, tuple(leaders))


def _siege(pos: Position, line: Reader) -> SiegeQuestion:
    here = _place(pos, line)
    line.end()
    return siege_at(pos, line.actor, here)


def _overwhelm(pos: Position, line: Reader) -> Overwhelming:
    pos, here = _facing_at(pos, line)
    return overwhelming_of(pos, facing_stacks(pos, line.actor, here)[0])


def _march(pos: Position, line: Reader) -> MarchQuestion:
    overwhelm = bool(line.words) and line.words[-1].endswith(BANG)
    leader = line.leader()
    stack = locate(pos, leader)
    if stack is None:
        raise Invalid(f"{pos.leader(leader).name} is not on the map")
    companions, counts = line.force(stack.leaders, own=line.power_of(leader))
    leaders = (leader, *companions)
    most = line.led(stack.sp, leaders)
    sp = line.strength(counts, line.power_of(leader), most) if counts else most
    path = _path(line, leader=leader)
    force = make_stack(pos, path[-1] if path else stack.hex, line.actor, False, sp, leaders, stack)
    march = MarchQuestion(force, march_odds(pos, force), force_march_odds(pos, force))
    enemy = pos.field(force.hex, OTHER[line.actor])
    if not (path and enemy is not None and enemy.sp and sp):
        return march
    tried = overwhelming_of(pos, force) if overwhelm else None
    return msgspec.structs.replace(march, overwhelming=tried, fight=fight_of(pos, force))


def _go(pos: Position, line: Reader) -> Fight:
    force = pos.moving
    if force is None or force.side != line.actor:
        raise Invalid("no force of yours is on the march")
    path = _path(line)
    return fight_of(pos, msgspec.structs.replace(force, hex=path[-1] if path else force.hex))


def _path(line: Reader, leader: LeaderId | None = None) -> tuple[Hex, ...]:
    given: Given = {} if leader is None else {"leader": leader}
    for part in LEG:
        part.read(line, given)
    path: tuple[Hex, ...] = given["path"]
    return path


def _own_stack(pos: Position, line: Reader) -> Stack:
    leader = line.read_optional_unit(line.likely())
    if leader is not None:
        stack = locate(pos, leader)
    else:
        here = line.hex()
        inside = line.has("inside")
        stack = line.source(here, inside) or (line.source(here, True) if not inside else None)
    line.end()
    if stack is None or stack.side != line.actor:
        raise Invalid("you have no stack there")
    return stack


def _recovery(pos: Position, line: Reader) -> Recovery:
    stack = _own_stack(pos, line)
    return Recovery(stack, recovery_odds(pos, stack))


def _attrition(pos: Position, line: Reader) -> Attrition:
    stack = _own_stack(pos, line)
    if not stack.sp:
        raise Invalid("leaders alone do not roll for attrition (O10.12)")
    return Attrition(stack, attrition_odds(pos, stack))


def _diplomacy(pos: Position, line: Reader) -> Diplomacy:
    chosen = [line.power()] if line.words else [power for power in MINORS if is_rolled(pos, power)]
    if set(chosen) - set(MINORS):
        raise Invalid("Diplomacy Points go to minor powers (C5.1)")
    points = [line.number("a number of Diplomacy Points") if line.words else 0 for _ in SIDES]
    line.end()
    return Diplomacy(tuple(courting(pos, power, points[0], points[1]) for power in chosen))


TOPICS: Final[Mapping[str, Callable[[Position, Reader], Asked]]] = {
    "attack": _attack,
    "defend": _defend,
    "siege": _siege,
    "besiege": _siege,
    "overwhelm": _overwhelm,
    "march": _march,
    "go": _go,
    "morale": _recovery,
    "recover": _recovery,
    "attrition": _attrition,
    "diplomacy": _diplomacy,
    "envoys": _diplomacy,
}
