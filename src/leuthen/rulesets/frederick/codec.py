"""The canonical text of a position: sorted JSON by names, not by layout in memory.

Hexes stand there as RRCC, powers, sides and leaders by name, strengths as SP by power. What a decision in progress
holds is written by the types of its fields; leaders are numbers there, in the order of the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from leuthen.engine.codec import (
    NUMBER,
    StructWays,
    Way,
    by_name,
    dump_fields,
    fields,
    keyed,
    many,
    maybe,
    optional,
    plain,
    restore_fields,
    row,
    table,
    word,
)
from leuthen.engine.ruleset import Outcome
from leuthen.rulesets.frederick.model.data import POWERS, GameData
from leuthen.rulesets.frederick.model.decisions import Decision, Secret
from leuthen.rulesets.frederick.model.options import GameOptions
from leuthen.rulesets.frederick.model.state import FIELDS, Depot, Position, Stack, State, state_of
from leuthen.wargame.encodings import HEX, bag_way

SIDE_WORDS: Final = ("prussian", "austrian", "nobody")
ROSTER_WORDS: Final = ("map", "pool", "waiting", "captive", "gone", "absent")
BAG: Final = bag_way(POWERS)
SIDE: Final = word(SIDE_WORDS, "side")
POWER: Final = word(POWERS, "power")
WAYS: Final = StructWays({"Hex": HEX, "Bag": BAG}, {Decision: "frame", Secret: "secret"})
FRAME: Final = WAYS.tagged(Decision)
SECRET: Final = WAYS.tagged(Secret)


@cache
def _ways(names: tuple[str, ...]) -> Mapping[str, Way]:
    """How each field of a position is written, for leaders of these names."""
    leader = word(names, "leader")
    stack = _stack_way(leader)
    return {
        "options": plain(GameOptions),
        "year": NUMBER,
        "turn": NUMBER,
        "phasing": SIDE,
        "frames": many(FRAME),
        "allegiance": by_name(POWERS, SIDE),
        "surrendered": many(POWER, frozenset),
        "invaded": many(POWER, frozenset),
        "starred": many(POWER, frozenset),
        "saxon_invader": SIDE,
        "german_open": plain(bool),
        "stacks": keyed(stack, "key", "two stacks of one side stand in one place"),
        "moving": optional(stack),
        "depots": table(
            HEX, fields(Depot, {"power": POWER, **dict.fromkeys(("complete", "fed", "held"), plain(bool))})
        ),
        "owners": table(HEX, SIDE),
        "rp": plain(tuple[int, int]),
        "prisoners": row([BAG, BAG]),
        "captives": row([many(leader), many(leader)]),
        "roster": by_name(names, word(ROSTER_WORDS, "place of a leader")),
        "arrival": by_name(names, NUMBER),
        "waiting": BAG,
        "sealed": row([optional(SECRET), optional(SECRET)]),
        "spent": table(leader, NUMBER),
        "shifted": many(HEX, frozenset),
        "bound": many(HEX, frozenset),
        "sieges": table(HEX, NUMBER),
        "outcome": optional(plain(Outcome)),
    }


def _stack_way(leader: Way) -> Way:
    ways = {"hex": HEX, "side": SIDE, "sp": BAG, "marched": BAG, "leaders": many(leader), "commander": maybe(leader)}
    ways |= {"resting": BAG, "resters": many(leader)}
    ways |= {"nation": maybe(POWER)} | dict.fromkeys(("inside", "demoralized", "quartered"), plain(bool))
    return fields(Stack, ways | dict.fromkeys(("hungry", "low", "high", "since"), NUMBER))


def _names(data: GameData) -> tuple[str, ...]:
    return tuple(leader.name for leader in data.leaders)


def dump(state: Position) -> bytes:
    """The canonical text of a position, as UTF-8."""
    return dump_fields(state, _ways(_names(state.data)))


def restore(data: GameData, text: bytes) -> State:
    """The position of a canonical text. Raises Invalid, naming the place in it."""
    return state_of(data, restore_fields(text, FIELDS, _ways(_names(data))))
