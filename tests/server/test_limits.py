import asyncio
import os
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from leuthen.engine.ruleset import WATCHER
from leuthen.server.bots import workers
from leuthen.server.bots.workers import in_process
from leuthen.server.http.app import make_routes
from leuthen.server.security.request_guard import COST, LOOK, READY, Bucket, Rate, RateLimits, Rates
from leuthen.server.session import limits, streams
from leuthen.server.session.limits import (
    FairScheduler,
    QueueLimits,
    WorkerDied,
    WorkQueue,
    address_now,
    charge_callback,
    charge_request_time,
    charge_steps,
    network_of,
)
from leuthen.server.session.messages import Fault
from leuthen.server.session.streams import PER_DEVICE, SEND_COST, ConnectionLimits, Subscriber
from tests.rows import rows
from tests.server.conftest import (
    TOY_GAME,
    GameClients,
    NewServer,
    SeatClient,
    create_game,
    never_finish,
    new_caller,
    start_game,
)
from tests.server.harness import TestServer
from tests.server.memory import run_inline
from tests.server.test_history import import_record


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_refills_at_a_constant_rate() -> None:
    clock = Clock()
    bucket, rate = Bucket(clock), Rate(2, 3)
    assert [bucket.take("a", "x", rate) for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now = 0.5
    assert [bucket.take("a", "x", rate) for _ in range(2)] == [0, 0.5]
    clock.now = 100
    assert [bucket.take("a", "x", rate) for _ in range(4)] == [0, 0, 0, 0.5], "an idle bucket does not overflow"
    assert bucket.take("b", "x", rate) == bucket.take("a", "y", rate) == 0, "each client and kind has its own bucket"


def test_full_buckets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.security.request_guard.MOST_REMEMBERED", 3)
    clock = Clock()
    bucket, rate = Bucket(clock), Rate(1, 1)
    for who in "abc":
        bucket.take(who, "x", rate)
    clock.now = 0.5
    bucket.take("d", "x", rate)
    assert {who for who, _ in bucket._left} == {"c", "d"}, "no bucket is full, so the oldest are dropped"
    clock.now = 1.2
    for who in "ef":
        bucket.take(who, "x", rate)
    assert {who for who, _ in bucket._left} == {"d", "e", "f"}


def test_an_active_client_keeps_its_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.security.request_guard.MOST_REMEMBERED", 4)
    bucket, rate = Bucket(Clock()), Rate(1, 9)
    for who in ("a", "b", "c", "a", "d", "e"):
        bucket.take(who, "x", rate)
    assert bucket._left["a", "x"][0] == 7


@pytest.mark.parametrize(("address", "network"), rows("networks-of-addresses"))
def test_an_ipv6_network_counts_as_one_client(address: str, network: str) -> None:
    assert network_of(address) == network


def routes() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for route in make_routes().routes:
        for method, (handler, _) in cast("Any", route).route_handler_map.items():
            if method not in ("HEAD", "OPTIONS"):
                found[f"{method} {route.path_format}"] = handler
    return found


def costs() -> dict[str, str]:
    return {name: handler.opt.get(COST, LOOK) for name, handler in routes().items()}


def test_every_route_that_creates_or_tells_something_has_its_own_rate() -> None:
    counted = {name: cost for name, cost in costs().items() if cost not in (LOOK, READY)}
    made = [name for name, handler in routes().items() if "CreatedGame" in str(handler.fn.__annotations__["return"])]
    assert len(made) == 5
    assert {counted[name] for name in made} == {"making", "bringing"}
    assert {name: rate for name, rate in counted.items() if rate not in ("making", "bringing")} == {
        "POST /api/take": "taking",
        "POST /api/seats/{seat}/chat": "talking",
        "PUT /api/seats/{seat}/player": "calling",
    }
    assert {*counted.values(), "anything", "work"} == set(Rates.__struct_fields__)


def test_only_cached_answers_are_free() -> None:
    free = {name for name, cost in costs().items() if cost == READY}
    assert "GET /schema/openapi.json" in free
    assert not any(name.startswith("GET /api/seats/") or not name.startswith("GET ") for name in free)


def test_a_head_request_costs_as_much_as_a_get() -> None:
    for route in make_routes().routes:
        by_method = cast("Any", route).route_handler_map
        if {"GET", "HEAD"} <= set(by_method):
            assert by_method["HEAD"][0].opt == by_method["GET"][0].opt


def test_too_many_requests_are_refused_and_change_nothing(new_server: NewServer) -> None:
    clock = Clock()
    rates = Rates(making=Rate(0.1, 2))
    server = new_server(RateLimits(rates, rates, clock))
    caller, _ = create_game(server, ("me", "link"))
    assert caller.post("/api/games", TOY_GAME).status == 201
    answer = caller.post("/api/games", TOY_GAME)
    assert (answer.status, answer.json["title"]) == (429, "Too many requests")
    assert dict(answer.headers)["retry-after"] == "10"
    assert len(caller.get("/api/home").json["games"]) == 2
    assert new_caller(server.port).post("/api/games", TOY_GAME).status == 429, "a new cookie does not reset the limit"
    clock.now = 10
    assert caller.post("/api/games", TOY_GAME).status == 201


def test_requests_are_limited_by_their_cost(new_server: NewServer, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, rates = Clock(), Rates(work=Rate(0.25, 5))
    limits = RateLimits(rates, rates, clock)
    game = start_game(new_server(limits))
    for look in ("/chronicle", "/story", "/record", "/chat", "/lesson"):
        assert game.prussia.get(look).status != 429
    limits._bill("127.0.0.1", rates.work, 6)
    base, ask = game.prussia.base, game.prussia.caller.ask
    for look in ("", "/chronicle", "/story", "/record", "/chat", "/lesson", "/stream", "/turns"):
        assert {ask(method, base + look).status for method in ("GET", "HEAD")} == {429}, look
    refused = game.prussia.order("bid 1", seen=0)
    assert refused.status == game.prussia.post("/form", {}).status == 429
    assert int(dict(refused.headers)["retry-after"]) in (4, 5), "at a quarter of a second per second"
    assert ask("GET", "/").status == ask("GET", "/healthz").status == 200
    clock.now = 16
    assert game.prussia.order("bid 1", seen=0).status == 200


def test_every_answer_is_charged(new_server: NewServer, monkeypatch: pytest.MonkeyPatch) -> None:
    paid: dict[str, float] = {}
    limits = RateLimits()
    game = start_game(new_server(limits))
    for path in ("", "/chronicle", "/story", "/record", "/turns", "/form", "/nowhere", "/stream"):
        costs = list[float]()
        monkeypatch.setattr(limits, "_bill", lambda address, rate, seconds, costs=costs: costs.append(seconds))
        if path == "/stream":
            game.prussia.subscribe().wait_for(b"event: fresh")
        else:
            game.prussia.post(path, {}) if path == "/form" else game.prussia.get(path)
        paid[path] = sum(costs)
    assert all(cost > 0 for cost in paid.values()), paid


def test_each_step_is_charged_but_not_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "perf_counter", count().__next__)  # each step takes a second
    costs = list[float]()

    async def work() -> str:
        charge_callback.set(costs.append)
        await asyncio.sleep(0.01)
        with pytest.raises(ValueError, match="no"):
            await asyncio.ensure_future(charge_steps(failing()))
        return "done"

    async def failing() -> None:
        raise ValueError("no")

    async def paid() -> str:
        return await charge_steps(work())

    assert asyncio.run(paid()) == "done"
    assert costs == [1] * 4, "the steps between the waits of both coroutines"


def test_every_request_counts(new_server: NewServer) -> None:
    rates = Rates(anything=Rate(0.001, 3))
    caller = new_caller(new_server(RateLimits(rates, rates, Clock())).port)
    requests = (("GET", "/"), ("HEAD", "/nowhere"), ("GET", "/api/seats/none"), ("GET", "/api/home"), ("HEAD", "/"))
    assert [caller.ask(*request).status for request in requests] == [200, 404, 404, 429, 429]


def test_local_programs_are_not_slowed_down(new_server: NewServer) -> None:
    caller = new_caller(new_server().port)
    assert {caller.get("/healthz").status for _ in range(700)} == {200}


def test_a_program_has_no_more_streams_than_a_browser(server: TestServer) -> None:
    _, made = create_game(server, ("link", "random"))
    key = "a-program-of-my-own-0123"
    caller = new_caller(server.port, key)
    asked = {"secret": made["seats"][0]["link"].partition("#")[2], "key": key}
    client = SeatClient(caller, new_caller(server.port).post("/api/take", asked).json["seat"], 0)
    for stream in [client.subscribe() for _ in range(PER_DEVICE + 3)]:
        stream.wait_for(b"event: ")
    assert server.registry.connection_limits.count == PER_DEVICE


def test_a_full_server_refuses_streams() -> None:
    connection_limits = ConnectionLimits(device=2, seat=1, all=2)
    enter = [connection_limits.enter(Subscriber(seat, 0, "", frozenset())) for seat in ("a", "a", "b", "c")]
    assert [bool(refusal) for refusal in enter] == [False, True, False, True]


def test_the_streams_of_one_address_are_limited() -> None:
    connection_limits = ConnectionLimits(address=2)

    def enter(address: str) -> bool:
        return not connection_limits.enter(Subscriber("seat", WATCHER, "", frozenset(), address))

    assert [enter("203.0.113.7") for _ in range(3)] == [True, True, False]
    assert [enter("127.0.0.1") for _ in range(3)] == [True] * 3, "a proxy may stand for many clients"
    assert enter("198.51.100.7")


def test_frequent_name_changes_are_sent_together(game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PAUSE", 0.5)
    stream = game.spectator.subscribe()
    stream.wait_for(b"event: fresh")
    for number in range(100):
        named = game.prussia.put("/player", {"name": f"Anna {number}"})
        assert named.status == 204
    received = stream.wait_for(b'"Anna 99"')
    assert received.count(b"event: fresh") < 50


def ask(limits: RateLimits, address: str, cost: float) -> int:

    async def asked() -> int:
        try:
            limits.enter(address)
            limits.expect(LOOK)
        except Fault as error:
            return error.problem.status
        charge_request_time(cost)
        return 200

    return asyncio.run(asked())


def test_a_modest_client_is_served_during_a_flood() -> None:
    clock = Clock()
    limits = RateLimits(clock=clock)
    many = [f"192.0.2.{number}" for number in range(1, 9)]
    found = [ask(limits, address, 0.4) for _ in range(4) for address in many]
    assert 0 < found.count(200) < len(found), "the flood is stopped before each address used its own share"
    assert {ask(limits, address, 0.1) for address in many} == {429}
    assert [ask(limits, "198.51.100.7", 0.004) for _ in range(50)] == [200] * 50
    clock.now = 60
    assert {ask(limits, address, 0.01) for address in many} == {200}


def test_an_order_is_charged_for_the_updates_it_causes(new_server: NewServer, monkeypatch: pytest.MonkeyPatch) -> None:
    rates, costs = Rates(work=Rate(0.25, 5)), list[float]()
    limits = RateLimits(rates, rates, Clock())
    monkeypatch.setattr(limits, "_bill", lambda address, rate, seconds: costs.append(seconds))
    game = start_game(new_server(limits))
    streams = [game.spectator.subscribe() for _ in range(3)]
    for stream in streams:
        stream.wait_for(b"event: fresh")
    costs.clear()
    assert game.prussia.order("bid 1", seen=0).status == 200
    assert max(costs) >= 3 * SEND_COST


T = TypeVar("T")
FLOOD = "203.0.113.5"


def refusal(queue: limits.WorkLimit, asker: str) -> tuple[int, int]:
    try:
        with queue.place(asker):
            return 0, 0
    except Fault as fault:
        return fault.problem.status, fault.wait


def test_the_work_queue_limits_askers_addresses_and_total() -> None:
    queue = limits.WorkLimit(QueueLimits(per_asker=1, per_address=2, in_all=3))
    address_now.set(FLOOD)
    with queue.place("a"):
        assert refusal(queue, "a") == (429, 2)
        with queue.place("b"):
            assert refusal(queue, "c") == (429, 2), "the share of the address is used up"
            address_now.set("203.0.113.6")
            with queue.place("c"):
                assert refusal(queue, "d") == (503, 2)
            assert refusal(queue, "d") == (0, 0)
    assert not queue._asked, "finished work leaves no state"
    address_now.set("")


async def test_cancelled_work_does_not_start() -> None:
    begun: list[str] = []

    async def noted(work: Callable[..., T], /, *args: Any) -> T:
        begun.append(args[0])
        return await never_finish(work)

    queue = WorkQueue(1, 60, QueueLimits(), noted)
    waiting = [asyncio.ensure_future(queue.do(who, len, who)) for who in ("a", "b")]
    await asyncio.sleep(0)
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert begun == ["a"]


async def test_a_stopping_server_refuses_running_and_waiting_work() -> None:
    begun = asyncio.Event()

    async def noted(work: Callable[..., T], /, *args: Any) -> T:
        begun.set()
        return await never_finish(work)

    queue = WorkQueue(1, 60, QueueLimits(), noted)
    asked = [asyncio.ensure_future(queue.do(who, len, who)) for who in ("a", "b")]
    await begun.wait()
    queue.end()
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert [one.problem.title for one in ended if isinstance(one, Fault)] == ["The server is stopping"] * 2


async def test_the_work_queue_prefers_who_used_less() -> None:
    done: list[str] = []
    connection_limits = asyncio.Event()

    async def noted(work: Callable[..., T], /, *args: Any) -> T:
        await connection_limits.wait()
        done.append(args[0])
        return work(*args)

    queue = WorkQueue(1, 60, QueueLimits(), noted)
    queue._scheduler._spent["flood"] = 5.0
    await asyncio.sleep(0)
    asked = ("flood", "flood", "flood", "calm")
    waiting = [asyncio.ensure_future(queue.do(who, len, who)) for who in asked]
    await asyncio.sleep(0)
    connection_limits.set()
    await asyncio.gather(*waiting)
    assert done == ["flood", "calm", "flood", "flood"], "the first had begun already"


async def test_sliced_work_lets_other_tasks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SLICE", 0.0)
    seen: list[str] = []

    async def other() -> None:
        for _ in range(3):
            seen.append("other")
            await asyncio.sleep(0)

    queue = WorkQueue(1, 60, QueueLimits(), run_inline)
    await asyncio.gather(queue.run_in_slices("a", map(seen.append, ["step"] * 3)), other())
    assert seen == ["step", "other"] * 3


# --- real processes ---------------------------------------------------------------------------------------------------


def never_ends(path: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path(path).write_text(str(os.getpid()))
    while True:
        pass


def stopped(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    os.kill(os.getpid(), signal.SIGSTOP)


def says_and_exits() -> None:
    raise SystemExit(3)


def dies() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("hang", [never_ends, stopped])
async def test_a_hanging_or_stopped_process_is_killed(hang: Callable[[str], None], tmp_path: Path) -> None:
    fifo = tmp_path / "pid"
    os.mkfifo(fifo)
    work = asyncio.ensure_future(in_process(hang, str(fifo)))
    process = int(await asyncio.to_thread(fifo.read_text))
    assert is_alive(process)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    assert not is_alive(process), "before the server stops"


async def test_a_dead_process_is_an_error_and_the_next_works() -> None:
    with pytest.raises(RuntimeError, match="SystemExit"):
        await in_process(says_and_exits)
    with pytest.raises(WorkerDied):
        await in_process(dies)
    assert await in_process(os.nice, 0) == min(19, os.nice(0) + workers.NICE), "with a lower priority than the server"


# --- over HTTP --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("queue", "what"), rows("work-queues"))
def test_only_a_seat_with_too_many_requests_has_to_wait(game: GameClients, queue: str, what: str) -> None:
    waiting: limits.WorkLimit = getattr(game.server.registry, queue)
    waiting._asked.update({f"asker {game.prussia.seat}": QueueLimits().per_asker})
    answer = game.prussia.get(what)
    assert (answer.status, answer.json["title"]) == (429, "Busy")
    assert dict(answer.headers)["retry-after"] == "2"
    assert game.austria.get(what).status < 429
    assert game.prussia.order("bid 1").status == 200, "orders are still accepted"


def test_too_many_imports_of_one_address_have_to_wait(server: TestServer) -> None:
    server.registry.bringing._asked.update({"asker 127.0.0.1": QueueLimits().per_asker})
    answer = import_record(new_caller(server.port), "leuthen")
    assert (answer.status, answer.json["title"]) == (429, "Busy")


def test_a_game_with_too_many_waiting_requests_is_not_loaded(game: GameClients) -> None:
    registry = game.server.registry
    registry.sessions.clear()
    registry._alive.clear()
    registry.replaying._asked.update({f"asker {game.id}": QueueLimits().per_asker})
    assert (game.prussia.get("").status, game.id in registry.sessions) == (429, False)
    registry.replaying._asked.clear()
    assert game.prussia.get("").status == 200


def test_play_continues_while_slow_work_hangs(new_server: NewServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server = new_server()
    game = start_game(server)
    for queue in (server.registry.looking, server.registry.bringing, server.registry.replaying):
        monkeypatch.setattr(queue, "_run", never_finish)
        queue._scheduler._free = 0
    game.prussia.orders("bid 1")
    game.austria.orders("bid 2")
    assert game.prussia.snapshot["awaited"]
    assert new_caller(server.port).get("/healthz").status == 200


async def think(fair: FairScheduler, clock: Clock, game: str, seconds: float) -> None:
    async with fair.turn(game):
        clock.now += seconds


class Turn:
    def __init__(self, fair: FairScheduler, game: str) -> None:
        self.has_begun = False
        self._end = asyncio.Event()
        self.task = asyncio.ensure_future(self._think(fair, game))

    async def _think(self, fair: FairScheduler, game: str) -> None:
        async with fair.turn(game):
            self.has_begun = True
            await self._end.wait()

    async def end(self) -> None:
        self._end.set()
        await self.task


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_slow_games_leave_a_place_for_others() -> None:
    clock = Clock()
    fair = FairScheduler(2, clock)
    for game in ("slow 1", "slow 2"):
        await think(fair, clock, game, 60)
    slow = [Turn(fair, "slow 1"), Turn(fair, "slow 2")]
    await settle()
    assert [one.has_begun for one in slow] == [True, False]
    quick = Turn(fair, "quick")
    await settle()
    assert quick.has_begun
    await quick.end()
    await slow[0].end()
    await settle()
    assert slow[1].has_begun
    await slow[1].end()


async def test_a_game_that_becomes_quick_loses_its_penalty() -> None:
    clock = Clock()
    fair = FairScheduler(2, clock)
    await think(fair, clock, "game", 60)
    for _ in range(20):
        await think(fair, clock, "game", 0)
    assert fair._spent == {}


@pytest.mark.parametrize("is_waiting", [True, False])
async def test_cancelled_work_gives_up_its_place(is_waiting: bool) -> None:
    fair = FairScheduler(1)
    first = Turn(fair, "first")
    await settle()
    second = Turn(fair, "second")
    await settle()
    gone, stays = (second, first) if is_waiting else (first, second)
    gone.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone.task
    if is_waiting:
        await stays.end()
    else:
        await settle()
        assert stays.has_begun
        await stays.end()
    last = Turn(fair, "last")
    await settle()
    assert last.has_begun
    await last.end()
