"""The data of the rule set, read once from texts: board, nations, leaders, strongholds, tables, scenarios.

Every value stands in a file with its source mark; a folder of the same files can replace them. Errors name file and
line.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import msgspec

from leuthen.engine.memo import Memo
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, Side
from leuthen.wargame.battlefields import Fought
from leuthen.wargame.board import Board, Hex, Hexes, hex_set
from leuthen.wargame.names import NameBook, number_named
from leuthen.wargame.strength import LeaderId, PowerId

NATIONS: Final = ("prussia", "hanover", "austria", "france", "russia", "empire", "sweden", "saxony")
ALL_NATIONS: Final = tuple(map(PowerId, range(len(NATIONS))))
PRUSSIA, HANOVER, AUSTRIA, FRANCE, RUSSIA, EMPIRE, SWEDEN, SAXONY = ALL_NATIONS
"""In the order of R1.3."""
PRUSSIAN, COALITION = SIDES
"""The sides (R1.3)."""
SIDE_OF: Final[tuple[Side, ...]] = (PRUSSIAN, PRUSSIAN, *(COALITION,) * 6)
ADJECTIVES: Final = ("Prussian", "Hanoverian", "Austrian", "French", "Russian", "Imperial", "Swedish", "Saxon")
TERRITORIES: Final = (
    *("brandenburg", "silesia", "east-prussia", "bohemia", "moravia", "austria", "saxony", "hanover", "france"),
    *("sweden", "russia", "german-states", "poland", "mecklenburg", "holstein", "schleswig"),
)
"""All land in play may be entered (R5.4)."""
NO_NATION: Final = PowerId(-1)
CITY, FORT, FORTRESS = range(3)
KINDS: Final = ("city", "fort", "fortress")
WAGONS: Final = 4
"""Numbers for wagons that each nation has; its limit may be lower (R9.3)."""
WAGON: Final = (1, 1, 0, 5)
"""The ratings of a wagon (R9.3)."""


class Nation(msgspec.Struct, frozen=True):
    """A nation: letter of its wagons, base morale (R18.1), most depots (R9.1), wagons (R9.3), replacements (R15)."""

    name: str
    letter: str
    side: Side
    morale: int
    depots: int
    wagons: int
    replacements: int


class Leader(msgspec.Struct, frozen=True):
    """A leader, or a wagon, with its ratings (R2.1); among the leaders of a nation the first has the highest Sr."""

    name: str
    nation: PowerId
    command: int
    initiative: int
    combat: int
    morale: int


class Holding(msgspec.Struct, frozen=True):
    """Who holds a stronghold at the start of a year's scenario (R10.8): nation, TP of the garrison, a depot or not."""

    nation: PowerId
    tp: int
    depot: bool


class Stronghold(msgspec.Struct, frozen=True):
    """A city, fort or fortress (R10.8) with its area, home nation or NO_NATION, and who holds it, by set-up.

    `weak`: -1 on both rolls of a siege; `port`: all inside are always in supply (R9.9).
    """

    name: str
    hex: Hex
    kind: int
    area: int
    nation: PowerId
    weak: bool
    port: bool
    holdings: Mapping[str, Holding]


class Area(msgspec.Struct, frozen=True):
    """An area with its home nation or NO_NATION, and its victory points (R16.1)."""

    name: str
    nation: PowerId
    points: int


class StrongholdKind(msgspec.Struct, frozen=True):
    """What a kind of stronghold holds (R10.1): TP of a garrison, leaders or none; and the least besieger in TP."""

    garrison: int
    inside: bool
    besieger: int


class SetupEntry(msgspec.Struct, frozen=True):
    """A line of a set-up (R18.2): what stands where, and on which turn it comes; turn 0 is the start.

    `what` is field, inside, garrison, depot, replace (`leader` in place of `instead`) or above (ranks above `instead`).
    `until`: the leader does not move or react before that turn; 0 if he may.
    """

    turn: int
    hex: Hex
    what: str
    nation: PowerId
    leader: LeaderId
    tp: int
    instead: LeaderId
    until: int


class Scenario(msgspec.Struct, frozen=True):
    """A scenario: year and turn of its start, its last year, set-up, par (R16.5), nations at war, and a sentence.

    `end` is the last turn of the last year (R18.5).
    """

    name: str
    year: int
    turn: int
    last: int
    setup: str
    par: int
    nations: tuple[PowerId, ...]
    text: str
    end: int = 18


class GameData(msgspec.Struct, frozen=True, dict=True):
    """Everything that does not change in a game.

    `leaders` are the named ones, then one without a name for each nation (R2.6), then the wagons.
    """

    board: Board
    nations: tuple[Nation, ...]
    leaders: tuple[Leader, ...]
    named: int
    """How many leaders have names."""
    strongholds: Mapping[Hex, Stronghold]
    areas: tuple[Area, ...]
    kinds: tuple[StrongholdKind, ...]
    breach: tuple[tuple[int, ...], ...]
    surrender: tuple[tuple[int, ...], ...]
    commitment: tuple[int, ...]
    combat: tuple[int, ...]
    attrition: tuple[int, ...]
    replacements: tuple[tuple[int, ...], ...]
    yearly: Mapping[tuple[int, PowerId], int]
    alliances: Mapping[PowerId, int]
    departures: Mapping[tuple[int, PowerId], int]
    scenarios: Mapping[str, Scenario]
    setups: Mapping[str, tuple[SetupEntry, ...]]
    places: Mapping[str, Hex]
    digest: str
    fought: tuple[Fought, ...] = ()
    """Battles of the war."""

    @cached_property
    def memo(self) -> Memo:
        """Of what was computed from these data alone."""
        return Memo()

    @cached_property
    def book(self) -> NameBook:
        """The names of leaders, powers and places."""
        return NameBook(self.board, self.leaders, self.nations, self.strongholds.values(), self.places)

    @cached_property
    def wagons(self) -> int:
        """The number of the first wagon."""
        return self.named + len(NATIONS)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The side of each leader and wagon (R1.3)."""
        return tuple(SIDE_OF[leader.nation] for leader in self.leaders)

    @cached_property
    def places_held(self) -> Hexes:
        """The hexes with strongholds, as a set."""
        return hex_set(self.strongholds)

    @cached_property
    def leader_ids(self) -> tuple[LeaderId, ...]:
        """The numbers of all leaders and wagons."""
        return tuple(map(LeaderId, range(len(self.leaders))))

    @cached_property
    def generals(self) -> tuple[tuple[LeaderId, ...], ...]:
        """The leaders of each nation, without its wagons."""
        numbers = self.leader_ids[: self.wagons]
        return tuple(tuple(n for n in numbers if self.leaders[n].nation == nation) for nation in ALL_NATIONS)

    @cached_property
    def wagon_ids(self) -> tuple[tuple[LeaderId, ...], ...]:
        """The numbers of the wagons of each nation."""
        first = (self.wagons + WAGONS * nation for nation in ALL_NATIONS)
        return tuple(tuple(map(LeaderId, range(number, number + WAGONS))) for number in first)

    @cached_property
    def wagons_of(self) -> tuple[tuple[LeaderId, ...], ...]:
        """The numbers of the wagons of each side."""
        numbers = self.leader_ids[self.wagons :]
        return tuple(tuple(n for n in numbers if self.sides[n] == side) for side in SIDES)

    @cached_property
    def by_command(self) -> Mapping[tuple[int, int], tuple[LeaderId, ...]]:
        """The leaders and wagons of each side and command."""
        found: dict[tuple[int, int], tuple[LeaderId, ...]] = {}
        for number, side, leader in zip(self.leader_ids, self.sides, self.leaders, strict=True):
            found[side, leader.command] = (*found.get((side, leader.command), ()), number)
        return found

    @cached_property
    def waiting(self) -> Mapping[str, Mapping[LeaderId, int]]:
        """By set-up the leaders who do not move or react before some turn (R18.2)."""
        return {
            name: {entry.leader: entry.until for entry in entries if entry.until}
            for name, entries in self.setups.items()
        }

    def is_wagon(self, number: LeaderId) -> bool:
        """Whether a number stands for a wagon."""
        return number >= self.wagons

    def wagon(self, nation: PowerId, place: int) -> LeaderId:
        """The number of a nation's wagon, counted from 0."""
        return self.wagon_ids[nation][place]

    def nameless(self, nation: PowerId) -> LeaderId:
        """The leader 1-1-0 that a nation gets when it has no other (R2.6)."""
        return LeaderId(self.named + nation)

    def kind_at(self, here: Hex) -> StrongholdKind:
        """What the stronghold in a hex holds."""
        return self.kinds[self.strongholds[here].kind]

    def leader_named(self, name: str) -> LeaderId:
        """The number of the leader with that name. Raises Invalid."""
        return number_named(self.leaders, name)

    def homes(self, nation: PowerId) -> tuple[Hex, ...]:
        """The home strongholds of a nation, in the order of R10.8."""
        return self._homes[nation]

    @cached_property
    def _homes(self) -> tuple[tuple[Hex, ...], ...]:
        places = self.strongholds.items()
        return tuple(tuple(here for here, place in places if place.nation == nation) for nation in ALL_NATIONS)

    @cached_property
    def home_sets(self) -> tuple[Hexes, ...]:
        """The home strongholds of each nation, as a set."""
        return tuple(map(hex_set, self._homes))

    def musters(self, nation: PowerId) -> tuple[Hex, ...]:
        """Where new and freed troops of a nation come: its home strongholds, or those where it joins (R18.4)."""
        joining = (entry.hex for entry in self.setups["joining"] if entry.nation == nation)
        return self.homes(nation) or tuple(here for here in joining if here in self.strongholds)

    def places_of(self, area: int) -> tuple[Hex, ...]:
        """The strongholds of an area."""
        return self._places_by_area[area]

    @cached_property
    def _places_by_area(self) -> tuple[tuple[Hex, ...], ...]:
        places = self.strongholds.items()
        return tuple(tuple(here for here, place in places if place.area == area) for area in range(len(self.areas)))


def nation_named(name: str) -> PowerId:
    """The number of a nation. Raises Invalid."""
    if name.lower() not in NATIONS:
        raise Invalid(f"«{name}» is no nation: {', '.join(NATIONS)}")
    return PowerId(NATIONS.index(name.lower()))


OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("einhorn", "base"),
    "need25": ("no", "yes"),
    "recoverReduced": ("no", "yes"),
    "hidden": ("no", "yes"),
}


class GameOptions(msgspec.Struct, frozen=True):
    """The options of a game with their defaults."""

    einhorn: bool = True
    """Whether the variant is played (part V of the rulebook)."""
    need25: bool = False
    """Whether a force needs 1 SP for 25 TP, to the nearest whole (V3)."""
    recover_reduced: bool = False
    """Whether troops recover by the reduced morale (V8.1)."""
    hidden: bool = False
    """Whether strengths, supply and junior leaders of the other side are hidden (R1.8)."""


def options_of(chosen: Mapping[str, str]) -> GameOptions:
    """The options by the words with which they were chosen."""
    return GameOptions(
        einhorn=chosen["rules"] == "einhorn",
        need25=chosen["need25"] == "yes",
        recover_reduced=chosen["recoverReduced"] == "yes",
        hidden=chosen["hidden"] == "yes",
    )
