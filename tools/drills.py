"""`python -m tools.drills` writes the index of the drills: the cases that make a question on the board."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator

from leuthen.cases import Case, open_cases, state_before
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import as_side
from leuthen.load import load
from leuthen.school.drills import HEAD, INDEX, best_segment, case_folder, is_allowed

Answer = tuple[int, int]
"""Of a question: how many orders are allowed, of how many."""


def index() -> str:
    """The text of the index. Of the rows of a table each is a drill whose answer differs from those before."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(HEAD)
    answers = defaultdict[tuple[str, str], list[Answer]](list)
    for file, case, title in _cases():
        family = case.name.partition("[")[0]
        answer = answer_of(case)
        if answer is not None and answer not in answers[file, family]:
            answers[file, family].append(answer)
            count = len(answers[file, family])
            name = family if count == 1 else f"{family}:{count}"
            rows.writerow([name, " ".join(case.rules), case.name, file, case.game, title])
    return written.getvalue()


def _cases() -> Iterator[tuple[str, Case, str]]:
    """Each case with its file and what it teaches: a title that begins with «…» goes on with the one before."""
    folder = case_folder()
    for path in sorted(folder.rglob("*.case")):
        whole = ""
        for case in open_cases(path):
            goes_on = case.title.startswith(("…", "..."))
            whole = whole if goes_on else case.title
            title = f"{whole} … {case.title.lstrip('. …')}" if goes_on and whole else case.title
            yield path.relative_to(folder).as_posix(), case, title


def answer_of(case: Case) -> Answer | None:
    """How many of the orders the rules allow, and how many there are; None where the case makes no question.

    It makes one if a side is asked, has a choice as far as a table would leave it one, and all orders can be read.
    """
    segment = best_segment(case)
    if segment is None or not case.rules:
        return None
    ruleset = load(case.game)
    side = as_side(ruleset.sides.index(segment.side))
    state = state_before(ruleset, case, segment.step)
    try:
        for order in segment.orders:
            ruleset.parse_action(state, side, order)
    except Invalid:
        return None
    is_asked = any(asked.actor == side for asked in ruleset.pending(state))
    if not is_asked or ruleset.chances(state) or ruleset.forced(state, side) is not None:
        return None
    return sum(is_allowed(ruleset, state, side, order) for order in segment.orders), len(segment.orders)


if __name__ == "__main__":
    INDEX.write_text(index(), encoding="utf-8")
