import asyncio
from itertools import count
from typing import Final

import msgspec
import pytest

from leuthen.engine.ruleset import OTHER
from leuthen.server.bots.thinking import Answer, BotTask, answer
from leuthen.server.session import messages
from leuthen.server.session.create import make_game
from leuthen.server.session.device_sessions import Visitor
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.registry import GameRegistry
from leuthen.storage import games as kept
from leuthen.storage.rows import ThoughtRow
from leuthen.wargame.plans import VERSION, decode_thought
from tests.server.accounts import account
from tests.server.alone import registry_with
from tests.server.memory import MemoryRows, MemoryStorage

ME = Visitor("prussia's key", "a browser")
KEYS = count(1)
MACHINE: Final = 1
STEPS = 70
Had = list[tuple[int, bytes]]


async def new_session(registry: GameRegistry) -> tuple[GameSession, str]:
    made = await make_game(registry, ME, messages.NewGame(("me", "captain"), "frederick", takebacks="free"))
    return await registry.session(made.game), made.seats[0].seat


async def think(session: GameSession) -> Answer:
    view = session.ruleset.encode_view(session.seat_view.view(MACHINE))
    return answer(BotTask("captain", "frederick", MACHINE, view, 5, before=await session.thought_of(MACHINE)))


async def play_on(session: GameSession, steps: int) -> Had:
    had: Had = []
    for _ in range(steps):
        line = len(session.history.record)
        side = MACHINE if session.seat_view.is_asked(MACHINE) else OTHER[MACHINE]
        if side == MACHINE:
            found = await think(session)
            had.append((len(session.history.table.log), found.after))
            await session.play(side, found.order, line, found.after)
        else:
            await session.play(side, None, line)
    return had


async def take_back(registry: GameRegistry, session: GameSession, seat: str) -> int:
    device = await registry.devices.find(seat, ME.lock)
    n = session.history.logs[0].n
    await session.submit(device, messages.TableMove(n, f"takeback-{next(KEYS):06}", "ask-takeback", n // 2))
    return len(session.history.table.log)


def test_a_thought_survives_a_restart_and_is_in_nothing_that_is_told() -> None:
    async def play() -> None:
        storage = MemoryStorage()
        registry = registry_with(storage)
        session, _ = await new_session(registry)
        had = await play_on(session, STEPS)
        assert decode_thought(had[-1][1]).plan.missions
        again = await registry_with(storage).session(session.id)
        assert again is not session
        assert await again.thought_of(MACHINE) == had[-1][1]
        assert "missions" not in session.whole_record() + account(session, MACHINE)

    asyncio.run(play())


def test_a_takeback_brings_back_what_was_thought_then() -> None:
    async def play() -> None:
        registry = registry_with(MemoryStorage())
        session, seat = await new_session(registry)
        had = await play_on(session, STEPS)
        left = await take_back(registry, session, seat)
        before = [thought for number, thought in had if number < left]
        assert 0 < len(before) < len(had)
        assert await session.thought_of(MACHINE) == before[-1] != had[-1][1]
        assert await play_on(session, 40)

    asyncio.run(play())


def test_a_thought_of_another_version_is_dropped_and_the_game_goes_on() -> None:
    async def play() -> None:
        registry = registry_with(MemoryStorage())
        session, _ = await new_session(registry)
        await play_on(session, STEPS)
        view = session.ruleset.encode_view(session.seat_view.view(MACHINE))
        old = msgspec.structs.replace(decode_thought(await session.thought_of(MACHINE)), version=VERSION + 1)
        while not session.seat_view.is_asked(MACHINE):
            await session.play(0, None, len(session.history.record))
            view = session.ruleset.encode_view(session.seat_view.view(MACHINE))
        found = answer(BotTask("captain", "frederick", MACHINE, view, 5, before=msgspec.json.encode(old)))
        assert f"version {VERSION + 1}" in found.word
        assert await session.play(MACHINE, found.order, len(session.history.record), found.after)

    asyncio.run(play())


def test_few_thoughts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "THOUGHTS", 3)
    rows = MemoryRows()
    for number in range(6):
        kept.add_thought(rows, "seat", ThoughtRow(number, bytes([number // 2])))
    assert [row.number for row in rows.find(ThoughtRow, seat="seat")] == [0, 2, 4]
    kept.forget_thoughts(rows, ["seat"], 3)
    assert kept.last_thought(rows, "seat") == bytes([1])
