"""The cost class of every route: the one table by which an address is let through or told to wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Cost(NamedTuple):
    """How a request is limited.

    `counted` names the rate in `Rates` of which it takes one, "" for none beside the rate of all requests. The server
    time that a request takes is measured and charged in any case; with `waits` it is refused while its address has
    used up its share.
    """

    counted: str = ""
    waits: bool = True


READY: Final = Cost(waits=False)
"""Made once and sent as it is, or needed to see whether the server works."""
LOOK: Final = Cost()
MAKE: Final = Cost("making")
TAKE: Final = Cost("taking")
BRING: Final = Cost("bringing")
TALK: Final = Cost("talking")
CALL: Final = Cost("calling")

_SEAT: Final = "/api/seats/{seat}"
COSTS: Final[Mapping[str, Cost]] = {
    # pages and files
    "GET /": READY,
    "GET /learn": READY,
    "GET /seat": READY,
    "GET /verify": READY,
    "GET /table/{seat}": READY,
    "GET /campaign/{seat}": READY,
    "GET /static/{path}": READY,
    "GET /favicon.ico": READY,
    "GET /map/{name}": READY,
    "GET /schema": READY,
    "GET /schema/openapi.json": READY,
    "GET /schema/{path}": READY,
    "GET /healthz": READY,
    "GET /api/rulesets": READY,
    "GET /api/rulesets/{name}": READY,
    "GET /api/rulesets/{name}/rules": READY,
    "GET /api/school/drills": READY,
    # what makes a game, a seat, a link or a file
    "POST /api/games": MAKE,
    "POST /api/school/lessons": MAKE,
    "POST /api/school/drills": MAKE,
    f"POST {_SEAT}/rematch": MAKE,
    f"POST {_SEAT}/link": MAKE,
    f"POST {_SEAT}/report": MAKE,
    "POST /api/import": BRING,
    "POST /api/take": TAKE,
    # what is sent to everybody at a table
    f"POST {_SEAT}/chat": TALK,
    f"PUT {_SEAT}/player": CALL,
    # a browser
    "GET /api/home": LOOK,
    "GET /api/school": LOOK,
    "POST /api/browser": LOOK,
    "GET /api/import/{key}": LOOK,
    # a seat
    f"GET {_SEAT}": LOOK,
    f"GET {_SEAT}/stream": LOOK,
    f"POST {_SEAT}/orders": LOOK,
    f"POST {_SEAT}/moves": LOOK,
    f"POST {_SEAT}/form": LOOK,
    f"GET {_SEAT}/layer": LOOK,
    f"GET {_SEAT}/odds": LOOK,
    f"GET {_SEAT}/about": LOOK,
    f"GET {_SEAT}/left": LOOK,
    f"GET {_SEAT}/advice": LOOK,
    f"GET {_SEAT}/standing": LOOK,
    f"PUT {_SEAT}/standing": LOOK,
    f"POST {_SEAT}/standing/form": LOOK,
    f"GET {_SEAT}/staff": LOOK,
    f"POST {_SEAT}/staff/missions": LOOK,
    f"POST {_SEAT}/staff/form": LOOK,
    f"POST {_SEAT}/staff/sign": LOOK,
    f"DELETE {_SEAT}/staff/sign": LOOK,
    f"GET {_SEAT}/chronicle": LOOK,
    f"GET {_SEAT}/turns": LOOK,
    f"GET {_SEAT}/story": LOOK,
    f"GET {_SEAT}/past": LOOK,
    f"GET {_SEAT}/record": LOOK,
    f"GET {_SEAT}/report": LOOK,
    f"GET {_SEAT}/lesson": LOOK,
    f"GET {_SEAT}/drill": LOOK,
    f"GET {_SEAT}/chat": LOOK,
    f"GET {_SEAT}/notes": LOOK,
    f"PUT {_SEAT}/notes": LOOK,
    f"GET {_SEAT}/devices": LOOK,
    f"POST {_SEAT}/devices/known": LOOK,
    f"DELETE {_SEAT}/devices/{{number}}": LOOK,
    f"DELETE {_SEAT}/devices": LOOK,
    f"POST {_SEAT}/chain": LOOK,
    f"POST {_SEAT}/share": LOOK,
    f"POST {_SEAT}/seen": LOOK,
    f"GET {_SEAT}/blocks": LOOK,
}
"""By method and path, as the routes have them. HEAD costs what GET does."""


def cost_of(method: str, template: str) -> Cost:
    """The cost class of a route. A route that is not in the table is limited like a look at a game."""
    return COSTS.get(f"{'GET' if method == 'HEAD' else method} {template}", LOOK)
