import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from typing import Any

import pytest

from leuthen.storage import sqlite
from leuthen.storage.faults import StorageFull
from leuthen.storage.rows import ActionRow
from leuthen.storage.tables import SqlRows
from tests.server.conftest import NewServer, Party, SeatClient, call, new_game, take
from tests.server.harness import TestServer
from tests.server.test_orders import as_it_is

BIDS = list(product((1, 2, 3), repeat=2))


def party_with(server: TestServer, takebacks: str, seed: int = 0) -> Party:
    server.dice_seed = str(seed)
    _, made = new_game(server, ("link", "link"), "3", takebacks=takebacks)
    links = [seat["link"] for seat in made["seats"]]
    guests = [take(server, link, side) for side, link in enumerate((*links, made["watch"]))]
    return Party(made["game"], guests[0], guests[1], guests[2], server)


def roll(party: Party, bids: Sequence[int] = (1, 2)) -> str:
    party.prussia.orders(f"bid {bids[0]}")
    party.austria.orders(f"bid {bids[1]}")
    die: str = next(line for line in reversed(party.watcher.told()) if line.startswith("The die shows"))
    return die


def database(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / "games" / sqlite.FILE)


def faces_of(server: TestServer) -> set[str]:
    return {roll(party_with(server, "consent", seed)) for seed in range(24)}


def test_different_games_have_different_dice(server: TestServer) -> None:
    assert len(faces_of(server)) == 3


@pytest.mark.parametrize("seed", range(3))
def test_nobody_shops_for_a_die_by_takebacks_and_other_orders(server: TestServer, seed: int) -> None:
    party = party_with(server, "consent", seed)
    seen = set()
    for bids in BIDS:
        n = party.prussia.n
        seen.add(roll(party, bids))
        assert party.prussia.move("ask-takeback", n + 1).status == 200
        assert party.austria.move("accept").status == 200
    assert len(seen) == 1


def test_nobody_shops_alone_where_takebacks_are_free(server: TestServer) -> None:
    party = party_with(server, "free")
    seen = set()
    for bids in BIDS:
        n = party.austria.n
        seen.add(roll(party, bids))
        assert party.austria.move("ask-takeback", n + 1).status == 200
    assert len(seen) == 1
    assert party.prussia.told()[-1] == "Austria takes back everything since."
    assert party.prussia.fresh["proposals"] == []


def test_a_host_who_deletes_rows_and_starts_anew_rolls_the_same(new_server: NewServer, tmp_path: Path) -> None:
    party = party_with(new_server(), "consent", 4)
    first = roll(party)
    for bids in BIDS[::3]:
        party.server.stop()
        with closing(database(tmp_path)) as raw:
            raw.execute("DELETE FROM actions")
            raw.execute("DELETE FROM answers")
            raw.execute("DELETE FROM proof WHERE number > 3")
            raw.commit()
        party = moved(party, new_server())
        assert roll(party, bids) == first


def moved(party: Party, server: TestServer) -> Party:
    for guest in party.guests:
        guest.caller.port = server.port
    guests = [as_it_is(guest) for guest in party.guests]
    return Party(party.game, guests[0], guests[1], guests[2], server)


@pytest.mark.parametrize("seed", range(4))
def test_a_restart_between_order_and_die_rolls_the_same(new_server: NewServer, tmp_path: Path, seed: int) -> None:
    server = new_server()
    party = party_with(server, "consent", 2)
    roll(party)
    party.prussia.orders("done")
    party.austria.orders("done")
    copytree(tmp_path / "games", tmp_path / "copy", ignore=ignore_patterns("*.lock"))
    fallen = roll(party)
    server.stop()
    rmtree(tmp_path / "games")
    copytree(tmp_path / "copy", tmp_path / "games")
    assert roll(moved(party, new_server())) == fallen


def test_an_order_sent_again_rolls_the_same(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[str]] = []
    party = party_with(server, "consent", 1)
    party.prussia.orders("bid 1")
    write = server.store.write

    async def full(work: Any) -> Any:
        def failing(rows: SqlRows) -> Any:
            work(rows)
            tried.append([line.text for line in rows.find(ActionRow, actor="chance")])
            raise StorageFull("the disk is full")

        return await write(failing)

    with monkeypatch.context() as patch:
        patch.setattr(server.store, "write", full)
        assert [party.austria.order("bid 2").status for _ in range(4)] == [507] * 4
    assert party.austria.order("bid 2").status == 200
    die = party.watcher.told()[-1].removeprefix("The die shows ").removesuffix(".")
    assert {tuple(texts) for texts in tried} == {(f"die {die}",)}


def test_the_key_is_told_to_nobody(server: TestServer, tmp_path: Path) -> None:
    party = party_with(server, "consent")
    roll(party)
    with closing(database(tmp_path)) as raw:
        ((key,),) = raw.execute("SELECT key FROM dice_keys WHERE game = ?", (party.game,)).fetchall()
        ((signing,),) = raw.execute("SELECT signing FROM seals WHERE game = ?", (party.game,)).fetchall()
    assert len(key) == len(signing) == 32
    before = told(party)
    party.prussia.move("resign")
    after = told(party)
    assert not [secret for secret in (key, signing) for body in before if holds(body, secret)]
    assert [holds(body, key) for body in after] == [path == "/record" for _ in party.guests for path in TOLD]
    assert not [body for body in after if holds(body, signing)]


TOLD = ("", "/record", "/chronicle", "/turns", "/blocks")


def told(party: Party) -> list[bytes]:
    return [guest.get(path).body for guest in party.guests for path in TOLD]


def holds(body: bytes, secret: bytes) -> bool:
    return secret in body or secret.hex().encode() in body.lower()


# --- the option -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("takebacks", ["never", "consent", "free"])
def test_the_option_is_shown_to_all_and_marked_in_the_record(server: TestServer, takebacks: str) -> None:
    party = party_with(server, takebacks)
    assert [guest.fresh["takebacks"] for guest in party.guests] == [takebacks] * 3
    party.prussia.move("resign")
    assert f"\ntakebacks {takebacks}  #" in party.austria.get("/record").body.decode()
    assert f"\ngame {party.game}  #" in party.austria.get("/record").body.decode()
    party.austria.move("offer-rematch")
    again = party.prussia.caller.post(f"{party.prussia.base}/rematch", {}).json
    mine = next(seat["seat"] for seat in again["seats"] if seat["seat"])
    assert SeatClient(party.prussia.caller, mine, 1).fresh["takebacks"] == takebacks


def test_by_default_the_other_side_consents(server: TestServer) -> None:
    caller, made = new_game(server, ("me", "link"))
    assert SeatClient(caller, made["seats"][0]["seat"], 0).fresh["takebacks"] == "consent"


def test_another_option_is_refused(server: TestServer) -> None:
    players = {"players": ["me", "link"], "ruleset": "toy", "scenario": "parley", "takebacks": "often"}
    assert call(server.port).post("/api/games", players).status == 400


def test_never_after_a_die(server: TestServer) -> None:
    party = party_with(server, "never")
    party.prussia.orders("bid 1")
    party.austria.orders("bid 2")
    refused = party.prussia.move("ask-takeback", 1)
    assert refused.status == 409
    assert refused.json["detail"] == "A die was rolled since. This game allows no takeback after that."
    n = party.prussia.n
    party.prussia.orders("step north 1", "done")
    assert party.prussia.move("ask-takeback", n + 1).status == 200, "no die since"
    assert party.austria.move("accept").status == 200


def test_a_die_that_fell_after_the_question_ends_it(server: TestServer) -> None:
    party = party_with(server, "never")
    roll(party)
    party.prussia.orders("done")
    n = party.austria.n
    party.austria.orders("done")
    assert party.austria.move("ask-takeback", n + 1).status == 200
    roll(party)
    before = party.watcher.fresh["scene"]
    assert party.prussia.move("accept").status == 400
    assert party.watcher.fresh["scene"] == before


@pytest.mark.parametrize(
    ("takebacks", "status"), [("never", 409), ("consent", 409), ("free", 200)], ids=["never", "consent", "free"]
)
def test_the_machine_grants_nothing_after_a_die_unless_it_is_practice(
    server: TestServer, takebacks: str, status: int
) -> None:
    caller, made = new_game(server, ("me", "random"), takebacks=takebacks)
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    ear = guest.listen(0)
    ear.wait_for(b"austria seals a bid")
    guest.orders("bid 1")
    ear.wait_for(b"The die shows")
    answer = guest.move("ask-takeback", 1)
    assert answer.status == status
    if status == 409:
        assert answer.json["detail"] == "A die was rolled since. The machine refuses takebacks after that."
    else:
        assert "Prussia takes back everything since." in guest.told()
