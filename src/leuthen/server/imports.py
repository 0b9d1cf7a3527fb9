"""A record becomes a game again: to look at it, or to play on from where it broke off."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic
from typing import Any, Final

from litestar import Response, post

from leuthen.load import load
from leuthen.record import Recorded, RecordError, parse
from leuthen.replay import Replay
from leuthen.server import wire
from leuthen.server.attempt import Attempt
from leuthen.server.browser import Asked, hall_of, known_browser, with_cookies
from leuthen.server.course import Course, Line
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
    """The course of a record, with the actions that count: what was undone or taken back is not told again.

    Raises RecordError, naming the line.
    """
    ruleset, end = load(recorded.header.ruleset), monotonic() + SECONDS
    replay = Replay(ruleset, recorded)
    course = Course(ruleset, replay.table.state)
    for entry in replay:
        if monotonic() > end:
            raise RecordError(_NAME, f"takes too long to play: more than {SECONDS:.0f} s", entry.line)
    for actor, action in replay.table.log:
        _carry_out(course, Line(actor, ruleset.format_action(course.table.state, actor, action)))
    if replay.table.outcome != course.outcome:
        last = recorded.entries[-1]
        _carry_out(course, Line(ruleset.sides.index(last.actor), last.text))
    return course


def _carry_out(course: Course, line: Line) -> None:
    attempt = Attempt(course)
    attempt.carry_out(line)
    course.accept(attempt)


ROUTES: list[Any] = [take_in]
