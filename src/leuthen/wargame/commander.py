"""A general with a thought: what he answers follows from the view, the thought before and his own seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.wargame.plans import Plan, Thought, encode_thought, recall


class Commander:
    """A bot that goes by a plan. A rule set writes `decide`; tables that hold in any position are all else it keeps."""

    def __init__(self, ruleset: str, side: Side, seed: int) -> None:
        self._fresh = ruleset, side, seed
        self._mind, self.word = recall(b"", ruleset, side, seed)
        self._bytes: bytes | None = b""

    @property
    def thought(self) -> bytes:
        """The thought as bytes, which a table keeps secretly with the seat."""
        if self._bytes is None:
            self._bytes = encode_thought(self._mind)
        return self._bytes

    @thought.setter
    def thought(self, data: bytes) -> None:
        """Takes up a thought of before; one that is of no use is dropped, and `word` says so."""
        self._mind, self.word = recall(data, *self._fresh, self.expect)
        self._bytes = data if not self.word else b""

    def expect(self, plan: Plan) -> None:
        """Raises Invalid for a plan that his game cannot have."""

    @property
    def mind(self) -> Thought:
        """The thought as a value."""
        return self._mind

    def take_up(self, mind: Thought) -> None:
        """Another thought is his from now on."""
        if mind is not self._mind:
            self._mind, self._bytes = mind, None

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """The order of `decide`; the thought is then the one after it."""
        action, after = self.decide(look, self._mind, legal, pending)
        self.take_up(after)
        return action

    def decide(self, look: Look, before: Thought, legal: LegalSet, pending: Pending) -> tuple[Action, Thought]:
        """An action that is legal, and the thought that is kept: a function of the view and the thought before."""
        raise NotImplementedError


Proposals: TypeAlias = Iterator[Action]
Propose: TypeAlias = Callable[[Any, Any], Proposals]
"""What a general would do in a situation that a decision asks about, the best first."""
NOTHING: Final = (("done",), ("hold",))
"""What is answered without a look where it is all that may be said."""
