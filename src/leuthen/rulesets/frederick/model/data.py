"""The data of the rule set: board, powers, leaders, fortresses, tables, scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import msgspec

from leuthen.engine.memo import Memo
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import NOBODY, OwnerId
from leuthen.wargame.battlefields import Fought
from leuthen.wargame.board import OFF, WIDTH, Board, Hex, Hexes, hex_name, hex_set
from leuthen.wargame.names import UMLAUTS, Index, NameBook, number_named, simplify
from leuthen.wargame.strength import Bag, LeaderId, PowerId, all_of


class GameOptions(msgspec.Struct, frozen=True):
    """The options of a game with their defaults."""

    march_die: str = "phase"
    morale_target: int = 7
    hanover_note: str = "any"
    besieged_redeployment: str = "allowed"
    last_year: int = 1762
    counters: str = "limited"
    austrian_points: int | msgspec.UnsetType = msgspec.UNSET
    """Not written unless chosen, which keeps the digests of positions older than this option."""


EXPLAINED: Final[Mapping[str, str]] = {
    "march-die": "One die of movement for all forces of a March Phase, or one for each force as it sets out (O5.2)",
    "morale-target": "What die and initiative must come to for a demoralized stack to recover (O11.2)",
    "hanover-note": "Minden and Münster receive any Hanover on Prussia's side, or one of a starred result (C5.5)",
    "besieged-redeployment": "Whether a besieged fortress may send and receive in the Re-deployment Phase (C8.7)",
    "counters": "Whether the majors' SP are limited by their counters: Prussia's to 100, Austria's to 120 (C6.5)",
    "austrian-points": "Austria's Resource Points after 1756; between equal generals 36 to 39 make an even war (C6.1)",
    "last-year": "The year after which the war ends of itself (C13.2)",
}


POWERS: Final = ("prussia", "austria", "france", "hanover", "russia", "sweden", "saxony", "empire")
ALL_POWERS: Final = tuple(map(PowerId, range(len(POWERS))))
PRUSSIA, AUSTRIA, FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE = ALL_POWERS
NATIONS: Final = ("Prussian", "Austrian", "French", "Hanoverian", "Russian", "Swedish", "Saxon", "Imperial")
MINORS: Final = (FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE)
"""In the order of the tables (C5.2, C7.1)."""
NO_POWER: Final = PowerId(-1)
GERMAN_STATES: Final = "german-states"
OPEN_LANDS: Final = ("poland", "mecklenburg", "holstein", "schleswig")
"""Lands that both sides may enter without a violation (C9.1)."""
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
"""The power that owns each territory."""


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
    """A line of the set-up (C2). With `hex` -1 the major deploys it anywhere."""

    power: PowerId
    hex: Hex
    inside: bool
    sp: int
    leaders: tuple[LeaderId, ...]
    depots: int


CAMPAIGN: Final = "campaign"
"""The scenario of the article: the whole war (C2, C3)."""


class Scenario(msgspec.Struct, frozen=True, dict=True):
    """The beginning, the end, the forces and the victory conditions of a game (C2, C14).

    It begins on turn `turn` of `year` and ends after turn `last_turn` of `last`. With `par` None it is won by C13.1,
    else by C14.5. `sides` are the allegiances, `gone` the leaders who have left the war, `bases` the fortresses of
    C14.3. `area`: the first and last row and the first and last column of the played part of the map (C14.4).
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
        return tuple([sum(force.sp for force in self.forces if force.power == power) for power in ALL_POWERS])

    def is_played(self, here: Hex) -> bool:
        """Return whether a hex is in the part of the map that is played (C14.4)."""
        if self.area is None:
            return True
        top, bottom, left, right = self.area
        return top <= here // WIDTH <= bottom and left <= here % WIDTH <= right


class GameData(msgspec.Struct, frozen=True, dict=True):
    """Everything that stays constant in a game."""

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
    """Names of places today."""
    digest: str
    fought: tuple[Fought, ...] = ()
    """Battles of the war."""
    theatre: str = ""
    """The scenario to whose part of the map these data are cut down."""

    @cached_property
    def memo(self) -> Memo:
        return Memo()

    @cached_property
    def fortress_hexes(self) -> Hexes:
        return hex_set(self.fortresses)

    @cached_property
    def book(self) -> NameBook:
        return NameBook(self.board, self.leaders, self.powers, self.fortresses.values(), self.places)

    @cached_property
    def leader_ids(self) -> tuple[LeaderId, ...]:
        return tuple(map(LeaderId, range(len(self.leaders))))

    @cached_property
    def generals(self) -> tuple[tuple[LeaderId, ...], ...]:
        """The leaders of each power."""
        return tuple(tuple(n for n in self.leader_ids if self.leaders[n].power == power) for power in ALL_POWERS)

    @cached_property
    def paths(self) -> tuple[tuple[int, Bag], ...]:
        """Lengths of supply paths, the shortest first, each with all SP that its powers could have."""
        lengths = sorted({power.supply for power in self.powers})
        return tuple(
            (
                length,
                all_of(number for number, power in zip(ALL_POWERS, self.powers, strict=True) if power.supply == length),
            )
            for length in lengths
        )

    def of(self, scenario: str) -> GameData:
        """Return these data for a scenario: with its bases, without hexes beyond its part of the map (C14).

        Raises Invalid for an unknown scenario.
        """
        if scenario not in self.scenarios:
            raise Invalid(f"«{scenario}» is no scenario: {', '.join(self.scenarios)}")
        plan = self.scenarios[scenario]
        if self.theatre == scenario or not (plan.bases or plan.area):
            return self
        return self.memo.once(("theatre", scenario), lambda: _theatre(self, plan))

    def leader_named(self, name: str) -> LeaderId:
        """Return the number of the leader with that name. Raises Invalid."""
        return number_named(self.leaders, name)

    def nameless(self, power: PowerId) -> LeaderId:
        """The leader with ratings 0 that a power receives when it has no other (C8.4)."""
        return LeaderId(len(self.leaders) - len(POWERS) + power)


def power_named(name: str) -> PowerId:
    """Return the number of a power. Raises Invalid."""
    if name.lower() not in POWERS:
        raise Invalid(f"«{name}» is no power: {', '.join(POWERS)}")
    return PowerId(POWERS.index(name.lower()))


def _theatre(data: GameData, plan: Scenario) -> GameData:
    """On a part of the map the hexes beyond are closed and no power surrenders (C14.4); bases are added (C14.3)."""
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


FIRST_WINTER_TURN: Final = 15
"""Winter lasts from this turn to the end of the year (O1.3)."""


def when(stamp: int) -> str:
    """Return a turn, given as a number YYYYTT, in words: "1757, turn 4"."""
    return f"{stamp // 100}, turn {stamp % 100}"


def title(data: GameData, here: Hex) -> str:
    """Return "Breslau, today Wroclaw · 1733"; for a hex without a town its number."""
    names = [name for name, there in data.places.items() if there == here]
    if here in data.fortresses and data.fortresses[here].name not in names:
        names = [data.fortresses[here].name, *names]
    told = [f"{name}, today {now}" if (now := today(data, name)) else name for name in names]
    return " · ".join([*told, hex_name(here)])


def today(data: GameData, name: str) -> str:
    """Return the present name of a place, or "" if it only differs in writing out umlauts."""
    now = data.modern.get(name, name)
    same = simplify(now) in (simplify(name), simplify(name.casefold().translate(UMLAUTS)))
    return "" if same else now


def find_place(data: GameData, book: NameBook, place: str) -> Hex:
    """Return the hex with this number, historical name or present name. Raises Invalid or Ambiguous."""
    try:
        return book.hex(place)
    except Ambiguous:
        raise
    except Invalid:
        index = Index("town or hex", ((now, data.places[name]) for name, now in data.modern.items()))
        if place.strip()[:1].isdigit() or not index.prefixed(place):
            raise
        return index.find(place)


def land(territory: str) -> str:
    """Return a territory as a name: "East Prussia"."""
    return territory.replace("-", " ").title()
