"""Exact odds: the rules themselves are asked, once for each answer of chance, up to a player's next decision.

Where the enemy's strength is not known, odds are worked out for both ends of what the viewer knows, and wherever
between them another column of the combat table begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, TypeAlias, TypeVar

import msgspec

from leuthen.core.board import Hex
from leuthen.core.ruleset import CHANCE
from leuthen.core.strength import bag
from leuthen.frederick.codec import position
from leuthen.frederick.decisions import Decision
from leuthen.frederick.events.base import Event
from leuthen.frederick.events.fighting import BattleFought, Overwhelmed, SiegeRolled
from leuthen.frederick.events.grand import DiplomacyRolled
from leuthen.frederick.events.operations import Recovered, Rolled, SpLost, Starved
from leuthen.frederick.gamedata import NOBODY, GameData
from leuthen.frederick.rules.combat import BattleRoll, CommanderRoll, commander_fate, open_battle, ratio_of
from leuthen.frederick.rules.diplomacy import DiplomacyRoll
from leuthen.frederick.rules.force_march import ForceLoss, ForceMarchDie
from leuthen.frederick.rules.march import ForceDie
from leuthen.frederick.rules.marching import Marching, attack_overwhelming
from leuthen.frederick.rules.morale import MoraleRoll
from leuthen.frederick.rules.siege import SiegeRoll
from leuthen.frederick.rules.supply import is_supplied
from leuthen.frederick.rules.winter import AttritionRoll
from leuthen.frederick.stacks import changed, make_stack
from leuthen.frederick.state import Draft, Position, Stack, State
from leuthen.frederick.view import SeenStack, View, bag_of
from leuthen.frederick.worlds import open_values

Spread: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Values and how probable each is, from the lowest up; the probabilities sum to one."""
E = TypeVar("E", bound=Event)
CRUSHED: Final = 4
"""Four to one overwhelms (O9.10): nothing changes for an enemy who is stronger still."""


class BattleOdds(msgspec.Struct, frozen=True):
    """What an attack may bring (O9). Pairs are attacker and defender; `win` and `lose` are the attacker's.

    `losses` are SP killed and `prisoners` SP taken from each side; `killed` and `captured` the probabilities that its
    commander is. `crushed` is the side that is overwhelmed without a die (O9.10), or NOBODY. `fights` is what each die
    brings, from 1 to 6; empty if somebody is crushed.
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
        """SP that the attacker (0) or the defender (1) loses in all: killed and taken."""
        if not self.fights:
            return self.prisoners[who]
        sums = [fight.losses[who] + _taken(fight, who) for fight in self.fights]
        return spread((points, Fraction(1, len(sums))) for points in sums)


class SiegeOdds(msgspec.Struct, frozen=True):
    """What a siege roll may bring (O13.2): each result by name, the rolls of the six dice."""

    strengths: tuple[int, int]
    results: tuple[tuple[str, Fraction], ...]
    rolls: tuple[SiegeRolled, ...]


class MarchOdds(msgspec.Struct, frozen=True):
    """Movement points of a force (O5.2, O6.1), and how probably it loses 1 SP in a force march."""

    points: Spread
    loss: Fraction


class OverwhelmOdds(msgspec.Struct, frozen=True):
    """Whether an overwhelming attack succeeds (O5.9): against `most` SP at the most; no die is cast."""

    force: int
    low: int
    high: int
    most: int

    @property
    def is_certain(self) -> bool:
        """Whether it succeeds whatever the enemy has."""
        return self.high <= self.most

    @property
    def is_hopeless(self) -> bool:
        """Whether it fails whatever the enemy has."""
        return self.low > self.most


def spread(parts: Iterable[tuple[int, Fraction]]) -> Spread:
    """Adds up the probabilities of equal values."""
    sums: dict[int, Fraction] = {}
    for value, chance in parts:
        sums[value] = sums.get(value, Fraction(0)) + chance
    return tuple(sorted(sums.items()))


def mean(values: Spread) -> Fraction:
    """The mean of a spread."""
    return sum((value * chance for value, chance in values), Fraction(0))


def at_least(values: Spread, least: int) -> Fraction:
    """How probably a value is `least` or more."""
    return sum((chance for value, chance in values if value >= least), Fraction(0))


def unfold(draft: Draft, kinds: tuple[type[Decision], ...]) -> Iterator[tuple[Fraction, Draft]]:
    """Every way in which chance may answer decisions of these kinds, with its probability."""
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
    """What one decision of chance may bring, in a position without any other decision."""
    draft = Draft(pos)
    draft.frames, draft.moving = (frame,), moving
    return list(unfold(draft, (type(frame),)))


def told(draft: Draft, kind: type[E]) -> list[E]:
    """The events of a kind that happened."""
    return [fact for fact in draft.facts if isinstance(fact, kind)]


def battle_odds(pos: Position, side: int, here: Hex) -> BattleOdds:
    """The odds of an attack by the field stack of `side` in a hex, with the strengths that stand in `pos` (O9)."""
    stacks = [pos.field(here, who) for who in (side, 1 - side)]
    strengths = tuple(stack.strength if stack is not None else 0 for stack in stacks)
    if not all(strengths):
        raise ValueError("two field stacks with SP are needed in the hex (O9.1)")
    draft = Draft(pos)
    draft.frames, draft.moving = (), None
    open_battle(draft, side, here)
    if told(draft, Overwhelmed):
        return _crushed(draft, side, strengths)
    return _sum_up(list(unfold(draft, (BattleRoll,))), side, strengths)


def _crushed(draft: Draft, side: int, strengths: tuple[int, ...]) -> BattleOdds:
    """Four to one, and no die: the weaker side is taken prisoner with all its leaders."""
    strong = told(draft, Overwhelmed)[0].side
    nothing: Spread = ((0, Fraction(1)),)
    taken = tuple(
        ((points, Fraction(1)),) if strong == who else nothing
        for points, who in zip(strengths, (1 - side, side), strict=True)
    )
    won, sure = Fraction(strong == side), (Fraction(strong != side), Fraction(strong == side))
    return BattleOdds(
        (strengths[0], strengths[1]),
        won,
        Fraction(0),
        1 - won,
        (nothing, nothing),
        (taken[0], taken[1]),
        (Fraction(0), Fraction(0)),
        sure,
        1 - strong,
        (),
    )


def _taken(fight: BattleFought, who: int) -> int:
    """The prisoners that the attacker (0) or the defender (1) loses."""
    loser = NOBODY if fight.winner == NOBODY else int(fight.winner == fight.side)
    return fight.prisoners if loser == who else 0


def _sum_up(ends: list[tuple[Fraction, Draft]], side: int, strengths: tuple[int, ...]) -> BattleOdds:
    fights = [(chance, told(end, BattleFought)[0]) for chance, end in ends]
    by_die = {fight.die: fight for _, fight in fights}

    def chance_of(winner: int) -> Fraction:
        return sum((chance for chance, fight in fights if fight.winner == winner), Fraction(0))

    def fate(who: int, word: str) -> Fraction:
        return sum((chance * _fate(end, (side, 1 - side)[who], word) for chance, end in ends), Fraction(0))

    return BattleOdds(
        (strengths[0], strengths[1]),
        chance_of(side),
        chance_of(NOBODY),
        chance_of(1 - side),
        (_of_fights(fights, 0), _of_fights(fights, 1)),
        (spread((_taken(f, 0), c) for c, f in fights), spread((_taken(f, 1), c) for c, f in fights)),
        (fate(0, "killed"), fate(1, "killed")),
        (fate(0, "captured"), fate(1, "captured")),
        NOBODY,
        tuple(by_die[die] for die in sorted(by_die)),
    )


def _fate(end: Draft, side: int, word: str) -> Fraction:
    """How probably the commander of a side meets a fate, after a battle's die (O8.3)."""
    rolls = [frame for frame in end.frames if isinstance(frame, CommanderRoll) and frame.side == side]
    fates = [commander_fate(die, lost=roll.lost) for roll in rolls for die in range(1, 7)]
    return Fraction(fates.count(word), 6)


def _of_fights(fights: list[tuple[Fraction, BattleFought]], who: int) -> Spread:
    return spread((fight.losses[who], chance) for chance, fight in fights)


def siege_odds(pos: Position, side: int, here: Hex) -> SiegeOdds:
    """The odds of a siege roll of `side` in a hex, with the strengths that stand in `pos` (O13.2)."""
    camp, garrison = pos.field(here, side), pos.inside(here, 1 - side)
    if camp is None or not camp.sp or garrison is None or not garrison.sp:
        raise ValueError("a field stack and an enemy garrison are needed in the hex (O13.1)")
    rolls = [(chance, told(end, SiegeRolled)[0]) for chance, end in ask(pos, SiegeRoll(side, here))]
    results: dict[str, Fraction] = {}
    for chance, roll in rolls:
        results[roll.result] = results.get(roll.result, Fraction(0)) + chance
    return SiegeOdds((camp.strength, garrison.strength), tuple(results.items()), tuple(roll for _, roll in rolls))


def march_odds(pos: Position, force: Stack) -> MarchOdds:
    """The movement points of a force before the die of its March Phase (O5.2)."""
    return _march(pos, force, ForceDie(force.side, Marching(force.side, 0, False, True)))


def force_march_odds(pos: Position, force: Stack) -> MarchOdds:
    """The movement points of a force that tries a force march, and the probability that it loses 1 SP (O6.1)."""
    return _march(pos, force, ForceMarchDie(force.side, Marching(force.side, 0, True, True)))


def _march(pos: Position, force: Stack, frame: Decision) -> MarchOdds:
    ends = ask(pos, frame, moving=force)
    points = spread((told(end, Rolled)[0].points, chance) for chance, end in ends)
    loss = (chance for chance, end in ends if told(end, SpLost) or isinstance(end.frames[-1], ForceLoss))
    return MarchOdds(points, sum(loss, Fraction(0)))


def overwhelm_odds(pos: Position, force: Stack, enemy: Stack, low: int, high: int) -> OverwhelmOdds:
    """Whether a force overwhelms an enemy field stack of `low` to `high` SP (O5.9)."""
    beaten = [points for points in range(low, min(high, force.strength) + 1) if _overwhelms(pos, force, enemy, points)]
    return OverwhelmOdds(force.strength, low, high, max(beaten, default=0))


def _overwhelms(pos: Position, force: Stack, enemy: Stack, points: int) -> bool:
    draft = with_strength(pos, enemy, points)
    march = Marching(force.side, 6, False, True)
    draft.frames, draft.moving = (march,), msgspec.structs.replace(force, hex=enemy.hex, inside=False)
    attack_overwhelming(draft, march)
    return told(draft, Overwhelmed)[0].success


def recovery_odds(pos: Position, stack: Stack) -> Fraction:
    """How probably a demoralized stack recovers in its side's next Morale Phase (O11.2); 0 without a commander."""
    if stack.commander < 0:
        return Fraction(0)
    ends = ask(pos, MoraleRoll(stack.key))
    return sum((chance for chance, end in ends if told(end, Recovered)[0].success), Fraction(0))


def diplomacy_odds(pos: Position, power: int, prussian: int, austrian: int) -> tuple[Fraction, Fraction, Fraction]:
    """How probably a neutral power joins Prussia, Austria, nobody, with these Diplomacy Points on it (C5.3, C5.4)."""
    found = [Fraction(0)] * 3
    for chance, end in ask(pos, DiplomacyRoll(power, prussian, austrian)):
        found[told(end, DiplomacyRolled)[0].result] += chance
    return found[0], found[1], found[2]


def attrition_odds(pos: Position, stack: Stack) -> Spread:
    """The SP that a stack may lose if it rolls for attrition now (O10.8, O14.2)."""
    return spread((roll.loss or 0, Fraction(1, 6)) for roll in attrition_rolls(pos, stack))


def attrition_rolls(pos: Position, stack: Stack) -> tuple[Starved, ...]:
    """What each die brings, from 1 to 6, if a stack rolls for attrition now (O10.8, O14.2)."""
    ends = ask(pos, AttritionRoll(stack.key, not is_supplied(pos, stack)))
    return tuple(told(end, Starved)[0] for _, end in ends)


def with_strength(pos: Position, stack: Stack, points: int) -> Draft:
    """The position if a stack had so many SP, all of the nation that it shows."""
    draft = Draft(pos)
    draft.put(changed(pos, stack, bag(stack.nation, points), stack.leaders, (points, points, pos.now)))
    draft.touched.clear()
    return draft


def as_seen(data: GameData, view: View) -> State:
    """A position with what a viewer knows: hidden stacks have the least SP that they may have, and no juniors."""
    values = open_values(view)
    pos = position(values, data)
    values["stacks"] = {stack.key: _least(pos, stack) for stack in view.stacks}
    values["moving"] = _least(pos, view.moving) if view.moving is not None else None
    return position(values, data)


def _least(pos: Position, seen: SeenStack) -> Stack:
    leaders = seen.leaders if seen.leaders is not None else (seen.commander,) if seen.commander >= 0 else ()
    sp = bag_of(seen.sp) if seen.sp is not None else bag(seen.nation, seen.least) if not seen.alone else 0
    band = (seen.low, seen.high, seen.since) if seen.low else (1, 999, 0)
    stack = make_stack(pos, seen.hex, seen.side, seen.inside, sp, leaders, None, band, bag_of(seen.marched or ()))
    state = {"demoralized": seen.demoralized, "quartered": seen.quartered, "hungry": seen.hungry}
    return msgspec.structs.replace(stack, **state)


def steps_of(pos: Position, mine: int, low: int, high: int, *, attacking: bool) -> list[int]:
    """Strengths of the enemy from `low` to `high` at which another column of the combat table begins (O9.3)."""
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


def battle_band(pos: Position, side: int, here: Hex, foe: int, low: int, high: int) -> Mapping[int, BattleOdds]:
    """The odds of an attack of `side` for strengths of the side `foe` from `low` to `high`, as `steps_of` has them."""
    mine, theirs = pos.field(here, 1 - foe), pos.field(here, foe)
    if mine is None or theirs is None:
        raise ValueError("two field stacks are needed in the hex (O9.1)")
    steps = steps_of(pos, mine.strength, low, high, attacking=side != foe)
    return {points: battle_odds(with_strength(pos, theirs, points), side, here) for points in steps}
