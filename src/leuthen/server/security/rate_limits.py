"""How much one address may ask for: a bucket that fills at an even pace, and is emptied by what is asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil, inf
from time import monotonic
from typing import Final

import msgspec

from leuthen.server.security.request_guard import Asked
from leuthen.server.session.addresses import address_now, bill_now, is_here, network_of
from leuthen.server.session.problems import TOO_MANY, fault

MOST_REMEMBERED: Final = 20_000
"""Buckets; when there are more, those that are full again are forgotten, and if need be the half that is oldest."""


class Rate(msgspec.Struct, frozen=True):
    """So many a second on the long run, and so many at once."""

    per_second: float
    burst: int


class Rates(msgspec.Struct, frozen=True):
    """What one address may do: anything; make games; try secrets; bring in records; talk.

    `work` is not how often, but how many seconds the server may spend on its forms and orders, which are done in the
    server's own turn.
    """

    anything: Rate = Rate(50, 500)
    making: Rate = Rate(0.2, 40)
    taking: Rate = Rate(0.5, 40)
    bringing: Rate = Rate(0.05, 10)
    talking: Rate = Rate(1, 20)
    work: Rate = Rate(0.25, 5)


ABROAD: Final = Rates()
AT_HOME: Final = Rates(Rate(5000, 10_000), Rate(50, 1000), Rate(50, 1000), Rate(1, 50), Rate(50, 500), Rate(1, 60))
"""For programs on this machine, and where a proxy on it does not say for whom it asks."""


_KINDS: Final = {
    "games": "making",
    "rematch": "making",
    "link": "making",
    "take": "taking",
    "import": "bringing",
    "chat": "talking",
    "form": "work",
    "orders": "work",
    "moves": "work",
    "standing": "work",
}


class Bucket:
    """What is left to whom."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._left: dict[tuple[str, str], tuple[float, float, Rate]] = {}

    def take(self, who: str, what: str, rate: Rate, cost: float = 1, least: float = 1) -> float:
        """Takes what it costs; 0 if there was the least left that there must be, or after how many seconds there is."""
        now = self._clock()
        left, at, _ = self._left.get((who, what), (rate.burst, now, rate))
        left = min(rate.burst, left + (now - at) * rate.per_second)
        if left < least:
            return (least - left) / rate.per_second
        if len(self._left) >= MOST_REMEMBERED:
            self._forget(now)
        self._left.pop((who, what), None)  # who asked last stands last
        self._left[who, what] = left - cost, now, rate
        return 0

    def _forget(self, now: float) -> None:
        self._left = {
            key: (left, at, rate)
            for key, (left, at, rate) in self._left.items()
            if left + (now - at) * rate.per_second < rate.burst
        }
        if len(self._left) >= MOST_REMEMBERED:  # to look at all of them at every request would cost too much
            self._left = dict(list(self._left.items())[-(MOST_REMEMBERED // 2) :])


class Limits:
    """Lets a request through or refuses it, by the address that it comes from."""

    def __init__(
        self, abroad: Rates = ABROAD, at_home: Rates = AT_HOME, clock: Callable[[], float] = monotonic
    ) -> None:
        self._abroad = abroad
        self._at_home = at_home
        self._bucket = Bucket(clock)

    async def check(self, request: Asked) -> None:
        """Raises Fault (429) if the address has asked for too much."""
        address = network_of(request.client.host if request.client else "")
        address_now.set(address)
        rates = self._at_home if is_here(address) else self._abroad
        bill_now.set(partial(self._bill, address, rates.work))
        for what in ("anything", kind_of(request.method, request.url.path)):
            price = (0, 0) if what == "work" else (1, 1)  # what it costs is known, and paid, afterwards
            wait = self._bucket.take(address, what, getattr(rates, what), *price) if what else 0
            if wait:
                seconds = ceil(wait)
                detail = f"Too much was asked from your address. Try again in {seconds} s."
                raise fault(TOO_MANY, "Too many requests", detail, wait=seconds)

    def _bill(self, address: str, rate: Rate, seconds: float) -> None:
        self._bucket.take(address, "work", rate, seconds, -inf)


def kind_of(method: str, path: str) -> str:
    """What a request does that has a limit of its own, or ""."""
    if method not in ("POST", "PUT"):
        return ""
    last = path.rstrip("/").rpartition("/")[2]
    return _KINDS.get(last, "")
