from tests.server.conftest import Guest, Party
from tests.server.test_games import end


def test_a_rematch_changes_the_sides(party: Party) -> None:
    end(party)
    offer_rematch(party)
    made = party.austria.post("/rematch", {}).json
    assert (made["seats"][0]["who"], bool(made["seats"][0]["seat"]), made["seats"][1]["who"]) == (
        "person",
        True,
        "person",
    )
    assert Guest(party.austria.caller, made["seats"][0]["seat"], 0).fresh["side"] == 0
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
