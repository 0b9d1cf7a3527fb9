"""Failover: a server and its standby are killed, stopped and cut off from their database, five times in each part."""

from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from tests.server.failover import Rig, rig

TIMES = 5
PARTS = (
    *(("postgres", "kill"),) * 10,
    *(("postgres", "stop"),) * 2,
    *(("postgres", "cut"),) * 2,
    *(("folder", "kill"),) * 2,
    *(("folder", "stop"),) * 1,
)
LONGEST = 8.0


def failover(_: Path, part: int) -> dict[str, Any]:
    place, what = PARTS[part]
    with rig(on_postgres=place == "postgres") as pair:
        for number in range(part * TIMES, part * TIMES + TIMES):
            pair.play(number, _event(pair, what, number))
        writers = pair.check_writers() if pair.postgres else 0
    figures = {
        name: [round(median(found), 2), round(max(found), 2), [round(one, 2) for one in found]]
        for name, found in pair.figures._asdict().items()
        if found
    }
    return {"place": place, "what": what, "times": TIMES, "writers": writers, **figures, "fault": ""}


def _event(pair: Rig, what: str, number: int) -> Any:
    if what == "stop":
        return partial(pair.stop, seconds=Random(number).uniform(1.0, LONGEST))
    return pair.kill if what == "kill" else pair.cut
