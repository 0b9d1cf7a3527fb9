import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from leuthen.engine.refusal import Invalid
from leuthen.storage import postgres
from leuthen.storage.faults import (
    GamesTaken,
    LockLost,
    StorageAway,
    StorageBroken,
    StorageBusy,
    StorageFull,
    Unfit,
    Unreachable,
)
from leuthen.storage.postgres import Postgres
from leuthen.storage.store import Store
from leuthen.storage.tables import SqlRows, metadata
from tests.storage.test_migrate import add_step
from tests.storage.test_writer import names, note, together
from tools.postgres import TempPostgres


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    store = Store(Postgres(address))
    yield store
    store.close()


# --- its tables -------------------------------------------------------------------------------------------------------


def differences(address: str) -> list[object]:
    engine = Postgres(address).open(to_write=False)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, metadata)
    engine.dispose()
    return list(found)


def test_a_new_database_has_the_tables_that_the_program_knows(postgres: TempPostgres) -> None:
    address = postgres.new_database()
    Store(Postgres(address)).close()
    assert differences(address) == []
    postgres.ask(postgres.name_of(address), "DROP INDEX ix_games_maker")
    assert len(differences(address)) == 1


def test_a_migration_that_fails_changes_nothing(postgres: TempPostgres, address: str, changes: Path) -> None:
    add_step(changes, "op.execute('INSERT INTO extra VALUES (1), (1)')")
    before = postgres.dump(postgres.name_of(address))
    with pytest.raises(Invalid, match=r"tables could not be migrated; nothing was changed: duplicate key"):
        Store(Postgres(address))
    assert postgres.dump(postgres.name_of(address)) == before


def test_a_program_that_is_killed_in_a_migration_changes_nothing(
    postgres: TempPostgres, address: str, changes: Path
) -> None:
    add_step(changes, "os.kill(os.getpid(), signal.SIGKILL)")
    before = postgres.dump(postgres.name_of(address))
    code = f"""
from pathlib import Path
from leuthen.storage import migrate
from leuthen.storage.postgres import Postgres
from leuthen.storage.store import Store
migrate.FOLDER = Path({str(changes)!r})
Store(Postgres({address!r}))
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    assert postgres.dump(postgres.name_of(address)) == before
    (changes / "versions" / "m9999_test.py").unlink()
    Store(Postgres(address)).close()


def test_a_database_of_a_newer_program_is_refused(postgres: TempPostgres, address: str, changes: Path) -> None:
    add_step(changes)
    Store(Postgres(address)).close()
    before = postgres.dump(postgres.name_of(address))
    (changes / "versions" / "m9999_test.py").unlink()
    with pytest.raises(Invalid, match=r"was made by another version of Leuthen \(tables 9999; this one knows"):
        Store(Postgres(address))
    assert postgres.dump(postgres.name_of(address)) == before


def test_the_database_of_another_program_is_refused(postgres: TempPostgres) -> None:
    address = postgres.new_database()
    postgres.ask(postgres.name_of(address), "CREATE TABLE recipes (name TEXT)")
    before = postgres.dump(postgres.name_of(address))
    with pytest.raises(Invalid, match=r"is not a Leuthen database"):
        Store(Postgres(address))
    assert postgres.dump(postgres.name_of(address)) == before


def test_one_that_may_lose_commits_is_refused(postgres: TempPostgres, address: str) -> None:
    postgres.ask("postgres", f"ALTER DATABASE {postgres.name_of(address)} SET synchronous_commit = off")
    with pytest.raises(Invalid, match="synchronous_commit is off"):
        Store(Postgres(address))


# --- its address ------------------------------------------------------------------------------------------------------


def test_one_of_another_encoding_is_refused(postgres: TempPostgres) -> None:
    postgres.ask("postgres", "CREATE DATABASE games_ascii TEMPLATE template0 ENCODING 'SQL_ASCII'")
    with pytest.raises(Invalid, match="its encoding is SQL_ASCII; create one with CREATE DATABASE … ENCODING 'UTF8'"):
        Store(Postgres(postgres.address("games_ascii")))
    assert postgres.ask("games_ascii", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == ["0"]


@pytest.mark.parametrize("address", ["games", "mysql://host/games", "postgresql://host:port/games", ""])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(Invalid, match="--database must be like postgresql://user@host/name"):
        Postgres(address)


def test_one_that_is_not_there_is_refused_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"the database cannot be reached: .*No such file") as refused:
        Store(Postgres(f"postgres://me:hunter2@/games?host={tmp_path}"))
    assert "hunter2" not in str(refused.value)


# --- its errors -------------------------------------------------------------------------------------------------------


def test_what_it_cannot_hold_spoils_nothing_else(store: Store) -> None:
    results = asyncio.run(together(store, note("a"), note("b", "\0"), note("c" * 41), note("d")))
    assert [type(result) for result in results] == [str, Unfit, Unfit, str]
    assert sorted(asyncio.run(store.read(names))) == ["a", "d"]


def test_a_full_disk_is_told_and_nothing_is_lost(store: Store, postgres: TempPostgres, address: str) -> None:
    asyncio.run(store.write(note("before")))
    text = """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON about FOR EACH ROW WHEN (NEW.value <> '') EXECUTE FUNCTION refuse()"""
    postgres.ask(postgres.name_of(address), text)
    results = asyncio.run(together(store, note("small"), note("big", "x")))
    assert [type(result) for result in results] == [StorageFull, StorageFull]
    assert asyncio.run(store.read(names)) == ["before"]
    postgres.ask(postgres.name_of(address), "DROP TRIGGER refuse ON about")
    asyncio.run(store.write(note("after", "x")))


def test_a_row_that_is_held_is_told_and_nothing_is_lost(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "LOCK_SECONDS", 0.05)
    store = Store(Postgres(address))
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE about")
        with pytest.raises(StorageBusy):
            asyncio.run(store.write(note("a")))
    assert asyncio.run(store.write(note("a"))) == "a"
    store.close()


# --- its lock ---------------------------------------------------------------------------------------------------------


CUT = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"


def until_lost(store: Store) -> None:
    end = monotonic() + 10 * postgres.BEAT
    while not store.is_lost:
        assert monotonic() < end
        sleep(0.01)


def test_one_that_goes_away_and_comes_back_is_taken_again(store: Store, postgres: TempPostgres, address: str) -> None:
    asyncio.run(store.write(note("before")))
    postgres.stop()
    with pytest.raises(StorageAway):
        asyncio.run(store.write(note("lost")))
    with pytest.raises(StorageAway):
        asyncio.run(store.read(names))
    with pytest.raises(Unreachable):
        Store(Postgres(address))
    postgres.start()
    with pytest.raises(LockLost):
        asyncio.run(store.write(note("lost")))
    assert asyncio.run(store.read(names)) == ["before"]
    again = Store(Postgres(address))
    assert asyncio.run(again.write(note("after"))) == "after"
    assert sorted(asyncio.run(again.read(names))) == ["after", "before"]
    again.close()


def test_a_connection_cut_in_the_middle_is_reported(store: Store, address: str) -> None:
    def cut(rows: SqlRows) -> None:
        note("lost")(rows)
        rows.connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(StorageAway):
        asyncio.run(store.write(cut))
    with pytest.raises(LockLost):
        asyncio.run(store.write(note("after")))
    assert store.is_lost
    assert asyncio.run(store.read(names)) == []


def test_who_lost_the_lock_notices_it_though_nothing_is_written(
    store: Store, postgres: TempPostgres, address: str
) -> None:
    postgres.ask(postgres.name_of(address), CUT)
    until_lost(store)
    other = Store(Postgres(address))
    asyncio.run(other.write(note("other")))
    with pytest.raises(LockLost):
        asyncio.run(store.write(note("lost")))
    with pytest.raises(GamesTaken):
        Store(store.database)
    other.close()


def test_a_commit_on_a_connection_without_the_lock_is_none(store: Store, postgres: TempPostgres, address: str) -> None:
    others: list[Store] = []

    def lose(rows: SqlRows) -> None:
        note("lost")(rows)
        postgres.ask(postgres.name_of(address), CUT)
        while not others:
            with suppress(GamesTaken):
                others.append(Store(Postgres(address)))
        asyncio.run(others[0].write(note("other")))

    with pytest.raises(StorageAway):
        asyncio.run(store.write(lose))
    assert asyncio.run(others[0].read(names)) == ["other"]
    others[0].close()


def test_who_waits_keeps_one_connection_and_ends_it(store: Store, postgres: TempPostgres, address: str) -> None:
    waiting = Postgres(address)
    count = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'leuthen http://waits/%'"
    for _ in range(3):
        with pytest.raises(GamesTaken):
            waiting.hold("http://waits/")
        assert postgres.ask("postgres", count) == ["1"]
    waiting.release()
    assert postgres.ask("postgres", count) == ["0"]


def test_what_is_wrong_with_a_table_is_told_without_its_words(store: Store, postgres: TempPostgres) -> None:
    with pytest.raises(StorageBroken, match=r"cannot be used: UndefinedTable 42P01$"):
        asyncio.run(store.write(lambda rows: rows.connection.exec_driver_sql("SELECT secret FROM nowhere")))


def test_who_reads_sees_one_instant(store: Store) -> None:
    seen: list[int] = []

    async def play() -> None:
        loop = asyncio.get_running_loop()

        def read(rows: SqlRows) -> None:
            seen.append(len(names(rows)))
            asyncio.run_coroutine_threadsafe(store.write(note("between")), loop).result(30)
            seen.append(len(names(rows)))

        await store.read(read)
        assert await store.read(names) == ["between"]

    asyncio.run(play())
    assert seen == [0, 0]
