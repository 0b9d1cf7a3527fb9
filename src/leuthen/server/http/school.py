"""The routes of the school: its lessons, a new one, and where a pupil stands in his."""

from __future__ import annotations

from typing import Final

from litestar import Response, post
from litestar.params import FromPath, FromQuery

from leuthen.server.http.browser import Routes, browser_of, get, known_browser, read, registry_of, seat_of, with_cookies
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages, schooling
from leuthen.server.session.create import begin_lesson
from leuthen.server.session.messages import Drilling, Drills, School, Schooling


@get("/api/school")
async def list_lessons(request: Asked) -> School:
    """The lessons, in the order in which they are taken, and which of them this browser has begun."""
    return await schooling.school(registry_of(request), browser_of(request))


@post("/api/school/lessons")
async def new_lesson(request: Asked) -> Response[messages.Made]:
    """Makes a game of a lesson, at which this browser sits."""
    visitor, cookies = known_browser(request)
    asked = await read(request, messages.Learn)
    return with_cookies(await begin_lesson(registry_of(request), visitor, asked.name), cookies, 201)


@get("/api/seats/{seat:str}/lesson")
async def see_lesson(request: Asked, seat: FromPath[str]) -> Schooling:
    """Where the seat stands in its lesson."""
    asker = await seat_of(request, seat)
    return await schooling.see_lesson(asker.session, asker.side)


@get("/api/school/drills")
async def drills(ruleset: FromQuery[str]) -> Drills:
    """The drills of a rule set, by rule."""
    return schooling.list_drills(ruleset)


@post("/api/school/drills")
async def new_drill(request: Asked) -> Response[messages.Made]:
    """Makes a game of a drill, at which this browser sits; drills that it has left are put away."""
    visitor, cookies = known_browser(request)
    asked = await read(request, messages.Learn)
    return with_cookies(await schooling.begin_drill(registry_of(request), visitor, asked.name), cookies, 201)


@get("/api/seats/{seat:str}/drill")
async def see_drill(request: Asked, seat: FromPath[str], answer: FromQuery[str] = "") -> Drilling:
    """The drill that the seat is asked; with `answer=none` it says that none of the orders may be given."""
    asker = await seat_of(request, seat)
    return schooling.drilling(asker.session, asker.side, answer)


ROUTES: Final[Routes] = [list_lessons, new_lesson, see_lesson, drills, new_drill, see_drill]
