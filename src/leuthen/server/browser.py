"""Who asks: a browser by the key in its cookie, or a program by its seat's secret."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from litestar import Request, Response
from litestar.datastructures import Cookie

from leuthen.server.hall import Hall, hash_of, new_secret
from leuthen.server.problems import BAD, fault, unknown
from leuthen.server.room import Room
from leuthen.storage.rows import SeatRow

Asked: TypeAlias = Request[Any, Any, Any]
YEAR: Final = 365 * 24 * 3600
_BEARER: Final = "Bearer "


def hall_of(request: Asked) -> Hall:
    """The games of the server that was asked."""
    hall: Hall = request.app.state.hall
    return hall


def browser_of(request: Asked) -> str:
    """The hash of the browser's key, or "" if it has none yet."""
    key = request.cookies.get(_name(request), "")
    return hash_of(key) if key else ""


def known_browser(request: Asked) -> tuple[str, list[Cookie]]:
    """The hash of the browser's key, and the cookie that gives it one or lets it keep the one that it has."""
    key = request.cookies.get(_name(request), "") or new_secret()
    is_secure = request.url.scheme == "https"
    cookie = Cookie(
        _name(request), value=key, max_age=YEAR, path="/", secure=is_secure, httponly=True, samesite="strict"
    )
    return hash_of(key), [cookie]


def _name(request: Asked) -> str:
    return "__Host-leuthen" if request.url.scheme == "https" else "leuthen"


async def seat_of(request: Asked, seat: str) -> SeatRow:
    """The seat of that public id, if whoever asks sits there. Raises Fault: a foreign seat is as unknown as none."""
    hall = hall_of(request)
    row = await hall.seat(seat)
    said = request.headers.get("authorization", "")
    if said:
        is_own = said.startswith(_BEARER) and hash_of(said.removeprefix(_BEARER).strip()) == row.lock
    else:
        browser = browser_of(request)
        is_own = bool(browser) and await hall.has_seat(browser, seat)
    if not is_own:
        raise unknown()
    return row


async def sitting(request: Asked, seat: str) -> tuple[SeatRow, Room]:
    """The seat of that public id, and its game. Raises Fault as `seat_of` does."""
    row = await seat_of(request, seat)
    return row, await hall_of(request).room(row.game)


def with_cookies(content: Any, cookies: list[Cookie], status: int = 200) -> Response[Any]:
    """An answer that lets the browser keep its key."""
    return Response(content, status_code=status, cookies=cookies)


T = TypeVar("T")


async def read(request: Asked, kind: type[T]) -> T:
    """The request's body. Raises Fault, naming the field that is wrong but never what stood in it.

    Types are taken strictly: «1» is no number.
    """
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except msgspec.ValidationError as error:
        raise fault(BAD, "Not understood", str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise fault(BAD, "Not understood", "the body is no JSON that can be read") from None
