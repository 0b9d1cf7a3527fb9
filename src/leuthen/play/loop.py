"""The game loop: seats and dice answer the questions of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final, TypeAlias

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, Outcome, Pending, Side, is_side
from leuthen.engine.seat import Answer, LeaveGame, Player, TakeBack, Undo
from leuthen.play.dice import Dice
from leuthen.play.record import Writer
from leuthen.play.table import Table, end_words
from leuthen.screen.standing import Surprise

LIMIT: Final = 1_000_000
"""More actions than any game has: beyond it the game does not end."""


class ActionLimitExceeded(RuntimeError):
    """A game did not end within its limit of actions."""


Handover: TypeAlias = Callable[[Side, Side], Undo | LeaveGame | None]
"""Called before a side answers while another has drafts; returns None to commit them."""


class Game:
    """Plays a table to its end."""

    def __init__(
        self, table: Table, seats: Sequence[Player], dice: Dice, *, limit: int = LIMIT, handover: Handover | None = None
    ) -> None:
        self.table = table
        self.seats = seats
        self.dice = dice
        self.limit = limit
        self.handover = handover

    def play(self) -> Outcome | None:
        """Return the outcome; None if a seat leaves. Raise Runaway past the limit."""
        table = self.table
        pending = table.ruleset.pending
        limit = table.actions + table.chances + self.limit
        while awaited := pending(table.state):
            if not self._answer(min(awaited, key=attrgetter("actor")) if len(awaited) > 1 else awaited[0]):
                return None
            if table.actions + table.chances > limit:
                raise ActionLimitExceeded(
                    f"after {self.limit} actions the game has not ended; the question is: {awaited[0].text}"
                )
        return self._finish()

    def _answer(self, pending: Pending) -> bool:
        table, actor = self.table, pending.actor
        if not is_side(actor):
            table.act(CHANCE, self.dice.outcome_at(table.place, table.ruleset.chances(table.state)))
            return True
        answer = self._ask_before_commit(actor) or self._answer_by_instruction(actor) or self._ask(actor, pending)
        if isinstance(answer, Action):
            table.act(actor, answer)
        elif isinstance(answer, Undo):
            self._undo(actor if (last := self._last_to_act()) is None else last)
        elif isinstance(answer, TakeBack):
            table.take_back(answer.by, answer.kept)
        elif not isinstance(answer, LeaveGame):
            seat = type(self.seats[actor]).__name__
            raise TypeError(f"the seat {seat} answered {answer!r}, which is no answer, to: {pending.text}")
        return not isinstance(answer, LeaveGame)

    def _undo(self, actor: Side) -> None:
        """Take back the last action of a side; its instruction must not repeat the answer."""
        self.table.undo(actor)
        if surprise := self.table.release(actor):
            self.table.stop(actor, surprise)

    def _ask_before_commit(self, actor: Side) -> Undo | LeaveGame | None:
        """Ask the side that acted last before its drafts are committed."""
        if self.handover is None or (last := self._last_to_act()) in (None, actor):
            return None
        return self.handover(last, actor)

    def _answer_by_instruction(self, actor: Side) -> Action | None:
        table = self.table
        if not table.instructions[actor].is_armed:
            return None
        table.commit_others_drafts(actor)
        answer = table.instruction_answer(actor)
        if isinstance(answer, Surprise):
            table.stop(actor, answer)
            return None
        return answer

    def _last_to_act(self) -> Side | None:
        return next((draft.actor for draft in reversed([*self.table.drafts]) if is_side(draft.actor)), None)

    def _ask(self, side: Side, pending: Pending) -> Answer:
        ruleset, state = self.table.ruleset, self.table.state
        self.table.commit_others_drafts(side)
        return self.seats[side].choose(lambda: ruleset.view(state, side), ruleset.legal_actions(state, side), pending)

    def _finish(self) -> Outcome:
        table = self.table
        table.commit()
        outcome = table.outcome
        if outcome is None:
            raise ActionLimitExceeded("no player is asked, but the game has not ended")
        if isinstance(table.record, Writer):
            table.record.end(end_words(table))
        return outcome
