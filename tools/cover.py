"""Which lines the tests run: `make cover` fails where they are fewer than they were.

The tests that say least for their time (kills, crowds, floods, browsers, whole games of the planners) are left out, so
that it ends within the hour. With Python 3.12 or newer measuring costs next to nothing; with 3.11 it doubles the time.
The tests are run in parts. What a part has found is kept until a file of the program or of the tests changes, so that a
run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
KEPT: Final = ROOT / ".coverage"
FLOORS: Final = {
    "engine, wargame, screen, rule sets": (97, ("engine", "wargame", "screen", "rulesets")),
    "server": (96, ("server",)),
}
"""Per cent of the lines that must be run, and the packages."""
RULES: Final = (
    "test_cases.py", "test_forms.py", "test_bad_input.py", "test_load.py", "test_setup.py", "test_instruction.py",
    "test_values.py", "test_cookbook.py", "test_fords.py", "frederick", "campaigns", "bots",
)  # fmt: skip
LEFT_OUT: Final = ("test_kill.py", "test_crowd.py", "test_hostile.py", "test_schemathesis.py")
"""Of the server's."""
AT_ONCE: Final = 8
"""So many files are a part."""
HOLDS: Final = (0, 5)
"""What pytest ends with: all tests passed, or the words for it named none of them."""


def main(more: list[str]) -> int:
    """Runs the tests and looks at the lines; 1 if a test fails or a floor is not reached."""
    KEPT.mkdir(exist_ok=True)
    state = digest(more)
    for old in KEPT.iterdir():
        if not old.name.startswith(state):
            old.unlink()
    parts = list(in_parts(found()))
    failed = sum(not run(KEPT / f"{state}-{number}", part, more) for number, part in enumerate(parts, 1))
    if failed:
        print(f"{failed} of {len(parts)} parts failed; those that held are kept", flush=True)
        return 1
    _coverage("combine", "-q", "--keep", f"--data-file={KEPT / state}", *sorted(map(str, KEPT.glob(f"{state}-*"))))
    return max(report(KEPT / state, name) for name in FLOORS)


def found() -> Iterator[Path]:
    """The files of tests that are run."""
    for name in (*RULES, "server", "servers", "school"):
        path = ROOT / "tests" / name
        yield from sorted(path.glob("test_*.py")) if path.is_dir() else (path,)


def in_parts(files: Iterator[Path]) -> Iterator[list[str]]:
    """The same, some at a time."""
    left = [str(path.relative_to(ROOT)) for path in files if path.name not in LEFT_OUT]
    for first in range(0, len(left), AT_ONCE):
        yield left[first : first + AT_ONCE]


def digest(more: list[str]) -> str:
    """A short name for the program, its tests, its Python and how they are run."""
    made = hashlib.blake2b(repr((sys.version, more)).encode(), digest_size=6)
    for path in sorted(path for name in ("src", "tests") for path in (ROOT / name).rglob("*") if path.is_file()):
        if "__pycache__" not in path.parts:
            made.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return made.hexdigest()


def run(kept: Path, part: list[str], more: list[str]) -> bool:
    """Runs a part, unless it has been run; whether it holds. What it has found is kept if it does."""
    if kept.exists():
        print(f"{part[0]} to {part[-1]}: as before", flush=True)
        return True
    _forget_unfinished()
    print(f"{part[0]} to {part[-1]}", flush=True)
    if _coverage("run", "-m", "pytest", *part, *more) not in HOLDS:
        return False
    return _coverage("combine", "-q", f"--data-file={kept}", *map(str, KEPT.glob("data.*"))) == 0


def report(data: Path, name: str) -> int:
    """Tells the lines of some packages; 1 if they are too few."""
    floor, packages = FLOORS[name]
    print(f"{name}: at least {floor} %", flush=True)
    lines = ",".join(f"*/leuthen/{package}/*" for package in packages)
    words = ("--skip-covered", "--sort=cover", f"--include={lines}", f"--fail-under={floor}")
    return min(_coverage("report", f"--data-file={data}", *words), 1)


def _forget_unfinished() -> None:
    for path in KEPT.glob("data*"):
        path.unlink()


def _coverage(*words: str) -> int:
    env = os.environ | ({"COVERAGE_CORE": "sysmon"} if sys.version_info >= (3, 12) else {})
    return subprocess.run([sys.executable, "-m", "coverage", *words], cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
