"""The stretches of a clause's line that no order has, and the reader of its words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from leuthen.engine.choice import STOP, Slot, Token
from leuthen.engine.refusal import Invalid
from leuthen.engine.texts import brief, number_of
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.wargame.grammar import Candidate, Given, Part, Values, WordReader
from leuthen.wargame.parts import HexesPart, LineSearch, MembersPart, NumberPart
from leuthen.wargame.strength import LeaderId

ANY: Final = 200
"""TP: of any strength."""
NEVER: Final = 101
"""Per cent of losses that no battle has."""
ATTACK, GO, INSIDE = "attack", "to", "inside"
"""Where a reaction goes: into the mover's hex, to a hex in the field, or inside a stronghold (R7.4)."""
NONE, ALL, THESE = "never", "always", "these"
"""Who joins in a battle (R6.3)."""
WITH, AGAINST, AT, WITHIN, OF, ODDS = "with", "against", "at", "within", "of", "odds"


class ClauseReader(WordReader):
    """The words of a clause. `own` and `foes`: whose names may be shortened."""

    UNIT = "leader or wagon"
    OURS = "of yours"
    MARKS = (WITH, AGAINST, AT, WITHIN, OF, ODDS, ATTACK, GO, INSIDE)

    def __init__(
        self, data: GameData, own: Collection[LeaderId] = (), foes: Collection[LeaderId] = (), words: Iterable[str] = ()
    ) -> None:
        super().__init__(data.book, words)
        self.own = own
        self.foes = foes

    def likely(self) -> Collection[LeaderId]:
        return self.own


class GoalsPart(HexesPart[ClauseReader]):
    """Where a reaction goes, if it does not attack: several hexes are tried in turn."""

    def __init__(self) -> None:
        super().__init__("goals")

    def is_due(self, given: Values) -> bool:
        return bool(given["way"] != ATTACK)

    def read(self, line: ClauseReader, given: Given) -> None:
        given[self.name] = line.hexes() if self.is_due(given) else ()

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        goals, place = search.given.get(self.name, ()), slot.index or 0
        if place < len(goals):
            return [token for token in slot.values if token == goals[place]]
        return slot.values if search.is_open(self.name) else [token for token in slot.values if token == STOP]

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return self.answers(slot, search, taken) if (slot.index or 0) < len(search.given.get(self.name, ())) else ()

    def candidates(self, line: ClauseReader, search: LineSearch) -> Iterator[Candidate]:
        count = len(search.given.get(self.name, ()))
        for slot in search.asked(self.name) if self.is_due(search.given) else ():
            for token in slot.values if slot.index == count else ():
                if token != STOP:
                    yield Candidate(self.words(line, token), self.name, token, count)


class StrengthPart(Part[ClauseReader]):
    """How many TP the enemy has: `of 5-25`, `of 5+`, or (when read) `of 25` for as many at most."""

    kinds: Mapping[str, str] = {"least": "count", "most": "count"}

    def write(self, line: ClauseReader, values: Values) -> Iterable[str]:
        least, most = values["least"], values["most"]
        if (least, most) == (0, ANY):
            return []
        return [OF, f"{least}+" if most == ANY else f"{least}-{most}"]

    def read(self, line: ClauseReader, given: Given) -> None:
        given["least"], given["most"] = _strength(line.next("a number of TP")) if line.has(OF) else (0, ANY)

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        is_said = not search.is_open(slot.name) or (slot.name == "least" and "-" in search.last)
        return [token for token in slot.values if not is_said or token == search.given[slot.name]]

    def candidates(self, line: ClauseReader, search: LineSearch) -> Iterator[Candidate]:
        """The least first; after its hyphen the most."""
        least, hyphen, _ = search.last.partition("-")
        if OF in line.taken:
            return
        if hyphen:
            if (low := number_of(least)) is None:
                return
            search.given["least"] = low
            yield from (Candidate([OF, f"{least}-{most}"], "most", most) for most in search.values("most"))
            search.given["least"] = 0
            return
        for number in search.values("least"):
            yield Candidate([OF, f"{number}-"], "least", number)
            yield from [Candidate([OF, f"{number}+"], "least", number)] if number else []


def _strength(text: str) -> tuple[int, int]:
    low, mark, high = text.partition("-")
    if text.endswith("+"):
        low, high = text[:-1], str(ANY)
    elif not mark:
        low, high = "0", text
    least, most = number_of(low, 3), number_of(high, 3)
    if least is None or most is None:
        raise Invalid(f"«{brief(text)}» is no strength: 0-25, 5+ or 25 is expected")
    return least, most


class WhoPart(MembersPart[ClauseReader]):
    """Who joins in: nobody, all, or these leaders."""

    def __init__(self) -> None:
        super().__init__("leaders")
        self.kinds = {"who": "word", "leaders": "leader"}

    def is_due(self, given: Values) -> bool:
        return True

    def write(self, line: ClauseReader, values: Values) -> Iterable[str]:
        return super().write(line, values) if values["who"] == THESE else [values["who"]]

    def read(self, line: ClauseReader, given: Given) -> None:
        given["who"] = next((word for word in (NONE, ALL) if line.has(word)), THESE)
        given["leaders"] = () if given["who"] != THESE else tuple(sorted((line.unit(), *line.units())))

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        if slot.name == "leaders":
            return super().answers(slot, search, taken)
        return [token for token in slot.values if token == search.given.get("who", token)]

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return () if slot.name == "who" else super().passed(slot, search, taken)

    def candidates(self, line: ClauseReader, search: LineSearch) -> Iterator[Candidate]:
        if "who" not in search.given:
            words = [word for word in search.values("who") if word != THESE]
            yield from (Candidate([str(word)], "who", word) for word in words)
            search.given |= {"who": THESE, "leaders": ()}
        yield from super().candidates(line, search) if search.given["who"] == THESE else ()


class ShareOfLossesPart(NumberPart[ClauseReader]):
    """From which losses on: `at 20`, or `never`."""

    def __init__(self) -> None:
        super().__init__("at", "per cent")

    def words(self, line: ClauseReader, value: Token) -> list[str]:
        return [NONE] if value == NEVER else [AT, str(value)]

    def value(self, line: ClauseReader) -> int:
        if line.has(NONE):
            return NEVER
        line.has(AT)
        return line.number(self.what)
