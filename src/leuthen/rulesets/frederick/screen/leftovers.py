"""Warnings before a phase ends, from the viewer's own knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from leuthen.engine.choice import ByKind
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, OwnerId
from leuthen.rulesets.frederick.knowledge import View
from leuthen.rulesets.frederick.model.data import ALL_POWERS, GameData
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.odds import attrition_rolls
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c05_council import POINTS, EnvoyChoice, Losses, RaiseChoice, new_sp
from leuthen.rulesets.frederick.rules.c08_redeployment import Freeing, Redeploying, Reinforcing, newcomers
from leuthen.rulesets.frederick.rules.c12_victory import holder, vp_of
from leuthen.rulesets.frederick.rules.o05_march import ForceMarchPhase, MarchPhase, available, walk_from
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase, is_supplied, own_depots, supply, why_not_build
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase, why_not_besiege
from leuthen.rulesets.frederick.rules.o14_attrition import ReinforcementPhase, must_roll
from leuthen.rulesets.frederick.rules.o14_quarters import why_not_quarter
from leuthen.rulesets.frederick.screen.scene import Report
from leuthen.screen.forces import KnownForce, Undone, band, collect_leftovers, note
from leuthen.screen.values import Left
from leuthen.wargame.names import format_count


class Hungry(NamedTuple):
    """A stack that will roll for attrition, with percentage and SP lost by die, from 1 to 6."""

    stack: Stack
    is_unsupplied: bool
    losses: tuple[tuple[int, int], ...]

    @property
    def mean(self) -> Fraction:
        """The mean loss in SP."""
        return Fraction(sum(points for _, points in self.losses), len(self.losses))

    @property
    def text(self) -> str:
        """The risk in words: "out of supply, rolls on 2–4 for 5 %, on 5–6 for 10 %: 0.8 SP on average"."""
        why = "out of supply" if self.is_unsupplied else "in the open in winter"
        return f"{why}, {dice_text(self.losses)}: {float(self.mean):.1f} SP on average"


def dice_text(losses: tuple[tuple[int, int], ...]) -> str:
    """Return the losses by die: "rolls on 2–4 for 5 %, on 5–6 for 10 %"."""
    parts: list[str] = []
    for percent, group in groupby(enumerate(losses, 1), key=lambda item: item[1][0]):
        dice = [die for die, _ in group]
        if percent:
            span = f"{dice[0]}–{dice[-1]}" if len(dice) > 1 else f"{dice[0]}"
            parts.append(f"on {span} for {percent} %")
    return f"rolls {', '.join(parts)}" if parts else "rolls without a loss"


def hungry_stacks(pos: Position, side: OwnerId) -> list[Hungry]:
    """Return the stacks of a side that would roll if its Attrition Phase were now, in the order of the board."""
    found: list[Hungry] = []
    for stack in pos.own(side):
        out = bool(stack.sp) and not is_supplied(pos, stack)
        if stack.sp and must_roll(pos, stack, hungry=out):
            losses = tuple((roll.percent, roll.loss or 0) for roll in attrition_rolls(pos, stack))
            found.append(Hungry(stack, out, losses))
    return found


def hunger_rule(hungry: Hungry) -> str:
    return "O10.8" if hungry.is_unsupplied else "O14.2"


class Review(Report):
    """A side's position before it ends a phase."""

    def stack(self, stack: Stack) -> str:
        """Return an own stack in words: "Keith, 8 SP, at 1623 Dresden"."""
        return self.army(stack, stack.strength, stack.strength).describe()

    def enemy(self, stack: Stack) -> str:
        return self.army(stack, stack.low, stack.high).summary

    def army(self, stack: Stack, low: int, high: int) -> KnownForce:
        """Return a stack with its strength as the viewer knows it."""
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
    yield from _demoralized_warnings(review)
    yield from _works(review)
    yield from _camps(review)
    if review.pos.is_winter:
        yield from _empty(review)


def _hungry(review: Review) -> Iterator[Undone]:
    for hungry in hungry_stacks(review.pos, review.side_asked):
        text = f"{review.stack(hungry.stack)}: {hungry.text}"
        yield note(text, hunger_rule(hungry), hungry.stack.hex, float(hungry.mean))


def _idle(review: Review, die: int) -> Iterator[Undone]:
    pos = review.pos
    able = set(available(pos, review.side_asked, forced=False))
    for stack in pos.own(review.side_asked):
        leaders = tuple(leader for leader in stack.leaders if leader in able)
        fresh = stack.sp - stack.marched
        if leaders and (fresh or not stack.sp):
            force = make_stack(pos, stack.hex, stack.side, stack.inside, fresh, leaders, stack)
            walk = walk_from(pos, stack, (force.commander,), fresh, die, forced=False) if die else None
            left = walk.allowance - walk.spent if walk is not None else 1
            if left > 0:
                points = f", {left} MP left" if walk is not None else ""
                names = ", ".join(map(review.name, leaders))
                what = f"with {force.strength} SP" if fresh else "without SP"
                yield note(f"{names} {what} at {review.place(stack.hex)} may still march{points}", "O5.2", stack.hex)


def _demoralized_warnings(review: Review) -> Iterator[Undone]:
    for stack in review.pos.own(review.side_asked):
        if stack.demoralized and stack.commander < 0:
            yield note(
                f"{review.stack(stack)}: demoralized, and cannot recover without a commander", "O11.2", stack.hex
            )


def _works(review: Review) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    for here, depot in own_depots(pos, side):
        if depot.complete:
            continue
        stack = pos.field(here, side)
        fed = supply(pos, side)[review.data.powers[depot.power].supply] >> here & 1
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
        if owner == review.side_asked and points and holder(pos, here) == NOBODY:
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
            garrison = pos.inside(here, OTHER[side])
            assert garrison is not None
            rolls = format_count(pos.sieges.get(here, 0), "roll")
            inside = band(garrison.low, garrison.high)
            text = f"Siege of {review.place(here)}, {inside} SP inside, {rolls} so far: no roll yet this phase"
            yield note(text, "O13.1", here)
    yield from _camps(review)


def _depots(review: Review, phase: DepotPhase) -> Iterator[Undone]:
    for stack in review.pos.own(review.side_asked):
        if not stack.inside and stack.sp and why_not_build(review.pos, stack.hex, review.side_asked) is None:
            yield note(f"{review.stack(stack)} can begin a depot", "O10.4", stack.hex)
    yield from _works(review)


def _quarters(review: Review, phase: ReinforcementPhase) -> Iterator[Undone]:
    for hungry in hungry_stacks(review.pos, review.side_asked):
        refusal = why_not_quarter(review.pos, hungry.stack)
        why = "can go into quarters" if refusal is None else refusal.reason.format(*refusal.numbers)
        text = f"{review.stack(hungry.stack)}: not in quarters ({why}): {hungry.text}"
        yield note(text, hunger_rule(hungry), hungry.stack.hex, float(hungry.mean))


def _deployment(review: Review, phase: Deployment) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    sp, leaders, has_depot = phase.left(pos, side)
    if sp:
        yield note(f"Still to place: {sp} SP", "C2.6", cost=sp)
    if leaders:
        yield note(f"Still to place: {', '.join(map(review.name, leaders))}", "C2.6", cost=1)
    if has_depot:
        yield note("Still to place: the depot", "C2.6", cost=1)


def _envoys(review: Review, phase: EnvoyChoice) -> Iterator[Undone]:
    yield note(f"{POINTS[review.side_asked]} Diplomacy Points: unused points are lost", "C5.1", cost=1)


def _raise(review: Review, phase: RaiseChoice) -> Iterator[Undone]:
    pos, side = review.pos, review.side_asked
    text = f"{pos.rp[side]} RP: each raises about {new_sp(pos, side, 1)} SP; unspent RP are saved"
    yield note(text, "C6.2")


def _losses(review: Review, phase: Losses) -> Iterator[Undone]:
    left = phase.left(review.pos)
    if left:
        yield note(f"{left} more SP of {review.data.powers[phase.power].name} to lose", "C7.5", cost=left)


def _freeing(review: Review, phase: Freeing) -> Iterator[Undone]:
    yield note(f"{phase.left} SP still to be freed", "C11.1", cost=phase.left)


def _redeploying(review: Review, phase: Redeploying) -> Iterator[Undone]:
    yield from _empty(review)
    for stack in review.pos.own(review.side_asked):
        if stack.sp and stack.hex not in review.data.fortresses:
            text = f"{review.stack(stack)} stays in the open; it can move to a fortress"
            yield note(text, "C8.6", stack.hex)


def _reinforcing(review: Review, phase: Reinforcing) -> Iterator[Undone]:
    pos = review.pos
    for power, nature in zip(ALL_POWERS, review.data.powers, strict=True):
        if pos.side_of(power) == review.side_asked:
            leaders, points = newcomers(pos, power)
            if leaders or points:
                names = "".join(f", {review.name(leader)}" for leader in leaders)
                yield note(f"{nature.name}: {points} SP{names} waiting to be placed", "C8.7", cost=points)


def _occupation(review: Review, phase: Occupation) -> Iterator[Undone]:
    text = f"{review.place(phase.hex)} has fallen and is empty: only the field stack holds it"
    yield note(text, "O13.5", phase.hex, 1)


_BY_DECISION: Final[ByKind[Decision, Review, Iterator[Undone]]] = {
    MarchPhase: _march,
    ForceMarchPhase: _force_march,
    CombatPhase: _combat,
    SiegePhase: _siege,
    DepotPhase: _depots,
    ReinforcementPhase: _quarters,
    Deployment: _deployment,
    EnvoyChoice: _envoys,
    RaiseChoice: _raise,
    Losses: _losses,
    Freeing: _freeing,
    Redeploying: _redeploying,
    Reinforcing: _reinforcing,
    Occupation: _occupation,
}
