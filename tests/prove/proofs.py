"""The proofs by name. A proof has numbered parts; each part runs once, and its result is a line of JSON.

To add a slow proof, add a line to `PROOFS`: a `Proof`, or `command` for a shell command.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from leuthen.engine.decision import Decision
from leuthen.load import load
from tests.laws.interruptions import DECISIONS, WITHOUT_POSITION, fault_after, possible_events, sample_positions
from tests.prove import failover, verification
from tests.prove.games import keep_record, make_plan, play

HOME = Path(__file__).parents[2]
Result: TypeAlias = dict[str, Any]
POSITIONS = 12
ACTIONS = 2500


class Proof(NamedTuple):
    parts: int
    one: Callable[[Path, int], Result]


def play_game(ruleset: str, level: str, folder: Path, seed: int) -> Result:
    start = time.perf_counter()
    course = play(make_plan(ruleset, level, seed))
    line = {**course.plan._asdict(), "actions": course.actions, "outcome": course.outcome, "fault": course.fault}
    if course.fault:
        path = folder / f"{ruleset}-{level}-{seed:05d}.leuthen"
        keep_record(path, course)
        line |= {"line": course.line, "record": path.name}
    return {**line, "seconds": round(time.perf_counter() - start, 2)}


def interrupt(ruleset: str, folder: Path, number: int) -> Result:
    kind = kinds(ruleset)[number]
    tried = {
        f"{event.word} of {event.power} {'during' if between else 'after'} position {place}": fault_after(
            load(ruleset), state, event, place, ACTIONS, between=between
        )
        for place, state in enumerate(sample_positions(ruleset, kind, POSITIONS))
        for event in possible_events(ruleset, state)
        for between in (True, False)
    }
    faults = [f"{which}: {fault}" for which, fault in tried.items() if fault]
    return {"ruleset": ruleset, "kind": kind.__name__, "tried": len(tried), "fault": "; ".join(faults)}


def run_kills(folder: Path, number: int) -> Result:
    paths, first = ("tests/test_kill.py", "tests/server/test_kill.py"), str(100 * number)
    return run_tests(*paths, LEUTHEN_KILLS="100", LEUTHEN_SERVER_KILLS="100", LEUTHEN_FIRST_KILL=first).one(folder, 0)


def send_hostile_requests(folder: Path, number: int) -> Result:
    path = "tests/server/test_hostile.py::test_thousands_of_hostile_requests_change_nothing"
    return run_tests(path, LEUTHEN_HOSTILE="20000", LEUTHEN_HOSTILE_SEED=str(number)).one(folder, 0)


def run_command(words: tuple[str, ...], settings: Mapping[str, str]) -> Proof:
    return Proof(1, partial(_run_command, words, settings))


def _run_command(words: tuple[str, ...], settings: Mapping[str, str], folder: Path, number: int) -> Result:
    done = subprocess.run(words, cwd=HOME, env={**os.environ, **settings}, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr)[-2000:] or f"it ended with {done.returncode}, without a word"
    return {"command": " ".join(words[1:]), "fault": "" if done.returncode == 0 else said}


def run_tests(*paths: str, **settings: str) -> Proof:
    return run_command((sys.executable, "-m", "pytest", *paths), settings)


def run_module(name: str) -> Proof:
    return run_command((sys.executable, "-m", name), {})


def kinds(ruleset: str) -> list[type[Decision]]:
    return [kind for name, kind in DECISIONS if name == ruleset and kind.__name__ not in WITHOUT_POSITION]


PROOFS: Mapping[str, Proof] = {
    "frederick-random": Proof(2000, partial(play_game, "frederick", "random")),
    "frederick-captain": Proof(200, partial(play_game, "frederick", "captain")),
    "campaigns-random": Proof(500, partial(play_game, "campaigns", "random")),
    "campaigns-captain": Proof(60, partial(play_game, "campaigns", "captain")),
    "frederick-interrupted": Proof(len(kinds("frederick")), partial(interrupt, "frederick")),
    "campaigns-interrupted": Proof(len(kinds("campaigns")), partial(interrupt, "campaigns")),
    "every-game": run_tests("tests", LEUTHEN_EVERY_GAME="1"),
    "kills": Proof(10, run_kills),
    "failover": Proof(len(failover.PARTS), failover.run_failovers),
    "hostile": Proof(50, send_hostile_requests),
    "forgeries": Proof(100, verification.forgeries),
    "sound-games": Proof(100, verification.sound_games),
    "ground-secrets": Proof(3, verification.ground_secrets),
    "twins": run_tests("tests/server/test_twins.py", LEUTHEN_TWINS="10000"),
    "clicked": run_tests("tests/browser/test_campaign.py", LEUTHEN_CLICKED_ORDERS="10000"),
    "schema": run_tests("tests/server/test_interface.py", LEUTHEN_SCHEMA_EXAMPLES="1000"),
    "package": run_command((sys.executable, "-m", "tools.release", "--check"), {}),
    "browsers": run_module("tests.browser.elsewhere"),
    "nginx": run_module("tests.server.behind_nginx"),
    "image": run_module("tests.prove.image"),
    "cluster": run_command(("make", "cluster"), {}),
}
