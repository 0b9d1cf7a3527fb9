"""Write or compare wire snapshots and bot decisions: `python -m tests.judge make|check [wire|bots] [--dump DIR]`."""

import argparse
import gzip
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.judge.decisions import decisions
from tests.judge.wire import snapshots

HERE = Path(__file__).parent


def found(kind: str, dump: Path | None) -> Iterator[tuple[str, list[str]]]:
    if kind == "bots":
        yield from decisions()
        return
    with TemporaryDirectory() as folder:
        yield from snapshots(Path(folder), dump)


def first_difference(before: list[str], now: list[str]) -> str:
    for number, (one, other) in enumerate(zip_longest(before, now, fillvalue="(no more)"), 1):
        if one != other:
            return f"line {number}:\n  was {one[:400]}\n  is  {other[:400]}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.judge", description=__doc__)
    parser.add_argument("do", choices=("make", "check"))
    parser.add_argument("kinds", nargs="*", choices=("wire", "bots"), default=["wire", "bots"])
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write every answer in full, to compare two versions")
    args = parser.parse_args()
    wrong = 0
    for kind in args.kinds:
        for name, lines in found(kind, args.dump):
            path = HERE / kind / f"{name}.gz"
            if args.do == "make":
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
                print(f"{kind} {name}: {len(lines)} lines", flush=True)
                continue
            differs = first_difference(gzip.decompress(path.read_bytes()).decode().split("\n"), lines)
            wrong += bool(differs)
            print(f"{kind} {name}: {differs or 'equal'}", flush=True)
    return min(wrong, 100)


if __name__ == "__main__":
    sys.exit(main())
