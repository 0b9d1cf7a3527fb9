"""A table in a war with many stacks on the map."""

from __future__ import annotations

from playwright.sync_api import APIRequestContext

from bench import wars
from leuthen.load import load


def start_game(browser: APIRequestContext, url: str, stacks: int) -> tuple[str, int]:
    """Import a war with at least this many stacks. Return a seat of this browser and the number of stacks."""
    record = wars.crowded_position(load("frederick"), stacks)
    headers = {"Content-Type": "text/plain", "Origin": url}
    answer = browser.post("/api/import", data=record.encode(), headers=headers)
    assert answer.ok, answer.text()
    seat = answer.json()["seats"][0]["seat"]
    return seat, len(browser.get(f"/api/seats/{seat}").json()["scene"]["pieces"])
