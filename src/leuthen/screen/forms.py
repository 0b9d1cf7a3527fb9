"""An order in the making: a script's questions, with what a player has chosen so far and what he may answer next.

One walk through the script does all: each question becomes a field, a choice that is legal is its answer, and where
nothing is chosen a default stands if there is a natural one. What a rule refuses is told by the script itself, and a
choice that is refused leaves the order open.

A partial order has the choices by the key of the question («leader», «sp.0», «path.2»), and three of another kind. «at»
is a place or a piece, and answers whichever question it can. The bare name of a path («path») is a whole leg to a
place, or through several. And the kind of action («do») may be left out: it is then the one that hears most choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import msgspec

from leuthen.engine.choice import STOP, Action, LegalSet, Refusal, Slot, Token, options_of
from leuthen.screen import Barred, Choice, FormField, Objection, PartialOrder
from leuthen.wargame.board import hex_name

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
