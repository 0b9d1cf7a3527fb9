"""Servers think for each other: whoever has a place takes what another has none for, and the answer counts once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import msgspec
import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from leuthen.engine.ruleset import as_side
from leuthen.load import load
from leuthen.server.bots.pool import ORDER, Pool
from leuthen.server.bots.thinking import Answer, BotTask, Thinkers, answer
from leuthen.server.cluster.cluster import Cluster
from leuthen.server.session.lanes import Run
from leuthen.storage import jobs, leads
from leuthen.storage.jobs import Job, JobOutcome
from leuthen.storage.leads import KnownServer
from leuthen.storage.postgres import Postgres
from tests.server.alone import here
from tests.server.conftest import Guest, for_ever, hang_up, new_game, take
from tests.server.house import House
from tests.servers.conftest import database_of, id_of
from tests.servers.test_failures import until
from tools.postgres import TempPostgres

T = TypeVar("T")
ASKER, HELPER, OTHER = (KnownServer(name, "", "") for name in ("asker", "helper", "other"))
OUTCOME = JobOutcome(b"found", False, 0.5)


# --- the queue itself -------------------------------------------------------------------------------------------------


def job(name: str, spent: float = 0.0) -> Job:
    return Job(name, "game", "order", b"task", 10, spent)


@pytest.fixture
def engine(address: str) -> Iterator[Engine]:
    """A database at which three servers are there."""
    engine = Postgres(address).open(to_write=True)
    with engine.begin() as connection:
        for server in (ASKER, HELPER, OTHER):
            leads.enter(connection, server)
    yield engine
    engine.dispose()


def add(engine: Engine, *waiting: Job) -> None:
    for one in waiting:
        with engine.begin() as connection:
            jobs.add(connection, ASKER.id, one)


def taken(engine: Engine, server: KnownServer, most_spent: float = inf) -> str:
    with engine.begin() as connection:
        found = jobs.take(connection, server.id, most_spent)
    return found.id if found else ""


def finished(engine: Engine, server: KnownServer, name: str) -> bool:
    with engine.begin() as connection:
        return jobs.finish(connection, server.id, name, OUTCOME)


def collected(engine: Engine, *awaited: str) -> dict[str, JobOutcome | None]:
    with engine.begin() as connection:
        return jobs.collect(connection, ASKER.id, awaited)


def dies(engine: Engine, server: KnownServer) -> None:
    with engine.begin() as connection:
        leads.leave(connection, server.id)


def test_who_thought_least_comes_first_and_who_came_first_of_them(engine: Engine) -> None:
    add(engine, job("slow", 5), job("quick", 0.1), job("b"), job("a"))
    assert [taken(engine, HELPER, 1), taken(engine, OTHER, 1), taken(engine, HELPER, 1)] == ["b", "a", "quick"]
    assert [taken(engine, HELPER, 1), taken(engine, HELPER), taken(engine, OTHER)] == ["", "slow", ""]


def test_two_that_take_at_the_same_time_do_not_wait_for_each_other(engine: Engine) -> None:
    add(engine, job("a"), job("b"))
    with engine.begin() as first, engine.begin() as second, engine.begin() as third:
        found = [jobs.take(connection, HELPER.id, inf) for connection in (first, second, third)]
    assert [one and one.id for one in found] == ["a", "b", None]


def test_the_job_of_a_dead_helper_is_free_and_his_answer_is_refused(engine: Engine) -> None:
    add(engine, job("a"))
    assert [taken(engine, HELPER), taken(engine, OTHER)] == ["a", ""]
    dies(engine, HELPER)
    assert taken(engine, OTHER) == "a"
    assert [finished(engine, HELPER, "a"), finished(engine, OTHER, "a"), finished(engine, OTHER, "a")] == [
        False, True, False
    ]  # fmt: skip
    assert collected(engine, "a") == {"a": OUTCOME}
    assert collected(engine, "a") == {"a": None}, "it is read once, and gone then"


def test_what_a_dead_server_asked_is_gone_and_it_asks_no_more(engine: Engine) -> None:
    add(engine, job("a"), job("b"))
    assert taken(engine, HELPER) == "a"
    dies(engine, ASKER)
    assert [taken(engine, HELPER), finished(engine, HELPER, "a")] == ["", False]
    with pytest.raises(IntegrityError):
        add(engine, job("c"))


def test_what_is_no_longer_waited_for_is_gone(engine: Engine) -> None:
    add(engine, job("a"), job("b"), job("c"))
    assert [taken(engine, HELPER), finished(engine, HELPER, "a")] == ["a", True]
    assert collected(engine, "c", "lost") == {"lost": None}
    assert [taken(engine, HELPER), taken(engine, HELPER)] == ["c", ""]


def test_an_outcome_of_another_program_counts_as_none(engine: Engine) -> None:
    add(engine, job("a"))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE jobs SET outcome = 'x'")
    assert collected(engine, "a") == {"a": None}


def test_the_answer_is_the_same_whoever_thinks() -> None:
    rules = load("frederick")
    state = rules.new_game("1757", {})
    side = as_side(rules.pending(state)[0].actor)
    thought = BotTask("captain", rules.name, side, rules.encode_view(rules.view(state, side)), 5, rules.digest)
    helper, task = Pool(Thinkers(here, 1)), msgspec.msgpack.encode(thought)
    found = ORDER.read_found(asyncio.run(ORDER.in_bytes(helper, "game", task, 60)))
    assert found == answer(thought)
    assert found.after, "it is a general's, with a thought to take along"


# --- among servers ----------------------------------------------------------------------------------------------------

Servers = Callable[[Run], House]


@pytest.fixture
def servers(shelf: Path, tmp_path: Path, address: str) -> Iterator[Servers]:
    """Makes servers of one database, each with one place to think."""
    houses: list[House] = []

    def make(run: Run) -> House:
        house = House(tmp_path / str(len(houses)), Thinkers(run, 1), shared=Postgres(address))
        house.start()
        houses.append(house)
        return house

    yield make
    hang_up()
    for house in houses:
        house.stop()


class Queue:
    """The database, by its own word."""

    def __init__(self, postgres: TempPostgres, address: str) -> None:
        self.ask: Callable[[str], list[str]] = lambda query: postgres.ask(database_of(address), query)

    def holders(self) -> list[str]:
        return self.ask("SELECT holder FROM jobs WHERE outcome IS NULL AND holder <> ''")

    def has_answered(self, guest: Guest) -> bool:
        """Whether the machine at a guest's table has bid."""
        query = f"SELECT count(*) FROM actions JOIN seats ON seats.game = actions.game AND seats.id = '{guest.seat}'"
        return self.ask(f"{query} WHERE actor = 'austria'") != ["0"]


@pytest.fixture
def queue(postgres: TempPostgres, address: str) -> Queue:
    return Queue(postgres, address)


def against_machine(house: House) -> Guest:
    _, made = new_game(house, ("link", "random"))
    return take(house, made["seats"][0]["link"], 0)


def fill(house: House, queue: Queue) -> Guest:
    """A game whose machine holds the server's place."""
    guest = against_machine(house)
    assert not queue.has_answered(guest)
    return guest


def test_a_server_without_a_place_is_helped(servers: Servers, queue: Queue) -> None:
    one, other = servers(for_ever), servers(here)
    hung = fill(one, queue)
    guests = [against_machine(one) for _ in range(3)]
    until(lambda: all(map(queue.has_answered, guests)))
    guests[0].orders("bid 1")
    assert not queue.has_answered(hung)
    assert queue.ask("SELECT DISTINCT server FROM leads") == [id_of(one)] != [id_of(other)]
    until(lambda: queue.ask("SELECT count(*) FROM jobs") == ["0"])


def test_what_a_server_has_a_place_for_stands_in_no_queue(
    servers: Servers, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "add", lambda *_: pytest.fail("it has a place"))
    guest = against_machine(servers(here))
    until(lambda: queue.has_answered(guest))


def test_what_a_killed_server_was_thinking_is_thought_by_another(servers: Servers, queue: Queue) -> None:
    one, other = servers(for_ever), servers(for_ever)
    fill(one, queue)
    guest, dead = against_machine(one), id_of(other)
    until(lambda: queue.holders() == [dead])
    third = servers(here)
    until(lambda: queue.ask(f"SELECT count(*) FROM servers WHERE id = '{id_of(third)}'") == ["1"])
    assert queue.holders() == [dead], "who is there keeps it"
    queue.ask(f"DELETE FROM servers WHERE id = '{dead}'")
    until(lambda: queue.has_answered(guest))


def test_a_notification_may_be_lost(servers: Servers, queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cluster, "told", lambda *_: None)
    one, _ = servers(for_ever), servers(here)
    fill(one, queue)
    guest = against_machine(one)
    until(lambda: queue.has_answered(guest))


def test_a_notification_may_come_twice_or_lie(servers: Servers, queue: Queue) -> None:
    one, other = servers(for_ever), servers(for_ever)
    fill(one, queue)
    guest = against_machine(one)
    until(lambda: queue.holders() == [id_of(other)])
    for word in ("", "", id_of(one), id_of(one), id_of(other), "nobody"):
        queue.ask(f"SELECT pg_notify('{jobs.CHANNEL}', '{word}')")
    guest.orders("bid 1")
    assert queue.holders() == [id_of(other)]
    assert not queue.has_answered(guest)


def test_what_was_thought_for_a_position_that_is_gone_is_not_played(servers: Servers, queue: Queue) -> None:
    one, _ = servers(for_ever), servers(for_ever)
    fill(one, queue)
    guest = against_machine(one)
    until(lambda: len(queue.holders()) == 1)
    assert guest.move("resign").status == 200
    found = msgspec.msgpack.encode(JobOutcome(msgspec.msgpack.encode(Answer("bid 2")), False, 0.1)).hex()
    queue.ask(f"UPDATE jobs SET outcome = '\\x{found}'")
    until(lambda: queue.ask("SELECT count(*) FROM jobs") == ["0"])
    until(lambda: not one.drivers.is_busy(guest_game(one, guest)))
    assert not queue.has_answered(guest)


def guest_game(house: House, guest: Guest) -> str:
    sessions = house.registry.sessions.values()
    return next(one.id for one in sessions if any(seat.id == guest.seat for seat in one.seats))


def test_what_nobody_else_can_think_is_thought_here(servers: Servers, queue: Queue) -> None:
    begun: list[object] = []
    waiting = Event()

    async def hangs_once(work: Callable[..., T], /, *args: Any) -> T:
        begun.append(args)
        if len(begun) > 1:
            return await here(work, *args)
        while not waiting.is_set():
            await asyncio.sleep(0.01)
        raise TimeoutError

    async def fails(work: Callable[..., T], /, *_: Any) -> T:
        raise RuntimeError("the bot fails")

    one, _ = servers(hangs_once), servers(fails)
    fill(one, queue)
    guest = against_machine(one)
    waiting.set()
    until(lambda: queue.has_answered(guest))
