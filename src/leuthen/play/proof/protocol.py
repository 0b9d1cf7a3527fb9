"""The words of the protocol: every hash, commitment, die and checkpoint, each a pure function of text; and who makes
them, a seat's chain of links and a server's signature.

docs/proof.md is the contract; `verifiers/` holds two readings of it that share no code with this one.
Words are SHA-256 in 64 hexadecimal digits.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Sequence
from itertools import count
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from leuthen.engine.refusal import Invalid

NO_LINK: Final = "-"
"""Stands for the link of a seat without a chain."""
CHAIN_LENGTH: Final = 4096
"""Links of a chain that a device makes."""
LONGEST_CHAIN: Final = 65536
_BITS: Final = 256
BETWEEN: Final = ";"
"""Stands between the answers that a draw may have."""
_WORD: Final = re.compile(r"[0-9a-f]{64}")
_ASCII: Final = re.compile(r"[!-~]+(?: [!-~]+)*")
_VISIBLE: Final = "LMPS"
"""Letters, marks, punctuation and symbols: of other scripts' characters these alone; digits are ASCII."""


def is_word(text: str) -> bool:
    """Whether this is a link, a head or another word of 64 hexadecimal digits."""
    return _WORD.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Whether a text is written in the one way that is accepted: visible characters, and one space between words.

    Digits are ASCII, and letters with marks are one character where Unicode has one (NFC).
    """
    if text.isascii():
        return _ASCII.fullmatch(text) is not None
    words = text.split(" ")
    is_visible = all(
        "!" <= sign <= "~" or (sign > "\x7f" and unicodedata.category(sign)[0] in _VISIBLE) for sign in "".join(words)
    )
    return all(words) and is_visible and unicodedata.is_normalized("NFC", text)


def digest(*parts: str) -> str:
    """The hash of some text, its parts joined by line ends."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def keyed(secret: bytes, *parts: str) -> bytes:
    """The hash of some text with the game's secret as the key."""
    return hmac.digest(secret, "\n".join(parts).encode(), "sha256")


def seal_secret(secret: bytes, game: str) -> str:
    """What is told of a game's secret before it is opened."""
    return digest("secret", game, secret.hex())


def before(link: str) -> str:
    """The link of a chain before this one, which was told already."""
    return digest("link", link)


def number_at(secret: bytes, game: str, place: int, links: tuple[str, str], cases: int) -> int:
    """What falls at a place: an even draw from 0 to `cases` - 1, with 1 to 2^256 - 1 cases. Raises ValueError."""
    if not 1 <= cases < 1 << _BITS:
        raise ValueError(f"cannot draw one of {cases}")
    limit = (1 << _BITS) // cases * cases
    for counter in count():
        number = int.from_bytes(keyed(secret, "die", game, str(place), str(counter), *links))
        if number < limit:
            return number % cases
    raise AssertionError


def commit_line(secret: bytes, game: str, number: int, actor: str, text: str) -> str:
    """The commitment to line `number` of the record, counted from 1."""
    return keyed(secret, "line", game, f"{number} {actor} {text}").hex()


def commit_end(words: str) -> str:
    """What the proof says of the record's outcome."""
    return digest("end", words)


def genesis(header: Sequence[str], proof: Sequence[str]) -> str:
    """The head of a game in which nothing has happened: of the lines that begin its record and its proof."""
    return digest("genesis", *header, *proof)


def body_of(lines: Sequence[str]) -> str:
    """What is told of the lines that a block binds."""
    return digest("body", *lines)


def next_head(number: int, head: str, body: str, waits: str = "") -> str:
    """The head of block `number`, after `head`. `waits` is "PLACE SIDE" if chance waits for a link then."""
    return digest("block", str(number), head, body, waits)


def first_own(side: str) -> str:
    """The own head of a seat that has asked for nothing yet."""
    return digest("own", side)


def next_own(side: str, number: int, own: str, group: Sequence[str]) -> str:
    """The own head of a seat after its group `number` of proof lines."""
    return digest("own", side, str(number), own, digest("group", *group))


def checkpoint(game: str, blocks: int, head: str, seat: tuple[str, int, str] | None = None) -> str:
    """The text that is signed: of all, or for a seat with its side, the number of its groups, and its own head."""
    lines = ["leuthen checkpoint 1", f"game {game}", f"blocks {blocks} {head}"]
    if seat is not None:
        lines.append("seat {} {} {}".format(*seat))
    return "\n".join(lines) + "\n"


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


class Signer:
    """A server's key. It shows itself to nobody: `repr` hides it."""

    __slots__ = ("_key", "public")

    def __init__(self, secret: bytes) -> None:
        """`secret` is 32 bytes, kept where only the server reads them."""
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """The signature of a checkpoint, 128 hexadecimal digits."""
        return self._key.sign(text.encode()).hex()

    def __repr__(self) -> str:
        return "Signer(hidden)"


def is_signed(public: str, text: str, signature: str) -> bool:
    """Whether the owner of a public key has signed this text; False as well for what is no key or signature."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True
