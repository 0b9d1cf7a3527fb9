from pathlib import Path
from typing import Any

import msgspec
import pytest

from leuthen.engine.ruleset import as_side
from leuthen.play.proof import protocol
from leuthen.play.proof.check import check, parse_receipt
from leuthen.play.proof.protocol import Chain, is_signed
from leuthen.play.proof.rules import check_rules
from leuthen.play.record import Header, RecordError, parse, text_of
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, GameTransaction, RecordLine
from leuthen.server.session.seal import MOST_CHAINS, GameSeal, begin
from tests.proof.vectors import load_verifier
from tests.rows import rows
from tests.server.conftest import (
    GameClients,
    NewServer,
    SeatClient,
    create_game,
    creator_of,
    new_caller,
    new_key,
    start_game,
    take_seat,
)
from tests.server.harness import Answer, TestServer
from tests.server.test_history import import_record, make_record
from tests.toy import Done, Toy, ToyState


class Device:
    def __init__(self, client: SeatClient, name: str = "", why: str = "first") -> None:
        self.client = client
        self.chain = Chain(protocol.digest(name or f"device {client.side}"), 60)
        body = {"top": self.chain.top, "length": self.chain.length, "why": why}
        answer = client.post("/chain", body)
        assert answer.status == 200, answer.body
        self.card = answer.json
        self.number = len(self.card["chains"])

    def share(self) -> dict[str, Any]:
        card = self.client.snapshot["seal"]
        given = card["chains"][self.number - 1]["given"] + 1
        seen, head = card["now"]["blocks"], card["now"]["head"]
        return {"chain": self.number, "number": given, "link": self.chain.link(given), "seen": seen, "head": head}

    def order(self, text: str, **changes: Any) -> Answer:
        body = {"seen": self.client.n, "key": new_key(), "order": text, "share": {**self.share(), **changes}}
        return self.client.post("/orders", body)

    def orders(self, *texts: str) -> None:
        for text in texts:
            answer = self.order(text)
            assert answer.status == 200, answer.body

    def move(self, do: str, to: int = 0) -> Answer:
        return self.client.post(
            "/moves", {"seen": self.client.n, "key": new_key(), "do": do, "to": to, "share": self.share()}
        )

    def send_share(self) -> Answer:
        return self.client.post("/share", self.share())


def open_devices(game: GameClients) -> tuple[Device, Device]:
    return Device(game.prussia), Device(game.austria)


def play_to_end(game: GameClients, one: Device, other: Device, *first: str) -> bytes:
    one.orders(*(first or ("bid 1",)))
    other.orders("bid 3")
    one.orders("step north 2", "step south 1")
    assert one.move("undo").status == 200
    one.orders("done")
    other.orders("step north 1", "done")
    return game.prussia.get("/record").body


def check_record(record: bytes, *receipts: bytes) -> Any:
    path = Path("record")
    assert load_verifier().verify(record, [text.decode() for text in receipts])[2] == ""
    return check(parse(path, record), [parse_receipt(path, text.decode()) for text in receipts])


def bid(one: Device, other: Device) -> None:
    one.orders("bid 1")
    other.orders("bid 3")


def finish(one: Device, other: Device) -> Any:
    one.orders("done")
    other.orders("done")
    return check_record(one.client.get("/record").body)


def make_receipt(seal: dict[str, Any], game: str, side: str) -> bytes:
    text = protocol.checkpoint(game, seal["blocks"], seal["head"], (side, seal["own"], seal["own_head"]))
    return f"{text}signed {seal['signature']}\n".encode()


def test_every_answer_is_a_receipt_that_the_record_confirms(game: GameClients) -> None:
    one, other = open_devices(game)
    answer = one.order("bid 1").json["seal"]
    receipts = [
        make_receipt(answer, game.id, "prussia"),
        make_receipt(other.client.snapshot["seal"]["now"], game.id, "austria"),
    ]
    text = protocol.checkpoint(
        game.id, answer["blocks"], answer["head"], ("prussia", answer["own"], answer["own_head"])
    )
    assert is_signed(one.card["key"], text, answer["signature"])
    assert not is_signed(other.chain.top, text, answer["signature"])
    report = check_record(play_to_end(game, one, other, "reopen", "bid 2"), *receipts)
    assert report.secret is not None
    assert len(report.fallen) == 1
    assert all(protocol.NO_LINK not in roll.links for roll in report.fallen.values())


@pytest.mark.parametrize(
    "changes",
    [{"number": 3}, {"link": "0" * 64}, {"chain": 2}, {"head": "1" * 64}, {"seen": 99}],
    ids=lambda changes: str(*changes),
)
def test_a_wrong_link_is_refused_and_changes_nothing(game: GameClients, changes: dict[str, Any]) -> None:
    one, _ = open_devices(game)
    before = one.client.snapshot
    answer = one.order("bid 1", **changes)
    assert answer.status == 409
    assert answer.json["title"] == "The seal does not match"
    assert "0" * 64 not in answer.body.decode()
    assert one.client.snapshot == before
    one.orders("bid 1")


@pytest.mark.parametrize(
    "changes",
    [{"top": "0" * 63}, {"top": "G" * 64}, {"length": 0}, {"length": 2**30}, {"why": "because"}, {"more": 1}],
    ids=lambda changes: str(*changes),
)
def test_an_invalid_chain_is_refused_and_changes_nothing(game: GameClients, changes: dict[str, Any]) -> None:
    one, _ = open_devices(game)
    before = one.client.snapshot
    answer = one.client.post("/chain", {"top": "0" * 64, "length": 60, "why": "device", **changes})
    assert answer.status == 400
    assert one.client.snapshot == before


def test_the_number_of_chains_of_a_seat_is_limited(game: GameClients) -> None:
    one, _ = open_devices(game)
    tops = [one.client.post("/chain", {"top": protocol.digest(f"{n}")}).status for n in range(MOST_CHAINS)]
    assert tops == [200] * (MOST_CHAINS - 1) + [429]
    one.orders("bid 1")


def test_a_link_counts_once(game: GameClients) -> None:
    one, _ = open_devices(game)
    body = {"seen": one.client.n, "key": new_key(), "order": "bid 1", "share": one.share()}
    first, again = one.client.post("/orders", body), one.client.post("/orders", body)
    assert first == again
    assert (
        one.client.post("/moves", {**body, "key": new_key(), "seen": one.client.n, "do": "undo"} | {"order": 0}).status
        == 400
    )
    used = {"seen": one.client.n, "key": new_key(), "do": "undo", "share": body["share"]}
    assert one.client.post("/moves", used).status == 409
    assert one.client.post("/orders", {**body, "share": one.share()}).status == 422, "another link is another request"


def test_a_refused_order_does_not_use_up_a_link(game: GameClients) -> None:
    one, _ = open_devices(game)
    share = one.share()
    assert one.order("bid 9").status in (400, 422)
    assert one.share() == share


def test_the_check_lists_a_second_device_and_a_lost_chain(game: GameClients) -> None:
    one, other = open_devices(game)
    one.orders("bid 1")
    lost = Device(game.prussia, "another", "lost")
    assert lost.number == 2
    assert Device(game.prussia, "another").number == 2, "a chain sent again before its first use is the same chain"
    lost.orders("reopen")
    bid(lost, other)
    assert any("lost" in line for line in finish(lost, other).open)


def test_a_proved_die_is_the_same_after_a_takeback(game: GameClients) -> None:
    one, other = open_devices(game)
    bid(one, other)
    die = [line for line in game.prussia.entries() if "die" in line]
    assert one.move("ask-takeback", 1).status == 200
    assert other.move("accept").status == 200
    one.orders("bid 2")
    other.orders("bid 1")
    assert [line for line in game.prussia.entries() if "die" in line] == die
    finish(one, other)


def test_the_check_reports_forced_actions_without_a_link(game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = open_devices(game)
    bid(one, other)

    def forced(toy: Toy, state: ToyState, actor: int) -> Done | None:
        return Done() if actor == 1 and any(asked.actor == 1 for asked in toy.pending(state)) else None

    monkeypatch.setattr(Toy, "forced", forced)
    before = other.share()
    one.orders("done")
    assert game.prussia.snapshot["has_ended"], "the other side had no choice"
    assert other.share()["number"] == before["number"]
    report = check_record(game.prussia.get("/record").body)
    assert any("austria" in line and "without a link" in line for line in report.all_unchecked)


# --- live games -----------------------------------------------------------------------------------------------------


def test_a_live_game_rolls_when_both_seats_sent_links(new_server: NewServer) -> None:
    game = start_game(new_server(), pace="live")
    one, other = open_devices(game)
    one.orders("bid 1")
    answer = other.order("bid 3").json["seal"]
    assert (answer["waiting"], answer["waits"]) == (1, "0 prussia,austria"), "a seat sees first what it has to send"
    game.move_to(new_server())
    assert game.prussia.snapshot["seal"]["now"]["waiting"] == 0
    assert not [line for line in game.prussia.entries() if "die" in line]
    assert other.send_share().json["waiting"] == 0
    assert other.send_share().json["waiting"] == 0, "the link was already sent"
    assert other.move("ask-takeback", 1).json["title"] == "A roll is waiting"
    stream = game.spectator.subscribe()
    assert one.send_share().json["waiting"] == -1
    stream.wait_for(b"The die shows")
    assert one.send_share().status == 200, "no roll waits any more"
    finish(one, other)


def test_the_proof_counts_an_order_undone_before_its_roll(new_server: NewServer) -> None:
    game = start_game(new_server(), pace="live")
    one, other = open_devices(game)
    bid(one, other)
    assert other.send_share().json["waiting"] == 0
    assert (game.prussia.snapshot["can_undo"], game.austria.snapshot["can_undo"]) == (False, True)
    assert one.move("undo").json["title"] == "The die has been rolled", "only the link of this seat is missing"
    assert game.austria.snapshot["seal"]["now"]["waiting"] == 0, "the refused undo changes nothing"
    assert other.move("undo").status == 200
    for client in game.clients:
        assert client.entries()[-1] == "Austria takes back an order that was waiting for its roll."
        assert client.snapshot["seal"]["now"]["waiting"] == -1
    assert not game.austria.snapshot["can_undo"]
    game.move_to(new_server())
    other.orders("bid 2")
    assert one.send_share().json["waiting"] == 1, "the next die waits for new links of both"
    assert other.send_share().json["waiting"] == -1
    report = finish(one, other)
    assert [line for line in report.unchecked if line.startswith("1 order was taken back while a die waited")]
    assert [roll.place for roll in report.fallen.values()] == [0]


def test_the_sides_agree_to_another_pace(server: TestServer) -> None:
    game = start_game(server, pace="live")
    one, other = open_devices(game)
    bid(one, other)
    stream = game.prussia.subscribe()
    assert other.move("ask-pace").status == 200, "its link is given with it"
    stream.wait_for(b"Austria asks to play by correspondence")
    (offer,) = game.prussia.snapshot["proposals"]
    assert (offer["kind"], offer["side"]) == ("pace-correspondence", 1)
    assert one.move("decline").status == 200
    assert game.austria.snapshot["proposals"][0]["text"] == "Prussia declines to play by correspondence."
    now = game.austria.snapshot["seal"]["now"]
    assert (now["pace"], now["waiting"]) == ("live", -1), "the die that waited was made with both links"
    one.move("ask-pace")
    assert other.move("ask-pace").status == 200, "to ask for the same is to agree"
    assert game.spectator.snapshot["proposals"] == []
    assert game.spectator.snapshot["seal"]["now"]["pace"] == "correspondence"
    assert game.spectator.snapshot["seal"]["pace"] == "live", "what the browser was promised first does not change"
    report = finish(one, other)
    assert [roll.rule for roll in report.fallen.values()] == ["live"]
    words = [line for line in game.prussia.get("/record").body.decode().splitlines() if line.startswith("pace ")]
    assert words == [
        "pace live",
        "pace 1 austria correspondence",
        "pace 1 prussia no",
        "pace 1 prussia correspondence",
        "pace 1 austria correspondence",
    ]


def test_another_offer_withdraws_the_pace_that_was_asked_for(server: TestServer) -> None:
    game = start_game(server, pace="live")
    one, other = open_devices(game)
    one.move("ask-pace")
    one.move("offer-draw")
    assert [offer["kind"] for offer in game.austria.snapshot["proposals"]] == ["draw"]
    assert other.move("accept").status == 200
    assert "pace 1 prussia no" in game.prussia.get("/record").body.decode()
    check_record(game.prussia.get("/record").body)
    assert one.move("ask-pace").json["title"] == "No other pace"


def test_a_die_is_rolled_without_the_side_that_is_away(server: TestServer) -> None:
    game = start_game(server, pace="live")
    one, other = open_devices(game)
    one.orders("bid 1")
    assert other.move("roll-alone").json["title"] == "No roll waits"
    other.orders("bid 3")
    assert game.prussia.snapshot["since"] == game.austria.snapshot["since"]
    stream = game.prussia.subscribe()
    assert other.move("roll-alone").status == 200
    stream.wait_for(b"The die shows")
    now = game.prussia.snapshot["seal"]["now"]
    assert (now["alone"], now["waiting"], now["pace"]) == (1, -1, "live")
    report = finish(one, other)
    assert any("came without the awaited side, prussia" in line for line in report.unchecked)


def test_a_game_against_the_machine_keeps_its_pace(server: TestServer) -> None:
    device = Device(creator_of(server, ("me", "random")))
    answers = (device.move("ask-pace").json["title"] for _ in range(9))
    assert next(title for title in answers if title != "The game has changed") == "No other pace"


def test_a_proof_covers_a_game_against_a_bot(server: TestServer) -> None:
    client = creator_of(server, ("me", "random"))
    assert client.snapshot["seal"]["pace"] == "correspondence", "only the bot would wait"
    one = Device(client)
    assert client.snapshot["seal"]["now"]["shares"] == [True, False]
    stream = client.subscribe()
    one.orders("bid 1")
    stream.wait_for(b"The die shows")
    one.orders("done")
    stream.wait_for(b'"result":')
    report = check_record(client.get("/record").body)
    assert report.secret is not None
    (roll,) = report.fallen.values()
    assert roll.links[0] != protocol.NO_LINK == roll.links[1]
    assert any(line.startswith("austria has no chain (a machine or program)") for line in report.open)


def test_a_chain_can_be_sent_with_the_new_game(server: TestServer) -> None:
    chain = Chain(protocol.digest("to be"), 60)
    body = {"top": chain.top, "length": chain.length, "why": "first"}
    seal = creator_of(server, ("random", "me"), chain=body).snapshot["seal"]
    assert seal["now"]["shares"] == [False, True]
    assert [own["last"] for own in seal["chains"]] == [chain.top]
    for players in (("me", "me"), ("random", "random")):
        assert create_game(server, players, chain=body)


def test_a_game_with_one_browser_or_bots_only_has_no_proof(server: TestServer) -> None:
    _, made = create_game(server, ("random", "random"))
    assert take_seat(server, made["watch"], 2).snapshot["seal"] is None
    client = creator_of(server, ("me", "me"))
    assert client.snapshot["seal"] is None
    assert client.post("/chain", {"top": "0" * 64}).status == 404


def test_spectators_do_not_seed_the_dice(game: GameClients) -> None:
    assert game.spectator.post("/chain", {"top": "0" * 64}).status == 404
    assert game.spectator.snapshot["seal"]["now"]["own"] == 0


# --- what the host might do -------------------------------------------------------------------------------------------


IMPORTED = (("prussia", "bid 1"), ("austria", "bid 3"), ("chance", "die 2"), ("prussia", "step north 2"))


def test_a_proof_covers_an_imported_game_after_its_import(new_server: NewServer) -> None:
    server = new_server()
    caller = new_caller(server.port)
    made = import_record(caller, make_record(*IMPORTED, rounds="1"), "?first=me&second=link")
    assert made.status == 201, made.body
    one = Device(SeatClient(caller, made.json["seats"][0]["seat"], 0))
    other = Device(take_seat(server, made.json["seats"][1]["link"], 1))
    one.orders("done")
    port = new_server().port
    for device in (one, other):
        device.client.caller.connect_to(port)
    other.orders("done")
    record = one.client.get("/record").body
    report = check_record(record)
    assert report.unchecked[0].startswith(
        "Imported from an older record, without proof: 4 lines with 1 answer of chance"
    )
    assert report.fallen == {}
    with pytest.raises(RecordError, match="this is not the text that line"):
        check(parse(Path("record"), forge(record, "step north 2", "step north 1")))


def test_an_import_adds_the_missing_options_to_the_header(server: TestServer) -> None:
    caller = new_caller(server.port)
    header = msgspec.structs.replace(parse(Path("record"), make_record().encode()).header, options={})
    made = import_record(caller, text_of(header, IMPORTED, ""), "?first=me&second=link")
    one = Device(SeatClient(caller, made.json["seats"][0]["seat"], 0))
    assert one.move("resign").status == 200
    record = parse(Path("record"), one.client.get("/record").body)
    assert record.header.options == {"rounds": "3"}
    assert not check_rules(Toy(), record, check(record)).is_whole, "it was imported"


def forge(record: bytes, old: str, new: str) -> bytes:
    recorded = parse(Path("record"), record)
    entries = [(entry.actor, entry.text.replace(old, new)) for entry in recorded.entries]
    return text_of(recorded.header, entries, recorded.end).encode() + recorded.proof


@pytest.mark.parametrize(("query", "data", "status"), rows("imports-without-proof"))
def test_an_import_that_cannot_be_proved_has_no_seal(server: TestServer, query: str, data: str, status: int) -> None:
    caller = new_caller(server.port)
    header = parse(Path("record"), make_record(*IMPORTED).encode()).header
    made = import_record(
        caller, text_of(msgspec.structs.replace(header, data=data or header.data), IMPORTED, ""), query
    )
    assert made.status == status, made.body
    if status == 201:
        spectator = take_seat(server, made.json["watch"], 2)
        assert spectator.snapshot["seal"] is None


SIDES = ("prussia", "austria")
CHAINS = tuple(Chain(digit * 64, 4) for digit in "ab")


def new_seal(pace: str = "correspondence") -> GameSeal:
    header = Header("toy", "1", "parley", "0", {}, dict.fromkeys(SIDES, "human"), "g")
    made = begin(bytes(32), bytes(range(32)), header, SIDES, pace)
    for side, chain in zip((as_side(0), as_side(1)), CHAINS, strict=True):
        made.accept(made.sealing().give_chain(side, messages.NewChain(chain.top, chain.length)))
    return made


def transaction_with(*lines: RecordLine) -> GameTransaction:
    toy = Toy()
    transaction = GameTransaction(GameHistory(toy, toy.new_game("parley", {})))
    transaction.lines = list(lines)
    return transaction


def test_an_answer_by_instruction_is_marked_as_forced() -> None:
    sealing = new_seal().sealing(transaction_with(RecordLine(0, "standing stop surprise"), RecordLine(0, "done")))
    sealing.begin_unrequested(0)
    sealing.finish(is_told=True, end="")
    kinds = [line.split(" ")[0] for line in sealing.ledger.added]
    assert kinds == ["table", "line", "bare", "line", "block"]


@pytest.mark.parametrize("is_told", [False, True])
def test_a_waiting_roll_closes_the_block(is_told: bool) -> None:
    sealing = new_seal("live").sealing(transaction_with(RecordLine(0, "step north 1")))
    ledger = sealing.ledger
    sealing.asked(0, messages.Share(1, 1, CHAINS[0].link(1), ledger.blocks, ledger.head))
    assert sealing.is_pending(0)
    sealing.finish(is_told=is_told, end="")
    assert ledger.waiting is not None
    assert (ledger.waiting.sides, ledger.blocks) == (SIDES, 1)
