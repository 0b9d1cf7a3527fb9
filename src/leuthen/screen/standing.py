"""Standing instructions: what a side has said beforehand that it will answer, so that a game need not wait for it.

An instruction is a list of clauses, each a line of a notation of its own. A clause is made by a script, as an action
is, so that what composes, completes, refuses, shows and writes orders does so for clauses.

An answer is a function of the owner's view and of what he may do, so that it can give away nothing that he could not
have given away himself. Whatever the clauses did not foresee is a surprise: the instruction is in force no longer, and
its owner is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.choice import Action, LegalSet, Refusal
from leuthen.engine.events import Event
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Side
from leuthen.screen.values import Form, PartialOrder

V = TypeVar("V", default=Any, contravariant=True)
"""A rule set's views."""
E = TypeVar("E", bound=Event, default=Any, contravariant=True)
"""Its events."""


class Clause(Action):
    """One line of an instruction; `do` is the word with which it begins."""


class Surprise(msgspec.Struct, frozen=True):
    """What no clause foresaw, as a sentence with its rule."""

    reason: str


class Standing(Protocol[V, E]):
    """What a rule set has for standing instructions. All of it is pure, and knows views alone."""

    def clauses(self, view: V) -> LegalSet[Clause]:
        """The clauses that the viewer may give now."""
        ...

    def parse(self, view: V, text: str) -> Clause:
        """Reads a clause. Raises Invalid or Ambiguous, never Illegal."""
        ...

    def format(self, clause: Clause) -> str:
        """The line that `parse` reads back, in every position."""
        ...

    def in_order(self, clauses: Sequence[Clause]) -> Sequence[Clause]:
        """Clauses in the order in which they are read: what answers all the rest comes last."""
        ...

    def covered_by(self, clauses: Sequence[Clause]) -> Sequence[int]:
        """For each clause the number, from 0, of an earlier one that always answers in its place; -1 if none does."""
        ...

    def explain(self, clause: Clause) -> str:
        """A clause as a sentence with its rule."""
        ...

    def complete(self, view: V, text: str) -> Sequence[str]:
        """What may come next in a clause that is being typed."""
        ...

    def form(self, view: V, partial_order: PartialOrder) -> Form:
        """A clause in the making; its `order` is the clause's line. Never raises."""
        ...

    def answer(self, view: V, legal: LegalSet, clauses: Sequence[Clause]) -> Action | Surprise | None:
        """What the clauses answer to what the viewer is asked; None where that is no matter of instructions."""
        ...

    def alarm(self, side: Side, event: E) -> Surprise | None:
        """What of an event, as the side was told it, no instruction foresees."""
        ...


def read_clauses(standing: Standing[V], view: V, lines: Sequence[str]) -> tuple[Clause, ...]:
    """The clauses of an instruction that is given, in order. Raises Invalid, Ambiguous or Illegal, naming the line."""
    legal = standing.clauses(view)
    found = []
    for line in lines:
        clause = standing.parse(view, line)
        if refusal := legal.why_not(clause):
            told = f"«{line.replace('{', '').replace('}', '')}»: {refusal.reason}"
            raise Illegal(Refusal(refusal.rule, told, refusal.numbers, refusal.place))
        found.append(clause)
    return tuple(standing.in_order(found))


def dead_clauses(standing: Standing[V], view: V, lines: Sequence[str]) -> list[str]:
    """Why each clause of an instruction can never answer, as a sentence; "" where it can."""
    try:
        covered = standing.covered_by([standing.parse(view, line) for line in lines])
    except Invalid:
        return [""] * len(lines)
    return [f"Never used: clause {number + 1} always answers first" if number >= 0 else "" for number in covered]


def sentence_of(standing: Standing[V], view: V, line: str) -> str:
    """A line of an instruction as a sentence; of one that is understood no longer, why."""
    try:
        return standing.explain(standing.parse(view, line))
    except Invalid as error:
        return str(error)


def answer_from(standing: Standing[V], view: V, legal: LegalSet, lines: Sequence[str]) -> Action | Surprise | None:
    """What an instruction in force answers; an answer that is not legal is a surprise."""
    try:
        clauses = [standing.parse(view, line) for line in lines]
    except Invalid as error:
        return Surprise(str(error))
    answer = standing.answer(view, legal, clauses)
    if isinstance(answer, Action) and (refusal := legal.why_not(answer)):
        return Surprise(refusal.text)
    return answer
