"""`make keep`: keeps the data of a revision (HEAD if none is named) for the games that were begun with them.

Run it when data files are to change or have changed. They go into the folder `kept` of their rule set, under their
digest; what is there already stays.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from leuthen.load import RULESETS
from leuthen.wargame.data_files import digest_of

ROOT: Final = Path(__file__).parent.parent


def main(words: Sequence[str]) -> None:
    """Keeps the data of all rule sets as they were in a revision."""
    revision = next(iter(words), "") or "HEAD"
    for name, shelf in RULESETS.items():
        files = {key: text for folder in shelf.data for key, text in _files_of(revision, folder).items()}
        assert shelf.kept is not None
        kept = shelf.kept / digest_of(files)
        if not kept.exists():
            keep(kept, files)
            print(f"{name}: kept in {kept.relative_to(ROOT)}")


def keep(folder: Path, files: dict[str, str]) -> None:
    """Writes the files there."""
    for key, text in files.items():
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _files_of(revision: str, folder: Path) -> dict[str, str]:
    """The data files of a folder in a revision, by path within the folder."""
    under = folder.relative_to(ROOT).as_posix()
    names = _git("ls-tree", "-r", "--name-only", revision, f"{under}/").splitlines()
    return {
        name.removeprefix(f"{under}/"): _git("show", f"{revision}:{name}") for name in names if name.endswith(".csv")
    }


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout


if __name__ == "__main__":
    main(sys.argv[1:])
