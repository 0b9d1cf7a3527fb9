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

    def __iter__(self) -> Iterator[Step]:
        """What may still be taken back, oldest first."""
        return (step for step, stands in self._steps if not stands)

    def __len__(self) -> int:
        return sum(not stands for _, stands in self._steps)

    def copy(self) -> Drafts:
        """The same drafts, to go on with apart."""
        twin = Drafts(self._ruleset)
        twin._steps = self._steps.copy()
        return twin

    def add(self, step: Step) -> None:
        """A step that may be taken back."""
        self._steps.append((step, False))

    def last(self, actor: ActorId) -> Step | None:
        """The last step that an actor may take back."""
        return next((step for step, stands in reversed(self._steps) if step.actor == actor and not stands), None)

    def is_beside(self, step: Step) -> bool:
        """Whether a new step leaves the drafts of others as they are: it belongs to a choice that both make at once."""
        return not any(draft.actor != step.actor for draft in self) or self._is_shared(step)

    def _is_shared(self, step: Step) -> bool:
        """Whether both sides were to choose, or one reopened what it had sealed while the other still chose."""
        awaited = self._ruleset.pending(step.before)
        return len(awaited) > 1 or all(pending.actor != step.actor for pending in awaited)

    def seen_by(self, viewer: ViewerId, state: object) -> object:
        """The position that a viewer may be shown: without the drafts of others.

        What others choose in secret is covered by views, and needs no older position.
        """
        first = next((step for step in self if step.actor != viewer), None)
        return state if first is None or self._is_shared(first) else first.before

    def over(self, state: object) -> list[ActorId]:
        """The actors whose drafts stand, because what they decided is over: somebody else, or something else, is asked.

        A side goes on undisturbed while it alone is asked, or both are asked for the same choice as before.
        """
        awaited = {pending.actor: pending.decision for pending in self._ruleset.pending(state)}
        ended = []
        for actor in {step.actor for step in self}:
            last = self.last(actor)
            alone = list(awaited) == [actor]
            if last is not None and not alone and not (actor in awaited and self._goes_on(last, awaited[actor])):
                ended.append(actor)
        return sorted(ended)

    def _goes_on(self, step: Step, decision: str) -> bool:
        before = {pending.actor: pending.decision for pending in self._ruleset.pending(step.before)}
        return len(before) > 1 and before.get(step.actor) == decision

    def commit(self, actor: ActorId | None = None) -> list[Step]:
        """Lets the drafts of an actor stand, or all; these are returned, oldest first."""
        stood = [step for step in self if actor in (None, step.actor)]
        self._steps = [(step, stands or actor in (None, step.actor)) for step, stands in self._steps]
        self._let_go()
        return stood

    def _let_go(self) -> None:
        """Steps that stand are kept no longer than a draft lies beneath them."""
        while self._steps and self._steps[0][1]:
            self._steps.pop(0)

    def take_back(self, step: Step) -> object:
        """Takes a step back; what others did after it is carried out again. Gives the position that there is now."""
        at = max(n for n, (other, _) in enumerate(self._steps) if other is step)
        later, self._steps = self._steps[at + 1 :], self._steps[:at]
        state = step.before
        for other, stands in later:
            transition = self._ruleset.apply(state, other.actor, other.action)
            self._steps.append((Step(other.actor, other.action, state, transition), stands))
            state = transition.state
        self._let_go()
        return state
