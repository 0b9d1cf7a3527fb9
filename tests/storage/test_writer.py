import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
from sqlalchemy import event

from leuthen.engine.refusal import Invalid
from leuthen.storage import sqlite
from leuthen.storage.postgres import Postgres
from leuthen.storage.rows import (
    AlreadyThere,
    GamesTaken,
    MarkRow,
    Rows,
    StorageAway,
    StorageBroken,
    StorageFull,
)
from leuthen.storage.store import Store, Work
from leuthen.storage.tables import SqlRows


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | Postgres:
    return tmp_path if request.param == "sqlite" else Postgres(request.getfixturevalue("address"))


@pytest.fixture
def store(place: Path | Postgres) -> Iterator[Store]:
    store = Store(place)
    yield store
    store.close()


@pytest.fixture
def folder_store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.close()


def add_mark(name: str, value: str = "") -> Work[str]:
    def work(rows: Rows) -> str:
        rows.add(MarkRow(name, value))
        return name

    return work


def names(rows: Rows) -> list[str]:
    return [mark.name for mark in rows.find(MarkRow)]


async def write_together(store: Store, *works: Work[Any]) -> list[Any]:
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


def count_commits(store: Store) -> list[int]:
    commits: list[int] = []
    event.listen(store._writing, "commit", lambda _: commits.append(1))
    return commits


def test_waiting_writes_share_a_commit(store: Store) -> None:
    commits = count_commits(store)
    results = asyncio.run(write_together(store, *(add_mark(str(n)) for n in range(40))))
    assert results == [str(n) for n in range(40)]
    assert len(commits) == 2, "the one that held the writer up, and all others"
    assert len(asyncio.run(store.read(names))) == 40


def fail(rows: SqlRows) -> None:
    add_mark("half")(rows)
    raise ZeroDivisionError


def test_a_failed_write_leaves_the_others(store: Store) -> None:
    results = asyncio.run(write_together(store, add_mark("a"), fail, add_mark("a"), add_mark("b")))
    assert results[0] == "a"
    assert isinstance(results[1], ZeroDivisionError)
    assert isinstance(results[2], AlreadyThere)
    assert results[3] == "b"
    assert sorted(asyncio.run(store.read(names))) == ["a", "b"]


def test_a_failed_write_alone_is_rolled_back(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(store.write(fail))
    assert asyncio.run(store.read(names)) == []


async def test_a_full_disk_fails_a_write_and_loses_nothing(folder_store: Store) -> None:
    store = folder_store
    await store.write(add_mark("before"))
    pages = await store.write(lambda rows: rows.connection.exec_driver_sql("PRAGMA page_count").scalar_one())
    await store.write(lambda rows: rows.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 1}").all())
    results = await write_together(store, add_mark("small"), add_mark("big", "x" * 100_000))
    assert [type(result) for result in results] == [StorageFull, StorageFull]
    assert await store.read(names) == ["before"]
    await store.write(lambda rows: rows.connection.exec_driver_sql("PRAGMA max_page_count = 100000").all())
    await store.write(add_mark("after", "x" * 100_000))
    assert sorted(await store.read(names)) == ["after", "before"]


def test_a_failed_commit_fails_every_write(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Any) -> None:
        raise store._writing.dialect.loaded_dbapi.OperationalError("disk I/O error")

    engine = store._writing
    monkeypatch.setattr(engine.dialect, "do_commit", refuse)
    with pytest.raises((StorageBroken, StorageAway)):
        asyncio.run(store.write(add_mark("a")))
    monkeypatch.undo()
    assert asyncio.run(store.read(names)) == []
    assert asyncio.run(store.write(add_mark("a"))) == "a"


def test_closing_a_store_completes_waiting_writes(place: Path | Postgres) -> None:
    store = Store(place)

    async def play() -> list[str]:
        waiting = [asyncio.ensure_future(store.write(add_mark(str(n)))) for n in range(5)]
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        return await asyncio.gather(*waiting)

    assert asyncio.run(play()) == [str(n) for n in range(5)]
    again = Store(place)
    assert len(asyncio.run(again.read(names))) == 5
    again.close()


async def test_a_cancelled_write_is_still_stored(store: Store) -> None:
    gone = asyncio.ensure_future(store.write(add_mark("gone")))
    await asyncio.sleep(0)
    gone.cancel()
    await store.write(add_mark("here"))
    assert sorted(await store.read(names)) == ["gone", "here"]


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / sqlite.FILE).write_text("no database at all, and long enough to be read as one" * 10)
    with pytest.raises(Invalid, match=r"leuthen\.db: the database cannot be used: file is not a database"):
        Store(tmp_path)


def test_a_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Invalid, match="cannot be written"):
        Store(tmp_path / "file" / "folder")


def test_every_commit_is_durable(folder_store: Store) -> None:

    def pragmas(rows: SqlRows) -> list[Any]:
        asked = ("journal_mode", "synchronous", "foreign_keys")
        return [rows.connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in asked]

    assert asyncio.run(folder_store.write(pragmas)) == ["wal", 2, 1]
    assert asyncio.run(folder_store.read(pragmas)) == ["wal", 2, 1]


def test_games_have_one_store_at_a_time(place: Path | Postgres) -> None:
    store = Store(place, "http://127.0.0.1:8756/")
    other = place if isinstance(place, Path) else Postgres(place.name)
    for _ in range(2):
        with pytest.raises(GamesTaken, match=r"already runs these games at http://127\.0\.0\.1:8756/") as taken:
            Store(other)
        assert taken.value.address == "http://127.0.0.1:8756/"
    store.close()
    for _ in range(500):
        try:
            return Store(other).close()
        except GamesTaken:  # PostgreSQL frees the lock when it has noticed the end
            sleep(0.01)
    raise AssertionError("the games stay taken")
