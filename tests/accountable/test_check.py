import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.load import load
from leuthen.play.proof import protocol
from leuthen.play.proof.check import CheckReport, check
from leuthen.play.proof.ledger import DeviceLink
from leuthen.play.proof.protocol import Chain, Signer
from leuthen.play.proof.rules import check_rules
from leuthen.play.proof.section import UncheckableFile, expect_checkable, parse_receipt
from leuthen.play.record import RecordError, Writer, parse
from leuthen.play.record import text_of as record_of
from leuthen.play.table import end_words
from leuthen.screen.presenter import TableRuleset
from tests.accountable.forgery import BLIND, BY_RECEIPT, FOUND, Book, differs_at, is_named
from tests.accountable.umpire import SIGNER, Umpire, chain_of
from tests.accountable.vectors import HOME as VERIFIERS
from tests.accountable.vectors import small, verifier
from tests.toy import Done, Toy, ToyState
from tools.node import find_node

FILE = Path("game.leuthen")


def checked(umpire: Umpire, *receipts: str) -> CheckReport:
    return checked_text(umpire.file(), *receipts, ruleset=umpire.ruleset)


def checked_text(text: str, *receipts: str, ruleset: object = None) -> CheckReport:
    recorded = parse(FILE, text.encode())
    kept = [parse_receipt(Path(f"receipt {number}"), receipt) for number, receipt in enumerate(receipts)]
    report = check(recorded, kept)
    assert verifier().verify(text.encode(), list(receipts[-1:]))[2] == "", "the small verifier finds the same"
    return check_rules(ruleset, recorded, report) if isinstance(ruleset, Toy) else report


def game(*, is_strict: bool = False, takebacks: str = "consent", **settings: str) -> Umpire:
    umpire = Umpire(Toy(), is_strict=is_strict, takebacks=takebacks, options=settings)
    umpire.order(0, "bid 2")
    umpire.order(1, "bid 3")
    return umpire


def ended(umpire: Umpire) -> Umpire:
    umpire.say(0, "resign")
    return umpire


@cache
def real(is_strict: bool) -> Umpire:
    umpire = Umpire(load("campaigns"), is_strict=is_strict, seed="real")
    umpire.play_at_random(Random(1), requests=150)
    while umpire.ledger.waiting:
        umpire.share()
    return ended(umpire)


@pytest.mark.parametrize("is_strict", [False, True])
def test_a_real_game_holds_with_all_receipts(is_strict: bool) -> None:
    umpire = real(is_strict)
    recorded = parse(FILE, umpire.file().encode())
    report = check_rules(umpire.ruleset, recorded, check(recorded))
    assert len(report.fallen) > 20
    assert report.holds[-1] == "Every line is legal by the rules of campaigns, and so is every answer of chance."
    report = checked(umpire, *umpire.receipts)
    assert report.open == (
        ()
        if is_strict
        else ("The table was not strict: a host who sat on a seat could foresee dice, and choose among them.",)
    )


def test_whole_games_of_the_toy_hold() -> None:
    for seed in range(16):
        is_strict = seed % 2 == 1
        umpire = Umpire(Toy(), seed=str(seed), is_strict=is_strict, takebacks="free").play_at_random(Random(seed))
        assert umpire.table.outcome is not None
        checked(umpire, *umpire.receipts)


# --- the rules of the note --------------------------------------------------------------------------------------------


def test_undo_moves_no_place() -> None:
    umpire = game()
    umpire.order(0, "step north 1")
    umpire.say(0, "undo")
    umpire.order(0, "done")
    die, links = umpire.entries[2], umpire.ledger.links_at(0)
    umpire.say(1, "take-back 1")
    umpire.order(1, "bid 1")
    assert (umpire.entries[-1], umpire.ledger.links_at(0)) == (die, links)
    assert [line for line in umpire.proof if line.endswith(" 0 6")] != []
    checked(ended(umpire), *umpire.receipts)


def test_a_side_without_a_chain_is_told_of() -> None:
    umpire = Umpire(Toy(), chains=(True, False))
    umpire.order(0, "bid 2")
    umpire.order(1, "bid 3")
    report = checked(ended(umpire), *umpire.receipts)
    assert any(line.startswith("austria has no chain of its own") for line in report.open)


def test_dice_before_any_chain_are_counted() -> None:
    umpire = Umpire(Toy(), chains=(False, False))
    umpire.order(0, "bid 2")
    umpire.order(1, "bid 3")
    report = checked(ended(umpire))
    assert any(line.startswith("1 answer of chance came before any seat had a chain") for line in report.open)


def test_dice_before_one_of_two_chains_are_counted() -> None:
    umpire = Umpire(Toy(), chains=(True, False))
    umpire.order(0, "bid 2")
    umpire.order(1, "bid 3")
    umpire.sit("austria", chain_of("late"))
    assert "1 answer of chance came before austria had a chain." in checked(ended(umpire)).open


def test_an_awaited_link_of_another_chain_is_reported() -> None:
    umpire = game(is_strict=True)
    umpire.share()
    umpire.sit("prussia", chain_of("another"), "device")
    umpire.share()
    report = checked(ended(umpire), *umpire.receipts)
    assert any(line.startswith("After line 2, while a die waited, prussia went") for line in report.open)


@pytest.mark.parametrize("why", ["device", "lost"])
def test_a_second_device_goes_on_beside_the_first(why: str) -> None:
    umpire = game()
    first = umpire.devices["prussia"]
    umpire.sit("prussia", chain_of("another"), why)
    umpire.order(0, "step north 1")
    umpire.devices["prussia"] = first
    umpire.order(0, "done")
    report = checked(ended(umpire), *umpire.receipts)
    assert any(line.startswith(f"prussia began chain 2 ({why})") for line in report.open)


def test_a_chain_that_is_used_up_is_followed_by_another() -> None:
    umpire = game()
    umpire.sit("prussia", Chain("d" * 64, 1), "device")
    umpire.order(0, "step north 1")
    umpire.order(0, "done")
    assert any("(used-up)" in line for line in checked(ended(umpire), *umpire.receipts).open)


def test_lines_that_were_brought_in_prove_nothing_of_their_dice() -> None:
    old = game()
    umpire = Umpire(Toy(), seed="new", chains=(False, False), is_person=True)
    twin = umpire.ledger.copy()
    twin.begin("brought")
    for number, (name, text) in enumerate(old.entries, 1):
        is_chance = name == "chance"
        commitment = protocol.commit_line(umpire.secret, umpire.game, number, name, text)
        twin.add_line(number, commitment, 0 if is_chance else None, 1 if is_chance else 0)
    twin.close()
    umpire._keep(twin)
    for side in ("prussia", "austria"):
        umpire.sit(side, chain_of(f"{side} new"))
    umpire.entries, umpire.history = list(old.entries), old.history
    umpire.order(0, "done")
    report = checked(ended(umpire), *umpire.receipts)
    assert report.unchecked[0].startswith("3 lines with 1 answer of chance were brought in from an older record")
    assert report.fallen == {}


def test_a_draw_by_agreement_ends_the_proof_as_any_end() -> None:
    umpire = game()
    umpire.say(1, "agree-draw")
    assert "open " in umpire.file()
    report = checked(umpire, *umpire.receipts)
    assert any("(line 4): that the other had asked for it, this file does not show" in line for line in report.open)
    *_, left = verifier().verify(umpire.file().encode())
    assert "answers to what the other side may never have asked (draws, takebacks): 1" in left


def test_a_game_that_goes_on_stays_sealed() -> None:
    umpire = game()
    assert "open " not in umpire.file()
    report = checked(umpire, *umpire.receipts)
    assert report.unchecked == (
        "3 lines and 1 answer of chance are sealed: the game goes on, and its secret is not opened.",
    )
    assert umpire.secret.hex() not in umpire.file()


def test_a_strict_table_waits_and_a_die_that_did_not_is_found() -> None:
    umpire = game(is_strict=True)
    for sides in (("prussia", "austria"), ("prussia",)):
        assert umpire.ledger.waiting is not None
        assert (umpire.ledger.waiting.sides, umpire.table.place) == (sides, 0)
        umpire.share()
    assert umpire.table.place == 1
    checked(ended(umpire), *umpire.receipts)
    hasty = game()
    hasty.opening[-1] = "strict both"
    with pytest.raises(RecordError, match=r"line 12: this die did not wait for the link of prussia and austria"):
        checked_text(Book(ended(hasty)).file())


def test_nobody_acts_while_chance_waits_but_he_may_resign() -> None:
    umpire = game(is_strict=True)
    checked(ended(umpire), *umpire.receipts)
    umpire = game(is_strict=True)
    umpire.say(0, "take-back 1")
    with pytest.raises(RecordError, match=r"line 12: this is no order of prussia's whose die waits"):
        checked(ended(umpire))


def test_who_has_acted_takes_his_order_back_while_its_die_waits() -> None:
    umpire = game(is_strict=True)
    for bid in ("bid 1", "bid 2"):
        umpire.share()
        umpire.undo_waiting()
        assert umpire.entries[-1] == ("austria", "take-back 1")
        assert umpire.ledger.waiting is None
        umpire.order(1, bid)
        assert umpire.ledger.waiting is not None
        assert umpire.ledger.waiting.sides == ("prussia", "austria")
    umpire.share()
    umpire.share()
    assert umpire.entries[-1][0] == "chance"
    report = checked(ended(umpire), *umpire.receipts)
    assert not report.is_whole
    assert report.unchecked == (
        "2 orders were taken back while a die waited for prussia (line 3, 5): "
        "the server's host could have known the die.",
    )
    assert not any("granted a takeback" in line for line in report.open)
    *_, left = verifier().verify(umpire.file().encode())
    assert "orders taken back while a die waited: whoever ran the server may have known it: 2" in left


def test_a_retry_with_the_same_link_counts_once() -> None:
    umpire = game()
    cause = umpire.cause("prussia")
    umpire.order(0, "step north 1", cause)
    before = umpire.receipt("prussia")
    with pytest.raises(Invalid, match="was given before"):
        umpire.order(0, "step north 1", cause)
    assert umpire.receipt("prussia") == before


def test_a_refused_order_uses_up_no_link() -> None:
    umpire = game()
    cause = umpire.cause("prussia")
    with pytest.raises(ValueError, match="T3"):
        umpire.order(0, "step north 9", cause)
    umpire.order(0, "step north 1", cause)
    checked(ended(umpire), *umpire.receipts)


# --- what is found ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BLIND)
def test_what_is_changed_blindly_is_found_where_it_is(name: str) -> None:
    umpire, rng = real(is_strict=False), Random(name)
    text = umpire.file()
    for _ in range(40):
        other = "\n".join(BLIND[name](rng, text.splitlines())) + "\n"
        at = differs_at(text, other)
        with pytest.raises(RecordError) as found:
            checked_text(other)
        assert is_named(name, found.value.line, text, other), f"{found.value}: it is line {at}"


@pytest.mark.parametrize("name", [*FOUND, *BY_RECEIPT])
@pytest.mark.parametrize("is_strict", [False, True])
def test_what_a_host_forges_with_all_his_keys_is_found(name: str, is_strict: bool) -> None:
    umpire, rng = real(is_strict), Random(name)
    text = umpire.file()
    for _ in range(10):
        book = Book(umpire)
        if not {**FOUND, **BY_RECEIPT}[name](rng, book) or (other := book.file()) == text:
            continue
        with pytest.raises(RecordError):
            checked_text(other, *([] if name in FOUND else umpire.receipts[-2:]))


def test_a_line_that_was_changed_with_its_checks_is_named() -> None:
    umpire = real(is_strict=False)
    text = umpire.file()
    number, actor, words = next((n, *entry) for n, entry in enumerate(umpire.entries) if entry[0] != "chance")
    entries = [*umpire.entries[:number], (actor, f"{words} 1"), *umpire.entries[number + 1 :]]
    record = record_of(umpire.header, entries, end_words(umpire.table))
    with pytest.raises(RecordError, match="this is not what was bound when it was written") as found:
        checked_text(record + text[text.index("leuthen proof") :])
    assert found.value.line == differs_at(text, record)


def test_a_signature_of_another_server_is_found() -> None:
    umpire = ended(game())
    text = umpire.file()
    other = Signer(bytes(32)).sign(umpire.ledger.checkpoint())
    with pytest.raises(RecordError, match="the server whose key the proof names has not signed this"):
        checked_text(text[: -len(other) - 1] + other + "\n")


def test_a_seat_s_receipt_is_compared_with_all_that_it_had_asked_for() -> None:
    umpire = ended(game())
    number, own = umpire.ledger.own("prussia")
    for groups, head, is_right in ((number, own, True), (number, "0" * 64, False), (number + 1, own, False)):
        seat = ("prussia", groups, head)
        text = protocol.checkpoint(umpire.game, umpire.ledger.blocks, umpire.ledger.head, seat)
        receipt = f"{text}signed {SIGNER.sign(text)}\n"
        if is_right:
            checked(umpire, receipt)
            continue
        with pytest.raises(RecordError, match="what prussia had asked for by then is not what this file says"):
            checked(umpire, receipt)


def test_a_forged_die_is_named_by_its_line() -> None:
    umpire = real(is_strict=True)
    book = Book(umpire)
    FOUND["die"](Random(4), book)
    text = book.file()
    with pytest.raises(RecordError, match=r'"roll \d" fell here, not "roll \d"') as found:
        checked_text(text)
    assert found.value.line == differs_at(umpire.file(), text)


def test_an_answer_that_is_no_die_of_six_is_found_by_the_rules() -> None:
    umpire = ended(game())
    book = Book(umpire)
    fell = umpire.entries[2][1]
    book.entries[2] = ("chance", "die 1" if fell != "die 1" else "die 2")
    checked_text(book.file())
    with pytest.raises(RecordError, match=rf'line 12: chance answered "{fell}" here, not'):
        checked_text(book.file(), ruleset=Toy())


def test_two_games_joined_are_found() -> None:
    one, two = ended(game()).file(), ended(game(rounds="5")).file()
    cut, other = one.index("leuthen proof"), two.index("leuthen proof")
    with pytest.raises(RecordError, match="does not bind"):
        checked_text(one[:cut] + two[other:])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("blocks 3", "blocks 2"), "is no receipt of this server"),
        (("game game-0", "game other"), "is a receipt of another game"),
        (("seat prussia 2", "seat prussia 3"), "is no receipt of this server"),
    ],
)
def test_a_forged_receipt_is_found(change: tuple[str, str], why: str) -> None:
    umpire = ended(game())
    receipt = next(one for one in umpire.receipts if change[0] in one)
    checked(umpire, receipt)
    with pytest.raises(RecordError, match=why):
        checked(umpire, receipt.replace(*change))


def test_a_rollback_breaks_the_receipts_of_both() -> None:
    umpire = game()
    copy = game()
    umpire.order(0, "step north 1")
    umpire.order(0, "done")
    copy.order(0, "done")
    for receipt in umpire.receipts[-2:]:
        with pytest.raises(RecordError, match=r"showed this player another game|was cut"):
            checked(ended(copy) if copy.table.outcome is None else copy, receipt)


def test_links_of_another_game_do_not_fit() -> None:
    umpire = game()
    foreign = DeviceLink(1, 2, chain_of("prussia 1").link(2), umpire.ledger.blocks, umpire.ledger.head)
    with pytest.raises(Invalid, match="does not fit chain 1 of prussia"):
        umpire.order(0, "done", foreign)


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
    with pytest.raises(RecordError, match=r'line 14: prussia gave no link .* answers "nothing" here'):
        checked_text(text, ruleset=Toy())


def test_what_an_instruction_answers_is_checked_by_the_rules() -> None:
    umpire = Umpire(load("campaigns"), seed="instructed")
    umpire.play_at_random(Random(5), requests=200, instructs=0.2)
    text = ended(umpire).file()
    lines = judged(text, umpire.ruleset).unlinked.instruction_answer
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
    with pytest.raises(RecordError, match="fewer actions than it takes back"):
        checked_text(book.file())
    assert verifier().verify(book.file().encode())[2] == "there is nothing to take back"


def test_a_machine_s_order_waits_for_the_person_s_link() -> None:
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


def bad_files(folder: Path) -> dict[str, Path]:
    sound, other = ended(game()).file(), ended(game(rounds="5")).file()
    cut = sound.index("leuthen proof")
    texts = {
        "no game": "leuthen\n",
        "other record": sound.replace("leuthen record 1", "leuthen record 2"),
        "other proof": sound.replace("leuthen proof 1", "leuthen proof 2"),
        "no proof": sound[:cut],
        "joined": sound[:cut] + other[other.index("leuthen proof") :],
        "both": sound + other,
        "cut in a line": sound[:-20],
        "cut behind a line": sound[: sound.rindex("open ")],
        "a number of a thousand digits": sound.replace("\nblock 1 ", f"\nblock {'1' * 1000} "),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    with (folder / "100 MB").open("wb") as file:
        file.truncate(100_000_000)
    (folder / "a folder").mkdir()
    names = (*texts, "100 MB", "a folder", "not there")
    return {name: folder / name for name in names} | {"without end": Path("/dev/zero")}


def by_program(path: Path) -> tuple[int, str]:
    return run(["verify", str(path)]), ""


def by_python(path: Path) -> tuple[int, str]:
    return _answer(sys.executable, "-I", VERIFIERS / "verify.py", path)


def by_node(path: Path) -> tuple[int, str]:
    return _answer(find_node(), VERIFIERS / "verify.mjs", path)


def _answer(*command: str | Path) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("reader", [by_program, by_python, by_node])
def test_a_file_that_cannot_be_used_is_answered_in_a_line(
    reader: Callable[[Path], tuple[int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = game().secret.hex()
    for name, path in bad_files(tmp_path).items():
        code, said = reader(path)
        out, err = capsys.readouterr()
        said += out + err
        assert code in (1, 2), name
        assert said.count("\n") == 1, f"{name}: {said}"
        assert "too large" in said or name not in ("100 MB", "without end")
        assert "Traceback" not in said
        assert secret not in said


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("leuthen proof 1", "leuthen proof 2", r'line 15: is a proof of version "2"; this program reads version 1'),
        ("strict no", "strict perhaps", "a proof begins with its commit"),
        ("\nblock 1 ", "\nblock é ", "does not bind|expected"),
        ("\nblock 1 ", "\nblock 1" + "0" * 30_000, "no line of a proof is so long"),
        ("leuthen record 1", "leuthen record 2", 'is a record of format "2"'),
        ("\nopen ", "\nopen 0", "this is no secret"),
    ],
)
def test_a_file_of_another_kind_is_refused(old: str, new: str, why: str) -> None:
    text = ended(game()).file().replace(old, new, 1)

    def read() -> None:
        expect_checkable(Path("game"), text.encode())
        checked_text(text)

    with pytest.raises(RecordError, match=why):
        read()


def test_a_file_that_was_cut_off_says_so() -> None:
    text = ended(game()).file()
    with pytest.raises(RecordError, match="the file was cut off"):
        checked_text(text[:-20])
    with pytest.raises(RecordError, match="has no proof behind it"):
        checked_text(text[: text.index("leuthen proof")])


def test_what_is_no_receipt_is_refused() -> None:
    path, sound = Path("receipt"), game().receipt("prussia")
    assert parse_receipt(path, sound).side == "prussia"
    no_number = sound.replace("blocks ", "blocks \u0661")
    for text in (
        "",
        "leuthen checkpoint 2\n",
        "leuthen checkpoint 1\ngame g\nblocks x y\nsigned z\n",
        no_number,
        sound * 2,
    ):
        with pytest.raises(UncheckableFile, match="is no receipt"):
            parse_receipt(path, text)


def test_a_record_with_a_proof_is_replayed_and_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "game.leuthen"
    path.write_text(game().file())
    recorded = parse(path, path.read_bytes())
    assert len(recorded.entries) == 3
    with pytest.raises(RecordError, match="has a server's proof and can only"):
        Writer.append(recorded)
    assert path.read_text() == game().file()


@pytest.fixture(scope="module")
def played_game() -> Umpire:
    return small(is_strict=True)


def kept(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_whole_game_is_reported(tmp_path: Path, played_game: Umpire, capsys: pytest.CaptureFixture[str]) -> None:
    file = kept(tmp_path, "game.leuthen", played_game.file())
    receipts = [kept(tmp_path, f"receipt-{number}", text) for number, text in enumerate(played_game.receipts[-2:])]
    assert run(["verify", file, "--receipt", receipts[0], "--receipt", receipts[1]]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{file}: whole.\n\nVerified:\n- The server's secret is the one that it had bound")
    assert "- Every line is legal by the rules of campaigns, and so is every answer of chance.\n" in out
    assert "- The receipt receipt-1 (block" in out
    assert "No player's receipt" not in out


def test_what_a_receipt_reveals_is_one_line(
    tmp_path: Path, played_game: Umpire, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Book(played_game)
    assert BY_RECEIPT["seen"](Random(1), book)
    file, receipt = kept(tmp_path, "game.leuthen", book.file()), kept(tmp_path, "receipt", played_game.receipts[-1])
    assert run(["verify", file]) == 0
    assert "No player's receipt was compared" in capsys.readouterr().out
    assert run(["verify", file, "--receipt", receipt]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"Broken: {receipt}: the server showed this player another game")
    assert out.count("\n") == 1


def test_a_record_without_a_proof_is_told_what_it_does_not_prove(
    tmp_path: Path, played_game: Umpire, capsys: pytest.CaptureFixture[str]
) -> None:
    text = played_game.file()
    file = kept(tmp_path, "game.leuthen", text[: text.index("leuthen proof")])
    assert run(["verify", file]) == 1
    assert "has no proof behind it: a game at one screen, at a terminal" in capsys.readouterr().out
    assert run(["replay", file, "--verify"]) == 0


def test_rules_that_are_not_here_leave_the_rest_checked(
    tmp_path: Path, played_game: Umpire, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leuthen.load.RULESETS", {})
    assert run(["verify", kept(tmp_path, "game.leuthen", played_game.file())]) == 3
    out = capsys.readouterr().out
    assert "game.leuthen: sound, but not fully checked.\n" in out
    assert "Not checked:\n- The rules could not be checked: " in out
