"""What a decision is: somebody is asked something, and answers; or a step of the sequence runs by itself.

The decisions in progress stand on a stack in the position, the innermost last. Each chapter of a rule set defines its
own: what may be answered (`script`) stands beside what the answer does (`answer`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, dataclass_transform

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.choice import Action, Kind, Refusal, Script, Token, tag_of
from leuthen.engine.ruleset import CHANCE, ActorId, Side

if TYPE_CHECKING:
    from leuthen.engine.state import Drafting

P = TypeVar("P", default=Any, contravariant=True)
"""The positions of a rule set, states and drafts."""
D = TypeVar("D", bound="Drafting[Any]", default=Any, contravariant=True)
"""Its drafts."""
A = TypeVar("A", bound=Action, default=Any)
"""What answers a decision: open where nobody knows which decision it is."""

NOONE: Final[tuple[ActorId, ...]] = ()


class Done(Action, idle=True):
    """Nothing more in this phase or choice."""


class Roll(Action):
    """Chance: what the die shows."""

    die: int


SIXTH: Final = Fraction(1, 6)
DIE: Final[tuple[tuple[Action, Fraction], ...]] = tuple((Roll(die), SIXTH) for die in range(1, 7))


@dataclass_transform(frozen_default=True)
class Decision(msgspec.Struct, Generic[P, D, A], metaclass=Kind, frozen=True, gc=False, tag_field="frame", tag=tag_of):
    """A decision or a step of the sequence. `RULE` is its number, `NAME` its noun in the rulebook.

    Every decision of a side declares with `neutral=` in its head, or by the method, whether one of its answers leaves
    everything as it is.
    """

    RULE: ClassVar[str] = ""
    NAME: ClassVar[str] = ""
    PROMPT: ClassVar[str] = ""
    """The line of `prompt`, with fields of the decision in it: «{0.points} TP are lost»."""
    NEUTRAL: ClassVar[Action | None] = None
    """The answer of `neutral`, where it is always the same."""

    def rule(self, pos: P) -> str:
        """The number of the rule by which it is asked in this position."""
        return self.RULE

    def actors(self, pos: P) -> tuple[ActorId, ...]:
        """Who is asked; nobody if the step runs by itself."""
        return NOONE

    def is_open_to(self, pos: P, actor: Side) -> bool:
        """Whether an actor who is not asked may answer all the same: to reopen what he sealed."""
        return False

    def script(self, pos: P, actor: Side) -> Script[A]:
        """What the actor may answer."""
        raise NotImplementedError

    def neutral(self, pos: P, actor: Side) -> Action | None:
        """The answer that leaves everything as it is, so that it may be given where nothing was chosen.

        None where every answer decides something for good: that the actor must choose himself. `done` at a terminal, a
        table that goes on for a side, and the catch-all of a standing instruction give no other answer (`tests/laws`).
        """
        return self.NEUTRAL

    def is_evident(self, pos: P, actor: Side) -> bool:
        """Whether everybody may see that the actor has but one answer: a table then gives it for him.

        It must not depend on what is hidden from anybody, and be true only where there is one answer (`tests/laws`).
        """
        return False

    def chances(self, pos: P) -> tuple[tuple[Action, Fraction], ...]:
        """What chance may answer, and how probably."""
        return ()

    def answer(self, draft: D, actor: Any, action: A) -> None:
        """What an answer does."""
        raise NotImplementedError

    def step(self, draft: D) -> None:
        """What happens by itself: if nothing is said, that it is over where nobody is asked."""
        draft.pop()

    def prompt(self, pos: P, actor: Side) -> str:
        """One line that says what is asked: `prompt=` of its head, or its name."""
        return self.PROMPT.format(self) if self.PROMPT else self.NAME


class DieRoll(Decision[P, D, Roll]):
    """A decision of chance: one die."""

    def actors(self, pos: P) -> tuple[ActorId, ...]:
        return _CHANCE

    def chances(self, pos: P) -> tuple[tuple[Action, Fraction], ...]:
        return DIE

    def answer(self, draft: D, actor: Side, action: Roll) -> None:
        """Hands the die to `rolled`, after the decision is off the stack."""
        draft.pop()
        self.rolled(draft, action.die)

    def rolled(self, draft: D, die: int) -> None:
        """What the die does."""
        raise NotImplementedError


_CHANCE: Final = (CHANCE,)


def never(rule: str, reason: str, *numbers: int | str) -> Callable[[Token], Refusal]:
    """A refusal that is the same for every value; `{}` in the reason stands for the value, then the numbers."""
    return lambda token: Refusal(rule, reason, (token, *numbers))
