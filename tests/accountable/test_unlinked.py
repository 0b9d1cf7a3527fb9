from random import Random

import pytest

from leuthen.load import load
from leuthen.play.proof.check import CheckReport, check
from leuthen.play.proof.rules import check_rules
from leuthen.play.record import RecordError, parse
from leuthen.screen.presenter import TableRuleset
from tests.accountable.forgery import Book
from tests.accountable.test_check import FILE, checked, checked_text, ended, game
from tests.accountable.umpire import Umpire
from tests.accountable.vectors import verifier
from tests.toy import Done, Toy, ToyState


def judged(text: str, ruleset: TableRuleset) -> CheckReport:
    recorded = parse(FILE, text.encode())
    return check_rules(ruleset, recorded, check(recorded))


def test_an_instruction_answers_without_a_link_and_nothing_else_may() -> None:
    umpire = game()
    umpire.order(0, "done", "table")
    with pytest.raises(
        RecordError, match=r"line 13: prussia gave no link for this, and no standing instruction of his"
    ):
        checked(ended(umpire))
    umpire = game()
    umpire.say(0, "standing hold")
    umpire.order(0, "done", "table")
    umpire.say(0, "standing off")
    text = ended(umpire).file()
    checked_text(text, *umpire.receipts)
    with pytest.raises(RecordError, match=r"line 14: prussia gave no link .* answers «nothing» here"):
        checked_text(text, ruleset=Toy())


def test_what_an_instruction_answers_is_checked_by_the_rules() -> None:
    umpire = Umpire(load("campaigns"), seed="instructed")
    umpire.play_at_random(Random(5), requests=200, instructs=0.2)
    text = ended(umpire).file()
    lines = judged(text, umpire.ruleset).unlinked.instructed
    assert len(lines) > 5
    assert "standing stop" in text


def test_a_request_without_a_link_is_counted() -> None:
    umpire = game()
    umpire.order(0, "done", "bare prussia program")
    report = checked(ended(umpire), *umpire.receipts)
    assert any(
        line.startswith("prussia acted 1 time without a link (line 4), though there was a choice")
        for line in report.unchecked
    )


def test_what_had_no_choice_by_the_rules_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def forced(toy: Toy, state: ToyState, actor: int) -> Done | None:
        return Done() if state.phase == "move" and actor == 1 else None

    monkeypatch.setattr(Toy, "forced", forced)
    umpire = game()
    umpire.order(0, "done")
    assert umpire.entries[-1] == ("austria", "done")
    umpire.order(1, "bid 1", "bare austria program")
    text = ended(umpire).file()
    (unproved,) = (line for line in checked_text(text).all_unchecked if "without a link" in line)
    assert unproved.startswith("austria acted 2 times without a link (line 5, 6), by a program or because")
    report = checked_text(text, ruleset=Toy())
    assert report.holds[-1] == "1 answer came without a link; by the rules there was nothing to choose."
    (chosen,) = (line for line in report.all_unchecked if "without a link" in line)
    assert chosen.startswith("austria acted 1 time without a link (line 6), though there was a choice")


def test_what_was_undone_is_no_action_to_go_back_to() -> None:
    umpire = Umpire(Toy(), takebacks="free")
    umpire.order(0, "bid 1")
    umpire.order(1, "bid 2")
    umpire.order(0, "step north 1")
    umpire.say(0, "undo")
    assert len(umpire.table.log) == 3
    umpire.say(0, "take-back 1")
    umpire.order(1, "bid 1")
    assert umpire.table.place == 1
    text = ended(umpire).file()
    checked_text(text, *umpire.receipts, ruleset=Toy())
    book = Book(umpire)
    book.entries = [(actor, words.replace("take-back 1", "take-back 3")) for actor, words in book.entries]
    with pytest.raises(RecordError, match="not so many actions to go back to"):
        checked_text(book.file())
    assert verifier().verify(book.file().encode())[2] == "there is nothing to take back"


def test_at_a_strict_table_the_dice_of_a_machine_s_orders_wait_for_the_person() -> None:
    umpire = Umpire(Toy(), chains=(True, False), is_strict=True)
    umpire.order(0, "bid 2")
    umpire.order(1, "bid 3")
    assert umpire.ledger.waiting is not None
    assert umpire.ledger.waiting.sides == ("prussia",)
    umpire.share()
    umpire.order(0, "done")
    umpire.order(1, "done")
    umpire.order(1, "bid 1")
    umpire.order(0, "bid 1")
    assert umpire.ledger.waiting is not None
    umpire.share()
    assert umpire.table.place == 2
    checked(ended(umpire), *umpire.receipts)
