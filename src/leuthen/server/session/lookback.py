"""Looking back at a game with a seat's knowledge: chronicle, turns, past positions, story and record."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final

import msgspec

from leuthen.engine.ruleset import EVERYTHING, WATCHER, SeatSide, ViewerId, as_viewer, is_side
from leuthen.play.record import STANDING
from leuthen.screen.story import DatedEntry, Moment, make_story
from leuthen.screen.values import Setting, Story
from leuthen.server.session import messages
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import ChronicleEntry, Notification, Turn, setting_of
from leuthen.server.session.limits import Lane
from leuthen.server.session.problems import FOREIGN, UNKNOWN, fault

MOST: Final = 200
"""Maximum number of chronicle lines in an answer, exceeded only to keep the lines of one number together."""


def viewer_for(session: GameSession, side: SeatSide, viewer: int | None) -> ViewerId:
    """Return the viewer whose knowledge a seat may use: its own, after the end any. Raise Fault."""
    if viewer is None or viewer == side:
        return side
    if session.history.outcome is None or not 0 <= viewer <= EVERYTHING:
        raise fault(FOREIGN, "Not for your eyes", "With other eyes one may look back only when the game has ended.")
    return as_viewer(viewer)


def chronicle(
    session: GameSession, side: SeatSide, before: int | None, count: int, viewer: int | None
) -> messages.ChroniclePage:
    """Return the last lines of a viewer's chronicle before a number of the seat, oldest first."""
    logs, entry_of = session.history.logs, session.seat_view.entry_of
    own, lines = logs[side], logs[viewer_for(session, side, viewer)].lines

    def number(line: ChronicleEntry) -> int:
        return own.number_at(line.line) if lines is not own.lines else line.n

    end = len(lines) if before is None else bisect_left(lines, before, key=number)
    start = max(0, end - min(max(count, 1), MOST))
    while 0 < start < end and number(lines[start - 1]) == number(lines[start]):
        start -= 1
    page = [messages.ChronicleLine(number(line), line.turn, entry_of(line.what)) for line in lines[start:end]]
    return messages.ChroniclePage(tuple(page), start > 0)


async def turns(session: GameSession, side: SeatSide, replaying: Lane, viewer: int | None) -> messages.Turns:
    """Return the turns so far, with the scores as the viewer saw them then."""
    asker = session.seats[side].id
    eyes, began, marks = viewer_for(session, side, viewer), session.history.turns_of(side), list[messages.TurnMark]()
    with replaying.place(asker):
        steps = (step for turn in began for step in _mark_turn(session, side, marks, eyes, turn))
        await replaying.gently(asker, steps)
    return messages.Turns(tuple(marks))


def _mark_turn(
    session: GameSession, side: SeatSide, marks: list[messages.TurnMark], eyes: ViewerId, turn: Turn
) -> Iterator[None]:
    for scores in session.scores_at(eyes, turn.line - 1):
        if scores is not None:
            n = session.history.logs[side].number_at(turn.line - 1)
            marks.append(messages.TurnMark(n, turn.year, turn.turn, scores))
        yield


async def past(session: GameSession, side: SeatSide, replaying: Lane, n: int, viewer: int | None) -> messages.PastScene:
    """Return the position after the seat's number `n`. Raise Fault."""
    asker = session.seats[side].id
    history, eyes = session.history, viewer_for(session, side, viewer)
    log = history.logs[side]
    if not 0 <= n <= log.n:
        raise fault(UNKNOWN, "No such number", f"Your news are numbered from 0 to {log.n}.")
    table, steps = history.way_to(line := log.news[n].line)
    with replaying.place(asker):
        await replaying.gently(asker, steps)
    return messages.PastScene(n, session.seat_view.scene_of(history.as_account_lines(table, line, eyes), eyes))


# --- the war as a story -----------------------------------------------------------------------------------------------


async def story(session: GameSession, side: SeatSide, replaying: Lane, viewer: int | None) -> bytes:
    """Return the war so far as text, in JSON, from what the viewer knew."""
    asker = session.seats[side].id
    eyes = viewer_for(session, side, viewer)

    async def make() -> bytes:
        marks, entries = (await turns(session, side, replaying, viewer)).turns, list[DatedEntry]()
        with replaying.place(asker):
            await replaying.gently(asker, date_entries(entries, session, eyes, len(marks)))
        return msgspec.json.encode(make_war(session, eyes, marks, entries))

    return await session.made_once(("story", side, eyes), session.content(side, eyes), make)


def date_entries(entries: list[DatedEntry], session: GameSession, eyes: ViewerId, turns: int) -> Iterator[None]:
    """Add a viewer's chronicle entries with their turns (at most `turns`), one per step."""
    for line in session.history.logs[eyes].lines[:]:  # the game may go on between two steps
        entries.append(DatedEntry(min(line.turn, turns), session.seat_view.entry_of(line.what)))
        yield


def make_war(
    session: GameSession, eyes: ViewerId, marks: Sequence[messages.TurnMark], entries: Sequence[DatedEntry]
) -> Story:
    setting = setting_of(session.ruleset)
    now = session.seat_view.scene_of(session.history.position(eyes), eyes)
    scores = {score.id: score.values for score in now.scores}
    moments = [Moment(mark.year, _date(setting, mark.turn), mark.scores) for mark in marks]
    moments.append(Moment(now.year, _date(setting, now.turn), scores))
    label, is_over = now.scores[0].label if now.scores else "", session.history.outcome is not None
    return make_story(setting.sides, moments, entries, label, is_over=is_over)


def _date(setting: Setting, turn: int) -> str:
    return setting.turns[turn - 1] if 0 < turn <= len(setting.turns) else str(turn)


# --- the record -------------------------------------------------------------------------------------------------------


async def record(session: GameSession, side: SeatSide, replaying: Lane) -> bytes:
    """Return the whole record once the game has ended; before that, what the seat may know of it."""
    asker = session.seats[side].id

    async def whole() -> bytes:
        return session.whole_record().encode()

    if session.history.outcome is not None:
        return await session.made_once("record", session.content(WATCHER, WATCHER), whole)
    lines = list[tuple[int, str]]()
    with replaying.place(asker):
        await replaying.gently(asker, account_in_steps(session, side, lines))
    return account(session, lines).encode()


def account_in_steps(session: GameSession, side: SeatSide, lines: list[tuple[int, str]]) -> Iterator[None]:
    """Add the lines of a running game that a seat may know: its own orders and its log entries.

    Each line has its notification number. Standing instructions have the last number before them.
    """
    history = session.history
    for before, notification in pairwise(list(history.logs[side].news)):
        is_order = notification.line != before.line and notification.line not in history.lost
        lines += ((notification.n, line) for line in _account_lines(session, side, notification, is_order))
        yield
    for line, (actor, text) in enumerate(history.record):
        if is_side(actor) and actor == side and text.startswith(f"{STANDING} "):
            lines.append((history.logs[side].number_at(line), f"{history.table.name(actor)} {text}"))


def account(session: GameSession, lines: Sequence[tuple[int, str]]) -> str:
    row = session.row
    head = f"leuthen account, of a game that goes on\nruleset {row.ruleset} {row.version}\nscenario {row.scenario}\n"
    return head + "".join(f"{n:>5} {line}\n" for n, line in sorted(lines, key=itemgetter(0)))


def _account_lines(session: GameSession, side: SeatSide, notification: Notification, is_order: bool) -> Iterator[str]:
    history = session.history
    actor, text = history.record[notification.line] if is_order else (WATCHER, "")
    if is_side(side) and actor == side and not text.startswith(f"{STANDING} "):
        yield f"{history.table.name(side)} {text}"
    for what in notification.entries:
        yield f"* {session.seat_view.entry_of(what).text}"
