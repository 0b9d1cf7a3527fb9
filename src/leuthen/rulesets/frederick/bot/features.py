"""Features of a position for the learned value, from Prussia's point of view.

`FEATURES` names them. A feature of both sides is Prussia's number minus Austria's.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId
from leuthen.rulesets.frederick.bot.situation import siege_chance
from leuthen.rulesets.frederick.model.data import MINORS, POWERS, GameData
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position, State
from leuthen.rulesets.frederick.rules import c12_victory as victory
from leuthen.wargame.board import Hex, Hexes, hex_name
from leuthen.wargame.bot.value import Analyst, ValueInput, force_name, logistic, side_difference
from leuthen.wargame.strength import LeaderId, by_power, total
from leuthen.wargame.war import THEATRES, theatre_of

TURNS: Final = 18
NEAR: Final = 3  # hexes within which an army threatens a fortress
BESIEGERS: Final = 5  # SP needed for a siege (O10.4)
LATER: Final = 0.85  # discount for each turn until a fortress falls
FEW: Final = 2  # SP of a garrison that cannot hold a fortress for long
FEATURES: Final = (
    "years left", "urgency", "vp", "vp, urgent", "score", "score, urgent", "prussia decisive", "austria decisive",
    "great", "silesia", "silesia, urgent", "marginal", "marginal, urgent", "men, ratio", "men, ratio, years",
    "men in the field", "rp", "rp, years", "prisoners", "captive merit", "led men", "demoralized", "hungry",
    "largest", "armies", "besieged", "threatened", "bare",
    *(f"men of {power}" for power in POWERS),
    *(f"side of {POWERS[power]}" for power in MINORS),
    *(f"men in {theatre}" for theatre in THEATRES),
    *(f"vp in {theatre}" for theatre in THEATRES),
)  # fmt: skip


def features(state: State) -> ValueInput:
    """Return the features of a position. A scenario is won by its score (C14.5) and has its own fit."""
    found = [*_war(state), *_armies(state), *_walls(state), *_powers(state), *_theatres(state)]
    return ValueInput("campaign" if state.plan.par is None else "scenario", found)


def years_left(pos: Position) -> float:
    end = pos.plan.last_turn if pos.plan.par is not None else TURNS
    return max(0.0, pos.options.last_year - pos.year + (end - pos.turn) / TURNS)


def _war(pos: Position) -> Iterator[float]:
    left, (mine, theirs), great = years_left(pos), victory.victory_points(pos), victory.great_fortresses(pos)
    urgency = 1.0 / (0.25 + left)
    lead, over = (mine - theirs) / 10, victory.score(pos) / 10
    yield from (left, urgency, lead, lead * urgency, over, over * urgency)
    yield logistic((mine - 2 * theirs) / 10) * logistic(2 * (great[PRUSSIAN] - 3.5))
    yield logistic((theirs - 2 * mine) / 10) * logistic(2 * (great[AUSTRIAN] - 3.5))
    yield great[PRUSSIAN] - great[AUSTRIAN]
    silesia = victory.silesian_fortresses(pos)
    lost = sum(silesia) - silesia[PRUSSIAN]
    yield from (-silesia[AUSTRIAN], -silesia[AUSTRIAN] * urgency)
    marginal = logistic(lead) * (lost == 0) - logistic(-lead) * min(1.0, silesia[AUSTRIAN] / 2)
    yield from (marginal, marginal * urgency)


def _armies(pos: Position) -> Iterator[float]:
    def led(stack: Stack) -> float:
        """Return an army's SP, weighted by its commander's ratings."""
        if stack.commander < 0:
            return -stack.strength / 2
        return stack.strength * (_merit(pos.data, stack.commander) - 3) / 6

    left = min(3.0, years_left(pos))
    men = [sum(stack.strength for stack in pos.own(side)) for side in SIDES]
    ratio = math.log((men[PRUSSIAN] + 1) / (men[AUSTRIAN] + 1))
    field = [[stack for stack in pos.own(side) if stack.sp and not stack.inside] for side in SIDES]
    yield from (ratio, ratio * left)
    yield side_difference([sum(stack.strength for stack in stacks) for stacks in field]) / 10
    points = pos.rp[PRUSSIAN] - pos.rp[AUSTRIAN]
    yield from (points / 10, points / 10 * (left > 1))
    yield (total(pos.prisoners[PRUSSIAN]) - total(pos.prisoners[AUSTRIAN])) / 10
    yield side_difference([sum(_merit(pos.data, n) for n in pos.captives[side]) for side in SIDES]) / 5
    yield side_difference([sum(led(stack) for stack in stacks) for stacks in field]) / 10
    yield side_difference([sum(stack.strength for stack in stacks if stack.demoralized) for stacks in field]) / 10
    yield side_difference([sum(stack.strength for stack in stacks if stack.hungry) for stacks in field]) / 10
    yield side_difference([max((stack.strength for stack in stacks), default=0) for stacks in field]) / 10
    yield side_difference([sum(stack.strength >= 8 for stack in stacks) for stacks in field])


def _merit(data: GameData, leader: LeaderId) -> int:
    man = data.leaders[leader]
    return man.initiative + man.attack + man.defence


def _walls(pos: Position) -> Iterator[float]:
    besieged, threatened, bare = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
    near = [_reach(pos, side) for side in SIDES]
    for here, side in victory.holders(pos).items():
        if side == NOBODY:
            continue
        worth, garrison = victory.vp_of(pos, here), pos.inside(here, side)
        men = garrison.strength if garrison is not None else 0
        camp = pos.field(here, OTHER[side])
        if camp is not None and camp.sp and garrison is not None and men:
            besieged[side] += worth * falls(pos, camp, garrison)
        elif near[OTHER[side]] >> here & 1:
            threatened[side] += worth
            bare[side] += worth * (men <= FEW)
    yield from (-side_difference(besieged) / 10, -side_difference(threatened) / 10, -side_difference(bare) / 10)


def falls(pos: Position, camp: Stack, garrison: Stack) -> float:
    """Return the chance that a besieged fortress falls, discounted by time.

    A roll uses up a complete depot (O13.8) and the next one takes two turns, so rolling is never worse than waiting.
    """
    chance, depot = siege_chance(pos, camp, garrison), pos.depots.get(camp.hex)
    later = chance * LATER**2 / (1.0 - (1.0 - chance) * LATER**2)
    if depot is None or pos.side_of(depot.power) != camp.side:
        return later
    now = chance + (1.0 - chance) * later
    return now if depot.complete else LATER * now


def _reach(pos: Position, side: OwnerId) -> Hexes:
    near = 0
    for stack in pos.own(side):
        if stack.strength >= BESIEGERS and stack.commander >= 0 and not stack.inside:
            near |= pos.data.board.within(stack.hex, NEAR)
    return near


def _powers(pos: Position) -> Iterator[float]:
    men = [0] * len(POWERS)
    for side in SIDES:
        for stack in pos.own(side):
            for power, points in by_power(stack.sp):
                men[power] += points
    yield from (points / 10 for points in men)
    for power in MINORS:
        owner = pos.side_of(power)
        yield 0.0 if owner == NOBODY else 1.0 - 2.0 * owner


def _theatres(pos: Position) -> Iterator[float]:
    numbers = {name: number for number, name in enumerate(THEATRES)}
    lands: dict[Hex, int] = memo_of(pos.data, "bots").get_or_compute(
        "theatres", lambda: {here: numbers[theatre_of(land)] for here, land in pos.data.board.territory.items()}
    )
    men, points = [0.0] * len(THEATRES), [0.0] * len(THEATRES)
    for side in SIDES:
        for stack in pos.own(side):
            men[lands[stack.hex]] += stack.strength * (1 - 2 * side)
    for here, owner in victory.holders(pos).items():
        if owner != NOBODY:
            points[lands[here]] += victory.vp_of(pos, here) * (1 - 2 * owner)
    yield from (number / 10 for number in (*men, *points))


A_YEAR: Final = 40  # greater than the number of player turns in a year


class FrederickAnalyst(Analyst[State]):
    horizon = 2

    def turn(self, state: State) -> int:
        """Return a number that grows by one with each player turn (O4.3); the time between campaigns counts as one
        turn.
        """
        return state.year * A_YEAR + state.turn * 2 + state.phasing

    def settled(self, state: State) -> State:
        """Return the position with the moving force joined to the friends in its hex."""
        if state.moving is None:
            return state
        draft = Draft(state)
        draft.moving = None
        draft.forget()
        draft.join_stack(state.moving)
        draft.forget()
        return draft.freeze()

    def strengths(self, state: State, side: OwnerId) -> Mapping[str, int]:
        found = {}
        for stack in state.own(side):
            if stack.sp:
                fort, led = state.data.fortresses.get(stack.hex), stack.commander >= 0
                who = state.leader(stack.commander).name if led else f"men of {POWERS[stack.nation].title()}"
                place = hex_name(stack.hex) if fort is None else fort.name
                found[force_name(who, bool(stack.inside), place)] = stack.strength
        return found
