"""R18.2: the position at the start of a scenario."""

from collections.abc import Sequence

from leuthen.engine.ruleset import NOBODY, OwnerId
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, SIDE_OF, GameData, GameOptions, Stronghold
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, NEUTRAL, TURNS, UNUSED, Depot, Unit
from leuthen.rulesets.campaigns.model.state import TABLE, Decision, Draft, State, snapshot_of, state_of
from leuthen.rulesets.campaigns.rules.r02_leaders import free_wagon
from leuthen.rulesets.campaigns.rules.r09_supply import WAGON_LOAD
from leuthen.rulesets.campaigns.rules.r15_arrivals import arrive
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, bag


def blank(data: GameData, scenario: str, options: GameOptions, **values: object) -> State:
    """Return a position with an empty map."""
    plan = data.scenarios[scenario]
    status = tuple(AT_WAR if nation in plan.nations else NEUTRAL for nation in ALL_NATIONS)
    base: dict[str, object] = {
        "options": options,
        "scenario": scenario,
        "year": plan.year,
        "turn": plan.turn,
        "first": (plan.year - 1756) * TURNS + plan.turn,
        "status": status,
        "ranks": data.leader_ids,
        "owners": {here: home_side(place, status) for here, place in data.strongholds.items()},
        "roster": (UNUSED,) * len(data.leaders),
    }
    return state_of(data, TABLE.filled(**{**base, **values}))


def home_side(place: Stronghold, status: Sequence[int]) -> OwnerId:
    """Return the first owner of a stronghold: its home nation's side, NOBODY if neutral (R10.2, R17.5)."""
    return NOBODY if place.nation < 0 or status[place.nation] == NEUTRAL else SIDE_OF[place.nation]


def new_position(data: GameData, scenario: str, options: GameOptions, frames: tuple[Decision, ...]) -> Draft:
    """Return the set-up of a scenario (R18.2)."""
    draft = Draft(blank(data, scenario, options, frames=frames))
    setup = data.scenarios[scenario].setup
    for here, place in data.strongholds.items():
        hold(draft, here, place, setup)
    for entry in data.setups[setup]:
        if not entry.turn and draft.status[entry.nation] == AT_WAR:
            arrive(draft, entry)
    give_wagons(draft)
    draft.show(snapshot_of(draft))
    draft.facts, draft.touched = [], set()
    return draft


def hold(draft: Draft, here: Hex, place: Stronghold, setup: str) -> None:
    """Give a stronghold its owner, garrison and depot of the set-up (R10.8)."""
    holding = place.holdings.get(setup)
    if holding is None or draft.status[holding.nation] != AT_WAR:
        return
    draft.set_owner(here, SIDE_OF[holding.nation])
    if holding.tp:
        tp: Bag = draft.garrisons.get(here, EMPTY) + bag(holding.nation, holding.tp)
        draft.set_garrison(here, tp)
    if holding.depot:
        draft.set_depot(here, Depot(holding.nation))


def give_wagons(draft: Draft) -> None:
    """Put one full wagon at each depot, in the order of R10.8, up to the limit (R18.2)."""
    for here in draft.data.strongholds:
        depot = draft.depots.get(here)
        number = free_wagon(draft, depot.nation) if depot is not None else NO_LEADER
        if number >= 0:
            draft.put(Unit(number, here, sp=WAGON_LOAD))
