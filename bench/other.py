"""Benchmarks outside the rules: dice, proofs, and program start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from tempfile import TemporaryDirectory

from bench.measure import Figure, measure
from leuthen.play.dice import Key
from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import CORRESPONDENCE, DeviceLink, Ledger, SharedDice, opening_lines
from leuthen.play.proof.protocol import Chain, Signer

_DIE = tuple((face, Fraction(1, 6)) for face in range(1, 7))
_SIDES = ("prussia", "austria")
_ORDERS = 3000
"""Orders in the long game."""


def other_figures() -> Iterator[Figure]:
    """Time dice, proofs and starts."""
    dice = Key.from_seed("bench").dice()
    yield measure("a die of the stream", lambda: sum(bool(dice.pick(_DIE)) for _ in range(1000)))
    game = ProvedGame()
    yield measure(f"an order's proof, after {_ORDERS}", game.bind)
    for argv in (["--version"], ["bots"], ["scenarios"], ["rules", "O5.3"]):
        yield measure(f"start: leuthen {' '.join(argv)}", partial(_start, argv), 0.5)

    yield measure("start: a game up to its first prompt", _first_prompt, 1.0)


def _first_prompt() -> float:
    with TemporaryDirectory() as folder:
        return _start(["play", "--austria", "random", "--record", f"{folder}/game"])


def _start(argv: list[str]) -> float:
    quiet = subprocess.DEVNULL
    subprocess.run([sys.executable, "-m", "leuthen", *argv], check=True, stdin=quiet, stdout=quiet)
    return 1


class ProvedGame:
    """A long game with a proof: it binds an order with two dice, and signs it for both seats and the gallery."""

    def __init__(self) -> None:
        self.secret, self.signer, self.chain = bytes(32), Signer(bytes(32)), Chain("0" * 64, _ORDERS + 1)
        opening = opening_lines(protocol.seal_secret(self.secret, "g"), self.signer.public, CORRESPONDENCE)
        self.ledger = Ledger(["leuthen record 1"], "g", _SIDES, opening)
        self.ledger.give_chain("prussia", self.chain.top, self.chain.length, "first")
        for number in range(_ORDERS):
            self._order(self.ledger, number)

    def bind(self) -> float:
        """Bind another order on a copy."""
        twin = self.ledger.copy()
        self._order(twin, _ORDERS)
        return float(sum(bool(self.signer.sign(twin.checkpoint(side))) for side in ("", *_SIDES)) > 0)

    def _order(self, ledger: Ledger, number: int) -> None:
        link = DeviceLink(1, number + 1, self.chain.link(number + 1), ledger.blocks, ledger.head)
        ledger.give_link("prussia", link)
        dice = SharedDice(self.secret, "g", ledger.links_at)
        for line, place in ((3 * number + 1, None), (3 * number + 2, 2 * number), (3 * number + 3, 2 * number + 1)):
            cases = 0 if place is None else 6
            if place is not None:
                dice.outcome_at(place, _DIE)
            ledger.add_line(line, protocol.commit_line(self.secret, "g", line, "prussia", "roll 1"), place, cases)
        ledger.close()
