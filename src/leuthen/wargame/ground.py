"""The ground in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leuthen.wargame.board import Board, Hex, around


def hexsides(board: Board, here: Hex, place: Callable[[Hex], str], barred: str) -> Iterator[str]:
    """What lies on the way to each neighbour, and what it costs; open sides are left out. `barred`: the rule."""
    if not board.in_play(here):
        return
    for there in around(here):
        if there not in board.terrain:
            continue
        side = board.side(here, there)
        marks = [*([f"river {side.river}"] if side.river else []), *([f"pass {side.pass_}"] if side.pass_ else [])]
        marks += ["ridge without a pass"] * (side.ridge and not side.pass_) + ["water"] * side.water
        if marks:
            cost = board.steps[here].get(there)
            price = f"{cost} MP" if cost is not None else f"barred ({barred})"
            yield f"To {place(there)}: {', '.join(marks)}, {price}"
