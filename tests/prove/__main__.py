"""Run the slow proofs, all or by name, and resume after an interruption: `make prove`.

The exit code is 0 if all hold, and 1 otherwise.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.prove import ledger
from tests.prove.proofs import HOME, PROOFS, Proof, Result

FOLDER = HOME / "build" / "prove"


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="make prove", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROOFS))
    parser.add_argument("--parts", type=int, default=sys.maxsize, help="the maximum number of parts per proof")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the folder of the results")
    given = parser.parse_args(words)
    if unknown := set(given.names) - set(PROOFS):
        parser.error(f"unknown proof {', '.join(sorted(unknown))}; known: {', '.join(PROOFS)}")
    given.folder.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    return int(sum([run_proof(name, given.folder, given.parts, console) for name in given.names or PROOFS]) > 0)


def run_proof(name: str, folder: Path, most: int, console: Console) -> int:
    proof, path = PROOFS[name], folder / f"{name}.jsonl"
    parts = min(proof.parts, most)
    found = {part: line for part, line in ledger.finished_parts(path).items() if part < parts}
    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(name, total=parts, completed=len(found))
        for part in sorted(set(range(parts)) - set(found)):
            found[part] = run_part(proof, folder, part)
            ledger.store_result(path, part, found[part])
            progress.advance(task)
    faults = {part: line for part, line in sorted(found.items()) if line["fault"]}
    for part, line in faults.items():
        console.print(f"{name}, part {part}: {line}", markup=False, highlight=False)
    return len(faults)


def run_part(proof: Proof, folder: Path, part: int) -> Result:
    try:
        return proof.one(folder, part)
    except Exception as error:
        return {"fault": f"the proof breaks off with {type(error).__name__}: {error}"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
