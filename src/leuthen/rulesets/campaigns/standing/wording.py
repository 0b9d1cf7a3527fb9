"""A clause in the making: its questions, in good English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leuthen.engine.choice import Slot, Token
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION
from leuthen.rulesets.campaigns.screen.report import band, ratings
from leuthen.rulesets.campaigns.standing.clauses import CLAUSES, GRAMMAR
from leuthen.rulesets.campaigns.standing.parts import ALL, ANY, ATTACK, GO, INSIDE, NEVER, NONE, THESE
from leuthen.screen import Choice, Objection
from leuthen.screen.form_builder import FormBuilder, FormWords
from leuthen.screen.forms import DO
from leuthen.wargame.board import hex_name
from leuthen.wargame.grammar import kinds_of
from leuthen.wargame.strength import LeaderId

WORDS: Final[Mapping[str, str]] = {
    **{clause.word(): clause.TITLE for clause in CLAUSES},
    f"way {ATTACK}": "into the mover's hex, to attack",
    f"way {GO}": "to a hex, in the field",
    f"way {INSIDE}": "inside a stronghold",
    f"who {NONE}": "nobody",
    f"who {ALL}": "all who are inside",
    f"who {THESE}": "these",
    "concentrate 0": "no concentration",
    "concentrate 1": "concentrate if it can be paid",
    "intense 0": "ordinary intensity",
    "intense 1": "high intensity if it can be paid",
    "feed 0": "never pay",
    "feed 1": "always pay",
}

ASKED: Final[Mapping[str, str]] = {
    DO: "What the clause is about",
    "leader": "Who reacts",
    "companions": "Who goes with him",
    "way": "Where he goes",
    "goals": "To which hex; several are tried in turn",
    "movers": "Against whom; nobody named: anybody",
    "hexes": "In which hexes; none named: any",
    "within": "Within how many MP of him",
    "least": "The enemy has at least so many TP",
    "most": f"The enemy has at most so many TP ({ANY}: any number); more is a surprise",
    "odds": "Only if he wins so often, in per cent",
    "who": "Who comes out",
    "leaders": "Who",
    "concentrate": "Concentration",
    "intense": "Intensity",
    "at": f"At so many per cent of losses ({NEVER}: never)",
    "feed": "Supply that can be paid",
}
PRESET: Final[Mapping[str, Token]] = {"within": REACTION, "least": 0, "most": ANY, "odds": 50, "at": NEVER}


class ClauseForm(FormBuilder):
    """The questions of a clause."""

    KINDS = kinds_of(GRAMMAR)
    WORDS = FormWords(WORDS, {}, ASKED, {})

    def __init__(self, data: GameData, view: View, pos: Position) -> None:
        super().__init__(data.book)
        self.view = view
        self.pos = pos
        self.names = Names(data)
        self.data = data
        self.start = ""
        """Where the leader stands who reacts."""

    def as_word(self, slot: Slot, token: Token) -> Choice:
        """What the clause is about, or a word of it."""
        return Choice(str(token), WORDS[str(token) if slot.name == DO else f"{slot.name} {token}"])

    def as_count(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), _count(slot.name, int(token)))

    def as_leader(self, slot: Slot, token: Token) -> Choice:
        """A leader, with what is seen of his strength."""
        if not isinstance(token, int) or not 0 <= token < len(self.data.leaders):
            return Choice(str(token), str(token))
        label, unit = f"{self.names.unit(LeaderId(token))} {ratings(self.data.leaders[token])}", self.pos.chosen(token)
        if unit is None:
            return Choice(str(token), label)
        return Choice(str(token), label, self._strength(unit.number), hex_name(unit.hex))

    def _strength(self, number: LeaderId) -> str:
        """What is seen of a leader's strength: of an enemy that of his force."""
        unit = self.pos.units[number]
        if self.pos.side(number) == self.view.viewer:
            parts = [f"{unit.strength} TP"] * bool(unit.tp) + [f"{unit.sp} SP"] * bool(unit.sp)
            return ", ".join(parts)
        force = next((force for force in self.view.stacks if number in force.units), None)
        return f"{band(force.low, force.high)} TP with him" if force is not None else ""

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        if not isinstance(token, int) or token not in self.data.board.terrain:
            return Choice(str(token), str(token))
        return super().as_hex(slot, token)

    def find(self, slot: Slot, place: str) -> Token | None:
        """The leader or hex that a click on a place or a piece names."""
        here = self.hex_of(place.partition("-")[0])
        if here is None or self.kind(slot) not in ("leader", "hex"):
            return None
        if self.kind(slot) == "hex":
            return here
        there = sorted((unit for unit in self.pos.units.values() if unit.hex == here), key=lambda unit: -unit.strength)
        return next((unit.number for unit in there if unit.number in slot.values), None)

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        """There are no paths in a clause."""
        return Objection("", "a clause has no way")

    def preset(self, slot: Slot) -> Token | None:
        token = PRESET.get(slot.name, 0 if slot.name == "intense" else None)
        return token if token in slot.values else None

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        if slot.name == "leader" and (unit := self.pos.chosen(token)) is not None:
            self.start = hex_name(unit.hex)


def _count(name: str, number: int) -> str:
    if name == "most" and number == ANY:
        return "any number"
    if name == "at":
        return "never" if number == NEVER else f"{number} %"
    return {"odds": f"{number} %", "within": f"{number} MP"}.get(name, str(number))
