"""Compares a game as it is stored with what its proof has bound: what was changed behind the server's back is named."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.play.accountable import protocol
from leuthen.play.accountable.signing import Signer

_OPENING: Final = 4
"""Lines that begin a proof."""


class NotBound(Invalid):
    """What is stored is not what the proof has bound.

    `line` is that of the record, from 1; 0 where the proof itself was changed, or a key. The message tells no secret.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def expect_bound(
    game: str, secret: bytes, signing: bytes, proof: Sequence[str], lines: Sequence[tuple[int, str, str]]
) -> None:
    """Raises NotBound for the first stored line that differs from what its proof has bound.

    `secret` is that of the dice, `signing` the server's own key; each line is its number from 0, an actor and a text.
    The header and the first block, which binds it, are left to the ledger.
    """
    key = Signer(signing).public if len(signing) == len(secret) else ""
    if list(proof[1 : _OPENING - 1]) != [f"commit {protocol.seal_secret(secret, game)}", f"key {key}"]:
        raise NotBound("the keys are not those of its proof")
    bound = [line.split(" ", 3) for line in proof[_OPENING:] if line.startswith("line ")]
    for number, (words, line) in enumerate(zip_longest(bound, lines), 1):
        if words is None or line is None:
            what = "missing" if line is None else "not in its proof"
            raise NotBound(f"line {number} of its record is {what}", number)
        at, actor, text = line
        ours = ["line", str(number), protocol.commit_line(secret, game, number, actor, text)]
        if at != number - 1 or words[:3] != ours:
            raise NotBound(f"line {number} of its record is not what was sealed when it was given", number)
    _expect_blocks(proof[_OPENING:])


def _expect_blocks(proof: Sequence[str]) -> None:
    """Each block after the first binds the lines above it."""
    number, head, body = 0, "", list[str]()
    for at, line in enumerate(proof, _OPENING + 1):
        if not line.startswith("block "):
            body.append(line)
            continue
        words, number = line.split(" ", 4), number + 1
        said = " ".join(words[4:])
        if number > 1 and words[1:3] != [str(number), protocol.next_head(number, head, protocol.body_of(body), said)]:
            raise NotBound(f"line {at} of its proof was changed, or one of the lines that it binds")
        head, body = words[2] if len(words) > 2 else "", []
