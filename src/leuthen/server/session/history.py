"""The course of a game: its table, its record, what each viewer was told of it, and attempts that may add to it.

A game that the rules or data that are here cannot go on with is stranded: it is shown as far as they accept its record;
the rest is told in the record's own words, to each seat what it may read. Such a game can be read, fetched as a record,
and ended by resigning or agreement, and nothing else.
"""

from __future__ import annotations

import logging
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, NamedTuple, Protocol, TypeVar, overload
from zlib import compress, decompress

import msgspec

from leuthen.engine.choice import Action
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
from leuthen.play.proof.ledger import NotBound, expect_bound
from leuthen.play.record import AGREE, CONSENT, FREE, RESIGN, STANDING, TAKE_BACK, UNDO, Header, text_of
from leuthen.play.replay import carry_out, foreign, in_words, is_public, may_read, other_version, outcome_in_words
from leuthen.play.table import STOP, NothingToUndo, Step, Table
from leuthen.school.lessons import begin
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.standing import Surprise
from leuthen.screen.values import LogEntry, Setting
from leuthen.storage.rows import GameRow, GameStatus, KeptGame

T = TypeVar("T")
_log = logging.getLogger(__name__)
CHECKPOINT: Final = 64
"""Lines at least between two positions that are kept, to look back."""


_MOST_ANSWERS: Final = 10_000
"""Answers in a row of chance, or that nobody had to choose: more is a fault of the rule set."""


class Falls(Protocol):
    """What answers for chance: dice, or what makes dice of several people's secrets and may have to wait for one."""

    def at(self, place: int, odds: Odds[T]) -> T:
        """The answer of chance at a place, the same whenever it is asked for."""

    def waits(self, place: int) -> bool:
        """Whether nothing can fall at a place yet."""


class RecordLine(NamedTuple):
    """A line of the record: who acted, and the text."""

    actor: ActorId
    text: str


class Notification(NamedTuple):
    """What a viewer is told with one number: events or sentences; how many of his last lines are void.

    After the record's line `line`, in turn `turn`, the position stood as he saw it then. From the place `begun` on in
    `told` the next turn has begun; at its end if none has.
    """

    n: int
    line: int
    turn: int
    told: tuple[object, ...] = ()
    dropped: int = 0
    begun: int = 0


class Remembered(NamedTuple):
    """A line of a viewer's chronicle."""

    n: int
    line: int
    turn: int
    what: object


class Chronicle(Sequence[Remembered]):
    """What a viewer was told, line by line; the last lines of it may become void."""

    def __init__(self, news: list[Notification]) -> None:
        self._news = news
        self._numbers = array("I")
        """By line, with which number it came."""
        self._came = array("i")
        """By line, of which line of the record it came."""

    def add(self, notification: Notification) -> None:
        """Takes in the next news."""
        left, count = len(self) - notification.dropped, len(notification.told)
        del self._numbers[left:], self._came[left:]
        self._numbers.extend([notification.n] * count)
        self._came.extend([notification.line] * count)

    def void_from(self, line: int) -> int:
        """How many lines there are from the first on that came of this line of the record or later."""
        first = next((at for at, came in enumerate(self._came) if came >= line), len(self))
        return len(self) - first

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Remembered: ...
    @overload
    def __getitem__(self, index: slice) -> list[Remembered]: ...
    def __getitem__(self, index: int | slice) -> Remembered | list[Remembered]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        n = self._numbers[at]
        _, line, turn, told, _, begun = self._news[n]
        place = at - bisect_left(self._numbers, n)
        return Remembered(n, line, turn + (place >= begun), told[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chronicle) and list(self) == list(other)


class SeatLog:
    """All that one viewer was told."""

    def __init__(self, table: Table) -> None:
        self.table = table
        """As it stood with the last news."""
        self.news = [Notification(0, -1, 0)]
        """By number, what was told; void lines are told of no more."""
        self.lines = Chronicle(self.news)
        """The chronicle."""
        self._reached = array("i", [-1])
        """By number: the last line of the record that the viewer has heard of."""

    @property
    def n(self) -> int:
        return len(self._reached) - 1

    def add(self, news: Sequence[Notification], table: Table) -> None:
        """Take in the next news, with which the table stands so."""
        self.table = table
        for notification in news:
            self.news.append(notification)
            self._reached.append(max(notification.line, self._reached[-1]))
            self.lines.add(notification)

    def number_at(self, line: int) -> int:
        """The number of the viewer's last news when the record had come to a line."""
        return bisect_right(self._reached, line) - 1


class Turn(NamedTuple):
    """A turn of the game, and the number of lines before it began."""

    year: int
    turn: int
    line: int


class Waypoint(NamedTuple):
    """A table as it stood after so many lines of the record, when nobody had drafts."""

    done: int
    table: Table
    """Without its position, unless it is that of the beginning."""
    position: bytes = b""

    def stand(self) -> Table:
        table = self.table.copy()
        if self.position:
            table.state = table.ruleset.restore(decompress(self.position))
        return table


class GameHistory:
    """A game as it stands. It changes only by an attempt that was accepted."""

    def __init__(self, ruleset: TableRuleset, state: object, takebacks: str = CONSENT) -> None:
        self.ruleset = ruleset
        self.table = Table(ruleset, state, takebacks=takebacks)
        self.record: list[RecordLine] = []
        self.logs: Mapping[ViewerId, SeatLog] = {viewer: SeatLog(self.table) for viewer in VIEWERS}
        self.turns = [Turn(*ruleset.date(state), 0)]
        self.counting = array("I")
        """The lines of the actions that count, as `table.log` has them."""
        self.open: tuple[tuple[int, ...], ...] = ((), (), ())
        """By actor: the lines of his drafts."""
        self.redo: tuple[tuple[str, ...], ...] = ((), (), ())
        """By actor: the orders that he took back, the last one last, as long as he gave no other since."""
        self.version, self.data = ruleset.version, ruleset.digest
        """Of the rules and the data that the game was begun with."""
        self.stranded = ""
        """Why the game cannot go on by the rules that are here."""
        self.lost = range(0)
        """The lines that they do not carry out."""
        self._waypoints = [Waypoint(0, self.table)]

    @property
    def outcome(self) -> Outcome | None:
        return self.table.outcome

    def position(self, viewer: ViewerId) -> object:
        """The position of which a viewer may have a view now."""
        return self.table.seen_by(viewer)

    def turns_of(self, viewer: ViewerId) -> tuple[Turn, ...]:
        """The turns that have begun as far as a viewer knows: not those that began by a draft of somebody else."""
        drafts = (lines[0] for actor, lines in enumerate(self.open) if lines and actor != viewer)
        hidden = min(drafts, default=len(self.record))
        return tuple(turn for turn in self.turns if turn.line <= hidden)

    def as_told(self, table: Table, line: int, viewer: ViewerId) -> object:
        """The position, on the table as it stood after a line, of which a viewer may have a view as he was told of it.

        What others did he is told of when it stands; by a line of his own he is told of nothing that they only try.
        """
        is_own = line >= 0 and self.record[line].actor == viewer
        return table.seen_by(viewer) if is_own else table.state

    def way_to(self, line: int) -> tuple[Table, Iterator[None]]:
        """A table that stands as after a line of the record when the steps were taken; -1 is the beginning."""
        waypoint = self._waypoints[bisect_right(self._waypoints, line + 1, key=attrgetter("done")) - 1]
        table, done = waypoint.stand(), waypoint.done
        return table, _carry_out_all(table, [self.record[n] for n in range(done, line + 1) if n not in self.lost])

    def at(self, line: int) -> Table:
        """The table as it stood after a line of the record; -1 is the beginning."""
        table, steps = self.way_to(line)
        for _ in steps:
            pass
        return table

    def strand(self, rest: Sequence[RecordLine], why: str) -> None:
        """The game goes no further by the rules that are here: each viewer is told why, and of the rest in words."""
        first = len(self.record)
        self.record.extend(rest)
        self.lost, self.stranded = range(first, len(self.record)), why
        for viewer, log in self.logs.items():
            lines = (in_words(self.table.name(actor), text) for actor, text in rest if may_read(viewer, actor, text))
            told = tuple(LogEntry("table", text, "") for text in (why, *lines))
            log.add(
                [Notification(log.n + 1, len(self.record) - 1, len(self.turns) - 1, told, 0, len(told))], self.table
            )

    def conclude(self, outcome: Outcome) -> None:
        """The game has ended so, by rules that are not here."""
        self.table = self.table.copy()
        self.table.conclude(outcome)

    def accept(self, transaction: GameTransaction) -> None:
        """Make what was tried count, now that it is on disk."""
        self.table = transaction.table
        self.table.record, self.table.observers = None, []
        self.record.extend(transaction.lines)
        self.turns, self.counting, self.open = transaction.turns, transaction.counting, transaction.open
        self.redo = transaction.redo
        for viewer, log in self.logs.items():
            if news := transaction.notifications[viewer]:
                log.add(news, self.table)
        if len(self.record) >= self._waypoints[-1].done + CHECKPOINT and not len(self.table.drafts):
            self._waypoints.append(self._here())

    def _here(self) -> Waypoint:
        table = self.table.copy()
        table.state = None
        return Waypoint(len(self.record), table, compress(self.ruleset.dump(self.table.state), 1))

    def is_stirred(self, viewer: ViewerId) -> bool:
        """Whether anything looks different to a viewer since the last news, of which he was not told."""
        before, now = self.logs[viewer].table.seen_by(viewer), self.position(viewer)
        return before is not now and bool(self.ruleset.view(before, viewer) != self.ruleset.view(now, viewer))


def _carry_out_all(table: Table, lines: Sequence[RecordLine]) -> Iterator[None]:
    for actor, text in lines:
        carry_out(table, table.name(actor), text)
        table.pass_on()
        yield


class GameTransaction:
    """Something tried on a copy of a game's table, with its new lines of the record and what each viewer would be told.

    It counts once these lines are on disk (`GameHistory.accept`). It is the record of its table, and observes it.
    """

    def __init__(self, history: GameHistory) -> None:
        self.history = history
        self.table = history.table.copy(self)
        self.table.record = self
        self.lines: list[RecordLine] = []
        self.turns = history.turns.copy()
        self.counting = history.counting[:]
        self.open = history.open
        self.redo = history.redo
        self.left: int | None = None
        """Of the actions that counted before, how many are left if any are taken back."""
        self.notifications: dict[ViewerId, list[Notification]] = {viewer: [] for viewer in VIEWERS}

    def told(self, viewer: ViewerId) -> list[LogEntry]:
        """What a viewer would be told, in order."""
        present = self.table.ruleset.presenter.present_event
        told = (what for news in self.notifications[viewer] for what in news.told)
        return [what if isinstance(what, LogEntry) else present(what) for what in told]

    def n(self, viewer: ViewerId) -> int:
        return self.history.logs[viewer].n + len(self.notifications[viewer])

    # --- what is done ------------------------------------------------------------------------------------------------

    def act(self, side: Side, text: str) -> None:
        """Carry out a side's order in the record's notation. Raise Invalid, Ambiguous or Illegal.

        What is refused is refused by what the side sees: the drafts of others make no difference.
        """
        table, ruleset = self.table, self.table.ruleset
        if table.outcome is not None:
            raise Invalid("the game has ended")
        seen = table.seen_by(side)
        action = ruleset.parse_action(seen, side, text)
        if seen is not table.state:
            ruleset.apply(seen, side, action)
        self.give(side, action)

    def give(self, actor: ActorId, action: Action) -> None:
        """Carry out an action. Raise Illegal."""
        self.table.act(actor, action)
        self.table.pass_on()

    def proceed(self, dice: Falls) -> None:
        """Answer for chance, and for a side that has only one answer, until somebody has something to choose.

        Nothing is answered in a game that cannot go on here.
        """
        table = self.table
        for _ in range(_MOST_ANSWERS):
            if self.history.stranded or table.outcome is not None:
                return
            if (chances := table.ruleset.chances(table.state)) and not dice.waits(table.place):
                self.give(CHANCE, dice.at(table.place, chances))
                continue
            if (forced := table.forced) is None:
                return
            self.give(*forced)
        raise RuntimeError("what answers itself is asked without end")

    def undo(self, side: Side) -> None:
        """Take back what a side chose last, with what was answered for it since. Raise NothingToUndo."""
        if not self.table.can_undo(side):
            raise NothingToUndo
        self.say(side, UNDO)
        while self.table.ruleset.forced(self.table.state, side) is not None:
            self.say(side, UNDO)

    def undo_waiting(self, side: Side) -> None:
        """Take back the order of a side whose die waits, though it was told. Raise NothingToUndo."""
        kept = self.table.waiting_order(side)
        if kept is None:
            raise NothingToUndo
        self.say(side, f"{TAKE_BACK} {kept}")

    def stand_in(self, side: Side, answer: Action | Surprise) -> None:
        """Let a standing instruction answer for its side as that would itself, or stop."""
        if isinstance(answer, Surprise):
            self.say(side, f"{STANDING} {STOP} {answer.reason}")
        else:
            self.give(side, answer)

    def release(self, side: Side) -> None:
        """Stop the side's instruction if it would give an answer again that was taken back."""
        if surprise := self.table.release(side):
            self.stand_in(side, surprise)

    def say(self, actor: ActorId, text: str) -> None:
        """Carry out a line of a record: a word of the table's own, a die, an action. Raise Invalid or Illegal.

        Everybody is told of what is no action of the rules.
        """
        word, _, rest = text.partition(" ")
        is_own = is_side(actor) and word == TAKE_BACK and self.table.is_waiting_order(actor, int(rest))
        carry_out(self.table, self.table.name(actor), text)
        self.table.pass_on()
        if not is_side(actor):
            return
        if word == STANDING:
            self._instructed(actor, rest)
        elif word == TAKE_BACK:
            self._taken_back(actor, int(rest), is_own=is_own)
        elif word in (RESIGN, AGREE):
            self._announce(actor, in_words(self.table.name(actor), text))

    def _instructed(self, side: Side, text: str) -> None:
        """Nobody else is told of a standing instruction, and its owner only that it stops."""
        word, _, reason = text.partition(" ")
        if word == STOP and not self.open[side]:
            said = LogEntry("table", f"The standing instruction is in force no longer: {reason}", "", side)
            for viewer in (side, EVERYTHING):
                self._tell(viewer, self._line, (said,))

    def _taken_back(self, side: Side, kept: int, *, is_own: bool) -> None:
        first, self.left = self.counting[kept], kept
        self.redo = ((), (), ())
        del self.counting[kept:]
        self._forget_turns(first)
        words = "takes back what has happened since." if self.table.takebacks == FREE else "grants a takeback."
        words = "takes back an order whose roll had to wait." if is_own else words
        self._announce(side, f"{self.table.name(side).capitalize()} {words}", first)

    def _announce(self, side: Side, text: str, void_from: int | None = None) -> None:
        said = LogEntry("table", text, "", side)
        for viewer in VIEWERS:
            dropped = 0 if void_from is None else self._void_from(viewer, void_from)
            self._tell(viewer, self._line, (said,), dropped)

    # --- what is heard meanwhile -------------------------------------------------------------------------------------

    def write(self, actor: str, text: str) -> None:
        """Note a line for the record; what it brings about comes next."""
        self.lines.append(RecordLine(actor_named(self.table.ruleset, actor), text))

    def acted(self, step: Step) -> None:
        """An action: its own actor is told at once."""
        line = self._line
        self._open(step.actor, (*self.open[step.actor], line))
        self._given_again(step.actor, line)
        self.counting.append(line)
        date = self.table.ruleset.date(step.transition.state)
        if date != self.turns[-1][:2]:
            self.turns.append(Turn(*date, line + 1))
        if is_side(step.actor):
            self._tell(step.actor, line, self._own_lines(step, step.actor))

    def undone(self, step: Step) -> None:
        """A draft was taken back: its actor alone hears of it."""
        assert is_side(step.actor)
        *left, line = self.open[step.actor]
        self._open(step.actor, tuple(left))
        self._redo(step.actor, (*self.redo[step.actor], self._text(line)))
        self.counting.remove(line)
        self._forget_turns(line)
        self._tell(step.actor, self._line, (), len(self._own_lines(step, step.actor)))

    def _own_lines(self, step: Step, side: Side) -> tuple[object, ...]:
        """What an actor is told of his own action; of one that was given for him, that he had nothing to choose."""
        events, ruleset = step.transition.events(side), self.table.ruleset
        if events or ruleset.forced(step.before, side) is None:
            return events
        asked = next(pending for pending in ruleset.pending(step.before) if pending.actor == side)
        return (LogEntry("table", f"{asked.decision}: there was nothing to choose.", asked.rule, side),)

    def stood(self, steps: Sequence[Step]) -> None:
        """Steps that count for good: everybody else is told of them."""
        for step in steps:
            line, *left = self.open[step.actor]
            self._open(step.actor, tuple(left))
            for viewer in VIEWERS:
                is_own = viewer == step.actor != CHANCE
                if not is_own and (told := step.transition.events(viewer)):
                    self._tell(viewer, line, told)

    @property
    def _line(self) -> int:
        return len(self.history.record) + len(self.lines) - 1

    def _tell(self, viewer: ViewerId, line: int, told: tuple[object, ...], dropped: int = 0) -> None:
        turn = bisect_right(self.turns, line, key=attrgetter("line")) - 1
        is_last = self.turns[turn + 1 :] and self.turns[turn + 1].line == line + 1
        begun = next(
            (at for at, what in enumerate(told) if is_last and isinstance(what, Event) and what.BEGINS_TURN), len(told)
        )
        self.notifications[viewer].append(Notification(self.n(viewer) + 1, line, turn, told, dropped, begun))

    def _open(self, actor: ActorId, lines: tuple[int, ...]) -> None:
        self.open = (*self.open[:actor], lines, *self.open[actor + 1 :])

    def _given_again(self, actor: ActorId, line: int) -> None:
        """Keep the orders that may be given again if this is the one that was taken back last; else forget them."""
        taken_back = self.redo[actor]
        if taken_back:
            self._redo(actor, taken_back[:-1] if self._text(line) == taken_back[-1] else ())

    def _redo(self, actor: ActorId, orders: tuple[str, ...]) -> None:
        self.redo = (*self.redo[:actor], orders, *self.redo[actor + 1 :])

    def _text(self, line: int) -> str:
        done = len(self.history.record)
        return (self.history.record[line] if line < done else self.lines[line - done]).text

    def _forget_turns(self, line: int) -> None:
        """The turns that began after a line that is void."""
        while self.turns[-1].line > line:
            self.turns.pop()

    def _void_from(self, viewer: ViewerId, line: int) -> int:
        """How many lines of a viewer's chronicle are void from a line of the record on."""
        return self.history.logs[viewer].lines.void_from(line) + sum(
            len(news.told) - news.dropped for news in self.notifications[viewer]
        )


# --- the list of games ------------------------------------------------------------------------------------------------


def status_of(game: GameTransaction | GameHistory, since: str) -> GameStatus:
    """What the list of games tells of a game, as everybody may know it."""
    ruleset, outcome, waiting = game.table.ruleset, game.table.outcome, 0
    position = game.table.seen_by(WATCHER)
    for pending in ruleset.pending(position) if outcome is None else ():
        if pending.actor != CHANCE:
            waiting |= 1 << pending.actor
    result = "" if outcome is None else outcome_in_words(ruleset, outcome)
    return GameStatus(date_of(ruleset, position), waiting, since, result, outcome is not None)


def changed_status(
    transaction: GameTransaction, game: GameRow, *, is_stranded: bool, now: Callable[[], str]
) -> GameStatus | None:
    """What the list of games has to tell now, if that changed. Drafts make no difference to it."""
    old = GameStatus(game.date, game.waiting, game.since, game.result, game.has_ended)
    new = status_of(transaction, game.since)
    if is_stranded:
        new = msgspec.structs.replace(new, date=game.date, waiting=0)
    if transaction.notifications[WATCHER] or new.waiting != old.waiting:
        new = msgspec.structs.replace(new, since=now())
    return None if new == old else new


def date_of(ruleset: TableRuleset, position: object) -> str:
    """The date of a position: «early April 1757». The January in which a year of war ends is the next year's."""
    year, turn = ruleset.date(position)
    turns = setting_of(ruleset).turns
    if not 0 < turn <= len(turns):
        return str(year)
    name = turns[turn - 1]
    return f"{name} {year + (turn == len(turns) and 'January' in name)}"


_SETTINGS: dict[str, Setting] = {}


def setting_of(ruleset: TableRuleset) -> Setting:
    """What never changes in a rule set, made once."""
    key = f"{ruleset.name} {ruleset.version} {ruleset.digest}"
    if key not in _SETTINGS:
        rulings = read_rulings(ruleset.name)
        _SETTINGS[key] = msgspec.structs.replace(ruleset.presenter.setting(), rulings=rulings)
    return _SETTINGS[key]


# --- a game brought back, or as much of it as the rules and data that are here accept ---------------------------------

MAY: Final = "It can be read, its record can be fetched, and it can be ended by resigning or by a draw."
_RESULT: Final = re.compile(r"(?:A draw|(?P<winner>\w+) wins): (?P<how>.*), (?P<year>\d+)(?: \((?P<rule>.*)\))?\.")


def bring_back(found: KeptGame) -> tuple[GameHistory, Iterator[None]]:
    """The course of a game as its record has it, once the steps were taken.

    It is stranded where the rules or data that are here cannot follow, and before a line that is not what its proof
    has bound. Raises Invalid for a rule set that is not here at all.
    """
    game = found.game
    ruleset = load_with(game.ruleset, game.data)
    lines = [RecordLine(actor_named(ruleset, action.actor), action.text) for action in found.actions]
    state, why = _beginning(ruleset, game)
    history = GameHistory(ruleset, state, game.takebacks)
    return history, _bring_back(history, lines, game, why or why_not(ruleset, game), _changed(found))


def _changed(found: KeptGame) -> NotBound | None:
    """Return what tells that a stored game is not what its proof has bound, if it is sealed. It is logged, too."""
    if not found.signing and not found.proof:
        return None
    lines = [(action.number, action.actor, action.text) for action in found.actions]
    try:
        expect_bound(found.game.id, found.key, found.signing, found.proof, lines)
    except NotBound as error:
        _log.error("the game %s was changed in the database: %s", found.game.id, error)
        return error
    return None


def _bring_back(
    history: GameHistory, lines: Sequence[RecordLine], game: GameRow, why: str, changed: NotBound | None
) -> Iterator[None]:
    done = 0
    for _ in in_steps(history, lines[: changed.line - 1] if changed is not None and changed.line else lines):
        done += 1
        yield
    if changed is not None:
        history.strand(lines[done:], f"This game cannot go on here: {changed}. {MAY}")
        if history.outcome is None and (outcome := result_from(history.ruleset, game.result)) is not None:
            history.conclude(outcome)
    elif why or done < len(lines):
        why = why or _refused(history.ruleset, game, done + 1)
        strand(history, lines[done:], why, result_from(history.ruleset, game.result))


def why_not(ruleset: TableRuleset, game: GameRow) -> str:
    """Why a game cannot go on by these rules, as far as its rule set and data tell; "" if it can."""
    other = foreign(ruleset, game.ruleset, game.data)
    return f"This game cannot go on here: it {other.why}. {MAY}" if other else ""


def _refused(ruleset: TableRuleset, game: GameRow, number: int) -> str:
    """Why a game whose data are here cannot go on. The text of the line is a secret."""
    other = other_version(ruleset, game.version)
    why = f" It {other.why}." if other else ""
    return f"This game cannot go on here: the rules that are here refuse action {number} of its record.{why} {MAY}"


def _beginning(ruleset: TableRuleset, game: GameRow) -> tuple[object, str]:
    """The set-up of a game, and "". If its scenario or an option is not known here, one that comes nearest, and why."""
    try:
        return begin(ruleset, game.scenario, game.options), ""
    except Invalid as error:
        known = {name: value for name, value in game.options.items() if value in ruleset.options.get(name, ())}
        scenario = game.scenario if game.scenario in ruleset.scenarios else next(iter(ruleset.scenarios))
        return ruleset.new_game(scenario, known), f"This game cannot go on here: {error}. {MAY}"


def in_steps(history: GameHistory, lines: Iterable[RecordLine]) -> Iterator[None]:
    """Carries out the lines of a record up to the first that is refused, each as a step."""
    for number, line in enumerate(lines, 1):
        transaction = GameTransaction(history)
        try:
            transaction.say(*line)
        except Exception as error:  # a rule set may fail in any way at a record that it never wrote
            _log.warning("line %d of a record is refused: %s", number, type(error).__name__)
            return
        history.accept(transaction)
        yield


def strand(history: GameHistory, rest: Sequence[RecordLine], why: str, outcome: Outcome | None) -> None:
    """The game goes no further here. If it ended by agreement, or is known to have ended, it has ended here too."""
    ending = [line for line in rest[-1:] if line.actor != CHANCE and line.text in (RESIGN, AGREE)]
    history.strand(rest[: len(rest) - len(ending)], why)
    for _ in in_steps(history, ending):
        pass
    if outcome is not None and history.outcome is None:
        history.conclude(outcome)


def result_from(ruleset: TableRuleset, sentence: str) -> Outcome | None:
    """The outcome that the list of games tells as a sentence."""
    found = _RESULT.fullmatch(sentence)
    if found is None:
        return None
    sides = [side.capitalize() for side in ruleset.sides]
    winner = as_side(sides.index(found["winner"])) if found["winner"] in sides else None
    return Outcome(winner, found["how"], found["rule"] or "", int(found["year"]))


def bare_record(found: KeptGame) -> str:
    """The record of a game that cannot be shown at all: all of it after the end, before what everybody may read."""
    game, who = found.game, [seat.who for seat in found.seats[:2]]
    names = list(dict.fromkeys(action.actor for action in found.actions if action.actor != "chance"))
    players = dict(zip(names, who, strict=False))
    header = Header(
        game.ruleset, game.version, game.scenario, game.data, game.options, players, game.id, game.takebacks
    )
    lines = [(action.actor, action.text) for action in found.actions]
    public = [line for line in lines if game.has_ended or line[0] == "chance" or is_public(line[1])]
    return text_of(header, public, "")
