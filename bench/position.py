"""A game in full swing: the first part of a golden record, as much of it as puts enough stacks on the map."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import APIRequestContext

RECORD: Final = Path(__file__).parents[1] / "tests" / "golden" / "planner.leuthen"
STEP: Final = 200


def begun_game(browser: APIRequestContext, stacks: int) -> tuple[str, int]:
    """A seat of this browser in a game with at least so many stacks on the map, and how many there are."""
    lines = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    for end in range(STEP, len(lines), STEP):
        answer = browser.post("/api/import", data="".join(lines[:end]), headers={"Content-Type": "text/plain"})
        assert answer.ok, answer.text()
        seat = answer.json()["seats"][0]["seat"]
        found = len(browser.get(f"/api/seats/{seat}").json()["scene"]["pieces"])
        if found >= stacks:
            return seat, found
    raise ValueError(f"the golden game never has {stacks} stacks on the map")
