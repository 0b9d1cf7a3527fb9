"""What a decision is: somebody is asked something, and answers; or a step of the sequence runs by itself.

The decisions in progress stand on a stack in the position, the innermost last. Each chapter's module defines its own:
what may be answered (`script`) stands beside what the answer does (`answer`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Final

import msgspec

from leuthen.core.choice import Action, Script, Slot, Token
from leuthen.core.refusal import Refusal
from leuthen.core.ruleset import CHANCE
from leuthen.frederick.actions import Reopen, Roll
from leuthen.frederick.events.grand import ChoiceReopened, ChoiceSealed
from leuthen.frederick.state import Draft, Position

NOONE: Final[tuple[int, ...]] = ()
SIXTH: Final = Fraction(1, 6)
DIE: Final[tuple[tuple[Action, Fraction], ...]] = tuple((Roll(die), SIXTH) for die in range(1, 7))


class Decision(msgspec.Struct, frozen=True, gc=False, tag_field="frame"):
    """A decision or a step of the sequence. `RULE` is its number, `NAME` its noun in the rulebook."""

    RULE: ClassVar[str] = ""
    NAME: ClassVar[str] = ""
    RETREATS: ClassVar[bool] = False
    """Whether the force under way is in retreat, and so holds nothing (O12.4)."""

    def actors(self, pos: Position) -> tuple[int, ...]:
        """Who is asked; nobody if the step runs by itself."""
        return NOONE

    def is_open_to(self, pos: Position, actor: int) -> bool:
        """Whether an actor who is not asked may answer all the same: to reopen what he sealed."""
        return False

    def script(self, pos: Position, actor: int) -> Script[Any]:
        """What the actor may answer."""
        raise NotImplementedError

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        """What chance may answer, and how probably."""
        return ()

    def answer(self, draft: Draft, actor: int, action: Any) -> None:
        """What an answer does."""
        raise NotImplementedError

    def step(self, draft: Draft) -> None:
        """What happens by itself."""
        raise NotImplementedError

    def prompt(self, pos: Position, actor: int) -> str:
        """One line that says what is asked."""
        return self.NAME


class DieRoll(Decision, frozen=True, gc=False):
    """A decision of chance: one die."""

    def actors(self, pos: Position) -> tuple[int, ...]:
        """Chance alone."""
        return _CHANCE

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        """Six equal answers."""
        return DIE

    def answer(self, draft: Draft, actor: int, action: Any) -> None:
        """Hands the die to `rolled`, after the decision is off the stack."""
        draft.pop()
        self.rolled(draft, action.die)

    def rolled(self, draft: Draft, die: int) -> None:
        """What the die does."""
        raise NotImplementedError


_CHANCE: Final = (CHANCE,)


def never(rule: str, reason: str, *numbers: int | str) -> Callable[[Token], Refusal]:
    """A refusal that is the same for every value; `{}` in the reason stands for the value, then the numbers."""
    return lambda token: Refusal(rule, reason, (token, *numbers))


def ask(name: str, values: Any, refuse: Callable[[Token], Refusal], **more: Any) -> Slot:
    """A question of a script."""
    return Slot(name, values, refuse, **more)


class Secret(msgspec.Struct, frozen=True, gc=False, tag_field="secret"):
    """What a side chooses in secret, kept in `Position.sealed`: until `sealed` it is a draft."""

    sealed: bool = False


class Covered(Secret, frozen=True, gc=False, tag="covered"):
    """A secret as the other side sees it: sealed, and nothing else."""


def covered(secret: Secret | None) -> Secret | None:
    """What the other side and a watcher see of a secret: nothing before it is sealed."""
    return Covered(True) if secret is not None and secret.sealed else None


def keep_secret(draft: Draft, side: int, secret: Secret | None) -> None:
    """A side's secret is now this."""
    draft.sealed = (secret, draft.sealed[1]) if side == 0 else (draft.sealed[0], secret)


class SecretChoice(Decision, frozen=True, gc=False):
    """Both sides choose in secret and at the same time; revealed together (C2.4, C5.1, C6.2).

    A side that has sealed is not awaited, but may open its choice again until the other has sealed too.
    """

    def actors(self, pos: Position) -> tuple[int, ...]:
        """The sides that have not sealed."""
        return tuple(side for side in (0, 1) if pos.sealed[side] is None or not pos.sealed[side].sealed)

    def is_open_to(self, pos: Position, actor: int) -> bool:
        """A side that has sealed, as long as the other has not."""
        return pos.sealed[actor] is not None and bool(self.actors(pos))

    def script(self, pos: Position, actor: int) -> Script[Any]:
        """The choice, or to open it again."""
        if actor in self.actors(pos):
            return (yield from self.choose(pos, actor))
        kinds = ("reopen",) if pos.sealed[actor] is not None else ()
        yield ask("do", kinds, never(self.RULE, "«{}» is not for now: there is nothing more to choose"))
        return Reopen()

    def choose(self, pos: Position, side: int) -> Script[Any]:
        """What a side may choose."""
        raise NotImplementedError

    def answer(self, draft: Draft, actor: int, action: Any) -> None:
        """Keeps the choice; with the second that is sealed, both are revealed."""
        if isinstance(action, Reopen):
            keep_secret(draft, actor, msgspec.structs.replace(draft.sealed[actor], sealed=False))
            draft.emit(ChoiceReopened(side=actor, what=self.NAME))
            return
        self.chosen(draft, actor, action)
        if actor not in self.actors(draft):
            draft.emit(ChoiceSealed(side=actor, what=self.NAME))
        if not self.actors(draft):
            self.reveal(draft)

    def chosen(self, draft: Draft, side: int, action: Any) -> None:
        """Keeps what a side has chosen."""
        raise NotImplementedError

    def reveal(self, draft: Draft) -> None:
        """Both have sealed: what comes of it."""
        raise NotImplementedError
