import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import psycopg
import pytest

from leuthen.engine.refusal import Invalid
from leuthen.storage import postgres
from leuthen.storage.postgres import Postgres
from leuthen.storage.rows import (
    GamesTaken,
    LockLost,
    StorageAway,
    StorageBroken,
    StorageBusy,
    StorageFull,
    Unfit,
    Unreachable,
)
from leuthen.storage.store import Store
from leuthen.storage.tables import SqlRows
from tests.storage.test_migrate import differences
from tests.storage.test_writer import add_mark, names, write_together
from tools.postgres import TempPostgres


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    store = Store(Postgres(address))
    yield store
    store.close()


# --- its tables -------------------------------------------------------------------------------------------------------


def test_a_new_database_has_the_current_tables(postgres: TempPostgres) -> None:
    address = postgres.new_database()
    Store(Postgres(address)).close()
    assert differences(Postgres(address).open(to_write=False)) == []
    postgres.ask(postgres.name_of(address), "DROP INDEX ix_games_maker")
    assert len(differences(Postgres(address).open(to_write=False))) == 1


def test_the_database_of_another_program_is_refused(postgres: TempPostgres) -> None:
    address = postgres.new_database()
    postgres.ask(postgres.name_of(address), "CREATE TABLE recipes (name TEXT)")
    before = postgres.dump(postgres.name_of(address))
    with pytest.raises(Invalid, match=r"is not a Leuthen database"):
        Store(Postgres(address))
    assert postgres.dump(postgres.name_of(address)) == before


def test_a_database_that_may_lose_commits_is_refused(postgres: TempPostgres, address: str) -> None:
    postgres.ask("postgres", f"ALTER DATABASE {postgres.name_of(address)} SET synchronous_commit = off")
    with pytest.raises(Invalid, match="synchronous_commit is off"):
        Store(Postgres(address))


# --- its address ------------------------------------------------------------------------------------------------------


def test_a_database_in_another_encoding_is_refused(postgres: TempPostgres) -> None:
    postgres.ask("postgres", "CREATE DATABASE games_ascii TEMPLATE template0 ENCODING 'SQL_ASCII'")
    with pytest.raises(Invalid, match="its encoding is SQL_ASCII; create one with CREATE DATABASE … ENCODING 'UTF8'"):
        Store(Postgres(postgres.address("games_ascii")))
    assert postgres.ask("games_ascii", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == ["0"]


@pytest.mark.parametrize("address", ["games", "mysql://host/games", "postgresql://host:port/games", ""])
def test_an_invalid_database_address_is_refused(address: str) -> None:
    with pytest.raises(Invalid, match="--database must be like postgresql://user@host/name"):
        Postgres(address)


def test_an_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"the database cannot be reached: .*No such file") as refused:
        Store(Postgres(f"postgres://me:hunter2@/games?host={tmp_path}"))
    assert "hunter2" not in str(refused.value)


# --- its errors -------------------------------------------------------------------------------------------------------


def test_an_unfit_value_fails_only_its_own_write(store: Store) -> None:
    results = asyncio.run(write_together(store, add_mark("a"), add_mark("b", "\0"), add_mark("c" * 41), add_mark("d")))
    assert [type(result) for result in results] == [str, Unfit, Unfit, str]
    assert sorted(asyncio.run(store.read(names))) == ["a", "d"]


def test_a_full_disk_fails_a_write_and_loses_nothing(store: Store, postgres: TempPostgres, address: str) -> None:
    asyncio.run(store.write(add_mark("before")))
    text = """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON about FOR EACH ROW WHEN (NEW.value <> '') EXECUTE FUNCTION refuse()"""
    postgres.ask(postgres.name_of(address), text)
    results = asyncio.run(write_together(store, add_mark("small"), add_mark("big", "x")))
    assert [type(result) for result in results] == [StorageFull, StorageFull]
    assert asyncio.run(store.read(names)) == ["before"]
    postgres.ask(postgres.name_of(address), "DROP TRIGGER refuse ON about")
    asyncio.run(store.write(add_mark("after", "x")))


def test_a_locked_table_fails_a_write_and_loses_nothing(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "LOCK_SECONDS", 0.05)
    store = Store(Postgres(address))
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE about")
        with pytest.raises(StorageBusy):
            asyncio.run(store.write(add_mark("a")))
    assert asyncio.run(store.write(add_mark("a"))) == "a"
    store.close()


# --- its lock ---------------------------------------------------------------------------------------------------------


CUT_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"


def wait_until_lost(store: Store) -> None:
    end = monotonic() + 10 * postgres.BEAT
    while not store.is_lost:
        assert monotonic() < end
        sleep(0.01)


def test_a_database_that_comes_back_can_be_opened_again(store: Store, postgres: TempPostgres, address: str) -> None:
    asyncio.run(store.write(add_mark("before")))
    postgres.stop()
    with pytest.raises(StorageAway):
        asyncio.run(store.write(add_mark("lost")))
    with pytest.raises(StorageAway):
        asyncio.run(store.read(names))
    with pytest.raises(Unreachable):
        Store(Postgres(address))
    postgres.start()
    with pytest.raises(LockLost):
        asyncio.run(store.write(add_mark("lost")))
    assert asyncio.run(store.read(names)) == ["before"]
    again = Store(Postgres(address))
    assert asyncio.run(again.write(add_mark("after"))) == "after"
    assert sorted(asyncio.run(again.read(names))) == ["after", "before"]
    again.close()


def test_a_connection_cut_in_the_middle_is_reported(store: Store, address: str) -> None:
    def cut(rows: SqlRows) -> None:
        add_mark("lost")(rows)
        rows.connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(StorageAway):
        asyncio.run(store.write(cut))
    with pytest.raises(LockLost):
        asyncio.run(store.write(add_mark("after")))
    assert store.is_lost
    assert asyncio.run(store.read(names)) == []


def test_a_lost_lock_is_noticed_without_a_write(store: Store, postgres: TempPostgres, address: str) -> None:
    postgres.ask(postgres.name_of(address), CUT_CONNECTIONS)
    wait_until_lost(store)
    other = Store(Postgres(address))
    asyncio.run(other.write(add_mark("other")))
    with pytest.raises(LockLost):
        asyncio.run(store.write(add_mark("lost")))
    with pytest.raises(GamesTaken):
        Store(store.database)
    other.close()


def test_a_commit_without_the_lock_is_undone(store: Store, postgres: TempPostgres, address: str) -> None:
    others: list[Store] = []

    def lose(rows: SqlRows) -> None:
        add_mark("lost")(rows)
        postgres.ask(postgres.name_of(address), CUT_CONNECTIONS)
        while not others:
            with suppress(GamesTaken):
                others.append(Store(Postgres(address)))
        asyncio.run(others[0].write(add_mark("other")))

    with pytest.raises(StorageAway):
        asyncio.run(store.write(lose))
    assert asyncio.run(others[0].read(names)) == ["other"]
    others[0].close()


def test_a_waiting_server_keeps_one_connection(store: Store, postgres: TempPostgres, address: str) -> None:
    waiting = Postgres(address)
    count = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'leuthen http://waits/%'"
    for _ in range(3):
        with pytest.raises(GamesTaken):
            waiting.hold("http://waits/")
        assert postgres.ask("postgres", count) == ["1"]
    waiting.release()
    assert postgres.ask("postgres", count) == ["0"]


def test_a_database_error_is_named_without_its_query(store: Store, postgres: TempPostgres) -> None:
    with pytest.raises(StorageBroken, match=r"cannot be used: UndefinedTable 42P01$"):
        asyncio.run(store.write(lambda rows: rows.connection.exec_driver_sql("SELECT secret FROM nowhere")))


def test_a_read_sees_one_snapshot(store: Store) -> None:
    seen: list[int] = []

    async def play() -> None:
        loop = asyncio.get_running_loop()

        def read(rows: SqlRows) -> None:
            seen.append(len(names(rows)))
            asyncio.run_coroutine_threadsafe(store.write(add_mark("between")), loop).result(30)
            seen.append(len(names(rows)))

        await store.read(read)
        assert await store.read(names) == ["between"]

    asyncio.run(play())
    assert seen == [0, 0]
