"""Random armies close together around Saxony, Bohemia and Silesia, with more contact than in random campaigns."""

from random import Random
from typing import Any

from leuthen.engine.ruleset import NOBODY, as_side
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA, RUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, Depot
from leuthen.rulesets.frederick.model.state import FIELDS, Draft, State, state_of
from leuthen.rulesets.frederick.rules.c04_sequence import Campaign, GameTurn, PlayerTurn, War
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.rulesets.frederick.ruleset import run
from leuthen.wargame.board import Hex, hexes_of, parse_hex
from leuthen.wargame.strength import Bag, PowerId, bag
from tests.frederick.handmade import PositionBuilder, game_data

CENTRE = "1427"
WIDTH = 6
NATIONS = (PRUSSIA, AUSTRIA, 2, 3, RUSSIA, 5, 6, 7)


class Armies:
    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.data = game_data()
        self.builder = PositionBuilder()
        self.allegiance = (PRUSSIAN, AUSTRIAN, *(self.rng.randrange(2) for _ in NATIONS[2:]))
        self.builder.values["allegiance"] = self.allegiance
        far = self.data.board.distances(parse_hex(CENTRE))
        self.places = [here for here in hexes_of(self.data.board.land) if far.get(here, 99) <= WIDTH]
        self.forts = [here for here in self.places if here in self.data.fortresses]
        self.free = list(range(64))
        self.rng.shuffle(self.free)
        self.room = [power.limit or 200 for power in self.data.powers]  # C7.5
        self.taken: set[tuple[Hex, int, bool]] = set()

    def sp(self, side: int) -> Bag:
        powers = [power for power in NATIONS if self.allegiance[power] == side]
        chosen = self.rng.sample(powers, min(len(powers), self.rng.choice((1, 1, 1, 2))))
        sp = 0
        for power in chosen:
            points = min(self.room[power], self.rng.choice((1, 2, 3, 5, 8, 13, 21)))
            self.room[power] -= points
            sp += bag(PowerId(power), points)
        return sp

    def leaders(self, side: int) -> list[str]:
        mine = [n for n in self.free if self.allegiance[self.data.leaders[n].power] == side]
        chosen = mine[: self.rng.choice((0, 1, 1, 1, 2, 3))]
        self.free = [n for n in self.free if n not in chosen]
        return [self.data.leaders[n].name for n in chosen]

    def place(self, here: Hex, side: int, inside: bool) -> None:
        enemy_inside = inside and (here, 1 - side, True) in self.taken
        if (here, side, inside) in self.taken or enemy_inside:
            return
        who = self.leaders(side)
        sp = self.sp(side) if not who or self.rng.random() < 0.9 else 0
        if not sp and not who:
            return
        marks: dict[str, Any] = {"hungry": self.rng.choice((0, 0, 1, 2)), "demoralized": self.rng.random() < 0.15}
        more = marks if sp else {}  # leaders alone bear none
        self.taken.add((here, side, inside))
        name = f"{here // 48:02d}{here % 48:02d}"
        self.builder.put(name, side, sp, *who, inside=inside, **more)

    def state(self) -> State:
        for _ in range(self.rng.randrange(10, 24)):
            here = self.rng.choice(self.places if self.rng.random() < 0.6 else self.forts)
            side = self.rng.randrange(2)
            self.place(here, side, here in self.forts and self.rng.random() < 0.5)
            if self.rng.random() < 0.5:
                self.place(here, 1 - side, False)
        return self._begin()

    def _begin(self) -> State:
        values = {field: getattr(self.builder.state(), field) for field in FIELDS}
        values["owners"] = {here: self._owner(here) for here in values["owners"]}
        values["depots"] = {here: self._depot(side) for here, side, inside in self.taken if self.rng.random() < 0.3}
        side = self.rng.randrange(2)
        frames = (War(True), Campaign(True), GameTurn(2 + side), PlayerTurn(as_side(side)))
        values |= {"frames": frames, "turn": self.rng.randrange(3, 18), "year": 1758, "prisoners": (0, 0)}
        draft = Draft(state_of(self.data, values))
        draft.touched = {stack.hex for stack in draft.stacks.values()}
        resolve_hexes(draft)
        run(draft)
        return draft.freeze()

    def _owner(self, here: Hex) -> int:
        inside = [side for side in SIDES if (here, side, True) in self.taken]
        home = self.data.fortresses[here].power
        if inside:
            return inside[0]
        return self.rng.randrange(2) if here in self.forts else NOBODY if home < 0 else self.allegiance[home]

    def _depot(self, side: int) -> Depot:
        return Depot((PRUSSIA, AUSTRIA)[side], self.rng.random() < 0.8)


def armies(seed: int) -> State:
    return Armies(seed).state()
