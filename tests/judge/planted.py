"""Twenty-five faults that the tests must find: `python -m tests.judge.planted [NAME ...]`.

Each row of tests/tables/planted-faults.txt replaces one line of the source. The line may move to another file, and the
tests run on a copy. If a line no longer exists, the command names the fault: enter the line that does the same now.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.rows import rows

ROOT: Final = Path(__file__).resolve().parents[2]


class Fault(NamedTuple):
    """A source line, its replacement, and tests of which at least one must fail."""

    name: str
    tests: str
    line: str
    fault: str


FAULTS: Final = tuple(Fault(*row) for row in rows("planted-faults"))


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
        tests = [path for name in fault.tests.split() if (ROOT / (path := f"tests/{name}")).exists()]
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
