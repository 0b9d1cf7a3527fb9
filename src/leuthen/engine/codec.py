"""Codecs between values and plain JSON, by names and by the types of struct fields.

A rule set combines them to the canonical text of its positions.
"""

import ast
import hashlib
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec

from leuthen.engine.refusal import Invalid

if TYPE_CHECKING:
    from leuthen.engine.ruleset import Ruleset


T = TypeVar("T")
JSON: TypeAlias = Any  # decoded JSON that has not been checked


class Codec(NamedTuple):
    """A codec for one kind of value; `plain` is its type in the JSON."""

    write: Callable[[Any], JSON]
    read: Callable[[JSON], Any]
    plain: Any = Any


def _same(value: T) -> T:
    return value


def word(words: tuple[str, ...], kind: str) -> Codec:
    """Return the codec of a number that is written as a word."""
    numbers = {text: number for number, text in enumerate(words)}

    def read(text: JSON) -> int:
        try:
            return numbers[text]
        except (KeyError, TypeError):
            raise Invalid(f'"{text}" is not a valid {kind}') from None

    return Codec(words.__getitem__, read, str)


def _expecting(kind: type, otherwise: str) -> Callable[[JSON], Any]:
    """Return a function that returns a value of this type, and raises Invalid for anything else."""

    def read(value: JSON) -> object:
        if value.__class__ is not kind:
            raise Invalid(f'"{value}" is {otherwise}')
        return value

    return read


as_number: Final[Callable[[JSON], int]] = _expecting(int, "not a valid whole number")
as_mapping: Final[Callable[[JSON], Mapping[str, JSON]]] = _expecting(dict, "not a valid table of names")
_sequence: Final[Callable[[JSON], list[JSON]]] = _expecting(list, "not a valid list")
_flag: Final = _expecting(bool, "neither true nor false")
FAULTS: Final = (Invalid, ValueError, TypeError, KeyError, msgspec.MsgspecError)
"""exceptions that reading invalid JSON may raise"""


def at(place: int | str, read: Callable[[JSON], T], value: JSON) -> T:
    """Return the value that `read` makes of some JSON. Raise Invalid with its place."""
    try:
        return read(value)
    except FAULTS as error:
        raise Invalid(f"{place}: {error}") from error


def _each(read: Callable[[JSON], T], values: Iterable[tuple[int | str, JSON]]) -> list[T]:
    return [at(place, read, value) for place, value in values]


_first: Final = itemgetter(0)
NUMBER: Final = Codec(_same, as_number, int)
FLAG: Final = Codec(_same, _flag, bool)


def list_of(way: Codec, make: Callable[[Iterable[object]], object] = tuple) -> Codec:
    """Return the codec of a list; a set is written in order."""
    in_order = sorted if make is frozenset else list
    return Codec(
        lambda values: in_order(map(way.write, values)),
        lambda values: make(_each(way.read, enumerate(_sequence(values)))),
        GenericAlias(list, (way.plain,)),
    )


def table(key: Codec, value: Codec) -> Codec:
    """Return the codec of a dictionary, written in the order of its keys."""

    def write(entries: Mapping[object, object]) -> dict[str, JSON]:
        return dict(sorted([(key.write(name), value.write(entry)) for name, entry in entries.items()], key=_first))

    def read(entries: JSON) -> object:
        names = _each(key.read, ((name, name) for name in as_mapping(entries)))
        return dict(zip(names, _each(value.read, entries.items()), strict=True))

    return Codec(write, read, GenericAlias(dict, (str, value.plain)))


def tuple_by_name(names: tuple[str, ...], way: Codec) -> Codec:
    """Return the codec of a tuple with a value for each name."""
    wanted, in_order = set(names), sorted(names)
    rows = [names.index(name) for name in in_order]

    def write(values: Sequence[object]) -> dict[str, JSON]:
        if len(values) != len(names):
            raise ValueError(f"{len(values)} values for {len(names)} names")
        return {name: way.write(values[row]) for name, row in zip(in_order, rows, strict=True)}

    def read(entries: JSON) -> object:
        if as_mapping(entries).keys() != wanted:
            raise Invalid(f"expected a value for each of {', '.join(names)}")
        return tuple(_each(way.read, ((name, entries[name]) for name in names)))

    return Codec(write, read, GenericAlias(dict, (str, way.plain)))


def optional(way: Codec) -> Codec:
    """Return the codec of a value or None."""
    return Codec(
        lambda value: None if value is None else way.write(value),
        lambda value: None if value is None else way.read(value),
        way.plain | None if way.plain is not Any else Any,
    )


def optional_number(way: Codec) -> Codec:
    """Return the codec of a number or -1, which is written as ""."""
    return Codec(
        lambda number: way.write(number) if number >= 0 else "", lambda text: way.read(text) if text else -1, way.plain
    )


def list_by_key(way: Codec, key: str, twice: str) -> Codec:
    """Return the codec of values by their attribute `key`, written as a list; `twice` is the error for a double key."""
    listed = list_of(way)

    def read(values: JSON) -> dict[int, object]:
        found: tuple[object, ...] = listed.read(values)
        by_key = {getattr(one, key): one for one in found}
        if len(by_key) != len(found):
            raise Invalid(twice)
        return by_key

    return Codec(lambda entries: [way.write(entries[number]) for number in sorted(entries)], read, listed.plain)


def plain(kind: object) -> Codec:
    """Return the codec of a value that is written as it is and checked against its type."""
    return Codec(lambda value: msgspec.to_builtins(value, order="sorted"), lambda value: msgspec.convert(value, kind))


def fields(kind: type[msgspec.Struct], ways: Mapping[str, Codec]) -> Codec:
    """Return the codec of a struct, written with its fields in alphabetical order."""
    declared = kind.__struct_fields__
    names = sorted(declared)
    text = msgspec.defstruct(f"{kind.__name__}Text", [(name, ways[name].plain) for name in names], gc=False)
    written = [(row, ways[name].write) for row, name in enumerate(names) if ways[name].write is not _same]
    read_back = [(row, ways[name].read) for row, name in enumerate(declared) if ways[name].plain not in (int, bool)]
    values_of, texts_of = _getter(names), _getter(declared)

    def write(value: object) -> JSON:
        values = list(values_of(value))
        for row, turn in written:
            values[row] = turn(values[row])
        return text(*values)

    def read(entries: JSON) -> object:
        if entries.__class__ is text:
            values = list(texts_of(entries))
            for row, turn in read_back:
                values[row] = turn(values[row])
            return kind(*values)
        found = as_mapping(entries)
        if missing := [name for name in declared if name not in found]:
            raise Invalid(f"{', '.join(missing)}: missing")
        return kind(**{name: at(name, ways[name].read, found[name]) for name in names})

    return Codec(write, read, text)


def _getter(names: Sequence[str]) -> Callable[[object], Iterable[object]]:
    return attrgetter(*names) if len(names) > 1 else lambda value: [getattr(value, name) for name in names]


def _kinds(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


class StructCodecs:
    """Codecs of structs, by the types of their fields.

    `named` are codecs for types that are recognized by name, such as `Hex`; `roots` are the bases of tagged families
    with the name of the tag's field.
    """

    def __init__(self, named: Mapping[str, Codec], roots: Mapping[type[msgspec.Struct], str]) -> None:
        self.named = named
        self.roots = roots
        self._made: dict[type[msgspec.Struct], Codec] = {}
        self._tagged: dict[tuple[type[msgspec.Struct], object], type[msgspec.Struct]] = {}

    def of(self, kind: type[msgspec.Struct], **others: Codec) -> Codec:
        """Return the codec of a struct; `others` are codecs of fields whose types do not determine them."""
        if kind not in self._made or others:
            hints = typing.get_type_hints(kind)
            texts: dict[str, str] = {}
            for base in reversed(kind.__mro__):
                texts.update(getattr(base, "__annotations__", {}))
            typed = [name for name in kind.__struct_fields__ if name not in others]
            ways = {name: self._of(ast.parse(str(texts[name]), mode="eval").body, hints[name]) for name in typed}
            self._made[kind] = fields(kind, ways | others)
        return self._made[kind]

    def tagged_union(self, base: type[msgspec.Struct]) -> Codec:
        """Return the codec of a root's subclasses, recognized by tag."""
        tag_field = self.roots[base]

        def write(value: msgspec.Struct) -> dict[str, JSON]:
            written = msgspec.structs.asdict(self.of(type(value)).write(value))
            return dict(sorted([(tag_field, value.__struct_config__.tag), *written.items()], key=_first))

        def read(entries: JSON) -> object:
            tag = as_mapping(entries).get(tag_field)
            if (base, tag) not in self._tagged:
                self._tagged |= {(base, kind.__struct_config__.tag): kind for kind in _kinds(base)}
            if (base, tag) not in self._tagged:
                raise Invalid(f'"{tag}" is not a valid {base.__name__.lower()}')
            return self.of(self._tagged[base, tag]).read(entries)

        return Codec(write, read)

    def _of(self, node: ast.expr, hint: object) -> Codec:
        if isinstance(node, ast.Name):
            if node.id in self.named:
                return self.named[node.id]
            if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
                base = next((base for base in self.roots if issubclass(hint, base)), None)
                return self.of(hint) if base is None else self.tagged_union(base)
            return NUMBER if hint is int else FLAG if hint is bool else plain(hint)
        inner = typing.get_args(hint)
        if isinstance(node, ast.BinOp):
            return optional(self._of(node.left, next(part for part in inner if part is not type(None))))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            parts = node.slice.elts
            if inner[-1] is Ellipsis:
                return list_of(self._of(parts[0], inner[0]))
            return row([self._of(part, kind) for part, kind in zip(parts, inner, strict=True)])
        if isinstance(node, ast.Subscript) and typing.get_origin(hint) is frozenset:
            return list_of(self._of(node.slice, inner[0]), frozenset)
        raise TypeError(f"a position cannot hold {ast.unparse(node)}")


def row(ways: Sequence[Codec]) -> Codec:
    """Return the codec of a tuple with a codec for each place."""

    def read(values: JSON) -> object:
        if len(_sequence(values)) != len(ways):
            raise Invalid(f"{len(values)} values instead of {len(ways)}")
        return tuple([at(number, way.read, values[number]) for number, way in enumerate(ways)])

    return Codec(lambda values: [way.write(value) for way, value in zip(ways, values, strict=True)], read)


def digest_text(text: bytes) -> str:
    """Return a short digest of a canonical text."""
    return hashlib.sha256(text).hexdigest()[:16]


def digest_of(ruleset: "Ruleset", state: object) -> str:
    """Return a short digest of a position's canonical text."""
    return digest_text(ruleset.dump(state))
