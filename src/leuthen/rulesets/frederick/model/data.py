"""The data of the rule set: board, powers, leaders, fortresses, tables, scenarios.

Every value comes from a file with its source; a folder of the same files can replace them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Final, TypeVar

import msgspec

from leuthen.engine.memo import Memo
from leuthen.engine.refusal import Ambiguous, Invalid, require
from leuthen.engine.ruleset import NOBODY, OwnerId
from leuthen.wargame.board import NOWHERE, OFF, WIDTH, Board, Hex, Hexes, hex_name, hex_set, parse_hex
from leuthen.wargame.data_files import (
    Files,
    Row,
    digest_of,
    read_board,
    read_each,
    read_modern,
    read_places,
    read_table,
)
from leuthen.wargame.names import UMLAUTS, Index, NameBook, simplify
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId, PowerId, all_of
from leuthen.wargame.war import Fought, read_fought


class GameOptions(msgspec.Struct, frozen=True):
    march_die: str = "phase"
    morale_target: int = 7
    hanover_note: str = "any"
    besieged_redeployment: str = "allowed"
    last_year: int = 1762
    counters: str = "limited"
    austrian_points: int | msgspec.UnsetType = msgspec.UNSET
    """Not written unless chosen, which keeps the digests of positions older than this option."""


EXPLAINED: Final[Mapping[str, str]] = {
    "march-die": "One movement die for all forces of a March Phase, or one for each force (O5.2)",
    "morale-target": "Die plus initiative that a demoralized stack needs to recover (O11.2)",
    "hanover-note": "Minden and Münster receive Hanoverians always, or only after a starred result (C5.5)",
    "besieged-redeployment": "Let a besieged fortress send and receive SP in the Re-deployment Phase, or not (C8.7)",
    "counters": "Limit the major powers' SP to their counters (Prussia 100, Austria 120), or not (C6.5)",
    "austrian-points": "Austria's Resource Points after 1756; 36 to 39 balance the war between equal players (C6.1)",
    "last-year": "The last year of the war (C13.2)",
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

    @property
    def ratings(self) -> str:
        """The ratings as printed on the counter: "3-2-1"."""
        return f"{self.initiative}-{self.attack}-{self.defence}"


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
        return tuple(tuple(n for n in self.leader_ids if self.leaders[n].power == power) for power in ALL_POWERS)

    @cached_property
    def paths(self) -> tuple[tuple[int, Bag], ...]:
        """Lengths of supply paths, the shortest first, each with all SP that its powers could have."""
        lengths = sorted({power.supply for power in self.powers})
        return tuple((far, all_of(n for n in ALL_POWERS if self.powers[n].supply == far)) for far in lengths)

    def of(self, scenario: str) -> GameData:
        """Return these data for a scenario: with its bases, without hexes beyond its part of the map (C14).

        Raises Invalid for an unknown scenario.
        """
        require(scenario in self.scenarios, f'"{scenario}" is not a valid scenario: {", ".join(self.scenarios)}')
        plan = self.scenarios[scenario]
        if self.theatre == scenario or not (plan.bases or plan.area):
            return self
        return self.memo.get_or_compute(("theatre", scenario), lambda: _theatre(self, plan))

    def nameless(self, power: PowerId) -> LeaderId:
        """The leader with ratings 0 that a power receives when it has no other (C8.4)."""
        return LeaderId(len(self.leaders) - len(POWERS) + power)


def power_named(name: str) -> PowerId:
    """Return the number of a power. Raises Invalid."""
    require(name.lower() in POWERS, f'"{name}" is not a valid power: {", ".join(POWERS)}')
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
    return "" if simplify(now) in (simplify(name), simplify(name.casefold().translate(UMLAUTS))) else now


def find_place(data: GameData, book: NameBook, place: str) -> Hex:
    """Return the hex with this number, historical name or present name. Raises Invalid or Ambiguous."""
    try:
        return book.hex(place)
    except Ambiguous:
        raise
    except Invalid:
        index = Index("town or hex", ((now, data.places[name]) for name, now in data.modern.items()))
        if place.strip()[:1].isdigit() or not index.find_by_prefix(place):
            raise
        return index.find(place)


def land(territory: str) -> str:
    """Return a territory as a name: "East Prussia"."""
    return territory.replace("-", " ").title()


DICE: Final = range(-1, 10)
"""Results of a battle's die (O9.9)."""
LEAST_RATIO: Final = 25
"""Lowest ratio in per cent at which a battle is fought (O9.2)."""
DIPLOMACY: Final = range(-1, 8)
"""Results of C5.3."""
COMMITMENT: Final = range(-1, 7)
"""Rows of C7.2."""


def faults(data: GameData) -> Iterator[str]:
    """Yield every fault of the data, the plainest first.

    The board has no gap in a row and none between rows. Names are unique (C8.4), and so are the places of a power's
    leaders of the set-up (C2).
    """
    hexes = sorted(data.board.terrain)
    if not hexes:
        yield "map/hexes.csv: there is no hex"
    for here, there in pairwise(hexes):
        same_row, next_row = there == here + 1, there // WIDTH == here // WIDTH + 1 and there % WIDTH == 1
        if not (same_row or next_row):
            yield f"map/hexes.csv: between {hex_name(here)} and {hex_name(there)} hexes are missing"
    for name, here in data.places.items():
        if here not in data.board.terrain:
            yield f"map/places.csv: {name} is in {hex_name(here)}, which is not on the board"
    for name, times in Counter(fort.name for fort in data.fortresses.values()).items():
        if times > 1:
            yield f"map/fortresses.csv: two fortresses are named {name}"
    starts = Counter((leader.power, leader.start) for leader in data.leaders if leader.start)
    for (power, start), times in starts.items():
        if times > 1:
            yield f"leaders.csv: {times} leaders of {POWERS[power]} have start {start}"
    for name, times in Counter(leader.name for leader in data.leaders).items():
        if times > 1:
            yield f"leaders.csv: {name} is the name of a leader that every game has ({', '.join(NATIONS)} general)"
    yield from _table_faults(data)
    for name, plan in data.scenarios.items():
        for fault in _set_up_faults(data, plan):
            yield f"scenarios/{name}.csv: {fault}"


def _table_faults(data: GameData) -> Iterator[str]:
    if min(data.columns, default=LEAST_RATIO + 1) > LEAST_RATIO:
        yield f"tables/combat.csv: there is no column for a ratio of {LEAST_RATIO} per cent"
    for die in DICE:
        for column in data.columns:
            if (die, column) not in data.combat:
                yield f"tables/combat.csv: there is no line for die {die}, column {column}"
    for name, rolls, cells in (
        ("diplomacy", DIPLOMACY, set(data.diplomacy)),
        ("commitment", COMMITMENT, set(data.commitment)),
    ):
        for roll in rolls:
            for power in MINORS:
                if (roll, power) not in cells:
                    yield f"tables/{name}.csv: there is no line for roll {roll}, {POWERS[power]}"
    for name, faces in (("subsidy", len(data.subsidy)), ("leader", len(data.leader_table))):
        if faces != 6:
            yield f"tables/{name}.csv: a line for each face of the die is expected, 1 to 6"
    for name, lines in (("attrition", len(data.attrition)), ("siege", len(data.siege))):
        if not lines:
            yield f"tables/{name}.csv: there is no line"
    lowest = [roll for roll, _ in data.siege]
    if lowest != sorted(set(lowest)):
        yield "tables/siege.csv: the rolls do not rise from line to line"
    if CAMPAIGN not in data.scenarios:
        yield f"the data folder has no file scenarios/{CAMPAIGN}.csv"


def _set_up_faults(data: GameData, plan: Scenario) -> Iterator[str]:
    """In the campaign only the majors deploy in secret (C2.4), and a place holds one force of the others.

    In a scenario all forces are on the part of the map that is played and at war (C14.1, C14.4); enemies share no hex.
    """
    is_campaign, forces = plan.par is None, plan.forces
    if is_campaign and sorted(force.power for force in forces if force.hex == NOWHERE) != [0, 1]:
        yield "only Prussia and Austria deploy in secret, in one line each"
    fixed = [force for force in forces if not is_campaign or force.hex != NOWHERE]
    for force in fixed:
        if not (data.board.is_in_play(force.hex) and plan.is_played(force.hex)):
            yield f"no troops can be in {hex_name(force.hex)}"
        if force.inside and force.hex not in (*data.fortresses, *(base.hex for base in plan.bases)):
            yield f"{hex_name(force.hex)} has no fortress to be inside of"
        if is_campaign and force.power not in MINORS:
            yield f"{POWERS[force.power]} deploys in secret, not in {hex_name(force.hex)}"
        if not is_campaign and plan.sides[force.power] == NOBODY:
            yield f"{POWERS[force.power]} is on no side"
    for here in {force.hex for force in fixed} if not is_campaign else ():
        if len({plan.sides[force.power] for force in fixed if force.hex == here}) > 1:
            yield f"enemies share {hex_name(here)}"
    places = Counter((force.hex, force.inside) for force in fixed if is_campaign)
    for (here, _), times in places.items():
        if times > 1:
            yield f"{times} forces in {hex_name(here)}; there can be one in the field and one inside"
    for force in forces:
        for leader in force.leaders:
            if data.leaders[leader].power != force.power:
                yield f"{data.leaders[leader].name} is not a leader of {POWERS[force.power]}"
    for leader, times in Counter(leader for force in forces for leader in force.leaders).items():
        if times > 1:
            yield f"{data.leaders[leader].name} is in {times} places"


T = TypeVar("T")

SIEGE_RESULTS: Final = ("repulse", "nothing", "honours", "surrender")


def read_game(files: Files) -> GameData:
    """Return the data from the texts of its files, by path. Raises Invalid, naming file and line."""
    nations = zip(ALL_POWERS, NATIONS, strict=True)
    nameless = [Leader(f"{nation} general", power, 9, 0, 0, 0, 0) for power, nation in nations]  # junior to all (C8.4)
    columns = "power name rank initiative attack defence start"
    leaders = (*read_each(files, "leaders.csv", columns, _leader, lambda leader: leader.name), *nameless)
    board = read_board(files, (*TERRITORIES, *OPEN_LANDS))
    combat = read_table(files, "tables/combat.csv", "die column attacker defender", _combat)
    diplomacy = read_table(files, "tables/diplomacy.csv", "roll power allegiance star", _diplomacy)
    data = GameData(
        board=board,
        powers=_powers(files),
        leaders=leaders,
        fortresses={fort.hex: fort for fort in _fortresses(files, board)},
        combat=combat,
        columns=tuple(sorted({column for _, column in combat})),
        diplomacy={key: side for key, (side, _) in diplomacy.items()},
        stars=frozenset(key for key, (_, star) in diplomacy.items() if star),
        commitment=read_table(
            files,
            "tables/commitment.csv",
            "roll power percent switch",
            lambda row: (_cell(row), (row.number("percent", -100, 100), row.is_set("switch"))),
        ),
        attrition=_by_roll(files, "attrition", "percent", lambda row: row.number("percent", 0, 100)),
        siege=tuple(
            read_each(
                files,
                "tables/siege.csv",
                "roll result",
                lambda row: (row.number("roll", -99, 99), row.word("result", SIEGE_RESULTS)),
            )
        ),
        subsidy=_by_roll(files, "subsidy", "points", lambda row: row.number("points")),
        leader_table=_by_roll(files, "leader", "new sack", lambda row: (row.number("new"), row.number("sack"))),
        scenarios=read_scenarios(files, leaders, board),
        places=read_places(files),
        modern=read_modern(files),
        digest=digest_of(files),
        fought=read_fought(files),
    )
    for fault in faults(data):
        raise Invalid(fault)
    return data


def _by_roll(files: Files, name: str, columns: str, read: Callable[[Row], T]) -> tuple[T, ...]:
    path = f"tables/{name}.csv"
    found = read_each(files, path, f"roll {columns}", lambda row: (row.number("roll"), read(row)))
    require([roll for roll, _ in found] == list(range(1, len(found) + 1)), f"{path}: the rolls are not 1, 2, 3, …")
    return tuple(value for _, value in found)


def _powers(files: Files) -> tuple[Power, ...]:
    def power(row: Row) -> tuple[str, Power]:
        most, limit, counters = (row.number_or_none(name) for name in ("most_leaders", "limit", "counters"))
        supply, surrenders = row.number("supply", 1), row.is_set("surrenders")
        return row["power"], Power(row.name("name"), limit, counters, supply, most, surrenders)

    path = "tables/powers.csv"
    found = read_each(files, path, "power name limit counters supply most_leaders surrenders", power)
    require(
        tuple(name for name, _ in found) == POWERS, f"{path}: the powers are not {', '.join(POWERS)}, in this order"
    )
    return tuple(power for _, power in found)


def _leader(row: Row) -> Leader:
    initiative, attack, defence = (row.number(name, 0, 9) for name in ("initiative", "attack", "defence"))
    power, start = power_named(row["power"]), row.number_or_none("start")
    return Leader(row.name("name"), power, row.number("rank", 1, 9), initiative, attack, defence, start)


def _fortresses(files: Files, board: Board) -> list[Fortress]:
    def fortress(row: Row) -> Fortress:
        power = NO_POWER if row["power"] == GERMAN_STATES else power_named(row["power"])
        star = power_named(row["star"]) if row["star"] else NO_POWER
        province, great = row.word("province", tuple(TERRITORIES)), row.is_set("great")
        fort = Fortress(row.name("name"), row.hex("hex"), power, province, row.number("vp"), great, star)
        land = board.territory.get(fort.hex)
        require(board.is_in_play(fort.hex), f"hex: no troops can be in {row['hex']}")
        require(land == fort.province, f"province: {row['hex']} is in {land}, not in {fort.province}")
        return fort

    columns = "name hex power province vp great star"
    return read_each(files, "map/fortresses.csv", columns, fortress, lambda fort: fort.hex)


def _combat(row: Row) -> tuple[tuple[int, int], tuple[int, int]]:
    losses = row.number("attacker", 0, 100), row.number("defender", 0, 100)
    return (row.number("die", -99, 99), row.number("column")), losses


def _diplomacy(row: Row) -> tuple[tuple[int, int], tuple[OwnerId, bool]]:
    sides: dict[str, OwnerId] = {"prussia": 0, "austria": 1, "neutral": NOBODY}
    side = sides[row.word("allegiance", tuple(sides))]
    return _cell(row), (side, bool(row.word("star", ("", "*", "**"))))


def _cell(row: Row) -> tuple[int, int]:
    return row.number("roll", -99, 99), power_named(row["power"])


PLANS: Final = "scenarios.csv"
LAST_TURN: Final = 18
_PLAN: Final = (
    "name setup year turn last last_turn par prussian austrian surrendered rp_prussia rp_austria gone bases area text"
)


def read_scenarios(files: Files, leaders: tuple[Leader, ...], board: Board) -> dict[str, Scenario]:
    """Return the scenarios by name, that of the article first; older data may lack the others."""
    numbers = {leader.name: LeaderId(number) for number, leader in enumerate(leaders)}
    setups = {
        path: tuple(read_each(files, path, "power hex where sp leaders depots", lambda row: _force(row, numbers)))
        for path in sorted(files)
        if path.startswith("scenarios/")
    }
    first = setups.get(f"scenarios/{CAMPAIGN}.csv")
    found = {} if first is None else {CAMPAIGN: Scenario(CAMPAIGN, "August 1756 to the end of 1762", first)}
    if PLANS in files:
        plans = read_each(files, PLANS, _PLAN, lambda row: _plan(row, setups, numbers, board), lambda plan: plan.name)
        found |= {plan.name: plan for plan in plans}
    return found


def _force(row: Row, numbers: Mapping[str, LeaderId]) -> Force:
    here = NOWHERE if row["hex"] == "secret" else row.hex("hex")
    inside = row.word("where", ("",) if here == NOWHERE else ("inside", "field")) == "inside"
    who = _leaders(row, "leaders", numbers)
    return Force(power_named(row["power"]), here, inside, row.number("sp"), who, row.number("depots", 0, 1))


def _leaders(row: Row, column: str, numbers: Mapping[str, LeaderId]) -> tuple[LeaderId, ...]:
    who = tuple(numbers.get(name, NO_LEADER) for name in row[column].split(";") if name)
    require(NO_LEADER not in who, f'{column}: a name in "{row[column]}" is not a valid leader of this game')
    return who


def _plan(row: Row, setups: Mapping[str, tuple[Force, ...]], numbers: Mapping[str, LeaderId], board: Board) -> Scenario:
    setup = f"scenarios/{row.name('setup')}.csv"
    require(setup in setups, f"setup: the data folder has no file {setup}")
    prussian, austrian, surrendered = (
        [power_named(name) for name in row[column].split(";") if name]
        for column in ("prussian", "austrian", "surrendered")
    )
    allied = dict.fromkeys(prussian, PRUSSIA) | dict.fromkeys(austrian, AUSTRIA)
    sides = tuple([allied.get(power, NOBODY) for power in ALL_POWERS])
    return Scenario(
        row.name("name"), row.name("text"), setups[setup],
        row.number("year", 1757, 1762), row.number("turn", 1, LAST_TURN),
        row.number("last", 1757, 1762), row.number("last_turn", 1, LAST_TURN),
        row.number("par", -999, 999), sides, frozenset(surrendered),
        (row.number("rp_prussia"), row.number("rp_austria")), _leaders(row, "gone", numbers),
        tuple([_base(text, board) for text in row["bases"].split(";") if text]), _area(row["area"]),
    )  # fmt: skip


def _base(text: str, board: Board) -> Fortress:
    """Read "russia 2432 Posen": a fortress of a power without VP (C14.3)."""
    power, place, name = (*text.split(" ", 2), "", "")[:3]
    here = parse_hex(place)
    reason = f'bases: "{text}" is not a valid base: a power, a hex in play and a name are expected'
    require(name and board.is_in_play(here), reason)
    return Fortress(name, here, power_named(power), board.territory[here], 0, False, NO_POWER)


def _area(text: str) -> tuple[int, int, int, int] | None:
    """Read "1020-1734", the corner hexes in the north-west and south-east, or "" for the whole map (C14.4)."""
    if not text:
        return None
    first, _, last = text.partition("-")
    (top, left), (bottom, right) = (divmod(parse_hex(corner), WIDTH) for corner in (first, last))
    is_right = top <= bottom and left <= right
    require(is_right, f'area: "{text}" is not a valid area: name the north-western corner first')
    return top, bottom, left, right
