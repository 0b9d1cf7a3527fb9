"""Decisions of this rule set, and simultaneous secret choices.

Each chapter's module defines its own decisions, with the legal answers beside their effects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Self, TypeVar

import msgspec

from leuthen.engine import decision
from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import A, Done, Roll, refuse_with
from leuthen.engine.ruleset import ActorId, OwnerId, Side, ViewerId
from leuthen.rulesets.frederick.model.actions import Reopen
from leuthen.rulesets.frederick.model.data import PRUSSIA
from leuthen.rulesets.frederick.model.events import ChoiceReopened, ChoiceSealed
from leuthen.rulesets.frederick.model.pieces import ON_MAP, Stack
from leuthen.wargame.strength import LeaderId

if TYPE_CHECKING:
    from leuthen.rulesets.frederick.model.state import Draft, Position

T = TypeVar("T")


class Decision(decision.Decision["Position", "Draft", A], Generic[A]):
    RETREATS: ClassVar[bool] = False
    """True while the force under way is in retreat."""

    @property
    def passes(self) -> bool:
        """True if the force under way holds nothing where it is, because its retreat goes on (O12.4)."""
        return False

    def has_lapsed(self, pos: Position) -> bool:
        """Return whether the subject of the decision has gone, after a power has left the game (C11.3) or its side."""
        return False

    def replacements(self, pos: Position) -> tuple[Decision, ...]:
        """Return what replaces the decision then: itself, nothing, or other decisions."""
        return () if self.has_lapsed(pos) else (self,)

    def mask_for(self, viewer: ViewerId) -> Self:
        """Return the decision as a viewer knows it."""
        return self

    def with_changed_force(self, pos: Position, before: Stack) -> Decision:
        """Return the decision after the force under way, which was `before`, has changed."""
        return self

    def prompt(self, pos: Position, actor: Side) -> str:
        """Return `PROMPT`, which may name the decision's power: "Leaders: {power}"."""
        power = getattr(self, "power", PRUSSIA)
        return self.PROMPT.format(self, power=pos.data.powers[power].name) if self.PROMPT else self.NAME


def refuse_in_phase(reasons: Mapping[str, Refusal], token: Token) -> Refusal:
    """Return the refusal of an action that is impossible in this phase; `reasons` has those of its own actions."""
    known = reasons.get(token) if isinstance(token, str) else None
    return known or Refusal("O4.2", 'this is not the phase for "{}"', (token,))


def reform(draft: Draft, before: Stack) -> None:
    """Tell every open decision that the force under way, `before`, has changed: its commander may be new."""
    if draft.moving is not None:
        draft.frames = tuple([frame.with_changed_force(draft, before) for frame in draft.frames])


def revise(draft: Draft) -> None:
    """Revise every open decision because a power has left the game or its side (C11.3, C7.7)."""
    draft.frames = tuple(rest for frame in draft.frames for rest in frame.replacements(draft))


def next_step(draft: Draft, sequence: Decision, done: int, steps: Sequence[T]) -> T | None:
    """Return the next step of a sequence after `done` others, and count it; after the last end the sequence."""
    if done == len(steps):
        draft.pop()
        return None
    draft.swap(msgspec.structs.replace(sequence, done=done + 1))
    return steps[done]


def next_of(draft: Draft, phase: Decision, left: Sequence[T]) -> T | None:
    """Return the first of those that are left to a phase, and keep the others; end the phase if there is none."""
    if not left:
        draft.pop()
        return None
    draft.swap(msgspec.structs.replace(phase, left=tuple(left[1:])))
    return left[0]


def is_on_map(pos: Position, leader: LeaderId) -> bool:
    """Return whether a leader is still on the map: his power may have surrendered (C11.3)."""
    return pos.roster[leader] == ON_MAP


class SideDecision(Decision[A], Generic[A]):
    side: Side

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,)


class Phase(SideDecision[A | Done], Generic[A]):
    """A decision of one side that acts until it is done."""

    def answer(self, draft: Draft, actor: Side, action: A | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
        else:
            self.act(draft, action)

    def act(self, draft: Draft, action: A) -> None:
        raise NotImplementedError


class DieRoll(decision.DieRoll["Position", "Draft"], Decision[Roll]):
    pass


class Secret(msgspec.Struct, frozen=True, gc=False, tag_field="secret"):
    """A secret choice of a side, stored in `Position.sealed`; before `sealed` it is a draft."""

    sealed: bool = False


class Covered(Secret, frozen=True, gc=False, tag="covered"):
    """A sealed secret as the other side sees it."""


def keep_secret(draft: Draft, side: OwnerId, secret: Secret | None) -> None:
    draft.sealed = (secret, draft.sealed[1]) if side == 0 else (draft.sealed[0], secret)


_AWAITED: Final[Mapping[tuple[bool, bool], tuple[ActorId, ...]]] = {
    (False, False): (0, 1), (False, True): (0,), (True, False): (1,), (True, True): ()
}  # fmt: skip
"""The actors awaited, by whether each side has sealed."""


class SecretChoice(Decision[A | Reopen], Generic[A]):
    """A secret choice of both sides at the same time, revealed together (C2.4, C5.1, C6.2).

    A side that has sealed is not awaited, but may reopen its choice until the other has sealed too.
    """

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        one, other = pos.sealed
        return _AWAITED[one is not None and one.sealed, other is not None and other.sealed]

    def is_open_to(self, pos: Position, actor: Side) -> bool:
        return pos.sealed[actor] is not None and bool(self.actors(pos))

    def script(self, pos: Position, actor: Side) -> Script[A | Reopen]:
        if actor in self.actors(pos):
            return (yield from self.choose(pos, actor))
        kinds = ("reopen",) if pos.sealed[actor] is not None else ()
        yield Slot("do", kinds, refuse_with(self.RULE, "not now: there is nothing more to choose"))
        return Reopen()

    def choose(self, pos: Position, side: OwnerId) -> Script[A]:
        raise NotImplementedError

    def answer(self, draft: Draft, actor: Side, action: A | Reopen) -> None:
        if isinstance(action, Reopen):
            keep_secret(draft, actor, msgspec.structs.replace(draft.sealed[actor], sealed=False))
            draft.emit(ChoiceReopened(side=actor, by=self.RULE, what=self.NAME))
            return
        self.chosen(draft, actor, action)
        if actor not in self.actors(draft):
            draft.emit(ChoiceSealed(side=actor, by=self.RULE, what=self.NAME))
        if not self.actors(draft):
            self.reveal(draft)

    def chosen(self, draft: Draft, side: OwnerId, action: A) -> None:
        raise NotImplementedError

    def reveal(self, draft: Draft) -> None:
        """Carry out both choices; both sides have sealed."""
        raise NotImplementedError
