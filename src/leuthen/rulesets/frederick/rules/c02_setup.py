"""C2: set-up, with the secret deployment of both majors; questions of every placing (C8, C11.1)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from typing import Final, TypeGuard

import msgspec

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.decision import refuse_with
from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import NOBODY, WATCHER, OwnerId
from leuthen.rulesets.frederick.model import data as model
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.actions import Clear, Place, PlaceDepot, Seal, SetupAction
from leuthen.rulesets.frederick.model.data import Force, GameOptions
from leuthen.rulesets.frederick.model.decisions import Decision, Secret, SecretChoice, keep_secret
from leuthen.rulesets.frederick.model.events import Cleared, Deployed, DepotPlaced, Drafted
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, ON_MAP, PRUSSIAN, SIDES, UNSEEN, WAITING, Depot
from leuthen.rulesets.frederick.model.state import Position, pools
from leuthen.rulesets.frederick.rules.c12_victory import start_position
from leuthen.wargame.board import NOWHERE, Hex, as_hex, chosen_hex, hex_name, hexes_of
from leuthen.wargame.strength import ALL_SP, EMPTY, Bag, LeaderId, PowerId, as_leader, bag


def is_leader(token: Token, pos: Position) -> TypeGuard[LeaderId]:
    return isinstance(token, int) and 0 <= token < len(pos.data.leaders)


def is_power(token: Token, pos: Position) -> TypeGuard[PowerId]:
    return isinstance(token, int) and 0 <= token < len(pos.data.powers)


def counts_down(left: int) -> Callable[[Token], str]:
    return lambda token: f"{left - int(token)} left"


def pick_leaders(
    pos: Position, pool: Sequence[int], *, must: bool, rule: str
) -> Generator[Slot, Token, tuple[LeaderId, ...]]:
    """Ask for leaders of `pool`, in ascending order; at least one if `must`.

    Iteration tries no leader, each alone, and the first few of the pool.
    """
    left, chosen = tuple(pool), list[LeaderId]()
    refuse = partial(_no_such_newcomer, pos, pool, rule, chosen)
    while True:
        values = left if must and not chosen else (*left, STOP)
        first = chosen == list(pool[: len(chosen)])
        canon = values if not chosen else (*(left[:1] if first else ()), STOP)
        token = yield Slot("leaders", values, refuse, index=len(chosen), canon=canon)
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_leader(token))
        left = left[left.index(int(token)) + 1 :]


def _no_such_newcomer(
    pos: Position, pool: Sequence[int], rule: str, chosen: Sequence[LeaderId], token: Token
) -> Refusal:
    if token == STOP:
        return Refusal(rule, "name a leader, or strength points")
    if not is_leader(token, pos):
        return Refusal("O2.2", "there is no such leader")
    if token in chosen:
        return Refusal(rule, "{} is already named", (pos.leader(token).name,))
    if token in pool:
        return Refusal(rule, "name {} before {}", (pos.leader(token).name, pos.leader(chosen[-1]).name))
    return Refusal(rule, "{} cannot be placed now", (pos.leader(token).name,))


def pick_points(power: PowerId, least: int, most: int, rule: str, what: str) -> Generator[Slot, Token, int]:

    def refuse(token: Token) -> Refusal:
        if isinstance(token, int) and token > most:
            return Refusal(rule, "only {} SP {}", (most, what))
        return Refusal(rule, "at least {} SP are expected", (least,))

    canon, values = sorted({least, most}), range(least, most + 1)
    return int((yield Slot("sp", values, refuse, index=power, canon=canon, price=counts_down(most))))


def pick_some(rule: str, reason: str, most: int, left: int) -> Generator[Slot, Token, int]:
    """Ask how many SP of one kind go of those `left` to go: at least one, at most `most`."""
    most = min(left, most)
    refuse, canon = refuse_with(rule, reason, most), sorted({1, most})
    return int((yield Slot("points", range(1, most + 1), refuse, canon=canon, price=counts_down(left))))


def pick_fortress(
    pos: Position, places: Iterable[Hex], refuse: Callable[[Token], Refusal]
) -> Generator[Slot, Token, Hex]:
    return as_hex((yield Slot("hex", tuple(places), refuse, refused=lambda: sorted(pos.data.fortresses))))


def pick_inside(here: Hex, is_fortress: bool, rule: str, *, outside: bool = True) -> Generator[Slot, Token, bool]:
    values = (0,) if not is_fortress else (0, 1) if outside else (1,)
    besieged, none = "the fortress is besieged: arrivals must go inside", "there is no friendly fortress to go inside"
    return bool((yield Slot("inside", values, Refusal(rule, besieged if is_fortress else none, (), here))))


FIRST_YEAR: Final = 1756
FIRST_TURN: Final = 9
"""First turn of the war (C3.1)."""
MAJORS: Final = (model.PRUSSIA, model.AUSTRIA)
"""By side (C1.1)."""
_KINDS: Final = ("place", "depot-at", "seal", "clear")


class Placement(msgspec.Struct, frozen=True, gc=False):
    """One lot of SP and leaders in the secret set-up."""

    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...]
    sp: Bag


class SetupPlan(Secret, frozen=True, gc=False, tag="setup-plan"):
    """The secret set-up of a side so far."""

    placements: tuple[Placement, ...] = ()
    depot: Hex = NOWHERE


def plan_of(pos: state.Position, side: OwnerId) -> SetupPlan:
    """Return a side's secret set-up; an empty one before it has begun."""
    plan = pos.sealed[side]
    return plan if isinstance(plan, SetupPlan) else SetupPlan()


class Deployment(SecretChoice[SetupAction], rule="C2.4", name="Deployment", neutral=None):
    """Both majors deploy in secret and at the same time (C2.4)."""

    PROMPT = "Deployment: place all your forces in secret, then seal"
    prussian: Force
    austrian: Force

    def force(self, side: OwnerId) -> Force:
        """Return the forces that a side has to place (C2.1, C2.2)."""
        return self.prussian if side == PRUSSIAN else self.austrian

    def left(self, pos: state.Position, side: OwnerId) -> tuple[int, tuple[LeaderId, ...], bool]:
        """Return the SP and leaders still to place, and whether the depot is (C2.1)."""
        force, plan, sp, placed = self.force(side), plan_of(pos, side), 0, list[LeaderId]()
        for lot in plan.placements:
            sp += lot.sp % ALL_SP
            placed += lot.leaders
        leaders = tuple([leader for leader in sorted(force.leaders) if leader not in placed])
        return force.sp - sp, leaders, force.depots > 0 and plan.depot == NOWHERE

    def choose(self, pos: state.Position, side: OwnerId) -> Script[SetupAction]:
        """Place something, clear all, or seal when everything is placed (C2.6)."""
        sp, leaders, depot = self.left(pos, side)
        kinds: list[Token] = ["place"] if sp or leaders else []
        if depot:
            kinds.append("depot-at")
        if not kinds:
            kinds.append("seal")  # C2.6: only when all is placed
        if plan_of(pos, side) != SetupPlan():
            kinds.append("clear")
        kind = yield Slot("do", kinds, partial(self._not_now, sp, len(leaders), int(depot)), refused=lambda: _KINDS)
        if kind == "clear":
            return Clear()
        if kind == "seal":
            return Seal()
        if kind == "depot-at":
            return PlaceDepot(as_hex((yield Slot("hex", depot_grounds(pos.data), partial(_no_depot_ground, pos)))))
        power = MAJORS[side]
        yield Slot("power", (power,), lambda token: Refusal("C2.4", "each major deploys its own forces"))
        who = yield from pick_leaders(pos, leaders, must=not sp, rule="C2.6")
        points = yield from pick_points(power, int(not who), sp, "C2.6", "are still to be placed")
        here = yield from pick_fortress(pos, deployment_hexes(pos, side), partial(_no_deployment, pos, side))
        inside = yield from pick_inside(here, here in fortresses_of(pos, power), "C2.6")
        return Place(power, here, inside, who, bag(power, points))

    def _not_now(self, sp: int, leaders: int, depots: int, token: Token) -> Refusal:
        if token == "seal":
            return Refusal("C2.6", "still to be placed: SP {}, leaders {}, depots {}", (sp, leaders, depots))
        if token in ("place", "depot-at", "clear"):
            return Refusal("C2.6", 'nothing is left for "{}"', (token,))
        return Refusal("C2.4", '"{}" is not possible in the set-up', (token,))

    def chosen(self, draft: state.Draft, side: OwnerId, action: SetupAction) -> None:
        plan = plan_of(draft, side)
        if isinstance(action, Seal):
            plan = SetupPlan(True, plan.placements, plan.depot)
        elif isinstance(action, Clear):
            plan = SetupPlan()
            draft.emit(Cleared(side=side))
        elif isinstance(action, PlaceDepot):
            plan = SetupPlan(False, plan.placements, action.hex)
            draft.emit(Drafted(side=side, hex=action.hex, inside=False, leaders=(), sp=EMPTY, depot=True))
        else:
            lot = Placement(action.hex, action.inside, action.leaders, action.sp)
            plan = SetupPlan(False, (*plan.placements, lot), plan.depot)
            draft.emit(Drafted(side=side, hex=lot.hex, inside=lot.inside, leaders=lot.leaders, sp=lot.sp))
        keep_secret(draft, side, plan)

    def reveal(self, draft: state.Draft) -> None:
        """Both set-ups come on the map; strengths and juniors stay hidden (C2.4)."""
        draft.pop()
        for side, power in zip(SIDES, MAJORS, strict=True):
            plan = plan_of(draft, side)
            for lot in plan.placements:
                draft.join_stack(draft.make_stack(lot.hex, side, lot.inside, lot.sp, lot.leaders))
                for leader in lot.leaders:
                    draft.set_roster(leader, ON_MAP)
            for stack in draft.own(side):
                draft.put(stack.with_band(UNSEEN))
                draft.emit(Deployed.of(stack))
            if plan.depot != NOWHERE:
                draft.set_depot(plan.depot, Depot(power, complete=True))  # C2.6
                draft.emit(DepotPlaced(side=side, power=power, hex=plan.depot))
        draft.sealed = (None, None)
        draft.touched.clear()
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)


@memoized("lasting")
def fortresses_of(pos: state.Position, power: PowerId) -> tuple[Hex, ...]:
    """Return the home fortresses of a power on the map, in the order of the board (C2.1, C2.2, C9.4)."""
    return tuple(sorted(here for here, fort in pos.data.fortresses.items() if fort.power == power))


def deployment_hexes(pos: state.Position, side: OwnerId) -> tuple[Hex, ...]:
    """Return where a major may deploy: its fortresses, Prussia also on its depot (C2.1, C2.2)."""
    here = plan_of(pos, side).depot
    places = fortresses_of(pos, MAJORS[side])
    return places if here == NOWHERE or here in places else tuple(sorted((*places, here)))


@memoized("memo")
def depot_grounds(data: model.GameData) -> tuple[Hex, ...]:
    """Return hexes for Prussia's depot: on land in play, neither in Austria nor in a neutral's territory (C2.1)."""
    own = [land for land, power in model.TERRITORIES.items() if power == model.PRUSSIA]
    lands = data.board.territory
    return tuple(here for here in hexes_of(data.board.land) if lands[here] in (*model.OPEN_LANDS, *own))


def _no_depot_ground(pos: state.Position, token: Token) -> Refusal:
    here = chosen_hex(token)
    if not pos.data.board.is_in_play(here):
        return Refusal("C2.1", "the depot must be on a land hex in play")
    territory = pos.data.board.territory[here]
    return Refusal("C2.1", "{} is in {}: the depot may not be there", (hex_name(here), territory), here)


def _no_deployment(pos: state.Position, side: OwnerId, token: Token) -> Refusal:
    here = chosen_hex(token)
    if here not in pos.data.fortresses:
        rule = "C2.1" if side == PRUSSIAN else "C2.2"
        return Refusal(rule, "forces deploy on fortress hexes, the Prussians also on their depot")
    name = pos.data.fortresses[here].name
    if side == PRUSSIAN:
        return Refusal("C2.1", "{} is not in Brandenburg-Prussia or Silesia", (name,), here)
    return Refusal("C2.2", "{} is not in Austria", (name,), here)


def new_position(
    data: model.GameData, scenario: str, options: GameOptions, frames: tuple[Decision, ...] = ()
) -> state.State:
    """Return the position before the first decision: `frames` below the deployment, if there is one (C1.3, C2)."""
    plan = data.scenarios[scenario]
    forces = plan.forces
    if plan.par is not None:
        return start_position(data.of(scenario), plan, options, frames)
    secret = {force.power: force for force in forces if force.hex == NOWHERE}
    # Leaders of the set-up are on the map or about to be, the others in pools (C2.5); seniority follows C2 (C8.2).
    roster, arrival = pools(data), [0] * len(data.leaders)
    for force in forces:
        for leader in force.leaders:
            roster[leader] = WAITING if force.hex == NOWHERE else ON_MAP
            arrival[leader] = data.leaders[leader].start
    # Prussia and Austria are at war, all others neutral (C1.3). Each major has its fortresses; the others, those of
    # the German States too, get an owner later (O12.2, C9.6).
    empty = state.make_state(
        data,
        options=options,
        year=FIRST_YEAR,
        turn=FIRST_TURN,  # C3.1
        allegiance=(PRUSSIAN, AUSTRIAN, *(NOBODY for _ in data.powers[2:])),
        owners={here: fort.power if fort.power in MAJORS else NOBODY for here, fort in data.fortresses.items()},
        roster=tuple(roster),
        arrival=tuple(arrival),
    )
    draft = state.Draft(empty)
    for force in forces:
        if force.hex != NOWHERE:
            put_fixed(draft, force, force.leaders)
    draft.frames = (*frames, Deployment(secret[model.PRUSSIA], secret[model.AUSTRIA]))
    return draft.freeze()


def put_fixed(draft: state.Draft, force: Force, leaders: tuple[LeaderId, ...]) -> None:
    """Put a minor power's force in its fixed place, open to both while neutral; its depot is complete (C2.3, C2.6)."""
    if force.sp or leaders:
        sp, band = bag(force.power, force.sp), (force.sp, force.sp, draft.now)
        draft.put(draft.make_stack(force.hex, NOBODY, force.inside, sp, leaders, None, band))
    if force.depots and force.hex not in draft.depots:
        draft.set_depot(force.hex, Depot(force.power, complete=True))
