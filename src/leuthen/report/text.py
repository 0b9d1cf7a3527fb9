"""A report as plain text."""

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.report.values import ChanceAccount, Judgement, KeyMoment, SideReport, WarReport
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.names import format_count

BAR: Final = 20
WORDS: Final = {
    "none": "no error",
    "small": "a small error",
    "medium": "a medium error",
    "large": "a large error",
}


class ReportText:
    def __init__(self, ruleset: TableRuleset, report: WarReport) -> None:
        self._report = report
        setting = ruleset.presenter.setting()
        self._sides = setting.sides
        self._turns = setting.turns

    def render(self, sides: Sequence[int]) -> Iterator[str]:
        report = self._report
        yield f'The war ended: {report.outcome}. Chances by the learned value {report.evaluator}, seed "{report.seed}".'
        yield from ("", *self._chances(sides))
        yield from ("", *self._ledger())
        for known in report.known:
            if known.side in sides:
                yield from ("", *self._decisions(known))
        yield from ("", *self._highlight_lines(sides))

    def _date(self, date: tuple[int, int]) -> str:
        year, turn = date
        name = self._turns[turn - 1] if 0 < turn <= len(self._turns) else f"turn {turn}"
        return f"{name} {year + (turn == len(self._turns) and 'January' in name)}"

    def _chances(self, sides: Sequence[int]) -> Iterator[str]:
        first = self._sides[0]
        yield f"Winning chance ({first}) at the start of each turn, as each side knew it and with open cards:"
        for one in self._report.chances:
            known = "  ".join(f"{self._sides[side]} {one.known[side]:4.0%}" for side in sides)
            yield f"  {self._date(one.date):<22} {known}  open {one.open:4.0%}  {'#' * round(one.open * BAR)}"

    def _ledger(self) -> Iterator[str]:
        first, second = self._sides
        yield f"Changes of the winning chance ({first}), in points:"
        head = f"{'luck':>7} {first[:13]:>13} {second[:13]:>13} {'evaluator':>10}"
        yield f"  {'':<8} {'from':>6} {'to':>6} {head}"
        for year, account in self._report.years:
            yield f"  {year:<8} {_account(account)}"
        yield f"  {'the war':<8} {_account(self._report.account)}"
        yield "  Luck: rolls against the average. Sides: decisions against their staffs'."
        yield "  Evaluator: the unexplained rest."

    def _decisions(self, known: SideReport) -> Iterator[str]:
        grades = [one.grade for one in known.judged]
        counts = ", ".join(f"{grades.count(word)} {word}" for word in ("large", "medium", "small"))
        asked = format_count(known.alike + known.tried, "decision")
        yield f"{self._sides[known.side]}: {asked}, {known.alike} like the staff; errors: {counts}."
        for one in known.judged:
            if one.grade != "none":
                yield f"  {one.line:>5}  {self._date(one.date)}: {one.order}; the staff: {one.staff}  {_cost(one)}"

    def _highlight_lines(self, sides: Sequence[int]) -> Iterator[str]:
        yield "Key moments:"
        for number, moment in enumerate(self._report.moments, 1):
            if moment.judged is not None and moment.judged.side in sides:
                yield from self._error(number, moment, moment.judged)
            elif moment.luck is not None:
                luck, whose = moment.luck, self._sides[moment.luck.gain <= 0]
                yield f"{number:>3}. {self._date(luck.date)}, line {luck.line}: {luck.decision}, {luck.answer}"
                yield f"     Luck ({whose}): {abs(luck.gain) * 100:.1f} points"

    def _error(self, number: int, moment: KeyMoment, judged: Judgement) -> Iterator[str]:
        what = f"{self._sides[judged.side]}, {judged.decision}"
        yield f"{number:>3}. {self._date(judged.date)}, line {moment.line}: {what}"
        yield f"     Order:      {judged.order}"
        yield f"     The staff:  {judged.staff}"
        yield from (f"       {line}" for line in judged.why)
        yield f"     {WORDS[judged.grade].capitalize()}: {_cost(judged)}"
        for one in moment.beliefs:
            guess = f"believed {one.mean:.0f} ({one.least} to {one.most})"
            yield f"     {one.force}: {guess}, in truth {one.truth}"


def _account(account: ChanceAccount) -> str:
    moves = (account.luck, *account.decisions, account.evaluator)
    luck, first, second, evaluator = (f"{100 * move:+.1f}" for move in moves)
    return f"{account.initial:>6.0%} {account.final:>6.0%} {luck:>7} {first:>13} {second:>13} {evaluator:>10}"


def _cost(judged: Judgement) -> str:
    return f"{judged.cost:.1f} points (± {judged.error:.1f}, {judged.worlds} worlds)"
