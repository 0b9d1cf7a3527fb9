"""What was made of the same facts before, so that only what an action has changed is made anew."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

V = TypeVar("V")
MOST: Final = 5000
"""Values that are kept of a kind before all are made anew."""


class Kept(Generic[V]):
    """Values by the facts that they were made of: all that they depend on."""

    def __init__(self, most: int = MOST) -> None:
        self._values: dict[Hashable, V] = {}
        self._most = most

    def of(self, facts: Hashable, make: Callable[[], V]) -> V:
        """The value of these facts, made if it is not there."""
        found = self._values.get(facts)
        if found is None:
            if len(self._values) >= self._most:
                self._values.clear()
            found = self._values[facts] = make()
        return found


def kept_with(data: Any, what: str, most: int = MOST) -> Kept[Any]:
    """What is kept of a kind with the data of a rule set."""
    name = f"kept {what}"  # no name of an attribute
    found: Kept[Any] | None = data.__dict__.get(name)
    if found is None:
        found = data.__dict__[name] = Kept(most)
    return found
