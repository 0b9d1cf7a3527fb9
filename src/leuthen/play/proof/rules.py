"""Checks of a proof that need the rules: legality of lines, and the meaning of each outcome of chance.

For lines without a link: whether there was a choice, and whether the side's standing instruction gives that answer.
"""

from leuthen.engine.ruleset import CHANCE, actor_named, as_side
from leuthen.play.proof.check import ChanceOutcome, CheckReport
from leuthen.play.proof.ledger import SharedDice, answers_of
from leuthen.play.record import STANDING, Record, RecordEntry, RecordError, expect
from leuthen.play.replay import Replay, incompatibility, version_difference
from leuthen.play.table import STOP, Table, make_header
from leuthen.screen.presenter import Surprise, TableRuleset
from leuthen.wargame.names import format_count


def check_rules(ruleset: TableRuleset, recorded: Record, report: CheckReport) -> CheckReport:
    """Replay a record whose proof holds; return the completed report. Raise RecordError for a bad line."""
    _expect_header(ruleset, recorded)
    replay, chosen = Replay(ruleset, recorded, as_far=True), dict[int, str]()  # lines without a link that had a choice
    replay.table.record = written = _LineCapture()
    other = version_difference(ruleset, recorded.header.version)
    why = replay.incompatibility or (other.why if other else "")
    state, instructed, done = replay.table.state, _instructed_line(report, replay.table, 1), 0
    try:
        for entry in replay:
            reason = f'a record says "{written.text}" for this'
            expect(written.text == entry.text, recorded.path, reason, entry.line)
            fell = report.fallen.get(entry.number)
            if fell is not None and report.secret is not None:
                _expect_answer(ruleset, recorded, entry, state, fell, report.secret)
            reason = f'{entry.actor} gave no link for this, and its standing instruction answers "{instructed}" here'
            expect(instructed in ("", entry.text), recorded.path, reason, entry.line)
            if entry.number in report.bare:
                actor = actor_named(ruleset, entry.actor)
                forced = ruleset.forced(state, actor)
                if forced is None or ruleset.format_action(state, actor, forced) != entry.text:
                    chosen[entry.number] = entry.actor
            replay.table.commit_finished_drafts()
            state, done = replay.table.state, entry.number
            instructed = _instructed_line(report, replay.table, done + 1)
    except RecordError:
        if why:
            return report.with_rules_unchecked(
                f"The rules were checked for {format_count(done, 'line')} only: it {why}."
            )
        raise
    except Exception as error:  # rules may fail in any way at a record that no table of theirs has written
        return report.with_rules_unchecked(
            f"The rules failed at line {done + 1} of the record ({type(error).__name__})."
        )
    if why:
        lines = format_count(len(recorded.entries), "line")
        return report.with_rules_unchecked(f"{lines} were not checked by the rules and data of the game: it {why}.")
    said = f"Every line is legal by the rules of {ruleset.name}, and so is every answer of chance."
    return report.with_rules_checked(said, chosen)


class _LineCapture:
    """Receives the line that the table writes."""

    text = ""

    def write(self, actor: str, text: str) -> None:
        self.text = text


def _expect_header(ruleset: TableRuleset, recorded: Record) -> None:
    """Raise RecordError if a game by the same rules has a header that they would not write."""
    header = recorded.header
    if incompatibility(ruleset, header.ruleset, header.data) or version_difference(ruleset, header.version):
        return
    ours = make_header(ruleset, header.scenario, header.options, ["", ""], game=header.game, takebacks=header.takebacks)
    options = [f"option {name} {value}" for name, value in ours.options.items()]
    theirs = [
        line for line in recorded.lines[: len(recorded.lines) - len(recorded.entries)] if line.startswith("option ")
    ]
    is_right = theirs == options and list(header.seats) == list(ruleset.sides)
    expect(is_right, recorded.path, f"the options or the seats are not those of {ruleset.name}, in its order", 1)


def _instructed_line(report: CheckReport, table: Table, number: int) -> str:
    """Return line `number` by the side's standing instruction; "" if it is not said to answer."""
    side = report.instructed.get(number)
    if side is None:
        return ""
    answer = table.instruction_answer(actor := as_side(table.ruleset.sides.index(side)))
    if isinstance(answer, Surprise):
        return f"{STANDING} {STOP} {answer.reason}"
    return table.ruleset.format_action(table.state, actor, answer) if answer is not None else "nothing"


def _expect_answer(
    ruleset: TableRuleset, recorded: Record, entry: RecordEntry, state: object, fell: ChanceOutcome, secret: bytes
) -> None:
    dice, chances = SharedDice(secret, recorded.header.game, lambda place: fell.links), ruleset.chances(state)
    answer = ruleset.format_action(state, CHANCE, dice.outcome_at(fell.place, chances))
    cases, listed = dice.cases[fell.place], answers_of(ruleset, state, chances)
    other = f"{cases} cases are possible here by the rules, not {fell.cases}"
    expect(cases == fell.cases, recorded.path, other, entry.line)
    other = "the proof lists other answers than are possible here by the rules"
    expect(fell.answers == listed, recorded.path, other, entry.line)
    other = f'chance answered "{answer}" here, not "{entry.text}", by the secret and the links in force'
    expect(answer == entry.text, recorded.path, other, entry.line)
