"""The tool that breaks the rules finds what can be broken, and leaves the rest."""

from __future__ import annotations

import pytest

from tools.mutants.breaks import breaks_of, turned


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
