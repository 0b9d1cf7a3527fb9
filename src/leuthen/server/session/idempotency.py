"""Requests that count once: the key of each is bound to what was asked with it.

By the IETF's draft on the header Idempotency-Key: the same request is answered as before, another one is refused.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from leuthen.server.session.problems import ILLEGAL, fault
from leuthen.server.session.requests import Message
from leuthen.storage.rows import AnswerRow, Rows, first


def fingerprint(request: Message) -> str:
    """What is kept of a request: the hash of all that it says, and of what kind it is."""
    return sha256(type(request).__name__.encode() + b" " + msgspec.json.encode(request)).hexdigest()


def answered(rows: Rows, seat: str, key: str, request: Message) -> int | None:
    """What the same request was answered before, if it was. Raises Fault if its key was used for another one."""
    found = first(rows, AnswerRow, seat=seat, key=key)
    if found is None:
        return None
    if found.request not in ("", fingerprint(request)):
        detail = "This key was used for another request. Nothing was done: send it with a new key."
        raise fault(ILLEGAL, "The key was used", detail)
    return found.n
