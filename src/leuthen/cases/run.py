"""Running cases: build the position, answer for the players and for chance, and compare facts."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from leuthen.cases.text import FIRST, Case, Statement, read_given, sift_cases
from leuthen.engine.choice import Action, Refusal
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, ActorId, Side, Transition, actor_named, as_side
from leuthen.load import casebook_of, load, text_of
from leuthen.play.record import STANDING
from leuthen.play.table import Instruction
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.standing import Standing, Surprise, read_clauses
from leuthen.wargame.case_words import BadLine, CaseMoment, Unexpected, actors_of, asked_text

ORDERS: Final = ("DO", "REFUSED", "ALLOWED", "STANDING", "ANSWERS")
"""Steps that contain an order or a clause."""
CHECKS: Final = ("EXPECT", "REFUSED", "ALLOWED", "CHANCES", "ANSWERS", "SURPRISE")
"""Steps that state a fact; a case needs one."""
NOTHING: Final = "nothing"
"""Answer of an instruction that leaves the decision to its owner."""


class CaseResult(NamedTuple):
    """The result of a case: the line and fault of its first departure, if any."""

    case: Case
    line: int = 0
    fault: str = ""
    is_unclear: bool = False
    """One of its lines cannot be understood."""

    @property
    def text(self) -> str:
        """One line, and a second one with the place of the departure."""
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
    except BadLine as error:
        raise _Departure(error.line, str(error), is_unclear=is_unclear) from error
    except Invalid as error:
        raise _Departure(line, str(error), is_unclear=is_unclear) from error
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
        with _guard(self.case.line):
            self.begin()
        for step in self.case.steps:
            with _guard(step.line.number, step.kind):
                _STEPS[step.kind](self, step.line)
        is_open = bool(self.case.steps) and self.case.steps[-1].kind == "ALLOWED"  # they are for what is allowed then
        if self.dice and not is_open:
            left = self.dice[0].text.partition(" ")[2]
            raise _Departure(self.dice[0].number, f'"{left}" and what follows was never rolled')
        if not any(step.kind in CHECKS for step in self.case.steps):
            raise _Departure(self.case.line, f"the case shows nothing: it has none of {', '.join(CHECKS)}")

    def begin(self) -> None:
        given = self.book.build_position(self.data, self.case.given)
        self.dice.extend(Statement(number, answer) for number, text in given.dice for answer in self._answers(text))
        self._apply_transition(given.transition)
        self._answer_chance()

    def _apply_transition(self, transition: Transition) -> None:
        self.state = transition.state
        self.steps.append(transition)
        self.learned |= transition.learned
        for side, instruction in zip(SIDES, self.instructions, strict=True):
            if instruction.is_armed:
                heard = instruction.after_events(self.ruleset.standing, side, transition.events(side))
                self.instructions[side] = heard

    def _answer_chance(self) -> None:
        while self.dice and self.ruleset.chances(self.state):
            line = self.dice.popleft()
            said = Statement(line.number, line.text.partition(" ")[2])
            self._apply(said, CHANCE, self.ruleset.parse_action(self.state, CHANCE, line.text))

    def _answers(self, text: str) -> list[str]:
        return self.book.answers(self.data, text)

    def _apply(self, line: Statement, actor: ActorId, action: Action) -> None:
        try:
            self._apply_transition(self.ruleset.apply(self.state, actor, action))
        except Illegal as error:
            asked = asked_text(self.ruleset, self.state)
            raise _Departure(line.number, f'"{line.text}" is refused: {error}; asked is {asked}') from error

    def _parse_action(self, line: Statement, text: str) -> tuple[ActorId, Action]:
        word, _, order = text.strip().partition(" ")
        if word not in self.actors:
            raise Invalid(f'"{word}" is not one of {", ".join(self.actors)}: who acts comes first')
        actor = actor_named(self.ruleset, word)
        if actor != CHANCE and self.ruleset.chances(self.state):
            (asked,) = self.ruleset.pending(self.state)
            raise _Departure(line.number, f"chance is awaited ({asked.decision}), and DICE has no more")
        return actor, self.ruleset.parse_action(self.state, actor, order)

    def add_dice(self, line: Statement) -> None:
        self.dice.extend(Statement(line.number, answer) for answer in self._answers(line.text))
        self._answer_chance()

    def do(self, line: Statement) -> None:
        actor, action = self._parse_action(line, line.text)
        self.steps, self.learned = [], 0
        self._apply(line, actor, action)
        self._answer_chance()

    def refused(self, line: Statement) -> None:
        order, dashes, rule = line.text.partition(" -- ")
        if not dashes:
            raise Invalid("-- and the rule that refuses it are expected at the end")
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
        if word not in self.ruleset.sides:
            raise Invalid(f'"{word}" is not one of {", ".join(self.ruleset.sides)}: a side comes first')
        return as_side(self.ruleset.sides.index(word)), rest.strip()

    def _answer_by_instruction(self, side: Side) -> Action | Surprise | None:
        ruleset, state = self.ruleset, self.state
        legal = ruleset.legal_actions(state, side)
        return self.instructions[side].answer(self._standing, ruleset.view(state, side), legal)

    def _clause_refusal(self, text: str) -> Refusal | None:
        side, clause = self._side(text.replace(f" {STANDING} ", " ", 1))
        view = self.ruleset.view(self.state, side)
        return self._standing.clauses(view).why_not(self._standing.parse(view, clause))

    def _refusal(self, line: Statement, order: str) -> Refusal | None:
        if order.split()[1:2] == [STANDING]:
            return self._clause_refusal(order.strip())
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
        found = {self._chance(action): odds for action, odds in self.ruleset.chances(self.state)}
        if line.text == "die":
            wanted = {str(die): Fraction(1, 6) for die in range(1, 7)}
        elif line.text == "dice":
            wanted = {str(dice): Fraction(6 - abs(7 - dice), 36) for dice in range(2, 13)}
        else:
            wanted = dict(_odds(part) for part in line.text.split(","))
        if found != wanted:
            said = ", ".join(f"{answer} {odds}" for answer, odds in found.items())
            raise _Departure(line.number, f"expected the chances {line.text}; they are {said or 'none'}")

    def _chance(self, action: Action) -> str:
        return self.ruleset.format_action(self.state, CHANCE, action).partition(" ")[2]


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
        with _guard(case.line):
            run.begin()
        for step in case.steps[:number]:
            with _guard(step.line.number):
                _STEPS[step.kind](run, step.line)
    except _Departure as error:
        raise Invalid(f"line {error.line}: {error}") from error
    return run


def position(text: str, ruleset: str = FIRST) -> Any:
    """Return the position of a case's GIVEN lines (docs/cases.md) as its first decision is awaited.

    Dice that it names (`die 3`) are answered. Raises Invalid, naming the line.
    """
    run = _Run(load(ruleset), Case(Path("position"), ruleset, 1, "position", "", (), read_given(text), ()))
    try:
        with _guard(1):
            run.begin()
    except _Departure as error:
        raise Invalid(f"line {error.line}: {error}") from error
    return run.state


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
