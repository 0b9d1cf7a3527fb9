"""Marches: who goes with whom, how far tonight, what is done on the way, and forced marches (R4, R5, R8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.convoys import convoy_actions, menace, path_of
from leuthen.rulesets.campaigns.bot.situation import NO_GOAL, STRIKE, Goal, Situation
from leuthen.rulesets.campaigns.bot.standing import at_best, score
from leuthen.rulesets.campaigns.bot.troops import leaving_garrison
from leuthen.rulesets.campaigns.model.actions import Absorb, Force, Go, Halt, March, Seize, Sortie
from leuthen.rulesets.campaigns.model.forces import strength, units_at
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.rules.r04_command.activation import Passing
from leuthen.rulesets.campaigns.rules.r04_command.command import (
    Command,
    Orders,
    companions_of,
    is_shut,
    start_march,
    why_not_lead,
)
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r05_hex_actions import FORT_SP, sources, why_not_seize
from leuthen.rulesets.campaigns.rules.r05_walk import FORCED, Walk
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL, ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply import forage_values, is_near, load_room, need, stock
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.ranking import best_first
from leuthen.wargame.strength import LeaderId
from leuthen.wargame.ways import FAR

ABLE: Final = 2
"""The command from which a forced march promises enough."""
TRIES: Final = 4
"""Ends of a march that are proposed, the best first."""
FACES: Final = 6
WORTH: Final = 2.0
"""TP that a forced march has to promise."""


def goal_of(s: Situation, number: LeaderId) -> Goal:
    """What a leader is for; nothing if he has no men."""
    return s.plan.get(number, NO_GOAL) if s.pos.units[number].tp else NO_GOAL


def order_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """The marches with this chit, the strongest first; then no more."""
    able = [
        unit for unit in s.generals
        if not why_not_lead(s.pos, unit.number, s.side, frame.command) and not is_shut(s.pos, unit)
    ]  # fmt: skip
    for unit in able:
        if not waits(s, unit):
            yield from (action for action in setting_out(s, unit) if not abandons(s, action))
            yield from loading_up(s, unit)
    yield from sorties(s, frame)
    yield from idle_actions(s, frame.command)
    yield from convoy_actions(s, frame)
    yield Done()
    for unit in able:
        yield from homecoming(s, unit)


def sorties(s: Situation, frame: Orders) -> Iterator[Action]:
    """Who is besieged falls upon the besiegers if he should beat them (R10.7)."""
    for number in frame.able(s.pos):
        unit = s.pos.units[number]
        if is_shut(s.pos, unit):
            along = tuple(n for n in companions_of(s.pos, number) if s.pos.units[n].inside and s.pos.units[n].tp)
            mine = [unit, *(s.pos.units[n] for n in along)]
            if s.is_good_attack(mine, s.field(unit.hex, s.foe), unit.hex):
                yield Sortie(number, along)


def waits(s: Situation, unit: Unit) -> bool:
    """Whether a leader waits for one of higher command who goes the same way, and whose chit is still to come."""
    if unit.daunted:
        return False
    goal, cup = goal_of(s, unit.number), _cup(s)
    if goal.hex < 0:
        return False
    command = s.pos.leader(unit.number).command
    return any(
        other.hex == unit.hex and other.inside == unit.inside and not other.moved
        and (s.side, s.pos.leader(other.number).command) in cup
        and s.pos.leader(other.number).command > command
        and goal_of(s, other.number).hex == goal.hex
        for other in s.generals
    )  # fmt: skip


def _cup(s: Situation) -> set[tuple[int, int]]:
    for frame in s.pos.frames:
        if isinstance(frame, Command):
            return {(chit.side, chit.command) for chit in frame.chits()}
    return set()


def group_of(s: Situation, unit: Unit) -> tuple[LeaderId, ...]:
    """Who goes along; all wagons, if nobody stays with them."""
    along = _led(s, unit)
    going = {unit.number, *along}
    stays = [one for one in s.field(unit.hex, s.side) if one.number not in going]
    if stays or s.is_shelter(unit.hex):
        return along
    wagons = [number for number in companions_of(s.pos, unit.number) if s.data.is_wagon(number)]
    return tuple(sorted(going.union(wagons) - {unit.number}))


def _led(s: Situation, unit: Unit) -> tuple[LeaderId, ...]:
    """Who goes along: those with the same goal, and wagons as the army needs them."""
    goal = goal_of(s, unit.number)
    pool = companions_of(s.pos, unit.number)
    along = [n for n in pool if s.pos.units[n].tp and goal_of(s, n).hex == goal.hex and not s.data.is_wagon(n)]
    along += [n for n in pool if not s.pos.units[n].tp and not s.data.is_wagon(n)]
    if unit.daunted or any(s.pos.units[n].daunted for n in along):
        along = [n for n in along if bool(s.pos.units[n].daunted) == bool(unit.daunted)]
    tp = strength([unit, *(s.pos.units[n] for n in along)])
    wagons = [n for n in pool if s.data.is_wagon(n)][: min(2, need(s.pos, tp))]
    return tuple(sorted((*along, *wagons)))


def abandons(s: Situation, action: Action) -> bool:
    """Whether a march leaves wagons to themselves where an enemy could strike."""
    if not isinstance(action, March) or not action.path:
        return False
    here = s.pos.units[action.leader].hex
    going = {action.leader, *action.companions}
    left = [unit for unit in units_at(s.pos, here, s.side) if unit.number not in going and not unit.inside]
    stays = any(unit.tp for unit in left) or not any(s.data.is_wagon(unit.number) for unit in left)
    return not stays and menace(s, here) > 0


def loading_up(s: Situation, unit: Unit) -> Iterator[Action]:
    """A march that goes nowhere yet: an army that cannot leave for want of bread takes some where it is (V3.4)."""
    goal, along = goal_of(s, unit.number), group_of(s, unit)
    units = [unit, *(s.pos.units[number] for number in along)]
    lacks = not is_near(s.pos, unit.hex, s.side, unit.inside) and stock(units) < 2 * need(s.pos, strength(units))
    if lacks and not unit.daunted and goal.hex not in (NOWHERE, unit.hex) and next(loading(s, units), None):
        yield March(unit.number, along)


def idle_actions(s: Situation, command: int) -> Iterator[Action]:
    """Leaders without men go where men of their nation are who have none as able."""
    for unit in s.idle:
        if why_not_lead(s.pos, unit.number, s.side, command) or is_shut(s.pos, unit):
            continue
        nation = s.pos.leader(unit.number).nation
        hosts = {one.hex for one in s.generals if s.pos.leader(one.number).nation == nation}
        if not hosts or unit.hex in hosts:
            continue
        there = min(hosts, key=lambda here: (s.way(unit.hex, here), here))
        walk = start_march(s.pos, s.side, unit.number, ()).walk(s.pos)
        ends = [here for here in walk.reach if here != unit.hex and walk.can_end(here, walk.reach[here])]
        if ends and s.way(unit.hex, there) < FAR:
            best = min(ends, key=lambda here: (s.way(here, there), here))
            if s.way(best, there) < s.way(unit.hex, there) and not (best != there and s.threat(best)):
                yield March(unit.number, (), False, path_of(walk, best))


def setting_out(s: Situation, unit: Unit) -> Iterator[Action]:
    """A leader's marches, if any is better than to stay, with his group; alone if it may not."""
    goal = goal_of(s, unit.number)
    if unit.daunted and unit.inside and not s.is_trap(unit.strength, unit.hex, 2 * STRIKE):
        return
    if unit.daunted:
        goal = Goal("refuge", NOWHERE, 0.0)
    elif besieges(s, unit, goal):
        return
    for along in dict.fromkeys((group_of(s, unit), ())):
        walk, forage = _walk(s, unit, along)
        paths = list(ways_for(s, walk, goal))
        if paths and next(leaving_garrison(s, walk.units), None) is not None:
            yield March(unit.number, along, forage)
        for path in paths:
            yield March(unit.number, along, forage, path)


def besieges(s: Situation, unit: Unit, goal: Goal) -> bool:
    """Whether a leader is before the place that he is to take, and safe enough to stay."""
    if goal.hex != unit.hex or not s.guards(unit.hex) or unit.inside:
        return False
    return s.danger([unit], unit.hex) < unit.strength / 3


def _walk(s: Situation, unit: Unit, along: Sequence[LeaderId]) -> tuple[Walk, bool]:
    march = start_march(s.pos, s.side, unit.number, tuple(along))
    units = march.walk(s.pos).units
    forage = forage_values(s.pos, units)[0]
    return march.walk(s.pos, forage=forage), forage


def homecoming(s: Situation, unit: Unit) -> Iterator[Action]:
    """A demoralized leader who has to march: to any end that the rules allow (V8.2)."""
    for along in ((), tuple(n for n in _led(s, unit) if not s.data.is_wagon(n))):
        walk, forage = _walk(s, unit, along)
        ends = sorted(walk.havens or {(there, False) for there in walk.reach})
        for there, _ in ends:
            yield March(unit.number, along, forage, path_of(walk, there))


def ways_for(s: Situation, walk: Walk, goal: Goal) -> Iterator[tuple[Hex, ...]]:
    """The paths to the best ends that are better than to stay."""
    here = walk.here
    stay = score(s, walk.units, goal, here, walk.left) if not walk.is_daunted else -FAR
    units, reach = walk.units, walk.reach
    bounds = [
        (bound, there)
        for there, left in reach.items()
        if there != here
        and not (walk.barred >> there & 1)
        and (bound := at_best(s, units, goal, there, left)) > stay + s.weights.min_march_gain
    ]
    tried = 0
    for value, there in best_first(bounds, lambda there: score(s, units, goal, there, reach[there])):
        if value <= stay + s.weights.min_march_gain or tried >= TRIES:
            return
        if walk.is_free or walk.can_end(there, walk.reach[there]):
            path = path_of(walk, there)
            if path:
                tried += 1
                yield path


def on_the_way(s: Situation, frame: Marching) -> Iterator[Action]:
    """What a group does where it is: takes the place, loads, leaves a garrison; goes on, or halts."""
    walk = frame.walk(s.pos)
    units = walk.units
    yield from errands(s, units)
    goal = goal_of(s, frame.lead)
    besieges = goal.hex == walk.here and s.guards(walk.here)
    if not besieges and not (s.holds_field(walk.here) and frame.gone):
        for path in ways_for(s, walk, goal):
            yield Go(path, forage_values(s.pos, units)[0])
    yield from halts(s, walk)


def passing_actions(s: Situation, frame: Passing) -> Iterator[Action]:
    """What a group does in a hex of its way before anybody reacts (R4.4)."""
    units = frame.units(s.pos)
    if units:
        yield from errands(s, units)
    yield Done()


def errands(s: Situation, units: Sequence[Unit]) -> Iterator[Action]:
    """A place is taken, SP are loaded, a garrison is left."""
    if not why_not_seize(s.pos, units[0].hex, s.side, units):
        yield Seize()
    yield from loading(s, units)
    yield from leaving_garrison(s, units)


def halts(s: Situation, walk: Walk) -> Iterator[Action]:
    """The end: inside if the enemy would beat the group outside, or if it is demoralized."""
    shelter = walk.is_daunted or s.danger(walk.units, walk.here) > walk.tp / 5
    safe = walk.here not in s.data.strongholds or not s.is_trap(walk.tp, walk.here)
    inside = [True, False] if (shelter or walk.inside) and safe else [False, True]
    yield from (Halt(flag) for flag in inside)
    for path in (path_of(walk, there) for there, _ in sorted(walk.havens)):
        if path:
            yield Go(path)
    yield from (Go(path_of(walk, there)) for there in walk.reach if there != walk.here)


def loading(s: Situation, units: Sequence[Unit]) -> Iterator[Action]:
    """SP from the fort or from wagons that are passed (V3.4)."""
    room = load_room(s.pos, units)
    if not room or not s.pos.options.einhorn:
        return
    for source in sources(s.pos, s.side, units):
        have = FORT_SP if source < 0 else s.pos.units[source].sp
        yield Absorb(source, min(room, have))


def forced_actions(s: Situation, frame: ForcedMarches) -> Iterator[Action]:
    """A leader falls upon the enemy; or goes to an empty place, as ever."""
    for number in frame.able(s.pos):
        unit = s.pos.units[number]
        is_army = unit.strength >= s.weights.min_corps and not unit.inside
        if is_army and forced_march_gain(s, unit) > WORTH and not s.deserts((), number):
            yield Force(number)
    for number in frame.able(s.pos):
        if _hurries(s, number) and not s.deserts((), number):
            yield Force(number)
    yield Done()


def _hurries(s: Situation, number: LeaderId) -> bool:
    unit = s.pos.units[number]
    if not unit.tp or unit.inside or s.pos.leader(number).command < ABLE:
        return False
    goal = goal_of(s, number)
    return goal.kind == "take" and not s.guards(goal.hex) and 0 < s.way(unit.hex, goal.hex) < FORCED


def forced_march_gain(s: Situation, unit: Unit) -> float:
    """What a forced march upon the best enemy in reach should gain, in TP, the strained march paid."""
    command = s.pos.leader(unit.number).command
    arrives = min(FACES - 1, command + 1) / FACES
    strain = unit.strength * TOLL / 100 / FACES * (command + 1 < FACES)
    return arrives * max((prize(s, unit, force.hex) for force in s.foes), default=0.0) - strain


def prize(s: Situation, unit: Unit, there: Hex) -> float:
    """What a leader should gain by an attack on the enemy in a hex, 0 if he is out of reach or too strong."""
    if not 0 < s.way(unit.hex, there) <= FORCED:
        return 0.0
    mine, enemy = s.with_friends([unit], there), s.field(there, s.foe)
    if not s.is_good_attack(mine, enemy, there):
        return 0.0
    return s.fight(mine, enemy, there).gain(strength(mine), strength(enemy))
