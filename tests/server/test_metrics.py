import http.client
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from leuthen.engine.refusal import Invalid
from leuthen.server.http.metrics import Metrics, kind_of
from tests.server.caller import Caller
from tests.server.conftest import Party
from tools.serving import Served


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


def asked(port: int, path: str = "/metrics", **headers: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, body


def figures(text: str) -> dict[str, float]:
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Served, int]]:
    port = free_port()
    with Served(tmp_path / "games", "--metrics", str(port)) as server:
        yield server, port


def test_it_counts_what_is_done_and_never_says_whose_it_is(served: tuple[Served, int]) -> None:
    server, port = served
    caller = Caller(int(server.url.rpartition(":")[2]))
    made = caller.post("/api/games", {"players": ["me", "me"], "title": "a-title-of-mine"}).json
    seat = made["seats"][0]["seat"]
    ear = caller.listen(f"/api/seats/{seat}/stream")
    ear.wait_for(b"event: fresh")
    order = {"seen": 0, "key": "request-00000001", "order": "nonsense"}
    assert caller.post(f"/api/seats/{seat}/orders", order).status == 400
    status, text = asked(port)
    found = figures(text)
    assert status == 200
    assert found["leuthen_requests_total games 201"] == 1
    assert found["leuthen_requests_total orders 400"] == 1
    assert found["leuthen_request_seconds_count orders"] == 1
    assert found["leuthen_streams"] == 1
    assert found["leuthen_games_in_memory"] == 1
    assert found["leuthen_games_bytes"] > 100_000
    assert found["leuthen_slow_work replaying"] == 0
    assert found["leuthen_disk_free_bytes"] > found["leuthen_database_bytes"] > 0
    assert found["process_open_fds"] > 5
    for secret in (seat, made["game"], "a-title-of-mine", *caller.cookies.values(), "127.0.0.1"):
        assert secret not in text
    ear.close()
    caller.close()


@pytest.mark.parametrize(
    "headers",
    [{}, {"X_Forwarded_For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}, {"X_Original_URL": "/metrics"}],
)
def test_no_address_of_the_game_leads_to_them(served: tuple[Served, int], headers: dict[str, str]) -> None:
    server, _ = served
    port = int(server.url.rpartition(":")[2])
    for path in ("/metrics", "/metrics/", "//metrics", "/api/../metrics", "/schema/../metrics"):
        status, text = asked(port, path, **headers)
        assert status == 404, path
        assert "leuthen_" not in text


def test_changes_are_counted_once_they_are_told(in_move: Party) -> None:
    registry = in_move.house.registry
    before = registry.changes
    assert before >= 2, "both have bid"
    assert in_move.prussia.order("nonsense").status == 400
    assert registry.changes == before
    assert in_move.prussia.move("resign").status == 200
    assert registry.changes == before + 1


def test_a_kind_is_one_of_few_words_whatever_is_asked_for() -> None:
    assert kind_of("/api/seats/a-secret-name") == "seats"
    assert kind_of("/api/seats/a-secret-name/orders") == "orders"
    assert kind_of("/api/seats/a-secret-name/devices/3") == "devices"
    assert kind_of("/a-secret-name") == "other"


def test_an_address_that_is_taken_is_told(in_move: Party) -> None:
    house = in_move.house
    metrics = Metrics(house.registry, house.drivers, house.store.database.folder)
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(Invalid, match="cannot give out figures at"),
        metrics.given_out("127.0.0.1", taken.getsockname()[1]),
    ):
        pass
