import subprocess
import sys
from pathlib import Path

from leuthen.storage.postgres import Postgres
from tests.server.caller import Caller
from tests.server.conftest import NewHouse, events, new_key, new_party
from tests.server.failover import CUT, LOST, rig
from tests.server.house import DATABASES
from tools.postgres import TempPostgres

EVERYTHING = (
    ("GET", "/"),
    ("GET", "/api/home"),
    ("POST", "/api/games"),
    ("PUT", "/api/seats/some/notes"),
    ("DELETE", "/x"),
)


def test_a_standby_answers_503_to_everything_and_takes_over_when_the_first_server_is_killed() -> None:
    with rig(on_postgres=False) as pair:
        first = pair.wait_for_first()
        standby = pair.ports[1 - first]
        caller = Caller(standby)
        for method, path in EVERYTHING:
            answer = caller.ask(method, path)
            assert (answer.status, answer.json["title"]) == (503, "This server stands by"), (method, path)
            headers = dict(answer.headers)
            assert headers["retry-after"] == "1"
            assert headers["x-content-type-options"] == "nosniff"
        health = caller.get("/healthz")
        assert (health.status, health.json) == (503, {"status": "standby"})
        caller.close()
        words = ("serve", "--port", "0", "--data-dir", str(pair.folder))
        third = subprocess.run([sys.executable, "-m", "leuthen", *words], capture_output=True, text=True, timeout=60)
        assert third.returncode == 2
        assert f"another Leuthen serves these games already at {pair.servers[first].url}/" in third.stderr
        pair.play(1, pair.kill)
        assert pair.health(standby) == "ok"
        assert max(pair.figures.servers) < 60


def test_who_loses_the_lock_refuses_orders_and_ends_its_streams(
    new_house: NewHouse, tmp_path: Path, postgres: TempPostgres, address: str
) -> None:
    DATABASES[tmp_path / "games"] = Postgres(address)
    house = new_house()
    party, key = new_party(house), new_key()
    party.prussia.orders("bid 1")
    ears, seen = [guest.listen() for guest in party.guests], party.austria.n
    for ear in ears:
        ear.wait_for(b"event: fresh")
    postgres.ask(postgres.name_of(address), CUT)
    try:
        refused = party.austria.order("bid 2", seen, key)
        assert refused.status == 503
        assert dict(refused.headers)["retry-after"]
    except LOST:
        pass  # it has noticed, and ended
    house.join(30)
    assert not house.is_alive()
    for ear in ears:
        ear._reader.join(30)
        assert events(ear.heard)[-1][0] == "again", "who listens is told to come back"
    assert postgres.ask(postgres.name_of(address), "SELECT text FROM actions ORDER BY number") == ["bid 1"]
