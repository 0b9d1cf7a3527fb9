"""Tables that say what is done with a value, by its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

K = TypeVar("K")
C = TypeVar("C")
R = TypeVar("R")
ByKind: TypeAlias = Mapping[type[K], Callable[[C, Any], R]]
"""By the type of an event, an action or a decision, what it comes to; each function is given what it needs beside it,
and a value of that type."""
