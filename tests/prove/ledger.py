"""Results of the proofs: lines of JSON, each with the digest of the program that it holds for."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.prove.proofs import HOME, Result

ALL_SOURCES = ("src/leuthen", "tests/laws", "tests/prove")
GAMES = (
    *(f"src/leuthen/{name}" for name in ("engine", "wargame", "play", "bots", "data")),
    "tests/laws",
    "tests/prove",
)
IGNORED = ("__pycache__", "screen", "standing")
BOTS = ("bot", "plans.py", "search.py", "commander.py", "staff.py", "ranking.py")


@cache
def program(proof: str) -> str:
    found = hashlib.blake2b(digest_size=6)
    for path in sources(proof):
        found.update(str(path.relative_to(HOME)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def sources(proof: str) -> list[Path]:
    ruleset, _, level = proof.partition("-")
    if not (HOME / "src/leuthen/rulesets" / ruleset).is_dir():
        return _files(ALL_SOURCES, ("__pycache__",))
    unused = IGNORED if level == "captain" else (*IGNORED, *BOTS)
    return _files((*GAMES, f"src/leuthen/rulesets/{ruleset}"), unused)


def _files(folders: Iterable[str], unused: Iterable[str]) -> list[Path]:
    found = [path for folder in folders for path in sorted((HOME / folder).rglob("*")) if path.is_file()]
    return [path for path in found if not set(path.parts) & set(unused)]


def lines_of(path: Path) -> Iterator[Result]:
    if not path.exists():
        return
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(text)
        except json.JSONDecodeError:
            continue


def finished_parts(path: Path) -> dict[int, Result]:
    return {line["part"]: line for line in lines_of(path) if line.get("program") == program(path.stem)}


def store_result(path: Path, part: int, line: Result) -> None:
    text = json.dumps({"part": part, "program": program(path.stem), **line}, ensure_ascii=False)
    cut_off = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if cut_off else "") + text + "\n")
