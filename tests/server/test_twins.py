"""Until a rule reveals a difference, every byte that a viewer gets is the same in two worlds that differ in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leuthen.core.ruleset import WATCHER
from tests.server.house import House, two_houses
from tests.server.twins import Twins


@pytest.fixture
def houses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, House]]:
    with two_houses(tmp_path, monkeypatch) as both:
        yield both


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_no_byte_tells_what_a_viewer_may_not_know(houses: tuple[House, House], viewer: int) -> None:
    twins = Twins(houses, viewer, 1)
    twins.play()
    twins.leave()
    assert twins.apart > twins.steps / 3
    assert twins.traces > 5
