"""What the server says of a report over the wire."""

from __future__ import annotations

from leuthen.report.values import WarReport
from leuthen.server.session.requests import Message


class Reported(Message, frozen=True):
    """The report on a game that has ended, or how far it is: `done` of `total` decisions of a stage.

    `stage` is "" as long as nobody has asked for it, then `begun`, `decisions`, `doubtful decisions`, and `done`; or
    `failed`, and `said` tells why; or `none`, where there can be none, and why. `news` are the numbers of the seat's
    news at which each moment begins.
    """

    stage: str = ""
    done: int = 0
    total: int = 0
    report: WarReport | None = None
    news: tuple[int, ...] = ()
    said: str = ""
