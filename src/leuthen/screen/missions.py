"""The form of a mission that a player gives to the staff."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.choice import Slot, Token
from leuthen.screen.forms import FormBuilder, FormWords, fill_form
from leuthen.screen.values import Choice, Form, PartialOrder
from leuthen.wargame.board import NOWHERE, place_name
from leuthen.wargame.grammar import kinds_of
from leuthen.wargame.missions import DROP, GIVE, GRAMMAR, TO, MissionOrder, Missions
from leuthen.wargame.strength import LeaderId, as_leader

WORDS: Final[Mapping[str, str]] = {
    GIVE: "Give an army a mission", DROP: "Leave an army to the staff", TO: "whatever the place asks for",
    "hunt": "beat the enemy", "join": "join friends", "hold": "stand", "raid": "take while it is empty",
}  # fmt: skip
ASKED: Final[Mapping[str, str]] = {
    "do": "What to tell the staff", "leader": "Whose army", "kind": "What it is to do", "place": "Where",
}  # fmt: skip


class MissionForm(FormBuilder):
    KINDS = kinds_of(GRAMMAR)
    WORDS = FormWords(WORDS, {}, ASKED, {})

    def __init__(self, missions: Missions) -> None:
        super().__init__(missions.book)
        self.missions = missions
        self.start = ""

    def as_leader(self, slot: Slot, token: Token) -> Choice:
        at, men = self.missions.stand([as_leader(token)]) if isinstance(token, int) else (NOWHERE, "")
        return Choice(str(token), self.missions.name(token), men, place_name(at))

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        return super().as_hex(slot, token) if token != NOWHERE else Choice(str(token), "in no place of its own")

    def read(self, slot: Slot, text: str) -> Token | None:
        named = self.book.leaders.exact(text) if self.kind(slot) == "leader" else []
        return named[0] if len(named) == 1 else super().read(slot, text)

    def find(self, slot: Slot, place: str) -> Token | None:
        here = self.hex_of(place.partition("-")[0])
        if slot.name != "leader":
            return here if slot.name == "place" else None
        return next((token for token in slot.values if self.missions.stand([as_leader(token)])[0] == here), None)

    def preset(self, slot: Slot) -> Token | None:
        return None

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        super().answered(slot, token, is_step)
        if slot.name == "leader" and isinstance(token, int):
            at, _ = self.missions.stand([LeaderId(token)])
            self.start = place_name(at)


def mission_form(missions: Missions, partial_order: PartialOrder) -> Form:
    """Return the form of a mission; its `order` is the mission's line. Never raises."""
    asked = MissionForm(missions)
    filled = fill_form(missions.legal, asked, partial_order)
    if not isinstance(filled.action, MissionOrder):
        return Form(filled.fields, "", filled.refused, (), asked.start)
    told = filled.action
    return Form(filled.fields, missions.write(told), filled.refused, (missions.explain(told),), asked.start)
