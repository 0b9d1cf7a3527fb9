from pathlib import Path
from typing import Any

import pytest

from leuthen import load as registry
from leuthen.report import assemble, sampling
from leuthen.report.sampling import Effort, Sampling
from tests.report import wars
from tests.server.conftest import GameClients, NewServer, never_finish, new_caller
from tests.server.harness import TestServer
from tests.server.test_history import import_record

FREDERICK = registry.RULESETS["frederick"]
LITTLE = Sampling("report", Effort(chance=1, first=1, more=1))


@pytest.fixture(autouse=True)
def frederick(toy_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.RULESETS, "frederick", FREDERICK)


def import_ended_game(server: TestServer, lines: int = 150) -> tuple[Any, str]:
    server.registry.reports.trial = LITTLE
    caller = new_caller(server.port)
    made = import_record(caller, wars.record_with_resignation(lines))
    assert made.status == 201, made.body
    return caller, f"/api/seats/{made.json['seats'][1]['seat']}/report"


def wait_for_report(caller: Any, path: str) -> Any:
    for _ in range(2000):
        found = caller.get(path).json
        if found["stage"] in ("done", "failed"):
            return found
    raise AssertionError(found)


def test_a_report_is_computed_once_and_survives_a_restart(
    new_server: NewServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, path = import_ended_game(new_server())
    assert caller.get(path).json["stage"] == ""
    begun = caller.post(path, {}).json
    assert (begun["stage"], begun["report"]) == ("begun", None)
    report = wait_for_report(caller, path)
    assert report["report"]["outcome"] == "austria, resignation, 1756"
    assert len(report["news"]) == len(report["report"]["moments"]) > 0
    monkeypatch.setattr(assemble, "begin", None)
    server = new_server()
    again = new_caller(server.port)
    again.cookies = caller.cookies
    assert again.get(path).json == report
    assert again.post(path, {}).json == report


def test_a_report_of_another_evaluator_is_computed_again(
    new_server: NewServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, path = import_ended_game(new_server())
    caller.post(path, {})
    report = wait_for_report(caller, path)["report"]
    monkeypatch.setattr(sampling, "METHOD", 0)
    assert caller.get(path).json["report"] is None
    caller.post(path, {})
    anew = wait_for_report(caller, path)["report"]
    assert anew == {**report, "evaluator": f"{wars.headquarters().value.digest}-0"} != report


def test_a_failed_report_can_be_started_again(new_server: NewServer, monkeypatch: pytest.MonkeyPatch) -> None:
    caller, path = import_ended_game(new_server())
    with monkeypatch.context() as broken:
        broken.setattr(assemble, "finish", lambda *_: 1 / 0)
        caller.post(path, {})
        found = wait_for_report(caller, path)
        assert (found["stage"], found["said"]) == ("failed", "Something went wrong on the server.")
    caller.post(path, {})
    assert wait_for_report(caller, path)["stage"] == "done"


def test_the_number_of_simultaneous_reports_is_limited(new_server: NewServer) -> None:
    server = new_server()
    server.registry.reporting._run = never_finish
    games = [import_ended_game(server, lines=3) for _ in range(7)]
    assert [caller.post(path, {}).status for caller, path in games] == [200] * 6 + [429]
    caller, path = games[0]
    assert caller.post(path, {}).json["stage"] == "begun"


def test_only_ended_games_with_report_support_have_reports(game: GameClients) -> None:
    for answer in (game.spectator.get("/report"), game.prussia.post("/report", {})):
        assert (answer.status, answer.json["title"]) == (409, "Game in progress")
    game.prussia.move("resign")
    found = game.austria.get("/report").json
    answer = game.austria.post("/report", {})
    why = "There is no report on this game: games of toy have no reports yet."
    assert (found["stage"], found["said"]) == ("none", why)
    assert (answer.status, answer.json["detail"]) == (404, why)
