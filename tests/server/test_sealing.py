from pathlib import Path

import msgspec
import pytest

from leuthen.engine.ruleset import CHANCE, as_side
from leuthen.play.proof.check import check
from leuthen.play.proof.protocol import Chain
from leuthen.play.proof.rules import check_rules
from leuthen.play.record import Header, RecordError, parse, text_of
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, GameTransaction, RecordLine
from leuthen.server.session.seal import GameSeal, begin
from tests.server.conftest import NewServer, SeatClient, call, take
from tests.server.harness import TestServer
from tests.server.test_history import a_record, bring_in
from tests.server.test_seal import Device, checked
from tests.toy import Toy

OLD = (("prussia", "bid 1"), ("austria", "bid 3"), ("chance", "die 2"), ("prussia", "step north 2"))


def test_a_record_that_is_brought_in_is_proved_from_there_on(new_server: NewServer) -> None:
    server = new_server()
    caller = call(server.port)
    made = bring_in(caller, a_record(*OLD, rounds="1"), "?first=me&second=link")
    assert made.status == 201, made.body
    one = Device(SeatClient(caller, made.json["seats"][0]["seat"], 0))
    other = Device(take(server, made.json["seats"][1]["link"], 1))
    one.orders("done")
    again = new_server()
    for device in (one, other):
        device.guest.caller._line.close()
        device.guest.caller.port = device.guest.caller._line.port = again.port
    other.orders("done")
    record = one.guest.get("/record").body
    report = checked(record)
    assert report.unchecked[0].startswith("4 lines with 1 answer of chance were brought in from an older record")
    assert report.fallen == {}
    with pytest.raises(RecordError, match="this is not what was bound"):
        check(parse(Path("record"), forged(record, "step north 2", "step north 1")))


def test_options_that_a_record_leaves_out_stand_in_its_header(server: TestServer) -> None:
    caller = call(server.port)
    header = msgspec.structs.replace(parse(Path("record"), a_record().encode()).header, options={})
    made = bring_in(caller, text_of(header, OLD, ""), "?first=me&second=link")
    one = Device(SeatClient(caller, made.json["seats"][0]["seat"], 0))
    assert one.move("resign").status == 200
    record = parse(Path("record"), one.guest.get("/record").body)
    assert record.header.options == {"rounds": "3"}
    assert not check_rules(Toy(), record, check(record)).is_whole, "it was brought in"


def forged(record: bytes, old: str, new: str) -> bytes:
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
def test_a_record_that_nobody_proves_has_no_seal(server: TestServer, query: str, data: str, status: int) -> None:
    caller = call(server.port)
    header = parse(Path("record"), a_record(*OLD).encode()).header
    made = bring_in(caller, text_of(msgspec.structs.replace(header, data=data or header.data), OLD, ""), query)
    assert made.status == status, made.body
    if status == 201:
        watcher = take(server, made.json["watch"], 2)
        assert watcher.fresh["seal"] is None


SIDES = ("prussia", "austria")
CHAINS = tuple(Chain(digit * 64, 4) for digit in "ab")


def seal(*, is_strict: bool = False) -> GameSeal:
    header = Header("toy", "1", "parley", "0", {}, dict.fromkeys(SIDES, "human"), "g")
    made = begin(bytes(32), bytes(range(32)), header, SIDES, is_strict=is_strict)
    for side, chain in zip((as_side(0), as_side(1)), CHAINS, strict=True):
        made.accept(made.sealing().give_chain(side, messages.NewChain(chain.top, chain.length)))
    return made


def did(*lines: RecordLine) -> GameTransaction:
    toy = Toy()
    transaction = GameTransaction(GameHistory(toy, toy.new_game("parley", {})))
    transaction.lines = list(lines)
    return transaction


def test_what_an_instruction_forced_is_told_as_forced() -> None:
    sealing = seal().sealing(did(RecordLine(0, "standing stop surprise"), RecordLine(0, "done")))
    sealing.begin_unrequested(0)
    sealing.finish(is_told=True, end="")
    kinds = [line.split(" ")[0] for line in sealing.ledger.added]
    assert kinds == ["table", "line", "bare", "line", "block"]


@pytest.mark.parametrize("is_told", [False, True])
def test_where_chance_waits_a_block_is_closed(is_told: bool) -> None:
    sealing = seal(is_strict=True).sealing(did(RecordLine(0, "step north 1")))
    ledger = sealing.ledger
    sealing.asked(0, messages.Share(1, 1, CHAINS[0].link(1), ledger.blocks, ledger.head))
    assert sealing.is_pending(0)
    sealing.finish(is_told=is_told, end="")
    assert ledger.waiting is not None
    assert (ledger.waiting.sides, ledger.blocks) == (SIDES, 1)


def test_what_was_brought_in_is_bound() -> None:
    toy = Toy()
    record = [RecordLine(0, "bid 1"), RecordLine(1, "bid 3"), RecordLine(CHANCE, "die 2")]
    names = GameHistory(toy, toy.new_game("parley", {})).table.name
    sealing = seal().sealing().bind_import(record, names)
    assert sealing.ledger.added[-2].endswith(" 0 1")
