"""The routes of the staff's report on a game that has ended."""

from __future__ import annotations

from typing import Final

from litestar import get, post
from litestar.params import FromPath

from leuthen.server.http.browser import Routes, registry_of, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session.report_answers import Reported


@get("/api/seats/{seat:str}/report")
async def report(request: Asked, seat: FromPath[str]) -> Reported:
    """The staff's report on a game that has ended, or how far it is. While the game goes on it is refused."""
    asker = await seat_of(request, seat)
    return await registry_of(request).reports.of(asker.session, asker.side)


@post("/api/seats/{seat:str}/report", status_code=200)
async def begin_report(request: Asked, seat: FromPath[str]) -> Reported:
    """Has the staff's report made, in the background. Asked again it says how far it is; nothing is made twice."""
    asker = await seat_of(request, seat)
    return await registry_of(request).reports.begin(asker.session, asker.side)


ROUTES: Final[Routes] = [report, begin_report]
"""The report."""
