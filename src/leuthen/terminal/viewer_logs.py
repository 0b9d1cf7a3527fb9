"""What each viewer has been told: the events of a game, as soon as he may know them."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.engine.ruleset import CHANCE, VIEWERS, Ruleset, ViewerId, is_side
from leuthen.play.drafts import Step
from leuthen.terminal.story import StoryCollector


class ViewerLogs:
    """An observer that keeps what it may tell each viewer. Drafts are told to their own side only, until they stand."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._told: tuple[list[str], ...] = tuple([] for _ in VIEWERS)
        self._read = [0 for _ in VIEWERS]
        self.story = StoryCollector(ruleset)
        """What is told of the war when it is over."""

    def acted(self, step: Step) -> None:
        """Tells the actor."""
        if is_side(step.actor):
            self._told[step.actor].extend(self.lines(step, step.actor))

    def undone(self, step: Step) -> None:
        """Takes back what the actor was told."""
        assert is_side(step.actor)
        told = self._told[step.actor]
        del told[len(told) - len(step.transition.events(step.actor)) :]
        self._read[step.actor] = min(self._read[step.actor], len(told))

    def stood(self, steps: Sequence[Step]) -> None:
        """Tells everybody else."""
        self.story.stood(steps)
        for step in steps:
            for viewer in VIEWERS:
                if viewer != step.actor or step.actor == CHANCE:
                    self._told[viewer].extend(self.lines(step, viewer))

    def lines(self, step: Step, viewer: ViewerId) -> list[str]:
        """What a viewer may know of one action."""
        return [self._ruleset.presenter.present_event(event).sentence for event in step.transition.events(viewer)]

    def news(self, viewer: ViewerId) -> list[str]:
        """What the viewer has not been told yet."""
        fresh = self._told[viewer][self._read[viewer] :]
        self._read[viewer] = len(self._told[viewer])
        return fresh

    def mark_read(self) -> None:
        """Takes everything as read, for a game that goes on another day."""
        self._read = [len(told) for told in self._told]

    def last(self, viewer: ViewerId, count: int) -> list[str]:
        """The newest lines, read or not."""
        return self._told[viewer][-count:] if count > 0 else []
