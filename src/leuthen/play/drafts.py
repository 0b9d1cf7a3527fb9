"""Actions that may still be taken back: nobody but their actor is told of them until they stand.

In a choice that both sides make at once, both may have drafts side by side: each takes back his own, and the other's
are then carried out again on what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import ActorId, Ruleset, Transition, ViewerId


class Step(NamedTuple):
    """One action with the position before it and what it did."""

    actor: ActorId
    action: Action
    before: object
    transition: Transition


class Drafts:
    """The newest steps of a game, from the first that may still be taken back.

    Among them may be steps that stand already, if the other side's drafts lie beneath them.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._steps: list[tuple[Step, bool]] = []
        """Each with whether it stands."""
        self._drafts: list[Step] = []
        """Those of them that do not stand."""

    def __iter__(self) -> Iterator[Step]:
        """What may still be taken back, oldest first."""
        return iter(self._drafts)

    def __len__(self) -> int:
        return len(self._drafts)

    def copy(self) -> Drafts:
        """The same drafts, to go on with apart."""
        twin = Drafts(self._ruleset)
        twin._steps, twin._drafts = self._steps.copy(), self._drafts.copy()
        return twin

    def add(self, step: Step) -> None:
        """Add a step that may be taken back."""
        self._steps.append((step, False))
        self._drafts.append(step)

    def last(self, actor: ActorId) -> Step | None:
        """The last step that an actor may take back."""
        for step in reversed(self._drafts):
            if step.actor == actor:
                return step
        return None

    def is_beside(self, step: Step) -> bool:
        """Whether a new step leaves the drafts of others as they are: it belongs to a choice that both make at once."""
        for draft in self._drafts:
            if draft.actor != step.actor:
                return self._is_shared(step)
        return True

    def _is_shared(self, step: Step) -> bool:
        """Whether both sides were to choose, or one reopened what it had sealed while the other still chose."""
        awaited = self._ruleset.pending(step.before)
        return len(awaited) != 1 or awaited[0].actor != step.actor

    def seen_by(self, viewer: ViewerId, state: object) -> object:
        """The position that a viewer may be shown: without the drafts of others.

        What others choose in secret is covered by views, and needs no older position.
        """
        for step in self._drafts:
            if step.actor != viewer:
                return state if self._is_shared(step) else step.before
        return state

    def over(self, state: object) -> list[ActorId]:
        """The actors whose drafts stand, because what they decided is over: somebody else, or something else, is asked.

        A side goes on undisturbed while it alone is asked, or both are asked for the same choice as before.
        """
        if not self._drafts:
            return []
        awaited = {pending.actor: pending.decision for pending in self._ruleset.pending(state)}
        ended = []
        for actor in {step.actor for step in self._drafts}:
            last = self.last(actor)
            alone = list(awaited) == [actor]
            if last is not None and not alone and not (actor in awaited and self._goes_on(last, awaited[actor])):
                ended.append(actor)
        return sorted(ended)

    def _goes_on(self, step: Step, decision: str) -> bool:
        before = {pending.actor: pending.decision for pending in self._ruleset.pending(step.before)}
        return len(before) > 1 and before.get(step.actor) == decision

    def commit(self, actor: ActorId | None = None) -> list[Step]:
        """Let the drafts of an actor stand, or all; return them, oldest first."""
        stood = [step for step in self._drafts if actor in (None, step.actor)]
        self._drafts = [step for step in self._drafts if actor not in (None, step.actor)]
        self._steps = [(step, stands or actor in (None, step.actor)) for step, stands in self._steps]
        self._let_go()
        return stood

    def _let_go(self) -> None:
        """Steps that stand are kept no longer than a draft lies beneath them."""
        while self._steps and self._steps[0][1]:
            self._steps.pop(0)

    def take_back(self, step: Step) -> object:
        """Take a step back; what others did after it is carried out again. Return the position that there is now."""
        at = max(n for n, (other, _) in enumerate(self._steps) if other is step)
        later, self._steps = self._steps[at + 1 :], self._steps[:at]
        state = step.before
        for other, stands in later:
            transition = self._ruleset.apply(state, other.actor, other.action)
            self._steps.append((Step(other.actor, other.action, state, transition), stands))
            state = transition.state
        self._let_go()
        self._drafts = [draft for draft, stands in self._steps if not stands]
        return state
