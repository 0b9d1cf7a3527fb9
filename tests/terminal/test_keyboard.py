import io
import readline
import sys
from collections.abc import Iterator

import pytest

from leuthen.terminal.hotseat import Pipe, Prompt, the_keyboard


class Typing:
    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.histories: list[list[str | None]] = []

    def __call__(self, prompt: str) -> str:
        count = readline.get_current_history_length()
        self.histories.append([readline.get_history_item(number + 1) for number in range(count)])
        line = next(self.lines, "^D")
        if line in ("^C", "^D"):
            raise KeyboardInterrupt if line == "^C" else EOFError
        return line


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> Typing:
    found = Typing(*lines)
    monkeypatch.setattr("builtins.input", found)
    return found


def test_ctrl_c_discards_the_line_and_ctrl_d_ends_the_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typing(monkeypatch, "^C", "  march Frederick ")
    prompt = Prompt()
    assert prompt.ask("> ", 0) == "march Frederick"
    assert "the game is kept" in capsys.readouterr().out
    with pytest.raises(EOFError):
        prompt.ask("> ", 0)


def test_a_side_never_sees_the_history_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = typing(monkeypatch, "secret", "plan", "secret", "", "yes", "more")
    prompt = Prompt()
    for side in (0, 1, 0, 0):
        prompt.ask("> ", side)
    prompt.wait("sure? ")
    prompt.ask("> ", 1)
    assert typed.histories == [[], [], ["secret"], ["secret"], [], ["plan"]]
    assert readline.get_current_history_length() == 0, "nothing is left for the next line of the program"


def test_a_platform_without_line_editing_has_no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "done")
    monkeypatch.setitem(sys.modules, "readline", None)
    assert Prompt().ask("> ", 0) == "done"


def test_a_pipe_shows_what_it_reads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("bid 2\n\n  done"))
    pipe = Pipe()
    assert [pipe.ask("> ", 0) for _ in range(3)] == ["bid 2", "", "done"]
    with pytest.raises(EOFError):
        pipe.ask("> ", 0)
    assert capsys.readouterr().out == "> bid 2\n> \n>   done\n> \n"


def test_what_is_no_terminal_is_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert isinstance(the_keyboard(), Pipe)
