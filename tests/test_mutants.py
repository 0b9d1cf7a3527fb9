"""The tool that breaks the rules finds what can be broken, and leaves the rest."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tools.mutants.breaks import breaks_of, turned
from tools.mutants.run import Trial
from tools.mutants.swap import break_functions, is_in_function


@pytest.mark.parametrize(
    ("source", "afters"),
    [
        ("x = a < b", ["(a <= b)"]),
        ("x = a in b", ["(a not in b)"]),
        ("x = 0 < a <= b", ["(0 <= a <= b)", "(0 < a < b)", "(1)"]),
        ("x = a and not b", ["(a or not b)", "(b)"]),
        ("x = a + 3", ["(a - 3)", "(4)"]),
        ("x = min(a, b)", ["(max(a, b))"]),
        ("x = a if b else c", ["(c if b else a)"]),
        ("x = True", ["(False)"]),
        ('"""Doc 3."""', []),
        ("x = 'text' + a", []),
        ("x = f'{3} of {a}'", []),
        ("x: Literal[3] = y", []),
        ("def f(a: T[3]) -> T[4]: return 5", ["(6)"]),
        ("@mark(3)\ndef f(): ...", []),
        ("if TYPE_CHECKING:\n    import x", []),
    ],
)
def test_each_condition_and_number_is_broken_once(source: str, afters: list[str]) -> None:
    assert sorted(each.after for each in breaks_of(source.encode())) == sorted(afters)


def test_plain_conditions_are_turned_round() -> None:
    source = b"if a:\n    x = [b for b in c if d(b)]\nwhile e.f: ...\nif g < h: ..."
    assert {each.after for each in turned(source)} == {"(not a)", "(not d(b))", "(not e.f)"}


def test_a_break_changes_its_place_only() -> None:
    source = "# Österreich\nif a == 1:  # here\n    pass\n".encode()
    (compare, number) = sorted(breaks_of(source), key=lambda each: len(each.before), reverse=True)
    assert compare.source.decode() == "# Österreich\nif (a != 1):  # here\n    pass\n"
    assert number.source.decode() == "# Österreich\nif a == (2):  # here\n    pass\n"
    assert (compare.line, compare.text) == (2, "a == 1  →  (a != 1)")


SOURCE = """from functools import cache
LIMIT = 3
MANY = [n for n in range(LIMIT) if n > 0]

@cache
def is_more(n):
    return any(each < n for each in [LIMIT])

class Rule:
    POINTS = 2
    turn = staticmethod(lambda n: n + 1)

    def least(self, n):
        return min(n, 5)
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    path = tmp_path / "rule.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("rule", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trial(module: ModuleType, text: str) -> Trial:
    path = Path(str(module.__file__))
    (found,) = (each for each in breaks_of(path.read_bytes()) if each.text == text)
    return Trial("rule", path, found, (), 0.0)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("each < n  →  (each <= n)", True),
        ("n + 1  →  (n - 1)", True),
        ("min(n, 5)  →  (max(n, 5))", True),
        ("2  →  (3)", False),
        ("3  →  (4)", False),
        ("n > 0  →  (n >= 0)", False),
    ],
)
def test_breaks_within_functions_are_told_from_those_at_import(module: ModuleType, text: str, inside: bool) -> None:
    assert is_in_function(trial(module, text)) == inside


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("each < n  →  (each <= n)", (True, 2, 5)),
        ("n + 1  →  (n - 1)", (False, 0, 5)),
        ("min(n, 5)  →  (max(n, 5))", (False, 2, 7)),
    ],
)
def test_functions_that_are_already_there_are_broken(
    module: ModuleType, text: str, found: tuple[bool, int, int]
) -> None:
    break_functions(Path(str(module.__file__)), trial(module, text).broken.source)
    assert (module.is_more(3), module.Rule.turn(1), module.Rule().least(7)) == found
