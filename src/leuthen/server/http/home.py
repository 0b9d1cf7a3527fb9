"""The routes of the home page: one's games, new games and lessons, invitations, and rule sets."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from leuthen.bots import LEVELS, bots_for, sentence_of
from leuthen.engine.ruleset import WATCHER
from leuthen.load import for_each_ruleset, is_known, load, read_rulebook
from leuthen.rulebook import Rulebook
from leuthen.school.lessons import DRILL
from leuthen.screen.values import Setting
from leuthen.server.http.browser import (
    browser_of,
    get,
    known_browser,
    post,
    program,
    read,
    registry_of,
    routes_in,
)
from leuthen.server.http.files import File, pack, send
from leuthen.server.security.request_guard import MAKE, READY, Cost, HttpRequest
from leuthen.server.session import messages, schooling
from leuthen.server.session.create import begin_lesson, link_of, make_game
from leuthen.server.session.history import setting_of
from leuthen.server.session.messages import Drills, School
from leuthen.server.session.players import greeting_of
from leuthen.server.session.registry import new_secret
from leuthen.server.session.seat_view import seat_line
from leuthen.storage import games as game_rows
from leuthen.storage.rows import GameRow, SeatRow

NAMELESS: Final = ("one side", "the other")
"""The sides of a game whose rule set is not installed."""
_JSON: Final = "application/json"


@get("/api/home", is_compressed=False)
async def home(request: HttpRequest) -> Response[messages.Home]:
    """Return the games of this browser: those that wait for it first, then the newest."""
    registry, browser = registry_of(request), browser_of(request)
    if not browser:
        return Response(messages.Home(()))
    mine, found = await registry.storage.read(
        lambda rows: (game_rows.seats_of(rows, browser), game_rows.games_of(rows, browser))
    )
    lines = [
        game_line(game, seats, mine, registry.unplayable(game))
        for game, seats in found
        if not game.scenario.startswith(DRILL)
    ]
    lines.sort(key=lambda line: line.since, reverse=True)
    lines.sort(key=lambda line: (not line.is_your_turn, bool(line.result)))
    _, cookies = known_browser(request)
    return Response(messages.Home(tuple(lines)), cookies=cookies)


def game_line(game: GameRow, seats: list[SeatRow], mine: set[str], unplayable: str) -> messages.GameLine:
    sides = load(game.ruleset).sides if is_known(game.ruleset) else NAMELESS
    waiting = [side for side in (0, 1) if game.waiting >> side & 1 and not (game.result or unplayable)]
    own = {seat.side for seat in seats if seat.id in mine}
    return messages.GameLine(
        game=game.id,
        title=game.title,
        ruleset=game.ruleset,
        date=game.date,
        waiting=tuple(sides[side] for side in waiting),
        since=game.since,
        is_your_turn=any(side in own for side in waiting),
        seats=tuple(
            seat_line(sides, seat, seat.id in mine) for seat in seats if seat.side < WATCHER or seat.id in mine
        ),
        result=game.result,
        unplayable=unplayable,
        scenario=scenario_texts(game.ruleset).get(game.scenario, ""),
    )


@cache
def scenario_texts(ruleset: str) -> dict[str, str]:
    """Return the descriptions of a rule set's scenarios by name; none if it is not installed."""
    return {card.name: card.text for card in setting_of(load(ruleset)).scenarios} if is_known(ruleset) else {}


@get("/api/rulesets", cost=READY)
async def rulesets() -> list[messages.RulesetLine]:
    """Return the installed rule sets."""
    return list(
        for_each_ruleset(lambda name: messages.RulesetLine(name, setting_of(load(name)).title, _bots(name))).values()
    )


def _bots(ruleset: str) -> tuple[messages.BotLine, ...]:
    return tuple(
        messages.BotLine(name, LEVELS[name][0], sentence_of(ruleset, name), greeting_of(name))
        for name in bots_for(ruleset)
    )


@get("/api/rulesets/{name:str}", cost=READY, responses={200: ResponseSpec(Setting)}, is_compressed=False)
async def rule_set(request: HttpRequest, name: FromPath[str]) -> Response[bytes]:
    """Return the constant facts of a rule set."""
    return send(request, _setting(name))


@get(
    "/api/rulesets/{name:str}/rules",
    cost=READY,
    responses={200: ResponseSpec(messages.RulebookPage)},
    is_compressed=False,
)
async def rulebook(request: HttpRequest, name: FromPath[str]) -> Response[bytes]:
    """Return the rulebook of a rule set."""
    return send(request, _rulebook(name))


@cache
def _setting(name: str) -> File:
    return pack(msgspec.json.encode(setting_of(load(name))), _JSON)


@cache
def _rulebook(name: str) -> File:
    book = Rulebook(read_rulebook(name))
    numbers = {rule.number for rule in book.rules} | {title.split()[0] for title in book.chapters}
    chapters = {title: list[messages.RuleLine]() for title in book.chapters}
    for rule in book.rules:
        html = html_of(rule.text, numbers - {rule.number})
        chapters[rule.chapter].append(messages.RuleLine(rule.number, rule.text, html))
    return pack(
        msgspec.json.encode(
            messages.RulebookPage(tuple(messages.Chapter(title, tuple(rules)) for title, rules in chapters.items()))
        ),
        _JSON,
    )


@post("/api/games", cost=MAKE, body=messages.NewGame)
async def new_game(request: HttpRequest) -> Response[messages.CreatedGame]:
    """Create a game."""
    visitor, cookies = known_browser(request)
    return Response(
        await make_game(registry_of(request), visitor, await read(request, messages.NewGame)), cookies=cookies
    )


@post("/api/browser", status_code=200)
async def new_browser_key(request: HttpRequest) -> Response[messages.BrowserLabel]:
    """Give the browser a key if it has none, so that it can repeat `take` after a lost answer."""
    visitor, cookies = known_browser(request)
    return Response(messages.BrowserLabel(visitor.what), cookies=cookies)


@post("/api/take", cost=Cost("taking"), body=messages.TakeSeat, status_code=200)
async def take_seat(request: HttpRequest) -> Response[messages.TakenSeat]:
    """Accept an invitation, as a browser or, with `key`, as a program."""
    asked = await read(request, messages.TakeSeat)
    visitor, cookies = (program(asked.key), []) if asked.key else known_browser(request)
    way_back = new_secret()
    seat, is_new = await registry_of(request).take(visitor, asked.secret, way_back, asked.sitter)
    link = link_of(way_back) if is_new and seat.side != WATCHER else ""
    return Response(messages.TakenSeat(seat.id, f"/table/{seat.id}", link), cookies=cookies)


_NUMBER: Final = re.compile(r"\b[A-Z]\d+(?:\.\d+[a-z]?)?\b")
_TABLE: Final = '<div class="scroll-x" tabindex="0" role="group" aria-label="Table"><table>'


class _Renderer(RendererHTML):
    """Renders rule numbers as buttons, and links to other pages as plain text."""

    def text(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        return _NUMBER.sub(lambda found: _button(found[0], env["numbers"]), escapeHtml(tokens[at].content))

    def table_open(self, *_: object) -> str:
        return _TABLE

    def table_close(self, *_: object) -> str:
        return "</table></div>"

    def th_open(self, *_: object) -> str:
        return '<th scope="col">'

    def link_open(self, *_: object) -> str:
        return ""

    def link_close(self, *_: object) -> str:
        return ""


_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table").disable("image")


def _button(number: str, numbers: Collection[str]) -> str:
    return f'<button type="button" class="rule" data-rule="{number}">{number}</button>' if number in numbers else number


def html_of(text: str, numbers: Collection[str]) -> str:
    return str(_MARKDOWN.render(text, {"numbers": numbers}))


@get("/api/school")
async def list_lessons(request: HttpRequest) -> School:
    """Return the lessons in their recommended order, with this browser's seats in unfinished ones."""
    return await schooling.school(registry_of(request), browser_of(request))


@post("/api/school/lessons", cost=MAKE, body=messages.Learn)
async def new_lesson(request: HttpRequest) -> Response[messages.CreatedGame]:
    """Create a game of a lesson for this browser."""
    visitor, cookies = known_browser(request)
    asked = await read(request, messages.Learn)
    return Response(await begin_lesson(registry_of(request), visitor, asked.name), cookies=cookies)


@get("/api/school/drills", cost=READY)
async def drills(ruleset: FromQuery[str]) -> Drills:
    """Return the drills of a rule set, by chapter."""
    return schooling.list_drills(ruleset)


@post("/api/school/drills", cost=MAKE, body=messages.Learn)
async def new_drill(request: HttpRequest) -> Response[messages.CreatedGame]:
    """Create a game of a drill for this browser and end its earlier drills."""
    visitor, cookies = known_browser(request)
    asked = await read(request, messages.Learn)
    return Response(await schooling.begin_drill(registry_of(request), visitor, asked.name), cookies=cookies)


ROUTES: Final = routes_in(globals())
