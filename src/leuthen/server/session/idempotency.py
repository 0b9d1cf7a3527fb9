"""Requests that count once: the key of each is bound to what was asked with it.

By the IETF's draft on the header Idempotency-Key: the same request is answered as before, another one is refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import TypeAlias

import msgspec

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.server.session.problems import ILLEGAL, Fault, fault
from leuthen.server.session.requests import Instruct, Message, Order, TableMove
from leuthen.storage.rows import AnswerRow, Rows, Storage, first

Keyed: TypeAlias = Order | TableMove | Instruct
"""What a seat asks for that counts once."""


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


async def once(storage: Storage, seat: str, asked: Keyed, work: Callable[[], Awaitable[int]]) -> int:
    """What a request is answered: by the work, or as it was answered before. Raises what the work raises, and Fault.

    An order that counted has moved its seat's number, so the work refuses it, and only then is looked for it.
    """

    async def before() -> int | None:
        return await storage.read(lambda rows: answered(rows, seat, asked.key, asked))

    is_order = isinstance(asked, Order)
    if not is_order and (n := await before()) is not None:
        return n
    try:
        return await work()
    except (Fault, Illegal, Invalid):
        if is_order and (n := await before()) is not None:
            return n
        raise
