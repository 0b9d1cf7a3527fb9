from typing import Any

import pytest

from leuthen.load import RULESETS
from leuthen.wargame.board import Board, Hex, parse_hex
from tests.perft.counting import Start, answers, divide, perft, starts, stored

STARTS = [start for ruleset in RULESETS for start in starts(ruleset)]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.ruleset}-{start.name}")
def test_perft_counts_are_unchanged(start: Start) -> None:
    for depth, number in enumerate(stored(start.ruleset)[start.name], 1):
        found = perft(start, depth)
        ways = "" if found == number else "\n".join(f"{count:8} {way}" for way, count in divide(start, depth).items())
        assert found == number, (
            f"{start.ruleset} {start.name}, depth {depth}: {found} sequences, on file {number}. By first action:\n"
            f"{ways}\nIf the rules were changed on purpose, `make golden` renews the numbers."
        )


def marches(start: Start, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    steps = [(actor, action) for actor, action in answers(start.rules, state) if action.do in ("march", "go", "halt")]
    further = [(actor, action) for actor, action in steps if action.do != "halt"]
    halts = len(steps) - len(further) if depth == 1 else 0
    return halts + sum(marches(start, start.rules.apply(state, *step).state, depth - 1) for step in further)


def walks(board: Board, here: Hex, left: int, depth: int) -> int:
    """Count by hand: a lone leader moves from hex to hex within his points, and can halt at any time (R4.4, R5.1)."""
    if depth == 0:
        return 1
    reached = ((there, left - price) for there, price in board.steps[here].items() if price <= left)
    return (depth == 1) + sum(walks(board, there, rest, depth - 1) for there, rest in reached)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_marches_of_a_lone_leader_match_an_independent_count(depth: int) -> None:
    start = next(one for one in STARTS if (one.ruleset, one.name) == ("campaigns", "march"))
    board, here = start.state.data.board, parse_hex("2940")
    stays = walks(board, here, 6, depth - 1)
    goes = sum(walks(board, there, 6 - price, depth - 1) for there, price in board.steps[here].items())
    assert marches(start, start.state, depth) == stays + goes
