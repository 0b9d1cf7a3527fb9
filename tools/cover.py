"""Which lines the tests run: `make cover` fails where they are fewer than they were.

The tests that say least for their time (kills, crowds, floods, browsers, whole games of the planners) are left out, so
that it ends within the hour. With Python 3.12 or newer measuring costs next to nothing; with 3.11 it doubles the time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
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


def main(more: list[str]) -> int:
    """Runs the tests and looks at the lines; 1 if a test fails or a floor is not reached."""
    shutil.rmtree(ROOT / ".coverage", ignore_errors=True)
    (ROOT / ".coverage").mkdir()
    env = os.environ | ({"COVERAGE_CORE": "sysmon"} if sys.version_info >= (3, 12) else {})
    tests = [*(f"tests/{name}" for name in RULES), "tests/server"]
    ignored = [f"--ignore=tests/server/{name}" for name in LEFT_OUT]
    failed = _coverage(env, "run", "-m", "pytest", *tests, *ignored, *more)
    _coverage(env, "combine", "-q")
    for name, (floor, packages) in FLOORS.items():
        print(f"{name}: at least {floor} %", flush=True)
        lines = ",".join(f"*/leuthen/{package}/*" for package in packages)
        failed |= _coverage(
            env, "report", "--skip-covered", "--sort=cover", f"--include={lines}", f"--fail-under={floor}"
        )
    return min(failed, 1)


def _coverage(env: dict[str, str], *words: str) -> int:
    return subprocess.run([sys.executable, "-m", "coverage", *words], cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
