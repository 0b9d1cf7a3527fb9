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
from leuthen.server import wire
from leuthen.server.browser import Asked, hall_of, session_of, sitting
from leuthen.server.course import Turn
from leuthen.server.hall import Hall
from leuthen.server.problems import FOREIGN, GONE, UNKNOWN, Fault, fault
from leuthen.server.room import Room
from leuthen.server.stranded import bare_record
from leuthen.server.track import Heard, Remembered
from leuthen.storage import store as kept
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
) -> wire.Chronicle:
    """Lines of the chronicle that came before number `before`, the last ones of them, oldest first.

    Lines that came with one number are never torn apart, so there may be a few more than `count`. After the end any
    viewer's chronicle may be read; the numbers are the seat's own all the same.
    """
    row, room = await sitting(request, seat)
    own, lines = room.course.tracks[row.side], room.course.tracks[eyes_of(row, room, viewer)].lines

    def number(line: Remembered) -> int:
        return own.number_at(line.line) if lines is not own.lines else line.n

    end = len(lines) if before is None else bisect_left(lines, before, key=number)
    start = max(0, end - min(max(count, 1), MOST))
    while 0 < start < end and number(lines[start - 1]) == number(lines[start]):
        start -= 1
    told = [wire.ChronicleLine(number(line), line.turn, room.glance.told(line.what)) for line in lines[start:end]]
    return wire.Chronicle(tuple(told), start > 0)


def eyes_of(row: SeatRow, room: Room, viewer: int | None) -> int:
    """With whose eyes a seat looks back. Raises Fault for others' before the end."""
    if viewer is None or viewer == row.side:
        return row.side
    if room.course.outcome is None or not 0 <= viewer <= EVERYTHING:
        raise fault(FOREIGN, "Not for your eyes", "With other eyes one may look back only when the game has ended.")
    return viewer


@get("/api/seats/{seat:str}/turns")
async def turns(request: Asked, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> wire.Turns:
    """The turns so far, with the scores as the seat saw them then; after the end as any viewer did."""
    row, room = await sitting(request, seat)
    eyes, began = eyes_of(row, room, viewer), room.course.turns_of(row.side)
    marks: list[wire.TurnMark] = []
    await _replay(request, row, (step for turn in began for step in mark_turn(marks, room, row.side, eyes, turn)))
    return wire.Turns(tuple(marks))


def mark_turn(marks: list[wire.TurnMark], room: Room, side: int, eyes: int, turn: Turn) -> Iterator[None]:
    """Adds a turn as a viewer saw it begin, with the number of the seat's own news, in small steps."""
    for scores in room.scores_at(eyes, turn.line - 1):
        if scores is not None:
            n = room.course.tracks[side].number_at(turn.line - 1)
            marks.append(wire.TurnMark(n, turn.year, turn.turn, scores))
        yield


async def _replay(request: Asked, row: SeatRow, steps: Iterable[object]) -> None:
    """Plays again what a seat looks back at. Raises Fault if it asks too much."""
    replaying = hall_of(request).replaying
    with replaying.place(row.id):
        await replaying.gently(row.id, steps)


@get("/api/seats/{seat:str}/past")
async def past(
    request: Asked, seat: FromPath[str], n: FromQuery[int], viewer: FromQuery[int | None] = None
) -> wire.Past:
    """The position as it stood after the seat's news number `n`; after the end with any viewer's eyes."""
    row, room = await sitting(request, seat)
    track = room.course.tracks[row.side]
    eyes = eyes_of(row, room, viewer)
    if not 0 <= n <= track.n:
        raise fault(UNKNOWN, "No such number", f"Your news are numbered from 0 to {track.n}.")
    line = track.news[n].line
    course = room.course
    table, steps = course.way_to(line)
    await _replay(request, row, steps)
    return wire.Past(n, room.glance.scene_of(course.as_told(table, line, eyes), eyes))


@get("/api/seats/{seat:str}/record", media_type="text/plain")
async def record(request: Asked, seat: FromPath[str]) -> Response[str]:
    """The whole record once the game has ended; while it goes on, what the seat may know of it."""
    row = (await session_of(request, seat)).seat
    text = await _record_of(hall_of(request), row)
    headers = {"Content-Disposition": f'attachment; filename="leuthen-{row.game}.txt"'}
    return Response(text, media_type="text/plain", headers=headers)


async def _record_of(hall: Hall, row: SeatRow) -> str:
    """What a seat may have of a record: it is given out even if the game cannot be shown any more."""
    try:
        room = await hall.room(row.game)
    except Fault as error:
        found = await hall.store.read(lambda connection: kept.find_game(connection, row.game))
        if error.problem.status != GONE or found is None:
            raise
        return bare_record(found)
    return whole_record(room) if room.course.outcome is not None else account(room, row.side)


def whole_record(room: Room) -> str:
    """The record of a game as a file has it."""
    game, table = room.glance.game, room.course.table
    who = [seat.who for seat in room.feed.seats[:2]]
    players = ["human" if name == "person" else name for name in who]
    seats = dict(zip(room.ruleset.sides, players, strict=True))
    header = Header(game.ruleset, game.version, game.scenario, game.data, game.options, seats, game.id, game.takebacks)
    end = end_words(table)
    if room.course.stranded:
        end = f"{end.rpartition(' ')[0]} -"  # the last position is not known here
    return text_of(header, ((table.name(actor), text) for actor, text in room.course.record), end)


def account(room: Room, side: int) -> str:
    """A running game as a seat may know it: its own orders as the record has them, and what it was told."""
    game = room.glance.game
    head = f"leuthen account, of a game that goes on\nruleset {game.ruleset} {game.version}\nscenario {game.scenario}\n"
    told = [
        (heard.n, line)
        for before, heard in pairwise(room.course.tracks[side].news)
        for line in _told(room, side, heard, heard.line != before.line and heard.line not in room.course.lost)
    ]
    told += _instructions(room, side)
    return head + "".join(f"{n:>5} {line}\n" for n, line in sorted(told, key=itemgetter(0)))


def _instructions(room: Room, side: int) -> Iterator[tuple[int, str]]:
    """The lines of a seat's standing instructions, which have no number of their own, with the last one before."""
    for line, (actor, text) in enumerate(room.course.record):
        if actor == side and text.startswith(f"{STANDING} "):
            yield room.course.tracks[side].number_at(line), f"{room.course.table.name(side)} {text}"


def _told(room: Room, side: int, heard: Heard, is_order: bool) -> Iterator[str]:
    actor, text = room.course.record[heard.line] if is_order else (WATCHER, "")
    if actor == side and side < 2 and not text.startswith(f"{STANDING} "):
        yield f"{room.course.table.name(side)} {text}"
    for what in heard.told:
        told = room.glance.told(what)
        yield f"* {told.text}"


ROUTES: list[Any] = [chronicle, turns, past, record]
