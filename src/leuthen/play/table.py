"""A table: a game's position, its drafts, its record, and the standing instructions of its sides; and the game loop.

A standing instruction is a line of the record and changes no position, for example `41 prussia standing react Keith
attack at 1623 of 0-25 odds 60; hold other`. The line `57 prussia standing stop …` with a reason suspends it, `58
prussia standing off` revokes it. Replays only read these lines: each answer of an instruction is recorded as an action.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import dropwhile
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple, Protocol, Self, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.codec import digest_of
from leuthen.engine.events import Event
from leuthen.engine.refusal import Invalid, require
from leuthen.engine.ruleset import (
    CHANCE,
    OTHER,
    SIDES,
    ActorId,
    Answer,
    LeaveGame,
    Outcome,
    Pending,
    Player,
    Side,
    TakeBack,
    Transition,
    Undo,
    ViewerId,
    is_side,
)
from leuthen.play.dice import Dice
from leuthen.play.record import AGREE, CONSENT, FREE, NEVER, RESIGN, STANDING, TAKE_BACK, UNDO, Header, Writer
from leuthen.screen.presenter import Standing, Surprise, TableRuleset, answer_from, read_clauses

OFF: Final = "off"
STOP: Final = "stop"
BETWEEN: Final = "; "
MOST: Final = 40  # clauses of an instruction
LONGEST: Final = 300  # characters of a clause
_ENDED: Final = "the game has ended"


class Step(NamedTuple):
    """An action with the position before it and its effects."""

    actor: ActorId
    action: Action
    before: object
    transition: Transition


class Drafts:
    """The newest steps of a game, from the first that can still be taken back. A draft is known only to its actor.

    Committed steps can be among them while older drafts of the other side remain. In a simultaneous choice both sides
    can have drafts; if one is taken back, the other side's later steps are applied again.
    """

    def __init__(self, ruleset: TableRuleset) -> None:
        self._ruleset = ruleset
        self._steps: list[tuple[Step, bool]] = []  # each with whether it is committed
        self._drafts: list[Step] = []  # those of them that do not stand

    def __iter__(self) -> Iterator[Step]:
        return iter(self._drafts)

    def __len__(self) -> int:
        return len(self._drafts)

    def copy(self) -> Self:
        twin = type(self)(self._ruleset)
        twin._steps, twin._drafts = self._steps.copy(), self._drafts.copy()
        return twin

    def add(self, step: Step) -> None:
        self._steps.append((step, False))
        self._drafts.append(step)

    def last(self, actor: ActorId) -> Step | None:
        return next((step for step in reversed(self._drafts) if step.actor == actor), None)

    def is_beside(self, step: Step) -> bool:
        """Return whether a step leaves the drafts of others intact, because the choice is simultaneous."""
        for draft in self._drafts:
            if draft.actor != step.actor:
                return self._is_shared(step)
        return True

    def _is_shared(self, step: Step) -> bool:
        """Return whether both sides were asked, or one reopened its sealed choice while the other still chose."""
        awaited = self._ruleset.pending(step.before)
        return len(awaited) != 1 or awaited[0].actor != step.actor

    def visible_state(self, viewer: ViewerId, state: object) -> object:
        """Return the position without the drafts of others, for a viewer.

        Secret simultaneous choices are hidden by views and need no older position.
        """
        for step in self._drafts:
            if step.actor != viewer:
                return state if self._is_shared(step) else step.before
        return state

    def finished_actors(self, state: object) -> list[ActorId]:
        """Return the actors whose drafts must be committed, because another side or another question follows.

        A side's drafts remain while it alone is asked, or while both are asked the same simultaneous question.
        """
        if not self._drafts:
            return []
        awaited = {pending.actor: pending.decision for pending in self._ruleset.pending(state)}
        ended = []
        for actor, last in {step.actor: step for step in self._drafts}.items():
            before = {pending.actor: pending.decision for pending in self._ruleset.pending(last.before)}
            is_shared = len(before) > 1 and actor in awaited and before.get(actor) == awaited[actor]
            if list(awaited) != [actor] and not is_shared:
                ended.append(actor)
        return sorted(ended)

    def commit(self, actor: ActorId | None = None) -> list[Step]:
        on_committed = [step for step in self._drafts if actor in (None, step.actor)]
        self._drafts = [step for step in self._drafts if actor not in (None, step.actor)]
        steps = [(step, stands or actor in (None, step.actor)) for step, stands in self._steps]
        self._steps = list(dropwhile(itemgetter(1), steps))
        return on_committed

    def take_back(self, step: Step) -> object:
        """Take a step back and reapply later steps of others; return the new position."""
        at = max(n for n, (other, _) in enumerate(self._steps) if other is step)
        later, self._steps = self._steps[at + 1 :], self._steps[:at]
        state = step.before
        for other, stands in later:
            transition = self._ruleset.apply(state, other.actor, other.action)
            self._steps.append((Step(other.actor, other.action, state, transition), stands))
            state = transition.state
        self._steps = list(dropwhile(itemgetter(1), self._steps))
        self._drafts = [draft for draft, stands in self._steps if not stands]
        return state


class Instruction(msgspec.Struct, frozen=True):
    """A side's standing instruction: the lines of its clauses.

    `stopped` is the reason why it is suspended; `alarm` an unforeseen event that its owner has learned, so that it must
    stop.
    """

    lines: tuple[str, ...] = ()
    stopped: str = ""
    alarm: str = ""

    @property
    def is_armed(self) -> bool:
        return bool(self.lines) and not self.stopped

    def stop(self, reason: str) -> Self:
        return type(self)(self.lines, reason) if self.is_armed else self

    def after_events(self, standing: Standing | None, side: Side, events: Iterable[Event]) -> Self:
        if standing is None or self.alarm or not self.is_armed:
            return self
        surprise = next(filter(None, (standing.alarm(side, event) for event in events)), None)
        return self if surprise is None else msgspec.structs.replace(self, alarm=surprise.reason)

    def answer(self, standing: Standing | None, view: object, legal: LegalSet) -> Action | Surprise | None:
        """Return the answer to the owner's question, or why the instruction must stop; None to ask the owner."""
        if standing is None or not self.is_armed:
            return None
        return Surprise(self.alarm) if self.alarm else answer_from(standing, view, legal, self.lines)

    def with_command(self, text: str) -> Self:
        """Return the instruction after its owner's record line. Raise Invalid."""
        word, _, rest = text.partition(" ")
        if text == OFF:
            return type(self)()
        if word == STOP:
            require(self.is_armed and rest.strip(), "no standing instructions are active")
            return self.stop(rest)
        lines = tuple(line.strip() for line in text.split(BETWEEN.strip()))
        is_right = all(lines) and len(lines) <= MOST and all(len(line) <= LONGEST for line in lines)
        require(is_right, f'a standing instruction is 1 to {MOST} clauses of at most {LONGEST} characters, or "{OFF}"')
        return type(self)(lines)


class Observer(Protocol):
    """An observer of a table. It may pass on to a viewer only `Step.transition.events(viewer)`."""

    def on_action(self, step: Step) -> None:
        """An action was carried out; it is its actor's draft until committed."""

    def on_undo(self, step: Step) -> None:
        """A draft was taken back."""

    def on_committed(self, steps: Sequence[Step]) -> None:
        """These steps were committed: they are public and cannot be undone."""


class Recorder(Protocol):
    """Stores the lines of a game."""

    def write(self, actor: str, text: str) -> None:
        """Store a line. Raise RecordError; it is not carried out then."""


class NothingToUndo(Invalid):
    def __init__(self) -> None:
        super().__init__("nothing can be taken back: something was revealed, or another player has acted")


class LoggedAction(NamedTuple):
    """An action that counts, and a bit for each side that learned something hidden from it; for dice, both."""

    actor: ActorId
    action: Action
    learned: int


class Table:
    """A game in progress. An action counts once it is recorded, and can be undone while it is a draft.

    A draft is committed as soon as its actor has learned something hidden from it, or chance or another side answers or
    is shown the position in order to answer. Until then only its actor knows of it.
    """

    def __init__(
        self,
        ruleset: TableRuleset,
        state: Any,
        *,
        record: Recorder | None = None,
        observers: Sequence[Observer] = (),
        takebacks: str = CONSENT,
    ) -> None:
        self.ruleset = ruleset
        self.state = state
        self.record = record
        self.observers = list(observers)
        self.drafts = Drafts(ruleset)
        self.takebacks = takebacks  # the takeback rule (`TAKEBACKS`)
        self.log: list[LoggedAction] = []  # the actions that count, drafts included, since the table was made
        self.first = state  # the position before them
        self.actions = 0  # number of actions of sides, including undone ones
        self.chances = 0  # number of answers of chance, including taken-back ones
        self.place = 0  # number of counting answers of chance: the place of the next die
        self.instructions = [Instruction(), Instruction()]  # the standing instruction of each side
        self._agreed: Outcome | None = None

    def copy(self, *observers: Observer) -> Self:
        """Return an independent copy without the record, observed only by `observers`."""
        twin = copy(self)
        twin.record, twin.observers = None, list(observers)
        twin.drafts, twin.log, twin.instructions = self.drafts.copy(), self.log.copy(), self.instructions.copy()
        return twin

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules or by the players' decision; None while the game goes on."""
        return self._agreed or self.ruleset.outcome(self.state)

    def act(self, actor: ActorId, action: Action) -> Transition:
        """Carry out an action. Raise Illegal or RecordError; nothing has changed then."""
        before = self.state
        transition = self.ruleset.apply(before, actor, action)
        if self.record is not None:
            self.record.write(self.name(actor), self.ruleset.format_action(before, actor, action))
        self.state = transition.state
        step = Step(actor, action, before, transition)
        if actor == CHANCE:
            self.chances += 1
            self.place += 1
        else:
            self.actions += 1
        if len(self.drafts) and not self.drafts.is_beside(step):
            self.commit()
        self.log.append(LoggedAction(actor, action, 0b11 if actor == CHANCE else transition.learned & 0b11))
        self.drafts.add(step)
        for observer in self.observers:
            observer.on_action(step)
        if actor == CHANCE or transition.learned >> actor & 1:
            self.commit()
        return transition

    @property
    def forced(self) -> tuple[Side, Action] | None:
        """A side with a single possible answer, as everyone can see, and that answer; None if all have a choice."""
        for pending in self.ruleset.pending(self.state):
            if is_side(side := pending.actor) and (action := self.ruleset.forced(self.state, side)):
                return side, action
        return None

    def can_undo(self, actor: ActorId) -> bool:
        """Return whether the actor has a draft that was a choice."""
        own = (step for step in self.drafts if step.actor == actor)
        return any(self.ruleset.forced(step.before, actor) is None for step in own)

    def undo(self, actor: ActorId) -> Step:
        """Take back the actor's last action. Raise NothingToUndo."""
        step = self.drafts.last(actor)
        if step is None:
            raise NothingToUndo
        self._write(actor, UNDO)
        self.state = self.drafts.take_back(step)
        del self.log[max(n for n, counted in enumerate(self.log) if counted.actor == actor)]
        for observer in self.observers:
            observer.on_undo(step)
        return step

    def commit_others_drafts(self, actor: ActorId) -> None:
        """Commit the drafts of all others, because this actor alone is shown the position now."""
        if any(step.actor != actor for step in self.drafts):
            self.commit()

    def commit_finished_drafts(self) -> None:
        """Commit drafts whose decision is over, at tables that all sides watch continuously."""
        for actor in self.drafts.finished_actors(self.state):
            self.commit(actor)

    def commit(self, actor: ActorId | None = None) -> None:
        steps = self.drafts.commit(actor)
        if not steps:
            return
        for side, instruction in zip(SIDES, self.instructions, strict=True):
            if instruction.is_armed:
                events = [event for step in steps for event in step.transition.events(side)]
                self.instructions[side] = instruction.after_events(self.ruleset.standing, side, events)
        for observer in self.observers:
            observer.on_committed(steps)

    def visible_state(self, viewer: ViewerId) -> Any:
        """Return the position from which a viewer's view may be made: without the drafts of others."""
        return self.drafts.visible_state(viewer, self.state)

    def resign(self, actor: Side) -> None:
        """Resign for a side; the other has won. Raise Invalid after the end, RecordError."""
        self._end_with(actor, RESIGN, OTHER[actor], "resignation")

    def agree(self, actor: Side) -> None:
        """Accept the opponent's draw. Raise Invalid after the end, RecordError."""
        self._end_with(actor, AGREE, None, "agreement")

    def conclude(self, outcome: Outcome) -> None:
        """Set the outcome of a game that ended under rules that are not available."""
        self.commit()
        self._agreed = outcome

    # --- standing instructions ---------------------------------------------------------------------------------------

    def instruct(self, actor: Side, text: str) -> None:
        """Set a side's standing instruction: its clauses, `off`, or `stop` with a reason. Raise Invalid or RecordError.

        Position and drafts do not change. The clauses were checked before (`instruction_text`).
        """
        require(self.outcome is None, _ENDED)
        instruction = self.instructions[actor].with_command(text)
        self._write(actor, f"{STANDING} {text}")
        self.instructions[actor] = instruction

    def instruction_text(self, actor: Side, lines: Sequence[str]) -> str:
        """Return the text of `instruct` for these clauses, as the record has it; `off` without clauses.

        Raise Invalid, Ambiguous or Illegal.
        """
        standing = self.ruleset.standing
        if standing is None:
            raise Invalid("there are no standing instructions in this game")
        view = self.ruleset.view(self.visible_state(actor), actor)
        return BETWEEN.join(standing.format(clause) for clause in read_clauses(standing, view, lines)) or OFF

    def instruction_answer(self, actor: Side) -> Action | Surprise | None:
        """Return the current answer of a side's instruction, or why it must stop; None to ask the side."""
        ruleset, instruction = self.ruleset, self.instructions[actor]
        if not instruction.is_armed or self.outcome is not None:
            return None
        if instruction.alarm:
            return Surprise(instruction.alarm)
        state = self.visible_state(actor)
        if all(pending.actor != actor for pending in ruleset.pending(state)):
            return None
        return instruction.answer(ruleset.standing, ruleset.view(state, actor), ruleset.legal_actions(state, actor))

    def stop(self, actor: Side, surprise: Surprise) -> None:
        """Suspend a side's instruction. Raise RecordError."""
        self.instruct(actor, f"{STOP} {surprise.reason}")

    def release(self, actor: Side) -> Surprise | None:
        """Return why a side's instruction must stop after an undo, because it would repeat its answer; else None."""
        said = self.instruction_answer(actor)
        return said if said is None or isinstance(said, Surprise) else Surprise("an answer was taken back")

    def _end_with(self, actor: Side, word: str, winner: Side | None, how: str) -> None:
        outcome = Outcome(winner, how, "", int(self.ruleset.summary(self.state)["year"]))
        require(self.outcome is None, _ENDED)
        self._write(actor, word)
        self.conclude(outcome)

    def take_back(self, actor: Side, kept: int) -> None:
        """Reset the game to its first `kept` actions: `actor` grants the opponent's request, or takes back freely.

        The dice at later places repeat. What was learned in the meantime remains known; the players accept that. Raise
        Invalid or RecordError.
        """
        require(self.outcome is None, _ENDED)
        require(0 <= kept < len(self.log), f"{kept} is no number of actions to go back to: {len(self.log)} count")
        is_own = self.is_waiting_order(actor, kept)
        if self.takebacks == NEVER and (reason := self.revealed_since(actor if is_own else OTHER[actor], kept)):
            raise Invalid(f"that cannot be taken back: {reason}")
        self._write(actor, f"{TAKE_BACK} {kept}")
        self.commit()
        reason = "something was taken back" if is_own or self.takebacks == FREE else "a takeback was granted"
        for side in [actor] if is_own else SIDES:
            self.instructions[side] = self.instructions[side].stop(reason)
        del self.log[kept:]
        self.state = self.first
        for counted in self.log:
            self.state = self.ruleset.apply(self.state, counted.actor, counted.action).state
        self.place = sum(counted.actor == CHANCE for counted in self.log)

    def waiting_order(self, actor: Side) -> int | None:
        """Return the number of actions left without the actor's last order while its die is pending; None if it must
        stay.

        It must stay if another player has answered it, or it has revealed something hidden to its actor.
        """
        kept, twin = len(self.log), self.copy()
        while kept and self.is_waiting_order(actor, kept - 1) and not self.revealed_since(actor, kept - 1):
            kept -= 1
            twin.take_back(actor, kept)
            if self.ruleset.forced(twin.state, actor) is None:
                return kept
        return None

    def is_waiting_order(self, actor: Side, kept: int) -> bool:
        """Return whether all actions but the first `kept` are the actor's, and a resulting die is pending.

        This can happen if dice wait for a player's link: a granted takeback ends with a choice or with a die.
        """
        gone = self.log[kept:]
        return bool(gone and self.ruleset.chances(self.state)) and all(counted.actor == actor for counted in gone)

    def revealed_since(self, asker: Side, kept: int) -> str:
        """Return what a takeback would let a side know that it did not know when it acted (a die, a revelation), or "".

        The other side's drafts do not count, because only that side knows of them.
        """
        left = sum(step.actor != asker for step in self.drafts)
        for counted in reversed(self.log[kept:]):
            if counted.actor != asker and left:  # its newest actions
                left -= 1
            elif counted.actor == CHANCE:
                return "a die was rolled since"
            elif counted.learned >> asker & 1:
                return "something hidden was revealed since"
        return ""

    def _write(self, actor: ActorId, text: str) -> None:
        if self.record is not None:
            self.record.write(self.name(actor), text)

    def name(self, actor: ActorId) -> str:
        return "chance" if actor == CHANCE else self.ruleset.sides[actor]


def end_words(table: Table) -> str:
    """Return the outcome as the last line of a record has it, with the digest of the last position, or ""."""
    outcome = table.outcome
    if outcome is None:
        return ""
    winner = "draw" if outcome.winner is None else table.name(outcome.winner)
    rule = outcome.rule or "-"
    return f"{winner} {outcome.how} {outcome.year} {rule} {digest_of(table.ruleset, table.state)}"


def make_header(
    ruleset: TableRuleset,
    scenario: str,
    options: Mapping[str, str],
    seats: Sequence[str],
    *,
    game: str,
    takebacks: str = CONSENT,
) -> Header:
    """Return the header of a game's record; its dice are derived from the id `game`.

    Every option is written, so that a new default changes no older game.
    """
    return Header(
        ruleset=ruleset.name,
        version=ruleset.version,
        scenario=scenario,
        data=ruleset.digest,
        options={name: values[0] for name, values in ruleset.options.items()}
        | {name: str(value) for name, value in options.items()},
        seats=dict(zip(ruleset.sides, seats, strict=True)),
        game=game,
        takebacks=takebacks,
    )


# --- the game loop: seats and dice answer the questions of a table ----------------------------------------------------


LIMIT: Final = 1_000_000  # more actions than any game has: beyond it the game does not end


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
        table.commit()
        outcome = table.outcome
        if outcome is None:
            raise ActionLimitExceeded("no player is asked, but the game has not ended")
        if isinstance(table.record, Writer):
            table.record.end(end_words(table))
        return outcome

    def _answer(self, pending: Pending) -> bool:
        table, actor = self.table, pending.actor
        if not is_side(actor):
            table.act(CHANCE, self.dice.outcome_at(table.place, table.ruleset.chances(table.state)))
            return True
        last = self._last_to_act() if self.handover is not None else None
        answer: Answer | Surprise | None = None
        if self.handover is not None and last is not None and last != actor:  # before its drafts are committed
            answer = self.handover(last, actor)
        if answer is None:
            table.commit_others_drafts(actor)
            answer = table.instruction_answer(actor)
        if isinstance(answer, Surprise):
            table.stop(actor, answer)
            answer = None
        if answer is None:
            view, legal = partial(table.ruleset.view, table.state, actor), table.ruleset.legal_actions
            answer = self.seats[actor].choose(view, legal(table.state, actor), pending)
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

    def _last_to_act(self) -> Side | None:
        return next((draft.actor for draft in reversed([*self.table.drafts]) if is_side(draft.actor)), None)
