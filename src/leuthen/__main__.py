"""`python -m leuthen` and the command `leuthen`."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the command line, or answers `--version` without it."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from leuthen import __version__

        print(f"leuthen {__version__}")
        return 0
    from leuthen.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
