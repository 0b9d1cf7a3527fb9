"""JSON merge patches (RFC 7396): what has to be told of a value that changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


def difference(before: Any, after: Any) -> dict[str, Any]:
    """The patch that makes one struct's JSON into another's of the same type; equal parts are not looked into."""
    patch: dict[str, Any] = {}
    for name in after.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            old, new = _only_changed(old, new)
            patch |= _patch({name: msgspec.to_builtins(old)}, {name: msgspec.to_builtins(new)})
    return patch


def _only_changed(old: Any, new: Any) -> tuple[Any, Any]:
    """Of two mappings the entries that differ."""
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        return old, new
    same = {key for key, value in new.items() if key in old and old[key] == value}
    return tuple({key: value for key, value in side.items() if key not in same} for side in (old, new))  # type: ignore[return-value]


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
