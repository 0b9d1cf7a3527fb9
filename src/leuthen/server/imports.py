"""A record becomes a game again: to look at it, or to play on from where it broke off."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic
from typing import Any, Final

from litestar import Response, post

from leuthen.load import load_with
from leuthen.record import Recorded, RecordError, parse
from leuthen.replay import Replay
from leuthen.server import wire
from leuthen.server.attempt import Attempt
from leuthen.server.browser import Asked, hall_of, known_browser, with_cookies
from leuthen.server.course import Course, Line
from leuthen.server.make import ME, seat_game
from leuthen.server.stranded import MAY, strand
from leuthen.table import outcome_from

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
    visitor, cookies = known_browser(request)
    header = recorded.header
    new = wire.NewGame((ME, ME), header.ruleset, header.scenario, title="A game brought in", takebacks=header.takebacks)
    made = await seat_game(hall_of(request), visitor, course, new, dict(header.options))
    return with_cookies(made, cookies, 201)


def play_again(recorded: Recorded) -> Course:
    """The course of a record, with the actions that count: what was undone or taken back is not told again.

    A record of other rules or data is brought in as far as it is accepted, and stranded there. Raises RecordError,
    naming the line.
    """
    header = recorded.header
    ruleset, end = load_with(header.ruleset, header.data), monotonic() + SECONDS
    replay = Replay(ruleset, recorded, as_far=True)
    course = Course(ruleset, replay.table.state, header.takebacks)
    course.version, course.data = header.version, header.data
    try:
        for entry in replay:
            if monotonic() > end:
                raise TooLong(_NAME, f"takes too long to play: more than {SECONDS:.0f} s", entry.line)
    except TooLong:
        raise
    except RecordError:
        if not replay.foreign:
            raise
    for done in replay.table.log:
        _carry_out(course, Line(done.actor, ruleset.format_action(course.table.state, done.actor, done.action)))
    if replay.table.outcome != course.outcome:
        last = recorded.entries[-1]
        _carry_out(course, Line(ruleset.sides.index(last.actor), last.text))
    if replay.foreign:
        _strand(course, replay)
    return course


def _strand(course: Course, replay: Replay) -> None:
    """What the rules that are here do not accept stays in the record as it is."""
    recorded, names = replay.recorded, (*course.ruleset.sides, "chance")
    rest = [Line(names.index(e.actor), e.text) for e in recorded.entries[replay.done :] if e.actor in names]
    strand(
        course,
        rest,
        f"This game cannot go on here: it {replay.foreign}. {MAY}",
        outcome_from(course.ruleset, recorded.end),
    )


class TooLong(RecordError):
    """A record takes too long to be played."""


def _carry_out(course: Course, line: Line) -> None:
    attempt = Attempt(course)
    attempt.carry_out(line)
    course.accept(attempt)


ROUTES: list[Any] = [take_in]
