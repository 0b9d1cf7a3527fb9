"""What has been proved so far: lines of JSON, each with the program that it was proved of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.prove.proofs import HOME, Line

SOURCES = ("src/leuthen", "tests/laws", "tests/prove")


@cache
def program() -> str:
    """A short digest of the program and the laws: what was proved of another program counts no more."""
    found = hashlib.blake2b(digest_size=6)
    for folder in SOURCES:
        for path in sorted((HOME / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(str(path.relative_to(HOME)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a file that are whole: the last may have been cut off."""
    if not path.exists():
        return
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(text)
        except json.JSONDecodeError:
            continue


def done(path: Path) -> dict[int, Line]:
    """The parts of a proof that are done with this program, by number."""
    return {line["part"]: line for line in lines_of(path) if line.get("program") == program()}


def keep(path: Path, part: int, line: Line) -> None:
    """Writes down what became of a part, on a line of its own even if the last was cut off."""
    text = json.dumps({"part": part, "program": program(), **line}, ensure_ascii=False)
    cut_off = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if cut_off else "") + text + "\n")
