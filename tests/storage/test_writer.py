import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import event

from leuthen.engine.refusal import Invalid
from leuthen.storage import sqlite
from leuthen.storage.faults import AlreadyThere, GamesTaken, StorageAway, StorageBroken, StorageBusy, StorageFull
from leuthen.storage.postgres import Postgres
from leuthen.storage.rows import MarkRow, Rows
from leuthen.storage.store import Store, Work
from leuthen.storage.tables import SqlRows


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | Postgres:
    return tmp_path if request.param == "sqlite" else Postgres(request.getfixturevalue("address"))


@pytest.fixture
def store(where: Path | Postgres) -> Iterator[Store]:
    store = Store(where)
    yield store
    store.close()


@pytest.fixture
def in_folder(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.close()


def note(name: str, value: str = "") -> Work[str]:
    def work(rows: Rows) -> str:
        rows.add(MarkRow(name, value))
        return name

    return work


def names(rows: Rows) -> list[str]:
    return [mark.name for mark in rows.find(MarkRow)]


async def together(store: Store, *works: Work[Any]) -> list[Any]:
    held, let_go = Event(), Event()

    def hold(_: Rows) -> None:
        held.set()
        assert let_go.wait(30)

    first = asyncio.ensure_future(store.write(hold))
    await asyncio.to_thread(held.wait, 30)
    rest = [asyncio.ensure_future(store.write(work)) for work in works]
    await asyncio.sleep(0)
    let_go.set()
    await first
    return await asyncio.gather(*rest, return_exceptions=True)


def commits_of(store: Store) -> list[int]:
    commits: list[int] = []
    event.listen(store._writing, "commit", lambda _: commits.append(1))
    return commits


def test_all_that_wait_share_a_commit(store: Store) -> None:
    commits = commits_of(store)
    results = asyncio.run(together(store, *(note(str(n)) for n in range(40))))
    assert results == [str(n) for n in range(40)]
    assert len(commits) == 2, "the one that held the writer up, and all others"
    assert len(asyncio.run(store.read(names))) == 40


def fail(rows: SqlRows) -> None:
    note("half")(rows)
    raise ZeroDivisionError


def test_a_job_that_fails_leaves_nothing_and_spoils_no_other(store: Store) -> None:
    results = asyncio.run(together(store, note("a"), fail, note("a"), note("b")))
    assert results[0] == "a"
    assert isinstance(results[1], ZeroDivisionError)
    assert isinstance(results[2], AlreadyThere)
    assert results[3] == "b"
    assert sorted(asyncio.run(store.read(names))) == ["a", "b"]


def test_a_job_that_fails_alone_leaves_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(store.write(fail))
    assert asyncio.run(store.read(names)) == []


def test_a_full_disk_is_told_and_nothing_is_lost(in_folder: Store) -> None:
    store = in_folder

    async def play() -> None:
        await store.write(note("before"))
        pages = await store.write(lambda rows: rows.connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        await store.write(lambda rows: rows.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 1}").all())
        results = await together(store, note("small"), note("big", "x" * 100_000))
        assert [type(result) for result in results] == [StorageFull, StorageFull]
        assert await store.read(names) == ["before"]
        await store.write(lambda rows: rows.connection.exec_driver_sql("PRAGMA max_page_count = 100000").all())
        await store.write(note("after", "x" * 100_000))
        assert sorted(await store.read(names)) == ["after", "before"]

    asyncio.run(play())


def test_a_locked_database_is_told_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    store = Store(tmp_path)
    other = sqlite3.connect(tmp_path / sqlite.FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageBusy):
        asyncio.run(store.write(note("a")))
    assert asyncio.run(store.read(names)) == []
    other.execute("COMMIT")
    assert asyncio.run(store.write(note("a"))) == "a"
    other.close()
    store.close()


def test_a_commit_that_fails_fails_for_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Any) -> None:
        raise store._writing.dialect.loaded_dbapi.OperationalError("disk I/O error")

    engine = store._writing
    monkeypatch.setattr(engine.dialect, "do_commit", refuse)
    with pytest.raises((StorageBroken, StorageAway)):
        asyncio.run(store.write(note("a")))
    monkeypatch.undo()
    assert asyncio.run(store.read(names)) == []
    assert asyncio.run(store.write(note("a"))) == "a"


def test_closing_writes_what_waits(where: Path | Postgres) -> None:
    store = Store(where)

    async def play() -> list[str]:
        waiting = [asyncio.ensure_future(store.write(note(str(n)))) for n in range(5)]
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        return await asyncio.gather(*waiting)

    assert asyncio.run(play()) == [str(n) for n in range(5)]
    again = Store(where)
    assert len(asyncio.run(again.read(names))) == 5
    again.close()


def test_who_has_gone_is_told_nothing(store: Store) -> None:

    async def play() -> None:
        gone = asyncio.ensure_future(store.write(note("gone")))
        await asyncio.sleep(0)
        gone.cancel()
        await store.write(note("here"))
        assert sorted(await store.read(names)) == ["gone", "here"]

    asyncio.run(play())


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / sqlite.FILE).write_text("no database at all, and long enough to be read as one" * 10)
    with pytest.raises(Invalid, match=r"leuthen\.db: the database cannot be used: file is not a database"):
        Store(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Invalid, match="cannot be written"):
        Store(tmp_path / "file" / "folder")


def test_every_commit_is_durable(in_folder: Store) -> None:

    def pragmas(rows: SqlRows) -> list[Any]:
        asked = ("journal_mode", "synchronous", "foreign_keys")
        return [rows.connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in asked]

    assert asyncio.run(in_folder.write(pragmas)) == ["wal", 2, 1]
    assert asyncio.run(in_folder.read(pragmas)) == ["wal", 2, 1]


def test_one_store_at_a_time_has_the_games(where: Path | Postgres) -> None:
    store = Store(where, "http://127.0.0.1:8756/")
    other = where if isinstance(where, Path) else Postgres(where.name)
    for _ in range(2):
        with pytest.raises(GamesTaken, match=r"already runs these games at http://127\.0\.0\.1:8756/") as taken:
            Store(other)
        assert taken.value.address == "http://127.0.0.1:8756/"
    store.close()
    Store(other).close()
