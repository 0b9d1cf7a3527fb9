"""A seat's chain of links, as its own device makes and keeps it."""

from __future__ import annotations

import secrets

from leuthen.engine.refusal import Invalid
from leuthen.play.accountable.protocol import CHAIN_LENGTH, before


class Chain:
    """Links that only who made them can tell in advance. The seed is kept on the device and told to nobody."""

    def __init__(self, seed: str, length: int = CHAIN_LENGTH) -> None:
        """`seed` is a word of 64 hexadecimal digits."""
        links = [seed]
        for _ in range(length):
            links.append(before(links[-1]))
        self._links = links[::-1]

    @classmethod
    def fresh(cls, length: int = CHAIN_LENGTH) -> Chain:
        """A chain that nobody knows."""
        return cls(secrets.token_hex(32), length)

    @property
    def length(self) -> int:
        """How many links can be given after the top."""
        return len(self._links) - 1

    @property
    def top(self) -> str:
        """What is told first."""
        return self._links[0]

    def link(self, number: int) -> str:
        """Link `number`, from 1 to the chain's length. Raises Invalid when the chain is used up."""
        if not 0 <= number <= self.length:
            raise Invalid(f"this chain has {self.length} links, and no link {number}")
        return self._links[number]

    def __repr__(self) -> str:
        return "Chain(hidden)"
