"""The routes of the home page: one's games, new, taught and imported games, invitations, and rule sets.

A record to import can be crafted to be slow, so it is parsed and replayed in a process with a time limit. Then the
actions that count are replayed here, in small steps. The client can ask for the progress.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
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
from leuthen.engine.ruleset import WATCHER, Outcome, actor_named
from leuthen.load import Rulebook, for_each_ruleset, is_known, load, load_with, read_rulebook
from leuthen.play.record import Header, RecordError, parse
from leuthen.play.replay import Replay, parse_outcome
from leuthen.school.lessons import DRILL, chapters, expect_scenario
from leuthen.screen.values import Setting
from leuthen.server.http.browser import browser_of, get, known_browser, post, read, registry_of
from leuthen.server.http.files import File, pack, send
from leuthen.server.security.request_guard import MAKE, READY, HttpRequest
from leuthen.server.session import messages
from leuthen.server.session.device_sessions import DeviceCaller
from leuthen.server.session.history import GameHistory, RecordLine, cannot_continue, replay_lines, setting_of
from leuthen.server.session.limits import address_now
from leuthen.server.session.messages import BAD, Drills, RulebookPage, School, fault
from leuthen.server.session.players import GREETINGS
from leuthen.server.session.registry import (
    ME,
    begin_drill,
    begin_lesson,
    expect_players,
    hash_of,
    link_of,
    make_game,
    new_secret,
    school,
    seat_game,
)
from leuthen.server.session.streams import seat_line
from leuthen.storage.rows import GameRow, SeatRow, games_of

NAMELESS: Final = ("one side", "the other")
"""The sides of a game whose rule set is not installed."""
_JSON: Final = "application/json"


@get("/api/home", is_compressed=False)
async def home(request: HttpRequest) -> Response[messages.Home]:
    """Return the games of this browser: those that wait for it first, then the newest."""
    registry, browser = registry_of(request), browser_of(request)
    if not browser:
        return Response(messages.Home(()))
    mine, found = await registry.storage.read(lambda rows: games_of(rows, browser))
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
    ruleset = load(game.ruleset) if is_known(game.ruleset) else None
    sides, cards = (ruleset.sides, setting_of(ruleset).scenarios) if ruleset else (NAMELESS, ())
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
        scenario=next((card.text for card in cards if card.name == game.scenario), ""),
    )


@get("/api/rulesets", cost=READY)
async def rulesets() -> list[messages.RulesetLine]:
    """Return the installed rule sets."""

    def line(name: str) -> messages.RulesetLine:
        bots = (messages.BotLine(bot, LEVELS[bot][0], sentence_of(name, bot), GREETINGS[bot]) for bot in bots_for(name))
        return messages.RulesetLine(name, setting_of(load(name)).title, tuple(bots))

    return list(for_each_ruleset(line).values())


@get("/api/rulesets/{name:str}", cost=READY, responses={200: ResponseSpec(Setting)}, is_compressed=False)
async def rule_set(request: HttpRequest, name: FromPath[str]) -> Response[bytes]:
    """Return the constant facts of a rule set."""
    return send(request, _setting(name))


@get("/api/rulesets/{name:str}/rules", cost=READY, responses={200: ResponseSpec(RulebookPage)}, is_compressed=False)
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
    page = RulebookPage(tuple(messages.Chapter(title, tuple(rules)) for title, rules in chapters.items()))
    return pack(msgspec.json.encode(page), _JSON)


@post("/api/games", cost=MAKE, body=messages.NewGame)
async def new_game(request: HttpRequest) -> Response[messages.CreatedGame]:
    """Create a game."""
    visitor, cookies = known_browser(request)
    new = await read(request, messages.NewGame)
    return Response(await make_game(registry_of(request), visitor, new), cookies=cookies)


@post("/api/browser", status_code=200)
async def new_browser_key(request: HttpRequest) -> Response[messages.BrowserLabel]:
    """Give the browser a key if it has none, so that it can repeat `take` after a lost answer."""
    visitor, cookies = known_browser(request)
    return Response(messages.BrowserLabel(visitor.what), cookies=cookies)


@post("/api/take", cost="taking", body=messages.TakeSeat, status_code=200)
async def take_seat(request: HttpRequest) -> Response[messages.TakenSeat]:
    """Accept an invitation, as a browser or, with `key`, as a program."""
    asked = await read(request, messages.TakeSeat)
    visitor, cookies = (DeviceCaller(hash_of(asked.key), "a program"), []) if asked.key else known_browser(request)
    way_back, registry = new_secret(), registry_of(request)
    seat, is_new = await registry.devices.take(visitor, hash_of(asked.secret), hash_of(way_back), asked.sitter)
    registry.update_seat(seat)
    link = link_of(way_back) if is_new and seat.side != WATCHER else ""
    return Response(messages.TakenSeat(seat.id, f"/table/{seat.id}", link), cookies=cookies)


_BUTTON: Final = '<button type="button" class="rule" data-rule="{0}">{0}</button>'
_NUMBER: Final = re.compile(r"\b[A-Z]\d+(?:\.\d+[a-z]?)?\b")


class _Renderer(RendererHTML):
    """Renders rule numbers as buttons, and links to other pages as plain text."""

    def text(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        numbers, text = env["numbers"], escapeHtml(tokens[at].content)
        return _NUMBER.sub(lambda found: _BUTTON.format(found[0]) if found[0] in numbers else found[0], text)


_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table").disable("image")
_TAGS: Final = {
    "table_open": '<div class="scroll-x" tabindex="0" role="group" aria-label="Table"><table>',
    "table_close": "</table></div>",
    "th_open": '<th scope="col">',
    "link_open": "",
    "link_close": "",
}
for _name, _html in _TAGS.items():
    _MARKDOWN.add_render_rule(_name, lambda *_, html=_html: html)


def html_of(text: str, numbers: Collection[str]) -> str:
    return str(_MARKDOWN.render(text, {"numbers": numbers}))


@get("/api/school")
async def list_lessons(request: HttpRequest) -> School:
    """Return the lessons in their recommended order, with this browser's seats in unfinished ones."""
    return await school(registry_of(request), browser_of(request))


@post("/api/school/lessons", cost=MAKE, body=messages.Learn)
async def new_lesson(request: HttpRequest) -> Response[messages.CreatedGame]:
    """Create a game of a lesson for this browser."""
    visitor, cookies = known_browser(request)
    asked = await read(request, messages.Learn)
    return Response(await begin_lesson(registry_of(request), visitor, asked.name), cookies=cookies)


@get("/api/school/drills", cost=READY)
async def drills(ruleset: FromQuery[str]) -> Drills:
    """Return the drills of a rule set, by chapter."""
    game, line = load(ruleset).name, messages.DrillLine
    found = (
        messages.DrillChapter(one.title, tuple(line(drill.name, drill.title, drill.rules) for drill in one.drills))
        for one in chapters()
        if one.game == game
    )
    return Drills(tuple(found))


@post("/api/school/drills", cost=MAKE, body=messages.Learn)
async def new_drill(request: HttpRequest) -> Response[messages.CreatedGame]:
    """Create a game of a drill for this browser and end its earlier drills."""
    visitor, cookies = known_browser(request)
    asked = await read(request, messages.Learn)
    return Response(await begin_drill(registry_of(request), visitor, asked.name), cookies=cookies)


# --- records to import ------------------------------------------------------------------------------------------------


MOST: Final = 20_000
"""Maximum number of actions that count."""
_NAME: Final = Path("the record")


class ParsedImport(msgspec.Struct, frozen=True):
    """A parsed record without undone and taken-back lines.

    `rest` are the lines that the installed rules refuse, `why` is the reason, and `outcome` the recorded result.
    """

    header: Header
    lines: tuple[RecordLine, ...]
    why: str = ""
    rest: tuple[RecordLine, ...] = ()
    outcome: Outcome | None = None


@post("/api/import", cost="bringing", media_type="application/json")
async def import_record(
    request: HttpRequest,
    first: FromQuery[messages.Name] = ME,
    second: FromQuery[messages.Name] = ME,
    key: FromQuery[str] = "",
) -> Response[messages.CreatedGame]:
    """Create a game from a record (text/plain). The players are given as for a new game; by default the caller leads
    both sides.

    With an invitation or a bot the game is sealed from there on: imported lines are bound but not proved. With `key`
    the client can ask for the progress.
    """
    registry, address = registry_of(request), address_now.get()
    expect_players((first, second))
    try:
        msgspec.convert(key or None, messages.Key | None)
    except msgspec.ValidationError as error:
        raise fault(BAD, "Not understood", f"key: {error}") from None
    with registry.bringing.place(address):
        brought = await registry.bringing.do(address, read_record, await request.body())
        header = brought.header
        ruleset = load_with(header.ruleset, header.data)
        history = GameHistory(ruleset, ruleset.new_game(header.scenario, header.options), header.takebacks)
        history.version, history.data = header.version, header.data

        def steps() -> Iterator[None]:
            for done, _ in enumerate(replay_lines(history, brought.lines), 1):
                if key:
                    registry.imports[address, key] = messages.ImportProgress(done, len(brought.lines))
                yield

        try:
            with registry.replaying.place(address):
                await registry.replaying.run_in_slices(address, steps())
        finally:
            registry.imports.pop((address, key), None)
        if brought.why:
            history.mark_unplayable(brought.rest, brought.why, brought.outcome)
    visitor, cookies = known_browser(request)
    title = history.ruleset.scenarios[header.scenario][:80]
    new = messages.NewGame(
        (first, second), header.ruleset, header.scenario, dict(header.options), title, takebacks=header.takebacks
    )
    return Response(await seat_game(registry, visitor, history, new), cookies=cookies)


@get("/api/import/{key:str}")
async def import_progress(request: HttpRequest, key: FromPath[str]) -> messages.ImportProgress:
    """Return the progress of the import started from this address with this key.

    It is 0 of 0 while the record is parsed, and for unknown imports.
    """
    return registry_of(request).imports.get((address_now.get(), key), messages.ImportProgress(0, 0))


def read_record(text: bytes) -> ParsedImport:
    """Parse a record. Raise RecordError, which names the line.

    A record with other data, or with a version whose line is not legal any more, is accepted up to there and becomes
    unplayable.
    """
    recorded = parse(_NAME, text)
    if recorded.torn:
        raise RecordError(_NAME, "its last line has no end", len(recorded.lines) + 1)
    expect_scenario(recorded)
    header = recorded.header
    ruleset = load_with(header.ruleset, header.data)
    replay = Replay(ruleset, recorded, as_far=True)
    try:
        replay.run()
    except RecordError:
        if not replay.incompatibility:
            raise
    if len(replay.table.log) > MOST:
        raise RecordError(_NAME, f"it has more than {MOST} actions", len(recorded.lines))
    lines = tuple(counting_lines(replay))
    if not replay.incompatibility:
        return ParsedImport(header, lines)
    names, left = (*ruleset.sides, "chance"), recorded.entries[replay.done :]
    rest = [RecordLine(actor_named(ruleset, entry.actor), entry.text) for entry in left if entry.actor in names]
    why, outcome = cannot_continue(f"it {replay.incompatibility}"), parse_outcome(ruleset, recorded.end)
    return ParsedImport(header, lines, why, tuple(rest), outcome)


def counting_lines(replay: Replay) -> list[RecordLine]:
    """Return the actions that count, with a resignation or agreement at the end."""
    table, ruleset, last = replay.table, replay.table.ruleset, replay.recorded.entries[-1:]
    state, lines = table.first, list[RecordLine]()
    for actor, action, _ in table.log:
        lines.append(RecordLine(actor, ruleset.format_action(state, actor, action)))
        state = ruleset.apply(state, actor, action).state
    ending = last if table.outcome != ruleset.outcome(state) else ()
    return [*lines, *(RecordLine(actor_named(ruleset, entry.actor), entry.text) for entry in ending)]
