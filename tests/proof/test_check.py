import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from leuthen.cli import run
from leuthen.load import load
from leuthen.play.proof.check import CheckReport, UncheckableFile, check, expect_checkable, parse_receipt
from leuthen.play.proof.protocol import Chain
from leuthen.play.proof.rules import check_rules
from leuthen.play.record import RecordError, Writer, parse
from tests.proof.forgery import BY_RECEIPT, Book
from tests.proof.umpire import Umpire, chain_of
from tests.proof.vectors import HOME as VERIFIERS
from tests.proof.vectors import load_verifier, small_game
from tests.toy import Done, Toy, ToyState
from tools.node import find_node

FILE = Path("game.leuthen")


def verify_game(umpire: Umpire, *receipts: str) -> CheckReport:
    return verify_text(umpire.file(), *receipts, ruleset=umpire.ruleset)


def verify_text(text: str, *receipts: str, ruleset: object = None) -> CheckReport:
    recorded = parse(FILE, text.encode())
    kept = [parse_receipt(Path(f"receipt {number}"), receipt) for number, receipt in enumerate(receipts)]
    report = check(recorded, kept)
    assert load_verifier().verify(text.encode(), list(receipts[-1:]))[2] == "", "the small verifier finds the same"
    return check_rules(ruleset, recorded, report) if isinstance(ruleset, Toy) else report


def toy_game(*, is_strict: bool = False, takebacks: str = "consent", **settings: str) -> Umpire:
    umpire = Umpire(Toy(), is_strict=is_strict, takebacks=takebacks, options=settings)
    umpire.order(0, "bid 2")
    umpire.order(1, "bid 3")
    return umpire


def resign(umpire: Umpire) -> Umpire:
    umpire.say(0, "resign")
    return umpire


@cache
def random_game(is_strict: bool) -> Umpire:
    umpire = Umpire(load("campaigns"), is_strict=is_strict, seed="real")
    umpire.play_at_random(Random(1), requests=150)
    while umpire.ledger.waiting:
        umpire.share()
    return resign(umpire)


@pytest.mark.parametrize("is_strict", [False, True])
def test_a_random_game_verifies_with_all_receipts(is_strict: bool) -> None:
    umpire = random_game(is_strict)
    recorded = parse(FILE, umpire.file().encode())
    report = check_rules(umpire.ruleset, recorded, check(recorded))
    assert len(report.fallen) > 20
    assert report.holds[-1] == "Every line is legal by the rules of campaigns, and so is every answer of chance."
    report = verify_game(umpire, *umpire.receipts)
    assert report.open == (
        ()
        if is_strict
        else (
            "43 answers of chance (correspondence, from line 4) did not wait: a host who sat on a seat could foresee "
            "them, and choose among them.",
        )
    )


def test_random_toy_games_verify() -> None:
    for seed in range(16):
        is_strict = seed % 2 == 1
        umpire = Umpire(Toy(), seed=str(seed), is_strict=is_strict, takebacks="free").play_at_random(Random(seed))
        assert umpire.table.outcome is not None
        verify_game(umpire, *umpire.receipts)


# --- the rules of the note --------------------------------------------------------------------------------------------


def test_a_change_of_chain_while_a_die_waits_is_reported() -> None:
    umpire = toy_game(is_strict=True)
    umpire.share()
    umpire.sit("prussia", chain_of("another"), "device")
    umpire.share()
    report = verify_game(resign(umpire), *umpire.receipts)
    assert any(line.startswith("After line 2, while a die waited, prussia changed") for line in report.open)


@pytest.mark.parametrize(
    ("chains", "late", "reported"),
    [
        ((True, False), "", "austria has no chain"),
        ((True, False), "austria", "1 answer of chance came before austria had a chain."),
        ((False, False), "", "1 answer of chance came from the secret alone, before any seat had a chain"),
    ],
)
def test_dice_made_without_both_chains_are_reported(chains: tuple[bool, bool], late: str, reported: str) -> None:
    umpire = Umpire(Toy(), chains=chains)
    umpire.order(0, "bid 2")
    umpire.order(1, "bid 3")
    if late:
        umpire.sit(late, chain_of("late"))
    assert any(line.startswith(reported) for line in verify_game(resign(umpire), *umpire.receipts).open)


@pytest.mark.parametrize("why", ["device", "lost"])
def test_two_devices_of_a_seat_use_their_own_chains(why: str) -> None:
    umpire = toy_game()
    first = umpire.devices["prussia"]
    umpire.sit("prussia", chain_of("another"), why)
    umpire.order(0, "step north 1")
    umpire.devices["prussia"] = first
    umpire.order(0, "done")
    report = verify_game(resign(umpire), *umpire.receipts)
    assert any(line.startswith(f"prussia began chain 2 ({why})") for line in report.open)


def test_a_used_up_chain_is_replaced_by_another() -> None:
    umpire = toy_game()
    umpire.sit("prussia", Chain("d" * 64, 1), "device")
    umpire.order(0, "step north 1")
    umpire.order(0, "done")
    assert any("(used-up)" in line for line in verify_game(resign(umpire), *umpire.receipts).open)


def test_the_proof_of_an_open_game_hides_the_secret() -> None:
    umpire = toy_game()
    assert "open " not in umpire.file()
    report = verify_game(umpire, *umpire.receipts)
    assert report.unchecked == ("Sealed until the game ends: 3 lines and 1 answer of chance.",)
    assert umpire.secret.hex() not in umpire.file()


def test_an_order_taken_back_while_its_die_waits_is_reported() -> None:
    umpire = toy_game(is_strict=True)
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
    report = verify_game(resign(umpire), *umpire.receipts)
    assert not report.is_whole
    assert report.unchecked == (
        "2 orders were taken back while a die waited for prussia (line 3, 5): the host could have known the roll.",
    )
    assert not any("granted a takeback" in line for line in report.open)
    *_, left = load_verifier().verify(umpire.file().encode())
    assert "orders taken back while a die waited: whoever ran the server may have known it: 2" in left


# --- what is found ----------------------------------------------------------------------------------------------------


def test_a_rollback_contradicts_the_receipt_of_either_player() -> None:
    umpire = toy_game()
    copy = toy_game()
    umpire.order(0, "step north 1")
    umpire.order(0, "done")
    copy.order(0, "done")
    for receipt in umpire.receipts[-2:]:
        with pytest.raises(RecordError, match=r"showed this player another game|was cut"):
            verify_game(resign(copy) if copy.table.outcome is None else copy, receipt)


def test_only_an_instruction_may_answer_without_a_link() -> None:
    umpire = toy_game()
    umpire.order(0, "done", "table")
    with pytest.raises(RecordError, match=r"line 13: prussia gave no link for this, and had no standing instruction"):
        verify_game(resign(umpire))
    umpire = toy_game()
    umpire.say(0, "standing hold")
    umpire.order(0, "done", "table")
    umpire.say(0, "standing off")
    text = resign(umpire).file()
    verify_text(text, *umpire.receipts)
    with pytest.raises(RecordError, match=r'line 14: prussia gave no link .* answers "nothing" here'):
        verify_text(text, ruleset=Toy())


def test_the_rules_check_the_answers_of_an_instruction() -> None:
    umpire = Umpire(load("campaigns"), seed="instructed")
    umpire.play_at_random(Random(5), requests=200, instructs=0.2)
    text = resign(umpire).file()
    recorded = parse(FILE, text.encode())
    assert len(check_rules(umpire.ruleset, recorded, check(recorded)).instructed) > 5
    assert "standing stop" in text


def test_the_rules_excuse_forced_answers_without_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    def forced(toy: Toy, state: ToyState, actor: int) -> Done | None:
        return Done() if state.phase == "move" and actor == 1 else None

    monkeypatch.setattr(Toy, "forced", forced)
    umpire = toy_game()
    umpire.order(0, "done")
    assert umpire.entries[-1] == ("austria", "done")
    umpire.order(1, "bid 1", "bare austria program")
    text = resign(umpire).file()
    (unproved,) = (line for line in verify_text(text).all_unchecked if "without a link" in line)
    assert unproved.startswith("austria acted 2 times without a link (line 5, 6), by a program or because")
    report = verify_text(text, ruleset=Toy())
    assert report.holds[-1] == "1 answer came without a link; the rules left no choice."
    (chosen,) = (line for line in report.all_unchecked if "without a link" in line)
    assert chosen.startswith("austria acted 1 time without a link (line 6), although there was a choice")


def test_a_takeback_cannot_reach_an_undone_order() -> None:
    umpire = Umpire(Toy(), takebacks="free")
    umpire.order(0, "bid 1")
    umpire.order(1, "bid 2")
    umpire.order(0, "step north 1")
    umpire.say(0, "undo")
    assert len(umpire.table.log) == 3
    umpire.say(0, "take-back 1")
    umpire.order(1, "bid 1")
    assert umpire.table.place == 1
    text = resign(umpire).file()
    verify_text(text, *umpire.receipts, ruleset=Toy())
    book = Book(umpire)
    book.entries = [(actor, words.replace("take-back 1", "take-back 3")) for actor, words in book.entries]
    with pytest.raises(RecordError, match="fewer actions than it takes back"):
        verify_text(book.file())
    assert load_verifier().verify(book.file().encode())[2] == "there is nothing to take back"


def unusable_files(folder: Path) -> dict[str, Path]:
    sound, other = resign(toy_game()).file(), resign(toy_game(rounds="5")).file()
    cut = sound.index("leuthen proof")
    texts = {
        "no game": "leuthen\n",
        "other record": sound.replace("leuthen record 1", "leuthen record 2"),
        "other proof": sound.replace("leuthen proof 1", "leuthen proof 3"),
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


def run_command(path: Path) -> tuple[int, str]:
    return run(["verify", str(path)]), ""


def run_python_verifier(path: Path) -> tuple[int, str]:
    return _run(sys.executable, "-I", VERIFIERS / "verify.py", path)


def run_node_verifier(path: Path) -> tuple[int, str]:
    return _run(find_node(), VERIFIERS / "verify.mjs", path)


def _run(*command: str | Path) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("reader", [run_command, run_python_verifier, run_node_verifier])
def test_each_verifier_refuses_an_unusable_file_in_one_line(
    reader: Callable[[Path], tuple[int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = toy_game().secret.hex()
    for name, path in unusable_files(tmp_path).items():
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
        (
            "leuthen proof 1",
            "leuthen proof 3",
            r'line 15: is a proof of version "3"; this program reads versions 1 and 2',
        ),
        ("strict no", "strict perhaps", "a proof begins with its commit"),
        ("\nblock 1 ", "\nblock é ", "does not bind|expected"),
        ("\nblock 1 ", "\nblock 1" + "0" * 30_000, "no line of a proof is so long"),
        ("leuthen record 1", "leuthen record 2", 'is a record of format "2"'),
        ("\nopen ", "\nopen 0", "this is no secret"),
    ],
)
def test_a_file_in_another_format_is_refused(old: str, new: str, why: str) -> None:
    text = resign(toy_game()).file().replace(old, new, 1)

    def read() -> None:
        expect_checkable(Path("game"), text.encode())
        verify_text(text)

    with pytest.raises(RecordError, match=why):
        read()


def test_an_unreadable_receipt_is_refused() -> None:
    path, sound = Path("receipt"), toy_game().receipt("prussia")
    assert parse_receipt(path, sound).side == "prussia"
    no_number = sound.replace("blocks ", "blocks \u0661")
    for text in (
        "",
        "leuthen checkpoint 2\n",
        "leuthen checkpoint 1\ngame g\nblocks x y\nsigned z\n",
        no_number,
        sound * 2,
    ):
        with pytest.raises(UncheckableFile, match="is not a receipt"):
            parse_receipt(path, text)


def test_a_record_with_a_proof_cannot_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "game.leuthen"
    path.write_text(toy_game().file())
    recorded = parse(path, path.read_bytes())
    assert len(recorded.entries) == 3
    with pytest.raises(RecordError, match="has a server's proof and can only"):
        Writer.append(recorded)
    assert path.read_text() == toy_game().file()


@pytest.fixture(scope="module")
def played_game() -> Umpire:
    return small_game(is_strict=True)


def write_file(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_command_reports_a_whole_game(
    tmp_path: Path, played_game: Umpire, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_file(tmp_path, "game.leuthen", played_game.file())
    receipts = [
        write_file(tmp_path, f"receipt-{number}", text) for number, text in enumerate(played_game.receipts[-2:])
    ]
    assert run(["verify", file, "--receipt", receipts[0], "--receipt", receipts[1]]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{file}: whole.\n\nVerified:\n- The server's secret is the one committed")
    assert "- Every line is legal by the rules of campaigns, and so is every answer of chance.\n" in out
    assert "- The receipt receipt-1 (block" in out
    assert "No player's receipt" not in out


def test_a_receipt_reveals_a_forgery_in_one_line(
    tmp_path: Path, played_game: Umpire, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Book(played_game)
    assert BY_RECEIPT["seen"](Random(1), book)
    file, receipt = (
        write_file(tmp_path, "game.leuthen", book.file()),
        write_file(tmp_path, "receipt", played_game.receipts[-1]),
    )
    assert run(["verify", file]) == 0
    assert "No receipt was compared" in capsys.readouterr().out
    assert run(["verify", file, "--receipt", receipt]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"Broken: {receipt}: the server showed this player another game")
    assert out.count("\n") == 1


def test_a_record_without_a_proof_cannot_be_verified(
    tmp_path: Path, played_game: Umpire, capsys: pytest.CaptureFixture[str]
) -> None:
    text = played_game.file()
    file = write_file(tmp_path, "game.leuthen", text[: text.index("leuthen proof")])
    assert run(["verify", file]) == 1
    assert "has no proof behind it: a game at one screen, at a terminal" in capsys.readouterr().out
    assert run(["replay", file, "--verify"]) == 0
