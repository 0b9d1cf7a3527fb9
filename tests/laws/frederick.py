"""The adapter of `frederick` for the laws over whole games."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from leuthen.engine.ruleset import as_side
from leuthen.rulesets.frederick.model.data import ALL_POWERS, NO_POWER, POWERS
from leuthen.rulesets.frederick.model.decisions import SecretChoice
from leuthen.rulesets.frederick.model.events import (
    BattleFought,
    CommitmentRolled,
    Deployed,
    Disbanded,
    ForcesRaised,
    SpLost,
    Starved,
    Surrendered,
)
from leuthen.rulesets.frederick.model.pieces import ABSENT, CAPTIVE, ON_MAP, SIDES, UNKNOWN, Stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules import (
    c02_setup,
    c05_council,
    c08_redeployment,
    c11_allegiance,
    o05_march,
    o09_combat,
    o12_fortresses,
    o13_siege,
    o14_attrition,
)
from leuthen.wargame.board import Hex, hex_name, key_hex
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId, PowerId, of, powers
from tests.laws.ledger import Check, Facts, Ledger, ReportedChanges, Troops, counted, no_check

ON_THE_WAY = (
    o05_march.Marching,
    o05_march.ForceDie,
    o05_march.ForceMarchDie,
    o05_march.ForceLoss,
    o09_combat.Retreating,
)
KEEPS_SECRETS = (SecretChoice, c05_council.Losses)
SHAPES = {ON_MAP: "on the map", CAPTIVE: "captive"}


def pieces(state: State) -> Iterator[Stack]:
    yield from state.stacks.values()
    if state.moving is not None:
        yield state.moving


def troops(state: State) -> Bag:
    first, second = state.prisoners
    return sum([stack.sp for stack in pieces(state)]) + first + second + state.waiting


def reported(state: State, facts: Facts) -> ReportedChanges:
    came, lost, side_lost = Counter[int](), Counter[int](), Counter[int]()
    for fact in facts:
        if isinstance(fact, BattleFought):
            side_lost += Counter({fact.side: fact.losses[0], 1 - fact.side: fact.losses[1]})
        elif isinstance(fact, Starved):
            side_lost[fact.side] += fact.loss or 0
        elif isinstance(fact, SpLost):
            lost += _one(fact.power, 1)
        elif isinstance(fact, Disbanded):
            lost += _one(fact.power, fact.points)
        elif isinstance(fact, ForcesRaised):
            came += _one(fact.power, fact.raised)
        elif isinstance(fact, CommitmentRolled):
            came += _one(fact.power, max(0, fact.change or 0))
        elif isinstance(fact, Deployed):
            came += counted(fact.sp or 0)
    left = frozenset(fact.power for fact in facts if isinstance(fact, Surrendered))
    return ReportedChanges(came, lost, Counter(), side_lost, left)


def _one(power: PowerId | None, points: int | None) -> Troops:
    assert power is not None
    return Counter({power: points or 0})


def places(state: State) -> Iterator[tuple[int, str]]:
    for stack in pieces(state):
        yield from ((leader, "on the map") for leader in stack.leaders)
    for held in state.captives:
        yield from ((leader, "captive") for leader in held)
    for frame in state.frames:
        if isinstance(frame, o12_fortresses.RefugeChoice):
            yield frame.leader, "on the map"


def leaders(state: State) -> Mapping[int, str]:
    unplaced = c02_setup.MAJORS if any(isinstance(frame, c02_setup.Deployment) for frame in state.frames) else ()
    return {
        number: SHAPES[status]
        for number, status in zip(state.data.leader_ids, state.roster, strict=True)
        if status in SHAPES and state.leader(number).power not in unplaced
    }


def invalid_pieces(state: State) -> Iterator[str]:
    for stack in pieces(state):
        yield from _wrong_with(state, stack)
    yield from (f"key {key} of another stack" for key, stack in state.stacks.items() if stack.key != key)
    carried = any(isinstance(frame, ON_THE_WAY) for frame in state.frames)
    if (state.moving is not None) != carried and state.outcome is None:
        yield f"on the march: {state.moving}, in progress: {[frame.NAME for frame in state.frames]}"
    yield from _idle_marks(state)
    yield from _struck_off(state)


def _wrong_with(state: State, stack: Stack) -> Iterator[str]:
    place = f"stack at {hex_name(stack.hex)}"
    if not stack.sp and not stack.leaders:
        yield f"{place}: empty"
    if stack.inside and stack.hex not in state.data.fortresses:
        yield f"{place}: inside nothing"
    sides = {state.side_of(power) for power in powers(stack.sp)}
    sides |= {state.side_of(state.leader(number).power) for number in stack.leaders}
    if sides != {stack.side}:
        yield f"{place} of side {stack.side}: sides {sides}"
    if stack.leaders != state.by_seniority(stack.leaders):
        yield f"{place}: leaders {stack.leaders} out of order"
    shown = state.commander_of(stack.sp, stack.leaders), state.nation_of(stack.sp, stack.commander)
    if (stack.commander, stack.nation) != shown:
        yield f"{place}: commander and nation {stack.commander, stack.nation}, by right {shown}"
    if stack.sp and not 1 <= stack.low <= stack.strength <= stack.high <= UNKNOWN:
        yield f"{place}: strength {stack.strength} known as {stack.low}-{stack.high}"
    if not stack.sp and (stack.demoralized or stack.quartered or stack.hungry or stack.resting):
        yield f"{place}: leaders alone with the marks of men"
    if stack.marched and any(of(stack.marched, power) > of(stack.sp, power) for power in ALL_POWERS):
        yield f"{place}: more have marched than are there"


def _idle_marks(state: State) -> Iterator[str]:
    for here in state.sieges:
        owner = state.owners[here]
        held = _in_field(state, here, owner) or _inside(state, here, owner)  # the garrison may have come out (O13.7)
        if owner not in SIDES or not held or not _in_field(state, here, 1 - owner):
            yield f"siege of {hex_name(here)} without a besieger or a garrison"
    if any(state.sealed) and not any(isinstance(frame, KEEPS_SECRETS) for frame in state.frames):
        yield f"secrets of no choice: {state.sealed}"


def _in_field(state: State, here: Hex, side: int) -> bool:
    stack, moving = state.field(here, as_side(side)), state.moving
    if stack is not None and stack.sp:
        return True
    return moving is not None and moving.sp > 0 and (moving.hex, moving.side) == (here, side)


def _inside(state: State, here: Hex, side: int) -> bool:
    stack = state.inside(here, as_side(side))
    return stack is not None and stack.sp > 0


def _struck_off(state: State) -> Iterator[str]:
    if state.outcome is not None:
        return
    for power in state.surrendered:
        if of(troops(state), power):
            yield f"{POWERS[power]} has surrendered, and {of(troops(state), power)} of its men have not"
    for here, depot in state.depots.items():
        if depot.power in state.surrendered:
            yield f"depot of {POWERS[depot.power]} at {hex_name(here)}: it has surrendered"
    for number, status in zip(state.data.leader_ids, state.roster, strict=True):
        if state.leader(number).power in state.surrendered and status != ABSENT:
            yield f"{state.leader(number).name}: his power has surrendered"
    for captor in SIDES:
        own: list[int] = [power for power in powers(state.prisoners[captor]) if state.side_of(power) == captor]
        own += [n for n in state.captives[captor] if state.side_of(state.leader(n).power) == captor]
        if own:
            yield f"side {captor} holds its own men: {own}"


def check_any(state: State, frame: Any) -> Iterator[str]:
    """The power and the leader that a decision names must be in the game.

    The loss decision alone continues to its end, even if no SP are left to lose, because the number due is secret
    (C7.5).
    """
    power, leader = getattr(frame, "power", NO_POWER), getattr(frame, "leader", NO_LEADER)
    if power >= 0 and power in state.surrendered and not isinstance(frame, c05_council.Losses):
        yield f"{frame.NAME}: {POWERS[power]} has surrendered"
    if leader >= 0 and state.roster[leader] != ON_MAP:
        yield f"{frame.NAME}: {state.leader(leader).name} is gone"


def _fights_on(state: State, frame: Any) -> Iterator[str]:
    if state.side_of(frame.power) not in SIDES:
        yield f"{frame.NAME}: {POWERS[frame.power]} is on no side"


def _is_neutral(state: State, frame: Any) -> Iterator[str]:
    if state.side_of(frame.power) in SIDES:
        yield f"{frame.NAME}: {POWERS[frame.power]} is neutral no more"


def _stands(state: State, frame: Any) -> Iterator[str]:
    if state.locate(frame.leader) is None:
        yield f"{frame.NAME}: {state.leader(frame.leader).name} is in no stack"


def _is_alone(state: State, frame: Any) -> Iterator[str]:
    stack = state.locate(frame.leader)
    if stack is None or stack.sp:
        yield f"{frame.NAME}: {state.leader(frame.leader).name} is not alone: {stack}"


def _marches(state: State, frame: Any) -> Iterator[str]:
    moving = state.moving
    if moving is None or moving.side != frame.side or not (moving.sp or moving.leaders):
        yield f"{frame.NAME}: under way is {moving}"


def _retreats(state: State, frame: Any) -> Iterator[str]:
    yield from _marches(state, frame)
    if state.moving is not None and not state.moving.sp:
        yield f"{frame.NAME}: no men retreat"


def _meet(state: State, frame: Any) -> Iterator[str]:
    for side in SIDES:
        stack = state.field(frame.hex, side)
        if stack is None or not stack.sp:
            yield f"{frame.NAME}: side {side} has no troops at {hex_name(frame.hex)}"


def _is_beaten(state: State, frame: Any) -> Iterator[str]:
    stack = state.field(frame.hex, frame.side)
    if stack is None or not stack.sp:
        yield f"{frame.NAME}: no troops are at {hex_name(frame.hex)}"


def _besieges(state: State, frame: Any) -> Iterator[str]:
    yield from _is_beaten(state, frame)
    if not _inside(state, frame.hex, 1 - frame.side):
        yield f"{frame.NAME}: no troops are inside {hex_name(frame.hex)}"


def _has_men(state: State, frame: Any) -> Iterator[str]:
    stack = state.stacks.get(frame.stack)
    if stack is None or not stack.sp:
        yield f"{frame.NAME}: no men are at {hex_name(key_hex(frame.stack))}"


def _are_captive(state: State, frame: Any) -> Iterator[str]:
    named: tuple[LeaderId, ...] = getattr(frame, "leaders", ()) or sum(getattr(frame, "offered", ()), ())
    yield from (
        f"{frame.NAME}: {state.leader(number).name} is no captive"
        for number in named
        if not any(number in held for held in state.captives)
    )


def _has_losses(state: State, frame: Any) -> Iterator[str]:
    there = sum(of(stack.sp, frame.power) for stack in state.own(frame.side))
    if frame.left(state) > there:
        yield f"{frame.NAME}: {frame.left(state)} SP are to go, and {there} are there"


CHECKS: Mapping[type[Any], Check] = {
    c11_allegiance.ReactionRoll: _is_neutral,
    o09_combat.BattleRoll: _meet,
    o09_combat.CommanderRoll: _stands,
    c05_council.CommitmentRoll: _fights_on,
    c05_council.Losses: _has_losses,
    c05_council.DiplomacyRoll: no_check,
    o05_march.ForceLoss: _retreats,
    o05_march.ForceMarchDie: _marches,
    o12_fortresses.RefugeChoice: no_check,
    o12_fortresses.StrayRoll: _is_alone,
    o05_march.ForceDie: _marches,
    o05_march.Marching: _marches,
    o14_attrition.MoraleRoll: _has_men,
    c08_redeployment.LeaderDraw: _fights_on,
    c08_redeployment.LeaderRoll: _fights_on,
    c08_redeployment.Sacking: _fights_on,
    c08_redeployment.LeaderOffers: _are_captive,
    c08_redeployment.LeaderReturn: _are_captive,
    o09_combat.RetreatRoll: _is_beaten,
    o09_combat.Retreating: _retreats,
    o13_siege.Departure: _fights_on,
    o13_siege.SiegeRoll: _besieges,
    o14_attrition.AttritionRoll: _has_men,
}

LEDGER = Ledger(
    nations=len(POWERS),
    troops=troops,
    dead=None,
    side_of=lambda state, power: state.side_of(power),
    reported=reported,
    places=places,
    leaders=leaders,
    nation=lambda state, leader: state.leader(leader).power,
    invalid_pieces=invalid_pieces,
    checks=CHECKS,
    check_any=check_any,
)
