import shutil
from pathlib import Path
from typing import Any

import pytest

from leuthen.server.http.app import FRESH
from tests.server.conftest import GameClients, new_caller
from tests.server.test_limits import Clock


def test_a_health_check_is_shared_by_all_requests(game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, marks = Clock(), list[str]()
    clock.now = 100
    check = game.server.store.check

    async def noted(mark: str) -> bool:
        marks.append(mark)
        return await check(mark)

    monkeypatch.setattr("leuthen.server.http.app.monotonic", clock)
    monkeypatch.setattr(game.server.store, "check", noted)
    caller = new_caller(game.server.port)
    assert {caller.get("/healthz").status for _ in range(5)} == {200}
    assert len(marks) == 1
    clock.now += FRESH
    assert caller.get("/healthz").status == 200
    assert len(set(marks)) == 2


def test_a_failing_database_check_is_unhealthy(game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    async def forgets(mark: str) -> bool:
        return False

    monkeypatch.setattr(game.server.store, "check", forgets)
    assert new_caller(game.server.port).get("/healthz").status == 503


def test_a_server_without_its_folder_refuses_orders(game: GameClients, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "games")
    answer = game.prussia.order("bid 1")
    assert (answer.status, answer.json["title"]) == (503, "The games are missing")
    assert dict(answer.headers)["retry-after"] == "60"
    assert str(tmp_path) not in answer.body.decode()
    health: Any = new_caller(game.server.port).get("/healthz")
    assert health.status == 503
