"""Rate limits per address, as token buckets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from math import ceil, inf
from time import monotonic
from typing import Final, NamedTuple, cast

import msgspec
from litestar import Litestar
from litestar.types import HTTPScope, LifeSpanScope, Receive, Scope, Send

from leuthen.server.security.request_guard import Asked, send_problem
from leuthen.server.session.limits import address_now, bill_now, is_here, metered, network_of
from leuthen.server.session.problems import TOO_MANY, Fault, fault

MOST_REMEMBERED: Final = 20_000
"""Maximum number of buckets; beyond it full ones are dropped, then the older half."""


class Cost(NamedTuple):
    """The limits of a request.

    `counted` names the rate in `Rates` that it uses besides the rate of all requests, or "". Its server time is always
    measured and charged; with `waits` the request is refused while its address has used up its time.
    """

    counted: str = ""
    waits: bool = True


COST: Final = "cost"
"""Route option with the cost."""
READY: Final = Cost(waits=False)
"""For answers that are prepared in advance, and for the health check."""
LOOK: Final = Cost()
MAKE: Final = Cost("making")
"""For requests that create a game, an invitation or a file."""


class Rate(msgspec.Struct, frozen=True):
    """A token bucket: refill per second and capacity."""

    per_second: float
    burst: int


class Rates(msgspec.Struct, frozen=True):
    """The limits of one address: any requests; new games; attempted secrets; imports; chat lines; name changes.

    `work` counts seconds of server time.
    """

    anything: Rate = Rate(50, 500)
    making: Rate = Rate(0.2, 40)
    taking: Rate = Rate(0.5, 40)
    bringing: Rate = Rate(0.05, 10)
    talking: Rate = Rate(1, 20)
    calling: Rate = Rate(0.1, 10)
    work: Rate = Rate(0.25, 3)


ABROAD: Final = Rates()
AT_HOME: Final = Rates(
    Rate(5000, 10_000), Rate(50, 1000), Rate(50, 1000), Rate(1, 50), Rate(50, 500), Rate(5, 100), Rate(2, 60)
)
"""For programs on this machine, and for a proxy on it that does not name its client."""
ALL_WORK: Final = Rate(0.6, 3)
"""Server time for all foreign addresses together, except modest ones."""
MODEST: Final = 0.5
"""Seconds of recent use up to which an address is served even when `ALL_WORK` is exhausted."""


class Bucket:
    """Token buckets by address and rate."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._left: dict[tuple[str, str], tuple[float, float, Rate]] = {}
        """Tokens at a time, with the rate."""

    def take(self, who: str, what: str, rate: Rate, cost: float = 1, least: float = 1) -> float:
        """Take tokens; return 0, or the seconds until `least` are available."""
        left = self.left(who, what, rate)
        if left < least:
            return (least - left) / rate.per_second
        now, key = self._clock(), (who, what)
        if len(self._left) >= MOST_REMEMBERED:
            self._forget(now)
        self._left.pop(key, None)  # who asked last stands last
        self._left[key] = left - cost, now, rate
        return 0

    def left(self, who: str, what: str, rate: Rate) -> float:
        """Return the available tokens; negative after overuse."""
        left, at, rate = self._left.get((who, what), (rate.burst, 0.0, rate))
        return min(rate.burst, left + (self._clock() - at) * rate.per_second)

    def _forget(self, now: float) -> None:
        self._left = {
            key: (left, at, rate)
            for key, (left, at, rate) in self._left.items()
            if left + (now - at) * rate.per_second < rate.burst
        }
        if len(self._left) >= MOST_REMEMBERED:  # to look at all of them at every request would cost too much
            self._left = dict(list(self._left.items())[-(MOST_REMEMBERED // 2) :])


class RateLimits:
    """Limits requests by their address."""

    def __init__(
        self, abroad: Rates = ABROAD, at_home: Rates = AT_HOME, clock: Callable[[], float] = monotonic
    ) -> None:
        self._abroad = abroad
        self._at_home = at_home
        self._bucket = Bucket(clock)

    def enter(self, client: str) -> None:
        """Count a request and charge its address for server time from now on. Raise Fault (429) over the limit."""
        address = network_of(client)
        address_now.set(address)
        rates = self._rates(address)
        bill_now.set(partial(self._bill, address, rates.work))
        if wait := self._bucket.take(address, "anything", rates.anything):
            raise _too_many(wait)

    def expect(self, cost: Cost) -> None:
        """Raise Fault (429) if the request's address has used up the limits of this cost."""
        address = address_now.get()
        rates = self._rates(address)
        if cost.waits:
            left = self._bucket.left(address, "work", rates.work)  # what it costs is known, and paid, afterwards
            if left < 0:
                raise _too_many(-left / rates.work.per_second)
            if rates.work.burst - left > MODEST and not is_here(address):
                left_to_all = self._bucket.left("", "work", ALL_WORK)
                if left_to_all < 0:
                    raise _too_many(-left_to_all / ALL_WORK.per_second)
        if cost.counted and (wait := self._bucket.take(address, cost.counted, getattr(rates, cost.counted))):
            raise _too_many(wait)

    def _rates(self, address: str) -> Rates:
        return self._at_home if is_here(address) else self._abroad

    def _bill(self, address: str, rate: Rate, seconds: float) -> None:
        self._bucket.take(address, "work", rate, seconds, -inf)
        if not is_here(address):
            self._bucket.take("", "work", ALL_WORK, seconds, -inf)


def _too_many(wait: float) -> Fault:
    seconds = ceil(wait)
    detail = f"Too much was asked from your address. Try again in {seconds} s."
    return fault(TOO_MANY, "Too many requests", detail, wait=seconds)


class Gate:
    """Stands before the routes: every request passes the limits, whatever its path or method, and pays its cost."""

    def __init__(self, app: Litestar, limits: RateLimits) -> None:
        self.app = app
        self._limits = limits

    def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> Awaitable[None]:
        request, kind = cast("HTTPScope", scope), str(scope["type"])
        if kind != "http":
            return self.app(request, receive, send)
        try:
            self._limits.enter(request["client"][0] if request["client"] else "")
        except Fault as refused:
            return send_problem(refused.problem, send, refused.wait)
        return metered(self.app(request, receive, send))


async def expect_cost(request: Asked) -> None:
    limits: RateLimits = request.app.state.limits
    limits.expect(request.route_handler.opt.get(COST, LOOK))
