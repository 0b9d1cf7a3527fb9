"""Lines come from a terminal, with completion and a history of each side's own, or from a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from leuthen.terminal.keyboard import Pipe, Prompt, _completer, beginning_with, the_keyboard


def nothing(text: str) -> list[str]:
    return []


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """What is typed at a terminal."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def test_a_typed_line_is_read(keys: PipeInput) -> None:
    keys.send_text("  march Frederick \r")
    assert Prompt().ask("> ", 0, nothing) == "march Frederick"


def test_ctrl_c_clears_the_line_and_ctrl_d_is_told(keys: PipeInput) -> None:
    keys.send_text("wrong\x03right\r\x04")
    prompt = Prompt()
    assert prompt.ask("> ", 0, nothing) == "right"
    with pytest.raises(EOFError):
        prompt.ask("> ", 0, nothing)


def test_a_side_never_sees_the_history_of_the_other(keys: PipeInput) -> None:
    prompt = Prompt()
    up = "\x1b[A"
    keys.send_text("secret\r")
    prompt.ask("> ", 0, nothing)
    keys.send_text(f"{up}plan\r")
    assert prompt.ask("> ", 1, nothing) == "plan"
    keys.send_text(f"{up}\r")
    assert prompt.ask("> ", 0, nothing) == "secret"


def test_completion_replaces_the_word_that_is_begun() -> None:
    completer = _completer(lambda text: ["1821-1720", "1821-1822"])
    found = completer.get_completions(Document("march Keith 1821-"), CompleteEvent())
    assert [(each.text, each.start_position) for each in found] == [("1821-1720", -5), ("1821-1822", -5)]


def test_a_pipe_shows_what_it_reads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("bid 2\n\n  done"))
    pipe = Pipe()
    assert [pipe.ask("> ", 0, nothing) for _ in range(3)] == ["bid 2", "", "done"]
    with pytest.raises(EOFError):
        pipe.ask("> ", 0, nothing)
    assert capsys.readouterr().out == "> bid 2\n> \n>   done\n> \n"


def test_what_is_no_terminal_is_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert isinstance(the_keyboard(), Pipe)


def test_commands_complete_a_first_word_only() -> None:
    assert beginning_with(("show", "save", "map"), "s") == ["show", "save"]
    assert beginning_with(("show",), "show s") == []
