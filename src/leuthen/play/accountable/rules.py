"""What only the rules can say of a proof: that every line is legal, and what each number that fell means."""

from __future__ import annotations

from leuthen.engine.ruleset import CHANCE, Ruleset
from leuthen.play.accountable.check import Fallen, Report
from leuthen.play.accountable.dice import SharedDice
from leuthen.play.record import Entry, Recorded, RecordError
from leuthen.play.replay import Replay


def check_rules(ruleset: Ruleset, recorded: Recorded, report: Report) -> Report:
    """Replays a record whose proof holds; the report with what that has shown. Raises RecordError for a bad line."""
    replay = Replay(ruleset, recorded, as_far=True)
    before = replay.table.state
    try:
        for entry in replay:
            fell = report.fallen.get(entry.number)
            if fell is not None and report.secret is not None:
                _expect_answer(ruleset, recorded, before, entry, fell, report.secret)
            before = replay.table.state
    except RecordError as error:
        if replay.foreign:
            return report._replace(
                open=(*report.open, f"The rules were checked to line {error.line}: {replay.foreign}.")
            )
        raise
    said = f"Every line is legal by the rules of {ruleset.name}, and so is every answer of chance."
    return report._replace(holds=(*report.holds, said))


def _expect_answer(
    ruleset: Ruleset, recorded: Recorded, state: object, entry: Entry, fell: Fallen, secret: bytes
) -> None:
    dice = SharedDice(secret, recorded.header.game, lambda place: fell.links)
    answer = ruleset.format_action(state, CHANCE, dice.at(fell.place, ruleset.chances(state)))
    if dice.cases[fell.place] != fell.cases:
        reason = f"{dice.cases[fell.place]} cases are possible here by the rules, not {fell.cases}"
        raise RecordError(recorded.path, reason, entry.line)
    if answer != entry.text:
        reason = f"chance answered «{answer}» here, not «{entry.text}»: so say the secret and the links in force"
        raise RecordError(recorded.path, reason, entry.line)
