"""Selection of slow tests: `make test` runs a sixteenth of them, chosen by the commit; `python -m tests.slow JUNIT.xml`
lists them.

tests/slow.txt has one test per line, without parameters. `make check`, `make prove` and runs of named files include all
of them.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from zlib import crc32

from tests.prove.sample import commit_seed

LIST: Final = Path(__file__).with_suffix(".txt")
SECONDS: Final = 0.8
SHARE: Final = 16


def skipped_tests(names: Sequence[str], args: Sequence[str]) -> set[str]:
    """Return the tests that this run skips."""
    if not os.environ.get("LEUTHEN_SAMPLE") or any(".py" in arg for arg in args):
        return set()
    slow, seed = set(LIST.read_text(encoding="utf-8").split()), commit_seed()[0]
    found = (name for name in names if name.partition("[")[0] in slow)
    return {name for name in found if (crc32(name.encode()) + seed) % SHARE}


def slow_tests(report: Path) -> list[str]:
    """Return the tests of a report that take long, on average over their parameters."""
    seconds = defaultdict[str, list[float]](list)
    for case in ElementTree.parse(report).iter("testcase"):
        path = f"{case.attrib['classname'].replace('.', '/')}.py"
        seconds[f"{path}::{case.attrib['name'].partition('[')[0]}"].append(float(case.attrib["time"]))
    return sorted(name for name, found in seconds.items() if sum(found) / len(found) > SECONDS)


if __name__ == "__main__":
    LIST.write_text("".join(f"{name}\n" for name in slow_tests(Path(sys.argv[1]))), encoding="utf-8")
