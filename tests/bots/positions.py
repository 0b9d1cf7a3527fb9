"""Positions in which a general must give an order, and his orders."""

from typing import Any

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Pending, Side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.bot.captain import Captain
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, Depot
from leuthen.rulesets.frederick.model.state import State
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import PowerId, bag
from tests.frederick.handmade import Table, hexagon

KNOWN = 175704


def asked(state: State, side: Side) -> Pending:
    return next(pending for pending in load("frederick").pending(state) if pending.actor == side)


def order(state: State, side: Side = PRUSSIAN) -> Action:
    legal = load("frederick").legal_actions(state, side)
    return Captain(state.data, side, 1).choose(lambda: make_view(state, as_viewer(side)), legal, asked(state, side))


def after(state: State, action: Action, side: Side = PRUSSIAN) -> State:
    result: State = load("frederick").apply(state, side, action).state
    return result


class War(Table):
    def __init__(self, *, garrisons: bool = True) -> None:
        super().__init__()
        self.values.update(
            allegiance=(PRUSSIAN, AUSTRIAN, 2, 2, 2, 2, 2, 2), german_open=False, invaded=frozenset(), rp=(22, 30)
        )
        self.values["owners"] = {
            here: fort.power if fort.power in (PRUSSIA, AUSTRIA) else 2 for here, fort in sorted(_forts().items())
        }
        if garrisons:
            for here, fort in sorted(_forts().items()):
                if fort.power in (PRUSSIA, AUSTRIA):
                    self.prussians(hex_name(here), 1, inside=True) if fort.power == PRUSSIA else self.austrians(
                        hex_name(here), 1, inside=True
                    )

    def prussians(self, where: str, points: int, *who: str, **more: Any) -> None:
        self.put(where, PRUSSIAN, bag(PRUSSIA, points), *who, **(_known(points) | more))

    def austrians(self, where: str, points: int, *who: str, **more: Any) -> None:
        self.put(where, AUSTRIAN, bag(AUSTRIA, points), *who, **(_known(points) | more))

    def depot(self, where: str, power: PowerId = PRUSSIA, *, complete: bool = True) -> None:
        self.values["depots"] = {**self.values["depots"], hexagon(where): Depot(power, complete)}

    def at(self, frame: Decision, **more: Any) -> State:
        return self.state(frames=(frame,), **more)


def _known(points: int) -> dict[str, int]:
    return {"low": points, "high": points, "since": KNOWN} if points else {}


def _forts() -> dict[Hex, Any]:
    from tests.frederick.handmade import game_data

    return dict(game_data().fortresses)
