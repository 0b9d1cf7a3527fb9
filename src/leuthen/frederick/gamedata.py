"""The data of the rule set, read once from texts: board, powers, leaders, fortresses, tables, scenarios.

Every value stands in a file with its source mark; a folder of the same files can replace them. Errors name file and
line.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

import msgspec

from leuthen.core.board import OFF, WATER, Board, Hex, Side, parse_hex
from leuthen.core.refusal import Invalid

POWERS: Final = ("prussia", "austria", "france", "hanover", "russia", "sweden", "saxony", "empire")
PRUSSIA, AUSTRIA, FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE = range(8)
NATIONS: Final = ("Prussian", "Austrian", "French", "Hanoverian", "Russian", "Swedish", "Saxon", "Imperial")
"""The adjective of each power."""
MINORS: Final = (FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE)
"""In the order of the tables (C5.2, C7.1)."""
NO_POWER: Final = -1
NOBODY: Final = 2
"""Instead of a side: neutral, or belonging to nobody."""
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
    """A power: its limit of SP (C7.5; 0: none), length of supply paths (O10.2), most leaders (C8.5; 0: any number)."""

    name: str
    limit: int
    supply: int
    most_leaders: int
    surrenders: bool


class Leader(msgspec.Struct, frozen=True):
    """A leader of the printed game with his ratings (O2.2); `start` is his place among those of C2, or 0."""

    name: str
    power: int
    rank: int
    initiative: int
    attack: int
    defence: int
    start: int


class Fortress(msgspec.Struct, frozen=True):
    """A fortress: home power or NO_POWER in the German States, province, VP, `great` of C12.3, the power of C5.5."""

    name: str
    hex: Hex
    power: int
    province: str
    vp: int
    great: bool
    star: int


class Force(msgspec.Struct, frozen=True):
    """A line of the set-up (C2). `hex` -1: where its major likes."""

    power: int
    hex: Hex
    inside: bool
    sp: int
    leaders: tuple[int, ...]
    depots: int


class GameData(msgspec.Struct, frozen=True, dict=True):
    """Everything that does not change in a game."""

    board: Board
    powers: tuple[Power, ...]
    leaders: tuple[Leader, ...]
    fortresses: Mapping[Hex, Fortress]
    combat: Mapping[tuple[int, int], tuple[int, int]]
    columns: tuple[int, ...]
    diplomacy: Mapping[tuple[int, int], int]
    stars: frozenset[tuple[int, int]]
    commitment: Mapping[tuple[int, int], tuple[int, bool]]
    attrition: tuple[int, ...]
    siege: tuple[tuple[int, str], ...]
    subsidy: tuple[int, ...]
    leader_table: tuple[tuple[int, int], ...]
    scenarios: Mapping[str, tuple[Force, ...]]
    places: Mapping[str, Hex]
    digest: str

    def leader_named(self, name: str) -> int:
        """The number of the leader with that name. Raises Invalid."""
        for number, leader in enumerate(self.leaders):
            if leader.name == name:
                return number
        raise Invalid(f"«{name}» is no leader of this game")

    def nameless(self, power: int) -> int:
        """The leader with ratings 0 that a power receives when it has no other (C8.4)."""
        return len(self.leaders) - len(POWERS) + power


def power_named(name: str) -> int:
    """The number of a power. Raises Invalid."""
    if name.lower() not in POWERS:
        raise Invalid(f"«{name}» is no power: {', '.join(POWERS)}")
    return POWERS.index(name.lower())


Files = Mapping[str, str]
T = TypeVar("T")


def read_game(files: Files) -> GameData:
    """Reads the data from the texts of its files, by path. Raises Invalid, naming file and line."""
    places = dict(_each(files, "map/places.csv", lambda row: (row["name"], parse_hex(row["hex"]))))
    leaders = (*_each(files, "leaders.csv", _leader), *_nameless())
    combat = _each(files, "tables/combat.csv", _combat)
    diplomacy = list(_each(files, "tables/diplomacy.csv", _diplomacy))
    return GameData(
        board=_board(files),
        powers=tuple(_each(files, "tables/powers.csv", _power)),
        leaders=leaders,
        fortresses={fort.hex: fort for fort in _each(files, "map/fortresses.csv", _fortress)},
        combat=dict(combat),
        columns=tuple(sorted({int(row["column"]) for _, row in _rows(files, "tables/combat.csv")})),
        diplomacy={key: side for key, side, _ in diplomacy},
        stars=frozenset(key for key, _, star in diplomacy if star),
        commitment=dict(_each(files, "tables/commitment.csv", _commitment)),
        attrition=tuple(_each(files, "tables/attrition.csv", lambda row: int(row["percent"]))),
        siege=tuple(_each(files, "tables/siege.csv", lambda row: (int(row["roll"]), row["result"]))),
        subsidy=tuple(_each(files, "tables/subsidy.csv", lambda row: int(row["points"]))),
        leader_table=tuple(_each(files, "tables/leader.csv", lambda row: (int(row["new"]), int(row["sack"])))),
        scenarios=_scenarios(files, leaders),
        places=places,
        digest=_digest(files),
    )


def _digest(files: Files) -> str:
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path}\n{files[path]}\n".encode())
    return whole.hexdigest()[:16]


def _rows(files: Files, path: str) -> Iterator[tuple[int, dict[str, str]]]:
    if path not in files:
        raise Invalid(f"the data folder has no file {path}")
    numbered = [(n, line) for n, line in enumerate(files[path].splitlines(), 1) if line and not line.startswith("#")]
    reader = csv.DictReader(line for _, line in numbered)
    for (number, _), row in zip(numbered[1:], reader, strict=False):
        yield number, row


def _each(files: Files, path: str, read: Callable[[dict[str, str]], T]) -> Iterator[T]:
    for number, row in _rows(files, path):
        try:
            yield read(row)
        except (KeyError, ValueError, AttributeError, TypeError) as error:
            raise Invalid(f"{path}, line {number}: {error}") from error


def _board(files: Files) -> Board:
    hexes = {parse_hex(row["hex"]): row for _, row in _rows(files, "map/hexes.csv")}
    terrain = {here: row["terrain"] for here, row in hexes.items()}
    territory = {here: row["territory"] if row["terrain"] != WATER else OFF for here, row in hexes.items()}
    known = {*TERRITORIES, *OPEN_LANDS, OFF}
    for here, name in territory.items():
        if name not in known:
            raise Invalid(f"map/hexes.csv, hex {hexes[here]['hex']}: «{name}» is no territory")
    return Board(terrain, territory, dict(_each(files, "map/sides.csv", _side)))


def _side(row: dict[str, str]) -> tuple[tuple[Hex, Hex], Side]:
    side = Side(row["river"], row["ridge"] == "1", row["pass"], row["water"] == "1")
    return (parse_hex(row["a"]), parse_hex(row["b"])), side


def _power(row: dict[str, str]) -> Power:
    most = int(row["most_leaders"] or 0)
    return Power(row["name"], int(row["limit"] or 0), int(row["supply"]), most, row["surrenders"] == "yes")


def _leader(row: dict[str, str]) -> Leader:
    rank, initiative, attack, defence = (int(row[name]) for name in ("rank", "initiative", "attack", "defence"))
    power, start = power_named(row["power"]), int(row["start"] or 0)
    return Leader(row["name"], power, rank, initiative, attack, defence, start)


def _nameless() -> Iterator[Leader]:
    """One leader with ratings 0 for each power, junior to all (C8.4)."""
    for power, nation in enumerate(NATIONS):
        yield Leader(f"{nation} general", power, 9, 0, 0, 0, 0)


def _fortress(row: dict[str, str]) -> Fortress:
    power = NO_POWER if row["power"] == GERMAN_STATES else power_named(row["power"])
    star = power_named(row["star"]) if row["star"] else NO_POWER
    return Fortress(
        row["name"], parse_hex(row["hex"]), power, row["province"], int(row["vp"]), row["great"] == "yes", star
    )


def _combat(row: dict[str, str]) -> tuple[tuple[int, int], tuple[int, int]]:
    return (int(row["die"]), int(row["column"])), (int(row["attacker"]), int(row["defender"]))


def _diplomacy(row: dict[str, str]) -> tuple[tuple[int, int], int, bool]:
    side = ("prussia", "austria", "neutral").index(row["allegiance"])
    return (int(row["roll"]), power_named(row["power"])), side, bool(row["star"])


def _commitment(row: dict[str, str]) -> tuple[tuple[int, int], tuple[int, bool]]:
    return (int(row["roll"]), power_named(row["power"])), (int(row["percent"]), row["switch"] == "yes")


def _scenarios(files: Files, leaders: tuple[Leader, ...]) -> dict[str, tuple[Force, ...]]:
    numbers = {leader.name: number for number, leader in enumerate(leaders)}

    def force(row: dict[str, str]) -> Force:
        names = [name for name in row["leaders"].split(";") if name]
        here = -1 if row["hex"] == "secret" else parse_hex(row["hex"])
        who = tuple(numbers[name] for name in names)
        return Force(power_named(row["power"]), here, row["where"] == "inside", int(row["sp"]), who, int(row["depots"]))

    paths = sorted(path for path in files if path.startswith("scenarios/"))
    return {path.removeprefix("scenarios/").removesuffix(".csv"): tuple(_each(files, path, force)) for path in paths}
