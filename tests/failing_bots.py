"""Bots that fail at their sixth decision, each in its own way."""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import leuthen
from leuthen.bots import RandomBot
from leuthen.screen.presenter import TableRuleset


class HonestBot:
    def __init__(self, ruleset: Any, side: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.decisions = 0
        self.plans: dict[str, Any] = {}

    def choose(self, look: Any, legal: Any, pending: Any) -> Any:
        self.decisions += 1
        return self.fail(legal) if self.decisions > 5 else legal.sample(self.rng)

    def fail(self, legal: Any) -> Any:
        return legal.sample(self.rng)


def failing(fail: Callable[[], Any]) -> type[HonestBot]:
    """Return a bot that calls this at its sixth decision, and answers with the result."""
    return type("FailingBot", (HonestBot,), {"fail": lambda self, legal: fail()})


NoneBot = failing(lambda: None)
TextBot = failing(lambda: "done")
UndoBot = failing(leuthen.Undo)
LeavingBot = failing(leuthen.LeaveGame)
ExitingBot = failing(lambda: sys.exit(0))
DyingBot = failing(lambda: os._exit(0))


class IllegalBot(HonestBot):
    def fail(self, legal: Any) -> Any:
        from leuthen.frederick import actions

        nowhere: Any = (1, 2)
        return actions.March(leader=nowhere[0], path=nowhere)


class RaisingBot(HonestBot):
    def fail(self, legal: Any) -> Any:
        return self.plans["plan"]


class EndlessBot(HonestBot):
    def fail(self, legal: Any) -> Any:
        while True:
            self.decisions += 1


class SleepingBot(HonestBot):
    def fail(self, legal: Any) -> Any:
        time.sleep(3600)


class StubbornBot(HonestBot):
    def fail(self, legal: Any) -> Any:
        while True:
            try:
                time.sleep(3600)
            except BaseException:
                self.decisions += 1


class NoArgumentsBot:
    pass


class SlowStartBot(HonestBot):
    def __init__(self, ruleset: Any, side: int, seed: int) -> None:
        time.sleep(3600)


class PrintingBot(HonestBot):
    def fail(self, legal: Any) -> Any:
        print("I think")
        return legal.sample(self.rng)


class SpyingBot(HonestBot):
    def fail(self, legal: Any) -> Any:
        import gc

        from leuthen.play.dice import Dice, Key
        from leuthen.play.table import Table

        found = {type(one).__name__ for one in gc.get_objects() if type(one) in (Table, Key, Dice)}
        raise ValueError(f"found {sorted(found)} {sys.argv[1:]}")


KILLED_FOLDER: Final = "LEUTHEN_TEST_KILLED"


class KilledBot(RandomBot):
    def __init__(self, ruleset: TableRuleset, side: int, seed: int) -> None:
        super().__init__(seed)
        folder = os.environ.get(KILLED_FOLDER)
        if folder is None:
            os.kill(os.getpid(), signal.SIGKILL)
        mark = Path(folder or "") / str(seed)
        if seed % 3 == 0 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
