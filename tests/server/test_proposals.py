import pytest
from sqlalchemy import String

from leuthen.load import RULESETS, load
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.server.session import proposals
from leuthen.server.session.messages import Fault
from leuthen.server.session.players import expect_distinct_name, named
from leuthen.storage.rows import ProposalRow
from leuthen.storage.tables import TABLES
from tests.rows import rows
from tests.server.conftest import (
    GameClients,
    NewServer,
    SeatClient,
    create_game,
    creator_of,
    entry_texts,
    events,
    never_finish,
    new_caller,
    new_key,
    secret_of,
    take_seat,
)
from tests.server.harness import TestServer
from tests.server.test_games import resign


def test_a_player_who_resigns_loses(game: GameClients) -> None:
    streams = [client.subscribe(0) for client in game.clients]
    assert game.austria.move("resign").status == 200
    for client, stream in zip(game.clients, streams, strict=True):
        assert entry_texts(stream.wait_for(b'"result"'))[-1] == "Austria resigns."
        snapshot = client.snapshot
        assert snapshot["has_ended"] is True
        assert snapshot["awaited"] == []
        assert snapshot["scene"]["result"].startswith("Prussia wins: resignation")
    assert game.prussia.order("bid 1").status == 400
    assert game.prussia.move("resign").status == 400


def test_a_draw_offer_can_be_accepted_after_a_restart(game: GameClients, new_server: NewServer) -> None:
    stream = game.austria.subscribe(0)
    n = game.prussia.n
    assert game.prussia.move("offer-draw").json["n"] == n
    assert b"Prussia offers a draw." in stream.wait_for(b"offers a draw")
    assert game.prussia.move("accept").status == 409, "only the opponent can accept"
    game.move_to(new_server())
    assert game.spectator.snapshot["proposals"][0]["kind"] == "draw"
    assert game.austria.move("accept").status == 200
    assert game.prussia.snapshot["scene"]["result"].startswith("A draw: agreement")
    assert game.prussia.snapshot["proposals"] == []


@pytest.mark.parametrize(("who", "do"), [(1, "decline"), (0, "withdraw")])
def test_an_offer_can_be_declined_or_withdrawn(game: GameClients, who: int, do: str) -> None:
    game.prussia.move("offer-draw")
    assert game.clients[who].move(do).status == 200
    assert game.austria.snapshot["proposals"] == []
    assert game.austria.move("accept").status == 409
    assert game.clients[who].move(do).status == 409
    assert game.prussia.snapshot["has_ended"] is False


def test_every_offer_fits_its_column() -> None:
    kind = TABLES[ProposalRow].c.kind.type
    assert isinstance(kind, String)
    assert max(map(len, proposals.WORDS)) <= (kind.length or 0), "PostgreSQL refuses a longer one"


def test_an_offer_sent_twice_counts_once(game: GameClients) -> None:
    first = game.prussia.move("offer-draw", key="the-same-key")
    game.austria.move("decline")
    again = game.prussia.move("offer-draw", key="the-same-key")
    assert (again.status, again.body) == (200, first.body)
    assert game.austria.snapshot["proposals"] == [], "the declined offer does not return"


def test_a_takeback_lists_what_goes_and_restores_the_position(after_bids: GameClients, new_server: NewServer) -> None:
    prussia, austria, _ = after_bids.clients
    before = [client.snapshot["scene"] for client in after_bids.clients]
    entries = [client.entries() for client in after_bids.clients]
    n = prussia.n
    prussia.orders("step north 2", "peek", "done")
    assert prussia.move("ask-takeback", n + 1).status == 200
    (asked,) = austria.snapshot["proposals"]
    assert asked["uncovers"] == ["prussia steps +2.", "prussia peeks.", "prussia is done."]
    assert asked["text"] == "Prussia asks to take back 3 lines of the chronicle."
    assert asked["to"] == austria.n - 2
    stream = austria.subscribe(austria.n)
    assert austria.move("accept").status == 200
    stream.wait_for(b'"dropped":3')
    for _ in range(2):
        assert [client.snapshot["scene"] for client in after_bids.clients] == before
        assert [client.entries() for client in after_bids.clients] == [
            [*lines, "Austria grants a takeback."] for lines in entries
        ]
        after_bids.move_to(new_server())
    prussia.orders("step north 1")


def test_a_takeback_needs_the_number_of_an_order(after_bids: GameClients) -> None:
    prussia = after_bids.prussia
    prussia.orders("step north 1")
    on_undo = prussia.n
    prussia.move("undo")
    for to in (0, -1, on_undo, prussia.n, 99):
        assert prussia.move("ask-takeback", to).status == 409, to
    assert prussia.snapshot["proposals"] == []


def test_a_bot_grants_takebacks_and_declines_draws(new_server: NewServer) -> None:
    client = creator_of(new_server(run=never_finish), ("me", "random"))
    client.orders("bid 1")
    assert client.move("offer-draw").status == 409
    assert client.move("ask-takeback", 1).status == 200
    assert "sealed (0, 0)" in client.snapshot["scene"]["notes"]
    client.orders("bid 3")


@pytest.mark.parametrize(("offer", "title"), [("offer-draw", "draw"), ("ask-takeback", "takeback")])
def test_a_player_learns_that_an_offer_was_declined(
    game: GameClients, new_server: NewServer, offer: str, title: str
) -> None:
    game.prussia.orders("bid 1")
    stream = game.prussia.subscribe()
    assert game.prussia.move(offer, 1).status == 200
    assert game.austria.move("decline").status == 200
    stream.wait_for(f"Austria declines your {title}.".encode())
    assert game.austria.snapshot["proposals"] == game.spectator.snapshot["proposals"] == [], (
        "only the player who offered is notified"
    )
    game.move_to(new_server())
    prussia = game.prussia
    (proposal,) = prussia.snapshot["proposals"]
    assert (proposal["kind"], proposal["side"]) == (f"declined-{title}", 0)
    assert prussia.move("withdraw").status == 200
    assert prussia.snapshot["proposals"] == []


def test_an_answer_to_a_replaced_offer_is_refused(game: GameClients) -> None:
    def answer(do: str, offer: str, to: int = 0) -> int:
        n = game.austria.n
        body = {"seen": n, "key": f"answer-{do}-{offer}-{to}", "do": do, "offer": offer, "to": to}
        return game.austria.post("/moves", body).status

    game.prussia.orders("bid 1")
    game.prussia.move("ask-takeback", 1)
    game.prussia.move("withdraw")
    game.prussia.move("offer-draw")
    assert answer("accept", "takeback") == 409
    assert answer("decline", "takeback") == 409
    assert game.prussia.snapshot["has_ended"] is False
    assert answer("accept", "draw") == 200


def test_a_takeback_of_an_unseen_order_does_not_describe_it(after_bids: GameClients) -> None:
    n = after_bids.prussia.n
    after_bids.prussia.orders("step north 2")
    after_bids.prussia.move("ask-takeback", n + 1)
    (asked,) = after_bids.austria.snapshot["proposals"]
    assert asked["text"] == "Prussia asks to take back an order that you have not seen."
    assert after_bids.austria.move("decline").status == 200
    assert "prussia steps +2." in after_bids.prussia.entries()


# --- undo and redo ---------------------------------------------------------------------------------------------------


def test_an_undone_order_can_be_redone_after_a_restart(after_bids: GameClients, new_server: NewServer) -> None:
    prussia = after_bids.prussia
    prussia.orders("step north 1", "step north 2")
    stream = prussia.subscribe(prussia.n)
    prussia.move("undo")
    stream.wait_for(b'"redo":"step north 2"')
    prussia.move("undo")
    assert prussia.snapshot["redo"] == "step north 1"
    assert after_bids.austria.snapshot["redo"] == ""
    prussia.orders("step north 1")
    assert prussia.snapshot["redo"] == "step north 2"
    after_bids.move_to(new_server())
    assert prussia.snapshot["redo"] == "step north 2"
    prussia.orders("step north 2")
    assert prussia.snapshot["redo"] == ""
    for _ in range(2):
        prussia.move("undo")
    prussia.orders("step north 2")
    assert prussia.snapshot["redo"] == "", "another order clears it"


def test_a_rematch_swaps_the_sides_and_is_created_once(game: GameClients) -> None:
    resign(game)
    assert game.prussia.move("offer-rematch").status == 200
    first = game.austria.post("/rematch", {}).json
    second = game.prussia.post("/rematch", {}).json
    assert second["game"] == first["game"]
    for made, client, side in ((first, game.austria, 0), (second, game.prussia, 1)):
        assert [bool(seat["seat"]) for seat in made["seats"]] == [side == 0, side == 1]
        assert [seat["link"] for seat in made["seats"]] == ["", ""]
        again = SeatClient(client.caller, made["seats"][side]["seat"], side)
        assert again.snapshot["side"] == side
        assert len(again.get("/devices").json["devices"]) == 1


def test_a_rematch_starts_only_when_both_agree(game: GameClients) -> None:
    def offer() -> None:
        assert game.prussia.move("offer-rematch").status == 200

    assert game.prussia.move("offer-rematch").status == 409, "the game has not ended"
    resign(game)
    assert game.spectator.post("/rematch", {}).status == 403
    assert game.prussia.post("/rematch", {}).status == 409, "there is no offer"
    offer()
    assert [proposal["kind"] for proposal in game.austria.snapshot["proposals"]] == ["rematch"]
    assert game.prussia.post("/rematch", {}).status == 409, "only the opponent can accept"
    assert game.austria.move("decline").status == 200
    assert game.austria.snapshot["proposals"] == []
    assert game.prussia.snapshot["proposals"][0]["text"] == "Austria declines your rematch."
    assert game.austria.post("/rematch", {}).status == 409
    offer()
    made = game.austria.post("/rematch", {}).json
    assert [proposal["kind"] for proposal in game.prussia.snapshot["proposals"]] == ["rematch-made"]
    assert game.prussia.post("/rematch", {}).json["game"] == made["game"]


ANNA = {"name": "Anna", "colour": "red"}


@pytest.mark.parametrize(("given", "stored"), rows("names-stored"))
def test_a_name_is_stored_as_written(given: str, stored: str) -> None:
    assert named(given) == stored


@pytest.mark.parametrize("given", rows("names-misleading"))
def test_a_misleading_name_is_refused(given: str) -> None:
    with pytest.raises(Fault) as refused:
        named(given)
    assert refused.value.problem.status == 400
    assert given == "You" or given not in refused.value.problem.detail


def test_two_players_cannot_have_similar_names() -> None:
    expect_distinct_name("Anna", ["", "Hannah"])
    similar = ("anna", "Änna", "A n n a", "4nna", "ꓮnna")
    for name, other in (*(("Anna", other) for other in similar), ("сосо", "coco"), ("Ора", "Opa")):
        with pytest.raises(Fault):
            expect_distinct_name(name, [other])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_player_cannot_be_named_like_a_side_or_power(ruleset: str) -> None:
    for name in {*load(ruleset).sides, *(POWERS if ruleset == "frederick" else ())}:
        with pytest.raises(Fault):
            named(name)


@pytest.mark.parametrize("turn", ["\u202e", "\u202a", "\u2066", "\u2069"])
def test_titles_and_chat_drop_direction_controls(server: TestServer, turn: str) -> None:
    maker, made = create_game(server, ("me", "link"), title=f"A {turn}war")
    assert maker.get("/api/home").json["games"][0]["title"] == "A war"
    anna = SeatClient(maker, made["seats"][0]["seat"], 0)
    assert anna.post("/chat", {"key": new_key(), "text": f"{turn}Well met"}).json["text"] == "Well met"
    assert anna.post("/chat", {"key": new_key(), "text": turn}).status == 400
    assert [line["text"] for line in anna.get("/chat").json["lines"]] == ["Well met"]


def seat_names(client: SeatClient) -> list[tuple[str, str]]:
    return [(line["player"], line["colour"]) for line in client.snapshot["seats"]]


def test_players_and_spectators_see_names_and_changes(server: TestServer) -> None:
    maker, made = create_game(server, ("me", "link"), sitting=(ANNA, {"name": "nobody knows me"}))
    anna, spectator = SeatClient(maker, made["seats"][0]["seat"], 0), take_seat(server, made["watch"], 2)
    assert seat_names(spectator) == [("Anna", "red"), ("", ""), ("", "")], "an open seat has no name"
    stream = spectator.subscribe()
    joiner = new_caller(server.port)
    asked = {"secret": secret_of(made["seats"][1]["link"]), "sitter": {"name": "anna"}}
    assert joiner.post("/api/take", asked).status == 400
    assert anna.snapshot["seats"][1]["who"] == "open", "the refused name left the seat open"
    answer = joiner.post("/api/take", asked | {"sitter": {"name": "Daun", "colour": "gold"}})
    assert answer.status == 200
    daun = SeatClient(joiner, answer.json["seat"], 1)
    stream.wait_for(b'"Daun"')
    assert seat_names(anna) == seat_names(daun) == [("Anna", "red"), ("Daun", "gold"), ("", "")]
    assert joiner.ask("PUT", f"{daun.base}/player", {"name": "Leopold", "colour": ""}).status == 204
    snapshot = [data for event, data in events(stream.wait_for(b'"Leopold"')) if event == "fresh"]
    assert snapshot[-1]["seats"][1]["player"] == "Leopold"
    assert [one["player"] for one in maker.get("/api/home").json["games"][0]["seats"]] == ["Anna", "Leopold"]
    server.registry.sessions.clear()
    assert seat_names(anna) == [("Anna", "red"), ("Leopold", ""), ("", "")], "the name is stored"


def test_only_the_seat_owner_can_change_the_name(game: GameClients) -> None:
    base = game.prussia.base
    assert game.austria.caller.ask("PUT", f"{base}/player", ANNA).status == 404
    for bad in ({"name": "x" * 81}, {"name": "The umpire"}, {"name": "Anna", "colour": "#f00"}, {"name": 3}):
        assert game.prussia.caller.ask("PUT", f"{base}/player", bad).status == 400
    assert seat_names(game.prussia) == [("", "")] * 3


def spectator_names(received: bytes) -> list[list[str]]:
    presence = [data for event, data in events(received) if event == "presence"]
    return [[spectator["name"] for spectator in data.get("watchers", ())] for data in presence]


def test_only_players_see_the_names_of_spectators(server: TestServer) -> None:
    maker, made = create_game(server, ("me", "link"), sitting=(ANNA, {}))
    anna, link = SeatClient(maker, made["seats"][0]["seat"], 0), secret_of(made["watch"])
    stream = anna.subscribe()
    silent = take_seat(server, made["watch"], 2)
    beside = silent.subscribe()
    carol = new_caller(server.port)
    assert carol.post("/api/take", {"secret": link, "sitter": {"name": "Änna"}}).status == 400
    seat = carol.post("/api/take", {"secret": link, "sitter": {"name": "Carol", "colour": "teal"}}).json["seat"]
    watching = SeatClient(carol, seat, 2)
    own = watching.subscribe()
    stream.wait_for(b'"Carol"')
    assert silent.put("/player", {"name": "Dora"}).status == 204
    assert spectator_names(stream.wait_for(b'"Dora"'))[-1] == ["Carol", "Dora"]
    assert carol.ask("PUT", f"{watching.base}/player", {"name": "Zora"}).status == 204
    assert spectator_names(stream.wait_for(b'"Zora"'))[-1] == ["Dora", "Zora"]
    own.close()
    assert spectator_names(stream.wait_for(b'"watchers":[{"name":"Dora","colour":""}]'))[-1] == ["Dora"]
    late = take_seat(server, made["watch"], 2).subscribe()
    late.wait_for(b"presence")
    assert anna.post("/chat", {"key": "well-met-1", "text": "Well met"}).status == 200
    for received in (beside, late):
        assert not any(spectator_names(received.wait_for(b"Well met")))
    assert seat_names(anna)[2] == seat_names(watching)[2] == ("", "")


def test_a_returning_player_keeps_the_name(server: TestServer) -> None:
    _, made = create_game(server, ("link", "random"))
    first = new_caller(server.port)
    link = first.post("/api/take", {"secret": secret_of(made["seats"][0]["link"]), "sitter": ANNA}).json["link"]
    second = new_caller(server.port)
    seat = second.post("/api/take", {"secret": secret_of(link), "sitter": {"name": "Somebody"}}).json["seat"]
    assert seat_names(SeatClient(second, seat, 0))[0] == ("Anna", "red")


def test_a_bot_has_a_title_and_a_greeting(server: TestServer) -> None:
    maker, made = create_game(server, ("me", "random"), sitting=({}, {"name": "Not me"}))
    bot = SeatClient(maker, made["seats"][0]["seat"], 0).snapshot["seats"][1]
    assert (bot["player"], bot["colour"]) == ("Recruit", "")
    assert bot["greeting"].startswith("New to the service")


def test_a_record_contains_no_display_names(game: GameClients) -> None:
    assert game.prussia.put("/player", {"name": "Wilhelmine"}).status == 204
    assert game.prussia.move("resign").status == 200
    assert b"Wilhelmine" not in game.austria.get("/record").body


def test_a_stale_tab_cannot_change_a_name(game: GameClients) -> None:
    seat = game.prussia

    def rename(name: str, was: str) -> int:
        body = {"name": name, "colour": "", "was": {"name": was, "colour": ""}}
        return seat.put("/player", body).status

    assert rename("Anna", "") == 204
    assert rename("Anna", "") == 204, "the same request is accepted again"
    assert rename("Bertha", "") == 409
    assert rename("Bertha", "Anna") == 204
