"""What a person is asked in a war, counted in games of machines: `python -m tools.usability RULESET GAMES BOT …`.

Every answer of a side that is asked counts as one decision. What the table answers by itself is taken off, and what a
side may leave at one stroke (its answers in a turn that leave everything as it is, without another between them) counts
once. What the other side does meanwhile might end such a stroke earlier, so the last figure is the least.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Final

from leuthen.bots import make_player
from leuthen.engine.choice import LegalSet
from leuthen.engine.ruleset import Pending, Ruleset
from leuthen.engine.seat import Answer, Look, Seat
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table

IDLE: Final = "done and halt"
KINDS: Final = 24
"""So many kinds of what is asked are listed."""


class Counting:
    """A machine whose answers are counted."""

    def __init__(self, seat: Seat, side: int, table: Table, counts: Counter[str], kinds: Counter[str]) -> None:
        self.seat, self.side, self.table, self.counts = seat, side, table, counts
        self.kinds = kinds
        self._last: object = None
        self._date: object = None

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        """Its answer."""
        table, counts = self.table, self.counts
        date = table.ruleset.date(table.state)
        if date != self._date:
            counts["turns"] += 1
        is_forced = table.ruleset.forced(table.state, self.side) is not None
        answer = self.seat.choose(look, legal, pending)
        is_idle = getattr(answer, "IDLE", False)
        counts["decisions"] += 1
        counts["by itself"] += is_forced
        counts[IDLE] += is_idle
        counts["idle and asked"] += is_idle and not is_forced
        if not is_forced:
            self.kinds[
                f"{pending.decision} ({pending.rule}): {'left as it is' if is_idle else 'something ordered'}"
            ] += 1
            counts["strokes"] += is_idle and self._last != date
            self._last = date if is_idle else None
        self._date = date
        return answer


def count(ruleset: Ruleset, bot: str, games: int, options: dict[str, str]) -> tuple[Counter[str], Counter[str]]:
    """The counts of so many games, both sides together, and what was asked by kind."""
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for index in range(games):
        key = Key.from_seed("usability", index)
        table = Table(ruleset, ruleset.new_game(next(iter(ruleset.scenarios)), options))
        bots = [make_player(bot, ruleset, side, key.thinking(ruleset.sides[side])) for side in (0, 1)]
        seats = [Counting(bot, side, table, counts, kinds) for side, bot in enumerate(bots)]
        Game(table, seats, key.dice()).play()
    return counts, kinds


def report(counts: Counter[str], kinds: Counter[str]) -> str:
    """The counts as a few lines."""
    asked, turns = counts["decisions"], counts["turns"]
    left = asked - counts["by itself"]
    chosen = left - counts["idle and asked"]
    lines = [
        f"answers of a side: {asked}, {asked / turns:.1f} a turn; done and halt {counts[IDLE] / asked:.0%}",
        f"by itself {counts['by itself'] / asked:.1%}; asked {left / turns:.1f} a turn,"
        f" of these done and halt {counts['idle and asked'] / left:.0%}",
        f"what is left at one stroke counted once: {(chosen + counts['strokes']) / turns:.1f} a turn,"
        f" of these strokes {counts['strokes'] / (chosen + counts['strokes']):.0%}",
    ]
    lines += [f"{number / left:6.1%} {number / turns:6.2f} a turn  {kind}" for kind, number in kinds.most_common(KINDS)]
    return "\n".join(lines)


if __name__ == "__main__":
    name, games, bot, *given = sys.argv[1:]
    print(report(*count(load(name), bot, int(games), dict(word.split("=", 1) for word in given))))
