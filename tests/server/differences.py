"""Two answers beside each other: what may differ in them, and where they begin to."""

import re

HASH = re.compile(rb'"(commit|key|head|body|own_head|signature)":"([0-9a-f]{128}|[0-9a-f]{64})"')
"""Words of the proof, each of one length: hashes and signatures of what is hidden, with a secret in them, so that they
differ between two worlds and tell nothing. Everything else of the proof is compared."""


def without_hashes(said: bytes) -> bytes:
    found: dict[bytes, int] = {}
    return HASH.sub(lambda word: b'"%s":"#%d"' % (word[1], found.setdefault(word[2], len(found))), said)


def apart(here: bytes, there: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    near = slice(max(0, at - 200), at + 200)
    return f"at byte {at}:\n  {here[near]!r}\n  {there[near]!r}"
