"""Check the wording of docstrings, messages, client texts and docs: `python -m tools.words [--list] [--renew]`.

Each sign below has a plainer alternative. `words.json` sets the maximum number of hits for each area and sign. The
check fails if there are more; `--renew` lowers the maxima to the current numbers and never raises one.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
ALLOWED: Final = Path(__file__).with_name("words.json")


class Sign(NamedTuple):
    """A phrase to avoid, and its alternative."""

    pattern: re.Pattern[str]
    advice: str


SIGNS: Final = {
    "question as statement": Sign(
        re.compile(r"^(?:What|Whether|Who|Where|How|So|That|Those)\b(?![^.]*\?)"),
        'open a docstring with "Return …", a verb in the imperative, or a noun phrase',
    ),
    "indefinite person": Sign(
        re.compile(r"\b(?:somebody|nobody|everybody|whoever|anybody)\b", re.I),
        "name the subject: the player, the host, no side, any client",
    ),
    "told": Sign(re.compile(r"\btold\b|\btells? of\b"), "use send, inform, state, report or describe"),
    "stands": Sign(
        re.compile(r"\b(?:stands?|stood) (?:in|at|by|beside|there|once|on its|for itself)\b"), "use is, are or lies"
    ),
    "of which": Sign(
        re.compile(r"\b(?:of|by|to) wh(?:ich|om)\b|\bwhat (?:is left|there is|was|has been)\b"),
        "split the sentence, or name the thing",
    ),
    "archaic": Sign(
        re.compile(r"\b(?:anew|lest|shall|thereby|whence|wherein|thereof)\b"), "use again, so that … not, must, thus"
    ),
    "translated connective": Sign(
        re.compile(r"\b(?:but for|as far as|so many|so often|so long as)\b"), "use except, where, this many, while"
    ),
    "guillemets": Sign(re.compile(r"[«»]"), 'quote with "…", and mark code with `…`'),
}
DOCSTRINGS_ONLY: Final = {"question as statement"}


class Text(NamedTuple):
    """A text with its location."""

    area: str
    place: str
    text: str


def python_texts(path: Path) -> Iterator[Text]:
    tree, name = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(ROOT).as_posix()
    statements = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            statements.add(id(node.value))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            if words := ast.get_docstring(node):
                yield Text("docstrings", f"{name}:{getattr(node, 'lineno', 1)}", words)
        elif not isinstance(node, ast.Constant) or id(node) in statements or not name.startswith("src/"):
            continue
        elif isinstance(node.value, str) and len(node.value.split()) >= 4:
            yield Text("messages", f"{name}:{node.lineno}", node.value)


def all_texts() -> Iterator[Text]:
    for folder in ("src", "tests", "tools", "bench", "mapmaking", "examples", "verifiers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != Path(__file__):
                yield from python_texts(path)
    for path in sorted((ROOT / "src").rglob("*.js")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for words in re.findall(r'"((?:[A-Z][^"\n]{14,}))"', line):
                yield Text("client", f"{path.relative_to(ROOT)}:{number}", words)
    for path in [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]:
        area = "rulebook" if "rulebook" in path.parts else "docs"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield Text(area, f"{path.relative_to(ROOT)}:{number}", line)


def find_hits() -> Iterator[tuple[str, str, Text]]:
    for text in all_texts():
        for name, sign in SIGNS.items():
            if name not in DOCSTRINGS_ONLY or text.area == "docstrings":
                for _ in sign.pattern.finditer(text.text):
                    yield f"{text.area}: {name}", name, text


def main(argv: list[str]) -> int:
    allowed: dict[str, int] = json.loads(ALLOWED.read_text(encoding="utf-8")) if ALLOWED.exists() else {}
    hits = list(find_hits())
    counts = Counter(key for key, _, _ in hits)
    too_many = {key for key, count in counts.items() if ALLOWED.exists() and count > allowed.get(key, 0)}
    for key, name, text in hits:
        if "--list" in argv or key in too_many:
            print(f"{text.place}: {name}; {SIGNS[name].advice}")
    for key in sorted(too_many):
        print(f"words: {key}: {counts[key]} hits, {allowed.get(key, 0)} allowed", file=sys.stderr)
    if "--renew" in argv and not too_many:
        ALLOWED.write_text(json.dumps(dict(sorted(counts.items())), indent=1) + "\n", encoding="utf-8")
    return bool(too_many)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
