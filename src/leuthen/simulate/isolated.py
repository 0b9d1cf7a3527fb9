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


class BotGame(msgspec.Struct, frozen=True, tag=True):
    """Start of a game: the bot, its side, rule set, data, seed and seconds for a decision."""

    bot: str
    side: Side
    seed: int
    ruleset: str
    data: str | None
    patience: float
    added: tuple[str, ...]


class BotQuestion(msgspec.Struct, frozen=True, tag=True):
    """A decision with the bytes of the side's view."""

    view: bytes


class BotGameOver(msgspec.Struct, frozen=True, tag=True):
    """End of the game."""


class BotOrder(msgspec.Struct, frozen=True, tag=True):
    """The bot's order line."""

    text: str


class BotFailure(msgspec.Struct, frozen=True, tag=True):
    """The bot's error message and traceback."""

    message: str
    trace: str


Message: TypeAlias = BotGame | BotQuestion | BotGameOver | BotOrder | BotFailure
_decoder: Final = msgspec.msgpack.Decoder(Message)
_HEAD: Final = 4  # bytes of the length before a message


def _send(pipe: int, message: Message) -> None:
    data = msgspec.msgpack.encode(message)
    data = len(data).to_bytes(_HEAD, "little") + data
    while data:
        data = data[os.write(pipe, data) :]


def _receive(pipe: int) -> Message | None:
    head = _read(pipe, _HEAD)
    return _decoder.decode(_read(pipe, int.from_bytes(head, "little"))) if head else None


def _read(pipe: int, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = os.read(pipe, size - len(found))
        if not part:
            return b""
        found += part
    return found


class IsolatedBot:
    """A bot in its own process."""

    def __init__(self, ruleset: TableRuleset, position: Callable[[], object], begin: BotGame) -> None:
        self._ruleset = ruleset
        self._position = position
        self._begin = begin
        self._process = _process_for(begin)
        self._is_done = False
        self._say(begin)

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """Return the bot's action. Raise BotFailed, or Invalid if it is no order."""
        self._say(BotQuestion(self._ruleset.encode_view(look())))
        assert self._process.stdout is not None
        try:
            answer = _receive(self._process.stdout.fileno())
        except msgspec.MsgspecError as error:
            raise BotFailed(f"the process of the bot {self._begin.bot} has sent unreadable data") from error
        if isinstance(answer, BotFailure):
            raise BotFailed(answer.message, answer.trace)
        if not isinstance(answer, BotOrder):
            raise BotFailed(f"the process of the bot {self._begin.bot} has ended")
        return self._ruleset.parse_action(self._position(), self._begin.side, answer.text)

    def close(self, *, is_over: bool) -> None:
        """End the game for the bot; kill the process unless the game is over."""
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


def begin_bot(bot: str, ruleset: TableRuleset, side: Side, seed: int, patience: float) -> BotGame:
    """Return the start message of a game. Raise Invalid if the process could not load the rule set."""
    folder = folder_of(ruleset)
    return BotGame(bot, side, seed, ruleset.name, None if folder is None else str(folder), patience, added_rulesets())


_Place: TypeAlias = tuple[str, int, str, str | None]
_processes: Final[dict[_Place, subprocess.Popen[bytes]]] = {}  # processes by bot, side, rule set and data


def _place(begin: BotGame) -> _Place:
    return begin.bot, begin.side, begin.ruleset, begin.data


def _process_for(begin: BotGame) -> subprocess.Popen[bytes]:
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

_DONE: Final = 77  # exit code of a process whose game has ended
_WATCH: Final = 1.0  # seconds between checks of the parent process


def main() -> None:
    """Play game after game, each in a fork of this process if the system can fork."""
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
    rng = Random(begin.seed)
    try:
        with ticking(begin.patience):
            bot = GuardedBot(begin.bot, lambda: make_player(begin.bot, ruleset, begin.side, begin.seed))
            while isinstance(asked := _receive(inward), BotQuestion):
                _send(outward, BotOrder(_answer(ruleset, begin.side, bot, asked.view, rng)))
    except BotFailed as error:
        _send(outward, BotFailure(str(error), error.trace))


def _answer(ruleset: TableRuleset, side: Side, bot: GuardedBot, data: bytes, rng: Random) -> str:
    view = ruleset.decode_view(data)
    world = ruleset.sample_state(view, rng)
    pending = next(pending for pending in ruleset.pending(world) if pending.actor == side)
    action = bot.choose(lambda: view, ruleset.legal_actions(world, side), pending)
    return ruleset.format_action(world, side, action)


if __name__ == "__main__":
    main()
