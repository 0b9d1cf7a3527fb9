import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from leuthen.server.bots import processes
from leuthen.server.bots.processes import in_process
from leuthen.server.session import limits
from leuthen.server.session.limits import Lane, Places, WorkerDied, address_now
from leuthen.server.session.problems import Fault
from tests.server.alone import here
from tests.server.conftest import NewHouse, Party, call, for_ever, new_party
from tests.server.house import House
from tests.server.test_chronicle import bring_in

T = TypeVar("T")
FLOOD = "203.0.113.5"


def refusal(lane: limits.Waiting, asker: str) -> tuple[int, int]:
    try:
        with lane.place(asker):
            return 0, 0
    except Fault as fault:
        return fault.problem.status, fault.wait


def test_an_asker_an_address_and_all_have_so_many_places() -> None:
    lane = limits.Waiting(Places(per_asker=1, per_address=2, in_all=3))
    address_now.set(FLOOD)
    with lane.place("a"):
        assert refusal(lane, "a") == (429, 2)
        with lane.place("b"):
            assert refusal(lane, "c") == (429, 2), "the address has its share"
            address_now.set("203.0.113.6")
            with lane.place("c"):
                assert refusal(lane, "d") == (503, 2)
            assert refusal(lane, "d") == (0, 0)
    assert not lane._asked, "nothing is remembered of who has gone"
    address_now.set("")


def test_nothing_is_spent_on_who_is_refused() -> None:
    async def play() -> list[str]:
        begun: list[str] = []

        async def noted(work: Callable[..., T], /, *args: Any) -> T:
            begun.append(args[0])
            return await for_ever(work)

        lane = Lane(1, 60, Places(), noted)
        waiting = [asyncio.ensure_future(lane.do(who, len, who)) for who in ("a", "b")]
        await asyncio.sleep(0)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return begun

    assert asyncio.run(play()) == ["a"]


def test_what_takes_too_long_is_ended_and_told() -> None:
    lane = Lane(1, 1e-9, Places(), for_ever)
    with pytest.raises(Fault) as refused:
        asyncio.run(lane.do("a", len, ""))
    told = refused.value
    assert (told.problem.status, told.problem.title, told.wait) == (503, "Too much work", 30)


def test_who_is_at_work_or_waits_when_the_server_ends_is_told_at_once() -> None:
    async def play() -> list[str]:
        begun = asyncio.Event()

        async def noted(work: Callable[..., T], /, *args: Any) -> T:
            begun.set()
            return await for_ever(work)

        lane = Lane(1, 60, Places(), noted)
        asked = [asyncio.ensure_future(lane.do(who, len, who)) for who in ("a", "b")]
        await begun.wait()
        lane.end()
        ended = await asyncio.gather(*asked, return_exceptions=True)
        return [one.problem.title for one in ended if isinstance(one, Fault)]

    assert asyncio.run(play()) == ["The server ends"] * 2


def test_who_has_had_less_comes_first() -> None:
    async def play() -> list[str]:
        done: list[str] = []
        connection_limits = asyncio.Event()

        async def noted(work: Callable[..., T], /, *args: Any) -> T:
            await connection_limits.wait()
            done.append(args[0])
            return work(*args)

        lane = Lane(1, 60, Places(), noted)
        lane._scheduler._spent["flood"] = 5.0
        await asyncio.sleep(0)
        asked = ("flood", "flood", "flood", "calm")
        waiting = [asyncio.ensure_future(lane.do(who, len, who)) for who in asked]
        await asyncio.sleep(0)
        connection_limits.set()
        await asyncio.gather(*waiting)
        return done

    assert asyncio.run(play()) == ["flood", "calm", "flood", "flood"], "the first had begun already"


def test_others_go_on_between_the_slices_of_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SLICE", 0.0)

    async def play() -> list[str]:
        seen: list[str] = []

        async def other() -> None:
            for _ in range(3):
                seen.append("other")
                await asyncio.sleep(0)

        lane = Lane(1, 60, Places(), here)
        await asyncio.gather(lane.gently("a", map(seen.append, ["step"] * 3)), other())
        return seen

    assert asyncio.run(play()) == ["step", "other"] * 3


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
def test_a_process_that_hangs_or_stands_still_is_ended(hang: Callable[[str], None], tmp_path: Path) -> None:
    fifo = tmp_path / "pid"
    os.mkfifo(fifo)

    async def play() -> bool:
        work = asyncio.ensure_future(in_process(hang, str(fifo)))
        process = int(await asyncio.to_thread(fifo.read_text))
        assert is_alive(process)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        return is_alive(process)

    assert not asyncio.run(play()), "and not only when the server ends"


def test_a_process_that_ends_or_dies_is_an_error_and_the_next_one_works() -> None:
    async def play() -> int:
        with pytest.raises(RuntimeError, match="SystemExit"):
            await in_process(says_and_exits)
        with pytest.raises(WorkerDied):
            await in_process(dies)
        return await in_process(os.nice, 0)

    assert asyncio.run(play()) == min(19, os.nice(0) + processes.NICE), "and stands back behind the server"


# --- over HTTP --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lane", "what"),
    [
        ("looking", "/layer?name=steps"),
        ("looking", "/odds?of=bids"),
        ("looking", "/left"),
        ("replaying", "/turns"),
        ("replaying", "/past?n=0"),
        ("advising", "/advice"),
    ],
)
def test_a_seat_that_asks_too_much_is_told_to_wait_and_no_other(party: Party, lane: str, what: str) -> None:
    waiting: limits.Waiting = getattr(party.house.registry, lane)
    waiting._asked.update({f"asker {party.prussia.seat}": Places().per_asker})
    answer = party.prussia.get(what)
    assert (answer.status, answer.json["title"]) == (429, "Busy")
    assert dict(answer.headers)["retry-after"] == "2"
    assert party.austria.get(what).status < 429
    assert party.prussia.order("bid 1").status == 200, "play goes on"


def test_who_brings_too_many_records_is_told_to_wait(house: House) -> None:
    house.registry.bringing._asked.update({"asker 127.0.0.1": Places().per_asker})
    answer = bring_in(call(house.port), "leuthen")
    assert (answer.status, answer.json["title"]) == (429, "Busy")


def test_a_game_for_which_too_many_wait_is_not_loaded_again(party: Party) -> None:
    registry = party.house.registry
    registry.sessions.clear()
    registry._alive.clear()
    registry.replaying._asked.update({f"asker {party.game}": Places().per_asker})
    assert (party.prussia.get("").status, party.game in registry.sessions) == (429, False)
    registry.replaying._asked.clear()
    assert party.prussia.get("").status == 200


def test_play_goes_on_while_all_that_is_slow_hangs(new_house: NewHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house()
    party = new_party(house)
    for lane in (house.registry.looking, house.registry.bringing, house.registry.replaying):
        monkeypatch.setattr(lane, "_run", for_ever)
        lane._scheduler._free = 0
    party.prussia.orders("bid 1")
    party.austria.orders("bid 2")
    assert party.prussia.fresh["awaited"]
    assert call(house.port).get("/healthz").status == 200
