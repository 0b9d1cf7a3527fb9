"""What a person is asked in a war, counted in games of machines: `python -m tools.usability RULESET GAMES BOT …`.

Every answer of a side that is asked counts as one decision. What the table answers by itself is taken off, and so is a
halt that could have been ordered with its march (`Form.halts`), where the other side did nothing but decline to react.
What a side may leave at one stroke (its answers in a turn that leave everything as it is, without another between them)
counts once, and not at all if it could have been left with the order before it: no die fell in between, and the other
side did nothing. What the other side does meanwhile might end such a stroke earlier, so that figure is the least. A
handover is a decision before which the other side had one: so often a player who plays by link has to come back to the
table. With a standing instruction (`CLAUSES`) those do not count to which it gives the same answer.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Final

from leuthen.bots import make_player
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import CHANCE, SIDES, Pending, Ruleset, Side
from leuthen.engine.seat import Answer, Look, Player
from leuthen.engine.standing import Surprise, answer_from
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table

CLAUSES: Final = ("ignore", "join never", "losses", "feed always", "hold other")
"""What a side says beforehand that wants to be left alone while the other one moves."""
IDLE: Final = "done and halt"
KINDS: Final = 24
"""So many kinds of what is asked are listed."""


class Counting:
    """A machine whose answers are counted."""

    def __init__(self, seat: Player, side: Side, table: Table, counts: Counter[str], kinds: Counter[str]) -> None:
        self.seat, self.side, self.table, self.counts = seat, side, table, counts
        self.kinds = kinds
        self.hands: dict[str, int] = {}
        """Who was asked last, by hand and with standing instructions: both machines of a game share it."""
        self._last: object = None
        self._date: object = None
        self._halts: frozenset[str] = frozenset()
        """How the march could end that was ordered last."""
        self._since = -1
        """How many actions counted after its last answer, and after its last order of this turn."""
        self._ordered = -1

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        """Its answer."""
        table, counts = self.table, self.counts
        date = table.ruleset.date(table.state)
        if date != self._date:
            counts["turns"] += 1
            self._ordered = -1
        is_forced = table.ruleset.forced(table.state, self.side) is not None
        answer = self.seat.choose(look, legal, pending)
        is_idle = getattr(answer, "IDLE", False)
        if not is_forced:
            counts["with the march"] += self._goes_along(answer)
            self._hand_over("handovers")
            if answer != self._instructed(look, legal):
                self._hand_over("handovers with instructions")
        self._remember(answer)
        counts["decisions"] += 1
        counts["by itself"] += is_forced
        counts[IDLE] += is_idle
        counts["idle and asked"] += is_idle and not is_forced
        if not is_forced:
            self.kinds[
                f"{pending.decision} ({pending.rule}): {'left as it is' if is_idle else 'something ordered'}"
            ] += 1
            begins = is_idle and self._last != date
            counts["strokes"] += begins
            counts["strokes with an order"] += begins and self._is_quiet_since(self._ordered)
            self._last = date if is_idle else None
            if not is_idle:
                self._ordered = len(table.log) + 1
        self._date = date
        return answer

    def _hand_over(self, what: str) -> None:
        """The side is asked, and counts as handed the table if the other one had it."""
        self.counts[what] += self.hands.get(what, self.side) != self.side
        self.hands[what] = self.side

    def _instructed(self, look: Look, legal: LegalSet) -> Action | Surprise | None:
        """What a standing instruction would answer."""
        standing = self.table.ruleset.standing
        return answer_from(standing, look(), legal, CLAUSES) if standing is not None else None

    def _goes_along(self, answer: Answer) -> bool:
        """Whether the answer could have been ordered with the march before it."""
        table = self.table
        if not self._is_quiet_since(self._since) or not isinstance(answer, Action):
            return False
        return table.ruleset.format_action(table.state, self.side, answer) in self._halts

    def _is_quiet_since(self, since: int) -> bool:
        """Whether since so many actions no die has fallen, and the other side has left everything as it was."""
        return 0 <= since <= len(self.table.log) and all(
            counted.actor != CHANCE and (counted.actor == self.side or counted.action.IDLE)
            for counted in self.table.log[since:]
        )

    def _remember(self, answer: Answer) -> None:
        """How a march may be ordered to end, if the answer is one."""
        table, presenter = self.table, self.table.ruleset.presenter
        self._since = len(table.log) + 1
        self._halts = frozenset()
        if isinstance(answer, Action) and getattr(answer, "path", False):
            chosen = presenter.choices(table.state, self.side, answer)
            self._halts = frozenset(way.token for way in presenter.form(table.state, self.side, chosen).halts)


def count(ruleset: Ruleset, bot: str, games: int, options: dict[str, str]) -> tuple[Counter[str], Counter[str]]:
    """The counts of so many games, both sides together, and what was asked by kind."""
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for index in range(games):
        key = Key.from_seed("usability", index)
        table = Table(ruleset, ruleset.new_game(next(iter(ruleset.scenarios)), options))
        bots = [make_player(bot, ruleset, side, key.thinking(ruleset.sides[side])) for side in SIDES]
        seats = [Counting(bot, side, table, counts, kinds) for side, bot in zip(SIDES, bots, strict=True)]
        seats[1].hands = seats[0].hands
        Game(table, seats, key.dice()).play()
    return counts, kinds


def report(counts: Counter[str], kinds: Counter[str]) -> str:
    """The counts as a few lines."""
    asked, turns = counts["decisions"], counts["turns"]
    left = asked - counts["by itself"]
    along = counts["with the march"]
    idle = counts["idle and asked"]
    chosen = left - idle
    alone = counts["strokes"] - counts["strokes with an order"]
    lines = [
        f"answers of a side: {asked}, {asked / turns:.1f} a turn; done and halt {counts[IDLE] / asked:.0%}",
        f"by itself {counts['by itself'] / asked:.1%}; asked {left / turns:.1f} a turn,"
        f" of these done and halt {idle / left:.0%}",
        f"halts ordered with the march {along / left:.1%}; asked then {(left - along) / turns:.1f} a turn,"
        f" of these done and halt {(idle - along) / (left - along):.0%}",
        f"what is left at one stroke counted once: {(chosen + counts['strokes']) / turns:.1f} a turn,"
        f" of these strokes {counts['strokes'] / (chosen + counts['strokes']):.0%}",
        f"what is left with the order before it counted not at all: {(chosen + alone) / turns:.1f} a turn,"
        f" of these strokes {alone / (chosen + alone):.0%}",
        f"handovers {counts['handovers'] / turns:.1f} a turn, with standing instructions"
        f" {counts['handovers with instructions'] / turns:.1f}",
    ]
    lines += [f"{number / left:6.1%} {number / turns:6.2f} a turn  {kind}" for kind, number in kinds.most_common(KINDS)]
    return "\n".join(lines)


if __name__ == "__main__":
    name, games, bot, *given = sys.argv[1:]
    print(report(*count(load(name), bot, int(games), dict(word.split("=", 1) for word in given))))
