"""The browser of this machine: for tests, figures and pictures of the table."""

from __future__ import annotations

import shutil
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
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
    """The same browser without windows, if it is installed: a page opens in half the time. Else the whole one."""
    return shutil.which(f"{NAMES[0]}-headless-shell") or find_chromium()


def find_chromium() -> str:
    """Where it is. Raises FileNotFoundError, saying what to install, where there is none."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise FileNotFoundError(
        "Chromium is missing: sh tools/setup.sh dev installs it for root on Debian (otherwise: apt install chromium)"
    )
