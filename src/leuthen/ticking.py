"""A timer that interrupts a bot that does not answer."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from leuthen.bots import PATIENCE, TICKS, WATCH


@contextmanager
def ticking(patience: float = PATIENCE) -> Iterator[None]:
    """Within the block, raise TooSlow in a bot that takes more than `patience` seconds for a decision.

    Only the main thread can be interrupted, and not on Windows: elsewhere there is no limit.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    seconds = patience / TICKS
    before = signal.signal(signal.SIGALRM, lambda number, frame: WATCH.tick())
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, interval)
        signal.signal(signal.SIGALRM, before)
