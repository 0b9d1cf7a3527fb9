"""Twenty-five faults that the tests must find: `python -m tests.judge.planted [NAME ...]`.

Each fault replaces one line of the source. The line may move to another file, and the tests run on a copy. If a line no
longer exists, the command names the fault: enter the line that does the same now.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
RULES: Final = "tests/test_cases.py tests/golden tests/frederick"
RULES_2: Final = "tests/test_cases.py tests/golden tests/campaigns"


class Fault(NamedTuple):
    """A source line, its replacement, and tests of which at least one must fail."""

    name: str
    line: str
    fault: str
    tests: str


FAULTS: Final = (
    # rules of frederick
    Fault("rounding", "return (strength * percent + 50) // 100", "return (strength * percent + 49) // 100", RULES),
    Fault("crushing", "return ratio >= CRUSHING or", "return ratio > CRUSHING or", RULES),
    Fault("mountain", "- 2 * is_mountain(pos, here)", "- is_mountain(pos, here)", RULES),
    Fault("siege odds", "(besiegers >= 4 * garrison) -", "(besiegers > 4 * garrison) -", RULES),
    Fault(
        "morale",
        "success = die + printed >= target",
        "success = die + printed > target",
        RULES,
    ),
    Fault(
        "depot",
        "if stack is None or stack.strength < BUILDERS:",
        "if stack is None or stack.strength < BUILDERS - 1:",
        RULES,
    ),
    Fault(
        "force march",
        "if die + initiative(draft, force) <= MOST or not force.sp:",
        "if die + initiative(draft, force) < MOST or not force.sp:",
        RULES,
    ),
    Fault(
        "seen depot",
        "        elif depot.complete:\n            found[here] = Depot(depot.power, True)",
        "        else:\n            found[here] = Depot(depot.power, True)",
        "tests/frederick tests/laws",
    ),
    # rules of campaigns
    Fault(
        "load",
        "return min(LEADER_LOAD, -(-(unit.tp % ALL_SP) // 10))",
        "return min(LEADER_LOAD, unit.tp % ALL_SP // 10)",
        RULES_2,
    ),
    Fault("need", "return (2 * tp + 25) // 50 if pos.options.need25 else tp // 20", "return -(-tp // 20)", RULES_2),
    Fault(
        "siege start",
        "return [unit for unit in units if unit.start == here and not unit.left]",
        "return units",
        RULES_2,
    ),
    Fault(
        "forced twice",
        '    if unit.forced:\n        return Refusal("R8.1"',
        '    if False:\n        return Refusal("R8.1"',
        RULES_2,
    ),
    Fault("relief", "board.within(here, RELIEF_HEXES)", "board.within(here, RELIEF_HEXES - 1)", RULES_2),
    Fault(
        "seen garrison",
        "return {h: tp for h, tp in troops.items() if knows(pos.options, viewer, SIDE_OF[largest(own[h])])}",
        "return dict(troops)",
        "tests/campaigns tests/laws",
    ),
    # play, proof, record
    Fault(
        "copied log",
        "twin.drafts, twin.log = self.drafts.copy(), self.log.copy()",
        "twin.drafts, twin.log = self.drafts.copy(), self.log",
        "tests/test_drafts.py tests/test_drafts.py tests/server/test_orders.py tests/server/test_takebacks.py",
    ),
    Fault(
        "place of a die",
        "            self.chances += 1\n            self.place += 1",
        "            self.chances += 1\n            self.place += 2",
        "tests/test_dice.py tests/test_record.py tests/golden tests/proof",
    ),
    Fault(
        "torn line",
        'chain.seal(text).encode() == torn.rstrip(b"\\r")',
        "True",
        "tests/test_kill.py tests/test_record.py",
    ),
    Fault(
        "unsigned",
        'raise self._record_error("this is not signed with the key that the proof names", line)',
        "return",
        "tests/proof",
    ),
    Fault(
        "waiting die",
        "return True\n        self._waits = place,",
        "return False\n        self._waits = place,",
        "tests/server/test_seal.py tests/server/test_sealing.py tests/server/test_takebacks.py tests/proof",
    ),
    Fault(
        "learned",
        "        draft.learn(OTHER[self.side], WATCHER)  # none completed",
        "        # none completed",
        "tests/frederick tests/laws tests/golden",
    ),
    # server and secrecy
    Fault(
        "stale order",
        "if request.seen != (n := self.history.logs[side].n):",
        "if request.seen > (n := self.history.logs[side].n):",
        "tests/server/test_orders.py tests/server/test_session.py",
    ),
    Fault(
        "drafts in updates",
        "if not is_own and (events := step.transition.events(viewer)):",
        "if not is_own and (events := step.transition.events(step.actor)):",
        "tests/server/test_session.py tests/server/test_twins.py tests/server/test_history.py",
    ),
    Fault(
        "foreign page",
        "and origin not in origins:\n        raise _foreign()",
        "and origin not in origins:\n        pass",
        "tests/server/test_request_guard.py tests/server/test_hostile.py",
    ),
    Fault(
        "history viewer",
        "if session.history.outcome is None or not 0 <= viewer <= EVERYTHING:",
        "if not 0 <= viewer <= EVERYTHING:",
        "tests/server/test_history.py tests/server/test_history.py tests/server/test_twins.py",
    ),
    Fault(
        "used link",
        'if first(rows, InvitationRow, lock=lock, used="") is None:',
        "if first(rows, InvitationRow, lock=lock) is None:",
        "tests/server/test_seats.py tests/server/test_seats.py",
    ),
)


def is_found(fault: Fault) -> bool | None:
    """Return True if a test fails with the fault; None unless its line occurs exactly once."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        for name in ("docs", "tests"):
            (Path(folder) / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        holders = [path for path in source.rglob("*.py") if fault.line in path.read_text()]
        if len(holders) != 1 or holders[0].read_text().count(fault.line) != 1:
            return None
        holders[0].write_text(holders[0].read_text().replace(fault.line, fault.fault))
        tests = [path for path in fault.tests.split() if (ROOT / path).exists()]
        command = [sys.executable, "-m", "pytest", "-x", "-n", "0", "--no-header", "-p", "no:cacheprovider", *tests]
        environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        print(f"{fault.name}: {failed[0][:110] if failed else 'NOT FOUND'}", flush=True)
        return done.returncode == 1


def main(names: list[str]) -> int:
    """Plant the faults named, or all. Return how many are not found."""
    missed = 0
    for fault in FAULTS:
        if names and fault.name not in names:
            continue
        found = is_found(fault)
        if found is None:
            print(f"{fault.name}: its line must occur exactly once")
        missed += not found
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
