"""Orders in the making: the questions of the legal set as a table asks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from leuthen.campaigns.actions import GARRISON
from leuthen.campaigns.names import Names
from leuthen.campaigns.state import SIDES, State
from leuthen.core.board import hex_name
from leuthen.core.choice import STOP, Slot, Token
from leuthen.core.forms import fill_form, reason_of
from leuthen.core.refusal import Ambiguous, Invalid, Refusal
from leuthen.core.showing import Choice, Form, Reason, Wishes

if TYPE_CHECKING:
    from leuthen.campaigns.game import Campaigns

KINDS: Final = {
    "do": "word",
    **dict.fromkeys(("leader", "companions", "leaders", "wagon", "giver", "taker"), "leader"),
    **dict.fromkeys(("points", "tp"), "count"),
    "hex": "hex",
    "path": "path",
    **dict.fromkeys(("inside", "forage", "concentrate", "intense"), "flag"),
    "nation": "power",
}
LABELS: Final = {
    "do": "What is to be done",
    "companions": "Who goes along",
    "leaders": "Who joins in",
    "path": "Which way",
    "forage": "Without paying",
    "points": "How many",
    "tp": "How many",
}


def make_form(game: Campaigns, state: State, actor: int, wishes: Wishes) -> Form:
    """The form of an order with what is wished of it so far. Never raises."""
    if state.outcome is not None:
        return Form((), refused=(reason_of(Refusal(state.outcome.rule, "the game has ended")),))
    if actor not in SIDES or actor not in state.frames[-1].actors(state):
        return Form((), refused=(reason_of(Refusal("R4.6", "you are not asked now")),))
    filled = fill_form(game.legal_actions(state, actor), Questions(game, state), wishes)
    order = "" if filled.action is None else game.format_action(state, actor, filled.action)
    return Form(filled.fields, order, filled.refused)


class Questions:
    """How the questions are worded, and read back (`core.forms.Wording`)."""

    def __init__(self, game: Campaigns, state: State) -> None:
        self.game = game
        self.state = state
        self.names = Names(game.data)

    def kind(self, slot: Slot) -> str:
        """How a client asks."""
        return KINDS.get(slot.name, "word")

    def label(self, slot: Slot) -> str:
        """The question."""
        return LABELS.get(slot.name, slot.name.capitalize())

    def choice(self, slot: Slot, token: Token) -> Choice:
        """An answer: its text, what it is called, where it is."""
        if token == STOP and slot.index is not None:
            return Choice(str(STOP), "no more")
        kind = self.kind(slot)
        if kind in ("hex", "path"):
            here = int(token)
            return Choice(hex_name(here), self.names.hex(here), place=hex_name(here))
        return Choice(str(token), self._word(kind, slot, token))

    def _word(self, kind: str, slot: Slot, token: Token) -> str:
        if kind == "leader":
            number = int(token)
            if number < 0:
                return "the fort" if slot.name == "wagon" else "the garrison"
            return self.names.hex(number - GARRISON) if number >= GARRISON else self.names.unit(number)
        if kind == "flag":
            return "yes" if token else "no"
        return self.names.nation(int(token)) if kind == "power" else str(token)

    def read(self, slot: Slot, text: str) -> Token | None:
        """The answer that a text names, legal or not; None if it names none."""
        if self.kind(slot) == "word":
            return text
        if text == str(STOP):
            return STOP
        if self.kind(slot) in ("hex", "path"):
            return self._hex(text)
        return int(text) if text.isdecimal() else None

    def _hex(self, text: str) -> Token | None:
        try:
            return self.names.book.hex(text)
        except (Invalid, Ambiguous):
            return None

    def find(self, slot: Slot, place: str) -> Token | None:
        """The answer that a place or a piece stands for."""
        here = self._hex(place[:4])
        if self.kind(slot) in ("hex", "path"):
            return here
        if slot.name != "leader" or here is None:
            return None
        found = (n for n in slot.values if n in self.state.units and self.state.units[int(n)].hex == here)
        return next(found, None)

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Reason:
        """The answers to this question and the next ones that lead through the places of a text."""
        try:
            hexes = self.names.book.hexes(text)
        except (Invalid, Ambiguous) as error:
            return Reason("", str(error))
        return [*hexes, STOP]

    def preset(self, slot: Slot) -> Token | None:
        """The answer where nothing is wished: none but for a flag, which is no."""
        return slot.values[0] if self.kind(slot) == "flag" else None

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """Nothing is kept."""
