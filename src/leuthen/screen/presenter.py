"""The interface through which a rule set is displayed: functions from views and events to display values.

Also standing instructions: answers that a side gives in advance, so that a game need not wait for it. An instruction is
a list of clauses, each a line in a notation of its own. A clause is made by a script, as an action is, so the same code
composes, completes, refuses, shows and writes both.

An answer is a function of the owner's view and legal set, so it reveals nothing that the owner could not have revealed.
Anything that no clause foresees is a surprise: the instruction stops and the game asks its owner.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.choice import Action, LegalSet, Refusal
from leuthen.engine.events import Event
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import SIDES, ActorId, Pending, Ruleset, Side, ViewerId
from leuthen.screen.values import About, Form, Layer, Left, LogEntry, Odds, PartialOrder, Place, Scene, Setting

V = TypeVar("V", default=Any, contravariant=True)
S = TypeVar("S", default=Any, contravariant=True)
E = TypeVar("E", bound=Event, default=Any, contravariant=True)


class Clause(Action):
    """One line of an instruction; `do` is its first word."""


class Surprise(msgspec.Struct, frozen=True):
    """The reason why an instruction stops, as a sentence with its rule."""

    reason: str


class Standing(Protocol[V, E]):
    """Support of a rule set for standing instructions. All methods are pure functions of views."""

    def clauses(self, view: V) -> LegalSet[Clause]:
        """Return the clauses that the viewer may give now."""

    def parse(self, view: V, text: str) -> Clause:
        """Return the clause of a line. Raises Invalid or Ambiguous, never Illegal."""

    def format(self, clause: Clause) -> str:
        """Return the line that `parse` reads back, in every position."""

    def in_order(self, clauses: Sequence[Clause]) -> Sequence[Clause]:
        """Return the clauses in the order of reading: a clause that answers all the rest is last."""

    def covered_by(self, clauses: Sequence[Clause]) -> Sequence[int]:
        """Return for each clause the number, from 0, of an earlier one that always answers in its place; -1 if none
        does."""

    def explain(self, clause: Clause) -> str:
        """Return a clause as a sentence with its rule."""

    def complete(self, view: V, text: str) -> Sequence[str]:
        """Return the possible next words of a clause that is being typed."""

    def form(self, view: V, partial_order: PartialOrder) -> Form:
        """Return the form of a clause; its `order` is the clause's line. Never raises."""

    def answer(self, view: V, legal: LegalSet, clauses: Sequence[Clause]) -> Action | Surprise | None:
        """Return the clauses' answer to the viewer's decision; None if instructions do not cover its kind."""

    def alarm(self, side: Side, event: E) -> Surprise | None:
        """Return the surprise in an event, as the side received it, if no instruction foresees it."""


def read_clauses(standing: Standing[V], view: V, lines: Sequence[str]) -> tuple[Clause, ...]:
    """Return the clauses of an instruction in order. Raises Invalid, Ambiguous or Illegal, naming the line."""
    legal = standing.clauses(view)
    found = []
    for line in lines:
        clause = standing.parse(view, line)
        if refusal := legal.why_not(clause):
            told = f'"{line.replace("{", "").replace("}", "")}": {refusal.reason}'
            raise Illegal(Refusal(refusal.rule, told, refusal.numbers, refusal.place))
        found.append(clause)
    return tuple(standing.in_order(found))


def explain_dead_clauses(standing: Standing[V], view: V, lines: Sequence[str]) -> list[str]:
    """Return for each clause a sentence that says why it can never answer; "" where it can."""
    try:
        covered = standing.covered_by([standing.parse(view, line) for line in lines])
    except Invalid:
        return [""] * len(lines)
    return [f"Never used: clause {number + 1} always answers first" if number >= 0 else "" for number in covered]


def sentence_of(standing: Standing[V], view: V, line: str) -> str:
    """Return a line of an instruction as a sentence; for a line that can no longer be read, the error."""
    try:
        return standing.explain(standing.parse(view, line))
    except Invalid as error:
        return str(error)


def answer_from(standing: Standing[V], view: V, legal: LegalSet, lines: Sequence[str]) -> Action | Surprise | None:
    """Return the answer of an instruction in force; an illegal answer is a surprise."""
    try:
        clauses = [standing.parse(view, line) for line in lines]
    except Invalid as error:
        return Surprise(str(error))
    answer = standing.answer(view, legal, clauses)
    if isinstance(answer, Action) and (refusal := legal.why_not(answer)):
        return Surprise(refusal.text)
    return answer


def no_layer(view: object, name: str, place: Place = "") -> Layer:
    raise Invalid(f'Unknown layer "{name}". This game has no layers')


def no_choices(state: object, actor: ActorId, action: Action) -> PartialOrder:
    return {}


def nothing_left(view: object) -> tuple[Left, ...]:
    return ()


def no_odds(view: object, text: str, /) -> Odds:
    raise Invalid("this game has no odds")


@dataclass(frozen=True)
class Presenter(Generic[V, S, E]):
    """The display functions of a rule set. Those with a default are optional.

    All but `form` are functions of a view, so that they can show no secret; a form is made from the legal set, which is
    the same in every world that the actor's view allows.
    """

    setting: Callable[[], Setting]
    scene: Callable[[V], Scene]
    present_event: Callable[[E], LogEntry]  # the log entry of an event as the viewer received it
    form: Callable[[S, ActorId, PartialOrder], Form]
    """The form of an order, from state, actor and the choices so far. Never raises."""
    about: Callable[[V, str], About]
    """Everything that the viewer may know of a place, by number or name. Raises Invalid or Ambiguous."""
    choices: Callable[[S, ActorId, Action], PartialOrder] = no_choices
    """The choices that make a whole action, from state, actor and action; {} if unknown."""
    layer: Callable[..., Layer] = no_layer
    """A layer over the map, from view, name, and place if it needs one. Raises Invalid for an unknown one."""
    left_undone: Callable[[V], tuple[Left, ...]] = nothing_left  # warnings if the viewer ends the phase now
    odds: Callable[[V, str], Odds] = no_odds
    """The exact odds of what a line names (an attack, a siege, a roll). Raises Invalid or Ambiguous."""

    def asked(self, pending: Pending, viewer: ViewerId) -> Pending:
        """Return a decision as a viewer may know it: of the other side only its name and rule, as its text may hold
        secrets."""
        if pending.actor == viewer and viewer in SIDES:  # a watcher has chance's number
            return pending
        return Pending(pending.actor, pending.decision, pending.rule, "")


class TableRuleset(Ruleset, Protocol):
    """A rule set that a table can show."""

    @property
    def presenter(self) -> Presenter: ...

    @property
    def standing(self) -> Standing | None:
        """Support for standing instructions; None if every decision waits for a player."""
