"""C2: set-up. The minor powers have fixed places; both majors deploy in secret and at the same time."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.memo import memoized
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import NOBODY, WATCHER, OwnerId, Side
from leuthen.rulesets.frederick.model import data as model
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.actions import Clear, Place, PlaceDepot, Seal, SetupAction
from leuthen.rulesets.frederick.model.data import Force, GameOptions
from leuthen.rulesets.frederick.model.decisions import Decision, Secret, SecretChoice, keep_secret
from leuthen.rulesets.frederick.model.events.grand import Cleared, Deployed, DepotPlaced, Drafted
from leuthen.rulesets.frederick.model.pieces import (
    ABSENT,
    AUSTRIAN,
    ON_MAP,
    POOL,
    PRUSSIAN,
    SIDES,
    UNSEEN,
    WAITING,
    Depot,
    Stack,
)
from leuthen.rulesets.frederick.model.stacks import join_stack, make_stack
from leuthen.rulesets.frederick.rules.c08_redeployment.placing import (
    all_fortresses,
    pick_inside,
    pick_leaders,
    pick_points,
)
from leuthen.rulesets.frederick.rules.c14_scenarios import start_position
from leuthen.wargame.board import NOWHERE, Hex, as_hex, chosen_hex, hex_name, hexes_of
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, of

FIRST_YEAR: Final = 1756
FIRST_TURN: Final = 9
"""Where play begins (C3.1)."""
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
    """What a side has placed so far."""

    placements: tuple[Placement, ...] = ()
    depot: Hex = NOWHERE


def plan_of(pos: state.Position, side: OwnerId) -> SetupPlan:
    """A side's secret set-up; an empty one before it has begun."""
    plan = pos.sealed[side]
    return plan if isinstance(plan, SetupPlan) else SetupPlan()


class Deployment(SecretChoice[SetupAction], rule="C2.4", name="Deployment", neutral=None):
    """Both majors deploy in secret and at the same time (C2.4)."""

    prussian: Force
    austrian: Force

    def force(self, side: OwnerId) -> Force:
        """What a side has to place (C2.1, C2.2)."""
        return self.prussian if side == PRUSSIAN else self.austrian

    def leaders_left(self, pos: state.Position, side: OwnerId) -> tuple[LeaderId, ...]:
        """The leaders not placed yet, in the order of the data."""
        placed = {leader for lot in plan_of(pos, side).placements for leader in lot.leaders}
        return tuple([leader for leader in sorted(self.force(side).leaders) if leader not in placed])

    def sp_left(self, pos: state.Position, side: OwnerId) -> int:
        """How many SP are not placed yet."""
        power = MAJORS[side]
        return self.force(side).sp - sum([of(lot.sp, power) for lot in plan_of(pos, side).placements])

    def depot_left(self, pos: state.Position, side: OwnerId) -> bool:
        """Whether the depot is not placed yet (C2.1)."""
        return self.force(side).depots > 0 and plan_of(pos, side).depot == NOWHERE

    def choose(self, pos: state.Position, side: OwnerId) -> Script[SetupAction]:
        """Places something, clears all, or seals when nothing is left (C2.6)."""
        refuse = partial(self._not_now, pos, side)
        kind = yield Slot("do", self._kinds(pos, side), refuse, refused=lambda: _KINDS)
        if kind == "clear":
            return Clear()
        if kind == "seal":
            return Seal()
        if kind == "depot-at":
            here = yield Slot("hex", depot_grounds(pos.data), partial(_no_depot_ground, pos))
            return PlaceDepot(as_hex(here))
        return (yield from self._place(pos, side))

    def _kinds(self, pos: state.Position, side: OwnerId) -> list[Token]:
        kinds: list[Token] = []
        if self.sp_left(pos, side) or self.leaders_left(pos, side):
            kinds.append("place")
        if self.depot_left(pos, side):
            kinds.append("depot-at")
        if not kinds:
            kinds.append("seal")  # C2.6: only when all is placed
        if plan_of(pos, side) != SetupPlan():
            kinds.append("clear")
        return kinds

    def _not_now(self, pos: state.Position, side: OwnerId, token: Token) -> Refusal:
        if token == "seal":
            sp, leaders = self.sp_left(pos, side), len(self.leaders_left(pos, side))
            depot = int(self.depot_left(pos, side))
            return Refusal("C2.6", "everything must be placed: {} SP, {} leaders, {} depots left", (sp, leaders, depot))
        if token in ("place", "depot-at", "clear"):
            return Refusal("C2.6", "nothing is left for «{}»", (token,))
        return Refusal("C2.4", "«{}» is not for the set-up", (token,))

    def _place(self, pos: state.Position, side: OwnerId) -> Script[Place]:
        power, sp_left = MAJORS[side], self.sp_left(pos, side)
        yield Slot("power", (power,), lambda token: Refusal("C2.4", "each major deploys its own forces"))
        leaders = yield from pick_leaders(pos, self.leaders_left(pos, side), must=not sp_left, rule="C2.6")
        points = yield from pick_points(power, int(not leaders), sp_left, "C2.6", "are left to place")
        refuse = partial(_no_deployment, pos, side)
        here = as_hex((yield Slot("hex", deployment_hexes(pos, side), refuse, refused=lambda: all_fortresses(pos))))
        inside = yield from pick_inside(here, here in fortresses_of(pos, MAJORS[side]), "C2.6")
        return Place(power, here, inside, leaders, bag(power, points))

    def chosen(self, draft: state.Draft, side: OwnerId, action: SetupAction) -> None:
        """Keeps it in the side's plan; nobody else learns of it."""
        plan = plan_of(draft, side)
        change = msgspec.structs.replace
        if isinstance(action, Seal):
            plan = change(plan, sealed=True)
        elif isinstance(action, Clear):
            plan = SetupPlan()
            draft.emit(Cleared(side=side))
        elif isinstance(action, PlaceDepot):
            plan = change(plan, depot=action.hex)
            draft.emit(Drafted(side=side, hex=action.hex, inside=False, leaders=(), sp=EMPTY, depot=True))
        else:
            lot = Placement(action.hex, action.inside, action.leaders, action.sp)
            plan = change(plan, placements=(*plan.placements, lot))
            draft.emit(Drafted(side=side, hex=lot.hex, inside=lot.inside, leaders=lot.leaders, sp=lot.sp))
        keep_secret(draft, side, plan)

    def reveal(self, draft: state.Draft) -> None:
        """Both set-ups come on the map; strengths and juniors stay hidden (C2.4)."""
        draft.pop()
        for side in SIDES:
            _put_on_map(draft, side, plan_of(draft, side))
        draft.sealed = (None, None)
        draft.touched.clear()
        draft.learn(PRUSSIAN, AUSTRIAN, WATCHER)

    def prompt(self, pos: state.Position, actor: Side) -> str:
        return "Deployment: place all your forces in secret, then seal"


def _put_on_map(draft: state.Draft, side: OwnerId, plan: SetupPlan) -> None:
    power = MAJORS[side]
    for lot in plan.placements:
        join_stack(draft, make_stack(draft, lot.hex, side, lot.inside, lot.sp, lot.leaders))
        for leader in lot.leaders:
            draft.set_roster(leader, ON_MAP)
    for stack in draft.stacks_of(side):
        draft.put(_unseen(stack))
        draft.emit(Deployed.of(side, power, stack.commander, stack))
    if plan.depot != NOWHERE:
        draft.set_depot(plan.depot, Depot(power, complete=True))  # C2.6
        draft.emit(DepotPlaced(side=side, power=power, hex=plan.depot))


def _unseen(stack: Stack) -> Stack:
    low, high, since = UNSEEN
    return msgspec.structs.replace(stack, low=low, high=high, since=since)


@memoized("lasting")
def fortresses_of(pos: state.Position, power: PowerId) -> tuple[Hex, ...]:
    """The home fortresses of a power on the map, in the order of the board (C2.1, C2.2, C9.4)."""
    return tuple(sorted(here for here, fort in pos.data.fortresses.items() if fort.power == power))


def deployment_hexes(pos: state.Position, side: OwnerId) -> tuple[Hex, ...]:
    """Where a major may deploy: its fortresses, Prussia also on its depot (C2.1, C2.2)."""
    here = plan_of(pos, side).depot
    places = fortresses_of(pos, MAJORS[side])
    return places if here == NOWHERE or here in places else tuple(sorted((*places, here)))


@memoized("memo")
def depot_grounds(data: model.GameData) -> tuple[Hex, ...]:
    """Where Prussia's depot may stand: on land in play, neither in Austria nor in a neutral's territory (C2.1)."""
    return tuple(here for here in hexes_of(data.board.land) if _is_depot_ground(data.board.territory[here]))


def _is_depot_ground(territory: str) -> bool:
    return territory in model.OPEN_LANDS or model.TERRITORIES.get(territory) == model.PRUSSIA


def _no_depot_ground(pos: state.Position, token: Token) -> Refusal:
    here = chosen_hex(token)
    if not pos.data.board.in_play(here):
        return Refusal("C2.1", "the depot stands on a land hex in play")
    territory = pos.data.board.territory[here]
    return Refusal("C2.1", "{} is in {}: the depot may not stand there", (hex_name(here), territory), here)


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
    """The position before the first decision: `frames`, and the deployment on top of them (C1.3, C2), if there is one.

    Raises Invalid for an unknown or faulty scenario.
    """
    if scenario not in data.scenarios:
        raise Invalid(f"«{scenario}» is no scenario: {', '.join(data.scenarios)}")
    plan = data.scenarios[scenario]
    forces = plan.forces
    if plan.par is not None:
        return start_position(data.of(scenario), plan, options, frames)
    secret = {force.power: force for force in forces if force.hex == NOWHERE}
    if set(secret) != set(MAJORS):
        raise Invalid(f"scenario «{scenario}»: just Prussia and Austria deploy in secret, in one line each")
    draft = state.Draft(_empty_position(data, options))
    draft.roster, draft.arrival = _opening_roster(data, forces)
    for force in forces:
        if force.hex != NOWHERE:
            _put_fixed(draft, force)
    draft.frames = (*frames, Deployment(secret[model.PRUSSIA], secret[model.AUSTRIA]))
    return draft.freeze()


def _put_fixed(draft: state.Draft, force: Force) -> None:
    """A minor power's force has a fixed place, open to both while neutral; its depot is complete (C2.3, C2.6)."""
    if force.sp or force.leaders:
        band = force.sp, force.sp, draft.now
        sp = bag(force.power, force.sp)
        draft.put(make_stack(draft, force.hex, NOBODY, force.inside, sp, force.leaders, None, band))
    if force.depots:
        draft.set_depot(force.hex, Depot(force.power, complete=True))


def _opening_roster(data: model.GameData, forces: Iterable[Force]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who is on the map, or about to be; the others form the pools (C2.5). Seniority by the order of C2 (C8.2)."""
    roster = [POOL] * len(data.leaders)
    for power in model.ALL_POWERS:
        roster[data.nameless(power)] = ABSENT  # C8.4
    arrival = [0] * len(data.leaders)
    for force in forces:
        for leader in force.leaders:
            roster[leader] = WAITING if force.hex == NOWHERE else ON_MAP
            arrival[leader] = data.leaders[leader].start
    return tuple(roster), tuple(arrival)


def _empty_position(data: model.GameData, options: GameOptions) -> state.State:
    """Prussia and Austria are at war, all others neutral (C1.3); each fortress is its major's or nobody's.

    Those of neutral powers and of the German States become somebody's later (O12.2, C9.6).
    """
    owners = {here: fort.power if fort.power in MAJORS else NOBODY for here, fort in data.fortresses.items()}
    return state.make_state(
        data,
        options=options,
        year=FIRST_YEAR,
        turn=FIRST_TURN,  # C3.1
        allegiance=(PRUSSIAN, AUSTRIAN, *(NOBODY for _ in data.powers[2:])),
        owners=owners,
        roster=(),
        arrival=(),
    )
