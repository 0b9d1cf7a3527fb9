import shutil
from pathlib import Path
from typing import Any

import pytest

from leuthen.server.http.app import FRESH
from tests.server.conftest import Party, call


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_writes_and_reads_once_for_all_who_ask(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    health, clock, marks = party.server.app.app.state.health, Clock(), []
    check = party.server.store.check

    async def noted(mark: str) -> bool:
        marks.append(mark)
        return await check(mark)

    monkeypatch.setattr(health, "_clock", clock)
    monkeypatch.setattr(party.server.store, "check", noted)
    caller = call(party.server.port)
    assert {caller.get("/healthz").status for _ in range(5)} == {200}
    assert len(marks) == 1
    clock.now += FRESH
    assert caller.get("/healthz").status == 200
    assert len(set(marks)) == 2


def test_what_cannot_be_read_again_is_no_health(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    async def forgets(mark: str) -> bool:
        return False

    monkeypatch.setattr(party.server.store, "check", forgets)
    assert call(party.server.port).get("/healthz").status == 503


def test_a_server_without_its_folder_acknowledges_nothing(party: Party, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "games")
    answer = party.prussia.order("bid 1")
    assert (answer.status, answer.json["title"]) == (503, "The games are missing")
    assert dict(answer.headers)["retry-after"] == "60"
    assert str(tmp_path) not in answer.body.decode()
    health: Any = call(party.server.port).get("/healthz")
    assert health.status == 503
