"""Checks the client's types with TypeScript: `python -m tools.clienttypes.tsc`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
TSC: Final = ROOT / ".venv" / "node_modules" / "typescript" / "bin" / "tsc"


def check(settings: Path) -> subprocess.CompletedProcess[str]:
    """Runs the check with a jsconfig.json. Raises FileNotFoundError, saying how to get it, where a tool is missing."""
    node = shutil.which("node") or shutil.which("node", path=ROOT / ".venv" / "bin")
    if node is None or not TSC.exists():
        raise FileNotFoundError("TypeScript is missing: sh tools/setup.sh dev installs it")
    return subprocess.run([node, TSC, "-p", settings], capture_output=True, text=True, check=False)


if __name__ == "__main__":
    done = check(ROOT / "jsconfig.json")
    print(done.stdout, end="")
    sys.exit(done.returncode)
