import json
import os
import subprocess
from pathlib import Path

import pytest

from leuthen.load import map_folder
from mapmaking.cartography import read
from mapmaking.cartography.grid import neighbours
from tools.node import find_node

TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hexes = frozenset(read(map_folder("frederick")).hexes)
    path = tmp_path_factory.mktemp("board") / "board.json"
    path.write_text(json.dumps({place: [n if n in hexes else "" for n in neighbours(place)] for place in hexes}))
    return path


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name.partition(".")[0])
def test_what_needs_no_page(path: Path, board: Path) -> None:
    env = {**os.environ, "LEUTHEN_BOARD": str(board)}
    done = subprocess.run([find_node(), "--test", path], env=env, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout
    assert "# pass 0" not in done.stdout
