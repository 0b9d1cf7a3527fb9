import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from typing import Any

import pytest

from leuthen.storage import sqlite
from leuthen.storage.rows import ActionRow, StorageFull
from leuthen.storage.tables import SqlRows
from tests.server.conftest import GameClients, NewServer, SeatClient, creator_of, start_game
from tests.server.harness import TestServer

BIDS = list(product((1, 2, 3), repeat=2))


def start_with(server: TestServer, takebacks: str, seed: int = 0) -> GameClients:
    server.dice_seed = str(seed)
    return start_game(server, "3", takebacks=takebacks)


def roll(game: GameClients, bids: Sequence[int] = (1, 2)) -> str:
    game.prussia.orders(f"bid {bids[0]}")
    game.austria.orders(f"bid {bids[1]}")
    die: str = next(line for line in reversed(game.spectator.entries()) if line.startswith("The die shows"))
    return die


def database(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / "games" / sqlite.FILE)


def test_different_games_have_different_dice(server: TestServer) -> None:
    assert len({roll(start_with(server, "consent", seed)) for seed in range(24)}) == 3


@pytest.mark.parametrize(("takebacks", "seed"), [("consent", 0), ("consent", 1), ("consent", 2), ("free", 0)])
def test_takebacks_and_other_orders_do_not_change_a_die(server: TestServer, takebacks: str, seed: int) -> None:
    game = start_with(server, takebacks, seed)
    seen = set()
    for bids in BIDS:
        n = game.austria.n
        seen.add(roll(game, bids))
        assert game.austria.move("ask-takeback", n + 1).status == 200
        if takebacks == "consent":
            assert game.prussia.move("accept").status == 200
        else:
            assert game.prussia.entries()[-1] == "Austria takes back everything since."
        assert game.prussia.snapshot["proposals"] == []
    assert len(seen) == 1


def test_deleting_rows_and_restarting_does_not_change_a_die(new_server: NewServer, tmp_path: Path) -> None:
    game = start_with(new_server(), "consent", 4)
    first = roll(game)
    for bids in BIDS[::3]:
        game.server.stop()
        with closing(database(tmp_path)) as raw:
            raw.execute("DELETE FROM actions")
            raw.execute("DELETE FROM answers")
            raw.execute("DELETE FROM proof WHERE number > 3")
            raw.commit()
        game = game.move_to(new_server())
        assert roll(game, bids) == first


@pytest.mark.parametrize("seed", range(4))
def test_a_restart_from_a_copy_does_not_change_a_die(new_server: NewServer, tmp_path: Path, seed: int) -> None:
    server = new_server()
    game = start_with(server, "consent", 2)
    roll(game)
    game.prussia.orders("done")
    game.austria.orders("done")
    copytree(tmp_path / "games", tmp_path / "copy", ignore=ignore_patterns("*.lock"))
    fallen = roll(game)
    server.stop()
    rmtree(tmp_path / "games")
    copytree(tmp_path / "copy", tmp_path / "games")
    assert roll(game.move_to(new_server())) == fallen


def test_resending_a_failed_order_does_not_change_a_die(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[str]] = []
    game = start_with(server, "consent", 1)
    game.prussia.orders("bid 1")
    write = server.store.write

    async def full(work: Any) -> Any:
        def failing(rows: SqlRows) -> Any:
            work(rows)
            tried.append([line.text for line in rows.find(ActionRow, actor="chance")])
            raise StorageFull("the disk is full")

        return await write(failing)

    with monkeypatch.context() as patch:
        patch.setattr(server.store, "write", full)
        assert [game.austria.order("bid 2").status for _ in range(4)] == [507] * 4
    assert game.austria.order("bid 2").status == 200
    die = game.spectator.entries()[-1].removeprefix("The die shows ").removesuffix(".")
    assert {tuple(texts) for texts in tried} == {(f"die {die}",)}


def test_the_dice_key_is_revealed_only_in_the_final_record(server: TestServer, tmp_path: Path) -> None:
    game = start_with(server, "consent")
    roll(game)
    with closing(database(tmp_path)) as raw:
        ((key,),) = raw.execute("SELECT key FROM dice_keys WHERE game = ?", (game.id,)).fetchall()
        ((signing,),) = raw.execute("SELECT signing FROM seals WHERE game = ?", (game.id,)).fetchall()
    assert len(key) == len(signing) == 32
    before = read_all(game)
    game.prussia.move("resign")
    after = read_all(game)
    assert not [secret for secret in (key, signing) for body in before if contains(body, secret)]
    assert [contains(body, key) for body in after] == [path == "/record" for _ in game.clients for path in PATHS]
    assert not [body for body in after if contains(body, signing)]


PATHS = ("", "/record", "/chronicle", "/turns", "/blocks")


def read_all(game: GameClients) -> list[bytes]:
    return [client.get(path).body for client in game.clients for path in PATHS]


def contains(body: bytes, secret: bytes) -> bool:
    return secret in body or secret.hex().encode() in body.lower()


# --- the option -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("takebacks", ["never", "consent", "free"])
def test_the_takeback_option_is_shown_recorded_and_inherited(server: TestServer, takebacks: str) -> None:
    game = start_with(server, takebacks)
    assert [client.snapshot["takebacks"] for client in game.clients] == [takebacks] * 3
    game.prussia.move("resign")
    assert f"\ntakebacks {takebacks}  #" in game.austria.get("/record").body.decode()
    assert f"\ngame {game.id}  #" in game.austria.get("/record").body.decode()
    game.austria.move("offer-rematch")
    again = game.prussia.post("/rematch", {}).json
    mine = next(seat["seat"] for seat in again["seats"] if seat["seat"])
    assert SeatClient(game.prussia.caller, mine, 1).snapshot["takebacks"] == takebacks
    assert start_game(server).prussia.snapshot["takebacks"] == "consent", "by default"


def test_a_die_rolled_after_the_request_voids_a_takeback(server: TestServer) -> None:
    game = start_with(server, "never")
    roll(game)
    game.prussia.orders("done")
    n = game.austria.n
    game.austria.orders("done")
    assert game.austria.move("ask-takeback", n + 1).status == 200
    roll(game)
    before = game.spectator.snapshot["scene"]
    assert game.prussia.move("accept").status == 400
    assert game.spectator.snapshot["scene"] == before


@pytest.mark.parametrize(
    ("takebacks", "status"), [("never", 409), ("consent", 409), ("free", 200)], ids=["never", "consent", "free"]
)
def test_a_bot_grants_takebacks_after_a_die_only_in_practice(server: TestServer, takebacks: str, status: int) -> None:
    client = creator_of(server, ("me", "random"), takebacks=takebacks)
    stream = client.subscribe(0)
    stream.wait_for(b"austria seals a bid")
    client.orders("bid 1")
    stream.wait_for(b"The die shows")
    answer = client.move("ask-takeback", 1)
    assert answer.status == status
    if status == 409:
        assert answer.json["detail"] == "A die was rolled since. The machine refuses takebacks after that."
    else:
        assert "Prussia takes back everything since." in client.entries()
