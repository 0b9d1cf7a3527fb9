"""The interfaces of rule sets and of players.

A rule set is a few pure functions for everything outside the rules. Browser, terminal, bot, replay, test and bulk play
use only this protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast

import msgspec
from typing_extensions import TypeIs, TypeVar

from leuthen.engine.choice import Action, LegalSet, RandomSource
from leuthen.engine.refusal import Invalid, require

if TYPE_CHECKING:
    from leuthen.engine.codec import JSON
    from leuthen.engine.events import Event

Side: TypeAlias = Literal[0, 1]  # one of the two players
SIDES: Final[tuple[Side, Side]] = (0, 1)
_NO_SIDE: Final[Any] = (-1, -2)
OTHER: Final[Sequence[Side]] = (1, 0, *_NO_SIDE)  # the opponent of each side; no side for other numbers


class Actor(IntEnum):
    """Actors other than the sides."""

    CHANCE = 2  # die rolls and draws


class Viewer(IntEnum):
    """Viewers other than the sides."""

    WATCHER = 2  # a spectator, who knows only what both sides know
    EVERYTHING = 3  # a viewer of a finished game, who knows all of it


class Owner(IntEnum):
    """Owners other than the sides."""

    NOBODY = 2


ActorId: TypeAlias = Side | Literal[Actor.CHANCE]
ViewerId: TypeAlias = Side | Literal[Viewer.WATCHER, Viewer.EVERYTHING]
OwnerId: TypeAlias = Side | Literal[Owner.NOBODY]
SeatSide: TypeAlias = Side | Literal[Viewer.WATCHER]  # the side of a seat, or WATCHER for a spectator's seat
CHANCE: Final = Actor.CHANCE
WATCHER: Final = Viewer.WATCHER
EVERYTHING: Final = Viewer.EVERYTHING
NOBODY: Final = Owner.NOBODY
SEATS: Final[tuple[SeatSide, ...]] = (*SIDES, WATCHER)
VIEWERS: Final[tuple[ViewerId, ...]] = (*SEATS, EVERYTHING)


def as_side(number: int) -> Side:
    """Return a number as a side, unchecked."""
    return cast("Side", number)


def as_seat(number: int) -> SeatSide:
    """Return a number as a seat's side, unchecked."""
    return WATCHER if number == WATCHER else as_side(number)


def as_viewer(number: int) -> ViewerId:
    """Return a number as a viewer. Raise Invalid for any other value."""
    if number not in VIEWERS:
        raise Invalid(
            f"{number!r} is not a viewer: 0 and 1 are the sides, {WATCHER:d} a watcher, {EVERYTHING:d} everything"
        )
    return cast("ViewerId", number)


def is_side(who: int) -> TypeIs[Side]:
    """Return whether a number is a side."""
    return who in SIDES


class Pending(msgspec.Struct, frozen=True):
    """A decision that awaits an answer: the actor, the rulebook's noun, the rule, and the question as one line."""

    actor: ActorId
    decision: str
    rule: str
    text: str


class Transition(msgspec.Struct, frozen=True):
    """The result of an action: the next state, its events, and the viewers who learned something hidden.

    `learned` is a bit mask of viewers.
    """

    state: Any
    facts: tuple[Any, ...]
    learned: int
    is_open: bool = False  # whether the game has no hidden facts

    def events(self, viewer: ViewerId) -> tuple[Event, ...]:
        """Return the events as a viewer may know them."""
        if self.is_open or not self.facts:
            return self.facts
        return tuple([event for fact in self.facts if (event := fact.mask_for(viewer)) is not None])


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: the winning side or None for a draw, the kind of victory as a word, the rule, and the year."""

    winner: Side | None
    how: str
    rule: str
    year: int


State = TypeVar("State", default=Any)  # a rule set's positions: immutable values
View = TypeVar("View", default=Any)  # a viewer's knowledge of a position
Act = TypeVar("Act", bound=Action, default=Action, covariant=True)  # a rule set's actions


class Ruleset(Protocol[State, View, Act]):
    """A rule set with its data, created by `load`. All functions are pure.

    `RulesetBase` implements what does not depend on rules. A new game implements `new_game`, `view`, `sample_state`,
    the notation and the codec. `leuthen.screen.presenter.TableRuleset` adds what a table needs.
    """

    name: str
    version: str
    digest: str  # the digest of the data files, which a record names
    sides: tuple[str, str]
    scenarios: Mapping[str, str]  # descriptions of scenarios by name, one line each
    options: Mapping[str, tuple[str, ...]]  # values of options by name, the default first

    # The game

    def new_game(self, scenario: str, options: Mapping[str, str]) -> State:
        """Return the position before the first decision. Raise Invalid for an unknown scenario, option or value."""

    def pending(self, state: State) -> tuple[Pending, ...]:
        """Return the decisions that await answers, at most one for each actor; none if the game has ended."""

    def legal_actions(self, state: State, actor: ActorId) -> LegalSet[Act]:
        """Return the legal actions of an actor; the default is the one that commits least.

        The set of an actor who is not asked is empty and refuses every action. For probabilities of CHANCE see
        `chances`.
        """

    def forced(self, state: State, actor: ActorId) -> Action | None:
        """Return the actor's only answer, if everyone can see that there is no other; a table gives it.

        None if there is a choice, or if the answer would reveal something hidden.
        """

    def neutral(self, state: State, actor: ActorId) -> Action | None:
        """Return the actor's answer that changes nothing, or the only answer; None if the actor must choose."""

    def chances(self, state: State) -> tuple[tuple[Action, Fraction], ...]:
        """Return the answers of CHANCE with their exact probabilities; none if chance is not asked."""

    def apply(self, state: State, actor: ActorId, action: Action) -> Transition:
        """Carry out a legal action. Raise Illegal, which names the rule, for any other."""

    def outcome(self, state: State) -> Outcome | None:
        """Return the end of the game, or None if it goes on."""

    def date(self, state: State) -> tuple[int, int]:
        """Return the year and the turn, which everyone knows."""

    def summary(self, state: State) -> dict[str, JSON]:
        """Return the results of a finished game for bulk play, by name."""

    # What a side may know

    def view(self, state: State, viewer: ViewerId) -> View:
        """Return the knowledge of a side, WATCHER or EVERYTHING. Raise Invalid for any other viewer."""

    def sample_state(self, view: View, rng: RandomSource) -> State:
        """Return a random state that fits the view."""

    # The notation of the record

    def parse_action(self, state: State, actor: ActorId, text: str) -> Action:
        """Return the action of an order line. Raise Invalid or Ambiguous, never Illegal."""

    def format_action(self, state: State | View, actor: ActorId, action: Action) -> str:
        """Return the order line of an action, which `parse_action` reads back; `state` may be the actor's view."""

    def complete(self, state: State, actor: ActorId, text: str) -> Sequence[str]:
        """Return the possible next words of an order line."""

    # The codec

    def dump(self, state: State) -> bytes:
        """Return the position's canonical text."""

    def restore(self, data: bytes) -> State:
        """Return the position of a canonical text. Raise Invalid."""

    def encode_view(self, view: View) -> bytes:
        """Return the bytes of a view, for a bot in another process."""

    def decode_view(self, data: bytes) -> View:
        """Return the view of some bytes. Raise Invalid."""


def actor_named(ruleset: Ruleset, word: str) -> ActorId:
    """Return the actor with this word in the record. Raise Invalid."""
    if word == "chance":
        return CHANCE
    require(word in ruleset.sides, f'"{word}" does not play: {", ".join((*ruleset.sides, "chance"))}')
    return as_side(ruleset.sides.index(word))


class PlayFailed(RuntimeError):
    """A game that cannot go on, by a fault of a player or the program. `trace` is the traceback to show, or ""."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message, trace)
        self.trace = trace

    def __str__(self) -> str:
        return str(self.args[0])


class Undo(msgspec.Struct, frozen=True):
    """An answer that takes back the seat's last action."""


class LeaveGame(msgspec.Struct, frozen=True):
    """An answer that leaves the game, which stays stored."""


class TakeBack(msgspec.Struct, frozen=True):
    """An answer that keeps only the first `kept` actions. `by` is the side that agrees to it, or that takes them back
    alone.
    """

    by: Side
    kept: int


Answer: TypeAlias = Action | Undo | TakeBack | LeaveGame
Look: TypeAlias = Callable[[], Any]


class Player(Protocol):
    """A person, bot or script that answers for a side."""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        """Answer a decision. `look()` returns the side's view."""


class Thinker(Player, Protocol):
    """A player with a thought that lasts from one decision to the next.

    Answer and new thought follow from the view's bytes, the thought before and the seed alone, so another process can
    continue with the stored bytes.
    """

    thought: bytes  # empty before the first decision; secret, because it holds the side's knowledge and plans
    word: str  # a message for the player if an old thought could not be used, else ""
