"""An order in the making: a script's questions, with what a player has chosen so far and what he may answer next.

One walk through the script does all: each question becomes a field, a choice that is legal is its answer, and where
nothing is chosen a default stands if there is a natural one. What a rule refuses is told by the script itself, and a
choice that is refused leaves the order open.

A partial order has the choices by the key of the question («leader», «sp.0», «path.2»), and three of another kind. «at»
is a place or a piece, and answers whichever question it can. The bare name of a path («path») is a whole leg to a
place, or through several. And the kind of action («do») may be left out: it is then the one that hears most choices.

A rule set derives its questions from `FormBuilder`, with its own words and with what it knows of leaders and hexes;
`make_form` then makes the form of an order.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from leuthen.engine.choice import STOP, Action, ByKind, LegalSet, Refusal, Slot, Token, options_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.engine.ruleset_base import RulesetBase
from leuthen.engine.state import Frozen
from leuthen.engine.texts import number_of
from leuthen.screen.reach import Leg
from leuthen.screen.values import Barred, Choice, Form, FormField, Objection, Odds, PartialOrder, Reached
from leuthen.wargame.board import Hex, as_hex, hex_name
from leuthen.wargame.names import NameBook
from leuthen.wargame.strength import as_power

AT: Final = "at"
"""The choice that names a place or a piece, for whichever question it answers."""
DO: Final = "do"
"""The question that comes first: what kind of action it is to be."""


class FormText(Protocol):
    """How a rule set words its questions, and what it answers for a player who chooses nothing."""

    def kind(self, slot: Slot) -> str:
        """How a client asks: see `Field.kind`."""
        ...

    def label(self, slot: Slot) -> str: ...

    def choice(self, slot: Slot, token: Token) -> Choice:
        """An answer: its text, what it is called, where it is."""
        ...

    def read(self, slot: Slot, text: str) -> Token | None:
        """The answer that a text names, legal or not; None if it names none."""
        ...

    def find(self, slot: Slot, place: str) -> Token | None:
        """The answer that a place or a piece stands for, legal or not; None if it stands for none."""
        ...

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        """The answers to this question and the next ones that lead to the places of a text, or why there are none."""
        ...

    def preset(self, slot: Slot) -> Token | None:
        """The answer where nothing is chosen and there is more than one; None leaves the question open."""
        ...

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """A question has its answer, or is left open; `is_step` if it was chosen under its own key."""
        ...


class Filled(msgspec.Struct, frozen=True):
    """How far an order has come: the fields, the choices refused, and the action once nothing is open."""

    fields: tuple[FormField, ...]
    refused: tuple[Objection, ...]
    action: Action | None


def fill_form(legal: LegalSet, text: FormText, partial_order: PartialOrder) -> Filled:
    """Fills in what is chosen. Never raises: what cannot be granted stands in `refused`, and the order stays open."""
    if DO not in partial_order and partial_order:
        partial_order = {**partial_order, **_kind_for(legal, text, partial_order)}
    filler = _Filler(text, partial_order)
    action = legal.fill(filler.answer)
    if AT in partial_order and AT not in filler.heard and not filler.refused:
        filler.refused.append(Objection("", "nothing can be done there now"))
    return Filled(tuple(filler.fields), tuple(filler.refused), None if filler.refused else action)


def _kind_for(legal: LegalSet, text: FormText, partial_order: PartialOrder) -> PartialOrder:
    """The kind of action that hears most of what is chosen; of several the one that grants more, then the first."""
    best, most = {}, (0, 0)
    for kind in legal.options().values:
        guess = {**partial_order, DO: str(kind)}
        filler = _Filler(text, guess, is_draft=True)
        legal.fill(filler.answer)
        score = len(filler.heard), -len(filler.refused)
        if len(filler.heard) > 1 and score > most:  # `do` itself is always heard
            best, most = {DO: str(kind)}, score
    return best


def reason_of(refusal: Refusal) -> Objection:
    """A refusal as it is shown."""
    place = hex_name(refusal.place) if refusal.place >= 0 else ""
    return Objection(refusal.rule, refusal.reason.format(*refusal.numbers), place)


def key_of(slot: Slot) -> str:
    """The key of a question's field."""
    return slot.name if slot.index is None else f"{slot.name}.{slot.index}"


class _Filler:
    """Answers the questions of one script by choices and defaults, and keeps each as a field."""

    def __init__(self, text: FormText, partial_order: PartialOrder, *, is_draft: bool = False) -> None:
        self.text = text
        self.partial_order = partial_order
        self.is_draft = is_draft
        self.fields: list[FormField] = []
        self.refused: list[Objection] = []
        self.heard: set[str] = set()
        """The keys of the choices that were asked for, granted or not."""
        self._taken: list[tuple[str, Token]] = []
        self._leg: Iterator[Token] | None = None

    def answer(self, slot: Slot) -> Token | None:
        """The answer to a question, or None to leave it open."""
        if not slot.values:
            self.refused.append(reason_of(slot.refuse(STOP)))
            return None
        key = key_of(slot)
        chosen = self._chosen(slot, key)
        token: Token | None = None
        if isinstance(chosen, Objection):
            self.refused.append(chosen)
        else:
            token = chosen if chosen is not None else self._default(slot)
        self._taken.append((slot.name, STOP if token is None else token))
        if not self.is_draft:
            self.text.answered(slot, token, key in self.partial_order)
            self.fields.append(self._field(slot, key, token, chosen is not None and token is not None))
        return token

    def _default(self, slot: Slot) -> Token | None:
        """The only answer, the end of a list, or what is natural.

        Nobody sets out because there is only one way, nor stays where he is because he need not go: a way is asked for.
        """
        values = slot.values
        is_way = self.text.kind(slot) == "path"
        if slot.index is not None and STOP in values and not (is_way and slot.index == 0 and len(values) > 1):
            return STOP
        if is_way:
            return None
        return values[0] if len(values) == 1 else self.text.preset(slot)

    def _chosen(self, slot: Slot, key: str) -> Token | Objection | None:
        """What is chosen here; a reason if it is refused, None if nothing is."""
        kind = self.text.kind(slot)
        if slot.index is not None and kind == "leader":
            return self._member(slot)
        if key in self.partial_order:
            return self._granted(slot, key, self.text.read(slot, self.partial_order[key]))
        if kind == "path":
            return self._step(slot)
        if AT in self.partial_order and AT not in self.heard:
            token = self.text.find(slot, self.partial_order[AT])
            if token is not None:
                return self._granted(slot, AT, token)
        return None

    def _granted(self, slot: Slot, key: str, token: Token | None) -> Token | Objection:
        self.heard.add(key)
        if token is None:
            return Objection("", f"«{self.partial_order[key]}» is not understood here")
        return token if token in slot.values else reason_of(slot.refuse(token))

    def _member(self, slot: Slot) -> Token | Objection | None:
        """The next of those who are chosen, in whatever order: a list of leaders is asked in an order of its own."""
        keys = [key for key in self.partial_order if key.startswith(f"{slot.name}.")]
        self.heard.update(keys)
        wanted = {key: self.text.read(slot, self.partial_order[key]) for key in keys}
        for token in slot.values:
            if token != STOP and token in wanted.values():
                return token
        for key, chosen in wanted.items():
            if chosen is None or (chosen != STOP and (slot.name, chosen) not in self._taken):
                return self._granted(slot, key, chosen)
        return STOP if STOP in wanted.values() and STOP in slot.values else None

    def _step(self, slot: Slot) -> Token | Objection | None:
        """The next step of a leg that was chosen as a whole."""
        if self._leg is None and slot.name in self.partial_order:
            self.heard.add(slot.name)
            leg = self.text.leg(slot, self.partial_order[slot.name])
            if isinstance(leg, Objection):
                return leg
            self._leg = iter(leg)
        token = next(self._leg, None) if self._leg is not None else None
        return token if token is None or token in slot.values else reason_of(slot.refuse(token))

    def _field(self, slot: Slot, key: str, token: Token | None, is_given: bool) -> FormField:
        text, options = self.text, options_of(slot)
        choices = [text.choice(slot, value) for value in options.values]
        if options.prices:
            choices = [
                msgspec.structs.replace(choice, price=price)
                for choice, price in zip(choices, options.prices, strict=True)
            ]
        barred = []
        for value, refusal in options.refused:
            shown = text.choice(slot, value)
            barred.append(Barred(shown.token, shown.label, reason_of(refusal), shown.place))
        return FormField(
            key,
            slot.name,
            text.kind(slot),
            text.label(slot),
            tuple(choices),
            tuple(barred),
            "" if token is None else text.choice(slot, token).token,
            is_given,
        )


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
            return Choice(str(STOP), STAYS if kind == "path" and slot.index == 0 else NOTHING_MORE[kind])
        return _CHOICES[kind](self, slot, token)

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


W = TypeVar("W")


class OrderFormBuilder(FormBuilder, Generic[W]):
    """The questions of an order: with where its force stands, where it has come to, and where it can go.

    `W` is what a question of a path is about: where the path has come to, by the rules.
    """

    def __init__(self, book: NameBook, frame: str) -> None:
        super().__init__(book, frame)
        self.steps: list[tuple[Hex, int | str]] = []
        """The hexes of the path, each with its price."""
        self.walk: W | None = None
        """Where the hexes end that were named one by one."""
        self.end: W | None = None
        """Where the path ends."""

    @property
    @abstractmethod
    def start(self) -> str:
        """Where the force stands."""

    @abstractmethod
    def walk_of(self, slot: Slot) -> W | None:
        """Where the path has come to; None of another question."""

    @abstractmethod
    def leg_of(self, walk: W) -> Leg:
        """The rest of a leg."""

    @abstractmethod
    def price(self, walk: W, there: Hex) -> int | str | None:
        """What the next step costs; None if it is none."""

    @abstractmethod
    def halts(self) -> tuple[Choice, ...]:
        """How a march may be ordered to halt at once where it ends; none where its owner should look first."""

    def reached(self) -> Mapping[str, Reached]:
        """Where it can go in one leg."""
        return self.leg_of(self.walk).shown() if self.walk is not None else {}

    def leg_through(self, slot: Slot, goals: Sequence[Hex]) -> Sequence[Token] | Refusal:
        walk = self.walk_of(slot)
        assert walk is not None
        return self.leg_of(walk).through(goals)

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """Keep what was answered, for the questions, the summary and the reach."""
        walk = self.walk_of(slot)
        if walk is not None:
            if self.walk is None and (token is None or token == STOP or not is_step):
                self.walk = copy.copy(walk)
            self.end = copy.copy(walk)
            there = as_hex(token) if token is not None and token != STOP else None
            price = self.price(walk, there) if there is not None else None
            if there is not None and price is not None:
                self.steps.append((there, price))
        super().answered(slot, token, is_step)


def offered(slot: Slot, wanted: Sequence[Token]) -> Token | None:
    """The first of the wanted answers that may be given, or else the first that is barred."""
    barred = slot.refused() if slot.refused is not None else ()
    return next((token for known in (slot.values, barred) for token in wanted if token in known), None)


A = TypeVar("A", bound=OrderFormBuilder[Any])
S = TypeVar("S", bound=Frozen)


def make_form(
    game: RulesetBase[S, Any],
    state: S,
    actor: Side,
    partial_order: PartialOrder,
    ask: Callable[[Any, S, Side], A],
    summary_of: Callable[[A, Action | None], tuple[str, ...]],
    odds: ByKind[Action, A, Odds | None],
) -> Form:
    """The form of an order with what is chosen of it so far; `ask` makes the questions of a position. Never raises.

    `odds` has, by the kind of an order, what it may bring; an order that is not there leaves nothing to chance.
    """
    if state.outcome is not None:
        return Form((), refused=(reason_of(Refusal(state.outcome.rule, "the game has ended")),))
    if not game.is_asked(state, actor):
        return Form((), refused=(reason_of(Refusal(game.NOT_ASKED, "you are not being asked")),))
    asked = ask(game.data, state, actor)
    filled = fill_form(game.legal_actions(state, actor), asked, partial_order)
    neutral = game.neutral(state, actor)
    bring = odds.get(type(filled.action)) if filled.action is not None else None
    return Form(
        filled.fields,
        "" if filled.action is None else game.format_action(state, actor, filled.action),
        filled.refused,
        summary_of(asked, filled.action),
        asked.start,
        asked.reached(),
        bring(asked, filled.action) if bring is not None else None,
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
