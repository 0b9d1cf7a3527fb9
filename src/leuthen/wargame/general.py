"""What the generals of all rule sets share: habits by name, and orders of which the first legal one is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, Final, TypeAlias

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look

Proposals: TypeAlias = Iterator[Action]
Propose: TypeAlias = Callable[[Any, Any], Proposals]
"""What a general would do in a situation that a decision asks about, the best first."""
NOTHING: Final = (("done",), ("hold",))
"""What is answered without a look where it is all that may be said."""


class General:
    """A bot that plays by rules of thumb. Between two decisions it keeps tables that hold in any position, no more."""

    def __init__(self, habits: Sequence[str], without: Set[str], proposals: Mapping[type, Propose]) -> None:
        """`proposals`: by decision, who knows what to do. Raises Invalid for an unknown habit."""
        for habit in without:
            if habit not in habits:
                raise Invalid(f"«{habit}» is no habit: {', '.join(habits)}")
        self.without = frozenset(without)
        self._proposals = proposals

    def situation(self, view: Any) -> Any:
        """What the general makes of a view: a position in thought, `pos`."""
        raise NotImplementedError

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """The first proposal that is legal; if none is, what commits least."""
        asked = legal.first()
        if asked is not None and tuple(asked.values) not in NOTHING:
            view = look()
            frame = view.frames[-1]
            propose = self._proposals.get(type(frame))
            if propose is not None:
                for action in propose(self.situation(view), frame):
                    if action in legal:
                        return action
        fallback: Action = next(iter(legal))
        return fallback
