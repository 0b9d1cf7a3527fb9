"""Something tried on a copy of a table. It counts once whoever tried it has kept its lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, ActorId, Side, actor_named
from leuthen.engine.standing import Surprise
from leuthen.play.dice import Odds
from leuthen.play.drafts import Step
from leuthen.play.instruction import STOP
from leuthen.play.record import STANDING, TAKE_BACK, UNDO
from leuthen.play.replay import carry_out
from leuthen.play.table import NothingToUndo, Table

T = TypeVar("T")
_MOST_ANSWERS: Final = 10_000
"""Answers in a row of chance, or that nobody had to choose: more is a fault of the rule set."""


class Falls(Protocol):
    """What answers for chance: dice, or what makes dice of several people's secrets and may have to wait for one."""

    def at(self, place: int, odds: Odds[T]) -> T:
        """The answer of chance at a place, the same whenever it is asked for."""
        ...

    def waits(self, place: int) -> bool:
        """Whether nothing can fall at a place yet."""
        ...


class RecordLine(NamedTuple):
    """A line of the record: who acted, and the text."""

    actor: ActorId
    text: str


class Transaction:
    """A copy of a table that everybody looks at all the time, and the lines that it adds to the record.

    It is the record of that table, and observes it: a subclass says what is told of what happens.
    """

    def __init__(self, table: Table) -> None:
        self.table = table.copy(self)
        self.table.record = self
        self.lines: list[RecordLine] = []

    def act(self, side: Side, text: str) -> None:
        """Carries out a side's order in the record's notation. Raises Invalid, Ambiguous or Illegal.

        What is refused is refused by what the side sees: the drafts of others make no difference.
        """
        table, ruleset = self.table, self.table.ruleset
        if table.outcome is not None:
            raise Invalid("the game has ended")
        seen = table.seen_by(side)
        action = ruleset.parse_action(seen, side, text)
        if seen is not table.state:
            ruleset.apply(seen, side, action)
        self._act(side, action)

    def proceed(self, dice: Falls) -> None:
        """Answers for chance, and for who has only one answer, as long as nobody has something to choose."""
        for _ in range(_MOST_ANSWERS):
            if self.table.outcome is not None or not (self._roll(dice) or self._give_way()):
                return
        raise RuntimeError("what answers itself is asked without end")

    def _roll(self, dice: Falls) -> bool:
        """Whether chance was asked, and could answer: then it has."""
        table = self.table
        chances = table.ruleset.chances(table.state)
        if chances and dice.waits(table.place):
            return False
        if chances:
            self._act(CHANCE, dice.at(table.place, chances))
        return bool(chances)

    def _give_way(self) -> bool:
        """Whether a side had one answer alone, as everybody could see: then it was given."""
        found = self.table.forced
        if found is not None:
            self._act(*found)
        return found is not None

    def undo(self, side: Side) -> None:
        """Takes back what a side chose last, with what was answered for it since. Raises NothingToUndo."""
        if not self.table.can_undo(side):
            raise NothingToUndo
        self.say(side, UNDO)
        while self.table.ruleset.forced(self.table.state, side) is not None:
            self.say(side, UNDO)

    def undo_waiting(self, side: Side) -> None:
        """Takes back the order of a side whose die waits, though it was told. Raises NothingToUndo."""
        kept = self.table.waiting_order(side)
        if kept is None:
            raise NothingToUndo
        self.say(side, f"{TAKE_BACK} {kept}")

    def say(self, actor: ActorId, text: str) -> None:
        """Carries out a line of a record: a word of the table's own, a die, an action. Raises Invalid or Illegal."""
        carry_out(self.table, self.table.name(actor), text)
        self.table.pass_on()

    def stand_in(self, side: Side, answer: Action | Surprise) -> None:
        """A standing instruction answers for its side as that would itself, or stops."""
        if isinstance(answer, Surprise):
            self.say(side, f"{STANDING} {STOP} {answer.reason}")
        else:
            self._act(side, answer)

    def answer_for(self, side: Side, action: Action) -> None:
        """An answer that a side has left to the table. Raises Illegal."""
        self._act(side, action)

    def release(self, side: Side) -> None:
        """Stops the side's instruction if it would give an answer again that was taken back."""
        if surprise := self.table.release(side):
            self.stand_in(side, surprise)

    def kept(self) -> Table:
        """The table as it stands now that the lines are kept."""
        self.table.record, self.table.observers = None, []
        return self.table

    def _act(self, actor: ActorId, action: Action) -> None:
        self.table.act(actor, action)
        self.table.pass_on()

    # --- what the table says of itself -------------------------------------------------------------------------------

    def write(self, actor: str, text: str) -> None:
        """A line for the record; what it brings about comes next."""
        self.lines.append(RecordLine(actor_named(self.table.ruleset, actor), text))

    def acted(self, step: Step) -> None:
        """An action, a draft of its actor's."""

    def undone(self, step: Step) -> None:
        """A draft was taken back."""

    def stood(self, steps: Sequence[Step]) -> None:
        """Steps that count for good."""
