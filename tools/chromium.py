"""Chromium on this machine, for tests, benchmarks and screenshots."""

from __future__ import annotations

import shutil
from typing import Final

PROGRAM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_shell() -> str:
    """Return the path of the headless shell, which opens a page in half the time, or else of Chromium."""
    return shutil.which(f"{PROGRAM_NAMES[0]}-headless-shell") or find_chromium()


def find_chromium() -> str:
    """Return the path of Chromium. Raise FileNotFoundError, naming the package to install, if it is missing."""
    for name in PROGRAM_NAMES:
        if found := shutil.which(name):
            return found
    raise FileNotFoundError(
        "Chromium is missing: sh tools/setup.sh dev installs it for root on Debian (otherwise: apt install chromium)"
    )
