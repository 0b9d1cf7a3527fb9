"""JSON merge patches (RFC 7396): what has to be told of a value that changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

import msgspec

from leuthen.engine.codec import JSON

Patch: TypeAlias = dict[str, JSON]


def difference(before: msgspec.Struct, after: msgspec.Struct) -> Patch:
    """The patch that makes one struct's JSON into another's of the same type, whose defaults are left out.

    Parts that are equal are not looked into, so a small change of a large value costs little.
    """
    patch: Patch = {}
    for name, default in _defaults(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            patch |= _patch(_plain(name, default, *_changed(old, new)), _plain(name, default, *_changed(new, old)))
    return patch


@cache
def _defaults(kind: type[msgspec.Struct]) -> Patch:
    """The fields and their defaults."""
    found = msgspec.structs.fields(kind)
    return {
        field.encode_name: field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        for field in found
    }


def _changed(value: object, other: object) -> tuple[JSON, JSON]:
    """The value as it is compared with its default, and as much of it as differs from the other."""
    if not (isinstance(value, Mapping) and isinstance(other, Mapping)):
        return value, value
    return value, {key: part for key, part in value.items() if key not in other or other[key] != part}


def _plain(name: str, default: object, whole: object, part: object) -> Patch:
    return {} if whole == default else {name: msgspec.to_builtins(part)}


def _patch(old: Mapping[str, JSON], new: Mapping[str, JSON]) -> Patch:
    patch: Patch = dict.fromkeys(key for key in old if key not in new)
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := _patch(before, value):
                patch[key] = inner
        elif key not in old or before != value:
            patch[key] = value
    return patch
