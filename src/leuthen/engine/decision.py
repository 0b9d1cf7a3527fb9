"""Decisions: questions to an actor, or steps of the sequence that run by themselves.

Decisions in progress are a stack in the position, the innermost last. Each chapter of a rule set defines its own, with
the possible answers (`script`) next to their effects (`answer`).
"""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, dataclass_transform

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.choice import Action, Kind, Refusal, Script, Token, tag_of
from leuthen.engine.ruleset import CHANCE, ActorId, Side

if TYPE_CHECKING:
    from leuthen.engine.state import DraftPosition

P = TypeVar("P", default=Any, contravariant=True)  # a rule set's positions: states and drafts
D = TypeVar("D", bound="DraftPosition[Any]", default=Any, contravariant=True)  # a rule set's drafts
A = TypeVar("A", bound=Action, default=Any)  # the actions that answer a decision

NOONE: Final[tuple[ActorId, ...]] = ()
_CHANCE: Final = (CHANCE,)


class Done(Action, idle=True):
    """Ends this phase or choice."""


class Roll(Action):
    """The result of a die."""

    die: int


SIXTH: Final = Fraction(1, 6)
DIE: Final[tuple[tuple[Action, Fraction], ...]] = tuple((Roll(die), SIXTH) for die in range(1, 7))


@dataclass_transform(frozen_default=True)
class Decision(msgspec.Struct, Generic[P, D, A], metaclass=Kind, frozen=True, gc=False, tag_field="frame", tag=tag_of):
    """A decision or a step of the sequence. `RULE` is its rule number, `NAME` its noun in the rulebook.

    Every decision of a side declares its neutral answer with the keyword `neutral` or the method.
    """

    RULE: ClassVar[str] = ""
    NAME: ClassVar[str] = ""
    PROMPT: ClassVar[str] = ""  # template of `prompt` with fields of the decision: "{0.points} TP are lost"
    NEUTRAL: ClassVar[Action | None] = None  # the neutral answer, if it is always the same

    def rule(self, pos: P) -> str:
        """Return the rule number of the decision in this position."""
        return self.RULE

    def actors(self, pos: P) -> tuple[ActorId, ...]:
        """Return the actors who must answer; none for a step that runs by itself."""
        return NOONE

    def is_open_to(self, pos: P, actor: Side) -> bool:
        """Return whether an actor who is not asked may answer, to reopen a sealed answer."""
        return False

    def script(self, pos: P, actor: Side) -> Script[A]:
        """Return the script of the actor's answers."""
        raise NotImplementedError

    def neutral(self, pos: P, actor: Side) -> Action | None:
        """Return the answer that changes nothing, so that it may be given when nothing was chosen.

        None if every answer has a lasting effect, so that the actor must choose. `done` at a terminal, a table that
        goes on for a side, and the catch-all of a standing instruction give no other answer (`tests/laws`).
        """
        return self.NEUTRAL

    def is_evident(self, pos: P, actor: Side) -> bool:
        """Return whether everyone can see that the actor has only one answer; a table then gives it.

        It must not depend on hidden facts, and be true only where there is one answer (`tests/laws`).
        """
        return False

    def chances(self, pos: P) -> tuple[tuple[Action, Fraction], ...]:
        """Return the possible answers of chance with their probabilities."""
        return ()

    def answer(self, draft: D, actor: Any, action: A) -> None:
        """Apply an answer."""
        raise NotImplementedError

    def step(self, draft: D) -> None:
        """Run a step that needs no answer; by default it only ends."""
        draft.pop()

    def prompt(self, pos: P, actor: Side) -> str:
        """Return one line that states the question."""
        return self.PROMPT.format(self) if self.PROMPT else self.NAME


class DieRoll(Decision[P, D, Roll]):
    """A decision of chance: one die."""

    def actors(self, pos: P) -> tuple[ActorId, ...]:
        return _CHANCE

    def chances(self, pos: P) -> tuple[tuple[Action, Fraction], ...]:
        return DIE

    def answer(self, draft: D, actor: Side, action: Roll) -> None:
        """Remove the decision from the stack, then pass the die to `rolled`."""
        draft.pop()
        self.rolled(draft, action.die)

    def rolled(self, draft: D, die: int) -> None:
        """Apply the die."""
        raise NotImplementedError


def refuse_with(rule: str, reason: str, *numbers: int | str) -> Callable[[Token], Refusal]:
    """Return a refusal for every value; `{}` in the reason stands for the value, then the numbers."""
    return lambda token: Refusal(rule, reason, (token, *numbers))
