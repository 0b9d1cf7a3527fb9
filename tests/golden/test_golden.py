"""The golden games are played as they were: if not, the first turn that differs is named."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from tests.golden.games import PLANNER, RANDOM, play, stored


@pytest.mark.parametrize("name", [*RANDOM, PLANNER])
def test_a_golden_game_is_as_it_was(name: str) -> None:
    last = "the set-up"
    for now, golden in zip_longest(play(name), stored(name), fillvalue=("over", "")):
        assert now == golden, (
            f"game {name} is another since {last}: now {' '.join(now)}, on file {' '.join(golden)}. "
            "If the rules are meant so, `make golden` renews the games."
        )
        last = f"the start of {golden[0]}"
