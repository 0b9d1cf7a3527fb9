import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.play.proof.check import check
from leuthen.play.record import RecordError, parse
from leuthen.storage import sqlite
from leuthen.storage.sqlite import FILE
from tests.rows import rows
from tests.server.conftest import TOY_GAME, GameClients, NewServer, close_clients, new_caller, start_game
from tests.server.harness import DATABASES, TestServer
from tests.server.test_seal import open_devices

CHANGES: dict[str, tuple[str, str]] = {name: (statement, text) for name, statement, text in rows("changed-rows")}
ANOTHER_LINK = """
    UPDATE proof SET text = substr(text, 1, 30) || 'beef' || substr(text, 35) WHERE text LIKE 'link prussia 1 2 %'
"""


def play_some(new_server: NewServer) -> GameClients:
    game = start_game(new_server(), "3")
    one, other = open_devices(game)
    one.orders("bid 1")
    other.orders("bid 2")
    one.orders("step north 2")
    return game


def change_rows(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder)) as raw, raw:
        assert raw.execute(statement).rowcount == 1


@pytest.mark.parametrize("name", CHANGES)
def test_loading_a_game_names_a_changed_row(
    name: str, new_server: NewServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game, (statement, message) = play_some(new_server), CHANGES[name]
    new_server().stop()
    change_rows(tmp_path / "games" / FILE, statement)
    with caplog.at_level(logging.ERROR):
        game.move_to(new_server())
        assert message in game.prussia.snapshot["unplayable"]
    assert f"the game {game.id} was changed in the database: " in caplog.text
    assert message in caplog.text
    assert game.prussia.post("/orders", {"seen": game.prussia.n, "key": "k" * 20, "order": "done"}).status == 409


@pytest.mark.parametrize("name", CHANGES)
def test_a_backup_with_a_changed_row_is_refused(
    name: str, new_server: NewServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, (statement, message) = play_some(new_server), CHANGES[name]
    new_server().stop()
    copy, folder = tmp_path / "copy.db", tmp_path / "games"
    assert run(["backup", "--data-dir", str(folder), str(copy)]) == 0
    assert run(["restore", "--data-dir", str(folder), str(copy)]) == 0, "the unchanged backup is accepted"
    before = (folder / FILE).read_bytes()
    change_rows(copy, statement)
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("PRAGMA user_version = 0")  # an attacker can remove the checksum, but not the seal
    assert run(["restore", "--data-dir", str(folder), str(copy)]) == 2
    err = capsys.readouterr().err
    assert f"the game {game.id} was changed: " in err
    assert message in err
    assert (folder / FILE).read_bytes() == before


def test_checking_the_record_of_a_changed_game_names_the_line(new_server: NewServer, tmp_path: Path) -> None:
    game = play_some(new_server)
    new_server().stop()
    change_rows(tmp_path / "games" / FILE, CHANGES["one bit of an order"][0])
    game.move_to(new_server())
    prussia = game.prussia
    assert prussia.post("/moves", {"seen": prussia.n, "key": "k" * 20, "do": "resign"}).status == 200
    with pytest.raises(RecordError, match="this is not the text that line") as found:
        check(parse(Path("record"), prussia.get("/record").body))
    assert found.value.line == 13


def test_loading_an_ended_game_names_a_changed_row(new_server: NewServer, tmp_path: Path) -> None:
    game = play_some(new_server)
    assert game.prussia.post("/moves", {"seen": game.prussia.n, "key": "k" * 20, "do": "resign"}).status == 200
    new_server().stop()
    change_rows(tmp_path / "games" / FILE, CHANGES["another order"][0])
    game.move_to(new_server())
    assert game.prussia.snapshot["has_ended"]
    assert CHANGES["another order"][1] in game.prussia.snapshot["unplayable"]


def test_the_ledger_detects_a_changed_link(new_server: NewServer, tmp_path: Path) -> None:
    game = play_some(new_server)
    new_server().stop()
    change_rows(tmp_path / "games" / FILE, ANOTHER_LINK)
    game.move_to(new_server())
    assert "cannot continue here" in game.prussia.snapshot["unplayable"]


PAGE = 4096


def damaged(data: bytes, page: int, how: str) -> bytes:
    torn = {"zeros": bytes(PAGE), "noise": Random(page).randbytes(PAGE), "half": data[page * PAGE :][: PAGE // 2]}[how]
    return data[: page * PAGE] + torn.ljust(PAGE, b"\xff") + data[(page + 1) * PAGE :]


DAMAGES = ("zeros", "noise", "half")


@pytest.mark.parametrize("how", DAMAGES)
def test_a_torn_page_never_causes_an_unknown_error(
    toy_data: Path, tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    if DATABASES:
        pytest.skip("PostgreSQL keeps its own pages")
    folder = tmp_path / "whole"
    server = TestServer(folder)
    server.start()
    game = start_game(server)
    game.prussia.orders("bid 1")
    base, cookies, secret = game.prussia.base, game.prussia.caller.cookies, game.prussia.post("/link", {}).json
    close_clients()
    server.stop()
    data = (folder / FILE).read_bytes()
    statuses = set[int]()
    for page in range(DAMAGES.index(how), len(data) // PAGE, len(DAMAGES)):  # each page once
        torn = tmp_path / f"{how}-{page}"
        torn.mkdir()
        (torn / FILE).write_bytes(damaged(data, page, how))
        try:
            server = TestServer(torn)
        except Invalid:
            continue  # it reports this at its start
        server.start()
        caller = new_caller(server.port)
        caller.cookies |= cookies
        answers = [caller.get(path) for path in ("/api/home", "/api/school")]
        answers += [caller.get(base + path) for path in ("", "/chronicle", "/record", "/chat", "/notes", "/devices")]
        answers.append(caller.post("/api/take", {"secret": secret["link"].partition("#")[2]}))
        answers.append(caller.post(f"{base}/chat", {"key": f"a-key-{page:04}", "text": "Well met"}))
        answers.append(caller.post("/api/games", TOY_GAME))
        assert not [answer for answer in answers if answer.status == 500], page
        statuses |= {answer.status for answer in answers}
        close_clients()
        server.stop()
    assert 503 in statuses
    assert "a request failed" not in caplog.text


def insert_lines(folder: Path, game: str, *lines: tuple[str, str]) -> None:
    with closing(sqlite3.connect(folder / sqlite.FILE)) as raw:
        (first,) = raw.execute("SELECT count(*) FROM actions WHERE game = ?", (game,)).fetchone()
        for number, (actor, text) in enumerate(lines, first):
            raw.execute("INSERT INTO actions VALUES (?, ?, ?, ?, '')", (game, number, actor, text))
        raw.commit()


def unseal(game: GameClients, folder: Path) -> None:
    game.server.session(game.id).seal = None
    with closing(sqlite3.connect(folder / sqlite.FILE)) as raw:
        raw.execute("DELETE FROM proof")
        raw.execute("DELETE FROM seals")
        raw.commit()


def test_lines_written_by_another_program_are_loaded(game: GameClients, tmp_path: Path) -> None:
    unseal(game, tmp_path / "games")
    stream = game.austria.subscribe(0)
    stream.wait_for(b"event: news")
    insert_lines(tmp_path / "games", game.id, ("prussia", "bid 3"))
    seen = game.prussia.n
    answer = game.prussia.order("bid 1", seen)
    assert (answer.status, answer.json["n"]) == (409, seen + 1)
    stream.wait_for(b"event: fresh")
    assert game.prussia.entries()[-1:] != []
    assert game.austria.order("bid 2").status == 200
    with closing(sqlite3.connect(tmp_path / "games" / sqlite.FILE)) as raw:
        texts = [text for (text,) in raw.execute("SELECT text FROM actions ORDER BY number")]
    assert texts[:2] == ["bid 3", "bid 2"]
