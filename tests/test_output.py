import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = (["--version"], ["rules", "O5.3"])
PLAY = ["play", "--prussia", "human", "--austria", "random", "--record"]


def leuthen(words: list[str], redirected: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'exec "$0" -m leuthen "$@" {redirected}', sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_full_output_is_named(words: list[str]) -> None:
    done = leuthen(words, ">/dev/full")
    assert done.returncode == 2
    assert done.stderr == "leuthen: standard output cannot be written: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of its own")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_closed_output_is_named(words: list[str]) -> None:
    done = leuthen(words, ">&-")
    assert (done.returncode, done.stderr) == (2, "leuthen: standard output is closed\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of its own")
def test_an_unwritable_error_output_keeps_the_exit_code() -> None:
    assert leuthen(["nonsense"], "2>&-").returncode == 2
    assert leuthen(["ladder", "nobody", "random"], "2>/dev/full").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_game_with_a_full_output_keeps_its_record(tmp_path: Path) -> None:
    path = tmp_path / "full.leuthen"
    done = leuthen([*PLAY, str(path)], ">/dev/full")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert leuthen(["replay", "--verify", str(path)], "").returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of its own")
def test_a_closed_input_ends_the_game(tmp_path: Path) -> None:
    done = leuthen([*PLAY, str(tmp_path / "quiet.leuthen")], "<&-")
    assert done.returncode == 0
    assert "esume it with: leuthen resume" in done.stdout
    assert "Traceback" not in done.stderr
