"""The course of a game: its table, its record, what each viewer knows of it, and transactions that extend it.

A game that cannot go on with the rules or data installed here is unplayable: it is replayed until they refuse a line,
and the rest is shown as record lines, to each seat only what it may read. Such a game can be read, downloaded as a
record, and ended by resigning or agreement.
"""

from __future__ import annotations

import logging
import re
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple, Protocol, TypeVar
from zlib import compress, decompress

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.codec import JSON
from leuthen.engine.events import Event
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import (
    CHANCE,
    EVERYTHING,
    VIEWERS,
    WATCHER,
    ActorId,
    Outcome,
    Side,
    ViewerId,
    actor_named,
    as_side,
    is_side,
)
from leuthen.load import load_with, read_rulings
from leuthen.play.dice import Odds
from leuthen.play.proof.ledger import SealMismatch, expect_bound
from leuthen.play.record import AGREE, CONSENT, FREE, RESIGN, STANDING, TAKE_BACK, UNDO, Header, text_of
from leuthen.play.replay import (
    can_read,
    carry_out,
    describe_line,
    describe_outcome,
    incompatibility,
    is_public,
    version_difference,
)
from leuthen.play.table import STOP, NothingToUndo, Step, Table
from leuthen.school.lessons import begin
from leuthen.screen.presenter import Surprise, TableRuleset
from leuthen.screen.values import LogEntry, Setting
from leuthen.storage.rows import GameRow, StoredGame

T = TypeVar("T")
_log = logging.getLogger(__name__)
CHECKPOINT: Final = 64
"""Minimum number of record lines between two stored positions."""
_MOST_ANSWERS: Final = 10_000
"""Limit of consecutive automatic answers; more indicate an error of the rule set."""


class DiceSource(Protocol):
    """A source of chance outcomes. If it combines secrets of several people, it may have to wait for one of them."""

    def outcome_at(self, place: int, odds: Odds[T]) -> T:
        """Return the outcome at a place; repeated calls return the same one."""

    def is_pending(self, place: int) -> bool:
        """Return whether the outcome at a place is not available yet."""


class RecordLine(NamedTuple):
    actor: ActorId
    text: str


class Notification(NamedTuple):
    """The content of one number for a viewer: events or sentences, and the number of void entries before them.

    The viewer saw the position after record line `line`, in turn `turn`. Entries from index `begun` on belong to the
    next turn.
    """

    n: int
    line: int
    turn: int
    entries: tuple[object, ...] = ()
    dropped: int = 0
    begun: int = 0


class ChronicleEntry(NamedTuple):
    n: int
    line: int
    turn: int
    what: object


class SeatLog:
    def __init__(self, table: Table) -> None:
        self.table = table
        """The table at the last notification."""
        self.news = [Notification(0, -1, 0)]
        """By number; void entries are included."""
        self.lines: list[ChronicleEntry] = []
        """The chronicle: the entries that are not void."""
        self._reached = array("i", [-1])
        """By number: the last record line that the viewer knows of."""

    @property
    def n(self) -> int:
        return len(self._reached) - 1

    def add(self, news: Sequence[Notification], table: Table) -> None:
        self.table = table
        for notification in news:
            n, line, turn, entries, dropped, begun = notification
            self.news.append(notification)
            self._reached.append(max(line, self._reached[-1]))
            del self.lines[len(self.lines) - dropped :]
            self.lines += (ChronicleEntry(n, line, turn + (at >= begun), what) for at, what in enumerate(entries))

    def void_from(self, line: int) -> int:
        """Return the number of entries from the first one that this record line or a later one caused."""
        return next((len(self.lines) - at for at, entry in enumerate(self.lines) if entry.line >= line), 0)

    def number_at(self, line: int) -> int:
        """Return the number of the viewer's last notification when the record had reached a line."""
        return bisect_right(self._reached, line) - 1


class Turn(NamedTuple):
    """A turn of the game, and the number of record lines before it."""

    year: int
    turn: int
    line: int


class GameHistory:
    """The state of a game. It changes only by accepting a transaction."""

    def __init__(self, ruleset: TableRuleset, state: object, takebacks: str = CONSENT) -> None:
        self.ruleset = ruleset
        self.table = Table(ruleset, state, takebacks=takebacks)
        self.record: list[RecordLine] = []
        self.logs: Mapping[ViewerId, SeatLog] = {viewer: SeatLog(self.table) for viewer in VIEWERS}
        self.turns = [Turn(*ruleset.date(state), 0)]
        self.counting = array("I")
        """The record lines of the actions that count, parallel to `table.log`."""
        self.open: list[tuple[int, ...]] = [(), (), ()]
        """By actor: the record lines of the drafts."""
        self.redo: list[tuple[str, ...]] = [(), (), ()]
        """By actor: the orders that were taken back since the last new order, newest last."""
        self.version, self.data = ruleset.version, ruleset.digest
        """Rules version and data digest with which the game began."""
        self.unplayable = ""
        """The reason why the game is unplayable, or ""."""
        self.lost = range(0)
        """The record lines that could not be replayed."""
        self._marks: list[tuple[int, Table, bytes]] = [(0, self.table, b"")]
        """Copies of the table, taken without drafts: the number of record lines before it, the table (without
        its position, except at the beginning), and the position."""

    @property
    def outcome(self) -> Outcome | None:
        return self.table.outcome

    @property
    def goes_on(self) -> bool:
        return self.outcome is None and not self.unplayable

    def position(self, viewer: ViewerId) -> object:
        """Return the position from which the current view of a viewer may be made."""
        return self.table.visible_state(viewer)

    def turns_of(self, viewer: ViewerId) -> tuple[Turn, ...]:
        """Return the turns that have begun to a viewer's knowledge: other players' drafts begin no turn."""
        drafts = (lines[0] for actor, lines in enumerate(self.open) if lines and actor != viewer)
        hidden = min(drafts, default=len(self.record))
        return tuple(turn for turn in self.turns if turn.line <= hidden)

    def state_as_known(self, table: Table, line: int, viewer: ViewerId) -> object:
        """Return the position from which a viewer's view after a record line was made.

        The drafts of other players are left out, except after a line of their own, where `table` may contain none.
        """
        is_own = line >= 0 and self.record[line].actor == viewer
        return table.visible_state(viewer) if is_own else table.state

    def steps_to(self, line: int) -> tuple[Table, Iterator[None]]:
        """Return a table and the steps that bring it to the position after a record line; -1 is the beginning."""
        done, mark, position = self._marks[bisect_right(self._marks, line + 1, key=itemgetter(0)) - 1]
        table, lines = mark.copy(), [self.record[n] for n in range(done, line + 1) if n not in self.lost]
        if position:
            table.state = self.ruleset.restore(decompress(position))

        def steps() -> Iterator[None]:
            for actor, text in lines:
                carry_out(table, table.name(actor), text)
                table.commit_finished_drafts()
                yield

        return table, steps()

    def mark_unplayable(
        self, rest: Sequence[RecordLine], why: str, outcome: Outcome | None = None, *, may_end: bool = True
    ) -> None:
        """Mark the game as unplayable; notify each viewer of the reason and of the rest of the record.

        If it `may_end`, a final resignation or draw is carried out. Else an `outcome` is that of rules that are not
        available.
        """
        ending = [line for line in rest[-1:] if may_end and line.actor != CHANCE and line.text in (RESIGN, AGREE)]
        lost = rest[: len(rest) - len(ending)]
        self.lost, self.unplayable = range(len(self.record), len(self.record) + len(lost)), why
        self.record.extend(lost)
        for viewer, log in self.logs.items():
            lines = (
                describe_line(self.table.name(actor), text) for actor, text in lost if can_read(viewer, actor, text)
            )
            entries = tuple(LogEntry("table", text, "") for text in (why, *lines))
            news = Notification(log.n + 1, len(self.record) - 1, len(self.turns) - 1, entries, 0, len(entries))
            log.add([news], self.table)
        deque(replay_lines(self, ending), maxlen=0)
        if outcome is not None and self.outcome is None:
            self.table = self.table.copy()
            self.table.conclude(outcome)

    def carry_out(self, line: RecordLine) -> None:
        """Carry out a line of a record. Raise Invalid or Illegal."""
        transaction = GameTransaction(self)
        transaction.say(*line)
        self.accept(transaction)

    def accept(self, transaction: GameTransaction) -> None:
        self.table = transaction.table
        self.table.record, self.table.observers = None, []
        self.record.extend(transaction.lines)
        self.turns, self.counting, self.open = transaction.turns, transaction.counting, transaction.open
        self.redo = transaction.redo
        for viewer, log in self.logs.items():
            if news := transaction.notifications[viewer]:
                log.add(news, self.table)
        if len(self.record) >= self._marks[-1][0] + CHECKPOINT and not len(self.table.drafts):
            table = self.table.copy()
            table.state = None
            self._marks.append((len(self.record), table, compress(self.ruleset.dump(self.table.state), 1)))

    def has_unseen_change(self, viewer: ViewerId) -> bool:
        """Return whether a viewer's view has changed since the last notification."""
        before, now = self.logs[viewer].table.visible_state(viewer), self.position(viewer)
        return before is not now and bool(self.ruleset.view(before, viewer) != self.ruleset.view(now, viewer))


class GameTransaction:
    """Changes made on a copy of the table; they take effect when their lines are stored (`GameHistory.accept`).

    It serves as recorder and observer of its table.
    """

    def __init__(self, history: GameHistory) -> None:
        self.history = history
        self.table = history.table.copy(self)
        self.table.record = self
        self.lines: list[RecordLine] = []
        self.turns = history.turns.copy()
        self.counting = history.counting[:]
        self.open = history.open.copy()
        self.redo = history.redo.copy()
        self.left: int | None = None
        """The number of older actions that still count after a takeback; None without one."""
        self.notifications: dict[ViewerId, list[Notification]] = {viewer: [] for viewer in VIEWERS}

    def entries(self, viewer: ViewerId) -> list[LogEntry]:
        present = self.table.ruleset.presenter.present_event
        found = (what for news in self.notifications[viewer] for what in news.entries)
        return [what if isinstance(what, LogEntry) else present(what) for what in found]

    def n(self, viewer: ViewerId) -> int:
        return self.history.logs[viewer].n + len(self.notifications[viewer])

    # --- what is done ------------------------------------------------------------------------------------------------

    def act(self, side: Side, text: str) -> None:
        """Carry out a side's order in the record's notation. Raise Invalid, Ambiguous or Illegal.

        The order is checked against what the side sees, so that a refusal reveals no drafts of others.
        """
        table, ruleset = self.table, self.table.ruleset
        if table.outcome is not None:
            raise Invalid("the game has ended")
        seen = table.visible_state(side)
        action = ruleset.parse_action(seen, side, text)
        if seen is not table.state:
            ruleset.apply(seen, side, action)
        self.give(side, action)

    def give(self, actor: ActorId, action: Action) -> None:
        self.table.act(actor, action)
        self.table.commit_finished_drafts()

    def proceed(self, dice: DiceSource) -> None:
        """Answer for chance and for sides with a single possible answer until a side has a choice."""
        table = self.table
        for _ in range(_MOST_ANSWERS):
            if self.history.unplayable or table.outcome is not None:
                return
            if (chances := table.ruleset.chances(table.state)) and not dice.is_pending(table.place):
                self.give(CHANCE, dice.outcome_at(table.place, chances))
                continue
            if (forced := table.forced) is None:
                return
            self.give(*forced)
        raise RuntimeError("what answers itself is asked without end")

    def undo(self, side: Side) -> None:
        """Take back a side's last choice, with the forced answers after it. Raise NothingToUndo.

        An instruction that would repeat an answer that was just taken back is stopped.
        """
        if not self.table.can_undo(side):
            raise NothingToUndo
        self.say(side, UNDO)
        while self.table.ruleset.forced(self.table.state, side) is not None:
            self.say(side, UNDO)
        if surprise := self.table.release(side):
            self.answer_by_instruction(side, surprise)

    def answer_by_instruction(self, side: Side, answer: Action | Surprise) -> None:
        if isinstance(answer, Surprise):
            self.say(side, f"{STANDING} {STOP} {answer.reason}")
        else:
            self.give(side, answer)

    def say(self, actor: ActorId, text: str) -> None:
        """Carry out a line of a record: a table command, a chance outcome or an action. Raise Invalid or Illegal."""
        word, _, rest = text.partition(" ")
        is_own = is_side(actor) and word == TAKE_BACK and self.table.is_waiting_order(actor, int(rest))
        carry_out(self.table, self.table.name(actor), text)
        self.table.commit_finished_drafts()
        if not is_side(actor):
            return
        if word == STANDING:  # instructions are secret; their owner is notified only when they stop
            verb, _, reason = rest.partition(" ")
            if verb == STOP and not self.open[actor]:
                said = LogEntry("table", f"Your standing instructions have stopped: {reason}", "", actor)
                for viewer in (actor, EVERYTHING):
                    self._notify(viewer, self._line, (said,))
        elif word == TAKE_BACK:
            first, self.left = self.counting[int(rest)], int(rest)
            self.redo = [(), (), ()]
            del self.counting[int(rest) :]
            self._forget_turns(first)
            words = "takes back everything since." if self.table.takebacks == FREE else "grants a takeback."
            words = "takes back an order that was waiting for its roll." if is_own else words
            self._announce(actor, f"{self.table.name(actor).capitalize()} {words}", first)
        elif word in (RESIGN, AGREE):
            self._announce(actor, describe_line(self.table.name(actor), text))

    def _announce(self, side: Side, text: str, void_from: int | None = None) -> None:
        said = LogEntry("table", text, "", side)
        for viewer in VIEWERS:
            dropped = 0
            if void_from is not None:
                untold = sum(len(news.entries) - news.dropped for news in self.notifications[viewer])
                dropped = self.history.logs[viewer].void_from(void_from) + untold
            self._notify(viewer, self._line, (said,), dropped)

    # --- what is heard meanwhile -------------------------------------------------------------------------------------

    def write(self, actor: str, text: str) -> None:
        self.lines.append(RecordLine(actor_named(self.table.ruleset, actor), text))

    def on_action(self, step: Step) -> None:
        line = self._line
        self.open[step.actor] += (line,)
        if taken_back := self.redo[step.actor]:
            self.redo[step.actor] = taken_back[:-1] if self._text(line) == taken_back[-1] else ()
        self.counting.append(line)
        date = self.table.ruleset.date(step.transition.state)
        if date != self.turns[-1][:2]:
            self.turns.append(Turn(*date, line + 1))
        if is_side(step.actor):
            self._notify(step.actor, line, self._own_lines(step, step.actor))

    def on_undo(self, step: Step) -> None:
        assert is_side(step.actor)
        line = self.open[step.actor][-1]
        self.open[step.actor] = self.open[step.actor][:-1]
        self.redo[step.actor] += (self._text(line),)
        self.counting.remove(line)
        self._forget_turns(line)
        self._notify(step.actor, self._line, (), len(self._own_lines(step, step.actor)))

    def _own_lines(self, step: Step, side: Side) -> tuple[object, ...]:
        """Return the entries for an actor's own action; a forced answer without events gets a sentence."""
        events, ruleset = step.transition.events(side), self.table.ruleset
        if events or ruleset.forced(step.before, side) is None:
            return events
        asked = next(pending for pending in ruleset.pending(step.before) if pending.actor == side)
        return (LogEntry("table", f"{asked.decision}: no choice to make.", asked.rule, side),)

    def on_committed(self, steps: Sequence[Step]) -> None:
        for step in steps:
            line, *left = self.open[step.actor]
            self.open[step.actor] = tuple(left)
            for viewer in VIEWERS:
                is_own = viewer == step.actor != CHANCE
                if not is_own and (events := step.transition.events(viewer)):
                    self._notify(viewer, line, events)

    @property
    def _line(self) -> int:
        return len(self.history.record) + len(self.lines) - 1

    def _notify(self, viewer: ViewerId, line: int, entries: tuple[object, ...], dropped: int = 0) -> None:
        turn = bisect_right(self.turns, line, key=attrgetter("line")) - 1
        is_last = self.turns[turn + 1 :] and self.turns[turn + 1].line == line + 1
        begun = next(
            (index for index, what in enumerate(entries) if is_last and isinstance(what, Event) and what.BEGINS_TURN),
            len(entries),
        )
        self.notifications[viewer].append(Notification(self.n(viewer) + 1, line, turn, entries, dropped, begun))

    def _text(self, line: int) -> str:
        done = len(self.history.record)
        return (self.history.record[line] if line < done else self.lines[line - done]).text

    def _forget_turns(self, line: int) -> None:
        while self.turns[-1].line > line:
            self.turns.pop()


# --- the list of games ------------------------------------------------------------------------------------------------


def status_of(game: GameTransaction | GameHistory) -> dict[str, JSON]:
    """Return the public facts of a game's row."""
    ruleset, outcome, position = game.table.ruleset, game.table.outcome, game.table.visible_state(WATCHER)
    asked = {pending.actor for pending in ruleset.pending(position)} - {CHANCE} if outcome is None else ()
    waiting = sum(1 << actor for actor in asked)
    result = "" if outcome is None else describe_outcome(ruleset, outcome)
    return {"date": date_of(ruleset, position), "waiting": waiting, "result": result, "has_ended": outcome is not None}


def changed_status(transaction: GameTransaction, game: GameRow, now: Callable[[], str]) -> dict[str, JSON]:
    """Return the changed facts of a game's row. Drafts do not change them."""
    new = status_of(transaction)
    if transaction.history.unplayable:
        new |= {"date": game.date, "waiting": 0}
    if transaction.notifications[WATCHER] or new["waiting"] != game.waiting:
        new["since"] = now()
    return {name: value for name, value in new.items() if value != getattr(game, name)}


def date_of(ruleset: TableRuleset, position: object) -> str:
    """Return the date of a position, such as "early April 1757".

    A January that ends a year of war belongs to the next calendar year.
    """
    year, turn = ruleset.date(position)
    turns = setting_of(ruleset).turns
    if not 0 < turn <= len(turns):
        return str(year)
    name = turns[turn - 1]
    return f"{name} {year + (turn == len(turns) and 'January' in name)}"


_SETTINGS: dict[str, Setting] = {}


def setting_of(ruleset: TableRuleset) -> Setting:
    key = f"{ruleset.name} {ruleset.version} {ruleset.digest}"
    if key not in _SETTINGS:
        _SETTINGS[key] = msgspec.structs.replace(ruleset.presenter.setting(), rulings=read_rulings(ruleset.name))
    return _SETTINGS[key]


# --- a game brought back, or as much of it as the rules and data that are here accept ---------------------------------

_RESULT: Final = re.compile(r"(?:A draw|(?P<winner>\w+) wins): (?P<how>.*), (?P<year>\d+)(?: \((?P<rule>.*)\))?\.")


def cannot_continue(why: str) -> str:
    may = "You can read it, download its record, and end it by resigning or a draw."
    return f"This game cannot continue here: {why}. {may}"


def restore_stored(found: StoredGame) -> tuple[GameHistory, Iterator[None]]:
    """Return a stored game's history and the steps that replay its record.

    The game becomes unplayable where the installed rules or data refuse a line, and before a line that differs from its
    proof. Raise Invalid for a rule set that is not installed.
    """
    game = found.game
    ruleset = load_with(game.ruleset, game.data)
    lines = [RecordLine(actor_named(ruleset, action.actor), action.text) for action in found.actions]
    known, kept, is_changed = why_not(ruleset, game), lines, False
    try:
        state = begin(ruleset, game.scenario, game.options)
    except Invalid as error:  # the closest possible beginning
        options = {name: value for name, value in game.options.items() if value in ruleset.options.get(name, ())}
        scenario = game.scenario if game.scenario in ruleset.scenarios else next(iter(ruleset.scenarios))
        state, known = ruleset.new_game(scenario, options), cannot_continue(str(error))
    if found.signing or found.proof:
        numbered = [(action.number, action.actor, action.text) for action in found.actions]
        try:
            expect_bound(game.id, found.key, found.signing, found.proof, numbered)
        except SealMismatch as error:
            _log.error("the game %s was changed in the database: %s", game.id, error)
            known, is_changed = cannot_continue(str(error)), True
            kept = lines[: error.line - 1] if error.line else lines
    history = GameHistory(ruleset, state, game.takebacks)

    def steps() -> Iterator[None]:
        done, why = 0, known
        for _ in replay_lines(history, kept):
            done += 1
            yield
        if not why and done < len(lines):  # without the text of the refused line, which may be secret
            other = version_difference(ruleset, game.version)
            refused = f"the installed rules refuse action {done + 1} of its record"
            why = cannot_continue(f"{refused}. It {other.why}" if other else refused)
        if why:
            outcome = result_from(ruleset, game.result)
            history.mark_unplayable(lines[done:], why, outcome, may_end=not is_changed)

    return history, steps()


def why_not(ruleset: TableRuleset, game: GameRow) -> str:
    """Return the reason why the rule set or data cannot continue a game, or ""."""
    other = incompatibility(ruleset, game.ruleset, game.data)
    return cannot_continue(f"it {other.why}") if other else ""


def replay_lines(history: GameHistory, lines: Iterable[RecordLine]) -> Iterator[None]:
    """Carry out record lines one by one, up to the first that is refused."""
    for number, line in enumerate(lines, 1):
        try:
            history.carry_out(line)
        except Exception as error:  # a rule set may fail in any way at a record that it never wrote
            _log.warning("line %d of a record is refused: %s", number, type(error).__name__)
            return
        yield


def result_from(ruleset: TableRuleset, sentence: str) -> Outcome | None:
    """Parse the outcome from its sentence in the list of games."""
    found = _RESULT.fullmatch(sentence)
    if found is None:
        return None
    sides = [side.capitalize() for side in ruleset.sides]
    winner = as_side(sides.index(found["winner"])) if found["winner"] in sides else None
    return Outcome(winner, found["how"], found["rule"] or "", int(found["year"]))


def bare_record(found: StoredGame) -> str:
    """Return the record of a game that cannot be replayed: all lines after the end, before it the public ones."""
    game, who = found.game, [seat.who for seat in found.seats[:2]]
    names = list(dict.fromkeys(action.actor for action in found.actions if action.actor != "chance"))
    players = dict(zip(names, who, strict=False))
    header = Header(
        game.ruleset, game.version, game.scenario, game.data, game.options, players, game.id, game.takebacks
    )
    lines = [(action.actor, action.text) for action in found.actions]
    public = [line for line in lines if game.has_ended or line[0] == "chance" or is_public(line[1])]
    return text_of(header, public, "")
