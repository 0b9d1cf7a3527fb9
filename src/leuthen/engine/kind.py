"""Kinds of events, actions and decisions: frozen values, each class tagged by its name, whose head says what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

BETWEEN_WORDS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tag_of(name: str) -> str:
    """The tag of a class: «party-choice» of `PartyChoice`."""
    return BETWEEN_WORDS.sub("-", name).lower()


class Kind(msgspec.StructMeta):
    """The class of such classes: `class Attack(Decision, rule="O9.2", name="Attack")` sets `RULE` and `NAME`.

    What may be said so are the constants of the bases, in small letters; the rest is for `msgspec`. A base's `SETTINGS`
    are those that `msgspec` does not hand on to subclasses.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **head: Any) -> Kind:
        said = {key.upper(): head.pop(key) for key in tuple(head) if any(hasattr(base, key.upper()) for base in bases)}
        settings = next((base.SETTINGS for base in bases if hasattr(base, "SETTINGS")), head)
        return super().__new__(mcs, name, bases, namespace | said, **(settings | head))


K = TypeVar("K")
C = TypeVar("C")
R = TypeVar("R")
ByKind: TypeAlias = Mapping[type[K], Callable[[C, Any], R]]
"""By the type of an event, an action or a decision, what it comes to; each function is given what it needs beside it,
and a value of that type."""
