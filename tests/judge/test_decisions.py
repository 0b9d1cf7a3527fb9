import gzip
import os
from pathlib import Path

import pytest

from tests.judge.decisions import WARS, War, decisions_of, name_of
from tests.prove.sample import sample_games

BOTS = Path(__file__).parent / "bots"
MOST = 150


@pytest.mark.parametrize("war", sample_games(WARS) if os.environ.get("LEUTHEN_SAMPLE") else WARS, ids=name_of)
def test_bot_decisions_are_unchanged(war: War) -> None:
    before = gzip.decompress((BOTS / f"{name_of(war)}.gz").read_bytes()).decode().split("\n")
    assert decisions_of(war, MOST) == before[:MOST], "if the change is intended: python -m tests.judge make bots"
