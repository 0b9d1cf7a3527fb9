"""What has been proved so far: lines of JSON, each with the program that it was proved of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.prove.proofs import HOME, Line

ALL = ("src/leuthen", "tests/laws", "tests/prove")
GAMES = (
    *(f"src/leuthen/{name}" for name in ("engine", "wargame", "play", "bots", "data")),
    "tests/laws",
    "tests/prove",
)
"""What games of every rule set are played with, its own folder apart."""
UNUSED = ("__pycache__", "screen", "standing")
"""What plays no part in them."""
GENERALS = ("bot", "plans.py", "search.py", "commander.py", "staff.py", "ranking.py")
"""What plays no part in games at random either: what a general wants."""


@cache
def program(proof: str) -> str:
    """A short digest of what a proof is about: what was proved of another program counts no more."""
    found = hashlib.blake2b(digest_size=6)
    for path in sources(proof):
        found.update(str(path.relative_to(HOME)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def sources(proof: str) -> list[Path]:
    """The files: those of the rule set and of what plays it if the proof is named after one, else all."""
    ruleset, _, level = proof.partition("-")
    if not (HOME / "src/leuthen/rulesets" / ruleset).is_dir():
        return _files(ALL, ("__pycache__",))
    unused = UNUSED if level == "captain" else (*UNUSED, *GENERALS)
    return _files((*GAMES, f"src/leuthen/rulesets/{ruleset}"), unused)


def _files(folders: Iterable[str], unused: Iterable[str]) -> list[Path]:
    found = [path for folder in folders for path in sorted((HOME / folder).rglob("*")) if path.is_file()]
    return [path for path in found if not set(path.parts) & set(unused)]


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
    return {line["part"]: line for line in lines_of(path) if line.get("program") == program(path.stem)}


def keep(path: Path, part: int, line: Line) -> None:
    """Writes down what became of a part, on a line of its own even if the last was cut off."""
    text = json.dumps({"part": part, "program": program(path.stem), **line}, ensure_ascii=False)
    cut_off = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if cut_off else "") + text + "\n")
