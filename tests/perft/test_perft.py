"""The counts of canonical sequences are those on file."""

from __future__ import annotations

import pytest

from tests.perft.counting import Start, divide, perft, starts, stored


@pytest.mark.parametrize("start", starts(), ids=lambda start: start.name)
def test_the_counts_are_those_on_file(start: Start) -> None:
    for depth, number in enumerate(stored()[start.name], 1):
        found = perft(start.state, depth)
        told = (
            ""
            if found == number
            else "\n".join(f"{count:8} {way}" for way, count in divide(start.state, depth).items())
        )
        assert found == number, (
            f"{start.name}, depth {depth}: {found} sequences, on file {number}. By first action:\n{told}\n"
            "If the rules are meant so, `make golden` renews the numbers."
        )


def test_every_position_is_on_file() -> None:
    assert [start.name for start in starts()] == list(stored())


@pytest.mark.parametrize("start", starts(), ids=lambda start: start.name)
def test_a_divided_count_is_the_count(start: Start) -> None:
    assert sum(divide(start.state, 2).values()) == perft(start.state, 2)
