"""The protocol's hashes, commitments, dice and checkpoints as pure functions of text; a seat's chain of links, and the
server's signature.

docs/proof.md is the specification; `verifiers/` has two independent implementations. Words are SHA-256 digests in 64
hexadecimal digits.
"""

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Sequence
from itertools import count
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from leuthen.engine.refusal import require

NO_LINK: Final = "-"  # replaces the link of a seat without a chain
CHAIN_LENGTH: Final = 4096  # number of links of a device's chain
LONGEST_CHAIN: Final = 65536
_BITS: Final = 256
BETWEEN: Final = ";"  # separates the possible answers of a draw
_WORD: Final = re.compile(r"[0-9a-f]{64}")
_ASCII: Final = re.compile(r"[!-~]+(?: [!-~]+)*")
_VISIBLE: Final = "LMPS"
"""Letters, marks, punctuation and symbols are the accepted non-ASCII characters; digits are ASCII."""


def is_word(text: str) -> bool:
    """Return whether a text has 64 hexadecimal digits."""
    return _WORD.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Return whether a text is canonical: visible characters with single spaces between words.

    Digits are ASCII, and text is in normal form NFC.
    """
    if text.isascii():
        return _ASCII.fullmatch(text) is not None
    words = text.split(" ")
    is_visible = all(
        "!" <= sign <= "~" or (sign > "\x7f" and unicodedata.category(sign)[0] in _VISIBLE) for sign in "".join(words)
    )
    return all(words) and is_visible and unicodedata.is_normalized("NFC", text)


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def keyed(secret: bytes, *parts: str) -> bytes:
    """Return the hash of text parts with the game's secret as the key."""
    return hmac.digest(secret, "\n".join(parts).encode(), "sha256")


def seal_secret(secret: bytes, game: str) -> str:
    return digest("secret", game, secret.hex())


def before(link: str) -> str:
    """Return the preceding link of a chain, which is public already."""
    return digest("link", link)


def number_at(secret: bytes, game: str, place: int, links: tuple[str, str], cases: int) -> int:
    """Return the outcome at a place: a uniform number from 0 to `cases` - 1, with 1 to 2^256 - 1 cases. Raise
    ValueError."""
    if not 1 <= cases < 1 << _BITS:
        raise ValueError(f"cannot draw one of {cases}")
    limit = (1 << _BITS) // cases * cases
    numbers = (int.from_bytes(keyed(secret, "die", game, str(place), str(counter), *links)) for counter in count())
    return next(number % cases for number in numbers if number < limit)


def commit_line(secret: bytes, game: str, number: int, actor: str, text: str) -> str:
    """Return the commitment to line `number` of the record, counted from 1."""
    return keyed(secret, "line", game, f"{number} {actor} {text}").hex()


def commit_end(words: str) -> str:
    return digest("end", words)


def genesis(header: Sequence[str], proof: Sequence[str]) -> str:
    """Return the head before the first block, from the first lines of the record and the proof."""
    return digest("genesis", *header, *proof)


def body_of(lines: Sequence[str]) -> str:
    return digest("body", *lines)


def next_head(number: int, head: str, body: str, waits: str = "") -> str:
    """Return the head of block `number` after `head`. `waits` is "PLACE SIDE" if a die becomes pending."""
    return digest("block", str(number), head, body, waits)


def first_own(side: str) -> str:
    return digest("own", side)


def next_own(side: str, number: int, own: str, group: Sequence[str]) -> str:
    """Return a seat's own head after its group `number` of proof lines."""
    return digest("own", side, str(number), own, digest("group", *group))


def checkpoint(game: str, blocks: int, head: str, seat: tuple[str, int, str] | None = None) -> str:
    """Return the text to be signed: for all, or for a seat with its side, number of groups and own head."""
    lines = ["leuthen checkpoint 1", f"game {game}", f"blocks {blocks} {head}"]
    if seat is not None:
        lines.append("seat {} {} {}".format(*seat))
    return "\n".join(lines) + "\n"


class Chain:
    """Links that only their maker can know in advance. The seed never leaves the device."""

    def __init__(self, seed: str, length: int = CHAIN_LENGTH) -> None:
        """`seed` has 64 hexadecimal digits."""
        links = [seed]
        for _ in range(length):
            links.append(before(links[-1]))
        self._links = links[::-1]

    @classmethod
    def fresh(cls, length: int = CHAIN_LENGTH) -> Self:
        return cls(secrets.token_hex(32), length)

    @property
    def length(self) -> int:
        return len(self._links) - 1

    @property
    def top(self) -> str:
        return self._links[0]

    def link(self, number: int) -> str:
        """Return link `number`, from 1 to the chain's length. Raise Invalid beyond it."""
        require(0 <= number <= self.length, f"this chain has {self.length} links, and no link {number}")
        return self._links[number]

    def __repr__(self) -> str:
        return "Chain(hidden)"


class Signer:
    """A server's signing key. `repr` hides it."""

    def __init__(self, secret: bytes) -> None:
        """`secret` has 32 bytes."""
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """Return the signature of a checkpoint, 128 hexadecimal digits."""
        return self._key.sign(text.encode()).hex()

    def __repr__(self) -> str:
        return "Signer(hidden)"


def is_signed(public: str, text: str, signature: str) -> bool:
    """Return whether a signature fits; False also for a malformed key or signature."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True
