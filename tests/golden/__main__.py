"""Update the golden games and perft counts after an intended rule change: `make golden WHY="…"`."""

import sys
from collections.abc import Sequence

from leuthen.load import RULESETS
from tests.golden import games, ledger
from tests.perft import counting


def main(words: Sequence[str]) -> str:
    why = " ".join(words).strip()
    if not why:
        return 'say why the games are renewed: make golden WHY="…"'
    refused = [game.record for game in games.RECORDS if games.play(game)[-1][0] == "refused"]
    if refused:
        return f"the rules refuse these records; take them away first: {', '.join(map(str, refused))}"
    games.renew()
    counting.renew()
    ledger.add(ledger.current_entry(ruleset, why) for ruleset in RULESETS)
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or None)
