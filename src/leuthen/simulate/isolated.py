"""Bots in processes of their own. Such a process gets the bytes of its side's view and answers with a line of text.

It is begun anew, not forked from the process that plays: nothing of that one's memory, position or dice is in it. For
each game it forks itself, so that no game can tell a bot anything about another one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

import msgspec

from leuthen.bots import make_player
from leuthen.bots.guard import BotFailed, GuardedBot
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.load import add_ruleset, added_rulesets, folder_of, load
from leuthen.screen.presenter import TableRuleset
from leuthen.ticking import ticking


class BotGame(msgspec.Struct, frozen=True, tag=True):
    """A game begins: for which bot and side, by which rule set and data, with its own seed and time for a decision."""

    bot: str
    side: Side
    seed: int
    ruleset: str
    data: str | None
    patience: float
    added: tuple[str, ...]


class BotQuestion(msgspec.Struct, frozen=True, tag=True):
    """The side is asked; the bytes of its view."""

    view: bytes


class BotGameOver(msgspec.Struct, frozen=True, tag=True):
    """The game has ended."""


class BotOrder(msgspec.Struct, frozen=True, tag=True):
    """The bot's answer, as a line of the record."""

    text: str


class BotFailure(msgspec.Struct, frozen=True, tag=True):
    """The bot failed: the message, and the traceback."""

    message: str
    trace: str


Message: TypeAlias = BotGame | BotQuestion | BotGameOver | BotOrder | BotFailure
_decoder: Final = msgspec.msgpack.Decoder(Message)
_HEAD: Final = 4
"""Bytes of the length that goes before a message."""


def _send(pipe: int, message: Message) -> None:
    data = msgspec.msgpack.encode(message)
    data = len(data).to_bytes(_HEAD, "little") + data
    while data:
        data = data[os.write(pipe, data) :]


def _receive(pipe: int) -> Message | None:
    """The next message; None at the end."""
    head = _read(pipe, _HEAD)
    return _decoder.decode(_read(pipe, int.from_bytes(head, "little"))) if head else None


def _read(pipe: int, size: int) -> bytes:
    """So many bytes; none at the end."""
    found = b""
    while len(found) < size:
        part = os.read(pipe, size - len(found))
        if not part:
            return b""
        found += part
    return found


class IsolatedBot:
    """A bot that plays in a process of its own."""

    def __init__(self, ruleset: TableRuleset, position: Callable[[], object], begin: BotGame) -> None:
        """`position` gives the true position, which reads the bot's line."""
        self._ruleset = ruleset
        self._position = position
        self._begin = begin
        self._process = _process_for(begin)
        self._is_done = False
        self._say(begin)

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """What the bot answers. Raises BotFailed, Invalid for what is no order."""
        self._say(BotQuestion(self._ruleset.encode_view(look())))
        answer = self._hear()
        if isinstance(answer, BotFailure):
            raise BotFailed(answer.message, answer.trace)
        if not isinstance(answer, BotOrder):
            raise BotFailed(f"the process of the bot {self._begin.bot} has ended")
        return self._ruleset.parse_action(self._position(), self._begin.side, answer.text)

    def close(self, *, is_over: bool) -> None:
        """Ends the game for the bot; a process that may still think is killed."""
        if is_over:
            self._say(BotGameOver())
        else:
            _kill(self._begin)

    def _say(self, message: Message) -> None:
        assert self._process.stdin is not None
        try:
            _send(self._process.stdin.fileno(), message)
        except BrokenPipeError:
            return  # what it has said before it ended is read next

    def _hear(self) -> Message | None:
        assert self._process.stdout is not None
        try:
            return _receive(self._process.stdout.fileno())
        except msgspec.MsgspecError as error:
            raise BotFailed(f"the process of the bot {self._begin.bot} has written nonsense") from error


def begin_bot(bot: str, ruleset: TableRuleset, side: Side, seed: int, patience: float) -> BotGame:
    """What a process is told to play a game. Raises Invalid for a rule set that it could not load."""
    folder = folder_of(ruleset)
    return BotGame(bot, side, seed, ruleset.name, None if folder is None else str(folder), patience, added_rulesets())


_Place: TypeAlias = tuple[str, int, str, str | None]
_processes: Final[dict[_Place, subprocess.Popen[bytes]]] = {}
"""Those that this process has begun, by bot, side, rule set and data."""


def _place(begin: BotGame) -> _Place:
    return begin.bot, begin.side, begin.ruleset, begin.data


def _process_for(begin: BotGame) -> subprocess.Popen[bytes]:
    """A process that waits for the next game."""
    place = _place(begin)
    if not hasattr(os, "fork"):
        _kill(begin)
    if place not in _processes or _processes[place].poll() is not None:
        command = [sys.executable, "-m", "leuthen.simulate.isolated"]
        _processes[place] = subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
    return _processes[place]


def _kill(begin: BotGame) -> None:
    process = _processes.pop(_place(begin), None)
    if process is None:
        return
    with process:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


# --- in the process of the bot ----------------------------------------------------------------------------------------

_DONE: Final = 77
"""The exit code of a process whose game has ended."""
_WATCH: Final = 1.0
"""Seconds between two looks whether the process that plays is still there."""


def main() -> None:
    """Plays game after game, each in a fork of this process where there are forks."""
    inward, outward = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # what a bot prints is no message
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    while isinstance(begin := _receive(inward), BotGame):
        for named in begin.added:
            add_ruleset(named)
        ruleset = load(begin.ruleset, None if begin.data is None else Path(begin.data))
        if not hasattr(os, "fork"):
            _play(ruleset, begin, inward, outward)
            continue
        child = os.fork()
        if not child:
            _play(ruleset, begin, inward, outward)
            os._exit(_DONE)
        _, status = os.waitpid(child, 0)
        if (code := os.waitstatus_to_exitcode(status)) != _DONE:
            _send(outward, BotFailure(f"the bot {begin.bot} ended its process: exit code {code}", ""))
            return


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _play(ruleset: TableRuleset, begin: BotGame, inward: int, outward: int) -> None:
    worlds = Random(begin.seed)
    try:
        with ticking(begin.patience):
            bot = GuardedBot(begin.bot, lambda: make_player(begin.bot, ruleset, begin.side, begin.seed))
            while isinstance(asked := _receive(inward), BotQuestion):
                _send(outward, BotOrder(_answer(ruleset, begin.side, bot, asked.view, worlds)))
    except BotFailed as error:
        _send(outward, BotFailure(str(error), error.trace))


def _answer(ruleset: TableRuleset, side: Side, bot: GuardedBot, data: bytes, worlds: Random) -> str:
    """The bot's line: it is asked in a world of the view, where it may do what it may do in the true position."""
    view = ruleset.decode_view(data)
    world = ruleset.worlds(view, worlds)
    pending = next(pending for pending in ruleset.pending(world) if pending.actor == side)
    action = bot.choose(lambda: view, ruleset.legal_actions(world, side), pending)
    return ruleset.format_action(world, side, action)


if __name__ == "__main__":
    main()
