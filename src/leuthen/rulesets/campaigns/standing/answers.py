"""What a standing instruction answers, from its owner's view, what it did not foresee, and the form of a clause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from leuthen.engine.choice import STOP, Action, LegalSet, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.events import Event
from leuthen.engine.kind import ByKind
from leuthen.engine.ruleset import OTHER, Side, as_side
from leuthen.engine.standing import Clause, Surprise
from leuthen.rulesets.campaigns.knowledge.view import MIDDLE, View, complete_view
from leuthen.rulesets.campaigns.model.actions import Attack, Declare, Feed, Hold, Join, React, Starve, Withdraw
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events import BattleEnded, PlaceFell, PlaceTaken
from leuthen.rulesets.campaigns.model.forces import SeenForce, field_tp
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.model.pieces import UNKNOWN
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.odds.battle import battle_odds
from leuthen.rulesets.campaigns.rules.r04_command.activation import Passing
from leuthen.rulesets.campaigns.rules.r05_walk import REACTION, Pace
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting import Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow, ways_to
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, Toll
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Declaring, Leaving, Losses
from leuthen.rulesets.campaigns.rules.r12_battle.fight import current, hosts_of
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.screen.layers import reach
from leuthen.rulesets.campaigns.screen.report import ratings
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
    AgainstForce,
    AttackClause,
    BreakOffClause,
    ClauseReader,
    ConcentrateClause,
    FeedClause,
    HoldClause,
    IgnoreClause,
    JoinClause,
    LossesClause,
    ReactClause,
    SaidClause,
    ShareClause,
    clause_script,
    covers,
    format_clause,
    parse_clause,
    why_unsound,
)
from leuthen.screen.forces import band
from leuthen.screen.forms import DO, FormBuilder, FormWords, fill_form
from leuthen.screen.values import Choice, Form, Objection, PartialOrder, begun
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.completion import complete_line
from leuthen.wargame.grammar import kinds_of
from leuthen.wargame.paths import way_to
from leuthen.wargame.strength import LeaderId, bag

Said = Action | Surprise | None


C = TypeVar("C", bound=Clause)


class AskedDecision:
    """A decision that is asked of a side, as it sees it. `pos` is a position that shows as much as the view."""

    def __init__(self, data: GameData, view: View, pos: Position, legal: LegalSet, clauses: Sequence[Clause]) -> None:
        self.data = data
        self.view = view
        self.pos = pos
        self.side = as_side(view.viewer)
        self.legal = legal
        self.clauses = clauses
        self.names = Names(data)

    def find(self, kind: type[C]) -> C | None:
        """The first clause of a kind, or None."""
        return next((clause for clause in self.clauses if isinstance(clause, kind)), None)

    def quote(self, clause: Clause) -> str:
        """A clause as it is written."""
        return f"«{format_clause(self.data, clause)}»"

    def otherwise(self, reason: str) -> Said:
        """What is answered where no clause is about it: that all stays as it is, if that was said and is an answer.

        Else it is a surprise: what decides something for good the owner answers himself.
        """
        neutral = self.pos.frames[-1].neutral(self.pos, self.side) if self.find(HoldClause) else None
        if neutral is None or neutral not in self.legal:
            return Surprise(reason)
        return neutral

    def force(self, here: Hex) -> SeenForce | None:
        """The enemy in the field of a hex, as it is seen."""
        for force in self.view.stacks:
            if (force.hex, force.side, force.inside) == (here, OTHER[self.side], False):
                return force
        return None


def unsound(question: AskedDecision) -> Surprise | None:
    """A leader who is named is no longer what he was when the instruction was given."""
    for clause in question.clauses:
        for number in named(clause):
            unit = question.pos.units.get(number)
            if unit is None:
                name = begun(question.names.unit(number))
                return Surprise(f"{name} is gone, whom {question.quote(clause)} names (R2.5)")
            if question.data.is_wagon(number):
                continue
            if refusal := why_unsound(question.pos, unit):
                return Surprise(refusal.text)
    return None


def named(clause: Clause) -> tuple[LeaderId, ...]:
    """One's own leaders and wagons whom a clause names."""
    if isinstance(clause, ReactClause):
        return (clause.leader, *clause.companions)
    return clause.leaders if isinstance(clause, JoinClause) else ()


def is_named(clause: AgainstForce, here: Hex, leaders: Sequence[LeaderId]) -> bool:
    """Whether a clause is about one of these leaders in this hex."""
    is_he = not clause.movers or any(leader in clause.movers for leader in leaders)
    return is_he and (not clause.hexes or here in clause.hexes)


def too_strong(question: AskedDecision, clause: AgainstForce, here: Hex) -> Surprise | None:
    """An enemy who may be stronger than the clause says."""
    force = question.force(here)
    if force is None or clause.most == ANY or force.most <= clause.most:
        return None
    where, seen = question.names.hex(here), band(force.least, force.most)
    return Surprise(f"At {where} the enemy has {seen} TP, and {question.quote(clause)} foresees {clause.most} at most")


def fits(question: AskedDecision, clause: ReactClause | AttackClause, here: Hex) -> bool:
    """Whether the odds are good enough for an attack, if the enemy is as strong as he may be."""
    force = question.force(here)
    if not clause.odds or force is None:
        return True
    if force.most >= UNKNOWN:
        return False
    draft = Draft(question.pos)
    for number in named(clause):
        draft.change(number, hex=here, inside=False)
    chief = draft.units[force.commander]
    more = force.most - field_tp(draft, here, OTHER[question.side])
    nation = draft.leader(force.commander).nation
    draft.change(force.commander, tp=chief.tp - bag(nation, -more) if more < 0 else chief.tp + bag(nation, more))
    wins = battle_odds(draft, here, question.side).wins[question.side]
    return 100 * wins >= clause.odds


def reaction(question: AskedDecision, window: ReactionWindow) -> Said:
    """The first clause that is about this mover here; the decision is put to the owner if there is none."""
    reason = f"{begun(question.names.unit(window.mover))} comes to {question.names.hex(window.hex)}"
    why, spent = "no clause is about that", False
    for clause in question.clauses:
        if not isinstance(clause, ReactClause | IgnoreClause) or not _is_about(question, clause, window):
            continue
        if surprise := too_strong(question, clause, window.hex):
            return surprise
        if isinstance(clause, IgnoreClause):
            return Hold()
        if clause.leader in window.who_tried(question.pos):
            spent = True
        elif fits(question, clause, window.hex):
            return _react(question, clause, window.hex)
        else:
            why = f"the odds are worse than {question.quote(clause)} has it"
    return Hold() if spent else question.otherwise(f"{reason}, and {why} (R7.1)")


def _is_about(question: AskedDecision, clause: AgainstForce, window: ReactionWindow) -> bool:
    """Whether a clause is about this mover in this hex."""
    if not is_named(clause, window.hex, (window.mover,)):
        return False
    force = question.force(window.hex)
    if force is not None and force.most < clause.least:
        return False
    if not isinstance(clause, ReactClause):
        return True
    unit = question.pos.units[clause.leader]
    ways = ways_to(question.pos, window.hex, question.side)
    return unit.hex in ways and ways[unit.hex][0] <= clause.within


def _react(question: AskedDecision, clause: ReactClause, here: Hex) -> Said:
    """The try, if there is a way where it shall lead."""
    group = (clause.leader, *clause.companions)
    ahead = Reacting(question.side, here, group)
    way: LegalSet = LegalSet(lambda: ahead.script(question.pos, question.side))
    if _way(clause, here, way) is None:
        return Surprise(f"There is no way for {question.names.unit(clause.leader)} as {question.quote(clause)} has it")
    return React(clause.leader, clause.companions)


def reaction_move(question: AskedDecision, frame: Reacting) -> Said:
    """Where the clause leads that has made the reaction."""
    window = next(one for one in reversed(question.pos.frames) if isinstance(one, ReactionWindow))
    for clause in question.clauses:
        if isinstance(clause, ReactClause) and clause.leader == frame.group[0] and _is_about(question, clause, window):
            found = _way(clause, frame.hex, question.legal)
            if found is not None:
                return found
            return Surprise(f"The way of {question.quote(clause)} is not open (R7.4)")
    return Surprise(f"No clause says where {question.names.unit(frame.group[0])} goes (R7.4)")


def passing(question: AskedDecision, frame: Passing) -> Said:
    """Who reacts goes on without doing anything on his way (V3.4)."""
    leads = any(isinstance(one, ReactClause) and one.leader == frame.group[0] for one in question.clauses)
    return Done() if leads else Surprise("No clause says what to do on the way (V3.4)")


def _way(clause: ReactClause, here: Hex, legal: LegalSet) -> Action | None:
    """The way of a reaction: to the first goal that can be reached, by a cheapest way; None if there is none."""
    goals = (here,) if clause.way == ATTACK else clause.goals
    walks = (_Walk(goal, clause.way == INSIDE) for goal in goals)
    return next((found for walk in walks if (found := walk.fill(legal)) is not None), None)


class _Walk:
    """Answers the questions of a reaction move so that it leads to a goal."""

    def __init__(self, goal: Hex, inside: bool) -> None:
        self.goal = goal
        self.inside = inside
        self.left: list[Hex] | None = None

    def fill(self, legal: LegalSet) -> Action | None:
        """The move, or None if the rules do not let it lead there."""
        try:
            return legal.fill(self._reply)
        except ValueError:
            return None

    def _reply(self, slot: Slot) -> Token | None:
        if slot.name == "path":
            return self._step(slot)
        return "move" if slot.name == "do" else int(self.inside)

    def _step(self, slot: Slot) -> Token | None:
        if self.left is None:
            pace = slot.about
            assert isinstance(pace, Pace)
            found = reach(pace)
            if self.goal != pace.here and self.goal not in found:
                return None
            self.left = [] if self.goal == pace.here else way_to(found, pace.here, self.goal)
        return self.left.pop(0) if self.left else STOP


def answer(question: AskedDecision) -> Said:
    """What the clauses answer. None: it is no matter of theirs."""
    frame = question.pos.frames[-1]
    if type(frame) in _UPKEEP:
        return _UPKEEP[type(frame)](question)
    handler = _ANSWERS.get(type(frame))
    if handler is None or question.view.phasing != OTHER[question.side]:
        return None
    return unsound(question) or handler(question, frame)


def alarm(names: Names, side: Side, event: Event) -> Surprise | None:
    """A battle that is lost, or a place that the enemy has taken."""
    if isinstance(event, BattleEnded | PlaceFell | PlaceTaken) and event.side == OTHER[side]:
        return Surprise(f"{event.tell(names)} ({event.rule})")
    return None


def _rousing(question: AskedDecision, frame: Rousing) -> Said:
    """Attack, or share the hex (R6.1)."""
    force = question.force(frame.hex)
    leaders = force.units if force is not None else ()
    for clause in question.clauses:
        if not isinstance(clause, AttackClause | ShareClause) or not is_named(clause, frame.hex, leaders):
            continue
        if force is not None and force.most < clause.least:
            continue
        if surprise := too_strong(question, clause, frame.hex):
            return surprise
        if isinstance(clause, ShareClause):
            return Hold()
        if fits(question, clause, frame.hex):
            return Attack()
    where = question.names.hex(frame.hex)
    return question.otherwise(f"The enemy shares {where}, and no clause says what to do (R6.1)")


def _joining(question: AskedDecision, frame: Joining) -> Said:
    """Who comes out (R6.3)."""
    clause = question.find(JoinClause)
    if clause is None:
        return question.otherwise("No clause says who joins in the battle (R6.3)")
    if clause.who == NONE:
        return Hold()
    able = frame.able(question.pos)
    leaders = able if clause.who == ALL else [number for number in able if number in clause.leaders]
    return Join(tuple(leaders)) if leaders else Hold()


def _declaring(question: AskedDecision, frame: Declaring) -> Said:
    """What is declared, as far as it can be paid (R12.2)."""
    clause = question.find(ConcentrateClause)
    if clause is None:
        return question.otherwise("No clause says whether to concentrate (R12.2)")
    wished = clause.concentrate, clause.intense
    choices = frame.choices(question.pos)
    tried = (wished, (clause.concentrate, False), (False, clause.intense))
    first = next((one for one in tried if one in choices and any(one)), None)
    return Declare(*first) if first is not None else Hold()


def _leaving(question: AskedDecision, frame: Leaving) -> Said:
    """To fight on, or to break off (R12.8)."""
    clause = question.find(BreakOffClause)
    if clause is None:
        return question.otherwise("No clause says when to break a battle off (R12.8)")
    host = hosts_of(current(question.pos))[question.side]
    return Withdraw() if 100 * host.lost >= clause.at * host.began else Hold()


def _losses(question: AskedDecision, frame: Decision) -> Said:
    """As the rules would spread them (R12.6)."""
    if question.find(LossesClause):
        first: Action = next(iter(question.legal))
        return first
    return question.otherwise("No clause says who bears the losses (R12.6)")


def _retreat(question: AskedDecision, frame: Retreating) -> Said:
    """Always a surprise."""
    return Surprise(f"A force has to retreat from {question.names.hex(frame.hex)} (R12.9)")


def _feeding(question: AskedDecision) -> Said:
    clause = question.find(FeedClause)
    return None if clause is None else Feed() if clause.feed else Starve()


_ANSWERS: Final[ByKind[Decision, AskedDecision, Said]] = {
    ReactionWindow: reaction,
    Reacting: reaction_move,
    Passing: passing,
    Rousing: _rousing,
    Joining: _joining,
    Declaring: _declaring,
    Leaving: _leaving,
    Losses: _losses,
    Retreating: _retreat,
}
"""The decisions for which the other side's activity waits."""
_UPKEEP: Final[Mapping[type, Callable[[AskedDecision], Said]]] = {
    Feeding: _feeding,
    Toll: lambda question: next(iter(question.legal)) if question.find(LossesClause) else None,
}
"""The decisions of one's own in which there is a clause; without one, the owner is asked, and nothing has happened."""


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


class CampaignsStanding:
    """Clauses for all that the other side's activity asks of a side."""

    def __init__(self, names: Names, not_there: str) -> None:
        """`not_there`: the rule that is quoted to a clause which names what is not there."""
        self.names = names
        self.data = names.data
        self.not_there = not_there

    def _position(self, view: View) -> Position:
        """A position that shows as much as the view, always the same."""
        return complete_view(self.data, view, MIDDLE)

    def _known(self, view: View) -> tuple[list[LeaderId], list[LeaderId]]:
        """One's own leaders and wagons, and the enemy leaders whom one sees."""
        own = [n for force in view.stacks if force.side == view.viewer for n in force.units]
        foes = [n for force in view.stacks if force.side != view.viewer for n in force.units]
        return own, [number for number in foes if not self.data.is_wagon(number)]

    def clauses(self, view: View) -> LegalSet[Clause]:
        """The clauses that the viewer may give now."""
        return self._clauses(view, self._position(view))

    def _clauses(self, view: View, pos: Position) -> LegalSet[Clause]:
        _, foes = self._known(view)
        return LegalSet(lambda: clause_script(pos, as_side(view.viewer), foes), self.not_there)

    def parse(self, view: View, text: str) -> Clause:
        """Reads a clause. Raises Invalid or Ambiguous."""
        clause: Clause = parse_clause(self.data, *self._known(view), text)
        return clause

    def format(self, clause: Clause) -> str:
        """The line of a clause."""
        return format_clause(self.data, clause)

    def in_order(self, clauses: Sequence[Clause]) -> Sequence[Clause]:
        """What answers all the rest comes last."""
        return sorted(clauses, key=lambda clause: isinstance(clause, HoldClause))

    def covered_by(self, clauses: Sequence[Clause]) -> Sequence[int]:
        """For each clause the number, from 0, of an earlier one that always answers in its place; -1 if none does."""
        return [
            next((number for number, before in enumerate(clauses[:place]) if covers(before, clause)), -1)
            for place, clause in enumerate(clauses)
        ]

    def explain(self, clause: Clause) -> str:
        """A clause as a sentence with its rule."""
        assert isinstance(clause, SaidClause)
        return clause.sentence(self.names)

    def complete(self, view: View, text: str) -> Sequence[str]:
        """What may come next in a clause that is being typed."""
        own, foes = self._known(view)
        return complete_line(GRAMMAR, self.clauses(view), text, partial(ClauseReader, self.data, own, foes))

    def form(self, view: View, partial_order: PartialOrder) -> Form:
        """A clause in the making. Never raises."""
        pos = self._position(view)
        asked = ClauseForm(self.data, view, pos)
        filled = fill_form(self._clauses(view, pos), asked, partial_order)
        if not isinstance(filled.action, Clause):
            return Form(filled.fields, "", filled.refused, (), asked.start)
        return Form(
            filled.fields, self.format(filled.action), filled.refused, (self.explain(filled.action),), asked.start
        )

    def answer(self, view: View, legal: LegalSet, clauses: Sequence[Clause]) -> Action | Surprise | None:
        """What the clauses answer to what the viewer is asked."""
        return answer(AskedDecision(self.data, view, self._position(view), legal, clauses))

    def alarm(self, side: int, event: Event) -> Surprise | None:
        """A battle that is lost, or a place that the enemy has taken."""
        return alarm(self.names, as_side(side), event)
