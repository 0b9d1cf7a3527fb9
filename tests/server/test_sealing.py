from pathlib import Path

import msgspec
import pytest

from leuthen.engine.ruleset import as_side
from leuthen.play.proof.check import check
from leuthen.play.proof.protocol import Chain
from leuthen.play.proof.rules import check_rules
from leuthen.play.record import Header, RecordError, parse, text_of
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, GameTransaction, RecordLine
from leuthen.server.session.seal import GameSeal, begin
from tests.server.conftest import NewServer, SeatClient, new_caller, take_seat
from tests.server.harness import TestServer
from tests.server.test_history import import_record, make_record
from tests.server.test_seal import Device, check_record
from tests.toy import Toy

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


@pytest.mark.parametrize(
    ("query", "data", "status"),
    [
        ("", "", 201),
        ("?first=random&second=random", "", 201),
        ("?second=link", "0123456789abcdef", 201),
        ("?second=nobody", "", 400),
    ],
)
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
