import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from leuthen.cli import run
from leuthen.play.proof.section import NotChecked, expect_checkable, parse_receipt
from leuthen.play.record import RecordError, Writer, parse
from tests.accountable.test_check import checked_text, ended, game
from tests.accountable.vectors import HOME as VERIFIERS
from tools.node import find_node


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
        ("leuthen proof 1", "leuthen proof 2", r"line 15: is a proof of version «2»; this program reads version 1"),
        ("strict no", "strict perhaps", "a proof begins with its commit"),
        ("\nblock 1 ", "\nblock é ", "does not bind|expected"),
        ("\nblock 1 ", "\nblock 1" + "0" * 30_000, "no line of a proof is so long"),
        ("leuthen record 1", "leuthen record 2", "is a record of format «2»"),
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
        with pytest.raises(NotChecked, match="is no receipt"):
            parse_receipt(path, text)


def test_a_record_with_a_proof_is_replayed_and_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "game.leuthen"
    path.write_text(game().file())
    recorded = parse(path, path.read_bytes())
    assert len(recorded.entries) == 3
    with pytest.raises(RecordError, match="has a server's proof behind it"):
        Writer.append(recorded)
    assert path.read_text() == game().file()
