"""The rulebook, the code and the cases hold together, rule by rule.

Each rule is cited by a function of the rule set, or by its class. A case counts for a rule that it names only if its
run enters such a function. A rule that forbids has a case that is REFUSED by it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

import leuthen.frederick
from leuthen.cases import Case, open_cases, run_case
from leuthen.load import load

ROOT = Path(__file__).parent.parent
BOOK = ROOT / "docs" / "rulebook" / "frederick"
CODE = Path(leuthen.frederick.__file__).parent

COMPLETE: tuple[str, ...] = (
    *(f"O{chapter}" for chapter in range(1, 16)),
    *(f"C{chapter}" for chapter in range(1, 14)),
)
"""The chapters of which every rule must have its cases; of the others, the test only reports what is missing."""

WITHOUT_EFFECT = {
    "O15.1": "points to other rules",
}
"""Rules that nothing carries out, with the reason."""

NEVER_REFUSED = {
    "O2.1": "a line of orders names SP by whole numbers",
    "O2.2": "a line of orders names leaders of the game",
    "C1.1": "a line of orders names powers of the game",
    "C1.2": "only the two players and chance give orders",
}
"""Rules that stand in a refusal which no line of the notation can provoke, with the reason."""

_RULE = re.compile(r"\b([OC])(\d+)\.(\d+)\b")
_RANGE = re.compile(r"\b([OC]\d+)\.(\d+)[–-]\1\.(\d+)\b")


def rules_in(text: str) -> set[str]:
    """The rules that a text cites; `O9.3–O9.7` are five."""
    found = {match[0] for match in _RULE.finditer(text)}
    for chapter, first, last in _RANGE.findall(text):
        found |= {f"{chapter}.{number}" for number in range(int(first), int(last) + 1)}
    return found


def in_order(rules: set[str]) -> list[str]:
    def key(rule: str) -> tuple[str, int, int]:
        match = _RULE.fullmatch(rule)
        assert match
        return match[1], int(match[2]), int(match[3])

    return sorted(rules, key=key)


def chapter_of(rule: str) -> str:
    return rule.partition(".")[0]


@cache
def all_rules() -> frozenset[str]:
    texts = [path.read_text(encoding="utf-8") for path in BOOK.glob("*.md")]
    return frozenset(rule for text in texts for rule in re.findall(r"^\*\*([OC]\d+\.\d+)\*\*", text, re.MULTILINE))


Place = tuple[str, str]
"""A function: its file, and its name with those of its classes."""


class Citations(NamedTuple):
    """What the code cites, by function, and the rules that stand in its refusals. What only shows carries out none."""

    by_place: dict[Place, set[str]]
    forbidding: set[str]


@cache
def citations() -> Citations:
    found = Citations(defaultdict(set), set())
    for path in sorted(CODE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not path.name.startswith("case") and "from leuthen.core.showing import" not in text:
            _Reader(path, text, found).visit(ast.parse(text))
    return found


class _Reader(ast.NodeVisitor):
    def __init__(self, path: Path, text: str, found: Citations) -> None:
        self.path = str(path)
        self.lines = text.splitlines()
        self.found = found
        self.names: list[str] = []
        self.inherited: set[str] = set()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        before, self.inherited = self.inherited, rules_in(ast.get_docstring(node) or "")
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and getattr(part.target, "id", "") == "RULE":
                self.inherited |= rules_in(ast.unparse(part))
        self._inside(node, node.name)
        self.inherited = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        name = ".".join([*self.names, node.name])
        if node.name != "tell":  # to tell of a rule is not to carry it out
            text = "\n".join(self.lines[node.lineno - 1 : node.end_lineno])
            self.found.by_place[self.path, name] |= rules_in(text) | self.inherited
            self.found.forbidding.update(_forbidden(node))
        self._inside(node, f"{node.name}.<locals>")

    def _inside(self, node: ast.AST, name: str) -> None:
        self.names.append(name)
        self.generic_visit(node)
        self.names.pop()


def _forbidden(node: ast.AST) -> Iterator[str]:
    """Rule numbers that stand as values, as those of refusals do; not that of an outcome or an event."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.Call) and getattr(part.func, "id", "") == "Outcome":
            continue
        if isinstance(part, ast.keyword) and part.arg == "by":
            continue
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and _RULE.fullmatch(part.value):
            yield part.value
        yield from _forbidden(part)


class Runs(NamedTuple):
    """By rule, the cases that count for it, and those that are refused by it; and what is named in vain."""

    entered: dict[str, set[str]]
    refused: dict[str, set[str]]
    named: set[str]


def all_cases() -> list[Case]:
    return [case for path in sorted((ROOT / "tests" / "cases").rglob("*.case")) for case in open_cases(path)]


@pytest.fixture(scope="module")
def runs() -> Runs:
    """All cases are run once, and the functions watched that they enter."""
    found = Runs(defaultdict(set), defaultdict(set), set())
    for case in all_cases():
        entered = rules_entered(case)
        for rule in case.rules:
            if rule in entered:
                found.entered[rule].add(whole_name(case))
            found.named.add(f"{whole_name(case)} names {rule}")
        for step in case.steps:
            if step.kind == "REFUSED":
                rule = step.line.text.partition(" -- ")[2].partition(" ")[0]
                found.refused[rule].add(case.name)
    found.named.difference_update(f"{name} names {rule}" for rule, names in found.entered.items() for name in names)
    return found


def whole_name(case: Case) -> str:
    """The name of a case without the row of its table: one row that enters is enough."""
    return case.name.partition("[")[0]


def rules_entered(case: Case) -> set[str]:
    """The rules that are cited by the functions which a run enters."""
    codes: set[CodeType] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    ruleset = load("frederick")
    sys.setprofile(watch)
    try:
        run_case(ruleset, case)
    finally:
        sys.setprofile(None)
    places = citations().by_place
    return set().union(*(places.get((code.co_filename, code.co_qualname), set()) for code in codes))


def missing(rules: set[str], having: set[str], allowed: dict[str, str]) -> tuple[list[str], list[str]]:
    """Those without, in the chapters that are complete, and in the others."""
    without = in_order(rules - having - set(allowed))
    done = [rule for rule in without if chapter_of(rule) in COMPLETE]
    return done, [rule for rule in without if rule not in done]


def test_every_rule_is_cited_by_the_code() -> None:
    cited = set().union(*citations().by_place.values())
    without = in_order(set(all_rules()) - cited - set(WITHOUT_EFFECT))
    assert not [rule for rule in without if chapter_of(rule) in COMPLETE]
    print("cited nowhere:", *without)


def test_the_code_cites_no_rule_that_is_not_in_the_book() -> None:
    assert not in_order(set().union(*citations().by_place.values()) - all_rules())


def test_every_rule_has_a_case_whose_run_enters_it(runs: Runs) -> None:
    done, open_ones = missing(set(all_rules()), set(runs.entered), WITHOUT_EFFECT)
    print("without a case:", *open_ones)
    assert not done


def test_every_rule_that_forbids_has_a_case_refused_by_it(runs: Runs) -> None:
    done, open_ones = missing(citations().forbidding, set(runs.refused), NEVER_REFUSED)
    print("never refused:", *open_ones)
    assert not done


def test_a_case_names_only_rules_that_its_run_enters(runs: Runs) -> None:
    assert not sorted(line for line in runs.named if chapter_of(line.split()[-1]) in COMPLETE)
    print("named in vain:", *sorted(runs.named), sep="\n")


def test_the_lists_of_exceptions_are_short_and_true(runs: Runs) -> None:
    assert len(WITHOUT_EFFECT) + len(NEVER_REFUSED) <= 20
    assert set(WITHOUT_EFFECT) <= all_rules()
    assert not set(NEVER_REFUSED) & set(runs.refused)
    assert not set(WITHOUT_EFFECT) & set(runs.entered)
