"""Marches, wagons, actions on the way (R4, R5, R8, R9, V3); battles, sieges, reactions, retreats (R6, R7, R11, R12)."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.situation import LEAST_GAIN, LEAST_WIN, STRIKE, Situation
from leuthen.rulesets.campaigns.bot.troops import leaving_garrison
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import innermost
from leuthen.rulesets.campaigns.rules import r09_supply as supply
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
from leuthen.rulesets.campaigns.rules.r05_walk import FORCED, GATE, UNABLE, Walk
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow, companions_for, reaction_range
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL, ForcedMarches
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle import Leaving, Retreating
from leuthen.rulesets.campaigns.rules.r12_fight import current
from leuthen.wargame.board import ENDLESS, FAR, NOWHERE, Hex
from leuthen.wargame.search import NO_GOAL, Goal, Scorer
from leuthen.wargame.strength import LeaderId

NEVER: Final = -1000.0
HUNGER: Final = 0.12  # cost for each TP that is unfed tonight
TETHER: Final = 0.1  # cost for each TP that will be unfed tomorrow under leaders who cannot march then
OUTSIDE: Final = 0.05  # cost of a winter night in the open, for each TP (R17.6)
DANGER: Final = 0.8
ABLE: Final = 2  # least command for a forced march
TRIES: Final = 4  # ends of a march that are proposed
FACES: Final = 6
WORTH: Final = 2.0  # TP that a forced march must gain


class Prospects(Scorer):
    """Scores of hexes for an army: near its goal, fed, safe, and in battles worth fighting."""

    def __init__(self, s: Situation, units: Sequence[Unit], goal: Goal, left: Mapping[Hex, int]) -> None:
        self._s, self._units, self._left = s, units, left
        self._way = s.memory.ways.table(goal.hex) if goal.hex >= 0 else None
        tp, have = forces.strength(units), supply.stock(units)
        due = supply.need(s.pos, tp)
        bound = all(s.pos.leader(unit.number).command <= UNABLE for unit in units)  # who has to keep for the way back
        if have < due:
            self._unfed = -HUNGER * tp - 0.5
        elif due > 0 and have < 2 * due and s.pos.options.einhorn and bound:  # V3.1
            self._unfed = -TETHER * tp
        else:
            self._unfed = -0.3 * due / max(1, have - due + 1)
        self._outside = -OUTSIDE * tp if s.pos.is_winter else 0.0

    def score(self, here: Hex) -> float:
        return self._sure_terms(here) + self._meeting_term(here) + self._winter_term(here)

    def at_best(self, here: Hex) -> float:
        return inf if self._s.field(here, self._s.foe) else self._sure_terms(here) + self._winter_term(here)

    def _sure_terms(self, here: Hex) -> float:
        nearness = 0.0 if self._way is None else -float(min(ENDLESS, self._way[here]))
        hunger = 0.0 if supply.is_near(self._s.pos, here, self._s.side, False) else self._unfed
        return nearness + hunger + self._walk_in_term(here)

    def _walk_in_term(self, here: Hex) -> float:
        s, worth = self._s, self._s.worths.get(here, 0.0)
        if not worth or s.guards(here) or forces.field_tp(s.pos, here, s.foe) > 0:
            return 0.0
        return worth if self._left.get(here, 0) >= GATE else 0.7 * worth

    def _meeting_term(self, here: Hex) -> float:
        s, units = self._s, self._units
        enemy = s.field(here, s.foe)
        if not enemy:
            return -DANGER * s.danger(units, here)
        if here == units[0].hex:
            return 0.0
        mine = s.with_friends(units, here)
        odds = s.fight(mine, enemy, here)
        gain = odds.gain(forces.strength(mine), forces.strength(enemy))
        return NEVER if gain < LEAST_GAIN or odds.attacker_wins < LEAST_WIN else gain

    def _winter_term(self, here: Hex) -> float:
        """Return the cost of a winter hex without a depot or own place (R17.6)."""
        s = self._s
        if not self._outside or s.pos.owners.get(here) == s.side or supply.is_near(s.pos, here, s.side, False):
            return 0.0
        return self._outside


def goal_of(s: Situation, number: LeaderId) -> Goal:
    return s.plan.get(number, NO_GOAL) if s.pos.units[number].tp else NO_GOAL


def order_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    able = [
        unit for unit in s.generals
        if not why_not_lead(s.pos, unit.number, s.side, frame.command) and not is_shut(s.pos, unit)
    ]  # fmt: skip
    for unit in able:
        if not waits(s, unit):
            yield from (action for action in departure_marches(s, unit) if not would_abandon_wagons(s, action))
            yield from loading_marches(s, unit)
    yield from sorties(s, frame)
    yield from idle_actions(s, frame.command)
    yield from convoy_actions(s, frame)
    yield Done()
    for unit in able:
        yield from homeward_marches(s, unit)


def sorties(s: Situation, frame: Orders) -> Iterator[Action]:
    """Yield sorties of besieged leaders who should win (R10.7)."""
    for number in frame.able(s.pos):
        unit = s.pos.units[number]
        if is_shut(s.pos, unit):
            along = tuple(n for n in companions_of(s.pos, number) if s.pos.units[n].inside and s.pos.units[n].tp)
            if s.is_good_attack([unit, *(s.pos.units[n] for n in along)], s.field(unit.hex, s.foe), unit.hex):
                yield do.Sortie(number, along)


def waits(s: Situation, unit: Unit) -> bool:
    """Return whether a leader waits for a higher one with the same goal whose chit is still to come."""
    goal, command = goal_of(s, unit.number), s.pos.leader(unit.number).command
    if unit.daunted or goal.hex < 0:
        return False
    frame = innermost(s.pos.frames, Command)
    chits = {(chit.side, chit.command) for chit in frame.chits()} if frame is not None else ()
    return any(
        other.hex == unit.hex and other.inside == unit.inside and not other.moved
        and (s.side, s.pos.leader(other.number).command) in chits
        and s.pos.leader(other.number).command > command
        and goal_of(s, other.number).hex == goal.hex
        for other in s.generals
    )  # fmt: skip


def group_of(s: Situation, unit: Unit) -> tuple[LeaderId, ...]:
    """Return a leader's companions; all wagons come along if they would be left alone."""
    along = _led(s, unit)
    going = {unit.number, *along}
    if s.is_shelter(unit.hex) or any(one.number not in going for one in s.field(unit.hex, s.side)):
        return along
    wagons = [number for number in companions_of(s.pos, unit.number) if s.data.is_wagon(number)]
    return tuple(sorted(going.union(wagons) - {unit.number}))


def _led(s: Situation, unit: Unit) -> tuple[LeaderId, ...]:
    goal, pool = goal_of(s, unit.number), companions_of(s.pos, unit.number)
    units, wagons = s.pos.units, [n for n in pool if s.data.is_wagon(n)]
    leaders = [n for n in pool if n not in wagons]
    along = [n for n in leaders if not units[n].tp or goal_of(s, n).hex == goal.hex]
    if unit.daunted or any(units[n].daunted for n in along):
        along = [n for n in along if bool(units[n].daunted) == bool(unit.daunted)]
    tp = forces.strength([unit, *(units[n] for n in along)])
    return tuple(sorted((*along, *wagons[: min(2, supply.need(s.pos, tp))])))


def would_abandon_wagons(s: Situation, action: Action) -> bool:
    if not isinstance(action, do.March) or not action.path:
        return False
    here = s.pos.units[action.leader].hex
    going = {action.leader, *action.companions}
    left = [unit for unit in forces.units_at(s.pos, here, s.side) if unit.number not in going and not unit.inside]
    stays = any(unit.tp for unit in left) or not any(s.data.is_wagon(unit.number) for unit in left)
    return not stays and menace(s, here) > 0


def loading_marches(s: Situation, unit: Unit) -> Iterator[Action]:
    """Yield the march without a path with which an army out of supply loads SP where it is (V3.4)."""
    goal, along = goal_of(s, unit.number), group_of(s, unit)
    units = [unit, *(s.pos.units[number] for number in along)]
    is_fed, due = supply.is_near(s.pos, unit.hex, s.side, unit.inside), supply.need(s.pos, forces.strength(units))
    lacks = not is_fed and supply.stock(units) < 2 * due
    if lacks and not unit.daunted and goal.hex not in (NOWHERE, unit.hex) and next(loading(s, units), None):
        yield do.March(unit.number, along)


def idle_actions(s: Situation, command: int) -> Iterator[Action]:
    """Yield marches of leaders without TP to troops of their nation."""
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
                yield do.March(unit.number, (), False, path_of(walk, best))


def departure_marches(s: Situation, unit: Unit) -> Iterator[Action]:
    """Yield a leader's marches that are better than staying, with companions or alone.

    A besieger stays while it is safe enough.
    """
    goal = goal_of(s, unit.number)
    if unit.daunted:
        if unit.inside and not s.is_trap(unit.strength, unit.hex, 2 * STRIKE):
            return
        goal = Goal("refuge", NOWHERE, 0.0)
    elif (
        goal.hex == unit.hex
        and s.guards(unit.hex)
        and not unit.inside
        and s.danger([unit], unit.hex) < unit.strength / 3
    ):
        return
    for along in dict.fromkeys((group_of(s, unit), ())):
        walk, forage = _walk(s, unit, along)
        paths = list(paths_for(s, walk, goal))
        if paths and next(leaving_garrison(s, walk.units), None) is not None:
            yield do.March(unit.number, along, forage)
        for path in paths:
            yield do.March(unit.number, along, forage, path)


def _walk(s: Situation, unit: Unit, along: Sequence[LeaderId]) -> tuple[Walk, bool]:
    march = start_march(s.pos, s.side, unit.number, tuple(along))
    forage = supply.forage_values(s.pos, march.walk(s.pos).units)[0]
    return march.walk(s.pos, forage=forage), forage


def homeward_marches(s: Situation, unit: Unit) -> Iterator[Action]:
    """Yield marches of a demoralized leader, who must march to any legal end (V8.2)."""
    for along in ((), tuple(n for n in _led(s, unit) if not s.data.is_wagon(n))):
        walk, forage = _walk(s, unit, along)
        for there, _ in sorted(walk.havens or {(there, False) for there in walk.reach}):
            yield do.March(unit.number, along, forage, path_of(walk, there))


def paths_for(s: Situation, walk: Walk, goal: Goal) -> Iterator[tuple[Hex, ...]]:
    prospects = Prospects(s, walk.units, goal, {**walk.reach, walk.here: walk.left})
    stay = prospects.score(walk.here) if not walk.is_daunted else -float(FAR)
    places = [there for there in walk.reach if there != walk.here and not (walk.barred >> there & 1)]
    tried = 0
    for _, there in prospects.better(places, stay, s.weights.min_march_gain):
        if tried >= TRIES:
            return
        if walk.is_free or walk.can_end(there, walk.reach[there]):
            path = path_of(walk, there)
            if path:
                tried += 1
                yield path


def march_step_actions(s: Situation, frame: Marching) -> Iterator[Action]:
    walk = frame.walk(s.pos)
    units, here = walk.units, walk.here
    yield from errands(s, units)
    goal = goal_of(s, frame.lead)
    if not (goal.hex == here and s.guards(here)) and not (forces.field_tp(s.pos, here, s.foe) > 0 and frame.gone):
        yield from (do.Go(path, supply.forage_values(s.pos, units)[0]) for path in paths_for(s, walk, goal))
    yield from halts(s, walk)


def halts(s: Situation, walk: Walk) -> Iterator[Action]:
    """Halt inside if the enemy would win outside or the group is demoralized."""
    here = walk.here
    shelter = walk.is_daunted or s.danger(walk.units, here) > walk.tp / 5
    safe = here not in s.data.strongholds or not s.is_trap(walk.tp, here)
    inside = (shelter or walk.inside) and safe
    yield from (do.Halt(inside), do.Halt(not inside))
    for path in (path_of(walk, there) for there, _ in sorted(walk.havens)):
        if path:
            yield do.Go(path)
    yield from (do.Go(path_of(walk, there)) for there in walk.reach if there != here)


def passing_actions(s: Situation, frame: Passing) -> Iterator[Action]:
    """Yield actions in a hex on the way, before reactions (R4.4)."""
    if units := frame.units(s.pos):
        yield from errands(s, units)
    yield Done()


def errands(s: Situation, units: Sequence[Unit]) -> Iterator[Action]:
    if not why_not_seize(s.pos, units[0].hex, s.side, units):
        yield do.Seize()
    yield from loading(s, units)
    yield from leaving_garrison(s, units)


def loading(s: Situation, units: Sequence[Unit]) -> Iterator[Action]:
    """Load SP from a fort or from wagons on the way (V3.4)."""
    room = supply.load_room(s.pos, units)
    if room and s.pos.options.einhorn:
        for source in sources(s.pos, s.side, units):
            yield do.Absorb(source, min(room, FORT_SP if source < 0 else s.pos.units[source].sp))


def forced_actions(s: Situation, frame: ForcedMarches) -> Iterator[Action]:
    able = [number for number in frame.able(s.pos) if not s.would_leave_wagons((), number)]
    for number in able:
        unit = s.pos.units[number]
        if unit.strength >= s.weights.min_corps and not unit.inside and forced_march_gain(s, unit) > WORTH:
            yield do.Force(number)
    for number in able:
        unit, goal = s.pos.units[number], goal_of(s, number)
        walks_in = goal.kind == "take" and not s.guards(goal.hex) and 0 < s.way(unit.hex, goal.hex) < FORCED
        if walks_in and not unit.inside and s.pos.leader(number).command >= ABLE:
            yield do.Force(number)
    yield Done()


def forced_march_gain(s: Situation, unit: Unit) -> float:
    """Return the TP that a forced march to the best enemy in reach should gain, minus its own losses."""
    command = s.pos.leader(unit.number).command
    arrives = min(FACES - 1, command + 1) / FACES
    strain = unit.strength * TOLL / 100 / FACES * (command + 1 < FACES)
    best = 0.0
    for force in s.foes:
        if 0 < s.way(unit.hex, force.hex) <= FORCED:
            mine, enemy = s.with_friends([unit], force.hex), s.field(force.hex, s.foe)
            if s.is_good_attack(mine, enemy, force.hex):
                odds = s.fight(mine, enemy, force.hex)
                best = max(best, odds.gain(forces.strength(mine), forces.strength(enemy)))
    return arrives * best - strain


SERVES: Final = 9  # movement points to the armies that a depot serves
ROUND: Final = 15  # movement points that a wagon is sent at most
WAGON_STEP: Final = 6.0
AFAR: Final = 18  # movement points beyond which wagons fear no enemy


def convoy_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """Yield marches of wagons with the chit of command 1, by safe stages."""
    for number, unit in s.wagons:
        if why_not_lead(s.pos, number, s.side, frame.command) or is_shut(s.pos, unit) or unit.tp:
            continue
        walk = start_march(s.pos, s.side, number, ()).walk(s.pos)
        ends = [here for here in walk.reach if here != unit.hex and walk.can_end(here, walk.reach[here])]
        there = _end(s, walk, ends)
        if there >= 0:
            yield do.March(number, (), False, path_of(walk, there))


def _end(s: Situation, walk: Walk, ends: list[Hex]) -> Hex:
    here, risks = risk(s, walk.here), {there: risk(s, there) for there in ends}
    goal, safe = destination(s, walk.here), [there for there in ends if not risks[there]]
    if goal not in (NOWHERE, walk.here) and safe:
        there = min(safe, key=lambda there: (s.way(there, goal), there))
        if s.way(there, goal) < s.way(walk.here, goal):
            return there
    there = min(ends, key=lambda there: (risks[there], s.way(walk.here, there), there), default=walk.here)
    return there if risks.get(there, here) < here else NOWHERE


def risk(s: Situation, here: Hex) -> float:
    return max(0.0, menace(s, here) - forces.field_tp(s.pos, here, s.side))


def menace(s: Situation, here: Hex) -> float:
    """Return the enemy TP that may come, discounted by distance; 0 if they are too few for a siege."""
    away = [(force.tp, force.way[here]) for force in s.foes]
    feared = sum(tp * min(1.0, (AFAR - far) / (AFAR - STRIKE)) for tp, far in away if far < AFAR)
    return 0.0 if (forces.inside_tp(s.pos, here, s.side) > 0 and feared < s.data.kind_at(here).besieger) else feared


def destination(s: Situation, start: Hex) -> Hex:
    """Return the place that needs a wagon most, for a depot or for a hungry army; NOWHERE if there is none."""
    sites: dict[Hex, float] = {}
    fed = supply.depot_range(s.pos, s.side)
    for here in s.data.strongholds:
        if fed >> here & 1 or not forces.is_occupied(s.pos, here, s.side):
            continue
        if forces.is_besieged(s.pos, here, s.side) or forces.field_tp(s.pos, here, s.foe):
            continue
        served = sum(unit.strength for unit in s.generals if s.way(unit.hex, here) <= SERVES)
        if served and s.way(start, here) <= ROUND:
            sites[here] = served / (1 + s.way(start, here) / WAGON_STEP)
    hungry: dict[Hex, float] = {}
    for unit in s.generals:  # beyond the depots, who cannot pay much longer (V3.4)
        due = supply.need(s.pos, unit.strength)
        poor = not supply.is_near(s.pos, unit.hex, s.side, unit.inside) and unit.sp < 2 * due
        if poor and s.way(start, unit.hex) <= ROUND:
            hungry[unit.hex] = hungry.get(unit.hex, 0.0) + unit.strength / (1 + s.way(start, unit.hex) / WAGON_STEP)
    sites.update(hungry)
    return max(sites, key=lambda here: (sites[here], -here), default=NOWHERE)


def path_of(walk: Walk, there: Hex) -> tuple[Hex, ...]:
    """Return the path with most MP left, without its start; () if there is none."""
    if there not in walk.reach:
        return ()
    path = [there]
    while path[0] != walk.here:
        before = _before(walk, path[0])
        if before < 0 or len(path) > 12:
            return ()
        path.insert(0, before)
    return tuple(path[1:])


def _before(walk: Walk, last: Hex) -> Hex:
    for here in walk.pos.data.board.neighbours[last]:
        left = walk.reach.get(here)
        own = here == walk.here
        if left is None or (not own and walk.enemy_fields >> here & 1):
            continue
        if walk.steps(here, left, sets_out=own).get(last) == walk.reach[last]:
            return here
    return NOWHERE


def supply_actions(s: Situation, frame: supply.SupplyStep) -> Iterator[Action]:
    pos = s.pos
    for wagon in frame.builders(pos):
        if not supply.depot_range(pos, s.side) >> pos.units[wagon].hex & 1:
            yield do.Build(wagon)
    for leader, wagons in frame.loads(pos).items():
        unit = pos.units[leader]
        yield do.Load(leader, wagons[0], min(pos.units[wagons[0]].sp, supply.load_limit(pos, unit) - unit.sp))
    armies = {unit.hex for unit in s.generals}
    for here in frame.creatable(pos):
        if here in armies:
            have, tp = len(forces.wagons_at(pos, here, s.side)), forces.strength(s.field(here, s.side))
            if have < supply.need(pos, tp) or (not have and destination(s, here) >= 0):
                yield do.Create(here)
    yield Done()


def feeding_actions(s: Situation, frame: supply.Feeding) -> Iterator[Action]:
    """Feed where possible; besiegers keep their last SP for the siege (R11.5)."""
    if not frame.inside and s.guards(frame.hex) and supply.stock(s.field(frame.hex, s.side)) < 2 * frame.due:
        yield do.Starve()
    yield do.Feed()


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
            flees = odds.attacker_wins > LEAST_WIN and odds.gain(forces.strength(enemy), forces.strength(mine)) > FLIGHT
        if attacks or flees:
            saves_wagons = s.weights.saves_wagons and s.would_leave_wagons(along, number)
            for companions in (along, tp_along, ()) if saves_wagons else (tp_along, along, ()):
                yield do.React(number, companions)
    yield do.Hold()


def react_actions(s: Situation, frame: Reacting) -> Iterator[Action]:
    walk = frame.walk(s.pos)
    if s.is_good_attack(s.with_friends(walk.units, frame.hex), s.field(frame.hex, s.foe), frame.hex):
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
    here = current(s.pos).hex
    inside, mine = forces.troops_at(s.pos, here, s.side, True), s.field(here, s.side)
    if mine and s.is_good_attack([*mine, *inside], s.field(here, s.foe), here):
        yield do.Join(tuple(sorted(unit.number for unit in inside)))
    yield do.Hold()


def leave_actions(s: Situation, frame: Leaving) -> Iterator[Action]:
    """Break off a battle that is almost lost (R12.8)."""
    battle = current(s.pos)
    ours, theirs = battle.unbroken_units(s.pos, s.side), battle.unbroken_units(s.pos, s.foe)
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
        value = FED * supply.is_near(s.pos, here, s.side, inside)
        if not inside:
            return value - 0.2 * s.danger(units, here)
        if forces.is_besieged(s.pos, here, s.side) or s.is_trap(tp, here):
            return value - INSIDE
        return value + INSIDE - 3 * (tp > 3 * s.data.kind_at(here).garrison) - 4 * (here == frame.hex)

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
    if units := s.field(frame.hex, s.side):
        yield from leaving_garrison(s, units)
    yield Done()
