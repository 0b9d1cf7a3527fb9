import asyncio
import gc
import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Event, Thread

import msgspec
import pytest

from leuthen.cli import run
from leuthen.load import load, load_with
from leuthen.play.record import STANDING, RecordEntry, RecordError, parse, text_of
from leuthen.play.replay import Replay
from leuthen.play.table import make_header
from leuthen.server.http.home import counting_lines
from leuthen.server.http.home import read_record as imported
from leuthen.server.session import registry
from leuthen.server.session.game_session import BASE_WEIGHT, LINE_WEIGHT
from leuthen.server.session.history import date_of
from leuthen.server.session.limits import QueueLimits, WorkQueue
from tests.rows import rows
from tests.server.conftest import (
    TOY_GAME,
    GameClients,
    NewServer,
    SeatClient,
    create_game,
    creator_of,
    new_caller,
    new_key,
    secret_of,
    start_game,
)
from tests.server.harness import TestServer
from tests.server.memory import run_inline
from tests.server.test_history import import_record, make_record
from tests.toy_presenter import replace_presenter

GOLDEN = Path(__file__).parents[1] / "golden"


def replay_of(text: bytes) -> Replay:
    recorded = parse(Path("x"), text)
    replay = Replay(load_with(recorded.header.ruleset, recorded.header.data), recorded)
    replay.run()
    return replay


@pytest.mark.parametrize(("scenario", "kind"), [("lesson:lobositz", "lesson"), ("drill:o5-3", "drill")])
def test_a_school_record_is_refused_with_the_reason(
    scenario: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = make_header(load("frederick"), scenario, {}, ("human", "human"), game="g1")
    text = text_of(header, [("prussia", "done")], "").encode()
    with pytest.raises(RecordError, match=f"line 3: this is a {kind} of the school, .* with a position of its own"):
        imported(text)
    path = tmp_path / "record"
    path.write_bytes(text)
    for command in (["replay", str(path)], ["replay", str(path), "--verify"], ["resume", str(path)]):
        assert run(command) == 2
        assert "only a scenario's record can be played again" in capsys.readouterr().err


def test_an_import_skips_the_lines_of_instructions() -> None:
    replay = replay_of((GOLDEN / "frederick/planner-bohemia.leuthen").read_bytes())
    instruction, before = RecordEntry(1, 0, "prussia", f"{STANDING} 1 decline"), counting_lines(replay)
    replay.recorded = msgspec.structs.replace(replay.recorded, entries=(instruction, *replay.recorded.entries))
    assert counting_lines(replay) == before


@pytest.mark.parametrize("record", ["frederick/planner-bohemia", "campaigns/planner-1756-base"])
def test_a_record_without_undone_orders_keeps_its_lines(record: str) -> None:
    text = (GOLDEN / f"{record}.leuthen").read_bytes()
    replay = replay_of(text)
    said = [entry for entry in replay.recorded.entries if not entry.text.startswith(f"{STANDING} ")]
    assert [text for _, text in counting_lines(replay)] == [entry.text for entry in said]
    assert counting_lines(replay) == list(imported(text).lines)


@pytest.mark.usefixtures("toy_data")
@pytest.mark.parametrize(("entries", "end"), rows("records-refused"))
def test_an_import_refuses_a_record_in_the_words_of_its_replay(entries: Sequence[tuple[str, str]], end: str) -> None:
    text = make_record(*entries, end=end).encode()
    with pytest.raises(RecordError) as replayed:
        replay_of(text)
    with pytest.raises(RecordError) as refused:
        imported(text)
    assert str(refused.value).partition(": ")[2] == str(replayed.value).partition(": ")[2]


class HaltingQueue(WorkQueue):
    def __init__(self) -> None:
        super().__init__(1, 60, QueueLimits(), run_inline)
        self.has_reached_halt, self.may_continue = Event(), Event()

    async def run_in_slices(self, asker: str, steps: Iterable[object]) -> None:
        for number, _ in enumerate(steps, 1):
            if number == 2:
                self.has_reached_halt.set()
                await asyncio.to_thread(self.may_continue.wait, 60)


@pytest.mark.parametrize("undone", [(), (("prussia", "bid 3"), ("prussia", "undo"))])
def test_a_player_can_poll_the_progress_of_an_import(
    server: TestServer, monkeypatch: pytest.MonkeyPatch, undone: Sequence[tuple[str, str]]
) -> None:
    queue, caller, key = HaltingQueue(), new_caller(server.port), new_key()
    monkeypatch.setattr(server.registry, "replaying", queue)
    record = make_record(*undone, ("prussia", "bid 1"), ("austria", "bid 2"), ("chance", "die 3"), ("prussia", "done"))
    statuses: list[int] = []
    importing = Thread(
        target=lambda: statuses.append(import_record(new_caller(server.port), record, f"?key={key}").status)
    )
    importing.start()
    try:
        assert queue.has_reached_halt.wait(60)
        assert caller.get(f"/api/import/{key}").json == {"done": 2, "total": 4}
        assert caller.get(f"/api/import/{new_key()}").json == {"done": 0, "total": 0}
        assert list(server.registry.imports) == [("127.0.0.1", key)], "only the importer sees it"
    finally:
        queue.may_continue.set()
        importing.join()
    assert statuses == [201]
    assert caller.get(f"/api/import/{key}").json == {"done": 0, "total": 0}


def test_an_import_with_a_short_key_is_refused(server: TestServer) -> None:
    caller = new_caller(server.port)
    assert import_record(caller, make_record(("prussia", "bid 1")), "?key=short").status == 400
    assert caller.get("/api/home").json == {"games": []}


def resign(game: GameClients) -> None:
    assert game.prussia.move("resign").status == 200


@pytest.mark.parametrize(("wrong", "word"), rows("game-settings-refused"))
def test_a_game_with_invalid_settings_is_refused(server: TestServer, wrong: dict[str, object], word: str) -> None:
    caller = new_caller(server.port)
    answer = caller.post("/api/games", TOY_GAME | wrong)
    assert answer.status == 400
    assert word in answer.json["detail"]
    assert caller.get("/api/home").json == {"games": []}


def test_the_number_of_open_games_of_a_browser_is_limited(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "OPEN_GAMES", 2)
    caller, made = create_game(server, ("me", "link"))
    assert caller.post("/api/games", TOY_GAME).status == 201
    answer = caller.post("/api/games", TOY_GAME)
    assert (answer.status, answer.json["title"]) == (429, "Too many games")
    assert len(caller.get("/api/home").json["games"]) == 2
    SeatClient(caller, made["seats"][0]["seat"], 0).move("resign")
    assert caller.post("/api/games", TOY_GAME).status == 201


def test_the_home_page_lists_waiting_games_first(server: TestServer) -> None:
    caller, first = create_game(server, ("me", "link"))
    server.tick(60)
    second = caller.post("/api/games", TOY_GAME | {"players": ["link", "me"], "title": "The second"}).json
    games = caller.get("/api/home").json["games"]
    assert [game["game"] for game in games] == [second["game"], first["game"]], "the newest first"
    SeatClient(caller, second["seats"][1]["seat"], 1).orders("bid 1")
    first_line, second_line = caller.get("/api/home").json["games"]
    assert (first_line["game"], first_line["is_your_turn"]) == (first["game"], True)
    assert (second_line["is_your_turn"], second_line["waiting"], second_line["title"]) == (
        False,
        ["prussia"],
        "The second",
    )
    assert second_line["since"].startswith("2026-01-01T00:01:00")
    assert first_line["date"] == "the turn 1756"


@pytest.mark.parametrize(("turn", "date"), [(17, "late December 1756"), (18, "early January 1757"), (0, "1756")])
def test_the_january_that_ends_a_year_counts_as_the_next(monkeypatch: pytest.MonkeyPatch, turn: int, date: str) -> None:
    rules = load("frederick")
    monkeypatch.setattr(type(rules), "date", lambda _rules, _state: (1756, turn))
    assert date_of(rules, rules.new_game("campaign", {})) == date


def test_an_ended_game_shows_its_result(game: GameClients) -> None:
    resign(game)
    (line,) = game.austria.caller.get("/api/home").json["games"]
    assert line["result"] == "Austria wins: resignation, 1757."
    assert line["waiting"] == []


# --- access to a seat -------------------------------------------------------------------------------------------------

ROUTES = ("", "/chronicle", "/turns", "/past?n=0", "/left", "/notes", "/chat", "/record", "/advice", "/stream?after=0",
          "/layer?name=steps", "/odds?of=die", "/about?place=0000", "/front", "/order-line?text=b")  # fmt: skip
POSTS: tuple[tuple[str, object], ...] = (
    ("/orders", {"seen": 0, "key": "12345678", "order": "bid 1"}),
    ("/moves", {"seen": 0, "key": "12345678", "do": "resign"}),
    ("/form", {"partial_order": {}}),
    ("/chat", {"key": "12345678", "text": "hello"}),
    ("/rematch", {}),
    ("/link", {}),
)


def test_a_foreign_seat_answers_like_a_missing_seat(game: GameClients) -> None:
    _, other = create_game(game.server, ("me", "link"))
    seats, port = (game.prussia.seat, "no-such-seat"), game.server.port
    strangers = [game.austria.caller, new_caller(port), new_caller(port, secret_of(other["seats"][1]["link"]))]
    requests = [*(("GET", route, None) for route in ROUTES), *(("POST", route, body) for route, body in POSTS)]
    for caller in strangers:
        for method, route, body in (*requests, ("PUT", "/notes", {"text": "mine"})):
            foreign, missing = (caller.ask(method, f"/api/seats/{seat}{route}", body) for seat in seats)
            assert foreign.status == 404, route
            assert foreign == missing, route
    assert game.prussia.snapshot["n"] == 0
    assert game.prussia.get("/notes").json["text"] == ""


def test_an_unknown_secret_gives_no_seat(server: TestServer) -> None:
    caller = new_caller(server.port)
    for secret in ("", "no-such-secret", "x" * 80):
        assert caller.post("/api/take", {"secret": secret}).status == 404
    assert caller.cookies == {}


def test_a_link_preview_does_not_take_the_seat(server: TestServer) -> None:
    caller, made = create_game(server, ("me", "link"))
    preview = new_caller(server.port)
    link = made["seats"][1]["link"].partition("#")[0]
    for method, path in itertools.product(("GET", "HEAD"), ("/seat", link, made["watch"].partition("#")[0])):
        assert preview.ask(method, path).status == 200
    assert preview.cookies == {}
    assert SeatClient(caller, made["seats"][0]["seat"], 0).snapshot["seats"][1]["who"] == "open"


def page_of(server: TestServer, link: str) -> str:
    return new_caller(server.port).get(link.partition("#")[0]).body.decode()


def test_an_invitation_says_who_invites_to_what(server: TestServer) -> None:
    _, made = create_game(server, ("me", "link"), pace="live", sitting=[{"name": "Anna"}, {}])
    page, watch = page_of(server, made["seats"][1]["link"]), page_of(server, made["watch"])
    for text in ("Play Austria against Anna", "Anna (Prussia) invites you.", "Live: you both play at the same time."):
        assert page.count(text) == 2, text
    assert '<meta property="og:title" content="Play Austria against Anna">' in page
    assert re.search(r'og:image" content="http://[^/]+/static/~\w+/masthead.jpg"', page)
    assert "Watch Anna (Prussia) against Austria" in watch
    plain = page_of(server, "/seat")
    assert "og:" not in plain
    for unknown in ("/seat/unknown/1", f"/seat/{made['game']}/3"):
        assert page_of(server, unknown) == plain


def test_a_hostile_name_stays_text_on_an_invitation(server: TestServer) -> None:
    name = '"><script>a</script>'
    _, made = create_game(server, ("me", "link"), sitting=[{"name": name}, {}])
    page = page_of(server, made["seats"][1]["link"])
    assert "<script>a" not in page
    assert page.count("&quot;&gt;&lt;script&gt;") >= 4


def test_an_invitation_shows_no_secret_of_the_game(server: TestServer) -> None:
    pages = set()
    for bid in ("bid 1", "bid 3"):
        caller, made = create_game(server, ("me", "link"))
        SeatClient(caller, made["seats"][0]["seat"], 0).orders(bid)
        for link in (made["seats"][1]["link"], made["watch"]):
            pages.add(page_of(server, link).replace(made["game"], ""))
    assert len(pages) == 2, "one for each seat"


PAGES = ("/", "/learn", "/seat", "/verify", "/table/x", "/campaign/x", "/static/favicon.svg", "/favicon.ico",
         "/api/home", "/api/school", "/healthz")  # fmt: skip


def test_head_is_answered_as_get_without_a_body(game: GameClients, caplog: pytest.LogCaptureFixture) -> None:
    caller, base = game.prussia.caller, game.prussia.base
    for path in (*PAGES, base, f"{base}/chronicle", f"{base}/record"):
        got, head = caller.get(path), caller.ask("HEAD", path)
        assert (got.status, head.status, head.headers, head.body) == (200, 200, got.headers, b""), path
    assert caller.ask("HEAD", f"{base}/stream").status == 200
    assert game.server.registry.connection_limits.count == 0, "a HEAD request opens no stream"
    assert caller.get("/healthz").status == 200, "the connection goes on"
    assert not caplog.records


def test_the_cookie_is_http_only_and_same_site(server: TestServer) -> None:
    caller = new_caller(server.port)
    answer = caller.post("/api/games", TOY_GAME)
    cookie = next(value for name, value in answer.headers if name == "set-cookie")
    assert re.match(r"leuthen=[\w-]{24}; ", cookie), "144 random bits"
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))


@pytest.mark.parametrize("key", ["a", "x" * 23, "x" * 25, "x" * 23 + "."])
def test_a_browser_key_of_the_wrong_form_is_replaced(server: TestServer, key: str) -> None:
    caller = new_caller(server.port)
    caller.cookies["leuthen"] = key
    assert caller.get("/api/home").json == {"games": []}
    assert caller.post("/api/games", TOY_GAME).status == 201
    assert caller.cookies["leuthen"] != key
    assert len(caller.cookies["leuthen"]) == 24


def test_the_https_cookie_is_bound_to_the_host(server: TestServer) -> None:
    caller = new_caller(server.port)
    caller._line.request(
        "POST", "/api/games", msgspec.json.encode(TOY_GAME), caller.headers(True) | {"X-Forwarded-Proto": "https"}
    )
    cookie = str(caller._line.getresponse().headers["Set-Cookie"])
    assert cookie.startswith("__Host-leuthen=")
    assert "Secure" in cookie.split("; ")


def test_the_database_stores_secrets_as_hashes(game: GameClients, tmp_path: Path) -> None:
    _, made = create_game(game.server, ("me", "link"))
    links, keys = (made["seats"][1]["link"], made["watch"]), game.prussia.caller.cookies.values()
    secrets = [*map(secret_of, links), *keys]
    stored = b"".join(path.read_bytes() for path in (tmp_path / "games").iterdir())
    assert made["game"].encode() in stored
    assert not any(secret.encode() in stored for secret in secrets)


# --- beside the map ---------------------------------------------------------------------------------------------------


NO_NOTES = {"text": "", "arrows": [], "pins": [], "version": 0}


def test_a_stale_tab_cannot_overwrite_notes(game: GameClients) -> None:
    def save(text: str, version: int) -> int:
        body = {"text": text, "version": version}
        return game.prussia.put("/notes", body).status

    assert save("first", 0) == 204
    assert save("from a stale tab", 0) == 409
    assert save("second", 1) == 204
    found = game.prussia.get("/notes").json
    assert (found["text"], found["version"]) == ("second", 2)


def test_only_a_player_saves_and_sees_the_notes_of_a_seat(game: GameClients) -> None:
    notes = {"text": "Cross at night.", "arrows": [["1623", "1622"]], "pins": [["1623", "here"]]}
    assert game.prussia.put("/notes", notes).status == 204
    assert game.prussia.get("/notes").json == {**notes, "version": 1}
    assert game.austria.get("/notes").json == NO_NOTES
    spectator = game.spectator
    assert spectator.put("/notes", {"text": "I was here."}).status == 403
    assert spectator.get("/notes").json == NO_NOTES


def test_everyone_receives_chat_messages(game: GameClients) -> None:
    streams = [client.subscribe(0) for client in game.clients]
    sent = game.prussia.post("/chat", {"key": "12345678", "text": "<b>Bonjour</b>"})
    again = game.prussia.post("/chat", {"key": "12345678", "text": "<b>Bonjour</b>"})
    assert sent.json == again.json == {"n": 1, "side": 0, "at": "2026-01-01T00:00:00+00:00", "text": "<b>Bonjour</b>"}
    for stream in streams:
        assert stream.wait_for(b"event: chat\n").count(b"event: chat") == 1
    assert game.austria.get("/chat").json["lines"] == [sent.json]


def test_a_spectator_can_chat_after_the_end(game: GameClients) -> None:
    assert game.spectator.post("/chat", {"key": "12345678", "text": "Peek!"}).status == 403
    resign(game)
    assert game.spectator.post("/chat", {"key": "12345678", "text": "Well played"}).status == 200


def test_advice_depends_on_the_setting_of_the_game(server: TestServer) -> None:
    for helps, status in ((True, 200), (False, 403)):
        client = creator_of(server, ("me", "me"), helps=helps)
        assert client.snapshot["helps"] is helps
        assert client.get("/advice").status == status
    client.orders("bid 1")
    assert client.get("/advice").status in (403, 409)


def test_queries_are_answered_from_the_view_of_the_seat(after_bids: GameClients) -> None:
    assert after_bids.prussia.get("/about?place=0001").json["lines"] == ["-1"]
    assert after_bids.austria.get("/about?place=0001").json["lines"] == ["2"]
    assert after_bids.spectator.get("/about?place=0000").json["lines"] == ["-1"]
    assert after_bids.prussia.get("/layer?name=steps").status == 200
    assert after_bids.prussia.get("/odds?of=die").json["title"] == "The die"
    assert after_bids.prussia.get("/left").json["left"][0]["rule"] == "T3.1"
    for wrong in ("/layer?name=no", "/odds?of=no", "/about?place=no", "/layer", "/past", "/past?n=x"):
        assert after_bids.prussia.get(wrong).status == 400, wrong


# --- games in memory --------------------------------------------------------------------------------------------------


def test_only_unused_games_beyond_the_limit_are_unloaded(new_server: NewServer) -> None:
    server = new_server(memory=2 * BASE_WEIGHT + 20 * LINE_WEIGHT)
    first = start_game(server)
    first.prussia.orders("bid 1")
    stream = first.austria.subscribe(0)
    stream.wait_for(b"event: news")
    others = [start_game(server) for _ in range(4)]
    assert first.id in server.registry.sessions, "a stream is open"
    assert len(server.registry.sessions) == 2
    assert others[0].id not in server.registry.sessions
    others[0].prussia.orders("bid 2")
    assert others[0].id in server.registry.sessions


def test_a_game_in_use_is_not_loaded_twice(new_server: NewServer) -> None:
    server = new_server(memory=0)
    first = start_game(server)
    session = server.session(first.id)
    start_game(server)
    assert first.id not in server.registry.sessions
    first.prussia.orders("bid 1")
    assert server.session(first.id) is session


def test_an_unloaded_game_is_garbage_collected(new_server: NewServer) -> None:
    server = new_server(memory=0)
    first = start_game(server)
    first.prussia.orders("bid 1")
    start_game(server)
    gc.collect()
    assert first.id not in server.registry._alive
    first.austria.orders("bid 2")


def test_an_order_is_stored_even_if_the_update_fails(after_bids: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = after_bids.prussia.subscribe(after_bids.prussia.n)
    stream.wait_for(b"event: news")
    n = after_bids.prussia.n

    def fail(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        replace_presenter(broken, scene=fail)
        assert after_bids.prussia.order("step north 1", n).json["n"] == n + 1
    stream._reader.join(30)
    assert not stream._reader.is_alive(), "the stream ends, so that the page reconnects"
    assert after_bids.prussia.n == n + 1
