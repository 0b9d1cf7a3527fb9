import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import platformdirs
import pytest

from leuthen.cli import run
from leuthen.server.session.limits import FairScheduler
from leuthen.storage.backup import back_up, restore
from leuthen.storage.sqlite import FolderLock
from leuthen.storage.store import Store
from tests.server.conftest import Guest, NewHouse, Party, call, new_game
from tests.server.house import House
from tests.server.test_interface import BOT
from tests.server.test_orders import full_disk
from tests.server.test_scheduler import Thought, settle
from tools.serving import Served

SERVICE = 54321


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def number_of(caller: Any, seat: str) -> int:
    number: int = caller.get(f"/api/seats/{seat}").json["n"]
    return number


def lines_of(house: House, game: str) -> int:
    return len(house.session(game).history.record)


def test_machines_alone_play_only_while_watched(new_house: NewHouse) -> None:
    house = new_house()
    caller, made = new_game(house, ("random", "random"), "3")
    game = made["game"]
    time.sleep(0.2)
    assert lines_of(house, game) == 0
    assert house.drivers.count == 0
    seat = caller.get("/api/home").json["games"][0]["seats"][2]["seat"]
    Guest(caller, seat, 2).listen(0).wait_for(b'"result"')
    assert lines_of(house, game) > 3


def test_machines_rest_when_the_last_watcher_leaves(new_house: NewHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house()
    caller, made = new_game(house, ("random", "random"), "3")
    seat = caller.get("/api/home").json["games"][0]["seats"][2]["seat"]
    think = house.drivers.think

    async def slowly(*asked: Any, **more: Any) -> Any:
        await asyncio.sleep(0.3)
        return await think(*asked, **more)

    monkeypatch.setattr(house.drivers, "think", slowly)
    ear = Guest(caller, seat, 2).listen(0)
    wait_until(lambda: lines_of(house, made["game"]) > 0)
    ear.close()
    wait_until(lambda: house.drivers.count == 0)
    assert house.session(made["game"]).history.outcome is None


def test_a_restart_wakes_no_machines_without_people(new_house: NewHouse) -> None:
    _caller, made = new_game(new_house(), ("random", "random"), "3")
    house = new_house()
    assert call(house.port).get("/healthz").status == 200
    time.sleep(0.2)
    assert made["game"] not in house.registry.sessions


def test_games_of_machines_rank_behind_games_with_people() -> None:
    async def play() -> None:
        fair = FairScheduler(2)
        order = list[str]()

        async def think(game: str, *, is_behind: bool) -> None:
            async with fair.turn(game, is_behind=is_behind):
                order.append(game)

        held = Thought(fair, "held"), Thought(fair, "held too")
        await settle()
        waiting = [asyncio.ensure_future(think(f"show {n}", is_behind=True)) for n in range(3)]
        await settle()
        waiting.append(asyncio.ensure_future(think("person", is_behind=False)))
        await settle()
        for thought in held:
            await thought.end()
        await asyncio.gather(*waiting)
        assert order[0] == "person"

    asyncio.run(play())


def test_games_of_machines_leave_a_place_free() -> None:
    async def play() -> None:
        fair, end = FairScheduler(2), asyncio.Event()

        async def show(number: int) -> None:
            async with fair.turn(f"show {number}", is_behind=True):
                await end.wait()

        shows = [asyncio.ensure_future(show(number)) for number in range(4)]
        await settle()
        person = Thought(fair, "person")
        await settle()
        assert person.has_begun
        await person.end()
        end.set()
        await asyncio.gather(*shows)

    asyncio.run(play())


def test_a_full_disk_is_logged_once_and_is_no_health(in_move: Party, caplog: pytest.LogCaptureFixture) -> None:
    store = in_move.house.store
    caller = call(in_move.house.port)
    with full_disk(store):
        assert [in_move.prussia.order("step north 1").status for _ in range(3)] == [507, 507, 507]
        assert caller.get("/healthz").status == 507
    assert [line.message for line in caplog.records if "commit failed" in line.message] == [
        "a commit failed, and its orders were refused: the disk is full"
    ]
    assert caller.get("/healthz").status == 200
    assert in_move.prussia.order("step north 1").status == 200


def test_a_server_starts_where_its_address_has_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    FolderLock(tmp_path / "games", "http://127.0.0.1:1/").release()


@pytest.mark.parametrize("command", [("backup",), ("restore", "copy.db")])
def test_copies_of_postgres_are_left_to_its_tools(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEUTHEN_DATABASE", "postgresql://user@host/name")
    assert run(command) == 2
    assert "copy these games with pg_" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="root alone gives files away")
def test_root_restores_files_for_the_folders_owner(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    Store(folder).close()
    copy = back_up(folder, tmp_path / "copy.db")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, SERVICE, SERVICE)
    restore(folder, copy)
    back_up(folder)
    assert {path.stat().st_uid for path in (folder, *folder.rglob("*"))} == {SERVICE}


def test_files_of_another_user_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    Store(tmp_path).close()
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("leuthen.db"))
    assert run(["serve", "--port", "0", "--data-dir", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "leuthen.db: this user may not read and write it" in said
    assert "chown" in said


@pytest.mark.parametrize("command", [["serve"], ["play"], ["resume"], ["backup"], ["restore", "copy.db"]])
def test_a_user_without_a_home_is_told(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless(_: str) -> NoReturn:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(platformdirs, "user_data_path", homeless)
    monkeypatch.delenv("LEUTHEN_DATA", raising=False)
    assert run(command) == 2
    assert "no home folder" in capsys.readouterr().err


def test_start_and_end_are_lines_of_json(tmp_path: Path) -> None:
    served = Served(tmp_path / "games", "--log-json")
    served.start()
    served.stop(signal.SIGTERM)
    said = [json.loads(line)["message"] for line in served.said]
    assert f"serves at {served.url}/" in said[0]
    assert said[-1] == "the server has stopped"


def test_an_error_at_the_start_is_a_line_of_json(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    command = [sys.executable, "-m", "leuthen", "serve", "--log-json", "--data-dir", str(tmp_path / "file")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    said = json.loads(done.stderr)
    assert (said["level"], "cannot be written" in said["message"]) == ("CRITICAL", True)


def test_the_number_of_workers_is_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def thinkers(_: object, workers: int) -> NoReturn:
        asked.append(workers)
        raise KeyboardInterrupt

    monkeypatch.setattr("leuthen.server.http.serve.Thinkers", thinkers)
    run(["serve", "--port", "0", "--workers", "7", "--data-dir", str(tmp_path)])
    assert asked == [7]


def test_the_example_bot_survives_a_restart(tmp_path: Path) -> None:
    with Served(tmp_path / "games") as served:
        caller = call(int(served.url.rpartition(":")[2]))
        new = {"players": ["link", "random"], "ruleset": "frederick", "options": {"last-year": "1756"}}
        made = caller.post("/api/games", new).json
        secret = made["seats"][0]["link"].removeprefix("/seat#")
        bot = subprocess.Popen(
            [sys.executable, str(BOT), served.url, secret], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            seat = next(one["seat"] for one in caller.get("/api/home").json["games"][0]["seats"] if one["side"] == 2)
            lines = partial(number_of, caller, seat)
            wait_until(lambda: lines() > 5)
            served.kill()
            served.start()
            before = lines()
            wait_until(lambda: bot.poll() is not None or lines() > before + 5)
            assert bot.poll() in (None, 0)
        finally:
            bot.kill()
            bot.communicate()
