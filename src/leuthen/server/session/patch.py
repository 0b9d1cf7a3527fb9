"""JSON merge patches (RFC 7396): what has to be told of a value that changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec


def difference(before: msgspec.Struct, after: msgspec.Struct) -> dict[str, Any]:
    """The patch that makes one struct's JSON into another's of the same type, whose defaults are left out.

    Parts that are equal are not looked into, so a small change of a large value costs little.
    """
    patch: dict[str, Any] = {}
    for name, default in _defaults(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            patch |= _patch(_plain(name, default, *_changed(old, new)), _plain(name, default, *_changed(new, old)))
    return patch


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields and their defaults."""
    found = msgspec.structs.fields(kind)
    return {
        field.encode_name: field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        for field in found
    }


def _changed(value: Any, other: Any) -> tuple[Any, Any]:
    """The value as it is compared with its default, and as much of it as differs from the other."""
    if not (isinstance(value, Mapping) and isinstance(other, Mapping)):
        return value, value
    return value, {key: part for key, part in value.items() if key not in other or other[key] != part}


def _plain(name: str, default: Any, whole: Any, part: Any) -> dict[str, Any]:
    return {} if whole == default else {name: msgspec.to_builtins(part)}


def _patch(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    patch: dict[str, Any] = dict.fromkeys(key for key in old if key not in new)
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := _patch(before, value):
                patch[key] = inner
        elif key not in old or before != value:
            patch[key] = value
    return patch
