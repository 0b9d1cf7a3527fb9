"""Cases: their text, with position, steps and facts, and their runs (docs/cases.md).

A run builds the position, answers for the players and for chance, and compares facts.
"""

import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from leuthen.engine.choice import Action, Refusal
from leuthen.engine.refusal import Illegal, Invalid, lines_of, plain_spaces, require
from leuthen.engine.ruleset import CHANCE, SIDES, ActorId, Side, Transition, actor_named, as_side
from leuthen.load import DEFAULT, casebook_of, load, names, text_of
from leuthen.play.record import STANDING
from leuthen.play.table import Instruction
from leuthen.screen.presenter import Standing, Surprise, TableRuleset, read_clauses
from leuthen.wargame.case_words import BadLine, CaseMoment, Unexpected, actors_of, asked_text

STEPS: Final = ("DICE", "DO", "REFUSED", "ALLOWED", "EXPECT", "CHANCES", "STANDING", "ANSWERS", "SURPRISE")
"""Keywords of steps."""
TABLES: Final = ("ROWS", "TABLE")
GAME: Final = "GAME"
KEYWORDS: Final = ("CASE", "RULES", "GIVEN", *STEPS, *TABLES)

_COMMENT: Final = re.compile(r"(^|\s)#.*$")
_PART: Final = re.compile(r'(?:"[^"]*"|[^;"])+')
_RULE: Final = re.compile(r"[A-Z]\d+(?:\.\d+[a-z]?)?(?!\S)")
_SHOUTED: Final = re.compile(r"[A-Z]{3,}")  # a word that can only be a mistyped keyword: no statement begins like this
_SLOT: Final = re.compile(r"\{(\w+)\}")


class Statement(NamedTuple):
    number: int
    text: str


class CaseStep(NamedTuple):
    kind: str
    line: Statement


class Case(NamedTuple):
    """One case: the given position and the steps. `rules` are those that it proves."""

    path: Path
    game: str
    line: int
    name: str
    title: str
    rules: tuple[str, ...]
    given: tuple[Statement, ...]
    steps: tuple[CaseStep, ...]


def parts(text: str) -> list[str]:
    """Return the statements of a line, separated by `;` outside quotation marks."""
    return [part.strip() for part in _PART.findall(text) if part.strip()]


def read_given(text: str) -> tuple[Statement, ...]:
    """Return the statements of GIVEN lines, with or without that word before them."""
    lines = ((number, _COMMENT.sub("", line).strip()) for number, line in enumerate(lines_of(plain_spaces(text)), 1))
    return tuple(Statement(number, part) for number, line in lines for part in parts(line.removeprefix("GIVEN ")))


def open_cases(path: Path) -> list[Case]:
    """Return the cases of a file. Raise Invalid, naming file and line."""
    return read_cases(path, text_of(path))


def read_cases(path: Path, text: str) -> list[Case]:
    """Return the cases of a file, a table's rows one by one. Raises Invalid with file and line."""
    cases, faults = sift_cases(path, text)
    if faults:
        raise faults[0]
    return cases


def sift_cases(path: Path, text: str) -> tuple[list[Case], list[Invalid]]:
    """Return the cases and rows of a file that can be understood, and the errors of the others."""
    blocks: list[list[Statement]] = [[]]  # the lines before the first case, then those of each case
    for number, line in enumerate(lines_of(plain_spaces(text)), 1):
        if bare := _COMMENT.sub("", line).strip():
            blocks += [[]] if bare.split()[0] == "CASE" else []
            blocks[-1].append(Statement(number, bare))
    cases, faults, known = list[Case](), list[Invalid](), set[str]()
    try:
        for number, text in [line for block in blocks for line in block][1:]:
            _expect(text.split()[0] != GAME, path, number, f"{GAME} must come first")
        game, common = _read_head(path, blocks[0])
    except Invalid as error:
        return [], [error]
    for block in blocks[1:]:
        try:
            cases += _read_case(path, game, common, block, known, faults)
        except Invalid as error:
            faults.append(error)
    return cases, faults


def _expect(holds: object, path: Path, number: int, reason: str) -> None:
    require(holds, f"{path}, line {number}: {reason}")


def _with_keywords(path: Path, lines: Iterable[Statement], kind: str) -> Iterator[tuple[str, bool, Statement]]:
    """Yield each line with its keyword, and whether it begins with it: a line without one continues the last."""
    for number, text in lines:
        word, _, rest = text.partition(" ")
        is_new = word in KEYWORDS
        if not is_new:
            is_more = kind not in ("", "CASE") and (kind in TABLES or not _SHOUTED.fullmatch(word))
            _expect(is_more, path, number, f'"{word}": a line begins with one of {", ".join(KEYWORDS)}')
        kind = word if is_new else kind
        yield kind, is_new, Statement(number, rest.strip() if is_new else text)


def _read_head(path: Path, lines: Sequence[Statement]) -> tuple[str, list[Statement]]:
    """Return the rule set of a file, and the statements given in all its cases."""
    game, common, known = DEFAULT, list[Statement](), names()
    if lines and lines[0].text.split()[0] == GAME:
        (number, text), *lines = lines
        game = text.partition(" ")[2].strip()
        _expect(game in known, path, number, f'"{game}" is not a valid rule set: {", ".join(known)}')
    for kind, _, (number, text) in _with_keywords(path, lines, ""):
        _expect(kind == "GIVEN", path, number, f"only GIVEN may come before the first CASE, not {kind}")
        common += [Statement(number, part) for part in parts(text)]
    return game, common


def _read_case(
    path: Path,
    game: str,
    common: Sequence[Statement],
    block: Sequence[Statement],
    known: set[str],
    faults: list[Invalid],
) -> list[Case]:
    """Return the case of these lines, or one for each row of its table.

    `known` are the names of the cases before it; rows with errors are noted in `faults`. Raise Invalid.
    """
    line, text = block[0]
    name, _, title = text.partition(" ")[2].strip().partition(" ")
    _expect(name, path, line, "a case needs a name")
    _expect(name not in known, path, line, f"there is another case named {name}")
    rules: list[str] = _RULE.findall(name.partition("-")[0].partition("[")[0])
    given, steps, table, rows = [*common], list[CaseStep](), "", list[Statement]()
    for kind, is_new, (number, text) in _with_keywords(path, block[1:], "CASE"):
        if kind in TABLES:
            _expect(not (is_new and table), path, number, "a case has one ROWS or TABLE")
            table = table or kind
            rows += [Statement(number, text)] if text else []
        elif kind == "RULES":
            for word in text.replace(",", " ").split():
                _expect(_RULE.fullmatch(word), path, number, f'"{word}" is not a valid rule number, such as O5.3')
                rules.append(word)
        elif kind == "GIVEN":
            given += [Statement(number, part) for part in parts(text)]
        else:
            steps += [CaseStep(kind, Statement(number, part)) for part in parts(text)]
    known.add(name)
    unique = tuple(dict.fromkeys(rules))
    whole = Case(path, game, line, name, title.strip(), unique, tuple(given), tuple(steps))
    if not table:
        return [whole]
    cases = list[Case]()
    try:
        cases.extend(_fill_template(whole, row) for row in (_list if table == "ROWS" else _cross)(path, rows, faults))
    except Invalid as error:
        faults.append(error)
    return cases


class CaseRow(NamedTuple):
    """A row of a case's table, or a cell of a table with two headings: its line, its label, and values by column."""

    line: int
    label: str
    values: Mapping[str, str]


def _list(path: Path, rows: Sequence[Statement], faults: list[Invalid]) -> Iterator[CaseRow]:
    _expect(rows, path, 0, "ROWS needs a line with the names of its columns")
    names = _cells(rows[0].text)
    for number, text in rows[1:]:
        cells = _cells(text) if len(names) > 1 else [text.strip("| ")]
        if len(cells) == len(names):
            yield CaseRow(number, " ".join(cells), dict(zip(names, cells, strict=True)))
        else:
            reason = f"{len(cells)} values for the columns {', '.join(names)}"
            faults.append(Invalid(f"{path}, line {number}: {reason}"))


def _cross(path: Path, rows: Sequence[Statement], faults: list[Invalid]) -> Iterator[CaseRow]:
    is_table = len(rows) >= 2 and len(_cells(rows[0].text)) == 3
    reason = "TABLE needs three names (row, column, cell) and a line with its columns"
    _expect(is_table, path, rows[0].number if rows else 0, reason)
    names, columns = _cells(rows[0].text), _cells(rows[1].text)
    for number, text in rows[2:]:
        label, *cells = _cells(text)
        if len(cells) != len(columns):
            faults.append(Invalid(f"{path}, line {number}: {len(cells)} cells for {len(columns)} columns"))
            continue
        for column, cell in zip(columns, cells, strict=True):
            values = dict[str, str]()
            for keys, said in zip(names, (label, column, cell), strict=True):
                pair = keys.split(","), said.split(",")
                _expect(len(pair[0]) == len(pair[1]), path, number, f'"{said}" for {keys}')
                values |= zip(*pair, strict=True)
            yield CaseRow(number, f"{label} {column}", values)


def _cells(text: str) -> list[str]:
    cells = [cell.strip() for cell in text.strip("| ").split("|")] if "|" in text else text.split()
    return ["" if cell == "." else cell for cell in cells]


def _fill_template(whole: Case, row: CaseRow) -> Case:
    def fill(at: Statement) -> str:
        for name in _SLOT.findall(at.text):
            reason = f"{{{name}}} is not a column of the table: {', '.join(row.values)}"
            _expect(name in row.values, whole.path, at.number, reason)
        return _SLOT.sub(lambda slot: row.values[slot[1]], at.text)

    def lines(at: Statement) -> list[Statement]:
        return [Statement(at.number, part) for part in parts(fill(at))]

    def step(kind: str, line: Statement) -> CaseStep:
        word, _, rest = line.text.partition(" ")
        return CaseStep(word, Statement(line.number, rest.strip())) if word in STEPS else CaseStep(kind, line)

    return whole._replace(
        line=row.line,
        name=f"{whole.name}[{row.label}]",
        title=fill(Statement(whole.line, whole.title)),
        given=tuple(part for at in whole.given for part in lines(at)),
        steps=tuple(step(each.kind, part) for each in whole.steps for part in lines(each.line)),
    )


ORDERS: Final = ("DO", "REFUSED", "ALLOWED", "STANDING", "ANSWERS")  # steps that contain an order or a clause
CHECKS: Final = ("EXPECT", "REFUSED", "ALLOWED", "CHANCES", "ANSWERS", "SURPRISE")
"""Steps that state a fact; a case needs one."""
NOTHING: Final = "nothing"  # answer of an instruction that leaves the decision to its owner


class CaseResult(NamedTuple):
    """The result of a case: the line and fault of its first departure, if any."""

    case: Case
    line: int = 0
    fault: str = ""
    is_unclear: bool = False  # one of its lines cannot be understood

    @property
    def text(self) -> str:
        head = f"{'FAIL' if self.fault else 'ok  '} {self.case.name} {self.case.title}".rstrip()
        return f"{head}\n     {self.case.path}, line {self.line}: {self.fault}" if self.fault else head


class _Departure(Exception):
    def __init__(self, line: int, fault: str, *, is_unclear: bool = False) -> None:
        super().__init__(fault)
        self.line = line
        self.is_unclear = is_unclear


@contextmanager
def _guard(line: int, kind: str = "GIVEN") -> Iterator[None]:
    """Turn every error within into a departure at that line. An unclear order departs; other lines spoil the case."""
    is_unclear = kind not in ORDERS
    try:
        yield
    except _Departure:
        raise
    except Invalid as error:
        at = error.line if isinstance(error, BadLine) else line
        raise _Departure(at, str(error), is_unclear=is_unclear) from error
    except Exception as error:
        raise _Departure(line, f"the program breaks off with {type(error).__name__}: {error}") from error


class _Run:
    def __init__(self, ruleset: Any, case: Case) -> None:
        self.ruleset: TableRuleset = ruleset
        self.case = case
        self.dice: deque[Statement] = deque()
        self.steps: list[Transition] = []
        self.learned = 0
        self.state: Any = None
        self.data = ruleset.data
        self.book = casebook_of(ruleset.name)
        self.actors = actors_of(ruleset)
        self.instructions = [Instruction(), Instruction()]

    def run(self) -> None:
        """Run all steps; raise _Departs at the first fact that does not hold."""
        self.advance(self.case.steps)
        is_open = bool(self.case.steps) and self.case.steps[-1].kind == "ALLOWED"  # they are for what is allowed then
        if self.dice and not is_open:
            left = self.dice[0].text.partition(" ")[2]
            raise _Departure(self.dice[0].number, f'"{left}" and what follows was never rolled')
        if not any(step.kind in CHECKS for step in self.case.steps):
            raise _Departure(self.case.line, f"the case shows nothing: it has none of {', '.join(CHECKS)}")

    def advance(self, steps: Sequence[CaseStep]) -> None:
        """Build the position and run the first steps."""
        with _guard(self.case.line):
            given = self.book.build_position(self.data, self.case.given)
            for number, text in given.dice:
                self.dice.extend(Statement(number, answer) for answer in self.book.answers(self.data, text))
            self._apply_transition(given.transition)
            self._answer_chance()
        for step in steps:
            with _guard(step.line.number, step.kind):
                _STEPS[step.kind](self, step.line)

    def _apply_transition(self, transition: Transition) -> None:
        self.state = transition.state
        self.steps.append(transition)
        self.learned |= transition.learned
        self.instructions = [
            instruction.after_events(self.ruleset.standing, side, transition.events(side))
            for side, instruction in zip(SIDES, self.instructions, strict=True)
        ]

    def _answer_chance(self) -> None:
        while self.dice and self.ruleset.chances(self.state):
            line = self.dice.popleft()
            said = Statement(line.number, line.text.partition(" ")[2])
            self._apply(said, CHANCE, self.ruleset.parse_action(self.state, CHANCE, line.text))

    def _apply(self, line: Statement, actor: ActorId, action: Action) -> None:
        try:
            self._apply_transition(self.ruleset.apply(self.state, actor, action))
        except Illegal as error:
            asked = asked_text(self.ruleset, self.state)
            raise _Departure(line.number, f'"{line.text}" is refused: {error}; asked is {asked}') from error

    def _parse_action(self, line: Statement, text: str) -> tuple[ActorId, Action]:
        word, _, order = text.strip().partition(" ")
        require(word in self.actors, f'"{word}" is not one of {", ".join(self.actors)}: who acts comes first')
        actor = actor_named(self.ruleset, word)
        if actor != CHANCE and self.ruleset.chances(self.state):
            (asked,) = self.ruleset.pending(self.state)
            raise _Departure(line.number, f"chance is awaited ({asked.decision}), and DICE has no more")
        return actor, self.ruleset.parse_action(self.state, actor, order)

    def add_dice(self, line: Statement) -> None:
        self.dice.extend(Statement(line.number, answer) for answer in self.book.answers(self.data, line.text))
        self._answer_chance()

    def do(self, line: Statement) -> None:
        actor, action = self._parse_action(line, line.text)
        self.steps, self.learned = [], 0
        self._apply(line, actor, action)
        self._answer_chance()

    def refused(self, line: Statement) -> None:
        order, dashes, rule = line.text.partition(" -- ")
        require(dashes, "-- and the rule that refuses it are expected at the end")
        refusal = self._refusal(line, order)
        number, _, words = rule.strip().partition(" ")
        if refusal is None:
            raise _Departure(line.number, f'"{order}" must be refused by {number}, and is legal')
        if refusal.rule != number or words not in refusal.text:
            raise _Departure(line.number, f'"{order}" must be refused by {rule.strip()}; it is: {refusal.text}')

    def allowed(self, line: Statement) -> None:
        refusal = self._refusal(line, line.text)
        if refusal is not None:
            raise _Departure(line.number, f'"{line.text}" must be legal, and is refused: {refusal.text}')

    def standing(self, line: Statement) -> None:
        side, text = self._side(line.text)
        view = self.ruleset.view(self.state, side)
        clauses = read_clauses(self._standing, view, [*self.instructions[side].lines, text])
        self.instructions[side] = Instruction(tuple(map(self._standing.format, clauses)))

    def answers(self, line: Statement) -> None:
        """The instruction gives this answer, which is carried out; `nothing`: the side is asked itself."""
        side, wanted = self._side(line.text)
        answer = self._answer_by_instruction(side)
        if isinstance(answer, Surprise):
            raise _Departure(line.number, f"expected {wanted}; it is a surprise: {answer.reason}")
        found = self.ruleset.format_action(self.state, side, answer) if answer is not None else NOTHING
        if wanted != NOTHING:
            wanted = self.ruleset.format_action(self.state, side, self._parse_action(line, line.text)[1])
        if wanted != found:
            raise _Departure(line.number, f"expected the answer {wanted}; it is {found}")
        if answer is not None:
            self.do(line)

    def surprise(self, line: Statement) -> None:
        """The instruction stops with these words."""
        side, words = self._side(line.text)
        answer = self._answer_by_instruction(side)
        if not isinstance(answer, Surprise) or words not in answer.reason:
            found = answer.reason if isinstance(answer, Surprise) else str(answer)
            raise _Departure(line.number, f'expected the surprise "{words}"; it is: {found}')
        self.instructions[side] = self.instructions[side].stop(answer.reason)

    @property
    def _standing(self) -> Standing:
        if self.ruleset.standing is None:
            raise Invalid("there are no standing instructions in this game")
        return self.ruleset.standing

    def _side(self, text: str) -> tuple[Side, str]:
        word, _, rest = text.strip().partition(" ")
        require(
            word in self.ruleset.sides, f'"{word}" is not one of {", ".join(self.ruleset.sides)}: a side comes first'
        )
        return as_side(self.ruleset.sides.index(word)), rest.strip()

    def _answer_by_instruction(self, side: Side) -> Action | Surprise | None:
        ruleset, state = self.ruleset, self.state
        legal = ruleset.legal_actions(state, side)
        return self.instructions[side].answer(self._standing, ruleset.view(state, side), legal)

    def _refusal(self, line: Statement, order: str) -> Refusal | None:
        if order.split()[1:2] == [STANDING]:
            side, clause = self._side(order.strip().replace(f" {STANDING} ", " ", 1))
            clauses = self._standing.clauses(view := self.ruleset.view(self.state, side))
            return clauses.why_not(self._standing.parse(view, clause))
        actor, action = self._parse_action(line, order)
        try:
            self.ruleset.apply(self.state, actor, action)
        except Illegal as error:
            return error.refusal
        return None

    def expect(self, line: Statement) -> None:
        try:
            self.book.check(CaseMoment(self.ruleset, self.data, self.state, self.steps, self.learned), line.text)
        except Unexpected as error:
            raise _Departure(line.number, str(error)) from error

    def chances(self, line: Statement) -> None:
        words = partial(self.ruleset.format_action, self.state, CHANCE)
        found = {words(action).partition(" ")[2]: odds for action, odds in self.ruleset.chances(self.state)}
        if line.text == "die":
            wanted = {str(die): Fraction(1, 6) for die in range(1, 7)}
        elif line.text == "dice":
            wanted = {str(dice): Fraction(6 - abs(7 - dice), 36) for dice in range(2, 13)}
        else:
            wanted = dict(_odds(part) for part in line.text.split(","))
        if found != wanted:
            said = ", ".join(f"{answer} {odds}" for answer, odds in found.items())
            raise _Departure(line.number, f"expected the chances {line.text}; they are {said or 'none'}")


def _odds(part: str) -> tuple[str, Fraction]:
    answer, _, odds = part.strip().rpartition(" ")
    try:
        return answer, Fraction(odds)
    except ValueError as error:
        raise Invalid(f'"{part.strip()}": an answer of chance and its probability are expected') from error


_STEPS: Final = {
    "DICE": _Run.add_dice,
    "DO": _Run.do,
    "REFUSED": _Run.refused,
    "ALLOWED": _Run.allowed,
    "EXPECT": _Run.expect,
    "CHANCES": _Run.chances,
    "STANDING": _Run.standing,
    "ANSWERS": _Run.answers,
    "SURPRISE": _Run.surprise,
}


def run_case(ruleset: TableRuleset, case: Case) -> CaseResult:
    """Run one case. It never raises: faults of the case or of the program are in the result."""
    try:
        _Run(ruleset, case).run()
    except _Departure as error:
        return CaseResult(case, error.line, str(error), error.is_unclear)
    return CaseResult(case)


def state_before(ruleset: TableRuleset, case: Case, number: int) -> object:
    """Return the position before a case's step of that number, the first being 0.

    Raises Invalid if the case departs before, naming the line.
    """
    return _run_to(ruleset, case, number).state


def transitions_since(ruleset: TableRuleset, case: Case, first: int, behind: int) -> list[Transition]:
    """Return the transitions of the last order among the steps from `first` up to `behind`, with the answers of chance.

    Raises Invalid if the case departs before, naming the line.
    """
    if not any(step.kind == "DO" for step in case.steps[first:behind]):
        return []
    return _run_to(ruleset, case, behind).steps


def _run_to(ruleset: TableRuleset, case: Case, number: int) -> _Run:
    run = _Run(ruleset, case)
    try:
        run.advance(case.steps[:number])
    except _Departure as error:
        raise Invalid(f"line {error.line}: {error}") from error
    return run


def position(text: str, ruleset: str = DEFAULT) -> Any:
    """Return the position of a case's GIVEN lines (docs/cases.md) as its first decision is awaited.

    Dice that it names (`die 3`) are answered. Raises Invalid, naming the line.
    """
    case = Case(Path("position"), ruleset, 1, "position", "", (), read_given(text), ())
    return _run_to(load(ruleset), case, 0).state


def main(paths: list[Path]) -> int:
    """Run the cases of some files and print a line for each, with the place where one departs.

    Files, cases and rows that cannot be understood are named on standard error and spoil no others. Returns 2 if there
    is one, else 1 if a case departs.
    """
    failed = spoilt = 0
    for path in paths:
        try:
            cases, faults = sift_cases(path, text_of(path))
        except Invalid as error:
            cases, faults = [], [error]
        for case in cases:
            report = run_case(load(case.game), case)
            print(report.text)
            spoilt += report.is_unclear
            failed += bool(report.fault)
        for fault in faults:
            print(f"leuthen: {fault}", file=sys.stderr)
        spoilt += len(faults)
    return 2 if spoilt else 1 if failed else 0
