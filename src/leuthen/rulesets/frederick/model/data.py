"""The data of the rule set: board, powers, leaders, fortresses, tables, scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import msgspec

from leuthen.engine.memo import Memo
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import NOBODY as NOBODY
from leuthen.engine.ruleset import OwnerId
from leuthen.wargame.battlefields import Fought
from leuthen.wargame.board import OFF, WIDTH, Board, Hex, Hexes, hex_set
from leuthen.wargame.names import NameBook, number_named
from leuthen.wargame.strength import Bag, LeaderId, PowerId, all_of

POWERS: Final = ("prussia", "austria", "france", "hanover", "russia", "sweden", "saxony", "empire")
ALL_POWERS: Final = tuple(map(PowerId, range(len(POWERS))))
PRUSSIA, AUSTRIA, FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE = ALL_POWERS
NATIONS: Final = ("Prussian", "Austrian", "French", "Hanoverian", "Russian", "Swedish", "Saxon", "Imperial")
"""The adjective of each power."""
MINORS: Final = (FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE)
"""In the order of the tables (C5.2, C7.1)."""
NO_POWER: Final = PowerId(-1)
GERMAN_STATES: Final = "german-states"
OPEN_LANDS: Final = ("poland", "mecklenburg", "holstein", "schleswig")
"""Anyone may enter these, with no violation (C9.1)."""
TERRITORIES: Final = {
    "brandenburg": PRUSSIA,
    "silesia": PRUSSIA,
    "east-prussia": PRUSSIA,
    "bohemia": AUSTRIA,
    "moravia": AUSTRIA,
    "austria": AUSTRIA,
    "saxony": SAXONY,
    "hanover": HANOVER,
    "france": FRANCE,
    "sweden": SWEDEN,
    "russia": RUSSIA,
    GERMAN_STATES: EMPIRE,
}
"""Whose territory each is."""


class Power(msgspec.Struct, frozen=True):
    """A power: its limit of SP (C7.5; 0: none), its SP counters (C6.5; 0: not counted), length of supply paths (O10.2),
    most leaders (C8.5; 0: any number)."""

    name: str
    limit: int
    counters: int
    supply: int
    most_leaders: int
    surrenders: bool


class Leader(msgspec.Struct, frozen=True):
    """A leader of the printed game with his ratings (O2.2); `start` is his place among those of C2, or 0."""

    name: str
    power: PowerId
    rank: int
    initiative: int
    attack: int
    defence: int
    start: int


class Fortress(msgspec.Struct, frozen=True):
    """A fortress: home power or NO_POWER in the German States, province, VP, `great` of C12.3, the power of C5.5."""

    name: str
    hex: Hex
    power: PowerId
    province: str
    vp: int
    great: bool
    star: PowerId


class Force(msgspec.Struct, frozen=True):
    """A line of the set-up (C2). `hex` -1: where its major likes."""

    power: PowerId
    hex: Hex
    inside: bool
    sp: int
    leaders: tuple[LeaderId, ...]
    depots: int


CAMPAIGN: Final = "campaign"
"""The scenario of the article: the whole war (C2, C3)."""


class Scenario(msgspec.Struct, frozen=True, dict=True):
    """When a game begins and ends, who stands where, and how it is won (C2, C14).

    It begins on turn `turn` of `year` and ends after turn `last_turn` of `last`. `par` None: it is won by C13.1, not by
    C14.5. `sides` are the allegiances, `gone` the leaders who have left the war, `bases` the fortresses of C14.3.
    `area`: the first and the last row, the first and the last column of the part of the map that is played (C14.4).
    """

    name: str
    text: str
    forces: tuple[Force, ...]
    year: int = 1756
    turn: int = 9
    last: int = 1762
    last_turn: int = 18
    par: int | None = None
    sides: tuple[int, ...] = (PRUSSIA, AUSTRIA, *(NOBODY for _ in MINORS))
    surrendered: frozenset[PowerId] = frozenset()
    rp: tuple[int, int] = (0, 0)
    gone: tuple[LeaderId, ...] = ()
    bases: tuple[Fortress, ...] = ()
    area: tuple[int, int, int, int] | None = None

    @cached_property
    def begun(self) -> tuple[int, ...]:
        """The SP that each power has at the start."""
        return tuple([sum(force.sp for force in self.forces if force.power == power) for power in ALL_POWERS])

    def is_played(self, here: Hex) -> bool:
        """Whether a hex is in the part of the map that is played (C14.4)."""
        if self.area is None:
            return True
        top, bottom, left, right = self.area
        return top <= here // WIDTH <= bottom and left <= here % WIDTH <= right


class GameData(msgspec.Struct, frozen=True, dict=True):
    """Everything that does not change in a game."""

    board: Board
    powers: tuple[Power, ...]
    leaders: tuple[Leader, ...]
    fortresses: Mapping[Hex, Fortress]
    combat: Mapping[tuple[int, int], tuple[int, int]]
    columns: tuple[int, ...]
    diplomacy: Mapping[tuple[int, int], OwnerId]
    stars: frozenset[tuple[int, int]]
    commitment: Mapping[tuple[int, int], tuple[int, bool]]
    attrition: tuple[int, ...]
    siege: tuple[tuple[int, str], ...]
    subsidy: tuple[int, ...]
    leader_table: tuple[tuple[int, int], ...]
    scenarios: Mapping[str, Scenario]
    places: Mapping[str, Hex]
    modern: Mapping[str, str]
    """How places are called today."""
    digest: str
    fought: tuple[Fought, ...] = ()
    """Battles of the war."""
    theatre: str = ""
    """The scenario to whose part of the map these data are cut down."""

    @cached_property
    def memo(self) -> Memo:
        """Of what was computed from these data alone."""
        return Memo()

    @cached_property
    def fortress_hexes(self) -> Hexes:
        """The hexes of all fortresses."""
        return hex_set(self.fortresses)

    @cached_property
    def book(self) -> NameBook:
        """The names of leaders, powers and places."""
        return NameBook(self.board, self.leaders, self.powers, self.fortresses.values(), self.places)

    @cached_property
    def leader_ids(self) -> tuple[LeaderId, ...]:
        """The numbers of all leaders."""
        return tuple(map(LeaderId, range(len(self.leaders))))

    @cached_property
    def generals(self) -> tuple[tuple[LeaderId, ...], ...]:
        """The leaders of each power."""
        return tuple(tuple(n for n in self.leader_ids if self.leaders[n].power == power) for power in ALL_POWERS)

    @cached_property
    def paths(self) -> tuple[tuple[int, Bag], ...]:
        """The lengths of the paths of supply, the shortest first, with all SP that the powers of each could have."""
        lengths = sorted({power.supply for power in self.powers})
        return tuple(
            (
                length,
                all_of(number for number, power in zip(ALL_POWERS, self.powers, strict=True) if power.supply == length),
            )
            for length in lengths
        )

    def of(self, scenario: str) -> GameData:
        """These data as a scenario has them: with its bases, and without what lies beyond its part of the map (C14).

        Raises Invalid for an unknown one.
        """
        if scenario not in self.scenarios:
            raise Invalid(f"«{scenario}» is no scenario: {', '.join(self.scenarios)}")
        plan = self.scenarios[scenario]
        if self.theatre == scenario or not (plan.bases or plan.area):
            return self
        return self.memo.once(("theatre", scenario), lambda: _theatre(self, plan))

    def leader_named(self, name: str) -> LeaderId:
        """The number of the leader with that name. Raises Invalid."""
        return number_named(self.leaders, name)

    def nameless(self, power: PowerId) -> LeaderId:
        """The leader with ratings 0 that a power receives when it has no other (C8.4)."""
        return LeaderId(len(self.leaders) - len(POWERS) + power)


def power_named(name: str) -> PowerId:
    """The number of a power. Raises Invalid."""
    if name.lower() not in POWERS:
        raise Invalid(f"«{name}» is no power: {', '.join(POWERS)}")
    return PowerId(POWERS.index(name.lower()))


def _theatre(data: GameData, plan: Scenario) -> GameData:
    """On a part of the map nobody enters what lies beyond, and no power surrenders (C14.4); bases are added (C14.3)."""
    board = data.board
    lands = {here: land if plan.is_played(here) else OFF for here, land in board.territory.items()}
    forts = {here: fort for here, fort in data.fortresses.items() if plan.is_played(here)}
    bases = {base.hex: base for base in plan.bases}
    powers = data.powers
    if plan.area is not None:
        powers = tuple([msgspec.structs.replace(power, surrenders=False) for power in powers])
    return msgspec.structs.replace(
        data,
        board=Board(board.terrain, lands, board.sides) if plan.area is not None else board,
        fortresses=dict(sorted({**bases, **forts}.items())),
        powers=powers,
        theatre=plan.name,
    )
