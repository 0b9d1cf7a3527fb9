import asyncio
import gc
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import msgspec
import pytest

from leuthen.cli import run
from leuthen.load import load, load_with
from leuthen.play.record import STANDING, RecordEntry, RecordError, parse, text_of
from leuthen.play.replay import Replay
from leuthen.play.table import make_header
from leuthen.server.http import imports
from leuthen.server.http.imports import DirectReplay, counting_lines, unaltered_lines
from leuthen.server.http.imports import read as imported
from leuthen.server.session import create
from leuthen.server.session.game_session import BASE_WEIGHT, LINE_WEIGHT
from leuthen.server.session.history import GameHistory, date_of
from leuthen.server.session.limits import Imports, QueueLimits, WorkQueue
from leuthen.server.session.messages import ImportProgress
from tests.server.conftest import NewServer, Party, SeatClient, call, new_game, new_key, new_party, secret_of, take
from tests.server.harness import TestServer
from tests.server.memory import here
from tests.server.test_history import a_record, bring_in
from tests.server.test_orders import as_it_is
from tests.toy_presenter import replace_presenter

GOLDEN = Path(__file__).parents[1] / "golden"


def replayed(text: bytes) -> Replay:
    recorded = parse(Path("x"), text)
    replay = Replay(load_with(recorded.header.ruleset, recorded.header.data), recorded)
    replay.run()
    return replay


@pytest.mark.parametrize(("scenario", "kind"), [("lesson:lobositz", "lesson"), ("drill:o5-3", "drill")])
def test_the_record_of_the_school_is_refused_with_the_reason(
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


def test_an_instruction_is_no_action() -> None:
    replay = replayed((GOLDEN / "frederick/planner-bohemia.leuthen").read_bytes())
    told, before = RecordEntry(1, 0, "prussia", f"{STANDING} 1 decline"), unaltered_lines(replay)
    replay.recorded = msgspec.structs.replace(replay.recorded, entries=(told, *replay.recorded.entries))
    assert unaltered_lines(replay) == before


@pytest.mark.parametrize("record", ["frederick/planner-bohemia", "campaigns/planner-1756-base"])
def test_what_is_written_is_what_counts(record: str) -> None:
    replay = replayed((GOLDEN / f"{record}.leuthen").read_bytes())
    lines = unaltered_lines(replay)
    assert lines
    assert lines == counting_lines(replay)


@pytest.mark.parametrize("record", ["frederick/planner-bohemia", "campaigns/planner-1756-base"])
def test_where_all_counts_it_is_played_in_the_game_alone(record: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (GOLDEN / f"{record}.leuthen").read_bytes()
    replay = replayed(text)
    monkeypatch.delattr(Replay, "run")
    recorded = imported(text).recorded
    assert recorded is not None
    history = GameHistory(replay.table.ruleset, replay.table.first, recorded.header.takebacks)
    assert len(list(DirectReplay(history, recorded).steps())) == len(recorded.entries)
    assert history.record == counting_lines(replay)
    assert history.table.state == replay.table.state
    assert history.outcome == replay.table.outcome


@pytest.mark.usefixtures("toy_data")
@pytest.mark.parametrize(
    "said",
    [
        [("prussia", "bid 1"), ("prussia", "undo")],
        [("prussia", "standing 1 bid"), ("prussia", "bid 1")],
        [("prussia", "take-back 0")],
        [("saxony", "bid 1")],
        [("prussia", "bid " + "1" * imports.LONGEST)],
    ],
)
def test_where_not_all_counts_it_is_played_elsewhere_first(said: Sequence[tuple[str, str]]) -> None:
    recorded = parse(Path("x"), a_record(*said).encode())
    assert not imports.has_only_counting_lines(Replay(load("toy"), recorded))
    assert imports.has_only_counting_lines(
        Replay(load("toy"), parse(Path("x"), a_record(("prussia", "bid 1")).encode()))
    )


@pytest.mark.usefixtures("toy_data")
@pytest.mark.parametrize(
    ("said", "end"),
    [
        ([("prussia", "bid 1"), ("prussia", "done")], ""),
        ([("prussia", "bid 1"), ("austria", "bid 1"), ("chance", "die 6")], ""),
        ([("prussia", "resign"), ("austria", "bid 1")], ""),
        ([("prussia", "bid 1")], "prussia luck 1756 T4 feed"),
    ],
)
def test_it_is_refused_in_the_same_words_wherever_it_is_played(said: Sequence[tuple[str, str]], end: str) -> None:
    text = a_record(*said, end=end).encode()
    ruleset, recorded = load("toy"), imported(text).recorded
    assert recorded is not None
    with pytest.raises(RecordError) as once:
        list(DirectReplay(GameHistory(ruleset, ruleset.new_game("parley", {"rounds": "3"})), recorded).steps())
    with pytest.raises(RecordError) as again:
        replayed(text)
    assert str(once.value).partition(": ")[2] == str(again.value).partition(": ")[2]


class Halting(WorkQueue):
    def __init__(self) -> None:
        super().__init__(1, 60, QueueLimits(), here)
        self.has_come, self.may_go_on = Event(), Event()

    async def run_in_slices(self, asker: str, steps: Iterable[object]) -> None:
        for number, _ in enumerate(steps, 1):
            if number == 2:
                self.has_come.set()
                await asyncio.to_thread(self.may_go_on.wait, 60)


@pytest.mark.parametrize("tried", [(), (("prussia", "bid 3"), ("prussia", "undo"))])
def test_who_brings_a_record_in_can_ask_how_far_it_has_come(
    server: TestServer, monkeypatch: pytest.MonkeyPatch, tried: Sequence[tuple[str, str]]
) -> None:
    lane, caller, key = Halting(), call(server.port), new_key()
    monkeypatch.setattr(server.registry, "replaying", lane)
    record = a_record(*tried, ("prussia", "bid 1"), ("austria", "bid 2"), ("chance", "die 3"), ("prussia", "done"))
    statuses: list[int] = []
    bringing = Thread(target=lambda: statuses.append(bring_in(call(server.port), record, f"?key={key}").status))
    bringing.start()
    try:
        assert lane.has_come.wait(60)
        assert caller.get(f"/api/import/{key}").json == {"done": 2, "total": 4}
        assert caller.get(f"/api/import/{new_key()}").json == {"done": 0, "total": 0}
    finally:
        lane.may_go_on.set()
        bringing.join()
    assert statuses == [201]
    assert caller.get(f"/api/import/{key}").json == {"done": 0, "total": 0}, "nothing is remembered of it"


def test_a_key_that_is_none_is_refused(server: TestServer) -> None:
    caller = call(server.port)
    assert bring_in(caller, a_record(("prussia", "bid 1")), "?key=short").status == 400
    assert caller.get("/api/home").json == {"games": []}


def test_nobody_else_is_told_how_far_a_record_has_come() -> None:
    begun = Imports()
    with (
        closing(begun.track_steps(range(3), 3, "a", "12345678")) as steps,
        closing(begun.track_steps("x", 1, "a", "")) as other,
    ):
        for each in (steps, steps, other):
            next(each)
        assert begun.of("a", "12345678") == ImportProgress(2, 3)
        assert begun.of("b", "12345678") == begun.of("a", "") == ImportProgress(0, 0)
    assert begun.of("a", "12345678") == ImportProgress(0, 0)


def end(party: Party) -> None:
    assert party.prussia.move("resign").status == 200


def test_a_game_against_the_machine_is_one_request(server: TestServer) -> None:
    _, made = new_game(server, ("me", "random"))
    mine, machine = made["seats"]
    assert (mine["who"], bool(mine["seat"]), mine["link"]) == ("person", True, "")
    assert (machine["who"], machine["seat"], machine["link"]) == ("random", "", "")


def test_hot_seat_is_both_seats(server: TestServer) -> None:
    caller, made = new_game(server, ("me", "me"))
    for side, seat in enumerate(made["seats"]):
        assert SeatClient(caller, seat["seat"], side).fresh["side"] == side


def test_a_link_is_a_seat(server: TestServer) -> None:
    maker, made = new_game(server, ("me", "link"))
    here, there = made["seats"]
    assert (there["who"], there["seat"]) == ("open", "")
    guest = take(server, there["link"], 1)
    assert guest.fresh["side"] == 1
    seats = SeatClient(maker, here["seat"], 0).fresh["seats"]
    assert [(seat["who"], bool(seat["seat"])) for seat in seats] == [
        ("person", True),
        ("person", False),
        ("watcher", False),
    ]


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"players": ["me", "nobody"]}, "not a valid bot"),
        ({"ruleset": "chess"}, "not a valid rule set"),
        ({"ruleset": "../../etc/passwd"}, "not a valid rule set"),
        ({"scenario": "waterloo"}, "not a valid scenario"),
        ({"options": {"rounds": "2"}}, "not a valid value"),
        ({"options": {"weather": "rain"}}, "not a valid option"),
    ],
)
def test_a_game_that_cannot_be_is_refused(server: TestServer, wrong: dict[str, object], word: str) -> None:
    caller = call(server.port)
    wanted = {"players": ["me", "random"], "ruleset": "toy", "scenario": "parley"} | wrong
    answer = caller.post("/api/games", wanted)
    assert answer.status == 400
    assert word in answer.json["detail"]
    assert caller.get("/api/home").json == {"games": []}


def test_a_browser_may_have_so_many_games(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(create, "OPEN_GAMES", 2)
    caller, made = new_game(server, ("me", "link"))
    game = {"players": ["me", "link"], "ruleset": "toy", "scenario": "parley"}
    assert caller.post("/api/games", game).status == 201
    answer = caller.post("/api/games", game)
    assert (answer.status, answer.json["title"]) == (429, "Too many games")
    assert len(caller.get("/api/home").json["games"]) == 2
    SeatClient(caller, made["seats"][0]["seat"], 0).move("resign")
    assert caller.post("/api/games", game).status == 201


def test_the_home_page_lists_what_waits_first(server: TestServer) -> None:
    caller, first = new_game(server, ("me", "link"))
    server.tick(60)
    new_game_of = {"players": ["link", "me"], "ruleset": "toy", "scenario": "parley", "title": "The second"}
    second = caller.post("/api/games", new_game_of).json
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


def test_drafts_make_no_difference_to_the_home_page(in_move: Party) -> None:
    before = in_move.austria.caller.get("/api/home").body
    in_move.server.tick(60)
    in_move.prussia.orders("step north 1")
    assert in_move.austria.caller.get("/api/home").body == before
    in_move.prussia.orders("done")
    assert in_move.austria.caller.get("/api/home").json["games"][0]["is_your_turn"] is True


@pytest.mark.parametrize(("turn", "said"), [(17, "late December 1756"), (18, "early January 1757"), (0, "1756")])
def test_the_january_in_which_a_year_of_war_ends_is_the_next_years(
    monkeypatch: pytest.MonkeyPatch, turn: int, said: str
) -> None:
    rules = load("frederick")
    monkeypatch.setattr(type(rules), "date", lambda _rules, _state: (1756, turn))
    assert date_of(rules, rules.new_game("campaign", {})) == said


def test_a_game_that_has_ended_says_how(party: Party) -> None:
    end(party)
    (line,) = party.austria.caller.get("/api/home").json["games"]
    assert line["result"] == "Austria wins: resignation, 1757."
    assert line["waiting"] == []


# --- whose seat it is -------------------------------------------------------------------------------------------------

ROUTES = ("", "/chronicle", "/turns", "/past?n=0", "/left", "/notes", "/chat", "/record", "/advice", "/stream?after=0",
          "/layer?name=steps", "/odds?of=die", "/about?place=0000")  # fmt: skip
POSTS: tuple[tuple[str, object], ...] = (
    ("/orders", {"seen": 0, "key": "12345678", "order": "bid 1"}),
    ("/moves", {"seen": 0, "key": "12345678", "do": "resign"}),
    ("/form", {"partial_order": {}}),
    ("/chat", {"key": "12345678", "text": "hello"}),
    ("/rematch", {}),
    ("/link", {}),
)


def test_a_foreign_seat_is_as_unknown_as_none(party: Party) -> None:
    _, other = new_game(party.server, ("me", "link"))
    strangers = [
        party.austria.caller,
        call(party.server.port),
        call(party.server.port, secret_of(other["seats"][1]["link"])),
    ]
    for caller in strangers:
        for route in ROUTES:
            foreign, none = (caller.get(f"/api/seats/{seat}{route}") for seat in (party.prussia.seat, "no-such-seat"))
            assert foreign.status == 404, route
            assert foreign == none, route
        for route, body in POSTS:
            foreign, none = (
                caller.post(f"/api/seats/{seat}{route}", body) for seat in (party.prussia.seat, "no-such-seat")
            )
            assert foreign.status == 404, route
            assert foreign == none, route
        put = caller.ask("PUT", f"/api/seats/{party.prussia.seat}/notes", {"text": "mine"})
        assert put.status == 404
    assert party.prussia.fresh["n"] == 0
    assert party.prussia.get("/notes").json["text"] == ""


def test_an_unknown_secret_takes_nothing(server: TestServer) -> None:
    caller = call(server.port)
    for secret in ("", "no-such-secret", "x" * 80):
        assert caller.post("/api/take", {"secret": secret}).status == 404
    assert caller.cookies == {}


def test_a_preview_of_a_link_takes_nothing(server: TestServer) -> None:
    caller, made = new_game(server, ("me", "link"))
    preview = call(server.port)
    assert preview.get("/seat").status == 200
    assert preview.cookies == {}
    assert SeatClient(caller, made["seats"][0]["seat"], 0).fresh["seats"][1]["who"] == "open"


def test_a_program_sits_by_its_secret(server: TestServer) -> None:
    _, made = new_game(server, ("link", "link"))
    key = "a-key-of-the-programs-own"
    program = call(server.port, key)
    seat = program.post("/api/take", {"secret": secret_of(made["seats"][0]["link"]), "key": key}).json["seat"]
    assert program.cookies == {}
    guest = SeatClient(program, seat, 0)
    guest.orders("bid 1")
    assert guest.n == 1


def test_the_cookie_is_the_browsers_alone(server: TestServer) -> None:
    caller = call(server.port)
    answer = caller.post("/api/games", {"players": ["me", "random"], "ruleset": "toy", "scenario": "parley"})
    cookie = next(value for name, value in answer.headers if name == "set-cookie")
    assert re.match(r"leuthen=[\w-]{24}; ", cookie), "144 random bits"
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))


@pytest.mark.parametrize("key", ["a", "x" * 23, "x" * 25, "x" * 23 + "."])
def test_a_key_that_was_not_made_here_is_none(server: TestServer, key: str) -> None:
    caller = call(server.port)
    caller.cookies["leuthen"] = key
    assert caller.get("/api/home").json == {"games": []}
    answer = caller.post("/api/games", {"players": ["me", "random"], "ruleset": "toy", "scenario": "parley"})
    assert answer.status == 201
    assert caller.cookies["leuthen"] != key
    assert len(caller.cookies["leuthen"]) == 24


def test_over_https_the_cookie_is_bound_to_the_host(server: TestServer) -> None:
    caller = call(server.port)
    game = {"players": ["me", "random"], "ruleset": "toy", "scenario": "parley"}
    caller._line.request(
        "POST", "/api/games", _json(game), {"Content-Type": "application/json", "X-Forwarded-Proto": "https"}
    )
    cookie = str(caller._line.getresponse().headers["Set-Cookie"])
    assert cookie.startswith("__Host-leuthen=")
    assert "Secure" in cookie.split("; ")


def _json(value: object) -> bytes:
    import msgspec

    return msgspec.json.encode(value)


def test_secrets_are_kept_as_hashes(party: Party, tmp_path: Path) -> None:
    _, made = new_game(party.server, ("me", "link"))
    links, keys = (made["seats"][1]["link"], made["watch"]), party.prussia.caller.cookies.values()
    secrets = [*map(secret_of, links), *keys]
    kept = b"".join(path.read_bytes() for path in (tmp_path / "games").iterdir())
    assert made["game"].encode() in kept
    assert not any(secret.encode() in kept for secret in secrets)


def test_seats_are_kept_over_a_restart(new_server: NewServer) -> None:
    party = new_party(new_server())
    port = new_server().port
    for guest in party.guests:
        guest.caller.port = port
        assert as_it_is(guest).fresh["side"] == guest.side


# --- beside the map ---------------------------------------------------------------------------------------------------


NO_NOTES = {"text": "", "arrows": [], "pins": [], "version": 0}


def test_a_stale_tab_cannot_overwrite_notes(party: Party) -> None:
    def save(text: str, version: int) -> int:
        body = {"text": text, "version": version}
        return party.prussia.caller.ask("PUT", f"{party.prussia.base}/notes", body).status

    assert save("first", 0) == 204
    assert save("from a stale tab", 0) == 409
    assert save("second", 1) == 204
    found = party.prussia.get("/notes").json
    assert (found["text"], found["version"]) == ("second", 2)


def test_notes_are_the_seats_own(party: Party) -> None:
    notes = {"text": "Cross at night.", "arrows": [["1623", "1622"]], "pins": [["1623", "here"]]}
    assert party.prussia.caller.ask("PUT", f"{party.prussia.base}/notes", notes).status == 204
    assert party.prussia.get("/notes").json == {**notes, "version": 1}
    assert party.austria.get("/notes").json == NO_NOTES


def test_who_watches_leaves_no_notes_for_others_who_watch(party: Party) -> None:
    gallery = party.watcher
    assert gallery.caller.ask("PUT", f"{gallery.base}/notes", {"text": "I was here."}).status == 403
    assert gallery.get("/notes").json == NO_NOTES


def test_all_at_the_table_hear_what_is_said(party: Party) -> None:
    ears = [guest.listen(0) for guest in party.guests]
    said = party.prussia.post("/chat", {"key": "12345678", "text": "<b>Bonjour</b>"})
    again = party.prussia.post("/chat", {"key": "12345678", "text": "<b>Bonjour</b>"})
    assert said.json == again.json == {"n": 1, "side": 0, "at": "2026-01-01T00:00:00+00:00", "text": "<b>Bonjour</b>"}
    for ear in ears:
        assert ear.wait_for(b"event: chat\n").count(b"event: chat") == 1
    assert party.austria.get("/chat").json["lines"] == [said.json]


def test_who_watches_speaks_after_the_end(party: Party) -> None:
    assert party.watcher.post("/chat", {"key": "12345678", "text": "Peek!"}).status == 403
    end(party)
    assert party.watcher.post("/chat", {"key": "12345678", "text": "Well played"}).status == 200


def test_advice_is_given_where_the_table_allows_it(server: TestServer) -> None:
    for helps, status in ((True, 200), (False, 403)):
        caller, made = new_game(server, ("me", "me"), helps=helps)
        guest = SeatClient(caller, made["seats"][0]["seat"], 0)
        assert guest.fresh["helps"] is helps
        assert guest.get("/advice").status == status
    guest.orders("bid 1")
    assert guest.get("/advice").status in (403, 409)


def test_what_a_seat_asks_is_answered_from_its_own_view(in_move: Party) -> None:
    assert in_move.prussia.get("/about?place=0001").json["lines"] == ["-1"]
    assert in_move.austria.get("/about?place=0001").json["lines"] == ["2"]
    assert in_move.watcher.get("/about?place=0000").json["lines"] == ["-1"]
    assert in_move.prussia.get("/layer?name=steps").status == 200
    assert in_move.prussia.get("/odds?of=die").json["title"] == "The die"
    assert in_move.prussia.get("/left").json["left"][0]["rule"] == "T3.1"
    for wrong in ("/layer?name=no", "/odds?of=no", "/about?place=no", "/layer", "/past", "/past?n=x"):
        assert in_move.prussia.get(wrong).status == 400, wrong


# --- games in memory --------------------------------------------------------------------------------------------------


def test_games_that_nobody_needs_are_put_away(new_server: NewServer) -> None:
    server = new_server(memory=2 * BASE_WEIGHT + 20 * LINE_WEIGHT)
    first = new_party(server)
    first.prussia.orders("bid 1")
    ear = first.austria.listen(0)
    ear.wait_for(b"event: news")
    others = [new_party(server) for _ in range(4)]
    assert first.game in server.registry.sessions, "somebody listens"
    assert len(server.registry.sessions) == 2
    assert others[0].game not in server.registry.sessions
    others[0].prussia.orders("bid 2")
    assert others[0].game in server.registry.sessions


def test_games_for_which_there_is_room_stay(new_server: NewServer) -> None:
    server = new_server(memory=3 * BASE_WEIGHT)
    games = [new_party(server).game for _ in range(2)]
    assert list(server.registry.sessions) == games


def test_a_game_in_somebody_s_hand_has_no_second_one(new_server: NewServer) -> None:
    server = new_server(memory=0)
    first = new_party(server)
    session = server.session(first.game)
    new_party(server)
    assert first.game not in server.registry.sessions
    first.prussia.orders("bid 1")
    assert server.session(first.game) is session


def test_a_game_that_was_put_away_is_let_go(new_server: NewServer) -> None:
    server = new_server(memory=0)
    first = new_party(server)
    first.prussia.orders("bid 1")
    new_party(server)
    gc.collect()
    assert first.game not in server.registry._alive
    first.austria.orders("bid 2")


def test_a_game_is_on_disk_even_if_nobody_can_be_told(in_move: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    ear = in_move.prussia.listen(in_move.prussia.n)
    ear.wait_for(b"event: news")
    n = in_move.prussia.n

    def fail(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        replace_presenter(broken, scene=fail)
        assert in_move.prussia.order("step north 1", n).json["n"] == n + 1
    ear._reader.join(30)
    assert not ear._reader.is_alive(), "the stream ends, so that the page comes back"
    assert in_move.prussia.n == n + 1
