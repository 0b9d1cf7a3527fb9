"""The canonical text of a position: sorted JSON by names, not by layout in memory; and its digest.

Hexes stand there as RRCC, powers, sides and leaders by name, strengths as SP by power. What a decision in progress
holds is written by the types of its fields; leaders are numbers there, in the order of the data.
"""

from __future__ import annotations

import ast
import hashlib
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from leuthen.core.board import Hex, hex_name, parse_hex
from leuthen.core.refusal import Invalid
from leuthen.core.ruleset import Outcome
from leuthen.core.strength import Bag, bag, of, powers
from leuthen.frederick.decisions import Decision, Secret
from leuthen.frederick.gamedata import POWERS, GameData
from leuthen.frederick.gameoptions import GameOptions
from leuthen.frederick.state import FIELDS, Depot, Position, Stack, State, state_of

SIDE_WORDS: Final = ("prussian", "austrian", "nobody")
ROSTER_WORDS: Final = ("map", "pool", "waiting", "captive", "gone", "absent")


class Way(NamedTuple):
    """How one kind of value is written, and read back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def word(words: tuple[str, ...], kind: str) -> Way:
    """A number that is written as one of some words."""

    def read(text: Any) -> int:
        if text not in words:
            raise Invalid(f"«{text}» is no {kind}")
        return words.index(text)

    return Way(lambda number: words[number], read)


def _write_hex(here: Hex) -> str:
    return hex_name(here) if here >= 0 else ""


def _read_hex(text: Any) -> Hex:
    return parse_hex(str(text)) if text != "" else -1


def write_bag(sp: Bag) -> dict[str, int]:
    """A bag as SP by the name of the power."""
    return {POWERS[power]: of(sp, power) for power in powers(sp)}


def read_bag(named: Any) -> Bag:
    """The bag of SP by the name of the power. Raises Invalid."""
    power = word(POWERS, "power").read
    return sum(bag(power(name), _number(points)) for name, points in _mapping(named).items())


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid(f"«{value}» is no whole number")
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Invalid(f"«{value}» is no table of names")
    return value


def _sequence(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Invalid(f"«{value}» is no list")
    return value


def _at(place: int | str, read: Callable[[Any], Any], value: Any) -> Any:
    """Reads a value, and names the place where it cannot be read."""
    try:
        return read(value)
    except Invalid as error:
        raise Invalid(f"{place}: {error}") from error
    except (ValueError, TypeError, KeyError, msgspec.MsgspecError) as error:
        raise Invalid(f"{place}: {error}") from error


NUMBER: Final = Way(_same, _number)
HEX: Final = Way(_write_hex, _read_hex)
BAG: Final = Way(write_bag, read_bag)
SIDE: Final = word(SIDE_WORDS, "side")
POWER: Final = word(POWERS, "power")
ANY: Final = Way(_same, _same)


def many(way: Way, make: Callable[[Iterator[Any]], Any] = tuple) -> Way:
    """Values of one kind; a set is written in order."""

    def write(values: Any) -> list[Any]:
        written = [way.write(value) for value in values]
        return sorted(written) if make is frozenset else written

    def read(values: Any) -> Any:
        return make(_at(number, way.read, value) for number, value in enumerate(_sequence(values)))

    return Way(write, read)


def table(key: Way, value: Way) -> Way:
    """A dictionary, in the order of its names."""

    def write(entries: Any) -> dict[str, Any]:
        named = {key.write(name): value.write(entry) for name, entry in entries.items()}
        return {name: named[name] for name in sorted(named)}

    def read(entries: Any) -> Any:
        return {_at(name, key.read, name): _at(name, value.read, entry) for name, entry in _mapping(entries).items()}

    return Way(write, read)


def by_name(names: tuple[str, ...], way: Way) -> Way:
    """A tuple with a value for each of some names."""

    def read(entries: Any) -> Any:
        if set(_mapping(entries)) != set(names):
            raise Invalid(f"expected a value for each of {', '.join(names)}")
        return tuple(_at(name, way.read, entries[name]) for name in names)

    return Way(lambda values: {name: way.write(value) for name, value in zip(names, values, strict=True)}, read)


def optional(way: Way) -> Way:
    """A value or none."""
    return Way(lambda value: None if value is None else way.write(value), lambda v: None if v is None else way.read(v))


def plain(kind: type[Any]) -> Way:
    """A value that is written as it is, and checked against its type."""
    return Way(msgspec.to_builtins, lambda value: msgspec.convert(value, kind))


def fields(kind: type[msgspec.Struct], ways: Mapping[str, Way]) -> Way:
    """A value with named fields."""
    names = tuple(field.name for field in msgspec.structs.fields(kind))

    def write(value: Any) -> dict[str, Any]:
        return {name: ways[name].write(getattr(value, name)) for name in names}

    def read(entries: Any) -> Any:
        found = _mapping(entries)
        if missing := [name for name in names if name not in found]:
            raise Invalid(f"{', '.join(missing)}: missing")
        return kind(**{name: _at(name, ways[name].read, found[name]) for name in names})

    return Way(write, read)


def _kinds(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


def _tagged(base: type[msgspec.Struct], tag_field: str) -> Way:
    """One of the subclasses of `base`, told by its tag."""

    def write(value: msgspec.Struct) -> dict[str, Any]:
        return {tag_field: value.__struct_config__.tag, **_way_of_kind(value).write(value)}

    def read(entries: Any) -> Any:
        tag = _mapping(entries).get(tag_field)
        kind = next((kind for kind in _kinds(base) if kind.__struct_config__.tag == tag), None)
        if kind is None:
            raise Invalid(f"«{tag}» is no {base.__name__.lower()}")
        return struct_way(kind).read(entries)

    return Way(write, read)


def _way_of_kind(value: msgspec.Struct) -> Way:
    return struct_way(type(value))


@cache
def struct_way(kind: type[msgspec.Struct]) -> Way:
    """How a struct is written by the types of its fields: `Hex` as RRCC, `Bag` by power."""
    hints = typing.get_type_hints(kind)
    texts: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        texts.update(getattr(base, "__annotations__", {}))
    names = [field.name for field in msgspec.structs.fields(kind)]
    return fields(kind, {name: _way_of(ast.parse(str(texts[name]), mode="eval").body, hints[name]) for name in names})


def _way_of(node: ast.expr, hint: Any) -> Way:
    if isinstance(node, ast.Name):
        return _named_way(node.id, hint)
    inner = typing.get_args(hint)
    if isinstance(node, ast.BinOp):
        rest = next(part for part in inner if part is not type(None))
        return optional(_way_of(node.left, rest))
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        parts = node.slice.elts
        if inner[-1] is Ellipsis:
            return many(_way_of(parts[0], inner[0]))
        return _row([_way_of(part, kind) for part, kind in zip(parts, inner, strict=True)])
    if isinstance(node, ast.Subscript) and typing.get_origin(hint) is frozenset:
        return many(_way_of(node.slice, inner[0]), frozenset)
    raise TypeError(f"a position cannot hold {ast.unparse(node)}")


def _named_way(name: str, hint: Any) -> Way:
    if name in ("Hex", "Bag"):
        return HEX if name == "Hex" else BAG
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _base_way(hint)
    return plain(hint)


def _base_way(hint: type[msgspec.Struct]) -> Way:
    for base, tag_field in ((Decision, "frame"), (Secret, "secret")):
        if issubclass(hint, base):
            return _tagged(base, tag_field)
    return struct_way(hint)


def _row(ways: list[Way]) -> Way:
    def read(values: Any) -> Any:
        if len(_sequence(values)) != len(ways):
            raise Invalid(f"{len(values)} values instead of {len(ways)}")
        return tuple(_at(number, way.read, value) for number, (way, value) in enumerate(zip(ways, values, strict=True)))

    return Way(lambda values: [way.write(value) for way, value in zip(ways, values, strict=True)], read)


FRAME: Final = _tagged(Decision, "frame")
SECRET: Final = _tagged(Secret, "secret")


@cache
def _leader_ways(names: tuple[str, ...]) -> tuple[Way, Way]:
    leader = word(names, "leader")
    maybe = Way(lambda n: leader.write(n) if n >= 0 else "", lambda text: leader.read(text) if text else -1)
    return leader, maybe


@cache
def _ways(names: tuple[str, ...]) -> Mapping[str, Way]:
    """How each field of a position is written, for leaders of these names."""
    leader, maybe_leader = _leader_ways(names)
    stack = _stack_way(leader, maybe_leader)
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
        "stacks": Way(lambda stacks: [stack.write(stacks[key]) for key in sorted(stacks)], _stacks_reader(stack)),
        "moving": optional(stack),
        "depots": table(
            HEX, fields(Depot, {"power": POWER, **dict.fromkeys(("complete", "fed", "held"), plain(bool))})
        ),
        "owners": table(HEX, SIDE),
        "rp": plain(tuple[int, int]),
        "prisoners": _row([BAG, BAG]),
        "captives": _row([many(leader), many(leader)]),
        "roster": by_name(names, word(ROSTER_WORDS, "place of a leader")),
        "arrival": by_name(names, NUMBER),
        "waiting": BAG,
        "sealed": _row([optional(SECRET), optional(SECRET)]),
        "spent": table(leader, NUMBER),
        "shifted": many(HEX, frozenset),
        "bound": many(HEX, frozenset),
        "sieges": table(HEX, NUMBER),
        "outcome": optional(plain(Outcome)),
    }


def _stack_way(leader: Way, maybe_leader: Way) -> Way:
    maybe_power = Way(lambda n: POWER.write(n) if n >= 0 else "", lambda text: POWER.read(text) if text else -1)
    ways = {"hex": HEX, "side": SIDE, "sp": BAG, "marched": BAG, "leaders": many(leader), "commander": maybe_leader}
    ways |= {"nation": maybe_power} | dict.fromkeys(("inside", "demoralized", "quartered"), plain(bool))
    return fields(Stack, ways | dict.fromkeys(("hungry", "low", "high", "since"), NUMBER))


def _stacks_reader(stack: Way) -> Callable[[Any], dict[int, Stack]]:
    def read(values: Any) -> dict[int, Stack]:
        found: tuple[Stack, ...] = many(stack).read(values)
        by_key = {one.key: one for one in found}
        if len(by_key) != len(found):
            raise Invalid("two stacks of one side stand in one place")
        return by_key

    return read


def _names(data: GameData) -> tuple[str, ...]:
    return tuple(leader.name for leader in data.leaders)


def dump(state: Position) -> bytes:
    """The canonical text of a position, as UTF-8."""
    ways = _ways(_names(state.data))
    return msgspec.json.encode({name: ways[name].write(getattr(state, name)) for name in FIELDS}, order="sorted")


def restore(data: GameData, text: bytes) -> State:
    """The position of a canonical text. Raises Invalid, naming the place in it."""
    found = _at("position", lambda raw: _mapping(msgspec.json.decode(raw)), text)
    ways = _ways(_names(data))
    if odd := sorted(set(FIELDS) ^ set(found)):
        raise Invalid(f"position, {odd[0]}: {'missing' if odd[0] in FIELDS else 'no such field'}")
    return position({name: _at(f"position, {name}", ways[name].read, found[name]) for name in FIELDS}, data)


def position(values: Mapping[str, Any], data: GameData) -> State:
    """The state with these values of all its fields."""
    return state_of(data, values)


def digest(state: Position) -> str:
    """A short digest of the canonical text."""
    return hashlib.sha256(dump(state)).hexdigest()[:16]
