"""A report as plain text."""

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.report.values import ChanceAccount, Judgement, WarReport
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.names import format_count

BAR: Final = 20
WORDS: Final = {
    "none": "no error",
    "small": "a small error",
    "medium": "a medium error",
    "large": "a large error",
}


def report_lines(ruleset: TableRuleset, report: WarReport, sides: Sequence[int]) -> Iterator[str]:
    """Yield a report line by line, with the knowledge and the decisions of these sides."""
    setting = ruleset.presenter.setting()
    first, second = names = setting.sides

    def date_of(date: tuple[int, int]) -> str:
        year, turn = date
        name = setting.turns[turn - 1] if 0 < turn <= len(setting.turns) else f"turn {turn}"
        return f"{name} {year + (turn == len(setting.turns) and 'January' in name)}"

    yield f'The war ended: {report.outcome}. Chances by the learned value {report.evaluator}, seed "{report.seed}".'
    yield ""
    yield f"Winning chance ({first}) at the start of each turn, as each side knew it and with open cards:"
    for one in report.chances:
        known = "  ".join(f"{names[side]} {one.known[side]:4.0%}" for side in sides)
        yield f"  {date_of(one.date):<22} {known}  open {one.open:4.0%}  {'#' * round(one.open * BAR)}"
    yield ""
    yield f"Changes of the winning chance ({first}), in points:"
    head = f"{'luck':>7} {first[:13]:>13} {second[:13]:>13} {'evaluator':>10}"
    yield f"  {'':<8} {'from':>6} {'to':>6} {head}"
    for year, account in report.years:
        yield f"  {year:<8} {_account(account)}"
    yield f"  {'the war':<8} {_account(report.account)}"
    yield "  Luck: rolls against the average. Sides: decisions against their staffs'."
    yield "  Evaluator: the unexplained rest."
    for side in (one for one in report.known if one.side in sides):
        grades = [one.grade for one in side.judged]
        counts = ", ".join(f"{grades.count(word)} {word}" for word in ("large", "medium", "small"))
        asked = format_count(side.alike + side.tried, "decision")
        yield ""
        yield f"{names[side.side]}: {asked}, {side.alike} like the staff; errors: {counts}."
        for judged in side.judged:
            if judged.grade != "none":
                what = f"{judged.order}; the staff: {judged.staff}  {_cost(judged)}"
                yield f"  {judged.line:>5}  {date_of(judged.date)}: {what}"
    yield ""
    yield "Key moments:"
    for number, moment in enumerate(report.moments, 1):
        if moment.judged is not None and moment.judged.side in sides:
            what = f"{names[moment.judged.side]}, {moment.judged.decision}"
            yield f"{number:>3}. {date_of(moment.judged.date)}, line {moment.line}: {what}"
            yield f"     Order:      {moment.judged.order}"
            yield f"     The staff:  {moment.judged.staff}"
            yield from (f"       {line}" for line in moment.judged.why)
            yield f"     {WORDS[moment.judged.grade].capitalize()}: {_cost(moment.judged)}"
            for belief in moment.beliefs:
                guess = f"believed {belief.mean:.0f} ({belief.least} to {belief.most})"
                yield f"     {belief.force}: {guess}, in truth {belief.truth}"
        elif moment.luck is not None:
            luck, whose = moment.luck, names[moment.luck.gain <= 0]
            yield f"{number:>3}. {date_of(luck.date)}, line {luck.line}: {luck.decision}, {luck.answer}"
            yield f"     Luck ({whose}): {abs(luck.gain) * 100:.1f} points"


def _account(account: ChanceAccount) -> str:
    moves = (account.luck, *account.decisions, account.evaluator)
    luck, first, second, evaluator = (f"{100 * move:+.1f}" for move in moves)
    return f"{account.initial:>6.0%} {account.final:>6.0%} {luck:>7} {first:>13} {second:>13} {evaluator:>10}"


def _cost(judged: Judgement) -> str:
    return f"{judged.cost:.1f} points (± {judged.error:.1f}, {judged.worlds} worlds)"
