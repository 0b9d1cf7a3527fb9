"""Looking back at a game with a seat's eyes: the chronicle, the turns, the record."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final

from leuthen.engine.ruleset import WATCHER, SeatSide, ViewerId, is_side
from leuthen.play.record import STANDING, text_of
from leuthen.screen import Setting
from leuthen.screen.story import DatedEntry, Moment, Story, make_story
from leuthen.server.session import answers
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import Turn
from leuthen.server.session.seal import ending, heading
from leuthen.server.session.seat_log import Notification, Remembered
from leuthen.server.session.status import setting_of

MOST: Final = 200
"""Lines of the chronicle in one answer; a few more if they came with one number."""


def chronicle(
    session: GameSession, side: SeatSide, eyes: ViewerId, before: int | None, count: int
) -> answers.ChroniclePage:
    """Lines of a viewer's chronicle before a number of the seat's own news, the last ones of them, oldest first."""
    own, lines = session.history.logs[side], session.history.logs[eyes].lines

    def number(line: Remembered) -> int:
        return own.number_at(line.line) if lines is not own.lines else line.n

    end = len(lines) if before is None else bisect_left(lines, before, key=number)
    start = max(0, end - min(max(count, 1), MOST))
    while 0 < start < end and number(lines[start - 1]) == number(lines[start]):
        start -= 1
    told = [
        answers.ChronicleLine(number(line), line.turn, session.seat_view.told(line.what)) for line in lines[start:end]
    ]
    return answers.ChroniclePage(tuple(told), start > 0)


def mark_turn(
    marks: list[answers.TurnMark], session: GameSession, side: SeatSide, eyes: ViewerId, turn: Turn
) -> Iterator[None]:
    """Adds a turn as a viewer saw it begin, with the number of the seat's own news, in small steps."""
    for scores in session.scores_at(eyes, turn.line - 1):
        if scores is not None:
            n = session.history.logs[side].number_at(turn.line - 1)
            marks.append(answers.TurnMark(n, turn.year, turn.turn, scores))
        yield


def date_entries(entries: list[DatedEntry], session: GameSession, eyes: ViewerId, turns: int) -> Iterator[None]:
    """Add the lines of a viewer's chronicle, each with the turn of `turns` in which it came, in small steps."""
    for line in session.history.logs[eyes].lines[:]:  # the game may go on between two steps
        entries.append(DatedEntry(min(line.turn, turns), session.seat_view.told(line.what)))
        yield


def story(
    session: GameSession, eyes: ViewerId, marks: Sequence[answers.TurnMark], entries: Sequence[DatedEntry]
) -> Story:
    """The story of a game as a viewer may know it: of his chronicle, and of the scores as he saw them."""
    setting, view = setting_of(session.ruleset), session.seat_view
    now = view.scene_of(session.history.position(eyes), eyes)
    scores = {score.id: score.values for score in now.scores}
    moments = [Moment(mark.year, _date(setting, mark.turn), mark.scores) for mark in marks]
    moments.append(Moment(now.year, _date(setting, now.turn), scores))
    label, is_over = now.scores[0].label if now.scores else "", session.history.outcome is not None
    return make_story(setting.sides, moments, entries, label, is_over=is_over)


def _date(setting: Setting, turn: int) -> str:
    return setting.turns[turn - 1] if 0 < turn <= len(setting.turns) else str(turn)


def whole_record(session: GameSession) -> str:
    """The record of a game as a file has it, with its proof."""
    history, seats = session.history, session.broadcaster.seats
    header = heading(session.seat_view.game, seats, session.ruleset.sides)
    end = ending(history.table, is_stranded=bool(history.stranded))
    record = text_of(header, ((history.table.name(actor), text) for actor, text in history.record), end)
    seal = session.seat_view.seal
    return record if seal is None else record + seal.proof(is_over=history.outcome is not None)


def account_in_steps(lines: list[tuple[int, str]], session: GameSession, side: SeatSide) -> Iterator[None]:
    """Add what a seat may know of a running game: its own orders as the record has them, and what it was told.

    Each line has the number of the seat's news with which it came.
    """
    for before, notification in pairwise(list(session.history.logs[side].news)):
        is_order = notification.line != before.line and notification.line not in session.history.lost
        lines += ((notification.n, line) for line in _told(session, side, notification, is_order))
        yield
    lines += _instructions(session, side)


def account(session: GameSession, lines: Sequence[tuple[int, str]]) -> str:
    """The text of a running game, of such lines."""
    game = session.seat_view.game
    head = f"leuthen account, of a game that goes on\nruleset {game.ruleset} {game.version}\nscenario {game.scenario}\n"
    return head + "".join(f"{n:>5} {line}\n" for n, line in sorted(lines, key=itemgetter(0)))


def _instructions(session: GameSession, side: SeatSide) -> Iterator[tuple[int, str]]:
    """The lines of a seat's standing instructions, which have no number of their own, with the last one before."""
    for line, (actor, text) in enumerate(session.history.record):
        if is_side(actor) and actor == side and text.startswith(f"{STANDING} "):
            yield session.history.logs[side].number_at(line), f"{session.history.table.name(actor)} {text}"


def _told(session: GameSession, side: SeatSide, notification: Notification, is_order: bool) -> Iterator[str]:
    actor, text = session.history.record[notification.line] if is_order else (WATCHER, "")
    if is_side(side) and actor == side and not text.startswith(f"{STANDING} "):
        yield f"{session.history.table.name(side)} {text}"
    for what in notification.told:
        told = session.seat_view.told(what)
        yield f"* {told.text}"
