"""A clause in the making, in good English: its questions, and the clause as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from leuthen.engine.choice import Slot, Token
from leuthen.engine.standing import Clause
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.names import Names, name_book
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION
from leuthen.rulesets.campaigns.screen.report import band, ratings
from leuthen.rulesets.campaigns.standing.clauses import (
    ALL,
    ANY,
    ATTACK,
    GO,
    INSIDE,
    NEVER,
    NONE,
    THESE,
    AgainstForce,
    AttackClause,
    BreakOffClause,
    ConcentrateClause,
    FeedClause,
    HoldClause,
    IgnoreClause,
    JoinClause,
    LossesClause,
    ReactClause,
    ShareClause,
)
from leuthen.screen import Choice, Reason
from leuthen.screen.form_builder import FormBuilder, FormWords
from leuthen.screen.forms import DO
from leuthen.wargame.board import hex_name

WORDS: Final[Mapping[str, str]] = {
    "react": "A leader tries to react (R7.2)",
    "ignore": "Nobody reacts (R7.1)",
    "attack": "Try to attack who shares a hex (R6.1)",
    "share": "Share the hex with him (R6.1)",
    "join": "Who comes out into a battle (R6.3)",
    "concentrate": "Concentration in battle (R12.2, V3.3)",
    "break-off": "When to break a battle off (R12.8)",
    "losses": "Losses by the largest remainder (R12.6)",
    "feed": "Feeding in step H (R9.7)",
    "hold": "All else: what commits least",
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

    KINDS: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys((DO, "way", "who"), "word"),
        **dict.fromkeys(("leader", "companions", "movers", "leaders"), "leader"),
        **dict.fromkeys(("goals", "hexes"), "hex"),
        **dict.fromkeys(("least", "most", "within", "odds", "at"), "count"),
        **dict.fromkeys(("concentrate", "intense", "feed"), "flag"),
    }
    WORDS = FormWords(WORDS, {}, ASKED, {})

    def __init__(self, data: GameData, view: View, pos: Position) -> None:
        super().__init__(name_book(data))
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
        """A number with what it counts."""
        return Choice(str(token), _count(slot.name, int(token)))

    def as_leader(self, slot: Slot, token: Token) -> Choice:
        """A leader, with what is seen of his strength."""
        if not isinstance(token, int) or not 0 <= token < len(self.data.leaders):
            return Choice(str(token), str(token))
        label = f"{self.names.unit(token)} {ratings(self.data.leaders[token])}"
        unit = self.pos.units.get(token)
        if unit is None:
            return Choice(str(token), label)
        return Choice(str(token), label, self._strength(token), hex_name(unit.hex))

    def _strength(self, number: int) -> str:
        """What is seen of a leader's strength: of an enemy that of his force."""
        unit = self.pos.units[number]
        if self.pos.side(number) == self.view.viewer:
            parts = [f"{unit.strength} TP"] * bool(unit.tp) + [f"{unit.sp} SP"] * bool(unit.sp)
            return ", ".join(parts)
        force = next((force for force in self.view.stacks if number in force.units), None)
        return f"{band(force.low, force.high)} TP with him" if force is not None else ""

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        """A hex with its town."""
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

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Reason:
        """There are no paths in a clause."""
        return Reason("", "a clause has no way")

    def preset(self, slot: Slot) -> Token | None:
        """What stands if nothing is chosen."""
        token = PRESET.get(slot.name, 0 if slot.name == "intense" else None)
        return token if token in slot.values else None

    def answered(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """Keeps where the leader stands."""
        if slot.name == "leader" and isinstance(token, int) and token in self.pos.units:
            self.start = hex_name(self.pos.units[token].hex)


def _count(name: str, number: int) -> str:
    if name == "most" and number == ANY:
        return "any number"
    if name == "at":
        return "never" if number == NEVER else f"{number} %"
    return {"odds": f"{number} %", "within": f"{number} MP"}.get(name, str(number))


# --- a clause as a sentence -------------------------------------------------------------------------------------------


def explain(names: Names, clause: Clause) -> str:
    """A clause as a sentence with its rule."""
    return _SENTENCES[type(clause)](names, clause)


def _react(names: Names, clause: ReactClause) -> str:
    group = f" with {names.units(clause.companions)}" if clause.companions else ""
    hexes = _either(names.hex(here) for here in clause.goals)
    way = {ATTACK: "to attack", GO: f"to {hexes}", INSIDE: f"into {hexes}"}[clause.way]
    near = f" within {clause.within} MP" if clause.within != REACTION else ""
    odds = f", if he wins {clause.odds} % of the time" if clause.odds else ""
    return f"{names.unit(clause.leader)}{group} reacts{_against(names, clause)}{near} {way}{odds} (R7)"


def _either(names: Any) -> str:
    return " or ".join(names)


def _against(names: Names, clause: AgainstForce) -> str:
    """« to Daun or Lacy of at most 25 TP at 1623 Dresden»."""
    who = _either(map(names.unit, clause.movers)) if clause.movers else "anybody"
    low = f" of {clause.least} TP or more" if clause.least else ""
    high = f" of at most {clause.most} TP" if clause.most != ANY else ""
    both = f" of {clause.least} to {clause.most} TP" if low and high else low or high
    where = f" at {_either(map(names.hex, clause.hexes))}" if clause.hexes else ""
    return f" to {who}{both}{where}"


def _attack(names: Names, clause: AttackClause) -> str:
    odds = f", if it wins {clause.odds} % of the time" if clause.odds else ""
    return f"Who shares a hex is attacked:{_against(names, clause).removeprefix(' to')}{odds} (R6.1)"


def _join(names: Names, clause: JoinClause) -> str:
    who = {NONE: "Nobody", ALL: "All who are inside"}.get(clause.who) or names.units(clause.leaders)
    return f"{who} {'come' if clause.who != NONE else 'comes'} out to join in a battle (R6.3)"


def _concentrate(names: Names, clause: ConcentrateClause) -> str:
    parts = ["concentration"] * clause.concentrate + ["high intensity"] * clause.intense
    if not parts:
        return "Nothing is declared in battle (R12.2)"
    return f"{' and '.join(parts).capitalize()} is declared in battle if it can be paid (R12.2)"


def _break_off(names: Names, clause: BreakOffClause) -> str:
    if clause.at == NEVER:
        return "No battle is broken off (R12.8)"
    return f"A battle is broken off when {clause.at} % of the TP are lost (R12.8)"


_SENTENCES: Final[Mapping[type[Clause], Callable[[Names, Any], str]]] = {
    ReactClause: _react,
    IgnoreClause: lambda names, clause: f"Nobody reacts{_against(names, clause)} (R7.1)",
    AttackClause: _attack,
    ShareClause: lambda names, c: f"The hex is shared with{_against(names, c).removeprefix(' to')} (R6.1)",
    JoinClause: _join,
    ConcentrateClause: _concentrate,
    BreakOffClause: _break_off,
    FeedClause: lambda names, c: f"Forces in need are {'fed' if c.feed else 'not fed'} where they could be (R9.7)",
    LossesClause: lambda names, clause: "Losses are spread by the largest remainder (R12.6, V6.1)",
    HoldClause: lambda names, clause: "All else that the enemy's activity asks: what commits least",
}
