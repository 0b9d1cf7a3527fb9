from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from subprocess import run

import pytest

import leuthen
from tools import words

SOURCE = Path(leuthen.__file__).parent
ROOT = SOURCE.parents[1]
FOLDERS = ("src", "tests", "bench", "tools", "mapmaking", "examples", "verifiers")
MAX_ANY_LINES = 149
SILENCES = re.compile(r"#\s*(type:\s*ignore|noqa|pragma:\s*no cover|ruff:\s*noqa|mypy:)")


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def syntax_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    left = [node]
    while left:
        for child in ast.iter_child_nodes(left.pop()):
            if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
                yield child
                left.append(child)


def imported_modules(name: str) -> set[str]:
    known, found = modules(), set()
    for node in runtime_nodes(syntax_tree(known[name])):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in known else node.module for one in whole}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return (found & set(known)) - {name}


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_modules_import_each_other_without_cycles() -> None:
    assert find_cycle({"a": {"b"}, "b": {"a"}})
    assert find_cycle({name: imported_modules(name) for name in modules()}) == []


def test_few_lines_use_the_type_any() -> None:
    lines = [line for path in modules().values() for line in path.read_text(encoding="utf-8").splitlines()]
    assert sum(bool(re.search(r"\bAny\b", line)) for line in lines) <= MAX_ANY_LINES


def test_the_code_does_not_silence_its_checkers() -> None:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if path != Path(__file__)]
    assert [path.name for path in paths if SILENCES.search(path.read_text(encoding="utf-8"))] == []


def names_used_outside() -> tuple[set[tuple[str, str]], set[str]]:
    imports, others = set[tuple[str, str]](), set[str]()
    for path in (path for folder in FOLDERS if folder != "tests" for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(syntax_tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                imports |= {(node.module, alias.name) for alias in node.names}
            elif isinstance(node, ast.Attribute):
                others.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                others.add(node.value)
    return imports, others


def test_every_definition_is_used() -> None:
    (imports, others), unread = names_used_outside(), list[str]()
    for name, path in modules().items():
        own = {node.id for node in ast.walk(syntax_tree(path)) if isinstance(node, ast.Name)}
        defined = [node.name for node in syntax_tree(path).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        quiet = own | others | {"__getattr__", "__dir__"}
        unread += [f"{name}.{one}" for one in defined if one not in quiet and (name, one) not in imports]
    assert unread == []


def test_a_class_name_is_unique() -> None:
    homes: dict[str, list[str]] = {}
    for name, path in modules().items():
        for node in syntax_tree(path).body:
            if isinstance(node, ast.ClassDef) and not any(node.name in ast.unparse(base) for base in node.bases):
                homes.setdefault(node.name, []).append(name)
    assert {name: found for name, found in homes.items() if len(found) > 1 and not is_one_per_ruleset(found)} == {}


def is_one_per_ruleset(homes: list[str]) -> bool:
    return len(homes) == len({home.split(".")[2] for home in homes if ".rulesets." in home})


def test_the_architecture_page_names_existing_files() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").replace("<name>", "frederick")
    named = [word.rstrip("/") for word in re.findall(r"`([\w./-]+)`", text) if "/" in word or word.endswith(".py")]
    assert len(named) > 30
    assert [word for word in named if not exists(word)] == []


def exists(word: str) -> bool:
    return (ROOT / word).exists() or any(SOURCE.glob(f"**/{word}"))


def test_the_wording_stays_within_its_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert words.main([]) == 0, capsys.readouterr().out


CORRECT_CODE = """
from leuthen.engine.ruleset import CHANCE, EVERYTHING, NOBODY, OTHER, SIDES, ActorId, OwnerId, Side, ViewerId, is_side
from leuthen.wargame.board import Hex, around

def side(one: Side) -> None: ...
def actor(one: ActorId) -> None: ...
def viewer(one: ViewerId) -> None: ...
def owner(one: OwnerId) -> None: ...

for one in SIDES:
    side(OTHER[one])
    actor(one)
    viewer(one)
    owner(one)
actor(CHANCE)
viewer(EVERYTHING)
owner(NOBODY)
leader: int = 3
who: OwnerId = NOBODY
if is_side(who):
    side(who)
around(Hex(3))
"""
WRONG_CALLS = ("side(NOBODY)", "side(leader)", "side(2)", "actor(EVERYTHING)", "viewer(CHANCE)", "owner(CHANCE)",
               "around(3)")  # fmt: skip


def test_the_type_checker_tells_actors_viewers_and_sides_apart(tmp_path: Path) -> None:
    lines = CORRECT_CODE.splitlines()
    path = tmp_path / "mixed.py"
    path.write_text("\n".join([*lines, *WRONG_CALLS]) + "\n", encoding="utf-8")
    told = run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    found = [int(number) for number in re.findall(r"mixed\.py:(\d+): error: ", told)]
    assert found == [len(lines) + number for number in range(1, len(WRONG_CALLS) + 1)], told
