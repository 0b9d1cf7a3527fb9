"""Forms of positions set up by hand."""

from typing import Any

from leuthen.load import load
from leuthen.rulesets.frederick.model.data import AUSTRIA, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, Depot
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.screen.values import Form
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import bag
from tests.frederick.handmade import Table


def door() -> Any:
    return load("frederick")


def form(state: State, side: int = PRUSSIAN, **partial_order: str) -> Form:
    keyed = {key.replace("_", "."): value for key, value in partial_order.items()}
    found: Form = door().presenter.form(state, side, keyed)
    return found


def marching(die: int = 4, **more: Any) -> State:
    table = Table()
    table.put("1632", PRUSSIAN, bag(PRUSSIA, 12) + bag(HANOVER, 3), "Keith", "Zieten")
    table.put("1733", PRUSSIAN, bag(PRUSSIA, 5), "Winterfeldt", inside=True)
    table.put("1634", AUSTRIAN, bag(AUSTRIA, 9), "Daun", low=4, high=9, since=175702)
    return table.state(frames=(MarchPhase(PRUSSIAN, die),), **more)


def labels(found: Form, key: str) -> dict[str, str]:
    return {choice.token: choice.label for field in found.fields if field.key == key for choice in field.choices}


def fed_by_depots(*more: str) -> State:
    table = Table()
    table.put("1632", PRUSSIAN, bag(PRUSSIA, 12), "Keith")
    table.put("1128", PRUSSIAN, bag(PRUSSIA, 4), "Zieten")
    depots = {parse_hex(place): Depot(PRUSSIA, True) for place in ("1330", *more)}
    return table.state(frames=(DepotPhase(PRUSSIAN, True),), depots=depots)
