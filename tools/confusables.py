"""Generate the table of confusable letters from Unicode's files: `python -m tools.confusables FOLDER`.

FOLDER holds `confusables.txt` (UTS #39), `DerivedCoreProperties.txt` and `LICENSE`, from `icu/source/data/unidata` in
ICU's source and the folder above. The table has only the letters that player names need, each with its look-alike.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).parents[1] / "src" / "leuthen" / "server" / "session" / "confusables.txt"
_PAIR: Final = re.compile(r"([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA")
_RANGE: Final = re.compile(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))? *; Default_Ignorable_Code_Point")


def make(confusables: str, properties: str, licence: str) -> str:
    """Return the text of the table: the licence, the invisible code points, and the look-alike of each letter."""
    version = re.search(r"^# Version: (.+)$", confusables, re.MULTILINE)
    if version is None:
        raise ValueError("confusables.txt names no version")
    sources = defaultdict[str, list[str]](list)
    for source, target in _PAIR.findall(confusables):
        sources[target.strip()].append(source)
    ignorable = ["-".join(filter(None, pair)) for pair in _RANGE.findall(properties)]
    head = [
        f"Made by tools/confusables.py from Unicode's data, version {version[1].strip()}.",
        "",
        *licence.splitlines(),
    ]
    lines = [f"# {line}".rstrip() for line in head]
    lines.append("ignorable: " + " ".join(ignorable))
    lines += [f"{target}: {' '.join(found)}" for target, found in sorted(sources.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    folder = Path(sys.argv[1])
    names = ("confusables.txt", "DerivedCoreProperties.txt", "LICENSE")
    confusables, properties, licence = ((folder / name).read_text(encoding="utf-8-sig") for name in names)
    end = licence.index("SPDX-License-Identifier")
    TABLE.write_text(make(confusables, properties, licence[:end].strip()), encoding="utf-8")


if __name__ == "__main__":
    main()
