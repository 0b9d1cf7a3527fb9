"""The narrow door: the few pure functions through which everything drives a rule set.

Browser, terminal, bot, replay, test and bulk play know this protocol and nothing else of a rule set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from leuthen.engine.choice import Action, Chooser, LegalSet

if TYPE_CHECKING:
    from leuthen.engine.standing import Standing
    from leuthen.screen import Presenter

SIDES: Final = (0, 1)
"""Who plays."""
CHANCE: Final = 2
"""The actor who answers die rolls and draws."""
WATCHER: Final = 2
"""A viewer who knows what both sides know, and no more."""
EVERYTHING: Final = 3
"""The viewer of a finished game, who knows all."""


class Pending(msgspec.Struct, frozen=True):
    """A decision that is awaited: who, which (the rulebook's noun), the rule, and a line that says what is asked."""

    actor: int
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

    def events(self, viewer: int) -> tuple[Any, ...]:
        """The events as `viewer` may know them."""
        if self.is_open or not self.facts:
            return self.facts
        return tuple([event for fact in self.facts if (event := fact.seen_by(viewer)) is not None])


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the winning side or None for a draw, how (a word), the rule, and the year."""

    winner: int | None
    how: str
    rule: str
    year: int


RULINGS: Final = "rulings"
"""The option that every rule set has: the number of the newest ruling that a game is played by, the newest first.

A ruling is a change of what the rules mean within one version of them. It holds all before it.
"""


class Ruleset(Protocol):
    """One rule set with its data, made once by `load`. All functions are pure; states are immutable values."""

    name: str
    version: str
    digest: str
    """Of the data files, so that a record names what it was played with."""
    sides: tuple[str, str]
    scenarios: Mapping[str, str]
    """Name to one line of description."""
    options: Mapping[str, tuple[str, ...]]
    """Option to its allowed values, the default first."""
    presenter: Presenter
    """How it shows itself at a table."""
    standing: Standing | None
    """What it has for standing instructions; None if every decision waits for a player."""

    def new_game(self, scenario: str, options: Mapping[str, str]) -> Any:
        """The position before the first decision. Raises Invalid for an unknown scenario, option or value."""
        ...

    def ruling_of(self, state: Any) -> int:
        """By the rulings up to which number a game is played: a value of the option `rulings` (RULINGS)."""
        ...

    def adopt(self, state: Any, number: int) -> Any:
        """The same position, played on by the rulings up to that number."""
        ...

    def pending(self, state: Any) -> tuple[Pending, ...]:
        """The decisions awaited, at most one an actor; empty when the game has ended."""
        ...

    def legal_actions(self, state: Any, actor: int) -> LegalSet[Any]:
        """What `actor` may do now."""
        ...

    def chances(self, state: Any) -> tuple[tuple[Action, Fraction], ...]:
        """The answers of CHANCE, each with its exact probability; empty if chance is not awaited."""
        ...

    def apply(self, state: Any, actor: int, action: Action) -> Transition:
        """Carries out a legal action. Raises Illegal, naming the rule, for any other; nothing is changed then."""
        ...

    def tell(self, event: Any) -> str:
        """One sentence of an event with its dice, its modifiers one by one, and the rule."""
        ...

    def summary(self, state: Any) -> dict[str, Any]:
        """What bulk play reports of a finished game: year, VP, surrenders, allegiances and the like, by name."""
        ...

    def view(self, state: Any, viewer: int) -> Any:
        """What a side, WATCHER or EVERYTHING may know, built up from nothing."""
        ...

    def encode_view(self, view: Any) -> bytes:
        """The bytes of a view, for a bot in another process."""
        ...

    def decode_view(self, data: bytes) -> Any:
        """The view of some bytes. Raises Invalid."""
        ...

    def date(self, state: Any) -> tuple[int, int]:
        """Year and turn of a position, which everybody knows."""
        ...

    def worlds(self, view: Any, rng: Chooser) -> Any:
        """A state drawn from all those that the view allows."""
        ...

    def default(self, state: Any, actor: int) -> Action:
        """The answer that commits least; always legal. Who has the legal set alone asks `LegalSet.default`."""
        ...

    def outcome(self, state: Any) -> Outcome | None:
        """None while the game goes on."""
        ...

    def parse_action(self, state: Any, actor: int, text: str) -> Action:
        """Reads a line of the record's notation. Raises Invalid or Ambiguous, never Illegal."""
        ...

    def format_action(self, state: Any, actor: int, action: Action) -> str:
        """The line of the record's notation that `parse_action` reads back. `state` may be the actor's view too."""
        ...

    def complete(self, state: Any, actor: int, text: str) -> Sequence[str]:
        """What may come next in a line that is being typed."""
        ...

    def describe(self, state: Any, viewer: int, topic: str = "") -> str:
        """The situation (or one hex, leader, power, phase of it) as text, as far as `viewer` may know it."""
        ...

    def char_map(self, state: Any, viewer: int, place: str, radius: int) -> str:
        """A map of characters around a place, as far as `viewer` may know it. Raises Invalid for an unknown place."""
        ...

    def odds(self, state: Any, viewer: int, text: str) -> str:
        """The exact odds of what `text` names (an attack, a siege, a roll), as far as `viewer` may know them."""
        ...

    def digest_of(self, state: Any) -> str:
        """A short digest of the position's canonical text."""
        ...

    def dump(self, state: Any) -> bytes:
        """The position's canonical text."""
        ...

    def restore(self, data: bytes) -> Any:
        """The position of a canonical text. Raises Invalid."""
        ...
