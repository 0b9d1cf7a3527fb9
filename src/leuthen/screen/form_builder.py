"""How the questions of a legal set are worded, and answers read: what every rule set does alike.

A rule set derives from `FormBuilder` (a `forms.FormText`), with its own words and with what it knows of leaders and
hexes; `make_form` then makes the form of an order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from leuthen.engine.choice import STOP, Action, Refusal, Slot, Token
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.engine.ruleset_base import RulesetBase
from leuthen.engine.state import Frozen
from leuthen.engine.texts import number_of
from leuthen.screen import Choice, Form, Objection, Odds, PartialOrder, Reached
from leuthen.screen.forms import DO, fill_form, key_of, reason_of
from leuthen.wargame.board import Hex, as_hex, hex_name
from leuthen.wargame.names import NameBook
from leuthen.wargame.strength import as_power

LONGEST: Final = 6
"""More digits than any number has that is asked for."""
NOTHING_MORE: Final[Mapping[str, str]] = {"leader": "nobody else", "path": "to here", "hex": "no other hex"}
"""The end of a list, by the kind of its questions."""
HALT: Final = Choice("halt", "and halt there")
INSIDE: Final = Choice("halt inside", "and go inside there")
"""Ends of a march that are ordered with it."""
STAYS: Final = "stay in this hex"
"""The end of a way that has not begun."""


class FormWords(NamedTuple):
    """The words of a rule set's forms."""

    words: Mapping[str, str]
    """What may be done by the word of the action, and what a flag says («inside 1»)."""
    special: Mapping[tuple[str, str], str]
    """The same where a decision, or a kind of action, has words of its own."""
    asked: Mapping[str, str]
    """The question by its name."""
    asked_for: Mapping[tuple[str, str], str]
    """The question by the kind of action and its name."""

    def word_for(self, frame: str, word: str, kind: str = "") -> str:
        """What an answer is called in the decision with the tag `frame`; `kind` is the action that it belongs to."""
        return self.special.get((frame, word)) or self.special.get((kind, word)) or self.words.get(word, word)

    def question(self, kind: str, slot: Slot) -> str:
        """What is asked for an action of a kind."""
        if slot.name == "path":
            return f"The way, hex {(slot.index or 0) + 1}"
        return self.asked_for.get((kind, slot.name)) or self.asked.get(slot.name, slot.name)


class FormBuilder(ABC):
    """The questions that are asked, and what was answered so far."""

    KINDS: ClassVar[Mapping[str, str]]
    """How a client asks, by the name of the question (`Field.kind`)."""
    WORDS: ClassVar[FormWords]

    def __init__(self, book: NameBook, frame: str = "") -> None:
        self.book = book
        self.tag = frame
        """The tag of the decision in progress."""
        self.given: dict[str, Token] = {}
        """By name of the question, its first answer."""

    @property
    def do(self) -> str:
        """The kind of action, "" while it is open."""
        return str(self.given.get(DO, ""))

    def kind(self, slot: Slot) -> str:
        """How a client asks."""
        return self.KINDS[slot.name]

    def label(self, slot: Slot) -> str:
        return self.WORDS.question(self.do, slot)

    def choice(self, slot: Slot, token: Token) -> Choice:
        """An answer: as it is written, in words, and where it is."""
        kind = self.kind(slot)
        if token == STOP and slot.index is not None and kind != "count":
            return Choice(str(STOP), self.nothing_more(slot))
        return _CHOICES[kind](self, slot, token)

    def nothing_more(self, slot: Slot) -> str:
        """What the end of a list is called."""
        kind = self.kind(slot)
        return STAYS if kind == "path" and slot.index == 0 else NOTHING_MORE[kind]

    def as_word(self, slot: Slot, token: Token) -> Choice:
        """What is to be done."""
        return Choice(str(token), self.WORDS.word_for(self.tag, str(token)))

    def as_flag(self, slot: Slot, token: Token) -> Choice:
        """Yes or no."""
        return Choice(str(int(token)), self.WORDS.word_for(self.tag, f"{slot.name} {int(token)}", self.do))

    def as_power(self, slot: Slot, token: Token) -> Choice:
        """A power or a nation."""
        return Choice(str(token), self.book.powers.names.get(as_power(token), "nobody"))

    def as_count(self, slot: Slot, token: Token) -> Choice:
        """A number."""
        return Choice(str(token), str(token))

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        """A hex with its town."""
        return Choice(hex_name(int(token)), self.town(as_hex(token)), place=hex_name(int(token)))

    @abstractmethod
    def as_leader(self, slot: Slot, token: Token) -> Choice:
        """A leader, with what is known of him."""

    def town(self, here: Hex) -> str:
        """A hex with its town: «1623 Dresden»."""
        return self.book.place(here)

    def read(self, slot: Slot, text: str) -> Token | None:
        """The answer that a text names: a word, a hex or town, a number."""
        kind = self.kind(slot)
        if kind == "word":
            return text
        if text == str(STOP):
            return STOP
        if kind in ("hex", "path"):
            return self.place(slot, text)
        return number_of(text, LONGEST - 1)

    def place(self, slot: Slot, text: str) -> Token | None:
        """The place that a text names, as this question has it."""
        return self.hex_of(text)

    def hex_of(self, text: str) -> Hex | None:
        """The hex that a text names."""
        try:
            return self.book.hex(text)
        except Invalid:
            return None

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        """A whole leg to a place, through others if they are named."""
        try:
            goals = self.book.hexes(text)
        except Invalid as error:
            return Objection("", str(error))
        if not goals:
            return Objection("", "a hex or a town is expected")
        found = self.leg_through(slot, goals)
        return reason_of(found) if isinstance(found, Refusal) else found

    def leg_through(self, slot: Slot, goals: Sequence[Hex]) -> Sequence[Token] | Refusal:
        """A cheapest leg through some hexes one after another, or why there is none."""
        raise NotImplementedError

    @abstractmethod
    def find(self, slot: Slot, place: str) -> Token | None:
        """The answer that a click on a place or a piece names."""

    @abstractmethod
    def preset(self, slot: Slot) -> Token | None:
        """What stands if nothing is chosen."""

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """Keeps what was answered."""
        if token is not None:
            self.given.setdefault(slot.name, token)


_CHOICES: Final[Mapping[str, Callable[[FormBuilder, Slot, Token], Choice]]] = {
    "word": lambda asked, slot, token: asked.as_word(slot, token),
    "leader": lambda asked, slot, token: asked.as_leader(slot, token),
    **dict.fromkeys(("hex", "path"), lambda asked, slot, token: asked.as_hex(slot, token)),
    "flag": lambda asked, slot, token: asked.as_flag(slot, token),
    "power": lambda asked, slot, token: asked.as_power(slot, token),
    "count": lambda asked, slot, token: asked.as_count(slot, token),
}


class OrderFormBuilder(FormBuilder):
    """The questions of an order: with where its force stands, and where it can go."""

    @property
    @abstractmethod
    def start(self) -> str:
        """Where the force stands."""

    @abstractmethod
    def reached(self) -> Mapping[str, Reached]:
        """Where it can go in one leg."""

    @abstractmethod
    def halts(self) -> tuple[Choice, ...]:
        """How a march may be ordered to halt at once where it ends; none where its owner should look first."""


A = TypeVar("A", bound=OrderFormBuilder)
S = TypeVar("S", bound=Frozen)


def make_form(
    game: RulesetBase[S, Any],
    state: S,
    actor: Side,
    partial_order: PartialOrder,
    ask: Callable[[Any, S, Side], A],
    summary_of: Callable[[A, Action | None], tuple[str, ...]],
    odds_of: Callable[[A, Action], Odds | None],
) -> Form:
    """The form of an order with what is chosen of it so far; `ask` makes the questions of a position. Never raises."""
    if state.outcome is not None:
        return Form((), refused=(reason_of(Refusal(state.outcome.rule, "the game has ended")),))
    if not game.is_asked(state, actor):
        return Form((), refused=(reason_of(Refusal(game.NOT_ASKED, "you are not being asked")),))
    asked = ask(game.data, state, actor)
    filled = fill_form(game.legal_actions(state, actor), asked, partial_order)
    neutral = game.neutral(state, actor)
    return Form(
        filled.fields,
        "" if filled.action is None else game.format_action(state, actor, filled.action),
        filled.refused,
        summary_of(asked, filled.action),
        asked.start,
        asked.reached(),
        odds_of(asked, filled.action) if filled.action is not None else None,
        asked.halts() if not filled.refused else (),
        "" if neutral is None else game.format_action(state, actor, neutral),
    )


def choices_of(
    game: RulesetBase[S, Any], state: S, actor: Side, action: Action, ask: Callable[[Any, S, Side], A]
) -> PartialOrder:
    """What is chosen in the form of an action, by the keys of its questions; {} of one that is not legal."""
    asked, found = ask(game.data, state, actor), dict[str, str]()

    def answer(slot: Slot) -> Token | None:
        token = action.reply(slot)
        if token not in slot.values:
            return None
        found[key_of(slot)] = asked.choice(slot, token).token
        asked.answered(slot, token, True)
        return token

    legal = game.legal_actions(state, actor)
    return found if legal.why_not(action) is None and legal.fill(answer) is not None else {}
