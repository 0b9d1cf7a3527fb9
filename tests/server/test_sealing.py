import pytest

from leuthen.engine.ruleset import CHANCE, as_side
from leuthen.play.proof.protocol import Chain
from leuthen.play.record import Header
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, GameTransaction, RecordLine
from leuthen.server.session.seal import GameSeal, begin
from tests.toy import Toy

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


def test_an_instruction_brings_about_one_line_and_what_was_forced_behind_it_is_told_as_such() -> None:
    sealing = seal().sealing(did(RecordLine(0, "standing stop surprise"), RecordLine(0, "done")))
    sealing.by_itself(0)
    sealing.finish(is_told=True, end="")
    kinds = [line.split(" ")[0] for line in sealing.ledger.added]
    assert kinds == ["table", "line", "bare", "line", "block"]


@pytest.mark.parametrize("is_told", [False, True])
def test_where_chance_waits_a_block_is_closed_though_nobody_was_told_of_anything(is_told: bool) -> None:
    sealing = seal(is_strict=True).sealing(did(RecordLine(0, "step north 1")))
    ledger = sealing.ledger
    sealing.asked(0, messages.Share(1, 1, CHAINS[0].link(1), ledger.blocks, ledger.head))
    assert sealing.waits(0)
    sealing.finish(is_told=is_told, end="")
    assert ledger.waiting is not None
    assert (ledger.waiting.sides, ledger.blocks) == (SIDES, 1)


def test_what_was_brought_in_is_bound() -> None:
    toy = Toy()
    record = [RecordLine(0, "bid 1"), RecordLine(1, "bid 3"), RecordLine(CHANCE, "die 2")]
    names = GameHistory(toy, toy.new_game("parley", {})).table.name
    sealing = seal().sealing().bring(record, names)
    assert sealing.ledger.added[-2].endswith(" 0 1")
