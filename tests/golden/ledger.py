"""Ledger of rule versions: the digests of the golden games and the perft counts of each version.

A line has a rule set, its version and data digest, the results of the golden games and perft, and the reason for the
entry. The last line of a rule set is the current one.
"""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.load import load

HERE = Path(__file__).parent
PERFT: Final = HERE.parent / "perft"
LEDGER: Final = HERE / "ledger.txt"
HEAD: Final = "# rule set, version, data, what the games and counts came to, why; `make golden` adds lines\n"


class Entry(NamedTuple):
    ruleset: str
    version: str
    data: str
    did: str
    why: str


def entries(path: Path = LEDGER) -> list[Entry]:
    rows = (line.split(maxsplit=4) for line in path.read_text().splitlines() if not line.startswith("#"))
    return [Entry(*row) for row in rows]


def last_entry(ruleset: str, path: Path = LEDGER) -> Entry:
    return [entry for entry in entries(path) if entry.ruleset == ruleset][-1]


def current_entry(ruleset: str, why: str = "") -> Entry:
    rules = load(ruleset)
    return Entry(ruleset, rules.version, rules.digest, digest_on_file(ruleset), why)


def digest_on_file(ruleset: str) -> str:
    files = [*sorted((HERE / ruleset).glob("*.txt")), PERFT / ruleset / "numbers.txt"]
    whole = blake2b(digest_size=8)
    for path in files:
        whole.update(path.name.encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def add(new: Iterable[Entry], path: Path = LEDGER) -> None:
    kept = entries(path)
    lines = [*kept, *(entry for entry in new if entry[:4] not in [old[:4] for old in kept])]
    path.write_text(HEAD + "".join(f"{' '.join(entry)}\n" for entry in lines))
