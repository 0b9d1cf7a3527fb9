import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import leuthen

SOURCE = Path(leuthen.__file__).parent
PURE = sorted(
    path for folder in ("engine", "wargame", "screen", "rulesets") for path in (SOURCE / folder).rglob("*.py")
)
assert len(PURE) > 200
FORBIDDEN_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


def breaches(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield f"line {node.lineno}: {node.func.id}()"
        if isinstance(node, ast.Global):
            yield f"line {node.lineno}: global"


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_module_reaches_outside(path: Path) -> None:
    assert list(breaches(path.read_text(encoding="utf-8"))) == []


def test_a_breach_would_be_found() -> None:
    found = list(breaches("def f():\n    global x\n    open('x')\n    print(1)\n"))
    assert found == ["line 2: global", "line 3: open()", "line 4: print()"]
