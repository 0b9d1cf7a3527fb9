"""The data of the game, which never change during play, and their reader. Errors name file and line."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Final

import msgspec

from leuthen.engine.memo import Memo
from leuthen.engine.refusal import Invalid, number_of
from leuthen.engine.ruleset import SIDES, Side
from leuthen.wargame.board import NOWHERE, Board, Hex, Hexes, hex_set
from leuthen.wargame.data_files import Files, Row, digest_of, read_board, read_each, read_places, read_table
from leuthen.wargame.names import NameBook, number_named
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId
from leuthen.wargame.war import Fought, read_fought

NATIONS: Final = ("prussia", "hanover", "austria", "france", "russia", "empire", "sweden", "saxony")
ALL_NATIONS: Final = tuple(map(PowerId, range(len(NATIONS))))
PRUSSIA, HANOVER, AUSTRIA, FRANCE, RUSSIA, EMPIRE, SWEDEN, SAXONY = ALL_NATIONS  # the order of R1.3
PRUSSIAN, COALITION = SIDES  # R1.3
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
WAGONS: Final = 4  # numbers per nation; its limit may be lower (R9.3)
WAGON: Final = (1, 1, 0, 5)  # ratings (R9.3)


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
    """The holder of a stronghold at the start of a year's scenario (R10.8): nation, garrison TP, depot."""

    nation: PowerId
    tp: int
    depot: bool


class Stronghold(msgspec.Struct, frozen=True):
    """A city, fort or fortress (R10.8): area, home nation or NO_NATION, and its holder by set-up.

    `weak`: -1 on both rolls of a siege; `port`: everyone inside is always in supply (R9.9).
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
    """The capacity of a kind of stronghold (R10.1): garrison TP, leaders inside, and TP needed to besiege it."""

    garrison: int
    inside: bool
    besieger: int


class SetupEntry(msgspec.Struct, frozen=True):
    """A line of a set-up (R18.2): a piece, its place, and its turn; turn 0 is the start.

    `what` is field, inside, garrison, depot, replace (`leader` replaces `instead`) or above (ranks above `instead`).
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
    """All data that never change in a game.

    `leaders` lists the named leaders, then one nameless leader for each nation (R2.6), then the wagons.
    """

    board: Board
    nations: tuple[Nation, ...]
    leaders: tuple[Leader, ...]
    named: int  # the number of leaders with names
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
    fought: tuple[Fought, ...] = ()  # historical battles

    @cached_property
    def memo(self) -> Memo:
        return Memo()

    @cached_property
    def book(self) -> NameBook:
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
        return hex_set(self.strongholds)

    @cached_property
    def leader_ids(self) -> tuple[LeaderId, ...]:
        return tuple(map(LeaderId, range(len(self.leaders))))

    @cached_property
    def generals(self) -> tuple[tuple[LeaderId, ...], ...]:
        numbers = self.leader_ids[: self.wagons]
        return tuple(tuple(n for n in numbers if self.leaders[n].nation == nation) for nation in ALL_NATIONS)

    @cached_property
    def wagon_ids(self) -> tuple[tuple[LeaderId, ...], ...]:
        first = (self.wagons + WAGONS * nation for nation in ALL_NATIONS)
        return tuple(tuple(map(LeaderId, range(number, number + WAGONS))) for number in first)

    @cached_property
    def wagons_of(self) -> tuple[tuple[LeaderId, ...], ...]:
        numbers = self.leader_ids[self.wagons :]
        return tuple(tuple(n for n in numbers if self.sides[n] == side) for side in SIDES)

    @cached_property
    def by_command(self) -> Mapping[tuple[int, int], tuple[LeaderId, ...]]:
        found: dict[tuple[int, int], tuple[LeaderId, ...]] = {}
        for number, side, leader in zip(self.leader_ids, self.sides, self.leaders, strict=True):
            found[side, leader.command] = (*found.get((side, leader.command), ()), number)
        return found

    @cached_property
    def waiting(self) -> Mapping[str, Mapping[LeaderId, int]]:
        """By set-up, the leaders who do not move or react before some turn (R18.2)."""
        return {
            name: {entry.leader: entry.until for entry in entries if entry.until}
            for name, entries in self.setups.items()
        }

    def is_wagon(self, number: LeaderId) -> bool:
        return number >= self.wagons

    def nameless(self, nation: PowerId) -> LeaderId:
        """The leader 1-1-0 of a nation that has no other (R2.6)."""
        return LeaderId(self.named + nation)

    def kind_at(self, here: Hex) -> StrongholdKind:
        return self.kinds[self.strongholds[here].kind]

    def leader_named(self, name: str) -> LeaderId:
        return number_named(self.leaders, name)

    @cached_property
    def homes(self) -> tuple[tuple[Hex, ...], ...]:
        """The home strongholds of each nation, in the order of R10.8."""
        places = self.strongholds.items()
        return tuple(tuple(here for here, place in places if place.nation == nation) for nation in ALL_NATIONS)

    @cached_property
    def home_sets(self) -> tuple[Hexes, ...]:
        return tuple(map(hex_set, self.homes))

    def musters(self, nation: PowerId) -> tuple[Hex, ...]:
        """The strongholds where new and freed troops of a nation arrive: at home, or where it joins (R18.4)."""
        joining = (entry.hex for entry in self.setups["joining"] if entry.nation == nation)
        return self.homes[nation] or tuple(here for here in joining if here in self.strongholds)

    @cached_property
    def places_of(self) -> tuple[tuple[Hex, ...], ...]:
        places = self.strongholds.items()
        return tuple(tuple(here for here, place in places if place.area == area) for area in range(len(self.areas)))


def nation_named(name: str) -> PowerId:
    """Return the number of a nation. Raise Invalid."""
    if name.lower() not in NATIONS:
        raise Invalid(f'"{name}" is not a valid nation: {", ".join(NATIONS)}')
    return PowerId(NATIONS.index(name.lower()))


OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("einhorn", "base"),
    "need25": ("no", "yes"),
    "recoverReduced": ("no", "yes"),
    "hidden": ("no", "yes"),
}


class GameOptions(msgspec.Struct, frozen=True):
    einhorn: bool = True  # the variant (part V of the rulebook)
    need25: bool = False  # a force needs 1 SP for 25 TP, to the nearest whole (V3)
    recover_reduced: bool = False  # troops recover by the reduced morale (V8.1)
    hidden: bool = False  # the opponent's strengths, supply and junior leaders are hidden (R1.8)


def options_of(chosen: Mapping[str, str]) -> GameOptions:
    return GameOptions(
        einhorn=chosen["rules"] == "einhorn",
        need25=chosen["need25"] == "yes",
        recover_reduced=chosen["recoverReduced"] == "yes",
        hidden=chosen["hidden"] == "yes",
    )


LETTERS: Final = "PHAFREWS"  # nations in the columns of strongholds.csv
YEARS: Final = ("1756", "1757", "1758", "1759")
JOINING: Final = "joining"  # the set-up of nations that join (R18.3)


def read_game(files: Files) -> GameData:
    """Return the data of these files, by path. Raise Invalid, which names file and line."""
    board = read_board(files, TERRITORIES)
    nations = _nations(files)
    named = read_each(
        files,
        "leaders.csv",
        "nation name command initiative combat morale",
        lambda row: Leader(
            row.name("name"),
            nation_named(row["nation"]),
            row.number("command", 1, 4),
            row.number("initiative", 1, 5),
            row.number("combat", 0, 3),
            row.number("morale", 2, 12),
        ),
        attrgetter("name"),
    )
    nameless = [Leader(f"{ADJECTIVES[n]} general", n, 1, 1, 0, nations[n].morale) for n in ALL_NATIONS]  # R2.6
    wagons = [Leader(f"{nations[n].letter}{place + 1}", n, *WAGON) for n in ALL_NATIONS for place in range(WAGONS)]
    leaders = (*named, *nameless, *wagons)
    areas = read_each(
        files,
        "areas.csv",
        "area nation points",
        lambda row: Area(row.name("area"), _home(row), row.number("points")),
        attrgetter("name"),
    )
    data = GameData(
        board=board,
        nations=nations,
        leaders=leaders,
        named=len(named),
        strongholds={place.hex: place for place in _strongholds(files, board, areas)},
        areas=tuple(areas),
        kinds=_kinds(files),
        breach=_by_kind(files, "breach", "turn"),
        surrender=_by_kind(files, "surrender", "breaches"),
        commitment=_in_order(files, "commitment", 1),
        combat=_in_order(files, "combat", 0),
        attrition=_in_order(files, "attrition", 1),
        replacements=_replacements(files),
        yearly=read_table(files, "tables/yearly.csv", "year nation points", _year_and_nation("points")),
        alliances=read_table(
            files,
            "tables/alliances.csv",
            "nation number",
            lambda row: (nation_named(row["nation"]), row.number("number", 2)),
        ),
        departures=read_table(files, "tables/departures.csv", "year nation number", _year_and_nation("number")),
        scenarios=_scenarios(files),
        setups=_setups(files, board, leaders),
        places=read_places(files),
        fought=read_fought(files),
        digest=digest_of(files),
    )
    _check_setups(data)
    return data


def _nations(files: Files) -> tuple[Nation, ...]:
    path = "tables/nations.csv"
    found = read_each(
        files,
        path,
        "nation name letter morale depots wagons replacements",
        lambda row: (
            row["nation"],
            Nation(
                row.name("name"),
                row.word("letter", LETTERS),
                SIDE_OF[nation_named(row["nation"])],
                row.number("morale", 2, 12),
                row.number("depots"),
                row.number("wagons", 0, WAGONS),
                row.number("replacements"),
            ),
        ),
    )
    if tuple(name for name, _ in found) != NATIONS:
        raise Invalid(f"{path}: the nations are not {', '.join(NATIONS)}, in this order")
    return tuple(nation for _, nation in found)


def _home(row: Row) -> PowerId:
    return nation_named(row["nation"]) if row["nation"] else NO_NATION


def _strongholds(files: Files, board: Board, areas: Sequence[Area]) -> list[Stronghold]:
    names = [area.name for area in areas]

    def stronghold(row: Row) -> Stronghold:
        here = row.hex("hex")
        if not board.is_in_play(here):
            raise Invalid(f"hex: {row['hex']} is not in play")
        area = names.index(row.word("area", names))
        holdings = {year: _holding(row, year) for year in YEARS if row[year]}
        kind = KINDS.index(row.word("kind", KINDS))
        weak, port = row.is_set("weak"), row.is_set("port")
        return Stronghold(row.name("name"), here, kind, area, _home(row), weak, port, holdings)

    columns = "name hex kind area nation weak port 1756 1757 1758 1759"
    return read_each(files, "strongholds.csv", columns, stronghold, lambda place: place.hex)


def _holding(row: Row, year: str) -> Holding:
    text = row[year]
    tp = number_of(text[1:].removesuffix("D"))
    if text[:1] not in (*LETTERS,) or tp is None:
        raise Invalid(
            f'{year}: "{text}" is not a valid letter of a nation with the TP of its garrison, such as P3 or P3D'
        )
    return Holding(PowerId(LETTERS.index(text[0])), tp, text.endswith("D"))


def _kinds(files: Files) -> tuple[StrongholdKind, ...]:
    def kind(row: Row) -> tuple[str, StrongholdKind]:
        values = StrongholdKind(row.number("garrison", 1), row.is_set("inside"), row.number("besieger", 1))
        return row.word("kind", KINDS), values

    found = read_table(files, "tables/kinds.csv", "kind garrison inside besieger", kind)
    if set(found) != set(KINDS):
        raise Invalid(f"tables/kinds.csv: there must be a line for each of {', '.join(KINDS)}")
    return tuple(found[name] for name in KINDS)


def _by_kind(files: Files, name: str, column: str) -> tuple[tuple[int, ...], ...]:
    """Read a siege table: for each kind its numbers from 1 up."""
    path = f"tables/{name}.csv"
    found = read_table(
        files,
        path,
        f"kind {column} number",
        lambda row: ((row.word("kind", KINDS), row.number(column, 1)), row.number("number", 0, 6)),
    )
    by_kind = [tuple(value for (kind, _), value in found.items() if kind == wanted) for wanted in KINDS]
    steps = [[step for kind, step in found if kind == wanted] for wanted in KINDS]
    if any(rows != list(range(1, len(rows) + 1)) or not rows for rows in steps):
        raise Invalid(f"{path}: the numbers of each kind are not 1, 2, 3, …")
    return tuple(by_kind)


def _in_order(files: Files, name: str, start: int) -> tuple[int, ...]:
    """Read a table of percentages by result, without gaps."""
    path = f"tables/{name}.csv"
    found = read_table(files, path, "result percent", lambda row: (row.number("result"), row.number("percent", 0, 100)))
    if list(found) != list(range(start, start + len(found))):
        raise Invalid(f"{path}: the results do not go from {start} up one by one")
    return tuple(found.values())


def _replacements(files: Files) -> tuple[tuple[int, ...], ...]:
    path = "tables/replacements.csv"
    found = read_table(
        files,
        path,
        "nation die points",
        lambda row: ((nation_named(row["nation"]), row.number("die", 1, 6)), row.number("points")),
    )
    if len(found) != 6 * len(NATIONS):
        raise Invalid(f"{path}: there must be a line for each nation and die")
    return tuple(tuple(found[nation, die] for die in range(1, 7)) for nation in ALL_NATIONS)


def _year_and_nation(column: str) -> Callable[[Row], tuple[tuple[int, PowerId], int]]:
    return lambda row: ((row.number("year", 1756, 1762), nation_named(row["nation"])), row.number(column))


def _scenarios(files: Files) -> dict[str, Scenario]:
    def scenario(row: Row) -> Scenario:
        years = row.number("year", 1756, 1762), row.number("turn", 1, 18), row.number("last", 1756, 1762)
        nations = tuple(nation_named(name) for name in row["nations"].split(";"))
        par, end = row.number("par", -200, 200), row.number("end", 1, 18) if row.has("end") else 18
        return Scenario(row.name("name"), *years, row.word("setup", YEARS), par, nations, row["text"], end)

    columns = "name year turn last setup par nations text"
    return {each.name: each for each in read_each(files, "scenarios.csv", columns, scenario, attrgetter("name"))}


def _setups(files: Files, board: Board, leaders: tuple[Leader, ...]) -> dict[str, tuple[SetupEntry, ...]]:
    numbers = {leader.name: LeaderId(number) for number, leader in enumerate(leaders)}

    def leader(row: Row, column: str) -> LeaderId:
        if row[column] and row[column] not in numbers:
            raise Invalid(f'{column}: "{row[column]}" is not a valid leader of this game')
        return numbers[row[column]] if row[column] else NO_LEADER

    def entry(row: Row) -> SetupEntry:
        what = row.word("what", ("field", "inside", "garrison", "depot", "replace", "above"))
        here: Hex = row.hex("hex") if row["hex"] else NOWHERE
        if here >= 0 and not board.is_in_play(here):
            raise Invalid(f"hex: {row['hex']} is not in play")
        tp = row.number("tp") if row["tp"] else 0
        turn, nation, until = row.number("turn", 0, 18), nation_named(row["nation"]), row.number_or_none("until")
        return SetupEntry(turn, here, what, nation, leader(row, "leader"), tp, leader(row, "instead"), until)

    columns = "turn hex what nation leader tp instead until"
    return {name: tuple(read_each(files, f"scenarios/{name}.csv", columns, entry)) for name in (*YEARS, JOINING)}


def _check_setups(data: GameData) -> None:
    """Raise Invalid, naming the file, for a fault that no single line shows."""
    for name, entries in data.setups.items():
        for entry in entries:
            if entry.what in ("inside", "garrison", "depot") and entry.hex not in data.strongholds:
                raise Invalid(f"scenarios/{name}.csv: {entry.what} in a hex without a stronghold")
            if entry.leader >= 0 and data.leaders[entry.leader].nation != entry.nation:
                raise Invalid(f"scenarios/{name}.csv: {data.leaders[entry.leader].name} is of another nation")
