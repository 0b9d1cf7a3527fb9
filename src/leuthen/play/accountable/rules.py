"""What only the rules can say of a proof: that every line is legal, and what each number that fell means.

And of the lines that came without a link: whether there was anything to choose, and that a standing instruction of
their side answers so.
"""

from __future__ import annotations

from leuthen.engine.ruleset import CHANCE, Ruleset, actor_named, as_side
from leuthen.engine.standing import Surprise
from leuthen.play.accountable.dice import SharedDice
from leuthen.play.accountable.report import CheckReport, Fallen
from leuthen.play.instruction import STOP
from leuthen.play.record import STANDING, Recorded, RecordEntry, RecordError
from leuthen.play.replay import Replay
from leuthen.play.table import Table


def check_rules(ruleset: Ruleset, recorded: Recorded, report: CheckReport) -> CheckReport:
    """Replays a record whose proof holds; the report with what that has shown. Raises RecordError for a bad line."""
    replay, judge = Replay(ruleset, recorded, as_far=True), _Judge(ruleset, recorded, report)
    state, told = replay.table.state, judge.told(replay.table, 1)
    try:
        for entry in replay:
            judge.expect(entry, state, told)
            replay.table.pass_on()
            state, told = replay.table.state, judge.told(replay.table, entry.number + 1)
    except RecordError as error:
        if replay.foreign:
            return report._replace(
                open=(*report.open, f"The rules were checked to line {error.line}: {replay.foreign}.")
            )
        raise
    said = f"Every line is legal by the rules of {ruleset.name}, and so is every answer of chance."
    return report.judged(said, judge.chosen)


class _Judge:
    """What the rules say of lines for which the proof has no answer of its own."""

    def __init__(self, ruleset: Ruleset, recorded: Recorded, report: CheckReport) -> None:
        self.chosen: dict[int, str] = {}
        """The lines without a link where there was a choice, and whose they are."""
        self._ruleset = ruleset
        self._recorded = recorded
        self._report = report

    def told(self, table: Table, number: int) -> str:
        """The line that comes next by the standing instruction of its side; "" if none is said to answer it."""
        side = self._report.unlinked.instructed.get(number)
        if side is None:
            return ""
        answer = table.instructed(actor := as_side(table.ruleset.sides.index(side)))
        if isinstance(answer, Surprise):
            return f"{STANDING} {STOP} {answer.reason}"
        return self._ruleset.format_action(table.state, actor, answer) if answer is not None else "nothing"

    def expect(self, entry: RecordEntry, state: object, told: str) -> None:
        """Raises RecordError if this line cannot have come about in this position. `told`: as `told` has it."""
        report = self._report
        fell = report.fallen.get(entry.number)
        if fell is not None and report.secret is not None:
            self._expect_answer(entry, state, fell, report.secret)
        if told not in ("", entry.text):
            reason = f"{entry.actor} gave no link for this, and his standing instruction answers «{told}» here"
            raise RecordError(self._recorded.path, reason, entry.line)
        if entry.number in report.unlinked.bare and not self._is_forced(entry, state):
            self.chosen[entry.number] = entry.actor

    def _is_forced(self, entry: RecordEntry, state: object) -> bool:
        """Whether a side had this answer alone."""
        actor = actor_named(self._ruleset, entry.actor)
        forced = self._ruleset.forced(state, actor)
        return forced is not None and self._ruleset.format_action(state, actor, forced) == entry.text

    def _expect_answer(self, entry: RecordEntry, state: object, fell: Fallen, secret: bytes) -> None:
        path, ruleset = self._recorded.path, self._ruleset
        dice = SharedDice(secret, self._recorded.header.game, lambda place: fell.links)
        answer = ruleset.format_action(state, CHANCE, dice.at(fell.place, ruleset.chances(state)))
        if dice.cases[fell.place] != fell.cases:
            reason = f"{dice.cases[fell.place]} cases are possible here by the rules, not {fell.cases}"
            raise RecordError(path, reason, entry.line)
        if answer != entry.text:
            reason = f"chance answered «{answer}» here, not «{entry.text}»: so say the secret and the links in force"
            raise RecordError(path, reason, entry.line)
