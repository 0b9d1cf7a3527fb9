"""A record becomes a game again: to look at it, or to play on from where it broke off."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

from litestar import Response, post

from leuthen.load import load
from leuthen.play import end_words
from leuthen.record import Recorded, RecordError, parse
from leuthen.replay import Replay
from leuthen.server import wire
from leuthen.server.browser import Asked, hall_of, known_browser, with_cookies
from leuthen.server.course import Course
from leuthen.server.hall import carry_out_all, lines_of
from leuthen.server.make import ME, seat_game

SECONDS: Final = 30.0
"""A record that takes longer to be played is refused."""
_NAME: Final = Path("the record")


@post("/api/import", media_type="application/json")
async def take_in(request: Asked) -> Response[wire.Made]:
    """Makes a game of a record (text/plain). Whoever brings it sits on both sides."""
    recorded = parse(_NAME, await request.body())
    if recorded.torn:
        raise RecordError(_NAME, "its last line has no end", len(recorded.lines) + 1)
    course = await asyncio.to_thread(play_again, recorded)
    browser, cookies = known_browser(request)
    header = recorded.header
    new = wire.NewGame((ME, ME), header.ruleset, header.scenario, title="A game brought in")
    made = await seat_game(hall_of(request), browser, course, new, dict(header.options))
    return with_cookies(made, cookies, 201)


def play_again(recorded: Recorded) -> Course:
    """The course of a record. Raises RecordError or Invalid, naming the line."""
    ruleset = load(recorded.header.ruleset)
    course = Course(ruleset, Replay(ruleset, recorded).table.state)
    carry_out_all(course, lines_of(ruleset, ((entry.actor, entry.text) for entry in recorded.entries)), SECONDS)
    if recorded.end and recorded.end != end_words(course.table):
        raise RecordError(_NAME, "does not end as the game that it records does", len(recorded.lines))
    return course


ROUTES: list[Any] = [take_in]
