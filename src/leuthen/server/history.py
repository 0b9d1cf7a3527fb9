"""The routes that look back: the chronicle, the turns, the position as it was seen then, the record."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from leuthen.core.ruleset import EVERYTHING
from leuthen.play import end_words, header_of
from leuthen.record import text_of
from leuthen.server import wire
from leuthen.server.browser import Asked, sitting
from leuthen.server.course import Turn
from leuthen.server.problems import FOREIGN, UNKNOWN, fault
from leuthen.server.room import Room
from leuthen.server.track import Heard, Track

PAGE: Final = 200
"""Lines of the chronicle in one answer, if no number is asked for."""
MOST: Final = 5000


@get("/api/seats/{seat:str}/chronicle")
async def chronicle(
    request: Asked, seat: FromPath[str], before: FromQuery[int | None] = None, count: FromQuery[int] = PAGE
) -> wire.Chronicle:
    """Lines of the chronicle that came before number `before`, the last ones of them, oldest first.

    Lines that came with one number are never torn apart, so there may be a few more than `count`.
    """
    row, room = await sitting(request, seat)
    lines = room.course.tracks[row.side].lines
    end = len(lines) if before is None else next((at for at, line in enumerate(lines) if line.n >= before), len(lines))
    start = max(0, end - min(max(count, 1), MOST))
    while start > 0 and lines[start - 1].n == lines[start].n:
        start -= 1
    told = [wire.ChronicleLine(line.n, line.turn, room.glance.told(line.what)) for line in lines[start:end]]
    return wire.Chronicle(tuple(told), start > 0)


@get("/api/seats/{seat:str}/turns")
async def turns(request: Asked, seat: FromPath[str]) -> wire.Turns:
    """The turns so far, with the scores as the seat saw them then."""
    row, room = await sitting(request, seat)
    marks = await asyncio.to_thread(lambda: tuple(turn_mark(room, row.side, turn) for turn in room.course.turns))
    return wire.Turns(marks)


def turn_mark(room: Room, side: int, turn: Turn) -> wire.TurnMark:
    """A turn as a seat saw it begin."""
    n = _number_at(room.course.tracks[side], turn.line - 1)
    return wire.TurnMark(n, turn.year, turn.turn, room.scores_at(side, turn.line - 1))


def _number_at(track: Track, line: int) -> int:
    """The last number that came of a line of the record up to this one."""
    last: Heard = next(heard for heard in reversed(track.news) if heard.line <= line)
    return last.n


@get("/api/seats/{seat:str}/past")
async def past(
    request: Asked, seat: FromPath[str], n: FromQuery[int], viewer: FromQuery[int | None] = None
) -> wire.Past:
    """The position as it stood after the seat's news number `n`; after the end with any viewer's eyes."""
    row, room = await sitting(request, seat)
    track = room.course.tracks[row.side]
    eyes = row.side if viewer is None else viewer
    if eyes != row.side and (room.course.outcome is None or not 0 <= eyes <= EVERYTHING):
        raise fault(FOREIGN, "Not for your eyes", "With other eyes one may look back only when the game has ended.")
    if not 0 <= n <= track.n:
        raise fault(UNKNOWN, "No such number", f"Your news are numbered from 0 to {track.n}.")
    line = track.news[n].line
    scene = await asyncio.to_thread(lambda: room.glance.scene_of(room.course.at(line).state, eyes))
    return wire.Past(n, scene)


@get("/api/seats/{seat:str}/record", media_type="text/plain")
async def record(request: Asked, seat: FromPath[str]) -> Response[str]:
    """The whole record once the game has ended; while it goes on, what the seat may know of it."""
    row, room = await sitting(request, seat)
    text = whole_record(room) if room.course.outcome is not None else account(room, row.side)
    headers = {"Content-Disposition": f'attachment; filename="leuthen-{room.id}.txt"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def whole_record(room: Room) -> str:
    """The record of a game as a file has it."""
    game, table = room.glance.game, room.course.table
    who = [seat.who for seat in room.feed.seats[:2]]
    header = header_of(
        room.ruleset, game.scenario, game.options, ["human" if name == "person" else name for name in who]
    )
    return text_of(header, ((table.name(actor), text) for actor, text in room.course.record), end_words(table))


def account(room: Room, side: int) -> str:
    """A running game as a seat may know it: its own orders as the record has them, and what it was told."""
    game = room.glance.game
    head = f"leuthen account, of a game that goes on\nruleset {game.ruleset} {game.version}\nscenario {game.scenario}\n"
    news = room.course.tracks[side].news[1:]
    return head + "".join(f"{line}\n" for heard in news for line in _told(room, side, heard))


def _told(room: Room, side: int, heard: Heard) -> Iterator[str]:
    actor, text = room.course.record[heard.line]
    if actor == side and side < 2:
        yield f"{heard.n:>5} {room.course.table.name(side)} {text}"
    for what in heard.told:
        told = room.glance.told(what)
        yield f"{heard.n:>5} * {told.text}"


ROUTES: list[Any] = [chronicle, turns, past, record]
