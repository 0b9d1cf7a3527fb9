"""Layers over the map with the reach of a force, and warnings before a phase ends, from the viewer's own knowledge."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Final, NamedTuple, Self

import msgspec

from leuthen.engine.choice import ByKind
from leuthen.engine.refusal import Invalid, Refusal
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, ViewerId, is_side
from leuthen.rulesets.frederick.knowledge import View
from leuthen.rulesets.frederick.model.data import ALL_POWERS, TERRITORIES, GameData
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, Stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.odds import attrition_rolls
from leuthen.rulesets.frederick.rules import o05_forces as walking
from leuthen.rulesets.frederick.rules import o10_supply as supply
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c05_council import POINTS, EnvoyChoice, Losses, RaiseChoice, new_sp
from leuthen.rulesets.frederick.rules.c08_redeployment import Freeing, Redeploying, Reinforcing, newcomers
from leuthen.rulesets.frederick.rules.c12_victory import holders, vp_of
from leuthen.rulesets.frederick.rules.o05_march import ForceMarchPhase, MarchPhase, available, walk_from
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o12_fortresses import why_not_quarter
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase, why_not_besiege
from leuthen.rulesets.frederick.rules.o14_attrition import ReinforcementPhase, must_roll
from leuthen.rulesets.frederick.screen.scene import Report, belonging
from leuthen.screen.forces import KnownForce, Undone, band, collect_leftovers, note
from leuthen.screen.forms import Entry, Leg, find_reach, path_to
from leuthen.screen.values import Layer, Left, Place, Shade, Trace
from leuthen.wargame.board import Hex, Hexes, hex_name, hex_set, hexes_of
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import LeaderId, bag, of


class Hungry(NamedTuple):
    """A stack that will roll for attrition, with percentage and SP lost by die, from 1 to 6."""

    stack: Stack
    is_unsupplied: bool
    losses: tuple[tuple[int, int], ...]

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(points for _, points in self.losses), len(self.losses))

    @property
    def text(self) -> str:
        """The risk in words: "out of supply, rolls on 2–4 for 5 %, on 5–6 for 10 %: 0.8 SP on average"."""
        parts: list[str] = []
        for percent, group in groupby(enumerate(self.losses, 1), key=lambda item: item[1][0]):
            dice = [die for die, _ in group]
            if percent:
                span = f"{dice[0]}–{dice[-1]}" if len(dice) > 1 else f"{dice[0]}"
                parts.append(f"on {span} for {percent} %")
        why = "out of supply" if self.is_unsupplied else "in the open in winter"
        rolls = f"rolls {', '.join(parts)}" if parts else "rolls without a loss"
        return f"{why}, {rolls}: {float(self.mean):.1f} SP on average"

    @property
    def rule(self) -> str:
        return "O10.8" if self.is_unsupplied else "O14.2"


def hungry_stacks(pos: Position, side: OwnerId) -> list[Hungry]:
    """Return the stacks of a side that would roll if its Attrition Phase were now, in the order of the board."""
    found: list[Hungry] = []
    for stack in pos.own(side):
        out = bool(stack.sp) and not supply.is_supplied(pos, stack)
        if stack.sp and must_roll(pos, stack, hungry=out):
            losses = tuple((roll.percent, roll.loss or 0) for roll in attrition_rolls(pos, stack))
            found.append(Hungry(stack, out, losses))
    return found


class Review(Report):
    def stack(self, stack: Stack) -> str:
        """Return an own stack in words: "Keith, 8 SP, at 1623 Dresden"."""
        return self.army(stack, stack.strength, stack.strength).describe()

    def enemy(self, stack: Stack) -> str:
        return self.army(stack, stack.low, stack.high).summary

    def army(self, stack: Stack, low: int, high: int) -> KnownForce:
        who = self.name(stack.commander) if stack.commander >= 0 else ""
        return KnownForce(who, bool(stack.inside), self.place(stack.hex), low, high, "SP")

    def facing(self) -> Iterator[tuple[Stack, Stack]]:
        """Yield the own field stacks with SP that share a hex with enemy SP."""
        for stack in self.pos.own(self.side_asked):
            enemy = None if stack.inside or not stack.sp else self.pos.field(stack.hex, OTHER[self.side_asked])
            if enemy is not None and enemy.sp:
                yield stack, enemy


def left_undone(data: GameData, view: View) -> tuple[Left, ...]:
    """Return the warnings if the viewer ends the phase now; none if it is not the viewer's decision."""
    if view.viewer not in SIDES or view.outcome is not None:
        return ()
    review = Review(data, view)
    is_asked = view.viewer in review.pos.frames[-1].actors(review.pos)
    return collect_leftovers(review, reversed(view.frames), _BY_DECISION) if is_asked else ()


def _march(review: Review, phase: MarchPhase) -> Iterator[Undone]:
    yield from _hungry(review)
    yield from _idle(review, phase.die)
    for stack in review.pos.own(review.side_asked):
        if stack.demoralized and stack.commander < 0:
            text = f"{review.stack(stack)}: demoralized, and cannot recover without a commander"
            yield note(text, "O11.2", stack.hex)
    yield from _works(review)
    yield from _camps(review)
    if review.pos.is_winter:
        yield from _empty(review)


def _hungry(review: Review) -> Iterator[Undone]:
    for hungry in hungry_stacks(review.pos, review.side_asked):
        text = f"{review.stack(hungry.stack)}: {hungry.text}"
        yield note(text, hungry.rule, hungry.stack.hex, float(hungry.mean))


def _idle(review: Review, die: int) -> Iterator[Undone]:
    pos = review.pos
    able = set(available(pos, review.side_asked, forced=False))
    for stack in pos.own(review.side_asked):
        leaders = tuple(leader for leader in stack.leaders if leader in able)
        fresh = stack.sp - stack.marched
        if leaders and (fresh or not stack.sp):
            force = pos.make_stack(stack.hex, stack.side, stack.inside, fresh, leaders, stack)
            walk = walk_from(pos, stack, (force.commander,), fresh, die, forced=False) if die else None
            left = walk.allowance - walk.spent if walk is not None else 1
            if left > 0:
                points = f", {left} MP left" if walk is not None else ""
                names = ", ".join(map(review.name, leaders))
                what = f"with {force.strength} SP" if fresh else "without SP"
                yield note(f"{names} {what} at {review.place(stack.hex)} may still march{points}", "O5.2", stack.hex)


def _works(review: Review) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    for here, depot in supply.own_depots(pos, side):
        if depot.complete:
            continue
        stack = pos.field(here, side)
        fed = supply.supply(pos, side)[review.data.powers[depot.power].supply] >> here & 1
        why = "no SP stay with it" if stack is None or not stack.sp else "the hex is out of supply" if not fed else ""
        if why:
            yield note(f"Depot under construction at {review.place(here)} will be lost: {why}", "O10.10", here, 1)


def _camps(review: Review) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    for stack in pos.own(side):
        garrison = pos.inside(stack.hex, OTHER[side])
        refusal = why_not_besiege(pos, stack.hex, side)
        if not stack.inside and stack.sp and garrison is not None and garrison.sp and refusal is not None:
            reason = refusal.reason.format(*refusal.numbers)
            yield note(f"Siege of {review.place(stack.hex)}: no roll at present: {reason}", refusal.rule, stack.hex)


def _empty(review: Review) -> Iterator[Undone]:
    pos = review.pos
    for here, owner in sorted(pos.owners.items()):
        points = vp_of(pos, here)
        if owner == review.side_asked and points and holders(pos)[here] == NOBODY:
            yield note(f"{review.place(here)} is empty: its {points} VP do not count", "C12.2", here, points / 100)


def _force_march(review: Review, phase: ForceMarchPhase) -> Iterator[Undone]:
    able = set(available(review.pos, review.side_asked, forced=True))
    for stack, enemy in review.facing():
        if able & set(stack.leaders):
            text = f"{review.stack(stack)} can still try to escape from {review.enemy(enemy)}"
            yield note(text, "O6.2", stack.hex, 0.01)
    yield from _hungry(review)


def _combat(review: Review, phase: CombatPhase) -> Iterator[Undone]:
    declared = {here for _, here in phase.declared}
    for stack, enemy in review.facing():
        if stack.hex not in declared:
            bound = stack.hex in review.pos.bound and phase.declaring == phase.side
            text = f"{review.stack(stack)} has not attacked {review.enemy(enemy)} at {review.place(stack.hex)}"
            more = ", but must after a failed overwhelming attack" if bound else ""
            yield note(text + more, "O5.17" if bound else "O9.2", stack.hex, float(bound))


def _siege(review: Review, phase: SiegePhase) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    for stack in pos.own(side):
        here = stack.hex
        if not stack.inside and here not in phase.rolled and why_not_besiege(pos, here, side) is None:
            garrison = pos.stack_at(here, OTHER[side], 1)
            rolls = format_count(pos.sieges.get(here, 0), "roll")
            inside = band(garrison.low, garrison.high)
            text = f"Siege of {review.place(here)}, {inside} SP inside, {rolls} so far: no roll yet this phase"
            yield note(text, "O13.1", here)
    yield from _camps(review)


def _depots(review: Review, phase: supply.DepotPhase) -> Iterator[Undone]:
    for stack in review.pos.own(review.side_asked):
        if not stack.inside and stack.sp and supply.why_not_build(review.pos, stack.hex, review.side_asked) is None:
            yield note(f"{review.stack(stack)} can begin a depot", "O10.4", stack.hex)
    yield from _works(review)


def _quarters(review: Review, phase: ReinforcementPhase) -> Iterator[Undone]:
    for hungry in hungry_stacks(review.pos, review.side_asked):
        refusal = why_not_quarter(review.pos, hungry.stack)
        why = "can go into quarters" if refusal is None else refusal.reason.format(*refusal.numbers)
        text = f"{review.stack(hungry.stack)}: not in quarters ({why}): {hungry.text}"
        yield note(text, hungry.rule, hungry.stack.hex, float(hungry.mean))


def _deployment(review: Review, phase: Deployment) -> Iterator[Undone]:
    sp, leaders, has_depot = phase.left(review.pos, review.side_asked)
    if sp:
        yield note(f"Still to place: {sp} SP", "C2.6", cost=sp)
    if leaders:
        yield note(f"Still to place: {', '.join(map(review.name, leaders))}", "C2.6", cost=1)
    if has_depot:
        yield note("Still to place: the depot", "C2.6", cost=1)


def _raise(review: Review, phase: RaiseChoice) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    yield note(f"{pos.rp[side]} RP: each raises about {new_sp(pos, side, 1)} SP; unspent RP are saved", "C6.2")


def _losses(review: Review, phase: Losses) -> Iterator[Undone]:
    if left := phase.left(review.pos):
        yield note(f"{left} more SP of {review.data.powers[phase.power].name} to lose", "C7.5", cost=left)


def _redeploying(review: Review, phase: Redeploying) -> Iterator[Undone]:
    yield from _empty(review)
    for stack in review.pos.own(review.side_asked):
        if stack.sp and stack.hex not in review.data.fortresses:
            yield note(f"{review.stack(stack)} stays in the open; it can move to a fortress", "C8.6", stack.hex)


def _reinforcing(review: Review, phase: Reinforcing) -> Iterator[Undone]:
    pos = review.pos
    for power, nature in zip(ALL_POWERS, review.data.powers, strict=True):
        if pos.side_of(power) == review.side_asked:
            leaders, points = newcomers(pos, power)
            if leaders or points:
                names = "".join(f", {review.name(leader)}" for leader in leaders)
                yield note(f"{nature.name}: {points} SP{names} waiting to be placed", "C8.7", cost=points)


_BY_DECISION: Final[ByKind[Decision, Review, Iterable[Undone]]] = {
    MarchPhase: _march,
    ForceMarchPhase: _force_march,
    CombatPhase: _combat,
    SiegePhase: _siege,
    supply.DepotPhase: _depots,
    ReinforcementPhase: _quarters,
    Deployment: _deployment,
    EnvoyChoice: lambda review, phase: [
        note(f"{POINTS[review.side_asked]} Diplomacy Points: unused points are lost", "C5.1", cost=1)
    ],
    RaiseChoice: _raise,
    Losses: _losses,
    Freeing: lambda review, phase: [note(f"{phase.left} SP still to be freed", "C11.1", cost=phase.left)],
    Redeploying: _redeploying,
    Reinforcing: _reinforcing,
    Occupation: lambda review, phase: [
        note(f"{review.place(phase.hex)} has fallen and is empty: only the field stack holds it", "O13.5", phase.hex, 1)
    ],
}


BOUNDLESS: Final = 90
"""Enough MP to cross the whole board, but fewer than DONE."""


class ForceLeg(Leg):
    def __init__(self, walk: walking.Walk) -> None:
        self.walk = walk
        self.here = walk.here
        self.most = walk.allowance

    def reach(self) -> dict[Hex, Entry]:
        return {} if self.walk.ended else spread(self.walk, {self.walk.here: self.walk.spent})

    def price(self, there: Hex, found: Mapping[Hex, Entry]) -> str:
        """Return the price with the reasons for extra cost; one hex is allowed beyond the force's MP (O5.6)."""
        always = ", the one hex that is always allowed (O5.6)" if found[there].spent > self.most else ""
        return f"{price_of_step(self.walk, found[there].before, there)}{always}"

    def after(self, path: Sequence[Hex], entry: Entry) -> Self:
        walk = copy.copy(self.walk)
        for there in path:
            walk.enter(there)
        return type(self)(walk)

    def why_not(self, goal: Hex, found: Mapping[Hex, Entry]) -> Refusal:
        walk = self.walk
        left = max(0, walk.allowance - walk.spent)
        if walk.ended:
            return walking.why_ended(walk)
        free = copy.copy(walk)
        free.allowance = BOUNDLESS
        found = spread(free, {free.here: free.spent})
        if goal in found:
            path = [walk.here, *path_to(found, walk.here, goal)]
            steps = "; ".join(f"{hex_name(b)} {price_of_step(walk, a, b)}" for a, b in pairwise(path))
            need = found[goal].spent - walk.spent
            return Refusal("O5.3", "{} needs {} MP, has {} ({})", (hex_name(goal), need, left, steps), goal)
        near = list(walk.pos.data.board.neighbours[goal]) if walk.pos.data.board.is_in_play(goal) else []
        for there in near:
            if there in found or there == walk.here:
                free.here, free.spent = there, 1
                if goal not in free.next_hexes():
                    return free.forbids(goal)
        far = walk.pos.data.board.distances(goal)
        if stops := [(far[there], there) for there, entry in found.items() if entry.stops and there in far]:
            there = min(stops)[1]
            free.here, free.spent = found[there].before, 1
            free.enter(there)
            return walking.why_ended(free)
        return Refusal("O5.4", "no march can reach {}", (hex_name(goal),), goal)


def spread(walk: walking.Walk, starts: Mapping[Hex, int], *, through: bool = False) -> dict[Hex, Entry]:
    """Return all hexes that a force can enter from any of the starts, without the starts.

    `through` continues past the end of a leg, unless an enemy field stack is there (O5.8).
    """
    walk = copy.copy(walk)

    def onward(here: Hex, spent: int, settled: set[Hex]) -> Iterator[tuple[Hex, int, bool]]:
        walk.here, walk.spent = here, spent
        for there in [there for there in walk.next_hexes() if there not in settled]:
            walk.here, walk.spent = here, spent
            walk.enter(there)
            stops = walk.ended and (not through or walking.enemy_in_field(walk.pos, walk.here, walk.side) is not None)
            yield there, walk.spent, stops

    return find_reach(starts, onward)


def price_of_step(walk: walking.Walk, before: Hex, there: Hex) -> str:
    step = copy.copy(walk)
    step.here = before
    return step.price(there)


WORST: Final = 6
SALLY: Final = 1
"""The MP of an overwhelming attack (O5.9)."""


class Ranged(NamedTuple):
    """The leader and hex from which an enemy could come, with the MP; `is_twice` means by march and force march
    only."""

    leader: LeaderId
    start: Hex
    points: int
    is_twice: bool = False


def ranges(pos: Position, here: Hex, viewer: ViewerId) -> tuple[Stack, dict[Hex, tuple[int, int]]] | None:
    """Return the force of the leader at a place who reaches farthest, and the hexes in reach with the lowest die and
    the MP; or None.

    The viewer's own stacks come first; of others only what the viewer sees counts.
    """
    sides = (viewer, OTHER[viewer]) if is_side(viewer) else SIDES
    stacks = (pos.at(here, side, inside) for side in sides for inside in (0, 1))
    stack = next((stack for stack in stacks if stack is not None and stack.leaders), None)
    if stack is None:
        return None
    # the SP that each leader may take along by himself (O5.1); a demoralized stack goes whole (O11.1)
    whole, powers = stack.demoralized, {leader: pos.leader(leader).power for leader in stack.leaders}
    parts = [(n, stack.sp if whole else bag(power, of(stack.sp, power))) for n, power in powers.items()]
    forces = [pos.make_stack(stack.hex, stack.side, False, sp, (leader,), stack) for leader, sp in parts]
    force = max(forces, key=lambda one: (one.sp > 0, walking.initiative(pos, one), -one.commander))
    least: dict[Hex, tuple[int, int]] = {}
    for die in range(1, 7):
        walk = walk_from(pos, stack, force.leaders, force.sp, die, forced=False)
        walk.spent = 0
        for there, entry in spread(walk, {here: 0}, through=True).items():
            least.setdefault(there, (die, min(entry.spent, walk.allowance)))
    return force, least


def threats(pos: Position, side: OwnerId) -> dict[Hex, Ranged]:
    able = [stack for stack in pos.own(side) if stack.sp and stack.commander >= 0 and not stack.quartered]
    stacks = [stack for stack in able if not walking.is_coming_out(pos, stack)]
    ways = [(s.hex, Ranged(s.commander, s.hex, SALLY)) for s in able if s not in stacks]  # O13.7
    for group in ([s for s in stacks if not s.demoralized], [s for s in stacks if s.demoralized]):
        if not group:
            continue
        force = msgspec.structs.replace(group[0], inside=False)
        walk = walking.Walk(pos, force, 0, walking.allowance(pos, WORST, force), forced=False, sally=False)
        once = _origins(walk, {stack.hex: Ranged(stack.commander, stack.hex, 0) for stack in group})
        twice = _origins(walk, {here: ranged._replace(points=0) for here, ranged in once.items()})
        ways += [*once.items(), *((here, ranged._replace(is_twice=True)) for here, ranged in twice.items())]
    found: dict[Hex, Ranged] = {}
    for here, ranged in ways:
        if here not in found or (ranged.is_twice, ranged.points) < (found[here].is_twice, found[here].points):
            found[here] = ranged
    return found


def _origins(walk: walking.Walk, starts: dict[Hex, Ranged]) -> dict[Hex, Ranged]:
    found = spread(walk, dict.fromkeys(starts, 0), through=True)
    origins = dict(starts)
    for here in sorted(found, key=lambda there: found[there].spent):
        origins.setdefault(here, origins[found[here].before]._replace(points=found[here].spent))
    return origins


def _who(report: Report, commander: LeaderId) -> str:
    return report.name(commander) if commander >= 0 else "SP without a leader"


def _supply(report: Report, place: Place) -> Layer:
    pos, shades, lines, notes = report.pos, dict[str, Shade](), list[Trace](), list[str]()
    for side in dict.fromkeys(report.sides_at(place)):
        shades |= _supplied(report, side)
        for path, most in supply_lines(pos, side):
            text = f"{report.place(path[0])} from {report.place(path[-1])}: {len(path) - 1} of {most} hexes"
            lines.append(Trace(tuple(map(hex_name, path)), side, text))
        if report.view.knows(side):
            for hungry in hungry_stacks(pos, side):
                stack = hungry.stack
                who = f"{_who(report, stack.commander)}, {stack.strength} SP at {report.place(stack.hex)}"
                text = f"{who}: {hungry.text} ({hungry.rule})"
                shades[hex_name(stack.hex)] = Shade(4, NOBODY, text)
                notes.append(f"{text}.")
    notes.append("Based on the enemy units you can see; zones by the colours of stacks (O7.5, O10.3).")
    return Layer("supply", "Supply", shades, tuple(lines), tuple(notes))


def _supplied(report: Report, side: OwnerId) -> dict[str, Shade]:
    """Return the shades of supply: sources 4, working links 3, hexes in supply 2 (over 4 hexes or 5) or 1 (over 5
    only)."""
    fields = supply.supply(report.pos, side)
    lengths = {power.supply for power in report.data.powers}
    near, far = fields[min(lengths)], fields[max(lengths)]
    shades: dict[str, Shade] = {}
    only = f"in supply only with a {max(lengths)}-hex path"
    for here in hexes_of(far):
        shades[hex_name(here)] = Shade(2, side, "in supply") if near >> here & 1 else Shade(1, side, only)
    for here in hexes_of(supply.sources(report.pos, side)):
        shades[hex_name(here)] = Shade(4, side, f"{report.place(here)}: source")
    for here, _ in working_links(report.pos, side):
        kind = "working depot" if here in report.pos.depots else "garrisoned fortress"
        shades[hex_name(here)] = Shade(3, side, f"{report.place(here)}: {kind}")
    return shades


def _zones(report: Report, place: Place) -> Layer:
    pos, blocked = report.pos, supply.zone_for_supply(report.pos)
    shades: dict[str, Shade] = {}
    for stack in pos.own(AUSTRIAN):
        if stack.inside or not supply.has_zone(stack):
            continue
        shades.setdefault(hex_name(stack.hex), Shade(4, AUSTRIAN, f"{_who(report, stack.commander)}: zone (O7.1)"))
        for there in pos.data.board.neighbours[stack.hex]:
            place, level, text = report.place(there), 2, "+1 MP (O5.3); supply passes, a stack is there (O7.4)"
            if not supply.is_in_zone(pos, there, PRUSSIAN):
                level, text = 1, "no zone reaches into a fortress held by SP (O7.2)"
            elif blocked >> there & 1:
                level, text = 3, "+1 MP (O5.3), and no supply passes (O10.3)"
            shades[hex_name(there)] = Shade(level, AUSTRIAN, f"{place}: {text}")
    notes = (
        "Only Austrian field stacks exert a zone, and only against the Prussian side (O7.1).",
        "A stack is Austrian if it shows Austrian colours (O7.5).",
    )
    return Layer("zones", "Zones of control", shades, (), notes)


def _reach(report: Report, place: Place) -> Layer:
    here = report.hex_of(place)
    found = ranges(report.pos, here, report.view.viewer)
    if found is None:
        raise Invalid(f"no leader at {report.place(here)} can march")
    force, least = found
    bonus = walking.initiative(report.pos, force)
    shades = {}
    for there, (die, points) in least.items():
        text = "with any die" if die == 1 else f"with a {die} or more" if die < WORST else f"only with a {die}"
        shades[hex_name(there)] = Shade(max(1, 5 - die), force.side, f"{points} MP: {text}", points)
    notes = [
        f"{_who(report, force.commander)} with all SP he may lead, initiative {bonus}. Shading: lowest die needed.",
        "A march ends at an enemy field stack. Other units are assumed to stay.",
    ]
    if not report.view.knows(force.side):
        notes.append("Leaders you cannot see may be faster.")
    return Layer("reach", f"Reach from {report.place(here)}", shades, (), tuple(notes))


def _threat(report: Report, place: Place) -> Layer:
    shades: dict[str, Shade] = {}
    for side in report.sides:
        for there, ranged in threats(report.pos, OTHER[side]).items():
            who = f"{_who(report, ranged.leader)} from {report.place(ranged.start)}"
            level = 4 if ranged.points <= 2 else 3 if ranged.points <= 4 else 2
            shades[hex_name(there)] = (
                Shade(1, OTHER[side], f"{who}: by a march and a force march")
                if ranged.is_twice
                else Shade(level, OTHER[side], f"{who}: {ranged.points} MP", ranged.points)
            )
    notes = (
        "Worst case: every visible enemy stack with a leader rolls a 6 (6 MP, in winter 5).",
        "Faintest: needs a march in his turn and a force march in yours (O6.1).",
        "Stacks without a leader stay until a leader picks them up (O8.4, O5.7).",
    )
    return Layer("threat", "Threat", shades, (), notes)


def _holders(report: Report, place: Place) -> Layer:
    pos, board = report.pos, report.data.board
    shades: dict[str, Shade] = {}
    for territory, power in TERRITORIES.items():
        side = pos.side_of(power)
        if side in SIDES:
            text = f"{report.data.powers[power].name}: {SIDE_NAMES[side]}"
            shades |= {hex_name(here): Shade(1, side, text) for here in hexes_of(board.region(territory))}
    for here, fort in report.data.fortresses.items():
        owner, points = pos.owners[here], vp_of(pos, here)
        held = "held" if holders(pos)[here] != NOBODY else "empty: its VP do not count"
        state = f"{SIDE_NAMES[owner]}, {held}" if owner in SIDES else belonging(report, here)
        level = 4 if fort.great else 3 if points >= 5 else 2
        shades[hex_name(here)] = Shade(level, owner, f"{report.place(here)}, {points} VP: {state} (C12.2)")
    notes = ("A fortress counts for its owner while the owner's SP hold it (C12.2).",)
    return Layer("holders", "Holders and VP", shades, (), notes)


LAYERS: Final[Mapping[str, Callable[[Report, Place], Layer]]] = {
    "supply": _supply,
    "zones": _zones,
    "reach": _reach,
    "threat": _threat,
    "holders": _holders,
}


def working_links(pos: Position, side: OwnerId) -> list[tuple[Hex, int]]:
    """Return the links that pass on supply, each with the allowed length of its own path."""
    fields = supply.supply(pos, side)
    return [(here, length) for here, length in supply.links(pos, side) if fields[length] >> here & 1]


def supply_lines(pos: Position, side: OwnerId) -> list[tuple[tuple[Hex, ...], int]]:
    """Return the shortest path to supply of each link, then of each field stack, with the most hexes allowed."""
    passable, working = supply.open_hexes(pos, side), supply.sources(pos, side)
    found: list[tuple[tuple[Hex, ...], int]] = []
    waiting = working_links(pos, side)
    while waiting:
        ways = [(way, most) for here, most in waiting if (way := _way(pos, here, working, passable, most))]
        if not ways:
            break
        found += ways
        reached = {path[0] for path, _ in ways}
        waiting = [(here, most) for here, most in waiting if here not in reached]
        working |= hex_set(reached)
    for stack in pos.own(side):
        if stack.sp and not stack.inside and supply.is_supplied(pos, stack):
            most = supply.path_length(pos, stack.sp, stack.nation)
            way = _way(pos, stack.hex, working, passable, most)
            if len(way) > 1:
                found.append((way, most))
    return found


def _way(pos: Position, start: Hex, working: Hexes, passable: Hexes, most: int) -> tuple[Hex, ...]:
    if working >> start & 1:
        return (start,)
    paths, seen = list[tuple[Hex, ...]]([(start,)]), {start}
    for path in paths:  # grows while it is read: the shortest come first
        for there in pos.data.board.neighbours[path[-1]] if len(path) <= most else ():
            if there not in seen and passable >> there & 1:
                seen.add(there)
                paths.append((*path, there))
                if working >> there & 1:
                    return paths[-1]
    return ()
