"""Positions of Frederick in which a captain must give an order, and his orders."""

from typing import Any

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.bot.captain import Captain
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, Depot
from leuthen.rulesets.frederick.model.state import State
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import PowerId, bag
from tests.frederick.handmade import PositionBuilder, game_data, hexagon

SINCE = 175704


def order(state: State, side: Side = PRUSSIAN) -> Action:
    rules = load("frederick")
    pending = next(one for one in rules.pending(state) if one.actor == side)
    captain = Captain(state.data, side, 1)
    return captain.choose(lambda: make_view(state, as_viewer(side)), rules.legal_actions(state, side), pending)


class Position(PositionBuilder):
    def __init__(self, *, garrisons: bool = True) -> None:
        super().__init__()
        forts = sorted(game_data().fortresses.items())
        self.values.update(
            allegiance=(PRUSSIAN, AUSTRIAN, 2, 2, 2, 2, 2, 2), german_open=False, invaded=frozenset(), rp=(22, 30)
        )
        self.values["owners"] = {here: fort.power if fort.power in (PRUSSIA, AUSTRIA) else 2 for here, fort in forts}
        if garrisons:
            for here, fort in forts:
                if fort.power in (PRUSSIA, AUSTRIA):
                    put = self.prussians if fort.power == PRUSSIA else self.austrians
                    put(hex_name(here), 1, inside=True)

    def prussians(self, where: str, points: int, *who: str, **more: Any) -> None:
        self.put(where, PRUSSIAN, bag(PRUSSIA, points), *who, **(_known(points) | more))

    def austrians(self, where: str, points: int, *who: str, **more: Any) -> None:
        self.put(where, AUSTRIAN, bag(AUSTRIA, points), *who, **(_known(points) | more))

    def depot(self, where: str, power: PowerId = PRUSSIA, *, complete: bool = True) -> None:
        self.values["depots"] = {**self.values["depots"], hexagon(where): Depot(power, complete)}

    def at(self, frame: Decision, **more: Any) -> State:
        return self.state(frames=(frame,), **more)


def _known(points: int) -> dict[str, int]:
    return {"low": points, "high": points, "since": SINCE} if points else {}
