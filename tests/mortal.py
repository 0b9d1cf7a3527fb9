"""A bot that kills the process in which it plays: one game in three, once each if there is a folder for marks."""

import os
import signal
from pathlib import Path
from typing import Final

from leuthen.bots.random import RandomBot
from leuthen.screen.presenter import TableRuleset

KILLED: Final = "LEUTHEN_TEST_KILLED"


class Mortal(RandomBot):
    def __init__(self, ruleset: TableRuleset, side: int, seed: int) -> None:
        super().__init__(seed)
        folder = os.environ.get(KILLED)
        if folder is None:
            os.kill(os.getpid(), signal.SIGKILL)
        mark = Path(folder or "") / str(seed)
        if seed % 3 == 0 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
