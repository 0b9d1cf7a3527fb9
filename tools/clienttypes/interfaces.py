"""Convert msgspec structs to TypeScript interfaces with the same names and fields; omissible fields are optional."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Final, cast

import msgspec
from msgspec import inspect as shapes

Struct = type[msgspec.Struct]
WORDS: Final[Mapping[type[shapes.Type], str]] = {
    shapes.StrType: "string",
    shapes.IntType: "number",
    shapes.FloatType: "number",
    shapes.BoolType: "boolean",
    shapes.NoneType: "null",
    shapes.AnyType: "unknown",
}
INDENT: Final = "  "


def structs_of(module: ModuleType, base: Struct) -> Iterator[Struct]:
    """Yield the structs that a module derives from `base`, in source order."""
    for value in vars(module).values():
        is_one = inspect.isclass(value) and issubclass(value, base) and value is not base
        if is_one and value.__module__ == module.__name__:
            yield value


def interfaces(structs: Iterable[Struct], asked: Iterable[Struct] = ()) -> str:
    """Return one interface for each struct. In structs that a client sends (`asked`), fields with defaults are
    optional.

    Raise ValueError if two structs share a name, and TypeError for a field without a simple JSON form.
    """
    wanted, sent = list(structs), set(asked)
    names = [struct.__name__ for struct in wanted]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two structs have one name: {', '.join(sorted(twice))}")
    return "\n".join(_interface(struct, struct in sent) for struct in wanted)


def _interface(struct: Struct, is_sent: bool) -> str:
    shape = cast(shapes.StructType, shapes.type_info(struct))
    may_miss = is_sent or struct.__struct_config__.omit_defaults
    fields = [f"{INDENT}{_field(field, may_miss)};\n" for field in shape.fields]
    return f"{_comment(struct)}export interface {struct.__name__} {{\n{''.join(fields)}}}\n"


def _comment(struct: Struct) -> str:
    lines = inspect.cleandoc(struct.__doc__ or "").splitlines()
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def _field(field: shapes.Field, may_miss: bool) -> str:
    if field.required or not may_miss:
        return f"{field.encode_name}: {word(field.type)}"
    return f"{field.encode_name}?: {word(_without_none(field))}"


def _without_none(field: shapes.Field) -> shapes.Type:
    """Return the type of a field that is omitted instead of null."""
    if field.default is not None or not isinstance(field.type, shapes.UnionType):
        return field.type
    return shapes.UnionType(tuple(one for one in field.type.types if not isinstance(one, shapes.NoneType)))


def word(shape: shapes.Type) -> str:
    """Return the TypeScript form of a type. Raise TypeError if there is none."""
    match shape:
        case shapes.StructType():
            return shape.cls.__name__
        case shapes.Metadata():
            return word(shape.type)
        case shapes.UnionType():
            return " | ".join(word(one) for one in shape.types)
        case shapes.LiteralType():
            return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in shape.values)
        case shapes.TupleType():
            return f"[{', '.join(word(one) for one in shape.item_types)}]"
        case shapes.VarTupleType() | shapes.ListType():
            item = word(shape.item_type)
            return f"({item})[]" if " | " in item else f"{item}[]"
        case shapes.DictType():
            return f"Record<{word(shape.key_type)}, {word(shape.value_type)}>"
    if type(shape) not in WORDS:
        raise TypeError(f"no word for {shape}")
    return WORDS[type(shape)]
