"""The client's files and the maps, held in memory in the form in which they are sent.

A page refers to its files by the digest of all files, so that browsers can cache them permanently and never mix two
versions. In a checkout the script imports about a hundred modules, which are preloaded; a wheel contains one bundled
script and style sheet per page (`tools/bundle.py`).
"""

import gzip
import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path
from posixpath import dirname, normpath
from typing import Final

import msgspec
from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from leuthen.engine.ruleset import OTHER, SEATS, SeatSide, as_seat, is_side
from leuthen.load import has_sheet, table_sheet
from leuthen.play.proof.ledger import CORRESPONDENCE, LIVE
from leuthen.screen.values import ScenarioCard
from leuthen.server.http.browser import get, registry_of
from leuthen.server.security.request_guard import LOOK, READY, HttpRequest
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import setting_of
from leuthen.server.session.messages import Fault
from leuthen.wargame.names import format_count

CLIENT: Final = Path(__file__).parents[2] / "client"
PAGES: Final = {"/": "index.html"} | {
    f"/{name}": f"{name}.html" for name in ("learn", "seat", "verify", "table", "campaign")
}
_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_ASK_AGAIN: Final = "no-cache"
_LEAST: Final = 500
"""Minimum size in bytes for compression."""
_SCRIPT: Final = re.compile(r'<script type="module" src="/static/([^"]+)">')
_IMPORT: Final = re.compile(r'^import [^;]* from "([^"]+)";$', re.MULTILINE)


class File(msgspec.Struct, frozen=True):
    """A file as it is sent: plain and compressed, its type, and its entity tag."""

    plain: bytes
    packed: bytes
    kind: str
    tag: str


def pack(plain: bytes, kind: str) -> File:
    packed = gzip.compress(plain, 9, mtime=0) if len(plain) >= _LEAST else b""
    tag = hashlib.blake2b(plain, digest_size=12).hexdigest()
    return File(plain, packed if len(packed) < len(plain) else b"", kind, f'"{tag}"')


class Client(msgspec.Struct, frozen=True):
    """The client's files by path, its pages by address, and the digest of all files."""

    files: Mapping[str, File]
    pages: Mapping[str, File]
    digest: str


@cache
def client(folder: Path = CLIENT) -> Client:
    found = sorted(path for path in folder.rglob("*") if path.suffix in _TYPES)
    texts = {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
    digest = hashlib.blake2b(b"".join(name.encode() + text for name, text in texts.items()), digest_size=6).hexdigest()
    files = {name: pack(text, _TYPES[Path(name).suffix]) for name, text in texts.items()}
    pages = {
        address: pack(_page(texts[name].decode(), texts, digest).encode(), _TYPES[".html"])
        for address, name in PAGES.items()
        if name in texts
    }
    return Client(files, pages, digest)


def _page(html: str, texts: Mapping[str, bytes], digest: str) -> str:
    """Add module preloads to a page, and the digest to the paths of its files."""
    script = _SCRIPT.search(html)
    if script is not None:
        modules = "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in _modules(script[1], texts))
        html = html.replace(script[0], modules + script[0])
    return html.replace('"/static/', f'"/static/~{digest}/')


def _modules(script: str, texts: Mapping[str, bytes]) -> list[str]:
    """Return all direct and indirect imports of a script; none in a bundle."""
    found, waiting = dict.fromkeys([script]), [script]
    while waiting:
        name = waiting.pop()
        imported = (normpath(f"{dirname(name)}/{path}") for path in _IMPORT.findall(texts[name].decode()))
        new = dict.fromkeys(path for path in imported if path not in found)
        found |= new
        waiting += new
    return list(found)[1:]


@cache
def map_sheet(ruleset: str) -> File:
    """Return the map of a rule set as a sheet for the table. Raise Unreadable."""
    return pack(table_sheet(ruleset).encode(), _TYPES[".svg"])


def send(request: HttpRequest, file: File, keep: str = _ASK_AGAIN) -> Response[bytes]:
    """Return a file, compressed if the browser accepts that, or 304 if the browser has it."""
    headers = {"ETag": file.tag, "Cache-Control": keep, "Vary": "Accept-Encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.kind, headers=headers | {"Content-Encoding": "gzip"})
    return Response(file.plain, media_type=file.kind, headers=headers)


_PATHS: Final = ["/", "/learn", "/seat", "/verify", "/table/{seat:str}", "/campaign/{seat:str}"]


@get(_PATHS, cost=READY, include_in_schema=False, is_compressed=False)
async def page(request: HttpRequest) -> Response[bytes]:
    """A page. The seat of a table or a campaign is checked when the page fetches its data."""
    return send(request, client().pages["/" + request.url.path.split("/")[1]])


@get("/seat/{game:str}/{side:int}", cost=LOOK, include_in_schema=False, is_compressed=False)
async def invitation_page(request: HttpRequest, game: FromPath[str], side: FromPath[int]) -> Response[bytes]:
    """The page of an invitation, with a preview made from public knowledge.

    Its secret is in the fragment, so a preview cannot use it up. An unknown game has the page without facts.
    """
    plain, session = client().pages["/seat"], None
    with suppress(Fault):
        session = await registry_of(request).session(game)
    if session is None or side not in SEATS:
        return send(request, plain)
    title, facts = describe_invitation(session, as_seat(side))
    picture = f"{request.base_url}static/~{client().digest}/masthead.jpg"
    said = {"type": "website", "site_name": "Leuthen", "title": title, "description": " ".join(facts), "image": picture}
    tags = "".join(f'<meta property="og:{name}" content="{escape(text)}">\n' for name, text in said.items())
    lines = "".join(f"<p>{escape(fact)}</p>" for fact in facts)
    html = plain.plain.decode().replace("</head>", f"{tags}</head>", 1)
    html = html.replace("<h1>Join a game</h1>", f"<h1>{escape(title)}</h1>\n  <div>{lines}</div>", 1)
    return send(request, pack(html.encode(), plain.kind))


def describe_invitation(session: GameSession, side: SeatSide) -> tuple[str, tuple[str, ...]]:
    """Return a title and sentences, none secret: inviter, side, scenario, length and pace."""
    called, row, sides = session.capitalized_name, session.row, session.ruleset.sides
    if is_side(side):
        other = session.seats[OTHER[side]]
        title = f"Play {sides[side].capitalize()} against {other.player or called(OTHER[side])}"
        invites = f"{called(OTHER[side])} invites you." if other.is_taken else "The other side is open too."
    else:
        title, invites = f"Watch {called(0)} against {called(1)}", "You watch what both sides know."
    card = next((card for card in setting_of(session.ruleset).scenarios if card.name == row.scenario), None)
    pace = session.seal.ledger.pace if session.seal else ""
    length = [f"{card.text}.", _length_of(card)] if card else []
    return title, (invites, *filter(None, [*length, _PACES.get(pace)]))


def _length_of(card: ScenarioCard) -> str:
    hours, turns = round(card.minutes / 60), format_count(card.turns, "turn")
    time = format_count(hours, "hour") if hours > 1 else f"{max(10, round(card.minutes, -1))} minutes"
    parts = [turns] * (card.turns > 0 and turns not in card.text) + [f"about {time} of your own time"] * bool(
        card.minutes
    )
    return ", ".join(parts).capitalize() + "." if parts else ""


_PACES: Final = {
    LIVE: "Live: you both play at the same time.",
    CORRESPONDENCE: "By correspondence: play when you like.",
}


@get("/static/{path:path}", cost=READY, include_in_schema=False, is_compressed=False)
async def static(request: HttpRequest, path: FromPath[Path]) -> Response[bytes]:
    """A file of the client: cached permanently if the path has the current digest."""
    name = path.as_posix().lstrip("/")
    version, _, rest = name.partition("/")
    is_named = version == f"~{client().digest}"
    file = client().files.get(rest if version.startswith("~") else name)
    if file is None:
        raise NotFoundException("there is no such file")
    return send(request, file, "public, max-age=31536000, immutable" if is_named else _ASK_AGAIN)


@get("/favicon.ico", cost=READY, include_in_schema=False, is_compressed=False)
async def favicon(request: HttpRequest) -> Response[bytes]:
    return send(request, client().files["favicon.svg"])


@get("/map/{name:str}", cost=READY, include_in_schema=False, is_compressed=False)
async def sheet(request: HttpRequest, name: FromPath[str]) -> Response[bytes]:
    ruleset = name.removesuffix(".svg")
    if not has_sheet(ruleset):
        raise NotFoundException("there is no such map")
    return send(request, map_sheet(ruleset))
