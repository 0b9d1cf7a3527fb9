"""Standing instructions of this rule set: clauses as lines and as forms, and their answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from leuthen.engine.choice import Action, LegalSet, Slot, Token
from leuthen.engine.events import Event
from leuthen.engine.ruleset import OTHER, as_side
from leuthen.rulesets.campaigns.knowledge import MIDDLE, View, complete_view
from leuthen.rulesets.campaigns.model.events import BattleEnded, Names, PlaceFell, PlaceTaken
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r05_walk import REACTION
from leuthen.rulesets.campaigns.screen.forces import ratings
from leuthen.rulesets.campaigns.standing.clauses import (
    ALL,
    ANY,
    ATTACK,
    CLAUSES,
    GO,
    GRAMMAR,
    INSIDE,
    NEVER,
    NONE,
    THESE,
    AskedDecision,
    Asker,
    ClauseReader,
    HoldClause,
    SaidClause,
    clause_script,
)
from leuthen.screen.forces import band
from leuthen.screen.forms import DO, FormBuilder, FormWords, fill_form
from leuthen.screen.presenter import Clause, Surprise
from leuthen.screen.values import Choice, Form, Objection, PartialOrder
from leuthen.wargame.board import hex_name
from leuthen.wargame.grammar import complete_line, kinds_of, read_line, write_line
from leuthen.wargame.strength import LeaderId

WORDS: Final[Mapping[str, str]] = {
    **{word: clause.TITLE for word, clause in CLAUSES.items()},
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
    DO: "Subject of the clause",
    "leader": "Reacting leader",
    "companions": "Leaders who go with him",
    "way": "Destination",
    "goals": "Target hex; several are tried in turn",
    "movers": "Enemy leaders (none: any)",
    "hexes": "Hexes (none: any)",
    "within": "Distance in MP, at most",
    "least": "Enemy TP, at least",
    "most": f"Enemy TP, at most ({ANY}: any number); more stops the instructions",
    "odds": "Chance to win in per cent, at least",
    "who": "Leader who comes out",
    "leaders": "Who",
    "concentrate": "Concentration",
    "intense": "Intensity",
    "at": f"Losses in per cent ({NEVER}: never)",
    "feed": "Supply that can be paid",
}
PRESET: Final[Mapping[str, Token]] = {"within": REACTION, "least": 0, "most": ANY, "odds": 50, "at": NEVER}


class ClauseForm(FormBuilder):
    KINDS = kinds_of(GRAMMAR)
    WORDS = FormWords(WORDS, {}, ASKED, {})

    def __init__(self, names: Names, view: View, pos: Position) -> None:
        super().__init__(names.book)
        self.view = view
        self.pos = pos
        self.names = names
        self.data = names.data
        self.start = ""
        """The hex of the reacting leader."""

    def as_word(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), WORDS[str(token) if slot.name == DO else f"{slot.name} {token}"])

    def as_count(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), _count(slot.name, int(token)))

    def as_leader(self, slot: Slot, token: Token) -> Choice:
        if not isinstance(token, int) or not 0 <= token < len(self.data.leaders):
            return Choice(str(token), str(token))
        label, unit = f"{self.names.unit(LeaderId(token))} {ratings(self.data.leaders[token])}", self.pos.chosen(token)
        if unit is None:
            return Choice(str(token), label)
        return Choice(str(token), label, self._strength(unit), hex_name(unit.hex))

    def _strength(self, unit: Unit) -> str:
        if self.pos.side(unit.number) == self.view.viewer:
            return ", ".join([f"{unit.strength} TP"] * bool(unit.tp) + [f"{unit.sp} SP"] * bool(unit.sp))
        force = next((force for force in self.view.stacks if unit.number in force.units), None)
        return f"{band(force.low, force.high)} TP with him" if force is not None else ""

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        if not isinstance(token, int) or token not in self.data.board.terrain:
            return Choice(str(token), str(token))
        return super().as_hex(slot, token)

    def find(self, slot: Slot, place: str) -> Token | None:
        here = self.hex_of(place.partition("-")[0])
        if here is None or self.kind(slot) not in ("leader", "hex"):
            return None
        if self.kind(slot) == "hex":
            return here
        there = sorted((unit for unit in self.pos.units.values() if unit.hex == here), key=lambda unit: -unit.strength)
        return next((unit.number for unit in there if unit.number in slot.values), None)

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        return Objection("", "a clause has no way")

    def preset(self, slot: Slot) -> Token | None:
        token = PRESET.get(slot.name, 0 if slot.name == "intense" else None)
        return token if token in slot.values else None

    def record_answer(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        if slot.name == "leader" and (unit := self.pos.chosen(token)) is not None:
            self.start = hex_name(unit.hex)


def _count(name: str, number: int) -> str:
    if name == "most" and number == ANY:
        return "any number"
    if name == "at":
        return "never" if number == NEVER else f"{number} %"
    return {"odds": f"{number} %", "within": f"{number} MP"}.get(name, str(number))


class CampaignsStanding:
    """Standing instructions: clauses for every question that the opponent's activity may raise."""

    def __init__(self, names: Names, not_there: str) -> None:
        """`not_there`: the rule for a clause that names something absent."""
        self.names = names
        self.data = names.data
        self.not_there = not_there

    def _reader(self, view: View) -> Callable[[Iterable[str]], ClauseReader]:
        own = [n for force in view.stacks if force.side == view.viewer for n in force.units]
        return lambda words: ClauseReader(self.data, own, self._foes(view), words)

    def _foes(self, view: View) -> list[LeaderId]:
        units = (n for force in view.stacks if force.side != view.viewer for n in force.units)
        return [number for number in units if not self.data.is_wagon(number)]

    def clauses(self, view: View, pos: Position | None = None) -> LegalSet[Clause]:
        who = Asker(pos or complete_view(self.data, view, MIDDLE), as_side(view.viewer), self._foes(view))
        return LegalSet(lambda: clause_script(who), self.not_there)

    def parse(self, view: View, text: str) -> Clause:
        return read_line(GRAMMAR, text, self._reader(view), "clause")

    def format(self, clause: Clause) -> str:
        return write_line(GRAMMAR, ClauseReader(self.data), clause)

    def in_order(self, clauses: Sequence[Clause]) -> Sequence[Clause]:
        return sorted(clauses, key=lambda clause: isinstance(clause, HoldClause))

    def covered_by(self, clauses: Sequence[Clause]) -> Sequence[int]:
        said = [clause for clause in clauses if isinstance(clause, SaidClause)]
        return [next((n for n, old in enumerate(said[:at]) if old.covers(one)), -1) for at, one in enumerate(said)]

    def explain(self, clause: Clause) -> str:
        assert isinstance(clause, SaidClause)
        return clause.sentence(self.names)

    def complete(self, view: View, text: str) -> Sequence[str]:
        return complete_line(GRAMMAR, self.clauses(view), text, self._reader(view))

    def form(self, view: View, partial_order: PartialOrder) -> Form:
        pos = complete_view(self.data, view, MIDDLE)
        asked = ClauseForm(self.names, view, pos)
        filled = fill_form(self.clauses(view, pos), asked, partial_order)
        line, told = "", tuple[str, ...]()
        if isinstance(filled.action, Clause):
            line, told = self.format(filled.action), (self.explain(filled.action),)
        return Form(filled.fields, line, filled.refused, told, asked.start)

    def answer(self, view: View, legal: LegalSet, clauses: Sequence[Clause]) -> Action | Surprise | None:
        said = [clause for clause in clauses if isinstance(clause, SaidClause)]
        return AskedDecision(self.names, view, complete_view(self.data, view, MIDDLE), legal, said).answer()

    def alarm(self, side: int, event: Event) -> Surprise | None:
        if isinstance(event, BattleEnded | PlaceFell | PlaceTaken) and event.side == OTHER[as_side(side)]:
            return Surprise(f"{event.describe(self.names)} ({event.rule})")
        return None
