"""Wars to make reports on: captains on both sides, of whom Prussia's gives an order at random now and then."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.bots import make_player
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import SIDES, Pending, Ruleset
from leuthen.engine.seat import Answer, Look, Player
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.record import Recorded, parse, text_of
from leuthen.play.table import Step, Table, end_words, header_of
from leuthen.report.sampling import SEED
from leuthen.wargame.search import Stream

PLACE: Final = Path("war.leuthen")
QUICK: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "frederick": ("campaign", {"last-year": "1757"}),
    "campaigns": ("prague", {}),
}
"""By rule set, what is played for most proofs: scenario and options."""
LONG: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {"frederick": ("campaign", {}), "campaigns": ("1757", {})}
"""What is played to see how long a report takes."""


class War(NamedTuple):
    """A war: its record, and the lines of it that were planted: given at random, and not what the captain would do."""

    recorded: Recorded
    planted: frozenset[int]


class Erring:
    """A player who gives an order at random now and then."""

    def __init__(self, player: Player, often: float, seed: int) -> None:
        self._player = player
        self._often = often
        self._rng = Stream(seed)
        self.errs = False
        """Whether the last order was at random, and another than the player's."""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        """The player's order, or one at random."""
        answer = self._player.choose(look, legal, pending)
        if self._rng.random() >= self._often:
            self.errs = False
            return answer
        at_random: Action = legal.sample(self._rng)
        self.errs = at_random != answer
        return at_random


class Lines:
    """The lines of a record while it is written, and which of them were planted."""

    def __init__(self, erring: Erring) -> None:
        self.lines: list[tuple[str, str]] = []
        self.planted: set[int] = set()
        self._erring = erring

    def write(self, actor: str, text: str) -> None:
        """Keeps a line."""
        self.lines.append((actor, text))

    def acted(self, step: Step) -> None:
        """Notes whether the order was planted."""
        if step.actor == 0 and self._erring.errs:
            self.planted.add(len(self.lines))

    def undone(self, step: Step) -> None:
        """Nobody takes anything back here."""

    def stood(self, steps: object) -> None:
        """Nothing more."""


def played(name: str, number: int, often: float = 0.1, begun: tuple[str, Mapping[str, str]] | None = None) -> War:
    """The war of a number of a rule set; the same number gives the same war.

    The captains' own seed is that of the staff who judges them, so that both choose the same of what is nearly equal.
    """
    ruleset: Ruleset = load(name)
    key, (scenario, options) = Key.from_seed("report", number), begun or QUICK[name]
    seats = [make_player("captain", ruleset, side, SEED) for side in SIDES]
    erring = Erring(seats[0], often, number)
    lines = Lines(erring)
    table = Table(ruleset, ruleset.new_game(scenario, options), record=lines, observers=[lines])
    Game(table, [erring, seats[1]], key.dice()).play()
    header = header_of(ruleset, scenario, options, ("human", "captain"), game="g1")
    record = text_of(header, lines.lines, end_words(table))
    return War(parse(PLACE, record.encode()), frozenset(lines.planted))
