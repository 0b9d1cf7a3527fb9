"""The log of each viewer, and the story of the war at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.engine.ruleset import CHANCE, EVERYTHING, VIEWERS, ViewerId, is_side
from leuthen.play.table import Step
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.story import DatedEntry, Moment, make_story
from leuthen.screen.values import CommanderRecord

MOST: Final = 5
"""The most commanders in the story."""


class ViewerLogs:
    """An observer that collects the log of each viewer. Drafts are visible only to their own side until they are
    committed."""

    def __init__(self, ruleset: TableRuleset) -> None:
        self._ruleset = ruleset
        self._told: tuple[list[str], ...] = tuple([] for _ in VIEWERS)
        self._read = [0 for _ in VIEWERS]
        self.story = StoryCollector(ruleset)

    def on_action(self, step: Step) -> None:
        if is_side(step.actor):
            self._told[step.actor].extend(self.lines(step, step.actor))

    def on_undo(self, step: Step) -> None:
        assert is_side(step.actor)
        told = self._told[step.actor]
        del told[len(told) - len(step.transition.events(step.actor)) :]
        self._read[step.actor] = min(self._read[step.actor], len(told))

    def on_committed(self, steps: Sequence[Step]) -> None:
        self.story.on_committed(steps)
        for step in steps:
            for viewer in VIEWERS:
                if viewer != step.actor or step.actor == CHANCE:
                    self._told[viewer].extend(self.lines(step, viewer))

    def lines(self, step: Step, viewer: ViewerId) -> list[str]:
        """Return the log lines of one action for a viewer."""
        return [self._ruleset.presenter.present_event(event).sentence for event in step.transition.events(viewer)]

    def news(self, viewer: ViewerId) -> list[str]:
        """Return the lines that the viewer has not read yet, and mark them read."""
        fresh = self._told[viewer][self._read[viewer] :]
        self._read[viewer] = len(self._told[viewer])
        return fresh

    def mark_read(self) -> None:
        """Mark everything read, for a game that is resumed."""
        self._read = [len(told) for told in self._told]

    def last(self, viewer: ViewerId, count: int) -> list[str]:
        """Return the newest lines, read or not."""
        return self._told[viewer][-count:] if count > 0 else []


class StoryCollector:
    """An observer that collects the story of the war for the time when nothing is secret any more."""

    def __init__(self, ruleset: TableRuleset) -> None:
        self._ruleset = ruleset
        self._setting = ruleset.presenter.setting()
        self._moments: list[Moment] = []
        self._lines: list[DatedEntry] = []
        self._label = ""

    def on_committed(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if not self._moments:
                self._moments.append(self._moment(step.before))
            for event in step.transition.events(EVERYTHING):
                entry = self._ruleset.presenter.present_event(event)
                if entry.topic == "turn":
                    self._moments.append(self._moment(step.transition.state))
                self._lines.append(DatedEntry(len(self._moments) - 1, entry))

    def render(self, state: object) -> Iterator[str]:
        """Yield the story up to this position, line by line."""
        now = self._moment(state)
        story = make_story(self._setting.sides, [*self._moments, now], self._lines, self._label)
        for year in story.years:
            yield f"{year.year}: {' '.join(year.sentences)}"
        for record in story.commanders[:MOST]:
            yield _record(record, story.unit)

    def _moment(self, state: object) -> Moment:
        scores = self._ruleset.presenter.scene(self._ruleset.view(state, EVERYTHING)).scores
        self._label = scores[0].label if scores else ""
        year, turn = self._ruleset.date(state)
        turns = self._setting.turns
        date = turns[turn - 1] if 0 < turn <= len(turns) else str(turn)
        return Moment(year, date, {score.id: score.values for score in scores})


def _record(one: CommanderRecord, unit: str) -> str:
    fought = f"{one.battles} battle{'s' * (one.battles != 1)}, {one.won} won, {one.lost} lost"
    return f"{one.name}: {fought}; {one.suffered} {unit} lost, {one.inflicted} {unit} of the enemy"
