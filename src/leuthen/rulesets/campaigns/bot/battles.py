"""Battles, sieges, reactions and retreats (R6, R7, R11, R12)."""

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.marching import path_of
from leuthen.rulesets.campaigns.bot.situation import LEAST_WIN, Situation
from leuthen.rulesets.campaigns.bot.troops import leaving_garrison
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model.forces import is_besieged, strength, troops_at
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow, companions_for, reaction_range
from leuthen.rulesets.campaigns.rules.r09_supply import is_near
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle import Leaving, Retreating
from leuthen.rulesets.campaigns.rules.r12_fight import current, unbroken_units
from leuthen.wargame.board import Hex

SHUT: Final = 0.5  # cost in TP of slipping away into a fortress
TRAPPED: Final = 0.5  # share of a force that is lost where it is shut in
FLIGHT: Final = 2.0  # TP that the enemy must gain before a force slips away


def attack_actions(s: Situation, frame: Meeting | Rousing) -> Iterator[Action]:
    here = frame.hex if isinstance(frame, Rousing) else s.pos.units[frame.lead].hex
    yield do.Attack() if s.is_good_attack(s.field(here, s.side), s.field(here, s.foe), here) else do.Hold()


def reaction_actions(s: Situation, frame: ReactionWindow) -> Iterator[Action]:
    """Attack the mover where that pays, and slip away from a stronger one (R7)."""
    units, enemy = s.pos.units, s.field(frame.hex, s.foe)
    for number in sorted(frame.able(s.pos), key=lambda n: (-s.pos.leader(n).initiative, n)):
        unit, able = units[number], companions_for(s.pos, number, s.side)
        along = tuple(sorted(n for n in able if units[n].tp or n >= s.data.wagons))
        tp_along = tuple(n for n in along if units[n].tp)
        attacks = False
        if not s.guards(unit.hex):
            group = s.with_friends([unit, *(units[n] for n in tp_along)], frame.hex)
            crossed = reaction_range(s.pos, frame.hex, s.side)[unit.hex][1]
            attacks = s.is_good_attack(group, enemy, frame.hex, crossed=crossed)
        flees = False
        if not attacks and s.distance(unit.hex, frame.hex) <= 1:
            mine = s.field(unit.hex, s.side)
            odds = s.fight(enemy, mine, unit.hex)
            flees = odds.attacker_wins > LEAST_WIN and odds.gain(strength(enemy), strength(mine)) > FLIGHT
        if attacks or flees:
            saves_wagons = s.weights.saves_wagons and s.would_leave_wagons(along, number)
            for companions in (along, tp_along, ()) if saves_wagons else (tp_along, along, ()):
                yield do.React(number, companions)
    yield do.Hold()


def react_actions(s: Situation, frame: Reacting) -> Iterator[Action]:
    walk = frame.walk(s.pos)
    enemy = s.field(frame.hex, s.foe)
    if s.is_good_attack(s.with_friends(walk.units, frame.hex), enemy, frame.hex):
        path = path_of(walk, frame.hex)
        if path or walk.here == frame.hex:
            yield do.Move(path)
    ends: list[tuple[float, Hex, bool]] = []
    for there, left in walk.reach.items():
        if there == frame.hex:
            continue
        if not walk.why_not_end(there, left, True):
            ends.append((TRAPPED * walk.tp if s.is_trap(walk.tp, there) else SHUT, there, True))
        ends.append((s.danger(walk.units, there), there, False))
    if s.danger(walk.units, walk.here) > FLIGHT:
        for _, there, inside in sorted(ends):
            yield do.Move(path_of(walk, there), inside)
    yield do.Hold()


def join_actions(s: Situation, frame: Joining) -> Iterator[Action]:
    """Join from inside if that makes the battle a good one (R6.3)."""
    battle = current(s.pos)
    inside = troops_at(s.pos, battle.hex, s.side, True)
    mine = s.field(battle.hex, s.side)
    enemy = s.field(battle.hex, s.foe)
    if mine and s.is_good_attack([*mine, *inside], enemy, battle.hex):
        yield do.Join(tuple(sorted(unit.number for unit in inside)))
    yield do.Hold()


def leave_actions(s: Situation, frame: Leaving) -> Iterator[Action]:
    """Break off a battle that is almost lost (R12.8)."""
    battle = current(s.pos)
    ours, theirs = unbroken_units(s.pos, battle, s.side), unbroken_units(s.pos, battle, s.foe)
    if ours and theirs:
        attacks = battle.attacker == s.side
        odds = s.fight(ours, theirs, battle.hex) if attacks else s.fight(theirs, ours, battle.hex)
        if (odds.attacker_wins if attacks else odds.defender_wins) < s.weights.min_battle_chance:
            yield do.Withdraw()
    yield do.Hold()


INSIDE: Final = 6.0
FED: Final = 2.0


def retreat_actions(s: Situation, frame: Retreating) -> Iterator[Action]:
    """Yield retreats, best first: into a fort, near depots, far from the enemy."""
    units = [s.pos.units[number] for number in frame.group(s.pos)]
    tp = sum(unit.strength for unit in units)

    def rate(found: tuple[tuple[Hex, ...], bool]) -> float:
        path, inside = found
        here = path[-1] if path else frame.hex
        value = FED * is_near(s.pos, here, s.side, inside)
        if not inside:
            return value - 0.2 * s.danger(units, here)
        if is_besieged(s.pos, here, s.side) or s.is_trap(tp, here):
            return value - INSIDE
        crowded = tp > 3 * s.data.kind_at(here).garrison
        return value + INSIDE - 3 * crowded - 4 * (here == frame.hex)

    found = list(_ends(s, frame, (), frame.hex, frame.first(s.pos)))
    for path, inside in sorted(found, key=lambda end: (-rate(end), end)):
        yield do.Retreat(path, inside)


def _ends(
    s: Situation, frame: Retreating, path: tuple[Hex, ...], here: Hex, left: int
) -> Iterator[tuple[tuple[Hex, ...], bool]]:
    for inside in frame.ends(s.pos, here, left):
        yield path, bool(inside)
    for there, rest in frame.onward(s.pos, here, left).items():
        yield from _ends(s, frame, (*path, there), there, rest)


def siege_actions(s: Situation, frame: SiegeStep) -> Iterator[Action]:
    yield from (do.Besiege(here) for here in frame.open(s.pos))
    yield Done()


def occupation_actions(s: Situation, frame: Occupying) -> Iterator[Action]:
    units = s.field(frame.hex, s.side)
    if units:
        yield from leaving_garrison(s, units)
    yield Done()
