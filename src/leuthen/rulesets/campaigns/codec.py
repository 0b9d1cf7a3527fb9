"""The canonical text of a position: sorted JSON by names, not by layout in memory.

Hexes stand there as RRCC, nations, sides and leaders by name, TP by nation. What a decision in progress holds is
written by the types of its fields; leaders are numbers there, in the order of the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from leuthen.engine.codec import (
    NUMBER,
    StructWays,
    Way,
    as_mapping,
    at,
    by_name,
    fields,
    keyed,
    many,
    maybe,
    optional,
    plain,
    row,
    table,
    word,
)
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Outcome
from leuthen.rulesets.campaigns.model.data import NATIONS, GameData
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.options import GameOptions
from leuthen.rulesets.campaigns.model.state import (
    FIELDS,
    Captive,
    Coming,
    Depot,
    Position,
    Siege,
    Sight,
    State,
    Unit,
    force_key,
    state_of,
)
from leuthen.wargame.encodings import HEX, bag_way

SIDE_WORDS: Final = ("prussian", "coalition", "nobody")
ROSTER_WORDS: Final = ("unused", "map", "coming", "captive", "gone")
STATUS_WORDS: Final = ("neutral", "war", "out")
BAG: Final = bag_way(NATIONS, "nation")
SIDE: Final = word(SIDE_WORDS, "side")
NATION: Final = word(NATIONS, "nation")
WAYS: Final = StructWays({"Hex": HEX, "Bag": BAG}, {Decision: "frame"})
FRAME: Final = WAYS.tagged(Decision)
SPARE: Final[Mapping[str, Any]] = {"sights": {}}
"""What is not written where it has this value: open games are written as before the option was there."""


def _write_force(key: int) -> str:
    """«1623 coalition inside»."""
    return f"{HEX.write(key >> 3)} {SIDE.write(key >> 1 & 1)} {('field', 'inside')[key & 1]}"


def _read_force(text: str) -> int:
    here, side, place = text.split()
    return force_key(HEX.read(here), SIDE.read(side), ("field", "inside").index(place) > 0)


FORCE: Final = Way(_write_force, _read_force)


@cache
def _ways(names: tuple[str, ...]) -> Mapping[str, Way]:
    """How each field of a position is written, for leaders and wagons of these names."""
    leader = word(names, "leader")
    flags = dict.fromkeys(("inside", "moved", "far", "left", "forced", "cornered"), plain(bool))
    numbers = dict.fromkeys(("sp", "moves", "fodder", "fed", "hunger", "rolls", "shaken", "daunted"), NUMBER)
    unit = fields(Unit, {"number": leader, "hex": HEX, "start": HEX, "via": HEX, "tp": BAG, **flags, **numbers})
    captive = fields(Captive, {"leader": leader, "senior": plain(bool)})
    coming = fields(
        Coming, {"due": NUMBER, "nation": NATION, "tp": NUMBER, "leader": maybe(leader), "freed": plain(bool)}
    )
    siege = fields(Siege, {"turns": NUMBER, "breaches": NUMBER, "shut": NUMBER})
    pair = plain(tuple[int, int])
    return {
        "options": Way(_written_options, plain(GameOptions).read),
        "scenario": plain(str),
        **dict.fromkeys(("year", "turn", "first"), NUMBER),
        "phasing": SIDE,
        "frames": many(FRAME),
        "status": by_name(NATIONS, word(STATUS_WORDS, "status")),
        "ranks": by_name(names, NUMBER),
        "units": keyed(unit, "number", "a leader stands in two places"),
        "garrisons": table(HEX, BAG),
        "freed": table(HEX, BAG),
        "owners": table(HEX, SIDE),
        "depots": table(HEX, fields(Depot, {"nation": NATION, "cut": NUMBER})),
        "sieges": table(HEX, siege),
        "prisoners": row([BAG, BAG]),
        "captives": row([many(captive), many(captive)]),
        "coming": many(coming),
        "roster": by_name(names, word(ROSTER_WORDS, "place of a leader")),
        "dead": BAG,
        "battles": pair,
        "killed": pair,
        "last_battle": SIDE,
        "joined": by_name(NATIONS, NUMBER),
        "conquered": many(NATION, frozenset),
        "raised": by_name(NATIONS, NUMBER),
        "drawn": many(NUMBER, frozenset),
        "sights": table(FORCE, fields(Sight, {"low": NUMBER, "high": NUMBER, "since": NUMBER})),
        "outcome": optional(plain(Outcome)),
    }


def _written_options(options: GameOptions) -> dict[str, Any]:
    """An open game is written as before the option was there."""
    written: dict[str, Any] = msgspec.to_builtins(options)
    if not options.hidden:
        del written["hidden"]
    return written


def _names(data: GameData) -> tuple[str, ...]:
    return tuple(leader.name for leader in data.leaders)


def dump_fields(pos: Position, ways: Mapping[str, Way], spare: Mapping[str, Any]) -> bytes:
    """The text."""
    values = {name: getattr(pos, name) for name in pos.FIELDS}
    written = {n: ways[n].write(value) for n, value in values.items() if n not in spare or value != spare[n]}
    return msgspec.json.encode(written, order="sorted")


def restore_fields(
    text: bytes, names: Sequence[str], ways: Mapping[str, Way], spare: Mapping[str, Any]
) -> dict[str, Any]:
    """The values."""
    found = at("position", lambda raw: as_mapping(msgspec.json.decode(raw)), text)
    missing = set(names) - set(found) - set(spare)
    if odd := sorted(missing | set(found) - set(names)):
        raise Invalid(f"position, {odd[0]}: {'missing' if odd[0] in names else 'no such field'}")
    read = {name: at(f"position, {name}", ways[name].read, found[name]) for name in names if name in found}
    return {name: read[name] if name in read else spare[name] for name in names}


def dump(state: Position) -> bytes:
    """The canonical text of a position, as UTF-8."""
    return dump_fields(state, _ways(_names(state.data)), SPARE)


def restore(data: GameData, text: bytes) -> State:
    """The position of a canonical text. Raises Invalid, naming the place in it."""
    values = restore_fields(text, FIELDS, _ways(_names(data)), SPARE)
    for name in ("garrisons", "freed", "owners", "depots", "sieges", "sights"):
        values[name] = dict(sorted(values[name].items()))
    order = {here: place for place, here in enumerate(data.strongholds)}
    values["owners"] = dict(sorted(values["owners"].items(), key=lambda item: order[item[0]]))
    return state_of(data, values)
