import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from leuthen.play.proof import protocol
from leuthen.play.proof.check import check
from leuthen.play.proof.protocol import Chain, is_signed
from leuthen.play.proof.section import parse_receipt
from leuthen.play.record import parse
from leuthen.server.session.seal import MOST_CHAINS
from leuthen.storage.sqlite import FILE
from tests.proof.vectors import load_verifier
from tests.server.conftest import NewServer, Party, SeatClient, new_game, new_key, new_party, take
from tests.server.harness import Answer, TestServer
from tests.toy import Done, Toy, ToyState


class Device:
    def __init__(self, guest: SeatClient, name: str = "", why: str = "first") -> None:
        self.guest = guest
        self.chain = Chain(protocol.digest(name or f"device {guest.side}"), 60)
        body = {"top": self.chain.top, "length": self.chain.length, "why": why}
        answer = guest.post("/chain", body)
        assert answer.status == 200, answer.body
        self.card = answer.json
        self.number = len(self.card["chains"])

    def share(self) -> dict[str, Any]:
        card = self.guest.fresh["seal"]
        given = card["chains"][self.number - 1]["given"] + 1
        seen, head = card["now"]["blocks"], card["now"]["head"]
        return {"chain": self.number, "number": given, "link": self.chain.link(given), "seen": seen, "head": head}

    def order(self, text: str, **changed: Any) -> Answer:
        body = {"seen": self.guest.n, "key": new_key(), "order": text, "share": {**self.share(), **changed}}
        return self.guest.post("/orders", body)

    def orders(self, *texts: str) -> None:
        for text in texts:
            answer = self.order(text)
            assert answer.status == 200, answer.body

    def move(self, do: str, to: int = 0) -> Answer:
        return self.guest.post(
            "/moves", {"seen": self.guest.n, "key": new_key(), "do": do, "to": to, "share": self.share()}
        )

    def give(self) -> Answer:
        return self.guest.post("/share", self.share())


def strict_party(server: TestServer, strict: bool = True) -> Party:
    _, made = new_game(server, ("link", "link"), "1", strict=strict)
    links = [*(seat["link"] for seat in made["seats"]), made["watch"]]
    guests = [take(server, link, side) for side, link in enumerate(links)]
    return Party(made["game"], guests[0], guests[1], guests[2], server)


def two(party: Party) -> tuple[Device, Device]:
    return Device(party.prussia), Device(party.austria)


def ended(party: Party, one: Device, other: Device, *first: str) -> bytes:
    one.orders(*(first or ("bid 1",)))
    other.orders("bid 3")
    one.orders("step north 2", "step south 1")
    assert one.move("undo").status == 200
    one.orders("done")
    other.orders("step north 1", "done")
    return party.prussia.get("/record").body


def checked(record: bytes, *receipts: bytes) -> Any:
    path = Path("record")
    assert load_verifier().verify(record, [text.decode() for text in receipts])[2] == ""
    return check(parse(path, record), [parse_receipt(path, text.decode()) for text in receipts])


def test_a_game_is_proved_to_its_end(party: Party) -> None:
    one, other = two(party)
    report = checked(ended(party, one, other))
    assert report.secret is not None
    assert len(report.fallen) == 1
    assert all(protocol.NO_LINK not in fallen.links for fallen in report.fallen.values())


def receipt(seal: dict[str, Any], game: str, side: str) -> bytes:
    text = protocol.checkpoint(game, seal["blocks"], seal["head"], (side, seal["own"], seal["own_head"]))
    return f"{text}signed {seal['signature']}\n".encode()


def test_every_answer_is_a_receipt_that_holds_against_the_record(party: Party) -> None:
    one, other = two(party)
    answer = one.order("bid 1").json["seal"]
    kept = [receipt(answer, party.game, "prussia"), receipt(other.guest.fresh["seal"]["now"], party.game, "austria")]
    text = protocol.checkpoint(
        party.game, answer["blocks"], answer["head"], ("prussia", answer["own"], answer["own_head"])
    )
    assert is_signed(one.card["key"], text, answer["signature"])
    assert not is_signed(other.chain.top, text, answer["signature"])
    checked(ended(party, one, other, "reopen", "bid 2"), *kept)


@pytest.mark.parametrize(
    "changed",
    [{"number": 3}, {"link": "0" * 64}, {"chain": 2}, {"head": "1" * 64}, {"seen": 99}],
    ids=lambda changed: str(*changed),
)
def test_a_link_that_does_not_fit_changes_nothing(party: Party, changed: dict[str, Any]) -> None:
    one, _ = two(party)
    before = one.guest.fresh
    answer = one.order("bid 1", **changed)
    assert answer.status == 409
    assert answer.json["title"] == "The seal does not match"
    assert "0" * 64 not in answer.body.decode()
    assert one.guest.fresh == before
    one.orders("bid 1")


@pytest.mark.parametrize(
    "changed",
    [{"top": "0" * 63}, {"top": "G" * 64}, {"length": 0}, {"length": 2**30}, {"why": "because"}, {"more": 1}],
    ids=lambda changed: str(*changed),
)
def test_what_is_no_chain_changes_nothing(party: Party, changed: dict[str, Any]) -> None:
    one, _ = two(party)
    before = one.guest.fresh
    answer = one.guest.post("/chain", {"top": "0" * 64, "length": 60, "why": "device", **changed})
    assert answer.status == 400
    assert one.guest.fresh == before


def test_a_seat_has_so_many_chains_and_no_more(party: Party) -> None:
    one, _ = two(party)
    tops = [one.guest.post("/chain", {"top": protocol.digest(f"{n}")}).status for n in range(MOST_CHAINS)]
    assert tops == [200] * (MOST_CHAINS - 1) + [429]
    one.orders("bid 1")


def test_a_link_counts_once_however_often_it_is_sent(party: Party) -> None:
    one, _ = two(party)
    body = {"seen": one.guest.n, "key": new_key(), "order": "bid 1", "share": one.share()}
    first, again = one.guest.post("/orders", body), one.guest.post("/orders", body)
    assert first == again
    assert (
        one.guest.post("/moves", {**body, "key": new_key(), "seen": one.guest.n, "do": "undo"} | {"order": 0}).status
        == 400
    )
    used = {"seen": one.guest.n, "key": new_key(), "do": "undo", "share": body["share"]}
    assert one.guest.post("/moves", used).status == 409
    assert one.guest.post("/orders", {**body, "share": one.share()}).status == 422, "another link is another request"


def test_a_refused_order_uses_up_no_link(party: Party) -> None:
    one, _ = two(party)
    share = one.share()
    assert one.order("bid 9").status in (400, 422)
    assert one.share() == share


def test_the_seal_goes_on_after_a_restart(new_server: NewServer) -> None:
    server = new_server()
    party = new_party(server)
    one, other = two(party)
    one.orders("bid 1")
    before = one.guest.fresh
    again = new_server()
    for guest in party.guests:
        guest.caller.port = again.port
        guest.caller._line.close()
        guest.caller._line.port = again.port
    assert one.guest.fresh == before
    other.orders("bid 3")
    one.orders("step north 2", "done")
    other.orders("step north 1", "done")
    checked(party.prussia.get("/record").body)


def test_a_second_device_and_a_lost_chain_are_told_in_the_end(party: Party) -> None:
    one, other = two(party)
    one.orders("bid 1")
    lost = Device(party.prussia, "another", "lost")
    assert lost.number == 2
    assert Device(party.prussia, "another").number == 2, "told again, before it is used, it is the same chain"
    lost.orders("reopen", "bid 1")
    other.orders("bid 3")
    lost.orders("done")
    other.orders("done")
    assert any("lost" in line for line in checked(party.prussia.get("/record").body).open)


def test_a_program_without_a_chain_plays_and_that_is_reported(party: Party) -> None:
    one = Device(party.prussia)
    one.orders("bid 1")
    party.austria.orders("bid 3")
    one.orders("done")
    party.austria.orders("done")
    report = checked(party.prussia.get("/record").body)
    assert {fallen.links[1] for fallen in report.fallen.values()} == {protocol.NO_LINK}


def test_a_takeback_rolls_the_same_again(party: Party) -> None:
    one, other = two(party)
    one.orders("bid 1")
    other.orders("bid 3")
    die = [line for line in party.prussia.told() if "die" in line]
    assert one.move("ask-takeback", 1).status == 200
    assert other.move("accept").status == 200
    one.orders("bid 2")
    other.orders("bid 1")
    assert [line for line in party.prussia.told() if "die" in line] == die
    one.orders("done")
    other.orders("done")
    checked(party.prussia.get("/record").body)


def test_what_the_table_answers_for_the_other_side_is_reported(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = two(party)
    one.orders("bid 1")
    other.orders("bid 3")

    def forced(toy: Toy, state: ToyState, actor: int) -> Done | None:
        return Done() if actor == 1 and any(asked.actor == 1 for asked in toy.pending(state)) else None

    monkeypatch.setattr(Toy, "forced", forced)
    before = other.share()
    one.orders("done")
    assert party.prussia.fresh["has_ended"], "the other side was done without being asked"
    assert other.share()["number"] == before["number"]
    report = checked(party.prussia.get("/record").body)
    assert any("austria" in line and "without a link" in line for line in report.all_unchecked)


# --- strict tables --------------------------------------------------------------------------------------------------


def test_at_a_strict_table_a_die_waits_for_both_seats(server: TestServer) -> None:
    party = strict_party(server)
    one, other = two(party)
    one.orders("bid 1")
    answer = other.order("bid 3").json["seal"]
    assert (answer["waiting"], answer["waits"]) == (1, "0 prussia,austria"), "each is told of its own part first"
    assert party.prussia.fresh["seal"]["now"]["waiting"] == 0
    assert not [line for line in party.prussia.told() if "die" in line]
    assert other.give().json["waiting"] == 0
    assert other.give().json["waiting"] == 0, "its part is there already: nothing is done"
    assert other.move("ask-takeback", 1).json["title"] == "A roll is waiting"
    ear = party.watcher.listen()
    assert one.give().json["waiting"] == -1
    ear.wait_for(b"The die shows")
    assert one.give().status == 200, "it waits for nothing more: nothing is done"
    one.orders("done")
    other.orders("done")
    checked(party.prussia.get("/record").body)


def test_an_undone_order_is_counted_by_the_proof(new_server: NewServer) -> None:
    party = strict_party(new_server())
    one, other = two(party)
    one.orders("bid 1")
    other.orders("bid 3")
    assert other.give().json["waiting"] == 0
    assert (party.prussia.fresh["can_undo"], party.austria.fresh["can_undo"]) == (False, True)
    assert one.move("undo").json["title"] == "The die has been rolled", "his part would be the last"
    assert party.austria.fresh["seal"]["now"]["waiting"] == 0, "it changed nothing"
    assert other.move("undo").status == 200
    for guest in party.guests:
        assert guest.told()[-1] == "Austria takes back an order that was waiting for its roll."
        assert guest.fresh["seal"]["now"]["waiting"] == -1
    assert not party.austria.fresh["can_undo"]
    again = new_server()
    for guest in party.guests:
        guest.caller._line.close()
        guest.caller.port = guest.caller._line.port = again.port
    other.orders("bid 2")
    assert one.give().json["waiting"] == 1, "the next die waits for new parts of both"
    assert other.give().json["waiting"] == -1
    one.orders("done")
    other.orders("done")
    report = checked(party.prussia.get("/record").body)
    assert [line for line in report.unchecked if line.startswith("1 order was taken back while a die waited")]
    assert [fallen.place for fallen in report.fallen.values()] == [0]


def test_a_strict_table_waits_through_a_restart(new_server: NewServer) -> None:
    server = new_server()
    party = strict_party(server)
    one, other = two(party)
    one.orders("bid 1")
    other.orders("bid 3")
    again = new_server()
    for guest in party.guests:
        guest.caller._line.close()
        guest.caller.port = guest.caller._line.port = again.port
    assert party.watcher.fresh["seal"]["now"]["waiting"] == 0
    assert one.move("resign").status == 200
    checked(party.prussia.get("/record").body)


@pytest.mark.parametrize("chosen", [{}, {"strict": False}, {"strict": True}], ids=["default", "no", "yes"])
@pytest.mark.parametrize("players", [("me", "link"), ("link", "link")])
def test_a_table_is_strict_only_where_its_maker_chooses_so(
    server: TestServer, players: tuple[str, str], chosen: dict[str, Any]
) -> None:
    caller, made = new_game(server, players, **chosen)
    seat = next((seat["seat"] for seat in made["seats"] if seat["seat"]), "")
    guest = SeatClient(caller, seat, 0) if seat else take(server, made["seats"][0]["link"], 0)
    assert guest.fresh["seal"]["is_strict"] == chosen.get("strict", False)


def test_a_game_against_the_machine_is_proved(server: TestServer) -> None:
    caller, made = new_game(server, ("me", "random"))
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    assert not guest.fresh["seal"]["is_strict"], "nobody but the machine would wait"
    one = Device(guest)
    assert guest.fresh["seal"]["now"]["shares"] == [True, False]
    ear = guest.listen()
    one.orders("bid 1")
    ear.wait_for(b"The die shows")
    one.orders("done")
    ear.wait_for(b'"result":')
    report = checked(guest.get("/record").body)
    assert report.secret is not None
    (fallen,) = report.fallen.values()
    assert fallen.links[0] != protocol.NO_LINK == fallen.links[1]
    assert any(line.startswith("austria has no chain of its own (a machine, a program)") for line in report.open)


def test_a_chain_may_come_with_the_game(server: TestServer) -> None:
    chain = Chain(protocol.digest("to be"), 60)
    body = {"top": chain.top, "length": chain.length, "why": "first"}
    caller, made = new_game(server, ("random", "me"), chain=body)
    seal = SeatClient(caller, made["seats"][1]["seat"], 1).fresh["seal"]
    assert seal["now"]["shares"] == [False, True]
    assert [own["last"] for own in seal["chains"]] == [chain.top]
    for players in (("me", "me"), ("random", "random")):
        assert new_game(server, players, chain=body)


def test_who_has_a_part_in_the_dice_is_told_to_all_at_once(party: Party) -> None:
    ear = party.watcher.listen()
    Device(party.prussia)
    ear.wait_for(b'"shares":[true,false]')
    Device(party.austria)
    ear.wait_for(b'"shares":[true,true]')


@pytest.mark.parametrize("players", [("me", "me"), ("random", "random")])
def test_a_game_that_one_browser_or_none_leads_is_not_proved(server: TestServer, players: tuple[str, str]) -> None:
    caller, made = new_game(server, players)
    if players[0] != "me":
        assert take(server, made["watch"], 2).fresh["seal"] is None
        return
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    assert guest.fresh["seal"] is None
    assert guest.post("/chain", {"top": "0" * 64}).status == 404


def test_watchers_have_no_part_in_the_dice(party: Party) -> None:
    assert party.watcher.post("/chain", {"top": "0" * 64}).status == 404
    assert party.watcher.fresh["seal"]["now"]["own"] == 0


# --- what the host might do -------------------------------------------------------------------------------------------


def test_rows_deleted_by_the_host_are_seen_by_both(new_server: NewServer, tmp_path: Path) -> None:
    party = new_party(new_server())
    one, other = two(party)
    one.orders("bid 1")
    other.orders("bid 3")
    seen = {device: device.guest.fresh["seal"]["now"] for device in (one, other)}
    roll_back(new_server, tmp_path, party, keep=lambda number: number < 1)
    for device in (one, other):
        now = device.guest.fresh["seal"]["now"]
        assert now["blocks"] < seen[device]["blocks"], "fewer than were signed"
    other.orders("bid 2")
    for device in (one, other):
        now = device.guest.fresh["seal"]["now"]
        assert (now["blocks"], now["head"]) != (seen[device]["blocks"], seen[device]["head"])


def roll_back(new_server: NewServer, folder: Path, party: Party, keep: Callable[[int], bool]) -> None:
    new_server().stop()
    with closing(sqlite3.connect(folder / "games" / FILE)) as raw, raw:
        for (number,) in raw.execute("SELECT number FROM actions").fetchall():
            if not keep(number):
                raw.execute("DELETE FROM actions WHERE number = ?", (number,))
        lines = raw.execute("SELECT number, text FROM proof ORDER BY number").fetchall()
        first = next(n for n, text in lines if text.startswith("line 2 "))
        cut = max(n for n, text in lines if n < first and text.startswith("link "))
        raw.execute("DELETE FROM proof WHERE number >= ?", (cut,))
        raw.execute("DELETE FROM answers")
    again = new_server()
    for guest in party.guests:
        guest.caller._line.close()
        guest.caller.port = guest.caller._line.port = again.port
