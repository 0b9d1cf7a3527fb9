from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from leuthen.engine.ruleset import NOBODY, as_side
from leuthen.load import load, read_data
from leuthen.rulesets.frederick.model.data import (
    ALL_POWERS,
    AUSTRIA,
    FRANCE,
    HANOVER,
    PRUSSIA,
    RUSSIA,
    SAXONY,
    GameData,
    GameOptions,
    read_game,
)
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, ON_MAP, POOL, PRUSSIAN, Depot, Stack
from leuthen.rulesets.frederick.model.state import TABLE, Position, State, state_of
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.screen.values import Form
from leuthen.wargame.board import Hex, hexes_of, parse_hex
from leuthen.wargame.names import number_named
from leuthen.wargame.strength import Bag, LeaderId, PowerId, bag


@cache
def game_data() -> GameData:
    return read_game(read_data("frederick"))


def dump(state: Position) -> bytes:
    return TABLE.dump(state)


def restore(data: GameData, text: bytes) -> State:
    return state_of(data, TABLE.restore(data, text))


def hexagon(name: str) -> Hex:
    return parse_hex(name)


def leader(name: str) -> LeaderId:
    return number_named(game_data().leaders, name)


class PositionBuilder:
    def __init__(self) -> None:
        data = game_data()
        self.values: dict[str, Any] = TABLE.filled(
            options=GameOptions(),
            year=1757,
            turn=4,
            phasing=PRUSSIAN,
            allegiance=(PRUSSIAN, AUSTRIAN, AUSTRIAN, PRUSSIAN, NOBODY, NOBODY, AUSTRIAN, NOBODY),
            invaded=frozenset({SAXONY}),
            starred=frozenset({HANOVER}),
            saxon_invader=PRUSSIAN,
            german_open=True,
            owners={},
            rp=(22, 27),
            prisoners=(bag(AUSTRIA, 2), bag(PRUSSIA, 3) + bag(HANOVER, 1)),
            roster=tuple(POOL for _ in data.leaders),
            arrival=tuple(range(len(data.leaders))),
        )
        self.values["owners"] = {here: self._first_owner(fort.power) for here, fort in sorted(data.fortresses.items())}

    def _first_owner(self, power: PowerId) -> int:
        return NOBODY if power < 0 else int(self.values["allegiance"][power])

    def put(self, name: str, side: int, sp: Bag, *who: str, inside: bool = False, **more: Any) -> Stack:
        draft = state_of(game_data(), self.values)
        ranked = draft.by_seniority(tuple(leader(one) for one in who))
        chief = draft.commander_of(sp, ranked)
        stack = Stack(hexagon(name), as_side(side), inside, sp, ranked, chief, draft.nation_of(sp, chief), **more)
        self._muster(ranked)
        self.values["stacks"] = {**self.values["stacks"], stack.key: stack}
        return stack

    def _muster(self, leaders: tuple[LeaderId, ...]) -> None:
        roster = list(self.values["roster"])
        for number in leaders:
            roster[number] = ON_MAP
        self.values["roster"] = tuple(roster)

    def state(self, **more: Any) -> State:
        return state_of(game_data(), {**self.values, **more})


def some_state(**more: Any) -> State:
    builder = PositionBuilder()
    builder.put("1125", AUSTRIAN, bag(AUSTRIA, 8), "Browne", "Lacy", inside=True, low=2, high=12, since=175702)
    builder.put("1126", PRUSSIAN, bag(PRUSSIA, 24), "Frederick", "Keith", "Maurice", marched=bag(PRUSSIA, 4))
    builder.put("1125", PRUSSIAN, bag(PRUSSIA, 6) + bag(HANOVER, 1), "Schwerin", hungry=1)
    builder.put("1128", AUSTRIAN, bag(AUSTRIA, 20), "Daun", "Serbelloni", "Nadasdy")
    builder.put("1230", AUSTRIAN, bag(AUSTRIA, 3), inside=True)
    builder.put("1623", PRUSSIAN, bag(PRUSSIA, 5), inside=True, low=5, high=5, since=175703)
    builder.put("2212", AUSTRIAN, bag(FRANCE, 18) + bag(AUSTRIA, 2), "d'Estrées", "Chevert", "Piccolomini")
    builder.put("2209", AUSTRIAN, 0, "de Broglie")
    builder.put("2413", PRUSSIAN, bag(HANOVER, 10), "Cumberland", demoralized=True)
    builder.put("3742", NOBODY, bag(RUSSIA, 20), "Apraxin", "Fermor", inside=True)
    builder.values["owners"][hexagon("1623")] = PRUSSIAN
    depots = {
        hexagon("1125"): Depot(PRUSSIA, True),
        hexagon("1129"): Depot(AUSTRIA, False),
        hexagon("1228"): Depot(AUSTRIA, True),
        hexagon("3742"): Depot(RUSSIA, True),
    }
    values: dict[str, Any] = {"depots": depots, "spent": {leader("Frederick"): 2}, "sieges": {hexagon("1125"): 1}}
    return builder.state(**{**values, **more})


def random_state(seed: int) -> State:
    rng = Random(seed)
    builder = PositionBuilder()
    places = list(hexes_of(game_data().board.land))
    free = list(range(len(game_data().leaders)))
    rng.shuffle(free)
    for _ in range(rng.randrange(5, 60)):
        _put_random(builder, rng, rng.choice(places), free)
    own = [stack for stack in builder.values["stacks"].values() if stack.side == PRUSSIAN and stack.sp]
    moving = rng.choice(own) if own and rng.random() < 0.5 else None
    if moving is not None:
        del builder.values["stacks"][moving.key]
    depots = {rng.choice(places): Depot(rng.choice(ALL_POWERS), rng.random() < 0.7) for _ in range(rng.randrange(6))}
    return builder.state(moving=moving, depots=depots, waiting=bag(rng.choice(ALL_POWERS), rng.randrange(5)))


def _put_random(builder: PositionBuilder, rng: Random, here: Hex, free: list[int]) -> None:
    allegiance: tuple[int, ...] = builder.values["allegiance"]
    side = rng.choice((PRUSSIAN, AUSTRIAN, NOBODY))
    mine = [power for power in ALL_POWERS if allegiance[power] == side]
    mine = mine if side != NOBODY else [rng.choice(mine)]
    sp = sum(bag(power, rng.choice((0, 0, 1, 2, 5, 17))) for power in mine)
    leaders = game_data().leaders
    crowd = [n for n in free if leaders[n].power in mine][: rng.choice((0, 1, 1, 2, 4))]
    if not sp and not crowd:
        return
    for number in crowd:
        free.remove(number)
    row, column = divmod(here, 48)
    strength = sum(sp >> 16 * power & 0xFFFF for power in range(8))
    band = rng.choice(((1, 999, 0), (max(1, strength - 2), strength + 3, 175703)))
    more: Mapping[str, Any] = dict(zip(("low", "high", "since"), band, strict=True))
    names = [leaders[number].name for number in crowd]
    shape = {"inside": here in game_data().fortresses and rng.random() < 0.5, "demoralized": rng.random() < 0.2}
    builder.put(f"{row:02d}{column:02d}", side, sp, *names, **shape, **more)


def rules() -> Any:
    return load("frederick")


def form(state: State, side: int = PRUSSIAN, **partial_order: str) -> Form:
    keyed = {key.replace("_", "."): value for key, value in partial_order.items()}
    found: Form = rules().presenter.form(state, side, keyed)
    return found


def marching(die: int = 4, **more: Any) -> State:
    builder = PositionBuilder()
    builder.put("1632", PRUSSIAN, bag(PRUSSIA, 12) + bag(HANOVER, 3), "Keith", "Zieten")
    builder.put("1733", PRUSSIAN, bag(PRUSSIA, 5), "Winterfeldt", inside=True)
    builder.put("1634", AUSTRIAN, bag(AUSTRIA, 9), "Daun", low=4, high=9, since=175702)
    return builder.state(frames=(MarchPhase(PRUSSIAN, die),), **more)


def labels(found: Form, key: str) -> dict[str, str]:
    return {choice.token: choice.label for field in found.fields if field.key == key for choice in field.choices}
