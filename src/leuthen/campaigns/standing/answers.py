"""What a standing instruction answers, from its owner's view; and what it did not foresee."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from leuthen.campaigns.actions import Attack, Declare, Done, Feed, Hold, Join, React, Starve, Withdraw
from leuthen.campaigns.decisions import Decision
from leuthen.campaigns.events.fighting import BattleEnded, PlaceFell
from leuthen.campaigns.events.moving import PlaceTaken
from leuthen.campaigns.forces import field_tp
from leuthen.campaigns.gamedata import GameData
from leuthen.campaigns.names import Names
from leuthen.campaigns.odds.battle import battle_odds
from leuthen.campaigns.rules.check import Feeding
from leuthen.campaigns.rules.declaring import Declaring
from leuthen.campaigns.rules.fight import current, hosts_of
from leuthen.campaigns.rules.joining import Joining
from leuthen.campaigns.rules.leaving import Leaving
from leuthen.campaigns.rules.losses import Losses
from leuthen.campaigns.rules.meeting import Rousing
from leuthen.campaigns.rules.passing import Passing
from leuthen.campaigns.rules.paths import Pace
from leuthen.campaigns.rules.reaction import Reacting, ReactionWindow, ways_to
from leuthen.campaigns.rules.retreat import Retreating
from leuthen.campaigns.rules.toll import Toll
from leuthen.campaigns.showing.reach import reach, way_to
from leuthen.campaigns.showing.report import band, begun
from leuthen.campaigns.sights import UNKNOWN
from leuthen.campaigns.standing.clauses import (
    ALL,
    ANY,
    ATTACK,
    INSIDE,
    NONE,
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
from leuthen.campaigns.standing.notation import format_clause
from leuthen.campaigns.standing.script import why_unsound
from leuthen.campaigns.state import Draft, Position
from leuthen.campaigns.view import SeenForce, View
from leuthen.core.board import Hex
from leuthen.core.choice import STOP, Action, LegalSet, Slot, Token
from leuthen.core.event import Event
from leuthen.core.standing import Clause, Surprise
from leuthen.core.strength import bag

Said = Action | Surprise | None


class Question:
    """A decision that is asked of a side, as it sees it. `pos` is a position that shows as much as the view."""

    def __init__(
        self, data: GameData, view: View, pos: Position, legal: LegalSet[Any], clauses: Sequence[Clause]
    ) -> None:
        self.data = data
        self.view = view
        self.pos = pos
        self.side = view.viewer
        self.legal = legal
        self.clauses = clauses
        self.names = Names(data)

    def find(self, *kinds: type[Clause]) -> Any:
        """The first clause of these kinds, or None."""
        return next((clause for clause in self.clauses if isinstance(clause, kinds)), None)

    def quote(self, clause: Clause) -> str:
        """A clause as it is written."""
        return f"«{format_clause(self.data, clause)}»"

    def otherwise(self, reason: str) -> Said:
        """What is answered where no clause is about it: what commits least, if that was said; else it is a surprise."""
        return next(iter(self.legal)) if self.find(HoldClause) else Surprise(reason)

    def force(self, here: Hex) -> SeenForce | None:
        """The enemy in the field of a hex, as it is seen."""
        for force in self.view.stacks:
            if (force.hex, force.side, force.inside) == (here, 1 - self.side, False):
                return force
        return None


def answer(question: Question) -> Said:
    """What the clauses answer. None: it is no matter of theirs."""
    frame = question.pos.frames[-1]
    if type(frame) in _UPKEEP:
        return _UPKEEP[type(frame)](question)
    handler = _ANSWERS.get(type(frame))
    if handler is None or question.view.phasing != 1 - question.side:
        return None
    return _unsound(question) or handler(question, frame)


def alarm(names: Names, side: int, event: Event) -> Surprise | None:
    """A battle that is lost, or a place that the enemy has taken."""
    if isinstance(event, BattleEnded | PlaceFell | PlaceTaken) and event.side == 1 - side:
        return Surprise(f"{event.tell(names)} ({event.rule})")
    return None


def _unsound(question: Question) -> Surprise | None:
    """A leader who is named is no longer what he was when the instruction was given."""
    for clause in question.clauses:
        for number in _named(clause):
            unit = question.pos.units.get(number)
            if unit is None:
                name = begun(question.names.unit(number))
                return Surprise(f"{name} is gone, whom {question.quote(clause)} names (R2.5)")
            if question.data.is_wagon(number):
                continue
            if refusal := why_unsound(question.pos, unit):
                return Surprise(refusal.text)
    return None


def _named(clause: Clause) -> tuple[int, ...]:
    """One's own leaders and wagons whom a clause names."""
    if isinstance(clause, ReactClause):
        return (clause.leader, *clause.companions)
    return clause.leaders if isinstance(clause, JoinClause) else ()


# --- reactions (R7) ---------------------------------------------------------------------------------------------------


def _reaction(question: Question, window: ReactionWindow) -> Said:
    """The first clause that is about this mover here; the decision is put to the owner if there is none."""
    reason = f"{begun(question.names.unit(window.mover))} comes to {question.names.hex(window.hex)}"
    why, spent = "no clause is about that", False
    for clause in question.clauses:
        if not isinstance(clause, ReactClause | IgnoreClause) or not _is_about(question, clause, window):
            continue
        if surprise := _too_strong(question, clause, window.hex):
            return surprise
        if isinstance(clause, IgnoreClause):
            return Hold()
        if clause.leader in window.who_tried(question.pos):
            spent = True
        elif _fits(question, clause, window.hex):
            return _react(question, clause, window.hex)
        else:
            why = f"the odds are worse than {question.quote(clause)} has it"
    return Hold() if spent else question.otherwise(f"{reason}, and {why} (R7.1)")


def _is_about(question: Question, clause: AgainstForce, window: ReactionWindow) -> bool:
    """Whether a clause is about this mover in this hex."""
    if not _is_named(clause, window.hex, (window.mover,)):
        return False
    force = question.force(window.hex)
    if force is not None and force.most < clause.least:
        return False
    if not isinstance(clause, ReactClause):
        return True
    unit = question.pos.units[clause.leader]
    ways = ways_to(question.pos, window.hex, question.side)
    return unit.hex in ways and ways[unit.hex][0] <= clause.within


def _is_named(clause: AgainstForce, here: Hex, leaders: Sequence[int]) -> bool:
    is_he = not clause.movers or any(leader in clause.movers for leader in leaders)
    return is_he and (not clause.hexes or here in clause.hexes)


def _too_strong(question: Question, clause: AgainstForce, here: Hex) -> Surprise | None:
    """An enemy who may be stronger than the clause says."""
    force = question.force(here)
    if force is None or clause.most == ANY or force.most <= clause.most:
        return None
    where, seen = question.names.hex(here), band(force.least, force.most)
    return Surprise(f"At {where} the enemy has {seen} TP, and {question.quote(clause)} foresees {clause.most} at most")


def _fits(question: Question, clause: ReactClause | AttackClause, here: Hex) -> bool:
    """Whether the odds are good enough for an attack, if the enemy is as strong as he may be."""
    force = question.force(here)
    if not clause.odds or force is None:
        return True
    if force.most >= UNKNOWN:
        return False
    draft = Draft(question.pos)
    for number in _named(clause):
        draft.change(number, hex=here, inside=False)
    chief = draft.units[force.commander]
    more = force.most - field_tp(draft, here, 1 - question.side)
    nation = draft.leader(force.commander).nation
    draft.change(force.commander, tp=chief.tp - bag(nation, -more) if more < 0 else chief.tp + bag(nation, more))
    wins = battle_odds(draft, here, question.side).wins[question.side]
    return 100 * wins >= clause.odds


def _react(question: Question, clause: ReactClause, here: Hex) -> Said:
    """The try, if the leader may make it and has a way."""
    action = React(clause.leader, clause.companions)
    if refusal := question.legal.why_not(action):
        return Surprise(refusal.text)
    group = (clause.leader, *clause.companions)
    ahead = Reacting(question.side, here, group)
    way: LegalSet[Any] = LegalSet(lambda: ahead.script(question.pos, question.side))
    if _way(clause, here, way) is None:
        return Surprise(f"There is no way for {question.names.unit(clause.leader)} as {question.quote(clause)} has it")
    return action


def _reaction_move(question: Question, frame: Reacting) -> Said:
    """Where the clause leads that has made the reaction."""
    window = next(one for one in reversed(question.pos.frames) if isinstance(one, ReactionWindow))
    for clause in question.clauses:
        if isinstance(clause, ReactClause) and clause.leader == frame.group[0] and _is_about(question, clause, window):
            found = _way(clause, frame.hex, question.legal)
            if found is not None:
                return found
            return Surprise(f"The way of {question.quote(clause)} is not open (R7.4)")
    return Surprise(f"No clause says where {question.names.unit(frame.group[0])} goes (R7.4)")


def _passing(question: Question, frame: Passing) -> Said:
    """Who reacts goes on without doing anything on his way (V3.4)."""
    leads = any(isinstance(one, ReactClause) and one.leader == frame.group[0] for one in question.clauses)
    return Done() if leads else Surprise("No clause says what to do on the way (V3.4)")


def _way(clause: ReactClause, here: Hex, legal: LegalSet[Any]) -> Action | None:
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

    def fill(self, legal: LegalSet[Any]) -> Action | None:
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


# --- the enemy beside one's own force, and battle ---------------------------------------------------------------------


def _rousing(question: Question, frame: Rousing) -> Said:
    """Attack, or share the hex (R6.1)."""
    force = question.force(frame.hex)
    leaders = force.units if force is not None else ()
    for clause in question.clauses:
        if not isinstance(clause, AttackClause | ShareClause) or not _is_named(clause, frame.hex, leaders):
            continue
        if force is not None and force.most < clause.least:
            continue
        if surprise := _too_strong(question, clause, frame.hex):
            return surprise
        if isinstance(clause, ShareClause):
            return Hold()
        if _fits(question, clause, frame.hex):
            return Attack()
    where = question.names.hex(frame.hex)
    return question.otherwise(f"The enemy shares {where}, and no clause says what to do (R6.1)")


def _joining(question: Question, frame: Joining) -> Said:
    """Who comes out (R6.3)."""
    clause = question.find(JoinClause)
    if clause is None:
        return question.otherwise("No clause says who joins in the battle (R6.3)")
    if clause.who == NONE:
        return Hold()
    able = frame.able(question.pos)
    leaders = able if clause.who == ALL else [number for number in able if number in clause.leaders]
    return Join(tuple(leaders)) if leaders else Hold()


def _declaring(question: Question, frame: Declaring) -> Said:
    """What is declared, as far as it can be paid (R12.2)."""
    clause = question.find(ConcentrateClause)
    if clause is None:
        return question.otherwise("No clause says whether to concentrate (R12.2)")
    wished = clause.concentrate, clause.intense
    choices = frame.choices(question.pos)
    tried = (wished, (clause.concentrate, False), (False, clause.intense))
    first = next((one for one in tried if one in choices and any(one)), None)
    return Declare(*first) if first is not None else Hold()


def _leaving(question: Question, frame: Leaving) -> Said:
    """To fight on, or to break off (R12.8)."""
    clause = question.find(BreakOffClause)
    if clause is None:
        return question.otherwise("No clause says when to break a battle off (R12.8)")
    host = hosts_of(current(question.pos))[question.side]
    return Withdraw() if 100 * host.lost >= clause.at * host.began else Hold()


def _losses(question: Question, frame: Decision) -> Said:
    """As the rules would spread them (R12.6)."""
    if question.find(LossesClause):
        first: Action = next(iter(question.legal))
        return first
    return question.otherwise("No clause says who bears the losses (R12.6)")


def _retreat(question: Question, frame: Retreating) -> Said:
    """Always a surprise."""
    return Surprise(f"A force has to retreat from {question.names.hex(frame.hex)} (R12.9)")


def _toll(question: Question) -> Said:
    return next(iter(question.legal)) if question.find(LossesClause) else None


def _feeding(question: Question) -> Said:
    clause = question.find(FeedClause)
    return None if clause is None else Feed() if clause.feed else Starve()


_ANSWERS: Final[Mapping[type, Callable[[Question, Any], Said]]] = {
    ReactionWindow: _reaction,
    Reacting: _reaction_move,
    Passing: _passing,
    Rousing: _rousing,
    Joining: _joining,
    Declaring: _declaring,
    Leaving: _leaving,
    Losses: _losses,
    Retreating: _retreat,
}
"""The decisions for which the other side's activity waits."""
_UPKEEP: Final[Mapping[type, Callable[[Question], Said]]] = {Feeding: _feeding, Toll: _toll}
"""The decisions of one's own in which there is a clause; without one, the owner is asked, and nothing has happened."""
