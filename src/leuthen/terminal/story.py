"""The war in sentences, for the end of a game, when nothing is secret any more: each year, and the commanders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leuthen.engine.ruleset import EVERYTHING, Ruleset
from leuthen.play.drafts import Step
from leuthen.screen import CommanderRecord
from leuthen.screen.story import DatedEntry, Moment, make_story

MOST = 5
"""Commanders who are told of."""


class StoryCollector:
    """Keeps what the story of a game is made of, from the actions that stand."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._setting = ruleset.presenter.setting()
        self._moments: list[Moment] = []
        self._lines: list[DatedEntry] = []
        self._label = ""

    def stood(self, steps: Sequence[Step]) -> None:
        """Takes actions up."""
        for step in steps:
            if not self._moments:
                self._moments.append(self._moment(step.before))
            for event in step.transition.events(EVERYTHING):
                entry = self._ruleset.presenter.present_event(event)
                if entry.topic == "turn":
                    self._moments.append(self._moment(step.transition.state))
                self._lines.append(DatedEntry(len(self._moments) - 1, entry))

    def tell(self, state: object) -> Iterator[str]:
        """The story up to this position, line by line."""
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
