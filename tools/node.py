"""Run the client's tools on Node: `python -m tools.node biome check`, or `tsc -p jsconfig.json`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
MODULES: Final = ROOT / ".venv" / "node_modules"
TOOLS: Final[Mapping[str, Path]] = {
    "biome": MODULES / "@biomejs" / "biome" / "bin" / "biome",
    "tsc": MODULES / "typescript" / "bin" / "tsc",
}


def find_node() -> str:
    """Return the path of Node. Raise FileNotFoundError, with installation instructions, if it is missing."""
    node = shutil.which("node") or shutil.which("node", path=ROOT / ".venv" / "bin")
    if node is None:
        raise FileNotFoundError("Node is missing: sh tools/setup.sh dev installs it")
    return node


def command(tool: str, *arguments: str | Path) -> list[str]:
    """Return the command line of a tool. Raise FileNotFoundError, with installation instructions, if it is missing."""
    if not TOOLS[tool].exists():
        raise FileNotFoundError(f"{tool} is missing: sh tools/setup.sh dev installs it")
    return [find_node(), str(TOOLS[tool]), *map(str, arguments)]


if __name__ == "__main__":
    sys.exit(subprocess.run(command(*sys.argv[1:]), cwd=ROOT, check=False).returncode)
