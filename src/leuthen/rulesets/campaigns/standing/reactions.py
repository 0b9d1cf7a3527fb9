"""R7: what a standing instruction answers when the enemy comes near, and which way a reaction goes."""

from __future__ import annotations

from leuthen.engine.choice import STOP, Action, LegalSet, Slot, Token
from leuthen.engine.standing import Surprise
from leuthen.rulesets.campaigns.model.actions import Done, Hold, React
from leuthen.rulesets.campaigns.rules.r04_command.passing import Passing
from leuthen.rulesets.campaigns.rules.r05_movement.paths import Pace
from leuthen.rulesets.campaigns.rules.r07_reaction.reacting import Reacting
from leuthen.rulesets.campaigns.rules.r07_reaction.reaction import ReactionWindow, ways_to
from leuthen.rulesets.campaigns.screen.reach import reach
from leuthen.rulesets.campaigns.standing.clauses import AgainstForce, IgnoreClause, ReactClause
from leuthen.rulesets.campaigns.standing.parts import ATTACK, INSIDE
from leuthen.rulesets.campaigns.standing.question import Question, Said, fits, is_named, too_strong
from leuthen.screen.basics import begun
from leuthen.wargame.board import Hex
from leuthen.wargame.paths import way_to


def reaction(question: Question, window: ReactionWindow) -> Said:
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


def _is_about(question: Question, clause: AgainstForce, window: ReactionWindow) -> bool:
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


def _react(question: Question, clause: ReactClause, here: Hex) -> Said:
    """The try, if there is a way where it shall lead."""
    group = (clause.leader, *clause.companions)
    ahead = Reacting(question.side, here, group)
    way: LegalSet = LegalSet(lambda: ahead.script(question.pos, question.side))
    if _way(clause, here, way) is None:
        return Surprise(f"There is no way for {question.names.unit(clause.leader)} as {question.quote(clause)} has it")
    return React(clause.leader, clause.companions)


def reaction_move(question: Question, frame: Reacting) -> Said:
    """Where the clause leads that has made the reaction."""
    window = next(one for one in reversed(question.pos.frames) if isinstance(one, ReactionWindow))
    for clause in question.clauses:
        if isinstance(clause, ReactClause) and clause.leader == frame.group[0] and _is_about(question, clause, window):
            found = _way(clause, frame.hex, question.legal)
            if found is not None:
                return found
            return Surprise(f"The way of {question.quote(clause)} is not open (R7.4)")
    return Surprise(f"No clause says where {question.names.unit(frame.group[0])} goes (R7.4)")


def passing(question: Question, frame: Passing) -> Said:
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
