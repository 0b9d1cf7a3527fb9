"""Bots in their own processes, which get the bytes of a view and answer with an order line.

The process is started, not forked from the umpire, so it contains no position or dice. It forks itself for each game,
so no game can pass information to another.
"""

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

from leuthen.bots import BotFailed, GuardedBot, make_player
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Look, Pending, Side
from leuthen.load import add_ruleset, added_rulesets, folder_of, load
from leuthen.screen.presenter import TableRuleset
from leuthen.ticking import ticking

_HEAD: Final = 4  # bytes of the length before a message


class BotGame(msgspec.Struct, frozen=True):
    """The first message of a game; the views of the bot's side follow, and an empty message ends the game."""

    bot: str
    side: Side
    seed: int
    ruleset: str
    data: str | None
    patience: float
    added: tuple[str, ...]


class BotAnswer(msgspec.Struct, frozen=True):
    """The answer to a view: the bot's order line, or its error message and traceback."""

    order: str = ""
    fault: str = ""
    trace: str = ""


def _send(pipe: int, message: bytes) -> None:
    data = len(message).to_bytes(_HEAD, "little") + message
    while data:
        data = data[os.write(pipe, data) :]


def _receive(pipe: int) -> bytes:
    """Return the next message; an empty one at the end of the pipe."""
    return _read(pipe, int.from_bytes(_read(pipe, _HEAD), "little"))


def _read(pipe: int, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = os.read(pipe, size - len(found))
        if not part:
            return b""
        found += part
    return found


_Place: TypeAlias = tuple[str, int, str, str | None]
_processes: Final[dict[_Place, subprocess.Popen[bytes]]] = {}  # processes by bot, side, rule set and data


class IsolatedBot:
    """A bot in its own process; it must be closed. Raise Invalid if the process could not load the rule set."""

    def __init__(
        self, bot: str, ruleset: TableRuleset, side: Side, seed: int, patience: float, position: Callable[[], object]
    ) -> None:
        folder = folder_of(ruleset)
        data = None if folder is None else str(folder)
        self._bot = bot
        self._ruleset = ruleset
        self._side = side
        self._position = position
        self._place = bot, side, ruleset.name, data
        self._process = self._find_process()
        begin = BotGame(bot, side, seed, ruleset.name, data, patience, added_rulesets())
        self._say(msgspec.msgpack.encode(begin))

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """Return the bot's action. Raise BotFailed, or Invalid if it is no order."""
        self._say(self._ruleset.encode_view(look()))
        assert self._process.stdout is not None
        message = _receive(self._process.stdout.fileno())
        if not message:
            raise BotFailed(f"the process of the bot {self._bot} has ended")
        try:
            answer = msgspec.msgpack.decode(message, type=BotAnswer)
        except msgspec.MsgspecError as error:
            raise BotFailed(f"the process of the bot {self._bot} has sent unreadable data") from error
        if answer.fault:
            raise BotFailed(answer.fault, answer.trace)
        return self._ruleset.parse_action(self._position(), self._side, answer.order)

    def close(self, *, is_over: bool) -> None:
        """End the game for the bot; kill the process unless the game is over."""
        if is_over:
            self._say(b"")
        else:
            self._kill()

    def _say(self, message: bytes) -> None:
        assert self._process.stdin is not None
        try:
            _send(self._process.stdin.fileno(), message)
        except BrokenPipeError:
            return  # what it has said before it ended is read next

    def _find_process(self) -> subprocess.Popen[bytes]:
        if not hasattr(os, "fork"):
            self._kill()
        found = _processes.get(self._place)
        if found is None or found.poll() is not None:
            command = [sys.executable, "-m", "leuthen.simulate.isolated"]
            found = _processes[self._place] = subprocess.Popen(
                command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        return found

    def _kill(self) -> None:
        process = _processes.pop(self._place, None)
        if process is None:
            return
        with process:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


# --- in the process of the bot ----------------------------------------------------------------------------------------

_DONE: Final = 77  # exit code of a process whose game has ended
_WATCH: Final = 1.0  # seconds between checks of the parent process


def main() -> None:
    """Play game after game, each in a fork of this process if the system can fork."""
    inward, outward = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # what a bot prints is no message
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    while message := _receive(inward):
        begin = msgspec.msgpack.decode(message, type=BotGame)
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
            fault = BotAnswer(fault=f"the bot {begin.bot} ended its process: exit code {code}")
            _send(outward, msgspec.msgpack.encode(fault))
            return


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _play(ruleset: TableRuleset, begin: BotGame, inward: int, outward: int) -> None:
    rng, side, view = Random(begin.seed), begin.side, object()

    def look() -> object:
        return view

    try:
        with ticking(begin.patience):
            bot = GuardedBot(begin.bot, lambda: make_player(begin.bot, ruleset, side, begin.seed))
            while message := _receive(inward):
                view = ruleset.decode_view(message)
                world = ruleset.sample_state(view, rng)
                pending = next(pending for pending in ruleset.pending(world) if pending.actor == side)
                action = bot.choose(look, ruleset.legal_actions(world, side), pending)
                answer = BotAnswer(ruleset.format_action(world, side, action))
                _send(outward, msgspec.msgpack.encode(answer))
    except BotFailed as error:
        _send(outward, msgspec.msgpack.encode(BotAnswer(fault=str(error), trace=error.trace)))


if __name__ == "__main__":
    main()
