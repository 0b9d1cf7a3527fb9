"""Signatures of checkpoints: Ed25519."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


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
