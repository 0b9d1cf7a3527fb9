"""What is done in worker processes for who asks: a look at a view, a record that is brought in, the map.

What the asker did wrong comes back as a problem, not as an error: errors do not all survive the way between processes.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.load import Unreadable, load_with
from leuthen.server.session.messages import LeftUndone, Problem
from leuthen.server.session.problems import Fault, problem_of

T = TypeVar("T")


def look(ruleset: str, data: str, view: bytes, what: str, *words: str) -> bytes | Problem:
    """A layer, odds, or what is left undone, as JSON, by the rule set with the data of that digest."""
    rules = load_with(ruleset, data)
    try:
        found: Any = getattr(rules.presenter, what)(rules.decode_view(view), *words)
    except (Invalid, Illegal) as error:
        return as_problem(error)
    return msgspec.json.encode(LeftUndone(found) if what == "left_undone" else found)


def as_problem(error: Exception) -> Problem:
    """An error of the asker's as a problem. Raises RuntimeError for one of the server's own."""
    fault = problem_of(error)
    if fault is None or isinstance(error, Unreadable):
        raise RuntimeError(str(error)) from error
    return fault.problem


def expect_done(found: T | Problem) -> T:
    """What was found. Raises Fault if it was a problem."""
    if isinstance(found, Problem):
        raise Fault(found)
    return found
