"""Failover: a server and its standby are killed, stopped and cut off from their database, five times in each part."""

from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from tests.server.failover import Rig, rig

REPEATS = 5
PARTS = (
    *(("postgres", "kill"),) * 10,
    *(("postgres", "stop"),) * 2,
    *(("postgres", "cut"),) * 2,
    *(("folder", "kill"),) * 2,
    *(("folder", "stop"),) * 1,
)
MAX_SECONDS = 8.0


def run_failovers(_: Path, part: int) -> dict[str, Any]:
    place, what = PARTS[part]
    with rig(on_postgres=place == "postgres") as pair:
        for number in range(part * REPEATS, part * REPEATS + REPEATS):
            pair.play(number, _make_event(pair, what, number))
        writers = pair.check_writers() if pair.postgres else 0
    figures = {
        name: [round(median(found), 2), round(max(found), 2), [round(one, 2) for one in found]]
        for name, found in pair.figures._asdict().items()
        if found
    }
    return {"place": place, "what": what, "times": REPEATS, "writers": writers, **figures, "fault": ""}


def _make_event(pair: Rig, what: str, number: int) -> Any:
    if what == "stop":
        return partial(pair.stop, seconds=Random(number).uniform(1.0, MAX_SECONDS))
    return pair.kill if what == "kill" else pair.cut
