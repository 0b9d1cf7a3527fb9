import pytest

from leuthen.load import RULESETS, load
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.server.session.players import expect_distinct_name, named
from leuthen.server.session.problems import Fault
from tests.server.conftest import (
    NewServer,
    Party,
    SeatClient,
    call,
    events,
    for_ever,
    new_game,
    new_key,
    secret_of,
    sentences,
    take,
)
from tests.server.harness import TestServer
from tests.server.test_games import end
from tests.server.test_orders import as_it_is


def test_who_resigns_has_lost(party: Party) -> None:
    ears = [guest.listen(0) for guest in party.guests]
    assert party.austria.move("resign").status == 200
    for guest, ear in zip(party.guests, ears, strict=True):
        assert sentences(ear.wait_for(b'"result"'))[-1] == "Austria resigns."
        fresh = guest.fresh
        assert fresh["has_ended"] is True
        assert fresh["awaited"] == []
        assert fresh["scene"]["result"].startswith("Prussia wins: resignation")
    assert party.prussia.order("bid 1").status == 400
    assert party.prussia.move("resign").status == 400


def test_a_draw_is_offered_and_accepted(party: Party) -> None:
    ear = party.austria.listen(0)
    n = party.prussia.n
    assert party.prussia.move("offer-draw").json["n"] == n
    assert b"Prussia offers a draw." in ear.wait_for(b"offers a draw")
    assert party.watcher.fresh["proposals"][0]["kind"] == "draw"
    assert party.austria.move("accept").status == 200
    assert party.prussia.fresh["scene"]["result"].startswith("A draw: agreement")
    assert party.prussia.fresh["proposals"] == []


@pytest.mark.parametrize(("who", "do"), [(1, "decline"), (0, "withdraw")])
def test_an_offer_is_declined_or_withdrawn(party: Party, who: int, do: str) -> None:
    party.prussia.move("offer-draw")
    assert party.guests[who].move(do).status == 200
    assert party.austria.fresh["proposals"] == []
    assert party.austria.move("accept").status == 409
    assert party.guests[who].move(do).status == 409
    assert party.prussia.fresh["has_ended"] is False


def test_nobody_accepts_his_own_offer(party: Party) -> None:
    party.prussia.move("offer-draw")
    assert party.prussia.move("accept").status == 409
    assert party.prussia.fresh["has_ended"] is False


def test_the_same_offer_counts_once(party: Party) -> None:
    first = party.prussia.move("offer-draw", key="the-same-key")
    party.austria.move("decline")
    again = party.prussia.move("offer-draw", key="the-same-key")
    assert (again.status, again.body) == (200, first.body)
    assert party.austria.fresh["proposals"] == [], "it was declined, and is not offered anew"


def test_an_offer_lasts_over_a_restart(party: Party, new_server: NewServer) -> None:
    party.prussia.move("offer-draw")
    party.austria.caller.port = new_server().port
    austria = as_it_is(party.austria)
    assert austria.fresh["proposals"][0]["text"] == "Prussia offers a draw."
    assert austria.move("accept").status == 200


def test_a_takeback_is_shown_what_it_uncovers_and_granted(in_move: Party) -> None:
    prussia, austria, _ = in_move.guests
    before = [guest.fresh["scene"] for guest in in_move.guests]
    told = [guest.told() for guest in in_move.guests]
    n = prussia.n
    prussia.orders("step north 2", "peek", "done")
    assert prussia.move("ask-takeback", n + 1).status == 200
    (asked,) = austria.fresh["proposals"]
    assert asked["uncovers"] == ["prussia steps +2.", "prussia peeks.", "prussia is done."]
    assert asked["to"] == austria.n - 2
    ear = austria.listen(austria.n)
    assert austria.move("accept").status == 200
    ear.wait_for(b'"dropped":3')
    assert [guest.fresh["scene"] for guest in in_move.guests] == before
    for guest, lines in zip(in_move.guests, told, strict=True):
        assert guest.told() == [*lines, "Austria grants a takeback."]
    prussia.orders("step north 1")


def test_a_takeback_is_declined(in_move: Party) -> None:
    n = in_move.prussia.n
    in_move.prussia.orders("peek")
    in_move.prussia.move("ask-takeback", n + 1)
    assert in_move.austria.move("decline").status == 200
    assert "prussia sees 2." in in_move.prussia.told()


def test_a_takeback_needs_a_number_that_counts(in_move: Party) -> None:
    prussia = in_move.prussia
    prussia.orders("step north 1")
    on_undo = prussia.n
    prussia.move("undo")
    for to in (0, -1, on_undo, prussia.n, 99):
        assert prussia.move("ask-takeback", to).status == 409, to
    assert prussia.fresh["proposals"] == []


def test_a_takeback_lasts_over_a_restart(in_move: Party, new_server: NewServer) -> None:
    n = in_move.prussia.n
    in_move.prussia.orders("step north 2", "done")
    in_move.prussia.move("ask-takeback", n + 1)
    in_move.austria.move("accept")
    before = [(guest.fresh, guest.told()) for guest in in_move.guests]
    port = new_server().port
    for guest, was in zip(in_move.guests, before, strict=True):
        guest.caller.port = port
        again = as_it_is(guest)
        assert (again.fresh, again.told()) == was


def test_a_machine_grants_a_takeback_and_takes_no_draw(new_server: NewServer) -> None:
    server: TestServer = new_server(run=for_ever)
    caller, made = new_game(server, ("me", "random"))
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    guest.orders("bid 1")
    assert guest.move("offer-draw").status == 409
    assert guest.move("ask-takeback", 1).status == 200
    assert "sealed (0, 0)" in guest.fresh["scene"]["notes"]
    guest.orders("bid 3")


@pytest.mark.parametrize(("offer", "title"), [("offer-draw", "draw"), ("ask-takeback", "takeback")])
def test_who_asked_is_told_that_it_was_declined(party: Party, new_server: NewServer, offer: str, title: str) -> None:
    party.prussia.orders("bid 1")
    ear = party.prussia.listen()
    assert party.prussia.move(offer, 1).status == 200
    assert party.austria.move("decline").status == 200
    ear.wait_for(f"Austria declines your {title}.".encode())
    assert party.austria.fresh["proposals"] == party.watcher.fresh["proposals"] == [], "nobody else is told"
    party.prussia.caller.port = new_server().port
    prussia = as_it_is(party.prussia)
    (told,) = prussia.fresh["proposals"]
    assert (told["kind"], told["side"]) == (f"declined-{title}", 0)
    assert prussia.move("withdraw").status == 200
    assert prussia.fresh["proposals"] == []


def test_an_offer_that_changed_is_not_answered_unread(party: Party) -> None:
    def answer(do: str, offer: str, to: int = 0) -> int:
        n = party.austria.n
        body = {"seen": n, "key": f"answer-{do}-{offer}-{to}", "do": do, "offer": offer, "to": to}
        return party.austria.post("/moves", body).status

    party.prussia.orders("bid 1")
    party.prussia.move("ask-takeback", 1)
    party.prussia.move("withdraw")
    party.prussia.move("offer-draw")
    assert answer("accept", "takeback") == 409
    assert answer("decline", "takeback") == 409
    assert party.prussia.fresh["has_ended"] is False
    assert answer("accept", "draw") == 200


def test_a_takeback_says_how_much_goes(in_move: Party) -> None:
    n = in_move.prussia.n
    in_move.prussia.orders("step north 2", "peek", "done")
    in_move.prussia.move("ask-takeback", n + 1)
    (asked,) = in_move.austria.fresh["proposals"]
    assert asked["text"] == "Prussia asks to take back 3 lines of the chronicle."


def test_a_takeback_of_what_was_not_told_says_so(in_move: Party) -> None:
    n = in_move.prussia.n
    in_move.prussia.orders("step north 2")
    in_move.prussia.move("ask-takeback", n + 1)
    (asked,) = in_move.austria.fresh["proposals"]
    assert asked["text"] == "Prussia asks to take back an order that you have not seen."


# --- undo and redo ---------------------------------------------------------------------------------------------------


def test_what_was_undone_may_be_given_again(in_move: Party, new_server: NewServer) -> None:
    prussia = in_move.prussia
    prussia.orders("step north 1", "step north 2")
    ear = prussia.listen(prussia.n)
    prussia.move("undo")
    ear.wait_for(b'"redo":"step north 2"')
    prussia.move("undo")
    assert prussia.fresh["redo"] == "step north 1"
    assert in_move.austria.fresh["redo"] == ""
    prussia.orders("step north 1")
    assert prussia.fresh["redo"] == "step north 2"
    prussia.caller.port = new_server().port
    prussia = as_it_is(prussia)
    assert prussia.fresh["redo"] == "step north 2", "a restart remembers it"
    prussia.orders("step north 2")
    assert prussia.fresh["redo"] == ""


def test_another_order_leaves_nothing_to_redo(in_move: Party) -> None:
    prussia = in_move.prussia
    prussia.orders("step north 1", "step north 2")
    prussia.move("undo")
    prussia.move("undo")
    prussia.orders("step north 2")
    assert prussia.fresh["redo"] == ""


def test_a_rematch_changes_the_sides(party: Party) -> None:
    end(party)
    offer_rematch(party)
    made = party.austria.post("/rematch", {}).json
    assert (made["seats"][0]["who"], bool(made["seats"][0]["seat"]), made["seats"][1]["who"]) == (
        "person",
        True,
        "person",
    )
    assert SeatClient(party.austria.caller, made["seats"][0]["seat"], 0).fresh["side"] == 0
    games = party.prussia.caller.get("/api/home").json["games"]
    (line,) = [game for game in games if game["game"] == made["game"]]
    (seat,) = [seat for seat in line["seats"] if seat["seat"]]
    assert seat["side"] == 1, "who led Prussia leads Austria now"


def test_there_is_one_rematch(party: Party) -> None:
    end(party)
    offer_rematch(party)
    first = party.austria.post("/rematch", {}).json
    second = party.prussia.post("/rematch", {}).json
    assert second["game"] == first["game"]
    assert [bool(seat["seat"]) for seat in second["seats"]] == [False, True]
    assert not any(seat["link"] for seat in second["seats"])


def offer_rematch(party: Party) -> None:
    assert party.prussia.move("offer-rematch").status == 200


def test_a_rematch_is_offered_and_accepted_or_not(party: Party) -> None:
    assert party.prussia.move("offer-rematch").status == 409, "the game goes on"
    end(party)
    assert party.prussia.post("/rematch", {}).status == 409, "nobody has agreed to it"
    offer_rematch(party)
    assert [offer["kind"] for offer in party.austria.fresh["proposals"]] == ["rematch"]
    assert party.prussia.post("/rematch", {}).status == 409, "one does not accept one's own offer"
    assert party.austria.move("decline").status == 200
    assert party.austria.fresh["proposals"] == []
    assert party.austria.post("/rematch", {}).status == 409
    offer_rematch(party)
    made = party.austria.post("/rematch", {}).json
    assert [offer["kind"] for offer in party.prussia.fresh["proposals"]] == ["rematch-made"]
    assert party.prussia.post("/rematch", {}).json["game"] == made["game"]


def test_a_rematch_waits_for_the_end(party: Party) -> None:
    assert party.prussia.post("/rematch", {}).status == 409
    end(party)
    assert party.watcher.post("/rematch", {}).status == 403


ANNA = {"name": "Anna", "colour": "red"}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("  Anna \t von  A. ", "Anna von A."),
        ("José O’Neil-2", "José O’Neil-2"),
        ("Jose\u0301", "José"),
        ("Ольга", "Ольга"),
        ("小野", "小野"),
        ("שרה", "שרה"),
        ("Ａｎｎａ", "Anna"),
        ("Old Fritz 🎩", "Old Fritz 🎩"),
        ("❤️ Anna", "❤ Anna"),
        ("Captain Haddock", "Captain Haddock"),
        ("Prince of Prussia", "Prince of Prussia"),
        ("Observer", "Observer"),
        ("علی\u200cرضا", "علی\u200cرضا"),  # a Persian name with a non-joiner
        ("क्\u200dष", "क्\u200dष"),  # a Hindi name with a joiner after a virama
        ("x" * 24, "x" * 24),
        ("e\u0308" * 24, "ë" * 24),
    ],
)
def test_a_name_is_kept_as_it_is_written(given: str, kept: str) -> None:
    assert named(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "x" * 25,
        "--",
        "An\u202ena",  # reverses the line
        "An\u200bna",  # is invisible
        "An\u200cna",  # joins nothing
        "An\u200dna",
        "علی\u200c",
        "Ma\u3164chine",  # invisible letters
        "\u115fAnna",
        "An\u034fna",
        "Mach\u00adine",
        "rnachine",  # according to Unicode's table
        "ᴜmpire",
        "ꓮdmin",
        "Um pire",
        "Prussia",
        "the Austrian side",
        "pruѕѕia",
        "Nobody yet",
        "Your opponent",
        "A player without a name",
        "\ue000",
        "a" + "\u0301\u0302\u0303",
        "М" + "achine",  # a Cyrillic letter among Latin ones
        "Machine",
        "the MACHINE",
        "Umpíre",
        "u.m.p.i.r.e",
        "Ump1re",
        "|eu7hen",
        "Captain",
        "cadet",
        "Re Cruit",
        "You",
        "nobody",
        "Server Admin",
    ],
)
def test_a_name_that_misleads_is_refused(given: str) -> None:
    with pytest.raises(Fault) as refused:
        named(given)
    assert refused.value.problem.status == 400
    assert given == "You" or given not in refused.value.problem.detail


def test_two_at_a_table_do_not_look_alike() -> None:
    expect_distinct_name("Anna", ["", "Hannah"])
    for other in ("anna", "Änna", "A n n a", "4nna"):
        with pytest.raises(Fault):
            expect_distinct_name("Anna", [other])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nobody_is_called_like_a_side_or_a_power(ruleset: str) -> None:
    for name in {*load(ruleset).sides, *(POWERS if ruleset == "frederick" else ())}:
        with pytest.raises(Fault):
            named(name)


def test_two_scripts_that_look_alike_are_one_name() -> None:
    for one, other in (("сосо", "coco"), ("Ора", "Opa"), ("ꓮnna", "Anna")):
        with pytest.raises(Fault):
            expect_distinct_name(one, [other])


@pytest.mark.parametrize("turn", ["\u202e", "\u202a", "\u2066", "\u2069"])
def test_titles_and_chat_turn_no_line_round(server: TestServer, turn: str) -> None:
    maker, made = new_game(server, ("me", "link"), title=f"A {turn}war")
    assert maker.get("/api/home").json["games"][0]["title"] == "A war"
    anna = SeatClient(maker, made["seats"][0]["seat"], 0)
    assert anna.post("/chat", {"key": new_key(), "text": f"{turn}Well met"}).json["text"] == "Well met"
    assert anna.post("/chat", {"key": new_key(), "text": turn}).status == 400
    assert [line["text"] for line in anna.get("/chat").json["lines"]] == ["Well met"]


def lines(guest: SeatClient) -> list[tuple[str, str]]:
    return [(line["player"], line["colour"]) for line in guest.fresh["seats"]]


def test_everybody_sees_the_names_and_hears_of_new_ones(server: TestServer) -> None:
    maker, made = new_game(server, ("me", "link"), sitting=(ANNA, {"name": "nobody knows me"}))
    anna, watcher = SeatClient(maker, made["seats"][0]["seat"], 0), take(server, made["watch"], 2)
    assert lines(watcher) == [("Anna", "red"), ("", ""), ("", "")], "who does not sit here yet has no name"
    ear = watcher.listen()
    joiner = call(server.port)
    asked = {"secret": secret_of(made["seats"][1]["link"]), "sitter": {"name": "anna"}}
    assert joiner.post("/api/take", asked).status == 400
    assert anna.fresh["seats"][1]["who"] == "open", "who is refused for his name has not taken the seat"
    answer = joiner.post("/api/take", asked | {"sitter": {"name": "Daun", "colour": "gold"}})
    assert answer.status == 200
    daun = SeatClient(joiner, answer.json["seat"], 1)
    ear.wait_for(b'"Daun"')
    assert lines(anna) == lines(daun) == [("Anna", "red"), ("Daun", "gold"), ("", "")]
    assert joiner.ask("PUT", f"{daun.base}/player", {"name": "Leopold", "colour": ""}).status == 204
    fresh = [data for event, data in events(ear.wait_for(b'"Leopold"')) if event == "fresh"]
    assert fresh[-1]["seats"][1]["player"] == "Leopold"
    assert [one["player"] for one in maker.get("/api/home").json["games"][0]["seats"]] == ["Anna", "Leopold"]
    server.registry.sessions.clear()
    assert lines(anna) == [("Anna", "red"), ("Leopold", ""), ("", "")], "it is on disk"


def test_only_who_sits_there_may_change_the_name(party: Party) -> None:
    base = party.prussia.base
    assert party.austria.caller.ask("PUT", f"{base}/player", ANNA).status == 404
    for bad in ({"name": "x" * 81}, {"name": "The umpire"}, {"name": "Anna", "colour": "#f00"}, {"name": 3}):
        assert party.prussia.caller.ask("PUT", f"{base}/player", bad).status == 400
    assert lines(party.prussia) == [("", "")] * 3


def named_watchers(heard: bytes) -> list[list[str]]:
    told = [data for event, data in events(heard) if event == "presence"]
    return [[one["name"] for one in data.get("watchers", ())] for data in told]


def test_those_who_play_are_told_who_watches_and_nobody_else(server: TestServer) -> None:
    maker, made = new_game(server, ("me", "link"), sitting=(ANNA, {}))
    anna, link = SeatClient(maker, made["seats"][0]["seat"], 0), secret_of(made["watch"])
    ear = anna.listen()
    silent = take(server, made["watch"], 2)
    beside = silent.listen()
    carol = call(server.port)
    assert carol.post("/api/take", {"secret": link, "sitter": {"name": "Änna"}}).status == 400
    seat = carol.post("/api/take", {"secret": link, "sitter": {"name": "Carol", "colour": "teal"}}).json["seat"]
    watching = SeatClient(carol, seat, 2)
    own = watching.listen()
    ear.wait_for(b'"Carol"')
    assert silent.caller.ask("PUT", f"{silent.base}/player", {"name": "Dora"}).status == 204
    assert named_watchers(ear.wait_for(b'"Dora"'))[-1] == ["Carol", "Dora"]
    assert carol.ask("PUT", f"{watching.base}/player", {"name": "Zora"}).status == 204
    assert named_watchers(ear.wait_for(b'"Zora"'))[-1] == ["Dora", "Zora"]
    own.close()
    assert named_watchers(ear.wait_for(b'"watchers":[{"name":"Dora","colour":""}]'))[-1] == ["Dora"]
    late = take(server, made["watch"], 2).listen()
    late.wait_for(b"presence")
    assert anna.post("/chat", {"key": "well-met-1", "text": "Well met"}).status == 200
    for heard in (beside, late):
        assert not any(named_watchers(heard.wait_for(b"Well met")))
    assert lines(anna)[2] == lines(watching)[2] == ("", "")


def test_who_comes_back_by_his_link_is_called_as_before(server: TestServer) -> None:
    _, made = new_game(server, ("link", "random"))
    first = call(server.port)
    link = first.post("/api/take", {"secret": secret_of(made["seats"][0]["link"]), "sitter": ANNA}).json["link"]
    second = call(server.port)
    seat = second.post("/api/take", {"secret": secret_of(link), "sitter": {"name": "Somebody"}}).json["seat"]
    assert lines(SeatClient(second, seat, 0))[0] == ("Anna", "red")


def test_a_machine_bears_its_title_and_introduces_itself(server: TestServer) -> None:
    maker, made = new_game(server, ("me", "random"), sitting=({}, {"name": "Not me"}))
    bot = SeatClient(maker, made["seats"][0]["seat"], 0).fresh["seats"][1]
    assert (bot["player"], bot["colour"]) == ("Recruit", "")
    assert bot["greeting"].startswith("New to the service")


def test_offers_and_the_rematch_know_the_names(party: Party) -> None:
    assert party.prussia.caller.ask("PUT", f"{party.prussia.base}/player", ANNA).status == 204
    assert party.prussia.move("offer-draw").status == 200
    assert party.austria.fresh["proposals"][0]["text"] == "Anna (Prussia) offers a draw."
    assert party.austria.move("accept").status == 200
    assert party.prussia.move("offer-rematch").status == 200
    made = party.austria.post("/rematch", {}).json
    assert lines(SeatClient(party.austria.caller, made["seats"][0]["seat"], 0)) == [("", ""), ("Anna", "red"), ("", "")]


def test_names_stand_in_no_record(party: Party) -> None:
    assert party.prussia.caller.ask("PUT", f"{party.prussia.base}/player", {"name": "Wilhelmine"}).status == 204
    assert party.prussia.move("resign").status == 200
    assert b"Wilhelmine" not in party.austria.get("/record").body


def test_a_stale_tab_cannot_change_a_name(party: Party) -> None:
    seat = party.prussia

    def rename(name: str, was: str) -> int:
        body = {"name": name, "colour": "", "was": {"name": was, "colour": ""}}
        return seat.caller.ask("PUT", f"{seat.base}/player", body).status

    assert rename("Anna", "") == 204
    assert rename("Anna", "") == 204, "the same request again, because its answer was lost"
    assert rename("Bertha", "") == 409
    assert rename("Bertha", "Anna") == 204
