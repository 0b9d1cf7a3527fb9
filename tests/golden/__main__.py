"""`make golden WHY="…"`: renews the golden games and the counts of perft, after a change of the rules that is meant.

It refuses without a reason, and puts all back if a rule set plays otherwise though neither its version, nor a ruling,
nor its data are others.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from leuthen.load import RULESETS
from tests.golden import games, ledger
from tests.perft import counting


def main(words: Sequence[str]) -> str:
    """Renews all; what was missing, or ""."""
    why, first = " ".join(words).strip(), ledger.last(next(iter(RULESETS)))
    if refusal := ledger.missing(first, first, why):
        return refusal
    before = _files()
    games.renew()
    counting.renew()
    found = [ledger.present(ruleset, why) for ruleset in RULESETS]
    if refused := [told for now in found if (told := ledger.missing(now, ledger.last(now.ruleset), why))]:
        for path, text in before.items():
            path.write_bytes(text)
        return "; ".join(refused) + ". Nothing is renewed."
    ledger.add(found)
    return ""


def _files() -> dict[Path, bytes]:
    """All that is renewed, as it is now."""
    folders = [root / ruleset for root in (games.HERE, counting.HERE) for ruleset in RULESETS]
    return {path: path.read_bytes() for folder in folders for path in folder.iterdir()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or None)
