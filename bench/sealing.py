"""Benchmarks of the proof that accompanies an order: link, shared die, bound lines, and receipt."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from bench.measure import Figure, measure
from leuthen.engine.ruleset import CHANCE
from leuthen.load import load
from leuthen.play.proof.ledger import CORRESPONDENCE
from leuthen.play.proof.protocol import Chain
from leuthen.play.record import Header
from leuthen.server.session import messages
from leuthen.server.session.history import GameHistory, GameTransaction, RecordLine
from leuthen.server.session.seal import GameSeal, begin

_DIE = tuple((face, Fraction(1, 6)) for face in range(1, 7))
LONG_GAME = 2000
"""Orders before the measurement of a long game."""


def sealing_figures() -> Iterator[Figure]:
    """Time an order with a die at the start and late in a long game."""
    yield measure("an order's seal", Orders().give)
    late = Orders()
    for _ in range(LONG_GAME):
        late.give()
    yield measure("an order's seal, late", late.give)


class Orders:
    """Successive orders of one seat, each with a die, reduced to their proof."""

    def __init__(self) -> None:
        ruleset = load("frederick")
        self._transaction = GameTransaction(GameHistory(ruleset, ruleset.new_game("campaign", {})))
        self._transaction.lines = [RecordLine(0, "march Frederick 2941 2942 with 12"), RecordLine(CHANCE, "roll 3")]
        sides = ruleset.sides
        header = Header("frederick", "2", "campaign", "0", {}, dict.fromkeys(sides, "human"), "bench")
        self._seal: GameSeal = begin(bytes(32), bytes(range(32)), header, sides, CORRESPONDENCE)
        self._begin_chain()
        self._place = 0

    def _begin_chain(self) -> None:
        self._chain = Chain.fresh()
        given = messages.NewChain(self._chain.top, self._chain.length)
        self._seal.accept(self._seal.sealing(self._transaction).give_chain(0, given))

    def give(self) -> float:
        """Seal an order and sign its receipt."""
        ledger = self._seal.ledger
        number = ledger.chains[ledger.sides[0]][-1].given + 1
        if number > self._chain.length:
            self._begin_chain()
            number, ledger = 1, self._seal.ledger
        chains = len(ledger.chains[ledger.sides[0]])
        share = messages.Share(chains, number, self._chain.link(number), ledger.blocks, ledger.head)
        tried = self._seal.sealing(self._transaction)
        tried.asked(0, share)
        tried.outcome_at(self._place, _DIE)
        tried.finish(is_told=True, end="")
        self._place += 1
        self._seal.accept(tried)
        self._transaction.history.record.extend(self._transaction.lines)
        self._seal.status(0)
        self._seal.status(1)
        return 1
