"""`python -m leuthen` and the command `leuthen`."""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Final

UNWRITABLE: Final = {errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT}
"""errors of an output that is full or closed"""
WRONG: Final = 2


def main() -> int:
    """Run the command line and return its exit code: 2 with a message if standard output is full or closed."""
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    if sys.stdout is None:
        return _print_error("standard output is closed")
    try:
        try:
            return _run(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        return 0
    except OSError as error:
        if error.filename is not None or error.errno not in UNWRITABLE:
            raise
        _forget_output()
        return _print_error(f"standard output cannot be written: {error.strerror}")


def _run(argv: list[str]) -> int:
    if argv in (["--version"], ["-V"]):
        from leuthen import __version__

        print(f"leuthen {__version__}")
        return 0
    from leuthen.cli import run

    return run(argv)


def _forget_output() -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_error(reason: str) -> int:
    with suppress(OSError, AttributeError):
        sys.stderr.write(f"leuthen: {reason}\n")
        sys.stderr.flush()
    return WRONG


if __name__ == "__main__":
    sys.exit(main())
