"""What each version of the rules did, in figures: the ledger that no change of rules or data can pass by.

A line names a rule set, its version, its newest ruling and the digest of its data; what the golden games and the counts
of perft came to with them; and why they were written down. The last line of a rule set is that of today.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.engine.ruleset import RULINGS
from leuthen.load import load

HERE = Path(__file__).parent
PERFT: Final = HERE.parent / "perft"
LEDGER: Final = HERE / "ledger.txt"
RESERVE: Final = "no rule has changed:"
"""With these words a reason begins that has to do with the golden games alone."""
HEAD: Final = (
    "# rule set, version, newest ruling, data, what the games and counts came to, why; `make golden` adds lines\n"
)


class Entry(NamedTuple):
    """A line of the ledger. `did` is the digest of the golden games' turns and of the counts of perft."""

    ruleset: str
    version: str
    ruling: str
    data: str
    did: str
    why: str

    @property
    def meaning(self) -> tuple[str, str, str]:
        """What games are played by: if it is the same, they must go the same way with the same data."""
        return self.ruleset, self.version, self.ruling


def entries(path: Path = LEDGER) -> list[Entry]:
    """All lines, oldest first."""
    rows = (line.split(maxsplit=5) for line in path.read_text().splitlines() if not line.startswith("#"))
    return [Entry(*row) for row in rows]


def last(ruleset: str, path: Path = LEDGER) -> Entry:
    """The newest line of a rule set."""
    return [entry for entry in entries(path) if entry.ruleset == ruleset][-1]


def present(ruleset: str, why: str = "") -> Entry:
    """The line of a rule set as it is now, by the games and counts on file."""
    door = load(ruleset)
    return Entry(ruleset, door.version, door.options[RULINGS][0], door.digest, digest_on_file(ruleset), why)


def digest_on_file(ruleset: str) -> str:
    """Of the golden games' turns and the counts of perft."""
    files = [*sorted((HERE / ruleset).glob("*.txt")), PERFT / ruleset / "numbers.txt"]
    whole = blake2b(digest_size=8)
    for path in files:
        whole.update(path.name.encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def missing(now: Entry, before: Entry, why: str) -> str:
    """What is missing before `now` may follow `before` in the ledger, or ""."""
    if not why.strip():
        return 'say why the games are renewed: make golden WHY="…"'
    is_same = (now.meaning, now.data) == (before.meaning, before.data)
    if is_same and now.did != before.did and not why.startswith(RESERVE):
        return (
            f"{now.ruleset} plays otherwise, and neither its version, nor a ruling, nor its data are others: make "
            f"one of these; or begin WHY with «{RESERVE}» if only the games on file are others"
        )
    return ""


def add(new: Iterable[Entry], path: Path = LEDGER) -> None:
    """Adds lines at the end."""
    kept = entries(path)
    lines = [*kept, *(entry for entry in new if entry[:5] not in [old[:5] for old in kept])]
    path.write_text(HEAD + "".join(f"{' '.join(entry)}\n" for entry in lines))
