"""The adapter of `campaigns` for the laws over whole games."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, NATIONS, SIDE_OF
from leuthen.rulesets.campaigns.model.events import (
    BattleEnded,
    ForcedMarch,
    LeaderCame,
    LossesTaken,
    NationTurned,
    RaisedTp,
    Wasted,
)
from leuthen.rulesets.campaigns.model.forces import side_of
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, CAPTIVE, COMING, NEUTRAL, ON_MAP, OUT, Unit
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.rules import r02_leaders as stragglers
from leuthen.rulesets.campaigns.rules import r06_joining as joining
from leuthen.rulesets.campaigns.rules import r06_meeting as meeting
from leuthen.rulesets.campaigns.rules import (
    r07_reaction,
    r08_forced_march,
    r14_prisoners,
    r15_arrivals,
)
from leuthen.rulesets.campaigns.rules import r09_supply as steps
from leuthen.rulesets.campaigns.rules import r12_battle as battle
from leuthen.rulesets.campaigns.rules import r12_battle as recovery
from leuthen.rulesets.campaigns.rules import r12_fight as fight
from leuthen.rulesets.campaigns.rules import r17_campaign as campaign
from leuthen.rulesets.campaigns.rules.r04_command import activation, marching
from leuthen.rulesets.campaigns.rules.r09_supply import WAGON_LOAD
from leuthen.wargame.board import StackKey, hex_name, key_hex, key_inside, key_side
from leuthen.wargame.strength import Bag, LeaderId, bag, of, powers
from tests.laws.ledger import Check, Facts, Ledger, ReportedChanges, Troops, no_check

SHAPES = {ON_MAP: "on the map", CAPTIVE: "captive", COMING: "on his way"}


def troops(state: State) -> Bag:
    first, second = state.prisoners
    found = sum([unit.tp for unit in state.units.values()]) + sum(state.garrisons.values()) + first + second
    found += sum([bag(one.nation, one.tp) for one in state.coming])
    return found + sum([bag(f.nation, f.points) for f in state.frames if isinstance(f, r15_arrivals.Placing)])


def reported(state: State, facts: Facts) -> ReportedChanges:
    came, lost, side_came, side_lost = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    left, halved = set[int](), set[int]()
    for fact in facts:
        if isinstance(fact, LeaderCame) and fact.instead < 0:
            came[state.leader(fact.leader).nation] += fact.tp or 0
        elif isinstance(fact, RaisedTp):
            came[fact.nation] += fact.points
        elif isinstance(fact, LossesTaken | Wasted):
            _add_losses(state, fact, lost, side_lost)
        elif isinstance(fact, ForcedMarch):
            lost[state.leader(fact.leader).nation] += fact.lost or 0
        elif isinstance(fact, BattleEnded) and fact.side != NOBODY:
            side_came[1 - fact.side] += fact.prisoners
        elif isinstance(fact, NationTurned) and fact.what == "is out of the war":
            left.add(fact.nation)
        elif isinstance(fact, NationTurned) and fact.what == "is conquered":
            halved.add(fact.nation)
    return ReportedChanges(came, lost, side_came, side_lost, frozenset(left), frozenset(halved))


def _add_losses(state: State, fact: LossesTaken | Wasted, lost: Troops, side_lost: Troops) -> None:
    for number, points in zip(fact.units, fact.points, strict=True):
        if state.data.is_wagon(number):
            side_lost[fact.side] += points
        else:
            lost[state.leader(number).nation] += points


def places(state: State) -> Iterator[tuple[int, str]]:
    yield from ((number, "on the map") for number in state.units if not state.data.is_wagon(number))
    for held in state.captives:
        yield from ((one.leader, "captive") for one in held)
    yield from ((one.leader, "on his way") for one in state.coming if one.leader >= 0)
    yield from ((frame.leader, "on his way") for frame in state.frames if isinstance(frame, r15_arrivals.Appearing))


def leaders(state: State) -> Mapping[int, str]:
    return {
        number: SHAPES[status]
        for number, status in zip(state.data.leader_ids, state.roster, strict=False)
        if status in SHAPES and not state.data.is_wagon(number)
    }


def invalid_pieces(state: State) -> Iterator[str]:
    for number, unit in state.units.items():
        yield from _wrong_with(state, number, unit)
    yield from _empty_places(state)
    yield from _struck_off(state)


def _wrong_with(state: State, number: LeaderId, unit: Unit) -> Iterator[str]:
    name, nation = state.leader(number).name, state.leader(number).nation
    if not state.data.board.is_in_play(unit.hex):
        yield f"{name} stands at {unit.hex}"
    if unit.inside and (not state.data.kind_at(unit.hex).inside or state.owners[unit.hex] != state.side(number)):
        yield f"{name} is inside {hex_name(unit.hex)}, which is not his side's"
    if unit.tp and side_of(unit.tp) != state.side(number):
        yield f"{name} has men of the enemy"
    if state.data.is_wagon(number):
        yield from _wrong_with_wagon(name, unit)
    elif of(unit.tp, nation) != unit.strength:
        yield f"{name} has men of another nation"


def _wrong_with_wagon(name: str, unit: Unit) -> Iterator[str]:
    if not 0 <= unit.sp <= WAGON_LOAD:
        yield f"wagon {name} carries {unit.sp} SP"
    if not unit.tp and (unit.shaken or unit.daunted):
        yield f"wagon {name} has lost heart, and has no men"


def _empty_places(state: State) -> Iterator[str]:
    for here, tp in state.garrisons.items():
        if not tp or SIDE_OF[next(powers(tp))] != state.owners[here]:
            yield f"garrison {tp} of {hex_name(here)}, which belongs to {state.owners[here]}"
    for here, tp in state.freed.items():
        if not tp or any(of(tp, nation) > of(state.garrisons.get(here, 0), nation) for nation in ALL_NATIONS):
            yield f"freed men at {hex_name(here)} who are not there"
    for here, depot in state.depots.items():
        if state.owners[here] != SIDE_OF[depot.nation]:
            yield f"depot at {hex_name(here)} of a nation that does not hold it"
    for here, one in state.sieges.items():
        if here not in state.data.strongholds or not 0 <= one.breaches <= 3:
            yield f"siege of {hex_name(here)}: {one}"
    yield from (f"known of force {key} which is not there" for key in state.sights if not _is_force(state, key))


def _is_force(state: State, key: StackKey) -> bool:
    here, side, inside = key_hex(key), key_side(key), key_inside(key)
    if inside and here in state.garrisons:
        return True
    return any((u.hex, state.side(n), u.inside) == (here, side, inside) and u.tp for n, u in state.units.items())


def _struck_off(state: State) -> Iterator[str]:
    out = [nation for nation in ALL_NATIONS if state.status[nation] == OUT]
    there = troops(state) if out else 0
    for nation in out:
        if of(there, nation):
            yield f"{NATIONS[nation]} is out, and {of(there, nation)} of its men are not"
        yield from (f"{NATIONS[nation]} is out: {n}" for n in state.units if state.leader(n).nation == nation)
        yield from (f"{NATIONS[nation]} is out: depot {h}" for h, d in state.depots.items() if d.nation == nation)
    for captor in (0, 1):
        own: list[int] = [nation for nation in powers(state.prisoners[captor]) if SIDE_OF[nation] == captor]
        own += [one.leader for one in state.captives[captor] if state.side(one.leader) == captor]
        if own:
            yield f"side {captor} holds its own men: {own}"


def check_any(state: State, frame: Any) -> Iterator[str]:
    nation = getattr(frame, "nation", -1)
    if nation >= 0 and state.status[nation] == OUT and not isinstance(frame, campaign.AllyTurn | campaign.LeaveTurn):
        yield f"{frame.NAME}: {NATIONS[nation]} is out of the war"


def _are_there(state: State, frame: Any) -> Iterator[str]:
    for number in frame.named():
        if number >= 0 and number not in state.units:
            yield f"{frame.NAME}: {state.leader(number).name} is not on the map"


def _fights_on(state: State, frame: Any) -> Iterator[str]:
    if state.status[frame.nation] != AT_WAR:
        yield f"{frame.NAME}: {NATIONS[frame.nation]} is not at war"


def _is_neutral(state: State, frame: Any) -> Iterator[str]:
    if state.status[frame.nation] != NEUTRAL:
        yield f"{frame.NAME}: {NATIONS[frame.nation]} is neutral no more"


def _is_coming(state: State, frame: Any) -> Iterator[str]:
    if state.roster[frame.leader] != COMING:
        yield f"{frame.NAME}: {state.leader(frame.leader).name} is not on his way"


def _is_captive(state: State, frame: Any) -> Iterator[str]:
    if frame.leader >= 0 and not any(one.leader == frame.leader for held in state.captives for one in held):
        yield f"{frame.NAME}: {state.leader(frame.leader).name} is no captive"


def _fight_on(state: State, frame: Any) -> Iterator[str]:
    one = fight.current(state)
    if one.hosts is None:
        return
    for side in (0, 1):
        if not one.units(state, side):
            yield f"{frame.NAME}: side {side} has no troops left in the battle at {hex_name(one.hex)}"


def _fights(state: State, frame: Any) -> Iterator[str]:
    yield from _fight_on(state, frame)
    yield from _are_there(state, frame)


CHECKS: Mapping[type[Any], Check] = {
    campaign.AllyRoll: _is_neutral,
    campaign.AllyTurn: no_check,
    campaign.LeaveRoll: _fights_on,
    campaign.LeaveTurn: no_check,
    r15_arrivals.ReplacementRoll: _fights_on,
    steps.AttritionRoll: _are_there,
    battle.CombatRoll: _fight_on,
    activation.Activation: no_check,
    battle.CommitmentRoll: _fight_on,
    campaign.Council: _fights_on,
    battle.Declaring: _fight_on,
    r08_forced_march.ForcedMarches: no_check,
    r08_forced_march.ForcedRoll: _are_there,
    joining.Joining: _fight_on,
    battle.Leaving: _fight_on,
    stragglers.LoneRoll: _are_there,
    battle.Losses: _fight_on,
    marching.Marching: _are_there,
    meeting.Meeting: _are_there,
    battle.NerveRoll: _fights,
    activation.Passing: _are_there,
    r15_arrivals.Appearing: _is_coming,
    r15_arrivals.Displaced: _fights_on,
    r15_arrivals.FreedMen: _fights_on,
    r15_arrivals.Recruits: _fights_on,
    r15_arrivals.Replacements: _fights_on,
    r14_prisoners.Consenting: _is_captive,
    r07_reaction.Reacting: _are_there,
    r07_reaction.ReactionRoll: _are_there,
    r07_reaction.ReactionWindow: _are_there,
    recovery.CommandRoll: _are_there,
    recovery.CourageRoll: _are_there,
    recovery.TroopRoll: _are_there,
    battle.Retreating: _are_there,
    battle.WagonRoll: _are_there,
    steps.Toll: _are_there,
}

LEDGER = Ledger(
    nations=len(NATIONS),
    troops=troops,
    dead=lambda state: state.dead,
    side_of=lambda state, nation: SIDE_OF[nation],
    reported=reported,
    places=places,
    leaders=leaders,
    nation=lambda state, leader: state.leader(leader).nation,
    invalid_pieces=invalid_pieces,
    checks=CHECKS,
    check_any=check_any,
)
