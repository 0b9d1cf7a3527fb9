"""The routes that look back: the chronicle, the turns, the position as it was seen then, the record."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from leuthen.engine.ruleset import EVERYTHING, WATCHER
from leuthen.play.record import STANDING, Header, text_of
from leuthen.play.table import end_words
from leuthen.server.http.browser import Asked, device_session_of, registry_of, sitting
from leuthen.server.session import schemas
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import Turn
from leuthen.server.session.problems import FOREIGN, GONE, UNKNOWN, Fault, fault
from leuthen.server.session.registry import GameRegistry
from leuthen.server.session.seat_log import Notification, Remembered
from leuthen.server.session.stranded import bare_record
from leuthen.storage import games as kept
from leuthen.storage.rows import SeatRow

PAGE: Final = 200
"""Lines of the chronicle in one answer, if no number is asked for."""
MOST: Final = 5000


@get("/api/seats/{seat:str}/chronicle")
async def chronicle(
    request: Asked,
    seat: FromPath[str],
    before: FromQuery[int | None] = None,
    count: FromQuery[int] = PAGE,
    viewer: FromQuery[int | None] = None,
) -> schemas.Chronicle:
    """Lines of the chronicle that came before number `before`, the last ones of them, oldest first.

    Lines that came with one number are never torn apart, so there may be a few more than `count`. After the end any
    viewer's chronicle may be read; the numbers are the seat's own all the same.
    """
    row, session = await sitting(request, seat)
    own, lines = session.history.logs[row.side], session.history.logs[eyes_of(row, session, viewer)].lines

    def number(line: Remembered) -> int:
        return own.number_at(line.line) if lines is not own.lines else line.n

    end = len(lines) if before is None else bisect_left(lines, before, key=number)
    start = max(0, end - min(max(count, 1), MOST))
    while 0 < start < end and number(lines[start - 1]) == number(lines[start]):
        start -= 1
    told = [
        schemas.ChronicleLine(number(line), line.turn, session.seat_view.told(line.what)) for line in lines[start:end]
    ]
    return schemas.Chronicle(tuple(told), start > 0)


def eyes_of(row: SeatRow, session: GameSession, viewer: int | None) -> int:
    """With whose eyes a seat looks back. Raises Fault for others' before the end."""
    if viewer is None or viewer == row.side:
        return row.side
    if session.history.outcome is None or not 0 <= viewer <= EVERYTHING:
        raise fault(FOREIGN, "Not for your eyes", "With other eyes one may look back only when the game has ended.")
    return viewer


@get("/api/seats/{seat:str}/turns")
async def turns(request: Asked, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> schemas.Turns:
    """The turns so far, with the scores as the seat saw them then; after the end as any viewer did."""
    row, session = await sitting(request, seat)
    eyes, began = eyes_of(row, session, viewer), session.history.turns_of(row.side)
    marks: list[schemas.TurnMark] = []
    await _replay(request, row, (step for turn in began for step in mark_turn(marks, session, row.side, eyes, turn)))
    return schemas.Turns(tuple(marks))


def mark_turn(marks: list[schemas.TurnMark], session: GameSession, side: int, eyes: int, turn: Turn) -> Iterator[None]:
    """Adds a turn as a viewer saw it begin, with the number of the seat's own news, in small steps."""
    for scores in session.scores_at(eyes, turn.line - 1):
        if scores is not None:
            n = session.history.logs[side].number_at(turn.line - 1)
            marks.append(schemas.TurnMark(n, turn.year, turn.turn, scores))
        yield


async def _replay(request: Asked, row: SeatRow, steps: Iterable[object]) -> None:
    """Plays again what a seat looks back at. Raises Fault if it asks too much."""
    replaying = registry_of(request).replaying
    with replaying.place(row.id):
        await replaying.gently(row.id, steps)


@get("/api/seats/{seat:str}/past")
async def past(
    request: Asked, seat: FromPath[str], n: FromQuery[int], viewer: FromQuery[int | None] = None
) -> schemas.Past:
    """The position as it stood after the seat's news number `n`; after the end with any viewer's eyes."""
    row, session = await sitting(request, seat)
    log = session.history.logs[row.side]
    eyes = eyes_of(row, session, viewer)
    if not 0 <= n <= log.n:
        raise fault(UNKNOWN, "No such number", f"Your news are numbered from 0 to {log.n}.")
    line = log.news[n].line
    history = session.history
    table, steps = history.way_to(line)
    await _replay(request, row, steps)
    return schemas.Past(n, session.seat_view.scene_of(history.as_told(table, line, eyes), eyes))


@get("/api/seats/{seat:str}/record", media_type="text/plain")
async def record(request: Asked, seat: FromPath[str]) -> Response[str]:
    """The whole record once the game has ended; while it goes on, what the seat may know of it."""
    row = (await device_session_of(request, seat)).seat
    text = await _record_of(registry_of(request), row)
    headers = {"Content-Disposition": f'attachment; filename="leuthen-{row.game}.txt"'}
    return Response(text, media_type="text/plain", headers=headers)


async def _record_of(registry: GameRegistry, row: SeatRow) -> str:
    """What a seat may have of a record: it is given out even if the game cannot be shown any more."""
    try:
        session = await registry.session(row.game)
    except Fault as error:
        found = await registry.storage.read(lambda rows: kept.find_game(rows, row.game))
        if error.problem.status != GONE or found is None:
            raise
        return bare_record(found)
    return whole_record(session) if session.history.outcome is not None else account(session, row.side)


def whole_record(session: GameSession) -> str:
    """The record of a game as a file has it."""
    game, table = session.seat_view.game, session.history.table
    who = [seat.who for seat in session.broadcaster.seats[:2]]
    players = ["human" if name == "person" else name for name in who]
    seats = dict(zip(session.ruleset.sides, players, strict=True))
    header = Header(game.ruleset, game.version, game.scenario, game.data, game.options, seats, game.id, game.takebacks)
    end = end_words(table)
    if session.history.stranded:
        end = f"{end.rpartition(' ')[0]} -"  # the last position is not known here
    return text_of(header, ((table.name(actor), text) for actor, text in session.history.record), end)


def account(session: GameSession, side: int) -> str:
    """A running game as a seat may know it: its own orders as the record has them, and what it was told."""
    game = session.seat_view.game
    head = f"leuthen account, of a game that goes on\nruleset {game.ruleset} {game.version}\nscenario {game.scenario}\n"
    told = [
        (notification.n, line)
        for before, notification in pairwise(session.history.logs[side].news)
        for line in _told(
            session,
            side,
            notification,
            notification.line != before.line and notification.line not in session.history.lost,
        )
    ]
    told += _instructions(session, side)
    return head + "".join(f"{n:>5} {line}\n" for n, line in sorted(told, key=itemgetter(0)))


def _instructions(session: GameSession, side: int) -> Iterator[tuple[int, str]]:
    """The lines of a seat's standing instructions, which have no number of their own, with the last one before."""
    for line, (actor, text) in enumerate(session.history.record):
        if actor == side and text.startswith(f"{STANDING} "):
            yield session.history.logs[side].number_at(line), f"{session.history.table.name(side)} {text}"


def _told(session: GameSession, side: int, notification: Notification, is_order: bool) -> Iterator[str]:
    actor, text = session.history.record[notification.line] if is_order else (WATCHER, "")
    if actor == side and side < 2 and not text.startswith(f"{STANDING} "):
        yield f"{session.history.table.name(side)} {text}"
    for what in notification.told:
        told = session.seat_view.told(what)
        yield f"* {told.text}"


ROUTES: list[Any] = [chronicle, turns, past, record]
