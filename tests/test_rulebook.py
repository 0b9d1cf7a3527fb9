import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

from leuthen.cases.run import Case, open_cases, run_case
from leuthen.load import RULESETS, Rulebook, load, read_rulebook
from tests.conftest import RULEBOOK
from tests.rows import rows

ROOT = Path(__file__).parent.parent
CASES = [case for path in sorted((ROOT / "tests" / "cases").rglob("*.case")) for case in open_cases(path)]

RULES_WITHOUT_EFFECT = {
    "O15.1": "points to other rules",
    "V3.0": "says what nothing follows from",
}

NEVER_REFUSED = {
    "O2.1": "a line of orders names SP by whole numbers",
    "O2.2": "a line of orders names leaders of the game",
    "C1.1": "a line of orders names powers of the game",
    "C1.2": "only the two players and chance give orders",
    "V3.3": "a side that cannot pay for concentration is not asked",
}

_RULE = re.compile(r"\b[A-Z]\d+(?:\.\d+[a-z]?)?\b")
_RANGE = re.compile(r"\b([A-Z]\d+)\.(\d+)[–-]\1\.(\d+)\b")


@cache
def all_rules(name: str) -> frozenset[str]:
    return frozenset(rule.number for rule in Rulebook(read_rulebook(name)).rules)


def rules_in(name: str, text: str) -> set[str]:
    """Return the rules that a text cites; `O9.3–O9.7` are five. A chapter alone does not count."""
    letters = {rule[0] for rule in all_rules(name)}
    found = {word for word in _RULE.findall(text) if word[0] in letters and ("." in word or word in all_rules(name))}
    for chapter, first, last in _RANGE.findall(text):
        if chapter[0] in letters:
            found |= {f"{chapter}.{number}" for number in range(int(first), int(last) + 1)}
    return found


def in_order(rules: Iterable[str]) -> list[str]:
    return sorted(rules, key=lambda rule: (rule[0], [int(part) for part in re.findall(r"\d+", rule)], rule))


Place = tuple[str, str]


class Citations(NamedTuple):
    by_place: dict[Place, set[str]]
    forbidding: set[str]


@cache
def citations(name: str) -> Citations:
    found = Citations(defaultdict(set), set())
    for path in sorted(Path(str(import_module(type(RULESETS[name]).__module__).__file__)).parent.rglob("*.py")):
        if not {"cases", "bot", "screen"} & {*path.parts, path.stem}:
            text = path.read_text(encoding="utf-8")
            _Reader(name, path, text, found).visit(ast.parse(text))
    return found


class _Reader(ast.NodeVisitor):
    def __init__(self, name: str, path: Path, text: str, found: Citations) -> None:
        self.name = name
        self.path = str(path)
        self.lines = text.splitlines()
        self.found = found
        self.names: list[str] = []
        self.inherited: set[str] = set()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        before, self.inherited = self.inherited, rules_in(self.name, ast.get_docstring(node) or "")
        for word in node.keywords:
            if word.arg == "rule":
                self.inherited |= rules_in(self.name, ast.unparse(word.value))
        self._inside(node, node.name)
        self.inherited = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        name = ".".join([*self.names, node.name])
        if node.name != "tell":  # describing a rule is not applying it
            text = "\n".join(self.lines[node.lineno - 1 : node.end_lineno])
            self.found.by_place[self.path, name] |= rules_in(self.name, text) | self.inherited
            if node.name != "rule":  # a question's rule does not forbid anything
                self.found.forbidding.update(set(_forbidden(node)) & all_rules(self.name))
        self._inside(node, f"{node.name}.<locals>")

    def _inside(self, node: ast.AST, name: str) -> None:
        self.names.append(name)
        self.generic_visit(node)
        self.names.pop()


def _forbidden(node: ast.AST) -> Iterator[str]:
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.Call) and getattr(part.func, "id", "") == "Outcome":
            continue
        if isinstance(part, ast.keyword) and part.arg == "by":
            continue
        if isinstance(part, ast.Assign) and "by" in {each.id for each in ast.walk(part) if isinstance(each, ast.Name)}:
            continue
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and _RULE.fullmatch(part.value):
            yield part.value
        yield from _forbidden(part)


class Runs(NamedTuple):
    entered: dict[str, set[str]]
    refused: dict[str, set[str]]
    named: set[str]


@cache
def runs(name: str) -> Runs:
    found = Runs(defaultdict(set), defaultdict(set), set())
    for case in CASES:
        if case.game != name:
            continue
        is_new = any(whole_name(case) not in found.entered.get(rule, ()) for rule in case.rules)
        entered = rules_entered(case) if is_new else set()
        for rule in case.rules:
            if rule in entered:
                found.entered[rule].add(whole_name(case))
            if "." in rule or rule in all_rules(name):
                found.named.add(f"{whole_name(case)} names {rule}")
        for step in case.steps:
            if step.kind == "REFUSED":
                rule = step.line.text.partition(" -- ")[2].partition(" ")[0]
                found.refused[rule].add(case.name)
    found.named.difference_update(f"{case} names {rule}" for rule, cases in found.entered.items() for case in cases)
    return found


def whole_name(case: Case) -> str:
    return case.name.partition("[")[0]


def rules_entered(case: Case) -> set[str]:
    codes: set[CodeType] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    ruleset = load(case.game)
    sys.setprofile(watch)
    try:
        run_case(ruleset, case)
    finally:
        sys.setprofile(None)
    places = citations(case.game).by_place
    return set().union(*(places.get((code.co_filename, code.co_qualname), set()) for code in codes))


@pytest.mark.parametrize("name", RULESETS)
def test_every_rule_is_cited_in_the_code(name: str) -> None:
    cited = set().union(*citations(name).by_place.values())
    assert not in_order(all_rules(name) - cited - set(RULES_WITHOUT_EFFECT))


@pytest.mark.parametrize("name", RULESETS)
def test_every_citation_in_the_code_is_a_rule(name: str) -> None:
    assert not in_order(set().union(*citations(name).by_place.values()) - all_rules(name))


@pytest.mark.parametrize("name", RULESETS)
def test_every_rule_is_executed_by_a_case(name: str) -> None:
    assert not in_order(all_rules(name) - set(runs(name).entered) - set(RULES_WITHOUT_EFFECT))


@pytest.mark.parametrize("name", RULESETS)
def test_every_prohibition_has_a_refused_case(name: str) -> None:
    assert not in_order(citations(name).forbidding - set(runs(name).refused) - set(NEVER_REFUSED))


@pytest.mark.parametrize("name", RULESETS)
def test_a_case_names_only_rules_that_it_executes(name: str) -> None:
    assert not sorted(runs(name).named)


def test_the_exceptions_are_few_and_necessary() -> None:
    every = set().union(*map(all_rules, RULESETS))
    assert len(RULES_WITHOUT_EFFECT) + len(NEVER_REFUSED) <= 20
    assert set(RULES_WITHOUT_EFFECT) <= every
    assert not set(NEVER_REFUSED) & {rule for name in RULESETS for rule in runs(name).refused}
    assert not set(RULES_WITHOUT_EFFECT) & {rule for name in RULESETS for rule in runs(name).entered}


BOOK = Rulebook({"t.md": RULEBOOK, "u.md": "# U Late\n\nNo rule.\n\n## Part\n\n**U1.1a** (R) Later.\n"})


def test_a_rulebook_is_divided_into_rules() -> None:
    assert [rule.number for rule in BOOK.rules] == ["T1", "T3.2", "T3.3", "U1.1a"]
    assert BOOK.rules[1].text.startswith("**T3.2** (S) A step")
    assert BOOK.rules[1].text.endswith("| north | 2 |")
    assert BOOK.rules[0].text == "**T1** (S) Each side seals a bid of 1 to 3."
    assert [rule.chapter for rule in BOOK.rules] == ["T1 Bids", "T3 Moves", "T3 Moves", "U Late"]
    assert BOOK.chapters == ("T1 Bids", "T3 Moves", "U Late")


@pytest.mark.parametrize(("query", "numbers"), rows("rulebook-rules-are-found"))
def test_rules_are_found(query: str, numbers: list[str]) -> None:
    assert [rule.number for rule in BOOK.find(query)] == numbers


@pytest.mark.parametrize("name", RULESETS)
def test_a_rule_number_is_unique(name: str) -> None:
    numbers = [rule.number for rule in Rulebook(read_rulebook(name)).rules]
    assert len(numbers) > 100
    assert len(set(numbers)) == len(numbers)
