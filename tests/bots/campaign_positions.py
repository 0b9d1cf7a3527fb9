"""Positions of the campaigns, and the orders and missions of a captain in them."""

from typing import Any

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Side, as_side, as_viewer
from leuthen.rulesets.campaigns.bot.captain import Captain
from leuthen.rulesets.campaigns.bot.goals import goals_in, think
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import make_view
from leuthen.rulesets.campaigns.model.data import COALITION, PRUSSIA, PRUSSIAN, GameData, GameOptions
from leuthen.rulesets.campaigns.model.pieces import Depot, Unit
from leuthen.rulesets.campaigns.model.state import Decision, Draft, State
from leuthen.rulesets.campaigns.rules.r18_setup import blank
from leuthen.wargame.board import NOWHERE, Hex, parse_hex
from leuthen.wargame.missions import Mission, Thought
from leuthen.wargame.strength import LeaderId, PowerId, bag
from tests.campaigns.positions import rules


class Position:
    def __init__(self, owner: int = PRUSSIAN, turn: int = 5) -> None:
        self.data: GameData = rules().data
        self.values: dict[str, Any] = {
            "units": {}, "garrisons": {}, "depots": {}, "turn": turn,
            "owners": dict.fromkeys(self.data.strongholds, owner),
        }  # fmt: skip

    def army(self, where: str, name: str, tp: int, **more: Any) -> LeaderId:
        number = self.data.leader_named(name)
        here = parse_hex(where)
        values = {"start": here, "tp": bag(self.data.leaders[number].nation, tp), **more}
        self.values["units"][number] = Unit(number, here, **values)
        return number

    def wagon(self, where: str, nation: PowerId, sp: int = 4) -> LeaderId:
        number = self.data.wagon_ids[nation][0]
        self.values["units"][number] = Unit(number, parse_hex(where), sp=sp)
        return number

    def place(self, where: str, owner: int, nation: PowerId = PRUSSIA, tp: int = 0, *, depot: bool = False) -> Hex:
        here = parse_hex(where)
        self.values["owners"][here] = owner
        if tp:
            self.values["garrisons"][here] = bag(nation, tp)
        if depot:
            self.values["depots"][here] = Depot(nation)
        return here

    def at(self, *frames: Decision, einhorn: bool = True, hidden: bool = False) -> State:
        values = {**self.values, "units": dict(sorted(self.values["units"].items())), "frames": frames}
        state = blank(self.data, "1757", GameOptions(einhorn, hidden=hidden), **values)
        return Draft(state).freeze()


def order(state: State, side: Side = PRUSSIAN, weights: BotWeights = CAPTAIN) -> Action:
    return give_order(state, Captain(state.data, as_side(side), 1, weights), side)


def situation(state: State, side: Side = PRUSSIAN) -> Situation:
    s = Situation(state.data, make_view(state, as_viewer(side)))
    s.plan = goals_in(s, think(s, Thought("campaigns", as_side(side), 1)).plan)
    return s


def end_of(action: Action) -> Hex:
    path: tuple[Hex, ...] = getattr(action, "path", ())
    return path[-1] if path else NOWHERE


def captain(state: State, side: Side = PRUSSIAN) -> Captain:
    return Captain(state.data, as_side(side), 1)


def give_order(state: State, general: Captain, side: Side = PRUSSIAN) -> Action:
    pending = next(one for one in rules().pending(state) if one.actor == side)
    answer = general.choose(lambda: make_view(state, as_viewer(side)), rules().legal_actions(state, side), pending)
    assert isinstance(answer, Action)
    return answer


def mission(general: Captain, leader: LeaderId) -> Mission:
    found = general.mind.plan.mission_of(leader)
    assert found is not None
    return found


__all__ = ["COALITION", "PRUSSIAN", "Position", "captain", "end_of", "give_order", "mission", "order", "situation"]
