import re
import sys
from pathlib import Path
from subprocess import run

ROOT = Path(__file__).parents[1]
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
WRONG_CALLS = (
    "side(NOBODY)",
    "side(leader)",
    "side(2)",
    "actor(EVERYTHING)",
    "viewer(CHANCE)",
    "owner(CHANCE)",
    "around(3)",
)


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
