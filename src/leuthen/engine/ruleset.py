"""The rule set interface: the few pure functions through which everything drives a rule set.

Browser, terminal, bot, replay, test and bulk play know this protocol and nothing else of a rule set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast

import msgspec
from typing_extensions import TypeIs, TypeVar

from leuthen.engine.choice import Action, Chooser, LegalSet
from leuthen.engine.refusal import Invalid

if TYPE_CHECKING:
    from leuthen.engine.codec import JSON
    from leuthen.engine.events import Event

Side: TypeAlias = Literal[0, 1]
"""Who plays."""
SIDES: Final[tuple[Side, Side]] = (0, 1)
_NO_SIDE: Final[Any] = (-1, -2)
OTHER: Final[Sequence[Side]] = (1, 0, *_NO_SIDE)
"""By side, the other; of who is no side, none."""


class Actor(IntEnum):
    """Who answers decisions beside the sides."""

    CHANCE = 2
    """Answers die rolls and draws."""


class Viewer(IntEnum):
    """Who is told what happens beside the sides."""

    WATCHER = 2
    """Knows what both sides know, and no more."""
    EVERYTHING = 3
    """Knows all of a finished game."""


class Owner(IntEnum):
    """Whose something is that no side has."""

    NOBODY = 2


ActorId: TypeAlias = Side | Literal[Actor.CHANCE]
ViewerId: TypeAlias = Side | Literal[Viewer.WATCHER, Viewer.EVERYTHING]
OwnerId: TypeAlias = Side | Literal[Owner.NOBODY]
SeatSide: TypeAlias = Side | Literal[Viewer.WATCHER]
"""Whose seat it is: a side's, or in the gallery."""
CHANCE: Final = Actor.CHANCE
WATCHER: Final = Viewer.WATCHER
EVERYTHING: Final = Viewer.EVERYTHING
NOBODY: Final = Owner.NOBODY
SEATS: Final[tuple[SeatSide, ...]] = (*SIDES, WATCHER)
VIEWERS: Final[tuple[ViewerId, ...]] = (*SEATS, EVERYTHING)


def as_side(number: int) -> Side:
    """A number from outside as a side: the caller knows that it is one, or asks `is_side` where it matters."""
    return cast("Side", number)


def as_seat(number: int) -> SeatSide:
    """A number from outside as that of a seat."""
    return WATCHER if number == WATCHER else as_side(number)


def as_viewer(number: int) -> ViewerId:
    """A number from outside as a viewer. Raises Invalid for any other value."""
    if number not in VIEWERS:
        raise Invalid(
            f"{number!r} is no viewer: 0 and 1 are the sides, {WATCHER:d} a watcher, {EVERYTHING:d} everything"
        )
    return cast("ViewerId", number)


def is_side(who: int) -> TypeIs[Side]:
    """Whether somebody is one of the two who play."""
    return who in SIDES


class Pending(msgspec.Struct, frozen=True):
    """A decision that is awaited: who, which (the rulebook's noun), the rule, and a line that says what is asked."""

    actor: ActorId
    decision: str
    rule: str
    text: str


class Transition(msgspec.Struct, frozen=True):
    """What an action did: the next state, its events as each viewer may know them, and who learned something hidden.

    `events[viewer]` for the sides 0 and 1, WATCHER and EVERYTHING; `learned` is a bit mask of viewers.
    """

    state: Any
    facts: tuple[Any, ...]
    learned: int
    is_open: bool = False
    """Whether nothing is hidden in this game, whatever its events could hide."""

    def events(self, viewer: ViewerId) -> tuple[Event, ...]:
        """The events as `viewer` may know them."""
        if self.is_open or not self.facts:
            return self.facts
        return tuple([event for fact in self.facts if (event := fact.seen_by(viewer)) is not None])


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the winning side or None for a draw, how (a word), the rule, and the year."""

    winner: Side | None
    how: str
    rule: str
    year: int


State = TypeVar("State", default=Any)
"""A rule set's positions: immutable values."""
View = TypeVar("View", default=Any)
"""What a viewer may know of a position."""
Act = TypeVar("Act", bound=Action, default=Action, covariant=True)
"""A rule set's actions."""


class Ruleset(Protocol[State, View, Act]):
    """One rule set with its data, made once by `load`. All functions are pure.

    `RulesetBase` has those that no rule decides. A new game writes the others: `new_game`, `view`, `worlds`, the
    notation and the codec. What a table asks besides stands in `leuthen.screen.presenter.TableRuleset`.
    """

    name: str
    version: str
    digest: str
    """Of the data files, so that a record names what it was played with."""
    sides: tuple[str, str]
    scenarios: Mapping[str, str]
    """Name to one line of description."""
    options: Mapping[str, tuple[str, ...]]
    """Option to its allowed values, the default first."""

    # The game

    def new_game(self, scenario: str, options: Mapping[str, str]) -> State:
        """The position before the first decision. Raises Invalid for an unknown scenario, option or value."""
        ...

    def pending(self, state: State) -> tuple[Pending, ...]:
        """The decisions awaited, at most one an actor; empty when the game has ended."""
        ...

    def legal_actions(self, state: State, actor: ActorId) -> LegalSet[Act]:
        """What `actor` may do now; the default is the answer that commits least.

        The set of an actor who is not asked is empty, and its refusal says why. That of CHANCE has its answers without
        their odds, which `chances` has.
        """
        ...

    def forced(self, state: State, actor: ActorId) -> Action | None:
        """The actor's one answer, where everybody may see that he has no other; a table gives it for him.

        None where there is something to choose, and where to be answered for would tell what is hidden.
        """
        ...

    def neutral(self, state: State, actor: ActorId) -> Action | None:
        """The actor's answer that leaves everything as it is, or his only one; None if he must choose."""
        ...

    def chances(self, state: State) -> tuple[tuple[Action, Fraction], ...]:
        """The answers of CHANCE, each with its exact probability; empty if chance is not awaited."""
        ...

    def apply(self, state: State, actor: ActorId, action: Action) -> Transition:
        """Carries out a legal action. Raises Illegal, naming the rule, for any other; nothing is changed then."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """None while the game goes on."""
        ...

    def date(self, state: State) -> tuple[int, int]:
        """The part of the game and the turn of it, as a year and its half-month; everybody knows them."""
        ...

    def summary(self, state: State) -> dict[str, JSON]:
        """What bulk play reports of a finished game, by name."""
        ...

    # What a side may know

    def view(self, state: State, viewer: ViewerId) -> View:
        """What a side, WATCHER or EVERYTHING may know, built up from nothing. Raises Invalid for any other viewer."""
        ...

    def worlds(self, view: View, rng: Chooser) -> State:
        """A state drawn from all those that the view allows."""
        ...

    # The notation of the record

    def parse_action(self, state: State, actor: ActorId, text: str) -> Action:
        """Reads a line of the record's notation. Raises Invalid or Ambiguous, never Illegal."""
        ...

    def format_action(self, state: State | View, actor: ActorId, action: Action) -> str:
        """The line of the record's notation that `parse_action` reads back, from the position or the actor's view."""
        ...

    def complete(self, state: State, actor: ActorId, text: str) -> Sequence[str]:
        """What may come next in a line that is being typed."""
        ...

    # The codec

    def dump(self, state: State) -> bytes:
        """The position's canonical text."""
        ...

    def restore(self, data: bytes) -> State:
        """The position of a canonical text. Raises Invalid."""
        ...

    def encode_view(self, view: View) -> bytes:
        """The bytes of a view, for a bot in another process."""
        ...

    def decode_view(self, data: bytes) -> View:
        """The view of some bytes. Raises Invalid."""
        ...


def actor_named(ruleset: Ruleset, word: str) -> ActorId:
    """The actor whose word in the record this is. Raises Invalid."""
    if word == "chance":
        return CHANCE
    if word not in ruleset.sides:
        raise Invalid(f"«{word}» does not play: {', '.join((*ruleset.sides, 'chance'))}")
    return as_side(ruleset.sides.index(word))
