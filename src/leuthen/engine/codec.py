"""How values are written as plain JSON and read back: by names, and by the types of a struct's fields.

A rule set puts the ways of its own words together to the canonical text of its positions.
"""

from __future__ import annotations

import ast
import hashlib
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.state import Position


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


def as_number(value: Any) -> int:
    """A whole number. Raises Invalid for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid(f"«{value}» is no whole number")
    return value


def as_mapping(value: Any) -> Mapping[str, Any]:
    """A table of names. Raises Invalid for anything else."""
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


NUMBER: Final = Way(_same, as_number)


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
        return {_at(name, key.read, name): _at(name, value.read, entry) for name, entry in as_mapping(entries).items()}

    return Way(write, read)


def by_name(names: tuple[str, ...], way: Way) -> Way:
    """A tuple with a value for each of some names."""

    def read(entries: Any) -> Any:
        if set(as_mapping(entries)) != set(names):
            raise Invalid(f"expected a value for each of {', '.join(names)}")
        return tuple(_at(name, way.read, entries[name]) for name in names)

    return Way(lambda values: {name: way.write(value) for name, value in zip(names, values, strict=True)}, read)


def optional(way: Way) -> Way:
    """A value or none."""
    return Way(lambda value: None if value is None else way.write(value), lambda v: None if v is None else way.read(v))


def maybe(way: Way) -> Way:
    """A number or -1, which is written as an empty text."""
    return Way(lambda number: way.write(number) if number >= 0 else "", lambda text: way.read(text) if text else -1)


def keyed(way: Way, key: str, twice: str) -> Way:
    """Values by a number of their own, the attribute `key`, as a list in its order; `twice`: what two of one are."""

    def read(values: Any) -> dict[int, Any]:
        found: tuple[Any, ...] = many(way).read(values)
        by_key = {getattr(one, key): one for one in found}
        if len(by_key) != len(found):
            raise Invalid(twice)
        return by_key

    return Way(lambda entries: [way.write(entries[number]) for number in sorted(entries)], read)


def plain(kind: type[Any]) -> Way:
    """A value that is written as it is, and checked against its type."""
    return Way(msgspec.to_builtins, lambda value: msgspec.convert(value, kind))


def fields(kind: type[msgspec.Struct], ways: Mapping[str, Way]) -> Way:
    """A value with named fields."""
    names = tuple(field.name for field in msgspec.structs.fields(kind))

    def write(value: Any) -> dict[str, Any]:
        return {name: ways[name].write(getattr(value, name)) for name in names}

    def read(entries: Any) -> Any:
        found = as_mapping(entries)
        if missing := [name for name in names if name not in found]:
            raise Invalid(f"{', '.join(missing)}: missing")
        return kind(**{name: _at(name, ways[name].read, found[name]) for name in names})

    return Way(write, read)


def _kinds(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


class StructWays:
    """How structs are written by the types of their fields.

    `named` are the ways of types that are told by their names alone, as `Hex` is from other numbers; `roots` are the
    bases of tagged families with the name of the field that holds the tag.
    """

    def __init__(self, named: Mapping[str, Way], roots: Mapping[type[msgspec.Struct], str]) -> None:
        self.named = named
        self.roots = roots
        self._made: dict[type[msgspec.Struct], Way] = {}

    def of(self, kind: type[msgspec.Struct]) -> Way:
        """How a struct is written."""
        if kind not in self._made:
            hints = typing.get_type_hints(kind)
            texts: dict[str, str] = {}
            for base in reversed(kind.__mro__):
                texts.update(getattr(base, "__annotations__", {}))
            names = [field.name for field in msgspec.structs.fields(kind)]
            ways = {name: self._of(ast.parse(str(texts[name]), mode="eval").body, hints[name]) for name in names}
            self._made[kind] = fields(kind, ways)
        return self._made[kind]

    def tagged(self, base: type[msgspec.Struct]) -> Way:
        """One of the subclasses of a root, told by its tag."""
        tag_field = self.roots[base]

        def write(value: msgspec.Struct) -> dict[str, Any]:
            return {tag_field: value.__struct_config__.tag, **self.of(type(value)).write(value)}

        def read(entries: Any) -> Any:
            tag = as_mapping(entries).get(tag_field)
            kind = next((kind for kind in _kinds(base) if kind.__struct_config__.tag == tag), None)
            if kind is None:
                raise Invalid(f"«{tag}» is no {base.__name__.lower()}")
            return self.of(kind).read(entries)

        return Way(write, read)

    def _of(self, node: ast.expr, hint: Any) -> Way:
        if isinstance(node, ast.Name):
            return self._named(node.id, hint)
        inner = typing.get_args(hint)
        if isinstance(node, ast.BinOp):
            rest = next(part for part in inner if part is not type(None))
            return optional(self._of(node.left, rest))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            parts = node.slice.elts
            if inner[-1] is Ellipsis:
                return many(self._of(parts[0], inner[0]))
            return row([self._of(part, kind) for part, kind in zip(parts, inner, strict=True)])
        if isinstance(node, ast.Subscript) and typing.get_origin(hint) is frozenset:
            return many(self._of(node.slice, inner[0]), frozenset)
        raise TypeError(f"a position cannot hold {ast.unparse(node)}")

    def _named(self, name: str, hint: Any) -> Way:
        if name in self.named:
            return self.named[name]
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            base = next((base for base in self.roots if issubclass(hint, base)), None)
            return self.of(hint) if base is None else self.tagged(base)
        return plain(hint)


def row(ways: Sequence[Way]) -> Way:
    """A tuple with a value for each of some ways."""

    def read(values: Any) -> Any:
        if len(_sequence(values)) != len(ways):
            raise Invalid(f"{len(values)} values instead of {len(ways)}")
        return tuple(_at(number, way.read, value) for number, (way, value) in enumerate(zip(ways, values, strict=True)))

    return Way(lambda values: [way.write(value) for way, value in zip(ways, values, strict=True)], read)


NOTHING: Final[Mapping[str, Any]] = {}


def dump_fields(pos: Position, ways: Mapping[str, Way], spare: Mapping[str, Any] = NOTHING) -> bytes:
    """The canonical text of a position, as UTF-8: sorted JSON by names, not by layout in memory.

    A field with the value that `spare` has for it is left out.
    """
    values = {name: getattr(pos, name) for name in pos.FIELDS}
    written = {n: ways[n].write(value) for n, value in values.items() if n not in spare or value != spare[n]}
    return msgspec.json.encode(written, order="sorted")


def restore_fields(
    text: bytes, names: Sequence[str], ways: Mapping[str, Way], spare: Mapping[str, Any] = NOTHING
) -> dict[str, Any]:
    """The values of a position's fields from its canonical text. Raises Invalid, naming the place in it."""
    found = _at("position", lambda raw: as_mapping(msgspec.json.decode(raw)), text)
    missing = set(names) - set(found) - set(spare)
    if odd := sorted(missing | set(found) - set(names)):
        raise Invalid(f"position, {odd[0]}: {'missing' if odd[0] in names else 'no such field'}")
    read = {name: _at(f"position, {name}", ways[name].read, found[name]) for name in names if name in found}
    return {name: read[name] if name in read else spare[name] for name in names}


def digest_text(text: bytes) -> str:
    """A short digest of a canonical text."""
    return hashlib.sha256(text).hexdigest()[:16]
