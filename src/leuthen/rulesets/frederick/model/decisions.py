"""What a decision of this rule set is, and secret choices of both sides at the same time.

Each chapter's module defines its own decisions: what may be answered stands beside what the answer does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Self

import msgspec

from leuthen.engine import decision
from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import A, Roll, never
from leuthen.engine.ruleset import ActorId, OwnerId, Side, ViewerId
from leuthen.rulesets.frederick.model.actions import Reopen
from leuthen.rulesets.frederick.model.data import PRUSSIA
from leuthen.rulesets.frederick.model.events import ChoiceReopened, ChoiceSealed
from leuthen.rulesets.frederick.model.pieces import ON_MAP, Stack
from leuthen.wargame.strength import LeaderId

if TYPE_CHECKING:
    from leuthen.rulesets.frederick.model.state import Draft, Position


class Decision(decision.Decision["Position", "Draft", A], Generic[A]):
    """A decision of this rule set."""

    RETREATS: ClassVar[bool] = False
    """Whether the force under way is in retreat."""

    @property
    def passes(self) -> bool:
        """Whether the force under way only passes where it is: a retreat that goes on holds nothing (O12.4)."""
        return False

    def lapses(self, pos: Position) -> bool:
        """Whether nobody is left whom the decision is about, once a power has left the game or its side."""
        return False

    def revised(self, pos: Position) -> tuple[Decision, ...]:
        """What of the decision still stands then: itself, nothing, or others in its place."""
        return () if self.lapses(pos) else (self,)

    def seen_by(self, viewer: ViewerId) -> Self:
        """The decision as a viewer knows it."""
        return self

    def reformed(self, pos: Position, before: Stack) -> Decision:
        """Return the decision after the force under way, which was `before`, has gained or lost somebody."""
        return self

    def prompt(self, pos: Position, actor: Side) -> str:
        """`PROMPT` may name the power that the decision is about: «Leaders: {power}»."""
        power = getattr(self, "power", PRUSSIA)
        return self.PROMPT.format(self, power=pos.data.powers[power].name) if self.PROMPT else self.NAME


def not_now(reasons: Mapping[str, Refusal], token: Token) -> Refusal:
    """Why something is not done in a phase: what belongs to it has reasons of its own."""
    known = reasons.get(token) if isinstance(token, str) else None
    return known or Refusal("O4.2", "this is not the phase for «{}»", (token,))


def reform(draft: Draft, before: Stack) -> None:
    """Tell every decision in progress that the force under way is another than `before`: its commander may be new."""
    if draft.moving is not None:
        draft.frames = tuple([frame.reformed(draft, before) for frame in draft.frames])


def revise(draft: Draft) -> None:
    """Every decision in progress is looked at again, because a power has left the game or its side (C11.3, C7.7)."""
    draft.frames = tuple(rest for frame in draft.frames for rest in frame.revised(draft))


def is_on_map(pos: Position, leader: LeaderId) -> bool:
    """Whether a leader is still on the map: his power may have surrendered meanwhile (C11.3)."""
    return pos.roster[leader] == ON_MAP


class SideDecision(Decision[A], Generic[A]):
    """A decision of one side."""

    side: Side

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,)


class DieRoll(decision.DieRoll["Position", "Draft"], Decision[Roll]):
    """One die, in this rule set."""


class Secret(msgspec.Struct, frozen=True, gc=False, tag_field="secret"):
    """What a side chooses in secret, kept in `Position.sealed`: until `sealed` it is a draft."""

    sealed: bool = False


class Covered(Secret, frozen=True, gc=False, tag="covered"):
    """A secret as the other side sees it: sealed, and nothing else."""


def covered(secret: Secret | None) -> Secret | None:
    """What the other side and a watcher see of a secret: nothing before it is sealed."""
    return Covered(True) if secret is not None and secret.sealed else None


def keep_secret(draft: Draft, side: OwnerId, secret: Secret | None) -> None:
    """A side's secret is now this."""
    draft.sealed = (secret, draft.sealed[1]) if side == 0 else (draft.sealed[0], secret)


_AWAITED: Final[Mapping[tuple[bool, bool], tuple[ActorId, ...]]] = {
    (False, False): (0, 1), (False, True): (0,), (True, False): (1,), (True, True): ()
}  # fmt: skip
"""Who is awaited, by which side has sealed."""


class SecretChoice(Decision[A | Reopen], Generic[A]):
    """Both sides choose in secret and at the same time; revealed together (C2.4, C5.1, C6.2).

    A side that has sealed is not awaited, but may open its choice again until the other has sealed too.
    """

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        one, other = pos.sealed
        return _AWAITED[one is not None and one.sealed, other is not None and other.sealed]

    def is_open_to(self, pos: Position, actor: Side) -> bool:
        """A side that has sealed, as long as the other has not."""
        return pos.sealed[actor] is not None and bool(self.actors(pos))

    def script(self, pos: Position, actor: Side) -> Script[A | Reopen]:
        """The choice, or to open it again."""
        return self.choose(pos, actor) if actor in self.actors(pos) else self._reopen(pos, actor)

    def _reopen(self, pos: Position, actor: Side) -> Script[Reopen]:
        kinds = ("reopen",) if pos.sealed[actor] is not None else ()
        yield Slot("do", kinds, never(self.RULE, "«{}» is not for now: there is nothing more to choose"))
        return Reopen()

    def choose(self, pos: Position, side: OwnerId) -> Script[A]:
        """What a side may choose."""
        raise NotImplementedError

    def answer(self, draft: Draft, actor: Side, action: A | Reopen) -> None:
        """Keeps the choice; with the second that is sealed, both are revealed."""
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
        """Keeps what a side has chosen."""
        raise NotImplementedError

    def reveal(self, draft: Draft) -> None:
        """Both have sealed: what comes of it."""
        raise NotImplementedError
