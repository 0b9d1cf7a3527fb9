import pytest

from tests.server.conftest import Guest, NewHouse, Party, for_ever, new_game, sentences
from tests.server.house import House
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


def test_an_offer_lasts_over_a_restart(party: Party, new_house: NewHouse) -> None:
    party.prussia.move("offer-draw")
    party.austria.caller.port = new_house().port
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
    undone = prussia.n
    prussia.move("undo")
    for to in (0, -1, undone, prussia.n, 99):
        assert prussia.move("ask-takeback", to).status == 409, to
    assert prussia.fresh["proposals"] == []


def test_a_takeback_lasts_over_a_restart(in_move: Party, new_house: NewHouse) -> None:
    n = in_move.prussia.n
    in_move.prussia.orders("step north 2", "done")
    in_move.prussia.move("ask-takeback", n + 1)
    in_move.austria.move("accept")
    before = [(guest.fresh, guest.told()) for guest in in_move.guests]
    port = new_house().port
    for guest, was in zip(in_move.guests, before, strict=True):
        guest.caller.port = port
        again = as_it_is(guest)
        assert (again.fresh, again.told()) == was


def test_a_machine_grants_a_takeback_and_takes_no_draw(new_house: NewHouse) -> None:
    house: House = new_house(run=for_ever)
    caller, made = new_game(house, ("me", "random"))
    guest = Guest(caller, made["seats"][0]["seat"], 0)
    guest.orders("bid 1")
    assert guest.move("offer-draw").status == 409
    assert guest.move("ask-takeback", 1).status == 200
    assert "sealed (0, 0)" in guest.fresh["scene"]["notes"]
    guest.orders("bid 3")


@pytest.mark.parametrize(("offer", "title"), [("offer-draw", "draw"), ("ask-takeback", "takeback")])
def test_who_asked_is_told_that_it_was_declined(party: Party, new_house: NewHouse, offer: str, title: str) -> None:
    party.prussia.orders("bid 1")
    ear = party.prussia.listen()
    assert party.prussia.move(offer, 1).status == 200
    assert party.austria.move("decline").status == 200
    ear.wait_for(f"Austria declines your {title}.".encode())
    assert party.austria.fresh["proposals"] == party.watcher.fresh["proposals"] == [], "nobody else is told"
    party.prussia.caller.port = new_house().port
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
    assert asked["text"] == "Prussia asks to take back an order that you have not been told of."


# --- undo and redo ---------------------------------------------------------------------------------------------------


def test_what_was_undone_may_be_given_again(in_move: Party, new_house: NewHouse) -> None:
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
    prussia.caller.port = new_house().port
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
