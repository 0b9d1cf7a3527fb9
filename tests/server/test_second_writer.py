import sqlite3
from contextlib import closing
from pathlib import Path

from leuthen.storage import sqlite
from tests.server.conftest import Party


def write(folder: Path, game: str, *lines: tuple[str, str]) -> None:
    with closing(sqlite3.connect(folder / sqlite.FILE)) as raw:
        (first,) = raw.execute("SELECT count(*) FROM actions WHERE game = ?", (game,)).fetchone()
        for number, (actor, text) in enumerate(lines, first):
            raw.execute("INSERT INTO actions VALUES (?, ?, ?, ?, '')", (game, number, actor, text))
        raw.commit()


def unseal(party: Party, folder: Path) -> None:
    party.house.session(party.game).seal = None
    with closing(sqlite3.connect(folder / sqlite.FILE)) as raw:
        raw.execute("DELETE FROM proof")
        raw.execute("DELETE FROM seals")
        raw.commit()


def test_what_another_program_wrote_is_taken_in_and_told(party: Party, tmp_path: Path) -> None:
    unseal(party, tmp_path / "games")
    ear = party.austria.listen(0)
    ear.wait_for(b"event: news")
    write(tmp_path / "games", party.game, ("prussia", "bid 3"))
    seen = party.prussia.n
    answer = party.prussia.order("bid 1", seen)
    assert (answer.status, answer.json["n"]) == (409, seen + 1), "it was not his order that counted, and he is told"
    ear.wait_for(b"event: fresh")
    assert party.prussia.told()[-1:] != []
    assert party.austria.order("bid 2").status == 200
    with closing(sqlite3.connect(tmp_path / "games" / sqlite.FILE)) as raw:
        texts = [text for (text,) in raw.execute("SELECT text FROM actions ORDER BY number")]
    assert texts[:2] == ["bid 3", "bid 2"]


def test_the_same_request_sent_twice_reads_nothing_again(party: Party) -> None:
    session = party.house.session(party.game)
    history, n = session.history, party.prussia.n
    first = party.prussia.order("bid 1", n, "the-same-key")
    again = party.prussia.order("bid 1", n, "the-same-key")
    assert first.json == again.json
    assert session.history is history
