"""Reads the data from the texts of its files. Raises Invalid, naming file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.texts import number_of
from leuthen.rulesets.campaigns.model import data as model
from leuthen.wargame.battlefields import read_fought
from leuthen.wargame.board import NOWHERE, Board, Hex
from leuthen.wargame.data_files import Files, Row, digest_of, read_board, read_each, read_places, read_table
from leuthen.wargame.names import Named
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId

LETTERS: Final = "PHAFREWS"
"""The nations in the columns of the strongholds."""
YEARS: Final = ("1756", "1757", "1758", "1759")
JOINING: Final = "joining"
"""The set-up of nations that join (R18.3)."""


def read_game(files: Files) -> model.GameData:
    """Reads the data from the texts of its files, by path. Raises Invalid, naming file and line."""
    board = read_board(files, model.TERRITORIES)
    nations = _nations(files)
    named = read_each(files, "leaders.csv", "nation name command initiative combat morale", _leader, _name)
    leaders = (*named, *_nameless(nations), *_wagons(nations))
    areas = tuple(read_each(files, "areas.csv", "area nation points", _area, _name))
    strongholds = _strongholds(files, board, areas)
    data = model.GameData(
        board=board,
        nations=nations,
        leaders=leaders,
        named=len(named),
        strongholds={place.hex: place for place in strongholds},
        areas=areas,
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
            lambda row: (model.nation_named(row["nation"]), row.number("number", 2)),
        ),
        departures=read_table(files, "tables/departures.csv", "year nation number", _year_and_nation("number")),
        scenarios=_scenarios(files),
        setups=_setups(files, board, leaders),
        places=read_places(files),
        fought=read_fought(files),
        digest=digest_of(files),
    )
    for fault in _faults(data):
        raise Invalid(fault)
    return data


def _name(value: Named) -> str:
    return value.name


def _nations(files: Files) -> tuple[model.Nation, ...]:
    path = "tables/nations.csv"
    found = read_each(
        files, path, "nation name letter morale depots wagons replacements", lambda row: (row["nation"], _nation(row))
    )
    if tuple(name for name, _ in found) != model.NATIONS:
        raise Invalid(f"{path}: the nations are not {', '.join(model.NATIONS)}, in this order")
    return tuple(nation for _, nation in found)


def _nation(row: Row) -> model.Nation:
    morale, depots = row.number("morale", 2, 12), row.number("depots")
    side = model.SIDE_OF[model.nation_named(row["nation"])]
    wagons = row.number("wagons", 0, model.WAGONS)
    return model.Nation(
        row.name("name"), row.word("letter", LETTERS), side, morale, depots, wagons, row.number("replacements")
    )


def _leader(row: Row) -> model.Leader:
    ratings = row.number("command", 1, 4), row.number("initiative", 1, 5), row.number("combat", 0, 3)
    return model.Leader(row.name("name"), model.nation_named(row["nation"]), *ratings, row.number("morale", 2, 12))


def _nameless(nations: tuple[model.Nation, ...]) -> Iterator[model.Leader]:
    """A leader 1-1-0 with its base morale for each nation (R2.6)."""
    for number, nation in zip(model.ALL_NATIONS, nations, strict=True):
        yield model.Leader(f"{model.ADJECTIVES[number]} general", number, 1, 1, 0, nation.morale)


def _wagons(nations: tuple[model.Nation, ...]) -> Iterator[model.Leader]:
    for number, nation in zip(model.ALL_NATIONS, nations, strict=True):
        for place in range(model.WAGONS):
            yield model.Leader(f"{nation.letter}{place + 1}", number, *model.WAGON)


def _area(row: Row) -> model.Area:
    name = row["area"]
    if not name:
        raise Invalid("area: a name is missing")
    return model.Area(name, _home(row), row.number("points"))


def _home(row: Row) -> PowerId:
    return model.nation_named(row["nation"]) if row["nation"] else model.NO_NATION


def _strongholds(files: Files, board: Board, areas: tuple[model.Area, ...]) -> list[model.Stronghold]:
    names = [area.name for area in areas]

    def stronghold(row: Row) -> model.Stronghold:
        here = row.hex("hex")
        if not board.in_play(here):
            raise Invalid(f"hex: nobody can stand in {row['hex']}")
        area = names.index(row.word("area", names))
        holdings = {year: _holding(row, year) for year in YEARS if row[year]}
        kind = model.KINDS.index(row.word("kind", model.KINDS))
        return model.Stronghold(
            row.name("name"), here, kind, area, _home(row), row.is_set("weak"), row.is_set("port"), holdings
        )

    columns = "name hex kind area nation weak port 1756 1757 1758 1759"
    return read_each(files, "strongholds.csv", columns, stronghold, lambda place: place.hex)


def _holding(row: Row, year: str) -> model.Holding:
    text = row[year]
    tp = number_of(text[1:].removesuffix("D"))
    if text[:1] not in (*LETTERS,) or tp is None:
        raise Invalid(f"{year}: «{text}» is no letter of a nation with the TP of its garrison, such as P3 or P3D")
    return model.Holding(PowerId(LETTERS.index(text[0])), tp, text.endswith("D"))


def _kinds(files: Files) -> tuple[model.StrongholdKind, ...]:
    def kind(row: Row) -> tuple[str, model.StrongholdKind]:
        values = model.StrongholdKind(row.number("garrison", 1), row.is_set("inside"), row.number("besieger", 1))
        return row.word("kind", model.KINDS), values

    found = read_table(files, "tables/kinds.csv", "kind garrison inside besieger", kind)
    if set(found) != set(model.KINDS):
        raise Invalid(f"tables/kinds.csv: there must be a line for each of {', '.join(model.KINDS)}")
    return tuple(found[name] for name in model.KINDS)


def _by_kind(files: Files, name: str, column: str) -> tuple[tuple[int, ...], ...]:
    """A table of sieges: for each kind the numbers from 1 up."""
    path = f"tables/{name}.csv"
    found = read_table(
        files,
        path,
        f"kind {column} number",
        lambda row: ((row.word("kind", model.KINDS), row.number(column, 1)), row.number("number", 0, 6)),
    )
    by_kind = [tuple(value for (kind, _), value in found.items() if kind == wanted) for wanted in model.KINDS]
    steps = [[step for kind, step in found if kind == wanted] for wanted in model.KINDS]
    if any(rows != list(range(1, len(rows) + 1)) or not rows for rows in steps):
        raise Invalid(f"{path}: the lines of each kind do not go from 1 up one by one")
    return tuple(by_kind)


def _in_order(files: Files, name: str, start: int) -> tuple[int, ...]:
    """A table of percentages by result, without a gap."""
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
        lambda row: ((model.nation_named(row["nation"]), row.number("die", 1, 6)), row.number("points")),
    )
    if len(found) != 6 * len(model.NATIONS):
        raise Invalid(f"{path}: there must be a line for each nation and die")
    return tuple(tuple(found[nation, die] for die in range(1, 7)) for nation in model.ALL_NATIONS)


def _year_and_nation(column: str) -> Callable[[Row], tuple[tuple[int, PowerId], int]]:
    return lambda row: ((row.number("year", 1756, 1762), model.nation_named(row["nation"])), row.number(column))


def _scenarios(files: Files) -> dict[str, model.Scenario]:
    def scenario(row: Row) -> model.Scenario:
        years = row.number("year", 1756, 1762), row.number("turn", 1, 18), row.number("last", 1756, 1762)
        nations = tuple(model.nation_named(name) for name in row["nations"].split(";"))
        par, end = row.number("par", -200, 200), row.number("end", 1, 18) if row.has("end") else 18
        return model.Scenario(row.name("name"), *years, row.word("setup", YEARS), par, nations, row["text"], end)

    found = read_each(files, "scenarios.csv", "name year turn last setup par nations text", scenario, _name)
    return {each.name: each for each in found}


def _setups(files: Files, board: Board, leaders: tuple[model.Leader, ...]) -> dict[str, tuple[model.SetupEntry, ...]]:
    numbers = {leader.name: LeaderId(number) for number, leader in enumerate(leaders)}

    def leader(row: Row, column: str) -> LeaderId:
        if row[column] and row[column] not in numbers:
            raise Invalid(f"{column}: «{row[column]}» is no leader of this game")
        return numbers[row[column]] if row[column] else NO_LEADER

    def entry(row: Row) -> model.SetupEntry:
        what = row.word("what", ("field", "inside", "garrison", "depot", "replace", "above"))
        here: Hex = row.hex("hex") if row["hex"] else NOWHERE
        if here >= 0 and not board.in_play(here):
            raise Invalid(f"hex: nobody can stand in {row['hex']}")
        tp = row.number("tp") if row["tp"] else 0
        turn, nation = row.number("turn", 0, 18), model.nation_named(row["nation"])
        return model.SetupEntry(
            turn, here, what, nation, leader(row, "leader"), tp, leader(row, "instead"), row.number_or_none("until")
        )

    columns = "turn hex what nation leader tp instead until"
    return {name: tuple(read_each(files, f"scenarios/{name}.csv", columns, entry)) for name in (*YEARS, JOINING)}


def _faults(data: model.GameData) -> Iterator[str]:
    """What each line alone cannot show, naming the file."""
    for name, entries in data.setups.items():
        for entry in entries:
            if entry.what in ("inside", "garrison", "depot") and entry.hex not in data.strongholds:
                yield f"scenarios/{name}.csv: {entry.what} in a hex without a stronghold"
            if entry.leader >= 0 and data.leaders[entry.leader].nation != entry.nation:
                yield f"scenarios/{name}.csv: {data.leaders[entry.leader].name} is of another nation"
