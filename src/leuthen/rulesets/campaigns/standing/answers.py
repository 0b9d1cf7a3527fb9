"""What a standing instruction answers, from its owner's view; and what it did not foresee."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.engine.choice import STOP, Action, LegalSet, Slot, Token
from leuthen.engine.events import Event
from leuthen.engine.kind import ByKind
from leuthen.engine.ruleset import OTHER, Side
from leuthen.engine.standing import Surprise
from leuthen.rulesets.campaigns.model.actions import Attack, Declare, Done, Feed, Hold, Join, React, Starve, Withdraw
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.fighting import BattleEnded, PlaceFell
from leuthen.rulesets.campaigns.model.events.moving import PlaceTaken
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.rules.r04_command.passing import Passing
from leuthen.rulesets.campaigns.rules.r05_movement.paths import Pace
from leuthen.rulesets.campaigns.rules.r06_meeting.joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting.meeting import Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction.reacting import Reacting
from leuthen.rulesets.campaigns.rules.r07_reaction.reaction import ReactionWindow, ways_to
from leuthen.rulesets.campaigns.rules.r09_supply.check import Feeding, Toll
from leuthen.rulesets.campaigns.rules.r12_battle.declaring import Declaring, Leaving
from leuthen.rulesets.campaigns.rules.r12_battle.fight import current, hosts_of
from leuthen.rulesets.campaigns.rules.r12_battle.losses import Losses
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.screen.reach import reach
from leuthen.rulesets.campaigns.standing.clauses import (
    AgainstForce,
    AttackClause,
    BreakOffClause,
    ConcentrateClause,
    FeedClause,
    IgnoreClause,
    JoinClause,
    LossesClause,
    ReactClause,
    ShareClause,
)
from leuthen.rulesets.campaigns.standing.parts import ALL, ATTACK, INSIDE, NONE
from leuthen.rulesets.campaigns.standing.question import AskedDecision, Said, fits, is_named, too_strong, unsound
from leuthen.screen.basics import begun
from leuthen.wargame.board import Hex
from leuthen.wargame.paths import way_to


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
