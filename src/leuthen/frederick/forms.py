"""Orders in the making, as a table shows them: the questions of the legal set in good English.

A form is made from the legal set, which is the same in every world that the actor's view allows; what it says beside
is about the actor's own forces.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from leuthen.core.board import Hex, hex_name
from leuthen.core.choice import STOP, Slot, Token
from leuthen.core.forms import DO, fill_form, reason_of
from leuthen.core.refusal import Invalid, Refusal
from leuthen.core.showing import Choice, Form, Reason, Wishes
from leuthen.frederick.formwords import NOTHING_MORE, question, word_for
from leuthen.frederick.lookup import name_book
from leuthen.frederick.reach import leg_through, show_reach
from leuthen.frederick.rules.walk import Walk
from leuthen.frederick.stacks import locate
from leuthen.frederick.state import SIDES, Stack, State

if TYPE_CHECKING:
    from leuthen.frederick.game import Frederick

KINDS: Final[Mapping[str, str]] = {
    "do": "word",
    "sp": "count",
    "points": "count",
    "hex": "hex",
    "start": "hex",
    "path": "path",
    "inside": "flag",
    "overwhelm": "flag",
    "power": "power",
    "leader": "leader",
    "leaders": "leader",
    "companions": "leader",
}
LEAST: Final = ("drop", "garrison", "lose", "envoys", "raise")
"""The actions that take as few SP or points as may be, if their player says nothing; all others take the most."""


def make_form(game: Frederick, state: State, actor: int, wishes: Wishes) -> Form:
    """The form of an order with what is wished of it so far. Never raises."""
    refusal = _not_asked(game, state, actor)
    if refusal is not None:
        return Form((), refused=(reason_of(refusal),))
    questions = Questions(game, state, actor)
    filled = fill_form(game.legal_actions(state, actor), questions, wishes)
    return Form(
        filled.fields,
        "" if filled.action is None else game.format_action(state, actor, filled.action),
        filled.refused,
        start=questions.start,
        reach=show_reach(questions.walk) if questions.walk is not None else {},
    )


def _not_asked(game: Frederick, state: State, actor: int) -> Refusal | None:
    """Why there is nothing to fill in."""
    if state.outcome is not None:
        return Refusal(state.outcome.rule, "the game has ended")
    frame = state.frames[-1]
    if actor in SIDES and (actor in frame.actors(state) or frame.is_open_to(state, actor)):
        return None
    return Refusal("O4.2", "you are not asked now")


class Questions:
    """The questions that one position asks of one side, and what was answered so far (`core.forms.Wording`)."""

    def __init__(self, game: Frederick, state: State, actor: int) -> None:
        self.data = game.data
        self.pos = state
        self.actor = actor
        self.book = name_book(game.data)
        self.frame = state.frames[-1]
        self.given: dict[str, Token] = {}
        self.walk: Walk | None = None
        """The force where the hexes end that were named one by one."""

    @property
    def start(self) -> str:
        """Where the force stands."""
        if self.walk is not None:
            return hex_name(self.walk.force.hex)
        stack = locate(self.pos, int(self.given["leader"])) if "leader" in self.given else self.pos.moving
        return hex_name(stack.hex) if stack is not None and stack.side == self.actor else ""

    def kind(self, slot: Slot) -> str:
        """How a client asks."""
        return KINDS[slot.name]

    def label(self, slot: Slot) -> str:
        """The question."""
        return question(self, slot)

    def choice(self, slot: Slot, token: Token) -> Choice:
        """An answer: as it is written, in words, and where it is."""
        if token == STOP and slot.index is not None and KINDS[slot.name] != "count":
            return Choice(str(STOP), NOTHING_MORE[KINDS[slot.name]])
        return _CHOICES.get(slot.name, Questions._number)(self, slot, token)

    def _word(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), word_for(self.frame, str(token)))

    def _leader(self, slot: Slot, token: Token) -> Choice:
        if not isinstance(token, int) or not 0 <= token < len(self.data.leaders):
            return Choice(str(token), "nobody")
        who, stack = self.data.leaders[token], locate(self.pos, token)
        where = hex_name(stack.hex) if stack is not None and stack.side == self.actor else ""
        return Choice(str(token), f"{who.name} {who.initiative}-{who.attack}-{who.defence}", place=where)

    def _hex(self, slot: Slot, token: Token) -> Choice:
        here = hex_name(int(token))
        return Choice(here, self.town(int(token)), place=here)

    def _start(self, slot: Slot, token: Token) -> Choice:
        key = int(token)
        where = "inside" if key & 1 else "in the field"
        return Choice(piece_key(key), f"{self.town(key >> 3)}, {where}", place=hex_name(key >> 3))

    def _flag(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), word_for(self.frame, f"{slot.name} {token}", str(self.given.get(DO, ""))))

    def _power(self, slot: Slot, token: Token) -> Choice:
        known = isinstance(token, int) and 0 <= token < len(self.data.powers)
        return Choice(str(token), self.data.powers[int(token)].name if known else "nobody")

    def _number(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), str(token))

    def town(self, here: Hex) -> str:
        """A hex with its town."""
        return f"{hex_name(here)} {self.book.town(here)}".strip()

    def read(self, slot: Slot, text: str) -> Token | None:
        """The answer that a text names: a word, a hex or town, a piece, a number."""
        kind = KINDS[slot.name]
        if kind == "word":
            return text
        if text == str(STOP):
            return STOP
        if kind in ("hex", "path"):
            return self._read_place(slot, text)
        return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None

    def _read_place(self, slot: Slot, text: str) -> Token | None:
        try:
            if slot.name == "start":
                return self._piece(slot, text)
            return self.book.hex(text)
        except Invalid:
            return None

    def _piece(self, slot: Slot, text: str) -> Token | None:
        """A stack by its piece on the map, or by its hex if that is enough."""
        stacks = self._stacks_at(text)
        legal = [stack.key for stack in stacks if stack.key in slot.values]
        return legal[0] if legal else stacks[0].key if stacks else None

    def _stacks_at(self, text: str) -> list[Stack]:
        """The actor's stacks that a piece or a hex names: the one in the field first."""
        place, _, which = text.partition("-")
        here = self.book.hex(place)
        keys = [here << 3 | self.actor << 1 | inside for inside in (0, 1)]
        return [
            stack
            for key in keys
            if which in ("", piece_key(key)[5:]) and (stack := self.pos.stacks.get(key)) is not None
        ]

    def find(self, slot: Slot, place: str) -> Token | None:
        """The leader, stack, power or hex that a click on a place or a piece names."""
        try:
            stacks, here = self._stacks_at(place), self.book.hex(place.partition("-")[0])
        except Invalid:
            return None
        shown = slot.refused() if slot.refused is not None else ()
        if slot.name in ("hex", "start"):
            keys: list[Token] = [stack.key for stack in stacks] if slot.name == "start" else [here]
        elif slot.name == "leader":
            keys = [leader for stack in stacks for leader in (stack.commander, *stack.leaders)]
        else:
            return None
        return next((key for known in (slot.values, shown) for key in keys if key in known), None)

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Reason:
        """A whole leg to a place, through others if they are named, by a cheapest way."""
        walk = slot.about
        assert isinstance(walk, Walk)
        try:
            goals = self.book.hexes(text)
        except Invalid as error:
            return Reason("", str(error))
        if not goals:
            return Reason("", "a hex or a town is expected")
        if set(goals) == {walk.here}:
            return (walk.here,) if walk.here in slot.values else reason_of(slot.refuse(walk.here))
        found = leg_through(walk, goals)
        return reason_of(found) if isinstance(found, Refusal) else found

    def preset(self, slot: Slot) -> Token | None:
        """What stands if nothing is wished: all SP, no points, in the field, no overwhelming attack."""
        if slot.name in ("sp", "points"):
            return min(slot.values) if self.given.get(DO) in LEAST else max(slot.values)
        if slot.name == "overwhelm" or (slot.name == "inside" and self.given.get(DO) != "shift"):
            return 0 if 0 in slot.values else None
        return None

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """Keeps what was answered, for the questions and the summary that follow."""
        if isinstance(slot.about, Walk) and not is_step and self.walk is None:
            self.walk = copy.copy(slot.about)
        if token is not None:
            self.given.setdefault(slot.name, token)


def piece_key(key: int) -> str:
    """The key of a stack's piece on the map: hex, side, field or inside."""
    return f"{hex_name(key >> 3)}-{key >> 1 & 3}{'i' if key & 1 else 'f'}"


_CHOICES: Final[Mapping[str, Callable[[Questions, Slot, Token], Choice]]] = {
    "do": Questions._word,
    "leader": Questions._leader,
    "leaders": Questions._leader,
    "companions": Questions._leader,
    "hex": Questions._hex,
    "path": Questions._hex,
    "start": Questions._start,
    "inside": Questions._flag,
    "overwhelm": Questions._flag,
    "power": Questions._power,
}
