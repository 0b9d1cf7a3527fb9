"""Where a source can be broken: its conditions and its numbers, one at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

_COMPARE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_REVERSED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_SWAPPED_CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Break(NamedTuple):
    """One place, what stands there, and what stands there instead."""

    line: int
    before: str
    after: str
    source: bytes
    """The whole broken source."""

    @property
    def text(self) -> str:
        """The break in one line."""
        return f"{' '.join(self.before.split())}  →  {' '.join(self.after.split())}"


def breaks_of(source: bytes) -> list[Break]:
    """All breaks of a source, in its order."""
    tree = ast.parse(source)
    starts = _line_starts(source)
    found = [_break(source, starts, node, other) for node in _nodes(tree) for other in _others(node)]
    return sorted(found, key=lambda each: each.line)


def _nodes(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions that take part in the rules: no annotations, no texts, no slots."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "keywords" if isinstance(tree, ast.ClassDef) else ""):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.If) and _is_for_types(child.test):
                continue
            if isinstance(child, ast.expr) and not isinstance(child, ast.JoinedStr):
                yield child
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _nodes(child)


def _is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _others(node: ast.expr) -> Iterator[ast.expr]:
    """What may stand instead of an expression."""
    match node:
        case ast.Compare(left=left, ops=operators, comparators=right):
            for at, operator in enumerate(operators):
                changed = [*operators[:at], _COMPARE[type(operator)](), *operators[at + 1 :]]
                yield ast.Compare(left, changed, right)
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
        case ast.BinOp():
            yield from _reckoned(node)
        case _:
            yield from _decided(node)


def _reckoned(node: ast.BinOp) -> Iterator[ast.expr]:
    is_text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
    if type(node.op) in _REVERSED and not is_text:
        yield ast.BinOp(node.left, _REVERSED[type(node.op)](), node.right)


def _decided(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in _SWAPPED_CALLS:
            yield ast.Call(ast.Name(_SWAPPED_CALLS[name]), args, keywords)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case _:
            pass


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    """Tests that are no comparison themselves: they are turned round."""
    for node in ast.walk(tree):
        tests = [node.test] if isinstance(node, ast.If | ast.While) else getattr(node, "ifs", [])
        yield from (test for test in tests if isinstance(test, ast.Name | ast.Attribute | ast.Call))


def turned(source: bytes) -> list[Break]:
    """The breaks that turn a plain condition round."""
    tree, starts = ast.parse(source), _line_starts(source)
    return [
        _break(source, starts, test, ast.UnaryOp(ast.Not(), test))
        for test in _conditions(tree)
        if not _is_for_types(test)
    ]


def _line_starts(source: bytes) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _break(source: bytes, starts: list[int], node: ast.expr, other: ast.expr) -> Break:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    after = f"({ast.unparse(ast.fix_missing_locations(other))})"
    broken = source[:start] + after.encode() + source[end:]
    return Break(node.lineno, source[start:end].decode(), after, broken)
